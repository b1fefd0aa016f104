#!/usr/bin/env bash
# Every architecture of the zoo, small: checked by onnx.checker, optimised, emitted, compiled with gcc and clang, run; bit for bit
# against the interpreter on the optimised model, within 1e-4 of the original.
# usage: run.sh BUILD
B=${1:-.build}
cd "$(dirname "$0")/../.."
. tests/lib.sh

tests/zoo/counts.sh "$B" | sed '$!d;s/^/# operators of the models of the experiments: /'
[ "${PIPESTATUS[0]}" = 0 ] && pass "operator counts" || fail "operator counts: see tests/zoo/counts.sh"

one() { # ARCH WIDTH IMAGE CC [DEPTH]
    local a=$1 d=$TMP/$1 inputs=() n
    mkdir -p "$d"
    expect "$a: build" 0 "$B/tests/zoo/zoo" "$a" -o "$d/in.onnx" --width "$2" --image "$3" ${5:+--depth "$5"} || return
    $PY -c 'import onnx' 2>/dev/null &&
        expect "$a: onnx.checker" 0 $PY -c 'import onnx,sys; onnx.checker.check_model(onnx.load(sys.argv[1]), full_check=True)' "$d/in.onnx"
    expect "$a: run original" 0 "$CALQUE" run "$d/in.onnx" --random 7 --save-inputs -o "$d/want" || return
    expect "$a: opt" 0 "$CALQUE" opt "$d/in.onnx" -o "$d/opt.onnx" || return
    expect "$a: opt to text" 0 "$CALQUE" opt "$d/in.onnx" -o "$d/opt.graph" || return
    $PY -c 'import onnx' 2>/dev/null &&
        expect "$a: onnx.checker on the result" 0 $PY -c 'import onnx,sys; onnx.checker.check_model(onnx.load(sys.argv[1]), full_check=True)' "$d/opt.onnx"
    while read -r n; do inputs+=("$n=$d/want/$n.npy"); done < <("$CALQUE" dump "$d/in.onnx" --stage=inputs)
    expect "$a: emit" 0 "$CALQUE" emit "$d/opt.onnx" -o "$d/c" --main || return
    expect "$a: compile with $4" 0 make -s -C "$d/c" CC="$4" || return
    expect "$a: run emitted" 0 "$d/c/model" -o "$d/got" "${inputs[@]}" || return
    expect "$a: emitted C = interpreter, bit for bit" 0 "$CALQUE" run "$d/opt.onnx" "${inputs[@]}" --compare "$d/got" --rtol 0 --atol 0
    expect "$a: text model = ONNX model, bit for bit" 0 "$CALQUE" run "$d/opt.graph" "${inputs[@]}" --compare "$d/got" --rtol 0 --atol 0
    expect "$a: agrees with the original" 0 "$CALQUE" run "$d/in.onnx" "${inputs[@]}" --compare "$d/got" --rtol 1e-4 --atol 1e-4
    expect "$a: opt, exact rules of all sets" 0 "$CALQUE" opt "$d/in.onnx" -o "$d/exact.onnx" --set all --exact-only
    expect "$a: exact rules keep every bit" 0 "$CALQUE" run "$d/exact.onnx" "${inputs[@]}" --compare "$d/want" --rtol 0 --atol 0
    expect "$a: unoptimised emits too" 0 "$CALQUE" emit "$d/in.onnx" -o "$d/c0" --main || return
    expect "$a: compile unoptimised" 0 make -s -C "$d/c0" CC="$4" || return
    expect "$a: run unoptimised" 0 "$d/c0/model" -o "$d/got0" "${inputs[@]}" || return
    expect "$a: unoptimised, bit for bit" 0 "$CALQUE" run "$d/in.onnx" "${inputs[@]}" --compare "$d/got0" --rtol 0 --atol 0
}

one squeezenet 0.25 64 gcc
one resnet50 0.125 64 clang
one inception_v3 0.125 80 gcc
one transformer 0.125 16 clang
one inception_v3_lowered 0.0625 75 clang
one encoder_decoder 0.25 4 gcc 2
one nasnet 0.125 8 clang 1
one resnet20 0.5 8 gcc
finish
