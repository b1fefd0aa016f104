#!/usr/bin/env python3
"""The nets that PyTorch exports, evaluated with numpy as the operator specification of ONNX has it: each operator that they use, in the
types of the model. Any other operator, and any attribute that is not one of those used, is refused.

usage: reference.py inputs MODEL.onnx DIRECTORY [NAME=SIZE ..]   random inputs, the open dimensions as given
       reference.py run MODEL.onnx DIRECTORY OUT                 the outputs for the inputs NAME.npy of DIRECTORY as OUT/NAME.npy"""
import math
import os
import sys

import numpy as np
import onnx
from onnx import numpy_helper

TYPES = {1: np.float32, 7: np.int64, 9: np.bool_}
OPS = {}


def op(f):
    OPS[f.__name__.rstrip('_')] = f
    return f


for name, f in [('Add', np.add), ('Sub', np.subtract), ('Mul', np.multiply), ('And', np.logical_and), ('Equal', np.equal), ('Less', np.less),
                ('LessOrEqual', np.less_equal), ('Neg', np.negative), ('Sqrt', np.sqrt), ('Cos', np.cos), ('Sin', np.sin),
                ('IsNaN', np.isnan), ('Reciprocal', np.reciprocal), ('MatMul', np.matmul), ('Where', np.where)]:
    OPS[name] = (lambda g: lambda *x: g(*x))(f)


@op
def Pow(x, y):
    return np.power(x, y).astype(x.dtype)


@op
def Div(x, y):
    if x.dtype == np.float32:
        return x / y
    q = abs(x) // abs(y)  # towards zero
    return np.where((x < 0) != (y < 0), -q, q)


@op
def Sigmoid(x):
    return 1 / (1 + np.exp(-x))


erf = np.vectorize(math.erf, otypes=[np.float64])


@op
def Erf(x):
    return erf(x).astype(x.dtype)


@op
def Gelu(x, approximate=b'none'):
    assert approximate == b'none'
    return (0.5 * x * (1 + erf(x / math.sqrt(2)))).astype(x.dtype)


@op
def Clip(x, lo, hi):
    return np.minimum(np.maximum(x, lo), hi)


@op
def Cast(x, to):
    return x.astype(TYPES[to])


@op
def Constant(value):
    return numpy_helper.to_array(value)


@op
def ConstantOfShape(shape, value):
    v = numpy_helper.to_array(value)
    return np.full(shape, v.reshape(()), v.dtype)


@op
def Range(start, limit, delta):
    return start + np.arange(max(math.ceil((limit - start) / delta), 0), dtype=start.dtype) * delta


@op
def Shape(x, start=0, end=None):
    return np.array(x.shape[start:end], np.int64)


@op
def Reshape(x, shape, allowzero=0):
    to = [x.shape[i] if k == 0 and not allowzero else k for i, k in enumerate(shape)]
    return x.reshape(to)


@op
def Flatten(x, axis=1):
    return x.reshape(math.prod(x.shape[:axis]), -1)


@op
def Transpose(x, perm):
    return np.transpose(x, perm)


@op
def Unsqueeze(x, axes):
    return np.expand_dims(x, tuple(axes))


@op
def Squeeze(x, axes=None):
    return np.squeeze(x, None if axes is None else tuple(axes))


@op
def Concat(*x, axis):
    return np.concatenate(x, axis)


@op
def Expand(x, shape):
    return x * np.ones(shape, x.dtype) if x.dtype != np.bool_ else x & np.ones(shape, np.bool_)


@op
def Tile(x, repeats):
    assert len(repeats) == x.ndim
    return np.tile(x, repeats)


@op
def Slice(x, starts, ends, axes=None, steps=None):
    at = [slice(None)] * x.ndim
    for i, a in enumerate(range(len(starts)) if axes is None else axes):
        step = 1 if steps is None else steps[i]
        assert step > 0
        at[a] = slice(starts[i], ends[i], step)
    return x[tuple(at)]


@op
def Gather(x, index, axis=0):
    assert (index >= -x.shape[axis]).all() and (index < x.shape[axis]).all()
    return np.take(x, index, axis)


@op
def GatherND(x, index, batch_dims=0):
    assert batch_dims == 0
    return x[tuple(np.moveaxis(index, -1, 0))]


@op
def ReduceMean(x, axes, keepdims=1, noop_with_empty_axes=0):
    assert len(axes) > 0
    return x.mean(tuple(axes), keepdims=bool(keepdims), dtype=x.dtype)


@op
def GlobalAveragePool(x):
    return x.mean(tuple(range(2, x.ndim)), keepdims=True, dtype=x.dtype)


@op
def Softmax(x, axis):
    with np.errstate(invalid='ignore'):
        e = np.exp(x - x.max(axis, keepdims=True))
        return e / e.sum(axis, keepdims=True, dtype=x.dtype)


@op
def LayerNormalization(x, scale, shift, axis, epsilon):
    axes = tuple(range(axis % x.ndim, x.ndim))
    d = x - x.mean(axes, keepdims=True, dtype=x.dtype)
    return d / np.sqrt((d * d).mean(axes, keepdims=True, dtype=x.dtype) + np.float32(epsilon)) * scale + shift


