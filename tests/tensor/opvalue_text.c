/* Random applications of every operator to random tensors, as requests of calque-oracle opvalue, and what op_infer and
   op_eval give. Half of them have attributes as drawn, with defaults left out, the others those of the internal form;
   some have one attribute or one input spoilt, so that most of these are refused.
   usage: opvalue_text N SEED REQUESTS ANSWERS
   Requests and answers: oracle/opvalue.mli; the answer to an application that op_infer accepts and op_eval has no kernel
   for has shapes only. On standard output, for each operator: requests, among these refused, without kernel, and
   draws left out because they are too large or refused for what shapes do not say: element types and greatest ranks. */
#include "apply.h"

#include <math.h>

enum { TRIES = 60, CELLS_MAX = 600 };

struct counts {
    long made, refused, none, left;
};

/* One structure of numbers for all tensors of an application: for truth values alone that of i64. */
static bool good_type(int op, char type)
{
    return type != 'j' && ((op != OP_Shape && op != OP_Gather) || type == 'i');
}

/* Small numbers, mostly exact in few bits; seldom the special ones. */
static double draw_number(struct draw *r, bool wild)
{
    static const double some[] = {-0.0, HUGE_VAL, -HUGE_VAL, (double)NAN, 0x1p-149, 0x1.fffffep+127, 0.1, 3e-39};

    if (wild && !pick(r, 0, 5))
        return some[pick(r, 0, 7)];
    if (pick(r, 0, 3))
        return (double)pick(r, -24, 24) / 4;
    return (double)pick(r, -100000, 100000) / 731;
}

static bool draw_tensor(struct draw *r, struct bench *b, int id, struct tensor *t)
{
    const struct node *n = &b->g.node.a[id];
    const struct tensor *constant = graph_tensor(&b->g, id);
    bool wild = !pick(r, 0, 3);

    if (constant)
        return tensor_copy(&b->mem, constant, t, &b->d) == CALQUE_OK;
    if (tensor_new(&b->mem, n->dtype, &n->shape, t, &b->d))
        return false;
    for (long i = 0; i < shape_elems(&n->shape); i++)
        if (n->dtype == DTYPE_F32)
            tensor_f32(t)[i] = (float)draw_number(r, wild);
        else if (n->dtype == DTYPE_BOOL)
            ((unsigned char *)t->data)[i] = (unsigned char)pick(r, 0, 1);
        else if (n->dtype == DTYPE_F64)
            ((double *)t->data)[i] = draw_number(r, wild);
        else
            tensor_i64(t)[i] = pick(r, -9, 9);
    return true;
}

/* numbers: those of the application, of which truth values are 1 and 0. */
static void put_cell(struct text *t, const struct tensor *x, long i, int numbers, bool answer)
{
    long z = x->dtype == DTYPE_BOOL ? ((const unsigned char *)x->data)[i] : x->dtype == DTYPE_I64 ? tensor_i64(x)[i] : 0, bits;
    double v = x->dtype == DTYPE_F32 ? (double)tensor_f32(x)[i] : x->dtype == DTYPE_F64 ? ((const double *)x->data)[i] : (double)z;

    memcpy(&bits, &v, sizeof bits);
    if (numbers == DTYPE_I64)
        text_printf(t, "%ld", z);
    else if (answer && isnan(v))
        text_puts(t, "nan");
    else
        text_printf(t, "%ld", bits);
}

static void put_tensor(struct text *t, const struct tensor *x, int numbers, bool answer)
{
    text_puts(t, "(");
    put_shape(t, &x->shape);
    text_puts(t, " (");
    for (long i = 0; i < shape_elems(&x->shape); i++) {
        text_puts(t, i ? " " : "");
        put_cell(t, x, i, numbers, answer);
    }
    text_puts(t, "))");
}

/* One number of an attribute, or one dimension of an input, is changed. */
static void spoil(struct draw *r)
{
    char *s = pick(r, 0, 1) ? r->attrs : r->in, *at = s;
    long n = 0, digits = 0;

    for (const char *c = s; *c; c++)
        digits += *c >= '0' && *c <= '9' && (c == s || c[-1] < 'a') && (c[1] < '0' || c[1] > '9') && c[1] != '.';
    if (digits == 0)
        return;
    n = pick(r, 1, digits);
    for (; n > 0; at++)
        n -= *at >= '0' && *at <= '9' && (at == s || at[-1] < 'a') && (at[1] < '0' || at[1] > '9') && at[1] != '.';
    at[-1] = (char)('0' + pick(r, 0, 4));
}

/* Is a refusal about shapes and attributes, not about element types? */
static bool types_agree(const struct bench *b, int node, int dtype)
{
    const struct node *n = &b->g.node.a[node];

    for (int k = 0; k < n->nin; k++)
        if (b->g.node.a[graph_in(&b->g, node, k)].dtype != dtype && b->g.node.a[graph_in(&b->g, node, k)].dtype != DTYPE_BOOL &&
            !(n->op == OP_Gather && k == 1))
            return false;
    return dtype == DTYPE_F32 || dtype == DTYPE_F64 || dtype == DTYPE_I64;
}

/* An input that is empty, with a plain 0 in the attribute shape: ONNX reads the 0 as the input's size where that also
   gives no elements, the meaning takes the sizes as they are. */
static bool empty_reshape(const struct bench *b, int node)
{
    const struct node *n = &b->g.node.a[node];

    return n->op == OP_Reshape && shape_elems(&b->g.node.a[graph_in(&b->g, node, 0)].shape) == 0;
}

