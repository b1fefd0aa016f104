#!/usr/bin/env bash
# The programs that emission makes of kernels, against these by the extracted check (calque-oracle validate) and by the one that
# emission asks (validate_program), which must say the same, word for word: every one of the
# models here, of the zoo, small, and of random ones over all operators, with the strategies that are chosen; then changed programs (validate.txt), which must be
# refused, and programs by other strategies, which must not. The same for kernels that are packed before they are lowered: the
# extracted check (calque-oracle packed) and the one that emission asks (pack_check), of these models and of changes. And merged
# statements, by the extracted check (calque-oracle statements): of models, and changed ones. And the calls of their runs, with the places
# in memory, by the extracted check (calque-oracle calls).
# The least numbers are those that the READMEs say.
# usage: validate.sh BUILD [RANDOM-CHANGES]
B=${1:-.build}
cd "$(dirname "$0")/../.."
. tests/lib.sh
. tests/emit/certificate.sh
ORACLE=$B/calque-oracle
[ -x "$ORACLE" ] || { echo "SKIP emit/validate: $ORACLE is missing (make oracle)"; exit 77; }
C=$B/tests/emit/validate_text PACK=$B/tests/emit/emit_packed
PACKED=0 KERNELS=0 SAME=0 CHANGES=${2:-2000}
ZOO="squeezenet 0.25 64
resnet50 0.125 64
inception_v3 0.125 80
densenet121 0.0625 32
shufflenet 0.25 32
transformer 0.125 16
encoder_decoder 0.25 4 2
nasnet 0.125 8 1"

# check NAME STATUS PROGRAMS KERNELS: what the extracted check says, and the same from the check in C.
check() {
    expect "$1" "$2" "$ORACLE" validate "$3" "$4" || { cat "$TMP/out"; return 1; }
    cp "$TMP/out" "$TMP/said"
    expect "$1: in C" "$2" "$C" "$3" "$4" || { cat "$TMP/out"; return 1; }
    cmp -s "$TMP/out" "$TMP/said" || { fail "$1: the check in C says something else:"; diff "$TMP/said" "$TMP/out"; return 1; }
    SAME=$((SAME + 1))
}

# both_packed NAME STATUS FILE: what the extracted check says of packed kernels, and the same from the check in C.
both_packed() {
    expect "$1" "$2" "$ORACLE" packed "$3" || { tail -n 5 "$TMP/out"; return 1; }
    cp "$TMP/out" "$TMP/said"
    expect "$1: in C" "$2" "$PACK" "$3" || { tail -n 5 "$TMP/out"; return 1; }
    cmp -s "$TMP/out" "$TMP/said" || { fail "$1: the check in C says something else:"; diff "$TMP/said" "$TMP/out" | head -n 10; return 1; }
}

# packed FILE [OPTION..]: what emission makes of the model's kernels before it lowers them computes them.
packed() {
    expect "$*: packed kernels" 0 "$CALQUE" dump "$1" --stage=packed "${@:2}" || return
    [ -s "$TMP/out" ] || return
    cp "$TMP/out" "$TMP/packed"
    both_packed "$*: packed, equal" 0 "$TMP/packed" || return
    PACKED=$((PACKED + $(sed -n 's/^equal: \([0-9]*\) .*/\1/p' "$TMP/out")))
}

# validate FILE [OPTION..]: its programs compute its kernels.
validate() {
    [ -d "$TMP/all" ] || mkdir "$TMP/all"
    expect "$*: programs" 0 "$CALQUE" dump "$1" --stage=dpia --format=sexp "${@:2}" || return
    cp "$TMP/out" "$TMP/programs"
    expect "$*: kernels" 0 "$CALQUE" dump "$1" --stage=kernel "${@:2}" || return
    cp "$TMP/out" "$TMP/kernels"
    check "$*: equal" 0 "$TMP/programs" "$TMP/kernels" || return
    cat "$TMP/programs" >>"$TMP/all/programs"
    grep -q '^#' "$TMP/kernels" || echo "# kernel" >>"$TMP/all/kernels"
    cat "$TMP/kernels" >>"$TMP/all/kernels"
    KERNELS=$((KERNELS + $(sed -n 's/^equal: \([0-9]*\) .*/\1/p' "$TMP/out")))
}

