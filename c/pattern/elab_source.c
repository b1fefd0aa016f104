/* What the source of a rule says otherwise than the nodes have it: axes counted from the end, and `_` in conditions.

   A node has its axes from the front, so -1 becomes `rank - 1`, with the rank of the tensor whose axes they are: the
   node's own, or its first input's. */
#include "pattern/elab_internal.h"
#include "tensor/op.h"

#include <stdlib.h>
#include <string.h>

/* The pattern whose dimensions the axes of call p are, or -1. */
static int axes_of(const struct elab *e, int p)
{
    const struct pattern *q = &e->r->pattern.a[p];
    int kid;

    switch (q->op) {
    case OP_Softmax:
    case OP_Concat:
    case OP_LayerNormalization:
    case OP_Unsqueeze:
        return p;
    default:
        kid = q->nkid > 0 ? e->r->kid.a[q->kid] : -1;
        return kid >= 0 && elab_has_label(e, kid, "ndim") && e->r->pattern.a[kid].kind != PATTERN_INST ? kid : -1;
    }
}

/* The literal k of attribute a, counted from the end: rank + k. */
static struct term from_end(struct elab *e, int of, int ndim, long k, const struct pattern_attr *a)
{
    struct term rank = elab_access(e, of, ndim, a->line, a->col), back;

    if (rank.kind == TERM_BAD)
        return rank;
    back = elab_const(e, value_int(e->rs->values, k), a->line, a->col);
    return back.kind == TERM_BAD ? back : elab_binary(e, ATTR_ADD, rank, back);
}

/* In the order that they have from the front. */
static int by_place(const void *a, const void *b)
{
    const long *x = a, *y = b;

    if ((*x < 0) != (*y < 0))
        return *x < 0 ? 1 : -1;
    return (*x > *y) - (*x < *y);
}

/* The literal integers of a tuple expression; false: it has other elements, or none is negative. */
static bool negative_list(const struct elab *e, int expr, long *k, int *n)
{
    const struct attr_node *nd = &e->r->attrs.node.a[expr];
    bool any = false;

    if (nd->kind != ATTR_TUPLE || nd->b > RANK_MAX)
        return false;
    *n = nd->b;
    for (int j = 0; j < nd->b; j++) {
        const struct value *v = elab_literal(e, e->r->attrs.kid.a[nd->a + j]);
        if (!v || v->kind != VALUE_INT)
            return false;
        k[j] = v->num;
        any = any || v->num < 0;
    }
    return any;
}

static bool put(struct pattern_attr *a, struct term t)
{
    if (t.kind == TERM_BAD)
        return false;
    a->expr = t.id;
    a->closed = false;
    return true;
}

static bool list(struct elab *e, int of, int ndim, struct pattern_attr *a)
{
    long k[RANK_MAX];
    struct term t[RANK_MAX];
    int n;

    if (!negative_list(e, a->expr, k, &n))
        return true;
    qsort(k, (size_t)n, sizeof *k, by_place);
    for (int j = 0; j < n; j++) {
        t[j] = k[j] < 0 ? from_end(e, of, ndim, k[j], a) : elab_const(e, value_int(e->rs->values, k[j]), a->line, a->col);
        if (t[j].kind == TERM_BAD)
            return false;
    }
    return put(a, elab_tuple(e, t, n, a->line, a->col));
}

static bool axes_of_rule(struct elab *e, const bool *in_source)
{
    int axis = strs_addz(e->rs->strs, "axis"), axes = strs_addz(e->rs->strs, "axes"), ndim = strs_addz(e->rs->strs, "ndim");

    if (axis < 0 || axes < 0 || ndim < 0)
        return elab_nomem(e), false;
    for (int p = 0; p < e->r->pattern.n; p++) {
        const struct pattern q = e->r->pattern.a[p];
        int of = q.kind == PATTERN_CALL && q.op >= 0 && in_source[p] ? axes_of(e, p) : -1;

        for (int k = q.attr; of >= 0 && k < q.attr + q.nattr; k++) {
            struct pattern_attr *a = &e->r->attr.a[k];
            const struct value *v = elab_literal(e, a->expr);
            if (a->label == axis && v && v->kind == VALUE_INT && v->num < 0) {
                if (!put(a, from_end(e, of, ndim, v->num, a)))
                    return false;
            } else if (a->label == axes && !list(e, of, ndim, a)) {
                return false;
            }
        }
    }
    return true;
}

/* The patterns below the sources; false: no memory. */
static bool *below_sources(struct elab *e)
{
    const struct rule *r = e->r;
    bool *mark = mem_zero(e->rs->mem, (size_t)r->pattern.n + 1, sizeof *mark);

    for (int k = 0; mark && k < r->source.n; k++)
        mark[r->source.a[k]] = true;
    for (int p = r->pattern.n - 1; mark && p >= 0; p--) {
        const struct pattern *q = &r->pattern.a[p];
        if (!mark[p])
            continue;
        for (int k = 0; k < q->nkid && q->kind != PATTERN_OP && q->kind != PATTERN_INST; k++)
            mark[r->kid.a[q->kid + k]] = true;
        for (int k = 0; k < e->template.n; k++)
            if (e->template.a[k].variadic == p && e->template.a[k].first >= 0)
                mark[e->template.a[k].first] = true;
    }
    if (!mark)
        elab_nomem(e);
    return mark;
}

