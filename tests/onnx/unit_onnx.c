/* Reading ONNX: each operator form of each opset into the internal form, shown as .graph text. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "onnx/onnx_internal.h"
#include "onnx_expect.h"

static void test_conv(void)
{
    expect(9, "in x f32 1 4 8 8; in w f32 4 2 3 3; node Conv x,w -> y; i group 2; out y",
           "y = Conv(x, w, dilations=(1, 1), group=2, kernel_shape=(3, 3), pads=(0, 0, 0, 0), strides=(1, 1)) : f32[1, 4, 6, 6]");
    expect(11, "in x f32 1 1 8 5; in w f32 1 1 3 2; node Conv x,w -> y; s auto_pad SAME_UPPER; is strides 2 2; out y",
           "pads=(0, 0, 1, 1), strides=(2, 2)) : f32[1, 1, 4, 3]");
    expect(11, "in x f32 1 1 8 5; in w f32 1 1 3 2; node Conv x,w -> y; s auto_pad SAME_LOWER; is strides 2 2; out y",
           "pads=(1, 1, 0, 0), strides=(2, 2)) : f32[1, 1, 4, 3]");
    expect(11, "in x f32 1 1 8 8; in w f32 1 1 3 3; node Conv x,w -> y; s auto_pad SAME_UPPER; is dilations 2 2; out y",
           "dilations=(2, 2), group=1, kernel_shape=(3, 3), pads=(2, 2, 2, 2)");
    expect(7, "in x f32 1 1 8 8; in w f32 1 1 3 3; node Conv x,w -> y; s auto_pad VALID; out y",
           "pads=(0, 0, 0, 0), strides=(1, 1)) : f32[1, 1, 6, 6]");
    expect(7, "in x f32 1 1 8 8; in w f32 1 1 1 1; node Conv x,w -> y; s auto_pad SAME_UPPER; is strides 4 4; out y",
           "pads=(0, 0, 0, 0), strides=(4, 4)) : f32[1, 1, 2, 2]");
    expect(7, "in x f32 1 1 8 8; in w f32 1 1 3 3; in b f32 1; node Conv x,w,b -> y; s auto_pad NOTSET; is pads 1 2 3 4; out y",
           "Conv(x, w, b, |pads=(1, 2, 3, 4), strides=(1, 1)) : f32[1, 1, 10, 12]");
}

static void test_pool(void)
{
    expect(7, "in x f32 1 1 5 5; node MaxPool x -> y; is kernel_shape 2 2; is strides 2 2; out y",
           "y = MaxPool(x, ceil_mode=0, dilations=(1, 1), kernel_shape=(2, 2), pads=(0, 0, 0, 0), strides=(2, 2)) : f32[1, 1, 2, 2]");
    expect(10, "in x f32 1 1 5 5; node MaxPool x -> y; is kernel_shape 2 2; is strides 2 2; i ceil_mode 1; out y",
           "ceil_mode=1|: f32[1, 1, 3, 3]");
    /* auto_pad rounds on its own: ceil_mode no longer matters */
    expect(10, "in x f32 1 1 5 5; node MaxPool x -> y; is kernel_shape 2 2; is strides 2 2; i ceil_mode 1; s auto_pad VALID; out y",
           "ceil_mode=0|: f32[1, 1, 2, 2]");
    expect(9, "in x f32 1 1 5 5; node MaxPool x -> y,i; is kernel_shape 2 2; out y", "y = MaxPool(x, ");
    expect(9, "in x f32 1 1 5 5; node MaxPool x -> y,i; is kernel_shape 2 2; out y f32 1 1 4 4; out i i64 1 1 4 4",
           "opaque \"MaxPool\"(x; outputs=2|y = t1[0] : f32[1, 1, 4, 4]|i = t1[1] : i64[1, 1, 4, 4]");
    expect(7, "in x f32 1 1 5 5; node AveragePool x -> y; is kernel_shape 3 3; is pads 1 1 1 1; out y",
           "y = AveragePool(x, ceil_mode=0, count_include_pad=0, kernel_shape=(3, 3), pads=(1, 1, 1, 1), strides=(1, 1)) : f32[1, 1, 5, 5]");
    expect(7, "in x f32 1 1 5 5; node AveragePool x -> y; is kernel_shape 3 3; i count_include_pad 1; out y",
           "count_include_pad=1");
    expect(7, "in x f32 2 3 5 5; node GlobalAveragePool x -> y; out y", "y = GlobalAveragePool(x) : f32[2, 3, 1, 1]");
}

