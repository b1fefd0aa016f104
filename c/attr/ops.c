/* Operations on values (AE-Unary, AE-Binary): checked integers, floats bit for bit, comparisons of numbers by the exact number
   that each is. ORDER attr_ops: attr_ops.def. */
#include "attr/ops.h"

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

struct int_step {
    int ok;
    long z;
};

/*@ terminates \true;
    exits    never:    \false;
    assigns  \nothing;
    ensures  stuck:    \result.code == STEP_STUCK;
    ensures  frame:    \result.n == vs.n && \result.npool == vs.npool;
*/
static struct value_step stuck(struct values vs)
{
    struct value_step r = { STEP_STUCK, 0, vs.n, vs.npool };
    return r;
}

/*@ terminates \true;
    exits    never:    \false;
    assigns  \nothing;
    ensures  sound:    \result.ok != 0 ==> int_op(ATTR_MUL, x, y, \result.z);
    ensures  complete: \result.ok == 0 ==> \forall integer z; !int_op(ATTR_MUL, x, y, z);
*/
static struct int_step int_mul(long x, long y)
{
    struct int_step r = { 0, 0 };

    if (x == 0 || y == 0)
        r.ok = 1;
    else if (x > 0 ? (y > 0 ? x <= LONG_MAX / y : y >= LONG_MIN / x)
                   : (y > 0 ? x >= LONG_MIN / y : y >= LONG_MAX / x)) {
        r.ok = 1;
        r.z = x * y;
    }
    return r;
}

/*@ terminates \true;
    exits    never:    \false;
    assigns  \nothing;
    ensures  sound:    \result.ok != 0 ==> int_op(ATTR_FLOORDIV, x, y, \result.z);
    ensures  complete: \result.ok == 0 ==> \forall integer z; !int_op(ATTR_FLOORDIV, x, y, z);
*/
static struct int_step int_floordiv(long x, long y)
{
    struct int_step r = { 0, 0 };

    if (y == 0 || (y == -1 && x == LONG_MIN))
        return r;
    r.ok = 1;
    r.z = x / y;
    if (x % y != 0 && (x < 0) != (y < 0))
        r.z--;
    return r;
}

/*@ terminates \true;
    exits    never:    \false;
    assigns  \nothing;
    ensures  sound:    \result.ok != 0 ==> int_op(ATTR_MOD, x, y, \result.z);
    ensures  complete: \result.ok == 0 ==> \forall integer z; !int_op(ATTR_MOD, x, y, z);
*/
static struct int_step int_mod(long x, long y)
{
    struct int_step r = { 0, 0 };

    if (y == 0)
        return r;
    r.ok = 1;
    if (y == -1)
        return r;
    r.z = x % y;
    if (r.z != 0 && (x < 0) != (y < 0))
        r.z += y;
    return r;
}

/* The operations int x int -> int. */
/*@ requires op:       ATTR_ADD <= op <= ATTR_MAX;
    terminates \true;
    exits    never:    \false;
    assigns  \nothing;
    ensures  sound:    \result.ok != 0 ==> int_op(op, x, y, \result.z);
    ensures  complete: \result.ok == 0 ==> \forall integer z; !int_op(op, x, y, z);
*/
static struct int_step int_op(int op, long x, long y)
{
    struct int_step r = { 0, 0 };

    switch (op) {
    case ATTR_ADD:
        r.ok = y > 0 ? x <= LONG_MAX - y : x >= LONG_MIN - y;
        if (r.ok)
            r.z = x + y;
        return r;
    case ATTR_SUB:
        r.ok = y > 0 ? x >= LONG_MIN + y : x <= LONG_MAX + y;
        if (r.ok)
            r.z = x - y;
        return r;
    case ATTR_MUL:
        return int_mul(x, y);
    case ATTR_FLOORDIV:
        return int_floordiv(x, y);
    case ATTR_MOD:
        return int_mod(x, y);
    case ATTR_MIN:
        r.ok = 1;
        r.z = x < y ? x : y;
        return r;
    default: /* ATTR_MAX */
        r.ok = 1;
        r.z = x > y ? x : y;
        return r;
    }
}

