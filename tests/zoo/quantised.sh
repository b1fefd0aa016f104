#!/usr/bin/env bash
# A MobileNet of bytes with its convolutions between DequantizeLinear and QuantizeLinear: with the set quantised each sums
# integers, its weights are bytes in the emitted code, and the answers are those of the model. usage: quantised.sh BUILD
B=${1:-.build}
cd "$(dirname "$0")/../.."
. tests/lib.sh
need_onnx
applied() { json "$1" "a['rules']['$2']['applied']"; }

expect "mobilenet" 0 "$B/tests/zoo/zoo" mobilenet_v2 -o "$TMP/in.onnx" --width 0.25 --image 32
expect "quantised" 0 "$PY" tests/zoo/quantise.py --qdq "$CALQUE" "$TMP/in.onnx" "$TMP/q.onnx"
grep -q '^52 convolutions' "$TMP/out" && pass "52 convolutions" || fail "quantised: $(cat "$TMP/out")"
expect "run" 0 "$CALQUE" run "$TMP/q.onnx" --random 7 --save-inputs -o "$TMP/want"

expect "opt: the standard sets" 0 "$CALQUE" opt "$TMP/q.onnx" -o "$TMP/std.onnx"
expect "opt: with the set quantised" 0 "$CALQUE" opt "$TMP/q.onnx" -o "$TMP/opt.onnx" --set standard,quantised --check 1 --json
cp "$TMP/out" "$TMP/said"
[ "$(applied "$TMP/said" quantised_conv_channels)" = 52 ] && pass "each convolution has lost its scales" || fail "$(applied "$TMP/said" quantised_conv_channels) convolutions have lost their scales"
[ "$(applied "$TMP/said" conv_mul)" = 0 ] && pass "none came back" || fail "conv_mul took scales back"
for m in std opt; do
    expect "$m: the values of the model" 0 "$CALQUE" run "$TMP/$m.onnx" "image=$TMP/want/image.npy" --compare "$TMP/want" --rtol 1e-4 --atol 1e-4
    expect "$m: emit" 0 "$CALQUE" emit "$TMP/$m.onnx" -o "$TMP/$m" --main
done
# Kernels are shared by convolutions of the same sizes.
bytes() { grep -cE '^static void k[0-9]+\(.*const int8_t \*restrict' "$TMP/$1/model.c"; }
[ "$(bytes std)" = 0 ] && [ "$(bytes opt)" -ge 20 ] && pass "their weights are bytes: $(bytes opt) kernels" || fail "kernels with weights of bytes: $(bytes std) without the set, $(bytes opt) with it"
least=$("$PY" -c "
import onnx, sys
from math import prod
m = onnx.load(sys.argv[1])
w = {n.output[0]: n.input[0] for n in m.graph.node if n.op_type == 'DequantizeLinear'}
size = {t.name: prod(t.dims) for t in m.graph.initializer}
print(sum(3 * size[w[n.input[1]]] for n in m.graph.node if n.op_type == 'Conv') * 9 // 10)" "$TMP/q.onnx")
saved=$(($(wc -c <"$TMP/std/weights.bin") - $(wc -c <"$TMP/opt/weights.bin")))
[ "$least" -gt 0 ] && [ $saved -ge "$least" ] && pass "three bytes less for each weight: $saved" || fail "$saved bytes less, not $least"
expect "compile" 0 make -s -C "$TMP/opt" CFLAGS="-O1 -std=c11 -ffp-contract=off -fopenmp"
expect "emitted C against its test vector" 0 make -s -C "$TMP/opt" check CFLAGS="-O1 -std=c11 -ffp-contract=off -fopenmp"
finish
