#include "rewrite/splice_sort.h"

/* Keys i and j, as they are in state L, stand to each other as their nodes did in state K. */
/*@ predicate stand{K,L}(struct uses_view v, struct match_key *a, integer i, integer j) =
    (\at(a[i].order, L) < \at(a[j].order, L) <==> earlier{K}(v, \at(a[i].node, L), \at(a[j].node, L))); */

void splice_sort(struct match_key *early, int n) /*@ ghost (struct uses_view v, struct list_view l, int low) */
{
    key_sort(early, n);
    /*@ assert labels: \forall integer x; 0 <= x < v.n ==> v.node[x].order == \at(v.node[x].order, Pre); */
    /*@ assert range: \forall integer j; 0 <= j < n ==> key_there{Pre,Here}(early, n, j) && 0 <= early[j].node < l.first; */
    /*@ assert after: \forall integer j; 0 <= j < n ==> key_there{Pre,Here}(early, n, j) && earlier{Pre}(v, low, early[j].node); */
    /*@ assert labelled: \forall integer i, j; 0 <= i < n ==> 0 <= j < n ==>
                    key_there{Pre,Here}(early, n, i) && key_there{Pre,Here}(early, n, j) && stand{Pre,Here}(v, early, i, j); */
    /*@ assert same: \forall integer j; 0 <= j < n ==>
                    v.node[early[j].node].order == \at(v.node[\at(early[j].node, Here)].order, Pre); */
    /*@ assert after_now: \forall integer j; 0 <= j < n ==> earlier(v, low, early[j].node); */
    /*@ assert distinct: \forall integer i, j; 0 <= i < j < n ==> early[i].node != early[j].node; */
    /*@ assert own: \forall integer i, j; 0 <= i < j < n ==>
                    \at(v.node[\at(early[i].node, Here)].order, Pre) != \at(v.node[\at(early[j].node, Here)].order, Pre); */
    /*@ assert sorted: \forall integer i, j; 0 <= i < j < n ==> early[i].order <= early[j].order; */
    /*@ assert strict: \forall integer i, j; 0 <= i < j < n ==> key_there{Pre,Here}(early, n, i) &&
                    key_there{Pre,Here}(early, n, j) && stand{Pre,Here}(v, early, i, j) && stand{Pre,Here}(v, early, j, i) &&
                    early[i].order < early[j].order; */
    /*@ assert before: \forall integer i, j; 0 <= i < j < n ==> key_there{Pre,Here}(early, n, i) &&
                    key_there{Pre,Here}(early, n, j) && stand{Pre,Here}(v, early, i, j) &&
                    earlier{Pre}(v, early[i].node, early[j].node); */
    /*@ assert before_now: \forall integer i, j; 0 <= i < j < n ==> earlier(v, early[i].node, early[j].node); */
    /*@ assert there: \forall integer j; 0 <= j < n ==> key_there{Pre,Here}(early, n, j) && early_node{Pre}(l, early[j].node); */
    /*@ assert back: \forall integer j; 0 <= j < n ==> key_there{Here,Pre}(early, n, j) && early_node(l, \at(early[j].node, Pre)); */
    /*@ assert nodes_now: \forall integer x; early_node(l, x) ==> early_node{Pre}(l, x); */
    /*@ assert nodes_then: \forall integer x; early_node{Pre}(l, x) ==> early_node(l, x); */
}
