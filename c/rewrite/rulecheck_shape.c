/* Shapes and attributes that fit an operator, small and varied. A misfit only costs a try. */
#include "rewrite/rulecheck_internal.h"

#include <string.h>

static long extent(struct maker *k)
{
    return 1 + make_random(k, k->size);
}

static struct shape random_shape(struct maker *k, int rank)
{
    struct shape s = {.rank = rank};

    for (int j = 0; j < rank; j++)
        s.dim[j] = extent(k);
    return s;
}

static struct shape vector(long n)
{
    struct shape s = {.rank = 1};

    s.dim[0] = n;
    return s;
}

/* A known input, or NULL. */
static const struct shape *known(const struct shape *in, int n, int not_this)
{
    for (int j = 0; j < n; j++)
        if (j != not_this && in[j].rank >= 0)
            return &in[j];
    return NULL;
}

/* The shape of an earlier input or constant of this rank, or a new one: rules about equal shapes should meet them. */
static struct shape familiar(struct maker *k, int rank)
{
    int at = make_chance(k, 70) ? (int)make_random(k, k->g->node.n + 1) : -1;

    for (int j = 0; at >= 0 && j < k->g->node.n; j++) {
        const struct node *nd = &k->g->node.a[(at + j) % k->g->node.n];
        if ((nd->kind == NODE_INPUT || nd->kind == NODE_CONST) && nd->shape.rank == rank)
            return nd->shape;
    }
    return random_shape(k, rank);
}

/* One that broadcasts with s: the same, some dimensions 1, or fewer dimensions. */
static struct shape broadcasting(struct maker *k, const struct shape *s)
{
    struct shape r = *s;
    int drop;

    if (make_chance(k, 55))
        return r;
    if (make_chance(k, 20))
        return random_shape(k, (int)make_random(k, 5));
    drop = s->rank > 0 && make_chance(k, 40) ? (int)make_random(k, s->rank + 1) : 0;
    r.rank -= drop;
    for (int j = 0; j < r.rank; j++)
        r.dim[j] = make_chance(k, 35) ? 1 : s->dim[j + drop];
    return r;
}

static long divisor(struct maker *k, long n)
{
    long d;

    do
        d = 1 + make_random(k, n);
    while (n % d != 0);
    return d;
}

static void conv_shapes(struct maker *k, int p, int i, struct shape *in, int n)
{
    long group = make_int(k, p, i, "group", -1);
    bool open = in[0].rank < 0;

    if (open) {
        in[0] = familiar(k, 4);
        for (int j = 2; j < 4; j++)
            in[0].dim[j] += make_random(k, 3);
        if (in[1].rank == 4)
            in[0].dim[1] = in[1].dim[1] * (group > 0 ? group : 1 + make_random(k, 2));
    }
    if (in[0].rank < 3)
        return;
    if (in[1].rank < 0) {
        if (group <= 0)
            group = make_chance(k, 60) ? 1 : divisor(k, in[0].dim[1] > 0 ? in[0].dim[1] : 1);
        in[1] = familiar(k, in[0].rank);
        if (in[1].dim[1] * group != in[0].dim[1] || make_chance(k, 30)) {
            in[1].dim[0] = group * extent(k);
            in[1].dim[1] = in[0].dim[1] / group;
            for (int j = 2; j < in[1].rank; j++)
                in[1].dim[j] = 1 + make_random(k, 3);
        }
    }
    if (n > 2 && in[2].rank < 0 && in[1].rank > 0)
        in[2] = vector(in[1].dim[0]);
}

static void gemm_shapes(struct maker *k, int p, int i, struct shape *in, int n)
{
    bool ta = make_int(k, p, i, "transA", 0) == 1, tb = make_int(k, p, i, "transB", 0) == 1;

    if (in[0].rank < 0) {
        in[0] = familiar(k, 2);
        if (in[1].rank == 2)
            in[0].dim[ta ? 0 : 1] = in[1].dim[tb ? 1 : 0];
    }
    if (in[1].rank < 0 && in[0].rank == 2) {
        in[1] = familiar(k, 2);
        in[1].dim[tb ? 1 : 0] = in[0].dim[ta ? 0 : 1];
    }
    if (n > 2 && in[2].rank < 0 && in[1].rank == 2) {
        struct shape y = {.rank = 2};
        y.dim[0] = in[0].dim[ta ? 1 : 0];
        y.dim[1] = in[1].dim[tb ? 0 : 1];
        in[2] = broadcasting(k, &y);
    }
}

