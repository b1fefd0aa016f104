/* graph_check: the invariant of graphs (graph.h) and of what they say: numbers in range, inputs before their users,
   attributes as the operator's table has them, names unique, tensors as large as their types. What it accepts the
   other rooms take as given. */
#include <string.h>

#include "graph/graph.h"
#include "tensor/op.h"

struct checker {
    const struct graph *g;
    struct diag *d;
    int node; /* the node under check, or -1 */
};

#define FAIL(c, what) return fail((c), (what))

static enum calque_status fail(const struct checker *c, const char *what)
{
    if (c->node < 0)
        return diag_set(c->d, CALQUE_INTERNAL, "", 0, 0, "graph: %s", what);
    return diag_set(c->d, CALQUE_INTERNAL, "", 0, 0, "graph: node %d '%.200s': %s", c->node,
                    graph_name(c->g, c->node), what);
}

static bool is_str(const struct graph *g, int id)
{
    return id >= 0 && id < g->strs->entry.n;
}

static bool is_str_or_none(const struct graph *g, int id)
{
    return id == -1 || is_str(g, id);
}

static bool is_range(int first, int n, int limit)
{
    return first >= 0 && n >= 0 && n <= limit && first <= limit - n;
}

static bool is_shape(const struct shape *s)
{
    if (s->rank < -1 || s->rank > RANK_MAX)
        return false;
    for (int i = 0; i < s->rank; i++)
        if (s->dim[i] < 0)
            return false;
    return true;
}

/* Is this an attribute the operator's table has, of its kind? */
static bool is_op_attr(const struct graph *g, int op, const struct node_attr *a)
{
    const char *label = strs_text(g->strs, a->label);
    const struct op_attr_info *info;
    int n;

    if (op == OP_Opaque)
        return true;
    info = op_attrs(op, &n);
    for (int i = 0; i < n; i++)
        if (strcmp(info[i].label, label) == 0)
            return op_attr_holds(g->values, &g->values->v[a->value], info[i].kind);
    return false;
}

static enum calque_status check_attrs(const struct checker *c, const struct node *n)
{
    const struct graph *g = c->g;

    for (int i = n->attr; i < n->attr + n->nattr; i++) {
        const struct node_attr *a = &g->attr.a[i];
        if (!is_str(g, a->label))
            FAIL(c, "an attribute's label is no string");
        if (a->value < 0 || a->value >= g->values->n)
            FAIL(c, "an attribute's value is out of range");
        if (i > n->attr && strcmp(strs_text(g->strs, a[-1].label), strs_text(g->strs, a->label)) >= 0)
            FAIL(c, "the attributes are not sorted");
        if (!is_op_attr(g, n->op, a))
            FAIL(c, "an attribute is not one of the operator's");
    }
    return CALQUE_OK;
}

static enum calque_status check_op(const struct checker *c, const struct node *n)
{
    const struct graph *g = c->g;
    const struct op_info *info;

    if (n->op < 0 || n->op >= OP_COUNT)
        FAIL(c, "unknown operator");
    info = op_info(n->op);
    if (n->nin < info->least || (info->most >= 0 && n->nin > info->most))
        FAIL(c, "wrong number of inputs");
    for (int k = 0; k < n->nin; k++) {
        int x = g->in.a[n->in + k];
        if (x < 0 && n->op != OP_Opaque && (k < info->least || info->most < 0))
            FAIL(c, "a required input is absent");
        if (x >= 0 && graph_multi(g, x))
            FAIL(c, "an input is a tuple or a multi-output operator");
    }
    if (n->op == OP_Opaque ? n->index < 0 : n->index < 1)
        FAIL(c, "the number of outputs is negative or zero");
    if (n->op != OP_Opaque && n->index != 1 && !(info->traits & OP_MULTI))
        FAIL(c, "several outputs of a single-output operator");
    if (n->op == OP_Opaque ? n->data < 0 || n->data >= g->raw.n : n->data != -1)
        FAIL(c, "its bytes are out of range");
    return check_attrs(c, n);
}

static enum calque_status check_const(const struct checker *c, const struct node *n)
{
    const struct graph *g = c->g;
    const struct tensor *t;
    long elems;

