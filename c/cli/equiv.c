/* calque equiv: are two models the same function, by which theorem, or on which inputs not (rewrite/equiv.h). */
#include <errno.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "cli/cli.h"
#include "rewrite/equiv.h"
#include "rewrite/library.h"
#include "tensor/npy.h"
#include "tensor/op.h"

enum { PATH_MOST = 4096, NODE_NAMED = 200 };

struct equiv_command {
    struct equiv_options o;
    const char *save;
    int unread[2]; /* inputs that were left aside */
    double start;  /* of the work */
    bool shown;    /* is there a line of progress on the terminal? */
};

static int usage(FILE *f, int status)
{
    fprintf(f,
            "usage: calque equiv A B [options]\n"
            "Says whether two models compute the same outputs from the same inputs, which correspond by name (inputs that nothing\n"
            "reads and that the other model has not are left aside):\n"
            "  equal bit for bit     proved rules whose class is exact, folding, and kernels with the same cells make both the same\n"
            "  equal over the reals  so do all proved rules; floats may be rounded otherwise, also in constants that were folded\n"
            "  refuted               inputs on which an output differs by more than rounding explains\n"
            "  unknown               neither: it says where they part\n"
            "and by which theorems of coq/theorems. A NaN is any NaN. Exit status 0 when they are equal, else 1.\n\n"
            "      --exact           only bit for bit counts: one bit that differs refutes\n"
            "      --by-order        inputs and outputs correspond by their order\n"
            "      --tries N         random inputs on which both are run, where rules do not make them the same bit for bit\n"
            "                        (default 4)\n"
            "      --seed N          of the random inputs (default 1)\n"
            "      --rtol R --atol A beyond A + R * greatest magnitude of its tensor a difference is not explained by rounding\n"
            "                        (default 1e-4, 1e-5)\n"
            "      --save DIR        when refuted: the inputs as DIR/NAME.npy, the outputs as DIR/a/NAME.npy and DIR/b/NAME.npy\n"
            CLI_GIVEN_HELP
            "      --threads N       for the runs and for folding (default 2)\n"
            "      --json            machine-readable answer\n");
    return status;
}

static const char *word(const struct equiv *r)
{
    static const char *const words[] = {"equal bit for bit", "equal over the reals", "refuted", "unknown"};

    return words[r->verdict];
}

static double seconds_now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static void progress(void *ctx, const char *stage)
{
    struct equiv_command *e = ctx;
    double now = seconds_now();

    if (now - e->start < 1 || !isatty(STDERR_FILENO))
        return;
    dprintf(STDERR_FILENO, "\r%-40s %6.0f s", stage, now - e->start);
    e->shown = true;
}

/* The theorem behind equality; empty when there is none. */
static void theorem(const struct equiv *r, char out[COVER_TEXT])
{
    out[0] = '\0';
    if (r->verdict == EQUIV_EXACT || r->verdict == EQUIV_REAL) {
        rewrite_theorem(&r->cover, r->verdict == EQUIV_EXACT ? RULE_EXACT : r->class < RULE_RING ? RULE_REAL : r->class, out);
        if (r->verdict == EQUIV_REAL && r->folds)
            snprintf(out + strlen(out), COVER_TEXT - strlen(out), ", where a constant that was folded stands for its exact value");
    }
}

/* Node i of g for people: its operator and name. */
static const char *node_words(const struct graph *g, int i, char out[NODE_NAMED])
{
    const struct node *n = &g->node.a[i];
    const char *name = n->label >= 0 ? strs_text(g->strs, n->label) : graph_name(g, i);
    static const char *const kinds[] = {[NODE_INPUT] = "input", [NODE_CONST] = "constant", [NODE_PROJ] = "output", [NODE_TUPLE] = "tuple"};

    if (!name[0] && n->kind == NODE_PROJ)
        return node_words(g, graph_in(g, i, 0), out);
    if (name[0])
        snprintf(out, NODE_NAMED, "%s '%.120s'", n->kind == NODE_OP ? op_info(n->op)->name : kinds[n->kind], name);
    else
        snprintf(out, NODE_NAMED, "%s, node %d", n->kind == NODE_OP ? op_info(n->op)->name : kinds[n->kind], i);
    return out;
}

static json_t *rules_json(const struct equiv *r)
{
    json_t *all = json_array();

    for (int k = 0; k < r->rules.rule.n; k++)
        if (r->applied[0][k] + r->applied[1][k])
            cli_append(all, json_pack("{s:s, s:s, s:s?, s:b, s:b}", "name", rules_name(&r->rules, k), "class", rules_class(&r->rules, k),
                                      "theorem", library_theorem(&r->rules, k), "a", r->applied[0][k] > 0, "b",
                                      r->applied[1][k] > 0));
    return all;
}

