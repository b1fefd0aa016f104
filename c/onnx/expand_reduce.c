/* Reductions and normalisations of ONNX made of other operators. */
#include "onnx/onnx_internal.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { PARTS_MAX = 64 }; /* parts of a reduction that is taken apart */

/* What is reduced: the axes of the input, ascending. */
struct reduced {
    int x, n;
    struct shape in;
    long axes[RANK_MAX];
    bool keep;
    long cells; /* reduced to one */
};

static void reduced_axes(struct onnx_build *b, struct reduced *r)
{
    struct onnx_list l = {0};

    if (!b->st)
        b->st = onnx_list_get(b->n, "axes", 1, &l);
    if (!b->st)
        b->st = onnx_axes(b->n, &l, r->in.rank, r->axes);
    r->n = (int)l.n;
    onnx_list_free(&l);
    if (r->n == 0 && !onnx_attr_i(b->n, "noop_with_empty_axes", 0))
        for (; r->n < r->in.rank; r->n++)
            r->axes[r->n] = r->n;
}

static void reduced_cells(struct onnx_build *b, struct reduced *r)
{
    r->cells = 1;
    for (int i = 0; i < r->n && !b->st; i++)
        r->cells *= r->in.dim[r->axes[i]];
    if (!b->st && shape_elems(&r->in) == 0) /* of no element */
        make_no(b);
}

static struct reduced reduced(struct onnx_build *b)
{
    struct reduced r = {.x = expand_in(b, 0), .keep = onnx_attr_i(b->n, "keepdims", 1) != 0};

    r.in = make_shape(b, r.x);
    reduced_axes(b, &r);
    reduced_cells(b, &r);
    return r;
}

/* One axis, of which the opset's default is `otherwise`. */
static struct reduced along(struct onnx_build *b, long otherwise)
{
    struct reduced r = {.x = expand_in(b, 0), .n = 1, .keep = onnx_attr_i(b->n, "keepdims", 1) != 0};

    r.in = make_shape(b, r.x);
    if (!b->st)
        b->st = onnx_axis(b->n, onnx_attr_i(b->n, "axis", otherwise), r.in.rank, 0, &r.axes[0]);
    reduced_cells(b, &r);
    return r;
}

/* x with the cells that become one along the last of two dimensions: [kept, r->cells]. */
static int gathered(struct onnx_build *b, const struct reduced *r, int x)
{
    long perm[RANK_MAX], two[2] = {1, r->cells};
    int k = 0;

    for (int i = 0, a = 0; i < r->in.rank && !b->st; i++) {
        if (a < r->n && r->axes[a] == i) {
            a++;
            continue;
        }
        two[0] *= r->in.dim[i];
        perm[k++] = i;
    }
    for (int a = 0; a < r->n && !b->st; a++)
        perm[k++] = r->axes[a];
    return make_reshape(b, make_transpose(b, x, perm), two, 2);
}

/* One cell for each of kept, in the result's shape. */
static int spread(struct onnx_build *b, const struct reduced *r, int x)
{
    long dim[RANK_MAX];
    int k = 0;

    for (int i = 0, a = 0; i < r->in.rank; i++) {
        bool gone = a < r->n && r->axes[a] == i;
        a += gone;
        if (!gone || r->keep)
            dim[k++] = gone ? 1 : r->in.dim[i];
    }
    return make_reshape(b, x, dim, k);
}

/* The product of the parts of the reduction, each of one cell of the reduced ones. */
static int product(struct onnx_build *b, const struct reduced *r)
{
    int part[PARTS_MAX] = {-1}, split, x;

    if (r->cells > PARTS_MAX)
        make_no(b);
    if (r->cells == 1 || b->st)
        return spread(b, r, r->x);
    split = make_split(b, gathered(b, r, r->x), 1);
    for (int k = 0; k < r->cells && !b->st; k++)
        part[k] = make_part(b, split, k);
    if (b->st)
        return -1;
    x = part[0];
    for (int k = 1; k < r->cells; k++)
        x = make_binary(b, OP_Mul, x, part[k]);
    return spread(b, r, x);
}

