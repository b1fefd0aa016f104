/* Runs ONNX's own operator tests (libonnx-testdata): model.onnx with test_data_set_0/{input,output}_k.pb through
   onnx_read and graph_run, and compares with the expected outputs.
   usage: node_tests [-v] [-o DIR] DATA GROUP[=LEAST[,LEAST18]]...
   A line for each group; exit 1 when a test fails or fewer than LEAST pass (LEAST18: of those whose operators are among
   the 18 of the acceptance list). -v: a line for each test. -o: writes each test that runs as GROUP_NAME.sexp, what calque dump
   --data prints of the model and the test's inputs, and GROUP_NAME.text, what calque run --text prints of them. What is read, computed or compared wrongly is a failure; a test is skipped
   only for a reason of enum reason. A model whose shape inputs are graph inputs is tried again with its integer, boolean and scalar
   inputs given as initializers, as a compiler with static shapes needs them ("frozen"). */
#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "graph/text.h"
#include "onnx/onnx.h"
#include "tensor/op.h"

#include "onnx/onnx.pb-c.h"

#define RTOL 1e-3
#define ATOL 1e-5

enum reason { RUN, NO_OPERATOR, OPAQUE_FORM, ELEMENT_TYPE, SHAPE, DATA_DEPENDENT, TRAINING, NOT_TENSORS, REASONS };
static const char *const reasons[REASONS] = {
    "", "operator not in the table", "no internal form", "element type", "dynamic or missing shape",
    "data-dependent input", "training mode", "inputs or outputs that are not tensors"};

static const char *const eighteen[] = {
    "ConstantOfShape", "Conv", "Relu", "MaxPool", "Softmax", "Concat", "GlobalAveragePool", "Dropout", "Reshape",
    "Gemm", "LRN", "AveragePool", "BatchNormalization", "Sum", "Transpose", "Unsqueeze", "Mul", "Add"};

enum { PATH_MAX_HERE = 1024, IO_MAX = 64 };

/* One test directory. */
struct test {
    char dir[PATH_MAX_HERE], write[PATH_MAX_HERE]; /* write: what -o writes, without ending; "": nothing */
    struct mem mem;
    struct strs strs;
    struct values values;
    struct graph g;
    struct diag d;
    Onnx__ModelProto *model;
    int given[IO_MAX], ngiven; /* graph inputs without initializer */
    bool frozen;
    double worst; /* largest |got - expected| */
    char why[512];
};

struct options {
    bool verbose;
    const char *write; /* directory of -o, or NULL */
};

/* What tests were skipped for, by reason: operators, with the number of tests. */
struct what {
    enum reason why;
    char name[64];
    int tests;
};

enum { WHATS_MAX = 512 };

struct tally {
    int passed, failed, skipped, passed18, frozen;
    int by[REASONS];
    double worst;
    char worst_name[128];
    struct what what[WHATS_MAX];
    int nwhat;
};

static bool fail(struct test *t, const char *what)
{
    snprintf(t->why, sizeof t->why, "%s", what);
    return false;
}

static bool fail_diag(struct test *t)
{
    return fail(t, t->d.text);
}

static bool read_file(struct test *t, const char *name, char **data, size_t *n)
{
    char path[PATH_MAX_HERE + 64];

    snprintf(path, sizeof path, "%s/%s", t->dir, name);
    return file_read(&t->mem, path, data, n, &t->d) == CALQUE_OK;
}

static bool has_initializer(const Onnx__GraphProto *g, const char *name)
{
    for (size_t i = 0; i < g->n_initializer; i++)
        if (g->initializer[i]->name && strcmp(g->initializer[i]->name, name) == 0)
            return true;
    return false;
}

static void test_close(struct test *t)
{
    graph_free(&t->g);
    values_free(&t->values);
    strs_free(&t->strs);
}

static void test_open(struct test *t)
{
    t->mem = (struct mem)MEM_INIT;
    strs_init(&t->strs, &t->mem);
    values_init(&t->values, &t->mem);
    graph_init(&t->g, &t->mem, &t->strs, &t->values);
}

/* Packs the model as it is now and reads it into a fresh graph. */
static bool import(struct test *t)
{
    size_t n = onnx__model_proto__get_packed_size(t->model);
    unsigned char *data = malloc(n + 1);
    enum calque_status s;

    if (!data)
        return fail(t, "out of memory");
    onnx__model_proto__pack(t->model, data);
    test_close(t);
    test_open(t);
    s = onnx_read(&t->g, "model.onnx", data, n, &t->d);
    free(data);
    return s == CALQUE_OK || fail_diag(t);
}

