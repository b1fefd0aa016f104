/* The built-in rules: where each applies, and for each side condition a graph where it must not. Every graph is run
   before and after: bit for bit the same under exact rules, close under real ones. */
#include "cases.h"

#define G(body) "graph {\n input x: f32[2, 3, 4, 5]\n" body "}\n"

static void removals(void)
{
    static const struct library_case c[] = {
        { NULL, "identity_removal", 2, 0, 1, G("y = Relu(Identity(Identity(x)))\n return y\n") },
        { NULL, "identity_removal", 1, 0, 0, G("y = Identity(x)\n return y\n") },
        { NULL, "dropout_removal", 1, 0, 1, G("y = Dropout(Relu(x), ratio=0.3)\n return y\n") },
    };
    cases_run(c, UNIT_COUNT(c), "set standard");
}

static void transposes(void)
{
    static const struct library_case c[] = {
        { NULL, "transpose_transpose", 1, 0, 1, G("y = Transpose(Transpose(x, perm=(1, 2, 3, 0)), perm=(0, 2, 1, 3))\n return y\n") },
        { NULL, "transpose_transpose", 1, 0, 1, G("y = Transpose(Transpose(x, perm=(3, 0, 2, 1)), perm=(2, 3, 1, 0))\n return y\n") },
        { NULL, "transpose_transpose", 3, 0, 1, G("y = Transpose(Transpose(Transpose(Transpose(x, perm=(1, 2, 3, 0)), perm=(1, 2, 3, 0)), perm=(0, 2, 1, 3)), perm=(1, 0, 2, 3))\n return y\n") },
        /* inverse permutations vanish */
        { NULL, "transpose_identity", 1, 0, 0, G("y = Transpose(Transpose(x, perm=(1, 2, 3, 0)), perm=(3, 0, 1, 2))\n return y\n") },
        { NULL, "transpose_identity", 0, 0, 1, G("y = Transpose(x, perm=(0, 1, 3, 2))\n return y\n") },
        /* a square one has the type of its input, but not its value */
        { NULL, "transpose_identity", 0, 0, 1, "graph {\n input x: f32[3, 3]\n y = Transpose(x, perm=(1, 0))\n return y\n}\n" },
        /* the inner one has another user */
        { NULL, "transpose_transpose", 0, 0, 2, G("t = Transpose(x, perm=(1, 2, 3, 0))\n y = Transpose(t, perm=(0, 2, 1, 3))\n return y, t\n") },
        { NULL, "transpose_transpose", 0, 0, 3, G("y = Transpose(Relu(Transpose(x, perm=(1, 2, 3, 0))), perm=(0, 2, 1, 3))\n return y\n") },
    };
    cases_run(c, UNIT_COUNT(c), "set standard");
}

