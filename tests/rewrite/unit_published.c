/* The published rules: where each applies, and the counterexamples to the rule as it was published, named by their
   number in the collection of them (R1 ..). One rule at a time, nothing folded. */
#include "cases.h"

#define G(body) "graph {\n input x: f32[2, 4, 6, 6]\n" body "}\n"

static void splits(void)
{
    static const struct library_case c[] = {
        { NULL, "split_concat", 1, 0, 1, G("s = Split(Relu(x), axis=1, split=(3, 1))\n y = Concat(s[0], s[1], axis=1)\n return y\n") },
        { "three parts", "split_concat", 0, 0, 2, G("s = Split(x, axis=1, split=(1, 2, 1))\n y = Concat(s[0], s[1], axis=1)\n return y\n") },
        { NULL, "split_concat_variadic", 1, 0, 1, G("s = Split(Relu(x), axis=1, split=(1, 1, 2))\n y = Concat(s[0], s[1], s[2], axis=1)\n return y\n") },
        { NULL, "split_concat_variadic", 1, 0, 0, G("s = Split(x, axis=1, split=(4,))\n y = Concat(s[0], axis=1)\n return y\n") },
        { "R1: a part is missing", "split_concat_variadic", 0, 0, 2, G("s = Split(x, axis=1, split=(1, 2, 1))\n y = Concat(s[0], s[1], axis=1)\n return y\n") },
        { "another order", "split_concat_variadic", 0, 0, 2, G("s = Split(x, axis=1, split=(2, 2))\n y = Concat(s[1], s[0], axis=1)\n return y\n") },
        { "one part twice", "split_concat_variadic", 0, 0, 2, G("s = Split(x, axis=1, split=(2, 2))\n y = Concat(s[0], s[0], axis=1)\n return y\n") },
        { "another axis", "split_concat_variadic", 0, 0, 2, G("s = Split(x, axis=1, split=(2, 2))\n y = Concat(s[0], s[1], axis=2)\n return y\n") },
        { "parts of two splits", "split_concat_variadic", 0, 0, 3, G("s = Split(x, axis=1, split=(2, 2))\n t = Split(x, axis=1, split=(2, 2))\n y = Concat(s[0], t[1], axis=1)\n return y\n") },
        { "a part used elsewhere", "split_concat_variadic", 0, 0, 2, G("s = Split(x, axis=1, split=(2, 2))\n y = Concat(s[0], s[1], axis=1)\n return y, s[0]\n") },
    };
    cases_run(c, UNIT_COUNT(c), NULL);
}

static void tuples(void)
{
    static const struct library_case c[] = {
        { NULL, "dispatch_tuple", 1, 0, 3, G("t = (Relu(x), Abs(x))\n y = t[1] - t[0]\n return y\n") },
        { "V9: a field twice", "dispatch_tuple", 1, 0, 2, G("a = Relu(x)\n t = (a, a)\n y = t[1] - t[0]\n return y\n") },
        { "not a tuple", "dispatch_tuple", 0, 0, 2, G("t = Split(x, axis=1, split=(2, 2))\n y = t[1] - t[0]\n return y\n") },
    };
    cases_run(c, UNIT_COUNT(c), NULL);
}

