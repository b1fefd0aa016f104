/* Resize: along each axis an output place lies between places of the input; its value is the sum of those around it by
   weights that are known at import. */
#include "onnx/onnx_internal.h"

#include <math.h>
#include <string.h>

enum { TAPS_MAX = 64, PLACES_MAX = 1 << 16, PHASES_MAX = 8 };

enum kind { NEAREST, LINEAR, CUBIC };
enum coordinates { HALF_PIXEL, SYMMETRIC, PYTORCH, CORNERS, ASYMMETRIC, TF_HALF_PIXEL, CROP };
enum rounding { PREFER_FLOOR, PREFER_CEIL, FLOOR, CEIL };

struct resize {
    struct onnx_build *b;
    enum kind kind;
    enum coordinates coordinates;
    enum rounding rounding;
    double a; /* of the cubic */
    bool antialias, exclude;
    double beyond; /* value outside the crop */
    struct shape in;
    long out[RANK_MAX];
    double scale[RANK_MAX], start[RANK_MAX], end[RANK_MAX];
};

/* The sum along one axis: output i is the sum over t of weight[t][i] * X[place[t][i]], places not yet cut to the axis. */
struct taps {
    int n;
    long out;
    long *place;
    double *weight;
    bool *outside; /* of the crop, or NULL */
};

/* The number of the attribute's text among the names; the first where it is absent. */
static int choice(struct onnx_build *b, const char *label, const char *const *names, int n)
{
    const Onnx__AttributeProto *a = onnx_attr(b->n, label);
    int k = 0;

    while (a && k < n && !onnx_attr_is(a, names[k]))
        k++;
    if (k < n)
        return k;
    if (!b->st)
        b->st = onnx_fail(b->n, CALQUE_BAD, "attribute '%s' has an unknown value", label);
    return 0;
}

static void read_modes(struct resize *z)
{
    static const char *const kinds[] = {"nearest", "linear", "cubic"};
    static const char *const coordinates[] = {"half_pixel",   "half_pixel_symmetric", "pytorch_half_pixel", "align_corners",
                                              "asymmetric", "tf_half_pixel_for_nn", "tf_crop_and_resize"};
    static const char *const roundings[] = {"round_prefer_floor", "round_prefer_ceil", "floor", "ceil"};
    struct onnx_build *b = z->b;
    const Onnx__AttributeProto *mode = onnx_attr(b->n, "mode");

    if (mode && b->n->opset < 10 && onnx_attr_is(mode, "bilinear")) /* as early exporters call it */
        z->kind = LINEAR;
    else
        z->kind = (enum kind)choice(b, "mode", kinds, b->n->opset < 11 ? 2 : 3);
    z->coordinates = b->n->opset < 11 ? ASYMMETRIC : (enum coordinates)choice(b, "coordinate_transformation_mode", coordinates, 7);
    z->rounding = b->n->opset < 11 ? FLOOR : (enum rounding)choice(b, "nearest_mode", roundings, 4);
    z->a = (double)onnx_attr_f(b->n, "cubic_coeff_a", -0.75f);
    z->antialias = onnx_attr_i(b->n, "antialias", 0) != 0;
    z->exclude = onnx_attr_i(b->n, "exclude_outside", 0) != 0;
    z->beyond = (double)onnx_attr_f(b->n, "extrapolation_value", 0);
}

/* The axes that inputs speak of; how many. */
static int read_axes(struct resize *z, int *axis)
{
    struct onnx_list l = {0};
    struct onnx_build *b = z->b;
    long sorted[RANK_MAX];
    int n = z->in.rank;

    for (int i = 0; i < n; i++)
        axis[i] = i;
    b->st = onnx_list_get(b->n, "axes", -1, &l);
    if (!b->st && l.given) {
        b->st = onnx_axes(b->n, &l, z->in.rank, sorted);
        n = b->st ? 0 : (int)l.n;
        for (int i = 0; i < n; i++)
            axis[i] = (int)(l.a[i] < 0 ? l.a[i] + z->in.rank : l.a[i]);
    }
    onnx_list_free(&l);
    return n;
}