static int greatest(struct onnx_build *b, const struct reduced *r, int x)
{
    return b->st || r->cells == 1 ? spread(b, r, x) : make_reduce(b, OP_ReduceMax, x, r->axes, r->n, r->keep);
}

/* The greatest or the least one of floats. */
static int bound(struct onnx_build *b, const struct reduced *r, bool least)
{
    return least ? make_unary(b, OP_Neg, greatest(b, r, make_unary(b, OP_Neg, r->x))) : greatest(b, r, r->x);
}

/* x with the order turned round: of floats -x; of integers most - x where most is -1, which never leaves their range; of bytes in
   32 bits. */
static int turned(struct onnx_build *b, int x, int *most)
{
    if (expand_is_float(b, x))
        return make_unary(b, OP_Neg, x);
    if (dtype_is_byte(make_dtype(b, x)))
        x = make_cast(b, x, DTYPE_I32);
    *most = make_scalar(b, make_dtype(b, x), -1);
    return make_binary(b, OP_Sub, *most, x);
}

int expand_reduce_min(struct onnx_build *b)
{
    struct reduced r = reduced(b);
    int dtype = make_dtype(b, r.x), x, most = -1;

    if (r.n == 0)
        return r.x;
    if (!onnx_computed(dtype) || dtype == DTYPE_BOOL)
        make_no(b);
    if (!expand_is_float(b, r.x) && b->n->opset < 7) /* scalars do not broadcast */
        make_no(b);
    x = greatest(b, &r, turned(b, r.x, &most));
    if (expand_is_float(b, r.x))
        return make_unary(b, OP_Neg, x);
    x = make_binary(b, OP_Sub, most, x);
    return dtype_is_byte(dtype) ? make_cast(b, x, dtype) : x;
}

int expand_extreme(struct onnx_build *b, int x, bool least)
{
    struct reduced r = {.x = x, .in = make_shape(b, x)};

    for (; r.n < r.in.rank; r.n++)
        r.axes[r.n] = r.n;
    reduced_cells(b, &r);
    return bound(b, &r, least);
}

int expand_reduce_prod(struct onnx_build *b)
{
    struct reduced r = reduced(b);

    if (!onnx_computed(make_dtype(b, r.x)))
        make_no(b);
    return r.n ? product(b, &r) : r.x;
}

static int sum(struct onnx_build *b, const struct reduced *r, int x)
{
    return make_reduce(b, OP_ReduceSum, x, r->axes, r->n, r->keep);
}

static int square(struct onnx_build *b, int x)
{
    return make_binary(b, OP_Mul, x, x);
}

int expand_reduce_l1(struct onnx_build *b)
{
    struct reduced r = reduced(b);

    return sum(b, &r, make_unary(b, OP_Abs, r.x));
}

int expand_reduce_sum_square(struct onnx_build *b)
{
    struct reduced r = reduced(b);

    return sum(b, &r, square(b, r.x));
}

int expand_reduce_l2(struct onnx_build *b)
{
    expand_real_input(b);
    return make_unary(b, OP_Sqrt, expand_reduce_sum_square(b));
}

int expand_reduce_log_sum(struct onnx_build *b)
{
    struct reduced r = reduced(b);

    expand_real_input(b);
    return make_unary(b, OP_Log, sum(b, &r, r.x));
}

/* Infinities become the greatest finite numbers. Attributes are binary32, so for f64 the bounds are inputs. */
static int finite(struct onnx_build *b, int x)
{
    if (make_dtype(b, x) != DTYPE_F64)
        return make_clip(b, x, -(double)FLT_MAX, (double)FLT_MAX);
    if (b->n->opset < 8) /* Max and Min do not broadcast */
        make_no(b);
    return make_with(b, OP_Min, make_with(b, OP_Max, x, -DBL_MAX), DBL_MAX);
}

