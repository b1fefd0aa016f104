/* Type rules of padding and broadcasting, and of the operators that take only the type of an input. */
#include "tensor/op_internal.h"

#include <string.h>

/* pads: before each dimension, then after each; negative ones take cells away. */
static enum calque_status pad_sizes(struct infer *x, bool constant, const long *pad)
{
    struct shape in = x->out;

    for (int i = 0; i < in.rank; i++) {
        long lo = pad[i], hi = pad[i + in.rank];
        if (!constant && (lo < 0 || hi < 0))
            return infer_bad(x, "negative pads need the mode constant");
        x->out.dim[i] = in.dim[i] + lo + hi;
        if (lo > TENSOR_ELEMS_MAX || hi > TENSOR_ELEMS_MAX || x->out.dim[i] < 0)
            return infer_bad(x, "pads %ld and %ld do not fit dimension %d of size %ld", lo, hi, i, in.dim[i]);
        if (!constant && in.dim[i] == 0 && x->out.dim[i] > 0)
            return infer_bad(x, "dimension %d has no cell to repeat", i);
    }
    return CALQUE_OK;
}

enum calque_status infer_Pad(struct infer *x)
{
    const char *mode = strs_text(x->g->strs, (int)x->g->values->v[graph_attr(x->g, x->node, "mode")].num);
    bool reflect = strcmp(mode, "reflect") == 0, constant = strcmp(mode, "constant") == 0;
    struct shape in = x->out;
    long pad[INTS_MAX];
    enum calque_status s;

    if (!reflect && !constant && strcmp(mode, "edge") != 0)
        return infer_bad(x, "mode is %.40s, expected constant, edge or reflect", mode);
    if ((s = infer_ints(x, "pads", 2 * in.rank, -ATTR_INT_MAX - 1, -ATTR_INT_MAX, pad)) ||
        (s = pad_sizes(x, constant, pad)))
        return s;
    for (int i = 0; reflect && i < 2 * in.rank; i++)
        if (pad[i] > 0 && pad[i] >= in.dim[i % in.rank])
            return infer_bad(x, "%ld cells cannot be mirrored in dimension %d of size %ld", pad[i], i % in.rank,
                             in.dim[i % in.rank]);
    return CALQUE_OK;
}

/* The attribute shape as sizes. */
static enum calque_status read_shape(struct infer *x, struct shape *to)
{
    long v[INTS_MAX];
    enum calque_status s;

    if ((s = infer_read(x, "shape", v, &to->rank)))
        return s;
    if (to->rank < 0)
        return infer_bad(x, "attribute shape is missing");
    if (to->rank > RANK_MAX)
        return infer_bad(x, "shape has rank %d, more than %d", to->rank, RANK_MAX);
    for (int i = 0; i < to->rank; i++) {
        if (v[i] < 0 || v[i] > ATTR_INT_MAX)
            return infer_bad(x, "shape element %ld at %d is not a size", v[i], i);
        to->dim[i] = v[i];
    }
    return CALQUE_OK;
}

/* Does `from` broadcast to exactly `to`? */
static enum calque_status broadcasts(struct infer *x, const struct shape *from, const struct shape *to)
{
    struct shape both;
    char a[SHAPE_TEXT], b[SHAPE_TEXT];

    if (!shape_broadcast(from, to, &both) || !shape_equal(&both, to))
        return infer_bad(x, "shape %s does not broadcast to %s", shape_text(from, a), shape_text(to, b));
    return CALQUE_OK;
}

/* The larger of both at each dimension; the attribute becomes the result's shape. */
enum calque_status infer_Expand(struct infer *x)
{
    struct shape to;
    enum calque_status s = read_shape(x, &to);
    char a[SHAPE_TEXT], b[SHAPE_TEXT];

    if (s)
        return s;
    if (!shape_broadcast(infer_in(x, 0), &to, &x->out))
        return infer_bad(x, "shapes %s and %s do not broadcast", shape_text(infer_in(x, 0), a), shape_text(&to, b));
    return infer_put(x, "shape", x->out.dim, x->out.rank);
}

enum calque_status infer_BroadcastLike(struct infer *x)
{
    enum calque_status s = broadcasts(x, infer_in(x, 0), infer_in(x, 1));

    x->out = *infer_in(x, 1);
    return s;
}

