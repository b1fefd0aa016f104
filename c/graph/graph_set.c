/* Copying the attributes of a node, with one more behind them, and then sorting: graph_set.h has the contract. */
#include "graph/graph_set.h"

/* n attributes are copied. */
/*@ requires valid:    0 <= n && \valid_read(from + (0 .. n - 1)) && \valid(to + (0 .. n - 1));
    requires apart:    \separated(from + (0 .. n - 1), to + (0 .. n - 1));
    terminates \true;
    exits    never:    \false;
    assigns  to[0 .. n - 1];
    ensures  pairs:    moved_pairs{Pre,Post}(from, to, n);
*/
static void copy(const struct node_attr *from, struct node_attr *to, int n)
{
    /*@ loop invariant range: 0 <= k <= n;
        loop invariant from:  \forall integer j; 0 <= j < n ==> same_attr{Pre,Here}(from, j);
        loop invariant pairs: moved_pairs{Pre,Here}(from, to, k);
        loop assigns k, to[0 .. n - 1];
        loop variant n - k;
    */
    for (int k = 0; k < n; k++) {
        /*@ ghost Before: ; */
        /*@ assert here: same_attr{Pre,Here}(from, k); */
        to[k].label = from[k].label;
        to[k].value = from[k].value;
        /*@ ghost int at = 0; */
        /*@ ghost
            /@ loop invariant range: 0 <= at <= k;
               loop invariant same:  same_pairs{Before,Here}(to, at);
               loop assigns at;
               loop variant k - at;
            @/
            while (at < k)
                at++;
        */
        /*@ assert was:  moved_pairs{Pre,Before}(from, to, k); */
        /*@ assert same: same_pairs{Before,Here}(to, k); */
        /*@ assert old:  moved_pairs{Pre,Here}(from, to, k); */
        /*@ assert kept: same_attr{Pre,Here}(from, k); */
        /*@ assert set:  to[k].label == from[k].label && to[k].value == from[k].value; */
        /*@ assert more: moved_pairs{Pre,Here}(from, to, k + 1); */
    }
}

/* One attribute behind n others. */
/*@ requires valid:    0 <= n < INT32_MAX && \valid(a + (0 .. n));
    terminates \true;
    exits    never:    \false;
    assigns  a[n];
    ensures  pairs:    one_pair{Pre,Post}(a, a, n, label, val);
*/
static void append(struct node_attr *a, int n, int label, int val)
{
    /*@ ghost int at = 0; */
    a[n].label = label;
    a[n].value = val;
    /*@ ghost
        /@ loop invariant range: 0 <= at <= n;
           loop invariant same:  same_pairs{Pre,Here}(a, at);
           loop assigns at;
           loop variant n - at;
        @/
        while (at < n)
            at++;
    */
    /*@ assert last: \forall integer l, x; pair_at(a, n, l, x) == (l == label && x == val ? 1 : 0); */
    /*@ assert sum:  \forall integer l, x; pairs(a, n + 1, l, x) == pairs(a, n, l, x) + pair_at(a, n, l, x); */
}

/* The n attributes at from are at first, with one more. */
/*@ requires valid:    0 <= from && 0 <= n && (from + n <= first || from == first) && first + n < INT32_MAX && 0 <= first &&
                       \valid(attr + (0 .. first + n));
    terminates \true;
    exits    never:    \false;
    assigns  attr[first .. first + n];
    ensures  pairs:    one_pair{Pre,Post}(attr + from, attr + first, n, label, val);
*/
static void extend(struct node_attr *attr, int from, int first, int n, int label, int val)
{
    if (from != first)
        copy(attr + from, attr + first, n);
    /*@ assert moved: moved_pairs{Pre,Here}(attr + from, attr + first, n); */
    append(attr + first, n, label, val);
}

/* The node has its attributes at first, and one more; they are not sorted yet. */
/*@ requires valid:    valid_graph(g) && ranges_ok(g) && 0 <= node < g.n;
    requires room:     g.nattr + g.node[node].nattr < g.capattr;
    requires first:    first == place_of(g, node);
    terminates \true;
    exits    never:    \false;
    assigns  g.node[node].attr, g.node[node].nattr, g.attr[first .. g.capattr - 1];
    ensures  more:     \result == {g \with .nattr = (int)(first + \old(g.node[node].nattr) + 1)};
    ensures  place:    g.node[node].attr == first && g.node[node].nattr == \old(g.node[node].nattr) + 1;
    ensures  attrs:    one_pair{Pre,Post}(g.attr + \old(g.node[node].attr), g.attr + first, \old(g.node[node].nattr), label, val);
    ensures  nodes:    nodes_but{Pre,Post}(g, node);
    ensures  inputs:   same_inputs{Pre,Post}(g);
*/
static struct graph_put put(struct graph_put g, int node, int first, int label, int val)
{
    struct graph_put h = g;
    int from = g.node[node].attr, n = g.node[node].nattr;