static void test_softmax(void)
{
    expect(9, "in x f32 2 3 4; node Softmax x -> y; out y", "Softmax(x, axis=1, flatten=1)");
    expect(9, "in x f32 2 3 1 1; node Softmax x -> y; out y", "Softmax(x, axis=1, flatten=0)");
    expect(9, "in x f32 2 1 5; node Softmax x -> y; out y", "Softmax(x, axis=2, flatten=0)");
    expect(11, "in x f32 2 3 4; node Softmax x -> y; i axis -1; out y", "Softmax(x, axis=2, flatten=0)");
    expect(13, "in x f32 2 3 4; node Softmax x -> y; out y", "Softmax(x, axis=2, flatten=0)");
    expect(13, "in x f32 2 3 4; node Softmax x -> y; i axis -3; out y", "Softmax(x, axis=0, flatten=0)");
    expect(9, "in x f32 2; node Softmax x -> y; out y", "y = opaque \"Softmax\"(x; ");
}

static void test_reshape(void)
{
    expect(9, "in x f32 2 3 4; init s i64 3 : 0 -1 2; node Reshape x,s -> y; out y",
           "{\n    input x : f32[2, 3, 4]\n    y = Reshape(x, shape=(2, 6, 2)) : f32[2, 6, 2]\n");
    expect(9, "in x f32 2 3; const s i64 1 : -1; node Reshape x,s -> y; out y", "Reshape(x, shape=(6,))");
    expect(14, "in x f32 2 0 4; init s i64 2 : 0 0; node Reshape x,s -> y; out y", "Reshape(x, shape=(2, 0))");
    /* an empty result that no Reshape of the internal form says */
    expect(14, "in x f32 2 0 4; init s i64 2 : 0 3; node Reshape x,s -> y; i allowzero 1; out y f32 0 3",
           "y = ConstantOfShape(dtype=1, shape=(0, 3), value=0x0p+0) : f32[0, 3]");
    expect(9, "in x f32 2 3; init s i64 0 : ; in z f32 1; node Reshape z,s -> y; out y", "Reshape(z, shape=()) : f32[]");
    /* the shape is an input of the model */
    expect(9, "in x f32 2 3; in s i64 1; node Reshape x,s -> y; out y f32 6", "y = opaque \"Reshape\"(x, s; |: f32[6]");
    /* computed from constants and Shape */
    expect(9, "in x f32 2 3 4; node Shape x -> a; init k i64 1 : 0; node Gather a,k -> b; init m i64 1 : -1; "
              "node Concat b,m -> s; i axis 0; node Reshape x,s -> y; out y",
           "{\n    input x : f32[2, 3, 4]\n    y = Reshape(x, shape=(2, 12)) : f32[2, 12]\n");
    expect(9, "in x f32 2 3 4; node Flatten x -> y; out y", "Flatten(x, axis=1) : f32[2, 12]");
    expect(11, "in x f32 2 3 4; node Flatten x -> y; i axis -1; out y", "Flatten(x, axis=2) : f32[6, 4]");
    expect(11, "in x f32 2 3 4; node Flatten x -> y; i axis 3; out y", "Flatten(x, axis=3) : f32[24, 1]");
}

static void test_axes(void)
{
    expect(9, "in x f32 2 3; node Unsqueeze x -> y; is axes 2 0; out y", "Unsqueeze(x, axes=(0, 2)) : f32[1, 2, 1, 3]");
    expect(13, "in x f32 2 3; init a i64 2 : -1 0; node Unsqueeze x,a -> y; out y",
           "Unsqueeze(x, axes=(0, 3)) : f32[1, 2, 3, 1]");
    expect(9, "in x f32 1 3 1; node Squeeze x -> y; out y", "Squeeze(x, axes=(0, 2)) : f32[3]");
    expect(13, "in x f32 1 3 1; init a i64 1 : -1; node Squeeze x,a -> y; out y", "Squeeze(x, axes=(2,)) : f32[1, 3]");
    expect(13, "in x f32 1 3 1; node Squeeze x,_ -> y; out y", "Squeeze(x, axes=(0, 2)) : f32[3]");
    expect(13, "in x f32 2 3; node Squeeze x -> y; out y", "y = Identity(x)");
    expect(13, "in x f32 1 3; in a i64 1; node Squeeze x,a -> y; out y f32 3", "opaque \"Squeeze\"(x, a;");
    expect(9, "in x f32 2 3; node ReduceSum x -> y; is axes -1; out y", "ReduceSum(x, axes=(1,), keepdims=1) : f32[2, 1]");
    expect(13, "in x f32 2 3; init a i64 1 : 0; node ReduceSum x,a -> y; i keepdims 0; out y",
           "ReduceSum(x, axes=(0,), keepdims=0) : f32[3]");
    expect(13, "in x f32 2 3; node ReduceSum x -> y; out y", "ReduceSum(x, axes=(0, 1), keepdims=1) : f32[1, 1]");
    expect(13, "in x f32 2 3; node ReduceSum x -> y; i noop_with_empty_axes 1; out y", "y = Identity(x)");
    expect(13, "in x f32 2 3; node ReduceMean x -> y; is axes 1; out y", "ReduceMean(x, axes=(1,), keepdims=1)");
    expect(9, "in x f32 2 3 4; node Transpose x -> y; out y", "Transpose(x, perm=(2, 1, 0)) : f32[4, 3, 2]");
    expect(9, "in x f32 2 3 4; node Transpose x -> y; is perm 0 2 1; out y", "Transpose(x, perm=(0, 2, 1)) : f32[2, 4, 3]");
    expect(11, "in x f32 2 3; in z f32 2 1; node Concat x,z -> y; i axis -1; out y", "Concat(x, z, axis=1) : f32[2, 4]");
    expect(11, "in x f32 2 3; init k i64 2 : 1 0; node Gather x,k -> y; i axis -1; out y", "Gather(x, k, axis=1) : f32[2, 2]");
    expect(15, "in x f32 2 3 4; node Shape x -> y; i start -2; out y", "Shape(x, end=3, start=1) : i64[2]");
    expect(9, "in x f32 2 3 4; node Shape x -> y; out y", "Shape(x, end=3, start=0) : i64[3]");
}

