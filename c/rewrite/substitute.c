/* A substitution: its check, then as a whole the new nodes, their order and names, the edges and outputs that move, and what dies.
   Invariant: the check comes first and changes nothing; what follows cannot fail. */
#include "rewrite/substitute.h"
#include "rewrite/library.h"
#include "tensor/op.h"

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
    /*@ assert strict: \forall integer i, j; 0 <= i < j < v.nearly ==> u.node[v.list[i]].order < u.node[v.list[j]].order; */
    /*@ assert unlike: \forall integer i, j; 0 <= i < j < v.nearly ==> v.list[i] != v.list[j]; */
    /*@ assert distinct: \forall integer i, j; 0 <= i < j < n ==> v.list[i] != v.list[j]; */
    /*@ assert turn: \forall integer a, b; v.first <= b < a < v.n ==> earlier(u, b, a) && !earlier(u, a, b); */
    /*@ assert count: u.n == v.n; */
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

void splice_keys(const struct use_node *use, const long *work, int n, int done, struct match_key *key)
{
    /*@ loop invariant range:  0 <= k <= done;
        loop invariant labels: \forall integer j; 0 <= j < k ==> key[j].order == use[work[n - 1 - j]].order;
        loop invariant nodes:  \forall integer j; 0 <= j < k ==> key[j].node == work[n - 1 - j];
        loop assigns k, key[0 .. done - 1];
        loop variant done - k;
    */
    for (int k = 0; k < done; k++) {
        int node = (int)work[n - 1 - k];

        key[k].order = use[node].order;
        key[k].node = node;
    }
}

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

/* uses_drop, with whole nodes in `assigns`: so the provers see what it leaves. */
/*@ requires kept:     lists_kept(u, g, v, o, nd);
    requires ok:       uses_ok(v) && exact(v, nd);
    requires node:     0 <= x < v.n;
    terminates \true;
    exits    never:    \false;
    DROP_ASSIGNS
    ensures  ok:       uses_ok(v) && exact(v, nd);
    ensures  stays:    stay_dead{Pre,Post}(v);
    ensures  unneeded: died_unneeded{Pre,Post}(v, nd);
    ensures  rest:     \forall integer y; garbage(v, nd, y) ==> garbage{Pre}(v, nd, y) && y != x;
    ensures  order:    same_order{Pre,Post}(v);
    ensures  outputs:  same_out_heads{Pre,Post}(o, -1);
*/
static void drop_node(struct uses *u, struct graph *g, int x)
    /*@ ghost (struct uses_view v, struct output_view o, const struct node *nd) */
{
    /*@ assert far_output: \forall integer y; \separated(&o.node[y].output, v.slot + (0 .. v.m - 1)); */
    /*@ assert own_output: \forall integer y, z; &o.node[y].output != &v.node[z].head && &o.node[y].output != &v.node[z].count; */
    uses_drop(u, g, x) /*@ ghost (v, nd) */;
    /*@ assert before: \forall integer y; 0 <= y < v.n ==> v.node[y].before == \at(v.node[y].before, Pre); */
    /*@ assert after: \forall integer y; 0 <= y < v.n ==> v.node[y].after == \at(v.node[y].after, Pre); */
    /*@ assert labels: \forall integer y; 0 <= y < v.n ==> v.node[y].order == \at(v.node[y].order, Pre); */
    /*@ assert output: \forall integer y; 0 <= y < v.n ==> o.node[y].output == \at(o.node[y].output, Pre); */
    /*@ assert outputs: \forall integer y; 0 <= y < v.n ==> o.node[y].outputs == \at(o.node[y].outputs, Pre); */
}

/* Node x dies, if nothing needs it, and then its inputs likewise. */
/*@ requires kept:     lists_kept(u, g, v, o, nd);
    requires ok:       uses_ok(v) && outputs_ok(o) && exact(v, nd) && topological(v);
    requires node:     0 <= x < v.n;
    terminates \true;
    exits    never:    \false;
    DROP_ASSIGNS
    DROP_KEEPS
    ensures  still:    \forall integer y; unneeded{Pre}(v, nd, y) ==> unneeded(v, nd, y);
    ensures  rest:     \forall integer y; garbage(v, nd, y) ==> garbage{Pre}(v, nd, y) && y != x;
*/
static void drop(struct uses *u, struct graph *g, int x)
    /*@ ghost (struct uses_view v, struct output_view o, const struct node *nd) */
{
    /*@ assert apart: lists_apart(u, g, v, o, nd); */
    /*@ ghost uses_all(v); */
    /*@ assert unread: \forall integer y, s; unneeded(v, nd, y) ==> linked(v, s) ==> v.in[s] != y; */
    drop_node(u, g, x) /*@ ghost (v, o, nd) */;
    /*@ assert nodes_n: v.n == u->node.n; */
    /*@ assert slots_n: v.m == u->slot.n; */
    /*@ assert outputs_n: o.m == u->output.n; */
    /*@ assert graph_n: g->node.n == v.n; */
    /*@ assert tensors: g->tensor.n == \at(g->tensor.n, Pre); */
    /*@ assert arrays: v.node == u->node.a && v.slot == u->slot.a && o.next == u->output.a; */
    /*@ assert graph: v.in == g->in.a && o.out == g->output.a && nd == g->node.a && g->tensor.a == \at(g->tensor.a, Pre); */
    /*@ assert views: lists_of(v, u, g) && outputs_in(o, u, g); */
    /*@ assert nodes_in: \forall integer k; 0 <= k < v.n ==> nd[k].in == \at(nd[k].in, Pre); */
    /*@ assert nodes_nin: \forall integer k; 0 <= k < v.n ==> nd[k].nin == \at(nd[k].nin, Pre); */
    /*@ assert nodes_kind: \forall integer k; 0 <= k < v.n ==> nd[k].kind == \at(nd[k].kind, Pre); */
    /*@ assert nodes_data: \forall integer k; 0 <= k < v.n ==> nd[k].data == \at(nd[k].data, Pre); */
    /*@ assert nodes: same_nodes{Pre,Here}(v, nd) && valid_data(g, nd, v.n); */
    /*@ assert in: \forall integer s; 0 <= s < v.m ==> v.in[s] == \at(v.in[s], Pre); */
    /*@ assert fewer: same_in{Pre,Here}(v) && fewer_users{Pre,Here}(v); */
    /*@ assert out: \forall integer k; 0 <= k < o.m ==> o.out[k].node == \at(o.out[k].node, Pre); */
    /*@ assert out_name: \forall integer k; 0 <= k < o.m ==> o.out[k].name == \at(o.out[k].name, Pre); */
    /*@ assert out_next: \forall integer k; 0 <= k < o.m ==> o.next[k] == \at(o.next[k], Pre); */
    /*@ assert nexts: same_outs{Pre,Here}(o, -1) && same_out_nexts{Pre,Here}(o, -1); */
    /*@ assert lists: same_output_lists{Pre,Here}(o); */
    /*@ assert grew: wider_outputs(o, o) && outputs_grew{Pre,Here}(o, o); */
    /*@ assert ok: uses_ok(v) && outputs_ok(o); */
    /*@ assert heads: \forall integer y; 0 <= y < v.n ==> v.node[y].head >= 0 ==> holds(v, v.node[y].head, y); */
    /*@ assert held: \forall integer y, s; holds(v, s, y) ==> linked{Pre}(v, s) && \at(v.in[s], Pre) == y; */
    /*@ assert unread_still: \forall integer y, s; unneeded{Pre}(v, nd, y) ==> holds(v, s, y) ==> \false; */
    /*@ assert range: \forall integer y; unneeded{Pre}(v, nd, y) ==> 0 <= y < v.n; */
    /*@ assert unheld: \forall integer y; unneeded{Pre}(v, nd, y) ==> v.node[y].head < 0; */
    /*@ assert slots: \forall integer k; 0 <= k < v.n ==> 0 <= nd[k].in && 0 <= nd[k].nin && nd[k].in + nd[k].nin <= v.m; */
    /*@ assert valid_nodes: valid_nodes(v, nd); */
    /*@ assert valid: valid_uses(v) && valid_outputs(o) && side_by_side(v, o) && nodes_aside(o, nd); */
    /*@ assert still_apart: lists_apart(u, g, v, o, nd); */
}

/* The outputs do. */
/*@ requires kept:     lists_kept(u, g, v, o, nd);
    requires ok:       uses_ok(v) && outputs_ok(o) && exact(v, nd) && topological(v);
    requires nodes:    0 <= outs && \valid_read(out + (0 .. outs - 1)) && own_block(v, out) &&
                       \forall integer k; 0 <= k < outs ==> 0 <= out[k] < v.n;
    terminates \true;
    exits    never:    \false;
    DROP_ASSIGNS
    DROP_KEEPS
    ensures  still:    \forall integer y; unneeded{Pre}(v, nd, y) ==> unneeded(v, nd, y);
    ensures  rest:     \forall integer x; garbage(v, nd, x) ==> garbage{Pre}(v, nd, x) && !among(out, outs, x);
    ensures  same:     \forall integer k; 0 <= k < outs ==> out[k] == \old(out[k]);
*/
static void drop_outs(struct uses *u, struct graph *g, const int *out, int outs)
    /*@ ghost (struct uses_view v, struct output_view o, const struct node *nd) */
{
    /*@ ghost struct tensor *ts = g->tensor.a; int nts = g->tensor.n; */
    /*@ loop invariant range:    0 <= k <= outs;
        loop invariant kept:     lists_kept(u, g, v, o, nd);
        loop invariant ok:       uses_ok(v) && outputs_ok(o) && exact(v, nd);
        loop invariant topology: topological(v);
        loop invariant order:    same_order{Pre,Here}(v);
        loop invariant fewer:    fewer_users{Pre,Here}(v);
        loop invariant in:       same_in{Pre,Here}(v);
        loop invariant graph:    same_outs{Pre,Here}(o, -1);
        loop invariant heads:    same_out_heads{Pre,Here}(o, -1);
        loop invariant tensors:  g->tensor.a == ts && g->tensor.n == nts;
        loop invariant stays:    stay_dead{Pre,Here}(v);
        loop invariant unneeded: died_unneeded{Pre,Here}(v, nd);
        loop invariant still:    \forall integer y; unneeded{Pre}(v, nd, y) ==> unneeded(v, nd, y);
        loop invariant rest:     \forall integer x; garbage(v, nd, x) ==> garbage{Pre}(v, nd, x) && !among{Pre}(out, k, x);
        loop invariant same:     \forall integer j; 0 <= j < outs ==> out[j] == \at(out[j], Pre);
        loop assigns k, v.node[0 .. v.n - 1], v.slot[0 .. v.m - 1], ts[0 .. nts - 1].bytes, ts[0 .. nts - 1].data;
        loop variant outs - k;
    */
    for (int k = 0; k < outs; k++)
        drop(u, g, out[k]) /*@ ghost (v, o, nd) */;
}

/* The new nodes do. */
/*@ requires kept:     lists_kept(u, g, v, o, nd);
    requires ok:       uses_ok(v) && outputs_ok(o) && exact(v, nd) && topological(v);
    requires nodes:    0 <= first;
    terminates \true;
    exits    never:    \false;
    DROP_ASSIGNS
    DROP_KEEPS
    ensures  still:    \forall integer y; unneeded{Pre}(v, nd, y) ==> unneeded(v, nd, y);
    ensures  rest:     \forall integer x; garbage(v, nd, x) ==> garbage{Pre}(v, nd, x) && x < first;
*/
static void drop_new(struct uses *u, struct graph *g, int first)
    /*@ ghost (struct uses_view v, struct output_view o, const struct node *nd) */
{
    /*@ ghost struct tensor *ts = g->tensor.a; int nts = g->tensor.n; */
    /*@ loop invariant range:    first <= k && (k <= v.n || k == first);
        loop invariant kept:     lists_kept(u, g, v, o, nd);
        loop invariant ok:       uses_ok(v) && outputs_ok(o) && exact(v, nd);
        loop invariant topology: topological(v);
        loop invariant order:    same_order{Pre,Here}(v);
        loop invariant fewer:    fewer_users{Pre,Here}(v);
        loop invariant in:       same_in{Pre,Here}(v);
        loop invariant graph:    same_outs{Pre,Here}(o, -1);
        loop invariant heads:    same_out_heads{Pre,Here}(o, -1);
        loop invariant tensors:  g->tensor.a == ts && g->tensor.n == nts;
        loop invariant stays:    stay_dead{Pre,Here}(v);
        loop invariant unneeded: died_unneeded{Pre,Here}(v, nd);
        loop invariant still:    \forall integer y; unneeded{Pre}(v, nd, y) ==> unneeded(v, nd, y);
        loop invariant rest:     \forall integer x; garbage(v, nd, x) ==> garbage{Pre}(v, nd, x) && !(first <= x < k);
        loop assigns k, v.node[0 .. v.n - 1], v.slot[0 .. v.m - 1], ts[0 .. nts - 1].bytes, ts[0 .. nts - 1].data;
        loop variant v.n - k;
    */
    for (int k = first; k < g->node.n; k++)
        drop(u, g, k) /*@ ghost (v, o, nd) */;
}

void splice_drop(struct uses *u, struct graph *g, const int *out, int outs, int first)
    /*@ ghost (struct uses_view v, struct output_view o, const struct node *nd) */
{
    drop_outs(u, g, out, outs) /*@ ghost (v, o, nd) */;
    drop_new(u, g, first) /*@ ghost (v, o, nd) */;
}

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

