/* Which operators of a model run, which are constants, which only rename memory, and which are computed in the loop of
   the operator that reads them. */
#include "emit/unit.h"
#include "tensor/op.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CONST_BUDGET ((size_t)1 << 33)

struct fuse {
    const struct graph *g;
    const struct emit_options *o;
    struct groups *out;
    bool *fold;    /* node: all it depends on is constant */
    bool *veto;    /* but it has no value at compile time */
    int *group_of; /* node -> group whose result it is, or -1 */
};

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

/* Nodes computed at run time. */
static bool runs(const struct fuse *f, int node)
{
    return f->out->needed[node] && !f->fold[node];
}

static void find_roots(struct fuse *f)
{
    const struct graph *g = f->g;
    int *root = f->out->root, *uses = f->out->uses;

    for (int i = 0; i < g->node.n; i++) {
        root[i] = i;
        uses[i] = 0;
        if (runs(f, i) && is_rename(g, i))
            root[i] = root[graph_in(g, i, 0)];
        for (int j = 0; runs(f, i) && g->node.a[i].kind == NODE_PROJ && j < i; j++)
            if (g->node.a[j].kind == NODE_PROJ && runs(f, j) && graph_in(g, j, 0) == graph_in(g, i, 0) &&
                g->node.a[j].index == g->node.a[i].index) {
                root[i] = root[j];
                break;
            }
    }
    for (int i = 0; i < g->node.n; i++)
        for (int k = 0; runs(f, i) && root[i] == i && g->node.a[i].kind == NODE_OP && k < g->node.a[i].nin; k++)
            if (graph_in(g, i, k) >= 0 && op_needs(g->node.a[i].op, k))
                uses[root[graph_in(g, i, k)]]++;
    for (int i = 0; i < g->output.n; i++)
        uses[root[g->output.a[i].node]] += 2; /* an output's memory is always written */
}

/* The projection that output `index` of the node is read through, or -1. */
static int projection(const struct fuse *f, int node, int index)
{
    const struct graph *g = f->g;

    for (int i = node + 1; i < g->node.n; i++)
        if (g->node.a[i].kind == NODE_PROJ && runs(f, i) && graph_in(g, i, 0) == node && g->node.a[i].index == index)
            return f->out->root[i];
    return -1;
}

/* Which node a formal tensor X3, Y0, T1 of a node's kernel is. */
static int formal(const struct fuse *f, int node, const char *name)
{
    int k = atoi(name + 1);

    if (name[0] == 'X')
        return graph_in(f->g, node, k) < 0 ? -1 : f->out->root[graph_in(f->g, node, k)];
    if (name[0] != 'Y')
        return -1;
    return op_info(f->g->node.a[node].op)->traits & OP_MULTI ? projection(f, node, k) : node;
}

static void put_note(struct text *t, const struct graph *g, int node)
{
    const char *label = g->node.a[node].label >= 0 ? strs_text(g->strs, g->node.a[node].label) : "";

    text_printf(t, "%s %s", op_info(g->node.a[node].op)->name, label[0] ? label : graph_name(g, node));
}

/* A group of one operator, appended. */
static enum calque_status single(struct fuse *f, int node, struct diag *d)
{
    struct groups *gs = f->out;
    struct group x;
    enum calque_status st;

    memset(&x, 0, sizeof x);
    st = op_kernel(f->g, node, &x.k, d);
    if (st == CALQUE_OK) {
        x.value = mem_resize(gs->mem, NULL, (size_t)x.k.tensor.n, sizeof *x.value);
        if (!x.value || !vec_room(gs->mem, &gs->group, 1))
            st = diag_nomem(d);
    }
    if (st != CALQUE_OK) {
        mem_free(x.value);
        kernel_free(&x.k);
        return st;
    }
    for (int t = 0; t < x.k.tensor.n; t++)
        x.value[t] = formal(f, node, strs_text(f->g->strs, x.k.tensor.a[t].name));
    x.last = node;
    x.ops = 1;
    x.nodes = gs->notes.n;
    put_note(&gs->notes, f->g, node);
    text_put(&gs->notes, "", 1);
    gs->group.a[gs->group.n++] = x;
    return CALQUE_OK;
}

