/* The rest of the attribute language: comprehensions, reductions, functions, instances, alternatives. The values are
   checked rule by rule in diff_cases.txt too; here are the callbacks, the limits, the frame and the failure sweep. */
#include "unit.h"

#include <stdlib.h>

#include "attr/world.h"

static const char *const bindings =
    "((0 shape (tuple 2 3 5)) (sym 0 9) (sym 2 \"s\") (inst 1 0 n 4) (inst 1 1 n 5) (inst 1 2 n (tuple)) (alt 3 1) (alt 4 0))";

static const struct {
    const char *label, *expr, *want; /* want NULL: stuck */
} ae_cases[] = {
    { "AE-Symbol", "(sym 2)", "\"s\"" },
    { "AE-Symbol", "(sym 1)", NULL },
    { "AE-Symbol", "(sym 65535)", NULL },
    { "AE-Inst", "(inst 1 (sub 3 1) n)", "(tuple)" },
    { "AE-Inst", "(inst 1 3 n)", NULL },
    { "AE-Inst", "(add (inst 1 1 n) (inst 1 0 n))", "9" },
    { "AE-Var", "(var 0 (proj (. 0 shape) 1) (neg (sym 0)))", "(tuple 0 -1 -2)" },
    { "AE-Var", "(tuple (sym 0) (var 0 1 (sym 0)) (sym 0))", "(tuple 9 (tuple 0) 9)" },
    { "AE-Var", "(var 0 -1 1)", NULL },
    { "AE-Map", "(map 0 (. 0 shape) (mul (sym 0) 10))", "(tuple 20 30 50)" },
    { "AE-Map", "(map 0 9 (sym 0))", NULL },
    { "AE-Sum", "(prod (. 0 shape))", "30" },
    { "AE-Sum", "(amin (tuple))", NULL },
    { "AE-Sum", "(concat (var 0 3 (tuple (sym 0) (sym 0))))", "(tuple 0 0 1 1 2 2)" },
    { "AE-Cond", "(cond (eq (len (. 0 shape)) 3) 1 (floordiv 1 0))", "1" },
    { "AE-Cond", "(cond none 1 1)", NULL },
    { "AE-Match", "(alt 3 _ \"second\" _)", "\"second\"" },
    { "AE-Match", "(alt 5 1 2)", NULL },
    { "AE-Func", "(slice (. 0 shape) none none -1)", "(tuple 5 3 2)" },
    { "AE-Func", "(zip (. 0 shape) (range 0 9 1))", "(tuple (tuple 2 0) (tuple 3 1) (tuple 5 2))" },
    { "AE-Func", "(zip (. 0 shape) 1)", NULL },
    { "AE-Func", "(remap \"NCHW\" \"NHWC\")", "(tuple 0 2 3 1)" },
    { "AE-Func", "(in 1 2)", NULL },
};

static void test_ae(void)
{
    struct world w;

    set_up(&w, -1);
    CU_ASSERT_FATAL(env(&w, bindings));
    for (int i = 0; i < UNIT_COUNT(ae_cases); i++) {
        int a = expr(&w, ae_cases[i].expr), v = -1;
        enum attr_result res = a >= 0 ? eval(&w, a, &v) : ATTR_FULL;
        bool ok = ae_cases[i].want ? res == ATTR_VALUE && strcmp(text_of(&w, v), ae_cases[i].want) == 0 : res == ATTR_STUCK;

        if (!ok)
            fprintf(stderr, "%s: %s\n", ae_cases[i].label, ae_cases[i].expr);
        CU_ASSERT(ok);
    }
    tear_down(&w);
}

static const struct {
    const char *label, *expr, *value;
    bool yes;
} am_cases[] = {
    { "AM-Var", "(var 0 _ (sym 0))", "(tuple 0 1 2)", true },
    { "AM-Var", "(var 0 _ (sym 0))", "(tuple 0 1 1)", false },
    { "AM-Var", "(var 0 (inst 1 0 n) _)", "(tuple 1 2 3 4)", true },
    { "AM-Var", "(var 0 (inst 1 0 n) _)", "(tuple 1 2 3)", false },
    { "AM-Var", "(tuple (var 0 _ (tuple (sym 0) _)) (sym 0))", "(tuple (tuple (tuple 0 7)) 9)", true },
    { "AM-Var", "(tuple (var 0 _ (tuple (sym 0) _)) (sym 0))", "(tuple (tuple (tuple 0 7)) 0)", false },
    { "AM-Eval", "(map 0 (tuple 1) _)", "(tuple 1)", false },
    { "AM-Eval", "(inst 1 1 n)", "5", true },
};

