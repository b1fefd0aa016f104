#include "attr/value_core.h"

/* v[id] = x, field by field. */
/*@ requires valid:    \valid(v + id);
    terminates \true;
    exits    never:    \false;
    assigns  v[id];
    ensures  set:      v[id].kind == x.kind && v[id].len == x.len && v[id].first == x.first &&
                       v[id].depth == x.depth && v[id].size == x.size && v[id].num == x.num;
*/
static void value_set(struct value *v, int id, struct value x)
{
    v[id].kind = x.kind;
    v[id].len = x.len;
    v[id].first = x.first;
    v[id].depth = x.depth;
    v[id].size = x.size;
    v[id].num = x.num;
}

struct value_step value_put(struct values vs, int kind, long num)
{
    struct value_step r = { STEP_ROOM, 0, vs.n, vs.npool };
    struct value x = { .kind = kind, .len = 0, .first = 0, .depth = 0, .size = 1, .num = num };

    if (vs.n >= vs.cap)
        return r;
    value_set(vs.v, vs.n, x);
    /*@ assert same: same_values{Pre,Here}(vs.v, vs.pool, vs.n, vs.npool); */
    /*@ assert old:  WF_VALUES(vs); */
    /*@ assert new:  wf_value(vs.v, vs.pool, vs.n); */
    /*@ assert wf:   wf_values(vs.v, vs.pool, vs.n + 1, vs.npool); */
    r.code = STEP_DONE;
    r.id = vs.n;
    r.n = vs.n + 1;
    return r;
}

struct extent {
    int depth, size;
};

/* Depth and size of the tuple of pool[npool .. npool+len-1]; each at most one above its limit. */
/*@ requires valid:    valid_values(vs);
    requires wf:       WF_VALUES(vs);
    requires len:      0 <= len <= vs.cappool - vs.npool;
    requires ids:      \forall integer k; vs.npool <= k < vs.npool + len ==> 0 <= vs.pool[k] < vs.n;
    terminates \true;
    exits    never:    \false;
    assigns  \nothing;
    ensures  depth:    1 <= \result.depth <= VALUE_DEPTH_MAX + 1;
    ensures  size:     1 <= \result.size <= VALUE_SIZE_MAX + 1;
    ensures  above:    \forall integer k; vs.npool <= k < vs.npool + len ==>
                       vs.v[vs.pool[k]].depth < \result.depth;
*/
static struct extent tuple_extent(struct values vs, int len)
{
    struct extent e = { 1, 1 };

    /*@ loop invariant range: 0 <= k <= len;
        loop invariant depth: 1 <= e.depth <= VALUE_DEPTH_MAX + 1;
        loop invariant size:  1 <= e.size <= VALUE_SIZE_MAX + 1;
        loop invariant above: \forall integer j; vs.npool <= j < vs.npool + k ==>
                              vs.v[vs.pool[j]].depth < e.depth;
        loop assigns k, e;
        loop variant len - k;
    */
    for (int k = 0; k < len; k++) {
        int id = vs.pool[vs.npool + k];
        /*@ assert wf: wf_value(vs.v, vs.pool, id); */
        int depth = vs.v[id].depth;
        int size = vs.v[id].size;
        if (depth >= e.depth)
            e.depth = depth + 1;
        e.size += size;
        if (e.size > VALUE_SIZE_MAX)
            e.size = VALUE_SIZE_MAX + 1;
    }
    return e;
}

struct value_step value_put_tuple(struct values vs, int len)
{
    struct value_step r = { STEP_LIMIT, 0, vs.n, vs.npool };
    struct value x = { .kind = VALUE_TUPLE, .len = len, .first = vs.npool, .num = 0 };
    struct extent e;