struct order_view splice_place(struct uses_view v, struct order_view o, struct target_view t)
    /*@ ghost (struct output_view w, const struct node *nd) */
{
    struct order_view r;

    /*@ assert far_slot: \forall integer x; 0 <= x < v.n ==> \separated(&w.node[x].output, v.slot + (0 .. v.m - 1)); */
    /*@ assert far_in: \forall integer x; 0 <= x < v.n ==> \separated(&w.node[x].output, v.in + (0 .. v.m - 1)); */
    /*@ assert own_head: \forall integer x, y; 0 <= x < v.n ==> 0 <= y < v.n ==> &w.node[x].output != &v.node[y].head; */
    /*@ assert own_count: \forall integer x, y; 0 <= x < v.n ==> 0 <= y < v.n ==> &w.node[x].output != &v.node[y].count; */
    /*@ assert far_node: \forall integer k; 0 <= k < w.m ==> \separated(&w.out[k].node, v.slot + (0 .. v.m - 1)) &&
                       \separated(&w.out[k].node, v.in + (0 .. v.m - 1)); */
    /*@ assert own_node: \forall integer k, y; 0 <= k < w.m ==> 0 <= y < v.n ==> &w.out[k].node != &v.node[y].head &&
                       &w.out[k].node != &v.node[y].count; */
    /*@ assert far_name: \forall integer k; 0 <= k < w.m ==> \separated(&w.out[k].name, v.slot + (0 .. v.m - 1)) &&
                       \separated(&w.out[k].name, v.in + (0 .. v.m - 1)); */
    /*@ assert own_name: \forall integer k, y; 0 <= k < w.m ==> 0 <= y < v.n ==> &w.out[k].name != &v.node[y].head &&
                       &w.out[k].name != &v.node[y].count; */
    /*@ assert far_next: \forall integer k; 0 <= k < w.m ==> \separated(&w.next[k], v.slot + (0 .. v.m - 1)) &&
                       \separated(&w.next[k], v.in + (0 .. v.m - 1)); */
    /*@ assert own_next: \forall integer k, y; 0 <= k < w.m ==> 0 <= y < v.n ==> &w.next[k] != &v.node[y].head &&
                       &w.next[k] != &v.node[y].count; */
    r = place_target(v, o, t);
    /*@ assert nodes_in: \forall integer y; 0 <= y < v.n ==> nd[y].in == \at(nd[y].in, Pre); */
    /*@ assert nodes_nin: \forall integer y; 0 <= y < v.n ==> nd[y].nin == \at(nd[y].nin, Pre); */
    /*@ assert nodes_kind: \forall integer y; 0 <= y < v.n ==> nd[y].kind == \at(nd[y].kind, Pre); */
    /*@ assert nodes: same_nodes{Pre,Here}(v, nd); */
    /*@ assert dead: same_dead{Pre,Here}(v); */
    /*@ assert exact: exact(v, nd); */
    /*@ assert outs_node: \forall integer k; 0 <= k < w.m ==> w.out[k].node == \at(w.out[k].node, Pre); */
    /*@ assert outs_name: \forall integer k; 0 <= k < w.m ==> w.out[k].name == \at(w.out[k].name, Pre); */
    /*@ assert outs_next: \forall integer k; 0 <= k < w.m ==> w.next[k] == \at(w.next[k], Pre); */
    /*@ assert nexts: same_out_nexts{Pre,Here}(w, -1); */
    /*@ ghost
        /@ loop invariant range: 0 <= x && (0 <= v.n ==> x <= v.n);
           loop invariant kept:  \forall integer y; 0 <= y < x ==> w.node[y].output == \at(w.node[y].output, Pre);
           loop assigns x;
           loop variant v.n - x;
        @/
        for (int x = 0; x < v.n; x++) {
            /@ assert slots: \separated(&w.node[x].output, v.slot + (0 .. v.m - 1)) && \separated(&w.node[x].output, v.in + (0 .. v.m - 1)); @/
            /@ assert heads: \forall integer y; 0 <= y < v.n ==> &w.node[x].output != &v.node[y].head && &w.node[x].output != &v.node[y].count; @/
            /@ assert one:   w.node[x].output == \at(w.node[\at(x, Here)].output, Pre); @/
        }
    */
    /*@ assert heads_output: \forall integer x; 0 <= x < v.n ==> w.node[x].output == \at(w.node[x].output, Pre); */
    /*@ assert heads_outputs: \forall integer x; 0 <= x < v.n ==> w.node[x].outputs == \at(w.node[x].outputs, Pre); */
    /*@ assert outs: same_outs{Pre,Here}(w, -1) && same_out_heads{Pre,Here}(w, -1); */
    /*@ assert grew: wider_outputs(w, w) && outputs_grew{Pre,Here}(w, w); */
    return r;
}

/* splice_list; what is on the list is none of the outputs, and every root is or stands before `low`. */
/*@ requires valid:    valid_uses(v) && own_block(v, l.list) && uses_ok(v) && topological(v);
    requires apart:    \base_addr(l.list) != \base_addr(out) && \base_addr(l.list) != \base_addr(root);
    requires list:     step_list(v, l, low);
    requires outs:     step_outs(v, l, out, outs, low);
    requires roots:    step_roots(v, l, out, root, outs, low);
    terminates \true;
    exits    never:    \false;
    assigns  l.list[0 .. l.nearly + (l.n - l.first) - 1];
    ensures  number:   \result == l.nearly + (l.n - l.first);
    ensures  nodes:    \forall integer j; 0 <= j < \result ==> 0 <= l.list[j] < v.n && earlier(v, low, l.list[j]);
    ensures  distinct: \forall integer i, j; 0 <= i < j < \result ==> l.list[i] != l.list[j];
    ensures  supplied: \forall integer j; 0 <= j < \result ==> supplied(v, l.list, j, low);
    ensures  outs:     \forall integer k; 0 <= k < outs ==> !among(l.list, \result, out[k]);
    ensures  roots:    \forall integer k; 0 <= k < outs ==> earlier(v, root[k], low) || among(l.list, \result, root[k]);
    ensures  moving:   \forall integer x; among(l.list, \result, x) ==> l.first <= x || early_node{Pre}(l, x);
*/
static int step_nodes(struct list_view l, struct uses_view v, int low)
    /*@ ghost (const int *out, const int *root, int outs) */
{
    int n = splice_list(l, v, low);

    /*@ assert early: \forall integer j; 0 <= j < l.nearly ==> early_node{Pre}(l, l.list[j]); */
    /*@ assert early_at: \forall integer j; 0 <= j < l.nearly ==> l.list[j] == \at(l.early[j].node, Pre); */
    /*@ assert early_in: \forall integer x; early_node{Pre}(l, x) ==> among(l.list, n, x); */
    /*@ assert new: \forall integer j; l.nearly <= j < n ==> l.list[j] >= l.first; */
    /*@ assert new_at: \forall integer x; l.first <= x < l.n ==> new_at(l, x); */
    /*@ assert new_found: \forall integer x; l.first <= x < l.n ==> new_at(l, x) && among(l.list, n, x); */
    /*@ assert new_in: \forall integer x; l.first <= x < l.n ==> among(l.list, n, x); */
    /*@ assert moving: \forall integer x; among(l.list, n, x) ==> l.first <= x || early_node{Pre}(l, x); */
    /*@ assert same_out: \forall integer k; 0 <= k < outs ==> out[k] == \at(out[k], Pre); */
    /*@ assert same_root: \forall integer k; 0 <= k < outs ==> root[k] == \at(root[k], Pre); */
    return n;
}

void step_order(struct uses *u, struct graph *g, struct order_view o)
    /*@ ghost (struct uses_view v, struct output_view w, const struct node *nd) */
{
    (void)g;
    uses_reorder(u, o);
    /*@ assert fields: same_fields{Pre,Here}(u, g); */
    /*@ assert in: same_in{Pre,Here}(v); */
    /*@ assert heads: same_heads{Pre,Here}(v, -1); */
    /*@ assert users: same_users{Pre,Here}(v); */
    /*@ assert prevs: same_prevs{Pre,Here}(v, -1, -1); */
    /*@ assert nexts_of: same_nexts{Pre,Here}(v, -1, -1); */
    /*@ assert links: same_prevs{Pre,Here}(v, -1, -1) && same_nexts{Pre,Here}(v, -1, -1); */
    /*@ assert uses: same_use_lists{Pre,Here}(v); */
    /*@ assert dead: same_dead{Pre,Here}(v); */
    /*@ assert order: same_order{Pre,Here}(v); */
    /*@ assert outs: same_outs{Pre,Here}(w, -1); */
    /*@ assert nexts: same_out_nexts{Pre,Here}(w, -1); */
    /*@ assert tops: same_out_heads{Pre,Here}(w, -1); */
    /*@ assert nodes: same_nodes{Pre,Here}(v, nd); */
    /*@ assert data: same_data{Pre,Here}(nd, v.n); */
    /*@ assert lists: same_lists{Pre,Here}(v, w, nd); */
    /*@ assert valid: valid_lists(u, g, v, w, nd); */
    /*@ assert in_nodes: in_nodes(v); */
    /*@ assert kept: lists_kept(u, g, v, w, nd); */
    /*@ assert right: lists_right(v, w, o, nd); */
}

int step_listed(struct uses *u, struct graph *g, struct list_view l, struct uses_view v, int low)
    /*@ ghost (struct output_view w, struct order_view o, const struct node *nd, const int *out, const int *root, int outs) */
{
    int n;

    (void)u;
    (void)g;
    n = step_nodes(l, v, low) /*@ ghost (out, root, outs) */;
    /*@ assert fields: same_fields{Pre,Here}(u, g); */
    /*@ assert in: same_in{Pre,Here}(v); */
    /*@ assert heads: same_heads{Pre,Here}(v, -1); */
    /*@ assert users: same_users{Pre,Here}(v); */
    /*@ assert links: same_prevs{Pre,Here}(v, -1, -1) && same_nexts{Pre,Here}(v, -1, -1); */
    /*@ assert uses: same_use_lists{Pre,Here}(v); */
    /*@ assert dead: same_dead{Pre,Here}(v); */
    /*@ assert order: same_order{Pre,Here}(v); */
    /*@ assert outs: same_outs{Pre,Here}(w, -1); */
    /*@ assert nexts: same_out_nexts{Pre,Here}(w, -1); */
    /*@ assert tops: same_out_heads{Pre,Here}(w, -1); */
    /*@ assert nodes: same_nodes{Pre,Here}(v, nd); */
    /*@ assert data: same_data{Pre,Here}(nd, v.n); */
    /*@ assert lists: same_lists{Pre,Here}(v, w, nd); */
    /*@ assert valid: valid_lists(u, g, v, w, nd); */
    /*@ assert in_nodes: in_nodes(v); */
    /*@ assert kept: lists_kept(u, g, v, w, nd); */
    /*@ assert right: lists_right(v, w, o, nd); */
    /*@ assert ids: same_ids{Pre,Here}(out, outs) && same_ids{Pre,Here}(root, outs); */
    return n;
}

/* splice_place, with whole nodes in `assigns`: so the provers see what it leaves. */
/*@ TARGET_REQUIRES
    requires beside:   valid_outputs(w) && side_by_side(v, w) && valid_nodes(v, nd) && nodes_aside(w, nd);
    requires exact:    outputs_ok(w) && exact(v, nd);
    requires alive:    roots_alive(v, t.root, t.outs);
    terminates \true;
    exits    never:    \false;
    assigns  v.node[0 .. v.n - 1], v.slot[0 .. v.m - 1], v.in[0 .. v.m - 1];
    TARGET_ENSURES
    ensures  outputs:  outputs_ok(w) && same_output_lists{Pre,Post}(w);
    ensures  exact:    exact(v, nd);
    ensures  nodes:    same_nodes{Pre,Post}(v, nd) && same_dead{Pre,Post}(v);
    ensures  found:    heads_found(v);
*/
static struct order_view put_whole(struct uses_view v, struct order_view o, struct target_view t)
    /*@ ghost (struct output_view w, const struct node *nd) */
{
    o = splice_place(v, o, t) /*@ ghost (w, nd) */;
    /*@ ghost uses_all(v); */
    return o;
}

struct order_view step_put(struct uses *u, struct graph *g, struct uses_view v, struct order_view o, struct target_view t)
    /*@ ghost (struct output_view w, const struct node *nd) */
{
    (void)u;
    (void)g;
    o = put_whole(v, o, t) /*@ ghost (w, nd) */;
    /*@ assert ids_out: \forall integer k; 0 <= k < t.outs ==> t.out[k] == \at(t.out[k], Pre); */
    /*@ assert ids_root: \forall integer k; 0 <= k < t.outs ==> t.root[k] == \at(t.root[k], Pre); */
    /*@ assert nodes_n: v.n == u->node.n; */
    /*@ assert slots_n: v.m == u->slot.n; */
    /*@ assert outputs_n: w.m == u->output.n; */
    /*@ assert graph_n: g->node.n == v.n; */
    /*@ assert tensors: g->tensor.n == \at(g->tensor.n, Pre); */
    /*@ assert arrays: v.node == u->node.a && v.slot == u->slot.a && w.next == u->output.a; */
    /*@ assert graph: v.in == g->in.a && w.out == g->output.a && nd == g->node.a && g->tensor.a == \at(g->tensor.a, Pre); */
    /*@ assert fields: same_fields{Pre,Here}(u, g); */
    /*@ assert data: same_data{Pre,Here}(nd, v.n); */
    /*@ assert valid: valid_lists(u, g, v, w, nd); */
    /*@ assert in_old: \forall integer s; 0 <= s < v.m ==> !linked{Pre}(v, s) ==> v.in[s] < v.n; */
    /*@ assert in_nodes: in_nodes(v); */
    /*@ assert kept: lists_kept(u, g, v, w, nd); */
    return o;
}

