/* A whole graph as one kernel: the operators' kernels one after the other over one tensor table. */
#include "tensor/op_internal.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct builder {
    const struct graph *g;
    struct kernel *k;
    int *value;   /* by node: its tensor, or -1 */
    char *needed; /* by node */
    struct diag *d;
};

/* A tensor named after the value and stored as `as` is: letters, digits and _ of its name, with a number where that is taken. */
static int add_tensor(struct builder *b, const char *name, int role, const struct kernel_tensor *as, int rank, const long *dim)
{
    static const long one[] = {1};
    char text[128], numbered[160];
    int id, n = 0;

    if (!isalpha((unsigned char)name[0]) && name[0] != '_')
        text[n++] = 'v';
    for (; *name && n < 120; name++)
        text[n++] = isalnum((unsigned char)*name) || *name == '_' ? *name : '_';
    text[n] = '\0';
    id = strs_addz(b->k->strs, text);
    for (int i = 1; id >= 0 && kernel_find_tensor(b->k, id) >= 0; i++) {
        snprintf(numbered, sizeof numbered, "%s_%d", text, i);
        id = strs_addz(b->k->strs, numbered);
    }
    if (id >= 0)
        id = rank == 0 ? kernel_add_tensor(b->k, id, role, 1, one) : kernel_add_tensor(b->k, id, role, rank, dim);
    if (id >= 0)
        b->k->tensor.a[id].elem = as->elem;
    return id;
}

/* The index of old dimension i where the row-major position is flat. */
static int old_index(struct kernel *k, int flat, const struct kernel_tensor *x, int i)
{
    long stride = 1;

    for (int j = i + 1; j < x->rank; j++)
        stride *= x->dim[j];
    if (stride > 1)
        flat = flat < 0 ? -1 : kernel_ix(k, (struct ix){IX_DIV, flat, 0, stride});
    return i == 0 || flat < 0 ? flat : kernel_ix(k, (struct ix){IX_MOD, flat, 0, x->dim[i]});
}

/* The row-major position of the variables 0..rank-1. */
static int position(struct kernel *k, const struct kernel_tensor *x)
{
    int r = -1;

    for (int i = 0; i < x->rank; i++) {
        int v = kernel_ix(k, (struct ix){IX_VAR, 0, 0, i});
        if (v < 0)
            return -1;
        if (r >= 0 && (r = kernel_ix(k, (struct ix){IX_MUL, r, 0, x->dim[i]})) < 0)
            return -1;
        r = i == 0 ? v : kernel_ix(k, (struct ix){IX_ADD, r, v, 0});
        if (r < 0)
            return -1;
    }
    return r;
}

/* A statement that stores tensor t, element by element, in another shape. */
static int reshaped(struct builder *b, int t, const struct kernel_tensor *as)
{
    struct kernel *k = b->k;
    struct kernel_tensor x = k->tensor.a[t];
    struct kernel_stmt s = {.var = k->var.n, .nvar = as->rank};
    struct ex e = {.kind = EX_LOAD, .op = t, .a = -1, .b = -1, .n = x.rank};
    int ix[KERNEL_RANK_MAX], flat = position(k, as);

    for (int i = 0; i < x.rank; i++)
        if ((ix[i] = old_index(k, flat, &x, i)) < 0)
            return -1;
    e.first = k->pool.n;
    for (int i = 0; i < x.rank; i++)
        if (!ints_push(k->mem, &k->pool, ix[i]))
            return -1;
    for (int i = 0; i < as->rank; i++) {
        char name[16];
        int id;
        snprintf(name, sizeof name, "i%d", i);
        id = strs_addz(k->strs, name);
        if (id < 0 || !vec_room(k->mem, &k->var, 1))
            return -1;
        k->var.a[k->var.n++] = (struct kernel_var){id, as->dim[i]};
    }
    s.out = add_tensor(b, strs_text(k->strs, x.name), KERNEL_TEMP, as, as->rank, as->dim);
    s.body = kernel_ex(k, e);
    if (s.out < 0 || s.body < 0 || !vec_room(k->mem, &k->stmt, 1))
        return -1;
    k->stmt.a[k->stmt.n++] = s;
    return s.out;
}

/* The node whose value a field of a tuple is. */
static int source(const struct graph *g, int node)
{
    while (g->node.a[node].kind == NODE_PROJ && g->node.a[graph_in(g, node, 0)].kind == NODE_TUPLE)
        node = graph_in(g, graph_in(g, node, 0), g->node.a[node].index);
    return node;
}

/* The tensor of a node's value, added at its first use; in the shape a kernel wants. */
static enum calque_status operand(struct builder *b, int node, const struct kernel_tensor *as, int *t)
{
    const struct node *x = &b->g->node.a[node = source(b->g, node)];
    const struct kernel_tensor *y;
    char name[32];

