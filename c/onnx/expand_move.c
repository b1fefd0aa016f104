/* Operators of ONNX that move, repeat or accumulate cells, made of others. */
#include "onnx/onnx_internal.h"

#include <math.h>
#include <string.h>

/* [N, C, H, W] with the block size checked. */
static int blocks(struct onnx_build *b, struct shape *s, long *block)
{
    int x = expand_in(b, 0);

    *s = make_shape(b, x);
    *block = onnx_attr_i(b->n, "blocksize", 0);
    if (!b->st && s->rank != 4)
        b->st = onnx_fail(b->n, CALQUE_BAD, "input 0 has rank %d, not 4", s->rank);
    if (!b->st && (*block < 1 || *block > 1 << 15))
        b->st = onnx_fail(b->n, CALQUE_BAD, "blocksize is %ld", *block);
    return x;
}

int expand_depth_to_space(struct onnx_build *b)
{
    static const long by_depth[] = {0, 3, 4, 1, 5, 2}, by_column[] = {0, 1, 4, 2, 5, 3};
    const Onnx__AttributeProto *mode = onnx_attr(b->n, "mode");
    bool column = mode && onnx_attr_is(mode, "CRD");
    struct shape s;
    long k;
    int x = blocks(b, &s, &k);

    if (!b->st && mode && !column && !onnx_attr_is(mode, "DCR"))
        b->st = onnx_fail(b->n, CALQUE_BAD, "mode must be DCR or CRD");
    if (!b->st && s.dim[1] % (k * k))
        b->st = onnx_fail(b->n, CALQUE_BAD, "%ld channels do not make blocks of %ld by %ld", s.dim[1], k, k);
    if (b->st)
        return -1;
    {
        long c = s.dim[1] / (k * k), four[] = {s.dim[0], c, s.dim[2] * k, s.dim[3] * k};
        long six[] = {s.dim[0], column ? c : k, k, column ? k : c, s.dim[2], s.dim[3]};
        x = make_transpose(b, make_reshape(b, x, six, 6), column ? by_column : by_depth);
        return make_reshape(b, x, four, 4);
    }
}

int expand_space_to_depth(struct onnx_build *b)
{
    static const long perm[] = {0, 3, 5, 1, 2, 4};
    struct shape s;
    long k;
    int x = blocks(b, &s, &k);

    if (!b->st && (s.dim[2] % k || s.dim[3] % k))
        b->st = onnx_fail(b->n, CALQUE_BAD, "an image of %ld by %ld does not make blocks of %ld by %ld", s.dim[2],
                          s.dim[3], k, k);
    if (b->st)
        return -1;
    {
        long six[] = {s.dim[0], s.dim[1], s.dim[2] / k, k, s.dim[3] / k, k};
        long four[] = {s.dim[0], s.dim[1] * k * k, six[2], six[4]};
        return make_reshape(b, make_transpose(b, make_reshape(b, x, six, 6), perm), four, 4);
    }
}

static int copies(struct onnx_build *b, int x, int axis, long k)
{
    int in[64];

    if (k > 64)
        make_no(b);
    for (long i = 0; i < k && !b->st; i++)
        in[i] = x;
    return b->st ? -1 : make_concat(b, in, (int)k, axis);
}

/* x repeated k times along the axis. */
static int tiled(struct onnx_build *b, int x, int axis, long k)
{
    struct shape s = make_shape(b, x), wide;
    struct node_attr a;

    if (b->st || k == 1)
        return x;
    if (b->n->opset < 8) /* there is no Expand */
        return copies(b, x, axis, k);
    if (s.rank == RANK_MAX || k > 1 << 24 || s.dim[axis] > 1 << 24) {
        make_no(b);
        return -1;
    }
    wide = s;
    wide.rank++;
    memmove(wide.dim + axis + 1, wide.dim + axis, (size_t)(s.rank - axis) * sizeof *wide.dim);
    wide.dim[axis] = 1;
    x = make_reshape(b, x, wide.dim, wide.rank);
    wide.dim[axis] = k;
    a = make_is(b, "shape", wide.dim, wide.rank);
    s.dim[axis] *= k;
    return make_reshape(b, make_op(b, OP_Expand, &x, 1, &a, 1), s.dim, s.rank);
}

