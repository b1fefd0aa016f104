/* The cores of the arena of values: appending where there is room, equality; and what makes room. The arena's header is passed by
   value: a core never allocates, it answers STEP_ROOM. */
#ifndef CALQUE_ATTR_VALUE_INTERNAL_H
#define CALQUE_ATTR_VALUE_INTERNAL_H

#include "attr/value.h"

enum step_code {
    STEP_DONE,  /* id is the value; the arena now has n values and npool elements */
    STEP_STUCK, /* there is no value */
    STEP_ROOM,  /* no claim: more capacity is needed */
    STEP_LIMIT, /* no claim: a limit of value.h is exceeded */
    STEP_ASK    /* no claim: something must be asked of the environment's callbacks (attr/eval.h) */
};

struct value_step {
    int code, id, n, npool;
};

#ifdef __FRAMAC__
#include "attr/values.acsl"
#endif

/* Appends a value that is not a tuple. */
/*@ requires valid:    valid_values(vs);
    requires wf:       WF_VALUES(vs);
    requires kind:     VALUE_NONE <= kind < VALUE_TUPLE;
    requires bool:     kind == VALUE_BOOL ==> 0 <= num <= 1;
    requires none:     kind == VALUE_NONE ==> num == 0;
    terminates \true;
    exits    never:    \false;
    assigns  vs.v[vs.n .. vs.cap - 1];
    ensures  same:     same_values{Pre,Post}(vs.v, vs.pool, vs.n, vs.npool);
    ensures  code:     \result.code == STEP_DONE || \result.code == STEP_ROOM;
    ensures  room:     vs.n < vs.cap ==> \result.code == STEP_DONE;
    ensures  frame:    \result.code == STEP_DONE ==> stepped{Pre,Post}(vs, \result);
    ensures  next:     \result.code == STEP_DONE ==>
                       \result.id == vs.n && \result.n == vs.n + 1 && \result.npool == vs.npool;
    ensures  value:    \result.code == STEP_DONE ==>
                       v_kind(RESULT_VALUE) == kind &&
                       v_num(RESULT_VALUE) == num;
*/
struct value_step value_put(struct values vs, int kind, long num);

/* Appends the tuple of the `len` ids that stand at pool[npool], not yet counted in npool. */
/*@ requires valid:    valid_values(vs);
    requires wf:       WF_VALUES(vs);
    requires len:      0 <= len <= vs.cappool - vs.npool;
    requires ids:      \forall integer k; vs.npool <= k < vs.npool + len ==> 0 <= vs.pool[k] < vs.n;
    terminates \true;
    exits    never:    \false;
    assigns  vs.v[vs.n .. vs.cap - 1];
    ensures  same:     same_values{Pre,Post}(vs.v, vs.pool, vs.n, vs.npool);
    ensures  code:     \result.code == STEP_DONE || \result.code == STEP_ROOM ||
                       \result.code == STEP_LIMIT;
    ensures  room:     \result.code == STEP_ROOM ==> vs.n >= vs.cap;
    ensures  frame:    \result.code == STEP_DONE ==> stepped{Pre,Post}(vs, \result);
    ensures  next:     \result.code == STEP_DONE ==>
                       \result.id == vs.n && \result.n == vs.n + 1 && \result.npool == vs.npool + len;
    ensures  tuple:    \result.code == STEP_DONE ==>
                       v_kind(RESULT_VALUE) == VALUE_TUPLE &&
                       v_len(RESULT_VALUE) == len;
    ensures  elements: \result.code == STEP_DONE ==> \forall integer k; 0 <= k < len ==>
                       v_nth(RESULT_VALUE, k) ==
                       val(\old(VALS(vs)), \old(vs.pool[vs.npool + k]));
*/
struct value_step value_put_tuple(struct values vs, int len);

