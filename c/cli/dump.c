/* calque dump: a model, kernel, program or rule file at a stage of compilation, as text, S-expression or drawing. */
#include <getopt.h>
#include <string.h>

#include "cli/cli.h"
#include "emit/emit.h"
#include "graph/text.h"

struct dump_options {
    const char *stage, *format;
    struct cli_sizes sizes;
    struct emit_options emit;
    struct cli_inputs in; /* of the file */
    bool data;
};

static int usage(FILE *f, int status)
{
    fprintf(f, "usage: calque dump FILE [--stage=STAGE] [--format=FORMAT]\n"
               "       calque dump MODEL [NAME=FILE.npy ...] --format=sexp --data [--random SEED]\n"
               "Prints a model (.onnx, .graph), kernel (.kern, .json), functional program (.dpia) or rule file (.gsl) as\n"
               "Calque sees it.\n\n"
               "  --stage=graph (models, default), kernel (kernels, default), dpia (programs, default), comm\n"
               "          (imperative commands), c (emitted functions), packed (models: kernels that emit changes before it lowers\n"
               "          them, before and after, for calque-oracle packed), inputs, outputs (names, one a line)\n"
               "  --format=text (default), sexp, dot: of the graph stage; .dpia and stage dpia: sexp is for the oracle; rule files print\n"
               "          as sexp\n"
               "  --data          models, sexp: also the tensors of constants, and of the inputs that are given, for calque-oracle model\n"
               "  --random SEED   with --data: those of the inputs that are not given, as calque run makes them\n"
               CLI_GIVEN_HELP
               CLI_SUMS_HELP CLI_FMA_HELP
               "  --size n=64     a size of a .dpia program (may be repeated); the others stay symbolic\n"
               "  --merge         .dpia, stage c, all sizes given: as emit writes it, not as the rules give it\n"
               "  --numbering=seed  .dpia: variables numbered v0 i1 .. by one counter; stage c is then the statements alone\n");
    return status;
}

static enum calque_status names(struct text *t, const struct graph *g, bool inputs)
{
    for (int i = 0; i < (inputs ? g->input.n : g->output.n); i++) {
        text_puts(t, inputs ? graph_name(g, g->input.a[i]) : strs_text(g->strs, g->output.a[i].name));
        text_puts(t, "\n");
    }
    return CALQUE_OK;
}

static enum calque_status dump_lowered(struct cli *c, const char *path, const struct graph *g, const char *stage,
                                       const struct kernel_numbers *numbers, struct text *t, struct diag *d)
{
    struct emit_options o = {.numbers = *numbers};
    enum calque_status st = emit_dump_model(t, g, stage, &o, d);

    if (st != CALQUE_OK)
        cli_unsupported(c, path, g, d);
    return st;
}

/* What a stage prints in this format: emit_dump knows stage dpia as an S-expression by another name. */
static const char *stage_in(const char *stage, const char *format)
{
    return strcmp(stage, "dpia") == 0 && strcmp(format, "sexp") == 0 ? "sexp" : stage;
}

/* The graph, and with --data the tensors. */
static enum calque_status sexp(struct cli *c, const struct dump_options *o, const struct graph *g, struct text *t, struct diag *d)
{
    struct tensor *in;
    enum calque_status st;

    graph_sexp(t, g);
    if (!o->data)
        return CALQUE_OK;
    in = mem_zero(&c->mem, (size_t)g->input.n, sizeof *in);
    st = in ? cli_bind(c, &o->in, g, in, d) : diag_nomem(d);
    if (st == CALQUE_OK)
        graph_sexp_data(t, g, in);
    cli_free_tensors(in, g->input.n);
    return st;
}

static enum calque_status dump_model(struct cli *c, const struct dump_options *o, struct text *t, struct diag *d)
{
    struct graph g;
    enum calque_status st = cli_load(c, o->in.model, &g, d);

