#!/usr/bin/env bash
# --fma: the bits of the run, of the oracle and of the emitted code at several levels, with and without an instruction for it and
# on several threads, are the same, and others than those of products that are rounded, which stay the default; sums that are -0
# at borders; which sums of kernels are taken; where the option does not go.
# usage: fma.sh BUILD [gcc | clang | oracle]
cd "$(dirname "$0")/../.."
B=${1:-.build}
PART=${2:-gcc}
. tests/lib.sh
G=tests/emit/fma.graph
F="-std=c11 -ffp-contract=off"
identical() { # identical NAME MAKE-ARGUMENTS..
    expect "$1: identical" 0 make -s -C "$TMP/c" clean check "${@:2}" || return
    grep -q ': identical: 2 vectors' "$TMP/out" || fail "$1: $(cat "$TMP/out")"
}
emit() { # emit MODEL OPTIONS..
    rm -rf "$TMP/c"
    expect "emit $(basename "$1") ${*:2}" 0 "$CALQUE" emit "$1" -o "$TMP/c" --vectors 2 --fma "${@:2}" && seen "$1"
}
# request FILE [OPTION]: what the oracle reads, with (fma).
request() { "$CALQUE" dump "$1" --format=sexp --data --random 3; printf '%s(fma)\n' "$2"; }

case $PART in
gcc) ;;
clang)
    need clang clang
    emit $G
    for level in -O0 -O3 "-O3 -march=native"; do identical "clang $level" CC=clang CFLAGS="$level $F -fopenmp=libgomp"; done
    emit $G --freestanding && identical "freestanding, clang" CC=clang
    finish ;;
oracle)
    O=$B/calque-oracle G=tests/emit/sums.graph # the oracle takes many minutes for the other one
    [ -x "$O" ] || { echo "SKIP $O is missing (make oracle)"; exit 77; }
    sed 's/x : f32\[2, 24, 17, 13\]/x : f32[1, 24, 4, 3]/; s/f32\[3, 2, 17, 45\]/f32[1, 2, 3, 45]/; s/f32\[3, 2, 45, 33\]/f32[1, 2, 45, 7]/' $G >"$TMP/small.graph" # it takes its time
    G=$TMP/small.graph
    same() { # same NAME OPTIONS REQUEST
        request $G "$3" | "$O" model | sed '/^$/d' >"$TMP/want"
        "$CALQUE" run $G --random 3 --text --fma $2 >"$TMP/got"
        [ -s "$TMP/got" ] && cmp -s "$TMP/want" "$TMP/got" && pass "$1: the oracle has the same bits" || fail "$1: the oracle has other bits"
    }
    same "fused" "" ""
    "$CALQUE" run $G --random 3 --text >"$TMP/got"
    cmp -s "$TMP/want" "$TMP/got" && fail "and so it has with rounded products" || pass "others than with rounded products"
    same "with all options" "--sums=lanes --math=calque" "(math calque) (sums lanes) "
    finish ;;
*) echo "fma.sh: no part $PART"; exit 2 ;;
esac

emit $G
for level in -O0 -O3 "-O3 -march=native"; do identical "gcc $level" CFLAGS="$level $F -fopenmp"; done
grep -q '^/\* fma: ' "$TMP/c/model.h" && pass "the header says so" || fail "the header"
grep -q 'fmaf(' "$TMP/c/model.c" && grep -q 'fma(' "$TMP/c/model.c" && pass "of both types" || fail "no fma in the code"
emit $G --no-fuse --json && [ "$(json "$TMP/out" "a['fma'] and a['plain'] == [] and a['unpacked'] == []")" = True ] && identical "not fused"
emit $G --freestanding --json && cp "$TMP/out" "$TMP/answer" && identical "freestanding"
expect "freestanding: text and budgets" 0 "$PY" tests/emit/freestanding.py "$TMP/c" model "$TMP/answer" || cat "$TMP/out"
grep -q '\bfmaf\b' "$TMP/c/model.h" && pass "freestanding: the header has the function" || fail "freestanding: the header lacks fmaf"
emit $G --math=calque --sums=lanes --seq && identical "in lanes, Calque's functions, without threads"
emit tests/emit/tiles.graph && identical "tiles"
printf 'Y<4,30>[i,j] = sum(k<100) (X<4,100>[i,k] * Z<100,30>[k,j]);\n' >"$TMP/k.kern"
emit "$TMP/k.kern" && identical "a kernel"
printf 'Y<4,30>[i,j] = sum(k<100) select(k > i && k < j, exact(X<4,100>[i,k], Z<100,30>[k,j]), select(k < 3, X<4,100>[i,k], exact(2, X<4,100>[i,0])));\n' >"$TMP/k.kern"
emit "$TMP/k.kern" && identical "a kernel with choices"
printf 'Y<4,30>[i,j] = sum(k<100) select(k > i && k < j, exact(X<4,100>[i,k], Z<100,30>[k,j]), 0);\n' >"$TMP/k.kern"
emit "$TMP/k.kern" && identical "a kernel that adds 0 to a fused sum"

