#!/usr/bin/env bash
# Budgets: work and memory stay within the size of the input, counted in calls, operations and bytes, not in seconds.
# usage: run.sh BUILD
B=${1:-.build}
cd "$(dirname "$0")/../.."
. tests/lib.sh
. tests/budget/gen.sh
ulimit -v 3000000 # kB: what goes beyond its budget fails, and does not take the machine with it

# most NAME NUMBER LIMIT
most() {
    if [ -n "$2" ] && [ "$2" -le "$3" ]; then pass "$1: $2, at most $3"; else fail "$1: $2, more than $3"; fi
}

# Calls of FUNCTION when the model emitted into DIR runs once, by elements; every call is counted by the linker's wrapper.
calls() { # calls DIR FUNCTION ELEMENTS
    cat >"$TMP/count.c" <<END
#include <stdio.h>
#include "model.h"
static long n;
float __real_$2(float);
float __wrap_$2(float);
float __wrap_$2(float x) { n++; return __real_$2(x); }
int main(void)
{
    static float x[$3], y[$3];
    if (model_run((const void *[]){ x }, (void *[]){ y }, NULL) != 0)
        return 1;
    printf("%ld\n", n / $3);
    return 0;
}
END
    gcc -O1 -fno-builtin -I"$1" -Wl,--wrap="$2" "$TMP/count.c" "$1/model.c" -o "$TMP/count" -lm >&2 && "$TMP/count"
}
bytes() { wc -c <"$1"; }

gen_silu 8 >"$TMP/silu.graph"
expect "emit 8 SiLU" 0 timeout 60 "$CALQUE" emit "$TMP/silu.graph" --seq -o "$TMP/silu"
most "expf an element in 8 SiLU" "$(calls "$TMP/silu" expf 128)" 8
for n in 12 24; do
    gen_erf $n >"$TMP/erf.graph"
    expect "emit $n of x + x * Erf(x)" 0 timeout 60 "$CALQUE" emit "$TMP/erf.graph" --seq -o "$TMP/erf$n"
    most "erff an element in $n of x + x * Erf(x)" "$(calls "$TMP/erf$n" erff 128)" $n
done
most "bytes of C in 12 of x + x * Erf(x)" "$(bytes "$TMP/erf12/model.c")" 4000
most "bytes of C in 24 of them" "$(bytes "$TMP/erf24/model.c")" 8000

# A run takes the memory that the one before gave back: it touches no other pages.
cat >"$TMP/softmax.graph" <<'END'
graph softmax {
    input x : f32[768, 1000]
    return y = Softmax(Exp(Softmax(x, axis=1)), axis=0)
}
END
cat >"$TMP/faults.c" <<'END'
#include <stdio.h>
#include <sys/resource.h>
#include "model.h"
int main(void)
{
    static float x[768000], y[768000];
    struct rusage before, after;
    for (int i = 0; i < 30; i++) {
        if (i == 3)
            getrusage(RUSAGE_SELF, &before);
        if (model_run((const void *[]){ x }, (void *[]){ y }, NULL) != 0)
            return 1;
    }
    getrusage(RUSAGE_SELF, &after);
    printf("%ld\n", after.ru_minflt - before.ru_minflt);
    return MODEL_ARENA_BYTES < 1000000;
}
END
expect "emit two softmax" 0 timeout 60 "$CALQUE" emit "$TMP/softmax.graph" --seq -o "$TMP/softmax"
gcc -O1 -I"$TMP/softmax" "$TMP/faults.c" "$TMP/softmax/model.c" -o "$TMP/faults" -lm && n=$("$TMP/faults") || fail "runs of two softmax: ${n:-not built}"
most "pages that 27 runs touch anew" "${n:-}" 100

# The caller's memory may hold anything before; nothing beyond it is touched.
cat >"$TMP/own.c" <<'END'
#include <stdalign.h>
#include <string.h>
#include "model.h"
static alignas(64) unsigned char memory[MODEL_ARENA_BYTES + 64];
static float x[768000], y[2][768000];
int main(void)
{
    for (int i = 0; i < 768000; i++)
        x[i] = (float)(i % 97) / 16;
    if (model_run((const void *[]){ x }, (void *[]){ y[0] }, NULL) != 0)
        return 1;
    for (int run = 0; run < 2; run++) {
        memset(memory + run * MODEL_ARENA_BYTES, 0xff, sizeof memory - run * MODEL_ARENA_BYTES);
        if (model_run_in(memory, (const void *[]){ x }, (void *[]){ y[1] }, NULL) != 0 || memcmp(y[0], y[1], sizeof y[0]) != 0)
            return 2;
    }
    for (int i = 0; i < 64; i++)
        if (memory[MODEL_ARENA_BYTES + i] != 0xff)
            return 3;
    return 0;
}
END
gcc -std=c11 -O1 -I"$TMP/softmax" "$TMP/own.c" "$TMP/softmax/model.c" -o "$TMP/own" -lm && "$TMP/own"
[ $? = 0 ] && pass "runs in memory of the caller's" || fail "runs in memory of the caller's"

