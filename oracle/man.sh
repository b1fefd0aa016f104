#!/bin/sh
# The manual pages of the oracle: calque-oracle.1, one for each of its commands, and calque-oracle.7, all as the command says.
# usage: man.sh ORACLE OUTDIR
set -eu
oracle=$1 out=$2
page() { "$oracle" "$@" --help=groff | sed 's/…/.../g'; } # groff reads no UTF-8 without a preprocessor
page >"$out/calque-oracle.1"
"$oracle" grammar --man >"$out/calque-oracle.7"
for c in $("$oracle" --help=plain | sed -n 's/^       \([a-z][a-z]*\) .*\[OPTION\].*/\1/p'); do
    page "$c" >"$out/calque-oracle-$c.1"
done