static void reshapes(void)
{
    static const struct library_case c[] = {
        { NULL, "reshape_reshape", 1, 0, 1, G("y = Reshape(Reshape(x, shape=(24, 5)), shape=(6, 20))\n return y\n") },
        { NULL, "reshape_identity", 1, 0, 0, G("y = Reshape(Reshape(x, shape=(24, 5)), shape=(2, 3, 4, 5))\n return y\n") },
        { NULL, "reshape_identity", 0, 0, 1, G("y = Reshape(x, shape=(24, 5))\n return y\n") },
        { NULL, "reshape_flatten", 1, 0, 1, G("y = Reshape(Flatten(x, axis=2), shape=(4, 30))\n return y\n") },
        { NULL, "flatten_reshape", 1, 0, 1, G("y = Flatten(Reshape(x, shape=(4, 5, 6)), axis=1)\n return y\n") },
        { NULL, "reshape_unsqueeze", 1, 0, 1, G("y = Reshape(Unsqueeze(x, axes=(0, 3)), shape=(120,))\n return y\n") },
        { NULL, "unsqueeze_reshape", 1, 0, 1, G("y = Unsqueeze(Reshape(x, shape=(120,)), axes=(1,))\n return y\n") },
        { NULL, "reshape_squeeze", 1, 0, 1, "graph {\n input x: f32[1, 6, 1, 2]\n y = Reshape(Squeeze(x, axes=(0, 2)), shape=(3, 4))\n return y\n}\n" },
        { NULL, "squeeze_reshape", 1, 0, 1, G("y = Squeeze(Reshape(x, shape=(1, 120)), axes=(0,))\n return y\n") },
        { NULL, "squeeze_unsqueeze", 1, 0, 0, G("y = Squeeze(Unsqueeze(x, axes=(1,)), axes=(1,))\n return y\n") },
        { NULL, "unsqueeze_squeeze", 1, 0, 1, "graph {\n input x: f32[1, 6, 2]\n y = Unsqueeze(Squeeze(x, axes=(0,)), axes=(2,))\n return y\n}\n" },
        { NULL, "flatten_identity", 1, 0, 1, "graph {\n input x: f32[6, 2]\n y = Flatten(Relu(x), axis=1)\n return y\n}\n" },
        { NULL, "flatten_identity", 0, 0, 2, "graph {\n input x: f32[6, 2]\n y = Flatten(Relu(x), axis=0)\n return y\n}\n" },
        { NULL, "reshape_reshape", 0, 0, 2, G("t = Reshape(x, shape=(24, 5))\n y = Reshape(t, shape=(6, 20))\n return y, t\n") },
        { NULL, "reshape_reshape", 0, 0, 3, G("y = Reshape(Transpose(Reshape(x, shape=(24, 5)), perm=(1, 0)), shape=(6, 20))\n return y\n") },
    };
    cases_run(c, UNIT_COUNT(c), "set standard");
}

/* Inference form: v must be positive. */
#define BN(of) "Abs(x)\n param g: f32[3]\n param b: f32[3]\n param m: f32[3]\n const v: f32[3] = [0.5, 1.5, 0.25]\n y = BatchNormalization(" of ", g, b, m, v, epsilon=0.001)\n"
#define K311 " param k: f32[3, 1, 1]\n param c: f32[3, 1, 1]\n"

