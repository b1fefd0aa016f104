#include "graph/compact_emit.h"

#include "graph/renumber.h"

/*@ ghost
  /@ requires valid:    valid_graph(g) && ranges_ok(g) && 0 <= n && \valid_read(order + (0 .. n - 1));
     requires order:    \forall integer k; 0 <= k < n ==> 0 <= order[k] < g.n;
     terminates \true;
     exits    never:    \false;
     assigns  \nothing;
     ensures  sums:     sums_ok(g, order, n);
  @/
  static void sums(struct graph_put g, int *order, int n)
  {
      int at = 0;
      /@ loop invariant range: 0 <= at <= n;
         loop invariant ins:   \forall integer i; 0 <= i <= at ==> 0 <= ins(g, order, i) <= ins(g, order, at);
         loop invariant atts:  \forall integer i; 0 <= i <= at ==> 0 <= atts(g, order, i) <= atts(g, order, at);
         loop invariant more:  \forall integer i, j; 0 <= i < j <= at ==> ins(g, order, i) + g.node[order[i]].nin <= ins(g, order, j);
         loop invariant morea: \forall integer i, j; 0 <= i < j <= at ==> atts(g, order, i) + g.node[order[i]].nattr <= atts(g, order, j);
         loop assigns at;
         loop variant n - at;
      @/
      while (at < n) {
          /@ assert node: node_in(g, order[at]); @/
          at++;
      }
  }
*/

/* One node; the others, and what is read, are apart from it. */
/*@ requires valid:    0 <= i < n && \valid(node + (0 .. n - 1)) && 0 <= m && \valid_read(from + (0 .. m - 1)) &&
                       \valid_read(order + (0 .. n - 1));
    requires apart:    \base_addr(node) != \base_addr(from) && \base_addr(node) != \base_addr(order);
    terminates \true;
    exits    never:    \false;
    assigns  node[i];
    ensures  put:      node[i] == {x \with .in = in, .attr = attr};
    ensures  below:    \forall integer k; 0 <= k < i ==> node[k] == \old(node[k]);
    ensures  from:     \forall integer k; 0 <= k < m ==> from[k] == \old(from[k]);
    ensures  order:    \forall integer k; 0 <= k < n ==> order[k] == \old(order[k]);
*/
static void put(struct node *node, int i, struct node x, int in, int attr) /*@ ghost (int n, const struct node *from, int m, const int *order) */
{
    x.in = in;
    x.attr = attr;
    node[i] = x;
}

/* The nodes, not their inputs and attributes. */
/*@ requires valid:    valid_graph(g) && 0 <= n && sums_ok(g, order, n) && \valid_read(order + (0 .. n - 1));
    requires order:    \forall integer k; 0 <= k < n ==> 0 <= order[k] < g.n;
    requires room:     ins(g, order, n) <= INT32_MAX && atts(g, order, n) <= INT32_MAX;
    requires to:       \valid(h.node + (0 .. n - 1));
    requires apart:    own_nodes(h.node, g, order);
    terminates \true;
    exits    never:    \false;
    assigns  h.node[0 .. n - 1];
    ensures  counts:   \result == {h \with .n = n, .nin = (int)ins{Pre}(g, order, n), .nattr = (int)atts{Pre}(g, order, n)};
    ensures  nodes:    \forall integer i; 0 <= i < n ==> emitted{Pre,Post}(g, order, h, i);
*/
static struct graph_put emit_nodes(struct graph_put g, const int *order, int n, struct graph_put h)
{
    struct graph_put r = h;
    int nin = 0, nattr = 0;