for f in tests/emit/*.graph tests/emit/acsl/*.graph tests/emit/matrix/*.graph tests/onnx/*.graph; do
    validate "$f"
    packed "$f"
    validate "$f" --fma
    packed "$f" --fma
    case $f in tests/emit/*/*) ;; tests/emit/*.graph) certificate "$f" ;; esac
    case $f in */repeated.graph | */parts.graph | */memory.graph | */tiles.graph | */lookups.graph) cp "$TMP/certified/model.calls" "$TMP/$(basename "$f").calls" ;; esac
done
while read -r arch width image depth; do
    expect "$arch: build" 0 "$B/tests/zoo/zoo" "$arch" -o "$TMP/$arch.onnx" --width "$width" --image "$image" ${depth:+--depth "$depth"} &&
        validate "$TMP/$arch.onnx" && packed "$TMP/$arch.onnx" && packed "$TMP/$arch.onnx" --fma && certificate "$TMP/$arch.onnx"
done <<<"$ZOO"
mkdir "$TMP/random" "$TMP/cases"
expect "seed 11: 100 random graphs" 0 "$B/tests/emit/emit_matrix" 11 100 "$TMP/random"
for f in "$TMP"/random/*.graph; do
    validate "$f"
    case $f in */*0.graph) certificate "$f" ;; */*5.graph) certificate "$f" --math=calque --sums=lanes ;; */*3.graph) certificate "$f" --fma ;; esac
done
tests/kernel/cases.sh tests/kernel/cases.kern "$TMP/cases" >/dev/null
for f in "$TMP"/cases/*.json; do
    validate "$f"
done

# Changed programs: a line `NAME / FROM / TO`; the text FROM is there, and with TO in its place the program is refused.
expect "changed: programs" 0 "$CALQUE" dump tests/emit/validate.kern --stage=dpia --format=sexp
cp "$TMP/out" "$TMP/programs"
"$CALQUE" dump tests/emit/validate.kern --stage=kernel >"$TMP/kernels"
check "not changed: equal" 0 "$TMP/programs" "$TMP/kernels"
CHANGED=0
while IFS='~' read -r name from to; do
    case $name in '' | '#'*) continue ;; esac
    "$PY" - "$TMP/programs" "$from" "$to" >"$TMP/changed" <<'END' || { fail "$name: the text is not there"; continue; }
import sys
text, (old, new) = open(sys.argv[1]).read(), sys.argv[2:]
sys.exit(1) if old not in text else sys.stdout.write(text.replace(old, new, 1))
END
    check "refused: $name" 1 "$TMP/changed" "$TMP/kernels" && CHANGED=$((CHANGED + 1))
done <tests/emit/validate.txt

# Random changes of all of these: where the oracle reads the program, both say the same.
mkdir "$TMP/changes"
expect "random changes" 0 "$PY" tests/emit/validate_random.py 11 "$CHANGES" "$TMP/all/programs" "$TMP/all/kernels" "$TMP/changes"
"$ORACLE" validate "$TMP/changes/programs" "$TMP/changes/kernels" >"$TMP/extracted"
"$C" "$TMP/changes/programs" "$TMP/changes/kernels" >"$TMP/ours"
sed -n 's/^unread: \([0-9]*\): .*/\1/p' "$TMP/extracted" >"$TMP/unread"
known() { awk 'NR == FNR { out[$1] = 1; next } /^different: / { n = $2; sub(/:$/, "", n); if (!(n in out)) print }' "$TMP/unread" "$1"; }
known "$TMP/extracted" >"$TMP/said"
known "$TMP/ours" >"$TMP/out"
if cmp -s "$TMP/said" "$TMP/out"; then
    pass "random changes: $CHANGES, $(wc -l <"$TMP/said") of them refused, $(wc -l <"$TMP/unread") not read"
