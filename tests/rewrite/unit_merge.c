/* Rules that merge parallel operators: where each applies, and the counterexamples to the rule as it was published. */
#include "cases.h"

#define G(body) "graph {\n input x: f32[2, 4, 6, 6]\n" body "}\n"
#define W3(shape) " param u: f32[" shape "]\n param v: f32[" shape "]\n param w: f32[" shape "]\n"

static void convs(void)
{
    static const struct library_case c[] = {
        { NULL, "parallel_two_conv", 1, 0, 3, G("param v: f32[3, 4, 3, 3]\n param w: f32[5, 4, 3, 3]\n y = Conv(x, v)\n z = Conv(x, w)\n return y, z\n") },
        { "biases", "parallel_two_conv", 1, 0, 6, G("param v: f32[3, 4, 3, 3]\n param w: f32[5, 4, 3, 3]\n param a: f32[3]\n param b: f32[5]\n y = Conv(x, v, a)\n z = Conv(x, w, b)\n return y, z\n") },
        { "one bias", "parallel_two_conv", 1, 0, 6, G("param v: f32[3, 4, 3, 3]\n param w: f32[5, 4, 3, 3]\n param b: f32[5]\n y = Conv(x, v)\n z = Conv(x, w, b)\n return y, z\n") },
        { "one kernel for both", "parallel_two_conv", 1, 0, 3, G("param v: f32[3, 4, 3, 3]\n y = Conv(x, v)\n z = Conv(x, v)\n return y, z\n") },
        { "one dimension", "parallel_two_conv", 1, 0, 3, "graph {\n input x: f32[2, 4, 6]\n param v: f32[3, 4, 3]\n param w: f32[5, 4, 3]\n y = Conv(x, v)\n z = Conv(x, w)\n return y, z\n}\n" },
        { "groups", "parallel_two_conv", 0, 0, 2, G("param v: f32[4, 2, 3, 3]\n param w: f32[4, 2, 3, 3]\n y = Conv(x, v, group=2)\n z = Conv(x, w, group=2)\n return y, z\n") },
        { "kernel sizes differ", "parallel_two_conv", 0, 0, 2, G("param v: f32[3, 4, 3, 3]\n param w: f32[5, 4, 3, 1]\n y = Conv(x, v)\n z = Conv(x, w)\n return y, z\n") },
        { "strides differ", "parallel_two_conv", 0, 0, 2, G("param v: f32[3, 4, 3, 3]\n param w: f32[5, 4, 3, 3]\n y = Conv(x, v)\n z = Conv(x, w, strides=(2, 2))\n return y, z\n") },
        { "pads differ", "parallel_two_conv", 0, 0, 2, G("param v: f32[3, 4, 3, 3]\n param w: f32[3, 4, 3, 3]\n y = Conv(x, v, pads=(1, 1, 1, 1))\n z = Conv(x, w, pads=(0, 0, 2, 2))\n return y, z\n") },
        { "dilations differ", "parallel_two_conv", 0, 0, 2, G("param v: f32[3, 4, 3, 3]\n param w: f32[3, 4, 3, 3]\n y = Conv(x, v)\n z = Conv(x, w, dilations=(2, 1))\n return y, z\n") },
        { "one after the other", "parallel_two_conv", 0, 0, 2, G("param v: f32[4, 4, 1, 1]\n param w: f32[4, 4, 1, 1]\n z = Conv(Conv(x, v), w)\n return z\n") },
        { NULL, "parallel_two_conv_bias_relu", 1, 0, 7, G("param v: f32[3, 4, 3, 3]\n param w: f32[5, 4, 3, 3]\n param a: f32[3]\n param b: f32[5]\n y = Relu(Conv(x, v, a))\n z = Relu(Conv(x, w, b))\n return y, z\n") },
        { "used before the Relu", "parallel_two_conv_bias_relu", 0, 0, 4, G("param v: f32[3, 4, 3, 3]\n param w: f32[5, 4, 3, 3]\n t = Conv(x, v)\n y = Relu(t)\n z = Relu(Conv(x, w))\n return y, z, t\n") },
        { NULL, "parallel_three_conv_bias_relu", 1, 0, 8, G(W3("3, 4, 3, 3") " param b: f32[3]\n p = Relu(Conv(x, u, b))\n q = Relu(Conv(x, v))\n r = Relu(Conv(x, w))\n return p, q, r\n") },
        { NULL, "parallel_conv_variadic", 1, 0, 3, G("param u: f32[1, 4, 3, 3]\n param v: f32[3, 4, 3, 3]\n param w: f32[5, 4, 3, 3]\n p = Conv(x, u)\n q = Conv(x, v)\n r = Conv(x, w)\n return q, r, p\n") },
        { "biases, and none", "parallel_conv_variadic", 1, 0, 7, G("param u: f32[1, 4, 3, 3]\n param v: f32[3, 4, 3, 3]\n param w: f32[5, 4, 3, 3]\n param b: f32[1]\n param c: f32[5]\n p = Conv(x, u, b)\n q = Conv(x, v)\n r = Conv(x, w, c)\n return p, q, r\n") },
        { "biases", "parallel_conv_variadic", 1, 0, 6, G("param v: f32[3, 4, 3, 3]\n param w: f32[5, 4, 3, 3]\n param b: f32[3]\n param c: f32[5]\n p = Conv(x, v, b)\n q = Conv(x, w, c)\n return p, q\n") },
        { "four biases", "parallel_conv_variadic", 1, 0, 8, G("param t: f32[2, 4, 3, 3]\n param u: f32[1, 4, 3, 3]\n param v: f32[3, 4, 3, 3]\n param w: f32[5, 4, 3, 3]\n param a: f32[2]\n param b: f32[1]\n param c: f32[3]\n param d: f32[5]\n p = Conv(x, t, a)\n q = Conv(x, u, b)\n r = Conv(x, v, c)\n s = Conv(x, w, d)\n return p, q, r, s\n") },
        { "one bias for both", "parallel_conv_variadic", 1, 0, 6, G("param v: f32[3, 4, 3, 3]\n param w: f32[3, 4, 3, 3]\n param b: f32[3]\n p = Conv(x, v, b)\n q = Conv(x, w, b)\n return p, q\n") },
        { "two groups of them", "parallel_conv_variadic", 2, 0, 6, G("param u: f32[1, 4, 3, 3]\n param v: f32[3, 4, 3, 3]\n param w: f32[5, 4, 1, 1]\n param t: f32[2, 4, 1, 1]\n p = Conv(x, u)\n q = Conv(x, w)\n r = Conv(x, v)\n s = Conv(x, t)\n return p, q, r, s\n") },
        { "one only", "parallel_conv_variadic", 0, 0, 1, G("param u: f32[1, 4, 3, 3]\n p = Conv(x, u)\n return p\n") },
        { "groups", "parallel_conv_variadic", 0, 0, 3, G(W3("4, 2, 3, 3") " p = Conv(x, u, group=2)\n q = Conv(x, v, group=2)\n r = Conv(x, w, group=2)\n return p, q, r\n") },
        { "R10: a kernel of other channels", "parallel_conv_variadic", 0, 0, 3, G("param v: f32[4, 4, 3, 3]\n param w: f32[4, 2, 3, 3]\n y = Conv(x, v)\n z = Conv(x, w, group=2)\n return y, Relu(z)\n") },
        { NULL, "parallel_conv_bias_relu_variadic", 1, 0, 8, G(W3("3, 4, 3, 3") " param b: f32[3]\n p = Relu(Conv(x, u, b))\n q = Relu(Conv(x, v, b))\n r = Relu(Conv(x, w, b))\n return p, q, r\n") },
        { "biases, and none", "parallel_conv_bias_relu_variadic", 1, 0, 8, G(W3("3, 4, 3, 3") " param b: f32[3]\n p = Relu(Conv(x, u))\n q = Relu(Conv(x, v, b))\n r = Relu(Conv(x, w))\n return p, q, r\n") },
        { "no bias", "parallel_conv_bias_relu_variadic", 1, 0, 4, G(W3("3, 4, 3, 3") " p = Relu(Conv(x, u))\n q = Relu(Conv(x, v))\n r = Relu(Conv(x, w))\n return p, q, r\n") },
        { "four biases", "parallel_conv_bias_relu_variadic", 1, 0, 9, G("param t: f32[2, 4, 3, 3]\n param u: f32[1, 4, 3, 3]\n param v: f32[3, 4, 3, 3]\n param w: f32[5, 4, 3, 3]\n param a: f32[2]\n param b: f32[1]\n param c: f32[3]\n param d: f32[5]\n p = Relu(Conv(x, t, a))\n q = Relu(Conv(x, u, b))\n r = Relu(Conv(x, v, c))\n s = Relu(Conv(x, w, d))\n return p, q, r, s\n") },
        { "V4: one branch used inside", "parallel_conv_bias_relu_variadic", 1, 0, 9, G(W3("3, 4, 3, 3") " param b: f32[3]\n t = Conv(x, v, b)\n p = Relu(Conv(x, u, b))\n q = Relu(t)\n r = Relu(Conv(x, w, b))\n return p, q, r, t\n") },
        { NULL, "parallel_conv_expand_kernels", 1, 1e-6, 5, G("param v: f32[3, 4, 1, 1]\n param w: f32[3, 4, 3, 3]\n y = Conv(x, v)\n z = Conv(x, w, pads=(1, 1, 1, 1))\n return y, z\n") },
        { "both grow; biases", "parallel_conv_expand_kernels", 1, 1e-6, 8, G("param v: f32[3, 4, 1, 5]\n param w: f32[2, 4, 3, 3]\n param a: f32[3]\n param b: f32[2]\n y = Conv(x, v, a, pads=(0, 2, 0, 2))\n z = Conv(x, w, b, pads=(1, 1, 1, 1))\n return y, z\n") },
        { "even sizes", "parallel_conv_expand_kernels", 1, 1e-6, 5, G("param v: f32[3, 4, 2, 2]\n param w: f32[3, 4, 4, 4]\n y = Conv(x, v)\n z = Conv(x, w, pads=(1, 1, 1, 1))\n return y, z\n") },
        { "R9: an odd and an even size", "parallel_conv_expand_kernels", 0, 0, 2, G("param v: f32[3, 4, 2, 2]\n param w: f32[3, 4, 3, 3]\n y = Conv(x, v)\n z = Conv(x, w, pads=(1, 1, 1, 1))\n return y, z\n") },
        { "other pads", "parallel_conv_expand_kernels", 0, 0, 2, G("param v: f32[3, 4, 1, 1]\n param w: f32[3, 4, 3, 3]\n y = Conv(x, v)\n z = Conv(x, w, pads=(0, 0, 2, 2))\n return y, z\n") },
        { "strides", "parallel_conv_expand_kernels", 0, 0, 2, G("param v: f32[3, 4, 1, 1]\n param w: f32[3, 4, 3, 3]\n y = Conv(x, v, strides=(2, 2))\n z = Conv(x, w, pads=(1, 1, 1, 1), strides=(2, 2))\n return y, z\n") },
    };
    cases_run(c, UNIT_COUNT(c), NULL);
}

