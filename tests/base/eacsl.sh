#!/usr/bin/env bash
# The contract of a proved function of the core at run time, by E-ACSL, on random data (tests/base/eacsl_core.c): it holds; calls
# that break a precondition and every change of the function in acsl/mutants.txt abort with the label of a clause. Prints how
# many clauses are run and how many are not.
# usage: eacsl.sh BUILD
cd "$(dirname "$0")/../.."
B=${1:-.build}
. tests/lib.sh
SHARE=$(frama-c -print-share-path 2>/dev/null)/e-acsl
DLMALLOC=$(ls /usr/lib/frama-c/e-acsl/libeacsl-dlmalloc.a 2>/dev/null)
[ -e "$SHARE/e_acsl_rtl.c" ] && [ -n "$DLMALLOC" ] || { echo "SKIP E-ACSL is not here: apt-get install frama-c-base"; exit 77; }
echo '#include <gmp.h>' | ${CC:-gcc} -E - >/dev/null 2>&1 || { echo "SKIP gmp.h is not here: apt-get install libgmp-dev"; exit 77; }
CFLAGS="-w -O1 -std=gnu11 -fno-builtin -Ic -I$SHARE -D_POSIX_C_SOURCE=200809L -DE_ACSL_SEGMENT_MMODEL"
file=c/graph/compact.c header=c/graph/compact_internal.h function=graph_renumber

# instrument FILE OBJECT: the function as it stands in FILE.
instrument() {
    "$PY" tests/base/eacsl_core.py "$1" $header $function >"$TMP/form.c" 2>"$TMP/counts" || return 1
    frama-c -machdep gcc_x86_64 "$TMP/form.c" -e-acsl-functions $function \
        -e-acsl -then-last -print -ocode "$TMP/out.c" >"$TMP/frama-c.log" 2>&1 || return 1
    ! grep -q 'Ignoring annotation' "$TMP/frama-c.log" && ${CC:-gcc} $CFLAGS -c "$TMP/out.c" -o "$2"
}

link() { ${CC:-gcc} -o "$TMP/core" "$TMP"/fixed/*.o "$@" "$DLMALLOC" -lgmp -lm -lpthread; }

# breaks NAME WHAT [LABEL]
breaks() {
    { "$TMP/core" "$2"; } >"$TMP/out" 2>&1
    local rc=$? label
    label=$(sed -n '/failing predicate is:$/{n;s/^[[:space:]]*\([a-z_]*\):.*/\1/p;}' "$TMP/out")
    if [ $rc = 134 ] && [ -n "$label" ] && [[ -z ${3:-} || $label = "$3" ]]; then
        pass "$1: $label"
    else
        fail "$1 (exit status $rc, ${label:-no label}, expected ${3:-any})"
        head -n 5 "$TMP/out"
    fi
} 2>/dev/null

mkdir "$TMP/fixed" "$TMP/obj"
# Its calls are to the function that looks at the contract first.
calls=-D$function=__gen_e_acsl_$function
for f in "$SHARE/e_acsl_rtl.c" tests/base/eacsl_core.c; do
    expect "compile ${f##*/}" 0 ${CC:-gcc} $CFLAGS \
        $([[ $f = tests/* ]] && echo $calls) -c "$f" -o "$TMP/fixed/$(basename "$f" .c).o" || finish
done
if instrument $file "$TMP/obj/$function.o"; then
    pass "$function: clauses: $(cat "$TMP/counts")"
else
    fail "$function: not instrumented"
    tail -n 5 "$TMP/counts" "$TMP/frama-c.log"
    finish
fi
expect "link" 0 link "$TMP"/obj/*.o || finish
expect "the contracts hold" 0 "$TMP/core" n
breaks "renumber: short output" o valid
breaks "renumber: an input that is no node" i inputs
breaks "renumber: a number that is too great" r order
breaks "renumber: overlap" a apart

while IFS='|' read -r where name from to _; do
    where=${where%% } name=${name## } name=${name%% } from=${from## } from=${from%% } to=${to## } to=${to%% }
    [ "$where $name" = "$file $function" ] || continue
    FROM=$from TO=$to awk -v "name=$function" '
        index($0, name "(") && !/;$/ { inside = 1 }
        /^}/ { inside = 0 }
        /\/\*@/ { contract = 1 }
        inside && !contract && !done && (at = index($0, ENVIRON["FROM"])) {
            $0 = substr($0, 1, at - 1) ENVIRON["TO"] substr($0, at + length(ENVIRON["FROM"]))
            done = 1
        }
        /\*\// { contract = 0 }
        { print }
        END { exit !done }' $file >"$TMP/changed.c" || fail "$function: no '$from'"
    o=$TMP/obj/$function.o
    cp "$o" "$TMP/kept.o"
    if instrument "$TMP/changed.c" "$o" && link "$TMP"/obj/*.o; then
        breaks "mutant $function: '$from' -> '$to'" n
    else
        fail "mutant $function: '$from' -> '$to': not instrumented"
    fi
    cp "$TMP/kept.o" "$o"
done < <(grep '^[^#]' acsl/mutants.txt)
finish