# Vectors of rounded products are others: the check says so.
emit $G
expect "rounded" 0 "$CALQUE" emit $G -o "$TMP/s" --vectors 2
grep -q 'fma' "$TMP/s/model.h" "$TMP/s/model.c" && fail "the default says fma" || pass "the default says nothing"
cp "$TMP/s/vectors.bin" "$TMP/c/vectors.bin"
expect "the vectors of rounded products: found" 2 make -s -C "$TMP/c" check

# What runs: rounded is the default; both are close.
expect "run" 0 "$CALQUE" run $G --random 1 --fma --threads 1 -o "$TMP/fused" --save-inputs
expect "the same on 3 threads" 0 "$CALQUE" run $G --random 1 --fma --threads 3 --compare "$TMP/fused" --rtol 0 --atol 0
expect "rounded others" 1 "$CALQUE" run $G --random 1 --compare "$TMP/fused" --rtol 0 --atol 0

# A sum of products that are too small is -0: at the border it stays so, without a constant behind it or with -0; with 0 it is 0.
signs() { "$PY" -c 'import sys, numpy; a = numpy.load(sys.argv[1]); print(bool((a == 0).all()), bool(numpy.signbit(a).all()), bool(numpy.signbit(a).any()))' "$TMP/fused/$1.npy"; }
[ "$(signs z1)" = "True True True" ] && pass "-0 at borders" || fail "-0 at borders: $(signs z1)"
[ "$(signs z2)" = "True False False" ] && pass "0 added" || fail "0 added: $(signs z2)"
[ "$(signs z3)" = "True True True" ] && pass "-0 added" || fail "-0 added: $(signs z3)"
# Borders of zeros, and masks where a zero that is added could be told.
n=$("$CALQUE" dump $G --stage=packed --fma | awk '/^P.*= select\(.*, inf, -0x1p\+0\);/ { masks++ } /^P.*= select\(/ { all++ } END { print all - masks, masks }')
[ "$n" = "15 7" ] && pass "borders: $n with a mask" || fail "borders of zeros, masks: $n"

# Which sums: each kernel, and what it becomes; one line: it stays.
becomes() { # becomes NAME KERNEL LINE..
    local name=$1
    printf '%s\n' "$2" >"$TMP/k.kern"
    shift 2
    expect "$name" 0 "$CALQUE" dump "$TMP/k.kern" --fma || return
    printf '%s\n' "$@" | cmp -s - "$TMP/out" || { fail "$name: another kernel"; cat "$TMP/out"; }
}
stays() { becomes "$1" "$2" "$2"; }
becomes "a product" 'Y<3>[i] = sum(k<4) (X<3,4>[i,k] * Z<4>[k]);' 'Y<3>[i] = sum(k<4) exact(X<3,4>[i,k], Z<4>[k]);'
becomes "a border" 'Y<3>[i] = sum(k<4) select(k < i, X<3,4>[i,k] * Z<4>[k], 0x0p+0);' \
    'Y<3>[i] = sum(k<4) select(k < i, exact(X<3,4>[i,k], Z<4>[k]), -0x0p+0);'
becomes "choices" 'Y<3>[i] = sum(k<4) select(k < i, 0x0p+0, select(k > 2, X<4>[k] * X<4>[k], Z<4>[k] * 0x1p+1));' \
    'Y<3>[i] = sum(k<4) select(k < i, -0x0p+0, select(k > 2, exact(X<4>[k], X<4>[k]), exact(Z<4>[k], 0x1p+1)));'