/* Reads model.onnx and lists its given inputs. */
static bool load(struct test *t)
{
    char *data;
    size_t n;

    if (!read_file(t, "model.onnx", &data, &n))
        return fail_diag(t);
    t->model = onnx__model_proto__unpack(NULL, n, (const uint8_t *)data);
    mem_free(data);
    if (!t->model || !t->model->graph)
        return fail(t, "model.onnx cannot be unpacked");
    for (size_t i = 0; i < t->model->graph->n_input; i++)
        if (!has_initializer(t->model->graph, t->model->graph->input[i]->name)) {
            if (t->ngiven == IO_MAX)
                return fail(t, "too many inputs");
            t->given[t->ngiven++] = (int)i;
        }
    return true;
}

/* Given input k (of given[]) as a TensorProto, NULL if its file does not hold one. */
static Onnx__TensorProto *input_proto(struct test *t, int k)
{
    Onnx__TensorProto *p;
    char name[64], *data;
    size_t n;

    snprintf(name, sizeof name, "test_data_set_0/input_%d.pb", k);
    if (!read_file(t, name, &data, &n))
        return NULL;
    p = onnx__tensor_proto__unpack(NULL, n, (const uint8_t *)data);
    mem_free(data);
    return p;
}

/* Is given input k a parameter: not a float tensor of positive rank, or one of the scales of a resizing? */
static bool is_parameter(const struct test *t, int k, const Onnx__TensorProto *p)
{
    const Onnx__GraphProto *g = t->model->graph;
    const char *op = g->n_node ? g->node[0]->op_type : "";

    return p->data_type != DTYPE_F32 || p->n_dims == 0 ||
           (k > 0 && (strcmp(op, "Resize") == 0 || strcmp(op, "Upsample") == 0));
}

/* Makes initializers of the parameters. */
static bool freeze(struct test *t)
{
    Onnx__GraphProto *g = t->model->graph;
    bool any = false;

    for (int k = 0; k < t->ngiven; k++) {
        Onnx__TensorProto *p = input_proto(t, k), **more;
        char *name;
        if (!p)
            return false;
        if (!is_parameter(t, k, p)) {
            onnx__tensor_proto__free_unpacked(p, NULL);
            continue;
        }
        name = strdup(g->input[t->given[k]]->name);
        more = realloc(g->initializer, (g->n_initializer + 1) * sizeof *more);
        if (!name || !more)
            exit(3);
        if (p->name)
            free(p->name);
        p->name = name;
        g->initializer = more;
        g->initializer[g->n_initializer++] = p;
        any = true;
    }
    return any;
}

static bool among_eighteen(const struct test *t)
{
    const Onnx__GraphProto *g = t->model->graph;

    for (size_t i = 0; i < g->n_node; i++) {
        bool found = !g->node[i]->domain || !*g->node[i]->domain;
        size_t k = 0;
        while (found && k < sizeof eighteen / sizeof *eighteen && strcmp(eighteen[k], g->node[i]->op_type))
            k++;
        if (!found || k == sizeof eighteen / sizeof *eighteen)
            return false;
    }
    return true;
}

static bool static_inputs(const struct test *t)
{
    for (int k = 0; k < t->ngiven; k++) {
        const Onnx__TypeProto__Tensor *x = t->model->graph->input[t->given[k]]->type->tensor_type;
        if (!x->shape)
            return false;
        for (size_t i = 0; i < x->shape->n_dim; i++)
            if (x->shape->dim[i]->value_case != ONNX__TENSOR_SHAPE_PROTO__DIMENSION__VALUE_DIM_VALUE)
                return false;
    }
    return true;
}

static bool tensors_only(const struct test *t)
{
    const Onnx__GraphProto *g = t->model->graph;

    for (size_t i = 0; i < g->n_input + g->n_output; i++) {
        const Onnx__ValueInfoProto *v = i < g->n_input ? g->input[i] : g->output[i - g->n_input];
        if (!v->type || v->type->value_case != ONNX__TYPE_PROTO__VALUE_TENSOR_TYPE)
            return false;
    }
    return true;
}

/* Do kernels load and store it: f32, i32, i64, f64, i8, u8, bool? */
static bool computed(int dtype)
{
    return dtype_elem(dtype) != ELEM_OWN;
}

/* Does this operator have a kernel for the element types it is applied to? */
static bool types_served(struct test *t, int node)
{
    struct text text;
    bool no;

    text_init(&text, &t->mem);
    no = op_kernel_text(&t->g, node, &text, &t->d) == CALQUE_BAD && strstr(t->d.text, "element type");
    text_free(&text);
    return !no || t->g.node.a[node].op == OP_Cast;
}

