/* Matches of rules of one output and fixed patterns: plan, search, and what is asked of the matcher and of the rule. */
#ifndef CALQUE_PATTERN_SIMPLE_MATCH_H
#define CALQUE_PATTERN_SIMPLE_MATCH_H

#include <limits.h>

#include "graph/graph.h"
#include "pattern/convex.h"
#include "pattern/gsl.h"
#include "pattern/match.h"
#include "pattern/match_trail.h"
#include "tensor/op.h"

/* Patterns of a source; passes before the search is given up. */
enum { FIXED_MAX = 64, FIXED_PASSES = 1000 };
enum fixed_code { FIXED_NO, FIXED_YES, FIXED_LIMIT };

/* The arrays of a rule and of a graph, and a plan: the n patterns of the source, each but the first after one it is a
   child of, whose place is in `up`. commutes: of each operator, may its two inputs be swapped? */
struct fixed_view {
    const struct pattern *pattern;
    const int *kid;
    const struct node *node;
    const int *in;
    const int *pos, *up, *commutes;
    int patterns, kids, nodes, ins, n, ops;
};

/* passes: how many more there may be. plain: each pass that failed did so at a pattern whose node is of the wrong
   kind, operator or number of inputs. */
struct fixed_answer {
    int code, passes, plain;
};

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
#include "pattern/accepts.acsl"
#endif

/* The first map, in `at`, by pattern; its orders, in `swap`, by place. These arrays have types of their own. */
/*@ requires valid:    valid_fixed(v) && wf_plan(v) && wf_graph(v);
    requires arrays:   \valid(at + (0 .. v.patterns - 1)) && \valid(swap + (0 .. v.n - 1));
    requires node:     0 <= node < v.nodes;
    terminates \true;
    exits    never:    \false;
    assigns  at[0 .. v.patterns - 1], swap[0 .. v.n - 1];
    ensures  code:     FIXED_NO <= \result.code <= FIXED_LIMIT;
    ensures  sound:    \result.code == FIXED_YES ==> matches(v, map_of(at, v.patterns), node);
    ensures  complete: \result.code == FIXED_NO ==> \forall pmap m; !matches(v, m, node);
    ensures  first:    \result.code == FIXED_YES ==> \forall pmap m; matches(v, m, node) ==> reached(v, m, swap);
    ensures  orders:   \result.code == FIXED_YES ==> wf_swap(v, swap);
    ensures  in_order: \result.code == FIXED_YES ==> in_order(v, map_of(at, v.patterns), swap, v.n);
    ensures  passes:   \result.code == FIXED_YES ==> 0 <= \result.passes;
    ensures  nodes:    \result.code == FIXED_YES ==> \forall integer i; 0 <= i < v.n ==> 0 <= at[v.pos[i]] < v.nodes;
*/
struct fixed_answer fixed_first(struct fixed_view v, int node, unsigned char *swap, long *at);

/* The next map whose orders are not those of `swap` up to place j: the first that were not reached, as 'first' above. */
/*@ requires valid:    valid_fixed(v) && wf_plan(v) && wf_graph(v);
    requires arrays:   \valid(at + (0 .. v.patterns - 1)) && \valid(swap + (0 .. v.n - 1));
    requires node:     0 <= node < v.nodes;
    requires orders:   wf_swap(v, swap);
    requires place:    0 <= j < v.n;
    terminates \true;
    exits    never:    \false;
    assigns  at[0 .. v.patterns - 1], swap[0 .. v.n - 1];
    ensures  code:     FIXED_NO <= \result.code <= FIXED_LIMIT;
    ensures  sound:    \result.code == FIXED_YES ==> matches(v, map_of(at, v.patterns), node);
    ensures  complete: \result.code == FIXED_NO ==> \forall pmap m; matches(v, m, node) &&
                       reached{Pre}(v, m, swap) ==> agree{Pre}(v, m, swap, j + 1);
    ensures  first:    \result.code == FIXED_YES ==> \forall pmap m; matches(v, m, node) &&
                       reached{Pre}(v, m, swap) && !agree{Pre}(v, m, swap, j + 1) ==> reached(v, m, swap);
    ensures  orders:   \result.code == FIXED_YES ==> wf_swap(v, swap);
    ensures  in_order: \result.code == FIXED_YES ==> in_order(v, map_of(at, v.patterns), swap, v.n);
    ensures  passes:   \result.code == FIXED_YES ==> 0 <= \result.passes < last.passes;
    ensures  nodes:    \result.code == FIXED_YES ==> \forall integer i; 0 <= i < v.n ==> 0 <= at[v.pos[i]] < v.nodes;
*/
struct fixed_answer fixed_next(struct fixed_view v, int node, unsigned char *swap, long *at, int j, struct fixed_answer last);

