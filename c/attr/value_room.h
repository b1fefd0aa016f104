/* Memory for the arena of values, and the bits of its floats. Trusted: memory management and memcpy; these contracts are what
   value.c is proved from. */
#ifndef CALQUE_ATTR_VALUE_ROOM_H
#define CALQUE_ATTR_VALUE_ROOM_H

#include "attr/value_make.h"

#ifdef __FRAMAC__
#include "attr/room.acsl"
#endif

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

#endif