else
    fail "random changes: the check in C says something else:"
    diff "$TMP/said" "$TMP/out" | head -n 10
fi
for why in "has not the type" "computes another cell"; do
    n=$(grep -c "$why" "$TMP/said")
    [ "$n" -ge $((CHANGES / 20)) ] && pass "$n changed programs: $why" || fail "only $n changed programs: $why"
done

# by_hand NAME STATUS BODY: a program of the matrix product.
by_hand() {
    { echo 'in A : 32.64.num
in D : 64.48.num
out C : 32.48.num
C :='; echo "$3"; } >"$TMP/hand.dpia"
    echo 'C<32,48>[i,j] = sum(k<64) (A<32,64>[i,k] * D<64,48>[k,j]);' >"$TMP/hand.kern"
    expect "$1: read" 0 "$CALQUE" dump "$TMP/hand.dpia" --format=sexp || return
    cp "$TMP/out" "$TMP/programs"
    check "$1" "$2" "$TMP/programs" "$TMP/hand.kern"
}
by_hand "a sum in two loops" 0 '  generatePar 32 (fun i -> generatePar 48 (fun j ->
    reduceSeq 4 (fun a x -> reduceSeq 16 (fun b y ->
      (y + (A[i][((a * 16) + b)] * D[((a * 16) + b)][j]))) x (iota 16)) 0x0p+0 (iota 4)))'
by_hand "a sum in another order is refused" 1 '  generatePar 32 (fun i -> generatePar 48 (fun j ->
    reduceSeq 4 (fun a x -> reduceSeq 16 (fun b y ->
      (y + (A[i][((b * 4) + a)] * D[((b * 4) + a)][j]))) x (iota 16)) 0x0p+0 (iota 4)))'
by_hand "loops exchanged" 0 '  (transpose (generatePar 48 (fun j -> generatePar 32 (fun i ->
    reduceSeq 64 (fun k x -> (x + (A[i][k] * D[k][j]))) 0x0p+0 (iota 64)))))'
by_hand "a product not transposed is refused" 1 '  (split 48 (join (generatePar 48 (fun j -> generatePar 32 (fun i ->
    reduceSeq 64 (fun k x -> (x + (A[i][k] * D[k][j]))) 0x0p+0 (iota 64))))))'

# Changes of packed kernels and of their data: those of unit_pack.c but for three that the text does not say (a loop that is longer
# than its dimension, a temporary that is an input, another type of the kernel), and random ones of random kernels.
expect "packed: changes" 0 "$PACK" --changes 60
cp "$TMP/out" "$TMP/packed"
both_packed "packed: changes" 1 "$TMP/packed"
n=$(grep -c '^different: change ' "$TMP/said")
[ "$n" = 50 ] && pass "changed packed kernels refused: $n" || fail "$n changed packed kernels are refused, not 50"
n=$(grep -c '^different: random change ' "$TMP/said")
[ "$n" -ge 80 ] && pass "random changes of packed kernels refused: $n" || fail "only $n random changes of packed kernels are refused"
grep -q '^different: \(packed\|random\) [0-9]*:' "$TMP/said" && fail "a packed kernel that is not changed is refused"
n=$(sed 's/.*: //' "$TMP/said" | sort -u | grep -vc '^[0-9]')
[ "$n" = 11 ] && pass "packed: $n reasons" || fail "packed: $n reasons, not 11"
for change in 's/^constant: \([^ ]*\) [^ ]*/constant: \1 zz/' 's/^packed: .*/packed: X1 a b c/' 's/^packed: .*/packed: X1/' 's/^stored: .*/stored:/'; do
    sed "$change" "$TMP/packed" >"$TMP/bad"
    expect "packed: unread: $change" 2 "$ORACLE" packed "$TMP/bad" && grep -q '^unread: ' "$TMP/out" || fail "packed: $change: $(head -n 2 "$TMP/err")"
