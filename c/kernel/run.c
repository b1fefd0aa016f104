/* The lane interpreter: blocks of cells on threads, each block by the compiled program (program.h). Every cell sees the
   operations of its expression in their order; lanes whose guard is false load cell 0 and are thrown away. */
#include "base/arith.h"
#include "kernel/index.h"
#include "kernel/kernel.h"
#include "kernel/program.h"

#include <limits.h>
#include <math.h>
#include <stdatomic.h>
#include <string.h>

/* ---- operations, for each element type from one text, of floats with either functions ---- */

#include "kernel/math.inc"

/* fma is the same bits everywhere; where the processor has an instruction for it, a copy of the loops over it has that. */
#if defined __x86_64__ && defined __GNUC__
#define WITH_FMA __attribute__((target("avx2,fma")))
#define IN_BOTH __attribute__((always_inline))
#define HAS_FMA (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
#else
#define WITH_FMA
#define IN_BOTH
#define HAS_FMA false
#endif

#define T float
#define U float
#define REAL 1
#define LEAST (-INFINITY)
#define NAME(x) f32_##x
#define MATH(x) x##f
#include "kernel/lanes_body.h"

#define T double
#define U double
#define REAL 1
#define LEAST ((double)-INFINITY)
#define NAME(x) f64_##x
#define MATH(x) x
#include "kernel/lanes_body.h"

#define T float
#define U float
#define REAL 1
#define LEAST (-INFINITY)
#define NAME(x) f32_calque_##x
#define MATH(x) calque_##x##_f32
#include "kernel/lanes_body.h"

#define T double
#define U double
#define REAL 1
#define LEAST ((double)-INFINITY)
#define NAME(x) f64_calque_##x
#define MATH(x) calque_##x##_f64
#include "kernel/lanes_body.h"

#define T int32_t
#define U uint32_t
#define REAL 0
#define LEAST INT32_MIN
#define NAME(x) i32_##x
#define MATH(x) x
#include "kernel/lanes_body.h"

#define T int64_t
#define U uint64_t
#define REAL 0
#define LEAST INT64_MIN
#define NAME(x) i64_##x
#define MATH(x) x
#include "kernel/lanes_body.h"

const struct lane_ops *lane_ops(enum kernel_type type, enum kernel_math math)
{
    switch (type) {
    case KERNEL_F32:
        return math == MATH_CALQUE ? &f32_calque_ops : &f32_ops;
    case KERNEL_F64:
        return math == MATH_CALQUE ? &f64_calque_ops : &f64_ops;
    case KERNEL_I32:
        return &i32_ops;
    default:
        return &i64_ops;
    }
}

/* ---- blocks ---- */

struct worker {
    const struct program *p;
    const struct lane_ops *ops;
    void *const *data;
    char *out;
    int n, lanes;       /* cells of the block; rounded up to LANE_STEP */
    long at;            /* of the block's first cell in its unit */
    long filled;        /* `at` for which the unit's vectors are filled, or -1 */
    int filled_n;
    long *var;          /* leading and reduction variables */
    struct index_view index;
    long *base;         /* of each value: constant and leading part */
    int32_t *vec;       /* LANES for each vector */
    struct span *range; /* of each vector */
    char *reg;          /* LANES for each instruction */
    struct lane_val *val;
    int32_t *mask;      /* two for each select */
    bool zero;          /* a division by zero happened */
    bool fma;           /* the processor has an instruction for it */
};

/* The part of a value that all lanes share. */
static long scalar(const struct worker *w, int value)
{
    const struct value *v = &w->p->value.a[value];

    return v->n == 0 ? w->base[value] : index_sum(w->index, w->p->term.a + v->first + v->n0, v->n, w->base[value]);
}

static void set_base(struct worker *w)
{
    const struct program *p = w->p;

    for (int i = 0; i < p->value.n; i++) {
        const struct value *v = &p->value.a[i];
        w->base[i] = v->n0 == 0 ? v->k : index_sum(w->index, p->term.a + v->first, v->n0, v->k);
    }
}

static void fill_coord(struct worker *w, int32_t *v, int d)
{
    const struct kernel_tensor *t = &w->p->k->tensor.a[w->p->s->out];
    long stride = 1;

    for (int i = d + 1; i < t->rank; i++)
        stride *= t->dim[i];
    index_coords(v, w->n, w->at, stride, t->dim[d]);
}

