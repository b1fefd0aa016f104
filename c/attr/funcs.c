/* Functions on values (AE-Func, AE-Sum): reductions, membership, reversal, range, slice, zip, remap. Invariant: what a function
   makes stands behind all that was there. */
#include "attr/funcs.h"

#include <limits.h>

#include "attr/value_internal.h"

#ifdef __FRAMAC__
#include "attr/funcs.acsl"
#endif

/* What the reduction starts from; stuck: amin and amax of the empty tuple. */
/*@ OP_REQUIRES
    requires op:       0 <= op < ATTR_REDUCTIONS;
    requires id:       0 <= x < vs.n && vs.v[x].kind == VALUE_TUPLE;
    terminates \true;
    exits    never:    \false;
    assigns  vs.v[vs.n .. vs.cap - 1];
    OP_KEEPS
    ensures  sound:    \result.code == STEP_DONE ==>
                       reduction_start(op, val(\old(VALS(vs)), x), RESULT_VALUE);
    ensures  complete: \result.code == STEP_STUCK ==> \forall value w;
                       !reduction_start(op, val(\old(VALS(vs)), x), w);
*/
static struct value_step reduce_start(struct values vs, int op, int x)
{
    struct value_step r = { STEP_STUCK, 0, vs.n, vs.npool };

    /*@ assert wf: wf_value(vs.v, vs.pool, x) && vs.v[x].first + vs.v[x].len <= vs.npool; */
    /*@ assert len: v_len(val(VALS(vs), x)) == vs.v[x].len; */
    switch (op) {
    case ATTR_SUM:
        return value_put(vs, VALUE_INT, 0);
    case ATTR_PROD:
        return value_put(vs, VALUE_INT, 1);
    case ATTR_ALL:
        return value_put(vs, VALUE_BOOL, 1);
    case ATTR_EXISTS:
        return value_put(vs, VALUE_BOOL, 0);
    case ATTR_CONCAT:
        return value_put_tuple(vs, 0);
    default: /* ATTR_AMIN, ATTR_AMAX */
        if (vs.v[x].len > 0) {
            r.code = STEP_DONE;
            r.id = vs.pool[vs.v[x].first];
            /*@ assert first: v_nth(val(VALS(vs), x), 0) == val(VALS(vs), r.id); */
        }
        return r;
    }
}

/* The operation of each step. */
/*@ requires op:       0 <= op < ATTR_REDUCTIONS;
    terminates \true;
    exits    never:    \false;
    assigns  \nothing;
    ensures  step:     \result == reduction_step(op);
    ensures  binary:   0 <= \result < ATTR_BINARY_OPS;
*/
static int reduce_op(int op)
{
    switch (op) {
    case ATTR_SUM:
    case ATTR_CONCAT:
        return ATTR_ADD;
    case ATTR_PROD:
        return ATTR_MUL;
    case ATTR_AMIN:
        return ATTR_MIN;
    case ATTR_AMAX:
        return ATTR_MAX;
    case ATTR_ALL:
        return ATTR_AND;
    default:
        return ATTR_OR;
    }
}

/* One step: acc and element k of tuple x. */
/*@ OP_REQUIRES
    requires op:       0 <= op < ATTR_BINARY_OPS;
    requires ids:      0 <= x < vs.n && vs.v[x].kind == VALUE_TUPLE && 0 <= acc < vs.n;
    requires element:  0 <= k < vs.v[x].len;
    terminates \true;
    exits    never:    \false;
    assigns  vs.v[0 .. vs.cap - 1], vs.pool[0 .. vs.cappool - 1];
    OP_KEEPS
    ensures  same:     same_values{Pre,Post}(vs.v, vs.pool, vs.n, vs.npool);
    ensures  sound:    \result.code == STEP_DONE ==>
                       binary_op(op, val(\old(VALS(vs)), acc), v_nth(val(\old(VALS(vs)), x), k), RESULT_VALUE);
    ensures  complete: \result.code == STEP_STUCK ==> \forall value w;
                       !binary_op(op, val(\old(VALS(vs)), acc), v_nth(val(\old(VALS(vs)), x), k), w);
*/
static struct value_step reduce_next(struct values vs, int op, int x, int k, int acc)
{
    struct value_step r;
    int e;

    /*@ assert wf: wf_value(vs.v, vs.pool, x) && vs.v[x].first + vs.v[x].len <= vs.npool; */
    e = vs.pool[vs.v[x].first + k];
    /*@ assert e: 0 <= e < vs.n && v_nth(val(VALS(vs), x), k) == val(VALS(vs), e); */
    r = attr_op_binary(vs, op, acc, e);
    /*@ assert nodes: same_nodes{Pre,Here}(vs.v, vs.n); */
    /*@ assert pool: same_pool{Pre,Here}(vs.pool, vs.npool); */
    return r;
}

/* From acc through all elements of tuple x. */
/*@ OP_REQUIRES
    requires op:       0 <= op < ATTR_BINARY_OPS;
    requires ids:      0 <= x < vs.n && vs.v[x].kind == VALUE_TUPLE && 0 <= acc < vs.n;
    terminates \true;
    exits    never:    \false;
    assigns  vs.v[0 .. vs.cap - 1], vs.pool[0 .. vs.cappool - 1];
    ensures  same:     same_values{Pre,Post}(vs.v, vs.pool, vs.n, vs.npool);
    OP_KEEPS
    ensures  sound:    \result.code == STEP_DONE ==>
                       folds(op, val(\old(VALS(vs)), x), 0, val(\old(VALS(vs)), acc), RESULT_VALUE);
    ensures  det:      \result.code == STEP_DONE ==> \forall value w;
                       folds(op, val(\old(VALS(vs)), x), 0, val(\old(VALS(vs)), acc), w) ==> w == RESULT_VALUE;
    ensures  complete: \result.code == STEP_STUCK ==> \forall value w;
                       !folds(op, val(\old(VALS(vs)), x), 0, val(\old(VALS(vs)), acc), w);
*/
static struct value_step reduce_all(struct values vs, int op, int x, int acc)
{
    struct value_step r = { STEP_DONE, acc, vs.n, vs.npool };
    struct values us = vs;
    int len = vs.v[x].len;

    /*@ assert wf: wf_value(vs.v, vs.pool, x); */
    /*@ assert len: v_len(val(VALS(vs), x)) == len; */
    /*@ loop invariant range:  0 <= k <= len;
        loop invariant arena:  us.v == vs.v && us.pool == vs.pool && us.cap == vs.cap && us.cappool == vs.cappool;
        loop invariant done:   r.code == STEP_DONE && r.n == us.n && r.npool == us.npool && 0 <= r.id < us.n;
        loop invariant more:   vs.n <= us.n <= vs.cap && vs.npool <= us.npool <= vs.cappool;
        loop invariant wf:     WF_VALUES(us);
        loop invariant same:   same_values{Pre,Here}(vs.v, vs.pool, vs.n, vs.npool);
        loop invariant ext:    extends(\at(VALS(vs), Pre), VALS(us), vs.n);
        loop invariant to:     \forall value w;
                               folds(op, val(\at(VALS(vs), Pre), x), k, val(VALS(us), r.id), w) ==>
                               folds(op, val(\at(VALS(vs), Pre), x), 0, val(\at(VALS(vs), Pre), acc), w);
        loop invariant from:   \forall value w;
                               folds(op, val(\at(VALS(vs), Pre), x), 0, val(\at(VALS(vs), Pre), acc), w) ==>
                               folds(op, val(\at(VALS(vs), Pre), x), k, val(VALS(us), r.id), w);
        loop assigns k, r, us, vs.v[0 .. vs.cap - 1], vs.pool[0 .. vs.cappool - 1];
        loop variant len - k;
    */
    for (int k = 0; k < len; k++) {
        /*@ assert x: val(VALS(us), x) == val(\at(VALS(vs), Pre), x); */
        r = reduce_next(us, op, x, k, r.id);
        if (r.code != STEP_DONE)
            return r;
        us.n = r.n;
        us.npool = r.npool;
    }
    return r;
}