/* Copies the tensor table of src into dst under fresh formal names; inputs that are the same node in the same shape are
   shared, and `as` (of src) becomes the tensor `is` of dst. */
static bool merge_tensors(struct kernel *dst, int *value, const struct group *src, int *map, int as, int is)
{
    for (int t = 0; t < src->k.tensor.n; t++) {
        const struct kernel_tensor *x = &src->k.tensor.a[t];
        char name[16];
        int id = t == as ? is : -1;
        for (int j = 0; j < dst->tensor.n && id < 0 && x->role == KERNEL_IN; j++) {
            const struct kernel_tensor *y = &dst->tensor.a[j];
            if (y->role == KERNEL_IN && value[j] == src->value[t] && y->rank == x->rank &&
                memcmp(y->dim, x->dim, (size_t)x->rank * sizeof *x->dim) == 0)
                id = j;
        }
        if (id < 0) {
            snprintf(name, sizeof name, "%c%d", "XYT"[x->role], dst->tensor.n);
            id = strs_addz(dst->strs, name);
            id = id < 0 ? -1 : kernel_add_tensor(dst, id, x->role, x->rank, x->dim);
            if (id < 0)
                return false;
            value[id] = src->value[t];
        }
        map[t] = id;
    }
    return true;
}

/* The kernel of p followed by that of c, where c's tensor `in` is p's tensor `res`, inlined; into k and value. CALQUE_NO:
   not a plain inlining. */
static enum calque_status join(const struct group *p, int res, const struct group *c, int in, struct kernel *k, int *value,
                               int *map, struct diag *d)
{
    enum calque_status st;
    int t;

    if (!merge_tensors(k, value, p, map, -1, -1))
        return diag_nomem(d);
    t = map[res];
    k->tensor.a[t].role = KERNEL_TEMP;
    value[t] = -1;
    st = kernel_append(k, &p->k, map, d);
    if (st != CALQUE_OK)
        return st;
    if (!merge_tensors(k, value, c, map, in, t))
        return diag_nomem(d);
    st = kernel_append(k, &c->k, map, d);
    if (st != CALQUE_OK)
        return st;
    return kernel_inlinable(k, t) ? kernel_inline(k, t, d) : CALQUE_NO;
}

/* Is there an expression of the kind (used or not)? */
static bool has_kind(const struct kernel *k, int kind)
{
    for (int i = 0; i < k->ex.n; i++)
        if (k->ex.a[i].kind == kind)
            return true;
    return false;
}

/* Would the producer's reduction be kept from tiling: with another one in the same loop, or under a condition? */
static bool tiles_apart(const struct kernel *producer, const struct kernel *consumer)
{
    return has_kind(producer, EX_REDUCE) && (has_kind(consumer, EX_REDUCE) || has_kind(consumer, EX_SELECT));
}

/* Tries to make producer group p part of group c (the last one), whose tensor `in` is its result. */
static enum calque_status absorb(struct fuse *f, int pi, int in, struct diag *d)
{
    struct groups *gs = f->out;
    struct group *p = &gs->group.a[pi], *c = &gs->group.a[gs->group.n - 1];
    int n = p->k.tensor.n + c->k.tensor.n, res = -1, *value, *map;
    struct kernel k;
    enum calque_status st;

    if (!f->o->no_strategy && tiles_apart(&p->k, &c->k))
        return CALQUE_NO;
    for (int t = 0; t < p->k.tensor.n; t++)
        if (p->k.tensor.a[t].role == KERNEL_OUT && p->value[t] == c->value[in])
            res = t;
    if (res < 0 || p->k.type != c->k.type || p->k.tensor.a[res].rank != c->k.tensor.a[in].rank ||
        memcmp(p->k.tensor.a[res].dim, c->k.tensor.a[in].dim, (size_t)p->k.tensor.a[res].rank * sizeof(long)) != 0)
        return CALQUE_NO;
    kernel_init(&k, gs->mem, f->g->strs, c->k.type);
    value = mem_resize(gs->mem, NULL, (size_t)n, sizeof *value);
    map = mem_resize(gs->mem, NULL, (size_t)n, sizeof *map);
    st = value && map ? join(p, res, c, in, &k, value, map, d) : diag_nomem(d);
    mem_free(map);
    if (st != CALQUE_OK) {
        mem_free(value);
        kernel_free(&k);
        return st == CALQUE_LIMIT ? CALQUE_NO : st;
    }
    kernel_free(&c->k);
    mem_free(c->value);
    c->k = k;
    c->value = value;
    c->ops += p->ops;
    p->last = -1;
    return CALQUE_OK;
}