static void test_am(void)
{
    struct world w;

    set_up(&w, -1);
    CU_ASSERT_FATAL(env(&w, bindings));
    for (int i = 0; i < UNIT_COUNT(am_cases); i++) {
        int a = expr(&w, am_cases[i].expr), v = value(&w, am_cases[i].value), before = w.values.n;
        bool yes = !am_cases[i].yes;
        bool ok = a >= 0 && v >= 0 && match(&w, a, v, &yes) == ATTR_VALUE && yes == am_cases[i].yes;

        if (!ok)
            fprintf(stderr, "%s: %s ~ %s\n", am_cases[i].label, am_cases[i].expr, am_cases[i].value);
        CU_ASSERT(ok && w.values.n == before);
    }
    tear_down(&w);
}

/* Instances 0 .. n-1 of pattern 1 have label `x`: i, the value made when it is asked for; and calls are counted. */
struct family {
    struct world *w;
    long n;
    int calls, taken_calls;
};

static enum attr_result family_inst(void *ctx, int pattern, long k, int label, int *out)
{
    struct family *f = ctx;

    f->calls++;
    CU_ASSERT(pattern == 1 && strcmp(strs_text(&f->w->strs, label), "x") == 0);
    if (k < 0 || k >= f->n)
        return ATTR_STUCK;
    *out = value_int(&f->w->values, k);
    return *out < 0 ? ATTR_FULL : ATTR_VALUE;
}

static int family_taken(void *ctx, int pattern)
{
    struct family *f = ctx;

    f->taken_calls++;
    return pattern == 6 ? 1 : -1;
}

/* The callbacks append to the arena while it is evaluated over; each instance and alternative is asked for once. */
static void test_callbacks(void)
{
    struct world w;
    struct family f = { .w = &w, .n = 1000 };
    struct attr_env e = { .inst = family_inst, .taken = family_taken, .ctx = &f }, none = { .slot = NULL };
    int v = -1;
    bool yes;

    set_up(&w, -1);
    CU_ASSERT(attr_eval(&w.attrs, &e, expr(&w, "(sum (var 0 1000 (inst 1 (sym 0) x)))"), &v) == ATTR_VALUE);
    CU_ASSERT(w.values.v[v].num == 499500);
    CU_ASSERT(f.calls == 1001); /* and that there is no instance 1000 */
    f.calls = 0;
    CU_ASSERT(attr_eval(&w.attrs, &e, expr(&w, "(sum (map 0 (reversed (range 0 300 1)) (inst 1 (sym 0) x)))"), &v) == ATTR_VALUE);
    CU_ASSERT(w.values.v[v].num == 44850 && f.calls <= 1001);
    CU_ASSERT(attr_eval(&w.attrs, &e, expr(&w, "(inst 1 1000 x)"), &v) == ATTR_STUCK);
    CU_ASSERT(attr_eval(&w.attrs, &e, expr(&w, "(inst 1 9223372036854775807 x)"), &v) == ATTR_STUCK);
    CU_ASSERT(attr_eval(&w.attrs, &e, expr(&w, "(inst 1 -9223372036854775808 x)"), &v) == ATTR_STUCK);
    CU_ASSERT(attr_match(&w.attrs, &e, expr(&w, "(var 0 _ (inst 1 (sym 0) x))"), value(&w, "(tuple 0 1 2)"), &yes) == ATTR_VALUE);
    CU_ASSERT(yes);
    CU_ASSERT(attr_eval(&w.attrs, &e, expr(&w, "(var 0 50 (alt 6 1 (alt 6 2 (sym 0))))"), &v) == ATTR_VALUE);
    CU_ASSERT(f.taken_calls == 1);
    CU_ASSERT(attr_eval(&w.attrs, &e, expr(&w, "(alt 7 1 2)"), &v) == ATTR_STUCK);
    CU_ASSERT(attr_eval(&w.attrs, &none, expr(&w, "(inst 1 0 x)"), &v) == ATTR_STUCK);
    CU_ASSERT(attr_eval(&w.attrs, &none, expr(&w, "(alt 6 1 2)"), &v) == ATTR_STUCK);
    tear_down(&w);
}

