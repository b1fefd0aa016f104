/* The pseudo-random inputs of `calque run --random` and of test vectors: they depend on the seed only. */
#ifndef CALQUE_TENSOR_RANDOM_H
#define CALQUE_TENSOR_RANDOM_H

#include "tensor/tensor.h"

/* Fills t by splitmix64, one draw an element: floats uniform in [-1, 1), integers in 0..3, booleans. *seed moves on, so that the next
   tensor goes on where this one ended. CALQUE_BAD for other element types than f32, f64, i32, i64 and bool. */
enum calque_status tensor_random(struct tensor *t, unsigned long *seed, struct diag *d);

#endif
