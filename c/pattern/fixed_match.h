/* Does a rule of fixed patterns with one output match at a node? */
#ifndef CALQUE_PATTERN_FIXED_MATCH_H
#define CALQUE_PATTERN_FIXED_MATCH_H

#include "pattern/fixed_search.h"

/* FIXED_YES: M is a map that matches and is accepted. FIXED_NO: there is none. FIXED_LIMIT: the engine must search. */
/*@ FIXED_SEARCH_REQUIRES
    terminates \true;
    exits    never:    \false;
    assigns  at[0 .. v.patterns - 1], swap[0 .. v.n - 1], *m,
             { *p | int *p; \true }, { *q | unsigned *q; \true }, { *w | long *w; \true }, { *z | unsigned long *z; \true },
             { *c | char *c; \true }, { *s | struct values *s; \true }, { *t | struct strs *t; \true },
             { *e | struct match_entry *e; \true };
    ensures  code:     FIXED_NO <= \result <= FIXED_LIMIT;
    ensures  match:    \result == FIXED_YES ==> matches(v, map_of(at, v.patterns), node) && accepts(map_of(at, v.patterns));
    ensures  none:     \result == FIXED_NO ==> \forall pmap q; matches(v, q, node) ==> !accepts(q);
    ensures  view:     same_view{Pre,Post}(v);
*/
int fixed_match(struct matcher *m, struct fixed_view v, int node, unsigned char *swap, long *at);

#endif