/* p is no name and no label of the nodes. */
/*@ predicate off_names(int *p, struct node *nd, integer n) =
    \forall integer j; 0 <= j < n ==> &nd[j].name != p && &nd[j].label != p; */

/* splice_names, with whole nodes in `assigns`: so the provers see what it leaves. */
/*@ requires valid:    0 <= n && \valid(nd + (0 .. n - 1)) && 0 <= outs && \valid_read(out + (0 .. outs - 1)) &&
                       \valid_read(root + (0 .. outs - 1)) && \base_addr(out) != \base_addr(nd) &&
                       \base_addr(root) != \base_addr(nd);
    requires nodes:    \forall integer k; 0 <= k < outs ==> 0 <= out[k] < n && 0 <= root[k] < n;
    requires roots:    \forall integer k; 0 <= k < outs ==> !among(out, outs, root[k]);
    requires once:     \forall integer i, j; 0 <= i < j < outs ==> out[i] != out[j];
    terminates \true;
    exits    never:    \false;
    assigns  nd[0 .. n - 1];
    ensures  kind: \forall integer x; 0 <= x < n ==> nd[x].kind == \old(nd[x].kind);
    ensures  op: \forall integer x; 0 <= x < n ==> nd[x].op == \old(nd[x].op);
    ensures  in: \forall integer x; 0 <= x < n ==> nd[x].in == \old(nd[x].in);
    ensures  nin: \forall integer x; 0 <= x < n ==> nd[x].nin == \old(nd[x].nin);
    ensures  attr: \forall integer x; 0 <= x < n ==> nd[x].attr == \old(nd[x].attr);
    ensures  nattr: \forall integer x; 0 <= x < n ==> nd[x].nattr == \old(nd[x].nattr);
    ensures  index: \forall integer x; 0 <= x < n ==> nd[x].index == \old(nd[x].index);
    ensures  dtype: \forall integer x; 0 <= x < n ==> nd[x].dtype == \old(nd[x].dtype);
    ensures  data: \forall integer x; 0 <= x < n ==> nd[x].data == \old(nd[x].data);
    ensures  shape_rank: \forall integer x; 0 <= x < n ==> nd[x].shape.rank == \old(nd[x].shape.rank);
    ensures  origin: \forall integer x; 0 <= x < n ==> nd[x].origin == \old(nd[x].origin);
    ensures  dim:      \forall integer x, i; 0 <= x < n ==> 0 <= i < RANK_MAX ==>
                       nd[x].shape.dim[i] == \old(nd[x].shape.dim[i]);
    ensures  ids:      same_ids{Pre,Post}(out, outs) && same_ids{Pre,Post}(root, outs);
    ensures  old:      \forall integer x; 0 <= x < first && x < n ==> !among{Pre}(out, outs, x) ==>
                       nd[x].name == \old(nd[x].name) && nd[x].label == \old(nd[x].label);
    ensures  taken:    \forall integer k; 0 <= k < outs ==> root[k] >= first ==> \old(nd[out[k]].name) >= 0 ==>
                       nd[root[k]].name >= 0;
*/
static void names_whole(struct node *nd, int n, const int *out, const int *root, int outs, int first)
{
    /*@ assert far_kind: \forall integer x; 0 <= x < n ==> off_names(&nd[x].kind, nd, n); */
    /*@ assert far_op: \forall integer x; 0 <= x < n ==> off_names(&nd[x].op, nd, n); */
    /*@ assert far_in: \forall integer x; 0 <= x < n ==> off_names(&nd[x].in, nd, n); */
    /*@ assert far_nin: \forall integer x; 0 <= x < n ==> off_names(&nd[x].nin, nd, n); */
    /*@ assert far_attr: \forall integer x; 0 <= x < n ==> off_names(&nd[x].attr, nd, n); */
    /*@ assert far_nattr: \forall integer x; 0 <= x < n ==> off_names(&nd[x].nattr, nd, n); */
    /*@ assert far_index: \forall integer x; 0 <= x < n ==> off_names(&nd[x].index, nd, n); */
    /*@ assert far_dtype: \forall integer x; 0 <= x < n ==> off_names(&nd[x].dtype, nd, n); */
    /*@ assert far_rank: \forall integer x; 0 <= x < n ==> off_names(&nd[x].shape.rank, nd, n); */
    /*@ assert far_data: \forall integer x; 0 <= x < n ==> off_names(&nd[x].data, nd, n); */
    /*@ assert far_origin: \forall integer x; 0 <= x < n ==> off_names(&nd[x].origin, nd, n); */
    splice_names(nd, n, out, root, outs, first);
    /*@ assert outs: \forall integer k; 0 <= k < outs ==> out[k] == \at(out[k], Pre); */
    /*@ assert roots: \forall integer k; 0 <= k < outs ==> root[k] == \at(root[k], Pre); */
}

/* Origins and names; all else of the nodes stays. */
/*@ requires valid:    0 <= first <= n && \valid(nd + (0 .. n - 1)) && 0 <= outs && \valid_read(out + (0 .. outs - 1)) &&
                       \valid_read(root + (0 .. outs - 1)) && \base_addr(out) != \base_addr(nd) &&
                       \base_addr(root) != \base_addr(nd);
    requires nodes:    \forall integer k; 0 <= k < outs ==> 0 <= out[k] < n && 0 <= root[k] < n;
    requires roots:    \forall integer k; 0 <= k < outs ==> !among(out, outs, root[k]);
    requires once:     \forall integer i, j; 0 <= i < j < outs ==> out[i] != out[j];
    terminates \true;
    exits    never:    \false;
    assigns  nd[0 .. n - 1];
    ensures  same:     same_inside{Pre,Post}(nd, n);
    ensures  named:    \forall integer k; 0 <= k < outs ==> \old(root[k]) >= first ==> \old(nd[out[k]].name) >= 0 ==>
                       nd[\old(root[k])].name >= 0;
    ensures  names:    \forall integer x; 0 <= x < first ==> !among{Pre}(out, outs, x) ==>
                       nd[x].name == \old(nd[x].name) && nd[x].label == \old(nd[x].label);
    ensures  signed:   \forall integer x; 0 <= x < n ==>
                       nd[x].origin == (first <= x && nd[x].kind != NODE_CONST ? from : \old(nd[x].origin));
*/
static void name_whole(struct node *nd, int n, const int *out, const int *root, int outs, int first, int from)
{
    splice_sign(nd, first, n, from);
    /*@ ghost Signed: ; */
    /*@ assert outs: \forall integer k; 0 <= k < outs ==> out[k] == \at(out[k], Pre); */
    /*@ assert roots: \forall integer k; 0 <= k < outs ==> root[k] == \at(root[k], Pre); */
    /*@ assert names: \forall integer x; 0 <= x < n ==> nd[x].name == \at(nd[x].name, Pre); */
    /*@ assert labels: \forall integer x; 0 <= x < n ==> nd[x].label == \at(nd[x].label, Pre); */
    /*@ assert origins: \forall integer x; 0 <= x < first ==> nd[x].origin == \at(nd[x].origin, Pre); */
    /*@ assert sign_kind: \forall integer x; 0 <= x < n ==> nd[x].kind == \at(nd[x].kind, Pre); */
    /*@ assert sign_op: \forall integer x; 0 <= x < n ==> nd[x].op == \at(nd[x].op, Pre); */
    /*@ assert sign_in: \forall integer x; 0 <= x < n ==> nd[x].in == \at(nd[x].in, Pre); */
    /*@ assert sign_nin: \forall integer x; 0 <= x < n ==> nd[x].nin == \at(nd[x].nin, Pre); */
    /*@ assert sign_attr: \forall integer x; 0 <= x < n ==> nd[x].attr == \at(nd[x].attr, Pre); */
    /*@ assert sign_nattr: \forall integer x; 0 <= x < n ==> nd[x].nattr == \at(nd[x].nattr, Pre); */
    /*@ assert sign_index: \forall integer x; 0 <= x < n ==> nd[x].index == \at(nd[x].index, Pre); */
    /*@ assert sign_dtype: \forall integer x; 0 <= x < n ==> nd[x].dtype == \at(nd[x].dtype, Pre); */
    /*@ assert sign_data: \forall integer x; 0 <= x < n ==> nd[x].data == \at(nd[x].data, Pre); */
    /*@ assert sign_shape_rank: \forall integer x; 0 <= x < n ==> nd[x].shape.rank == \at(nd[x].shape.rank, Pre); */
    /*@ assert sign_dim: \forall integer x, i; 0 <= x < n ==> 0 <= i < RANK_MAX ==>
                    nd[x].shape.dim[i] == \at(nd[x].shape.dim[i], Pre); */
    /*@ assert new: \forall integer x; first <= x < n ==> nd[x].kind != NODE_CONST ==> nd[x].origin == from; */
    /*@ assert constants: \forall integer x; first <= x < n ==> nd[x].kind == NODE_CONST ==>
                    nd[x].origin == \at(nd[x].origin, Pre); */
    /*@ assert inside: same_inside{Pre,Here}(nd, n); */
    names_whole(nd, n, out, root, outs, first);
    /*@ assert same: same_inside{Signed,Here}(nd, n); */
    /*@ assert kinds: \forall integer x; 0 <= x < n ==> nd[x].kind == \at(nd[x].kind, Signed); */
    /*@ assert signs: \forall integer x; 0 <= x < n ==> nd[x].origin == \at(nd[x].origin, Signed); */
    /*@ assert new_end: \forall integer x; first <= x < n ==> nd[x].kind != NODE_CONST ==> nd[x].origin == from; */
    /*@ assert constants_end: \forall integer x; first <= x < n ==> nd[x].kind == NODE_CONST ==>
                    nd[x].origin == \at(nd[x].origin, Pre); */
    /*@ assert old_end: \forall integer x; 0 <= x < first ==> nd[x].origin == \at(nd[x].origin, Pre); */
}

void step_names(struct uses *u, struct graph *g, const int *out, const int *root, int outs, int first, int from)
    /*@ ghost (struct uses_view v, struct output_view w, struct order_view o, const struct node *nd) */
{
    (void)u;
    name_whole(g->node.a, g->node.n, out, root, outs, first, from);
    /*@ assert inside: same_inside{Pre,Here}(nd, v.n); */
    /*@ assert still_in: \forall integer x; 0 <= x < v.n ==> nd[x].in == \at(nd[x].in, Pre); */
    /*@ assert still_nin: \forall integer x; 0 <= x < v.n ==> nd[x].nin == \at(nd[x].nin, Pre); */
    /*@ assert still_kind: \forall integer x; 0 <= x < v.n ==> nd[x].kind == \at(nd[x].kind, Pre); */
    /*@ assert fields: same_fields{Pre,Here}(u, g); */
    /*@ assert in: same_in{Pre,Here}(v); */
    /*@ assert heads: same_heads{Pre,Here}(v, -1); */
    /*@ assert users: same_users{Pre,Here}(v); */
    /*@ assert links: same_prevs{Pre,Here}(v, -1, -1) && same_nexts{Pre,Here}(v, -1, -1); */
    /*@ assert uses: same_use_lists{Pre,Here}(v); */
    /*@ assert dead: same_dead{Pre,Here}(v); */
    /*@ assert order: same_order{Pre,Here}(v); */
    /*@ assert outs: same_outs{Pre,Here}(w, -1); */
    /*@ assert nexts: same_out_nexts{Pre,Here}(w, -1); */
    /*@ assert tops: same_out_heads{Pre,Here}(w, -1); */
    /*@ assert nodes: same_nodes{Pre,Here}(v, nd); */
    /*@ assert data: same_data{Pre,Here}(nd, v.n); */
    /*@ assert lists: same_lists{Pre,Here}(v, w, nd); */
    /*@ assert valid: valid_lists(u, g, v, w, nd); */
    /*@ assert in_nodes: in_nodes(v); */
    /*@ assert kept: lists_kept(u, g, v, w, nd); */
    /*@ assert right: lists_right(v, w, o, nd); */
    /*@ assert ids: same_ids{Pre,Here}(out, outs) && same_ids{Pre,Here}(root, outs); */
}

/* splice_move, with whole nodes in `assigns`. */
/*@ requires valid:    valid_outputs(o) && 0 <= n && \valid_read(out + (0 .. n - 1)) && \valid_read(root + (0 .. n - 1));
    requires apart:    off_outputs(o, out) && off_outputs(o, root);
    requires ok:       outputs_ok(o);
    requires nodes:    \forall integer k; 0 <= k < n ==> 0 <= out[k] < o.n && 0 <= root[k] < o.n;
    requires once:     \forall integer i, j; 0 <= i < j < n ==> out[i] != out[j];
    requires roots:    \forall integer k; 0 <= k < n ==> !among(out, n, root[k]);
    terminates \true;
    exits    never:    \false;
    assigns  o.next[0 .. o.m - 1], o.out[0 .. o.m - 1], o.node[0 .. o.n - 1];
    ensures  ok:       outputs_ok(o);
    ensures  moved:    outputs_moved{Pre,Post}(o, out, root, n);
    ensures  none:     \forall integer k; 0 <= k < n ==> o.node[out[k]].outputs == 0;
    ensures  out_names: same_out_names{Pre,Post}(o);
    ensures  heads:    \forall integer x; 0 <= x < o.n ==> o.node[x].head == \old(o.node[x].head);
    ensures  counts:   \forall integer x; 0 <= x < o.n ==> o.node[x].count == \old(o.node[x].count);
    ensures  dead:     \forall integer x; 0 <= x < o.n ==> o.node[x].dead == \old(o.node[x].dead);
    ensures  before:   \forall integer x; 0 <= x < o.n ==> o.node[x].before == \old(o.node[x].before);
    ensures  after:    \forall integer x; 0 <= x < o.n ==> o.node[x].after == \old(o.node[x].after);
    ensures  labels:   \forall integer x; 0 <= x < o.n ==> o.node[x].order == \old(o.node[x].order);
*/
static void move_whole(struct output_view o, const int *out, const int *root, int n)
{
    /*@ assert far_next: \forall integer x; 0 <= x < o.n ==> \separated(&o.node[x].head, o.next + (0 .. o.m - 1)) &&
                         \separated(&o.node[x].count, o.next + (0 .. o.m - 1)); */
    /*@ assert far_out: \forall integer x, p; 0 <= x < o.n ==> 0 <= p < o.m ==> &o.node[x].head != &o.out[p].node &&
                        &o.node[x].count != &o.out[p].node; */
    splice_move(o, out, root, n);
}