static void matmul_shapes(struct maker *k, struct shape *in)
{
    if (in[0].rank < 0) {
        in[0] = familiar(k, in[1].rank > 2 ? in[1].rank : 2 + (int)make_random(k, 2));
        if (in[1].rank >= 2)
            in[0].dim[in[0].rank - 1] = in[1].dim[in[1].rank - 2];
    }
    if (in[1].rank < 0 && in[0].rank >= 2) {
        in[1] = familiar(k, make_chance(k, 70) ? in[0].rank : 2);
        for (int j = 0; j + 2 < in[1].rank; j++)
            in[1].dim[j] = in[0].dim[j];
        in[1].dim[in[1].rank - 2] = in[0].dim[in[0].rank - 1];
    }
}

/* x and vectors along one dimension; for LayerNormalization and RMSNormalization, of the dimensions from axis on. */
static void channel_shapes(struct maker *k, int op, int p, int i, struct shape *in, int n)
{
    bool layer = op == OP_LayerNormalization || op == OP_RMSNormalization;
    long axis = make_int(k, p, i, "axis", layer ? -1 : 1);

    if (in[0].rank < 0)
        in[0] = familiar(k, 2 + (int)make_random(k, 3));
    if (axis < 0)
        axis += in[0].rank;
    if (axis < 0 || axis >= in[0].rank)
        return;
    for (int j = 1; j < n; j++) {
        if (in[j].rank >= 0)
            continue;
        in[j] = vector(in[0].dim[axis]);
        for (int d = (int)axis + 1; layer && d < in[0].rank; d++)
            in[j].dim[in[j].rank++] = in[0].dim[d];
    }
}

static void concat_shapes(struct maker *k, int p, int i, struct shape *in, int n)
{
    const struct shape *like = known(in, n, -1);
    struct shape s = like ? *like : familiar(k, 1 + (int)make_random(k, 4));
    long axis = make_int(k, p, i, "axis", s.rank > 0 ? make_random(k, s.rank) : 0);

    if (axis < 0)
        axis += s.rank;
    for (int j = 0; j < n; j++) {
        if (in[j].rank >= 0)
            continue;
        in[j] = s;
        if (axis >= 0 && axis < s.rank)
            in[j].dim[axis] = extent(k);
    }
}

static void same_elements(struct maker *k, const struct shape *s, struct shape *to)
{
    long left = shape_elems(s);
    int rank = 1 + (int)make_random(k, 4);

    to->rank = rank;
    for (int j = 0; j < rank; j++) {
        to->dim[j] = j == rank - 1 ? left : divisor(k, left > 0 ? left : 1);
        left /= to->dim[j] > 0 ? to->dim[j] : 1;
    }
}

/* y, whose dimensions from rhs_begin on have as many elements as x's from lhs_begin on. */
static struct shape reshaping(struct maker *k, int p, int i, const struct shape *x)
{
    long lhs = make_int(k, p, i, "lhs_begin", 0), rhs = make_int(k, p, i, "rhs_begin", 0);
    struct shape part = {.rank = 0}, own, y = {.rank = 0};

    if (lhs < 0 || lhs > x->rank || rhs < 0 || rhs > 3)
        return *x;
    for (int j = (int)lhs; j < x->rank; j++)
        part.dim[part.rank++] = x->dim[j];
    same_elements(k, &part, &own);
    for (int j = 0; j < rhs; j++)
        y.dim[y.rank++] = extent(k);
    for (int j = 0; j < own.rank; j++)
        y.dim[y.rank++] = own.dim[j];
    return y;
}

