/* calque match: where rules match a graph, and why they do not. The graph is not changed. */
#include <getopt.h>
#include <string.h>

#include "cli/cli.h"
#include "pattern/match_internal.h"
#include "graph/use_list_internal.h"
#include "rewrite/library.h"
#include "tensor/op.h"

struct match_options {
    const char *model, *why;
    struct cli_pick pick;
    bool sexp;
};

static int usage(FILE *f, int status)
{
    fprintf(f, "usage: calque match MODEL [--why RULE[@NODE]] [--format=text|sexp] [--json] [options]\n"
               "Lists the matches of rules (default: the standard built-in sets; with --why all of them) in the model as\n"
               "it is, each with the nodes its patterns stand for; exit status 1 if there are none. What one match\n"
               "replaces, later ones of the same rule do not.\n\n"
               CLI_PICK_HELP
               CLI_GIVEN_HELP
               "  --format=sexp     (match RULE (ROOT ..) (PATTERN NODE) ..): the form of calque-oracle match\n"
               "  --why RULE        for each candidate node of RULE that does not match: the judgement that failed, the\n"
               "                    pattern's place, the node, what was wanted and what was there\n"
               "  --why RULE@NODE   the same at the node of that value or node name\n");
    return status;
}

/* How a node is called in answers: its ONNX node name, or else its value name, or its number. */
static const char *node_word(const struct graph *g, int node, char *buf, size_t n)
{
    if (node < 0)
        return "-";
    if (g->node.a[node].label >= 0)
        return strs_text(g->strs, g->node.a[node].label);
    if (graph_name(g, node)[0])
        return graph_name(g, node);
    snprintf(buf, n, "%%%d", node);
    return buf;
}

static bool is_called(const struct graph *g, int node, const char *name)
{
    const struct node *n = &g->node.a[node];
    char buf[32];

    return (n->label >= 0 && strcmp(strs_text(g->strs, n->label), name) == 0) || strcmp(graph_name(g, node), name) == 0 ||
           strcmp(node_word(g, node, buf, sizeof buf), name) == 0;
}

static const char *op_word(const struct graph *g, int node)
{
    static const char *const kinds[] = {"input", "const", "op", "proj", "tuple"};
    const struct node *n = &g->node.a[node];
    return n->kind == NODE_OP ? op_info(n->op)->name : kinds[n->kind];
}

/* What a pattern is called: its binding, or its kind and place. */
static void put_pattern(struct text *t, const struct matcher *m, const struct match_entry *e)
{
    const struct rule *r = &m->rules->rule.a[m->rule];
    const struct pattern *q = &r->pattern.a[e->pattern];

    if (q->name >= 0)
        text_puts(t, strs_text(m->g->strs, q->name));
    else
        text_printf(t, "%s:%d:%d", pattern_word(r, e->pattern), q->line, q->col);
    if (e->instance >= 0)
        text_printf(t, "@%d", e->instance);
}

struct match_show {
    struct cli *c;
    const struct match_options *o;
    json_t *list;
    int matches;
};

static enum calque_status show_sexp(const struct matcher *m, struct text *t)
{
    match_print(t, m);
    text_puts(t, "\n");
    return CALQUE_OK;
}

static void show_text(const struct matcher *m, const struct match_entry *entry, struct text *t)
{
    char buf[32];
    int on = 0;

    text_printf(t, "%-28s ", rules_name(m->rules, m->rule));
    for (int k = 0; k < m->outs.n; k++)
        text_printf(t, "%s%s (%s)", k ? ", " : "", node_word(m->g, m->outs.a[k], buf, sizeof buf),
                    op_word(m->g, m->outs.a[k]));
    for (int k = 0; k < m->entry.n; k++) {
        const struct match_entry *e = &entry[k];
        if (e->kind == ENTRY_TAKEN)
            continue;
        text_puts(t, on++ % 6 == 0 ? "\n    " : ", ");
        put_pattern(t, m, e);
        if (e->kind == ENTRY_LENGTH)
            text_printf(t, ".length = %d", e->node);
        else
            text_printf(t, " = %s", node_word(m->g, e->node, buf, sizeof buf));
    }
    text_puts(t, "\n");
}

