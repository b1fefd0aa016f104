#!/usr/bin/env python3
"""quantise.py [--qdq] CALQUE MODEL.onnx OUT.onnx: the model with its convolutions as QLinearConv on uint8 (weights int8, a scale for each
channel; biases int32), as quantisers write them (the ranges of a run on random inputs); Clip in the range of what is stored;
what is no convolution between DequantizeLinear and QuantizeLinear. --qdq: the convolutions too, each with DequantizeLinear of its own."""
import os
import subprocess
import sys
import tempfile

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

qdq = sys.argv[1] == '--qdq'
calque, source, target = sys.argv[1 + qdq:4 + qdq]
model = onnx.load(source)
graph = model.graph
for v in list(graph.input) + list(graph.output):
    for d in v.type.tensor_type.shape.dim:
        if not d.HasField('dim_value'):
            d.dim_value = 1
weights = {t.name: numpy_helper.to_array(t) for t in graph.initializer}
for n in graph.node:
    if n.op_type == 'Constant':
        weights[n.output[0]] = numpy_helper.to_array(n.attribute[0].t)
nodes = [n for n in graph.node if n.op_type != 'Constant']
users = {}
for n in nodes:
    for x in n.input:
        users.setdefault(x, []).append(n)


def ranges():
    """Of each value that a Conv, a Clip or an Add gives, and of the input: least and greatest of a run."""
    probe = onnx.ModelProto()
    probe.CopyFrom(model)
    names = [n.output[0] for n in nodes if n.op_type in ('Conv', 'Clip', 'Add')]
    del probe.graph.output[:]
    probe.graph.output.extend(helper.make_empty_tensor_value_info('q%d' % k) for k in range(len(names)))
    for k, name in enumerate(names):
        probe.graph.node.append(helper.make_node('Identity', [name], ['q%d' % k]))
    with tempfile.TemporaryDirectory() as d:
        onnx.save(probe, d + '/probe.onnx')
        subprocess.run([calque, 'run', d + '/probe.onnx', '--random', '7', '--save-inputs', '-o', d + '/run'], check=True, stdout=subprocess.DEVNULL)
        found = {name: np.load('%s/run/q%d.npy' % (d, k)) for k, name in enumerate(names)}
        found[graph.input[0].name] = np.load('%s/run/%s.npy' % (d, graph.input[0].name))
    return {n: (min(0.0, float(x.min())), max(0.0, float(x.max()))) for n, x in found.items()}


span = ranges()
out, constants, quantised = [], [], {}


def constant(name, x):
    constants.append(numpy_helper.from_array(np.asarray(x), name))
    return name


def parameters(name):
    """Names of scale and zero point of a value, and the scale."""
    lo, hi = span[name]
    scale = np.float32((hi - lo) / 255 or 1)
    key = 'q/' + name
    if key not in {t.name for t in constants}:
        constant(key, scale)
        constant(key + '/zero', np.uint8(np.clip(np.rint(-lo / scale), 0, 255)))
    return key, key + '/zero', scale


def as_bytes(name):
    """The value as uint8."""
    if name not in quantised:
        scale, zero, _ = parameters(name)
        quantised[name] = name + '/u8'
        out.append(helper.make_node('QuantizeLinear', [name, scale, zero], [quantised[name]]))
    return quantised[name]


floats = {graph.input[0].name}


def as_floats(name):
    if name not in floats:
        scale, zero, _ = parameters(name)
        out.append(helper.make_node('DequantizeLinear', [quantised[name], scale, zero], [name]))
        floats.add(name)
    return name


def dequantised(name, x, scale, zero=None):
    """The values that x stands for, along dimension 0 if there are several scales."""
    out.append(helper.make_node('DequantizeLinear', [x, scale] + ([zero] if zero else []), [name], axis=0))
    return name


def convolution(n):
    """QLinearConv, or Conv of dequantised operands, in the range of the Clip behind it if that is its only user."""
    y, x = n.output[0], n.input[0]
    data = as_bytes(x)
    follow = users.get(y, [])
    if len(follow) == 1 and follow[0].op_type == 'Clip':
        follow[0].op_type = 'Done'
        y = follow[0].output[0]
        span[y] = (0.0, float(weights[follow[0].input[2]]))
    w = weights[n.input[1]]
    scales = np.maximum(np.abs(w).max(axis=(1, 2, 3)) / 127, 1e-8).astype('f4')
    w8 = np.clip(np.rint(w / scales[:, None, None, None]), -127, 127).astype('i1')
    (sx, zx, scale_x), (sy, zy, _) = parameters(x), parameters(y)
    ins = [data, sx, zx, constant(n.input[1] + '/i8', w8), constant(n.input[1] + '/scale', scales),
           constant(n.input[1] + '/zero', np.zeros(len(scales), 'i1')), sy, zy]
    if len(n.input) > 2:
        ins.append(constant(n.input[2] + '/i32', np.rint(weights[n.input[2]] / (scales * scale_x)).astype('i4')))
    quantised[y] = y + '/u8'
    if qdq:
        floats_in = [dequantised(y + '/x', *ins[0:3]), dequantised(y + '/w', *ins[3:6])]
        if len(n.input) > 2:
            floats_in.append(dequantised(y + '/b', ins[8], constant(n.input[2] + '/scale', scales * scale_x)))
        node = helper.make_node('Conv', floats_in, [y + '/sum'])
        node.attribute.extend(n.attribute)
        out.append(node)
        out.append(helper.make_node('QuantizeLinear', [y + '/sum', sy, zy], [quantised[y]]))
        return
    node = helper.make_node('QLinearConv', ins, [quantised[y]])
    node.attribute.extend(n.attribute)
    out.append(node)


for n in nodes:
    if n.op_type == 'Conv':
        convolution(n)
    elif n.op_type != 'Done':
        for x in n.input:
            if x not in weights and x not in floats:
                as_floats(x)
            elif x in weights and x not in {t.name for t in constants}:
                constant(x, weights[x])
        out.append(n)
        floats.update(n.output)
made = helper.make_graph(out, graph.name, graph.input, graph.output, constants)
result = helper.make_model(made, opset_imports=model.opset_import, ir_version=8)
onnx.checker.check_model(result)
onnx.save(result, target)
print('%d convolutions of bytes' % sum(n.op_type in ('QLinearConv', 'Conv') for n in out))
