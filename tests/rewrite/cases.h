/* One rule on small graphs, where it applies and where it must not: the graph is run before and after. */
#ifndef CALQUE_TESTS_REWRITE_CASES_H
#define CALQUE_TESTS_REWRITE_CASES_H

#include "bench.h"

struct library_case {
    const char *id;   /* of the counterexample it is, or what it shows; NULL: the rule says it */
    const char *rule;
    int applied;      /* times */
    double bound;     /* of the difference; 0: bit for bit */
    int ops;          /* operators left */
    const char *graph;
};

/* rules: as in bench_open, or NULL: the case's rule alone, and nothing is folded. */
static inline void cases_run(const struct library_case *c, int n, const char *rules)
{
    for (int k = 0; k < n; k++, c++) {
        struct bench b;
        double e;

        bench_must(&b, bench_open(&b, c->graph, rules ? rules : "set all", -1));
        if (!rules) {
            bench_must(&b, library_keep(&b.rules, c->rule, &b.d));
            b.opt.no_fold = true;
        }
        e = bench_rewrite(&b);
        if (bench_rule(&b, c->rule)->applied != c->applied || !(e <= c->bound) || graph_count_ops(&b.g) != c->ops) {
            char *t = bench_text(&b.g);
            CU_FAIL("another result than expected");
            fprintf(stderr, "%s %s\n%s\n  applied %ld (expected %d), difference %g (bound %g), %d operators (expected %d)\n%s\n",
                    c->rule, c->id ? c->id : "", c->graph, bench_rule(&b, c->rule)->applied, c->applied, e, c->bound,
                    graph_count_ops(&b.g), c->ops, t);
            fprintf(stderr, "  candidates %ld, matches %ld, refused: type %ld, stuck %ld, identity %ld, limit %ld\n",
                    bench_rule(&b, c->rule)->candidates, bench_rule(&b, c->rule)->matches, bench_rule(&b, c->rule)->refused_type,
                    bench_rule(&b, c->rule)->refused_stuck, bench_rule(&b, c->rule)->refused_identity,
                    bench_rule(&b, c->rule)->refused_limit);
            free(t);
        }
        bench_close(&b);
    }
}

#endif
