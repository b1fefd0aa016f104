/* The bounded search for counterexamples: what it finds, what it leaves alone, that it is deterministic, and memory. */
#include <stdio.h>
#include <string.h>

#include "../pattern/rules_world.h"
#include "../unit.h"
#include "rewrite/rulecheck.h"

static enum calque_status read_rules(struct world *w, const char *text, long fail_after)
{
    open_world(w);
    w->mem.fail_after = fail_after;
    return rules_parse(&w->rules, "test.gsl", text, strlen(text), &w->d);
}

static enum rulecheck_answer answer(const char *text, long tries, unsigned long seed, long *instances, int *nodes)
{
    struct world w;
    struct rulecheck s;
    struct rulecheck_options o = {.tries = tries, .seed = seed, .seconds = 60};
    enum rulecheck_answer a = RULECHECK_NONE;

    CU_ASSERT_EQUAL_FATAL(read_rules(&w, text, -1), CALQUE_OK);
    CU_ASSERT_EQUAL(rulecheck(&w.rules, 0, &o, &s, &w.d), CALQUE_OK);
    a = s.answer;
    if (instances)
        *instances = s.instances;
    if (nodes)
        *nodes = s.before.node.n;
    CU_ASSERT_EQUAL(a == RULECHECK_VALUE, s.want.dtype != DTYPE_UNKNOWN);
    CU_ASSERT_EQUAL(a >= RULECHECK_VALUE, s.before.node.n > 0);
    rulecheck_free(&s);
    close_world(&w);
    return a;
}

#define RULE(class, body) "rule r {\n class " class "\n x = Wildcard()\n y = Wildcard()\n" body "}\n"

static void sound_rules(void)
{
    long n = 0;

    CU_ASSERT_EQUAL(answer(RULE("exact", " source Relu(Relu(x))\n target Relu(x)\n"), 200, 1, &n, NULL), RULECHECK_TESTED);
    CU_ASSERT_EQUAL(n, 200);
    CU_ASSERT_EQUAL(answer(RULE("ring", " source x * y + x * y\n target (x + x) * y\n"), 200, 1, NULL, NULL), RULECHECK_TESTED);
    CU_ASSERT_EQUAL(answer(RULE("ring", " source x * y\n require x.ndim == 9\n target y * x\n"), 200, 1, NULL, NULL), RULECHECK_NONE);
    CU_ASSERT_EQUAL(answer("rule r {\n class ring\n x = Wildcard(shared=true)\n y = Wildcard(shared=true)\n z = Wildcard(shared=true)\n"
                           " source x * z + y * z\n require x.shape == y.shape\n target (x + y) * z\n}\n", 200, 1, NULL, NULL),
                    RULECHECK_TESTED);
}

/* Distributivity is one of rings: not bit for bit, and without the condition not even of one type. */
static void classes(void)
{
    static const char *const form = "rule r {\n class %s\n x = Wildcard(shared=true)\n y = Wildcard(shared=true)\n"
                                    " z = Wildcard(shared=true)\n source x * z + y * z\n require x.shape == y.shape\n"
                                    " target (x + y) * z\n}\n";
    char text[512];

    snprintf(text, sizeof text, form, "exact");
    CU_ASSERT_EQUAL(answer(text, 500, 1, NULL, NULL), RULECHECK_VALUE);
    snprintf(text, sizeof text, form, "real");
    CU_ASSERT_EQUAL(answer(text, 500, 1, NULL, NULL), RULECHECK_TESTED);
    CU_ASSERT_EQUAL(answer(RULE("exact", " s = x + 0.0\n source s\n require s.shape == x.shape\n target x\n"), 500, 1, NULL, NULL), RULECHECK_VALUE); /* -0 + 0 */
}

static void refuted(void)
{
    int nodes = 0;

    CU_ASSERT_EQUAL(answer(RULE("ring", " source Relu(Neg(x))\n target Neg(Relu(x))\n"), 500, 1, NULL, &nodes), RULECHECK_VALUE);
    CU_ASSERT_EQUAL(nodes, 3);
    CU_ASSERT_EQUAL(answer(RULE("exact", " source Transpose(x)\n target x\n"), 500, 1, NULL, &nodes), RULECHECK_VALUE);
    CU_ASSERT_EQUAL(answer(RULE("exact", " source Concat(x, x, axis=0)\n target x\n"), 500, 1, NULL, &nodes), RULECHECK_TYPE);
    CU_ASSERT_EQUAL(nodes, 2);
    CU_ASSERT_EQUAL(answer(RULE("ring", " source x + y\n target y + x\n"), 500, 1, NULL, NULL), RULECHECK_LOOP);
}

