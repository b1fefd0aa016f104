/* Targets over graphs: read, printed, as ONNX, rewritten, matched, compared, emitted. */
#include <string.h>

#include "emit/emit.h"
#include "emit/module.h"
#include "fuzz/fuzz.h"
#include "graph/text.h"
#include "onnx/onnx.h"
#include "pattern/match.h"
#include "rewrite/equiv.h"
#include "rewrite/rewrite.h"
#include "tensor/npy.h"
#include "tensor/op.h"

enum { CELLS = 4000, NODES = 64 }; /* of a graph that is printed, rewritten or run */

long fuzz_cells(const struct graph *g)
{
    long all = 0;

    for (int i = 0; i < g->node.n; i++) {
        const struct node *n = &g->node.a[i];
        long e = n->kind == NODE_TUPLE || graph_multi(g, i) ? 0 : shape_elems(&n->shape);
        if (e < 0 || e > CELLS)
            return -1;
        all += e;
    }
    return all;
}

/* May it be run in the time there is? */
static bool is_small(const struct graph *g)
{
    long cells = fuzz_cells(g);

    return g->node.n <= NODES && cells >= 0 && cells <= CELLS;
}

static bool read_graph(struct fuzz *f, struct graph *g)
{
    graph_init(g, &f->mem, &f->strs, &f->values);
    if (fuzz_ok(f, graph_text_read(g, "fuzz.graph", f->src, f->n, &f->d))) {
        MUST(f, fuzz_ok(f, graph_check(g, &f->d)) || fuzz_short(f));
        return true;
    }
    MUST(f, g->node.n == 0 && g->output.n == 0);
    return false;
}

/* A sum over the cells of all constants, in whatever order they stand; every NaN is one. */
static unsigned long constants(struct fuzz *f, const struct graph *g)
{
    unsigned long all = 0;

    for (int i = 0; i < g->node.n; i++) {
        const struct tensor *t = graph_tensor(g, i);
        struct text cells;
        unsigned long sum = 1;
        text_init(&cells, &f->mem);
        if (t)
            cells_text(&cells, t);
        for (int k = 0; k < cells.n; k++)
            sum = sum * 1099511628211ul + (unsigned char)cells.a[k];
        all += sum;
        text_free(&cells);
    }
    return all;
}

void fuzz_graph_prints(struct fuzz *f, const struct graph *g)
{
    struct text first, second;
    struct graph again;

    text_init(&first, &f->mem);
    text_init(&second, &f->mem);
    graph_init(&again, &f->mem, &f->strs, &f->values);
    graph_text_write(&first, g);
    if (fuzz_ok(f, text_status(&first, &f->d))) {
        bool read = fuzz_ok(f, graph_text_read(&again, "again.graph", first.a, (size_t)first.n, &f->d));
        if (!read && !fuzz_short(f))
            fuzz_same(f, &first, &second, "a graph that does not read back");
        graph_text_write(&second, &again);
        if (read && fuzz_ok(f, text_status(&second, &f->d)))
            fuzz_same(f, &first, &second, "graph");
        MUST(f, !read || constants(f, g) == constants(f, &again) || fuzz_short(f));
    }
    graph_free(&again);
    text_free(&first);
    text_free(&second);
}

/* Written as ONNX and read back into again; false: it cannot be written. */
static bool through_onnx(struct fuzz *f, const struct graph *g, struct graph *again)
{
    unsigned char *data = NULL;
    size_t n = 0;
    bool ok = fuzz_ok(f, onnx_write(g, &data, &n, &f->d));

    graph_init(again, &f->mem, &f->strs, &f->values);
    if (ok) {
        ok = fuzz_ok(f, onnx_read(again, "again.onnx", data, n, &f->d));
        MUST(f, ok || fuzz_short(f));
    }
    mem_free(data);
    return ok;
}

void fuzz_graph_writes(struct fuzz *f, const struct graph *g)
{
    struct graph once, twice;
    struct text first, second;

    text_init(&first, &f->mem);
    text_init(&second, &f->mem);
    if (through_onnx(f, g, &once)) {
        if (through_onnx(f, &once, &twice)) {
            graph_text_write(&first, &once);
            graph_text_write(&second, &twice);
            if (!first.failed && !second.failed)
                fuzz_same(f, &first, &second, "ONNX");
        }
        graph_free(&twice);
    }
    graph_free(&once);
    text_free(&first);
    text_free(&second);
}

void fuzz_graph(struct fuzz *f)
{
    struct graph g, copy;
    struct text first, second;

    text_init(&first, &f->mem);
    text_init(&second, &f->mem);
    if (read_graph(f, &g) && is_small(&g)) {
        fuzz_graph_prints(f, &g);
        graph_init(&copy, &f->mem, &f->strs, &f->values);
        if (fuzz_ok(f, graph_copy(&g, &copy, &f->d))) {
            graph_sexp(&first, &g);
            graph_dot(&first, &g);
            graph_sexp(&second, &copy);
            graph_dot(&second, &copy);
            if (!first.failed && !second.failed)
                fuzz_same(f, &first, &second, "a copy");
            if (fuzz_ok(f, graph_compact(&copy, NULL, &f->d)) && fuzz_ok(f, graph_fill_names(&copy, &f->d)))
                MUST(f, fuzz_ok(f, graph_check(&copy, &f->d)) || fuzz_short(f));
        }
        graph_free(&copy);
        fuzz_graph_writes(f, &g);
    }
    graph_free(&g);
    text_free(&first);
    text_free(&second);
}

