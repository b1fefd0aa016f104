/* A computation graph as a drawing for Graphviz. */
#ifndef CALQUE_GRAPH_DOT_H
#define CALQUE_GRAPH_DOT_H

#include "base/text.h"
#include "graph/graph.h"

/* Appends a digraph: a box per operator and tuple ("op, name, shape"), small grey ellipses for constants,
   ellipses for graph inputs and outputs, edges labelled with the type they carry. Projections are edges
   ("[i] type"). A node with provenance is filled with a colour that depends only on the rule (the text
   before ':'), its tooltip is the provenance. The same graph gives the same text. g satisfies graph_check. */
void graph_dot(struct text *out, const struct graph *g);

#endif