static void repeated(void)
{
    static const struct library_case c[] = {
        { NULL, "merge_element_wise", 1, 0, 2, G("a = Relu(x)\n b = Relu(x)\n y = Concat(b, a, axis=1)\n return y\n") },
        { NULL, "merge_element_wise", 2, 0, 2, G("a = Relu(x)\n b = Relu(x)\n c = Relu(x)\n y = Concat(b, a, c, axis=1)\n return y\n") },
        { "EW: two operators", "merge_element_wise", 0, 0, 3, G("a = Relu(x)\n b = Abs(x)\n y = Concat(a, b, axis=1)\n return y\n") },
        { "two operands", "merge_element_wise", 0, 0, 4, G("z = Neg(x)\n a = Relu(x)\n b = Relu(z)\n y = Concat(a, b, axis=1)\n return y\n") },
        { "attributes differ", "merge_element_wise", 0, 0, 3, G("a = Clip(x, max=0.5)\n b = Clip(x, max=0.25)\n y = Concat(a, b, axis=1)\n return y\n") },
        { "one after the other", "merge_element_wise", 0, 0, 2, G("y = Relu(Relu(x))\n return y\n") },
        { NULL, "merge_three_element_wise", 1, 0, 2, G("a = Exp(x)\n b = Exp(x)\n c = Exp(x)\n y = Concat(b, a, c, axis=1)\n return y\n") },
        { "two only", "merge_three_element_wise", 0, 0, 3, G("a = Exp(x)\n b = Exp(x)\n y = Concat(b, a, axis=1)\n return y\n") },
        { NULL, "merge_element_wise_variadic", 1, 0, 2, G("a = Exp(x)\n b = Exp(x)\n c = Exp(x)\n y = Concat(b, a, c, axis=1)\n return y\n") },
        { "two groups", "merge_element_wise_variadic", 2, 0, 3, G("a = Exp(x)\n b = Relu(x)\n c = Exp(x)\n d = Relu(x)\n y = Concat(b, a, c, d, axis=1)\n return y\n") },
        { "outputs of the graph", "merge_element_wise_variadic", 1, 0, 1, G("a = Exp(x)\n b = Exp(x)\n return a, b\n") },
        { "one only", "merge_element_wise_variadic", 0, 0, 1, G("a = Exp(x)\n return a\n") },
    };
    cases_run(c, UNIT_COUNT(c), NULL);
}

static void identities(void)
{
    static const struct library_case c[] = {
        { NULL, "eliminate_identity", 1, 0, 1, G("const o: f32[] = 0.0\n y = Relu(x) + o\n return y\n") },
        { NULL, "eliminate_identity", 1, 0, 1, G("const o: f32[1, 1] = 0.0\n y = o + Relu(x)\n return y\n") },
        { NULL, "eliminate_identity", 1, 0, 1, G("const o: f32[] = 0.0\n y = Relu(x) - o\n return y\n") },
        { NULL, "eliminate_identity", 1, 0, 1, G("const o: f32[] = 1.0\n y = Relu(x) * o\n return y\n") },
        { NULL, "eliminate_identity", 1, 0, 1, G("const o: f32[] = 1.0\n y = o * Relu(x)\n return y\n") },
        { NULL, "eliminate_identity", 1, 0, 1, G("const o: f32[] = 1.0\n y = Relu(x) / o\n return y\n") },
        { "A1: like the other operand", "eliminate_identity", 1, 0, 1, G("y = Relu(x) + ZerosLike(x)\n return y\n") },
        { "A1: like itself", "eliminate_identity", 1, 0, 1, G("z = Relu(x)\n y = z * OnesLike(z)\n return y\n") },
        { "ones", "eliminate_identity", 1, 0, 1, G("y = Relu(x) / ConstantOfShape(shape=(6, 6), value=1.0)\n return y\n") },
        { "larger", "eliminate_identity", 1, 0, 2, "graph {\n input x: f32[2, 1, 4]\n y = Relu(x) + ConstantOfShape(shape=(2, 4, 4), value=0.0)\n return y\n}\n" },
        { "more dimensions", "eliminate_identity", 1, 0, 2, "graph {\n input x: f32[4]\n const o: f32[1, 1, 1] = 1.0\n y = Relu(x) * o\n return y\n}\n" },
        { NULL, "expand_identity", 1, 0, 1, G("y = Expand(Relu(x), shape=(4, 1, 6))\n return y\n") },
        { "larger", "expand_identity", 0, 0, 1, G("y = Expand(x, shape=(3, 1, 1, 1, 1))\n return y\n") },
        { "0 - x", "eliminate_identity", 0, 0, 1, G("const o: f32[] = 0.0\n y = o - x\n return y\n") },
        { "1 / x", "eliminate_identity", 0, 0, 1, G("const o: f32[] = 1.0\n y = o / x\n return y\n") },
        { "x * 0", "eliminate_identity", 0, 0, 1, G("const o: f32[] = 0.0\n y = x * o\n return y\n") },
        { "x + 1", "eliminate_identity", 0, 0, 2, G("y = x + OnesLike(x)\n return y\n") },
        { "integers", "eliminate_identity", 1, 0, 1, "graph {\n input x: i64[3]\n const o: i64[] = 0\n y = Neg(x) + o\n return y\n}\n" },
        { NULL, "full_element_wise", 1, 0, 1, G("const k: f32[] = 2.0\n y = x + FullLike(x, k)\n return y\n") },
        { "A2: like a constant of one element", "full_element_wise", 1, 0, 1, G("const k: f32[1, 1] = 2.0\n y = x - Expand(k, shape=(4, 6, 6))\n return y\n") },
        { "on the left", "full_element_wise", 1, 0, 1, G("y = ConstantOfShape(shape=(2, 4, 6, 6), value=2.0) - x\n return y\n") },
        { NULL, "full_element_wise", 1, 0, 1, G("y = Max(x, OnesLike(x))\n return y\n") },
        { "the full tensor is larger", "full_element_wise", 0, 0, 2, "graph {\n input x: f32[2, 1, 4]\n y = x + ConstantOfShape(shape=(2, 4, 4), value=2.0)\n return y\n}\n" },
        { "A2: a value that is not known", "full_element_wise", 0, 0, 2, "graph {\n input x: f32[2, 4]\n input k: f32[]\n y = x + FullLike(x, k)\n return y\n}\n" },
        { "several values", "full_element_wise", 0, 0, 2, G("param k: f32[6, 1]\n y = x + Expand(k, shape=(4, 6, 6))\n return y\n") },
        { "a vector, whose value is known", "full_element_wise", 0, 0, 2, "graph {\n input x: f32[3, 2]\n const k: f32[2] = [1.0, 2.0]\n y = x + Expand(k, shape=(3, 2))\n return y\n}\n" },
    };
    cases_run(c, UNIT_COUNT(c), NULL);
}

