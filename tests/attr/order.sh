#!/bin/sh
# ORDER attr_unary, attr_binary: the C table (attr_ops.def) and the extracted Coq list name the same operations in the same order.
# usage: order.sh ORACLE
set -eu
cd "$(dirname "$0")/../.."
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
sed -n 's/^ATTR_UNARY_OP([A-Z]*, "\([a-z]*\)".*/unary \1/p; s/^ATTR_BINARY_OP([A-Z]*, "\([a-z]*\)".*/binary \1/p' \
    c/attr/attr_ops.def >"$tmp/c"
"$1" attr --operations >"$tmp/coq"
[ -s "$tmp/c" ] || { echo "FAIL attr/order: attr_ops.def was not read"; exit 1; }
if diff -u "$tmp/coq" "$tmp/c"; then
    echo "PASS attr/order ($(wc -l <"$tmp/c") operations)"
else
    echo "FAIL attr/order"
    exit 1
fi
