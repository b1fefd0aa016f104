#include "attr/remap.h"

#include <limits.h>

#include "attr/item.h"
#include "attr/strs_named.h"

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