static void pads(void)
{
    static const struct library_case c[] = {
        { "R3: only at the end", "simplify_pad_conv", 1, 0, 1, G("param w: f32[5, 4, 3, 3]\n y = Conv(Pad(x, pads=(0, 0, 0, 0, 0, 0, 2, 0)), w, pads=(1, 1, 1, 1))\n return y\n") },
        { "a bias, strides", "simplify_pad_conv", 1, 0, 1, G("param w: f32[6, 2, 3, 2]\n param b: f32[6]\n y = Conv(Pad(x, pads=(0, 0, 1, 2, 0, 0, 3, 4)), w, b, strides=(2, 1), dilations=(1, 2), group=2)\n return y\n") },
        { "one dimension", "simplify_pad_conv", 1, 0, 1, "graph {\n input x: f32[2, 4, 6]\n param w: f32[5, 4, 3]\n y = Conv(Pad(x, pads=(0, 0, 1, 0, 0, 2)), w)\n return y\n}\n" },
        { "channels", "simplify_pad_conv", 0, 0, 2, G("param w: f32[5, 5, 3, 3]\n y = Conv(Pad(x, pads=(0, 1, 0, 0, 0, 0, 0, 0)), w)\n return y\n") },
        { "batch", "simplify_pad_conv", 0, 0, 2, G("param w: f32[5, 4, 3, 3]\n y = Conv(Pad(x, pads=(0, 0, 0, 0, 1, 0, 0, 0)), w)\n return y\n") },
        { "F1: another value", "simplify_pad_conv", 0, 0, 2, G("param w: f32[5, 4, 3, 3]\n y = Conv(Pad(x, pads=(0, 0, 1, 1, 0, 0, 1, 1), value=1.0), w)\n return y\n") },
        { "F1: another mode", "simplify_pad_conv", 0, 0, 2, G("param w: f32[5, 4, 3, 3]\n y = Conv(Pad(x, pads=(0, 0, 1, 1, 0, 0, 1, 1), mode=\"edge\"), w)\n return y\n") },
        { "what is cut off", "simplify_pad_conv", 0, 0, 2, G("param w: f32[5, 4, 3, 3]\n y = Conv(Pad(x, pads=(0, 0, -1, 1, 0, 0, 1, 1)), w, pads=(1, 1, 1, 1))\n return y\n") },
        { "used elsewhere", "simplify_pad_conv", 0, 0, 2, G("param w: f32[5, 4, 3, 3]\n p = Pad(x, pads=(0, 0, 1, 1, 0, 0, 1, 1))\n y = Conv(p, w)\n return y, p\n") },
    };
    cases_run(c, UNIT_COUNT(c), NULL);
}

