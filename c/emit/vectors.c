/* Test vectors: random inputs and the bits that the reference interpreter gives for them (format: emit.h). */
#include "emit/emit.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

#include "tensor/op.h"
#include "tensor/gen.h"

enum { VECTORS_THREADS = 2 }; /* the interpreter's result does not depend on it */

/* What is computed: a graph, or else a kernel. tensor[0..nin-1] are the inputs, then come the outputs. */
struct source {
    const struct graph *g;
    const struct kernel *k;
    struct mem *mem;
    const struct kernel_numbers *numbers; /* of the graph; a kernel has its own */
    struct tensor *tensor;
    int nin, nout;
    int *place;  /* of the kernel: tensor -> place in `tensor` */
    size_t bytes; /* of one vector */
};

static double now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static void drop(struct source *s)
{
    for (int i = 0; s->tensor && i < s->nin + s->nout; i++)
        tensor_free(&s->tensor[i]);
}

static void put_number(unsigned char *p, uint64_t x)
{
    for (int i = 0; i < 8; i++)
        p[i] = (unsigned char)(x >> 8 * i);
}

static uint64_t checksum(const unsigned char *p, size_t n)
{
    uint64_t h = 0xcbf29ce484222325u;

    for (size_t i = 0; i < n; i++)
        h = (h + p[i]) * 0x100000001b3u;
    return h;
}

static const int onnx_type[] = { [KERNEL_F32] = DTYPE_F32, [KERNEL_F64] = DTYPE_F64, [KERNEL_I32] = DTYPE_I32,
                                 [KERNEL_I64] = DTYPE_I64 };

/* Zeroed tensors for the kernel's inputs and outputs. */
static enum calque_status kernel_tensors(struct source *s, struct diag *d)
{
    const struct kernel *k = s->k;
    enum calque_status st = CALQUE_OK;

    for (int t = 0; t < k->tensor.n && st == CALQUE_OK; t++) {
        struct shape shape = { .rank = k->tensor.a[t].rank };
        if (k->tensor.a[t].role == KERNEL_TEMP)
            continue;
        memcpy(shape.dim, k->tensor.a[t].dim, sizeof shape.dim);
        st = tensor_new(s->mem, onnx_type[k->type], &shape, &s->tensor[s->place[t]], d);
    }
    return st;
}

static enum calque_status run_kernel(struct source *s, struct diag *d)
{
    const struct kernel *k = s->k;
    void **data = mem_zero(s->mem, (size_t)k->tensor.n + 1, sizeof *data);
    enum calque_status st = data ? CALQUE_OK : diag_nomem(d);

    for (int t = 0; t < k->tensor.n && st == CALQUE_OK; t++) {
        if (k->tensor.a[t].role != KERNEL_TEMP)
            data[t] = s->tensor[s->place[t]].data;
        else if (!(data[t] = mem_zero(s->mem, (size_t)kernel_elems(k, t) + 1, kernel_type_size(k->type))))
            st = diag_nomem(d);
    }
    if (st == CALQUE_OK)
        st = kernel_run(k, data, VECTORS_THREADS, d);
    for (int t = 0; data && t < k->tensor.n; t++)
        if (k->tensor.a[t].role == KERNEL_TEMP)
            mem_free(data[t]);
    mem_free(data);
    return st;
}

static enum calque_status graph_inputs(struct source *s, struct diag *d)
{
    enum calque_status st = CALQUE_OK;

    for (int i = 0; i < s->nin && st == CALQUE_OK; i++) {
        const struct node *x = &s->g->node.a[s->g->input.a[i]];
        st = tensor_new(s->mem, x->dtype, &x->shape, &s->tensor[i], d);
    }
    return st;
}

/* One vector into out, which has room for s->bytes. */
static enum calque_status one(struct source *s, unsigned long seed, unsigned char *out, struct diag *d)
{
    enum calque_status st;
    size_t at = 0;

    memset(s->tensor, 0, (size_t)(s->nin + s->nout) * sizeof *s->tensor);
    st = s->g ? graph_inputs(s, d) : kernel_tensors(s, d);
    for (int i = 0; i < s->nin && st == CALQUE_OK; i++)
        st = s->g ? graph_random(s->g, i, &s->tensor[i], &seed, d) : tensor_random(&s->tensor[i], &seed, d);
    if (st == CALQUE_OK)
        st = s->g ? graph_run(s->g, s->tensor, s->tensor + s->nin, VECTORS_THREADS, s->numbers, d) : run_kernel(s, d);
    for (int i = 0; i < s->nin + s->nout && st == CALQUE_OK; i++) {
        const struct tensor *t = &s->tensor[i];
        if (t->bytes > s->bytes - at)
            st = diag_set(d, CALQUE_INTERNAL, "", 0, 0, "a test vector is larger than its tensors");
        else if (t->bytes > 0)
            memcpy(out + at, t->data, t->bytes);
        at += t->bytes;
    }
    drop(s);
    return st;
}

