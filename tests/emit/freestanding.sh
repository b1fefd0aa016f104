#!/usr/bin/env bash
# calque emit --freestanding: C99 that needs nothing but some of math.h, bit for bit as the interpreter; its budgets against a
# count of the text and the frames that gcc reports; return codes; refusals. Parts that need a compiler: `clang`; `m32`: for 32 bits of
# this processor; `arm`, `arm64`, `riscv64`: run by qemu; `m4`, `m7`: compiled for a Cortex-M4 (whose numbers of 64 bits are the compiler's
# functions), a Cortex-M7, and linked with nothing but what the header lists.
# usage: freestanding.sh BUILD [clang | m32 | arm | arm64 | riscv64 | m4 | m7]     FREE_SHARE=N: of the graphs, and of what runs sanitized, an Nth
cd "$(dirname "$0")/../.."
B=${1:-.build}
PART=${2:-gcc}
. tests/lib.sh
W="-std=c99 -ffreestanding -ffp-contract=off -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Wcast-align -Wvla -Werror"
SAN="-fsanitize=address,undefined -fno-sanitize-recover=undefined"

# model NAME ARCH WIDTH IMAGE [DEPTH]: of the zoo, optimised, $TMP/NAME.onnx
model() {
    expect "$1: build" 0 "$B/tests/zoo/zoo" "$2" -o "$TMP/in.onnx" --width "$3" --image "$4" ${5:+--depth "$5"} || return
    expect "$1: opt" 0 "$CALQUE" opt "$TMP/in.onnx" -o "$TMP/$1.onnx"
}
# emit NAME MODEL OPTIONS..: into $TMP/c, the answer in $TMP/answer
emit() {
    rm -rf "$TMP/c"
    expect "$1: emit ${*:3}" 0 "$CALQUE" emit "$2" -o "$TMP/c" --freestanding --json "${@:3}" || return
    cp "$TMP/out" "$TMP/answer"
}
# strict NAME CC [STEM [FLAGS]]: every file of $TMP/c compiles without a warning, and needs only what the header lists.
strict() {
    local f o=() stem=${3:-model}
    for f in "$TMP"/c/*.c; do
        [ "$(basename "$f")" = "${stem}_check.c" ] || o+=("${f%.c}.o")
        expect "$1: $2 $(basename "$f")" 0 "$2" $W -O2 ${4:-} -c "$f" -o "${f%.c}.o" || return
    done
    [ -e "$TMP/c/${stem}_weights.S" ] && {
        (cd "$TMP/c" && "$2" -c "${stem}_weights.S") || fail "$1: the weights"
        o+=("$TMP/c/${stem}_weights.o")
    }
    expect "$1: $2, what it needs" 0 "$PY" tests/emit/freestanding.py symbols "$TMP/c" "$stem" "${o[@]}" || cat "$TMP/out"
}
# identical NAME MAKE-ARGUMENTS..: the check of $TMP/c, made anew
identical() {
    expect "$1: identical ${*:2}" 0 make -s -C "$TMP/c" clean check "${@:2}" && grep -q ': identical: [0-9]' "$TMP/out" || cat "$TMP/err"
}

case $PART in
gcc) ;;
clang)
    need clang clang
    model squeezenet squeezenet 0.25 64
    graphs="chains lookups tiles"
    [ "${FREE_SHARE:-1}" != 1 ] || { model transformer transformer 0.125 16 && graphs="$graphs masks ranges plain"; }
    for g in "$TMP"/*.onnx $(printf 'tests/emit/%s.graph ' $graphs); do
        n=$(basename "${g%.*}")
        [ "$n" = in ] && continue
        emit "$n" "$g" --vectors 2 || continue
        strict "$n" clang
        identical "$n" CC=clang
        identical "$n" CC=clang CFLAGS="-O3 -march=native -std=c99 -ffp-contract=off"
    done
    finish ;;
arm | arm64 | riscv64)
    case $PART in
    arm) t=arm-linux-gnueabihf q=qemu-arm libc=armhf ;;
    arm64) t=aarch64-linux-gnu q=qemu-aarch64 libc=arm64 ;;
    riscv64) t=riscv64-linux-gnu q=qemu-riscv64 libc=riscv64 ;;
    esac
    need $t-gcc "gcc-$t libc6-dev-$libc-cross"
    need $q qemu-user
    model squeezenet squeezenet 0.25 64
    model encoder_decoder encoder_decoder 0.25 4 2 # without erff and tanhf, whose bits differ in glibc for 64-bit ARM
    for g in "$TMP"/squeezenet.onnx "$TMP"/encoder_decoder.onnx tests/emit/{chains,masks,lookups}.graph; do
        n=$(basename "${g%.*}")
        emit "$n" "$g" --vectors 2 || continue
        strict "$n" $t-gcc
        identical "$n, $PART" CC=$t-gcc RUN=$q LDFLAGS=-static
    done
    emit "pointer" "$TMP/squeezenet.onnx" --vectors 1 --weights=pointer && identical "weights by pointer, $PART" CC=$t-gcc RUN=$q LDFLAGS=-static
    finish ;;
m32)
    echo 'int main(void) { return 0; }' >"$TMP/m32.c"
    gcc -m32 "$TMP/m32.c" -o "$TMP/m32" 2>/dev/null && "$TMP/m32" ||
        { echo "SKIP gcc makes no programs of 32 bits here: apt-get install gcc-$(gcc -dumpversion)-multilib"; exit 77; }
    M32="-m32 -msse2 -mfpmath=sse" # float and double in their own precision, as the text asks for
    model squeezenet squeezenet 0.25 64
    for g in "$TMP"/squeezenet.onnx tests/emit/{chains,masks,lookups}.graph; do
        n=$(basename "${g%.*}")
        emit "$n" "$g" --vectors 2 || continue
        strict "$n" gcc model "$M32"
        identical "$n, $PART" CC="gcc $M32"
    done
    expect "registers of 80 bits are refused" 1 gcc -m32 -mno-sse -std=c99 -ffreestanding -c "$TMP/c/model.c" -o "$TMP/m32.o"
    grep -q "float and double are to be computed in their own precision" "$TMP/err" || fail "registers of 80 bits: $(head -n 3 "$TMP/err")"
    finish ;;
m4 | m7)
    need arm-none-eabi-gcc "gcc-arm-none-eabi libnewlib-arm-none-eabi"
    M7="-mcpu=cortex-m7 -mthumb -mfpu=fpv5-d16 -mfloat-abi=hard"
    [ "$PART" = m7 ] || M7="-mcpu=cortex-m4 -mthumb -mfpu=fpv4-sp-d16 -mfloat-abi=hard"
    model squeezenet squeezenet 0.25 64
    emit squeezenet "$TMP/squeezenet.onnx" --vectors 1 || finish
    strict squeezenet arm-none-eabi-gcc model "$M7"
    # All that it is linked with: what the header lists, and what a compiler may call.
    cat >"$TMP/only.c" <<'END'
#include <stddef.h>
float expf(float x);
void *memcpy(void *restrict a, const void *restrict b, size_t n);
void *memset(void *a, int c, size_t n);
float expf(float x) { return x; }
void *memcpy(void *restrict a, const void *restrict b, size_t n) { char *p = a; const char *q = b; while (n--) *p++ = *q++; return a; }
void *memset(void *a, int c, size_t n) { char *p = a; while (n--) *p++ = (char)c; return a; }
END
    expect "linked with nothing else" 0 arm-none-eabi-gcc $M7 -O2 -ffreestanding -fno-tree-loop-distribute-patterns -nostdlib -nostartfiles -Wl,-e,main -o "$TMP/m7" \
        "$TMP/only.c" "$TMP/c/model.o" "$TMP/c/model_weights.o" "$TMP/c/model_check.c" -I"$TMP/c" -lgcc
    read -r text data bss _ < <(arm-none-eabi-size "$TMP/c/model.o" | tail -n 1)
    [ "$text" -lt 12000 ] && [ "$data" = 0 ] && [ "$bss" = 0 ] && pass "$text bytes of code, no data" || fail "$text bytes of code, $data and $bss of data"
    read -r text data bss _ < <(arm-none-eabi-size "$TMP/c/model_weights.o" | tail -n 1)
    [ "$text" = "$(json "$TMP/answer" "a['budget']['rom']")" ] && [ "$data" = 0 ] && pass "the weights are $text bytes of ROM, as said" ||
        fail "the weights are $text bytes, $data of data"
    finish ;;
*) echo "freestanding.sh: no part $PART"; exit 2 ;;
esac

# frames NAME: no frame that gcc reports (`strict` with -fstack-usage) goes beyond what is said; none is of unknown size.
frames() {
    "$PY" - "$TMP/c/model.su" "$TMP/answer" >"$TMP/out" <<'END' && pass "$1: frames: $(cat "$TMP/out")" || fail "$1: frames: $(cat "$TMP/out")"
import json, sys
budget = json.load(open(sys.argv[2]))["budget"]
arrays = {f["name"]: f["arrays"] for f in budget["functions"]}
most, bad = 0, False
for line in open(sys.argv[1]):
    name, size, kind = line.rstrip("\n").split("\t")
    name = name.split(":")[-1].split(".")[0]
    besides = int(size) - arrays.get(name, 0)
    most = max(most, besides)
    if kind not in ("static", "dynamic,bounded") or besides > 1024 or int(size) > budget["frame"]:
        bad = True
        print(line.strip(), "arrays", arrays.get(name), "frame", budget["frame"])
print("at most", most, "bytes besides arrays")
sys.exit(bad)
END
}
# hosted NAME MODEL: the budget of code for threads, counted again in its text.
hosted() {
    expect "$1: emit --budget" 0 "$CALQUE" emit "$2" -o "$TMP/h" --budget &&
        { expect "$1: the budget for threads" 0 "$PY" tests/emit/freestanding.py hosted "$TMP/h" model || cat "$TMP/out" "$TMP/err"; }
}
# whole NAME MODEL OPTIONS..: everything that is said of it.
whole() {
    emit "$@" --vectors 2 --budget || return
    [ "$(json "$TMP/answer" "a['budget']")" = "$(json "$TMP/c/budget.json" a)" ] && pass "$1: budget.json is the answer" || fail "$1: budget.json is not the answer"
    expect "$1: text and budgets" 0 "$PY" tests/emit/freestanding.py "$TMP/c" model "$TMP/answer" || cat "$TMP/out" "$TMP/err"
    strict "$1" gcc model "-fno-split-loops -fstack-usage"
    frames "$1"
    identical "$1"
}

SHARE=${FREE_SHARE:-1}
model squeezenet squeezenet 0.25 64
model resnet20 resnet20 0.25 16
model transformer transformer 0.125 16
model encoder_decoder encoder_decoder 0.25 4 2
models="squeezenet resnet20 transformer encoder_decoder"
if [ "$SHARE" = 1 ]; then
    model densenet121 densenet121 0.0625 32
    model shufflenet shufflenet 0.25 32
    models="$models densenet121 shufflenet"
fi
for n in $models; do
    whole $n "$TMP/$n.onnx"
    hosted $n "$TMP/$n.onnx"
done
k=0
for g in tests/emit/*.graph tests/emit/matrix/*.graph; do
    case $g in */plain_cast_* | */plain_outside.graph) continue ;; esac # plain C alone; a run of no value
    k=$((k + 1))
    [ "$g" = tests/emit/chains.graph ] || [ $((k % SHARE)) = 0 ] || continue
    whole "$(basename "${g%.graph}")" "$g"
    hosted "$(basename "${g%.graph}")" "$g"
    identical "$(basename "${g%.graph}"), sanitized" CFLAGS="-O1 -g -std=c99 -ffp-contract=off $SAN"
