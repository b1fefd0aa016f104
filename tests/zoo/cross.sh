#!/usr/bin/env bash
# Every model of the zoo, small: what `calque emit` writes of it computes, on ARM of 32 or of 64 bits (qemu), the bits that the interpreter computes here;
# functions by --math=calque, as a libm's differ between processors; one of each two optimised, in turn. usage: cross.sh BUILD arm | arm64
# ZOO_SHARE=N: of the models an Nth, other ones at each commit.
B=${1:-.build}
PART=${2:-arm}
cd "$(dirname "$0")/../.."
. tests/lib.sh
t=arm-linux-gnueabihf q=qemu-arm libc=armhf
[ "$PART" = arm64 ] && t=aarch64-linux-gnu q=qemu-aarch64 libc=arm64
need $t-gcc "gcc-$t libc6-dev-$libc-cross"
need $q qemu-user
MODELS="squeezenet --width 0.25 --image 64
resnet50 --width 0.0625 --image 32
inception_v3 --width 0.0625 --image 80
inception_v3_lowered --width 0.0625 --image 80
transformer --width 0.125 --image 16
encoder_decoder --width 0.25 --image 4 --depth 2
nasnet --width 0.0625 --image 8 --depth 1
resnet20 --width 0.5 --image 8
alexnet --width 0.0625 --image 67
zfnet512 --width 0.0625 --image 64
vgg19 --width 0.0625 --image 32
inception_v1 --width 0.0625 --image 63
inception_v2 --width 0.0625 --image 32
densenet121 --width 0.0625 --image 32
shufflenet --width 0.25 --image 32
mobilenet_v2 --width 0.0625 --image 32 -- batch=2
vit --width 0.0625 --image 16 --depth 1 -- batch=2
bert --width 0.0625 --image 16 --depth 1 -- batch=2 sequence=7
llama --width 0.0625 --image 16 --depth 1 -- batch=2 sequence=3 past_sequence=4"

one() { # one OPTIMISED ARCH zoo's options [-- NAME=SIZE ..]
    local optimised=$1 arch=$2 m=$TMP/in.onnx options=() dims=()
    shift 2
    while [ $# -gt 0 ] && [ "$1" != -- ]; do options+=("$1"); shift; done
    [ $# = 0 ] || shift
    for f; do dims+=(--dim "$f"); done
    expect "$arch: build" 0 "$B/tests/zoo/zoo" "$arch" -o "$m" "${options[@]}" || return
    if [ "$optimised" = 1 ]; then
        expect "$arch: opt" 0 "$CALQUE" opt "$m" "${dims[@]}" -o "$TMP/opt.onnx" || return
        m=$TMP/opt.onnx dims=()
    fi
    rm -rf "$TMP/c"
    expect "$arch: emit" 0 "$CALQUE" emit "$m" "${dims[@]}" -o "$TMP/c" --vectors 1 --math=calque || return
    seen "$arch"
    expect "$arch on $PART: the interpreter's bits" 0 make -s -C "$TMP/c" check CC=$t-gcc ARCH= RUN=$q LDFLAGS=-static &&
        grep -q ': identical: [0-9]' "$TMP/out" || cat "$TMP/err"
}
optimised=0
while read -r line; do
    its_turn "${line%% *} $PART" "${ZOO_SHARE:-1}" || continue
    optimised=$((1 - optimised))
    one $optimised $line
done <<<"$MODELS"
[ "$(cut -d ' ' -f 1 <<<"$MODELS" | sort)" = "$("$B/tests/zoo/zoo" --help 2>&1 | sed -n 's/^  \([a-z][a-z0-9_]*\) .*/\1/p' | sort)" ] && pass "each model of the zoo" || fail "not each model of the zoo"
finish
