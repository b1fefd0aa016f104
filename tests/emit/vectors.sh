#!/usr/bin/env bash
# Test vectors of emitted code: `make -C DIR check` says identical of what is right, with both compilers, for models and
# kernels, with contracts and without threads; and finds code, weights and vectors that were made wrong on purpose.
# Files of tensors whose names are no file names; names of models that are taken.
# usage: vectors.sh BUILD
cd "$(dirname "$0")/../.."
B=${1:-.build}
. tests/lib.sh
W="-std=c11 -ffp-contract=off -fopenmp -Wall -Wextra -Wshadow -Werror"

# right NAME DIR VECTORS MAKE-ARGUMENTS..
right() {
    expect "$1" 0 make -s -C "$2" clean check "${@:4}" || return
    grep -q ": identical: $3, 1 to 4 threads" "$TMP/out" || fail "$1: says $(tail -n 1 "$TMP/out")"
}
# wrong NAME STATUS TEXT DIR: the checker's exit status, and what it says
wrong() {
    expect "$1: make fails" 2 make -s -C "$4" check
    expect "$1" "$2" "$4/${5:-model}_check"
    cat "$TMP/out" "$TMP/err" | grep -Eq "$3" || fail "$1: says $(cat "$TMP/out" "$TMP/err" | tail -n 1)"
}