static void fill_sum(struct worker *w, int32_t *restrict v, const struct vec *x)
{
    for (int l = 0; l < w->lanes; l++)
        v[l] = 0;
    for (int i = 0; i < x->n; i++) {
        const struct vec_item *item = &w->p->item.a[x->first + i];
        const int32_t *restrict y = w->vec + (size_t)item->vec * LANES;
        uint32_t c = (uint32_t)(unsigned long)item->c;
        for (int step = 0; step < w->lanes; step += LANE_STEP)
            for (int l = step; l < step + LANE_STEP; l++)
                v[l] = (int32_t)((uint32_t)v[l] + c * (uint32_t)y[l]);
    }
}

static void fill_div(struct worker *w, int32_t *restrict v, const struct vec *x)
{
    const struct value *a = &w->p->value.a[x->value];
    const int32_t *restrict y = w->vec + (size_t)a->vec * LANES;
    int32_t s = (int32_t)scalar(w, x->value), k = (int32_t)x->k;

    for (int l = 0; l < w->n; l++) {
        int32_t n = y[l] + s, q = n / k;
        if (n % k < 0)
            q--;
        v[l] = x->kind == VEC_DIV ? q : n - q * k;
    }
}

/* The last lanes repeat the block's last cell. */
static void fill_vec(struct worker *w, int i)
{
    const struct vec *x = &w->p->vec.a[i];
    int32_t *v = w->vec + (size_t)i * LANES, lo, hi;

    if (x->kind == VEC_FLAT)
        for (int l = 0; l < w->n; l++)
            v[l] = (int32_t)(w->at + l);
    else if (x->kind == VEC_COORD)
        fill_coord(w, v, (int)x->k);
    else if (x->kind == VEC_SUM)
        fill_sum(w, v, x);
    else
        fill_div(w, v, x);
    for (int l = w->n; l < w->lanes; l++)
        v[l] = v[w->n - 1];
    lo = hi = v[0];
    for (int l = 1; l < w->n; l++) {
        lo = v[l] < lo ? v[l] : lo;
        hi = v[l] > hi ? v[l] : hi;
    }
    w->range[i] = (struct span){lo, hi};
}

#define COMPARE(op)                                                                          \
    for (int step = 0; step < n; step += LANE_STEP)                                          \
        for (int l = step; l < step + LANE_STEP; l++)                                        \
            m[l] = -(v[l] op t) & a[l];                                                      \
    break

/* m = (v op t) & a; a may be m. */
static void compare(int op, int32_t *m, const int32_t *v, int32_t t, const int32_t *a, int n)
{
    switch (op) {
    case CMP_LT: COMPARE(<);
    case CMP_LE: COMPARE(<=);
    case CMP_GT: COMPARE(>);
    case CMP_GE: COMPARE(>=);
    case CMP_EQ: COMPARE(==);
    default: COMPARE(!=);
    }
}

/* Which active lanes pass all tests; when MIXED, then and other are their masks. */
static enum outcome run_tests(struct worker *w, const struct ins *x, const int32_t *mask, int32_t *then, int32_t *other)
{
    const int32_t *before = mask;
    int32_t some_then = 0, some_other = 0;

    for (int i = 0; i < x->n; i++) {
        const struct test *q = &w->p->test.a[x->first + i];
        int vec = w->p->value.a[q->value].vec;
        struct span r = vec >= 0 ? w->range[vec] : (struct span){0, 0};
        long s = scalar(w, q->value);
        enum outcome o = index_decide(q->op, r.lo + s, r.hi + s);
        if (o == NEVER)
            return NEVER;
        if (o == ALWAYS)
            continue;
        if (!before) {
            for (int l = 0; l < w->lanes; l++)
                then[l] = -1;
            before = then;
        }
        compare(q->op, then, w->vec + (size_t)vec * LANES, (int32_t)-s, before, w->lanes);
        before = then;
    }
    if (before == mask)
        return ALWAYS;
    for (int l = 0; l < w->lanes; l++) {
        other[l] = ~then[l] & (mask ? mask[l] : -1);
        some_then |= then[l];
        some_other |= other[l];
    }
    return !some_then ? NEVER : !some_other ? ALWAYS : MIXED;
}

static void run_range(struct worker *w, int first, int end, int level, const int32_t *mask);

static void *reg(const struct worker *w, int i)
{
    return w->reg + (size_t)i * LANES * w->ops->size;
}

