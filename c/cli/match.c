#include <getopt.h>
#include <string.h>

#include "cli/cli.h"
#include "pattern/match.h"
#include "pattern/uses.h"
#include "tensor/op.h"

static int usage(FILE *f, int status)
{
    fprintf(f, "usage: calque match MODEL [--why RULE[@NODE]] [--json] [options]\n"
               "Lists the matches of rules (default: the standard built-in sets; with --why all of them) in the model as\n"
               "it is; exit status 1 if there are none.\n\n"
               CLI_PICK_HELP
               "  --why RULE        for each candidate node of RULE that does not match: the judgement that failed, the\n"
               "                    pattern's place, the node, what was wanted and what was there\n"
               "  --why RULE@NODE   the same at the node of that value or node name\n");
    return status;
}

/* How a node is called in answers: its ONNX node name, or else its value name. */
static const char *node_word(const struct graph *g, int node)
{
    if (node < 0)
        return "-";
    if (g->node.a[node].label >= 0)
        return strs_text(g->strs, g->node.a[node].label);
    return graph_name(g, node);
}

static bool is_called(const struct graph *g, int node, const char *name)
{
    const struct node *n = &g->node.a[node];
    return (n->label >= 0 && strcmp(strs_text(g->strs, n->label), name) == 0) || strcmp(graph_name(g, node), name) == 0;
}

static const char *op_word(const struct graph *g, int node)
{
    static const char *const kinds[] = {"input", "const", "op", "proj", "tuple"};
    const struct node *n = &g->node.a[node];
    return n->kind == NODE_OP ? op_info(n->op)->name : kinds[n->kind];
}

static int show_sites(struct cli *c, const struct graph *g, const struct rules *r, const struct match_sites *sites)
{
    json_t *list = c->json ? json_array() : NULL;

    for (int i = 0; i < sites->n; i++) {
        const struct match_site *s = &sites->a[i];
        if (list)
            json_array_append_new(list, json_pack("{s:s, s:s, s:s, s:s}", "rule", rules_name(r, s->rule), "node",
                                                  node_word(g, s->node), "value", graph_name(g, s->node), "op",
                                                  op_word(g, s->node)));
        else
            printf("%-28s %s (%s)\n", rules_name(r, s->rule), node_word(g, s->node), op_word(g, s->node));
    }
    if (list)
        return cli_json(json_pack("{s:o}", "matches", list), sites->n ? EXIT_YES : EXIT_NO);
    printf("%d matches\n", sites->n);
    return sites->n ? EXIT_YES : EXIT_NO;
}

static void show_fail(struct cli *c, json_t *list, const struct matcher *m, const struct rules *r, int rule, int node)
{
    const struct match_fail *f = &m->fail;

    if (list) {
        json_array_append_new(
            list, json_pack("{s:s, s:s, s:s, s:i, s:i, s:s, s:s, s:s}", "candidate", node_word(m->g, node), "judgement",
                            match_rule_text(f->rule), "file", rules_file(r, rule), "line", f->line, "col", f->col, "node",
                            node_word(m->g, f->node), "wanted", f->want, "got", f->got));
        return;
    }
    printf("%s at %s: %s failed at %s:%d:%d, node %s: wanted %s, got %s\n", rules_name(r, rule), node_word(m->g, node),
           match_rule_text(f->rule), rules_file(r, rule), f->line, f->col, node_word(m->g, f->node), f->want, f->got);
    (void)c;
}

struct why {
    int rule;
    const char *at; /* node name, or NULL: every candidate */
};

