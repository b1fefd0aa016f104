#!/usr/bin/env bash
# Mutated ONNX, .graph and .gsl files against a sanitised build. usage: fuzz.sh BUILD [RUNS [SEED]]
set -e
cd "$(dirname "$0")/../.."
B=${1:-.build}
. tests/san.sh
sanitized "$SAN_B/calque"
make --no-print-directory -s BUILD="$B" "$B/tests/zoo/zoo"
mkdir -p "$B/fuzz"
"$B/tests/zoo/zoo" transformer -o "$B/fuzz/t.onnx" --width 0.02 --image 2 >/dev/null
"$SAN_B/calque" dump "$B/fuzz/t.onnx" --format=text >"$B/fuzz/t.graph"
/usr/bin/python3 tests/cli/fuzz.py "$SAN_B/calque" "${2:-3000}" "${3:-1}" "$B/fuzz/t.onnx" "$B/fuzz/t.graph" c/rewrite/library_*.gsl tests/cli/good/*
