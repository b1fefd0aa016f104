/* Kernels, what packing makes of them, and changes of that: what the unit tests of the check of packing and emit_packed.c share. */
#ifndef CALQUE_TESTS_EMIT_PACK_BENCH_H
#define CALQUE_TESTS_EMIT_PACK_BENCH_H

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "emit/module.h"

enum { TENSORS = 32 };

/* A kernel, what packing made of it, and the data of its constants, the tensors with capital letters after V. */
struct bench_pack {
    struct kernel k, q;
    struct pack p;
    struct tensor value[TENSORS];
    const struct tensor *known[TENSORS];
    struct pack_const c;
    bool changed;
};

static struct mem mem = MEM_INIT;
static struct strs strs;
static unsigned seed = 1;

/* Of the set-up, not of what is tested. */
static inline void must(bool good)
{
    if (!good) {
        fprintf(stderr, "a kernel is not made\n");
        exit(3);
    }
}

static inline unsigned draw(unsigned n)
{
    seed = seed * 1664525u + 1013904223u;
    return (seed >> 8) % n;
}

static inline void fill(float *x, long n)
{
    for (long i = 0; i < n; i++)
        x[i] = (float)draw(2001) / 500.0f - 2.0f;
}

static inline void parse(struct kernel *k, const char *text, enum kernel_type type)
{
    struct diag d;

    kernel_init(k, &mem, &strs, type);
    if (kernel_parse(k, "kernel", text, strlen(text), NULL, -1, &d) != CALQUE_OK) {
        fprintf(stderr, "%s: %s\n", text, d.text);
        must(false);
    }
}

static inline void pack_values(struct bench_pack *b)
{
    struct diag d;

    for (int i = 0; i < b->p.n; i++) {
        struct packed *e = &b->p.a[i];
        mem_free(e->data);
        must(pack_data(&mem, &b->q.tensor.a[e->tensor], e, b->value[e->tensor].data, &e->data, &d) == CALQUE_OK);
    }
}

static bool bench_fused; /* are the sums of products of open_bench fused? */

/* Packs as call_group does: rounded up where that is better, then panels, then the order of loops. */
static inline void open_bench(struct bench_pack *b, const char *text)
{
    struct diag d;
    struct kernel q[2];
    struct pack p[2];
    double score;
    bool once, twice;

    memset(b, 0, sizeof *b);
    parse(&b->k, text, KERNEL_F32);
    must(b->k.tensor.n <= TENSORS && (!bench_fused || kernel_fuse(&b->k, &d) == CALQUE_OK));
    b->c.value = b->known;
    for (int t = 0; t < b->k.tensor.n; t++) {
        struct tensor *v = &b->value[t];
        if (b->k.tensor.a[t].role != KERNEL_IN || strs_text(&strs, b->k.tensor.a[t].name)[0] < 'V')
            continue;
        if (strcmp(strs_text(&strs, b->k.tensor.a[t].name), "X") == 0)
            continue;
        v->dtype = DTYPE_F32;
        v->shape.rank = b->k.tensor.a[t].rank;
        memcpy(v->shape.dim, b->k.tensor.a[t].dim, sizeof b->k.tensor.a[t].dim);
        v->bytes = kernel_bytes(&b->k, t);
        v->data = mem_zero(&mem, v->bytes, 1);
        fill(v->data, kernel_elems(&b->k, t));
        b->known[t] = v;
    }
    for (int i = 0; i < 2; i++)
        must(kernel_copy(&b->k, &q[i], &d) == CALQUE_OK);
    once = pack_kernel(&q[0], &b->c, NULL, &p[0], &d) == CALQUE_OK;
    score = once ? p[0].score : lower_tile_score(&b->k, b->k.stmt.n - 1);
    twice = pack_kernel(&q[1], &b->c, &score, &p[1], &d) == CALQUE_OK;
    must(kernel_copy(twice ? &q[1] : once ? &q[0] : &b->k, &b->q, &d) == CALQUE_OK);
    if (once || twice)
        b->p = p[twice];
    b->changed = pack_panels(&b->q, &b->c, b->k.tensor.n, &b->p, &d) == CALQUE_OK || once || twice;
    pack_rows_first(&b->q);
    pack_values(b);
    kernel_free(&q[0]);
    kernel_free(&q[1]);
}

static inline void close_bench(struct bench_pack *b)
{
    for (int i = 0; i < b->p.n; i++)
        mem_free(b->p.a[i].data);
    for (int t = 0; t < TENSORS; t++)
        mem_free(b->value[t].data);
    kernel_free(&b->k);
    kernel_free(&b->q);
}