struct value_step attr_op_reduce(struct values vs, int op, int x)
{
    struct value_step r = { STEP_STUCK, 0, vs.n, vs.npool };
    struct values us = vs;

    if (vs.v[x].kind != VALUE_TUPLE)
        return r;
    r = reduce_start(vs, op, x);
    /*@ assert nodes: same_nodes{Pre,Here}(vs.v, vs.n); */
    /*@ assert pool: same_pool{Pre,Here}(vs.pool, vs.npool); */
    if (r.code != STEP_DONE)
        return r;
    us.n = r.n;
    us.npool = r.npool;
    /*@ assert start: reduction_start(op, val(\at(VALS(vs), Pre), x), val(VALS(us), r.id)); */
    /*@ assert x: val(VALS(us), x) == val(\at(VALS(vs), Pre), x) && us.v[x].kind == VALUE_TUPLE; */
    r = reduce_all(us, reduce_op(op), x, r.id);
    /*@ assert nodes2: same_nodes{Pre,Here}(vs.v, vs.n); */
    /*@ assert pool2: same_pool{Pre,Here}(vs.pool, vs.npool); */
    return r;
}

/* Where the letter c stands first in the string s, whose text is at p; -1: nowhere. */
/*@ requires valid:    0 <= n == text_len(s) && \valid_read(p + (0 .. n - 1));
    requires text:     \forall integer k; 0 <= k < n ==> p[k] == text_char(s, k);
    terminates \true;
    exits    never:    \false;
    assigns  \nothing;
    ensures  some:     \result >= 0 ==> letter_at(s, c, \result);
    ensures  none:     \result < 0 ==> \forall integer q; !letter_at(s, c, q);
*/
static int place(const char *p, int s, int n, char c)
{
    (void)s;
    /*@ loop invariant range: 0 <= k <= n;
        loop invariant none:  \forall integer j; 0 <= j < k ==> text_char(s, j) != c;
        loop assigns k;
        loop variant n - k;
    */
    for (int k = 0; k < n; k++)
        if (p[k] == c)
            return k;
    return -1;
}

/* Appends the int z and writes it to pool[npool + k], after the first k. */
/*@ OP_REQUIRES
    requires number:   0 <= k;
    terminates \true;
    exits    never:    \false;
    assigns  vs.v[vs.n .. vs.cap - 1], vs.pool[vs.npool .. vs.cappool - 1];
    ensures  same:     same_values{Pre,Post}(vs.v, vs.pool, vs.n, vs.npool);
    ensures  before:   \forall integer j; vs.npool <= j < vs.npool + k ==> vs.pool[j] == \old(vs.pool[j]);
    ensures  room:     \result.code == STEP_DONE ==> k < vs.cappool - vs.npool;
    ensures  code:     \result.code == STEP_DONE || \result.code == STEP_ROOM;
    ensures  frame:    \result.code == STEP_DONE ==> stepped{Pre,Post}(vs, \result) && \result.npool == vs.npool;
    ensures  value:    \result.code == STEP_DONE ==>
                       vs.pool[vs.npool + k] == \result.id && is_int(RESULT_VALUE, z);
*/
static struct value_step put_place(struct values vs, int k, long z)
{
    struct value_step r = { STEP_ROOM, 0, vs.n, vs.npool };

    if (k >= vs.cappool - vs.npool)
        return r;
    value_put_item(vs, k, vs.n);
    r = value_put(vs, VALUE_INT, z);
    return r;
}

/* Element k of the result: the place in s, whose text is at p, of the letter c. */
/*@ OP_REQUIRES
    requires valid:    0 <= n == text_len(s) && \valid_read(p + (0 .. n - 1));
    requires text:     \forall integer j; 0 <= j < n ==> p[j] == text_char(s, j);
    requires number:   0 <= k;
    terminates \true;
    exits    never:    \false;
    assigns  vs.v[vs.n .. vs.cap - 1], vs.pool[vs.npool .. vs.cappool - 1];
    ensures  same:     same_values{Pre,Post}(vs.v, vs.pool, vs.n, vs.npool);
    ensures  before:   \forall integer j; vs.npool <= j < vs.npool + k ==> vs.pool[j] == \old(vs.pool[j]);
    ensures  room:     \result.code == STEP_DONE ==> k < vs.cappool - vs.npool;
    ensures  code:     STEP_DONE <= \result.code <= STEP_LIMIT;
    ensures  frame:    \result.code == STEP_DONE ==> stepped{Pre,Post}(vs, \result) && \result.npool == vs.npool;
    ensures  value:    \result.code == STEP_DONE ==> vs.pool[vs.npool + k] == \result.id &&
                       v_kind(RESULT_VALUE) == VALUE_INT && letter_at(s, c, v_num(RESULT_VALUE));
    ensures  none:     \result.code == STEP_STUCK ==> \forall integer q; !letter_at(s, c, q);
*/
static struct value_step remap_one(struct values vs, const char *p, int s, int n, int k, char c)
{
    struct value_step r = { STEP_STUCK, 0, vs.n, vs.npool };
    int z = place(p, s, n, c);

    if (z >= 0)
        r = put_place(vs, k, z);
    return r;
}

/* The ints are the values vs.n .., written to pool[npool ..]. */
/*@ OP_REQUIRES
    requires valid:    0 <= n == text_len(s) && \valid_read(p + (0 .. n - 1));
    requires text:     \forall integer j; 0 <= j < n ==> p[j] == text_char(s, j);
    requires valid2:   0 <= m == text_len(t) && \valid_read(q + (0 .. m - 1));
    requires text2:    \forall integer j; 0 <= j < m ==> q[j] == text_char(t, j);
    terminates \true;
    exits    never:    \false;
    assigns  vs.v[0 .. vs.cap - 1], vs.pool[0 .. vs.cappool - 1];
    ensures  same:     same_values{Pre,Post}(vs.v, vs.pool, vs.n, vs.npool);
    ensures  code:     STEP_DONE <= \result.code <= STEP_LIMIT;
    ensures  more:     \result.code == STEP_DONE ==> vs.n <= \result.n <= vs.cap && \result.npool == vs.npool &&
                       m <= vs.cappool - vs.npool;
    ensures  wf:       \result.code == STEP_DONE ==> wf_values(vs.v, vs.pool, \result.n, \result.npool);
    ensures  ext:      \result.code == STEP_DONE ==>
                       extends(\old(VALS(vs)), vals_of(vs.v, vs.pool, \result.n, \result.npool), vs.n);
    ensures  ids:      \result.code == STEP_DONE ==>
                       \forall integer j; vs.npool <= j < vs.npool + m ==> 0 <= vs.pool[j] < \result.n;
    ensures  places:   \result.code == STEP_DONE ==>
                       places_at(s, t, vals_of(vs.v, vs.pool, \result.n, \result.npool), vs.pool, vs.npool, m);
    ensures  none:     \result.code == STEP_STUCK ==> missing(s, t);
*/
static struct value_step remap_all(struct values vs, const char *p, int s, int n, const char *q, int t, int m)
{
    struct value_step r = { STEP_DONE, 0, vs.n, vs.npool };
    struct values us = vs;

