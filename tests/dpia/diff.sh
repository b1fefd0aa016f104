#!/usr/bin/env bash
# usage: diff.sh ORACLE CALQUE DPIA_TEXT [N [SEED [RUNS]]]
# The dpia and emit rooms, differentially: commands and emitted C, byte for byte, of the programs of tests/dpia/programs and of
# N (20000) random well-typed programs; what compiled C computes, bit for bit, for the same programs in f32, f64, i32 at
# several sizes (0 and 1 among them) and for RUNS (300) random programs, which the oracle evaluates and also runs as emitted.
# On a difference the first random program is shrunk. Exit status: 0 equal, 1 different, 2 usage, 77 skipped.
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

# ORDER c_name: both print the same words of C in another way, those of names.def.
grep '^"' "$here/../../c/emit/names.def" | tr -d '" ' | tr ',' '\n' | grep . >"$tmp/words"
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
"$text" requests "$n" "$seed" >"$tmp/requests" && "$text" answers "$n" "$seed" >"$tmp/want" 2>/dev/null &&
    "$oracle" dpia <"$tmp/requests" >"$tmp/got" 2>"$tmp/count" || { cat "$tmp/count"; fail "random: seed $seed"; }
cat "$tmp/count"
[ "$(grep -c '^%%$' "$tmp/want")" = "$n" ] || { echo "expected $n answers"; fail "random: seed $seed"; }
# A checker that accepts nothing, or a generator of ill-typed programs, must not pass.
grep -q "^dpia: $n programs translated, $n of them accepted" "$tmp/count" || fail "random: typing (seed $seed)"
if cmp -s "$tmp/want" "$tmp/got"; then
    pass "random ($n programs, seed $seed, $(grep -c '^ *parfor' "$tmp/want") parallel loops)"
else
    k=$(awk 'FNR == 1 { file++ }
             file == 1 { want[FNR] = $0; next }
             want[FNR] != $0 { print k + 0; exit }
             $0 == "%%" { k++ }' "$tmp/want" "$tmp/got")
    echo "seed $seed: program $k differs"
    # shellcheck disable=SC2046
    python3 "$here/shrink.py" "$oracle" "$text" $("$text" tape "$k" "$seed")
    fail "random (seed $seed)"
fi
# The comparison can fail: a parallel loop taken for a sequential one.
grep -m 1 '(map par' "$tmp/requests" | sed 's/(map par/(map seq/' >"$tmp/other"
r=$(grep -n -m 1 '(map par' "$tmp/requests" | cut -d: -f1)
"$oracle" dpia <"$tmp/other" >"$tmp/mutant" 2>/dev/null
sed -n "${r}p" "$tmp/requests" | "$oracle" dpia 2>/dev/null | cmp -s - "$tmp/mutant" && fail "mutant" || pass "mutant"
rm -f "$tmp/requests" "$tmp/want" "$tmp/got"

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
