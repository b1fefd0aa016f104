#!/usr/bin/env bash
# calque equiv from outside: its four verdicts, what it writes, what it refuses; what the published unsound rules make of their
# counterexamples is never called equal; each graph of tests/rewrite/express is what its rules make of it.
# unit_equiv.c has the pairs that rules make and those that are broken on purpose.
# usage: equiv.sh BUILD
B=${1:-.build}
cd "$(dirname "$0")/../.."
. tests/lib.sh

# is NAME STATUS VERDICT ARGUMENTS..
is() {
    local name=$1 status=$2 verdict=$3
    shift 3
    expect "$name: exit status" "$status" "$CALQUE" equiv "$@" || return 1
    [ "$(head -n 1 "$TMP/out")" = "$verdict" ] && pass "$name: $verdict" || { fail "$name: not '$verdict'"; cat "$TMP/out"; return 1; }
}
says() { grep -qF -- "$1" "$TMP/out" && pass "it says: $1" || { fail "it does not say: $1"; cat "$TMP/out"; }; }
graph() { printf 'graph {\n%s\n}\n' "$2" >"$TMP/$1.graph"; }

graph twice 'input x: f32[2, 3, 4]
  y = Transpose(Transpose(Relu(x), perm=(1, 0, 2)), perm=(1, 0, 2))
  return y'
graph once 'input x: f32[2, 3, 4]
  y = Relu(x)
  return y'
is rules 0 "equal bit for bit" "$TMP/twice.graph" "$TMP/once.graph"
says "theorem opt_correct_mixed: every output is the same, bit for bit"
says "theorem equal_term_outputs: the outputs of both become the same terms"
says "rules applied to A: transpose_transpose (exact)"

# No rule says this, but the cells do.
graph moved 'input x: f32[2, 3, 4]
  y = Transpose(Relu(Reshape(x, shape=(2, 12))), perm=(1, 0))
  return y'
graph mover 'input x: f32[2, 3, 4]
  y = Relu(Transpose(Reshape(x, shape=(2, 12)), perm=(1, 0)))
  return y'
is cells 0 "equal bit for bit" "$TMP/moved.graph" "$TMP/mover.graph"
says "theorem validated_twice: 1 pairs of terms are the same by the cells of their kernels"
expect "cells need a run" 1 "$CALQUE" equiv --tries 0 "$TMP/moved.graph" "$TMP/mover.graph"

# Inputs that nothing reads and that the other has not do not count; one that is read does.
graph spare 'input x: f32[2, 3, 4]
  input w: f32[7]
  input x2: i64[3]
  y = Relu(x)
  return y'
is "unread inputs" 0 "equal bit for bit" "$TMP/twice.graph" "$TMP/spare.graph"
says "left aside: 2 inputs of B that nothing reads"
is "unread inputs of the first" 0 "equal bit for bit" "$TMP/spare.graph" "$TMP/once.graph"
says "left aside: 2 inputs of A that nothing reads"
expect_error "not by order" "inputs" "$CALQUE" equiv --by-order "$TMP/spare.graph" "$TMP/once.graph"
graph needs 'input x: f32[2, 3, 4]
  input w: f32[1]
  y = Add(Relu(x), w)
  return y'
expect_error "an input that is read" "inputs" "$CALQUE" equiv "$TMP/once.graph" "$TMP/needs.graph"

# A zero of another sign is another bit, and nothing that rounding would not explain.
graph minus 'input x: f32[64]
  const z: f32[1] = 0.0
  y = Mul(x, z)
  return y'
graph plus 'input x: f32[64]
  const z: f32[1] = 0.0
  y = Mul(Abs(x), z)
  return y'
is "zeros of another sign" 1 refuted "$TMP/minus.graph" "$TMP/plus.graph" --exact
is "zeros of another sign, rounded" 1 unknown "$TMP/minus.graph" "$TMP/plus.graph"