static void pair_shapes(struct maker *k, int op, int p, int i, struct shape *in)
{
    if (in[0].rank < 0)
        in[0] = familiar(k, 1 + (int)make_random(k, 4));
    if (in[1].rank >= 0)
        return;
    switch (op) {
    case OP_FullLike:
        in[1].rank = 0;
        break;
    case OP_ReshapeLike:
        in[1] = reshaping(k, p, i, &in[0]);
        break;
    case OP_BroadcastLike:
        in[1] = in[0];
        for (int j = 0; j < in[1].rank; j++)
            if (in[1].dim[j] == 1)
                in[1].dim[j] = extent(k);
        break;
    default:
        in[1] = broadcasting(k, &in[0]);
    }
}

/* The rank that listed attributes ask of a single input, or 0. */
static int listed_rank(struct maker *k, int op, int p, int i)
{
    long v[2 * RANK_MAX];
    int n;

    switch (op) {
    case OP_Transpose:
        n = make_ints(k, make_listed(k, p, "perm"), i, v, RANK_MAX);
        return n > 0 ? n : 0;
    case OP_Pad:
        n = make_ints(k, make_listed(k, p, "pads"), i, v, 2 * RANK_MAX);
        return n > 0 ? n / 2 : 0;
    case OP_MaxPool:
    case OP_AveragePool:
    case OP_GlobalAveragePool:
    case OP_LRN:
        return 4;
    default:
        return 0;
    }
}

static void any_shapes(struct maker *k, int op, int p, int i, struct shape *in, int n)
{
    int rank = listed_rank(k, op, p, i);

    for (int j = 0; j < n; j++) {
        const struct shape *like = known(in, n, j);
        if (in[j].rank >= 0)
            continue;
        if (like && n > 1)
            in[j] = broadcasting(k, like);
        else
            in[j] = familiar(k, rank ? rank : 1 + (int)make_random(k, 4));
        if (rank == 4)
            for (int d = 2; d < 4; d++)
                in[j].dim[d] += make_random(k, 3);
    }
}

void make_shapes(struct maker *k, int op, int p, int i, struct shape *in, int n)
{
    switch (op) {
    case OP_Conv:
        conv_shapes(k, p, i, in, n);
        break;
    case OP_Gemm:
        gemm_shapes(k, p, i, in, n);
        break;
    case OP_MatMul:
        matmul_shapes(k, in);
        break;
    case OP_BatchNormalization:
    case OP_InstanceNormalization:
    case OP_GroupNormalization:
    case OP_LayerNormalization:
    case OP_RMSNormalization:
    case OP_BiasAdd:
        channel_shapes(k, op, p, i, in, n);
        break;
    case OP_Concat:
        concat_shapes(k, p, i, in, n);
        break;
    case OP_FullLike:
    case OP_ReshapeLike:
    case OP_BroadcastLike:
    case OP_CollapseSumLike:
        pair_shapes(k, op, p, i, in);
        break;
    default:
        any_shapes(k, op, p, i, in, n);
    }
}

/* ---- attributes ---- */

struct setter {
    struct maker *k;
    int node;
    const struct shape *x; /* of input 0 */
    bool ok;
};

static bool missing(const struct setter *s, const char *label)
{
    return op_has_attr(s->k->g->node.a[s->node].op, label) && graph_attr(s->k->g, s->node, label) < 0;
}

static void put(struct setter *s, const char *label, int value)
{
    int id = strs_addz(s->k->g->strs, label);

    if (id < 0 || value < 0 || !graph_set_attr(s->k->g, s->node, id, value)) {
        s->k->nomem = true;
        s->ok = false;
    }
}

static void put_ints(struct setter *s, const char *label, const long *v, int n)
{
    if (missing(s, label))
        put(s, label, value_ints(s->k->g->values, v, n));
}

static void put_int(struct setter *s, const char *label, long v)
{
    if (missing(s, label))
        put(s, label, value_int(s->k->g->values, v));
}

