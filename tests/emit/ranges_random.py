#!/usr/bin/env python3
"""Random chains of operators whose kernels have guards (Concat, Pad, Slice, Expand, ReduceSum, Split, pools ..), as one graph.
usage: ranges_random.py SEED CHAINS"""
import math
import random
import sys

CELLS = 200000  # most of a tensor
RANK = 6


class Graph:
    def __init__(self, seed):
        self.random = random.Random(seed)
        self.inputs, self.body = [], []

    def input(self, shape):
        self.inputs.append(list(shape))
        return f"x{len(self.inputs) - 1}"

    def node(self, text):
        self.body.append(text)
        return f"t{len(self.body) - 1}"


def tup(v):
    return "(" + ", ".join(map(str, v)) + ("," if len(v) == 1 else "") + ")"


def concat(g, v, s):
    axis, total, parts = g.random.randrange(len(s)), 0, []
    own = g.random.randrange(2)
    for i in range(g.random.randint(2, 5)):
        part = list(s)
        if i != own:
            part[axis] = g.random.choice([1, 1, 2, 3, 5, 8, 17, 33])
        parts.append(v if i == own else g.input(part))
        total += part[axis]
    return g.node(f"Concat({', '.join(parts)}, axis={axis})"), s[:axis] + [total] + s[axis + 1:]


def pad(g, v, s):
    mode = g.random.choice(["constant", "edge", "reflect"])
    before = [g.random.choice([0, 0, 1, 2]) for _ in s]
    after = [g.random.choice([0, 0, 1, 3]) for _ in s]
    if mode == "reflect":
        before, after = [min(x, d - 1) for x, d in zip(before, s)], [min(x, d - 1) for x, d in zip(after, s)]
    return g.node(f'Pad({v}, pads={tup(before + after)}, mode="{mode}")'), [sum(x) for x in zip(before, s, after)]


def cut(g, v, s):
    starts = [g.random.randrange(d) for d in s]
    sizes = [g.random.randint(1, d - a) for a, d in zip(starts, s)]
    return g.node(f"Slice({v}, starts={tup(starts)}, steps={tup([1] * len(s))}, sizes={tup(sizes)})"), sizes


def expand(g, v, s):
    t = [g.random.choice([d, 2, 3]) if d == 1 else d for d in s]
    return g.node(f"Expand({v}, shape={tup(t)})"), t


def reduce_sum(g, v, s):
    axis = g.random.randrange(len(s))
    return g.node(f"ReduceSum({v}, axes=({axis},), keepdims=1)"), s[:axis] + [1] + s[axis + 1:]


def reshape(g, v, s):
    left, t = math.prod(s), []
    for _ in range(g.random.randint(1, 3)):
        t.append(g.random.choice([d for d in range(1, left + 1) if left % d == 0]))
        left //= t[-1]
    return g.node(f"Reshape({v}, shape={tup(t + [left])})"), t + [left]


def transpose(g, v, s):
    perm = list(range(len(s)))
    g.random.shuffle(perm)
    return g.node(f"Transpose({v}, perm={tup(perm)})"), [s[i] for i in perm]


def split(g, v, s):
    axis = max(range(len(s)), key=lambda i: (s[i] > 1, g.random.random()))
    if s[axis] < 2:
        return g.node(f"Neg({v})"), s
    n = g.random.randint(1, s[axis] - 1)
    side = g.random.randrange(2)
    t = g.node(f"Split({v}, axis={axis}, split=({n}, {s[axis] - n}))")
    return f"{t}[{side}]", s[:axis] + [[n, s[axis] - n][side]] + s[axis + 1:]


def pool(g, v, s):
    if len(s) != 4 or min(s[2:]) < 3:
        return g.node(f"Relu({v})"), s
    how = g.random.choice(["MaxPool({}, {})", "AveragePool({}, {})", "AveragePool({}, {}, count_include_pad=1)"])
    return g.node(how.format(v, "kernel_shape=(3, 3), pads=(1, 1, 1, 1)")), s


def chain(g):
    rank = g.random.choice([1, 2, 3, 3, 4, 4])
    s = [g.random.choice([1, 1, 2, 3, 4, 5, 7, 16, 31, 60]) for _ in range(rank)]
    if g.random.random() < 0.2:
        s = [1, g.random.choice([300, 900, 2400]), 2]
    v = g.input(s)
    for _ in range(g.random.randint(1, 5)):
        step = g.random.choice([concat, concat, pad, pad, cut, expand, reduce_sum, reshape, transpose, split, pool])
        if math.prod(s) > CELLS // 8 and step is not cut:
            break
        t = step(g, v, s)
        if math.prod(t[1]) > CELLS or len(t[1]) > RANK:
            break
        v, s = t
    return v


g = Graph(int(sys.argv[1]))
outs = [chain(g) for _ in range(int(sys.argv[2]))]
print("graph random {")
for i, s in enumerate(g.inputs):
    print(f"    input x{i} : f32[{', '.join(map(str, s))}]")
for i, text in enumerate(g.body):
    print(f"    t{i} = {text}")
print("    return " + ", ".join(f"y{i} = {v}" for i, v in enumerate(outs)) + "\n}")
