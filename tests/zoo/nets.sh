#!/usr/bin/env bash
# The nets in the form that PyTorch exports, small, their open dimensions given by name: `calque run` agrees within 1e-5 with the
# reference (reference.py: their operators in numpy), before and after optimising; what is emitted equals the interpreter bit for bit on 1 to 4
# threads, of the model as it is and of the optimised one, one of the two compiled by gcc, the other by clang, in turn; with
# `whole` both by both. onnx.checker takes those of opsets that it knows. With `clang` only what clang compiles.
# usage: nets.sh BUILD [gcc | clang [whole]]     NETS_SHARE=2: every other of them, the others at the next commits
B=${1:-.build}
CC=${2:-gcc}
WHOLE=${3:-}
cd "$(dirname "$0")/../.."
. tests/lib.sh
need_onnx
[ "$CC" = gcc ] || need clang clang
# 14 is the last but two before LayerNormalization is an operator, 17 what TorchScript's exporter gives at most by default, 18 and 21 torch.export's.
NETS="bert 14 --width 0.0625 --image 16 --depth 1 -- batch=2 sequence=7
bert 17 --width 0.0625 --image 16 --depth 2 -- batch=2 sequence=7
bert 18 --width 0.0625 --image 16 --depth 1 -- batch=2 sequence=7
bert 21 --width 0.0625 --image 16 --depth 2 -- batch=2 sequence=7
vit 17 --width 0.0625 --image 16 --depth 2 -- batch=3
vit 21 --width 0.0625 --image 16 --depth 2 -- batch=3
mobilenet_v2 17 --width 0.0625 --image 32 -- batch=2
mobilenet_v2 21 --width 0.0625 --image 32 -- batch=2
llama 17 --width 0.0625 --image 16 --depth 2 -- batch=2 sequence=3 past_sequence=4
llama 17 --width 0.0625 --image 16 --depth 1 -- batch=2 sequence=5 past_sequence=0
llama 21 --width 0.0625 --image 16 --depth 2 -- batch=2 sequence=3 past_sequence=4
llama 21 --width 0.0625 --image 16 --depth 1 -- batch=2 sequence=5 past_sequence=0"

# emitted WHAT MODEL [--dim ..]: its code against the interpreter's bits: on the test vector, and on the inputs.
emitted() {
    local what=$1 model=$2 d=$TMP/c
    shift 2
    rm -rf "$d" "$TMP/got"
    expect "$what: emit" 0 "$CALQUE" emit "$model" "$@" -o "$d" --main || return
    seen "$what"
    expect "$what: compile with $CC, emitted C = interpreter on 1 to 4 threads" 0 make -s -C "$d" all check CC="$CC" || return
    expect "$what: run emitted" 0 "$d/model" -o "$TMP/got" "${given[@]}" || return
    expect "$what: emitted C = interpreter, bit for bit" 0 "$CALQUE" run "$model" "$@" "${given[@]}" --compare "$TMP/got" --rtol 0 --atol 0
}

# agrees WHAT MODEL [--dim ..]: with the reference, relative to each output's greatest element.
agrees() {
    local what=$1
    shift
    expect "$what = reference within 1e-5" 0 "$CALQUE" run "$@" "${given[@]}" --compare "$TMP/want" --rtol 1e-5 --atol 0
}

# numbers NET MODEL [--dim ..]: what the interpreter gives of it and of the optimised one; what exact rules make of it.
numbers() {
    local net=$1 m=$2 f
    shift 2
    expect "$net: reference" 0 $PY tests/zoo/reference.py run "$m" "$TMP/in" "$TMP/want" || return
    agrees "$net" "$m" "$@"
    agrees "$net: optimised" "$TMP/opt.onnx"
    expect "$net: opt, exact rules of all sets" 0 "$CALQUE" opt "$m" "$@" -o "$TMP/exact.onnx" --set all --exact-only || return
    rm -rf "$TMP/bits"
    expect "$net: run" 0 "$CALQUE" run "$m" "$@" "${given[@]}" -o "$TMP/bits" || return
    expect "$net: exact rules keep every bit" 0 "$CALQUE" run "$TMP/exact.onnx" "${given[@]}" --compare "$TMP/bits" --rtol 0 --atol 0
    if [ "$opset" -le 17 ]; then
        for f in in opt; do
            expect "$net: onnx.checker, $f" 0 $PY -c 'import onnx,sys; onnx.checker.check_model(onnx.load(sys.argv[1]), full_check=True)' "$TMP/$f.onnx"
        done
    fi
}

turn=0
one() { # ARCH OPSET zoo's options -- NAME=SIZE ..
    local net="$1, opset $2" arch=$1 opset=$2 options=() dims=() f m=$TMP/in.onnx
    shift 2
    while [ "$1" != -- ]; do options+=("$1"); shift; done
    shift
    for f; do dims+=(--dim "$f"); done
    net="$net, $*"
    rm -rf "$TMP/in" "$TMP/want"
    expect "$net: build" 0 "$B/tests/zoo/zoo" "$arch" -o "$m" --opset "$opset" "${options[@]}" || return
    expect "$net: inputs" 0 $PY tests/zoo/reference.py inputs "$m" "$TMP/in" "$@" || return
    given=()
    for f in "$TMP"/in/*.npy; do f=${f##*/}; given+=("${f%.npy}=$TMP/in/$f"); done
    expect "$net: opt" 0 "$CALQUE" opt "$m" "${dims[@]}" -o "$TMP/opt.onnx" || return
    turn=$((turn + 1))
    [ "$CC" = clang ] || numbers "$net" "$m" "${dims[@]}"
    # gcc begins with the model as it is, clang with the optimised one
    if [ "$WHOLE" ] || { [ "$CC" = gcc ] && [ $((turn % 2)) = 1 ]; } || { [ "$CC" = clang ] && [ $((turn % 2)) = 0 ]; }; then
        emitted "$net: as it is" "$m" "${dims[@]}"
    fi
    if [ "$WHOLE" ] || { [ "$CC" = gcc ] && [ $((turn % 2)) = 0 ]; } || { [ "$CC" = clang ] && [ $((turn % 2)) = 1 ]; }; then
        emitted "$net: optimised" "$TMP/opt.onnx"
    fi
}

k=$(one_of $(seq "${NETS_SHARE:-1}"))
while read -r -a net; do
    k=$((k + 1))
    [ $(((k + k / 5) % ${NETS_SHARE:-1})) = 0 ] && one "${net[@]}" # of each opset some, and of each net
done <<<"$NETS"
finish
