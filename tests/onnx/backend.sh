#!/usr/bin/env bash
# Test vectors and backends: `calque-oracle vectors` writes the same folders from the same seed; `calque run` as a backend
# (run_backend.py) agrees with the oracle on every operator and on graphs of several; a backend that is wrong in a known way is
# found, with the verdict that it deserves, and the minimal case that is written fails again. With `checker`, ONNX's own checker takes the models
# and its numpy side reads the tensors. usage: tests/onnx/backend.sh BUILD [checker]
set -u
cd "$(dirname "$0")/../.."
B=${1:-.build}
. tests/lib.sh
ORACLE=$(cd "$(dirname "$B/calque-oracle")" && pwd)/calque-oracle
export TMPDIR=$TMP/tmp # cases of ours alone
mkdir "$TMPDIR"
ln -s "$PWD/tests/onnx/run_backend.py" "$TMP/backend"
BACKEND="'$TMP/backend' '$CALQUE'" # a name of our own
[ -x "$ORACLE" ] || { echo "SKIP $ORACLE is missing (make oracle)"; exit 77; }
cd "$TMP" || exit 3

if [ "${2-}" = checker ]; then
    need_onnx
    expect "vectors" 0 "$ORACLE" vectors -o v --count 300 --graphs 10
    expect "every model is checked, every tensor read" 0 "$PY" - <<'P'
import glob, json, numpy, onnx, onnx.checker
from onnx import numpy_helper
known, cases = onnx.defs.onnx_opset_version(), json.load(open("v/manifest.json"))["cases"]
checked, ratios, endless = 0, [], 0
for c in cases:
    folder = "v/" + c["folder"]
    m = onnx.load(folder + "/model.onnx")
    if m.opset_import[0].version <= known:
        # The shapes of ceil_mode that ONNX 1.12 infers have windows that begin behind the input; later ones have not.
        ceil = any(a.name == "ceil_mode" and a.i for n in m.graph.node for a in n.attribute)
        onnx.checker.check_model(m, full_check=not ceil)
        checked += 1
    for what, values in (("input", m.graph.input), ("output", m.graph.output)):
        for k, v in enumerate(values):
            t = onnx.load_tensor("%s/test_data_set_0/%s_%d.pb" % (folder, what, k))
            a = numpy_helper.to_array(t)
            assert t.name == v.name and list(a.shape) == [d.dim_value for d in v.type.tensor_type.shape.dim], folder
            assert t.data_type == v.type.tensor_type.elem_type, folder
    for k, o in enumerate(c["outputs"]):
        if o["tolerance"]:
            t = numpy_helper.to_array(onnx.load_tensor("%s/test_data_set_0/%s" % (folder, o["tolerance"])))
            y = numpy_helper.to_array(onnx.load_tensor("%s/test_data_set_0/output_%d.pb" % (folder, k)))
            assert t.dtype == numpy.float64 and t.shape == y.shape and (t >= 0).all(), folder
            some = numpy.isfinite(y) & (y != 0)
            endless += int((some & numpy.isinf(t)).sum())
            ratios += list((t[some] / abs(y[some].astype(numpy.float64))))
