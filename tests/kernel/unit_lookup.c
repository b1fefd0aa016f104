/* Look-ups: text, checks, runs against a plain loop, errors, and what other passes do with them. */
#include "kernel/grad.h"
#include "kernel/inline.h"
#include "kernel/kernel.h"
#include "kernel/world.h"
#include "unit.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void test_text(void)
{
    static const char *const good[] = {
        "Y<2,3,4>[i,j,k] = X<9,4>[at(I<2,3:i64>[i,j]),k];\n",
        "Y<4,2>[k,i] = X<4,9>[k,at(I<7:i32>[i*3+1])];\n",
        "Y<5>[i] = X<9>[at(S<1:i64>)];\n",
        "Y<5:bool>[i] = X<0:bool>[at(I<5:i64>[i])];\n",
        "Y<2>[at] = X<3,2>[at(I<2:i64>[at]),at];\n",
    };
    struct world w;
    struct text t;

    for (int i = 0; i < UNIT_COUNT(good); i++) {
        CU_ASSERT(open_text(&w, KERNEL_F32, good[i]) == CALQUE_OK);
        text_init(&t, &w.mem);
        kernel_print(&t, &w.k);
        CU_ASSERT(!t.failed && (size_t)t.n == strlen(good[i]) && memcmp(t.a, good[i], (size_t)t.n) == 0);
        CU_ASSERT(kernel_check(&w.k, &w.d) == CALQUE_OK);
        text_free(&t);
        close_world(&w);
    }
}

static void test_refused(void)
{
    static const struct {
        const char *text, *why;
        int col;
    } bad[] = {
        {"Y<5>[i] = X<9>[at(I<5>[i])];", "no integers", 1},
        {"Y<5>[i] = X<9>[at(I<5:bool>[i])];", "no integers", 1},
        {"Y<5>[i] = X<9>[at(I<5:i64>[i+1])];", "index 1 of I is in 1..5, not in 0..4", 28},
        {"Y<5>[i] = X<9,4>[at(I<5:i64>[i]),i];", "index 2 of X is in 0..4, not in 0..3", 34},
        {"Y<5>[i] = X<9>[at(I<5:i64>[i])] + 1;", "stands alone", 9},
        {"Y<5>[i] = -X<9>[at(I<5:i64>[i])];", "stands alone", 9},
        {"Y<5>[i] = X<9>[at(I<5:i64>[at(J<5:i64>[i])])];", "second index", 28},
        {"Y<5>[i] = X<9,9>[at(I<5:i64>[i]),at(I<5:i64>[i])];", "second index", 34},
        {"Y<5>[i] = X<9>[at(I<5:i64>[j])];", "no variables but those on the left", 9},
        {"Y<5:bool>[i] = X<9>[at(I<5:i64>[i])];", "between stored types", 1},
        {"Y<5>[i] = X<9>[at(3)];", "expected the tensor", 19},
    };

    for (int i = 0; i < UNIT_COUNT(bad); i++) {
        struct world w;
        CU_ASSERT(open_text(&w, KERNEL_F32, bad[i].text) == CALQUE_BAD);
        CU_ASSERT(strstr(w.d.text, bad[i].why) != NULL && w.d.col == bad[i].col);
        if (!strstr(w.d.text, bad[i].why) || w.d.col != bad[i].col)
            fprintf(stderr, "%s: %d: %s\n", bad[i].text, w.d.col, w.d.text);
        close_world(&w);
    }
}

static struct world *numbers(struct world *w, void **data, int64_t *i, long n)
{
    for (int t = 0; t < w->k.tensor.n; t++) {
        long cells = kernel_elems(&w->k, t);
        data[t] = calloc((size_t)cells + 1, 8);
        for (long c = 0; c < cells; c++)
            if (strcmp(strs_text(w->k.strs, w->k.tensor.a[t].name), "I") == 0)
                ((int64_t *)data[t])[c] = i[c % n];
            else
                ((float *)data[t])[c] = (float)(100 * t + c);
    }
    return w;
}

static void free_data(const struct world *w, void **data)
{
    for (int t = 0; t < w->k.tensor.n; t++)
        free(data[t]);
}

