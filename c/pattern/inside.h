/* The proved part of the use check: is a node replaced by the match, and are all its users? */
#ifndef CALQUE_PATTERN_INSIDE_H
#define CALQUE_PATTERN_INSIDE_H

#include "pattern/match.h"
#include "pattern/uses_list.h"

/* The arrays of a match: n entries, a place for each of the nodes, the patterns of the rule. */
struct inside_view {
    struct match_entry *entry;
    struct match_place *place;
    const struct pattern *pattern;
    int n, nodes, patterns;
};

#ifdef __FRAMAC__
#include "pattern/inside.acsl"
#endif

/* Has the pattern an operator, tuple or projection to replace? */
/*@ requires valid:    \valid_read(q);
    terminates \true;
    exits    never:    \false;
    assigns  \nothing;
    ensures  result:   \result == 0 || \result == 1;
    ensures  applied:  \result == 1 <==> application(q, 0);
*/
int inside_application(const struct pattern *q);

/* Is the node an application of the match? */
/*@ requires valid:    valid_inside(v);
    requires chained:  chained(v);
    requires node:     0 <= node < v.nodes;
    terminates \true;
    exits    never:    \false;
    assigns  \nothing;
    ensures  result:   \result == 0 || \result == 1;
    ensures  inner:    \result == 1 <==> inner(v, node);
*/
int inside_inner(struct inside_view v, int node);

/* A slot by which a node that is no application uses `node`, or -1. */
/*@ requires valid:    valid_inside(v) && valid_uses(u);
    requires chained:  chained(v);
    requires uses:     uses_ok(u) && u.n <= v.nodes;
    requires users:    \forall integer s; linked(u, s) ==> u.slot[s].user < v.nodes;
    requires node:     0 <= node < u.n;
    terminates \true;
    exits    never:    \false;
    assigns  \nothing;
    ensures  outside:  \result >= 0 ==> holds(u, \result, node) && !inner(v, u.slot[\result].user);
    ensures  inside:   \result < 0 ==> \forall integer s; holds(u, s, node) ==> inner(v, u.slot[s].user);
*/
int inside_leak(struct inside_view v, struct uses_view u, int node);

#endif