static void put_random(struct setter *s, const char *label, int n, long least, long most)
{
    long v[2 * RANK_MAX];

    for (int j = 0; j < n; j++)
        v[j] = least + (make_chance(s->k, 60) ? 0 : make_random(s->k, most - least + 1));
    put_ints(s, label, v, n);
}

static void window_attrs(struct setter *s)
{
    struct maker *k = s->k;
    int n = s->x->rank - 2, w = graph_in(k->g, s->node, 1);
    long v[2 * RANK_MAX], most = 1;

    if (n < 1)
        return;
    for (int j = 0; j < n; j++) {
        v[j] = w >= 0 ? k->g->node.a[w].shape.dim[j + 2] : 1 + make_random(k, 3);
        most = v[j] > most ? v[j] : most;
    }
    put_ints(s, "kernel_shape", v, n);
    put_random(s, "strides", n, 1, 2);
    put_random(s, "dilations", n, 1, 2);
    if (make_chance(k, 40)) { /* the same on all sides: what rules about padding ask for */
        long pad = (most - 1) / 2;
        for (int j = 0; j < 2 * n; j++)
            v[j] = pad;
        put_ints(s, "pads", v, 2 * n);
    }
    put_random(s, "pads", 2 * n, 0, most - 1);
    if (w >= 0 && k->g->node.a[w].shape.dim[1] > 0)
        put_int(s, "group", s->x->dim[1] / k->g->node.a[w].shape.dim[1]);
    put_int(s, "count_include_pad", make_random(k, 2));
}

static void permutation(struct setter *s)
{
    long v[RANK_MAX];

    for (int j = 0; j < s->x->rank; j++)
        v[j] = j;
    for (int j = s->x->rank - 1; j > 0; j--) {
        long o = make_random(s->k, j + 1), t = v[j];
        v[j] = v[o];
        v[o] = t;
    }
    put_ints(s, "perm", v, s->x->rank);
}

/* Some of the dimensions: any, or for Squeeze those of one element. */
static void axes(struct setter *s, int op)
{
    int rank = s->x->rank + (op == OP_Unsqueeze ? 1 + (int)make_random(s->k, 2) : 0), n = 0;
    long v[RANK_MAX];

    for (int j = 0; j < rank && j < RANK_MAX; j++)
        if (op == OP_Unsqueeze ? n < rank - s->x->rank && (make_chance(s->k, 50) || rank - j <= rank - s->x->rank - n)
                               : make_chance(s->k, 50) && (op != OP_Squeeze || s->x->dim[j] == 1))
            v[n++] = j;
    put_ints(s, "axes", v, n);
}

static void parts(struct setter *s, int *outputs)
{
    long axis, v[RANK_MAX], left;
    int n = 0, value = graph_attr(s->k->g, s->node, "split");

    put_int(s, "axis", s->x->rank > 0 ? make_random(s->k, s->x->rank) : 0);
    axis = graph_attr_int(s->k->g, s->node, "axis", 0);
    if (axis < 0)
        axis += s->x->rank;
    if (axis < 0 || axis >= s->x->rank) {
        s->ok = false;
        return;
    }
    left = s->x->dim[axis];
    if (value < 0 && make_chance(s->k, 30) && left % 2 == 0) {
        v[n++] = left / 2;
        v[n++] = left / 2;
        left = 0;
    }
    while (value < 0 && left > 0) {
        v[n] = n == 2 ? left : 1 + make_random(s->k, left);
        left -= v[n++];
    }
    put_ints(s, "split", v, n);
    value = graph_attr(s->k->g, s->node, "split");
    *outputs = value < 0 ? 1 : s->k->g->values->v[value].len;
}

static void target_shape(struct setter *s, int op)
{
    struct shape to = *s->x;

    switch (op) {
    case OP_Reshape:
        same_elements(s->k, s->x, &to);
        break;
    case OP_Expand:
        for (int j = 0; j < to.rank; j++)
            to.dim[j] = to.dim[j] == 1 && make_chance(s->k, 60) ? extent(s->k) : to.dim[j];
        break;
    default:
        to = broadcasting(s->k, s->x);
    }
    put_ints(s, "shape", to.dim, to.rank);
}

