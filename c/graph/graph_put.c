#include "graph/graph_put.h"

/* The first fields of node g.n. */
/*@ requires valid:    valid_graph(g);
    requires room:     g.n < g.cap;
    terminates \true;
    exits    never:    \false;
    assigns  g.node[g.n].kind, g.node[g.n].op, g.node[g.n].name, g.node[g.n].label, g.node[g.n].index;
    ensures  set:      g.node[g.n].kind == kind && g.node[g.n].op == op && g.node[g.n].name == name &&
                       g.node[g.n].label == -1 && g.node[g.n].index == index;
*/
static void set_root(struct graph_put g, int kind, int op, int name, int index)
{
    g.node[g.n].kind = kind;
    g.node[g.n].op = op;
    g.node[g.n].name = name;
    g.node[g.n].label = -1;
    g.node[g.n].index = index;
}

/* Its ranges. */
/*@ requires valid:    valid_graph(g);
    requires room:     g.n < g.cap;
    terminates \true;
    exits    never:    \false;
    assigns  g.node[g.n].in, g.node[g.n].nin, g.node[g.n].attr, g.node[g.n].nattr;
    ensures  set:      g.node[g.n].in == g.nin && g.node[g.n].nin == nin && g.node[g.n].attr == g.nattr &&
                       g.node[g.n].nattr == nattr;
*/
static void set_ranges(struct graph_put g, int nin, int nattr)
{
    g.node[g.n].in = g.nin;
    g.node[g.n].nin = nin;
    g.node[g.n].attr = g.nattr;
    g.node[g.n].nattr = nattr;
}

/* What it has not yet: type, shape, data, origin. */
/*@ requires valid:    valid_graph(g);
    requires room:     g.n < g.cap;
    terminates \true;
    exits    never:    \false;
    assigns  g.node[g.n].dtype, g.node[g.n].shape.rank, g.node[g.n].data, g.node[g.n].origin;
    ensures  set:      g.node[g.n].dtype == 0 && g.node[g.n].shape.rank == -1 && g.node[g.n].data == -1 &&
                       g.node[g.n].origin == -1;
*/
static void set_none(struct graph_put g)
{
    g.node[g.n].dtype = 0;
    g.node[g.n].shape.rank = -1;
    g.node[g.n].data = -1;
    g.node[g.n].origin = -1;
}

/* Node g.n becomes one without type and shape. */
/*@ requires valid:    valid_graph(g);
    requires room:     g.n < g.cap;
    terminates \true;
    exits    never:    \false;
    assigns  g.node[g.n];
    ensures  fresh:    is_fresh(g, g.n, kind, name, g.nin, g.nattr);
    ensures  sized:    is_sized(g, g.n, op, nin, nattr, index);
*/
static void set_all(struct graph_put g, int kind, int op, int name, int nin, int nattr, int index)
{
    set_root(g, kind, op, name, index);
    set_ranges(g, nin, nattr);
    set_none(g);
}

/* The same: nothing else has changed. */
/*@ requires valid:    valid_graph(g);
    requires room:     g.n < g.cap;
    terminates \true;
    exits    never:    \false;
    assigns  g.node[g.n];
    ensures  fresh:    is_fresh(g, g.n, kind, name, g.nin, g.nattr);
    ensures  sized:    is_sized(g, g.n, op, nin, nattr, index);
    ensures  inputs:   same_inputs{Pre,Post}(g);
    ensures  nodes:    same_nodes{Pre,Post}(g);
*/
static void fresh(struct graph_put g, int kind, int op, int name, int nin, int nattr, int index)
{
    set_all(g, kind, op, name, nin, nattr, index);
}

/* in[first + k] = from[k]. */
/*@ requires valid:    0 <= first && 0 <= n && first + n <= INT32_MAX && \valid(in + (first .. first + n - 1)) &&
                       \valid_read(from + (0 .. n - 1));
    requires apart:    \separated(from + (0 .. n - 1), in + (first .. first + n - 1));
    terminates \true;
    exits    never:    \false;
    assigns  in[first .. first + n - 1];
    ensures  copied:   \forall integer k; first <= k < first + n ==> in[k] == \old(from[k - first]);
*/
static void put_inputs(int *in, int first, const int *from, int n)
{
    /*@ loop invariant range:  0 <= k <= n;
        loop invariant copied: \forall integer j; first <= j < first + k ==> in[j] == \at(from[j - first], Pre);
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
    /*@ assert inputs: \forall integer k; g.nin <= k < g.nin + nin ==> g.in[k] == \at(in[k - g.nin], Pre); */
    /*@ assert later:  same_inputs{Pre,Here}(g); */
    /*@ assert before: same_graph{Pre,Here}(g); */
    /*@ ghost Filled: ; */
    fresh(g, kind, op, name, nin, nattr, index);
    h.n++;
    h.nin += nin;
    h.nattr += nattr;
    /*@ assert step: same_graph{Filled,Here}(g); */
    /*@ assert same: same_graph{Pre,Here}(g); */
    /*@ assert old:  wf_graph{Pre}(g) ==> wf_graph(g); */
    /*@ assert in:   ranges_ok{Pre}(g) ==> ranges_ok(g); */
    /*@ assert kept: \forall integer k; g.nin <= k < g.nin + nin ==> g.in[k] == \at(g.in[k], Filled); */
    /*@ assert ins:  \forall integer k; g.nin <= k < g.nin + nin ==> g.in[k] == \at(in[k - g.nin], Pre) && -1 <= g.in[k] < g.n; */
    /*@ assert atts: \forall integer k; g.nattr <= k < g.nattr + nattr ==>
                     g.attr[k].label == \at(g.attr[k].label, Filled) && g.attr[k].value == \at(g.attr[k].value, Filled); */
    /*@ assert all:  inputs_ok(h, g.n); */
    /*@ assert new:  node_more(g, h) && node_ok(h, g.n); */
    return h;
}