static int answer_json(const struct equiv_command *e, const struct equiv *r, const struct graph *a, const struct graph *b, int status)
{
    char by[COVER_TEXT], x[NODE_NAMED], y[NODE_NAMED];
    json_t *j = json_object();

    theorem(r, by);
    cli_set(j, "verdict", json_string(word(r)));
    cli_set(j, "theorem", by[0] ? json_string(by) : json_null());
    cli_set(j, "terms_theorem", by[0] ? json_string("equal_term_outputs") : json_null());
    cli_set(j, "kernels_theorem", by[0] && r->kernels ? json_string("validated_twice") : json_null());
    cli_set(j, "rules", rules_json(r));
    cli_set(j, "kernels", json_integer(r->kernels));
    cli_set(j, "runs", json_integer(r->runs));
    cli_set(j, "identical", r->runs ? json_boolean(r->worst.identical) : json_null());
    cli_set(j, "max_abs", json_real(r->worst.abs));
    cli_set(j, "max_rel", json_real(r->worst.rel));
    cli_set(j, "reason", cli_text(r->reason));
    cli_set(j, "unread", json_pack("[i, i]", e->unread[0], e->unread[1]));
    if (r->part[0] >= 0)
        cli_set(j, "part", json_pack("{s:o, s:o}", "a", cli_text(node_words(a, r->part[0], x)), "b", cli_text(node_words(b, r->part[1], y))));
    if (r->verdict == EQUIV_REFUTED) {
        cli_set(j, "seed", json_integer((json_int_t)r->seed));
        cli_set(j, "output", cli_text(strs_text(a->strs, a->output.a[r->output].name)));
        if (e->save)
            cli_set(j, "saved", cli_text(e->save));
    }
    return cli_json(j, status);
}

static void print_rules(const struct equiv *r)
{
    for (int which = 0; which < 2; which++) {
        int n = 0;
        for (int k = 0; k < r->rules.rule.n; k++)
            if (r->applied[which][k])
                printf("%s%s (%s)", n++ ? ", " : which ? "rules applied to B: " : "rules applied to A: ", rules_name(&r->rules, k),
                       rules_class(&r->rules, k));
        if (n)
            printf("\n");
    }
}

static int answer(const struct equiv_command *e, const struct equiv *r, const struct graph *a, const struct graph *b, int status)
{
    char by[COVER_TEXT], x[NODE_NAMED], y[NODE_NAMED];

    theorem(r, by);
    printf("%s\n", word(r));
    if (by[0]) {
        printf("%s\n", by);
        printf("theorem equal_term_outputs: the outputs of both become the same terms\n");
        if (r->kernels)
            printf("theorem validated_twice: %ld pairs of terms are the same by the cells of their kernels\n", r->kernels);
        print_rules(r);
    }
    if (r->reason[0])
        printf("%s\n", r->reason);
    for (int i = 0; i < 2; i++)
        if (e->unread[i])
            printf("left aside: %d input%s of %c that nothing reads\n", e->unread[i], e->unread[i] == 1 ? "" : "s", "AB"[i]);
    if (r->runs && r->verdict != EQUIV_EXACT)
        printf("%ld random inputs: %s, max abs %.3g, max rel %.3g\n", r->runs,
               r->worst.identical ? "identical bit for bit" : r->worst.outside ? "DIFFERS" : "agrees", r->worst.abs, r->worst.rel);
    if (r->verdict == EQUIV_REFUTED)
        printf("output %s differs on the inputs of --seed %lu%s%s\n", strs_text(a->strs, a->output.a[r->output].name), r->seed,
               e->save ? ", saved in " : "", e->save ? e->save : "");
    if (r->part[0] >= 0)
        printf("they part at %s of A and %s of B\n", node_words(a, r->part[0], x), node_words(b, r->part[1], y));
    return status;
}

static enum calque_status directory(const char *path, struct diag *d)
{
    return mkdir(path, 0777) == 0 || errno == EEXIST
               ? CALQUE_OK
               : diag_set(d, CALQUE_IO, path, 0, 0, "cannot create the directory: %s", strerror(errno));
}

/* The run that refutes, named as the first model names its inputs and outputs. */
static enum calque_status save(struct cli *c, const char *dir, const struct equiv *r, const struct graph *a, struct diag *d)
{
    struct npy_names files = {0};
    char path[PATH_MOST];
    enum calque_status st = strlen(dir) + 3 < sizeof path ? npy_names_graph(&files, a, d)
                                                          : diag_set(d, CALQUE_BAD, dir, 0, 0, "too long a name");

    if (st == CALQUE_OK)
        st = directory(dir, d);
    for (int k = 0; k < r->inputs && st == CALQUE_OK; k++)
        st = cli_npy_write(c, dir, npy_stem(&files, k), &r->in[k], d);
    for (int i = 0; i < 2 && st == CALQUE_OK; i++) {
        snprintf(path, sizeof path, "%s/%c", dir, 'a' + i);
        st = directory(path, d);
        for (int k = 0; k < r->outputs && st == CALQUE_OK; k++)
            st = cli_npy_write(c, path, npy_stem(&files, r->inputs + k), &r->out[i][k], d);
    }
    npy_names_free(&files);
    return st;
}

