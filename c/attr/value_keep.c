#include "attr/value_room.h"
#include "attr/value_sweep.h"

/* Values from `first` on and elements from pool[np] on may go, ids stay the ids of what they were. */
#define KEEP_REQUIRES                                                                                                  \
    requires ready:    ready_values(vs);                                                                               \
    requires below:    0 <= first <= vs->n && 0 <= np <= vs->npool && wf_values(vs->v, vs->pool, first, np);           \
    requires ids:      0 <= n && \valid(id + (0 .. n - 1)) && apart_ids(vs, id, n) &&                                  \
                       \forall integer k; 0 <= k < n ==> 0 <= id[k] < vs->n;
/* What is done to the arena and the ids. */
#define KEEPS                                                                                                          \
    ensures  ready:    ready_values(vs);                                                                               \
    ensures  extent:   first <= vs->n <= \old(vs->n) && np <= vs->npool <= \old(vs->npool);                            \
    ensures  low:      extends(\old(VALS(*vs)), VALS(*vs), first);                                                     \
    ensures  ids:      \forall integer k; 0 <= k < n ==> 0 <= id[k] < vs->n;                                           \
    ensures  means:    \forall integer k; 0 <= k < n ==> val(VALS(*vs), id[k]) == val(\old(VALS(*vs)), \old(id[k]));
#define KEEPS_OR_NOT                                                                                                   \
    ensures  none:     \result == 0 ==> vs->n == \old(vs->n) && vs->npool == \old(vs->npool) &&                        \
                       \forall integer k; 0 <= k < n ==> id[k] == \old(id[k]);
/* All that stays from `first` on is needed. */
#define ONLY(vs) \forall integer y; first <= y < vs->n ==> \
                 made_of_needed{Pre,Post}(\old(*vs), first, id, n, vs->n, vs->npool, y)

#define ONLY_HERE \forall integer y; first <= y < vs->n ==> \
                  made_of_needed{Pre,Here}(\at(*vs, Pre), first, id, n, vs->n, vs->npool, y)

/*@ predicate off_fields{L}(struct values *vs, int *a, integer n) = \separated(&vs->n, a + (0 .. n - 1)) &&
      \separated(&vs->cap, a + (0 .. n - 1)) && \separated(&vs->npool, a + (0 .. n - 1)) &&
      \separated(&vs->cappool, a + (0 .. n - 1)); */

/* Do the elements of the tuples from `first` on stand behind pool[np], in the order of the tuples? Appending makes it so. */
/*@ requires valid:    valid_values(vs) && WF_VALUES(vs);
    requires range:    0 <= first <= vs.n && 0 <= np <= vs.npool;
    terminates \true;
    exits    never:    \false;
    assigns  \nothing;
    ensures  order:    \result == 1 <==> tuples_from(vs, first, np) && in_order(vs, first);
*/
static bool ordered(struct values vs, int first, int np)
{
    int end = np;
    /*@ ghost int last = -1; */

    /*@ loop invariant range: first <= k <= vs.n && np <= end <= vs.npool;
        loop invariant last:  last == -1 && end == np || first <= last < k && vs.v[last].kind == VALUE_TUPLE &&
                              end == vs.v[last].first + vs.v[last].len;
        loop invariant from:  \forall integer j; first <= j < k ==> vs.v[j].kind == VALUE_TUPLE ==>
                              np <= vs.v[j].first && vs.v[j].first + vs.v[j].len <= end;
        loop invariant order: \forall integer j, l; first <= j < l < k ==> vs.v[j].kind == VALUE_TUPLE ==>
                              vs.v[l].kind == VALUE_TUPLE ==> vs.v[j].first + vs.v[j].len <= vs.v[l].first;
        loop assigns k, end, last;
        loop variant vs.n - k;
    */
    for (int k = first; k < vs.n; k++) {
        /*@ assert wf: wf_value(vs.v, vs.pool, k); */
        if (vs.v[k].kind != VALUE_TUPLE)
            continue;
        if (vs.v[k].first < end)
            return false;
        end = vs.v[k].first + vs.v[k].len;
        /*@ ghost last = k; */
    }
    return true;
}

/* The extent is taken over. */
/*@ requires held:     held_values(vs) && apart_ids(vs, id, n) && 0 <= n && \valid(id + (0 .. n - 1));
    requires wf:       0 <= left.n <= vs->cap && 0 <= left.npool <= vs->cappool &&
                       wf_values(vs->v, vs->pool, left.n, left.npool);
    terminates \true;
    exits    never:    \false;
    assigns  vs->n, vs->npool;
    ensures  ready:    ready_values(vs);
    ensures  extent:   vs->n == left.n && vs->npool == left.npool;
    ensures  all:      extends(\old(vals_of(vs->v, vs->pool, left.n, left.npool)), VALS(*vs), left.n);
    ensures  ids:      same_ids{Pre,Post}(id, n);
*/
static void take(struct values *vs, struct value_extent left) /*@ ghost (const int *id, int n) */
{
    vs->n = left.n;
    vs->npool = left.npool;
    /*@ assert same: same_values{Pre,Here}(vs->v, vs->pool, left.n, left.npool); */
}

