/* The reference interpreter: every operator by its kernel. */
#include "tensor/op_internal.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Kernels parsed so far: texts and kernels by number. */
struct run {
    const struct graph *g;
    struct mem *mem;
    struct strs texts;
    struct { struct kernel *a; int n, cap; } kernel;
    int threads;
    struct kernel_numbers numbers;
    size_t budget; /* bytes of one computed tensor */
    struct diag *d;
};

static void run_init(struct run *r, const struct graph *g, int threads, struct diag *d)
{
    memset(r, 0, sizeof *r);
    r->g = g;
    r->mem = g->mem;
    r->threads = threads;
    r->budget = SIZE_MAX;
    r->d = d;
    strs_init(&r->texts, g->mem);
}

static void run_free(struct run *r)
{
    for (int i = 0; i < r->kernel.n; i++)
        kernel_free(&r->kernel.a[i]);
    mem_free(r->kernel.a);
    strs_free(&r->texts);
}

/* The number of the kernel of this text, parsed once. The element type it computes on is part of the key: texts of loads
   alone are the same for all. */
static enum calque_status find_kernel(struct run *r, int node, int dtype, struct text *text, int *id)
{
    enum calque_status s;
    int n = text->n;

    text_puts(text, dtype_name(dtype));
    if (text->failed)
        return diag_nomem(r->d);
    *id = strs_find(&r->texts, text->a, (size_t)text->n);
    if (*id >= 0)
        return CALQUE_OK;
    if (!vec_room(r->mem, &r->kernel, 1))
        return diag_nomem(r->d);
    *id = strs_add(&r->texts, text->a, (size_t)text->n);
    if (*id < 0)
        return diag_nomem(r->d);
    text->n = n;
    s = kernel_of_text(r->g, node, text, &r->kernel.a[r->kernel.n++], r->d);
    r->kernel.a[*id].math = r->numbers.math;
    return s == CALQUE_OK ? kernel_choose(&r->kernel.a[*id], &r->numbers, r->d) : s;
}

/* Which tensor a formal name X3, Y0 means. */
static int formal(const struct run *r, const struct kernel *k, int t)
{
    return atoi(strs_text(r->g->strs, k->tensor.a[t].name) + 1);
}

static enum calque_status run_kernel(struct run *r, int node, const struct kernel *k,
                                     const struct tensor *const *in, struct tensor *out)
{
    void **data = mem_zero(r->mem, (size_t)k->tensor.n, sizeof *data);
    enum calque_status s = CALQUE_OK;
    struct diag why;

    if (!data)
        return diag_nomem(r->d);
    for (int t = 0; t < k->tensor.n && !s; t++) {
        switch (k->tensor.a[t].role) {
        case KERNEL_IN:
            data[t] = in[formal(r, k, t)]->data;
            break;
        case KERNEL_OUT:
            data[t] = out[formal(r, k, t)].data;
            break;
        default:
            if (kernel_bytes(k, t) > r->budget)
                s = node_error(r->g, node, r->d, CALQUE_LIMIT, "a temporary needs %zu bytes",
                               kernel_bytes(k, t));
            else if (!(data[t] = mem_resize(r->mem, NULL, kernel_bytes(k, t), 1)))
                s = diag_nomem(r->d);
        }
    }
    if (!s && (s = kernel_run(k, data, r->threads, &why)))
        node_error(r->g, node, r->d, s, "%s", why.text);
    for (int t = 0; t < k->tensor.n; t++)
        if (k->tensor.a[t].role == KERNEL_TEMP)
            mem_free(data[t]);
    mem_free(data);
    return s;
}

/* Inputs of node are there and of the types the graph says. */
static enum calque_status check_inputs(struct run *r, int node, const struct tensor *const *in)
{
    const struct node *n = &r->g->node.a[node];
    char a[SHAPE_TEXT], b[SHAPE_TEXT];