done

# The same data in a file beside the text. Of tiles.graph: a bit that differs, of what is stored or of its constant, is seen, at either end.
data_refused() { # WHAT STATUS TEXT
    expect "data of packing: $1" "$2" "$ORACLE" packed "$TMP/side/model.packed" && grep -q "$3" "$TMP/out" || fail "data of packing: $1: $(head -n 2 "$TMP/out")"
}
expect "tiles.graph: --certificate" 0 "$CALQUE" emit tests/emit/tiles.graph -o "$TMP/side" --certificate --vectors 0
expect "data of packing" 0 "$ORACLE" packed "$TMP/side/model.packed"
cp "$TMP/side/model.data" "$TMP/data"
cp "$TMP/side/model.packed" "$TMP/packed"
n=0
while read -r name first count; do
    for at in "$first" $((first + 4 * count - 1)); do
        "$PY" -c 'import sys
f, at = open(sys.argv[1], "r+b"), int(sys.argv[2])
f.seek(at); x = f.read(1)[0]; f.seek(at); f.write(bytes([x ^ 1]))' "$TMP/side/model.data" "$at"
        data_refused "byte $at, of $name" 1 '^different: .*: the data of a packed constant are others$' && n=$((n + 1))
        cp "$TMP/data" "$TMP/side/model.data"
    done
done < <(awk '/^#/ { delete at } /^constant: / { at[$2] = $4 " " $5 } /^stored: / { print $2, $4, $5; print $2, at[$2] }' "$TMP/packed")
[ "$n" -ge 20 ] && pass "data of packing: $n changed bytes refused" || fail "data of packing: only $n changed bytes"
size=$(stat -c %s "$TMP/data")
truncate -s -1 "$TMP/side/model.data"
data_refused "a byte less" 2 "^unread: .*/side/model.data has $((size - 1)) bytes, not the [0-9]* words from byte [0-9]* on\$"
rm "$TMP/side/model.data"
data_refused "no file" 2 '^unread: .*/side/model.data: No such file or directory$'
mkdir "$TMP/side/model.data"
data_refused "a folder" 2 '^unread: .*/side/model.data'
rmdir "$TMP/side/model.data"
cp "$TMP/data" "$TMP/side/model.data"
while IFS='~' read -r change text; do
    sed "0,/^stored:/$change" "$TMP/packed" >"$TMP/side/model.packed"
    data_refused "unread: $change" 2 "^unread: .*$text"
done <<'END'
s/^\(stored: .*\) [0-9]*$/\1 1/~/side/model.data: 1 words for the [0-9]* cells of
s/^\(stored: .*\) [0-9]*$/\1 99999999999999999999/~/side/model.data has [0-9]* bytes, not the 99999999999999999999 words
s/^\(stored: .*\) [0-9]* \([0-9]*\)$/\1 99999999999999999999 \2/~/side/model.data has .* from byte 99999999999999999999 on
s/^\(stored: .*\) [0-9]*$/\1 -1/~'-1' is no size
s/^\(stored: .*\) [0-9]*$/\1/~'@model.data' is no float's bits
s|@model|@../side/model|~'../side/model.data' is no file's name
s|@model.data|@|~'' is no file's name
END

[ "$PACKED" -ge 500 ] && pass "packed kernels: $PACKED" || fail "only $PACKED packed kernels"

# Changes of merged statements, those of unit_statements.c: whatever the extracted check accepts does the same, one after the other;
# what runs at the same time it does not look at; and it accepts what the check in C does, but for what is printed here.
"$B/tests/emit/unit_statements" --pairs >"$TMP/pairs" 2>"$TMP/err" || fail "unit_statements --pairs: $(tail -n 1 "$TMP/err")"
"$ORACLE" statements "$TMP/pairs" >"$TMP/said"
grep '^unread: ' "$TMP/said" && fail "statements: a pair is not read"
sed -n 's/^# //p' "$TMP/pairs" | sort >"$TMP/named"
sed -n 's/^different: \(.*\): that is not seen$/\1/p' "$TMP/said" | sort >"$TMP/different"
for what in "refused, another" "seen, another"; do
    n=$(grep -c "^$what: " "$TMP/named")
    [ "$n" = "$(grep -c "^$what: " "$TMP/different")" ] || fail "statements: a change that does something else is accepted"
