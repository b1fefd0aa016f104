#!/usr/bin/env bash
# The published rule set from outside: the 19 expressiveness graphs give the expected graph and the same values; every
# published rule has its name in `calque rules`; sets and rules are picked as asked.
# usage: run.sh BUILD
B=${1:-.build}
cd "$(dirname "$0")/../.."
. tests/lib.sh
E=tests/rewrite/express

for g in $E/*.graph; do
    n=$(basename "$g" .graph)
    rules=$(sed -n 's/^# rules: //p' "$g")
    expect "$n: opt" 0 "$CALQUE" opt "$g" -o "$TMP/$n.graph" --no-fold --rule "$rules" --check 3 || continue
    if cmp -s "$TMP/$n.graph" "$E/$n.golden"; then pass "$n: expected graph"
    else fail "$n: expected graph"; diff "$E/$n.golden" "$TMP/$n.graph" | head -n 20; fi
    "$CALQUE" dump "$g" >"$TMP/same.graph"
    cmp -s "$TMP/$n.graph" "$TMP/same.graph" && fail "$n: nothing was rewritten"
    expect "$n: nothing is left to do" 0 "$CALQUE" opt "$TMP/$n.graph" -o "$TMP/again.graph" --no-fold --rule "$rules"
    cmp -s "$TMP/$n.graph" "$TMP/again.graph" || fail "$n: rewritten again"
done
[ "$(ls $E/*.graph | wc -l)" = 19 ] && pass "19 graphs" || fail "19 graphs"

"$CALQUE" rules >"$TMP/rules" || fail "rules"
missing=0
for n in $(cat tests/rewrite/published.txt); do
    grep -qw "$n" "$TMP/rules" || { missing=1; fail "calque rules: $n is missing"; }
    expect "--rule $n" 0 "$CALQUE" rules --rule "$n"
done
[ $missing = 0 ] && pass "calque rules: every published name"
for s in simplify fold like merge pairs lower quantised; do
    "$CALQUE" rules --text $s >"$TMP/$s.gsl" && cmp -s "$TMP/$s.gsl" c/rewrite/library_$s.gsl && pass "rules --text $s" || fail "rules --text $s"
    grep -q "^$s (" "$TMP/rules" && pass "rules: set $s" || fail "rules: set $s"
done
# Each theorem that a rule names is among those that Coq checked, and each rule_*_sound of Coq is named by its rule (rule_at_sound is about matching).
expect "rules --json" 0 "$CALQUE" rules --json
json "$TMP/out" "'\n'.join(r['theorem'] for r in a['rules'] if r['theorem'])" | sort >"$TMP/named"
sed -n 's/^\([A-Za-z]*\.\)\{0,1\}\(rule_[a-z0-9_]*_sound\)$/\2/p' tests/coq/theorems.golden | grep -vx rule_at_sound | sort -u >"$TMP/proved"
[ -s "$TMP/proved" ] && diff "$TMP/proved" "$TMP/named" && pass "rules: the theorems are Coq's" || fail "rules: the theorems are Coq's"
[ "$(json "$TMP/out" "sum(r['theorem'] not in (None, 'rule_%s_sound' % r['name']) for r in a['rules'])")" = 0 ] &&
    pass "rules: each has its own theorem" || fail "rules: each has its own theorem"
expect "rules of a file are not proved" 0 "$CALQUE" rules -r c/rewrite/library_simplify.gsl --json
[ "$(json "$TMP/out" "sum(r['theorem'] is not None or r['set'] is not None for r in a['rules'])")" = 0 ] &&
    pass "rules of a file: no theorem, no set" || fail "rules of a file: no theorem, no set"

expect "check: the sets as files" 0 "$CALQUE" check --static "$TMP"/*.gsl
expect "check: a search for counterexamples" 0 "$CALQUE" check --set all --tries 100 --seconds 100
grep -q '^[0-9]* rules: 0 refuted, 0 not tested$' "$TMP/out" && pass "every rule was tested" || fail "every rule was tested"
expect "check: rules on truth values" 0 "$CALQUE" check tests/cli/good/truth.gsl
grep -q '^3 rules: 0 refuted, 0 not tested$' "$TMP/out" || fail "check: rules on truth values: $(tail -n 1 "$TMP/out")"
sed 's/Where(c, y, x)/Where(c, x, y)/' tests/cli/good/truth.gsl >"$TMP/wrong.gsl"
expect "check: a wrong rule on truth values" 1 "$CALQUE" check --rule where_not "$TMP/wrong.gsl"
grep -q 't[0-9]*: bool\[[0-9, ]*\] = \[' "$TMP/out" || fail "check: a counterexample without booleans"
expect "check: rules as they were published are refuted" 1 "$CALQUE" check tests/rewrite/unsound.gsl
for n in $(sed -n 's/^rule \([a-z0-9_]*\) .*/\1/p' tests/rewrite/unsound.gsl); do
    grep -q "^$n .* REFUTED " "$TMP/out" && pass "$n as published: refuted" || fail "$n as published: no counterexample found"