    if (st != CALQUE_OK) {
        graph_free(&g);
        return st;
    }
    if (strcmp(o->stage, "inputs") == 0 || strcmp(o->stage, "outputs") == 0)
        st = names(t, &g, o->stage[0] == 'i');
    else if (strcmp(o->stage, "graph") != 0)
        st = dump_lowered(c, o->in.model, &g, stage_in(o->stage, o->format), &o->emit.numbers, t, d);
    else if (strcmp(o->format, "dot") == 0)
        graph_dot(t, &g);
    else if (strcmp(o->format, "sexp") == 0)
        st = sexp(c, o, &g, t, d);
    else
        graph_text_write(t, &g);
    graph_free(&g);
    if (st != CALQUE_OK && !d->file[0])
        snprintf(d->file, sizeof d->file, "%s", o->in.model);
    return st;
}

static enum calque_status dump_kernel(struct cli *c, const char *path, const char *stage, const struct kernel_numbers *numbers,
                                      struct text *t, struct diag *d)
{
    static const struct emit_options none;
    struct kernel k;
    enum calque_status st = cli_kernel(c, path, &k, d);

    if (st == CALQUE_OK)
        st = kernel_choose(&k, numbers, d);
    if (st == CALQUE_OK)
        st = emit_dump(t, &k, strcmp(stage, "graph") == 0 ? "kernel" : stage, &none, d);
    kernel_free(&k);
    return st;
}

static enum calque_status dump_prog(struct cli *c, const char *path, const char *stage, const struct cli_sizes *sizes,
                                    const struct emit_options *o, bool sexp, struct text *t, struct diag *d)
{
    struct prog p;
    enum calque_status st = cli_prog(c, path, sizes, &p, d);

    if (st == CALQUE_OK)
        st = sexp ? (prog_sexp(t, &p), text_status(t, d))
                  : emit_dump_prog(t, &p, strcmp(stage, "graph") == 0 ? "dpia" : stage, o, d);
    prog_free(&p);
    return st;
}

static enum calque_status dump_rules(struct cli *c, const char *path, struct text *t, struct diag *d)
{
    struct rules r;
    enum calque_status st = cli_rules(c, &(struct cli_pick){.file = {path}, .files = 1}, &r, d);

    for (int i = 0; st == CALQUE_OK && i < rules_count(&r); i++)
        rules_print(t, &r, i);
    rules_free(&r);
    return st;
}

/* An option that this kind of input has no use for; NULL: there is none. */
static const char *idle_option(const struct dump_options *o)
{
    const char *path = o->in.model;
    bool program = cli_ends(path, ".dpia"), kernel = cli_ends(path, ".kern") || cli_ends(path, ".json");
    bool rules = cli_ends(path, ".gsl"), graph = strcmp(o->stage, "graph") == 0;

    if (!program && (o->sizes.n || !o->emit.plain || o->emit.numbering))
        return o->sizes.n ? "--size" : o->emit.numbering ? "--numbering" : "--merge";
    if (rules && !graph)
        return "--stage";
    if ((rules && strcmp(o->format, "dot") == 0) || (program && strcmp(o->format, "dot") == 0) ||
        (kernel && strcmp(o->format, "text") != 0 && strcmp(stage_in(o->stage, o->format), "sexp") != 0))
        return "--format";
    if (o->data && (program || kernel || rules || !graph || strcmp(o->format, "sexp") != 0))
        return "--data";
    if (o->emit.numbers.sums != SUMS_SEQUENTIAL && (program || rules || (!kernel && graph)))
        return "--sums";
    if (o->emit.numbers.fma && (program || rules || (!kernel && graph)))
        return "--fma";
    return !o->data && o->in.random ? "--random" : NULL;
}

static bool one_of(const char *s, const char *const *list)
{
    for (; *list; list++)
        if (strcmp(s, *list) == 0)
            return true;
    return false;
}

/* The file by what its name ends in. */
static enum calque_status dump(struct cli *c, const struct dump_options *o, struct text *t, struct diag *d)
{
    const char *path = o->in.model;
    enum calque_status st;

