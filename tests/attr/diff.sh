#!/bin/sh
# usage: diff.sh ORACLE COMMAND [N [SEED]]
# The attr room, differentially. First the cases written by hand in diff_cases.txt, where both
# ORACLE ("calque-oracle") and COMMAND (a program that reads the same requests) must give the
# expected answers; then N random requests of the whole language (100000) and half as many without comprehensions
# and what belongs to them (which finds more arithmetic), where both must give the same; and the text that COMMAND
# prints of the expressions is the one it read, and the values it finds with a memo are the same. On a difference the shortest failing request is shown, and then shrunk:
# terms are dropped or replaced by their parts as long as the answers still differ. Exit status: 0 equal, 1 different, 2 usage, 77 skipped.
set -u
[ $# -ge 2 ] || { sed -n 's/^# usage/usage/p' "$0" >&2; exit 2; }
oracle=$1
command=$2
n=${3-100000}
seed=${4-1}
cases=$(dirname "$0")/diff_cases.txt

if [ ! -x "$oracle" ]; then
    echo "SKIP attr/diff: $oracle is missing (make oracle)"
    exit 77
fi
[ -x "$command" ] || { echo "FAIL attr/diff: $command is missing"; exit 1; }

tmp=$(mktemp -d) || exit 3
trap 'rm -rf "$tmp"' EXIT
failed=0

# Lines request, answer, request, answer ..; comments and empty lines are dropped.
grep -v '^#' "$cases" | grep -v '^$' >"$tmp/pairs"
awk 'NR % 2 == 1' "$tmp/pairs" >"$tmp/requests"
awk 'NR % 2 == 0' "$tmp/pairs" >"$tmp/expected"

# run WHO STATUS PROGRAM..: answers $tmp/requests into $tmp/answers
run() {
    who=$1
    want=$2
    shift 2
    "$@" <"$tmp/requests" >"$tmp/answers" 2>"$tmp/stderr"
    got=$?
    [ $got = "$want" ] && return 0
    echo "$who: exit status $got, expected $want"
    head -n 5 "$tmp/stderr"
    return 1
}

# show A B: the shortest request whose answers differ
show() {
    awk 'FNR == 1 { file++ }
         file == 1 { want[FNR] = $0; next }
         file == 2 { got[FNR] = $0; next }
         want[FNR] "" != got[FNR] "" {
             if (!k++ || length($0) < length(r)) { r = $0; a = want[FNR]; b = got[FNR] } }
         END { printf "%d answers differ; the shortest request:\n  %s\n  %s\n  %s\n", k, r, a, b }
        ' "$1" "$2" "$tmp/requests" | tee "$tmp/shown"
}

# smaller: the requests one step smaller than the one on standard input, one a line: without one
# term, or with one term replaced by one of its parts.
smaller() {
    awk '
    function join(a, b, c, d,   i, out) { # tokens 1 .. a-1, c .. d, b+1 .. n
        for (i = 1; i <= n; i++)
            if (i < a || i > b) out = out (i == a ? "" : glue(i)) t[i]
            else if (i == a && c) for (k = c; k <= d; k++) out = out (k == c ? glue(a) : glue(k)) t[k]
        print out
    }
    function glue(i) { return i == 1 || t[i] == ")" || t[i - 1] == "(" ? "" : " " }
    { n = 0; rest = $0
      while (match(rest, /^ *("([^"\\]|\\.)*"|[()]|[^ ()"]+)/)) {
          t[++n] = substr(rest, 1, RLENGTH); sub(/^ */, "", t[n]); rest = substr(rest, RLENGTH + 1) }
      for (i = 1; i <= n; i++) {
          if (t[i] == "(") stack[++top] = i
          else if (t[i] == ")") last[stack[top--]] = i
          else last[i] = i }
      for (i = 2; i <= n; i++) if (t[i] != ")") {
          join(i, last[i])
          for (j = i + 1; j < last[i]; j = last[j] + 1) join(i, last[i], j, last[j]) } }'
}

