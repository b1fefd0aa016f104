/* ScatterND, ScatterElements by constant indices: X as rows that are replaced. Updates go into X in rounds, in each of which no row
   comes twice: the rows of X and those of the updates one after the other, of which each row of the result is one. So what is not
   updated keeps its bits, and of two updates of a row the later one holds, or is added to the earlier one's sum. */
#include "onnx/onnx_internal.h"

enum { SCATTER_MOST = 1 << 24, SCATTER_ROUNDS = 64 };

struct scatter {
    struct onnx_build *b;
    long rows, inner; /* of X, as rows of so many cells */
    long n;           /* updates */
    long *row;        /* update -> its row, or -1: it is done */
    long *from;       /* row of the result -> its place among X's rows and then the round's updates */
    long *now, *old;  /* updates of the round, and their rows */
    int op;           /* of a row and its update; OP_Opaque: the update */
};

static int reduction(struct onnx_build *b)
{
    static const struct {
        const char *name;
        int op;
    } all[] = {{"none", OP_Opaque}, {"add", OP_Add}, {"mul", OP_Mul}, {"max", OP_Max}, {"min", OP_Min}};
    const Onnx__AttributeProto *a = onnx_attr(b->n, "reduction");

    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (a ? onnx_attr_is(a, all[i].name) : i == 0)
            return all[i].op;
    make_no(b);
    return OP_Opaque;
}

/* An index of a dimension, counted from its end if negative. */
static long place(struct onnx_build *b, const struct tensor *t, long at, long dim)
{
    long j = t->dtype == DTYPE_I64 ? tensor_i64(t)[at] : ((const int32_t *)t->data)[at];

    if (!b->st && (j < -dim || j >= dim))
        b->st = onnx_fail(b->n, CALQUE_BAD, "index %ld is not in -%ld..%ld", j, dim, dim - 1);
    return j < 0 ? j + dim : j;
}

/* The updates of the next round: of each row the first one that is left, or, where none is added to another, the last one. */
static long next_round(struct scatter *q)
{
    long n = 0;

    for (long r = 0; r < q->rows; r++)
        q->from[r] = r;
    for (long i = 0; i < q->n; i++) {
        long r = q->row[i];
        if (r < 0 || (q->op != OP_Opaque && q->from[r] != r))
            continue;
        q->row[i] = -1;
        if (q->from[r] == r)
            q->from[r] = q->rows + n++;
        q->now[q->from[r] - q->rows] = i;
        q->old[q->from[r] - q->rows] = r;
    }
    return n;
}

/* X (rows, inner) with the updates (n, inner) in it. */
static int scattered(struct scatter *q, int x, int updates)
{
    struct onnx_build *b = q->b;
    int both[2];

    for (long n, round = 0; !b->st && (n = next_round(q)) > 0; round++) {
        both[0] = x;
        both[1] = make_take(b, updates, 0, q->now, (int)n);
        if (q->op != OP_Opaque)
            both[1] = make_binary(b, q->op, make_take(b, x, 0, q->old, (int)n), both[1]);
        x = make_take(b, make_concat(b, both, 2, 0), 0, q->from, (int)q->rows);
        if (round > SCATTER_ROUNDS)
            make_no(b);
    }
    return x;
}

static int scatter(struct scatter *q)
{
    struct onnx_build *b = q->b;
    struct shape s = make_shape(b, expand_in(b, 0));
    int x, updates;

    if (b->st)
        return -1;
    x = make_reshape(b, expand_in(b, 0), (long[]){q->rows, q->inner}, 2);
    updates = make_reshape(b, expand_in(b, 2), (long[]){q->n, q->inner}, 2);
    return make_reshape(b, scattered(q, x, updates), s.dim, s.rank);
}