static void run_load(struct worker *w, const struct ins *x, int i, const int32_t *mask)
{
    int vec = w->p->value.a[x->value].vec;
    const char *src = w->data[x->fn];
    long s = scalar(w, x->value), from = s + w->at;
    size_t size = w->ops->size;

    if (vec < 0) {
        w->val[i] = (struct lane_val){src + (size_t)s * size, true};
    } else if (w->p->vec.a[vec].kind == VEC_FLAT && from >= 0 &&
               from <= kernel_elems(w->p->k, x->fn) - w->lanes) {
        w->val[i] = (struct lane_val){src + (size_t)from * size, false};
    } else {
        w->ops->gather(reg(w, i), src, w->vec + (size_t)vec * LANES, (uint32_t)(unsigned long)s, mask, w->lanes);
        w->val[i] = (struct lane_val){reg(w, i), false};
    }
}

static void run_select(struct worker *w, const struct ins *x, int i, const int32_t *mask)
{
    int32_t *then = w->mask + (size_t)x->value * 2 * LANES, *other = then + LANES;
    enum outcome o = run_tests(w, x, mask, then, other);

    if (o != NEVER)
        run_range(w, i + 1, x->mid, 0, o == MIXED ? then : mask);
    if (o != ALWAYS)
        run_range(w, x->mid, x->end, 0, o == MIXED ? other : mask);
    if (w->zero)
        return;
    if (o == MIXED) {
        w->ops->blend(reg(w, i), then, w->val[x->a], w->val[x->b], w->lanes);
        w->val[i] = (struct lane_val){reg(w, i), false};
    } else {
        w->val[i] = w->val[o == ALWAYS ? x->a : x->b];
    }
}

/* Folds registers a (and b, for a product) into the accumulator, which stays one value while all operands are. */
static void fold(struct worker *w, const struct ins *x, char *acc, bool *uniform)
{
    struct lane_val a = w->val[x->a], b = {NULL, true};
    char first[8];

    if (x->product)
        b = w->val[x->b];
    if (*uniform && !(a.uniform && b.uniform)) {
        memcpy(first, acc, w->ops->size);
        w->ops->spread(acc, first, w->lanes);
        *uniform = false;
    }
    if (x->fused)
        (w->fma ? w->ops->fold_fused_fast : w->ops->fold_fused)(acc, a, b, *uniform ? 1 : w->lanes);
    else if (x->product)
        w->ops->fold_product(acc, a, b, *uniform ? 1 : w->lanes);
    else
        w->ops->fold(x->fn, acc, a, *uniform ? 1 : w->lanes);
}

static void run_reduce(struct worker *w, const struct ins *x, int i, const int32_t *mask)
{
    const struct kernel *k = w->p->k;
    const int *vars = k->pool.a + x->first;
    char *acc = reg(w, i);
    bool uniform = true;
    int level = 0, j;

    w->ops->start(x->fn, acc);
    for (j = 0; j < x->n; j++) {
        w->var[vars[j]] = 0;
        if (k->var.a[w->p->s->var + vars[j]].extent == 0)
            level = -1;
    }
    while (level >= 0) {
        run_range(w, i + 1, x->mid, level, mask);
        if (w->zero)
            break;
        fold(w, x, acc, &uniform);
        for (j = x->n - 1; j >= 0; j--) {
            if (++w->var[vars[j]] < k->var.a[w->p->s->var + vars[j]].extent)
                break;
            w->var[vars[j]] = 0;
        }
        level = j < 0 ? -1 : x->depth + j + 1;
    }
    w->val[i] = (struct lane_val){acc, uniform};
}

static void run_apply(struct worker *w, const struct ins *x, int i, const int32_t *mask)
{
    struct lane_val a = w->val[x->a], b = x->b >= 0 ? w->val[x->b] : (struct lane_val){a.p, true};

    if (!w->ops->apply(x->fn, reg(w, i), a, b, mask, w->n))
        w->zero = true;
    w->val[i] = (struct lane_val){reg(w, i), a.uniform && b.uniform};
}

/* Runs the instructions that depend on the variable at depth level - 1 or a deeper one; all if level is 0. */
static void run_range(struct worker *w, int first, int end, int level, const int32_t *mask)
{
    for (int i = first; i < end && !w->zero; i = w->p->ins.a[i].end) {
        const struct ins *x = &w->p->ins.a[i];
        if (x->level < level)
            continue;
        switch (x->op) {
        case INS_CONST:
            w->ops->literal(reg(w, i), x->num, x->inum);
            w->val[i] = (struct lane_val){reg(w, i), true};
            break;
        case INS_LOAD:
            run_load(w, x, i, mask);
            break;
        case INS_APPLY:
            run_apply(w, x, i, mask);
            break;
        case INS_SELECT:
            run_select(w, x, i, mask);
            break;
        case INS_REDUCE:
            run_reduce(w, x, i, mask);
            break;
        default:
            fill_vec(w, x->fn);
            break;
        }
    }
}

