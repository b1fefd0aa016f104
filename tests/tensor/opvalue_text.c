/* Answers the requests of calque-oracle opvalue on standard input, one line each, as the oracle does, by op_infer and op_eval:
     (NAME TYPE ((LABEL VALUE) ..) INPUT ..)   an input is `absent` or ((DIM ..) (CELL ..))
   The answer is `refused`, or the shapes and then the values. `unsupported: WHY` where there is no kernel, a limit is exceeded, or
   ONNX asks something else (Reshape of a tensor without elements). A malformed line gets `error`; then the exit status is 2. */
#include <stdio.h>

#include "base/text.h"
#include "request.h"

enum { INPUTS = 300 };

/* The element types of the table: one structure of numbers for all tensors, in which truth values are 1 and 0. */
static int input_type(int op, int k, int dtype)
{
    return op == OP_Not || op == OP_And || op == OP_Or || op == OP_Xor || (op == OP_Where && k == 0) ? DTYPE_BOOL : dtype;
}

static void put_shape(struct text *t, const struct shape *s)
{
    text_puts(t, "(");
    for (int i = 0; i < s->rank; i++)
        text_printf(t, i ? " %ld" : "%ld", s->dim[i]);
    text_puts(t, ")");
}

static bool set_cell(struct tensor *t, long i, int numbers, long bits)
{
    double v;

    memcpy(&v, &bits, sizeof v);
    switch (t->dtype) {
    case DTYPE_F32: tensor_f32(t)[i] = (float)v; return true;
    case DTYPE_F64: ((double *)t->data)[i] = v; return true;
    case DTYPE_BOOL: ((unsigned char *)t->data)[i] = numbers == DTYPE_I64 ? bits != 0 : v != 0; return true;
    default: tensor_i64(t)[i] = bits; return true;
    }
}

static void put_cell(struct text *t, const struct tensor *x, long i, int numbers)
{
    long z = x->dtype == DTYPE_BOOL ? ((const unsigned char *)x->data)[i] : x->dtype == DTYPE_I64 ? tensor_i64(x)[i] : 0, bits;
    double v = x->dtype == DTYPE_F32 ? (double)tensor_f32(x)[i] : x->dtype == DTYPE_F64 ? ((const double *)x->data)[i] : (double)z;

    memcpy(&bits, &v, sizeof bits);
    if (numbers == DTYPE_I64)
        text_printf(t, "%ld", z);
    else if (isnan(v))
        text_puts(t, "nan");
    else
        text_printf(t, "%ld", bits);
}

/* "((DIM ..) (CELL ..))": a new input of the graph and its tensor. */
static int input(struct request *q, int dtype, int numbers, struct tensor *t)
{
    struct shape shape;
    long n = 0;

    request_take(q, '(');
    request_take(q, '(');
    request_dims(q, &shape);
    request_take(q, '(');
    if (q->bad || q->outside)
        return -1;
    if (tensor_new(&q->mem, dtype, &shape, t, &q->d) != CALQUE_OK) {
        q->outside = true;
        return -1;
    }
    for (; !request_sees(q, ')') && !q->bad; n++) {
        char word[32], *end;
        long bits = strtol(request_word(q, word, sizeof word), &end, 10);
        q->bad = q->bad || *end || n == shape_elems(&shape) || !set_cell(t, n, numbers, bits);
    }
    q->bad = q->bad || n != shape_elems(&shape);
    request_take(q, ')');
    return graph_input(&q->g, -1, dtype, &shape);
}

/* An application as it is read; -1: none. `in` has the tensors by place, without data where one is absent. */
static int application(struct request *q, struct tensor *in, int *nin, int *dtype)
{
    char word[64];
    int op, at[INPUTS], node, attrs_at;

    request_take(q, '(');
    request_word(q, word, sizeof word);
    op = op_find(word, strlen(word));
    request_word(q, word, sizeof word);
    *dtype = dtype_of_name(word, strlen(word));
    q->bad = q->bad || (*dtype != DTYPE_F32 && *dtype != DTYPE_F64 && *dtype != DTYPE_I64);
    q->outside = op < 0 || op == OP_Opaque || (op == OP_Gather && *dtype != DTYPE_I64);
    attrs_at = (int)q->r.at;
    request_skip(q);
    for (*nin = 0; !q->bad && !q->outside && !request_sees(q, ')'); ++*nin) {
        if (*nin == INPUTS)
            return q->bad = true, -1;
        at[*nin] = -1;
        if (request_next(q) == '(')
            at[*nin] = input(q, input_type(op, *nin, *dtype), *dtype, &in[*nin]);
        else
            q->bad = strcmp(request_word(q, word, sizeof word), "absent") != 0 || q->bad;
    }
    if (q->bad || q->outside)
        return -1;
    node = graph_op(&q->g, op, strs_addz(&q->strs, "it"), at, *nin, NULL, 0, 1);
    q->r.at = attrs_at;
    request_attrs(q, node);
    if (op == OP_Split) {
        long parts[64];
        int n = graph_attr_ints(&q->g, node, "split", parts, 64);
        q->g.node.a[node].index = n < 0 ? 1 : n;
    }
    return node;
}