static void affine_merges(void)
{
    static const struct library_case c[] = {
        { NULL, "bn_mul_add", 1, 1e-5, 2, G("a = " BN("a") K311 " z = Add(Mul(y, k), c)\n return z\n") },
        { NULL, "bn_mul_add", 1, 1e-5, 2, G("a = " BN("a") K311 " z = Add(c, Mul(k, y))\n return z\n") },
        { NULL, "bn_mul_add", 1, 1e-5, 2, G("a = " BN("a") " param k: f32[1, 3, 1, 1]\n param c: f32[3, 1, 1]\n z = Add(Mul(y, k), c)\n return z\n") },
        /* one constant for both */
        { NULL, "bn_mul_add", 1, 1e-5, 2, G("a = " BN("a") " param k: f32[3, 1, 1]\n z = Add(Mul(y, k), k)\n return z\n") },
        { NULL, "bn_mul", 1, 1e-5, 2, G("a = " BN("a") K311 " z = Mul(y, k)\n return z\n") },
        { NULL, "bn_mul", 1, 1e-5, 3, G("a = " BN("a") K311 " z = Add(Mul(y, k), x)\n return z\n") },
        { NULL, "bn_add", 1, 1e-5, 2, G("a = " BN("a") K311 " z = Add(y, c)\n return z\n") },
        /* the k of a Mul whose c is not per channel still merges; c does not */
        { NULL, "bn_mul", 1, 1e-5, 3, G("a = " BN("a") " param k: f32[3, 1, 1]\n param c: f32[4, 5]\n z = Add(Mul(y, k), c)\n return z\n") },
        { NULL, "bn_mul_add", 0, 1e-5, 3, G("a = " BN("a") " param k: f32[3, 1, 1]\n param c: f32[4, 5]\n z = Add(Mul(y, k), c)\n return z\n") },
        /* rank 2: (C) and (1, C) are per channel */
        { NULL, "bn_mul_add", 1, 1e-5, 1, "graph {\n input x: f32[4, 3]\n param g: f32[3]\n param b: f32[3]\n param m: f32[3]\n const v: f32[3] = 1.5\n param k: f32[3]\n param c: f32[1, 3]\n z = Add(Mul(BatchNormalization(x, g, b, m, v), k), c)\n return z\n}\n" },
        /* k along another dimension: (3) is the last one, of size 3 too */
        { NULL, "bn_mul", 0, 0, 2, "graph {\n input x: f32[2, 3, 3, 3]\n param g: f32[3]\n param b: f32[3]\n param m: f32[3]\n const v: f32[3] = 1.5\n param k: f32[3]\n z = Mul(BatchNormalization(x, g, b, m, v), k)\n return z\n}\n" },
        { NULL, "bn_mul", 0, 0, 2, "graph {\n input x: f32[2, 3, 3, 3]\n param g: f32[3]\n param b: f32[3]\n param m: f32[3]\n const v: f32[3] = 1.5\n param k: f32[3, 1]\n z = Mul(BatchNormalization(x, g, b, m, v), k)\n return z\n}\n" },
        { NULL, "bn_add", 0, 0, 2, "graph {\n input x: f32[3, 3, 3, 3]\n param g: f32[3]\n param b: f32[3]\n param m: f32[3]\n const v: f32[3] = 1.5\n param k: f32[3, 1, 1, 1]\n z = Add(BatchNormalization(x, g, b, m, v), k)\n return z\n}\n" },
        /* one of the two along another dimension: the other merges alone, if it comes first */
        { NULL, "bn_mul_add", 0, 0, 3, "graph {\n input x: f32[2, 3, 3, 3]\n param g: f32[3]\n param b: f32[3]\n param m: f32[3]\n const v: f32[3] = 1.5\n param k: f32[3]\n param c: f32[3, 1, 1]\n z = Add(Mul(BatchNormalization(x, g, b, m, v), k), c)\n return z\n}\n" },
        { NULL, "bn_mul_add", 0, 1e-5, 2, "graph {\n input x: f32[2, 3, 3, 3]\n param g: f32[3]\n param b: f32[3]\n param m: f32[3]\n const v: f32[3] = 1.5\n param k: f32[3, 1, 1]\n param c: f32[3]\n z = Add(Mul(BatchNormalization(x, g, b, m, v), k), c)\n return z\n}\n" },
        { NULL, "bn_mul", 1, 1e-5, 2, "graph {\n input x: f32[2, 3, 3, 3]\n param g: f32[3]\n param b: f32[3]\n param m: f32[3]\n const v: f32[3] = 1.5\n param k: f32[3, 1, 1]\n param c: f32[3]\n z = Add(Mul(BatchNormalization(x, g, b, m, v), k), c)\n return z\n}\n" },
        /* k makes the result larger */
        { NULL, "bn_mul", 0, 0, 2, "graph {\n input x: f32[1, 3, 2, 2]\n param g: f32[3]\n param b: f32[3]\n param m: f32[3]\n const v: f32[3] = 1.5\n param k: f32[2, 3, 1, 1]\n z = Mul(BatchNormalization(x, g, b, m, v), k)\n return z\n}\n" },
        { NULL, "bn_mul", 0, 0, 2, "graph {\n input x: f32[1, 3, 2, 2]\n param g: f32[3]\n param b: f32[3]\n param m: f32[3]\n const v: f32[3] = 1.5\n param k: f32[1, 1, 3, 1, 1]\n z = Mul(BatchNormalization(x, g, b, m, v), k)\n return z\n}\n" },
        /* k is no constant */
        { NULL, "bn_mul", 0, 0, 2, "graph {\n input x: f32[2, 3, 2, 2]\n input k: f32[3, 1, 1]\n param g: f32[3]\n param b: f32[3]\n param m: f32[3]\n const v: f32[3] = 1.5\n z = Mul(BatchNormalization(x, g, b, m, v), k)\n return z\n}\n" },
        /* the normalised value is used elsewhere */
        { NULL, "bn_mul", 0, 0, 3, G("a = " BN("a") K311 " z = Mul(y, k)\n return z, y\n") },
    };
    cases_run(c, UNIT_COUNT(c), "set standard");
}

#define CONV "graph {\n input x: f32[2, 4, 6, 6]\n param g: f32[6]\n param b: f32[6]\n param m: f32[6]\n" \
             " const v: f32[6] = [0.5, 1.5, 0.25, 1.0, 2.0, 0.75]\n"