    (void)t;
    /*@ loop invariant range: 0 <= k <= m && k <= vs.cappool - vs.npool;
        loop invariant arena: us.v == vs.v && us.pool == vs.pool && us.cap == vs.cap && us.cappool == vs.cappool;
        loop invariant done:  r.code == STEP_DONE && r.n == us.n && r.npool == us.npool == vs.npool;
        loop invariant more:  vs.n <= us.n <= vs.cap;
        loop invariant wf:    WF_VALUES(us);
        loop invariant same:  same_values{Pre,Here}(vs.v, vs.pool, vs.n, vs.npool);
        loop invariant ext:   extends(\at(VALS(vs), Pre), VALS(us), vs.n);
        loop invariant ids:   \forall integer j; vs.npool <= j < vs.npool + k ==> 0 <= vs.pool[j] < us.n;
        loop invariant places: places_at(s, t, VALS(us), vs.pool, vs.npool, k);
        loop assigns k, r, us, vs.v[0 .. vs.cap - 1], vs.pool[0 .. vs.cappool - 1];
        loop variant m - k;
    */
    for (int k = 0; k < m; k++) {
        r = remap_one(us, p, s, n, k, q[k]);
        /*@ assert none: r.code == STEP_STUCK ==> \forall integer z; !letter_at(s, text_char(t, k), z); */
        if (r.code != STEP_DONE)
            return r;
        /*@ assert first: places_at(s, t, vals_of(vs.v, vs.pool, r.n, r.npool), vs.pool, vs.npool, k); */
        /*@ assert last: placed(s, t, k, val(vals_of(vs.v, vs.pool, r.n, r.npool), vs.pool[vs.npool + k])); */
        us.n = r.n;
        us.npool = r.npool;
    }
    return r;
}

/* remap of the strings s and t. */
/*@ OP_REQUIRES
    terminates \true;
    exits    never:    \false;
    assigns  vs.v[0 .. vs.cap - 1], vs.pool[0 .. vs.cappool - 1];
    ensures  same:     same_values{Pre,Post}(vs.v, vs.pool, vs.n, vs.npool);
    OP_KEEPS
    ensures  tuple:    \result.code == STEP_DONE ==>
                       v_kind(RESULT_VALUE) == VALUE_TUPLE && v_len(RESULT_VALUE) == text_len(t);
    ensures  places:   \result.code == STEP_DONE ==> \forall integer j; 0 <= j < text_len(t) ==>
                       placed(s, t, j, v_nth(RESULT_VALUE, j));
    ensures  none:     \result.code == STEP_STUCK ==> missing(s, t);
*/
static struct value_step remap(struct values vs, int s, int t)
{
    struct value_step r;
    struct values us = vs;
    const char *p = strs_text(vs.strs, s), *q = strs_text(vs.strs, t);
    int n = strs_len(vs.strs, s), m = strs_len(vs.strs, t);

    r = remap_all(vs, p, s, n, q, t, m);
    if (r.code != STEP_DONE)
        return r;
    us.n = r.n;
    us.npool = r.npool;
    /*@ assert each: \forall integer j; 0 <= j < m ==> placed(s, t, j, val(VALS(us), us.pool[us.npool + j])); */
    r = value_put_tuple(us, m);
    /*@ assert ext: r.code == STEP_DONE ==> extends(\at(VALS(vs), Pre), vals_of(vs.v, vs.pool, r.n, r.npool), vs.n); */
    /*@ assert same: same_values{Pre,Here}(vs.v, vs.pool, vs.n, vs.npool); */
    return r;
}

struct value_step attr_op_remap(struct values vs, int a, int b)
{
    struct value_step r = { STEP_LIMIT, 0, vs.n, vs.npool };
    long s = vs.v[a].num, t = vs.v[b].num;

    /*@ assert nums: v_num(val(VALS(vs), a)) == s && v_num(val(VALS(vs), b)) == t; */
    if (!vs.strs || s < 0 || s > INT_MAX || t < 0 || t > INT_MAX)
        return r;
    r = remap(vs, (int)s, (int)t);
    return r;
}

/* The length of the shortest of the tuples in x, 0 when there are none; -1 when one is no tuple. */
/*@ OP_REQUIRES
    requires tuple:    0 <= x < vs.n && vs.v[x].kind == VALUE_TUPLE;
    terminates \true;
    exits    never:    \false;
    assigns  \nothing;
    ensures  range:    -1 <= \result <= VALUE_LEN_MAX;
    ensures  none:     \result < 0 ==> !tuples(val(VALS(vs), x));
    ensures  some:     \result >= 0 ==> tuples(val(VALS(vs), x)) && shortest(val(VALS(vs), x), \result);
*/
static int zip_length(struct values vs, int x)
{
    int n = vs.v[x].len, m = n ? VALUE_LEN_MAX : 0, a;

    /*@ assert wf: wf_value(vs.v, vs.pool, x) && v_len(val(VALS(vs), x)) == n; */
    /*@ loop invariant range:  0 <= k <= n && 0 <= m <= VALUE_LEN_MAX;
        loop invariant start:  k == 0 ==> m == (n != 0 ? VALUE_LEN_MAX : 0);
        loop invariant tuples: \forall integer j; 0 <= j < k ==> v_kind(v_nth(val(VALS(vs), x), j)) == VALUE_TUPLE;
        loop invariant least:  \forall integer j; 0 <= j < k ==> m <= v_len(v_nth(val(VALS(vs), x), j));
        loop invariant some:   k > 0 ==> \exists integer j; 0 <= j < k && m == v_len(v_nth(val(VALS(vs), x), j));
        loop assigns k, m, a;
        loop variant n - k;
    */
    for (int k = 0; k < n; k++) {
        a = value_item(vs, x, k);
        /*@ assert a: wf_value(vs.v, vs.pool, a) && v_kind(v_nth(val(VALS(vs), x), k)) == vs.v[a].kind; */
        if (vs.v[a].kind != VALUE_TUPLE)
            return -1;
        /*@ assert len: v_len(v_nth(val(VALS(vs), x), k)) == vs.v[a].len <= VALUE_LEN_MAX; */
        if (vs.v[a].len < m)
            m = vs.v[a].len;
    }
    return m;
}

