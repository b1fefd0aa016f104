/* Attribute values in their arena. Invariant: the elements of a tuple have smaller ids than the tuple; NONE and tuples have the
   number 0, so that equal trees have equal roots. The core (value_put, value_put_tuple, value_same) never allocates; what makes room
   is in alloc.c. */
#include "attr/value_internal.h"

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

/* pool[npool + k] = elems[k] up to the first that is no value: its position, or n. */
/*@ requires valid:    valid_values(vs);
    requires len:      0 <= n <= vs.cappool - vs.npool;
    requires elems:    \valid_read(elems + (0 .. n - 1));
    requires apart:    \separated(elems + (0 .. n - 1), vs.pool + (vs.npool .. vs.cappool - 1));
    terminates \true;
    exits    never:    \false;
    assigns  vs.pool[vs.npool .. vs.cappool - 1];
    ensures  range:    0 <= \result <= n;
    ensures  copied:   \forall integer k; vs.npool <= k < vs.npool + \result ==>
                       vs.pool[k] == \old(elems[k - vs.npool]) && 0 <= vs.pool[k] < vs.n;
    ensures  first:    \result < n ==> !(0 <= \old(elems[\result]) < vs.n);
*/
static int take(struct values vs, const int *elems, int n)
{
    /*@ loop invariant range:  0 <= k <= n;
        loop invariant copied: \forall integer j; vs.npool <= j < vs.npool + k ==>
                               vs.pool[j] == \at(elems[j - vs.npool], Pre) && 0 <= vs.pool[j] < vs.n;
        loop invariant elems:  \forall integer j; 0 <= j < n ==> elems[j] == \at(elems[j], Pre);
        loop assigns k, vs.pool[vs.npool .. vs.cappool - 1];
        loop variant n - k;
    */
    for (int k = 0; k < n; k++) {
        /*@ assert elem: elems[k] == \at(elems[\at(k, Here)], Pre); */
        if (elems[k] < 0 || elems[k] >= vs.n)
            return k;
        vs.pool[vs.npool + k] = elems[k];
    }
    return n;
}

struct value_step value_put_elems(struct values vs, const int *elems, int n)
{
    struct value_step r = { STEP_STUCK, 0, vs.n, vs.npool };
    int k = take(vs, elems, n);

    /*@ assert same: same_values{Pre,Here}(vs.v, vs.pool, vs.n, vs.npool); */
    /*@ assert wf:   WF_VALUES(vs); */
    /*@ assert mid:  extends(\at(VALS(vs), Pre), VALS(vs), vs.n); */
    if (k < n)
        return r;
    /*@ assert ids:  \forall integer j; 0 <= j < n ==> vs.pool[vs.npool + j] == \at(elems[j], Pre); */
    /*@ assert all:  \forall integer j; 0 <= j < n ==> 0 <= \at(elems[j], Pre) < vs.n; */
    /*@ assert vals: \forall integer j; 0 <= j < n ==>
                     val(VALS(vs), vs.pool[vs.npool + j]) == val(\at(VALS(vs), Pre), \at(elems[j], Pre)); */
    r = value_put_tuple(vs, n);
    /*@ assert ext:  r.code == STEP_DONE ==>
                     extends(\at(VALS(vs), Pre), vals_of(vs.v, vs.pool, r.n, r.npool), vs.n); */
    return r;
}

