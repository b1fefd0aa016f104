/* The attributes of a node: sorted by name, one more, one replaced. Invariant: they stay sorted, each name stands once. */
#include "graph/build.h"
#include "graph/graph_accessors.h"

/* Byte order of two strings. */
/*@ requires strs:     \valid_read(s) && valid_strs(table_of(s)) && texts_ok(table_of(s));
    terminates \true;
    exits    never:    \false;
    assigns  \nothing;
    ensures  code:     -1 <= \result <= 1;
    ensures  less:     \result < 0 ==> label_less(table_of(s), a, b);
    ensures  same:     \result == 0 ==> label_same(table_of(s), a, b);
    ensures  more:     \result > 0 ==> label_less(table_of(s), b, a);
*/
static int label_order(const struct strs *s, int a, int b)
{
    int la = strs_len(s, a), lb = strs_len(s, b), n = la < lb ? la : lb, k = 0;
    const char *x = strs_text(s, a), *y = strs_text(s, b);

    /*@ assert x: \forall integer j; 0 <= j < la ==> (unsigned char)x[j] == label_at(table_of(s), a, j); */
    /*@ assert y: \forall integer j; 0 <= j < lb ==> (unsigned char)y[j] == label_at(table_of(s), b, j); */
    /*@ loop invariant range: 0 <= k <= n;
        loop invariant same:  same_start(table_of(s), a, b, k);
        loop assigns k;
        loop variant n - k;
    */
    while (k < n && (unsigned char)x[k] == (unsigned char)y[k])
        k++;
    /*@ assert less: less_at(table_of(s), a, b, k) || less_at(table_of(s), b, a, k) || label_same(table_of(s), a, b); */
    if (k < n)
        return (unsigned char)x[k] < (unsigned char)y[k] ? -1 : 1;
    return la < lb ? -1 : la > lb;
}

/* Attribute k changes places with the one before it. */
/*@ requires attrs:    0 < k < n && \valid(a + (0 .. n - 1));
    terminates \true;
    exits    never:    \false;
    assigns  a[k - 1 .. k];
    ensures  swapped:  swapped{Pre,Post}(a, k);
    ensures  same:     same_pairs{Pre,Post}(a, n);
*/
static void swap(struct node_attr *a, int k) /*@ ghost (int n) */
{
    struct node_attr x = a[k];
    /*@ ghost int j = 0; */

    a[k] = a[k - 1];
    a[k - 1] = x;
    /*@ ghost
    /@ loop invariant range: 0 <= j <= k - 1;
       loop invariant same:  same_pairs{Pre,Here}(a, j);
       loop assigns j;
       loop variant k - j;
    @/
    while (j < k - 1)
        j++;
    */
    /*@ assert swapped: swapped{Pre,Here}(a, k); */
    /*@ ghost j = k + 1; */
    /*@ ghost
    /@ loop invariant range: k + 1 <= j <= n;
       loop invariant same:  same_pairs{Pre,Here}(a, j);
       loop assigns j;
       loop variant n - j;
    @/
    while (j < n)
        j++;
    */
}

/* Attribute i finds its place among the i before it, which are sorted. */
/*@ requires strs:     \valid_read(s) && valid_strs(table_of(s)) && texts_ok(table_of(s));
    requires attrs:    0 <= i < INT32_MAX && \valid(a + (0 .. i));
    requires apart:    \separated(a + (0 .. i), s) && \separated(a + (0 .. i), s->entry.a + (0 .. s->entry.n - 1));
    requires sorted:   sorted_attrs(table_of(s), a, i);
    terminates \true;
    exits    never:    \false;
    assigns  a[0 .. i];
    ensures  sorted:   sorted_attrs(table_of(s), a, i + 1);
    ensures  same:     same_pairs{Pre,Post}(a, i + 1);
*/
static void insert(const struct strs *s, struct node_attr *a, int i)
{
    int k = i;

    /*@ loop invariant range:  0 <= k <= i;
        loop invariant sorted: sorted_but{Pre,Here}(table_of(s), a, i + 1, k);
        loop invariant same:   same_pairs{Pre,Here}(a, i + 1);
        loop invariant table:  table_of(s) == \at(table_of(s), Pre) && same_labels{Pre,Here}(table_of(s));
        loop assigns k, a[0 .. i];
        loop variant k;
    */
    while (k > 0 && label_order(s, a[k - 1].label, a[k].label) > 0) {
        /*@ ghost Before: ; */
        /*@ assert back: same_labels{Here,Pre}(table_of(s)); */
        /*@ assert less: label_leq{Pre}(table_of(s), a[k].label, a[k - 1].label); */
        swap(a, k) /*@ ghost (i + 1) */;
        /*@ assert table: table_of(s) == \at(table_of(s), Pre); */
        /*@ assert len:   \forall integer id; 0 <= id < s->entry.n ==> s->entry.a[id].len == \at(s->entry.a[id].len, Before); */
        /*@ assert lens:  same_lens{Before,Here}(table_of(s)); */
        /*@ assert chars: same_chars{Before,Here}(table_of(s)); */
        /*@ assert ends:  same_ends{Before,Here}(table_of(s)); */
        /*@ assert text:  same_labels{Before,Here}(table_of(s)); */
        /*@ assert rest:  \forall integer j; 0 <= j <= i ==> j != k ==> j != k - 1 ==>
                          a[j].label == \at(a[j].label, Before); */
        /*@ assert upper: \forall integer p, q; k <= q <= i ==> 0 <= p <= q ==> p != k - 1 ==>
                          label_leq{Pre}(table_of(s), a[p].label, a[q].label); */
        /*@ assert mid:   \forall integer q; k <= q <= i ==>
                          label_leq{Pre}(table_of(s), a[k - 1].label, a[q].label); */
        /*@ assert lower: \forall integer p, q; 0 <= p <= q < k - 1 ==>
                          label_leq{Pre}(table_of(s), a[p].label, a[q].label); */
        k--;
    }
    /*@ assert back: same_labels{Here,Pre}(table_of(s)); */
    /*@ assert last: k > 0 ==> label_leq{Pre}(table_of(s), a[k - 1].label, a[k].label); */
    /*@ assert all:  \forall integer p; 0 <= p <= k ==> label_leq{Pre}(table_of(s), a[p].label, a[k].label); */
    /*@ assert done: \forall integer p, q; 0 <= p <= q < i + 1 ==> label_leq{Pre}(table_of(s), a[p].label, a[q].label); */
}

void sort_attrs(const struct strs *s, struct node_attr *a, int n)
{
    /*@ loop invariant range:  0 <= i <= n;
        loop invariant sorted: sorted_attrs(table_of(s), a, i);
        loop invariant same:   same_pairs{Pre,Here}(a, i);
        loop invariant rest:   \forall integer k; i <= k < n ==> same_attr{Pre,Here}(a, k);
        loop invariant table:  table_of(s) == \at(table_of(s), Pre) && same_labels{Pre,Here}(table_of(s));
        loop assigns i, a[0 .. n - 1];
        loop variant n - i;
    */
    for (int i = 0; i < n; i++) {
        /*@ ghost Before: ; */
        insert(s, a, i);
        /*@ assert table: table_of(s) == \at(table_of(s), Pre); */
        /*@ assert len:   \forall integer id; 0 <= id < s->entry.n ==> s->entry.a[id].len == \at(s->entry.a[id].len, Before); */
        /*@ assert lens:  same_lens{Before,Here}(table_of(s)); */
        /*@ assert chars: same_chars{Before,Here}(table_of(s)); */
        /*@ assert ends:  same_ends{Before,Here}(table_of(s)); */
        /*@ assert text:  same_labels{Before,Here}(table_of(s)); */
        /*@ assert pairs: same_pairs{Pre,Here}(a, i + 1); */
    }
}

