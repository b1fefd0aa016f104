/* A map of fixed patterns is in M: are the rule's conditions satisfied? */
#ifndef CALQUE_PATTERN_FIXED_HOLD_H
#define CALQUE_PATTERN_FIXED_HOLD_H

#include "pattern/fixed_rule.h"

/* M is the map, and stays it. The number of places: the rule's conditions hold. Fewer: they hold of no map with the same
   nodes up to this place. -1: memory, or a limit. */
/*@ requires valid:    \valid(m) && \valid_read(at + (0 .. v.patterns - 1));
    requires plan:     wf_plan(v) && wf_graph(v);
    requires own:      matcher_apart(m, a.entries, v, a.one);
    requires map:      is_map(a.entries, v, at, a.one);
    requires match:    solution(v, map_of(at, v.patterns), node);
    terminates \true;
    exits    never:    \false;
    assigns  *m, { *p | int *p; \true }, { *q | unsigned *q; \true }, { *w | long *w; \true }, { *z | unsigned long *z; \true },
             { *c | char *c; \true }, { *s | struct values *s; \true }, { *t | struct strs *t; \true };
    ensures  place:    -1 <= \result <= v.n;
    ensures  yes:      \result == v.n ==> accepts(map_of(at, v.patterns));
    ensures  no:       0 <= \result < v.n ==> \forall pmap q; alike(v, q, map_of(at, v.patterns), \result + 1) ==> !accepts(q);
    ensures  view:     same_view{Pre,Post}(v);
    ensures  at:       same_map{Pre,Post}(at, v.patterns) && map_of(at, v.patterns) == \old(map_of(at, v.patterns));
    ensures  map:      is_map(a.entries, v, at, a.one);
*/
int fixed_hold(struct matcher *m, struct fixed_map a, struct fixed_view v, const long *at, int node);

/* M is empty again: its number of entries is 0. */
/*@ requires valid:    \valid(m);
    requires own:      matcher_apart(m, a.entries, v, a.one);
    requires empty:    unsaid(a.entries.place, a.entries.nodes);
    requires nodes:    \forall integer j; 0 <= j < v.n ==> a.one[v.pos[j]] == PATTERN_UNBOUND;
    terminates \true;
    exits    never:    \false;
    assigns  m->entry.n;
    ensures  none:     m->entry.n == 0;
    ensures  view:     same_view{Pre,Post}(v);
*/
void fixed_empty(struct matcher *m) /*@ ghost (struct fixed_map a, struct fixed_view v) */;

#endif