/* Room for n updates of so many rows; false: b->st is set. */
static bool scatter_open(struct scatter *q, struct onnx_build *b, long rows, long inner, long n)
{
    struct mem *mem = b->n->r->f.mem;

    *q = (struct scatter){.b = b, .rows = rows, .inner = inner, .n = n, .op = reduction(b)};
    if (rows < 1 || inner < 1 || n < 1 || rows > SCATTER_MOST || n > SCATTER_MOST || make_dtype(b, expand_in(b, 0)) != make_dtype(b, expand_in(b, 2)))
        make_no(b);
    if (b->st)
        return false;
    q->row = mem_resize(mem, NULL, (size_t)n, sizeof *q->row);
    q->now = mem_resize(mem, NULL, (size_t)n, sizeof *q->now);
    q->old = mem_resize(mem, NULL, (size_t)n, sizeof *q->old);
    q->from = mem_resize(mem, NULL, (size_t)rows, sizeof *q->from);
    if (!q->row || !q->now || !q->old || !q->from)
        b->st = diag_nomem(b->n->r->f.diag);
    return b->st == CALQUE_OK;
}

static void scatter_close(struct scatter *q)
{
    mem_free(q->row);
    mem_free(q->now);
    mem_free(q->old);
    mem_free(q->from);
}

/* The indices, as a constant of integers; b->st otherwise. */
static void indices(struct onnx_build *b, struct tensor *t)
{
    if (!b->st)
        b->st = onnx_const_input(b->n, 1, t);
    if (!b->st && t->dtype != DTYPE_I64 && t->dtype != DTYPE_I32)
        make_no(b);
}

int expand_scatter_nd(struct onnx_build *b)
{
    struct shape x = make_shape(b, expand_in(b, 0)), s = make_shape(b, expand_in(b, 1));
    long named = b->st || s.rank < 1 ? 0 : s.dim[s.rank - 1], rows = 1, n;
    struct tensor t = {0};
    struct scatter q = {0};
    int y = -1;

    indices(b, &t);
    if (named < 1 || named > x.rank)
        make_no(b);
    n = b->st ? 0 : shape_elems(&s) / named;
    for (int k = 0; !b->st && k < named; k++)
        rows *= x.dim[k];
    if (!b->st && scatter_open(&q, b, rows, rows ? shape_elems(&x) / rows : 0, n)) {
        struct shape u = make_shape(b, expand_in(b, 2));
        if (shape_elems(&u) != n * q.inner)
            b->st = onnx_fail(b->n, CALQUE_BAD, "%ld updates of %ld cells are not %ld cells", n, q.inner, shape_elems(&u));
        for (long i = 0; i < n; i++) {
            q.row[i] = 0;
            for (long k = 0; k < named && !b->st; k++)
                q.row[i] = q.row[i] * x.dim[k] + place(b, &t, i * named + k, x.dim[k]);
        }
        y = scatter(&q);
    }
    scatter_close(&q);
    tensor_free(&t);
    return y;
}

int expand_scatter_elements(struct onnx_build *b)
{
    struct shape x = make_shape(b, expand_in(b, 0)), s = make_shape(b, expand_in(b, 1));
    struct tensor t = {0};
    struct scatter q = {0};
    long axis = 0;
    int y = -1;

    indices(b, &t);
    if (!b->st)
        b->st = onnx_axis(b->n, onnx_attr_i(b->n, "axis", 0), x.rank, 0, &axis);
    if (!b->st) {
        struct shape u = make_shape(b, expand_in(b, 2));
        bool fits = u.rank == s.rank && s.rank == x.rank && x.rank > 0;
        for (int k = 0; fits && k < s.rank; k++)
            fits = u.dim[k] == s.dim[k] && (k == axis || s.dim[k] <= x.dim[k]);
        if (!fits)
            b->st = onnx_fail(b->n, CALQUE_BAD, "indices and updates are not of one shape, inside of the input's");
    }
    if (!b->st && scatter_open(&q, b, shape_elems(&x), 1, shape_elems(&s))) {
        for (long i = 0; i < q.n; i++) {
            long row = 0, stride = 1, rest = i;
            for (int k = s.rank - 1; k >= 0 && !b->st; k--) {
                row += stride * (k == axis ? place(b, &t, i, x.dim[k]) : rest % s.dim[k]);
                rest /= s.dim[k];
                stride *= x.dim[k];
            }
            q.row[i] = row;
        }
        y = scatter(&q);
    }
    scatter_close(&q);
    tensor_free(&t);
    return y;
}