bool elab_axes(struct elab *e)
{
    bool *in_source = below_sources(e), ok = in_source && axes_of_rule(e, in_source);

    mem_free(in_source);
    return ok;
}

/* `_` inside a Cond or Match: those are evaluated, where `_` has no value, so it becomes the attribute that is
   matched, or the component of it at that place. */

bool elab_is_plain(struct elab *e, struct term t)
{
    if (t.kind == TERM_ATTR && (e->note.a[t.id].flags & ELAB_ANY_CHOSEN))
        elab_fail(e, t.line, t.col, "'_' cannot be part of a Cond or Match here");
    return e->status == CALQUE_OK;
}

static struct term at(const struct elab *e, int expr)
{
    return (struct term){ TERM_ATTR, expr, 0, e->note.a[expr].line, e->note.a[expr].col };
}

static struct term own(struct elab *e, int expr, struct term self);

/* The children of a node, each with its own part of self (tuple), or self (Match). */
static struct term own_kids(struct elab *e, int expr, struct term self)
{
    struct attr_node nd = e->r->attrs.node.a[expr];
    struct term *t = mem_zero(e->rs->mem, (size_t)nd.b + 1, sizeof *t), out = elab_bad();
    bool ok = t != NULL;

    if (!t)
        return elab_nomem(e);
    for (int k = 0; k < nd.b && ok; k++) {
        int kid = e->r->attrs.kid.a[nd.a + k];
        struct term part = self;
        if (!(e->note.a[kid].flags & ELAB_HAS_ANY)) {
            t[k] = at(e, kid);
            continue;
        }
        if (nd.kind == ATTR_TUPLE) {
            struct term ix = elab_const(e, value_int(e->rs->values, k), self.line, self.col);
            part = ix.kind == TERM_BAD ? ix : elab_project(e, self, ix);
        }
        t[k] = part.kind == TERM_BAD ? part : own(e, kid, part);
        ok = t[k].kind != TERM_BAD;
    }
    if (ok && nd.kind == ATTR_TUPLE)
        out = elab_tuple(e, t, nd.b, self.line, self.col);
    else if (ok && nd.kind == ATTR_COND)
        out = elab_if(e, t[0], t[1], t[2], self.line, self.col);
    else if (ok)
        out = elab_choice(e, nd.op, t, nd.b, self.line, self.col);
    mem_free(t);
    return out;
}

/* [a for s in range(n)]: n is the length of self if it is `_`. */
static struct term own_var(struct elab *e, int expr, struct term self)
{
    struct attr_node nd = e->r->attrs.node.a[expr];
    struct term symbol = elab_symbol(e, true, VALUE_INT, self.line, self.col), n = at(e, nd.a), body, part;

    if (symbol.kind == TERM_BAD)
        return symbol;
    e->r->attrs.node.a[symbol.id].op = nd.op; /* the same symbol once more */
    if (e->note.a[nd.a].flags & ELAB_HAS_ANY)
        n = elab_unary(e, ATTR_LEN, self);
    part = elab_project(e, self, symbol);
    if (n.kind == TERM_BAD || part.kind == TERM_BAD)
        return elab_bad();
    body = own(e, nd.b, part);
    return body.kind == TERM_BAD ? body : elab_var(e, symbol, n, body);
}

/* Recursion is bounded by ATTR_DEPTH_MAX. */
static struct term own(struct elab *e, int expr, struct term self)
{
    struct term bad;

    if (++e->steps > ELAB_STEPS_MAX)
        return elab_fail(e, self.line, self.col, "the rule is too large once its macros are expanded");
    if (!(e->note.a[expr].flags & ELAB_HAS_ANY))
        return at(e, expr);
    switch (e->r->attrs.node.a[expr].kind) {
    case ATTR_ANY:
        return self;
    case ATTR_TUPLE:
    case ATTR_COND:
    case ATTR_MATCH:
        return own_kids(e, expr, self);
    case ATTR_VAR:
        return own_var(e, expr, self);
    default:
        bad = at(e, expr);
        return elab_fail(e, bad.line, bad.col, "'_' has no value: it can only be matched");
    }
}

struct term elab_own(struct elab *e, struct term t, int pattern, int label)
{
    struct term self;

    if (t.kind != TERM_ATTR || !(e->note.a[t.id].flags & ELAB_ANY_CHOSEN))
        return t;
    self = elab_self(e, pattern, label, t.line, t.col);
    return self.kind == TERM_BAD ? self : own(e, t.id, self);
}
