#include "pattern/fixed_ask.h"
#include "pattern/fixed_hold.h"
#include "pattern/fixed_put.h"

#ifdef __FRAMAC__
#include "pattern/fixed_rest.acsl"
#endif

/* M becomes the map. */
/*@ requires room:     room_of(a.entries, v, a.one) && rule_apart(a.entries, v, a.one);
    requires nodes:    places_in(v.nodes, v, at);
    terminates \true;
    exits    never:    \false;
    assigns  a.entries.entry[0 .. v.n - 1], a.entries.place[0 .. a.entries.nodes - 1].entry, a.one[0 .. v.patterns - 1];
    ensures  arrays:   same_arrays(\result.entries, a.entries) && \result.one == a.one;
    ensures  map:      is_map(\result.entries, v, at, \result.one);
    ensures  view:     same_view{Pre,Post}(v);
*/
static struct fixed_map put(struct fixed_map a, struct fixed_view v, const long *at)
{
    struct fixed_map b = { fixed_put(a.entries, v, at, a.one), a.one };

    /*@ assert flags: flags_kept{Pre,Here}(v); */
    /*@ assert kept: rest_kept{Pre,Here}(a.entries, v, a.one); */
    return b;
}

/* M is empty again. */
/*@ requires map:      places_in(v.nodes, v, at) && heads_of(a.entries.place, a.entries.nodes, v, at, 0);
    requires arrays:   \valid(a.entries.place + (0 .. a.entries.nodes - 1)) && \valid(a.one + (0 .. v.patterns - 1)) &&
                       v.nodes <= a.entries.nodes && arrays_apart(a.entries, v, a.one);
    requires apart:    rule_apart(a.entries, v, a.one);
    terminates \true;
    exits    never:    \false;
    assigns  a.entries.place[0 .. a.entries.nodes - 1].entry, a.one[0 .. v.patterns - 1];
    ensures  empty:    unsaid(a.entries.place, a.entries.nodes);
    ensures  nodes:    \forall integer j; 0 <= j < v.n ==> a.one[v.pos[j]] == PATTERN_UNBOUND;
    ensures  view:     same_view{Pre,Post}(v);
*/
static void drop(struct fixed_map a, struct fixed_view v, const long *at)
{
    fixed_drop(a.entries, v, at, a.one);
    /*@ assert flags: flags_kept{Pre,Here}(v); */
    /*@ assert kept: rest_kept{Pre,Here}(a.entries, v, a.one); */
}

int fixed_ask(struct matcher *m, struct fixed_view v, const long *at, int node)
{
    struct fixed_map a = fixed_room(m, v), b = a;
    int place;

    if (a.entries.n < 0)
        return -1;
    /*@ ghost Room: ; */
    /*@ assert room: same_view{Pre,Room}(v); */
    b = put(a, v, at);
    /*@ assert view: same_view{Room,Here}(v); */
    /*@ assert graph: wf_graph{Room}(v) && wf_plan{Room}(v); */
    /*@ assert match: solution{Room}(v, map_of{Room}(at, v.patterns), node); */
    /*@ assert same: map_of(at, v.patterns) == map_of{Room}(at, v.patterns); */
    /*@ assert still: solution(v, map_of(at, v.patterns), node); */
    place = fixed_hold(m, b, v, at, node);
    /*@ assert hold: same_view{Room,Here}(v); */
    /*@ assert so_far: same_view{Pre,Here}(v); */
    /*@ assert nodes: places_in(v.nodes, v, at); */
    if (0 <= place && place < v.n) {
        /*@ ghost Drop: ; */
        /*@ assert heads: heads_of(a.entries.place, a.entries.nodes, v, at, 0); */
        drop(a, v, at);
        /*@ assert drop: same_view{Drop,Here}(v); */
        /*@ assert since: same_view{Pre,Here}(v); */
        fixed_empty(m) /*@ ghost (a, v) */;
        /*@ assert empty: same_view{Drop,Here}(v); */
        /*@ assert map: map_of(at, v.patterns) == map_of{Drop}(at, v.patterns); */
        /*@ assert no: \forall pmap q; alike(v, q, map_of(at, v.patterns), place + 1) ==> !accepts(q); */
    }
    return place;
}