/* Copying the attributes of a node, with one more behind them, and then sorting: build.h has the contract. */
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
    /*@ assert first:  first == place_of(g, node) && 0 <= first && first + n < g.capattr; */
    /*@ assert far:    \forall integer i; 0 <= i < g.n ==> \separated(g.node + i, g.attr + (0 .. g.capattr - 1)); */
    /*@ assert away:   \forall integer k; 0 <= k < first ==> \separated(g.attr + k, g.node + node); */
    h = put(g, node, first, label, val);
    /*@ assert mine:   attrs_ok(h, node); */
    /*@ assert longer: longer_attrs(g, h); */
    /*@ assert ranges: ranges_ok(h); */
    /*@ assert wf:     wf_graph{Pre}(g) ==> g.node[node].kind == NODE_OP ==> wf_graph(h); */
    /*@ assert b_label: \forall integer k; 0 <= k < first ==> g.attr[k].label == \at(g.attr[k].label, Pre); */
    /*@ assert b_value: \forall integer k; 0 <= k < first ==> g.attr[k].value == \at(g.attr[k].value, Pre); */
    /*@ assert table:  table_of(s) == \at(table_of(s), Pre); */
    /*@ assert len:    \forall integer id; 0 <= id < s->entry.n ==> s->entry.a[id].len == \at(s->entry.a[id].len, Pre); */
    /*@ assert start:  \forall integer id; 0 <= id < s->entry.n ==> s->entry.a[id].start == \at(s->entry.a[id].start, Pre); */
    /*@ assert bytes:  same_bytes{Pre,Here}(table_of(s).text, table_of(s).ntext); */
    /*@ assert rows:   same_rows{Pre,Here}(table_of(s)); */
    /*@ assert ends:   same_ends{Pre,Here}(table_of(s)); */
    /*@ assert texts:  texts_ok(table_of(s)); */
    /*@ assert far_kind: \forall integer i; 0 <= i < g.n ==> \separated(&g.node[i].kind, g.attr + first + (0 .. n)); */
    /*@ assert far_in: \forall integer i; 0 <= i < g.n ==> \separated(&g.node[i].in, g.attr + first + (0 .. n)); */
    /*@ assert far_nin: \forall integer i; 0 <= i < g.n ==> \separated(&g.node[i].nin, g.attr + first + (0 .. n)); */
    /*@ assert far_attr: \forall integer i; 0 <= i < g.n ==> \separated(&g.node[i].attr, g.attr + first + (0 .. n)); */
    /*@ assert far_nattr: \forall integer i; 0 <= i < g.n ==> \separated(&g.node[i].nattr, g.attr + first + (0 .. n)); */
    /*@ ghost Put: ; */
    sort_attrs(s, g.attr + first, n + 1);
    /*@ assert s_kind: \forall integer i; 0 <= i < g.n ==> g.node[i].kind == \at(g.node[i].kind, Put); */
    /*@ assert s_in: \forall integer i; 0 <= i < g.n ==> g.node[i].in == \at(g.node[i].in, Put); */
    /*@ assert s_nin: \forall integer i; 0 <= i < g.n ==> g.node[i].nin == \at(g.node[i].nin, Put); */
    /*@ assert s_attr: \forall integer i; 0 <= i < g.n ==> g.node[i].attr == \at(g.node[i].attr, Put); */
    /*@ assert s_nattr: \forall integer i; 0 <= i < g.n ==> g.node[i].nattr == \at(g.node[i].nattr, Put); */
    /*@ assert same_g: same_nodes{Put,Here}(g); */
    /*@ assert t_label: \forall integer k; 0 <= k < first ==> g.attr[k].label == \at(g.attr[k].label, Put); */
    /*@ assert t_value: \forall integer k; 0 <= k < first ==> g.attr[k].value == \at(g.attr[k].value, Put); */
    /*@ assert l_label: \forall integer k; 0 <= k < first ==> g.attr[k].label == \at(g.attr[k].label, Pre); */
    /*@ assert l_value: \forall integer k; 0 <= k < first ==> g.attr[k].value == \at(g.attr[k].value, Pre); */
    /*@ assert but:    nodes_but{Pre,Put}(g, node); */
    /*@ assert h_is:   h.node == g.node && h.n == g.n; */
    /*@ assert nodes:  same_nodes{Put,Here}(h); */
    /*@ assert others: nodes_but{Pre,Here}(g, node); */
    /*@ assert ins:    same_inputs{Put,Here}(h); */
    /*@ assert same:   same_graph{Put,Here}(h); */
    /*@ assert pairs:  one_pair{Pre,Here}(g.attr + from, g.attr + first, n, label, val); */
    return h;
}

/* Where there is room for it: one attribute more. build.h has the contract. */
#ifdef __FRAMAC__
#include "graph/add_attr.acsl"
#define ATTR_GIVEN                                                      \
    requires ready:    ready_graph(g);                                  \
    requires strings:  own_strings(g);                                  \
    requires node:     0 <= node < g->node.n;                           \
    requires room:     g->attr.n + g->node.a[node].nattr < g->attr.cap;
#define ATTR_PUT                                                                                                                     \
    ensures  number:   \result == \old(place_of(put_of(g), node)) + \old(g->node.a[node].nattr) + 1;                                 \
    ensures  more:     \old(g->attr.n) <= \result <= \old(g->attr.cap);                                                              \
    ensures  place:    \old(g->node.a)[node].attr == \old(place_of(put_of(g), node)) &&                                              \
                       \old(g->node.a)[node].nattr == \old(g->node.a[node].nattr) + 1;                                               \
    ensures  below:    moved_attrs{Pre,Post}(\old(g->attr.a), \old(g->attr.a), \old(place_of(put_of(g), node)));                     \
    ensures  attrs:    one_pair{Pre,Post}(\old(g->attr.a + g->node.a[node].attr), \old(g->attr.a) + \old(place_of(put_of(g), node)), \
                       \old(g->node.a[node].nattr), label, val);                                                                     \
    ensures  sorted:   sorted_attrs(\old(table_of(g->strs)), \old(g->attr.a) + \old(place_of(put_of(g), node)),                      \
                       \old(g->node.a[node].nattr) + 1);                                                                             \
    ensures  ranges:   ranges_ok({\old(put_of(g)) \with .nattr = (int)\result});                                                     \
    ensures  wf:       \old(wf_graph(put_of(g))) ==> \old(g->node.a)[node].kind == NODE_OP ==>                                       \
                       wf_graph({\old(put_of(g)) \with .nattr = (int)\result});
#endif

/* What is at p is none of what changes. */
#define FAR(p) \separated(p, g->attr.a + (0 .. g->attr.cap - 1)) && \separated(p, &g->node.a[node].attr) && \separated(p, &g->node.a[node].nattr)