static void layouts(void)
{
    static const struct library_case c[] = {
        { NULL, "simplify_transpose", 1, 0, 1, G("y = LayoutTransform(Transpose(x, perm=(1, 3, 0, 2)), src_layout=\"NCHW\", dst_layout=\"NHWC\")\n return y\n") },
        { NULL, "simplify_transpose", 1, 0, 1, G("y = Transpose(LayoutTransform(x, src_layout=\"NCHW\", dst_layout=\"NHWC\"), perm=(1, 3, 0, 2))\n return y\n") },
        { "back", "simplify_transpose", 1, 0, 0, G("y = LayoutTransform(LayoutTransform(x, src_layout=\"NCHW\", dst_layout=\"NHWC\"), src_layout=\"NHWC\", dst_layout=\"NCHW\")\n return y\n") },
        { "not back", "simplify_transpose", 1, 0, 1, G("y = LayoutTransform(LayoutTransform(x, src_layout=\"NCHW\", dst_layout=\"NHWC\"), src_layout=\"NCHW\", dst_layout=\"NHWC\")\n return y\n") },
        { "three: two Transposes are left", "simplify_transpose", 1, 0, 2, G("y = Transpose(LayoutTransform(Transpose(x, perm=(3, 2, 1, 0)), src_layout=\"NCHW\", dst_layout=\"NHWC\"), perm=(2, 1, 3, 0))\n return y\n") },
        { "AL1: the inner one is neither", "simplify_transpose", 0, 0, 2, G("y = LayoutTransform(Reshape(x, shape=(4, 2, 6, 6)), src_layout=\"NCHW\", dst_layout=\"NHWC\")\n return y\n") },
        { "transpose_transpose's", "simplify_transpose", 0, 0, 2, G("y = Transpose(Transpose(x, perm=(1, 3, 0, 2)), perm=(1, 3, 0, 2))\n return y\n") },
        { "S1: used elsewhere", "simplify_transpose", 0, 0, 2, G("t = LayoutTransform(x, src_layout=\"NCHW\", dst_layout=\"NHWC\")\n y = Transpose(t, perm=(1, 3, 0, 2))\n return y, t\n") },
        { "trans_trans", "transpose_transpose", 1, 0, 1, "graph {\n input x: f32[2, 3, 4]\n y = Transpose(Transpose(x, perm=(0, 2, 1)), perm=(0, 2, 1))\n return y\n}\n" },
        { "S1: used elsewhere", "transpose_transpose", 0, 0, 2, "graph {\n input x: f32[2, 3, 4]\n t = Transpose(x, perm=(0, 2, 1))\n y = Transpose(t, perm=(0, 2, 1))\n return y, t\n}\n" },
        { "N1: permutations left out", "transpose_transpose", 1, 0, 1, "graph {\n input x: f32[2, 3, 4]\n y = Transpose(Transpose(x), perm=(0, 2, 1))\n return y\n}\n" },
        { "R2: a dimension taken over", "reshape_reshape", 1, 0, 1, "graph {\n input x: f32[2, 4, 4]\n y = Reshape(Reshape(x, shape=(4, 8)), shape=(0, 2, 4))\n return y\n}\n" },
    };
    cases_run(c, UNIT_COUNT(c), NULL);
}

