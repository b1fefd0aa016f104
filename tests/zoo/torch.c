#include "torch.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void torch_init(struct torch *t, struct build *b)
{
    memset(t, 0, sizeof *t);
    t->b = b;
    t->dynamo = b->opset > 17;
}

static void print(char *name, size_t size, const char *format, va_list ap)
{
    int n = vsnprintf(name, size, format, ap);

    if (n < 0 || (size_t)n >= size) {
        fprintf(stderr, "zoo: the name %s.. is too long\n", name);
        exit(3);
    }
}

void torch_name(char *name, size_t size, const char *format, ...)
{
    va_list ap;
    va_start(ap, format);
    print(name, size, format, ap);
    va_end(ap);
}

void torch_scope(struct torch *t, const char *format, ...)
{
    va_list ap;
    va_start(ap, format);
    print(t->scope, sizeof t->scope, format, ap);
    va_end(ap);
}

/* How many nodes are called `label` or label_1, label_2, .. */
static int called(const struct torch *t, const char *label)
{
    size_t n = strlen(label);
    int count = 0;

    for (size_t k = 0; k < t->b->graph.n_node; k++) {
        const char *s = t->b->graph.node[k]->name;
        if (strncmp(s, label, n) == 0 && (!s[n] || (s[n] == '_' && s[n + 1 + strspn(s + n + 1, "0123456789")] == '\0')))
            count++;
    }
    return count;
}

/* The names of a node of that operator and of its value. */
static struct val names(struct torch *t, const char *op, const char *name, char *label, size_t size)
{
    char base[112], value[128], suffix[16] = "";
    int k;

    if (t->dynamo && !name) {
        torch_name(label, size, "node_%s_%d", op, t->number);
        torch_name(value, sizeof value, "val_%d", t->number++);
        return build_value(value, TORCH_FLOAT, 0, NULL);
    }
    torch_name(base, sizeof base, t->dynamo ? "node_%s" : "%s/%s", t->dynamo ? name : t->scope, op);
    k = called(t, base);
    if (k > 0)
        torch_name(suffix, sizeof suffix, "_%d", k);
    torch_name(label, size, "%s%s", base, suffix);
    if (t->dynamo)
        torch_name(value, sizeof value, "%s%s", name, suffix);
    else
        torch_name(value, sizeof value, "%s_output_0", label);
    return build_value(value, TORCH_FLOAT, 0, NULL);
}

struct val torch_op(struct torch *t, const char *op, const char *name, const struct zattr *attrs, int nin, ...)
{
    char label[128];
    const struct val *in[5];
    struct val v = names(t, op, name, label, sizeof label);
    va_list ap;

    va_start(ap, nin);
    for (int i = 0; i < nin; i++)
        in[i] = va_arg(ap, const struct val *);
    va_end(ap);
    build_node_named(t->b, op, label, in, nin, &v, 1, attrs);
    if (t->b->opset >= 21)
        build_node_metadata(t->b, "pkg.torch.onnx.name_scopes", t->scope);
    return v;
}

struct val torch_unary(struct torch *t, const char *op, const char *name, struct val x)
{
    return torch_op(t, op, name, NULL, 1, &x);
}

struct val torch_binary(struct torch *t, const char *op, const char *name, struct val x, struct val y)
{
    return torch_op(t, op, name, NULL, 2, &x, &y);
}

/* ---- constants, parameters, inputs, outputs ---- */

static struct val unnamed(struct torch *t, const char *stem, int type, int rank, const long *dim)
{
    char name[64];
    torch_name(name, sizeof name, "%s_%d", stem, t->number++);
    return build_value(name, type, rank, dim);
}

struct val torch_number(struct torch *t, int type, double x)
{
    struct val v;

    if (!t->dynamo)
        return torch_op(t, "Constant", NULL, ATTRS({"value", 't', type, x, NULL, 0, NULL}), 0);
    v = unnamed(t, "val", type, 0, NULL);
    build_numbers(t->b, &v, &x);
    return v;
}

struct val torch_ints(struct torch *t, int n, const long *x)
{
    struct val v;
    long dim = n;

    if (!t->dynamo)
        return torch_op(t, "Constant", NULL, ATTRS({"value", 't', TORCH_INT64, 0, x, n, NULL}), 0);
    v = unnamed(t, "val", TORCH_INT64, 1, &dim);
    build_ints_named(t->b, &v, x);
    return v;
}

struct val torch_weight(struct torch *t, const char *name, int rank, const long *dim, double deviation)
{
    struct val v = build_value(name, TORCH_FLOAT, rank, dim);
    build_normal_named(t->b, &v, deviation);
    return v;
}

