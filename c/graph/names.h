/* Names for unnamed nodes, chosen without changing the graph; graph_fill_names and the printers agree. */
#ifndef CALQUE_GRAPH_NAMES_H
#define CALQUE_GRAPH_NAMES_H

#include "base/text.h"
#include "graph/graph.h"

/* name[i]: string id for node i: its own name, or for an unnamed single-output node that is a graph output
   the output's name if no node has it; -1: it gets the fresh name of names_put. */
struct names {
    const struct graph *g;
    int *name;
    unsigned char *used; /* by string id, of the nstrs strings there were */
    int nstrs;
};

/* False when memory is out. */
bool names_init(struct names *ns, const struct graph *g);
void names_free(struct names *ns);
/* Appends the name of a node: "t<id>" and as many underscores as make it unused, when it has none. */
void names_put(const struct names *ns, int node, struct text *out);

/* The proved part of naming: names in use, by string id. */
#ifdef __FRAMAC__
#include "graph/names.acsl"
#endif

/* Each node has its name, which is in use. */
/*@ requires valid:    0 <= n && 0 <= nstrs && \valid_read(node + (0 .. n - 1)) && \valid(name + (0 .. n - 1)) &&
                       \valid(used + (0 .. nstrs - 1));
    requires apart:    n > 0 ==> \base_addr(name) != \base_addr(node) && \base_addr(used) != \base_addr(node) &&
                       \base_addr(used) != \base_addr(name);
    requires names:    \forall integer i; 0 <= i < n ==> node[i].name < nstrs;
    requires none:     \forall integer s; 0 <= s < nstrs ==> used[s] == 0;
    terminates \true;
    exits    never:    \false;
    assigns  name[0 .. n - 1], used[0 .. nstrs - 1];
    ensures  names:    \forall integer i; 0 <= i < n ==> name[i] == \old(node[i].name);
    ensures  used:     \forall integer s; 0 <= s < nstrs ==> 0 <= used[s] <= 1 && (used[s] == 1 <==> node_named{Pre}(node, n, s));
*/
void names_of_nodes(const struct node *node, int n, int *name, unsigned char *used) /*@ ghost (int nstrs) */;

/* A node without a name gets that of its first output whose name is not in use yet; the names of all outputs are then. */
/*@ requires valid:    0 <= n && 0 <= nout && 0 <= nstrs && \valid_read(out + (0 .. nout - 1)) && \valid(name + (0 .. n - 1)) &&
                       \valid(used + (0 .. nstrs - 1));
    requires apart:    nout > 0 ==> \base_addr(name) != \base_addr(out) && \base_addr(used) != \base_addr(out) &&
                       \base_addr(used) != \base_addr(name);
    requires outs:     \forall integer k; 0 <= k < nout ==> 0 <= out[k].node < n && 0 <= out[k].name < nstrs;
    requires used:     \forall integer s; 0 <= s < nstrs ==> 0 <= used[s] <= 1;
    terminates \true;
    exits    never:    \false;
    assigns  name[0 .. n - 1], used[0 .. nstrs - 1];
    ensures  names:    \forall integer i; 0 <= i < n ==> gets_name{Pre,Post}(out, nout, name, used, i) ||
                       keeps_name{Pre,Post}(out, nout, name, used, i);
    ensures  used:     \forall integer s; 0 <= s < nstrs ==>
                       0 <= used[s] <= 1 && (used[s] == 1 <==> \old(used[s]) == 1 || output_named{Pre}(out, nout, s));
*/
void names_of_outputs(const struct graph_output *out, int nout, int *name, unsigned char *used) /*@ ghost (int n, int nstrs) */;

#endif
