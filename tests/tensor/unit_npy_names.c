/* The files of named tensors: readable, distinct, stable. */
#include <stdio.h>
#include <string.h>

#include "tensor/npy.h"
#include "unit.h"

/* NULL ends both lists. */
static void check(const char *const *name, const char *const *want)
{
    struct mem m = MEM_INIT;
    struct npy_names x;
    struct diag d;
    int n = 0;

    while (name[n])
        n++;
    CU_ASSERT_EQUAL_FATAL(npy_names(&x, &m, name, n, &d), CALQUE_OK);
    for (int i = 0; i < n; i++) {
        CU_ASSERT_STRING_EQUAL(npy_stem(&x, i), want[i]);
        if (strcmp(npy_stem(&x, i), want[i]) != 0)
            fprintf(stderr, "'%s': '%s', not '%s'\n", name[i], npy_stem(&x, i), want[i]);
    }
    npy_names_free(&x);
}

#define CHECK(names, wants) check((const char *const[]){names, NULL}, (const char *const[]){wants, NULL})
#define LIST(...) __VA_ARGS__

static void test_plain(void)
{
    CHECK(LIST("x", "y.0", "a-b", "_", "\xc3\xa4"), LIST("x", "y.0", "a-b", "_", "\xc3\xa4"));
    CHECK(LIST("x", "x", "y"), LIST("x", "x", "y")); /* the same tensor */
}

static void test_changed(void)
{
    CHECK(LIST("conv1/bn:0"), LIST("conv1_bn_0"));
    CHECK(LIST("a\\b*c?d\"e<f>g|h i"), LIST("a_b_c_d_e_f_g_h_i"));
    CHECK(LIST("", ".hidden", "..", "a\nb\x1b[31m\x7f"), LIST("_", "_hidden", "_.", "a_b_[31m_"));
}

static void test_collisions(void)
{
    CHECK(LIST("a/b", "a_b", "a b"), LIST("a_b_2", "a_b", "a_b_3"));
    CHECK(LIST("a/b", "a:b", "a/b"), LIST("a_b", "a_b_2", "a_b"));
    CHECK(LIST("a/b", "a_b", "a_b_2", "a b"), LIST("a_b_3", "a_b", "a_b_2", "a_b_4"));
    CHECK(LIST("X", "x", "x_2"), LIST("X", "x_3", "x_2")); /* some file systems do not tell them apart */
    CHECK(LIST("", "_", "/"), LIST("__2", "_", "__3"));
}

static void test_long(void)
{
    static char a[1001], b[1001], u[1001];
    char want[201], umlauts[201];

    memset(a, 'a', 1000);
    memset(b, 'a', 1000);
    b[999] = 'b';
    memcpy(want, a, 200);
    want[200] = '\0';
    CHECK(LIST(a), LIST(want));
    for (int i = 0; i + 1 < 1000; i += 2)
        memcpy(u + i + 1, "\xc3\xa4", 2);
    u[0] = 'u', u[999] = '\0';
    memcpy(umlauts, u, 199);
    umlauts[199] = '\0'; /* no half of a character */
    CHECK(LIST(u), LIST(umlauts));
    {
        struct mem m = MEM_INIT;
        struct npy_names x;
        struct diag d;
        CU_ASSERT_EQUAL_FATAL(npy_names(&x, &m, (const char *const[]){a, b}, 2, &d), CALQUE_OK);
        CU_ASSERT_STRING_NOT_EQUAL(npy_stem(&x, 0), npy_stem(&x, 1));
        CU_ASSERT(strlen(npy_stem(&x, 1)) < 220);
        npy_names_free(&x);
    }
}

/* Many names that collide: distinct, in a time that does not grow with their square. */
static void test_many(void)
{
    enum { N = 1 << 16 };
    static char text[N][10];
    static const char *name[N];
    struct mem m = MEM_INIT;
    struct strs seen;
    struct npy_names x;
    struct diag d;

    for (int i = 0; i < N; i++) {
        text[i][0] = 'a';
        for (int k = 0; k < 8; k++)
            text[i][k + 1] = "/:|*"[i >> 2 * k & 3];
        name[i] = text[i];
    }
    CU_ASSERT_EQUAL_FATAL(npy_names(&x, &m, name, N, &d), CALQUE_OK);
    strs_init(&seen, &m);
    for (int i = 0; i < N; i++)
        strs_addz(&seen, npy_stem(&x, i));
    CU_ASSERT_EQUAL(seen.entry.n, N);
    strs_free(&seen);
    npy_names_free(&x);
}

static void test_memory(void)
{
    static const char *const name[] = {"a/b", "a_b", "a b", "c", "C"};

    for (long fail = 0;; fail++) {
        struct mem m = {fail, 0};
        struct npy_names x;
        struct diag d;
        enum calque_status st = npy_names(&x, &m, name, 5, &d);
        npy_names_free(&x);
        if (st == CALQUE_OK)
            break;
        CU_ASSERT_EQUAL_FATAL(st, CALQUE_NOMEM);
        CU_ASSERT_FATAL(fail < 1000);
    }
}

int main(void)
{
    static const struct unit_case cases[] = {
        {"plain names", test_plain}, {"changed names", test_changed}, {"collisions", test_collisions},
        {"long names", test_long},   {"many names", test_many},       {"no memory", test_memory},
    };

    return unit_main("npy_names", cases, UNIT_COUNT(cases));
}
