/* The programs of dpia/table.h as straightforward loops over doubles: what they mean, written by hand. */
#ifndef CALQUE_TESTS_LOOPS_H
#define CALQUE_TESTS_LOOPS_H

#include <math.h>
#include <stdbool.h>

/* Values of the size variables n m k m1 n1 k1. */
struct loop_sizes {
    long n, m, k, m1, n1, k1;
};
typedef void loop_fn(const struct loop_sizes *z, const double *const *in, double *out);

static bool loop_single; /* round each operation to float */
static double R(double x)
{
    return loop_single ? (double)(float)x : x;
}

#define FOR(i, count) for (long i = 0; i < (count); i++)
#define LOOP(name) static void loop_##name(const struct loop_sizes *z, const double *const *in, double *out)

static double dot(const double *a, long sa, const double *b, long sb, long n)
{
    double s = 0;
    FOR(i, n) s = R(R(a[i * sa] * b[i * sb]) + s);
    return s;
}

static double total(const double *a, long n)
{
    double s = 0;
    FOR(i, n) s = R(a[i] + s);
    return s;
}

LOOP(product) { out[0] = dot(in[0], 1, in[1], 1, z->n); }
LOOP(product_split)
{
    double s = 0;
    FOR(c, z->m) s = R(dot(in[0] + c * z->n, 1, in[1] + c * z->n, 1, z->n) + s);
    out[0] = s;
}
LOOP(vec_add) { FOR(i, z->n) out[i] = R(in[0][i] + in[1][i]); }
LOOP(sum_vec) { out[0] = total(in[0], z->n); }
LOOP(norm1)
{
    double s = 0;
    FOR(i, z->n) s = R(fabs(in[0][i]) + s);
    out[0] = s;
}
LOOP(norm2) { out[0] = R(sqrt(dot(in[0], 1, in[0], 1, z->n))); }
LOOP(scale_vec) { FOR(i, z->n) out[i] = R(in[0][0] * in[1][i]); }
LOOP(axpy_vec) { FOR(i, z->n) out[i] = R(R(in[0][0] * in[1][i]) + in[2][i]); }
LOOP(l_mul_dl) { FOR(j, z->n) out[j] = dot(in[0], 1, in[1] + j, z->n, z->m); }
LOOP(dl_mul_l) { FOR(i, z->m) out[i] = dot(in[0] + i * z->n, 1, in[1], 1, z->n); }
LOOP(dl_mul_dl) { FOR(i, z->m) FOR(j, z->k) out[i * z->k + j] = dot(in[0] + i * z->n, 1, in[1] + j, z->k, z->n); }
LOOP(mat_add) { FOR(i, z->m * z->n) out[i] = R(in[0][i] + in[1][i]); }
LOOP(axpy_mat) { FOR(i, z->m * z->n) out[i] = R(R(in[0][0] * in[1][i]) + in[2][i]); }
LOOP(scale_mat) { FOR(i, z->m * z->n) out[i] = R(in[0][0] * in[1][i]); }
LOOP(sum_mat)
{
    double s = 0;
    FOR(i, z->m) s = R(total(in[0] + i * z->n, z->n) + s);
    out[0] = s;
}
LOOP(trans) { FOR(i, z->m) FOR(j, z->n) out[i * z->n + j] = in[0][j * z->m + i]; }
LOOP(block_add) { FOR(i, z->m1 * z->n1 * z->m * z->n) out[i] = R(in[0][i] + in[1][i]); }
LOOP(block_dl_mul_dl)
{
    long a = z->m * z->n, b = z->k * z->n, c = z->m * z->k;
    FOR(p, z->m1) FOR(q, z->k1) FOR(i, z->m) FOR(j, z->k)
    {
        double s = in[2][i * z->k + j];
        FOR(l, z->n1) s = R(dot(in[0] + (p * z->n1 + l) * a + i * z->n, 1, in[1] + (q * z->n1 + l) * b + j * z->n, 1, z->n) + s);
        out[(p * z->k1 + q) * c + i * z->k + j] = s;
    }
}
LOOP(scale_block) { FOR(i, z->m1 * z->n1 * z->m * z->n) out[i] = R(in[0][0] * in[1][i]); }
LOOP(axpy_block) { FOR(i, z->m1 * z->n1 * z->m * z->n) out[i] = R(R(in[0][0] * in[1][i]) + in[2][i]); }
LOOP(sum_block)
{
    double all = 0;
    FOR(p, z->m1)
    {
        double row = 0;
        FOR(q, z->n1)
        {
            double s = 0;
            FOR(i, z->m) s = R(total(in[0] + ((p * z->n1 + q) * z->m + i) * z->n, z->n) + s);
            row = R(s + row);
        }
        all = R(row + all);
    }
    out[0] = all;
}
LOOP(conv) { FOR(c, z->m) out[c] = dot(in[0], 1, in[1] + c * z->n, 1, z->n); }
LOOP(reverse) { FOR(i, z->n) out[i] = in[0][z->n - 1 - i]; }
LOOP(copied) { FOR(i, z->n) out[i] = in[0][i]; }
LOOP(flatten) { FOR(i, z->m * z->n) out[i] = in[0][i]; }
LOOP(swapped)
{
    FOR(i, z->m) out[i] = in[1][i];
    FOR(i, z->n) out[z->m + i] = in[0][i];
}
LOOP(relu) { FOR(i, z->n) out[i] = in[0][i] < 0 ? 0 : in[0][i]; }
LOOP(lower_sums)
{
    FOR(i, z->n)
    {
        double s = 0;
        FOR(j, i + 1) s = R(s + in[0][i * z->n + j]);
        out[i] = s;
    }
}
LOOP(window)
{
    FOR(i, z->n)
    {
        double s = 0;
        FOR(j, z->k) s = R(s + R(in[0][j] * in[1][i + j]));
        out[i] = s;
    }
}
LOOP(differences) { FOR(i, z->n) out[i] = i > 0 ? R(in[0][i] - in[0][i - 1]) : in[0][i]; }

/* In the order of table_names. */
static loop_fn *const loops[] = {
    loop_product, loop_product_split, loop_vec_add, loop_sum_vec, loop_norm1, loop_norm2, loop_scale_vec, loop_axpy_vec,
    loop_l_mul_dl, loop_dl_mul_l, loop_dl_mul_dl, loop_mat_add, loop_axpy_mat, loop_scale_mat, loop_sum_mat, loop_trans,
    loop_block_add, loop_block_dl_mul_dl, loop_scale_block, loop_axpy_block, loop_sum_block, loop_conv, loop_product_split,
    loop_reverse, loop_reverse, loop_copied, loop_copied, loop_flatten, loop_swapped, loop_relu, loop_lower_sums, loop_window,
    loop_differences, loop_dl_mul_dl,
};

#endif
