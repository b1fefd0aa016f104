#!/usr/bin/env bash
# No offset is added to a null pointer, where arrays may be empty: those files instrumented, the command run on small inputs, and
# the room of attributes with the reader of its tests on the requests of tests/attr/diff_cases.txt, many of them with empty lists.
# usage: null.sh BUILD
B=${1:-.build}
cd "$(dirname "$0")/../.."
. tests/lib.sh
command -v clang >/dev/null || { skip "clang is missing"; finish; }
case $(nm "$CALQUE" 2>/dev/null) in *__asan_init*) skip "a sanitized build"; finish ;; esac
# instrumented PROGRAM FILE...: linked with the objects of the directory $TMP/PROGRAM.o and the library
instrumented() {
    local program=$1 f
    shift
    mkdir -p "$TMP/$program.o"
    for f in "$@"; do
        clang -D_POSIX_C_SOURCE=200809L -Ic -I"$B/gen" -Itests -std=c11 -O1 -g -fopenmp -ffp-contract=off -fsanitize=pointer-overflow \
            -fno-sanitize-recover=all -c "$f" -o "$TMP/$program.o/${f//\//-}.o" || fail "compile $f"
    done
    clang -fopenmp -fsanitize=undefined -o "$TMP/$program" "$TMP/$program.o"/*.o "$B/libcalque.a" -lprotobuf-c -ljansson -lm || fail "link $program"
    nm "$TMP/$program" | grep -q ubsan && pass "instrumented $program" || fail "not instrumented: $program"
}

mkdir "$TMP/calque.o"
for f in c/cli/*.c; do cp "$B/${f%.c}.o" "$TMP/calque.o" || exit 3; done # not what a file that is gone left there
instrumented calque c/dpia/poly.c c/kernel/run.c c/graph/build.c
for g in tests/cli/good/residual.graph tests/emit/chains.graph; do
    expect "run $g" 0 "$TMP/calque" run $g --random 1
    expect "opt $g" 0 "$TMP/calque" opt $g -o "$TMP/o.graph"
    expect "emit $g" 0 "$TMP/calque" emit $g -o "$TMP/e"
done
for p in tests/dpia/programs/*.dpia; do
    expect "emit $p" 0 "$TMP/calque" emit $p -o "$TMP/e"
done
instrumented attr_text c/attr/*.c tests/attr/attr_text.c tests/attr/read_request.c
grep -v '^#' tests/attr/diff_cases.txt | grep -v '^$' >"$TMP/pairs"
awk 'NR % 2 == 1' "$TMP/pairs" >"$TMP/requests"
awk 'NR % 2 == 0' "$TMP/pairs" >"$TMP/answers"
for how in "" print memo; do
    expect "requests of attributes $how" 2 bash -c '"$1" $2 <"$3"' - "$TMP/attr_text" "$how" "$TMP/requests" # 2: some are malformed
    [ "$how" = print ] || { cmp -s "$TMP/out" "$TMP/answers" && pass "their answers $how" || fail "their answers $how"; }
done
finish
