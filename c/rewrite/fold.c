/* Parameter folding: a node that becomes a constant makes its users candidates, until there are none. Invariant:
   every node keeps its type and value. */
#include "rewrite/rewrite.h"

#include <string.h>

#include "graph/use_list_internal.h"

struct folder {
    struct graph *g;
    struct uses *u;
    size_t limit;
    int threads;
    struct fold_stats *stats;
    struct diag *d;
    int cursor;       /* nodes after it are still to come */
    struct ints work; /* nodes up to it that have become foldable */
};

static bool is_const(const struct graph *g, int node)
{
    return g->node.a[node].kind == NODE_CONST;
}

static bool shape_only(const struct graph *g, int node)
{
    const struct node *nd = &g->node.a[node];

    return nd->op == OP_Shape && nd->nin == 1 && graph_in(g, node, 0) >= 0 &&
           g->node.a[graph_in(g, node, 0)].shape.rank >= 0;
}

static bool foldable(const struct graph *g, int node)
{
    const struct node *nd = &g->node.a[node];

    if (nd->kind != NODE_OP || nd->op == OP_Opaque)
        return false;
    if (shape_only(g, node))
        return true;
    for (int k = 0; k < nd->nin; k++)
        if (graph_in(g, node, k) >= 0 && !is_const(g, graph_in(g, node, k)))
            return false;
    return true;
}

static size_t const_bytes(const struct graph *g, int node)
{
    size_t n = 0;

    for (int k = 0; k < g->node.a[node].nin; k++) {
        const struct tensor *t = graph_in(g, node, k) >= 0 ? graph_tensor(g, graph_in(g, node, k)) : NULL;
        n += t ? t->bytes : 0;
    }
    return n;
}

/* Bytes of a node's value; SIZE_MAX when its type is not known. */
static size_t value_bytes(const struct graph *g, int node)
{
    const struct node *nd = &g->node.a[node];
    long n = nd->shape.rank < 0 ? -1 : shape_elems(&nd->shape);

    return n < 0 || dtype_size(nd->dtype) == 0 ? SIZE_MAX : (size_t)n * dtype_size(nd->dtype);
}

/* The same over the projections of a multi-output operator, or of the node itself. */
static size_t result_bytes(const struct folder *f, int node)
{
    size_t sum = 0;

    if (!graph_multi(f->g, node))
        return value_bytes(f->g, node);
    for (int s = f->u->node.a[node].head; s >= 0; s = f->u->slot.a[s].next) {
        size_t n = value_bytes(f->g, f->u->slot.a[s].user);
        if (n == SIZE_MAX)
            return n;
        sum += n;
    }
    return sum;
}

/* All outputs of node into out[]. Shape needs no value of its input. */
static enum calque_status eval(struct folder *f, int node, struct tensor *out)
{
    int nin = f->g->node.a[node].nin;
    const struct tensor **in;
    enum calque_status status;

    in = mem_zero(f->g->mem, (size_t)nin + 1, sizeof *in);
    if (!in)
        return diag_nomem(f->d);
    for (int k = 0; k < nin; k++)
        in[k] = graph_in(f->g, node, k) < 0 ? NULL : graph_tensor(f->g, graph_in(f->g, node, k));
    status = op_eval(f->g, node, in, out, f->threads, f->d);
    mem_free(in);
    return status;
}

static bool push_users(struct folder *f, int node)
{
    for (int s = f->u->node.a[node].head; s >= 0; s = f->u->slot.a[s].next)
        if (f->u->slot.a[s].user <= f->cursor && !ints_push(f->g->mem, &f->work, f->u->slot.a[s].user))
            return false;
    return true;
}