/* Writes the elements number j of the tuples in x to pool[npool ..]. */
/*@ OP_REQUIRES
    requires tuple:    0 <= x < vs.n && vs.v[x].kind == VALUE_TUPLE;
    requires tuples:   long_tuples(val(VALS(vs), x), j) && 0 <= j;
    requires room:     vs.v[x].len <= vs.cappool - vs.npool;
    terminates \true;
    exits    never:    \false;
    assigns  vs.pool[vs.npool .. vs.cappool - 1];
    ensures  same:     same_values{Pre,Post}(vs.v, vs.pool, vs.n, vs.npool);
    ensures  wf:       WF_VALUES(vs);
    ensures  ext:      extends(\old(VALS(vs)), VALS(vs), vs.n);
    ensures  ids:      \forall integer k; vs.npool <= k < vs.npool + vs.v[x].len ==> 0 <= vs.pool[k] < vs.n;
    ensures  column:   \forall integer k; vs.npool <= k < vs.npool + vs.v[x].len ==>
                       in_column(val(\old(VALS(vs)), x), j, k - vs.npool, val(\old(VALS(vs)), vs.pool[k]));
*/
static void column_ids(struct values vs, int x, int j)
{
    int n = vs.v[x].len, a, id;

    /*@ assert wf: wf_value(vs.v, vs.pool, x) && v_len(val(VALS(vs), x)) == n; */
    /*@ loop invariant range: 0 <= k <= n;
        loop invariant same:  same_values{Pre,Here}(vs.v, vs.pool, vs.n, vs.npool);
        loop invariant wf:    WF_VALUES(vs);
        loop invariant ext:   extends(\at(VALS(vs), Pre), VALS(vs), vs.n);
        loop invariant ids:   \forall integer i; vs.npool <= i < vs.npool + k ==> 0 <= vs.pool[i] < vs.n;
        loop invariant done:  \forall integer i; vs.npool <= i < vs.npool + k ==>
                              in_column(val(\at(VALS(vs), Pre), x), j, i - vs.npool, val(\at(VALS(vs), Pre), vs.pool[i]));
        loop assigns k, a, id, vs.pool[vs.npool .. vs.cappool - 1];
        loop variant n - k;
    */
    for (int k = 0; k < n; k++) {
        a = value_item(vs, x, k);
        /*@ assert a: val(\at(VALS(vs), Pre), a) == v_nth(val(\at(VALS(vs), Pre), x), k); */
        /*@ assert tuple: vs.v[a].kind == VALUE_TUPLE && j < vs.v[a].len; */
        id = value_item(vs, a, j);
        /*@ assert id: val(\at(VALS(vs), Pre), id) == v_nth(val(\at(VALS(vs), Pre), a), j); */
        /*@ assert last: in_column(val(\at(VALS(vs), Pre), x), j, k, val(\at(VALS(vs), Pre), id)); */
        value_put_item(vs, k, id);
        /*@ assert put: \forall integer i; vs.npool <= i < vs.npool + k + 1 ==> i < vs.npool + k || i == vs.npool + k; */
    }
}

/* The tuple of the elements number j of the tuples in x. */
/*@ OP_REQUIRES
    requires tuple:    0 <= x < vs.n && vs.v[x].kind == VALUE_TUPLE;
    requires tuples:   long_tuples(val(VALS(vs), x), j) && 0 <= j;
    terminates \true;
    exits    never:    \false;
    assigns  vs.v[0 .. vs.cap - 1], vs.pool[0 .. vs.cappool - 1];
    ensures  same:     same_values{Pre,Post}(vs.v, vs.pool, vs.n, vs.npool);
    OP_KEEPS
    ensures  made:     \result.code != STEP_STUCK;
    ensures  next:     \result.code == STEP_DONE ==> \result.id == vs.n && \result.n == vs.n + 1;
    ensures  sound:    \result.code == STEP_DONE ==> column(val(\old(VALS(vs)), x), j, RESULT_VALUE);
*/
static struct value_step zip_one(struct values vs, int x, int j)
{
    struct value_step r = { STEP_ROOM, 0, vs.n, vs.npool };
    int n = vs.v[x].len;

    /*@ assert wf: wf_value(vs.v, vs.pool, x) && v_len(val(VALS(vs), x)) == n; */
    if (n > vs.cappool - vs.npool)
        return r;
    column_ids(vs, x, j);
    /*@ assert vals: \forall integer k; vs.npool <= k < vs.npool + n ==>
                     in_column(val(\at(VALS(vs), Pre), x), j, k - vs.npool, val(VALS(vs), vs.pool[k])); */
    /*@ assert each: \forall integer k; 0 <= k < n ==>
                     in_column(val(\at(VALS(vs), Pre), x), j, k, val(VALS(vs), vs.pool[vs.npool + k])); */
    r = value_put_tuple(vs, n);
    /*@ assert ext: r.code == STEP_DONE ==> extends(\at(VALS(vs), Pre), vals_of(vs.v, vs.pool, r.n, r.npool), vs.n); */
    /*@ assert elements: r.code == STEP_DONE ==> \forall integer k; 0 <= k < n ==>
                         in_column(val(\at(VALS(vs), Pre), x), j, k,
                                   v_nth(val(vals_of(vs.v, vs.pool, r.n, r.npool), r.id), k)); */
    return r;
}

/* The columns 0 .. m-1 of the tuples in x: the values vs.n .. vs.n + m - 1. */
/*@ OP_REQUIRES
    requires tuple:    0 <= x < vs.n && vs.v[x].kind == VALUE_TUPLE;
    requires tuples:   long_tuples(val(VALS(vs), x), m - 1) && 0 <= m;
    terminates \true;
    exits    never:    \false;
    assigns  vs.v[0 .. vs.cap - 1], vs.pool[0 .. vs.cappool - 1];
    ensures  same:     same_values{Pre,Post}(vs.v, vs.pool, vs.n, vs.npool);
    ensures  code:     STEP_DONE <= \result.code <= STEP_LIMIT && \result.code != STEP_STUCK;
    ensures  more:     \result.code == STEP_DONE ==> \result.n == vs.n + m <= vs.cap;
    ensures  pool:     \result.code == STEP_DONE ==> vs.npool <= \result.npool <= vs.cappool;
    ensures  wf:       \result.code == STEP_DONE ==> wf_values(vs.v, vs.pool, \result.n, \result.npool);
    ensures  ext:      \result.code == STEP_DONE ==>
                       extends(\old(VALS(vs)), vals_of(vs.v, vs.pool, \result.n, \result.npool), vs.n);
    ensures  columns:  \result.code == STEP_DONE ==> \forall integer j; vs.n <= j < vs.n + m ==>
                       column(val(\old(VALS(vs)), x), j - vs.n,
                              val(vals_of(vs.v, vs.pool, \result.n, \result.npool), j));
*/
static struct value_step zip_columns(struct values vs, int x, int m)
{
    struct value_step r = { STEP_DONE, 0, vs.n, vs.npool };
    struct values us = vs;

    /*@ loop invariant range: 0 <= j <= m;
        loop invariant arena: us.v == vs.v && us.pool == vs.pool && us.cap == vs.cap && us.cappool == vs.cappool;
        loop invariant done:  r.code == STEP_DONE && r.n == us.n && r.npool == us.npool;
        loop invariant more:  us.n == vs.n + j <= vs.cap && vs.npool <= us.npool <= vs.cappool;
        loop invariant wf:    WF_VALUES(us);
        loop invariant same:  same_values{Pre,Here}(vs.v, vs.pool, vs.n, vs.npool);
        loop invariant ext:   extends(\at(VALS(vs), Pre), VALS(us), vs.n);
        loop invariant columns: \forall integer i; vs.n <= i < vs.n + j ==>
                              column(val(\at(VALS(vs), Pre), x), i - vs.n, val(VALS(us), i));
        loop assigns j, r, us, vs.v[0 .. vs.cap - 1], vs.pool[0 .. vs.cappool - 1];
        loop variant m - j;
    */
    for (int j = 0; j < m; j++) {
        /*@ assert x: val(VALS(us), x) == val(\at(VALS(vs), Pre), x) && us.v[x].kind == VALUE_TUPLE; */
        r = zip_one(us, x, j);
        if (r.code != STEP_DONE)
            return r;
        us.n = r.n;
        us.npool = r.npool;
    }
    /*@ assert all: \forall integer i; vs.n <= i < vs.n + m ==>
                    column(val(\at(VALS(vs), Pre), x), i - vs.n, val(vals_of(vs.v, vs.pool, r.n, r.npool), i)); */
    return r;
}

