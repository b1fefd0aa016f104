/* Tensors as .npy files (NumPy's format, versions 1 to 3). */
#ifndef CALQUE_TENSOR_NPY_H
#define CALQUE_TENSOR_NPY_H

#include "base/text.h"
#include "tensor/tensor.h"

/* Reads a whole file's bytes: element types '<f4', '<f8', '<i4', '<i8' and '|b1', C order. An error names the file and the byte
   where it is; CALQUE_BAD, CALQUE_LIMIT or CALQUE_NOMEM, and *out is empty. */
enum calque_status npy_read(struct mem *mem, const char *file, const void *bytes, size_t n,
                            struct tensor *out, struct diag *d);
/* Appends the file's bytes (version 1.0, as NumPy writes them). CALQUE_BAD for other element types. */
enum calque_status npy_write(struct text *out, const struct tensor *t, struct diag *d);

/* NumPy's name of an element type; NULL: such tensors are not read or written. */
const char *npy_descr(int dtype);

#endif
