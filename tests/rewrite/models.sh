#!/usr/bin/env bash
# The models of GSL's experiments: its rules for two, three and any number of parallel operators find at least the sites
# and outputs of its table, and the rewritten models give the same values, bit for bit (all these rules are exact).
# usage: models.sh BUILD
B=${1:-.build}
cd "$(dirname "$0")/../.."
. tests/lib.sh

rule() { # MODEL RULE LEAST OUTPUTS: sites in the model as it is, their outputs, and when they are rewritten one after the other
    local f=$TMP/$1.onnx n k
    "$CALQUE" match "$f" --rule "$2" --json >"$TMP/m.json"
    n=$(json "$TMP/m.json" "len(a['matches'])")
    k=$(json "$TMP/m.json" "sum(len(m['outputs']) for m in a['matches'])")
    if [ "${n:-0}" -ge "$3" ] && [ "${k:-0}" -ge "$4" ]; then pass "$1: $2 matches at $n sites with $k outputs (least: $3, $4)"
    else fail "$1: $2 matches at $n sites with $k outputs (least: $3, $4)"; fi
    expect "$1: opt --rule $2, bit for bit" 0 "$CALQUE" opt "$f" -o "$TMP/o.onnx" --rule "$2" --once --check 1 --rtol 0 --atol 0 --json || return
    n=$(json "$TMP/out" "a['rules']['$2']['applied']")
    if [ "$n" -ge "$3" ]; then pass "$1: $2 applied $n times"; else fail "$1: $2 applied $n times (least: $3)"; fi
}

model() { # MODEL WIDTH IMAGE
    expect "$1: build" 0 "$B/tests/zoo/zoo" "$1" -o "$TMP/$1.onnx" --width "$2" --image "$3"
}

model inception_v3_lowered 0.125 80
rule inception_v3_lowered parallel_two_conv_bias_relu 10 20
rule inception_v3_lowered parallel_three_conv_bias_relu 9 27
rule inception_v3_lowered parallel_conv_bias_relu_variadic 10 29
model encoder_decoder 1 16
rule encoder_decoder parallel_dense 18 36
rule encoder_decoder parallel_three_dense 16 48
rule encoder_decoder parallel_dense_variadic 13 48
model nasnet 0.125 32
rule nasnet merge_element_wise 57 114
rule nasnet merge_three_element_wise 20 60
rule nasnet merge_element_wise_variadic 56 134
finish
