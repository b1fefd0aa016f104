/* The first map of a rule with fixed patterns that satisfies the rule's conditions. */
#ifndef CALQUE_PATTERN_FIXED_SEARCH_H
#define CALQUE_PATTERN_FIXED_SEARCH_H

#include "pattern/fixed_ask.h"

#ifdef __FRAMAC__
#define FIXED_SEARCH_REQUIRES                                                                                            \
    requires valid:    valid_fixed(v) && wf_plan(v) && wf_graph(v);                                                      \
    requires arrays:   \valid(at + (0 .. v.patterns - 1)) && \valid(swap + (0 .. v.n - 1));                              \
    requires matcher:  \valid(m) && \separated(m, at + (0 .. v.patterns - 1)) && \separated(m, swap + (0 .. v.n - 1));   \
    requires node:     0 <= node < v.nodes;
#endif

/* In at: a map that matches and is accepted, and M is this map; or there is none; or the search was given up. */
/*@ FIXED_SEARCH_REQUIRES
    terminates \true;
    exits    never:    \false;
    assigns  at[0 .. v.patterns - 1], swap[0 .. v.n - 1], *m,
             { *p | int *p; \true }, { *q | unsigned *q; \true }, { *w | long *w; \true }, { *z | unsigned long *z; \true },
             { *c | char *c; \true }, { *s | struct values *s; \true }, { *t | struct strs *t; \true },
             { *e | struct match_entry *e; \true };
    ensures  code:     FIXED_NO <= \result.code <= FIXED_LIMIT;
    ensures  sound:    \result.code == FIXED_YES ==> matches(v, map_of(at, v.patterns), node) && accepts(map_of(at, v.patterns));
    ensures  complete: \result.code == FIXED_NO ==> \forall pmap q; matches(v, q, node) ==> !accepts(q);
    ensures  view:     same_view{Pre,Post}(v);
*/
struct fixed_answer fixed_search(struct matcher *m, struct fixed_view v, int node, unsigned char *swap, long *at);

#endif
