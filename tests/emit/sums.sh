#!/usr/bin/env bash
# --sums=lanes: the bits of the run, of the oracle and of the emitted code at several levels and on several threads are the same, and
# others than those of sums in sequence, which stay the default; which sums of kernels are taken; wrong values.
# usage: sums.sh BUILD [gcc | clang | oracle]
cd "$(dirname "$0")/../.."
B=${1:-.build}
PART=${2:-gcc}
. tests/lib.sh
G=tests/emit/sums.graph
F="-std=c11 -ffp-contract=off"
identical() { # identical NAME MAKE-ARGUMENTS..
    expect "$1: identical" 0 make -s -C "$TMP/c" clean check "${@:2}" || return
    grep -q ': identical: 2 vectors' "$TMP/out" || fail "$1: $(cat "$TMP/out")"
}
emit() { # emit MODEL OPTIONS..
    rm -rf "$TMP/c"
    expect "emit $(basename "$1") ${*:2}" 0 "$CALQUE" emit "$1" -o "$TMP/c" --vectors 2 --sums=lanes "${@:2}" && seen "$1"
}
# request FILE [OPTION]: what the oracle reads, with (sums lanes).
request() { "$CALQUE" dump "$1" --format=sexp --data --random 3; printf '%s(sums lanes)\n' "$2"; }

case $PART in
gcc) ;;
clang)
    need clang clang
    for level in -O0 "-O3 -march=native"; do
        emit $G && identical "clang $level" CC=clang CFLAGS="$level $F -fopenmp=libgomp"
    done
    emit $G --freestanding && identical "freestanding, clang" CC=clang
    finish ;;
oracle)
    O=$B/calque-oracle
    [ -x "$O" ] || { echo "SKIP $O is missing (make oracle)"; exit 77; }
    request $G "" | "$O" model | sed '/^$/d' >"$TMP/want"
    "$CALQUE" run $G --random 3 --text --sums=lanes >"$TMP/got"
    [ -s "$TMP/got" ] && cmp -s "$TMP/want" "$TMP/got" && pass "the oracle has the same bits" || fail "the oracle has other bits"
    "$CALQUE" run $G --random 3 --text >"$TMP/got"
    cmp -s "$TMP/want" "$TMP/got" && fail "and so it has in sequence" || pass "others than in sequence"
    request $G "(math calque)" | "$O" model | sed '/^$/d' >"$TMP/want"
    "$CALQUE" run $G --random 3 --text --sums=lanes --math=calque >"$TMP/got"
    [ -s "$TMP/got" ] && cmp -s "$TMP/want" "$TMP/got" && pass "with Calque's functions, too" || fail "with Calque's functions it has other bits"
    finish ;;
*) echo "sums.sh: no part $PART"; exit 2 ;;
esac

for level in -O0 "-O3 -march=native"; do
    emit $G && identical "gcc $level" CFLAGS="$level $F -fopenmp"
done
grep -q 'sums: lanes' "$TMP/c/model.h" && pass "the header says so" || fail "the header"
emit $G --no-fuse --json && [ "$(json "$TMP/out" "a['sums']")" = lanes ] && identical "not fused"
emit $G --freestanding && identical "freestanding"
emit $G --math=calque --seq && identical "Calque's functions, without threads"
emit $G --acsl && identical "with contracts"
printf 'Y<4>[i] = sum(k<100) X<4,100>[i,k];\n' >"$TMP/k.kern"
emit "$TMP/k.kern" && identical "a kernel"

# Vectors of the sums in sequence are others: the check says so.
emit $G
expect "in sequence" 0 "$CALQUE" emit $G -o "$TMP/s" --vectors 2
grep -q 'sums:' "$TMP/s/model.h" && fail "the default says lanes" || pass "the default says nothing"
cp "$TMP/s/vectors.bin" "$TMP/c/vectors.bin"
expect "the vectors of sums in sequence: found" 2 make -s -C "$TMP/c" check

# What runs: sequence is the default; both orders are close.
expect "run" 0 "$CALQUE" run $G --random 1 --sums=lanes --threads 1 -o "$TMP/lanes" --save-inputs
expect "the same on 3 threads" 0 "$CALQUE" run $G --random 1 --sums=lanes --threads 3 --compare "$TMP/lanes" --rtol 0 --atol 0
expect "in sequence others" 1 "$CALQUE" run $G --random 1 --compare "$TMP/lanes" --rtol 0 --atol 0
expect "but little" 0 "$CALQUE" run $G --random 1 --compare "$TMP/lanes" --rtol 1e-5 --atol 1e-6
expect "run in sequence" 0 "$CALQUE" run $G --random 1 --sums=sequential -o "$TMP/sequence"
expect "the default" 0 "$CALQUE" run $G --random 1 --compare "$TMP/sequence" --rtol 0 --atol 0