static inline enum calque_status check(const struct bench_pack *b, struct diag *d)
{
    d->text[0] = '\0';
    return pack_check(&b->k, &b->q, &b->c, &b->p, d);
}

static const char conv[] =
    "Y<1,16,2,17>[n,k,p,q] = max(sum(c<12,r<3,s<3) select(p+r-1 >= 0 && p+r-1 < 2 && q+s-1 >= 0 && q+s-1 < 17, "
    "X<1,12,2,17>[n,c,p+r-1,q+s-1] * W<16,12,3,3>[k,c,r,s], 0) + Z<16>[k], 0);";
static const char product[] =
    "Y<64,500>[i,j] = max(sum(k<256) (X<64,256>[i,k] * W<500,256>[j,k]) + Z<500>[j], 0);";
/* Of sizes that no tile divides, and no operand is known: both get zeros, and the second one goes into panels. */
static const char given[] = "Y<37,251>[i,j] = sum(k<128) (A<37,128>[i,k] * B<128,251>[k,j]);";
static const char panels[] = "Y<32,256>[i,j] = sum(k<128) (A<32,128>[i,k] * B<128,256>[k,j]);";

/* ---- changes ---- */

/* The first expression of this kind below one, with this op unless it is -1; NULL: there is none. */
static inline struct ex *below(struct kernel *q, int id, int kind, int op)
{
    struct ex *e = &q->ex.a[id], *r;

    if (e->kind == kind && (op < 0 || e->op == op))
        return e;
    if (e->kind == EX_CONST || e->kind == EX_LOAD)
        return NULL;
    r = below(q, e->a, kind, op);
    return r || e->kind == EX_REDUCE || e->b < 0 ? r : below(q, e->b, kind, op);
}

static inline struct ex *in(struct bench_pack *b, int stmt, int kind, int op)
{
    struct ex *e = below(&b->q, b->q.stmt.a[stmt].body, kind, op);

    must(e != NULL);
    return e;
}

static inline int tensor(const struct bench_pack *b, const char *name)
{
    int t = kernel_find_tensor(&b->q, strs_addz(&strs, name));

    must(t >= 0);
    return t;
}

static inline struct ex *load(struct bench_pack *b, int stmt, const char *name)
{
    return in(b, stmt, EX_LOAD, tensor(b, name));
}

/* Index d of the load becomes sign * index + by. */
static inline void turn(struct bench_pack *b, const struct ex *e, int d, long sign, long by)
{
    struct kernel *q = &b->q;
    int *at = &q->pool.a[e->first + d];
    int x = kernel_ix(q, (struct ix){IX_MUL, *at, -1, sign}), y = kernel_ix(q, (struct ix){IX_CONST, -1, -1, by});

    *at = kernel_ix(q, (struct ix){IX_ADD, x, y, 0});
}

static inline void swap(int *a, int *b)
{
    int c = *a;

    *a = *b;
    *b = c;
}

static inline void swap_data(float *x, long i, long j)
{
    float c = x[i];

    must(c != x[j]);
    x[i] = x[j];
    x[j] = c;
}

static inline float *packed_data(struct bench_pack *b, const char *name)
{
    for (int i = 0; i < b->p.n; i++)
        if (b->p.a[i].tensor == tensor(b, name))
            return b->p.a[i].data;
    must(false);
    return NULL;
}

static inline float *values(struct bench_pack *b, const char *name)
{
    return b->value[tensor(b, name)].data;
}

static inline void pad_channels(struct bench_pack *b) { turn(b, in(b, 0, EX_LOAD, -1), 1, -1, 11); }
static inline void pad_offset(struct bench_pack *b) { turn(b, in(b, 0, EX_LOAD, -1), 3, 1, 1); }
static inline void pad_read(struct bench_pack *b) { turn(b, in(b, 1, EX_LOAD, -1), 3, -1, 19); }
static inline void guard_lost(struct bench_pack *b) { in(b, 0, EX_SELECT, -1)->n--; }
static inline void guard_narrow(struct bench_pack *b) { b->q.cond.a[in(b, 0, EX_SELECT, -1)->first].op = CMP_GT; }
static inline void guard_order(struct bench_pack *b) { swap(&in(b, 0, EX_SELECT, -1)->a, &in(b, 0, EX_SELECT, -1)->b); }
static inline void border_one(struct bench_pack *b) { in(b, 0, EX_CONST, -1)->num = 1; }
static inline void border_minus(struct bench_pack *b) { in(b, 0, EX_CONST, -1)->num = -0.0; }
static inline void relu(struct bench_pack *b) { b->q.ex.a[in(b, 1, EX_CALL, FN_MAX)->b].num = -0.5; }
static inline void bias(struct bench_pack *b) { turn(b, load(b, 1, "Z"), 0, -1, 15); }

