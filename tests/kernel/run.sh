#!/usr/bin/env bash
# Kernels from the command line: the published cases as emitted C against loops of our own (golden.c), gcc and clang, their
# prototypes. usage: run.sh BUILD
B=${1:-.build}
cd "$(dirname "$0")/../.."
. tests/lib.sh
DATA=../shared/data/pku

# ---- published kernels and gradients ----
published() {
    local n=0 f name
    : >"$TMP/headers.h"
    for f in "$DATA"/project1/*.json "$DATA"/project2/*.json; do
        name=p${f#*project}
        name=${name/\//_}
        name=${name%.json}
        case $name in
        p1*) "$CALQUE" emit "$f" -o "$TMP/c" --name "$name" >"$TMP/out" 2>&1 ;;
        *) "$CALQUE" grad "$f" --emit "$TMP/c" --name "$name" >"$TMP/out" 2>&1 ;;
        esac || { fail "emit $name"; cat "$TMP/out"; }
        echo "#include \"c/$name.h\"" >>"$TMP/headers.h"
        n=$((n + 1))
    done
    [ $n = 21 ] && pass "21 published cases" || fail "$n published cases, not 21"
    for cc in gcc clang; do
        command -v $cc >/dev/null || { skip "$cc is missing"; continue; }
        expect "compile with $cc" 0 $cc -O2 -std=c11 -fopenmp -ffp-contract=off -I"$TMP" tests/kernel/golden.c "$TMP"/c/*.c \
            -lm -o "$TMP/golden" || continue
        for seed in 1 2 3; do
            expect "$cc: emitted code against golden loops, seed $seed" 0 "$TMP/golden" $seed || cat "$TMP/out"
            [ "$(grep -c PASS "$TMP/out")" = 21 ] || fail "$cc: not all cases ran"
        done
    done
    grad=$("$CALQUE" grad "$DATA/project2/case4.json" --header)
    [ "$grad" = "void grad_case4(float (&B)[16][32], float (&C)[32][32], float (&dA)[16][32], float (&dB)[16][32], float (&dC)[32][32]);" ] \
        && pass "prototype" || fail "prototype: $grad"
}
if [ -d $DATA ]; then published; else skip "published cases ($DATA is absent)"; fi

# ---- grad: usage and errors ----
printf 'Y<3>[i] = A<3>[i] * A<3>[i];\n' >"$TMP/y.kern"
expect "grad" 0 "$CALQUE" grad "$TMP/y.kern" --wrt A
grep -qxF 'dA<3>[a0] = dY<3>[a0] * A<3>[a0] + dY<3>[a0] * A<3>[a0];' "$TMP/out" || fail "grad prints $(cat "$TMP/out")"
"$CALQUE" grad "$TMP/y.kern" --wrt A >"$TMP/dy.kern"
expect "grad --format=text" 0 "$CALQUE" grad "$TMP/y.kern" --wrt A --format=text
cmp -s "$TMP/out" "$TMP/dy.kern" || fail "--format=text is another text"
expect "grad --format=json" 2 "$CALQUE" grad "$TMP/y.kern" --wrt A --format=json
expect "the gradient is a kernel again" 0 "$CALQUE" grad "$TMP/dy.kern" --wrt A
expect "grad --universal" 0 "$CALQUE" grad "$TMP/y.kern" --wrt A --universal
expect_error "no tensor of that name" "no tensor Q" "$CALQUE" grad "$TMP/y.kern" --wrt Q
expect_error "named twice" "twice" "$CALQUE" grad "$TMP/y.kern" --wrt A,A
expect_error "nothing to differentiate by" "give --wrt" "$CALQUE" grad "$TMP/y.kern"
printf '{"name": "f", "ins": ["A"], "outs": ["Y"], "data_type": "int", "kernel": "Y<3>[i] = A<3>[i] // 2;"}' >"$TMP/i.json"
expect "an integer quotient is refused" 1 "$CALQUE" grad "$TMP/i.json" --wrt A
grep -q "not differentiable" "$TMP/err" || fail "the refusal gives no reason"

# ---- inline: the published cases, policies ----
inline_cases() {
    "$PY" - "$DATA/inline_cases.json" "$TMP" <<'EOF'
import json, re, sys
cases = json.load(open(sys.argv[1]))
for c in cases:
    stored = re.findall(r'(\w+)<[\d,]+>\[[\w,]+\]\s*=[^=]', c['before'])
    names = list(dict.fromkeys(re.findall(r'(\w+)<\d', re.sub(r'sum\([^)]*\)', '', c['before']))))
    case = {'name': c['name'], 'ins': [n for n in names if n not in stored], 'outs': c['outs'],
            'data_type': 'float', 'kernel': c['before'], 'inline': c['inline']}
    json.dump(case, open(f"{sys.argv[2]}/{c['name']}.json", 'w'))
    open(f"{sys.argv[2]}/{c['name']}.kern", 'w').write(c['after'] or '')
    print(c['name'], c['expect'], ','.join(c['inline']), ','.join(c['outs']))
EOF
}
if [ -f $DATA/inline_cases.json ]; then
    inline_cases >"$TMP/cases"
    [ "$(wc -l <"$TMP/cases")" = 14 ] || fail "not 14 inline cases"
    while read -r name want tensors _; do
        if [ "$want" = ok ]; then
            expect "inline $name" 0 "$CALQUE" inline "$TMP/$name.json" --tensor "$tensors" || continue
            cp "$TMP/out" "$TMP/got"
            "$CALQUE" dump "$TMP/$name.kern" --stage=kernel >"$TMP/wanted" 2>&1
            diff "$TMP/got" "$TMP/wanted" || fail "inline $name: another result"
        else
            expect "inline $name is refused" 1 "$CALQUE" inline "$TMP/$name.json" --tensor "$tensors"
            case $name in
            refuse_reduction) why=reduction ;; refuse_output) why='is an output' ;;
            refuse_self_read) why='its definition loads it' ;; *) why=overwritten ;;
            esac
            grep -q "$why" "$TMP/err" || fail "inline $name: $(cat "$TMP/err")"
        fi
    done <"$TMP/cases"
else
    skip "published inline cases ($DATA is absent)"
fi
printf 'T<2>[i] = sum(k<3) A<2,3>[i,k]; D<2>[i] = A<2,3>[i,0]; Y<2>[i] = T<2>[1-i];\n' >"$TMP/t.kern"
expect "inline" 0 "$CALQUE" inline "$TMP/t.kern" --why
grep -q 'T cannot be inlined: .*reduction' "$TMP/err" && [ "$(wc -l <"$TMP/out")" = 2 ] || fail "inline --why, dead statements"
expect "inline --keep-dead" 0 "$CALQUE" inline "$TMP/t.kern" --keep-dead
[ "$(wc -l <"$TMP/out")" = 3 ] || fail "--keep-dead"
expect "inline --policy reductions" 0 "$CALQUE" inline "$TMP/t.kern" --policy reductions
grep -qxF 'Y<2>[i] = sum(k<3) A<2,3>[1-i,k];' "$TMP/out" || fail "--policy reductions: $(cat "$TMP/out")"
printf 'B<3,2>[i,j] = 1+A<3,2>[i,j]; C<2,3>[i,j] = 2*B<3,2>[j,i];\n' >"$TMP/r.kern"
expect "inline --reverse" 0 "$CALQUE" inline "$TMP/r.kern" --reverse --tensor B
printf '# B: loops over i<3, j<2\nC<2,3>[j,i] = 0x1p+1 * (0x1p+0 + A<3,2>[i,j]);\n' | cmp - "$TMP/out" || fail "--reverse: $(cat "$TMP/out")"
expect "--reverse needs --tensor" 2 "$CALQUE" inline "$TMP/r.kern" --reverse
expect "inline --format=text" 0 "$CALQUE" inline "$TMP/t.kern" --format=text
expect "inline --format=sexp" 2 "$CALQUE" inline "$TMP/t.kern" --format=sexp
expect "unknown policy" 2 "$CALQUE" inline "$TMP/r.kern" --policy all

# ---- whole models ----
if "$PY" -c 'import numpy, onnx' 2>/dev/null; then
    for cc in gcc clang; do
        command -v $cc >/dev/null || { skip "$cc is missing"; continue; }
        expect "training steps as numpy takes them, $cc" 0 "$PY" tests/kernel/train.py "$CALQUE" "$TMP" $cc || cat "$TMP/out"
        [ "$(grep -c ^PASS "$TMP/out")" = 2 ] || fail "not both nets ran"
        grep ^PASS "$TMP/out"
    done
    expect_error "no such value" "use no value" "$CALQUE" grad "$TMP/mlp.onnx" --wrt nothing
    expect_error "not an input" "neither an input nor" "$CALQUE" grad "$TMP/mlp.onnx" --wrt h1
else
    skip "training steps (python3-numpy or python3-onnx is missing)"
fi
finish
