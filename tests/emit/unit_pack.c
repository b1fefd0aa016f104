/* The check that a packed kernel computes the original: what packing makes is seen to, changes of it and of the packed data are
   refused with the reason, and what random changes the check lets pass compute the same bits. Constants that are stored in bytes. */
#include "models.h"

#include <math.h>

#include "emit/module.h"

enum { TENSORS = 8 };

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

static unsigned draw(unsigned n)
{
    seed = seed * 1664525u + 1013904223u;
    return (seed >> 8) % n;
}

static void fill(float *x, long n)
{
    for (long i = 0; i < n; i++)
        x[i] = (float)draw(2001) / 500.0f - 2.0f;
}

static void parse(struct kernel *k, const char *text, enum kernel_type type)
{
    struct diag d;

    kernel_init(k, &mem, &strs, type);
    if (kernel_parse(k, "kernel", text, strlen(text), NULL, -1, &d) != CALQUE_OK) {
        fprintf(stderr, "%s: %s\n", text, d.text);
        CU_FAIL_FATAL("the kernel is not read");
    }
}

static void pack_values(struct bench_pack *b)
{
    struct diag d;

    for (int i = 0; i < b->p.n; i++) {
        struct packed *e = &b->p.a[i];
        mem_free(e->data);
        CU_ASSERT_EQUAL_FATAL(pack_data(&mem, &b->q.tensor.a[e->tensor], e, b->value[e->tensor].data, &e->data, &d), CALQUE_OK);
    }
}

/* Packs as call_group does: rounded up where that is better, then panels. */
static void open_bench(struct bench_pack *b, const char *text)
{
    struct diag d;
    struct kernel q[2];
    struct pack p[2];
    double score;
    bool once, twice;

    memset(b, 0, sizeof *b);
    parse(&b->k, text, KERNEL_F32);
    CU_ASSERT_FATAL(b->k.tensor.n <= TENSORS);
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
        CU_ASSERT_EQUAL_FATAL(kernel_copy(&b->k, &q[i], &d), CALQUE_OK);
    once = pack_kernel(&q[0], &b->c, NULL, &p[0], &d) == CALQUE_OK;
    score = once ? p[0].score : lower_tile_score(&b->k, b->k.stmt.n - 1);
    twice = pack_kernel(&q[1], &b->c, &score, &p[1], &d) == CALQUE_OK;
    CU_ASSERT_EQUAL_FATAL(kernel_copy(twice ? &q[1] : once ? &q[0] : &b->k, &b->q, &d), CALQUE_OK);
    if (once || twice)
        b->p = p[twice];
    b->changed = pack_panels(&b->q, &b->c, b->k.tensor.n, &b->p, &d) == CALQUE_OK || once || twice;
    pack_values(b);
    kernel_free(&q[0]);
    kernel_free(&q[1]);
}

static void close_bench(struct bench_pack *b)
{
    for (int i = 0; i < b->p.n; i++)
        mem_free(b->p.a[i].data);
    for (int t = 0; t < TENSORS; t++)
        mem_free(b->value[t].data);
    kernel_free(&b->k);
    kernel_free(&b->q);
}

static enum calque_status check(const struct bench_pack *b, struct diag *d)
{
    d->text[0] = '\0';
    return pack_check(&b->k, &b->q, &b->c, &b->p, d);
}

static const char conv[] =
    "Y<1,16,2,17>[n,k,p,q] = max(sum(c<12,r<3,s<3) select(p+r-1 >= 0 && p+r-1 < 2 && q+s-1 >= 0 && q+s-1 < 17, "
    "X<1,12,2,17>[n,c,p+r-1,q+s-1] * W<16,12,3,3>[k,c,r,s], 0) + Z<16>[k], 0);";
static const char product[] =
    "Y<64,500>[i,j] = max(sum(k<256) (X<64,256>[i,k] * W<500,256>[j,k]) + Z<500>[j], 0);";