/* The comparisons int x int -> bool. */
/*@ requires op:       is_test(op);
    terminates \true;
    exits    never:    \false;
    assigns  \nothing;
    ensures  bool:     \result == 0 || \result == 1;
    ensures  result:   \result == 1 <==> int_test(op, x, y);
*/
static int int_test(int op, long x, long y)
{
    switch (op) {
    case ATTR_LT:
        return x < y;
    case ATTR_LE:
        return x <= y;
    case ATTR_GT:
        return x > y;
    default: /* ATTR_GE */
        return x >= y;
    }
}

/* pool[at] = id, above what is in use. */
/*@ requires valid:    valid_values(vs);
    requires above:    vs.npool <= at < vs.cappool;
    terminates \true;
    exits    never:    \false;
    assigns  vs.pool[at];
    ensures  set:      vs.pool[at] == id;
    ensures  same:     same_values{Pre,Post}(vs.v, vs.pool, vs.n, vs.npool);
    ensures  below:    \forall integer k; vs.npool <= k < at ==> vs.pool[k] == \old(vs.pool[k]);
*/
static void pool_put(struct values vs, int at, int id)
{
    vs.pool[at] = id;
    /*@ assert nodes: same_nodes{Pre,Here}(vs.v, vs.n); */
    /*@ assert pool: same_pool{Pre,Here}(vs.pool, vs.npool); */
}

/* Writes the elements of x to pool[to ...]. */
/*@ OP_REQUIRES
    requires id:       0 <= x < vs.n;
    requires tuple:    vs.v[x].kind == VALUE_TUPLE;
    requires room:     vs.npool <= to && to + vs.v[x].len <= vs.cappool;
    terminates \true;
    exits    never:    \false;
    assigns  vs.pool[to .. to + vs.v[x].len - 1];
    ensures  ids:      \forall integer k; to <= k < to + vs.v[x].len ==>
                       0 <= vs.pool[k] < vs.n;
    ensures  copied:   \forall integer k; 0 <= k < vs.v[x].len ==>
                       val(\old(VALS(vs)), vs.pool[to + k]) ==
                       v_nth(val(\old(VALS(vs)), x), k);
*/
static void copy_ids(struct values vs, int x, int to)
{
    int len = vs.v[x].len, p = vs.v[x].first;

    /*@ assert wfx: wf_value(vs.v, vs.pool, x) && p + len <= vs.npool; */
    /*@ loop invariant range:  0 <= k <= len;
        loop invariant same:   same_values{Pre,Here}(vs.v, vs.pool, vs.n, vs.npool);
        loop invariant ids:    \forall integer j; to <= j < to + k ==>
                               0 <= vs.pool[j] < vs.n;
        loop invariant copied: \forall integer j; 0 <= j < k ==>
                               val(\at(VALS(vs), Pre), vs.pool[to + j]) ==
                               v_nth(val(\at(VALS(vs), Pre), x), j);
        loop assigns k, vs.pool[to .. to + len - 1];
        loop variant len - k;
    */
    for (int k = 0; k < len; k++) {
        int id = vs.pool[p + k];
        /*@ assert id: id == \at(vs.pool[\at(p + k, Here)], Pre) && 0 <= id < vs.n; */
        /*@ assert nth: v_nth(val(\at(VALS(vs), Pre), x), k) == val(\at(VALS(vs), Pre), id); */
        pool_put(vs, to + k, id);
    }
}

