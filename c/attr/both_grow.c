#include "attr/both_grow.h"

#ifdef __FRAMAC__
#include "attr/both_stay.acsl"
#endif

bool both_room(struct attrs *t, int nodes, int kids, int slots) /*@ ghost (const int *own, int n) */
{
    bool r;

    if (nodes > 0 && (t->node.n >= VALUE_ARENA_MAX || t->kid.n > VALUE_ARENA_MAX))
        return false;
    r = exprs_room(t, nodes, kids, slots) /*@ ghost (own, n) */;
    /*@ assert arena: moved_arena{Pre,Here}(\at(arena_of(t), Pre), arena_of(t)); */
    /*@ assert wf:    wf_arena(arena_of(t)); */
    /*@ assert count: t->slot.n == \at(t->slot.n, Pre); */
    /*@ assert slots: distinct_slots(t->slot.a, t->slot.n); */
    /*@ assert vals:  WF_VALUES(*t->values); */
    return r;
}
