#!/usr/bin/env bash
# Seed 002's tables 2 and 3 again: C emitted from .dpia for all sizes, without and with threads, against the limits measured in the
# same run: a hand-written copy and triad (memory), OpenBLAS sgemm (libopenblas-dev, if it is there). usage: dpia.sh BUILD [--full]
B=${1:-.build}
cd "$(dirname "$0")/../.."
. tests/lib.sh
P=tests/dpia/programs
FULL=0
[ "${2-}" = --full ] && FULL=1
FLAGS="-std=c11 -O3 -march=native -ffp-contract=off -D_POSIX_C_SOURCE=200809L"
for n in scale_mat scale_block axpy_mat sum_mat dl_mul_dl dl_mul_dl_rows block_dl_mul_dl; do
    "$CALQUE" emit $P/$n.dpia -o "$TMP/$n" --name $n >/dev/null || exit 1
    # shellcheck disable=SC2086
    gcc $FLAGS -D$n=${n}_seq -I"$TMP/$n" -c "$TMP/$n/$n.c" -o "$TMP/${n}_seq.o" -Wno-unknown-pragmas &&
        gcc $FLAGS -fopenmp -c "$TMP/$n/$n.c" -o "$TMP/$n.o" || exit 1
done
cat >"$TMP/main.c" <<'EOF'
#include "scale_mat/scale_mat.h"
#include "scale_block/scale_block.h"
#include "axpy_mat/axpy_mat.h"
#include "sum_mat/sum_mat.h"
#include "dl_mul_dl/dl_mul_dl.h"
#include "dl_mul_dl_rows/dl_mul_dl_rows.h"
#include "block_dl_mul_dl/block_dl_mul_dl.h"
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#ifdef BLAS
#include <cblas.h>
#endif
void scale_mat_seq(long, long, const float *, const float *, float *);
void scale_block_seq(long, long, long, long, const float *, const float *, float *);
void axpy_mat_seq(long, long, const float *, const float *, const float *, float *);
int sum_mat_seq(long, long, const float *, float *);
int dl_mul_dl_seq(long, long, long, const float *, const float *, float *);
int dl_mul_dl_rows_seq(long, long, long, const float *, const float *, float *);
int block_dl_mul_dl_seq(long, long, long, long, long, long, const float *, const float *, const float *, float *);
static float *A, *C, *D, k = 1.5f, one;
static long m, n, p, b;
static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}
static double best(void (*f)(void), int times)
{
    double b = 1e30;
    for (int i = 0; i < times; i++) {
        double s = now();
        f();
        s = now() - s;
        b = s < b ? s : b;
    }
    return b;
}
static void copy(void)
{
#pragma omp parallel for
    for (long i = 0; i < m * n; i++)
        D[i] = A[i];
}
static void triad(void)
{
#pragma omp parallel for
    for (long i = 0; i < m * n; i++)
        D[i] = A[i] + k * C[i];
}
static void reads(void)
{
    float s = 0;
#pragma omp parallel for simd reduction(+ : s)
    for (long i = 0; i < m * n; i++)
        s += A[i];
    one = s;
}
static void scale_s(void) { scale_mat_seq(m, n, &k, A, D); }
static void scale_p(void) { scale_mat(m, n, &k, A, D); }
static void scale_block_s(void) { scale_block_seq(m / b, n / b, b, b, &k, A, D); }
static void scale_block_p(void) { scale_block(m / b, n / b, b, b, &k, A, D); }
static void axpy_s(void) { axpy_mat_seq(m, n, &k, A, C, D); }
static void axpy_p(void) { axpy_mat(m, n, &k, A, C, D); }
static void sum_s(void) { sum_mat_seq(m, n, A, &one); }
static void sum_p(void) { sum_mat(m, n, A, &one); }
static void mul_s(void) { dl_mul_dl_seq(m, n, p, A, C, D); }
static void mul_p(void) { dl_mul_dl(m, n, p, A, C, D); }
static void rows_s(void) { dl_mul_dl_rows_seq(m, n, p, A, C, D); }
static void rows_p(void) { dl_mul_dl_rows(m, n, p, A, C, D); }
static void block_s(void) { block_dl_mul_dl_seq(m / b, n / b, b, b, p / b, b, A, C, A, D); }
static void block_p(void) { block_dl_mul_dl(m / b, n / b, b, b, p / b, b, A, C, A, D); }
static void blas(void)
{
#ifdef BLAS
    cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, (int)m, (int)p, (int)n, 1, A, (int)n, C, (int)p, 0, D, (int)p);
#endif
}
static void line(const char *name, void (*s)(void), void (*q)(void), void (*limit)(void), const char *of, int times)
{
    double a = best(s, times), c = best(q, times), l = best(limit, times);
    printf("%-22s %5ld %5ld %5ld %11.2f %11.2f %8.2f %11.2f  %6.1f %% of %s\n", name, m, n, p, 1e3 * a, 1e3 * c, a / c,
           1e3 * l, 100 * l / c, of);
    fflush(stdout);
}
int main(int argc, char **argv)
{
    int full = argc > 1 && argv[1][0] == '1';
    long big = full ? 20000 : 5000, cells = big * big;
#ifdef BLAS
    const char *of = "OpenBLAS";
#else
    const char *of = "nothing: install libopenblas-dev";
#endif
    A = malloc(sizeof *A * (size_t)cells);
    C = malloc(sizeof *A * (size_t)cells);
    D = malloc(sizeof *A * (size_t)cells);
    if (!A || !C || !D)
        return 2;
#pragma omp parallel for
    for (long i = 0; i < cells; i++) {
        A[i] = (float)(i % 1000) / 1000;
        C[i] = D[i] = 0;
    }
    printf("%-22s %5s %5s %5s %11s %11s %8s %11s\n", "function", "m", "n", "k", "seq ms", "threads ms", "speedup", "limit ms");
    m = n = big;
    line("k*A", scale_s, scale_p, copy, "memory (copy)", 10);
    b = 100;
    line("k*A in blocks", scale_block_s, scale_block_p, copy, "memory (copy)", 10);
    m = 2000;
    n = 3000;
    line("k*A+B", axpy_s, axpy_p, triad, "memory (triad)", 50);
    line("sum of A", sum_s, sum_p, reads, "memory (reads)", 50);
    m = full ? 2000 : 512;
    n = full ? 3000 : 512;
    p = full ? 4000 : 512;
    line("A*B", mul_s, mul_p, blas, of, full ? 1 : 3);
    line("A*B by rows", rows_s, rows_p, blas, of, full ? 1 : 3);
    b = full ? 100 : 64;
    line("A*B in blocks", block_s, block_p, blas, of, full ? 1 : 3);
    return 0;
}
EOF
blas=
echo '#include <cblas.h>
int main(void) { cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, 0, 0, 0, 1, 0, 1, 0, 1, 0, 0, 1); return 0; }' >"$TMP/t.c"
gcc -o "$TMP/t" "$TMP/t.c" -lopenblas 2>/dev/null && blas="-DBLAS -lopenblas"
[ -n "$blas" ] || echo "OpenBLAS is not here (apt-get install libopenblas-dev): the product has no limit"
# shellcheck disable=SC2086
gcc $FLAGS -fopenmp -I"$TMP" -o "$TMP/bench" "$TMP/main.c" "$TMP"/*.o $blas -lm || exit 1
OMP_WAIT_POLICY=passive OMP_NUM_THREADS=${THREADS:-2} OPENBLAS_NUM_THREADS=${THREADS:-2} "$TMP/bench" $FULL
