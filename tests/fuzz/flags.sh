#!/usr/bin/env bash
# The flags with which `make check` builds what clang compiles (BUILD/clang), so that libFuzzer has its coverage and ASan: nothing where clang cannot link it.
echo 'int LLVMFuzzerTestOneInput(const unsigned char *p, unsigned long n) { return p == 0 && n; }' |
    clang -fsanitize=fuzzer,address,undefined -x c - -o /dev/null 2>/dev/null && echo "-fsanitize=fuzzer-no-link,address"
exit 0
