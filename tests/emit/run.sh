#!/usr/bin/env bash
# Operators with constant weights in emitted models: padded, packed and rounded for tiles (c/emit/pack.c), bit for bit as
# the interpreter with both compilers, with and without the processor's own vectors, on one thread and several, sanitized.
# `clang` is a part of its own. usage: run.sh BUILD [clang]
cd "$(dirname "$0")/../.."
B=${1:-.build}
. tests/lib.sh
G=tests/emit/tiles.graph
in=(x="$TMP/want/x.npy" v="$TMP/want/v.npy" m="$TMP/want/m.npy" n="$TMP/want/n.npy")
F="-std=c11 -ffp-contract=off -fopenmp -Wall -Wextra -Wshadow -Werror"
expect "run" 0 "$CALQUE" run $G --random 5 --save-inputs -o "$TMP/want"
expect "emit" 0 "$CALQUE" emit $G -o "$TMP/c" --main
seen tiles

# of NAME LEAST PATTERN: at least so many lines of the C text hold it.
of() { n=$(grep -c -- "$3" "$TMP/c/model.c"); [ "$n" -ge "$2" ] && pass "$1: $n" || fail "$1: $n lines, not $2"; }
of "padded copies" 3 '^/\* P.*select'
of "a depthwise convolution padded" 1 ' P[0-9]*<2,48,19,19>\['
of "rounded up, then copied" 3 '^/\* .* Y0<[0-9,]*>\[[a-z,]*\] = P[0-9]*<[0-9,]*>\[[a-z,]*\]; \*/'
of "a bias rounded up too" 1 '^/\* .*X2<80>'
of "rounded sums, the rest computed as they are copied" 1 '^/\* .* P[0-9]*<[0-9,]*>\[i,j,k,l\] = sum.* Y0<[0-9,]*>\[i,j,k,l\] = max(P'
of "unrolled rows of tiles" 15 '#pragma GCC unroll'
of "grouped convolutions in tiles" 2 'v[0-9]*\[[0-9]* \* [a-z][0-9]* + .*\] + [XP][0-9]*\[.*) / '
# marked PATTERN: how many of the lines that, behind the head of their loop, match it are in loops marked for vectors, and in others.
marked() { awk -v p="$1" '/for \(long/{loop = $0; simd = last ~ /omp simd/} loop $0 ~ p{n[simd]++} {last = $0} END{print n[1] + 0, n[0] + 0}' "$TMP/c/model.c"; }
n=$(marked ' < (16|32|48);.*v[0-9]*[[].*[]] [+] [XP][0-9]*[[].*[)] / ')
[ "${n% *}" -ge 2 ] && [ "${n#* }" = 0 ] && pass "sums of groups in vectors: $n" || fail "sums of groups in vectors: $n"
n=$(marked ' < 17;.* = v[0-9]*[[].*[]] [+] [XP]')
[ "${n% *}" = 0 ] && [ "${n#* }" -ge 2 ] && pass "rows that end within a vector: $n" || fail "rows that end within a vector: $n"
of "infinite weights as they are" 1 ' select.* X1<18,24,3,3>\[o,c,u,v\], 0x0p+0);'

