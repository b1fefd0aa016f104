/* Type rules of the operators that move elements or look only at shapes. */
#include "tensor/op_internal.h"

#include <string.h>

enum calque_status infer_Concat(struct infer *x)
{
    enum calque_status s = infer_same_type(x);
    char a[SHAPE_TEXT], b[SHAPE_TEXT];
    int axis;

    if (s || (s = infer_axis(x, "axis", x->out.rank, x->out.rank, &axis)))
        return s;
    for (int k = 1; k < x->nin; k++) {
        const struct shape *in = infer_in(x, k);
        if ((s = infer_rank(x, k, x->out.rank)))
            return s;
        for (int i = 0; i < in->rank; i++)
            if (i != axis && in->dim[i] != x->out.dim[i])
                return infer_bad(x, "shapes %s and %s (input %d) differ outside axis %d",
                                 shape_text(infer_in(x, 0), a), shape_text(in, b), k, axis);
        x->out.dim[axis] += in->dim[axis];
    }
    return CALQUE_OK;
}

/* Takes the zeros of the attribute shape as they are; the number of elements. */
static long literal_zeros(const struct infer *x, struct shape *out)
{
    out->rank = graph_attr_ints(x->g, x->node, "shape", out->dim, RANK_MAX);
    return shape_elems(out);
}

/* 0 stands for the input's dimension at its place, unless the input is empty and only the plain 0 fits; -1 (once) for
   what is left. */
enum calque_status infer_Reshape(struct infer *x)
{
    const struct shape *in = infer_in(x, 0);
    long v[INTS_MAX], product = 1, total = shape_elems(in);
    int n, open = -1;
    enum calque_status s;
    char a[SHAPE_TEXT], b[SHAPE_TEXT];

    if ((s = infer_read(x, "shape", v, &n)))
        return s;
    if (n < 0)
        return infer_bad(x, "attribute shape is missing");
    if (n > RANK_MAX)
        return infer_bad(x, "shape has rank %d, more than %d", n, RANK_MAX);
    x->out.rank = n;
    for (int i = 0; i < n; i++) {
        if (v[i] < -1 || v[i] > ATTR_INT_MAX || (v[i] == -1 && open >= 0))
            return infer_bad(x, "shape element %ld at %d is not allowed there", v[i], i);
        if (v[i] == -1)
            open = i;
        if (v[i] == 0 && i < in->rank)
            v[i] = in->dim[i];
        x->out.dim[i] = v[i] == -1 ? 1 : v[i];
    }
    product = shape_elems(&x->out);
    if (product != total && total == 0 && open < 0)
        product = literal_zeros(x, &x->out);
    if (open >= 0 && product > 0 && total % product == 0) {
        x->out.dim[open] = total / product;
        product = total;
    }
    if (product != total) {
        if (open >= 0)
            x->out.dim[open] = -1;
        return infer_bad(x, "%ld elements of shape %s cannot be reshaped to %s", total,
                         shape_text(in, a), shape_text(&x->out, b));
    }
    return infer_put(x, "shape", x->out.dim, n);
}

enum calque_status infer_Transpose(struct infer *x)
{
    const struct shape *in = infer_in(x, 0);
    long perm[INTS_MAX];
    bool seen[RANK_MAX] = {false};
    enum calque_status s;
    int n;

    if (graph_attr(x->g, x->node, "perm") < 0) {
        for (int i = 0; i < in->rank; i++)
            perm[i] = in->rank - 1 - i;
        if ((s = infer_put(x, "perm", perm, in->rank)))
            return s;
    }
    if ((s = infer_read(x, "perm", perm, &n)))
        return s;
    if (n != in->rank)
        return infer_bad(x, "perm has %d elements, the input rank %d", n, in->rank);
    for (int i = 0; i < n; i++) {
        if (perm[i] < 0 || perm[i] >= n || seen[perm[i]])
            return infer_bad(x, "perm is not a permutation: element %ld at %d", perm[i], i);
        seen[perm[i]] = true;
        x->out.dim[i] = in->dim[perm[i]];
    }
    return CALQUE_OK;
}