/* Writes the elements of x, then those of y, to pool[npool ...]. */
/*@ OP_REQUIRES
    requires ids:      0 <= x < vs.n && 0 <= y < vs.n;
    requires tuples:   vs.v[x].kind == VALUE_TUPLE && vs.v[y].kind == VALUE_TUPLE;
    requires room:     vs.v[x].len + vs.v[y].len <= vs.cappool - vs.npool;
    terminates \true;
    exits    never:    \false;
    assigns  vs.pool[vs.npool .. vs.cappool - 1];
    ensures  ids:      \forall integer k; vs.npool <= k < vs.npool + vs.v[x].len + vs.v[y].len ==>
                       0 <= vs.pool[k] < vs.n;
    ensures  first:    \forall integer k; 0 <= k < vs.v[x].len ==>
                       val(\old(VALS(vs)), vs.pool[vs.npool + k]) ==
                       v_nth(val(\old(VALS(vs)), x), k);
    ensures  second:   \forall integer k; 0 <= k < vs.v[y].len ==>
                       val(\old(VALS(vs)), vs.pool[vs.npool + vs.v[x].len + k]) ==
                       v_nth(val(\old(VALS(vs)), y), k);
*/
static void concat_ids(struct values vs, int x, int y)
{
    int m = vs.v[x].len;

    /*@ assert wf: wf_value(vs.v, vs.pool, x) && wf_value(vs.v, vs.pool, y); */
    copy_ids(vs, x, vs.npool);
    /*@ assert same: same_values{Pre,Here}(vs.v, vs.pool, vs.n, vs.npool); */
    /*@ assert keep: WF_VALUES(vs); */
    /*@ assert ext:  extends(\at(VALS(vs), Pre), VALS(vs), vs.n); */
    copy_ids(vs, y, vs.npool + m);
    /*@ assert second: \forall integer k; 0 <= k < vs.v[y].len ==>
                       val(\at(VALS(vs), Pre), vs.pool[vs.npool + m + k]) ==
                       v_nth(val(\at(VALS(vs), Pre), y), k); */
    /*@ assert len: vs.v[x].len == m; */
}

/*@ OP_REQUIRES
    requires ids:      0 <= x < vs.n && 0 <= y < vs.n;
    requires tuples:   vs.v[x].kind == VALUE_TUPLE && vs.v[y].kind == VALUE_TUPLE;
    terminates \true;
    exits    never:    \false;
    assigns  vs.v[vs.n .. vs.cap - 1], vs.pool[vs.npool .. vs.cappool - 1];
    ensures  code:     STEP_DONE <= \result.code <= STEP_LIMIT && \result.code != STEP_STUCK;
    ensures  frame:    \result.code == STEP_DONE ==> stepped{Pre,Post}(vs, \result);
    ensures  sound:    \result.code == STEP_DONE ==> concat(val(\old(VALS(vs)), x), val(\old(VALS(vs)), y), RESULT_VALUE);
    ensures  room:     \result.code == STEP_ROOM ==> vs.n >= vs.cap ||
                       \old(vs.v[x].len) + \old(vs.v[y].len) > vs.cappool - vs.npool;
*/
static struct value_step concat(struct values vs, int x, int y)
{
    struct value_step r = { STEP_ROOM, 0, vs.n, vs.npool };
    int m = vs.v[x].len, n = vs.v[y].len;

    /*@ assert wf: wf_value(vs.v, vs.pool, x) && wf_value(vs.v, vs.pool, y); */
    /*@ assert len: v_len(val(VALS(vs), x)) == m && v_len(val(VALS(vs), y)) == n; */
    if (m > vs.cappool - vs.npool || n > vs.cappool - vs.npool - m)
        return r;
    concat_ids(vs, x, y);
    /*@ assert same: same_values{Pre,Here}(vs.v, vs.pool, vs.n, vs.npool); */
    /*@ assert keep: WF_VALUES(vs); */
    /*@ assert ext:  extends(\at(VALS(vs), Pre), VALS(vs), vs.n); */
    /*@ assert first:  \forall integer k; 0 <= k < m ==>
                       val(VALS(vs), vs.pool[vs.npool + k]) ==
                       v_nth(val(\at(VALS(vs), Pre), x), k); */
    /*@ assert second: \forall integer k; 0 <= k < n ==>
                       val(VALS(vs), vs.pool[vs.npool + m + k]) ==
                       v_nth(val(\at(VALS(vs), Pre), y), k); */
    r = value_put_tuple(vs, m + n);
    /*@ assert first: r.code == STEP_DONE ==> \forall integer k; 0 <= k < m ==>
                      v_nth(val(vals_of(vs.v, vs.pool, r.n, r.npool), r.id), k) ==
                      v_nth(val(\at(VALS(vs), Pre), x), k); */
    /*@ assert second: r.code == STEP_DONE ==> \forall integer k; m <= k < m + n ==>
                       v_nth(val(vals_of(vs.v, vs.pool, r.n, r.npool), r.id), k) ==
                       v_nth(val(\at(VALS(vs), Pre), y), k - m); */
    /*@ assert tuple: r.code == STEP_DONE ==>
                      v_kind(val(vals_of(vs.v, vs.pool, r.n, r.npool), r.id)) == VALUE_TUPLE &&
                      v_len(val(vals_of(vs.v, vs.pool, r.n, r.npool), r.id)) == m + n; */
    return r;
}

