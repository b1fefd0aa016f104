#!/bin/sh
# usage: run.sh [--full] BUILD
#        run.sh --print BUILD     writes theorems.golden as it is now
# The Coq gates: nothing admitted, the headline theorems and their assumptions as in
# theorems.golden (those about the real numbers, with the axioms of the standard library's
# reals, as in real_theorems.golden), each with an instance of its premises (applied.py), and an independent recheck by coqchk, of
# one in SHARE of our files (5), which ones says the commit; --full: of all, and of the standard library under them (but under those
# about the reals). BUILD/coq holds the compiled files.
set -u
full= print=
[ "${1-}" = --full ] && { full=yes; shift; }
[ "${1-}" = --print ] && { print=yes; shift; }
[ $# = 1 ] || { sed -n 's/^# usage/usage/p' "$0" >&2; exit 2; }
here=$(dirname "$0")
root=$here/../..
coq=$1/coq
failed=0

pass() { echo "PASS coq/$1"; }
fail() { echo "FAIL coq/$1"; failed=1; }

if ! command -v coqc >/dev/null || ! command -v coqchk >/dev/null; then
    echo "SKIP coq: coqc is missing (apt-get install coq)"
    exit 77
fi
[ -f "$coq/Theorems.vo" ] || { echo "FAIL coq: $coq/Theorems.vo is missing (make coq)"; exit 1; }

tmp=$(mktemp -d) || exit 3
trap 'rm -rf "$tmp"' EXIT

# Every way to leave a hole, comments included: the words have no business here.
holes='Admitted|admit|give_up|Axioms?|Parameters?|Conjectures?|bypass_check'
holes="$holes|Unset (Guard|Positivity|Universe) Checking"
if grep -rnwE "$holes" "$root/coq" --include='*.v'; then fail holes; else pass holes; fi

# Every file is in the project, and with it in what coqchk and the build see.
(cd "$root/coq" && find . -name '*.v' ! -name Extract.v | sed 's|^\./||' | sort) >"$tmp/found"
sed -n '/\.v$/p' "$root/coq/_CoqProject" | sort >"$tmp/listed"
if diff -u "$tmp/listed" "$tmp/found"; then pass project; else fail project; fi

# The statements, and what all of them together assume: one walk through the proofs under a term that names every theorem.
# Of the rules, those that library.def calls proved.
sed -n 's/^PROVED(\([a-z_0-9]*\))$/rule_\1_sound/p' "$root/c/rewrite/library.def" | while read -r t; do
    for f in $(grep -lE "^Theorem $t\>" "$coq"/rewrite/Rules*.v); do
        echo "From Calque Require rewrite.$(basename "$f" .v). Check $(basename "$f" .v).$t."
    done
done >"$tmp/rules"
{
    cat "$coq/Theorems.v" "$tmp/rules"
    echo 'Definition every : True :='
    sed -n 's/^.*Check \([A-Za-z_0-9.]*\)\.$/  let _ := @\1 in/p' "$coq/Theorems.v" "$tmp/rules"
    echo '  I.'
    echo 'Print Assumptions every.'
} >"$tmp/Theorems.v"
if ! coqc -q -noglob -Q "$coq" Calque "$tmp/Theorems.v" >"$tmp/theorems" 2>&1
then
    cat "$tmp/theorems"
    fail theorems
elif [ "$print" ]; then
    cp "$tmp/theorems" "$here/theorems.golden"
    exit
elif ! diff -u "$here/theorems.golden" "$tmp/theorems"; then
    fail theorems
elif [ "$(tail -n 1 "$tmp/theorems")" != "Closed under the global context" ]; then
    echo "a theorem of Theorems.v or theorems/ is not closed"
    fail theorems
elif [ "$(grep -c '^  let _ := @' "$tmp/Theorems.v")" != "$(cat "$root/coq/Theorems.v" "$root"/coq/theorems/*.v "$root/c/rewrite/library.def" | grep -c '^Theorem \|^PROVED(.*)$')" ]; then
    echo "a theorem of Theorems.v or theorems/ has no Check, or a rule no theorem"
    fail theorems
else
    pass theorems
fi

# Every theorem with premises is applied where they hold.
if python3 "$here/applied.py" "$here/theorems.golden" "$root/coq" >"$tmp/applied"; then
    pass "applied: $(tail -n 1 "$tmp/applied")"
else
    cat "$tmp/applied"
    fail applied
fi

# Its theorems, and what all of them together assume.
sed -n 's/^Theorem \([a-z_]*\).*/\1/p' "$root/coq/RealTheorems.v" >"$tmp/names"
{
    echo 'From Coq Require Import List ZArith Reals.'
    echo 'From Calque Require Import kernel.Kernel kernel.Gradient kernel.SweepProof kernel.Source kernel.Derivative kernel.GradientReal RealTheorems.'
    echo 'Open Scope R_scope.'
    sed 's/.*/Check &./' "$tmp/names"
    echo 'Definition every : True :='
    sed 's/.*/  let _ := @& in/' "$tmp/names"
    echo '  I.'
    echo 'Print Assumptions every.'
} >"$tmp/Real.v"
if ! coqc -q -noglob -Q "$coq" Calque "$tmp/Real.v" >"$tmp/real" 2>&1
then
    cat "$tmp/real"
    fail real_theorems
elif diff -u "$here/real_theorems.golden" "$tmp/real"; then
    pass real_theorems
else
    fail real_theorems
fi

# Instances (Applied*) are compiled, not checked again.
modules=$(sed -n '/Applied/d; s|/|.|g; s|^\(.*\)\.v$|Calque.\1|p' "$root/coq/_CoqProject")
reals='tensor.RealNumbers$|kernel.RealField$|kernel.Derivative$|kernel.GradientReal$|onnx.LogSumExpReals$|RealTheorems$'

# recheck NAME MODULES..: these; what they need is loaded unchecked, and of the standard library listed with its axioms.
# With the name full: what they need too, and nothing is assumed.
recheck() {
    name=$1
    shift
    n=$#
    if [ "$name" != full ]; then
        all=$*
        set --
        for m in $all; do set -- "$@" -norec "$m"; done
    fi
    coqchk -silent -o -Q "$coq" Calque "$@" >"$tmp/chk" 2>&1
    status=$?
    if [ $status != 0 ] || [ "$n" = 0 ] || grep -q '^ *Calque\.' "$tmp/chk" ||
       { [ "$name" = full ] && ! grep -q 'Axioms: <none>' "$tmp/chk"; } ||
       [ "$(grep -c '\(fixpoints\|type-in-type\|is assumed\): <none>' "$tmp/chk")" != 3 ]
    then
        cat "$tmp/chk"
        fail "coqchk $name"
    else
        pass "coqchk $name: $n of $(echo "$modules" | wc -l) modules rechecked"
    fi
}

if [ "$full" ]; then
    recheck full $(echo "$modules" | grep -vE "$reals")
    recheck reals $(echo "$modules" | grep -E "$reals")
else
    commit=$(git -C "$root" rev-parse HEAD 2>/dev/null)
    recheck "share ${commit:-without a commit}" $(echo "$modules" | while read -r m; do
        [ $(($(echo "$commit $m" | cksum | cut -d ' ' -f 1) % ${SHARE:-5})) != 0 ] || echo "$m"
    done)
fi
exit $failed