    if (cli_ends(path, ".gsl"))
        st = cli_given_none(c, path, "a rule file has no dimensions", d) == CALQUE_OK ? dump_rules(c, path, t, d) : d->status;
    else if (cli_ends(path, ".dpia"))
        st = dump_prog(c, path, o->stage, &o->sizes, &o->emit, strcmp(o->format, "sexp") == 0, t, d);
    else if (cli_ends(path, ".kern") || cli_ends(path, ".json"))
        st = dump_kernel(c, path, stage_in(o->stage, o->format), &o->emit.numbers, t, d);
    else
        st = dump_model(c, o, t, d);
    return st == CALQUE_OK ? text_status(t, d) : st;
}

static int dump_file(struct cli *c, const struct dump_options *o)
{
    struct text t;
    struct diag d;
    enum calque_status st;
    int status = EXIT_YES;

    diag_clear(&d);
    text_init(&t, &c->mem);
    st = dump(c, o, &t, &d);
    if (st != CALQUE_OK)
        status = cli_fail(&d);
    else if (t.n && fwrite(t.a, 1, (size_t)t.n, stdout) != (size_t)t.n)
        status = EXIT_INPUT;
    text_free(&t);
    return status;
}

int cmd_dump(struct cli *c, int argc, char **argv)
{
    static const char *const stages[] = {"graph", "kernel", "dpia", "comm", "c", "packed", "inputs", "outputs", NULL};
    static const char *const formats[] = {"text", "sexp", "dot", NULL};
    static const struct option longs[] = {{"stage", 1, 0, 's'}, {"format", 1, 0, 'f'}, {"help", 0, 0, 'h'},
                                          {"size", 1, 0, 'z'},  {"merge", 0, 0, 'm'},  {"numbering", 1, 0, 'v'},
                                          {"data", 0, 0, 'd'},  {"random", 1, 0, 'r'}, CLI_GIVEN_OPTIONS, CLI_SUMS_OPTION, CLI_FMA_OPTION, {0, 0, 0, 0}};
    struct dump_options o = {.stage = "graph", .format = "text", .emit = {.plain = true}};
    const char *idle;
    int k, given;

    while ((k = getopt_long(argc, argv, "h", longs, NULL)) != -1) {
        if (cli_given(c, "dump", k, optarg, &given)) {
            if (given != EXIT_YES)
                return given;
            continue;
        }
        switch (k) {
        case 's': o.stage = optarg; break;
        case 'f': o.format = optarg; break;
        case CLI_SUMS:
            if (!cli_sums(optarg, &o.emit.numbers.sums))
                return cli_usage("dump", "--sums takes sequential or lanes, not '%s'", optarg);
            break;
        case CLI_FMA: o.emit.numbers.fma = true; break;
        case 'm': o.emit.plain = false; break;
        case 'd': o.data = true; break;
        case 'r':
            o.in.random = true;
            if (!cli_seed(optarg, &o.in.seed))
                return cli_usage("dump", "--random: '%s' is not a number of 0 or more", optarg);
            break;
        case 'z':
            if (!cli_size(&o.sizes, optarg))
                return cli_usage("dump", "--size takes NAME=NUMBER, not '%s'", optarg);
            break;
        case 'v':
            if (strcmp(optarg, "seed") != 0)
                return cli_usage("dump", "no numbering '%s': seed", optarg);
            o.emit.numbering = true;
            break;
        case 'h': return usage(stdout, EXIT_YES);
        default: return usage(stderr, EXIT_INPUT);
        }
    }
    if (optind >= argc || (optind != argc - 1 && !o.data))
        return cli_usage("dump", "give one file");
    if (!one_of(o.stage, stages) || !one_of(o.format, formats))
        return cli_usage("dump", "unknown stage '%s' or format '%s'", o.stage, o.format);
    o.in.model = argv[optind];
    o.in.bind = argv + optind + 1;
    o.in.nbind = argc - optind - 1;
    idle = idle_option(&o);
    return idle ? cli_usage("dump", "this %s is not for this kind of file", idle) : dump_file(c, &o);
}