static void run_block(struct worker *w, long block)
{
    const struct program *p = w->p;
    const struct kernel_tensor *t = &p->k->tensor.a[p->s->out];
    long per_unit = (p->unit + p->lanes - 1) / p->lanes, unit = block / per_unit;
    struct lane_val v;
    char *to;

    w->at = block % per_unit * p->lanes;
    w->n = p->unit - w->at < p->lanes ? (int)(p->unit - w->at) : p->lanes;
    w->lanes = (w->n + LANE_STEP - 1) / LANE_STEP * LANE_STEP;
    row_cell(t->dim, p->split, unit, w->var);
    set_base(w);
    for (int i = 0; i < p->vec.n; i++)
        if (p->vec.a[i].deps == 0 && !(p->vec.a[i].unit && w->filled == w->at && w->filled_n == w->n))
            fill_vec(w, i);
    w->filled = w->at;
    w->filled_n = w->n;
    run_range(w, 0, p->ins.n, 0, NULL);
    if (w->zero)
        return;
    v = w->val[p->root];
    to = w->out + (size_t)(unit * p->unit + w->at) * w->ops->size;
    if (!v.uniform)
        memcpy(to, v.p, (size_t)w->n * w->ops->size);
    for (int l = 0; l < w->n && v.uniform; l++)
        memcpy(to + (size_t)l * w->ops->size, v.p, w->ops->size);
}

static void worker_free(struct worker *w)
{
    mem_free(w->var);
    mem_free(w->base);
    mem_free(w->vec);
    mem_free(w->range);
    mem_free(w->reg);
    mem_free(w->val);
    mem_free(w->mask);
}

static bool worker_init(struct worker *w, const struct program *p, void *const *data, void *out)
{
    struct mem *m = p->k->mem;
    size_t ins = (size_t)p->ins.n, vec = (size_t)p->vec.n;

    memset(w, 0, sizeof *w);
    w->p = p;
    w->ops = lane_ops(p->k->type, p->k->math);
    w->fma = HAS_FMA;
    w->data = data;
    w->out = out;
    w->filled = -1;
    w->var = mem_zero(m, (size_t)p->s->nvar, sizeof *w->var);
    w->base = mem_zero(m, (size_t)p->value.n, sizeof *w->base);
    w->vec = mem_zero(m, vec * LANES, sizeof *w->vec);
    w->range = mem_zero(m, vec, sizeof *w->range);
    w->reg = mem_zero(m, ins * LANES, w->ops->size);
    w->val = mem_zero(m, ins, sizeof *w->val);
    w->mask = mem_zero(m, (size_t)p->selects * 2 * LANES, sizeof *w->mask);
    w->index = (struct index_view){ p->aff.atom.a, p->aff.form.a, p->aff.term.a, w->var,
                                    p->aff.atom.n, p->aff.form.n, p->aff.term.n, p->s->nvar };
    return w->var && w->base && w->vec && w->range && w->reg && w->val && w->mask;
}

/* All blocks of the statement, on the workers. Says whether no division by zero happened. */
static bool run_blocks(struct worker *w, int threads, long blocks)
{
    atomic_long next = 0;
    atomic_bool zero = false;

#pragma omp parallel for num_threads(threads) schedule(static, 1) if (threads > 1)
    for (int i = 0; i < threads; i++)
        for (long b; !zero && (b = atomic_fetch_add(&next, 1)) < blocks;) {
            run_block(&w[i], b);
            if (w[i].zero)
                zero = true;
        }
    return !zero;
}

static enum calque_status run_program(const struct program *p, void *const *data, void *out, int threads,
                                      struct diag *d)
{
    long cells = kernel_elems(p->k, p->s->out), blocks;
    struct worker *w;
    bool ok = true;

    if (cells == 0)
        return CALQUE_OK;
    blocks = cells / p->unit * ((p->unit + p->lanes - 1) / p->lanes);
    if (threads > blocks)
        threads = (int)blocks;
    if (threads < 1 || (p->lanes == LANES && p->work * (double)cells < 50000))
        threads = 1;
    w = mem_zero(p->k->mem, (size_t)threads, sizeof *w);
    if (!w)
        return diag_nomem(d);
    for (int i = 0; i < threads; i++)
        ok = worker_init(&w[i], p, data, out) && ok;
    if (!ok)
        diag_nomem(d);
    else if (!run_blocks(w, threads, blocks))
        diag_set(d, CALQUE_BAD, "", p->s->line, p->s->col, "division by zero");
    else
        threads = -threads;
    for (int i = 0; i < (threads < 0 ? -threads : threads); i++)
        worker_free(&w[i]);
    mem_free(w);
    return threads < 0 ? CALQUE_OK : ok ? CALQUE_BAD : CALQUE_NOMEM;
}

