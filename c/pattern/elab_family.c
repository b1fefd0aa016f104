/* Patterns of several shapes: alternatives, conditions, operator patterns, variadic patterns and their instances. */
#include <string.h>

#include "pattern/elab_internal.h"
#include "tensor/op.h"

static const char *str(const struct elab *e, int id)
{
    return strs_text(e->rs->strs, id);
}

struct term elab_alt(struct elab *e, const struct term *arg, int n, int line, int col)
{
    struct pattern p = elab_blank(PATTERN_ALT, line, col);

    if (n < 2)
        return elab_fail(e, line, col, "Alt takes at least 2 alternatives, got %d", n);
    return elab_kids(e, &p, arg, n) ? elab_done(e, p) : elab_bad();
}

struct term elab_cond(struct elab *e, const struct term *arg, int n, int line, int col)
{
    struct pattern p = elab_blank(PATTERN_COND, line, col);

    if (n != 3)
        return elab_fail(e, line, col, "Cond takes 3 arguments (condition, then, else), got %d", n);
    if (arg[1].kind == TERM_ATTR && arg[2].kind == TERM_ATTR)
        return elab_if(e, arg[0], arg[1], arg[2], line, col);
    if (!elab_expect(e, arg[0], VALUE_BOOL, "the condition"))
        return elab_bad();
    p.value = arg[0].id;
    p.closed = elab_is_closed(e, p.value);
    return elab_kids(e, &p, arg + 1, 2) ? elab_done(e, p) : elab_bad();
}

/* Are the arguments two, without keywords? */
static bool two_plain(const struct elab *e, const struct syntax_node *nd)
{
    return nd->narg == 2 && e->syn->arg.a[nd->arg].kind == SYNTAX_ARG_PLAIN &&
           e->syn->arg.a[nd->arg + 1].kind == SYNTAX_ARG_PLAIN;
}

/* The clauses of a Match, of which one at least is a pattern. */
static struct term match_clauses(struct elab *e, struct term alt, struct term list, int line, int col)
{
    struct pattern p = elab_blank(PATTERN_MATCH, line, col);
    struct term *t = mem_zero(e->rs->mem, (size_t)list.n + 1, sizeof *t), out = elab_bad();

    if (!t)
        return elab_nomem(e);
    t[0] = alt;
    for (int k = 0; k < list.n; k++)
        t[k + 1] = e->item.a[list.id + k];
    if (elab_kids(e, &p, t, list.n + 1))
        out = elab_done(e, p);
    mem_free(t);
    return out;
}

struct term elab_match(struct elab *e, const struct syntax_node *nd)
{
    struct term alt, list;
    bool patterns = false;

    if (!two_plain(e, nd))
        return elab_fail(e, nd->line, nd->col, "expected Match(alt, [clause, ..])");
    alt = elab_expr(e, e->syn->arg.a[nd->arg].expr);
    if (alt.kind == TERM_BAD)
        return alt;
    if (alt.kind != TERM_PATTERN || e->r->pattern.a[alt.id].kind != PATTERN_ALT)
        return elab_fail(e, alt.line, alt.col, "the first argument of Match must be an Alt");
    list = elab_list(e, e->syn->arg.a[nd->arg + 1].expr, "the clauses of Match");
    if (list.kind == TERM_BAD)
        return list;
    if (list.n != e->r->pattern.a[alt.id].nkid)
        return elab_fail(e, list.line, list.col, "Match has %d clauses, but the Alt has %d alternatives", list.n,
                         e->r->pattern.a[alt.id].nkid);
    for (int k = 0; k < list.n; k++)
        patterns |= e->item.a[list.id + k].kind == TERM_PATTERN;
    return patterns ? match_clauses(e, alt, list, nd->line, nd->col)
                    : elab_choice(e, alt.id, e->item.a + list.id, list.n, nd->line, nd->col);
}

/* Adds an operator to the operator pattern whose range ends where rule.kid does. */
static bool add_op(struct elab *e, struct pattern *p, int op)
{
    for (int k = 0; k < p->nkid; k++)
        if (e->r->kid.a[p->kid + k] == op)
            return true;
    if (!ints_push(e->rs->mem, &e->r->kid, op)) {
        elab_nomem(e);
        return false;
    }
    p->nkid++;
    return true;
}

