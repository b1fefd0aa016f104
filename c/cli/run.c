/* calque run: a model on tensors by the reference interpreter (tensor/run.c), and by the oracle, whose library is loaded when it is asked:
   no program of Calque is linked with it. */
#include <dlfcn.h>
#include <errno.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../oracle/oracle.h"
#include "cli/cli.h"
#include "graph/text.h"
#include "tensor/npy.h"
#include "tensor/op.h"

struct run_options {
    struct cli_inputs in;
    const char *dir, *compare, *library; /* library: of the oracle, or NULL */
    int threads;
    struct kernel_numbers numbers;
    bool print, text;
    double rtol, atol;
};

static int usage(FILE *f, int status)
{
    fprintf(f, "usage: calque run MODEL [NAME=FILE.npy ...] [options]\n"
               "Evaluates the model with the reference interpreter.\n\n"
               "  -o, --output DIR      write each output as DIR/NAME.npy (default: print a summary only); where NAME cannot be a\n"
               "                        file's name or two would share a file, the file is told\n"
               "      --random SEED     generate the inputs that are not given\n"
               "      --save-inputs     with -o: also write the inputs\n"
               "      --compare DIR     compare each output with DIR/NAME.npy; exit status 1 if they differ\n"
               "      --rtol R --atol A an element differs beyond A + R * greatest magnitude of its tensor\n"
               "                        (default 1e-4, 1e-5; 0 and 0: bit for bit)\n"
               CLI_GIVEN_HELP
               "      --oracle[=FILE]   ask the oracle too, and compare the outputs bit for bit; exit status 1 if they differ. FILE: its\n"
               "                        library, otherwise $CALQUE_ORACLE or liboracle.so beside this program or of the system\n"
               CLI_MATH_HELP CLI_SUMS_HELP CLI_FMA_HELP
               "      --threads N       default 2\n"
               "      --text            print the outputs instead, as calque-oracle model does: (output NAME (TYPE DIM ..) CELL ..),\n"
               "                        cells of floats as bits in hexadecimal or nan\n"
               "      --json            machine-readable answer\n");
    return status;
}

static enum calque_status save_input(struct cli *c, const struct run_options *o, const struct graph *g, int i,
                                     const char *stem, const struct tensor *t, struct diag *d)
{
    const char *name = graph_name(g, g->input.a[i]);

    if (!c->json && strcmp(name, stem) != 0)
        printf("input %s: file %s.npy\n", name, stem);
    return cli_npy_write(c, o->dir, stem, t, d);
}

/* Every input has a tensor. */
static enum calque_status bind_inputs(struct cli *c, const struct run_options *o, const struct graph *g,
                                      struct tensor *in, struct diag *d)
{
    enum calque_status st = cli_bind(c, &o->in, g, in, d);

    for (int i = 0; i < g->input.n && st == CALQUE_OK; i++)
        if (!in[i].dtype)
            st = diag_set(d, CALQUE_BAD, o->in.model, 0, 0, "input %s is not given (NAME=FILE.npy or --random SEED)",
                          graph_name(g, g->input.a[i]));
    return st;
}

static enum calque_status compare_one(struct cli *c, const struct run_options *o, const char *stem,
                                      const struct tensor *t, json_t *item, bool *differ, struct diag *d)
{
    struct text path;
    struct tensor want = {0};
    struct cli_diff r;
    enum calque_status st;

    text_init(&path, &c->mem);
    text_printf(&path, "%s/%s.npy", o->compare, stem);
    st = text_status(&path, d);
    if (st == CALQUE_OK)
        st = cli_npy_read(c, path.a, &want, d);
    if (st == CALQUE_OK) {
        r = cli_compare(&want, t, o->rtol, o->atol);
        bool bad = !r.comparable || (o->rtol == 0 && o->atol == 0 ? !r.identical : r.outside > 0);
        *differ = *differ || bad;
        if (item)
            cli_set(item, "compare",
                                json_pack("{s:b, s:b, s:f, s:f, s:I}", "agrees", !bad, "identical", r.identical,
                                          "max_abs", r.abs, "max_rel", r.rel, "outside", (json_int_t)r.outside));
        else if (!r.comparable)
            printf("  %s: another type or shape\n", path.a);
        else
            printf("  %s: %s, max abs %.3g, max rel %.3g, %ld of %ld outside tolerance\n", path.a,
                   r.identical ? "identical bit for bit" : bad ? "DIFFERS" : "agrees", r.abs, r.rel, r.outside, r.elems);
        tensor_free(&want);
    }
    text_free(&path);
    return st;
}