/* What the judgement says is what the search looks at. */
/*@ ghost
/@ requires plan:     wf_plan(v);
   terminates \true;
   exits    never:    \false;
   assigns  \nothing;
   ensures  local:    \forall pmap m; matches(v, m, node) ==> solution(v, m, node);
@/
void matches_local(struct fixed_view v, int node);
/@ requires plan:     wf_plan(v) && 0 <= v.patterns;
   terminates \true;
   exits    never:    \false;
   assigns  \nothing;
   ensures  match:    \forall pmap m; solution(v, m, node) ==> matches(v, m, node);
@/
void local_matches(struct fixed_view v, int node);
*/

/* The plan of a source of fixed patterns: each of them once, parents before children, in the order in which the engine
   (match.c) comes to them. */
/* v with the plan of the source at root, in pos and up, which v has too; with 0 places if the source has another pattern,
   or more than FIXED_MAX. */
/*@ requires valid:    valid_fixed(v) && v.n == 0 && v.pos == pos && v.up == up;
    requires arrays:   \valid(pos + (0 .. FIXED_MAX - 1)) && \valid(up + (0 .. FIXED_MAX - 1));
    requires apart:    \separated(pos + (0 .. FIXED_MAX - 1), up + (0 .. FIXED_MAX - 1), v.pattern + (0 .. v.patterns - 1),
                       v.kid + (0 .. v.kids - 1));
    requires root:     0 <= root < v.patterns;
    terminates \true;
    exits    never:    \false;
    assigns  pos[0 .. FIXED_MAX - 1], up[0 .. FIXED_MAX - 1];
    ensures  arrays:   same_rule(v, \result) && 0 <= \result.n <= FIXED_MAX;
    ensures  plan:     \result.n > 0 ==> wf_plan(\result) && pos[0] == root && distinct(pos, \result.n);
    ensures  source:   \result.n > 0 ==> \forall integer p; listed(\result, p) <==> in_source(v, root, p);
    ensures  plain:    \result.n > 0 ==> \forall integer j; 0 <= j < \result.n ==> plain(v, pos[j]);
    ensures  none:     \result.n == 0 ==> \exists integer n, q; too_much(v, root, n, q);
*/
struct fixed_view fixed_plan(struct fixed_view v, int root, int *pos, int *up);

/* The proved part of what is done with a map of fixed patterns: it is put into M, and M is empty again. */
/* M, which is empty and has room, becomes the map: an entry for each place in their order; one: the node of each pattern. */
/*@ requires valid:    valid_entries(w) && w.n == 0 && \valid(w.entry + (0 .. v.n - 1)) && unsaid(w.place, w.nodes);
    requires arrays:   \valid(one + (0 .. v.patterns - 1)) && w.patterns == v.patterns && arrays_apart(w, v, one);
    requires map:      places_in(w.nodes, v, at);
    terminates \true;
    exits    never:    \false;
    assigns  w.entry[0 .. v.n - 1], w.place[0 .. w.nodes - 1].entry, one[0 .. v.patterns - 1];
    ensures  arrays:   same_arrays(\result, w) && \result.n == v.n;
    ensures  entries:  entries_of(w.entry, v, at, v.n);
    ensures  nodes:    nodes_of(v, at, one, v.n) && others_kept{Pre,Post}(v, one);
    ensures  valid:    valid_entries(\result);
    ensures  chained:  chained(\result);
    ensures  heads:    heads_of(w.place, w.nodes, v, at, 0);
*/
struct inside_view fixed_put(struct inside_view w, struct fixed_view v, const long *at, int *one);

