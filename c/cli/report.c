/* calque report: a model rewritten by the standard rules and emitted, with what became of each node: trace.json, TRACE.md,
   report.html beside the code. Nothing is written unless all of it can be. */
#include <getopt.h>
#include <stdlib.h>
#include <string.h>

#include "cli/report.h"

struct report_options {
    const char *model, *dir;
    struct emit_options emit;
};

static int usage(FILE *f, int status)
{
    fprintf(f, "usage: calque report MODEL -o DIR [options]\n"
               "Rewrites a model (.onnx, .graph) by the standard rules and emits it into DIR, with the bytes that calque opt and then\n"
               "calque emit give, and says what became of each of its nodes: the rewrites that touched it and their theorems, the kernel,\n"
               "function and lines that compute it, its cost; and for each function and its lines the nodes they come from.\n"
               "  trace.json   all of it, for programs\n"
               "  TRACE.md     the same to be read\n"
               "  report.html  one page, which needs no network: the graph before and after, costs, memory over time, code beside\n"
               "               kernels. The graphs are drawn by the program dot (Graphviz); without it, or of more than\n"
               "               3000 operators, they are tables\n\n"
               "      --acsl       code with contracts, as calque emit --acsl\n"
               "      --name NAME  stem of files and functions (default: model)\n"
               CLI_GIVEN_HELP
               "      --json       machine-readable answer\n");
    return status;
}

static bool add_file(struct emit_files *f, const char *name, struct text *t)
{
    struct emit_file x = { .n = (size_t)t->n };

    if (t->failed || !vec_room(f->mem, &f->file, 1)) {
        text_free(t);
        return false;
    }
    snprintf(x.name, sizeof x.name, "%s", name);
    x.data = (unsigned char *)t->a;
    f->file.a[f->file.n++] = x;
    return true;
}

static const char *find_text(const struct emit_files *f, const char *ending)
{
    for (int i = 0; i < f->file.n; i++)
        if (cli_ends(f->file.a[i].name, ending))
            return (const char *)f->file.a[i].data;
    return NULL;
}

/* The three files behind the others. */
static enum calque_status add_files(struct cli *c, struct emit_files *f, const json_t *trace, struct diag *d)
{
    const char *kernels = find_text(f, "_kernels.c"), *code = NULL;
    char *dump = json_dumps(trace, JSON_INDENT(1));
    struct text t;
    bool ok = dump != NULL;

    for (int i = 0; i < f->file.n; i++)
        if (cli_ends(f->file.a[i].name, ".c") && (const char *)f->file.a[i].data != kernels && !code)
            code = (const char *)f->file.a[i].data;
    text_init(&t, &c->mem);
    if (ok) {
        text_puts(&t, dump);
        text_puts(&t, "\n");
        ok = add_file(f, "trace.json", &t);
    }
    free(dump);
    text_init(&t, &c->mem);
    if (ok) {
        report_markdown(&t, trace);
        ok = add_file(f, "TRACE.md", &t);
    }
    text_init(&t, &c->mem);
    if (ok) {
        report_page(&t, trace, code, kernels);
        ok = add_file(f, "report.html", &t);
    }
    return ok ? CALQUE_OK : diag_nomem(d);
}

/* The first projection of the same output, which is what a written model has of them. */
static int first_of(const struct graph *g, int node)
{
    const struct node *n = &g->node.a[node];

    for (int i = 0; n->kind == NODE_PROJ && i < node; i++)
        if (g->node.a[i].kind == NODE_PROJ && graph_in(g, i, 0) == graph_in(g, node, 0) && g->node.a[i].index == n->index)
            return i;
    return node;
}

/* Values get the names that they have in a file of the model's kind: in ONNX a value that is a graph output is called so
   (onnx/export_names.c), and comments of the C name it. */
static enum calque_status take_names(struct graph *g, bool onnx, struct diag *d)
{
    bool *done = mem_zero(g->mem, (size_t)g->node.n + 1, sizeof *done);

    if (!done)
        return diag_nomem(d);
    for (int pass = 0; onnx && pass < 2; pass++)
        for (int i = 0; i < g->output.n; i++) {
            int m = first_of(g, g->output.a[i].node);
            struct node *n = &g->node.a[m];
            if (done[m] || (pass == 0 ? n->name != g->output.a[i].name : n->kind != NODE_OP && n->kind != NODE_PROJ))
                continue;
            n->name = g->output.a[i].name;
            done[m] = true;
        }
    mem_free(done);
    return graph_fill_names(g, d);
}

/* Rewrites as calque opt does. */
static enum calque_status rewrite(struct graph *g, struct report *r, struct trace *t, struct rewrite_stats *s, struct cover *cover,
                                  struct diag *d)
{
    const struct rewrite_options o = { .threads = 2, .trace = t };
    enum calque_status st = rewrite_stats_init(s, r->rules, d);

