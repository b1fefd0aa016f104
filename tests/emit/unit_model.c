/* Emitted models against the reference interpreter, bit for bit, with and without fusion. */
#include "models.h"

struct job {
    struct world *w;
    const struct emit_files *files;
    char so[128];
};

/* Emits and compiles as a library. */
static void compile(struct job *j, const struct emit_options *o, const char *cc, struct emit_files *files)
{
    static int serial;
    struct diag d;
    char cmd[512];

    diag_clear(&d);
    if (emit_model(&j->w->g, o, files, &d) != CALQUE_OK) {
        fprintf(stderr, "emit: %s\n", d.text);
        CU_FAIL_FATAL("emit_model");
    }
    j->files = files;
    CU_ASSERT_FATAL(emit_files_write(files, j->w->dir, &d) == CALQUE_OK);
    snprintf(j->so, sizeof j->so, "%s/m%d.so", j->w->dir, ++serial);
    snprintf(cmd, sizeof cmd, "%s -std=c11 -O2 -ffp-contract=off -fopenmp -Wall -Wextra -Wshadow -Werror -fPIC -shared "
             "-o %s %s/model.c -lm", cc, j->so, j->w->dir);
    CU_ASSERT_FATAL(system(cmd) == 0);
}

typedef int run_fn(const void *const *, void *const *, const unsigned char *);
typedef unsigned char *load_fn(const char *);

enum { PORTS = 8 };

/* Runs the library on in and compares with ref; the number of outputs that differ. */
static int run_model(const struct job *j, const struct tensor *in, const struct tensor *ref)
{
    const struct graph *g = &j->w->g;
    const void *inputs[PORTS];
    void *outputs[PORTS], *so = dlopen(j->so, RTLD_NOW | RTLD_LOCAL);
    union { void *p; run_fn *run; load_fn *load; } run, loader;
    unsigned char *weights = NULL;
    char path[128];
    int wrong = 0;

    run.p = dlsym(so, "model_run");
    loader.p = dlsym(so, "model_load_weights");
    snprintf(path, sizeof path, "%s/weights.bin", j->w->dir);
    if (j->files->weights > 0 && (weights = loader.load(path)) == NULL)
        return 1;
    for (int i = 0; i < g->input.n; i++)
        inputs[i] = in[i].data;
    for (int i = 0; i < g->output.n; i++)
        outputs[i] = malloc(ref[i].bytes + 1);
    wrong = run.run(inputs, outputs, weights);
    for (int i = 0; i < g->output.n; i++) {
        bool f32 = ref[i].dtype == DTYPE_F32;
        if (!batch_equal(outputs[i], ref[i].data, ref[i].bytes, f32 ? KERNEL_F32 : KERNEL_I64)) {
            fprintf(stderr, "output %s differs\n", strs_text(&j->w->strs, g->output.a[i].name));
            wrong++;
        }
        free(outputs[i]);
    }
    free(weights);
    return wrong;
}

static int compare(void *arg)
{
    struct job *j = arg;
    struct world *w = j->w;
    struct tensor in[PORTS], ref[PORTS];
    struct diag d;

    for (int i = 0; i < w->g.input.n; i++) {
        const struct node *x = &w->g.node.a[w->g.input.a[i]];
        if (tensor_new(&w->mem, x->dtype, &x->shape, &in[i], &d) != CALQUE_OK)
            return 1;
        batch_fill(in[i].data, in[i].bytes, x->dtype == DTYPE_F32 ? KERNEL_F32 : KERNEL_I64, false);
    }
    if (graph_run(&w->g, in, ref, 1, NULL, &d) != CALQUE_OK)
        return 1;
    return run_model(j, in, ref);
}

/* All ways of emitting give the interpreter's bits; returns how many operators the default fuses. */
static int check_model(const char *text, bool clang)
{
    static const struct emit_options options[] = {
        { .with_main = true }, { .no_fuse = true }, { .no_strategy = true, .seq = true }
    };
    struct world w;
    struct job j = { .w = &w };
    int fused = 0;

    open_world(&w, text);
    for (int i = 0; i < 3; i++) {
        struct emit_files files;
        compile(&j, &options[i], clang ? "clang" : "gcc", &files);
        CU_ASSERT(batch_child(compare, &j) == 0);
        if (i == 0)
            fused = files.fused;
        else if (i == 1)
            CU_ASSERT(files.fused == 0);
        emit_files_free(&files);
    }
    close_world(&w);
    return fused;
}

static void test_residual(void)
{
    CU_ASSERT(check_model(residual, false) == 4); /* c1 into r1; c2, n2, a into y */
}