/* As graph_put_attr; all else of the nodes, the other nodes and the inputs are as they were. */
/*@ requires valid:    valid_graph(v) && ranges_ok(v) && 0 <= node < v.n;
    requires room:     v.nattr + v.node[node].nattr < v.capattr;
    requires strs:     \valid_read(s) && valid_strs(table_of(s)) && texts_ok(table_of(s));
    requires apart:    \separated(v.attr + (0 .. v.capattr - 1), s, s->entry.a + (0 .. s->entry.n - 1)) &&
                       \separated(v.node + (0 .. v.cap - 1), s, s->entry.a + (0 .. s->entry.n - 1));
    terminates \true;
    exits    never:    \false;
    assigns  v.node[node].attr, v.node[node].nattr, v.attr[0 .. v.capattr - 1];
    ensures  number:   \result == \old(place_of(v, node)) + \old(v.node[node].nattr) + 1;
    ensures  place:    v.node[node].attr == \old(place_of(v, node)) && v.node[node].nattr == \old(v.node[node].nattr) + 1;
    ensures  below:    moved_attrs{Pre,Post}(v.attr, v.attr, \old(place_of(v, node)));
    ensures  attrs:    one_pair{Pre,Post}(v.attr + \old(v.node[node].attr), v.attr + \old(place_of(v, node)),
                       \old(v.node[node].nattr), label, val);
    ensures  sorted:   sorted_attrs(table_of(s), v.attr + \old(place_of(v, node)), v.node[node].nattr);
    ensures  ranges:   ranges_ok({v \with .nattr = (int)\result});
    ensures  wf:       \old(wf_graph(v)) ==> v.node[node].kind == NODE_OP ==> wf_graph({v \with .nattr = (int)\result});
    ensures  kinds:    \forall integer i; 0 <= i < v.n ==> v.node[i].kind == \old(v.node[i].kind);
    ensures  datas:    \forall integer i; 0 <= i < v.n ==> v.node[i].data == \old(v.node[i].data);
    ensures  bares:    moved_bares{Pre,Post}(v.node, v.node, v.n);
    ensures  places:   moved_places{Pre,Post}(v.node, v.node, v.n, node);
    ensures  ins:      moved_numbers{Pre,Post}(v.in, v.in, v.nin);
*/
static int put_view(const struct strs *s, struct graph_put v, int node, int label, int val)
{
    struct graph_put h;

    /*@ assert in: node_in(v, node); */
    /*@ assert far_kind: \forall integer i; 0 <= i < v.n ==> \separated(&v.node[i].kind, v.attr + (0 .. v.capattr - 1)); */
    /*@ assert far_op: \forall integer i; 0 <= i < v.n ==> \separated(&v.node[i].op, v.attr + (0 .. v.capattr - 1)); */
    /*@ assert far_name: \forall integer i; 0 <= i < v.n ==> \separated(&v.node[i].name, v.attr + (0 .. v.capattr - 1)); */
    /*@ assert far_label: \forall integer i; 0 <= i < v.n ==> \separated(&v.node[i].label, v.attr + (0 .. v.capattr - 1)); */
    /*@ assert far_in: \forall integer i; 0 <= i < v.n ==> \separated(&v.node[i].in, v.attr + (0 .. v.capattr - 1)); */
    /*@ assert far_nin: \forall integer i; 0 <= i < v.n ==> \separated(&v.node[i].nin, v.attr + (0 .. v.capattr - 1)); */
    /*@ assert far_index: \forall integer i; 0 <= i < v.n ==> \separated(&v.node[i].index, v.attr + (0 .. v.capattr - 1)); */
    /*@ assert far_dtype: \forall integer i; 0 <= i < v.n ==> \separated(&v.node[i].dtype, v.attr + (0 .. v.capattr - 1)); */
    /*@ assert far_data: \forall integer i; 0 <= i < v.n ==> \separated(&v.node[i].data, v.attr + (0 .. v.capattr - 1)); */
    /*@ assert far_origin: \forall integer i; 0 <= i < v.n ==> \separated(&v.node[i].origin, v.attr + (0 .. v.capattr - 1)); */
    /*@ assert far_rank: \forall integer i; 0 <= i < v.n ==> \separated(&v.node[i].shape.rank, v.attr + (0 .. v.capattr - 1)); */
    /*@ assert far_attr: \forall integer i; 0 <= i < v.n ==> \separated(&v.node[i].attr, v.attr + (0 .. v.capattr - 1)); */
    /*@ assert far_nattr: \forall integer i; 0 <= i < v.n ==> \separated(&v.node[i].nattr, v.attr + (0 .. v.capattr - 1)); */
    /*@ assert others: \forall integer i; 0 <= i < v.n ==> i != node ==> &v.node[i].attr != &v.node[node].attr; */
    /*@ assert far_both: \forall integer i; 0 <= i < v.n ==> i != node ==> \separated(&v.node[i].attr, &v.node[node].attr) &&
                     \separated(&v.node[i].attr, &v.node[node].nattr) &&
                     \separated(&v.node[i].attr, v.attr + (0 .. v.capattr - 1)); */
    h = graph_put_attr(s, v, node, label, val);
    /*@ assert n_attr: \forall integer i; 0 <= i < v.n ==> i != node ==> v.node[i].attr == \at(v.node[i].attr, Pre); */
    /*@ assert n_kind: \forall integer i; 0 <= i < v.n ==> v.node[i].kind == \at(v.node[i].kind, Pre); */
    /*@ assert n_in: \forall integer i; 0 <= i < v.n ==> v.node[i].in == \at(v.node[i].in, Pre); */
    /*@ assert n_nin: \forall integer i; 0 <= i < v.n ==> v.node[i].nin == \at(v.node[i].nin, Pre); */
    /*@ assert n_data: \forall integer i; 0 <= i < v.n ==> v.node[i].data == \at(v.node[i].data, Pre); */
    /*@ assert n_dim: \forall integer i, d; 0 <= i < v.n ==> 0 <= d < RANK_MAX ==> v.node[i].shape.dim[d] == \at(v.node[i].shape.dim[d], Pre); */
    /*@ assert n_nattr: \forall integer i; 0 <= i < v.n ==> i != node ==> v.node[i].nattr == \at(v.node[i].nattr, Pre); */
    /*@ assert n_op: \forall integer i; 0 <= i < v.n ==> v.node[i].op == \at(v.node[i].op, Pre); */
    /*@ assert n_name: \forall integer i; 0 <= i < v.n ==> v.node[i].name == \at(v.node[i].name, Pre); */
    /*@ assert n_label: \forall integer i; 0 <= i < v.n ==> v.node[i].label == \at(v.node[i].label, Pre); */
    /*@ assert n_index: \forall integer i; 0 <= i < v.n ==> v.node[i].index == \at(v.node[i].index, Pre); */
    /*@ assert n_dtype: \forall integer i; 0 <= i < v.n ==> v.node[i].dtype == \at(v.node[i].dtype, Pre); */
    /*@ assert n_origin: \forall integer i; 0 <= i < v.n ==> v.node[i].origin == \at(v.node[i].origin, Pre); */
    /*@ assert n_rank: \forall integer i; 0 <= i < v.n ==> v.node[i].shape.rank == \at(v.node[i].shape.rank, Pre); */
    /*@ assert k_kind: \forall integer i; 0 <= i < v.n ==> kept_int{Pre,Here}(&v.node[i].kind); */
    /*@ assert k_op: \forall integer i; 0 <= i < v.n ==> kept_int{Pre,Here}(&v.node[i].op); */
    /*@ assert k_name: \forall integer i; 0 <= i < v.n ==> kept_int{Pre,Here}(&v.node[i].name); */
    /*@ assert k_label: \forall integer i; 0 <= i < v.n ==> kept_int{Pre,Here}(&v.node[i].label); */
    /*@ assert k_in: \forall integer i; 0 <= i < v.n ==> kept_int{Pre,Here}(&v.node[i].in); */
    /*@ assert k_nin: \forall integer i; 0 <= i < v.n ==> kept_int{Pre,Here}(&v.node[i].nin); */
    /*@ assert k_index: \forall integer i; 0 <= i < v.n ==> kept_int{Pre,Here}(&v.node[i].index); */
    /*@ assert k_dtype: \forall integer i; 0 <= i < v.n ==> kept_int{Pre,Here}(&v.node[i].dtype); */
    /*@ assert k_data: \forall integer i; 0 <= i < v.n ==> kept_int{Pre,Here}(&v.node[i].data); */
    /*@ assert k_origin: \forall integer i; 0 <= i < v.n ==> kept_int{Pre,Here}(&v.node[i].origin); */
    /*@ assert k_rank: \forall integer i; 0 <= i < v.n ==> kept_int{Pre,Here}(&v.node[i].shape.rank); */
    /*@ assert shapes: \forall integer i; 0 <= i < v.n ==> same_shape{Pre,Here}(&v.node[i].shape, &v.node[i].shape); */
    /*@ assert bare: \forall integer i; 0 <= i < v.n ==> moved_bare{Pre,Here}(v.node + i, v.node + i); */
    /*@ assert bares: moved_bares{Pre,Here}(v.node, v.node, v.n); */ /*@ assert places: moved_places{Pre,Here}(v.node, v.node, v.n, node); */
    /*@ assert ins: moved_numbers{Pre,Here}(v.in, v.in, v.nin); */
    /*@ assert low: \forall integer k; 0 <= k < \at(place_of(v, node), Pre) ==> same_attr{Pre,Here}(v.attr, k) &&
                     v.attr[k].label == \at(v.attr[k].label, Pre) && v.attr[k].value == \at(v.attr[k].value, Pre); */
    /*@ assert below: moved_attrs{Pre,Here}(v.attr, v.attr, \at(place_of(v, node), Pre)); */
    return h.nattr;
}

