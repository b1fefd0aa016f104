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

/* Of all entries, of those of instances, of the others. */
enum match_uses { USES_ALL, USES_INSTANCES, USES_OTHERS };

struct inside_end {
    int entry; /* an entry whose node is used outside, or -1 */
    int user;  /* the node that uses it, or -1: it is an output of the graph */
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

/* Is an application among entry k and those before it for the same node, where k is the last of them? */
/*@ requires valid:    valid_inside(v) && v.entry == entry && v.pattern == pattern;
    requires chained:  chained(v);
    requires last:     0 <= node < v.nodes && last_before(v, k, v.n, node);
    terminates \true;
    exits    never:    \false;
    assigns  \nothing;
    ensures  result:   \result == 0 || \result == 1;
    ensures  inner:    \result == 1 <==> inner(v, node);
*/
int inside_chain(const struct match_entry *entry, const struct pattern *pattern, int k)
    /*@ ghost (struct inside_view v, int node) */;

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

/* PM-Use of the entries from `from` on. */
/*@ requires views:    \valid_read(p) && \valid_read(q);
    requires valid:    valid_inside(*p) && valid_uses(*q);
    requires chained:  chained(*p);
    requires uses:     uses_ok(*q) && q->n <= p->nodes;
    requires users:    \forall integer s; linked(*q, s) ==> q->slot[s].user < p->nodes;
    requires entries:  \forall integer k; 0 <= k < p->n ==> p->entry[k].kind == ENTRY_NODE ==> p->entry[k].node < q->n;
    requires from:     0 <= from <= p->n;
    terminates \true;
    exits    never:    \false;
    assigns  \nothing;
    ensures  entry:    -1 <= \result.entry < p->n;
    ensures  holds:    \result.entry < 0 <==> use_holds(*p, *q, which, from);
    ensures  asked:    \result.entry >= 0 ==> from <= \result.entry && asked(*p, which, \result.entry);
    ensures  user:     \result.entry >= 0 ==> \result.user >= 0 ==> !inner(*p, \result.user) &&
                       \exists integer s; holds(*q, s, p->entry[\result.entry].node) && q->slot[s].user == \result.user;
    ensures  output:   \result.entry >= 0 ==> \result.user < 0 ==> q->node[p->entry[\result.entry].node].outputs != 0;
*/
struct inside_end inside_uses(const struct inside_view *p, const struct uses_view *q, enum match_uses which, int from);

#endif
