#!/bin/sh
# usage: diff.sh ORACLE COMMAND [N [SEED]]
# Kernels, differentially: random requests answered by ORACLE ("calque-oracle") and by COMMAND (kernel_text); the answers
# must be the same byte for byte, and all kinds of answers must occur. N (20000) of printing, inlining and running; N / 4 of
# reverse inlining and of look-ups; at least N gradients, refusals not counted. It is calque-oracle diff, which makes the shortest
# request that fails smaller. Then the published gradients, by the calque beside ORACLE.
# Exit status: 0 equal, 1 different, 2 usage, 77 skipped.
set -u
[ $# -ge 2 ] || { sed -n 's/^# usage/usage/p' "$0" >&2; exit 2; }
oracle=$1
command=$2
n=${3-20000}
seed=${4-1}
calque=$(dirname "$oracle")/calque
here=$(dirname "$0")

[ -x "$calque" ] || { echo "FAIL kernel/diff: $calque is missing"; exit 1; }
if [ ! -x "$oracle" ]; then
    echo "SKIP kernel/diff: $oracle is missing (make oracle)"
    exit 77
fi
[ -x "$command" ] || { echo "FAIL kernel/diff: $command is missing"; exit 1; }

tmp=$(mktemp -d) || exit 3
trap 'rm -rf "$tmp"' EXIT
ok=yes

# Requests that both refuse to read are equal to diff: none is made.
unread() {
    "$oracle" kernel <"$tmp/requests" 2>/dev/null | grep -qx error || return 0
    echo "requests that cannot be read"
    return 1
}

# compare NAME N KIND.. -- ARGUMENTS..: no answer to the requests that COMMAND makes of these arguments differs; each of the
# kinds has occurred, in all N times.
compare() {
    name=$1
    least=$2
    shift 2
    : >"$tmp/want"
    while [ "$1" != -- ]; do echo "$1" >>"$tmp/want"; shift; done
    shift
    "$command" "$@" >"$tmp/requests" || { echo "FAIL kernel/diff: no requests"; exit 1; }
    if ! "$oracle" diff kernel --against "$command" --requests "$tmp/requests" --timeout 300 -o "$tmp/minimal" >"$tmp/report"; then
        cat "$tmp/report"
        ok=
        return
    fi
    sed "s/^kernel/$name/" "$tmp/report"
    sed -n 's/^covered: //p' "$tmp/report" | tr ',' '\n' | sed 's/^ *//; s/^\(.*\) \([0-9]*\)$/\2\t\1/' >"$tmp/kinds"
    unread || ok=
    awk -F '\t' -v least="$least" 'NR == FNR { want[$1] = 1; next } $2 in want { all += $1; delete want[$2] }
        END { for (k in want) { print "no answer of the kind " k; bad = 1 }
              if (all < least) { print all " answers, not " least; bad = 1 }
              exit bad }' "$tmp/want" "$tmp/kinds" || ok=
}

compare kernel "$n" print inline 'inline no' run 'run undefined' -- "$n" "$seed"
compare reverse $((n / 8)) reverse -- $((n / 4)) "$seed" reverse
grep -q 'reverse no' "$tmp/kinds" || { echo "no reverse inlining is refused"; ok=; }
compare grad "$n" grad grad-u grad-s grad-v -- $((n + n / 4)) "$seed" grad
grep -q 'grad no' "$tmp/kinds" || { echo "no gradient is refused"; ok=; }
compare look $((n / 4)) 'look before' 'look behind' 'look empty' look -- $((n / 4)) "$seed" look

# answer REQUESTS ANSWERS: by the oracle
answer() { "$oracle" kernel <"$1" >"$2" 2>"$tmp/stderr" || { head -n 5 "$tmp/stderr"; return 1; }; }

# Kernels with what they are differentiated by.
cases=0
for file in cases gradients; do
    mkdir "$tmp/$file"
    "$here/cases.sh" "$here/$file.kern" "$tmp/$file" >"$tmp/list" || ok=
    while read -r name type _ out wrt _; do
        [ "$wrt" != - ] || continue
        kernel=$tmp/$file/$name.kern
        [ "$type" = - ] || kernel=$tmp/$file/$name.json
        [ "$out" != - ] || out=$(sed 's/<.*//;q' "$kernel")
        { echo "grad real $out $wrt"; "$calque" dump --stage=kernel "$kernel"; echo; } >"$tmp/one"
        "$calque" grad "$kernel" --wrt "$wrt" >"$tmp/answers" 2>&1
        echo >>"$tmp/answers"
        answer "$tmp/one" "$tmp/expected" && cmp -s "$tmp/expected" "$tmp/answers" && [ "$(wc -l <"$tmp/answers")" -gt 1 ] || {
            echo "$name: the kernel has another gradient"
            cat "$tmp/one" "$tmp/expected" "$tmp/answers"
            ok=
        }
        cases=$((cases + 1))
    done <"$tmp/list"
done
[ $cases = 38 ] || { echo "$cases gradients, not 38"; ok=; }
echo "kernel: $cases gradients of files"
if [ "$ok" ]; then echo "PASS kernel/diff ($n requests, $n gradients, seed $seed)"
else echo "FAIL kernel/diff (seed $seed)"; exit 1; fi
