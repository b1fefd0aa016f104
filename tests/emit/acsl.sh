#!/usr/bin/env bash
# Emitted kernels with contracts, proved by the target wp of their own Makefiles; the numbers of goals are those of
# tests/emit/acsl_expected.txt. Every one of its cases is emitted and compiled; those marked * are also proved, and so is that
# small changes of the code break a goal. With --all everything is proved (about an hour), and with --write the table is made.
# usage: acsl.sh BUILD [--all | --write] [CASE ..]
cd "$(dirname "$0")/../.."
B=${1:-.build}
shift
MODE=check
case ${1:-} in --all | --write) MODE=${1#--}; shift ;; esac
. tests/lib.sh
TABLE=tests/emit/acsl_expected.txt
DATA=../shared/data/pku
FLAGS="-O2 -std=c11 -ffp-contract=off -fopenmp -Wall -Wextra -Wshadow -Werror"
for tool in frama-c why3 z3 cvc4; do
    command -v $tool >/dev/null || { echo "SKIP $tool is not here: apt-get install frama-c-base why3 z3 cvc4"; exit 77; }
done

# input NAME: the file a case is made of, and further arguments; false when there is none here.
input() {
    local name=${1#*/} file
    case $1 in
    table/*@*) echo "tests/dpia/programs/${name%@*}.dpia $(echo "${name#*@}" | tr , '\n' | sed 's/^/--size /' | tr '\n' ' ')" ;;
    table/*) echo "tests/dpia/programs/$name.dpia" ;;
    pku/*) [ -e "$DATA/$name.json" ] && echo "$DATA/$name.json" ;;
    grad/*) # of a kernel with respect to some of its inputs
        file=$DATA/${name%:*}.json
        [ -e "$file" ] || return
        "$CALQUE" grad "$file" --wrt "${name#*:}" >"$TMP/grad.kern" && echo "$TMP/grad.kern" ;;
    *) echo "tests/emit/acsl/$name.graph" ;;
    esac
}

# make_case NAME: emitted and compiled in $DIR, the wp.log to come.
make_case() {
    local in
    DIR=$TMP/$(echo "$1" | tr /:@,= -----)
    in=$(input "$1") && [ -n "$in" ] || { skip "$1: ../shared/data/pku is not here"; return 1; }
    expect "emit $1" 0 "$CALQUE" emit --acsl $in -o "$DIR" --name k || return 1
    expect "compile $1" 0 make -s -C "$DIR" CFLAGS="$FLAGS" || return 1
}

# prove [VARIABLE=VALUE ..]: $GOALS is "proved total", or empty.
prove() {
    make -s -C "$DIR" wp WP_PAR="${WP_PAR:-1}" "$@" >"$TMP/wp.out" 2>&1
    local rc=$?
    GOALS=$(sed -n 's|^\([0-9]*\) / \([0-9]*\) goals$|\1 \2|p' "$TMP/wp.out" | head -n 1)
    return $rc
}

# what: how the value of every cell is proved, from the text of the contracts.
what() {
    local trusted
    trusted=$(sed -n 's|^/\* Taken on trust: .* named \([a-z]*\)_.*|\1|p' "$DIR/calque_acsl.h" | sort | tr '\n' ',' | sed 's/,$//')
    echo "value${trusted:+,}$trusted"
}

check_case() { # NAME GOALS WHAT
    local start=$SECONDS
    make_case "$1" || return
    [ "$(what)" = "$3" ] && pass "$1: $3" || fail "$1: the contracts are about $(what), not $3"
    [ "$4" = prove ] || return
    if prove WP_TIMEOUT=${WP_TIMEOUT:-60} && [ "$GOALS" = "$2 $2" ]; then
        pass "wp $1: $2 / $2 goals, $((SECONDS - start)) s"
    else
        fail "wp $1: ${GOALS:-nothing}, not $2"
        sed -n 2,12p "$TMP/wp.out"
    fi
}

# mutant NAME SED: the case's code (not its contracts) with a small change does not prove any more.
mutant() {
    local f
    make_case "$1" || return
    f=$(ls "$DIR"/k_kernels.c "$DIR"/k.c 2>/dev/null | head -n 1)
    cp "$f" "$TMP/before"
    "$PY" tests/emit/acsl_mutate.py "$TMP/before" "$2" >"$f" || { fail "mutant $1: '$2' changes nothing"; return; }
    prove WP_TIMEOUT=4
    set -- "$1" "$2" $GOALS
    if [ $# = 4 ] && [ "$3" -lt "$4" ]; then
        pass "mutant $1: $2: $(($4 - $3)) goals broken"
    else
        fail "mutant $1: $2: ${GOALS:-no goals}"
        head -n 5 "$TMP/wp.out"
    fi
}

[ $MODE = write ] || [ -s $TABLE ] || fail "there is no $TABLE"
if [ $MODE = write ]; then
    for name in "$@"; do
        make_case "$name" >&2 || continue
        prove WP_TIMEOUT=60
        echo "$name $GOALS $(what)"
    done
    exit 0
fi
while read -r star name goals about; do
    case $star in \#* | "") continue ;; esac
    [ $# -gt 0 ] && [[ " $* " != *" $name "* ]] && continue
    [ $MODE = all ] || [ "$star" = "*" ] && how=prove || how=build
    check_case "$name" "$goals" "$about" $how
done <$TABLE
if [ $# = 0 ]; then
    mutant table/dl_mul_dl 's/r2 \* 1, \|acc + A/acc - A/'
    mutant table/scale_vec 's/i0 < n/i0 <= n/'
    if [ $MODE = all ]; then
        while read -r name change; do
            mutant "$name" "$change"
        done <tests/emit/acsl_mutants.txt
    fi
fi
finish
