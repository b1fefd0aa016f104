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
exec "$RUN" "$@" "$DATA" node=270,112 pytorch-converted=68,49 pytorch-operator=31,10 simple=5,1