static void conv_bn(void)
{
    static const struct library_case c[] = {
        { NULL, "conv_bn_fold", 1, 1e-5, 1, CONV " param w: f32[6, 4, 3, 3]\n param c: f32[6]\n y = BatchNormalization(Conv(x, w, c, pads=(1, 1, 1, 1)), g, b, m, v)\n return y\n}\n" },
        { NULL, "conv_bn_fold", 1, 1e-5, 1, CONV " param w: f32[6, 4, 3, 3]\n y = BatchNormalization(Conv(x, w, strides=(2, 2), dilations=(2, 1)), g, b, m, v, epsilon=0.01)\n return y\n}\n" },
        /* groups: the output channels are still dimension 0 */
        { NULL, "conv_bn_fold", 1, 1e-5, 1, CONV " param w: f32[6, 2, 3, 3]\n param c: f32[6]\n y = BatchNormalization(Conv(x, w, c, group=2), g, b, m, v)\n return y\n}\n" },
        { NULL, "conv_bn_fold", 1, 1e-5, 1, "graph {\n input x: f32[1, 6, 4, 4]\n param g: f32[6]\n param b: f32[6]\n param m: f32[6]\n const v: f32[6] = 0.5\n param w: f32[6, 1, 3, 3]\n y = BatchNormalization(Conv(x, w, group=6), g, b, m, v)\n return y\n}\n" },
        /* one-dimensional; shared parameters */
        { NULL, "conv_bn_fold", 1, 1e-5, 1, "graph {\n input x: f32[2, 4, 9]\n const g: f32[6] = [1.0, 2.0, 3.0, 0.5, 0.25, 1.5]\n param w: f32[6, 4, 3]\n y = BatchNormalization(Conv(x, w), g, g, g, g)\n return y\n}\n" },
        /* after the affine merge */
        { NULL, "conv_bn_fold", 1, 1e-5, 1, CONV " param w: f32[6, 4, 3, 3]\n param k: f32[6, 1, 1]\n param c: f32[6, 1, 1]\n y = BatchNormalization(Conv(x, w), g, b, m, v) * k + c\n return y\n}\n" },
        /* the convolution is used elsewhere; its weights or bias are no constants */
        { NULL, "conv_bn_fold", 0, 0, 2, CONV " param w: f32[6, 4, 3, 3]\n t = Conv(x, w)\n y = BatchNormalization(t, g, b, m, v)\n return y, t\n}\n" },
        { NULL, "conv_bn_fold", 0, 0, 2, CONV " input w: f32[6, 4, 3, 3]\n y = BatchNormalization(Conv(x, w), g, b, m, v)\n return y\n}\n" },
        { NULL, "conv_bn_fold", 0, 0, 2, CONV " param w: f32[6, 4, 3, 3]\n input c: f32[6]\n y = BatchNormalization(Conv(x, w, c), g, b, m, v)\n return y\n}\n" },
        /* shared weights stay for the other convolution */
        { NULL, "conv_bn_fold", 1, 1e-5, 2, CONV " param w: f32[6, 4, 3, 3]\n y = BatchNormalization(Conv(x, w), g, b, m, v)\n z = Conv(x, w)\n return y, z\n}\n" },
    };
    cases_run(c, UNIT_COUNT(c), "set standard");
}

