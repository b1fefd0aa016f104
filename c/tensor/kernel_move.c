/* Kernels of the operators that move elements or look only at shapes. */
#include "tensor/gen.h"

#include <string.h>

/* The elements at the same row-major positions. Dimensions are taken together from the left in the least
   groups of equal size on both sides, so that only what really changes is divided. */
static enum calque_status reshape(struct gen *x)
{
    const struct shape *in = gen_in(x, 0), *out = &x->out;
    struct ixs at[RANK_MAX];
    int i = 0, j = 0;

    gen_store(x, 'Y', 0, out, NULL);
    while (i < in->rank || j < out->rank) {
        int i0 = i, j0 = j;
        long p = i < in->rank ? in->dim[i++] : 1, q = j < out->rank ? out->dim[j++] : 1;
        struct ixs position;
        long stride = 1;
        while (p != q)
            if (p < q)
                p *= in->dim[i++];
            else
                q *= out->dim[j++];
        position = ix_row_major(x->var + j0, out->dim + j0, j - j0);
        if (i - i0 == 1 && j - j0 == 1) {
            at[i0] = x->var[j0];
            continue;
        }
        for (int k = i - 1; k >= i0; k--) {
            at[k] = ix_div(&position, stride);
            if (k > i0)
                at[k] = ix_mod(&at[k], in->dim[k]);
            stride *= in->dim[k];
        }
    }
    gen_load(x, 'X', 0, in, at);
    gen_end(x);
    return CALQUE_OK;
}

enum calque_status gen_Reshape(struct gen *x) { return reshape(x); }
enum calque_status gen_Flatten(struct gen *x) { return reshape(x); }
enum calque_status gen_Squeeze(struct gen *x) { return reshape(x); }
enum calque_status gen_Unsqueeze(struct gen *x) { return reshape(x); }
enum calque_status gen_ReshapeLike(struct gen *x) { return reshape(x); }

enum calque_status gen_Transpose(struct gen *x)
{
    struct ixs at[RANK_MAX];
    long perm[RANK_MAX];
    int n = graph_attr_ints(x->g, x->node, "perm", perm, RANK_MAX);

    gen_store(x, 'Y', 0, &x->out, NULL);
    for (int i = 0; i < n; i++)
        at[perm[i]] = x->var[i];
    gen_load(x, 'X', 0, gen_in(x, 0), at);
    gen_end(x);
    return CALQUE_OK;
}

/* Parts lo..hi-1 of a concatenation, chosen by halves; part k covers start[k]..start[k+1]-1 of the axis. */
static void concat(struct gen *x, int axis, const int *part, const long *start, int lo, int hi)
{
    int mid = lo + (hi - lo) / 2;

    if (hi - lo == 1) {
        struct ixs at[RANK_MAX];
        memcpy(at, x->var, sizeof at);
        if (start[lo] > 0 || start[lo + 1] < x->out.dim[axis])
            at[axis] = start[lo + 1] - start[lo] == 1 ? ix_const(0)
                                                      : ix_plus(&at[axis], -start[lo]);
        gen_load(x, 'X', part[lo], gen_in(x, part[lo]), at);
        return;
    }
    text_puts(x->t, "select(");
    gen_ix(x, &x->var[axis]);
    text_printf(x->t, " < %ld, ", start[mid]);
    concat(x, axis, part, start, lo, mid);
    text_puts(x->t, ", ");
    concat(x, axis, part, start, mid, hi);
    text_puts(x->t, ")");
}

enum calque_status gen_Concat(struct gen *x)
{
    int axis = (int)graph_attr_int(x->g, x->node, "axis", 0), n = 0;
    int *part = mem_resize(x->g->mem, NULL, (size_t)x->nin, sizeof *part);
    long *start = mem_resize(x->g->mem, NULL, (size_t)x->nin + 1, sizeof *start);

    if (part && start) {
        start[0] = 0;
        for (int k = 0; k < x->nin; k++) {
            long size = gen_in(x, k)->dim[axis];
            if (size == 0)
                continue;
            part[n] = k;
            start[n + 1] = start[n] + size;
            n++;
        }
        gen_store(x, 'Y', 0, &x->out, NULL);
        concat(x, axis, part, start, 0, n);
        gen_end(x);
    }
    n = part && start;
    mem_free(part);
    mem_free(start);
    return n ? CALQUE_OK : diag_nomem(x->d);
}

enum calque_status gen_Slice(struct gen *x)
{
    struct ixs at[RANK_MAX];
    long start[RANK_MAX], step[RANK_MAX];

    graph_attr_ints(x->g, x->node, "starts", start, RANK_MAX);
    graph_attr_ints(x->g, x->node, "steps", step, RANK_MAX);
    gen_store(x, 'Y', 0, &x->out, NULL);
    for (int i = 0; i < x->out.rank; i++) {
        at[i] = x->out.dim[i] == 1 ? ix_const(0) : ix_mul(&x->var[i], step[i]);
        if (gen_in(x, 0)->dim[i] != x->out.dim[i] || step[i] != 1)
            at[i] = ix_plus(&at[i], start[i]);
        else
            at[i] = x->var[i];
    }
    gen_load(x, 'X', 0, gen_in(x, 0), at);
    gen_end(x);
    return CALQUE_OK;
}

/* A statement for each part that is not empty. */
enum calque_status gen_Split(struct gen *x)
{
    const struct values *vs = x->g->values;
    const struct value *parts = &vs->v[graph_attr(x->g, x->node, "split")];
    int axis = (int)graph_attr_int(x->g, x->node, "axis", 0);
    struct shape out = *gen_in(x, 0);
    struct ixs at[RANK_MAX];
    long start = 0;

