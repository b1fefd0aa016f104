/* op_infer: the type of every operator and each of its errors; what it makes explicit. */
#include "unit.h"

#include "build.h"

struct rule {
    int op;
    const char *in, *attrs;
    int nout;
    const char *want; /* type of the result (of the last output); "!text": an error with this text */
    const char *then; /* an attribute afterwards, "label=value" */
};

static const struct rule rules[] = {
    {OP_Conv, "f:1x3x8x9 f:4x3x3x2", "", 1, "f:1x4x6x8", "kernel_shape=3,2"},
    {OP_Conv, "f:1x3x8x9 f:4x3x3x2", "", 1, "f:1x4x6x8", "pads=0,0,0,0"},
    {OP_Conv, "f:1x3x8x9 f:4x3x3x2 f:4", "strides=2,3 pads=1,0,2,1 dilations=2,1", 1, "f:1x4x4x3", NULL},
    {OP_Conv, "f:2x6x8 f:4x2x3 -", "group=2", 1, "!input has 6 channels, the weights take 2 in each of 2", NULL},
    {OP_Conv, "f:2x4x8 f:4x2x3 -", "group=2", 1, "f:2x4x6", NULL},
    {OP_Conv, "f:2x4x5x6x7 f:8x4x1x2x3", "", 1, "f:2x8x5x5x5", NULL},
    {OP_Conv, "f:1x3x8x9 f:4x3x3", "", 1, "!input 1 has rank 3, expected 4", NULL},
    {OP_Conv, "f:3x8 f:4x3", "", 1, "!rank 2, expected at least 3", NULL},
    {OP_Conv, "f:1x4x8 f:3x2x3", "group=2", 1, "!3 output channels in 2 groups", NULL},
    {OP_Conv, "f:1x3x8x9 f:4x3x3x2", "kernel_shape=3,3", 1, "!kernel_shape has 3, the weights have 2", NULL},
    {OP_Conv, "f:1x3x8x9 f:4x3x3x2 f:3", "", 1, "!input 2 has shape 3, expected 4", NULL},
    {OP_Conv, "f:1x3x2x9 f:4x3x5x2", "pads=1,0,1,0", 1, "!window of extent 5 is larger than the padded input 4", NULL},
    {OP_Conv, "f:1x3x8x9 f:4x3x3x2", "strides=2", 1, "!attribute strides is not a tuple of ints", NULL},
    {OP_Conv, "f:1x3x8x9 f:4x3x3x2", "strides=2,", 1, "!strides has 1 elements, expected 2", NULL},
    {OP_Conv, "f:1x3x8x9 f:4x3x3x2", "strides=2,0", 1, "!strides has element 0, expected 1", NULL},
    {OP_Conv, "f:1x3x8x9 f:4x3x3x2", "pads=0,0,0,-1", 1, "!pads has element -1", NULL},
    {OP_Conv, "f:1x3x8x9 f:4x3x3x2", "group=0", 1, "!attribute group is 0", NULL},
    {OP_Conv, "f:1x3x8x9 f:4x3x3x2", "auto_pad='VALID'", 1, "!unknown attribute auto_pad", NULL},
    {OP_Conv, "f:1x3x8x9", "", 1, "!1 inputs, expected 2 to 3", NULL},
    {OP_Conv, "f:1x3x8x9 f:4x3x3x2 f:4 f:4", "", 1, "!4 inputs, expected 2 to 3", NULL},
    {OP_Conv, "f:1x3x8x9 -", "", 1, "!input 1 is missing", NULL},
    {OP_Conv, "i:1x3x8x9 i:4x3x3x2", "", 1, "!element type i64, expected a float type", NULL},
    {OP_Conv, "f:1x3x8x9 d:4x3x3x2", "", 1, "!element types f32 and f64 of inputs 0 and 1 differ", NULL},
    {OP_Conv, "f:1x3x8x9 f:4x3x3x2", "", 2, "!2 outputs, expected 1", NULL},
    {OP_Conv, "f:1x3x8x9 f:?", "", 1, "?:?", NULL},
    {OP_Conv, "?:? f:4x3x3x2", "", 1, "?:?", "group=1"},
    {OP_Conv, "f:1x3x8x9 f:4x3x2147483648x2", "", 1, "!input 1 has too many elements", NULL},
    {OP_Conv, "f:1x3x8x9 f:4x3x3x4294967296", "", 1, "!input 1 has too many elements", NULL},

    {OP_Relu, "f:2x3", "", 1, "f:2x3", NULL},
    {OP_Relu, "i:2x3", "", 1, "i:2x3", NULL},
    {OP_Relu, "", "", 1, "!0 inputs, expected 1 to 1", NULL},
    {OP_Dropout, "f:2x3", "", 1, "f:2x3", "ratio=0.5"},
    {OP_Dropout, "f:2x3", "ratio=1", 1, "!attribute ratio is not a float", NULL},
    {OP_Identity, "d:", "", 1, "d:", NULL},
    {OP_Sqrt, "f:4", "", 1, "f:4", NULL},
    {OP_Sqrt, "i:4", "", 1, "!expected a float type", NULL},
    {OP_Neg, "i:4", "", 1, "i:4", NULL},
    {OP_Abs, "i:4", "", 1, "i:4", NULL},
    {OP_Exp, "f:4", "", 1, "f:4", NULL},
    {OP_Log, "f:4", "", 1, "f:4", NULL},
    {OP_Tanh, "f:4", "", 1, "f:4", NULL},
    {OP_Sigmoid, "f:4", "", 1, "f:4", NULL},
    {OP_Erf, "f:4", "", 1, "f:4", NULL},

    {OP_MaxPool, "f:1x3x8x9", "kernel_shape=3,2 strides=2,2", 1, "f:1x3x3x4", "dilations=1,1"},
    {OP_MaxPool, "f:1x3x8x9", "kernel_shape=3,2 strides=2,2 ceil_mode=1", 1, "f:1x3x4x5", NULL},
    {OP_MaxPool, "f:1x3x8", "kernel_shape=3, dilations=3, pads=1,1", 1, "f:1x3x4", NULL},
    {OP_MaxPool, "f:1x3x8", "", 1, "!attribute kernel_shape is missing", NULL},
    {OP_MaxPool, "f:1x3x8", "kernel_shape=3, pads=3,0", 1, "!padding 3 is not less than the window's extent 3", NULL},
    {OP_MaxPool, "f:1x3x8", "kernel_shape=9,", 1, "!window of extent 9 is larger than the padded input 8", NULL},
    {OP_MaxPool, "f:3x8", "kernel_shape=3,", 1, "!rank 2, expected at least 3", NULL},
    {OP_MaxPool, "f:1x3x8", "kernel_shape=3, ceil_mode=2", 1, "!ceil_mode is 2, expected 0 to 1", NULL},
    /* ceil_mode: a window that would start in the right padding is left out */
    {OP_MaxPool, "f:1x1x3", "kernel_shape=2, strides=4, pads=0,1 ceil_mode=1", 1, "f:1x1x1", NULL},
    {OP_MaxPool, "f:1x1x5", "kernel_shape=2, strides=4, pads=0,1 ceil_mode=1", 1, "f:1x1x2", NULL},
    {OP_AveragePool, "f:1x3x8x9", "kernel_shape=3,2", 1, "f:1x3x6x8", "strides=1,1"},
    {OP_AveragePool, "f:1x3x8x9", "kernel_shape=3,2 count_include_pad=2", 1, "!count_include_pad is 2", NULL},
    {OP_AveragePool, "f:1x3x8x9", "kernel_shape=3,2 dilations=1,1", 1, "!unknown attribute dilations", NULL},
    {OP_GlobalAveragePool, "f:2x3x8x9", "", 1, "f:2x3x1x1", NULL},
    {OP_GlobalAveragePool, "f:2x3x8", "", 1, "f:2x3x1", NULL},
    {OP_GlobalAveragePool, "f:2x3", "", 1, "!rank 2, expected at least 3", NULL},

    {OP_Softmax, "f:2x3", "", 1, "f:2x3", "axis=1"},
    {OP_Softmax, "f:2x3", "axis=-2", 1, "f:2x3", "axis=0"},
    {OP_Softmax, "f:2x3", "axis=2", 1, "!axis is 2, expected -2 to 1", NULL},
    {OP_Softmax, "f:2x3x4", "flatten=1", 1, "f:2x3x4", "axis=1"},
    {OP_Softmax, "f:", "", 1, "!a scalar has no axis", NULL},
    {OP_Concat, "f:2x3 f:2x0 f:2x5", "axis=-1", 1, "f:2x8", "axis=1"},
    {OP_Concat, "i:3", "axis=0", 1, "i:3", NULL},
    {OP_Concat, "f:2x3", "", 1, "!attribute axis is missing", NULL},
    {OP_Concat, "f:2x3 f:3x3", "axis=1", 1, "!shapes 2x3 and 3x3 (input 1) differ outside axis 1", NULL},
    {OP_Concat, "f:2x3 f:2", "axis=1", 1, "!input 1 has rank 1, expected 2", NULL},
    {OP_Concat, "f:2x3 i:2x3", "axis=1", 1, "!element types f32 and i64", NULL},
    {OP_Concat, "f:2 -", "axis=0", 1, "f:2", NULL},
    {OP_Concat, "- f:2", "axis=0", 1, "!input 0 is missing", NULL},
    {OP_Reshape, "f:2x3x4", "shape=0,-1", 1, "f:2x12", "shape=2,12"},
    {OP_Reshape, "f:2x3x4", "shape=4,6", 1, "f:4x6", NULL},
    {OP_Reshape, "f:1", "shape=()", 1, "f:", NULL},
    {OP_Reshape, "f:0x3", "shape=3,0", 1, "f:3x0", "shape=3,0"},
    {OP_Reshape, "f:0x3", "shape=3,2", 1, "!0 elements of shape 0x3 cannot be reshaped to 3x2", NULL},
    {OP_Reshape, "f:0x3", "shape=0,5", 1, "f:0x5", NULL},
    {OP_Reshape, "f:2x3x4", "shape=5,5", 1, "!24 elements of shape 2x3x4 cannot be reshaped to 5x5", NULL},
    {OP_Reshape, "f:2x3x4", "shape=5,-1", 1, "!24 elements of shape 2x3x4 cannot be reshaped to 5x-1", NULL},
    {OP_Reshape, "f:2x3x4", "shape=-1,-1", 1, "!shape element -1 at 1", NULL},
    {OP_Reshape, "f:2x3x4", "shape=-2,12", 1, "!shape element -2 at 0", NULL},
    {OP_Reshape, "f:2x3x4", "", 1, "!attribute shape is missing", NULL},
    {OP_Reshape, "f:2", "shape=1,1,1,1,1,1,1,1,2", 1, "!rank 9, more than 8", NULL},

    {OP_Gemm, "f:2x3 f:3x4 f:4", "", 1, "f:2x4", "alpha=1.0"},
    {OP_Gemm, "f:3x2 f:4x3", "transA=1 transB=1", 1, "f:2x4", "beta=1.0"},
    {OP_Gemm, "f:2x3 f:3x4 f:2x1", "", 1, "f:2x4", NULL},
    {OP_Gemm, "f:2x3 f:4x3", "", 1, "!inner dimensions 3 and 4 differ", NULL},
    {OP_Gemm, "f:2x3 f:3x4 f:3", "", 1, "!input 2 of shape 3 does not broadcast to 2x4", NULL},
    {OP_Gemm, "f:1x3 f:3x4 f:2x4", "", 1, "!input 2 of shape 2x4 does not broadcast to 1x4", NULL},
    {OP_Gemm, "f:3 f:3x4", "", 1, "!input 0 has rank 1, expected 2", NULL},
    {OP_MatMul, "f:2x3 f:3x4", "", 1, "f:2x4", NULL},
    {OP_MatMul, "f:3 f:3", "", 1, "f:", NULL},
    {OP_MatMul, "f:3 f:5x3x4", "", 1, "f:5x4", NULL},
    {OP_MatMul, "f:5x2x3 f:3", "", 1, "f:5x2", NULL},
    {OP_MatMul, "f:7x1x2x3 f:5x3x4", "", 1, "f:7x5x2x4", NULL},
    {OP_MatMul, "f:2x2x3 f:3x3x4", "", 1, "!batch shapes 2 and 3 do not broadcast", NULL},
    {OP_MatMul, "f:2x3 f:4x3", "", 1, "!inner dimensions 3 and 4 differ", NULL},
    {OP_MatMul, "f: f:3", "", 1, "!input 0 is a scalar", NULL},
    {OP_LRN, "f:1x5x3", "size=3", 1, "f:1x5x3", "beta=0.75"},
    {OP_LRN, "f:1x5x3", "", 1, "!attribute size is missing", NULL},
    {OP_LRN, "f:5", "size=3", 1, "!rank 1, expected at least 2", NULL},
    {OP_BatchNormalization, "f:1x5x3 f:5 f:5 f:5 f:5", "", 1, "f:1x5x3", NULL},
    {OP_BatchNormalization, "f:1x5x3 f:5 f:5 f:4 f:5", "", 1, "!input 3 has shape 4, expected 5", NULL},
    {OP_BatchNormalization, "f:5 f:5 f:5 f:5 f:5", "", 1, "!input 1 has shape 5, expected 1", NULL},
    {OP_BatchNormalization, "f:5 f:1 f:1 f:1 f:1", "", 1, "f:5", NULL},
    {OP_BatchNormalization, "f: f:1 f:1 f:1 f:1", "", 1, "!input 0 is a scalar", NULL},

    {OP_Sum, "f:2x1 f:3 f:", "", 1, "f:2x3", NULL},
    {OP_Sum, "f:2", "", 1, "f:2", NULL},
    {OP_Sum, "f:2x1 f:3 f:4", "", 1, "!shapes 2x3 and 4 (input 2) do not broadcast", NULL},
    {OP_Add, "f:2x0 f:1", "", 1, "f:2x0", NULL},
    {OP_Add, "f:2 i:2", "", 1, "!element types f32 and i64", NULL},
    {OP_Sub, "i:2 i:", "", 1, "i:2", NULL},
    {OP_Mul, "f:4x1x2 f:3x1", "", 1, "f:4x3x2", NULL},
    {OP_Div, "f:2 f:3", "", 1, "!shapes 2 and 3 (input 1) do not broadcast", NULL},
    {OP_Pow, "f:2x3 i:", "", 1, "f:2x3", NULL},
    {OP_Max, "f:2x3 f:3 f:1", "", 1, "f:2x3", NULL},
    {OP_Min, "i:2x3", "", 1, "i:2x3", NULL},

    {OP_Transpose, "f:2x3x4", "", 1, "f:4x3x2", "perm=2,1,0"},
    {OP_Transpose, "f:2x3x4", "perm=0,2,1", 1, "f:2x4x3", NULL},
    {OP_Transpose, "f:2x3x4", "perm=0,2", 1, "!perm has 2 elements, the input rank 3", NULL},
    {OP_Transpose, "f:2x3x4", "perm=0,2,2", 1, "!perm is not a permutation: element 2 at 2", NULL},
    {OP_Transpose, "f:2x3x4", "perm=0,3,1", 1, "!perm is not a permutation: element 3 at 1", NULL},
    {OP_Unsqueeze, "f:3x4", "axes=-1,0", 1, "f:1x3x4x1", "axes=0,3"},
    {OP_Unsqueeze, "f:3x4", "axes=2,-2", 1, "!axis 2 occurs twice", NULL},
    {OP_Unsqueeze, "f:3x4", "axes=3,", 1, "!axis 3 is outside rank 3", NULL},
    {OP_Unsqueeze, "f:3x4", "", 1, "!attribute axes is missing", NULL},
    {OP_Squeeze, "f:1x3x1", "", 1, "f:3", "axes=0,2"},
    {OP_Squeeze, "f:1x3x1", "axes=-1,", 1, "f:1x3", "axes=2,"},
    {OP_Squeeze, "f:1x3x1", "axes=1,", 1, "!axis 1 has size 3, not 1", NULL},
    {OP_Squeeze, "f:1x3x1", "axes=3,", 1, "!axis 3 is outside rank 3", NULL},
    {OP_Flatten, "f:2x3x4", "", 1, "f:2x12", "axis=1"},
    {OP_Flatten, "f:2x3x4", "axis=0", 1, "f:1x24", NULL},
    {OP_Flatten, "f:2x3x4", "axis=3", 1, "f:24x1", NULL},
    {OP_Flatten, "f:2x3x4", "axis=-1", 1, "f:6x4", "axis=2"},
    {OP_Flatten, "f:2x3x4", "axis=4", 1, "!axis is 4, expected -3 to 3", NULL},
    {OP_ReduceMean, "f:2x3x4", "axes=1,-1", 1, "f:2x1x1", "axes=1,2"},
    {OP_ReduceSum, "i:2x3x4", "keepdims=0", 1, "i:", "axes=0,1,2"},
    {OP_ReduceSum, "f:2x3x4", "axes=()", 1, "f:2x3x4", NULL},
    {OP_ReduceSum, "f:2x3x4", "axes=0,0", 1, "!axis 0 occurs twice", NULL},
    {OP_ReduceMean, "f:2x3x4", "axes=-4,", 1, "!axis -4 is outside rank 3", NULL},

    {OP_ConstantOfShape, "", "shape=2,3", 1, "f:2x3", "value=0.0"},
    {OP_ConstantOfShape, "", "shape=() dtype=7", 1, "i:", NULL},
    {OP_ConstantOfShape, "", "shape=2,-3", 1, "!shape element -3 at 1 is not a size", NULL},
    {OP_ConstantOfShape, "", "", 1, "!attribute shape is missing", NULL},
    {OP_ConstantOfShape, "", "shape=65536,65536", 1, "!the result has too many elements", NULL},
    {OP_Shape, "f:2x3x4", "", 1, "i:3", "end=3"},
    {OP_Shape, "f:2x3x4", "start=-2 end=2", 1, "i:1", "start=1"},
    {OP_Shape, "f:2x3x4", "start=2 end=1", 1, "i:0", NULL},
    {OP_Gather, "f:2x3x4 i:5x6", "axis=1", 1, "f:2x5x6x4", NULL},
    {OP_Gather, "f:2x3x4 i:", "axis=-1", 1, "f:2x3", "axis=2"},
    {OP_Gather, "f:2x3x4 j:5", "", 1, "f:5x3x4", NULL},
    {OP_Gather, "f:2x3x4 f:5", "", 1, "!indices have element type f32", NULL},
    {OP_Gather, "f:2x3x4 i:5", "axis=3", 1, "!axis is 3, expected -3 to 2", NULL},
    {OP_Slice, "f:6x7", "starts=5,1 sizes=3,2 steps=-2,4", 1, "f:3x2", NULL},
    {OP_Slice, "f:6x7", "starts=0,0 sizes=6,0", 1, "f:6x0", "steps=1,1"},
    {OP_Slice, "f:6x7", "starts=5,1 sizes=3,3 steps=-2,4", 1, "!slice 1 to 9 is outside dimension 1 of size 7", NULL},
    {OP_Slice, "f:6x7", "starts=0,0 sizes=6,7 steps=1,0", 1, "!step 0 in dimension 1", NULL},
    {OP_Slice, "f:6x7", "starts=0, sizes=6,", 1, "!starts has 1 elements, expected 2", NULL},
    {OP_Cast, "i:2", "to=1", 1, "f:2", NULL},
    {OP_Cast, "i:2", "to=0", 1, "!to is 0, expected 1 to 64", NULL},
    {OP_Cast, "i:2", "", 1, "!attribute to is missing", NULL},
    {OP_Split, "f:6x2", "", 3, "f:2x2", "split=2,2,2"},
    {OP_Split, "f:6x2", "split=1,0,5", 3, "f:5x2", NULL},
    {OP_Split, "f:6x2", "axis=-1 split=1,1", 2, "f:6x1", "axis=1"},
    {OP_Split, "f:6x2", "split=1,2,5", 3, "!part 2 of size 5 does not fit", NULL},
    {OP_Split, "f:6x2", "split=1,2", 2, "!parts of 3 elements in all, the axis has 6", NULL},
    {OP_Split, "f:6x2", "split=1,5", 3, "!split has 2 parts, the node 3 outputs", NULL},
    {OP_Split, "f:6x2", "", 4, "!axis of size 6 does not split into 4", NULL},

    {OP_Pad, "f:2x3", "pads=1,0,2,3", 1, "f:5x6", "mode='constant'"},
    {OP_Pad, "i:2x3", "pads=-1,0,0,-3", 1, "i:1x0", "value=0.0"},
    {OP_Pad, "f:2x3", "", 1, "!attribute pads is missing", NULL},
    {OP_Pad, "f:2x3", "pads=1,0,2", 1, "!pads has 3 elements, expected 4", NULL},
    {OP_Pad, "f:2x3", "pads=-2,0,-1,0", 1, "!pads -2 and -1 do not fit dimension 0 of size 2", NULL},
    {OP_Pad, "f:2x3", "pads=0,0,0,0 mode='wrap'", 1, "!mode is wrap, expected constant, edge or reflect", NULL},
    {OP_Pad, "f:2x3", "pads=0,0,0,0 mode=3", 1, "!mode is not a string", NULL},
    {OP_Pad, "f:2x3", "pads=0,0,0,-1 mode='edge'", 1, "!negative pads need the mode constant", NULL},
    {OP_Pad, "f:2x0", "pads=0,0,0,1 mode='edge'", 1, "!dimension 1 has no cell to repeat", NULL},
    {OP_Pad, "f:2x3", "pads=0,2,1,0 mode='reflect'", 1, "f:3x5", NULL},
    {OP_Pad, "f:2x3", "pads=0,3,0,0 mode='reflect'", 1, "!3 cells cannot be mirrored in dimension 1 of size 3", NULL},
    {OP_Expand, "f:3x1", "shape=2,1,4", 1, "f:2x3x4", "shape=2,3,4"},
    {OP_Expand, "f:3x2", "shape=4,1,1", 1, "f:4x3x2", NULL},
    {OP_Expand, "f:3x2", "shape=3", 1, "!attribute shape is not a tuple", NULL},
    {OP_Expand, "f:3x2", "shape=3,", 1, "!shapes 3x2 and 3 do not broadcast", NULL},
    {OP_Expand, "f:3x2", "", 1, "!attribute shape is missing", NULL},
    {OP_Expand, "f:1", "shape=65536,65536", 1, "!the result has too many elements", NULL},
    {OP_EyeLike, "f:3x4", "", 1, "f:3x4", "dtype=1"},
    {OP_EyeLike, "f:3x4", "dtype=7", 1, "i:3x4", "k=0"},
    {OP_EyeLike, "f:3", "", 1, "!input 0 has rank 1, expected 2", NULL},
    {OP_LayerNormalization, "f:2x3x5 f:5 f:5", "", 1, "f:2x3x5", "axis=2"},
    {OP_LayerNormalization, "f:2x3x5 f:3x5", "axis=-2", 1, "f:2x3x5", "axis=1"},
    {OP_LayerNormalization, "f:2x3x5 f:3", "", 1, "!input 1 of shape 3 does not broadcast to 2x3x5", NULL},
    {OP_LayerNormalization, "f:3x5 f:5 f:2x3x5", "", 1, "!input 2 of shape 2x3x5 does not broadcast to 3x5", NULL},
    {OP_LayerNormalization, "f:3x5 f:5", "axis=2", 1, "!axis is 2, expected -2 to 1", NULL},
    {OP_LayerNormalization, "f:3x5 f:5", "epsilon=-0.5", 1, "!epsilon is -0.5, expected at least 0", NULL},
    {OP_LayerNormalization, "i:3x5 i:5", "", 1, "!expected a float type", NULL},
    {OP_InstanceNormalization, "f:2x3x4x5 f:3 f:3", "", 1, "f:2x3x4x5", NULL},
    {OP_InstanceNormalization, "f:2x3 f:3 f:3", "", 1, "!rank 2, expected at least 3", NULL},
    {OP_InstanceNormalization, "f:2x3x4 f:3 f:4", "", 1, "!input 2 has shape 4, expected 3", NULL},
    {OP_GroupNormalization, "f:2x6x4 f:6 f:6", "num_groups=3", 1, "f:2x6x4", NULL},
    {OP_GroupNormalization, "f:2x6x4 f:6 f:6", "num_groups=4", 1, "!6 channels in 4 groups", NULL},
    {OP_GroupNormalization, "f:2x6x4 f:6 f:6", "", 1, "!attribute num_groups is missing", NULL},
    {OP_GroupNormalization, "f:2x6x4 f:3 f:3", "num_groups=3", 1, "!input 1 has shape 3, expected 6", NULL},
    {OP_GroupNormalization, "f:6 f:6 f:6", "num_groups=3", 1, "!rank 1, expected at least 2", NULL},
    {OP_LpNormalization, "f:2x3", "", 1, "f:2x3", "axis=1"},
    {OP_LpNormalization, "f:2x3", "p=3", 1, "!p is 3, expected 1 to 2", NULL},
    {OP_LpNormalization, "f:", "", 1, "!a scalar has no axis", NULL},
    {OP_L2Normalize, "f:2x3", "", 1, "f:2x3", "axes=0,1"},
    {OP_L2Normalize, "f:2x3", "axes=-1,", 1, "f:2x3", "axes=1,"},
    {OP_L2Normalize, "f:2x3", "axes=2,", 1, "!axis 2 is outside rank 2", NULL},
    {OP_Clip, "i:4", "min=-1.0", 1, "i:4", NULL},
    {OP_LeakyRelu, "f:4", "", 1, "f:4", NULL},
    {OP_LeakyRelu, "i:4", "", 1, "!expected a float type", NULL},
    {OP_Reciprocal, "f:4", "", 1, "f:4", NULL},
    {OP_ZerosLike, "i:2x3", "", 1, "i:2x3", NULL},
    {OP_OnesLike, "d:2", "", 1, "d:2", NULL},
    {OP_FullLike, "f:2x3 f:", "", 1, "f:2x3", NULL},
    {OP_FullLike, "f:2x3 f:1", "", 1, "!input 1 has rank 1, expected 0", NULL},
    {OP_FullLike, "f:2x3 i:", "", 1, "!element types f32 and i64", NULL},
    {OP_ReshapeLike, "f:2x3x4 i:4x6", "", 1, "f:4x6", "lhs_end=3"},
    {OP_ReshapeLike, "f:30x7 f:15x2x4", "lhs_end=1 rhs_begin=0 rhs_end=-1", 1, "f:15x2x7", "rhs_end=2"},
    {OP_ReshapeLike, "f:2x3 f:4", "", 1, "!6 elements of shape 2x3 cannot be reshaped to 4", NULL},
    {OP_ReshapeLike, "f:2x3 f:4", "lhs_end=3", 1, "!lhs_end is 3, expected -2 to 2", NULL},
    {OP_ReshapeLike, "f:2x3 f:4", "lhs_begin=2 lhs_end=1", 1, "!lhs_begin 2 is behind lhs_end 1", NULL},
    {OP_BroadcastLike, "f:3x1 i:2x3x4", "", 1, "f:2x3x4", NULL},
    {OP_BroadcastLike, "f:3x4 f:3x1", "", 1, "!shape 3x4 does not broadcast to 3x1", NULL},
    {OP_CollapseSum, "f:2x3x4", "shape=3,1", 1, "f:3x1", NULL},
    {OP_CollapseSum, "f:2x3x4", "shape=2,1", 1, "!shape 2x1 does not broadcast to 2x3x4", NULL},
    {OP_CollapseSumLike, "f:2x4x4 f:1x4", "", 1, "f:1x4", NULL},
    {OP_CollapseSumLike, "f:4 f:2x4", "", 1, "!shape 2x4 does not broadcast to 4", NULL},
    {OP_LayoutTransform, "f:2x3x4x5", "src_layout='NCHW' dst_layout='NHWC'", 1, "f:2x4x5x3", NULL},
    {OP_LayoutTransform, "f:2x3x4", "src_layout='NCHW' dst_layout='NHWC'", 1, "!src_layout is NCHW, the input has rank 3", NULL},
    {OP_LayoutTransform, "f:2x3", "src_layout='NC' dst_layout='NX'", 1, "!the layouts NC and NX have different letters", NULL},
    {OP_LayoutTransform, "f:2x3", "src_layout='NN' dst_layout='NN'", 1, "!src_layout has the letter N twice", NULL},
    {OP_LayoutTransform, "f:2x3", "src_layout='Nc' dst_layout='Nc'", 1, "!src_layout is Nc, expected capital letters", NULL},
    {OP_LayoutTransform, "f:2x3", "src_layout='NC'", 1, "!attribute dst_layout is missing", NULL},
    {OP_Equal, "f:2x3 f:3", "", 1, "b:2x3", NULL},
    {OP_Equal, "b:2x1 b:3", "", 1, "b:2x3", NULL},
    {OP_Equal, "f:2 i:2", "", 1, "!element types f32 and i64", NULL},
    {OP_Less, "i:2x3 i:", "", 1, "b:2x3", NULL},
    {OP_Less, "b:2 b:2", "", 1, "!input 0 has element type bool, which the operator does not take", NULL},
    {OP_Greater, "d:4 d:1", "", 1, "b:4", NULL},
    {OP_Greater, "f:4 f:3", "", 1, "!do not broadcast", NULL},
    {OP_LessOrEqual, "j:4 j:4", "", 1, "b:4", NULL},
    {OP_GreaterOrEqual, "f: f:", "", 1, "b:", NULL},
    {OP_Not, "b:2x3", "", 1, "b:2x3", NULL},
    {OP_Not, "i:2x3", "", 1, "!input 0 has element type i64, expected bool", NULL},
    {OP_And, "b:2x3 b:1", "", 1, "b:2x3", NULL},
    {OP_Or, "b:2x3 i:3", "", 1, "!input 1 has element type i64, expected bool", NULL},
    {OP_Xor, "b:1x3 b:2x1", "", 1, "b:2x3", NULL},
    {OP_Where, "b:2x1 f:3 f:", "", 1, "f:2x3", NULL},
    {OP_Where, "b:4x1x1 i:2x1 i:3", "", 1, "i:4x2x3", NULL},
    {OP_Where, "b: b:2 b:2", "", 1, "b:2", NULL},
    {OP_Where, "f:2 f:2 f:2", "", 1, "!input 0 has element type f32, expected bool", NULL},
    {OP_Where, "b:2 f:2 i:2", "", 1, "!element types f32 and i64 of inputs 1 and 2 differ", NULL},
    {OP_Where, "b:2 f:3 f:3", "", 1, "!do not broadcast", NULL},
    {OP_Add, "b:2 b:2", "", 1, "!input 0 has element type bool, which the operator does not take", NULL},
    {OP_MatMul, "b:2x2 b:2x2", "", 1, "!input 0 has element type bool", NULL},
    {OP_Expand, "b:1", "shape=2,3", 1, "b:2x3", NULL},
    {OP_Gather, "b:4 i:2", "", 1, "b:2", NULL},
    {OP_Gather, "f:4 b:2", "", 1, "!indices have element type bool", NULL},
    {OP_Cast, "f:4", "to=9", 1, "b:4", NULL},
    {OP_BiasAdd, "f:2x3x4 f:3", "", 1, "f:2x3x4", NULL},
    {OP_BiasAdd, "i:2x3x4 i:4", "axis=-1", 1, "i:2x3x4", NULL},
    {OP_BiasAdd, "f:2x3x4 f:4", "", 1, "!input 1 has shape 4, expected 3", NULL},
};

