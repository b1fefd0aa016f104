#!/bin/sh
# usage: extraction.sh BUILD [N [SEED]]
# Extraction, checked: N answers (200) of each of the oracle's commands attr, match, check, rewrite, kernel and inline to random
# requests are stated as Coq examples about the definitions and proved there by computation. Requests are short ones, so that
# Coq reads them fast. A corrupted answer of each kind must be refused. Exit status: 0 proved, 1 not, 2 usage, 77 skipped.
set -u
[ $# -ge 1 ] || { sed -n 's/^# usage/usage/p' "$0" >&2; exit 2; }
build=$1
n=${2-200}
seed=${3-1}
oracle=$build/calque-oracle

if ! command -v coqc >/dev/null || [ ! -x "$oracle" ]; then
    echo "SKIP coq/extraction: coqc or $oracle is missing (make oracle)"
    exit 77
fi
dir=$build/extraction
mkdir -p "$dir"
rm -f "$dir"/*
failed=0

# short BYTES: the blocks of standard input, ended by a line `end`, up to that length
short() { awk -v most="$1" '{ s = s $0 "\n" } $0 == "end" { if (length(s) < most) printf "%s", s; s = "" }'; }

"$oracle" attr --generate "$n" --full --seed "$seed" >"$dir/attr" 2>/dev/null
"$oracle" gsl --generate $((n * 12)) --seed "$seed" 2>/dev/null | short 1800 >"$dir/match"
short 1400 <"$dir/match" >"$dir/rewrite"
cp "$dir/match" "$dir/check"
"$oracle" kernel --generate $((n * 45)) --seed "$seed" | awk 'BEGIN { RS = ""; ORS = "\n\n" } length($0) < 450' >"$dir/kernel"
cp "$dir/kernel" "$dir/inline"

for command in attr match check rewrite kernel inline; do
    file=$dir/${command}_examples
    "$oracle" examples "$command" --most "$n" <"$dir/$command" >"$file.v" 2>/dev/null
    stated=$(grep -ac '^Example ' "$file.v")
    if [ "$stated" != "$n" ]; then
        echo "$command: $stated examples instead of $n"
        failed=1
    fi
    # Of an answer the least common kind must occur too.
    case $command in
    attr) few='^  = None\|^  = false' many='^  = (Some\|^  = true' ;;
    match) few='^  = \[\]' many='^  = \[((MState' ;;
    check) few='^  = false' many='^  = true' ;;
    rewrite) few=', \[\])\.$' many=', \[("r", [0-9]*).*\])\.$' ;;
    kernel) few='^  = \[(0,' many='^  = \[(' ;;
    inline) few='^  = (inr' many='^  = (inl' ;;
    esac
    [ "$(grep -ac "$few" "$file.v")" -ge $((n / 10)) ] && [ "$(grep -ac "$many" "$file.v")" -ge $((n / 10)) ] ||
        { echo "$command: too few answers of a kind"; failed=1; }
    # The first example with the answer of a later one that differs.
    awk '/^Example / { k++; if (k > 1) next }
         k == 0 { print; next }
         k == 1 && /^  = / { answer = $0; next }
         k == 1 && !/^Proof/ { print; next }
         k > 1 && /^  = / && $0 != answer { print; wrong = 1; next }
         wrong && /^Proof/ { print; exit }' "$file.v" >"$dir/wrong.v"
    if ! grep -q '^Proof' "$dir/wrong.v" || coqc -q -noglob -Q "$build/coq" Calque "$dir/wrong.v" >"$dir/wrong.log" 2>&1 ||
       ! grep -q 'Unable to unify\|Illegal application\|has type' "$dir/wrong.log"; then
        echo "$command: a wrong answer was not refused"
        head -n 3 "$dir/wrong.log" | cut -c 1-300
        failed=1
    fi
    start=$(date +%s)
    if ! coqc -q -noglob -Q "$build/coq" Calque "$file.v" >"$file.log" 2>&1; then
        head -n 20 "$file.log" | cut -c 1-300
        failed=1
    fi
    echo "$command: $stated answers proved in Coq, $(($(date +%s) - start)) s"
done
if [ $failed = 0 ]; then echo "PASS coq/extraction ($n answers a command, seed $seed)"
else echo "FAIL coq/extraction (seed $seed)"; fi
exit $failed