    if (n->data < 0 || n->data >= g->tensor.n)
        FAIL(c, "its tensor is out of range");
    t = &g->tensor.a[n->data];
    if (t->dtype != n->dtype || !shape_equal(&t->shape, &n->shape))
        FAIL(c, "its type is not its tensor's");
    elems = shape_elems(&t->shape);
    if (elems < 0)
        FAIL(c, "its tensor has no valid shape");
    if (dtype_size(t->dtype) > 0 && t->bytes != (size_t)elems * dtype_size(t->dtype))
        FAIL(c, "its tensor has the wrong size");
    if (t->bytes > 0 && !t->data)
        FAIL(c, "its tensor has no data");
    return CALQUE_OK;
}

static enum calque_status check_proj(const struct checker *c, const struct node *n)
{
    const struct graph *g = c->g;
    const struct node *of;

    if (n->nin != 1 || g->in.a[n->in] < 0)
        FAIL(c, "a projection has exactly one input");
    of = &g->node.a[g->in.a[n->in]];
    if (!graph_multi(g, g->in.a[n->in]))
        FAIL(c, "a projection of a single value");
    if (n->index < 0 || n->index >= (of->kind == NODE_TUPLE ? of->nin : of->index))
        FAIL(c, "the projection's index is out of range");
    return CALQUE_OK;
}

static enum calque_status check_kind(const struct checker *c, const struct node *n)
{
    const struct graph *g = c->g;

    if (n->kind != NODE_OP && n->nattr != 0)
        FAIL(c, "attributes on a node that is no operator");
    if (n->kind != NODE_OP && n->kind != NODE_CONST && n->data != -1)
        FAIL(c, "data on a node that has none");
    switch (n->kind) {
    case NODE_INPUT:
    case NODE_CONST:
        if (n->nin != 0)
            FAIL(c, "inputs on a leaf");
        if (n->kind == NODE_INPUT && n->name < 0)
            FAIL(c, "a graph input without a name");
        return n->kind == NODE_INPUT ? CALQUE_OK : check_const(c, n);
    case NODE_OP:
        return check_op(c, n);
    case NODE_PROJ:
        return check_proj(c, n);
    case NODE_TUPLE:
        for (int k = 0; k < n->nin; k++)
            if (g->in.a[n->in + k] < 0 || graph_multi(g, g->in.a[n->in + k]))
                FAIL(c, "a tuple's field is not a single value");
        return CALQUE_OK;
    default:
        FAIL(c, "unknown kind of node");
    }
}

static enum calque_status check_node(const struct checker *c)
{
    const struct graph *g = c->g;
    const struct node *n = &g->node.a[c->node];

    if (!is_str_or_none(g, n->name)) /* before graph_name prints it */
        return diag_set(c->d, CALQUE_INTERNAL, "", 0, 0, "graph: node %d: its name is no string",
                        c->node);
    if (n->name >= 0 && strs_len(g->strs, n->name) == 0)
        FAIL(c, "its name is empty");
    if (!is_str_or_none(g, n->label) || !is_str_or_none(g, n->origin))
        FAIL(c, "its label or origin is no string");
    if (!is_range(n->in, n->nin, g->in.n))
        FAIL(c, "its inputs are out of range");
    if (!is_range(n->attr, n->nattr, g->attr.n))
        FAIL(c, "its attributes are out of range");
    for (int k = 0; k < n->nin; k++)
        if (g->in.a[n->in + k] < -1 || g->in.a[n->in + k] >= c->node)
            FAIL(c, "an input's id is not smaller than the node's");
    if (!is_shape(&n->shape) || n->dtype < 0)
        FAIL(c, "its type is malformed");
    if (n->kind == NODE_OP && n->op >= 0 && n->op < OP_COUNT ? graph_multi(g, c->node)
                                                             : n->kind == NODE_TUPLE)
        if (n->dtype != DTYPE_UNKNOWN || n->shape.rank != -1)
            FAIL(c, "a type on a tuple or multi-output operator");
    return check_kind(c, n);
}

/* owner[s]: the node named s, or -1. No two nodes share a name; an output's name is no other node's. */
static enum calque_status check_names(struct checker *c, int *owner)
{
    const struct graph *g = c->g;