    /*@ loop invariant range:  0 <= i <= n && nin == ins{Pre}(g, order, i) && nattr == atts{Pre}(g, order, i);
        loop invariant order:  \forall integer k; 0 <= k < n ==> order[k] == \at(order[k], Pre);
        loop invariant same:   \forall integer k; 0 <= k < g.n ==> g.node[k] == \at(g.node[k], Pre);
        loop invariant nodes:  \forall integer k; 0 <= k < i ==> emitted{Pre,Here}(g, order, h, k);
        loop assigns i, nin, nattr, h.node[0 .. n - 1];
        loop variant n - i;
    */
    for (int i = 0; i < n; i++) {
        struct node x = g.node[order[i]];
        /*@ ghost Before: ; */
        int more = x.nin, moreattr = x.nattr;

        /*@ assert x:    x == \at(g.node[order[\at(i, Here)]], Pre); */
        /*@ assert more: more == \at(g.node[order[\at(i, Here)]].nin, Pre) && moreattr == \at(g.node[order[\at(i, Here)]].nattr, Pre); */
        /*@ assert next: ins{Pre}(g, order, i + 1) == nin + more && atts{Pre}(g, order, i + 1) == nattr + moreattr; */
        /*@ assert conv: (int)ins{Pre}(g, order, i) == nin && (int)atts{Pre}(g, order, i) == nattr; */
        put(h.node, i, x, nin, nattr) /*@ ghost (n, g.node, g.n, order) */;
        /*@ assert olds: \forall integer k; 0 <= k < i ==> h.node[k] == \at(h.node[k], Before); */
        /*@ assert oldn: \forall integer k; 0 <= k < i ==> emitted{Pre,Here}(g, order, h, k); */
        /*@ assert set:  h.node[i] == {x \with .in = nin, .attr = nattr}; */
        /*@ assert sets: h.node[i] == {\at(g.node[order[\at(i, Here)]], Pre) \with .in = nin, .attr = nattr}; */
        /*@ assert mine: emitted{Pre,Here}(g, order, h, i); */
        /*@ assert same: \forall integer k; 0 <= k < g.n ==> g.node[k] == \at(g.node[k], Pre); */
        nin += more;
        nattr += moreattr;
    }
    r.n = n;
    r.nin = nin;
    r.nattr = nattr;
    return r;
}

/* Those of one node, from place `first` to place `to`; what stands before that place stays. */
/*@ requires valid:    0 <= nin && 0 <= n && 0 <= first && first + nin <= INT32_MAX && 0 <= to && to + nin <= INT32_MAX &&
                       \valid_read(in + (first .. first + nin - 1)) && \valid_read(map + (0 .. n - 1)) &&
                       \valid(out + (0 .. to + nin - 1));
    requires apart:    \base_addr(out) != \base_addr(in) && \base_addr(out) != \base_addr(map);
    requires inputs:   \forall integer k; first <= k < first + nin ==> -1 <= in[k] < n;
    requires order:    0 <= id && \forall integer k; first <= k < first + nin ==> 0 <= in[k] ==> 0 <= map[in[k]] < id;
    terminates \true;
    exits    never:    \false;
    assigns  out[to .. to + nin - 1];
    ensures  renamed:  \forall integer k; 0 <= k < nin ==> out[to + k] == renamed{Pre}(map, \old(in[first + k]));
    ensures  children: \forall integer k; 0 <= k < nin ==> -1 <= out[to + k] < id;
    ensures  below:    \forall integer k; 0 <= k < to ==> out[k] == \old(out[k]);
*/
static void rename(const int *in, int first, int nin, const int *map, int n, int *out, int to, int id)
{
    /*@ assert ids:   \forall integer k; 0 <= k < nin ==> -1 <= (in + first)[k] < n; */
    /*@ assert order: \forall integer k; 0 <= k < nin ==> 0 <= (in + first)[k] ==> 0 <= map[(in + first)[k]] < id; */
    graph_renumber(in + first, nin, map, n, out + to, id);
    /*@ assert in:    \forall integer k; first <= k < first + nin ==> in[k] == \at(in[k], Pre); */
    /*@ assert map:   \forall integer k; 0 <= k < n ==> map[k] == \at(map[k], Pre); */
    /*@ assert each:  \forall integer k; 0 <= k < nin ==> (out + to)[k] == (in[first + k] < 0 ? -1 : map[in[first + k]]); */
    /*@ assert child: \forall integer k; 0 <= k < nin ==> -1 <= (out + to)[k] < id; */
}

