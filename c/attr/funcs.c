#include "attr/funcs.h"

#include "attr/item.h"
#include "attr/remap.h"
#include "attr/zip.h"

#ifdef __FRAMAC__
#include "attr/funcs.acsl"
#endif

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
