#!/bin/sh
# usage: diff.sh ORACLE COMMAND [N [SEED]]
# The attr room, differentially. First the cases written by hand in diff_cases.txt, where both
# ORACLE ("calque-oracle") and COMMAND (a program that reads the same requests) must give the
# expected answers; then N random requests (100000), where both must give the same. On a
# difference the shortest failing request is shown. Exit status: 0 equal, 1 different, 2 usage, 77 skipped.
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

# Lines request, answer, request, answer ..; comments and empty lines are dropped.
grep -v '^#' "$cases" | grep -v '^$' >"$tmp/pairs"
awk 'NR % 2 == 1' "$tmp/pairs" >"$tmp/requests"
awk 'NR % 2 == 0' "$tmp/pairs" >"$tmp/expected"

# run WHO STATUS PROGRAM..: answers $tmp/requests into $tmp/answers
run() {
    who=$1
    want=$2
    shift 2
    "$@" <"$tmp/requests" >"$tmp/answers" 2>"$tmp/stderr"
    got=$?
    [ $got = "$want" ] && return 0
    echo "$who: exit status $got, expected $want"
    head -n 5 "$tmp/stderr"
    return 1
}

# show A B: the shortest request whose answers differ
show() {
    awk 'FNR == 1 { file++ }
         file == 1 { want[FNR] = $0; next }
         file == 2 { got[FNR] = $0; next }
         want[FNR] "" != got[FNR] "" {
             if (!k++ || length($0) < length(r)) { r = $0; a = want[FNR]; b = got[FNR] } }
         END { printf "%d answers differ; the shortest request:\n  %s\n  %s\n  %s\n", k, r, a, b }
        ' "$1" "$2" "$tmp/requests"
}

compare() {
    if cmp -s "$2" "$3"; then return 0; fi
    echo "$1"
    show "$2" "$3"
    return 1
}

for who in oracle command; do
    [ $who = oracle ] && set -- "$oracle" attr || set -- "$command"
    ok=yes
    run $who 2 "$@" || ok=
    compare "$who: expected answer, then the one given" "$tmp/expected" "$tmp/answers" || ok=
    if [ "$ok" ]; then echo "PASS attr/diff-cases-$who ($(wc -l <"$tmp/requests") requests)"
    else echo "FAIL attr/diff-cases-$who"; failed=1; fi
done

if ! "$oracle" attr --generate "$n" --seed "$seed" >"$tmp/requests" 2>"$tmp/count"; then
    cat "$tmp/count"
    echo "FAIL attr/diff-random: no requests"
    exit 1
fi
cat "$tmp/count"
ok=yes
run oracle 0 "$oracle" attr || ok=
mv "$tmp/answers" "$tmp/expected"
run command 0 "$command" || ok=
compare "seed $seed: answer of the oracle, then of the command" "$tmp/expected" "$tmp/answers" || ok=
# A generator that stopped generating must not pass.
[ "$(wc -l <"$tmp/answers")" = "$n" ] || { echo "expected $n answers"; ok=; }
if [ "$ok" ]; then echo "PASS attr/diff-random ($n requests, seed $seed)"
else echo "FAIL attr/diff-random (seed $seed)"; failed=1; fi
exit $failed