static void test_slice(void)
{
    expect(9, "in x f32 5 6; node Slice x -> y; is starts 1; is ends -1; is axes 1; out y",
           "Slice(x, sizes=(5, 4), starts=(0, 1), steps=(1, 1)) : f32[5, 4]");
    expect(9, "in x f32 5 6; node Slice x -> y; is starts -2 0; is ends 9223372036854775807 2; out y",
           "Slice(x, sizes=(2, 2), starts=(3, 0), steps=(1, 1))");
    expect(10, "in x f32 5 6; init s i64 2 : 4 -1; init e i64 2 : -6 -9223372036854775807; init a i64 2 : 0 1; "
               "init t i64 2 : -2 -1; node Slice x,s,e,a,t -> y; out y",
           "Slice(x, sizes=(3, 6), starts=(4, 5), steps=(-2, -1)) : f32[3, 6]");
    expect(10, "in x f32 5 6; init s i32 1 : 1; init e i32 1 : 100; node Slice x,s,e -> y; out y",
           "Slice(x, sizes=(4, 6), starts=(1, 0), steps=(1, 1)) : f32[4, 6]");
    expect(10, "in x f32 5; init s i64 1 : 3; init e i64 1 : 3; node Slice x,s,e -> y; out y",
           "Slice(x, sizes=(0,), starts=(0,), steps=(1,)) : f32[0]");
    expect(10, "in x f32 5; init s i64 1 : 2; init e i64 1 : 9; init a i64 1 : 0; init t i64 1 : 9223372036854775807; "
               "node Slice x,s,e,a,t -> y; out y",
           "Slice(x, sizes=(1,), starts=(2,), steps=(1,)) : f32[1]");
    expect(10, "in x f32 5; in s i64 1; init e i64 1 : 3; node Slice x,s,e -> y; out y", "opaque \"Slice\"(x, s, e; ");
}

static void test_split(void)
{
    expect(9, "in x f32 6 2; node Split x -> a,b,c; out a; out c",
           "Split(x, axis=0, split=(2, 2, 2)|a = t1[0] : f32[2, 2]|c = t1[2] : f32[2, 2]");
    expect(11, "in x f32 6 2; node Split x -> a,b; i axis -2; is split 2 4; out b",
           "Split(x, axis=0, split=(2, 4)|b = t1[1] : f32[4, 2]");
    expect(13, "in x f32 6 2; init s i64 2 : 1 5; node Split x,s -> a,b; out a", "split=(1, 5)|a = t1[0] : f32[1, 2]");
    expect(13, "in x f32 6 2; init s i64 1 : 6; node Split x,s -> a; out a", "a = Identity(x)");
}

