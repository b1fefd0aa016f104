#!/usr/bin/env bash
# Ratios, each measured in one run: emitted C against onnxruntime-node, OpenBLAS and a copy (table.py: models and operators, interleaved
# rounds, a table and a plot); emitted programs against what bounds them (dpia.sh); how matching and rewriting grow.
# onnxruntime-node is installed by npm into BUILD if it can be; otherwise its rows say so. usage: run.sh BUILD [ARGUMENT OF table.py..]
B=${1:-.build}
shift
cd "$(dirname "$0")/../.."
. tests/lib.sh
need_onnx
mkdir -p "$B/bench"
ort=no
if [ -d "$B/bench/node_modules/onnxruntime-node" ] ||
   (cd "$B/bench" && npm install --ignore-scripts --no-audit --no-fund onnxruntime-node >npm.log 2>&1); then
    ort=yes
fi
"$PY" tests/bench/table.py "$B" "$@" || exit $?
echo "$B/bench/table.md $B/bench/plot.svg"
echo
tests/bench/dpia.sh "$B"
echo
"$B"/tests/bench/match_scale || fail "matching and rewriting are not linear"
[ $ort = no ] && echo "onnxruntime-node could not be installed by npm: no peer column"
exit 0