/* op_eval's tensors into the answer; false when out of memory. */
static bool put_values(struct bench *b, int node, const struct tensor *const *in, int numbers, struct text *answer, bool *none)
{
    int nout = b->g.node.a[node].index;
    struct tensor out[BENCH_INPUTS] = {{.data = NULL}};
    enum calque_status s = op_eval(&b->g, node, in, out, 1, &b->d);

    *none = s != CALQUE_OK;
    if (!*none) {
        text_puts(answer, "(");
        for (int j = 0; j < nout; j++) {
            text_puts(answer, j ? " " : "");
            put_shape(answer, &out[j].shape);
        }
        text_puts(answer, ") (");
        for (int j = 0; j < nout; j++) {
            text_puts(answer, j ? " " : "");
            put_tensor(answer, &out[j], numbers, true);
            tensor_free(&out[j]);
        }
        text_puts(answer, ")\n");
        return true;
    }
    if (s == CALQUE_BAD && !(op_info(b->g.node.a[node].op)->traits & OP_MULTI)) {
        text_puts(answer, "(");
        put_shape(answer, &b->g.node.a[node].shape);
        text_puts(answer, ")\n");
        return true;
    }
    return false;
}

/* Is the application one to compare? Then its request and answer are appended. */
static bool application(struct draw *r, int op, struct text *requests, struct text *answers, struct counts *c)
{
    struct bench b;
    struct tensor in[BENCH_INPUTS];
    const struct tensor *at[BENCH_INPUTS];
    struct text attrs, request, answer;
    int node, dtype, nin = 0;
    bool raw = pick(r, 0, 1), accepted, none = false, ok = true;

    bench_init(&b);
    text_init(&attrs, &b.mem);
    text_init(&request, &b.mem);
    text_init(&answer, &b.mem);
    node = draw_node(r, &b, op);
    dtype = r->type == 'f' ? DTYPE_F32 : r->type == 'd' ? DTYPE_F64 : DTYPE_I64;
    put_attrs(&attrs, &b, node);
    accepted = op_infer(&b.g, node, &b.d) == CALQUE_OK;
    if (op == OP_ConstantOfShape && accepted)
        dtype = b.g.node.a[node].dtype;
    if (accepted && op != OP_Split)
        ok = b.g.node.a[node].dtype == dtype || b.g.node.a[node].dtype == DTYPE_BOOL;
    for (int k = 0; k < b.g.node.a[node].nin; k++)
        ok = ok && shape_elems(&b.g.node.a[graph_in(&b.g, node, k)].shape) <= CELLS_MAX;
    ok = ok && types_agree(&b, node, dtype) && !empty_reshape(&b, node);
    ok = ok && (accepted ? op == OP_Split || shape_elems(&b.g.node.a[node].shape) <= CELLS_MAX : b.d.status == CALQUE_BAD && !strstr(b.d.text, "more than"));
    for (; ok && nin < b.g.node.a[node].nin; nin++) {
        ok = draw_tensor(r, &b, graph_in(&b.g, node, nin), &in[nin]);
        at[nin] = &in[nin];
    }
    if (ok) {
        text_printf(&request, "(%s %s ", op_info(op)->name, dtype_name(dtype));
        if (accepted && !raw)
            put_attrs(&request, &b, node);
        else
            text_puts(&request, attrs.a);
        for (int k = 0; k < nin; k++) {
            text_puts(&request, " ");
            put_tensor(&request, &in[k], dtype, false);
        }
        text_puts(&request, ")\n");
        if (accepted)
            ok = put_values(&b, node, at, dtype, &answer, &none);
        else
            text_puts(&answer, "refused\n");
    }
    if (ok) {
        text_puts(requests, request.a);
        text_puts(answers, answer.a);
        c->refused += !accepted;
        c->none += none;
    }
    for (int k = 0; k < nin; k++)
        tensor_free(&in[k]);
    text_free(&attrs);
    text_free(&request);
    text_free(&answer);
    bench_free(&b);
    return ok;
}

int main(int argc, char **argv)
{
    struct mem mem = MEM_INIT;
    struct text requests, answers;
    struct counts count[OP_COUNT] = {{0, 0, 0, 0}};
    struct draw r = {.type = 'f'};
    struct diag d;
    long n = argc == 5 ? strtol(argv[1], NULL, 10) : 0;
    int status = 0;

    if (n <= 0)
        return fputs("usage: opvalue_text N SEED REQUESTS ANSWERS\n", stderr), 2;
    r.seed = (unsigned)strtoul(argv[2], NULL, 10) * 2654435761u;
    text_init(&requests, &mem);
    text_init(&answers, &mem);
    for (long i = 0; i < n; i++) {
        int op = 1 + (int)(i % (OP_COUNT - 1));
        bool made = false;
        for (int tries = 0; tries < TRIES && !made; tries++) {
            do
                draw_operator(&r, op);
            while (!good_type(op, r.type));
            if (!pick(&r, 0, 3))
                spoil(&r);
            made = application(&r, op, &requests, &answers, &count[op]);
            count[op].left += !made;
        }
        count[op].made += made;
    }
    if (text_status(&requests, &d) || text_status(&answers, &d) ||
        file_write(argv[3], requests.a, (size_t)requests.n, &d) || file_write(argv[4], answers.a, (size_t)answers.n, &d))
        status = 3;
    for (int op = 1; op < OP_COUNT; op++)
        printf("%s %ld %ld %ld %ld\n", op_info(op)->name, count[op].made, count[op].refused, count[op].none, count[op].left);
    text_free(&requests);
    text_free(&answers);
    return status;
}
