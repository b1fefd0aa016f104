#!/bin/sh
# usage: diff.sh ORACLE COMMAND [N [SEED]]
# The kernels of operators, differentially: N random applications (12600) and N/2 more with their sums in lanes, every other
# turn of the operators with sums of products fused, whose kernels ORACLE
# ("calque-oracle") and COMMAND (opkernel_text: gen_<Op> of c/tensor, elaborated) give; they must be the same byte for byte.
# Every operator must be compared, with a kernel at least ten times; the checker must show every kernel in bounds. On a difference the shortest failing request of each
# operator is shown. Exit status: 0 equal, 1 different, 2 usage, 77 skipped.
set -u
[ $# -ge 2 ] || { sed -n 's/^# usage/usage/p' "$0" >&2; exit 2; }
oracle=$1
command=$2
n=${3-12600}
seed=${4-1}

if [ ! -x "$oracle" ]; then
    echo "SKIP tensor/diff: $oracle is missing (make oracle)"
    exit 77
fi
[ -x "$command" ] || { echo "FAIL tensor/diff: $command is missing"; exit 1; }

tmp=$(mktemp -d) || exit 3
trap 'rm -rf "$tmp"' EXIT
ok=yes

"$command" "$n" "$seed" "$tmp/requests" "$tmp/want" >"$tmp/counts" || { echo "FAIL tensor/diff: no requests"; exit 1; }
"$oracle" opkernel <"$tmp/requests" >"$tmp/got" 2>"$tmp/stderr" || { head -n 5 "$tmp/stderr"; ok=; }

awk '$2 - $3 < 10 { print "only " $2 - $3 " kernels of " $1; few++ }
    { made += $2; none += $3; refused += $4 }
    END { printf "%d operators: %d requests, %d without kernel; %d draws refused\n", NR, made, none, refused
          exit few > 0 || NR < 60 }' "$tmp/counts" || ok=
"$oracle" opkernel --well-formed <"$tmp/requests" | awk '{ count[$0]++ }
    END { printf "%d kernels shown in bounds by the extracted checker, %d not\n", count["yes"], count["no"]
          exit count["no"] > 0 || !count["yes"] }' || ok=
paste -d '\n' "$tmp/requests" "$tmp/want" "$tmp/got" | awk -f "$(dirname "$0")/same.awk" || ok=
if [ "$ok" ]; then echo "PASS tensor/diff ($n requests, seed $seed)"
else echo "FAIL tensor/diff (seed $seed)"; exit 1; fi
