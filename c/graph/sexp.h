/* A computation graph as S-expressions, the form the oracle exchanges. */
#ifndef CALQUE_GRAPH_SEXP_H
#define CALQUE_GRAPH_SEXP_H

#include "base/text.h"
#include "graph/graph.h"
#include "tensor/tensor.h"

/* Appends (graph NAME node .. (outputs (NAME ID) ..)); a node is (ID NAME TYPE FORM): (input), (const [VALUE]) (see graph_const_attr),
   (op Conv (ID or - ..) ((LABEL VALUE) ..)), (proj ID K), (tuple ID ..). Values are in the canonical text of the attr room. */
void graph_sexp(struct text *out, const struct graph *g);
/* Appends (data (ID CELL ..) ..): inputs that have a tensor (dtype not 0), in the order of g->input, then constants. Cells as in
   tensor/cells.h. */
void graph_sexp_data(struct text *out, const struct graph *g, const struct tensor *inputs);
/* Appends (output NAME TYPE CELL ..) for each output, one a line. */
void graph_sexp_outputs(struct text *out, const struct graph *g, const struct tensor *outputs);

#endif