# A product loaded twice, where no row or tile holds it: one loop over its terms.
cat >"$TMP/once.graph" <<'END'
graph once {
    input x : f32[3, 7]
    param w : f32[7, 131]
    t = MatMul(x, w)
    return y = Mul(t, Sigmoid(t))
}
END
for o in "" --acsl; do
    expect "emit a product with SiLU $o" 0 timeout 60 "$CALQUE" emit "$TMP/once.graph" $o -o "$TMP/once$o"
    most "loops over the product's terms $o" "$(cat "$TMP/once$o"/*.c | grep -c 'for (.* < 7;')" 1
done

gen_double 60 >"$TMP/double.kern"
expect "inline 60 doublings" 0 timeout 60 "$CALQUE" inline "$TMP/double.kern"
most "additions in 60 doublings" "$(grep -o '+' "$TMP/out" | wc -l)" 4000
most "statements of 60 doublings" "$(wc -l <"$TMP/out")" 60
gen_chain 40000 >"$TMP/chain.graph"
expect "emit a chain of 40000" 0 timeout 60 "$CALQUE" emit "$TMP/chain.graph" -o "$TMP/chain"

# Attributes that would make 3.6 billion values: the search is given up with little memory, says which rule, and the exit
# status is 3; the model that opt writes is there all the same.
cat >"$TMP/slow.gsl" <<'END'
rule slow {
    class exact
    x = Wildcard()
    source Relu(x)
    require sum([sum([i * j for j in range(60000)]) for i in range(60000)]) == 1
    target x
}
END
gen_chain 40 >"$TMP/relu.graph"
limited() { # limited NAME COMMAND...: exit status 3, stderr names the rule
    local name=$1
    shift
    (ulimit -v 200000; expect "$name" 3 "$@" && grep -q "rule slow: .*a limit" "$TMP/err") >"$TMP/said" || echo FAIL >>"$TMP/said"
    if grep -q FAIL "$TMP/said"; then fail "$name: $(tr '\n' ' ' <"$TMP/said") $(head -n 2 "$TMP/err")"; else pass "$name"; fi
}
limited "match, attributes without end" timeout 60 "$CALQUE" match --rules "$TMP/slow.gsl" "$TMP/relu.graph"
limited "opt, attributes without end" timeout 60 "$CALQUE" opt "$TMP/relu.graph" --rules "$TMP/slow.gsl" -o "$TMP/relu.out.graph"
[ -s "$TMP/relu.out.graph" ] && pass "opt writes the model" || fail "opt writes the model"
limited "check --seconds 2, attributes without end" timeout 20 "$CALQUE" check --seconds 2 "$TMP/slow.gsl"

# Searches that try every pair share one budget: the rule is named, the others go on.
gen_convs 5000 >"$TMP/convs.graph"
expect "match --set merge, 5000 parallel Convs" 3 timeout 100 "$CALQUE" match --set merge "$TMP/convs.graph"
grep -q '^1 matches' "$TMP/out" && grep -q "rule parallel_conv_expand_kernels: a limit" "$TMP/err" && pass "the rule is named" ||
    fail "the rule is named"
gen_convs 100 >"$TMP/convs.graph"
expect "match --set merge, 100 parallel Convs" 0 timeout 60 "$CALQUE" match --set merge "$TMP/convs.graph"

# The gradient of 400 nested quotients, linear in them; a statement that is short is not cut.
gen_quotients 400 >"$TMP/quotients.kern"
expect "grad of 400 nested quotients" 0 timeout 60 "$CALQUE" grad "$TMP/quotients.kern" --wrt A,B
most "bytes of the gradient of 400 nested quotients" "$(bytes "$TMP/out")" 400000
gen_quotients 5 >"$TMP/quotients.kern"
expect "grad of 5" 0 "$CALQUE" grad "$TMP/quotients.kern" --wrt B
most "statements of the gradient of 5" "$(wc -l <"$TMP/out")" 1

