#include "rewrite/splice_names.h"

void splice_sign(struct node *nd, int first, int n, int from)
{
    /*@ loop invariant range:  first <= k <= n;
        loop invariant done:   \forall integer j; first <= j < k ==>
                               nd[j].origin == (nd[j].kind == NODE_CONST ? \at(nd[j].origin, Pre) : from);
        loop invariant left:   \forall integer j; k <= j < n ==> nd[j].origin == \at(nd[j].origin, Pre);
        loop assigns k, nd[first .. n - 1].origin;
        loop variant n - k;
    */
    for (int k = first; k < n; k++)
        if (nd[k].kind != NODE_CONST)
            nd[k].origin = from;
}

/* splice_name, with the fields of all nodes in `assigns`: so the provers see what it leaves. */
/*@ requires valid:    0 <= n && \valid(nd + (0 .. n - 1)) && 0 <= to < n && 0 <= from < n && to != from;
    terminates \true;
    exits    never:    \false;
    assigns  nd[0 .. n - 1].name, nd[0 .. n - 1].label;
    ensures  others:   \forall integer x; 0 <= x < n ==> x != to ==> x != from ==>
                       nd[x].name == \old(nd[x].name) && nd[x].label == \old(nd[x].label);
    ensures  kept:     \old(nd[to].name) >= 0 ==> nd[to].name == \old(nd[to].name) && nd[to].label == \old(nd[to].label);
    ensures  taken:    \old(nd[to].name) < 0 ==> nd[to].name == \old(nd[from].name);
*/
static void name_one(struct node *nd, int n, int to, int from)
{
    (void)n; /* only the contract speaks of it */
    splice_name(&nd[to], &nd[from]);
}

void splice_names(struct node *nd, int n, const int *out, const int *root, int outs, int first)
{
    /*@ loop invariant range:  0 <= k <= outs;
        loop invariant outs:   \forall integer j; 0 <= j < outs ==> out[j] == \at(out[j], Pre);
        loop invariant roots:  \forall integer j; 0 <= j < outs ==> root[j] == \at(root[j], Pre);
        loop invariant others: \forall integer x; 0 <= x < n ==> !among{Pre}(out, outs, x) ==> !among{Pre}(root, outs, x) ==>
                               nd[x].name == \at(nd[x].name, Pre) && nd[x].label == \at(nd[x].label, Pre);
        loop invariant old:    \forall integer x; 0 <= x < first && x < n ==> !among{Pre}(out, outs, x) ==>
                               nd[x].name == \at(nd[x].name, Pre) && nd[x].label == \at(nd[x].label, Pre);
        loop invariant named:  \forall integer x; 0 <= x < n ==> !among{Pre}(out, outs, x) ==> \at(nd[x].name, Pre) >= 0 ==>
                               nd[x].name == \at(nd[x].name, Pre) && nd[x].label == \at(nd[x].label, Pre);
        loop invariant taken:  \forall integer j; 0 <= j < k ==> root[j] >= first ==> \at(nd[out[j]].name, Pre) >= 0 ==>
                               nd[root[j]].name >= 0;
        loop invariant left:   \forall integer j; k <= j < outs ==> nd[out[j]].name == \at(nd[out[j]].name, Pre);
        loop assigns k, nd[0 .. n - 1].name, nd[0 .. n - 1].label;
        loop variant outs - k;
    */
    for (int k = 0; k < outs; k++) {
        int to = root[k], from = out[k];

        if (to < first)
            continue;
        /*@ assert apart: \forall integer j; 0 <= j < outs ==> to != out[j] && root[j] != from; */
        name_one(nd, n, to, from);
        /*@ assert outs: \forall integer j; 0 <= j < outs ==> out[j] == \at(out[j], Pre); */
        /*@ assert roots: \forall integer j; 0 <= j < outs ==> root[j] == \at(root[j], Pre); */
        /*@ assert kept: \forall integer x; 0 <= x < n ==> x != from ==> \at(nd[x].name, LoopCurrent) >= 0 ==>
                         nd[x].name >= 0; */
        /*@ assert now: \forall integer j; j == k ==> \at(nd[out[j]].name, Pre) >= 0 ==> nd[root[j]].name >= 0; */
        /*@ assert before: \forall integer j; 0 <= j < k ==> root[j] >= first ==> \at(nd[out[j]].name, Pre) >= 0 ==>
                           nd[root[j]].name >= 0; */
    }
}