static bool has_input(const struct graph *g, const char *name)
{
    for (int i = 0; i < g->input.n; i++)
        if (strcmp(graph_name(g, g->input.a[i]), name) == 0)
            return true;
    return false;
}

/* Leaves aside inputs of g that nothing reads and that the other graph has not, as optimisers leave them that folded constants. */
static enum calque_status leave_unread(struct graph *g, const struct graph *other, int *n, struct diag *d)
{
    bool *read = mem_zero(g->mem, (size_t)g->node.n + 1, sizeof *read);
    int kept = 0;

    if (!read)
        return diag_nomem(d);
    for (int i = 0; i < g->node.n; i++)
        for (int k = 0; k < g->node.a[i].nin; k++)
            if (graph_in(g, i, k) >= 0)
                read[graph_in(g, i, k)] = true;
    for (int i = 0; i < g->output.n; i++)
        read[g->output.a[i].node] = true;
    for (int i = 0; i < g->input.n; i++)
        if (read[g->input.a[i]] || has_input(other, graph_name(g, g->input.a[i])))
            g->input.a[kept++] = g->input.a[i];
    *n = g->input.n - kept;
    g->input.n = kept;
    mem_free(read);
    return *n ? graph_compact(g, NULL, d) : CALQUE_OK;
}

static int compare_models(struct cli *c, struct equiv_command *e)
{
    struct graph g[2];
    struct equiv r;
    struct diag d;
    enum calque_status st;
    int status, loaded = 0;
    bool compared = false;

    diag_clear(&d);
    do
        st = cli_load(c, e->o.file[loaded], &g[loaded], &d);
    while (++loaded < 2 && st == CALQUE_OK);
    for (int i = 0; i < 2 && st == CALQUE_OK && !e->o.by_order; i++)
        st = leave_unread(&g[i], &g[1 - i], &e->unread[i], &d);
    if (st == CALQUE_OK) {
        e->start = seconds_now();
        e->o.progress = progress;
        e->o.ctx = e;
        compared = true;
        st = equiv(&g[0], &g[1], &e->o, &r, &d);
        if (e->shown)
            dprintf(STDERR_FILENO, "\r%52s\r", "");
    }
    if (st == CALQUE_OK && r.verdict == EQUIV_REFUTED && e->save)
        st = save(c, e->save, &r, &g[0], &d);
    if (st != CALQUE_OK) {
        status = cli_fail(&d);
    } else {
        status = r.verdict <= EQUIV_REAL ? EXIT_YES : EXIT_NO;
        status = c->json ? answer_json(e, &r, &g[0], &g[1], status) : answer(e, &r, &g[0], &g[1], status);
    }
    if (compared)
        equiv_free(&r);
    while (loaded-- > 0)
        graph_free(&g[loaded]);
    return status;
}

int cmd_equiv(struct cli *c, int argc, char **argv)
{
    static const struct option longs[] = {
        CLI_GIVEN_OPTIONS, {"exact", 0, 0, 'e'}, {"by-order", 0, 0, 'o'}, {"tries", 1, 0, 'n'}, {"seed", 1, 0, 's'},
        {"rtol", 1, 0, 'R'}, {"atol", 1, 0, 'A'}, {"save", 1, 0, 'S'}, {"threads", 1, 0, 't'}, {"json", 0, 0, 'j'},
        {"help", 0, 0, 'h'}, {0, 0, 0, 0}};
    struct equiv_command e = {.o = {.tries = 4, .seed = 1, .rtol = 1e-4, .atol = 1e-5, .threads = 2}};
    int k, given;

    while ((k = getopt_long(argc, argv, "h", longs, NULL)) != -1) {
        if (cli_given(c, "equiv", k, optarg, &given)) {
            if (given != EXIT_YES)
                return given;
            continue;
        }
        switch (k) {
        case 'e': e.o.exact = true; break;
        case 'o': e.o.by_order = true; break;
        case 'n':
            if ((e.o.tries = cli_count(optarg)) < 0)
                return cli_usage("equiv", "'%s' is not a count", optarg);
            break;
        case 's':
            if (!cli_seed(optarg, &e.o.seed))
                return cli_usage("equiv", "--seed: '%s' is not a number of 0 or more", optarg);
            break;
        case 'R': case 'A':
            if (!cli_real(optarg, k == 'R' ? &e.o.rtol : &e.o.atol))
                return cli_usage("equiv", "'%s' is no tolerance: a finite number of 0 or more", optarg);
            break;
        case 'S': e.save = optarg; break;
        case 't': e.o.threads = (int)cli_count(optarg); break;
        case 'j': c->json = true; break;
        case 'h': return usage(stdout, EXIT_YES);
        default: return usage(stderr, EXIT_INPUT);
        }
    }
    if (optind != argc - 2)
        return cli_usage("equiv", "give two models");
    if (e.o.threads < 1 || e.o.threads > 256)
        return cli_usage("equiv", "--threads takes 1 to 256");
    e.o.file[0] = argv[optind];
    e.o.file[1] = argv[optind + 1];
    return compare_models(c, &e);
}