int expand_tile(struct onnx_build *b)
{
    struct onnx_list l = {0};
    int x = expand_in(b, 0), rank = make_shape(b, x).rank;
    struct shape s = make_shape(b, x);

    b->st = onnx_list_get(b->n, NULL, 1, &l);
    if (!b->st && l.n != (size_t)rank)
        b->st = onnx_fail(b->n, CALQUE_BAD, "repeats has %zu elements, the input rank %d", l.n, rank);
    for (int i = 0; i < rank && !b->st; i++) {
        if (l.a[i] < 0)
            b->st = onnx_fail(b->n, CALQUE_BAD, "repeats has %ld", l.a[i]);
        else if (l.a[i] == 0 || shape_elems(&s) == 0)
            make_no(b);
        x = tiled(b, x, i, b->st ? 1 : l.a[i]);
    }
    onnx_list_free(&l);
    return x;
}

/* Which cells of the last two dimensions lie on or above diagonal k (on or below it): a constant. */
static int triangle(struct onnx_build *b, int x, double k)
{
    struct shape s = make_shape(b, x), two = {2, {0}};
    bool upper = onnx_attr_i(b->n, "upper", 1) != 0;
    struct tensor t;

    if (b->st)
        return -1;
    two.dim[0] = s.dim[s.rank - 2];
    two.dim[1] = s.dim[s.rank - 1];
    if ((size_t)shape_elems(&two) > ONNX_CONST_BUDGET)
        make_no(b);
    else
        b->st = tensor_new(b->n->r->f.mem, DTYPE_BOOL, &two, &t, b->n->r->f.diag);
    if (b->st)
        return -1;
    for (long i = 0; i < two.dim[0]; i++)
        for (long j = 0; j < two.dim[1]; j++) {
            double d = (double)(j - i) - k;
            ((uint8_t *)t.data)[i * two.dim[1] + j] = upper ? d >= 0 : d <= 0;
        }
    return make_const(b, &t);
}

/* A choice: what is left out may be a NaN or an infinity, of which no product or bound is 0. */
int expand_trilu(struct onnx_build *b)
{
    int x = expand_in(b, 0), in[3] = {-1, x, -1};
    struct shape s = make_shape(b, x);
    double k = 0;

    if (expand_in(b, 1) >= 0 && expand_numbers(b, 1, &k, 1) != 1)
        make_no(b);
    if (!b->st && s.rank < 2)
        b->st = onnx_fail(b->n, CALQUE_BAD, "input 0 has rank %d, not 2 or more", s.rank);
    if (!onnx_computed(make_dtype(b, x)) || shape_elems(&s) == 0)
        make_no(b);
    if (b->st)
        return -1;
    in[0] = triangle(b, x, k);
    in[2] = make_scalar(b, make_dtype(b, x), 0);
    return make_op(b, OP_Where, in, 3, NULL, 0);
}

/* x moved by k places towards higher (lower) numbers along the axis, zeros after it. */
static int moved(struct onnx_build *b, int x, int axis, long k, bool lower)
{
    long pads[2 * RANK_MAX] = {0};
    int rank = make_shape(b, x).rank;

    if (b->st)
        return -1;
    pads[axis] = lower ? -k : k;
    pads[rank + axis] = -pads[axis];
    return make_pad(b, x, pads, "constant", 0);
}