static enum calque_status report(struct cli *c, const struct run_options *o, const struct graph *g,
                                 const struct npy_names *files, const struct tensor *out, json_t *list, bool *differ,
                                 struct diag *d)
{
    enum calque_status st = CALQUE_OK;

    for (int i = 0; i < g->output.n && st == CALQUE_OK; i++) {
        const char *name = strs_text(&c->strs, g->output.a[i].name), *stem = npy_stem(files, g->input.n + i);
        json_t *item = NULL;

        if (list) {
            json_t *dims = json_array();
            for (int k = 0; k < out[i].shape.rank; k++)
                cli_append(dims, json_integer(out[i].shape.dim[k]));
            item = json_pack("{s:o, s:o, s:s, s:o}", "name", cli_text(name), "file", cli_npy(stem), "dtype",
                             dtype_name(out[i].dtype), "shape", dims);
            cli_append(list, item);
        } else {
            printf("%s: %s[", name, dtype_name(out[i].dtype));
            for (int k = 0; k < out[i].shape.rank; k++)
                printf("%s%ld", k ? ", " : "", out[i].shape.dim[k]);
            printf("]");
            if ((o->dir || o->compare) && strcmp(name, stem) != 0)
                printf(", file %s.npy", stem);
            printf("\n");
        }
        if (o->dir)
            st = cli_npy_write(c, o->dir, stem, &out[i], d);
        if (o->compare && st == CALQUE_OK)
            st = compare_one(c, o, stem, &out[i], item, differ, d);
    }
    return st;
}

static enum calque_status print_outputs(struct cli *c, const struct graph *g, const struct tensor *out, struct diag *d)
{
    struct text t;
    enum calque_status st;

    text_init(&t, &c->mem);
    graph_sexp_outputs(&t, g, out);
    st = text_status(&t, d);
    if (st == CALQUE_OK && t.n && fwrite(t.a, 1, (size_t)t.n, stdout) != (size_t)t.n)
        st = diag_set(d, CALQUE_IO, "", 0, 0, "cannot write to standard output");
    text_free(&t);
    return st;
}

/* ---- the oracle ---- */
struct oracle {
    void *library;
    enum oracle_status (*answer)(const char *language, const char *request, size_t n, struct oracle_text *answer);
    void (*text_free)(struct oracle_text *t);
};

/* ISO C has no conversion from a data pointer to a function. */
static bool symbol(void *library, const char *name, void *function)
{
    void *p = dlsym(library, name);

    if (p)
        memcpy(function, &p, sizeof p);
    return p != NULL;
}

/* liboracle.so beside the program, or what the system finds. */
static void beside(char *path, size_t n)
{
    ssize_t k = readlink("/proc/self/exe", path, n - 1);
    char *slash = NULL;

    if (k > 0) {
        path[k] = '\0';
        slash = strrchr(path, '/');
    }
    if (slash && (size_t)(slash + 1 - path) + sizeof "liboracle.so" <= n) {
        strcpy(slash + 1, "liboracle.so");
        if (access(path, R_OK) == 0)
            return;
    }
    snprintf(path, n, "liboracle.so");
}

static enum calque_status open_oracle(const struct run_options *o, struct oracle *x, struct diag *d)
{
    char path[4096];
    const char *told = *o->library ? o->library : getenv("CALQUE_ORACLE");

    if (told && *told)
        snprintf(path, sizeof path, "%s%s", strchr(told, '/') ? "" : "./", told);
    else
        beside(path, sizeof path);
    x->library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!x->library)
        return diag_set(d, CALQUE_IO, "", 0, 0, "cannot load the oracle's library: %s (make oracle builds it)", dlerror());
    if (symbol(x->library, "oracle_answer", &x->answer) && symbol(x->library, "oracle_text_free", &x->text_free))
        return CALQUE_OK;
    return diag_set(d, CALQUE_BAD, path, 0, 0, "not the oracle's library");
}

