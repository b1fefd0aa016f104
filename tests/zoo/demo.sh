#!/usr/bin/env bash
# The main job on a real model, as a user would run it: build ResNet-50 (quarter width), optimise, emit, compile, run, compare
# with the reference interpreter on the original model. Exit status 0 only if they agree.
# usage: demo.sh BUILD [ARCH [WIDTH [IMAGE]]]
set -eu
B=${1:-.build}
ARCH=${2:-resnet50}
WIDTH=${3:-0.5}
IMAGE=${4:-128}
OUT=$B/demo
CALQUE=$B/calque
rm -rf "$OUT"
mkdir -p "$OUT"
say() { printf '\n$ %s\n' "$*"; "$@"; }

say "$B/tests/zoo/zoo" "$ARCH" -o "$OUT/$ARCH.onnx" --width "$WIDTH" --image "$IMAGE" --seed 1
say "$CALQUE" opt "$OUT/$ARCH.onnx" -o "$OUT/$ARCH.opt.onnx" --stats
say "$CALQUE" emit "$OUT/$ARCH.opt.onnx" -o "$OUT/c" --main
say make -s -C "$OUT/c"
say make -s -C "$OUT/c" check
say "$CALQUE" run "$OUT/$ARCH.onnx" --random 1 --save-inputs -o "$OUT/reference"
inputs=()
while read -r name; do inputs+=("$name=$OUT/reference/$name.npy"); done < <("$CALQUE" dump "$OUT/$ARCH.onnx" --stage=inputs)
say "$OUT/c/model" --time 3 -o "$OUT/emitted" "${inputs[@]}"
if command -v dot >/dev/null; then
    for g in "$ARCH" "$ARCH.opt"; do
        "$CALQUE" dump "$OUT/$g.onnx" --format=dot >"$OUT/$g.dot"
        dot -Tsvg "$OUT/$g.dot" -o "$OUT/$g.svg"
    done
    printf '\npictures: %s %s\n' "$OUT/$ARCH.svg" "$OUT/$ARCH.opt.svg"
else
    echo "dot is missing (apt-get install graphviz): no pictures"
fi
printf '\nthe optimised model in emitted C against the interpreter on the same model, bit for bit:\n'
"$CALQUE" run "$OUT/$ARCH.opt.onnx" "${inputs[@]}" --compare "$OUT/emitted" --rtol 0 --atol 0
printf '\nthe emitted C against the reference interpreter on the original model:\n'
"$CALQUE" run "$OUT/$ARCH.onnx" "${inputs[@]}" --compare "$OUT/emitted" --rtol 1e-4 --atol 1e-4
