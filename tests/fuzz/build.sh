#!/usr/bin/env bash
# Builds the targets for libFuzzer in BUILD/fuzz; exit status 77 when clang has no runtime for them. Of UBSan's checks one is off: clang's
# calls NULL + 0 an overflow of pointers, which an empty array is; gcc's, in BUILD/san, has the rest of that check.
# usage: build.sh BUILD
cd "$(dirname "$0")/../.."
B=${1:-.build}
echo 'int LLVMFuzzerTestOneInput(const unsigned char *p, unsigned long n) { return p == 0 && n; }' |
    clang -fsanitize=fuzzer,address,undefined -x c - -o /dev/null 2>/dev/null || { echo "SKIP clang cannot link libFuzzer: apt-get install clang libclang-rt-14-dev"; exit 77; }
make --no-print-directory -s -j"${2:-1}" BUILD="$B/fuzz" CC=clang OPT="-O1 -g1" \
    SAN="-fsanitize=fuzzer-no-link,address,undefined -fno-sanitize=pointer-overflow -fno-sanitize-recover=undefined" \
    "$B/fuzz/tests/fuzz/fuzz" "$B/fuzz/tests/fuzz/replay"