/* Output sizes from `sizes`, by the policy on the aspect ratio. */
static void by_sizes(struct resize *z, const int *axis, int n, const double *size)
{
    static const char *const policies[] = {"stretch", "not_larger", "not_smaller"};
    int policy = choice(z->b, "keep_aspect_ratio_policy", policies, 3);
    double all = 0;

    for (int i = 0; i < n; i++) {
        double s = size[i] / (double)z->in.dim[axis[i]];
        if (i == 0 || (policy == 1 ? s < all : s > all))
            all = s;
    }
    for (int i = 0; i < n; i++) {
        int k = axis[i];
        double want = policy ? floor(all * (double)z->in.dim[k] + 0.5) : size[i];
        z->scale[k] = policy ? all : size[i] / (double)z->in.dim[k];
        z->out[k] = want >= 1 && want <= PLACES_MAX ? (long)want : 0;
    }
}

static void by_scales(struct resize *z, const int *axis, int n, const double *scale)
{
    for (int i = 0; i < n; i++) {
        int k = axis[i];
        double want = floor(scale[i] * (double)z->in.dim[k]);
        z->scale[k] = scale[i];
        z->out[k] = want >= 1 && want <= PLACES_MAX ? (long)want : 0;
    }
}

static void read_sizes(struct resize *z)
{
    struct onnx_build *b = z->b;
    const Onnx__AttributeProto *a = onnx_attr(b->n, "scales");
    double x[2 * RANK_MAX], roi[2 * RANK_MAX];
    int axis[RANK_MAX], n = read_axes(z, axis), k, at = b->n->opset < 11 ? 1 : 2;

    if (a && a->n_floats <= RANK_MAX)
        for (k = 0; k < (int)a->n_floats; k++)
            x[k] = (double)a->floats[k];
    else
        k = expand_numbers(b, at, x, RANK_MAX);
    if (k == n && n)
        by_scales(z, axis, n, x);
    else if (b->st || k || expand_numbers(b, 3, x, RANK_MAX) != n || !n)
        make_no(b);
    else
        by_sizes(z, axis, n, x);
    if (z->coordinates == CROP) {
        if (k || expand_numbers(b, 1, roi, 2 * RANK_MAX) != 2 * n) /* sizes by scales and regions are told differently */
            make_no(b);
        for (int i = 0; i < n && !b->st; i++) {
            z->start[axis[i]] = roi[i];
            z->end[axis[i]] = roi[i + n];
        }
    }
    for (int i = 0; i < z->in.rank; i++)
        if (z->out[i] < 1 || !(z->scale[i] > 0) || (b->n->opset < 11 && z->scale[i] < 1 && z->kind == NEAREST))
            make_no(b); /* before opset 11 how to round is not said */
}

/* The place of the input that output i comes from. */
static double source(const struct resize *z, int axis, long i)
{
    double x = (double)i, s = z->scale[axis], in = (double)z->in.dim[axis], out = s * in;

    switch (z->coordinates) {
    case CORNERS:
        return out == 1 ? 0 : x * (in - 1) / (out - 1);
    case ASYMMETRIC:
        return x / s;
    case TF_HALF_PIXEL:
        return (x + 0.5) / s;
    case PYTORCH:
        return out > 1 ? (x + 0.5) / s - 0.5 : 0;
    case SYMMETRIC:
        return in / 2 * (1 - (double)z->out[axis] / out) + (x + 0.5) / s - 0.5;
    case CROP:
        return out > 1 ? z->start[axis] * (in - 1) + x * (z->end[axis] - z->start[axis]) * (in - 1) / (out - 1)
                       : 0.5 * (z->start[axis] + z->end[axis]) * (in - 1);
    default:
        return (x + 0.5) / s - 0.5;
    }
}