static void grouped(void)
{
    static const struct library_case c[] = {
        { NULL, "parallel_group_conv_variadic", 1, 0, 9, G("param v: f32[6, 2, 3, 3]\n param w: f32[6, 2, 3, 3]\n y = Conv(x, v, group=2)\n z = Conv(x, w, group=2)\n return y, z\n") },
        { "three, one bias", "parallel_group_conv_variadic", 1, 0, 16, G(W3("6, 2, 3, 3") " param b: f32[6]\n p = Conv(x, u, group=2)\n q = Conv(x, v, b, group=2)\n r = Conv(x, w, group=2)\n return p, q, r\n") },
        { "biases", "parallel_group_conv_variadic", 1, 0, 16, G(W3("6, 2, 3, 3") " param b: f32[6]\n param c: f32[6]\n p = Conv(x, u, c, group=2)\n q = Conv(x, v, b, group=2)\n r = Conv(x, w, b, group=2)\n return p, q, r\n") },
        { "three biases", "parallel_group_conv_variadic", 1, 0, 16, G(W3("6, 2, 3, 3") " param a: f32[6]\n param b: f32[6]\n param c: f32[6]\n p = Conv(x, u, a, group=2)\n q = Conv(x, v, b, group=2)\n r = Conv(x, w, c, group=2)\n return p, q, r\n") },
        { "one group for each channel", "parallel_group_conv_variadic", 1, 0, 9, G("param v: f32[4, 1, 3, 3]\n param w: f32[4, 1, 3, 3]\n y = Conv(x, v, group=4, strides=(2, 1))\n z = Conv(x, w, group=4, strides=(2, 1))\n return y, z\n") },
        { "one dimension", "parallel_group_conv_variadic", 1, 0, 9, "graph {\n input x: f32[2, 4, 6]\n param v: f32[4, 2, 3]\n param w: f32[4, 2, 3]\n y = Conv(x, v, group=2)\n z = Conv(x, w, group=2)\n return y, z\n}\n" },
        { "other numbers of channels", "parallel_group_conv_variadic", 0, 0, 2, G("param v: f32[6, 2, 3, 3]\n param w: f32[4, 2, 3, 3]\n y = Conv(x, v, group=2)\n z = Conv(x, w, group=2)\n return y, z\n") },
        { "groups differ", "parallel_group_conv_variadic", 0, 0, 2, G("param v: f32[4, 2, 3, 3]\n param w: f32[4, 1, 3, 3]\n y = Conv(x, v, group=2)\n z = Conv(x, w, group=4)\n return y, z\n") },
        { "no groups", "parallel_group_conv_variadic", 0, 0, 2, G("param v: f32[4, 4, 3, 3]\n param w: f32[4, 4, 3, 3]\n y = Conv(x, v)\n z = Conv(x, w)\n return y, z\n") },
    };
    cases_run(c, UNIT_COUNT(c), NULL);
}

