/* Applications: operators, leaf patterns, attribute functions, macros. */
#include <string.h>

#include "pattern/elab.h"
#include "tensor/op.h"

/* The evaluated arguments of one application. */
struct args {
    struct { struct term *a; int n, cap; } plain;
    struct { struct pattern_attr *a; int n, cap; } keyword;
};

static void args_free(struct args *g)
{
    mem_free(g->plain.a);
    mem_free(g->keyword.a);
}

static const char *str(const struct elab *e, int id)
{
    return strs_text(e->rs->strs, id);
}

static bool add_keyword(struct elab *e, struct args *g, struct pattern_attr a)
{
    for (int k = 0; k < g->keyword.n; k++)
        if (g->keyword.a[k].label == a.label) {
            elab_fail(e, a.line, a.col, "the attribute '%s' is given twice", str(e, a.label));
            return false;
        }
    if (!vec_room(e->rs->mem, &g->keyword, 1)) {
        elab_nomem(e);
        return false;
    }
    g->keyword.a[g->keyword.n++] = a;
    return true;
}

static bool splat(struct elab *e, struct args *g, struct term t)
{
    if (t.kind == TERM_BAD)
        return false;
    if (t.kind != TERM_ATTRS) {
        elab_fail(e, t.line, t.col, "'**' needs a list of keywords: same_attr(pattern, [name, ..])");
        return false;
    }
    for (int k = 0; k < t.n; k++) {
        struct pattern_attr a = e->keyword.a[t.id + k];
        a.line = t.line;
        a.col = t.col;
        if (!add_keyword(e, g, a))
            return false;
    }
    return true;
}

static bool eval_args(struct elab *e, const struct syntax_node *nd, struct args *g)
{
    for (int k = 0; k < nd->narg; k++) {
        const struct syntax_arg *a = &e->syn->arg.a[nd->arg + k];
        struct term t = elab_expr(e, a->expr);

        if (t.kind == TERM_BAD)
            return false;
        if (a->kind == SYNTAX_ARG_SPLAT) {
            if (!splat(e, g, t))
                return false;
        } else if (a->kind == SYNTAX_ARG_KEYWORD) {
            if (t.kind != TERM_ATTR) {
                elab_fail(e, t.line, t.col, "the value of '%s' must be an attribute value, not a pattern",
                          str(e, a->name));
                return false;
            }
            if (!add_keyword(e, g,
                             (struct pattern_attr){a->name, t.id, elab_is_closed(e, t.id), a->line, a->col}))
                return false;
        } else {
            if (!vec_room(e->rs->mem, &g->plain, 1)) {
                elab_nomem(e);
                return false;
            }
            g->plain.a[g->plain.n++] = t;
        }
    }
    return true;
}

/* The constant an attribute expression is, or NULL. */
static const struct value *literal(const struct elab *e, int expr)
{
    const struct attr_node *nd = &e->r->attrs.node.a[expr];

    return nd->kind == ATTR_CONST ? &e->rs->values->v[nd->a] : NULL;
}

/* An argument as a pattern: a value stands for a constant of the element type of pattern `like`. */
static int lift(struct elab *e, struct term t, int like)
{
    const struct value *v;
    struct pattern p = elab_blank(PATTERN_CONST, t.line, t.col);

    if (t.kind == TERM_PATTERN)
        return t.id;
    if (t.kind != TERM_ATTR)
        return elab_stray(e, t).id;
    v = literal(e, t.id);
    if (e->flags.a[t.id] & ELAB_HAS_ANY) {
        if (e->r->attrs.node.a[t.id].kind != ATTR_ANY)
            return elab_fail(e, t.line, t.col, "'_' has no value: it can only be matched").id;
        p.kind = PATTERN_WILDCARD;
    } else if (v && v->kind == VALUE_NONE) {
        p.kind = PATTERN_NONE;
    } else {
        p.value = t.id;
        p.closed = elab_is_closed(e, t.id);
        p.like = like;
    }
    return elab_pattern(e, p);
}

/* The pattern arguments become a range of rule.kid. */
static bool put_kids(struct elab *e, struct pattern *p, const struct term *arg, int n)
{
    struct ints kid = { NULL, 0, 0 };
    int like = -1;
    bool ok = true;

    for (int k = n - 1; k >= 0; k--)
        if (arg[k].kind == TERM_PATTERN)
            like = arg[k].id;
    for (int k = 0; k < n && ok; k++) {
        int id = lift(e, arg[k], like);
        ok = id >= 0;
        if (ok && !ints_push(e->rs->mem, &kid, id)) {
            elab_nomem(e);
            ok = false;
        }
    }
    p->kid = e->r->kid.n;
    p->nkid = n;
    for (int k = 0; k < n && ok; k++)
        if (!ints_push(e->rs->mem, &e->r->kid, kid.a[k])) {
            elab_nomem(e);
            ok = false;
        }
    ints_free(&kid);
    return ok;
}