static void test_inference_forms(void)
{
    const char *bn = "in x f32 1 2 3 3; init s f32 2 : 1 1; node BatchNormalization x,s,s,s,s -> ";
    char spec[256];

    snprintf(spec, sizeof spec, "%s y; f epsilon 0.5; f momentum 0.9; out y", bn);
    expect(9, spec, "BatchNormalization(x, s, s, s, s, epsilon=0x1p-1)");
    expect(14, spec, "BatchNormalization(x, s, s, s, s, epsilon=0x1p-1)");
    snprintf(spec, sizeof spec, "%s y; out y", bn);
    expect(7, spec, "epsilon=0x1.4f8b58p-17)");
    expect(6, spec, "opaque \"BatchNormalization\"");
    snprintf(spec, sizeof spec, "%s y; i is_test 1; out y", bn);
    expect(6, spec, "= BatchNormalization(x, s, s, s, s, epsilon=");
    snprintf(spec, sizeof spec, "%s y; i spatial 0; out y", bn);
    expect(7, spec, "opaque \"BatchNormalization\"");
    snprintf(spec, sizeof spec, "%s y; i training_mode 1; out y", bn);
    expect(15, spec, "opaque \"BatchNormalization\"");
    snprintf(spec, sizeof spec, "%s y,m,v,sm,sv; out y", bn);
    expect(9, spec, "opaque \"BatchNormalization\"(x, s, s, s, s; outputs=5");
    expect(9, "in x f32 2; node Dropout x -> y,m; f ratio 0.25; out y", "y = Dropout(x, ratio=0x1p-2)");
    expect(9, "in x f32 2; node Dropout x -> y,m; out y f32 2; out m bool 2", "opaque \"Dropout\"(x; outputs=2");
    expect(6, "in x f32 2; node Dropout x -> y; out y", "opaque \"Dropout\"");
    expect(6, "in x f32 2; node Dropout x -> y; i is_test 1; out y", "y = Dropout(x, ratio=0x1p-1)");
    expect(12, "in x f32 2; init r f32 : 0.75; node Dropout x,r -> y; i seed 3; out y", "{\n    input x : f32[2]\n    y = Dropout(x, ratio=0x1.8p-1)");
    expect(12, "in x f32 2; init r f32 : 0.75; init t bool : 0; node Dropout x,r,t -> y; out y", "y = Dropout(x, ratio=0x1.8p-1)");
    expect(12, "in x f32 2; node Dropout x -> y,m; out y; out m bool 2", "const m : bool[2] = [1, 1]|y = Dropout(x, ratio=0x1p-1)|return y, m");
    expect(12, "in x f32 2; init r f32 : 0; init t bool : 1; node Dropout x,r,t -> y; out y", "y = Dropout(x, ratio=0x0p+0)");
    expect(12, "in x f32 2; init t bool : 1; node Dropout x,_,t -> y; out y", "opaque \"Dropout\"(x, none, t;");
    expect(12, "in x f32 2; in t bool; node Dropout x,_,t -> y; out y", "opaque \"Dropout\"(x, none, t;");
}

static void test_others(void)
{
    expect(7, "in x f32 2 3; in w f32 4 3; in c f32 4; node Gemm x,w,c -> y; i transB 1; f alpha 0.5; out y",
           "Gemm(x, w, c, alpha=0x1p-1, beta=0x1p+0, transA=0, transB=1) : f32[2, 4]");
    expect(11, "in x f32 2 3; in w f32 3 4; node Gemm x,w -> y; out y", "Gemm(x, w, alpha=0x1p+0, beta=0x1p+0, transA=0, transB=0)");
    expect(9, "in x f32 1 4 2 2; node LRN x -> y; i size 3; out y",
           "LRN(x, alpha=0x1.a36e2ep-14, beta=0x1.8p-1, bias=0x1p+0, size=3)");
    expect(9, "init s i64 2 : 2 3; node ConstantOfShape s -> y; t value f32 1 : 0.5; out y",
           "{\n    y = ConstantOfShape(dtype=1, shape=(2, 3), value=0x1p-1) : f32[2, 3]");
    expect(9, "init s i64 1 : 2; node ConstantOfShape s -> y; t value i64 1 : -7; out y",
           "ConstantOfShape(dtype=7, shape=(2,), value=-0x1.cp+2) : i64[2]");
    expect(9, "init s i64 1 : 2; node ConstantOfShape s -> y; out y", "dtype=1, shape=(2,), value=0x0p+0)");
    expect(9, "init s i64 1 : 2; node ConstantOfShape s -> y; t value i64 1 : 9007199254740993; out y",
           "const y : i64[2] = [9007199254740993, 9007199254740993]");
    expect(9, "init s i64 1 : 2; node ConstantOfShape s -> y; t value i32 1 : -7; out y", "const y : i32[2] = [-7, -7]");
    expect(9, "in x f32 2; node Cast x -> y; i to 7; out y", "Cast(x, to=7) : i64[2]");
    expect(9, "in x f32 2; node Cast x -> y; i to 11; out y", "Cast(x, to=11) : f64[2]");
    expect(9, "in x f32 2; node Cast x -> y; i to 9; out y bool 2", "y = Cast(x, to=9) : bool[2]");
    expect(9, "in x bool 2; node Cast x -> y; i to 1; out y f32 2", "y = Cast(x, to=1) : f32[2]");
    expect(9, "init s i64 1 : 2; node ConstantOfShape s -> y; t value bool 1 : 1; out y",
           "ConstantOfShape(dtype=9, shape=(2,), value=0x1p+0) : bool[2]");
    expect(9, "in c bool 2 1; in x f32 3; in z f32 1; node Where c,x,z -> y; out y", "y = Where(c, x, z) : f32[2, 3]");
    expect(8, "in c bool 2; in x f32 2; node Where c,x,x -> y; out y f32 2", "opaque \"Where\"(c, x, x; "); /* came with opset 9 */
    expect(7, "in x i64 2 3; in z i64 3; node Equal x,z -> y; node Not y -> n; out n", "Equal(x, z) : bool[2, 3]|n = Not(y) : bool[2, 3]");
    expect(6, "in x f32 2 3 4; in z f32 3; node Less x,z -> y; i broadcast 1; i axis 1; out y", "Less(x, |: bool[2, 3, 4]|axes=(1,)");
    expect(12, "in x f32 2; node LessOrEqual x,x -> y; out y", "LessOrEqual(x, x) : bool[2]");
    expect(11, "in x f32 2; node LessOrEqual x,x -> y; out y bool 2", "opaque \"LessOrEqual\"(x, x; ");
    expect(9, "in x bool 2; in z bool 1; node And x,z -> a; node Or a,z -> o; node Xor o,a -> y; out y",
           "a = And(x, z)|o = Or(a, z)|y = Xor(o, a) : bool[2]");
    expect(9, "in x f32 2; in z f32 2; node And x,z -> y; out y", "input 0 has element type f32, expected bool");
    /* What PyTorch exports for expand: the shape, -1 where a dimension stays, is chosen from constants. */
    expect(13, "in x f32 3 1; init s i64 3 : 2 -1 4; init n i64 1 : 3; node ConstantOfShape n -> one; t value i64 1 : 1; "
               "init m i64 : -1; node Mul one,m -> minus; node Equal s,minus -> keep; node Where keep,one,s -> shape; "
               "node Expand x,shape -> y; out y", "y = Expand(x, shape=(2, 3, 4)) : f32[2, 3, 4]");
    expect(9, "in x f32 2 3; in z f32 3; node Sum x,z,x -> y; out y", "Sum(x, z, x) : f32[2, 3]");
    expect(9, "in x f32 2 3; in z f32 3 2; node MatMul x,z -> y; node Erf y -> e; out e", "MatMul(x, z) : f32[2, 2]|e = Erf(y)");
    expect(7, "in x f32 2; node Erf x -> y; out y f32 2", "opaque \"Erf\"(x; "); /* came with opset 9 */
    expect(9, "in x f64 2; node Foo x -> y; out y f64 2", "x : f64[2]|opaque \"Foo\"(x; |: f64[2]");
    expect(9, "in x f32 2; node com.x::Relu x -> y; out y f32 2", "opaque \"Relu\"(x; ");
    expect(9, "in x f32 2; node ai.onnx::Relu x -> y; out y f32 2", "y = Relu(x)");
}

