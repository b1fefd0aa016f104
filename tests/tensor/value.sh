#!/bin/sh
# usage: value.sh ORACLE COMMAND [N [SEED]]
# Shapes and values of operators, differentially: N random applications (12600) to random tensors, the operators by turns,
# as ORACLE ("calque-oracle": op_infer and op_value of coq/tensor) and COMMAND (opvalue_text: op_infer and op_eval of
# c/tensor) give them; they must be the same bit for bit. It is calque-oracle diff, which makes the shortest request that fails smaller.
# Every operator must be accepted and computed at least ten times, every element type and attribute once, and 5 in 100 applications
# refused. Then commands that are wrong on purpose, which must be found and made small. Exit status: 0 equal, 1 different, 2 usage,
# 77 skipped.
set -u
[ $# -ge 2 ] || { sed -n 's/^# usage/usage/p' "$0" >&2; exit 2; }
oracle=$1
command=$2
n=${3-12600}
seed=${4-1}
here=$(dirname "$0")

if [ ! -x "$oracle" ]; then
    echo "SKIP tensor/value: $oracle is missing (make oracle)"
    exit 77
fi
[ -x "$command" ] || { echo "FAIL tensor/value: $command is missing"; exit 1; }

tmp=$(mktemp -d) || exit 3
trap 'rm -rf "$tmp"' EXIT
ok=yes

"$oracle" diff opvalue --against "'$command'" --count "$n" --seed "$seed" -o "$tmp/minimal" >"$tmp/report" || { sed -n '/^[a-z]*: case/,$p' "$tmp/report"; ok=; }
sed -n 1p "$tmp/report"
sed -n 's/^covered: //p' "$tmp/report" | sed 's/, /\n/g' >"$tmp/covered"
# Where C has no kernel, but for tensors without cells.
left=$(sed -n 's/^not covered: //p' "$tmp/report" | sed 's/, /\n/g' | grep -vE '^(Erf|Gemm|MaxPool|Pow|ReduceMean) i64$')
[ -z "$left" ] || { echo "not covered: $left"; ok=; }
sed -n 's/^OP(\([A-Za-z0-9]*\),.*/\1/p' "$here/../../c/tensor/ops.def" | grep -v '^Opaque$\|^operator$' >"$tmp/operators"
awk -v n="$n" 'NR == FNR { count[$1] = NF == 2 ? $2 : count[$1]; next }
    count[$1] < 10 { print "only " count[$1] + 0 " values of " $1; bad = 1 }
    END { printf "%d operators, %d refused\n", FNR, count["refused"]
          exit bad || FNR < 60 || count["refused"] * 20 < n }' "$tmp/covered" "$tmp/operators" || ok=

# fault SED OPERATOR NODES: a command that reads requests changed so is found, by a request of the operator with few nodes.
fault() {
    rm -f "$tmp/fault"
    "$oracle" diff opvalue --against "sed -u '$1' | '$command'" --count 2000 --seed "$seed" --stop-after 4 -o "$tmp/fault" >"$tmp/report"
    if [ $? = 1 ] && grep -q "^($2 " "$tmp/fault" && [ "$(sed -n 's/.*steps to \([0-9]*\) nodes/\1/p' "$tmp/report" | sort -n | head -n 1)" -le "$3" ] &&
        ! "$oracle" diff opvalue --against "sed -u '$1' | '$command'" --cases "$tmp/fault" -o "$tmp/again" >"$tmp/again.report" &&
        "$oracle" diff opvalue --against "'$command'" --cases "$tmp/fault" >"$tmp/again.report"; then
        return
    fi
    echo "$1 is not found, or not made small"
    cat "$tmp/report" "$tmp/fault"
    ok=
}
fault 's/^(Max /(Min /' Max 10
fault 's/^(ReduceSum \(.*\)(keepdims 1)/(ReduceSum \1(keepdims 0)/' ReduceSum 12
if [ "$ok" ]; then echo "PASS tensor/value ($n requests, seed $seed)"
else echo "FAIL tensor/value (seed $seed)"; exit 1; fi