static bool add_trait(struct elab *e, struct pattern *p, const struct syntax_arg *a)
{
    static const struct { const char *name; unsigned trait; } table[] = {
        { "elementwise", OP_ELEMENTWISE }, { "broadcast", OP_BROADCAST },
        { "commutative", OP_COMMUTATIVE }, { "float", OP_FLOAT },
    };
    const struct syntax_node *nd = &e->syn->node.a[a->expr];
    unsigned trait = 0;

    for (size_t k = 0; nd->kind == SYNTAX_NAME && k < sizeof table / sizeof *table; k++)
        if (strcmp(str(e, nd->name), table[k].name) == 0)
            trait = table[k].trait;
    if (!trait) {
        elab_fail(e, nd->line, nd->col, "unknown trait: elementwise, broadcast, commutative or float");
        return false;
    }
    for (int op = 0; op < OP_COUNT; op++)
        if (op != OP_Opaque && (op_info(op)->traits & trait) && !add_op(e, p, op))
            return false;
    return true;
}

/* Op('Exp', 'Sqrt', ..) or Op(trait=NAME) */
struct term elab_operators(struct elab *e, const struct syntax_node *nd)
{
    struct pattern p = elab_blank(PATTERN_OP, nd->line, nd->col);

    if (elab_is_unknown(e, nd))
        return elab_unknown(e, nd);
    p.kid = e->r->kid.n;
    for (int k = 0; k < nd->narg; k++) {
        const struct syntax_arg *a = &e->syn->arg.a[nd->arg + k];
        const struct syntax_node *name = &e->syn->node.a[a->expr];
        int op = -1;

        if (a->kind == SYNTAX_ARG_KEYWORD && strcmp(str(e, a->name), "trait") == 0 && nd->narg == 1) {
            if (!add_trait(e, &p, a))
                return elab_bad();
            continue;
        }
        if (a->kind != SYNTAX_ARG_PLAIN || name->kind != SYNTAX_STRING)
            return elab_fail(e, a->line, a->col, "expected Op('name', ..) or Op(trait=name)");
        op = op_find(str(e, name->name), (size_t)strs_len(e->rs->strs, name->name));
        if (op < 0)
            return elab_fail(e, a->line, a->col, "unknown operator '%s'", str(e, name->name));
        if (!add_op(e, &p, op))
            return elab_bad();
    }
    if (p.nkid == 0)
        return elab_fail(e, nd->line, nd->col, "expected Op('name', ..) or Op(trait=name)");
    return elab_done(e, p);
}

/* What Variadic(..) is given. */
struct variadic_args {
    struct term field, templates, first, index, length, least;
};

static bool variadic_arg(struct elab *e, const struct syntax_arg *a, struct variadic_args *v)
{
    const char *name = a->kind == SYNTAX_ARG_KEYWORD ? str(e, a->name) : "";
    struct term *to = NULL;

    if (a->kind == SYNTAX_ARG_PLAIN)
        to = &v->field;
    else if (strcmp(name, "templates") == 0)
        to = &v->templates;
    else if (strcmp(name, "first") == 0)
        to = &v->first;
    else if (strcmp(name, "index") == 0)
        to = &v->index;
    else if (strcmp(name, "length") == 0)
        to = &v->length;
    else if (strcmp(name, "min_len") == 0)
        to = &v->least;
    if (!to)
        elab_fail(e, a->line, a->col, "Variadic has no attribute '%s': templates, first, index, length, min_len",
                  name);
    else if (to->kind != TERM_BAD)
        elab_fail(e, a->line, a->col, to == &v->field ? "Variadic takes 1 field" : "'%s' is given twice", name);
    else
        *to = to == &v->templates || to == &v->first ? elab_list(e, a->expr, name) : elab_expr(e, a->expr);
    return e->status == CALQUE_OK;
}