static bool typed(const struct node *n)
{
    return n->dtype != DTYPE_UNKNOWN && n->shape.rank >= 0;
}

/* Is the operator of ONNX one of ours, or read as several? */
static bool is_read(const char *op)
{
    struct onnx_expansion x;

    for (int k = 0; onnx_expansion(k, &x); k++)
        if (strcmp(x.name, op) == 0)
            return true;
    return op_find(op, strlen(op)) >= 0 || strcmp(op, "Constant") == 0;
}

/* Does it have an input or a result of an element type that kernels do not compute on? */
static bool foreign_types(const struct graph *g, int node)
{
    const struct node *n = &g->node.a[node];
    bool foreign = n->dtype != DTYPE_UNKNOWN && !computed(n->dtype);

    for (int k = 0; k < n->nin; k++)
        foreign = foreign || (graph_in(g, node, k) >= 0 && !computed(g->node.a[graph_in(g, node, k)].dtype));
    return foreign;
}

/* Why an opaque node of a known operator has no internal form. */
static enum reason opaque_reason(const struct test *t, int node, const Onnx__NodeProto *p)
{
    const struct graph *g = &t->g;
    const struct node *n = &g->node.a[node];

    if ((p->domain && *p->domain) || !is_read(p->op_type))
        return NO_OPERATOR;
    for (int k = 0; k < n->nin; k++)
        if (graph_in(g, node, k) >= 0 && !typed(&g->node.a[graph_in(g, node, k)]))
            return SHAPE;
    for (size_t k = 0; k < p->n_attribute; k++)
        if (strcmp(p->attribute[k]->name, "training_mode") == 0 && p->attribute[k]->i != 0)
            return TRAINING;
    if (strcmp(p->op_type, "Dropout") == 0 && n->nin > 2 && graph_tensor(g, graph_in(g, node, 2)) &&
        *(char *)graph_tensor(g, graph_in(g, node, 2))->data)
        return TRAINING;
    if (foreign_types(g, node))
        return ELEMENT_TYPE;
    for (int k = 1; k < n->nin; k++)
        if (graph_in(g, node, k) >= 0 && g->node.a[graph_in(g, node, k)].kind != NODE_CONST)
            return DATA_DEPENDENT;
    return OPAQUE_FORM;
}

/* RUN if calque claims the whole graph; otherwise why not, with what in t->why. */
static enum reason claim(struct test *t)
{
    const struct graph *g = &t->g;

    for (int i = 0; i < g->node.n; i++) {
        const struct node *n = &g->node.a[i];
        if (n->kind == NODE_OP && n->op == OP_Opaque) {
            const struct raw *r = &g->raw.a[n->data];
            Onnx__NodeProto *p = onnx__node_proto__unpack(NULL, r->n, r->a);
            enum reason why = p ? opaque_reason(t, i, p) : OPAQUE_FORM;
            fail(t, p ? p->op_type : "?");
            onnx__node_proto__free_unpacked(p, NULL);
            return why;
        }
    }
    for (int i = 0; i < g->node.n; i++) {
        const struct node *n = &g->node.a[i];
        bool multi = n->kind == NODE_TUPLE || (n->kind == NODE_OP && (op_info(n->op)->traits & OP_MULTI));
        fail(t, n->kind == NODE_OP ? op_info(n->op)->name : graph_name(g, i));
        if (!multi && !typed(n))
            return SHAPE;
        if (n->kind == NODE_OP && ((!multi && !computed(n->dtype)) || !types_served(t, i)))
            return ELEMENT_TYPE;
    }
    *t->why = '\0';
    return RUN;
}

static bool tensor_file(struct test *t, const char *kind, int k, struct tensor *out)
{
    char name[64], *data;
    enum calque_status s;
    size_t n;

    snprintf(name, sizeof name, "test_data_set_0/%s_%d.pb", kind, k);
    if (!read_file(t, name, &data, &n))
        return fail_diag(t);
    s = onnx_tensor_read(&t->mem, &t->strs, name, (unsigned char *)data, n, out, NULL, &t->d);
    mem_free(data);
    return s == CALQUE_OK || fail_diag(t);
}

static bool close_enough(double got, double want)
{
    if (isnan(want) || isinf(want))
        return isnan(want) ? isnan(got) : got == want;
    return fabs(got - want) <= ATOL + RTOL * fabs(want);
}

/* Element i of a tensor of f32 or f64. */
static double element(const struct tensor *x, long i)
{
    return x->dtype == DTYPE_F32 ? (double)tensor_f32(x)[i] : ((const double *)x->data)[i];
}