/* Fill values, bounds and shapes: attributes at some opsets, inputs at others. */
static void test_fill(void)
{
    const char *x = "in x f32 2 3; init p i64 4 : 0 1 0 2; init v f32 : 0.5; ";
    char spec[256];

    expect(10, "in x f32 2 3; node Pad x -> y; is pads 0 1 0 2; f value 0.5; out y",
           "Pad(x, mode=\"constant\", pads=(0, 1, 0, 2), value=0x1p-1) : f32[2, 6]");
    snprintf(spec, sizeof spec, "%s node Pad x,p,v -> y; out y", x);
    expect(11, spec, "Pad(x, mode=\"constant\", pads=(0, 1, 0, 2), value=0x1p-1) : f32[2, 6]");
    snprintf(spec, sizeof spec, "%s node Pad x,p,v -> y; s mode edge; out y", x);
    expect(13, spec, "Pad(x, mode=\"edge\", pads=(0, 1, 0, 2), value=0x0p+0) : f32[2, 6]");
    snprintf(spec, sizeof spec, "%s node Pad x,p -> y; s mode wrap; out y", x);
    expect(13, spec, "error: node '#0' (Pad): mode must be constant, edge or reflect");
    expect(13, "in x f32 2; init p i64 4 : 0 1 0 2; node Pad x,p -> y; out y",
           "error: node '#0' (Pad): pads has 4 elements, the input rank 1");
    expect(13, "in x f32 2; init p i64 2 : 0 -3; node Pad x,p -> y; out y", "error: node #2 (Pad): pads 0 and -3 do not fit");
    expect(13, "in x f32 2; in p i64 2; node Pad x,p -> y; out y f32 3", "opaque \"Pad\"(x, p;");
    expect(13, "in x f32 2; init p i64 2 : 0 1; in v f32; node Pad x,p,v -> y; out y f32 3", "opaque \"Pad\"(x, p, v;");
    expect(13, "in x i64 2; init p i64 2 : 0 1; init v i64 : 16777217; node Pad x,p,v -> y; out y i64 3", "opaque \"Pad\"");
    expect(13, "in x i64 2; init p i64 2 : 0 1; init v i64 : -7; node Pad x,p,v -> y; out y", "value=-0x1.cp+2) : i64[3]");
    expect(13, "in x f32 3 1; init s i64 3 : 2 1 4; node Expand x,s -> y; out y", "Expand(x, shape=(2, 3, 4)) : f32[2, 3, 4]");
    expect(13, "in x f32 3 1; in s i64 3; node Expand x,s -> y; out y f32 2 3 4", "opaque \"Expand\"(x, s;");
    expect(7, "in x f32 3; init s i64 1 : 3; node Expand x,s -> y; out y f32 3", "opaque \"Expand\""); /* came with opset 8 */
    expect(9, "in x f32 3; node Clip x -> y; f min -1; out y", "Clip(x, max=0x1.fffffep+127, min=-0x1p+0)");
    expect(11, "in x f32 3; init v f32 : 2; node Clip x,_,v -> y; out y", "Clip(x, max=0x1p+1, min=-inf)");
    expect(12, "in x i64 3; init v i64 : -2; node Clip x,v -> y; out y", "Clip(x, max=inf, min=-0x1p+1) : i64[3]");
    expect(12, "in x i64 3; init v f32 : -2; node Clip x,v -> y; out y i64 3", "opaque \"Clip\"");
    expect(9, "in x i64 3 4; node EyeLike x -> y; i dtype 1; i k -1; out y", "EyeLike(x, dtype=1, k=-1) : f32[3, 4]");
    expect(9, "in x i64 3 4; node EyeLike x -> y; out y", "EyeLike(x, dtype=7, k=0) : i64[3, 4]");
    expect(6, "in x f32 3; node LeakyRelu x -> y; out y", "LeakyRelu(x, alpha=0x1.47ae14p-7)");
}