static const char panels[] = "Y<32,256>[i,j] = sum(k<128) (A<32,128>[i,k] * B<128,256>[k,j]);";

/* ---- changes ---- */

/* The first expression of this kind below one, with this op unless it is -1; NULL: there is none. */
static struct ex *below(struct kernel *q, int id, int kind, int op)
{
    struct ex *e = &q->ex.a[id], *r;

    if (e->kind == kind && (op < 0 || e->op == op))
        return e;
    if (e->kind == EX_CONST || e->kind == EX_LOAD)
        return NULL;
    r = below(q, e->a, kind, op);
    return r || e->kind == EX_REDUCE || e->b < 0 ? r : below(q, e->b, kind, op);
}

static struct ex *in(struct bench_pack *b, int stmt, int kind, int op)
{
    struct ex *e = below(&b->q, b->q.stmt.a[stmt].body, kind, op);

    CU_ASSERT_PTR_NOT_NULL_FATAL(e);
    return e;
}

static int tensor(const struct bench_pack *b, const char *name)
{
    int t = kernel_find_tensor(&b->q, strs_addz(&strs, name));

    CU_ASSERT_FATAL(t >= 0);
    return t;
}

static struct ex *load(struct bench_pack *b, int stmt, const char *name)
{
    return in(b, stmt, EX_LOAD, tensor(b, name));
}

/* Index d of the load becomes sign * index + by. */
static void turn(struct bench_pack *b, const struct ex *e, int d, long sign, long by)
{
    struct kernel *q = &b->q;
    int *at = &q->pool.a[e->first + d];
    int x = kernel_ix(q, (struct ix){IX_MUL, *at, -1, sign}), y = kernel_ix(q, (struct ix){IX_CONST, -1, -1, by});

    *at = kernel_ix(q, (struct ix){IX_ADD, x, y, 0});
}

static void swap(int *a, int *b)
{
    int c = *a;

    *a = *b;
    *b = c;
}

static void swap_data(float *x, long i, long j)
{
    float c = x[i];

    CU_ASSERT_FATAL(c != x[j]);
    x[i] = x[j];
    x[j] = c;
}

static float *packed_data(struct bench_pack *b, const char *name)
{
    for (int i = 0; i < b->p.n; i++)
        if (b->p.a[i].tensor == tensor(b, name))
            return b->p.a[i].data;
    CU_FAIL_FATAL("the tensor is not packed");
    return NULL;
}

static float *values(struct bench_pack *b, const char *name)
{
    return b->value[tensor(b, name)].data;
}

static void pad_channels(struct bench_pack *b) { turn(b, in(b, 0, EX_LOAD, -1), 1, -1, 11); }
static void pad_offset(struct bench_pack *b) { turn(b, in(b, 0, EX_LOAD, -1), 3, 1, 1); }
static void pad_read(struct bench_pack *b) { turn(b, in(b, 1, EX_LOAD, -1), 3, -1, 19); }
static void guard_lost(struct bench_pack *b) { in(b, 0, EX_SELECT, -1)->n--; }
static void guard_narrow(struct bench_pack *b) { b->q.cond.a[in(b, 0, EX_SELECT, -1)->first].op = CMP_GT; }
static void guard_order(struct bench_pack *b) { swap(&in(b, 0, EX_SELECT, -1)->a, &in(b, 0, EX_SELECT, -1)->b); }
static void border_one(struct bench_pack *b) { in(b, 0, EX_CONST, -1)->num = 1; }
static void border_minus(struct bench_pack *b) { in(b, 0, EX_CONST, -1)->num = -0.0; }
static void relu(struct bench_pack *b) { b->q.ex.a[in(b, 1, EX_CALL, FN_MAX)->b].num = -0.5; }
static void bias(struct bench_pack *b) { turn(b, load(b, 1, "Z"), 0, -1, 15); }

