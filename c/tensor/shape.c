/* How many cells a shape has, if they fit. */
#include "base/arith.h"
#include "tensor/tensor.h"

long shape_elems(const struct shape *s)
{
    if (s->rank < 0 || s->rank > RANK_MAX)
        return -1;
    /*@ loop invariant index: 0 <= i <= s->rank;
        loop invariant dims:  \forall integer k; 0 <= k < i ==> 0 <= s->dim[k] <= TENSOR_ELEMS_MAX;
        loop assigns i;
        loop variant s->rank - i;
    */
    for (int i = 0; i < s->rank; i++)
        if (s->dim[i] < 0 || s->dim[i] > TENSOR_ELEMS_MAX)
            return -1;
    return row_cells(s->dim, s->rank, TENSOR_ELEMS_MAX);
}

bool shape_equal(const struct shape *a, const struct shape *b)
{
    if (a->rank != b->rank)
        return false;
    /*@ loop invariant index: 0 <= i && (0 <= a->rank ==> i <= a->rank);
        loop invariant same:  \forall integer k; 0 <= k < i ==> a->dim[k] == b->dim[k];
        loop assigns i;
        loop variant a->rank - i;
    */
    for (int i = 0; i < a->rank; i++)
        if (a->dim[i] != b->dim[i])
            return false;
    return true;
}
