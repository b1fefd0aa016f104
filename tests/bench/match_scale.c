/* How matching and rewriting grow with the graph: for a rule with one output, with two and with any number, on chains of
   blocks of 10^3 to 10^6 nodes, ns of processor time per node of listing all matches and of rewriting all of them, and the exponent of the
   fit time = c * n^e; the same of a pass of the standard set over a network that has no match of it, in which half of the rules look at nodes. Exit status 1 when an exponent exceeds LIMIT or a match is missed. */
#include <limits.h>
#include <malloc.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "rewrite/library.h"
#include "rewrite/rewrite.h"
#include "tensor/op.h"

#define LIMIT 1.1

enum { SIZES = 7, RUNS = 3 };
static const int size[SIZES] = { 1000, 3162, 10000, 31623, 100000, 316228, 1000000 };

static const char rules[] =
    "rule one {\n x = Wildcard()\n source Relu(Neg(x))\n target Abs(x)\n}\n"
    "rule two {\n x = Wildcard()\n v = Variable()\n w = Variable()\n a = MatMul(x, v)\n b = MatMul(x, w)\n source [a, b]\n"
    " s = Split(MatMul(x, Concat(v, w, axis=1)), axis=1, split=(v.shape[1], w.shape[1]))\n target [s[0], s[1]]\n}\n"
    "rule any {\n x = Wildcard()\n v = Variable()\n w = Variable()\n a = MatMul(x, v)\n b = MatMul(x, w)\n"
    " src = Variadic(b, templates=[b, w], first=[a, v], min_len=2)\n source src\n i = Symbol()\n wi = src(w, i)\n"
    " c = Concat(Variadic(wi, templates=[wi], index=i, length=src.length), axis=1)\n"
    " s = Split(MatMul(x, c), axis=1, split=[src(w, k).shape[1] for k in range(src.length)])\n item = s[i]\n"
    " target Variadic(item, templates=[item], index=i)\n}\n";

/* Nodes of a block, matches in it. */
static const struct block {
    const char *rule;
    int nodes, branches;
} block[] = { { "one", 3, 0 }, { "two", 3, 2 }, { "any", 9, 5 } };

struct world {
    struct mem mem;
    struct strs strs;
    struct values values;
    struct graph g;
    struct rules rules;
    struct diag d;
};

static void must(struct world *w, enum calque_status st)
{
    if (st == CALQUE_OK)
        return;
    fprintf(stderr, "%s:%d:%d: %s\n", w->d.file, w->d.line, w->d.col, w->d.text);
    exit(3);
}

static int op(struct world *w, int kind, int a, int b)
{
    char name[16];
    int in[2] = { a, b }, node;

    snprintf(name, sizeof name, "n%d", w->g.node.n); /* as every value of an ONNX model has one */
    node = graph_op(&w->g, kind, strs_addz(&w->strs, name), in, b < 0 ? 1 : 2, NULL, 0, 1);
    if (node < 0)
        exit(3);
    must(w, op_infer(&w->g, node, &w->d));
    return node;
}

/* A chain of blocks: each starts from the value of the one before. Returns the number of blocks. */
static int build(struct world *w, const struct block *b, int n)
{
    static const struct shape shape = { .rank = 2, .dim = { 2, 2 } };
    int x = graph_input(&w->g, strs_addz(&w->strs, "x"), DTYPE_F32, &shape), in[8], blocks = 0;

    for (int k = 0; k < b->branches; k++) {
        char name[16];
        snprintf(name, sizeof name, "w%d", k);
        in[k] = graph_input(&w->g, strs_addz(&w->strs, name), DTYPE_F32, &shape);
    }
    for (; w->g.node.n + b->nodes <= n; blocks++) {
        int y;
        if (b->branches == 0) {
            x = op(w, OP_Exp, op(w, OP_Relu, op(w, OP_Neg, x, -1), -1), -1);
            continue;
        }
        y = op(w, OP_MatMul, x, in[0]);
        for (int k = 1; k < b->branches; k++) /* as two branches as five: the sum of the products */
            y = op(w, OP_Add, y, op(w, OP_MatMul, x, in[k]));
        x = y;
    }
    if (!graph_output(&w->g, x, strs_addz(&w->strs, "y")))
        exit(3);
    return blocks;
}

static double now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static enum calque_status count(void *ctx, const struct matcher *m, struct diag *d)
{
    (void)m;
    (void)d;
    ++*(int *)ctx;
    return CALQUE_OK;
}

static void world_open(struct world *w)
{
    memset(w, 0, sizeof *w);
    w->mem = (struct mem)MEM_INIT;
    strs_init(&w->strs, &w->mem);
    values_init(&w->values, &w->mem);
    graph_init(&w->g, &w->mem, &w->strs, &w->values);
    rules_init(&w->rules, &w->mem, &w->strs, &w->values);
}

static void world_close(struct world *w)
{
    rules_free(&w->rules);
    graph_free(&w->g);
    values_free(&w->values);
    strs_free(&w->strs);
}

