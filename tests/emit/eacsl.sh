#!/usr/bin/env bash
# The contracts of emitted kernels at run time: E-ACSL's instrumentation of the cases of tests/emit/eacsl_expected.txt runs
# on arrays of exactly the sizes that the contracts ask for, without an alarm; a buffer that is too short, arrays that
# overlap, a negative size, and every change of the code of tests/emit/acsl_mutants.txt abort with the label of a clause. The
# table says how many clauses of each case are run and how many are not (what E-ACSL leaves out is printed).
# usage: eacsl.sh BUILD
cd "$(dirname "$0")/../.."
B=${1:-.build}
. tests/lib.sh
TABLE=tests/emit/eacsl_expected.txt
SHARE=$(frama-c -print-share-path 2>/dev/null)/e-acsl
DLMALLOC=$(ls /usr/lib/frama-c/e-acsl/libeacsl-dlmalloc.a 2>/dev/null)
[ -e "$SHARE/e_acsl_rtl.c" ] && [ -n "$DLMALLOC" ] || { echo "SKIP E-ACSL is not here: apt-get install frama-c-base"; exit 77; }
echo '#include <gmp.h>' | ${CC:-gcc} -E - >/dev/null 2>&1 || { echo "SKIP gmp.h is not here: apt-get install libgmp-dev"; exit 77; }

mkdir "$TMP/cases" && tests/kernel/cases.sh tests/kernel/cases.kern "$TMP/cases" >/dev/null || exit 3
# input CASE: the file it is made of.
input() {
    case $1 in
    table/*) echo "tests/dpia/programs/${1#*/}.dpia" ;;
    kernel/*) echo "$TMP/cases/${1#*/}.json" ;;
    *) echo "tests/emit/acsl/${1#*/}.graph" ;;
    esac
}

dirs=() names=() cases=() wants=() changes=()
# add NAME CASE: emitted in $TMP/NAME.
add() {
    local in
    in=$(input "$2")
    expect "emit $1 ($2)" 0 "$CALQUE" emit --acsl $in -o "$TMP/$1" --name "$1" || return
    dirs+=("$TMP/$1") names+=("$1") cases+=("$2")
}

while read -r case n_run n_not; do
    case $case in "#"* | "") continue ;; esac
    add "c${#names[@]}" "$case" && { wants+=("$n_run run, $n_not not"); changes+=(""); }
done <$TABLE
while read -r star case change; do
    case $star in "#"* | "") continue ;; esac
    [[ $case != onnx/lookup* ]] || continue # its cells are of no logic function, which is what eacsl.py translates: proof only
    add "c${#names[@]}" "$case" || continue
    wants+=("") changes+=("$change")
    f=${dirs[-1]}/${names[-1]}
    [ -e "${f}_kernels.c" ] && f=${f}_kernels.c || f=$f.c
    change=${change//kern_/${names[-1]}_}
    "$PY" tests/emit/acsl_mutate.py "$f" "$change" "$TMP/changed" >/dev/null || fail "$case $change: there is no such place"
    mv "$TMP/changed" "$f"
done <tests/emit/acsl_mutants.txt

# All of them in one run of Frama-C.
mkdir "$TMP/rac" || exit 3
expect "executable form" 0 "$PY" tests/emit/eacsl.py "$TMP/rac" "${dirs[@]}" || finish
cp "$TMP/out" "$TMP/counts"
expect "instrumented" 0 frama-c -machdep gcc_x86_64 "$TMP"/rac/main.c $(printf "$TMP/rac/%s.c " "${names[@]}") \
    -e-acsl -then-last -print -ocode "$TMP/rac_out.c" || { tail -n 20 "$TMP/out"; finish; }
cp "$TMP/out" "$TMP/frama-c.log"
ignored=$(grep -A2 '^\[e-acsl\].*rac/.*Warning' "$TMP/frama-c.log")
[ -z "$ignored" ] && pass "no clause that was kept is ignored" || fail "ignored: $ignored"
FLAGS="-w -O0 -std=gnu11 -DE_ACSL_SEGMENT_MMODEL -fno-builtin -ffp-contract=off -fwrapv"
expect "compiled" 0 ${CC:-gcc} $FLAGS -I"$SHARE" -o "$TMP/run" "$TMP/rac_out.c" \
    $(printf "$TMP/rac/%s_logic.c " "${names[@]}") "$SHARE/e_acsl_rtl.c" "$DLMALLOC" -lgmp -lm -lpthread || finish

# breaks NAME K WHAT [LABEL]: aborts, with a clause that has a label (this one).
breaks() {
    local rc label
    "$TMP/run" "$2" "$3" >"$TMP/out" 2>&1
    rc=$?
    label=$(sed -n '/failing predicate is:$/{n;s/^[[:space:]]*\([a-z]*\):.*/\1/p;}' "$TMP/out")
    if [ $rc = 134 ] && [ -n "$label" ] && [[ -z ${4:-} || " $4 " == *" $label "* ]]; then
        pass "$1: $label"
    else
        fail "$1 (exit status $rc, ${label:-no label}, expected ${4:-any})"
        head -n 5 "$TMP/out"
    fi
} 2>/dev/null

n_run=0 n_not=0
for k in "${!names[@]}"; do
    if [ -n "${changes[$k]}" ]; then
        what=n
        { "$TMP/run" "$k" n && what=m; } >/dev/null 2>&1
        breaks "${cases[$k]} ${changes[$k]}" "$k" $what
        continue
    fi
    got=$(sed -n "s/^${names[$k]} \([0-9]* run, [0-9]* not\): .*/\1/p" "$TMP/counts")
    [ "$got" = "${wants[$k]}" ] && pass "${cases[$k]}: clauses: $(sed -n "s/^${names[$k]} //p" "$TMP/counts")" ||
        fail "${cases[$k]}: clauses: $got, not ${wants[$k]}"
    n_run=$((n_run + ${got%% *})) got=${got#*, } n_not=$((n_not + ${got%% *}))
    expect "${cases[$k]}: keeps its contracts" 0 "$TMP/run" "$k" n
    expect "${cases[$k]}: keeps its contracts on negative numbers" 0 "$TMP/run" "$k" m
    breaks "${cases[$k]}: short output" "$k" o valid
    breaks "${cases[$k]}: short input" "$k" i valid
    grep -q 'separated' "$TMP/rac/${names[$k]}.c" && breaks "${cases[$k]}: overlap" "$k" x "separated valid"
    grep -q '_sizes' "$TMP/rac/${names[$k]}.c" && breaks "${cases[$k]}: negative size" "$k" s sizes
done
echo "clauses: $n_run are run, $n_not are not (assigns, loop assigns, terminates, exits, ghost calls)"
finish
