#!/usr/bin/env bash
# The examples of README and of the READMEs of the rooms, executed as they stand: each line of their `sh run` blocks, in a directory with a
# small model; the rules in README are the rule files tests/doc/*.gsl; every path that they name exists. With `manual` only the manual pages.
# With `oracle` what needs the oracle: its manual pages, the grammar in them against its readers, and the `sh oracle` blocks.
# usage: run.sh BUILD [manual|oracle]
B=${1:-.build}
cd "$(dirname "$0")/../.."
. tests/lib.sh
TOP=$PWD
ZOO=$(cd "$B" && pwd)/tests/zoo/zoo

if [ "${2:-}" = manual ]; then
    need groff groff-base
    coq/doc/man.sh "$CALQUE" "$TMP" 2>"$TMP/errors" && [ ! -s "$TMP/errors" ] || { fail "c/cli/man.sh"; cat "$TMP/errors"; }
    for page in calque.1 calque-rules.5 calque-kernel.5 calque-dpia.5; do
        groff -mdoc -Tutf8 -ww "$TMP/$page" >"$TMP/page" 2>"$TMP/warnings"
        [ -s "$TMP/page" ] && [ ! -s "$TMP/warnings" ] && pass "$page" || { fail "$page"; cat "$TMP/warnings"; }
    done
    # The pages of the languages say what their readers know.
    for f in $(sed -n 's/^FN([A-Z0-9_]*, "\([a-z][a-z0-9]*\)".*/\1/p' c/kernel/fn.def); do
        grep -q "^\.It $f(" "$TMP/calque-kernel.5" && pass "calque-kernel.5 has $f" || fail "calque-kernel.5 has not $f"
    done
    for f in mapPar mapSeq reduceSeq generatePar generateSeq zip split join transpose reverse select scalar; do
        grep -q "\<$f\>" c/dpia/parse.c c/dpia/syntax.c c/dpia/syntax_exp.c c/dpia/elab.c && grep -q "\<$f\>" "$TMP/calque-dpia.5" &&
            pass "calque-dpia.5 has $f" || fail "calque-dpia.5 has not $f"
    done
    # Their examples are read.
    examples() { awk '/^\.Sh EXAMPLES/ { on = 1; next } /^\.Sh/ { on = 0 } on && !/^\./' "$1" | sed 's/\\-/-/g; s/\\e/\\/g; s/^\\&//'; }
    for l in kern dpia; do
        page=calque-$([ $l = kern ] && echo kernel || echo dpia).5
        examples "$TMP/$page" | awk -v base="$TMP/example" -v l=$l '/^# / { n++ } { print >(base n "." l) }'
        for f in "$TMP"/example*.$l; do expect "$page: $(head -n 1 "$f")" 0 "$CALQUE" dump "$f"; done
        grep -qE '^(static|#include|enum|return)' "$TMP/$page" && fail "$page has code of C" || pass "$page has no code of C"
    done
    finish
fi
if [ "${2:-}" = oracle ]; then
    ORACLE=$(dirname "$CALQUE")/calque-oracle
    [ -x "$ORACLE" ] || { echo "SKIP $ORACLE is not here: make oracle"; exit 77; }
    need groff groff-base
    expect "the grammar is that of the readers" 0 "$ORACLE" grammar --check
    expect "oracle/man.sh" 0 oracle/man.sh "$ORACLE" "$TMP"
    for page in "$TMP"/calque-oracle*.[17]; do
        groff -man -Tutf8 -ww "$page" >"$TMP/page" 2>"$TMP/warnings"
        [ -s "$TMP/page" ] && [ ! -s "$TMP/warnings" ] && pass "$(basename "$page")" || { fail "$(basename "$page")"; cat "$TMP/warnings"; }
    done
    [ "$(ls "$TMP"/calque-oracle*.[17] | wc -l)" -ge 18 ] && pass "a page for each command" || fail "a page for each command"
    grep -q 'REQUEST' "$TMP/calque-oracle.7" && grep -q 'eval EXPR ENV' "$TMP/calque-oracle-attr.1" &&
        pass "the pages have the grammar" || fail "the pages have the grammar"
    # Lines of `sh oracle` blocks, in order; one that finds a difference says so behind a #.
    mkdir "$TMP/work" && ln -s "$TOP/tests" "$TMP/work/tests"
    expect "a model" 0 "$ZOO" transformer -o "$TMP/work/model.onnx" --width 0.02 --image 2
    awk '/^```sh oracle/ {on=1; next} /^```/ {on=0} on' README.md tests/README.md >"$TMP/lines"
    [ "$(wc -l <"$TMP/lines")" -ge 3 ] || fail "there are no sh oracle examples"
    while read -r line; do
        case $line in *'# differs'*) want=1 ;; *) want=0 ;; esac
        expect "${line%%#*}" $want bash -c "cd '$TMP/work' && PATH=$(dirname "$CALQUE"):\$PATH && ${line%%#*}"
    done <"$TMP/lines"
    grep -q '^(eval (mod ' "$TMP/work/calque-attr.cases" && pass "the example finds its bug" || fail "the example finds its bug"
    finish