    for (int i = 0; i < g->node.n; i++) {
        int name = g->node.a[i].name;
        c->node = i;
        if (name >= 0 && owner[name] >= 0)
            FAIL(c, "an earlier node has the same name");
        if (name >= 0)
            owner[name] = i;
    }
    for (int i = 0; i < g->output.n; i++) {
        const struct graph_output *o = &g->output.a[i];
        c->node = -1;
        if (o->node < 0 || o->node >= g->node.n)
            FAIL(c, "an output's node is out of range");
        c->node = o->node;
        if (graph_multi(g, o->node))
            FAIL(c, "an output is a tuple or a multi-output operator");
        if (!is_str(g, o->name) || strs_len(g->strs, o->name) == 0)
            FAIL(c, "an output has no name");
        if (owner[o->name] == -2)
            FAIL(c, "two outputs have the same name");
        if (owner[o->name] >= 0 && owner[o->name] != o->node)
            FAIL(c, "its output name is another node's name");
        owner[o->name] = -2;
    }
    return CALQUE_OK;
}

static enum calque_status check_inputs(struct checker *c)
{
    const struct graph *g = c->g;
    int inputs = 0;

    for (int i = 0; i < g->node.n; i++)
        inputs += g->node.a[i].kind == NODE_INPUT;
    c->node = -1;
    if (inputs != g->input.n)
        FAIL(c, "the list of inputs is not the graph's input nodes");
    for (int i = 0; i < g->input.n; i++) {
        int id = g->input.a[i];
        c->node = -1;
        if (id < 0 || id >= g->node.n)
            FAIL(c, "an input's node is out of range");
        c->node = id;
        if (g->node.a[id].kind != NODE_INPUT)
            FAIL(c, "an element of the list of inputs is no input node");
    }
    return CALQUE_OK;
}

static enum calque_status check_inputs_once(struct checker *c, unsigned char *seen)
{
    for (int i = 0; i < c->g->input.n; i++) {
        c->node = c->g->input.a[i];
        if (seen[c->node])
            FAIL(c, "it is twice in the list of inputs");
        seen[c->node] = 1;
    }
    return CALQUE_OK;
}

static enum calque_status check_arena(const struct checker *c)
{
    const struct graph *g = c->g;

    if (!g->mem || !g->strs || !g->values)
        FAIL(c, "no shared arenas");
    if (g->node.n < 0 || g->node.n > g->node.cap || g->in.n < 0 || g->in.n > g->in.cap ||
        g->attr.n < 0 || g->attr.n > g->attr.cap || g->tensor.n < 0 || g->tensor.n > g->tensor.cap ||
        g->raw.n < 0 || g->raw.n > g->raw.cap || g->output.n < 0 || g->output.n > g->output.cap ||
        g->input.n < 0 || g->input.n > g->input.cap)
        FAIL(c, "an array is longer than its capacity");
    if (!is_str_or_none(g, g->name))
        FAIL(c, "its name is no string");
    return CALQUE_OK;
}

enum calque_status graph_check(const struct graph *g, struct diag *d)
{
    struct checker c = {g, d, -1};
    enum calque_status st = check_arena(&c);
    unsigned char *seen = NULL;
    int *owner = NULL;

    if (st == CALQUE_OK)
        for (c.node = 0; c.node < g->node.n; c.node++)
            if ((st = check_node(&c)) != CALQUE_OK)
                return st;
    c.node = -1;
    if (st == CALQUE_OK)
        st = check_inputs(&c);
    if (st != CALQUE_OK)
        return st;
    owner = mem_resize(g->mem, NULL, (size_t)g->strs->entry.n, sizeof *owner);
    seen = mem_zero(g->mem, (size_t)g->node.n, 1);
    if (!owner || !seen) {
        st = diag_nomem(d);
    } else {
        for (int i = 0; i < g->strs->entry.n; i++)
            owner[i] = -1;
        st = check_names(&c, owner);
        if (st == CALQUE_OK)
            st = check_inputs_once(&c, seen);
    }
    mem_free(owner);
    mem_free(seen);
    return st;
}
