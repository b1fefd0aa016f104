/* Gradients of random kernels: the adjoint identity in exact integers against a tangent evaluator of its own, central
   differences in double, gather against universal gather, memory. */
#include "gen.h"
#include "grad_text.h"
#include "unit.h"

#ifdef __SANITIZE_ADDRESS__
enum { KERNELS = 300 };
#else
enum { KERNELS = 2000 };
#endif

static int kernels(void)
{
    return KERNELS / unit_share();
}

/* Some stores go to an earlier tensor of the same shape, so that values are overwritten and read before. */
static void store_in_place(struct kernel *k, uint64_t *seed)
{
    for (int i = 0; i < k->stmt.n; i++) {
        int out = k->stmt.a[i].out, start = (int)(ref_random(seed) % (unsigned)k->tensor.n);
        if (ref_random(seed) % 3 != 0)
            continue;
        for (int j = 0; j < k->tensor.n; j++) {
            int t = (start + j) % k->tensor.n;
            const struct kernel_tensor *a = &k->tensor.a[t], *b = &k->tensor.a[out];
            if (t != out && a->rank == b->rank && memcmp(a->dim, b->dim, (size_t)a->rank * sizeof *a->dim) == 0 &&
                kernel_elems(k, t) > 1) {
                k->stmt.a[i].out = t;
                break;
            }
        }
    }
    for (int t = 0; t < k->tensor.n; t++)
        k->tensor.a[t].role = KERNEL_IN;
    for (int i = 0; i < k->stmt.n; i++)
        k->tensor.a[k->stmt.a[i].out].role = KERNEL_TEMP;
    k->tensor.a[k->stmt.a[k->stmt.n - 1].out].role = KERNEL_OUT;
    if (k->stmt.n > 2 && ref_random(seed) % 2)
        k->tensor.a[k->stmt.a[0].out].role = KERNEL_OUT;
}

/* Value and directional derivative of a kernel in the ring of 64-bit integers, straight from the definition. */
struct tangent {
    struct ref r;
    int64_t *const *dot;
};

static int64_t tan_ex(struct tangent *p, int id);

static void tan_fold(struct tangent *p, const struct ex *e, int i, uint64_t *sum)
{
    const struct kernel *k = p->r.k;

    if (i == e->n) {
        *sum += (uint64_t)tan_ex(p, e->a);
        return;
    }
    for (long v = 0; v < k->var.a[p->r.s->var + k->pool.a[e->first + i]].extent; v++) {
        p->r.var[k->pool.a[e->first + i]] = v;
        tan_fold(p, e, i + 1, sum);
    }
}

static int64_t tan_ex(struct tangent *p, int id)
{
    const struct kernel *k = p->r.k;
    const struct ex *e = &k->ex.a[id];
    uint64_t sum = 0;
    int64_t a, b;
    long at = 0;

    switch (e->kind) {
    case EX_CONST:
        return 0;
    case EX_LOAD:
        for (int i = 0; i < e->n; i++)
            at = at * k->tensor.a[e->op].dim[i] + ref_ix(&p->r, k->pool.a[e->first + i]);
        return p->dot[e->op][at];
    case EX_SELECT:
        for (int i = 0; i < e->n; i++)
            if (!ref_cond(&p->r, k->cond.a[e->first + i]))
                return tan_ex(p, e->b);
        return tan_ex(p, e->a);
    case EX_REDUCE:
        if (e->op == RED_SUM)
            tan_fold(p, e, 0, &sum);
        return (int64_t)sum;
    default:
        break;
    }
    a = ref_ex(&p->r, e->a).l;
    b = e->b >= 0 ? ref_ex(&p->r, e->b).l : 0;
    switch (e->op) {
    case FN_ADD:
        return (int64_t)((uint64_t)tan_ex(p, e->a) + (uint64_t)tan_ex(p, e->b));
    case FN_SUB:
        return (int64_t)((uint64_t)tan_ex(p, e->a) - (uint64_t)tan_ex(p, e->b));
    case FN_NEG:
        return (int64_t)(0 - (uint64_t)tan_ex(p, e->a));
    case FN_MUL:
        return (int64_t)((uint64_t)tan_ex(p, e->a) * (uint64_t)b + (uint64_t)a * (uint64_t)tan_ex(p, e->b));
    case FN_MAX:
        return tan_ex(p, a < b ? e->b : e->a);
    case FN_MIN:
        return tan_ex(p, b < a ? e->b : e->a);
    case FN_ABS:
        return a == 0 ? 0 : (int64_t)((a < 0 ? (uint64_t)-1 : 1) * (uint64_t)tan_ex(p, e->a));
    default:
        return 0; /* a quotient or remainder of what is not differentiated by: all else is refused */
    }
}

