#include "onnx/export_internal.h"

/* How opset 6 writes a binary operator: input 0, input 1 and the run of input 0's dimensions that input 1 has. */
struct legacy {
    int a, b; /* nodes; after a swap if the operator is commutative */
    bool swapped, equal;
    int at, n;   /* the run is dim[at .. at + n - 1] of a */
    int through; /* the input of b, if b only reshapes it from the run's shape; else -1 */
};

static const struct shape *shape_of(const struct onnx_writer *w, int node)
{
    return &w->g->node.a[node].shape;
}

static bool run_of(const struct shape *a, const struct shape *b, int *at, int *n)
{
    int off = a->rank - b->rank, first = -1, last = -1;

    if (off < 0)
        return false;
    for (int i = 0; i < b->rank; i++)
        if (b->dim[i] != 1) {
            first = first < 0 ? i : first;
            last = i;
        }
    for (int i = first; first >= 0 && i <= last; i++)
        if (b->dim[i] != a->dim[off + i])
            return false;
    *at = first < 0 ? a->rank : off + first;
    *n = first < 0 ? 0 : last - first + 1;
    return true;
}

static bool is_run(const struct shape *s, const struct shape *a, int at, int n)
{
    if (s->rank != n)
        return false;
    for (int i = 0; i < n; i++)
        if (s->dim[i] != a->dim[at + i])
            return false;
    return true;
}

/* False when opset 6 cannot say it. */
static bool plan(const struct onnx_writer *w, int node, struct legacy *l)
{
    const struct node *b;

    l->a = w->rep[graph_in(w->g, node, 0)];
    l->b = w->rep[graph_in(w->g, node, 1)];
    l->swapped = false;
    l->through = -1;
    l->at = l->n = 0;
    if (shape_of(w, l->a)->rank < 0 || shape_of(w, l->b)->rank < 0)
        return false;
    l->equal = shape_equal(shape_of(w, l->a), shape_of(w, l->b));
    if (l->equal)
        return true;
    if (!run_of(shape_of(w, l->a), shape_of(w, l->b), &l->at, &l->n)) {
        int t = l->a;
        l->a = l->b;
        l->b = t;
        l->swapped = true;
        if (!(op_info(w->g->node.a[node].op)->traits & OP_COMMUTATIVE) ||
            !run_of(shape_of(w, l->a), shape_of(w, l->b), &l->at, &l->n))
            return false;
    }
    b = &w->g->node.a[l->b];
    if (b->kind == NODE_OP && (b->op == OP_Unsqueeze || b->op == OP_Reshape)) {
        int x = w->rep[graph_in(w->g, l->b, 0)];
        if (is_run(shape_of(w, x), shape_of(w, l->a), l->at, l->n))
            l->through = x;
    }
    return true;
}

enum calque_status onnx_legacy_binary(struct onnx_out *o, int node)
{
    struct onnx_writer *w = o->w;
    struct legacy l;
    struct onnx_out r;
    struct shape run;
    enum calque_status st;
    int t;

    if (!plan(w, node, &l))
        return onnx_write_fail(w, node, CALQUE_LIMIT, "opset 6 cannot broadcast these shapes");
    o->in.a[0] = w->name[l.a];
    o->in.a[1] = w->name[l.through >= 0 ? l.through : l.b];
    if (l.equal)
        return CALQUE_OK;
    onnx_out_i(o, "broadcast", 1);
    if (l.n > 0)
        onnx_out_i(o, "axis", l.at);
    if (l.through >= 0 || is_run(shape_of(w, l.b), shape_of(w, l.a), l.at, l.n))
        return CALQUE_OK;
    onnx_out_init(&r, w, "Reshape");
    t = onnx_fresh(w, "");
    onnx_out_in(&r, o->in.a[1]);
    onnx_out_out(&r, t);
    onnx_out_const(&r, "shape", DTYPE_I64, 1, shape_of(w, l.a)->dim + l.at, l.n);
    o->in.a[1] = t;
    r.nomem = r.nomem || t < 0;
    run.rank = l.n;
    for (int i = 0; i < l.n; i++)
        run.dim[i] = shape_of(w, l.a)->dim[l.at + i];
    onnx_value_info_put(&w->infos, 13, strs_text(w->f.strs, t), w->g->node.a[l.b].dtype, &run);
    st = onnx_out_flush(&r, -1, -1);
    onnx_out_free(&r);
    return st;
}

static bool is_binary(const struct node *n)
{
    return n->kind == NODE_OP && (n->op == OP_Add || n->op == OP_Sub || n->op == OP_Mul ||
                                  n->op == OP_Div || n->op == OP_Pow);
}

enum calque_status onnx_legacy_skip(struct onnx_writer *w)
{
    const struct graph *g = w->g;

    if (w->opset >= 7)
        return CALQUE_OK;
    w->skip = mem_zero(w->f.mem, (size_t)g->node.n, sizeof *w->skip);
    if (!w->skip)
        return diag_nomem(w->f.diag);
    for (int i = 0; i < g->node.n; i++) {
        struct legacy l;
        if (is_binary(&g->node.a[i]) && plan(w, i, &l) && !l.equal && l.through >= 0)
            w->skip[l.b] = true;
    }
    /* Any other use keeps them. */
    for (int i = 0; i < g->node.n; i++) {
        const struct node *n = &g->node.a[i];
        struct legacy l = {-1, -1, false, true, 0, 0, -1};
        bool passes = is_binary(n) && plan(w, i, &l) && !l.equal && l.through >= 0;
        for (int k = 0; k < n->nin; k++) {
            int m = graph_in(g, i, k);
            if (m >= 0 && !(passes && w->rep[m] == l.b))
                w->skip[w->rep[m]] = false;
        }
    }
    for (int i = 0; i < g->output.n; i++)
        w->skip[w->rep[g->output.a[i].node]] = false;
    return CALQUE_OK;
}