static void like(void)
{
    static const struct library_case c[] = {
        { NULL, "concretize_zeros_like", 1, 0, 2, G("y = x + ZerosLike(x)\n return y\n") },
        { "DT: integers", "concretize_zeros_like", 1, 0, 2, "graph {\n input x: i64[3]\n y = x + ZerosLike(x)\n return y\n}\n" },
        { NULL, "concretize_ones_like", 1, 0, 2, G("y = x + OnesLike(x)\n return y\n") },
        { "DT: integers", "concretize_ones_like", 1, 0, 2, "graph {\n input x: i64[3]\n y = x + OnesLike(x)\n return y\n}\n" },
        { NULL, "concretize_reshape_like", 1, 0, 1, "graph {\n input x: f32[2, 4, 4]\n input y: f32[2, 2, 8]\n z = ReshapeLike(x, y)\n return z\n}\n" },
        { "RL: a range of dimensions", "concretize_reshape_like", 1, 0, 1, "graph {\n input x: f32[2, 3, 4]\n input y: f32[5, 4, 3, 7]\n z = ReshapeLike(x, y, lhs_begin=1, rhs_begin=1, rhs_end=3)\n return z\n}\n" },
        { "like itself", "concretize_reshape_like", 1, 0, 1, "graph {\n input x: f32[2, 3, 4]\n z = ReshapeLike(x, x)\n return z\n}\n" },
        { NULL, "concretize_broadcast_to_like", 1, 0, 1, "graph {\n input x: f32[2, 1, 4]\n input y: f32[2, 4, 4]\n z = BroadcastLike(x, y)\n return z\n}\n" },
        { NULL, "concretize_collapse_sum_like", 1, 0, 1, "graph {\n input x: f32[2, 4, 4]\n input y: f32[1, 4]\n z = CollapseSumLike(x, y)\n return z\n}\n" },
        { NULL, "simplify_bias_add", 1, 0, 2, G("param b: f32[4]\n y = BiasAdd(x, b, axis=1)\n return y\n") },
        { "another axis", "simplify_bias_add", 1, 0, 2, G("param b: f32[6]\n y = BiasAdd(x, b, axis=-2)\n return y\n") },
        { "the last axis", "simplify_bias_add", 1, 0, 2, "graph {\n input x: f32[4]\n y = BiasAdd(x, x, axis=0)\n return y\n}\n" },
    };
    cases_run(c, UNIT_COUNT(c), NULL);
}

