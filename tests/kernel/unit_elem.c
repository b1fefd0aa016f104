/* Tensors that are stored in another type than the kernel computes on. */
#include "kernel/grad.h"
#include "kernel/kernel.h"
#include "kernel/world.h"
#include "unit.h"

#include <limits.h>
#include <math.h>
#include <string.h>

static void test_convert(void)
{
    static const float f[] = {NAN, INFINITY, -INFINITY, -0.0f, -1.9f, 2.9f, 3e9f, 0x1p63f};
    static const double g[] = {1e300, -2147483648.5, 2147483647.9, 0x1p-1074};
    static const int64_t z[] = {INT64_MAX, -1, 0x100000002, 0};
    static const unsigned char b[] = {0, 1, 2, 255};
    float x[8];
    double y[8];
    int32_t i[8];
    int64_t l[8];
    unsigned char c[8];
    int8_t s[8];

    kernel_convert(ELEM_F32, f, ELEM_I32, i, 8);
    CU_ASSERT(i[0] == 0 && i[1] == INT32_MAX && i[2] == INT32_MIN && i[3] == 0 && i[4] == -1 && i[5] == 2 && i[6] == INT32_MAX);
    kernel_convert(ELEM_F32, f, ELEM_I64, l, 8);
    CU_ASSERT(l[0] == 0 && l[1] == INT64_MAX && l[2] == INT64_MIN && l[6] == 3000000000 && l[7] == INT64_MAX);
    kernel_convert(ELEM_F32, f, ELEM_BOOL, c, 8);
    CU_ASSERT(c[0] == 1 && c[1] == 1 && c[3] == 0 && c[4] == 1);
    kernel_convert(ELEM_F64, g, ELEM_F32, x, 4);
    CU_ASSERT(isinf(x[0]) && x[1] == -2147483648.0f && x[3] == 0.0f);
    kernel_convert(ELEM_F64, g, ELEM_I32, i, 4);
    CU_ASSERT(i[0] == INT32_MAX && i[1] == INT32_MIN && i[2] == INT32_MAX && i[3] == 0);
    kernel_convert(ELEM_F64, g, ELEM_BOOL, c, 4);
    CU_ASSERT(c[3] == 1);
    kernel_convert(ELEM_I64, z, ELEM_I32, i, 4);
    CU_ASSERT(i[0] == -1 && i[1] == -1 && i[2] == 2 && i[3] == 0);
    kernel_convert(ELEM_I64, z, ELEM_F32, x, 4);
    CU_ASSERT(x[0] == 0x1p63f && x[1] == -1.0f);
    kernel_convert(ELEM_I64, z, ELEM_BOOL, c, 4);
    CU_ASSERT(c[0] == 1 && c[2] == 1 && c[3] == 0);
    kernel_convert(ELEM_F32, f, ELEM_I8, s, 8);
    CU_ASSERT(s[0] == 0 && s[1] == INT8_MAX && s[2] == INT8_MIN && s[3] == 0 && s[4] == -1 && s[5] == 2 && s[6] == INT8_MAX);
    kernel_convert(ELEM_F32, f, ELEM_U8, c, 8);
    CU_ASSERT(c[0] == 0 && c[1] == UINT8_MAX && c[2] == 0 && c[3] == 0 && c[4] == 0 && c[5] == 2 && c[6] == UINT8_MAX);
    kernel_convert(ELEM_I64, z, ELEM_I8, s, 4);
    CU_ASSERT(s[0] == -1 && s[1] == -1 && s[2] == 2 && s[3] == 0);
    kernel_convert(ELEM_U8, b, ELEM_I8, s, 4);
    CU_ASSERT(s[0] == 0 && s[1] == 1 && s[2] == 2 && s[3] == -1);
    kernel_convert(ELEM_I8, s, ELEM_U8, c, 4);
    CU_ASSERT(c[0] == 0 && c[1] == 1 && c[2] == 2 && c[3] == 255);
    kernel_convert(ELEM_I8, s, ELEM_I32, i, 4);
    CU_ASSERT(i[0] == 0 && i[1] == 1 && i[2] == 2 && i[3] == -1);
    kernel_convert(ELEM_U8, b, ELEM_F32, x, 4);
    CU_ASSERT(x[0] == 0.0f && x[1] == 1.0f && x[2] == 2.0f && x[3] == 255.0f);
    kernel_convert(ELEM_BOOL, b, ELEM_I8, s, 4);
    CU_ASSERT(s[0] == 0 && s[1] == 1 && s[2] == 1 && s[3] == 1);
    kernel_convert(ELEM_BOOL, b, ELEM_F64, y, 4);
    CU_ASSERT(y[0] == 0.0 && y[1] == 1.0 && y[2] == 1.0 && y[3] == 1.0);
    kernel_convert(ELEM_BOOL, b, ELEM_BOOL, c, 4);
    CU_ASSERT(c[0] == 0 && c[1] == 1 && c[2] == 1 && c[3] == 1);
}

