#!/bin/sh
# usage: diff.sh ORACLE COMMAND [N [SEED]]
# Kernels, differentially: random requests answered by ORACLE ("calque-oracle") and by COMMAND (kernel_text); the answers
# must be the same byte for byte, and all kinds of answers must occur. N (20000) of printing, inlining and running; N / 4 of
# reverse inlining and of look-ups; at least N gradients, refusals not counted. On a difference the shortest failing request is shown, one of a gradient made
# smaller while it fails. Then the published gradients, by the calque beside ORACLE.
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

# answer BY REQUESTS ANSWERS
answer() {
    if [ "$1" = oracle ]; then "$oracle" kernel <"$2" >"$3" 2>"$tmp/stderr"; else "$command" <"$2" >"$3" 2>"$tmp/stderr"; fi ||
        { head -n 5 "$tmp/stderr"; return 1; }
}

# The number of the shortest request that is answered differently goes to stdout, 0 if there is none.
differ() {
    awk 'BEGIN { RS = ""; least = 0 }
        FNR == 1 { file++ }
        file == 1 { request[FNR] = $0; next }
        file == 2 { want[FNR] = $0; next }
        want[FNR] "" != $0 "" || !(FNR in want) { if (!least || length(request[FNR]) < length(request[least])) least = FNR }
        END { print FNR < length(request) ? FNR + 1 : least }' "$@"
}

block() {
    awk -v n="$1" 'BEGIN { RS = "" } FNR == n' "$2"
}

# compare REQUESTS: 1 and a report when answers differ; the answers stay in $tmp/expected and $tmp/answers.
compare() {
    answer oracle "$1" "$tmp/expected" || return 1
    answer command "$1" "$tmp/answers" || return 1
    at=$(differ "$1" "$tmp/expected" "$tmp/answers")
    [ "$at" != 0 ] || return 0
    block "$at" "$1" >"$tmp/least"
    rounds=0
    while [ $rounds -lt 200 ] && "$command" shrink <"$tmp/least" >"$tmp/smaller" && [ -s "$tmp/smaller" ] &&
        answer oracle "$tmp/smaller" "$tmp/expected" && answer command "$tmp/smaller" "$tmp/answers"; do
        at=$(differ "$tmp/smaller" "$tmp/expected" "$tmp/answers")
        [ "$at" != 0 ] || break
        block "$at" "$tmp/smaller" >"$tmp/least"
        rounds=$((rounds + 1))
    done
    answer oracle "$tmp/least" "$tmp/expected"
    answer command "$tmp/least" "$tmp/answers"
    echo "answers differ; the shortest request, $rounds times made smaller:"
    cat "$tmp/least"
    echo oracle:
    cat "$tmp/expected"
    echo command:
    cat "$tmp/answers"
    return 1
}

# Counts by kind of request and answer.
count() {
    awk 'BEGIN { RS = "" }
        FNR == NR { split($0, word, " "); kind[FNR] = word[1] (word[1] == "grad" && word[5] ~ /^[usv]+$/ ? "-" word[5] : ""); next }
        { count[kind[FNR] ($0 ~ /^(no|undefined|limit|error)$/ ? "-" $0 : "")]++ }
        END { for (k in count) print k, count[k] }' "$1" "$tmp/expected" | sort >"$tmp/counts"
    tr '\n' ' ' <"$tmp/counts" | sed 's/^/kernel: /'
    echo
}

# kinds N KIND..: each of them has occurred, in all N times.
kinds() {
    least=$1
    shift
    all=0
    for k in "$@"; do
        c=$(sed -n "s/^$k //p" "$tmp/counts")
        [ "${c:-0}" -gt 0 ] || { echo "no answer of the kind $k"; ok=; }
        all=$((all + ${c:-0}))
    done
    [ $all -ge "$least" ] || { echo "$all answers, not $least"; ok=; }
    ! grep -q error "$tmp/counts" || { echo "a request was an error"; ok=; }
}

"$command" "$n" "$seed" >"$tmp/requests" || { echo "FAIL kernel/diff: no requests"; exit 1; }
if compare "$tmp/requests"; then
    count "$tmp/requests"
    kinds "$n" print inline inline-no run run-undefined
else
    ok=
fi

"$command" $((n / 4)) "$seed" reverse >"$tmp/requests" || { echo "FAIL kernel/diff: no requests"; exit 1; }
if compare "$tmp/requests"; then
    count "$tmp/requests"
    kinds 0 reverse-no
    kinds $((n / 8)) reverse
else
    ok=
fi

"$command" $((n + n / 4)) "$seed" grad >"$tmp/requests" || { echo "FAIL kernel/diff: no requests"; exit 1; }
if compare "$tmp/requests"; then
    count "$tmp/requests"
    kinds 0 grad-no
    kinds "$n" grad grad-u grad-s grad-v
else
    ok=
fi

"$command" $((n / 4)) "$seed" look >"$tmp/requests" || { echo "FAIL kernel/diff: no requests"; exit 1; }
if compare "$tmp/requests"; then
    # answers: tensors, or an index outside, negative or not, or of an empty dimension
    awk 'BEGIN { RS = "" } { c[/empty/ ? "empty" : / is -/ ? "before" : /^index/ ? "behind" : "stored"]++ }
        END { for (k in c) print k, c[k] }' "$tmp/expected" | sort >"$tmp/counts"
    tr '\n' ' ' <"$tmp/counts" | sed 's/^/look-ups: /'
    echo
    kinds $((n / 4)) before behind empty stored
else
    ok=
fi

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
        answer oracle "$tmp/one" "$tmp/expected" && cmp -s "$tmp/expected" "$tmp/answers" && [ "$(wc -l <"$tmp/answers")" -gt 1 ] || {
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
