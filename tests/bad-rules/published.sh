#!/usr/bin/env bash
# The rules and graphs here are those that Coq refutes: coq/rewrite/Published.v is printed again and compared, and each graph
# RULE_needs_CONDITION.graph has its theorem among those that Coq checked.
# usage: tests/bad-rules/published.sh BUILD
set -u
here=$(cd "$(dirname "$0")" && pwd)
root=$here/../..
for f in calque calque-oracle; do
    [ -x "$1/$f" ] || { echo "SKIP bad-rules/published: $1/$f is missing (make all oracle)"; exit 77; }
done
bad=0 n=0
"$here/terms.sh" "$1" | diff "$root/coq/rewrite/Published.v" - >&2 || { echo "FAIL bad-rules/published: coq/rewrite/Published.v is not what terms.sh prints"; bad=1; }
for g in "$here"/*.graph; do
    n=$((n + 1))
    grep -qx "OfUnsound.rule_$(basename "$g" .graph)" "$root/tests/coq/theorems.golden" || { echo "FAIL bad-rules/published: no theorem rule_$(basename "$g" .graph)"; bad=1; }
done
for f in "$here"/*.gsl; do
    ls "${f%.gsl}"_needs_*.graph >/dev/null 2>&1 || { echo "FAIL bad-rules/published: no graph refutes $(basename "$f" .gsl)"; bad=1; }
done
[ $bad = 0 ] && echo "PASS bad-rules/published ($n graphs, as in coq/rewrite/Published.v)"
exit $bad
