#!/usr/bin/env bash
# ONNX's own operator tests that run (node_tests.c), by the oracle: `calque-oracle model` of each model and its inputs must print
# what the reference interpreter gives, as `calque run --text` prints it, bit for bit: at least 750 tests, and none that takes more
# than 120 seconds of the processor. With `part` every other of them, the others at the next commits, and without operator_conv, 68 million
# products, which takes a minute (each other one a few seconds at most). Skips (77) when the data or the oracle is absent.
# usage: tests/onnx/oracle.sh BUILD [part]
set -u
cd "$(dirname "$0")/../.."
B=${1:-.build}
DATA=/usr/share/libonnx-testdata/data
[ -x "$B/calque-oracle" ] || { echo "SKIP $B/calque-oracle is missing (make oracle)"; exit 77; }
[ -x "$B/tests/onnx/node_tests" ] || { echo "$B/tests/onnx/node_tests is not built"; exit 1; }
[ -d "$DATA" ] || { echo "SKIP $DATA is not here: apt-get install libonnx-testdata"; exit 77; }
tmp=$(mktemp -d) || exit 3
trap 'rm -rf "$tmp"' EXIT
mkdir "$tmp/t"
ulimit -s unlimited 2>/dev/null # lists of many cells
"$B/tests/onnx/node_tests" -o "$tmp/t" "$DATA" node pytorch-converted pytorch-operator simple >"$tmp/log" || { cat "$tmp/log"; exit 1; }
least=750
if [ "${2-}" = part ]; then
    rm "$tmp/t/pytorch-operator_test_operator_conv.sexp" || exit 1
    turn=$((0x0$(git rev-parse HEAD 2>/dev/null | cut -c 1-8) % 2))
    ls "$tmp"/t/*.sexp | awk -v turn=$turn 'NR % 2 != turn' | xargs rm
    least=$((least / 2 - 1))
fi
equal=0 differ=0
for f in "$tmp"/t/*.sexp; do
    n=$(basename "$f" .sexp)
    (ulimit -t 120 && exec "$B/calque-oracle" model "$f") >"$tmp/got"
    if cmp -s "$tmp/got" "${f%.sexp}.text"; then
        equal=$((equal + 1))
    else
        differ=$((differ + 1))
        echo "FAIL $n"
        cut -c 1-300 "${f%.sexp}.text" "$tmp/got"
    fi
done
echo "$equal equal, $differ differ"
[ $differ = 0 ] && [ $equal -ge $least ]