#define D(body) "graph {\n input x: f32[3, 4]\n" body "}\n"

static void products(void)
{
    static const struct library_case c[] = {
        { NULL, "parallel_dense", 1, 0, 3, D("param v: f32[4, 5]\n param w: f32[4, 2]\n y = MatMul(x, v)\n z = MatMul(x, w)\n return y, z\n") },
        { "rank 3", "parallel_dense", 1, 0, 3, "graph {\n input x: f32[2, 3, 4]\n param v: f32[4, 5]\n param w: f32[4, 2]\n y = MatMul(x, v)\n z = MatMul(x, w)\n return y, z\n}\n" },
        { "a vector", "parallel_dense", 0, 0, 2, "graph {\n input x: f32[4]\n param v: f32[4, 5]\n param w: f32[4, 2]\n y = MatMul(x, v)\n z = MatMul(x, w)\n return y, z\n}\n" },
        { "batches", "parallel_dense", 0, 0, 2, "graph {\n input x: f32[3, 4]\n param v: f32[2, 4, 5]\n param w: f32[2, 4, 2]\n y = MatMul(x, v)\n z = MatMul(x, w)\n return y, z\n}\n" },
        { "on the left", "parallel_dense", 0, 0, 2, D("param v: f32[5, 3]\n param w: f32[2, 3]\n y = MatMul(v, x)\n z = MatMul(w, x)\n return y, z\n") },
        { NULL, "parallel_three_dense", 1, 0, 3, D(W3("4, 5") " p = MatMul(x, u)\n q = MatMul(x, v)\n r = MatMul(x, w)\n return p, q, r\n") },
        { "PD: refused by GSL", "parallel_dense_variadic", 1, 0, 3, D("param u: f32[4, 1]\n param v: f32[4, 5]\n param w: f32[4, 2]\n p = MatMul(x, u)\n q = MatMul(x, v)\n r = MatMul(x, w)\n return r, q, p\n") },
        { "PD2: rank 3", "parallel_dense_variadic", 1, 0, 3, "graph {\n input x: f32[2, 3, 4]\n param v: f32[4, 5]\n param w: f32[4, 2]\n y = MatMul(x, v)\n z = MatMul(x, w)\n return y, z\n}\n" },
        { "a matrix that is computed", "parallel_dense_variadic", 0, 0, 3, D("param v: f32[4, 4]\n y = MatMul(x, v)\n z = MatMul(x, Relu(v))\n return y, z\n") },
        { NULL, "parallel_gemm_variadic", 1, 0, 4, D("param v: f32[5, 4]\n param w: f32[2, 4]\n param b: f32[5]\n param c: f32[2]\n y = Gemm(x, v, b, transB=1)\n z = Gemm(x, w, c, transB=1)\n return y, z\n") },
        { "not transposed", "parallel_gemm_variadic", 1, 0, 4, D("param v: f32[4, 5]\n param w: f32[4, 2]\n param b: f32[5]\n param c: f32[2]\n y = Gemm(x, v, b)\n z = Gemm(x, w, c)\n return y, z\n") },
        { "a bias for one column", "parallel_gemm_variadic", 0, 0, 2, D("param v: f32[4, 5]\n param w: f32[4, 2]\n param b: f32[1]\n param c: f32[2]\n y = Gemm(x, v, b)\n z = Gemm(x, w, c)\n return y, z\n") },
        { "transposed and not", "parallel_gemm_variadic", 0, 0, 2, D("param v: f32[4, 4]\n param w: f32[4, 4]\n param b: f32[4]\n param c: f32[4]\n y = Gemm(x, v, b, transB=1)\n z = Gemm(x, w, c)\n return y, z\n") },
        { NULL, "parallel_batch_matmul_variadic", 1, 0, 3, "graph {\n input x: f32[2, 3, 4]\n param u: f32[2, 4, 1]\n param v: f32[2, 4, 5]\n param w: f32[2, 4, 2]\n p = MatMul(x, u)\n q = MatMul(x, v)\n r = MatMul(x, w)\n return p, q, r\n}\n" },
        { "one batch for all", "parallel_batch_matmul_variadic", 1, 0, 3, "graph {\n input x: f32[1, 3, 4]\n param v: f32[2, 4, 5]\n param w: f32[2, 4, 2]\n q = MatMul(x, v)\n r = MatMul(x, w)\n return q, r\n}\n" },
        { "batches differ", "parallel_batch_matmul_variadic", 0, 0, 2, "graph {\n input x: f32[2, 3, 4]\n param v: f32[2, 4, 5]\n param w: f32[1, 4, 2]\n q = MatMul(x, v)\n r = MatMul(x, w)\n return q, r\n}\n" },
    };
    cases_run(c, UNIT_COUNT(c), NULL);
}