int expand_cum_sum(struct onnx_build *b)
{
    int x = expand_in(b, 0);
    struct shape s = make_shape(b, x);
    bool lower = onnx_attr_i(b->n, "reverse", 0) != 0;
    double given = 0;
    long axis = 0;

    if (expand_numbers(b, 1, &given, 1) != 1 || !onnx_computed(make_dtype(b, x)) || shape_elems(&s) == 0)
        make_no(b);
    if (!b->st)
        b->st = onnx_axis(b->n, (long)given, s.rank, 0, &axis);
    if (b->st)
        return -1;
    if (onnx_attr_i(b->n, "exclusive", 0))
        x = moved(b, x, (int)axis, 1, lower);
    for (long k = 1; k < s.dim[axis]; k *= 2)
        x = make_binary(b, OP_Add, x, moved(b, x, (int)axis, k, lower));
    return x;
}

/* What GatherND says: the first `batch` dimensions of X and of the indices are the same, an index names a cell of the next `named` ones. */
struct gather_nd {
    struct shape x, index;
    int batch, named;
};

/* The number of the cell in X's first batch + named dimensions that the index at `at` names. */
static long cell_named(struct onnx_build *b, const struct gather_nd *q, const long *index, long at)
{
    long cell = 0, inner = 1;

    for (int i = q->batch; i < q->index.rank - 1; i++)
        inner *= q->index.dim[i];
    cell = at / inner;
    for (int k = 0; k < q->named && !b->st; k++) {
        long dim = q->x.dim[q->batch + k], j = index[at * q->named + k];
        if (j < -dim || j >= dim)
            b->st = onnx_fail(b->n, CALQUE_BAD, "index %ld is not in -%ld..%ld", j, dim, dim - 1);
        cell = cell * dim + j + (j < 0 ? dim : 0);
    }
    return cell;
}

static enum calque_status gather_nd_shapes(struct onnx_build *b, struct gather_nd *q)
{
    q->x = make_shape(b, expand_in(b, 0));
    q->index = make_shape(b, expand_in(b, 1));
    q->batch = (int)onnx_attr_i(b->n, "batch_dims", 0);
    if (b->st)
        return b->st;
    if (q->x.rank < 1 || q->index.rank < 1)
        return onnx_fail(b->n, CALQUE_BAD, "an input is a scalar");
    q->named = (int)q->index.dim[q->index.rank - 1];
    if (q->batch < 0 || q->batch >= q->index.rank || q->batch >= q->x.rank || q->index.dim[q->index.rank - 1] > q->x.rank - q->batch)
        return onnx_fail(b->n, CALQUE_BAD, "indices of %ld do not fit an input of rank %d", q->index.dim[q->index.rank - 1], q->x.rank);
    for (int i = 0; i < q->batch; i++)
        if (q->x.dim[i] != q->index.dim[i])
            return onnx_fail(b->n, CALQUE_BAD, "dimension %d is %ld and %ld", i, q->x.dim[i], q->index.dim[i]);
    if (q->index.rank - 1 + q->x.rank - q->batch - q->named > RANK_MAX)
        return onnx_fail(b->n, CALQUE_LIMIT, "the result has more than %d dimensions", RANK_MAX);
    return q->named < 1 || shape_elems(&q->x) == 0 || shape_elems(&q->index) == 0 ? CALQUE_NO : CALQUE_OK;
}

/* X with its first batch + named dimensions as one, of which the slices are taken. */
static int taken(struct onnx_build *b, const struct gather_nd *q, const struct tensor *t)
{
    long n = shape_elems(&q->index) / q->named, dim[RANK_MAX], *cell = mem_resize(b->n->r->f.mem, NULL, (size_t)n, sizeof *cell);
    int first = q->batch + q->named, x = expand_in(b, 0), rank = 0;

    if (!cell) {
        b->st = diag_nomem(b->n->r->f.diag);
        return -1;
    }
    for (long i = 0; i < n; i++)
        cell[i] = cell_named(b, q, tensor_i64(t), i);
    dim[rank++] = 1;
    for (int i = 0; i < first; i++)
        dim[0] *= q->x.dim[i];
    for (int i = first; i < q->x.rank; i++)
        dim[rank++] = q->x.dim[i];
    x = make_take(b, make_reshape(b, x, dim, rank), 0, cell, (int)n);
    mem_free(cell);
    return x;
}