static void swapped_dims(struct bench_pack *b)
{
    struct ex *e = load(b, 1, "W");
    swap(&b->q.pool.a[e->first + 1], &b->q.pool.a[e->first + 2]);
}

static void sum_order(struct bench_pack *b)
{
    struct ex *e = in(b, 1, EX_REDUCE, -1);
    swap(&b->q.pool.a[e->first + 1], &b->q.pool.a[e->first + 2]);
}

static void sum_outer(struct bench_pack *b)
{
    struct ex *e = in(b, 1, EX_REDUCE, -1);
    swap(&b->q.pool.a[e->first], &b->q.pool.a[e->first + 1]);
}

static void sum_backwards(struct bench_pack *b)
{
    turn(b, load(b, 1, "W"), 0, -1, 11);
    turn(b, in(b, 1, EX_LOAD, tensor(b, "P5")), 1, -1, 11);
}

static void sum_fewer(struct bench_pack *b)
{
    struct ex *e = in(b, 1, EX_REDUCE, -1);
    b->q.var.a[b->q.stmt.a[1].var + b->q.pool.a[e->first]].extent--;
}

static void sum_max(struct bench_pack *b) { in(b, 1, EX_REDUCE, -1)->op = RED_MAX; }
static void factors(struct bench_pack *b) { swap(&in(b, 1, EX_CALL, FN_MUL)->a, &in(b, 1, EX_CALL, FN_MUL)->b); }
static void function(struct bench_pack *b) { in(b, 1, EX_CALL, FN_MUL)->op = FN_ADD; }

static void map_place(struct bench_pack *b) { b->p.a[0].place++; }
static void map_size(struct bench_pack *b) { b->p.a[0].n--; }
static void map_cells(struct bench_pack *b) { b->p.a[0].cells = 16; }
static void map_none(struct bench_pack *b) { mem_free(b->p.a[0].data), b->p.n = 0; }
static void map_input(struct bench_pack *b) { b->known[tensor(b, "W")] = NULL; }
static void map_twice(struct bench_pack *b) { b->p.a[b->p.n] = b->p.a[0], b->p.a[b->p.n++].data = NULL; }
static void map_outside(struct bench_pack *b) { b->p.a[0].tensor = b->k.tensor.n; }

static void data_swapped(struct bench_pack *b) { swap_data(packed_data(b, "W"), 16, 48); }
static void data_zero(struct bench_pack *b) { packed_data(b, "W")[7] = 0; }
static void data_last(struct bench_pack *b) { packed_data(b, "W")[16 * 12 * 9 - 1] += 1; }
static void data_missing(struct bench_pack *b) { mem_free(b->p.a[0].data), b->p.a[0].data = NULL; }
static void data_unpacked(struct bench_pack *b) { memcpy(packed_data(b, "W"), values(b, "W"), b->value[tensor(b, "W")].bytes); }

static void data_sign(struct bench_pack *b)
{
    values(b, "W")[0] = 0;
    packed_data(b, "W")[0] = -0.0f;
}

static void weight_infinite(struct bench_pack *b)
{
    values(b, "W")[100] = INFINITY;
    pack_values(b);
}

static void weight_nan(struct bench_pack *b)
{
    values(b, "W")[0] = NAN;
    pack_values(b);
}

static void copy_more(struct bench_pack *b)
{
    b->q.tensor.a[tensor(b, "Y")].dim[3]++;
    b->q.var.a[b->q.stmt.a[2].var + 3].extent++;
}

static void copy_beyond(struct bench_pack *b) { b->q.var.a[b->q.stmt.a[2].var + 3].extent++; }
static void copy_offset(struct bench_pack *b) { turn(b, in(b, 2, EX_LOAD, -1), 3, 1, 1); }
static void copy_lost(struct bench_pack *b) { b->q.stmt.n--; }
static void copy_input(struct bench_pack *b) { b->q.tensor.a[tensor(b, "P5")].role = KERNEL_IN; }
static void stored_otherwise(struct bench_pack *b) { b->q.tensor.a[tensor(b, "P5")].elem = ELEM_I32; }
static void never_stored(struct bench_pack *b) { b->q.stmt.a[0].out = tensor(b, "P5"), b->q.stmt.a[1] = b->q.stmt.a[2], b->q.stmt.n = 2; }
static void other_type(struct bench_pack *b) { b->q.type = KERNEL_F64; }

