#include "pattern/fixed_search.h"

/*@ ghost
/@ requires plan:     valid_fixed(v) && wf_plan(v) && wf_graph(v);
   requires place:    0 <= j < v.n;
   requires map:      solution(v, map_of(at, v.patterns), node) && in_order(v, map_of(at, v.patterns), swap, v.n);
   terminates \true;
   exits    never:    \false;
   assigns  \nothing;
   ensures  alike:    \forall pmap q; solution(v, q, node) ==> agree(v, q, swap, j + 1) ==> alike(v, q, map_of(at, v.patterns), j + 1);
@/
void orders_fix(struct fixed_view v, long *at, unsigned char *swap, int node, int j)
{
    /@ loop invariant range: 0 <= k <= j + 1;
       loop invariant alike: \forall pmap q; solution(v, q, node) ==> agree(v, q, swap, j + 1) ==> alike(v, q, map_of(at, v.patterns), k);
       loop assigns k;
       loop variant j + 1 - k;
    @/
    for (int k = 0; k <= j; k++) {
        /@ assert place: wf_place(v, k) && (k > 0 ==> 0 <= v.up[k] < k && wf_place(v, v.up[k])); @/
        /@ assert local: \forall pmap q, integer i; solution(v, q, node) ==> 0 <= i < k ==> local(v, q, v.pos[i]); @/
        /@ assert straight: \forall pmap q, integer i; solution(v, q, node) ==> agree(v, q, swap, j + 1) ==> 0 <= i < k ==>
                         (swap[i] == 0 <==> straight(v, q, v.pos[i])); @/
        /@ assert swapped: \forall pmap q, integer i; solution(v, q, node) ==> agree(v, q, swap, j + 1) ==> 0 <= i < k ==>
                         swap[i] != 0 ==> joined(v, q, v.pos[i], node_of(q, v.pos[i]), 1); @/
        /@ assert order: \forall pmap q, integer i; solution(v, q, node) ==> agree(v, q, swap, j + 1) ==> 0 <= i < k ==>
                         joined(v, q, v.pos[i], node_of(q, v.pos[i]), swap[i]); @/
        /@ assert parent: k > 0 ==> joined(v, map_of(at, v.patterns), v.pos[v.up[k]], node_of(map_of(at, v.patterns), v.pos[v.up[k]]), swap[v.up[k]]); @/
        /@ assert here: \forall pmap q; solution(v, q, node) ==> agree(v, q, swap, j + 1) ==>
                        node_of(q, v.pos[k]) == node_of(map_of(at, v.patterns), v.pos[k]); @/
    }
}
*/

struct fixed_answer fixed_search(struct matcher *m, struct fixed_view v, int node, unsigned char *swap, long *at)
{
    struct fixed_answer a = fixed_first(v, node, swap, at);
    int place;

    /*@ ghost matches_local(v, node); */
    /*@ ghost local_matches(v, node); */
    /*@ assert view: same_view{Pre,Here}(v); */
    /*@ loop invariant code:   FIXED_NO <= a.code <= FIXED_LIMIT;
        loop invariant view:   same_view{Pre,Here}(v) && wf_plan(v) && wf_graph(v);
        loop invariant yes:    a.code == FIXED_YES ==> solution(v, map_of(at, v.patterns), node) && wf_swap(v, swap) &&
                               in_order(v, map_of(at, v.patterns), swap, v.n);
        loop invariant passes: a.code == FIXED_YES ==> 0 <= a.passes;
        loop invariant nodes:  a.code == FIXED_YES ==> \forall integer i; 0 <= i < v.n ==> 0 <= at[v.pos[i]] < v.nodes;
        loop invariant rest:   a.code == FIXED_YES ==> \forall pmap q; solution(v, q, node) ==> accepts(q) ==> reached(v, q, swap);
        loop invariant none:   a.code == FIXED_NO ==> \forall pmap q; solution(v, q, node) ==> !accepts(q);
        loop assigns a, place, at[0 .. v.patterns - 1], swap[0 .. v.n - 1], *m,
             { *p | int *p; \true }, { *q | unsigned *q; \true }, { *w | long *w; \true }, { *z | unsigned long *z; \true },
             { *c | char *c; \true }, { *s | struct values *s; \true }, { *t | struct strs *t; \true },
             { *e | struct match_entry *e; \true };
        loop variant a.code == FIXED_YES ? a.passes + 1 : 0;
    */
    while (a.code == FIXED_YES) {
        /*@ ghost local_matches(v, node); */
        /*@ ghost Ask: ; */
        place = fixed_ask(m, v, at, node);
        /*@ ghost matches_local(v, node); */
        /*@ ghost local_matches(v, node); */
        /*@ assert swaps: \forall integer i; 0 <= i < v.n ==> swap[i] == \at(swap[i], Ask); */
        /*@ assert same: \forall pmap q; solution(v, q, node) <==> solution{Ask}(v, q, node); */
        /*@ assert reach: \forall pmap q; solution(v, q, node) ==> accepts(q) ==> reached(v, q, swap); */
        /*@ assert map: solution(v, map_of(at, v.patterns), node); */
        if (place == v.n)
            return a;
        if (place < 0) {
            a.code = FIXED_LIMIT;
            return a;
        }
        /*@ assert kept: map_of(at, v.patterns) == map_of{Ask}(at, v.patterns); */
        /*@ assert was: in_order{Ask}(v, map_of(at, v.patterns), \at(swap, Ask), v.n); */
        /*@ assert place: \forall integer i; 0 <= i < v.n ==> v.pos[i] == \at(v.pos[i], Ask) && wf_place{Ask}(v, i); */
        /*@ assert node: \forall integer i; 0 <= i < v.n ==> 0 <= node_of(map_of(at, v.patterns), v.pos[i]) < v.nodes; */
        /*@ assert joined: \forall integer i; 0 <= i < v.n ==>
                           joined(v, map_of(at, v.patterns), v.pos[i], node_of(map_of(at, v.patterns), v.pos[i]), swap[i]); */
        /*@ assert orders: in_order(v, map_of(at, v.patterns), swap, v.n); */
        /*@ ghost orders_fix(v, at, swap, node, place); */
        /*@ assert refused: \forall pmap q; solution(v, q, node) ==> agree(v, q, swap, place + 1) ==> !accepts(q); */
        a = fixed_next(v, node, swap, at, place, a);
        /*@ ghost matches_local(v, node); */
    }
    /*@ ghost matches_local(v, node); */
    return a;
}
