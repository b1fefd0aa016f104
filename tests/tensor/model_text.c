/* Answers the requests of calque-oracle model on standard input, as the oracle does, by the interpreter: models as
   `calque dump --format=sexp --data` prints them, (math calque) behind it or not, (sums lanes) or not, (fma) or not, an empty line behind each, and behind each answer.
     (output NAME (TYPE DIM ..) CELL ..)   for each output
     (none NODE Gather)                    an index is outside
     (none - WHY)                          the model is refused
     unsupported: WHY                      an integer is divided by 0; the operator has no kernel, or is opaque; element types without cells
   A request that cannot be read gets `error`; then the exit status is 2. */
#include <stdio.h>

static FILE *answers; /* where they go */

#include "answers.h"
#include "base/text.h"
#include "graph/text.h"
#include "request.h"

/* Where each node's cells are in the text, 0: it has none. */
struct data {
    long *at;
    int n;
    struct kernel_numbers numbers; /* what the request says of functions and sums */
};

/* Is (KEY VALUE) next? Then it is taken. */
static bool takes(struct request *q, const char *key, const char *value)
{
    long start = q->r.at;
    char word[16];

    if (q->bad || !request_sees(q, '('))
        return false;
    if (strcmp(request_word(q, word, sizeof word), key) != 0) {
        q->r.at = start;
        return false;
    }
    q->bad = q->bad || strcmp(request_word(q, word, sizeof word), value) != 0;
    request_take(q, ')');
    return true;
}

/* Is (KEY) next? Then it is taken. */
static bool takes_word(struct request *q, const char *key)
{
    long start = q->r.at;
    char word[16];
    bool taken = !q->bad && request_sees(q, '(') && strcmp(request_word(q, word, sizeof word), key) == 0;

    if (taken)
        request_take(q, ')');
    else if (!q->bad)
        q->r.at = start;
    return taken;
}

static bool find_data(struct request *q, struct data *data)
{
    long start = q->r.at;
    char word[16];

    request_skip(q);
    data->n = 0;
    for (long i = start; i < q->r.at; i++)
        data->n += q->r.text[i] == '(';
    data->at = calloc((size_t)data->n + 1, sizeof *data->at);
    request_take(q, '(');
    q->bad = q->bad || !data->at || strcmp(request_word(q, word, sizeof word), "data") != 0;
    while (!q->bad && request_sees(q, '(')) {
        int node = request_node(q, data->n);
        if (node >= 0)
            data->at[node] = q->r.at;
        while (!request_sees(q, ')') && !q->bad)
            request_skip(q);
    }
    request_take(q, ')');
    memset(&data->numbers, 0, sizeof data->numbers);
    if (takes(q, "math", "calque"))
        data->numbers.math = MATH_CALQUE;
    if (takes(q, "sums", "lanes"))
        data->numbers.sums = SUMS_LANES;
    data->numbers.fma = takes_word(q, "fma");
    q->bad = q->bad || request_next(q) != '\0';
    q->r.at = start;
    return !q->bad;
}

/* ---- cells ---- */

static bool put_cell(struct tensor *t, long i, const char *word)
{
    bool nan = strcmp(word, "nan") == 0;
    char *end;
    unsigned long bits = strtoul(word, &end, 16);
    float f = (float)NAN;
    double x = (double)NAN;
    uint32_t low = (uint32_t)bits;
    size_t size = dtype_size(t->dtype);

    if ((t->dtype == DTYPE_F32 || t->dtype == DTYPE_F64) && !nan && (*end || strlen(word) != 2 * size))
        return false;
    switch (t->dtype) {
    case DTYPE_F32: memcpy((char *)t->data + 4 * i, nan ? (void *)&f : (void *)&low, 4); return true;
    case DTYPE_F64: memcpy((char *)t->data + 8 * i, nan ? (void *)&x : (void *)&bits, 8); return true;
    case DTYPE_I64: tensor_i64(t)[i] = strtol(word, &end, 10); return !*end;
    case DTYPE_I32: ((int32_t *)t->data)[i] = (int32_t)strtol(word, &end, 10); return !*end;
    case DTYPE_I8: ((int8_t *)t->data)[i] = (int8_t)strtol(word, &end, 10); return !*end;
    case DTYPE_U8: ((uint8_t *)t->data)[i] = (uint8_t)strtol(word, &end, 10); return !*end;
    default: ((unsigned char *)t->data)[i] = word[0] == '1'; return (word[0] == '0' || word[0] == '1') && !word[1];
    }
}

