#!/usr/bin/env bash
# The graph of every model of libonnx-testdata, nodes by number, is the same read by what gcc has compiled and by what clang has: C leaves
# the order of the arguments of a call open, so that no two of one call may make nodes. Skips (77) when the models or clang's build
# are absent.
# usage: tests/onnx/order.sh BUILD
set -u
cd "$(dirname "$0")/../.."
B=${1:-.build}
. tests/lib.sh
shopt -s nullglob
models=(/usr/share/libonnx-testdata/data/{node,pytorch-converted,pytorch-operator,simple}/*/model.onnx)
[ ${#models[@]} -gt 0 ] || { echo "SKIP ONNX's test models are not here: apt-get install libonnx-testdata"; exit 77; }
[ -x "$B/clang/tests/onnx/onnx_copy" ] || { echo "SKIP $B/clang is not built: make BUILD=$B/clang CC=clang OPT=-O1"; exit 77; }
expect "what gcc has compiled reads the models" 0 "$B/tests/onnx/onnx_copy" -g "${models[@]}" && mv "$TMP/out" "$TMP/gcc"
expect "what clang has compiled reads the models" 0 "$B/clang/tests/onnx/onnx_copy" -g "${models[@]}" && mv "$TMP/out" "$TMP/clang"
n=$(grep -c '^(graph' "$TMP/gcc")
[ "$n" -ge 900 ] && pass "$n graphs of ${#models[@]} models" || fail "$n graphs of ${#models[@]} models"
if cmp -s "$TMP/gcc" "$TMP/clang"; then pass "they are the same"; else
    fail "they differ: $(diff "$TMP/gcc" "$TMP/clang" | grep -c '^<') lines"
    diff "$TMP/gcc" "$TMP/clang" | cut -c 1-300 | head -n 8
fi
finish
