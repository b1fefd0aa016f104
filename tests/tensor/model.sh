#!/usr/bin/env bash
# usage: model.sh ORACLE CALQUE GRAPHS [N [SEED]]
# Whole models, differentially: N random graphs (1440) of GRAPHS ("model_graphs") that mix element types, each operator by turns,
# and those of tests/tensor/models, which failed once; `CALQUE run --text` and `ORACLE model` (graph_eval of coq/rewrite over the
# mixed numbers of coq/tensor) must print the same outputs. Where CALQUE finds an index of a Gather outside, the oracle must have no
# value; where it divides an integer by 0 (the semantics has no number there, and goes on) the graph is skipped, and counted. A graph that
# differs is made smaller as long as it differs. Then `calque-oracle diff model`, which makes 8 N models of its own, against the model_text
# beside GRAPHS: every operator, element type and attribute must be in an answer that is equal; a model_text that takes one
# operator for another must be found, and shrunk to that operator alone, and one that passes over (sums lanes) or (fma). Exit status: 0 equal, 1 different, 2 usage, 77 skipped.
set -u
[ $# -ge 3 ] || { sed -n 's/^# usage/usage/p' "$0" >&2; exit 2; }
oracle=$1 calque=$2 graphs=$3 n=${4-1440} seed=${5-1}
here=$(dirname "$0")
[ -x "$oracle" ] || { echo "SKIP tensor/model: $oracle is missing (make oracle)"; exit 77; }
text=$(dirname "$graphs")/model_text
for f in "$calque" "$graphs" "$text"; do [ -x "$f" ] || { echo "FAIL tensor/model: $f is missing"; exit 1; }; done
tmp=$(mktemp -d) || exit 3
trap 'rm -rf "$tmp"' EXIT

# request GRAPH: as the oracle reads it; command GRAPH: what the command prints, or why it refuses.
request() { "$calque" dump "$1" --format=sexp --data --random "$seed"; }
command_answer() {
    "$calque" run "$1" --random "$seed" --threads 1 --text 2>"$tmp/err" ||
        case $(cat "$tmp/err") in
        *"division by zero"*) echo "(skip division by zero)" ;;
        *", not in "*) echo "(none Gather)" ;;
        *) echo "(refused)" && cat "$tmp/err" ;;
        esac
}
oracle_answer() { "$oracle" model | sed 's/^(none "[^"]*" Gather)$/(none Gather)/'; }

# differs GRAPH: is it so? The answers are in $tmp/a and $tmp/b.
differs() {
    request "$1" >"$tmp/request" || return 1
    command_answer "$1" >"$tmp/a"
    oracle_answer <"$tmp/request" | sed '/^$/d' >"$tmp/b"
    ! grep -q '^(skip' "$tmp/a" && ! cmp -s "$tmp/a" "$tmp/b"
}
# shrink GRAPH: the smallest that differs on the way down, and the answers.
shrink() {
    local g=$1 s again=yes
    while [ "$again" ]; do
        again=
        rm -rf "$tmp/less" && mkdir "$tmp/less" && "$graphs" --smaller "$g" "$tmp/less"
        for s in $(ls -Sr "$tmp/less"); do
            [ "$(wc -c <"$tmp/less/$s")" -lt "$(wc -c <"$g")" ] && differs "$tmp/less/$s" || continue
            cp "$tmp/less/$s" "$tmp/least.graph"
            g=$tmp/least.graph again=yes
            break
        done
    done
    differs "$g"
    cat "$g"
    echo "command: $(cut -c 1-600 "$tmp/a")"
    echo "oracle:  $(cut -c 1-600 "$tmp/b")"
}