static int infer_rule(struct bench *b, const struct rule *r, int *node, enum calque_status *s)
{
    int in[BENCH_INPUTS], n = inputs_parse(b, r->in, in), last;

    *s = CALQUE_NOMEM;
    if (n < 0 || (*node = bench_op(b, r->op, r->attrs, r->nout, in, n)) < 0)
        return -1;
    last = *node;
    *s = op_infer(&b->g, *node, &b->d);
    if (!*s && (op_info(r->op)->traits & OP_MULTI)) {
        *s = CALQUE_NOMEM;
        if ((last = graph_proj(&b->g, *node, r->nout - 1, -1)) >= 0)
            *s = op_infer(&b->g, last, &b->d);
    }
    return last;
}

static void test_rules(void)
{
    bool used[OP_COUNT] = {false};

    for (int i = 0; i < UNIT_COUNT(rules); i++) {
        const struct rule *r = &rules[i];
        struct bench b;
        enum calque_status s;
        char got[128] = "", why[1024];
        int node = -1, last;

        bench_init(&b);
        last = infer_rule(&b, r, &node, &s);
        used[r->op] = true;
        snprintf(why, sizeof why, "%s(%s) %s: wanted %s", op_info(r->op)->name, r->in, r->attrs, r->want);
        if (*r->want == '!') {
            if (!((s == CALQUE_BAD || s == CALQUE_LIMIT) && strstr(b.d.text, r->want + 1) && strstr(b.d.text, "node it (")))
                fprintf(stderr, "%s, got %d %s\n", why, (int)s, b.d.text);
            CU_ASSERT(s == CALQUE_BAD || s == CALQUE_LIMIT);
            CU_ASSERT(strstr(b.d.text, r->want + 1) != NULL);
            CU_ASSERT(strstr(b.d.text, "node it (") != NULL);
        } else {
            if (!s)
                type_print(b.g.node.a[last].dtype, &b.g.node.a[last].shape, got);
            if (s || strcmp(got, r->want))
                fprintf(stderr, "%s, got %d %s %s\n", why, (int)s, got, b.d.text);
            CU_ASSERT(s == CALQUE_OK);
            CU_ASSERT_STRING_EQUAL(got, r->want);
        }
        if (r->then && !s) {
            size_t n = strcspn(r->then, "=");
            char label[32];
            snprintf(label, sizeof label, "%.*s", (int)n, r->then);
            int want = attr_value(&b, r->then + n + 1, strlen(r->then + n + 1));
            int is = graph_attr(&b.g, node, label);
            if (is < 0 || !value_equal(&b.values, is, want))
                fprintf(stderr, "%s, attribute not %s\n", why, r->then);
            CU_ASSERT(is >= 0 && value_equal(&b.values, is, want));
        }
        if (!s) { /* a second inference changes nothing */
            int attrs = b.g.attr.n, values = b.values.n;
            CU_ASSERT(op_infer(&b.g, node, &b.d) == CALQUE_OK);
            CU_ASSERT(b.g.attr.n == attrs && b.values.n == values);
        }
        bench_free(&b);
    }
    for (int op = OP_Opaque + 1; op < OP_COUNT; op++) {
        if (!used[op])
            fprintf(stderr, "no rule for %s\n", op_info(op)->name);
        CU_ASSERT(used[op]);
    }
}