    if (b->value[node] < 0) {
        if (x->kind != NODE_INPUT && x->kind != NODE_CONST)
            return node_error(b->g, node, b->d, CALQUE_INTERNAL, "a value without kernel");
        snprintf(name, sizeof name, "c%d", node);
        b->value[node] = add_tensor(b, graph_name(b->g, node)[0] ? graph_name(b->g, node) : name, KERNEL_IN,
                                    as, x->shape.rank, x->shape.dim);
        if (b->value[node] < 0)
            return diag_nomem(b->d);
    }
    *t = b->value[node];
    y = &b->k->tensor.a[*t];
    if (y->rank != as->rank || memcmp(y->dim, as->dim, (size_t)as->rank * sizeof *as->dim) != 0)
        *t = reshaped(b, *t, as);
    return *t < 0 ? diag_nomem(b->d) : CALQUE_OK;
}

/* The needed node that output j of the operator is read through; -1 if none. */
static int result_node(const struct builder *b, int node, int j)
{
    const struct graph *g = b->g;

    if (!graph_multi(g, node))
        return node;
    for (int i = node + 1; i < g->node.n; i++)
        if (g->node.a[i].kind == NODE_PROJ && b->needed[i] && graph_in(g, i, 0) == node && g->node.a[i].index == j)
            return i;
    return -1;
}

static enum calque_status map_tensor(struct builder *b, int node, const struct kernel_tensor *x, int *to)
{
    const struct graph *g = b->g;
    const char *formal = strs_text(g->strs, x->name), *name;
    int j = atoi(formal + 1), y;
    char text[32];

    if (formal[0] == 'X')
        return operand(b, graph_in(g, node, j), x, to);
    y = formal[0] == 'Y' ? result_node(b, node, j) : -1;
    snprintf(text, sizeof text, "t%d", node);
    name = y >= 0 && graph_name(g, y)[0] ? graph_name(g, y) : text;
    *to = add_tensor(b, name, KERNEL_TEMP, x, x->rank, x->dim);
    if (*to < 0)
        return diag_nomem(b->d);
    if (y >= 0)
        b->value[y] = *to;
    return CALQUE_OK;
}

static enum calque_status add_operator(struct builder *b, int node)
{
    struct kernel x;
    enum calque_status st = op_kernel(b->g, node, &x, b->d);
    int *map = mem_zero(b->g->mem, (size_t)x.tensor.n, sizeof *map);

    if (st == CALQUE_OK && !map)
        st = diag_nomem(b->d);
    if (st == CALQUE_OK && x.type != b->k->type)
        st = node_error(b->g, node, b->d, CALQUE_BAD, "it computes in another element type");
    for (int t = 0; t < x.tensor.n && st == CALQUE_OK; t++)
        st = map_tensor(b, node, &x.tensor.a[t], &map[t]);
    if (st == CALQUE_OK)
        st = kernel_append(b->k, &x, map, b->d);
    mem_free(map);
    kernel_free(&x);
    return st;
}

/* Projections of the same output share the tensor. */
static void share_projections(struct builder *b)
{
    const struct graph *g = b->g;

    for (int i = 0; i < g->node.n; i++)
        if (b->needed[i] && g->node.a[i].kind == NODE_PROJ && b->value[i] < 0) {
            int first = result_node(b, graph_in(g, i, 0), g->node.a[i].index);
            b->value[i] = first >= 0 ? b->value[first] : -1;
        }
}

static enum calque_status build(struct builder *b)
{
    const struct graph *g = b->g;
    enum calque_status st = CALQUE_OK;

    for (int i = 0; i < g->output.n; i++)
        b->needed[g->output.a[i].node] = 1;
    for (int i = g->node.n - 1; i >= 0; i--)
        for (int j = 0; j < g->node.a[i].nin && b->needed[i]; j++)
            if (graph_in(g, i, j) >= 0 && (g->node.a[i].kind != NODE_OP || op_needs(g->node.a[i].op, j)))
                b->needed[graph_in(g, i, j)] = 1;
    for (int i = 0; i < g->node.n && st == CALQUE_OK; i++) {
        if (!b->needed[i])
            continue;
        share_projections(b);
        if (g->node.a[i].kind == NODE_OP)
            st = add_operator(b, i);
    }
    share_projections(b);
    for (int i = 0; i < g->output.n && st == CALQUE_OK; i++) {
        int t = b->value[source(g, g->output.a[i].node)];
        if (t < 0 || b->k->tensor.a[t].role == KERNEL_IN)
            return node_error(g, g->output.a[i].node, b->d, CALQUE_BAD, "an output that no operator computes");
        b->k->tensor.a[t].role = KERNEL_OUT;
    }
    return st;
}

enum calque_status graph_kernel(const struct graph *g, enum kernel_type type, struct kernel *k, int *value,
                                struct diag *d)
{
    struct builder b = {.g = g, .k = k, .value = value, .d = d};
    enum calque_status st;

    kernel_init(k, g->mem, g->strs, type);
    for (int i = 0; i < g->node.n; i++)
        value[i] = -1;
    b.needed = mem_zero(g->mem, (size_t)g->node.n, 1);
    st = b.needed ? build(&b) : diag_nomem(d);
    mem_free(b.needed);
    return st == CALQUE_OK ? kernel_check(k, d) : st;
}