done
# Random graphs over all operators.
mkdir "$TMP/g"
n=$((40 / SHARE))
"$B/tests/emit/emit_matrix" 1 $n "$TMP/g" >"$TMP/operators" 2>"$TMP/err"
[ "$(ls "$TMP"/g/*.graph | wc -l)" = $n ] && pass "$n random graphs, $(wc -l <"$TMP/operators") operators" || fail "random graphs: $(head -n 3 "$TMP/err")"
for g in "$TMP"/g/*.graph; do
    n=$(basename "${g%.graph}")
    case $n in *[37]) o=--fma ;; *) o=; esac
    emit "$n" "$g" --vectors 1 $o || continue
    expect "$n: text and budgets" 0 "$PY" tests/emit/freestanding.py "$TMP/c" model "$TMP/answer" || cat "$TMP/out" "$TMP/err"
    expect "$n: compile" 0 gcc $W -O2 "$TMP"/c/*.c -o "$TMP/c/check" -lm && expect "$n: identical" 0 "$TMP/c/check"
done

# ---- where weights and the arena are ----
S=$TMP/squeezenet.onnx
for o in --single-file --weights=pointer --static-arena "--static-arena --weights=pointer" "--static-arena --single-file --name net"; do
    stem=$(sed -n 's/.*--name //p' <<<"$o")
    emit "squeezenet" "$S" --vectors 1 $o || continue
    expect "$o: text and budgets" 0 "$PY" tests/emit/freestanding.py "$TMP/c" "${stem:-model}" "$TMP/answer" || cat "$TMP/out" "$TMP/err"
    strict "$o" gcc "${stem:-model}"
    identical "$o"
    identical "$o, sanitized" CFLAGS="-O1 -g -std=c99 -ffp-contract=off $SAN"
done
[ "$(ls "$TMP/c" | grep -c '^net.*\.[ch]$')" = 3 ] && pass "one file of code" || fail "files: $(ls "$TMP/c")"
for o in "" --single-file; do
    printf 'graph g {\n input x : f32[3]\n const c : f32[3] = [inf, -inf, nan]\n const k : i64[2] = [-9223372036854775807, 7]\n y = Add(x, c)\n return y, k\n}\n' >"$TMP/edges.graph"
    emit "edges" "$TMP/edges.graph" --vectors 1 $o && strict "edges $o" gcc && identical "edges $o"
done

# ---- contracts, kernels, programs ----
emit "contracts" "$S" --acsl --vectors 1 && strict "contracts" gcc && identical "contracts"
grep -q "^wp:" "$TMP/c/Makefile" && pass "contracts: make wp" || fail "contracts: no target wp"
printf 'T<50,40>[i,j] = X<50,41>[i,j+1] * 0.5;\nY<50>[i] = sum(k<40) (exp(T<50,40>[i,k])) + B<50>[i];\n' >"$TMP/k.kern"
whole "kernel" "$TMP/k.kern"
# ---- calls that repeat ----
loops() { # NAME LOOPS TIMES..
    n=$(grep -o 'calque_t < [0-9]*u' "$TMP/c/model.c" | sed 's/.* \(.*\)u/\1/' | paste -sd' ')
    [ "$n" = "$2" ] && pass "$1: loops of $2" || fail "$1: loops of $n, not $2"
}
whole "repeated" tests/emit/repeated.graph && loops "repeated" "8 8 5"
cp -r "$TMP/c" "$TMP/kept.c"
sed -i '0,/calque_t < 8u/s//calque_t < 7u/' "$TMP/c/model.c"
expect "repeated: another number of times: the budget" 1 "$PY" tests/emit/freestanding.py "$TMP/c" model "$TMP/answer"
expect "repeated: another number of times: make check fails" 2 make -s -C "$TMP/c" check
cp "$TMP/kept.c/model.c" "$TMP/c/model.c"
sed -i '0,/16u [*] calque_t/s//12u * calque_t/' "$TMP/c/model.c"
expect "repeated: another distance: make check fails" 2 make -s -C "$TMP/c" check
whole "repeated, weights by pointer" tests/emit/repeated.graph --weights=pointer && loops "repeated, weights by pointer" "8 8 5 5"
identical "repeated, sanitized" CFLAGS="-O1 -g -std=c99 -ffp-contract=off $SAN"
hosted "repeated" tests/emit/repeated.graph

whole "functions to the bit" tests/emit/math.graph --math=calque
size=(--size m=70 --size n=3 --size k=70 --size m1=2 --size n1=2 --size k1=3)
P=tests/dpia/programs/block_dl_mul_dl.dpia
emit "program" $P "${size[@]}"
cp "$TMP/answer" "$TMP/said"
expect "program: text and budgets" 0 "$PY" tests/emit/freestanding.py "$TMP/c" program "$TMP/said" || cat "$TMP/out"
grep -q 'calque_scratch + 39232' "$TMP/c/program.c" && pass "program: large arrays are in the arena" || fail "program: no array in the arena"
expect "program: with a library" 0 "$CALQUE" emit $P -o "$TMP/h" --name hosted "${size[@]}"
grep -q malloc "$TMP/h/hosted.c" || fail "program: with a library it allocates nothing"
printf 'Y<1>[i] = sum(a<2000000000) (sum(b<2000000000) (sum(c<2000000000) (X<1>[i] * 0.5)));\n' >"$TMP/large.kern"
expect "more than 64 bits: emit" 0 "$CALQUE" emit "$TMP/large.kern" -o "$TMP/large" --freestanding --json
[ "$(json "$TMP/out" "a['budget']['run']['operations']")" = 9223372036854774784 ] && pass "more than 64 bits are the most" || fail "more than 64 bits: $(cat "$TMP/out" "$TMP/err")"
cat >"$TMP/both.c" <<'END'
#include <string.h>
#include "program.h"
#include "hosted.h"
enum { A = 2 * 2 * 70 * 3, B = 3 * 2 * 70 * 3, Z = 70 * 70, R = 2 * 3 * 70 * 70 };
static float a[A], b[B], z[Z], r[2][R];
static double arena[PROGRAM_ARENA_BYTES / 8 + 1];
int main(void)
{
    for (int i = 0; i < A; i++) a[i] = (float)(i % 17) * 0.37f - 1;
    for (int i = 0; i < B; i++) b[i] = (float)(i % 23) * 0.11f - 1;
    for (int i = 0; i < Z; i++) z[i] = (float)i;
    memset(arena, 0xff, sizeof arena);
    memset(r[1], 1, sizeof r[1]);
    if (program_run(a, b, z, r[0], arena) != PROGRAM_OK || hosted_run((const void *[]){ a, b, z }, (void *[]){ r[1] }, NULL) != 0)
        return 2;
    return memcmp(r[0], r[1], sizeof r[0]) != 0;
}
END
expect "program: compile" 0 gcc -O1 -ffp-contract=off $SAN -I"$TMP/c" -I"$TMP/h" "$TMP/both.c" "$TMP/c/program.c" "$TMP/h/hosted.c" -o "$TMP/both" -lm
expect "program: the same bits as with a library" 0 "$TMP/both"

# ---- what it returns ----
emit "codes" tests/emit/chains.graph
cat >"$TMP/codes.cpp" <<'END'
#include "model.h"
static float x[4096], v[4096], y[5][4096];
static double arena[2][MODEL_ARENA_BYTES / 8 + 2];
static int run(const float *a, void *ram) { return model_run(a, v, y[0], y[1], y[2], y[3], y[4], ram); }
int main()
{
    float kept[4096], all = 0.0f;
    for (int i = 0; i < 4096; i++) x[i] = v[i] = 1.0f + (float)(i % 7);
    if (run(nullptr, arena[0]) != MODEL_BAD_POINTER || run(x, nullptr) != MODEL_BAD_POINTER) return 1;
    if (run(x, (char *)arena[0] + 1) != MODEL_BAD_POINTER || y[0][0] != 0.0f) return 2;
    if (run(x, arena[0]) != MODEL_OK) return 3;
    for (int i = 0; i < 4096; i++) all += kept[i] = y[4][i]; /* none is below 0 */
    if (all == 0.0f) return 3;
    /* what the arena holds before does not matter; nothing is written behind it */
    for (unsigned char *p = (unsigned char *)arena[1]; p < (unsigned char *)(arena[1] + MODEL_ARENA_BYTES / 8 + 2); p++) *p = 0xff;
    if (run(x, arena[1]) != MODEL_OK) return 4;
    for (int i = 0; i < 4096; i++) if (kept[i] != y[4][i]) return 5;
    for (unsigned i = MODEL_ARENA_BYTES; i < sizeof arena[1]; i++) if (((unsigned char *)arena[1])[i] != 0xff) return 6;
    return 0;
}
END
expect "C++: the header, C linkage" 0 g++ -Wall -Wextra -Werror -std=c++11 -I"$TMP/c" -c "$TMP/codes.cpp" -o "$TMP/codes.o"
make -s -C "$TMP/c" || fail "codes: make"
expect "C++: link" 0 g++ "$TMP/codes.o" "$TMP"/c/model*.o -o "$TMP/codes" -lm
expect "codes" 0 "$TMP/codes"
printf 'graph g {\n input t : f32[5, 2]\n input a : i64[3]\n input b : i64[2]\n y = Gather(t, a)\n z = Gather(t, b)\n return y, z\n}\n' >"$TMP/look.graph"
emit "look-ups" "$TMP/look.graph" --vectors 1 && identical "look-ups"
cat >"$TMP/look.c" <<'END'
#include "model.h"
int main(void)
{
    static float t[10], y[6], z[4];
    double arena[MODEL_ARENA_BYTES / 8 + 1];
    int64_t a[] = { 0, -5, 4 }, b[] = { 1, 4 };
    int ok = model_run(t, a, b, y, z, arena) == MODEL_OK;
    b[1] = 5;
    ok = ok && model_run(t, a, b, y, z, arena) == MODEL_BAD_INDEX + 1;
    a[1] = -6;
    return !(ok && model_run(t, a, b, y, z, arena) == MODEL_BAD_INDEX);
}
END
expect "look-ups: compile" 0 gcc -I"$TMP/c" "$TMP/look.c" "$TMP"/c/model.o -o "$TMP/look"
expect "look-ups: codes" 0 "$TMP/look"
grep -q 'MODEL_BAD_INDEX + 1: Gather' "$TMP/c/model.h" && pass "look-ups: in the header" || fail "look-ups: not in the header"