/* Position i of a tuple of n elements, or -1. */
/*@ requires len:      0 <= n;
    terminates \true;
    exits    never:    \false;
    assigns  \nothing;
    ensures  some:     -n <= i < n ==> \result == (i < 0 ? i + n : i) && 0 <= \result < n;
    ensures  none:     !(-n <= i < n) ==> \result == -1;
*/
static int position(int n, long i)
{
    if (i < -(long)n || i >= n)
        return -1;
    return (int)(i < 0 ? i + n : i);
}

/* The element of tuple x that value i names, or -1. */
/*@ OP_REQUIRES
    requires ids:      0 <= x < vs.n && 0 <= i < vs.n;
    requires tuple:    vs.v[x].kind == VALUE_TUPLE;
    terminates \true;
    exits    never:    \false;
    assigns  \nothing;
    ensures  range:    -1 <= \result < vs.n;
    ensures  some:     \result >= 0 ==>
                       index_at(val(VALS(vs), x), val(VALS(vs), i), val(VALS(vs), \result));
    ensures  none:     \result < 0 ==> \forall value w;
                       !index_at(val(VALS(vs), x), val(VALS(vs), i), w);
*/
static int element(struct values vs, int x, int i)
{
    int p;

    /*@ assert wfx: wf_value(vs.v, vs.pool, x) && vs.v[x].first + vs.v[x].len <= vs.npool; */
    if (vs.v[i].kind != VALUE_INT)
        return -1;
    p = position(vs.v[x].len, vs.v[i].num);
    return p < 0 ? -1 : vs.pool[vs.v[x].first + p];
}

/* Writes the element of x that element k of y names to pool[npool + k], after the first k; 0 when
   it is no position of x. */
/*@ OP_REQUIRES
    requires ids:      0 <= x < vs.n && 0 <= y < vs.n;
    requires tuples:   vs.v[x].kind == VALUE_TUPLE && vs.v[y].kind == VALUE_TUPLE;
    requires element:  0 <= k < vs.v[y].len;
    requires room:     k < vs.cappool - vs.npool;
    requires first:    \forall integer j; vs.npool <= j < vs.npool + k ==>
                       gathered(VALS(vs), vs.n, x, y, j - vs.npool, vs.pool[j]);
    terminates \true;
    exits    never:    \false;
    assigns  vs.pool[vs.npool + k];
    ensures  bool:     \result == 0 || \result == 1;
    ensures  same:     same_values{Pre,Post}(vs.v, vs.pool, vs.n, vs.npool);
    ensures  wf:       WF_VALUES(vs);
    ensures  ext:      extends(\old(VALS(vs)), VALS(vs), vs.n);
    ensures  some:     \result == 1 ==> \forall integer j; vs.npool <= j <= vs.npool + k ==>
                       gathered(VALS(vs), vs.n, x, y, j - vs.npool, vs.pool[j]);
    ensures  none:     \result == 0 ==> \forall value w;
                       !gather(val(\old(VALS(vs)), x), val(\old(VALS(vs)), y), w);
*/
static int gather_next(struct values vs, int x, int y, int k)
{
    int i, e;

    /*@ assert wfy: wf_value(vs.v, vs.pool, y) && vs.v[y].first + vs.v[y].len <= vs.npool; */
    /*@ assert leny: v_len(val(VALS(vs), y)) == vs.v[y].len; */
    i = vs.pool[vs.v[y].first + k];
    /*@ assert i:  0 <= i < vs.n; */
    /*@ assert ik: v_nth(val(VALS(vs), y), k) == val(VALS(vs), i); */
    e = element(vs, x, i);
    if (e < 0)
        return 0;
    /*@ assert e: gathered(VALS(vs), vs.n, x, y, k, e); */
    pool_put(vs, vs.npool + k, e);
    /*@ assert wf:    WF_VALUES(vs); */
    /*@ assert ext:   extends(\at(VALS(vs), Pre), VALS(vs), vs.n); */
    /*@ assert first: \forall integer j; vs.npool <= j < vs.npool + k ==>
                      gathered(\at(VALS(vs), Pre), vs.n, x, y, j - vs.npool, vs.pool[j]); */
    /*@ assert last:  gathered(\at(VALS(vs), Pre), vs.n, x, y, k, vs.pool[vs.npool + k]); */
    /*@ assert upto:  \forall integer j; vs.npool <= j <= vs.npool + k ==>
                      gathered(\at(VALS(vs), Pre), vs.n, x, y, j - vs.npool, vs.pool[j]); */
    return 1;
}

