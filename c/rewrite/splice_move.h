/* The outputs of the graph among what is replaced: the roots take their place. */
#ifndef CALQUE_REWRITE_SPLICE_MOVE_H
#define CALQUE_REWRITE_SPLICE_MOVE_H

#include "pattern/uses_output.h"

#ifdef __FRAMAC__
#include "rewrite/splice_move.acsl"
#endif

/* Every graph output that is out[k] now is root[k]. */
/*@ requires valid:    valid_outputs(o) && 0 <= n && \valid_read(out + (0 .. n - 1)) && \valid_read(root + (0 .. n - 1));
    requires apart:    off_outputs(o, out) && off_outputs(o, root);
    requires ok:       outputs_ok(o);
    requires nodes:    \forall integer k; 0 <= k < n ==> 0 <= out[k] < o.n && 0 <= root[k] < o.n;
    requires once:     \forall integer i, j; 0 <= i < j < n ==> out[i] != out[j];
    requires roots:    \forall integer k; 0 <= k < n ==> !among(out, n, root[k]);
    terminates \true;
    exits    never:    \false;
    assigns  o.next[0 .. o.m - 1], o.out[0 .. o.m - 1].node, o.node[0 .. o.n - 1].output, o.node[0 .. o.n - 1].outputs;
    ensures  ok:       outputs_ok(o);
    ensures  moved:    outputs_moved{Pre,Post}(o, out, root, n);
    ensures  none:     \forall integer k; 0 <= k < n ==> o.node[out[k]].outputs == 0;
*/
void splice_move(struct output_view o, const int *out, const int *root, int n);

#endif