static double nearest(const struct resize *z, double x)
{
    switch (z->rounding) {
    case PREFER_FLOOR:
        return ceil(x - 0.5);
    case PREFER_CEIL:
        return floor(x + 0.5);
    case FLOOR:
        return floor(x);
    default:
        return ceil(x);
    }
}

/* The weight of what lies at distance d, in steps of the input, stretched where downscaling is smoothed. */
static double weight(const struct resize *z, double d)
{
    double a = z->a;

    d = fabs(d);
    if (z->kind == LINEAR)
        return d < 1 ? 1 - d : 0;
    if (d <= 1)
        return ((a + 2) * d - (a + 3)) * d * d + 1;
    return d < 2 ? ((a * d - 5 * a) * d + 8 * a) * d - 4 * a : 0;
}

static void place_taps(const struct resize *z, int axis, struct taps *p, long i, double shrink, int reach)
{
    double x = source(z, axis, i), base = floor(x), sum = 0;
    double last = (double)z->in.dim[axis] - 1;

    if (p->outside)
        p->outside[i] = x < 0 || x > last;
    for (int t = 0; t < p->n; t++) {
        double at = z->kind == NEAREST ? nearest(z, x) : base + (double)(t + 1 - reach);
        double w = z->kind == NEAREST ? 1 : weight(z, (at - x) * shrink);
        if (z->exclude && z->kind != NEAREST && (at < 0 || at > last))
            w = 0;
        p->place[t * p->out + i] = at < -1e9 ? -1000000000 : at > 1e9 ? 1000000000 : (long)at;
        p->weight[t * p->out + i] = w;
        sum += w;
    }
    for (int t = 0; (z->exclude || z->antialias) && sum != 0 && t < p->n; t++)
        p->weight[t * p->out + i] /= sum;
}

/* Taps without any weight go. */
static void prune(struct taps *p)
{
    int kept = 0;

    for (int t = 0; t < p->n; t++) {
        bool any = false;
        for (long i = 0; i < p->out; i++)
            any = any || p->weight[t * p->out + i] != 0;
        if (!any)
            continue;
        if (kept != t) {
            memcpy(p->weight + kept * p->out, p->weight + t * p->out, (size_t)p->out * sizeof *p->weight);
            memcpy(p->place + kept * p->out, p->place + t * p->out, (size_t)p->out * sizeof *p->place);
        }
        kept++;
    }
    p->n = kept ? kept : 1;
}

static bool taps_init(const struct resize *z, int axis, struct taps *p)
{
    struct onnx_build *b = z->b;
    struct mem *mem = b->n->r->f.mem;
    double shrink = z->antialias && z->scale[axis] < 1 ? z->scale[axis] : 1;
    int reach = z->kind == NEAREST ? 1 : (int)fmin(ceil((z->kind == LINEAR ? 1 : 2) / shrink), TAPS_MAX);

    memset(p, 0, sizeof *p);
    p->out = z->out[axis];
    p->n = z->kind == NEAREST ? 1 : 2 * reach;
    if (p->n > TAPS_MAX) {
        make_no(b);
        return false;
    }
    p->place = mem_resize(mem, NULL, (size_t)(p->n * p->out), sizeof *p->place);
    p->weight = mem_resize(mem, NULL, (size_t)(p->n * p->out), sizeof *p->weight);
    p->outside = z->coordinates == CROP ? mem_zero(mem, (size_t)p->out, sizeof *p->outside) : NULL;
    if (!p->place || !p->weight || (z->coordinates == CROP && !p->outside)) {
        b->st = diag_nomem(b->n->r->f.diag);
        return false;
    }
    for (long i = 0; i < p->out; i++)
        place_taps(z, axis, p, i, shrink, reach);
    prune(p);
    return true;
}

static void taps_free(struct taps *p)
{
    mem_free(p->place);
    mem_free(p->weight);
    mem_free(p->outside);
}

