/* Drawn applications as nodes, and parts of requests to calque-oracle about them. */
#ifndef CALQUE_TESTS_TENSOR_APPLY_H
#define CALQUE_TESTS_TENSOR_APPLY_H

#include "draw.h"

static inline void put_shape(struct text *t, const struct shape *s)
{
    text_puts(t, "(");
    for (int i = 0; i < s->rank; i++)
        text_printf(t, i ? " %ld" : "%ld", s->dim[i]);
    text_puts(t, ")");
}

/* ((LABEL VALUE) ..) */
static inline void put_attrs(struct text *t, const struct bench *b, int node)
{
    const struct node *n = &b->g.node.a[node];

    text_puts(t, "(");
    for (int i = 0; i < n->nattr; i++) {
        struct node_attr a = b->g.attr.a[n->attr + i];
        text_printf(t, i ? " (%s " : "(%s ", strs_text(&b->strs, a.label));
        value_print(t, &b->values, &b->strs, a.value);
        text_puts(t, ")");
    }
    text_puts(t, ")");
}

/* Indices of a Gather: random, a run, or all the same; some count from the end. */
static inline int draw_indices(struct draw *r, struct bench *b, int x, int where)
{
    const struct shape *s = &b->g.node.a[where].shape;
    long axis = strtol(strstr(r->attrs, "axis=") + 5, NULL, 10), size = b->g.node.a[x].shape.dim[axis];
    long kind = pick(r, 0, 3), step = pick(r, -1, 1), first = pick(r, 0, size - 1);
    struct tensor t;

    if (tensor_new(&b->mem, DTYPE_I64, s, &t, &b->d))
        return -1;
    for (long i = 0; i < shape_elems(s); i++) {
        long v = kind > 1 ? first + i * step : pick(r, 0, size - 1);
        v = v < 0 || v >= size ? first : v;
        tensor_i64(&t)[i] = pick(r, 0, 4) ? v : v - size;
    }
    return graph_const(&b->g, -1, &t);
}

/* The drawn application as a node over inputs, not inferred; -1 when memory is out. */
static inline int draw_node(struct draw *r, struct bench *b, int op)
{
    int in[BENCH_INPUTS], nin = inputs_parse(b, r->in, in), nout = 1;
    const char *parts = strstr(r->attrs, "split=");

    for (const char *c = parts; op == OP_Split && *c && *c != ' '; c++)
        nout += *c == ',';
    if (op == OP_Gather)
        in[1] = draw_indices(r, b, in[0], in[1]);
    return nin < 0 ? -1 : bench_op(b, op, r->attrs, op == OP_Split ? nout - 1 : 1, in, nin);
}

#endif
