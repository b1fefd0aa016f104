# Rules as an author writes them: decimal literals, axes from the end, targets that the model's opset lacks, what a check says.
# Sourced by run.sh.
cat >"$TMP/round.graph" <<'G'
graph {
    input x : f32[1, 2, 4, 4]
    input v : f32[3]
    param s : f32[2]
    param u : f32[2]
    const r : f32[] = 1.4142135
    const c : f32[] = 0.1
    const t : f32[3] = [0.1, 0.2, 3.0]
    e = Erf(x / r)
    a = e * c
    y = InstanceNormalization(a, s, u, epsilon=1e-5)
    z = v * t
    return y, z
}
G
cat >"$TMP/round.gsl" <<'G'
rule erf { x = Wildcard()
    source Erf(x / 1.4142135)
    target Neg(Neg(Erf(x)))
}
rule value { x = Wildcard()
    c = Const()
    source x * c
    target Neg(Neg(x * c))
    require c.value == 0.1
}
rule other { x = Wildcard()
    c = Const()
    source x * c
    target Neg(Neg(x * c))
    require c.value == 0.1000001
}
rule vector { x = Wildcard()
    source x * Const((0.1, 0.2, 3))
    target Neg(Neg(x))
}
rule attribute { x = Wildcard()
    s = Wildcard()
    b = Wildcard()
    source InstanceNormalization(x, s, b, epsilon=1e-5)
    target x
}
rule required { x = Wildcard()
    s = Wildcard()
    b = Wildcard()
    y = InstanceNormalization(x, s, b)
    source y
    target x
    require y.epsilon == 1e-5
}
G
expect "match of decimal literals" 0 "$CALQUE" match "$TMP/round.graph" -r "$TMP/round.gsl" --json
got=$(json "$TMP/out" "' '.join(sorted(m['rule'] for m in a['matches']))")
if [ "$got" = "attribute erf required value vector" ]; then pass "literals are rounded to the element type"
else fail "literals are rounded to the element type: matches of $got"; fi
sed 's/: f32\[\] = 1.4142135/: f64[] = 0x1.6a09e6p+0/; s/x : f32/x : f64/; /a = e/,/z = v/d; s/return y, z/return e/' "$TMP/round.graph" >"$TMP/round64.graph"
expect "an f64 element is not rounded" 1 "$CALQUE" match "$TMP/round64.graph" -r "$TMP/round.gsl" --rule erf

# Comparisons of floats: of the numbers that literals and attributes stand for.
cat >"$TMP/order.graph" <<'G'
graph {
    input x : f32[3]
    a = LeakyRelu(x, alpha=0x1.99999ap-4)
    b = LeakyRelu(x, alpha=1.0)
    c = LeakyRelu(x, alpha=-0.0)
    d = LeakyRelu(x, alpha=0x1.99999cp-4)
    return a, b, c, d
}
G
order() { # REQUIREMENT WANTED: the nodes that it holds of
    printf 'rule r {\n    x = Wildcard()\n    y = LeakyRelu(x)\n    source y\n    target x\n    require %s\n}\n' "$1" >"$TMP/order.gsl"
    "$CALQUE" match "$TMP/order.graph" -r "$TMP/order.gsl" >"$TMP/out" 2>"$TMP/err"
    got=$(sed -n 's/.*y = \([a-d]\).*/\1/p' "$TMP/out" | sort | tr -d '\n')
    if [ "$got" = "$2" ] && grep -q '^[0-9]* matches$' "$TMP/out"; then pass "require $1"; else fail "require $1: of '$got', not of '$2'"; fi
}
order "y.alpha < 1" acd
order "y.alpha <= 1" abcd
order "1.0 > y.alpha" acd
order "y.alpha >= 0" abcd
order "y.alpha > 0" abd
order "y.alpha == 1" b
order "y.alpha != 1" acd
order "y.alpha == 0" ""
order "y.alpha < 0.1" c
order "y.alpha <= 0.1" ac
order "y.alpha > 0.1" bd
order "y.alpha >= 0.1" abd
order "y.alpha < 9007199254740993" abcd
order "not (y.alpha < 0.5)" b

