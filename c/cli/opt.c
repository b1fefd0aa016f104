/* calque opt: a model rewritten by rules to the fixpoint, and what was done. The file is written as a whole or not at
   all. */
#include <getopt.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"
#include "onnx/onnx.h"
#include "graph/text.h"
#include "rewrite/library.h"
#include "rewrite/rewrite.h"
#include "tensor/op.h"

struct opt_options {
    const char *model, *out, *dump_after;
    struct cli_pick pick;
    int dump_rule;
    bool stats, inference;
    long check, opset; /* opset 0: the model's */
    double rtol, atol;
    struct rewrite_options rewrite;
};

struct check_result {
    double abs, rel;
    long outside;
};

static int usage(FILE *f, int status)
{
    fprintf(f,
            "usage: calque opt MODEL -o OUT [options]\n"
            "Rewrites the model by rules (default: the standard built-in sets) in a fixed order and folds its parameters.\n"
            "OUT is ONNX or .graph text by its ending; - is .graph text on standard output.\n"
            "Says which theorem of coq/theorems/Opt.v covers the run, and under which condition, or why none does.\n\n"
            CLI_PICK_HELP
            CLI_GIVEN_HELP
            "  --once             one pass over the rules; --fix (default): until a pass changes nothing\n"
            "  --fuel N           at most N rewrites (default 10000 plus the number of nodes)\n"
            "  --fold-limit N     largest tensor, in bytes, that folding may make bigger (default 64 MiB)\n"
            "  --no-fold          leave constant operators alone\n"
            "  --opset N          OUT is of this opset of ONNX, not of the model's; rules whose target does not exist there are\n"
            "                     said and left out\n"
            "  --external-data    data of large initializers in OUT.data, not in OUT; always when they are too large for one file (1 GB)\n"
            "  --inference        drop training information; inputs with default values (initializers of one name) become constants\n"
            "  --dump-after RULE  print the graph text after each turn in which RULE rewrote something\n"
            "  --check N          compare with the original on N random inputs first; exit status 1 if they differ\n"
            "  --rtol R --atol A  an element differs beyond A + R * greatest magnitude of its tensor (default 1e-4, 1e-5)\n"
            "  --stats            per rule: candidates, matches, refused and why, applied, time\n"
            "  --threads N        for folding and --check (default 2)\n"
            "  --json             machine-readable answer\n");
    return status;
}

static enum calque_status dump_after(void *ctx, const struct graph *g, int rule, struct diag *d)
{
    const struct opt_options *o = ctx;
    struct text t;
    enum calque_status st;

    if (rule != o->dump_rule)
        return CALQUE_OK;
    text_init(&t, g->mem);
    text_printf(&t, "# after %s\n", o->dump_after);
    graph_text_write(&t, g);
    st = text_status(&t, d);
    if (st == CALQUE_OK)
        fwrite(t.a, 1, (size_t)t.n, stdout);
    text_free(&t);
    return st;
}

static enum calque_status run_pair(struct cli *c, const struct opt_options *o, const struct graph *a,
                                   const struct graph *b, unsigned long seed, struct check_result *r, struct diag *d)
{
    struct tensor *in = mem_zero(&c->mem, (size_t)a->input.n, sizeof *in);
    struct tensor *x = mem_zero(&c->mem, (size_t)a->output.n, sizeof *x);
    struct tensor *y = mem_zero(&c->mem, (size_t)a->output.n, sizeof *y);
    enum calque_status st = in && x && y ? cli_random(c, a, seed, in, d) : diag_nomem(d);

    if (st == CALQUE_OK) {
        st = graph_run(a, in, x, o->rewrite.threads, NULL, d);
        if (st != CALQUE_OK)
            cli_unsupported(c, o->model, a, d);
    }
    if (st == CALQUE_OK)
        st = graph_run(b, in, y, o->rewrite.threads, NULL, d);
    for (int i = 0; i < a->output.n && st == CALQUE_OK; i++) {
        struct cli_diff e = cli_compare(&x[i], &y[i], o->rtol, o->atol);
        if (!e.comparable)
            st = diag_set(d, CALQUE_INTERNAL, o->model, 0, 0, "output %s changed its type or shape",
                          strs_text(&c->strs, a->output.a[i].name));
        r->abs = e.abs > r->abs ? e.abs : r->abs;
        r->rel = e.rel > r->rel ? e.rel : r->rel;
        r->outside += e.outside;
    }
    cli_free_tensors(in, in ? a->input.n : 0);
    cli_free_tensors(x, x ? a->output.n : 0);
    cli_free_tensors(y, y ? a->output.n : 0);
    return st;
}