/* Canonical text has the stored type, but not the kernel's own. */
static void test_text(void)
{
    struct world w;
    struct text t;

    CU_ASSERT(open_text(&w, KERNEL_F32, "Y<3:bool>[i] = less(X<3:f32>[i], Z<1:i64>);") == CALQUE_OK);
    text_init(&t, &w.mem);
    kernel_print(&t, &w.k);
    CU_ASSERT(!t.failed && memcmp(t.a, "Y<3:bool>[i] = less(X<3>[i], Z<1:i64>);\n", 40) == 0);
    if (t.n != 40)
    CU_ASSERT(kernel_bytes(&w.k, 0) == 3 && kernel_bytes(&w.k, 1) == 12 && kernel_bytes(&w.k, 2) == 8);
    CU_ASSERT(kernel_stored(&w.k, 1) == ELEM_F32 && kernel_elem(&w.k, ELEM_F32) == ELEM_OWN);
    CU_ASSERT(kernel_check(&w.k, &w.d) == CALQUE_OK);
    w.k.tensor.a[0].elem = ELEM_F32;
    CU_ASSERT(kernel_check(&w.k, &w.d) == CALQUE_INTERNAL);
    text_free(&t);
    close_world(&w);
    CU_ASSERT(open_text(&w, KERNEL_F32, "Y<3:i16>[i] = 1;") == CALQUE_BAD);
    CU_ASSERT(w.d.line == 1 && w.d.col == 5 && strstr(w.d.text, "element type"));
    close_world(&w);
    CU_ASSERT(open_text(&w, KERNEL_F32, "Y<3>[i] = X<3>[i]+X<3:bool>[i];") == CALQUE_BAD);
    CU_ASSERT(strstr(w.d.text, "stored type of X differs") != NULL);
    close_world(&w);
}

/* A store converts to the stored type, and the next load sees what was stored. */
static void test_run(void)
{
    static const char src[] = "T<4:i32>[i] = X<4>[i] * 1.5; B<4:bool>[i] = T<4:i32>[i] - 3; T<4:i32>[i] = T<4:i32>[3-i] + 0.75;\n"
                              "Y<4>[i] = T<4:i32>[i] * 10 + B<4:bool>[i] + N<4:i64>[i];";
    float x[4] = {1, 2, 3, -3}, y[4];
    int32_t t[4];
    unsigned char b[4];
    int64_t n[4] = {100, 200, 300, 1000};

    for (int threads = 1; threads <= 2; threads++) {
        struct world w;
        void *data[5] = {NULL};
        CU_ASSERT_FATAL(open_text(&w, KERNEL_F32, src) == CALQUE_OK);
        for (int k = 0; k < w.k.tensor.n; k++) {
            const char *name = strs_text(w.k.strs, w.k.tensor.a[k].name);
            data[k] = *name == 'T' ? (void *)t : *name == 'X' ? (void *)x : *name == 'B' ? (void *)b : *name == 'N' ? (void *)n : (void *)y;
        }
        CU_ASSERT(kernel_run(&w.k, data, threads, &w.d) == CALQUE_OK);
        /* T = {1, 3, 4, -4}, B = {1, 0, 1, 1}, T = {-3, 4, 3, 1} */
        CU_ASSERT(t[0] == -3 && t[1] == 4 && t[2] == 3 && t[3] == 1);
        CU_ASSERT(b[0] == 1 && b[1] == 0 && b[2] == 1 && b[3] == 1);
        CU_ASSERT(y[0] == 71 && y[1] == 240 && y[2] == 331 && y[3] == 1011);
        close_world(&w);
    }
}

static void test_nomem(void)
{
    static const char src[] = "T<4:i32>[i] = X<4:bool>[i]; Y<4>[i] = T<4:i32>[i];";
    unsigned char x[4] = {0, 1, 1, 0};
    float y[4];
    int32_t t[4];
    int failures = 0;

    for (int n = 0; n < 1000; n++) {
        struct world w;
        void *data[3] = {t, x, y};
        enum calque_status st;
        CU_ASSERT_FATAL(open_text(&w, KERNEL_F32, src) == CALQUE_OK);
        w.mem.fail_after = n;
        st = kernel_run(&w.k, data, 1, &w.d);
        w.mem.fail_after = -1;
        close_world(&w);
        if (st == CALQUE_OK)
            break;
        CU_ASSERT(st == CALQUE_NOMEM);
        failures++;
    }
    CU_ASSERT(failures > 10 && y[1] == 1.0f && y[3] == 0.0f);
}

