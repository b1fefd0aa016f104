#!/usr/bin/env bash
# Every architecture of the zoo, small: optimised, emitted, compiled, run; bit for bit against the interpreter on the optimised model,
# within 1e-4 of the original; operators and rules as many as known. Those with gcc; with `clang` those with clang; with `checker`
# only: onnx.checker takes all the models and what optimising makes of them.
# usage: run.sh BUILD [clang | checker]     ZOO_TURN=N: what is emitted of an Nth of them, others at each commit; ZOO_SHARE=N: of the model as it
# is, not only of the optimised one, of an Nth of these
B=${1:-.build}
PART=${2:-gcc}
cd "$(dirname "$0")/../.."
. tests/lib.sh
MODELS="squeezenet 0.25 64 gcc
resnet50 0.125 64 clang
inception_v3 0.125 80 gcc
transformer 0.125 16 clang
inception_v3_lowered 0.0625 75 clang
encoder_decoder 0.25 4 gcc 2
nasnet 0.125 8 clang 1
resnet20 0.5 8 gcc
alexnet 0.0625 67 gcc
zfnet512 0.0625 63 clang
vgg19 0.0625 32 gcc
inception_v1 0.0625 63 clang
inception_v2 0.0625 32 gcc
densenet121 0.0625 32 gcc
shufflenet 0.25 32 clang"

checker() { # ARCH WIDTH IMAGE CC [DEPTH]
    local f
    expect "$1: build" 0 "$B/tests/zoo/zoo" "$1" -o "$TMP/in.onnx" --width "$2" --image "$3" ${5:+--depth "$5"} || return
    expect "$1: opt" 0 "$CALQUE" opt "$TMP/in.onnx" -o "$TMP/opt.onnx" || return
    for f in in opt; do
        expect "$1: onnx.checker, $f" 0 $PY -c 'import onnx,sys; onnx.checker.check_model(onnx.load(sys.argv[1]), full_check=True)' "$TMP/$f.onnx"
    done
}

turn=0 model=$(one_of $(seq "${ZOO_TURN:-1}"))
one() { # ARCH WIDTH IMAGE CC [DEPTH]
    local a=$1 d=$TMP/$1 inputs=() n
    mkdir -p "$d"
    expect "$a: build" 0 "$B/tests/zoo/zoo" "$a" -o "$d/in.onnx" --width "$2" --image "$3" ${5:+--depth "$5"} || return
    expect "$a: run original" 0 "$CALQUE" run "$d/in.onnx" --random 7 --save-inputs -o "$d/want" || return
    expect "$a: opt" 0 "$CALQUE" opt "$d/in.onnx" -o "$d/opt.onnx" || return
    expect "$a: opt to text" 0 "$CALQUE" opt "$d/in.onnx" -o "$d/opt.graph" || return
    expect "$a: opt, exact rules of all sets" 0 "$CALQUE" opt "$d/in.onnx" -o "$d/exact.onnx" --set all --exact-only
    while read -r n; do inputs+=("$n=$d/want/$n.npy"); done < <("$CALQUE" dump "$d/in.onnx" --stage=inputs)
    expect "$a: exact rules keep every bit" 0 "$CALQUE" run "$d/exact.onnx" "${inputs[@]}" --compare "$d/want" --rtol 0 --atol 0
    expect "$a: text model = ONNX model, run" 0 "$CALQUE" run "$d/opt.graph" "${inputs[@]}" -o "$d/text" || return
    expect "$a: text model = ONNX model, bit for bit" 0 "$CALQUE" run "$d/opt.onnx" "${inputs[@]}" --compare "$d/text" --rtol 0 --atol 0
    expect "$a: optimised, agrees with the original" 0 "$CALQUE" run "$d/in.onnx" "${inputs[@]}" --compare "$d/text" --rtol 1e-4 --atol 1e-4
    expect "$a: emit" 0 "$CALQUE" emit "$d/opt.onnx" -o "$d/c" --main || return
    seen "$a"
    model=$((model + 1))
    [ $((model % ${ZOO_TURN:-1})) = 0 ] || return
    expect "$a: compile with $4" 0 make -s -C "$d/c" CC="$4" || return
    expect "$a: emitted C against its test vector" 0 make -s -C "$d/c" check CC="$4"
    expect "$a: run emitted" 0 "$d/c/model" -o "$d/got" "${inputs[@]}" || return
    expect "$a: emitted C = interpreter, bit for bit" 0 "$CALQUE" run "$d/opt.onnx" "${inputs[@]}" --compare "$d/got" --rtol 0 --atol 0
    turn=$((turn + 1))
    [ $((turn % ${ZOO_SHARE:-1})) = 0 ] || return
    expect "$a: unoptimised emits too" 0 "$CALQUE" emit "$d/in.onnx" -o "$d/c0" --main --vectors 0 || return
    seen "$a, unoptimised"
    expect "$a: compile unoptimised" 0 make -s -C "$d/c0" CC="$4" CFLAGS="-O1 -std=c11 -ffp-contract=off -fopenmp" || return
    expect "$a: run unoptimised" 0 "$d/c0/model" -o "$d/got0" "${inputs[@]}" || return
    expect "$a: unoptimised, bit for bit" 0 "$CALQUE" run "$d/in.onnx" "${inputs[@]}" --compare "$d/got0" --rtol 0 --atol 0
}

case $PART in
gcc)
    for t in counts rules; do
        tests/zoo/$t.sh "$B" >"$TMP/out" && pass "$t: $(tail -n 1 "$TMP/out")" || { fail "tests/zoo/$t.sh"; grep '^FAIL' "$TMP/out"; }
    done ;;
clang) need clang clang ;;
checker) need_onnx ;;
*) echo "run.sh: no part $PART"; exit 2 ;;
esac
while read -r arch width image cc depth; do
    case $PART in
    checker) checker "$arch" "$width" "$image" "$cc" $depth ;;
    "$cc") one "$arch" "$width" "$image" "$cc" $depth ;;
    esac
done <<<"$MODELS"
finish
