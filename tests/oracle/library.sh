#!/usr/bin/env bash
# liboracle: a client of the archive and of the shared library, the oracle and the C in one process, and `calque run --oracle`, also with a
# library that answers something else. usage: library.sh BUILD
B=${1:-.build}
cd "$(dirname "$0")/../.."
. tests/lib.sh
[ -e "$B/liboracle.so" ] || { echo "SKIP oracle/library: $B/liboracle.so is missing (make oracle)"; exit 77; }
B=$(cd "$B" && pwd)
client="gcc -std=c11 -Wall -Wextra -Wpedantic -Werror -Ioracle tests/oracle/client.c -o $TMP/client"
expect "the archive is linked" 0 $client "$B/liboracle.a" -lm -ldl && expect "a client of the archive" 0 "$TMP/client" || cat "$TMP/out"
expect "the shared library is linked" 0 $client -L"$B" -loracle && expect "a client of the shared library" 0 env LD_LIBRARY_PATH="$B" "$TMP/client" || cat "$TMP/out"

# Both sides in one process; the requests are those of the command.
for l in "attr 4000" "gsl 500" "gsl-fixed 300" "dpia 200" "model 150"; do
    expect "both sides: $l" 0 "$B/tests/oracle/both" $l 5
    awk -v n="${l#* }" '{ exit !($4 + $7 == n && 10 * $7 < n) }' "$TMP/out" || fail "both sides: $l: $(cat "$TMP/out")"
done
# Another side that answers 3 to everything.
cat >"$TMP/three.c" <<'EOF'
#include "answers.h"
int attr_answers(FILE *in, FILE *out)
{
    for (int c; (c = getc(in)) != EOF;)
        if (c == '\n')
            fputs("3\n", out);
    return 0;
}
int gsl_answers(FILE *in, FILE *out) { return attr_answers(in, out); }
int dpia_answers(FILE *in, FILE *out) { return attr_answers(in, out); }
int model_answers(FILE *in, FILE *out) { return attr_answers(in, out); }
EOF
gcc -std=c11 -Itests tests/oracle/both.c "$TMP/three.c" -o "$TMP/three" "$B/liboracle.a" -lm -ldl
for l in attr gsl dpia model; do
    expect "another side that is wrong: $l" 1 "$TMP/three" $l 20 1
    grep -q '^case [0-9]* of seed 1: the oracle:' "$TMP/out" && pass "its first case" || { fail "its first case"; head -n 3 "$TMP/out"; }
done
expect "no such language" 2 "$B/tests/oracle/both" nonsense
expect "no count" 2 "$B/tests/oracle/both" attr 0

# calque run --oracle, and a library that changes the last cell.
"$B/tests/zoo/zoo" transformer -o "$TMP/t.onnx" --width 0.02 --image 2 >/dev/null
expect "run --oracle" 0 "$CALQUE" run "$TMP/t.onnx" --random 1 --oracle
grep -qx 'oracle: 1 of 1 outputs equal bit for bit' "$TMP/out" && pass "an equal output" || { fail "an equal output"; cat "$TMP/out"; }
for numbers in --sums=lanes "--sums=lanes --math=calque" --fma "--sums=lanes --fma"; do
    expect "run --oracle $numbers" 0 "$CALQUE" run tests/emit/sums.graph --random 2 $numbers --oracle
    grep -qx 'oracle: 20 of 20 outputs equal bit for bit' "$TMP/out" && pass "equal outputs" || { fail "equal outputs"; cat "$TMP/out"; }
done
expect "run --oracle --json" 0 "$CALQUE" run "$TMP/t.onnx" --random 1 --oracle --json
"$PY" -c 'import json, sys; d = json.load(sys.stdin); assert d["oracle_differs"] == [] and not d["differ"]' <"$TMP/out" && pass "its JSON" || fail "its JSON"
cat >"$TMP/other.c" <<'EOF'
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
#include "oracle.h"
enum oracle_status oracle_answer(const char *language, const char *request, size_t n, struct oracle_text *answer)
{
    void *f = dlsym(dlopen(getenv("REAL"), RTLD_NOW), "oracle_answer");
    enum oracle_status (*real)(const char *, const char *, size_t, struct oracle_text *);
    memcpy(&real, &f, sizeof f);
    enum oracle_status st = real(language, request, n, answer);
    char *last = strrchr(answer->a, ')');
    last[-1] = last[-1] == '0' ? '1' : '0';
    return st;
}
void oracle_text_free(struct oracle_text *t) { (void)t; }
EOF
gcc -std=gnu11 -shared -fPIC -Ioracle "$TMP/other.c" -o "$TMP/other.so"
expect "another answer" 1 env REAL="$B/liboracle.so" "$CALQUE" run "$TMP/t.onnx" --random 1 --oracle="$TMP/other.so"
grep -q 'encoded: DIFFERS' "$TMP/out" && pass "the output that differs" || { fail "the output that differs"; cat "$TMP/out"; }
expect "another answer, by the environment" 1 env REAL="$B/liboracle.so" CALQUE_ORACLE="$TMP/other.so" "$CALQUE" run "$TMP/t.onnx" --random 1 --oracle
: >"$TMP/empty.so"
expect_error "no library" "cannot load the oracle's library" "$CALQUE" run "$TMP/t.onnx" --random 1 --oracle="$TMP/empty.so"
expect_error "another library" "not the oracle's library" "$CALQUE" run "$TMP/t.onnx" --random 1 --oracle="$(gcc -print-file-name=libm.so.6)"
expect_error "--text and --oracle" "--text goes without" "$CALQUE" run "$TMP/t.onnx" --random 1 --text --oracle
echo "$ok passed, $bad failed"
[ $bad = 0 ]
