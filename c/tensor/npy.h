/* Tensors as .npy files (NumPy's format, versions 1 to 3), and as the text that the oracle reads and prints. */
#ifndef CALQUE_TENSOR_NPY_H
#define CALQUE_TENSOR_NPY_H

#include "base/status.h"
#include "base/strs.h"
#include "base/text.h"
#include "graph/graph.h"
#include "tensor/tensor.h"

/* Reads a whole file's bytes: element types '<f4', '<f8', '<i4', '<i8' and '|b1', C order. An error names the file and the byte
   where it is; CALQUE_BAD, CALQUE_LIMIT or CALQUE_NOMEM, and *out is empty. */
enum calque_status npy_read(struct mem *mem, const char *file, const void *bytes, size_t n,
                            struct tensor *out, struct diag *d);
/* Appends the file's bytes (version 1.0, as NumPy writes them). CALQUE_BAD for other element types. */
enum calque_status npy_write(struct text *out, const struct tensor *t, struct diag *d);

/* NumPy's name of an element type; NULL: such tensors are not read or written. */
const char *npy_descr(int dtype);

/* Names of the .npy files of named tensors. A tensor's file is NAME.npy where a file may have that name; what some file
   system refuses becomes '_', a long name is cut, and where two names would share a file, or would on a file system that
   does not tell capitals apart, the later one gets a number: a_b, a_b_2, a_b_3. */
struct npy_names {
    struct strs strs;
    struct ints stem; /* one string id for each name */
};

/* Names that are equal get the same file; those that can stay as they are do, wherever they stand in the list. x is
   initialised here; npy_names_free by the caller in every case. */
enum calque_status npy_names(struct npy_names *x, struct mem *mem, const char *const *name, int n, struct diag *d);
/* For g's inputs, then its outputs. */
enum calque_status npy_names_graph(struct npy_names *x, const struct graph *g, struct diag *d);
/* The file's name without .npy; valid while x is. */
const char *npy_stem(const struct npy_names *x, int k);
void npy_names_free(struct npy_names *x);

/* Tensors as the text that the oracle reads and prints: equal texts are equal bits, every NaN being one. */

/* "(f32 2 3)"; "?" for what is unknown. */
void cells_type(struct text *t, int dtype, const struct shape *s);
/* " CELL" for each element, row by row: the bits of f32 and f64 in 8 and 16 hexadecimal digits or nan, i32 and i64 in
   decimal, bool as 0 or 1. Of other types the bytes in hexadecimal; strings print nothing. */
void cells_text(struct text *t, const struct tensor *x);

#endif
