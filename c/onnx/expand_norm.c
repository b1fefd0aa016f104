/* Normalisations of ONNX made of other operators. */
#include "onnx/expand.h"

#include <string.h>

static int square(struct onnx_build *b, int x)
{
    return make_binary(b, OP_Mul, x, x);
}

static int mean_from(struct onnx_build *b, int x, int axis)
{
    struct shape s = make_shape(b, x);
    double count = 1;

    for (int i = axis; i < s.rank; i++)
        count *= (double)s.dim[i];
    return make_with(b, OP_Div, expand_sum_from(b, x, axis), count);
}

int expand_mean_variance(struct onnx_build *b)
{
    const long usual[] = {0, 2, 3};
    struct onnx_list l = {0};
    long axes[RANK_MAX];
    int x = expand_real_input(b), n, d, v;

    if (!b->st)
        b->st = onnx_list_get(b->n, "axes", -1, &l);
    if (!l.given) {
        l.a = usual;
        l.n = 3;
    }
    n = (int)l.n;
    if (!b->st)
        b->st = onnx_axes(b->n, &l, make_shape(b, x).rank, axes);
    d = make_binary(b, OP_Sub, x, make_reduce(b, OP_ReduceMean, x, axes, n, true));
    v = make_unary(b, OP_Sqrt, make_reduce(b, OP_ReduceMean, square(b, d), axes, n, true));
    return make_binary(b, OP_Div, d, make_with(b, OP_Add, v, 1e-9));
}

static double epsilon(const struct onnx_build *b)
{
    return (double)onnx_attr_f(b->n, "epsilon", 1e-5f);
}

int expand_rms(struct onnx_build *b)
{
    int x = expand_real_input(b), v;
    long axis = 0;

    if (onnx_attr_i(b->n, "stash_type", 1) != 1 || make_dtype(b, x) != DTYPE_F32)
        make_no(b);
    if (!b->st)
        b->st = onnx_axis(b->n, onnx_attr_i(b->n, "axis", -1), make_shape(b, x).rank, 0, &axis);
    v = make_with(b, OP_Add, mean_from(b, square(b, x), (int)axis), epsilon(b));
    return make_binary(b, OP_Mul, make_binary(b, OP_Div, x, make_unary(b, OP_Sqrt, v)), expand_in(b, 1));
}

/* A vector of one number for each channel as [C, 1 ..]; one for each group (opset 18) is repeated for its channels. */
static int channels(struct onnx_build *b, int v, const struct shape *s, long groups)
{
    long dim[RANK_MAX], each[2] = {groups, s->dim[1] / groups}, column[2] = {groups, 1};
    struct node_attr shape = make_is(b, "shape", each, 2);

    for (int i = 1; i < s->rank; i++)
        dim[i - 1] = i == 1 ? s->dim[1] : 1;
    if (b->n->opset < 21) {
        v = make_reshape(b, v, column, 2);
        v = make_op(b, OP_Expand, &v, 1, &shape, 1);
    }
    return make_reshape(b, v, dim, s->rank - 1);
}

/* The groups are the channels of an InstanceNormalization that scales by 1 and adds 0. */
int expand_group_norm(struct onnx_build *b)
{
    struct node_attr eps = make_f(b, "epsilon", epsilon(b));
    struct onnx_reader *r = b->n->r;
    long groups = onnx_attr_i(b->n, "num_groups", 0), dim[3];
    struct shape s, g = {1, {groups}};
    int in[3] = {expand_image(b, &s), -1, -1}, y;

    if (!b->st && (groups < 1 || s.dim[1] % groups))
        b->st = onnx_fail(b->n, CALQUE_BAD, "%ld channels in %ld groups", s.dim[1], groups);
    if (onnx_attr_i(b->n, "stash_type", 1) != 1 || make_dtype(b, in[0]) != DTYPE_F32)
        make_no(b);
    if (b->st)
        return -1;
    dim[0] = s.dim[0];
    dim[1] = groups;
    dim[2] = shape_elems(&s) / (dim[0] * dim[1]);
    in[0] = make_reshape(b, in[0], dim, 3);
    for (int k = 1; k < 3; k++) {
        struct tensor t;
        if (!b->st && !(b->st = tensor_new(r->f.mem, DTYPE_F32, &g, &t, r->f.diag))) {
            for (long i = 0; i < groups; i++)
                tensor_f32(&t)[i] = k == 1 ? 1.0f : 0.0f;
            in[k] = make_const(b, &t);
        }
    }
    y = make_reshape(b, make_op(b, OP_InstanceNormalization, in, 3, &eps, 1), s.dim, s.rank);
    y = make_binary(b, OP_Mul, y, channels(b, expand_in(b, 1), &s, groups));
    return make_binary(b, OP_Add, y, channels(b, expand_in(b, 2), &s, groups));
}
