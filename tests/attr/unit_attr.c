/* The attr room rule by rule, its limits, what it keeps of the arena, and the failure sweep. */
#include "unit.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "attr/world.h"

struct ae_case {
    const char *label, *expr, *want; /* want NULL: stuck */
};

static const char *const bindings =
    "((0 k 7) (0 shape (tuple 2 3 5)) (1 k none) (0 k 8) (2 name \"relu\") (3 b true))";

static const struct ae_case ae_cases[] = {
    { "AE-Value", "none", "none" },
    { "AE-Value", "-9223372036854775808", "-9223372036854775808" },
    { "AE-Value", "-0x0p+0", "-0x0p+0" },
    { "AE-Value", "\"a\\\"\\x00\"", "\"a\\\"\\x00\"" },
    { "AE-Value", "(const (tuple 1 (tuple) none))", "(tuple 1 (tuple) none)" },
    { "AE-Any", "_", NULL },
    { "AE-Any", "(tuple 1 _)", NULL },
    { "AE-Any", "(proj (tuple _ 1) 1)", NULL },
    { "AE-Access", "(. 0 k)", "7" }, /* the first binding wins */
    { "AE-Access", "(. 1 k)", "none" },
    { "AE-Access", "(. 2 name)", "\"relu\"" },
    { "AE-Access", "(. 4 k)", NULL },
    { "AE-Access", "(. 0 name)", NULL },
    { "AE-Unary", "(neg (. 0 k))", "-7" },
    { "AE-Unary", "(neg -9223372036854775807)", "9223372036854775807" },
    { "AE-Unary", "(neg -9223372036854775808)", NULL },
    { "AE-Unary", "(neg true)", NULL },
    { "AE-Unary", "(neg 0x1p+0)", NULL },
    { "AE-Unary", "(not true)", "false" },
    { "AE-Unary", "(not false)", "true" },
    { "AE-Unary", "(not 0)", NULL },
    { "AE-Unary", "(len (. 0 shape))", "3" },
    { "AE-Unary", "(len (tuple))", "0" },
    { "AE-Unary", "(len \"abc\")", NULL },
    { "AE-Unary", "(neg (. 9 x))", NULL },
    { "AE-Binary", "(add 9223372036854775806 1)", "9223372036854775807" },
    { "AE-Binary", "(add 9223372036854775807 1)", NULL },
    { "AE-Binary", "(add -9223372036854775808 -1)", NULL },
    { "AE-Binary", "(add (tuple 1 2) (. 0 shape))", "(tuple 1 2 2 3 5)" },
    { "AE-Binary", "(add (tuple) (tuple))", "(tuple)" },
    { "AE-Binary", "(add 1 (tuple))", NULL },
    { "AE-Binary", "(add \"a\" \"b\")", NULL },
    { "AE-Binary", "(sub -9223372036854775807 1)", "-9223372036854775808" },
    { "AE-Binary", "(sub -9223372036854775808 1)", NULL },
    { "AE-Binary", "(sub 0 -9223372036854775808)", NULL },
    { "AE-Binary", "(sub -1 -9223372036854775808)", "9223372036854775807" },
    { "AE-Binary", "(mul 3037000499 3037000499)", "9223372030926249001" },
    { "AE-Binary", "(mul 3037000500 3037000500)", NULL },
    { "AE-Binary", "(mul -4611686018427387904 2)", "-9223372036854775808" },
    { "AE-Binary", "(mul -9223372036854775808 -1)", NULL },
    { "AE-Binary", "(mul 0 -9223372036854775808)", "0" },
    { "AE-Binary", "(floordiv 7 2)", "3" },
    { "AE-Binary", "(floordiv -7 2)", "-4" },
    { "AE-Binary", "(floordiv 7 -2)", "-4" },
    { "AE-Binary", "(floordiv -7 -2)", "3" },
    { "AE-Binary", "(floordiv 1 0)", NULL },
    { "AE-Binary", "(floordiv -9223372036854775808 -1)", NULL },
    { "AE-Binary", "(mod 7 2)", "1" },
    { "AE-Binary", "(mod -7 2)", "1" },
    { "AE-Binary", "(mod 7 -2)", "-1" },
    { "AE-Binary", "(mod -7 -2)", "-1" },
    { "AE-Binary", "(mod -9223372036854775808 -1)", "0" },
    { "AE-Binary", "(mod 1 0)", NULL },
    { "AE-Binary", "(min -3 2)", "-3" },
    { "AE-Binary", "(max -3 2)", "2" },
    { "AE-Binary", "(max true 2)", NULL },
    { "AE-Binary", "(eq true 1)", "false" },
    { "AE-Binary", "(eq 1 0x1p+0)", "false" },
    { "AE-Binary", "(eq 0x0p+0 -0x0p+0)", "false" },
    { "AE-Binary", "(eq nan nan)", "true" },
    { "AE-Binary", "(eq (tuple 1 (tuple)) (const (tuple 1 (tuple))))", "true" },
    { "AE-Binary", "(ne (tuple 1 2) (tuple 1 3))", "true" },
    { "AE-Binary", "(ne none none)", "false" },
    { "AE-Binary", "(eq _ 1)", NULL },
    { "AE-Binary", "(lt 1 2)", "true" },
    { "AE-Binary", "(lt 2 2)", "false" },
    { "AE-Binary", "(le 2 2)", "true" },
    { "AE-Binary", "(gt 2 2)", "false" },
    { "AE-Binary", "(ge 2 2)", "true" },
    { "AE-Binary", "(lt \"a\" \"b\")", NULL },
    { "AE-Binary", "(and true false)", "false" },
    { "AE-Binary", "(and (. 3 b) true)", "true" },
    { "AE-Binary", "(or false false)", "false" },
    { "AE-Binary", "(or false true)", "true" },
    { "AE-Binary", "(and false 1)", NULL },
    { "AE-Binary", "(or true _)", NULL }, /* both operands are needed */
    { "AE-Binary", "(gather (. 0 shape) (tuple -1 0 0))", "(tuple 5 2 2)" },
    { "AE-Binary", "(gather (tuple) (tuple))", "(tuple)" },
    { "AE-Binary", "(gather (. 0 shape) (tuple 3))", NULL },
    { "AE-Binary", "(gather (. 0 shape) (tuple -4))", NULL },
    { "AE-Binary", "(gather (. 0 shape) (tuple true))", NULL },
    { "AE-Binary", "(gather (. 0 shape) 1)", NULL },
    { "AE-Tuple", "(tuple)", "(tuple)" },
    { "AE-Tuple", "(tuple (. 0 k) (tuple (add 1 1)) _)", NULL },
    { "AE-Tuple", "(tuple (. 0 k) (tuple (add 1 1) (. 0 shape)) none)", "(tuple 7 (tuple 2 (tuple 2 3 5)) none)" },
    { "AE-Proj", "(proj (. 0 shape) 0)", "2" },
    { "AE-Proj", "(proj (. 0 shape) 2)", "5" },
    { "AE-Proj", "(proj (. 0 shape) -3)", "2" },
    { "AE-Proj", "(proj (. 0 shape) 3)", NULL },
    { "AE-Proj", "(proj (. 0 shape) -4)", NULL },
    { "AE-Proj", "(proj (. 0 shape) 9223372036854775807)", NULL },
    { "AE-Proj", "(proj (. 0 shape) -9223372036854775808)", NULL },
    { "AE-Proj", "(proj (. 0 shape) true)", NULL },
    { "AE-Proj", "(proj 5 0)", NULL },
};

