#!/usr/bin/env bash
# `calque-oracle diff attr`, tried on implementations of which it is known what is wrong with them: the verdict, the exit status,
# the request that is to blame, the minimal case and its use. usage: against.sh BUILD
B=${1:-.build}
cd "$(dirname "$0")/../.."
. tests/lib.sh
ORACLE=$(cd "$B" && pwd)/calque-oracle
REFERENCE=$PWD/tests/attr/reference.py
[ -x "$ORACLE" ] || { echo "SKIP attr/against: $ORACLE is missing (make oracle)"; exit 77; }
cd "$TMP" || exit 3

# against NAME STATUS PATTERN COMMAND OPTIONS..: the exit status, and a line of the report that the pattern matches
against() {
    local name=$1 want=$2 pattern=$3 command=$4
    shift 4
    expect "$name" "$want" timeout 100 "$ORACLE" diff attr --against "$command" --timeout 5 "$@" || return 1
    grep -qE -- "$pattern" out || { fail "$name: no line like $pattern"; head -n 8 out | cut -c 1-200; }
}
# The oracle as it answers, with a program of sed behind it.
filtered() { echo "'$ORACLE' attr | sed -u '$1'"; }

against "the oracle itself" 0 ' 1500 cases: .* 0 differ, 0 crashed, 0 hung, 0 garbage, 0 stopped' "'$ORACLE' attr" --count 1500
against "two processes" 0 ' 1500 cases: ' "'$ORACLE' attr" --count 1500 --jobs 2
sed -n '1p;/^covered/p' out >two
"$ORACLE" diff attr --against "'$ORACLE' attr" --count 1500 | sed -n '1p;/^covered/p' | cmp - two && pass "the same report by one process and by two" || fail "the same report by one process and by two"

# A second implementation, of a part of the language; then with a bug.
against "the reference" 0 ' [1-9][0-9]* equal, [1-9][0-9]* undefined, [1-9][0-9]* discarded, 0 differ' "'$REFERENCE'" --count 3000
for bug in mod le; do
    rm -f bug.cases
    against "the reference, $bug wrong" 1 '^differ: case' "'$REFERENCE' $bug" --count 9000 -o bug.cases
    nodes=$(sed -n 's/.*shrunk in [0-9]* steps to \([0-9]*\) nodes/\1/p' out | sort -n | head -n 1)
    [ "${nodes:-9}" -le 5 ] && pass "$bug: a case of $nodes nodes" || fail "$bug: no case of 5 nodes"
    [ "$(grep -c "^(eval ($bug " bug.cases)" -ge 1 ] && pass "$bug: the case is written" || { fail "$bug: the case is not written"; cat bug.cases; }
    against "$bug: the case fails again" 1 '^differ: bug.cases, request 1' "'$REFERENCE' $bug" --cases bug.cases
    against "$bug: and passes without the bug" 0 ' 0 differ' "'$REFERENCE'" --cases bug.cases
done
# A case of which the file says something else than the oracle.
printf '# wrong\n(eval (add 1 2) ())\n4\n' >wrong.cases
against "a file with a wrong answer" 1 'an answer that is not' "'$ORACLE' attr" --cases wrong.cases

# One request in seven is answered by 0; the shrunk request is one of them.
against "garbage" 1 '[1-9][0-9]* garbage' "$(filtered '0~7s/.*/((/')" --count 300
grep -q 'only behind other requests' out && pass "garbage: depends on what was asked before" || fail "garbage: depends on what was asked before"
against "more than one answer" 1 '^garbage: case' "yes '(('" --count 50
against "an empty line behind each answer" 1 '^garbage: case' "$(filtered G)" --count 50
against "crash" 1 '^crashed: case' "sed -u '/^(match/{s/.*/no/;Q7};s/.*/unsupported/'" --count 300
grep -q 'exit status 7' out && grep -A 2 'crashed: case' out | grep -q '^  shrunk in' && pass "crash: its status, and shrunk" || fail "crash: its status, and shrunk"
[ "$(grep -A 1 '^  request:' out | grep -c '(match')" -ge 1 ] && pass "crash: the request is one that does it" || { fail "crash: the request"; cat out; }
against "a signal" 1 'SIGSEGV; on standard error: now' 'read x; echo now >&2; kill -SEGV $$' --count 30
against "a crash at the end" 1 'at the end of the requests: exit status 3' "sed -u '\$!b;\$q3;s/.*/unsupported/' | sed -u 's/.*/unsupported/'; exit 3" --count 30
against "stopped" 1 '^stopped: case' "sed -u 's/.*/unsupported/;5q'" --count 300
against "stopped at the start" 1 '^stopped: case' "true" --count 20
against "no command" 1 'exit status 127' "./not-here" --count 3
start=$(date +%s)
expect "hung" 1 "$ORACLE" diff attr --against "sed -u -n '/^(match/!{s/.*/unsupported/;p}'" --count 40 --timeout 0.4
grep -qE '^hung: case' out && grep -A 3 '^hung: case' out | grep -q '(match' && pass "hung: the request is one that is not answered" || { fail "hung: the request"; cat out; }
expect "answers that are not flushed" 1 "$ORACLE" diff attr --against "sed 's/.*/unsupported/'" --count 20 --timeout 0.3
grep -q 'must be flushed' out && pass "not flushed: said so" || fail "not flushed: said so"
expect "what a command started ends with it" 1 "$ORACLE" diff attr --against "sleep 987654 & sleep 987653" --count 2 --timeout 0.3
sleep 0.2
pgrep -f 'sleep 98765[34]' >left && { fail "processes are left"; cat left; } || pass "no process is left"

# A signal ends the run with its report, and the commands.
"$ORACLE" diff attr --against "'$ORACLE' attr" --count 100000000 --jobs 2 >report 2>errors &
sleep 2
kill -INT $!
wait $!
[ $? = 130 ] && grep -qE '^attr: seed 1: [1-9][0-9]* cases: .* 0 crashed, 0 hung, 0 garbage, 0 stopped' report && pass "interrupted" || { fail "interrupted"; cat report errors; }
expect "a time to end" 0 "$ORACLE" diff attr --against "'$ORACLE' attr" --count 100000000 --seconds 1
[ -s err ] && fail "progress goes to a terminal only" || pass "progress goes to a terminal only"
expect "no language" 2 "$ORACLE" diff nothing --against true
expect "no such file" 2 "$ORACLE" diff attr --against true --cases not-here
finish
