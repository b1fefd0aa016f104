/* Each operator's kernel against a plain C loop (reference.h) on small random tensors; texts of kernels; the exceptions. */
#include <limits.h>

#include "unit.h"

#include "reference.h"

static const struct test tests[] = {
    {OP_Conv, "f:2x3x8x9 f:4x3x3x2", "", 1},
    {OP_Conv, "f:1x3x8x9 f:4x3x3x2 f:4", "strides=2,3 pads=1,0,2,1 dilations=2,1", 1},
    {OP_Conv, "f:2x4x8 f:6x2x3 f:6", "group=2 pads=2,2", 1},
    {OP_Conv, "f:2x4x7 f:8x1x3", "group=4 pads=0,1", 1},
    {OP_Conv, "f:1x2x5x6x7 f:3x2x3x2x3 f:3", "pads=1,0,1,1,1,0 strides=1,2,2", 1},
    {OP_Conv, "f:1x2x3x3x3x3 f:2x2x2x2x2x2", "pads=1,0,0,1,0,1,1,0", 1},
    {OP_Conv, "f:3x5x4x4 f:7x5x1x1 f:7", "", 1},
    {OP_Conv, "f:1x1x1x1 f:1x1x1x1", "pads=1,1,1,1", 1},
    {OP_Conv, "f:1x1x1 f:2x1x1 f:2", "pads=1,1 strides=3,", 1}, /* padding only */
    {OP_Conv, "f:1x0x4 f:2x0x3 f:2", "", 1},                    /* no channels */
    {OP_Conv, "f:0x2x4 f:2x2x3", "", 1},
    {OP_Conv, "f:1x2x0 f:2x2x2 f:2", "pads=1,2", 1},
    {OP_Relu, "f:2x3", "", 1},
    {OP_Relu, "i:5x7", "", 1},
    {OP_Dropout, "f:2x3", "", 1},
    {OP_Identity, "i:2x3", "", 1},
    {OP_Identity, "f:", "", 1},
    {OP_Identity, "f:3x0", "", 1},
    {OP_Sqrt, "f:40", "", 1},
    {OP_Neg, "i:40", "", 1},
    {OP_Neg, "f:40", "", 1},
    {OP_Abs, "i:40", "", 1},
    {OP_Abs, "f:40", "", 1},
    {OP_Exp, "f:4x5x2", "", 1},
    {OP_Log, "f:40", "", 1},
    {OP_Tanh, "f:40", "", 1},
    {OP_Sigmoid, "f:40", "", 1},
    {OP_Erf, "f:40", "", 1},
    {OP_MaxPool, "f:2x3x8x9", "kernel_shape=3,2 strides=2,2", 1},
    {OP_MaxPool, "f:1x3x8x9", "kernel_shape=3,2 strides=2,2 ceil_mode=1", 1},
    {OP_MaxPool, "f:1x3x8", "kernel_shape=3, dilations=3, pads=1,1", 1},
    {OP_MaxPool, "f:1x2x5x5x5", "kernel_shape=3,2,3 pads=1,0,1,0,1,2 strides=2,1,2", 1},
    {OP_MaxPool, "f:1x1x1", "kernel_shape=1,", 1},
    {OP_AveragePool, "f:1x3x8x9", "kernel_shape=3,2", 1},
    {OP_AveragePool, "f:2x3x8x9", "kernel_shape=3,3 pads=1,2,0,1 strides=2,2", 1},
    {OP_AveragePool, "f:2x3x8x9", "kernel_shape=3,3 pads=1,2,0,1 strides=2,2 count_include_pad=1", 1},
    {OP_AveragePool, "f:1x1x7x6", "kernel_shape=3,3 pads=1,1,1,1 strides=3,3 ceil_mode=1 count_include_pad=1", 1},
    {OP_AveragePool, "f:1x1x8x6", "kernel_shape=3,3 strides=3,4 ceil_mode=1", 1},
    {OP_AveragePool, "f:1x2x5", "kernel_shape=4, pads=3,3", 1},
    {OP_GlobalAveragePool, "f:2x3x8x9", "", 1},
    {OP_GlobalAveragePool, "f:2x3x1", "", 1},
    {OP_Softmax, "f:2x3", "", 1},
    {OP_Softmax, "f:2x3x4", "axis=1", 1},
    {OP_Softmax, "f:7", "", 1},
    {OP_Softmax, "f:2x3x4", "flatten=1 axis=1", 1},
    {OP_Softmax, "f:2x3x4", "flatten=1 axis=0", 1},
    {OP_Softmax, "f:2x1x4", "axis=1", 1},
    {OP_Softmax, "f:2x0x4", "axis=0", 1},
    {OP_Concat, "f:2x3 f:2x0 f:2x5", "axis=1", 1},
    {OP_Concat, "i:3x2 i:1x2 i:4x2 i:1x2 i:2x2", "axis=0", 1},
    {OP_Concat, "f:2x3x2", "axis=1", 1},
    {OP_Concat, "f:0 f:0", "axis=0", 1},
    {OP_Reshape, "f:2x3x4", "shape=4,6", 1},
    {OP_Reshape, "f:2x3x4x5", "shape=2,12,1,5", 1},
    {OP_Reshape, "i:6x1x35", "shape=2,3,5,7", 1},
    {OP_Reshape, "f:12x10", "shape=8,15", 1},
    {OP_Reshape, "f:2x3x5x7", "shape=7,6,5", 1},
    {OP_Reshape, "f:1", "shape=()", 1},
    {OP_Reshape, "f:", "shape=1,1", 1},
    {OP_Reshape, "f:2x0", "shape=5,0", 1},
    {OP_Gemm, "f:2x3 f:3x4 f:4", "", 1},
    {OP_Gemm, "f:3x2 f:4x3", "transA=1 transB=1 alpha=0.3", 1},
    {OP_Gemm, "f:2x3 f:3x4 f:2x1", "beta=0.7 alpha=-1.1", 1},
    {OP_Gemm, "f:2x3 f:4x3 f:", "transB=1 beta=-2.5", 1},
    {OP_Gemm, "f:2x0 f:0x4 f:4", "", 1},
    {OP_MatMul, "f:2x3 f:3x4", "", 1},
    {OP_MatMul, "i:2x3 i:3x4", "", 1},
    {OP_MatMul, "f:3 f:3", "", 1},
    {OP_MatMul, "f:3 f:5x3x4", "", 1},
    {OP_MatMul, "f:5x2x3 f:3", "", 1},
    {OP_MatMul, "f:3x1x2x3 f:4x3x2", "", 1},
    {OP_MatMul, "f:2x1 f:1x4", "", 1},
    {OP_MatMul, "f:2x0 f:0x4", "", 1},
    {OP_LRN, "f:2x5x3", "size=3", 1},
    {OP_LRN, "f:1x5x2x2", "size=4 alpha=0.5 beta=0.6 bias=2.0", 1},
    {OP_LRN, "f:1x2x2", "size=9 alpha=0.5", 1},
    {OP_LRN, "f:1x3x2", "size=1 alpha=0.5", 1},
    {OP_BatchNormalization, "f:2x5x3 f:5 f:5 f:5 f:5", "epsilon=0.01", 1},
    {OP_BatchNormalization, "f:2x1 f:1 f:1 f:1 f:1", "", 1},
    {OP_BatchNormalization, "f:5 f:1 f:1 f:1 f:1", "", 1},
    {OP_Sum, "f:2x1 f:3 f:", "", 1},
    {OP_Sum, "f:4", "", 1},
    {OP_Add, "f:4x1x2 f:3x1", "", 1},
    {OP_Add, "i:4 i:1", "", 1},
    {OP_Sub, "f:2x3 f:2x3", "", 1},
    {OP_Mul, "f:2x3 f:3", "", 1},
    {OP_Div, "f:2x3 f:2x1", "", 1},
    {OP_Pow, "f:2x30 f:30", "", 1},
    {OP_Max, "f:2x3 f:3 f:1", "", 1},
    {OP_Max, "i:20 i:20", "", 1},
    {OP_Min, "f:2x3 f:3 f:1x1x1", "", 1},
    {OP_Transpose, "f:2x3x4", "", 1},
    {OP_Transpose, "i:2x3x4x1x5", "perm=3,1,4,0,2", 1},
    {OP_Unsqueeze, "f:3x4", "axes=-1,0", 1},
    {OP_Unsqueeze, "f:", "axes=0,", 1},
    {OP_Squeeze, "f:1x3x1", "", 1},
    {OP_Squeeze, "f:1x1", "", 1},
    {OP_Flatten, "f:2x3x4", "axis=2", 1},
    {OP_Flatten, "f:2x3x4", "axis=0", 1},
    {OP_Flatten, "f:", "axis=0", 1},
    {OP_ReduceMean, "f:2x3x4", "axes=0,2", 1},
    {OP_ReduceMean, "f:2x3x4", "keepdims=0", 1},
    {OP_ReduceSum, "i:2x3x4", "axes=1, keepdims=0", 1},
    {OP_ReduceSum, "f:2x0x4", "axes=1,", 1},
    {OP_ReduceSum, "f:2x1x4", "axes=1, keepdims=0", 1},
    {OP_ReduceSum, "f:2x3", "axes=()", 1},
    {OP_ConstantOfShape, "", "shape=2,3 value=-0.02", 1},
    {OP_ConstantOfShape, "", "shape=2, value=-7.0 dtype=7", 1},
    {OP_ConstantOfShape, "", "shape=()", 1},
    {OP_Shape, "f:2x3x4x2", "", 1},
    {OP_Shape, "f:2x3x4", "start=1", 1},
    {OP_Shape, "f:2x0x4", "", 1},
    {OP_Shape, "f:", "", 1},
    {OP_Gather, "f:2x3x4 i:5x3", "axis=1", 1},
    {OP_Gather, "i:7 i:", "axis=0", 1},
    {OP_Gather, "f:9x2 i:40", "axis=0", 1},
    {OP_Gather, "f:9x2 i:0", "axis=0", 1},
    {OP_Slice, "f:6x7", "starts=5,1 sizes=3,2 steps=-2,4", 1},
    {OP_Slice, "i:6x7x2", "starts=0,6,1 sizes=6,1,1 steps=1,-1,1", 1},
    {OP_Slice, "f:6x7", "starts=0,0 sizes=6,0", 1},
    {OP_Cast, "i:20", "to=1", 1},
    {OP_Cast, "f:20", "to=7", 1},
    {OP_Cast, "f:20", "to=1", 1},
    {OP_Split, "f:6x2", "", 3},
    {OP_Split, "i:2x6x2", "axis=1 split=1,0,5", 3},
    {OP_Split, "f:4", "split=4,", 1},
    {OP_Pad, "f:2x3", "pads=1,0,2,3 value=0.3", 1},
    {OP_Pad, "i:2x3", "pads=0,1,0,0 value=-7.0", 1},
    {OP_Pad, "f:4x5", "pads=-1,2,-2,-3", 1},
    {OP_Pad, "f:4", "pads=-6,4", 1}, /* nothing of X is left */
    {OP_Pad, "f:0x2", "pads=1,0,1,1 value=0.5", 1},
    {OP_Pad, "f:2x3", "pads=0,0,0,0", 1},
    {OP_Pad, "f:", "pads=()", 1},
    {OP_Pad, "f:2x3x1", "pads=2,0,1,1,2,3 mode='edge'", 1},
    {OP_Pad, "i:3x4", "pads=2,0,1,3 mode='reflect'", 1},
    {OP_Pad, "f:3x4x5", "pads=0,2,0,0,0,4 mode='reflect'", 1},
    {OP_Pad, "f:3", "pads=0,0 mode='edge'", 1},
    {OP_Pad, "f:1", "pads=1,1 mode='edge'", 1},
    {OP_Expand, "f:3x1", "shape=2,1,4", 1},
    {OP_Expand, "i:", "shape=2,3", 1},
    {OP_Expand, "f:2x3", "shape=1,", 1},
    {OP_Expand, "f:2x1", "shape=2,0", 1},
    {OP_EyeLike, "f:3x5", "k=1", 1},
    {OP_EyeLike, "f:4x3", "k=-2 dtype=7", 1},
    {OP_EyeLike, "i:1x1", "", 1},
    {OP_LayerNormalization, "f:2x3x5 f:5 f:5", "epsilon=0.01", 1},
    {OP_LayerNormalization, "f:2x3x5 f:3x1", "axis=1", 1},
    {OP_LayerNormalization, "f:2x3x1 f:1 f:", "", 1},
    {OP_LayerNormalization, "f:2x3 f:2x3 f:3", "axis=0", 1},
    {OP_InstanceNormalization, "f:2x3x4x5 f:3 f:3", "", 1},
    {OP_InstanceNormalization, "f:1x3x4 f:3 f:3", "epsilon=0.5", 1},
    {OP_GroupNormalization, "f:2x6x4x3 f:6 f:6", "num_groups=2", 1},
    {OP_GroupNormalization, "f:2x6 f:6 f:6", "num_groups=3 epsilon=0.1", 1},
    {OP_GroupNormalization, "f:2x4x3 f:4 f:4", "num_groups=4", 1},
    {OP_GroupNormalization, "f:1x4x3x2x2 f:4 f:4", "num_groups=1", 1},
    {OP_LpNormalization, "f:2x3x4", "", 1},
    {OP_LpNormalization, "f:2x3x4", "axis=1 p=1", 1},
    {OP_LpNormalization, "f:5x1", "axis=1 p=2", 1},
    {OP_LpNormalization, "f:5x1", "p=1", 1},
    {OP_L2Normalize, "f:2x3x4", "axes=1, epsilon=0.25", 1},
    {OP_L2Normalize, "f:2x3x4", "", 1},
    {OP_L2Normalize, "f:20x1", "axes=-1, epsilon=1.5", 1},
    {OP_L2Normalize, "f:4", "axes=()", 1},
    {OP_Clip, "f:40", "min=-0.5 max=1.25", 1},
    {OP_Clip, "f:40", "max=-0.5", 1},
    {OP_Clip, "i:40", "min=-3.0", 1},
    {OP_Clip, "f:40", "", 1},
    {OP_LeakyRelu, "f:8x5", "", 1},
    {OP_LeakyRelu, "f:40", "alpha=-0.3", 1},
    {OP_Reciprocal, "f:40", "", 1},
    {OP_ZerosLike, "f:2x3", "", 1},
    {OP_OnesLike, "i:4", "", 1},
    {OP_FullLike, "f:2x3 f:", "", 1},
    {OP_FullLike, "i: i:", "", 1},
    {OP_ReshapeLike, "f:2x3x4 f:4x6", "", 1},
    {OP_ReshapeLike, "f:2x3x4 i:5x4x3x7", "lhs_begin=1 rhs_begin=1 rhs_end=-1", 1},
    {OP_BroadcastLike, "f:3x1 f:2x3x4", "", 1},
    {OP_BroadcastLike, "i: f:2", "", 1},
    {OP_CollapseSum, "f:2x3x4", "shape=3,1", 1},
    {OP_CollapseSum, "i:2x3x4", "shape=()", 1},
    {OP_CollapseSum, "f:2x1x4", "shape=2,1,4", 1},
    {OP_CollapseSum, "f:0x3", "shape=3,", 1},
    {OP_CollapseSumLike, "f:2x4x4 f:1x4", "", 1},
    {OP_LayoutTransform, "f:2x3x4x5", "src_layout='NCHW' dst_layout='NHWC'", 1},
    {OP_LayoutTransform, "i:2x3x4", "src_layout='NCW' dst_layout='WNC'", 1},
    {OP_BiasAdd, "f:2x3x4 f:3", "", 1},
    {OP_Equal, "i:40 i:1", "", 1},
    {OP_Equal, "b:5x8 b:8", "", 1},
    {OP_Less, "f:5x8 f:8", "", 1},
    {OP_Less, "i:40 i:40", "", 1},
    {OP_Greater, "f:3x1 f:1x4", "", 1},
    {OP_LessOrEqual, "i:40 i:40", "", 1},
    {OP_GreaterOrEqual, "i:40 i:40", "", 1},
    {OP_Not, "b:40", "", 1},
    {OP_Not, "b:", "", 1},
    {OP_And, "b:5x8 b:8", "", 1},
    {OP_Or, "b:5x8 b:5x1", "", 1},
    {OP_Xor, "b:40 b:40", "", 1},
    {OP_Where, "b:5x8 f:8 f:", "", 1},
    {OP_Where, "b:4x1x1 i:2x1 i:3", "", 1},
    {OP_Where, "b:40 b:40 b:40", "", 1},
    {OP_Where, "b: f:2x0 f:1", "", 1},
    {OP_Cast, "b:40", "to=1", 1},
    {OP_Cast, "b:40", "to=7", 1},
    {OP_Cast, "f:40", "to=9", 1},
    {OP_Cast, "i:40", "to=9", 1},
    {OP_Cast, "b:4", "to=9", 1},
    {OP_Concat, "b:2x3 b:2x5", "axis=1", 1},
    {OP_Reshape, "b:2x6", "shape=3,4", 1},
    {OP_Transpose, "b:2x3x4", "perm=2,0,1", 1},
    {OP_Unsqueeze, "b:3", "axes=0,", 1},
    {OP_Slice, "b:5x4", "starts=4,0 steps=-1,2 sizes=3,2", 1},
    {OP_Split, "b:2x5", "axis=1 split=2,3", 2},
    {OP_Gather, "b:7x2 i:3", "", 1},
    {OP_Expand, "b:3x1", "shape=2,3,4", 1},
    {OP_Identity, "b:3x1", "", 1},
    {OP_BiasAdd, "i:2x3x4 i:2", "axis=0", 1},
    {OP_BiasAdd, "f:2x1x4 f:4", "axis=-1", 1},
};