static json_t *show_json(const struct matcher *m, const struct match_entry *entry)
{
    json_t *roots = json_array(), *bound = json_array();
    const struct rule *r = &m->rules->rule.a[m->rule];
    int first = m->outs.a[0];
    char buf[32];

    for (int k = 0; k < m->outs.n; k++)
        cli_append(roots, cli_text(node_word(m->g, m->outs.a[k], buf, sizeof buf)));
    for (int k = 0; k < m->entry.n; k++) {
        const struct match_entry *e = &entry[k];
        const struct pattern *q = &r->pattern.a[e->pattern];
        json_t *x = json_pack("{s:i, s:s, s:i, s:i}", "pattern", e->pattern, "kind", pattern_word(r, e->pattern), "line",
                              q->line, "col", q->col);
        if (q->name >= 0)
            cli_set(x, "name", cli_text(strs_text(m->g->strs, q->name)));
        if (e->instance >= 0)
            cli_set(x, "instance", json_integer(e->instance));
        if (e->kind != ENTRY_NODE)
            cli_set(x, e->kind == ENTRY_LENGTH ? "length" : "alternative", json_integer(e->node));
        else
            cli_set(x, "node", e->node < 0 ? json_null() : cli_text(node_word(m->g, e->node, buf, sizeof buf)));
        cli_append(bound, x);
    }
    return json_pack("{s:s, s:o, s:o, s:o, s:o, s:o}", "rule", rules_name(m->rules, m->rule), "node",
                     cli_text(node_word(m->g, first, buf, sizeof buf)), "value", cli_text(graph_name(m->g, first)), "op",
                     cli_text(op_word(m->g, first)),
                     "outputs", roots, "bound", bound);
}

static enum calque_status show_match(void *ctx, const struct matcher *m, struct diag *d)
{
    struct match_show *s = ctx;
    struct match_entry *entry = match_sorted(m);
    struct text t;
    enum calque_status st;

    if (!entry)
        return diag_nomem(d);
    s->matches++;
    text_init(&t, &s->c->mem);
    if (s->o->sexp)
        show_sexp(m, &t);
    else if (s->list)
        cli_append(s->list, show_json(m, entry));
    else
        show_text(m, entry, &t);
    st = text_status(&t, d);
    if (st == CALQUE_OK && t.n > 0)
        fwrite(t.a, 1, (size_t)t.n, stdout);
    text_free(&t);
    mem_free(entry);
    return st;
}

static int list(struct cli *c, const struct graph *g, const struct rules *r, const struct match_options *o)
{
    struct match_show s = {.c = c, .o = o, .list = c->json ? json_array() : NULL};
    struct diag d;
    int status;
    long given_up = 0, *limits = mem_zero(&c->mem, (size_t)rules_count(r) + 1, sizeof *limits);
    enum calque_status st;

    diag_clear(&d);
    st = limits ? match_all_limits(r, g, -1, show_match, &s, limits, &d) : diag_nomem(&d);
    if (st != CALQUE_OK) {
        json_decref(s.list);
        mem_free(limits);
        return cli_fail(&d);
    }
    for (int k = 0; k < rules_count(r); k++) {
        given_up += limits[k];
        if (limits[k])
            fprintf(stderr, "calque: error: rule %s: a limit exceeded, %ld of its searches given up (see --why %s)\n",
                    rules_name(r, k), limits[k], rules_name(r, k));
    }
    mem_free(limits);
    status = given_up ? EXIT_INTERNAL : s.matches ? EXIT_YES : EXIT_NO;
    if (s.list)
        return cli_json(json_pack("{s:o, s:I}", "matches", s.list, "given_up", (json_int_t)given_up), status);
    if (!o->sexp)
        printf("%d matches\n", s.matches);
    return status;
}

static void show_fail(json_t *to, const struct matcher *m, int rule, int node)
{
    const struct match_fail *f = &m->fail;
    const struct rules *r = m->rules;
    char a[32], b[32];

    if (to)
        cli_append(
            to, json_pack("{s:o, s:s, s:o, s:i, s:i, s:o, s:o, s:o}", "candidate",
                          cli_text(node_word(m->g, node, a, sizeof a)), "judgement", match_rule_text(f->rule), "file",
                          cli_text(rules_file(r, rule)), "line", f->line, "col", f->col, "node",
                          cli_text(node_word(m->g, f->node, b, sizeof b)), "wanted", cli_text(f->want), "got",
                          cli_text(f->got)));
    else
        printf("%s at %s: %s failed at %s:%d:%d, node %s: wanted %s, got %s\n", rules_name(r, rule),
               node_word(m->g, node, a, sizeof a), match_rule_text(f->rule), rules_file(r, rule), f->line, f->col,
               node_word(m->g, f->node, b, sizeof b), f->want, f->got);
}

struct why {
    int rule;
    const char *at; /* node name, or NULL: every candidate */
    json_t *list;
    int matches, seen;
};

static enum calque_status why_nodes(struct matcher *m, struct why *w, struct diag *d)
{
    char buf[32];