/* M is empty again. */
/*@ requires arrays:   \valid(w.place + (0 .. w.nodes - 1)) && \valid(one + (0 .. v.patterns - 1)) &&
                       \separated(w.place + (0 .. w.nodes - 1), one + (0 .. v.patterns - 1), v.pos + (0 .. v.n - 1));
    requires map:      places_in(w.nodes, v, at) && heads_of(w.place, w.nodes, v, at, 0);
    terminates \true;
    exits    never:    \false;
    assigns  w.place[0 .. w.nodes - 1].entry, one[0 .. v.patterns - 1];
    ensures  empty:    unsaid(w.place, w.nodes);
    ensures  nodes:    \forall integer j; 0 <= j < v.n ==> one[v.pos[j]] == PATTERN_UNBOUND;
    ensures  others:   others_kept{Pre,Post}(v, one);
*/
void fixed_drop(struct inside_view w, struct fixed_view v, const long *at, int *one);

/* What the search for a map of fixed patterns asks of the rest of the matcher. Trusted: memory (of walks: as match_at makes it); and that
   the attributes and conditions of an M that is a map of its patterns are asked as claims.acsl says by AE and AM, in one turn of the
   matcher (one rule, node and graph). What is written is the matcher, numbers, letters, and the headers of values and of strings,
   whose arrays may move. */
#ifdef __FRAMAC__
/* M is the map, and stays it. */
#define FIXED_RULE_REQUIRES                                                                     \
    requires valid:    \valid(m) && m->entry.n == v.n;                                          \
    requires map:      is_map(a.entries, v, at, a.one);                                         \
    requires match:    solution(v, map_of(at, v.patterns), node);                               \
    requires lists:    sources(m, v, u) && in_step(v, u);
#define FIXED_RULE_ENSURES                                                                      \
    ensures  count:    m->entry.n == v.n;                                                       \
    ensures  view:     same_view{Pre,Post}(v);                                                  \
    ensures  at:       same_map{Pre,Post}(at, v.patterns) &&                                    \
                       map_of(at, v.patterns) == \old(map_of(at, v.patterns));                  \
    ensures  map:      is_map(a.entries, v, at, a.one);                                         \
    ensures  lists:    sources(m, v, u) && in_step(v, u);                                       \
    ensures  uses:     kept_uses{Pre,Post}(u) && same_sources{Pre,Post}(m);                     \
    ensures  around:   around_of(v, u) == \old(around_of(v, u));
/* Its output is known. */
#define FIXED_READY_REQUIRES                                                                    \
    FIXED_RULE_REQUIRES                                                                         \
    requires ready:    is_ready(m, a, v, u, at, node);
#define FIXED_READY_ENSURES                                                                     \
    FIXED_RULE_ENSURES                                                                          \
    ensures  ready:    is_ready(m, a, v, u, at, node);
#endif

/* M, which is empty, with room for a map; entries.n < 0: memory. */
/*@ requires valid:    \valid(m) && sources(m, v, u);
    terminates \true;
    exits    never:    \false;
    assigns  m->entry, m->outs, m->status;
    ensures  view:     same_view{Pre,Post}(v);
    ensures  lists:    sources(m, v, u) && kept_uses{Pre,Post}(u) && same_sources{Pre,Post}(m);
    ensures  around:   around_of(v, u) == \old(around_of(v, u));
    ensures  room:     \result.entries.n >= 0 ==> room_of(\result.entries, v, \result.one) && its_arrays(m, \result, v) &&
                       rule_apart(\result.entries, v, \result.one) && matcher_apart(m, \result.entries, v, \result.one) &&
                       lists_apart(m, \result.entries, v, u, \result.one) && matcher_off(m, u) &&
                       \result.one == m->to.one;
*/
struct fixed_map fixed_room(struct matcher *m, struct fixed_view v) /*@ ghost (struct uses_view u) */;

/* The node is the output of M; not ok: memory. */
/*@ FIXED_RULE_REQUIRES
    requires arrays:   its_arrays(m, a, v) && \separated(m, at + (0 .. v.patterns - 1));
    terminates \true;
    exits    never:    \false;
    assigns  *m, { *p | int *p; \true }, { *q | unsigned *q; \true }, { *w | long *w; \true }, { *z | unsigned long *z; \true };
    ensures  output:   \result.ok != 0 ==> is_ready(m, a, v, u, at, node);
    FIXED_RULE_ENSURES
*/
struct fixed_mark fixed_output(struct matcher *m, int node)
    /*@ ghost (struct fixed_map a, struct fixed_view v, const long *at, struct uses_view u) */;

