"""Training steps by `calque grad MODEL --value`, emitted as C, against the same steps by hand in numpy (float64): the loss
must fall, and at each step by the same amount to 1e-4. usage: train.py CALQUE DIR CC"""
import ctypes
import re
import subprocess
import sys

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

CALQUE, DIR, CC = sys.argv[1:]
STEPS = 40


class Tensor(ctypes.Structure):
    _fields_ = [("name", ctypes.c_char_p), ("type", ctypes.c_char_p), ("rank", ctypes.c_int), ("dim", ctypes.c_long * 8),
                ("bytes", ctypes.c_size_t)]


def table(lib, name, header, what):
    """Names and shapes of a table, whose length the header has."""
    n = int(re.search(rf"_{what.upper()}S = (\d+)", header).group(1))
    return [(x.name.decode(), list(x.dim[:x.rank])) for x in (Tensor * n).in_dll(lib, f"{name}_{what}")]


class Step:
    """loss and gradients of a model with respect to its initializers."""

    def __init__(self, name, nodes, data, weights):
        inputs = [helper.make_tensor_value_info(k, TensorProto.FLOAT, v.shape) for k, v in data.items()]
        graph = helper.make_graph(nodes, name, inputs, [helper.make_tensor_value_info("loss", TensorProto.FLOAT, [])],
                                  [numpy_helper.from_array(v.astype(np.float32), k) for k, v in weights.items()])
        model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)])
        onnx.checker.check_model(model)
        onnx.save(model, f"{DIR}/{name}.onnx")
        subprocess.run([CALQUE, "grad", f"{DIR}/{name}.onnx", "--wrt", ",".join(weights), "--value", "--emit",
                        f"{DIR}/{name}", "--name", name], check=True, stdout=subprocess.DEVNULL)
        subprocess.run([CC, "-O2", "-std=c11", "-ffp-contract=off", "-fopenmp", "-shared", "-fPIC", f"{DIR}/{name}/{name}.c",
                        "-lm", "-o", f"{DIR}/{name}.so"], check=True)
        self.lib = ctypes.CDLL(f"{DIR}/{name}.so")
        self.run = getattr(self.lib, f"{name}_run")
        header = open(f"{DIR}/{name}/{name}.h").read()
        self.ins, self.outs = table(self.lib, name, header, "input"), table(self.lib, name, header, "output")
        self.data = {**data, **{n.output[0]: numpy_helper.to_array(n.attribute[0].t) for n in nodes if n.op_type == "Constant"}}

    def __call__(self, weights):
        given = {**self.data, **weights, "dloss": np.ones(1)}
        ins = [np.ascontiguousarray(given[n], dtype=np.float32) for n, _ in self.ins]
        outs = [np.full(d, np.nan, np.float32) for _, d in self.outs]
        point = lambda a: (ctypes.c_void_p * len(a))(*[x.ctypes.data for x in a])
        if self.run(point(ins), point(outs), None) != 0:
            sys.exit("out of memory")
        got = {n: x for (n, _), x in zip(self.outs, outs)}
        return float(got["loss"].reshape(())), {n: got["d" + n] for n in weights}


def mlp_by_hand(d, w):
    h1 = d["x"] @ w["W1"] + w["b1"]
    a1 = np.maximum(h1, 0)
    h2 = a1 @ w["W2"] + w["b2"]
    a2 = np.tanh(h2)
    z = a2 @ w["W3"] + w["b3"]
    e = np.exp(z - z.max(1, keepdims=True))
    p = e / e.sum(1, keepdims=True)
    loss = -(d["t"] * np.log(p)).sum() / len(z)
    dz = (p * d["t"].sum(1, keepdims=True) - d["t"]) / len(z)
    dh2 = dz @ w["W3"].T * (1 - a2 * a2)
    dh1 = dh2 @ w["W2"].T * (h1 >= 0)
    return loss, {"W1": d["x"].T @ dh1, "b1": dh1.sum(0), "W2": a1.T @ dh2, "b2": dh2.sum(0), "W3": a2.T @ dz, "b3": dz.sum(0)}


def mlp(rng):
    data = {"x": rng.standard_normal((16, 6)), "t": np.eye(4)[rng.integers(0, 4, 16)]}
    weights = {"W1": rng.standard_normal((6, 12)) * 0.4, "b1": rng.standard_normal(12) * 0.1,
               "W2": rng.standard_normal((12, 10)) * 0.4, "b2": rng.standard_normal(10) * 0.1,
               "W3": rng.standard_normal((10, 4)) * 0.4, "b3": np.zeros(4)}
    node = helper.make_node
    nodes = [node("Gemm", ["x", "W1", "b1"], ["h1"]), node("Relu", ["h1"], ["a1"]), node("MatMul", ["a1", "W2"], ["m2"]),
             node("Add", ["m2", "b2"], ["h2"]), node("Tanh", ["h2"], ["a2"]), node("Gemm", ["a2", "W3", "b3"], ["z"]),
             node("Softmax", ["z"], ["p"], axis=1), node("Log", ["p"], ["lp"]), node("Mul", ["lp", "t"], ["lt"]),
             node("ReduceSum", ["lt"], ["s"], keepdims=0), node("Constant", [], ["n"], value=numpy_helper.from_array(
                 np.array(-16, np.float32))), node("Div", ["s", "n"], ["loss"])]
    return "mlp", nodes, data, weights, mlp_by_hand, 0.5