done
expect_error "no such set" "there is no rule set 'fast'" "$CALQUE" opt $E/ones_like.graph -o - --set standard,fast
expect_error "no such rule" "there is no rule 'faster'" "$CALQUE" opt $E/ones_like.graph -o - --rule conv_mul,faster
expect_error "no such rule in the set" "there is no rule 'conv_mul'" "$CALQUE" opt $E/ones_like.graph -o - --set lower --rule conv_mul
expect_error "no such text" "there is no rule set 'fast'" "$CALQUE" rules --text fast
count() { "$CALQUE" opt "$1" -o "$TMP/o.graph" --json "${@:3}" >"$TMP/j" && json "$TMP/j" "sum(r['applied'] for r in a['rules'].values())" | grep -qx "$2"; }
count $E/lower_layer_norm.graph 0 && pass "lower_* does not run by itself" || fail "lower_* does not run by itself"
count $E/lower_layer_norm.graph 1 --set lower && pass "--set lower" || fail "--set lower"
count $E/combine_parallel_dense.graph 0 && pass "merges do not run by themselves" || fail "merges do not run by themselves"
# the Split of the merged product and the Concat of the graph cancel
count $E/combine_parallel_dense.graph 2 --set standard,merge && pass "--set standard,merge" || fail "--set standard,merge"
count $E/combine_parallel_dense.graph 2 --set standard --set merge && pass "--set twice" || fail "--set twice"

# Classes.
[ "$("$CALQUE" rules --exact-only --json | tee "$TMP/j" | wc -c)" -gt 2 ] && [ "$(json "$TMP/j" "sorted({r['class'] for r in a['rules']})")" = "['exact']" ] &&
    pass "--exact-only: rules of class exact" || fail "--exact-only: rules of class exact"
"$CALQUE" rules --class exact,ring --class ring --json >"$TMP/j" && [ "$(json "$TMP/j" "sorted({r['class'] for r in a['rules']})")" = "['exact', 'ring']" ] &&
    pass "--class exact,ring" || fail "--class exact,ring"
expect_error "no such class" "there is no class 'fast': exact, ring or real" "$CALQUE" opt $E/ones_like.graph -o - --class exact,fast
expect_error "no class" "no class is named" "$CALQUE" opt $E/ones_like.graph -o - --class ''
expect_error "a rule of another class" "rule 'conv_mul' is of class ring, not of those asked for" \
    "$CALQUE" opt $E/ones_like.graph -o - --rule conv_mul --exact-only
count $E/lower_layer_norm.graph 0 --set lower --exact-only && pass "--exact-only leaves the others out" || fail "--exact-only leaves the others out"
[ "$(json "$TMP/j" "a['left_out'], a['class']")" = "(5, None)" ] && pass "--exact-only: says so" || fail "--exact-only: says so"
count $E/lower_layer_norm.graph 1 --set lower --class real && pass "--class real" || fail "--class real"
[ "$(json "$TMP/j" "a['left_out'], a['class']")" = "(0, 'real')" ] && pass "--class: the class of the answer" || fail "--class: the class of the answer"
printf 'rule twice {\n x = Wildcard()\n source Relu(Relu(x))\n target Relu(x)\n}\n' >"$TMP/twice.gsl"
printf 'graph g {\n input x: f32[2]\n y = Relu(Relu(x))\n return y\n}\n' >"$TMP/twice.graph"
# The theorem that covers a run.
covers() { # NAME THEOREM MODEL OPTION..
    "$CALQUE" opt "$3" -o "$TMP/o.graph" "${@:4}" >"$TMP/said" && grep -qx "$2" "$TMP/said" &&
        "$CALQUE" opt "$3" -o "$TMP/o.graph" --json "${@:4}" >"$TMP/j" && [ "$(json "$TMP/j" "a['theorem']")" = "$2" ] &&
        pass "$1" || { fail "$1"; cat "$TMP/said"; }
}
printf 'graph g {\n input x: f32[3, 2]\n input i: i64[2]\n y = Identity(Gather(x, i, axis=0))\n return y\n}\n' >"$TMP/data.graph"
printf 'graph g {\n input x: f32[3, 2]\n const i: i64[2] = [0, 2]\n y = Identity(Gather(x, i, axis=0))\n return y\n}\n' >"$TMP/known.graph"
covers "theorem: nothing to do" "theorem opt_correct_mixed: every output is the same, bit for bit" "$TMP/twice.graph"
covers "theorem: exact" "theorem opt_correct_mixed: every output is the same, bit for bit" "$TMP/known.graph"
covers "theorem: indices from the inputs" "theorem opt_keeps: every output is the same, bit for bit, where the indices of each Gather lie inside" "$TMP/data.graph"
printf 'graph g {\n input x: f32[2]\n y = Identity(x + Cast(ConstantOfShape(shape=(2,), dtype=7, value=9.125), to=1))\n return y\n}\n' >"$TMP/literals.graph"
covers "theorem: literals" "theorem opt_correct_mixed: every output is the same, bit for bit, where no Cast, comparison or condition reads cells of literals alone" "$TMP/literals.graph" --no-fold
covers "theorem: ring" "theorem opt_correct: every output is the same, computed in a commutative ring" $E/eliminate_identity.graph --rule eliminate_identity --no-fold
covers "theorem: real" "theorem opt_correct: every output is the same, computed in the reals" $E/lower_layer_norm.graph --set lower
covers "theorem: none, an opaque operator" "no theorem covers the run: 'f' has no meaning in the semantics" tests/cli/unknown.graph
covers "theorem: none, a rule of a file" "no theorem covers the run: rule twice is not proved" "$TMP/twice.graph" -r "$TMP/twice.gsl"
count "$TMP/twice.graph" 1 -r "$TMP/twice.gsl" && pass "a rule without class" || fail "a rule without class"
count "$TMP/twice.graph" 0 -r "$TMP/twice.gsl" --exact-only && pass "a rule without class is not exact" || fail "a rule without class is not exact"
finish