void step_outputs(struct uses *u, struct graph *g, const int *out, const int *root, int outs)
    /*@ ghost (struct uses_view v, struct output_view w, struct order_view o, const struct node *nd) */
{
    struct output_view x = uses_outputs(u, g);

    /*@ assert view: x == w; */
    /*@ assert apart: lists_apart(u, g, v, w, nd); */
    /*@ assert off: off_lists(\base_addr(u), g, v, w, nd) && off_lists(\base_addr(g), g, v, w, nd); */
    /*@ assert far_in: \forall integer s; 0 <= s < v.m ==> \separated(v.in + s, w.next + (0 .. w.m - 1)); */
    /*@ assert far_out: \forall integer s; 0 <= s < v.m ==> \separated(v.in + s, w.out + (0 .. w.m - 1)); */
    /*@ assert far_node: \forall integer s; 0 <= s < v.m ==> \separated(v.in + s, w.node + (0 .. w.n - 1)); */
    move_whole(x, out, root, outs);
    /*@ assert nodes_n: v.n == u->node.n; */
    /*@ assert slots_n: v.m == u->slot.n; */
    /*@ assert outputs_n: w.m == u->output.n; */
    /*@ assert graph_n: g->node.n == v.n; */
    /*@ assert tensors: g->tensor.n == \at(g->tensor.n, Pre); */
    /*@ assert first: u->first == \at(u->first, Pre); */
    /*@ assert last: u->last == \at(u->last, Pre); */
    /*@ assert view_still: order_of(o, u); */
    /*@ assert arrays: v.node == u->node.a && v.slot == u->slot.a && w.next == u->output.a; */
    /*@ assert graph: v.in == g->in.a && w.out == g->output.a && nd == g->node.a && g->tensor.a == \at(g->tensor.a, Pre); */
    /*@ assert in_at: \forall integer s; 0 <= s < v.m ==> v.in[s] == \at(v.in[s], Pre); */
    /*@ assert still_in: \forall integer x; 0 <= x < v.n ==> nd[x].in == \at(nd[x].in, Pre); */
    /*@ assert still_nin: \forall integer x; 0 <= x < v.n ==> nd[x].nin == \at(nd[x].nin, Pre); */
    /*@ assert still_kind: \forall integer x; 0 <= x < v.n ==> nd[x].kind == \at(nd[x].kind, Pre); */
    /*@ assert ids_out: \forall integer k; 0 <= k < outs ==> out[k] == \at(out[k], Pre); */
    /*@ assert ids_root: \forall integer k; 0 <= k < outs ==> root[k] == \at(root[k], Pre); */
    /*@ assert fields: same_fields{Pre,Here}(u, g); */
    /*@ assert in: same_in{Pre,Here}(v); */
    /*@ assert heads: same_heads{Pre,Here}(v, -1); */
    /*@ assert users: same_users{Pre,Here}(v); */
    /*@ assert links: same_prevs{Pre,Here}(v, -1, -1) && same_nexts{Pre,Here}(v, -1, -1); */
    /*@ assert uses: same_use_lists{Pre,Here}(v); */
    /*@ assert dead: same_dead{Pre,Here}(v); */
    /*@ assert order: same_order{Pre,Here}(v); */
    /*@ assert nodes: same_nodes{Pre,Here}(v, nd); */
    /*@ assert data: same_data{Pre,Here}(nd, v.n); */
    /*@ assert valid: valid_lists(u, g, v, w, nd); */
    /*@ assert in_nodes: in_nodes(v); */
    /*@ assert kept: lists_kept(u, g, v, w, nd); */
    /*@ assert uses_ok: uses_ok(v); */
    /*@ assert exact: exact(v, nd); */
    /*@ assert topology: topological(v); */
    /*@ assert order_ok: order_ok(o); */
    /*@ assert right: lists_right(v, w, o, nd); */
    /*@ assert ids: same_ids{Pre,Here}(out, outs) && same_ids{Pre,Here}(root, outs); */
}

struct order_view step_place(struct uses *u, struct graph *g, struct list_view l, int low, const int *out, const int *root,
                             int outs)
    /*@ ghost (struct uses_view v, struct output_view w, struct order_view o, const struct node *nd) */
{
    struct uses_view x = uses_lists(u, g);
    struct order_view r = uses_order(u);
    int n;

    /*@ assert view: x == v; */
    /*@ assert order_view: r == o; */
    n = step_listed(u, g, l, x, low) /*@ ghost (w, o, nd, out, root, outs) */;
    /*@ ghost Listed: ; */
    /*@ assert alive: roots_alive(v, root, outs); */
    /*@ assert outs: \forall integer k; 0 <= k < outs ==> 0 <= out[k] < l.first && (out[k] == low || earlier(v, low, out[k])); */
    /*@ assert once: \forall integer i, j; 0 <= i < j < outs ==> out[i] != out[j]; */
    /*@ assert roots: \forall integer k; 0 <= k < outs ==> 0 <= root[k] < v.n && !among(out, outs, root[k]); */
    /*@ assert own: own_block(v, out) && own_block(v, root); */
    /*@ assert stays: \forall integer x; 0 <= x < l.first ==> !early_node{Pre}(l, x) ==> !among(l.list, n, x); */
    /*@ assert as_before: \forall integer a, b; 0 <= a < v.n ==> 0 <= b < v.n ==> (earlier(v, a, b) <==> earlier{Pre}(v, a, b)); */
    r = step_put(u, g, x, r, (struct target_view){ .list = l.list, .n = n, .low = low, .out = out, .root = root, .outs = outs })
        /*@ ghost (w, nd) */;
    /*@ ghost Put: ; */
    /*@ assert moved: edges_moved{Pre,Here}(v, out, root, outs); */
    /*@ assert gone: none_held(v, out, outs); */
    /*@ assert order: \forall integer a, b; 0 <= a < l.first ==> 0 <= b < l.first ==> !early_node{Pre}(l, a) ==>
                      !early_node{Pre}(l, b) ==> (earlier(v, a, b) <==> earlier{Listed}(v, a, b)); */
    step_order(u, g, r) /*@ ghost (v, w, nd) */;
    /*@ assert same: same_in{Put,Here}(v) && same_users{Put,Here}(v); */
    /*@ assert as_put: \forall integer a, b; 0 <= a < v.n ==> 0 <= b < v.n ==> (earlier(v, a, b) <==> earlier{Put}(v, a, b)); */
    /*@ assert ids_put: same_ids{Put,Here}(out, outs) && same_ids{Put,Here}(root, outs); */
    /*@ assert ids: same_ids{Pre,Here}(out, outs) && same_ids{Pre,Here}(root, outs); */
    return r;
}

void step_rest(struct uses *u, struct graph *g, const int *out, const int *root, int outs, int first, int from)
    /*@ ghost (struct uses_view v, struct output_view w, struct order_view o, const struct node *nd) */
{
    step_names(u, g, out, root, outs, first, from) /*@ ghost (v, w, o, nd) */;
    /*@ ghost Named: ; */
    /*@ assert nodes: \forall integer k; 0 <= k < outs ==> 0 <= out[k] < v.n && 0 <= root[k] < v.n && !among(out, outs, root[k]); */
    step_outputs(u, g, out, root, outs) /*@ ghost (v, w, o, nd) */;
    /*@ ghost
        /@ loop invariant range: 0 <= x && (0 <= v.n ==> x <= v.n);
           loop invariant at_kind: \forall integer y; 0 <= y < x ==> nd[y].kind == \at(nd[y].kind, Named);
           loop invariant at_op: \forall integer y; 0 <= y < x ==> nd[y].op == \at(nd[y].op, Named);
           loop invariant at_in: \forall integer y; 0 <= y < x ==> nd[y].in == \at(nd[y].in, Named);
           loop invariant at_nin: \forall integer y; 0 <= y < x ==> nd[y].nin == \at(nd[y].nin, Named);
           loop invariant at_attr: \forall integer y; 0 <= y < x ==> nd[y].attr == \at(nd[y].attr, Named);
           loop invariant at_nattr: \forall integer y; 0 <= y < x ==> nd[y].nattr == \at(nd[y].nattr, Named);
           loop invariant at_index: \forall integer y; 0 <= y < x ==> nd[y].index == \at(nd[y].index, Named);
           loop invariant at_dtype: \forall integer y; 0 <= y < x ==> nd[y].dtype == \at(nd[y].dtype, Named);
           loop invariant at_data: \forall integer y; 0 <= y < x ==> nd[y].data == \at(nd[y].data, Named);
           loop invariant at_shape_rank: \forall integer y; 0 <= y < x ==> nd[y].shape.rank == \at(nd[y].shape.rank, Named);
           loop invariant at_name: \forall integer y; 0 <= y < x ==> nd[y].name == \at(nd[y].name, Named);
           loop invariant at_label: \forall integer y; 0 <= y < x ==> nd[y].label == \at(nd[y].label, Named);
           loop invariant at_origin: \forall integer y; 0 <= y < x ==> nd[y].origin == \at(nd[y].origin, Named);
           loop assigns x;
           loop variant v.n - x;
        @/
        for (int x = 0; x < v.n; x++) {
            /@ assert one_kind: nd[x].kind == \at(nd[\at(x, Here)].kind, Named); @/
            /@ assert one_op: nd[x].op == \at(nd[\at(x, Here)].op, Named); @/
            /@ assert one_in: nd[x].in == \at(nd[\at(x, Here)].in, Named); @/
            /@ assert one_nin: nd[x].nin == \at(nd[\at(x, Here)].nin, Named); @/
            /@ assert one_attr: nd[x].attr == \at(nd[\at(x, Here)].attr, Named); @/
            /@ assert one_nattr: nd[x].nattr == \at(nd[\at(x, Here)].nattr, Named); @/
            /@ assert one_index: nd[x].index == \at(nd[\at(x, Here)].index, Named); @/
            /@ assert one_dtype: nd[x].dtype == \at(nd[\at(x, Here)].dtype, Named); @/
            /@ assert one_data: nd[x].data == \at(nd[\at(x, Here)].data, Named); @/
            /@ assert one_shape_rank: nd[x].shape.rank == \at(nd[\at(x, Here)].shape.rank, Named); @/
            /@ assert one_name: nd[x].name == \at(nd[\at(x, Here)].name, Named); @/
            /@ assert one_label: nd[x].label == \at(nd[\at(x, Here)].label, Named); @/
            /@ assert one_origin: nd[x].origin == \at(nd[\at(x, Here)].origin, Named); @/
        }
    */
    /*@ assert moved_kind: \forall integer x; 0 <= x < v.n ==> nd[x].kind == \at(nd[x].kind, Named); */
    /*@ assert moved_op: \forall integer x; 0 <= x < v.n ==> nd[x].op == \at(nd[x].op, Named); */
    /*@ assert moved_in: \forall integer x; 0 <= x < v.n ==> nd[x].in == \at(nd[x].in, Named); */
    /*@ assert moved_nin: \forall integer x; 0 <= x < v.n ==> nd[x].nin == \at(nd[x].nin, Named); */
    /*@ assert moved_attr: \forall integer x; 0 <= x < v.n ==> nd[x].attr == \at(nd[x].attr, Named); */
    /*@ assert moved_nattr: \forall integer x; 0 <= x < v.n ==> nd[x].nattr == \at(nd[x].nattr, Named); */
    /*@ assert moved_index: \forall integer x; 0 <= x < v.n ==> nd[x].index == \at(nd[x].index, Named); */
    /*@ assert moved_dtype: \forall integer x; 0 <= x < v.n ==> nd[x].dtype == \at(nd[x].dtype, Named); */
    /*@ assert moved_data: \forall integer x; 0 <= x < v.n ==> nd[x].data == \at(nd[x].data, Named); */
    /*@ assert moved_shape_rank: \forall integer x; 0 <= x < v.n ==> nd[x].shape.rank == \at(nd[x].shape.rank, Named); */
    /*@ assert moved_dim: \forall integer x, i; 0 <= x < v.n ==> 0 <= i < RANK_MAX ==>
                    nd[x].shape.dim[i] == \at(nd[x].shape.dim[i], Named); */
    /*@ assert moved_inside: same_inside{Named,Here}(nd, v.n); */
    /*@ assert moved_name: \forall integer x; 0 <= x < v.n ==> nd[x].name == \at(nd[x].name, Named); */
    /*@ assert moved_label: \forall integer x; 0 <= x < v.n ==> nd[x].label == \at(nd[x].label, Named); */
    /*@ assert moved_origin: \forall integer x; 0 <= x < v.n ==> nd[x].origin == \at(nd[x].origin, Named); */
    /*@ assert heads_head: \forall integer x; 0 <= x < v.n ==> v.node[x].head == \at(v.node[x].head, Pre); */
    /*@ assert heads_count: \forall integer x; 0 <= x < v.n ==> v.node[x].count == \at(v.node[x].count, Pre); */
    /*@ assert heads: same_heads{Pre,Here}(v, -1); */
    /*@ assert users: same_users{Pre,Here}(v) && same_in{Pre,Here}(v); */
    /*@ assert links: same_prevs{Pre,Here}(v, -1, -1) && same_nexts{Pre,Here}(v, -1, -1); */
    /*@ assert dead: same_dead{Pre,Here}(v); */
    /*@ assert order_order: \forall integer x; 0 <= x < v.n ==> v.node[x].order == \at(v.node[x].order, Pre); */
    /*@ assert order_before: \forall integer x; 0 <= x < v.n ==> v.node[x].before == \at(v.node[x].before, Pre); */
    /*@ assert order_after: \forall integer x; 0 <= x < v.n ==> v.node[x].after == \at(v.node[x].after, Pre); */
    /*@ assert order: same_order{Pre,Here}(v); */
    /*@ assert nodes_same: same_nodes{Pre,Here}(v, nd); */
    /*@ assert ids: same_ids{Pre,Here}(out, outs) && same_ids{Pre,Here}(root, outs); */
}

