#!/usr/bin/env bash
# The certificates of COUNT random graphs over all operators (2000), with options that change sums and functions in turn, and of models
# without: the extracted checks accept each, and no kernel falls back. COUNT is 100 or more, so that each operator is in a graph. A MODEL that is
# no file is an architecture of the zoo, at full size. Takes some minutes; two graphs at a time. vgg19 takes 3 GB of memory and of TMPDIR.
# usage: certify.sh BUILD [COUNT [SEED [MODEL..]]]
B=${1:-.build} COUNT=${2:-2000} SEED=${3:-1}
cd "$(dirname "$0")/../.."
. tests/lib.sh
. tests/emit/certificate.sh
ORACLE=$B/calque-oracle
[ -x "$ORACLE" ] || { echo "SKIP emit/certify: $ORACLE is missing (make oracle)"; exit 77; }
mkdir "$TMP/random"
expect "seed $SEED: $COUNT random graphs" 0 "$B/tests/emit/emit_matrix" "$SEED" "$COUNT" "$TMP/random" || finish
find "$TMP/random" -name '*.graph' | sort -V >"$TMP/files"
for f in "${@:4}"; do
    [ -e "$f" ] || { expect "$f: build" 0 "$B/tests/zoo/zoo" "$f" -o "$TMP/$f.onnx" || finish; f=$TMP/$f.onnx; }
    echo "$f" >>"$TMP/files"
done
OPTIONS=('' '--fma' '--math=calque --sums=lanes' '--freestanding')

# half K: every second file, from number K on; only failures are printed, and at last the counts.
half() {
    local n=0 whole=$TMP
    TMP=$whole/half$1
    mkdir "$TMP"
    while read -r f; do
        n=$((n + 1))
        [ -z "$f" ] || [ $((n % 2)) != "$1" ] || certificate "$f" $([ "$n" -gt "$COUNT" ] || echo "${OPTIONS[$((n / 2 % 4))]}")
        [ "$1" != 0 ] || [ ! -t 2 ] || printf '\r%d of %d' "$n" "$(wc -l <"$whole/files")" >&2
    done <"$whole/files" >"$TMP/said"
    grep -v '^PASS' "$TMP/said"
    echo "$STATEMENTS $CALLS $LOOPED $(grep -c '^FAIL' "$TMP/said")" >"$whole/count$1"
}
half 0 &
half 1 &
wait
read -r kernels calls looped failed < <(awk '{ for (k = 1; k <= 4; k++) n[k] += $k } END { print n[1], n[2], n[3], n[4] }' "$TMP/count0" "$TMP/count1")
[ "$failed" = 0 ] && [ "$kernels" -gt "$COUNT" ] && pass "$(grep -c . "$TMP/files") graphs and models: $kernels kernels, their programs, packing and statements; $calls calls, $looped in loops" ||
    fail "$failed certificates of $kernels kernels"
finish