/* The inputs of all nodes, renamed. */
/*@ requires valid:    valid_graph(g) && ranges_ok(g) && numbers(g, map, order, n) && n <= g.n && sums_ok(g, order, n);
    requires read:     \valid_read(map + (0 .. g.n - 1)) && \valid_read(order + (0 .. n - 1));
    requires room:     ins(g, order, n) <= cap <= INT32_MAX && \valid(in + (0 .. cap - 1));
    requires apart:    own_ids(in, g, order) && \base_addr(in) != \base_addr(map);
    terminates \true;
    exits    never:    \false;
    assigns  in[0 .. cap - 1];
    ensures  inputs:   \forall integer i; 0 <= i < n ==> renamed_inputs{Pre,Post}(g, map, order, in, i);
*/
static void emit_inputs(struct graph_put g, const int *map, const int *order, int n, int *in) /*@ ghost (int cap) */
{
    int to = 0;

    /*@ loop invariant range:  0 <= i <= n && to == ins{Pre}(g, order, i);
        loop invariant order:  \forall integer k; 0 <= k < n ==> order[k] == \at(order[k], Pre);
        loop invariant map:    \forall integer k; 0 <= k < g.n ==> map[k] == \at(map[k], Pre);
        loop invariant starts: \forall integer k; 0 <= k < g.n ==> g.node[k].in == \at(g.node[k].in, Pre);
        loop invariant counts: \forall integer k; 0 <= k < g.n ==> g.node[k].nin == \at(g.node[k].nin, Pre);
        loop invariant ins:    same_inputs{Pre,Here}(g);
        loop invariant done:   \forall integer k; 0 <= k < i ==> renamed_inputs{Pre,Here}(g, map, order, in, k);
        loop assigns i, to, in[0 .. cap - 1];
        loop variant n - i;
    */
    for (int i = 0; i < n; i++) {
        int x = order[i], first = g.node[x].in, nin = g.node[x].nin;
        /*@ ghost Before: ; */

        /*@ assert x:      x == \at(order[\at(i, Here)], Pre) && 0 <= x < g.n && \at(map[\at(x, Here)], Pre) == i; */
        /*@ assert node:   node_in{Pre}(g, x); */
        /*@ assert range:  first == \at(g.node[\at(x, Here)].in, Pre) && nin == \at(g.node[\at(x, Here)].nin, Pre) &&
                           0 <= first && 0 <= nin && first + nin <= g.nin; */
        /*@ assert fits:   to + nin <= cap; */
        /*@ assert ids:    \forall integer k; first <= k < first + nin ==> -1 <= g.in[k] < g.n; */
        /*@ assert less:   \forall integer k; first <= k < first + nin ==> 0 <= g.in[k] ==> 0 <= map[g.in[k]] < i; */
        /*@ assert low:    \forall integer k; 0 <= k < i ==> ins{Pre}(g, order, k) + \at(g.node[order[k]].nin, Pre) <= to; */
        if (nin > 0)
            rename(g.in, first, nin, map, g.n, in, to, i);
        /*@ assert below:  same_ids{Before,Here}(in, to); */
        /*@ assert new:    \forall integer k; 0 <= k < nin ==> in[to + k] == renamed{Pre}(map, \at(g.in[\at(first, Here) + k], Pre)); */
        /*@ assert mine:   renamed_inputs{Pre,Here}(g, map, order, in, i); */
        /*@ assert olds:   \forall integer k; 0 <= k < i ==> renamed_inputs{Pre,Before}(g, map, order, in, k) &&
                           renamed_inputs{Pre,Here}(g, map, order, in, k); */
        to += nin;
    }
}

