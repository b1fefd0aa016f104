/* op_kernel_text: what holds for every operator, then the operator's own statements. */
#include "tensor/gen.h"

#include <stdio.h>
#include <string.h>

static enum calque_status (*const rules[OP_COUNT])(struct gen *) = {
#define OP(name, least, most, traits, words) gen_##name,
#include "tensor/ops.def"
};

enum calque_status node_output_type(const struct graph *g, int node, int j, int *dtype,
                                    struct shape *shape)
{
    const struct node *n = &g->node.a[node];
    const struct values *vs = g->values;
    int parts, in;

    *dtype = n->dtype;
    *shape = n->shape;
    if (n->op != OP_Split)
        return j == 0 && node_typed(g, node) ? CALQUE_OK : CALQUE_BAD;
    in = graph_in(g, node, 0);
    parts = graph_attr(g, node, "split");
    if (in < 0 || !node_typed(g, in) || parts < 0 || j < 0 || j >= vs->v[parts].len)
        return CALQUE_BAD;
    *dtype = g->node.a[in].dtype;
    *shape = g->node.a[in].shape;
    shape->dim[graph_attr_int(g, node, "axis", 0)] = vs->v[vs->pool[vs->v[parts].first + j]].num;
    return CALQUE_OK;
}

/* Of two element types the one that holds what the other converts to or from, in one step. */
static int wider(int a, int b)
{
    static const int order[] = {DTYPE_F64, DTYPE_F32, DTYPE_I64, DTYPE_I32};

    for (size_t i = 0; i < sizeof order / sizeof *order; i++)
        if (a == order[i] || b == order[i])
            return order[i];
    return a;
}

int node_computes(const struct graph *g, int node)
{
    const struct node *n = &g->node.a[node];
    struct shape shape;
    int dtype = n->dtype;

    switch (n->op) {
    case OP_Cast:
        dtype = wider(dtype, g->node.a[graph_in(g, node, 0)].dtype);
        break;
    case OP_Equal: case OP_Less: case OP_Greater: case OP_LessOrEqual: case OP_GreaterOrEqual:
        dtype = g->node.a[graph_in(g, node, 0)].dtype;
        break;
    default:
        node_output_type(g, node, 0, &dtype, &shape);
    }
    return dtype == DTYPE_BOOL || dtype_is_byte(dtype) ? DTYPE_I32 : dtype;
}

/* May input k be stored in another type than the kernel computes on? Booleans may where truth values are computed on, i8 and u8
   where the result is of their type or a truth value. */
static bool converts(const struct graph *g, int node, int k, int own, int computes)
{
    const struct node *n = &g->node.a[node];
    struct shape shape;
    int dtype;

    if (n->op == OP_Cast || (n->op == OP_Where && k == 0))
        return true;
    return computes == DTYPE_I32 && node_output_type(g, node, 0, &dtype, &shape) == CALQUE_OK &&
           (own == DTYPE_BOOL ? dtype == DTYPE_BOOL : dtype_is_byte(own) && (dtype == own || dtype == DTYPE_BOOL));
}

/* Does the kernel read the values of input k? */
static bool reads(int op, int k)
{
    return op_needs(op, k) && !(op == OP_Gather && k == 1);
}

/* Is the node complete (op_infer has been here) and of types that kernels have? */
static enum calque_status check(struct gen *x)
{
    const struct graph *g = x->g;
    const struct node *n = &g->node.a[x->node];
    const struct op_attr_info *table;
    enum kernel_type type;
    int count;

    if (n->kind != NODE_OP || !op_info(n->op) || n->op == OP_Opaque)
        return gen_bad(x, "no kernel");
    for (int k = 0; k < n->nin; k++)
        if (gen_has(x, k) && !node_typed(g, graph_in(g, x->node, k)))
            return gen_bad(x, "the type of input %d is unknown", k);
    table = op_attrs(n->op, &count);
    for (int k = 0; k < count; k++)
        if (graph_attr(g, x->node, table[k].label) < 0)
            return gen_bad(x, "attribute %s is missing", table[k].label);
    if (node_output_type(g, x->node, 0, &x->dtype, &x->out))
        return gen_bad(x, "its type is unknown");
    if (dtype_elem(x->dtype) == ELEM_OWN)
        return gen_bad(x, "element type %s: no kernel", dtype_name(x->dtype));
    x->stored = x->dtype;
    x->dtype = node_computes(g, x->node);
    if (!dtype_kernel(x->dtype, &type))
        return gen_bad(x, "element type %s: no kernel", dtype_name(x->dtype));
    for (int k = 0; k < n->nin; k++) {
        int own = gen_has(x, k) ? g->node.a[graph_in(g, x->node, k)].dtype : x->dtype;
        if (reads(n->op, k) && own != x->dtype && (dtype_elem(own) == ELEM_OWN || !converts(g, x->node, k, own, x->dtype)))
            return gen_bad(x, "element types %s and %s: no kernel", dtype_name(own),
                           dtype_name(x->dtype));
    }
    x->nin = n->nin;
    while (x->nin > 0 && !gen_has(x, x->nin - 1))
        x->nin--;
    return CALQUE_OK;
}

enum calque_status op_kernel_text(const struct graph *g, int node, struct text *out, struct diag *d)
{
    struct gen x = {.g = g, .node = node, .t = out, .d = d};
    enum calque_status s = check(&x);

    if (!s && (shape_elems(&x.out) != 0 || g->node.a[node].op == OP_Split))
        s = rules[g->node.a[node].op](&x);
    return s ? s : text_status(out, d);
}

enum calque_status kernel_of_text(const struct graph *g, int node, const struct text *text,
                                  struct kernel *k, struct diag *d)
{
    struct ints names = {NULL, 0, 0};
    enum calque_status s = CALQUE_OK;
    struct diag why = {.status = CALQUE_OK};
    enum kernel_type type;
    int dtype;
    struct shape shape;

    dtype_kernel(node_computes(g, node), &type);
    kernel_init(k, g->mem, g->strs, type);
    for (int j = 0; j < node_outputs(g, node) && !s; j++) {
        char name[16];
        int id;
        if (node_output_type(g, node, j, &dtype, &shape) || shape_elems(&shape) == 0)
            continue;
        snprintf(name, sizeof name, "Y%d", j);
        id = strs_addz(g->strs, name);
        if (id < 0 || !ints_push(g->mem, &names, id))
            s = diag_nomem(d);
    }
    if (!s && text->n > 0) {
        s = kernel_parse(k, "kernel", text->a, (size_t)text->n, names.a, names.n, &why);
        if (s == CALQUE_NOMEM)
            diag_nomem(d);
        else if (s)
            s = node_error(g, node, d, s == CALQUE_LIMIT ? s : CALQUE_INTERNAL, "%s (line %d, column %d of its kernel)",
                           why.text, why.line, why.col);
    }
    ints_free(&names);
    return s;
}

enum calque_status op_kernel(const struct graph *g, int node, struct kernel *k, struct diag *d)
{
    struct text text;
    enum calque_status s;

    text_init(&text, g->mem);
    kernel_init(k, g->mem, g->strs, KERNEL_F32);
    s = op_kernel_text(g, node, &text, d);
    if (!s)
        s = kernel_of_text(g, node, &text, k, d);
    text_free(&text);
    return s;
}