static void test_kernels(void)
{
    bool used[OP_COUNT] = {false};

    for (int i = 0; i < UNIT_COUNT(tests); i++)
        for (unsigned round = 0; round < 3; round++) {
            struct bench b;
            bool equal;
            enum calque_status s;
            bench_init(&b);
            s = run_test(&b, &tests[i], (unsigned)i * 7 + round, 1 + (int)round % 2, &equal);
            used[tests[i].op] = true;
            if (s || !equal)
                fprintf(stderr, "%s(%s) %s: %s\n", op_info(tests[i].op)->name, tests[i].in, tests[i].attrs,
                        s ? b.d.text : "differs");
            CU_ASSERT(s == CALQUE_OK && equal);
            bench_free(&b);
        }
    for (int op = OP_Opaque + 1; op < OP_COUNT; op++) {
        if (!used[op])
            fprintf(stderr, "no test of %s\n", op_info(op)->name);
        CU_ASSERT(used[op]);
    }
}

/* The text is what the kernel room prints for the kernel it parses to. */
static void test_canonical(void)
{
    for (int i = 0; i < UNIT_COUNT(tests); i++) {
        struct bench b;
        struct text t, printed;
        struct kernel k;
        int ids[BENCH_INPUTS], n, node;

        bench_init(&b);
        text_init(&t, &b.mem);
        text_init(&printed, &b.mem);
        n = inputs_parse(&b, tests[i].in, ids);
        node = bench_op(&b, tests[i].op, tests[i].attrs, tests[i].nout, ids, n);
        CU_ASSERT(op_infer(&b.g, node, &b.d) == CALQUE_OK);
        if (op_kernel_text(&b.g, node, &t, &b.d) == CALQUE_OK) {
            CU_ASSERT(op_kernel(&b.g, node, &k, &b.d) == CALQUE_OK);
            kernel_print(&printed, &k);
            if (strcmp(t.a ? t.a : "", printed.a ? printed.a : ""))
                fprintf(stderr, "written %sprinted %s", t.a, printed.a);
            CU_ASSERT_STRING_EQUAL(t.a ? t.a : "", printed.a ? printed.a : "");
            kernel_free(&k);
        } else {
            CU_ASSERT(tests[i].op == OP_Gather || tests[i].op == OP_Cast);
        }
        text_free(&t);
        text_free(&printed);
        bench_free(&b);
    }
}