/* Writes the elements of x that the ints of y name to pool[npool ...]; 0 when some y is no
   position of x. */
/*@ OP_REQUIRES
    requires ids:      0 <= x < vs.n && 0 <= y < vs.n;
    requires tuples:   vs.v[x].kind == VALUE_TUPLE && vs.v[y].kind == VALUE_TUPLE;
    requires room:     vs.v[y].len <= vs.cappool - vs.npool;
    terminates \true;
    exits    never:    \false;
    assigns  vs.pool[vs.npool .. vs.cappool - 1];
    ensures  bool:     \result == 0 || \result == 1;
    ensures  same:     same_values{Pre,Post}(vs.v, vs.pool, vs.n, vs.npool);
    ensures  wf:       WF_VALUES(vs);
    ensures  ext:      extends(\old(VALS(vs)), VALS(vs), vs.n);
    ensures  some:     \result == 1 ==>
                       \forall integer j; vs.npool <= j < vs.npool + vs.v[y].len ==>
                       gathered(VALS(vs), vs.n, x, y, j - vs.npool, vs.pool[j]);
    ensures  none:     \result == 0 ==> \forall value w;
                       !gather(val(\old(VALS(vs)), x), val(\old(VALS(vs)), y), w);
*/
static int gather_ids(struct values vs, int x, int y)
{
    int len = vs.v[y].len;

    /*@ assert wfy: wf_value(vs.v, vs.pool, y); */
    /*@ loop invariant range: 0 <= k <= len;
        loop invariant same:  same_values{Pre,Here}(vs.v, vs.pool, vs.n, vs.npool);
        loop invariant wf:    WF_VALUES(vs);
        loop invariant ext:   extends(\at(VALS(vs), Pre), VALS(vs), vs.n);
        loop invariant tuple: vs.v[x].kind == VALUE_TUPLE && vs.v[y].kind == VALUE_TUPLE &&
                              vs.v[y].len == len;
        loop invariant some:  \forall integer j; vs.npool <= j < vs.npool + k ==>
                              gathered(VALS(vs), vs.n, x, y, j - vs.npool, vs.pool[j]);
        loop assigns k, vs.pool[vs.npool .. vs.cappool - 1];
        loop variant len - k;
    */
    for (int k = 0; k < len; k++)
        if (!gather_next(vs, x, y, k))
            return 0;
    return 1;
}

/*@ OP_REQUIRES
    requires ids:      0 <= x < vs.n && 0 <= y < vs.n;
    requires tuples:   vs.v[x].kind == VALUE_TUPLE && vs.v[y].kind == VALUE_TUPLE;
    terminates \true;
    exits    never:    \false;
    assigns  vs.v[vs.n .. vs.cap - 1], vs.pool[vs.npool .. vs.cappool - 1];
    OP_KEEPS
    ensures  sound:    \result.code == STEP_DONE ==> gather(val(\old(VALS(vs)), x), val(\old(VALS(vs)), y), RESULT_VALUE);
    ensures  complete: \result.code == STEP_STUCK ==> \forall value w;
                       !gather(val(\old(VALS(vs)), x), val(\old(VALS(vs)), y), w);
    ensures  room:     \result.code == STEP_ROOM ==> vs.n >= vs.cap || \old(vs.v[y].len) > vs.cappool - vs.npool;
*/
static struct value_step gather(struct values vs, int x, int y)
{
    struct value_step r = { STEP_ROOM, 0, vs.n, vs.npool };
    int n = vs.v[y].len;

