#!/usr/bin/env bash
# Every object of libcalque.a is reached from the command or from a function that a header of c/calque.h declares: what only tests
# call stands under tests. An object that nobody calls, added here, is found.
# usage: reach.sh BUILD
B=${1:-.build}
cd "$(dirname "$0")/../.."
. tests/lib.sh

objects=("$B/gen/onnx/onnx.pb-c.o") command=()
for f in c/*/*.c; do
    if [[ $f = c/cli/* ]]; then command+=("$B/${f%.c}.o"); else objects+=("$B/${f%.c}.o"); fi
done
for o in "${objects[@]}" "${command[@]}"; do [ -f "$o" ] || fail "$o is not there: make all"; done
n=$(ar t "$B/libcalque.a" | wc -l)
[ ${#objects[@]} = "$n" ] && pass "libcalque.a has the $n objects of c and onnx" ||
    fail "libcalque.a has $n objects, c and onnx ${#objects[@]}: build it anew"

# The functions that the public headers declare, one a line.
sed -n 's/^#include "\(.*\)"$/c\/\1/p' c/calque.h >"$TMP/headers"
gcc -std=c11 -D_POSIX_C_SOURCE=200809L -Ic -I"$B/gen" -x c -fsyntax-only -aux-info "$TMP/declared" c/calque.h || fail "c/calque.h"
sed -n 's,^/\* \([^:]*\):[0-9]*:.*\*/ extern [^(]*[ *]\([a-z_0-9]*\) (.*,\1 \2,p' "$TMP/declared" |
    awk 'NR == FNR { public[$1] = 1; next } $1 in public { print $2 }' "$TMP/headers" - | sort -u >"$TMP/exported"
[ "$(wc -l <"$TMP/exported")" -gt 100 ] && grep -qx attr_eval "$TMP/exported" && ! grep -qx run_free "$TMP/exported" &&
    pass "$(wc -l <"$TMP/exported") functions of $(wc -l <"$TMP/headers") public headers" || fail "the public headers were not read"

# unreached OBJECT...: those of them that are not reached, one a line.
unreached() {
    { sed 's/^/exported E /' "$TMP/exported"; nm -A "${command[@]}" "$@"; } | awk '
        function reach(o) { if (!(o in reached)) { reached[o] = 1; todo[++last] = o } }
        { kind = $(NF - 1); name = $NF; object = $1; sub(/:.*/, "", object) }
        kind == "E" { exported[name] = 1; next }
        kind == "U" { needs[object] = needs[object] " " name }
        kind ~ /^[TDBRCVW]$/ { home[name] = object }
        { all[object] = 1 }
        END {
            for (o in all) if (o ~ /\/c\/cli\//) reach(o)
            for (f in exported) if (f in home) reach(home[f])
            for (k = 1; k <= last; k++) {
                n = split(needs[todo[k]], name_of, " ")
                for (i = 1; i <= n; i++) if (name_of[i] in home) reach(home[name_of[i]])
            }
            for (o in all) if (!(o in reached)) print o
        }' | sort
}

unreached "${objects[@]}" >"$TMP/unreached"
if [ -s "$TMP/unreached" ]; then
    fail "reached neither from the command nor from a public header:"
    cat "$TMP/unreached"
else
    pass "all of them are reached"
fi
echo 'int alone(void); int attr_alone(void); int attr_alone(void) { return alone(); }' | gcc -x c -c - -o "$TMP/caller.o"
echo 'int alone(void); int alone(void) { return 0; }' | gcc -x c -c - -o "$TMP/alone.o"
printf '%s\n' "$TMP/alone.o" "$TMP/caller.o" | cat "$TMP/unreached" - | sort >"$TMP/expected"
unreached "${objects[@]}" "$TMP/alone.o" "$TMP/caller.o" | cmp -s - "$TMP/expected" && pass "objects that nobody calls are found" ||
    fail "objects that nobody calls are not found"
finish