/* Some texts as they should be read by people. */
static void test_texts(void)
{
    static const struct {
        int op;
        const char *in, *attrs, *want;
    } golden[] = {
        {OP_Conv, "f:1x4x8x8 f:6x2x3x3 f:6", "group=2 strides=2,2 pads=1,1,0,0",
         "Y0<1,6,4,4>[n,o,y,x] = sum(c<2,u<3,v<3) select(y*2+u-1 >= 0 && x*2+v-1 >= 0, "
         "X0<1,4,8,8>[n,o//3*2+c,y*2+u-1,x*2+v-1] * X1<6,2,3,3>[o,c,u,v], 0x0p+0) + X2<6>[o];\n"},
        {OP_Softmax, "f:2x3", "",
         "T0<2>[i] = amax(a<3) X0<2,3>[i,a];\nT1<2,3>[i,j] = exp(X0<2,3>[i,j] - T0<2>[i]);\n"
         "T2<2>[i] = sum(a<3) T1<2,3>[i,a];\nY0<2,3>[i,j] = T1<2,3>[i,j] / T2<2>[i];\n"},
        {OP_Reshape, "f:2x6x5x1", "shape=2,3,2,5", "Y0<2,3,2,5>[i,j,k,l] = X0<2,6,5,1>[i,j*2+k,l,0];\n"},
        {OP_Reshape, "f:4x6", "shape=3,8", "Y0<3,8>[i,j] = X0<4,6>[(i*8+j)//6,(i*8+j)%6];\n"},
        {OP_Reshape, "f:8x3", "shape=2,12", "Y0<2,12>[i,j] = X0<8,3>[i*4+j//3,j%3];\n"},
        {OP_Concat, "f:2x3 f:2x1 f:2x5", "axis=1",
         "Y0<2,9>[i,j] = select(j < 3, X0<2,3>[i,j], select(j < 4, X1<2,1>[i,0], X2<2,5>[i,j-4]));\n"},
        {OP_Gemm, "f:2x3 f:4x3 f:4", "transB=1 alpha=0.5 beta=2.0",
         "Y0<2,4>[i,j] = 0x1p-1 * sum(a<3) (X0<2,3>[i,a] * X1<4,3>[j,a]) + 0x1p+1 * X2<4>[j];\n"},
        {OP_Gemm, "f:2x3 f:3x4 f:4", "beta=0.0", "Y0<2,4>[i,j] = sum(a<3) (X0<2,3>[i,a] * X1<3,4>[a,j]);\n"},
        {OP_BatchNormalization, "f:1x5x3 f:5 f:5 f:5 f:5", "epsilon=0.5",
         "Y0<1,5,3>[i,j,k] = (X0<1,5,3>[i,j,k] - X3<5>[j]) / sqrt(X4<5>[j] + 0x1p-1) * X1<5>[j] + X2<5>[j];\n"},
        {OP_Slice, "f:6x7", "starts=5,1 sizes=3,2 steps=-2,4", "Y0<3,2>[i,j] = X0<6,7>[5-i*2,j*4+1];\n"},
        {OP_Shape, "f:2x3x4", "", "Y0<3>[i] = select(i < 1, 2, select(i < 2, 3, 4));\n"},
        {OP_Pad, "f:2x3", "pads=0,1,0,1 value=0.5",
         "Y0<2,5>[i,j] = select(j-1 >= 0 && j-1 < 3, X0<2,3>[i,j-1], 0x1p-1);\n"},
        {OP_Pad, "f:3", "pads=2,1 mode='reflect'",
         "Y0<6>[i] = select(i < 2, X0<3>[2-i], select(i < 5, X0<3>[i-2], X0<3>[6-i]));\n"},
        {OP_EyeLike, "f:3x4", "k=1", "Y0<3,4>[i,j] = select(j == i+1, 0x1p+0, 0x0p+0);\n"},
        {OP_CollapseSumLike, "f:2x3x4 f:3x1", "", "Y0<3,1>[i,j] = sum(a<2,b<4) X0<2,3,4>[a,i,b];\n"},
        {OP_LayerNormalization, "f:2x3 f:3 f:3", "epsilon=0.5",
         "T0<2>[i] = sum(a<3) X0<2,3>[i,a] / 0x1.8p+1;\n"
         "T1<2>[i] = sum(a<3) ((X0<2,3>[i,a] - T0<2>[i]) * (X0<2,3>[i,a] - T0<2>[i])) / 0x1.8p+1;\n"
         "Y0<2,3>[i,j] = (X0<2,3>[i,j] - T0<2>[i]) / sqrt(T1<2>[i] + 0x1p-1) * X1<3>[j] + X2<3>[j];\n"},
        {OP_LpNormalization, "f:2x3", "",
         "T0<2>[i] = sqrt(sum(a<3) (X0<2,3>[i,a] * X0<2,3>[i,a]));\n"
         "Y0<2,3>[i,j] = X0<2,3>[i,j] / max(T0<2>[i], 0x1p-149);\n"},
        {OP_Add, "f:2x0", "", NULL},
    };

    for (int i = 0; golden[i].want; i++) {
        struct bench b;
        struct text t;
        int ids[BENCH_INPUTS], n, node;

        bench_init(&b);
        text_init(&t, &b.mem);
        n = inputs_parse(&b, golden[i].in, ids);
        node = bench_op(&b, golden[i].op, golden[i].attrs, 1, ids, n);
        CU_ASSERT(op_infer(&b.g, node, &b.d) == CALQUE_OK);
        CU_ASSERT(op_kernel_text(&b.g, node, &t, &b.d) == CALQUE_OK);
        if (!t.a || strcmp(t.a, golden[i].want))
            fprintf(stderr, "wanted %sgot    %s", golden[i].want, t.a ? t.a : "nothing\n");
        CU_ASSERT_STRING_EQUAL(t.a ? t.a : "", golden[i].want);
        text_free(&t);
        bench_free(&b);
    }
}