static void check_ae(struct world *w, const struct ae_case *c)
{
    int a = expr(w, c->expr), v = -1;
    enum attr_result res = a >= 0 ? eval(w, a, &v) : ATTR_FULL;
    bool ok = c->want ? res == ATTR_VALUE && strcmp(text_of(w, v), c->want) == 0 : res == ATTR_STUCK;

    if (!ok)
        fprintf(stderr, "%s: %s\n", c->label, c->expr);
    CU_ASSERT(ok);
}

static void test_ae(void)
{
    struct world w;

    set_up(&w, -1);
    CU_ASSERT_FATAL(env(&w, bindings));
    for (int i = 0; i < UNIT_COUNT(ae_cases); i++)
        check_ae(&w, &ae_cases[i]);
    tear_down(&w);
}

static const struct {
    const char *label, *expr, *value;
    bool yes;
} am_cases[] = {
    { "AM-Any", "_", "none", true },
    { "AM-Any", "_", "(tuple 1)", true },
    { "AM-Eval", "(add (. 0 k) 1)", "8", true },
    { "AM-Eval", "(add (. 0 k) 1)", "9", false },
    { "AM-Eval", "1", "true", false },
    { "AM-Eval", "(. 0 shape)", "(tuple 2 3 5)", true },
    { "AM-Eval", "(. 1 k)", "none", true },
    { "AM-Eval", "(. 7 k)", "none", false }, /* stuck */
    { "AM-Eval", "(add _ 1)", "2", false },
    { "AM-Eval", "(const (tuple 1 2))", "(tuple 1 2)", true },
    { "AM-Tuple", "(tuple _ (. 0 k) _)", "(tuple 1 7 none)", true },
    { "AM-Tuple", "(tuple _ (. 0 k) _)", "(tuple 1 8 none)", false },
    { "AM-Tuple", "(tuple _ _)", "(tuple 1)", false },
    { "AM-Tuple", "(tuple _)", "(tuple 1 2)", false },
    { "AM-Tuple", "(tuple)", "(tuple)", true },
    { "AM-Tuple", "(tuple)", "none", false },
    { "AM-Tuple", "(tuple (tuple _ 2) _)", "(tuple (tuple 1 2) 3)", true },
    { "AM-Tuple", "(tuple (tuple _ 2) _)", "(tuple (tuple 1 3) 3)", false },
    { "AM-Tuple", "(tuple _ (. 7 k))", "(tuple 1 2)", false },
};

