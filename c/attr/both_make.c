#include "attr/both_make.h"

#include "attr/both_grow.h"
#include "attr/both_put.h"

#ifdef __FRAMAC__
#include "attr/both_moved.acsl"
#endif

int both_make(struct attrs *t, int kind, int op, int a, int b)
{
    /*@ ghost int n = t->node.n, i = 0; */
    int id = -1;

    if (both_room(t, 1, 0, 0) /*@ ghost (0, 0) */) {
        /*@ ghost Room: ; */
        /*@ assert count: t->node.n == n && 0 <= n; */
        id = both_append(t, kind, op, a, b);
        /*@ assert code:  id == -1 && t->node.n == n || id == n && t->node.n == n + 1; */
        /*@ assert arena: moved_arena{Pre,Here}(\at(arena_of(t), Pre), arena_of(t)); */
        /*@ assert slots: kept_slots{Pre,Here}(t); */
        /*@ assert stay:  values_stay{Pre,Here}(t->values); */
    }
    /*@ assert mems: same_mems{Pre,Here}(t) && values_stay{Pre,Here}(t->values) && 0 <= t->slot.n; */
    /*@ assert old:  moved_arena{Pre,Here}(\at(arena_of(t), Pre), arena_of(t)); */
    /*@ assert vals: kept_values{Pre,Here}(t); */
    /*@ assert wf:   wf_arena(arena_of(t)) && wf_arena{Pre}(\at(arena_of(t), Pre)); */
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
    return id;
}

int both_make_family(struct attrs *t, int kind, int op, const int *own, int n)
{
    /*@ ghost int m = t->node.n, first = t->kid.n, i = 0; */
    int id = -1;

    if (both_room(t, 1, n, 0) /*@ ghost (own, n) */) {
        /*@ ghost Room: ; */
        /*@ assert count: t->node.n == m && 0 <= m; */
        /*@ assert first: t->kid.n == first; */
        id = both_append_family(t, kind, op, own, n);
        /*@ assert code:  id == -1 && t->node.n == m || id == m && t->node.n == m + 1; */
        /*@ assert arena: moved_arena{Pre,Here}(\at(arena_of(t), Pre), arena_of(t)); */
        /*@ assert slots: kept_slots{Pre,Here}(t); */
        /*@ assert stay:  values_stay{Pre,Here}(t->values); */
        /*@ assert put:   id >= 0 ==> own_stand{Room,Here}(t->kid.a, first, own, n); */
        /*@ assert stand: id >= 0 ==> own_stand{Pre,Here}(t->kid.a, first, own, n); */
    }
    /*@ assert mems: same_mems{Pre,Here}(t) && values_stay{Pre,Here}(t->values) && 0 <= t->slot.n; */
    /*@ assert old:  moved_arena{Pre,Here}(\at(arena_of(t), Pre), arena_of(t)); */
    /*@ assert vals: kept_values{Pre,Here}(t); */
    /*@ assert wf:   wf_arena(arena_of(t)) && wf_arena{Pre}(\at(arena_of(t), Pre)); */
    /*@ ghost
    /@ loop invariant range: 0 <= i <= m;
       loop invariant same:  kept_exprs{Pre,Here}(\at(arena_of(t), Pre), arena_of(t), i);
       loop assigns i;
       loop variant m - i;
    @/
    while (i < m)
        i++;
    */
    /*@ assert trees: trees_stay{Pre,Here}(t); */
    return id;
}

int both_new_slot(struct attrs *t, int pattern, int label)
{
    /*@ ghost int n = t->node.n, i = 0; */
    int s = -1;

    if (both_room(t, 0, 0, 1) /*@ ghost (0, 0) */) {
        /*@ ghost Room: ; */
        /*@ assert count: t->node.n == n && 0 <= t->slot.n; */
        /*@ assert none:  no_slot(t->slot.a, t->slot.n, pattern, label); */
        s = both_append_slot(t, pattern, label);
        /*@ assert arena: moved_arena{Pre,Here}(\at(arena_of(t), Pre), arena_of(t)); */
        /*@ assert slots: kept_slots{Pre,Here}(t); */
        /*@ assert stay:  values_stay{Pre,Here}(t->values); */
    }
    /*@ assert mems: same_mems{Pre,Here}(t) && values_stay{Pre,Here}(t->values) && 0 <= t->slot.n; */
    /*@ assert old:  moved_arena{Pre,Here}(\at(arena_of(t), Pre), arena_of(t)); */
    /*@ assert vals: kept_values{Pre,Here}(t); */
    /*@ assert wf:   wf_arena(arena_of(t)) && wf_arena{Pre}(\at(arena_of(t), Pre)); */
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
    return s;
}
