#!/bin/sh
# ORDER attr_unary, attr_binary, attr_reduction, attr_func: the C tables (attr_ops.def) and the extracted Coq lists name the same
# operations in the same order.
# usage: order.sh ORACLE
set -eu
cd "$(dirname "$0")/../.."
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
for table in UNARY_OP:unary BINARY_OP:binary REDUCTION:reduction FUNC_OP:function; do
    sed -n "s/^ATTR_${table%:*}([A-Z]*, \"\([a-z]*\)\".*/${table#*:} \1/p" c/attr/attr_ops.def
done >"$tmp/c"
"$1" attr --operations --full >"$tmp/coq"
[ "$(cut -d' ' -f1 "$tmp/c" | sort -u | wc -l)" = 4 ] || { echo "FAIL attr/order: attr_ops.def was not read"; exit 1; }
if diff -u "$tmp/coq" "$tmp/c"; then
    echo "PASS attr/order ($(wc -l <"$tmp/c") operations)"
else
    echo "FAIL attr/order"
    exit 1
fi