/* Writes the ids from, from + 1, .. to pool[npool ..]. */
/*@ OP_REQUIRES
    requires ids:      0 <= from && 0 <= m && from + m <= vs.n;
    requires room:     m <= vs.cappool - vs.npool;
    terminates \true;
    exits    never:    \false;
    assigns  vs.pool[vs.npool .. vs.cappool - 1];
    ensures  same:     same_values{Pre,Post}(vs.v, vs.pool, vs.n, vs.npool);
    ensures  wf:       WF_VALUES(vs);
    ensures  ext:      extends(\old(VALS(vs)), VALS(vs), vs.n);
    ensures  ids:      \forall integer j; vs.npool <= j < vs.npool + m ==> vs.pool[j] == from + j - vs.npool;
*/
static void put_ids(struct values vs, int from, int m)
{
    /*@ loop invariant range: 0 <= j <= m;
        loop invariant same:  same_values{Pre,Here}(vs.v, vs.pool, vs.n, vs.npool);
        loop invariant wf:    WF_VALUES(vs);
        loop invariant ext:   extends(\at(VALS(vs), Pre), VALS(vs), vs.n);
        loop invariant ids:   \forall integer i; vs.npool <= i < vs.npool + j ==> vs.pool[i] == from + i - vs.npool;
        loop assigns j, vs.pool[vs.npool .. vs.cappool - 1];
        loop variant m - j;
    */
    for (int j = 0; j < m; j++)
        value_put_item(vs, j, from + j);
}

/* The tuple of the values from, .. from + m - 1. */
/*@ OP_REQUIRES
    requires ids:      0 <= from && 0 <= m && from + m <= vs.n;
    terminates \true;
    exits    never:    \false;
    assigns  vs.v[0 .. vs.cap - 1], vs.pool[0 .. vs.cappool - 1];
    ensures  same:     same_values{Pre,Post}(vs.v, vs.pool, vs.n, vs.npool);
    OP_KEEPS
    ensures  made:     \result.code != STEP_STUCK;
    ensures  tuple:    \result.code == STEP_DONE ==> v_kind(RESULT_VALUE) == VALUE_TUPLE && v_len(RESULT_VALUE) == m;
    ensures  elements: \result.code == STEP_DONE ==> \forall integer j; 0 <= j < m ==>
                       v_nth(RESULT_VALUE, j) == val(\old(VALS(vs)), from + j);
*/
static struct value_step tuple_of_last(struct values vs, int from, int m)
{
    struct value_step r = { STEP_ROOM, 0, vs.n, vs.npool };

    if (m > vs.cappool - vs.npool)
        return r;
    put_ids(vs, from, m);
    /*@ assert ids: \forall integer j; vs.npool <= j < vs.npool + m ==> 0 <= vs.pool[j] < vs.n; */
    /*@ assert vals: \forall integer j; 0 <= j < m ==>
                     val(VALS(vs), vs.pool[vs.npool + j]) == val(\at(VALS(vs), Pre), from + j); */
    r = value_put_tuple(vs, m);
    /*@ assert ext: r.code == STEP_DONE ==> extends(\at(VALS(vs), Pre), vals_of(vs.v, vs.pool, r.n, r.npool), vs.n); */
    return r;
}

struct value_step attr_op_zip(struct values vs, int x)
{
    struct value_step r = { STEP_STUCK, 0, vs.n, vs.npool };
    struct values us = vs;
    int m = zip_length(vs, x);

    if (m < 0)
        return r;
    r = zip_columns(vs, x, m);
    if (r.code != STEP_DONE)
        return r;
    us.n = r.n;
    us.npool = r.npool;
    /*@ assert columns: \forall integer j; 0 <= j < m ==>
                        column(val(\at(VALS(vs), Pre), x), j, val(VALS(us), vs.n + j)); */
    r = tuple_of_last(us, vs.n, m);
    /*@ assert ext: r.code == STEP_DONE ==> extends(\at(VALS(vs), Pre), vals_of(vs.v, vs.pool, r.n, r.npool), vs.n); */
    /*@ assert same: same_values{Pre,Here}(vs.v, vs.pool, vs.n, vs.npool); */
    return r;
}

/* Is there an element at z? */
/*@ terminates \true;
    exits    never:    \false;
    assigns  \nothing;
    ensures  before:   \result != 0 <==> before(z, hi, step);
*/
static int before_end(long z, long hi, long step)
{
    return step > 0 ? z < hi : z > hi;
}

/* Would z + step leave int64? Then there is no element behind z. */
/*@ requires step:     step != 0;
    terminates \true;
    exits    never:    \false;
    assigns  \nothing;
    ensures  end:      \result == 0 <==> LONG_MIN <= z + step <= LONG_MAX;
*/
static int at_end(long z, long step)
{
    return step > 0 ? z > LONG_MAX - step : z < LONG_MIN - step;
}

/* Appends int z and writes it to pool[npool + k], after the first k. */
/*@ OP_REQUIRES
    requires number:   0 <= k <= ATTR_COUNT_MAX;
    terminates \true;
    exits    never:    \false;
    assigns  vs.v[vs.n .. vs.cap - 1], vs.pool[vs.npool .. vs.cappool - 1];
    ensures  same:     same_values{Pre,Post}(vs.v, vs.pool, vs.n, vs.npool);
    ensures  before:   \forall integer j; vs.npool <= j < vs.npool + k ==> vs.pool[j] == \old(vs.pool[j]);
    ensures  room:     \result.code == STEP_DONE ==> k < vs.cappool - vs.npool;
    ensures  code:     \result.code == STEP_DONE || \result.code == STEP_ROOM;
    ensures  frame:    \result.code == STEP_DONE ==> stepped{Pre,Post}(vs, \result) && \result.npool == vs.npool;
    ensures  value:    \result.code == STEP_DONE ==>
                       vs.pool[vs.npool + k] == \result.id && is_int(RESULT_VALUE, z);
*/
static struct value_step range_put(struct values vs, long z, int k)
{
    struct value_step r = { STEP_ROOM, 0, vs.n, vs.npool };

    if (k >= vs.cappool - vs.npool)
        return r;
    vs.pool[vs.npool + k] = vs.n;
    /*@ assert same: same_values{Pre,Here}(vs.v, vs.pool, vs.n, vs.npool); */
    /*@ assert wf:   WF_VALUES(vs); */
    /*@ assert ext:  extends(\at(VALS(vs), Pre), VALS(vs), vs.n); */
    r = value_put(vs, VALUE_INT, z);
    return r;
}

/* The ints from lo on, by step, before hi. */
/*@ requires step:     step != 0;
    OP_REQUIRES
    terminates \true;
    exits    never:    \false;
    assigns  vs.v[0 .. vs.cap - 1], vs.pool[0 .. vs.cappool - 1];
    ensures  same:     same_values{Pre,Post}(vs.v, vs.pool, vs.n, vs.npool);
    OP_KEEPS
    ensures  sound:    \result.code == STEP_DONE ==> range(lo, hi, step, RESULT_VALUE);
    ensures  long:     \result.code == STEP_STUCK ==>
                       \forall integer k; 0 <= k <= ATTR_COUNT_MAX ==> before(nth_of(lo, step, k), hi, step);
*/
static struct value_step range_ints(struct values vs, long lo, long hi, long step)
{
    struct value_step r = { STEP_STUCK, 0, vs.n, vs.npool };
    struct values us = vs;
    int k = 0, more = before_end(lo, hi, step);
    long z = lo;