static size_t bytes_of(const struct kernel *k, int t)
{
    return (size_t)(kernel_elems(k, t) > 0 ? kernel_elems(k, t) : 1) * 8;
}

static void **copy_data(const struct kernel *k, void *const *data)
{
    void **to = calloc((size_t)k->tensor.n + 1, sizeof *to);

    for (int t = 0; t < k->tensor.n; t++)
        to[t] = memcpy(malloc(bytes_of(k, t)), data[t], bytes_of(k, t));
    return to;
}

/* Runs k on data, and its tangent from dot; false when it divides by zero. */
static bool tangent_run(const struct kernel *k, void **data, void **dot)
{
    bool ok = true;

    for (int i = 0; i < k->stmt.n && ok; i++) {
        const struct kernel_stmt *s = &k->stmt.a[i];
        const struct kernel_tensor *t = &k->tensor.a[s->out];
        struct tangent p = {{.k = k, .s = s, .data = data}, (int64_t *const *)dot};
        int64_t *v = malloc(bytes_of(k, s->out)), *u = malloc(bytes_of(k, s->out));
        p.r.var = calloc((size_t)s->nvar + 1, sizeof *p.r.var);
        for (long c = 0; c < kernel_elems(k, s->out); c++) {
            long rest = c;
            for (int j = t->rank - 1; j >= 0; j--) {
                p.r.var[j] = rest % t->dim[j];
                rest /= t->dim[j];
            }
            v[c] = ref_ex(&p.r, s->body).l;
            u[c] = tan_ex(&p, s->body);
        }
        ok = !p.r.zero && !p.r.outside;
        memcpy(data[s->out], v, (size_t)kernel_elems(k, s->out) * 8);
        memcpy(dot[s->out], u, (size_t)kernel_elems(k, s->out) * 8);
        free(v);
        free(u);
        free(p.r.var);
    }
    return ok;
}

/* Data of the gradient: k's inputs, the adjoints v of its outputs by name, the rest poisoned. */
static void **grad_data(const struct kernel *g, const struct kernel *k, void *const *data, void *const *v)
{
    void **to = calloc((size_t)g->tensor.n + 1, sizeof *to);

    for (int t = 0; t < g->tensor.n; t++) {
        const char *name = strs_text(g->strs, g->tensor.a[t].name);
        int at = kernel_find_tensor(k, g->tensor.a[t].name);
        to[t] = memset(malloc(bytes_of(g, t)), 0xff, bytes_of(g, t)); /* NaN, or -1 */
        if (g->tensor.a[t].role == KERNEL_TEMP)
            continue;
        if (at >= 0)
            memcpy(to[t], data[at], bytes_of(g, t));
        at = named_tensor(k, name + 1);
        if (at >= 0 && k->tensor.a[at].role == KERNEL_OUT)
            memcpy(to[t], v[at], bytes_of(g, t));
    }
    return to;
}

struct sweep {
    struct world w;
    int wrt[GEN_TENSORS], n;
    void **data, **v, **u; /* values, adjoints of the outputs, directions */
};

static bool loads(const struct kernel *k, int id, int t)
{
    const struct ex *e = &k->ex.a[id];

    if (e->kind == EX_CONST || e->kind == EX_LOAD)
        return e->kind == EX_LOAD && e->op == t;
    return loads(k, e->a, t) || (e->kind != EX_REDUCE && e->b >= 0 && loads(k, e->b, t));
}

static bool read_before(const struct kernel *k, int t)
{
    for (int i = 0; i < k->stmt.n; i++) {
        if (loads(k, k->stmt.a[i].body, t))
            return true;
        if (k->stmt.a[i].out == t)
            return false;
    }
    return false;
}

/* A random kernel with random data; directions 0 for tensors not differentiated by. */
static void open_sweep(struct sweep *s, struct gen *g, uint64_t seed, enum kernel_type type)
{
    struct kernel *k = &s->w.k;

    gen_kernel(g, seed, type == KERNEL_F64, 1 + (int)(seed % 4));
    open_world(&s->w, type);
    CU_ASSERT_FATAL(parse_kernel(&s->w, k, g->text));
    store_in_place(k, &seed);
    CU_ASSERT_FATAL(kernel_check(k, &s->w.d) == CALQUE_OK);
    s->data = ref_data(k, seed + 1);
    s->v = ref_data(k, seed + 2);
    s->u = ref_data(k, seed + 3);
    s->n = 0;
    for (int t = 0; t < k->tensor.n; t++)
        if (read_before(k, t) && ref_random(&seed) % 4)
            s->wrt[s->n++] = t;
        else
            memset(s->u[t], 0, bytes_of(k, t));
}