cat >"$TMP/axes.graph" <<'G'
graph {
    input x : f32[2, 3, 4]
    a = ReduceSum(x, axes=(1, 2), keepdims=0)
    b = Softmax(x, axis=2)
    c = Unsqueeze(x, axes=(3,))
    d = Concat(x, x, axis=2)
    e = Softmax(x, axis=1)
    return a, b, c, d, e
}
G
cat >"$TMP/axes.gsl" <<'G'
rule sum { x = Wildcard()
    source ReduceSum(x, axes=[-1, -2], keepdims=0)
    target ReduceSum(ReduceSum(x, axes=[-1], keepdims=0), axes=[-1], keepdims=0)
    class ring
}
rule soft { x = Wildcard()
    source Softmax(x, axis=-1)
    target Neg(Neg(Softmax(x, axis=-1)))
    require x.ndim == 3
}
rule unsqueeze { x = Wildcard()
    source Unsqueeze(x, axes=[-1])
    target Neg(Neg(Unsqueeze(x, axes=[-1])))
}
rule twice { x = Wildcard()
    source Concat(x, x, axis=-1)
    target Neg(Neg(Concat(x, x, axis=-1)))
}
G
expect "match of axes from the end" 0 "$CALQUE" match "$TMP/axes.graph" -r "$TMP/axes.gsl" --json
got=$(json "$TMP/out" "' '.join(sorted(m['rule'] + '@' + m['value'] for m in a['matches']))")
if [ "$got" = "soft@b sum@a twice@d unsqueeze@c" ]; then pass "axes count from the end"; else fail "axes count from the end: $got"; fi
expect "a rule with axes from the end is tested" 0 "$CALQUE" check "$TMP/axes.gsl" --rule sum --tries 100

# What a check says: no instance is no success; a refutation names what is wrong.
printf 'rule never {\n    x = Wildcard()\n    source Relu(x)\n    target Sqrt(x)\n    require x.ndim == -1\n}\n' >"$TMP/none.gsl"
expect "no instance: exit status 1" 1 "$CALQUE" check "$TMP/none.gsl"
grep -q "graphs were made for it: .* fail a condition (require)" "$TMP/out" || fail "no instance: says no reason"
printf 'rule wide {\n    x = Wildcard()\n    source Relu(x)\n    target Concat(x, x, axis=0)\n    require x.ndim > 0\n}\n' >"$TMP/wide.gsl"
expect "refuted by types" 1 "$CALQUE" check "$TMP/wide.gsl" --tries 50
grep -q "the source is f32\[1\], the target f32\[2\]" "$TMP/out" || fail "refuted by types: names no types"
printf 'rule turn {\n    x = Wildcard()\n    source Relu(x)\n    target Transpose(x, perm=(0, 0))\n    require x.ndim == 2\n}\n' >"$TMP/turn.gsl"
expect "refuted by an attribute" 1 "$CALQUE" check "$TMP/turn.gsl" --tries 50
grep -q "(Transpose): perm is not a permutation" "$TMP/out" || fail "refuted by an attribute: does not name it"

# A target that the model's opset lacks.
cat >"$TMP/norm.gsl" <<'G'
rule layer { x = Wildcard()
    s = Const()
    source Relu(x) * s
    target LayerNormalization(x, s, axis=-1)
    require s.shape == (x.shape[1],) and x.ndim == 2
}
rule twice { x = Wildcard()
    source Neg(Neg(x))
    target x
}
G
cat >"$TMP/old.graph" <<'G'
graph (opset = 13) {
    input x : f32[2, 3]
    param s : f32[3]
    a = Relu(x) * s
    b = Neg(Neg(x))
    return a, b
}
G
expect "a target that the opset lacks" 0 "$CALQUE" opt "$TMP/old.graph" -r "$TMP/norm.gsl" -o "$TMP/old.onnx"
grep -q "^layer: not applicable [0-9]* times: LayerNormalization is not in opset 13" "$TMP/out" || fail "the opset is not named"
grep -q "^twice: 1" "$TMP/out" || fail "the other rule did not go on"
expect "--opset converts" 0 "$CALQUE" opt "$TMP/old.graph" -r "$TMP/norm.gsl" --opset 17 -o "$TMP/new.onnx"
grep -q "^layer: 1" "$TMP/out" || fail "--opset: the rule is not applied"
expect "the old model as ONNX" 0 "$CALQUE" opt "$TMP/old.graph" --set lower -o "$TMP/old.onnx"
expect "an ONNX model is converted" 0 "$CALQUE" opt "$TMP/old.onnx" -r "$TMP/norm.gsl" --opset 17 -o "$TMP/new.onnx"
grep -q "^layer: 1" "$TMP/out" || fail "--opset of ONNX: the rule is not applied"
expect "what was converted reads" 0 "$CALQUE" dump "$TMP/new.onnx"
if grep -q "opset *= *13" "$TMP/out"; then fail "--opset: the old opset was written"; fi
grep -qF '\x10\x11' "$TMP/out" || fail "--opset: another opset was written: $(head -n 1 "$TMP/out")"
printf 'graph (opset = 13) {\n    input x : f32[2]\n    y = opaque "Frobnicate"(x)\n    return y\n}\n' >"$TMP/odd.graph"
expect_error "--opset of an unknown operator" "cannot be converted to opset 17: node 'y' (Frobnicate)" "$CALQUE" opt "$TMP/odd.graph" --opset 17 -o "$TMP/o.onnx"
expect_error "--opset out of range" "--opset takes 1 to" "$CALQUE" opt "$TMP/old.graph" --opset 99 -o "$TMP/o.onnx"