becomes "the last product" 'Y<3>[i] = sum(k<4) (X<3>[i] * Z<4>[k] * Z<4>[k]) + X<3>[i] * 0x1p+1;' \
    'Y<3>[i] = sum(k<4) exact(X<3>[i] * Z<4>[k], Z<4>[k]) + X<3>[i] * 0x1p+1;'
becomes "a sum in a sum" 'Y<3>[i] = sum(k<4) (X<3>[i] * sum(m<2) (Z<2>[m] * W<4>[k]));' \
    'Y<3>[i] = sum(k<4) exact(X<3>[i], sum(m<2) exact(Z<2>[m], W<4>[k]));'
stays "a sum of what is no product" 'Y<3>[i] = sum(k<4) (X<3,4>[i,k] + X<3,4>[i,k] * Z<4>[k]);'
stays "another constant" 'Y<3>[i] = sum(k<4) select(k < i, X<3,4>[i,k] * Z<4>[k], 0x1p+0);'
stays "-0" 'Y<3>[i] = sum(k<4) select(k < i, X<3,4>[i,k] * Z<4>[k], -0x0p+0);'
stays "no product" 'Y<3>[i] = sum(k<4) select(k < i, 0x0p+0, 0x0p+0);'
stays "the greatest" 'Y<3>[i] = amax(k<4) (X<3,4>[i,k] * Z<4>[k]);'
stays "no sum" 'Y<3>[i] = X<3>[i] * X<3>[i] + X<3>[i];'
stays "fused" 'Y<3>[i] = sum(k<4) exact(X<3,4>[i,k], Z<4>[k]);'
printf 'Y<3>[i] = sum(k<100) (X<3,100>[i,k] * Z<3>[i]);\n' >"$TMP/k.kern"
expect "in lanes first" 0 "$CALQUE" dump "$TMP/k.kern" --fma --sums=lanes
printf '%s\n' 'T0<3,16>[i,l] = sum(k<6) exact(X<3,100>[i,k*16+l], Z<3>[i]);' \
    'Y<3>[i] = sum(l<16) T0<3,16>[i,l] + sum(k<4) exact(X<3,100>[i,k+96], Z<3>[i]);' | cmp -s - "$TMP/out" || fail "in lanes: $(cat "$TMP/out")"

expect_error "dump: a graph" "this --fma is not for this kind of file" "$CALQUE" dump $G --fma
expect_error "plain" "--fma is for models and kernels" "$CALQUE" emit $G -o "$TMP/x" --fma --plain
expect_error "contracts" "--fma has no contracts" "$CALQUE" emit $G -o "$TMP/x" --fma --acsl
printf '\n Y<3>[i] = sum(k<4) exact(X<3,4>[i,k], Z<4>[k]);\n' >"$TMP/k.kern"
expect_error "contracts of a kernel" "k.kern:2:2: error: exact(a, b) has no contract" "$CALQUE" emit "$TMP/k.kern" -o "$TMP/x" --acsl
expect "gradient" 1 "$CALQUE" grad "$TMP/k.kern" --wrt X
grep -q "a product that is not rounded is not differentiated" "$TMP/err" || fail "gradient: $(cat "$TMP/err")"
printf 'Y<3>[i] = sum(k<4) select(k < i, exact(sum(m<2) Z<2>[m], W<4>[k]), -0.0);\n' >"$TMP/k.kern"
expect_error "a sum under a guard" "the operands of exact(a, b) may have no sums of their own" "$CALQUE" emit "$TMP/k.kern" -o "$TMP/x"
printf 'in a : 40.num\nout r : 40.num\nr := mapPar (fun x -> exp x) a\n' >"$TMP/p.dpia"
expect_error "a program" "--fma is for models and kernels" "$CALQUE" emit "$TMP/p.dpia" -o "$TMP/x" --fma
printf 'in a : 40.num\nout r : 40.num\nr := mapPar (fun x -> exact x x) a\n' >"$TMP/p.dpia"
expect "exact in a program" 2 "$CALQUE" emit "$TMP/p.dpia" -o "$TMP/x"
finish