static void close_sweep(struct sweep *s)
{
    ref_free(&s->w.k, s->data);
    ref_free(&s->w.k, s->v);
    ref_free(&s->w.k, s->u);
    close_world(&s->w);
}

static int gradient_tensor(const struct sweep *s, int i)
{
    const struct kernel *g = &s->w.g;
    int n = 0;

    for (int t = 0; t < g->tensor.n; t++)
        if (g->tensor.a[t].role == KERNEL_OUT && n++ == i)
            return t;
    return -1;
}

static void complain(struct sweep *s, const char *what, uint64_t seed)
{
    char *k = kernel_string(&s->w, &s->w.k, false), *g = kernel_string(&s->w, &s->w.g, false);

    fprintf(stderr, "%s (seed %llu): %s\n%s-- wrt", what, (unsigned long long)seed, s->w.d.text, k);
    for (int i = 0; i < s->n; i++)
        fprintf(stderr, " %s", strs_text(&s->w.strs, s->w.k.tensor.a[s->wrt[i]].name));
    fprintf(stderr, "\n%s", g);
    free(k);
    free(g);
}

/* sum over x of <dx, u_x> = sum over the outputs o of <v_o, tangent_o>, in 64-bit integers. */
static bool adjoint_identity(struct sweep *s)
{
    const struct kernel *k = &s->w.k, *g = &s->w.g;
    void **gd = grad_data(g, k, s->data, s->v), **data = copy_data(k, s->data), **dot = copy_data(k, s->u);
    bool ok = kernel_run(g, gd, 1, &s->w.d) == CALQUE_OK && tangent_run(k, data, dot);
    uint64_t left = 0, right = 0;

    for (int i = 0; i < s->n; i++)
        for (long c = 0; c < kernel_elems(k, s->wrt[i]); c++)
            left += (uint64_t)((int64_t *)gd[gradient_tensor(s, i)])[c] * (uint64_t)((int64_t *)s->u[s->wrt[i]])[c];
    for (int t = 0; t < k->tensor.n; t++)
        for (long c = 0; c < kernel_elems(k, t) && k->tensor.a[t].role == KERNEL_OUT; c++)
            right += (uint64_t)((int64_t *)s->v[t])[c] * (uint64_t)((int64_t *)dot[t])[c];
    ref_free(g, gd);
    ref_free(k, data);
    ref_free(k, dot);
    return ok && left == right;
}

/* The text of the gradient is that of the kernel it parses to (the empty one is no kernel). */
static bool round_trip(struct world *w)
{
    struct kernel again;
    char *a = kernel_string(w, &w->g, false), *b = NULL;
    bool ok;

    if (w->g.stmt.n == 0) {
        free(a);
        return true;
    }
    kernel_init(&again, &w->mem, &w->strs, w->g.type);
    ok = kernel_parse(&again, "again", a, strlen(a), NULL, -1, &w->d) == CALQUE_OK;
    if (ok)
        b = kernel_string(w, &again, false);
    ok = ok && strcmp(a, b) == 0;
    free(a);
    free(b);
    kernel_free(&again);
    return ok;
}

static uint64_t start_seed(uint64_t or)
{
    const char *env = getenv("CALQUE_SEED");

    return env ? strtoull(env, NULL, 10) : or;
}

static void integers(void)
{
    static struct gen gen;
    static struct sweep s;
    uint64_t seed = start_seed(20260), n = 0;
    int done = 0, refused = 0, divided = 0, bad = 0, big = 0;

    for (; done < kernels() && bad < 3 && n < 20000; n++) {
        static const struct grad_options options[] = {{.universal = false}, {.universal = true}, {.no_split = true}};
        enum calque_status st;
        open_sweep(&s, &gen, seed + n, KERNEL_I64);
        st = kernel_grad(&s.w.g, &s.w.k, s.wrt, s.n, &options[n % 5 < 3 ? 0 : n % 5 - 2], &s.w.d);
        if (st == CALQUE_NO) {
            refused++;
        } else if (st == CALQUE_LIMIT) {
            big++;
        } else {
            void **once = copy_data(&s.w.k, s.data), **dot = copy_data(&s.w.k, s.u);
            if (!tangent_run(&s.w.k, once, dot)) {
                divided++;
            } else if (st != CALQUE_OK || !round_trip(&s.w) || !adjoint_identity(&s)) {
                complain(&s, "adjoint identity", seed + n);
                bad++;
            } else {
                done += s.n > 0;
            }
            ref_free(&s.w.k, once);
            ref_free(&s.w.k, dot);
        }
        close_sweep(&s);
    }
    printf("unit_grad: integers, seed %llu: %d kernels, discarded: %d refused, %d divide by zero, %d too large\n",
           (unsigned long long)seed, done, refused, divided, big);
    CU_ASSERT(bad == 0 && done >= kernels() && big <= 1 + done / 20);
}