static inline void swapped_dims(struct bench_pack *b)
{
    struct ex *e = load(b, 1, "W");
    swap(&b->q.pool.a[e->first + 1], &b->q.pool.a[e->first + 2]);
}

static inline void sum_order(struct bench_pack *b)
{
    struct ex *e = in(b, 1, EX_REDUCE, -1);
    swap(&b->q.pool.a[e->first + 1], &b->q.pool.a[e->first + 2]);
}

static inline void sum_outer(struct bench_pack *b)
{
    struct ex *e = in(b, 1, EX_REDUCE, -1);
    swap(&b->q.pool.a[e->first], &b->q.pool.a[e->first + 1]);
}

static inline void sum_backwards(struct bench_pack *b)
{
    turn(b, load(b, 1, "W"), 0, -1, 11);
    turn(b, in(b, 1, EX_LOAD, tensor(b, "P5")), 1, -1, 11);
}

static inline void sum_fewer(struct bench_pack *b)
{
    struct ex *e = in(b, 1, EX_REDUCE, -1);
    b->q.var.a[b->q.stmt.a[1].var + b->q.pool.a[e->first]].extent--;
}

static inline void sum_max(struct bench_pack *b) { in(b, 1, EX_REDUCE, -1)->op = RED_MAX; }
static inline void factors(struct bench_pack *b) { swap(&in(b, 1, EX_CALL, FN_MUL)->a, &in(b, 1, EX_CALL, FN_MUL)->b); }
static inline void function(struct bench_pack *b) { in(b, 1, EX_CALL, FN_MUL)->op = FN_ADD; }

static inline void map_place(struct bench_pack *b) { b->p.a[0].place++; }
static inline void map_size(struct bench_pack *b) { b->p.a[0].n--; }
static inline void map_cells(struct bench_pack *b) { b->p.a[0].cells = 16; }
static inline void map_none(struct bench_pack *b) { mem_free(b->p.a[0].data), b->p.n = 0; }
static inline void map_input(struct bench_pack *b) { b->known[tensor(b, "W")] = NULL; }
static inline void map_twice(struct bench_pack *b) { b->p.a[b->p.n] = b->p.a[0], b->p.a[b->p.n++].data = NULL; }
static inline void map_outside(struct bench_pack *b) { b->p.a[0].tensor = b->k.tensor.n; }

static inline void data_swapped(struct bench_pack *b) { swap_data(packed_data(b, "W"), 16, 48); }
static inline void data_zero(struct bench_pack *b) { packed_data(b, "W")[7] = 0; }
static inline void data_last(struct bench_pack *b) { packed_data(b, "W")[16 * 12 * 9 - 1] += 1; }
static inline void data_missing(struct bench_pack *b) { mem_free(b->p.a[0].data), b->p.a[0].data = NULL; }
static inline void data_unpacked(struct bench_pack *b) { memcpy(packed_data(b, "W"), values(b, "W"), b->value[tensor(b, "W")].bytes); }

static inline void data_sign(struct bench_pack *b)
{
    values(b, "W")[0] = 0;
    packed_data(b, "W")[0] = -0.0f;
}

static inline void weight_infinite(struct bench_pack *b)
{
    values(b, "W")[100] = INFINITY;
    pack_values(b);
}

static inline void weight_nan(struct bench_pack *b)
{
    values(b, "W")[0] = NAN;
    pack_values(b);
}

static inline void copy_more(struct bench_pack *b)
{
    b->q.tensor.a[tensor(b, "Y")].dim[3]++;
    b->q.var.a[b->q.stmt.a[2].var + 3].extent++;
}

static inline void copy_beyond(struct bench_pack *b) { b->q.var.a[b->q.stmt.a[2].var + 3].extent++; }
static inline void copy_offset(struct bench_pack *b) { turn(b, in(b, 2, EX_LOAD, -1), 3, 1, 1); }
static inline void copy_lost(struct bench_pack *b) { b->q.stmt.n--; }
static inline void copy_input(struct bench_pack *b) { b->q.tensor.a[tensor(b, "P5")].role = KERNEL_IN; }
static inline void stored_otherwise(struct bench_pack *b) { b->q.tensor.a[tensor(b, "P5")].elem = ELEM_I32; }
static inline void never_stored(struct bench_pack *b) { b->q.stmt.a[0].out = tensor(b, "P5"), b->q.stmt.a[1] = b->q.stmt.a[2], b->q.stmt.n = 2; }
static inline void other_type(struct bench_pack *b) { b->q.type = KERNEL_F64; }