static void sums(void)
{
    static const struct library_case c[] = {
        { NULL, "bias_add_add", 1, 1e-6, 3, G("input z: f32[2, 4, 6, 6]\n param a: f32[4]\n param b: f32[4]\n y = BiasAdd(x, a) + BiasAdd(z, b)\n return y\n") },
        { "I1: one bias for both", "bias_add_add", 1, 1e-6, 3, G("input z: f32[2, 4, 6, 6]\n param a: f32[4]\n y = BiasAdd(x, a) + BiasAdd(z, a)\n return y\n") },
        { "R11: the smaller operand broadcasts", "bias_add_add", 0, 0, 3, "graph {\n input x: f32[2, 3, 4, 4]\n input z: f32[4, 4]\n param a: f32[3]\n param b: f32[4]\n y = BiasAdd(x, a) + BiasAdd(z, b)\n return y\n}\n" },
        { "R11: and its bias fits", "bias_add_add", 0, 0, 3, "graph {\n input x: f32[2, 4, 4, 4]\n input z: f32[4, 4]\n param a: f32[4]\n param b: f32[4]\n y = BiasAdd(x, a) + BiasAdd(z, b)\n return y\n}\n" },
        { "another axis", "bias_add_add", 0, 0, 3, "graph {\n input x: f32[2, 4, 4]\n input z: f32[2, 4, 4]\n param a: f32[4]\n param b: f32[4]\n y = BiasAdd(x, a) + BiasAdd(z, b, axis=2)\n return y\n}\n" },
        { NULL, "conv_mul", 1, 1e-5, 3, G("param w: f32[5, 4, 3, 3]\n param k: f32[5, 1, 1]\n y = Conv(x, w) * k\n return y\n") },
        { "a bias, groups", "conv_mul", 1, 1e-5, 5, G("param w: f32[6, 2, 3, 3]\n param b: f32[6]\n param k: f32[1, 6, 1, 1]\n y = k * Conv(x, w, b, group=2, strides=(2, 1))\n return y\n") },
        { "R8: a factor for each column", "conv_mul", 0, 0, 2, G("param w: f32[4, 4, 3, 3]\n param k: f32[4]\n y = Conv(x, w) * k\n return y\n") },
        { "R8: a factor for each row", "conv_mul", 0, 0, 2, G("param w: f32[4, 4, 3, 3]\n param k: f32[4, 1]\n y = Conv(x, w) * k\n return y\n") },
        { "the factor makes it larger", "conv_mul", 0, 0, 2, "graph {\n input x: f32[1, 4, 6, 6]\n param w: f32[5, 4, 3, 3]\n param k: f32[2, 5, 1, 1]\n y = Conv(x, w) * k\n return y\n}\n" },
        { "S1: used elsewhere", "conv_mul", 0, 0, 2, G("param w: f32[5, 4, 3, 3]\n param k: f32[5, 1, 1]\n t = Conv(x, w)\n y = t * k\n return y, t\n") },
        { NULL, "diamond_conv_add", 1, 1e-5, 2, G("param v: f32[5, 4, 3, 3]\n param w: f32[5, 4, 3, 3]\n y = Conv(x, v) + Conv(x, w)\n return y\n") },
        { "one bias", "diamond_conv_add", 1, 1e-5, 3, G("param v: f32[5, 4, 3, 3]\n param w: f32[5, 4, 3, 3]\n param b: f32[5]\n y = Conv(x, v, b, pads=(1, 0, 1, 2)) + Conv(x, w, pads=(1, 0, 1, 2))\n return y\n") },
        { "two biases, groups", "diamond_conv_add", 1, 1e-5, 3, G("param v: f32[6, 2, 3, 3]\n param w: f32[6, 2, 3, 3]\n param b: f32[6]\n param c: f32[6]\n y = Conv(x, v, b, group=2) + Conv(x, w, c, group=2)\n return y\n") },
        { "R7b: other pads, sizes equal", "diamond_conv_add", 0, 0, 3, G("param v: f32[5, 4, 3, 3]\n param w: f32[5, 4, 3, 3]\n y = Conv(x, v, pads=(1, 1, 1, 1)) + Conv(x, w, pads=(0, 0, 2, 2))\n return y\n") },
        { "groups differ", "diamond_conv_add", 0, 0, 3, G("param v: f32[4, 4, 3, 3]\n param w: f32[4, 2, 3, 3]\n y = Conv(x, v) + Conv(x, w, group=2)\n return y\n") },
        { "one channel, broadcast", "diamond_conv_add", 0, 0, 3, G("param v: f32[5, 4, 3, 3]\n param w: f32[1, 4, 3, 3]\n y = Conv(x, v) + Conv(x, w)\n return y\n") },
        { "two inputs", "diamond_conv_add", 0, 0, 4, G("param v: f32[5, 4, 3, 3]\n param w: f32[5, 4, 3, 3]\n y = Conv(x, v) + Conv(Relu(x), w)\n return y\n") },
        { NULL, "two_conv_add", 1, 1e-5, 3, G("input z: f32[2, 4, 6, 6]\n param v: f32[5, 4, 3, 3]\n param w: f32[5, 4, 3, 3]\n y = Conv(x, v, strides=(2, 2)) + Conv(z, w, strides=(2, 2))\n return y\n") },
        { "other input channels, a bias", "two_conv_add", 1, 1e-5, 4, G("input z: f32[2, 3, 6, 6]\n param v: f32[5, 4, 3, 3]\n param w: f32[5, 3, 3, 3]\n param b: f32[5]\n y = Conv(x, v) + Conv(z, w, b)\n return y\n") },
        { "R4: groups", "two_conv_add", 0, 0, 3, G("input z: f32[2, 4, 6, 6]\n param v: f32[4, 2, 3, 3]\n param w: f32[4, 2, 3, 3]\n y = Conv(x, v, group=2) + Conv(z, w, group=2)\n return y\n") },
        { "R4b: the batch broadcasts", "two_conv_add", 0, 0, 3, G("input z: f32[1, 4, 6, 6]\n param v: f32[5, 4, 3, 3]\n param w: f32[5, 4, 3, 3]\n y = Conv(x, v) + Conv(z, w)\n return y\n") },
        { "R4b: the channels broadcast", "two_conv_add", 0, 0, 3, G("input z: f32[2, 4, 6, 6]\n param v: f32[5, 4, 3, 3]\n param w: f32[1, 4, 3, 3]\n y = Conv(x, v) + Conv(z, w)\n return y\n") },
    };
    cases_run(c, UNIT_COUNT(c), NULL);
}