static void test_am(void)
{
    struct world w;

    set_up(&w, -1);
    CU_ASSERT_FATAL(env(&w, bindings));
    for (int i = 0; i < UNIT_COUNT(am_cases); i++) {
        int a = expr(&w, am_cases[i].expr), v = value(&w, am_cases[i].value);
        bool yes = !am_cases[i].yes;
        bool ok = a >= 0 && v >= 0 && match(&w, a, v, &yes) == ATTR_VALUE && yes == am_cases[i].yes;

        if (!ok)
            fprintf(stderr, "%s: %s ~ %s\n", am_cases[i].label, am_cases[i].expr, am_cases[i].value);
        CU_ASSERT(ok);
    }
    tear_down(&w);
}

/* Equality is the identity on what the values stand for: kinds are strict, copies are equal. */
static void test_equal(void)
{
    static const char *const sample[] = {
        "none", "false", "true", "0", "1", "-1", "0x0p+0", "-0x0p+0", "0x1p+0", "nan", "inf", "\"\"", "\"0\"",
        "(tuple)", "(tuple none)", "(tuple 0)", "(tuple 0 1)", "(tuple 1 0)", "(tuple (tuple))", "(tuple (tuple 0) 1)",
    };
    int id[2][UNIT_COUNT(sample)];
    struct world w;

    set_up(&w, -1);
    for (int c = 0; c < 2; c++)
        for (int i = 0; i < UNIT_COUNT(sample); i++) {
            id[c][i] = value(&w, sample[i]);
            CU_ASSERT_FATAL(id[c][i] >= 0);
        }
    for (int i = 0; i < UNIT_COUNT(sample); i++)
        for (int j = 0; j < UNIT_COUNT(sample); j++)
            CU_ASSERT(value_equal(&w.values, id[0][i], id[1][j]) == (i == j));
    tear_down(&w);
}

/* q y + r = x, and r lies between 0 and y, 0 included. */
static void test_floor(void)
{
    static const long point[] = { LONG_MIN, LONG_MIN + 1, -8, -7, -3, -2, -1, 0, 1, 2, 3, 7, 8, LONG_MAX - 1, LONG_MAX };
    struct attr_env none = { .slot = NULL };
    struct world w;

    set_up(&w, -1);
    for (int i = 0; i < UNIT_COUNT(point); i++)
        for (int j = 0; j < UNIT_COUNT(point); j++) {
            long x = point[i], y = point[j], q, r;
            int a = attr_const(&w.attrs, value_int(&w.values, x)), b = attr_const(&w.attrs, value_int(&w.values, y));
            int dv = -1, mv = -1;
            enum attr_result d = attr_eval(&w.attrs, &none, attr_binary(&w.attrs, ATTR_FLOORDIV, a, b), &dv);
            enum attr_result m = attr_eval(&w.attrs, &none, attr_binary(&w.attrs, ATTR_MOD, a, b), &mv);

            CU_ASSERT(d == (y == 0 || (x == LONG_MIN && y == -1) ? ATTR_STUCK : ATTR_VALUE));
            CU_ASSERT(m == (y == 0 ? ATTR_STUCK : ATTR_VALUE));
            if (d != ATTR_VALUE || m != ATTR_VALUE)
                continue;
            q = w.values.v[dv].num;
            r = w.values.v[mv].num;
            CU_ASSERT((unsigned long)q * (unsigned long)y + (unsigned long)r == (unsigned long)x);
            CU_ASSERT(y > 0 ? 0 <= r && r < y : y < r && r <= 0);
        }
    tear_down(&w);
}

