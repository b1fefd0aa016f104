#include "attr/zip.h"

#include "attr/item.h"

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
