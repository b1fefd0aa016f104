#!/usr/bin/env bash
# Look-ups by data in emitted models and kernels: bit for bit as the interpreter with both compilers, on one thread and several,
# sanitized, and with contracts; an index outside is an error code that the driver explains, and calque run says the same.
# usage: lookups.sh BUILD
cd "$(dirname "$0")/../.."
B=${1:-.build}
. tests/lib.sh
G=tests/emit/lookups.graph
F="-std=c11 -ffp-contract=off -fopenmp -Wall -Wextra -Wshadow -Wconversion -Wno-sign-conversion -Werror"

# npy FILE SHAPE NUMBER..: integers, i64 or ($BYTES 4) i32
npy() {
    "$PY" - "${BYTES:-8}" "$@" <<'END'
import struct, sys
size, file, shape, *v = sys.argv[1:]
v = [int(x) for x in v]
h = "{'descr': '<i" + size + "', 'fortran_order': False, 'shape': (%s), }" % shape
h += ' ' * (63 - (10 + len(h)) % 64) + '\n'
open(file, 'wb').write(b'\x93NUMPY\x01\0' + struct.pack('<H', len(h)) + h.encode() + struct.pack('<%d' % len(v) + ('q' if size == '8' else 'i'), *v))
END
}
seq_of() { "$PY" -c "print(*[($1) for i in range($2)])"; }
in=(x="$TMP/want/x.npy" ids="$TMP/ids.npy" one="$TMP/one.npy" k="$TMP/k.npy" n="$TMP/n.npy")
npy "$TMP/ids.npy" "2, 16" $(seq_of "i * 37 % 80 - 40" 32)
npy "$TMP/one.npy" "" -5
npy "$TMP/k.npy" "5," 0 -7 6 3 -1
npy "$TMP/n.npy" "40," $(seq_of "i * 5 % 12 - 6" 40)
expect "run" 0 "$CALQUE" run $G --random 5 "${in[@]:1}" --save-inputs -o "$TMP/want"

try() { # NAME CC FLAGS EMIT-OPTIONS
    expect "emit: $1" 0 "$CALQUE" emit $G -o "$TMP/c" --main $4
    expect "compile: $1" 0 make -s -C "$TMP/c" clean all CC="$2" ${3:+CFLAGS="$F $3"}
    for t in 1 3; do
        expect "run: $1, $t threads" 0 env OMP_NUM_THREADS=$t "$TMP/c/model" -o "$TMP/got" "${in[@]}"
        expect "bit for bit: $1, $t threads" 0 "$CALQUE" run $G "${in[@]}" --compare "$TMP/got" --rtol 0 --atol 0
    done
}
try "gcc" gcc
grep -q 'pragma omp parallel for' "$TMP/c/model.c" && pass "a look-up on threads" || fail "no look-up on threads"
try "gcc -O2, unfused" gcc -O2 --no-fuse
try "gcc sanitized" gcc "-O1 -g -fsanitize=address,undefined -fno-sanitize-recover=undefined"
if command -v clang >/dev/null; then
    try "clang" clang
    try "clang -O2" clang -O2
else
    skip "clang is not here"
fi
try "contracts" gcc "-O2 -Wno-unused-function" --acsl

