/* The proved part of what is done with a map of fixed patterns: it is put into M, and M is empty again. */
#ifndef CALQUE_PATTERN_FIXED_PUT_H
#define CALQUE_PATTERN_FIXED_PUT_H

#include "pattern/match_trail.h"
#include "pattern/fixed.h"

#ifdef __FRAMAC__
#include "pattern/fixed_put.acsl"
#endif

/* M, which is empty and has room, becomes the map: an entry for each place in their order; one: the node of each pattern. */
/*@ requires valid:    valid_entries(w) && w.n == 0 && \valid(w.entry + (0 .. v.n - 1)) && unsaid(w.place, w.nodes);
    requires arrays:   \valid(one + (0 .. v.patterns - 1)) && w.patterns == v.patterns && arrays_apart(w, v, one);
    requires map:      places_in(w.nodes, v, at);
    terminates \true;
    exits    never:    \false;
    assigns  w.entry[0 .. v.n - 1], w.place[0 .. w.nodes - 1].entry, one[0 .. v.patterns - 1];
    ensures  arrays:   same_arrays(\result, w) && \result.n == v.n;
    ensures  entries:  entries_of(w.entry, v, at, v.n);
    ensures  nodes:    nodes_of(v, at, one, v.n) && others_kept{Pre,Post}(v, one);
    ensures  valid:    valid_entries(\result);
    ensures  chained:  chained(\result);
    ensures  heads:    heads_of(w.place, w.nodes, v, at, 0);
*/
struct inside_view fixed_put(struct inside_view w, struct fixed_view v, const long *at, int *one);

/* M is empty again. */
/*@ requires arrays:   \valid(w.place + (0 .. w.nodes - 1)) && \valid(one + (0 .. v.patterns - 1)) &&
                       \separated(w.place + (0 .. w.nodes - 1), one + (0 .. v.patterns - 1), v.pos + (0 .. v.n - 1));
    requires map:      places_in(w.nodes, v, at) && heads_of(w.place, w.nodes, v, at, 0);
    terminates \true;
    exits    never:    \false;
    assigns  w.place[0 .. w.nodes - 1].entry, one[0 .. v.patterns - 1];
    ensures  empty:    unsaid(w.place, w.nodes);
    ensures  nodes:    \forall integer j; 0 <= j < v.n ==> one[v.pos[j]] == PATTERN_UNBOUND;
    ensures  others:   others_kept{Pre,Post}(v, one);
*/
void fixed_drop(struct inside_view w, struct fixed_view v, const long *at, int *one);

#endif
