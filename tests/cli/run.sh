#!/usr/bin/env bash
# The command from outside: help, versions, exit statuses, located errors with a caret, no partial output, --json.
# bad/X.gsl and bad/X.graph must be refused with exactly bad/X.*.err (without the path prefix). With `oracle` only what the oracle reads and
# answers. usage: run.sh BUILD [--accept | oracle]
B=${1:-.build}
cd "$(dirname "$0")/../.."
. tests/lib.sh
BAD=tests/cli/bad
GOOD=tests/cli/good/residual.graph

if [ "${2-}" = oracle ]; then
    [ -x "$B/calque-oracle" ] || { echo "SKIP $B/calque-oracle is not here: make oracle"; exit 77; }
    "$CALQUE" dump "$GOOD" --format=sexp >"$TMP/good.sexp"
    for f in tests/cli/good/*.gsl; do
        "$CALQUE" dump "$f" --format=sexp >"$TMP/rules.sexp" || fail "dumps $f"
        expect "the oracle reads $f" 0 "$B/calque-oracle" match "$TMP/good.sexp" "$TMP/rules.sexp"
    done
    "$CALQUE" dump tests/cli/unknown.graph --format=sexp >"$TMP/unknown.sexp"
    "$CALQUE" dump tests/cli/unknown.gsl --format=sexp >"$TMP/unknown.rules"
    expect "the oracle matches operators without a meaning" 0 "$B/calque-oracle" match "$TMP/unknown.sexp" "$TMP/unknown.rules"
    "$CALQUE" match tests/cli/unknown.graph -r tests/cli/unknown.gsl --format=sexp >"$TMP/unknown.txt"
    if cmp -s "$TMP/out" "$TMP/unknown.txt" && [ "$(wc -l <"$TMP/out")" = 6 ]; then pass "they match where the oracle says"
    else fail "they do not match where the oracle says"; fi
    expect "zoo" 0 "$B/tests/zoo/zoo" squeezenet -o "$TMP/s.onnx" --width 0.1 --image 32
    "$CALQUE" dump "$TMP/s.onnx" --format=sexp >"$TMP/s.sexp"
    "$CALQUE" dump c/rewrite/library_merge.gsl --format=sexp >"$TMP/m.sexp"
    expect "the oracle matches a model" 0 "$B/calque-oracle" match "$TMP/s.sexp" "$TMP/m.sexp"
    "$CALQUE" match "$TMP/s.onnx" -r c/rewrite/library_merge.gsl --format=sexp >"$TMP/m.txt"
    if cmp -s "$TMP/out" "$TMP/m.txt" && [ -s "$TMP/m.txt" ]; then pass "match --format=sexp is the oracle's answer"
    else fail "match --format=sexp is not the oracle's answer"; fi
    finish
fi
expect "--help" 0 "$CALQUE" --help
expect "--version" 0 "$CALQUE" --version
expect "no command" 2 "$CALQUE"
expect_error "unknown command" "unknown command" "$CALQUE" frobnicate
for c in check match opt emit grad inline run dump ops profile rules; do
    expect "$c --help" 0 "$CALQUE" $c --help
    grep -q usage "$TMP/out" || fail "$c --help prints no usage"
    expect "$c: unknown option" 2 "$CALQUE" $c --no-such-option
done

for f in $BAD/*.gsl $BAD/*.graph $BAD/*.dpia; do
    case $f in
    *.gsl) expect "refuses $f" 2 "$CALQUE" check --static "$f" ;;
    *.dpia) expect "refuses $f" 2 "$CALQUE" emit "$f" -o "$TMP/out.onnx" ;;
    *) expect "refuses $f" 2 "$CALQUE" opt "$f" -o "$TMP/out.onnx" ;;
    esac
    sed "s,^$f,," "$TMP/err" >"$TMP/got"
    [ "${2-}" = --accept ] && cp "$TMP/got" "$f.err"
    if diff -u "$f.err" "$TMP/got"; then pass "message of $f"; else fail "message of $f"; fi
    [ -e "$TMP/out.onnx" ] && fail "$f left an output file" && rm -f "$TMP/out.onnx"
done

# Every form of rules: well formed, no counterexample (that the oracle reads its S-expression is the part `oracle`).
for f in tests/cli/good/*.gsl; do
    expect "accepts $f" 0 "$CALQUE" check --tries 60 "$f"
    expect "dumps $f" 0 "$CALQUE" dump "$f" --format=sexp
done
for n in diamond small; do
    expect "match in graph $n of a rule file" 0 "$CALQUE" match tests/cli/good/graphs.gsl:$n -r tests/cli/good/graphs.gsl
done
expect_error "no such graph" "no graph none" "$CALQUE" dump tests/cli/good/graphs.gsl:none
expect_error "which graph" "several graphs" "$CALQUE" opt tests/cli/good/graphs.gsl -o "$TMP/o.onnx"

# ONNX: truncated, not ONNX at all, empty, missing, a directory.
expect "zoo" 0 "$B/tests/zoo/zoo" squeezenet -o "$TMP/s.onnx" --width 0.1 --image 32
size=$(stat -c %s "$TMP/s.onnx")
for n in 1 10 100 $((size / 2)) $((size - 1)); do
    head -c "$n" "$TMP/s.onnx" >"$TMP/t.onnx"
    expect_error "truncated to $n bytes" "t.onnx" "$CALQUE" opt "$TMP/t.onnx" -o "$TMP/o.onnx"
    [ -e "$TMP/o.onnx" ] && fail "truncated: left an output file" && rm -f "$TMP/o.onnx"
done
: >"$TMP/empty.onnx"
expect "empty file" 2 "$CALQUE" run "$TMP/empty.onnx" --random 1
expect_error "missing file" "cannot open" "$CALQUE" run "$TMP/none.onnx" --random 1
expect "a directory" 2 "$CALQUE" run "$TMP" --random 1
expect "rule file that is a model" 2 "$CALQUE" match "$TMP/s.onnx" -r "$TMP/s.onnx"
expect_error "output directory missing" "cannot create" "$CALQUE" opt "$TMP/s.onnx" -o "$TMP/no/such/dir.onnx"

. tests/cli/dims.sh
. tests/cli/ops.sh
. tests/cli/profile.sh
. tests/cli/rules.sh

# Inputs of run.
expect_error "input not given" "is not given" "$CALQUE" run "$GOOD"
expect "save inputs" 0 "$CALQUE" run "$GOOD" --random 3 --save-inputs -o "$TMP/r"
expect "run on a file" 0 "$CALQUE" run "$GOOD" x="$TMP/r/x.npy" --compare "$TMP/r" --rtol 0 --atol 0
expect_error "unknown input name" "not INPUT=FILE.npy" "$CALQUE" run "$GOOD" z="$TMP/r/x.npy"
head -c 100 "$TMP/r/x.npy" >"$TMP/x.npy"
expect "truncated npy" 2 "$CALQUE" run "$GOOD" x="$TMP/x.npy"
expect "other inputs differ" 0 "$CALQUE" run "$GOOD" --random 4 -o "$TMP/r4"
expect "--compare says no" 1 "$CALQUE" run "$GOOD" x="$TMP/r/x.npy" --compare "$TMP/r4"

# Tensors as text, of a seed and of the files of that seed.
expect "dump --data" 0 "$CALQUE" dump "$GOOD" --format=sexp --data --random 3 && cp "$TMP/out" "$TMP/data"
expect "dump --data of a file" 0 "$CALQUE" dump "$GOOD" x="$TMP/r/x.npy" --format=sexp --data
cmp -s "$TMP/out" "$TMP/data" && pass "the same data" || fail "dump --data differs between --random and files"
expect "dump --data without inputs" 0 "$CALQUE" dump "$GOOD" --format=sexp --data
expect_error "--data of a text" "--data" "$CALQUE" dump "$GOOD" --data
expect_error "--random without --data" "--random" "$CALQUE" dump "$GOOD" --format=sexp --random 3
expect_error "--data of another input" "not INPUT=FILE.npy" "$CALQUE" dump "$GOOD" z="$TMP/r/x.npy" --format=sexp --data
expect "run --text" 0 "$CALQUE" run "$GOOD" --random 3 --text && cp "$TMP/out" "$TMP/text"
expect "run --text of a file" 0 "$CALQUE" run "$GOOD" x="$TMP/r/x.npy" --text
cmp -s "$TMP/out" "$TMP/text" && grep -q '^(output "' "$TMP/text" && pass "the same text" || fail "run --text differs between --random and files"
expect_error "--text and --json" "--text goes without" "$CALQUE" run "$GOOD" --random 3 --text --json

# Answers.
expect "match finds" 0 "$CALQUE" match "$GOOD"
expect "match --json" 0 "$CALQUE" match "$GOOD" --json
json "$TMP/out" "len(a['matches'])" >/dev/null || fail "match --json is not JSON"
printf 'rule never {\n    x = Wildcard()\n    source Sqrt(Sqrt(x))\n    target Sqrt(x)\n}\n' >"$TMP/never.gsl"
expect "match finds nothing" 1 "$CALQUE" match "$GOOD" -r "$TMP/never.gsl"
expect "match --why" 1 "$CALQUE" match "$GOOD" -r "$TMP/never.gsl" --why never@y
grep -q 'PM-Call' "$TMP/out" || fail "--why names no judgement"
expect "match --rule" 0 "$CALQUE" match "$TMP/s.onnx" -r c/rewrite/library_merge.gsl --rule parallel_conv_expand_kernels
expect "match --rule unknown" 2 "$CALQUE" match "$GOOD" --rule nothing
expect "match --format unknown" 2 "$CALQUE" match "$GOOD" --format=xml
expect "match --format=sexp --json" 2 "$CALQUE" match "$GOOD" --format=sexp --json
expect "match --why unknown rule" 2 "$CALQUE" match "$GOOD" --why nothing
expect "opt to stdout" 0 "$CALQUE" opt "$GOOD" -o -
"$CALQUE" opt "$GOOD" -o - >"$TMP/a.graph" 2>/dev/null
expect "text reads back" 0 "$CALQUE" opt "$TMP/a.graph" -o "$TMP/b.graph"
if cmp -s "$TMP/a.graph" "$TMP/b.graph"; then pass "opt is idempotent"; else fail "opt is idempotent"; fi
expect "opt --check" 0 "$CALQUE" opt "$GOOD" -o "$TMP/c.onnx" --check 3
expect "opt --stats --json" 0 "$CALQUE" opt "$GOOD" -o "$TMP/c.onnx" --stats --json
json "$TMP/out" "a['rules']['conv_bn_fold']['applied']" >/dev/null || fail "opt --json lacks rule counts"
expect "opt --once" 0 "$CALQUE" opt "$GOOD" --once -o "$TMP/c.onnx"
expect "opt --fuel 1" 0 "$CALQUE" opt "$GOOD" --fuel 1 -o "$TMP/c.onnx"
for s in graph kernel dpia comm c packed; do expect "dump --stage=$s" 0 "$CALQUE" dump "$GOOD" --stage=$s; done
for s in text sexp dot; do expect "dump --format=$s" 0 "$CALQUE" dump "$GOOD" --format=$s; done
expect "rules --json" 0 "$CALQUE" rules --json
seed=$(git rev-parse HEAD 2>/dev/null | cksum | cut -d ' ' -f 1) # other instances and mutations at each commit
expect "check library, seed $seed" 0 "$CALQUE" check --tries 80 --seed "$seed" c/rewrite/library_*.gsl
"$CALQUE" opt - -o - <"$GOOD" >"$TMP/d.graph" 2>/dev/null
if cmp -s "$TMP/a.graph" "$TMP/d.graph"; then pass "standard input"; else fail "standard input"; fi
"$CALQUE" rules >/dev/full 2>/dev/null
[ $? = 2 ] && pass "full disk is noticed" || fail "full disk is noticed"
expect "install" 0 make --no-print-directory -s BUILD="$B" DESTDIR="$TMP/inst" PREFIX=/usr install
(cd "$TMP/inst/usr/include/calque" && gcc -MM -D_POSIX_C_SOURCE=200809L -I. calque.h | tr ' ' '\n' | grep -E '\.(h|def)$' | sort -u >"$TMP/public"
    find . -type f | sed 's,^\./,,' | sort | cmp -s - "$TMP/public") && grep -qx graph/graph.h "$TMP/public" && pass "install: calque.h and what it includes" ||
    fail "install: other headers than calque.h includes"
expect "embed: compile against the installed library" 0 gcc -std=c11 -Wall -Wextra -Werror -I"$TMP/inst/usr/include/calque" \
    tests/cli/embed.c -o "$TMP/embed" -L"$TMP/inst/usr/lib" -lcalque -lprotobuf-c -ljansson -lm -fopenmp
expect "embed: run" 0 "$TMP/embed" "$GOOD"
grep -q '^1 rewrites$' "$TMP/out" || fail "embed: another number of rewrites"
expect "files" 0 tests/cli/files.sh "$B" || grep FAIL "$TMP/out"
expect "answers" 0 tests/cli/answers.sh "$B" || grep FAIL "$TMP/out"
expect "null pointers" 0 tests/cli/null.sh "$B" || grep FAIL "$TMP/out"
expect "fuzz" 0 tests/cli/fuzz.sh "$B" 90 "$seed"
tail -n 1 "$TMP/out"
finish
