/* Functional programs, translated and emitted, against a direct evaluation of their meaning (Coq: eval): the programs of
   the literature and random well-typed ones over every constructor, with every parallel loop on threads. */
#include "../dpia/programs.h"
#include "../dpia/random.h"
#include "batch.h"
#include "eval.h"

enum { PROGRAMS = 300, PARAMS = 16 };

static struct mem mem = MEM_INIT;
static struct strs strs;
static struct prog progs[PROGRAMS];

/* Emits program i as r<i>, taking an array of pointers. */
static bool emit_one(struct text *t, int i, bool plain, unsigned long *used)
{
    struct code c;
    struct minic m;
    char name[32];
    struct print_options o = { .name = name, .pragmas = true, .is_static = true, .always = true, .used = used };
    struct diag d;
    bool ok;

    diag_clear(&d);
    memset(&c, 0, sizeof c);
    memset(&m, 0, sizeof m);
    snprintf(name, sizeof name, "f%d", i);
    ok = trans_prog(&progs[i], !plain, &c, &d) == CALQUE_OK && (plain ? codegen_plain(&c, false, NULL, &m, &d) : codegen(&c, &m, &d)) == CALQUE_OK;
    if (ok) {
        print_function(t, &m, &o);
        text_printf(t, "int r%d(void *const *t);\nint r%d(void *const *t)\n{\n    %sf%d(", i, i, m.heap ? "return " : "", i);
        for (int k = 0; k < progs[i].param.n; k++)
            text_printf(t, "%st[%d]", k ? ", " : "", k);
        text_printf(t, ");\n%s}\n\n", m.heap ? "" : "    return 0;\n");
    } else {
        fprintf(stderr, "program %d: %s\n", i, d.text);
    }
    minic_free(&m);
    code_free(&c);
    return ok;
}

static bool run_one(void *so, int i)
{
    static struct eval v;
    const struct prog *p = &progs[i];
    union { void *p; int (*f)(void *const *); } fn;
    void *arg[PARAMS], *expected;
    union scalar *in[PARAMS], *want;
    char name[32];
    bool same;
    int out = p->param.n - 1;
    size_t bytes = kernel_type_size(p->scalar) * (size_t)data_size(p, p->var.a[p->param.a[out].var].type);

    v.p = p;
    for (int k = 0; k < p->param.n; k++) {
        long n = data_size(p, p->var.a[p->param.a[k].var].type);
        in[k] = eval_new(n);
        for (long j = 0; j < n; j++)
            if (p->scalar == KERNEL_F32 || p->scalar == KERNEL_F64)
                in[k][j].d = ((double)rnd(41) - 20) / 8;
            else
                in[k][j].i = (int64_t)rnd(2001) - 1000;
        v.data[p->param.a[k].var] = in[k];
        arg[k] = malloc(8 * (size_t)(n + 1));
        eval_store(p, arg[k], in[k], n);
    }
    snprintf(name, sizeof name, "r%d", i);
    fn.p = dlsym(so, name);
    want = eval(&v, p->stmt.a[0].exp);
    expected = malloc(bytes + 1);
    eval_store(p, expected, want, data_size(p, p->var.a[p->param.a[out].var].type));
    same = fn.p && fn.f(arg) == 0 && memcmp(arg[out], expected, bytes) == 0;
    free(want);
    free(expected);
    for (int k = 0; k < p->param.n; k++) {
        free(arg[k]);
        free(in[k]);
    }
    return same;
}

struct job {
    char so[64];
    int n, turn;
};

/* Whose turn it is where one program in unit_share() is compiled; the next time it is another's. */
static int turn;

/* All are emitted, these compiled and run. */
static bool compiled(const struct job *j, int i)
{
    return j->n < 10 || (i + j->turn) % unit_share() == 0;
}

static int run_all(void *arg)
{
    struct job *j = arg;
    void *so = dlopen(j->so, RTLD_NOW | RTLD_LOCAL);
    int wrong = so == NULL;

    for (int i = 0; so && i < j->n; i++)
        if (compiled(j, i) && !run_one(so, i) && wrong++ < 3) {
            struct text q;
            text_init(&q, &mem);
            prog_print(&q, &progs[i]);
            fprintf(stderr, "program %d differs:\n%s\n", i, q.a);
            text_free(&q);
        }
    return wrong;
}