struct val torch_matrix(struct torch *t, long rows, long columns)
{
    struct val v = unnamed(t, t->dynamo ? "val" : "onnx::MatMul", TORCH_FLOAT, 2, (long[]){rows, columns});
    build_normal_named(t->b, &v, sqrt(1.0 / (double)rows));
    return v;
}

struct val torch_input(struct torch *t, const char *name, int type, int rank, const long *dim, const char *const *open)
{
    struct val v = build_value(name, type, rank, dim);
    for (int k = 0; k < rank; k++)
        v.open[k] = open[k];
    build_input_value(t->b, &v);
    return v;
}

void torch_output(struct torch *t, struct val v, const char *name, int rank, const long *dim, const char *const *open)
{
    v.rank = rank;
    for (int k = 0; k < rank; k++) {
        v.dim[k] = dim[k];
        v.open[k] = open[k];
    }
    build_output(t->b, &v, name);
}

/* ---- shapes ---- */

struct val torch_list(struct torch *t, struct val scalar)
{
    struct val c;

    if (t->dynamo) {
        c = torch_ints(t, 1, (long[]){-1});
        return torch_op(t, "Reshape", NULL, ATTRS(torch_i("allowzero", 0)), 2, &scalar, &c);
    }
    return torch_unsqueeze(t, scalar, 1, (long[]){0});
}

struct val torch_size(struct torch *t, struct val x, long axis)
{
    struct val s, k;

    if (t->dynamo) {
        s = torch_op(t, "Shape", NULL, ATTRS(torch_i("start", axis), torch_i("end", axis + 1)), 1, &x);
        return torch_unary(t, "Squeeze", "sym_size_int", s);
    }
    s = torch_unary(t, "Shape", NULL, x);
    k = torch_number(t, TORCH_INT64, (double)axis);
    return torch_op(t, "Gather", NULL, ATTRS(torch_i("axis", 0)), 2, &s, &k);
}

struct val torch_shape(struct torch *t, int n, const struct extent *extent)
{
    struct val part[8];
    long fixed[8];
    int open = 0;

    for (int i = 0; i < n; i++) {
        fixed[i] = extent[i].n;
        open += extent[i].v != NULL;
    }
    if (open == 0)
        return torch_ints(t, n, fixed);
    for (int i = 0; i < n; i++)
        part[i] = extent[i].v ? torch_list(t, *extent[i].v) : torch_ints(t, 1, &extent[i].n);
    return torch_concat(t, n, part, 0);
}

struct val torch_view(struct torch *t, struct val x, int n, const struct extent *extent)
{
    struct val s = torch_shape(t, n, extent);
    return torch_op(t, "Reshape", "view", ATTRS(torch_i("allowzero", t->dynamo)), 2, &x, &s);
}

struct val torch_expand(struct torch *t, struct val x, int n, const struct extent *extent)
{
    struct val s, ones, minus, same;
    long dim = n;

    s = torch_shape(t, n, extent);
    if (!t->dynamo) { /* -1 stands for the size that x has */
        struct val rank = torch_ints(t, 1, &dim);
        ones = torch_op(t, "ConstantOfShape", NULL, ATTRS({"value", 't', TORCH_INT64, 0, (long[]){1}, 1, NULL}), 1, &rank);
        minus = torch_number(t, TORCH_INT64, -1);
        minus = torch_binary(t, "Mul", NULL, ones, minus);
        same = torch_binary(t, "Equal", NULL, s, minus);
        s = torch_op(t, "Where", NULL, NULL, 3, &same, &ones, &s);
    }
    return torch_binary(t, "Expand", "expand", x, s);
}

struct val torch_transpose(struct torch *t, struct val x, int rank, const long *perm)
{
    return torch_op(t, "Transpose", "transpose", ATTRS(torch_is("perm", perm, rank)), 1, &x);
}

struct val torch_unsqueeze(struct torch *t, struct val x, int n, const long *axes)
{
    struct val a = torch_ints(t, n, axes);
    return torch_binary(t, "Unsqueeze", "unsqueeze", x, a);
}

struct val torch_squeeze(struct torch *t, struct val x, long axis)
{
    struct val a = torch_ints(t, 1, &axis);
    return torch_binary(t, "Squeeze", "squeeze", x, a);
}

struct val torch_cast(struct torch *t, struct val x, int type)
{
    return torch_op(t, "Cast", "_to_copy", ATTRS(torch_i("to", type)), 1, &x);
}

struct val torch_concat(struct torch *t, int n, const struct val *x, long axis)
{
    const struct zattr *attrs = ATTRS(torch_i("axis", axis));