/* Notes of the absorbed group come first. */
static void merge_notes(struct groups *gs, const struct group *p, struct group *c)
{
    int at = gs->notes.n;
    size_t a = strlen(gs->notes.a + p->nodes), b = strlen(gs->notes.a + c->nodes);
    char *both = mem_resize(gs->mem, NULL, a + b + 3, 1);

    if (!both) {
        gs->notes.failed = true;
        return;
    }
    memcpy(both, gs->notes.a + p->nodes, a);
    memcpy(both + a, ", ", 2);
    memcpy(both + a + 2, gs->notes.a + c->nodes, b + 1);
    text_put(&gs->notes, both, a + b + 3);
    mem_free(both);
    c->nodes = at;
}

/* Operators that compute cell i from cells i, so that what they read may be computed in their loop. */
static bool is_consumer(const struct graph *g, int node)
{
    return (op_info(g->node.a[node].op)->traits & (OP_ELEMENTWISE | OP_POINTWISE)) != 0 ||
           is_op(g, node, OP_BatchNormalization);
}

static enum calque_status fuse_inputs(struct fuse *f, int node, struct diag *d)
{
    struct groups *gs = f->out;
    int last = gs->group.n - 1;
    bool again = !f->o->no_fuse && is_consumer(f->g, node);

    while (again) {
        again = false;
        for (int t = 0; t < gs->group.a[last].k.tensor.n && !again; t++) {
            int v = gs->group.a[last].value[t], p = v < 0 ? -1 : f->group_of[v];
            enum calque_status st;
            if (gs->group.a[last].k.tensor.a[t].role != KERNEL_IN || p < 0 || p == last || gs->group.a[p].last != v ||
                gs->uses[v] != 1)
                continue;
            st = absorb(f, p, t, d);
            if (st == CALQUE_OK) {
                merge_notes(gs, &gs->group.a[p], &gs->group.a[last]);
                again = true;
            } else if (st != CALQUE_NO) {
                return st;
            }
        }
    }
    return CALQUE_OK;
}

static enum calque_status group_all(struct fuse *f, struct diag *d)
{
    const struct graph *g = f->g;
    struct groups *gs = f->out;

    for (int i = 0; i < g->node.n; i++) {
        enum calque_status st;
        if (!runs(f, i) || g->node.a[i].kind != NODE_OP || gs->root[i] != i)
            continue;
        st = single(f, i, d);
        if (st == CALQUE_OK)
            st = fuse_inputs(f, i, d);
        if (st != CALQUE_OK)
            return st;
        f->group_of[i] = gs->group.n - 1;
    }
    return text_status(&gs->notes, d);
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
    out->uses = mem_zero(g->mem, n, sizeof *out->uses);
    out->needed = mem_zero(g->mem, n, sizeof *out->needed);
    out->constant = mem_zero(g->mem, n, sizeof *out->constant);
    out->value = mem_zero(g->mem, n, sizeof *out->value);
    f.fold = mem_zero(g->mem, n, sizeof *f.fold);
    f.veto = mem_zero(g->mem, n, sizeof *f.veto);
    f.group_of = mem_resize(g->mem, NULL, n, sizeof *f.group_of);
    if (!out->root || !out->uses || !out->needed || !out->constant || !out->value || !f.fold || !f.veto || !f.group_of)
        st = diag_nomem(d);
    for (int i = 0; i < g->node.n && st == CALQUE_OK; i++)
        f.group_of[i] = -1;
    if (st == CALQUE_OK)
        st = find_constants(&f, d);
    if (st == CALQUE_OK) {
        find_roots(&f);
        st = group_all(&f, d);
    }
    mem_free(f.fold);
    mem_free(f.veto);
    mem_free(f.group_of);
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
    mem_free(gs->uses);
    mem_free(gs->needed);
    mem_free(gs->constant);
    mem_free(gs->value);
}
