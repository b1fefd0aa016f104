/* What the matcher's unit tests share: a graph and rules in one set of arenas, and cases of one node with the judgement
   that fails there. */
#ifndef CALQUE_TESTS_PATTERN_WORLD_H
#define CALQUE_TESTS_PATTERN_WORLD_H

#include <stdio.h>
#include <string.h>

#include "graph/text.h"
#include "pattern/match.h"
#include "graph/use_list_internal.h"
#include "unit.h"

struct world {
    struct mem mem;
    struct strs strs;
    struct values values;
    struct graph g;
    struct rules rules;
    struct uses uses;
    struct matcher m;
    struct diag d;
};

static inline enum calque_status set_up(struct world *w, const char *graph, const char *rules, long fail_after)
{
    enum calque_status st;

    memset(w, 0, sizeof *w);
    w->mem = (struct mem)MEM_INIT;
    w->mem.fail_after = fail_after;
    strs_init(&w->strs, &w->mem);
    values_init(&w->values, &w->mem);
    graph_init(&w->g, &w->mem, &w->strs, &w->values);
    rules_init(&w->rules, &w->mem, &w->strs, &w->values);
    uses_init(&w->uses, &w->mem);
    diag_clear(&w->d);
    st = graph_text_read(&w->g, "t.graph", graph, strlen(graph), &w->d);
    if (st == CALQUE_OK)
        st = rules_parse(&w->rules, "t.gsl", rules, strlen(rules), &w->d);
    if (st == CALQUE_OK)
        st = uses_build(&w->uses, &w->g, &w->d);
    if (st == CALQUE_OK)
        st = matcher_init(&w->m, &w->rules, &w->g, &w->uses, &w->d);
    return st;
}

static inline void tear_down(struct world *w)
{
    matcher_free(&w->m);
    uses_free(&w->uses);
    rules_free(&w->rules);
    graph_free(&w->g);
    values_free(&w->values);
    strs_free(&w->strs);
}

static inline int node_named(const struct graph *g, const char *name)
{
    for (int k = 0; k < g->node.n; k++)
        if (strcmp(graph_name(g, k), name) == 0)
            return k;
    return -1;
}

struct match_case {
    const char *graph, *rule, *at, *fails;
    int line, col;
    const char *want, *got; /* NULL: not compared */
};

static inline void run(const struct match_case *c, int n)
{
    for (int k = 0; k < n; k++, c++) {
        struct world w;
        enum calque_status st = set_up(&w, c->graph, c->rule, -1);
        const char *label = "?";
        bool ok;

        if (st != CALQUE_OK) {
            fprintf(stderr, "%s:%d:%d: %s\n", w.d.file, w.d.line, w.d.col, w.d.text);
            CU_FAIL_FATAL("set-up");
        }
        w.m.explain = true;
        st = match_at(&w.m, 0, node_named(&w.g, c->at), &w.d);
        label = st == CALQUE_OK ? "" : match_rule_text(w.m.fail.rule);
        ok = strcmp(label, c->fails) == 0;
        if (ok && st != CALQUE_OK)
            ok = w.m.fail.line == c->line && w.m.fail.col == c->col && (!c->want || !strcmp(c->want, w.m.fail.want)) &&
                 (!c->got || !strcmp(c->got, w.m.fail.got));
        CU_ASSERT(ok);
        if (!ok)
            fprintf(stderr, "%s\n%s expected [%s] %d:%d %s / %s\n got      [%s] %d:%d %s / %s\n", c->graph, c->rule,
                    c->fails, c->line, c->col, c->want ? c->want : "", c->got ? c->got : "", label, w.m.fail.line,
                    w.m.fail.col, w.m.fail.want, w.m.fail.got);
        /* The answer does not depend on whether it is explained. */
        w.m.explain = false;
        CU_ASSERT_EQUAL(match_at(&w.m, 0, node_named(&w.g, c->at), &w.d), st);
        if (st != CALQUE_OK)
            CU_ASSERT_STRING_EQUAL(match_rule_text(w.m.fail.rule), label);
        /* Nor on whether the proved search may say alone that there is no match. */
        w.m.brief = true;
        CU_ASSERT_EQUAL(match_at(&w.m, 0, node_named(&w.g, c->at), &w.d), st);
        tear_down(&w);
    }
}

#define G(body) "graph {\n input x: f32[2, 3]\n input u: f32[2, 3]\n" body "}\n"

#endif