/* The next line from *at on, without its end; its length. */
static size_t line_at(const char **at)
{
    size_t n = strcspn(*at, "\n");

    *at += n + ((*at)[n] == '\n');
    return n;
}

/* Our outputs are written in the same words: line i is output i. How many are not the oracle's; names: of those. */
static int compare_lines(const struct graph *g, const char *ours, const char *theirs, bool print, json_t *names)
{
    int n = 0;

    for (int i = 0; i < g->output.n; i++) {
        const char *a = ours, *b = theirs, *name = strs_text(g->strs, g->output.a[i].name);
        size_t na = line_at(&ours), nb = line_at(&theirs);
        if (na == nb && memcmp(a, b, na) == 0)
            continue;
        n++;
        cli_append(names, cli_text(name));
        if (print)
            printf("  %s: DIFFERS from the oracle's\n", name);
    }
    return n;
}

/* The model with its tensors is the request, and what --text prints is the answer. */
static enum calque_status ask_oracle(struct cli *c, const struct run_options *o, const struct graph *g, const struct tensor *in,
                                     const struct tensor *out, json_t *names, bool *differ, struct diag *d)
{
    struct oracle x = {0};
    struct oracle_text answer = ORACLE_TEXT_INIT;
    struct text request, ours;
    enum calque_status st;

    text_init(&request, &c->mem);
    text_init(&ours, &c->mem);
    graph_sexp(&request, g);
    graph_sexp_data(&request, g, in);
    if (o->numbers.math == MATH_CALQUE)
        text_puts(&request, "(math calque)\n");
    if (o->numbers.sums == SUMS_LANES)
        text_puts(&request, "(sums lanes)\n");
    if (o->numbers.fma)
        text_puts(&request, "(fma)\n");
    graph_sexp_outputs(&ours, g, out);
    st = text_status(&request, d);
    if (st == CALQUE_OK)
        st = text_status(&ours, d);
    if (st == CALQUE_OK)
        st = open_oracle(o, &x, d);
    if (st == CALQUE_OK && x.answer("model", request.a, (size_t)request.n, &answer) != ORACLE_OK)
        st = diag_set(d, CALQUE_BAD, o->in.model, 0, 0, "the oracle: %s", answer.a ? answer.a : "out of memory");
    if (st == CALQUE_OK && strncmp(answer.a, "(output ", 8) != 0 && g->output.n > 0)
        st = diag_set(d, CALQUE_BAD, o->in.model, 0, 0, "the oracle has no value: %s", answer.a);
    if (st == CALQUE_OK) {
        int n = compare_lines(g, ours.a, answer.a, !c->json, names);
        *differ = *differ || n > 0;
        if (!c->json)
            printf("oracle: %d of %d outputs equal bit for bit\n", g->output.n - n, g->output.n);
    }
    if (x.text_free)
        x.text_free(&answer);
    text_free(&request);
    text_free(&ours);
    return st;
}