    /*@ loop invariant number: 0 <= k <= ATTR_COUNT_MAX && k <= vs.cappool - vs.npool;
        loop invariant arena:  us.v == vs.v && us.pool == vs.pool && us.cap == vs.cap && us.cappool == vs.cappool &&
                               us.npool == vs.npool && vs.n <= us.n <= us.cap;
        loop invariant wf:     WF_VALUES(us);
        loop invariant same:   same_values{Pre,Here}(vs.v, vs.pool, vs.n, vs.npool);
        loop invariant ext:    extends(\at(VALS(vs), Pre), VALS(us), vs.n);
        loop invariant next:   more != 0 ==> z == nth_of(lo, step, k) && before(z, hi, step);
        loop invariant end:    more == 0 ==> !before(nth_of(lo, step, k), hi, step);
        loop invariant places: \forall integer j; 0 <= j < k ==> before(nth_of(lo, step, j), hi, step);
        loop invariant ids:    \forall integer j; vs.npool <= j < vs.npool + k ==> 0 <= vs.pool[j] < us.n;
        loop invariant ints:   \forall integer j; 0 <= j < k ==>
                               is_int(val(VALS(us), vs.pool[vs.npool + j]), nth_of(lo, step, j));
        loop assigns k, z, more, r, us, vs.v[0 .. vs.cap - 1], vs.pool[0 .. vs.cappool - 1];
        loop variant ATTR_COUNT_MAX + 1 - k;
    */
    while (more) {
        if (k >= ATTR_COUNT_MAX) {
            r.code = STEP_STUCK;
            return r;
        }
        r = range_put(us, z, k);
        if (r.code != STEP_DONE)
            return r;
        /*@ assert old: extends(VALS(us), VALS(us), us.n); */
        us.n = r.n;
        k++;
        /*@ assert step: nth_of(lo, step, k) == z + step; */
        more = !at_end(z, step);
        if (more) {
            z += step;
            more = before_end(z, hi, step);
        }
    }
    r = value_put_tuple(us, k);
    return r;
}

struct value_step attr_op_range(struct values vs, long lo, long hi, long step)
{
    struct value_step r = { STEP_STUCK, 0, vs.n, vs.npool };

    if (step != 0)
        r = range_ints(vs, lo, hi, step);
    return r;
}

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

/* Is value a one of the elements of tuple t? */
/*@ OP_REQUIRES
    requires ids:      0 <= a < vs.n && 0 <= t < vs.n && vs.v[t].kind == VALUE_TUPLE;
    terminates \true;
    exits    never:    \false;
    assigns  \nothing;
    ensures  bool:     \result == 0 || \result == 1;
    ensures  member:   \result == 1 <==> member(val(VALS(vs), a), val(VALS(vs), t));
*/
static int is_member(struct values vs, int a, int t)
{
    int len = vs.v[t].len, found = 0;

    /*@ assert wf: wf_value(vs.v, vs.pool, t); */
    /*@ assert len: v_len(val(VALS(vs), t)) == len; */
    /*@ loop invariant range: 0 <= k <= len;
        loop invariant bool:  found == 0 || found == 1;
        loop invariant some:  found == 1 ==> member(val(VALS(vs), a), val(VALS(vs), t));
        loop invariant none:  found == 0 ==>
                              \forall integer j; 0 <= j < k ==> v_nth(val(VALS(vs), t), j) != val(VALS(vs), a);
        loop assigns k, found;
        loop variant len - k;
    */
    for (int k = 0; k < len && !found; k++)
        found = value_same(vs, a, value_item(vs, t, k));
    return found;
}

/*@ OP_REQUIRES
    requires ids:      0 <= a < vs.n && 0 <= t < vs.n && vs.v[t].kind == VALUE_TUPLE;
    terminates \true;
    exits    never:    \false;
    assigns  vs.v[vs.n .. vs.cap - 1];
    ensures  same:     same_values{Pre,Post}(vs.v, vs.pool, vs.n, vs.npool);
    OP_KEEPS
    ensures  made:     \result.code != STEP_STUCK;
    ensures  sound:    \result.code == STEP_DONE ==>
                       in_op(val(\old(VALS(vs)), a), val(\old(VALS(vs)), t), RESULT_VALUE);
*/
static struct value_step op_in(struct values vs, int a, int t)
{
    return value_put(vs, VALUE_BOOL, is_member(vs, a, t));
}

/* Writes the elements of tuple t, the last one first, to pool[npool ..]. */
/*@ OP_REQUIRES
    requires tuple:    0 <= t < vs.n && vs.v[t].kind == VALUE_TUPLE;
    requires room:     vs.v[t].len <= vs.cappool - vs.npool;
    terminates \true;
    exits    never:    \false;
    assigns  vs.pool[vs.npool .. vs.cappool - 1];
    ensures  same:     same_values{Pre,Post}(vs.v, vs.pool, vs.n, vs.npool);
    ensures  wf:       WF_VALUES(vs);
    ensures  ext:      extends(\old(VALS(vs)), VALS(vs), vs.n);
    ensures  ids:      \forall integer j; vs.npool <= j < vs.npool + vs.v[t].len ==> 0 <= vs.pool[j] < vs.n;
    ensures  reversed: \forall integer j; vs.npool <= j < vs.npool + vs.v[t].len ==>
                       from_end(val(\old(VALS(vs)), t), j - vs.npool, val(\old(VALS(vs)), vs.pool[j]));
*/
static void reverse_ids(struct values vs, int t)
{
    int len = vs.v[t].len, id;

    /*@ assert wf: wf_value(vs.v, vs.pool, t) && v_len(val(VALS(vs), t)) == len; */
    /*@ loop invariant range: 0 <= k <= len;
        loop invariant same:  same_values{Pre,Here}(vs.v, vs.pool, vs.n, vs.npool);
        loop invariant wf:    WF_VALUES(vs);
        loop invariant ext:   extends(\at(VALS(vs), Pre), VALS(vs), vs.n);
        loop invariant ids:   \forall integer j; vs.npool <= j < vs.npool + k ==> 0 <= vs.pool[j] < vs.n;
        loop invariant done:  \forall integer j; vs.npool <= j < vs.npool + k ==>
                              from_end(val(\at(VALS(vs), Pre), t), j - vs.npool, val(\at(VALS(vs), Pre), vs.pool[j]));
        loop assigns k, id, vs.pool[vs.npool .. vs.cappool - 1];
        loop variant len - k;
    */
    for (int k = 0; k < len; k++) {
        id = value_item(vs, t, len - 1 - k);
        /*@ assert id: from_end(val(\at(VALS(vs), Pre), t), k, val(\at(VALS(vs), Pre), id)); */
        value_put_item(vs, k, id);
        /*@ assert put: \forall integer j; vs.npool <= j < vs.npool + k + 1 ==> j < vs.npool + k || j == vs.npool + k; */
    }
}

/*@ OP_REQUIRES
    requires tuple:    0 <= t < vs.n && vs.v[t].kind == VALUE_TUPLE;
    terminates \true;
    exits    never:    \false;
    assigns  vs.v[0 .. vs.cap - 1], vs.pool[0 .. vs.cappool - 1];
    ensures  same:     same_values{Pre,Post}(vs.v, vs.pool, vs.n, vs.npool);
    OP_KEEPS
    ensures  made:     \result.code != STEP_STUCK;
    ensures  sound:    \result.code == STEP_DONE ==> reversed(val(\old(VALS(vs)), t), RESULT_VALUE);
*/
static struct value_step op_reversed(struct values vs, int t)
{
    struct value_step r = { STEP_ROOM, 0, vs.n, vs.npool };
    int len = vs.v[t].len;