/* Is value a the same tree as value b? */
/*@ requires valid:    valid_values(vs);
    requires wf:       WF_VALUES(vs);
    requires ids:      0 <= a < vs.n && 0 <= b < vs.n;
    terminates \true;
    decreases 2 * vs.v[a].depth + 1;
    exits    never:    \false;
    assigns  \nothing;
    ensures  bool:     \result == 0 || \result == 1;
    ensures  equal:    \result == 1 <==> val(VALS(vs), a) == val(VALS(vs), b);
*/
int value_same(struct values vs, int a, int b);

/* The proved part of making tuples of given values. */
/* Appends the tuple of the n values elems[0 .. n - 1]; stuck when one of them is no value. */
/*@ OP_REQUIRES
    requires len:      0 <= n <= vs.cappool - vs.npool;
    requires elems:    \valid_read(elems + (0 .. n - 1));
    requires apart:    \separated(elems + (0 .. n - 1), vs.v + (0 .. vs.cap - 1)) &&
                       \separated(elems + (0 .. n - 1), vs.pool + (vs.npool .. vs.cappool - 1));
    terminates \true;
    exits    never:    \false;
    assigns  vs.v[vs.n .. vs.cap - 1], vs.pool[vs.npool .. vs.cappool - 1];
    OP_KEEPS
    ensures  same:     same_values{Pre,Post}(vs.v, vs.pool, vs.n, vs.npool);
    ensures  next:     \result.code == STEP_DONE ==>
                       \result.id == vs.n && \result.n == vs.n + 1 && \result.npool == vs.npool + n;
    ensures  room:     \result.code == STEP_ROOM ==> vs.n >= vs.cap;
    ensures  stuck:    \result.code == STEP_STUCK <==> \exists integer k; 0 <= k < n && !(0 <= \old(elems[k]) < vs.n);
    ensures  tuple:    \result.code == STEP_DONE ==>
                       v_kind(RESULT_VALUE) == VALUE_TUPLE && v_len(RESULT_VALUE) == n;
    ensures  elements: \result.code == STEP_DONE ==> \forall integer k; 0 <= k < n ==>
                       v_nth(RESULT_VALUE, k) == val(\old(VALS(vs)), \old(elems[k]));
*/
struct value_step value_put_elems(struct values vs, const int *elems, int n);

/* Appends the tuple of the n ints x[0 .. n - 1]. */
/*@ OP_REQUIRES
    requires len:      0 <= n <= vs.cappool - vs.npool && n < vs.cap - vs.n;
    requires nums:     \valid_read(x + (0 .. n - 1));
    requires apart:    \separated(x + (0 .. n - 1), vs.v + (0 .. vs.cap - 1));
    terminates \true;
    exits    never:    \false;
    assigns  vs.v[vs.n .. vs.cap - 1], vs.pool[vs.npool .. vs.cappool - 1];
    ensures  same:     same_values{Pre,Post}(vs.v, vs.pool, vs.n, vs.npool);
    OP_KEEPS
    ensures  room:     \result.code == STEP_DONE || \result.code == STEP_LIMIT;
    ensures  next:     \result.code == STEP_DONE ==>
                       \result.id == vs.n + n && \result.n == vs.n + n + 1 && \result.npool == vs.npool + n;
    ensures  tuple:    \result.code == STEP_DONE ==>
                       v_kind(RESULT_VALUE) == VALUE_TUPLE && v_len(RESULT_VALUE) == n;
    ensures  elements: \result.code == STEP_DONE ==> \forall integer k; 0 <= k < n ==>
                       is_int(v_nth(RESULT_VALUE, k), \old(x[k]));
*/
struct value_step value_put_ints(struct values vs, const long *x, int n);

/* Elements of tuples, read and written. */
/* Element k of tuple x. */
/*@ OP_REQUIRES
    requires tuple:    0 <= x < vs.n && vs.v[x].kind == VALUE_TUPLE;
    requires element:  0 <= k < vs.v[x].len;
    terminates \true;
    exits    never:    \false;
    assigns  \nothing;
    ensures  id:       0 <= \result < vs.n;
    ensures  nth:      val(VALS(vs), \result) == v_nth(val(VALS(vs), x), k);
*/
int value_item(struct values vs, int x, int k);

