#!/usr/bin/env bash
# MISRA C:2012 by cppcheck's add-on on emitted freestanding code: no rule is broken but those of misra.txt, each of which is. A rule that
# is broken on purpose is found.
# usage: misra.sh BUILD
cd "$(dirname "$0")/../.."
B=${1:-.build}
. tests/lib.sh
need cppcheck cppcheck
LIST=tests/emit/misra.txt

# rules DIR: the rules that its files break, one a line with how often. Weights take cppcheck long and are all alike: of at most 20000 bytes.
rules() {
    (cd "$1" && cppcheck --addon=misra --std=c99 --enable=style --quiet -D__GNUC__=12 --template='{file}:{line} {id} {message}' $(find . -name '*.c' ! -name '*_check.c' \( ! -name '*_weights.c' -o -size -20000c \))) 2>"$TMP/said" >&2
    grep -vE ' misra-c2012-[0-9.]+ |^nofile:0 |^$' "$TMP/said" >"$TMP/else"
    sed -n 's/.* misra-c2012-\([0-9.]*\) .*/\1/p' "$TMP/said" | sort -V | uniq -c
}
known() { sed -n "s/^\([0-9.]*\) .*/\1/p" $LIST; }
# clean NAME INPUT OPTIONS..: emitted, nothing but what the list has
clean() {
    rm -rf "$TMP/c"
    expect "$1: emit ${*:3}" 0 "$CALQUE" emit "$2" -o "$TMP/c" --freestanding "${@:3}" || return
    rules "$TMP/c" >"$TMP/rules"
    awk '{ print $2 }' "$TMP/rules" >>"$TMP/seen"
    awk '{ print $2 }' "$TMP/rules" | grep -vxFf <(known) >"$TMP/new"
    if [ -s "$TMP/new" ]; then
        fail "$1: rules $(tr '\n' ' ' <"$TMP/new")"
        grep -F "misra-c2012-$(head -n 1 "$TMP/new") " "$TMP/said" | head -n 5
    else
        pass "$1: $(awk '{ printf "%s%s %s times", n++ ? ", " : "", $2, $1 }' "$TMP/rules")"
    fi
}
for f in $(known); do grep -qE "^$f +(required|advisory)  [A-Za-z0-9].*\.$" $LIST || fail "misra.txt: rule $f has no category or no reason"; done
[ "$(known | wc -l)" -ge 8 ] && [ "$(known | sort -Vu | wc -l)" = "$(known | wc -l)" ] && pass "misra.txt: $(known | wc -l) rules" || fail "misra.txt: rules"
for g in chains masks lookups parts repeated; do clean $g tests/emit/$g.graph; done
printf 'graph g {\n input x : f32[1, 4, 5, 5]\n param w : f32[6, 2, 3, 3]\n param b : f32[6]\n y = Relu(Conv(x, w, b, group=2, pads=(1, 1, 1, 1)))\n return y, Softmax(MaxPool(y, kernel_shape=(2, 2)), axis=1)\n}\n' >"$TMP/small.graph"
printf 'graph g {\n input x : i64[3]\n input k : i32[3]\n return Neg(x), Neg(k), x * x, Min(k, Abs(k))\n}\n' >"$TMP/integers.graph"
clean "integers" "$TMP/integers.graph"
clean "a network" "$TMP/small.graph"
clean "its arena in the file" "$TMP/small.graph" --static-arena
clean "its weights by pointer" "$TMP/small.graph" --weights=pointer
clean "one file" "$TMP/small.graph" --single-file
known | sort -V >"$TMP/listed"
sort -Vu "$TMP/seen" >"$TMP/broken"
comm -23 <(sort "$TMP/listed") <(sort "$TMP/broken") >"$TMP/stale"
[ -s "$TMP/stale" ] && fail "misra.txt: nobody breaks $(tr '\n' ' ' <"$TMP/stale")" || pass "misra.txt: each of its rules is broken somewhere"
# What is broken on purpose: an octal constant, a goto, a loop without braces.
expect "emit" 0 "$CALQUE" emit "$TMP/small.graph" -o "$TMP/c" --freestanding
printf 'int broken(int a);\nint broken(int a)\n{\n    int b = 017;\n\n    for (int i = 0; i < a; i++)\n        b += i;\n    if (b > 3) {\n        goto done;\n    }\n    b = 0;\ndone:\n    return b;\n}\n' >>"$TMP/c/model.c"
rules "$TMP/c" >"$TMP/rules"
for r in 7.1 15.1 15.6; do grep -q " $r$" "$TMP/rules" && pass "found: rule $r" || fail "not found: rule $r: $(cat "$TMP/rules")"; done
finish