static enum attr_result bad_inst(void *ctx, int pattern, long k, int label, int *out)
{
    (void)pattern;
    (void)label;
    *out = *(int *)ctx;
    return k == 0 ? ATTR_VALUE : ATTR_FULL;
}

/* A callback that fails or answers nonsense: no claim. */
static void test_bad_callbacks(void)
{
    struct world w;
    int v, id = 0;
    struct attr_env e = { .inst = bad_inst, .ctx = &id };

    set_up(&w, -1);
    value_none(&w.values);
    CU_ASSERT(attr_eval(&w.attrs, &e, expr(&w, "(inst 1 0 x)"), &v) == ATTR_VALUE);
    CU_ASSERT(attr_eval(&w.attrs, &e, expr(&w, "(inst 1 1 x)"), &v) == ATTR_FULL);
    CU_ASSERT(attr_eval(&w.attrs, &e, expr(&w, "(tuple (inst 1 0 x) (inst 1 1 x))"), &v) == ATTR_FULL);
    id = 1 << 20;
    CU_ASSERT(attr_eval(&w.attrs, &e, expr(&w, "(inst 1 0 x)"), &v) == ATTR_FULL);
    id = -1;
    CU_ASSERT(attr_eval(&w.attrs, &e, expr(&w, "(inst 1 0 x)"), &v) == ATTR_FULL);
    tear_down(&w);
}

/* Symbols of the environment: ids are checked, the arrays may be short, and the environment is not changed. */
static void test_symbols(void)
{
    struct world w;
    int v = -1, good[2] = { -1, 0 }, bad[1] = { 1 << 20 };
    struct attr_env e = { .symbol = good, .nsymbol = 2 };

    set_up(&w, -1);
    value_bool(&w.values, true);
    CU_ASSERT(attr_eval(&w.attrs, &e, expr(&w, "(tuple (sym 1) (var 1 1 (sym 1)) (var 0 1 (sym 0)) (sym 1))"), &v) == ATTR_VALUE);
    CU_ASSERT(strcmp(text_of(&w, v), "(tuple true (tuple 0) (tuple 0) true)") == 0);
    CU_ASSERT(good[0] == -1 && good[1] == 0);
    CU_ASSERT(attr_eval(&w.attrs, &e, expr(&w, "(sym 0)"), &v) == ATTR_STUCK);
    CU_ASSERT(attr_eval(&w.attrs, &e, expr(&w, "(sym 2)"), &v) == ATTR_STUCK);
    CU_ASSERT(attr_eval(&w.attrs, &e, expr(&w, "(var 1 3 (floordiv 1 (sym 1)))"), &v) == ATTR_STUCK);
    CU_ASSERT(attr_eval(&w.attrs, &e, expr(&w, "(sym 1)"), &v) == ATTR_VALUE && w.values.v[v].kind == VALUE_BOOL);
    e = (struct attr_env){ .symbol = bad, .nsymbol = 1 };
    CU_ASSERT(attr_eval(&w.attrs, &e, expr(&w, "(sym 0)"), &v) == ATTR_FULL);
    tear_down(&w);
}