/* Indices known at compile time: an affine run is one load. */
static void test_gather_text(void)
{
    static const struct {
        long index[5];
        int n;
        const char *want;
    } golden[] = {
        {{3, 4, 5, 6}, 4, "Y0<4>[i] = X0<7>[i+3];\n"},
        {{6, 4, 2}, 3, "Y0<3>[i] = X0<7>[6-i*2];\n"},
        {{-1, -1}, 2, "Y0<2>[i] = X0<7>[6];\n"},
        {{0, 5, 1}, 3, "Y0<3>[i] = select(i < 1, X0<7>[0], select(i < 2, X0<7>[5], X0<7>[1]));\n"},
        {{0, 7}, 2, NULL},
        {{0, -8}, 2, NULL},
    };

    for (int i = 0; i < UNIT_COUNT(golden); i++) {
        struct bench b;
        struct text t;
        struct shape seven = {.rank = 1, .dim = {7}}, shape = {.rank = 1, .dim = {golden[i].n}};
        struct tensor index;
        struct kernel k;
        int in[2], node;

        bench_init(&b);
        text_init(&t, &b.mem);
        CU_ASSERT_FATAL(tensor_new(&b.mem, DTYPE_I64, &shape, &index, &b.d) == CALQUE_OK);
        memcpy(index.data, golden[i].index, index.bytes);
        in[0] = graph_input(&b.g, -1, DTYPE_F32, &seven);
        in[1] = graph_const(&b.g, -1, &index);
        node = bench_op(&b, OP_Gather, "", 1, in, 2);
        CU_ASSERT(op_infer(&b.g, node, &b.d) == CALQUE_OK);
        if (golden[i].want) {
            CU_ASSERT(op_kernel_text(&b.g, node, &t, &b.d) == CALQUE_OK);
            CU_ASSERT_STRING_EQUAL(t.a, golden[i].want);
            CU_ASSERT(op_kernel(&b.g, node, &k, &b.d) == CALQUE_OK);
            kernel_free(&k);
        } else {
            CU_ASSERT(op_kernel_text(&b.g, node, &t, &b.d) == CALQUE_BAD);
            CU_ASSERT(strstr(b.d.text, "is outside dimension of size 7") != NULL);
        }
        text_free(&t);
        bench_free(&b);
    }
}