fi
DOCS=$(echo README.md; find c coq acsl tests oracle -name '*.md' | sort)
awk '/^```sh run/ {on=1; next} /^```/ {on=0} on' $DOCS >"$TMP/lines"
[ "$(wc -l <README.md)" -le 250 ] && pass "README has at most 250 lines" || fail "README has more than 250 lines"
[ -s "$TMP/lines" ] || fail "README has no examples"
for f in tests/doc/*.gsl; do
    if "$PY" -c 'import sys; sys.exit(open(sys.argv[1]).read().strip() not in open("README.md").read())' "$f"; then
        pass "the README has the rule of $f"
    else
        fail "the README has not the rule of $f"
    fi
    want=0
    grep -q :: "$f" && want=1 # an operator without a meaning: not tested
    expect "check $f" $want "$CALQUE" check "$f"
done
printf 'graph g {\n input x: f32[2, 4]\n param w1: f32[4, 3]\n param w2: f32[4, 6]\n param w3: f32[4, 1]\n return Relu(MatMul(x, w1)), MatMul(x, w2), MatMul(x, w3)\n}\n' >"$TMP/mm.graph"
expect "merge by the rule of the README" 0 "$CALQUE" opt "$TMP/mm.graph" -r tests/doc/parallel_matmul.gsl -o "$TMP/merged.graph" --check 2
[ "$(grep -c MatMul "$TMP/merged.graph")" = 1 ] && pass "one MatMul is left" || fail "one MatMul is left"
mkdir "$TMP/work"
ln -s "$TOP/tests" "$TMP/work/tests"
expect "model" 0 "$ZOO" squeezenet -o "$TMP/work/model.onnx" --width 0.1 --image 32
wp=$(one_of $(grep -n 'make -s .* wp' "$TMP/lines" | cut -d : -f 1)) # of the proofs by Frama-C one: the others at other commits
number=0
while read -r line; do
    number=$((number + 1))
    case $line in
    make*' wp'*) [ $number = "$wp" ] || line=${line/ wp/} ;;& # what is left of it is compiled
    *--why*) want=1 ;; # a negative answer: conv_bn_fold has nothing to match in this model
    *) want=0 ;;
    esac
    expect "${line%%#*}" $want bash -c "cd '$TMP/work' && PATH=$(dirname "$CALQUE"):\$PATH && ${line%%#*}"
done <"$TMP/lines"
coq/doc/man.sh "$CALQUE" "$TMP" || fail "c/cli/man.sh"
for o in $(for c in $("$CALQUE" --help | awk '/^  [a-z]/ { print $1 }'); do "$CALQUE" "$c" --help; done | grep -oE '\-\-[a-z][a-z-]*' | sort -u); do
    grep -q -F -- "$(printf '%s' "$o" | sed 's/-/\\-/g')" "$TMP/calque.1" && pass "calque.1 has $o" || fail "calque.1 has not $o"
done
# The number of programs whose contracts are proved, and of their goals.
read -r cases goals < <(awk '/^[*-] / { n++; s += $3 } END { print n, s }' tests/emit/acsl_expected.txt)
said="lists the $cases programs, kernels, gradients and models tried, with their numbers of goals ($(sed 's/...$/,&/' <<<"$goals") in all)"
grep -qF "$said" c/emit/README.md && pass "c/emit/README.md $said" || fail "c/emit/README.md has not: $said"
for doc in $DOCS; do
    for p in $(grep -oE '`(c|coq|acsl|oracle|tests)/[A-Za-z0-9_./-]+`' "$doc" | tr -d '`' | sort -u); do
        if [ -e "$p" ]; then pass "$doc names $p"; else fail "$doc names $p, which is not there"; fi
    done
done
finish
