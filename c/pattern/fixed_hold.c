#include "pattern/fixed_hold.h"

#ifdef __FRAMAC__
#include "pattern/fixed_rest.acsl"
#endif

/* M's number of entries. */
/*@ requires valid:    \valid(m) && \valid_read(at + (0 .. v.patterns - 1));
    requires plan:     wf_plan(v) && wf_graph(v);
    requires own:      matcher_apart(m, a.entries, v, a.one);
    requires map:      is_map(a.entries, v, at, a.one);
    requires match:    solution(v, map_of(at, v.patterns), node);
    terminates \true;
    exits    never:    \false;
    assigns  m->entry.n;
    ensures  count:    m->entry.n == n;
    ensures  view:     same_view{Pre,Post}(v);
    ensures  at:       same_map{Pre,Post}(at, v.patterns) && map_of(at, v.patterns) == \old(map_of(at, v.patterns));
    ensures  map:      is_map(a.entries, v, at, a.one);
    ensures  match:    solution(v, map_of(at, v.patterns), node);
    ensures  plan:     wf_plan(v) && wf_graph(v);
*/
static void count(struct matcher *m, int n)
    /*@ ghost (struct fixed_map a, struct fixed_view v, const long *at, int node) */
{
    m->entry.n = n;
    /*@ assert patterns: same_patterns{Pre,Here}(v); */
    /*@ assert graph: same_graph{Pre,Here}(v); */
    /*@ assert kids: same_number{Pre,Here}(v.kid, v.kids) && same_number{Pre,Here}(v.in, v.ins); */
    /*@ assert places: same_number{Pre,Here}(v.pos, v.n) && same_number{Pre,Here}(v.up, v.n); */
    /*@ assert orders: same_number{Pre,Here}(v.commutes, v.ops); */
    /*@ assert view: same_view{Pre,Here}(v); */
    /*@ assert plan: wf_plan(v) && wf_graph(v); */
    /*@ assert at: same_map{Pre,Here}(at, v.patterns) && map_of(at, v.patterns) == map_of{Pre}(at, v.patterns); */
    /*@ assert entries: entries_of(a.entries.entry, v, at, v.n); */
    /*@ assert nodes: nodes_of(v, at, a.one, v.n); */
    /*@ assert heads: heads_of(a.entries.place, a.entries.nodes, v, at, 0); */
    /*@ assert said: \forall integer k, e; said(a.entries, k, e) <==> said{Pre}(a.entries, k, e); */
    /*@ assert first: \forall integer e; 0 <= e < a.entries.nodes ==>
                      a.entries.place[e].entry == \at(a.entries.place[e].entry, Pre); */
    /*@ assert old: \forall integer k; 0 <= k < a.entries.n ==> a.entries.entry[k].old == \at(a.entries.entry[k].old, Pre); */
    /*@ assert before: \forall integer j, k, e; last_before{Pre}(a.entries, j, k, e) ==> last_before(a.entries, j, k, e); */
    /*@ assert tops: \forall integer e; 0 <= e < a.entries.nodes ==>
                     last_before(a.entries, a.entries.place[e].entry, a.entries.n, e); */
    /*@ assert olds: \forall integer k, e; 0 <= e < a.entries.nodes ==> said(a.entries, k, e) ==>
                     last_before(a.entries, a.entries.entry[k].old, k, e); */
    /*@ assert chained: chained(a.entries); */
}

