#include "rewrite/splice_core.h"

int splice_list(struct list_view v, struct uses_view u, int low)
{
    int n = v.nearly + (v.n - v.first);

    (void)u; /* only the contract speaks of them */
    (void)low;
    /*@ loop invariant range:  0 <= k <= n;
        loop invariant filled: filled(v, k);
        loop invariant keys:   \forall integer j; 0 <= j < v.nearly ==> v.early[j].node == \at(v.early[j].node, Pre);
        loop assigns k, v.list[0 .. n - 1];
        loop variant n - k;
    */
    for (int k = 0; k < n; k++)
        v.list[k] = k < v.nearly ? v.early[k].node : v.first + (k - v.nearly);
    /*@ assert users: same_users{Pre,Here}(u); */
    /*@ assert in: same_in{Pre,Here}(u); */
    /*@ assert sorted: early_sorted(u, v, low) && new_last(u, v, low); */
    /*@ assert topology: \forall integer s; linked(u, s) ==> 0 <= u.in[s] < u.n && u.slot[s].user < u.n &&
                         earlier(u, u.in[s], u.slot[s].user); */
    /*@ assert keys: \forall integer x; early_node(v, x) <==> early_node{Pre}(v, x); */
    /*@ assert closed: early_closed(u, v, low); */
    /*@ assert early: \forall integer j; 0 <= j < v.nearly ==> v.list[j] == v.early[j].node; */
    /*@ assert new: \forall integer x; v.first <= x < v.n ==> new_at(v, x); */
    /*@ assert new_place: \forall integer x, y; v.first <= y < x < v.n ==> new_at(v, y) ==>
                          among(v.list, v.nearly + (x - v.first), y); */
    /*@ assert new_among: \forall integer x, y; v.first <= y < x < v.n ==>
                          new_at(v, y) && among(v.list, v.nearly + (x - v.first), y); */
    /*@ assert is_new: \forall integer j; v.nearly <= j < n ==> v.first <= v.list[j]; */
    /*@ assert once_early: \forall integer i, j; 0 <= i < j < v.nearly ==> earlier(u, v.list[i], v.list[j]); */
    /*@ assert once_back: \forall integer i, j; 0 <= i < j < v.nearly ==>
                          earlier(u, v.list[i], v.list[j]) && !earlier(u, v.list[j], v.list[i]); */
    /*@ assert once_new: \forall integer i, j; v.nearly <= i < j < n ==> v.list[i] < v.list[j]; */
    /*@ assert once_both: \forall integer i, j; 0 <= i < v.nearly <= j < n ==> v.list[i] < v.list[j]; */
    /*@ assert later: \forall integer a, b; v.first <= b < v.n ==> 0 <= a < u.n ==> earlier(u, a, b) ==> a < b; */
    /*@ assert before: \forall integer a, b; 0 <= a < v.first <= b < v.n ==> earlier(u, a, b) && !earlier(u, b, a); */
    /*@ assert reads: \forall integer s; linked(u, s) ==> u.slot[s].user < v.first ==> u.in[s] < v.first; */
    /*@ assert old_old: \forall integer j, s; 0 <= j < v.nearly ==> linked(u, s) ==> u.slot[s].user == v.list[j] ==>
                        u.in[s] < v.first && early_node(v, v.list[j]); */
    /*@ assert old_index: \forall integer i, j; 0 <= i < v.nearly ==> 0 <= j < v.nearly ==>
                          earlier(u, v.list[i], v.list[j]) ==> i < j; */
    /*@ assert old_early: \forall integer j, s; 0 <= j < v.nearly ==> linked(u, s) ==> u.slot[s].user == v.list[j] ==>
                          early_node(v, u.in[s]) ==> among(v.list, j, u.in[s]); */
    /*@ assert old_reads: \forall integer j, s; 0 <= j < v.nearly ==> linked(u, s) ==> u.slot[s].user == v.list[j] ==>
                          earlier(u, u.in[s], low) || among(v.list, j, u.in[s]); */
    /*@ assert new_less: \forall integer x, s; v.first <= x < v.n ==> linked(u, s) ==> u.slot[s].user == x ==>
                         u.in[s] >= v.first ==> u.in[s] < x; */
    /*@ assert new_reads: \forall integer x, s; v.first <= x < v.n ==> linked(u, s) ==> u.slot[s].user == x ==>
                          u.in[s] >= v.first ==> among(v.list, v.nearly + (x - v.first), u.in[s]); */
    /*@ assert new_early: \forall integer x, s; v.first <= x < v.n ==> linked(u, s) ==> u.slot[s].user == x ==>
                          u.in[s] < v.first ==> earlier(u, u.in[s], low) || among(v.list, v.nearly, u.in[s]); */
    return n;
}

void splice_name(struct node *to, struct node *from)
{
    if (to->name >= 0)
        return;
    to->name = from->name;
    to->label = to->kind == NODE_OP ? from->label : -1;
    from->name = -1;
    from->label = -1;
}