static void slice_attrs(struct setter *s)
{
    long start[RANK_MAX], step[RANK_MAX], size[RANK_MAX];

    for (int j = 0; j < s->x->rank; j++) {
        start[j] = s->x->dim[j] > 0 ? make_random(s->k, s->x->dim[j]) : 0;
        step[j] = 1;
        size[j] = s->x->dim[j] - start[j];
    }
    put_ints(s, "starts", start, s->x->rank);
    put_ints(s, "steps", step, s->x->rank);
    put_ints(s, "sizes", size, s->x->rank);
}

/* The axis along which the inputs differ, or any. */
static void concat_axis(struct setter *s)
{
    const struct graph *g = s->k->g;
    long axis = s->x->rank > 0 ? make_random(s->k, s->x->rank) : 0;

    for (int j = 1; j < g->node.a[s->node].nin; j++) {
        int x = graph_in(g, s->node, j);
        for (int d = 0; x >= 0 && g->node.a[x].shape.rank == s->x->rank && d < s->x->rank; d++)
            if (g->node.a[x].shape.dim[d] != s->x->dim[d])
                axis = d;
    }
    put_int(s, "axis", axis);
}

static void layouts(struct setter *s)
{
    static const char *const word[] = {"NCHW", "NHWC", "CHWN", "NCW", "NWC", "AB", "BA"};
    const char *src = word[make_random(s->k, 7)], *dst = word[make_random(s->k, 7)];

    if (missing(s, "src_layout"))
        put(s, "src_layout", value_str(s->k->g->values, strs_addz(s->k->g->strs, src)));
    if (missing(s, "dst_layout"))
        put(s, "dst_layout", value_str(s->k->g->values, strs_addz(s->k->g->strs, dst)));
}

static void by_operator(struct setter *s, int op, int *outputs)
{
    struct maker *k = s->k;
    int rank = s->x->rank;

    switch (op) {
    case OP_Conv: case OP_MaxPool: case OP_AveragePool: window_attrs(s); break;
    case OP_Transpose: permutation(s); break;
    case OP_Reshape: case OP_Expand: case OP_CollapseSum: target_shape(s, op); break;
    case OP_Split: parts(s, outputs); break;
    case OP_Concat: concat_axis(s); break;
    case OP_Slice: slice_attrs(s); break;
    case OP_LayoutTransform: layouts(s); break;
    case OP_Pad: put_random(s, "pads", 2 * rank, 0, 2); break;
    case OP_Gemm:
        put_int(s, "transA", 0);
        put_int(s, "transB", 0);
        break;
    case OP_GroupNormalization: put_int(s, "num_groups", rank > 1 ? divisor(k, s->x->dim[1] > 0 ? s->x->dim[1] : 1) : 1); break;
    case OP_Unsqueeze: case OP_Squeeze: case OP_ReduceMean: case OP_ReduceSum: case OP_ReduceMax: case OP_L2Normalize: axes(s, op); break;
    case OP_LRN: put_int(s, "size", 3); break;
    case OP_Cast: put_int(s, "to", DTYPE_F32); break;
    case OP_ReshapeLike: put_int(s, "lhs_begin", 0); break;
    default: break;
    }
}

bool make_attrs(struct maker *k, int node, int *outputs)
{
    int x = graph_in(k->g, node, 0), op = k->g->node.a[node].op;
    struct shape none = {.rank = 0}, own;
    struct setter s = {k, node, &none, true};

    if (x >= 0 && k->g->node.a[x].shape.rank >= 0) {
        own = k->g->node.a[x].shape;
        s.x = &own;
    }
    by_operator(&s, op, outputs);
    if (op == OP_Softmax || op == OP_LogSoftmax || op == OP_LpNormalization)
        put_int(&s, "axis", s.x->rank > 0 ? make_random(k, s.x->rank) : 0);
    if (make_chance(k, 50))
        put_int(&s, "keepdims", make_random(k, 2));
    return s.ok;
}
