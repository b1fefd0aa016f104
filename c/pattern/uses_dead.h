/* Dropping a node: what nothing needs any more dies, and its inputs lose their users. */
#ifndef CALQUE_PATTERN_USES_DEAD_H
#define CALQUE_PATTERN_USES_DEAD_H

#include "pattern/uses_list.h"

#ifdef __FRAMAC__
#include "pattern/dead.acsl"
#endif

/* Node `node` dies if nothing needs it, and then its inputs likewise. The nodes that died are v.node[0 .. result-1].died. */
/*@ requires valid:    valid_uses(v) && valid_nodes(v, nd);
    requires ok:       uses_ok(v) && own_slots(v, nd) && inputs_linked(v, nd) && none_dead(v) && pending(v, 0, 0);
    requires inputs:   \forall integer s; 0 <= s < v.m ==> v.in[s] < v.n;
    requires node:     0 <= node < v.n;
    terminates \true;
    exits    never:    \false;
    assigns  v.slot[0 .. v.m - 1], v.node[0 .. v.n - 1].head, v.node[0 .. v.n - 1].count, v.node[0 .. v.n - 1].dead,
             v.node[0 .. v.n - 1].died;
    ensures  ok:       uses_ok(v);
    ensures  own:      own_slots(v, nd) && inputs_linked(v, nd);
    ensures  users:    pending(v, 0, 0);
    ensures  reads:    \forall integer k, s; 0 <= k < v.n ==> !v.node[k].dead ==> slot_of(nd, k, s) ==> v.in[s] >= 0 ==>
                       0 <= v.in[s] < v.n && !v.node[v.in[s]].dead;
    ensures  stays:    \forall integer x; 0 <= x < v.n ==> \old(v.node[x].dead) ==> v.node[x].dead;
    ensures  unneeded: \forall integer x; 0 <= x < v.n ==> v.node[x].dead ==> !\old(v.node[x].dead) ==> unneeded(v, nd, x);
    ensures  rest:     \forall integer x; garbage(v, nd, x) ==> garbage{Pre}(v, nd, x) && x != node;
    ensures  written:  0 <= \result <= v.n && written(v, \result);
*/
int uses_die(struct uses_view v, const struct node *nd, int node);

#endif
