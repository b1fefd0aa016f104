#!/usr/bin/env bash
# The rules here and the graphs that refute them, as Coq definitions on standard output: coq/rewrite/Published.v.
# usage: terms.sh BUILD
set -eu
here=$(cd "$(dirname "$0")" && pwd)
export LC_ALL=C
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
for f in "$here"/*.gsl; do "$1/calque" dump "$f"; done >"$tmp/rules"
for f in "$here"/*.graph; do "$1/calque" dump --format=sexp "$f" >"$tmp/$(basename "$f")"; done
"$1/calque-oracle" library --title "Unsound rules, and graphs that refute them" published "$tmp/rules" "$tmp"/*.graph