static void test_cast_limits(void)
{
    static const float x[] = {NAN, INFINITY, -INFINITY, 9.3e18f, -9.3e18f, -0x1p63f, 1.75f, -1.75f};
    static const long want[] = {0, LONG_MAX, LONG_MIN, LONG_MAX, LONG_MIN, LONG_MIN, 1, -1};
    struct bench b;
    struct shape s = {.rank = 1, .dim = {UNIT_COUNT(x)}};
    struct tensor in, out;
    const struct tensor *arg = &in;
    int id, node;

    bench_init(&b);
    id = graph_input(&b.g, -1, DTYPE_F32, &s);
    node = bench_op(&b, OP_Cast, "to=7", 1, &id, 1);
    CU_ASSERT(op_infer(&b.g, node, &b.d) == CALQUE_OK);
    CU_ASSERT_FATAL(tensor_new(&b.mem, DTYPE_F32, &s, &in, &b.d) == CALQUE_OK);
    memcpy(in.data, x, sizeof x);
    CU_ASSERT_FATAL(op_eval(&b.g, node, &arg, &out, 1, &b.d) == CALQUE_OK);
    CU_ASSERT(memcmp(out.data, want, sizeof want) == 0);
    tensor_free(&in);
    tensor_free(&out);
    bench_free(&b);
}