/* The n attributes from place `first` are copied to place `to`; what stands before that place stays. */
/*@ requires valid:    0 <= n && 0 <= first && first + n <= INT32_MAX && 0 <= to && to + n <= INT32_MAX &&
                       \valid_read(from + (first .. first + n - 1)) && \valid(out + (0 .. to + n - 1));
    requires apart:    \base_addr(from) != \base_addr(out);
    terminates \true;
    exits    never:    \false;
    assigns  out[to .. to + n - 1];
    ensures  copied:   \forall integer k; 0 <= k < n ==> out[to + k] == \old(from[first + k]);
    ensures  below:    \forall integer k; 0 <= k < to ==> out[k] == \old(out[k]);
*/
static void copy_attrs(const struct node_attr *from, int first, int n, struct node_attr *out, int to)
{
    /*@ loop invariant range:  0 <= k <= n;
        loop invariant from:   \forall integer j; first <= j < first + n ==> from[j] == \at(from[j], Pre);
        loop invariant below:  \forall integer j; 0 <= j < to ==> out[j] == \at(out[j], Pre);
        loop invariant copied: \forall integer j; 0 <= j < k ==> out[to + j] == \at(from[first + j], Pre);
        loop assigns k, out[to .. to + n - 1];
        loop variant n - k;
    */
    for (int k = 0; k < n; k++)
        out[to + k] = from[first + k];
}

/* The attributes of all nodes. */
/*@ requires valid:    valid_graph(g) && ranges_ok(g) && 0 <= n && sums_ok(g, order, n) && \valid_read(order + (0 .. n - 1));
    requires order:    \forall integer k; 0 <= k < n ==> 0 <= order[k] < g.n;
    requires room:     atts(g, order, n) <= cap <= INT32_MAX && \valid(attr + (0 .. cap - 1));
    requires apart:    own_attrs(attr, g, order);
    terminates \true;
    exits    never:    \false;
    assigns  attr[0 .. cap - 1];
    ensures  attrs:    \forall integer i; 0 <= i < n ==> same_attrs{Pre,Post}(g, order, attr, i);
*/
static void emit_attrs(struct graph_put g, const int *order, int n, struct node_attr *attr) /*@ ghost (int cap) */
{
    int to = 0;

    /*@ loop invariant range:  0 <= i <= n && to == atts{Pre}(g, order, i);
        loop invariant order:  \forall integer k; 0 <= k < n ==> order[k] == \at(order[k], Pre);
        loop invariant starts: \forall integer k; 0 <= k < g.n ==> g.node[k].attr == \at(g.node[k].attr, Pre);
        loop invariant counts: \forall integer k; 0 <= k < g.n ==> g.node[k].nattr == \at(g.node[k].nattr, Pre);
        loop invariant attrs:  \forall integer k; 0 <= k < g.nattr ==> g.attr[k] == \at(g.attr[k], Pre);
        loop invariant done:   \forall integer k; 0 <= k < i ==> same_attrs{Pre,Here}(g, order, attr, k);
        loop assigns i, to, attr[0 .. cap - 1];
        loop variant n - i;
    */
    for (int i = 0; i < n; i++) {
        int x = order[i], first = g.node[x].attr, nattr = g.node[x].nattr;
        /*@ ghost Before: ; */

        /*@ assert x:      x == \at(order[\at(i, Here)], Pre) && 0 <= x < g.n; */
        /*@ assert node:   node_in{Pre}(g, x); */
        /*@ assert range:  first == \at(g.node[\at(x, Here)].attr, Pre) && nattr == \at(g.node[\at(x, Here)].nattr, Pre) &&
                           0 <= first && 0 <= nattr && first + nattr <= g.nattr; */
        /*@ assert fits:   to + nattr <= cap; */
        if (nattr > 0)
            copy_attrs(g.attr, first, nattr, attr, to);
        /*@ assert low:    \forall integer k; 0 <= k < i ==> atts{Pre}(g, order, k) + \at(g.node[order[k]].nattr, Pre) <= to; */
        /*@ assert below:  same_attrs_below{Before,Here}(attr, to); */
        /*@ assert new:    \forall integer k; 0 <= k < nattr ==> attr[to + k] == \at(g.attr[\at(first, Here) + k], Pre); */
        /*@ assert mine:   same_attrs{Pre,Here}(g, order, attr, i); */
        /*@ assert olds:   \forall integer k; 0 <= k < i ==> same_attrs{Pre,Before}(g, order, attr, k) &&
                           same_attrs{Pre,Here}(g, order, attr, k); */
        to += nattr;
    }
}