/* Value vs.n becomes the int z, and element k of those behind the arena's. */
/*@ OP_REQUIRES
    requires place:    0 <= k < vs.cappool - vs.npool && vs.n < vs.cap;
    terminates \true;
    exits    never:    \false;
    assigns  vs.v[vs.n .. vs.cap - 1], vs.pool[vs.npool + k];
    ensures  same:     same_values{Pre,Post}(vs.v, vs.pool, vs.n, vs.npool);
    ensures  place:    vs.pool[vs.npool + k] == vs.n;
    ensures  others:   \forall integer j; vs.npool <= j < vs.npool + k ==> vs.pool[j] == \old(vs.pool[j]);
    ensures  wf:       wf_values(vs.v, vs.pool, vs.n + 1, vs.npool);
    ensures  old:      extends(\old(VALS(vs)), vals_of(vs.v, vs.pool, vs.n + 1, vs.npool), vs.n);
    ensures  value:    is_int(val(vals_of(vs.v, vs.pool, vs.n + 1, vs.npool), vs.n), z);
*/
static void put_int(struct values vs, long z, int k)
{
    vs.pool[vs.npool + k] = vs.n;
    /*@ assert same: same_values{Pre,Here}(vs.v, vs.pool, vs.n, vs.npool); */
    /*@ assert wf:   WF_VALUES(vs); */
    /*@ assert ext:  extends(\at(VALS(vs), Pre), VALS(vs), vs.n); */
    value_put(vs, VALUE_INT, z);
}

struct value_step value_put_ints(struct values vs, const long *x, int n)
{
    struct value_step r;
    struct values us = vs;

    /*@ loop invariant range:  0 <= k <= n;
        loop invariant arena:  us == {vs \with .n = (int)(vs.n + k)};
        loop invariant wf:     WF_VALUES(us);
        loop invariant same:   same_values{Pre,Here}(vs.v, vs.pool, vs.n, vs.npool);
        loop invariant old:    extends(\at(VALS(vs), Pre), VALS(us), vs.n);
        loop invariant ids:    \forall integer j; vs.npool <= j < vs.npool + k ==> vs.pool[j] == vs.n + j - vs.npool;
        loop invariant ints:   are_ints{Pre,Here}(x, VALS(us), vs.n, k);
        loop invariant nums:   \forall integer j; 0 <= j < n ==> x[j] == \at(x[j], Pre);
        loop assigns k, us, vs.v[vs.n .. vs.cap - 1], vs.pool[vs.npool .. vs.cappool - 1];
        loop variant n - k;
    */
    for (int k = 0; k < n; k++) {
        put_int(us, x[k], k);
        /*@ assert more: are_ints{Pre,Here}(x, vals_of(us.v, us.pool, us.n + 1, us.npool), vs.n, k); */
        us.n++;
        /*@ assert last: is_int(val(VALS(us), vs.n + k), \at(x[\at(k, Here)], Pre)); */
    }
    /*@ ghost All: ; */
    r = value_put_tuple(us, n);
    /*@ assert elems: r.code == STEP_DONE ==> \forall integer k; 0 <= k < n ==>
                      v_nth(val(vals_of(vs.v, vs.pool, r.n, r.npool), r.id), k) == val(\at(VALS(us), All), vs.n + k); */
    /*@ assert same: same_values{Pre,Here}(vs.v, vs.pool, vs.n, vs.npool); */
    return r;
}

int value_item(struct values vs, int x, int k)
{
    /*@ assert wf: wf_value(vs.v, vs.pool, x) && vs.v[x].first + vs.v[x].len <= vs.npool; */
    return vs.pool[vs.v[x].first + k];
}

void value_put_item(struct values vs, int k, int id)
{
    vs.pool[vs.npool + k] = id;
    /*@ assert same: same_values{Pre,Here}(vs.v, vs.pool, vs.n, vs.npool); */
}

/*@ requires valid:    \valid(vs) && \valid(mem) && \separated(vs, mem);
    terminates \true;
    exits    never:    \false;
    assigns  *vs;
    ensures  ready:    ready_values(vs) && vs->mem == mem;
    ensures  empty:    vs->n == 0 && vs->npool == 0;
*/
void values_init(struct values *vs, struct mem *mem)
{
    vs->mem = mem;
    vs->v = NULL;
    vs->pool = NULL;
    vs->stack = NULL;
    vs->symbol = NULL;
    vs->strs = NULL;
    vs->n = vs->cap = vs->npool = vs->cappool = vs->capstack = vs->capsymbol = 0;
}

