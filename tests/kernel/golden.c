/* The kernels of cases.kern, and the gradients of those with wrt, as emitted C against loops written here. Inputs and in/out tensors are random, plain
   outputs are poisoned with NaN; an element is right only if the comparison holds, so NaN is wrong. usage: golden SEED */
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "headers.h" /* those of all cases: made by run.sh */

enum { TENSORS = 12 };
struct tensor {
    const char *name;
    bool out;
    long n;
    float *now, *before; /* or int32_t */
};
struct test {
    const char *name;
    struct tensor t[TENSORS];
    int n, wrong;
    long checked;
    double least; /* tolerance: absolute, or with a relative one too */
    double rel;
};

static uint64_t state;

static double uniform(void)
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (double)(state >> 40) / (1 << 24) * 20 - 10;
}

static void add(struct test *x, const char *name, const char *type, size_t bytes, bool out)
{
    struct tensor *t = &x->t[x->n++];
    bool ints = strcmp(type, "<i4") == 0;

    *t = (struct tensor){name, out, (long)(bytes / 4), malloc(bytes), malloc(bytes)};
    if (!ints && strcmp(type, "<f4") != 0)
        abort();
    for (long i = 0; i < t->n; i++) {
        if (ints)
            ((int32_t *)t->before)[i] = (int32_t)uniform();
        else
            t->before[i] = (float)uniform();
    }
    memcpy(t->now, t->before, bytes);
}

static const struct tensor *find(const struct test *x, const char *name)
{
    for (int i = 0; i < x->n; i++)
        if (strcmp(x->t[i].name, name) == 0)
            return &x->t[i];
    fprintf(stderr, "%s: no tensor %s in the signature\n", x->name, name);
    exit(1);
}

/* What the function was given. */
static const float *in(const struct test *x, const char *name)
{
    return find(x, name)->before;
}

/* Poisons an output that is not also an input. */
static void poison(struct test *x, const char *name)
{
    const struct tensor *t = find(x, name);

    memset(t->now, 0xff, (size_t)t->n * 4); /* NaN */
}

static void same(struct test *x, const char *name, long at, double want)
{
    double got = find(x, name)->now[at], error = fabs(got - want);

    x->checked++;
    if (!(error < x->least) && !(error < x->rel * fabs(want)))
        if (x->wrong++ < 3)
            fprintf(stderr, "%s: %s[%ld] is %.9g, not %.9g\n", x->name, name, at, got, want);
}

