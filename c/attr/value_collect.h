/* The proved part of values_keep: the values from `first` on that are needed move down over the others. */
#ifndef CALQUE_ATTR_VALUE_COLLECT_H
#define CALQUE_ATTR_VALUE_COLLECT_H

#include "attr/value_internal.h"

#ifdef __FRAMAC__
#include "attr/sweep.acsl"
#endif

/* How many values and elements the arena holds. */
struct value_extent {
    int n, npool;
};

/* Of the values from `first` on, whose elements stand from pool[np] on, only what id[0 .. n-1] are made of stays; these
   ids become the new ones. Tuples are appended, so that their elements stand in the order of the tuples: clause order.
   map is scratch, one entry for each value from `first` on. */
/*@ requires room:     room_sweep(vs, first, map, id, n);
    requires wf:       WF_VALUES(vs);
    requires below:    0 <= np <= vs.npool && wf_values(vs.v, vs.pool, first, np);
    requires order:    tuples_from(vs, first, np) && in_order(vs, first);
    requires ids:      \forall integer k; 0 <= k < n ==> 0 <= id[k] < vs.n;
    terminates \true;
    exits    never:    \false;
    assigns  vs.v[first .. vs.n - 1], vs.pool[0 .. vs.npool - 1], map[0 .. vs.n - first - 1], id[0 .. n - 1];
    ensures  extent:   first <= \result.n <= vs.n && np <= \result.npool <= vs.npool;
    ensures  wf:       wf_values(vs.v, vs.pool, \result.n, \result.npool);
    ensures  below:    same_values{Pre,Post}(vs.v, vs.pool, first, np);
    ensures  low:      extends(\old(VALS(vs)), SWEPT(\result.n, \result.npool), first);
    ensures  ids:      \forall integer k; 0 <= k < n ==> 0 <= id[k] < \result.n &&
                       val(SWEPT(\result.n, \result.npool), id[k]) == val(\old(VALS(vs)), \old(id[k]));
    ensures  only:     \forall integer y; first <= y < \result.n ==>
                       made_of_needed{Pre,Post}(vs, first, id, n, \result.n, \result.npool, y);
*/
struct value_extent values_sweep(struct values vs, int first, int np, int *map, int *id, int n);

#endif