/*@ requires valid:    \valid(vs) && \valid(vs->mem) && \separated(vs, vs->mem);
    terminates \true;
    exits    never:    \false;
    assigns  *vs;
    ensures  ready:    ready_values(vs);
    ensures  empty:    vs->n == 0 && vs->npool == 0;
    ensures  mem:      vs->mem == \old(vs->mem);
*/
void values_free(struct values *vs)
{
    mem_free(vs->v);
    mem_free(vs->pool);
    mem_free(vs->stack);
    mem_free(vs->symbol);
    values_init(vs, vs->mem);
}

/* values_room, and the values are the same ones, wherever they stand. */
/*@ requires ready:    ready_values(vs);
    requires counts:   0 <= values <= VALUE_ARENA_MAX && 0 <= elems <= VALUE_ARENA_MAX;
    requires callers:  \valid_read(ids + (0 .. nids - 1)) && \valid_read(nums + (0 .. nnums - 1));
    requires apart:    apart_ids(vs, ids, nids) && apart_nums(vs, nums, nnums);
    terminates \true;
    exits    never:    \false;
    assigns  *vs, *vs->mem, { *p | struct value *p; \true }, { *q | int *q; \true };
    ensures  ready:    ready_values(vs);
    ensures  mem:      vs->mem == \old(vs->mem);
    ensures  counts:   vs->n == \old(vs->n) && vs->npool == \old(vs->npool);
    ensures  old:      extends(\old(VALS(*vs)), VALS(*vs), vs->n);
    ensures  room:     \result == 1 ==> has_room(vs, values, elems);
    ensures  had:      \old(has_room(vs, values, elems)) ==> \result == 1;
    ensures  callers:  (\forall integer k; 0 <= k < nids ==> ids[k] == \old(ids[k])) &&
                       (\forall integer k; 0 <= k < nnums ==> nums[k] == \old(nums[k]));
    ensures  apart:    apart_ids(vs, ids, nids) && apart_nums(vs, nums, nnums);
*/
static bool room(struct values *vs, int values, int elems)
    /*@ ghost (const int *ids, int nids, const long *nums, int nnums) */
{
    bool r = values_room(vs, values, elems)
        /*@ ghost (ids, nids, nums, nnums) */;

    /*@ assert wf: WF_VALUES(*vs); */
    /*@ ghost
    int id = 0;
    /@ loop invariant range: 0 <= id <= vs->n;
       loop invariant same:  extends(\at(VALS(*vs), Pre), VALS(*vs), id);
       loop assigns id;
       loop variant vs->n - id;
    @/
    while (id < vs->n) {
        /@ assert next: val(VALS(*vs), id) == val(\at(VALS(*vs), Pre), id); @/
        id++;
    }
    */
    return r;
}

/* Takes over what the core appended: the id, or -1. */
/*@ VALUE_REQUIRES
    requires code:     STEP_DONE <= r.code <= STEP_LIMIT;
    requires step:     r.code == STEP_DONE ==>
                       0 <= r.id < r.n <= vs->cap && 0 <= r.npool <= vs->cappool && wf_values(vs->v, vs->pool, r.n, r.npool);
    terminates \true;
    exits    never:    \false;
    assigns  vs->n, vs->npool;
    ensures  ready:    ready_values(vs);
    ensures  none:     r.code != STEP_DONE ==> \result == -1 && vs->n == \old(vs->n) && vs->npool == \old(vs->npool) &&
                       extends(\old(VALS(*vs)), VALS(*vs), vs->n);
    ensures  id:       r.code == STEP_DONE ==> \result == r.id && vs->n == r.n && vs->npool == r.npool &&
                       extends(\old(vals_of(vs->v, vs->pool, r.n, r.npool)), VALS(*vs), r.n);
*/
static int done(struct values *vs, struct value_step r)
{
    if (r.code != STEP_DONE)
        return -1;
    vs->n = r.n;
    vs->npool = r.npool;
    /*@ assert same: same_values{Pre,Here}(vs->v, vs->pool, r.n, r.npool); */
    return r.id;
}