/* What the pattern at place k asks of its own node. */
/*@ FIXED_READY_REQUIRES
    requires place:    0 <= k < v.n;
    terminates \true;
    exits    never:    \false;
    assigns  *m, { *p | int *p; \true }, { *q | unsigned *q; \true }, { *w | long *w; \true }, { *z | unsigned long *z; \true },
             { *c | char *c; \true }, { *s | struct values *s; \true }, { *t | struct strs *t; \true };
    ensures  yes:      \result != 0 ==> claims(map_of(at, v.patterns), v.pos[k]);
    ensures  no:       \result == 0 ==> m->status == CALQUE_OK ==> !claims(map_of(at, v.patterns), v.pos[k]);
    FIXED_READY_ENSURES
*/
bool fixed_claim(struct matcher *m, int k)
    /*@ ghost (struct fixed_map a, struct fixed_view v, const long *at, int node, struct uses_view u) */;

/* What the patterns ask of several nodes. */
/*@ FIXED_READY_REQUIRES
    terminates \true;
    exits    never:    \false;
    assigns  *m, { *p | int *p; \true }, { *q | unsigned *q; \true }, { *w | long *w; \true }, { *z | unsigned long *z; \true },
             { *c | char *c; \true }, { *s | struct values *s; \true }, { *t | struct strs *t; \true };
    ensures  yes:      \result != 0 ==> open_claims(map_of(at, v.patterns));
    ensures  no:       \result == 0 ==> m->status == CALQUE_OK ==>
                       \forall pmap q; alike(v, q, map_of(at, v.patterns), v.n) ==> !open_claims(q);
    FIXED_READY_ENSURES
*/
bool fixed_attrs(struct matcher *m)
    /*@ ghost (struct fixed_map a, struct fixed_view v, const long *at, int node, struct uses_view u) */;

/* The rule's own conditions. Where they hold, the values made since are gone. */
/*@ FIXED_RULE_REQUIRES
    requires output:   only_output(m, v, node);
    terminates \true;
    exits    never:    \false;
    assigns  *m, { *p | int *p; \true }, { *q | unsigned *q; \true }, { *w | long *w; \true }, { *z | unsigned long *z; \true },
             { *c | char *c; \true }, { *s | struct values *s; \true }, { *t | struct strs *t; \true };
    ensures  yes:      \result != 0 ==> conditions(map_of(at, v.patterns));
    ensures  no:       \result == 0 ==> m->status == CALQUE_OK ==>
                       \forall pmap q; alike(v, q, map_of(at, v.patterns), v.n) ==> !conditions(q);
    ensures  output:   only_output(m, v, node);
    FIXED_RULE_ENSURES
*/
bool fixed_requires(struct matcher *m, struct fixed_mark first)
    /*@ ghost (struct fixed_map a, struct fixed_view v, const long *at, int node, struct uses_view u) */;

/* M has no output, and the values made since are gone. */
/*@ FIXED_RULE_REQUIRES
    terminates \true;
    exits    never:    \false;
    assigns  *m, { *p | int *p; \true }, { *q | unsigned *q; \true }, { *w | long *w; \true }, { *z | unsigned long *z; \true };
    FIXED_RULE_ENSURES
*/
void fixed_back(struct matcher *m, struct fixed_mark at_first)
    /*@ ghost (struct fixed_map a, struct fixed_view v, const long *at, int node, struct uses_view u) */;

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

/* A map of fixed patterns is in M: are the rule's conditions satisfied? */
/* What the rule asks of the map as a whole. */
/*@ FIXED_READY_REQUIRES
    requires nodes:    valid_fixed(v) && wf_plan(v) && \valid_read(at + (0 .. v.patterns - 1)) && valid_uses(u);
    requires claims:   \forall integer k; 0 <= k < v.n ==> claims(map_of(at, v.patterns), v.pos[k]);
    requires own:      matcher_apart(m, a.entries, v, a.one) && matcher_off(m, u) && \separated(m, at + (0 .. v.patterns - 1));
    terminates \true;
    exits    never:    \false;
    assigns  *m, { *p | int *p; \true }, { *q | unsigned *q; \true }, { *w | long *w; \true }, { *z | unsigned long *z; \true },
             { *c | char *c; \true }, { *s | struct values *s; \true }, { *t | struct strs *t; \true };
    ensures  yes:      \result != 0 ==> accepts(around_of(v, u), map_of(at, v.patterns));
    ensures  no:       \result == 0 ==> m->status == CALQUE_OK ==>
                       \forall pmap q; alike(v, q, map_of(at, v.patterns), v.n) ==> !accepts(around_of(v, u), q);
    ensures  output:   only_output(m, v, node);
    FIXED_RULE_ENSURES
*/
bool fixed_conditions(struct matcher *m, struct fixed_mark first)
    /*@ ghost (struct fixed_map a, struct fixed_view v, const long *at, int node, struct uses_view u) */;