static int run_model(struct cli *c, const struct run_options *o)
{
    struct graph g;
    struct diag d;
    struct tensor *in = NULL, *out = NULL;
    struct npy_names files = {0};
    json_t *list = c->json ? json_array() : NULL, *names = o->library ? json_array() : NULL;
    bool differ = false;
    enum calque_status st;
    int status;

    diag_clear(&d);
    st = cli_load(c, o->in.model, &g, &d);
    if (st == CALQUE_OK) {
        in = mem_zero(&c->mem, (size_t)g.input.n, sizeof *in);
        out = mem_zero(&c->mem, (size_t)g.output.n, sizeof *out);
        st = in && out ? bind_inputs(c, o, &g, in, &d) : diag_nomem(&d);
    }
    if (st == CALQUE_OK)
        st = npy_names_graph(&files, &g, &d);
    if (st == CALQUE_OK) {
        st = graph_run(&g, in, out, o->threads, &o->numbers, &d);
        if (st != CALQUE_OK)
            cli_unsupported(c, o->in.model, &g, &d);
    }
    if (st == CALQUE_OK && o->dir && mkdir(o->dir, 0777) != 0 && errno != EEXIST)
        st = diag_set(&d, CALQUE_IO, o->dir, 0, 0, "cannot create the directory: %s", strerror(errno));
    for (int i = 0; st == CALQUE_OK && o->dir && o->print && i < g.input.n; i++)
        st = save_input(c, o, &g, i, npy_stem(&files, i), &in[i], &d);
    if (st == CALQUE_OK)
        st = o->text ? print_outputs(c, &g, out, &d) : report(c, o, &g, &files, out, list, &differ, &d);
    if (st == CALQUE_OK && o->library)
        st = ask_oracle(c, o, &g, in, out, names, &differ, &d);
    status = st == CALQUE_OK ? (differ ? EXIT_NO : EXIT_YES) : cli_fail(&d);
    if (list && st == CALQUE_OK)
        status = cli_json(json_pack("{s:o, s:b, s:o*}", "outputs", json_incref(list), "differ", differ, "oracle_differs", json_incref(names)), status);
    json_decref(list);
    json_decref(names);
    cli_free_tensors(in, in ? g.input.n : 0);
    cli_free_tensors(out, out ? g.output.n : 0);
    npy_names_free(&files);
    graph_free(&g);
    return status;
}

int cmd_run(struct cli *c, int argc, char **argv)
{
    static const struct option longs[] = {
        {"output", 1, 0, 'o'}, {"random", 1, 0, 'r'}, {"save-inputs", 0, 0, 's'}, {"compare", 1, 0, 'c'},
        {"rtol", 1, 0, 'R'},   {"atol", 1, 0, 'A'},   {"threads", 1, 0, 't'},     {"json", 0, 0, 'j'},
        {"text", 0, 0, 'x'},   {"oracle", 2, 0, 'l'}, {"help", 0, 0, 'h'},   CLI_GIVEN_OPTIONS, CLI_MATH_OPTION, CLI_SUMS_OPTION, CLI_FMA_OPTION, {0, 0, 0, 0}};
    struct run_options o = {.threads = 2, .rtol = 1e-4, .atol = 1e-5};
    int k, given;

    while ((k = getopt_long(argc, argv, "o:h", longs, NULL)) != -1) {
        if (cli_given(c, "run", k, optarg, &given)) {
            if (given != EXIT_YES)
                return given;
            continue;
        }
        switch (k) {
        case 'o': o.dir = optarg; break;
        case 'r':
            o.in.random = true;
            if (!cli_seed(optarg, &o.in.seed))
                return cli_usage("run", "--random: '%s' is not a number of 0 or more", optarg);
            break;
        case 's': o.print = true; break;
        case 'c': o.compare = optarg; break;
        case 'R': case 'A':
            if (!cli_real(optarg, k == 'R' ? &o.rtol : &o.atol))
                return cli_usage("run", "'%s' is no tolerance: a finite number of 0 or more", optarg);
            break;
        case CLI_MATH:
            if (!cli_math(optarg, &o.numbers.math))
                return cli_usage("run", "--math takes libm or calque, not '%s'", optarg);
            break;
        case CLI_FMA: o.numbers.fma = true; break;
        case CLI_SUMS:
            if (!cli_sums(optarg, &o.numbers.sums))
                return cli_usage("run", "--sums takes sequential or lanes, not '%s'", optarg);
            break;
        case 't': o.threads = (int)cli_count(optarg); break;
        case 'j': c->json = true; break;
        case 'x': o.text = true; break;
        case 'l': o.library = optarg ? optarg : ""; break;
        case 'h': return usage(stdout, EXIT_YES);
        default: return usage(stderr, EXIT_INPUT);
        }
    }
    if (optind >= argc)
        return cli_usage("run", "no model given");
    if (o.threads < 1 || o.threads > 256)
        return cli_usage("run", "--threads takes 1 to 256");
    if (o.text && (c->json || o.dir || o.compare || o.library))
        return cli_usage("run", "--text goes without --json, --output, --compare and --oracle");
    o.in.model = argv[optind];
    o.in.bind = argv + optind + 1;
    o.in.nbind = argc - optind - 1;
    return run_model(c, &o);
}
