#!/usr/bin/env bash
# Of the models of ONNX's own operator tests (one in ONNX_SHARE, others at each commit), as they are: how many `calque emit` takes, at least
# LEAST of all; none ends in another way than by an error; and for a choice of operators that are read as several (c/onnx/expand.def) the
# emitted C computes bit for bit what the interpreter does. Skips (77) when the data is absent.
# usage: tests/onnx/emit_tests.sh BUILD
cd "$(dirname "$0")/../.."
B=${1:-.build}
DATA=/usr/share/libonnx-testdata/data
LEAST=600 SHARE=${ONNX_SHARE:-1}
. tests/lib.sh
[ -d "$DATA" ] || { echo "SKIP $DATA is not here: apt-get install libonnx-testdata"; exit 77; }
emitted=0 refused=0 turn=$((0x$(git rev-parse --short=6 HEAD 2>/dev/null || echo 0)))
for m in "$DATA"/{node,pytorch-converted,pytorch-operator,simple}/*/model.onnx; do
    [ $((++turn % SHARE)) = 0 ] || continue
    "$CALQUE" emit "$m" -o "$TMP/emitted" >"$TMP/out" 2>"$TMP/err"
    case $? in
    0) emitted=$((emitted + 1)) ;;
    2) refused=$((refused + 1)) ;;
    *) fail "emit $m: exit status $?" ;;
    esac
done
echo "emitted $emitted, refused $refused"
LEAST=$((LEAST / SHARE - 5 * (SHARE - 1)))
[ $emitted -ge $LEAST ] && pass "at least $LEAST are emitted" || fail "fewer are emitted than $LEAST"
# Data in a parameter's place is not frozen here: these models have one data input, or only such.
for t in node/test_logsoftmax_axis_1 node/test_hardmax_one_hot \
    node/test_reduce_min_do_not_keepdims_random node/test_reduce_prod_keepdims_random \
    node/test_selu node/test_shrink_soft node/test_prelu_broadcast node/test_sign node/test_globalmaxpool \
    node/test_convtranspose_dilations node/test_convtranspose_pads node/test_depthtospace_crd_mode_example \
    node/test_dynamicquantizelinear node/test_quantizelinear_axis node/test_dequantizelinear_axis node/test_matmulinteger \
    node/test_convinteger_with_padding node/test_qlinearconv node/test_qlinearmatmul_3D \
    node/test_mvn node/test_lstm_with_initial_bias node/test_gru_defaults pytorch-converted/test_ConvTranspose2d pytorch-converted/test_PixelShuffle; do
    m=$DATA/$t/model.onnx d=$TMP/${t##*/}
    mkdir -p "$d"
    expect "$t: run" 0 "$CALQUE" run "$m" --random 3 --save-inputs -o "$d/want" || continue
    expect "$t: emit" 0 "$CALQUE" emit "$m" -o "$d/c" --main || continue
    expect "$t: compile" 0 make -s -C "$d/c" || continue
    in=()
    while read -r i; do in+=("$i=$d/want/$i.npy"); done < <("$CALQUE" dump "$m" | sed -n 's/^ *input "\{0,1\}\([^" ]*\)"\{0,1\} :.*/\1/p')
    expect "$t: run emitted" 0 "$d/c/model" -o "$d/got" "${in[@]}" || continue
    expect "$t: emitted C = interpreter" 0 "$CALQUE" run "$m" "${in[@]}" --compare "$d/got" --rtol 0 --atol 0
done
finish
