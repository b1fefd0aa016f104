#!/usr/bin/env bash
# No offset is added to a null pointer, where arrays may be empty: those files instrumented, the command run on small inputs.
# usage: null.sh BUILD
B=${1:-.build}
cd "$(dirname "$0")/../.."
. tests/lib.sh
command -v clang >/dev/null || { skip "clang is missing"; finish; }
case $(nm "$CALQUE" 2>/dev/null) in *__asan_init*) skip "a sanitized build"; finish ;; esac
n=0
for f in c/dpia/poly.c c/kernel/run.c c/graph/graph_op.c; do
    clang -D_POSIX_C_SOURCE=200809L -Ic -I"$B/gen" -std=c11 -O1 -g -fopenmp -ffp-contract=off -fsanitize=pointer-overflow \
        -fno-sanitize-recover=all -c $f -o "$TMP/$((n += 1)).o" || fail "compile $f"
done
clang -fopenmp -fsanitize=undefined -o "$TMP/calque" "$B"/c/cli/*.o "$TMP"/[0-9].o "$B/libcalque.a" -lprotobuf-c -ljansson -lm || fail "link"
nm "$TMP/calque" | grep -q ubsan && pass "instrumented" || fail "not instrumented"
for g in tests/cli/good/residual.graph tests/emit/chains.graph; do
    expect "run $g" 0 "$TMP/calque" run $g --random 1
    expect "opt $g" 0 "$TMP/calque" opt $g -o "$TMP/o.graph"
    expect "emit $g" 0 "$TMP/calque" emit $g -o "$TMP/e"
done
for p in tests/dpia/programs/*.dpia; do
    expect "emit $p" 0 "$TMP/calque" emit $p -o "$TMP/e"
done
finish
