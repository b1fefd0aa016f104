#!/usr/bin/env bash
# Real architectures, end to end: each light model with seeded weights is rewritten, written, checked by onnx.checker, emitted
# and compiled; the emitted program must agree with the reference interpreter on the original model (rtol 1e-4 of the greatest
# logit) and equal it bit for bit on the optimised one; the applied-rule counts are the known ones of these architectures.
# With exact rules only, of all the sets, nothing changes in the outputs, bit for bit.
# With the set `merge` the parallel convolutions become as many as known, and the result still agrees.
# usage: run.sh BUILD [MODEL...]
B=${1:-.build}
shift
cd "$(dirname "$0")/../.."
. tests/lib.sh
DATA=../shared/data/onnx-light
REWEIGHT=../shared/tools/reweight.py
MODELS=${*:-squeezenet shufflenet inception_v1 inception_v2 zfnet512 resnet50}

if [ ! -d $DATA ] || [ ! -f $REWEIGHT ]; then
    echo "SKIP light models: $DATA or $REWEIGHT is not here"
    exit 77
fi
$PY -c 'import onnx' 2>/dev/null || { echo "SKIP light models: python3-onnx is missing"; exit 77; }

# rule=count pairs, from the architectures themselves.
counts() {
    case $1 in
    resnet50) echo conv_bn_fold=53 ;;
    shufflenet) echo conv_bn_fold=49 ;;
    inception_v2) echo bn_mul_add=69 conv_bn_fold=69 ;;
    inception_v1 | squeezenet) echo dropout_removal=1 conv_bn_fold=0 ;;
    vgg19) echo dropout_removal=2 ;;
    zfnet512) echo conv_bn_fold=0 ;;
    esac
}

# Operators that have an elementwise loop of their own in the emitted code: those of Softmax between its reductions, and Relu in
# the loop of the Concat before it. Any other is in the loop of a reduction.
elementwise() {
    case $1 in
    shufflenet) echo Concat,Relu,Softmax ;;
    *) echo Softmax ;;
    esac
}

# RULE=SITESxOUTPUTS[+SITESxOUTPUTS]: what the set `merge` makes of them.
merges() {
    case $1 in
    inception_v1) echo parallel_conv_variadic=9x3 ;;
    inception_v2) echo parallel_conv_variadic=2x2+8x3 ;;
    resnet50) echo parallel_conv_variadic=1x2 ;;
    squeezenet) echo parallel_conv_expand_kernels=8x2 ;;
    esac
}

merge() { # MODEL DIR LOGITS: DIR/want has the original's inputs and outputs
    local m=$1 d=$2 want got rule sites=0 k
    want=$(merges "$m")
    [ "$want" ] || return
    rule=${want%=*}
    for k in $(echo "${want#*=}" | tr + ' '); do sites=$((sites + ${k%x*})); done
    expect "$m: opt, merged" 0 "$CALQUE" opt "$d/in.onnx" -o "$d/merged.onnx" --set standard,merge --json || return
    got=$(json "$TMP/out" "a['rules']['$rule']['applied']")
    [ "$got" = $sites ] && pass "$m: $rule applied $got times" || fail "$m: $rule applied $got times, expected $sites"
    got=$($PY tests/light/splits.py "$d/merged.onnx")
    [ "$got" = "${want#*=}" ] && pass "$m: merged $got" || fail "$m: merged $got, expected ${want#*=}"
    expect "$m: onnx.checker, merged" 0 $PY -c 'import onnx,sys; onnx.checker.check_model(onnx.load(sys.argv[1]))' "$d/merged.onnx"
    expect "$m: run merged" 0 "$CALQUE" run "$d/merged.onnx" "${inputs[@]}" -o "$d/merged" || return
    expect "$m: merged, compare with the original" 0 $PY tests/light/agree.py "$d/want" "$d/merged" "$3" 1e-4
    tail -n 1 "$TMP/out"
}

one() {
    local m=$1 d=$TMP/$1 logits got pair
    mkdir -p "$d"
    logits=$($PY tests/light/prepare.py $REWEIGHT $DATA/light_"$m".onnx "$d/in.onnx") || { fail "$m: prepare"; return; }
    expect "$m: run original" 0 "$CALQUE" run "$d/in.onnx" --random 1 --save-inputs -o "$d/want" || return
    expect "$m: opt" 0 "$CALQUE" opt "$d/in.onnx" -o "$d/opt.onnx" --stats --json || return
    cp "$TMP/out" "$d/stats.json"
    for pair in $(counts "$m"); do
        got=$(json "$d/stats.json" "a['rules']['${pair%=*}']['applied']")
        if [ "$got" = "${pair#*=}" ]; then pass "$m: ${pair%=*} applied $got times"
        else fail "$m: ${pair%=*} applied $got times, expected ${pair#*=}"; fi
    done
    expect "$m: onnx.checker" 0 $PY -c 'import onnx,sys; onnx.checker.check_model(onnx.load(sys.argv[1]))' "$d/opt.onnx"
    expect "$m: emit" 0 "$CALQUE" emit "$d/opt.onnx" -o "$d/c" --main --json || return
    got=$(json "$TMP/out" "','.join(sorted({o.split()[0] for l in a['loops'] if l['kind'] == 'elementwise' for o in l['of'].split(', ')}))")
    if [ "$got" = "$(elementwise "$m")" ]; then pass "$m: elementwise loops of $got only"
    else fail "$m: elementwise loops of $got, expected only $(elementwise "$m")"; fi
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
    expect "$m: exact rules keep every bit" 0 "$CALQUE" run "$d/exact.onnx" "${inputs[@]}" --compare "$d/want" --rtol 0 --atol 0
    merge "$m" "$d" "$logits"
    rm -rf "$d"
}

for m in $MODELS; do one "$m"; done
finish