/* The other two element types: results in f64 and i32 precision. */
static void test_wide_and_narrow(void)
{
    struct bench b;
    struct shape s = {.rank = 1, .dim = {2}};
    struct tensor x, y, out;
    const struct tensor *args[2] = {&x, &y};
    int id[2], node;

    bench_init(&b);
    id[0] = graph_input(&b.g, -1, 11, &s);
    id[1] = graph_input(&b.g, -1, 11, &s);
    node = bench_op(&b, OP_Mul, "", 1, id, 2);
    CU_ASSERT(op_infer(&b.g, node, &b.d) == CALQUE_OK);
    CU_ASSERT_FATAL(tensor_new(&b.mem, 11, &s, &x, &b.d) == CALQUE_OK);
    CU_ASSERT_FATAL(tensor_new(&b.mem, 11, &s, &y, &b.d) == CALQUE_OK);
    memcpy(x.data, (const double[]){0.1, 1e300}, 16);
    memcpy(y.data, (const double[]){0.3, 0.7}, 16);
    CU_ASSERT_FATAL(op_eval(&b.g, node, args, &out, 1, &b.d) == CALQUE_OK);
    CU_ASSERT(((double *)out.data)[0] == 0.1 * 0.3 && ((double *)out.data)[1] == 1e300 * 0.7);
    tensor_free(&out);
    node = bench_op(&b, OP_Cast, "to=6", 1, id, 1);
    CU_ASSERT(op_infer(&b.g, node, &b.d) == CALQUE_OK);
    memcpy(x.data, (const double[]){-7.9, 1e300}, 16);
    CU_ASSERT_FATAL(op_eval(&b.g, node, args, &out, 1, &b.d) == CALQUE_OK);
    CU_ASSERT(((int32_t *)out.data)[0] == -7 && ((int32_t *)out.data)[1] == INT32_MAX);
    tensor_free(&x);
    tensor_free(&y);
    x = out;
    id[0] = graph_input(&b.g, -1, 6, &s);
    args[1] = &x;
    id[1] = id[0];
    node = bench_op(&b, OP_Div, "", 1, id, 2);
    CU_ASSERT(op_infer(&b.g, node, &b.d) == CALQUE_OK);
    CU_ASSERT_FATAL(op_eval(&b.g, node, args, &out, 1, &b.d) == CALQUE_OK);
    CU_ASSERT(((int32_t *)out.data)[0] == 1 && ((int32_t *)out.data)[1] == 1);
    tensor_free(&out);
    ((int32_t *)x.data)[1] = 0;
    CU_ASSERT(op_eval(&b.g, node, args, &out, 1, &b.d) != CALQUE_OK);
    CU_ASSERT(strstr(b.d.text, "node it (Div): ") != NULL);
    tensor_free(&x);
    bench_free(&b);
}