    /*@ assert wfy: wf_value(vs.v, vs.pool, y); */
    /*@ assert leny: v_len(val(VALS(vs), y)) == n; */
    if (n > vs.cappool - vs.npool)
        return r;
    if (!gather_ids(vs, x, y))
        return stuck(vs);
    /*@ assert ids:  \forall integer k; vs.npool <= k < vs.npool + n ==> 0 <= vs.pool[k] < vs.n; */
    /*@ assert some: \forall integer k; 0 <= k < n ==>
                     picked(val(\at(VALS(vs), Pre), x), val(\at(VALS(vs), Pre), y), k,
                            val(VALS(vs), vs.pool[vs.npool + k])); */
    r = value_put_tuple(vs, n);
    /*@ assert elements: r.code == STEP_DONE ==> \forall integer k; 0 <= k < n ==>
                         picked(val(\at(VALS(vs), Pre), x), val(\at(VALS(vs), Pre), y), k,
                                v_nth(val(vals_of(vs.v, vs.pool, r.n, r.npool), r.id), k)); */
    /*@ assert tuple: r.code == STEP_DONE ==>
                      v_kind(val(vals_of(vs.v, vs.pool, r.n, r.npool), r.id)) == VALUE_TUPLE &&
                      v_len(val(vals_of(vs.v, vs.pool, r.n, r.npool), r.id)) == n; */
    return r;
}

/*@ OP_REQUIRES
    requires op:       0 <= op < ATTR_BINARY_OPS && op != ATTR_EQ && op != ATTR_NE;
    requires ids:      0 <= x < vs.n && 0 <= y < vs.n;
    requires ints:     vs.v[x].kind == VALUE_INT && vs.v[y].kind == VALUE_INT;
    terminates \true;
    exits    never:    \false;
    assigns  vs.v[vs.n .. vs.cap - 1];
    OP_KEEPS
    ensures  sound:    \result.code == STEP_DONE ==>
                       binary_op(op, val(\old(VALS(vs)), x), val(\old(VALS(vs)), y), RESULT_VALUE);
    ensures  complete: \result.code == STEP_STUCK ==> \forall value w;
                       !binary_op(op, val(\old(VALS(vs)), x), val(\old(VALS(vs)), y), w);
*/
static struct value_step op_ints(struct values vs, int op, int x, int y)
{
    struct int_step z;
    long p = vs.v[x].num, q = vs.v[y].num;

    if (ATTR_LT <= op && op <= ATTR_GE)
        return value_put(vs, VALUE_BOOL, int_test(op, p, q));
    if (op > ATTR_MAX)
        return stuck(vs);
    z = int_op(op, p, q);
    return z.ok ? value_put(vs, VALUE_INT, z.z) : stuck(vs);
}

/*@ OP_REQUIRES
    requires op:       0 <= op < ATTR_BINARY_OPS && op != ATTR_EQ && op != ATTR_NE;
    requires ids:      0 <= x < vs.n && 0 <= y < vs.n;
    requires bools:    vs.v[x].kind == VALUE_BOOL && vs.v[y].kind == VALUE_BOOL;
    terminates \true;
    exits    never:    \false;
    assigns  vs.v[vs.n .. vs.cap - 1];
    OP_KEEPS
    ensures  sound:    \result.code == STEP_DONE ==>
                       binary_op(op, val(\old(VALS(vs)), x), val(\old(VALS(vs)), y), RESULT_VALUE);
    ensures  complete: \result.code == STEP_STUCK ==> \forall value w;
                       !binary_op(op, val(\old(VALS(vs)), x), val(\old(VALS(vs)), y), w);
*/
static struct value_step op_bools(struct values vs, int op, int x, int y)
{
    long p = vs.v[x].num, q = vs.v[y].num;

    /*@ assert wf: wf_value(vs.v, vs.pool, x) && wf_value(vs.v, vs.pool, y); */
    if (op == ATTR_AND)
        return value_put(vs, VALUE_BOOL, p < q ? p : q);
    if (op == ATTR_OR)
        return value_put(vs, VALUE_BOOL, p > q ? p : q);
    return stuck(vs);
}

/*@ OP_REQUIRES
    requires op:       0 <= op < ATTR_BINARY_OPS && op != ATTR_EQ && op != ATTR_NE;
    requires ids:      0 <= x < vs.n && 0 <= y < vs.n;
    requires tuples:   vs.v[x].kind == VALUE_TUPLE && vs.v[y].kind == VALUE_TUPLE;
    terminates \true;
    exits    never:    \false;
    assigns  vs.v[vs.n .. vs.cap - 1], vs.pool[vs.npool .. vs.cappool - 1];
    OP_KEEPS
    ensures  sound:    \result.code == STEP_DONE ==>
                       binary_op(op, val(\old(VALS(vs)), x), val(\old(VALS(vs)), y), RESULT_VALUE);
    ensures  complete: \result.code == STEP_STUCK ==> \forall value w;
                       !binary_op(op, val(\old(VALS(vs)), x), val(\old(VALS(vs)), y), w);
*/
static struct value_step op_tuples(struct values vs, int op, int x, int y)
{
    if (op == ATTR_ADD)
        return concat(vs, x, y);
    if (op == ATTR_GATHER)
        return gather(vs, x, y);
    return stuck(vs);
}

