/* What bounds a kernel, served as serve.js serves a model: for each line K on standard input the least milliseconds of K runs of
   copy BYTES: reads BYTES and writes as many; gemm M N K: the product by OpenBLAS (compiled with -DBLAS). Threads: OMP_NUM_THREADS,
   OPENBLAS_NUM_THREADS. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#ifdef BLAS
#include <cblas.h>
#endif

static long size[3];
static float *a, *b, *c;

static double now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e3 + 1e-6 * (double)t.tv_nsec;
}

static void run(int gemm)
{
    if (!gemm) {
        long n = size[0] / (long)sizeof *a;
#pragma omp parallel for simd
        for (long i = 0; i < n; i++)
            c[i] = a[i];
    }
#ifdef BLAS
    if (gemm)
        cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, (int)size[0], (int)size[1], (int)size[2], 1, a, (int)size[2], b, (int)size[1], 0,
                    c, (int)size[1]);
#endif
}

static float *numbers(long n)
{
    float *x = malloc((size_t)n * sizeof *x);

    for (long i = 0; x && i < n; i++)
        x[i] = (float)(i % 1000) / 1000;
    return x;
}

int main(int argc, char **argv)
{
    int gemm = argc == 5 && strcmp(argv[1], "gemm") == 0;
    char line[32];

    if (!gemm && !(argc == 3 && strcmp(argv[1], "copy") == 0))
        return 2;
    for (int i = 2; i < argc; i++)
        if ((size[i - 2] = strtol(argv[i], NULL, 10)) <= 0)
            return 2;
    a = numbers(gemm ? size[0] * size[2] : size[0] / 4 + 1);
    b = numbers(gemm ? size[2] * size[1] : 1);
    c = numbers(gemm ? size[0] * size[1] : size[0] / 4 + 1);
    if (!a || !b || !c)
        return 3;
    run(gemm);
    while (fgets(line, sizeof line, stdin)) {
        double best = 1e30;
        for (long k = strtol(line, NULL, 10); k > 0; k--) {
            double s = now();
            run(gemm);
            s = now() - s;
            best = s < best ? s : best;
        }
        printf("%.4f\n", best);
        fflush(stdout);
    }
    return 0;
}