# 100,000 of each; the bound of a minute is for a machine that does ten other things.
gen_statements 100000 >"$TMP/statements.kern"
expect "inline, 100000 statements" 0 timeout 60 "$CALQUE" inline "$TMP/statements.kern"
gen_hub 100000 >"$TMP/hub.graph"
found() { # found NAME MATCHES STATUS COMMAND...: with status 3 a rule is named
    local name=$1 want=$2 status=$3
    shift 3
    expect "$name" "$status" timeout 60 "$@" || return
    [ "$(tail -n 1 "$TMP/out")" = "$want matches" ] && pass "$name: $want matches" || fail "$name: $(tail -n 1 "$TMP/out"), not $want"
    [ "$status" = 0 ] || { grep -q "rule .*: a limit exceeded" "$TMP/err" && pass "$name: a rule is named" || fail "$name: no rule is named"; }
}
# Each pair or triple of what is left is found: N / 2 of the one, N / 3 of the other rule.
found "match --set pairs, 100000 users of one value" 83333 0 "$CALQUE" match --set pairs "$TMP/hub.graph"
gen_mixed 100000 >"$TMP/mixed.graph"
found "match --set pairs, 100000 users of five operators" 66664 0 "$CALQUE" match --set pairs "$TMP/mixed.graph"
gen_dense 100000 >"$TMP/dense.graph"
found "match --set all, 100000 products of one value" 83334 0 "$CALQUE" match --set all "$TMP/dense.graph"
# What one search of a rule looks at is bounded, also when the search before it found a match.
gen_dense 100000 shared >"$TMP/shared.graph"
found "match --set all, 100000 products of one value with one matrix" 83333 3 "$CALQUE" match --set all "$TMP/shared.graph"
# Of the two that come to the same limit, one.
for n in $(one_of hub:pairs mixed:pairs) $(one_of shared:all dense:all); do
    expect "opt --set ${n#*:}, 100000 ${n%:*}" 3 timeout 60 "$CALQUE" opt --set "${n#*:}" "$TMP/${n%:*}.graph" -o "$TMP/opt.graph"
    grep -q "rule .*exceeded a limit" "$TMP/err" && pass "a rule is named" || fail "a rule is named"
done
gen_hub 10000 >"$TMP/hub.graph"
expect "opt --set pairs, 10000 users of one value" 0 timeout 60 "$CALQUE" opt --set pairs "$TMP/hub.graph" -o "$TMP/opt.graph"
most "operators left of 10000 users of one value" "$("$CALQUE" dump "$TMP/opt.graph" | grep -c -E '(Relu|Neg)[(]')" 2

# Emission and runs of many inputs, outputs and parts.
gen_fan 20000 Concat >"$TMP/fan.graph"
expect "emit a Concat of 20000" 0 timeout 60 "$CALQUE" emit "$TMP/fan.graph" -o "$TMP/fan"
gen_fan 30000 Sum >"$TMP/sum.graph"
expect "emit a Sum of 30000" 0 timeout 60 "$CALQUE" emit "$TMP/sum.graph" -o "$TMP/sum"
most "bytes of C of a Sum of 30000" "$(bytes "$TMP/sum/model.c")" 2000000
gen_split 10000 >"$TMP/split.graph"
expect "emit a Split into 10000" 0 timeout 60 "$CALQUE" emit "$TMP/split.graph" -o "$TMP/split"
gen_split 60000 >"$TMP/split.graph"
expect "dump a Split into 60000" 0 timeout 60 "$CALQUE" dump "$TMP/split.graph"
gen_long 1000 10000 >"$TMP/long.graph"
expect "emit names of 10000 letters" 0 timeout 60 "$CALQUE" emit "$TMP/long.graph" -o "$TMP/long"
gen_hub 100000 >"$TMP/hub.graph"
expect "run, 100000 outputs" 0 timeout 60 "$CALQUE" run "$TMP/hub.graph" --random 1

# A tensor that 100,000 statements load: its gradient is a sum of as many terms, in statements of bounded depth.
gen_products 100000 >"$TMP/products.kern"
expect "grad of 100000 products" 0 timeout 60 "$CALQUE" grad "$TMP/products.kern" --wrt A
most "parts of the sum" "$(grep -c '^part' "$TMP/out")" 1000
gen_concat 100000 >"$TMP/concat.graph"
expect "opt, a Concat of 100000 constants" 0 timeout 60 "$CALQUE" opt "$TMP/concat.graph" -o "$TMP/concat.out.graph"
finish