enum calque_status infer_Unsqueeze(struct infer *x)
{
    const struct shape *in = infer_in(x, 0);
    bool set[RANK_MAX];
    long v[INTS_MAX];
    enum calque_status s;
    int n, k = 0;

    if ((s = infer_read(x, "axes", v, &n)))
        return s;
    if (n < 0)
        return infer_bad(x, "attribute axes is missing");
    if (in->rank + n > RANK_MAX)
        return infer_bad(x, "the result has rank %d, more than %d", in->rank + n, RANK_MAX);
    x->out.rank = in->rank + n;
    if ((s = infer_axes(x, x->out.rank, set, &n)))
        return s;
    for (int i = 0; i < x->out.rank; i++)
        x->out.dim[i] = set[i] ? 1 : in->dim[k++];
    return CALQUE_OK;
}

enum calque_status infer_Squeeze(struct infer *x)
{
    const struct shape *in = infer_in(x, 0);
    bool set[RANK_MAX];
    long v[RANK_MAX];
    enum calque_status s;
    int n, k = 0;

    if ((s = infer_axes(x, in->rank, set, &n)))
        return s;
    if (n < 0) {
        for (int i = 0; i < in->rank; i++)
            if ((set[i] = in->dim[i] == 1))
                v[k++] = i;
        if ((s = infer_put(x, "axes", v, k)))
            return s;
    }
    x->out.rank = 0;
    for (int i = 0; i < in->rank; i++) {
        if (set[i] && in->dim[i] != 1)
            return infer_bad(x, "axis %d has size %ld, not 1", i, in->dim[i]);
        if (!set[i])
            x->out.dim[x->out.rank++] = in->dim[i];
    }
    return CALQUE_OK;
}

enum calque_status infer_Flatten(struct infer *x)
{
    struct shape in = x->out, tail;
    enum calque_status s;
    int axis;

    if ((s = infer_axis(x, "axis", in.rank, in.rank + 1, &axis)))
        return s;
    tail.rank = in.rank - axis;
    memcpy(tail.dim, in.dim + axis, (size_t)tail.rank * sizeof *in.dim);
    in.rank = axis;
    x->out = (struct shape){.rank = 2, .dim = {shape_elems(&in), shape_elems(&tail)}};
    if (x->out.dim[0] < 0 || x->out.dim[1] < 0)
        return infer_bad(x, "the result has too many elements");
    return CALQUE_OK;
}

enum calque_status infer_ConstantOfShape(struct infer *x)
{
    long v[INTS_MAX], dtype;
    enum calque_status s;
    int n;

    if ((s = infer_read(x, "shape", v, &n)) || (s = infer_int(x, "dtype", 1, 64, &dtype)))
        return s;
    if (n < 0)
        return infer_bad(x, "attribute shape is missing");
    if (n > RANK_MAX)
        return infer_bad(x, "shape has rank %d, more than %d", n, RANK_MAX);
    x->dtype = (int)dtype;
    x->out.rank = n;
    for (int i = 0; i < n; i++) {
        if (v[i] < 0 || v[i] > ATTR_INT_MAX)
            return infer_bad(x, "shape element %ld at %d is not a size", v[i], i);
        x->out.dim[i] = v[i];
    }
    return CALQUE_OK;
}

/* start and end are counted from the front, cut to 0..rank, end not less than start. */
enum calque_status infer_Shape(struct infer *x)
{
    int rank = x->out.rank;
    long bound[2] = {graph_attr_int(x->g, x->node, "start", 0),
                     graph_attr_int(x->g, x->node, "end", rank)};
    enum calque_status s;

