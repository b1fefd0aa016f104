/* Parameter folding: an operator whose present inputs are all constants (also Shape of a node of known shape,
   and ConstantOfShape) is evaluated by its kernel and becomes a constant. A tensor larger than the limit is
   made only if it is no larger than the constants it is made from; what was skipped is counted. */
#ifndef CALQUE_REWRITE_FOLD_H
#define CALQUE_REWRITE_FOLD_H

#include "graph/use_list.h"
#include "tensor/op.h"

#define FOLD_LIMIT ((size_t)64 << 20)

struct fold_stats {
    long count[OP_COUNT];   /* applications folded */
    long skipped[OP_COUNT]; /* larger than the limit */
    long failed[OP_COUNT];  /* without a kernel for these element types */
    size_t skipped_bytes;   /* of the tensors not made */
};

/* Folds the nodes from `first` on and whatever becomes constant thereby. Keeps u in step. */
enum calque_status fold_nodes(struct graph *g, struct uses *u, int first, size_t limit, int threads,
                              struct fold_stats *stats, struct diag *d);
/* The whole of g, then graph_compact. */
enum calque_status fold_graph(struct graph *g, size_t limit, int threads, struct fold_stats *stats,
                              struct diag *d);

#endif