static void test_fire(void)
{
    CU_ASSERT(check_model(fire, false) == 3);
    if (batch_has("clang"))
        check_model(fire, true);
}

static void test_transformer(void)
{
    CU_ASSERT(check_model(transformer, false) >= 4);
}

static void test_shuffle(void)
{
    check_model(shuffle, false);
}

/* The template with its %d replaced by a, then b. */
static void put_node(struct text *t, const char *s, int a, int b)
{
    for (; *s; s++)
        if (*s == '%') {
            text_printf(t, "%d", a);
            a = b;
            s++;
        } else {
            text_put(t, s, 1);
        }
}

/* A random graph over tensors f32[1,4,6,6]: every node takes earlier ones, some are outputs. */
static void random_graph(struct text *t)
{
    static const char *const one[] = {
        "Relu(t%d)", "Sigmoid(t%d)", "Neg(t%d)", "Dropout(t%d)", "Identity(t%d)", "Softmax(t%d, axis=1)",
        "Conv(t%d, w, b, kernel_shape=(3,3), pads=(1,1,1,1))", "Conv(t%d, v, kernel_shape=(1,1))",
        "BatchNormalization(t%d, b, b, b, p)", "MaxPool(t%d, kernel_shape=(3,3), strides=(1,1), pads=(1,1,1,1))",
        "Reshape(Relu(Reshape(t%d, shape=(4,36))), shape=(1,4,6,6))", "Transpose(t%d, perm=(0,1,3,2))",
        "Reshape(Transpose(Reshape(t%d, shape=(1,2,2,36)), perm=(0,2,1,3)), shape=(1,4,6,6))",
        "LRN(t%d, size=3)", "Mul(t%d, c)", "Sub(t%d, u)", "Squeeze(Unsqueeze(t%d, axes=(0,)), axes=(0,))",
    };
    static const char *const two[] = { "Add(t%d, t%d)", "Mul(t%d, t%d)", "Max(t%d, t%d)", "Sum(t%d, t%d, c)",
                                       "MatMul(t%d, t%d)" };
    int n = 25;

    text_puts(t, "graph random {\ninput t0 : f32[1,4,6,6]\nparam w : f32[4,4,3,3]\nparam v : f32[4,4,1,1]\nparam b : f32[4]\n"
                 "const p : f32[4] = 0.75\nparam u : f32[4,1,1]\nparam c : f32[1,4,6,6]\n");
    for (int i = 1; i < n; i++) {
        int a = i - 1 - (int)batch_random(i < 3 ? 1 : 3), b = (int)batch_random((unsigned)i);
        unsigned r = batch_random(26);
        a = a < 0 ? 0 : a;
        if (r < 6) {
            text_printf(t, "t%d = ", i);
            put_node(t, two[batch_random(5)], a, b);
        } else if (r == 6) {
            text_printf(t, "s%d = Split(Concat(t%d, t%d, axis=1), axis=1, split=(2,4,2))\nt%d = s%d[%d]", i, a, b, i, i, 1);
            text_printf(t, "\nq%d = Relu(s%d[0])", i, i);
        } else {
            text_printf(t, "t%d = ", i);
            put_node(t, one[batch_random(17)], a, 0);
        }
        text_puts(t, "\n");
    }
    text_printf(t, "return t%d, oa = t%d, ob = t%d, oc = Relu(t%d), od = Reshape(t%d, shape=(144,))\n}\n", n - 1, n - 2,
                (int)batch_random((unsigned)n), n - 3, (int)batch_random((unsigned)n));
}

enum { GRAPHS = 12 };

static void test_random(void)
{
    for (int i = 0; i < GRAPHS; i++) {
        static const struct emit_options o = { .seq = true };
        struct mem mem = MEM_INIT;
        struct world w;
        struct job j = { .w = &w };
        struct emit_files files;
        struct text t;
        text_init(&t, &mem);
        random_graph(&t);
        open_world(&w, t.a);
        compile(&j, &o, "gcc", &files);
        if (batch_child(compare, &j) != 0) {
            fprintf(stderr, "differs:\n%s", t.a);
            CU_FAIL("random graph");
        }
        emit_files_free(&files);
        close_world(&w);
        text_free(&t);
    }
}

static const struct unit_case cases[] = {
    { "residual", test_residual },
    { "fire", test_fire },
    { "transformer", test_transformer },
    { "shuffle", test_shuffle },
    { "random", test_random },
};

int main(void)
{
    return unit_main("emit_model", cases, UNIT_COUNT(cases));
}