# What optimisers of others write: name, verdict, A, B; @ begins a line.
while IFS='|' read -r name verdict a b; do
    graph a "$(echo "$a" | tr @ '\n')"
    graph b "$(echo "$b" | tr @ '\n')"
    status=0
    [ "${verdict%% *}" = equal ] || status=1
    is "$name" $status "$verdict" "$TMP/a.graph" "$TMP/b.graph"
done <<'END'
a common subexpression|equal bit for bit|input x: f32[2, 3]@a = Relu(x)@b = Relu(x)@y = Add(a, Exp(b))@return y|input x: f32[2, 3]@a = Relu(x)@y = Add(a, Exp(a))@return y
operands in another order|equal bit for bit|input x: f32[2, 3]@input z: f32[3]@y = Relu(x + z)@return y|input x: f32[2, 3]@input z: f32[3]@y = Relu(z + x)@return y
of a difference they count|refuted|input x: f32[3]@input z: f32[3]@y = Relu(x - z)@return y|input x: f32[3]@input z: f32[3]@y = Relu(z - x)@return y
a product with a bias|equal bit for bit|input x: f32[2, 4]@param w: f32[4, 3]@param b: f32[3]@y = MatMul(x, w) + b@return y|input x: f32[2, 4]@param w: f32[4, 3]@param b: f32[3]@y = Gemm(x, w, b)@return y
a transposed product|equal bit for bit|input x: f32[4, 2]@param w: f32[4, 3]@param b: f32[3]@y = MatMul(Transpose(x), w) + b@return y|input x: f32[4, 2]@param w: f32[4, 3]@param b: f32[3]@y = Gemm(x, w, b, transA=1)@return y
a product of fewer dimensions|equal bit for bit|input x: f32[2, 3, 4]@param w: f32[4, 5]@y = MatMul(x, w)@return y|input x: f32[2, 3, 4]@param w: f32[4, 5]@y = Reshape(MatMul(Reshape(x, shape=(6, 4)), w), shape=(2, 3, 5))@return y
a mean for a pool|equal bit for bit|input x: f32[2, 4, 5, 5]@y = GlobalAveragePool(x)@return y|input x: f32[2, 4, 5, 5]@y = ReduceMean(x, axes=(2, 3), keepdims=1)@return y
a mean over fewer axes|refuted|input x: f32[2, 4, 5, 5]@y = GlobalAveragePool(x)@return y|input x: f32[2, 4, 5, 5]@y = Expand(ReduceMean(x, axes=(1, 2, 3), keepdims=1), shape=(2, 4, 1, 1))@return y
a padding by nothing|equal bit for bit|input x: f32[2, 4]@y = Relu(Pad(x, pads=(0, 0, 0, 0)))@return y|input x: f32[2, 4]@y = Relu(x)@return y
a bias moved into a convolution|equal bit for bit|input x: f32[1, 3, 8, 8]@param w: f32[4, 3, 3, 3]@param b: f32[1, 4, 1, 1]@y = Conv(x, w) + b@return y|input x: f32[1, 3, 8, 8]@param w: f32[4, 3, 3, 3]@param b: f32[1, 4, 1, 1]@y = Conv(x, w, Reshape(b, shape=(4,)))@return y
a clip at 0|equal bit for bit|input x: f32[2, 4]@y = Clip(x, min=0.0)@return y|input x: f32[2, 4]@y = Relu(x)@return y
a quotient by 4|unknown|input x: f32[2, 4]@const c: f32[] = 4.0@y = x / c@return y|input x: f32[2, 4]@const c: f32[] = 0.25@y = x * c@return y
END

graph conv 'input x: f32[1, 3, 8, 8]
  param w: f32[4, 3, 3, 3]
  param g: f32[4]
  const v: f32[4] = 0.75
  y = BatchNormalization(Conv(x, w), g, g, g, v)
  return y'