/* What exceeds a limit is refused by the constructors. */
static void test_limits(void)
{
    struct world w;
    int *many, id, deep, a, wide;

    set_up(&w, -1);
    CU_ASSERT_FATAL((many = calloc(VALUE_LEN_MAX + 1, sizeof *many)) != NULL);
    id = value_int(&w.values, 5);
    CU_ASSERT(id == 0);
    CU_ASSERT((wide = value_tuple(&w.values, many, VALUE_LEN_MAX)) >= 0);
    CU_ASSERT(value_tuple(&w.values, many, VALUE_LEN_MAX + 1) == -1);
    CU_ASSERT(value_tuple(&w.values, many, -1) == -1);
    for (int i = 0; i < 64; i++) /* 64 * 65537 nodes exceed 2^22, 63 do not */
        many[i] = wide;
    CU_ASSERT(value_tuple(&w.values, many, 63) >= 0);
    CU_ASSERT(value_tuple(&w.values, many, 64) == -1);
    deep = id;
    for (int i = 0; i < VALUE_DEPTH_MAX; i++)
        CU_ASSERT_FATAL((deep = value_tuple(&w.values, &deep, 1)) >= 0);
    CU_ASSERT(value_tuple(&w.values, &deep, 1) == -1);
    a = attr_const(&w.attrs, id);
    for (int i = 0; i < ATTR_DEPTH_MAX; i++)
        CU_ASSERT_FATAL((a = attr_unary(&w.attrs, ATTR_NEG, a)) >= 0);
    CU_ASSERT(attr_unary(&w.attrs, ATTR_NEG, a) == -1);
    CU_ASSERT(attr_proj(&w.attrs, 0, a) == -1);
    CU_ASSERT(attr_tuple(&w.attrs, &a, 1) == -1);
    a = 0;
    for (int i = 0; i < 19; i++) /* 2^(i+2) - 1 nodes */
        CU_ASSERT_FATAL((a = attr_binary(&w.attrs, ATTR_ADD, a, a)) >= 0);
    CU_ASSERT(attr_binary(&w.attrs, ATTR_ADD, a, a) == -1);
    free(many);
    tear_down(&w);
}

/* A value that exceeds a limit is ATTR_FULL, never stuck. */
static void test_full(void)
{
    struct attr_env none = { .slot = NULL };
    struct world w;
    int *zero, wide, a, deep, v;
    bool yes;

    set_up(&w, -1);
    CU_ASSERT_FATAL((zero = calloc(VALUE_LEN_MAX, sizeof *zero)) != NULL);
    deep = value_int(&w.values, 0);
    wide = attr_const(&w.attrs, value_tuple(&w.values, zero, VALUE_LEN_MAX));
    a = attr_const(&w.attrs, value_tuple(&w.values, zero, 1));
    CU_ASSERT(attr_eval(&w.attrs, &none, wide, &v) == ATTR_VALUE);
    CU_ASSERT(attr_eval(&w.attrs, &none, attr_binary(&w.attrs, ATTR_ADD, wide, a), &v) == ATTR_FULL);
    CU_ASSERT(attr_match(&w.attrs, &none, attr_binary(&w.attrs, ATTR_ADD, wide, a), 0, &yes) == ATTR_FULL);
    for (int i = 0; i < VALUE_DEPTH_MAX; i++)
        deep = value_tuple(&w.values, &deep, 1);
    a = attr_const(&w.attrs, deep);
    CU_ASSERT(attr_eval(&w.attrs, &none, attr_tuple(&w.attrs, &a, 1), &v) == ATTR_FULL);
    /* t -> (t, t) by gather: 2^i leaves that share */
    a = expr(&w, "(tuple 1)");
    for (int i = 0; i < 30; i++) {
        int two[2] = { a, a };
        a = attr_binary(&w.attrs, ATTR_GATHER, attr_tuple(&w.attrs, two, 1), expr(&w, "(tuple 0 0)"));
    }
    CU_ASSERT(attr_eval(&w.attrs, &none, a, &v) == ATTR_FULL);
    free(zero);
    tear_down(&w);
}

