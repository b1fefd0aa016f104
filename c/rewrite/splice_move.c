#include "rewrite/splice_move.h"

void splice_move(struct output_view o, const int *out, const int *root, int n)
{
    /*@ assert far_next: \forall integer j, p; &out[j] != &o.next[p] && &root[j] != &o.next[p]; */
    /*@ assert far_nexts: \forall integer j; \separated(&out[j], o.next + (0 .. o.m - 1)) &&
                          \separated(&root[j], o.next + (0 .. o.m - 1)); */
    /*@ assert far_node: \forall integer j, p; &out[j] != &o.out[p].node && &root[j] != &o.out[p].node; */
    /*@ assert far_output: \forall integer j, x; &out[j] != &o.node[x].output && &root[j] != &o.node[x].output; */
    /*@ loop invariant range:  0 <= k <= n;
        loop invariant ok:     outputs_ok(o);
        loop invariant outs:   \forall integer j; 0 <= j < n ==> out[j] == \at(out[j], Pre);
        loop invariant roots:  \forall integer j; 0 <= j < n ==> root[j] == \at(root[j], Pre);
        loop invariant others: \forall integer p; 0 <= p < o.m ==> !among{Pre}(out, k, \at(o.out[p].node, Pre)) ==>
                               o.out[p].node == \at(o.out[p].node, Pre);
        loop invariant moved:  \forall integer p, j; 0 <= p < o.m ==> 0 <= j < k ==> \at(o.out[p].node == out[j], Pre) ==>
                               o.out[p].node == root[j];
        loop assigns k, o.next[0 .. o.m - 1], o.out[0 .. o.m - 1].node, o.node[0 .. o.n - 1].output,
                     o.node[0 .. o.n - 1].outputs;
        loop variant n - k;
    */
    for (int k = 0; k < n; k++) {
        /*@ assert apart: root[k] != out[k]; */
        /*@ assert done: \forall integer j; 0 <= j < k ==> root[j] != out[k] && out[j] != out[k]; */
        /*@ assert first: \forall integer p; 0 <= p < o.m ==> \at(o.out[p].node, Pre) == out[k] ==>
                          !among{Pre}(out, k, \at(o.out[p].node, Pre)) && o.out[p].node == out[k]; */
        outputs_move(o, out[k], root[k]);
        /*@ assert same_outs: \forall integer j; 0 <= j < n ==> out[j] == \at(out[j], LoopCurrent); */
        /*@ assert same_roots: \forall integer j; 0 <= j < n ==> root[j] == \at(root[j], LoopCurrent); */
    }
    /*@ assert kept: \forall integer p; 0 <= p < o.m ==> !among{Pre}(out, n, \at(o.out[p].node, Pre)) ==>
                     !among{Pre}(out, n, o.out[p].node); */
    /*@ assert moved_to: \forall integer p; 0 <= p < o.m ==> among{Pre}(out, n, \at(o.out[p].node, Pre)) ==>
                         \exists integer j; 0 <= j < n && o.out[p].node == \at(root[j], Pre); */
    /*@ assert moved_off: \forall integer p; 0 <= p < o.m ==> among{Pre}(out, n, \at(o.out[p].node, Pre)) ==>
                          !among{Pre}(out, n, o.out[p].node); */
    /*@ assert gone: \forall integer p; 0 <= p < o.m ==> !among{Pre}(out, n, o.out[p].node); */
    /*@ assert listed: \forall integer j; 0 <= j < n ==> among{Pre}(out, n, out[j]); */
    /*@ assert none: \forall integer j; 0 <= j < n ==> no_output(o, out[j]); */
    /*@ assert count: \forall integer j; 0 <= j < n ==> o.node[out[j]].outputs == 0; */
}