/* What is read, is no incorrect model; what is said is said of a node that there is. */
static void profiles(struct fuzz *f, bool is_read)
{
    struct onnx_lacks x = { .n = 0 };
    struct graph g;

    graph_init(&g, &f->mem, &f->strs, &f->values);
    if (fuzz_ok(f, onnx_profile(&g, "fuzz.onnx", (const unsigned char *)f->src, f->n, NULL, &x, &f->d)))
        for (int i = 0; i < x.n; i++) {
            const struct onnx_requirement *r = onnx_requirement(x.a[i].requirement);
            MUST(f, r && r->decided && x.a[i].node < x.nodes && x.a[i].at < f->n && x.a[i].why >= 0);
            MUST(f, !is_read || strcmp(r->anchor, "format_compatibility") != 0 || fuzz_short(f));
        }
    mem_free(x.a);
    graph_free(&g);
}

void fuzz_onnx(struct fuzz *f)
{
    static const struct onnx_size sizes[] = { { "N", 2 }, { "batch", 1 } };
    const struct onnx_given given = { .size = sizes, .nsize = fuzz_flag(f, 1) + fuzz_flag(f, 2) };
    struct onnx_reasons why = { 0 };
    struct graph g;
    bool ok;

    graph_init(&g, &f->mem, &f->strs, &f->values);
    ok = fuzz_ok(f, onnx_read_given(&g, "fuzz.onnx", (const unsigned char *)f->src, f->n, &given, &why, &f->d));
    mem_free(why.a);
    profiles(f, ok && given.nsize == 0);
    if (ok) {
        MUST(f, fuzz_ok(f, graph_check(&g, &f->d)) || fuzz_short(f));
        if (fuzz_flag(f, 3))
            ok = fuzz_ok(f, onnx_inference(&g, &f->d));
        if (ok && fuzz_flag(f, 4))
            ok = fuzz_ok(f, onnx_convert(&g, 1 + (int)(f->flags >> 8) % ONNX_OPSET_KNOWN, &f->d));
        if (ok && fuzz_flag(f, 5)) {
            struct external { unsigned char *data; size_t n; } model = { NULL, 0 };
            struct onnx_external x = { .location = "fuzz.data" };
            fuzz_ok(f, onnx_write_external(&g, &model.data, &model.n, &x, &f->d));
            mem_free(model.data);
            mem_free(x.data);
        }
        if (ok)
            fuzz_graph_writes(f, &g);
    } else {
        MUST(f, g.node.n == 0 && g.output.n == 0);
    }
    graph_free(&g);
}

/* ---- rewriting ---- */

/* The rules that the switches choose; exact: of these the exact ones. */
static const struct rules *some_rules(struct fuzz *f, bool exact)
{
    return fuzz_library(f, f->flags >> 5 & (FUZZ_SETS - 1), exact);
}

static enum calque_status after(void *ctx, const struct graph *g, int rule, struct diag *d)
{
    (void)ctx;
    (void)rule;
    return graph_check(g, d);
}

/* Rewrites g; false: only fit for graph_free. */
static bool rewrite(struct fuzz *f, struct graph *g, const struct rules *r, long fuel)
{
    struct rewrite_options o = { .once = fuzz_flag(f, 0), .no_fold = fuzz_flag(f, 1), .fuel = fuel, .fold_limit = 1 << 16, .threads = 1,
                                 .after = after };
    struct rewrite_stats stats = { 0 };
    bool ok = false;

    if (fuzz_ok(f, rewrite_stats_init(&stats, r, &f->d))) {
        enum calque_status st = rewrite_fix(g, r, &o, &stats, &f->d);
        ok = fuzz_ok(f, st) || (st == CALQUE_LIMIT && stats.out_of_fuel);
        if (ok) {
            MUST(f, fuzz_ok(f, graph_check(g, &f->d)) || fuzz_short(f));
            ok = fuzz_ok(f, rewrite_record(g, r, &stats, &f->d));
        }
    }
    rewrite_stats_free(&stats);
    return ok;
}

/* Never refuted, and the bits of all runs are the same. */
static void is_same(struct fuzz *f, const struct graph *a, const struct graph *b, long tries)
{
    struct equiv_options o = { .exact = true, .tries = tries, .seed = 1, .threads = 1, .file = { "a", "b" } };
    struct equiv e;

    if (fuzz_ok(f, equiv(a, b, &o, &e, &f->d)))
        MUST(f, e.verdict != EQUIV_REFUTED && (e.runs == 0 || e.worst.identical));
    equiv_free(&e);
}

