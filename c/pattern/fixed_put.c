#include "pattern/fixed_put.h"

/*@ requires arrays:   \valid(one + (0 .. v.patterns - 1)) && \separated(one + (0 .. v.patterns - 1), v.pos + (0 .. v.n - 1));
    requires map:      places_in(nodes, v, at);
    terminates \true;
    exits    never:    \false;
    assigns  one[0 .. v.patterns - 1];
    ensures  nodes:    nodes_of(v, at, one, v.n);
    ensures  others:   others_kept{Pre,Post}(v, one);
*/
static void put_nodes(struct fixed_view v, const long *at, int *one) /*@ ghost (int nodes) */
{
    /*@ loop invariant range:  0 <= j <= v.n;
        loop invariant plan:   \forall integer i; 0 <= i < v.n ==> v.pos[i] == \at(v.pos[i], Pre);
        loop invariant nodes:  nodes_of(v, at, one, j);
        loop invariant others: others_kept{Pre,Here}(v, one);
        loop assigns j, one[0 .. v.patterns - 1];
        loop variant v.n - j;
    */
    for (int j = 0; j < v.n; j++)
        one[v.pos[j]] = (int)at[v.pos[j]];
}

/*@ requires arrays:   \valid(one + (0 .. v.patterns - 1)) && \separated(one + (0 .. v.patterns - 1), v.pos + (0 .. v.n - 1));
    requires places:   0 < v.n && \valid_read(v.pos + (0 .. v.n - 1)) && \forall integer j; 0 <= j < v.n ==> 0 <= v.pos[j] < v.patterns;
    terminates \true;
    exits    never:    \false;
    assigns  one[0 .. v.patterns - 1];
    ensures  nodes:    \forall integer j; 0 <= j < v.n ==> one[v.pos[j]] == PATTERN_UNBOUND;
    ensures  others:   others_kept{Pre,Post}(v, one);
*/
static void drop_nodes(struct fixed_view v, int *one)
{
    /*@ loop invariant range:  0 <= j <= v.n;
        loop invariant plan:   \forall integer i; 0 <= i < v.n ==> v.pos[i] == \at(v.pos[i], Pre);
        loop invariant nodes:  \forall integer i; 0 <= i < j ==> one[v.pos[i]] == PATTERN_UNBOUND;
        loop invariant others: others_kept{Pre,Here}(v, one);
        loop assigns j, one[0 .. v.patterns - 1];
        loop variant v.n - j;
    */
    for (int j = 0; j < v.n; j++)
        one[v.pos[j]] = PATTERN_UNBOUND;
}

/*@ requires valid:    valid_entries(w) && 0 <= w.n < v.n && \valid(w.entry + (0 .. v.n - 1)) && chained(w);
    requires apart:    \separated(w.entry + (0 .. v.n - 1), w.place + (0 .. w.nodes - 1), w.pattern + (0 .. w.patterns - 1),
                       v.pos + (0 .. v.n - 1));
    requires map:      places_in(w.nodes, v, at) && w.patterns == v.patterns && entries_of(w.entry, v, at, w.n);
    terminates \true;
    exits    never:    \false;
    assigns  w.entry[0 .. v.n - 1], w.place[0 .. w.nodes - 1].entry;
    ensures  arrays:   same_arrays(\result, w) && \result.n == w.n + 1;
    ensures  plan:     \forall integer i; 0 <= i < v.n ==> v.pos[i] == \old(v.pos[i]);
    ensures  entries:  entries_of(w.entry, v, at, \result.n);
    ensures  valid:    valid_entries(\result) && chained(\result);
*/
static struct inside_view put_entry(struct inside_view w, struct fixed_view v, const long *at)
{
    struct match_entry e = { ENTRY_NODE, v.pos[w.n], -1, (int)at[v.pos[w.n]], -1 };
    struct inside_view x = entries_put(w, e);

    /*@ assert plan: \forall integer i; 0 <= i < v.n ==> v.pos[i] == \at(v.pos[i], Pre); */
    /*@ assert kept: entries_kept{Pre,Here}(w.entry, w.n); */
    /*@ assert map: map_kept{Pre,Here}(v, at, w.n); */
    /*@ assert before: entries_of(w.entry, v, at, w.n); */
    /*@ assert here: w.entry[w.n].kind == ENTRY_NODE && w.entry[w.n].pattern == v.pos[w.n] && w.entry[w.n].instance == -1; */
    /*@ assert node: w.entry[w.n].node == at[v.pos[w.n]]; */
    /*@ assert more: entries_of(w.entry, v, at, x.n); */
    return x;
}

struct inside_view fixed_put(struct inside_view w, struct fixed_view v, const long *at, int *one)
{
    struct inside_view x = w;

    put_nodes(v, at, one) /*@ ghost (w.nodes) */;
    /*@ assert unsaid: unsaid(w.place, w.nodes); */
    /*@ assert chained: chained(w); */
    /*@ ghost Nodes: ; */
    /*@ loop invariant arrays:  same_arrays(x, w) && 0 <= x.n <= v.n;
        loop invariant plan:    \forall integer i; 0 <= i < v.n ==> v.pos[i] == \at(v.pos[i], Pre);
        loop invariant one:     \forall integer p; 0 <= p < v.patterns ==> one[p] == \at(one[p], Nodes);
        loop invariant entries: entries_of(w.entry, v, at, x.n);
        loop invariant valid:   valid_entries(x);
        loop invariant chained: chained(x);
        loop assigns x, w.entry[0 .. v.n - 1], w.place[0 .. w.nodes - 1].entry;
        loop variant v.n - x.n;
    */
    while (x.n < v.n)
        x = put_entry(x, v, at);
    /*@ assert last: \forall integer e; 0 <= e < w.nodes ==> last_before(x, x.place[e].entry, x.n, e); */
    /*@ assert here: \forall integer e; 0 <= e < w.nodes ==> 0 <= x.place[e].entry ==> said(x, x.place[e].entry, e); */
    /*@ assert said: \forall integer e; 0 <= e < w.nodes ==> 0 <= x.place[e].entry ==> x.place[e].entry < v.n &&
                     at[v.pos[x.place[e].entry]] == e; */
    return x;
}

void fixed_drop(struct inside_view w, struct fixed_view v, const long *at, int *one)
{
    /*@ loop invariant range: 0 <= j <= v.n;
        loop invariant plan:  \forall integer i; 0 <= i < v.n ==> v.pos[i] == \at(v.pos[i], Pre);
        loop invariant heads: heads_of(w.place, w.nodes, v, at, j);
        loop assigns j, w.place[0 .. w.nodes - 1].entry;
        loop variant v.n - j;
    */
    for (int j = 0; j < v.n; j++)
        w.place[at[v.pos[j]]].entry = -1;
    /*@ assert unsaid: unsaid(w.place, w.nodes); */
    drop_nodes(v, one);
}