/* The same; what is read is as it was. */
/*@ requires valid:    valid_graph(g) && ranges_ok(g) && 0 <= n && sums_ok(g, order, n) && \valid_read(order + (0 .. n - 1));
    requires order:    \forall integer k; 0 <= k < n ==> 0 <= order[k] < g.n;
    requires numbers:  numbers(g, map, order, n) && n <= g.n && \valid_read(map + (0 .. g.n - 1));
    requires room:     ins(g, order, n) <= cap <= INT32_MAX && \valid(in + (0 .. cap - 1));
    requires apart:    own_ids(in, g, order) && \base_addr(in) != \base_addr(map);
    terminates \true;
    exits    never:    \false;
    assigns  in[0 .. cap - 1];
    ensures  inputs:   \forall integer i; 0 <= i < n ==> renamed_inputs{Pre,Post}(g, map, order, in, i);
    ensures  attrs:    \forall integer k; g.attr[k] == \old(g.attr[k]);
    ensures  graph:    same_graph{Pre,Post}(g);
    ensures  nodes:    \forall integer k; 0 <= k < g.n ==> g.node[k] == \old(g.node[k]);
    ensures  still:    \forall integer k; 0 <= k < n ==> order[k] == \old(order[k]);
    ensures  ins:      \forall integer k; 0 <= k <= n ==> ins(g, order, k) == ins{Pre}(g, order, k);
    ensures  atts:     \forall integer k; 0 <= k <= n ==> atts(g, order, k) == atts{Pre}(g, order, k);
    ensures  sums:     sums_ok(g, order, n);
*/
static void put_inputs(struct graph_put g, const int *map, const int *order, int n, int *in) /*@ ghost (int cap) */
{
    /*@ ghost int at = 0; */

    emit_inputs(g, map, order, n, in) /*@ ghost (cap) */;
    /*@ assert nodes:  \forall integer k; 0 <= k < g.n ==> g.node[k] == \at(g.node[k], Pre); */
    /*@ assert starts: \forall integer k; 0 <= k < g.n ==> g.node[k].in == \at(g.node[k].in, Pre); */
    /*@ assert counts: \forall integer k; 0 <= k < g.n ==> g.node[k].nin == \at(g.node[k].nin, Pre); */
    /*@ assert atts:   \forall integer k; 0 <= k < g.n ==> g.node[k].attr == \at(g.node[k].attr, Pre); */
    /*@ assert natts:  \forall integer k; 0 <= k < g.n ==> g.node[k].nattr == \at(g.node[k].nattr, Pre); */
    /*@ assert kinds:  \forall integer k; 0 <= k < g.n ==> g.node[k].kind == \at(g.node[k].kind, Pre); */
    /*@ assert nodes5: same_nodes{Pre,Here}(g); */
    /*@ assert inputs: same_inputs{Pre,Here}(g); */
    /*@ assert still:  \forall integer k; 0 <= k < n ==> order[k] == \at(order[k], Pre); */
    /*@ ghost
        /@ loop invariant range: 0 <= at <= n;
           loop invariant ins:   \forall integer k; 0 <= k <= at ==> ins(g, order, k) == ins{Pre}(g, order, k);
           loop invariant atts:  \forall integer k; 0 <= k <= at ==> atts(g, order, k) == atts{Pre}(g, order, k);
           loop assigns at;
           loop variant n - at;
        @/
        while (at < n)
            at++;
    */
    /*@ assert same:   same_graph{Pre,Here}(g); */
    /*@ assert ranges: ranges_ok(g); */
    /*@ ghost sums(g, (int *)order, n); */
}

