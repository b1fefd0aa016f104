/* Memoised evaluation: the counterexamples to the rule of the thesis, what is evaluated once, and the failure sweep. */
#include "unit.h"

#include "attr/memo.h"
#include "attr/world.h"

/* The text of the value of a, with the memo; NULL: stuck. */
static const char *memo_text(struct world *w, struct attr_memo *m, const struct attr_env *e, int a)
{
    int v = -1;
    enum attr_result res = attr_eval_memo(&w->attrs, e, m, a, &v);

    CU_ASSERT(res != ATTR_FULL);
    return res == ATTR_VALUE ? text_of(w, v) : NULL;
}

/* GSL thesis, chapter implementation: the rule printed there takes sum(1 for s in range(s)) for closed
   (coq/attr/Memo.v, erratum_free_symbols). */
static void test_erratum(void)
{
    struct attr_env e = { .slot = NULL };
    struct attr_memo m;
    struct world w;
    const char *s;
    int a, b, one;

    set_up(&w, -1);
    a = expr(&w, "(var 0 3 (sum (var 0 (sym 0) 1)))");
    b = expr(&w, "(var 0 3 (tuple (sum (var 0 (sym 0) 1)) (sum (var 0 (sym 0) 1)) (sym 0)))");
    one = value_int(&w.values, 1);
    e.symbol = &one;
    attr_memo_init(&m, &w.mem);
    CU_ASSERT_FATAL(a >= 0 && b >= 0 && attr_memo_start(&m, &w.attrs));
    for (int round = 0; round < 2; round++, e.nsymbol = 1) { /* the symbol unbound outside, then bound */
        CU_ASSERT((s = memo_text(&w, &m, &e, a)) && strcmp(s, "(tuple 0 1 2)") == 0);
        CU_ASSERT((s = memo_text(&w, &m, &e, b)) && strcmp(s, "(tuple (tuple 0 0 0) (tuple 1 1 1) (tuple 2 2 2))") == 0);
        CU_ASSERT_FATAL(attr_memo_start(&m, &w.attrs));
    }
    attr_memo_free(&m);
    tear_down(&w);
}

/* [run ME1] of the reference implementation: `reversed` and `zip` of something with a symbol were taken for closed, and the
   second branch got the axes (1, 0) of the first instead of (0, 1). */
static void test_me1(void)
{
    static const char *const text[] = { "(reversed (tuple (sym 0) (sub 1 (sym 0))))", "(zip (tuple (sym 0)) (tuple (sub 1 (sym 0))))",
                                        "(tuple (reversed (tuple (sym 0) (sub 1 (sym 0)))) (reversed (tuple (sym 0) (sub 1 (sym 0)))))" };
    static const char *const want[][2] = { { "(tuple 1 0)", "(tuple 0 1)" }, { "(tuple (tuple 0 1))", "(tuple (tuple 1 0))" },
                                           { "(tuple (tuple 1 0) (tuple 1 0))", "(tuple (tuple 0 1) (tuple 0 1))" } };
    struct attr_memo m;
    struct world w;
    int a[3], symbol;

    set_up(&w, -1);
    for (int k = 0; k < 3; k++)
        CU_ASSERT_FATAL((a[k] = expr(&w, text[k])) >= 0);
    attr_memo_init(&m, &w.mem);
    CU_ASSERT_FATAL(attr_memo_start(&m, &w.attrs));
    for (int branch = 0; branch < 2; branch++)
        for (int k = 0; k < 3; k++) {
            struct attr_env e = { .symbol = &symbol, .nsymbol = 1 };
            const char *s;

            symbol = value_int(&w.values, branch);
            CU_ASSERT((s = memo_text(&w, &m, &e, a[k])) && strcmp(s, want[k][branch]) == 0);
        }
    attr_memo_free(&m);
    tear_down(&w);
}

static int calls;

static enum attr_result count_calls(void *ctx, int pattern, long k, int label, int *out)
{
    (void)pattern;
    (void)label;
    calls++;
    *out = value_int(ctx, 7 * k);
    return *out < 0 ? ATTR_FULL : ATTR_VALUE;
}

/* What is closed is evaluated once: in the body of a comprehension, in several places, in several expressions. */
static void test_once(void)
{
    struct attr_memo m;
    struct world w;
    struct attr_env e = { .inst = count_calls };
    int a, b, c, v = -1, before;

    set_up(&w, -1);
    e.ctx = &w.values;
    a = expr(&w, "(sum (var 0 1000 (add (sym 0) (sum (var 1 1000 (sym 1))))))");
    b = expr(&w, "(tuple (neg (inst 3 1 x)) (neg (inst 3 1 x)))");
    c = expr(&w, "(neg (inst 3 1 x))");
    attr_memo_init(&m, &w.mem);
    CU_ASSERT_FATAL(attr_memo_start(&m, &w.attrs));
    before = w.values.n;
    CU_ASSERT(attr_eval_memo(&w.attrs, &e, &m, a, &v) == ATTR_VALUE && w.values.v[v].num == 1000 * 499500L + 499500);
    CU_ASSERT(w.values.n - before < 10000); /* and not 10^6 */
    calls = 0;
    CU_ASSERT(attr_eval_memo(&w.attrs, &e, &m, b, &v) == ATTR_VALUE && strcmp(text_of(&w, v), "(tuple -7 -7)") == 0);
    CU_ASSERT(attr_eval_memo(&w.attrs, &e, &m, c, &v) == ATTR_VALUE && w.values.v[v].num == -7);
    CU_ASSERT(attr_eval_memo(&w.attrs, &e, &m, b, &v) == ATTR_VALUE && strcmp(text_of(&w, v), "(tuple -7 -7)") == 0);
    CU_ASSERT(calls == 1);
    CU_ASSERT(attr_memo_start(&m, &w.attrs)); /* forgets */
    CU_ASSERT(attr_eval_memo(&w.attrs, &e, &m, c, &v) == ATTR_VALUE && calls == 2);
    before = w.values.n; /* and tries again */
    CU_ASSERT(attr_eval_memo(&w.attrs, &e, &m, a, &v) == ATTR_VALUE && w.values.n - before < 10000);
    attr_memo_free(&m);
    tear_down(&w);
}

