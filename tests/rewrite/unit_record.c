/* What a rewritten graph says of its rules: added up over rewritings, kept where it is of another form; memory. */
#include <string.h>

#include "../unit.h"
#include "rewrite/rewrite.h"

static const char rules_text[] = "rule a {\n class exact\n x = Wildcard()\n source Relu(Relu(x))\n target Relu(x)\n}\n"
                                 "rule b {\n class ring\n x = Wildcard()\n source Neg(Neg(x))\n target x\n}\n"
                                 "rule c {\n x = Wildcard()\n source Abs(Abs(x))\n target Abs(x)\n}\n";

/* What g says of itself after the rules were applied so often, having said `rules` and `class` before. */
static enum calque_status record(const char *old_rules, const char *old_class, const long applied[3], long fail_after,
                                 const char *want_rules, const char *want_class)
{
    struct mem mem = {.fail_after = -1};
    struct strs strs;
    struct values values;
    struct rules rules;
    struct graph g;
    struct rewrite_stats stats;
    struct diag d;
    enum calque_status st;

    diag_clear(&d);
    strs_init(&strs, &mem);
    values_init(&values, &mem);
    rules_init(&rules, &mem, &strs, &values);
    graph_init(&g, &mem, &strs, &values);
    CU_ASSERT_EQUAL_FATAL(rules_parse(&rules, "test.gsl", rules_text, strlen(rules_text), &d), CALQUE_OK);
    CU_ASSERT_EQUAL_FATAL(rewrite_stats_init(&stats, &rules, &d), CALQUE_OK);
    g.rules = old_rules ? strs_addz(&strs, old_rules) : -1;
    g.class = old_class ? strs_addz(&strs, old_class) : -1;
    for (int k = 0; k < 3; k++)
        stats.rule[k].applied = applied[k];
    mem.fail_after = fail_after;
    st = rewrite_record(&g, &rules, &stats, &d);
    mem.fail_after = -1;
    if (st == CALQUE_OK) {
        CU_ASSERT_STRING_EQUAL(g.rules < 0 ? "-" : strs_text(&strs, g.rules), want_rules);
        CU_ASSERT_STRING_EQUAL(g.class < 0 ? "-" : strs_text(&strs, g.class), want_class);
    }
    rewrite_stats_free(&stats);
    graph_free(&g);
    rules_free(&rules);
    values_free(&values);
    strs_free(&strs);
    return st;
}

static void says(const char *old_rules, const char *old_class, long a, long b, long c, const char *rules, const char *class)
{
    CU_ASSERT_EQUAL(record(old_rules, old_class, (const long[]){a, b, c}, -1, rules, class), CALQUE_OK);
}

static void added(void)
{
    says(NULL, NULL, 0, 0, 0, "-", "-");
    says("a=2", "exact", 0, 0, 0, "a=2", "exact");
    says(NULL, NULL, 3, 0, 0, "a=3", "exact");
    says(NULL, NULL, 3, 1, 0, "a=3,b=1", "ring");
    says(NULL, NULL, 1, 0, 2, "a=1,c=2", "real");
    says("z=4,b=1", "real", 2, 5, 0, "z=4,b=6,a=2", "real");
    says("b=1", "ring", 2, 0, 0, "b=1,a=2", "ring");
}

/* Whatever a file says: it is kept, and taken for the weakest. */
static void foreign(void)
{
    says("what is this", NULL, 1, 0, 0, "what is this,a=1", "real");
    says("a,a=,a=x,a=1x,=,a=-1,a=99999999999999999999", "good", 1, 0, 0,
         "a,a=,a=x,a=1x,=,a=-1,a=99999999999999999999,a=1", "real");
    says("a=1,a=1", "exact", 1, 0, 0, "a=2,a=1", "exact");
    says("", "", 1, 0, 0, "a=1", "real");
}

static void memory(void)
{
    long k = 0;

    while (k < 100 && record("b=2", "exact", (const long[]){1, 1, 1}, k, "b=3,a=1,c=1", "real") == CALQUE_NOMEM)
        k++;
    CU_ASSERT_TRUE(k > 1 && k < 100);
}

int main(void)
{
    static const struct unit_case cases[] = {{"added", added}, {"foreign", foreign}, {"memory", memory}};

    return unit_main("rewrite/record", cases, UNIT_COUNT(cases));
}
