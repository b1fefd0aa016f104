#!/usr/bin/env bash
# An answer that could not be given is never given: no temporary file, no memory, no thread, a full standard output, numbers
# that are none; names that are not UTF-8 or hold escape sequences. usage: answers.sh BUILD
B=${1:-.build}
cd "$(dirname "$0")/../.."
. tests/lib.sh
GOOD=tests/cli/good/residual.graph
gcc -std=gnu11 -O1 -w -shared -fPIC -o "$TMP/broken.so" tests/cli/broken.c -lpthread || { fail "broken.c"; finish; }
case $(nm -D "$CALQUE" 2>/dev/null) in *__asan_init*) skip "a sanitized build"; finish ;; esac

# ---- no temporary file ----
for json in "" --json; do
    # shellcheck disable=SC2086
    expect "check $json without a temporary file" 2 env LD_PRELOAD="$TMP/broken.so" BROKEN_TMPFILE=1 "$CALQUE" check tests/cli/good/leaves.gsl --tries 5 $json
    grep -q "cannot create a temporary file" "$TMP/err" || fail "its message: $(cat "$TMP/err")"
    grep -q "refuted" "$TMP/out" && fail "says $(cat "$TMP/out")"
done

# ---- no memory: the answer is the whole one, or an error ----
sweep() { # NAME STATUS COMMAND...
    local name=$1 want=$2 wrong=0 whole=0 errors=0 got n k step rest
    shift 2
    "$@" 2>/dev/null | grep -v '"seconds"' >"$TMP/want"
    n=1
    for ((n = 64; n < 2000000; n *= 2)); do # about as many allocations
        LD_PRELOAD=$TMP/broken.so BROKEN_ALLOC=$n "$@" >"$TMP/got" 2>"$TMP/err"
        got=$?
        [ $got = "$want" ] && grep -v '"seconds"' "$TMP/got" | cmp -s - "$TMP/want" && break
    done
    step=$((n / 40 + 1))
    for rest in "" 1; do
        for ((k = 1; k <= n; k += step)); do
            LD_PRELOAD=$TMP/broken.so BROKEN_ALLOC=$k BROKEN_REST=$rest "$@" >"$TMP/got" 2>"$TMP/err"
            got=$?
            if [ $got -ge 2 ] && [ $got -lt 126 ]; then
                errors=$((errors + 1))
            elif [ $got = "$want" ] && grep -v '"seconds"' "$TMP/got" | cmp -s - "$TMP/want"; then
                whole=$((whole + 1))
            else
                wrong=$((wrong + 1))
                echo "allocation $k${rest:+ and all after it}: exit status $got, $(wc -c <"$TMP/got") bytes"
            fi
        done
        unset BROKEN_REST
    done
    [ $wrong = 0 ] && [ $errors -ge 20 ] && pass "$name: $errors errors, $whole whole answers" || fail "$name: $wrong wrong, $errors errors"
}
sweep "match --json" 0 "$CALQUE" match "$GOOD" --json
sweep "match --why --json" 1 "$CALQUE" match "$GOOD" --why conv_mul --json
sweep "run --json" 0 "$CALQUE" run "$GOOD" --random 1 --threads 1 --json
sweep "opt --json" 0 "$CALQUE" opt "$GOOD" --threads 1 --stats --json -o "$TMP/o.graph"
sweep "emit --json" 0 "$CALQUE" emit "$GOOD" --json -o "$TMP/e"
sweep "rules --json" 0 "$CALQUE" rules --json

# ---- no thread: OpenMP's library ends the program, but not with a negative answer ----
expect "run without threads" 3 env LD_PRELOAD="$TMP/broken.so" "$CALQUE" run tests/emit/chains.graph --random 1 --threads 4
[ -s "$TMP/err" ] && pass "its message" || fail "no message"

# ---- standard output ----
for c in "rules" "rules --json" "run $GOOD --random 1 --json" "opt $GOOD -o -" "--version" "--help"; do
    # shellcheck disable=SC2086
    "$CALQUE" $c >/dev/full 2>"$TMP/err"
    [ $? = 2 ] && grep -q "error: cannot write\|cannot write to standard output" "$TMP/err" && pass "full: $c" || fail "full: $c: $(cat "$TMP/err")"