/* Sum over the outputs of <v, values at data + h * u>. */
static double moved(struct sweep *s, double h)
{
    const struct kernel *k = &s->w.k;
    void **data = copy_data(k, s->data);
    double sum = 0;

    for (int i = 0; i < s->n; i++)
        for (long c = 0; c < kernel_elems(k, s->wrt[i]); c++)
            ((double *)data[s->wrt[i]])[c] += h * ((double *)s->u[s->wrt[i]])[c];
    if (kernel_run(k, data, 1, &s->w.d) != CALQUE_OK)
        sum = (double)NAN;
    for (int t = 0; t < k->tensor.n; t++)
        for (long c = 0; c < kernel_elems(k, t) && k->tensor.a[t].role == KERNEL_OUT; c++)
            sum += ((double *)s->v[t])[c] * ((double *)data[t])[c];
    ref_free(k, data);
    return sum;
}

/* Is everything computed a number? max, min and amax pass NaN over, so they are taken as sums here. */
static bool all_numbers(struct sweep *s)
{
    struct kernel *k = &s->w.k;
    void **data = copy_data(k, s->data);
    int *op = malloc(((size_t)k->ex.n + 1) * sizeof *op);
    bool ok;

    for (int i = 0; i < k->ex.n; i++) {
        struct ex *e = &k->ex.a[i];
        op[i] = e->op;
        if (e->kind == EX_CALL && (e->op == FN_MAX || e->op == FN_MIN))
            e->op = FN_ADD;
        if (e->kind == EX_REDUCE)
            e->op = RED_SUM;
    }
    ok = kernel_run(k, data, 1, &s->w.d) == CALQUE_OK;
    for (int i = 0; i < k->stmt.n; i++)
        for (long c = 0; c < kernel_elems(k, k->stmt.a[i].out); c++)
            ok = ok && !isnan(((double *)data[k->stmt.a[i].out])[c]);
    for (int i = 0; i < k->ex.n; i++)
        k->ex.a[i].op = op[i];
    free(op);
    ref_free(k, data);
    return ok;
}

/* 1: agrees, 0: differs, -1: the differences themselves do not settle, -2: the gradient is not finite although they are:
   0 * inf in a weight. */
static int central_differences(struct sweep *s)
{
    const struct kernel *k = &s->w.k, *g = &s->w.g;
    double h = 1e-4, size = fabs(moved(s, 0)) + 1, d1, d2, d3, got = 0;
    void **gd;

    d1 = (moved(s, h) - moved(s, -h)) / (2 * h);
    d2 = (moved(s, h / 2) - moved(s, -h / 2)) / h;
    d3 = (4 * d2 - d1) / 3;
    if (!(size < 1e7) || !(fabs(d1) < 1e7) || !all_numbers(s) || !(fabs(d1 - d2) <= 1e-6 * (fabs(d2) + size)))
        return -1;
    gd = grad_data(g, k, s->data, s->v);
    if (kernel_run(g, gd, 1, &s->w.d) != CALQUE_OK)
        got = (double)NAN;
    for (int i = 0; i < s->n; i++)
        for (long c = 0; c < kernel_elems(k, s->wrt[i]); c++)
            got += ((double *)gd[gradient_tensor(s, i)])[c] * ((double *)s->u[s->wrt[i]])[c];
    ref_free(g, gd);
    if (!isfinite(got))
        return -2;
    return fabs(got - d3) <= 1e-5 * (fabs(d3) + size);
}

/* Small and in general position: equal values would sit on the edges of max, min, abs and amax. */
static void tame(const struct kernel *k, void **data, uint64_t seed)
{
    for (int t = 0; t < k->tensor.n; t++)
        for (long c = 0; c < kernel_elems(k, t); c++)
            ((double *)data[t])[c] = ((double *)data[t])[c] * 0.15 + (double)ref_random(&seed) / 3e10;
}

