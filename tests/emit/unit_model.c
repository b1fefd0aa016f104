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
    if (graph_run(&w->g, in, ref, 1, &d) != CALQUE_OK)
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

static const struct unit_case cases[] = {
    { "residual", test_residual },
    { "fire", test_fire },
    { "transformer", test_transformer },
    { "shuffle", test_shuffle },
};

int main(void)
{
    return unit_main("emit_model", cases, UNIT_COUNT(cases));
}