#define SHORTCUT(w, attrs) G("param w: f32[" w "]\n y = Conv(x, w" attrs ") + x\n return y\n")

static void shortcuts(void)
{
    static const struct library_case c[] = {
        { NULL, "conv_shortcut_add", 1, 1e-5, 6, SHORTCUT("4, 4, 3, 3", ", pads=(1, 1, 1, 1)") },
        { "a bias; on the right", "conv_shortcut_add", 1, 1e-5, 6, G("param w: f32[4, 4, 5, 3]\n param b: f32[4]\n y = x + Conv(x, w, b, pads=(2, 1, 2, 1))\n return y\n") },
        { "dilations", "conv_shortcut_add", 1, 1e-5, 6, SHORTCUT("4, 4, 3, 3", ", pads=(2, 3, 2, 3), dilations=(2, 3)") },
        { "1 x 1", "conv_shortcut_add", 1, 1e-5, 6, SHORTCUT("4, 4, 1, 1", "") },
        { "one dimension", "conv_shortcut_add", 1, 1e-5, 6, "graph {\n input x: f32[2, 4, 6]\n param w: f32[4, 4, 3]\n y = Conv(x, w, pads=(1, 1)) + x\n return y\n}\n" },
        { "R5: one output channel", "conv_shortcut_add", 0, 0, 2, SHORTCUT("1, 4, 3, 3", ", pads=(1, 1, 1, 1)") },
        { "R5b: another centre", "conv_shortcut_add", 0, 0, 2, SHORTCUT("4, 4, 3, 3", ", pads=(0, 0, 2, 2)") },
        { "R5c: no centre", "conv_shortcut_add", 0, 0, 2, SHORTCUT("4, 4, 2, 2", ", pads=(0, 0, 1, 1)") },
        { "R5d: groups", "conv_shortcut_add", 0, 0, 2, SHORTCUT("4, 2, 3, 3", ", pads=(1, 1, 1, 1), group=2") },
        { "R5e: one group for each channel", "conv_shortcut_add", 0, 0, 2, SHORTCUT("4, 1, 3, 3", ", pads=(1, 1, 1, 1), group=4") },
        { "strides", "conv_shortcut_add", 0, 0, 2, "graph {\n input x: f32[2, 4, 1, 1]\n param w: f32[4, 4, 3, 3]\n y = Conv(x, w, pads=(1, 1, 1, 1), strides=(2, 2)) + x\n return y\n}\n" },
        { "another operand", "conv_shortcut_add", 0, 0, 3, G("param w: f32[4, 4, 3, 3]\n y = Conv(x, w, pads=(1, 1, 1, 1)) + Relu(x)\n return y\n") },
    };
    cases_run(c, UNIT_COUNT(c), NULL);
}

#define POSITIVE(n) " const v: f32[" n "] = 0.75\n"

