/* The plan of a source of fixed patterns: each of them once, parents before children, in the order in which the engine
   (match.c) comes to them. */
#ifndef CALQUE_PATTERN_FIXED_PLAN_H
#define CALQUE_PATTERN_FIXED_PLAN_H

#include "pattern/fixed.h"

#ifdef __FRAMAC__
#include "pattern/fixed_plan.acsl"
#endif

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

#endif