static struct term done(struct elab *e, struct pattern p)
{
    int id = elab_pattern(e, p);

    return (struct term){ id < 0 ? TERM_BAD : TERM_PATTERN, id, 0, p.line, p.col };
}

static struct term bad(void)
{
    return (struct term){ TERM_BAD, -1, 0, 0, 0 };
}

struct term elab_apply(struct elab *e, int op, const struct term *arg, int n, int line, int col)
{
    struct pattern p = elab_blank(op < 0 ? PATTERN_TUPLE : PATTERN_CALL, line, col);

    p.op = op;
    return put_kids(e, &p, arg, n) ? done(e, p) : bad();
}

static bool check_arity(struct elab *e, int op, int n, int line, int col)
{
    const struct op_info *info = op_info(op);

    if (n >= info->least && (info->most < 0 || n <= info->most))
        return true;
    if (info->most < 0)
        elab_fail(e, line, col, "%s takes at least %d input%s, got %d", info->name, info->least,
                  info->least == 1 ? "" : "s", n);
    else if (info->least == info->most)
        elab_fail(e, line, col, "%s takes %d input%s, got %d", info->name, info->least,
                  info->least == 1 ? "" : "s", n);
    else
        elab_fail(e, line, col, "%s takes %d to %d inputs, got %d", info->name, info->least, info->most, n);
    return false;
}

static const struct op_attr_info *find_attr(int op, const char *label)
{
    int n;
    const struct op_attr_info *a = op_attrs(op, &n);

    for (int k = 0; k < n; k++)
        if (strcmp(a[k].label, label) == 0)
            return &a[k];
    return NULL;
}

/* A literal of another kind than the attribute's can never match; an integer for a float is one. */
static bool check_literal(struct elab *e, const struct op_attr_info *info, struct pattern_attr *a)
{
    static const int want[] = { VALUE_INT, VALUE_TUPLE, VALUE_FLOAT, VALUE_STR };
    static const char *const word[] = { "an integer", "a tuple of integers", "a float", "a string" };
    const struct value *v = literal(e, a->expr);

    if (!v || v->kind == want[info->kind])
        return true;
    if (info->kind == OP_ATTR_F && v->kind == VALUE_INT) {
        a->expr = elab_const(e, value_float(e->rs->values, (double)v->num), a->line, a->col).id;
        return a->expr >= 0;
    }
    elab_fail(e, a->line, a->col, "the attribute '%s' of %s is %s", info->label, op_info(info->op)->name,
              word[info->kind]);
    return false;
}

/* The keyword attributes become a range of rule.attr. */
static bool put_attrs(struct elab *e, struct pattern *p, const struct args *g)
{
    p->attr = e->r->attr.n;
    p->nattr = g->keyword.n;
    if (!vec_room(e->rs->mem, &e->r->attr, g->keyword.n)) {
        elab_nomem(e);
        return false;
    }
    for (int k = 0; k < g->keyword.n; k++)
        e->r->attr.a[e->r->attr.n++] = g->keyword.a[k];
    return true;
}

static struct term operator_call(struct elab *e, int op, struct args *g, int line, int col)
{
    struct pattern p = elab_blank(PATTERN_CALL, line, col);

    p.op = op;
    if (!check_arity(e, op, g->plain.n, line, col))
        return bad();
    for (int k = 0; k < g->keyword.n; k++) {
        struct pattern_attr *a = &g->keyword.a[k];
        const struct op_attr_info *info = find_attr(op, str(e, a->label));
        if (!info)
            return elab_fail(e, a->line, a->col, "the operator %s has no attribute '%s'", op_info(op)->name,
                             str(e, a->label));
        if (!check_literal(e, info, a))
            return bad();
    }
    if (!put_kids(e, &p, g->plain.a, g->plain.n) || !put_attrs(e, &p, g))
        return bad();
    return done(e, p);
}

static bool count(struct elab *e, const char *name, const struct args *g, int least, int most, int line,
                  int col)
{
    if (g->plain.n >= least && g->plain.n <= most)
        return true;
    if (least == most)
        elab_fail(e, line, col, "%s takes %d argument%s, got %d", name, least, least == 1 ? "" : "s",
                  g->plain.n);
    else
        elab_fail(e, line, col, "%s takes %d to %d arguments, got %d", name, least, most, g->plain.n);
    return false;
}

