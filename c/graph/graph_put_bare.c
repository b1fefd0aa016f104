/* graph_put_bare.h has the contract. */
#include "graph/graph_put_bare.h"

/* Node v.n has no dimensions. */
/*@ requires valid:    valid_graph(v) && v.n < v.cap;
    terminates \true;
    exits    never:    \false;
    assigns  v.node[v.n].shape.dim[0 .. RANK_MAX - 1];
    ensures  none:     \forall integer d; 0 <= d < RANK_MAX ==> v.node[v.n].shape.dim[d] == 0;
*/
static void clear(struct graph_put v)
{
    /*@ loop invariant range: 0 <= d <= RANK_MAX;
        loop invariant none:  \forall integer e; 0 <= e < d ==> v.node[v.n].shape.dim[e] == 0;
        loop assigns d, v.node[v.n].shape.dim[0 .. RANK_MAX - 1];
        loop variant RANK_MAX - d;
    */
    for (int d = 0; d < RANK_MAX; d++)
        v.node[v.n].shape.dim[d] = 0;
}

void graph_put_bare(struct graph_put v, int kind, int op, int name, const int *in, int nin, const struct node_attr *attr,
                    int nattr, int index)
{
    /*@ assert far_op: \forall integer i; 0 <= i < v.n ==> \separated(&v.node[i].op, v.in + (v.nin .. v.capin - 1)) &&
                     \separated(&v.node[i].op, v.attr + (v.nattr .. v.capattr - 1)); */
    /*@ assert far_name: \forall integer i; 0 <= i < v.n ==> \separated(&v.node[i].name, v.in + (v.nin .. v.capin - 1)) &&
                     \separated(&v.node[i].name, v.attr + (v.nattr .. v.capattr - 1)); */
    /*@ assert far_label: \forall integer i; 0 <= i < v.n ==> \separated(&v.node[i].label, v.in + (v.nin .. v.capin - 1)) &&
                     \separated(&v.node[i].label, v.attr + (v.nattr .. v.capattr - 1)); */
    /*@ assert far_index: \forall integer i; 0 <= i < v.n ==> \separated(&v.node[i].index, v.in + (v.nin .. v.capin - 1)) &&
                     \separated(&v.node[i].index, v.attr + (v.nattr .. v.capattr - 1)); */
    /*@ assert far_dtype: \forall integer i; 0 <= i < v.n ==> \separated(&v.node[i].dtype, v.in + (v.nin .. v.capin - 1)) &&
                     \separated(&v.node[i].dtype, v.attr + (v.nattr .. v.capattr - 1)); */
    /*@ assert far_data: \forall integer i; 0 <= i < v.n ==> \separated(&v.node[i].data, v.in + (v.nin .. v.capin - 1)) &&
                     \separated(&v.node[i].data, v.attr + (v.nattr .. v.capattr - 1)); */
    /*@ assert far_origin: \forall integer i; 0 <= i < v.n ==> \separated(&v.node[i].origin, v.in + (v.nin .. v.capin - 1)) &&
                     \separated(&v.node[i].origin, v.attr + (v.nattr .. v.capattr - 1)); */
    /*@ assert far_rank: \forall integer i; 0 <= i < v.n ==> \separated(&v.node[i].shape.rank, v.in + (v.nin .. v.capin - 1)) &&
                     \separated(&v.node[i].shape.rank, v.attr + (v.nattr .. v.capattr - 1)); */
    graph_put_node(v, kind, op, name, in, nin, attr, nattr, index);
    /*@ ghost Put: ; */
    /*@ assert n_op: \forall integer i; 0 <= i < v.n ==> v.node[i].op == \at(v.node[i].op, Pre); */
    /*@ assert n_name: \forall integer i; 0 <= i < v.n ==> v.node[i].name == \at(v.node[i].name, Pre); */
    /*@ assert n_label: \forall integer i; 0 <= i < v.n ==> v.node[i].label == \at(v.node[i].label, Pre); */
    /*@ assert n_index: \forall integer i; 0 <= i < v.n ==> v.node[i].index == \at(v.node[i].index, Pre); */
    /*@ assert n_dtype: \forall integer i; 0 <= i < v.n ==> v.node[i].dtype == \at(v.node[i].dtype, Pre); */
    /*@ assert n_data: \forall integer i; 0 <= i < v.n ==> v.node[i].data == \at(v.node[i].data, Pre); */
    /*@ assert n_origin: \forall integer i; 0 <= i < v.n ==> v.node[i].origin == \at(v.node[i].origin, Pre); */
    /*@ assert n_rank: \forall integer i; 0 <= i < v.n ==> v.node[i].shape.rank == \at(v.node[i].shape.rank, Pre); */
    /*@ assert n_dim: \forall integer i, d; 0 <= i < v.n ==> 0 <= d < RANK_MAX ==>
                     v.node[i].shape.dim[d] == \at(v.node[i].shape.dim[d], Pre); */
    /*@ assert labels: \forall integer k; 0 <= k < v.nattr ==> v.attr[k].label == \at(v.attr[k].label, Pre); */
    /*@ assert values: \forall integer k; 0 <= k < v.nattr ==> v.attr[k].value == \at(v.attr[k].value, Pre); */
    clear(v);
    /*@ assert same: same_graph{Put,Here}(GROWN(v, nin, nattr)); */ /*@ assert graph: same_graph{Pre,Here}(v); */
    /*@ assert roots: same_roots{Pre,Here}(v); */ /*@ assert shapes: same_shapes{Pre,Here}(v); */
}