    for (int v = 0; v < m->g->node.n; v++) {
        enum calque_status st;
        if (w->at ? !is_called(m->g, v, w->at) : !match_candidate(m, w->rule, v))
            continue;
        w->seen++;
        st = match_at(m, w->rule, v, d);
        if (st == CALQUE_OK) {
            w->matches++;
            if (w->list)
                cli_append(w->list, json_pack("{s:o, s:b}", "candidate", cli_text(node_word(m->g, v, buf, sizeof buf)),
                                              "matches", true));
            else
                printf("%s at %s: matches\n", rules_name(m->rules, w->rule), node_word(m->g, v, buf, sizeof buf));
        } else if (st == CALQUE_NO) {
            show_fail(w->list, m, w->rule, v);
        } else {
            return st;
        }
    }
    return CALQUE_OK;
}

static int why(struct cli *c, const struct graph *g, const struct rules *r, const char *what)
{
    char name[256];
    const char *at = strchr(what, '@');
    size_t len = at ? (size_t)(at - what) : strlen(what);
    struct why w = {.at = at ? at + 1 : NULL};
    struct uses uses;
    struct matcher m;
    struct diag d;
    enum calque_status st;
    bool *used; /* no node is: lists of candidates stay from one to the next */

    snprintf(name, sizeof name, "%.*s", (int)(len < 255 ? len : 255), what);
    w.rule = library_rule(r, name, strlen(name));
    if (w.rule < 0)
        return cli_usage("match", "--why: there is no rule '%s'", name);
    w.list = c->json ? json_array() : NULL;
    diag_clear(&d);
    uses_init(&uses, &c->mem);
    st = uses_build(&uses, g, &d);
    if (st == CALQUE_OK)
        st = matcher_init(&m, r, g, &uses, &d);
    if (st == CALQUE_OK) {
        m.used = used = mem_zero(&c->mem, (size_t)g->node.n + 1, sizeof *used);
        m.explain = true;
        st = used ? why_nodes(&m, &w, &d) : diag_nomem(&d);
        mem_free(used);
        matcher_free(&m);
    }
    uses_free(&uses);
    if (st == CALQUE_OK && w.at && !w.seen)
        st = diag_set(&d, CALQUE_BAD, "", 0, 0, "--why: no node is called '%s'", w.at);
    if (st != CALQUE_OK) {
        json_decref(w.list);
        return cli_fail(&d);
    }
    if (w.list)
        return cli_json(json_pack("{s:o, s:i}", "why", w.list, "matches", w.matches), w.matches ? EXIT_YES : EXIT_NO);
    printf("%d candidates, %d matches\n", w.seen, w.matches);
    return w.matches ? EXIT_YES : EXIT_NO;
}

static int match(struct cli *c, struct match_options *o)
{
    struct graph g;
    struct rules r;
    struct diag d;
    int status;
    enum calque_status st;

    diag_clear(&d);
    rules_init(&r, &c->mem, &c->strs, &c->values);
    st = cli_load(c, o->model, &g, &d);
    if (st == CALQUE_OK)
        st = cli_rules(c, &o->pick, &r, &d);
    if (st != CALQUE_OK)
        status = cli_fail(&d);
    else
        status = o->why ? why(c, &g, &r, o->why) : list(c, &g, &r, o);
    rules_free(&r);
    graph_free(&g);
    return status;
}

int cmd_match(struct cli *c, int argc, char **argv)
{
    static const struct option longs[] = {CLI_PICK_OPTIONS,    {"why", 1, 0, 'w'},  {"format", 1, 0, 'f'},
                                          {"json", 0, 0, 'j'}, {"help", 0, 0, 'h'}, CLI_GIVEN_OPTIONS,
                                          {0, 0, 0, 0}};
    struct match_options o = {0};
    bool full;
    int k, given;

    while ((k = getopt_long(argc, argv, "r:h", longs, NULL)) != -1) {
        if (cli_given(c, "match", k, optarg, &given)) {
            if (given != EXIT_YES)
                return given;
            continue;
        }
        if (cli_pick(&o.pick, k, optarg, &full)) {
            if (full)
                return cli_usage("match", "more than %d of one option", CLI_LIST);
            continue;
        }
        switch (k) {
        case 'w': o.why = optarg; break;
        case 'f':
            o.sexp = strcmp(optarg, "sexp") == 0;
            if (!o.sexp && strcmp(optarg, "text") != 0)
                return cli_usage("match", "unknown format '%s': text or sexp", optarg);
            break;
        case 'j': c->json = true; break;
        case 'h': return usage(stdout, EXIT_YES);
        default: return usage(stderr, EXIT_INPUT);
        }
    }
    if (optind != argc - 1)
        return cli_usage("match", "give one model");
    if (o.sexp && (c->json || o.why))
        return cli_usage("match", "--format=sexp goes with neither --json nor --why");
    if (o.why && !o.pick.files && !o.pick.sets && !o.pick.rules)
        o.pick.set[o.pick.sets++] = "all";
    o.model = argv[optind];
    return match(c, &o);
}
