/* The proved part of the map M: entries are added and taken back, those of each node are a list, and which of them forbid
   another pattern there. */
#ifndef CALQUE_PATTERN_MATCH_TRAIL_H
#define CALQUE_PATTERN_MATCH_TRAIL_H

#include "pattern/convex.h"

#ifdef __FRAMAC__
#include "pattern/entries.acsl"
#endif

/* M with one entry more, for which there is room. */
/*@ requires valid:    valid_entries(v) && v.n < 0x7fffffff && \valid(v.entry + (0 .. v.n)) && own(v, v.n);
    requires chained:  chained(v);
    requires entry:    0 <= e.pattern < v.patterns && (e.kind == ENTRY_NODE ==> e.node < v.nodes);
    terminates \true;
    exits    never:    \false;
    assigns  v.entry[v.n], v.place[0 .. v.nodes - 1].entry;
    ensures  more:     same_arrays(\result, v) && \result.n == v.n + 1;
    ensures  entry:    v.entry[v.n].kind == e.kind && v.entry[v.n].pattern == e.pattern &&
                       v.entry[v.n].instance == e.instance && v.entry[v.n].node == e.node;
    ensures  old:      e.kind != ENTRY_NODE ==> v.entry[v.n].old == e.old;
    ensures  valid:    valid_entries(\result);
    ensures  chained:  chained(\result);
    ensures  restored: e.kind == ENTRY_NODE && 0 <= e.node ==> v.entry[v.n].old == \old(v.place[e.node].entry);
    ensures  others:   \forall integer x; 0 <= x < v.nodes && (e.kind == ENTRY_NODE ==> x != e.node) ==>
                       v.place[x].entry == \old(v.place[x].entry);
*/
struct inside_view entries_put(struct inside_view v, struct match_entry e);

/* M without its last entry: as it was before entries_put. */
/*@ requires valid:    valid_entries(v) && 0 < v.n && own(v, v.n - 1);
    requires chained:  chained(v);
    terminates \true;
    exits    never:    \false;
    assigns  v.place[0 .. v.nodes - 1].entry;
    ensures  less:     same_arrays(\result, v) && \result.n == v.n - 1;
    ensures  valid:    valid_entries(\result);
    ensures  chained:  chained(\result);
    ensures  restored: v.entry[v.n - 1].kind == ENTRY_NODE && 0 <= v.entry[v.n - 1].node ==>
                       v.place[v.entry[v.n - 1].node].entry == v.entry[v.n - 1].old;
    ensures  others:   \forall integer x; 0 <= x < v.nodes &&
                       (v.entry[v.n - 1].kind == ENTRY_NODE ==> x != v.entry[v.n - 1].node) ==>
                       v.place[x].entry == \old(v.place[x].entry);
*/
struct inside_view entries_drop(struct inside_view v);

/* PM-Injective: an entry whose pattern stands for node where p may not, or -1. */
/*@ requires valid:    valid_entries(v);
    requires chained:  chained(v);
    requires pattern:  0 <= p < v.patterns && 0 <= node < v.nodes;
    terminates \true;
    exits    never:    \false;
    assigns  \nothing;
    ensures  range:    -1 <= \result < v.n;
    ensures  clash:    \result >= 0 ==> said(v, \result, node) && !may_share(v.pattern, p, v.entry[\result].pattern);
    ensures  none:     \result < 0 ==> \forall integer k; said(v, k, node) ==>
                       may_share(v.pattern, p, v.entry[k].pattern);
*/
int entries_clash(struct inside_view v, int p, int node);

#endif