    if (n == 2)
        return torch_op(t, "Concat", "cat", attrs, 2, &x[0], &x[1]);
    if (n == 3)
        return torch_op(t, "Concat", "cat", attrs, 3, &x[0], &x[1], &x[2]);
    if (n == 4)
        return torch_op(t, "Concat", "cat", attrs, 4, &x[0], &x[1], &x[2], &x[3]);
    return torch_op(t, "Concat", "cat", attrs, 5, &x[0], &x[1], &x[2], &x[3], &x[4]);
}

struct val torch_slice(struct torch *t, struct val x, long axis, struct val start, struct val end)
{
    struct val axes = torch_ints(t, 1, &axis), step = torch_ints(t, 1, (long[]){1});
    return torch_op(t, "Slice", "slice_1", NULL, 5, &x, &start, &end, &axes, &step);
}

struct val torch_take(struct torch *t, const char *name, struct val x, struct val index, long axis)
{
    return torch_op(t, "Gather", name, ATTRS(torch_i("axis", axis)), 2, &x, &index);
}

struct val torch_arange(struct torch *t, struct val end)
{
    struct val start = torch_number(t, TORCH_INT64, 0), step = torch_number(t, TORCH_INT64, 1);
    return torch_op(t, "Range", "arange", NULL, 3, &start, &end, &step);
}

/* ---- layers ---- */

static struct val parameter(struct torch *t, const char *module, const char *what, long n, double mean, double deviation)
{
    char name[96];
    struct val v;
    torch_name(name, sizeof name, "%s.%s", module, what);
    v = build_value(name, TORCH_FLOAT, 1, &n);
    if (mean > 0)
        build_uniform_named(t->b, &v, mean - deviation, mean + deviation);
    else
        build_normal_named(t->b, &v, deviation);
    return v;
}

/* TorchScript adds the product to the bias, torch.export the bias to the product. */
struct val torch_linear(struct torch *t, struct val x, const char *module, long in, long out, int bias)
{
    struct val w = torch_matrix(t, in, out), y, c;

    y = torch_binary(t, "MatMul", bias ? NULL : "linear", x, w);
    if (!bias)
        return y;
    c = parameter(t, module, "bias", out, 0, 0.1);
    return t->dynamo ? torch_binary(t, "Add", "linear", y, c) : torch_binary(t, "Add", NULL, c, y);
}

struct val torch_gemm(struct torch *t, struct val x, const char *module, long in, long out)
{
    char name[96];
    struct val w, c;

    torch_name(name, sizeof name, "%s.weight", module);
    w = torch_weight(t, name, 2, (long[]){out, in}, sqrt(1.0 / (double)in));
    c = parameter(t, module, "bias", out, 0, 0.1);
    return torch_op(t, "Gemm", "linear", ATTRS(torch_f("alpha", 1), torch_f("beta", 1), torch_i("transB", 1)), 3, &x, &w, &c);
}

/* The mean over the last axis: an attribute before opset 18. */
static struct val mean(struct torch *t, struct val x)
{
    struct val axes;

    if (!t->dynamo)
        return torch_op(t, "ReduceMean", NULL, ATTRS(torch_is("axes", (long[]){-1}, 1)), 1, &x);
    axes = torch_ints(t, 1, (long[]){-1});
    return torch_op(t, "ReduceMean", "mean", ATTRS(torch_i("keepdims", 1), torch_i("noop_with_empty_axes", 0)), 2, &x, &axes);
}

static struct val power(struct torch *t, struct val x)
{
    return torch_binary(t, "Pow", "pow_1", x, torch_number(t, TORCH_FLOAT, 2));
}

static struct val plus(struct torch *t, struct val x, double y)
{
    return torch_binary(t, "Add", "add", x, torch_number(t, TORCH_FLOAT, y));
}

struct val torch_layer_norm(struct torch *t, struct val x, const char *module, long width, double epsilon)
{
    struct val scale = parameter(t, module, "weight", width, 1, 0.5), shift = parameter(t, module, "bias", width, 0, 0.1), y;

    if (t->b->opset >= 17)
        return torch_op(t, "LayerNormalization", "layer_norm", ATTRS(torch_i("axis", -1), torch_f("epsilon", epsilon)), 3, &x, &scale, &shift);
    x = torch_binary(t, "Sub", NULL, x, mean(t, x));
    y = torch_unary(t, "Sqrt", NULL, plus(t, mean(t, power(t, x)), epsilon));
    x = torch_binary(t, "Mul", NULL, torch_binary(t, "Div", NULL, x, y), scale);
    return torch_binary(t, "Add", NULL, x, shift);
}

struct val torch_rms_norm(struct torch *t, struct val x, const char *module, long width, double epsilon)
{
    struct val scale = parameter(t, module, "weight", width, 1, 0.5), root;

