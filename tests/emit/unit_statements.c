/* usage: unit_statements [--pairs]     --pairs: writes what the first two tests look at for calque-oracle statements, each block named
                                        by what the check said, `seen` or `refused`, by what it does, one after the other, `the same`
                                        or `another`, and by the change.

   The check that merged statements do what the plain ones of the same commands do: what codegen makes is seen to, of every strategy
   and of random programs; changes of it, each at every place where it can be made, are refused; and what is emitted then is the plain
   code, which computes the same bits. */
#include "files.h"
#include "statements_bench.h"

#include <unistd.h>

#include "base/text.h"

/* Tiles, borders, strides that are divided, parts of parallel loops, bounds that are no numbers, look-alike rows. */
static const char *const kernels[] = {
    ("Y<1,8,10,9>[n,k,p,q] = max(sum(c<4,r<3,s<3) select(p+r >= 1 && p+r < 11 && q+s >= 1 && q+s < 10, "
    "X<1,4,10,9>[n,c,p+r-1,q+s-1] * W<8,4,3,3>[k,c,r,s], 0) + B<8>[k], 0);"),
    "C<32,48>[i,j] = sum(k<64) (A<32,64>[i,k] * D<64,48>[k,j]);",
    "M<4,8,7>[c,y,x] = amax(u<3,v<3) select(y*2+u >= 1 && y*2+u < 17 && x*2+v >= 1 && x*2+v < 15, P<4,16,14>[c,y*2+u-1,x*2+v-1], -9);",
    "T<6,4,16>[i,j,k] = Q<4,16,6>[j,k,i] - R<6>[i];",
    "E<5>[i] = sum(k<40) exp(F<5,40>[i,k]) / 3;",
    "K<7,9>[i,j] = select(i < 2, U<2,9>[i,j] - 1, select(i < 5, V<3,9>[i-2,j], G<2,9>[i-5,j] * 2));",
    "L<7,9,5>[i,j,k] = select(i < 3 && j < 4 && k < 2, H<3,4,2>[i,j,k], 7);",
    "N<8,8>[i,j] = select(i >= j, I<8,8>[i,j], 0 - 1) / J<8>[j];",
    "O<6>[i] = sum(k<12) select(k <= i * 2, S<6,12>[i,k] - Z<12>[k], 0);",
    "AA<8,8>[i,j] = select((i+j) % 3 >= 1, AB<8,8>[i,j], 2);",
    "AC<8>[i] = sum(k<9) select((i+k) % 3 >= 1, AD<9>[k], 0);",
};

/* A kernel's commands, as merged and as plain statements. */
struct bench {
    struct kernel k;
    struct prog p;
    struct code c;
    struct minic plain, m;
};

static void open_program(struct bench *b, struct diag *d)
{
    CU_ASSERT_EQUAL_FATAL(trans_prog(&b->p, true, &b->c, d), CALQUE_OK);
    CU_ASSERT_EQUAL_FATAL(codegen_plain(&b->c, false, NULL, &b->plain, d), CALQUE_OK);
    CU_ASSERT_EQUAL_FATAL(codegen(&b->c, &b->m, d), CALQUE_OK);
}

static void open_bench(struct bench *b, const char *text, unsigned strategy)
{
    struct diag d;

    kernel_init(&b->k, &mem, &strs, KERNEL_F32);
    CU_ASSERT_EQUAL_FATAL(kernel_parse(&b->k, "kernel", text, strlen(text), NULL, -1, &d), CALQUE_OK);
    CU_ASSERT_EQUAL_FATAL(lower_kernel(&b->k, strategy, &b->p, &d), CALQUE_OK);
    open_program(b, &d);
}

static void close_program(struct bench *b)
{
    minic_free(&b->plain);
    minic_free(&b->m);
    code_free(&b->c);
    prog_free(&b->p);
}

static void close_bench(struct bench *b)
{
    close_program(b);
    kernel_free(&b->k);
}

static bool is_seen(const struct bench *b, struct diag *d)
{
    diag_clear(d);
    return statements_check(&b->plain, &b->m, d) == CALQUE_OK;
}

static FILE *pairs; /* where pairs are written, or NULL */

