#!/bin/sh
# usage: diff.sh ORACLE COMMAND [N [SEED [--fixed]]]
# Matching and rewriting, differentially: N random (rule, graph) pairs (20000) answered by ORACLE ("calque-oracle gsl") from
# S-expressions and by COMMAND (gsl_text) from .gsl and .graph text. Equal must be, byte for byte: the graph and the rule as
# understood, every match (outputs, addresses, lengths, alternatives), and the graph after the first rewrite whose target has
# the types of the source. That graph is compared in a canonical form: nodes numbered by a walk from the outputs, inputs
# first (oracle/gsl_batch.mli), every node typed and every default written out, the attributes sorted; names of nodes are not
# compared. Types, defaults and the refusal of targets without the source's type are not part of the Coq definitions:
# oracle/gsl_types.ml does that for the oracle, and what it refuses is counted.
# A planted match (the generator knows one) that neither finds is a failure too, and so is a kind of pair that is too rare.
# A difference is shrunk: it is all calque-oracle diff.
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

"$oracle" diff "gsl${fixed:+-fixed}" --against "$command" --count "$n" --seed "$seed" --timeout 300 \
    -o "$tmp/minimal" >"$tmp/report" || failed=1
cat "$tmp/report"
grep -q "^gsl.*: $n cases: $n equal," "$tmp/report" || { echo "expected $n equal answers"; failed=1; }
# How many pairs there were of a kind.
sed -n 's/^covered: //p' "$tmp/report" | tr ',' '\n' | sed 's/^ *//; s/^\(.*\) \([0-9]*\)$/\2\t\1/' >"$tmp/kinds"
kind() { awk -F '\t' -v kind="$1" '$2 == kind { n = $1 } END { print n + 0 }' "$tmp/kinds"; }
! grep 'planted and missed' "$tmp/kinds" || { echo "a planted match is not found"; failed=1; }
[ $(($(kind planted) * 3)) -ge "$n" ] && [ $(($(kind rewritten) * 5)) -ge "$n" ] || { echo "too few are planted or rewritten"; failed=1; }
# A generator that stopped generating a kind must not pass.
[ "$fixed" ] || for k in planted unplanted 'use broken' 'convexity broken' 'injectivity broken' 'require broken' 'attribute broken' \
    'one output' 'two outputs' 'three outputs' 'variadic output' 'variadic input' alternatives 'operator pattern' commutative optional \
    shared first condition; do
    [ $(($(kind "$k") * 200)) -ge "$n" ] || { echo "too few: $k"; failed=1; }
done
if [ $failed = 0 ]; then echo "PASS pattern/diff ($n pairs, seed $seed)"
else echo "FAIL pattern/diff (seed $seed)"; fi
exit $failed
