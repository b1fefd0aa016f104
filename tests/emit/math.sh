#!/usr/bin/env bash
# --math=calque: the emitted functions against the interpreter's bits, with gcc and clang at several levels, freestanding, on other
# processors; no function of libm is called; wrong values. m7 links for a Cortex-M7 with nothing else, m7-run runs that in qemu (no
# library, no system: tests/emit/cortex). usage: math.sh BUILD [clang | arm | arm64 | m7 | m7-run]
cd "$(dirname "$0")/../.."
B=${1:-.build}
PART=${2:-gcc}
. tests/lib.sh
identical() { expect "$1: identical ${*:2}" 0 make -s -C "$TMP/c" clean check "${@:2}" && grep -q ': identical: [0-9]' "$TMP/out" || cat "$TMP/err"; }
emit() { # emit MODEL OPTIONS..
    rm -rf "$TMP/c"
    expect "emit $(basename "$1") ${*:2}" 0 "$CALQUE" emit "$1" -o "$TMP/c" --vectors 2 --math=calque "${@:2}"
}
F="-std=c99 -ffp-contract=off"
G=tests/emit/math.graph
transformer() { # small, optimised
    expect "transformer" 0 "$B/tests/zoo/zoo" transformer -o "$TMP/in.onnx" --width 0.125 --image 16 &&
        expect "transformer: opt" 0 "$CALQUE" opt "$TMP/in.onnx" -o "$TMP/transformer.onnx"
}

quantised() { # a MobileNet of bytes, $TMP/quantised.onnx
    expect "mobilenet" 0 "$B/tests/zoo/zoo" mobilenet_v2 -o "$TMP/in.onnx" --width 0.25 --image 32 &&
        expect "mobilenet: quantised" 0 "$PY" tests/zoo/quantise.py "$CALQUE" "$TMP/in.onnx" "$TMP/quantised.onnx" &&
        grep -q '^52 convolutions' "$TMP/out" || fail "mobilenet: $(cat "$TMP/out")"
}

case $PART in
gcc) ;;
clang)
    need clang clang
    for level in -O0 -O1 "-O3 -march=native"; do
        emit $G --freestanding && identical "clang $level" CC=clang CFLAGS="$level $F"
    done
    finish ;;
arm | arm64)
    t=arm-linux-gnueabihf q=qemu-arm libc=armhf
    [ "$PART" = arm64 ] && t=aarch64-linux-gnu q=qemu-aarch64 libc=arm64
    need $t-gcc "gcc-$t libc6-dev-$libc-cross"
    need $q qemu-user
    need_onnx
    transformer
    quantised
    for m in $G "$TMP/transformer.onnx" "$TMP/quantised.onnx"; do
        emit "$m" --freestanding && identical "$(basename "$m"), $PART" CC=$t-gcc RUN=$q LDFLAGS=-static
    done
    finish ;;
m7)
    need arm-none-eabi-gcc "gcc-arm-none-eabi libnewlib-arm-none-eabi"
    need_onnx
    expect "squeezenet" 0 "$B/tests/zoo/zoo" squeezenet -o "$TMP/squeezenet.onnx" --width 0.25 --image 64
    quantised
    for m in "$TMP/squeezenet.onnx" "$TMP/quantised.onnx" tests/emit/math.graph; do
        emit "$m" --freestanding || continue
        grep -q 'math.h: no function' "$TMP/c/model.h" && pass "the header lists no function" || fail "$(grep math.h: "$TMP/c/model.h")"
        expect "compiled" 0 arm-none-eabi-gcc -mcpu=cortex-m7 -mthumb -mfpu=fpv5-d16 -mfloat-abi=hard -O2 $F -ffreestanding -c "$TMP/c/model.c" -o "$TMP/m.o"
        arm-none-eabi-nm -u "$TMP/m.o" | awk '{ print $2 }' | grep -vE '^(mem(cpy|set|move)|__aeabi_.*|model_.*)$' >"$TMP/calls"
        [ -s "$TMP/calls" ] && fail "$(basename "$m") calls $(paste -sd' ' "$TMP/calls")" || pass "$(basename "$m") calls nothing"
    done
    finish ;;
