/* What the nodes of a target are called, and where they come from. */
#ifndef CALQUE_REWRITE_SPLICE_NAMES_H
#define CALQUE_REWRITE_SPLICE_NAMES_H

#include "rewrite/splice_core.h"

/* The new nodes, from number `first` on, but for constants, come from `from`. */
/*@ requires valid:    0 <= first <= n && \valid(nd + (first .. n - 1));
    terminates \true;
    exits    never:    \false;
    assigns  nd[first .. n - 1].origin;
    ensures  signed:   \forall integer k; first <= k < n ==>
                       nd[k].origin == (nd[k].kind == NODE_CONST ? \old(nd[k].origin) : from);
*/
void splice_sign(struct node *nd, int first, int n, int from);

/* New roots take the names of their outputs. */
/*@ requires valid:    0 <= n && \valid(nd + (0 .. n - 1)) && 0 <= outs && \valid_read(out + (0 .. outs - 1)) &&
                       \valid_read(root + (0 .. outs - 1)) && \base_addr(out) != \base_addr(nd) &&
                       \base_addr(root) != \base_addr(nd);
    requires nodes:    \forall integer k; 0 <= k < outs ==> 0 <= out[k] < n && 0 <= root[k] < n;
    requires roots:    \forall integer k; 0 <= k < outs ==> !among(out, outs, root[k]);
    requires once:     \forall integer i, j; 0 <= i < j < outs ==> out[i] != out[j];
    terminates \true;
    exits    never:    \false;
    assigns  nd[0 .. n - 1].name, nd[0 .. n - 1].label;
    ensures  others:   \forall integer x; 0 <= x < n ==> !among(out, outs, x) ==> !among(root, outs, x) ==>
                       nd[x].name == \old(nd[x].name) && nd[x].label == \old(nd[x].label);
    ensures  old:      \forall integer x; 0 <= x < first && x < n ==> !among(out, outs, x) ==>
                       nd[x].name == \old(nd[x].name) && nd[x].label == \old(nd[x].label);
    ensures  named:    \forall integer x; 0 <= x < n ==> !among(out, outs, x) ==> \old(nd[x].name) >= 0 ==>
                       nd[x].name == \old(nd[x].name) && nd[x].label == \old(nd[x].label);
    ensures  taken:    \forall integer k; 0 <= k < outs ==> root[k] >= first ==> \old(nd[out[k]].name) >= 0 ==>
                       nd[root[k]].name >= 0;
*/
void splice_names(struct node *nd, int n, const int *out, const int *root, int outs, int first);

#endif
