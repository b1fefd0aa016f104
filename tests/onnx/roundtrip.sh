#!/usr/bin/env bash
# Every model of libonnx-testdata and the light models: read and written, the copy checked by python3-onnx; and
# read-write-read-write gives the same file twice. Skips (77) when the data or python3-onnx are absent.
# usage: tests/onnx/roundtrip.sh BUILD
set -u
cd "$(dirname "$0")/../.."
COPY=${1:-.build}/tests/onnx/onnx_copy
DATA=/usr/share/libonnx-testdata/data
LIGHT=../shared/data/onnx-light
PYTHON=/usr/bin/python3
[ -x "$COPY" ] || { echo "$COPY is not built"; exit 1; }
shopt -s nullglob
models=("$DATA"/{node,pytorch-converted,pytorch-operator,simple}/*/model.onnx "$LIGHT"/*.onnx)
[ -d "$DATA" ] || echo "no $DATA (package libonnx-testdata)"
[ -d "$LIGHT" ] || echo "no light models beside the project"
[ ${#models[@]} -gt 0 ] || { echo "skipped: no models"; exit 77; }
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
rc=0
"$COPY" -t "${models[@]}" >"$dir/twice" || rc=1
grep '^FAIL' "$dir/twice"
echo "read, written, read, written: $(grep -c '^PASS' "$dir/twice") equal, $(grep -c '^SKIP' "$dir/twice") not static," \
    "$(grep -c '^FAIL' "$dir/twice") failed"
"$COPY" -d "$dir" "${models[@]}" || rc=1
if ! "$PYTHON" -c 'import onnx' 2>/dev/null; then
    echo "skipped the checker: no python3-onnx"
    [ $rc = 0 ] && exit 77
    exit 1
fi
"$PYTHON" tests/onnx/roundtrip.py "$dir" "${models[@]}" || rc=1
exit $rc