static void lowered(void)
{
    static const struct library_case c[] = {
        { NULL, "lower_batch_norm", 1, 1e-5, 9, G("param g: f32[4]\n param b: f32[4]\n param m: f32[4]\n" POSITIVE("4") " y = BatchNormalization(x, g, b, m, v, epsilon=0.01)\n return y\n") },
        { "R6: rank 2", "lower_batch_norm", 1, 1e-5, 9, "graph {\n input x: f32[3, 4]\n param g: f32[4]\n param b: f32[4]\n param m: f32[4]\n" POSITIVE("4") " y = BatchNormalization(x, g, b, m, v)\n return y\n}\n" },
        { "R6: rank 5", "lower_batch_norm", 1, 1e-5, 9, "graph {\n input x: f32[2, 4, 1, 3, 4]\n param g: f32[4]\n param b: f32[4]\n param m: f32[4]\n" POSITIVE("4") " y = BatchNormalization(x, g, b, m, v)\n return y\n}\n" },
        { "one vector for all", "lower_batch_norm", 1, 1e-5, 9, G(POSITIVE("4") " y = BatchNormalization(x, v, v, v, v)\n return y\n") },
        { "computed parameters", "lower_batch_norm", 0, 0, 2, G("input g: f32[4]\n param b: f32[4]\n param m: f32[4]\n" POSITIVE("4") " y = BatchNormalization(x, Exp(g), b, m, v)\n return y\n") },
        { NULL, "lower_layer_norm", 1, 1e-4, 9, "graph {\n input x: f32[2, 4, 6]\n param g: f32[6]\n param b: f32[6]\n y = LayerNormalization(x, g, b)\n return y\n}\n" },
        { "no bias", "lower_layer_norm", 1, 1e-4, 8, "graph {\n input x: f32[2, 4, 6]\n param g: f32[6]\n y = LayerNormalization(x, g, axis=-1, epsilon=0.01)\n return y\n}\n" },
        { "two dimensions", "lower_layer_norm", 1, 1e-4, 9, "graph {\n input x: f32[2, 4, 6]\n param g: f32[4, 6]\n param b: f32[4, 6]\n y = LayerNormalization(x, g, b, axis=1)\n return y\n}\n" },
        { NULL, "lower_group_norm", 1, 1e-4, 13, G("param g: f32[4]\n param b: f32[4]\n y = GroupNormalization(x, g, b, num_groups=2)\n return y\n") },
        { "a group for each channel", "lower_group_norm", 1, 1e-4, 13, G("param g: f32[4]\n param b: f32[4]\n y = GroupNormalization(x, g, b, num_groups=4, epsilon=0.1)\n return y\n") },
        { NULL, "lower_instance_norm", 1, 1e-4, 11, G("param g: f32[4]\n param b: f32[4]\n y = InstanceNormalization(x, g, b)\n return y\n") },
        { "one dimension", "lower_instance_norm", 1, 1e-4, 11, "graph {\n input x: f32[2, 4, 6]\n param g: f32[4]\n param b: f32[4]\n y = InstanceNormalization(x, g, b)\n return y\n}\n" },
        { NULL, "lower_l2_norm", 1, 1e-5, 5, G("y = L2Normalize(x, epsilon=1e-5)\n return y\n") },
        { "one axis; small values", "lower_l2_norm", 1, 1e-5, 5, G("y = L2Normalize(x, axes=(1,), epsilon=4.0)\n return y\n") },
    };
    cases_run(c, UNIT_COUNT(c), NULL);
}

static const struct unit_case cases[] = {
    { "split_concat*", splits },
    { "dispatch_tuple", tuples },
    { "merge_*element_wise*", repeated },
    { "eliminate_identity full_element_wise", identities },
    { "simplify_pad_conv", pads },
    { "simplify_transpose trans_trans simplify_reshape", layouts },
    { "concretize_* simplify_bias_add", like },
    { "bias_add_add conv_mul diamond_conv_add two_conv_add", sums },
    { "conv_shortcut_add", shortcuts },
    { "lower_*", lowered },
};

int main(void)
{
    return unit_main("rewrite/published", cases, UNIT_COUNT(cases));
}
