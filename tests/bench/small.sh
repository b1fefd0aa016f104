#!/usr/bin/env bash
# Does the benchmark run, at small sizes, and say what it is to say? No time is judged. usage: small.sh BUILD
B=${1:-.build}
cd "$(dirname "$0")/../.."
. tests/lib.sh
need_onnx
mkdir -p "$TMP/b/bench" "$TMP/b/tests"
ln -s "$CALQUE" "$TMP/b/calque" # its own folder of results, without onnxruntime
expect "table" 0 "$PY" tests/bench/table.py "$TMP/b" --small --threads 1,2 --only transposition,constant
[ "$(grep -c '^| transposition 128x128 | copy | [12] | [0-9.]* | [0-9.]* | [0-9.]* |$' "$TMP/out")" = 2 ] && pass "a row for each number of threads" || fail "$(cat "$TMP/out")"
[ "$(grep -c 'onnxruntime.*the peer is not here' "$TMP/out")" = 3 ] && pass "a peer that lacks is told" || fail "$(cat "$TMP/out")"
cmp -s "$TMP/out" "$TMP/b/bench/table.md" && pass "table.md" || fail "table.md"
"$PY" - "$TMP/b/bench/plot.svg" <<'END' && pass "plot.svg" || fail "plot.svg"
import sys, xml.dom.minidom
d = xml.dom.minidom.parse(sys.argv[1])
assert len(d.getElementsByTagName('rect')) >= 2 and d.getElementsByTagName('line')
END
expect "no such case" 2 "$PY" tests/bench/table.py "$TMP/b" --small --only nothing-of-this
finish