#ifdef __FRAMAC__
/* What nodes have inside, but for their dimensions, is as it was. */
#define SAME_INTS                                                                                                        \
    \forall integer x; 0 <= x < v.n ==> nd[x].kind == \at(nd[x].kind, Pre) && nd[x].op == \at(nd[x].op, Pre) &&          \
        nd[x].in == \at(nd[x].in, Pre) && nd[x].nin == \at(nd[x].nin, Pre) && nd[x].attr == \at(nd[x].attr, Pre) &&       \
        nd[x].nattr == \at(nd[x].nattr, Pre) && nd[x].index == \at(nd[x].index, Pre) &&                                  \
        nd[x].dtype == \at(nd[x].dtype, Pre) && nd[x].data == \at(nd[x].data, Pre) &&                                    \
        nd[x].shape.rank == \at(nd[x].shape.rank, Pre)
#endif

/* step_place; nodes are called what they were. */
/*@ STEP_STATE
    STEP_IDS
    requires view:     order_of(o, u);
    STEP_LISTED
    terminates \true;
    exits    never:    \false;
    STEP_PLACED
    ensures  outs:     \forall integer k; 0 <= k < outs ==> 0 <= out[k] < l.first && 0 <= root[k] < v.n &&
                       !among(out, outs, root[k]);
    ensures  once:     \forall integer i, j; 0 <= i < j < outs ==> out[i] != out[j];
    ensures  inside:   same_inside{Pre,Post}(nd, v.n);
    ensures  called:   \forall integer x; 0 <= x < v.n ==> nd[x].name == \old(nd[x].name) && nd[x].label == \old(nd[x].label) &&
                       nd[x].origin == \old(nd[x].origin);
*/
static struct order_view step_placed(struct uses *u, struct graph *g, struct list_view l, int low, const int *out,
                                     const int *root, int outs)
    /*@ ghost (struct uses_view v, struct output_view w, struct order_view o, const struct node *nd) */
{
    struct order_view r;

    /*@ assert outs_before: \forall integer k; 0 <= k < outs ==> 0 <= out[k] < l.first; */
    /*@ assert roots_before: \forall integer k; 0 <= k < outs ==> 0 <= root[k] < v.n && !among(out, outs, root[k]); */
    /*@ assert once_before: \forall integer i, j; 0 <= i < j < outs ==> out[i] != out[j]; */
    r = step_place(u, g, l, low, out, root, outs) /*@ ghost (v, w, o, nd) */;
    /*@ assert same_out: \forall integer k; 0 <= k < outs ==> out[k] == \at(out[k], Pre); */
    /*@ assert same_root: \forall integer k; 0 <= k < outs ==> root[k] == \at(root[k], Pre); */
    /*@ assert outs: \forall integer k; 0 <= k < outs ==> 0 <= out[k] < l.first; */
    /*@ assert range: \forall integer k; 0 <= k < outs ==> 0 <= root[k] < v.n; */
    /*@ assert none_before: \forall integer k; 0 <= k < outs ==> !among{Pre}(out, outs, \at(root[k], Pre)); */
    /*@ assert none_at: \forall integer k; 0 <= k < outs ==> !among(out, outs, \at(root[k], Pre)); */
    /*@ assert once: \forall integer i, j; 0 <= i < j < outs ==> out[i] != out[j]; */
    /*@ assert none: \forall integer k; 0 <= k < outs ==> !among(out, outs, root[k]); */
    /*@ assert placed_kind: \forall integer x; 0 <= x < v.n ==> nd[x].kind == \at(nd[x].kind, Pre); */
    /*@ assert placed_op: \forall integer x; 0 <= x < v.n ==> nd[x].op == \at(nd[x].op, Pre); */
    /*@ assert placed_in: \forall integer x; 0 <= x < v.n ==> nd[x].in == \at(nd[x].in, Pre); */
    /*@ assert placed_nin: \forall integer x; 0 <= x < v.n ==> nd[x].nin == \at(nd[x].nin, Pre); */
    /*@ assert placed_attr: \forall integer x; 0 <= x < v.n ==> nd[x].attr == \at(nd[x].attr, Pre); */
    /*@ assert placed_nattr: \forall integer x; 0 <= x < v.n ==> nd[x].nattr == \at(nd[x].nattr, Pre); */
    /*@ assert placed_index: \forall integer x; 0 <= x < v.n ==> nd[x].index == \at(nd[x].index, Pre); */
    /*@ assert placed_dtype: \forall integer x; 0 <= x < v.n ==> nd[x].dtype == \at(nd[x].dtype, Pre); */
    /*@ assert placed_data: \forall integer x; 0 <= x < v.n ==> nd[x].data == \at(nd[x].data, Pre); */
    /*@ assert placed_shape_rank: \forall integer x; 0 <= x < v.n ==> nd[x].shape.rank == \at(nd[x].shape.rank, Pre); */
    /*@ assert placed_dim: \forall integer x, i; 0 <= x < v.n ==> 0 <= i < RANK_MAX ==>
                    nd[x].shape.dim[i] == \at(nd[x].shape.dim[i], Pre); */
    /*@ assert placed_ints: SAME_INTS; */
    /*@ assert placed_inside: same_inside{Pre,Here}(nd, v.n); */
    /*@ assert placed_name: \forall integer x; 0 <= x < v.n ==> nd[x].name == \at(nd[x].name, Pre); */
    /*@ assert placed_label: \forall integer x; 0 <= x < v.n ==> nd[x].label == \at(nd[x].label, Pre); */
    /*@ assert placed_origin: \forall integer x; 0 <= x < v.n ==> nd[x].origin == \at(nd[x].origin, Pre); */
    return r;
}

/* splice_drop, seen from all the lists. */
/*@ STEP_STATE
    STEP_IDS
    requires view:     order_of(o, u);
    requires first:    0 <= first <= v.n;
    requires nodes:    \forall integer k; 0 <= k < outs ==> 0 <= out[k] < v.n;
    requires gone:     none_held(v, out, outs);
    requires none:     \forall integer k; 0 <= k < outs ==> w.node[out[k]].outputs == 0;
    terminates \true;
    exits    never:    \false;
    DROP_ASSIGNS
    ensures  kept:     lists_kept(u, g, v, w, nd);
    STEP_SAME_IDS
    ensures  right:    order_of(o, u) && lists_right(v, w, o, nd);
    ensures  order:    same_order{Pre,Post}(v);
    ensures  fewer:    fewer_users{Pre,Post}(v);
    ensures  in:       same_in{Pre,Post}(v);
    ensures  outs:     same_outs{Pre,Post}(w, -1);
    ensures  stays:    stay_dead{Pre,Post}(v);
    ensures  unneeded: died_unneeded{Pre,Post}(v, nd);
    ensures  rest:     \forall integer x; garbage(v, nd, x) ==> garbage{Pre}(v, nd, x) && !among(out, outs, x) && x < first;
    ensures  replaced: \forall integer k; 0 <= k < outs ==> nd[out[k]].kind != NODE_INPUT ==> v.node[out[k]].dead;
    ensures  nodes:    same_nodes{Pre,Post}(v, nd);
    ensures  inside:   same_inside{Pre,Post}(nd, v.n);
    ensures  called:   \forall integer x; 0 <= x < v.n ==> nd[x].name == \old(nd[x].name) && nd[x].label == \old(nd[x].label) &&
                       nd[x].origin == \old(nd[x].origin);
*/
static void step_dropped(struct uses *u, struct graph *g, const int *out, int outs, int first)
    /*@ ghost (const int *root, struct uses_view v, struct output_view w, struct order_view o, const struct node *nd) */
{
    /*@ assert own: own_block(v, root) && \base_addr(root) != \base_addr(g->tensor.a); */
    splice_drop(u, g, out, outs, first) /*@ ghost (v, w, nd) */;
    /*@ assert end_kind: \forall integer x; 0 <= x < v.n ==> nd[x].kind == \at(nd[x].kind, Pre); */
    /*@ assert end_op: \forall integer x; 0 <= x < v.n ==> nd[x].op == \at(nd[x].op, Pre); */
    /*@ assert end_in: \forall integer x; 0 <= x < v.n ==> nd[x].in == \at(nd[x].in, Pre); */
    /*@ assert end_nin: \forall integer x; 0 <= x < v.n ==> nd[x].nin == \at(nd[x].nin, Pre); */
    /*@ assert end_attr: \forall integer x; 0 <= x < v.n ==> nd[x].attr == \at(nd[x].attr, Pre); */
    /*@ assert end_nattr: \forall integer x; 0 <= x < v.n ==> nd[x].nattr == \at(nd[x].nattr, Pre); */
    /*@ assert end_index: \forall integer x; 0 <= x < v.n ==> nd[x].index == \at(nd[x].index, Pre); */
    /*@ assert end_dtype: \forall integer x; 0 <= x < v.n ==> nd[x].dtype == \at(nd[x].dtype, Pre); */
    /*@ assert end_data: \forall integer x; 0 <= x < v.n ==> nd[x].data == \at(nd[x].data, Pre); */
    /*@ assert end_shape_rank: \forall integer x; 0 <= x < v.n ==> nd[x].shape.rank == \at(nd[x].shape.rank, Pre); */
    /*@ assert end_dim: \forall integer x, i; 0 <= x < v.n ==> 0 <= i < RANK_MAX ==>
                    nd[x].shape.dim[i] == \at(nd[x].shape.dim[i], Pre); */
    /*@ assert end_ints: SAME_INTS; */
    /*@ assert end_inside: same_inside{Pre,Here}(nd, v.n); */
    /*@ assert end_name: \forall integer x; 0 <= x < v.n ==> nd[x].name == \at(nd[x].name, Pre); */
    /*@ assert end_label: \forall integer x; 0 <= x < v.n ==> nd[x].label == \at(nd[x].label, Pre); */
    /*@ assert end_origin: \forall integer x; 0 <= x < v.n ==> nd[x].origin == \at(nd[x].origin, Pre); */
    /*@ assert nodes: same_nodes{Pre,Here}(v, nd); */
    /*@ assert ids_out: \forall integer j; 0 <= j < outs ==> out[j] == \at(out[j], Pre); */
    /*@ assert ids_root: \forall integer j; 0 <= j < outs ==> root[j] == \at(root[j], Pre); */
    /*@ assert ids: same_ids{Pre,Here}(out, outs) && same_ids{Pre,Here}(root, outs); */
    /*@ assert view_first: u->first == \at(u->first, Pre); */
    /*@ assert view_last: u->last == \at(u->last, Pre); */
    /*@ assert view: order_of(o, u); */
    /*@ assert order: order_ok(o); */
    /*@ assert unneeded: \forall integer k; 0 <= k < outs ==> nd[out[k]].kind != NODE_INPUT ==> unneeded(v, nd, out[k]); */
    /*@ assert among: \forall integer k; 0 <= k < outs ==> among(out, outs, out[k]); */
}