static void write_pair(const struct bench *b, bool seen, unsigned long want, const char *change, int kernel, int id, int at)
{
    struct text t;

    if (!pairs)
        return;
    text_init(&t, &mem);
    text_printf(&t, "# %s, %s: %s, kernel %d, at %d.%d\n", seen ? "seen" : "refused", run(&b->m) == want ? "the same" : "another", change,
                kernel, id, at);
    statements_print(&t, &b->plain, &b->m);
    CU_ASSERT_FATAL(!t.failed);
    fwrite(t.a, 1, (size_t)t.n, pairs);
    text_free(&t);
}

static void test_strategies(void)
{
    static const unsigned strategy[] = { 0, LOWER_GUARD, LOWER_ROWS, LOWER_MERGE, LOWER_TILE, LOWER_ALL, LOWER_PLAIN };

    for (int i = 0; i < UNIT_COUNT(kernels); i++)
        for (int s = 0; s < UNIT_COUNT(strategy); s++) {
            struct bench b;
            struct diag d;
            open_bench(&b, kernels[i], strategy[s]);
            write_pair(&b, is_seen(&b, &d), run(&b.m), "not changed", i, s, 0);
            if (!is_seen(&b, &d)) {
                fprintf(stderr, "kernel %d, strategy %d: %s\n", i, s, d.text);
                CU_FAIL("not seen");
            }
            close_bench(&b);
        }
}

/* What main reaches. */
static void reach_exp(const struct minic *m, int id, bool *exp)
{
    if (id < 0)
        return;
    exp[id] = true;
    if (m->mx.a[id].kind == MX_CALL || m->mx.a[id].kind == MX_COND) {
        reach_exp(m, m->mx.a[id].a, exp);
        reach_exp(m, m->mx.a[id].b, exp);
    }
}

static void reach(const struct minic *m, int id, bool *stm, bool *exp)
{
    const struct ms *x;

    if (id < 0)
        return;
    x = &m->ms.a[id];
    stm[id] = true;
    if (x->kind == MS_DECL || x->kind == MS_SET)
        reach_exp(m, x->a, exp);
    if (x->kind == MS_FOR || x->kind == MS_ARRAY || x->kind == MS_IF)
        reach(m, x->a, stm, exp);
    if (x->kind == MS_IF)
        reach(m, x->b, stm, exp);
    for (int i = 0; x->kind == MS_BLOCK && i < x->len; i++)
        reach(m, m->pool.a[x->first + i], stm, exp);
}

/* A change at all its places; how many there are. What is not refused does the same. */
static int make_all(struct bench *b, int kernel, int change, unsigned long want, int *passed)
{
    bool *stm = calloc((size_t)b->m.ms.n + 1, 1), *exp = calloc((size_t)b->m.mx.n + 1, 1);
    int n = changes[change].exp ? b->m.mx.n : b->m.ms.n, made = 0;
    struct saved s;

    CU_ASSERT_FATAL(stm != NULL && exp != NULL);
    reach(&b->m, b->m.main, stm, exp);
    save(&s, &b->m);
    for (int id = 0; id < n; id++)
        for (int at = 0; (changes[change].exp ? exp : stm)[id] && changes[change].make(&b->m, id, at); at++) {
            struct diag d;
            bool seen;
            diag_clear(&d);
            made++;
            seen = statements_check(&b->plain, &b->m, &d) == CALQUE_OK;
            write_pair(b, seen, want, changes[change].name, kernel, id, at);
            if (seen) {
                (*passed)++;
                if (changes[change].strict || run(&b->m) != want) {
                    fprintf(stderr, "kernel %d, %s, at %d.%d: not refused\n", kernel, changes[change].name, id, at);
                    CU_FAIL("not refused");
                }
            } else {
                CU_ASSERT(strncmp(d.text, "statements: ", 12) == 0);
            }
            restore(&s, &b->m);
        }
    restore(&s, &b->m);
    free_saved(&s);
    free(stm);
    free(exp);
    return made;
}