static void check(int n, bool plain, const char *cc, const char *flags)
{
    struct job j = { .n = n, .turn = turn++ };
    char dir[UNIT_DIR], path[64], cmd[512];
    struct text body, t;
    unsigned long used = 0;
    struct diag d;

    unit_dir(dir);
    text_init(&body, &mem);
    text_init(&t, &mem);
    for (int i = 0; i < n; i++) {
        unsigned long before = used;
        int size = body.n;
        CU_ASSERT_FATAL(emit_one(&body, i, plain, &used));
        if (!compiled(&j, i)) {
            body.n = size;
            used = before;
        }
    }
    print_prelude(&t, used, 0);
    text_put(&t, body.a, (size_t)body.n);
    snprintf(path, sizeof path, "%s/p.c", dir);
    CU_ASSERT_FATAL(file_write(path, t.a, (size_t)t.n, &d) == CALQUE_OK);
    snprintf(cmd, sizeof cmd, "cd %s && %s -std=c11 %s -ffp-contract=off -fopenmp -Wall -Wextra -Wshadow -Werror -fPIC -shared "
             "-o p.so p.c -lm", dir, cc, flags);
    CU_ASSERT_FATAL(system(cmd) == 0);
    snprintf(j.so, sizeof j.so, "%s/p.so", dir);
    CU_ASSERT(batch_child(run_all, &j) == 0);
    snprintf(cmd, sizeof cmd, "rm -r %s", dir);
    CU_ASSERT(system(cmd) == 0);
    text_free(&body);
    text_free(&t);
}

static void build_all(int n, enum kernel_type type, void (*const *build)(struct prog *))
{
    for (int i = 0; i < n; i++) {
        prog_init(&progs[i], &mem, &strs, type);
        if (build)
            build[i](&progs[i]);
        else
            build_random(&progs[i]);
        CU_ASSERT_FATAL(progs[i].status == CALQUE_OK && progs[i].var.n <= EVAL_VARS);
    }
}

static void free_all(int n)
{
    for (int i = 0; i < n; i++)
        prog_free(&progs[i]);
}

static void test_literature(void)
{
    static void (*const build[])(struct prog *) = { build_dot, build_split_dot, build_reversed, build_row_sum,
                                                    build_acceptors, build_choice };

    build_all(6, KERNEL_F32, build);
    for (int plain = 0; plain < 2; plain++) {
        check(6, plain, "gcc", "-O2");
        check(6, plain, "clang", "-O2");
    }
    free_all(6);
}

/* All constructors occur in what is compiled; the count shows it. */
static void test_random(void)
{
    int seen[EXP_LET + 1] = { 0 };
    struct job j = { .n = PROGRAMS, .turn = turn };

    build_all(PROGRAMS, KERNEL_F32, NULL);
    for (int i = 0; i < PROGRAMS; i++)
        for (int k = 0; k < progs[i].exp.n && compiled(&j, i); k++)
            seen[progs[i].exp.a[k].kind]++;
    for (int k = 0; k <= EXP_LET; k++)
        if (seen[k] * unit_share() < 10) {
            fprintf(stderr, "constructor %d occurs %d times\n", k, seen[k]);
            CU_FAIL("constructors");
        }
    check(PROGRAMS, false, "gcc", "-O1");
    check(PROGRAMS, true, "gcc", "-O1");
    free_all(PROGRAMS);
}

/* The other element types; integer arithmetic wraps. */
static void test_types(void)
{
    for (int type = KERNEL_F64; type <= KERNEL_I64; type++) {
        build_all(PROGRAMS / 8, (enum kernel_type)type, NULL);
        check(PROGRAMS / 8, false, "gcc", "-O1");
        check(PROGRAMS / 8, true, "gcc", "-O1");
        free_all(PROGRAMS / 8);
    }
}

static const struct unit_case cases[] = {
    { "literature", test_literature },
    { "random", test_random },
    { "types", test_types },
};

int main(void)
{
    int status;

    strs_init(&strs, &mem);
    status = unit_main("emit_programs", cases, UNIT_COUNT(cases));
    strs_free(&strs);
    return status;
}