void splice_step(struct uses *u, struct graph *g, struct list_view l, int low, const int *out, const int *root, int outs, int from)
    /*@ ghost (struct uses_view v, struct output_view w, struct order_view o, const struct node *nd) */
{
    struct order_view r;

    r = step_placed(u, g, l, low, out, root, outs) /*@ ghost (v, w, o, nd) */;
    (void)r;
    /*@ ghost Placed: ; */
    /*@ assert names_placed: \forall integer k; 0 <= k < outs ==> \at(nd[out[k]].name, Pre) >= 0 ==> nd[out[k]].name >= 0; */
    step_rest(u, g, out, root, outs, l.first, from) /*@ ghost (v, w, r, nd) */;
    /*@ ghost Moved: ; */
    /*@ assert roots_moved: \forall integer k; 0 <= k < outs ==> root[k] == \at(root[k], Placed); */
    /*@ assert named_moved: \forall integer k; 0 <= k < outs ==> root[k] >= l.first ==> \at(nd[out[k]].name, Pre) >= 0 ==>
                    nd[root[k]].name >= 0; */
    /*@ assert edges: edges_moved{Pre,Here}(v, out, root, outs); */
    /*@ assert outputs: outputs_moved{Pre,Here}(w, out, root, outs); */
    /*@ assert users: same_users{Pre,Here}(v); */
    /*@ assert dead: same_dead{Pre,Here}(v); */
    /*@ assert same_nodes: same_nodes{Pre,Here}(v, nd); */
    /*@ assert found: heads_found(v); */
    /*@ assert gone: none_held(v, out, outs); */
    /*@ assert ids: same_ids{Pre,Here}(out, outs) && same_ids{Pre,Here}(root, outs); */
    /*@ assert back: \forall integer x; unneeded(v, nd, x) ==> !among(out, outs, x) ==> unneeded{Pre}(v, nd, x); */
    step_dropped(u, g, out, outs, l.first) /*@ ghost (root, v, w, r, nd) */;
    /*@ assert ids_end: same_ids{Pre,Here}(out, outs) && same_ids{Pre,Here}(root, outs); */
    /*@ assert roots_end: \forall integer k; 0 <= k < outs ==> root[k] == \at(root[k], Moved); */
    /*@ assert roots_range: \forall integer k; 0 <= k < outs ==> 0 <= root[k] < v.n; */
    /*@ assert named_end: \forall integer k; 0 <= k < outs ==> root[k] >= l.first ==> \at(nd[out[k]].name, Pre) >= 0 ==>
                    nd[root[k]].name >= 0; */
    /*@ assert right: lists_right(v, w, r, nd); */
    /*@ assert edges_end: edges_moved{Pre,Here}(v, out, root, outs); */
    /*@ assert outputs_end: outputs_moved{Pre,Here}(w, out, root, outs); */
}

void splice_ready(struct match_key *early, int n)
    /*@ ghost (struct uses *u, struct graph *g, struct list_view l, int low, const int *out, const int *root, int outs,
               struct uses_view v, struct output_view w, struct order_view o, const struct node *nd) */
{
    /*@ assert differ: labels_differ(v); */
    /*@ assert outs_before: \forall integer k; 0 <= k < outs ==> 0 <= out[k] < l.first; */
    /*@ assert roots_before: \forall integer j, k; 0 <= j < outs ==> 0 <= k < outs ==> out[j] != root[k]; */
    splice_sort(early, n) /*@ ghost (v, l, low) */;
    /*@ assert fields: same_fields{Pre,Here}(u, g); */
    /*@ assert ends: u->first == \at(u->first, Pre) && u->last == \at(u->last, Pre); */
    /*@ assert list_order: \forall integer x; 0 <= x < v.n ==> v.node[x].order == \at(v.node[x].order, Pre); */
    /*@ assert list_before: \forall integer x; 0 <= x < v.n ==> v.node[x].before == \at(v.node[x].before, Pre); */
    /*@ assert list_after: \forall integer x; 0 <= x < v.n ==> v.node[x].after == \at(v.node[x].after, Pre); */
    /*@ assert list_head: \forall integer x; 0 <= x < v.n ==> v.node[x].head == \at(v.node[x].head, Pre); */
    /*@ assert list_count: \forall integer x; 0 <= x < v.n ==> v.node[x].count == \at(v.node[x].count, Pre); */
    /*@ assert list_dead: \forall integer x; 0 <= x < v.n ==> v.node[x].dead == \at(v.node[x].dead, Pre); */
    /*@ assert list_output: \forall integer x; 0 <= x < v.n ==> v.node[x].output == \at(v.node[x].output, Pre); */
    /*@ assert list_outputs: \forall integer x; 0 <= x < v.n ==> v.node[x].outputs == \at(v.node[x].outputs, Pre); */
    /*@ assert in: same_in{Pre,Here}(v); */
    /*@ assert heads: same_heads{Pre,Here}(v, -1); */
    /*@ assert users: same_users{Pre,Here}(v); */
    /*@ assert links: same_prevs{Pre,Here}(v, -1, -1) && same_nexts{Pre,Here}(v, -1, -1); */
    /*@ assert uses: same_use_lists{Pre,Here}(v); */
    /*@ assert dead: same_dead{Pre,Here}(v); */
    /*@ assert order: same_order{Pre,Here}(v); */
    /*@ assert outputs: same_outs{Pre,Here}(w, -1); */
    /*@ assert nexts: same_out_nexts{Pre,Here}(w, -1); */
    /*@ assert tops: same_out_heads{Pre,Here}(w, -1); */
    /*@ assert nodes_kind: \forall integer x; 0 <= x < v.n ==> nd[x].kind == \at(nd[x].kind, Pre); */
    /*@ assert nodes_in: \forall integer x; 0 <= x < v.n ==> nd[x].in == \at(nd[x].in, Pre); */
    /*@ assert nodes_nin: \forall integer x; 0 <= x < v.n ==> nd[x].nin == \at(nd[x].nin, Pre); */
    /*@ assert nodes_data: \forall integer x; 0 <= x < v.n ==> nd[x].data == \at(nd[x].data, Pre); */
    /*@ assert nodes: same_nodes{Pre,Here}(v, nd); */
    /*@ assert data: same_data{Pre,Here}(nd, v.n); */
    /*@ assert lists: same_lists{Pre,Here}(v, w, nd); */
    /*@ assert valid: valid_lists(u, g, v, w, nd); */
    /*@ assert in_nodes: in_nodes(v); */
    /*@ assert kept: lists_kept(u, g, v, w, nd); */
    /*@ assert right: lists_right(v, w, o, nd); */
    /*@ assert same_out: \forall integer k; 0 <= k < outs ==> out[k] == \at(out[k], Pre); */
    /*@ assert same_root: \forall integer k; 0 <= k < outs ==> root[k] == \at(root[k], Pre); */
    /*@ assert earlier: \forall integer a, b; 0 <= a < v.n ==> 0 <= b < v.n ==> (earlier(v, a, b) <==> earlier{Pre}(v, a, b)); */
    /*@ assert new_last: new_last(v, l, low); */
    /*@ assert linked: \forall integer s; linked(v, s) <==> linked{Pre}(v, s); */
    /*@ assert inputs: \forall integer s; linked(v, s) ==> 0 <= v.in[s] < v.n; */
    /*@ assert closed: early_closed(v, l, low); */
    /*@ assert list: step_list(v, l, low); */
    /*@ assert outs_early: \forall integer k; 0 <= k < outs ==> !early_node(l, out[k]); */
    /*@ assert outs_after: \forall integer k; 0 <= k < outs ==> out[k] == low || earlier(v, low, out[k]); */
    /*@ assert outs_once: \forall integer i, j; 0 <= i < j < outs ==> out[i] != out[j]; */
    /*@ assert outs: step_outs(v, l, out, outs, low); */
    /*@ assert roots_alive: roots_alive(v, root, outs); */
    /*@ assert roots_differ: \forall integer j, k; 0 <= j < outs ==> 0 <= k < outs ==> out[j] != root[k]; */
    /*@ assert roots_at: \forall integer k; 0 <= k < outs ==>
                    root[k] >= l.first || early_node(l, root[k]) || earlier(v, root[k], low); */
    /*@ assert roots: step_roots(v, l, out, root, outs, low); */
}

#ifdef __FRAMAC__
#include "rewrite/substitute.acsl"
#endif

/* splice_ready; nodes are called what they were, and have inside what they had. */
/*@ READY_GIVEN
    terminates \true;
    exits    never:    \false;
    READY_DOES
    ensures  inside:   same_inside{Pre,Post}(nd, v.n);
    ensures  called:   \forall integer x; 0 <= x < v.n ==> nd[x].name == \old(nd[x].name) && nd[x].label == \old(nd[x].label) &&
                       nd[x].origin == \old(nd[x].origin);
*/
static void apply_ready(struct match_key *early, int n)
    /*@ ghost (struct uses *u, struct graph *g, struct list_view l, int low, const int *out, const int *root, int outs,
               struct uses_view v, struct output_view w, struct order_view o, const struct node *nd) */
{
    splice_ready(early, n) /*@ ghost (u, g, l, low, out, root, outs, v, w, o, nd) */;
    /*@ assert kind: \forall integer x; 0 <= x < v.n ==> nd[x].kind == \at(nd[x].kind, Pre); */
    /*@ assert op: \forall integer x; 0 <= x < v.n ==> nd[x].op == \at(nd[x].op, Pre); */
    /*@ assert in: \forall integer x; 0 <= x < v.n ==> nd[x].in == \at(nd[x].in, Pre); */
    /*@ assert nin: \forall integer x; 0 <= x < v.n ==> nd[x].nin == \at(nd[x].nin, Pre); */
    /*@ assert attr: \forall integer x; 0 <= x < v.n ==> nd[x].attr == \at(nd[x].attr, Pre); */
    /*@ assert nattr: \forall integer x; 0 <= x < v.n ==> nd[x].nattr == \at(nd[x].nattr, Pre); */
    /*@ assert index: \forall integer x; 0 <= x < v.n ==> nd[x].index == \at(nd[x].index, Pre); */
    /*@ assert dtype: \forall integer x; 0 <= x < v.n ==> nd[x].dtype == \at(nd[x].dtype, Pre); */
    /*@ assert data: \forall integer x; 0 <= x < v.n ==> nd[x].data == \at(nd[x].data, Pre); */
    /*@ assert rank: \forall integer x; 0 <= x < v.n ==> nd[x].shape.rank == \at(nd[x].shape.rank, Pre); */
    /*@ assert dim: \forall integer x, i; 0 <= x < v.n ==> 0 <= i < RANK_MAX ==>
                    nd[x].shape.dim[i] == \at(nd[x].shape.dim[i], Pre); */
    /*@ assert name: \forall integer x; 0 <= x < v.n ==> nd[x].name == \at(nd[x].name, Pre); */
    /*@ assert label: \forall integer x; 0 <= x < v.n ==> nd[x].label == \at(nd[x].label, Pre); */
    /*@ assert origin: \forall integer x; 0 <= x < v.n ==> nd[x].origin == \at(nd[x].origin, Pre); */
}

void splice_apply(struct uses *u, struct graph *g, struct match_key *early, struct list_view l, int low, const int *out,
                  const int *root, int outs, int from)
    /*@ ghost (struct uses_view v, struct output_view w, struct order_view o, const struct node *nd) */
{
    /*@ assert roots_before: \forall integer k; 0 <= k < outs ==> 0 <= root[k] < v.n; */
    /*@ assert outs_before: \forall integer k; 0 <= k < outs ==> 0 <= out[k] < l.first; */
    apply_ready(early, l.nearly) /*@ ghost (u, g, l, low, out, root, outs, v, w, o, nd) */;
    /*@ ghost Ready: ; */
    /*@ assert lists: same_lists{Pre,Here}(v, w, nd); */
    /*@ assert inside: same_inside{Pre,Here}(nd, v.n); */
    /*@ assert users: same_users{Pre,Here}(v); */
    /*@ assert in: same_in{Pre,Here}(v); */
    /*@ assert dead: same_dead{Pre,Here}(v); */
    /*@ assert nodes: same_nodes{Pre,Here}(v, nd); */
    /*@ assert ids: same_ids{Pre,Here}(out, outs) && same_ids{Pre,Here}(root, outs); */
    /*@ assert among: \forall integer x; among(out, outs, x) <==> among{Pre}(out, outs, x); */
    /*@ assert linked: \forall integer s; linked(v, s) <==> linked{Pre}(v, s); */
    /*@ assert earlier: \forall integer a, b; 0 <= a < v.n ==> 0 <= b < v.n ==> (earlier(v, a, b) <==> earlier{Pre}(v, a, b)); */
    /*@ assert garbage: \forall integer x; garbage(v, nd, x) ==> garbage{Pre}(v, nd, x); */
    /*@ assert outs: same_outs{Pre,Here}(w, -1); */
    /*@ assert out_names: same_out_names{Pre,Here}(w); */
    splice_step(u, g, l, low, out, root, outs, from) /*@ ghost (v, w, o, nd) */;
    /*@ assert moved_step: edges_moved{Ready,Here}(v, out, root, outs); */
    /*@ assert moved: edges_moved{Pre,Here}(v, out, root, outs); */
    /*@ assert outputs_step: outputs_moved{Ready,Here}(w, out, root, outs); */
    /*@ assert outputs: outputs_moved{Pre,Here}(w, out, root, outs); */
    /*@ assert ids_end: same_ids{Pre,Here}(out, outs) && same_ids{Pre,Here}(root, outs); */
    /*@ assert same_out: \forall integer k; 0 <= k < outs ==> out[k] == \at(out[k], Pre); */
    /*@ assert same_root: \forall integer k; 0 <= k < outs ==> root[k] == \at(root[k], Pre); */
    /*@ assert among_end: \forall integer x; among(out, outs, x) <==> among{Pre}(out, outs, x); */
    /*@ assert outs_range: \forall integer k; 0 <= k < outs ==> 0 <= out[k] < l.first; */
    /*@ assert roots_range: \forall integer k; 0 <= k < outs ==> 0 <= \at(root[k], Pre) < v.n; */
    /*@ assert inside_step: same_inside{Ready,Here}(nd, v.n); */
    /*@ assert dims: \forall integer x, i; 0 <= x < v.n ==> 0 <= i < RANK_MAX ==>
                    nd[x].shape.dim[i] == \at(nd[x].shape.dim[i], Pre); */
    /*@ assert inside_end: same_inside{Pre,Here}(nd, v.n); */
}