print(checked, "models checked of", len(cases))
assert checked >= 250
# Tolerances that say something: half of them below 3e-6 of the value, nine of ten below 1e-3, few (where squares overflow or underflow) without a bound.
ratios.sort()
print("tolerance by value: median %.1e, 90%% below %.1e, %d of %d without a bound" % (ratios[len(ratios) // 2], ratios[len(ratios) * 9 // 10], endless, len(ratios)))
assert len(ratios) > 1000 and ratios[len(ratios) // 2] < 3e-6 and ratios[len(ratios) * 9 // 10] < 1e-3 and endless * 25 < len(ratios)
P
    tail -n 1 "$TMP/out"
    finish
fi

expect "vectors" 0 "$ORACLE" vectors -o v --count 100 --graphs 20 --seed 3
expect "vectors again" 0 "$ORACLE" vectors -o w --count 100 --graphs 20 --seed 3
diff -r v w >/dev/null && pass "the same from the same seed" || fail "the same from the same seed"
expect "vectors of another seed" 0 "$ORACLE" vectors -o x --count 100 --graphs 20 --seed 4
diff -r v x >/dev/null && fail "others from another seed" || pass "others from another seed"
[ "$(find v -name model.onnx | wc -l)" = 100 ] && [ "$(json v/manifest.json 'len(a["cases"])')" = 100 ] && pass "100 folders" || fail "100 folders"
[ "$(find v -name 'tolerance_*.pb' | wc -l)" -gt 20 ] && pass "tolerances" || fail "tolerances"
json v/manifest.json 'sorted({o["class"] for c in a["cases"] for o in c["outputs"]})' | grep -qxF "['exact', 'library', 'reassociated']" &&
    pass "all classes" || fail "all classes"

# backend NAME STATUS PATTERN WRONG OPTIONS..: the exit status, and a line of the report
backend() {
    local name=$1 want=$2 pattern=$3 wrong=$4
    shift 4
    expect "$name" "$want" timeout 100 "$ORACLE" diff --against-backend "$BACKEND $wrong" --timeout ${SECONDS_MAX:-10} -o "$TMP/some.cases" "$@" || { head -n 30 "$TMP/out"; return 1; }
    grep -qE "$pattern" "$TMP/out" && pass "$name: the verdict" || { fail "$name: no line has $pattern"; head -n 5 "$TMP/out"; }
}
backend "calque run, every operator" 0 ' 240 cases: 2[23][0-9] equal, .* 0 differ, 0 crashed, 0 hung, 0 garbage, 0 stopped' "" --count 240
[ "$(sed -n 's/^covered: //p' "$TMP/out" | tr ',' '\n' | sed 's/^ //' | grep -cE '^[A-Za-z]+ [0-9]+$')" -ge 70 ] &&
    pass "70 operators at least" || fail "70 operators at least"
backend "calque run, graphs" 0 ' 60 cases: [45][0-9] equal, .* 0 differ, 0 crashed' "" --count 60 --graphs 100 --seed 5
# Graphs of the other generator, as requests, and as vectors.
mkdir graphs
"$(dirname "$CALQUE")/tests/tensor/model_graphs" 86 9 graphs >"$TMP/out" || fail "model_graphs"
for g in graphs/*.graph; do "$CALQUE" dump "$g" --format=sexp --data --random 1; echo; done >requests
backend "calque run, graphs as requests" 0 ' 86 cases: [78][0-9] equal, .* 0 differ, 0 crashed' "" --requests requests
awk -v RS= 'NR <= 3 { print $0 "\n" }' requests >few
expect "vectors of requests" 0 "$ORACLE" vectors -o y --requests few
[ "$(find y -name model.onnx | wc -l)" = 3 ] && pass "3 folders" || fail "3 folders"
echo "(graph" >none
expect_error "no model" "none: model 1: " "$ORACLE" vectors -o z --requests none
backend "one unit off" 1 '^differ: case' ulp --count 240 --seed 5 --folders "$TMP/found"
grep -qE ' [1-9][0-9]* within, ' "$TMP/out" && pass "within, for Exp" || fail "within, for Exp"
ls found | grep -q '^differ_Add' && pass "differs, for Add" || fail "differs, for Add"
ls found | grep -q '_Exp_' && fail "Exp is not reported" || pass "Exp is not reported"
f=$(find found -maxdepth 1 -name 'differ_Add*' | head -n 1)
[ -s "$f/model.onnx" ] && [ -s "$f/test_data_set_0/output_0.pb" ] && [ -s "$f/got/output_0.pb" ] && ! cmp -s "$f/test_data_set_0/output_0.pb" "$f/got/output_0.pb" &&
    pass "the folder of a minimal case" || fail "the folder of a minimal case"
backend "its minimal cases fail again" 1 '^differ: ' ulp --cases "$TMP/some.cases"
backend "and pass without the error" 0 ' 0 differ, ' "" --cases "$TMP/some.cases"
backend "0.1% off" 1 '^differ: case' rough --count 80 --stop-after 3
backend "-0 as 0" 1 '^differ: case' zero --count 160 --seed 2 --stop-after 2
backend "NaN as 1" 1 '^differ: case' nan --count 160 --stop-after 2
backend "another shape" 1 'another type|^garbage: case' shape --count 60 --stop-after 2
backend "a cell is missing" 1 '^garbage: case' short --count 20 --stop-after 2
backend "a crash" 1 '^crashed: case' crash --count 20
SECONDS_MAX=2 backend "no answer" 1 '^hung: case' hang --count 20 --stop-after 1
backend "a status at the end" 1 'at the end of the requests: exit status 3' stop --count 10
[ -z "$(ls -d "$TMPDIR"/* 2>/dev/null)" ] && pass "no case is left" || fail "cases are left: $(ls "$TMPDIR")"
pgrep -f "$TMP.*hang\$" >/dev/null && fail "a process is left" || pass "no process is left"
for args in "attr --against-backend true" "attr --against true --against-backend true" "" "--against true"; do
    expect "usage: $args" 2 "$ORACLE" diff $args
done
finish