static void order(struct bench_pack *b)
{
    struct kernel_stmt s = b->q.stmt.a[0];
    b->q.stmt.a[0] = b->q.stmt.a[1];
    b->q.stmt.a[1] = s;
}

static void twice(struct bench_pack *b)
{
    CU_ASSERT_FATAL(vec_room(&mem, &b->q.stmt, 1));
    b->q.stmt.a[b->q.stmt.n] = b->q.stmt.a[2];
    b->q.stmt.n++;
}

/* Of the product: X is padded, W in panels, all rounded up. */
static void zeros_read(struct bench_pack *b) { turn(b, in(b, 2, EX_LOAD, -1), 1, 1, 12); }
static void row_read(struct bench_pack *b) { turn(b, in(b, 2, EX_LOAD, -1), 0, 1, 1); }
static void zeros_changed(struct bench_pack *b) { packed_data(b, "Z")[511] = 1; }
static void panel_zeros_changed(struct bench_pack *b) { packed_data(b, "W")[512 * 256 - 1] = 1; }
static void panel_index(struct bench_pack *b) { turn(b, load(b, 1, "W"), 0, 0, 0); }
static void panel_cell(struct bench_pack *b) { turn(b, load(b, 1, "W"), 2, -1, 15); }
static void panels_swapped(struct bench_pack *b) { swap_data(packed_data(b, "W"), 0, 16 * 256); }
static void panel_short(struct bench_pack *b)
{
    for (int i = 0; i < b->p.n; i++)
        b->p.a[i].cells /= 2;
}

/* Of the computed panels. */
static void panel_copy(struct bench_pack *b) { turn(b, in(b, 0, EX_LOAD, -1), 0, -1, 127); }
static void panel_step(struct bench_pack *b)
{
    for (int i = 0; i < b->q.ix.n; i++)
        if (b->q.ix.a[i].kind == IX_MUL && b->q.ix.a[i].k == 16)
            b->q.ix.a[i].k = 15;
}

static void test_changes(void)
{
    static const char cell[] = "it computes another cell", outside[] = "it may read outside of a tensor",
                      shape[] = "a packed constant has another shape", data[] = "the data of a packed constant are others",
                      constant[] = "what is packed is no constant", temp[] = "a tensor that was added is no temporary",
                      zeros[] = "it may read the zeros behind a packed constant";
    static const struct {
        const char *text;
        void (*make)(struct bench_pack *b);
        const char *why;
    } all[] = {{conv, pad_channels, cell}, {conv, pad_offset, outside}, {conv, pad_read, cell}, {conv, guard_lost, outside},
               {conv, guard_narrow, cell}, {conv, guard_order, outside}, {conv, border_one, cell}, {conv, border_minus, cell},
               {conv, relu, cell}, {conv, bias, cell}, {conv, swapped_dims, cell}, {conv, sum_order, cell},
               {conv, sum_outer, cell}, {conv, sum_backwards, cell}, {conv, sum_fewer, cell}, {conv, sum_max, cell},
               {conv, factors, cell}, {conv, function, cell}, {conv, map_place, shape}, {conv, map_size, shape},
               {conv, map_cells, shape}, {conv, map_none, "a tensor has another shape"}, {conv, map_input, constant},
               {conv, map_twice, constant}, {conv, map_outside, "a tensor has another shape"}, {conv, data_swapped, data},
               {conv, data_zero, data}, {conv, data_last, data}, {conv, data_missing, data}, {conv, data_unpacked, data},
               {conv, data_sign, data}, {conv, weight_infinite, cell}, {conv, weight_nan, cell},
               {conv, copy_more, "a tensor has another shape"}, {conv, copy_beyond, outside}, {conv, copy_offset, cell},
               {conv, copy_lost, "another tensor is stored"}, {conv, copy_input, temp}, {conv, stored_otherwise, temp},
               {conv, never_stored, temp}, {conv, other_type, "it computes on other numbers"},
               {conv, order, "a tensor is read before it is stored"}, {conv, twice, "a tensor is stored twice"},
               {product, zeros_read, zeros}, {product, row_read, cell},
               {product, zeros_changed, data}, {product, panel_zeros_changed, data}, {product, panel_index, cell},
               {product, panel_cell, zeros}, {product, panels_swapped, data}, {product, panel_short, shape},
               {panels, panel_copy, cell}, {panels, panel_step, cell}};

    for (int i = 0; i < UNIT_COUNT(all); i++) {
        struct bench_pack b;
        struct diag d;
        enum calque_status st;
        open_bench(&b, all[i].text);
        CU_ASSERT_EQUAL(check(&b, &d), CALQUE_OK);
        all[i].make(&b);
        st = check(&b, &d);
        if (st != CALQUE_NO || strncmp(d.text, "packed: ", 8) != 0 || strcmp(d.text + 8, all[i].why) != 0) {
            fprintf(stderr, "change %d: %d %s\n", i, st, d.text);
            CU_FAIL("another answer");
        }
        close_bench(&b);
    }
}