    for (int i = 0; i < 2; i++) {
        bound[i] += bound[i] < 0 ? rank : 0;
        bound[i] = bound[i] < 0 ? 0 : bound[i] > rank ? rank : bound[i];
    }
    if (bound[1] < bound[0])
        bound[1] = bound[0];
    x->dtype = DTYPE_I64;
    x->out = (struct shape){.rank = 1, .dim = {bound[1] - bound[0]}};
    s = infer_put_int(x, "start", bound[0]);
    return s ? s : infer_put_int(x, "end", bound[1]);
}

enum calque_status infer_Gather(struct infer *x)
{
    const struct shape *in = infer_in(x, 0), *at = infer_in(x, 1);
    enum calque_status s;
    int axis, k = 0;

    if ((s = infer_axis(x, "axis", in->rank, in->rank, &axis)))
        return s;
    if (!dtype_is_int(infer_type(x, 1)))
        return infer_bad(x, "indices have element type %s, expected i64 or i32",
                         dtype_name(infer_type(x, 1)));
    if (in->rank - 1 + at->rank > RANK_MAX)
        return infer_bad(x, "the result has rank %d, more than %d", in->rank - 1 + at->rank,
                         RANK_MAX);
    for (int i = 0; i < axis; i++)
        x->out.dim[k++] = in->dim[i];
    for (int i = 0; i < at->rank; i++)
        x->out.dim[k++] = at->dim[i];
    for (int i = axis + 1; i < in->rank; i++)
        x->out.dim[k++] = in->dim[i];
    x->out.rank = k;
    return CALQUE_OK;
}

enum calque_status infer_Slice(struct infer *x)
{
    struct shape in = x->out;
    long start[INTS_MAX], step[INTS_MAX], size[INTS_MAX];
    enum calque_status s;

    if ((s = infer_ints(x, "starts", in.rank, -1, 0, start)) ||
        (s = infer_ints(x, "steps", in.rank, 1, -ATTR_INT_MAX, step)) ||
        (s = infer_ints(x, "sizes", in.rank, -1, 0, size)))
        return s;
    for (int i = 0; i < in.rank; i++) {
        long last = start[i] + (size[i] - 1) * step[i];
        if (step[i] == 0)
            return infer_bad(x, "step 0 in dimension %d", i);
        if (size[i] > 0 && (start[i] >= in.dim[i] || last < 0 || last >= in.dim[i]))
            return infer_bad(x, "slice %ld to %ld is outside dimension %d of size %ld", start[i],
                             last, i, in.dim[i]);
        x->out.dim[i] = size[i];
    }
    return CALQUE_OK;
}

/* split absent: as many equal parts as there are outputs. */
enum calque_status infer_Split(struct infer *x)
{
    struct shape in = x->out;
    int nout = x->g->node.a[x->node].index, axis, n;
    long total = 0, size;
    enum calque_status s;
    int id;

    if ((s = infer_axis(x, "axis", in.rank, in.rank, &axis)))
        return s;
    id = graph_attr(x->g, x->node, "split");
    if (id < 0) {
        if (in.dim[axis] % nout != 0)
            return infer_bad(x, "axis of size %ld does not split into %d equal parts",
                             in.dim[axis], nout);
        if ((s = infer_put_copies(x, "split", in.dim[axis] / nout, nout)))
            return s;
        id = graph_attr(x->g, x->node, "split");
    }
    n = x->g->values->v[id].len;
    if (n != nout)
        return infer_bad(x, "split has %d parts, the node %d outputs", n, nout);
    for (int i = 0; i < n; i++) {
        size = x->g->values->v[x->g->values->pool[x->g->values->v[id].first + i]].num;
        if (size < 0 || size > in.dim[axis] - total)
            return infer_bad(x, "part %d of size %ld does not fit the axis of size %ld", i, size,
                             in.dim[axis]);
        total += size;
        if (i == x->index)
            x->out.dim[axis] = size;
    }
    if (total != in.dim[axis])
        return infer_bad(x, "parts of %ld elements in all, the axis has %ld", total, in.dim[axis]);
    return CALQUE_OK;
}