/* shape= dtype= ndim= stay attributes of the leaf; shared=true is a property of the pattern. */
static bool leaf_keywords(struct elab *e, const char *name, struct args *g, struct pattern *p)
{
    int n = 0;

    for (int k = 0; k < g->keyword.n; k++) {
        struct pattern_attr a = g->keyword.a[k];
        const char *label = str(e, a.label);
        const struct value *v = literal(e, a.expr);

        if (strcmp(label, "shared") == 0) {
            if (!v || v->kind != VALUE_BOOL) {
                elab_fail(e, a.line, a.col, "shared must be true or false");
                return false;
            }
            p->shared = v->num != 0;
            continue;
        }
        if (strcmp(label, "shape") != 0 && strcmp(label, "dtype") != 0 && strcmp(label, "ndim") != 0) {
            elab_fail(e, a.line, a.col, "%s has no attribute '%s': shape, dtype, ndim, shared", name, label);
            return false;
        }
        if (strcmp(label, "dtype") == 0 && v &&
            (v->kind != VALUE_STR ||
             dtype_of_name(str(e, (int)v->num), (size_t)strs_len(e->rs->strs, (int)v->num)) ==
                 DTYPE_UNKNOWN)) {
            elab_fail(e, a.line, a.col, "unknown element type: \"f32\" or \"i64\"");
            return false;
        }
        g->keyword.a[n++] = a;
    }
    g->keyword.n = n;
    return put_attrs(e, p, g);
}

static struct term leaf(struct elab *e, const char *name, struct args *g, int line, int col)
{
    struct pattern p = elab_blank(PATTERN_WILDCARD, line, col);

    if (strcmp(name, "Variable") == 0)
        p.kind = PATTERN_VARIABLE;
    if (strcmp(name, "Const") == 0)
        p.kind = PATTERN_CONST;
    if (!count(e, name, g, 0, p.kind == PATTERN_CONST, line, col))
        return bad();
    if (g->plain.n == 1) {
        struct term t = g->plain.a[0];
        if (t.kind != TERM_ATTR)
            return elab_fail(e, t.line, t.col,
                             "the value of Const must be an attribute value, not a pattern");
        p.value = t.id;
        p.closed = elab_is_closed(e, t.id);
    }
    return leaf_keywords(e, name, g, &p) ? done(e, p) : bad();
}

static struct term optional(struct elab *e, const char *name, struct args *g, int line, int col)
{
    struct pattern p = elab_blank(PATTERN_OPTIONAL, line, col);
    const struct term *t = g->plain.a;

    if (!count(e, name, g, 1, 2, line, col))
        return bad();
    if (t[0].kind != TERM_PATTERN)
        return elab_fail(e, t[0].line, t[0].col, "the first argument of Optional must be a pattern");
    if (e->r->pattern.a[t[0].id].kind == PATTERN_OPTIONAL)
        return elab_fail(e, t[0].line, t[0].col, "Optional of Optional");
    if (g->plain.n == 2) {
        if (!elab_is_value(e, t[1], "the default"))
            return bad();
        p.value = t[1].id;
        p.closed = elab_is_closed(e, t[1].id);
    }
    if (!put_kids(e, &p, t, 1))
        return bad();
    return done(e, p);
}

static struct term function(struct elab *e, const char *name, struct args *g, int line, int col)
{
    static const struct { const char *name; bool unary; int op; } table[] = {
        { "len", true, ATTR_LEN }, { "gather", false, ATTR_GATHER },
        { "min", false, ATTR_MIN }, { "max", false, ATTR_MAX },
    };
    int k = 0;
    struct term t;

    while (strcmp(table[k].name, name) != 0)
        k++;
    if (!count(e, name, g, table[k].unary ? 1 : 2, table[k].unary ? 1 : 2, line, col))
        return bad();
    t = table[k].unary ? elab_unary(e, table[k].op, g->plain.a[0])
                       : elab_binary(e, table[k].op, g->plain.a[0], g->plain.a[1]);
    return t;
}

/* same_attr(p, [l, ..]): the labels are bare names, so the arguments are not evaluated as others are. */
static struct term same_attr(struct elab *e, const struct syntax_node *nd)
{
    const struct syntax_arg *arg = &e->syn->arg.a[nd->arg];
    const struct syntax_node *list;
    struct term t, out = { TERM_ATTRS, e->keyword.n, 0, nd->line, nd->col };

    if (nd->narg != 2 || arg[0].kind != SYNTAX_ARG_PLAIN || arg[1].kind != SYNTAX_ARG_PLAIN ||
        e->syn->node.a[arg[1].expr].kind != SYNTAX_LIST)
        return elab_fail(e, nd->line, nd->col, "expected same_attr(pattern, [name, ..])");
    t = elab_expr(e, arg[0].expr);
    if (t.kind == TERM_ATTR)
        return elab_fail(e, t.line, t.col, "the first argument of same_attr must be a pattern");
    list = &e->syn->node.a[arg[1].expr];
    for (int k = 0; k < list->narg && t.kind == TERM_PATTERN; k++) {
        const struct syntax_node *label = &e->syn->node.a[e->syn->arg.a[list->arg + k].expr];
        struct term a;

        if (label->kind != SYNTAX_NAME)
            return elab_fail(e, label->line, label->col, "expected the name of an attribute");
        a = elab_access(e, t.id, label->name, label->line, label->col);
        if (a.kind == TERM_BAD)
            return a;
        if (!vec_room(e->rs->mem, &e->keyword, 1))
            return elab_nomem(e);
        e->keyword.a[e->keyword.n++] = (struct pattern_attr){ label->name, a.id, false, a.line, a.col };
        out.n++;
    }
    return t.kind == TERM_PATTERN ? out : bad();
}