/* Data are indices where they name one dimension: a look-up says so of each that is out of range, a product of several does not. */
int expand_gather_nd(struct onnx_build *b)
{
    struct gather_nd q = {{0}, {0}, 0, 0};
    struct tensor t;
    struct node_attr axis = make_i(b, "axis", 0);
    long dim[RANK_MAX];
    int rank = 0, in[2] = {expand_in(b, 0), -1}, x = -1;

    if ((b->st = gather_nd_shapes(b, &q)))
        return -1;
    for (int i = 0; i < q.index.rank - 1; i++)
        dim[rank++] = q.index.dim[i];
    b->st = onnx_const_input(b->n, 1, &t);
    if (b->st == CALQUE_NO && q.named == 1 && q.batch == 0) {
        b->st = CALQUE_OK;
        in[1] = make_reshape(b, expand_in(b, 1), dim, rank);
        return make_op(b, OP_Gather, in, 2, &axis, 1);
    }
    if (!b->st && (t.dtype != DTYPE_I64 || shape_elems(&q.index) > 1 << 24))
        make_no(b);
    if (!b->st)
        x = taken(b, &q, &t);
    for (int i = q.batch + q.named; i < q.x.rank && !b->st; i++)
        dim[rank++] = q.x.dim[i];
    tensor_free(&t);
    return make_reshape(b, x, dim, rank);
}

int expand_range(struct onnx_build *b)
{
    double v[3] = {0, 0, 0}, count, *all;
    int dtype = make_dtype(b, expand_in(b, 0)), id;
    struct shape s = {1, {0}};

    for (int k = 0; k < 3; k++)
        if (expand_numbers(b, k, &v[k], 1) != 1 || make_dtype(b, expand_in(b, k)) != dtype)
            make_no(b);
    count = b->st ? 0 : ceil((v[1] - v[0]) / v[2]);
    if (!b->st && !(v[2] > 0 || v[2] < 0))
        b->st = onnx_fail(b->n, CALQUE_BAD, "delta is %g", v[2]);
    if (!(fabs(v[0]) < 0x1p52 && fabs(v[1]) < 0x1p52 && count <= (double)(ONNX_CONST_BUDGET / sizeof *all)))
        make_no(b);
    if (b->st)
        return -1;
    s.dim[0] = count > 0 ? (long)count : 0;
    all = mem_resize(b->n->r->f.mem, NULL, (size_t)s.dim[0], sizeof *all);
    if (!all) {
        b->st = diag_nomem(b->n->r->f.diag);
        return -1;
    }
    for (long i = 0; i < s.dim[0]; i++)
        all[i] = v[0] + (double)i * v[2];
    id = make_values(b, dtype, &s, all);
    mem_free(all);
    return id;
}

/* Pad whose cells come from the other end: along each axis the slices in that order. */
int expand_wrap(struct onnx_build *b)
{
    int x = expand_in(b, 0);
    struct shape s = make_shape(b, x);
    long pads[2 * RANK_MAX];

    b->st = onnx_pads(b->n, pads);
    if (shape_elems(&s) == 0)
        make_no(b);
    for (int i = 0; i < s.rank && !b->st; i++) {
        long before = pads[i], n, *index;
        if (!before && !pads[i + s.rank])
            continue;
        if (before > 1 << 20 || before < -s.dim[i] || pads[i + s.rank] > 1 << 20 ||
            (n = s.dim[i] + before + pads[i + s.rank]) < 1 || n > 1 << 21) {
            make_no(b);
            break;
        }
        if (!(index = mem_resize(b->n->r->f.mem, NULL, (size_t)n, sizeof *index))) {
            b->st = diag_nomem(b->n->r->f.diag);
            break;
        }
        for (long j = 0; j < n; j++)
            index[j] = ((j - before) % s.dim[i] + s.dim[i]) % s.dim[i];
        x = make_take(b, x, i, index, (int)n);
        mem_free(index);
    }
    return x;
}
