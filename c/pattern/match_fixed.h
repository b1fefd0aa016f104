/* The fast path of match_at: sources of fixed patterns, by the proved fixed_match.c. */
#ifndef CALQUE_PATTERN_MATCH_FIXED_H
#define CALQUE_PATTERN_MATCH_FIXED_H

#include <limits.h>

#include "pattern/fixed_match.h"
#include "pattern/fixed_plan.h"
#include "pattern/fixed_rule.h"
#include "pattern/convex.h"
#include "tensor/op.h"

#ifdef __FRAMAC__
#include "pattern/fixed_view.acsl"
#endif

/* The plan of a rule, which is empty: fixed if its source is one tree of fixed patterns. */
/*@ requires rule:     \valid_read(r) && (r->source.n == 1 ==> one_source(r));
    requires plan:     \valid(plan) && plan->pos.n == 0 && plan->up.n == 0 && plan->fixed == 0 && \valid(mem);
    requires valid:    r->source.n == 1 ==> valid_fixed(fixed_rule(r, plan, (int *)commutes));
    requires apart:    \separated(plan, r, r->source.a) && \separated(plan, r->pattern.a + (0 .. r->source.a[0])) &&
                       \separated(plan, r->kid.a + (0 .. r->kid.n - 1)) && \separated(plan, commutes + (0 .. OP_COUNT - 1)) &&
                       \separated(mem, plan, r);
    terminates \true;
    exits    never:    \false;
    assigns  plan->pos, plan->up, plan->fixed, *mem, { *q | int *q; \true };
    ensures  result:   \result == CALQUE_OK || \result == CALQUE_NOMEM;
    ensures  others:   \old(r->source.n) != 1 ==> \result == CALQUE_OK && plan->fixed == 0;
    ensures  none:     \result == CALQUE_NOMEM ==> plan->fixed == 0;
    ensures  plan:     \old(r->source.n) == 1 ==> \result == CALQUE_OK ==>
                       planned(plan, fixed_rule(r, plan, (int *)commutes), \old(r->source.a[0]));
*/
enum calque_status match_plan_fixed(struct match_plan *plan, const struct rule *r, const int *commutes, struct mem *mem);

/* Whether the rule matches at the node, if *known; else M is empty and the engine must search. */
/*@ requires held:     \valid(m) && held_plan(m) && \valid(known) && \separated(known, m);
    requires plan:     valid_fixed(fixed_of(m)) && wf_plan(fixed_of(m)) && wf_graph(fixed_of(m));
    requires at:       \valid(m->at + (0 .. fixed_of(m).patterns - 1)) && \valid(m->swap + (0 .. fixed_of(m).n - 1));
    requires apart:    \separated(m, m->at + (0 .. fixed_of(m).patterns - 1)) &&
                       \separated(m, m->swap + (0 .. fixed_of(m).n - 1));
    requires flag:     \separated(known, fixed_of(m).pattern + (0 .. fixed_of(m).patterns - 1));
    requires node:     0 <= node < m->g->node.n;
    terminates \true;
    exits    never:    \false;
    assigns  m->at[0 .. fixed_of(m).patterns - 1], m->swap[0 .. fixed_of(m).n - 1], *m, *known,
             { *p | int *p; \true }, { *q | unsigned *q; \true }, { *w | long *w; \true }, { *z | unsigned long *z; \true },
             { *c | char *c; \true }, { *s | struct values *s; \true }, { *t | struct strs *t; \true },
             { *e | struct match_entry *e; \true };
    ensures  result:   \result == 0 || \result == 1;
    ensures  match:    \let v = \old(fixed_of(m)); \let at = \old(m->at); \result == 1 ==>
                       matches(v, map_of(at, v.patterns), node) && accepts(map_of(at, v.patterns));
    ensures  none:     \let v = \old(fixed_of(m)); \result == 0 ==> *known != 0 ==>
                       \forall pmap q; matches(v, q, node) ==> !accepts(q);
    ensures  view:     \let v = \old(fixed_of(m)); same_view{Pre,Post}(v);
*/
bool match_fixed(struct matcher *m, int node, bool *known);

#endif