/*@ OP_REQUIRES
    requires op:       0 <= op < ATTR_UNARY_OPS;
    requires ids:      0 <= x < vs.n;
    terminates \true;
    exits    never:    \false;
    assigns  vs.v[vs.n .. vs.cap - 1];
    OP_KEEPS
    ensures  sound:    \result.code == STEP_DONE ==>
                       unary_op(op, val(\old(VALS(vs)), x), RESULT_VALUE);
    ensures  complete: \result.code == STEP_STUCK ==> \forall value w;
                       !unary_op(op, val(\old(VALS(vs)), x), w);
*/
static struct value_step op_unary(struct values vs, int op, int x)
{
    int kind = vs.v[x].kind;
    long z = vs.v[x].num;

    /*@ assert wf: wf_value(vs.v, vs.pool, x); */
    if (op == ATTR_NEG && kind == VALUE_INT && z != LONG_MIN)
        return value_put(vs, VALUE_INT, -z);
    if (op == ATTR_NOT && kind == VALUE_BOOL)
        return value_put(vs, VALUE_BOOL, 1 - z);
    if (op == ATTR_LEN && kind == VALUE_TUPLE)
        return value_put(vs, VALUE_INT, vs.v[x].len);
    return stuck(vs);
}

/*@ OP_REQUIRES
    requires op:       0 <= op < ATTR_BINARY_OPS;
    requires ids:      0 <= x < vs.n && 0 <= y < vs.n;
    terminates \true;
    exits    never:    \false;
    assigns  vs.v[vs.n .. vs.cap - 1], vs.pool[vs.npool .. vs.cappool - 1];
    OP_KEEPS
    ensures  sound:    \result.code == STEP_DONE ==>
                       binary_op(op, val(\old(VALS(vs)), x), val(\old(VALS(vs)), y), RESULT_VALUE);
    ensures  complete: \result.code == STEP_STUCK ==> \forall value w;
                       !binary_op(op, val(\old(VALS(vs)), x), val(\old(VALS(vs)), y), w);
*/
static struct value_step op_binary(struct values vs, int op, int x, int y)
{
    int kind = vs.v[x].kind, same;

    if (op == ATTR_EQ || op == ATTR_NE) {
        same = value_same(vs, x, y);
        return value_put(vs, VALUE_BOOL, op == ATTR_EQ ? same : 1 - same);
    }
    if (vs.v[y].kind != kind || kind == VALUE_FLOAT)
        return attr_op_numbers(vs, op, x, y);
    if (kind == VALUE_INT)
        return op_ints(vs, op, x, y);
    if (kind == VALUE_BOOL)
        return op_bools(vs, op, x, y);
    return kind == VALUE_TUPLE ? op_tuples(vs, op, x, y) : stuck(vs);
}

struct value_step attr_op_unary(struct values vs, int op, int x)
{
    struct value_step r = op_unary(vs, op, x);

    /*@ assert nodes: same_nodes{Pre,Here}(vs.v, vs.n); */
    /*@ assert pool: same_pool{Pre,Here}(vs.pool, vs.npool); */
    return r;
}

struct value_step attr_op_binary(struct values vs, int op, int x, int y)
{
    struct value_step r = op_binary(vs, op, x, y);

    /*@ assert nodes: same_nodes{Pre,Here}(vs.v, vs.n); */
    /*@ assert pool: same_pool{Pre,Here}(vs.pool, vs.npool); */
    return r;
}

struct value_step attr_op_proj(struct values vs, int x, int y)
{
    struct value_step r = stuck(vs);
    int e;

    if (vs.v[x].kind != VALUE_TUPLE)
        return r;
    e = element(vs, x, y);
    if (e < 0)
        return r;
    r.code = STEP_DONE;
    r.id = e;
    return r;
}