static void test_norms(void)
{
    const char *ln = "in x f32 2 3 4; in s f32 4; node LayerNormalization x,s,s -> ";
    char spec[256];

    snprintf(spec, sizeof spec, "%s y; out y", ln);
    expect(17, spec, "y = LayerNormalization(x, s, s, axis=2, epsilon=0x1.4f8b58p-17)");
    expect(16, spec, "opaque \"LayerNormalization\"");
    snprintf(spec, sizeof spec, "%s y,m,i; f epsilon 0.5; out y; out m; out i", ln);
    expect(17, spec, "m = ReduceMean(x, axes=(2,), keepdims=1) : f32[2, 3, 1]|i = Reciprocal(|y = LayerNormalization(x, s, s, "
                     "axis=2, epsilon=0x1p-1)|return y, m, i");
    snprintf(spec, sizeof spec, "%s y,_,i; i axis 1; out y; out i", ln);
    expect(17, spec, "i = Reciprocal(|: f32[2, 1, 1]|axis=1");
    snprintf(spec, sizeof spec, "%s y; i stash_type 11; out y f32 2 3 4", ln);
    expect(17, spec, "opaque \"LayerNormalization\"");
    expect(17, "in x f64 3 4; in s f64 4; node LayerNormalization x,s -> y; i stash_type 11; out y", "y = LayerNormalization(x, s, axis=1, ");
    expect(17, "in x f64 3 4; in s f64 4; node LayerNormalization x,s -> y; out y f64 3 4", "opaque \"LayerNormalization\"");
    expect(6, "in x f32 2 3 4; in s f32 3; node InstanceNormalization x,s,s -> y; f epsilon 0.5; out y",
           "InstanceNormalization(x, s, s, epsilon=0x1p-1)");
    expect(9, "in x f32 2 3; node LpNormalization x -> y; i axis -2; i p 1; out y", "LpNormalization(x, axis=0, p=1)");
    /* the domain "calque" is known by its import only: see test_calque of unit_onnx_write */
    expect(9, "in x f32 2; node calque::ZerosLike x -> y; out y f32 2", "opaque \"ZerosLike\"(x; ");
    expect(9, "in x f32 2; node ZerosLike x -> y; out y f32 2", "opaque \"ZerosLike\"(x; ");
}

