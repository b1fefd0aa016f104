#!/usr/bin/env bash
# What made a model is said in it, and kept when it is rewritten again. usage: metadata.sh BUILD
B=${1:-.build}
cd "$(dirname "$0")/../.."
. tests/lib.sh
need_onnx
printf 'rule twice {\n x = Wildcard()\n source Relu(Relu(x))\n target Relu(x)\n}\n' >"$TMP/twice.gsl"
printf 'graph g {\n input x: f32[2]\n y = Relu(Relu(x))\n return y\n}\n' >"$TMP/twice.graph"
sed 's/target Relu(x)/& \n class exact/' "$TMP/twice.gsl" >"$TMP/exact.gsl"
says() { $PY -c 'import onnx,sys; m=onnx.load(sys.argv[1]); onnx.checker.check_model(m); print({p.key: p.value for p in m.metadata_props}); print([n.doc_string for n in m.graph.node])' "$1"; }
expect "opt to ONNX" 0 "$CALQUE" opt "$TMP/twice.graph" -r "$TMP/exact.gsl" -o "$TMP/once.onnx"
[ "$(says "$TMP/once.onnx")" = "{'calque.rules': 'twice=1', 'calque.class': 'exact'}
['calque twice [exact, not proved]: Relu, y']" ] && pass "metadata and doc_string" || { fail "metadata and doc_string"; says "$TMP/once.onnx"; }
$PY -c 'import onnx,sys; m=onnx.load(sys.argv[1]); m.metadata_props.add(key="author", value="me"); n=m.graph.node.add(); n.op_type="Identity"; n.input.append("y"); n.output.append("z"); n=m.graph.node.add(); n.op_type="Relu"; n.input.append("z"); n.output.append("t"); n=m.graph.node.add(); n.op_type="Relu"; n.input.append("t"); n.output.append("u"); m.graph.output[0].name="u"; onnx.save(m, sys.argv[1])' "$TMP/once.onnx"
expect "opt again" 0 "$CALQUE" opt "$TMP/once.onnx" --set simplify --rule identity_removal -o "$TMP/more.onnx"
expect "opt a third time" 0 "$CALQUE" opt "$TMP/more.onnx" -r "$TMP/twice.gsl" -o "$TMP/again.onnx"
[ "$(says "$TMP/again.onnx" | head -n 1)" = "{'author': 'me', 'calque.rules': 'twice=3,identity_removal=1', 'calque.class': 'real'}" ] &&
    pass "metadata is added to" || { fail "metadata is added to"; says "$TMP/again.onnx"; }
expect "nothing to do" 0 "$CALQUE" opt "$TMP/again.onnx" --exact-only -o "$TMP/same.onnx"
cmp -s "$TMP/again.onnx" "$TMP/same.onnx" && pass "metadata is kept" || fail "metadata is kept"
finish