enum calque_status infer_CollapseSum(struct infer *x)
{
    struct shape to;
    enum calque_status s = read_shape(x, &to);

    if (s || (s = broadcasts(x, &to, infer_in(x, 0))))
        return s;
    x->out = to;
    return CALQUE_OK;
}

enum calque_status infer_CollapseSumLike(struct infer *x)
{
    enum calque_status s = broadcasts(x, infer_in(x, 1), infer_in(x, 0));

    x->out = *infer_in(x, 1);
    return s;
}

enum calque_status infer_ZerosLike(struct infer *x) { return infer_same_type(x); }
enum calque_status infer_OnesLike(struct infer *x) { return infer_same_type(x); }

enum calque_status infer_FullLike(struct infer *x)
{
    enum calque_status s = infer_same_type(x);
    return s ? s : infer_rank(x, 1, 0);
}

enum calque_status infer_EyeLike(struct infer *x)
{
    long k, dtype;
    enum calque_status s = infer_rank(x, 0, 2);

    if (!s && graph_attr(x->g, x->node, "dtype") < 0)
        s = infer_put_int(x, "dtype", x->dtype);
    if (s || (s = infer_int(x, "k", -ATTR_INT_MAX, ATTR_INT_MAX, &k)) || (s = infer_int(x, "dtype", 1, 64, &dtype)))
        return s;
    x->dtype = (int)dtype;
    return CALQUE_OK;
}

/* Bounds begin..end of a shape's dimensions, counted from the front. */
static enum calque_status range(struct infer *x, const char *begin, const char *end, int rank, long *lo, long *hi)
{
    const char *const label[2] = {begin, end};
    long v[2] = {graph_attr_int(x->g, x->node, begin, 0), graph_attr_int(x->g, x->node, end, rank)};
    enum calque_status s = CALQUE_OK;

    for (int i = 0; i < 2 && !s; i++) {
        if (v[i] < -rank || v[i] > rank)
            return infer_bad(x, "attribute %s is %ld, expected %d to %d", label[i], v[i], -rank, rank);
        v[i] += v[i] < 0 ? rank : 0;
        s = infer_put_int(x, label[i], v[i]);
    }
    *lo = v[0];
    *hi = v[1];
    return s || *lo <= *hi ? s : infer_bad(x, "%s %ld is behind %s %ld", begin, *lo, end, *hi);
}

enum calque_status infer_ReshapeLike(struct infer *x)
{
    struct shape a = *infer_in(x, 0), b = *infer_in(x, 1);
    long l0 = 0, l1 = 0, r0 = 0, r1 = 0;
    enum calque_status s;
    char from[SHAPE_TEXT], to[SHAPE_TEXT];

    if ((s = range(x, "lhs_begin", "lhs_end", a.rank, &l0, &l1)) ||
        (s = range(x, "rhs_begin", "rhs_end", b.rank, &r0, &r1)))
        return s;
    x->out.rank = 0;
    if (a.rank - (l1 - l0) + (r1 - r0) > RANK_MAX)
        return infer_bad(x, "the result has rank %ld, more than %d", a.rank - (l1 - l0) + (r1 - r0), RANK_MAX);
    for (long i = 0; i < l0; i++)
        x->out.dim[x->out.rank++] = a.dim[i];
    for (long i = r0; i < r1; i++)
        x->out.dim[x->out.rank++] = b.dim[i];
    for (long i = l1; i < a.rank; i++)
        x->out.dim[x->out.rank++] = a.dim[i];
    if (shape_elems(&a) != shape_elems(&x->out))
        return infer_bad(x, "%ld elements of shape %s cannot be reshaped to %s", shape_elems(&a), shape_text(&a, from),
                         shape_text(&x->out, to));
    return CALQUE_OK;
}

/* Distinct capital letters, one for each dimension: blocked layouts (NCHW16c) have no type here. */
static enum calque_status layout(struct infer *x, const char *label, int rank, const char **text)
{
    int id = graph_attr(x->g, x->node, label);