# ---- what is wrong is found ----
emit "wrong" "$S" --vectors 2
sed -i '0,/0x1\.[0-9a-f]*p-[0-9]*f/s//0x1.8p+1f/' "$TMP/c/model_weights.c"
expect "another weight: make fails" 2 make -s -C "$TMP/c" check
expect "another weight" 1 "$TMP/c/model_check"
emit "wrong" tests/emit/chains.graph
expect "the text is right" 0 "$PY" tests/emit/freestanding.py "$TMP/c" model "$TMP/answer"
cp -r "$TMP/c" "$TMP/right"
change() { # NAME SED FILE: is found
    rm -rf "$TMP/c"
    cp -r "$TMP/right" "$TMP/c"
    sed -i -E "$2" "$TMP/c/$3"
    cmp -s "$TMP/c/$3" "$TMP/right/$3" && fail "$1: nothing to change"
    expect "$1 is found" 1 "$PY" tests/emit/freestanding.py "$TMP/c" model "$TMP/answer"
}
change "a longer loop" '0,/for \(long ([a-z0-9]*) = 0; ([a-z0-9]*) < /s//&1/' model.c
change "an operation more" '0,/ \+ (X[0-9]+)\[/s// + \1[0] + \1[/' model.c
change "a larger array" '0,/(    float v[0-9]+\[)/s//\11/' model.c
change "another header" '0,/^#include.*/s//#include <stdlib.h>/' model.c
change "a long line" '0,/^    for/s//                                                                                                           for/' model.c
change "another loop in the header" 's/^(   [a-z_]+_0: [0-9]+)/\11/' model.h
change "another run in the header" 's/(MODEL_ITERATIONS UINT64_C[(])/\11/' model.h
hosted "chains" tests/emit/chains.graph
for x in trips depth line operations calls; do
    sed "0,/\"$x\": [1-9]/s//&1/" "$TMP/h/budget.json" >"$TMP/changed" && cp "$TMP/h/budget.json" "$TMP/kept"
    cp "$TMP/changed" "$TMP/h/budget.json"
    expect "another number of $x is found" 1 "$PY" tests/emit/freestanding.py hosted "$TMP/h" model
    cp "$TMP/kept" "$TMP/h/budget.json"
