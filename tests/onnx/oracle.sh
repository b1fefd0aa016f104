#!/usr/bin/env bash
# ONNX's own operator tests that run (node_tests.c), by the oracle: `calque-oracle model` of each model and its inputs must print
# what the reference interpreter gives, as `calque run --text` prints it, bit for bit. Left out, and counted by name: element types
# outside of the extracted semantics, and tests that take long there (--all runs them, too; one for hours). At least 697 of the
# 702 must be equal; with SHARE each SHARE-th in the order of names is run, at another commit others. Skips (77) when the data or
# the oracle is absent.
# usage: tests/onnx/oracle.sh BUILD [--all | SHARE]
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
# Tens of thousands of cells, each a sum or a maximum over lists: for the oracle too many.
large=" node_test_averagepool_3d_default pytorch-converted_test_MaxPool1d_stride_padding_dilation
 pytorch-converted_test_MaxPool2d_stride_padding_dilation pytorch-operator_test_operator_conv pytorch-operator_test_operator_symbolic_override "
share=1
case ${2-} in --all) large= ;; ?*) share=$2 ;; esac
k=$(git rev-parse HEAD 2>/dev/null | cksum | cut -d ' ' -f 1)
ulimit -s unlimited 2>/dev/null # lists of many cells
"$B/tests/onnx/node_tests" -o "$tmp/t" "$DATA" node pytorch-converted pytorch-operator simple >"$tmp/log" || { cat "$tmp/log"; exit 1; }
equal=0 differ=0 slow=
for f in "$tmp"/t/*.sexp; do
    n=${f##*/} n=${n%.sexp}
    k=$((k + 1))
    [ $((k % share)) = 0 ] || continue
    case $large in *[[:space:]]$n[[:space:]]*) slow="$slow $n"; continue ;; esac
    "$B/calque-oracle" model "$f" >"$tmp/got"
    if cmp -s "$tmp/got" "${f%.sexp}.text"; then
        equal=$((equal + 1))
    elif grep -qE '^\(none "[^"]*" (u8|i8|u16|i16|u32|u64|f16|bf16|str|c64|c128)\)' "$tmp/got"; then
        sed 's/.* \(.*\))/\1/' "$tmp/got" >>"$tmp/skipped"
    else
        differ=$((differ + 1))
        echo "FAIL $n"
        cut -c 1-300 "${f%.sexp}.text" "$tmp/got"
    fi
done
touch "$tmp/skipped"
echo "$equal equal, $differ differ, $(wc -l <"$tmp/skipped") skipped for an element type: $(sort "$tmp/skipped" | uniq -c | awk '{ printf "%s%s %s", (NR > 1 ? ", " : ""), $2, $1 }')"
[ -z "$slow" ] || echo "too large for the oracle, left out:$slow"
[ $differ = 0 ] && [ $equal -ge $((697 / share - 4)) ] && { [ "$share" != 1 ] || [ $equal -ge 697 ]; }