m7-run)
    need arm-none-eabi-gcc "gcc-arm-none-eabi"
    need qemu-system-arm qemu-system-arm
    need_onnx
    M7="-mcpu=cortex-m7 -mthumb -mfpu=fpv5-d16 -mfloat-abi=hard -ffreestanding -fno-tree-loop-distribute-patterns"
    link() { # link NAME LEVEL: $TMP/m7.elf of the emitted code
        local f
        rm -f "$TMP"/*.o
        for f in "$TMP"/c/model*.c tests/emit/cortex/start.c; do
            arm-none-eabi-gcc $M7 "$2" $F -I"$TMP/c" -c "$f" -o "$TMP/$(basename "$f" .c).o" 2>"$TMP/err" || { fail "$1: $(head -n 1 "$TMP/err")"; return 1; }
        done
        expect "$1: linked without a library" 0 arm-none-eabi-gcc $M7 -nostdlib -nostartfiles -T tests/emit/cortex/link.ld -o "$TMP/m7.elf" "$TMP"/*.o -lgcc
    }
    run() { timeout 300 qemu-system-arm -M mps2-an500 -nographic -semihosting -kernel "$TMP/m7.elf"; }
    expect "squeezenet" 0 "$B/tests/zoo/zoo" squeezenet -o "$TMP/squeezenet.onnx" --width 0.25 --image 64
    quantised
    for m in "$TMP/squeezenet.onnx" "$TMP/quantised.onnx" $G tests/emit/repeated.graph; do
        emit "$m" --freestanding || continue
        for level in -O0 -O2 -Os; do
            n="$(basename "$m") $level"
            link "$n" $level && expect "$n: identical on a Cortex-M7" 0 run
        done
    done
    emit "$TMP/squeezenet.onnx" --freestanding
    sed -i '0,/0x1\.[0-9a-f]*p-[0-9]*f/s//0x1.8p+1f/' "$TMP/c/model_weights.c"
    link "another weight" -O2 && expect "another weight: found on a Cortex-M7" 1 run
    finish ;;
*) echo "math.sh: no part $PART"; exit 2 ;;
esac

for level in -O0 -O2 "-O3 -march=native"; do
    emit $G && identical "gcc $level" CFLAGS="$level -std=c11 -ffp-contract=off -fopenmp"
done
nm -u "$TMP"/c/model.o | grep -E ' (exp|log|tanh|erf|pow)f?(@|$)' && fail "a function of libm is called" || pass "no function of libm"
grep -q 'math: calque' "$TMP/c/model.h" && pass "the header says so" || fail "the header"
emit $G --no-fuse --json && [ "$(json "$TMP/out" "a['math']")" = calque ] && pass "so does the answer" || fail "the answer"
emit $G --freestanding --single-file && identical "freestanding"
grep -q 'math.h: no function' "$TMP/c/model.h" && pass "freestanding code does without functions of math.h" || fail "freestanding code: $(grep math.h: "$TMP/c/model.h")"
printf 'Y<40>[i] = exp(X<40>[i]) + tanh(X<40>[i]);\n' >"$TMP/k.kern"
emit "$TMP/k.kern" && make -s -C "$TMP/c" check >"$TMP/out" 2>&1 && grep -q 'identical' "$TMP/out" && pass "a kernel" || { fail "a kernel"; cat "$TMP/out"; }
printf 'in a : 40.num\nout r : 40.num\nr := mapPar (fun x -> exp x) a\n' >"$TMP/p.dpia"
rm -rf "$TMP/c"
expect "a program" 0 "$CALQUE" emit "$TMP/p.dpia" -o "$TMP/c" --math=calque
grep -q 'calque_exp_f32(float a)' "$TMP/c/program.c" && gcc -std=c11 -ffp-contract=off -c "$TMP/c/program.c" -o "$TMP/p.o" && ! nm -u "$TMP/p.o" | grep -q expf &&
    pass "a program has the function" || fail "a program"
transformer
emit "$TMP/transformer.onnx" && identical "transformer"
rm -rf "$TMP/l" && expect "emit with libm's" 0 "$CALQUE" emit $G -o "$TMP/l" --math=libm --vectors 0
grep -q calque_exp "$TMP/l/model.c" && fail "libm's functions are Calque's" || pass "libm's functions are asked for"

# The same bits as the run; others than libm's.
expect "run" 0 "$CALQUE" run $G --random 1 --math=calque -o "$TMP/own" --save-inputs
expect "the same" 0 "$CALQUE" run $G --random 1 --math=calque --compare "$TMP/own" --rtol 0 --atol 0
expect "libm's differ" 1 "$CALQUE" run $G --random 1 --compare "$TMP/own" --rtol 0 --atol 0
expect "but little" 0 "$CALQUE" run $G --random 1 --compare "$TMP/own" --rtol 1e-6 --atol 0

expect_error "run: wrong value" "--math takes libm or calque, not 'fast'" "$CALQUE" run $G --random 1 --math=fast
expect_error "emit: wrong value" "--math takes libm or calque, not ''" "$CALQUE" emit $G -o "$TMP/x" --math=
expect_error "plain" "--math=calque goes with neither" "$CALQUE" emit $G -o "$TMP/x" --math=calque --plain
[ ! -e "$TMP/x" ] && pass "nothing was written" || fail "something was written"
finish