/* The same of attributes. */
/*@ requires valid:    valid_graph(g) && ranges_ok(g) && 0 <= n && sums_ok(g, order, n) && \valid_read(order + (0 .. n - 1));
    requires order:    \forall integer k; 0 <= k < n ==> 0 <= order[k] < g.n;
    requires room:     atts(g, order, n) <= cap <= INT32_MAX && \valid(attr + (0 .. cap - 1));
    requires apart:    own_attrs(attr, g, order);
    terminates \true;
    exits    never:    \false;
    assigns  attr[0 .. cap - 1];
    ensures  attrs:    \forall integer i; 0 <= i < n ==> same_attrs{Pre,Post}(g, order, attr, i);
    ensures  graph:    same_graph{Pre,Post}(g);
    ensures  nodes:    \forall integer k; 0 <= k < g.n ==> g.node[k] == \old(g.node[k]);
    ensures  still:    \forall integer k; 0 <= k < n ==> order[k] == \old(order[k]);
    ensures  ins:      \forall integer k; 0 <= k <= n ==> ins(g, order, k) == ins{Pre}(g, order, k);
    ensures  atts:     \forall integer k; 0 <= k <= n ==> atts(g, order, k) == atts{Pre}(g, order, k);
    ensures  sums:     sums_ok(g, order, n);
*/
static void put_attrs(struct graph_put g, const int *order, int n, struct node_attr *attr) /*@ ghost (int cap) */
{
    /*@ ghost int at = 0; */

    emit_attrs(g, order, n, attr) /*@ ghost (cap) */;
    /*@ assert nodes:  \forall integer k; 0 <= k < g.n ==> g.node[k] == \at(g.node[k], Pre); */
    /*@ assert starts: \forall integer k; 0 <= k < g.n ==> g.node[k].in == \at(g.node[k].in, Pre); */
    /*@ assert counts: \forall integer k; 0 <= k < g.n ==> g.node[k].nin == \at(g.node[k].nin, Pre); */
    /*@ assert atts:   \forall integer k; 0 <= k < g.n ==> g.node[k].attr == \at(g.node[k].attr, Pre); */
    /*@ assert natts:  \forall integer k; 0 <= k < g.n ==> g.node[k].nattr == \at(g.node[k].nattr, Pre); */
    /*@ assert kinds:  \forall integer k; 0 <= k < g.n ==> g.node[k].kind == \at(g.node[k].kind, Pre); */
    /*@ assert nodes5: same_nodes{Pre,Here}(g); */
    /*@ assert inputs: same_inputs{Pre,Here}(g); */
    /*@ assert still:  \forall integer k; 0 <= k < n ==> order[k] == \at(order[k], Pre); */
    /*@ ghost
        /@ loop invariant range: 0 <= at <= n;
           loop invariant ins:   \forall integer k; 0 <= k <= at ==> ins(g, order, k) == ins{Pre}(g, order, k);
           loop invariant atts:  \forall integer k; 0 <= k <= at ==> atts(g, order, k) == atts{Pre}(g, order, k);
           loop assigns at;
           loop variant n - at;
        @/
        while (at < n)
            at++;
    */
    /*@ assert same:   same_graph{Pre,Here}(g); */
    /*@ assert ranges: ranges_ok(g); */
    /*@ ghost sums(g, (int *)order, n); */
}

struct graph_put graph_emit(struct graph_put g, const int *map, const int *order, int n, struct graph_put h)
{
    struct graph_put r;