/* M is the map, and stays it. The number of places: the rule's conditions hold. Fewer: they hold of no map with the same
   nodes up to this place. -1: memory, or a limit. */
/*@ requires valid:    \valid(m) && \valid_read(at + (0 .. v.patterns - 1)) && valid_fixed(v) && valid_uses(u);
    requires plan:     wf_plan(v) && wf_graph(v);
    requires own:      matcher_apart(m, a.entries, v, a.one) && matcher_off(m, u) && \separated(m, at + (0 .. v.patterns - 1));
    requires lists:    sources(m, v, u) && in_step(v, u) && its_arrays(m, a, v);
    requires map:      is_map(a.entries, v, at, a.one);
    requires match:    solution(v, map_of(at, v.patterns), node);
    terminates \true;
    exits    never:    \false;
    assigns  *m, { *p | int *p; \true }, { *q | unsigned *q; \true }, { *w | long *w; \true }, { *z | unsigned long *z; \true },
             { *c | char *c; \true }, { *s | struct values *s; \true }, { *t | struct strs *t; \true };
    ensures  place:    -1 <= \result <= v.n;
    ensures  yes:      \result == v.n ==> accepts(around_of(v, u), map_of(at, v.patterns));
    ensures  output:   \result == v.n ==> only_output(m, v, node);
    ensures  no:       0 <= \result < v.n ==> \forall pmap q; alike(v, q, map_of(at, v.patterns), \result + 1) ==>
                       !accepts(around_of(v, u), q);
    ensures  lists:    sources(m, v, u) && in_step(v, u) && kept_uses{Pre,Post}(u);
    ensures  matcher:  same_sources{Pre,Post}(m);
    ensures  around:   around_of(v, u) == \old(around_of(v, u));
    ensures  view:     same_view{Pre,Post}(v);
    ensures  at:       same_map{Pre,Post}(at, v.patterns) && map_of(at, v.patterns) == \old(map_of(at, v.patterns));
    ensures  map:      is_map(a.entries, v, at, a.one);
*/
int fixed_hold(struct matcher *m, struct fixed_map a, struct fixed_view v, const long *at, int node) /*@ ghost (struct uses_view u) */;

/* M is empty again: its number of entries is 0. */
/*@ requires valid:    \valid(m) && sources(m, v, u) && wf_plan(v) && wf_graph(v);
    requires own:      matcher_apart(m, a.entries, v, a.one) && matcher_off(m, u);
    requires empty:    unsaid(a.entries.place, a.entries.nodes);
    requires nodes:    \forall integer j; 0 <= j < v.n ==> a.one[v.pos[j]] == PATTERN_UNBOUND;
    terminates \true;
    exits    never:    \false;
    assigns  m->entry.n;
    ensures  none:     m->entry.n == 0;
    ensures  view:     same_view{Pre,Post}(v);
    ensures  lists:    sources(m, v, u) && kept_uses{Pre,Post}(u) && same_sources{Pre,Post}(m);
    ensures  around:   around_of(v, u) == \old(around_of(v, u));
*/
void fixed_empty(struct matcher *m) /*@ ghost (struct fixed_map a, struct fixed_view v, struct uses_view u) */;

/* Are the rule's conditions satisfied by a map of its patterns? */
/* Puts the map into M and asks. The number of places: it is accepted, and M is the map. Fewer: no map with the same
   nodes up to this place is, and M is empty again. -1: memory, or a limit. */