try() { # NAME CC FLAGS
    expect "compile: $1" 0 make -s -C "$TMP/c" clean all CC="$2" ${3:+CFLAGS="$F $3"}
    for t in 1 3; do
        expect "run: $1, $t threads" 0 env OMP_NUM_THREADS=$t "$TMP/c/model" -o "$TMP/got" "${in[@]}"
        expect "bit for bit: $1, $t threads" 0 "$CALQUE" run $G "${in[@]}" --compare "$TMP/got" --rtol 0 --atol 0
    done
}
memory() { # emits what is bound by memory
    G=tests/emit/memory.graph
    in=()
    for name in x p q o h g image; do in+=("$name=$TMP/memory/$name.npy"); done
    expect "memory: run" 0 "$CALQUE" run $G --random 7 --save-inputs -o "$TMP/memory"
    expect "memory: emit" 0 "$CALQUE" emit $G -o "$TMP/c" --main
    seen memory
}
# The driver's profile of layers: each call by its operators, shares of the whole, the same bits.
layers() {
    local calls
    expect "layers: emit" 0 "$CALQUE" emit $G -o "$TMP/c" --main --json
    calls=$(json "$TMP/out" "a['calls']")
    expect "layers: compile" 0 make -s -C "$TMP/c" clean all CFLAGS="$F -O1"
    expect "layers: run" 0 "$TMP/c/model" -o "$TMP/got" "${in[@]}" --time 3 --layers
    awk -v calls="$calls" 'NR == 1 { all = $1; bad = NF != 2; next }
        $2 != "ms" || $4 != "%" || NF < 5 { bad = 1 }
        { time += $1; share += $3; n++; if ($5 == "Conv") conv++ }
        END { exit bad || n != calls || conv < 5 || time <= 0 || time > all + 0.01 * n || share < 99 || share > 101 }' "$TMP/out" &&
        pass "layers: $calls calls, their times and shares" || fail "layers: $calls calls: $(cat "$TMP/out")"
    expect "layers: bit for bit" 0 "$CALQUE" run $G "${in[@]}" --compare "$TMP/got" --rtol 0 --atol 0
    expect "layers: without --time" 0 "$TMP/c/model" -o "$TMP/got" "${in[@]}" --layers
    [ "$(wc -l <"$TMP/out")" = "$calls" ] && pass "layers: one run" || fail "layers: one run: $(cat "$TMP/out")"
}
case ${2:-gcc} in
gcc) layers ;;
clang)
    need clang clang
    try "clang" clang
    try "clang -O2" clang -O2
    memory
    try "memory, clang" clang
    try "memory, clang -O2" clang -O2
    finish ;;
*) echo "run.sh: no part $2"; exit 2 ;;
esac
try "gcc" gcc
try "gcc -O2" gcc -O2
try "gcc sanitized" gcc "-O1 -g -fsanitize=address,undefined -fno-sanitize-recover=undefined"

# ---- the weights are those that were emitted ----
expect "weights" 0 "$TMP/c/model" -o "$TMP/got" "${in[@]}"
weights() { # NAME MESSAGE: of the file $TMP/w
    expect "weights, $1" 2 "$TMP/c/model" -o "$TMP/got" -w "$TMP/w" "${in[@]}" || return
    grep -qF -- "$TMP/w: $2" "$TMP/err" && pass "its message" || fail "message: $(cat "$TMP/err")"
}
size=$(stat -c %s "$TMP/c/weights.bin")
for at in 0 5 $((size / 2)) $((size - 1)); do # one bit; the sign of two numbers
    "$PY" -c 'import sys; b = bytearray(open(sys.argv[1], "rb").read()); b[int(sys.argv[3])] ^= 1; open(sys.argv[2], "wb").write(b)' \
        "$TMP/c/weights.bin" "$TMP/w" $at
    weights "bit $at" "not the weights of this model: another checksum"
done
"$PY" -c 'import sys; b = bytearray(open(sys.argv[1], "rb").read()); b[7] ^= 128; b[15] ^= 128; open(sys.argv[2], "wb").write(b)' "$TMP/c/weights.bin" "$TMP/w"
weights "two signs" "not the weights of this model: another checksum"
head -c $((size - 64)) "$TMP/c/weights.bin" >"$TMP/w"
weights "too short" "these weights have another size"
{ cat "$TMP/c/weights.bin"; echo; } >"$TMP/w"
weights "too long" "these weights have another size"
rm -f "$TMP/w"
weights "missing" "cannot read the weights"

# ---- what belongs into the loops of a reduction is there ----
G=tests/emit/chains.graph
in=(x="$TMP/chains/x.npy" v="$TMP/chains/v.npy")
expect "chains: run" 0 "$CALQUE" run $G --random 6 --save-inputs -o "$TMP/chains"
loops() { # NAME WANT OPTIONS...: reductions, copies (borders, whole vectors, and back), elementwise loops, operators fused
    expect "chains: emit, $1" 0 "$CALQUE" emit $G -o "$TMP/c" --main --json "${@:3}" || return
    seen "chains, $1"
    n=$(json "$TMP/out" "[sum(l['kind'] == k for l in a['loops']) for k in ('reduction', 'copy', 'elementwise')] + [a['fused']]")
    [ "$n" = "$2" ] && pass "chains: loops, $1: $n" || fail "chains: loops, $1: $n, not $2"
}
loops "unfused" "[8, 8, 21, 0]" --no-fuse
loops "fused" "[8, 5, 1, 23]" # one copy back does the rest of an addition on its way
expect "chains: emit --stats" 0 "$CALQUE" emit $G -o "$TMP/c" --main --stats
grep -q '^14 loop nests: 8 reductions, 5 copies, 1 elementwise$' "$TMP/out" || fail "chains: --stats: $(tail -n 1 "$TMP/out")"
# A sum that is read twice by the same operator is computed once.
n=$(awk '/^static void/{n = 0} / = v[0-9]+\[.*\] \+ /{n++} n > most{most = n} END{print most}' "$TMP/c/model.c")
[ "$n" = 1 ] && pass "chains: no sum is computed twice" || fail "chains: $n sums in one function"
# A transposed product is computed in the product's order and stored where the consumer has it: the cells of a row 4 apart.
n=$(grep -c 'Y0\[64 \* [a-z0-9]* + 4 \* [a-z0-9]* + [a-z0-9]*\] = calque_max_f32(v[0-9]*\[16 \*' "$TMP/c/model.c")
[ "$n" = 1 ] && pass "chains: a product stored transposed" || fail "chains: $n products stored transposed"
try "chains, gcc" gcc

