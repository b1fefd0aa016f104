/* Test vectors: inputs of a model or kernel and the bits that the reference interpreter gives for them, in one file
   vectors.bin, which the emitted check.c reads. Little-endian:

       "calquev1", then three 64-bit numbers: vectors, bytes of one, the checksum of all that follows: from
       0xcbf29ce484222325, for each byte the byte is added and the sum multiplied by 0x100000001b3, modulo 2^64;
       for each vector its inputs, then its outputs, dense and row-major, in the order of the tables of NAME.h.

   Vector k (1, 2, ..) has the inputs of `calque run --random k`. */
#ifndef CALQUE_EMIT_VECTORS_H
#define CALQUE_EMIT_VECTORS_H

#include "emit/emit.h"

enum { VECTORS_MAX = 1000, VECTORS_HEAD = 32 };
/* Bytes of vectors.bin: at most; with vectors_try. */
#define VECTORS_BYTES_MAX ((size_t)1 << 30)
#define VECTORS_BYTES_TRY ((size_t)1 << 26)

/* Appends vectors.bin to out, o->vectors of them, none when that is 0. CALQUE_LIMIT when they are too large, and the
   interpreter's errors; with vectors_try out->no_vectors says why there are none instead, but for CALQUE_NOMEM. */
enum calque_status vectors_graph(const struct graph *g, const struct emit_options *o, struct emit_files *out, struct diag *d);
enum calque_status vectors_kernel(const struct kernel *k, const struct emit_options *o, struct emit_files *out,
                                  struct diag *d);

#endif
