/* The proved matcher of rules with one output whose source has fixed patterns only: wildcards, variables, constants, calls
   of one operator, tuples, projections.

   Given the order of the inputs of each commutative call, there is at most one map: a pass over the patterns, parents
   before children, finds it. The search goes through the orders as the engine (match.c) does: as written first, the
   last choice revised first. */
#ifndef CALQUE_PATTERN_FIXED_H
#define CALQUE_PATTERN_FIXED_H

#include "graph/graph.h"
#include "pattern/gsl.h"

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

#ifdef __FRAMAC__
#include "pattern/fixed.acsl"
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

#endif
