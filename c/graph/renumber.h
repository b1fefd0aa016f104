/* The proved part of compaction: the inputs of a node under a renumbering. */
#ifndef CALQUE_GRAPH_RENUMBER_H
#define CALQUE_GRAPH_RENUMBER_H

/* out[k] is the new number of in[k], -1 (no input) stays: when the new numbers of the inputs are smaller than that of
   their user, `id`, so are those that are written. map has the new number of each of n nodes. */
/*@ requires valid:    0 <= nin && 0 <= n && \valid_read(in + (0 .. nin - 1)) && \valid_read(map + (0 .. n - 1)) &&
                       \valid(out + (0 .. nin - 1));
    requires apart:    \separated(out + (0 .. nin - 1), in + (0 .. nin - 1)) &&
                       \separated(out + (0 .. nin - 1), map + (0 .. n - 1));
    requires inputs:   \forall integer k; 0 <= k < nin ==> -1 <= in[k] < n;
    requires order:    \forall integer k; 0 <= k < nin ==> 0 <= in[k] ==> 0 <= map[in[k]] < id;
    terminates \true;
    exits    never:    \false;
    assigns  out[0 .. nin - 1];
    ensures  renamed:  \forall integer k; 0 <= k < nin ==> out[k] == (in[k] < 0 ? -1 : map[in[k]]);
    ensures  children: \forall integer k; 0 <= k < nin ==> -1 <= out[k] && (0 <= out[k] ==> out[k] < id);
*/
void graph_renumber(const int *in, int nin, const int *map, int n, int *out, int id);

#endif
