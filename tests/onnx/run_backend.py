#!/usr/bin/python3
"""`calque run` as a backend for `calque-oracle diff --against-backend`, with nothing but Python: reads names of folders, a line each, with
model.onnx and test_data_set_0/input_K.pb, writes got/output_K.pb there and answers done, unsupported WHY or error WHY.
usage: run_backend.py CALQUE [WRONG]
WRONG: an error on purpose. ulp: the last cell of floats is one unit off where the model has an Add or an Exp; rough: all floats are 0.1% off;
zero: -0 is written as 0; nan: NaN is written as 1; shape: a dimension of 1 more; short: a cell is missing; crash, hang: at a Softmax; stop: at its end."""
import os
import re
import struct
import subprocess
import sys
import time

CODES = {"f32": 1, "u8": 2, "i8": 3, "i32": 6, "i64": 7, "bool": 9, "f64": 11}
NAMES = {c: n for n, c in CODES.items()}
NPY = {"f32": "<f4", "f64": "<f8", "i32": "<i4", "i64": "<i8", "i8": "|i1", "u8": "|u1", "bool": "|b1"}
PACK = {"f32": "<I", "f64": "<Q", "i32": "<i", "i64": "<q", "i8": "<b", "u8": "<B", "bool": "<B"}
NAN = {"f32": 0x7FC00000, "f64": 0x7FF8000000000000}


def varint(n):
    out = bytearray()
    n &= (1 << 64) - 1
    while n > 127:
        out.append(n & 127 | 128)
        n >>= 7
    return bytes(out + bytes([n]))


def number(b, at):
    n = shift = 0
    while True:
        n |= (b[at] & 127) << shift
        shift += 7
        at += 1
        if b[at - 1] < 128:
            return n, at


def tensor(b):
    """Name, element type, dimensions and bytes of a TensorProto with raw data."""
    name, dtype, dims, raw, at = "", "f32", [], b"", 0
    while at < len(b):
        key, at = number(b, at)
        n, at = number(b, at)
        if key & 7 == 2:
            part, at = b[at:at + n], at + n
        if key >> 3 == 1:
            dims.append(n)
        elif key >> 3 == 2:
            dtype = NAMES[n]
        elif key >> 3 == 8:
            name = part.decode()
        elif key >> 3 == 9:
            raw = part
    return name, dtype, dims, raw


def proto(name, dtype, dims, raw):
    text = lambda k, s: varint(k * 8 + 2) + varint(len(s)) + s
    return b"".join(varint(8) + varint(d) for d in dims) + varint(16) + varint(CODES[dtype]) + text(8, name.encode()) + text(9, raw)


def npy(dtype, dims, raw):
    head = "{'descr': '%s', 'fortran_order': False, 'shape': (%s), }" % (NPY[dtype], "".join("%d," % d for d in dims))
    head += " " * (-(len(head) + 11) % 64) + "\n"
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(head)) + head.encode() + raw


def cell(dtype, word):
    if word == "nan":
        return NAN[dtype]
    return int(word, 16) if dtype in NAN else int(word)


def spoiled(wrong, model, dtype, dims, cells):
    """The cells as WRONG has them."""
    if wrong == "ulp" and dtype in NAN and cells and (b"Add" in model or b"Exp" in model):
        cells[-1] ^= 1
    if wrong == "rough" and dtype == "f32":
        for i, c in enumerate(cells):
            x = struct.unpack("<f", struct.pack("<I", c))[0]
            if x == x and abs(x) < 1e38:
                cells[i] = struct.unpack("<I", struct.pack("<f", x * 1.001))[0]
    if wrong == "zero" and dtype == "f32":
        cells = [0 if c == 1 << 31 else c for c in cells]
    if wrong == "nan" and dtype == "f32":
        cells = [0x3F800000 if c == NAN[dtype] else c for c in cells]
    if wrong == "shape" and dims and dims[-1] == 1:
        dims = dims[:-1]
    if wrong == "short" and len(cells) > 1:
        cells = cells[:-1]
    return dims, cells


def run(calque, wrong, folder):
    model = open(folder + "/model.onnx", "rb").read()
    if b"Softmax" in model and wrong == "crash":
        os.abort()
    if b"Softmax" in model and wrong == "hang":
        time.sleep(1000)
    got = folder + "/got"
    os.makedirs(got, exist_ok=True)
    given = []
    for k in range(1000):
        path = "%s/test_data_set_0/input_%d.pb" % (folder, k)
        if not os.path.exists(path):
            break
        name, dtype, dims, raw = tensor(open(path, "rb").read())
        with open("%s/input_%d.npy" % (got, k), "wb") as f:
            f.write(npy(dtype, dims, raw))
        given.append("%s=%s/input_%d.npy" % (name, got, k))
    p = subprocess.run([calque, "run", folder + "/model.onnx", *given, "--text", "--threads", "1"], capture_output=True)
    if p.returncode:
        why = p.stderr.decode(errors="replace").strip().replace("\n", " ")
        return ("unsupported " if "not supported" in why else "error ") + why
    for k, line in enumerate(p.stdout.decode().splitlines()):
        name, dtype, dims, words = re.fullmatch(r'\(output "([^"]*)" \((\w+)([ 0-9]*)\)(.*)\)', line).groups()
        dims, cells = spoiled(wrong, model, dtype, [int(d) for d in dims.split()], [cell(dtype, w) for w in words.split()])
        with open("%s/output_%d.pb" % (got, k), "wb") as f:
            f.write(proto(name, dtype, dims, b"".join(struct.pack(PACK[dtype], c) for c in cells)))
    return "done"


def main():
    calque, wrong = sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else ""
    for line in sys.stdin:
        print(run(calque, wrong, line.rstrip("\n")), flush=True)
    return 3 if wrong == "stop" else 0


if __name__ == "__main__":
    sys.exit(main())