static void test_changes(void)
{
    static const unsigned strategy[] = { LOWER_ALL, LOWER_PLAIN, 0 };
    int made[UNIT_COUNT(changes)] = { 0 }, all = 0, passed = 0;

    for (int i = 0; i < UNIT_COUNT(kernels); i++)
        for (int s = 0; s < UNIT_COUNT(strategy); s++) {
            struct bench b;
            struct diag d;
            unsigned long want;
            open_bench(&b, kernels[i], strategy[s]);
            want = run(&b.m);
            CU_ASSERT(want != 0);
            for (int k = 0; k < UNIT_COUNT(changes); k++)
                made[k] += make_all(&b, i, k, want, &passed);
            CU_ASSERT(is_seen(&b, &d));
            close_bench(&b);
        }
    for (int k = 0; k < UNIT_COUNT(changes); k++) {
        if (made[k] == 0) {
            fprintf(stderr, "%s: nowhere\n", changes[k].name);
            CU_FAIL("a change that is never made");
        }
        all += made[k];
    }
    printf("%d kinds of changes, %d changes, %d of them do the same\n", UNIT_COUNT(changes), all, passed);
    CU_ASSERT(passed * 50 < all);
}

/* ---- emission ---- */

/* Each loop of more than one iteration ends earlier. */
static void spoil(struct minic *m)
{
    for (int i = 0; i < m->ms.n; i++)
        if (m->ms.a[i].kind == MS_FOR && m->ms.a[i].n > m->ms.a[i].from + 1)
            m->ms.a[i].n--;
}

static void command(const char *format, const char *dir)
{
    char text[128];

    snprintf(text, sizeof text, format, dir);
    CU_ASSERT_EQUAL(system(text), 0); /* the test's own directory */
}

static void test_fallback(void)
{
    for (int bare = 0; bare < 2; bare++) {
        struct emit_options good = { .name = "net", .vectors = 1, .freestanding = bare == 1 }, bad = good;
        struct emit_files f, g;
        char dir[UNIT_DIR];
        struct bench b;
        struct diag d;

        open_bench(&b, kernels[0], LOWER_ALL);
        bad.change_statements = spoil;
        CU_ASSERT_EQUAL_FATAL(emit_kernel(&b.k, &good, &f, &d), CALQUE_OK);
        CU_ASSERT(f.checked == 1 && f.fallback.n == 0);
        CU_ASSERT_EQUAL_FATAL(emit_kernel(&b.k, &bad, &g, &d), CALQUE_OK);
        CU_ASSERT(g.checked == 0 && g.fallback.n == 1 && g.unpacked == 0);
        CU_ASSERT(file_says(&g, "net.h", "in plain code") && !file_says(&f, "net.h", "in plain code"));
        CU_ASSERT(strncmp(g.notes.a + g.fallback.a[0].reason, "statements: ", 12) == 0);
        unit_dir(dir);
        CU_ASSERT_EQUAL(emit_files_write(&g, dir, &d), CALQUE_OK);
        command("make -s -C %s check >/dev/null", dir);
        command("rm -rf %s", dir);
        emit_files_free(&f);
        emit_files_free(&g);
        close_bench(&b);
    }
}

/* Memory that is out in the check, or for its note, is no reason for plain code. */
static void test_memory(void)
{
    struct emit_options o = { .name = "net" };
    enum calque_status st = CALQUE_NOMEM;
    struct bench b;
    struct diag d;

    open_bench(&b, kernels[5], LOWER_ALL);
    for (int spoiled = 0; spoiled < 2; spoiled++) {
        o.change_statements = spoiled ? spoil : NULL;
        st = CALQUE_NOMEM;
        for (long n = 0; st == CALQUE_NOMEM && n < 10000; n++) {
            struct emit_files f;
            mem.fail_after = n;
            st = emit_kernel(&b.k, &o, &f, &d);
            mem.fail_after = -1;
            if (st == CALQUE_OK) {
                CU_ASSERT_EQUAL(f.fallback.n, spoiled);
                emit_files_free(&f);
            }
        }
        CU_ASSERT_EQUAL(st, CALQUE_OK);
    }
    close_bench(&b);
}

int main(int argc, char **argv)
{
    static const struct unit_case cases[] = { { "strategies", test_strategies }, { "changes", test_changes },
                                              { "fallback", test_fallback },     { "memory", test_memory } };
    const bool write = argc == 2 && strcmp(argv[1], "--pairs") == 0;
    int status;

    strs_init(&strs, &mem);
    pairs = write ? fdopen(dup(STDOUT_FILENO), "w") : NULL;
    if (write)
        dup2(STDERR_FILENO, STDOUT_FILENO); /* what unit_main says */
    status = unit_main("emit/statements", cases, write ? 2 : UNIT_COUNT(cases));
    if (write && (!pairs || fclose(pairs) != 0))
        status = 2;
    strs_free(&strs);
    return status;
}