/* A refusal that is about shapes and attributes, or what the definition does not know. */
static void refused(const struct request *q)
{
    if (q->d.status != CALQUE_BAD || strstr(q->d.text, "more than"))
        printf("unsupported: %s\n", q->d.text);
    else
        puts("refused");
}

/* Is the result, if it is one, of the element type? */
static bool own_type(const struct request *q, int node, int dtype)
{
    const struct node *n = &q->g.node.a[node];

    return n->op == OP_Split || n->dtype == dtype || (n->dtype == DTYPE_BOOL && n->op != OP_Cast);
}

/* Only the shape where an index is outside; that is a Gather's. */
static void no_values(const struct request *q, int node)
{
    struct text t;

    text_init(&t, q->g.mem);
    if (strstr(q->d.text, ", not in ") || strstr(q->d.text, "the dimension is empty")) {
        text_puts(&t, "(");
        put_shape(&t, &q->g.node.a[node].shape);
        text_puts(&t, ") none");
    } else {
        text_printf(&t, "%s: %s", strstr(q->d.text, "kernel") || strstr(q->d.text, "zero") ? "unsupported" : "(none)", q->d.text);
    }
    puts(t.a);
    text_free(&t);
}

static void values(struct request *q, int node, struct tensor *in, int nin, int numbers)
{
    int nout = q->g.node.a[node].index;
    const struct tensor *at[INPUTS];
    struct tensor out[64] = {{.data = NULL}};
    struct text t;

    text_init(&t, &q->mem);
    for (int k = 0; k < nin; k++)
        at[k] = graph_in(&q->g, node, k) < 0 ? NULL : &in[k];
    if (op_eval(&q->g, node, at, out, 1, &q->d) != CALQUE_OK) {
        no_values(q, node);
        return;
    }
    text_puts(&t, "(");
    for (int j = 0; j < nout; j++) {
        text_puts(&t, j ? " " : "");
        put_shape(&t, &out[j].shape);
    }
    text_puts(&t, ") (");
    for (int j = 0; j < nout; j++) {
        text_puts(&t, j ? " (" : "(");
        put_shape(&t, &out[j].shape);
        text_puts(&t, " (");
        for (long i = 0; i < shape_elems(&out[j].shape); i++) {
            text_puts(&t, i ? " " : "");
            put_cell(&t, &out[j], i, numbers);
        }
        text_puts(&t, "))");
        tensor_free(&out[j]);
    }
    text_puts(&t, ")\n");
    fwrite(t.a, 1, (size_t)t.n, stdout);
    text_free(&t);
}

static bool answer(const char *line, size_t n)
{
    static struct tensor in[INPUTS];
    struct request q;
    int nin = 0, dtype = 0, node;
    bool ok;

    memset(in, 0, sizeof in);
    request_init(&q, line, n);
    node = application(&q, in, &nin, &dtype);
    if (q.bad)
        puts("error");
    else if (q.outside)
        puts("unsupported: an operator, or a rank");
    else if (q.g.node.a[node].op == OP_Reshape && nin > 0 && graph_in(&q.g, node, 0) >= 0 && shape_elems(&in[0].shape) == 0)
        puts("unsupported: Reshape of a tensor without elements");
    else if (op_infer(&q.g, node, &q.d) != CALQUE_OK)
        refused(&q);
    else if (!own_type(&q, node, dtype))
        puts("unsupported: a result of another element type");
    else
        values(&q, node, in, nin, dtype);
    fflush(stdout); /* who asked waits for it */
    ok = !q.bad;
    for (int k = 0; k < nin && k < INPUTS; k++)
        tensor_free(&in[k]);
    request_free(&q);
    return ok;
}

int main(void)
{
    char *line = NULL;
    size_t cap = 0;
    ssize_t n;
    int status = 0;

    while ((n = getline(&line, &cap, stdin)) >= 0)
        status = answer(line, (size_t)n) ? status : 2;
    free(line);
    return status;
}