# ---- outside: the driver says which look-up, input and element, exit status 1; nothing is written ----
try "once more, sanitized" gcc "-O1 -g -fsanitize=address,undefined -fno-sanitize-recover=undefined"
outside() { # NAME INPUT=FILE TEXT-OF-DRIVER TEXT-OF-RUN
    rm -rf "$TMP/no"
    expect "outside: $1" 1 "$TMP/c/model" -o "$TMP/no" "${in[@]}" "${2%%=*}=$TMP/bad.npy"
    grep -qF -- "$3" "$TMP/err" || fail "outside: $1: $(cat "$TMP/err")"
    [ ! -e "$TMP/no/y.npy" ] && pass "outside: $1: no output" || fail "outside: $1: an output"
    expect_error "outside: $1, interpreted" "$4" "$CALQUE" run $G "${in[@]}" "${2%%=*}=$TMP/bad.npy"
}
npy "$TMP/bad.npy" "2, 16" $(seq_of "50 if i == 20 else i" 32)
outside "too large" ids "Gather e: an index is not in -50..49: element 20 of input 'ids' is 50" "node e (Gather): index X1[1,4] is 50, not in -50..49"
npy "$TMP/bad.npy" "5," 0 1 -8 2 9
outside "too small" k "Gather a: an index is not in -7..6: element 2 of input 'k' is -8" "node a (Gather): index X1[2] is -8, not in -7..6"
npy "$TMP/bad.npy" "" -9223372036854775808
outside "the least integer" one "Gather c: an index is not in -7..6: element 0 of input 'one' is -9223372036854775808" "index X1 is -9223372036854775808"
npy "$TMP/bad.npy" "40," $(seq_of "99" 40)
outside "computed" n "Gather f: an index is not in -6..5" "node f (Gather): index X1 is 99, not in -6..5"
# the code itself: 2 + the number of the look-up in the table
cat >"$TMP/code.c" <<'END'
#include "model.h"
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int main(void)
{
    const void *in[MODEL_INPUTS];
    void *out[MODEL_OUTPUTS];
    unsigned char *w = model_load_weights("weights.bin");
    int r;
    for (int i = 0; i < MODEL_INPUTS; i++)
        in[i] = calloc(model_input[i].bytes, 1);
    for (int i = 0; i < MODEL_OUTPUTS; i++)
        out[i] = calloc(model_output[i].bytes, 1);
    printf("%d", model_run(in, out, w));
    for (int i = 0; i < MODEL_LOOKUPS; i++) {
        int64_t big = 1 << 20;
        if (model_lookup[i].input < 0)
            continue;
        memcpy((void *)in[model_lookup[i].input], &big, sizeof big);
        r = model_run(in, out, w);
        printf(" %s:%d", model_lookup[i].name, r - 2 - i <= 0 && r >= 2);
        memset((void *)in[model_lookup[i].input], 0, sizeof big);
    }
    return 0;
}
END
cp "$TMP/code.c" "$TMP/c/code.c"
expect "compile: codes" 0 sh -c "cd '$TMP/c' && gcc -O1 -fopenmp -o code code.c model.c -lm"
(cd "$TMP/c" && ./code) >"$TMP/out"
[ "$(cat "$TMP/out")" = "0 Gather e:1 Gather a:1 Gather b:1 Gather c:1 Gather d:1 Gather m:1" ] || fail "codes: $(cat "$TMP/out")"

