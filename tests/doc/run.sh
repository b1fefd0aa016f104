#!/usr/bin/env bash
# The README's examples, executed as they stand: each line of its `sh run` blocks, in a directory with a small model; the rule in the README is
# the rule file tests/doc/double_relu.gsl; every path the README names exists. usage: run.sh BUILD
B=${1:-.build}
cd "$(dirname "$0")/../.."
. tests/lib.sh
TOP=$PWD
ZOO=$(cd "$B" && pwd)/tests/zoo/zoo

awk '/^```sh run/ {on=1; next} /^```/ {on=0} on' README.md >"$TMP/lines"
[ -s "$TMP/lines" ] || fail "README has no examples"
if grep -qF "$(sed -n 2,4p tests/doc/double_relu.gsl)" README.md; then pass "the rule of the README"; else fail "the rule of the README"; fi
mkdir "$TMP/work"
ln -s "$TOP/tests" "$TMP/work/tests"
expect "model" 0 "$ZOO" squeezenet -o "$TMP/work/model.onnx" --width 0.1 --image 32
while read -r line; do
    case $line in
    *--why*) want=1 ;; # a negative answer: conv_bn_fold has nothing to match in this model
    *) want=0 ;;
    esac
    expect "${line%%#*}" $want bash -c "cd '$TMP/work' && PATH=$(dirname "$CALQUE"):\$PATH && ${line%%#*}"
done <"$TMP/lines"
for p in $(grep -oE '`(c|coq|acsl|oracle|tests)/[A-Za-z0-9_./-]+`' README.md | tr -d '`' | sort -u); do
    if [ -e "$p" ]; then pass "README names $p"; else fail "README names $p, which is not there"; fi
done
finish
