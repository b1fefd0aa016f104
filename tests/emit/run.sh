#!/usr/bin/env bash
# Operators with constant weights in emitted models: padded, packed and rounded for tiles (c/emit/pack.c), bit for bit as
# the interpreter with both compilers, with and without the processor's own vectors, on one thread and several, sanitized.
# usage: run.sh BUILD
cd "$(dirname "$0")/../.."
B=${1:-.build}
. tests/lib.sh
G=tests/emit/tiles.graph
in=(x="$TMP/want/x.npy" v="$TMP/want/v.npy" m="$TMP/want/m.npy")
F="-std=c11 -ffp-contract=off -fopenmp -Wall -Wextra -Wshadow -Werror"
expect "run" 0 "$CALQUE" run $G --random 5 --save-inputs -o "$TMP/want"
expect "emit" 0 "$CALQUE" emit $G -o "$TMP/c" --main

# of NAME LEAST PATTERN: at least so many lines of the C text hold it.
of() { n=$(grep -c -- "$3" "$TMP/c/model.c"); [ "$n" -ge "$2" ] && pass "$1: $n" || fail "$1: $n lines, not $2"; }
of "padded copies" 3 '^/\* P.*select'
of "rounded up, then copied" 3 '^/\* .* Y0<[0-9,]*>\[[a-z,]*\] = P[0-9]*<[0-9,]*>\[[a-z,]*\]; \*/'
of "a bias rounded up too" 1 '^/\* .*X2<80>'
of "rounded sums, the rest computed as they are copied" 1 '^/\* .* P[0-9]*<[0-9,]*>\[i,j,k,l\] = sum.* Y0<[0-9,]*>\[i,j,k,l\] = max(P'
of "unrolled rows of tiles" 15 '#pragma GCC unroll'
of "infinite weights as they are" 1 ' select.* X1<18,24,3,3>\[o,c,u,v\], 0x0p+0);'

try() { # NAME CC FLAGS
    expect "compile: $1" 0 make -s -C "$TMP/c" clean all CC="$2" ${3:+CFLAGS="$F $3"}
    for t in 1 3; do
        expect "run: $1, $t threads" 0 env OMP_NUM_THREADS=$t "$TMP/c/model" -o "$TMP/got" "${in[@]}"
        expect "bit for bit: $1, $t threads" 0 "$CALQUE" run $G "${in[@]}" --compare "$TMP/got" --rtol 0 --atol 0
    done
}
try "gcc" gcc
try "gcc -O2" gcc -O2
try "gcc sanitized" gcc "-O1 -g -fsanitize=address,undefined -fno-sanitize-recover=undefined"
if command -v clang >/dev/null; then
    try "clang" clang
    try "clang -O2" clang -O2
else
    skip "clang is not here"
fi

# ---- what belongs into the loops of a reduction is there ----
G=tests/emit/chains.graph
in=(x="$TMP/chains/x.npy" v="$TMP/chains/v.npy")
expect "chains: run" 0 "$CALQUE" run $G --random 6 --save-inputs -o "$TMP/chains"
loops() { # NAME WANT OPTIONS...: reductions, copies (two are padding), elementwise loops, operators fused
    expect "chains: emit, $1" 0 "$CALQUE" emit $G -o "$TMP/c" --main --json "${@:3}" || return
    n=$(json "$TMP/out" "[sum(l['kind'] == k for l in a['loops']) for k in ('reduction', 'copy', 'elementwise')] + [a['fused']]")
    [ "$n" = "$2" ] && pass "chains: loops, $1: $n" || fail "chains: loops, $1: $n, not $2"
}
loops "unfused" "[8, 4, 21, 0]" --no-fuse
loops "fused" "[8, 2, 0, 23]"
expect "chains: emit --stats" 0 "$CALQUE" emit $G -o "$TMP/c" --main --stats
grep -q '^10 loop nests: 8 reductions, 2 copies, 0 elementwise$' "$TMP/out" || fail "chains: --stats: $(tail -n 1 "$TMP/out")"
# A sum that is read twice by the same operator is computed once.
n=$(awk '/^static void/{n = 0} / = v[0-9]+\[.*\] \+ /{n++} n > most{most = n} END{print most}' "$TMP/c/model.c")
[ "$n" = 1 ] && pass "chains: no sum is computed twice" || fail "chains: $n sums in one function"
# A transposed product is computed in the product's order and stored where the consumer has it: the cells of a row 4 apart.
n=$(grep -c 'Y0\[4 \* [a-z0-9]* + [a-z0-9]*\] = calque_max_f32(v[0-9]*\[24 \*' "$TMP/c/model.c")
[ "$n" = 1 ] && pass "chains: a product stored transposed" || fail "chains: $n products stored transposed"
try "chains, gcc" gcc
finish
