"""same.py A.onnx B.onnx: the two models have the same nodes: operators, shapes of inputs and outputs, windows, groups, constants
of LRN. Nodes that make weights and the shapes of constants of Reshape are left out. Prints how many, or the difference."""
import collections
import sys

import onnx


def nodes(path):
    model = onnx.shape_inference.infer_shapes(onnx.load(path))
    graph = model.graph
    shape = {t.name: tuple(t.dims) for t in graph.initializer}
    for v in [*graph.input, *graph.output, *graph.value_info]:
        shape[v.name] = tuple(d.dim_value for d in v.type.tensor_type.shape.dim)
    count = collections.Counter()
    for n in graph.node:
        if n.op_type == "ConstantOfShape":
            continue
        # Scales and shifts of one channel dimension may be stored in any way.
        ins = tuple(shape.get(i, ()) for i in n.input)[: 1 if n.op_type in ("Reshape", "BatchNormalization") else None]
        attrs = {a.name: tuple(a.ints) or a.i or round(a.f, 9) for a in n.attribute}
        if n.op_type in ("Conv", "MaxPool", "AveragePool"):
            attrs.setdefault("strides", (1, 1))
            attrs.setdefault("pads", (0, 0, 0, 0))
        keep = ("strides", "pads", "kernel_shape", "group", "alpha", "beta", "bias", "size", "perm", "transB")
        count[n.op_type, ins, tuple(shape.get(o, ()) for o in n.output[:1]), tuple((k, attrs[k]) for k in keep if attrs.get(k))] += 1
    return count


a, b = nodes(sys.argv[1]), nodes(sys.argv[2])
for side, rest in (("only in the first", a - b), ("only in the second", b - a)):
    for k, n in list(rest.items())[:8]:
        print(f"{side}: {n} {k}")
if a == b:
    print(f"{sum(a.values())} nodes")
sys.exit(a != b)