enum builtin { BUILTIN_NO, BUILTIN_LEAF, BUILTIN_OPTIONAL, BUILTIN_FUNCTION, BUILTIN_SAME, BUILTIN_LATER };

static enum builtin builtin(const char *name)
{
    static const struct { const char *name; enum builtin kind; } table[] = {
        { "Wildcard", BUILTIN_LEAF },   { "Variable", BUILTIN_LEAF },   { "Const", BUILTIN_LEAF },
        { "Optional", BUILTIN_OPTIONAL }, { "len", BUILTIN_FUNCTION },  { "gather", BUILTIN_FUNCTION },
        { "min", BUILTIN_FUNCTION },    { "max", BUILTIN_FUNCTION },    { "same_attr", BUILTIN_SAME },
        { "Variadic", BUILTIN_LATER },  { "Symbol", BUILTIN_LATER },    { "Alt", BUILTIN_LATER },
        { "Match", BUILTIN_LATER },     { "Cond", BUILTIN_LATER },      { "Op", BUILTIN_LATER },
        { "sum", BUILTIN_LATER },       { "prod", BUILTIN_LATER },      { "all", BUILTIN_LATER },
        { "exists", BUILTIN_LATER },    { "concat", BUILTIN_LATER },    { "range", BUILTIN_LATER },
        { "reversed", BUILTIN_LATER },  { "zip", BUILTIN_LATER },       { "layout_remap", BUILTIN_LATER },
    };

    for (size_t k = 0; k < sizeof table / sizeof *table; k++)
        if (strcmp(table[k].name, name) == 0)
            return table[k].kind;
    return BUILTIN_NO;
}

bool elab_reserved(const char *name)
{
    return builtin(name) != BUILTIN_NO || op_find(name, strlen(name)) >= 0;
}

/* Keywords make no sense here. */
static bool no_keywords(struct elab *e, const char *name, const struct args *g)
{
    if (g->keyword.n == 0)
        return true;
    elab_fail(e, g->keyword.a[0].line, g->keyword.a[0].col, "'%s' takes no keyword arguments", name);
    return false;
}

static struct term with_args(struct elab *e, const struct syntax_node *nd, const char *name, int id,
                             struct args *g)
{
    enum builtin b = builtin(name);
    const struct scope_entry *s = elab_find(e, id);

    if (s && s->def < 0)
        return elab_fail(e, nd->line, nd->col,
                         "'%s' is not a macro (instances of variadic patterns are not supported yet)", name);
    if (s)
        return no_keywords(e, name, g) ? elab_expand(e, s, g->plain.a, g->plain.n, nd->line, nd->col) : bad();
    if (b == BUILTIN_LEAF)
        return leaf(e, name, g, nd->line, nd->col);
    if (b == BUILTIN_OPTIONAL)
        return no_keywords(e, name, g) ? optional(e, name, g, nd->line, nd->col) : bad();
    if (b == BUILTIN_FUNCTION)
        return no_keywords(e, name, g) ? function(e, name, g, nd->line, nd->col) : bad();
    return operator_call(e, op_find(name, strlen(name)), g, nd->line, nd->col);
}

struct term elab_call(struct elab *e, const struct syntax_node *nd)
{
    const struct syntax_node *callee = &e->syn->node.a[nd->a];
    struct args g;
    struct term t;
    const char *name;

    if (callee->kind != SYNTAX_NAME)
        return elab_fail(e, nd->line, nd->col,
                         "only operators, built-in functions and macros can be applied");
    name = str(e, callee->name);
    if (!elab_find(e, callee->name)) {
        if (!elab_reserved(name))
            return elab_fail(e, nd->line, nd->col, "unknown operator or macro '%s'", name);
        if (builtin(name) == BUILTIN_LATER)
            return elab_fail(e, nd->line, nd->col, "'%s' is not supported yet", name);
        if (builtin(name) == BUILTIN_SAME)
            return same_attr(e, nd);
    }
    memset(&g, 0, sizeof g);
    t = eval_args(e, nd, &g) ? with_args(e, nd, str(e, callee->name), callee->name, &g) : bad();
    args_free(&g);
    return t;
}
