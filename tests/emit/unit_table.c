/* The programs of seed 002's Table 1 and its extensions, emitted once for all sizes and once per size, compiled with gcc and
   clang, on threads: every result is bit for bit that of loops written by hand and of direct evaluation. */
#include "../dpia/table.h"
#include "batch.h"
#include "eval.h"
#include "loops.h"

#include "emit/emit.h"

enum { SIZES = 7, TYPES = 3, PARAMS = 4 };

/* Non-square, all 1, zeros where the types allow. */
static const struct loop_sizes sizes[SIZES] = {
    { 5, 3, 4, 2, 3, 2 }, { 1, 1, 1, 1, 1, 1 }, { 8, 8, 8, 2, 2, 2 }, { 0, 3, 2, 1, 2, 1 },
    { 3, 0, 2, 1, 2, 1 }, { 33, 7, 1, 1, 1, 3 }, { 4, 2, 3, 0, 0, 2 },
};

static struct mem mem = MEM_INIT;
static struct strs strs;

static long value_of(const struct loop_sizes *z, const char *name)
{
    static const char *const names[] = { "n", "m", "k", "m1", "n1", "k1", "p", "q" };
    const long v[] = { z->n, z->m, z->k, z->m1, z->n1, z->k1, 0, 0 };

    for (int i = 0; i < 6; i++)
        if (strcmp(name, names[i]) == 0)
            return v[i];
    return -1;
}

/* The program at these sizes; false when they are none (a split by 0). */
static bool read_at(struct prog *p, int i, enum kernel_type type, const struct loop_sizes *z)
{
    struct dpia_size size[8];
    struct prog all;
    struct diag d;
    int n = 0;
    bool ok;

    if (table_read(&all, &mem, &strs, table_names[i], type, NULL, 0, &d) == CALQUE_OK)
        for (; n < all.size_name.n; n++) {
            size[n].name = strs_text(&strs, all.size_name.a[n]);
            size[n].n = value_of(z, size[n].name);
        }
    /* the texts of names move when strings are added */
    char names[8][16];
    for (int k = 0; k < n; k++) {
        snprintf(names[k], sizeof names[k], "%s", size[k].name);
        size[k].name = names[k];
    }
    ok = table_read(p, &mem, &strs, table_names[i], type, size, n, &d) == CALQUE_OK;
    prog_free(&all);
    return ok;
}

static bool is_int(enum kernel_type type)
{
    return type == KERNEL_I32;
}

static bool applies(int i, enum kernel_type type)
{
    return !is_int(type) || strcmp(table_names[i], "norm2") != 0;
}

static const enum kernel_type types[TYPES] = { KERNEL_F32, KERNEL_F64, KERNEL_I32 };

/* Appends NAME taking sizes (plain) and pointers. */
static bool emit_one(struct text *t, const struct prog *p, const char *name, bool plain, unsigned long *used)
{
    struct code c;
    struct minic m;
    char inner[64];
    struct print_options o = { .name = inner, .pragmas = true, .is_static = true, .always = true, .used = used };
    struct diag d;
    bool ok;

    memset(&m, 0, sizeof m);
    snprintf(inner, sizeof inner, "f_%s", name);
    ok = trans_prog(p, !plain, &c, &d) == CALQUE_OK &&
         (plain ? codegen_plain(&c, false, NULL, &m, &d) : codegen(&c, &m, &d)) == CALQUE_OK;
    if (ok) {
        print_function(t, &m, &o);
        text_printf(t, "int %s(const long *z, void *const *t);\nint %s(const long *z, void *const *t)\n{\n    (void)z;\n    %sf_%s(",
                    name, name, m.heap ? "return " : "", name);
        for (int k = 0; k < p->size_name.n; k++)
            text_printf(t, "%sz[%d]", k ? ", " : "", k);
        for (int k = 0; k < p->param.n; k++)
            text_printf(t, "%st[%d]", k || p->size_name.n ? ", " : "", k);
        text_printf(t, ");\n%s}\n\n", m.heap ? "" : "    return 0;\n");
    }
    minic_free(&m);
    code_free(&c);
    return ok;
}

