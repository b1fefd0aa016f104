#!/usr/bin/env bash
# Mutated ONNX, .graph and .gsl files against a sanitised build. usage: fuzz.sh BUILD [RUNS [SEED]]
set -e
cd "$(dirname "$0")/../.."
B=${1:-.build}
make --no-print-directory -s BUILD="$B/san" SAN="-fsanitize=address,undefined -fno-sanitize-recover=undefined" OPT="-O0 -g1" "$B/san/calque"
make --no-print-directory -s BUILD="$B" "$B/tests/zoo/zoo"
mkdir -p "$B/fuzz"
"$B/tests/zoo/zoo" transformer -o "$B/fuzz/t.onnx" --width 0.02 --image 2 >/dev/null
"$B/san/calque" dump "$B/fuzz/t.onnx" --format=text >"$B/fuzz/t.graph"
/usr/bin/python3 tests/cli/fuzz.py "$B/san/calque" "${2:-3000}" "${3:-1}" "$B/fuzz/t.onnx" "$B/fuzz/t.graph" c/rewrite/library_*.gsl tests/cli/good/*