/* x with dimension `axis` replaced by n dimensions. */
static int redim(struct onnx_build *b, int x, int axis, const long *dim, int n, int drop)
{
    struct shape s = make_shape(b, x);
    long to[RANK_MAX + 2];
    int k = 0;

    if (b->st || s.rank + n - drop > RANK_MAX) {
        make_no(b);
        return -1;
    }
    for (int i = 0; i < s.rank; i++) {
        for (int j = 0; i == axis && j < n; j++)
            to[k++] = dim[j];
        if (i < axis || i >= axis + drop)
            to[k++] = s.dim[i];
    }
    return make_reshape(b, x, to, k);
}

/* Every slice k times. */
static int repeated(struct onnx_build *b, int x, int axis, long k)
{
    long in = make_shape(b, x).dim[axis], column[2] = {in, 1}, out = in * k;
    struct shape s;
    struct node_attr a;

    x = redim(b, x, axis, column, 2, 1);
    s = make_shape(b, x);
    if (b->st)
        return -1;
    s.dim[axis + 1] = k;
    a = make_is(b, "shape", s.dim, s.rank);
    return redim(b, make_op(b, OP_Expand, &x, 1, &a, 1), axis, &out, 1, 2);
}

/* The slices at place[0..out-1], cut to the axis. */
static int chosen(struct onnx_build *b, int x, int axis, long *place, long out)
{
    long in = make_shape(b, x).dim[axis], step, k;
    bool even, regular = b->n->opset >= 10;

    if (b->st)
        return -1;
    k = out / in;
    even = out % in == 0 && b->n->opset >= 8;
    for (long i = 0; i < out; i++)
        place[i] = place[i] < 0 ? 0 : place[i] > in - 1 ? in - 1 : place[i];
    step = out > 1 ? place[1] - place[0] : 1;
    for (long i = 0; i < out; i++) {
        even = even && place[i] == i / k;
        regular = regular && step > 0 && place[i] == place[0] + i * step;
    }
    if (even)
        return k == 1 ? x : repeated(b, x, axis, k);
    return regular ? make_slice(b, x, axis, place[0], step, out) : make_take(b, x, axis, place, (int)out);
}

/* Does every k-th output repeat the weights one place on? Then output k*i + p is one sum of shifted slices for each p. */
static bool periodic(const struct taps *p, long in, long *k)
{
    *k = p->out / in;
    if (p->outside || p->out % in || *k < 2 || *k > PHASES_MAX)
        return false;
    for (int t = 0; t < p->n; t++)
        for (long i = 0; i + *k < p->out; i++)
            if (p->place[t * p->out + i + *k] != p->place[t * p->out + i] + 1 ||
                fabs(p->weight[t * p->out + i + *k] - p->weight[t * p->out + i]) > 1e-9)
                return false;
    return true;
}

static int phase(struct onnx_build *b, int x, int axis, const struct taps *p, long at, long before, long in)
{
    const long column[2] = {in, 1};
    int y = -1;

    for (int t = 0; t < p->n; t++) {
        double w = p->weight[t * p->out + at];
        int term;
        if (w == 0)
            continue;
        term = make_with(b, OP_Mul, make_slice(b, x, axis, before + p->place[t * p->out + at], 1, in), w);
        y = y < 0 ? term : make_binary(b, OP_Add, y, term);
    }
    if (y < 0)
        make_no(b);
    return redim(b, y, axis, column, 2, 1);
}

static int phases(struct onnx_build *b, int x, int axis, const struct taps *p, long k)
{
    long in = make_shape(b, x).dim[axis], pads[2 * RANK_MAX] = {0}, before = 0, after = 0;
    int part[PHASES_MAX], rank = make_shape(b, x).rank;

    for (int t = 0; t < p->n; t++)
        for (long i = 0; i < k; i++) {
            long d = p->place[t * p->out + i];
            before = -d > before ? -d : before;
            after = d > after ? d : after;
        }
    pads[axis] = before;
    pads[rank + axis] = after;
    x = make_pad(b, x, pads, "edge", 0);
    for (int i = 0; i < k; i++)
        part[i] = phase(b, x, axis, p, i, before, in);
    return redim(b, make_concat(b, part, (int)k, axis + 1), axis, &p->out, 1, 2);
}

