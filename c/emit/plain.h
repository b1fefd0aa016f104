/* Plain C of whole models: one file NAME.c, what Coq's compile makes of the graph, byte for byte as `calque-oracle emit`
   prints it. */
#ifndef CALQUE_EMIT_PLAIN_H
#define CALQUE_EMIT_PLAIN_H

#include "emit/module.h"

/* g as for emit_model. CALQUE_BAD: a node that Coq's compile refuses, or the name; the diag says which and why. Of the
   options only the name counts. */
enum calque_status emit_plain(const struct graph *g, const struct emit_options *o, struct emit_files *out, struct diag *d);

#endif
