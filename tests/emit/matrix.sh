#!/usr/bin/env bash
# Random graphs over all operators (emit_matrix.c), compiled by gcc and clang at -O1, -O2, -O3, for this processor, for any
# and for x86-64-v3 where there is one, with the other flags of the emitted Makefile; each runs on 1 to 4 threads and is
# compared bit for bit with the interpreter by its own check.c. Many graphs are one program.
# Without --whole every graph is compiled at -O3 for this processor by one of the two, and every other one by another configuration, others at each commit.
# The graphs of tests/emit/matrix, which failed once, are among them.
# A graph that fails is reduced and kept under BUILD/matrix/failed.
# usage: matrix.sh BUILD [--whole] [COUNT [SEED]]
cd "$(dirname "$0")/../.."
B=${1:-.build}
WHOLE=
[ "${2:-}" = --whole ] && WHOLE=1 && shift
COUNT=${2:-300}
SEED=${3:-1}
. tests/lib.sh
D=$(cd "$B" && pwd)/matrix
rm -rf "$D"
mkdir -p "$D/g" "$D/failed"
export OMP_WAIT_POLICY=passive

expect "seed $SEED: $COUNT graphs" 0 "$B/tests/emit/emit_matrix" "$SEED" "$COUNT" "$D/g" || { cat "$TMP/err"; finish; }
echo "operators: $(tr '\n' ',' <"$TMP/out" | sed 's/,$//; s/,/, /g')"

# Graphs that a compiler once got wrong, or that did not compile; the first line has the options.
for f in tests/emit/matrix/*.graph; do
    g=$D/g/g$COUNT
    "$CALQUE" dump "$f" >"$g.graph"
    sed -n '1s/^# *//p' "$f" >"$g.options"
    expect "emit $f: g$COUNT" 0 "$CALQUE" emit "$f" -o "$g" --name "g$COUNT" --vectors 1 $(cat "$g.options")
    COUNT=$((COUNT + 1))
done

# flags CC ARCH LEVEL: those of the emitted Makefile, another -O. ARCH "native": the Makefile's own.
flags() {
    local arch=(ARCH="$2")
    [ "$2" = native ] && arch=()
    printf 'include %s\nprint-flags:\n\t@echo $(CFLAGS)\n' "$D/g/g0/Makefile" |
        make -s -C "$D/g/g0" -f - print-flags CC="$1" "${arch[@]}" | sed "s/-O3/$3/"
}
# The checkers, compiled once: main of graph K is gK_main.
mkdir "$D/check"
for ((k = 0; k < COUNT; k++)); do
    gcc -std=c11 -O0 -fopenmp -Dmain=g${k}_main -c "$D/g/g$k/check.c" -o "$D/check/g$k.o" || fail "g$k: check.c does not compile"
done

# program FILE GRAPHS..: a main that runs the checkers of these graphs, and says where it was when it crashed.
program() {
    local file=$1 k
    shift
    {
        printf '#include <signal.h>\n#include <stdio.h>\n#include <unistd.h>\n'
        for k; do echo "int g${k}_main(int, char **);"; done
        printf 'static const struct { int k; int (*run)(int, char **); } all[] = {\n'
        for k; do echo "    { $k, g${k}_main },"; done
        cat <<'E'
};
static volatile int now;
static void crash(int s)
{
    char t[32];
    int n = snprintf(t, sizeof t, "BAD %d signal %d\n", now, s);
    if (write(1, t, (size_t)n) != n) {}
    _exit(1);
}
int main(int argc, char **argv)
{
    int bad = argc != 2;
    signal(SIGSEGV, crash), signal(SIGBUS, crash), signal(SIGFPE, crash), signal(SIGILL, crash), signal(SIGABRT, crash);
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        char path[4096], *a[] = { path, NULL };
        int s;
        now = all[i].k;
        snprintf(path, sizeof path, "%s/g%d/it", argv[1], all[i].k);
        s = all[i].run(1, a);
        if (s != 0)
            printf("BAD %d status %d\n", all[i].k, s);
        fflush(stdout);
        bad |= s != 0;
    }
    return bad;
}
E
    } >"$file"
}