# ---- kernels: any indices, a tensor looked up where it is stored, look-ups between assignments ----
cat >"$TMP/k.json" <<'END'
{"name": "k", "ins": ["A", "I"], "outs": ["Y", "Z", "A2"], "data_type": "int64", "kernel":
"J<6>[i] = I<6>[5-i] + 1; Y<3,4>[i,j] = A<5,9>[at(J<6>[i+j]),2*j+i//2]; A2<7>[i] = A<5,9>[i%5,8]; A2<7>[i] = A2<7>[at(J<6>[i*5//6])]; V<2>[i] = Y<3,4>[2,at(A2<7>[i+3])]; Z<2>[i] = V<2>[i] * 10;"}
END
kernel() { # NAME CC FLAGS
    expect "emit kernel: $1" 0 "$CALQUE" emit "$TMP/k.json" -o "$TMP/k" --main
    expect "compile kernel: $1" 0 make -s -C "$TMP/k" clean all CC="$2" CFLAGS="$F $3"
}
npy "$TMP/A.npy" "5, 9" $(seq_of "i * 7 % 11 - 3 if i % 9 < 8 else i // 9 - 3" 45)
npy "$TMP/I.npy" "6," 3 -1 0 -4 2 -6
"$PY" - >"$TMP/want.txt" <<'END'
A = [[(9 * r + c) * 7 % 11 - 3 if c < 8 else r - 3 for c in range(9)] for r in range(5)]
I = [3, -1, 0, -4, 2, -6]
J = [I[5 - i] + 1 for i in range(6)]
Y = [[A[J[i + j]][2 * j + i // 2] for j in range(4)] for i in range(3)]
A2 = [A[i % 5][8] for i in range(7)]
A2 = [A2[J[i * 5 // 6]] for i in range(7)]
Z = [Y[2][A2[i + 3]] * 10 for i in range(2)]
print(*sum(Y, []), *Z, *A2)
END
for c in gcc clang; do
    command -v $c >/dev/null || continue
    kernel $c $c "-O1 -g -fsanitize=address,undefined -fno-sanitize-recover=undefined"
    expect "run kernel: $c" 0 "$TMP/k/model" -o "$TMP/got" A="$TMP/A.npy" I="$TMP/I.npy"
    "$PY" -c "
import struct, sys
for n, c in ('Y', 12), ('Z', 2), ('A2', 7):
    print(*struct.unpack('<%dq' % c, open(sys.argv[1] + '/' + n + '.npy', 'rb').read()[-8 * c:]), end=' ' if n != 'A2' else '\n')" "$TMP/got" >"$TMP/out"
    cmp -s "$TMP/out" "$TMP/want.txt" && pass "kernel: $c" || fail "kernel: $c: $(cat "$TMP/out") for $(cat "$TMP/want.txt")"
done
# i32 indices
echo 'Y<6:i64>[i] = X<5:i64>[at(I<6:i32>[i])];' >"$TMP/narrow.kern"
npy "$TMP/X.npy" "5," 10 11 12 13 14
BYTES=4 npy "$TMP/I4.npy" "6," 4 -5 0 2 -1 1
BYTES=4 npy "$TMP/bad4.npy" "6," 4 -5 0 2 -6 1
expect "i32: emit" 0 "$CALQUE" emit "$TMP/narrow.kern" -o "$TMP/n" --main
expect "i32: compile" 0 make -s -C "$TMP/n" CFLAGS="$F -O1 -fsanitize=address,undefined -fno-sanitize-recover=undefined"
expect "i32: run" 0 "$TMP/n/model" -o "$TMP/got" X="$TMP/X.npy" I="$TMP/I4.npy"
n=$("$PY" -c "import struct, sys; print(*struct.unpack('<6q', open(sys.argv[1], 'rb').read()[-48:]))" "$TMP/got/Y.npy")
[ "$n" = "14 10 10 12 14 11" ] && pass "i32: cells" || fail "i32: $n"
expect "i32: outside" 1 "$TMP/n/model" -o "$TMP/got" X="$TMP/X.npy" I="$TMP/bad4.npy"
grep -qF "element 4 of input 'I' is -6" "$TMP/err" || fail "i32: $(cat "$TMP/err")"
expect_error "no functional program" "a look-up by data is no functional program" "$CALQUE" dump --stage=dpia "$TMP/k.json"
expect_error "no contract" "no Gather along a dimension" "$CALQUE" emit --acsl "$TMP/k.json" -o "$TMP/k"
expect_error "no gradient" "a look-up by data cannot be differentiated" "$CALQUE" grad "$TMP/k.json" --wrt A

# Random inputs that are indices stay below what they index, through moves and casts too; others are 0..3.
cat >"$TMP/few.graph" <<'G'
graph {
    const t : f32[2, 1] = [1.0, 2.0]
    const u : f32[1, 3] = [1.0, 2.0, 3.0]
    input i : i64[64]
    input j : i32[4, 4]
    input k : i64[64]
    a = Gather(t, i, axis=0)
    b = Cast(j, to=7)
    c = Unsqueeze(b, axes=(0,))
    d = Gather(u, c, axis=1)
    e = Gather(t, c, axis=0)
    return a, d, e, k
}
G
for s in 1 2 3; do expect "random indices, seed $s" 0 "$CALQUE" run "$TMP/few.graph" --random $s --save-inputs -o "$TMP/few"; done
n=$("$PY" -c "import struct, sys; print(*[max(struct.unpack('<64q', open(f, 'rb').read()[-512:])) for f in sys.argv[1:]])" "$TMP"/few/{i,k}.npy)
[ "$n" = "1 3" ] && pass "only indices are limited" || fail "greatest numbers of i and k: $n"
expect "emit with random indices" 0 "$CALQUE" emit "$TMP/few.graph" -o "$TMP/f" --vectors 3
expect "check with random indices" 0 make -s -C "$TMP/f" check
finish
