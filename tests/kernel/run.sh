#!/usr/bin/env bash
# Kernels from the command line: the published cases as emitted C against loops of our own (golden.c), gcc and clang, their
# prototypes. usage: run.sh BUILD
B=${1:-.build}
cd "$(dirname "$0")/../.."
. tests/lib.sh
DATA=../shared/data/pku

# ---- published kernels and gradients ----
published() {
    local n=0 f name
    : >"$TMP/headers.h"
    for f in "$DATA"/project1/*.json "$DATA"/project2/*.json; do
        name=p${f#*project}
        name=${name/\//_}
        name=${name%.json}
        case $name in
        p1*) "$CALQUE" emit "$f" -o "$TMP/c" --name "$name" >"$TMP/out" 2>&1 ;;
        *) "$CALQUE" grad "$f" --emit "$TMP/c" --name "$name" >"$TMP/out" 2>&1 ;;
        esac || { fail "emit $name"; cat "$TMP/out"; }
        echo "#include \"c/$name.h\"" >>"$TMP/headers.h"
        n=$((n + 1))
    done
    [ $n = 21 ] && pass "21 published cases" || fail "$n published cases, not 21"
    for cc in gcc clang; do
        command -v $cc >/dev/null || { skip "$cc is missing"; continue; }
        expect "compile with $cc" 0 $cc -O2 -std=c11 -fopenmp -ffp-contract=off -I"$TMP" tests/kernel/golden.c "$TMP"/c/*.c \
            -lm -o "$TMP/golden" || continue
        for seed in 1 2 3; do
            expect "$cc: emitted code against golden loops, seed $seed" 0 "$TMP/golden" $seed || cat "$TMP/out"
            [ "$(grep -c PASS "$TMP/out")" = 21 ] || fail "$cc: not all cases ran"
        done
    done
    grad=$("$CALQUE" grad "$DATA/project2/case4.json" --header)
    [ "$grad" = "void grad_case4(float (&B)[16][32], float (&C)[32][32], float (&dA)[16][32], float (&dB)[16][32], float (&dC)[32][32]);" ] \
        && pass "prototype" || fail "prototype: $grad"
}
if [ -d $DATA ]; then published; else skip "published cases ($DATA is absent)"; fi

# ---- grad: usage and errors ----
printf 'Y<3>[i] = A<3>[i] * A<3>[i];\n' >"$TMP/y.kern"
expect "grad" 0 "$CALQUE" grad "$TMP/y.kern" --wrt A
grep -qxF 'dA<3>[a0] = dY<3>[a0] * A<3>[a0] + dY<3>[a0] * A<3>[a0];' "$TMP/out" || fail "grad prints $(cat "$TMP/out")"
"$CALQUE" grad "$TMP/y.kern" --wrt A >"$TMP/dy.kern"
expect "the gradient is a kernel again" 0 "$CALQUE" grad "$TMP/dy.kern" --wrt A
expect "grad --universal" 0 "$CALQUE" grad "$TMP/y.kern" --wrt A --universal
expect_error "no tensor of that name" "no tensor Q" "$CALQUE" grad "$TMP/y.kern" --wrt Q
expect_error "named twice" "twice" "$CALQUE" grad "$TMP/y.kern" --wrt A,A
expect_error "nothing to differentiate by" "give --wrt" "$CALQUE" grad "$TMP/y.kern"
printf '{"name": "f", "ins": ["A"], "outs": ["Y"], "data_type": "int", "kernel": "Y<3>[i] = A<3>[i] // 2;"}' >"$TMP/i.json"
expect "an integer quotient is refused" 1 "$CALQUE" grad "$TMP/i.json" --wrt A
grep -q "not differentiable" "$TMP/err" || fail "the refusal gives no reason"
finish
