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

#endif