done
change "a number in the header" 's/^(   [a-z_]+_0 +[0-9]+ +)/\11/' model.h

# ---- what is refused ----
G=tests/emit/chains.graph
refused() { expect_error "refused: ${*:2}" "$1" "$CALQUE" emit "${@:2}" -o "$TMP/no"; }
refused "are for --freestanding" $G --weights=array
refused "are for --freestanding" $G --static-arena
refused "--weights takes array or pointer, not 'file'" $G --freestanding --weights=file
refused "--vectors N gives a check" $G --freestanding --main
refused "goes with neither --plain nor" $G --freestanding --plain
refused "not with --weights=pointer" $G --freestanding --single-file --weights=pointer
refused "not with --single-file" $G --freestanding --single-file --acsl
refused "the name 'in0' is taken" $G --freestanding --name in0
refused "needs all sizes of the program" $P --freestanding --size m=2
refused "needs all sizes of the program" $P --budget
refused "--budget is not of code with contracts" $G --budget --acsl
refused "nor of plain code" $G --budget --plain
printf 'graph g {\n input x : f32[3000, 1000]\n y = Relu(x)\n return y\n}\n' >"$TMP/large.graph"
refused "test vectors of 24000032 bytes: more than 16777216, too many for a C file" "$TMP/large.graph" --freestanding --vectors 1
[ ! -e "$TMP/no" ] && pass "nothing is written after an error" || fail "something is written after an error"
finish