static enum calque_status fill(struct source *s, int n, unsigned char *data, struct diag *d)
{
    enum calque_status st = CALQUE_OK;

    s->tensor = mem_zero(s->mem, (size_t)(s->nin + s->nout) + 1, sizeof *s->tensor);
    if (!s->tensor)
        return diag_nomem(d);
    for (int k = 0; k < n && st == CALQUE_OK; k++)
        st = one(s, (unsigned long)k + 1, data + VECTORS_HEAD + (size_t)k * s->bytes, d);
    mem_free(s->tensor);
    memcpy(data, "calquev1", 8);
    put_number(data + 8, (uint64_t)n);
    put_number(data + 16, s->bytes);
    put_number(data + 24, checksum(data + VECTORS_HEAD, (size_t)n * s->bytes));
    return st;
}

static enum calque_status append(struct source *s, const struct emit_options *o, struct emit_files *out, struct diag *d)
{
    struct emit_file f = { .name = "vectors.bin" };
    size_t most = o->vectors_try ? VECTORS_BYTES_TRY : VECTORS_BYTES_MAX;
    int n = o->vectors;
    double start = now();
    enum calque_status st;

    if (n > VECTORS_MAX)
        return diag_set(d, CALQUE_LIMIT, "", 0, 0, "emit: more than %d test vectors", (int)VECTORS_MAX);
    if (s->bytes > (most - VECTORS_HEAD) / (size_t)n)
        return diag_set(d, CALQUE_LIMIT, "", 0, 0, "emit: %d test vector%s of %zu bytes: more than %zu in all", n,
                        n == 1 ? "" : "s", s->bytes, most);
    f.n = VECTORS_HEAD + (size_t)n * s->bytes;
    f.data = mem_zero(s->mem, f.n, 1);
    if (!f.data || !vec_room(out->mem, &out->file, 1)) {
        mem_free(f.data);
        return diag_nomem(d);
    }
    if (o->vectors_start)
        o->vectors_start();
    st = fill(s, n, f.data, d);
    if (st != CALQUE_OK) {
        mem_free(f.data);
        return st;
    }
    out->file.a[out->file.n++] = f;
    out->vectors = n;
    out->vector_seconds = now() - start;
    return CALQUE_OK;
}

/* With vectors_try what the interpreter or a limit refuses is no error. */
static enum calque_status tried(enum calque_status st, const struct emit_options *o, const struct diag *why,
                                struct emit_files *out, struct diag *d)
{
    if (st != CALQUE_OK && d)
        *d = *why;
    if (!o->vectors_try || st == CALQUE_OK || st == CALQUE_NOMEM || st == CALQUE_INTERNAL)
        return st;
    snprintf(out->no_vectors, sizeof out->no_vectors, "%s", why->text);
    if (d)
        diag_clear(d);
    return CALQUE_OK;
}

enum calque_status vectors_graph(const struct graph *g, const struct emit_options *o, struct emit_files *out, struct diag *d)
{
    struct source s = { .g = g, .mem = g->mem, .numbers = &o->numbers, .nin = g->input.n, .nout = g->output.n };
    struct diag why;

    if (o->vectors <= 0)
        return CALQUE_OK;
    diag_clear(&why);
    for (int i = 0; i < s.nin + s.nout; i++) {
        const struct node *x = &g->node.a[i < s.nin ? g->input.a[i] : g->output.a[i - s.nin].node];
        s.bytes += (size_t)shape_elems(&x->shape) * dtype_size(x->dtype);
    }
    return tried(append(&s, o, out, &why), o, &why, out, d);
}

enum calque_status vectors_kernel(const struct kernel *k, const struct emit_options *o, struct emit_files *out,
                                  struct diag *d)
{
    struct source s = { .k = k, .mem = k->mem };
    struct diag why;
    enum calque_status st;

    if (o->vectors <= 0)
        return CALQUE_OK;
    diag_clear(&why);
    s.place = mem_zero(k->mem, (size_t)k->tensor.n + 1, sizeof *s.place);
    if (!s.place)
        return diag_nomem(d);
    for (int pass = 0; pass < 2; pass++)
        for (int t = 0; t < k->tensor.n; t++) {
            if (k->tensor.a[t].role != (pass == 0 ? KERNEL_IN : KERNEL_OUT))
                continue;
            s.place[t] = pass == 0 ? s.nin++ : s.nin + s.nout++;
            s.bytes += (size_t)kernel_elems(k, t) * kernel_type_size(k->type);
        }
    st = append(&s, o, out, &why);
    mem_free(s.place);
    return tried(st, o, &why, out, d);
}