def windows(x, k):
    return np.lib.stride_tricks.sliding_window_view(x, (k, k), axis=(2, 3))


def conv(x, w, b, pad):
    x = np.pad(x, ((0, 0), (0, 0), (pad, pad), (pad, pad)))
    return np.einsum("ncpqij,ocij->nopq", windows(x, w.shape[2]), w) + b[:, None, None]


def conv_back(x, w, dy, pad):
    """dw, db, dx"""
    k = w.shape[2]
    xp = np.pad(x, ((0, 0), (0, 0), (pad, pad), (pad, pad)))
    dxp = np.zeros_like(xp)
    for i in range(k):
        for j in range(k):
            dxp[:, :, i:i + dy.shape[2], j:j + dy.shape[3]] += np.einsum("nopq,oc->ncpq", dy, w[:, :, i, j])
    dx = dxp[:, :, pad:dxp.shape[2] - pad, pad:dxp.shape[3] - pad]
    return np.einsum("nopq,ncpqij->ocij", dy, windows(xp, k)), dy.sum((0, 2, 3)), dx


def net_by_hand(d, w):
    c1 = conv(d["x"], w["K1"], w["c1"], 1)
    r1 = np.maximum(c1, 0)
    n, c, h, v = r1.shape
    cells = r1.reshape(n, c, h // 2, 2, v // 2, 2)
    m = cells.max((3, 5), keepdims=True)
    c2 = conv(m.reshape(n, c, h // 2, v // 2), w["K2"], w["c2"], 0)
    r2 = np.maximum(c2, 0)
    f = r2.reshape(n, -1)
    e = f @ w["W"].T + w["b"] - d["t"]
    loss = (e * e).mean()
    de = 2 * e / e.size
    dr2 = (de @ w["W"]).reshape(r2.shape)
    dK2, dc2, dm = conv_back(m.reshape(n, c, h // 2, v // 2), w["K2"], dr2 * (c2 >= 0), 0)
    top = cells == m
    dcells = top / top.sum((3, 5), keepdims=True) * dm.reshape(m.shape)
    dK1, dc1, _ = conv_back(d["x"], w["K1"], dcells.reshape(r1.shape) * (c1 >= 0), 1)
    return loss, {"K1": dK1, "c1": dc1, "K2": dK2, "c2": dc2, "W": de.T @ f, "b": de.sum(0)}


def net(rng):
    data = {"x": rng.standard_normal((4, 2, 8, 8)), "t": rng.standard_normal((4, 3))}
    weights = {"K1": rng.standard_normal((5, 2, 3, 3)) * 0.3, "c1": rng.standard_normal(5) * 0.1,
               "K2": rng.standard_normal((6, 5, 3, 3)) * 0.2, "c2": rng.standard_normal(6) * 0.1,
               "W": rng.standard_normal((3, 24)) * 0.2, "b": np.zeros(3)}
    node = helper.make_node
    nodes = [node("Conv", ["x", "K1", "c1"], ["y1"], pads=[1, 1, 1, 1]), node("Relu", ["y1"], ["r1"]),
             node("MaxPool", ["r1"], ["m1"], kernel_shape=[2, 2], strides=[2, 2]), node("Conv", ["m1", "K2", "c2"], ["y2"]),
             node("Relu", ["y2"], ["r2"]), node("Flatten", ["r2"], ["f"]), node("Gemm", ["f", "W", "b"], ["o"], transB=1),
             node("Sub", ["o", "t"], ["e"]), node("Mul", ["e", "e"], ["e2"]), node("ReduceMean", ["e2"], ["loss"], keepdims=0)]
    return "net", nodes, data, weights, net_by_hand, 0.1


def train(name, nodes, data, weights, by_hand, rate):
    step = Step(name, nodes, data, weights)
    data = {k: v.astype(np.float32).astype(np.float64) for k, v in data.items()}
    mine = {k: v.astype(np.float32) for k, v in weights.items()}
    theirs = {k: v.astype(np.float64) for k, v in mine.items()}
    losses, worst, gradient = [], 0.0, 0.0
    for _ in range(STEPS):
        loss, grad = step(mine)
        want, dwant = by_hand(data, theirs)
        losses.append((loss, want))
        for k in mine:
            gradient = max(gradient, np.abs(grad[k].reshape(dwant[k].shape) - dwant[k]).max())
            mine[k] = (mine[k] - np.float32(rate) * grad[k].reshape(mine[k].shape)).astype(np.float32)
            theirs[k] = theirs[k] - rate * dwant[k]
    for (a0, b0), (a1, b1) in zip(losses, losses[1:]):
        worst = max(worst, abs((a0 - a1) - (b0 - b1)))
    fell = losses[0][0] - losses[-1][0]
    ok = worst <= 1e-4 and gradient <= 1e-4 and abs(losses[-1][0] - losses[-1][1]) <= 1e-4 and fell > 0.3 * losses[0][0]
    print(f"{'PASS' if ok else 'FAIL'} {name}: {STEPS} steps, loss {losses[0][0]:.6f} -> {losses[-1][0]:.6f}, falls differ by at "
          f"most {worst:.2g}, gradients by {gradient:.2g}")
    return ok


good = [train(*model(np.random.default_rng(7))) for model in (mlp, net)]
sys.exit(0 if all(good) else 1)
