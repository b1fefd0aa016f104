/* The sets of the library: names, choice, memory; what the rules assume of the operator table. */
#include "bench.h"
#include "tensor/op.h"

static enum calque_status parse(struct bench *b, const char *sets, const char *keep, long fail_after)
{
    enum calque_status st;

    bench_must(b, bench_open(b, "graph {\n input x: f32[1]\n return x\n}\n", "set ", -1));
    b->mem.fail_after = fail_after;
    st = library_parse(&b->rules, sets, &b->d);
    if (st == CALQUE_OK && keep)
        st = library_keep(&b->rules, keep, &b->d);
    b->mem.fail_after = -1;
    return st;
}

static int count(const char *sets, const char *keep)
{
    struct bench b;
    int n = -1;

    if (parse(&b, sets, keep, -1) == CALQUE_OK)
        n = rules_count(&b.rules);
    bench_close(&b);
    return n;
}

static void choice(void)
{
    int all = count("all", NULL), standard = count("standard", NULL), sum = 0, usual = 0;

    for (int k = 0; k < library_sets(); k++) {
        int n = count(library_set(k)->name, NULL);
        CU_ASSERT(n > 0);
        CU_ASSERT_EQUAL(library_find(library_set(k)->name, strlen(library_set(k)->name)), k);
        sum += n;
        usual += library_set(k)->standard ? n : 0;
    }
    CU_ASSERT_EQUAL(sum, all);
    CU_ASSERT_EQUAL(usual, standard);
    CU_ASSERT_EQUAL(count("all,merge,merge", NULL), all);
    CU_ASSERT_EQUAL(count("standard,merge", NULL), standard + count("merge", NULL));
    CU_ASSERT_EQUAL(count("", NULL), 0);
    CU_ASSERT_EQUAL(count("mer", NULL), -1);
    CU_ASSERT_EQUAL(count("merge,", NULL), count("merge", NULL));
    CU_ASSERT_EQUAL(count("all", "conv_mul"), 1);
    CU_ASSERT_EQUAL(count("all", "conv_mul,trans_trans,transpose_transpose,conv_mul"), 2);
    CU_ASSERT_EQUAL(count("all", "combine_parallel_conv2d,parallel_conv_variadic"), 1);
    CU_ASSERT_EQUAL(count("all", "conv_mu"), -1);
    CU_ASSERT_EQUAL(count("fold", "split_concat"), -1);
    CU_ASSERT_EQUAL(count("all", ""), 0);
}

static void names(void)
{
    struct bench b;
    int published = 0;

    bench_must(&b, parse(&b, "all", NULL, -1));
    for (int k = 0; k < rules_count(&b.rules); k++) {
        const char *name;
        CU_ASSERT(library_set_of(&b.rules, k) >= 0);
        CU_ASSERT_EQUAL(rules_find(&b.rules, rules_name(&b.rules, k)), k); /* no name twice */
        for (int j = 0; (name = library_published(rules_name(&b.rules, k), j)) != NULL; j++, published++)
            CU_ASSERT_EQUAL(library_rule(&b.rules, name, strlen(name)), k);
    }
    CU_ASSERT_EQUAL(published, 42);
    bench_close(&b);
}

static void memory(void)
{
    long k = 0;
    bool done = false;

    for (; !done; k += 1 + k / 50) {
        struct bench b;
        enum calque_status st = parse(&b, "like,merge", "parallel_conv_variadic", k);

        done = st == CALQUE_OK;
        CU_ASSERT_FATAL(done || st == CALQUE_NOMEM);
        CU_ASSERT(!done || rules_count(&b.rules) == 1);
        bench_close(&b);
    }
    CU_ASSERT(k > 100);
}

/* f(x) and f(x) are equal for every operator of the trait: rules of the set `simplify` rely on it. */
static void elementwise(void)
{
    int n;

    for (int op = 0; op < OP_COUNT; op++)
        if (op_info(op)->traits & OP_ELEMENTWISE) {
            op_attrs(op, &n);
            CU_ASSERT_EQUAL(n, 0);
            CU_ASSERT(!(op_info(op)->traits & OP_MULTI));
        }
}

static const struct unit_case cases[] = {
    { "choice of sets and rules", choice },
    { "names", names },
    { "no memory", memory },
    { "elementwise operators have no attributes", elementwise },
};

int main(void)
{
    return unit_main("rewrite/sets", cases, UNIT_COUNT(cases));
}