/* Ids that are none are refused. */
static void test_arguments(void)
{
    struct world w;
    int v, bad = 7, slots[1] = { 99 };
    struct attr_env wrong = { .slot = slots, .n = 1 }, none = { .slot = NULL };
    bool yes;

    set_up(&w, -1);
    v = value_none(&w.values);
    CU_ASSERT(value_tuple(&w.values, &bad, 1) == -1);
    CU_ASSERT(value_str(&w.values, -1) == -1);
    CU_ASSERT(attr_const(&w.attrs, -1) == -1);
    CU_ASSERT(attr_const(&w.attrs, 7) == -1);
    CU_ASSERT(attr_const(&w.attrs, v) == 0);
    CU_ASSERT(attr_unary(&w.attrs, ATTR_UNARY_OPS, 0) == -1);
    CU_ASSERT(attr_unary(&w.attrs, -1, 0) == -1);
    CU_ASSERT(attr_unary(&w.attrs, ATTR_NOT, 1) == -1);
    CU_ASSERT(attr_binary(&w.attrs, ATTR_BINARY_OPS, 0, 0) == -1);
    CU_ASSERT(attr_binary(&w.attrs, ATTR_ADD, 0, 1) == -1);
    CU_ASSERT(attr_proj(&w.attrs, -1, 0) == -1);
    CU_ASSERT(attr_tuple(&w.attrs, &bad, 1) == -1);
    CU_ASSERT(attr_eval(&w.attrs, &none, 1, &v) == ATTR_FULL);
    CU_ASSERT(attr_eval(&w.attrs, &wrong, 0, &v) == ATTR_FULL);
    CU_ASSERT(attr_match(&w.attrs, &none, 0, 99, &yes) == ATTR_FULL);
    CU_ASSERT(attr_access(&w.attrs, 3, 1) == 1 && attr_access(&w.attrs, 3, 1) == 2);
    CU_ASSERT(w.attrs.slot.n == 1 && attr_slot_find(&w.attrs, 3, 1) == 0 && attr_slot_find(&w.attrs, 1, 3) == -1);
    tear_down(&w);
}

/* Evaluation appends only: what was there prints and is as before, while the arena moves. */
static void test_frame(void)
{
    static const char *const kept = "(tuple 1 (tuple \"s\" 0x1.8p+1) none)";
    struct world w;
    int v, a, x, before;

    set_up(&w, -1);
    v = value(&w, kept);
    a = expr(&w, "(gather (add (tuple 1 2 3) (tuple (tuple 4) (neg 5))) (tuple 4 -1 3 0 1 2))");
    CU_ASSERT_FATAL(v >= 0 && a >= 0);
    for (int i = 0; i < 500; i++) {
        CU_ASSERT(eval(&w, a, &x) == ATTR_VALUE);
        CU_ASSERT(strcmp(text_of(&w, x), "(tuple -5 -5 (tuple 4) 1 2 3)") == 0);
        CU_ASSERT(strcmp(text_of(&w, v), kept) == 0);
    }
    before = w.values.n;
    CU_ASSERT(eval(&w, expr(&w, "(add (tuple 1 2) (tuple 3 _))"), &x) == ATTR_STUCK);
    CU_ASSERT(w.values.n == before + 3); /* the constants; the stuck evaluation left nothing */
    tear_down(&w);
}

/* Printing and reading are inverse; what is not canonical or too deep is an error, not a crash. */
static void test_text(void)
{
    static const char *const good[] = {
        "(proj (tuple (. 3 a_1) (const (tuple 1 (tuple))) \"\\\\\\xff\\n\") (floordiv -1 (len _)))",
        "(var 7 (len (. 2 b)) (cond (sym 7) (alt 4 1 (inst 5 (sym 7) c)) (map 6 (tuple 1) (sum (sym 6)))))",
    };
    static const char *const bad[] = { "", "(", ")", "(neg)", "(neg 1", "(neg 1 2)", "(add 1)", "(foo 1)", "1x", "--1",
                                       "9223372036854775808", "\"", "\"\\q\"", "\"\\x4\"", "(. x a)", "(. 1 1a)",
                                       "(. -1 a)", "(const 1)", "(const (tuple _))", "(proj 1 2", "0x", "1.5", "0x1p+1q" };
    struct attr_reader r;
    struct world w;
    char *deep;

    set_up(&w, -1);
    for (int i = 0; i < UNIT_COUNT(good); i++) {
        w.out.n = 0;
        attr_print(&w.out, &w.attrs, &w.strs, expr(&w, good[i]));
        CU_ASSERT(strcmp(w.out.a, good[i]) == 0);
    }
    for (int i = 0; i < UNIT_COUNT(bad); i++) {
        start(&w, &r, bad[i]);
        CU_ASSERT(attr_read(&r) == -1 && r.status == CALQUE_BAD);
    }
    CU_ASSERT_FATAL((deep = malloc(400000)) != NULL);
    for (int i = 0; i < 399996; i += 4)
        memcpy(deep + i, i % 8 ? "(neg" : "(not", 4);
    attr_reader_init(&r, &w.attrs, &w.strs, deep, 399996);
    CU_ASSERT(attr_read(&r) == -1 && r.status != CALQUE_OK);
    free(deep);
    tear_down(&w);
}