mkdir "$tmp/g"
"$graphs" "$n" "$seed" "$tmp/g" || { echo "FAIL tensor/model: no graphs"; exit 1; }
for f in "$here"/models/*.graph; do
    [ -e "$f" ] && cp "$f" "$tmp/g/$(basename "$f")"
done
ls "$tmp/g" | sort -n | sed "s|^|$tmp/g/|" >"$tmp/names"
while read -r g; do
    request "$g" >>"$tmp/requests" || { cat "$g"; echo "FAIL tensor/model: $g cannot be read"; exit 1; }
    echo >>"$tmp/requests"
    command_answer "$g" >>"$tmp/want"
    echo >>"$tmp/want"
done <"$tmp/names"
oracle_answer <"$tmp/requests" >"$tmp/got"

# For each graph: equal, none, skip REASON or differ; and the operators of those that are equal.
awk -v RS= -v want="$tmp/want" -v requests="$tmp/requests" -v names="$tmp/names" -v ops="$tmp/ops" -v differ="$tmp/differ" '
    BEGIN { RS = "\n"; while ((getline name[++k] < names) > 0); RS = "" }
    { getline w < want; getline q < requests; total++ }
    w ~ /^\(skip/ { skip[w]++; next }
    $0 != w { bad++; print name[NR] > differ; next }
    /^\(none/ { none++; next }
    {
        same++; types = 0; split("", seen)
        m = split(q, line, "\n")
        for (i = 1; i <= m; i++) {
            if (match(line[i], /\(op [A-Za-z0-9]+/)) op[substr(line[i], RSTART + 4, RLENGTH - 4)]++
            if (match(line[i], /^  \([0-9]+ "[^"]*" \([a-z0-9]+/)) {
                t = substr(line[i], RSTART, RLENGTH); sub(/.*\(/, "", t); if (!(t in seen)) { seen[t] = 1; types++ }
            }
        }
        mixed += types > 1
        for (t in seen) with[t]++
    }
    END {
        printf "%d graphs: %d equal (%d of several element types:", total, same, mixed
        for (t in with) printf " %s %d", t, with[t]
        printf "), %d without a value on both sides", none
        for (s in skip) printf ", %d skipped %s", skip[s], s
        printf ", %d differ\n", bad
        for (o in op) print o, op[o] > ops
        exit bad > 0 || total == 0 || skip["(skip division by zero)"] * 20 > total
    }' "$tmp/got"
status=$?
touch "$tmp/ops"
sort "$tmp/ops" | awk '{ printf "%s%s %d", (NR > 1 ? ", " : "operators: "), $1, $2 } END { print "" }'
[ "$(wc -l <"$tmp/ops")" = "$(grep '^OP(' "$here/../../c/tensor/ops.def" | grep -vc Opaque)" ] || { echo "an operator is in no graph that is equal"; [ "$n" -lt 90 ] || status=1; }
[ "$(wc -l <"$tmp/names")" = "$(awk -v RS= 'END { print NR }' "$tmp/got")" ] || { echo "answers are missing"; status=1; }
if [ -s "$tmp/differ" ]; then
    head -n 3 "$tmp/differ" | while read -r g; do echo "$(basename "$g"), made smaller:"; shrink "$g"; done
    [ -z "${KEEP-}" ] || { mkdir -p "$KEEP"; xargs -I{} cp {} "$KEEP" <"$tmp/differ"; }
fi

# Models that the oracle makes.
"$oracle" diff model --against "'$text'" --count $((8 * n)) --seed "$seed" -o "$tmp/minimal" >"$tmp/report" || { status=1; sed -n '/^[a-z]*: case/,$p' "$tmp/report"; }
sed -n 1p "$tmp/report"
# Where C has no kernel, but for tensors without cells.
left=$(sed -n 's/^not covered: //p' "$tmp/report" | sed 's/, /\n/g' | grep -vE '^(Erf|Gemm|MaxPool|Pow|ReduceMean) (i32|i64)$')
[ -z "$left" ] || { echo "not covered: $left"; [ "$n" -lt 240 ] || status=1; }
# Each operator and attribute of the C table is one that must be covered.
tr ',' '\n' <"$tmp/report" | sed 's/^[a-z ]*: //; s/^ //; s/ [0-9]*$//; s/=.*//' | sort -u >"$tmp/labels"
sed -n 's/^OP_ATTR(\([A-Za-z0-9]*\), \([A-Za-z_]*\),.*/\1.\2/p; s/^OP(\([A-Za-z0-9]*\),.*/\1/p' "$here/../../c/tensor/ops.def" | grep -v '^Opaque\|^operator' | sort -u | comm -23 - "$tmp/labels" >"$tmp/missing"
[ -s "$tmp/missing" ] && { echo "not generated: $(paste -sd' ' "$tmp/missing")"; status=1; }
for jobs in 1 2; do "$oracle" diff model --against "'$text'" --count 200 --seed "$seed" --jobs $jobs | sed -n '1p;/^covered/p' >"$tmp/jobs$jobs"; done
cmp "$tmp/jobs1" "$tmp/jobs2" || { echo "a case depends on the jobs"; status=1; }
# A model_text with a fault.
fault() { # fault OPERATOR OTHER NODES: a request of the operator alone, of few nodes
    rm -f "$tmp/fault"
    "$oracle" diff model --against "sed -u 's/(op $1 /(op $2 /' | '$text'" --count 2000 --seed "$seed" --stop-after 4 -o "$tmp/fault" >"$tmp/report"
    [ $? = 1 ] && [ "$(grep -v "^#" "$tmp/fault" | grep -c "(op ")" = "$(grep -v "^#" "$tmp/fault" | grep -c "(op $1 ")" ] && grep -q "^ .*(op $1 " "$tmp/fault" &&
        [ "$(sed -n 's/.*steps to \([0-9]*\) nodes/\1/p' "$tmp/report" | sort -n | head -n 1)" -le "$3" ] &&
        ! "$oracle" diff model --against "sed -u 's/(op $1 /(op $2 /' | '$text'" --cases "$tmp/fault" -o "$tmp/again" >/dev/null &&
        "$oracle" diff model --against "'$text'" --cases "$tmp/fault" >/dev/null && return
    echo "$1 taken for $2 is not found, or not made small"
    cat "$tmp/report" "$tmp/fault"
    status=1
}
fault Max Min 30
fault LessOrEqual Less 26
# One that leaves a choice of sums out.
for line in "(sums lanes)" "(fma)"; do
    "$oracle" diff model --against "sed -u '/^$line\$/d' | '$text'" --count 2000 --seed "$seed" --stop-after 1 -o "$tmp/without" >"$tmp/report"
    [ $? = 1 ] && grep -q "^$line\$" "$tmp/without" || { echo "that $line is left out is not found"; status=1; }
done
if [ $status = 0 ]; then echo "PASS tensor/model ($n graphs, seed $seed)"
else echo "FAIL tensor/model (seed $seed)"; exit 1; fi
