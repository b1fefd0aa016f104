/* The proved part of compaction: whether all inputs and outputs exist. */
#ifndef CALQUE_GRAPH_COMPACT_CHECK_H
#define CALQUE_GRAPH_COMPACT_CHECK_H

#include "graph/graph_put.h"

/* The first id that does not exist: input k of a node, or (node -1) output k; k is -1 when all exist. */
struct graph_bad {
    int node, k;
};

#ifdef __FRAMAC__
#include "graph/ids.acsl"
#endif

/* Inputs, node by node, then outputs. */
/*@ requires valid:    valid_graph(g) && placed(g);
    requires outs:     0 <= nout && \valid_read(out + (0 .. nout - 1));
    terminates \true;
    exits    never:    \false;
    assigns  \nothing;
    ensures  ok:       \result.k < 0 <==> ids_exist(g, g.n) && outputs_exist(g, out, nout);
    ensures  ranges:   \result.k < 0 ==> ranges_ok(g);
    ensures  none:     -1 <= \result.k && -1 <= \result.node && (\result.k < 0 ==> \result.node < 0);
    ensures  input:    0 <= \result.node ==> \result.node < g.n && 0 <= \result.k < g.node[\result.node].nin &&
                       !(-1 <= g.in[g.node[\result.node].in + \result.k] < g.n) &&
                       ids_exist(g, \result.node) && inputs_exist(g, \result.node, \result.k);
    ensures  output:   \result.node < 0 <= \result.k ==> \result.k < nout && !(0 <= out[\result.k].node < g.n) &&
                       ids_exist(g, g.n) && outputs_exist(g, out, \result.k);
*/
struct graph_bad graph_find_bad(struct graph_put g, const struct graph_output *out, int nout);

#endif