# ---- right code is identical: of gcc, and of its sanitizers or of clang in turn, at the next commit the other way round ----
command -v clang >/dev/null || skip "clang is not here"
turn=$(one_of 0 1)
for o in "--main" "--vectors 3" "--vectors 2 --acsl" "--main --seq" "--vectors 1 --no-fuse --name other"; do
    n=$(sed -n 's/.*--vectors \([0-9]*\).*/\1/p' <<<"$o")
    v="${n:-1} vectors"
    [ "${n:-1}" = 1 ] && v="1 vector"
    d=$TMP/c${o// /}
    expect "emit $o" 0 "$CALQUE" emit tests/emit/chains.graph -o "$d" $o
    right "gcc, $o" "$d" "$v"
    turn=$((1 - turn))
    if [ $turn = 0 ]; then right "gcc sanitized, warnings, $o" "$d" "$v" CFLAGS="$W -O1 -fsanitize=address,undefined -fno-sanitize-recover=undefined"
    else right "clang, $o" "$d" "$v" CC=clang; fi
done
expect "without OpenMP" 0 make -s -C "$TMP/c--main" clean check CFLAGS="-std=c11 -O1 -ffp-contract=off -Wno-unknown-pragmas"
grep -q 'not run: 2 threads, there are only 1' "$TMP/out" && grep -q 'identical: 1 vector, 1 to 1 threads' "$TMP/out" ||
    fail "without OpenMP: says $(tail -n 1 "$TMP/out")"
mkdir "$TMP/elsewhere"
cp "$TMP/c--main/vectors.bin" "$TMP/elsewhere/v"
cp "$TMP/c--main/weights.bin" "$TMP/elsewhere/w"
expect "files given" 0 "$TMP/c--main/model_check" -w "$TMP/elsewhere/w" -v "$TMP/elsewhere/v"
expect "help" 0 "$TMP/c--main/model_check" --help
expect "bad usage" 2 "$TMP/c--main/model_check" -w

# ---- kernels ----
cat >"$TMP/k.kern" <<'E'
T<50,40>[i,j] = X<50,41>[i,j+1] * 0.5;
Y<50>[i] = sum(k<40) (exp(T<50,40>[i,k])) + B<50>[i];
E
cat >"$TMP/k.json" <<'E'
{"name": "k", "ins": ["A", "B"], "outs": ["C"], "data_type": "int",
 "kernel": "C<7,9>[i,j] = A<7,5>[i,k] * B<5,9>[k,j] - B<5,9>[i // 2, j];"}
E
for k in kern json; do
    expect "emit .$k" 0 "$CALQUE" emit "$TMP/k.$k" -o "$TMP/k$k" --vectors 2 --name k
    right ".$k" "$TMP/k$k" "2 vectors"
    sed -i '/^ /s/calque_sub_i32/calque_add_i32/; /^ /s/\] + B\[/] - B[/' "$TMP/k$k/k.c"
    wrong ".$k with another operator" 1 "^vector 1, 1 thread: output '[YC]', element 0: got 0x[0-9a-f]{8}, want 0x[0-9a-f]{8}; [0-9]* of [0-9]* elements differ" "$TMP/k$k" k
done
expect "emit .kern with contracts" 0 "$CALQUE" emit "$TMP/k.kern" -o "$TMP/ka" --vectors 1 --acsl
right ".kern with contracts" "$TMP/ka" "1 vector"

# ---- what is wrong is found ----
d=$TMP/c--main
rm -rf "$d"
expect "emit" 0 "$CALQUE" emit tests/emit/chains.graph -o "$d" --main
make -s -C "$d" check >/dev/null
cp -r "$d" "$TMP/good"
flip() { # FILE BYTE: its bit 6
    "$PY" -c 'import sys; p, k = sys.argv[1], int(sys.argv[2]); b = bytearray(open(p, "rb").read()); b[k] ^= 64; open(p, "wb").write(b)' "$1" "$2"
}
again() { rm -rf "$d"; cp -r "$TMP/good" "$d"; }
sed -i 's/0x1.99999ap-3f/0x1.99999cp-3f/' "$d/model.c"
cmp -s "$d/model.c" "$TMP/good/model.c" && fail "nothing to change in the code"
wrong "a constant changed in its last place" 1 "^model: DIFFERENT in 4 of 4 runs" "$d"
again
flip "$d/weights.bin" 35
expect "a flipped bit of the weights: make fails" 2 make -s -C "$d" check
"$d/model_check" >"$TMP/out" 2>&1
[ $? != 0 ] && pass "a flipped bit of the weights" || fail "a flipped bit of the weights is not seen"
again
truncate -s -1 "$d/weights.bin"
wrong "a byte of the weights missing" 2 "weights.bin: cannot read the weights" "$d"
n=$(stat -c %s "$TMP/good/vectors.bin")
for k in 40 $((n / 2)) $((n - 1)); do
    again
    flip "$d/vectors.bin" "$k"
    wrong "bit of byte $k of the vectors" 2 "vectors.bin: damaged" "$d"
done
again
truncate -s -4 "$d/vectors.bin"
wrong "vectors cut" 2 "vectors.bin: damaged" "$d"
again
cp "$TMP/kkern/vectors.bin" "$d"
wrong "vectors of another model" 2 "vectors.bin: test vectors of another model" "$d"
again
echo text >"$d/vectors.bin"
wrong "no vectors" 2 "vectors.bin: not a file of test vectors" "$d"
rm "$d/vectors.bin"
wrong "vectors missing" 2 "vectors.bin: No such file" "$d"
# An expected value changed, and the checksum with it: one element, on all threads.
again
"$PY" - "$d/vectors.bin" <<'E'
import struct, sys
b = bytearray(open(sys.argv[1], "rb").read())
b[-1] ^= 64
h = 0xcbf29ce484222325
for x in b[32:]:
    h = (h + x) * 0x100000001b3 % 2**64
b[24:32] = struct.pack("<Q", h)
open(sys.argv[1], "wb").write(b)
E
wrong "an expected value changed" 1 "^vector 1, 4 threads: output 't3', element 127: .*; 1 of 128 elements differ" "$d"

# NaN is NaN whatever its payload and sign, and nothing else is.
cat >"$TMP/nan.graph" <<'E'
graph nan {
    input x : f32[20]
    const two : f32[] = 2.0
    y = Sqrt(Sub(x, two))
    return y
}
E
expect "NaN: emit" 0 "$CALQUE" emit "$TMP/nan.graph" -o "$TMP/nan" --vectors 1
right "NaN" "$TMP/nan" "1 vector"
sed -i 's/sqrtf(\(.*\));/-sqrtf(\1);/' "$TMP/nan/model.c"
right "NaN of the other sign" "$TMP/nan" "1 vector"
sed -i 's/-sqrtf(/fabsf(/' "$TMP/nan/model.c"
wrong "a number for NaN" 1 "20 of 20 elements differ" "$TMP/nan"

# ---- vector k has the inputs of run --random k, and its outputs ----
expect "vectors as run: emit" 0 "$CALQUE" emit tests/emit/chains.graph -o "$TMP/as" --vectors 3
expect "vectors as run: run" 0 "$CALQUE" run tests/emit/chains.graph --random 3 --save-inputs -o "$TMP/as/npy"
"$PY" - "$TMP/as" <<'E' && pass "vector 3 is run --random 3" || fail "vector 3 is not run --random 3"
import struct, sys
d = sys.argv[1]
def data(name):
    b = open(f"{d}/npy/{name}.npy", "rb").read()
    return b[10 + b[8] + 256 * b[9]:]
v = open(d + "/vectors.bin", "rb").read()
n, size = struct.unpack("<QQ", v[8:24])
want = b"".join(map(data, ["x", "v", "y2", "y3", "t2", "y4", "t3"]))
sys.exit(not (v[:8] == b"calquev1" and n == 3 and v[32 + 2 * size:] == want))
E

# ---- how many, how large, how long ----
expect "--vectors 0" 0 "$CALQUE" emit tests/emit/chains.graph -o "$TMP/none" --main --vectors 0
[ ! -e "$TMP/none/vectors.bin" ] && [ ! -e "$TMP/none/check.c" ] && ! grep -q check "$TMP/none/Makefile" || fail "--vectors 0 writes something"
echo 'graph big { input x : f32[3000,3000] 
 y = Relu(x)
 return y
}' >"$TMP/big.graph"
expect "too large for --main" 0 "$CALQUE" emit "$TMP/big.graph" -o "$TMP/big" --main
grep -q '^no test vectors: .* of 72000000 bytes' "$TMP/out" && [ ! -e "$TMP/big/check.c" ] || fail "too large: $(tail -n 1 "$TMP/out")"
right_made() { make -s -C "$TMP/big" >/dev/null && pass "and compiles" || fail "and does not compile"; }
right_made
expect_error "too large" "15 test vectors of 72000000 bytes: more than 1073741824" "$CALQUE" emit "$TMP/big.graph" -o "$TMP/big" --vectors 15
for v in -1 x 1001 "" 1x; do
    expect_error "--vectors '$v'" "--vectors takes 0 to 1000" "$CALQUE" emit tests/emit/chains.graph -o "$TMP/no" --vectors "$v"
