#!/usr/bin/env bash
# Real architectures, end to end: each light model with seeded weights is rewritten, written, checked by onnx.checker, emitted
# and compiled; the emitted program must agree with the reference interpreter on the original model (rtol 1e-4 of the greatest
# logit) and equal it bit for bit on the optimised one; the applied-rule counts are the known ones of these architectures, and the zoo
# writes the same.
# With exact rules only, of all the sets, nothing changes in the outputs, bit for bit.
# `calque equiv` finds them equal before and after.
# With the set `merge` the parallel convolutions become as many as known, and the result still agrees.
# usage: run.sh BUILD [MODEL...]
B=${1:-.build}
shift
cd "$(dirname "$0")/../.."
. tests/lib.sh
DATA=../shared/data/onnx-light
REWEIGHT=../shared/tools/reweight.py
MODELS=${*:-squeezenet shufflenet inception_v1 inception_v2 zfnet512 resnet50}

[ -d $DATA ] && [ -f $REWEIGHT ] || { echo "SKIP $DATA is not here: the zoo's models are not compared with the light ones"; exit 77; }
need_onnx

# known MODEL WHAT: tests/zoo/rules.txt. counts: rule=count pairs.
known() { awk -v m="$1" -v w="$2" '$1 == m && $2 == w { print $3 }' tests/zoo/rules.txt; }
counts() { awk -v m="$1" '$1 == m && $2 != "loops" && $2 != "merge" { print $2 "=" $3 }' tests/zoo/rules.txt; }

# The zoo writes the same nodes of the same shapes (ResNet-50 and SqueezeNet are other versions there).
zoo() { # MODEL
    case $1 in resnet50 | squeezenet | vgg19) return ;; esac
    expect "$1: of the zoo" 0 "$B/tests/zoo/zoo" "$1" -o "$TMP/zoo.onnx"
    expect "$1: the zoo's nodes" 0 $PY tests/light/same.py $DATA/light_"$1".onnx "$TMP/zoo.onnx" || cat "$TMP/out"
}

merge() { # MODEL DIR LOGITS: DIR/want has the original's inputs and outputs
    local m=$1 d=$2 want got rule sites=0 k
    want=$(known "$m" merge)
    [ "$want" ] || return
    rule=${want%=*}
    for k in $(echo "${want#*=}" | tr + ' '); do sites=$((sites + ${k%x*})); done
    expect "$m: opt, merged" 0 "$CALQUE" opt "$d/in.onnx" -o "$d/merged.onnx" --set standard,merge --json || return
    got=$(json "$TMP/out" "a['rules']['$rule']['applied']")
    [ "$got" = $sites ] && pass "$m: $rule applied $got times" || fail "$m: $rule applied $got times, expected $sites"
    got=$($PY tests/light/splits.py "$d/merged.onnx")
    [ "$got" = "${want#*=}" ] && pass "$m: merged $got" || fail "$m: merged $got, expected ${want#*=}"
    expect "$m: equiv, merged" 0 "$CALQUE" equiv --tries 0 "$d/in.onnx" "$d/merged.onnx"
    expect "$m: onnx.checker, merged" 0 $PY -c 'import onnx,sys; onnx.checker.check_model(onnx.load(sys.argv[1]))' "$d/merged.onnx"
    expect "$m: run merged" 0 "$CALQUE" run "$d/merged.onnx" "${inputs[@]}" -o "$d/merged" || return
    expect "$m: merged, compare with the original" 0 $PY tests/light/agree.py "$d/want" "$d/merged" "$3" 1e-4
    tail -n 1 "$TMP/out"
}

one() {
    local m=$1 d=$TMP/$1 logits got pair
    mkdir -p "$d"
    zoo "$m"
    logits=$($PY tests/light/prepare.py $REWEIGHT $DATA/light_"$m".onnx "$d/in.onnx") || { fail "$m: prepare"; return; }
    expect "$m: run original" 0 "$CALQUE" run "$d/in.onnx" --random 1 --save-inputs -o "$d/want" || return
    expect "$m: opt" 0 "$CALQUE" opt "$d/in.onnx" -o "$d/opt.onnx" --stats --json || return
    cp "$TMP/out" "$d/stats.json"
    # No run: agree.py compares below what both compute.
    expect "$m: equiv, before and after" 0 "$CALQUE" equiv --tries 0 "$d/in.onnx" "$d/opt.onnx"
    sed -n 's/^equal/  equal/p' "$TMP/out"
    for pair in $(counts "$m"); do
        got=$(json "$d/stats.json" "a['rules']['${pair%=*}']['applied']")
        if [ "$got" = "${pair#*=}" ]; then pass "$m: ${pair%=*} applied $got times"
        else fail "$m: ${pair%=*} applied $got times, expected ${pair#*=}"; fi
    done
    expect "$m: onnx.checker" 0 $PY -c 'import onnx,sys; onnx.checker.check_model(onnx.load(sys.argv[1]))' "$d/opt.onnx"
    expect "$m: emit" 0 "$CALQUE" emit "$d/opt.onnx" -o "$d/c" --main --vectors 0 --json || return
    seen "$m"
    got=$(own_loops "$TMP/out")
    if [ "$got" = "$(known "$m" loops)" ]; then pass "$m: elementwise loops of $got only"
    else fail "$m: elementwise loops of $got, expected only $(known "$m" loops)"; fi
    expect "$m: compile" 0 make -s -C "$d/c" || return
    local inputs=() i
    for i in "$d"/want/*.npy; do :; done
    mapfile -t inputs < <($PY tests/light/inputs.py "$d/opt.onnx" "$d/want")
    expect "$m: run emitted" 0 "$d/c/model" -o "$d/got" "${inputs[@]}" || return
    expect "$m: optimised model, emitted C and interpreter bit for bit" 0 \
        "$CALQUE" run "$d/opt.onnx" "${inputs[@]}" --compare "$d/got" --rtol 0 --atol 0
    expect "$m: compare with the original" 0 $PY tests/light/agree.py "$d/want" "$d/got" "$logits" 1e-4
    tail -n 1 "$TMP/out"
    expect "$m: opt, exact rules of all sets" 0 "$CALQUE" opt "$d/in.onnx" -o "$d/exact.onnx" --set all --exact-only
    tail -n 2 "$TMP/out" | sed -n 's/ in .*class/ of class/p'
    expect "$m: equiv, exact rules" 0 "$CALQUE" equiv --exact --tries 0 "$d/in.onnx" "$d/exact.onnx"
    expect "$m: exact rules keep every bit" 0 "$CALQUE" run "$d/exact.onnx" "${inputs[@]}" --compare "$d/want" --rtol 0 --atol 0
    merge "$m" "$d" "$logits"
    rm -rf "$d"
}

for m in $MODELS; do one "$m"; done
finish