/* What the changes above are of: each part of packing occurs. */
static void test_parts(void)
{
    static const char *const text[] = {conv, product, panels};
    static const int stmts[] = {3, 3, 2}, packed[] = {1, 2, 0};

    for (int i = 0; i < UNIT_COUNT(text); i++) {
        struct bench_pack b;
        open_bench(&b, text[i]);
        CU_ASSERT(b.changed && b.q.stmt.n == stmts[i] && b.p.n == packed[i]);
        close_bench(&b);
    }
}

/* A weight that is no number, without padding, is packed all the same. */
static void test_not_finite(void)
{
    struct bench_pack b;
    struct diag d;

    open_bench(&b, "Y<40,20>[i,j] = max(sum(k<96) (X<40,96>[i,k] * W<20,96>[j,k]) + Z<20>[j], 0);");
    CU_ASSERT(b.changed && b.p.n > 0);
    values(&b, "W")[3] = INFINITY;
    pack_values(&b);
    CU_ASSERT_EQUAL(check(&b, &d), CALQUE_OK);
    close_bench(&b);
}

/* ---- random kernels ---- */

static void random_text(char *s, size_t n)
{
    unsigned k = 8 + draw(60), c = 1 + draw(12), h = 2 + draw(12), w = 2 + draw(20), r = 1 + draw(3), pad = draw(r + 1);
    unsigned stride = 1 + draw(2), y, x;
    const char *end = draw(2) ? " + Z<%u>[k], 0)" : ", Z<%u>[k])";
    int at;

    if (draw(3) == 0) { /* a product */
        unsigned i = 8 + draw(60), j = 8 + draw(90), m = 4 + draw(200);
        const char *b = draw(2) ? "W" : "B";
        at = snprintf(s, n, draw(2) ? "Y<%u,%u>[i,j] = sum(k<%u) (X<%u,%u>[i,k] * %s<%u,%u>[j,k]);" :
                                      "Y<%u,%u>[i,j] = sum(k<%u) (X<%u,%u>[i,k] * %s<%u,%u>[j,k]) * 2;",
                      i, j, m, i, m, b, j, m);
        CU_ASSERT_FATAL(at > 0 && (size_t)at < n);
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
    CU_ASSERT_FATAL(at > 0 && (size_t)at < n);
    at += snprintf(s + at, n - (size_t)at, end, k);
    snprintf(s + at, n - (size_t)at, ";");
}

/* The bits of the output of one of the kernels, in `out`; inputs are the same for both. */
static bool run(struct bench_pack *b, bool changed, float **out)
{
    struct kernel *k = changed ? &b->q : &b->k;
    void *data[TENSORS + 4] = {NULL}, *own[TENSORS + 4] = {NULL};
    struct diag d;
    bool good;

    CU_ASSERT_FATAL(k->tensor.n <= TENSORS + 4);
    for (int t = 0; t < k->tensor.n; t++) {
        data[t] = t < b->k.tensor.n && b->known[t] ? b->value[t].data : NULL;
        for (int i = 0; changed && i < b->p.n; i++)
            if (b->p.a[i].tensor == t)
                data[t] = b->p.a[i].data;
        if (data[t])
            continue;
        data[t] = own[t] = mem_zero(&mem, kernel_bytes(k, t) + 8, 1);
        seed = (unsigned)t + 77;
        if (k->tensor.a[t].role == KERNEL_IN)
            fill(data[t], kernel_elems(k, t));
    }
    good = kernel_run(k, data, 1, &d) == CALQUE_OK;
    for (int t = 0; t < k->tensor.n; t++)
        if (k->tensor.a[t].role == KERNEL_OUT) {
            *out = own[t];
            own[t] = NULL;
        }
    for (int t = 0; t < k->tensor.n; t++)
        mem_free(own[t]);
    return good;
}

static bool equal_runs(struct bench_pack *b)
{
    float *x = NULL, *y = NULL;
    unsigned s = seed;
    bool same = run(b, false, &x) && run(b, true, &y);

    for (int t = 0; same && t < b->k.tensor.n; t++)
        if (b->k.tensor.a[t].role == KERNEL_OUT)
            same = memcmp(x, y, kernel_bytes(&b->k, t)) == 0;
    seed = s;
    mem_free(x);
    mem_free(y);
    return same;
}

/* One random change of the kernel or of its data. */
static void spoil(struct bench_pack *b)
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

static void test_random(void)
{
    int changed = 0, refused = 0, passed = 0, count = 160 / unit_share();

    for (int n = 0; n < count; n++) {
        struct bench_pack b;
        struct diag d;
        char text[512];
        seed = (unsigned)n + 1;
        random_text(text, sizeof text);
        open_bench(&b, text);
        if (check(&b, &d) != CALQUE_OK || !equal_runs(&b)) {
            fprintf(stderr, "%s: %s\n", text, d.text);
            CU_FAIL("a packed kernel is refused, or others");
        }
        changed += b.changed;
        close_bench(&b);
        for (int i = 0; b.changed && i < 12; i++) {
            seed = (unsigned)n + 1;
            random_text(text, sizeof text);
            open_bench(&b, text);
            seed += 1000u * (unsigned)i;
            spoil(&b);
            if (check(&b, &d) != CALQUE_OK)
                refused++;
            else if (passed++, !equal_runs(&b)) {
                fprintf(stderr, "%s, change %d\n", text, i);
                CU_FAIL("a change that computes other bits is not refused");
            }
            close_bench(&b);
            b.changed = true;
        }
    }
    printf("%d of %d random kernels are packed; of their changes %d are refused, %d compute the same\n", changed, count, refused,
           passed);
    CU_ASSERT(changed >= count / 3 && refused >= count / 2 && passed > 0);
}

static void test_memory(void)
{
    struct bench_pack b;
    struct diag d;
    enum calque_status st = CALQUE_NOMEM;
    long n = 0;

    open_bench(&b, product);
    for (; st == CALQUE_NOMEM && n < 10000; n++) {
        mem.fail_after = n;
        st = check(&b, &d);
        mem.fail_after = -1;
    }
    CU_ASSERT_EQUAL(st, CALQUE_OK);
    CU_ASSERT(n > 20);
    close_bench(&b);
}

/* Expressions that share parts, twice as many in each step, are as trees too large. */
static void test_limits(void)
{
    struct bench_pack b;
    struct diag d;

    open_bench(&b, conv);
    for (int turn = 0; turn < 2; turn++) { /* beyond what is looked at; beyond what kernel_check looks at */
        struct kernel *k = &b.k;
        int at = k->stmt.n - 1, e = k->stmt.a[at].body;
        for (int i = 0; i < 17 + 6 * turn; i++)
            e = kernel_ex(k, (struct ex){.kind = EX_CALL, .op = FN_ADD, .a = e, .b = e});
        k->stmt.a[at].body = e;
        CU_ASSERT_EQUAL(check(&b, &d), CALQUE_NO);
        CU_ASSERT_STRING_EQUAL(d.text, "packed: a cell is too large to be compared");
    }
    close_bench(&b);
}

/* ---- emission ---- */

static int packed_kernels;

static void count_packed(struct kernel *q, struct pack *p)
{
    (void)q;
    (void)p;
    packed_kernels++;
}

static void spoil_packed(struct kernel *q, struct pack *p)
{
    for (int i = 0; i < p->n; i++)
        ((float *)p->a[i].data)[0] += 1;
    for (int i = 0; i < q->ex.n; i++)
        if (q->ex.a[i].kind == EX_CALL && q->ex.a[i].op == FN_MUL)
            swap(&q->ex.a[i].a, &q->ex.a[i].b);
    packed_kernels++;
}

static bool says(const struct emit_files *f, const char *name, const char *text)
{
    size_t n = strlen(text);

    for (int i = 0; i < f->file.n; i++)
        for (size_t j = 0; strcmp(f->file.a[i].name, name) == 0 && j + n <= f->file.a[i].n; j++)
            if (memcmp(f->file.a[i].data + j, text, n) == 0)
                return true;
    return false;
}

static const char tiles[] =
    "graph tiles {\n"
    "input x : f32[1,12,2,17]\nparam w : f32[16,12,3,3]\nparam v : f32[40,544]\n"
    "y = Relu(Conv(x, w, pads=(1,1,1,1)))\n"
    "return Gemm(Reshape(y, shape=(1,544)), v, transB=1)\n"
    "}\n";

static void test_fallback(void)
{
    struct emit_options good = {.name = "net", .vectors = 1, .change_packed = count_packed}, bad = good;
    struct world w;
    struct emit_files f, g;
    struct diag d;
    char command[128];
    int n;

    bad.change_packed = spoil_packed;
    open_world(&w, tiles);
    packed_kernels = 0;
    CU_ASSERT_EQUAL_FATAL(emit_model(&w.g, &good, &f, &d), CALQUE_OK);
    n = packed_kernels;
    CU_ASSERT(n == 2 && f.fallback.n == 0 && f.unpacked == 0);
    packed_kernels = 0;
    CU_ASSERT_EQUAL_FATAL(emit_model(&w.g, &bad, &g, &d), CALQUE_OK);
    CU_ASSERT(packed_kernels == n && g.unpacked == n && g.fallback.n == n && g.checked == f.checked);
    CU_ASSERT(g.fallback.n == n && g.fallback.a[0].unpacked);
    CU_ASSERT(strncmp(g.notes.a + g.fallback.a[0].reason, "packed: ", 8) == 0);
    CU_ASSERT(says(&g, "net.h", "; not packed, because the check failed: 2") && !says(&f, "net.h", "not packed"));
    CU_ASSERT_EQUAL(emit_files_write(&g, w.dir, &d), CALQUE_OK);
    snprintf(command, sizeof command, "make -s -C %s check >/dev/null", w.dir);
    CU_ASSERT_EQUAL(system(command), 0); /* the test's own directory */
    emit_files_free(&f);
    emit_files_free(&g);
    close_world(&w);
}

/* Memory that is out in the check, or for its note, is no reason to call another kernel. */
static void test_emission_memory(void)
{
    struct emit_options o = {.name = "net", .change_packed = spoil_packed};
    struct world w;
    struct diag d;
    enum calque_status st = CALQUE_NOMEM;

    open_world(&w, tiles);
    for (long n = 0; st == CALQUE_NOMEM && n < 100000; n += n < 600 ? 1 : 1 + n / 40) {
        struct emit_files f;
        w.mem.fail_after = n;
        st = emit_model(&w.g, &o, &f, &d);
        w.mem.fail_after = -1;
        if (st == CALQUE_OK)
            CU_ASSERT_EQUAL(f.unpacked, 2);
        emit_files_free(&f);
    }
    CU_ASSERT_EQUAL(st, CALQUE_OK);
    close_world(&w);
}

static const int wide_elems[] = {ELEM_F32, ELEM_F64, ELEM_I32, ELEM_I64};

/* x as a cell of the element type. */
static void put_wide(int elem, unsigned char *data, int i, int x)
{
    float f = (float)x;
    double r = x;
    int32_t n = x;
    int64_t m = x;
    const void *from = elem == ELEM_F32 ? (const void *)&f : elem == ELEM_F64 ? (const void *)&r : elem == ELEM_I32 ? (const void *)&n : &m;

    memcpy(data + (size_t)i * elem_size(elem), from, elem_size(elem));
}

/* Constants from lo to hi are stored as that type, byte for byte the same numbers. */
static void narrow_range(int elem, int lo, int hi, int as)
{
    unsigned char data[512 * 8] = {0}, *to;
    int n = hi - lo + 1;

    for (int i = 0; i < n; i++)
        put_wide(elem, data, i, lo + i);
    CU_ASSERT_EQUAL(narrow_elem(elem, data, (size_t)n), as < 0 ? elem : as);
    if (as < 0)
        return;
    to = narrow_data(&mem, elem, data, (size_t)n);
    CU_ASSERT_PTR_NOT_NULL_FATAL(to);
    for (int i = 0; i < n; i++)
        CU_ASSERT_EQUAL(as == ELEM_I8 ? (int8_t)to[i] : to[i], lo + i);
    mem_free(to);
}

static void test_narrow(void)
{
    const float none[] = {-0.0f, 0.5f, 256, -129, 0x1p40f, INFINITY, NAN};
    float x[64] = {0};

    for (int i = 0; i < 4; i++) {
        narrow_range(wide_elems[i], -128, 127, ELEM_I8);
        narrow_range(wide_elems[i], 0, 127, ELEM_I8);
        narrow_range(wide_elems[i], 0, 255, ELEM_U8);
        narrow_range(wide_elems[i], -1, 128, -1);
        narrow_range(wide_elems[i], -129, 100, -1);
        narrow_range(wide_elems[i], 100, 256, -1);
        narrow_range(wide_elems[i], 0, 40, -1); /* too few to gain by it */
    }
    CU_ASSERT_EQUAL(narrow_elem(ELEM_F32, x, 64), ELEM_I8);
    for (size_t i = 0; i < sizeof none / sizeof *none; i++) {
        x[17] = none[i];
        CU_ASSERT_EQUAL(narrow_elem(ELEM_F32, x, 64), ELEM_F32);
    }
    CU_ASSERT_EQUAL(narrow_elem(ELEM_U8, x, 256), ELEM_U8);
    CU_ASSERT_EQUAL(narrow_elem(ELEM_BOOL, x, 256), ELEM_BOOL);
}

int main(void)
{
    static const struct unit_case cases[] = {{"parts", test_parts},       {"changes", test_changes},   {"not finite", test_not_finite},
                                             {"random", test_random},     {"memory", test_memory},     {"limits", test_limits},
                                             {"fallback", test_fallback}, {"emission, memory", test_emission_memory},
                                             {"narrow", test_narrow}};
    int status;

    strs_init(&strs, &mem);
    status = unit_main("emit/unit_pack", cases, UNIT_COUNT(cases));
    strs_free(&strs);
    return status;
}
