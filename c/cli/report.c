/* calque report: a model rewritten by the standard rules and emitted, with what became of each node: trace.json, TRACE.md,
   report.html beside the code. Nothing is written unless all of it can be. */
#include <getopt.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"

/* ---- TRACE.md: what trace.json says, to be read ---- */

/* Text in a cell of a table: what Markdown would take for its own is escaped, and lines are joined. */
static void put(struct text *t, const char *s)
{
    for (; *s; s++) {
        if ((unsigned char)*s < 32) {
            text_puts(t, s[1] ? " " : "");
            continue;
        }
        if (strchr("\\`*_|<>[]#&", *s))
            text_puts(t, "\\");
        text_put(t, s, 1);
    }
}

static void put_node(struct text *t, const json_t *x)
{
    put(t, report_text(x, "operator"));
    text_puts(t, " ");
    put(t, report_text(x, "name"));
}

/* Numbers as operators of a list, by commas. */
static void put_nodes(struct text *t, const json_t *ids, const json_t *nodes)
{
    const json_t *k;
    size_t i;

    json_array_foreach(ids, i, k) {
        text_puts(t, i ? ", " : "");
        put_node(t, report_by_id(nodes, (long)json_integer_value(k)));
    }
}

static const json_t *function_of(const json_t *trace, const char *name)
{
    const json_t *x;
    size_t i;

    json_array_foreach(report_list(trace, "functions"), i, x)
        if (strcmp(report_text(x, "name"), name) == 0)
            return x;
    return NULL;
}

/* "k3, model.c 10-20, called in line 300". */
static void put_calls(struct text *t, const json_t *trace, const json_t *ids)
{
    const json_t *k;
    size_t i;

    json_array_foreach(ids, i, k) {
        const json_t *call = report_by_id(report_list(trace, "calls"), (long)json_integer_value(k));
        const json_t *f = function_of(trace, report_text(call, "function"));
        text_puts(t, i ? "; " : "");
        put(t, report_text(call, "function"));
        if (f) {
            text_puts(t, " (");
            put(t, report_text(f, "file"));
            text_printf(t, " %ld-%ld)", report_int(f, "first"), report_int(f, "last"));
        }
        text_printf(t, ", called in line %ld", report_int(call, "line"));
    }
}

static void put_rewrites(struct text *t, const json_t *trace, const json_t *ids)
{
    const json_t *k;
    size_t i;

    json_array_foreach(ids, i, k) {
        text_printf(t, "%s%ld ", i ? ", " : "", (long)json_integer_value(k));
        put(t, report_text(report_by_id(report_list(trace, "rewrites"), (long)json_integer_value(k)), "rule"));
    }
}

/* The operator or input whose memory holds a value. */
static void put_memory(struct text *t, const json_t *trace, long id)
{
    const json_t *x = report_by_id(report_list(trace, "emitted_inputs"), id);

    put_node(t, x ? x : report_by_id(report_list(trace, "emitted"), id));
}

static void put_became(struct text *t, const json_t *trace, const json_t *x)
{
    const json_t *k;
    size_t i;

    text_puts(t, report_text(x, "state"));
    if (strcmp(report_text(x, "state"), "kept") != 0 && json_array_size(report_list(x, "became"))) {
        text_puts(t, ": ");
        put_nodes(t, report_list(x, "became"), report_list(trace, "emitted"));
    }
    k = report_by_id(report_list(trace, "emitted"), (long)json_integer_value(json_array_get(report_list(x, "became"), 0)));
    if (strcmp(report_text(k, "value"), "renamed") == 0) {
        text_puts(t, ", no code of its own: the memory of ");
        put_memory(t, trace, report_int(k, "memory_of"));
    }
    if (strcmp(report_text(k, "value"), "empty") == 0)
        text_puts(t, ", no code: it has no cells");
    json_array_foreach(report_list(x, "constants"), i, k) {
        text_puts(t, i ? ", " : "; constant ");
        put(t, json_string_value(k));
    }
    json_array_foreach(report_list(x, "inputs"), i, k) {
        text_puts(t, i ? ", " : "; input ");
        put(t, report_text(report_by_id(report_list(trace, "emitted_inputs"), (long)json_integer_value(k)), "name"));
    }
}

static void nodes(struct text *t, const json_t *trace)
{
    const json_t *x;
    size_t i;

    text_puts(t, "## Nodes of the model\n\nEach operator as it was read, and what computes it.\n\n"
                 "| id | node | became | rewrites | function, lines, call |\n|---:|---|---|---|---|\n");
    json_array_foreach(report_list(trace, "nodes"), i, x) {
        text_printf(t, "| %ld | ", report_int(x, "id"));
        put_node(t, x);
        text_puts(t, " | ");
        put_became(t, trace, x);
        text_puts(t, " | ");
        put_rewrites(t, trace, report_list(x, "rewrites"));
        text_puts(t, " | ");
        put_calls(t, trace, report_list(x, "calls"));
        text_puts(t, " |\n");
    }
}