static double pass(int n)
{
    static const struct shape shape = { .rank = 4, .dim = { 1, 3, 4, 4 } }, kernel = { .rank = 4, .dim = { 3, 3, 1, 1 } };
    struct world w;
    struct rewrite_stats stats;
    struct rewrite_options opt = { .once = true, .no_fold = true, .fuel = 1L << 30 };
    int x, k;
    double t;

    world_open(&w);
    must(&w, library_parse(&w.rules, "standard", &w.d));
    x = graph_input(&w.g, strs_addz(&w.strs, "x"), DTYPE_F32, &shape);
    k = graph_input(&w.g, strs_addz(&w.strs, "k"), DTYPE_F32, &kernel);
    while (w.g.node.n + 5 <= n) {
        int y = op(&w, OP_Relu, op(&w, OP_Conv, x, k), -1);
        x = op(&w, OP_Mul, op(&w, OP_Add, op(&w, OP_Sigmoid, y, -1), y), x);
    }
    if (!graph_output(&w.g, x, strs_addz(&w.strs, "y")))
        exit(3);
    must(&w, rewrite_stats_init(&stats, &w.rules, &w.d));
    t = now();
    must(&w, rewrite_fix(&w.g, &w.rules, &opt, &stats, &w.d));
    t = now() - t;
    if (stats.applied > 0) {
        fprintf(stderr, "standard: %ld rewritten\n", stats.applied);
        exit(1);
    }
    rewrite_stats_free(&stats);
    world_close(&w);
    return t;
}

struct times {
    double match, rewrite;
};

static struct times measure(const struct block *b, int n)
{
    struct world w;
    struct rewrite_stats stats;
    struct rewrite_options opt = { .once = true, .no_fold = true, .fuel = 1L << 30 };
    struct times t;
    int blocks, found = 0, rule;

    world_open(&w);
    must(&w, rules_parse(&w.rules, "rules", rules, strlen(rules), &w.d));
    rule = rules_find(&w.rules, b->rule);
    opt.only = rule + 1;
    blocks = build(&w, b, n);
    t.match = now();
    must(&w, match_all(&w.rules, &w.g, rule, count, &found, NULL, &w.d));
    t.match = now() - t.match;
    must(&w, rewrite_stats_init(&stats, &w.rules, &w.d));
    t.rewrite = now();
    must(&w, rewrite_fix(&w.g, &w.rules, &opt, &stats, &w.d));
    t.rewrite = now() - t.rewrite;
    if (found != blocks || stats.applied != blocks) {
        fprintf(stderr, "%s: %d blocks, %d matches, %ld rewritten\n", b->rule, blocks, found, stats.applied);
        exit(1);
    }
    rewrite_stats_free(&stats);
    world_close(&w);
    return t;
}

/* The slope of log y over log n, least squares. */
static double exponent(const double *y)
{
    double sx = 0, sy = 0, sxx = 0, sxy = 0;

    for (int k = 0; k < SIZES; k++) {
        double a = log((double)size[k]), b = log(y[k]);
        sx += a;
        sy += b;
        sxx += a * a;
        sxy += a * b;
    }
    return (SIZES * sxy - sx * sy) / (SIZES * sxx - sx * sx);
}

static void row(const char *rule, const char *what, const double *y, int *over)
{
    double e = exponent(y);

    printf("%-6s %-10s", rule, what);
    for (int k = 0; k < SIZES; k++)
        printf(" %8.0f", y[k] / size[k] * 1e9);
    printf("   n^%.2f\n", e);
    *over += e > LIMIT;
}

int main(void)
{
    double standard[SIZES];
    int over = 0;

    /* The heap is kept from run to run whatever its size, so that every size finds its memory mapped in the second. */
    mallopt(M_MMAP_MAX, 0);
    mallopt(M_TRIM_THRESHOLD, INT_MAX);
    printf("%-17s", "ns per node of");
    for (int k = 0; k < SIZES; k++)
        printf(" %8d", size[k]);
    printf("   fit\n");
    for (size_t b = 0; b < sizeof block / sizeof *block; b++) {
        double match[SIZES], rewrite[SIZES];
        for (int k = 0; k < SIZES; k++) {
            match[k] = rewrite[k] = 1e30;
            for (int run = 0; run < RUNS; run++) {
                struct times t = measure(&block[b], size[k]);
                match[k] = t.match < match[k] ? t.match : match[k];
                rewrite[k] = t.rewrite < rewrite[k] ? t.rewrite : rewrite[k];
            }
        }
        row(block[b].rule, "matching", match, &over);
        row(block[b].rule, "rewriting", rewrite, &over);
    }
    for (int k = 0; k < SIZES; k++) {
        standard[k] = 1e30;
        for (int run = 0; run < RUNS; run++) {
            double t = pass(size[k]);
            standard[k] = t < standard[k] ? t : standard[k];
        }
    }
    row("set", "a pass", standard, &over);
    if (over > 0)
        printf("%d exponents exceed %.1f\n", over, LIMIT);
    return over > 0;
}