    for (int k = 0; k < parts->len; k++) {
        out.dim[axis] = vs->v[vs->pool[parts->first + k]].num;
        if (out.dim[axis] == 0)
            continue;
        gen_store(x, 'Y', k, &out, NULL);
        memcpy(at, x->var, sizeof at);
        at[axis] = ix_plus(&at[axis], start);
        gen_load(x, 'X', 0, gen_in(x, 0), at);
        gen_end(x);
        start += out.dim[axis];
    }
    return CALQUE_OK;
}

enum calque_status gen_ConstantOfShape(struct gen *x)
{
    gen_store(x, 'Y', 0, &x->out, NULL);
    gen_num(x, graph_attr_real(x->g, x->node, "value", 0.0));
    gen_end(x);
    return CALQUE_OK;
}

/* Constants at places lo..hi-1, chosen by halves. */
static void table(struct gen *x, const long *v, int lo, int hi)
{
    int mid = lo + (hi - lo) / 2, same = lo + 1;

    while (same < hi && v[same] == v[lo])
        same++;
    if (same == hi) {
        gen_int(x, v[lo]);
        return;
    }
    text_puts(x->t, "select(");
    gen_ix(x, &x->var[0]);
    text_printf(x->t, " < %d, ", mid);
    table(x, v, lo, mid);
    text_puts(x->t, ", ");
    table(x, v, mid, hi);
    text_puts(x->t, ")");
}

enum calque_status gen_Shape(struct gen *x)
{
    long start = graph_attr_int(x->g, x->node, "start", 0);

    gen_store(x, 'Y', 0, &x->out, NULL);
    table(x, gen_in(x, 0)->dim + start, 0, (int)x->out.dim[0]);
    gen_end(x);
    return CALQUE_OK;
}

enum { GATHER_MAX = 4096 };

struct gather {
    const long *index;
    struct ixs at[RANK_MAX], position;
    int axis;
};

/* X at index[position], position in lo..hi-1: an affine run is one load, else by halves. */
static void gather(struct gen *x, struct gather *q, long lo, long hi)
{
    const long *v = q->index;
    long mid = lo + (hi - lo) / 2, step = hi - lo > 1 ? v[lo + 1] - v[lo] : 0, run = lo + 1;

    while (run < hi && v[run] - v[run - 1] == step)
        run++;
    if (run == hi && (step == 0 || hi - lo > 2)) {
        q->at[q->axis] = ix_mul(&q->position, step);
        q->at[q->axis] = ix_plus(&q->at[q->axis], v[lo] - lo * step);
        gen_load(x, 'X', 0, gen_in(x, 0), q->at);
        return;
    }
    text_puts(x->t, "select(");
    gen_ix(x, &q->position);
    text_printf(x->t, " < %ld, ", mid);
    gather(x, q, lo, mid);
    text_puts(x->t, ", ");
    gather(x, q, mid, hi);
    text_puts(x->t, ")");
}

/* The indices must be known: a constant node, or given to op_eval. Negative ones count from the end. */
/* Index number i, counted from the front. */
static enum calque_status gather_index(struct gen *x, const struct tensor *t, long i, long size, long *out)
{
    *out = t->dtype == DTYPE_I64 ? tensor_i64(t)[i] : ((const int32_t *)t->data)[i];
    if (*out < -size || *out >= size)
        return gen_bad(x, "index %ld is outside dimension of size %ld", *out, size);
    *out += *out < 0 ? size : 0;
    return CALQUE_OK;
}

/* Indices that are data: a look-up. */
static void gather_lookup(struct gen *x, int axis)
{
    const struct shape *in = gen_in(x, 0), *where = gen_in(x, 1);

    gen_store(x, 'Y', 0, &x->out, NULL);
    gen_tensor(x, 'X', 0, in);
    for (int i = 0; i < in->rank; i++) {
        text_puts(x->t, i ? "," : "[");
        if (i == axis) {
            text_puts(x->t, "at(");
            gen_load(x, 'X', 1, where, x->var + axis);
            text_puts(x->t, ")");
        } else {
            gen_ix(x, &x->var[i < axis ? i : i - 1 + where->rank]);
        }
    }
    text_puts(x->t, "]");
    gen_end(x);
}

bool op_looks_up(const struct graph *g, int node)
{
    const struct node *x = &g->node.a[node];
    int indices = x->kind == NODE_OP && x->op == OP_Gather ? graph_in(g, node, 1) : -1;

    return indices >= 0 && (!graph_tensor(g, indices) || shape_elems(&g->node.a[indices].shape) > GATHER_MAX || shape_elems(&x->shape) == 0);
}

enum calque_status gen_Gather(struct gen *x)
{
    const struct shape *in = gen_in(x, 0), *where = gen_in(x, 1);
    struct gather q = {.axis = (int)graph_attr_int(x->g, x->node, "axis", 0)};
    const struct tensor *t = graph_tensor(x->g, graph_in(x->g, x->node, 1));
    long n = shape_elems(where), index[GATHER_MAX], one;
    enum calque_status s;

    for (long i = 0; t && i < n; i++)
        if ((s = gather_index(x, t, i, in->dim[q.axis], i < GATHER_MAX ? &index[i] : &one)))
            return s;
    if (op_looks_up(x->g, x->node)) {
        gather_lookup(x, q.axis);
        return CALQUE_OK;
    }
    q.index = index;
    gen_store(x, 'Y', 0, &x->out, NULL);
    for (int i = 0; i < in->rank; i++)
        if (i != q.axis)
            q.at[i] = x->var[i < q.axis ? i : i - 1 + where->rank];
    q.position = ix_row_major(x->var + q.axis, where->dim, where->rank);
    gather(x, &q, 0, n);
    gen_end(x);
    return CALQUE_OK;
}