void splice_early(struct early_view v, int done, struct match_key *key)
{
    /*@ assert all: \forall integer j; v.r.g.n - done <= j < v.r.g.n ==> taken(v.r, done, v.r.work[j]); */
    splice_keys(v.r.g.use, v.r.work, v.r.g.n, done, key);
    /*@ assert work: \forall integer j; v.r.g.n - done <= j < v.r.g.n ==> v.r.work[j] == \at(v.r.work[j], Pre); */
    /*@ assert orders: \forall integer x; 0 <= x < v.r.g.n ==> v.r.g.use[x].order == \at(v.r.g.use[x].order, Pre); */
    /*@ assert in: \forall integer x; 0 <= x < v.total ==> v.r.g.node[x].in == \at(v.r.g.node[x].in, Pre); */
    /*@ assert nin: \forall integer x; 0 <= x < v.total ==> v.r.g.node[x].nin == \at(v.r.g.node[x].nin, Pre); */
    /*@ assert inputs: \forall integer s; v.r.g.in[s] == \at(v.r.g.in[s], Pre); */
    /*@ assert args: \forall integer x, k; 0 <= x < v.total ==> arg(v.r.g, x, k) == arg{Pre}(v.r.g, x, k); */
    /*@ assert outs: \forall integer k; 0 <= k < v.nouts ==> v.outs[k] == \at(v.outs[k], Pre); */
    /*@ assert roots: \forall integer k; 0 <= k < v.nouts ==> v.root[k] == \at(v.root[k], Pre); */
    /*@ assert outputs: \forall integer x; is_output(v, x) <==> is_output{Pre}(v, x); */
    /*@ assert ranges: \forall integer x; is_output(v, x) ==> 0 <= x < v.r.g.n; */
    /*@ assert after: \forall integer x; 0 <= x < v.r.g.n ==> (after_out(v, x) <==> after_out{Pre}(v, x)); */
    /*@ assert to: \forall integer k; 0 <= k < done ==> taken{Pre}(v.r, done, key[k].node); */
    /*@ assert at: \forall integer j; v.r.g.n - done <= j < v.r.g.n ==> key[v.r.g.n - 1 - j].node == \at(v.r.work[j], Pre); */
    /*@ assert from: \forall integer j; v.r.g.n - done <= j < v.r.g.n ==> key_node(key, done, \at(v.r.work[j], Pre)); */
    /*@ assert keys: \forall integer x; taken{Pre}(v.r, done, x) <==> key_node(key, done, x); */
    /*@ assert nodes: keys_nodes(v, key, done); */
    /*@ assert own: \forall integer i, j; v.r.g.n - done <= i < j < v.r.g.n ==> \at(v.r.work[i], Pre) != \at(v.r.work[j], Pre); */
    /*@ assert places: \forall integer k; 0 <= k < done ==> key[k].node == \at(v.r.work[v.r.g.n - 1 - \at(k, Here)], Pre); */
    /*@ assert distinct: keys_distinct(key, done); */
    /*@ assert reads: \forall integer x, k; v.r.g.n <= x < v.total ==> 0 <= k < v.r.g.node[x].nin ==>
                    0 <= arg(v.r.g, x, k) < v.r.g.n ==> reads{Pre}(v, arg(v.r.g, x, k)); */
    /*@ assert new: \forall integer x, k; v.r.g.n <= x < v.total ==> 0 <= k < v.r.g.node[x].nin ==>
                    0 <= arg(v.r.g, x, k) < v.r.g.n ==> after_out(v, arg(v.r.g, x, k)) ==> key_node(key, done, arg(v.r.g, x, k)); */
    /*@ assert old: \forall integer x, k; key_node(key, done, x) ==> 0 <= k < v.r.g.node[x].nin ==>
                    0 <= arg(v.r.g, x, k) < v.r.g.n ==> after_out(v, arg(v.r.g, x, k)) ==> key_node(key, done, arg(v.r.g, x, k)); */
    /*@ assert closed: keys_closed(v, key, done); */
    /*@ assert roots_read: \forall integer k; 0 <= k < v.nouts ==> 0 <= v.root[k] < v.r.g.n ==> reads{Pre}(v, v.root[k]); */
    /*@ assert roots_found: keys_roots(v, key, done); */
}

struct early_end splice_find(struct early_view v, struct match_key *key)
{
    struct early_end e = early_check(v);

    if (e.hit < 0)
        splice_early(v, e.done, key);
    return e;
}

/* The lists take in the new nodes; wherever they stand then, all is as splice_apply requires it. */
/*@ PUT_REQUIRES
    terminates \true;
    exits    never:    \false;
    assigns  *u, *u->mem, *d, { *p | struct use_node *p; \true }, { *q | struct use_slot *q; \true }, { *k | int *k; \true };
    ensures  result:   \result == CALQUE_OK || \result == CALQUE_NOMEM;
    ensures  none:     \result != CALQUE_OK ==> same_uses{Pre,Post}(u) && moved_uses{Pre,Post}(u) && uses_ready(u, g);
    ensures  all:      \result == CALQUE_OK ==> all_in(u, g);
    ensures  graph:    graph_kept{Pre,Post}(g) && g->tensor.a == \old(g->tensor.a) && g->tensor.n == \old(g->tensor.n);
    ensures  lists:    \result == CALQUE_OK ==> \forall struct uses_view v, struct output_view w, struct order_view o;
                       views_of(v, w, o, u, g) ==> put_lists(u, g, v, w, o, g->node.a);
    ensures  found:    \result == CALQUE_OK ==> \forall struct uses_view v, integer low; lists_of(v, u, g) ==>
                       first_of(v, e.outs, e.nouts, low) ==> 0 <= low < l.first && put_found(v, l, e.outs, e.root, e.nouts, low);
    ensures  caller:   held_same{Pre,Post} && held_apart(u, d) && put_held(g, e, l) && put_apart(g, e, l);
    ensures  keys:     same_keys{Pre,Post}(l.early, l.nearly);
    ensures  ids:      same_ids{Pre,Post}(e.outs, e.nouts) && same_ids{Pre,Post}(e.root, e.nouts);
    ensures  inside:   same_inside{Pre,Post}(g->node.a, l.n) && same_called{Pre,Post}(g->node.a, l.n);
    ensures  outs:     \forall struct output_view w; w.out == g->output.a ==> same_outs{Pre,Post}(w, -1);
    ensures  kept:     moved_labels{Pre,Post}(\old(u->node.a), u->node.a, \old(u->node.n));
    ensures  dead:     carried_dead{Pre,Post}(\old(u->node.a), u->node.a, \old(u->node.n));
    ensures  alive:    \result == CALQUE_OK ==> \forall integer k; l.first <= k < l.n ==> !u->node.a[k].dead;
*/
static enum calque_status put_extend(struct uses *u, const struct graph *g, struct diag *d)
    /*@ ghost (struct early_view e, struct list_view l) */
{
    enum calque_status status;
    /*@ ghost struct uses_view v = { .node = u->node.a, .slot = u->slot.a, .in = g->in.a, .n = u->node.n, .m = u->slot.n }; */
    /*@ ghost struct output_view p = { .node = u->node.a, .next = u->output.a, .out = g->output.a, .n = u->node.n,
                                       .m = u->output.n }; */
    /*@ ghost struct order_view o = { .node = u->node.a, .n = u->node.n, .first = u->first, .last = u->last }; */
    /*@ ghost const struct node *nd = g->node.a; */

    /*@ assert views: views_of(v, p, o, u, g); */ /*@ assert lists: lists_ready(v, p, o, nd); */
    /*@ assert topology: topological(v); */
    /*@ assert outputs_in: \forall integer x; is_output(e, x) ==> 0 <= x < e.r.g.n; */
    status = uses_extend(u, g, d);
    /*@ assert keys: same_keys{Pre,Here}(l.early, l.nearly); */
    /*@ assert outs: same_ids{Pre,Here}(e.outs, e.nouts); */
    /*@ assert roots: same_ids{Pre,Here}(e.root, e.nouts); */
    /*@ assert inside: same_inside{Pre,Here}(nd, l.n); */
    /*@ assert called: same_called{Pre,Here}(nd, l.n); */
    /*@ assert tensors: g->tensor.n == \at(g->tensor.n, Pre); */ /*@ assert arrays: g->tensor.a == \at(g->tensor.a, Pre); */
    /*@ assert held: put_held(g, e, l) && put_apart(g, e, l); */
    if (status != CALQUE_OK)
        return status;
    /*@ ghost struct uses_view w = { .node = u->node.a, .slot = u->slot.a, .in = g->in.a, .n = u->node.n, .m = u->slot.n }; */
    /*@ ghost struct output_view q = { .node = u->node.a, .next = u->output.a, .out = g->output.a, .n = u->node.n,
                                       .m = u->output.n }; */
    /*@ ghost struct order_view r = { .node = u->node.a, .n = u->node.n, .first = u->first, .last = u->last }; */
    /*@ assert views_now: views_of(w, q, r, u, g); */
    /*@ assert lists_now: lists_ready(w, q, r, nd); */ /*@ assert all: all_in(u, g); */
    /*@ assert held_nodes: held_nodes(g); */ /*@ assert same_nodes: same_nodes{Pre,Here}(w, nd); */
    /*@ assert same_in: same_in{Pre,Here}(w); */ /*@ assert taken: taken_in{Pre,Here}(v, w, nd); */
    /*@ assert topology_now: topological(w); */ /*@ assert data: same_data{Pre,Here}(nd, l.n); */
    /*@ assert ranges: ranges_in(nd, g->node.n, g->in.n); */
    /*@ assert inputs: ids_in(g->in.a, 0, g->in.n, g->node.n); */
    /*@ assert valid_data: valid_data(g, nd, l.n); */
    /*@ assert uses: valid_uses(w); */ /*@ assert outputs: valid_outputs(q); */
    /*@ assert beside: side_by_side(w, q); */ /*@ assert nodes: valid_nodes(w, nd); */
    /*@ assert apart: lists_apart(u, g, w, q, nd) && nodes_aside(q, nd) && heads_off(u, g, w, q, nd); */
    /*@ assert kept: lists_kept(u, g, w, q, nd); */ /*@ assert right: lists_right(w, q, r, nd); */
    /*@ assert differ: labels_differ(w); */ /*@ assert stood: stood{Pre,Here}(e, w); */
    /*@ assert check_kept: check_kept{Pre,Here}(e, w, nd, l); */
    /*@ assert alive: roots_alive(w, e.root, e.nouts); */
    /*@ assert appended: appended(w.node, l.first, l.n); */
    /*@ assert new_last: \forall integer low; new_last(w, l, low); */
    /*@ assert first: \forall integer low; first_of(w, e.outs, e.nouts, low) ==> is_first{Pre}(e, low); */
    /*@ assert closed: \forall integer low; first_of(w, e.outs, e.nouts, low) ==> early_closed(w, l, low); */
    /*@ assert early: \forall integer low; first_of(w, e.outs, e.nouts, low) ==> early_found(w, l, low); */
    /*@ assert once: \forall integer i, j; 0 <= i < j < e.nouts ==> e.outs[i] != e.outs[j]; */
    /*@ assert step_outs: \forall integer low; first_of(w, e.outs, e.nouts, low) ==> step_outs(w, l, e.outs, e.nouts, low); */
    /*@ assert step_roots: \forall integer low; first_of(w, e.outs, e.nouts, low) ==>
                           step_roots(w, l, e.outs, e.root, e.nouts, low); */
    /*@ assert one_view: \forall struct uses_view x; lists_of(x, u, g) ==> x == w; */
    /*@ assert one_output: \forall struct output_view x; outputs_in(x, u, g) ==> x == q; */
    /*@ assert one_order: \forall struct order_view x; order_of(x, u) ==> x == r; */
    return CALQUE_OK;
}

/* splice_apply before the first of the outputs; the graph's numbers stay. */
/*@ APPLY_GIVEN
    requires list:     valid_list(l) && l.n == v.n;
    requires outs:     0 < outs && \forall integer k; 0 <= k < outs ==> 0 <= out[k] < l.first;
    requires found:    \forall integer low; first_of(v, out, outs, low) ==> 0 <= low < l.first &&
                       put_found(v, l, out, root, outs, low);
    terminates \true;
    exits    never:    \false;
    APPLY_DOES
    ensures  counts:   g->in.n == \old(g->in.n) && g->output.n == \old(g->output.n);
*/
static void put_apply(struct uses *u, struct graph *g, struct match_key *early, struct list_view l, const int *out,
                      const int *root, int outs, int from)
    /*@ ghost (struct uses_view v, struct output_view w, struct order_view o, const struct node *nd) */
{
    int low = order_first(u->node.a, out, outs);

    /*@ assert first: first_of(v, out, outs, low); */
    /*@ assert found: 0 <= low < l.first && put_found(v, l, out, root, outs, low); */
    /*@ assert off_node: \base_addr(g) != \base_addr(v.node); */
    /*@ assert off_slot: \base_addr(g) != \base_addr(v.slot); */
    /*@ assert off_in: \base_addr(g) != \base_addr(v.in); */
    /*@ assert off_next: \base_addr(g) != \base_addr(w.next) && \base_addr(g) != \base_addr(w.out); */
    /*@ assert off_nodes: \base_addr(g) != \base_addr(nd) && \base_addr(g) != \base_addr(g->node.a); */
    /*@ assert off_tensor: \base_addr(g) != \base_addr(g->tensor.a) && \base_addr(g) != \base_addr(u); */
    /*@ assert off_keys: \base_addr(g) != \base_addr(early) && \base_addr(g) != \base_addr(l.list); */
    /*@ assert far_lists: \separated(&g->in.n, v.node + (0 .. v.n - 1)) && \separated(&g->in.n, v.slot + (0 .. v.m - 1)) &&
                          \separated(&g->in.n, v.in + (0 .. v.m - 1)); */
    /*@ assert far_outputs: \separated(&g->in.n, w.next + (0 .. w.m - 1)) && \separated(&g->in.n, w.out + (0 .. w.m - 1)); */
    /*@ assert far_rest: \separated(&g->in.n, early + (0 .. l.nearly - 1)) && \separated(&g->in.n, nd + (0 .. v.n - 1)) &&
                         \separated(&g->in.n, l.list + (0 .. l.nearly + (l.n - l.first) - 1)) && \separated(&g->in.n, u); */
    /*@ assert off_lists: \separated(&g->output.n, v.node + (0 .. v.n - 1)) && \separated(&g->output.n, v.slot + (0 .. v.m - 1)) &&
                          \separated(&g->output.n, v.in + (0 .. v.m - 1)); */
    /*@ assert off_outputs: \separated(&g->output.n, w.next + (0 .. w.m - 1)) && \separated(&g->output.n, w.out + (0 .. w.m - 1)); */
    /*@ assert off_rest: \separated(&g->output.n, early + (0 .. l.nearly - 1)) && \separated(&g->output.n, nd + (0 .. v.n - 1)) &&
                         \separated(&g->output.n, l.list + (0 .. l.nearly + (l.n - l.first) - 1)) && \separated(&g->output.n, u); */
    splice_apply(u, g, early, l, low, out, root, outs, from) /*@ ghost (v, w, o, nd) */;
    /*@ assert in_n: g->in.n == \at(g->in.n, Pre); */
    /*@ assert output_n: g->output.n == \at(g->output.n, Pre); */
}