/* A constant along the axis. */
static int vector(struct onnx_build *b, int x, int axis, const double *value, long n)
{
    struct shape s = make_shape(b, x), v = {s.rank - axis, {0}};

    for (int i = 0; i < v.rank; i++)
        v.dim[i] = i ? 1 : n;
    return b->st ? -1 : make_values(b, make_dtype(b, x), &v, value);
}

/* A choice: what lies outside of the crop may be an infinity or a NaN, of which no product is 0. */
static int cropped(struct onnx_build *b, int x, int axis, const struct taps *p, double beyond)
{
    struct shape s = make_shape(b, x), v = {s.rank - axis, {0}};
    int in[3] = {-1, -1, x};
    struct tensor t;
    bool any = false;

    for (long i = 0; p->outside && i < p->out; i++)
        any = any || p->outside[i];
    if (!any || b->st)
        return x;
    if (!expand_is_float(b, x))
        make_no(b);
    for (int i = 0; i < v.rank; i++)
        v.dim[i] = i ? 1 : p->out;
    if (!b->st)
        b->st = tensor_new(b->n->r->f.mem, DTYPE_BOOL, &v, &t, b->n->r->f.diag);
    if (b->st)
        return -1;
    for (long i = 0; i < p->out; i++)
        ((uint8_t *)t.data)[i] = p->outside[i];
    in[0] = make_const(b, &t);
    in[1] = make_scalar(b, make_dtype(b, x), beyond);
    return make_op(b, OP_Where, in, 3, NULL, 0);
}

static int weighted(struct onnx_build *b, int x, int axis, struct taps *p)
{
    int y = -1;

    for (int t = 0; t < p->n; t++) {
        int term = chosen(b, x, axis, p->place + t * p->out, p->out);
        term = make_binary(b, OP_Mul, term, vector(b, x, axis, p->weight + t * p->out, p->out));
        y = t ? make_binary(b, OP_Add, y, term) : term;
    }
    return y;
}

static int along_axis(const struct resize *z, int x, int axis)
{
    struct onnx_build *b = z->b;
    struct taps p;
    bool one = true;
    long k;

    if (b->st || (z->scale[axis] == 1 && z->coordinates != CROP && z->coordinates != TF_HALF_PIXEL))
        return x;
    if (taps_init(z, axis, &p)) {
        for (long i = 0; i < p.out; i++)
            one = one && p.n == 1 && p.weight[i] == 1;
        if (one)
            x = chosen(b, x, axis, p.place, p.out);
        else if (!expand_is_float(b, x))
            make_no(b);
        else if (!z->exclude && periodic(&p, z->in.dim[axis], &k))
            x = phases(b, x, axis, &p, k);
        else
            x = weighted(b, x, axis, &p);
        x = cropped(b, x, axis, &p, z->beyond);
    }
    taps_free(&p);
    return b->st ? -1 : x;
}

int expand_resize(struct onnx_build *b)
{
    struct resize z = {.b = b};
    int x = expand_in(b, 0);

    z.in = make_shape(b, x);
    if (!onnx_computed(make_dtype(b, x)) || shape_elems(&z.in) == 0)
        make_no(b);
    for (int i = 0; i < z.in.rank; i++) {
        z.out[i] = z.in.dim[i];
        z.scale[i] = z.end[i] = 1;
    }
    if (!b->st)
        read_modes(&z);
    if (!b->st)
        read_sizes(&z);
    for (int i = 0; i < z.in.rank && !b->st; i++)
        x = along_axis(&z, x, i);
    return b->st ? -1 : x;
}
