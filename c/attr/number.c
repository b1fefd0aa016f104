#include "attr/number.h"

#include <limits.h>

#ifdef __FRAMAC__
#include "attr/number_laws.acsl"
#endif

enum { EXPONENT_ONE = 1023, EXPONENT_WHOLE = 1075, EXPONENT_LONG = 1086 }; /* of 1, of 2^52, of 2^63 */

/*@ requires bits:     0 <= k <= 52;
    terminates \true;
    exits    never:    \false;
    assigns  \nothing;
    ensures  power:    \result == power(k) && 1 <= \result <= FLOAT_STEP;
*/
static long power_of_two(int k)
{
    long p = 1;

    /*@ ghost power_laws(52); */
    /*@ ghost power_values(); */
    /*@ loop invariant range: 0 <= j <= k;
        loop invariant power: p == power(j) && 1 <= p <= FLOAT_STEP;
        loop assigns j, p;
        loop variant k - j;
    */
    for (int j = 0; j < k; j++) {
        /*@ ghost power_sum(j, 1); */
        p *= 2;
        /*@ assert most: power(j + 1) <= power(52); */
    }
    return p;
}

/* A float of this magnitude is part + rest, where rest < 1; more: rest > 0. */
struct whole {
    long part;
    int more;
};

/*@ requires some:     0 <= n && 1 <= p;
    terminates \true;
    exits    never:    \false;
    assigns  \nothing;
    ensures  part:     0 <= \result.part <= n;
    ensures  rest:     0 <= n - \result.part * p < p;
    ensures  more:     (\result.more == 0 || \result.more == 1) && (\result.more == 0 <==> n - \result.part * p == 0);
*/
static struct whole divided(long n, long p)
{
    struct whole w = { n / p, n % p != 0 };

    return w;
}

/*@ requires normal:   EXPONENT_ONE <= e < EXPONENT_WHOLE && FLOAT_STEP <= n < 2 * FLOAT_STEP;
    terminates \true;
    exits    never:    \false;
    assigns  \nothing;
    ensures  part:     0 <= \result.part;
    ensures  whole:    whole(\result.part, \result.more, n * power(e - 1));
*/
static struct whole cut(int e, long n)
{
    long p = power_of_two(EXPONENT_WHOLE - e);
    struct whole w = divided(n, p);

    /*@ assert int_part: int_number(w.part) == w.part * power(1074); */
    /*@ ghost power_laws(EXPONENT_WHOLE); */
    /*@ ghost power_sum(e - 1, EXPONENT_WHOLE - e); */
    /*@ assert unit: power(1074) == p * power(e - 1) && 1 <= power(e - 1); */
    /*@ ghost power_rest(e - 1, n - w.part * p, p); */
    /*@ assert ring: n * power(e - 1) == w.part * p * power(e - 1) + (n - w.part * p) * power(e - 1); */
    /*@ assert part: int_number(w.part) == w.part * p * power(e - 1); */
    /*@ assert size: \let r = n - w.part * p; n * power(e - 1) == int_number(w.part) + r * power(e - 1); */
    /*@ assert next: int_number(w.part + 1) == int_number(w.part) + power(1074); */
    return w;
}

/*@ requires normal:   EXPONENT_WHOLE <= e < EXPONENT_LONG && FLOAT_STEP <= n < 2 * FLOAT_STEP;
    terminates \true;
    exits    never:    \false;
    assigns  \nothing;
    ensures  part:     0 <= \result.part;
    ensures  whole:    whole(\result.part, \result.more, n * power(e - 1));
*/
static struct whole shifted(int e, long n)
{
    struct whole w = { 0, 0 };

    /*@ ghost power_laws(EXPONENT_WHOLE); */
    /*@ ghost power_values(); */
    /*@ ghost power_sum(1074, e - EXPONENT_WHOLE); */
    /*@ assert least: power(e - EXPONENT_WHOLE) <= power(10) <= 0x400; */
    w.part = n * power_of_two(e - EXPONENT_WHOLE);
    return w;
}

/* Of a float below 2^63, without its sign. */
/*@ requires long:     0 <= m < EXPONENT_LONG * FLOAT_STEP;
    terminates \true;
    exits    never:    \false;
    assigns  \nothing;
    ensures  part:     0 <= \result.part;
    ensures  whole:    whole(\result.part, \result.more, float_size(m));
*/
static struct whole whole_of(long m)
{
    int e = (int)(m / FLOAT_STEP);
    long n;
    struct whole w = { 0, m != 0 };

    if (e < EXPONENT_ONE) {
        /*@ ghost power_laws(2046); */
        /*@ ghost power_values(); */
        /*@ ghost power_sum(52, 1022); */
        /*@ assert one:   float_size(EXPONENT_ONE * FLOAT_STEP) == int_number(1); */
        /*@ assert below: float_size(m) < float_size(EXPONENT_ONE * FLOAT_STEP); */
        /*@ assert zero:  int_number(0) == 0 == float_size(0) && (m > 0 ==> 0 < float_size(m)); */
        /*@ assert whole: whole(0, w.more, float_size(m)); */
        return w;
    }
    /*@ assert e: e == m / FLOAT_STEP && FLOAT_STEP <= m; */
    n = m % FLOAT_STEP + FLOAT_STEP;
    /*@ assert size: float_size(m) == n * power(e - 1); */
    return e < EXPONENT_WHOLE ? cut(e, n) : shifted(e, n);
}

