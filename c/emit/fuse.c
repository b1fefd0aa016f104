/* Which operators of a model run, which are constants, and which only rename memory; the others are grouped (graph_program.c). */
#include "emit/fuse.h"
#include "tensor/op.h"

#include <string.h>

#define CONST_BUDGET ((size_t)1 << 33)

static bool is_op(const struct graph *g, int node, int op)
{
    return g->node.a[node].kind == NODE_OP && g->node.a[node].op == op;
}

/* Operators whose result is their input's elements in the same order. */
static bool is_rename(const struct graph *g, int node)
{
    const struct node *x = &g->node.a[node];

    if (x->kind != NODE_OP || x->nin < 1 || graph_in(g, node, 0) < 0)
        return false;
    switch (x->op) {
    case OP_Reshape: case OP_Flatten: case OP_Squeeze: case OP_Unsqueeze: case OP_Identity: case OP_Dropout:
    case OP_ReshapeLike:
        return x->dtype == g->node.a[graph_in(g, node, 0)].dtype &&
               shape_elems(&x->shape) == shape_elems(&g->node.a[graph_in(g, node, 0)].shape);
    default:
        return false;
    }
}

static void find_foldable(struct fuse *f)
{
    for (int i = 0; i < f->g->node.n; i++) {
        const struct node *x = &f->g->node.a[i];
        bool all = x->kind == NODE_CONST || x->kind == NODE_OP || x->kind == NODE_PROJ;
        for (int k = 0; k < x->nin; k++)
            all = all && (graph_in(f->g, i, k) < 0 || f->fold[graph_in(f->g, i, k)]);
        if (is_op(f->g, i, OP_Shape) && f->g->node.a[graph_in(f->g, i, 0)].shape.rank >= 0)
            all = true;
        f->fold[i] = all && !f->veto[i] && !is_op(f->g, i, OP_Opaque);
    }
}

/* needed: what the outputs depend on, down to inputs and constants. */
static void find_needed(struct fuse *f)
{
    const struct graph *g = f->g;
    bool *needed = f->out->needed;

    memset(needed, 0, (size_t)g->node.n * sizeof *needed);
    for (int i = 0; i < g->output.n; i++)
        needed[g->output.a[i].node] = true;
    for (int i = g->node.n - 1; i >= 0; i--)
        for (int k = 0; needed[i] && !f->fold[i] && k < g->node.a[i].nin; k++)
            if (graph_in(g, i, k) >= 0 && (g->node.a[i].kind != NODE_OP || op_needs(g->node.a[i].op, k)))
                needed[graph_in(g, i, k)] = true;
}

/* Computes the needed constants; CALQUE_NO: one has no value now, it is vetoed and everything is found anew. */
static enum calque_status evaluate(struct fuse *f, struct diag *d)
{
    struct groups *gs = f->out;

    for (int i = 0; i < f->g->node.n; i++) {
        enum calque_status st;
        if (!gs->needed[i] || !f->fold[i] || f->g->node.a[i].kind == NODE_CONST || gs->constant[i])
            continue;
        st = graph_const_value(f->g, i, CONST_BUDGET, &gs->value[i], d);
        if (st == CALQUE_NO || st == CALQUE_LIMIT) {
            f->veto[i] = true;
            return CALQUE_NO;
        }
        if (st != CALQUE_OK)
            return st;
        gs->constant[i] = true;
    }
    return CALQUE_OK;
}

static enum calque_status find_constants(struct fuse *f, struct diag *d)
{
    enum calque_status st;

    do {
        find_foldable(f);
        find_needed(f);
        st = evaluate(f, d);
    } while (st == CALQUE_NO);
    return st;
}

bool fuse_runs(const struct fuse *f, int node)
{
    return f->out->needed[node] && !f->fold[node];
}

/* The outputs of node i that projections may name. */
static int outputs(const struct graph *g, int i)
{
    const struct node *n = &g->node.a[i];

    return n->kind == NODE_TUPLE ? n->nin : n->kind == NODE_OP ? n->index : 1;
}

/* Renamings have their operand's root, projections of one output that of the first. False: memory is out. */
static bool find_roots(struct fuse *f)
{
    const struct graph *g = f->g;
    int *root = f->out->root, *from = mem_resize(g->mem, NULL, (size_t)g->node.n, sizeof *from);
    struct ints first = {0}; /* of each output of each node: its first projection, or -1 */
    bool ok = from != NULL;

    for (int i = 0; ok && i < g->node.n; i++) {
        int of = fuse_runs(f, i) && g->node.a[i].kind == NODE_PROJ ? graph_in(g, i, 0) : -1, index = g->node.a[i].index;
        from[i] = first.n;
        for (int k = outputs(g, i); ok && k > 0; k--)
            ok = ints_push(g->mem, &first, -1);
        root[i] = fuse_runs(f, i) && is_rename(g, i) ? root[graph_in(g, i, 0)] : i;
        if (of < 0 || index < 0 || index >= outputs(g, of))
            continue;
        if (first.a[from[of] + index] >= 0)
            root[i] = root[first.a[from[of] + index]];
        else
            first.a[from[of] + index] = i;
    }
    mem_free(from);
    ints_free(&first);
    return ok;
}

enum calque_status fuse_graph(const struct graph *g, const struct emit_options *o, struct groups *out, struct diag *d)
{
    struct fuse f = { .g = g, .o = o, .out = out };
    size_t n = (size_t)g->node.n;
    enum calque_status st = CALQUE_OK;

    memset(out, 0, sizeof *out);
    out->mem = g->mem;
    text_init(&out->notes, g->mem);
    out->root = mem_zero(g->mem, n, sizeof *out->root);
    out->needed = mem_zero(g->mem, n, sizeof *out->needed);
    out->constant = mem_zero(g->mem, n, sizeof *out->constant);
    out->value = mem_zero(g->mem, n, sizeof *out->value);
    f.fold = mem_zero(g->mem, n, sizeof *f.fold);
    f.veto = mem_zero(g->mem, n, sizeof *f.veto);
    if (!out->root || !out->needed || !out->constant || !out->value || !f.fold || !f.veto)
        st = diag_nomem(d);
    if (st == CALQUE_OK)
        st = find_constants(&f, d);
    if (st == CALQUE_OK) {
        st = find_roots(&f) ? fuse_group(&f, d) : diag_nomem(d);
    }
    mem_free(f.fold);
    mem_free(f.veto);
    return st;
}

void groups_free(struct groups *gs, const struct graph *g)
{
    for (int i = 0; i < gs->group.n; i++) {
        kernel_free(&gs->group.a[i].k);
        mem_free(gs->group.a[i].value);
    }
    for (int i = 0; gs->value && i < g->node.n; i++)
        tensor_free(&gs->value[i]);
    mem_free(gs->group.a);
    text_free(&gs->notes);
    mem_free(gs->root);
    mem_free(gs->needed);
    mem_free(gs->constant);
    mem_free(gs->value);
}