/*@ requires valid:    \valid(m) && \valid_read(at + (0 .. v.patterns - 1)) && \separated(m, at + (0 .. v.patterns - 1));
    requires plan:     valid_fixed(v) && wf_plan(v) && wf_graph(v);
    requires lists:    sources(m, v, u) && in_step(v, u) && valid_uses(u);
    requires nodes:    \forall integer j; 0 <= j < v.n ==> 0 <= at[v.pos[j]] < v.nodes;
    requires match:    solution(v, map_of(at, v.patterns), node);
    terminates \true;
    exits    never:    \false;
    assigns  *m, { *p | int *p; \true }, { *q | unsigned *q; \true }, { *w | long *w; \true }, { *z | unsigned long *z; \true },
             { *c | char *c; \true }, { *s | struct values *s; \true }, { *t | struct strs *t; \true },
             { *e | struct match_entry *e; \true };
    ensures  place:    -1 <= \result <= v.n;
    ensures  yes:      \result == v.n ==> accepts(around_of(v, u), map_of(at, v.patterns));
    ensures  said:     \result == v.n ==> says(m, v, map_of(at, v.patterns)) && only_output(m, v, node);
    ensures  no:       0 <= \result < v.n ==> \forall pmap q; alike(v, q, map_of(at, v.patterns), \result + 1) ==>
                       !accepts(around_of(v, u), q);
    ensures  lists:    sources(m, v, u) && in_step(v, u) && kept_uses{Pre,Post}(u) && same_sources{Pre,Post}(m);
    ensures  around:   around_of(v, u) == \old(around_of(v, u));
    ensures  empty:    0 <= \result < v.n ==> m->entry.n == 0;
    ensures  view:     same_view{Pre,Post}(v);
    ensures  map:      same_map{Pre,Post}(at, v.patterns) && map_of(at, v.patterns) == \old(map_of(at, v.patterns));
*/
int fixed_ask(struct matcher *m, struct fixed_view v, const long *at, int node) /*@ ghost (struct uses_view u) */;

/* The first map of a rule with fixed patterns that satisfies the rule's conditions. */
#ifdef __FRAMAC__
#define FIXED_SEARCH_REQUIRES                                                                                            \
    requires valid:    valid_fixed(v) && wf_plan(v) && wf_graph(v);                                                      \
    requires arrays:   \valid(at + (0 .. v.patterns - 1)) && \valid(swap + (0 .. v.n - 1));                              \
    requires matcher:  \valid(m) && \separated(m, at + (0 .. v.patterns - 1)) && \separated(m, swap + (0 .. v.n - 1));   \
    requires lists:    sources(m, v, u) && in_step(v, u) && valid_uses(u);                                               \
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
    ensures  sound:    \result.code == FIXED_YES ==> matches(v, map_of(at, v.patterns), node) &&
                       accepts(around_of(v, u), map_of(at, v.patterns));
    ensures  first:    \result.code == FIXED_YES ==> in_order(v, map_of(at, v.patterns), swap, v.n) &&
                       \forall pmap q; matches(v, q, node) ==> accepts(around_of(v, u), q) ==> reached(v, q, swap);
    ensures  said:     \result.code == FIXED_YES ==> says(m, v, map_of(at, v.patterns)) && only_output(m, v, node);
    ensures  complete: \result.code == FIXED_NO ==> \forall pmap q; matches(v, q, node) ==> !accepts(around_of(v, u), q);
    ensures  view:     same_view{Pre,Post}(v);
    ensures  lists:    sources(m, v, u) && kept_uses{Pre,Post}(u) && same_sources{Pre,Post}(m);
    ensures  around:   around_of(v, u) == \old(around_of(v, u));
*/
struct fixed_answer fixed_search(struct matcher *m, struct fixed_view v, int node, unsigned char *swap, long *at)
    /*@ ghost (struct uses_view u) */;

/* Does a rule of fixed patterns with one output match at a node? */
/* FIXED_YES: M is a map that matches and is accepted. FIXED_NO: there is none. FIXED_LIMIT: the engine must search. */
/*@ FIXED_SEARCH_REQUIRES
    terminates \true;
    exits    never:    \false;
    assigns  at[0 .. v.patterns - 1], swap[0 .. v.n - 1], *m,
             { *p | int *p; \true }, { *q | unsigned *q; \true }, { *w | long *w; \true }, { *z | unsigned long *z; \true },
             { *c | char *c; \true }, { *s | struct values *s; \true }, { *t | struct strs *t; \true },
             { *e | struct match_entry *e; \true };
    ensures  code:     FIXED_NO <= \result <= FIXED_LIMIT;
    ensures  match:    \result == FIXED_YES ==> matches(v, map_of(at, v.patterns), node) &&
                       accepts(around_of(v, u), map_of(at, v.patterns));
    ensures  first:    \result == FIXED_YES ==> in_order(v, map_of(at, v.patterns), swap, v.n) &&
                       \forall pmap q; matches(v, q, node) ==> accepts(around_of(v, u), q) ==> reached(v, q, swap);
    ensures  said:     \result == FIXED_YES ==> says(m, v, map_of(at, v.patterns)) && only_output(m, v, node);
    ensures  none:     \result == FIXED_NO ==> \forall pmap q; matches(v, q, node) ==> !accepts(around_of(v, u), q);
    ensures  view:     same_view{Pre,Post}(v);
    ensures  lists:    sources(m, v, u) && kept_uses{Pre,Post}(u) && same_sources{Pre,Post}(m);
    ensures  around:   around_of(v, u) == \old(around_of(v, u));
*/
int fixed_match(struct matcher *m, struct fixed_view v, int node, unsigned char *swap, long *at) /*@ ghost (struct uses_view u) */;

