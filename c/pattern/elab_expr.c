/* Expressions: what their parts are decides whether they are patterns or attribute values. */
#include <string.h>

#include "pattern/elab_internal.h"
#include "tensor/op.h"

static const char *str(const struct elab *e, int id)
{
    return strs_text(e->rs->strs, id);
}

static struct term name_term(struct elab *e, const struct syntax_node *nd)
{
    const struct scope_entry *s = elab_find(e, nd->name);
    struct term t;

    if (!s && elab_reserved(str(e, nd->name)))
        return elab_fail(e, nd->line, nd->col, "'%s' must be applied to arguments", str(e, nd->name));
    if (!s)
        return elab_fail(e, nd->line, nd->col, "undefined name '%s'", str(e, nd->name));
    if (s->def >= 0)
        return elab_fail(e, nd->line, nd->col, "the macro '%s' must be applied to arguments",
                         str(e, nd->name));
    t = s->term;
    t.line = nd->line;
    t.col = nd->col;
    return t;
}

/* -1 and -0.5 are literals, so that they have their values' kinds. */
static struct term negative(struct elab *e, const struct syntax_node *nd)
{
    const struct syntax_node *a = &e->syn->node.a[nd->a];
    struct values *vs = e->rs->values;
    struct term t;

    if (a->kind == SYNTAX_INT)
        return elab_const(e, value_int(vs, -a->num), nd->line, nd->col);
    if (a->kind == SYNTAX_FLOAT)
        return elab_const(e, value_float(vs, -a->real), nd->line, nd->col);
    t = elab_expr(e, nd->a);
    if (t.kind == TERM_PATTERN)
        return elab_apply(e, OP_Neg, &t, 1, nd->line, nd->col);
    return t.kind == TERM_BAD ? t : elab_unary(e, ATTR_NEG, t);
}

static const struct { int syntax, attr, op; } infix[] = {
    { SYNTAX_ADD, ATTR_ADD, OP_Add },   { SYNTAX_SUB, ATTR_SUB, OP_Sub },
    { SYNTAX_MUL, ATTR_MUL, OP_Mul },   { SYNTAX_DIV, -1, OP_Div },
    { SYNTAX_FLOORDIV, ATTR_FLOORDIV, -1 }, { SYNTAX_MOD, ATTR_MOD, -1 },
    { SYNTAX_EQ, ATTR_EQ, -1 },         { SYNTAX_NE, ATTR_NE, -1 },
    { SYNTAX_LT, ATTR_LT, -1 },         { SYNTAX_LE, ATTR_LE, -1 },
    { SYNTAX_GT, ATTR_GT, -1 },         { SYNTAX_GE, ATTR_GE, -1 },
    { SYNTAX_AND, ATTR_AND, -1 },       { SYNTAX_OR, ATTR_OR, -1 },
};

static struct term binary(struct elab *e, const struct syntax_node *nd)
{
    const char *text = syntax_op_text(nd->op);
    struct term t[2];

    t[0] = elab_expr(e, nd->a);
    t[1] = t[0].kind == TERM_BAD ? t[0] : elab_expr(e, nd->b);
    if (t[1].kind == TERM_BAD)
        return t[1];
    if (nd->op == SYNTAX_IN && t[0].kind == TERM_ATTR)
        return elab_func(e, ATTR_IN, t, 2, nd->line, nd->col);
    for (size_t k = 0; k < sizeof infix / sizeof *infix; k++) {
        if (infix[k].syntax != nd->op)
            continue;
        if (t[0].kind == TERM_ATTR && t[1].kind == TERM_ATTR) {
            if (infix[k].attr >= ATTR_EQ && infix[k].attr <= ATTR_GE && !elab_rounded(e, t))
                return elab_bad();
            if (infix[k].attr < 0)
                return elab_fail(e, nd->line, nd->col, "'/' is not defined on attribute values; use '//'");
            return elab_binary(e, infix[k].attr, t[0], t[1]);
        }
        if (infix[k].op < 0)
            break;
        return elab_apply(e, infix[k].op, t, 2, nd->line, nd->col);
    }
    return elab_fail(e, nd->line, nd->col, "'%s' is not defined on patterns, only on attribute values", text);
}