/* What exceeds a limit is refused or full, never stuck. */
static void test_limits(void)
{
    struct attr_env none = { .slot = NULL };
    struct world w;
    int a, v, zero, one, kids[3];

    set_up(&w, -1);
    CU_ASSERT(attr_symbol(&w.attrs, ATTR_SYMBOL_MAX) == -1 && attr_symbol(&w.attrs, -1) == -1);
    one = zero = attr_symbol(&w.attrs, ATTR_SYMBOL_MAX - 1);
    CU_ASSERT(attr_var(&w.attrs, ATTR_SYMBOL_MAX, zero, zero) == -1);
    CU_ASSERT(attr_map(&w.attrs, -1, zero, zero) == -1);
    CU_ASSERT(attr_map(&w.attrs, 0, zero, 99) == -1 && attr_var(&w.attrs, 0, 99, zero) == -1);
    CU_ASSERT(attr_inst(&w.attrs, 0, 99, 0) == -1);
    CU_ASSERT(attr_reduce(&w.attrs, ATTR_REDUCTIONS, zero) == -1 && attr_reduce(&w.attrs, -1, zero) == -1);
    CU_ASSERT(attr_reduce(&w.attrs, ATTR_SUM, 99) == -1);
    CU_ASSERT(attr_cond(&w.attrs, zero, zero, -1) == -1);
    kids[0] = zero;
    CU_ASSERT(attr_choice(&w.attrs, -1, kids, 1) == -1);
    CU_ASSERT(attr_func(&w.attrs, ATTR_FUNC_OPS, kids, 1) == -1 && attr_func(&w.attrs, -1, kids, 1) == -1);
    for (int i = 0; i < ATTR_DEPTH_MAX; i++) {
        kids[0] = kids[1] = kids[2] = one;
        one = i % 4 == 0   ? attr_var(&w.attrs, 0, zero, one)
              : i % 4 == 1 ? attr_reduce(&w.attrs, ATTR_SUM, one)
              : i % 4 == 2 ? attr_func(&w.attrs, ATTR_ZIP, kids, 1)
                           : attr_inst(&w.attrs, 0, one, 0);
        CU_ASSERT_FATAL(one >= 0);
    }
    CU_ASSERT(attr_map(&w.attrs, 0, one, zero) == -1 && attr_cond(&w.attrs, one, zero, zero) == -1);
    CU_ASSERT(attr_choice(&w.attrs, 0, &one, 1) == -1 && attr_inst(&w.attrs, 0, one, 0) == -1);
    /* 2^32 elements in all */
    a = expr(&w, "(var 0 65536 (var 1 65536 0))");
    CU_ASSERT(attr_eval(&w.attrs, &none, a, &v) == ATTR_FULL);
    CU_ASSERT(attr_eval(&w.attrs, &none, expr(&w, "(len (concat (var 0 2 (var 1 32769 0))))"), &v) == ATTR_FULL);
    CU_ASSERT(attr_eval(&w.attrs, &none, expr(&w, "(len (concat (var 0 2 (var 1 32768 0))))"), &v) == ATTR_VALUE);
    CU_ASSERT(eval(&w, expr(&w, "(remap \"A\" \"A\")"), &v) == ATTR_VALUE);
    w.values.strs = NULL;
    CU_ASSERT(eval(&w, expr(&w, "(remap \"A\" \"A\")"), &v) == ATTR_FULL);
    tear_down(&w);
}

/* Printing and reading are inverse; what is not canonical is an error. */
static void test_text(void)
{
    static const char *const good = "(map 2 (var 1 _ (inst 3 (sym 1) a_1)) (cond (all (tuple)) (alt 4 (sym 2)) (zip)))";
    static const char *const bad[] = { "(sym)",         "(sym x)",       "(sym 1 2)",    "(inst 1 x)",   "(inst 1 1 1)", "(inst x 1 a)",
                                       "(var 0 1)",     "(var x 1 1)",   "(map 0 1 2 3)", "(cond 1 2)",  "(alt x 1)",    "(sum)",
                                       "(sum 1 2)",     "(var -1 1 1)",  "(sym 4294967296)" };
    struct attr_reader r;
    struct world w;

    set_up(&w, -1);
    attr_print(&w.out, &w.attrs, &w.strs, expr(&w, good));
    CU_ASSERT(strcmp(w.out.a, good) == 0);
    for (int i = 0; i < UNIT_COUNT(bad); i++) {
        start(&w, &r, bad[i]);
        CU_ASSERT(attr_read(&r) == -1 && r.status == CALQUE_BAD);
    }
    start(&w, &r, "(sym 65536)");
    CU_ASSERT(attr_read(&r) == -1 && r.status == CALQUE_LIMIT);
    CU_ASSERT(!env(&w, "((sym 65536 1))") && !env(&w, "((inst 1 x n 1))") && !env(&w, "((alt 1 x))") && !env(&w, "((sym 1))"));
    tear_down(&w);
}

