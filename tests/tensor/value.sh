#!/bin/sh
# usage: value.sh ORACLE COMMAND [N [SEED]]
# Shapes and values of operators, differentially: N random applications (12600) to random tensors, the operators by turns,
# as ORACLE ("calque-oracle": op_infer and op_value of coq/tensor) and COMMAND (opvalue_text: op_infer and op_eval of
# c/tensor) give them; they must be the same bit for bit. Where the command has no kernel only the shapes are compared.
# Every operator must be accepted and computed at least ten times, and 5 in 100 applications refused. On a difference the
# shortest failing request of each operator is shown. Exit status: 0 equal, 1 different, 2 usage, 77 skipped.
set -u
[ $# -ge 2 ] || { sed -n 's/^# usage/usage/p' "$0" >&2; exit 2; }
oracle=$1
command=$2
n=${3-12600}
seed=${4-1}

if [ ! -x "$oracle" ]; then
    echo "SKIP tensor/value: $oracle is missing (make oracle)"
    exit 77
fi
[ -x "$command" ] || { echo "FAIL tensor/value: $command is missing"; exit 1; }

tmp=$(mktemp -d) || exit 3
trap 'rm -rf "$tmp"' EXIT
ok=yes

"$command" "$n" "$seed" "$tmp/requests" "$tmp/want" >"$tmp/counts" || { echo "FAIL tensor/value: no requests"; exit 1; }
"$oracle" opvalue <"$tmp/requests" >"$tmp/got" 2>"$tmp/stderr" || { head -n 5 "$tmp/stderr"; ok=; }

awk '$2 - $3 - $4 < 10 { print "only " $2 - $3 - $4 " values of " $1; few++ }
    { made += $2; refused += $3; none += $4; left += $5 }
    END { printf "%d operators: %d requests, %d refused, %d without kernel; %d draws left out\n", NR, made, refused, none, left
          exit few > 0 || NR < 60 || refused * 20 < made }' "$tmp/counts" || ok=
paste -d '\n' "$tmp/requests" "$tmp/want" "$tmp/got" | awk -v prefix=1 -f "$(dirname "$0")/same.awk" || ok=
if [ "$ok" ]; then echo "PASS tensor/value ($n requests, seed $seed)"
else echo "FAIL tensor/value (seed $seed)"; exit 1; fi