/* What opsets 18 to 27 changed; later ones are carried. */
static void test_opset_18(void)
{
    expect(18, "in x f32 2 3; init a i64 1 : -1; node ReduceMean x,a -> y; i keepdims 0; out y", "ReduceMean(x, axes=(1,), keepdims=0) : f32[2]");
    expect(18, "in x f32 2 3; node ReduceMean x -> y; out y", "ReduceMean(x, axes=(0, 1), keepdims=1) : f32[1, 1]");
    expect(18, "in x f32 2 3; node ReduceMean x -> y; i noop_with_empty_axes 1; out y", "y = Identity(x)");
    expect(18, "in x f32 2 3; node ReduceMean x -> y; is axes 1; out y", "error: node '#0' (ReduceMean): has no attribute 'axes' in opset 18");
    expect(17, "in x f32 2 3; init a i64 1 : -1; node ReduceMean x,a -> y; out y", "error: node '#0' (ReduceMean): takes 1 input(s), not 2");
    expect(18, "in x f32 7 2; node Split x -> a,b,c; i num_outputs 3; out c", "Split(x, axis=0, split=(3, 3, 1)|c = t1[2] : f32[1, 2]");
    expect(18, "in x f32 6 2; node Split x -> a,b; i num_outputs 3; out a", "error: node '#0' (Split): num_outputs is 3, but there are 2 outputs");
    expect(18, "in x f32 5 2; node Split x -> a,b,c,d; i num_outputs 4; out a", "error: node '#0' (Split): 5 cannot be split into 4 parts");
    expect(18, "in x f32 6 2; init s i64 2 : 1 5; node Split x,s -> a,b; i num_outputs 2; out a", "error: node '#0' (Split): has both sizes and num_outputs");
    expect(17, "in x f32 6 2; node Split x -> a,b; i num_outputs 2; out a", "error: node '#0' (Split): has no attribute 'num_outputs' in opset 17");
    expect(18, "in x f32 2 3 4; init p i64 4 : 1 0 0 2; init a i64 2 : -1 1; node Pad x,p,_,a -> y; out y",
           "Pad(x, mode=\"constant\", pads=(0, 0, 1, 0, 2, 0), value=0x0p+0) : f32[2, 5, 5]");
    expect(18, "in x f32 2 3; init p i64 2 : 1 1; init a i64 2 : 0 1; node Pad x,p,_,a -> y; out y",
           "error: node '#0' (Pad): pads has 2 elements for 2 axes");
    expect(18, "in x f32 2 3; init p i64 4 : 1 1 1 1; init a i64 2 : 1 -1; node Pad x,p,_,a -> y; out y",
           "error: node '#0' (Pad): axis 1 is given twice");
    expect(18, "in x f32 2 3; init p i64 2 : 1 1; in a i64 1; node Pad x,p,_,a -> y; out y f32 2 5", "opaque \"Pad\"(x, p, none, a;");
    expect(19, "in x f32 2; node Cast x -> y; i to 7; i saturate 1; out y", "Cast(x, to=7) : i64[2]");
    expect(24, "in x f32 2; node Cast x -> y; i to 7; s round_mode up; out y", "Cast(x, to=7) : i64[2]");
    expect(19, "in x f32 1 1 5 5; node AveragePool x -> y; is kernel_shape 2 2; is dilations 1 1; out y", "AveragePool(x, ceil_mode=0,");
    expect(19, "in x f32 1 1 5 5; node AveragePool x -> y; is kernel_shape 2 2; is dilations 2 2; out y f32 1 1 3 3", "Conv(x, |dilations=(2, 2)|y = Div(");
    expect(23, "in x f32 2 3; init s i64 1 : -1; node Reshape x,s -> y; out y", "Reshape(x, shape=(6,))");
    expect(27, "in x f32 2; node Relu x -> y; out y", "y = Relu(x)");
    expect(28, "ir 13; in x f32 2; node Relu x -> y; out y f32 2", "opset=28|opaque \"Relu\"(x; |: f32[2]");
    expect(28, "const a f32 1 : 5; in x f32 1; node Relu a -> y; out y f32 1", "const a : f32[1] = |opaque \"Relu\"(a; ");
    /* elements of at most 8 bits that came with IR 9 and later */
    expect(21, "init a 22 1 : 1; init s f32 : 1; node DequantizeLinear a,s -> y; out y f32 1", "a = opaque \"Constant\"(; |opaque \"DequantizeLinear\"(a, s; ");
}

static void test_opset_6(void)
{
    expect(6, "in x f32 2 3 4; in b f32 3; node Add x,b -> y; i broadcast 1; i axis 1; out y",
           "t2 = Unsqueeze(b, axes=(1,)) : f32[3, 1]|y = Add(x, t2) : f32[2, 3, 4]");
    expect(6, "in x f32 2 3 4; in b f32 4; node Mul x,b -> y; i broadcast 1; out y", "y = Mul(x, b) : f32[2, 3, 4]");
    expect(6, "in x f32 2 3; in w f32 4 3; in c f32 4; node Gemm x,w,c -> y; i transB 1; i broadcast 1; out y", "Gemm(x, w, c, ");
}