/* The same for all sizes, with contracts; false when there is no such form of the program. */
static bool emit_contracts(struct text *t, const struct prog *p, const char *name, struct acsl_used *used)
{
    struct acsl_text a = { .used.types = 0 };
    struct cells c;
    char inner[80];
    struct diag d;
    bool ok = cells_prog(&c, p, &d) == CALQUE_OK;

    text_init(&a.t, &mem);
    snprintf(inner, sizeof inner, "f_%s", name);
    ok = ok && acsl_print(&a, &c, true, &d) == CALQUE_OK;
    if (ok) {
        batch_named(t, &a.t, inner);
        text_printf(t, "int %s(const long *z, void *const *t);\nint %s(const long *z, void *const *t)\n{\n    (void)z;\n    %s(", name,
                    name, inner);
        for (int k = 0; k < p->size_name.n; k++)
            text_printf(t, "%sz[%d]", k ? ", " : "", k);
        for (int k = 0; k < p->param.n; k++)
            if (acsl_is_param(&c, k))
                text_printf(t, ", t[%d]", k);
        text_puts(t, ");\n    return 0;\n}\n\n");
        acsl_use(used, &a.used);
    }
    text_free(&a.t);
    cells_free(&c);
    return ok;
}

/* What is compiled of what is emitted, one in unit_share(): of each type, program and size some. */
enum { ALL_SIZES = -1, CONTRACTS = -2 }; /* for the size */
static bool compiled(int turn, int type, int i, int z)
{
    return (turn + type + i + z - CONTRACTS) % unit_share() == 0;
}

/* One file for each type. */
static void emit_all_contracts(const char *dir, int turn)
{
    char name[64];

    for (int type = 0; type < TYPES; type++) {
        struct acsl_used used = { .types = 0 };
        struct text f, t;
        struct diag bad;
        int n = 0;
        text_init(&f, &mem);
        text_init(&t, &mem);
        for (int i = 0; i < TABLE; i++) {
            struct acsl_used before = used;
            struct prog p;
            struct diag d;
            int size = f.n;
            if (!applies(i, types[type]))
                continue;
            CU_ASSERT_FATAL(table_read(&p, &mem, &strs, table_names[i], types[type], NULL, 0, &d) == CALQUE_OK);
            snprintf(name, sizeof name, "acsl_%d_%d", type, i);
            n += emit_contracts(&f, &p, name, &used);
            if (!compiled(turn, type, i, CONTRACTS)) {
                f.n = size;
                used = before;
            }
            prog_free(&p);
        }
        CU_ASSERT(n == (types[type] == KERNEL_I32 ? TABLE - 2 : TABLE - 1)); /* without swapped, whose result is a pair */
        acsl_theory(&t, true, MATH_LIBM, &used);
        text_put(&t, f.a, (size_t)f.n);
        snprintf(name, sizeof name, "%s/q%d.c", dir, type);
        CU_ASSERT_FATAL(file_write(name, t.a, (size_t)t.n, &bad) == CALQUE_OK);
        text_free(&f);
        text_free(&t);
    }
}

/* Emitted, and kept if it is compiled. */
static void emit_kept(struct text *t, const struct prog *p, const char *name, bool plain, bool keep, unsigned long *used)
{
    unsigned long before = *used;
    int size = t->n;

    CU_ASSERT_FATAL(emit_one(t, p, name, plain, used));
    if (!keep) {
        t->n = size;
        *used = before;
    }
}

