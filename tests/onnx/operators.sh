#!/usr/bin/env bash
# The operators that the models of the zoo do not use, in one model: text, ONNX and text again are the same graph,
# onnx.checker takes the file, and the emitted C computes bit for bit what the interpreter does.
# usage: tests/onnx/operators.sh BUILD
cd "$(dirname "$0")/../.."
B=${1:-.build}
. tests/lib.sh
G=tests/onnx/operators.graph
in=(x=$TMP/want/x.npy y=$TMP/want/y.npy)
expect "run" 0 "$CALQUE" run $G --random 3 --save-inputs -o "$TMP/want"
expect "to ONNX" 0 "$CALQUE" opt $G --rule dropout_removal -o "$TMP/a.onnx"
expect "to text" 0 "$CALQUE" opt $G --rule dropout_removal -o "$TMP/a.graph"
expect "ONNX to text" 0 "$CALQUE" opt "$TMP/a.onnx" --rule dropout_removal -o "$TMP/b.graph"
sed -i 's/^graph g.*{/graph g {/' "$TMP/a.graph" "$TMP/b.graph" # the model's other fields
expect "the same text" 0 cmp "$TMP/a.graph" "$TMP/b.graph"
if "$PY" -c 'import onnx' 2>/dev/null; then
    expect "onnx.checker" 0 "$PY" -c 'import onnx,sys; onnx.checker.check_model(onnx.load(sys.argv[1]), full_check=True)' "$TMP/a.onnx"
else
    skip "onnx.checker: no python3-onnx"
fi
expect "run ONNX" 0 "$CALQUE" run "$TMP/a.onnx" "${in[@]}" --compare "$TMP/want" --rtol 0 --atol 0
for o in "" --no-fuse; do
    expect "emit $o" 0 "$CALQUE" emit "$TMP/a.onnx" -o "$TMP/c$o" --main $o
    expect "compile $o" 0 make -s -C "$TMP/c$o"
    expect "run emitted $o" 0 "$TMP/c$o/model" -o "$TMP/got$o" "${in[@]}"
    expect "emitted C = interpreter $o" 0 "$CALQUE" run $G "${in[@]}" --compare "$TMP/got$o" --rtol 0 --atol 0
done
finish