/* The first place whose pattern asks what its node has not, or the number of places. */
/*@ FIXED_RULE_REQUIRES
    requires nodes:    \valid_read(at + (0 .. v.patterns - 1));
    requires plan:     wf_plan(v) && wf_graph(v);
    terminates \true;
    exits    never:    \false;
    assigns  *m, { *p | int *p; \true }, { *q | unsigned *q; \true }, { *w | long *w; \true }, { *z | unsigned long *z; \true },
             { *c | char *c; \true }, { *s | struct values *s; \true }, { *t | struct strs *t; \true };
    ensures  place:    0 <= \result <= v.n;
    ensures  claims:   \forall integer k; 0 <= k < \result ==> claims(map_of(at, v.patterns), k);
    ensures  no:       \result < v.n ==> m->status == CALQUE_OK ==>
                       \forall pmap q; alike(v, q, map_of(at, v.patterns), \result + 1) ==> !accepts(q);
    FIXED_RULE_ENSURES
    ensures  match:    solution(v, map_of(at, v.patterns), node);
    ensures  plan:     wf_plan(v) && wf_graph(v);
*/
static int unclaimed(struct matcher *m) /*@ ghost (struct fixed_map a, struct fixed_view v, const long *at, int node) */
{
    int k = 0;

    /*@ loop invariant place:  0 <= k <= v.n && m->entry.n == v.n;
        loop invariant claims: \forall integer j; 0 <= j < k ==> claims(map_of(at, v.patterns), j);
        loop invariant view:   same_view{Pre,Here}(v) && wf_plan(v) && wf_graph(v);
        loop invariant at:     same_map{Pre,Here}(at, v.patterns) && map_of(at, v.patterns) == map_of{Pre}(at, v.patterns);
        loop invariant map:    is_map(a.entries, v, at, a.one);
        loop invariant match:  solution(v, map_of(at, v.patterns), node);
        loop assigns k, *m, { *p | int *p; \true }, { *q | unsigned *q; \true }, { *w | long *w; \true },
             { *z | unsigned long *z; \true },
             { *c | char *c; \true }, { *s | struct values *s; \true }, { *t | struct strs *t; \true };
        loop variant v.n - k;
    */
    while (k < m->entry.n && fixed_claim(m, k) /*@ ghost (a, v, at, node) */)
        k++;
    return k;
}

int fixed_hold(struct matcher *m, struct fixed_map a, struct fixed_view v, const long *at, int node)
{
    struct fixed_mark first;
    int place;

    (void)at; /* M is the map */
    count(m, a.entries.n) /*@ ghost (a, v, at, node) */;
    first = fixed_output(m, node) /*@ ghost (a, v, at) */;
    /*@ assert out: same_map{Pre,Here}(at, v.patterns); */
    /*@ assert same_out: map_of(at, v.patterns) == map_of{Pre}(at, v.patterns); */
    if (!first.ok)
        return -1;
    place = unclaimed(m) /*@ ghost (a, v, at, node) */;
    /*@ assert entries: m->entry.n == v.n; */
    /*@ assert claimed: same_view{Pre,Here}(v); */
    /*@ assert map: same_map{Pre,Here}(at, v.patterns); */
    /*@ assert same: map_of(at, v.patterns) == map_of{Pre}(at, v.patterns); */
    if (m->status == CALQUE_OK && place == v.n && fixed_conditions(m) /*@ ghost (a, v, at, node) */) {
        /*@ assert yes: same_map{Pre,Here}(at, v.patterns); */
        /*@ assert same_yes: map_of(at, v.patterns) == map_of{Pre}(at, v.patterns); */
        return v.n;
    }
    if (m->status != CALQUE_OK)
        return -1;
    /*@ ghost Back: ; */
    /*@ assert still: m->entry.n == v.n; */
    /*@ assert asked: same_view{Pre,Here}(v); */
    /*@ assert map_asked: same_map{Pre,Here}(at, v.patterns); */
    /*@ assert same_asked: map_of(at, v.patterns) == map_of{Pre}(at, v.patterns); */
    fixed_back(m, first) /*@ ghost (a, v, at, node) */;
    /*@ assert back: same_view{Back,Here}(v) && map_of(at, v.patterns) == map_of{Back}(at, v.patterns); */
    /*@ assert map_back: same_map{Pre,Here}(at, v.patterns); */
    /*@ assert same_back: map_of(at, v.patterns) == map_of{Pre}(at, v.patterns); */
    /*@ assert alike: \forall pmap q, integer j; j <= v.n ==> alike(v, q, map_of(at, v.patterns), j) ==>
                      alike{Back}(v, q, map_of{Back}(at, v.patterns), j); */
    return place < v.n ? place : v.n - 1;
}

void fixed_empty(struct matcher *m) /*@ ghost (struct fixed_map a, struct fixed_view v) */
{
    m->entry.n = 0;
    /*@ assert patterns: same_patterns{Pre,Here}(v); */
    /*@ assert graph: same_graph{Pre,Here}(v); */
    /*@ assert kids: same_number{Pre,Here}(v.kid, v.kids) && same_number{Pre,Here}(v.in, v.ins); */
    /*@ assert places: same_number{Pre,Here}(v.pos, v.n) && same_number{Pre,Here}(v.up, v.n); */
    /*@ assert orders: same_number{Pre,Here}(v.commutes, v.ops); */
}