static void rewrites(struct text *t, const json_t *trace)
{
    const json_t *x, *k;
    size_t i, j;

    text_puts(t, "\n## Rewrites\n\n");
    if (!json_array_size(report_list(trace, "rewrites"))) {
        text_puts(t, "None.\n");
        return;
    }
    text_puts(t, "| id | rule | class | theorem | replaced | made, of what is emitted |\n|---:|---|---|---|---|---|\n");
    json_array_foreach(report_list(trace, "rewrites"), i, x) {
        text_printf(t, "| %ld | ", report_int(x, "id"));
        put(t, report_text(x, "rule"));
        text_printf(t, " | %s | ", report_text(x, "class"));
        put(t, report_text(x, "theorem")[0] ? report_text(x, "theorem") : "not proved");
        text_puts(t, " | ");
        json_array_foreach(report_list(x, "replaced"), j, k) {
            text_puts(t, j ? ", " : "");
            if (json_object_get(k, "node"))
                put_node(t, report_by_id(report_list(trace, "nodes"), report_int(k, "node")));
            else
                text_printf(t, "what rewrite %ld made", report_int(k, "rewrite"));
        }
        text_puts(t, " | ");
        put_nodes(t, report_list(x, "made"), report_list(trace, "emitted"));
        text_puts(t, " |\n");
    }
}

/* What is known of a kernel's program. */
static const char *state_words(const char *state)
{
    return strcmp(state, "checked") == 0   ? "checked: its program computes the kernel"
           : strcmp(state, "plain") == 0   ? "plain code: the check of its program failed"
           : strcmp(state, "look-up") == 0 ? "a look-up, which has no program to check"
           : strcmp(state, "contract") == 0 ? "with a contract, for frama-c -wp"
                                            : state;
}

static void function(struct text *t, const json_t *trace, const json_t *f)
{
    const json_t *cost = report_list(f, "cost"), *k;
    const char *kind = report_text(f, "kind");
    size_t i;

    text_puts(t, "\n### ");
    put(t, report_text(f, "name"));
    text_puts(t, ", ");
    put(t, report_text(f, "file"));
    text_printf(t, " %ld-%ld\n\n", report_int(f, "first"), report_int(f, "last"));
    if (strcmp(kind, "kernel") != 0) {
        text_puts(t, strcmp(kind, "run") == 0 ? "Calls the kernels' functions in order: it comes from all nodes.\n"
                                              : "Support: it comes from no node.\n");
        return;
    }
    text_printf(t, "    %s\n\n- %s\n- computes ", report_text(f, "kernel"), state_words(report_text(f, "state")));
    put_nodes(t, report_list(f, "from"), report_list(trace, "nodes"));
    text_puts(t, "\n- called in line");
    json_array_foreach(report_list(f, "calls"), i, k)
        text_printf(t, "%s %ld", i ? "," : "", report_int(report_by_id(report_list(trace, "calls"), (long)json_integer_value(k)), "line"));
    text_puts(t, "\n");
    if (json_is_object(cost))
        text_printf(t, "- a call: %.0f multiply-adds, %.0f operations, %.0f iterations\n",
                    json_number_value(json_object_get(cost, "multiply_adds")), json_number_value(json_object_get(cost, "operations")),
                    json_number_value(json_object_get(cost, "iterations")));
}

void report_markdown(struct text *t, const json_t *trace)
{
    const json_t *s = report_list(trace, "summary"), *f;
    size_t i;

    text_puts(t, "# Trace of ");
    put(t, report_text(trace, "model"));
    text_printf(t, "\n\nMade by calque %s. %ld operators, %ld rewrites, %ld operators emitted as %ld functions in %ld calls.\n",
                report_text(trace, "calque"), report_int(s, "nodes_read"), report_int(s, "rewrites"), report_int(s, "nodes_emitted"),
                report_int(s, "functions"), report_int(s, "calls"));
    text_printf(t, "Arena %ld bytes, weights %ld bytes. The rewriting: ", report_int(s, "arena"), report_int(s, "weights"));
    put(t, report_text(s, "theorem"));
    text_puts(t, ".\n\n");
    nodes(t, trace);
    rewrites(t, trace);
    text_puts(t, "\n## Functions\n");
    json_array_foreach(report_list(trace, "functions"), i, f)
        function(t, trace, f);
}

/* ---- the command ---- */

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