static void emit_all(struct text *t, int turn, unsigned long *used)
{
    char name[48];

    for (int type = 0; type < TYPES; type++)
        for (int i = 0; i < TABLE; i++) {
            struct prog p;
            struct diag d;
            if (!applies(i, types[type]))
                continue;
            CU_ASSERT_FATAL(table_read(&p, &mem, &strs, table_names[i], types[type], NULL, 0, &d) == CALQUE_OK);
            snprintf(name, sizeof name, "all_%d_%d", type, i);
            emit_kept(t, &p, name, true, compiled(turn, type, i, ALL_SIZES), used);
            prog_free(&p);
            for (int z = 0; z < SIZES; z++) {
                snprintf(name, sizeof name, "at_%d_%d_%d", type, i, z);
                if (read_at(&p, i, types[type], &sizes[z]))
                    emit_kept(t, &p, name, false, compiled(turn, type, i, z), used);
                prog_free(&p);
            }
        }
}

struct job {
    char so[64];
    int turn, ran, evaluated, contracts;
};

/* Memory of one run: inputs as doubles, evaluation values and elements. */
struct run {
    double *in[PARAMS], *want;
    union scalar *value[PARAMS];
    void *arg[PARAMS], *expected;
    int n;
    long out;
};

static long cells_at(struct prog *p, int k, const struct loop_sizes *z)
{
    long n = p->data.a[p->var.a[p->param.a[k].var].type].cells, sum = 0;
    const struct poly *q = n < 0 ? &p->size.poly.a[-1 - n] : NULL;

    for (int i = 0; q && i < q->n; i++) {
        const struct mono *m = &p->size.mono.a[q->first + i];
        long c = m->c;
        for (int v = 0; v < m->n; v++)
            c *= value_of(z, strs_text(&strs, p->size_name.a[p->size.pool.a[m->first + v]]));
        sum += c;
    }
    return q ? (sum > 0 ? sum : 0) : n > 0 ? n : 0;
}

static void set_up(struct run *r, struct prog *p, int type, const struct loop_sizes *z)
{
    size_t size = kernel_type_size(types[type]);

    r->n = p->param.n;
    for (int k = 0; k < r->n; k++) {
        long n = cells_at(p, k, z);
        r->in[k] = calloc((size_t)n + 1, sizeof(double));
        r->value[k] = eval_new(n);
        r->arg[k] = calloc((size_t)n + 1, size);
        for (long i = 0; i < n; i++) {
            double x = is_int(types[type]) ? (double)batch_random(41) - 20 : ((double)batch_random(2000) - 1000) / 7;
            r->in[k][i] = types[type] == KERNEL_F32 ? (double)(float)x : x;
            if (is_int(types[type]))
                r->value[k][i].i = (int64_t)x;
            else
                r->value[k][i].d = r->in[k][i];
        }
        eval_store(p, r->arg[k], r->value[k], n);
        r->out = n;
    }
    r->want = calloc((size_t)r->out + 1, sizeof(double));
    r->expected = malloc(size * (size_t)r->out + 1);
}

static void tear_down(struct run *r)
{
    for (int k = 0; k < r->n; k++) {
        free(r->in[k]);
        free(r->value[k]);
        free(r->arg[k]);
    }
    free(r->want);
    free(r->expected);
}

static bool call_same(void *so, const char *name, const long *z, struct run *r, size_t bytes)
{
    union { void *p; int (*f)(const long *, void *const *); } fn;

    fn.p = dlsym(so, name);
    if (bytes > 0)
        memset(r->arg[r->n - 1], 0x5a, bytes);
    return fn.p && fn.f(z, r->arg) == 0 && (bytes == 0 || memcmp(r->arg[r->n - 1], r->expected, bytes) == 0);
}

/* The loops' answer in the element type. */
static void expect(struct run *r, struct prog *p, int i, const struct loop_sizes *z)
{
    union scalar *v = eval_new(r->out);

    loop_single = p->scalar == KERNEL_F32;
    loops[i](z, (const double *const *)r->in, r->want);
    for (long k = 0; k < r->out; k++)
        if (is_int(p->scalar))
            v[k].i = (int64_t)r->want[k];
        else
            v[k].d = r->want[k];
    eval_store(p, r->expected, v, r->out);
    free(v);
}

