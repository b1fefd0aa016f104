/* The pseudo-random inputs of `calque run --random` and of test vectors: they depend on the seed only. */
#ifndef CALQUE_TENSOR_RANDOM_H
#define CALQUE_TENSOR_RANDOM_H

#include "graph/graph.h"
#include "tensor/tensor.h"

enum { RANDOM_BELOW = 4 };

/* Fills t by splitmix64, one draw an element: floats uniform in [-1, 1), integers in 0..3, booleans. *seed moves on, so that the next
   tensor goes on where this one ended. CALQUE_BAD for other element types than f32, f64, i32, i64 and bool. */
enum calque_status tensor_random(struct tensor *t, unsigned long *seed, struct diag *d);
/* The same for input k of the graph, of whose type t is: where its elements are indices of a look-up, below the dimension that they index. */
enum calque_status graph_random(const struct graph *g, int k, struct tensor *t, unsigned long *seed, struct diag *d);

#endif