/* The attribute in the arrays of g; how many attributes there are then. */
/*@ ATTR_GIVEN
    terminates \true;
    exits    never:    \false;
    assigns  g->node.a[node].attr, g->node.a[node].nattr, g->attr.a[0 .. g->attr.cap - 1];
    ATTR_PUT
    ensures  kinds:    \forall integer i; 0 <= i < \old(g->node.n) ==> \old(g->node.a)[i].kind == \old(g->node.a[i].kind);
    ensures  datas:    \forall integer i; 0 <= i < \old(g->node.n) ==> \old(g->node.a)[i].data == \old(g->node.a[i].data);
    ensures  bares:    moved_bares{Pre,Post}(\old(g->node.a), \old(g->node.a), \old(g->node.n));
    ensures  places:   moved_places{Pre,Post}(\old(g->node.a), \old(g->node.a), \old(g->node.n), node);
    ensures  ins:      moved_numbers{Pre,Post}(\old(g->in.a), \old(g->in.a), \old(g->in.n));
*/
static int put_attr(struct graph *g, int node, int label, int val)
{
    struct graph_put v = graph_view(g);
    int n;

    /*@ ghost View: ; */
    /*@ assert in: node_in(v, node); */
    /*@ assert strs: valid_strs(table_of(g->strs)) && texts_ok(table_of(g->strs)) && \valid_read(g->strs); */
    /*@ assert a_attr: \separated(g->attr.a + (0 .. g->attr.cap - 1), g->strs); */
    /*@ assert a_entry: \separated(g->attr.a + (0 .. g->attr.cap - 1), g->strs->entry.a + (0 .. g->strs->entry.n - 1)); */
    /*@ assert n_strs: \separated(g->node.a + (0 .. g->node.cap - 1), g->strs); */
    /*@ assert n_entry: \separated(g->node.a + (0 .. g->node.cap - 1), g->strs->entry.a + (0 .. g->strs->entry.n - 1)); */
    /*@ assert place: place_of(v, node) == \at(place_of(put_of(g), node), Pre); */
    /*@ assert is_attr: v.attr == g->attr.a && v.capattr == g->attr.cap; */ /*@ assert is_node: v.node == g->node.a && v.cap == g->node.cap; */
    /*@ assert is_n: v.n == g->node.n && v.nin == g->in.n && v.in == g->in.a; */
    n = put_view(g->strs, v, node, label, val);
    /*@ assert kinds: \forall integer i; 0 <= i < v.n ==> v.node[i].kind == \at(v.node[i].kind, View); */
    /*@ assert datas: \forall integer i; 0 <= i < v.n ==> v.node[i].data == \at(v.node[i].data, View); */
    /*@ assert v_node: v.node == \at(g->node.a, Pre) && v.n == \at(g->node.n, Pre); */
    /*@ assert g_kinds: \forall integer i; 0 <= i < \at(g->node.n, Pre) ==> v.node[i].kind == \at(g->node.a[i].kind, Pre); */
    /*@ assert g_datas: \forall integer i; 0 <= i < \at(g->node.n, Pre) ==> v.node[i].data == \at(g->node.a[i].data, Pre); */
    /*@ assert same_node: \forall integer i; &v.node[i] == &\at(g->node.a, Pre)[i]; */
    /*@ assert away: \forall integer i; &\at(g->node.a, Pre)[i].kind != &v.node[node].attr &&
                     &\at(g->node.a, Pre)[i].kind != &v.node[node].nattr; */
    /*@ assert all_kinds: \forall integer i; 0 <= i < \at(g->node.n, Pre) ==>
                          \at(g->node.a, Pre)[i].kind == \at(g->node.a[i].kind, Pre); */
    return n;
}