    if (id < 0)
        return infer_bad(x, "attribute %s is missing", label);
    *text = strs_text(x->g->strs, (int)x->g->values->v[id].num);
    for (const char *c = *text; *c; c++) {
        if (*c < 'A' || *c > 'Z')
            return infer_bad(x, "attribute %s is %.40s, expected capital letters", label, *text);
        if (strchr(c + 1, *c))
            return infer_bad(x, "attribute %s has the letter %c twice", label, *c);
    }
    if (strlen(*text) != (size_t)rank)
        return infer_bad(x, "attribute %s is %.40s, the input has rank %d", label, *text, rank);
    return CALQUE_OK;
}

enum calque_status infer_LayoutTransform(struct infer *x)
{
    struct shape in = x->out;
    const char *from, *to;
    enum calque_status s;

    if ((s = layout(x, "src_layout", in.rank, &from)) || (s = layout(x, "dst_layout", in.rank, &to)))
        return s;
    for (int i = 0; i < in.rank; i++) {
        const char *at = strchr(from, to[i]);
        if (!at)
            return infer_bad(x, "the layouts %s and %s have different letters", from, to);
        x->out.dim[i] = in.dim[at - from];
    }
    return CALQUE_OK;
}

/* Type rules of the normalisations: the result has the type of input 0. */

static enum calque_status positive(struct infer *x)
{
    double e = graph_attr_real(x->g, x->node, "epsilon", 0);
    return e >= 0 ? CALQUE_OK : infer_bad(x, "attribute epsilon is %g, expected at least 0", e);
}

/* Scale and bias broadcast to X. */
static enum calque_status from_axis(struct infer *x)
{
    enum calque_status s = infer_same_type(x);
    char a[SHAPE_TEXT], b[SHAPE_TEXT];
    struct shape both;
    int axis;

    if (s || (s = positive(x)) || (s = infer_axis(x, "axis", x->out.rank, x->out.rank, &axis)))
        return s;
    for (int k = 1; k < x->nin; k++)
        if (infer_has(x, k) && (!shape_broadcast(infer_in(x, k), &x->out, &both) || !shape_equal(&both, &x->out)))
            return infer_bad(x, "input %d of shape %s does not broadcast to %s", k, shape_text(infer_in(x, k), a),
                             shape_text(&x->out, b));
    return CALQUE_OK;
}

enum calque_status infer_LayerNormalization(struct infer *x) { return from_axis(x); }
enum calque_status infer_RMSNormalization(struct infer *x) { return from_axis(x); }

static enum calque_status per_channel(struct infer *x, int rank)
{
    enum calque_status s = infer_same_type(x);

    if (!s && x->out.rank < rank)
        return infer_bad(x, "input 0 has rank %d, expected at least %d", x->out.rank, rank);
    for (int k = 1; k < 3 && !s; k++)
        s = infer_vector(x, k, x->out.dim[1]);
    return s ? s : positive(x);
}

enum calque_status infer_InstanceNormalization(struct infer *x) { return per_channel(x, 3); }

enum calque_status infer_GroupNormalization(struct infer *x)
{
    enum calque_status s = per_channel(x, 2);
    long groups;

    if (s || (s = infer_int(x, "num_groups", 1, ATTR_INT_MAX, &groups)))
        return s;
    if (x->out.dim[1] % groups != 0)
        return infer_bad(x, "%ld channels in %ld groups", x->out.dim[1], groups);
    return CALQUE_OK;
}

enum calque_status infer_LpNormalization(struct infer *x)
{
    enum calque_status s;
    long p;
    int axis;

    if ((s = infer_int(x, "p", 1, 2, &p)))
        return s;
    return infer_axis(x, "axis", x->out.rank, x->out.rank, &axis);
}

/* Without axes: over all. */
enum calque_status infer_L2Normalize(struct infer *x)
{
    long all[RANK_MAX];
    bool set[RANK_MAX];
    enum calque_status s;
    int n;

    if ((s = positive(x)) || (s = infer_axes(x, x->out.rank, set, &n)) || n >= 0)
        return s;
    for (int i = 0; i < x->out.rank; i++)
        all[i] = i;
    return infer_put(x, "axes", all, x->out.rank);
}

enum calque_status infer_BiasAdd(struct infer *x)
{
    enum calque_status s = infer_same_type(x);
    int axis;

    if (s || (s = infer_axis(x, "axis", x->out.rank, x->out.rank, &axis)))
        return s;
    return infer_vector(x, 1, x->out.dim[axis]);
}
