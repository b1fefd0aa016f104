/* equiv on random graphs: pairs that rules of the library made are called what their rules' classes say, pairs that are broken on
   purpose are never called equal unless they are, and are refuted when a run shows it. What is called equal is run again, on
   other inputs. usage: [PAIRS [SEED]] */
#include "bench.h"
#include "rewrite/equiv.h"
#include "soup.h"

enum { PAIRS = 400, TEXT_SIZE = 32768, RUNS = 3 };

static long pairs = PAIRS;
static unsigned long first = 1;
static bool verbose;

static const struct equiv_options usual = {.tries = 3, .seed = 1, .rtol = 1e-4, .atol = 1e-5, .threads = 1};
static const char *const words[] = {"exact", "real", "refuted", "unknown"};

/* ---- what a verdict is measured by ---- */

/* Inputs that are not those of equiv's own runs. */
static void random_tensor(struct tensor *t, uint64_t *seed)
{
    for (long j = 0; j < shape_elems(&t->shape); j++) {
        *seed = *seed * 6364136223846793005u + 1442695040888963407u;
        if (t->dtype == DTYPE_F32)
            tensor_f32(t)[j] = (float)((double)(*seed >> 40) / (double)(1 << 21) - 4.0);
        else
            tensor_i64(t)[j] = (long)(*seed >> 62);
    }
}

static void run_on(struct bench *b, const struct graph *g, uint64_t seed, struct tensor *out)
{
    struct tensor in[BENCH_OUTPUTS];

    CU_ASSERT_FATAL(g->input.n <= BENCH_OUTPUTS && g->output.n <= BENCH_OUTPUTS);
    memset(in, 0, sizeof in);
    memset(out, 0, BENCH_OUTPUTS * sizeof *out);
    for (int k = 0; k < g->input.n; k++) {
        const struct node *n = &g->node.a[g->input.a[k]];
        bench_must(b, tensor_new(&b->mem, n->dtype, &n->shape, &in[k], &b->d));
        random_tensor(&in[k], &seed);
    }
    bench_must(b, graph_run(g, in, out, 1, &b->d));
    for (int k = 0; k < g->input.n; k++)
        tensor_free(&in[k]);
}

/* How far the outputs are apart on some inputs, by the greatest magnitude; 0: the same bits, any NaN being one; infinite: a NaN
   or an infinity on one side only. *finite: all values are. */
static double apart(struct bench *b, const struct graph *x, const struct graph *y, bool *finite)
{
    double worst = 0;

    *finite = true;
    for (uint64_t seed = 7; seed < 7 + RUNS; seed++) {
        struct tensor p[BENCH_OUTPUTS], q[BENCH_OUTPUTS];
        run_on(b, x, seed, p);
        run_on(b, y, seed, q);
        for (int k = 0; k < x->output.n; k++) {
            double most = 1, e = 0;
            CU_ASSERT_FATAL(p[k].dtype == DTYPE_F32 && q[k].dtype == DTYPE_F32 && shape_equal(&p[k].shape, &q[k].shape));
            for (long j = 0; j < shape_elems(&p[k].shape); j++) {
                float u = tensor_f32(&p[k])[j], v = tensor_f32(&q[k])[j];
                *finite = *finite && isfinite(u) && isfinite(v);
                if ((isnan(u) && isnan(v)) || (u == v && !signbit(u) == !signbit(v)))
                    continue;
                most = isfinite(u) && fabs((double)u) > most ? fabs((double)u) : most;
                e = u == v                       ? (e > 1e-300 ? e : 1e-300)
                    : isfinite(u) && isfinite(v) ? fmax(e, fabs((double)u - (double)v))
                                                 : (double)INFINITY;
            }
            worst = fmax(worst, e / most);
            tensor_free(&p[k]);
            tensor_free(&q[k]);
        }
    }
    return worst;
}