/*@ requires number:   magnitude(bits) <= FLOAT_INFINITE;
    terminates \true;
    exits    never:    \false;
    assigns  \nothing;
    ensures  order:    order_is(\result, int_number(z), float_number(bits));
*/
static int int_order(long z, long bits)
{
    const long least = EXPONENT_LONG * FLOAT_STEP;
    long m = bits < 0 ? bits - LONG_MIN : bits;
    struct whole w;

    /*@ ghost power_laws(2046); */
    /*@ ghost power_values(); */
    /*@ ghost power_sum(1074, 11); */
    /*@ assert unit: 1 <= power(1074); */
    /*@ assert m: m == magnitude(bits) && float_number(bits) == (bits < 0 ? -float_size(m) : float_size(m)); */
    if (m >= least) {
        /*@ assert long: float_size(least) == int_number(0x8000000000000000); */
        /*@ assert size: m > least ==> float_size(m) > float_size(least); */
        /*@ assert minus: int_number(LONG_MIN) == -int_number(0x8000000000000000); */
        /*@ assert long_order: int_number(z) < int_number(0x8000000000000000) <= float_size(m); */
        /*@ assert long_minus: -int_number(0x8000000000000000) <= int_number(z) &&
                               (LONG_MIN < z ==> -int_number(0x8000000000000000) < int_number(z)); */
        return bits >= 0 ? -1 : z == LONG_MIN && m == least ? 0 : 1;
    }
    w = whole_of(m);
    /*@ assert minus: int_number(-w.part) == -int_number(w.part); */
    /*@ assert next:  int_number(-(w.part + 1)) == -int_number(w.part + 1); */
    if (bits < 0)
        return z == -w.part ? w.more : z > -w.part ? 1 : -1;
    return z == w.part ? -w.more : z > w.part ? 1 : -1;
}

/*@ requires numbers:  magnitude(a) <= FLOAT_INFINITE && magnitude(b) <= FLOAT_INFINITE;
    terminates \true;
    exits    never:    \false;
    assigns  \nothing;
    ensures  order:    order_is(\result, float_number(a), float_number(b));
*/
static int float_order(long a, long b)
{
    long x = a < 0 ? LONG_MIN - a : a, y = b < 0 ? LONG_MIN - b : b;

    /*@ ghost power_laws(2046); */
    /*@ assert zero: float_size(0) == 0; */
    return x > y ? 1 : x < y ? -1 : 0;
}

/*@ terminates \true;
    exits    never:    \false;
    assigns  \nothing;
    ensures  bool:     \result == 0 || \result == 1;
    ensures  number:   \result == 1 <==> kind == VALUE_INT || kind == VALUE_FLOAT && magnitude(num) <= FLOAT_INFINITE;
*/
static int is_number(int kind, long num)
{
    return kind == VALUE_INT || (kind == VALUE_FLOAT && (num < 0 ? num - LONG_MIN : num) <= FLOAT_INFINITE);
}

/* The comparison of two numbers whose order is r. */
/*@ requires op:       is_test(op);
    terminates \true;
    exits    never:    \false;
    assigns  \nothing;
    ensures  bool:     \result == 0 || \result == 1;
    ensures  test:     \forall integer x, y; order_is(r, x, y) ==> (\result == 1 <==> int_test(op, x, y));
*/
static int test(int op, int r)
{
    switch (op) {
    case ATTR_LT:
        return r < 0;
    case ATTR_LE:
        return r <= 0;
    case ATTR_GT:
        return r > 0;
    default: /* ATTR_GE */
        return r >= 0;
    }
}

/*@ OP_REQUIRES
    requires ids:      0 <= x < vs.n && 0 <= y < vs.n;
    requires kinds:    vs.v[x].kind != vs.v[y].kind || vs.v[x].kind == VALUE_FLOAT;
    requires numbers:  is_number(val(VALS(vs), x)) && is_number(val(VALS(vs), y));
    terminates \true;
    exits    never:    \false;
    assigns  \nothing;
    ensures  order:    order_is(\result, number(val(VALS(vs), x)), number(val(VALS(vs), y)));
*/
static int order(struct values vs, int x, int y)
{
    /*@ assert x: \let v = val(VALS(vs), x); v_kind(v) == vs.v[x].kind && v_num(v) == vs.v[x].num; */
    /*@ assert y: \let v = val(VALS(vs), y); v_kind(v) == vs.v[y].kind && v_num(v) == vs.v[y].num; */
    if (vs.v[x].kind == VALUE_INT)
        return int_order(vs.v[x].num, vs.v[y].num);
    if (vs.v[y].kind == VALUE_INT)
        return -int_order(vs.v[y].num, vs.v[x].num);
    return float_order(vs.v[x].num, vs.v[y].num);
}

struct value_step attr_op_numbers(struct values vs, int op, int x, int y)
{
    struct value_step stuck = { STEP_STUCK, 0, vs.n, vs.npool };

    /*@ assert x: is_number(val(VALS(vs), x)) <==> \let v = vs.v[x];
                  v.kind == VALUE_INT || v.kind == VALUE_FLOAT && magnitude(v.num) <= FLOAT_INFINITE; */
    /*@ assert y: is_number(val(VALS(vs), y)) <==> \let v = vs.v[y];
                  v.kind == VALUE_INT || v.kind == VALUE_FLOAT && magnitude(v.num) <= FLOAT_INFINITE; */
    if (op < ATTR_LT || op > ATTR_GE || !is_number(vs.v[x].kind, vs.v[x].num) || !is_number(vs.v[y].kind, vs.v[y].num))
        return stuck;
    return value_put(vs, VALUE_BOOL, test(op, order(vs, x, y)));
}
