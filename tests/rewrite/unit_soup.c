/* The rules of the library on random graphs, a random half of them or all: rewriting ends, and keeps every value: bit for bit
   with exact rules alone, else closely. Each rule must have been applied. usage: [N [SEED]] */
#include "bench.h"
#include "soup.h"

enum { GRAPHS = 3000, TEXT_SIZE = 32768 };
#define CLOSE 2e-4

struct outcome {
    double error;  /* of the rewritten graph's outputs, relative to the greatest magnitude */
    bool discard;  /* the original has no finite values, or no meaning */
    bool endless;
    long applied[128];
};

static struct bench library; /* all the rules, for their numbers */
static long total[128];
static int kept, discarded;

/* Relative to the greatest magnitude of the tensor; 0: bit for bit. */
static double error_of(const struct tensor *a, const struct tensor *b, bool *finite)
{
    double most = 0, worst = 0;

    if (a->dtype != b->dtype || !shape_equal(&a->shape, &b->shape))
        return INFINITY;
    for (long k = 0; k < shape_elems(&a->shape); k++) {
        double x = (double)tensor_f32(a)[k], e = fabs(x - (double)tensor_f32(b)[k]);
        *finite &= isfinite(x) != 0;
        most = fabs(x) > most ? fabs(x) : most;
        worst = e > worst || isnan(e) ? e : worst;
    }
    if (a->bytes == 0 || memcmp(a->data, b->data, a->bytes) == 0)
        return 0;
    return worst > 0 || isnan(worst) ? (isnan(worst) ? INFINITY : worst / (1 + most)) : 1e-300;
}

/* Which rules are applied, and how. */
struct way {
    uint64_t half; /* rule k only if bit k mod 64 is set */
    bool exact, fold;
};

static struct outcome attempt(const char *graph, const struct way *w)
{
    struct outcome o = { .error = 0 };
    struct tensor before[BENCH_OUTPUTS], after[BENCH_OUTPUTS];
    struct bench b;
    enum calque_status st = bench_open(&b, graph, "set all", -1);
    bool finite = true;

    if (st != CALQUE_OK) {
        o.discard = true;
        bench_close(&b);
        return o;
    }
    for (int k = 0, all = 0; k < b.rules.rule.n; all++) {
        if ((!w->exact || b.rules.rule.a[k].class == RULE_EXACT) && (w->half >> (all % 64) & 1)) {
            k++;
            continue;
        }
        rule_free(&b.rules.rule.a[k]);
        memmove(&b.rules.rule.a[k], &b.rules.rule.a[k + 1], (size_t)(--b.rules.rule.n - k) * sizeof *b.rules.rule.a);
    }
    b.opt.no_fold = !w->fold;
    b.opt.fuel = 400;
    bench_run(&b, &b.g, before);
    st = rewrite_fix(&b.g, &b.rules, &b.opt, &b.stats, &b.d);
    o.endless = st == CALQUE_LIMIT;
    if (!o.endless)
        bench_must(&b, st);
    bench_must(&b, graph_check(&b.g, &b.d));
    bench_run(&b, &b.g, after);
    for (int k = 0; k < b.g.output.n; k++) {
        double e = error_of(&before[k], &after[k], &finite);
        o.error = e > o.error ? e : o.error;
        tensor_free(&before[k]);
        tensor_free(&after[k]);
    }
    o.discard = !finite;
    for (int k = 0; k < b.rules.rule.n; k++) {
        int all = rules_find(&library.rules, rules_name(&b.rules, k));
        o.applied[all] = b.stats.rule[k].applied;
    }
    bench_close(&b);
    return o;
}

static bool wrong(const struct outcome *o, bool exact)
{
    return !o->discard && (o->endless || !(exact ? o->error == 0 : o->error <= CLOSE));
}

/* Leaves out statement after statement while it still fails. */
static void report(const struct soup *s, uint64_t seed, const struct way *w)
{
    static char text[TEXT_SIZE];
    bool drop[SOUP_STMTS] = { false }, less = true;
    struct outcome o;

    while (less) {
        less = false;
        for (int k = s->n - 1; k > 0; k--) {
            if (drop[k])
                continue;
            drop[k] = true;
            soup_text(s, drop, text, sizeof text);
            o = attempt(text, w);
            if (wrong(&o, w->exact))
                less = true;
            else
                drop[k] = false;
        }
    }
    soup_text(s, drop, text, sizeof text);
    o = attempt(text, w);
    CU_FAIL("another value");
    fprintf(stderr, "seed %llu%s%s: error %g%s\n%s", (unsigned long long)seed, w->exact ? ", exact rules" : "",
            w->fold ? ", folding" : "", o.error, o.endless ? ", endless" : "", text);
    for (int k = 0; k < 128; k++)
        if (o.applied[k])
            fprintf(stderr, "  %s applied %ld times\n", rules_name(&library.rules, k), o.applied[k]);
}

static long graphs = GRAPHS;
static unsigned long first = 1;

static void random_graphs(void)
{
    static char text[TEXT_SIZE];
    static struct soup s;
    const bool none[SOUP_STMTS] = { false };
    int failures = 0;

    for (long k = 0; k < graphs && failures < 5; k++) {
        uint64_t seed = first * 1000003u + (uint64_t)k;
        struct way w = { .half = ~(uint64_t)0, .exact = k % 2 == 0, .fold = k % 3 != 0 };
        struct outcome o;

        soup_make(&s, seed);
        for (int j = 0; k % 4 > 1 && j < 64; j++)
            w.half ^= (uint64_t)soup_below(&s, 2) << j;
        soup_text(&s, none, text, sizeof text);
        o = attempt(text, &w);
        if (o.discard) {
            discarded++;
        } else if (wrong(&o, w.exact)) {
            failures++;
            report(&s, seed, &w);
        } else {
            kept++;
            for (int j = 0; j < 128; j++)
                total[j] += o.applied[j];
        }
    }
    printf("  seed %lu: %d graphs, %d discarded (no finite values)\n", first, kept, discarded);
    for (int k = 0; k < library.rules.rule.n; k++) {
        bool enough = total[k] > 0 || graphs < GRAPHS;
        if (!enough || graphs > GRAPHS)
            printf("  %s applied %ld times\n", rules_name(&library.rules, k), total[k]);
        CU_ASSERT(enough);
    }
    CU_ASSERT(kept > discarded);
}

int main(int argc, char **argv)
{
    static const struct unit_case cases[] = { { "random graphs", random_graphs } };

    graphs = argc > 1 ? atol(argv[1]) : GRAPHS / unit_share();
    if (argc > 2)
        first = strtoul(argv[2], NULL, 10);
    if (bench_open(&library, "graph {\n input x: f32[1]\n return x\n}\n", "set all", -1) != CALQUE_OK)
        return 3;
    return unit_main("rewrite/soup", cases, UNIT_COUNT(cases));
}