static void deterministic(void)
{
    static const char text[] = RULE("exact", " source Abs(Relu(Neg(x)))\n target Neg(Relu(Abs(x)))\n");
    int a = 0, b = 0;

    CU_ASSERT_EQUAL(answer(text, 300, 7, NULL, &a), answer(text, 300, 7, NULL, &b));
    CU_ASSERT_EQUAL(a, b);
}

/* The smallest graphs come first, all of them; a search in slices is the same search. */
static void systematic(void)
{
    static const char small[] = "rule r {\n class exact\n x = Wildcard(ndim=1)\n source Relu(Relu(x))\n target Relu(x)\n}\n";
    long all = 0, parts = 0;

    for (int slices = 1; slices <= 5; slices += 4)
        for (int k = 0; k < slices; k++) {
            struct world w;
            struct rulecheck s;
            struct rulecheck_options o = {.tries = 1000, .seed = 1, .seconds = 60, .slice = k, .slices = slices};

            CU_ASSERT_EQUAL_FATAL(read_rules(&w, small, -1), CALQUE_OK);
            CU_ASSERT_EQUAL(rulecheck(&w.rules, 0, &o, &s, &w.d), CALQUE_OK);
            CU_ASSERT_EQUAL(s.answer, RULECHECK_TESTED);
            CU_ASSERT_EQUAL(s.changes, RULECHECK_CHANGES);
            CU_ASSERT_EQUAL(s.instances, 1000 / slices);
            *(slices == 1 ? &all : &parts) += s.systematic;
            rulecheck_free(&s);
            close_world(&w);
        }
    CU_ASSERT_TRUE(all > 0);
    CU_ASSERT_EQUAL(all, parts);
}

/* A value that differs says more than a target that is refused; its inputs are noughts and ones where those do. */
static void best(void)
{
    static const char text[] = RULE("ring", " source x + y\n require x.ndim == y.ndim\n target x + x\n");
    struct world w;
    struct rulecheck s;
    struct rulecheck_options o = {.seed = 1, .seconds = 60};
    int ones = 0;

    CU_ASSERT_EQUAL_FATAL(read_rules(&w, text, -1), CALQUE_OK);
    CU_ASSERT_EQUAL(rulecheck(&w.rules, 0, &o, &s, &w.d), CALQUE_OK);
    CU_ASSERT_EQUAL_FATAL(s.answer, RULECHECK_VALUE);
    CU_ASSERT_EQUAL(shape_elems(&s.want.shape), 1);
    for (int j = 0; j < s.input.n; j++) {
        float v = tensor_f32(&s.input.a[j])[0];
        CU_ASSERT_TRUE(!(v < 0) && !(v > 1));
        ones += v > 0;
    }
    CU_ASSERT_EQUAL(ones, 1);
    CU_ASSERT_TRUE(rulecheck_better(RULECHECK_TYPE, 9, &(struct rulecheck){.answer = RULECHECK_TESTED}));
    CU_ASSERT_TRUE(rulecheck_better(RULECHECK_VALUE, 9, &(struct rulecheck){.answer = RULECHECK_TYPE, .size = 1}));
    CU_ASSERT_FALSE(rulecheck_better(RULECHECK_LOOP, 1, &(struct rulecheck){.answer = RULECHECK_VALUE, .size = 9}));
    CU_ASSERT_TRUE(rulecheck_better(RULECHECK_LOOP, 1, &(struct rulecheck){.answer = RULECHECK_TYPE, .size = 9}));
    rulecheck_free(&s);
    close_world(&w);
}

static void memory(void)
{
    static const char text[] = "rule r {\n class ring\n x = Wildcard()\n w = Variable()\n b = Optional(Variable(), 0.0)\n"
                               " c = Conv(x, w, b)\n source Relu(c)\n target c\n}\n";
    long k = 0;

    for (enum calque_status st = CALQUE_NOMEM; st == CALQUE_NOMEM && k < 100000; k += k < 400 ? 1 : 97) {
        struct world w;
        struct rulecheck s;
        struct rulecheck_options o = {.tries = 2, .seed = 3, .seconds = 60};

        st = read_rules(&w, text, k);
        if (st == CALQUE_OK) {
            st = rulecheck(&w.rules, 0, &o, &s, &w.d);
            rulecheck_free(&s);
        }
        CU_ASSERT_TRUE(st == CALQUE_OK || st == CALQUE_NOMEM);
        close_world(&w);
    }
    CU_ASSERT_TRUE(k > 100 && k < 100000);
}

int main(void)
{
    static const struct unit_case cases[] = {
        {"sound rules", sound_rules},     {"classes", classes}, {"refuted", refuted},
        {"deterministic", deterministic}, {"systematic", systematic}, {"best", best}, {"memory", memory},
    };

    return unit_main("rewrite/rulecheck", cases, UNIT_COUNT(cases));
}