/* The attribute in a graph that does not count it yet: all else is kept. */
/*@ ATTR_GIVEN
    terminates \true;
    exits    never:    \false;
    assigns  g->node.a[node].attr, g->node.a[node].nattr, g->attr.a[0 .. g->attr.cap - 1];
    ATTR_PUT
    ensures  view:     put_of(g) == \old(put_of(g));
    ensures  held:     held_graph(g);
    ensures  lists:    inputs_are(g) && outputs_are(g) && data_are(g, g->node.n);
    ensures  kept:     kept_but{Pre,Post}(g, node);
    ensures  in_order: sorted_attrs(table_of(g->strs), g->attr.a + g->node.a[node].attr, g->node.a[node].nattr);
*/
static int put_last(struct graph *g, int node, int label, int val)
{
    int n;

    /*@ assert far_0: FAR(&g->node.n); */ /*@ assert far_1: FAR(&g->node.cap); */ /*@ assert far_2: FAR(&g->in.n); */ /*@ assert far_3: FAR(&g->in.cap); */
    /*@ assert far_4: FAR(&g->attr.cap); */ /*@ assert far_5: FAR(&g->input.n); */ /*@ assert far_6: FAR(&g->input.cap); */ /*@ assert far_7: FAR(&g->output.n); */
    /*@ assert far_8: FAR(&g->output.cap); */ /*@ assert far_9: FAR(&g->tensor.n); */ /*@ assert far_10: FAR(&g->tensor.cap); */
    /*@ assert far_11: FAR(&g->name); */ /*@ assert far_12: FAR(&g->rules); */ /*@ assert far_13: FAR(&g->class); */ /*@ assert far_14: FAR(&g->opset); */
    /*@ assert far_15: FAR(&g->raw.n); */ /*@ assert far_16: FAR(&g->model.n); */ /*@ assert far_17: FAR(&g->strs->entry.n); */
    /*@ assert far_18: FAR(&g->strs->entry.cap); */ /*@ assert far_19: FAR(&g->strs->text.n); */ /*@ assert far_20: FAR(&g->strs->text.cap); */
    /*@ assert far_21: FAR(&g->strs->buckets); */ /*@ assert far_22: FAR(&g->attr.n); */
    /*@ assert far_input: \forall integer k; 0 <= k < g->input.n ==> FAR(&g->input.a[k]); */
    /*@ assert far_o_node: \forall integer k; 0 <= k < g->output.n ==> FAR(&g->output.a[k].node); */
    /*@ assert far_o_name: \forall integer k; 0 <= k < g->output.n ==> FAR(&g->output.a[k].name); */
    /*@ assert far_t_dtype: \forall integer k; 0 <= k < g->tensor.n ==> FAR(&g->tensor.a[k].dtype); */
    /*@ assert far_t_rank: \forall integer k; 0 <= k < g->tensor.n ==> FAR(&g->tensor.a[k].shape.rank); */
    /*@ assert far_len: \forall integer k; 0 <= k < g->strs->entry.n ==> FAR(&g->strs->entry.a[k].len); */
    n = put_attr(g, node, label, val);
    /*@ assert counts: g->node.n == \at(g->node.n, Pre) && g->in.n == \at(g->in.n, Pre); */ /*@ assert counted: g->attr.n == \at(g->attr.n, Pre); */
    /*@ assert lists: g->input.a == \at(g->input.a, Pre) && g->output.a == \at(g->output.a, Pre) && g->tensor.a == \at(g->tensor.a, Pre); */
    /*@ assert lists_n: g->input.n == \at(g->input.n, Pre) && g->output.n == \at(g->output.n, Pre) && g->tensor.n == \at(g->tensor.n, Pre); */
    /*@ assert caps: g->input.cap == \at(g->input.cap, Pre) && g->output.cap == \at(g->output.cap, Pre) && g->tensor.cap == \at(g->tensor.cap, Pre); */
    /*@ assert caps_n: g->node.cap == \at(g->node.cap, Pre) && g->in.cap == \at(g->in.cap, Pre) && g->attr.cap == \at(g->attr.cap, Pre); */
    /*@ assert ptrs: g->node.a == \at(g->node.a, Pre) && g->in.a == \at(g->in.a, Pre) && g->attr.a == \at(g->attr.a, Pre); */
    /*@ assert view: put_of(g) == \at(put_of(g), Pre); */
    /*@ assert datas: \forall integer i; 0 <= i < g->node.n ==> g->node.a[i].data == \at(g->node.a[i].data, Pre); */
    /*@ assert kinds: \forall integer i; 0 <= i < g->node.n ==> g->node.a[i].kind == \at(g->node.a[i].kind, Pre); */
    /*@ assert data_old: \forall integer i; 0 <= i < g->node.n ==> \at(g->node.a[i].kind, Pre) == NODE_CONST ==>
                         0 <= \at(g->node.a[i].data, Pre) < g->tensor.n; */
    /*@ assert data: data_are(g, g->node.n); */
    /*@ assert bares: moved_bares{Pre,Here}(g->node.a, g->node.a, g->node.n); */
    /*@ assert places: moved_places{Pre,Here}(g->node.a, g->node.a, g->node.n, node); */ /*@ assert ins: moved_numbers{Pre,Here}(g->in.a, g->in.a, g->in.n); */
    /*@ assert arena: kept_arena{Pre,Here}(g, node); */ /*@ assert input: \forall integer k; 0 <= k < g->input.n ==> g->input.a[k] == \at(g->input.a[k], Pre); */
    /*@ assert inputs: kept_inputs{Pre,Here}(g); */
    /*@ assert o_node: \forall integer k; 0 <= k < g->output.n ==> g->output.a[k].node == \at(g->output.a[k].node, Pre); */
    /*@ assert out_old: \forall integer k; 0 <= k < g->output.n ==> 0 <= \at(g->output.a[k].node, Pre) < g->node.n; */
    /*@ assert are_out: outputs_are(g); */
    /*@ assert o_name: \forall integer k; 0 <= k < g->output.n ==> g->output.a[k].name == \at(g->output.a[k].name, Pre); */
    /*@ assert o_moved: moved_outputs{Pre,Here}(g->output.a, g->output.a, g->output.n); */ /*@ assert outputs: kept_outputs{Pre,Here}(g); */
    /*@ assert t_dtype: \forall integer k; 0 <= k < g->tensor.n ==> g->tensor.a[k].dtype == \at(g->tensor.a[k].dtype, Pre); */
    /*@ assert t_rank: \forall integer k; 0 <= k < g->tensor.n ==> g->tensor.a[k].shape.rank == \at(g->tensor.a[k].shape.rank, Pre); */
    /*@ assert t_dim: \forall integer k, d; 0 <= k < g->tensor.n ==> 0 <= d < RANK_MAX ==> g->tensor.a[k].shape.dim[d] == \at(g->tensor.a[k].shape.dim[d], Pre); */
    /*@ assert t_moved: moved_tensors{Pre,Here}(g->tensor.a, g->tensor.a, g->tensor.n); */ /*@ assert tensors: kept_tensors{Pre,Here}(g); */
    /*@ assert r_name: g->name == \at(g->name, Pre); */ /*@ assert r_rules: g->rules == \at(g->rules, Pre); */
    /*@ assert r_class: g->class == \at(g->class, Pre); */ /*@ assert r_opset: g->opset == \at(g->opset, Pre); */
    /*@ assert r_raw: g->raw.n == \at(g->raw.n, Pre); */ /*@ assert r_model: g->model.n == \at(g->model.n, Pre); */ /*@ assert rest: kept_rest{Pre,Here}(g); */
    /*@ assert s_strs: g->strs == \at(g->strs, Pre); */ /*@ assert s_n: g->strs->entry.n == \at(g->strs->entry.n, Pre); */
    /*@ assert s_entry: g->strs->entry.a == \at(g->strs->entry.a, Pre); */
    /*@ assert s_rest: g->strs->entry.cap == \at(g->strs->entry.cap, Pre) && g->strs->buckets == \at(g->strs->buckets, Pre); */
    /*@ assert s_text: g->strs->text.n == \at(g->strs->text.n, Pre) && g->strs->text.cap == \at(g->strs->text.cap, Pre); */
    /*@ assert table: table_of(g->strs) == \at(table_of(g->strs), Pre); */
    /*@ assert s_start: \forall integer id; 0 <= id < g->strs->entry.n ==> g->strs->entry.a[id].start == \at(g->strs->entry.a[id].start, Pre); */
    /*@ assert s_len: \forall integer id; 0 <= id < g->strs->entry.n ==> g->strs->entry.a[id].len == \at(g->strs->entry.a[id].len, Pre); */
    /*@ assert bytes: same_bytes{Pre,Here}(table_of(g->strs).text, table_of(g->strs).ntext); */
    /*@ assert rows: same_rows{Pre,Here}(table_of(g->strs)); */
    /*@ assert lens: same_lens{Pre,Here}(table_of(g->strs)); */ /*@ assert chars: same_chars{Pre,Here}(table_of(g->strs)); */
    /*@ assert ends: same_ends{Pre,Here}(table_of(g->strs)); */ /*@ assert strings: kept_strings{Pre,Here}(g); */ /*@ assert kept: kept_but{Pre,Here}(g, node); */
    /*@ assert valid: valid_graph(put_of(g)); */ /*@ assert v_input: 0 <= g->input.n <= g->input.cap && \valid(g->input.a + (0 .. g->input.cap - 1)); */
    /*@ assert v_output: 0 <= g->output.n <= g->output.cap && \valid(g->output.a + (0 .. g->output.cap - 1)); */
    /*@ assert v_tensor: 0 <= g->tensor.n <= g->tensor.cap && \valid(g->tensor.a + (0 .. g->tensor.cap - 1)); */ /*@ assert v_lists: valid_lists(g); */
    /*@ assert apart: apart_graph(g); */ /*@ assert strs: valid_strs(table_of(g->strs)) && \valid_read(g->strs); */
    /*@ assert texts: texts_ok(table_of(g->strs)); */ /*@ assert away: apart_labels(g); */ /*@ assert held: held_graph(g); */
    /*@ assert in_ids: \forall integer k; 0 <= k < g->input.n ==> 0 <= g->input.a[k] < g->node.n; */
    /*@ assert in_kind: \forall integer k; 0 <= k < g->input.n ==> \at(g->node.a[g->input.a[k]].kind, Pre) == NODE_INPUT; */
    /*@ assert in_old: \forall integer k, i; 0 <= k < g->input.n ==> i == g->input.a[k] ==> \at(g->node.a[i].kind, Pre) == NODE_INPUT; */
    /*@ assert in_new: \forall integer k, i; 0 <= k < g->input.n ==> i == g->input.a[k] ==> g->node.a[i].kind == NODE_INPUT; */ /*@ assert are_in: inputs_are(g); */
    return n;
}

