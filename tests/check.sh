#!/usr/bin/env bash
# Runs every suite, one line each; the last line is `N passed, N failed, N skipped`. A suite is a command: exit 0 passes,
# 77 skips (its last line says why), anything else fails and its log is shown. A part that can be skipped is a suite of its own:
# one that passes and says SKIP on a line fails. Three lanes for two cores, as a suite also waits, for the disk, for what hangs on
# purpose: proofs, programs and checks of the provers, in their order; a lane that is through takes the others' suites from the end,
# where short ones stand, so that none waits long. Then the proofs of the C, which take both cores. Some suites are a part here;
# tests/README.md says what runs the whole. BUILD/log/processor has each suite's seconds of processor, user and system.
# usage: tests/check.sh BUILD
set -u
cd "$(dirname "$0")/.."
B=${1:-.build}
LOG=$B/log
RES=$B/results
rm -rf "$LOG" "$RES"
mkdir -p "$LOG"
export OPT=-O2 # no debugging information, a fifth of the time: nobody looks at it here
export TEST_OPT=-O0 # the programs that test: half of the time to compile them
export OMP_WAIT_POLICY=passive # a lane has one core: a thread that waits does not spin on it
: >"$RES"

suite() { printf '%q ' "$@"; echo; } # a line of a lane's list: suite NAME COMMAND...
run() { # run NAME COMMAND...
    local name=$1 start end rc last
    shift
    start=$(date +%s.%N)
    TIMEFORMAT="%U %S $name"
    { time "$@" >"$LOG/${name//\//_}.log" 2>&1 </dev/null; } 2>>"$LOG/processor"
    rc=$?
    end=$(date +%s.%N)
    last=$(grep -v '^[[:space:]]*$' "$LOG/${name//\//_}.log" | tail -n 1 | cut -c 1-150)
    [ $rc = 0 ] && grep -q '^SKIP' "$LOG/${name//\//_}.log" && rc=1 last="a part was skipped: $(grep -m 1 '^SKIP' "$LOG/${name//\//_}.log")"
    case $rc in
    0) word=PASS ;;
    77) word=SKIP ;;
    *) word=FAIL ;;
    esac
    echo "$word $name" >>"$RES"
    printf '%s %-22s %6.1f s  %s\n' "$word" "$name" "$(echo "$end $start" | awk '{print $1 - $2}')" "$last"
    [ $word = FAIL ] && tail -n 40 "$LOG/${name//\//_}.log" | sed 's/^/    | /'
    return 0
}