"$CALQUE" opt "$TMP/conv.graph" -o "$TMP/folded.onnx" >"$TMP/out" || fail "opt"
is folding 0 "equal over the reals" "$TMP/conv.graph" "$TMP/folded.onnx"
says "theorem opt_correct: every output is the same, computed in the reals, where a constant that was folded stands for its exact value"
says "conv_bn_fold (real)"
is "folding, bit for bit" 1 refuted "$TMP/conv.graph" "$TMP/folded.onnx" --exact
expect "--json" 0 "$CALQUE" equiv "$TMP/conv.graph" "$TMP/folded.onnx" --json
[ "$(json "$TMP/out" "a['verdict'], a['kernels'], a['identical'], [(r['name'], r['class'], r['theorem'], r['a']) for r in a['rules']]")" = \
    "('equal over the reals', 0, False, [('conv_bn_fold', 'real', 'rule_conv_bn_fold_sound', True)])" ] && pass "--json says the same" || { fail "--json"; cat "$TMP/out"; }

graph other 'input x: f32[2, 3, 4]
  y = Abs(x)
  return y'
is other 1 refuted "$TMP/once.graph" "$TMP/other.graph" --save "$TMP/saved" --seed 5
says "they part at Relu 'y' of A and Abs 'y' of B"
says "output y differs on the inputs of --seed 5, saved in $TMP/saved"
expect "A on what was saved" 0 "$CALQUE" run "$TMP/once.graph" x="$TMP/saved/x.npy" --compare "$TMP/saved/a" --rtol 0 --atol 0
expect "B on what was saved" 0 "$CALQUE" run "$TMP/other.graph" x="$TMP/saved/x.npy" --compare "$TMP/saved/b" --rtol 0 --atol 0
expect "both differ there" 1 "$CALQUE" run "$TMP/once.graph" x="$TMP/saved/x.npy" --compare "$TMP/saved/b"

graph again 'input x: f32[2, 3, 4]
  y = Relu(Relu(x))
  return y'
is again 1 unknown "$TMP/again.graph" "$TMP/once.graph"
says "4 random inputs: identical bit for bit"
says "they part at Relu"
# What has no meaning is equal to nothing, not to itself.
graph fancy 'input x: f32[2]
  y = opaque "Fancy"(x): f32[2]
  return y'
is opaque 1 unknown "$TMP/fancy.graph" "$TMP/fancy.graph"
says "no run: "
# Beside it, what has one.
graph beside 'input x: f32[2]
  z = opaque "Fancy"(x): f32[2]
  y = Identity(Relu(x))
  return y'
sed 's/Identity(Relu(x))/Relu(x)/' "$TMP/beside.graph" >"$TMP/beside2.graph"
is "beside an opaque one" 1 unknown "$TMP/beside.graph" "$TMP/beside2.graph"
says "no theorem covers this: 'z' has no meaning in the semantics"
# An overflow in what is folded, which the reals do not have.
graph large 'input x: f32[4]
  const a: f32[4] = 1e30
  y = Mul(Mul(x, a), a)
  return y'
graph small 'input x: f32[4]
  const a: f32[4] = 1e30
  y = Mul(x, Mul(a, a))
  return y'
expect "an overflow is not equal" 1 "$CALQUE" equiv "$TMP/large.graph" "$TMP/small.graph"
# Conversions are no identities, though they keep small numbers.
graph narrow 'input x: i64[2, 3]
  y = Cast(Cast(x, to=1), to=7)
  return y'
graph wide 'input x: i64[2, 3]
  y = Identity(x)
  return y'
is conversions 1 unknown "$TMP/narrow.graph" "$TMP/wide.graph"
# A NaN is any NaN; -0 is not 0.
graph nan 'input x: f32[2]
  const o: f32[] = 0.0
  y = x + o
  return y'
graph keep 'input x: f32[2]
  y = Identity(x)
  return y'