/* Does direct evaluation at these sizes agree with the loops? */
static bool evaluated(struct run *r, struct prog *at)
{
    static struct eval v;
    size_t bytes = kernel_type_size(at->scalar) * (size_t)r->out;
    union scalar *x;
    void *mine = malloc(bytes + 1);
    bool same;

    v.p = at;
    for (int k = 0; k < r->n; k++)
        v.data[at->param.a[k].var] = r->value[k];
    x = eval(&v, at->stmt.a[0].exp);
    eval_store(at, mine, x, r->out);
    same = bytes == 0 || memcmp(mine, r->expected, bytes) == 0;
    free(mine);
    free(x);
    return same;
}

static bool run_one(void *so, struct job *j, int type, int i, int z)
{
    struct prog p, at;
    struct run r;
    struct diag d;
    char name[48];
    long arg[8];
    bool ok = table_read(&p, &mem, &strs, table_names[i], types[type], NULL, 0, &d) == CALQUE_OK;
    size_t bytes;

    for (int k = 0; k < p.size_name.n; k++)
        arg[k] = value_of(&sizes[z], strs_text(&strs, p.size_name.a[k]));
    set_up(&r, &p, type, &sizes[z]);
    expect(&r, &p, i, &sizes[z]);
    bytes = kernel_type_size(types[type]) * (size_t)r.out;
    snprintf(name, sizeof name, "all_%d_%d", type, i);
    if (compiled(j->turn, type, i, ALL_SIZES)) {
        ok = ok && call_same(so, name, arg, &r, bytes);
        j->ran++;
    }
    snprintf(name, sizeof name, "acsl_%d_%d", type, i);
    if (dlsym(so, name)) {
        ok = ok && call_same(so, name, arg, &r, bytes);
        j->contracts++;
    }
    if (read_at(&at, i, types[type], &sizes[z]) && compiled(j->turn, type, i, z)) {
        snprintf(name, sizeof name, "at_%d_%d_%d", type, i, z);
        ok = ok && call_same(so, name, NULL, &r, bytes) && evaluated(&r, &at);
        j->evaluated++;
    }
    prog_free(&at);
    tear_down(&r);
    prog_free(&p);
    return ok;
}

static int run_all(void *arg)
{
    struct job *j = arg;
    void *so = dlopen(j->so, RTLD_NOW | RTLD_LOCAL);
    int wrong = so == NULL;

    for (int type = 0; so && type < TYPES; type++)
        for (int i = 0; i < TABLE; i++)
            for (int z = 0; z < SIZES && applies(i, types[type]); z++) {
                if (sizes[z].n + sizes[z].k == 0) /* n+k-1 cells */
                    continue;
                if (!run_one(so, j, type, i, z) && wrong++ < 5)
                    fprintf(stderr, "%s, type %d, sizes %d: differs\n", table_names[i], type, z);
            }
    if (j->ran * unit_share() < 600 || j->evaluated * unit_share() < 500 || j->contracts * unit_share() < 550) {
        fprintf(stderr, "only %d runs, %d evaluated, %d with contracts\n", j->ran, j->evaluated, j->contracts);
        wrong++;
    }
    return wrong;
}