    /*@ assert node:   node_in(g, node); */
    /*@ ghost int at = 0; */
    h.nattr = first + n + 1;
    g.node[node].attr = first;
    g.node[node].nattr = n + 1;
    /*@ ghost
        /@ loop invariant range: 0 <= at <= n;
           loop invariant same:  same_pairs{Pre,Here}(g.attr + from, at);
           loop assigns at;
           loop variant n - at;
        @/
        while (at < n)
            at++;
    */
    /*@ ghost Set: ; */
    /*@ assert before: same_pairs{Pre,Here}(g.attr + from, n); */
    /*@ assert kinds:  \forall integer i; 0 <= i < g.n ==> g.node[i].kind == \at(g.node[i].kind, Pre); */
    /*@ assert starts: \forall integer i; 0 <= i < g.n ==> g.node[i].in == \at(g.node[i].in, Pre); */
    /*@ assert counts: \forall integer i; 0 <= i < g.n ==> g.node[i].nin == \at(g.node[i].nin, Pre); */
    /*@ assert atts:   \forall integer i; 0 <= i < g.n ==> i != node ==> g.node[i].attr == \at(g.node[i].attr, Pre); */
    /*@ assert natts:  \forall integer i; 0 <= i < g.n ==> i != node ==> g.node[i].nattr == \at(g.node[i].nattr, Pre); */
    /*@ assert nodes:  nodes_but{Pre,Here}(g, node); */
    /*@ assert ins:    same_inputs{Pre,Here}(g); */
    extend(g.attr, from, first, n, label, val);
    /*@ assert nodes1: same_nodes{Set,Here}(g); */
    /*@ assert ins1:   same_inputs{Set,Here}(g); */
    /*@ assert one:    one_pair{Set,Here}(g.attr + from, g.attr + first, n, label, val); */
    return h;
}

struct graph_put graph_put_attr(const struct strs *s, struct graph_put g, int node, int label, int val)
{
    struct graph_put h;
    int from = g.node[node].attr, n = g.node[node].nattr, first = n > 0 && from + n == g.nattr ? from : g.nattr;

    /*@ assert node:   node_in(g, node); */
    h = put(g, node, first, label, val);
    /*@ assert mine:   attrs_ok(h, node); */
    /*@ assert longer: longer_attrs(g, h); */
    /*@ assert ranges: ranges_ok(h); */
    /*@ assert wf:     wf_graph{Pre}(g) ==> g.node[node].kind == NODE_OP ==> wf_graph(h); */
    /*@ assert below:  \forall integer k; 0 <= k < first ==> same_attr{Pre,Here}(g.attr, k); */
    /*@ assert table:  table_of(s) == \at(table_of(s), Pre); */
    /*@ assert len:    \forall integer id; 0 <= id < s->entry.n ==> s->entry.a[id].len == \at(s->entry.a[id].len, Pre); */
    /*@ assert start:  \forall integer id; 0 <= id < s->entry.n ==> s->entry.a[id].start == \at(s->entry.a[id].start, Pre); */
    /*@ assert each:   \forall integer id; 0 <= id < s->entry.n ==> text_ok{Pre}(table_of(s), id) ==> text_ok(table_of(s), id); */
    /*@ assert texts:  texts_ok(table_of(s)); */
    /*@ ghost Put: ; */
    sort_attrs(s, g.attr + first, n + 1);
    /*@ assert still:  \forall integer k; 0 <= k < first ==> same_attr{Put,Here}(g.attr, k); */
    /*@ assert nodes:  same_nodes{Put,Here}(h); */
    /*@ assert ins:    same_inputs{Put,Here}(h); */
    /*@ assert same:   same_graph{Put,Here}(h); */
    /*@ assert pairs:  one_pair{Pre,Here}(g.attr + from, g.attr + first, n, label, val); */
    return h;
}
