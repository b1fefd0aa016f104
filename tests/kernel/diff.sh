#!/bin/sh
# usage: diff.sh ORACLE COMMAND [N [SEED]]
# Kernels, differentially: 2 N (40000) random requests (printing, inlining, running, reverse inlining, gradients, look-ups) answered by ORACLE
# ("calque-oracle") and by COMMAND (kernel_text); the answers must be the same byte for byte, and all kinds of answers, reductions,
# functions and comparisons must occur. It is calque-oracle diff, which makes the shortest request that fails smaller; commands that are
# wrong on purpose must be found. Then the published gradients, by the calque beside ORACLE.
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

"$oracle" diff kernel --against "'$command'" --count $((2 * n)) --seed "$seed" --timeout 300 -o "$tmp/minimal" >"$tmp/report" || ok=
cat "$tmp/report"
! grep -q '^not covered' "$tmp/report" || ok=
# As many gradients as refusals of them, at least.
sed -n 's/^covered: //p' "$tmp/report" | sed 's/, /\n/g' | awk '/^grad/ { if ($0 ~ / (no|limit) /) no += $NF; else yes += $NF } /^inline no/ { not = $NF } /^inline [0-9]/ { inlined = $NF }
    END { printf "%d gradients, %d refused\n", yes, no; exit yes < no || 3 * inlined < not || !no }' || ok=

# fault SED NODES: a command that reads requests changed so is found, by a request of few nodes.
fault() {
    rm -f "$tmp/fault"
    "$oracle" diff kernel --against "sed -u '$1' | '$command'" --count 2000 --seed "$seed" --stop-after 3 -o "$tmp/fault" >"$tmp/report"
    if [ $? = 1 ] && [ "$(sed -n 's/.*steps to \([0-9]*\) nodes/\1/p' "$tmp/report" | sort -n | head -n 1)" -le "$2" ] &&
        ! "$oracle" diff kernel --against "sed -u '$1' | '$command'" --cases "$tmp/fault" -o "$tmp/again" >"$tmp/again.report" &&
        "$oracle" diff kernel --against "'$command'" --cases "$tmp/fault" >"$tmp/again.report"; then
        return
    fi
    echo "$1 is not found, or not made small"
    cat "$tmp/report" "$tmp/fault"
    ok=
}
fault 's/amax(/sum(/g' 12
fault '/^grad/s/ v$//' 12

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
if [ "$ok" ]; then echo "PASS kernel/diff ($((2 * n)) requests, seed $seed)"
else echo "FAIL kernel/diff (seed $seed)"; exit 1; fi