static void reals(void)
{
    static struct gen gen;
    static struct sweep s;
    uint64_t seed = start_seed(77000), n = 0;
    int done = 0, rough = 0, bad = 0, infinite = 0, big = 0;

    for (; done < kernels() && bad < 3 && n < 20000; n++) {
        enum calque_status st;
        int agrees;
        open_sweep(&s, &gen, seed + n, KERNEL_F64);
        tame(&s.w.k, s.data, n);
        tame(&s.w.k, s.u, n + 1);
        st = kernel_grad(&s.w.g, &s.w.k, s.wrt, s.n, NULL, &s.w.d);
        agrees = st == CALQUE_OK ? central_differences(&s) : 0;
        if (st == CALQUE_LIMIT) {
            big++;
        } else if (agrees < 0) {
            rough += agrees == -1;
            infinite += agrees == -2;
        } else if (agrees == 1 && round_trip(&s.w)) {
            done += s.n > 0;
        } else {
            complain(&s, "central differences", seed + n);
            bad++;
        }
        close_sweep(&s);
    }
    printf("unit_grad: differences, seed %llu: %d kernels agree, discarded: %d not smooth or not finite, %d with a "
           "weight that is not finite, %d too large\n", (unsigned long long)seed, done, rough, infinite, big);
    CU_ASSERT(bad == 0 && done >= kernels() && infinite <= 1 + done / 20 && big <= 1 + done / 20);
}

/* Elimination and its absence: the same numbers. */
static void universal(void)
{
    static struct gen gen;
    static struct sweep s;
    uint64_t seed = start_seed(5500);
    int bad = 0, done = 0;

    for (uint64_t n = 0; n < (uint64_t)kernels() / 3 && bad < 3; n++) {
        static const struct grad_options o = {.universal = true};
        struct kernel other;
        open_sweep(&s, &gen, seed + n, KERNEL_I64);
        if (kernel_grad(&s.w.g, &s.w.k, s.wrt, s.n, NULL, &s.w.d) == CALQUE_OK) {
            bool ok = kernel_grad(&other, &s.w.k, s.wrt, s.n, &o, &s.w.d) == CALQUE_OK;
            void **a = grad_data(&s.w.g, &s.w.k, s.data, s.v), **b = grad_data(&other, &s.w.k, s.data, s.v);
            bool ra = ok && kernel_run(&s.w.g, a, 1, &s.w.d) == CALQUE_OK;
            bool rb = ok && kernel_run(&other, b, 1, &s.w.d) == CALQUE_OK;
            for (int t = 0; t < other.tensor.n && ra && rb; t++)
                if (other.tensor.a[t].role == KERNEL_OUT)
                    ok = ok && ref_same(KERNEL_I64, a[kernel_find_tensor(&s.w.g, other.tensor.a[t].name)], b[t],
                                        kernel_elems(&other, t));
            done += ra && rb;
            if (!ok || ra != rb) {
                complain(&s, "universal gather", seed + n);
                bad++;
            }
            ref_free(&s.w.g, a);
            ref_free(&other, b);
            kernel_free(&other);
        }
        close_sweep(&s);
    }
    CU_ASSERT(bad == 0 && done > kernels() / 8);
}

static void out_of_memory(void)
{
    static const char *const src[] = {
        "Y<3>[i] = select(i < 2 && i > 0, A<6>[i*2+l] * B<2>[l], exp(sum(k<2) A<6>[k]) / A<6>[i//2]);",
        "T<2>[i] = amax(k<3) select(k < 2, A<4>[i+k], 0); A<4>[i] = tanh(T<2>[i//2]) * pow(A<4>[3-i], 2) + sqrt(T<2>[i%2]);",
    };

    for (int c = 0; c < 2; c++) {
        long fails = 0;
        for (;; fails++) {
            struct world w;
            enum calque_status st;
            int wrt;
            open_world(&w, KERNEL_F32);
            CU_ASSERT_FATAL(parse_kernel(&w, &w.k, src[c]));
            wrt = named_tensor(&w.k, "A");
            w.mem.fail_after = fails;
            st = kernel_grad(&w.g, &w.k, &wrt, 1, NULL, &w.d);
            w.mem.fail_after = -1;
            CU_ASSERT(st == CALQUE_OK || st == CALQUE_NOMEM);
            CU_ASSERT(st != CALQUE_OK || round_trip(&w));
            close_world(&w);
            if (st != CALQUE_NOMEM || fails > 5000)
                break;
        }
        CU_ASSERT(fails > 30 && fails <= 5000);
    }
}

int main(void)
{
    static const struct unit_case cases[] = {
        {"integers", integers},
        {"reals", reals},
        {"universal", universal},
        {"out of memory", out_of_memory},
    };
    return unit_main("kernel/grad_random", cases, UNIT_COUNT(cases));
}