/* The graph has n attributes: those behind the ones that it counts already are taken over. */
/*@ requires held:     held_graph(g);
    requires lists:    inputs_are(g) && outputs_are(g) && data_are(g, g->node.n);
    requires node:     0 <= node < g->node.n;
    requires more:     g->attr.n <= n <= g->attr.cap;
    requires ranges:   ranges_ok({put_of(g) \with .nattr = n});
    requires sorted:   is_sorted(g, node);
    terminates \true;
    exits    never:    \false;
    assigns  g->attr.n;
    ensures  view:     put_of(g) == {\old(put_of(g)) \with .nattr = n};
    ensures  ready:    ready_graph(g);
    ensures  kept:     kept_but{Pre,Post}(g, node);
    ensures  same:     same_graph{Pre,Post}(put_of(g));
    ensures  attrs:    moved_attrs{Pre,Post}(g->attr.a, g->attr.a, n);
    ensures  pairs:    same_pairs{Pre,Post}(g->attr.a + g->node.a[node].attr, g->node.a[node].nattr);
    ensures  sorted:   is_sorted(g, node);
*/
static void count(struct graph *g, int n) /*@ ghost (int node) */
{
    /*@ ghost int at = 0; */
    /*@ assert in: node_in({put_of(g) \with .nattr = n}, node); */
    g->attr.n = n;
    /*@ assert counts: g->node.n == \at(g->node.n, Pre) && g->in.n == \at(g->in.n, Pre); */
    /*@ assert lists: g->input.a == \at(g->input.a, Pre) && g->output.a == \at(g->output.a, Pre) && g->tensor.a == \at(g->tensor.a, Pre); */
    /*@ assert lists_n: g->input.n == \at(g->input.n, Pre) && g->output.n == \at(g->output.n, Pre) && g->tensor.n == \at(g->tensor.n, Pre); */
    /*@ assert caps: g->input.cap == \at(g->input.cap, Pre) && g->output.cap == \at(g->output.cap, Pre) && g->tensor.cap == \at(g->tensor.cap, Pre); */
    /*@ assert caps_n: g->node.cap == \at(g->node.cap, Pre) && g->in.cap == \at(g->in.cap, Pre) && g->attr.cap == \at(g->attr.cap, Pre); */
    /*@ assert ptrs: g->node.a == \at(g->node.a, Pre) && g->in.a == \at(g->in.a, Pre) && g->attr.a == \at(g->attr.a, Pre); */
    /*@ assert view: put_of(g) == {\at(put_of(g), Pre) \with .nattr = n}; */
    /*@ assert n_kind: \forall integer i; 0 <= i < g->node.n ==> g->node.a[i].kind == \at(g->node.a[i].kind, Pre); */
    /*@ assert n_op: \forall integer i; 0 <= i < g->node.n ==> g->node.a[i].op == \at(g->node.a[i].op, Pre); */
    /*@ assert n_name: \forall integer i; 0 <= i < g->node.n ==> g->node.a[i].name == \at(g->node.a[i].name, Pre); */
    /*@ assert n_label: \forall integer i; 0 <= i < g->node.n ==> g->node.a[i].label == \at(g->node.a[i].label, Pre); */
    /*@ assert n_in: \forall integer i; 0 <= i < g->node.n ==> g->node.a[i].in == \at(g->node.a[i].in, Pre); */
    /*@ assert n_nin: \forall integer i; 0 <= i < g->node.n ==> g->node.a[i].nin == \at(g->node.a[i].nin, Pre); */
    /*@ assert n_index: \forall integer i; 0 <= i < g->node.n ==> g->node.a[i].index == \at(g->node.a[i].index, Pre); */
    /*@ assert n_dtype: \forall integer i; 0 <= i < g->node.n ==> g->node.a[i].dtype == \at(g->node.a[i].dtype, Pre); */
    /*@ assert n_data: \forall integer i; 0 <= i < g->node.n ==> g->node.a[i].data == \at(g->node.a[i].data, Pre); */
    /*@ assert n_origin: \forall integer i; 0 <= i < g->node.n ==> g->node.a[i].origin == \at(g->node.a[i].origin, Pre); */
    /*@ assert n_rank: \forall integer i; 0 <= i < g->node.n ==> g->node.a[i].shape.rank == \at(g->node.a[i].shape.rank, Pre); */
    /*@ assert n_dim: \forall integer i, d; 0 <= i < g->node.n ==> 0 <= d < RANK_MAX ==> g->node.a[i].shape.dim[d] == \at(g->node.a[i].shape.dim[d], Pre); */
    /*@ assert n_attr: \forall integer i; 0 <= i < g->node.n ==> g->node.a[i].attr == \at(g->node.a[i].attr, Pre); */
    /*@ assert n_nattr: \forall integer i; 0 <= i < g->node.n ==> g->node.a[i].nattr == \at(g->node.a[i].nattr, Pre); */
    /*@ assert bares: moved_bares{Pre,Here}(g->node.a, g->node.a, g->node.n); */
    /*@ assert places: moved_places{Pre,Here}(g->node.a, g->node.a, g->node.n, node); */ /*@ assert ins: moved_numbers{Pre,Here}(g->in.a, g->in.a, g->in.n); */
    /*@ assert arena: kept_arena{Pre,Here}(g, node); */ /*@ assert input: \forall integer k; 0 <= k < g->input.n ==> g->input.a[k] == \at(g->input.a[k], Pre); */
    /*@ assert inputs: kept_inputs{Pre,Here}(g); */
    /*@ assert o_node: \forall integer k; 0 <= k < g->output.n ==> g->output.a[k].node == \at(g->output.a[k].node, Pre); */
    /*@ assert o_name: \forall integer k; 0 <= k < g->output.n ==> g->output.a[k].name == \at(g->output.a[k].name, Pre); */
    /*@ assert o_moved: moved_outputs{Pre,Here}(g->output.a, g->output.a, g->output.n); */ /*@ assert outputs: kept_outputs{Pre,Here}(g); */
    /*@ assert t_dtype: \forall integer k; 0 <= k < g->tensor.n ==> g->tensor.a[k].dtype == \at(g->tensor.a[k].dtype, Pre); */
    /*@ assert t_rank: \forall integer k; 0 <= k < g->tensor.n ==> g->tensor.a[k].shape.rank == \at(g->tensor.a[k].shape.rank, Pre); */
    /*@ assert t_dim: \forall integer k, d; 0 <= k < g->tensor.n ==> 0 <= d < RANK_MAX ==> g->tensor.a[k].shape.dim[d] == \at(g->tensor.a[k].shape.dim[d], Pre); */
    /*@ assert t_moved: moved_tensors{Pre,Here}(g->tensor.a, g->tensor.a, g->tensor.n); */ /*@ assert tensors: kept_tensors{Pre,Here}(g); */
    /*@ assert r_name: g->name == \at(g->name, Pre); */ /*@ assert r_rules: g->rules == \at(g->rules, Pre); */
    /*@ assert r_class: g->class == \at(g->class, Pre); */ /*@ assert r_opset: g->opset == \at(g->opset, Pre); */
    /*@ assert r_raw: g->raw.n == \at(g->raw.n, Pre); */ /*@ assert r_model: g->model.n == \at(g->model.n, Pre); */ /*@ assert rest: kept_rest{Pre,Here}(g); */
    /*@ assert s_strs: g->strs == \at(g->strs, Pre); */ /*@ assert s_n: g->strs->entry.n == \at(g->strs->entry.n, Pre); */
    /*@ assert s_entry: g->strs->entry.a == \at(g->strs->entry.a, Pre); */
    /*@ assert s_rest: g->strs->entry.cap == \at(g->strs->entry.cap, Pre) && g->strs->buckets == \at(g->strs->buckets, Pre); */
    /*@ assert s_text: g->strs->text.n == \at(g->strs->text.n, Pre) && g->strs->text.cap == \at(g->strs->text.cap, Pre); */
    /*@ assert table: table_of(g->strs) == \at(table_of(g->strs), Pre); */
    /*@ assert s_start: \forall integer id; 0 <= id < g->strs->entry.n ==> g->strs->entry.a[id].start == \at(g->strs->entry.a[id].start, Pre); */
    /*@ assert s_len: \forall integer id; 0 <= id < g->strs->entry.n ==> g->strs->entry.a[id].len == \at(g->strs->entry.a[id].len, Pre); */
    /*@ assert lens: same_lens{Pre,Here}(table_of(g->strs)); */ /*@ assert chars: same_chars{Pre,Here}(table_of(g->strs)); */
    /*@ assert ends_to: \forall integer id; 0 <= id < g->strs->entry.n ==> text_ok{Pre}(table_of(g->strs), id) ==> text_ok(table_of(g->strs), id); */
    /*@ assert ends_of: \forall integer id; 0 <= id < g->strs->entry.n ==> text_ok(table_of(g->strs), id) ==> text_ok{Pre}(table_of(g->strs), id); */
    /*@ assert ends: same_ends{Pre,Here}(table_of(g->strs)); */ /*@ assert strings: kept_strings{Pre,Here}(g); */ /*@ assert kept: kept_but{Pre,Here}(g, node); */
    /*@ assert n_room: 0 <= g->attr.n <= g->attr.cap; */ /*@ assert valid: valid_graph(put_of(g)); */
    /*@ assert v_input: 0 <= g->input.n <= g->input.cap && \valid(g->input.a + (0 .. g->input.cap - 1)); */
    /*@ assert v_output: 0 <= g->output.n <= g->output.cap && \valid(g->output.a + (0 .. g->output.cap - 1)); */
    /*@ assert v_tensor: 0 <= g->tensor.n <= g->tensor.cap && \valid(g->tensor.a + (0 .. g->tensor.cap - 1)); */ /*@ assert v_lists: valid_lists(g); */
    /*@ assert apart: apart_graph(g); */ /*@ assert strs: valid_strs(table_of(g->strs)) && \valid_read(g->strs); */
    /*@ assert texts: texts_ok(table_of(g->strs)); */ /*@ assert away: apart_labels(g); */ /*@ assert held: held_graph(g); */
    /*@ assert in_ids: \forall integer k; 0 <= k < g->input.n ==> 0 <= g->input.a[k] < g->node.n; */
    /*@ assert in_kind: \forall integer k; 0 <= k < g->input.n ==> \at(g->node.a[g->input.a[k]].kind, Pre) == NODE_INPUT; */ /*@ assert are_in: inputs_are(g); */
    /*@ assert are_out: outputs_are(g); */ /*@ assert data: data_are(g, g->node.n); */
    /*@ assert labels: \forall integer k; 0 <= k < g->attr.n ==> g->attr.a[k].label == \at(g->attr.a[k].label, Pre); */
    /*@ assert values: \forall integer k; 0 <= k < g->attr.n ==> g->attr.a[k].value == \at(g->attr.a[k].value, Pre); */
    /*@ assert attrs: moved_attrs{Pre,Here}(g->attr.a, g->attr.a, g->attr.n); */ /*@ assert s_nodes: same_nodes{Pre,Here}(put_of(g)); */
    /*@ assert s_ins: same_inputs{Pre,Here}(put_of(g)); */ /*@ assert same: same_graph{Pre,Here}(put_of(g)); */ /*@ assert ranges: ranges_ok(put_of(g)); */
    /*@ assert ready: ready_graph(g); */ /*@ assert names: same_labels{Pre,Here}(table_of(g->strs)); */ /*@ assert sorted: is_sorted(g, node); */
    /*@ ghost
        /@ loop invariant range: 0 <= at <= g->node.a[node].nattr;
           loop invariant same:  same_pairs{Pre,Here}(g->attr.a + g->node.a[node].attr, at);
           loop assigns at;
           loop variant g->node.a[node].nattr - at;
        @/
        while (at < g->node.a[node].nattr)
            at++;
    */
}

