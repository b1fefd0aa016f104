#!/usr/bin/env bash
# Guards that are ranges (tests/emit/ranges.graph, and random graphs): emitted as one plain loop for each range, and bit for bit
# what the interpreter gives, with the flags of the emitted Makefile and with others, gcc and clang, one to four threads. What
# changes the bits does not compile.
# usage: ranges.sh BUILD [SEED ..]
cd "$(dirname "$0")/../.."
B=${1:-.build}
shift
. tests/lib.sh

emit() { # NAME FILE OPTIONS..: emitted in $DIR, its inputs in ${in[@]}
    local name=$1 file=$2 f
    shift 2
    DIR=$TMP/$name
    expect "$name: emit" 0 "$CALQUE" emit "$file" -o "$DIR" --main "$@"
    expect "$name: run" 0 "$CALQUE" run "$file" --random 7 --save-inputs -o "$DIR/want"
    in=()
    while read -r f; do in+=("$f=$DIR/want/$f.npy"); done < <(sed -n 's/^ *input \([A-Za-z0-9]*\) .*/\1/p' "$file")
}
try() { # NAME FILE CC MAKE-ARGUMENTS..
    local name=$1 file=$2 t
    shift 2
    expect "$name: compile, $*" 0 make -s -C "$DIR" clean all CC="$@" || return
    for t in 1 2 3 4; do
        expect "$name: run, $*, $t threads" 0 env OMP_NUM_THREADS=$t "$DIR/model" -o "$DIR/got" "${in[@]}"
        expect "$name: bit for bit, $*, $t threads" 0 "$CALQUE" run "$file" "${in[@]}" --compare "$DIR/got" --rtol 0 --atol 0
    done
}
# The kernels of the file: those that have a condition.
guards() { awk '/^static void k/{k = $3} k && /^}/{k = ""} k && (/ \? / || /if \(/){print k}' "$1" | sort -u; }

emit ranges tests/emit/ranges.graph
n=$(guards "$DIR/model.c" | wc -l)
[ "$n" = 0 ] && pass "no guard in any loop" || fail "guards in $n functions"
n=$(grep -c '^    #pragma omp parallel$' "$DIR/model.c")
[ "$n" -ge 2 ] && pass "$n parallel regions of several loops" || fail "$n parallel regions of several loops"
grep -q '^SAFE .*-fno-split-loops' "$DIR/Makefile" && pass "gcc: -fno-split-loops" || fail "gcc: no -fno-split-loops"
for cc in gcc clang; do
    command -v $cc >/dev/null || { skip "$cc is not here"; continue; }
    try ranges tests/emit/ranges.graph $cc
    [ "$(uname -m)" != x86_64 ] || try ranges tests/emit/ranges.graph $cc ARCH=-march=x86-64-v3 SAFE=
done
try ranges tests/emit/ranges.graph gcc SAFE=
try ranges tests/emit/ranges.graph gcc \
    CFLAGS="-O1 -g -fopenmp -std=c11 -Wall -Wextra -Wpedantic -Wshadow -Werror -fsanitize=address,undefined -fno-sanitize-recover=undefined"

# ---- with contracts ----
emit ranges-acsl tests/emit/ranges.graph --acsl
n=$("$PY" -c 'import re,sys; print(len(re.findall(r" \? ", re.sub(r"/\*.*?\*/", "", open(sys.argv[1]).read(), flags=re.S))))' "$DIR/model_kernels.c")
[ "$n" = 0 ] && pass "contracts: no guard in any loop" || fail "contracts: $n guards"
try ranges-acsl tests/emit/ranges.graph gcc
emit ranges tests/emit/ranges.graph

