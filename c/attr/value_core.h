/* The proved part of the value arena: appending within the given capacity, and equality.
   The arena's header is passed by value: the core never allocates, it answers STEP_ROOM. */
#ifndef CALQUE_ATTR_VALUE_CORE_H
#define CALQUE_ATTR_VALUE_CORE_H

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

#endif
