/* Putting a target in place, seen from the lists side by side: those of outputs stay, those of users stay exact. */
#ifndef CALQUE_REWRITE_SPLICE_PLACE_H
#define CALQUE_REWRITE_SPLICE_PLACE_H

#include "pattern/uses_grow.h"
#include "pattern/uses_output.h"
#include "rewrite/place.h"

#ifdef __FRAMAC__
#include "pattern/edges.acsl"
#include "rewrite/splice_place.acsl"
#endif

/* place_target in the lists of a graph with the nodes nd, beside the lists w of its outputs. */
/*@ TARGET_REQUIRES
    requires beside:   valid_outputs(w) && side_by_side(v, w) && valid_nodes(v, nd) && nodes_aside(w, nd);
    requires exact:    outputs_ok(w) && exact(v, nd);
    requires alive:    roots_alive(v, t.root, t.outs);
    terminates \true;
    exits    never:    \false;
    TARGET_ASSIGNS
    TARGET_ENSURES
    ensures  outputs:  outputs_ok(w) && same_output_lists{Pre,Post}(w);
    ensures  exact:    exact(v, nd);
    ensures  nodes:    same_nodes{Pre,Post}(v, nd) && same_dead{Pre,Post}(v);
*/
struct order_view splice_place(struct uses_view v, struct order_view o, struct target_view t)
    /*@ ghost (struct output_view w, const struct node *nd) */;

#endif
