/* What a rewritten graph says of how it was made: the rules applied and how often, and the weakest of their classes
   (graph.h: rules, class; in ONNX the model's metadata). A graph that was rewritten before keeps what it said. */
#ifndef CALQUE_REWRITE_RECORD_H
#define CALQUE_REWRITE_RECORD_H

#include "graph/graph.h"
#include "pattern/gsl.h"
#include "rewrite/rewrite.h"

/* The weakest class of the rules that were applied, or -1: none was. */
int rewrite_class(const struct rules *rules, const struct rewrite_stats *stats);
/* Adds what `stats` counted to what g says. */
enum calque_status rewrite_record(struct graph *g, const struct rules *rules, const struct rewrite_stats *stats,
                                  struct diag *d);

#endif