    for (int k = 0; k < n->nin; k++) {
        int id = graph_in(r->g, node, k);
        const struct node *m = &r->g->node.a[id < 0 ? 0 : id];
        if (id < 0 || (!op_needs(n->op, k) && !in[k]))
            continue;
        if (!in[k])
            return node_error(r->g, node, r->d, CALQUE_BAD, "input %d has no value", k);
        if (in[k]->dtype != m->dtype || !shape_equal(&in[k]->shape, &m->shape))
            return node_error(r->g, node, r->d, CALQUE_BAD, "input %d is %s %s, expected %s %s", k,
                              dtype_name(in[k]->dtype), shape_text(&in[k]->shape, a),
                              dtype_name(m->dtype), shape_text(&m->shape, b));
    }
    return CALQUE_OK;
}

static enum calque_status new_outputs(struct run *r, int node, struct tensor *out, int nout)
{
    enum calque_status s = CALQUE_OK;
    struct shape shape;
    int dtype;

    for (int j = 0; j < nout && !s; j++) {
        if (node_output_type(r->g, node, j, &dtype, &shape))
            return node_error(r->g, node, r->d, CALQUE_BAD, "the type of output %d is unknown", j);
        if (shape_elems(&shape) > 0 &&
            (size_t)shape_elems(&shape) > r->budget / dtype_size(dtype))
            return node_error(r->g, node, r->d, CALQUE_LIMIT, "output %d has %ld elements", j,
                              shape_elems(&shape));
        s = tensor_new(r->mem, dtype, &shape, &out[j], r->d);
    }
    return s;
}

static enum calque_status eval(struct run *r, int node, const struct tensor *const *in,
                               struct tensor *out)
{
    const struct graph *g = r->g;
    int nout = node_outputs(g, node), id = -1;
    enum calque_status s = check_inputs(r, node, in);
    struct text text;

    memset(out, 0, (size_t)nout * sizeof *out);
    text_init(&text, r->mem);
    if (!s)
        s = op_kernel_text(g, node, &text, r->d);
    if (!s)
        s = new_outputs(r, node, out, nout);
    if (!s && text.n > 0)
        s = find_kernel(r, node, node_computes(g, node), &text, &id);
    if (!s && id >= 0)
        s = run_kernel(r, node, &r->kernel.a[id], in, out);
    text_free(&text);
    for (int j = 0; s && j < nout; j++)
        tensor_free(&out[j]);
    return s;
}

enum calque_status op_eval(const struct graph *g, int node, const struct tensor *const *in,
                           struct tensor *out, int threads, struct diag *d)
{
    struct run r;
    enum calque_status s;

    if (g->node.a[node].kind != NODE_OP)
        return node_error(g, node, d, CALQUE_BAD, "not an operator");
    run_init(&r, g, threads, d);
    s = eval(&r, node, in, out);
    run_free(&r);
    return s;
}

/* Values of nodes 0..n-1. Only inputs, constants and operators have slots of values. */
struct state {
    struct run r;
    int n;
    bool *need;
    int *base;                  /* first slot of a node */
    const struct tensor **seen; /* by slot; NULL: not there (any more) */
    struct tensor *own;         /* by slot: what the run computed */
    int *last;                  /* by slot: the last node that reads it, INT_MAX for outputs; in the end how many outputs are to be taken from it */
};

/* The node whose output a projection or node stands for, and which output; -1 for a tuple. */
static int producer(const struct graph *g, int node, int *output)
{
    *output = 0;
    while (g->node.a[node].kind == NODE_PROJ) {
        const struct node *p = &g->node.a[node];
        int of = graph_in(g, node, 0);
        if (of < 0)
            return -1;
        if (g->node.a[of].kind != NODE_TUPLE) {
            *output = p->index;
            return p->index >= 0 && p->index < node_outputs(g, of) ? of : -1;
        }
        node = graph_in(g, of, p->index);
        if (node < 0)
            return -1;
    }
    return g->node.a[node].kind == NODE_TUPLE ? -1 : node;
}

static int slot_of(const struct state *st, int node)
{
    int output, from = producer(st->r.g, node, &output);
    return from < 0 ? -1 : st->base[from] + output;
}

/* Marks what the marked nodes need, downwards, and finds the last uses. */
static enum calque_status plan(struct state *st)
{
    const struct graph *g = st->r.g;

