#!/usr/bin/env bash
# A model with 3 GB of weights in another file: run, rewritten, emitted, compiled and run again, with the same bits. Takes 10 GB
# below TMPDIR and of memory, and two minutes; no part of `make check`.
# usage: large.sh BUILD
cd "$(dirname "$0")/../.."
B=${1:-.build}
. tests/lib.sh
need_onnx
expect "the model is made" 0 "$PY" - "$TMP" <<'E2'
import sys
import numpy as np
from onnx import TensorProto, helper
n, bytes_of, parts, nodes = 16384, 4 * 16384 * 16384, [], []
with open(sys.argv[1] + '/large.data', 'wb') as f:
    f.truncate(3 * bytes_of)
    for k in range(3):
        part = TensorProto(name='w%d' % k, data_type=1, dims=[n, n], data_location=TensorProto.EXTERNAL)
        for key, value in ('location', 'large.data'), ('offset', k * bytes_of), ('length', bytes_of):
            part.external_data.add(key=key, value=str(value))
        for row in range(0, n, 1000): # cells of each part, also beyond 2^31 and 2^32 bytes of the file; the rest is 0
            f.seek(k * bytes_of + 4 * (row * n + (row * 7 + k) % n))
            f.write(np.float32(row / 1000 - 3.3 + k).tobytes())
        parts.append(part)
        nodes.append(helper.make_node('MatMul', ['y%d' % k if k else 'x', part.name], ['y%d' % (k + 1)]))
        nodes.append(helper.make_node('Add', ['y%d' % (k + 1), 'x'], ['y%d' % (k + 1) + 's']))
        nodes[-2].output[0], nodes[-1].input[0], nodes[-1].output[0] = 'p%d' % k, 'p%d' % k, 'y%d' % (k + 1)
values = [helper.make_tensor_value_info(name, 1, [1, n]) for name in ('x', 'y3')]
model = helper.make_model(helper.make_graph(nodes, 'large', values[:1], values[1:], parts), opset_imports=[helper.make_opsetid('', 13)])
model.ir_version = 8
open(sys.argv[1] + '/large.onnx', 'wb').write(model.SerializeToString())
E2
expect "run" 0 "$CALQUE" run "$TMP/large.onnx" --random 1 --save-inputs -o "$TMP/want"
expect "opt" 0 "$CALQUE" opt "$TMP/large.onnx" -o "$TMP/opt.onnx"
[ "$(stat -c %s "$TMP/opt.onnx.data")" -ge $((3 << 30)) ] && pass "its data are in another file" || fail "opt.onnx.data is small"
expect "what opt wrote: the same bits" 0 "$CALQUE" run "$TMP/opt.onnx" x="$TMP/want/x.npy" --compare "$TMP/want" --rtol 0 --atol 0
expect "emit" 0 "$CALQUE" emit "$TMP/large.onnx" -o "$TMP/c" --main --vectors 0
expect "compile" 0 make -s -C "$TMP/c"
expect "the program runs" 0 "$TMP/c/model" x="$TMP/want/x.npy" -o "$TMP/got"
cmp -s "$TMP/got/y3.npy" "$TMP/want/y3.npy" && pass "emitted: the same bits" || fail "emitted: other bits"
finish
