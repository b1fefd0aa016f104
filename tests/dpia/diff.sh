#!/usr/bin/env bash
# usage: diff.sh ORACLE CALQUE DPIA_TEXT [N [SEED [RUNS]]]
# The dpia and emit rooms, differentially: commands and emitted C, byte for byte, of the programs of tests/dpia/programs; N (20000)
# random requests of `calque-oracle diff dpia`, which makes a program that differs smaller: commands and C, and of one in 16 what its
# mini-C computes, every form, function, strategy and element type among them; DPIA_TEXT that is wrong on purpose must be found. Then
# what compiled C computes, bit for bit, for the programs of files in f32, f64, i32 at several sizes (0 and 1 among them) and for RUNS
# (300) random programs, which the oracle evaluates and also runs as emitted. Exit status: 0 equal, 1 different, 2 usage, 77 skipped.
set -u
[ $# -ge 3 ] || { sed -n 's/^# usage/usage/p' "$0" >&2; exit 2; }
oracle=$1
calque=$2
text=$3
n=${4-20000}
seed=${5-1}
runs=${6-300}
here=$(dirname "$0")
[ -x "$oracle" ] || { echo "SKIP dpia/diff: $oracle is missing (make oracle)"; exit 77; }
[ -x "$calque" ] && [ -x "$text" ] || { echo "FAIL dpia/diff: $calque or $text is missing"; exit 1; }
tmp=$(mktemp -d) || exit 3
trap 'rm -rf "$tmp"' EXIT
failed=0
pass() { echo "PASS dpia/diff-$1"; }
fail() { echo "FAIL dpia/diff-$1"; failed=1; }

# Programs of the literature.
same=0 refused=
for f in "$here"/programs/*.dpia; do
    name=$(basename "$f" .dpia)
    "$calque" dump --format=sexp "$f" >"$tmp/prog" || { fail "$name"; continue; }
    if ! "$oracle" dpia --stage=comm "$tmp/prog" >"$tmp/comm" 2>"$tmp/err"; then
        grep -q 'a coefficient that is not negative' "$tmp/err" && refused="$refused $name" || { cat "$tmp/err"; fail "$name"; }
        continue
    fi
    "$oracle" dpia --stage=c "$tmp/prog" >"$tmp/c" &&
        "$calque" dump --stage=comm "$f" | cmp - "$tmp/comm" && "$calque" dump --stage=c "$f" | cmp - "$tmp/c" &&
        same=$((same + 1)) || fail "$name"
done
# What Coq's sizes have not: differences.
[ "$refused" = " window" ] || { echo "refused by the oracle:$refused"; fail sizes; }
[ $same -ge 33 ] && pass "programs ($same programs, comm and c)" || fail "programs ($same)"

# ORDER c_name: both print the same words of C in another way, those of name.c.
grep '^"' "$here/../../c/emit/name.c" | tr -d '" ' | tr ',' '\n' | grep . >"$tmp/words"
sed -n '/^let reserved =/,/^  h$/p' "$here/../../oracle/dpia.ml" | sed '1,/split_on_char/d; /^  h$/d' | tr -d '"\\);' | tr ' ' '\n' |
    grep . | cmp - "$tmp/words" && [ -s "$tmp/words" ] && pass "words ($(wc -l <"$tmp/words"))" || fail words
mkdir "$tmp/names"
same=0 n_names=$(python3 "$here/names.py" "$tmp/names" <"$tmp/words")
for f in "$tmp"/names/*.dpia; do
    "$calque" dump --format=sexp "$f" >"$tmp/prog" && "$oracle" dpia --stage=c "$tmp/prog" >"$tmp/c" &&
        "$calque" dump --stage=c "$f" | cmp - "$tmp/c" && same=$((same + 1))
done
[ "$same" = "$n_names" ] && [ "$same" -ge 10 ] && pass "names ($same programs)" || fail "names ($same of $n_names)"

# Random programs.
if "$oracle" diff dpia --against "'$text'" --count "$n" --seed "$seed" -o "$tmp/minimal" >"$tmp/report" && ! grep '^not covered' "$tmp/report" &&
    grep -q " $n cases: $n equal" "$tmp/report"; then
    pass "random ($n requests, seed $seed)"
else
    cat "$tmp/report"
    fail "random (seed $seed)"
fi
# fault SED NODES: a command that reads requests changed so is found, by a program of few nodes.
fault() {
    rm -f "$tmp/fault"
    "$oracle" diff dpia --against "sed -u '$1' | '$text'" --count 500 --seed "$seed" --stop-after 2 -o "$tmp/fault" >"$tmp/report"
    if [ $? = 1 ] && [ "$(sed -n 's/.*steps to \([0-9]*\) nodes/\1/p' "$tmp/report" | sort -n | head -n 1)" -le "$2" ] &&
        ! "$oracle" diff dpia --against "sed -u '$1' | '$text'" --cases "$tmp/fault" -o "$tmp/again" >/dev/null &&
        "$oracle" diff dpia --against "'$text'" --cases "$tmp/fault" >/dev/null; then
        pass "fault $1"
    else
        cat "$tmp/report" "$tmp/fault"
        fail "fault $1"
    fi
}
fault 's/(map par /(map seq /g' 60
fault 's/(call max /(call min /g' 60

# Runs.
if "$text" run "$tmp" "$seed" "$runs" "$here"/programs/*.dpia >"$tmp/requests" 2>"$tmp/count"; then
    cat "$tmp/count"
    "$oracle" dpia <"$tmp/requests" >"$tmp/got" 2>"$tmp/err" || { cat "$tmp/err"; fail "oracle's runs"; }
    if ${CC:-gcc} -std=c11 -O1 -ffp-contract=off -fopenmp -w -o "$tmp/run" "$tmp/run.c" -lm &&
        OMP_NUM_THREADS=3 "$tmp/run" >"$tmp/want" && cmp "$tmp/want" "$tmp/got"; then
        pass "runs ($(wc -l <"$tmp/requests") runs, $(tr ' ' '\n' <"$tmp/got" | grep -c '[0-9a-f]\{8\}') numbers, seed $seed)"
    else
        k=$(paste -d '\t' "$tmp/want" "$tmp/got" | awk -F '\t' '$1 != $2 { print k + 1; exit } $1 == "%%" { k++ }')
        echo "run $k differs:"
        sed -n "${k}p" "$tmp/requests" | cut -c 1-2000
        fail "runs (seed $seed)"
    fi
else
    cat "$tmp/count"
    fail "runs: seed $seed"
fi
exit $failed
