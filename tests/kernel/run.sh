#!/usr/bin/env bash
# Kernels from the command line: those of cases.kern as emitted C against loops of our own (golden.c), compiled by CC, their
# prototypes; inlinings.kern; usage and errors. With `emitted` only the first, with `training` only whole models.
# usage: run.sh BUILD [emitted | training [CC]]
B=${1:-.build}
PART=${2:-all}
CC=${3:-gcc}
cd "$(dirname "$0")/../.."
. tests/lib.sh
need "$CC" "$CC"

# ---- kernels and gradients as emitted C ----
emitted() {
    local n=0 name wrt f
    mkdir "$TMP/cases"
    tests/kernel/cases.sh tests/kernel/cases.kern "$TMP/cases" >"$TMP/list" || fail "cases.kern"
    : >"$TMP/headers.h"
    while read -r name _ _ _ wrt _; do
        f=$TMP/cases/$name.json
        if [ "$wrt" = - ]; then
            "$CALQUE" emit "$f" -o "$TMP/c" --name "$name" >"$TMP/out" 2>&1
        else
            "$CALQUE" grad "$f" --emit "$TMP/c" --name "$name" >"$TMP/out" 2>&1
        fi || { fail "emit $name"; cat "$TMP/out"; }
        echo "#include \"c/$name.h\"" >>"$TMP/headers.h"
        n=$((n + 1))
    done <"$TMP/list"
    [ $n = 21 ] && pass "21 kernels" || fail "$n kernels, not 21"
    expect "compile with $CC" 0 "$CC" -O2 -std=c11 -fopenmp -ffp-contract=off -I"$TMP" tests/kernel/golden.c "$TMP"/c/*.c \
        -lm -o "$TMP/golden" || return
    for seed in 1 2 3; do
        expect "$CC: emitted code against golden loops, seed $seed" 0 "$TMP/golden" $seed || cat "$TMP/out"
        [ "$(grep -c PASS "$TMP/out")" = 21 ] || fail "$CC: not all kernels ran"
    done
    grad=$("$CALQUE" grad "$TMP/cases/matmul_both.json" --header)
    [ "$grad" = "void matmul_both(float (&B)[16][32], float (&C)[32][32], float (&dA)[16][32], float (&dB)[16][32], float (&dC)[32][32]);" ] \
        && pass "prototype" || fail "prototype: $grad"
}

# ---- whole models ----
training() {
    need_onnx
    expect "training steps as numpy takes them, $CC" 0 "$PY" tests/kernel/train.py "$CALQUE" "$TMP" "$CC" || cat "$TMP/out"
    [ "$(grep -c ^PASS "$TMP/out")" = 2 ] || fail "not both nets ran"
    grep ^PASS "$TMP/out"
    expect_error "no such value" "use no value" "$CALQUE" grad "$TMP/mlp.onnx" --wrt nothing
    expect_error "not an input" "neither an input nor" "$CALQUE" grad "$TMP/mlp.onnx" --wrt h1
}

case $PART in
all) emitted ;;
emitted | training) $PART; finish ;;
*) echo "run.sh: no part $PART"; exit 2 ;;
esac

# ---- tensors with names that C has other uses for, as parameters of an emitted function ----
{ grep '^"' c/emit/name.c | tr -d '" ' | tr ',' '\n' | grep -vxE '|exp|log|sqrt|pow|tanh|abs|erf|round|sum|select|max|min|neg|less|fabs'
    echo "i3 i3_ v1 x2 j4 _X __ arg_0 t1 EOF INT_MAX_ linux_ Linux" | tr ' ' '\n'; } >"$TMP/words"
split -l 100 "$TMP/words" "$TMP/words."
n=0
for f in "$TMP"/words.*; do
    { printf 'result<3>[i] = 0.5'; sed 's/.*/ + &<3>[i]/' "$f"; echo ';'; } >"$TMP/names.kern"
    expect "emit names $n" 0 "$CALQUE" emit "$TMP/names.kern" -o "$TMP/names" || head -3 "$TMP/err"
    for cc in gcc clang; do
        command -v $cc >/dev/null || { skip "$cc is missing"; continue; }
        expect "$cc names $n" 0 $cc -O1 -std=c11 -fopenmp -Wall -Wextra -Wshadow -Wpedantic -Werror -c "$TMP/names/model.c" -o "$TMP/names/model.o"
    done
    n=$((n + 1))
done
[ $n -ge 5 ] && pass "$(wc -l <"$TMP/words") names" || fail "$n files of names"

# ---- grad: usage and errors ----
printf 'Y<3>[i] = A<3>[i] * A<3>[i];\n' >"$TMP/y.kern"
expect "grad" 0 "$CALQUE" grad "$TMP/y.kern" --wrt A
grep -qxF 'dA<3>[a0] = dY<3>[a0] * A<3>[a0] + dY<3>[a0] * A<3>[a0];' "$TMP/out" || fail "grad prints $(cat "$TMP/out")"
"$CALQUE" grad "$TMP/y.kern" --wrt A >"$TMP/dy.kern"
expect "grad --format=text" 0 "$CALQUE" grad "$TMP/y.kern" --wrt A --format=text
cmp -s "$TMP/out" "$TMP/dy.kern" || fail "--format=text is another text"
expect "grad --format=json" 2 "$CALQUE" grad "$TMP/y.kern" --wrt A --format=json
expect "the gradient is a kernel again" 0 "$CALQUE" grad "$TMP/dy.kern" --wrt A
expect "grad --universal" 0 "$CALQUE" grad "$TMP/y.kern" --wrt A --universal
expect_error "no tensor of that name" "no tensor Q" "$CALQUE" grad "$TMP/y.kern" --wrt Q
expect_error "named twice" "twice" "$CALQUE" grad "$TMP/y.kern" --wrt A,A
expect_error "nothing to differentiate by" "give --wrt" "$CALQUE" grad "$TMP/y.kern"
printf '{"name": "f", "ins": ["A"], "outs": ["Y"], "data_type": "int", "kernel": "Y<3>[i] = A<3>[i] // 2;"}' >"$TMP/i.json"
expect "an integer quotient is refused" 1 "$CALQUE" grad "$TMP/i.json" --wrt A
grep -q "not differentiable" "$TMP/err" || fail "the refusal gives no reason"

# ---- inline: inlinings.kern, policies ----
mkdir "$TMP/inlinings"
tests/kernel/cases.sh tests/kernel/inlinings.kern "$TMP/inlinings" >"$TMP/list" || fail "inlinings.kern"
[ "$(wc -l <"$TMP/list")" = 14 ] || fail "not 14 inlinings"
while read -r name _ _ outs _ tensors why; do
    kernel=$TMP/inlinings/$name
    if [ -z "$why" ]; then
        expect "inline $name" 0 "$CALQUE" inline "$kernel.kern" --out "$outs" --tensor "$tensors" || continue
        cp "$TMP/out" "$TMP/got"
        "$CALQUE" dump "$kernel.gives.kern" --stage=kernel >"$TMP/wanted" 2>&1
        diff "$TMP/got" "$TMP/wanted" || fail "inline $name: another result"
    else
        expect "inline $name is refused" 1 "$CALQUE" inline "$kernel.kern" --out "$outs" --tensor "$tensors"
        grep -q "$why" "$TMP/err" || fail "inline $name: $(cat "$TMP/err")"
    fi
done <"$TMP/list"
printf 'T<2>[i] = sum(k<3) A<2,3>[i,k]; D<2>[i] = A<2,3>[i,0]; Y<2>[i] = T<2>[1-i];\n' >"$TMP/t.kern"
expect "inline" 0 "$CALQUE" inline "$TMP/t.kern" --why
grep -q 'T cannot be inlined: .*reduction' "$TMP/err" && [ "$(wc -l <"$TMP/out")" = 2 ] || fail "inline --why, dead statements"
expect "inline --keep-dead" 0 "$CALQUE" inline "$TMP/t.kern" --keep-dead
[ "$(wc -l <"$TMP/out")" = 3 ] || fail "--keep-dead"
expect "inline --policy reductions" 0 "$CALQUE" inline "$TMP/t.kern" --policy reductions
grep -qxF 'Y<2>[i] = sum(k<3) A<2,3>[1-i,k];' "$TMP/out" || fail "--policy reductions: $(cat "$TMP/out")"
printf 'B<3,2>[i,j] = 1+A<3,2>[i,j]; C<2,3>[i,j] = 2*B<3,2>[j,i];\n' >"$TMP/r.kern"
expect "inline --reverse" 0 "$CALQUE" inline "$TMP/r.kern" --reverse --tensor B
printf '# B: loops over i<3, j<2\nC<2,3>[j,i] = 0x1p+1 * (0x1p+0 + A<3,2>[i,j]);\n' | cmp - "$TMP/out" || fail "--reverse: $(cat "$TMP/out")"
expect "--reverse needs --tensor" 2 "$CALQUE" inline "$TMP/r.kern" --reverse
expect "inline --format=text" 0 "$CALQUE" inline "$TMP/t.kern" --format=text
expect "inline --format=sexp" 2 "$CALQUE" inline "$TMP/t.kern" --format=sexp
expect "unknown policy" 2 "$CALQUE" inline "$TMP/r.kern" --policy all
finish
