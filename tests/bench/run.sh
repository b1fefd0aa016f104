#!/usr/bin/env bash
# Ratios, each measured in one run. Emitted C against onnxruntime (all its optimisations, same thread count, best of N) and against
# the reference interpreter, on the classical networks with seeded weights (the light models where they are beside the project, else the
# zoo's). The peer is installed by npm into BUILD if it
# can be; otherwise its column says so. usage: run.sh BUILD [MODEL...]
B=${1:-.build}
shift
cd "$(dirname "$0")/../.."
. tests/lib.sh
DATA=../shared/data/onnx-light
REWEIGHT=../shared/tools/reweight.py
MODELS=${*:-squeezenet shufflenet inception_v1 inception_v2 resnet50 zfnet512 vgg19}
THREADS=2
say() { [ -t 2 ] && printf '%s\r' "$*" >&2; return 0; }

ort=no
mkdir -p "$B/bench"
if [ -d "$B/bench/node_modules/onnxruntime-node" ] ||
   (cd "$B/bench" && npm install --ignore-scripts --no-audit --no-fund onnxruntime-node >npm.log 2>&1); then
    ort=yes
fi
if [ -d $DATA ]; then from="$DATA"; else from="the zoo"; fi
model() { # MODEL OUT.onnx
    if [ -d $DATA ]; then $PY tests/light/prepare.py $REWEIGHT $DATA/light_"$1".onnx "$2"; else "$B/tests/zoo/zoo" "$1" -o "$2"; fi >/dev/null
}
echo "models of $from"
printf '%-14s %12s %12s %12s %18s %18s\n' model 'emitted ms' 'ORT ms' 'calque run s' 'emitted / ORT' 'interp. / emitted'
for m in $MODELS; do
    d=$TMP/$m
    mkdir -p "$d"
    say "$m: preparing"
    model "$m" "$d/in.onnx" &&
        "$CALQUE" opt "$d/in.onnx" -o "$d/opt.onnx" >/dev/null &&
        "$CALQUE" emit "$d/opt.onnx" -o "$d/c" --main --vectors 0 >/dev/null && make -s -C "$d/c" || { fail "$m"; continue; }
    say "$m: interpreter"
    start=$(date +%s.%N)
    "$CALQUE" run "$d/in.onnx" --random 1 --threads $THREADS --save-inputs -o "$d/want" >/dev/null || { fail "$m"; continue; }
    end=$(date +%s.%N)
    mapfile -t inputs < <($PY tests/light/inputs.py "$d/opt.onnx" "$d/want")
    say "$m: emitted"
    OMP_NUM_THREADS=$THREADS "$d/c/model" --time 3 -o "$d/got" "${inputs[@]}" >"$d/time" || { fail "$m"; continue; }
    ms=$(grep -oE '[0-9.]+ ms' "$d/time" | head -n 1 | cut -d' ' -f1)
    theirs=-
    [ $ort = yes ] && theirs=$(NODE_PATH=$B/bench/node_modules node tests/bench/ort.js "$d/in.onnx" 5 $THREADS 2>/dev/null || echo -)
    awk -v m="$m" -v e="$ms" -v o="$theirs" -v i="$(echo "$end $start" | awk '{print $1-$2}')" 'BEGIN {
        printf "%-14s %12.1f %12s %12.1f %18s %18.1f\n", m, e, o, i, o == "-" ? "-" : sprintf("%.2f", e / o), i * 1000 / e }'
    rm -rf "$d"
done
echo
tests/bench/dpia.sh "$B"
echo
"$B"/tests/bench/match_scale || fail "matching and rewriting are not linear"
[ $ort = no ] && echo "onnxruntime-node could not be installed by npm: no peer column"
exit 0
