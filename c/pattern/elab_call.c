/* Applications: operators, leaf patterns, attribute functions, macros. */
#include <string.h>

#include "pattern/elab_internal.h"
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

/* An argument as a pattern: a value stands for a constant of the element type of pattern `like`. */
static int lift(struct elab *e, struct term t, int like)
{
    const struct value *v;
    struct pattern p = elab_blank(PATTERN_CONST, t.line, t.col);

    if (t.kind == TERM_PATTERN)
        return t.id;
    if (t.kind != TERM_ATTR)
        return elab_stray(e, t).id;
    v = elab_literal(e, t.id);
    if (e->note.a[t.id].flags & ELAB_HAS_ANY) {
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

/* Do all operators of the call take any number of inputs? */
static bool takes_any(const struct elab *e, const struct pattern *p)
{
    const struct pattern *ops;

    if (p->kind != PATTERN_CALL || p->op >= 0)
        return p->kind == PATTERN_TUPLE || (p->kind == PATTERN_CALL && op_info(p->op)->most < 0);
    ops = &e->r->pattern.a[p->opat];
    for (int k = 0; k < ops->nkid; k++)
        if (op_info(e->r->kid.a[ops->kid + k])->most < 0)
            return true;
    return false;
}

static bool several_values(const struct pattern *q)
{
    return q->kind == PATTERN_TUPLE || (q->kind == PATTERN_CALL && q->op >= 0 && (op_info(q->op)->traits & OP_MULTI));
}

/* May the pattern of term t be one of the n children of p? */
static bool fits(struct elab *e, const struct pattern *p, int n, struct term t)
{
    const struct pattern *q = &e->r->pattern.a[t.id];
    const char *text = NULL;

    if (q->kind == PATTERN_OP)
        text = "an operator pattern must be applied to inputs";
    else if (q->kind == PATTERN_VARIADIC && takes_any(e, p))
        text = n > 1 ? "a Variadic must be the only input" : NULL;
    else if (q->kind == PATTERN_VARIADIC)
        text = p->kind == PATTERN_CALL ? "a Variadic must be the input of an operator with any number of inputs"
                                       : "a Variadic cannot stand here: it is any number of patterns";
    else if (p->kind == PATTERN_ALT && (q->kind == PATTERN_OPTIONAL || q->kind == PATTERN_NONE))
        text = "an alternative cannot be absent";
    else if (p->kind == PATTERN_CALL && several_values(q))
        text = "this has several values: take one with [index]";
    if (text)
        elab_fail(e, t.line, t.col, "%s", text);
    return !text;
}

bool elab_kids(struct elab *e, struct pattern *p, const struct term *arg, int n)
{
    struct ints kid = { NULL, 0, 0 };
    int like = -1;
    bool ok = true;

    for (int k = n - 1; k >= 0; k--)
        if (arg[k].kind == TERM_PATTERN)
            like = arg[k].id;
    for (int k = 0; k < n && ok; k++) {
        struct term t = arg[k];
        t.id = lift(e, t, like);
        ok = t.id >= 0 && fits(e, p, n, t);
        if (ok && !ints_push(e->rs->mem, &kid, t.id)) {
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

struct term elab_done(struct elab *e, struct pattern p)
{
    int id = elab_pattern(e, p);

    return (struct term){ id < 0 ? TERM_BAD : TERM_PATTERN, id, 0, p.line, p.col };
}

struct term elab_apply(struct elab *e, int op, const struct term *arg, int n, int line, int col)
{
    struct pattern p = elab_blank(op < 0 ? PATTERN_TUPLE : PATTERN_CALL, line, col);

    p.op = op;
    return elab_kids(e, &p, arg, n) ? elab_done(e, p) : elab_bad();
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

/* A value of another kind than the attribute's can never match; an integer literal for a float is one. Floats of ONNX attributes
   are binary32: a literal is rounded to one. */
static bool check_kind(struct elab *e, const struct op_attr_info *info, struct pattern_attr *a)
{
    static const int want[] = { VALUE_INT, VALUE_TUPLE, VALUE_FLOAT, VALUE_STR };
    static const char *const word[] = { "an integer", "a tuple of integers", "a float", "a string" };
    const struct value *v = elab_literal(e, a->expr);
    int kind = e->note.a[a->expr].kind;

    if (info->kind == OP_ATTR_F && v && (v->kind == VALUE_INT || v->kind == VALUE_FLOAT)) {
        double real = v->kind == VALUE_INT ? (double)v->num : value_real(e->rs->values, e->r->attrs.node.a[a->expr].a);
        a->expr = elab_const(e, value_float(e->rs->values, (double)(float)real), a->line, a->col).id;
        return a->expr >= 0;
    }
    if (kind == ELAB_KIND_UNKNOWN || kind == want[info->kind])
        return true;
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
    for (int k = 0; k < g->keyword.n; k++) {
        struct pattern_attr a = g->keyword.a[k];
        struct term t = { TERM_ATTR, a.expr, 0, a.line, a.col };
        t = elab_own(e, t, e->r->pattern.n, a.label);
        if (t.kind == TERM_BAD)
            return false;
        a.expr = t.id;
        a.closed = elab_is_closed(e, t.id);
        e->r->attr.a[e->r->attr.n++] = a;
    }
    return true;
}

static struct term operator_call(struct elab *e, int op, struct args *g, int line, int col)
{
    struct pattern p = elab_blank(PATTERN_CALL, line, col);

    p.op = op;
    if (!check_arity(e, op, g->plain.n, line, col))
        return elab_bad();
    for (int k = 0; k < g->keyword.n; k++) {
        struct pattern_attr *a = &g->keyword.a[k];
        const struct op_attr_info *info = find_attr(op, str(e, a->label));
        if (!info)
            return elab_fail(e, a->line, a->col, "the operator %s has no attribute '%s'", op_info(op)->name,
                             str(e, a->label));
        if (!check_kind(e, info, a))
            return elab_bad();
    }
    if (!elab_kids(e, &p, g->plain.a, g->plain.n) || !put_attrs(e, &p, g))
        return elab_bad();
    return elab_done(e, p);
}

/* The operator of pattern ops that has the attribute, or -1. */
static int op_with_attr(const struct elab *e, const struct pattern *ops, const char *label)
{
    for (int k = 0; k < ops->nkid; k++)
        if (op_has_attr(e->r->kid.a[ops->kid + k], label))
            return e->r->kid.a[ops->kid + k];
    return -1;
}

/* Can one of the operators have n inputs? */
static bool some_arity(const struct elab *e, const struct pattern *ops, int n)
{
    for (int k = 0; k < ops->nkid; k++) {
        const struct op_info *info = op_info(e->r->kid.a[ops->kid + k]);
        if (n >= info->least && (info->most < 0 || n <= info->most))
            return true;
    }
    return false;
}

/* An application of operator pattern opat. */
static struct term pattern_call(struct elab *e, int opat, struct args *g, int line, int col)
{
    struct pattern p = elab_blank(PATTERN_CALL, line, col), ops = e->r->pattern.a[opat];

    p.opat = opat;
    if (!some_arity(e, &ops, g->plain.n))
        return elab_fail(e, line, col, "no operator of this pattern takes %d input%s", g->plain.n,
                         g->plain.n == 1 ? "" : "s");
    for (int k = 0; k < g->keyword.n; k++) {
        struct pattern_attr *a = &g->keyword.a[k];
        int op = op_with_attr(e, &ops, str(e, a->label));
        if (op < 0)
            return elab_fail(e, a->line, a->col, "no operator of this pattern has an attribute '%s'",
                             str(e, a->label));
        if (!check_kind(e, find_attr(op, str(e, a->label)), a))
            return elab_bad();
    }
    if (!elab_kids(e, &p, g->plain.a, g->plain.n) || !put_attrs(e, &p, g))
        return elab_bad();
    return elab_done(e, p);
}

/* An application of an operator without a meaning here. */
static struct term unknown_call(struct elab *e, struct term f, struct args *g, int line, int col)
{
    struct pattern p = elab_blank(PATTERN_CALL, line, col);
    struct pattern_attr name;

    p.op = OP_Opaque;
    return elab_unknown_attrs(e, g->keyword.a, g->keyword.n) && elab_unknown_name(e, f, &name) && add_keyword(e, g, name) &&
           elab_kids(e, &p, g->plain.a, g->plain.n) && put_attrs(e, &p, g) ? elab_done(e, p) : elab_bad();
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

static bool leaf_kind(struct elab *e, const char *label, const struct pattern_attr *a)
{
    static const struct { const char *label; int kind; const char *word; } table[] = {
        { "shape", VALUE_TUPLE, "a tuple of integers" },
        { "dtype", VALUE_STR, "a string" },
        { "ndim", VALUE_INT, "an integer" },
    };

    for (int k = 0; k < 3; k++)
        if (strcmp(label, table[k].label) == 0 && !elab_may_be(e, a->expr, table[k].kind)) {
            elab_fail(e, a->line, a->col, "%s is %s", label, table[k].word);
            return false;
        }
    return true;
}

/* shape= dtype= ndim= stay attributes of the leaf; shared=true is a property of the pattern. */
static bool leaf_keywords(struct elab *e, const char *name, struct args *g, struct pattern *p)
{
    int n = 0;

    for (int k = 0; k < g->keyword.n; k++) {
        struct pattern_attr a = g->keyword.a[k];
        const char *label = str(e, a.label);
        const struct value *v = elab_literal(e, a.expr);

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
        if (!leaf_kind(e, label, &a))
            return false;
        if (strcmp(label, "dtype") == 0 && v &&
            (v->kind != VALUE_STR ||
             dtype_of_name(str(e, (int)v->num), (size_t)strs_len(e->rs->strs, (int)v->num)) == DTYPE_UNKNOWN)) {
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
        return elab_bad();
    if (g->plain.n == 1) {
        struct term t = g->plain.a[0];
        if (t.kind != TERM_ATTR)
            return elab_fail(e, t.line, t.col,
                             "the value of Const must be an attribute value, not a pattern");
        if (!elab_is_plain(e, t))
            return elab_bad();
        p.value = t.id;
        p.closed = elab_is_closed(e, t.id);
    }
    return leaf_keywords(e, name, g, &p) ? elab_done(e, p) : elab_bad();
}

static struct term optional(struct elab *e, const char *name, struct args *g, int line, int col)
{
    struct pattern p = elab_blank(PATTERN_OPTIONAL, line, col);
    const struct term *t = g->plain.a;

    if (!count(e, name, g, 1, 2, line, col))
        return elab_bad();
    if (t[0].kind != TERM_PATTERN)
        return elab_fail(e, t[0].line, t[0].col, "the first argument of Optional must be a pattern");
    if (e->r->pattern.a[t[0].id].kind == PATTERN_OPTIONAL)
        return elab_fail(e, t[0].line, t[0].col, "Optional of Optional");
    if (g->plain.n == 2) {
        if (!elab_is_value(e, t[1], "the default"))
            return elab_bad();
        p.value = t[1].id;
        p.closed = elab_is_closed(e, t[1].id);
    }
    if (!elab_kids(e, &p, t, 1))
        return elab_bad();
    return elab_done(e, p);
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
    return t.kind == TERM_PATTERN ? out : elab_bad();
}

enum builtin {
    BUILTIN_NO, BUILTIN_LEAF, BUILTIN_OPTIONAL, BUILTIN_ALT, BUILTIN_COND, BUILTIN_SYMBOL, BUILTIN_FUNCTION,
    /* whose arguments are not evaluated as others are: */
    BUILTIN_SAME, BUILTIN_VARIADIC, BUILTIN_MATCH, BUILTIN_OP
};

static enum builtin builtin(const char *name)
{
    static const struct { const char *name; enum builtin kind; } table[] = {
        { "Wildcard", BUILTIN_LEAF },     { "Variable", BUILTIN_LEAF },     { "Const", BUILTIN_LEAF },
        { "Optional", BUILTIN_OPTIONAL }, { "same_attr", BUILTIN_SAME },    { "Variadic", BUILTIN_VARIADIC },
        { "Symbol", BUILTIN_SYMBOL },     { "Alt", BUILTIN_ALT },           { "Match", BUILTIN_MATCH },
        { "Cond", BUILTIN_COND },         { "Op", BUILTIN_OP },
    };

    for (size_t k = 0; k < sizeof table / sizeof *table; k++)
        if (strcmp(table[k].name, name) == 0)
            return table[k].kind;
    return elab_is_function(name) ? BUILTIN_FUNCTION : BUILTIN_NO;
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

static struct term builtin_call(struct elab *e, const struct syntax_node *nd, const char *name, struct args *g)
{
    const struct term *t = g->plain.a;
    enum builtin b = builtin(name);

    if (b == BUILTIN_LEAF)
        return leaf(e, name, g, nd->line, nd->col);
    if (b == BUILTIN_NO)
        return operator_call(e, op_find(name, strlen(name)), g, nd->line, nd->col);
    if (!no_keywords(e, name, g))
        return elab_bad();
    switch (b) {
    case BUILTIN_OPTIONAL: return optional(e, name, g, nd->line, nd->col);
    case BUILTIN_ALT: return elab_alt(e, t, g->plain.n, nd->line, nd->col);
    case BUILTIN_COND: return elab_cond(e, t, g->plain.n, nd->line, nd->col);
    case BUILTIN_SYMBOL:
        return count(e, name, g, 0, 0, nd->line, nd->col) ? elab_symbol(e, false, VALUE_INT, nd->line, nd->col)
                                                          : elab_bad();
    default: return elab_function(e, name, t, g->plain.n, nd->line, nd->col);
    }
}

/* The application of a value: an operator pattern, or an instance of a variadic one. */
static struct term value_call(struct elab *e, const struct syntax_node *nd, struct term f, struct args *g)
{
    int kind = f.kind == TERM_PATTERN ? e->r->pattern.a[f.id].kind : -1;

    if (f.kind == TERM_OPERATOR)
        return unknown_call(e, f, g, nd->line, nd->col);
    if (kind == PATTERN_OP)
        return pattern_call(e, f.id, g, nd->line, nd->col);
    if (kind == PATTERN_VARIADIC)
        return no_keywords(e, "Variadic", g) ? elab_instance(e, f.id, g->plain.a, g->plain.n, nd->line, nd->col)
                                             : elab_bad();
    return elab_fail(e, nd->line, nd->col,
                     "only operators, functions, macros, operator patterns and Variadics can be applied");
}

/* Those whose arguments are read in their own ways. */
static struct term special_call(struct elab *e, const struct syntax_node *nd, enum builtin b)
{
    switch (b) {
    case BUILTIN_SAME: return same_attr(e, nd);
    case BUILTIN_VARIADIC: return elab_variadic(e, nd);
    case BUILTIN_MATCH: return elab_match(e, nd);
    default: return elab_operators(e, nd);
    }
}

struct term elab_call(struct elab *e, const struct syntax_node *nd)
{
    const struct syntax_node *callee = &e->syn->node.a[nd->a];
    const struct scope_entry *s = callee->kind == SYNTAX_NAME ? elab_find(e, callee->name) : NULL;
    const char *name = callee->kind == SYNTAX_NAME ? str(e, callee->name) : "";
    struct term f = { TERM_BAD, -1, 0, nd->line, nd->col }, t = elab_bad();
    struct args g;

    if (callee->kind == SYNTAX_NAME && !s) {
        if (!elab_reserved(name))
            return elab_fail(e, nd->line, nd->col, "unknown operator or macro '%s'", name);
        if (builtin(name) >= BUILTIN_SAME)
            return special_call(e, nd, builtin(name));
    }
    if (callee->kind != SYNTAX_NAME || (s && s->def < 0)) {
        f = elab_expr(e, nd->a);
        if (f.kind == TERM_BAD)
            return f;
    }
    memset(&g, 0, sizeof g);
    if (eval_args(e, nd, &g)) {
        if (f.kind != TERM_BAD)
            t = value_call(e, nd, f, &g);
        else if (!elab_find(e, callee->name))
            t = builtin_call(e, nd, str(e, callee->name), &g);
        else if (no_keywords(e, str(e, callee->name), &g))
            t = elab_expand(e, elab_find(e, callee->name), g.plain.a, g.plain.n, nd->line, nd->col);
    }
    args_free(&g);
    return t;
}
