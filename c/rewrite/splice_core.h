/* The proved part of a substitution that is neither order nor edges: which nodes are put in place, what they are called. */
#ifndef CALQUE_REWRITE_SPLICE_CORE_H
#define CALQUE_REWRITE_SPLICE_CORE_H

#include <limits.h>

#include "pattern/match.h"
#include "rewrite/place.h"

/* Early nodes, which stood in the graph of `first` nodes behind the first output; the new ones are first .. n-1. */
struct list_view {
    const struct match_key *early;
    int nearly, first, n;
    int *list; /* room for all of them */
};

#ifdef __FRAMAC__
#include "rewrite/splice.acsl"
#endif

/* The early nodes in their order and then the new ones: the number of them. It is what place_target asks for: what each
   reads stands before `low` or earlier in the list. */
/*@ requires valid:    valid_list(v) && valid_uses(u) && u.n == v.n && own_block(u, v.list);
    requires low:      0 <= low < v.first;
    requires topology: uses_ok(u) && topological(u);
    requires sorted:   early_sorted(u, v, low) && new_last(u, v, low);
    requires closed:   early_closed(u, v, low);
    terminates \true;
    exits    never:    \false;
    assigns  v.list[0 .. v.nearly + (v.n - v.first) - 1];
    ensures  number:   \result == v.nearly + (v.n - v.first);
    ensures  list:     filled(v, \result);
    ensures  same:     \forall integer s; linked(u, s) <==> linked{Pre}(u, s);
    ensures  nodes:    \forall integer j; 0 <= j < \result ==> 0 <= v.list[j] < u.n && earlier(u, low, v.list[j]);
    ensures  distinct: \forall integer i, j; 0 <= i < j < \result ==> v.list[i] != v.list[j];
    ensures  supplied: \forall integer j; 0 <= j < \result ==> supplied(u, v.list, j, low);
*/
int splice_list(struct list_view v, struct uses_view u, int low);

/* A new node without a name takes the one of the node it stands for, and its label if it is an operator. */
/*@ requires valid:    \valid(to) && \valid(from) && \separated(to, from);
    terminates \true;
    exits    never:    \false;
    assigns  to->name, to->label, from->name, from->label;
    ensures  kept:     \old(to->name) >= 0 ==> to->name == \old(to->name) && to->label == \old(to->label) &&
                       from->name == \old(from->name) && from->label == \old(from->label);
    ensures  taken:    \old(to->name) < 0 ==> to->name == \old(from->name) && from->name == -1 && from->label == -1;
    ensures  label:    \old(to->name) < 0 ==> to->label == (to->kind == NODE_OP ? \old(from->label) : -1);
*/
void splice_name(struct node *to, struct node *from);

#endif
