#include "attr/memo_take.h"

int *memo_take(struct attr_memo *m, const struct attrs *t, int size)
{
    int *table = memo_room(m, t->node.n, size) /*@ ghost (t) */;

    /*@ assert header:  same_header{Pre,Here}(t); */
    /*@ assert vheader: same_vheader{Pre,Here}(t); */
    /*@ assert view:    arena_of(t) == \at(arena_of(t), Pre); */
    /*@ assert roots:   same_roots{Pre,Here}(\at(arena_of(t), Pre)); */
    /*@ assert exprs:   same_exprs{Pre,Here}(\at(t->node.a, Pre), \at(t->node.n, Pre)); */
    /*@ assert kids:    same_kids{Pre,Here}(\at(arena_of(t), Pre)) && same_ints{Pre,Here}(\at(t->kid.a, Pre), \at(t->kid.n, Pre)); */
    /*@ assert nodes:   same_nodes{Pre,Here}(t->values->v, t->values->n); */
    /*@ assert pool:    same_pool{Pre,Here}(t->values->pool, t->values->npool); */
    /*@ assert arena:   wf_arena(arena_of(t)); */
    /*@ assert was:     wf_attrs{Here}(\at(t->node.a, Pre), \at(t->kid.a, Pre), \at(t->node.n, Pre), \at(t->kid.n, Pre),
                                       \at(t->values->n, Pre)); */
    /*@ assert attrs:   wf_attrs(t->node.a, t->kid.a, t->node.n, t->kid.n, t->values->n); */
    /*@ assert values:  WF_VALUES(*t->values); */
    /*@ assert held:    held_source(t); */
    return table;
}
