#include "attr/read_beside.h"

#ifdef __FRAMAC__
#include "attr/both_moved.acsl"
#endif

struct reading read_value_of(struct reading r, struct attrs *t, struct strs *strs)
{
    /*@ ghost int n = t->node.n, i = 0; */

    r = read_constant(r, t, strs);
    /*@ assert arena: moved_arena{Pre,Here}(\at(arena_of(t), Pre), arena_of(t)); */
    /*@ assert slots: kept_slots{Pre,Here}(t); */
    /*@ assert wf:    wf_arena(arena_of(t)); */
    /*@ assert dist:  distinct_slots(t->slot.a, t->slot.n); */
    /*@ ghost
    /@ loop invariant range: 0 <= i <= n;
       loop invariant same:  kept_exprs{Pre,Here}(\at(arena_of(t), Pre), arena_of(t), i);
       loop assigns i;
       loop variant n - i;
    @/
    while (i < n)
        i++;
    */
    /*@ assert trees: trees_stay{Pre,Here}(t); */
    return r;
}
