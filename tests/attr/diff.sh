#!/bin/sh
# usage: diff.sh ORACLE COMMAND [N [SEED]]
# The attr room, differentially, by ORACLE ("calque-oracle") diff. First the cases written by hand in diff_cases.txt, where
# both ORACLE and COMMAND (a program that reads the same requests) must give the answers that are there; then long lines; then
# 3 N / 2 random requests (N is 100000), two of three of the whole language, the others without comprehensions and what belongs
# to them (which finds more arithmetic), where both must give the same. The values that COMMAND finds with a memo are the same,
# and the text that it prints of the expressions is the one it read. Exit status: 0 equal, 1 different, 2 usage, 77 skipped.
set -u
[ $# -ge 2 ] || { sed -n 's/^# usage/usage/p' "$0" >&2; exit 2; }
oracle=$1
command=$2
n=${3-100000}
seed=${4-1}
cases=$(dirname "$0")/diff_cases.txt

if [ ! -x "$oracle" ]; then
    echo "SKIP attr/diff: $oracle is missing (make oracle)"
    exit 77
fi
[ -x "$command" ] || { echo "FAIL attr/diff: $command is missing"; exit 1; }

tmp=$(mktemp -d) || exit 3
trap 'rm -rf "$tmp"' EXIT
failed=0

# against NAME K COMMAND OPTIONS..: no answer of K differs
against() {
    name=$1
    k=$2
    by=$3
    shift 3
    if "$oracle" diff attr --against "$by" --timeout 300 -o "$tmp/minimal" "$@" >"$tmp/report" && grep -q " $k cases: [1-9]" "$tmp/report"; then
        echo "PASS attr/$name ($(sed -n '1s/^attr: //p' "$tmp/report"))"
    else
        cat "$tmp/report"
        echo "FAIL attr/$name"
        failed=1
    fi
}

against diff-cases $(($(grep -v '^#' "$cases" | grep -c .) / 2)) "$command" --cases "$cases"

# Long lines: a tuple of 60,000 numbers, one of 20,000 tuples.
awk 'BEGIN { printf "(eval (. 1 shape) ((1 shape (tuple"; for (i = 0; i < 60000; i++) printf " %d", 100000 + i; print "))))"
             printf "(eval (len (. 1 shape)) ((1 shape (tuple"; for (i = 0; i < 20000; i++) printf " (tuple %d)", i; print "))))" }' >"$tmp/long"
against diff-long 2 "$command" --requests "$tmp/long"

against diff-random $((n * 3 / 2)) "$command" --count $((n * 3 / 2)) --seed "$seed"
# A generator that stopped generating something must not pass.
[ "$n" -lt 10000 ] || ! grep '^not covered' "$tmp/report" || { echo "FAIL attr/diff-covered"; failed=1; }
against diff-memo 20000 "$command memo" --count 20000 --seed "$seed"

{ "$oracle" attr --generate "$n" --seed "$seed" --full && "$oracle" attr --generate $((n / 2)) --seed "$seed"; } >"$tmp/requests" 2>/dev/null
if "$command" print <"$tmp/requests" >"$tmp/printed" && cmp "$tmp/requests" "$tmp/printed" && [ "$(wc -l <"$tmp/printed")" = $((n + n / 2)) ]; then
    echo "PASS attr/diff-print ($((n + n / 2)) requests, seed $seed)"
else
    echo "FAIL attr/diff-print (seed $seed)"
    failed=1
fi
exit $failed