/* Integer quotients are truncated; the divisors are not 0. */
static void test_int_quotient(void)
{
    struct bench b;
    struct shape s = {.rank = 2, .dim = {9, 8}}, col = {.rank = 2, .dim = {9, 1}}, row = {.rank = 1, .dim = {8}};
    static const long x[] = {-13, -7, -4, -1, 0, 1, 4, 7, 13}, y[] = {-5, -3, -2, -1, 1, 2, 3, 5};
    struct tensor a, c, out;
    const struct tensor *args[2] = {&a, &c};
    int id[2], node;

    bench_init(&b);
    id[0] = graph_input(&b.g, -1, DTYPE_I64, &col);
    id[1] = graph_input(&b.g, -1, DTYPE_I64, &row);
    node = bench_op(&b, OP_Div, "", 1, id, 2);
    CU_ASSERT(op_infer(&b.g, node, &b.d) == CALQUE_OK && shape_equal(&b.g.node.a[node].shape, &s));
    CU_ASSERT_FATAL(tensor_new(&b.mem, DTYPE_I64, &col, &a, &b.d) == CALQUE_OK);
    CU_ASSERT_FATAL(tensor_new(&b.mem, DTYPE_I64, &row, &c, &b.d) == CALQUE_OK);
    memcpy(a.data, x, sizeof x);
    memcpy(c.data, y, sizeof y);
    CU_ASSERT_FATAL(op_eval(&b.g, node, args, &out, 1, &b.d) == CALQUE_OK);
    for (int i = 0; i < 9; i++)
        for (int j = 0; j < 8; j++)
            CU_ASSERT(tensor_i64(&out)[i * 8 + j] == x[i] / y[j]);
    tensor_free(&a);
    tensor_free(&c);
    tensor_free(&out);
    bench_free(&b);
}