/* What is closed and stuck, where no value needs it, is tried once, not in each expression that has it. */
static void test_stuck_once(void)
{
    struct attr_memo m;
    struct world w;
    struct attr_env e = { .inst = count_calls };
    int a, b, v = -1;

    set_up(&w, -1);
    e.ctx = &w.values;
    a = expr(&w, "(var 0 2 (cond (ge (sym 0) 0) (sym 0) (sum (var 1 2 (floordiv (inst 3 (sym 1) x) 0)))))");
    b = expr(&w, "(var 0 3 (cond (ge (sym 0) 0) (sym 0) (sum (var 1 2 (floordiv (inst 3 (sym 1) x) 0)))))");
    attr_memo_init(&m, &w.mem);
    CU_ASSERT_FATAL(attr_memo_start(&m, &w.attrs));
    calls = 0;
    CU_ASSERT(attr_eval_memo(&w.attrs, &e, &m, a, &v) == ATTR_VALUE && strcmp(text_of(&w, v), "(tuple 0 1)") == 0);
    CU_ASSERT(attr_eval_memo(&w.attrs, &e, &m, b, &v) == ATTR_VALUE && strcmp(text_of(&w, v), "(tuple 0 1 2)") == 0);
    CU_ASSERT(calls == 2); /* the tuple that is summed, and the sum */
    attr_memo_free(&m);
    tear_down(&w);
}

/* What is stuck where it is not needed does not matter; expressions made after the start, and ids that are none. */
static void test_rest(void)
{
    struct attr_env none = { .slot = NULL };
    struct attr_memo m;
    struct world w;
    const char *s;
    int a, v = -1;

    set_up(&w, -1);
    a = expr(&w, "(var 0 2 (cond (ge (sym 0) 0) (sym 0) (floordiv (add 1 2) 0)))");
    attr_memo_init(&m, &w.mem);
    CU_ASSERT(attr_eval_memo(&w.attrs, &none, &m, a, &v) == ATTR_VALUE); /* never started */
    CU_ASSERT_FATAL(attr_memo_start(&m, &w.attrs));
    CU_ASSERT((s = memo_text(&w, &m, &none, a)) && strcmp(s, "(tuple 0 1)") == 0);
    a = expr(&w, "(var 0 2 (add (sym 0) (add 1 2)))");
    CU_ASSERT((s = memo_text(&w, &m, &none, a)) && strcmp(s, "(tuple 3 4)") == 0);
    CU_ASSERT_FATAL(attr_memo_start(&m, &w.attrs));
    CU_ASSERT((s = memo_text(&w, &m, &none, a)) && strcmp(s, "(tuple 3 4)") == 0);
    CU_ASSERT(memo_text(&w, &m, &none, expr(&w, "(tuple (neg _) (neg _))")) == NULL);
    CU_ASSERT(attr_eval_memo(&w.attrs, &none, &m, -1, &v) == ATTR_FULL && attr_eval_memo(&w.attrs, &none, &m, 9999, &v) == ATTR_FULL);
    /* symbols from 63 on */
    a = expr(&w, "(var 70 2 (tuple (neg (sym 70)) (neg (sym 70))))");
    CU_ASSERT_FATAL(attr_memo_start(&m, &w.attrs));
    CU_ASSERT((s = memo_text(&w, &m, &none, a)) && strcmp(s, "(tuple (tuple 0 0) (tuple -1 -1))") == 0);
    attr_memo_free(&m);
    tear_down(&w);
}

static bool workload(struct world *w)
{
    struct attr_env none = { .slot = NULL };
    struct attr_memo m;
    int a, v = -1;
    bool ok;

    attr_memo_init(&m, &w->mem);
    a = expr(w, "(var 0 3 (add (sym 0) (add (mul 2 3) (mul 2 3))))");
    ok = a >= 0 && attr_memo_start(&m, &w->attrs) && attr_eval_memo(&w->attrs, &none, &m, a, &v) == ATTR_VALUE;
    if (ok)
        CU_ASSERT(w->values.v[v].len == 3 && w->values.v[w->values.pool[w->values.v[v].first + 2]].num == 14);
    attr_memo_free(&m);
    return ok;
}

static void test_failures(void)
{
    sweep_failures(workload, 10);
}

int main(void)
{
    static const struct unit_case cases[] = {
        { "erratum", test_erratum }, { "ME1", test_me1 }, { "once", test_once }, { "stuck", test_stuck_once },
        { "rest", test_rest }, { "failures", test_failures },
    };
    return unit_main("attr/memo", cases, UNIT_COUNT(cases));
}