#define COLLECT(c, C)                                                                                        \
    for (int i = 0; i < C##_INPUTS; i++)                                                                     \
        add(x, c##_input[i].name, c##_input[i].type, c##_input[i].bytes, false);                             \
    for (int i = 0; i < C##_OUTPUTS; i++)                                                                    \
        add(x, c##_output[i].name, c##_output[i].type, c##_output[i].bytes, true)
#define CALL(c)                                                                                              \
    do {                                                                                                     \
        const void *ins[TENSORS];                                                                            \
        void *outs[TENSORS];                                                                                 \
        int ni = 0, no = 0;                                                                                  \
        for (int i = 0; i < x->n; i++) {                                                                     \
            if (x->t[i].out)                                                                                 \
                outs[no++] = x->t[i].now;                                                                    \
            else                                                                                             \
                ins[ni++] = x->t[i].now;                                                                     \
        }                                                                                                    \
        if (c##_run(ins, outs, NULL) != 0)                                                                   \
            x->wrong++;                                                                                      \
    } while (0)
#define FOR(i, n) for (int i = 0; i < (n); i++)

/* ---- kernels: in float, in the stated order ---- */
static void product_check(struct test *x)
{
    const float *B = in(x, "B"), *C = in(x, "C");
    FOR(i, 512) same(x, "A", i, C[i] * B[i]);
}
static void constant_check(struct test *x)
{
    FOR(i, 512) same(x, "A", i, 2);
}
static void add_two_check(struct test *x)
{
    FOR(i, 128) same(x, "A", i, in(x, "A")[i] + 2.0f);
}
static void add_int_check(struct test *x)
{
    const int32_t *B = (const void *)in(x, "B"), *C = (const void *)in(x, "C"), *A = (const void *)find(x, "A")->now;
    FOR(i, 512) {
        x->checked++;
        x->wrong += A[i] != B[i] + C[i];
    }
}
static void matmul_add_check(struct test *x)
{
    const float *A = in(x, "A"), *B = in(x, "B"), *C = in(x, "C");
    FOR(i, 16) FOR(j, 32) {
        float acc = 0;
        FOR(k, 32) acc += B[i * 32 + k] * C[k * 32 + j];
        same(x, "A", i * 32 + j, A[i * 32 + j] + acc);
    }
}
static void gemm_check(struct test *x)
{
    const float *A = in(x, "A"), *B = in(x, "B"), *C = in(x, "C"), *D = in(x, "D");
    FOR(i, 16) FOR(j, 32) {
        float acc = 0;
        FOR(k, 32) acc += *in(x, "alpha") * (B[i * 32 + k] * C[k * 32 + j]);
        acc = A[i * 32 + j] + acc;
        same(x, "A", i * 32 + j, acc + *in(x, "beta") * D[i * 32 + j]);
    }
}
static void conv_add_check(struct test *x)
{
    const float *A = in(x, "A"), *B = in(x, "B"), *C = in(x, "C");
    FOR(n, 2) FOR(k, 8) FOR(p, 5) FOR(q, 5) {
        float acc = 0;
        int at = ((n * 8 + k) * 5 + p) * 5 + q;
        FOR(c, 16) FOR(r, 3) FOR(s, 3) acc += B[((n * 16 + c) * 7 + p + r) * 7 + q + s] * C[((k * 16 + c) * 3 + r) * 3 + s];
        same(x, "A", at, A[at] + acc);
    }
}
static void transpose_check(struct test *x)
{
    FOR(i, 16) FOR(j, 32) same(x, "B", i * 32 + j, in(x, "A")[j * 16 + i]);
}
static void repeat_check(struct test *x)
{
    FOR(i, 8) FOR(j, 2) FOR(k, 16) same(x, "A", (i * 2 + j) * 16 + k, in(x, "B")[i * 16 + k]);
}
static void factors_add_check(struct test *x)
{
    const float *A = in(x, "A"), *B = in(x, "B"), *C = in(x, "C"), *D = in(x, "D");
    FOR(i, 16) FOR(j, 32) {
        float acc = 0;
        FOR(k, 32) FOR(l, 8) acc += B[(i * 32 + k) * 8 + l] * C[k * 32 + j] * D[l * 32 + j];
        same(x, "A", i * 32 + j, A[i * 32 + j] + acc);
    }
}
static void blur_check(struct test *x)
{
    const float *B = in(x, "B");
    FOR(i, 8) FOR(j, 8)
        same(x, "A", i * 8 + j, (B[i * 10 + j] + B[(i + 1) * 10 + j] + B[(i + 2) * 10 + j]) / 3.0f);
}

/* ---- gradients: the scatter form, in double: dX[e(I)] += w(I) ---- */
static void product_one_check(struct test *x)
{
    FOR(i, 64) same(x, "dA", i, (double)in(x, "dC")[i] * in(x, "B")[i]);
}
static void square_one_check(struct test *x)
{
    FOR(i, 64) same(x, "dA", i, 2.0 * in(x, "dB")[i] * in(x, "A")[i]);
}
static void compare(struct test *x, const char *name, const double *want, long n)
{
    FOR(i, n) same(x, name, i, want[i]);
}
static void matmul_check(struct test *x)
{
    double dA[64] = {0};
    FOR(i, 4) FOR(j, 16) FOR(k, 16) dA[i * 16 + k] += (double)in(x, "dC")[i * 16 + j] * in(x, "B")[k * 16 + j];
    compare(x, "dA", dA, 64);
}
static void matmul_both_check(struct test *x)
{
    double dB[512] = {0}, dC[1024] = {0};
    FOR(i, 16) FOR(j, 32) FOR(k, 32) {
        double v = in(x, "dA")[i * 32 + j];
        dB[i * 32 + k] += v * in(x, "C")[k * 32 + j];
        dC[k * 32 + j] += v * in(x, "B")[i * 32 + k];
    }
    compare(x, "dB", dB, 512);
    compare(x, "dC", dC, 1024);
}
static void factors_check(struct test *x)
{
    static double dB[2048];
    memset(dB, 0, sizeof dB);
    FOR(i, 16) FOR(j, 32) FOR(k, 32) FOR(l, 4)
        dB[(i * 32 + k) * 4 + l] += (double)in(x, "dA")[i * 32 + j] * in(x, "C")[k * 32 + j] * in(x, "D")[l * 32 + j];
    compare(x, "dB", dB, 2048);
}
static void conv_check(struct test *x)
{
    static double dB[2 * 16 * 49];
    memset(dB, 0, sizeof dB);
    FOR(n, 2) FOR(k, 8) FOR(p, 5) FOR(q, 5) FOR(c, 16) FOR(r, 3) FOR(s, 3)
        dB[((n * 16 + c) * 7 + p + r) * 7 + q + s] +=
            (double)in(x, "dA")[((n * 8 + k) * 5 + p) * 5 + q] * in(x, "C")[((k * 16 + c) * 3 + r) * 3 + s];
    compare(x, "dB", dB, 2 * 16 * 49);
}
static void transpose_back_check(struct test *x)
{
    FOR(i, 16) FOR(j, 32) same(x, "dA", j * 16 + i, in(x, "dB")[i * 32 + j]);
}
static void flatten_check(struct test *x)
{
    FOR(i, 32) same(x, "dA", i / 16 * 16 + i % 16, in(x, "dB")[i]);
}
static void columns_check(struct test *x)
{
    double dA[4] = {0};
    FOR(i, 4) FOR(j, 6) dA[i] += in(x, "dB")[i * 6 + j];
    compare(x, "dA", dA, 4);
}
static void blur_rows_check(struct test *x)
{
    double dB[80] = {0};
    FOR(i, 8) FOR(j, 8) FOR(r, 3) dB[(i + r) * 8 + j] += in(x, "dA")[i * 8 + j] / 3.0;
    compare(x, "dB", dB, 80);
}

static int failures;

static void begin(struct test *x, const char *name, double least, double rel)
{
    memset(x, 0, sizeof *x);
    x->name = name;
    x->least = least;
    x->rel = rel;
}

static void end(struct test *x)
{
    bool ok = x->wrong == 0 && x->checked > 0;

    printf("%s %s: %ld elements\n", ok ? "PASS" : "FAIL", x->name, x->checked);
    failures += !ok;
    for (int i = 0; i < x->n; i++) {
        free(x->t[i].now);
        free(x->t[i].before);
    }
}

/* poisoned: the outputs that are not also inputs */
#define RUN(c, C, least, rel, ...)                                                                           \
    do {                                                                                                     \
        static const char *const poisoned[] = {__VA_ARGS__ NULL};                                            \
        struct test test, *x = &test;                                                                        \
        begin(x, #c, least, rel);                                                                            \
        COLLECT(c, C);                                                                                       \
        for (int i = 0; poisoned[i]; i++)                                                                    \
            poison(x, poisoned[i]);                                                                          \
        CALL(c);                                                                                             \
        c##_check(x);                                                                                        \
        end(x);                                                                                              \
    } while (0)

int main(int argc, char **argv)
{
    state = argc > 1 ? strtoull(argv[1], NULL, 10) : 1;
    for (int i = 0; i < 20; i++)
        uniform();
    RUN(product, PRODUCT, 1e-5, 0, "A",);
    RUN(constant, CONSTANT, 1e-5, 0, "A",);
    RUN(add_two, ADD_TWO, 1e-5, 0, );
    RUN(add_int, ADD_INT, 1e-5, 0, "A",);
    RUN(matmul_add, MATMUL_ADD, 1e-5, 0, );
    RUN(gemm, GEMM, 1e-5, 0, );
    RUN(conv_add, CONV_ADD, 1e-5, 0, );
    RUN(transpose, TRANSPOSE, 1e-5, 0, "B",);
    RUN(repeat, REPEAT, 1e-5, 0, "A",);
    RUN(factors_add, FACTORS_ADD, 1e-5, 0, );
    RUN(blur, BLUR, 1e-5, 0, "A",);
    RUN(product_one, PRODUCT_ONE, 1e-5, 1e-6, "dA",);
    RUN(square_one, SQUARE_ONE, 1e-5, 1e-6, "dA",);
    RUN(matmul, MATMUL, 1e-3, 1e-4, "dA",);
    RUN(matmul_both, MATMUL_BOTH, 1e-3, 1e-4, "dB", "dC",);
    RUN(factors, FACTORS, 1e-3, 1e-4, "dB",);
    RUN(conv, CONV, 1e-3, 1e-4, "dB",);
    RUN(transpose_back, TRANSPOSE_BACK, 1e-5, 0, "dA",);
    RUN(flatten, FLATTEN, 1e-5, 0, "dA",);
    RUN(columns, COLUMNS, 1e-5, 1e-6, "dA",);
    RUN(blur_rows, BLUR_ROWS, 1e-5, 1e-6, "dB",);
    return failures != 0;
}