/* With scratch; the arena's extent is taken over. */
/*@ requires ready:    ready_values(vs);
    requires room:     room_sweep(*vs, first, map, id, n);
    requires apart:    apart_ids(vs, id, n) && apart_ids(vs, map, vs->n - first);
    requires below:    0 <= np <= vs->npool && wf_values(vs->v, vs->pool, first, np);
    requires ids:      \forall integer k; 0 <= k < n ==> 0 <= id[k] < vs->n;
    requires order:    tuples_from(*vs, first, np) && in_order(*vs, first);
    terminates \true;
    exits    never:    \false;
    assigns  vs->n, vs->npool, vs->v[first .. vs->n - 1], vs->pool[0 .. vs->npool - 1], map[0 .. vs->n - first - 1],
             id[0 .. n - 1];
    KEEPS
    ensures  only:     ONLY(vs);
*/
static void sweep(struct values *vs, int first, int np, int *map, int *id, int n)
{
    struct values s = *vs;
    struct value_extent left;

    /*@ assert off: \separated(vs, s.v + (0 .. s.cap - 1)) && \separated(vs, s.pool + (0 .. s.cappool - 1)) &&
                    \separated(vs, id + (0 .. n - 1)) && \separated(vs, map + (0 .. s.n - first - 1)); */
    /*@ assert off_pool: off_fields(vs, s.pool, s.npool); */
    /*@ assert off_id:   off_fields(vs, id, n); */
    /*@ assert off_map:  off_fields(vs, map, s.n - first); */
    /*@ assert off_v:    \separated(&vs->n, s.v + (first .. s.n - 1)) && \separated(&vs->cap, s.v + (first .. s.n - 1)) &&
                         \separated(&vs->npool, s.v + (first .. s.n - 1)) &&
                         \separated(&vs->cappool, s.v + (first .. s.n - 1)); */
    left = values_sweep(s, first, np, map, id, n);
    /*@ assert view: is_view(s, vs); */
    /*@ ghost Swept: ; */
    take(vs, left)
        /*@ ghost (id, n) */;
    /*@ assert all:  extends(\at(vals_of(s.v, s.pool, left.n, left.npool), Swept), VALS(*vs), left.n); */
    /*@ assert kept: \forall integer k; 0 <= k < n ==> id[k] == \at(id[k], Swept) && 0 <= id[k] < left.n; */
    /*@ assert were: \forall integer k; 0 <= k < n ==>
                     val(\at(vals_of(s.v, s.pool, left.n, left.npool), Swept), \at(id[k], Swept)) ==
                     val(\at(VALS(*vs), Pre), \at(id[k], Pre)); */
    /*@ assert made: \forall integer y; first <= y < left.n ==>
                     made_of_needed{Pre,Swept}(s, first, id, n, left.n, left.npool, y); */
    /*@ assert need: \forall integer y; first <= y < left.n ==>
                     made_of_needed{Pre,Here}(s, first, id, n, left.n, left.npool, y); */
}

/*@ KEEP_REQUIRES
    requires order:    tuples_from(*vs, first, np) && in_order(*vs, first);
    terminates \true;
    exits    never:    \false;
    assigns  *vs, *vs->mem, { *p | struct value *p; \true }, { *q | int *q; \true };
    KEEPS
    KEEPS_OR_NOT
    ensures  only:     \result == 1 ==> ONLY(vs);
*/
static bool keep(struct values *vs, int first, int np, int *id, int n)
{
    int *map;

    map = values_scratch(vs, vs->n - first)
        /*@ ghost (id, n) */;
    /*@ assert same: same_values{Pre,Here}(vs->v, vs->pool, vs->n, vs->npool); */
    /*@ assert wf:   WF_VALUES(*vs) && wf_values(vs->v, vs->pool, first, np); */
    /*@ assert old:  extends(\at(VALS(*vs), Pre), VALS(*vs), vs->n); */
    /*@ assert held: \forall integer k; 0 <= k < n ==> id[k] == \at(id[k], Pre) &&
                     val(VALS(*vs), id[k]) == val(\at(VALS(*vs), Pre), \at(id[k], Pre)); */
    if (!map)
        return false;
    /*@ ghost Ready: ; */
    sweep(vs, first, np, map, id, n);
    /*@ assert low: \forall integer y; 0 <= y < first ==> val(VALS(*vs), y) == val(\at(VALS(*vs), Ready), y); */
    /*@ assert ids: \forall integer k; 0 <= k < n ==> 0 <= id[k] < vs->n && \at(id[k], Ready) == \at(id[k], Pre) &&
                    val(VALS(*vs), id[k]) == val(\at(VALS(*vs), Ready), \at(id[k], Ready)); */
    /*@ assert only: \forall integer y; first <= y < vs->n ==>
                     made_of_needed{Ready,Here}(\at(*vs, Ready), first, id, n, vs->n, vs->npool, y); */
    /*@ assert were: \forall integer k; 0 <= k < n ==> val(\at(VALS(*vs), Ready), \at(id[k], Ready)) ==
                     val(\at(VALS(*vs), Pre), \at(id[k], Pre)); */
    /*@ assert means: \forall integer k; 0 <= k < n ==>
                     val(VALS(*vs), id[k]) == val(\at(VALS(*vs), Pre), \at(id[k], Pre)); */
    /*@ assert same_needed: \forall integer y; made_of_needed{Ready,Here}(\at(*vs, Ready), first, id, n, vs->n, vs->npool, y) ==>
                            made_of_needed{Pre,Here}(\at(*vs, Pre), first, id, n, vs->n, vs->npool, y); */
    /*@ assert made: ONLY_HERE; */
    values_scratch_free(map);
    return true;
}

/*@ KEEP_REQUIRES
    terminates \true;
    exits    never:    \false;
    assigns  *vs, *vs->mem, { *p | struct value *p; \true }, { *q | int *q; \true };
    KEEPS
    KEEPS_OR_NOT
    ensures  only:     \result == 1 ==> \old(tuples_from(*vs, first, np) && in_order(*vs, first)) ==> ONLY(vs);
*/
bool values_keep(struct values *vs, int first, int np, int *id, int n)
{
    return !ordered(*vs, first, np) || keep(vs, first, np, id, n);
}