static void show(const char *what, uint64_t seed, const struct graph *x, const struct graph *y, const struct equiv *r)
{
    char *s = bench_text(x), *t = bench_text(y);

    fprintf(stderr, "seed %llu: %s: %s (%s)\n%s%s", (unsigned long long)seed, what, words[r->verdict], r->reason, s, t);
    free(s);
    free(t);
}

/* Nothing is called equal that is not. */
static void check_equal(struct bench *b, uint64_t seed, const struct graph *x, const struct graph *y, const struct equiv *r)
{
    bool finite;
    double e = r->verdict <= EQUIV_REAL ? apart(b, x, y, &finite) : 0;

    if (r->verdict == EQUIV_EXACT ? e == 0 : e < 1e-3 || !finite)
        return;
    CU_FAIL("called equal");
    show("called equal, but is not", seed, x, y, r);
}

/* ---- pairs that rules make ---- */

static void keep_rules(struct rules *rules, uint64_t half, bool exact)
{
    int n = 0, all = rules->rule.n;

    for (int k = 0; k < all; k++) {
        if ((exact && rules->rule.a[k].class != RULE_EXACT) || !(half >> (k % 64) & 1))
            rule_free(&rules->rule.a[k]);
        else
            rules->rule.a[n++] = rules->rule.a[k];
    }
    rules->rule.n = n;
}

static long made[2][4];

static void by_rules(void)
{
    static char text[TEXT_SIZE];
    static struct soup s;
    const bool none[SOUP_STMTS] = {false};

    for (long k = 0; k < pairs; k++) {
        uint64_t seed = first * 1000003u + (uint64_t)k, half = ~(uint64_t)0;
        bool exact = k % 2 == 0;
        struct graph y;
        struct equiv r;
        struct bench b;

        soup_make(&s, seed);
        for (int j = 0; k % 4 > 1 && j < 64; j++)
            half ^= (uint64_t)soup_below(&s, 2) << j;
        soup_text(&s, none, text, sizeof text);
        if (bench_open(&b, text, k % 3 ? "set standard" : "set all", -1) != CALQUE_OK) {
            bench_close(&b);
            continue;
        }
        keep_rules(&b.rules, half, exact);
        b.opt.no_fold = k % 5 == 0;
        b.opt.fuel = 400;
        graph_init(&y, &b.mem, &b.strs, &b.values);
        bench_must(&b, graph_copy(&b.g, &y, &b.d));
        bench_must(&b, rewrite_fix(&y, &b.rules, &b.opt, &b.stats, &b.d));
        if (b.stats.applied) {
            bool real = rewrite_class(&b.rules, &b.stats) > RULE_EXACT;
            if (k % 7 < 4) /* as calque opt does, which is a hint */
                bench_must(&b, rewrite_record(&y, &b.rules, &b.stats, &b.d));
            bench_must(&b, equiv(&b.g, &y, &usual, &r, &b.d));
            made[real][r.verdict]++;
            check_equal(&b, seed, &b.g, &y, &r);
            if (verbose && r.verdict > (real ? EQUIV_REAL : EQUIV_EXACT)) {
                show(real ? "real" : "exact", seed, &b.g, &y, &r);
                for (int i = 0; i < b.rules.rule.n; i++)
                    if (b.stats.rule[i].applied)
                        fprintf(stderr, "  %s %ld\n", rules_name(&b.rules, i), b.stats.rule[i].applied);
            }
            equiv_free(&r);
        }
        graph_free(&y);
        bench_close(&b);
    }
    for (int i = 0; i < 2; i++)
        printf("  made by %s rules: %ld exact, %ld real, %ld refuted, %ld unknown\n", i ? "real" : "exact", made[i][0], made[i][1],
               made[i][2], made[i][3]);
}

int main(int argc, char **argv)
{
    static const struct unit_case cases[] = {{"pairs that rules make", by_rules}};

    pairs = argc > 1 ? atol(argv[1]) : PAIRS / unit_share();
    if (argc > 2)
        first = strtoul(argv[2], NULL, 10);
    verbose = argc > 3;
    return unit_main("rewrite/equiv", cases, UNIT_COUNT(cases));
}
