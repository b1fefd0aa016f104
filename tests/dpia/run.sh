#!/usr/bin/env bash
# The programs of tests/dpia/programs from outside: emitted for all sizes with every warning an error, footprints of parallel
# loops recorded; a driver against numbers known; usage errors. With a second argument only that part: `clang` compiles them with it,
# `memcheck` runs them under valgrind. usage: run.sh BUILD [clang | memcheck]
B=${1:-.build}
PART=${2:-all}
cd "$(dirname "$0")/../.."
. tests/lib.sh
P=tests/dpia/programs
W="-std=c11 -O2 -ffp-contract=off -fopenmp -Wall -Wextra -Wshadow -Wpedantic -Werror"

compile() { # CC
    local f n
    for f in $P/*.dpia; do
        n=$(basename "$f" .dpia)
        expect "emit $n" 0 "$CALQUE" emit "$f" -o "$TMP/$n" --name p || continue
        # shellcheck disable=SC2086
        (cd "$TMP/$n" && $1 $W -c p.c -o p.o) && pass "$1 $n" || fail "$1 $n"
    done
}
memcheck() { valgrind -q --error-exitcode=9 "$@"; }
driver() { # 2 by 3 times 3 by 2
    expect "driver" 0 "$CALQUE" emit $P/dl_mul_dl.dpia -o "$TMP/mm" --size m=2 --size n=3 --size k=2 --main
    # ARCH=: memcheck does not know every processor.
    make -s -C "$TMP/mm" ARCH= && pass "driver builds" || fail "driver builds"
    $PY - "$TMP" <<'EOF'
import struct, sys
def npy(path, shape, xs):
    h = "{'descr': '<f4', 'fortran_order': False, 'shape': %s, }" % (shape,)
    h += " " * (63 - (10 + len(h)) % 64) + "\n"
    open(path, "wb").write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(h)) + h.encode() + struct.pack("<%df" % len(xs), *xs))
npy(sys.argv[1] + "/A.npy", (2, 3), [1, 2, 3, 4, 5, 6])
npy(sys.argv[1] + "/B.npy", (3, 2), [1, 2, 3, 4, 5, 6])
EOF
}
# Every program in three scalar types at five sizes, 0 and 1 among them: a program of its own, $TMP/all/run.
all_sizes() {
    mkdir "$TMP/all"
    "$B/tests/dpia/dpia_text" run "$TMP/all" 1 0 $P/*.dpia >/dev/null 2>"$TMP/err" || { fail "programs at all sizes: $(cat "$TMP/err")"; return 1; }
    gcc -std=c11 -g -O1 -fopenmp -w -o "$TMP/all/run" "$TMP/all/run.c" -lm
    expect "programs at all sizes" 0 "$TMP/all/run"
    cp "$TMP/out" "$TMP/all/want"
}

case $PART in
all) ;;
clang)
    need clang clang
    compile clang
    finish ;;
memcheck)
    need valgrind valgrind
    driver
    OMP_NUM_THREADS=1 expect "memcheck" 0 memcheck "$TMP/mm/program" -o "$TMP/out.d" "$TMP/A.npy" "$TMP/B.npy"
    expect "emit block_dl_mul_dl" 0 "$CALQUE" emit $P/block_dl_mul_dl.dpia -o "$TMP/block_dl_mul_dl" --name p
    cat >"$TMP/b.c" <<'EOF'
#include "p.h"
#include <stdlib.h>
int main(void)
{
    long m1 = 2, n1 = 2, m = 3, n = 2, k1 = 1, k = 2, bad = 0;
    float *A = calloc((size_t)(m1 * n1 * m * n), 4), *B = calloc((size_t)(k1 * n1 * k * n), 4);
    float *Z = calloc((size_t)(m * k), 4), *r = malloc((size_t)(m1 * k1 * m * k) * 4);
    bad += p(m1, n1, m, n, k1, k, A, B, Z, r);
    for (long i = 0; i < m1 * k1 * m * k; i++)
        bad += r[i] != 0;
    free(A); free(B); free(Z); free(r);
    return (int)bad;
}
EOF
    gcc -std=c11 -g -fopenmp -I"$TMP/block_dl_mul_dl" -o "$TMP/b" "$TMP/b.c" "$TMP/block_dl_mul_dl/p.c" -lm
    OMP_NUM_THREADS=1 expect "memcheck of blocks" 0 memcheck "$TMP/b"
    all_sizes && OMP_NUM_THREADS=1 expect "memcheck of programs at all sizes" 0 memcheck --leak-check=full "$TMP/all/run"
    cmp -s "$TMP/out" "$TMP/all/want" || fail "another answer under memcheck"
    finish ;;
*) echo "run.sh: no part $PART"; exit 2 ;;
esac

compile gcc
for f in $P/*.dpia; do
    n=$(basename "$f" .dpia)
    "$CALQUE" dump "$f" >"$TMP/prog" && "$CALQUE" dump "$f" --stage=c --numbering=seed >"$TMP/list" &&
        $PY tests/dpia/record.py "$TMP/prog" "$TMP/list" n=3 m=4 k=2 m1=2 n1=3 k1=2 >"$TMP/r.c" &&
        gcc -std=gnu11 -Itests/dpia -o "$TMP/r" "$TMP/r.c" -lm || { fail "recording $n"; continue; }
    expect "footprints of $n" 0 "$TMP/r"
    grep -q '^[1-9][0-9]* touches' "$TMP/out" || fail "footprints of $n: nothing touched"
done
# The recording finds races: a parallel loop that adds to one place, and the seed's rule a.9 in place with mapPar.
printf 'in a : n.num\nout r : num\n' >"$TMP/prog"
printf '#pragma omp parallel for\nfor (long i0 = 0; i0 < n; i0++) {\n    r = a[i0] + r;\n}\n' >"$TMP/list"
$PY tests/dpia/record.py "$TMP/prog" "$TMP/list" n=3 >"$TMP/r.c" && gcc -std=gnu11 -Itests/dpia -o "$TMP/r" "$TMP/r.c" -lm
expect "a race is found" 1 "$TMP/r"

driver
expect "driver runs" 0 "$TMP/mm/program" -o "$TMP/out.d" "$TMP/A.npy" "$TMP/B.npy"
got=$($PY -c 'import struct,sys; b=open(sys.argv[1],"rb").read(); print(*struct.unpack("<4f", b[-16:]))' "$TMP/out.d/r.npy" 2>&1)
[ "$got" = "22.0 28.0 49.0 64.0" ] && pass "driver's answer" || fail "driver's answer: $got"

if all_sizes; then
    gcc -std=c11 -g -O1 -fopenmp -w -fsanitize=address,undefined -fno-sanitize-recover=all -o "$TMP/all/sane" "$TMP/all/run.c" -lm &&
        OMP_NUM_THREADS=2 expect "sanitizers of programs at all sizes" 0 "$TMP/all/sane"
fi

# Names: a size that is called as our variables are, and every word that C has another use for.
printf 'size i3\nin xs : i3.num\nout r : num\nr := reduceSeq (+) 0 xs\n' >"$TMP/i3.dpia"
printf '#include "p.h"\nint main(void)\n{\n    float x[3] = { 1, 2, 4 }, r;\n    p(3, x, &r);\n    return r != 7;\n}\n' >"$TMP/i3.c"
for o in "" --plain --numbering=seed; do
    # shellcheck disable=SC2086
    expect "emit size i3 $o" 0 "$CALQUE" emit "$TMP/i3.dpia" -o "$TMP/i3" --name p $o
    # shellcheck disable=SC2086
    gcc $W -I"$TMP/i3" -o "$TMP/i3/run" "$TMP/i3.c" "$TMP/i3/p.c" -lm && expect "the sum $o" 0 "$TMP/i3/run" || fail "size i3 $o"
done
grep '^"' c/emit/name.c | tr -d '" ' | tr ',' '\n' | grep . >"$TMP/words"
LC_ALL=C sort -uc "$TMP/words" && pass "words in order" || fail "name.c is not in order"
mkdir "$TMP/names"
n=$(tests/dpia/names.py "$TMP/names" <"$TMP/words")
[ "$(wc -l <"$TMP/words")" -ge 500 ] && [ "$n" -ge 10 ] || fail "names: $n programs"
for ((k = 0; k < n; k++)); do
    expect "emit names $k" 0 "$CALQUE" emit "$TMP/names/$k.dpia" -o "$TMP/names/d" --name p || continue
    for cc in gcc clang; do
        command -v $cc >/dev/null || { skip "$cc is missing"; continue; }
        # shellcheck disable=SC2086
        $cc $W -I"$TMP/names/d" -o "$TMP/names/run" "$TMP/names/$k.c" "$TMP/names/d/p.c" -lm &&
            expect "$cc names $k" 0 "$TMP/names/run" || fail "$cc names $k"
    done
done
for name in exp int linux double malloc calque_max_f32; do
    expect_error "--name $name" "another use for the name '$name'" "$CALQUE" emit "$TMP/i3.dpia" -o "$TMP/no" --name $name
done

# One text, all sizes: instantiated or not, the commands are the same but for the numbers.
"$CALQUE" dump $P/dl_mul_dl.dpia --stage=comm | sed 's/\bm\b/2/g; s/\bn\b/3/g; s/\bk\b/4/g' >"$TMP/a"
"$CALQUE" dump $P/dl_mul_dl.dpia --stage=comm --size m=2 --size n=3 --size k=4 >"$TMP/b.txt"
cmp -s "$TMP/a" "$TMP/b.txt" && pass "instantiation" || fail "instantiation"
expect "from standard input: a name is needed" 2 "$CALQUE" dump -
expect_error "size twice wrong" "NAME=NUMBER" "$CALQUE" dump $P/product.dpia --size n
expect_error "negative size" "NAME=NUMBER" "$CALQUE" emit $P/product.dpia -o "$TMP/no" --size n=-1
expect_error "unknown size" "no size 'q'" "$CALQUE" dump $P/product.dpia --size q=1
expect_error "unknown numbering" "no numbering" "$CALQUE" dump $P/product.dpia --numbering=other
expect_error "driver without sizes" "--main needs all sizes" "$CALQUE" emit $P/product.dpia -o "$TMP/no" --main
expect_error "missing file" "cannot open" "$CALQUE" dump "$TMP/none.dpia"
[ -e "$TMP/no" ] && fail "an error left output"
finish