static struct term subscript(struct elab *e, const struct syntax_node *nd)
{
    struct term t = elab_expr(e, nd->a), ix;
    struct pattern p;

    if (t.kind == TERM_BAD)
        return t;
    ix = elab_expr(e, nd->b);
    if (ix.kind == TERM_BAD)
        return ix;
    if (t.kind != TERM_PATTERN)
        return elab_project(e, t, ix);
    if (ix.kind != TERM_ATTR)
        return elab_fail(e, ix.line, ix.col, "the index must be an attribute value, not a pattern");
    t = elab_packed(e, t);
    if (t.kind == TERM_BAD || !elab_is_plain(e, ix))
        return elab_bad();
    p = elab_blank(PATTERN_PROJ, nd->line, nd->col);
    p.value = ix.id;
    p.closed = elab_is_closed(e, ix.id);
    return elab_kids(e, &p, &t, 1) ? elab_done(e, p) : elab_bad();
}

/* t[start:stop:step] */
static struct term slice(struct elab *e, const struct syntax_node *nd)
{
    struct term t[4];

    t[0] = elab_expr(e, nd->a);
    if (t[0].kind == TERM_PATTERN)
        return elab_fail(e, nd->line, nd->col, "a pattern has no slices");
    for (int k = 0; k < 3; k++) {
        int expr = e->syn->arg.a[nd->arg + k].expr;
        t[k + 1] = expr >= 0 ? elab_expr(e, expr)
                             : elab_const(e, value_none(e->rs->values), nd->line, nd->col);
        if (t[k].kind == TERM_BAD)
            return t[k];
    }
    return t[3].kind == TERM_BAD ? t[3] : elab_func(e, ATTR_SLICE, t, 4, nd->line, nd->col);
}

/* The length n if the family runs over range(n), or -1. */
static int range_length(const struct elab *e, int expr)
{
    const struct syntax_node *nd = &e->syn->node.a[expr];
    const struct syntax_node *callee;

    if (nd->kind != SYNTAX_CALL || nd->narg != 1 || e->syn->arg.a[nd->arg].kind != SYNTAX_ARG_PLAIN)
        return -1;
    callee = &e->syn->node.a[nd->a];
    if (callee->kind != SYNTAX_NAME || strcmp(str(e, callee->name), "range") != 0)
        return -1;
    return e->syn->arg.a[nd->arg].expr;
}

/* [a for name in b] */
static struct term family(struct elab *e, const struct syntax_node *nd)
{
    int length = range_length(e, nd->b), outer = e->env;
    struct term over = elab_expr(e, length >= 0 ? length : nd->b), symbol, body;

    if (over.kind == TERM_BAD)
        return over;
    symbol = elab_symbol(e, true, length >= 0 ? VALUE_INT : ELAB_KIND_UNKNOWN, nd->line, nd->col);
    if (symbol.kind == TERM_BAD ||
        !elab_bind(e, (struct scope_entry){ .name = nd->name, .def = -1, .term = symbol, .line = nd->line }))
        return elab_bad();
    body = elab_expr(e, nd->a);
    e->env = outer;
    if (body.kind == TERM_BAD)
        return body;
    return length >= 0 ? elab_var(e, symbol, over, body) : elab_map(e, symbol, over, body);
}

/* The elements' terms, freed by the caller; false after an error. */
static bool elements(struct elab *e, const struct syntax_node *nd, struct term *t, bool *patterns)
{
    *patterns = false;
    for (int k = 0; k < nd->narg; k++) {
        t[k] = elab_expr(e, e->syn->arg.a[nd->arg + k].expr);
        if (t[k].kind == TERM_BAD)
            return false;
        if (t[k].kind == TERM_ATTRS || t[k].kind == TERM_LIST) {
            elab_stray(e, t[k]);
            return false;
        }
        *patterns |= t[k].kind == TERM_PATTERN;
    }
    return true;
}

static struct term list_term(struct elab *e, const struct syntax_node *nd, const struct term *t)
{
    struct term out = { TERM_LIST, e->item.n, nd->narg, nd->line, nd->col };

    if (!vec_room(e->rs->mem, &e->item, nd->narg))
        return elab_nomem(e);
    for (int k = 0; k < nd->narg; k++)
        e->item.a[e->item.n++] = t[k];
    return out;
}

