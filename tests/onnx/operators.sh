#!/usr/bin/env bash
# The operators that the models of the zoo do not use, in one model, and a LeNet at opset 18 as converters write it:
# text, ONNX and text again are the same graph, and the emitted C computes bit for bit what the interpreter does. With
# `checker` only: onnx.checker takes the files (of the opsets that it knows).
# usage: tests/onnx/operators.sh BUILD [checker]
cd "$(dirname "$0")/../.."
B=${1:-.build}
. tests/lib.sh
if [ "${2:-}" = checker ]; then
    need_onnx
    for G in operators lenet; do
        expect "$G: to ONNX" 0 "$CALQUE" opt tests/onnx/$G.graph --rule dropout_removal -o "$TMP/a.onnx"
        expect "$G: onnx.checker" 0 "$PY" -c 'import onnx,sys
m = onnx.load(sys.argv[1])
if m.opset_import[0].version <= onnx.defs.onnx_opset_version(): onnx.checker.check_model(m, full_check=True)' "$TMP/a.onnx"
    done
    finish
fi
for G in operators lenet; do
    D=$TMP/$G
    mkdir "$D"
    expect "$G: run" 0 "$CALQUE" run tests/onnx/$G.graph --random 3 --save-inputs -o "$D/want"
    in=()
    for i in x y; do
        [ -f "$D/want/$i.npy" ] && grep -q "input $i:" tests/onnx/$G.graph && in+=("$i=$D/want/$i.npy")
    done
    expect "$G: to ONNX" 0 "$CALQUE" opt tests/onnx/$G.graph --rule dropout_removal -o "$D/a.onnx"
    expect "$G: to text" 0 "$CALQUE" opt tests/onnx/$G.graph --rule dropout_removal -o "$D/a.graph"
    expect "$G: ONNX to text" 0 "$CALQUE" opt "$D/a.onnx" --rule dropout_removal -o "$D/b.graph"
    sed -i 's/^graph [a-z]*.*{/graph g {/' "$D/a.graph" "$D/b.graph" # the model's other fields
    expect "$G: the same text" 0 cmp "$D/a.graph" "$D/b.graph"
    expect "$G: run ONNX" 0 "$CALQUE" run "$D/a.onnx" "${in[@]}" --compare "$D/want" --rtol 0 --atol 0
    for o in "" --no-fuse; do
        expect "$G: emit $o" 0 "$CALQUE" emit "$D/a.onnx" -o "$D/c$o" --main $o
        expect "$G: compile $o" 0 make -s -C "$D/c$o"
        expect "$G: run emitted $o" 0 "$D/c$o/model" -o "$D/got$o" "${in[@]}"
        expect "$G: emitted C = interpreter $o" 0 "$CALQUE" run tests/onnx/$G.graph "${in[@]}" --compare "$D/got$o" --rtol 0 --atol 0
    done
done
finish
