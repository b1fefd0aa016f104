/* Axes counted from the end, in sources: a node has its axes from the front, so -1 becomes `rank - 1`, with the rank of the
   tensor whose axes they are: the node's own, or its first input's. */
#include <stdlib.h>
#include <string.h>

#include "pattern/elab_internal.h"
#include "tensor/op.h"

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