done
P=tests/dpia/programs/dl_mul_dl.dpia
expect_error ".dpia" "--vectors is for models and kernels" "$CALQUE" emit $P -o "$TMP/no" --vectors 1 --size n=2 --size m=2 --size k=2
expect_error "--no-fuse and .dpia" "--no-fuse is for models" "$CALQUE" emit $P -o "$TMP/no" --no-fuse
expect_error "--size and a model" "--size is for .dpia" "$CALQUE" emit tests/emit/chains.graph -o "$TMP/no" --size n=2
expect_error "--plain and a kernel" "--plain is for models and .dpia programs" "$CALQUE" emit "$TMP/k.kern" -o "$TMP/no" --plain
expect_error "--numbering and a model" "--numbering is for .dpia" "$CALQUE" emit tests/emit/chains.graph -o "$TMP/no" --numbering=seed
echo 'graph long { input x : f32[1000, 1000]
 y = MatMul(x, x)
 return y
}' >"$TMP/long.graph"
expect "how long" 0 "$CALQUE" emit "$TMP/long.graph" -o "$TMP/long" --vectors 1
cp "$TMP/err" "$TMP/said"
s=$(sed -n 's/^1 test vector, \([0-9]*\)\.\([0-9]\) s in the reference interpreter: .*/\1\2/p' "$TMP/out")
if [ -z "$s" ]; then
    fail "the time is not said: $(tail -n 1 "$TMP/out")"
