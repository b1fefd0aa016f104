# Shared by the shell suites: one PASS or FAIL line per check, the counts at the end.
# Sourced after B (the build directory) is set.
CALQUE=$(cd "$(dirname "$B/calque")" && pwd)/calque
PY=/usr/bin/python3
TMP=$(mktemp -d) || exit 3
trap 'rm -rf "$TMP"' EXIT
ok=0 bad=0

pass() { ok=$((ok + 1)); echo "PASS $*"; }
fail() { bad=$((bad + 1)); echo "FAIL $*"; }
skip() { fail "$*: a part that can be skipped is a suite of its own"; }
# A part that needs what may not be here is a suite of its own: need PROGRAM PACKAGE, need_onnx: without it the suite is skipped.
need() { command -v "$1" >/dev/null || { echo "SKIP $1 is not here: apt-get install $2"; exit 77; }; }
need_onnx() { "$PY" -c 'import numpy, onnx' 2>/dev/null || { echo "SKIP numpy and onnx of $PY are not here: apt-get install python3-onnx"; exit 77; }; }

# expect NAME STATUS COMMAND...: the exit status must be STATUS; output in $TMP/out, errors in $TMP/err.
expect() {
    local name=$1 want=$2 got
    shift 2
    "$@" >"$TMP/out" 2>"$TMP/err"
    got=$?
    if [ "$got" = "$want" ]; then
        pass "$name"
    else
        fail "$name (exit status $got, expected $want)"
        head -n 5 "$TMP/err"
        return 1
    fi
}

# seen NAME: `calque emit`, which was run last, has checked each kernel and how it was packed, and fell back on nothing.
seen() {
    grep -q '^calque emit: note: ' "$TMP/err" || return 0
    fail "$1: a check of emission failed:"
    grep '^calque emit: note: ' "$TMP/err" | head -n 5
}

# expect_error NAME TEXT COMMAND...: exit status 2 and a line of stderr holding TEXT.
expect_error() {
    local name=$1 text=$2
    shift 2
    expect "$name" 2 "$@" || return 1
    if ! grep -qF -- "$text" "$TMP/err"; then
        fail "$name: stderr lacks '$text'"
        head -n 5 "$TMP/err"
    fi
}

# json FILE EXPRESSION: evaluates EXPRESSION over the parsed answer `a`.
json() { "$PY" -c 'import json,sys; a=json.load(open(sys.argv[1])); print(eval(sys.argv[2]))' "$1" "$2"; }
# The operators that have an elementwise loop of their own in the emitted code (the `--json` of emit); a loop that leaves out the columns
# by which a sum's rows were rounded up is a part of the sum's.
own_loops() { # FILE
    json "$1" "','.join(sorted({o.split()[0] for l in a['loops'] if l['kind'] == 'elementwise' and not l['drops'] for o in l['of'].split(', ')}))"
}

# its_turn NAME SHARE: of one name in SHARE, other ones at each commit.
its_turn() { [ $(($(echo "$(git rev-parse HEAD 2>/dev/null) $1" | cksum | cut -d ' ' -f 1) % $2)) = 0 ]; }
# one_of NAME..: one of them, another one at each commit.
one_of() {
    shift $(($(echo "$(git rev-parse HEAD 2>/dev/null) $*" | cksum | cut -d ' ' -f 1) % $#))
    echo "$1"
}

finish() {
    echo "$ok passed, $bad failed"
    [ $bad -eq 0 ] && [ $ok -gt 0 ] || exit 1
    exit 0
}
