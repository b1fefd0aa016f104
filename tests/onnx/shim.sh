#!/usr/bin/env bash
# calque_backend.py under ONNX's own runner (onnx.backend.test): the vectors of `calque-oracle vectors`, and some of ONNX's own node tests where
# Debian's package has them; with outputs that are a little off, the runner must fail. Skips (77) without python3-onnx or the oracle.
# usage: tests/onnx/shim.sh BUILD
set -u
cd "$(dirname "$0")/../.."
B=${1:-.build}
. tests/lib.sh
need_onnx
[ -x "$B/calque-oracle" ] || { echo "SKIP $B/calque-oracle is missing (make oracle)"; exit 77; }
export CALQUE PYTHONPATH=$PWD/tests/onnx PYTHONDONTWRITEBYTECODE=1
"$B/calque-oracle" vectors -o "$TMP/v" --count 160 >"$TMP/out" || { cat "$TMP/out"; exit 1; }
cat >"$TMP/runner.py" <<'P'
import os, re, sys, unittest
import numpy
from onnx.backend.test.loader import load_model_tests
from onnx.backend.test.runner import Runner
import calque_backend

numpy.object = object # the runner of ONNX 1.12 has it still, numpy 1.24 no more
vectors, wrong, ran = sys.argv[1], sys.argv[2:] == ["wrong"], [0]

class Backend(calque_backend.CalqueBackend):
    """The same; it counts what it runs, and may be a little off."""
    @classmethod
    def prepare(cls, model, device="CPU", **kwargs):
        rep = super().prepare(model, device, **kwargs)
        run = rep.run
        def counted(inputs, **kwargs):
            out = run(inputs, **kwargs)
            ran[0] += 1
            return type(out)(*[v + numpy.float32(0.01) if wrong and v.dtype == numpy.float32 else v for v in out])
        rep.run = counted
        return rep

runner = Runner(Backend, __name__) # with ONNX's own tests
cases = load_model_tests(data_dir=vectors, kind="node")
for c in cases:
    runner._add_model_test(c, "Vectors")
own = "add|matmul|softmax_axis|reshape|slice|where|relu|batchnorm|split"
runner.include("^(%s|test_(%s)[a-z0-9_]*)_cpu$" % ("|".join(re.escape(c.name) for c in cases), own))
suite = unittest.TestSuite(map(unittest.defaultTestLoader.loadTestsFromTestCase, runner.test_cases.values()))
result = unittest.TextTestRunner(stream=open(os.devnull, "w")).run(suite)
bad = len(result.failures) + len(result.errors)
for t, why in (result.failures + result.errors)[:0 if wrong else 5]:
    print(t, why.strip().splitlines()[-1])
print("%d vectors, %d models run, %d failed" % (len(cases), ran[0], bad))
P
expect "the runner" 0 "$PY" "$TMP/runner.py" "$TMP/v"
cat "$TMP/out"
grep -qE '^160 vectors, (1[6-9][0-9]|[2-9][0-9][0-9]) models run, 0 failed' "$TMP/out" && pass "vectors and ONNX's tests" || fail "vectors and ONNX's tests"
expect "the runner, a little off" 0 "$PY" "$TMP/runner.py" "$TMP/v" wrong
grep -qE ' ([3-9][0-9]|[1-9][0-9][0-9]) failed' "$TMP/out" && pass "what is off fails" || { fail "what is off fails"; cat "$TMP/out"; }
expect "prepare, run_model, supports_device" 0 "$PY" - "$TMP/v" <<'P'
import glob, sys
import numpy, onnx
from onnx import numpy_helper
import calque_backend
assert calque_backend.supports_device("CPU") and not calque_backend.supports_device("CUDA")
folder = glob.glob(sys.argv[1] + "/node/test_add_*")[0]
load = lambda what: numpy_helper.to_array(onnx.load_tensor("%s/test_data_set_0/%s.pb" % (folder, what)))
m = onnx.load(folder + "/model.onnx")
names = [v.name for v in m.graph.input]
given = [load("input_%d" % k) for k in range(len(names))]
want = load("output_0")
for got in (calque_backend.run_model(m, given), calque_backend.prepare(m).run(dict(zip(names, given)))):
    assert got[0].dtype == want.dtype and got[0].shape == want.shape and got[0].tobytes() == want.tobytes()
try:
    calque_backend.prepare(m, "CUDA")
except ValueError:
    pass
else:
    raise AssertionError("a device that is not there")
P
finish