static void test_constants(void)
{
    expect(9, "init a f32 2 : 1 2; initf b f32 2 : 3 4; node Add a,b -> y; out y",
           "const a : f32[2] = [0x1p+0, 0x1p+1]|const b : f32[2] = [0x1.8p+1, 0x1p+2]");
    expect(9, "initf a i64 2 : 1 -2; node Neg a -> y; out y", "const a : i64[2] = [1, -2]");
    expect(9, "const a f32 1 : 5; node Neg a -> y; out y", "const a : f32[1] = ");
    expect(12, "node Constant - -> a; f value_float 2; node Neg a -> y; out y", "const a : f32[] = ");
    expect(12, "node Constant - -> a; fs value_floats 2 3; node Neg a -> y; out y", "const a : f32[2] = ");
    expect(12, "node Constant - -> a; i value_int 2; node Neg a -> y; out y", "const a : i64[] = ");
    expect(12, "node Constant - -> a; is value_ints 2 3; node Neg a -> y; out y", "const a : i64[2] = [2, 3]");
    expect(12, "node Constant - -> a; s value_string q; node Foo a -> y; out y f32 1", "a = opaque \"Constant\"(; |Foo\"(a");
    /* other element types are carried; int32_data holds the narrow ones */
    expect(9, "initf a bool 3 : 1 0 1; node Foo a -> y; out y f32 1", "const a : bool[3] = [1, 0, 1]");
    expect(9, "initf a i32 1 : -2; node Foo a -> y; out y f32 1", "const a : i32[1] = [-2]");
    /* an initializer that is listed as an input is none */
    expect(9, "ir 3; in x f32 2; in a f32 2; init a f32 2 : 1 2; node Add x,a -> y; out y", "{\n    input x : f32[2]\n    const a");
    /* strings become an opaque Constant */
    expect(9, "init a str 0 : ; node Foo a -> y; out y f32 1", "a = opaque \"Constant\"(; |Foo\"(a");
}

static void test_graph(void)
{
    /* nodes nobody needs go; inputs stay */
    expect(9, "in x f32 2; in u f32 3; node Relu x -> y; node Neg u -> v; out y", "{\n    input x : f32[2]\n    input u : f32[3]\n    y = Relu(x) : f32[2]\n    return y\n");
    /* an input or a constant can be an output, one node several */
    expect(9, "in x f32 2; init c f32 1 : 1; node Relu x -> y; out y; out x; out c", "return y, x, c");
    /* a declared type completes what an opaque node leaves open, also through value_info */
    expect(9, "in x f32 2; node Foo x -> a; node Relu a -> b; node Bar b -> y; info a f32 7; out y f32 3",
           "a = opaque \"Foo\"(x; |: f32[7]|b = Relu(a) : f32[7]|: f32[3]");
}

static void test_fail_after(void)
{
    fail_after(9, "in x f32 1 2 4 4; init w f32 2 2 1 1 : 1 2 3 4; node Conv x,w -> c l; node Relu c -> r; init s i64 2 : 0 -1; "
                  "node Reshape r,s -> f; node Foo f,_,c -> g,h; node Split f -> p,q; i axis 1; node Add p,q -> y; out y; out h f32 3");
    fail_after(17, "import calque 1; in x f32 2 3; init p i64 4 : 0 1 0 2; init v f32 : 0.5; init s f32 6 : 1 2 3 4 5 6; "
                   "node Pad x,p,v -> a; node LayerNormalization a,s -> b,m,i; node calque::LayoutTransform b -> c; s src_layout AB; "
                   "s dst_layout BA; node Clip c,_,v -> y; out y; out m; out i");
}

/* Every row of forms.def and expand.def is found at its opset: the search needs rows that ascend by operator, then opset. */
static void test_form_rows(void)
{
    static const struct onnx_form row[] = {
#define ONNX_FORM(op, since, least, most, outputs) {OP_##op, since, least, most, outputs},
#include "onnx/forms.def"
#define ONNX_FORM(op, since, least, most, outputs) {EX_##op, since, least, most, outputs},
#include "onnx/expand.def"
    };
    int k = 0;

    for (int i = 0; i < UNIT_COUNT(row); i++) {
        const struct onnx_form *f = onnx_form_find(row[i].op, row[i].since);

        k = i > 0 && row[i - 1].op == row[i].op ? k + 1 : 0;
        CU_ASSERT(onnx_form_since(row[i].op, k) == row[i].since);
        CU_ASSERT(row[i].outputs ? f && f->since == row[i].since && f->least == row[i].least : !f);
    }
}

int main(void)
{
    static const struct unit_case cases[] = {{"conv", test_conv},
                                             {"form_rows", test_form_rows},
                                             {"pool", test_pool},
                                             {"softmax", test_softmax},
                                             {"reshape", test_reshape},
                                             {"axes", test_axes},
                                             {"slice", test_slice},
                                             {"split", test_split},
                                             {"inference forms", test_inference_forms},
                                             {"others", test_others},
                                             {"fill", test_fill},
                                             {"norms", test_norms},
                                             {"opset 6", test_opset_6},
                                             {"opset 18", test_opset_18},
                                             {"constants", test_constants},
                                             {"graph", test_graph},
                                             {"fail_after", test_fail_after}};
    return unit_main("onnx", cases, UNIT_COUNT(cases));
}