    /*@ assert wf: wf_value(vs.v, vs.pool, t) && v_len(val(VALS(vs), t)) == len; */
    if (len > vs.cappool - vs.npool)
        return r;
    reverse_ids(vs, t);
    /*@ assert vals: \forall integer j; vs.npool <= j < vs.npool + len ==>
                     from_end(val(\at(VALS(vs), Pre), t), j - vs.npool, val(VALS(vs), vs.pool[j])); */
    /*@ assert each: \forall integer j; 0 <= j < len ==>
                     from_end(val(\at(VALS(vs), Pre), t), j, val(VALS(vs), vs.pool[vs.npool + j])); */
    r = value_put_tuple(vs, len);
    /*@ assert ext: r.code == STEP_DONE ==> extends(\at(VALS(vs), Pre), vals_of(vs.v, vs.pool, r.n, r.npool), vs.n); */
    return r;
}

/* A bound of a slice of n elements: `otherwise` when left out, counted from the end when negative, brought into
   lo .. hi. It must be an int or none. */
/*@ OP_REQUIRES
    requires id:       0 <= a < vs.n && is_bound(val(VALS(vs), a));
    requires range:    0 <= n <= VALUE_LEN_MAX && lo <= hi;
    terminates \true;
    exits    never:    \false;
    assigns  \nothing;
    ensures  bound:    \result == slice_bound(val(VALS(vs), a), n, lo, hi, otherwise);
*/
static long slice_bound(struct values vs, int a, long n, long lo, long hi, long otherwise)
{
    long z = vs.v[a].num;

    /*@ assert value: v_kind(val(VALS(vs), a)) == vs.v[a].kind && v_num(val(VALS(vs), a)) == z; */
    if (vs.v[a].kind == VALUE_NONE)
        return otherwise;
    if (z < 0)
        z += n;
    if (z > hi)
        z = hi;
    return z < lo ? lo : z;
}

/* Writes the elements of t at p, p + step, .. before q to pool[npool ..]: how many, or -1: no room. */
/*@ OP_REQUIRES
    requires tuple:    0 <= t < vs.n && vs.v[t].kind == VALUE_TUPLE;
    requires step:     step != 0;
    requires up:       step > 0 ==> 0 <= p <= vs.v[t].len && 0 <= q <= vs.v[t].len;
    requires down:     step < 0 ==> -1 <= p < vs.v[t].len && -1 <= q < vs.v[t].len;
    terminates \true;
    exits    never:    \false;
    assigns  vs.pool[vs.npool .. vs.cappool - 1];
    ensures  same:     same_values{Pre,Post}(vs.v, vs.pool, vs.n, vs.npool);
    ensures  wf:       WF_VALUES(vs);
    ensures  ext:      extends(\old(VALS(vs)), VALS(vs), vs.n);
    ensures  room:     -1 <= \result <= vs.cappool - vs.npool;
    ensures  end:      \result >= 0 ==> !before(nth_of(p, step, \result), q, step);
    ensures  ids:      \forall integer j; vs.npool <= j < vs.npool + \result ==> 0 <= vs.pool[j] < vs.n;
    ensures  before:   \forall integer j; 0 <= j < \result ==> before(nth_of(p, step, j), q, step);
    ensures  elements: \forall integer j; vs.npool <= j < vs.npool + \result ==>
                       sliced(val(\old(VALS(vs)), t), p, step, j - vs.npool, val(\old(VALS(vs)), vs.pool[j]));
*/
static int slice_ids(struct values vs, int t, long p, long q, long step)
{
    int k = 0, more = step > 0 ? p < q : p > q, id;
    long z = p;

    /*@ assert wf: wf_value(vs.v, vs.pool, t); */
    /*@ loop invariant range: 0 <= k <= vs.cappool - vs.npool;
        loop invariant next:  more != 0 ==> z == nth_of(p, step, k) && before(z, q, step);
        loop invariant place: -1 <= z <= vs.v[t].len && (more != 0 ==> 0 <= z < vs.v[t].len);
        loop invariant end:   more == 0 ==> !before(nth_of(p, step, k), q, step);
        loop invariant same:  same_values{Pre,Here}(vs.v, vs.pool, vs.n, vs.npool);
        loop invariant wf:    WF_VALUES(vs);
        loop invariant ext:   extends(\at(VALS(vs), Pre), VALS(vs), vs.n);
        loop invariant ids:   \forall integer j; vs.npool <= j < vs.npool + k ==> 0 <= vs.pool[j] < vs.n;
        loop invariant before: \forall integer j; 0 <= j < k ==> before(nth_of(p, step, j), q, step);
        loop invariant done:  \forall integer j; vs.npool <= j < vs.npool + k ==>
                              sliced(val(\at(VALS(vs), Pre), t), p, step, j - vs.npool, val(\at(VALS(vs), Pre), vs.pool[j]));
        loop assigns k, more, z, id, vs.pool[vs.npool .. vs.cappool - 1];
        loop variant more == 0 ? 0 : step > 0 ? q - z : z - q;
    */
    while (more) {
        if (k >= vs.cappool - vs.npool)
            return -1;
        id = value_item(vs, t, (int)z);
        /*@ assert id: sliced(val(\at(VALS(vs), Pre), t), p, step, k, val(\at(VALS(vs), Pre), id)); */
        value_put_item(vs, k, id);
        /*@ assert put: \forall integer j; vs.npool <= j < vs.npool + k + 1 ==> j < vs.npool + k || j == vs.npool + k; */
        k++;
        /*@ assert step: nth_of(p, step, k) == z + step; */
        more = step > 0 ? step < q - z : step > q - z;
        if (more)
            z += step;
    }
    return k;
}

/*@ OP_REQUIRES
    requires tuple:    0 <= t < vs.n && vs.v[t].kind == VALUE_TUPLE;
    requires step:     step != 0;
    requires up:       step > 0 ==> 0 <= p <= vs.v[t].len && 0 <= q <= vs.v[t].len;
    requires down:     step < 0 ==> -1 <= p < vs.v[t].len && -1 <= q < vs.v[t].len;
    terminates \true;
    exits    never:    \false;
    assigns  vs.v[0 .. vs.cap - 1], vs.pool[0 .. vs.cappool - 1];
    ensures  same:     same_values{Pre,Post}(vs.v, vs.pool, vs.n, vs.npool);
    OP_KEEPS
    ensures  made:     \result.code != STEP_STUCK;
    ensures  sound:    \result.code == STEP_DONE ==> slice_from(val(\old(VALS(vs)), t), p, q, step, RESULT_VALUE);
*/
static struct value_step slice_tuple(struct values vs, int t, long p, long q, long step)
{
    struct value_step r = { STEP_ROOM, 0, vs.n, vs.npool };
    int k = slice_ids(vs, t, p, q, step);

    if (k < 0)
        return r;
    /*@ assert vals: \forall integer j; vs.npool <= j < vs.npool + k ==>
                     sliced(val(\at(VALS(vs), Pre), t), p, step, j - vs.npool, val(VALS(vs), vs.pool[j])); */
    /*@ assert each: \forall integer j; 0 <= j < k ==>
                     sliced(val(\at(VALS(vs), Pre), t), p, step, j, val(VALS(vs), vs.pool[vs.npool + j])); */
    r = value_put_tuple(vs, k);
    /*@ assert ext: r.code == STEP_DONE ==> extends(\at(VALS(vs), Pre), vals_of(vs.v, vs.pool, r.n, r.npool), vs.n); */
    return r;
}

