/* Are the rule's conditions satisfied by a map of its patterns? */
#ifndef CALQUE_PATTERN_FIXED_ASK_H
#define CALQUE_PATTERN_FIXED_ASK_H

#include "pattern/fixed.h"
#include "pattern/match.h"

#ifdef __FRAMAC__
#include "pattern/fixed_search.acsl"
#endif

/* Puts the map into M and asks. The number of places: it is accepted, and M is the map. Fewer: no map with the same
   nodes up to this place is, and M is empty again. -1: memory, or a limit. */
/*@ requires valid:    \valid(m) && \valid_read(at + (0 .. v.patterns - 1));
    requires plan:     valid_fixed(v) && wf_plan(v) && wf_graph(v);
    requires nodes:    \forall integer j; 0 <= j < v.n ==> 0 <= at[v.pos[j]] < v.nodes;
    requires match:    solution(v, map_of(at, v.patterns), node);
    terminates \true;
    exits    never:    \false;
    assigns  *m, { *p | int *p; \true }, { *q | unsigned *q; \true }, { *w | long *w; \true }, { *z | unsigned long *z; \true },
             { *c | char *c; \true }, { *s | struct values *s; \true }, { *t | struct strs *t; \true },
             { *e | struct match_entry *e; \true };
    ensures  place:    -1 <= \result <= v.n;
    ensures  yes:      \result == v.n ==> accepts(map_of(at, v.patterns));
    ensures  no:       0 <= \result < v.n ==> \forall pmap q; alike(v, q, map_of(at, v.patterns), \result + 1) ==> !accepts(q);
    ensures  empty:    0 <= \result < v.n ==> m->entry.n == 0;
    ensures  view:     same_view{Pre,Post}(v);
    ensures  map:      same_map{Pre,Post}(at, v.patterns) && map_of(at, v.patterns) == \old(map_of(at, v.patterns));
*/
int fixed_ask(struct matcher *m, struct fixed_view v, const long *at, int node);

#endif