    if (st == CALQUE_OK)
        st = rewrite_cover(g, cover, d);
    if (st == CALQUE_OK)
        st = trace_begin(t, g, d);
    if (st == CALQUE_OK)
        st = rewrite_fix(g, r->rules, &o, s, d);
    if (st == CALQUE_LIMIT && s->out_of_fuel)
        st = CALQUE_OK;
    if (st == CALQUE_OK)
        st = graph_check(g, d);
    if (st == CALQUE_OK)
        st = rewrite_record(g, r->rules, s, d);
    return st == CALQUE_OK ? take_names(g, !cli_ends(r->model, ".graph"), d) : st;
}

static int answer(struct cli *c, const struct report_options *o, const struct emit_files *f, const json_t *trace)
{
    const json_t *s = report_list(trace, "summary");

    if (c->json) {
        json_t *x = json_deep_copy(s), *names = json_array();
        for (int i = 0; i < f->file.n; i++)
            cli_append(names, json_string(f->file.a[i].name));
        cli_set(x, "files", names);
        return cli_json(x, EXIT_YES);
    }
    for (int i = 0; i < f->file.n; i++)
        printf("%s/%s: %zu bytes\n", o->dir, f->file.a[i].name, f->file.a[i].n);
    printf("%ld operators, %ld rewrites, %ld operators emitted as %ld functions in %ld calls\n", report_int(s, "nodes_read"),
           report_int(s, "rewrites"), report_int(s, "nodes_emitted"), report_int(s, "functions"), report_int(s, "calls"));
    printf("%s\n", report_text(s, "theorem"));
    return EXIT_YES;
}

/* The emission of a rewritten model, its trace, and all files. */
static int write_all(struct cli *c, const struct report_options *o, struct report *r, struct graph *g, struct diag *d)
{
    struct emit_files files;
    json_t *trace = NULL;
    enum calque_status st = emit_model(g, &o->emit, &files, d);
    int status;

    if (st != CALQUE_OK)
        cli_unsupported(c, o->model, g, d);
    r->g = g;
    r->files = &files;
    if (st == CALQUE_OK && !(trace = report_trace(r)))
        st = diag_nomem(d);
    if (st == CALQUE_OK)
        st = add_files(c, &files, trace, d);
    if (st == CALQUE_OK)
        st = emit_files_write(&files, o->dir, d);
    if (st != CALQUE_OK && !d->file[0])
        snprintf(d->file, sizeof d->file, "%s", o->model);
    status = st == CALQUE_OK ? answer(c, o, &files, trace) : cli_fail(d);
    json_decref(trace);
    emit_files_free(&files);
    return status;
}

static int report(struct cli *c, const struct report_options *o)
{
    struct cli_pick pick = { .files = 0 };
    struct rewrite_stats stats = { 0 };
    struct cover cover = { .outside = false };
    struct trace trace = { 0 };
    struct rules rules;
    struct report r = { .c = c, .model = o->model, .rules = &rules, .stats = &stats, .cover = &cover, .trace = &trace };
    struct graph g;
    struct diag d;
    enum calque_status st;
    int status;

    diag_clear(&d);
    rules_init(&rules, &c->mem, &c->strs, &c->values);
    st = cli_load(c, o->model, &g, &d);
    if (st == CALQUE_OK)
        st = cli_rules(c, &pick, &rules, &d);
    if (st == CALQUE_OK) {
        r.read = report_graph(&g);
        r.inputs = report_inputs(&g);
        st = rewrite(&g, &r, &trace, &stats, &cover, &d);
    }
    status = st == CALQUE_OK ? write_all(c, o, &r, &g, &d) : cli_fail(&d);
    json_decref(r.read);
    json_decref(r.inputs);
    trace_free(&trace);
    rewrite_stats_free(&stats);
    rules_free(&rules);
    graph_free(&g);
    return status;
}

int cmd_report(struct cli *c, int argc, char **argv)
{
    static const struct option longs[] = {{"output", 1, 0, 'o'}, {"acsl", 0, 0, 'a'}, {"name", 1, 0, 'n'}, {"json", 0, 0, 'j'},
                                          {"help", 0, 0, 'h'}, CLI_GIVEN_OPTIONS, {0, 0, 0, 0}};
    struct report_options o = { .emit = { .trace = true } };
    int k, status;

    while ((k = getopt_long(argc, argv, "o:h", longs, NULL)) != -1) {
        if (cli_given(c, "report", k, optarg, &status)) {
            if (status != EXIT_YES)
                return status;
            continue;
        }
        switch (k) {
        case 'o': o.dir = optarg; break;
        case 'a': o.emit.acsl = true; break;
        case 'n': o.emit.name = optarg; break;
        case 'j': c->json = true; break;
        case 'h': return usage(stdout, EXIT_YES);
        default: return usage(stderr, EXIT_INPUT);
        }
    }
    if (optind != argc - 1)
        return cli_usage("report", "give one model");
    if (!o.dir)
        return cli_usage("report", "no output directory given (-o DIR)");
    if (cli_ends(argv[optind], ".kern") || cli_ends(argv[optind], ".json") || cli_ends(argv[optind], ".dpia"))
        return cli_usage("report", "a report is of a model (.onnx, .graph)");
    o.model = argv[optind];
    return report(c, &o);
}
