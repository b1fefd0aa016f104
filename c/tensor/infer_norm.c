/* Type rules of the normalisations: the result has the type of input 0. */
#include "tensor/infer.h"

static enum calque_status positive(struct infer *x)
{
    double e = graph_attr_real(x->g, x->node, "epsilon", 0);
    return e >= 0 ? CALQUE_OK : infer_bad(x, "attribute epsilon is %g, expected at least 0", e);
}

/* Scale and bias broadcast to X. */
enum calque_status infer_LayerNormalization(struct infer *x)
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