/* M is kept finite: infinite elements then give what the sum of their exponentials gives. */
int expand_reduce_log_sum_exp(struct onnx_build *b)
{
    struct reduced r = reduced(b);
    bool keep = r.keep;
    int m, y;

    expand_real_input(b);
    r.keep = true;
    m = finite(b, greatest(b, &r, r.x));
    y = sum(b, &r, make_unary(b, OP_Exp, make_binary(b, OP_Sub, r.x, m)));
    y = make_binary(b, OP_Add, m, make_unary(b, OP_Log, y));
    r.keep = keep;
    return spread(b, &r, y);
}

/* Before opset 13 the dimensions from axis on are one: [before, from axis on], reduced along the second. */
static struct reduced soft_axis(struct onnx_build *b)
{
    struct reduced r = {.x = expand_real_input(b)};
    struct shape s = make_shape(b, r.x);
    long axis = 0, two[2] = {1, 1};

    if (b->n->opset >= 13 || b->st) {
        r = along(b, -1);
        r.keep = true;
        return r;
    }
    b->st = onnx_axis(b->n, onnx_attr_i(b->n, "axis", 1), s.rank, 1, &axis);
    for (int i = 0; i < s.rank; i++)
        two[i >= axis] *= s.dim[i];
    r.x = make_reshape(b, r.x, two, 2);
    r.in = (struct shape){2, {two[0], two[1]}};
    r.n = 1;
    r.axes[0] = 1;
    r.keep = true;
    reduced_cells(b, &r);
    return r;
}

static int back(struct onnx_build *b, int x)
{
    struct shape s = make_shape(b, expand_in(b, 0));

    return b->st ? -1 : make_reshape(b, x, s.dim, s.rank);
}

/* n - i at cell i of the n along the axis where X has its greatest value, else 0; i if `last`. A NaN counts as the greatest, as it is not
   less. */
static int places(struct onnx_build *b, const struct reduced *r, int x, bool last)
{
    struct shape s = {r->in.rank - (int)r->axes[0], {0}};
    double *count = NULL;
    int number = -1;

    x = make_binary(b, OP_Less, x, greatest(b, r, x));
    x = make_cast(b, make_unary(b, OP_Not, x), DTYPE_I32);
    if (b->st)
        return -1;
    for (int i = 0; i < s.rank; i++)
        s.dim[i] = i ? 1 : r->cells;
    if (r->cells > 1 << 24 || !(count = mem_resize(b->n->r->f.mem, NULL, (size_t)r->cells, sizeof *count))) {
        b->st = r->cells > 1 << 24 ? CALQUE_NO : diag_nomem(b->n->r->f.diag); /* a constant that is not too large */
        return -1;
    }
    for (long i = 0; i < r->cells; i++)
        count[i] = (double)(last ? i : r->cells - i);
    number = make_values(b, DTYPE_I32, &s, count);
    mem_free(count);
    return make_binary(b, OP_Mul, x, number);
}

int expand_hardmax(struct onnx_build *b)
{
    struct reduced r = soft_axis(b);
    int p = places(b, &r, r.x, false);

    p = make_binary(b, OP_Equal, p, greatest(b, &r, p));
    return back(b, make_cast(b, p, make_dtype(b, r.x)));
}

static int place(struct onnx_build *b, bool least)
{
    struct reduced r = along(b, 0);
    bool last = onnx_attr_i(b->n, "select_last_index", 0) != 0, keep = r.keep;
    int dtype = make_dtype(b, r.x), x = r.x, most = -1;

    if (!onnx_computed(dtype) || dtype == DTYPE_BOOL)
        make_no(b);
    if (!expand_is_float(b, x) && b->n->opset < (dtype_is_byte(dtype) ? 12 : 9)) /* no ReduceMax, no Less of these */
        make_no(b);
    if (least)
        x = turned(b, x, &most);
    r.keep = true;
    x = places(b, &r, x, last);
    r.keep = keep;
    x = greatest(b, &r, x);
    if (!last)
        x = make_binary(b, OP_Sub, make_scalar(b, DTYPE_I32, (double)r.cells), x);
    return make_cast(b, x, DTYPE_I64);
}

int expand_arg_max(struct onnx_build *b) { return place(b, false); }
int expand_arg_min(struct onnx_build *b) { return place(b, true); }

/* Normalisations of ONNX made of other operators. */

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