static void gemm(void)
{
    static const struct library_case c[] = {
        { NULL, "matmul_add_gemm", 1, 0, 1, "graph {\n input x: f32[4, 3]\n input y: f32[3, 5]\n param c: f32[5]\n z = Add(MatMul(x, y), c)\n return z\n}\n" },
        { NULL, "matmul_add_gemm", 1, 0, 1, "graph {\n input x: f32[4, 3]\n param y: f32[3, 5]\n param c: f32[4, 1]\n z = Add(c, MatMul(x, y))\n return z\n}\n" },
        { NULL, "matmul_add_gemm", 1, 0, 1, "graph {\n input x: f32[4, 3]\n param y: f32[3, 5]\n const c: f32[] = 2.5\n z = Add(c, MatMul(x, y))\n return z\n}\n" },
        { NULL, "matmul_add_gemm", 1, 0, 1, "graph {\n input x: f32[3, 3]\n z = Add(x, MatMul(x, x))\n return z\n}\n" },
        { NULL, "matmul_add_gemm", 0, 0, 2, "graph {\n input x: i64[4, 3]\n input y: i64[3, 5]\n const c: i64[] = 2\n z = Add(c, MatMul(x, y))\n return z\n}\n" },
        /* the sum is larger than the product, by a dimension or by rank */
        { NULL, "matmul_add_gemm", 0, 0, 2, "graph {\n input x: f32[1, 3]\n param y: f32[3, 5]\n param c: f32[4, 5]\n z = Add(MatMul(x, y), c)\n return z\n}\n" },
        { NULL, "matmul_add_gemm", 0, 0, 2, "graph {\n input x: f32[4, 3]\n param y: f32[3, 5]\n param c: f32[1, 4, 5]\n z = Add(MatMul(x, y), c)\n return z\n}\n" },
        /* no matrices: batches; a vector and a batch give rank 2 */
        { NULL, "matmul_add_gemm", 0, 0, 2, "graph {\n input x: f32[2, 4, 3]\n param y: f32[3, 5]\n param c: f32[5]\n z = Add(MatMul(x, y), c)\n return z\n}\n" },
        { NULL, "matmul_add_gemm", 0, 0, 2, "graph {\n input x: f32[3]\n param y: f32[2, 3, 5]\n param c: f32[5]\n z = Add(MatMul(x, y), c)\n return z\n}\n" },
        /* the product is used elsewhere, or twice */
        { NULL, "matmul_add_gemm", 0, 0, 2, "graph {\n input x: f32[4, 3]\n param y: f32[3, 5]\n param c: f32[5]\n t = MatMul(x, y)\n z = Add(t, c)\n return z, t\n}\n" },
        { NULL, "matmul_add_gemm", 0, 0, 2, "graph {\n input x: f32[4, 3]\n param y: f32[3, 5]\n t = MatMul(x, y)\n z = Add(t, t)\n return z\n}\n" },
    };
    cases_run(c, UNIT_COUNT(c), "set standard");
}

/* Integers that an Identity marks, as DequantizeLinear is read: the scales behind the sum, where conv_mul leaves them. */
#define BYTES "graph {\n input x: f32[2, 3, 4, 5]\n param w: f32[6, 3, 3, 3]\n param b: f32[6]\n const s: f32[] = 0.25\n const t: f32[] = 0.5\n"
#define CHANNELS "graph {\n input x: f32[2, 3, 4, 5]\n param w: f32[6, 3, 3, 3]\n param b: f32[6]\n const s: f32[] = 0.25\n param t: f32[6, 1, 1, 1]\n"
#define SUM(bias) " y = Conv(Identity(x) * s, Identity(w) * t" bias ", pads=(1, 1, 1, 1))\n"