/* Several things one after the other; an error ends the reading. */
static void test_reader(void)
{
    struct attr_reader r;
    struct world w;

    set_up(&w, -1);
    start(&w, &r, " ( list (neg 1) 7) \t");
    CU_ASSERT(attr_read_open(&r, "list") && r.depth == 1);
    CU_ASSERT(attr_read(&r) >= 0 && attr_read_value(&r) >= 0 && attr_read_close(&r) && r.depth == 0);
    CU_ASSERT(attr_read_end(&r) && r.status == CALQUE_OK && !attr_read_close(&r) && r.status == CALQUE_BAD);
    start(&w, &r, "(list 7)");
    CU_ASSERT(attr_read_open(&r, "list") && !attr_read_close(&r) && r.status == CALQUE_BAD);
    CU_ASSERT(attr_read(&r) == -1 && attr_read_value(&r) == -1 && !attr_read_end(&r) && r.status == CALQUE_BAD);
    start(&w, &r, "(lis 1)");
    CU_ASSERT(!attr_read_open(&r, "list") && r.status == CALQUE_BAD);
    start(&w, &r, "1 ");
    CU_ASSERT(attr_read(&r) >= 0 && attr_read_end(&r));
    start(&w, &r, "1 2");
    CU_ASSERT(attr_read(&r) >= 0 && !attr_read_end(&r) && r.status == CALQUE_BAD);
    tear_down(&w);
}

/* Builds, evaluates, matches and prints a fixed set; false as soon as memory is out. Whatever is
   answered in spite of failures must be right. */
static bool workload(struct world *w)
{
    static const char *const want = "(tuple 5 2 (tuple \"relu\" 2 3))";
    long ints[3] = { 1, 2, 3 };
    int a, b, v, x, label;
    bool yes = false;

    if (!env(w, bindings) || (v = value(w, want)) < 0 || (b = value_ints(&w->values, ints, 3)) < 0)
        return false;
    a = expr(w, "(add (gather (. 0 shape) (tuple -1 0)) (tuple (tuple (. 2 name) 2 (max 3 -3))))");
    label = strs_addz(&w->strs, "fresh");
    if (a < 0 || label < 0 || attr_access(&w->attrs, 5, label) < 0 || eval(w, a, &x) != ATTR_VALUE)
        return false;
    CU_ASSERT(value_equal(&w->values, x, v));
    a = expr(w, "(tuple 5 _ (tuple _ 2 (. 4 none)))");
    if (a < 0 || match(w, a, v, &yes) != ATTR_VALUE)
        return false;
    CU_ASSERT(!yes);
    a = expr(w, "(tuple _ (sub 3 1) (tuple (. 2 name) 2 3))");
    if (a < 0 || match(w, a, v, &yes) != ATTR_VALUE)
        return false;
    CU_ASSERT(yes);
    value_print(&w->out, &w->values, &w->strs, v);
    return !w->out.failed && strcmp(w->out.a, want) == 0;
}

static void test_failures(void)
{
    sweep_failures(workload, 20);
}

int main(void)
{
    static const struct unit_case cases[] = {
        { "AE", test_ae },       { "AM", test_am },         { "equal", test_equal },         { "floor", test_floor },
        { "limits", test_limits }, { "full", test_full },   { "arguments", test_arguments }, { "frame", test_frame },
        { "text", test_text },     { "reader", test_reader },   { "failures", test_failures },
    };
    return unit_main("attr/attr", cases, UNIT_COUNT(cases));
}