    if (len > VALUE_LEN_MAX)
        return r;
    e = tuple_extent(vs, len);
    if (e.depth > VALUE_DEPTH_MAX || e.size > VALUE_SIZE_MAX)
        return r;
    r.code = STEP_ROOM;
    if (vs.n >= vs.cap)
        return r;
    x.depth = e.depth;
    x.size = e.size;
    value_set(vs.v, vs.n, x);
    /*@ assert same: same_values{Pre,Here}(vs.v, vs.pool, vs.n, vs.npool); */
    /*@ assert ids:  \forall integer k; vs.npool <= k < vs.npool + len ==>
                     vs.pool[k] == \at(vs.pool[k], Pre) && 0 <= vs.pool[k] < vs.n; */
    /*@ assert old:  WF_VALUES(vs); */
    /*@ assert more: wf_values(vs.v, vs.pool, vs.n, vs.npool + len); */
    /*@ assert new:  wf_value(vs.v, vs.pool, vs.n); */
    /*@ assert wf:   wf_values(vs.v, vs.pool, vs.n + 1, vs.npool + len); */
    r.code = STEP_DONE;
    r.id = vs.n;
    r.n = vs.n + 1;
    r.npool = vs.npool + len;
    /*@ assert ext:  extends(\at(VALS(vs), Pre), vals_of(vs.v, vs.pool, r.n, r.npool), vs.n); */
    return r;
}

/* Are the elements of two tuples of the same length the same? */
/*@ requires valid:    valid_values(vs);
    requires wf:       WF_VALUES(vs);
    requires ids:      0 <= a < vs.n && 0 <= b < vs.n;
    requires tuples:   vs.v[a].kind == VALUE_TUPLE && vs.v[b].kind == VALUE_TUPLE &&
                       vs.v[a].len == vs.v[b].len;
    terminates \true;
    decreases 2 * vs.v[a].depth;
    exits    never:    \false;
    assigns  \nothing;
    ensures  bool:     \result == 0 || \result == 1;
    ensures  equal:    \result == 1 <==> \forall integer k; 0 <= k < vs.v[a].len ==>
                       v_nth(val(VALS(vs), a), k) == v_nth(val(VALS(vs), b), k);
*/
static int elements_same(struct values vs, int a, int b)
{
    int len = vs.v[a].len, p = vs.v[a].first, q = vs.v[b].first;

    /*@ assert wfa: wf_value(vs.v, vs.pool, a); */
    /*@ assert wfb: wf_value(vs.v, vs.pool, b); */
    /*@ loop invariant range: 0 <= k <= len;
        loop invariant equal: \forall integer j; 0 <= j < k ==>
                              v_nth(val(VALS(vs), a), j) == v_nth(val(VALS(vs), b), j);
        loop assigns k;
        loop variant len - k;
    */
    for (int k = 0; k < len; k++) {
        int x = vs.pool[p + k], y = vs.pool[q + k];
        /*@ assert x: 0 <= x < a && vs.v[x].depth < vs.v[a].depth; */
        /*@ assert y: 0 <= y < b; */
        /*@ assert xk: v_nth(val(VALS(vs), a), k) == val(VALS(vs), x); */
        /*@ assert yk: v_nth(val(VALS(vs), b), k) == val(VALS(vs), y); */
        if (!value_same(vs, x, y))
            return 0;
    }
    return 1;
}

int value_same(struct values vs, int a, int b)
{
    int kind = vs.v[a].kind;

    /*@ assert root: v_kind(val(VALS(vs), a)) == vs.v[a].kind &&
                     v_kind(val(VALS(vs), b)) == vs.v[b].kind &&
                     v_num(val(VALS(vs), a)) == vs.v[a].num &&
                     v_num(val(VALS(vs), b)) == vs.v[b].num; */
    if (vs.v[b].kind != kind)
        return 0;
    if (kind == VALUE_NONE)
        return 1;
    if (kind != VALUE_TUPLE)
        return vs.v[a].num == vs.v[b].num;
    /*@ assert len: v_len(val(VALS(vs), a)) == vs.v[a].len &&
                    v_len(val(VALS(vs), b)) == vs.v[b].len; */
    if (vs.v[a].len != vs.v[b].len)
        return 0;
    return elements_same(vs, a, b);
}