/* KL-Lookup KL-Negative: axis 0, 1 and 2 of X<3,4,5>, indices of rank 2, on several threads; sizes that take threads. */
static void test_run(void)
{
    static const char *const src[] = {
        "Y<2,3,4,5>[i,j,k,l] = X<3,4,5>[at(I<2,3:i64>[i,j]),k,l];",
        "Y<3,2,3,5>[i,j,k,l] = X<3,4,5>[i,at(I<2,3:i64>[j,k]),l];",
        "Y<3,4,2,3>[i,j,k,l] = X<3,4,5>[i,j,at(I<2,3:i64>[k,l])];",
    };
    static const int size[] = {3, 4, 5};
    int64_t index[] = {2, -1, 0, -3, 1, 2};

    for (int axis = 0; axis < 3; axis++)
        for (int threads = 1; threads <= 3; threads++) {
            struct world w;
            void *data[3];
            float *y, *x;
            int at = 0, wrong = 0;
            CU_ASSERT_FATAL(open_text(&w, KERNEL_F32, src[axis]) == CALQUE_OK);
            numbers(&w, data, index, 6);
            CU_ASSERT(kernel_run(&w.k, data, threads, &w.d) == CALQUE_OK);
            y = data[0];
            x = data[kernel_find_tensor(&w.k, strs_addz(&w.strs, "X"))];
            for (int a = 0; a < (axis == 0 ? 1 : axis == 1 ? 3 : 12); a++)
                for (int i = 0; i < 6; i++)
                    for (int b = 0; b < (axis == 0 ? 20 : axis == 1 ? 5 : 1); b++) {
                        long j = index[i] < 0 ? index[i] + size[axis] : index[i];
                        long inner = axis == 0 ? 20 : axis == 1 ? 5 : 1;
                        wrong += y[at++] != x[((long)a * size[axis] + j) * inner + b];
                    }
            CU_ASSERT(wrong == 0 && at == kernel_elems(&w.k, 0));
            free_data(&w, data);
            close_world(&w);
        }
}

/* KL-Range: the first index outside is told, nothing is stored; an empty output looks at no index. */
static void test_outside(void)
{
    static const struct {
        const char *src;
        int64_t index[4];
        const char *why; /* NULL: none */
    } cases[] = {
        {"Y<2,2,3>[i,j,k] = X<9,3>[at(I<2,2:i64>[i,j]),k];", {8, 9, 10, 0}, "index I[0,1] is 9, not in -9..8"},
        {"Y<2,2,3>[i,j,k] = X<9,3>[at(I<2,2:i64>[j,i]),k];", {8, 9, 10, 0}, "index I[1,0] is 10, not in -9..8"},
        {"Y<4>[i] = X<9>[at(I<4:i64>[i])];", {-9, -10, 0, 0}, "index I[1] is -10, not in -9..8"},
        {"Y<4>[i] = X<9>[at(I<4:i64>[3-i])];", {LONG_MIN, 0, 0, LONG_MAX}, "index I[3] is 9223372036854775807, not"},
        {"Y<4>[i] = X<9>[at(I<1:i64>)];", {LONG_MIN, 0, 0, 0}, "index I is -9223372036854775808, not"},
        {"Y<4>[i] = X<0>[at(I<4:i64>[i])];", {0, 0, 0, 0}, "index I[0] is 0, but the dimension is empty"},
        {"Y<4,0>[i,j] = X<9,0>[at(I<4:i64>[i]),j];", {99, 0, 0, 0}, NULL},
        {"Y<2>[i] = X<9>[at(I<4:i64>[i])];", {0, 0, 99, 99}, NULL},
    };

    for (int i = 0; i < UNIT_COUNT(cases); i++) {
        struct world w;
        void *data[3];
        int64_t index[4];
        enum calque_status st;
        memcpy(index, cases[i].index, sizeof index);
        CU_ASSERT_FATAL(open_text(&w, KERNEL_F32, cases[i].src) == CALQUE_OK);
        numbers(&w, data, index, 4);
        st = kernel_run(&w.k, data, 2, &w.d);
        CU_ASSERT(st == (cases[i].why ? CALQUE_BAD : CALQUE_OK));
        CU_ASSERT(!cases[i].why || strstr(w.d.text, cases[i].why) != NULL);
        if (cases[i].why && !strstr(w.d.text, cases[i].why))
            fprintf(stderr, "%s\n", w.d.text);
        CU_ASSERT(!cases[i].why || ((float *)data[0])[0] == 0.0f);
        free_data(&w, data);
        close_world(&w);
    }
}

/* i32 indices; a tensor that is looked up and stored at once; rows on threads. */
static void test_forms(void)
{
    struct world w;
    int32_t index[4] = {3, -4, 1, 1};
    int64_t x[4] = {3, 2, 0, 1};
    void *data[2];
    static float big[300 * 400], out[300 * 400];
    static int64_t rows[300];
    void *all[3] = {out, big, rows};
    long wrong = 0;

    CU_ASSERT_FATAL(open_text(&w, KERNEL_I64, "X<4>[i] = X<4>[at(I<4:i32>[i])];") == CALQUE_OK);
    data[0] = x;
    data[1] = index;
    CU_ASSERT(kernel_run(&w.k, data, 1, &w.d) == CALQUE_OK);
    CU_ASSERT(x[0] == 1 && x[1] == 3 && x[2] == 2 && x[3] == 2);
    close_world(&w);
    CU_ASSERT_FATAL(open_text(&w, KERNEL_I64, "X<4>[i] = X<4>[at(X<4>[i])];") == CALQUE_OK);
    CU_ASSERT(kernel_run(&w.k, data, 1, &w.d) == CALQUE_OK);
    CU_ASSERT(x[0] == 3 && x[1] == 2 && x[2] == 2 && x[3] == 2);
    close_world(&w);
    for (int i = 0; i < 300; i++)
        rows[i] = (i * 7919L) % 600 - 300;
    for (int i = 0; i < 300 * 400; i++)
        big[i] = (float)i;
    CU_ASSERT_FATAL(open_text(&w, KERNEL_F32, "Y<300,400>[i,j] = X<300,400>[at(I<300:i64>[i]),j];") == CALQUE_OK);
    CU_ASSERT(kernel_run(&w.k, all, 3, &w.d) == CALQUE_OK);
    for (int i = 0; i < 300; i++)
        for (int j = 0; j < 400; j++)
            wrong += out[i * 400 + j] != big[(rows[i] < 0 ? rows[i] + 300 : rows[i]) * 400 + j];
    CU_ASSERT(wrong == 0);
    close_world(&w);
}

