/* The functions of kernel/math.inc against C's library in a larger precision: each STEP-th binary32 from FIRST on, and random
   binary64. Prints for each function the worst error in units in the last place, and where, and a sum of all its results' bits,
   which must be the same under each compiler; fails if an error is greater than the bound that c/kernel/README.md gives.
   usage: math STEP FIRST COUNT */
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "kernel/math.inc"

static int status;
static uint64_t state = 1;

static uint64_t random64(void)
{
    state += 0x9e3779b97f4a7c15u;
    uint64_t z = (state ^ state >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

/* In units of the last of `bits` bits of want, numbers below 2^least having that of 2^least. */
static long double error(long double want, long double got, int bits, int least, long double most)
{
    int e;

    if (isnan(want) || isnan(got))
        return isnan(want) && isnan(got) ? 0 : INFINITY;
    if (isinf(got) || want == got)
        return want == got || fabsl(want) > most ? 0 : INFINITY;
    e = want == 0 || ilogbl(want) < least ? least : ilogbl(want);
    return fabsl(want - got) / ldexpl(1, e - bits + 1);
}

static void answer(const char *name, long double worst, double at, uint64_t sum, double bound)
{
    bool good = worst <= (long double)bound;

    printf("%s %-9s %.3Lf ulp at %a, sum %016llx\n", good ? "PASS" : "FAIL", name, worst, at, (unsigned long long)sum);
    status |= !good;
}

/* A number with random bits, or of a range where the function is interesting. */
static double draw(double range)
{
    uint64_t r = random64();
    double unit = (double)(random64() >> 11) * 0x1p-53;

    return r % 4 == 0 ? calque_real_f64(random64()) : r % 4 == 1 ? (2 * unit - 1) * range : (2 * unit - 1) * ldexp(range, -(int)(r / 4 % 40));
}

#define SINGLE(name, bound)                                                                          \
    static void single_##name(uint64_t first, uint64_t step)                                         \
    {                                                                                                \
        long double worst = 0;                                                                       \
        float at = 0;                                                                                \
        uint64_t sum = 0;                                                                            \
        for (uint64_t u = first; u < (uint64_t)1 << 32; u += step) {                                 \
            float x = calque_real_f32((uint32_t)u), y = calque_##name##_f32(x);                      \
            long double e = error(name((double)x), y, 24, -126, 0x1.fffffefp+127L);                   \
            sum = sum * 31 + (isnan(y) ? 1 : calque_bits_f32(y));                                    \
            if (e > worst)                                                                           \
                worst = e, at = x;                                                                   \
        }                                                                                            \
        answer(#name " f32", worst, (double)at, sum, bound);                                         \
    }
#define DOUBLE(name, range, bound)                                                                   \
    static void double_##name(long count)                                                            \
    {                                                                                                \
        long double worst = 0;                                                                       \
        double at = 0;                                                                               \
        uint64_t sum = 0;                                                                            \
        for (long i = 0; i < count; i++) {                                                           \
            double x = draw(range), y = calque_##name##_f64(x);                                      \
            long double e = error(name##l((long double)x), y, 53, -1022, 0x1.fffffffffffff7ffp+1023L); \
            sum = sum * 31 + (isnan(y) ? 1 : calque_bits_f64(y));                                    \
            if (e > worst)                                                                           \
                worst = e, at = x;                                                                   \
        }                                                                                            \
        answer(#name " f64", worst, at, sum, bound);                                                 \
    }
SINGLE(exp, 1.1)
SINGLE(log, 1.1)
SINGLE(tanh, 1.5)
SINGLE(erf, 1.25)
DOUBLE(exp, 746, 1.1)
DOUBLE(log, 16, 1.1)
DOUBLE(tanh, 20, 1.5)
DOUBLE(erf, 6, 1.25)

static bool same(float a, float b)
{
    return (isnan(a) && isnan(b)) || (a == b && signbit(a) == signbit(b));
}

/* Zeros, infinities, NaN, whole numbers of both parities, ends of the range. */
static void powers(long count)
{
    static const float ends[] = {0, -0.0f, 1, -1, 2, -2, 3, -3, 0.5f, -0.5f, 1.5f, INFINITY, -INFINITY, NAN, 1e30f, -1e30f,
                                 16777215, -16777215, 16777216, 8388607.5f, -8388607.5f, 1e-40f, -1e-40f, 0x1.fffffep+127f};
    enum { ENDS = sizeof ends / sizeof *ends };
    long double worst = 0, worst64 = 0;
    double at = 0, at64 = 0;
    uint64_t sum = 0;
    int bad = 0;

    for (int i = 0; i < ENDS; i++)
        for (int k = 0; k < ENDS; k++) {
            long double want = powl(ends[i], ends[k]);
            float got = calque_pow_f32(ends[i], ends[k]);
            if (!same((float)want, got) && (!isfinite(got) || got == 0 || error(want, got, 24, -126, 0x1.fffffefp+127L) > 0.501L)) {
                printf("pow(%a, %a) is %a, not %La\n", (double)ends[i], (double)ends[k], (double)got, want);
                bad++;
            }
        }
    for (long i = 0; i < count; i++) {
        double part = 1 + (double)(random64() >> 11) * 0x1p-53;
        double a = (i % 5 ? 1 : -1) * ldexp(part, (int)(random64() % 9) - 4);
        double b = i % 2 ? (double)(long)(random64() % 41) - 20 : draw(30);
        float x = (float)a, y = (float)b, got = calque_pow_f32(x, y);
        long double want = powl(a, b), e = error(powl(x, y), got, 24, -126, 0x1.fffffefp+127L);
        double got64 = calque_pow_f64(a, b);
        long double e64 = isnan(want) || want == 0 || fabsl(want) > 0x1p+1000L || fabsl(want) < 0x1p-1000L ? 0 : fabsl((got64 - want) / want) * 0x1p+43L;
        sum = sum * 31 + (isnan(got) ? 1 : calque_bits_f32(got));
        if (e > worst)
            worst = e, at = a;
        if (e64 > worst64)
            worst64 = e64, at64 = a;
    }
    answer("pow f32", worst, at, sum, 0.501);
    answer("pow f64", worst64, at64, 0, 1); /* in 2^-43 of the result */
    answer("pow ends", bad, 0, 0, 0);
}

int main(int argc, char **argv)
{
    uint64_t step, first;
    long count;

    if (argc != 4)
        return 2;
    step = strtoull(argv[1], NULL, 10);
    first = strtoull(argv[2], NULL, 10);
    count = strtol(argv[3], NULL, 10);
    single_exp(first, step);
    single_log(first, step);
    single_tanh(first, step);
    single_erf(first, step);
    double_exp(count);
    double_log(count);
    double_tanh(count);
    double_erf(count);
    powers(count);
    return status;
}
