# Shared by the shell suites: one PASS or FAIL line per check, the counts at the end.
# Sourced after B (the build directory) is set.
CALQUE=$(cd "$(dirname "$B/calque")" && pwd)/calque
PY=/usr/bin/python3
TMP=$(mktemp -d) || exit 3
trap 'rm -rf "$TMP"' EXIT
ok=0 bad=0 skipped=0

pass() { ok=$((ok + 1)); echo "PASS $*"; }
fail() { bad=$((bad + 1)); echo "FAIL $*"; }
skip() { skipped=$((skipped + 1)); echo "SKIP $*"; }

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

finish() {
    echo "$ok passed, $bad failed, $skipped skipped"
    [ $bad -eq 0 ] || exit 1
    [ $ok -gt 0 ] || exit 77
    exit 0
}