void graph_add_attr(struct graph *g, int node, int label, int val)
{
    int n = put_last(g, node, label, val);

    /*@ ghost Put: ; */
    /*@ assert p_ptrs: g->attr.a == \at(g->attr.a, Pre) && g->node.a == \at(g->node.a, Pre); */
    count(g, n) /*@ ghost (node) */;
    /*@ assert ptrs: g->attr.a == \at(g->attr.a, Pre) && g->node.a == \at(g->node.a, Pre); */
    /*@ assert nodes: same_nodes{Put,Here}(put_of(g)); */
    /*@ assert at: g->node.a[node].attr == \at(place_of(put_of(g), node), Pre); */
    /*@ assert size: g->node.a[node].nattr == \at(g->node.a[node].nattr, Pre) + 1; */
    /*@ assert kind: g->node.a[node].kind == \at(g->node.a[node].kind, Put); */
    /*@ assert kept: kept_but{Pre,Here}(g, node); */
    /*@ assert wf: wf_graph{Pre}(\at(put_of(g), Pre)) ==> g->node.a[node].kind == NODE_OP ==> wf_graph{Put}(put_of(g)); */
    /*@ assert place: has_place{Pre,Here}(g, node, \at(place_of(put_of(g), node), Pre)); */
    /*@ assert put: one_pair{Pre,Put}(\at(g->attr.a + g->node.a[node].attr, Pre), g->attr.a + g->node.a[node].attr,
                     \at(g->node.a[node].nattr, Pre), label, val); */
    /*@ assert pairs: same_pairs{Put,Here}(g->attr.a + g->node.a[node].attr, \at(g->node.a[node].nattr, Pre) + 1); */
    /*@ assert more: has_more{Pre,Here}(g, node, label, val); */
    /*@ assert below: moved_attrs{Pre,Here}(\at(g->attr.a, Pre), g->attr.a, \at(place_of(put_of(g), node), Pre)); */
}

/* build.h has the contract. */
#ifdef __FRAMAC__
#include "graph/change.acsl"
#endif

/* Attribute i of the graph gets another value. */
/*@ requires ready:    ready_graph(g);
    requires attr:     0 <= i < g->attr.n;
    requires node:     0 <= node < g->node.n;
    terminates \true;
    exits    never:    \false;
    assigns  g->attr.a[i];
    ensures  ready:    ready_graph(g);
    ensures  kept:     kept_but{Pre,Post}(g, node);
    ensures  wf:       \old(wf_graph(put_of(g))) ==> wf_graph(put_of(g));
    ensures  replaced: replaced{Pre,Post}(g, node, i, val);
*/
static void replace(struct graph *g, int i, int val) /*@ ghost (int node) */
{
    g->attr.a[i].value = val;
    /*@ assert counts: g->node.n == \at(g->node.n, Pre) && g->in.n == \at(g->in.n, Pre) && g->attr.n == \at(g->attr.n, Pre); */
    /*@ assert lists: g->input.a == \at(g->input.a, Pre) && g->output.a == \at(g->output.a, Pre) && g->tensor.a == \at(g->tensor.a, Pre); */
    /*@ assert lists_n: g->input.n == \at(g->input.n, Pre) && g->output.n == \at(g->output.n, Pre) && g->tensor.n == \at(g->tensor.n, Pre); */
    /*@ assert caps: g->input.cap == \at(g->input.cap, Pre) && g->output.cap == \at(g->output.cap, Pre) && g->tensor.cap == \at(g->tensor.cap, Pre); */
    /*@ assert caps_n: g->node.cap == \at(g->node.cap, Pre) && g->in.cap == \at(g->in.cap, Pre) && g->attr.cap == \at(g->attr.cap, Pre); */
    /*@ assert ptrs: g->node.a == \at(g->node.a, Pre) && g->in.a == \at(g->in.a, Pre) && g->attr.a == \at(g->attr.a, Pre); */
    /*@ assert view: put_of(g) == \at(put_of(g), Pre); */
    /*@ assert n_kind: \forall integer i; 0 <= i < g->node.n ==> g->node.a[i].kind == \at(g->node.a[i].kind, Pre); */
    /*@ assert n_op: \forall integer i; 0 <= i < g->node.n ==> g->node.a[i].op == \at(g->node.a[i].op, Pre); */
    /*@ assert n_name: \forall integer i; 0 <= i < g->node.n ==> g->node.a[i].name == \at(g->node.a[i].name, Pre); */
    /*@ assert n_label: \forall integer i; 0 <= i < g->node.n ==> g->node.a[i].label == \at(g->node.a[i].label, Pre); */
    /*@ assert n_in: \forall integer i; 0 <= i < g->node.n ==> g->node.a[i].in == \at(g->node.a[i].in, Pre); */
    /*@ assert n_nin: \forall integer i; 0 <= i < g->node.n ==> g->node.a[i].nin == \at(g->node.a[i].nin, Pre); */
    /*@ assert n_index: \forall integer i; 0 <= i < g->node.n ==> g->node.a[i].index == \at(g->node.a[i].index, Pre); */
    /*@ assert n_dtype: \forall integer i; 0 <= i < g->node.n ==> g->node.a[i].dtype == \at(g->node.a[i].dtype, Pre); */
    /*@ assert n_data: \forall integer i; 0 <= i < g->node.n ==> g->node.a[i].data == \at(g->node.a[i].data, Pre); */
    /*@ assert n_origin: \forall integer i; 0 <= i < g->node.n ==> g->node.a[i].origin == \at(g->node.a[i].origin, Pre); */
    /*@ assert n_rank: \forall integer i; 0 <= i < g->node.n ==> g->node.a[i].shape.rank == \at(g->node.a[i].shape.rank, Pre); */
    /*@ assert n_dim: \forall integer i, d; 0 <= i < g->node.n ==> 0 <= d < RANK_MAX ==> g->node.a[i].shape.dim[d] == \at(g->node.a[i].shape.dim[d], Pre); */
    /*@ assert n_attr: \forall integer i; 0 <= i < g->node.n ==> g->node.a[i].attr == \at(g->node.a[i].attr, Pre); */
    /*@ assert n_nattr: \forall integer i; 0 <= i < g->node.n ==> g->node.a[i].nattr == \at(g->node.a[i].nattr, Pre); */
    /*@ assert bares: moved_bares{Pre,Here}(g->node.a, g->node.a, g->node.n); */
    /*@ assert places: moved_places{Pre,Here}(g->node.a, g->node.a, g->node.n, node); */
    /*@ assert ins: moved_numbers{Pre,Here}(g->in.a, g->in.a, g->in.n); */ /*@ assert arena: kept_arena{Pre,Here}(g, node); */
    /*@ assert input: \forall integer k; 0 <= k < g->input.n ==> g->input.a[k] == \at(g->input.a[k], Pre); */ /*@ assert inputs: kept_inputs{Pre,Here}(g); */
    /*@ assert o_node: \forall integer k; 0 <= k < g->output.n ==> g->output.a[k].node == \at(g->output.a[k].node, Pre); */
    /*@ assert o_name: \forall integer k; 0 <= k < g->output.n ==> g->output.a[k].name == \at(g->output.a[k].name, Pre); */
    /*@ assert o_moved: moved_outputs{Pre,Here}(g->output.a, g->output.a, g->output.n); */ /*@ assert outputs: kept_outputs{Pre,Here}(g); */
    /*@ assert t_dtype: \forall integer k; 0 <= k < g->tensor.n ==> g->tensor.a[k].dtype == \at(g->tensor.a[k].dtype, Pre); */
    /*@ assert t_rank: \forall integer k; 0 <= k < g->tensor.n ==> g->tensor.a[k].shape.rank == \at(g->tensor.a[k].shape.rank, Pre); */
    /*@ assert t_dim: \forall integer k, d; 0 <= k < g->tensor.n ==> 0 <= d < RANK_MAX ==> g->tensor.a[k].shape.dim[d] == \at(g->tensor.a[k].shape.dim[d], Pre); */
    /*@ assert t_moved: moved_tensors{Pre,Here}(g->tensor.a, g->tensor.a, g->tensor.n); */
    /*@ assert tensors: kept_tensors{Pre,Here}(g); */ /*@ assert r_name: g->name == \at(g->name, Pre); */
    /*@ assert r_rules: g->rules == \at(g->rules, Pre); */ /*@ assert r_class: g->class == \at(g->class, Pre); */
    /*@ assert r_opset: g->opset == \at(g->opset, Pre); */ /*@ assert r_raw: g->raw.n == \at(g->raw.n, Pre); */
    /*@ assert r_model: g->model.n == \at(g->model.n, Pre); */ /*@ assert rest: kept_rest{Pre,Here}(g); */
    /*@ assert s_strs: g->strs == \at(g->strs, Pre); */ /*@ assert s_n: g->strs->entry.n == \at(g->strs->entry.n, Pre); */
    /*@ assert s_entry: g->strs->entry.a == \at(g->strs->entry.a, Pre); */
    /*@ assert s_rest: g->strs->entry.cap == \at(g->strs->entry.cap, Pre) && g->strs->buckets == \at(g->strs->buckets, Pre); */
    /*@ assert s_text: g->strs->text.n == \at(g->strs->text.n, Pre) && g->strs->text.cap == \at(g->strs->text.cap, Pre); */
    /*@ assert table: table_of(g->strs) == \at(table_of(g->strs), Pre); */
    /*@ assert s_start: \forall integer id; 0 <= id < g->strs->entry.n ==> g->strs->entry.a[id].start == \at(g->strs->entry.a[id].start, Pre); */
    /*@ assert s_len: \forall integer id; 0 <= id < g->strs->entry.n ==> g->strs->entry.a[id].len == \at(g->strs->entry.a[id].len, Pre); */
    /*@ assert lens: same_lens{Pre,Here}(table_of(g->strs)); */ /*@ assert chars: same_chars{Pre,Here}(table_of(g->strs)); */
    /*@ assert ends_to: \forall integer id; 0 <= id < g->strs->entry.n ==> text_ok{Pre}(table_of(g->strs), id) ==> text_ok(table_of(g->strs), id); */
    /*@ assert ends_of: \forall integer id; 0 <= id < g->strs->entry.n ==> text_ok(table_of(g->strs), id) ==> text_ok{Pre}(table_of(g->strs), id); */
    /*@ assert ends: same_ends{Pre,Here}(table_of(g->strs)); */ /*@ assert strings: kept_strings{Pre,Here}(g); */
    /*@ assert kept: kept_but{Pre,Here}(g, node); */ /*@ assert valid: valid_graph(put_of(g)); */
    /*@ assert v_input: 0 <= g->input.n <= g->input.cap && \valid(g->input.a + (0 .. g->input.cap - 1)); */
    /*@ assert v_output: 0 <= g->output.n <= g->output.cap && \valid(g->output.a + (0 .. g->output.cap - 1)); */
    /*@ assert v_tensor: 0 <= g->tensor.n <= g->tensor.cap && \valid(g->tensor.a + (0 .. g->tensor.cap - 1)); */
    /*@ assert v_lists: valid_lists(g); */ /*@ assert apart: apart_graph(g); */
    /*@ assert strs: valid_strs(table_of(g->strs)) && \valid_read(g->strs); */ /*@ assert texts: texts_ok(table_of(g->strs)); */
    /*@ assert away: apart_labels(g); */ /*@ assert held: held_graph(g); */
    /*@ assert in_ids: \forall integer k; 0 <= k < g->input.n ==> 0 <= g->input.a[k] < g->node.n; */
    /*@ assert in_kind: \forall integer k; 0 <= k < g->input.n ==> \at(g->node.a[g->input.a[k]].kind, Pre) == NODE_INPUT; */
    /*@ assert are_in: inputs_are(g); */ /*@ assert are_out: outputs_are(g); */ /*@ assert data: data_are(g, g->node.n); */
    /*@ assert same_n: same_nodes{Pre,Here}(put_of(g)); */ /*@ assert same_i: same_inputs{Pre,Here}(put_of(g)); */
    /*@ assert same: same_graph{Pre,Here}(put_of(g)); */ /*@ assert ranges: ranges_ok(put_of(g)); */
    /*@ assert a_label: \forall integer k; 0 <= k < g->attr.n ==> g->attr.a[k].label == \at(g->attr.a[k].label, Pre); */
    /*@ assert a_value: \forall integer k; 0 <= k < g->attr.n ==> k != i ==> g->attr.a[k].value == \at(g->attr.a[k].value, Pre); */
}