/* What would change values is refused: inlining across a store that converts, gradients. */
static void test_refusals(void)
{
    struct world w;
    struct kernel g, copy;
    int map[3] = {0, 1, 2}, x = 0;

    CU_ASSERT_FATAL(open_text(&w, KERNEL_F32, "T<4:bool>[i] = X<4>[i]; Y<4>[i] = T<4:bool>[i];") == CALQUE_OK);
    CU_ASSERT(kernel_inline(&w.k, 0, &w.d) == CALQUE_NO && strstr(w.d.text, "stored in another type"));
    while (w.k.tensor.a[x].role != KERNEL_IN)
        x++;
    CU_ASSERT(kernel_grad(&g, &w.k, &x, 1, NULL, &w.d) == CALQUE_BAD && strstr(w.d.text, "stored as bool"));
    kernel_free(&g);
    CU_ASSERT(kernel_copy(&w.k, &copy, &w.d) == CALQUE_OK && copy.tensor.a[0].elem == ELEM_BOOL);
    copy.tensor.a[0].elem = ELEM_I32;
    CU_ASSERT(kernel_append(&copy, &w.k, map, &w.d) == CALQUE_BAD && strstr(w.d.text, "stored types"));
    kernel_free(&copy);
    close_world(&w);
}

/* Truth values stay what they are when they are stored as bool, so their definitions may be inlined; -0, 2 and sums do not. */
static void test_truth(void)
{
    static const struct { bool inlined; const char *body; } cases[] = {
        {true, "less(X<4>[i], 0.5)"}, {true, "equal(X<4>[i], 0.5)"}, {true, "B<4:bool>[i]"}, {true, "1"},
        {true, "max(less(X<4>[i], 1), min(B<4:bool>[i], 0))"}, {true, "when(X<4>[i], equal(X<4>[i], 2))"},
        {true, "orelse(B<4:bool>[i], less(X<4>[i], 1))"}, {true, "select(i < 2, B<4:bool>[i], 0)"},
        {false, "X<4>[i]"}, {false, "-B<4:bool>[i]"}, {false, "2"}, {false, "-0x0p+0"}, {false, "orelse(X<4>[i], B<4:bool>[i])"},
        {false, "less(X<4>[i], 1) + equal(X<4>[i], 1)"}, {false, "max(B<4:bool>[i], X<4>[i])"}, {false, "select(i < 2, X<4>[i], 0)"},
        {false, "sum(j<2) B<4:bool>[i]"}, {false, "when(B<4:bool>[i], X<4>[i])"},
    };
    static const float x[] = {-1.0f, 0.5f, 2.0f, NAN};
    static const unsigned char b[] = {0, 1, 7, 1};

    for (int i = 0; i < UNIT_COUNT(cases); i++) {
        struct world w;
        char src[160];
        float want[4], got[4];
        unsigned char between[4];
        snprintf(src, sizeof src, "T<4:bool>[i] = %s; Y<4>[i] = T<4:bool>[i] * 3;", cases[i].body);
        CU_ASSERT_FATAL(open_text(&w, KERNEL_F32, src) == CALQUE_OK);
        for (int round = 0; round < 2; round++) {
            void *data[4] = {NULL};
            for (int t = 0; t < w.k.tensor.n; t++)
                switch (strs_text(&w.strs, w.k.tensor.a[t].name)[0]) {
                case 'X': data[t] = (void *)(uintptr_t)x; break;
                case 'B': data[t] = (void *)(uintptr_t)b; break;
                case 'T': data[t] = between; break;
                default: data[t] = round ? got : want;
                }
            CU_ASSERT(kernel_run(&w.k, data, 1, &w.d) == CALQUE_OK);
            if (round == 0)
                CU_ASSERT(kernel_inline(&w.k, kernel_find_tensor(&w.k, strs_addz(&w.strs, "T")), &w.d) ==
                          (cases[i].inlined ? CALQUE_OK : CALQUE_NO));
        }
        CU_ASSERT(memcmp(want, got, sizeof want) == 0);
        close_world(&w);
    }
}

int main(void)
{
    static const struct unit_case cases[] = {
        {"convert", test_convert}, {"text", test_text}, {"run", test_run}, {"out of memory", test_nomem}, {"refusals", test_refusals},
        {"truth", test_truth},
    };
    return unit_main("kernel/elem", cases, UNIT_COUNT(cases));
}