# Operators without a meaning here: by domain and name, attributes from and to the bytes of their nodes.
U=tests/cli/unknown.gsl
expect "unknown operators are well formed" 0 "$CALQUE" check --static $U
expect "unknown operators are not tested" 1 "$CALQUE" check $U
[ "$(grep -c ' not tested: operator [a-z.]*::[A-Za-z]* has no meaning here$' "$TMP/out")" = 4 ] || fail "unknown operators: does not say which: $(cat "$TMP/out")"
expect "unknown operators are not tested, as JSON" 1 "$CALQUE" check $U --rule by_name --json
[ "$(json "$TMP/out" "a['rules'][0]['status'] + ': ' + a['rules'][0]['reason']")" = "not tested: operator com.acme::FancyOp has no meaning here" ] ||
    fail "unknown operators: JSON: $(cat "$TMP/out")"
unknown() { # RULE MATCHED TEXT: the rule matches these nodes; rewritten by way of ONNX, the graph has the text
    "$CALQUE" match tests/cli/unknown.graph -r $U --rule "$1" >"$TMP/out" 2>"$TMP/err"
    got=$(sed -n "s/^$1  *\\([a-z]\\) .*/\\1/p" "$TMP/out" | tr -d '\n')
    [ "$got" = "$2" ] && pass "$1 matches" || fail "$1 matches '$got', not '$2'"
    expect "$1 rewrites" 0 "$CALQUE" opt tests/cli/unknown.graph -r $U --rule "$1" --once -o "$TMP/u.onnx"
    expect "$1: what it wrote is read" 0 "$CALQUE" dump "$TMP/u.onnx"
    if grep -qF -- "$3" "$TMP/out"; then pass "$1: what it wrote"; else fail "$1: '$3' is not in what it wrote: $(cat "$TMP/out")"; fi
}
unknown by_name fh 'FancyOp:\x08com.acme'
unknown by_attribute f '"\x05Plain*\x0f\n\x05alpha\x15\xcd\xcc\xcc=\xa0\x01\x01*\x0f\n\x04mode\"\x04fast\xa0\x01\x03*\x0d\n\x04list@\x01@\x02\xa0\x01\x07*\x13\n\x04more='
unknown outputs l 'Add('
unknown same fh '*\x0f\n\x04mode\"\x04fast\xa0\x01\x03:\x08com.acme'
expect "a domain that a rule brings is imported" 0 "$CALQUE" opt tests/cli/unknown.graph -r $U --rule by_attribute -o "$TMP/u.onnx"
expect "a domain that a rule brings is imported: read" 0 "$CALQUE" dump "$TMP/u.onnx"
if grep -qF 'B\x0b\n\x07org.new\x10\x01' "$TMP/out"; then pass "the model imports org.new, version 1"; else fail "the model does not import org.new"; fi
expect "the same application is left alone" 0 "$CALQUE" opt tests/cli/unknown.graph -r $U --rule same -o "$TMP/u.graph" --stats
grep -q "^same .* identity 3" "$TMP/out" || fail "the same application is not left alone"
expect "an unknown operator where no value is: why" 0 "$CALQUE" match tests/cli/unknown.graph -r $U --rule by_name --why by_name
grep -q 'wanted op_type = "com.acme::FancyOp", got op_type = "com.other::FancyOp"' "$TMP/out" || fail "why: the names are not said"
