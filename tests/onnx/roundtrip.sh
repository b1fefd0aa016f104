#!/usr/bin/env bash
# Every model of libonnx-testdata, or with `light` of ../shared/data/onnx-light: read and written twice gives the same file. With
# `checker` (and with `light`): python3-onnx's checker takes the copy. Skips (77) when the models or python3-onnx are absent.
# usage: tests/onnx/roundtrip.sh BUILD [checker | light]
set -u
cd "$(dirname "$0")/../.."
B=${1:-.build}
PART=${2:-twice}
. tests/lib.sh
COPY=$B/tests/onnx/onnx_copy
[ -x "$COPY" ] || { echo "$COPY is not built"; exit 1; }
shopt -s nullglob
case $PART in
light)
    models=(../shared/data/onnx-light/*.onnx)
    [ ${#models[@]} -gt 0 ] || { echo "SKIP ../shared/data/onnx-light is not here: its models are not read and written"; exit 77; } ;;
twice | checker)
    models=(/usr/share/libonnx-testdata/data/{node,pytorch-converted,pytorch-operator,simple}/*/model.onnx)
    [ ${#models[@]} -gt 0 ] || { echo "SKIP ONNX's test models are not here: apt-get install libonnx-testdata"; exit 77; } ;;
*) echo "roundtrip.sh: no part $PART"; exit 2 ;;
esac
rc=0
if [ $PART != checker ]; then
    "$COPY" -t "${models[@]}" >"$TMP/twice" || rc=1
    grep '^FAIL' "$TMP/twice"
    echo "read, written, read, written: $(grep -c '^PASS' "$TMP/twice") equal, $(grep -c '^DYNAMIC' "$TMP/twice") not static," \
        "$(grep -c '^FAIL' "$TMP/twice") failed"
fi
if [ $PART != twice ]; then
    need_onnx
    mkdir "$TMP/copies"
    "$COPY" -d "$TMP/copies" "${models[@]}" || rc=1
    "$PY" tests/onnx/roundtrip.py "$TMP/copies" "${models[@]}" || rc=1
fi
exit $rc
