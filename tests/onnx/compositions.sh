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
# The operators that expand.def says are proved are those that are compared.
sed -n 's/^\([A-Za-z0-9]*\) (opset .*/\1/p' "$TMP/out" | sort -u >"$TMP/compared"
"$CALQUE" ops --json >"$TMP/ops"
json "$TMP/ops" "chr(10).join(x['name'] for x in a['expanded'] if 'theorem' in x)" | sort >"$TMP/proved"
if [ -s "$TMP/proved" ] && diff "$TMP/proved" "$TMP/compared"; then pass "each that is proved is compared: $(wc -l <"$TMP/proved") operators"
else fail "what is proved and what is compared"; fi
n=$(wc -l <"$TMP/proved")
for said in "README.md: QLinearConv and $((n - 10)) others are read as" "coq/README.md: of $n operators that are read as others" \
    "c/onnx/README.md: of $n of them Coq"; do
    grep -qF "${said#*: }" "${said%%: *}" || fail "${said%%: *} does not say '${said#*: }'"
done
expect "no such operator" 2 "${C[@]}" --calque "$CALQUE" --only Frobnicate
grep -q "no composition of 'Frobnicate'" "$TMP/err" || fail "no such operator: $(cat "$TMP/err")"
expect "no cases" 2 "${C[@]}" --calque "$CALQUE" --count 0
expect "a folder that cannot be made" 2 "${C[@]}" --calque "$CALQUE" --count 1 --only Tile -o /proc/none

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
[ "$(ls "$TMP/kept"/*.onnx 2>/dev/null | wc -l)" = "$(sed -n 's/^1 forms: .* \([0-9]*\) differ$/\1/p' "$TMP/out")" ] && pass "as models" ||
    fail "of $(tail -n 1 "$TMP/out"): $(ls "$TMP/kept")"
[ -z "$(ls "$TMPDIR")" ] && pass "no file is left" || fail "left: $(ls "$TMPDIR")"
finish