static bool compare(struct test *t, int o, const struct tensor *got, const struct tensor *want)
{
    char why[160];
    long bad = 0, n = shape_elems(&want->shape);
    bool real = want->dtype == DTYPE_F32 || want->dtype == DTYPE_F64;

    snprintf(why, sizeof why, "output %d has another type or shape", o);
    if (got->dtype != want->dtype || !shape_equal(&got->shape, &want->shape))
        return fail(t, why);
    if (!real)
        bad = want->bytes && memcmp(got->data, want->data, want->bytes) != 0;
    for (long i = 0; real && i < n; i++) {
        double e = fabs(element(got, i) - element(want, i));
        bad += !close_enough(element(got, i), element(want, i));
        if (e > t->worst)
            t->worst = e;
    }
    snprintf(why, sizeof why, "output %d differs in %ld of %ld elements, max %g", o, bad, n, t->worst);
    return bad == 0 || fail(t, why);
}

/* The number of the file that holds graph input i. */
static int input_number(const struct test *t, int i)
{
    const char *name = graph_name(&t->g, t->g.input.a[i]);

    for (int k = 0; k < t->ngiven; k++)
        if (strcmp(t->model->graph->input[t->given[k]]->name, name) == 0)
            return k;
    return -1;
}

/* A file of -o. */
static bool write_text(struct test *t, const struct text *text, const char *ending)
{
    char path[PATH_MAX_HERE + 8];

    snprintf(path, sizeof path, "%s%s", t->write, ending);
    return (text_status(text, &t->d) == CALQUE_OK && file_write(path, text->a, (size_t)text->n, &t->d) == CALQUE_OK) || fail_diag(t);
}

static bool write_run(struct test *t, const struct tensor *in, const struct tensor *out)
{
    struct text model, text;
    bool ok;

    text_init(&model, &t->mem);
    text_init(&text, &t->mem);
    graph_sexp(&model, &t->g);
    graph_sexp_data(&model, &t->g, in);
    graph_sexp_outputs(&text, &t->g, out);
    ok = write_text(t, &model, ".sexp") && write_text(t, &text, ".text");
    text_free(&model);
    text_free(&text);
    return ok;
}

static bool execute(struct test *t)
{
    struct graph *g = &t->g;
    int ni = g->input.n, no = g->output.n;
    struct tensor *in = calloc((size_t)ni + 1, sizeof *in), *out = calloc((size_t)no + 1, sizeof *out);
    struct tensor want = {0};
    bool good = in && out;

    for (int i = 0; i < ni && good; i++)
        good = input_number(t, i) < 0 ? fail(t, "a graph input has no file")
                                      : tensor_file(t, "input", input_number(t, i), &in[i]);
    if (good && graph_run(g, in, out, 2, NULL, &t->d))
        good = fail_diag(t);
    if (good && *t->write)
        good = write_run(t, in, out);
    for (int o = 0; o < no && good; o++) {
        good = tensor_file(t, "output", o, &want) && compare(t, o, &out[o], &want);
        tensor_free(&want);
    }
    for (int i = 0; in && i < ni; i++)
        tensor_free(&in[i]);
    for (int o = 0; out && o < no; o++)
        tensor_free(&out[o]);
    free(in);
    free(out);
    return good;
}

/* Returns RUN and *good, or the reason of the skip. */
static enum reason run(struct test *t, bool *good)
{
    enum reason why;

    *good = false;
    if (!load(t))
        return RUN;
    if (!tensors_only(t))
        return NOT_TENSORS;
    if (!static_inputs(t))
        return SHAPE;
    if (!import(t))
        return RUN;
    why = claim(t);
    if (why != RUN && freeze(t)) {
        if (!import(t))
            return RUN;
        why = claim(t);
        t->frozen = why == RUN;
    }
    if (why == RUN)
        *good = execute(t);
    return why;
}

static void note_skip(struct tally *y, enum reason why, const char *name)
{
    int k = 0;

    y->skipped++;
    y->by[why]++;
    while (k < y->nwhat && (y->what[k].why != why || strncmp(y->what[k].name, name, 63)))
        k++;
    if (k == WHATS_MAX)
        return;
    if (k == y->nwhat) {
        y->what[k].why = why;
        snprintf(y->what[k].name, sizeof y->what[k].name, "%.63s", name);
        y->nwhat++;
    }
    y->what[k].tests++;
}

static int by_tests(const void *a, const void *b)
{
    const struct what *x = a, *y = b;

    return x->tests != y->tests ? y->tests - x->tests : strcmp(x->name, y->name);
}