# shrink REQUEST: the smallest request reached whose answers still differ.
shrink() {
    small=$1
    while [ "$small" ]; do
        least=$small
        printf '%s\n' "$least" | smaller | sort -u >"$tmp/try"
        "$oracle" attr <"$tmp/try" >"$tmp/a" 2>/dev/null
        "$command" <"$tmp/try" >"$tmp/b" 2>/dev/null
        small=$(paste "$tmp/try" "$tmp/a" "$tmp/b" | awk -v most=${#least} -F '\t' '
            $2 "" != $3 "" && length($1) < most { r = $1; most = length(r) }
            END { print r }')
    done
    echo "shrunk:"
    echo "  $least"
    printf '%s\n' "$least" | "$oracle" attr 2>/dev/null | sed 's/^/  /'
    printf '%s\n' "$least" | "$command" 2>/dev/null | sed 's/^/  /'
}

compare() {
    if cmp -s "$2" "$3"; then return 0; fi
    echo "$1"
    show "$2" "$3"
    return 1
}

for who in oracle command; do
    [ $who = oracle ] && set -- "$oracle" attr || set -- "$command"
    ok=yes
    run $who 2 "$@" || ok=
    compare "$who: expected answer, then the one given" "$tmp/expected" "$tmp/answers" || ok=
    if [ "$ok" ]; then echo "PASS attr/diff-cases-$who ($(wc -l <"$tmp/requests") requests)"
    else echo "FAIL attr/diff-cases-$who"; failed=1; fi
done

# Long lines: a tuple of 60,000 numbers, one of 20,000 tuples.
awk 'BEGIN { printf "(eval (. 1 shape) ((1 shape (tuple"; for (i = 0; i < 60000; i++) printf " %d", 100000 + i; print "))))"
             printf "(eval (len (. 1 shape)) ((1 shape (tuple"; for (i = 0; i < 20000; i++) printf " (tuple %d)", i; print "))))" }' >"$tmp/requests"
ok=yes
run oracle 0 "$oracle" attr || ok=
mv "$tmp/answers" "$tmp/expected"
run command 0 "$command" || ok=
cmp -s "$tmp/expected" "$tmp/answers" && [ "$(tail -n 1 "$tmp/answers")" = 20000 ] && [ "$(wc -c <"$tmp/answers")" -gt 400000 ] || ok=
if [ "$ok" ]; then echo "PASS attr/diff-long (lines of $(wc -L <"$tmp/requests") characters)"
else echo "FAIL attr/diff-long"; failed=1; fi

# random NAME N OPTIONS..: N random requests
random() {
    name=$1
    k=$2
    shift 2
    if ! "$oracle" attr --generate "$k" --seed "$seed" "$@" >"$tmp/requests" 2>"$tmp/count"; then
        cat "$tmp/count"
        echo "FAIL attr/$name: no requests"
        failed=1
        return
    fi
    cat "$tmp/count"
    ok=yes
    run oracle 0 "$oracle" attr || ok=
    mv "$tmp/answers" "$tmp/expected"
    run command 0 "$command" || ok=
    compare "seed $seed: answer of the oracle, then of the command" "$tmp/expected" "$tmp/answers" ||
        { ok=; cmp "$tmp/expected" "$tmp/answers" | sed 's/.* line/first difference: line/'; shrink "$(sed -n '2s/^  //p' "$tmp/shown")"; }
    # A generator that stopped generating must not pass.
    [ "$(wc -l <"$tmp/answers")" = "$k" ] || { echo "expected $k answers"; ok=; }
    run command 0 "$command" print || ok=
    compare "seed $seed: request, then the one printed" "$tmp/requests" "$tmp/answers" || ok=
    head -n 10000 "$tmp/requests" >"$tmp/some"
    head -n 10000 "$tmp/expected" >"$tmp/some_expected"
    mv "$tmp/some" "$tmp/requests"
    run command 0 "$command" memo || ok=
    compare "seed $seed: answer of the oracle, then with a memo" "$tmp/some_expected" "$tmp/answers" || ok=
    if [ "$ok" ]; then echo "PASS attr/$name ($k requests, seed $seed)"
    else echo "FAIL attr/$name (seed $seed)"; failed=1; fi
}

random diff-full "$n" --full
random diff-core $((n / 2))
exit $failed
