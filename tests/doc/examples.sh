#!/usr/bin/env bash
# The worked examples of the READMEs, "add an operator" and "add a rule", made again as patches on a copy of the sources: the copy
# builds, what was added does what it says, its tests and its proofs pass, and no more files are touched than the README lists.
# usage: examples.sh BUILD operator|rule [coq]      with `coq` the proofs
B=${1:-.build}
cd "$(dirname "$0")/../.."
. tests/lib.sh
WHAT=$2
PATCH=$PWD/tests/doc/add_$WHAT.patch
BUILT=$(cd "$B" && pwd)

mkdir "$TMP/copy"
cp -Rp Makefile acsl c coq oracle tests README.md "$TMP/copy/"
expect "the patch applies" 0 patch -s -p1 -d "$TMP/copy" -i "$PATCH" || finish
n=$(grep -c '^+++ ' "$PATCH")

# renewed: the compiled files of Coq with the patched ones in them.
renewed() {
    mkdir -p "$TMP/build"
    cp -Rp "$BUILT/coq" "$TMP/build/coq"
    cp -p coq/CoqMakefile.local "$TMP/build/coq/"
    for f in $(sed -n 's|^+++ b/coq/||p' "$PATCH") "$@"; do cp "$TMP/copy/coq/$f" "$TMP/build/coq/$f"; done
}
# proofs TARGET..: these of Coq's files and what is between them, on the compiled rest; .vok: the proofs of this file only.
proofs() { expect "proofs: $*" 0 make -s -C "$TMP/build/coq" -f CoqMakefile OPT= "$@" || cat "$TMP/out"; }
# listed NAME MOST README: so many files are patched, and the README lists them.
listed() {
    [ "$n" -le "$2" ] && pass "$1: $n files" || fail "$1: $n files, the README says $2"
    for f in $(sed -n 's|^+++ b/||p' "$PATCH"); do
        grep -qF "\`$f\`" "$3" && pass "the README has $f" || fail "the README has not $f"
    done
}
# The copy begins with what is built here: only what the patch changes is compiled. (Of a build elsewhere the objects name its paths.)
built() {
    DIR=$TMP/b
    case $B in
    /*) ;;
    *) DIR=$B && mkdir -p "$TMP/copy/$B" && cp -Rp "$BUILT/c" "$BUILT/tests" "$BUILT/gen" "$TMP/copy/$B/" || fail "copy $B" ;;
    esac
    expect "the copy builds" 0 make -s -C "$TMP/copy" BUILD="$DIR" OPT=-O0 all
    CALQUE=$(cd "$TMP/copy" && cd "$DIR" && pwd)/calque
}
unit() { expect "$1" 0 make -s -C "$TMP/copy" BUILD="$DIR" OPT=-O0 unit U="$1" || tail -n 20 "$TMP/out"; }

case "$WHAT ${3:-}" in
"operator ")
    listed "an operator" 7 c/tensor/README.md
    built || finish
    printf 'graph g {\n input x: f32[2, 2]\n y = Square(Square(x))\n return y\n}\n' >"$TMP/g.graph"
    "$PY" -c 'import numpy; numpy.save("'"$TMP"'/x.npy", numpy.array([[-3, 0.5], [1, 2]], "f"))' 2>/dev/null ||
        printf '\x93NUMPY\x01\x00\x46\x00{%-69s\n\x00\x00\x40\xc0\x00\x00\x00\x3f\x00\x00\x80\x3f\x00\x00\x00\x40' "'descr': '<f4', 'fortran_order': False, 'shape': (2, 2), }" >"$TMP/x.npy"
    expect "it runs" 0 "$CALQUE" run "$TMP/g.graph" x="$TMP/x.npy" -o "$TMP/o"
    [ "$(tail -c 16 "$TMP/o/y.npy" | od -An -tf4 | tr -s ' ')" = " 81 0.0625 1 16" ] && pass "x^4" || fail "x^4: $(tail -c 16 "$TMP/o/y.npy" | od -An -tf4)"
    expect "it is emitted" 0 "$CALQUE" emit "$TMP/g.graph" -o "$TMP/e"
    expect "it is saved" 0 "$CALQUE" opt "$TMP/g.graph" -o "$TMP/g.onnx"
    expect "and read again" 0 "$CALQUE" run "$TMP/g.onnx" x="$TMP/x.npy" --compare "$TMP/o" --rtol 0 --atol 0
    "$CALQUE" ops Square >"$TMP/ops" && grep -q 'X \* X' "$TMP/ops" && pass "calque ops" || fail "calque ops"
    unit tests/tensor/unit_ops.c
    unit tests/tensor/unit_infer.c
    ;;
"rule ")
    listed "a rule" 4 c/rewrite/README.md
    built || finish
    printf 'graph g {\n input x: f32[2, 3, 4, 5]\n y = Flatten(Flatten(x, axis=2), axis=1)\n return y\n}\n' >"$TMP/g.graph"
    expect "it is applied" 0 "$CALQUE" opt "$TMP/g.graph" -o "$TMP/o.graph" --check 3
    grep -q '^flatten_flatten: 1 (exact)$' "$TMP/out" && ! grep -q Flatten "$TMP/o.graph" && grep -q Reshape "$TMP/o.graph" &&
        pass "Flatten(Flatten(x)) is a Reshape" || fail "Flatten(Flatten(x)) is a Reshape: $(cat "$TMP/out")"
    grep -q '^theorem opt_correct_mixed: ' "$TMP/out" && pass "its theorem covers the run" || fail "its theorem covers the run"
    expect "calque check" 0 "$CALQUE" check --rule flatten_flatten
    grep -q '^1 rules: 0 refuted, 0 not tested$' "$TMP/out" && pass "it is tested" || fail "it is tested: $(tail -n 1 "$TMP/out")"
    ;;
"rule coq")
    need coqc coq
    # What `make printed` prints: the rule as a term.
    CALQUE=$BUILT/calque
    "$CALQUE" dump "$TMP/copy/c/rewrite/library_simplify.gsl" >"$TMP/rules" &&
        "$BUILT/calque-oracle" library simplify "$TMP/rules" >"$TMP/copy/coq/rewrite/LibrarySimplify.v" && pass "the rule as a term" || fail "the rule as a term"
    grep -q 'rule_text_flatten_flatten' "$TMP/copy/coq/rewrite/LibrarySimplify.v" || fail "the rule is in the set"
    renewed rewrite/LibrarySimplify.v
    proofs rewrite/RulesSimplify.vok rewrite/ProvedSound.vok rewrite/Termination.vok
    ;;
"operator coq")
    need coqc coq
    renewed
    # That the kernels are correct, which is what the patch proves; of what else goes through all operators one, another at each commit: that they
    # read inside, that they store, that they are the same in mixed numbers, or all that the theorems say.
    proofs tensor/OpCorrect.vo "$(one_of tensor/OpSafeAll.vo tensor/OpStores.vo tensor/MixedEmbed.vo theorems/OpKernel.vo)"
    ;;
*) sed -n 's/^# usage/usage/p' "$0" >&2; exit 2 ;;
esac
finish