static void check(const char *cc, int turn)
{
    struct job j = { .turn = turn };
    char dir[UNIT_DIR], path[64], cmd[512];
    struct text body, t;
    unsigned long used = 0;
    struct diag d;

    unit_dir(dir);
    text_init(&body, &mem);
    text_init(&t, &mem);
    emit_all(&body, turn, &used);
    emit_all_contracts(dir, turn);
    print_prelude(&t, used, 0);
    text_put(&t, body.a, (size_t)body.n);
    snprintf(path, sizeof path, "%s/p.c", dir);
    CU_ASSERT_FATAL(file_write(path, t.a, (size_t)t.n, &d) == CALQUE_OK);
    snprintf(cmd, sizeof cmd, "cd %s && %s -std=c11 -O2 -ffp-contract=off -fopenmp -Wall -Wextra -Wshadow -Werror -fPIC -shared "
             "-o p.so p.c q0.c q1.c q2.c -lm", dir, cc);
    CU_ASSERT_FATAL(system(cmd) == 0);
    snprintf(j.so, sizeof j.so, "%s/p.so", dir);
    CU_ASSERT(batch_child(run_all, &j) == 0);
    snprintf(cmd, sizeof cmd, "rm -r %s", dir);
    CU_ASSERT(system(cmd) == 0);
    text_free(&body);
    text_free(&t);
}

static void test_gcc(void)
{
    check("gcc", 0);
}

static void test_clang(void)
{
    check("clang", 1);
}

/* The listings are C: the seed's form compiles and gives the same. */
static void test_listing(void)
{
    static const char *const head[] = {
        "static void run(long n, const float *a, const float *b, float *out)\n{\nfloat r;\n",
        "static void run(long n, long m, const float *a, const float *b, float *out)\n{\nfloat r;\n",
        ("static void run(long m1, long n1, long m, long n, long k1, long k, const float A[m1][n1][m][n],\n"
         "                const float B[k1][n1][k][n], const float Z[m][k], float r[m1][k1][m][k])\n{\n"),
    };
    static const char *const tail[] = {
        "out[0] = r;\n}\nint main(void)\n{\nfloat a[3] = {1, 2, 3}, b[3] = {4, 5, 6}, r;\nrun(3, a, b, &r);\nreturn r != 32;\n}\n",
        "out[0] = r;\n}\nint main(void)\n{\nfloat a[6] = {1, 2, 3, 4, 5, 6}, r;\nrun(3, 2, a, a, &r);\nreturn r != 91;\n}\n",
        ("}\nint main(void)\n{\nfloat A[1][2][1][2] = {{{{1, 2}}, {{3, 4}}}}, Z[1][1] = {{0}}, r[1][1][1][1];\n"
         "run(1, 2, 1, 2, 1, 1, A, A, Z, r);\nreturn r[0][0][0][0] != 30;\n}\n"),
    };
    static const char *const name[] = { "product", "product_split_fused", "block_dl_mul_dl" };
    struct emit_options o = { .numbering = true };
    struct diag d;

    for (int i = 0; i < 3; i++) {
        char dir[UNIT_DIR], path[64], cmd[256];
        struct prog p;
        struct text t;
        text_init(&t, &mem);
        unit_dir(dir);
        CU_ASSERT_FATAL(table_read(&p, &mem, &strs, name[i], KERNEL_F32, NULL, 0, &d) == CALQUE_OK);
        text_puts(&t, head[i]);
        CU_ASSERT(emit_dump_prog(&t, &p, "c", &o, &d) == CALQUE_OK);
        text_puts(&t, tail[i]);
        snprintf(path, sizeof path, "%s/l.c", dir);
        CU_ASSERT_FATAL(file_write(path, t.a, (size_t)t.n, &d) == CALQUE_OK);
        snprintf(cmd, sizeof cmd, "cd %s && gcc -std=c11 -Wall -Wextra -fopenmp -o l l.c && ./l; s=$?; rm -r %s; exit $s", dir, dir);
        CU_ASSERT(system(cmd) == 0);
        text_free(&t);
        prog_free(&p);
    }
}

static const struct unit_case cases[] = {
    { "gcc", test_gcc },
    { "clang", test_clang },
    { "listing", test_listing },
};

int main(void)
{
    int status;

    strs_init(&strs, &mem);
    status = unit_main("emit_table", cases, UNIT_COUNT(cases));
    strs_free(&strs);
    return status;
}
