#!/bin/sh
# usage: oracle_theorems.sh BUILD
# Every extracted function that the oracle's glue calls (the modules of oracle/ that open Extracted or Extracted_dpia) is the
# subject of a headline theorem: its name is in a statement of theorems.golden. Prints the table. The exceptions are listed
# here with their reasons, and must be needed. Exit status: 0 so, 1 not, 2 usage, 77 skipped.
set -u
[ $# = 1 ] || { sed -n 's/^# usage/usage/p' "$0" >&2; exit 2; }
here=$(dirname "$0")
root=$here/../..
golden=$here/theorems.golden
failed=0

exceptions='
unary_names      table of spellings; the C table is compared with it (tests/attr/order.sh)
binary_names     table of spellings
reduction_names  table of spellings
func_names       table of spellings
int64s           the scalars that kernel_exec is at: a record, no function of the oracle
'

[ -f "$1/oracle/extracted.mli" ] || { echo "SKIP coq/oracle_theorems: $1/oracle/extracted.mli is missing (make oracle)"; exit 77; }
tmp=$(mktemp -d) || exit 3
trap 'rm -rf "$tmp"' EXIT

# The functions: what the glue takes from the module and its interface has as a value.
for module in Extracted Extracted_dpia; do
    glue=$(grep -l "^module X = $module\$" "$root"/oracle/*.ml) || continue
    interface=$1/oracle/$(echo $module | tr 'E' 'e').mli
    cat $glue | grep -oE "X\.[a-z][A-Za-z0-9_']*" | sed 's/X\.//' | sort -u | while read -r f; do
        ! grep -qE "^val $f( |\$)" "$interface" || echo "$module $f"
    done
done >"$tmp/called"
[ "$(grep -c '^Extracted ' "$tmp/called")" -ge 10 ] || { echo "FAIL coq/oracle_theorems: no calls found"; exit 1; }

# Extraction numbers a name that it meets twice: eval0 is an eval.
statements() { # NAME: the theorems whose statement has it
    awk -v f="$1" 'BEGIN { word = "(^|[^A-Za-z0-9_])" f "([^A-Za-z0-9_]|$)" }
        /^[^ ]/ { name = $1 } $0 ~ word && name != f && $0 !~ "^" f "$" { if (!(name in seen)) { seen[name] = 1; print name } }' "$golden"
}
while read -r module f; do
    coq=$f
    case $module in Extracted_dpia) coq=$(echo "$f" | sed 's/0$//') ;; esac
    about=$(statements "$coq" | tr '\n' ' ')
    reason=$(echo "$exceptions" | sed -n "s/^$f  *//p")
    if [ "$about" ]; then
        [ ! "$reason" ] || { echo "$f: no exception any more"; failed=1; }
        printf '%-18s %s\n' "$f" "$(echo "$about" | cut -d ' ' -f 1-3)"
    elif [ "$reason" ]; then
        printf '%-18s (none: %s)\n' "$f" "$reason"
    else
        printf '%-18s NO THEOREM\n' "$f"
        failed=1
    fi
done <"$tmp/called"
if [ $failed = 0 ]; then echo "PASS coq/oracle_theorems ($(wc -l <"$tmp/called") functions)"
else echo "FAIL coq/oracle_theorems"; fi
exit $failed
