#!/usr/bin/env bash
# ONNX's own operator tests, with the least number that must pass in each group: all, and of those that use only the 18
# operators of the acceptance list; what is skipped is listed by reason. Skips (77) when the data is absent.
# With a directory, the tests there (onnx/backend/test/data of a newer ONNX), none of which may fail.
# usage: tests/onnx/node_tests.sh BUILD [-v] [DIRECTORY]
set -u
cd "$(dirname "$0")/../.."
RUN=${1:-.build}/tests/onnx/node_tests
DATA=/usr/share/libonnx-testdata/data
[ -x "$RUN" ] || { echo "$RUN is not built"; exit 1; }
shift
v=()
[ "${1:-}" = -v ] && { v=(-v); shift; }
if [ $# -gt 0 ]; then
    groups=()
    for g in node pytorch-converted pytorch-operator simple; do [ -d "$1/$g" ] && groups+=($g); done
    [ ${#groups[@]} -gt 0 ] || { echo "$1 has no operator tests"; exit 1; }
    exec "$RUN" "${v[@]}" "$1" "${groups[@]}"
fi
[ -d "$DATA" ] || { echo "SKIP $DATA is not here: apt-get install libonnx-testdata"; exit 77; }
exec "$RUN" "${v[@]}" "$DATA" node=626,114 pytorch-converted=82,49 pytorch-operator=35,10 simple=7,1