    for (int i = st->n - 1; i >= 0; i--) {
        const struct node *n = &g->node.a[i];
        if (!st->need[i] || n->kind != NODE_OP)
            continue;
        for (int k = 0; k < n->nin; k++) {
            int output, in = graph_in(g, i, k), slot;
            if (in < 0 || !op_needs(n->op, k))
                continue;
            in = producer(g, in, &output);
            if (in < 0)
                return node_error(g, i, st->r.d, CALQUE_BAD, "input %d is a tuple", k);
            st->need[in] = true;
            slot = st->base[in] + output;
            if (st->last[slot] < i)
                st->last[slot] = i;
        }
    }
    return CALQUE_OK;
}

static void state_free(struct state *st)
{
    int slots = st->base ? st->base[st->n] : 0;

    for (int i = 0; st->own && i < slots; i++)
        tensor_free(&st->own[i]);
    mem_free(st->need);
    mem_free(st->base);
    mem_free(st->seen);
    mem_free(st->own);
    mem_free(st->last);
    run_free(&st->r);
}

static enum calque_status state_init(struct state *st, const struct graph *g, int n, int threads,
                                     struct diag *d)
{
    int slots = 0;

    memset(st, 0, sizeof *st);
    run_init(&st->r, g, threads, d);
    st->n = n;
    st->base = mem_zero(g->mem, (size_t)n + 1, sizeof *st->base);
    if (!st->base)
        return diag_nomem(d);
    for (int i = 0; i < n; i++) {
        int kind = g->node.a[i].kind, own = node_outputs(g, i);
        st->base[i] = slots;
        if (kind == NODE_PROJ || kind == NODE_TUPLE)
            continue;
        if (own < 0 || own > INT_MAX / 2 - slots)
            return node_error(g, i, d, CALQUE_LIMIT, "%d outputs", own);
        slots += own;
    }
    st->need = mem_zero(g->mem, (size_t)n, sizeof *st->need);
    st->seen = mem_zero(g->mem, (size_t)slots, sizeof *st->seen);
    st->own = mem_zero(g->mem, (size_t)slots, sizeof *st->own);
    st->last = mem_zero(g->mem, (size_t)slots, sizeof *st->last);
    if (!st->need || !st->seen || !st->own || !st->last)
        return diag_nomem(d);
    st->base[n] = slots;
    for (int i = 0; i < slots; i++)
        st->last[i] = -1;
    return CALQUE_OK;
}

static void release(struct state *st, int slot)
{
    if (st->seen[slot] == &st->own[slot])
        tensor_free(&st->own[slot]);
    st->seen[slot] = NULL;
}

/* Evaluates operator node i and frees what nobody reads afterwards. */
static enum calque_status step(struct state *st, int i)
{
    const struct graph *g = st->r.g;
    const struct node *n = &g->node.a[i];
    const struct tensor **in = mem_zero(g->mem, (size_t)n->nin, sizeof *in);
    enum calque_status s;

    if (!in)
        return diag_nomem(st->r.d);
    for (int k = 0; k < n->nin; k++) {
        int id = graph_in(g, i, k);
        in[k] = id < 0 || slot_of(st, id) < 0 ? NULL : st->seen[slot_of(st, id)];
    }
    s = eval(&st->r, i, in, &st->own[st->base[i]]);
    mem_free(in);
    if (s)
        return s;
    for (int j = 0; j < n->index; j++) {
        st->seen[st->base[i] + j] = &st->own[st->base[i] + j];
        if (st->last[st->base[i] + j] < i)
            release(st, st->base[i] + j);
    }
    for (int k = 0; k < n->nin; k++) {
        int id = graph_in(g, i, k), slot = id < 0 ? -1 : slot_of(st, id);
        if (slot >= 0 && st->last[slot] == i)
            release(st, slot);
    }
    return CALQUE_OK;
}

static enum calque_status steps(struct state *st)
{
    const struct graph *g = st->r.g;
    enum calque_status s = CALQUE_OK;

    for (int i = 0; i < st->n && !s; i++) {
        if (!st->need[i])
            continue;
        if (g->node.a[i].kind == NODE_CONST)
            st->seen[st->base[i]] = graph_tensor(g, i);
        else if (g->node.a[i].kind == NODE_OP)
            s = step(st, i);
    }
    return s;
}