static inline void order(struct bench_pack *b)
{
    struct kernel_stmt s = b->q.stmt.a[0];
    b->q.stmt.a[0] = b->q.stmt.a[1];
    b->q.stmt.a[1] = s;
}

static inline void twice(struct bench_pack *b)
{
    must(vec_room(&mem, &b->q.stmt, 1));
    b->q.stmt.a[b->q.stmt.n] = b->q.stmt.a[2];
    b->q.stmt.n++;
}

/* Of the product: X is padded, W in panels, all rounded up. */
static inline void zeros_read(struct bench_pack *b) { turn(b, in(b, 2, EX_LOAD, -1), 1, 1, 12); }
static inline void row_read(struct bench_pack *b) { turn(b, in(b, 2, EX_LOAD, -1), 0, 1, 1); }
static inline void zeros_changed(struct bench_pack *b) { packed_data(b, "Z")[511] = 1; }
static inline void panel_zeros_changed(struct bench_pack *b) { packed_data(b, "W")[512 * 256 - 1] = 1; }
static inline void panel_index(struct bench_pack *b) { turn(b, load(b, 1, "W"), 0, 0, 0); }
static inline void panel_cell(struct bench_pack *b) { turn(b, load(b, 1, "W"), 2, -1, 15); }
static inline void panels_swapped(struct bench_pack *b) { swap_data(packed_data(b, "W"), 0, 16 * 256); }
static inline void panel_short(struct bench_pack *b)
{
    for (int i = 0; i < b->p.n; i++)
        b->p.a[i].cells /= 2;
}

/* Of the computed panels. */
static inline void panel_copy(struct bench_pack *b) { turn(b, in(b, 0, EX_LOAD, -1), 0, -1, 127); }
static inline void panel_step(struct bench_pack *b)
{
    for (int i = 0; i < b->q.ix.n; i++)
        if (b->q.ix.a[i].kind == IX_MUL && b->q.ix.a[i].k >= 16) /* a panel's cells */
            b->q.ix.a[i].k--;
}

static const char why_cell[] = "it computes another cell", why_outside[] = "it may read outside of a tensor",
                  why_shape[] = "a packed constant has another shape", why_data[] = "the data of a packed constant are others",
                  why_constant[] = "what is packed is no constant", why_temp[] = "a tensor that was added is no temporary",
                  why_zeros[] = "it may read the zeros behind a packed constant";

/* Each is refused, for this reason. */
static const struct {
    const char *text;
    void (*make)(struct bench_pack *b);
    const char *why;
} changes[] = {{conv, pad_channels, why_cell}, {conv, pad_offset, why_outside}, {conv, pad_read, why_cell}, {conv, guard_lost, why_outside},
               {conv, guard_narrow, why_cell}, {conv, guard_order, why_outside}, {conv, border_one, why_cell}, {conv, border_minus, why_cell},
               {conv, relu, why_cell}, {conv, bias, why_cell}, {conv, swapped_dims, why_cell}, {conv, sum_order, why_cell},
               {conv, sum_outer, why_cell}, {conv, sum_backwards, why_cell}, {conv, sum_fewer, why_cell}, {conv, sum_max, why_cell},
               {conv, factors, why_cell}, {conv, function, why_cell}, {conv, map_place, why_shape}, {conv, map_size, why_shape},
               {conv, map_cells, why_shape}, {conv, map_none, "a tensor has another shape"}, {conv, map_input, why_constant},
               {conv, map_twice, why_constant}, {conv, map_outside, "a tensor has another shape"}, {conv, data_swapped, why_data},
               {conv, data_zero, why_data}, {conv, data_last, why_data}, {conv, data_missing, why_data}, {conv, data_unpacked, why_data},
               {conv, data_sign, why_data}, {conv, weight_infinite, why_cell}, {conv, weight_nan, why_cell},
               {conv, copy_more, "a tensor has another shape"}, {conv, copy_beyond, why_outside}, {conv, copy_offset, why_cell},
               {conv, copy_lost, "another tensor is stored"}, {conv, copy_input, why_temp}, {conv, stored_otherwise, why_temp},
               {conv, never_stored, why_temp}, {conv, other_type, "it computes on other numbers"},
               {conv, order, "a tensor is read before it is stored"}, {conv, twice, "a tensor is stored twice"},
               {product, zeros_read, why_zeros}, {product, row_read, why_cell},
               {product, zeros_changed, why_data}, {product, panel_zeros_changed, why_data}, {product, panel_index, why_cell},
               {product, panel_cell, why_outside}, {product, panels_swapped, why_data}, {product, panel_short, why_shape},
               {panels, panel_copy, why_cell}, {panels, panel_step, why_cell}};