enum calque_status splice_put(struct uses *u, struct graph *g, struct match_key *early, struct list_view l, const int *out,
                              const int *root, int outs, int from, struct diag *d)
    /*@ ghost (struct early_view e) */
{
    enum calque_status status;
    /*@ ghost const struct node *nd = g->node.a; */

    /*@ assert outs_before: \forall integer k; 0 <= k < outs ==> 0 <= out[k] < l.first; */
    /*@ assert roots_before: \forall integer k; 0 <= k < outs ==> 0 <= root[k] < l.n; */
    status = put_extend(u, g, d) /*@ ghost (e, l) */;
    if (status != CALQUE_OK)
        return status;
    /*@ ghost Taken: ; */
    /*@ ghost struct uses_view v = { .node = u->node.a, .slot = u->slot.a, .in = g->in.a, .n = u->node.n, .m = u->slot.n }; */
    /*@ ghost struct output_view w = { .node = u->node.a, .next = u->output.a, .out = g->output.a, .n = u->node.n,
                                       .m = u->output.n }; */
    /*@ ghost struct order_view o = { .node = u->node.a, .n = u->node.n, .first = u->first, .last = u->last }; */
    /*@ assert of_v: lists_of(v, u, g); */
    /*@ assert of_w: outputs_in(w, u, g); */
    /*@ assert of_o: order_of(o, u); */
    /*@ assert views: views_of(v, w, o, u, g); */
    /*@ assert lists: put_lists(u, g, v, w, o, nd); */
    /*@ assert outs_taken: \forall integer k; 0 <= k < outs ==> out[k] == \at(out[k], Pre); */
    /*@ assert roots_taken: \forall integer k; 0 <= k < outs ==> root[k] == \at(root[k], Pre); */
    /*@ assert off_out: off_both(\base_addr(out), u, g, v, w, nd) && off_both(\base_addr(root), u, g, v, w, nd); */
    /*@ assert off_early: off_both(\base_addr(early), u, g, v, w, nd) && off_both(\base_addr(l.list), u, g, v, w, nd); */
    /*@ assert among: \forall integer x; among(out, outs, x) <==> among{Pre}(out, outs, x); */
    /*@ assert nodes: same_nodes{Pre,Here}(v, nd); */
    /*@ assert in_taken: \forall integer s; 0 <= s < v.m ==> v.in[s] == \at(g->in.a[s], Pre); */
    /*@ assert names_taken: same_called{Pre,Here}(nd, l.n); */
    /*@ assert keys_taken: same_keys{Pre,Here}(l.early, l.nearly); */
    /*@ assert keys: \forall integer x; early_node(l, x) <==> early_node{Pre}(l, x); */
    /*@ assert living: \forall integer x; 0 <= x < l.n ==>
                    (v.node[x].dead <==> x < l.first && \at(u->node.a[x].dead, Pre)); */
    /*@ assert labels: moved_labels{Pre,Here}(\at(u->node.a, Pre), v.node, l.first); */
    /*@ assert outs_same: same_outs{Pre,Here}(w, -1); */
    /*@ assert ids_same: same_ids{Pre,Here}(out, outs) && same_ids{Pre,Here}(root, outs); */
    /*@ assert alive: \forall integer x; 0 <= x < l.n ==> (x < l.first ==> !\at(u->node.a[x].dead, Pre)) ==> !v.node[x].dead; */
    /*@ assert slots: \forall integer x, s; 0 <= x < l.n ==> slot_of{Pre}(nd, x, s) ==> slot_of(nd, x, s) && 0 <= s < v.m; */
    /*@ assert inputs: inputs_linked(v, nd) && v.n == l.n; */
    /*@ assert linked: put_linked{Pre,Here}(u, v, nd, l); */
    put_apply(u, g, early, l, out, root, outs, from) /*@ ghost (v, w, o, nd) */;
    /*@ assert edges: edges_moved{Taken,Here}(v, out, root, outs); */
    /*@ assert edges_in: \forall integer s, j; linked{Taken}(v, s) ==> 0 <= j < outs ==> \at(g->in.a[s], Pre) == \at(out[j], Pre) ==>
                    v.in[s] == \at(root[j], Pre); */
    /*@ assert edges_kept: \forall integer s; 0 <= s < v.m ==> !among{Pre}(out, outs, \at(g->in.a[s], Pre)) ==>
                    v.in[s] == \at(g->in.a[s], Pre); */
    /*@ assert moved: put_moved{Pre,Here}(u, g, e, l); */
    /*@ assert outputs: outputs_moved{Taken,Here}(w, out, root, outs); */
    /*@ assert outputs_pre: outputs_moved{Pre,Here}(w, out, root, outs); */
    /*@ assert out_names: same_out_names{Pre,Here}(w); */
    /*@ assert order: put_stays{Pre,Taken,Here}(v, l); */
    /*@ assert order_pre: put_order{Pre,Here}(\at(u->node.a, Pre), v.node, l); */
    /*@ assert inside: same_inside{Pre,Here}(nd, l.n); */
    /*@ assert one_view: \forall struct uses_view x; lists_of(x, u, g) ==> x == v; */
    /*@ assert one_output: \forall struct output_view x; outputs_in(x, u, g) ==> x == w; */
    /*@ assert array: u->node.a == v.node; */
    /*@ assert named_out: \forall integer k; 0 <= k < outs ==> \at(nd[out[k]].name, Taken) == \at(g->node.a[out[k]].name, Pre); */
    /*@ assert named: \forall integer k; 0 <= k < outs ==> \at(root[k], Pre) >= l.first ==>
                    \at(g->node.a[out[k]].name, Pre) >= 0 ==> nd[\at(root[k], Pre)].name >= 0; */
    /*@ assert graph: g->node.a == nd && g->node.n == l.n && g->in.a == v.in && g->output.a == w.out; */
    return CALQUE_OK;
}

enum calque_status splice_check(struct splice *s, const struct matcher *m, const int *root, int first)
{
    struct early_view v = {
        .r = { .g = { .node = s->g->node.a, .in = s->g->in.a, .use = s->uses->node.a, .n = first }, .place = m->place.a,
               .seen = s->walk.seen.a, .work = s->walk.work.a, .stamp = s->walk.stamp },
        .total = s->g->node.n, .outs = m->outs.a, .root = root, .nouts = m->outs.n,
    };
    struct early_end e = splice_find(v, s->early.a);

    /*@ ghost Found: ; */
    /*@ assert found: e.hit < 0 ==> keys_found(v, s->early.a, e.done); */
    /*@ assert aside: \base_addr(s) != \base_addr(v.r.g.node) && \base_addr(s) != \base_addr(v.r.g.in) &&
                      \base_addr(s) != \base_addr(v.r.g.use) && \base_addr(s) != \base_addr(v.outs) &&
                      \base_addr(s) != \base_addr(v.root); */
    s->walk.stamp = e.stamp;
    s->walk.seen.n = first; /* nodes from there on get stamps anew */
    s->early.n = e.hit < 0 ? e.done : 0;
    /*@ assert r_in: \forall integer x; v.r.g.node[x].in == \at(v.r.g.node[x].in, Found); */
    /*@ assert r_nin: \forall integer x; v.r.g.node[x].nin == \at(v.r.g.node[x].nin, Found); */
    /*@ assert r_ids: \forall integer k; v.r.g.in[k] == \at(v.r.g.in[k], Found); */
    /*@ assert r_order: \forall integer x; v.r.g.use[x].order == \at(v.r.g.use[x].order, Found); */
    /*@ assert r_outs: same_ids{Found,Here}(v.outs, v.nouts); */
    /*@ assert r_root: same_ids{Found,Here}(v.root, v.nouts); */
    /*@ assert read: same_read{Found,Here}(v); */
    /*@ assert keys: e.hit < 0 ==> same_keys{Found,Here}(s->early.a, e.done); */
    /*@ assert still: e.hit < 0 ==> keys_found(v, s->early.a, s->early.n); */
    /*@ assert outs: m->outs.n == v.nouts && m->outs.a == v.outs; */
    /*@ assert total: s->g->node.n == v.total && s->g->node.a == v.r.g.node && s->g->in.a == v.r.g.in; */
    /*@ assert dag: v.r.g == checked_dag(s, first); */
    /*@ assert one: one_check(v, early_of(s, m, root, first)); */
    /*@ assert all: e.hit < 0 ==> keys_found(early_of(s, m, root, first), s->early.a, s->early.n); */
    return e.hit < 0 ? CALQUE_OK : CALQUE_NO;
}

enum calque_status splice_commit(struct splice *s, const struct matcher *m, const int *root, int first, int from,
                                 struct diag *d)
{
    struct list_view l = { .early = s->early.a, .nearly = s->early.n, .first = first, .n = s->g->node.n, .list = s->list.a };
    /*@ ghost struct early_view e = {
            .r = { .g = { .node = s->g->node.a, .in = s->g->in.a, .use = s->uses->node.a, .n = first }, .place = m->place.a,
                   .seen = s->walk.seen.a, .work = s->walk.work.a, .stamp = s->walk.stamp },
            .total = s->g->node.n, .outs = m->outs.a, .root = root, .nouts = m->outs.n,
        }; */

    /*@ assert list: l == list_of(s, first); */
    /*@ assert check: e == early_of(s, m, root, first); */
    return splice_put(s->uses, s->g, s->early.a, l, m->outs.a, root, m->outs.n, from, d) /*@ ghost (e) */;
}

/* Memory of substitutions, and the text that says where new nodes come from. Trusted: the proofs of substitute.c rest on the
   contracts. */

enum { ORIGIN_MAX = 512 };

void splice_free(struct splice *s)
{
    walk_free(&s->walk);
    ints_free(&s->list);
    mem_free(s->early.a);
    s->early.a = NULL;
    s->early.n = s->early.cap = 0;
}

enum calque_status splice_room(struct splice *s, int first, struct diag *d)
{
    struct mem *mem = s->g->mem;

    s->early.n = s->list.n = 0;
    if (walk_room(&s->walk, mem, first) && vec_room(mem, &s->early, first) && vec_room(mem, &s->list, s->g->node.n))
        return CALQUE_OK;
    return diag_nomem(d);
}

/* ---- provenance ---- */

/* What a matched node is called: its ONNX node name, value name or operator, and where it came from. */
static void put_label(struct text *t, const struct graph *g, int node)
{
    const struct node *nd = &g->node.a[node];

    if (nd->label >= 0 && strs_len(g->strs, nd->label) > 0)
        text_puts(t, strs_text(g->strs, nd->label));
    else if (nd->name >= 0)
        text_puts(t, strs_text(g->strs, nd->name));
    else
        text_puts(t, nd->kind == NODE_OP ? op_info(nd->op)->name : nd->kind == NODE_TUPLE ? "tuple" : "projection");
    if (nd->origin >= 0)
        text_printf(t, " (%s)", strs_text(g->strs, nd->origin));
}

/* "rule [class, theorem]: label, label": the applications the match replaces, by address. */
int splice_origin(const struct splice *s, const struct matcher *m)
{
    const struct rule *r = &m->rules->rule.a[m->rule];
    struct match_entry *sorted = match_sorted(m);
    const char *theorem = library_theorem(m->rules, m->rule);
    struct text t;
    int id = -1, n = 0;

    if (!sorted)
        return -1;
    text_init(&t, s->g->mem);
    text_printf(&t, "%s [%s, %s]: ", rules_name(m->rules, m->rule), rules_class(m->rules, m->rule),
                theorem ? theorem : "not proved");
    for (int k = 0; k < m->entry.n && t.n <= ORIGIN_MAX; k++) {
        const struct match_entry *e = &sorted[k];
        if (e->kind != ENTRY_NODE || e->node < 0 || !match_application(r, e->pattern))
            continue;
        text_puts(&t, n++ > 0 ? ", " : "");
        put_label(&t, s->g, e->node);
    }
    if (!t.failed)
        id = strs_append(s->g->strs, t.a, (size_t)(t.n > ORIGIN_MAX ? ORIGIN_MAX : t.n));
    text_free(&t);
    mem_free(sorted);
    return id;
}
