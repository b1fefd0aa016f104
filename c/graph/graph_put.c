#include "graph/graph_put.h"

/* Node g.n becomes one without shape, inputs and attributes. */
/*@ requires valid:    valid_graph(g);
    requires room:     g.n < g.cap;
    terminates \true;
    exits    never:    \false;
    assigns  g.node[g.n];
    ensures  node:     is_fresh(g, g.n, kind, name, g.nin, g.nattr) && is_sized(g, g.n, 0, 0, 0, 0);
    ensures  old:      same_graph{Pre,Post}(g);
*/
static void fresh(struct graph_put g, int kind, int name)
{
    g.node[g.n].kind = kind;
    g.node[g.n].op = 0;
    g.node[g.n].name = name;
    g.node[g.n].label = -1;
    g.node[g.n].in = g.nin;
    g.node[g.n].nin = 0;
    g.node[g.n].attr = g.nattr;
    g.node[g.n].nattr = 0;
    g.node[g.n].index = 0;
    g.node[g.n].dtype = 0;
    g.node[g.n].shape.rank = -1;
    g.node[g.n].data = -1;
    g.node[g.n].origin = -1;
}

struct graph_put graph_put_leaf(struct graph_put g, int kind, int name)
{
    struct graph_put h = g;

    fresh(g, kind, name);
    h.n++;
    /*@ assert old:  wf_graph(g); */
    /*@ assert new:  node_more(g, h) && node_ok(h, g.n); */
    return h;
}

/* in[first + k] = from[k]. */
/*@ requires valid:    0 <= first && 0 <= n && first + n <= INT32_MAX && \valid(in + (first .. first + n - 1)) &&
                       \valid_read(from + (0 .. n - 1));
    requires apart:    \separated(from + (0 .. n - 1), in + (first .. first + n - 1));
    terminates \true;
    exits    never:    \false;
    assigns  in[first .. first + n - 1];
    ensures  copied:   \forall integer k; 0 <= k < n ==> in[first + k] == \old(from[k]);
*/
static void put_inputs(int *in, int first, const int *from, int n)
{
    /*@ loop invariant range:  0 <= k <= n;
        loop invariant copied: \forall integer j; 0 <= j < k ==> in[first + j] == \at(from[j], Pre);
        loop invariant from:   \forall integer j; 0 <= j < n ==> from[j] == \at(from[j], Pre);
        loop assigns k, in[first .. first + n - 1];
        loop variant n - k;
    */
    for (int k = 0; k < n; k++)
        in[first + k] = from[k];
}

/* attr[first + k] = from[k]. */
/*@ requires valid:    0 <= first && 0 <= n && first + n <= INT32_MAX && \valid(attr + (first .. first + n - 1)) &&
                       \valid_read(from + (0 .. n - 1));
    requires apart:    \separated(from + (0 .. n - 1), attr + (first .. first + n - 1));
    terminates \true;
    exits    never:    \false;
    assigns  attr[first .. first + n - 1];
    ensures  copied:   \forall integer k; 0 <= k < n ==>
                       attr[first + k].label == \old(from[k].label) && attr[first + k].value == \old(from[k].value);
*/
static void put_attrs(struct node_attr *attr, int first, const struct node_attr *from, int n)
{
    /*@ loop invariant range:  0 <= k <= n;
        loop invariant copied: \forall integer j; 0 <= j < k ==> attr[first + j].label == \at(from[j].label, Pre) &&
                               attr[first + j].value == \at(from[j].value, Pre);
        loop invariant from:   \forall integer j; 0 <= j < n ==> from[j].label == \at(from[j].label, Pre) &&
                               from[j].value == \at(from[j].value, Pre);
        loop assigns k, attr[first .. first + n - 1];
        loop variant n - k;
    */
    for (int k = 0; k < n; k++) {
        attr[first + k].label = from[k].label;
        attr[first + k].value = from[k].value;
    }
}

struct graph_put graph_put_node(struct graph_put g, int kind, int op, int name, const int *in, int nin,
                                const struct node_attr *attr, int nattr, int index)
{
    struct graph_put h = g;

    put_inputs(g.in, g.nin, in, nin);
    /*@ assert from:   \forall integer k; 0 <= k < nattr ==> attr[k].label == \at(attr[k].label, Pre) &&
                       attr[k].value == \at(attr[k].value, Pre); */
    /*@ assert old_in: same_inputs{Pre,Here}(g); */
    /*@ assert nodes:  same_nodes{Pre,Here}(g); */
    /*@ assert first:  same_graph{Pre,Here}(g); */
    put_attrs(g.attr, g.nattr, attr, nattr);
    /*@ assert inputs: \forall integer k; 0 <= k < nin ==> g.in[g.nin + k] == \at(in[k], Pre); */
    /*@ assert before: same_graph{Pre,Here}(g); */
    fresh(g, kind, name);
    /*@ assert after:  same_graph{Pre,Here}(g); */
    g.node[g.n].op = op;
    g.node[g.n].nin = nin;
    g.node[g.n].nattr = nattr;
    g.node[g.n].index = index;
    h.n++;
    h.nin += nin;
    h.nattr += nattr;
    /*@ assert same: same_graph{Pre,Here}(g); */
    /*@ assert old:  wf_graph(g); */
    /*@ assert kept: \forall integer k; 0 <= k < nin ==> g.in[g.nin + k] == \at(in[k], Pre); */
    /*@ assert ins:  \forall integer k; g.nin <= k < g.nin + nin ==> -1 <= g.in[g.nin + (k - g.nin)] < g.n; */
    /*@ assert all:  inputs_ok(h, g.n); */
    /*@ assert new:  node_more(g, h) && node_ok(h, g.n); */
    return h;
}