/* A value that is not a tuple. */
/*@ VALUE_REQUIRES
    requires room:     has_room(vs, 1, 0);
    requires kind:     VALUE_NONE <= kind < VALUE_TUPLE;
    requires bool:     kind == VALUE_BOOL ==> 0 <= num <= 1;
    requires none:     kind == VALUE_NONE ==> num == 0;
    terminates \true;
    exits    never:    \false;
    assigns  vs->n, vs->npool, vs->v[0 .. vs->cap - 1], vs->pool[0 .. vs->cappool - 1];
    VALUE_KEEPS
    ensures  next:     one_value{Pre,Post}(vs, \result);
    ensures  value:    v_kind(MADE) == kind && v_num(MADE) == num;
*/
static int put_scalar(struct values *vs, int kind, long num)
{
    struct values s = *vs;
    struct value_step r;

    /*@ assert view: is_view(s, vs); */
    r = value_put(s, kind, num);
    /*@ assert here: is_view(s, vs); */
    /*@ assert same: same_values{Pre,Here}(s.v, s.pool, s.n, s.npool); */
    /*@ assert wf:   WF_VALUES(s); */
    /*@ assert old:  extends(\at(VALS(*vs), Pre), VALS(s), s.n); */
    /*@ assert new:  r.code == STEP_DONE ==> extends(\at(VALS(*vs), Pre), vals_of(s.v, s.pool, r.n, r.npool), s.n); */
    return done(vs, r);
}

/*@ VALUE_REQUIRES
    requires kind:     VALUE_NONE <= kind < VALUE_TUPLE;
    requires bool:     kind == VALUE_BOOL ==> 0 <= num <= 1;
    requires none:     kind == VALUE_NONE ==> num == 0;
    terminates \true;
    exits    never:    \false;
    assigns  *vs, *vs->mem, { *p | struct value *p; \true }, { *q | int *q; \true };
    VALUE_KEEPS
    VALUE_IS_NEXT
    ensures  value:    \result >= 0 ==> v_kind(MADE) == kind && v_num(MADE) == num;
*/
static int scalar(struct values *vs, int kind, long num)
{
    if (!(room(vs, 1, 0)
          /*@ ghost (0, 0, 0, 0) */))
        return -1;
    /*@ assert room: extends(\at(VALS(*vs), Pre), VALS(*vs), \at(vs->n, Pre)) && vs->n == \at(vs->n, Pre); */
    return put_scalar(vs, kind, num);
}

int value_none(struct values *vs)
{
    return scalar(vs, VALUE_NONE, 0);
}

int value_bool(struct values *vs, bool b)
{
    return scalar(vs, VALUE_BOOL, b);
}

int value_int(struct values *vs, long z)
{
    return scalar(vs, VALUE_INT, z);
}

int value_float_bits(struct values *vs, long bits)
{
    return scalar(vs, VALUE_FLOAT, bits);
}

int value_float(struct values *vs, double x)
{
    return scalar(vs, VALUE_FLOAT, value_bits(x));
}

int value_str(struct values *vs, int str_id)
{
    return str_id < 0 ? -1 : scalar(vs, VALUE_STR, str_id);
}