/*@ OP_REQUIRES
    requires id:       0 <= a < vs.n;
    terminates \true;
    exits    never:    \false;
    assigns  \nothing;
    ensures  bound:    \result != 0 <==> is_bound(val(VALS(vs), a));
*/
static int is_bound(struct values vs, int a)
{
    return vs.v[a].kind == VALUE_NONE || vs.v[a].kind == VALUE_INT;
}

/* The slice of t from a to b; its step is not 0. */
/*@ OP_REQUIRES
    requires ids:      0 <= t < vs.n && 0 <= a < vs.n && 0 <= b < vs.n;
    requires tuple:    vs.v[t].kind == VALUE_TUPLE;
    requires bounds:   is_bound(val(VALS(vs), a)) && is_bound(val(VALS(vs), b));
    requires step:     step != 0;
    terminates \true;
    exits    never:    \false;
    assigns  vs.v[0 .. vs.cap - 1], vs.pool[0 .. vs.cappool - 1];
    ensures  same:     same_values{Pre,Post}(vs.v, vs.pool, vs.n, vs.npool);
    OP_KEEPS
    ensures  made:     \result.code != STEP_STUCK;
    ensures  sound:    \result.code == STEP_DONE ==>
                       slice_by(val(\old(VALS(vs)), t), val(\old(VALS(vs)), a), val(\old(VALS(vs)), b), step, RESULT_VALUE);
*/
static struct value_step slice_step(struct values vs, int t, int a, int b, long step)
{
    long n = vs.v[t].len, p, q;

    /*@ assert wf: wf_value(vs.v, vs.pool, t) && v_len(val(VALS(vs), t)) == n; */
    if (step > 0) {
        p = slice_bound(vs, a, n, 0, n, 0);
        q = slice_bound(vs, b, n, 0, n, n);
    } else {
        p = slice_bound(vs, a, n, -1, n - 1, n - 1);
        q = slice_bound(vs, b, n, -1, n - 1, -1);
    }
    return slice_tuple(vs, t, p, q, step);
}

/*@ OP_REQUIRES
    requires ids:      0 <= t < vs.n && 0 <= a < vs.n && 0 <= b < vs.n && 0 <= c < vs.n;
    requires tuple:    vs.v[t].kind == VALUE_TUPLE;
    terminates \true;
    exits    never:    \false;
    assigns  vs.v[0 .. vs.cap - 1], vs.pool[0 .. vs.cappool - 1];
    ensures  same:     same_values{Pre,Post}(vs.v, vs.pool, vs.n, vs.npool);
    OP_KEEPS
    ensures  sound:    \result.code == STEP_DONE ==>
                       slice(val(\old(VALS(vs)), t), val(\old(VALS(vs)), a), val(\old(VALS(vs)), b),
                             val(\old(VALS(vs)), c), RESULT_VALUE);
    ensures  complete: \result.code == STEP_STUCK ==> \forall value w;
                       !slice(val(\old(VALS(vs)), t), val(\old(VALS(vs)), a), val(\old(VALS(vs)), b),
                              val(\old(VALS(vs)), c), w);
*/
static struct value_step op_slice(struct values vs, int t, int a, int b, int c)
{
    long step = vs.v[c].kind == VALUE_NONE ? 1 : vs.v[c].num;

    /*@ assert step: step == slice_step(val(VALS(vs), c)); */
    if (!is_bound(vs, a) || !is_bound(vs, b) || !is_bound(vs, c) || step == 0)
        return stuck(vs);
    return slice_step(vs, t, a, b, step);
}

/* The functions of three or four arguments. */
/*@ OP_REQUIRES
    requires op:       0 <= op < ATTR_FUNC_OPS && op != ATTR_ZIP;
    requires tuple:    0 <= x < vs.n && vs.v[x].kind == VALUE_TUPLE;
    requires several:  vs.v[x].len >= 3;
    terminates \true;
    exits    never:    \false;
    assigns  vs.v[0 .. vs.cap - 1], vs.pool[0 .. vs.cappool - 1];
    ensures  same:     same_values{Pre,Post}(vs.v, vs.pool, vs.n, vs.npool);
    OP_KEEPS
    ensures  sound:    \result.code == STEP_DONE ==> func_op(op, val(\old(VALS(vs)), x), RESULT_VALUE);
    ensures  complete: \result.code == STEP_STUCK ==> \forall value w;
                       !func_op(op, val(\old(VALS(vs)), x), w);
*/
static struct value_step op_several(struct values vs, int op, int x)
{
    int n = vs.v[x].len, a = value_item(vs, x, 0), b = value_item(vs, x, 1), c = value_item(vs, x, 2);

    /*@ assert len: v_len(val(VALS(vs), x)) == n; */
    /*@ assert kinds: v_kind(val(VALS(vs), a)) == vs.v[a].kind && v_kind(val(VALS(vs), b)) == vs.v[b].kind &&
                      v_kind(val(VALS(vs), c)) == vs.v[c].kind; */
    /*@ assert nums: v_num(val(VALS(vs), a)) == vs.v[a].num && v_num(val(VALS(vs), b)) == vs.v[b].num &&
                     v_num(val(VALS(vs), c)) == vs.v[c].num; */
    if (op == ATTR_SLICE && n == 4 && vs.v[a].kind == VALUE_TUPLE)
        return op_slice(vs, a, b, c, value_item(vs, x, 3));
    if (op == ATTR_RANGE && n == 3 && vs.v[a].kind == VALUE_INT && vs.v[b].kind == VALUE_INT &&
        vs.v[c].kind == VALUE_INT)
        return attr_op_range(vs, vs.v[a].num, vs.v[b].num, vs.v[c].num);
    return stuck(vs);
}

/*@ OP_REQUIRES
    requires op:       0 <= op < ATTR_FUNC_OPS;
    requires tuple:    0 <= x < vs.n && vs.v[x].kind == VALUE_TUPLE;
    terminates \true;
    exits    never:    \false;
    assigns  vs.v[0 .. vs.cap - 1], vs.pool[0 .. vs.cappool - 1];
    ensures  same:     same_values{Pre,Post}(vs.v, vs.pool, vs.n, vs.npool);
    OP_KEEPS
    ensures  sound:    \result.code == STEP_DONE ==> func_op(op, val(\old(VALS(vs)), x), RESULT_VALUE);
    ensures  complete: \result.code == STEP_STUCK ==> \forall value w;
                       !func_op(op, val(\old(VALS(vs)), x), w);
*/
static struct value_step op_func(struct values vs, int op, int x)
{
    int n = vs.v[x].len, a, b;

    /*@ assert len: wf_value(vs.v, vs.pool, x) && v_len(val(VALS(vs), x)) == n; */
    if (op == ATTR_ZIP)
        return attr_op_zip(vs, x);
    if (n >= 3)
        return op_several(vs, op, x);
    if (n == 0)
        return stuck(vs);
    a = value_item(vs, x, 0);
    b = value_item(vs, x, n - 1);
    /*@ assert kinds: v_kind(val(VALS(vs), a)) == vs.v[a].kind && v_kind(val(VALS(vs), b)) == vs.v[b].kind; */
    if (op == ATTR_REVERSED && n == 1 && vs.v[a].kind == VALUE_TUPLE)
        return op_reversed(vs, a);
    if (op == ATTR_IN && n == 2 && vs.v[b].kind == VALUE_TUPLE)
        return op_in(vs, a, b);
    if (op == ATTR_REMAP && n == 2 && vs.v[a].kind == VALUE_STR && vs.v[b].kind == VALUE_STR)
        return attr_op_remap(vs, a, b);
    return stuck(vs);
}

struct value_step attr_op_func(struct values vs, int op, int x)
{
    return op_func(vs, op, x);
}