    /*@ ghost sums(g, (int *)order, n); */
    /*@ assert sums:     sums_ok{Pre}(g, order, n); */
    put_inputs(g, map, order, n, h.in) /*@ ghost (h.capin) */;
    /*@ ghost Inputs: ; */
    /*@ assert ranges:   ranges_ok(g); */
    put_attrs(g, order, n, h.attr) /*@ ghost (h.capattr) */;
    /*@ ghost Attrs: ; */
    /*@ assert inputs:   same_ids{Inputs,Here}(h.in, h.capin); */
    /*@ assert nodes_i:  \forall integer k; 0 <= k < g.n ==> \at(g.node[k], Inputs) == \at(g.node[k], Pre); */
    /*@ assert order_i:  \forall integer i; 0 <= i < n ==> 0 <= \at(order[i], Pre) < g.n &&
                         \at(order[i], Inputs) == \at(order[i], Pre); */
    /*@ assert starts_i: \forall integer i; 0 <= i < n ==>
                         \at(g.node[order[i]].attr, Inputs) == \at(g.node[order[i]].attr, Pre); */
    /*@ assert counts_i: \forall integer i; 0 <= i < n ==>
                         \at(g.node[order[i]].nattr, Inputs) == \at(g.node[order[i]].nattr, Pre); */
    /*@ assert attrs_i:  \forall integer k; \at(g.attr[k], Inputs) == \at(g.attr[k], Pre); */
    /*@ assert attrs_p:  \forall integer i; 0 <= i < n ==> same_attrs{Inputs,Here}(g, order, h.attr, i) &&
                         same_attrs{Pre,Here}(g, order, h.attr, i); */
    /*@ assert nodes_p:  \forall integer k; 0 <= k < g.n ==> g.node[k] == \at(g.node[k], Pre); */
    /*@ assert order_p:  \forall integer k; 0 <= k < n ==> order[k] == \at(order[k], Pre); */
    /*@ assert ins_p:    \forall integer k; 0 <= k <= n ==> ins(g, order, k) == ins{Pre}(g, order, k); */
    /*@ assert atts_p:   \forall integer k; 0 <= k <= n ==> atts(g, order, k) == atts{Pre}(g, order, k); */
    r = emit_nodes(g, order, n, h);
    /*@ assert inputs_n: same_ids{Inputs,Here}(h.in, h.capin); */
    /*@ assert attrs_n:  same_attrs_below{Attrs,Here}(h.attr, h.capattr); */
    /*@ assert fits_a:   \forall integer i; 0 <= i < n ==> 0 <= atts{Pre}(g, order, i) &&
                         atts{Pre}(g, order, i) + \at(g.node[order[i]].nattr, Pre) <= h.capattr; */
    /*@ assert attrs:    \forall integer i; 0 <= i < n ==> same_attrs{Pre,Attrs}(g, order, h.attr, i) &&
                         same_attrs{Pre,Here}(g, order, h.attr, i); */
    /*@ assert fits:     \forall integer i; 0 <= i < n ==> 0 <= ins{Pre}(g, order, i) &&
                         ins{Pre}(g, order, i) + \at(g.node[order[i]].nin, Pre) <= h.capin; */
    /*@ assert renamed:  \forall integer i; 0 <= i < n ==> renamed_inputs{Pre,Inputs}(g, map, order, h.in, i) &&
                         renamed_inputs{Pre,Here}(g, map, order, h.in, i); */
    /*@ assert nodes_a:  \forall integer i; 0 <= i < n ==> emitted{Attrs,Here}(g, order, h, i); */
    /*@ assert nodes:    \forall integer i; 0 <= i < n ==> emitted{Pre,Here}(g, order, h, i); */
    return r;
}

void graph_rename(int *id, int n, const int *map) /*@ ghost (int count) */
{
    /*@ loop invariant range:   0 <= k <= n;
        loop invariant map:     \forall integer j; 0 <= j < count ==> map[j] == \at(map[j], Pre);
        loop invariant rest:    \forall integer j; k <= j < n ==> id[j] == \at(id[j], Pre);
        loop invariant renamed: \forall integer j; 0 <= j < k ==> id[j] == map[\at(id[j], Pre)];
        loop assigns k, id[0 .. n - 1];
        loop variant n - k;
    */
    for (int k = 0; k < n; k++)
        id[k] = map[id[k]];
}

void graph_rename_outputs(struct graph_output *out, int n, const int *map) /*@ ghost (int count) */
{
    /*@ loop invariant range:   0 <= k <= n;
        loop invariant map:     \forall integer j; 0 <= j < count ==> map[j] == \at(map[j], Pre);
        loop invariant rest:    \forall integer j; k <= j < n ==> out[j].node == \at(out[j].node, Pre);
        loop invariant renamed: \forall integer j; 0 <= j < k ==> out[j].node == map[\at(out[j].node, Pre)];
        loop assigns k, out[0 .. n - 1].node;
        loop variant n - k;
    */
    for (int k = 0; k < n; k++)
        out[k].node = map[out[k].node];
}