is "x + 0 is not x in bits" 0 "equal over the reals" "$TMP/nan.graph" "$TMP/keep.graph"

# ---- inputs and outputs ----
graph ab 'input a: f32[2]
  input b: f32[2]
  y = a - b
  return y'
graph ba 'input b: f32[2]
  input a: f32[2]
  z = a - b
  return y = z'
is "by name" 0 "equal bit for bit" "$TMP/ab.graph" "$TMP/ba.graph"
is "by order" 1 refuted --by-order "$TMP/ab.graph" "$TMP/ba.graph"
sed 's/\by\b/q/' "$TMP/ab.graph" >"$TMP/q.graph"
expect_error "another name" "it has no output 'y', as $TMP/ab.graph has (--by-order goes by their order)" "$CALQUE" equiv "$TMP/ab.graph" "$TMP/q.graph"
is "another name, by order" 0 "equal bit for bit" --by-order "$TMP/ab.graph" "$TMP/q.graph"
sed 's/f32\[2\]/f32[3]/' "$TMP/ab.graph" >"$TMP/shape.graph"
expect_error "another shape" "input 'a' is f32 3, not f32 2 as in the first model" "$CALQUE" equiv "$TMP/ab.graph" "$TMP/shape.graph"
sed 's/f32\[2\]/i64[2]/' "$TMP/ab.graph" >"$TMP/type.graph"
expect_error "another type" "input 'a' is i64 2, not f32 2 as in the first model" "$CALQUE" equiv "$TMP/ab.graph" "$TMP/type.graph"
sed 's/input b: f32\[2\]/const b: f32[2] = 1/' "$TMP/ab.graph" >"$TMP/fewer.graph"
graph open 'input x: f32[2]
  y = opaque "Fancy"(x)
  return y'
expect_error "no shape" "output 'y' has no shape that is known" "$CALQUE" equiv "$TMP/open.graph" "$TMP/open.graph"
expect_error "fewer inputs" "it has other inputs than the first model: 1, not 2" "$CALQUE" equiv "$TMP/ab.graph" "$TMP/fewer.graph"
expect_error "more inputs" "it has other inputs than the first model: 2, not 1" "$CALQUE" equiv "$TMP/fewer.graph" "$TMP/ab.graph"
expect_error "no file" "$TMP/none.onnx" "$CALQUE" equiv "$TMP/ab.graph" "$TMP/none.onnx"
expect_error "one model" "give two models" "$CALQUE" equiv "$TMP/ab.graph"
expect_error "no count" "'x' is not a count" "$CALQUE" equiv --tries x "$TMP/ab.graph" "$TMP/ab.graph"
expect_error "no tolerance" "'-1' is no tolerance" "$CALQUE" equiv --rtol -1 "$TMP/ab.graph" "$TMP/ab.graph"
expect_error "no directory" "cannot create the directory" "$CALQUE" equiv "$TMP/once.graph" "$TMP/other.graph" --save "$TMP/ab.graph/x"

# ---- rules that are unsound ----
n=0
for g in tests/bad-rules/*_needs_*.graph; do
    name=$(basename "$g" .graph)
    "$CALQUE" opt "$g" -r "tests/bad-rules/${name%%_needs_*}.gsl" --no-fold --once --json -o "$TMP/bad.graph" >"$TMP/bad.json" 2>/dev/null
    [ "$(json "$TMP/bad.json" "a['applied'] > 0")" = True ] || continue
    n=$((n + 1))
    is "$name" 1 refuted "$g" "$TMP/bad.graph" --tries 20
done
[ $n -ge 8 ] && pass "$n graphs that unsound rules rewrite" || fail "only $n graphs that unsound rules rewrite"

# ---- rules that are sound ----
for g in tests/rewrite/express/*.graph; do
    expect "$(basename "$g" .graph): equal" 0 "$CALQUE" equiv "$g" "${g%.graph}.golden"
done
finish