enum { CHANGES = sizeof changes / sizeof *changes };

/* ---- random kernels ---- */

static inline void random_text(char *s, size_t n)
{
    unsigned k = 8 + draw(60), c = 1 + draw(12), h = 2 + draw(12), w = 2 + draw(20), r = 1 + draw(3), pad = draw(r + 1);
    unsigned stride = 1 + draw(2), y, x;
    const char *end = draw(2) ? " + Z<%u>[k], 0)" : ", Z<%u>[k])";
    int at;

    if (draw(3) == 0) { /* a product */
        unsigned i = 8 + draw(60), j = 8 + draw(90), m = 4 + draw(200);
        const char *b = draw(2) ? "W" : "B";
        if (draw(3) == 0) {
            snprintf(s, n, "Y<%u,%u>[i,j] = sum(k<%u) (X<%u,%u>[i,k] * %s<%u,%u>[k,j]);", i, j, m, i, m, b, m, j);
            return;
        }
        at = snprintf(s, n, draw(2) ? "Y<%u,%u>[i,j] = sum(k<%u) (X<%u,%u>[i,k] * %s<%u,%u>[j,k]);" :
                                      "Y<%u,%u>[i,j] = sum(k<%u) (X<%u,%u>[i,k] * %s<%u,%u>[j,k]) * 2;",
                      i, j, m, i, m, b, j, m);
        must(at > 0 && (size_t)at < n);
        return;
    }
    if (h + 2 * pad < r || w + 2 * pad < r)
        pad = r;
    y = (h + 2 * pad - r) / stride + 1;
    x = (w + 2 * pad - r) / stride + 1;
    at = snprintf(s, n,
                  "Y<1,%u,%u,%u>[n,k,p,q] = max(sum(c<%u,r<%u,s<%u) select(%u*p+r-%u >= 0 && %u*p+r-%u < %u && %u*q+s-%u >= 0 && "
                  "%u*q+s-%u < %u, X<1,%u,%u,%u>[n,c,%u*p+r-%u,%u*q+s-%u] * W<%u,%u,%u,%u>[k,c,r,s], 0)",
                  k, y, x, c, r, r, stride, pad, stride, pad, h, stride, pad, stride, pad, w, c, h, w, stride, pad, stride, pad, k, c,
                  r, r);
    must(at > 0 && (size_t)at < n);
    at += snprintf(s + at, n - (size_t)at, end, k);
    snprintf(s + at, n - (size_t)at, ";");
}

/* One random change of the kernel or of its data. */
static inline void spoil(struct bench_pack *b)
{
    struct kernel *q = &b->q;
    int i;

    switch (draw(8)) {
    case 0:
        i = (int)draw((unsigned)q->ix.n);
        q->ix.a[i].k += q->ix.a[i].kind == IX_VAR || q->ix.a[i].kind == IX_ADD ? 0 : draw(2) ? 1 : -1;
        break;
    case 1:
        i = (int)draw((unsigned)q->ix.n);
        q->ix.a[i].kind = q->ix.a[i].kind == IX_ADD ? IX_SUB : q->ix.a[i].kind == IX_DIV ? IX_MOD : q->ix.a[i].kind;
        break;
    case 2:
        if (q->cond.n > 0)
            q->cond.a[draw((unsigned)q->cond.n)].op = (int)draw(6);
        break;
    case 3:
        i = (int)draw((unsigned)q->ex.n);
        if (q->ex.a[i].n > 1 && q->ex.a[i].kind != EX_SELECT)
            swap(&q->pool.a[q->ex.a[i].first], &q->pool.a[q->ex.a[i].first + 1]);
        break;
    case 4:
        i = (int)draw((unsigned)q->ex.n);
        if (q->ex.a[i].kind == EX_CALL && q->ex.a[i].b >= 0)
            swap(&q->ex.a[i].a, &q->ex.a[i].b);
        break;
    case 5:
        if (b->p.n > 0) {
            const struct packed *e = &b->p.a[draw((unsigned)b->p.n)];
            ((float *)e->data)[draw((unsigned)kernel_elems(q, e->tensor))] += 0.25f;
        }
        break;
    case 6: q->ex.a[draw((unsigned)q->ex.n)].num += 0.5; break;
    default: q->var.a[draw((unsigned)q->var.n)].extent += draw(2) ? 1 : -1;
    }
}

#endif