done
n=$(grep -c "^refused, another: " "$TMP/different")
[ "$n" -ge 2300 ] && pass "changed statements refused: $n" || fail "only $n changed statements are refused"
n=$(grep -c '^seen.*not changed' "$TMP/different")
[ "$n" = 0 ] && pass "statements that are not changed: equal" || fail "$n statements that are not changed are not seen to be equal"
sed -n 's/^seen, the same: \(.*\), kernel.*/   not seen, but by the check in C: \1/p' "$TMP/different" | sort | uniq -c
comm -23 "$TMP/named" "$TMP/different" | sed -n 's/^refused, the same: \(.*\), kernel.*/   seen, but not by the check in C: \1/p' | sort | uniq -c
n=$(grep -c '^seen' "$TMP/different")
[ "$n" -le 4 ] || fail "$n changes are seen by the check in C alone"
for change in 's/^plain: .*/plain: (set 1)/' 's/^merged: .*/merged: (for 1 1 0 x () ())/' 's/^plain: /nothing: /'; do
    sed "$change" "$TMP/pairs" | head -n 3 >"$TMP/bad"
    expect "statements: unread: $change" 2 "$ORACLE" statements "$TMP/bad" && grep -q '^unread: ' "$TMP/out" || fail "statements: $change: $(head -n 2 "$TMP/out")"
done
[ "$STATEMENTS" -ge 1100 ] && pass "kernels of which the statements are equal: $STATEMENTS" || fail "only $STATEMENTS kernels have equal statements"

# Changes of calls: what is accepted leaves the same results, by a run of both in Python.
"$PY" tests/emit/calls.py "$ORACLE" 11 400 "$TMP"/*.calls >"$TMP/out" && pass "$(tail -n 1 "$TMP/out")" || { fail "changes of calls:"; cat "$TMP/out"; }
for change in 's/^(regions /(region /' '$d;s/^(one k/(two k/' '2s/(given ((0/(given ((x/' 's/^(one k.*/(loop 1000000 (k0 () ()))/'; do
    sed "$change" "$TMP/parts.graph.calls" >"$TMP/bad"
    expect "calls: unread: $change" 2 "$ORACLE" calls "$TMP/bad" && grep -q '^unread: ' "$TMP/out" || fail "calls: $change: $(head -n 2 "$TMP/out")"
done
sed '/^(call /{x;s/^/x/;/^x\{9\}$/{x;s/^(call k[0-9]*/(call k9999/;b};x}' "$TMP/parts.graph.calls" >"$TMP/bad"
expect "calls: the first that differs" 1 "$ORACLE" calls "$TMP/bad" && grep -q '^different: call 9, of k9999, ' "$TMP/out" || fail "calls: $(head -n 1 "$TMP/out")"
[ "$CALLS" -ge 1200 ] && [ "$LOOPED" -ge 50 ] && pass "calls whose arguments are where they should be: $CALLS, $LOOPED in loops" || fail "only $CALLS calls, $LOOPED in loops"

[ "$KERNELS" -ge 2000 ] && pass "kernels: $KERNELS" || fail "only $KERNELS kernels"
[ "$CHANGED" -ge 18 ] && pass "changed programs refused: $CHANGED" || fail "only $CHANGED changed programs"
[ "$SAME" -ge 170 ] && pass "the check in C says the same of all: $SAME" || fail "only $SAME comparisons"
expect_error "a file that is not there" "No such file" "$ORACLE" validate "$TMP/none" "$TMP/none"
finish