/* The first binding of a name counts, whatever its kind; others are left as they are. */
static void test_environments(void)
{
    static const struct {
        const char *expr, *want; /* want NULL: stuck */
    } cases[] = {
        { "(. 3 b)", "1" },        { "(. 3 a)", "\"x\"" },  { "(. 4 a)", NULL },       { "(sym 7)", "(tuple 1)" },
        { "(sym 6)", NULL },       { "(sym 8)", NULL },      { "(inst 2 -9 a)", "11" }, { "(inst 2 -1 a)", "12" },
        { "(inst 2 0 a)", NULL },  { "(inst 3 -9 a)", NULL }, { "(inst 2 -9 b)", "14" }, { "(alt 5 1 2 3)", "3" },
        { "(inst 2 4294967296 a)", "15" }, { "(inst 2 -9223372036854775808 a)", "16" }, { "(inst 2 9223372036854775807 a)", "17" },
    };
    static const char *const text =
        " ( (3 b 1)(3 a \"x\")  (sym 7 (tuple 1)) (3 b 2) (inst 2 -9 a 11) (alt 5 2) (inst 2 -1 a 12) (sym 7 0) (inst 2 -9 a 13)"
        " (inst 2 -9 b 14)(alt 5 0) (inst 2 4294967296 a 15) (inst 2 -9223372036854775808 a 16) (inst 2 9223372036854775807 a 17) ) ";
    struct attr_reader r;
    struct world w;
    int v;

    set_up(&w, -1);
    CU_ASSERT_FATAL(env(&w, text));
    for (int i = 0; i < UNIT_COUNT(cases); i++) {
        int a = expr(&w, cases[i].expr);
        enum attr_result res = a >= 0 ? eval(&w, a, &v) : ATTR_FULL;

        CU_ASSERT(cases[i].want ? res == ATTR_VALUE && strcmp(text_of(&w, v), cases[i].want) == 0 : res == ATTR_STUCK);
    }
    CU_ASSERT(w.env.other.n == 9 && w.env.symbol.n == 8 && w.env.slot.n == 2);
    CU_ASSERT(env(&w, "()") && w.env.slot.n == 0 && w.env.symbol.n == 0 && w.env.other.n == 0);
    CU_ASSERT(!env(&w, "((3 b 1)") && !env(&w, "(3 b 1)") && !env(&w, "((3 b))") && !env(&w, "((alt 1))") && !env(&w, "((3 b 1 2))"));
    CU_ASSERT(!w.env.slot.a && !w.env.symbol.a && !w.env.other.a);
    start(&w, &r, " (x) ((3 b 1)) ");
    CU_ASSERT(!attr_read_env(&r, &w.env) && r.status == CALQUE_BAD);
    tear_down(&w);
}

static bool workload(struct world *w)
{
    static const char *const want = "(tuple (tuple 5 6) (tuple 0 2 3 1) (tuple (tuple 3 0) (tuple 2 1)) 9)";
    int a, v, x;
    bool yes = false;

    if (!env(w, bindings) || (v = value(w, want)) < 0)
        return false;
    a = expr(w, "(tuple (map 0 (tuple 0 1) (add (inst 1 (sym 0) n) 1)) (remap \"NCHW\" \"NHWC\")"
                " (zip (slice (reversed (. 0 shape)) 1 none none) (range 0 5 1)) (alt 3 1 (sum (var 1 3 (cond (in (sym 1) (tuple 0)) 7 1)))))");
    if (a < 0 || eval(w, a, &x) != ATTR_VALUE)
        return false;
    CU_ASSERT(value_equal(&w->values, x, v));
    a = expr(w, "(tuple (var 0 _ (add 5 (sym 0))) _ (var 1 2 (tuple _ (sym 1))) (sym 0))");
    if (a < 0 || match(w, a, v, &yes) != ATTR_VALUE)
        return false;
    CU_ASSERT(yes);
    attr_print(&w->out, &w->attrs, &w->strs, a);
    return !w->out.failed;
}

static void test_failures(void)
{
    sweep_failures(workload, 30);
}

int main(void)
{
    static const struct unit_case cases[] = {
        { "AE", test_ae },           { "AM", test_am },         { "callbacks", test_callbacks }, { "bad callbacks", test_bad_callbacks },
        { "symbols", test_symbols }, { "limits", test_limits }, { "text", test_text },           { "failures", test_failures },
        { "environments", test_environments },
    };
    return unit_main("attr/full", cases, UNIT_COUNT(cases));
}
