/* A computation graph as S-expressions, the form the oracle exchanges, and as a drawing. */
#ifndef CALQUE_GRAPH_SEXP_H
#define CALQUE_GRAPH_SEXP_H

#include "base/text.h"
#include "graph/graph.h"
#include "tensor/tensor.h"

/* Appends (graph NAME node .. (outputs (NAME ID) ..)); a node is (ID NAME TYPE FORM): (input), (const [VALUE]) (see graph_const_attr),
   (op Conv (ID or - ..) ((LABEL VALUE) ..)), (proj ID K), (tuple ID ..). Values are in the canonical text of the attr room. */
void graph_sexp(struct text *out, const struct graph *g);
/* Appends (data (ID CELL ..) ..): inputs that have a tensor (dtype not 0), in the order of g->input, then constants. Cells as in
   tensor/npy.h. */
void graph_sexp_data(struct text *out, const struct graph *g, const struct tensor *inputs);
/* Appends (output NAME TYPE CELL ..) for each output, one a line. */
void graph_sexp_outputs(struct text *out, const struct graph *g, const struct tensor *outputs);

/* Appends a digraph: a box per operator and tuple ("op, name, shape"), small grey ellipses for constants,
   ellipses for graph inputs and outputs, edges labelled with the type they carry. Projections are edges
   ("[i] type"). A node with provenance is filled with a colour that depends only on the rule (the text
   before ':'), its tooltip is the provenance. The same graph gives the same text. g satisfies graph_check. */
void graph_dot(struct text *out, const struct graph *g);

#endif