# ---- what is bound by memory ----
memory
of "memory: a root once a row" 1 '^        float v[0-9]* = sqrtf('
n=$(grep -c 'sqrtf(' "$TMP/c/model.c")
[ "$n" = 1 ] && pass "memory: no other root" || fail "memory: $n roots"
of "memory: rows of 8 sums, and of no more" 3 '^        float v[0-9]*\[8\];'
of "memory: a transposition in blocks of 16 and 12" 1 'Y0\[384 \* [a-z0-9]* + 24 \* [a-z0-9]* + 12 \* '
of "memory: operands copied into panels" 2 '^/\* P[0-9]*<[0-9,]*>\[t0,t1,t2\] = X1<[0-9,]*>\[t'
of "memory: constants stored in panels" 4 'X1<[0-9,]*>\[[a-z]//[0-9]*,[a-z0,]*%[0-9]*\]'
try "memory, gcc" gcc
try "memory, gcc -O2" gcc -O2
try "memory, gcc sanitized" gcc "-O1 -g -fsanitize=address,undefined -fno-sanitize-recover=undefined"

# ---- ranges of other values ----
G=tests/emit/parts.graph
in=(x="$TMP/parts/x.npy" y="$TMP/parts/y.npy")
expect "parts: run" 0 "$CALQUE" run $G --random 11 --save-inputs -o "$TMP/parts"
expect "parts: emit" 0 "$CALQUE" emit $G -o "$TMP/c" --main
n=$(grep -oE '^    /\* (Slice|Split|Concat) .* \*/' "$TMP/c/model.c" | sed 's,^ */\* \(.*\) \*/,\1,' | paste -sd,)
[ "$n" = "Slice columns,Slice output_part,Slice back,Concat d,Concat k1,Concat f1,Concat across" ] && pass "parts: what is no range, or has another place, is copied" || fail "parts: copied: $n"
n=$(grep -A1 -E '/\* Concat (d|k1) ' "$TMP/c/model.c" | grep -cE '^    memcpy\(.*, (120|96)\);')
[ "$n" = 2 ] && pass "parts: of a Concat, what has another place" || fail "parts: $n copies for Concats"
grep -q '^    k0((const void \*)((const unsigned char \*)inputs\[0\] + 160), ' "$TMP/c/model.c" && pass "parts: of an input" || fail "parts: of an input"
for o in "gcc" "gcc -O1 -g -fsanitize=address,undefined -fno-sanitize-recover=undefined"; do try "parts, $o" "${o%% *}" "$([ "$o" = gcc ] || echo "${o#* }")"; done
expect "parts: emit --freestanding" 0 "$CALQUE" emit $G -o "$TMP/free" --freestanding --vectors 2
expect "parts: freestanding" 0 make -s -C "$TMP/free" check
grep -q identical "$TMP/out" && pass "parts: freestanding: $(tail -n 1 "$TMP/out")" || fail "parts: freestanding: $(cat "$TMP/out")"
# Calls that repeat are loops; not where a step is out of order, nor with contracts.
G=tests/emit/repeated.graph
in=(x="$TMP/parts/x.npy" r="$TMP/parts/r.npy" h="$TMP/parts/h.npy" z="$TMP/parts/z.npy")
expect "repeated: run" 0 "$CALQUE" run $G --random 12 --save-inputs -o "$TMP/parts"
expect "repeated: emit" 0 "$CALQUE" emit $G -o "$TMP/c" --main
of "repeated: loops of the run" 4 'for (size_t calque_t = 0u; calque_t < [85]u; calque_t++) {'
of "repeated: from the end" 1 'outputs\[1\] + (128u - 16u \* calque_t)'
of "repeated: weights" 1 'weights + (64u + 64u \* calque_t)'
of "repeated: layers are counted" 1 'model_layer(55 + 2 \* (int)calque_t)'
for o in "gcc" "gcc -O1 -g -fsanitize=address,undefined -fno-sanitize-recover=undefined"; do try "repeated, $o" "${o%% *}" "$([ "$o" = gcc ] || echo "${o#* }")"; done
expect "repeated: emit --acsl" 0 "$CALQUE" emit $G -o "$TMP/free" --acsl
grep -q calque_t "$TMP/free/model.c" && fail "repeated: a loop with contracts" || pass "repeated: no loop with contracts"
# A Concat in whose memory an early value would be for long, while much else is needed: its inputs stay where they are.
G=tests/emit/parts_early.graph
expect "parts, early: emit" 0 "$CALQUE" emit $G -o "$TMP/c" --main --vectors 1
n=$(sed -n 's/.*arena \([0-9]*\) bytes.*/\1/p' "$TMP/out")
[ "$n" = 442368 ] && grep -q '/\* Concat y \*/' "$TMP/c/model.c" && pass "parts, early: arena $n bytes" || fail "parts, early: arena $n bytes"
expect "parts, early: bit for bit" 0 make -s -C "$TMP/c" check

# ---- element types mixed, truth values stored as bool ----
G=tests/emit/masks.graph
in=()
for name in row column keep scores wide; do in+=("$name=$TMP/masks/$name.npy"); done
expect "masks: run" 0 "$CALQUE" run $G --random 3 --save-inputs -o "$TMP/masks"
grep -aq "'|b1'" "$TMP/masks/keep.npy" || fail "masks: an input of booleans is no |b1"
for o in "" --no-fuse; do
    expect "masks: emit $o" 0 "$CALQUE" emit $G -o "$TMP/c" --main --json $o
    n=$(json "$TMP/out" "a['fused']")
    [ "$n" = "$([ "$o" = --no-fuse ] && echo 0 || echo 4)" ] && pass "masks: $n fused $o" || fail "masks: $n fused $o"
    try "masks, gcc $o" gcc
done
grep -q '/\* .*X[0-9]*<[0-9,]*:bool>' "$TMP/c/model.c" || fail "masks: no kernel loads booleans"
try "masks, gcc sanitized" gcc "-O1 -g -fsanitize=address,undefined -fno-sanitize-recover=undefined"
command -v clang >/dev/null && try "masks, clang" clang
expect "masks: emit --acsl" 0 "$CALQUE" emit $G -o "$TMP/c" --main --acsl
try "masks, contracts" gcc
try "masks, contracts, sanitized" gcc "-O1 -g -fsanitize=address,undefined -fno-sanitize-recover=undefined"
expect "masks: to ONNX" 0 "$CALQUE" opt $G --rules /dev/null -o "$TMP/masks.onnx"
expect "masks: the ONNX model" 0 "$CALQUE" run "$TMP/masks.onnx" "${in[@]}" --compare "$TMP/masks" --rtol 0 --atol 0

# ---- i8 and u8 ----
G=tests/emit/bytes.graph
in=()
for name in x y w r; do in+=("$name=$TMP/bytes/$name.npy"); done
expect "bytes: run" 0 "$CALQUE" run $G --random 3 --save-inputs -o "$TMP/bytes"
grep -aq "'|i1'" "$TMP/bytes/x.npy" && grep -aq "'|u1'" "$TMP/bytes/y.npy" || fail "bytes: inputs are no |i1 and |u1"
for o in "" --no-fuse; do
    expect "bytes: emit $o" 0 "$CALQUE" emit $G -o "$TMP/c" --main $o
    try "bytes, gcc $o" gcc
done
grep -q '/\* .*X[0-9]*<[0-9,]*:u8>' "$TMP/c/model.c" || fail "bytes: no kernel loads u8"
try "bytes, gcc sanitized" gcc "-O1 -g -fsanitize=address,undefined -fno-sanitize-recover=undefined"
command -v clang >/dev/null && try "bytes, clang" clang
expect "bytes: emit --acsl" 0 "$CALQUE" emit $G -o "$TMP/c" --main --acsl
try "bytes, contracts" gcc
try "bytes, contracts, sanitized" gcc "-O1 -g -fsanitize=address,undefined -fno-sanitize-recover=undefined"
finish