elif [ "$s" -lt 12 ]; then # a fast machine: about a second or less
    [ ! -s "$TMP/said" ] || [ "$s" -ge 9 ] && pass "little time: nothing is said" || fail "$s tenths of a second, and said: $(cat "$TMP/said")"
else
    grep -q 'reference interpreter computes test vectors (--vectors 0 leaves them out)' "$TMP/said" && pass "what takes the time is said" ||
        fail "nothing said in $s tenths of a second"
fi

# ---- files of tensors ----
cat >"$TMP/names.graph" <<'E'
graph names {
    input x : f32[2, 3]
    input "in:0" : f32[2, 3]
    input "in/0" : f32[2, 3]
    "a_b" = Relu(x)
    "a b" = Neg(x)
    "a/b" = Add(x, "in:0")
    "A_B" = Mul(x, "in/0")
    return "a/b", a_b, "a b", "A_B"
}
E
d=$TMP/names
expect "names: emit" 0 "$CALQUE" emit "$TMP/names.graph" -o "$d" --main
cat >"$TMP/want" <<'E'
input 'in:0': file in_0.npy
input 'in/0': file in_0_2.npy
output 'a/b': file a_b_2.npy
output 'a b': file a_b_3.npy
output 'A_B': file A_B_4.npy
E
grep ': file ' "$TMP/out" | cmp - "$TMP/want" && pass "names: emit tells" || fail "names: emit tells $(grep ': file' "$TMP/out")"
right "names: check" "$d" "1 vector"
expect "names: run" 0 "$CALQUE" run "$TMP/names.graph" --random 4 --save-inputs -o "$d/want"
grep -q '^input in/0: file in_0_2.npy$' "$TMP/out" && grep -qF 'a/b: f32[2, 3], file a_b_2.npy' "$TMP/out" || fail "names: run does not tell"
make -s -C "$d" all
in=(x="$d/want/x.npy" "in:0=$d/want/in_0.npy" "in/0=$d/want/in_0_2.npy")
expect "names: driver" 0 "$d/model" -o "$d/got" "${in[@]}"
[ "$(ls "$d/got" | tr '\n' ' ')" = "A_B_4.npy a_b.npy a_b_2.npy a_b_3.npy " ] && pass "names: four files" || fail "names: $(ls "$d/got")"
expect "names: bit for bit" 0 "$CALQUE" run "$TMP/names.graph" "${in[@]}" --compare "$d/got" --rtol 0 --atol 0
for f in a_b a_b_2 a_b_3 A_B_4; do cmp "$d/want/$f.npy" "$d/got/$f.npy" || fail "names: $f differs"; done
expect "names: help" 0 "$d/model" --help
grep -qF '  output a/b: <f4 (2, 3), a_b_2.npy' "$TMP/out" && grep -qF '  input in/0: <f4 (2, 3), in_0_2.npy' "$TMP/out" || fail "names: help"
expect "names: emit --json" 0 "$CALQUE" emit "$TMP/names.graph" -o "$d" --main --json
[ "$(json "$TMP/out" "[(t['name'], t['file']) for t in a['tensors'] if t['kind'] == 'output'] + [a['vectors']]")" = \
    "[('a/b', 'a_b_2.npy'), ('a_b', 'a_b.npy'), ('a b', 'a_b_3.npy'), ('A_B', 'A_B_4.npy'), 1]" ] || fail "names: --json"

for n in Makefile makefile main MAIN weights check Check vectors all run clean wp GNUmakefile calque_acsl calque; do
    expect_error "--name $n" "the name '$n' is taken" "$CALQUE" emit tests/emit/chains.graph -o "$TMP/no" --main --name $n
    expect_error "--name $n, program" "the name '$n' is taken" "$CALQUE" emit $P -o "$TMP/no" --name $n
done
[ ! -e "$TMP/no" ] && pass "nothing is written after an error" || fail "something is written after an error"
finish
