#!/usr/bin/env bash
# Emitted kernels with contracts, proved by the target wp of their own Makefiles; the numbers of goals are those of
# tests/emit/acsl_expected.txt, and what each contract says. Every case is emitted; of those marked * one, another at each commit, is
# also compiled and proved. Every other of the small changes of the code marked * (tests/emit/acsl_mutants.txt), others at each commit,
# breaks a goal. With --all everything is proved and every change tried (about an hour on one core); with --write lines of the table are printed.
# With --mutants all changes are tried and nothing else. Cases node/NAME are models of libonnx-testdata.
# usage: acsl.sh BUILD [--all | --mutants | --write] [CASE ..]
cd "$(dirname "$0")/../.."
B=${1:-.build}
shift
MODE=check
case ${1:-} in --all | --mutants | --write) MODE=${1#--}; shift ;; esac
. tests/lib.sh
TABLE=tests/emit/acsl_expected.txt
FLAGS="-O1 -std=c11 -ffp-contract=off -fopenmp -Wall -Wextra -Wshadow -Werror"
for tool in frama-c why3 z3 cvc4; do
    command -v $tool >/dev/null || { echo "SKIP $tool is not here: apt-get install frama-c-base why3 z3 cvc4"; exit 77; }
done

DATA=/usr/share/libonnx-testdata/data
[ -d "$DATA" ] || { echo "SKIP $DATA is not here: apt-get install libonnx-testdata"; exit 77; }

mkdir "$TMP/cases" && tests/kernel/cases.sh tests/kernel/cases.kern "$TMP/cases" >/dev/null || exit 3
# input NAME: the file a case is made of, and further arguments.
input() {
    local name=${1#*/}
    case $1 in
    node/*) echo "$DATA/node/test_$name/model.onnx" ;;
    math/*) echo "$(input "$name") --math=calque" ;;
    free/*) echo "$(input "$name") --freestanding" ;;
    table/*@*) echo "tests/dpia/programs/${name%@*}.dpia $(echo "${name#*@}" | tr , '\n' | sed 's/^/--size /' | tr '\n' ' ')" ;;
    table/*) echo "tests/dpia/programs/$name.dpia" ;;
    kernel/*) echo "$TMP/cases/$name.json" ;;
    grad/*) # of a kernel with respect to some of its inputs
        "$CALQUE" grad "$TMP/cases/${name%:*}.json" --wrt "${name#*:}" >"$TMP/grad.kern" && echo "$TMP/grad.kern" ;;
    *) echo "tests/emit/acsl/$name.graph" ;;
    esac
}

# make_case NAME: emitted in $DIR.
make_case() {
    local in
    in=$(input "$1")
    DIR=$TMP/$(echo "$1" | tr /:@,= -----)
    expect "emit $1" 0 "$CALQUE" emit --acsl $in -o "$DIR" --name kern
}

# prove [VARIABLE=VALUE ..]: $GOALS is "proved total", or empty.
prove() {
    local rc
    make -s -C "$DIR" wp WP_PAR="${WP_PAR:-1}" ${WP_CACHE:+WP_CACHE="$WP_CACHE"} "$@" >"$TMP/wp.out" 2>&1
    rc=$?
    GOALS=$(sed -n 's|^\([0-9]*\) / \([0-9]*\) goals$|\1 \2|p' "$TMP/wp.out" | head -n 1)
    return $rc
}

# what: what the contracts say of every cell: its value, in terms of functions taken on trust.
what() {
    local trusted
    trusted=$(sed -n -e 's|^/\* Taken on trust: .* named \(from_[a-z0-9_]*\) in .*|\1|p; t' \
        -e 's|^/\* Taken on trust: .* named \([a-z]*\)_.*|\1|p' "$DIR/calque_acsl.h" | sort -u | tr '\n' ',' | sed 's/,$//')
    if grep -q 'ensures value: \\forall' "$DIR"/*.c; then echo "value${trusted:+,$trusted}"; else echo "nothing"; fi
}

check_case() { # NAME GOALS WHAT, prove or build
    local start=$SECONDS
    make_case "$1" || return
    [ "$(what)" = "$3" ] && pass "$1: $3" || fail "$1: the contracts are about $(what), not $3"
    [ "$4" = prove ] || return
    expect "compile $1" 0 make -s -C "$DIR" CFLAGS="$FLAGS" || return
    if prove WP_TIMEOUT="${WP_TIMEOUT:-60}" && [ "$GOALS" = "$2 $2" ]; then
        pass "wp $1: $2 / $2 goals, $((SECONDS - start)) s"
    else
        fail "wp $1: ${GOALS:-nothing}, not $2 of $2"
        sed -n 2,12p "$TMP/wp.out"
    fi
}

# mutant CASE CHANGE: the function that is changed, its contract as before, is not proved any more.
mutant() {
    local f fct
    [ -d "$TMP/$(echo "$1" | tr /:@,= -----)" ] || make_case "$1" || return
    DIR=$TMP/$(echo "$1" | tr /:@,= -----)
    f=$DIR/kern_kernels.c
    [ -e "$f" ] || f=$DIR/kern.c
    cp "$f" "$TMP/before"
    if fct=$("$PY" tests/emit/acsl_mutate.py "$TMP/before" "$2" "$f"); then
        prove WP_TIMEOUT=3 WP_FLAGS="-wp-fct $fct"
        set -- "$1" "$2" $GOALS
        if [ $# = 4 ] && [ "$3" -lt "$4" ]; then
            pass "mutant $1 $2: $(($4 - $3)) goals of $fct broken"
        else
            fail "mutant $1 $2: ${GOALS:-no goals} of $fct"
            head -n 5 "$TMP/wp.out"
        fi
    else
        fail "mutant $1 $2: there is no such place"
    fi
    cp "$TMP/before" "$f"
}

if [ $MODE = write ]; then
    for name in "$@"; do
        make_case "$name" >&2 || continue
        prove WP_TIMEOUT=60
        echo "- $name ${GOALS#* } $(what) # ${GOALS% *}"
    done
    exit 0
fi
mutants() {
    local star name change
    while read -r star name change; do
        case $star in "#"* | "") continue ;; esac
        if [ $MODE != check ] || { [ "$star" = "*" ] && its_turn "$name $change" 2; }; then mutant "$name" "$change"; fi
    done <tests/emit/acsl_mutants.txt
}

if [ $MODE = mutants ]; then
    mutants
    finish
fi
cases=0 turn=$(one_of $(sed -n 's/^\* \([^ ]*\) .*/\1/p' $TABLE))
while read -r star name goals about; do
    case $star in "#"* | "") continue ;; esac
    if [ $# -gt 0 ] && [[ " $* " != *" $name "* ]]; then continue; fi
    cases=$((cases + 1))
    if [ $MODE = all ] || [ $# -gt 0 ] || [ "$name" = "$turn" ]; then
        check_case "$name" "$goals" "$about" prove
    else
        check_case "$name" "$goals" "$about" build
    fi
done <$TABLE
[ $cases -gt 0 ] || fail "$TABLE has no such case"
if [ $# = 0 ]; then
    for g in block softmax; do # models of several kernels: bit for bit as the interpreter
        expect "run $g" 0 "$CALQUE" run tests/emit/acsl/$g.graph --random 3 --save-inputs -o "$TMP/want-$g"
        expect "emit $g" 0 "$CALQUE" emit --acsl tests/emit/acsl/$g.graph -o "$TMP/main-$g" --main --name kern
        expect "compile $g" 0 make -s -C "$TMP/main-$g" CFLAGS="$FLAGS"
        expect "run emitted $g" 0 env OMP_NUM_THREADS=3 "$TMP/main-$g/kern" -o "$TMP/got-$g" x="$TMP/want-$g/x.npy"
        expect "bit for bit: $g" 0 "$CALQUE" run tests/emit/acsl/$g.graph x="$TMP/want-$g/x.npy" --compare "$TMP/got-$g" --rtol 0 --atol 0
    done
    for g in add_bytes bytes requantise truth lookup_bytes "cell --math=calque" "bytes --freestanding" "cell --math=calque --freestanding"; do
        set -- $g
        expect "emit $g" 0 "$CALQUE" emit --acsl tests/emit/acsl/$1.graph "${@:2}" -o "$TMP/vectors" --vectors 2
        expect "bit for bit: $g" 0 make -s -C "$TMP/vectors" clean check CFLAGS="$FLAGS"
        grep -q "identical: 2 vectors" "$TMP/out" || fail "bit for bit: $g: $(cat "$TMP/out")"
    done
    grep -q '#include <math.h>' "$TMP/vectors"/*.h && fail "math.h for Calque's own functions" || pass "own functions need no math.h"
    expect_error "pairs" "a parameter of pairs" "$CALQUE" emit --acsl tests/dpia/programs/swapped.dpia -o "$TMP/no"
    expect_error "plain" "--acsl goes with neither" "$CALQUE" emit --acsl --plain tests/dpia/programs/trans.dpia -o "$TMP/no"
    printf 'in a : assigns.num\nout r : assigns.num\nr := a\n' >"$TMP/word.dpia"
    expect_error "a size that is a word of ACSL" "another use for" "$CALQUE" emit --acsl "$TMP/word.dpia" -o "$TMP/no"
    mutants
fi
finish