/* Appends the cells of the outputs on inputs that depend on the place alone; false: it does not run. */
static bool run_graph(struct fuzz *f, const struct graph *g, struct text *cells)
{
    struct tensor *in = mem_zero(&f->mem, (size_t)g->input.n, sizeof *in), *out = mem_zero(&f->mem, (size_t)g->output.n, sizeof *out);
    bool ok = in && out;

    for (int k = 0; ok && k < g->input.n; k++) {
        const struct node *n = &g->node.a[g->input.a[k]];
        int elem = dtype_elem(n->dtype);
        ok = elem != ELEM_OWN && fuzz_ok(f, tensor_new(&f->mem, n->dtype, &n->shape, &in[k], &f->d));
        for (long i = 0; ok && i < shape_elems(&n->shape); i++) {
            double x = (double)((i * 7 + k * 3) % 11 - 5) / 4;
            kernel_convert(ELEM_F64, &x, elem, (char *)in[k].data + (size_t)i * elem_size(elem), 1);
        }
    }
    ok = ok && fuzz_ok(f, graph_run(g, in, out, 1, NULL, &f->d));
    for (int k = 0; ok && k < g->output.n; k++)
        cells_text(cells, &out[k]);
    for (int k = 0; in && k < g->input.n; k++)
        tensor_free(&in[k]);
    for (int k = 0; out && k < g->output.n; k++)
        tensor_free(&out[k]);
    mem_free(in);
    mem_free(out);
    return ok && !cells->failed;
}

/* Where the first one runs, the other one does, with the same bits. */
static void same_run(struct fuzz *f, const struct graph *a, const struct graph *b)
{
    struct text first, second;

    text_init(&first, &f->mem);
    text_init(&second, &f->mem);
    if (run_graph(f, a, &first)) {
        bool ran = run_graph(f, b, &second);
        MUST(f, ran || fuzz_short(f));
        if (ran)
            fuzz_same(f, &first, &second, "outputs");
    }
    text_free(&first);
    text_free(&second);
}

void fuzz_opt(struct fuzz *f)
{
    struct graph g;
    const struct rules *r;

    if (read_graph(f, &g) && is_small(&g) && (r = some_rules(f, false)) != NULL && rewrite(f, &g, r, 100)) {
        fuzz_graph_prints(f, &g);
        fuzz_graph_writes(f, &g);
    }
    graph_free(&g);
}

void fuzz_equiv(struct fuzz *f)
{
    struct graph g, original;
    const struct rules *r;

    graph_init(&original, &f->mem, &f->strs, &f->values);
    if (read_graph(f, &g) && is_small(&g) && fuzz_ok(f, graph_copy(&g, &original, &f->d))) {
        if ((r = some_rules(f, true)) != NULL && rewrite(f, &g, r, 20)) {
            same_run(f, &original, &g);
            if (fuzz_flag(f, 2))
                is_same(f, &original, &g, 2);
        }
    }
    graph_free(&original);
    graph_free(&g);
}

static enum calque_status see(void *ctx, const struct matcher *m, struct diag *d)
{
    struct text *t = ctx;

    (void)d;
    match_print(t, m);
    return CALQUE_OK;
}

void fuzz_match(struct fuzz *f)
{
    struct rules r;
    struct graph g;
    struct text t;
    long given_up = 0;

    rules_init(&r, &f->mem, &f->strs, &f->values);
    graph_init(&g, &f->mem, &f->strs, &f->values);
    text_init(&t, &f->mem);
    if (fuzz_ok(f, rules_parse(&r, "fuzz.gsl", f->src, f->n, &f->d)) &&
        fuzz_ok(f, rules_graph(&g, NULL, "fuzz.gsl", f->src, f->n, &f->d)) && is_small(&g) && rules_count(&r) <= 8) {
        fuzz_ok(f, match_all(&r, &g, -1, see, &t, &given_up, &f->d));
        if (rewrite(f, &g, &r, 20))
            fuzz_graph_prints(f, &g);
    }
    text_free(&t);
    graph_free(&g);
    rules_free(&r);
}

/* ---- emission ---- */

void fuzz_emit(struct fuzz *f)
{
    static const char *const stages[] = { "kernel", "dpia", "sexp", "comm", "c" };
    struct emit_options o = fuzz_emit_options(f);
    struct emit_files files;
    struct graph g;
    struct text t;

    text_init(&t, &f->mem);
    if (read_graph(f, &g) && is_small(&g)) {
        if (fuzz_ok(f, fuzz_flag(f, 10) ? emit_plain(&g, &o, &files, &f->d) : emit_model(&g, &o, &files, &f->d)))
            MUST(f, files.file.n > 0);
        emit_files_free(&files);
        if (fuzz_flag(f, 11))
            fuzz_ok(f, emit_dump_model(&t, &g, stages[f->flags % 5], &o, &f->d));
    }
    text_free(&t);
    graph_free(&g);
}