/* Nothing merges what depends on a part of it. */
static void cycles(void)
{
    static const char two[] = "rule two {\n x = Wildcard()\n y1 = Wildcard(ndim=3)\n y2 = Wildcard(ndim=3)\n"
                              " source [MatMul(x, y1), MatMul(x, y2)]\n"
                              " s = Split(MatMul(x, Concat(y1, y2, axis=2)), axis=2, split=(y1.shape[2], y2.shape[2]))\n"
                              " target [s[0], s[1]]\n class exact\n}\n";
    static const struct library_case c[] = {
        { "apart", "two", 1, 0, 2, "graph {\n input x: f32[2, 4, 4]\n param a: f32[2, 4, 4]\n param b: f32[2, 4, 4]\n p = MatMul(x, a)\n q = MatMul(x, b)\n return p, q\n}\n" },
        { "C1: one needs the other", "two", 0, 0, 3, "graph {\n input x: f32[2, 4, 4]\n param a: f32[2, 4, 4]\n p = MatMul(x, a)\n q = Relu(p)\n r = MatMul(x, q)\n return r\n}\n" },
        { "J1: each pair merges, but not both", "two", 1, 0, 7, "graph {\n input x: f32[2, 4, 4]\n input z: f32[2, 4, 4]\n param p: f32[2, 4, 4]\n param q: f32[2, 4, 4]\n b1 = MatMul(z, p)\n a1 = MatMul(x, Relu(b1))\n a2 = MatMul(x, q)\n b2 = MatMul(z, Relu(a2))\n return a1, b2\n}\n" },
    };
    cases_run(c, UNIT_COUNT(c), two);
}

static const struct unit_case cases[] = {
    { "parallel_*conv*", convs },
    { "parallel_group_conv_variadic", grouped },
    { "parallel_*dense* parallel_gemm_variadic parallel_batch_matmul_variadic", products },
    { "cycles", cycles },
};

int main(void)
{
    return unit_main("rewrite/merge", cases, UNIT_COUNT(cases));
}