/* pool[npool + k] = id, after the first k. */
/*@ OP_REQUIRES
    requires room:     0 <= k < vs.cappool - vs.npool;
    terminates \true;
    exits    never:    \false;
    assigns  vs.pool[vs.npool + k];
    ensures  set:      vs.pool[vs.npool + k] == id;
    ensures  below:    \forall integer j; vs.npool <= j < vs.npool + k ==> vs.pool[j] == \old(vs.pool[j]);
    ensures  same:     same_values{Pre,Post}(vs.v, vs.pool, vs.n, vs.npool);
    ensures  wf:       WF_VALUES(vs);
    ensures  ext:      extends(\old(VALS(vs)), VALS(vs), vs.n);
*/
void value_put_item(struct values vs, int k, int id);

/* Memory for the arena of values, and the bits of its floats. Trusted: memory management and memcpy; these contracts are what
   value.c is proved from. */
/* Room for `values` more values and `elems` more elements; false, and the arena as it was, when memory or VALUE_ARENA_MAX is
   exceeded. The caller's arrays ids and nums stay apart from it. */
/*@ requires held:     held_values(vs);
    requires counts:   0 <= values <= VALUE_ARENA_MAX && 0 <= elems <= VALUE_ARENA_MAX;
    requires callers:  \valid_read(ids + (0 .. nids - 1)) && \valid_read(nums + (0 .. nnums - 1));
    requires apart:    apart_ids(vs, ids, nids) && apart_nums(vs, nums, nnums);
    terminates \true;
    exits    never:    \false;
    assigns  *vs, *vs->mem, { *p | struct value *p; \true }, { *q | int *q; \true };
    ensures  result:   \result == 0 || \result == 1;
    ensures  held:     held_values(vs);
    ensures  mem:      vs->mem == \old(vs->mem);
    ensures  counts:   vs->n == \old(vs->n) && vs->npool == \old(vs->npool);
    ensures  nodes:    moved_nodes{Pre,Post}(\old(vs->v), vs->v, vs->n);
    ensures  pool:     moved_ids{Pre,Post}(\old(vs->pool), vs->pool, vs->npool);
    ensures  room:     \result == 1 ==> has_room(vs, values, elems);
    ensures  had:      \old(has_room(vs, values, elems)) ==> \result == 1;
    ensures  callers:  (\forall integer k; 0 <= k < nids ==> ids[k] == \old(ids[k])) &&
                       (\forall integer k; 0 <= k < nnums ==> nums[k] == \old(nums[k]));
    ensures  apart:    apart_ids(vs, ids, nids) && apart_nums(vs, nums, nnums);
*/
bool values_room(struct values *vs, int values, int elems)
    /*@ ghost (const int *ids, int nids, const long *nums, int nnums) */;

/* Scratch for n ids, apart from the arena and from the caller's ids; NULL when memory is out. */
/*@ requires held:     held_values(vs);
    requires count:    0 <= n;
    requires callers:  \valid_read(ids + (0 .. nids - 1)) && apart_ids(vs, ids, nids);
    terminates \true;
    exits    never:    \false;
    assigns  *vs->mem, \result \from indirect:n;
    ensures  scratch:  \result == \null || \valid(\result + (0 .. n - 1)) && apart_ids(vs, \result, n) &&
                       \separated(\result + (0 .. n - 1), ids + (0 .. nids - 1));
*/
int *values_scratch(struct values *vs, int n)
    /*@ ghost (int *ids, int nids) */;
/*@ terminates \true;
    exits    never:    \false;
    assigns  \nothing;
*/
void values_scratch_free(int *scratch);

/* The 64 bits of x, and what they stand for. */
/*@ terminates \true;
    exits    never:    \false;
    assigns  \nothing;
    ensures  bits:     float_bits(x, \result);
*/
long value_bits(double x);
/*@ terminates \true;
    exits    never:    \false;
    assigns  \nothing;
    ensures  bits:     float_bits(\result, bits);
*/
double value_unbits(long bits);