/* The reasons, each with the operators it was found at. */
static void show_skips(struct tally *y)
{
    qsort(y->what, (size_t)y->nwhat, sizeof *y->what, by_tests);
    for (int why = NO_OPERATOR; why < REASONS; why++) {
        const char *sep = ":";
        if (!y->by[why])
            continue;
        printf("  skipped %d: %s", y->by[why], reasons[why]);
        for (int k = 0; k < y->nwhat; k++)
            if (y->what[k].why == (enum reason)why && y->what[k].name[0]) {
                printf("%s %s %d", sep, y->what[k].name, y->what[k].tests);
                sep = ",";
            }
        printf("\n");
    }
}

static void one(const char *dir, const char *group, const char *name, const struct options *o, struct tally *y)
{
    struct test t = {.worst = 0};
    enum reason why;
    bool good, few;

    snprintf(t.dir, sizeof t.dir, "%.700s/%.200s", dir, name);
    if (o->write)
        snprintf(t.write, sizeof t.write, "%.700s/%.63s_%.200s", o->write, group, name);
    test_open(&t);
    why = run(&t, &good);
    few = t.model && t.model->graph && among_eighteen(&t);
    if (why != RUN) {
        note_skip(y, why, t.why);
        if (o->verbose)
            printf("SKIP %s%s: %s: %s\n", name, few ? " (18)" : "", reasons[why], t.why);
    } else if (good) {
        y->passed++;
        y->passed18 += few;
        y->frozen += t.frozen;
        if (t.worst > y->worst) {
            y->worst = t.worst;
            snprintf(y->worst_name, sizeof y->worst_name, "%.120s", name);
        }
        if (o->verbose)
            printf("PASS %s%s%s max %g\n", name, few ? " (18)" : "", t.frozen ? " (frozen)" : "", t.worst);
    } else {
        y->failed++;
        printf("FAIL %s: %s\n", name, t.why);
    }
    onnx__model_proto__free_unpacked(t.model, NULL);
    test_close(&t);
}

static int visible(const struct dirent *e)
{
    return e->d_name[0] != '.';
}

/* "GROUP=LEAST,LEAST18": true when all is well. */
static bool group(const char *data, const char *arg, const struct options *o)
{
    char name[64], dir[PATH_MAX_HERE], model[PATH_MAX_HERE + 300];
    struct tally y = {.worst = 0};
    struct dirent **e;
    const char *eq = strchr(arg, '=');
    int least = 0, least18 = 0, n;

    snprintf(name, sizeof name, "%.*s", (int)strcspn(arg, "="), arg);
    if (eq && sscanf(eq, "=%d,%d", &least, &least18) < 1) {
        fprintf(stderr, "node_tests: %s: expected GROUP=LEAST,LEAST18\n", arg);
        exit(2);
    }
    snprintf(dir, sizeof dir, "%s/%s", data, name);
    if ((n = scandir(dir, &e, visible, alphasort)) < 0) {
        fprintf(stderr, "node_tests: cannot read %s\n", dir);
        exit(2);
    }
    for (int i = 0; i < n; i++) {
        FILE *f;
        snprintf(model, sizeof model, "%.700s/%.200s/model.onnx", dir, e[i]->d_name);
        f = fopen(model, "rb");
        if (f) {
            fclose(f);
            one(dir, name, e[i]->d_name, o, &y);
        }
        free(e[i]);
    }
    free(e);
    show_skips(&y);
    printf("%s: %d passed (%d with the 18 operators, %d frozen), %d failed, %d skipped; max difference %g %s\n", name,
           y.passed, y.passed18, y.frozen, y.failed, y.skipped, y.worst, y.worst_name);
    if (y.passed < least || y.passed18 < least18)
        printf("FAIL %s: fewer passed than %d and %d with the 18 operators\n", name, least, least18);
    return y.failed == 0 && y.passed >= least && y.passed18 >= least18;
}

int main(int argc, char **argv)
{
    struct options o = {false, NULL};
    bool good = true;
    int at = 1;

    for (; at < argc && argv[at][0] == '-'; at++)
        if (strcmp(argv[at], "-v") == 0)
            o.verbose = true;
        else if (strcmp(argv[at], "-o") == 0 && at + 1 < argc)
            o.write = argv[++at];
    if (argc - at < 2) {
        fprintf(stderr, "usage: node_tests [-v] [-o DIR] DATA GROUP[=LEAST[,LEAST18]]...\n");
        return 2;
    }
    for (int i = at + 1; i < argc; i++)
        good = group(argv[at], argv[i], &o) && good;
    return good ? 0 : 1;
}