/* The field, its index symbol, length and min_len become those of p. */
static bool variadic_parts(struct elab *e, struct pattern *p, const struct variadic_args *v)
{
    const struct value *least = v->least.kind == TERM_ATTR ? elab_literal(e, v->least.id) : NULL;

    if (v->field.kind != TERM_PATTERN) {
        elab_fail(e, p->line, p->col, "the field of Variadic must be a pattern");
        return false;
    }
    if (v->index.kind != TERM_BAD) {
        const struct attr_node *nd = v->index.kind == TERM_ATTR ? &e->r->attrs.node.a[v->index.id] : NULL;
        if (!nd || nd->kind != ATTR_SYMBOL || e->bound.a[nd->op]) {
            elab_fail(e, v->index.line, v->index.col, "index must be a Symbol()");
            return false;
        }
        p->index = nd->op;
    }
    if (v->length.kind != TERM_BAD) {
        bool any = v->length.kind == TERM_ATTR && e->r->attrs.node.a[v->length.id].kind == ATTR_ANY;
        if (!any && !elab_expect(e, v->length, VALUE_INT, "the length"))
            return false;
        p->value = v->length.id;
        p->closed = elab_is_closed(e, p->value);
    }
    if (v->least.kind != TERM_BAD) {
        if (!least || least->kind != VALUE_INT || least->num < 1 || least->num > ATTR_COUNT_MAX) {
            elab_fail(e, v->least.line, v->least.col, "min_len must be a positive integer");
            return false;
        }
        p->least = (int)least->num;
    }
    return elab_kids(e, p, &v->field, 1);
}

/* Marks what is reached from `from`: all of it, or through the templates `through` only. */
static void mark_below(struct elab *e, int from, const bool *through, bool *seen)
{
    memset(seen, 0, (size_t)e->r->pattern.n * sizeof *seen);
    seen[from] = true;
    for (int p = from; p >= 0; p--) {
        const struct pattern *q = &e->r->pattern.a[p];
        if (!seen[p] || q->kind == PATTERN_OP || (through && !through[p]))
            continue;
        for (int k = 0; k < q->nkid; k++)
            seen[e->r->kid.a[q->kid + k]] = true;
    }
}

static bool reaches(struct elab *e, int from, int to, const bool *through, bool *seen)
{
    mark_below(e, from, through, seen);
    return seen[to];
}

static const char *name_of(const struct elab *e, int p)
{
    int name = e->r->pattern.a[p].name;

    return name >= 0 ? str(e, name) : pattern_word(e->r, p);
}

/* Template t of the variadic pattern with this field: a part of it, through templates only. */
static bool template_fits(struct elab *e, int field, struct term t, const bool *is, bool *seen)
{
    int kind = e->r->pattern.a[t.id].kind;

    if (kind == PATTERN_VARIADIC || kind == PATTERN_OP)
        elab_fail(e, t.line, t.col, "a%s cannot be a template",
                  kind == PATTERN_OP ? "n operator pattern" : " Variadic");
    else if (t.id > field || !reaches(e, field, t.id, NULL, seen))
        elab_fail(e, t.line, t.col, "the template '%s' is not part of the field", name_of(e, t.id));
    else if (!is[field])
        elab_fail(e, t.line, t.col, "the field contains the template '%s', so it must be a template too",
                  name_of(e, t.id));
    else if (!reaches(e, field, t.id, is, seen))
        elab_fail(e, t.line, t.col, "the template '%s' is used by a part of the field that is no template",
                  name_of(e, t.id));
    return e->status == CALQUE_OK;
}

/* What instance 0 of template t is instead: a pattern of the same form, or none given (-1). */
static bool first_fits(struct elab *e, int t, struct term f, int *first)
{
    const struct pattern *p = &e->r->pattern.a[t], *q;

    *first = -1;
    if (f.kind == TERM_ATTR && (e->r->attrs.node.a[f.id].kind == ATTR_ANY ||
                                (elab_literal(e, f.id) && elab_literal(e, f.id)->kind == VALUE_NONE)))
        return true;
    if (f.kind != TERM_PATTERN) {
        elab_fail(e, f.line, f.col, "the first pattern of a template must be a pattern, or _ or none");
        return false;
    }
    q = &e->r->pattern.a[f.id];
    if (q->kind != p->kind || q->op != p->op || q->opat != p->opat)
        elab_fail(e, f.line, f.col, "the first pattern '%s' and the template '%s' must be of the same form",
                  name_of(e, f.id), name_of(e, t));
    *first = f.id;
    return e->status == CALQUE_OK;
}

/* The first pattern must not contain a template. */
static bool first_apart(struct elab *e, struct term f, int first, const bool *is, bool *seen)
{
    if (first >= 0)
        mark_below(e, first, NULL, seen);
    for (int p = 0; first >= 0 && p <= first; p++)
        if (is[p] && seen[p]) {
            elab_fail(e, f.line, f.col, "the first pattern '%s' contains the template '%s'", name_of(e, first),
                      name_of(e, p));
            return false;
        }
    return true;
}