static enum calque_status bind_inputs(struct state *st, const struct tensor *inputs)
{
    const struct graph *g = st->r.g;
    char a[SHAPE_TEXT], b[SHAPE_TEXT];

    for (int k = 0; k < g->input.n; k++) {
        int id = g->input.a[k];
        const struct node *n = &g->node.a[id];
        if (n->dtype != inputs[k].dtype || !shape_equal(&n->shape, &inputs[k].shape))
            return node_error(g, id, st->r.d, CALQUE_BAD, "given %s %s, expected %s %s",
                              dtype_name(inputs[k].dtype), shape_text(&inputs[k].shape, a),
                              dtype_name(n->dtype), shape_text(&n->shape, b));
        st->seen[st->base[id]] = &inputs[k];
    }
    return CALQUE_OK;
}

/* Gives away what the run computed at its last use, copies else. */
static enum calque_status take_output(struct state *st, int o, struct tensor *out)
{
    const struct graph *g = st->r.g;
    int slot = slot_of(st, g->output.a[o].node);

    if (--st->last[slot] > 0 || st->seen[slot] != &st->own[slot])
        return tensor_copy(g->mem, st->seen[slot], out, st->r.d);
    *out = st->own[slot];
    memset(&st->own[slot], 0, sizeof st->own[slot]);
    st->seen[slot] = NULL;
    return CALQUE_OK;
}

enum calque_status graph_run(const struct graph *g, const struct tensor *inputs,
                             struct tensor *outputs, int threads, const struct kernel_numbers *numbers, struct diag *d)
{
    struct state st;
    enum calque_status s = state_init(&st, g, g->node.n, threads, d);
    int done = 0;

    st.r.numbers = numbers ? *numbers : st.r.numbers;
    if (!s)
        s = bind_inputs(&st, inputs);
    for (int o = 0; o < g->output.n && !s; o++) {
        int output, from = producer(g, g->output.a[o].node, &output);
        if (from < 0) {
            s = node_error(g, g->output.a[o].node, d, CALQUE_BAD, "output %d is a tuple", o);
            break;
        }
        st.need[from] = true;
        st.last[st.base[from] + output] = INT_MAX;
    }
    if (!s && !(s = plan(&st)))
        s = steps(&st);
    for (int o = 0; o < g->output.n && !s; o++)
        st.last[slot_of(&st, g->output.a[o].node)] = 0;
    for (int o = 0; o < g->output.n && !s; o++)
        st.last[slot_of(&st, g->output.a[o].node)]++;
    while (!s && done < g->output.n && !(s = take_output(&st, done, &outputs[done])))
        done++;
    while (s && done > 0)
        tensor_free(&outputs[--done]);
    state_free(&st);
    return s;
}

/* CALQUE_NO if something that is needed is not constant. */
static enum calque_status constant(const struct state *st)
{
    const struct graph *g = st->r.g;

    for (int i = 0; i < st->n; i++) {
        const struct node *n = &g->node.a[i];
        if (st->need[i] && n->kind != NODE_CONST && (n->kind != NODE_OP || n->op == OP_Opaque))
            return node_error(g, i, st->r.d, CALQUE_NO, "not constant");
    }
    return CALQUE_OK;
}

enum calque_status graph_const_value(const struct graph *g, int node, size_t budget, const struct kernel_numbers *numbers,
                                     struct tensor *out, struct diag *d)
{
    struct state st;
    enum calque_status s = state_init(&st, g, node + 1, 1, d);
    int output, from = producer(g, node, &output), slot;

    st.r.budget = budget;
    st.r.numbers = numbers ? *numbers : st.r.numbers;
    if (!s && from < 0)
        s = node_error(g, node, d, CALQUE_NO, "not one tensor");
    if (!s) {
        slot = st.base[from] + output;
        st.need[from] = true;
        st.last[slot] = INT_MAX;
        if (!(s = plan(&st)) && !(s = constant(&st)) && !(s = steps(&st)))
            s = tensor_copy(g->mem, st.seen[slot], out, d);
    }
    state_free(&st);
    if (s == CALQUE_BAD) {
        s = CALQUE_NO;
        if (d)
            d->status = s;
    }
    return s;
}