/* Recursion is bounded by KERNEL_DEPTH_MAX. */
static bool loads(const struct kernel *k, int id, int t)
{
    const struct ex *e = &k->ex.a[id];

    if (e->kind == EX_LOAD)
        return e->op == t;
    return e->kind != EX_CONST &&
           (loads(k, e->a, t) || (e->kind != EX_REDUCE && e->b >= 0 && loads(k, e->b, t)));
}

bool kernel_loads(const struct kernel *k, const struct kernel_stmt *s, int t)
{
    return loads(k, s->body, t) || (s->look > 0 && loads(k, s->at, t));
}

/* KS-Store: a statement that loads the tensor it stores sees the old one: it stores into a copy first. */
static enum calque_status run_own(const struct kernel *k, int i, void *const *data, int threads, int lanes,
                                   struct diag *d)
{
    const struct kernel_stmt *s = &k->stmt.a[i];
    size_t bytes = (size_t)kernel_elems(k, s->out) * kernel_type_size(k->type);
    void *out = data[s->out], *copy = NULL;
    struct program p;
    enum calque_status st = program_init(&p, k, i, d);

    if (st == CALQUE_OK && bytes > 0 && kernel_loads(k, s, s->out)) {
        out = copy = mem_zero(k->mem, bytes, 1);
        if (!copy)
            st = diag_nomem(d);
    }
    if (lanes > 0)
        p.lanes = lanes;
    if (st == CALQUE_OK)
        st = run_program(&p, data, out, threads, d);
    if (st == CALQUE_OK && copy)
        memcpy(data[s->out], copy, bytes);
    mem_free(copy);
    program_free(&p);
    return st;
}

/* Where tensors are stored in other types, the statement runs on copies of the kernel's type. */
static enum calque_status run_stmt(const struct kernel *k, int i, void *const *data, int threads, int lanes,
                                   struct diag *d)
{
    const struct kernel_stmt *s = &k->stmt.a[i];
    enum calque_status st = CALQUE_OK;
    void **own;
    bool all = true;

    if (s->look > 0)
        return lookup_run(k, s, data, threads, d);
    for (int t = 0; t < k->tensor.n; t++)
        all = all && k->tensor.a[t].elem == ELEM_OWN;
    if (all)
        return run_own(k, i, data, threads, lanes, d);
    own = mem_zero(k->mem, (size_t)k->tensor.n, sizeof *own);
    if (!own)
        return diag_nomem(d);
    for (int t = 0; t < k->tensor.n && st == CALQUE_OK; t++) {
        bool loaded = k->tensor.a[t].elem != ELEM_OWN && kernel_loads(k, s, t);
        if (!loaded && (t != s->out || k->tensor.a[t].elem == ELEM_OWN))
            continue;
        own[t] = mem_zero(k->mem, (size_t)kernel_elems(k, t), kernel_type_size(k->type));
        if (!own[t])
            st = diag_nomem(d);
        else if (loaded)
            kernel_convert(k->tensor.a[t].elem, data[t], kernel_own(k->type), own[t], kernel_elems(k, t));
    }
    for (int t = 0; t < k->tensor.n; t++)
        if (k->tensor.a[t].elem == ELEM_OWN)
            own[t] = data[t];
    if (st == CALQUE_OK)
        st = run_own(k, i, own, threads, lanes, d);
    if (st == CALQUE_OK && k->tensor.a[s->out].elem != ELEM_OWN)
        kernel_convert(kernel_own(k->type), own[s->out], k->tensor.a[s->out].elem, data[s->out], kernel_elems(k, s->out));
    for (int t = 0; t < k->tensor.n; t++)
        if (k->tensor.a[t].elem != ELEM_OWN)
            mem_free(own[t]);
    mem_free(own);
    return st;
}

enum calque_status kernel_run_lanes(const struct kernel *k, void *const *data, int threads, int lanes, struct diag *d)
{
    enum calque_status st = kernel_check(k, d);

    for (int i = 0; i < k->stmt.n && st == CALQUE_OK; i++) /* KP-Seq */
        st = run_stmt(k, i, data, threads, lanes, d);
    return st;
}

enum calque_status kernel_run(const struct kernel *k, void *const *data, int threads, struct diag *d)
{
    return kernel_run_lanes(k, data, threads, 0, d);
}
