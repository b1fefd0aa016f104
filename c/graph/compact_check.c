#include "graph/compact_check.h"

/* The first input of node i that does not exist, or -1. */
/*@ requires valid:    valid_graph(g) && 0 <= i < g.n && node_placed(g, i);
    terminates \true;
    exits    never:    \false;
    assigns  \nothing;
    ensures  none:     -1 <= \result && (\result < 0 ==> inputs_exist(g, i, g.node[i].nin));
    ensures  bad:      0 <= \result ==> \result < g.node[i].nin && !(-1 <= g.in[g.node[i].in + \result] < g.n) &&
                       inputs_exist(g, i, \result);
*/
static int bad_input(struct graph_put g, int i)
{
    int first = g.node[i].in, nin = g.node[i].nin;

    /*@ loop invariant range: 0 <= k <= nin;
        loop invariant good:  \forall integer j; first <= j < first + k ==> -1 <= g.in[j] < g.n;
        loop assigns k;
        loop variant nin - k;
    */
    for (int k = 0; k < nin; k++)
        if (g.in[first + k] < -1 || g.in[first + k] >= g.n)
            return k;
    return -1;
}

struct graph_bad graph_find_bad(struct graph_put g, const struct graph_output *out, int nout)
{
    /*@ loop invariant range: 0 <= i <= g.n;
        loop invariant good:  ids_exist(g, i);
        loop assigns i;
        loop variant g.n - i;
    */
    for (int i = 0; i < g.n; i++) {
        /*@ assert node: node_placed(g, i); */
        int k = bad_input(g, i);

        if (k >= 0)
            return (struct graph_bad){ i, k };
    }
    /*@ assert nodes:  \forall integer i; 0 <= i < g.n ==> node_placed(g, i) && inputs_exist(g, i, g.node[i].nin) && node_in(g, i); */
    /*@ assert ranges: ranges_ok(g); */
    /*@ loop invariant range: 0 <= k <= nout;
        loop invariant good:  outputs_exist(g, out, k);
        loop assigns k;
        loop variant nout - k;
    */
    for (int k = 0; k < nout; k++)
        if (out[k].node < 0 || out[k].node >= g.n)
            return (struct graph_bad){ -1, k };
    return (struct graph_bad){ -1, -1 };
}