/* The tuple of given values. */
/*@ VALUE_REQUIRES
    requires room:     0 <= n <= VALUE_LEN_MAX && has_room(vs, 1, n);
    requires elems:    \valid_read(elems + (0 .. n - 1)) && apart_ids(vs, elems, n);
    terminates \true;
    exits    never:    \false;
    assigns  vs->n, vs->npool, vs->v[0 .. vs->cap - 1], vs->pool[0 .. vs->cappool - 1];
    VALUE_KEEPS
    VALUE_HAS_ELEMS
*/
static int put_elems(struct values *vs, const int *elems, int n)
{
    struct values s = *vs;
    struct value_step r;

    /*@ assert view: is_view(s, vs); */
    r = value_put_elems(s, elems, n);
    /*@ assert here: is_view(s, vs); */
    /*@ assert same: same_values{Pre,Here}(s.v, s.pool, s.n, s.npool); */
    /*@ assert wf:   WF_VALUES(s); */
    /*@ assert old:  extends(\at(VALS(*vs), Pre), VALS(s), s.n); */
    /*@ assert new:  r.code == STEP_DONE ==> extends(\at(VALS(*vs), Pre), vals_of(s.v, s.pool, r.n, r.npool), s.n); */
    return done(vs, r);
}

int value_tuple(struct values *vs, const int *elems, int n)
{
    if (n < 0 || n > VALUE_LEN_MAX ||
        !(room(vs, 1, n)
          /*@ ghost (elems, n, 0, 0) */))
        return -1;
    /*@ assert room: extends(\at(VALS(*vs), Pre), VALS(*vs), \at(vs->n, Pre)) && vs->n == \at(vs->n, Pre); */
    return put_elems(vs, elems, n);
}

/* The tuple of given ints. */
/*@ VALUE_REQUIRES
    requires room:     0 <= n <= VALUE_LEN_MAX && has_room(vs, n + 1, n);
    requires nums:     \valid_read(x + (0 .. n - 1)) && apart_nums(vs, x, n);
    terminates \true;
    exits    never:    \false;
    assigns  vs->n, vs->npool, vs->v[0 .. vs->cap - 1], vs->pool[0 .. vs->cappool - 1];
    VALUE_KEEPS
    VALUE_HAS_INTS
*/
static int put_ints(struct values *vs, const long *x, int n)
{
    struct values s = *vs;
    struct value_step r;

    /*@ assert view: is_view(s, vs); */
    /*@ assert off:  \separated(vs, s.v + (0 .. s.cap - 1)) && \separated(vs, s.pool + (0 .. s.cappool - 1)); */
    r = value_put_ints(s, x, n);
    /*@ assert here: is_view(s, vs); */
    /*@ assert held: held_values(vs); */
    /*@ assert same: same_values{Pre,Here}(s.v, s.pool, s.n, s.npool); */
    /*@ assert wf:   WF_VALUES(s); */
    /*@ assert old:  extends(\at(VALS(*vs), Pre), VALS(s), s.n); */
    /*@ assert new:  r.code == STEP_DONE ==> extends(\at(VALS(*vs), Pre), vals_of(s.v, s.pool, r.n, r.npool), s.n); */
    return done(vs, r);
}

int value_ints(struct values *vs, const long *x, int n)
{
    int id;

    if (n < 0 || n > VALUE_LEN_MAX ||
        !(room(vs, n + 1, n)
          /*@ ghost (0, 0, x, n) */))
        return -1;
    /*@ assert room: extends(\at(VALS(*vs), Pre), VALS(*vs), \at(vs->n, Pre)) && vs->n == \at(vs->n, Pre); */
    /*@ ghost Room: ; */
    id = put_ints(vs, x, n);
    /*@ assert more: extends(\at(VALS(*vs), Room), VALS(*vs), \at(vs->n, Pre)); */
    return id;
}

/*@ requires valid:    \valid_read(vs) && valid_values(*vs);
    requires wf:       WF_VALUES(*vs);
    requires ids:      0 <= a < vs->n && 0 <= b < vs->n;
    terminates \true;
    exits    never:    \false;
    assigns  \nothing;
    ensures  equal:    \result == 1 <==> val(VALS(*vs), a) == val(VALS(*vs), b);
*/
bool value_equal(const struct values *vs, int a, int b)
{
    return value_same(*vs, a, b) != 0;
}

double value_real(const struct values *vs, int id)
{
    return value_unbits(vs->v[id].num);
}