static void quantised(void)
{
    static const struct library_case c[] = {
        { NULL, "quantised_conv", 1, 1e-5, 4, BYTES SUM(", b") " return y\n}\n" },
        { NULL, "quantised_conv", 1, 1e-5, 3, BYTES SUM("") " return y\n}\n" },
        { "one scale for both", "quantised_conv", 1, 1e-5, 3, BYTES " y = Conv(s * Identity(x), s * Identity(w), strides=(2, 1))\n return y\n}\n" },
        { "groups", "quantised_conv", 1, 1e-5, 4, "graph {\n input x: f32[1, 6, 4, 4]\n param w: f32[6, 1, 3, 3]\n param b: f32[6]\n const s: f32[] = 0.25\n const t: f32[] = 3.0\n y = Conv(Identity(x) * s, Identity(w) * t, b, group=6)\n return y\n}\n" },
        { "a channel: its scale is not conv_mul's", "conv_mul", 0, 1e-5, 3, "graph {\n input x: f32[1, 1, 4, 4]\n param w: f32[1, 1, 3, 3]\n const s: f32[] = 0.25\n const t: f32[] = 3.0\n y = Conv(Identity(x) * s, Identity(w) * t)\n return y\n}\n" },
        { NULL, "quantised_conv_channels", 1, 1e-5, 4, CHANNELS SUM(", b") " return y\n}\n" },
        { NULL, "quantised_conv_channels", 1, 1e-5, 3, CHANNELS SUM("") " return y\n}\n" },
        { "nothing goes back", "conv_mul", 0, 1e-5, 4, CHANNELS SUM(", b") " return y\n}\n" },
        { "one dimension", "quantised_conv_channels", 1, 1e-5, 4, "graph {\n input x: f32[2, 3, 4]\n param w: f32[6, 3, 3]\n param b: f32[6]\n const s: f32[] = 0.25\n param t: f32[6, 1, 1]\n y = Conv(Identity(x) * s, Identity(w) * t, b)\n return y\n}\n" },
        { NULL, "quantised_matmul", 1, 1e-5, 3, "graph {\n input x: f32[2, 3, 4]\n param w: f32[4, 5]\n const s: f32[] = 0.25\n const t: f32[] = 3.0\n y = MatMul(Identity(x) * s, Identity(w) * t)\n return y\n}\n" },
        /* not marked: products as others are; the kernel is folded */
        { NULL, "quantised_conv", 0, 0, 2, BYTES " y = Conv(x * s, w * t, b)\n return y\n}\n" },
        { NULL, "quantised_conv", 0, 0, 2, BYTES " y = Conv(Identity(x) * s, w * t, b)\n return y\n}\n" },
        /* scales along other dimensions */
        { NULL, "quantised_conv_channels", 0, 0, 2, "graph {\n input x: f32[2, 3, 4, 5]\n param w: f32[3, 3, 3, 3]\n const s: f32[] = 0.25\n param t: f32[1, 3, 1, 1]\n y = Conv(Identity(x) * s, Identity(w) * t)\n return y\n}\n" },
        { NULL, "quantised_conv_channels", 0, 0, 2, "graph {\n input x: f32[2, 3, 4, 5]\n param w: f32[3, 3, 3, 3]\n param s: f32[3, 1, 1]\n param t: f32[3, 1, 1, 1]\n y = Conv(Identity(x) * s, Identity(w) * t)\n return y\n}\n" },
        { NULL, "quantised_matmul", 0, 0, 2, "graph {\n input x: f32[2, 3, 4]\n param w: f32[4, 5]\n const s: f32[] = 0.25\n param t: f32[4, 1]\n y = MatMul(Identity(x) * s, Identity(w) * t)\n return y\n}\n" },
        /* the product is used elsewhere */
        { NULL, "quantised_conv", 0, 0, 2, BYTES " p = Identity(x) * s\n y = Conv(p, Identity(w) * t, b)\n return y, p\n}\n" },
    };
    cases_run(c, UNIT_COUNT(c), "set standard,quantised");
}

/* What the type of an opaque operator hides stays as it is. */
static void unknown_types(void)
{
    struct bench b;

    bench_must(&b, bench_open(&b, "graph {\n input x: f32[2]\n o = opaque \"Foo\"(x)\n y = Dropout(Identity(o), ratio=0.5)\n return y\n}\n", NULL, -1));
    bench_must(&b, rewrite_fix(&b.g, &b.rules, &b.opt, &b.stats, &b.d));
    CU_ASSERT_EQUAL(graph_count_ops(&b.g), 3);
    CU_ASSERT(bench_rule(&b, "identity_removal")->refused_type > 0);
    CU_ASSERT(bench_rule(&b, "dropout_removal")->refused_type > 0);
    bench_close(&b);
}

static const struct unit_case cases[] = {
    { "identity_removal dropout_removal", removals },
    { "transpose_transpose transpose_identity", transposes },
    { "reshape_*", reshapes },
    { "bn_mul_add bn_mul bn_add", affine_merges },
    { "conv_bn_fold", conv_bn },
    { "matmul_add_gemm", gemm },
    { "quantised_*", quantised },
    { "unknown types", unknown_types },
};

int main(void)
{
    return unit_main("rewrite/library", cases, UNIT_COUNT(cases));
}