/* Node becomes the constant t (taken over). There is room in g->tensor. */
static void become(struct folder *f, int node, struct tensor *t)
{
    struct graph *g = f->g;
    struct node *nd = &g->node.a[node];
    int in = nd->in, nin = nd->nin;

    uses_unlink(f->u, g, node);
    nd->kind = NODE_CONST;
    nd->op = 0;
    nd->nin = nd->nattr = 0;
    nd->index = 0;
    nd->dtype = t->dtype;
    nd->shape = t->shape;
    nd->data = g->tensor.n;
    g->tensor.a[g->tensor.n++] = *t;
    memset(t, 0, sizeof *t);
    for (int k = in; k < in + nin; k++)
        if (g->in.a[k] >= 0)
            uses_drop(f->u, g, g->in.a[k]);
}

/* The projections of node become its outputs. */
static enum calque_status become_parts(struct folder *f, int node, struct tensor *out, int n)
{
    int next;

    for (int s = f->u->node.a[node].head; s >= 0; s = next) {
        int user = f->u->slot.a[s].user, index = f->g->node.a[user].index;
        next = f->u->slot.a[s].next;
        if (index >= n || !out[index].data)
            continue; /* a second projection of the same output keeps the operator */
        if (!vec_room(f->g->mem, &f->g->tensor, 1) || !push_users(f, user))
            return diag_nomem(f->d);
        become(f, user, &out[index]);
    }
    return CALQUE_OK;
}

static enum calque_status fold(struct folder *f, int node)
{
    struct node *nd = &f->g->node.a[node];
    bool multi = graph_multi(f->g, node);
    int n = nd->index, op = nd->op;
    struct tensor *out = mem_zero(f->g->mem, (size_t)n + 1, sizeof *out);
    enum calque_status status;

    if (!out || !vec_room(f->g->mem, &f->g->tensor, 1)) {
        mem_free(out);
        return diag_nomem(f->d);
    }
    status = eval(f, node, out);
    if (status == CALQUE_BAD || status == CALQUE_LIMIT || status == CALQUE_NO) {
        f->stats->failed[op]++;
        status = CALQUE_OK;
    } else if (status == CALQUE_OK) {
        f->stats->count[op]++;
        if (multi) {
            status = become_parts(f, node, out, n);
        } else if (push_users(f, node)) {
            become(f, node, &out[0]);
        } else {
            status = diag_nomem(f->d);
        }
    }
    for (int k = 0; k < n; k++)
        tensor_free(&out[k]);
    mem_free(out);
    return status;
}

static enum calque_status visit(struct folder *f, int node)
{
    size_t bytes;

    if (f->u->node.a[node].dead || !foldable(f->g, node) ||
        (graph_multi(f->g, node) && f->u->node.a[node].head < 0))
        return CALQUE_OK;
    bytes = result_bytes(f, node);
    if (bytes == SIZE_MAX) {
        f->stats->failed[f->g->node.a[node].op]++;
        return CALQUE_OK;
    }
    if (bytes > f->limit && bytes > const_bytes(f->g, node)) {
        f->stats->skipped[f->g->node.a[node].op]++;
        f->stats->skipped_bytes += bytes;
        return CALQUE_OK;
    }
    return fold(f, node);
}

enum calque_status fold_nodes(struct graph *g, struct uses *u, int first, size_t limit, int threads,
                              struct fold_stats *stats, struct diag *d)
{
    struct folder f = { g, u, limit, threads, stats, d, first, { NULL, 0, 0 } };
    enum calque_status status = CALQUE_OK;

    for (; f.cursor < g->node.n && status == CALQUE_OK; f.cursor++) {
        status = visit(&f, f.cursor);
        while (status == CALQUE_OK && f.work.n > 0)
            status = visit(&f, f.work.a[--f.work.n]);
    }
    ints_free(&f.work);
    return status;
}

enum calque_status fold_graph(struct graph *g, size_t limit, int threads, struct fold_stats *stats,
                              struct diag *d)
{
    struct uses u;
    enum calque_status status;

    uses_init(&u, g->mem);
    status = uses_build(&u, g, d);
    if (status == CALQUE_OK)
        status = fold_nodes(g, &u, 0, limit, threads, stats, d);
    uses_free(&u);
    return status == CALQUE_OK ? graph_compact(g, NULL, d) : status;
}