static void test_tables(void)
{
    for (int op = 0; op < OP_COUNT; op++) {
        int n;
        const struct op_attr_info *a = op_attrs(op, &n);
        CU_ASSERT(op_find(op_info(op)->name, strlen(op_info(op)->name)) == (op == OP_Opaque ? -1 : op));
        for (int i = 0; i < n; i++)
            CU_ASSERT(a[i].op == op);
        CU_ASSERT(n == 0 || !(op_info(op)->traits & OP_ELEMENTWISE)); /* rules count on it */
        CU_ASSERT(n > 0 || !(op_info(op)->traits & OP_POINTWISE));
    }
    CU_ASSERT(op_find("Con", 3) == -1);
    CU_ASSERT(op_find("Convo", 5) == -1);
    CU_ASSERT(op_find("Conv", 4) == OP_Conv);
    CU_ASSERT_PTR_NULL(op_info(-1));
    CU_ASSERT_PTR_NULL(op_info(OP_COUNT));
}

/* Projections, tuples, operators in the wrong place, opaque nodes. */
static void test_structure(void)
{
    struct bench b;
    struct shape s23 = {.rank = 2, .dim = {2, 3}};
    int in, tuple, split, op, proj, opaque;

    bench_init(&b);
    in = graph_input(&b.g, -1, DTYPE_F32, &s23);
    tuple = graph_tuple(&b.g, &in, 1);
    proj = graph_proj(&b.g, tuple, 0, -1);
    CU_ASSERT(op_infer(&b.g, tuple, &b.d) == CALQUE_OK && op_infer(&b.g, proj, &b.d) == CALQUE_OK);
    CU_ASSERT(b.g.node.a[proj].dtype == DTYPE_F32 && shape_equal(&b.g.node.a[proj].shape, &s23));
    proj = graph_proj(&b.g, tuple, 1, -1);
    CU_ASSERT(op_infer(&b.g, proj, &b.d) == CALQUE_BAD && strstr(b.d.text, "field 1 of a tuple of 1"));
    proj = graph_proj(&b.g, in, 0, -1);
    CU_ASSERT(op_infer(&b.g, proj, &b.d) == CALQUE_BAD);
    op = bench_op(&b, OP_Relu, "", 1, &tuple, 1);
    CU_ASSERT(op_infer(&b.g, op, &b.d) == CALQUE_BAD && strstr(b.d.text, "input 0 is a tuple"));
    split = bench_op(&b, OP_Split, "", 2, &in, 1);
    CU_ASSERT(op_infer(&b.g, split, &b.d) == CALQUE_OK);
    CU_ASSERT(b.g.node.a[split].dtype == DTYPE_UNKNOWN);
    op = bench_op(&b, OP_Relu, "", 1, &split, 1);
    CU_ASSERT(op_infer(&b.g, op, &b.d) == CALQUE_BAD && strstr(b.d.text, "multi-output"));
    proj = graph_proj(&b.g, split, 2, -1);
    CU_ASSERT(op_infer(&b.g, proj, &b.d) == CALQUE_BAD && strstr(b.d.text, "output 2 of a node of 2"));
    opaque = bench_op(&b, OP_Opaque, "", 1, &in, 1);
    CU_ASSERT(op_infer(&b.g, opaque, &b.d) == CALQUE_OK);
    op = bench_op(&b, OP_Relu, "", 1, &opaque, 1);
    CU_ASSERT(op_infer(&b.g, op, &b.d) == CALQUE_OK && b.g.node.a[op].shape.rank == -1);
    b.g.node.a[opaque].dtype = DTYPE_F32; /* an importer may know it */
    b.g.node.a[opaque].shape = s23;
    CU_ASSERT(op_infer(&b.g, opaque, &b.d) == CALQUE_OK && op_infer(&b.g, op, &b.d) == CALQUE_OK);
    CU_ASSERT(shape_equal(&b.g.node.a[op].shape, &s23));
    CU_ASSERT(graph_infer(&b.g, &b.d) == CALQUE_BAD);
    bench_free(&b);
}

