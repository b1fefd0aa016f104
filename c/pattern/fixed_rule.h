/* What the search for a map of fixed patterns asks of the rest of the matcher. Trusted: memory; and that what the rule asks of
   an M that is a map of its patterns is, in one turn of the matcher (one rule, node and graph), a function of the map. What is
   written is the matcher, numbers, letters, and the headers of values and of strings, whose arrays may move. */
#ifndef CALQUE_PATTERN_FIXED_RULE_H
#define CALQUE_PATTERN_FIXED_RULE_H

#include "pattern/match_trail.h"
#include "pattern/fixed.h"

/* The entries of M; one: what each pattern stands for. */
struct fixed_map {
    struct inside_view entries;
    int *one;
};

/* How far the values had come before the conditions were asked. */
struct fixed_mark {
    bool ok;
    int n, npool;
};

#ifdef __FRAMAC__
#include "pattern/fixed_hold.acsl"

/* M is the map, and stays it. */
#define FIXED_RULE_REQUIRES                                                                     \
    requires valid:    \valid(m) && m->entry.n == v.n;                                          \
    requires map:      is_map(a.entries, v, at, a.one);                                         \
    requires match:    solution(v, map_of(at, v.patterns), node);
#define FIXED_RULE_ENSURES                                                                      \
    ensures  count:    m->entry.n == v.n;                                                       \
    ensures  view:     same_view{Pre,Post}(v);                                                  \
    ensures  at:       same_map{Pre,Post}(at, v.patterns) &&                                    \
                       map_of(at, v.patterns) == \old(map_of(at, v.patterns));                  \
    ensures  map:      is_map(a.entries, v, at, a.one);
#endif

/* M, which is empty, with room for a map; entries.n < 0: memory. */
/*@ requires valid:    \valid(m);
    terminates \true;
    exits    never:    \false;
    assigns  m->entry, m->outs, m->status;
    ensures  view:     same_view{Pre,Post}(v);
    ensures  room:     \result.entries.n >= 0 ==> room_of(\result.entries, v, \result.one) &&
                       rule_apart(\result.entries, v, \result.one) && matcher_apart(m, \result.entries, v, \result.one);
*/
struct fixed_map fixed_room(struct matcher *m, struct fixed_view v);

/* The node is the output of M; not ok: memory. */
/*@ FIXED_RULE_REQUIRES
    terminates \true;
    exits    never:    \false;
    assigns  *m, { *p | int *p; \true }, { *q | unsigned *q; \true }, { *w | long *w; \true }, { *z | unsigned long *z; \true };
    FIXED_RULE_ENSURES
*/
struct fixed_mark fixed_output(struct matcher *m, int node)
    /*@ ghost (struct fixed_map a, struct fixed_view v, const long *at) */;

/* What the pattern at place k asks of its own node. */
/*@ FIXED_RULE_REQUIRES
    requires place:    0 <= k < v.n;
    terminates \true;
    exits    never:    \false;
    assigns  *m, { *p | int *p; \true }, { *q | unsigned *q; \true }, { *w | long *w; \true }, { *z | unsigned long *z; \true },
             { *c | char *c; \true }, { *s | struct values *s; \true }, { *t | struct strs *t; \true };
    ensures  yes:      \result != 0 ==> claims(map_of(at, v.patterns), k);
    ensures  no:       \result == 0 ==> m->status == CALQUE_OK ==>
                       \forall pmap q; alike(v, q, map_of(at, v.patterns), k + 1) ==> !accepts(q);
    FIXED_RULE_ENSURES
*/
bool fixed_claim(struct matcher *m, int k)
    /*@ ghost (struct fixed_map a, struct fixed_view v, const long *at, int node) */;

/* What the rule asks of the map as a whole. */
/*@ FIXED_RULE_REQUIRES
    requires claims:   \forall integer k; 0 <= k < v.n ==> claims(map_of(at, v.patterns), k);
    terminates \true;
    exits    never:    \false;
    assigns  *m, { *p | int *p; \true }, { *q | unsigned *q; \true }, { *w | long *w; \true }, { *z | unsigned long *z; \true },
             { *c | char *c; \true }, { *s | struct values *s; \true }, { *t | struct strs *t; \true };
    ensures  yes:      \result != 0 ==> accepts(map_of(at, v.patterns));
    ensures  no:       \result == 0 ==> m->status == CALQUE_OK ==>
                       \forall pmap q; alike(v, q, map_of(at, v.patterns), v.n) ==> !accepts(q);
    FIXED_RULE_ENSURES
*/
bool fixed_conditions(struct matcher *m)
    /*@ ghost (struct fixed_map a, struct fixed_view v, const long *at, int node) */;

/* M has no output, and the values made since are gone. */
/*@ FIXED_RULE_REQUIRES
    terminates \true;
    exits    never:    \false;
    assigns  *m, { *p | int *p; \true }, { *q | unsigned *q; \true }, { *w | long *w; \true }, { *z | unsigned long *z; \true };
    FIXED_RULE_ENSURES
*/
void fixed_back(struct matcher *m, struct fixed_mark at_first)
    /*@ ghost (struct fixed_map a, struct fixed_view v, const long *at, int node) */;

/* Room for a plan of the rule; false: memory. */
/*@ requires valid:    \valid(plan) && \valid(mem) && plan->pos.n == 0 && plan->up.n == 0;
    terminates \true;
    exits    never:    \false;
    assigns  plan->pos, plan->up, *mem;
    ensures  none:     plan->pos.n == 0 && plan->up.n == 0;
    ensures  room:     \result != 0 ==> plan_room(plan) && off_rule(plan->pos.a, r, v) && off_rule(plan->up.a, r, v);
*/
bool fixed_plan_room(struct match_plan *plan, struct mem *mem)
    /*@ ghost (const struct rule *r, struct fixed_view v) */;

#endif
