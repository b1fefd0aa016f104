#!/usr/bin/env bash
# ONNX's own operator tests, with the least number that must pass in each group: all, and of those that use only the 18
# operators of the acceptance list. Skips (77) when the data is absent.
# usage: tests/onnx/node_tests.sh BUILD [-v]
set -u
cd "$(dirname "$0")/../.."
RUN=${1:-.build}/tests/onnx/node_tests
DATA=/usr/share/libonnx-testdata/data
[ -x "$RUN" ] || { echo "$RUN is not built"; exit 1; }
[ -d "$DATA" ] || { echo "skipped: no $DATA (package libonnx-testdata)"; exit 77; }
shift
exec "$RUN" "$@" "$DATA" node=214,112 pytorch-converted=62,49 pytorch-operator=28,10 simple=1,1