/* Room for one attribute more; the node has the attributes that it had. */
/*@ requires ready:    ready_graph(g);
    requires strings:  own_strings(g);
    requires node:     0 <= node < g->node.n;
    terminates \true;
    exits    never:    \false;
    assigns  *g, *g->mem, { *p | struct node *p; \true }, { *a | struct node_attr *a; \true };
    ensures  result:   \result == 0 || \result == 1;
    ensures  ready:    ready_graph(g);
    ensures  kept:     kept{Pre,Post}(g) && same_count{Pre,Post}(g);
    ensures  wf:       \old(wf_graph(put_of(g))) ==> wf_graph(put_of(g));
    ensures  room:     \result == 1 ==> g->attr.n + g->node.a[node].nattr < g->attr.cap;
    ensures  strings:  own_strings(g);
    ensures  pairs:    same_pairs_of{Pre,Post}(g, node);
*/
static bool room(struct graph *g, int node)
{
    return graph_attr_room(g, node);
}

bool graph_set_attr(struct graph *g, int node, int label, int val)
{
    int i = graph_find_attr(g, node, label);

    /*@ assert in: node_in(put_of(g), node); */
    if (i >= 0) {
        /*@ assert only: \forall integer k; first_label(put_of(g), node, k, label) ==> k == i; */
        replace(g, i, val) /*@ ghost (node) */;
        return true;
    }
    if (!room(g, node))
        return false;
    /*@ ghost Room: ; */
    /*@ assert place: \at(place_of(put_of(g), node), Pre) == place_of(put_of(g), node); */
    /*@ assert size: \at(g->node.a[node].nattr, Pre) == g->node.a[node].nattr; */
    /*@ assert low: place_of(put_of(g), node) <= g->attr.n; */
    /*@ assert b_graph: moved_graph{Pre,Here}(\at(put_of(g), Pre), put_of(g)); */
    /*@ assert b_from: \at(put_of(g), Pre).attr == \at(g->attr.a, Pre) && \at(put_of(g), Pre).nattr == \at(g->attr.n, Pre); */
    /*@ assert b_to: put_of(g).attr == g->attr.a && \at(g->attr.n, Pre) == g->attr.n; */
    /*@ assert b_all: moved_attrs{Pre,Here}(\at(g->attr.a, Pre), g->attr.a, \at(g->attr.n, Pre)); */
    /*@ assert b_was: moved_attrs{Pre,Here}(\at(g->attr.a, Pre), g->attr.a, \at(place_of(put_of(g), node), Pre)); */
    graph_add_attr(g, node, label, val);
    /*@ assert since: added{Room,Here}(g, node, label, val); */
    /*@ assert b_room: moved_attrs{Room,Here}(\at(g->attr.a, Room), g->attr.a, \at(place_of(put_of(g), node), Pre)); */
    /*@ assert below: moved_attrs{Pre,Here}(\at(g->attr.a, Pre), g->attr.a, \at(place_of(put_of(g), node), Pre)); */
    /*@ assert has: has_place{Pre,Here}(g, node, \at(place_of(put_of(g), node), Pre)); */
    /*@ assert more: has_more{Pre,Here}(g, node, label, val); */
    /*@ assert added: added{Pre,Here}(g, node, label, val); */
    return true;
}
