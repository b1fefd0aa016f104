#!/usr/bin/env bash
# Operators of ONNX that are read as several: the graph that `calque dump` has of a node is what the extracted composition
# builds, and `calque run` gives what the extracted formula says, for COUNT random nodes of each operator
# (`calque-oracle compositions`). Expectations that are wrong on purpose, and a command that builds something else, are found at
# every node. usage: tests/onnx/compositions.sh BUILD [COUNT [SEED]]
set -u
cd "$(dirname "$0")/../.."
B=${1:-.build}
COUNT=${2:-20}
SEED=${3:-1}
. tests/lib.sh
ORACLE=$(cd "$(dirname "$B/calque-oracle")" && pwd)/calque-oracle
[ -x "$ORACLE" ] || { echo "SKIP $ORACLE is missing (make oracle)"; exit 77; }
export TMPDIR=$TMP/tmp
mkdir "$TMPDIR"
C=("$ORACLE" compositions --seed "$SEED")

expect "what is built is what is proved" 0 "${C[@]}" --calque "$CALQUE" --count "$COUNT"
cat "$TMP/out"

# none NAME ARGUMENTS..: some case differs, and none is equal.
none() {
    expect "$1" 1 "${C[@]}" "${@:2}" && ! tail -n 1 "$TMP/out" | grep -q ' 0 cases equal, .* [1-9][0-9]* differ' &&
        fail "$1: $(tail -n 1 "$TMP/out")"
}
for fault in graph value; do none "a wrong $fault is found" --calque "$CALQUE" --count 2 --fault=$fault; done
cat >"$TMP/wrong" <<E
#!/bin/sh
'$CALQUE' "\$@" | sed 's/(op Reshape /(op ReshapeLike /; s/(op Identity /(op Neg /'
E
chmod +x "$TMP/wrong"
none "another operator is found" --calque "$TMP/wrong" --count 5 --only Tile
expect "what differs is kept" 1 "${C[@]}" --calque "$TMP/wrong" --count 5 --only Tile -o "$TMP/kept"
[ "$(ls "$TMP/kept"/*.onnx 2>/dev/null | wc -l)" = "$(sed -n 's/^1 operators: .* \([0-9]*\) differ$/\1/p' "$TMP/out")" ] && pass "as models" ||
    fail "of $(tail -n 1 "$TMP/out"): $(ls "$TMP/kept")"
[ -z "$(ls "$TMPDIR")" ] && pass "no file is left" || fail "left: $(ls "$TMPDIR")"
finish