static bool is_family(const struct elab *e, const struct syntax_node *nd)
{
    return nd->kind == SYNTAX_LIST && nd->narg == 1 &&
           e->syn->node.a[e->syn->arg.a[nd->arg].expr].kind == SYNTAX_FOR;
}

/* as_list: [..] of values is a list of terms too. */
static struct term tuple(struct elab *e, const struct syntax_node *nd, bool as_list)
{
    struct term *t, out;
    bool patterns;

    if (is_family(e, nd))
        return elab_expr(e, e->syn->arg.a[nd->arg].expr);
    t = mem_zero(e->rs->mem, (size_t)nd->narg + 1, sizeof *t);
    if (!t)
        return elab_nomem(e);
    if (!elements(e, nd, t, &patterns))
        out = elab_bad();
    else if (as_list || (patterns && nd->kind == SYNTAX_LIST))
        out = list_term(e, nd, t);
    else if (!patterns)
        out = elab_tuple(e, t, nd->narg, nd->line, nd->col);
    else
        out = elab_apply(e, -1, t, nd->narg, nd->line, nd->col);
    mem_free(t);
    return out;
}

struct term elab_list(struct elab *e, int expr, const char *what)
{
    const struct syntax_node *nd = &e->syn->node.a[expr];
    struct term t;

    if (nd->kind == SYNTAX_LIST && !is_family(e, nd))
        return tuple(e, nd, true);
    t = elab_expr(e, expr);
    if (t.kind == TERM_BAD || t.kind == TERM_LIST)
        return t;
    return elab_fail(e, nd->line, nd->col, "%s must be a list [a, b, ..]", what);
}

static struct term access_term(struct elab *e, const struct syntax_node *nd)
{
    struct term t = elab_expr(e, nd->a);

    if (t.kind == TERM_BAD)
        return t;
    if (t.kind != TERM_PATTERN)
        return elab_fail(e, nd->line, nd->col,
                         "only patterns have attributes: '.%s' follows an attribute value", str(e, nd->name));
    return elab_access(e, t.id, nd->name, nd->line, nd->col);
}

static struct term dispatch(struct elab *e, const struct syntax_node *nd)
{
    struct values *vs = e->rs->values;
    struct term t;

    switch (nd->kind) {
    case SYNTAX_INT:
        return elab_const(e, value_int(vs, nd->num), nd->line, nd->col);
    case SYNTAX_FLOAT:
        return elab_const(e, value_float(vs, nd->real), nd->line, nd->col);
    case SYNTAX_STRING:
        return elab_const(e, value_str(vs, nd->name), nd->line, nd->col);
    case SYNTAX_BOOL:
        return elab_const(e, value_bool(vs, nd->num != 0), nd->line, nd->col);
    case SYNTAX_NONE:
        return elab_const(e, value_none(vs), nd->line, nd->col);
    case SYNTAX_ANY:
        return elab_any(e, nd->line, nd->col);
    case SYNTAX_NAME:
        return name_term(e, nd);
    case SYNTAX_TUPLE:
    case SYNTAX_LIST:
        return tuple(e, nd, false);
    case SYNTAX_UNARY:
        if (nd->op == SYNTAX_NEG)
            return negative(e, nd);
        t = elab_expr(e, nd->a);
        return t.kind == TERM_BAD ? t : elab_unary(e, ATTR_NOT, t);
    case SYNTAX_BINARY:
        return binary(e, nd);
    case SYNTAX_ACCESS:
        return access_term(e, nd);
    case SYNTAX_INDEX:
        return subscript(e, nd);
    case SYNTAX_CALL:
        return elab_call(e, nd);
    case SYNTAX_SLICE:
        return slice(e, nd);
    default:
        return family(e, nd);
    }
}

struct term elab_expr(struct elab *e, int expr)
{
    const struct syntax_node *nd = &e->syn->node.a[expr];
    struct term t;

    if (++e->steps > ELAB_STEPS_MAX || e->depth >= ELAB_DEPTH_MAX)
        return elab_fail(e, nd->line, nd->col, "the rule is too large once its macros are expanded");
    e->depth++;
    t = dispatch(e, nd);
    e->depth--;
    if (t.kind != TERM_BAD) {
        t.line = nd->line;
        t.col = nd->col;
    }
    return t;
}
