#!/usr/bin/env bash
# Every rule here is unsound: `calque check` must refute it within 10 s and print a counterexample. And it must refute no
# rule of the library.
# usage: tests/bad-rules/run.sh BUILD
set -u
here=$(cd "$(dirname "$0")" && pwd)
calque=${1:-.build}/calque
tmp=$(mktemp -d) || exit 3
trap 'rm -rf "$tmp"' EXIT
bad=0 n=0

for f in "$here"/*.gsl; do
    n=$((n + 1))
    timeout 10 "$calque" check --jobs 1 "$f" >"$tmp/out" 2>"$tmp/err"
    rc=$?
    if [ $rc != 1 ] || ! grep -q 'REFUTED' "$tmp/out" || ! grep -q 'the graph:' "$tmp/out"; then
        echo "FAIL bad-rules/$(basename "$f" .gsl): exit status $rc"
        cat "$tmp/out" "$tmp/err"
        bad=$((bad + 1))
    elif ! "$calque" check --jobs 3 "$f" | cmp -s - "$tmp/out"; then
        echo "FAIL bad-rules/$(basename "$f" .gsl): the answer depends on the number of processes"
        bad=$((bad + 1))
    fi
done
[ $n -ge 15 ] || { echo "FAIL bad-rules: only $n rules"; bad=$((bad + 1)); }
# RULE_needs_CONDITION.graph: rewritten by RULE, its outputs differ, or there is no typed graph to rewrite it to.
graphs=0
for g in "$here"/*_needs_*.graph; do
    name=$(basename "$g" .graph)
    graphs=$((graphs + 1))
    "$calque" opt "$g" -r "$here/${name%%_needs_*}.gsl" --no-fold --once --check 1 --json -o "$tmp/out.graph" >"$tmp/out" 2>"$tmp/err"
    rc=$?
    if ! { [ $rc = 1 ] && grep -q '"applied": 1' "$tmp/out"; } && ! { [ $rc = 0 ] && grep -q '"type": [1-9]' "$tmp/out"; }; then
        echo "FAIL bad-rules/$name: exit status $rc"
        cat "$tmp/out" "$tmp/err"
        bad=$((bad + 1))
    fi
done
[ $graphs -ge $n ] || { echo "FAIL bad-rules: only $graphs graphs"; bad=$((bad + 1)); }

"$calque" check --set all --tries "${TRIES:-150}" --seconds 6 >"$tmp/out" 2>"$tmp/err"
rc=$?
if [ $rc != 0 ] || [ -s "$tmp/err" ] || ! tail -n 1 "$tmp/out" | grep -q '^[0-9]* rules: 0 refuted, 0 not tested$'; then
    echo "FAIL bad-rules/library: exit status $rc"
    cat "$tmp/out" "$tmp/err"
    bad=$((bad + 1))
fi
[ $bad = 0 ] || exit 1
echo "PASS bad-rules ($n unsound rules refuted, $graphs graphs; library: $(tail -n 1 "$tmp/out"))"
