# Sourced from the top of the tree, B set: what is built with ASan and UBSan, in SAN_B by SAN_CC with SAN_FLAGS. That is clang's build, which `make check` has
# anyway, with libFuzzer's coverage; one of gcc where clang has no sanitizers.
# sanitized TARGET..: makes these in SAN_B.
SAN_B=$B/clang SAN_CC=clang SAN_FLAGS=$(tests/fuzz/flags.sh)
[ -n "$SAN_FLAGS" ] || SAN_B=$B/san SAN_CC=gcc SAN_FLAGS="-fsanitize=address,undefined -fno-sanitize-recover=undefined"
sanitized() { make --no-print-directory -s BUILD="$SAN_B" CC="$SAN_CC" OPT=-O1 SAN="$SAN_FLAGS" "$@"; }
