#!/bin/sh
# usage: oracle_theorems.sh BUILD
# Every extracted function that the oracle's glue calls (the modules of oracle/ that open Extracted, Extracted_dpia, Extracted_validate, Extracted_statements, Extracted_calls, Extracted_op, Extracted_value, Extracted_lanes, Extracted_model or Extracted_onnx) is in
# oracle_theorems.txt, with the headline theorem that is about it: its statement in theorems.golden must have the function's
# name. Exceptions give a reason there. So is each constant that coq/Extract.v has in place of a definition, as `Extract NAME`. Prints the table. Exit status: 0 so, 1 not, 2 usage, 77 skipped.
set -u
[ $# = 1 ] || { sed -n 's/^# usage/usage/p' "$0" >&2; exit 2; }
here=$(dirname "$0")
root=$here/../..
failed=0

[ -f "$1/oracle/extracted.mli" ] || { echo "SKIP coq/oracle_theorems: $1/oracle/extracted.mli is missing (make oracle)"; exit 77; }
tmp=$(mktemp -d) || exit 3
trap 'rm -rf "$tmp"' EXIT

# The functions: what the glue takes from the module, of which the interface says that it is a value.
for module in Extracted Extracted_dpia Extracted_validate Extracted_statements Extracted_calls Extracted_op Extracted_value Extracted_lanes Extracted_model Extracted_onnx; do
    interface=$1/oracle/$(echo $module | tr E e).mli
    { cat $(grep -l "^module X = $module\$" "$root"/oracle/*.ml) /dev/null | grep -oE "X\.[a-z][A-Za-z0-9_']*"
      cat "$root"/oracle/*.ml | grep -oE "\<$module\.[a-z][A-Za-z0-9_']*"; } | sed 's/^[A-Za-z_]*\.//' |
        sort -u | while read -r f; do ! grep -qE "^val $f( |\$)" "$interface" || echo "$module $f"; done
done >"$tmp/glue"
sed -n 's/^Extract Constant \(.*\.\)*\([A-Za-z0-9_]*\) =>.*/\1\2/p' "$root/coq/Extract.v" | sed 's/^/Extract /' | sort - "$tmp/glue" >"$tmp/called"
grep -v '^#' "$here/oracle_theorems.txt" | sort >"$tmp/table"
cut -d ' ' -f 1-2 "$tmp/table" >"$tmp/listed"
if ! diff "$tmp/listed" "$tmp/called" >"$tmp/diff"; then
    echo "oracle_theorems.txt and what is called differ:"
    cat "$tmp/diff"
    failed=1
fi
while read -r module f theorem reason; do
    if [ "$theorem" = - ]; then
        printf '%-14s %-16s none: %s\n' "$module" "$f" "$reason"
        [ "$reason" ] || failed=1
    elif awk -v t="$theorem" -v word="(^|[^A-Za-z0-9_])${f##*.}([^A-Za-z0-9_]|\$)" '
        /^[^ ]/ { on = $1 == t; next } on && $0 ~ word { found = 1 } END { exit !found }' "$here/theorems.golden"; then
        printf '%-14s %-16s %s\n' "$module" "$f" "$theorem"
    else
        printf '%-14s %-16s %s IS NOT ABOUT IT\n' "$module" "$f" "$theorem"
        failed=1
    fi
done <"$tmp/table"
n=$(wc -l <"$tmp/called")
[ "$n" -ge 20 ] || failed=1
if [ $failed = 0 ]; then echo "PASS coq/oracle_theorems ($n functions and constants, $(grep -c ' - ' "$tmp/table") exceptions)"
else echo "FAIL coq/oracle_theorems"; fi
exit $failed
