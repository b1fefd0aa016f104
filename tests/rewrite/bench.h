/* What the rewrite room's unit tests share: a graph and rules in one set of arenas, and a comparison by
 * values. */
#ifndef CALQUE_TESTS_REWRITE_BENCH_H
#define CALQUE_TESTS_REWRITE_BENCH_H

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "graph/text.h"
#include "rewrite/library.h"
#include "rewrite/rewrite.h"
#include "unit.h"

struct bench {
    struct mem mem;
    struct strs strs;
    struct values values;
    struct graph g;
    struct rules rules;
    struct rewrite_stats stats;
    struct rewrite_options opt;
    struct diag d;
};

/* rules: text, or NULL: the standard sets of the built-in library; "set NAME,..": these sets. */
static inline enum calque_status bench_open(struct bench *b, const char *graph, const char *rules,
                                            long fail_after)
{
    enum calque_status st;
    memset(b, 0, sizeof *b);
    b->mem = (struct mem)MEM_INIT;
    b->mem.fail_after = fail_after;
    strs_init(&b->strs, &b->mem);
    values_init(&b->values, &b->mem);
    graph_init(&b->g, &b->mem, &b->strs, &b->values);
    rules_init(&b->rules, &b->mem, &b->strs, &b->values);
    diag_clear(&b->d);
    st = graph_text_read(&b->g, "t.graph", graph, strlen(graph), &b->d);
    if (st == CALQUE_OK)
        st = !rules                           ? library_parse(&b->rules, "standard", &b->d)
             : strncmp(rules, "set ", 4) == 0 ? library_parse(&b->rules, rules + 4, &b->d)
                                              : rules_parse(&b->rules, "t.gsl", rules, strlen(rules), &b->d);
    if (st == CALQUE_OK)
        st = rewrite_stats_init(&b->stats, &b->rules, &b->d);
    return st;
}

static inline void bench_close(struct bench *b)
{
    rewrite_stats_free(&b->stats);
    rules_free(&b->rules);
    graph_free(&b->g);
    values_free(&b->values);
    strs_free(&b->strs);
}

static inline void bench_must(struct bench *b, enum calque_status st)
{
    if (st != CALQUE_OK)
        fprintf(stderr, "%s:%d:%d: %s\n", b->d.file, b->d.line, b->d.col, b->d.text);
    CU_ASSERT_EQUAL_FATAL(st, CALQUE_OK);
}

static inline char *bench_text(const struct graph *g)
{
    struct text t;
    char *s;

    text_init(&t, g->mem);
    graph_text_write(&t, g);
    s = calloc((size_t)t.n + 1, 1);
    memcpy(s, t.a, (size_t)t.n);
    text_free(&t);
    return s;
}

static inline struct rewrite_count *bench_rule(struct bench *b, const char *name)
{
    int k = rules_find(&b->rules, name);

    CU_ASSERT_FATAL(k >= 0);
    return &b->stats.rule[k];
}

/* Pseudo-random inputs, the same for every graph with the same inputs: f32 in [-2, 2), i64 in 0..3. */
static inline void bench_inputs(struct bench *b, const struct graph *g, struct tensor *in)
{
    uint64_t seed = 12345;

    for (int k = 0; k < g->input.n; k++) {
        const struct node *nd = &g->node.a[g->input.a[k]];
        long n = shape_elems(&nd->shape);
        bench_must(b, tensor_new(&b->mem, nd->dtype, &nd->shape, &in[k], &b->d));
        for (long j = 0; j < n; j++) {
            seed = seed * 6364136223846793005u + 1442695040888963407u;
            if (nd->dtype == DTYPE_F32)
                tensor_f32(&in[k])[j] = (float)((double)(seed >> 40) / (double)(1 << 22) - 2.0);
            else
                tensor_i64(&in[k])[j] = (long)(seed >> 62);
        }
    }
}

enum { BENCH_OUTPUTS = 4 };

static inline void bench_run(struct bench *b, const struct graph *g, struct tensor *out)
{
    struct tensor in[BENCH_OUTPUTS];

    CU_ASSERT_FATAL(g->input.n <= BENCH_OUTPUTS && g->output.n <= BENCH_OUTPUTS);
    memset(in, 0, sizeof in);
    memset(out, 0, BENCH_OUTPUTS * sizeof *out);
    bench_inputs(b, g, in);
    bench_must(b, graph_run(g, in, out, 1, NULL, &b->d));
    for (int k = 0; k < g->input.n; k++)
        tensor_free(&in[k]);
}

/* Greatest difference relative to 1 + |a|; infinity when types differ; 0 only if bit for bit the same. */
static inline double bench_difference(const struct tensor *a, const struct tensor *b)
{
    double worst = 0;

    if (a->dtype != b->dtype || !shape_equal(&a->shape, &b->shape))
        return INFINITY;
    if (a->bytes == 0 || memcmp(a->data, b->data, a->bytes) == 0)
        return 0;
    for (long k = 0; k < shape_elems(&a->shape); k++) {
        double x, y, e;
        if (a->dtype != DTYPE_F32)
            return INFINITY;
        x = (double)tensor_f32(a)[k];
        y = (double)tensor_f32(b)[k];
        e = fabs(x - y) / (1 + fabs(x));
        if (!(e <= worst))
            worst = isnan(e) ? INFINITY : e;
    }
    return worst > 0 ? worst : 1e-300; /* -0 for 0 */
}

/* Rewrites b->g and compares its outputs with those it had. */
static inline double bench_rewrite(struct bench *b)
{
    struct tensor before[BENCH_OUTPUTS], after[BENCH_OUTPUTS];
    double worst = 0;
    int n = b->g.output.n;

    bench_run(b, &b->g, before);
    bench_must(b, rewrite_fix(&b->g, &b->rules, &b->opt, &b->stats, &b->d));
    bench_must(b, graph_check(&b->g, &b->d));
    bench_run(b, &b->g, after);
    CU_ASSERT_EQUAL_FATAL(b->g.output.n, n);
    for (int k = 0; k < n; k++) {
        double e = bench_difference(&before[k], &after[k]);
        worst = e > worst ? e : worst;
        tensor_free(&before[k]);
        tensor_free(&after[k]);
    }
    return worst;
}

#endif