static long refused(const struct rewrite_count *k)
{
    return k->refused_use + k->refused_convex + k->refused_require + k->refused_injective + k->refused_type + k->refused_stuck +
           k->refused_identity + k->refused_opset + k->refused_limit;
}

static void print_stats(const struct rules *r, const struct rewrite_stats *s)
{
    printf("%-32s %-6s %10s %8s %8s %8s %9s  refused because\n", "rule", "class", "candidates", "matches", "refused", "applied", "ms");
    for (int i = 0; i < s->rules; i++) {
        const struct rewrite_count *k = &s->rule[i];
        static const char *const why[] = {"use", "not convex", "require", "injectivity", "type", "stuck", "identity", "opset", "limit"};
        const long n[] = {k->refused_use,  k->refused_convex, k->refused_require,  k->refused_injective,
                          k->refused_type, k->refused_stuck,  k->refused_identity, k->refused_opset, k->refused_limit};
        printf("%-32s %-6s %10ld %8ld %8ld %8ld %9.2f ", rules_name(r, i), rules_class(r, i), k->candidates,
               k->matches, refused(k), k->applied, k->seconds * 1e3);
        for (size_t j = 0; j < sizeof n / sizeof *n; j++)
            if (n[j])
                printf(" %s %ld", why[j], n[j]);
        printf("\n");
    }
    for (int op = 0; op < OP_COUNT; op++) {
        if (s->fold.count[op])
            printf("fold:%-27s %45ld\n", op_info(op)->name, s->fold.count[op]);
        if (s->fold.skipped[op])
            printf("fold:%-27s %ld skipped: larger than the limit\n", op_info(op)->name, s->fold.skipped[op]);
        if (s->fold.failed[op])
            printf("fold:%-27s %ld skipped: no kernel for the element types\n", op_info(op)->name, s->fold.failed[op]);
    }
    printf("folding %.2f ms\n", s->fold_seconds * 1e3);
}

static json_t *stats_json(const struct rules *r, const struct rewrite_stats *s)
{
    json_t *rules = json_object(), *folds = json_object(), *skipped = json_object();

    for (int i = 0; i < s->rules; i++) {
        const struct rewrite_count *k = &s->rule[i];
        cli_set(
            rules, rules_name(r, i),
            json_pack("{s:s, s:s?, s:I, s:I, s:I, s:f, s:{s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I}}", "class", rules_class(r, i),
                      "theorem", library_theorem(r, i), "candidates", (json_int_t)k->candidates, "matches",
                      (json_int_t)k->matches, "applied",
                      (json_int_t)k->applied, "seconds", k->seconds, "refused", "use", (json_int_t)k->refused_use,
                      "convex", (json_int_t)k->refused_convex,
                      "require", (json_int_t)k->refused_require, "injectivity", (json_int_t)k->refused_injective, "type",
                      (json_int_t)k->refused_type, "stuck", (json_int_t)k->refused_stuck, "identity",
                      (json_int_t)k->refused_identity, "opset",
                      (json_int_t)k->refused_opset, "limit", (json_int_t)k->refused_limit));
    }
    for (int op = 0; op < OP_COUNT; op++) {
        if (s->fold.count[op])
            cli_set(folds, op_info(op)->name, json_integer(s->fold.count[op]));
        if (s->fold.skipped[op] + s->fold.failed[op])
            cli_set(skipped, op_info(op)->name, json_integer(s->fold.skipped[op] + s->fold.failed[op]));
    }
    return json_pack("{s:o, s:o, s:o}", "rules", rules, "folds", folds, "folds_skipped", skipped);
}

/* The theorem that covers the run, and its condition, or what none covers. */
static void covering(const struct opt_options *o, const struct cover *x, const struct rules *r, const struct rewrite_stats *s,
                     char out[COVER_TEXT])
{
    rewrite_covering(x, r, s, out);
    if (strncmp(out, "no theorem", 10) != 0)
        snprintf(out + strlen(out), COVER_TEXT - strlen(out), "%s",
                 o->opset ? ", once the opset is another" : o->inference ? ", once it is for inference" : "");
}