/* Records the templates of variadic pattern v; is, seen: scratch for each pattern. */
static bool templates(struct elab *e, int v, int field, const struct variadic_args *a, bool *is, bool *seen)
{
    int n = a->templates.kind == TERM_LIST ? a->templates.n : 0, first;

    if (a->first.kind == TERM_LIST && a->first.n != n) {
        elab_fail(e, a->first.line, a->first.col, "first has %d pattern%s for %d template%s", a->first.n,
                  a->first.n == 1 ? "" : "s", n, n == 1 ? "" : "s");
        return false;
    }
    for (int k = 0; k < n; k++) {
        struct term t = e->item.a[a->templates.id + k];
        if (t.kind != TERM_PATTERN)
            return elab_fail(e, t.line, t.col, "a template must be a pattern"), false;
        if (is[t.id])
            return elab_fail(e, t.line, t.col, "the template '%s' is listed twice", name_of(e, t.id)), false;
        is[t.id] = true;
    }
    for (int k = 0; k < n; k++) {
        struct term t = e->item.a[a->templates.id + k], f = t;
        first = -1;
        if (!template_fits(e, field, t, is, seen))
            return false;
        if (a->first.kind == TERM_LIST) {
            f = e->item.a[a->first.id + k];
            if (!first_fits(e, t.id, f, &first) || !first_apart(e, f, first, is, seen))
                return false;
        }
        if (e->template.n >= ELAB_TEMPLATES_MAX)
            return elab_fail(e, t.line, t.col, "the rule has more than %d templates", ELAB_TEMPLATES_MAX), false;
        if (!vec_room(e->rs->mem, &e->template, 1))
            return elab_nomem(e), false;
        e->template.a[e->template.n++] = (struct elab_template){ v, t.id, first, t.line, t.col };
    }
    return true;
}

struct term elab_variadic(struct elab *e, const struct syntax_node *nd)
{
    struct pattern p = elab_blank(PATTERN_VARIADIC, nd->line, nd->col);
    struct variadic_args v;
    struct term out;
    bool *is;

    memset(&v, 0, sizeof v);
    for (int k = 0; k < nd->narg; k++)
        if (!variadic_arg(e, &e->syn->arg.a[nd->arg + k], &v))
            return elab_bad();
    if (!variadic_parts(e, &p, &v))
        return elab_bad();
    out = elab_done(e, p);
    if (out.kind == TERM_BAD)
        return out;
    is = mem_zero(e->rs->mem, 2 * (size_t)e->r->pattern.n, sizeof *is);
    if (!is)
        return elab_nomem(e);
    if (!templates(e, out.id, v.field.id, &v, is, is + e->r->pattern.n))
        out = elab_bad();
    mem_free(is);
    return out;
}

/* src(template, index) */
struct term elab_instance(struct elab *e, int variadic, const struct term *arg, int n, int line, int col)
{
    struct pattern p = elab_blank(PATTERN_INST, line, col);
    bool found = false;

    if (n != 2)
        return elab_fail(e, line, col, "an instance of a Variadic takes 2 arguments (template, index), got %d", n);
    if (arg[0].kind != TERM_PATTERN)
        return elab_fail(e, arg[0].line, arg[0].col, "the first argument of an instance must be a template");
    for (int k = 0; k < e->template.n && !found; k++)
        found = e->template.a[k].variadic == variadic && e->template.a[k].pattern == arg[0].id;
    if (!found)
        return elab_fail(e, arg[0].line, arg[0].col, "'%s' is not a template of this Variadic",
                         name_of(e, arg[0].id));
    if (!elab_expect(e, arg[1], VALUE_INT, "the index"))
        return elab_bad();
    p.index = variadic;
    p.value = arg[1].id;
    p.closed = elab_is_closed(e, p.value);
    return elab_kids(e, &p, arg, 1) ? elab_done(e, p) : elab_bad();
}

struct term elab_packed(struct elab *e, struct term t)
{
    struct term pack;

    if (t.kind != TERM_PATTERN || e->r->pattern.a[t.id].kind != PATTERN_VARIADIC)
        return t;
    for (int k = 0; k + 1 < e->pack.n; k += 2)
        if (e->pack.a[k] == t.id)
            return (struct term){ TERM_PATTERN, e->pack.a[k + 1], 0, t.line, t.col };
    pack = elab_apply(e, -1, &t, 1, t.line, t.col);
    if (pack.kind == TERM_PATTERN &&
        (!ints_push(e->rs->mem, &e->pack, t.id) || !ints_push(e->rs->mem, &e->pack, pack.id)))
        return elab_nomem(e);
    return pack;
}