reduced=0
# configuration CC ARCH LEVEL GRAPHS..
configuration() {
    local cc=$1 arch=$2 level=$3 name o f k g t sources=() objects=() made=() broken=() wrong rc
    shift 3
    name="$cc $level $arch"
    o=$D/${name// /_}
    mkdir -p "$o"
    f=$(flags "$cc" "$([ "$arch" = generic ] && echo "" || echo "$arch")" "$level")
    for k; do
        g=$D/g/g$k
        sources+=("$g/g$k.c")
        [ -e "$g/g${k}_kernels.c" ] && sources+=("$g/g${k}_kernels.c")
    done
    (cd "$o" && $cc $f -c "${sources[@]}") >"$o/log" 2>&1
    for k; do
        if [ -e "$o/g$k.o" ] && { [ ! -e "$D/g/g$k/g${k}_kernels.c" ] || [ -e "$o/g${k}_kernels.o" ]; }; then
            made+=("$k")
        else
            broken+=("$k")
            cp "$D/g/g$k.graph" "$D/failed/"
        fi
    done
    [ ${#broken[@]} = 0 ] || fail "$name: do not compile: ${broken[*]}: $(grep -m 1 error "$o/log")"
    [ ${#made[@]} = 0 ] && return
    for k in "${made[@]}"; do
        objects+=("$o/g$k.o" "$D/check/g$k.o")
        [ -e "$o/g${k}_kernels.o" ] && objects+=("$o/g${k}_kernels.o")
    done
    program "$o/all.c" "${made[@]}"
    if ! (cd "$o" && $cc -fopenmp -o all all.c "${objects[@]}" -lm) >"$o/log" 2>&1; then
        fail "$name: does not link: $(grep -m 1 -i error "$o/log")"
        return
    fi
    "$o/all" "$D/g" >"$o/out" 2>&1
    rc=$?
    rm -f "$o"/*.o
    t=$(grep -c ': identical: 1 vector, 1 to 4 threads' "$o/out")
    wrong=$(sed -n 's/^BAD \([0-9]*\) .*/\1/p' "$o/out")
    if [ $rc = 0 ] && [ "$t" = ${#made[@]} ]; then
        pass "$name: $t graphs identical on 1 to 4 threads"
        return
    fi
    fail "$name: $t of ${#made[@]} graphs identical; wrong:" $wrong
    for k in $wrong; do
        cp "$D/g/g$k.graph" "$D/failed/"
        [ $((reduced++)) -lt 4 ] || continue
        "$PY" tests/emit/matrix_reduce.py "$CALQUE" "$D/g/g$k.graph" "$D/failed/g$k.min.graph" "$(cat "$D/g/g$k.options")" "$cc" "$f"
    done
}

ccs=(gcc)
if command -v clang >/dev/null; then ccs+=(clang); else skip "clang is not here"; fi
arches=(native generic)
v3="-march=x86-64-v3"
if grep -qw avx2 /proc/cpuinfo && grep -qw fma /proc/cpuinfo && grep -qw bmi2 /proc/cpuinfo; then arches+=("$v3"); else skip "no x86-64-v3 here"; fi
all=($(seq 0 $((COUNT - 1))))
others=()
for cc in "${ccs[@]}"; do
    part=()
    for k in "${all[@]}"; do
        [ -n "$WHOLE" ] || [ "$cc" = "${ccs[k % ${#ccs[@]}]}" ] && part+=("$k")
    done
    configuration "$cc" native -O3 "${part[@]}"
    for arch in "${arches[@]}"; do
        for level in -O1 -O2 -O3; do
            [ "$arch $level" = "native -O3" ] || others+=("$cc $arch $level")
        done
    done
done
n=${#others[@]} turn=$((0x$(git rev-parse --short=6 HEAD 2>/dev/null || echo 0))) # others at each commit
for ((i = 0; i < n; i++)); do
    read -r cc arch level <<<"${others[i]}"
    part=()
    for k in "${all[@]}"; do
        [ -n "$WHOLE" ] || [ $(((k + turn) % (2 * n))) = "$i" ] && part+=("$k")
    done
    [ ${#part[@]} = 0 ] || configuration "$cc" "$arch" "$level" "${part[@]}"
done
echo "seed $SEED, $COUNT graphs, $((n + ${#ccs[@]})) configurations${WHOLE:+, all graphs in each}"
finish