/* The contracts of the constructors of values. */
/*@ VALUE_REQUIRES
    terminates \true;
    exits    never:    \false;
    assigns  *vs, *vs->mem, { *p | struct value *p; \true }, { *q | int *q; \true };
    VALUE_KEEPS
    VALUE_IS_NEXT
    ensures  value:    \result >= 0 ==> v_kind(MADE) == VALUE_NONE;
*/
int value_none(struct values *vs);

/*@ VALUE_REQUIRES
    terminates \true;
    exits    never:    \false;
    assigns  *vs, *vs->mem, { *p | struct value *p; \true }, { *q | int *q; \true };
    VALUE_KEEPS
    VALUE_IS_NEXT
    ensures  value:    \result >= 0 ==> v_kind(MADE) == VALUE_BOOL && v_num(MADE) == (b ? 1 : 0);
*/
int value_bool(struct values *vs, bool b);

/*@ VALUE_REQUIRES
    terminates \true;
    exits    never:    \false;
    assigns  *vs, *vs->mem, { *p | struct value *p; \true }, { *q | int *q; \true };
    VALUE_KEEPS
    VALUE_IS_NEXT
    ensures  value:    \result >= 0 ==> MADE == int_value(z);
*/
int value_int(struct values *vs, long z);

/*@ VALUE_REQUIRES
    terminates \true;
    exits    never:    \false;
    assigns  *vs, *vs->mem, { *p | struct value *p; \true }, { *q | int *q; \true };
    VALUE_KEEPS
    VALUE_IS_NEXT
    ensures  value:    \result >= 0 ==> v_kind(MADE) == VALUE_FLOAT && float_bits(x, v_num(MADE));
*/
int value_float(struct values *vs, double x);

/*@ VALUE_REQUIRES
    terminates \true;
    exits    never:    \false;
    assigns  *vs, *vs->mem, { *p | struct value *p; \true }, { *q | int *q; \true };
    VALUE_KEEPS
    VALUE_IS_NEXT
    ensures  value:    \result >= 0 ==> v_kind(MADE) == VALUE_FLOAT && v_num(MADE) == bits;
*/
int value_float_bits(struct values *vs, long bits);

/*@ VALUE_REQUIRES
    terminates \true;
    exits    never:    \false;
    assigns  *vs, *vs->mem, { *p | struct value *p; \true }, { *q | int *q; \true };
    VALUE_KEEPS
    ensures  id:       str_id < 0 ==> \result == -1;
    ensures  room:     0 <= str_id ==> \old(has_room(vs, 1, 0)) ==> \result >= 0;
    ensures  next:     \result >= 0 ==> one_value{Pre,Post}(vs, \result);
    ensures  value:    \result >= 0 ==> v_kind(MADE) == VALUE_STR && v_num(MADE) == str_id;
*/
int value_str(struct values *vs, int str_id);

/*@ VALUE_REQUIRES
    requires elems:    \valid_read(elems + (0 .. n - 1)) && apart_ids(vs, elems, n);
    terminates \true;
    exits    never:    \false;
    assigns  *vs, *vs->mem, { *p | struct value *p; \true }, { *q | int *q; \true };
    VALUE_KEEPS
    VALUE_HAS_ELEMS
*/
int value_tuple(struct values *vs, const int *elems, int n);

/*@ VALUE_REQUIRES
    requires nums:     \valid_read(x + (0 .. n - 1)) && apart_nums(vs, x, n);
    terminates \true;
    exits    never:    \false;
    assigns  *vs, *vs->mem, { *p | struct value *p; \true }, { *q | int *q; \true };
    VALUE_KEEPS
    VALUE_HAS_INTS
*/
int value_ints(struct values *vs, const long *x, int n);

/* Contract of reading a value as a number (proved in value.c). */
/*@ requires valid:    \valid_read(vs) && valid_values(*vs);
    requires wf:       WF_VALUES(*vs);
    requires id:       0 <= id < vs->n && vs->v[id].kind == VALUE_FLOAT;
    terminates \true;
    exits    never:    \false;
    assigns  \nothing;
    ensures  real:     float_bits(\result, v_num(val(VALS(*vs), id)));
*/
double value_real(const struct values *vs, int id);

#endif