@op
def BatchNormalization(x, scale, shift, mean, var, epsilon, momentum, training_mode):
    assert training_mode == 0
    by = [v.reshape((-1,) + (1,) * (x.ndim - 2)) for v in (scale, shift, mean, var)]
    return (x - by[2]) / np.sqrt(by[3] + np.float32(epsilon)) * by[0] + by[1]


@op
def Gemm(a, b, c, alpha, beta, transB):
    assert alpha == 1 and beta == 1 and transB == 1
    return a @ b.T + c


@op
def Conv(x, w, shift=None, group=1, auto_pad=b'NOTSET', pads=None, dilations=None, strides=None, kernel_shape=None):
    assert auto_pad == b'NOTSET' and x.ndim == 4 and set(dilations) == {1} and (kernel_shape or list(w.shape[2:])) == list(w.shape[2:])
    x = np.pad(x, ((0, 0), (0, 0), (pads[0], pads[2]), (pads[1], pads[3])))
    kh, kw = w.shape[2:]
    h, v = [(x.shape[2 + i] - w.shape[2 + i]) // strides[i] + 1 for i in range(2)]
    part = []
    for g in range(group):
        c, o = w.shape[1], w.shape[0] // group
        xs, ws = x[:, g * c:(g + 1) * c], w[g * o:(g + 1) * o]
        sums = np.zeros((x.shape[0], o, h, v), x.dtype)
        for i in range(kh):
            for j in range(kw):
                at = xs[:, :, i:i + (h - 1) * strides[0] + 1:strides[0], j:j + (v - 1) * strides[1] + 1:strides[1]]
                sums += np.einsum('nchw,oc->nohw', at, ws[:, :, i, j])
        part.append(sums)
    y = np.concatenate(part, 1)
    return y if shift is None else y + shift.reshape(-1, 1, 1)


def attribute(a):
    return onnx.helper.get_attribute_value(a)


def refuse(text):
    sys.exit('reference.py: ' + text)


def evaluate(graph, values):
    for t in graph.initializer:
        values[t.name] = numpy_helper.to_array(t)
    for n in graph.node:
        if n.op_type not in OPS or n.domain or len(n.output) != 1:
            refuse(f'operator {n.op_type} at {n.name} is none of those used here')
        try:
            y = OPS[n.op_type](*[values[i] for i in n.input], **{a.name: attribute(a) for a in n.attribute})
        except (TypeError, AssertionError, IndexError) as e:
            refuse(f'{n.op_type} at {n.name}: {e!r}')
        values[n.output[0]] = np.asarray(y)
    return values


def load(path):
    m = onnx.load(path)
    if m.functions or len(m.opset_import) != 1 or m.opset_import[0].domain:
        refuse(f'{path} has functions or other domains')
    return m.graph


def shape_of(value, sizes):
    """dim_param may be a sum of names."""
    return [d.dim_value if d.WhichOneof('value') == 'dim_value' else sum(int(sizes[s.strip()]) for s in d.dim_param.split('+'))
            for d in value.type.tensor_type.shape.dim]


def limits(graph, name):
    """Integers of the input are below: the least dimension that they index, else 2."""
    dims = {t.name: t.dims for t in graph.initializer}
    return min([dims[n.input[0]][0] for n in graph.node if n.op_type == 'Gather' and n.input[1] == name and n.input[0] in dims], default=2)


def inputs(graph, out, sizes):
    rng = np.random.default_rng(1)
    os.makedirs(out, exist_ok=True)
    for v in graph.input:
        shape = shape_of(v, sizes)
        if v.type.tensor_type.elem_type == 1:
            x = rng.standard_normal(shape, np.float32)
        elif v.name == 'position_ids':
            x = np.broadcast_to(int(sizes.get('past_sequence', 0)) + np.arange(shape[1]), shape)
        else:
            x = rng.integers(0, limits(graph, v.name), shape)
        if v.name == 'attention_mask':
            x[0] = 1
            x[1:, :1] = 0  # padding on the left: the first token sees nothing
        np.save(os.path.join(out, v.name + '.npy'), np.ascontiguousarray(x.astype(TYPES[v.type.tensor_type.elem_type])))


def run(graph, given, out):
    values = {v.name: np.load(os.path.join(given, v.name + '.npy')) for v in graph.input}
    with np.errstate(over='ignore'):
        values = evaluate(graph, values)
    os.makedirs(out, exist_ok=True)
    for v in graph.output:
        y = values[v.name]
        if y.dtype != TYPES[v.type.tensor_type.elem_type] or y.ndim != len(v.type.tensor_type.shape.dim) or not np.isfinite(y).all():
            refuse(f'{v.name} is {y.dtype} of rank {y.ndim}, or not finite')
        np.save(os.path.join(out, v.name + '.npy'), np.ascontiguousarray(y))


if len(sys.argv) >= 4 and sys.argv[1] == 'inputs':
    inputs(load(sys.argv[2]), sys.argv[3], dict(a.split('=') for a in sys.argv[4:]))
elif len(sys.argv) == 5 and sys.argv[1] == 'run':
    run(load(sys.argv[2]), sys.argv[3], sys.argv[4])
else:
    sys.exit(__doc__)
