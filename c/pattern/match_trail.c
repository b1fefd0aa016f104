/* The map M of a match as a trail (PM-Injective): entries are added and taken back; those of each node are a list. */
#include "pattern/match_trail.h"

struct inside_view entries_put(struct inside_view v, struct match_entry e)
{
    struct inside_view w = v;
    int old = e.old, k = v.n;

    if (e.kind == ENTRY_NODE)
        old = e.node < 0 ? -1 : v.place[e.node].entry;
    v.entry[k].kind = e.kind;
    v.entry[k].pattern = e.pattern;
    v.entry[k].instance = e.instance;
    v.entry[k].node = e.node;
    v.entry[k].old = old;
    if (e.kind == ENTRY_NODE && e.node >= 0)
        v.place[e.node].entry = k;
    w.n = k + 1;
    /*@ assert patterns: \forall integer i; 0 <= i < v.n ==> v.entry[i].pattern == \at(v.entry[i].pattern, Pre); */
    /*@ assert kinds: \forall integer i; 0 <= i < v.n ==> v.entry[i].kind == \at(v.entry[i].kind, Pre); */
    /*@ assert kept: \forall integer i; 0 <= i < v.n ==> v.entry[i].node == \at(v.entry[i].node, Pre); */
    /*@ assert olds: \forall integer i; 0 <= i < v.n ==> v.entry[i].old == \at(v.entry[i].old, Pre); */
    /*@ assert before: \forall integer i, x; 0 <= i < v.n ==> (said(w, i, x) <==> said{Pre}(v, i, x)); */
    /*@ assert last: \forall integer x; said(w, v.n, x) <==> e.kind == ENTRY_NODE && x == e.node; */
    /*@ assert untouched: \forall integer x; 0 <= x < v.nodes ==> !said(w, v.n, x) ==>
                          w.place[x].entry == \at(v.place[x].entry, Pre); */
    /*@ assert shorter: \forall integer x; 0 <= x < v.nodes ==> !said(w, v.n, x) ==>
                        last_before(w, w.place[x].entry, v.n, x); */
    /*@ assert other: \forall integer x; 0 <= x < v.nodes ==> !said(w, v.n, x) ==>
                      last_before(w, w.place[x].entry, w.n, x); */
    /*@ assert here: \forall integer x; 0 <= x < v.nodes ==> said(w, v.n, x) ==>
                     last_before(w, w.place[x].entry, w.n, x); */
    /*@ assert heads: \forall integer x; 0 <= x < v.nodes ==> last_before(w, w.place[x].entry, w.n, x); */
    /*@ assert links: \forall integer i, x; 0 <= x < v.nodes ==> 0 <= i < v.n ==> said(w, i, x) ==>
                      last_before(w, w.entry[i].old, i, x); */
    /*@ assert link: \forall integer x; 0 <= x < v.nodes ==> said(w, v.n, x) ==>
                     last_before(w, w.entry[v.n].old, v.n, x); */
    /*@ assert each: \forall integer i, x; 0 <= x < v.nodes ==> said(w, i, x) ==> i < v.n || i == v.n; */
    /*@ assert chain: \forall integer i, x; 0 <= x < v.nodes ==> said(w, i, x) ==>
                      last_before(w, w.entry[i].old, i, x); */
    /*@ assert done: chained(w); */
    /*@ assert range: \forall integer i; 0 <= i < v.n ==> 0 <= \at(v.entry[i].pattern, Pre) < v.patterns; */
    /*@ assert all: \forall integer i; 0 <= i < w.n ==> 0 <= w.entry[i].pattern < w.patterns; */
    /*@ assert nodes: \forall integer i; 0 <= i < w.n ==> w.entry[i].kind == ENTRY_NODE ==> w.entry[i].node < w.nodes; */
    return w;
}

struct inside_view entries_drop(struct inside_view v)
{
    struct inside_view w = v;
    int k = v.n - 1, e = v.entry[k].node;

    w.n = k;
    /*@ assert old: v.entry[k].kind == ENTRY_NODE ==> 0 <= e ==> last_before(v, v.entry[k].old, k, e); */
    if (v.entry[k].kind == ENTRY_NODE && e >= 0)
        v.place[e].entry = v.entry[k].old;
    /*@ assert same: \forall integer i, x; 0 <= i < k ==> (said(w, i, x) <==> said{Pre}(v, i, x)); */
    /*@ assert other: \forall integer x; 0 <= x < v.nodes ==> !said{Pre}(v, k, x) ==>
                      last_before(w, w.place[x].entry, k, x); */
    /*@ assert heads: \forall integer x; 0 <= x < v.nodes ==> last_before(w, w.place[x].entry, w.n, x); */
    /*@ assert links: \forall integer i, x; 0 <= x < v.nodes ==> said(w, i, x) ==>
                      last_before(w, w.entry[i].old, i, x); */
    return w;
}

/*@ requires valid:    \valid_read(q);
    terminates \true;
    exits    never:    \false;
    assigns  \nothing;
    ensures  result:   \result == 0 || \result == 1;
    ensures  view:     \result == 1 <==> transparent(q, 0);
*/
static int is_transparent(const struct pattern *q)
{
    return q->kind == PATTERN_OPTIONAL || q->kind == PATTERN_NONE || q->kind == PATTERN_ALT ||
           q->kind == PATTERN_OP || q->kind == PATTERN_INST;
}

/*@ requires valid:    \valid_read(q);
    terminates \true;
    exits    never:    \false;
    assigns  \nothing;
    ensures  result:   \result == 0 || \result == 1;
    ensures  simple:   \result == 1 <==> simple(q, 0);
*/
static int is_simple(const struct pattern *q)
{
    return q->kind == PATTERN_WILDCARD || q->kind == PATTERN_VARIABLE || q->kind == PATTERN_CONST;
}

/*@ requires valid:    \valid_read(q + p) && \valid_read(q + r);
    terminates \true;
    exits    never:    \false;
    assigns  \nothing;
    ensures  result:   \result == 0 || \result == 1;
    ensures  share:    \result == 1 <==> may_share(q, p, r);
*/
static int shares(const struct pattern *q, int p, int r)
{
    if (is_transparent(q + p) || is_transparent(q + r))
        return 1;
    return is_simple(q + p) && is_simple(q + r) && (q[p].shared || q[r].shared);
}

int entries_clash(struct inside_view v, int p, int node)
{
    int k = v.place[node].entry;

    /*@ assert last: last_before(v, k, v.n, node); */
    /*@ loop invariant range: -1 <= k < v.n;
        loop invariant said:  k >= 0 ==> said(v, k, node);
        loop invariant none:  \forall integer i; k < i ==> said(v, i, node) ==>
                              may_share(v.pattern, p, v.entry[i].pattern);
        loop assigns k;
        loop variant k;
    */
    while (k >= 0) {
        if (!shares(v.pattern, p, v.entry[k].pattern))
            return k;
        /*@ assert next: last_before(v, v.entry[k].old, k, node); */
        k = v.entry[k].old;
    }
    return -1;
}