/* What opt answers once the model is written. The text goes nowhere when the model itself went to standard output. */
static int answer(struct cli *c, const struct opt_options *o, const struct rules *r, const struct rewrite_stats *s,
                  const int *nodes, const struct cover *cover, const struct check_result *check, int status)
{
    int class = rewrite_class(r, s);
    char theorem[COVER_TEXT];

    if (strcmp(o->out, "-") == 0)
        return status;
    covering(o, cover, r, s, theorem);
    if (c->json) {
        json_t *a = stats_json(r, s);
        cli_set(a, "nodes_before", json_integer(nodes[0]));
        cli_set(a, "nodes_after", json_integer(nodes[1]));
        cli_set(a, "applied", json_integer(s->applied));
        cli_set(a, "passes", json_integer(s->passes));
        cli_set(a, "out_of_fuel", json_boolean(s->out_of_fuel));
        cli_set(a, "class", class < 0 ? json_null() : json_string(rule_class_name(class)));
        cli_set(a, "left_out", json_integer(o->pick.left_out));
        cli_set(a, "theorem", json_string(theorem));
        if (o->check)
            cli_set(a, "check", json_pack("{s:i, s:f, s:f, s:I}", "runs", (int)o->check, "max_abs", check->abs,
                                                      "max_rel", check->rel, "outside", (json_int_t)check->outside));
        return cli_json(a, status);
    }
    if (o->stats)
        print_stats(r, s);
    else
        for (int i = 0; i < s->rules; i++)
            if (s->rule[i].applied)
                printf("%s: %ld (%s)\n", rules_name(r, i), s->rule[i].applied, rules_class(r, i));
    printf("%d operators before, %d after, %ld rewrites in %d passes%s%s%s\n", nodes[0], nodes[1], s->applied, s->passes,
           class < 0 ? "" : ", class ", class < 0 ? "" : rule_class_name(class), s->out_of_fuel ? ", out of fuel" : "");
    printf("%s\n", theorem);
    for (int i = 0; i < s->rules; i++)
        if (s->rule[i].refused_opset)
            printf("%s: not applicable %ld times: %s (--opset N converts the model)\n", rules_name(r, i), s->rule[i].refused_opset,
                   s->rule[i].reason);
    if (o->pick.left_out)
        printf("%d rules left out for their class\n", o->pick.left_out);
    if (o->check)
        printf("check: %ld random inputs, max abs %.3g, max rel %.3g: %s\n", o->check, check->abs, check->rel,
               check->outside ? "DIFFERS" : "agrees");
    return status;
}

/* Says which rules exceeded a limit: they may have had more matches. The model is written all the same. */
static bool tell_limits(const struct rules *r, const struct rewrite_stats *s)
{
    bool any = false;

    for (int i = 0; i < s->rules; i++)
        if (s->rule[i].refused_limit || s->rule[i].given_up) {
            fprintf(stderr, "calque: error: rule %s: %s exceeded a limit (see calque match --why %s)\n", rules_name(r, i),
                    s->rule[i].given_up ? "its searches together" : "a search, an attribute or a target", rules_name(r, i));
            any = true;
        }
    return any;
}

static int optimise(struct cli *c, struct opt_options *o, struct graph *g, struct rules *r)
{
    struct graph original;
    struct rewrite_stats stats = {0};
    struct check_result check = {0, 0, 0};
    struct cover cover = {0};
    struct diag d;
    int nodes[2] = {graph_count_ops(g), 0}, status;
    bool limits;
    enum calque_status st;

    diag_clear(&d);
    graph_init(&original, &c->mem, &c->strs, &c->values);
    st = rewrite_stats_init(&stats, r, &d);
    if (st == CALQUE_OK && o->opset)
        st = onnx_convert(g, (int)o->opset, &d);
    if (st == CALQUE_OK)
        st = rewrite_cover(g, &cover, &d);
    if (st == CALQUE_OK && o->check)
        st = graph_copy(g, &original, &d);
    if (st == CALQUE_OK)
        st = rewrite_fix(g, r, &o->rewrite, &stats, &d);
    if (st == CALQUE_LIMIT && stats.out_of_fuel)
        st = CALQUE_OK;
    if (st == CALQUE_OK)
        st = graph_check(g, &d);
    if (st == CALQUE_OK)
        st = rewrite_record(g, r, &stats, &d);
    nodes[1] = st == CALQUE_OK ? graph_count_ops(g) : 0;
    for (long k = 0; k < o->check && st == CALQUE_OK; k++)
        st = run_pair(c, o, &original, g, (unsigned long)k + 1, &check, &d);
    if (st == CALQUE_OK && !check.outside)
        st = cli_save(c, o->out, g, &d);
    limits = st == CALQUE_OK && tell_limits(r, &stats);
    status = st != CALQUE_OK ? cli_fail(&d)
                             : answer(c, o, r, &stats, nodes, &cover, &check, check.outside ? EXIT_NO : limits ? EXIT_INTERNAL : EXIT_YES);
    rewrite_stats_free(&stats);
    graph_free(&original);
    return status;
}