/* The cells of a node; those of types that have none are left. */
static void cells(struct request *q, struct tensor *t, int dtype, const struct shape *shape, long at)
{
    long back = q->r.at, i = 0;
    char word[64];

    if (shape->rank < 0 || dtype_elem(dtype) == ELEM_OWN) {
        q->outside = true;
        return;
    }
    if (!at || tensor_new(&q->mem, dtype, shape, t, &q->d) != CALQUE_OK) {
        q->outside = true;
        return;
    }
    q->r.at = at;
    while (!request_sees(q, ')') && !q->bad)
        q->bad = i == shape_elems(shape) || !put_cell(t, i++, request_word(q, word, sizeof word)) || q->bad;
    q->bad = q->bad || i != shape_elems(shape);
    q->r.at = back;
}

/* ---- nodes ---- */

static void type(struct request *q, int *dtype, struct shape *shape)
{
    char word[32];

    request_take(q, '(');
    request_word(q, word, sizeof word);
    *dtype = dtype_of_name(word, strlen(word));
    shape->rank = -1;
    if (request_next(q) != '?') {
        request_dims(q, shape);
        return;
    }
    q->r.at++;
    request_take(q, ')');
}

static int operator(struct request *q, int name, int id)
{
    char word[64];
    int op, in[300], nin = 0, node;

    request_word(q, word, sizeof word);
    op = op_find(word, strlen(word));
    request_take(q, '(');
    while (!request_sees(q, ')') && !q->bad)
        if (nin == 300)
            q->bad = true;
        else
            in[nin++] = request_node(q, id);
    if (op < 0 || op == OP_Opaque) {
        q->outside = true;
        return -1;
    }
    node = graph_op(&q->g, op, name, in, nin, NULL, 0, 1);
    if (node >= 0)
        request_attrs(q, node);
    if (node >= 0 && op == OP_Split) {
        long parts[64];
        q->g.node.a[node].index = graph_attr_ints(&q->g, node, "split", parts, 64);
        q->outside = q->outside || q->g.node.a[node].index < 0;
    }
    return node;
}

/* (ID NAME TYPE FORM): a node with the type that it says, which inference may change. */
static int node(struct request *q, const struct data *data, int id)
{
    int name, dtype, made = -1;
    struct shape shape;
    struct tensor t = {.data = NULL};
    char word[16];

    q->bad = request_long(q) != id || q->bad;
    name = request_name(q);
    type(q, &dtype, &shape);
    request_take(q, '(');
    request_word(q, word, sizeof word);
    if (strcmp(word, "input") == 0) {
        made = graph_input(&q->g, name, dtype, &shape);
    } else if (strcmp(word, "const") == 0) {
        cells(q, &t, dtype, &shape, id < data->n ? data->at[id] : 0);
        if (!q->bad && !q->outside)
            made = graph_const(&q->g, name, &t);
        tensor_free(&t);
        if (request_next(q) != ')')
            request_skip(q);
    } else if (strcmp(word, "op") == 0) {
        made = operator(q, name, id);
    } else if (strcmp(word, "proj") == 0) {
        int of = request_node(q, id);
        made = of < 0 ? -1 : graph_proj(&q->g, of, (int)request_long(q), name);
    } else {
        q->outside = true; /* a tuple */
    }
    request_take(q, ')');
    request_take(q, ')');
    return made;
}

static void graph(struct request *q, const struct data *data)
{
    char word[16];

    request_take(q, '(');
    q->bad = strcmp(request_word(q, word, sizeof word), "graph") != 0 || q->bad;
    request_name(q);
    for (int id = 0; !q->bad && !q->outside && request_sees(q, '('); id++) {
        if (request_next(q) == 'o') {
            request_word(q, word, sizeof word);
            while (!q->bad && request_sees(q, '(')) {
                int name = request_name(q), of = request_node(q, id);
                q->bad = q->bad || name < 0 || of < 0 || !graph_output(&q->g, of, name);
                request_take(q, ')');
            }
            request_take(q, ')');
            break;
        }
        q->bad = (node(q, data, id) < 0 && !q->outside) || q->bad;
    }
    if (!q->outside)
        request_take(q, ')');
}

