#include "attr/value_new.h"
#include "attr/value_real.h"

/*@ requires valid:    \valid(vs) && \valid(mem) && \separated(vs, mem);
    terminates \true;
    exits    never:    \false;
    assigns  *vs;
    ensures  ready:    ready_values(vs) && vs->mem == mem;
    ensures  empty:    vs->n == 0 && vs->npool == 0;
*/
void values_init(struct values *vs, struct mem *mem)
{
    *vs = (struct values){ .mem = mem };
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
