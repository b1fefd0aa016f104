/* Tensors: dense, row-major, little-endian, static shape. */
#ifndef CALQUE_TENSOR_TENSOR_H
#define CALQUE_TENSOR_TENSOR_H

#include "base/mem.h"
#include "base/status.h"

/* Element types by their ONNX codes. Kernels compute on F32, F64, I32 and I64; others are only carried along. */
enum { DTYPE_UNKNOWN = 0, DTYPE_F32 = 1, DTYPE_I32 = 6, DTYPE_I64 = 7, DTYPE_STR = 8, DTYPE_F64 = 11 };

enum { RANK_MAX = 8 };
#define TENSOR_ELEMS_MAX ((long)1 << 31)

/* rank -1: unknown shape. A rank-0 shape has one element. Dimensions are >= 0. */
struct shape {
    int rank;
    long dim[RANK_MAX];
};

struct tensor {
    int dtype;
    struct shape shape;
    size_t bytes;
    void *data; /* owned; NULL when bytes is 0 */
};

#ifdef __FRAMAC__
#include "base/cells.acsl"
#endif

/* Number of elements, or -1 when the rank is unknown or the product exceeds TENSOR_ELEMS_MAX. */
/*@ requires valid:    \valid_read(s);
    terminates \true;
    exits    never:    \false;
    assigns  \nothing;
    ensures  cells:    \result >= 0 ==> 0 <= s->rank <= RANK_MAX && dims(&s->dim[0], s->rank) &&
                       \result == cells(&s->dim[0], s->rank) && \result <= TENSOR_ELEMS_MAX;
    ensures  refused:  \result < 0 ==> s->rank < 0 || s->rank > RANK_MAX || cells(&s->dim[0], s->rank) > TENSOR_ELEMS_MAX ||
                       \exists integer i; 0 <= i < s->rank && !(0 <= s->dim[i] <= TENSOR_ELEMS_MAX);
*/
long shape_elems(const struct shape *s);
/*@ requires valid:    \valid_read(a) && \valid_read(b);
    requires ranks:    a->rank <= RANK_MAX && b->rank <= RANK_MAX;
    terminates \true;
    exits    never:    \false;
    assigns  \nothing;
    ensures  equal:    \result != 0 <==> a->rank == b->rank &&
                       \forall integer i; 0 <= i < a->rank ==> a->dim[i] == b->dim[i];
*/
bool shape_equal(const struct shape *a, const struct shape *b);
/* Bytes of one element of an ONNX type, 0 if unknown or not fixed (strings). */
size_t dtype_size(int dtype);
/* "f32", "i64", ...; "?" if unknown. And back: 0 if unknown. */
const char *dtype_name(int dtype);
int dtype_of_name(const char *name, size_t len);

/* Zero-filled tensor; CALQUE_LIMIT when it is too large, CALQUE_NOMEM. */
enum calque_status tensor_new(struct mem *mem, int dtype, const struct shape *shape,
                              struct tensor *out, struct diag *d);
enum calque_status tensor_copy(struct mem *mem, const struct tensor *t, struct tensor *out,
                               struct diag *d);
/*@ requires valid:    \valid(t);
    terminates \true;
    exits    never:    \false;
    assigns  t->data \from \nothing;
    assigns  t->bytes \from \nothing;
    ensures  empty:    t->data == \null && t->bytes == 0;
*/
static inline void tensor_free(struct tensor *t)
{
    mem_free(t->data);
    t->data = NULL;
    t->bytes = 0;
}
float *tensor_f32(const struct tensor *t);
long *tensor_i64(const struct tensor *t);

#endif