static int opt(struct cli *c, struct opt_options *o)
{
    struct graph g;
    struct rules r;
    struct diag d;
    enum calque_status st;
    int status;

    diag_clear(&d);
    rules_init(&r, &c->mem, &c->strs, &c->values);
    st = cli_load(c, o->model, &g, &d);
    if (st == CALQUE_OK && o->inference)
        st = onnx_inference(&g, &d);
    if (st == CALQUE_OK)
        st = cli_rules(c, &o->pick, &r, &d);
    if (st != CALQUE_OK) {
        status = cli_fail(&d);
    } else if (o->dump_after && (o->dump_rule = rules_find(&r, o->dump_after)) < 0) {
        status = cli_usage("opt", "--dump-after: there is no rule '%s'", o->dump_after);
    } else {
        if (o->dump_after) {
            o->rewrite.after = dump_after;
            o->rewrite.ctx = o;
        }
        status = optimise(c, o, &g, &r);
    }
    rules_free(&r);
    graph_free(&g);
    return status;
}

static int parse(struct cli *c, struct opt_options *o, int argc, char **argv)
{
    static const struct option longs[] = {
        CLI_PICK_OPTIONS, CLI_GIVEN_OPTIONS, {"output", 1, 0, 'o'}, {"once", 0, 0, '1'},       {"fix", 0, 0, 'x'},   {"fuel", 1, 0, 'u'},
        {"fold-limit", 1, 0, 'l'}, {"no-fold", 0, 0, 'n'}, {"dump-after", 1, 0, 'd'}, {"check", 1, 0, 'k'}, {"rtol", 1, 0, 'R'},
        {"atol", 1, 0, 'A'},  {"stats", 0, 0, 's'}, {"inference", 0, 0, 'i'}, {"opset", 1, 0, 'O'}, {"threads", 1, 0, 't'},
        {"json", 0, 0, 'j'},  {"help", 0, 0, 'h'}, {"external-data", 0, 0, 'X'},
        {0, 0, 0, 0}};
    bool full;
    long n = 0;
    int k, given;

    while ((k = getopt_long(argc, argv, "r:o:h", longs, NULL)) != -1) {
        if (cli_given(c, "opt", k, optarg, &given)) {
            if (given != EXIT_YES)
                return given;
            continue;
        }
        if (cli_pick(&o->pick, k, optarg, &full)) {
            if (full)
                return cli_usage("opt", "more than %d of one option", CLI_LIST);
            continue;
        }
        if (k < 256 && strchr("ulkt", k) && (n = cli_count(optarg)) < 0)
            return cli_usage("opt", "'%s' is not a count", optarg);
        switch (k) {
        case 'o': o->out = optarg; break;
        case '1': o->rewrite.once = true; break;
        case 'x': o->rewrite.once = false; break;
        case 'u':
            if (n == 0)
                return cli_usage("opt", "--fuel takes at least 1");
            o->rewrite.fuel = n;
            break;
        case 'l': o->rewrite.fold_limit = (size_t)(n ? n : 1); break;
        case 'n': o->rewrite.no_fold = true; break;
        case 'd': o->dump_after = optarg; break;
        case 'k': o->check = n; break;
        case 'O':
            if ((o->opset = cli_count(optarg)) < 1 || o->opset > ONNX_OPSET_KNOWN)
                return cli_usage("opt", "--opset takes 1 to %d", ONNX_OPSET_KNOWN);
            break;
        case 'R': case 'A':
            if (!cli_real(optarg, k == 'R' ? &o->rtol : &o->atol))
                return cli_usage("opt", "'%s' is no tolerance: a finite number of 0 or more", optarg);
            break;
        case 's': o->stats = true; break;
        case 'i': o->inference = true; break;
        case 't': o->rewrite.threads = (int)(n > 256 ? 256 : n ? n : 1); break;
        case 'j': c->json = true; break;
        case 'X': c->external = true; break;
        case 'h': return usage(stdout, EXIT_YES);
        default: return usage(stderr, EXIT_INPUT);
        }
    }
    return -1;
}

int cmd_opt(struct cli *c, int argc, char **argv)
{
    struct opt_options o = {.rtol = 1e-4, .atol = 1e-5, .dump_rule = -1, .rewrite = {.threads = 2}};
    int status = parse(c, &o, argc, argv);

    if (status >= 0)
        return status;
    if (optind != argc - 1)
        return cli_usage("opt", "give one model");
    if (!o.out)
        return cli_usage("opt", "no output given (-o OUT)");
    if (c->external && !cli_ends(o.out, ".onnx"))
        return cli_usage("opt", "--external-data writes a file beside the model: give -o a file *.onnx");
    if (strcmp(o.out, "-") == 0 && o.dump_after)
        return cli_usage("opt", "--dump-after prints to standard output: give -o a file");
    o.model = argv[optind];
    return opt(c, &o);
}