export PATH=/usr/bin:/bin:$PATH # what `make deps` has installed comes before other tools of the same names
PYTHON=/usr/bin/python3
M="make --no-print-directory -s"
proofs() {
    suite coq env SHARE=16 $M BUILD="$B" check-coq
    suite oracle $M BUILD="$B" check-oracle
    suite doc/operator-coq tests/doc/examples.sh "$B" operator coq
    suite doc/rule-coq tests/doc/examples.sh "$B" rule coq
    suite extraction $M BUILD="$B" EXTRACTION=50 check-extraction
    suite diff/attr $M BUILD="$B" ATTR_DIFF=25000 diff-attr
    suite diff/against $M BUILD="$B" diff-against
    suite onnx/vectors $M BUILD="$B" check-vectors
    suite onnx/compositions $M BUILD="$B" COMPOSITION_CASES=12 check-compositions
    suite doc/oracle tests/doc/run.sh "$B" oracle
    suite oracle/build $M BUILD="$B" "$B/tests/oracle/both"
    suite oracle/library tests/oracle/library.sh "$B"
    suite campaign tests/campaign/run.sh "$B"
    suite diff/kernel $M BUILD="$B" KERNEL_DIFF=6000 diff-kernel
    suite diff/opkernel $M BUILD="$B" diff-opkernel
    suite diff/math tests/kernel/math.sh "$B"
    suite diff/opvalue $M BUILD="$B" diff-opvalue
    suite diff/model $M BUILD="$B" MODEL_DIFF=480 diff-model
    suite diff/nodes $M BUILD="$B" NODES=part diff-nodes
    suite diff/dpia $M BUILD="$B" DPIA_DIFF=700 diff-dpia
    suite diff/emit $M BUILD="$B" EMIT_DIFF=14 diff-emit
    suite emit/sums-oracle tests/emit/sums.sh "$B" oracle
    suite emit/fma-oracle tests/emit/fma.sh "$B" oracle
    suite diff/validate $M BUILD="$B" diff-validate
    suite diff/gsl $M BUILD="$B" GSL_DIFF=20000 diff-gsl
    suite rules $M BUILD="$B" check-rules
    suite cli/oracle $M BUILD="$B" check-cli-oracle
    suite regress $M BUILD="$B" diff-regress
    suite onnx/vectors-checker tests/onnx/backend.sh "$B" checker
    suite onnx/shim tests/onnx/shim.sh "$B"
    suite onnx/ort tests/onnx/ort_report.sh "$B" 700 # if `make ort-report` got the package
}
provers() { # what needs the sources alone
    suite wp/mutants $M BUILD="$B" SAMPLE=2 wp-mutants
    suite wp/guard $M BUILD="$B" GUARD_SECONDS=1 wp-guard-check
    suite wp/units "$PYTHON" tests/base/units.py
    suite wp/runs env BUILD="$B" "$PYTHON" tests/base/prove_runs.py
    suite wp/kills "$PYTHON" tests/base/mutants.py
}
programs() {
    suite build/gcc $M BUILD="$B" all
    suite build/clang $M BUILD="$B/clang" CC=clang OPT=-O1 SAN="$(tests/fuzz/flags.sh)" all
    suite trace $M BUILD="$B" trace
    suite reach tests/base/reach.sh "$B"
    suite sizes tests/base/sizes.sh "$B"
    for u in $($M BUILD="$B" list-units); do
        case $u in tests/emit/unit_* | tests/kernel/unit_run.c | tests/kernel/unit_grad_random.c | tests/rewrite/unit_equiv.c) share=8 ;; *) share=1 ;; esac
        suite "unit/$(echo "$u" | sed 's,tests/,,;s,unit_,,;s,\.c$,,')" env UNIT_SHARE=$share $M BUILD="$B" unit U="$u"
    done
    suite unit/sanitized tests/sanitized.sh "$B"
    suite fuzz tests/fuzz/check.sh "$B"
    suite emit/math tests/emit/math.sh "$B"
    suite emit/sums tests/emit/sums.sh "$B"
    suite emit/fma tests/emit/fma.sh "$B"
    suite bench tests/bench/small.sh "$B"
    suite fuzz/run tests/fuzz/check.sh "$B" run
    suite emit/acsl tests/emit/acsl.sh "$B"
    suite emit/vectors tests/emit/vectors.sh "$B"
    suite emit/matrix tests/emit/matrix.sh "$B" 90
    suite emit/freestanding env FREE_SHARE=12 tests/emit/freestanding.sh "$B"
    suite eacsl tests/base/eacsl.sh "$B"
    suite emit/eacsl tests/emit/eacsl.sh "$B"
    suite eva $M BUILD="$B" EVA_SHARE=4 eva
    suite rewrite/models tests/rewrite/models.sh "$B"
    suite rewrite/metadata tests/rewrite/metadata.sh "$B"
    suite rewrite/equiv tests/rewrite/equiv.sh "$B"
    suite onnx/operators tests/onnx/operators.sh "$B"
    suite onnx/checker tests/onnx/operators.sh "$B" checker
    suite onnx/external tests/onnx/external.sh "$B"
    suite onnx/external-checker tests/onnx/external.sh "$B" checker
    suite onnx/roundtrip tests/onnx/roundtrip.sh "$B"
    suite onnx/copies tests/onnx/roundtrip.sh "$B" checker
    suite onnx/order tests/onnx/order.sh "$B"
    suite onnx/nodes tests/onnx/node_tests.sh "$B"
    suite onnx/emitted env ONNX_SHARE=2 tests/onnx/emit_tests.sh "$B"
    suite zoo/clang env ZOO_TURN=2 ZOO_SHARE=2 tests/zoo/run.sh "$B" clang
    suite zoo/quantised tests/zoo/quantised.sh "$B"
    suite zoo/nets env NETS_SHARE=3 tests/zoo/nets.sh "$B"
    suite zoo/nets-clang env NETS_SHARE=3 tests/zoo/nets.sh "$B" clang
    for s in tests/cli/run.sh tests/kernel/run.sh tests/rewrite/run.sh tests/budget/run.sh tests/emit/run.sh tests/emit/ranges.sh tests/emit/lookups.sh tests/dpia/run.sh tests/bad-rules/run.sh tests/zoo/run.sh tests/doc/run.sh; do
        args=
        [ $s != tests/emit/ranges.sh ] || args=1
        suite "$(echo $s | sed 's,tests/,,;s,/run.sh,,')" env ZOO_TURN=2 ZOO_SHARE=2 $s "$B" $args
    done
    suite report tests/cli/report.sh "$B"
    suite doc/operator tests/doc/examples.sh "$B" operator
    suite doc/rule tests/doc/examples.sh "$B" rule
    suite doc/reference tests/doc/site.sh "$B"
    # What needs more than the compiler.
    suite doc/manual tests/doc/run.sh "$B" manual
    suite doc/reference-browser tests/doc/site.sh "$B" browser
    suite report-browser tests/cli/report.sh "$B" browser
    suite emit/clang tests/emit/run.sh "$B" clang
    suite emit/sums-clang tests/emit/sums.sh "$B" clang
    suite emit/fma-clang tests/emit/fma.sh "$B" clang
    for p in clang m7 m7-run arm arm64; do suite emit/math-$p tests/emit/math.sh "$B" $p; done
    suite emit/misra tests/emit/misra.sh "$B"
    for p in clang m4 m7 m32 arm arm64 riscv64; do suite emit/freestanding-$p env FREE_SHARE=3 tests/emit/freestanding.sh "$B" $p; done
    for p in arm arm64; do suite zoo/$p env ZOO_SHARE=6 tests/zoo/cross.sh "$B" $p; done
    suite zoo/checker tests/zoo/run.sh "$B" checker
    suite dpia/clang tests/dpia/run.sh "$B" clang
    suite dpia/memcheck tests/dpia/run.sh "$B" memcheck
    suite kernel/clang tests/kernel/run.sh "$B" emitted clang
    for cc in gcc clang; do suite kernel/training-$cc tests/kernel/run.sh "$B" training $cc; done
    # Files that are not of the project: what they are compared with is tested above.
    suite kernel/published tests/kernel/published.sh "$B"
    suite onnx/light tests/onnx/roundtrip.sh "$B" light
    suite light tests/light/run.sh "$B"
}
# take LIST head|tail: the first or last line, taken off the list; false: none is left
take() {
    (
        flock 9
        [ -s "$LOG/$1" ] || exit 1
        if [ "$2" = head ]; then sed -n 1p "$LOG/$1" && sed -i 1d "$LOG/$1"; else sed -n '$p' "$LOG/$1" && sed -i '$d' "$LOG/$1"; fi
    ) 9>"$LOG/lock"
}
ended() { grep -q " $1\$" "$RES"; }
# A suite of another lane; false: none is left, or what it needs is not built yet.
other() { take provers tail || { ended build/clang && take programs tail; } || { ended oracle && take proofs tail; }; }
lane() { # lane OWN
    local line
    while [ -s "$LOG/proofs" ] || [ -s "$LOG/programs" ] || [ -s "$LOG/provers" ]; do
        if line=$(take "$1" head) || line=$(other); then eval "run $line"; else sleep 1; fi
    done
}
for l in proofs programs provers; do $l >"$LOG/$l"; done
lane proofs & # the longest: the others wait for it rather than it for them
for l in programs provers; do (renice -n 5 -p $BASHPID >/dev/null; lane $l) & done
wait
JOBS=2 run wp $M BUILD="$B" WP_SECONDS=20 wp-check
run wp/pending env BUILD="$B" python3 acsl/prove.py pending
p=$(grep -c ^PASS "$RES") f=$(grep -c ^FAIL "$RES") s=$(grep -c ^SKIP "$RES")
[ "$s" -eq 0 ] || echo "skipped: $(sed -n 's/^SKIP //p' "$RES" | paste -sd' ')"
echo "$p passed, $f failed, $s skipped"
[ "$f" -eq 0 ] && [ "$p" -gt 0 ]
