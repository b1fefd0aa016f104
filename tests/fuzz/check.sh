#!/usr/bin/env bash
# Without an argument: the committed inputs of every target (corpus, found) under ASan and UBSan, without libFuzzer. With `run`: libFuzzer with a
# fixed seed for some runs of each target on the coverage and ASan of BUILD/clang; and it finds each bug of planted.txt.
# usage: check.sh BUILD [run]
B=${1:-.build}
cd "$(dirname "$0")/../.."
. tests/lib.sh
. tests/san.sh
export OMP_NUM_THREADS=1
sed -n 's/^TARGET(\([a-z]*\), \([0-9]*\),.*/\1 \2/p' tests/fuzz/targets.def >"$TMP/targets"
build() { make --no-print-directory -s BUILD="$@" || { fail "make BUILD=$*"; finish; }; }
inputs() { find "tests/fuzz/corpus/$1" "tests/fuzz/found/$1" -type f 2>/dev/null | sort; }

if [ "${2:-}" != run ]; then
    sanitized "$SAN_B/tests/fuzz/replay" || { fail "make $SAN_B/tests/fuzz/replay"; finish; }
    while read -r t _; do
        expect "$t" 0 "$SAN_B/tests/fuzz/replay" "$t" $(inputs "$t") || tail -n 30 "$TMP/err"
        [ "$(inputs "$t" | wc -l)" -ge 3 ] && pass "$(cat "$TMP/out")" || fail "$t has less than 3 inputs"
        [ "$(ls "tests/fuzz/corpus/$t" | wc -l)" -le 30 ] && [ -z "$(find "tests/fuzz/corpus/$t" -type f -size +4096c)" ] && pass "$t: a small corpus" ||
            fail "$t: more than 30 inputs, or one over 4 KiB: tests/fuzz/corpus.sh"
    done <"$TMP/targets"
    [ "$(find tests/fuzz/corpus -type f -printf '%s\n' | awk '{ n += $1 } END { print n }')" -lt 300000 ] && pass "all corpora: less than 300 kB" || fail "the corpora are too large"
    ls tests/fuzz/corpus tests/fuzz/found | grep -v '^$\|:$' | sort -u | grep -vxFf <(cut -d ' ' -f 1 "$TMP/targets") >"$TMP/alien"
    [ ! -s "$TMP/alien" ] && pass "each folder is a target's" || fail "inputs of no target: $(cat "$TMP/alien")"
    expect "no such target" 2 "$SAN_B/tests/fuzz/replay" nothing "$0"
    # The replay fails where a bug is back: an array of half its size, on the input that found it.
    back=c/rewrite/rulecheck_shape.c
    sed 's/long v\[2 \* RANK_MAX\], most/long v[RANK_MAX], most/' $back >"$TMP/back.c"
    $SAN_CC -std=c11 -D_POSIX_C_SOURCE=200809L -Ic -I"$SAN_B/gen" -O0 -w -fopenmp $SAN_FLAGS -Wl,--wrap=realloc,--wrap=calloc -o "$TMP/back" "$TMP/back.c" \
        "$SAN_B"/tests/fuzz/{replay,read,graphs,kernels,fuzz}.o "$SAN_B/tests/attr/read_request.o" "$SAN_B/libcalque.a" \
        -lprotobuf-c -ljansson -lm || fail "$back with a bug does not compile"
    expect "$back as it is: $(ls tests/fuzz/found/gsl/window_of_six)" 0 "$SAN_B/tests/fuzz/replay" gsl tests/fuzz/found/gsl/window_of_six
    expect "a bug that is back is found" 1 "$TMP/back" gsl tests/fuzz/found/gsl/window_of_six
    finish
fi

tests/fuzz/flags.sh >"$TMP/flags" && [ -s "$TMP/flags" ] || { echo "SKIP clang cannot link libFuzzer: apt-get install clang libclang-rt-14-dev"; exit 77; }
build "$B/clang" CC=clang OPT=-O1 SAN="$(cat "$TMP/flags")" "$B/clang/tests/fuzz/fuzz"
# fuzz PROGRAM TARGET RUNS: with a fixed seed, from the committed inputs.
fuzz() {
    mkdir -p "$TMP/inputs/$2"
    [ -n "$(ls "$TMP/inputs/$2")" ] || cp $(inputs "$2") "$TMP/inputs/$2"
    FUZZ_TARGET=$2 "$1" -runs="$3" -seed=1 -max_len=2048 -timeout=60 -rss_limit_mb=2048 -dict=<(tests/fuzz/dictionary.sh "$2") -artifact_prefix="$TMP/" \
        -entropic=0 -reload=0 "$TMP/inputs/$2"
}
while read -r t runs; do
    expect "$t, $runs runs" 0 fuzz "$B/clang/tests/fuzz/fuzz" "$t" "$runs" ||
        { grep -E 'broken:|runtime error|^SUMMARY|ERROR:' "$TMP/err"; mkdir -p "$B/fuzz/failed"; cp "$TMP"/{crash,leak,timeout,oom}-* "$B/fuzz/failed/" 2>/dev/null; ls "$B/fuzz/failed"; }
done <"$TMP/targets"
# Each bug planted in a copy of the source is found.
while read -r t runs file change; do
    [ "$t" != '#' ] || continue
    sed "$change" "$file" >"$TMP/planted.c"
    cmp -s "$file" "$TMP/planted.c" && { fail "$file: nothing to plant: $change"; continue; }
    clang -std=c11 -D_POSIX_C_SOURCE=200809L -Ic -I"$B/clang/gen" -I"$(dirname "$file")" -O0 -w -fopenmp $(cat "$TMP/flags") -c "$TMP/planted.c" -o "$TMP/planted.o" &&
        clang -fopenmp $(cat "$TMP/flags") -Wl,--wrap=realloc,--wrap=calloc -o "$TMP/planted" "$TMP/planted.o" "$B"/clang/tests/fuzz/{fuzz,read,graphs,kernels}.o \
            "$B/clang/tests/attr/read_request.o" "$B/clang/libcalque.a" -lprotobuf-c -ljansson -lm -fsanitize=fuzzer || { fail "$file: $change does not compile"; continue; }
    fuzz "$TMP/planted" "$t" "$runs" >"$TMP/out" 2>&1 </dev/null && fail "$t does not find in $runs runs: $file $change" ||
        pass "$t finds: $file $change ($(grep -oE 'broken: .*|ERROR: [A-Za-z]*: [a-z-]*' "$TMP/out" | head -n 1))"
done <tests/fuzz/planted.txt
finish