/* What an opaque node's error calls it: the op_type inside its bytes. */
static void test_opaque_name(void)
{
    static unsigned char proto[] = {10, 1, 'x', 18, 1, 'y', 26, 3, 'n', 'n', 'n', 34, 5, 'M', 'a', 'g', 'i', 'c'};
    struct bench b;
    struct text t;
    int op;

    for (size_t cut = 0; cut <= sizeof proto; cut++) { /* also truncated bytes */
        bench_init(&b);
        op = bench_op(&b, OP_Opaque, "", 1, NULL, 0);
        CU_ASSERT_FATAL(vec_room(&b.mem, &b.g.raw, 1));
        b.g.raw.n = 1;
        b.g.raw.a[0].a = mem_resize(&b.mem, NULL, cut, 1);
        memcpy(b.g.raw.a[0].a, proto, cut);
        b.g.raw.a[0].n = cut;
        b.g.node.a[op].data = 0;
        text_init(&t, &b.mem);
        CU_ASSERT(op_kernel_text(&b.g, op, &t, &b.d) == CALQUE_BAD);
        CU_ASSERT_STRING_EQUAL(b.d.text, cut == sizeof proto ? "node it (Opaque Magic): no kernel"
                                                             : "node it (Opaque ?): no kernel");
        text_free(&t);
        bench_free(&b);
    }
}

static enum calque_status build_all(struct bench *b)
{
    enum calque_status s = CALQUE_OK;
    int node;

    for (int i = 0; i < UNIT_COUNT(rules) && !s; i++)
        if (*rules[i].want != '!')
            infer_rule(b, &rules[i], &node, &s);
    return s;
}

static void test_memory(void)
{
    enum calque_status s = CALQUE_NOMEM;

    for (long k = 0; s == CALQUE_NOMEM && k < 100000; k++) {
        struct bench b;
        bench_init(&b);
        b.mem.fail_after = k;
        s = build_all(&b);
        CU_ASSERT(s == CALQUE_OK || s == CALQUE_NOMEM);
        bench_free(&b);
    }
    CU_ASSERT(s == CALQUE_OK);
}

int main(void)
{
    static const struct unit_case cases[] = {{"tables", test_tables},
                                             {"rules", test_rules},
                                             {"structure", test_structure},
                                             {"opaque_name", test_opaque_name},
                                             {"memory", test_memory}};
    return unit_main("tensor/infer", cases, UNIT_COUNT(cases));
}