static enum calque_status why_nodes(struct cli *c, struct matcher *m, const struct rules *r, const struct why *w,
                                    json_t *list, int *matches, int *seen, struct diag *d)
{
    for (int v = 0; v < m->g->node.n; v++) {
        enum calque_status st;
        if (w->at ? !is_called(m->g, v, w->at) : !match_candidate(m, w->rule, v))
            continue;
        ++*seen;
        st = match_at(m, w->rule, v, d);
        if (st == CALQUE_OK) {
            ++*matches;
            if (list)
                json_array_append_new(list, json_pack("{s:s, s:b}", "candidate", node_word(m->g, v), "matches", true));
            else
                printf("%s at %s: matches\n", rules_name(r, w->rule), node_word(m->g, v));
        } else if (st == CALQUE_NO) {
            show_fail(c, list, m, r, w->rule, v);
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
    struct why w = {.rule = -1, .at = at ? at + 1 : NULL};
    struct uses uses;
    struct matcher m;
    struct diag d;
    int matches = 0, seen = 0, status;
    json_t *list = c->json ? json_array() : NULL;
    enum calque_status st;

    snprintf(name, sizeof name, "%.*s", (int)(len < 255 ? len : 255), what);
    w.rule = rules_find(r, name);
    if (w.rule < 0) {
        json_decref(list);
        return cli_usage("match", "--why: there is no rule '%s'", name);
    }
    diag_clear(&d);
    uses_init(&uses, &c->mem);
    st = uses_build(&uses, g, &d);
    if (st == CALQUE_OK) {
        st = matcher_init(&m, r, g, &uses, &d);
        if (st == CALQUE_OK) {
            m.explain = true;
            st = why_nodes(c, &m, r, &w, list, &matches, &seen, &d);
        }
        matcher_free(&m);
    }
    uses_free(&uses);
    if (st == CALQUE_OK && w.at && !seen)
        st = diag_set(&d, CALQUE_BAD, "", 0, 0, "--why: no node is called '%s'", w.at);
    if (st != CALQUE_OK) {
        json_decref(list);
        return cli_fail(&d);
    }
    status = matches ? EXIT_YES : EXIT_NO;
    if (list)
        return cli_json(json_pack("{s:o, s:i}", "why", list, "matches", matches), status);
    printf("%d candidates, %d matches\n", seen, matches);
    return status;
}

static int match(struct cli *c, const char *model, const struct cli_pick *pick, const char *what)
{
    struct graph g;
    struct rules r;
    struct match_sites sites = {0};
    struct diag d;
    int status;
    enum calque_status st;

    diag_clear(&d);
    rules_init(&r, &c->mem, &c->strs, &c->values);
    st = cli_load(c, model, &g, &d);
    if (st == CALQUE_OK)
        st = cli_rules(c, pick, &r, &d);
    if (st == CALQUE_OK && !what)
        st = match_all(&r, &g, &sites, &d);
    if (st != CALQUE_OK)
        status = cli_fail(&d);
    else
        status = what ? why(c, &g, &r, what) : show_sites(c, &g, &r, &sites);
    mem_free(sites.a);
    rules_free(&r);
    graph_free(&g);
    return status;
}

int cmd_match(struct cli *c, int argc, char **argv)
{
    static const struct option longs[] = {
        CLI_PICK_OPTIONS, {"why", 1, 0, 'w'}, {"json", 0, 0, 'j'}, {"help", 0, 0, 'h'}, {0, 0, 0, 0}};
    struct cli_pick pick = {.files = 0};
    const char *what = NULL;
    bool full;
    int k;

    while ((k = getopt_long(argc, argv, "r:h", longs, NULL)) != -1) {
        if (cli_pick(&pick, k, optarg, &full)) {
            if (full)
                return cli_usage("match", "more than %d of one option", CLI_LIST);
            continue;
        }
        switch (k) {
        case 'w': what = optarg; break;
        case 'j': c->json = true; break;
        case 'h': return usage(stdout, EXIT_YES);
        default: return usage(stderr, EXIT_INPUT);
        }
    }
    if (optind != argc - 1)
        return cli_usage("match", "give one model");
    if (what && !pick.files && !pick.sets && !pick.rules)
        pick.set[pick.sets++] = "all";
    return match(c, argv[optind], &pick, what);
}