/* ---- answers ---- */

/* Types are inferred: those that are said are the oracle's. */
static bool infers(struct request *q)
{
    for (int i = 0; i < q->g.node.n; i++) {
        struct node *n = &q->g.node.a[i];
        if ((n->kind == NODE_OP || n->kind == NODE_PROJ) && op_infer(&q->g, i, &q->d) != CALQUE_OK)
            return false;
    }
    return true;
}

/* Why there is no value: the diagnostic begins with "node NAME (OPERATOR): ". */
static void refused(struct request *q)
{
    char *op = strstr(q->d.text, " (Gather): ");
    bool outside = strstr(q->d.text, ", not in ") || strstr(q->d.text, " is outside dimension") || strstr(q->d.text, "the dimension is empty");
    struct text t;

    text_init(&t, &q->mem);
    if (strstr(q->d.text, "division by zero") || strstr(q->d.text, "no kernel")) {
        text_printf(&t, "unsupported: %s\n", q->d.text);
    } else if (outside && op && strncmp(q->d.text, "node ", 5) == 0) {
        text_puts(&t, "(none ");
        text_quote(&t, q->d.text + 5, (size_t)(op - q->d.text - 5));
        text_puts(&t, " Gather)\n");
    } else {
        text_printf(&t, "(none - %s)\n", q->d.text);
    }
    fwrite(t.a, 1, (size_t)t.n, answers);
    text_free(&t);
}

static void run(struct request *q, const struct data *data)
{
    struct tensor *in = calloc((size_t)q->g.input.n + 1, sizeof *in), *out = calloc((size_t)q->g.output.n + 1, sizeof *out);
    struct text t;

    text_init(&t, &q->mem);
    for (int i = 0; i < q->g.input.n && !q->bad && !q->outside; i++) {
        int id = q->g.input.a[i];
        const struct node *n = &q->g.node.a[id];
        cells(q, &in[i], n->dtype, &n->shape, data->at[id]);
    }
    if (q->bad) {
        fputs("error\n", answers);
    } else if (q->outside) {
        fputs("unsupported: an operator, or an element type\n", answers);
    } else if (graph_run(&q->g, in, out, 1, &data->numbers, &q->d) != CALQUE_OK) {
        refused(q);
    } else {
        graph_sexp_outputs(&t, &q->g, out);
        fwrite(t.a, 1, (size_t)t.n, answers);
    }
    for (int i = 0; i < q->g.input.n; i++)
        tensor_free(&in[i]);
    for (int i = 0; i < q->g.output.n; i++)
        tensor_free(&out[i]);
    free(in);
    free(out);
    text_free(&t);
}

static bool answer(char *text, size_t n)
{
    struct request q;
    struct data data = {0};
    bool ok;

    for (size_t i = 0; i < n; i++)
        text[i] = text[i] == '\n' ? ' ' : text[i]; /* inside strings they are written \n */
    request_init(&q, text, n);
    if (find_data(&q, &data))
        graph(&q, &data);
    if (q.bad)
        fputs("error\n", answers);
    else if (q.outside)
        fputs("unsupported: an operator, or an element type\n", answers);
    else if (!infers(&q))
        refused(&q);
    else
        run(&q, &data);
    fputs("\n", answers);
    fflush(answers); /* who asked waits for it */
    ok = !q.bad;
    free(data.at);
    request_free(&q);
    return ok;
}

int model_answers(FILE *in, FILE *out)
{
    char *line = NULL, *block = NULL;
    size_t cap = 0, room = 0, used = 0;
    ssize_t len;
    int status = 0;

    answers = out;
    for (bool more = true; more;) {
        more = (len = getline(&line, &cap, in)) >= 0;
        if (more && line[0] != '\n') {
            if (used + (size_t)len > room) {
                char *larger = realloc(block, room = 2 * (used + (size_t)len));
                if (!larger) {
                    status = 3;
                    break;
                }
                block = larger;
            }
            memcpy(block + used, line, (size_t)len);
            used += (size_t)len;
        } else if (used > 0) {
            status = answer(block, used) ? status : 2;
            used = 0;
        }
    }
    free(line);
    free(block);
    return status;
}

int main(void)
{
    return model_answers(stdin, stdout);
}