/* The fast path of match_at: sources of fixed patterns, by the proved simple_match.c. */
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

/* Does the rule match at the node? FIXED_YES: M is the first such map. FIXED_NO: none. FIXED_LIMIT: the engine must search. */
/*@ requires search:   may_search(m) && 0 <= node < m->g->node.n;
    terminates \true;
    exits    never:    \false;
    assigns  m->at[0 .. fixed_of(m).patterns - 1], m->swap[0 .. fixed_of(m).n - 1], *m,
             { *p | int *p; \true }, { *q | unsigned *q; \true }, { *w | long *w; \true }, { *z | unsigned long *z; \true },
             { *c | char *c; \true }, { *s | struct values *s; \true }, { *t | struct strs *t; \true },
             { *e | struct match_entry *e; \true };
    ensures  code:     FIXED_NO <= \result <= FIXED_LIMIT;
    ensures  match:    \let v = \old(fixed_of(m)); \let q = map_of(\old(m->at), v.patterns); \result == FIXED_YES ==>
                       matches(v, q, node) && accepts(\old(around_of(fixed_of(m), uses_at(m))), q) && says(m, v, q) &&
                       only_output(m, v, node);
    ensures  first:    \let v = \old(fixed_of(m)); \let swap = \old(m->swap); \result == FIXED_YES ==>
                       in_order(v, map_of(\old(m->at), v.patterns), swap, v.n) && \forall pmap q; matches(v, q, node) ==>
                       accepts(\old(around_of(fixed_of(m), uses_at(m))), q) ==> reached(v, q, swap);
    ensures  none:     \let v = \old(fixed_of(m)); \result == FIXED_NO ==>
                       \forall pmap q; matches(v, q, node) ==> !accepts(\old(around_of(fixed_of(m), uses_at(m))), q);
    ensures  kept:     \let v = \old(fixed_of(m)); \let u = \old(uses_at(m)); sources(m, v, u) && same_sources{Pre,Post}(m) &&
                       same_view{Pre,Post}(v) && kept_uses{Pre,Post}(u) && around_of(v, u) == \old(around_of(fixed_of(m), uses_at(m)));
*/
int match_fixed(struct matcher *m, int node);

/* A search at a node, in a turn of the rule. */
#ifdef __FRAMAC__
#define SEARCH_ASSIGNS                                                                                                   \
    assigns  *m, { *p | int *p }, { *q | unsigned *q }, { *w | long *w }, { *z | unsigned long *z }, { *c | char *c },   \
             { *b | unsigned char *b }, { *s | struct values *s }, { *t | struct strs *t }, { *e | struct match_entry *e };
#endif

/* Of a rule with a plan: M is a map that matches and is accepted, and its output is the node; or there is none, unless the search
   was given up. (match.h) */
/*@ requires turn:     turn_ready(m, rule) && 0 <= node < m->g->node.n;
    requires message:  d == \null || \valid(d) && diag_off(d, m, turn_view, turn_uses);
    terminates \true;
    exits    never:    \false;
    SEARCH_ASSIGNS
    assigns  *d;
    ensures  result:   \result == CALQUE_OK || \result == CALQUE_NO || \result == CALQUE_NOMEM;
    ensures  match:    \result == CALQUE_OK ==> 0 < turn_view.n ==> is_match(m, turn_view, turn_uses, node);
    ensures  none:     \result == CALQUE_NO ==> 0 < turn_view.n ==> !gave_up(m) ==> !matched(turn_view, turn_uses, node);
    ensures  outputs:  \result == CALQUE_OK ==> outs_in(m);
    ensures  kept:     turn_ready(m, rule) && turn_kept{Pre,Post}(m);
*/
enum calque_status match_at(struct matcher *m, int rule, int node, struct diag *d);

#endif
