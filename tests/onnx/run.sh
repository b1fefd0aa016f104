#!/usr/bin/env bash
# The ONNX suites: operators (operators.sh), reading and writing (roundtrip.sh), ONNX's own operator tests
# (node_tests.sh). Fails if one fails, else skips (77) if one skips.
# usage: tests/onnx/run.sh BUILD
set -u
cd "$(dirname "$0")"
B=$(cd ../.. && realpath "${1:-.build}")
rc=0
for s in ./operators.sh ./roundtrip.sh ./node_tests.sh; do
    $s "$B"
    case $? in
    0) ;;
    77) [ $rc = 1 ] || rc=77 ;;
    *) rc=1 ;;
    esac
done
exit $rc