    root = torch_unary(t, "Sqrt", NULL, plus(t, mean(t, power(t, x)), epsilon));
    root = t->dynamo ? torch_unary(t, "Reciprocal", "rsqrt", root)
                     : torch_binary(t, "Div", NULL, torch_number(t, TORCH_FLOAT, 1), root);
    return torch_binary(t, "Mul", "mul", scale, torch_binary(t, "Mul", "mul", x, root));
}

struct val torch_gelu(struct torch *t, struct val x)
{
    struct val y;

    if (t->b->opset >= 20)
        return torch_op(t, "Gelu", "gelu", ATTRS(torch_s("approximate", "none")), 1, &x);
    y = torch_binary(t, "Div", NULL, x, torch_number(t, TORCH_FLOAT, sqrt(2)));
    y = plus(t, torch_unary(t, "Erf", NULL, y), 1);
    y = torch_binary(t, "Mul", NULL, x, y);
    return torch_binary(t, "Mul", "gelu", y, torch_number(t, TORCH_FLOAT, 0.5));
}

struct val torch_softmax(struct torch *t, struct val x)
{
    return torch_op(t, "Softmax", "softmax", ATTRS(torch_i("axis", -1)), 1, &x);
}

/* The fourth root of 1 / head: TorchScript computes the second one from the shape, torch.export knows it. */
static struct val root_of_scale(struct torch *t, struct val q, long head)
{
    struct val s, from, to;

    if (t->dynamo)
        return torch_number(t, TORCH_FLOAT, sqrt(1 / sqrt((double)head)));
    s = torch_unary(t, "Shape", NULL, q);
    from = torch_ints(t, 1, (long[]){-1});
    to = torch_ints(t, 1, (long[]){INT64_MAX});
    s = torch_op(t, "Slice", NULL, NULL, 3, &s, &from, &to);
    s = torch_unary(t, "Sqrt", NULL, torch_cast(t, s, TORCH_FLOAT));
    s = torch_binary(t, "Div", NULL, torch_number(t, TORCH_FLOAT, 1), s);
    return torch_cast(t, s, TORCH_FLOAT);
}

/* k with its last two axes exchanged: torch.export does that in rank 3. */
static struct val exchanged(struct torch *t, struct val k)
{
    struct val first, last, second, minus, part[3], s;

    if (!t->dynamo)
        return torch_transpose(t, k, 4, (long[]){0, 1, 3, 2});
    last = torch_op(t, "Shape", NULL, ATTRS(torch_i("start", -1)), 1, &k);
    second = torch_op(t, "Shape", NULL, ATTRS(torch_i("end", -1), torch_i("start", -2)), 1, &k);
    first = torch_op(t, "Shape", NULL, ATTRS(torch_i("end", -2), torch_i("start", 0)), 1, &k);
    minus = torch_ints(t, 1, (long[]){-1});
    part[0] = minus, part[1] = second, part[2] = last;
    s = torch_op(t, "Concat", NULL, ATTRS(torch_i("axis", 0)), 3, &part[0], &part[1], &part[2]);
    k = torch_op(t, "Reshape", NULL, ATTRS(torch_i("allowzero", 0)), 2, &k, &s);
    k = torch_op(t, "Transpose", NULL, ATTRS(torch_is("perm", (long[]){0, 2, 1}, 3)), 1, &k);
    s = torch_op(t, "Concat", NULL, ATTRS(torch_i("axis", 0)), 3, &first, &last, &second);
    return torch_op(t, "Reshape", NULL, ATTRS(torch_i("allowzero", 0)), 2, &k, &s);
}

struct val torch_attention(struct torch *t, struct val q, struct val k, struct val v, long head, const struct val *mask)
{
    struct val scale = root_of_scale(t, q, head), kt = exchanged(t, k), zero, gone, a;

    q = torch_binary(t, "Mul", NULL, q, t->dynamo ? scale : torch_unary(t, "Sqrt", NULL, scale));
    kt = torch_binary(t, "Mul", NULL, kt, t->dynamo ? scale : torch_unary(t, "Sqrt", NULL, scale));
    a = torch_binary(t, "MatMul", NULL, q, kt);
    if (mask) {
        zero = torch_number(t, TORCH_FLOAT, 0);
        gone = torch_number(t, TORCH_FLOAT, -HUGE_VAL);
        a = torch_binary(t, "Add", NULL, a, torch_op(t, "Where", NULL, NULL, 3, mask, &zero, &gone));
    }
    a = torch_op(t, "Softmax", NULL, ATTRS(torch_i("axis", -1)), 1, &a);
    if (mask) { /* a row of which all is masked is 0 / 0 */
        struct val nan = torch_unary(t, "IsNaN", NULL, a);
        a = torch_op(t, "Where", NULL, NULL, 3, &nan, &zero, &a);
    }
    return torch_binary(t, "MatMul", "scaled_dot_product_attention", a, v);
}
