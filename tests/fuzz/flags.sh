#!/usr/bin/env bash
# The flags with which `make check` builds what clang compiles (BUILD/clang): libFuzzer's coverage, ASan and UBSan (less the check that build.sh says);
# nothing where clang cannot link them.
echo 'int LLVMFuzzerTestOneInput(const unsigned char *p, unsigned long n) { return p == 0 && n; }' |
    clang -fsanitize=fuzzer,address,undefined -x c - -o /dev/null 2>/dev/null && \
    echo "-fsanitize=fuzzer-no-link,address,undefined -fno-sanitize=pointer-overflow -fno-sanitize-recover=undefined"
exit 0