done

# ---- numbers ----
for v in abc "" -1 1x " 1" 99999999999999999999999 +1 0x10 1.5; do
    expect_error "--random '$v'" "--random" "$CALQUE" run "$GOOD" --random "$v"
done
for v in nan -nan inf abc "" -1 1x " 1" 1e999; do
    for o in --rtol --atol; do
        expect_error "run $o '$v'" "tolerance" "$CALQUE" run "$GOOD" --random 1 $o "$v"
        expect_error "opt $o '$v'" "tolerance" "$CALQUE" opt "$GOOD" -o "$TMP/o.graph" $o "$v"
    done
done
expect "--rtol 1e-3" 0 "$CALQUE" run "$GOOD" --random 18446744073709551615 --rtol 1e-3 --atol 0
for v in abc "" -1 1x " 1" 99999999999999999999999; do
    for c in "run $GOOD --random 1 --threads" "opt $GOOD -o $TMP/o.graph --fuel" "opt $GOOD -o $TMP/o.graph --check" \
        "opt $GOOD -o $TMP/o.graph --fold-limit" "check tests/cli/good/leaves.gsl --tries" "check tests/cli/good/leaves.gsl --seed" "check tests/cli/good/leaves.gsl --jobs"; do
        # shellcheck disable=SC2086
        expect "$c '$v'" 2 "$CALQUE" $c "$v"
    done
done
expect_error "--size n=' 1'" "NAME=NUMBER" "$CALQUE" emit tests/dpia/programs/product.dpia -o "$TMP/e" --size "n= 1"

# ---- names that are not UTF-8, and names with escape sequences ----
"$PY" - "$TMP" <<'EOF2'
import re, sys
text = open("tests/cli/good/residual.graph").read()
for stem, new in ("bytes", r'"\xff\xc3"'), ("escape", r'"\x1b[31m\xc2\x9b"'):
    with open("%s/%s.graph" % (sys.argv[1], stem), "w") as f:
        f.write(re.sub(r"\by\b", lambda m: new, text))
EOF2
expect "a name that is not UTF-8" 0 "$CALQUE" run "$TMP/bytes.graph" --random 1 --json
[ "$(json "$TMP/out" "a['outputs'][0]['name']")" = '\xff\xc3' ] && pass "its output is there" || fail "outputs: $(cat "$TMP/out")"
expect "match, not UTF-8" 0 "$CALQUE" match "$TMP/bytes.graph" --json
json "$TMP/out" "a['matches'][0]" >/dev/null && pass "its matches are there" || fail "matches: $(cat "$TMP/out")"
expect "emit, not UTF-8" 0 "$CALQUE" emit "$TMP/bytes.graph" --json -o "$TMP/e"
[ "$(json "$TMP/out" "len(a['loops'])")" -gt 0 ] && pass "its loops are there" || fail "loops: $(cat "$TMP/out")"
# On a terminal, and in messages wherever they go.
"$PY" - "$CALQUE" "$TMP/escape.graph" >"$TMP/tty" <<'EOF2'
import os, pty, sys
pid, fd = pty.fork()
if pid == 0:
    os.execv(sys.argv[1], [sys.argv[1], "run", sys.argv[2], "--random", "1"])
out = b""
while True:
    try:
        got = os.read(fd, 4096)
    except OSError:
        break
    if not got:
        break
    out += got
sys.stdout.buffer.write(out)
sys.exit(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
EOF2
[ $? = 0 ] && grep -qF '\x1b[31m' "$TMP/tty" && ! grep -q $'\x1b' "$TMP/tty" && ! LC_ALL=C grep -q $'\xc2\x9b' "$TMP/tty" &&
    pass "a terminal" || fail "a terminal gets $(cat -v "$TMP/tty")"
expect "an error's words" 2 "$CALQUE" run "$TMP/escape.graph" "$(printf '\033[31m\302\233')=x.npy"
grep -q $'\x1b' "$TMP/err" || LC_ALL=C grep -q $'\xc2\x9b' "$TMP/err" && fail "escape sequences in a message" || pass "a message"
finish
