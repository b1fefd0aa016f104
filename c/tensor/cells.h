/* Tensors as the text that the oracle reads and prints: equal texts are equal bits, every NaN being one. */
#ifndef CALQUE_TENSOR_CELLS_H
#define CALQUE_TENSOR_CELLS_H

#include "base/text.h"
#include "tensor/tensor.h"

/* "(f32 2 3)"; "?" for what is unknown. */
void cells_type(struct text *t, int dtype, const struct shape *s);
/* " CELL" for each element, row by row: the bits of f32 and f64 in 8 and 16 hexadecimal digits or nan, i32 and i64 in
   decimal, bool as 0 or 1. Of other types the bytes in hexadecimal; strings print nothing. */
void cells_text(struct text *t, const struct tensor *x);

#endif
