/* The substitution's check as a whole, but for its memory: may a target take the place of the outputs, and what moves then? */
#ifndef CALQUE_REWRITE_SPLICE_FIND_H
#define CALQUE_REWRITE_SPLICE_FIND_H

#include "rewrite/splice_early.h"

/* early_check; if nothing hits, key[0 .. done - 1] is what is to be moved before the first output, with its labels. */
/*@ requires valid:    valid_early(v) && \valid(key + (0 .. v.r.g.n - 1)) && off_early(\base_addr(key), v);
    requires stamps:   stamps_ok(v.r);
    terminates \true;
    exits    never:    \false;
    assigns  v.r.seen[0 .. v.r.g.n - 1], v.r.work[0 .. v.r.g.n - 1], key[0 .. v.r.g.n - 1];
    ensures  convex:   \result.hit < 0 <==> convex_rewrite{Pre}(v);
    ensures  witness:  \result.hit >= 0 ==> is_output{Pre}(v, \result.hit) && needed{Pre}(v, \result.hit);
    ensures  found:    \result.hit < 0 ==> 0 <= \result.done <= v.r.g.n && keys_found(v, key, \result.done);
    ensures  stamps:   \forall integer x; 0 <= x < v.r.g.n ==> v.r.seen[x] <= \result.stamp;
*/
struct early_end splice_find(struct early_view v, struct match_key *key);

#endif
