#!/bin/sh
# usage: diff.sh ORACLE COMMAND [N [SEED [--fixed]]]
# Matching and rewriting, differentially: N random (rule, graph) pairs (20000) answered by ORACLE ("calque-oracle gsl") from
# S-expressions and by COMMAND (gsl_text) from .gsl and .graph text. Equal must be, byte for byte: the graph and the rule as
# understood, every match (outputs, addresses, lengths, alternatives), and the graph after the first rewrite whose target has
# the types of the source. That graph is compared in a canonical form: nodes numbered by a walk from the outputs, inputs
# first (oracle/gsl_batch.mli), every node typed and every default written out, the attributes sorted; names of nodes are not
# compared. Types, defaults and the refusal of targets without the source's type are not part of the Coq definitions:
# oracle/gsl_types.ml does that for the oracle, and what it refuses is counted.
# A planted match (the generator knows one) that neither finds is a failure too. A difference is shrunk.
# Exit status: 0 equal, 1 different, 2 usage, 77 skipped.
set -u
[ $# -ge 2 ] || { sed -n 's/^# usage/usage/p' "$0" >&2; exit 2; }
oracle=$1
command=$2
n=${3-20000}
seed=${4-1}
fixed=${5-}

if [ ! -x "$oracle" ]; then
    echo "SKIP pattern/diff: $oracle is missing (make oracle)"
    exit 77
fi
[ -x "$command" ] || { echo "FAIL pattern/diff: $command is missing"; exit 1; }

tmp=$(mktemp -d) || exit 3
trap 'rm -rf "$tmp"' EXIT
failed=0

# answers PAIRS: $tmp/a by the oracle, $tmp/b by the command; the words they say on standard error
answers() {
    "$oracle" gsl <"$1" >"$tmp/a" 2>"$tmp/a.err"
    "$command" <"$1" >"$tmp/b" 2>"$tmp/b.err"
}

# differing: the first lines of the pairs whose answers differ, shortest answer first
differing() {
    awk 'FNR == 1 { file++ }
         /^case / { k[file]++; if (file == 1) name[k[1]] = $0 }
         { if (file == 1) want[k[1]] = want[k[1]] $0 "\n"; else got[k[2]] = got[k[2]] $0 "\n" }
         END { for (i = 1; i <= k[1]; i++) if (want[i] "" != got[i] "") print length(want[i]) "\t" name[i] }' \
        "$tmp/a" "$tmp/b" | sort -n | cut -f 2-
}

# pair LINE FILE: the pair of FILE that begins with LINE; answer LINE FILE the same of answers
pair() { awk -v line="$1" '$0 == line { on = 1 } on { print } on && $0 == "end" { exit }' "$2"; }
answer() { awk -v line="$1" '/^case / { on = $0 == line } on { print }' "$2"; }

# shrink LINE FILE: while a pair one step smaller differs too (and the command reads it, if it read the first), go on with it
shrink() {
    pair "$1" "$2" >"$tmp/least"
    answers "$tmp/least"
    unread=$(grep -c '^error' "$tmp/b")
    for step in $(seq 200); do
        "$oracle" gsl --smaller <"$tmp/least" >"$tmp/try" 2>/dev/null
        answers "$tmp/try"
        next=$(differing | while read -r line; do
            [ "$unread" -gt 0 ] || ! answer "$line" "$tmp/b" | grep -q '^error' || continue
            echo "$line"
            break
        done)
        [ "$next" ] || break
        pair "$next" "$tmp/try" >"$tmp/least.new"
        mv "$tmp/least.new" "$tmp/least"
    done
    echo "shrunk ($step steps):"
    cat "$tmp/least"
    answers "$tmp/least"
    echo "oracle:"
    grep -v '^case' "$tmp/a"
    echo "command:"
    grep -v '^case' "$tmp/b"
}

if ! "$oracle" gsl --generate "$n" --seed "$seed" $fixed >"$tmp/pairs" 2>"$tmp/census"; then
    cat "$tmp/census"
    echo "FAIL pattern/diff: no pairs"
    exit 1
fi
cat "$tmp/census"
answers "$tmp/pairs"
cat "$tmp/a.err" "$tmp/b.err"
if ! cmp -s "$tmp/a" "$tmp/b"; then
    failed=1
    cp "$tmp/a" "$tmp/a.all"
    cp "$tmp/b" "$tmp/b.all"
    differing >"$tmp/different"
    echo "$(wc -l <"$tmp/different") pairs differ: $(head -n 5 "$tmp/different" | cut -d ' ' -f 2 | tr '\n' ' ')"
    shrink "$(head -n 1 "$tmp/different")" "$tmp/pairs"
    cp "$tmp/a.all" "$tmp/a"
    cp "$tmp/b.all" "$tmp/b"
fi

# Of each planted pair some match that is listed must have one of the planted outputs.
for who in a b; do
    awk -v who=$who '
        function done() { if (planted && !found) { missed++; if (missed <= 3) print "missed by " who ": " name } }
        /^case / { done(); name = $0; planted = $3 == "planted"; found = 0; split("", root); pairs++; all += planted
                   if (planted) for (i = 4; i <= NF; i++) root[$i] = 1 }
        /^\(match / { line = $0; sub(/^\(match [^ ]* \(/, "", line); sub(/\).*/, "", line); k = split(line, out, " ")
                      matches++; for (i = 1; i <= k; i++) if (out[i] in root) found = 1 }
        /^rewritten/ { rewritten++ }
        END { done(); printf "gsl: answers of %s: %d pairs, %d planted, %d of them missed, %d matches, %d rewritten\n",
                  who == "a" ? "the oracle" : "the command", pairs, all, missed, matches, rewritten
              exit missed > 0 || all * 3 < pairs || rewritten * 5 < pairs }' "$tmp/$who" || failed=1
done
[ "$(grep -c '^case ' "$tmp/b")" = "$n" ] || { echo "expected $n answers"; failed=1; }
# A generator that stopped generating a kind must not pass.
if [ ! "$fixed" ] && awk -v n="$n" '/^gsl: +[0-9]/ && $2 * 200 < n { print "too few: " $0; bad = 1 } END { exit !bad }' "$tmp/census"; then failed=1; fi
if [ $failed = 0 ]; then echo "PASS pattern/diff ($n pairs, seed $seed)"
else echo "FAIL pattern/diff (seed $seed)"; fi
exit $failed