# ---- what would change the bits ----
refuse() { # NAME TEXT CC CFLAGS
    expect "refused: $3 $1" 2 make -s -C "$DIR" clean all CC="$3" CFLAGS="-O2 -std=c11 $4"
    grep -q "error: .*$2" "$TMP/err" || fail "refused: $3 $1: $(head -n 2 "$TMP/err")"
}
for cc in gcc clang; do
    command -v $cc >/dev/null || continue
    refuse "-ffast-math" "change results" $cc -ffast-math
    refuse "-Ofast" "change results" $cc -Ofast
    refuse "-ffinite-math-only" "change results" $cc -ffinite-math-only
    [ "$(uname -m)" != x86_64 ] || [ $cc = clang ] || refuse "x87" "own precision" $cc -mfpmath=387
done
if command -v clang >/dev/null && [ "$(uname -m)" = x86_64 ]; then # it contracts where it may
    printf 'graph fma {\n input x : f32[64, 65]\n input u : f32[64, 65]\n y = x * u + x\n return y\n}\n' >"$TMP/fma.graph"
    emit fma "$TMP/fma.graph"
    try fma "$TMP/fma.graph" clang CFLAGS="-O2 -march=x86-64-v3 -std=c11 -ffp-contract=on -fopenmp -Wall -Wextra -Werror"
    sed -i '/FP_CONTRACT/d' "$DIR/model.c"
    expect "fma: compile without the pragma" 0 make -s -C "$DIR" clean all CC=clang CFLAGS="-O2 -march=x86-64-v3 -std=c11 -ffp-contract=on"
    expect "fma: it differs" 0 "$DIR/model" -o "$DIR/got" "${in[@]}"
    expect "fma: other bits without the pragma" 1 "$CALQUE" run "$TMP/fma.graph" "${in[@]}" --compare "$DIR/got" --rtol 0 --atol 0
fi

# ---- random graphs ----
for seed in ${*:-1 2}; do
    tests/emit/ranges_random.py "$seed" 40 >"$TMP/random.graph"
    emit "random-$seed" "$TMP/random.graph"
    n=$(guards "$DIR/model.c" | wc -l)
    [ "$n" = 0 ] && pass "random $seed: no guard in any loop" || fail "random $seed: guards in $n functions"
    for cc in gcc clang; do
        command -v $cc >/dev/null && try "random-$seed" "$TMP/random.graph" $cc
    done
done

# ---- any number of ranges; where parts would be too many, the guard stays, hidden from gcc ----
for n in 60 300; do
    {
        echo 'graph wide {'
        for k in $(seq $n); do echo "    input x$k : f32[2, $((k % 3 + 1)), 3]"; done
        echo "    y = Concat($(seq -s, -f 'x%g' $n), axis=1)"
        printf '    return y\n}\n'
    } >"$TMP/wide.graph"
    emit "wide-$n" "$TMP/wide.graph"
    [ -z "$(guards "$DIR/model.c")" ] && pass "$n ranges: no guard" || fail "$n ranges: guards"
    # gcc's -O3 takes the square of their number: half a minute for 300
    if [ $n = 60 ]; then try "wide-$n" "$TMP/wide.graph" gcc; else try "wide-$n" "$TMP/wide.graph" gcc CFLAGS="-O1 -std=c11 -ffp-contract=off -fopenmp"; fi
done
echo "Y<1300>[i] = $(seq 0 399 | sed 's/.*/select(i < & + &, X<1700>[i+&], X<1700>[&])/' | paste -sd+);" >"$TMP/many.kern"
expect "400 guards: emit" 0 "$CALQUE" emit "$TMP/many.kern" -o "$TMP/many" --main
n=$(wc -c <"$TMP/many/model.c")
grep -q '= calque_guard_index\|(calque_guard_index(' "$TMP/many/model.c" && [ "$n" -lt 200000 ] && pass "400 guards: hidden, $n bytes" ||
    fail "400 guards: $n bytes"

# ---- memory of which nothing is used ----
cat >"$TMP/empty.graph" <<'X'
graph empty {
    input x : f32[0, 7]
    t = Split(Softmax(x), axis=1, split=(3, 4))
    return t[0], t[1]
}
X
emit empty "$TMP/empty.graph"
try empty "$TMP/empty.graph" gcc
emit empty-acsl "$TMP/empty.graph" --acsl
try empty-acsl "$TMP/empty.graph" gcc
finish
