# calque ops: the operators are those of Coq's table, and what it says is proved is in the golden file. Sourced by run.sh.
expect "ops --json" 0 "$CALQUE" ops --json
json "$TMP/out" "chr(10).join(sorted(x['name'] for x in a['operators']))" >"$TMP/ops"
sed -n '/ORDER op: as in/,/\]\./p' coq/tensor/OpTable.v | grep -o '("[A-Za-z0-9]*"' | tr -d '("' | sort >"$TMP/coq"
if [ -s "$TMP/coq" ] && diff "$TMP/ops" "$TMP/coq"; then pass "ops: the operators of Coq's table"
else fail "ops: not the operators of Coq's table"; fi
"$CALQUE" ops --json >"$TMP/out"
for t in $(json "$TMP/out" "' '.join([x['theorem'] for x in a['proved']] + [x['theorem'] for x in a['expanded'] if 'theorem' in x])"); do
    if grep -q "\b$t\b" tests/coq/theorems.golden; then pass "ops: $t is a theorem"; else fail "ops: $t is no theorem of the golden file"; fi
done
json "$TMP/out" "all(x['since'] == sorted(x['since']) and x['since'] for x in a['operators'] if x['domain'] == 'onnx')" >"$TMP/since"
if [ "$(cat "$TMP/since")" = True ]; then pass "ops: each ONNX operator has forms, ascending"; else fail "ops: forms"; fi
expect "ops of one operator" 0 "$CALQUE" ops Conv
grep -q '^Conv (onnx 1; inputs: 2 to 3; types: f32 f64)$' "$TMP/out" || fail "ops Conv: $(head -n 1 "$TMP/out")"
expect "ops of one that is read as others" 0 "$CALQUE" ops QuantizeLinear Relu
grep -q '^QuantizeLinear (onnx 10; read as several' "$TMP/out" && grep -q 'proved: quantize_linear_correct' "$TMP/out" &&
    grep -q '^1 operators; proved' "$TMP/out" && pass "ops QuantizeLinear" || { fail "ops QuantizeLinear"; cat "$TMP/out"; }
expect "ops --json of one that is read as others" 0 "$CALQUE" ops Tile --json
[ "$(json "$TMP/out" "[len(a['operators']), [x['name'] for x in a['expanded']]]")" = "[0, ['Tile']]" ] && pass "ops Tile --json" || fail "ops Tile --json"
expect "ops: no such operator" 1 "$CALQUE" ops Frobnicate