static void test_memory(void)
{
    enum calque_status s = CALQUE_NOMEM;
    bool equal;

    for (int i = 0; i < UNIT_COUNT(tests); i += 3) {
        s = CALQUE_NOMEM;
        for (long k = 0; s == CALQUE_NOMEM && k < 10000; k++) {
            struct bench b;
            bench_init(&b);
            b.mem.fail_after = k;
            s = run_test(&b, &tests[i], 1, 1, &equal);
            if (s != CALQUE_OK && s != CALQUE_NOMEM)
                fprintf(stderr, "%s(%s) %s: %s\n", op_info(tests[i].op)->name, tests[i].in, tests[i].attrs, b.d.text);
            CU_ASSERT(s == CALQUE_NOMEM || (s == CALQUE_OK && equal));
            bench_free(&b);
        }
        CU_ASSERT(s == CALQUE_OK);
    }
}

int main(void)
{
    static const struct unit_case cases[] = {{"kernels", test_kernels},
                                             {"canonical", test_canonical},
                                             {"texts", test_texts},
                                             {"gather_text", test_gather_text},
                                             {"cast_limits", test_cast_limits},
                                             {"wide_and_narrow", test_wide_and_narrow},
                                             {"int_quotient", test_int_quotient},
                                             {"memory", test_memory}};
    return unit_main("tensor/ops", cases, UNIT_COUNT(cases));
}