/* Copies keep look-ups; inlining keeps them apart; a gradient is refused; dead code does not lose what they read. */
static void test_passes(void)
{
    static const char src[] = "A<9,3>[i,j] = X<9,3>[i,j] * 0x1p+1;\nJ<4:i64>[i] = K<4:i64>[i] + 0x1p+0;\nD<2>[i] = 0x1p+0;\n"
                              "Z<4,3>[i,j] = A<9,3>[at(J<4:i64>[i]),j];\nY<4,3>[i,j] = Z<4,3>[i,j] + 0x1p+0;\n";
    struct world w;
    struct kernel copy, part, g;
    struct ints from = {0};
    struct text t, u;
    int n = 0, x;

    CU_ASSERT_FATAL(open_text(&w, KERNEL_F32, src) == CALQUE_OK);
    CU_ASSERT(kernel_copy(&w.k, &copy, &w.d) == CALQUE_OK && kernel_looks_up(&copy));
    text_init(&t, &w.mem);
    text_init(&u, &w.mem);
    kernel_print(&t, &copy);
    CU_ASSERT((size_t)t.n == strlen(src) && memcmp(t.a, src, (size_t)t.n) == 0);
    kernel_free(&copy);
    CU_ASSERT(kernel_part(&w.k, 3, 1, &part, &from, &w.d) == CALQUE_OK && part.tensor.n == 3 && part.stmt.a[0].look == 1);
    kernel_print(&u, &part);
    CU_ASSERT(u.n > 4 && memcmp(u.a, "Z<4,3>[i,j] = A<9,3>[at(J<4:i64>[i]),j];", 40) == 0);
    kernel_free(&part);
    ints_free(&from);
    x = kernel_find_tensor(&w.k, strs_addz(&w.strs, "X"));
    CU_ASSERT(kernel_grad(&g, &w.k, &x, 1, NULL, &w.d) == CALQUE_BAD && strstr(w.d.text, "look-up"));
    kernel_free(&g);
    CU_ASSERT(kernel_inline(&w.k, 0, &w.d) == CALQUE_NO && strstr(w.d.text, "a look-up reads it"));
    x = kernel_find_tensor(&w.k, strs_addz(&w.strs, "Z"));
    CU_ASSERT(kernel_inline(&w.k, x, &w.d) == CALQUE_NO && strstr(w.d.text, "its definition is a look-up"));
    CU_ASSERT(kernel_remove_dead(&w.k, &n, &w.d) == CALQUE_OK && n == 1 && w.k.stmt.n == 4);
    w.k.stmt.a[2].at = w.k.ex.n;
    CU_ASSERT(kernel_check(&w.k, &w.d) == CALQUE_BAD);
    text_free(&t);
    text_free(&u);
    close_world(&w);
}

static void test_nomem(void)
{
    static const char src[] = "X<4>[i] = X<4>[at(I<4:i64>[i])];";
    int64_t x[4] = {0, 1, 2, 3}, index[4] = {3, 3, 3, 3};
    void *data[2] = {x, index};
    struct world w;
    int failures = 0;

    CU_ASSERT_FATAL(open_text(&w, KERNEL_I64, src) == CALQUE_OK);
    for (;; failures++) {
        enum calque_status st;
        w.mem.fail_after = failures;
        st = kernel_run(&w.k, data, 1, &w.d);
        if (st == CALQUE_OK)
            break;
        CU_ASSERT_FATAL(st == CALQUE_NOMEM && failures < 1000 && x[0] == 0);
    }
    CU_ASSERT(failures > 1 && x[0] == 3);
    w.mem.fail_after = -1;
    close_world(&w);
}

int main(void)
{
    static const struct unit_case cases[] = {
        {"text", test_text},   {"refused", test_refused}, {"run", test_run},           {"outside", test_outside},
        {"forms", test_forms}, {"passes", test_passes},   {"out of memory", test_nomem},
    };
    return unit_main("kernel/lookup", cases, UNIT_COUNT(cases));
}