# Which sums: each kernel, and what it becomes; one line: it stays.
becomes() { # becomes NAME KERNEL LINE..
    local name=$1
    printf '%s\n' "$2" >"$TMP/k.kern"
    shift 2
    expect "$name" 0 "$CALQUE" dump "$TMP/k.kern" --sums=lanes || return
    printf '%s\n' "$@" | cmp -s - "$TMP/out" || { fail "$name: another kernel"; cat "$TMP/out"; }
}
stays() { becomes "$1" "$2" "$2"; }
becomes "whole" 'Y<3>[i] = sum(k<32) X<3,32>[i,k];' 'T0<3,16>[i,l] = sum(k<2) X<3,32>[i,k*16+l];' 'Y<3>[i] = sum(l<16) T0<3,16>[i,l];'
becomes "a rest" 'Y<1> = sum(k<33) X<33>[k];' 'T0<16>[l] = sum(k<2) X<33>[k*16+l];' 'Y<1> = sum(l<16) T0<16>[l] + sum(k<1) X<33>[k+32];'
becomes "two axes, an offset, a name that is taken" 'Y<3>[l] = sum(r<2,k<32) (X<2,3,40>[r,l,k+5] * T4<3>[l]);' \
    'T5<3,16>[l,l1] = sum(r<2,k<2) (X<2,3,40>[r,l,k*16+l1+5] * T4<3>[l]);' 'Y<3>[l] = sum(l1<16) T5<3,16>[l,l1];'
becomes "two sums" 'Y<3>[i] = sum(k<32) X<3,32>[i,k] / exp(sum(k<48) Z<3,48>[i,k]);' \
    'T0<3,16>[i,l] = sum(k<2) X<3,32>[i,k*16+l];' 'T1<3,16>[i,l] = sum(k<3) Z<3,48>[i,k*16+l];' \
    'Y<3>[i] = sum(l<16) T0<3,16>[i,l] / exp(sum(l<16) T1<3,16>[i,l]);'
stays "31 cells" 'Y<3>[i] = sum(k<31) X<3,31>[i,k];'
stays "the greatest" 'Y<3>[i] = amax(k<32) X<3,32>[i,k];'
stays "not the last index" 'Y<3>[i] = sum(k<32) X<32,3>[k,i];'
stays "a step of two" 'Y<3>[i] = sum(k<32) X<3,64>[i,k*2];'
stays "twice the variable" 'Y<32>[i] = sum(k<32) X<32,32>[k,k];'
stays "a product" 'Y<3,4>[i,j] = sum(k<32) (X<3,32>[i,k] * Z<4,32>[j,k]);'
stays "a choice in the term" 'Y<3>[i] = sum(k<32) select(k < 5, X<3,32>[i,k], 0x0p+0);'
stays "a choice around it" 'Y<3>[i] = select(i < 2, sum(k<32) X<3,32>[i,k], 0x0p+0);'
stays "a sum in a sum" 'Y<3>[i] = sum(k<32) (X<3,32>[i,k] * sum(m<2) Z<2>[m]);'
stays "eight dimensions" 'Y<1,1,1,1,1,1,1,2>[a,b,c,d,e,f,g,h] = sum(k<32) X<2,32>[h,k];'
stays "nothing to load at the variable" 'Y<3>[i] = sum(k<32) X<3>[i];'
printf 'Y<3>[i] = sum(k<100) X<3,100>[i,k];\n' >"$TMP/k.kern"
"$CALQUE" dump "$TMP/k.kern" --sums=lanes >"$TMP/again.kern"
expect "again" 0 "$CALQUE" dump "$TMP/again.kern" --sums=lanes
[ -s "$TMP/out" ] && cmp -s "$TMP/out" "$TMP/again.kern" && pass "no sum of what comes out is taken" || fail "taken again: $(cat "$TMP/out")"

expect_error "run: wrong value" "--sums takes sequential or lanes, not 'fast'" "$CALQUE" run $G --random 1 --sums=fast
expect_error "emit: wrong value" "--sums takes sequential or lanes, not ''" "$CALQUE" emit $G -o "$TMP/x" --sums=
expect_error "dump: wrong value" "--sums takes sequential or lanes, not '16'" "$CALQUE" dump $G --stage=c --sums=16
expect_error "dump: a graph" "this --sums is not for this kind of file" "$CALQUE" dump $G --sums=lanes
expect_error "plain" "--sums=lanes is for models and kernels" "$CALQUE" emit $G -o "$TMP/x" --sums=lanes --plain
printf 'in a : 40.num\nout r : 40.num\nr := mapPar (fun x -> exp x) a\n' >"$TMP/p.dpia"
expect_error "a program" "--sums=lanes is for models and kernels" "$CALQUE" emit "$TMP/p.dpia" -o "$TMP/x" --sums=lanes
[ ! -e "$TMP/x" ] && pass "nothing was written" || fail "something was written"
finish
