/* Rule files: the grammar, kinds, macros, and every class of error with its place. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rules_world.h"
#include "unit.h"

static enum calque_status parse(struct world *w, const char *src)
{
    return rules_parse(&w->rules, "t.gsl", src, strlen(src), &w->d);
}

/* The rule as text, for a rule body given in full. */
static void expect_print(const char *src, const char *want)
{
    struct world w;
    struct text t;

    open_world(&w);
    text_init(&t, &w.mem);
    CU_ASSERT_EQUAL_FATAL(parse(&w, src), CALQUE_OK);
    rules_print(&t, &w.rules, 0);
    CU_ASSERT_STRING_EQUAL(t.a, want);
    if (strcmp(t.a, want) != 0)
        fprintf(stderr, "got:\n%s", t.a);
    text_free(&t);
    close_world(&w);
}

static void patterns(void)
{
    expect_print("rule r {\n x = Wildcard()\n w = Variable(shape=(_, 3), dtype='f32', shared=true)\n"
                 " c = Conv(x, w, group=1)\n source Relu(c)\n target c\n class exact\n}\n",
                 "(rule r exact\n"
                 "  (0 wildcard ; x)\n"
                 "  (1 variable (shape (tuple _ 3)) (dtype \"f32\") shared ; w)\n"
                 "  (2 Conv 0 1 (group 1) ; c)\n"
                 "  (3 Relu 2)\n"
                 "  (source 3) (target 2))\n");
}

static void infix(void)
{
    expect_print("rule r {\n x = Wildcard()\n y = Wildcard()\n"
                 " source -x * 2.0 + y / x - 1\n target Relu(x)\n}\n",
                 "(rule r real\n"
                 "  (0 wildcard ; x)\n"
                 "  (1 wildcard ; y)\n"
                 "  (2 Neg 0)\n"
                 "  (3 constant = 0x1p+1)\n"
                 "  (4 Mul 2 3)\n"
                 "  (5 Div 1 0)\n"
                 "  (6 Add 4 5)\n"
                 "  (7 constant = 1)\n"
                 "  (8 Sub 6 7)\n"
                 "  (9 Relu 0)\n"
                 "  (source 8) (target 9))\n");
}

static void attributes(void)
{
    expect_print("rule r {\n x = Wildcard()\n t = Transpose(x)\n source t\n"
                 " require not (len(t.perm) == -2 + 3 * 4 // 5 % 6 and true) or gather(t.perm, [0, -1])[1] < min(1, max(2, 3))\n"
                 " target x\n}\n",
                 "(rule r real\n"
                 "  (0 wildcard ; x)\n"
                 "  (1 Transpose 0 ; t)\n"
                 "  (require (or (not (and (eq (len (. 1 perm)) (add -2 (mod (floordiv (mul 3 4) 5) 6))) true)) "
                 "(lt (proj (gather (. 1 perm) (tuple 0 -1)) 1) (min 1 (max 2 3)))))\n"
                 "  (source 1) (target 0))\n");
}

static void optional_and_none(void)
{
    expect_print("rule r {\n x = Wildcard()\n w = Const()\n b = Optional(Const(), 0.0)\n source Relu(Conv(x, w, b))\n"
                 " require b.present\n target Neg(Gemm(x, w, none))\n}\n",
                 "(rule r real\n"
                 "  (0 wildcard ; x)\n"
                 "  (1 constant ; w)\n"
                 "  (2 constant)\n"
                 "  (3 optional 2 = 0x0p+0 ; b)\n"
                 "  (4 Conv 0 1 3)\n"
                 "  (5 Relu 4)\n"
                 "  (6 absent input)\n"
                 "  (7 Gemm 0 1 6)\n"
                 "  (8 Neg 7)\n"
                 "  (require (. 3 present))\n"
                 "  (source 5) (target 8))\n");
}

static void tuples(void)
{
    expect_print("rule r {\n x = Wildcard()\n y = Wildcard()\n source (x, y)[_]\n target Split(x, axis=0, split=(1,))[0]\n}\n",
                 "(rule r real\n"
                 "  (0 wildcard ; x)\n"
                 "  (1 wildcard ; y)\n"
                 "  (2 tuple 0 1)\n"
                 "  (3 projection 2 = _)\n"
                 "  (4 Split 0 (axis 0) (split (tuple 1)))\n"
                 "  (5 projection 4 = 0)\n"
                 "  (source 3) (target 5))\n");
}

static void several_outputs(void)
{
    expect_print("rule r {\n x = Wildcard()\n y = Relu(x)\n source [y, Neg(x)]\n z = Abs(x)\n target [z, z]\n}\n",
                 "(rule r real\n"
                 "  (0 wildcard ; x)\n"
                 "  (1 Relu 0 ; y)\n"
                 "  (2 Neg 0)\n"
                 "  (3 Abs 0 ; z)\n"
                 "  (source 1 2) (target 3 3))\n");
}

/* A macro's body sees the bindings of its definition, not those of its use (x inside is the parameter). */
static void macros(void)
{
    expect_print("def twice(x) = Add(x, x)\n"
                 "def same(c) = same_attr(c, [strides,\n   group])\n"
                 "rule r {\n x = Wildcard()\n y = Const()\n def f(a) = twice(a) * x\n"
                 " c = Conv(x, y)\n source f(c)\n target Conv(x, y, kernel_shape=c.kernel_shape, pads=c.pads, dilations=(1, 1), **same(c))\n}\n",
                 "(rule r real\n"
                 "  (0 wildcard ; x)\n"
                 "  (1 constant ; y)\n"
                 "  (2 Conv 0 1 ; c)\n"
                 "  (3 Add 2 2)\n"
                 "  (4 Mul 3 0)\n"
                 "  (5 Conv 0 1 (kernel_shape (. 2 kernel_shape)) (pads (. 2 pads)) (dilations (tuple 1 1)) "
                 "(strides (. 2 strides)) (group (. 2 group)))\n"
                 "  (source 4) (target 5))\n");
}

static void several_files(void)
{
    struct world w;

    open_world(&w);
    CU_ASSERT_EQUAL(parse(&w, "rule a { \n x = Wildcard()\n source Relu(x)\n target x }\n"), CALQUE_OK);
    CU_ASSERT_EQUAL(parse(&w, "\n# comment\n\nrule b {\n x = Wildcard()\n source Neg(x)\n target x\n class ring\n}"), CALQUE_OK);
    CU_ASSERT_EQUAL(rules_count(&w.rules), 2);
    CU_ASSERT_STRING_EQUAL(rules_name(&w.rules, 1), "b");
    CU_ASSERT_STRING_EQUAL(rules_class(&w.rules, 0), "real");
    CU_ASSERT_STRING_EQUAL(rules_class(&w.rules, 1), "ring");
    CU_ASSERT_EQUAL(rules_line(&w.rules, 1), 4);
    CU_ASSERT_EQUAL(rules_find(&w.rules, "b"), 1);
    CU_ASSERT_EQUAL(rules_find(&w.rules, "c"), -1);
    /* A file with an error adds nothing. */
    CU_ASSERT_EQUAL(parse(&w, "rule c { \n x = Wildcard()\n source Relu(x)\n target x }\nrule d { }\n"), CALQUE_BAD);
    CU_ASSERT_EQUAL(rules_count(&w.rules), 2);
    CU_ASSERT_EQUAL(parse(&w, "rule a { \n x = Wildcard()\n source Relu(x)\n target x }\n"), CALQUE_BAD);
    CU_ASSERT_STRING_EQUAL(w.d.text, "a rule 'a' exists already (t.gsl:1)");
    close_world(&w);
}

struct bad {
    const char *src;
    int line, col;
    const char *text;
};

static void expect_bad(const struct bad *b, int n)
{
    for (int k = 0; k < n; k++) {
        struct world w;
        open_world(&w);
        CU_ASSERT_EQUAL(parse(&w, b[k].src), CALQUE_BAD);
        if (w.d.line != b[k].line || w.d.col != b[k].col || strcmp(w.d.text, b[k].text) != 0) {
            CU_FAIL("another error than expected");
            fprintf(stderr, "%s\n  expected %d:%d: %s\n  got      %d:%d: %s\n", b[k].src, b[k].line, b[k].col,
                    b[k].text, w.d.line, w.d.col, w.d.text);
        }
        CU_ASSERT_STRING_EQUAL(w.d.file, "t.gsl");
        CU_ASSERT_EQUAL(rules_count(&w.rules), 0);
        close_world(&w);
    }
}

#define R(body) "rule r {\n x = Wildcard()\n" body "\n}\n"

static void bad_syntax(void)
{
    static const struct bad b[] = {
        { "foo", 1, 1, "expected 'rule', 'def' or 'graph'" },
        { "graph g {\n}", 2, 1, "the graph has no return" },
        { "graph g {\n", 2, 1, "the graph is not closed: expected '}'" },
        { "graph g\n", 1, 8, "the graph is not closed: expected '{'" },
        { "\n graph g { input x : f32[1]\n y = Conv(x)\n return y }", 3, 6, "Conv takes 2 to 3 inputs, got 1" },
        { "rule {", 1, 6, "expected the name of the rule" },
        { "rule r {\n x = Wildcard()\n", 3, 1, "the rule 'r' is not closed: expected '}'" },
        { "rule r {\n x Wildcard()\n}", 2, 4, "expected '=', got 'Wildcard'" },
        { R(" source Relu(x"), 4, 1, "expected ')', got '}'" },
        { R(" source Relu(x) y"), 3, 17, "expected the end of the line, got 'y'" },
        { R(" source Relu(x))"), 3, 16, "expected the end of the line, got ')'" },
        { R(" source Relu(x,\n   = 3)"), 4, 4, "expected an expression, got '='" },
        { R(" source Relu(x, 3 = 4)"), 3, 17, "expected a name before '='" },
        { R(" source"), 3, 8, "expected an expression" },
        { R(" y = x."), 3, 8, "expected an attribute name after '.'" },
        { R(" y = 'abc"), 3, 6, "the string is not closed on its line" },
        { R(" def f(a, a) = a"), 3, 12, "the parameter 'a' occurs twice" },
        { R(" def f(a = a"), 3, 10, "expected ')', got '='" },
        { R(" class exactly"), 3, 8, "unknown class 'exactly': exact, ring or real" },
        { R(" class"), 3, 7, "expected exact, ring or real" },
        { "rule r { } }", 1, 12, "expected 'rule', 'def' or 'graph'" },
        { "rule r { } rule q { }", 1, 12, "expected the end of the line, got 'rule'" },
        { "def f(x) = (x", 1, 14, "expected ')' before the end of the input" },
    };
    expect_bad(b, UNIT_COUNT(b));
}

static void bad_names(void)
{
    static const struct bad b[] = {
        { R(" source Relu(y)"), 3, 14, "undefined name 'y'" },
        { R(" source conv2d(x)"), 3, 9, "unknown operator or macro 'conv2d'" },
        { R(" source Opaque(x)"), 3, 9, "unknown operator or macro 'Opaque'" },
        { R(" source Relu(Neg)"), 3, 14, "'Neg' must be applied to arguments" },
        { R(" def f(a) = a\n source Relu(f)"), 4, 14, "the macro 'f' must be applied to arguments" },
        { R(" def f(a) = a\n source Relu(f(x, x))"), 4, 14, "the macro 'f' takes 1 argument, got 2" },
        { R(" def f(a) = a\n source Relu(f(a=x))"), 4, 18, "the value of 'a' must be an attribute value, not a pattern" },
        { R(" def f(a) = a\n source Relu(f(a=1))"), 4, 16, "'f' takes no keyword arguments" },
        { R(" def f(a) = b\n b = Wildcard()\n source Relu(f(x))"), 3, 13, "undefined name 'b'" },
        { R(" def f(a) = f(a)\n source Relu(f(x))"), 3, 13, "unknown operator or macro 'f'" },
        { R(" x = Wildcard()"), 3, 2, "'x' is bound twice (first on line 2)" },
        { R(" Relu = x"), 3, 2, "'Relu' is the name of an operator or a built-in function" },
        { R(" max = x"), 3, 2, "'max' is the name of an operator or a built-in function" },
        { "def len(a) = a\n", 1, 5, "'len' is the name of an operator or a built-in function" },
        { R(" source x(x, 0)"), 3, 9, "only operators, functions, macros, operator patterns and Variadics can be applied" },
        { R(" source (x + x)(x)"), 3, 12, "only operators, functions, macros, operator patterns and Variadics can be applied" },
    };
    expect_bad(b, UNIT_COUNT(b));
}

static void bad_calls(void)
{
    static const struct bad b[] = {
        { R(" source Relu(x, x)"), 3, 9, "Relu takes 1 input, got 2" },
        { R(" source Conv(x)"), 3, 9, "Conv takes 2 to 3 inputs, got 1" },
        { R(" source Concat(axis=0)"), 3, 9, "Concat takes at least 1 input, got 0" },
        { R(" source Relu(x, axis=1)"), 3, 17, "the operator Relu has no attribute 'axis'" },
        { R(" source Conv(x, x, group=1, group=1)"), 3, 29, "the attribute 'group' is given twice" },
        { R(" c = Conv(x, x)\n source Conv(c, x, group=1, **same_attr(c, [group]))"), 4, 31,
          "the attribute 'group' is given twice" },
        { R(" source Conv(x, x, group='a')"), 3, 20, "the attribute 'group' of Conv is an integer" },
        { R(" source Conv(x, x, strides=2)"), 3, 20, "the attribute 'strides' of Conv is a tuple of integers" },
        { R(" source Conv(x, x, group=x)"), 3, 26, "the value of 'group' must be an attribute value, not a pattern" },
        { R(" source Relu(**x)"), 3, 16, "'**' needs a list of keywords: same_attr(pattern, [name, ..])" },
        { R(" source Relu(same_attr(x, [shape]))"), 3, 14, "a list of keywords stands only after '**'" },
        { R(" source Relu(**same_attr(x, shape))"), 3, 16, "expected same_attr(pattern, [name, ..])" },
        { R(" source Relu(**same_attr(x, [1]))"), 3, 30, "expected the name of an attribute" },
        { R(" source Relu(**same_attr(x, [group]))"), 3, 30, "wildcard has no attribute 'group'" },
        { R(" source Relu(**same_attr(1, [group]))"), 3, 26, "the first argument of same_attr must be a pattern" },
        { R(" y = Wildcard(1)"), 3, 6, "Wildcard takes 0 arguments, got 1" },
        { R(" y = Const(x)"), 3, 12, "the value of Const must be an attribute value, not a pattern" },
        { R(" y = Const(1, 2)"), 3, 6, "Const takes 0 to 1 arguments, got 2" },
        { R(" y = Variable(foo=1)"), 3, 15, "Variable has no attribute 'foo': shape, dtype, ndim, shared" },
        { R(" y = Variable(shared=1)"), 3, 15, "shared must be true or false" },
        { R(" y = Variable(dtype='float32')"), 3, 15, "unknown element type: \"f32\" or \"i64\"" },
        { R(" y = Optional(1)"), 3, 15, "the first argument of Optional must be a pattern" },
        { R(" y = Optional(Optional(x))"), 3, 15, "Optional of Optional" },
        { R(" y = Optional(x, x)"), 3, 18, "the default must be an attribute value, not a pattern" },
    };
    expect_bad(b, UNIT_COUNT(b));
}

static void bad_kinds(void)
{
    static const struct bad b[] = {
        { R(" source 1 + 2"), 3, 11, "the source must be a pattern, not an attribute value" },
        { R(" source Relu(x)\n target 3"), 4, 9, "the target must be a pattern, not an attribute value" },
        { R(" source Relu(x)\n require x"), 4, 10, "the condition must be an attribute value, not a pattern" },
        { R(" source x // x"), 3, 11, "'//' is not defined on patterns, only on attribute values" },
        { R(" source x == x"), 3, 11, "'==' is not defined on patterns, only on attribute values" },
        { R(" require x and true"), 3, 12, "'and' is not defined on patterns, only on attribute values" },
        { R(" require not x"), 3, 14, "the operand must be an attribute value, not a pattern" },
        { R(" y = x.ndim / 2"), 3, 13, "'/' is not defined on attribute values; use '//'" },
        { R(" y = x.foo"), 3, 8, "wildcard has no attribute 'foo'" },
        { R(" y = Relu(x).axis"), 3, 14, "Relu has no attribute 'axis'" },
        { R(" y = x.value"), 3, 8, "wildcard has no attribute 'value'" },
        { R(" y = (1).shape"), 3, 10, "only patterns have attributes: '.shape' follows an attribute value" },
        { R(" y = x[x]"), 3, 8, "the index must be an attribute value, not a pattern" },
        { R(" y = _ + 1"), 3, 6, "'_' has no value: it can only be matched" },
        { R(" y = (1, _)[0]"), 3, 6, "'_' has no value: it can only be matched" },
        { R(" source Relu(x)\n require _"), 4, 10, "'_' has no value: it can only be matched" },
        { R(" y = len(x)"), 3, 10, "the operand must be an attribute value, not a pattern" },
        { R(" y = len(1, 2)"), 3, 6, "len takes 1 argument, got 2" },
    };
    expect_bad(b, UNIT_COUNT(b));
}

static void bad_rules(void)
{
    static const struct bad b[] = {
        { "rule r {\n}", 1, 6, "the rule 'r' has no source" },
        { R(" source Relu(x)"), 1, 6, "the rule 'r' has no target" },
        { R(" source Relu(x)\n source Neg(x)"), 4, 2, "the rule has two sources" },
        { R(" source Relu(x)\n target x\n target x"), 5, 2, "the rule has two targets" },
        { "rule r {\n}\nrule r {\n}", 1, 6, "the rule 'r' has no source" },
        { R(" source Relu(x)\n target x") "rule r {\n}", 6, 6, "a rule 'r' exists already (t.gsl:1)" },
        { R(" source x\n target Relu(x)"), 2, 6, "the source must be an operator application, not a wildcard" },
        { R(" source Split(x)\n target x"), 3, 9, "the source has several values: take one with [index]" },
        { R(" source (x, x)\n target x"), 3, 9, "the source has several values: take one with [index]" },
        { R(" source Relu(x)\n target Split(x, split=(1, 1))"), 4, 9,
          "the target has several values: take one with [index]" },
        { R(" y = Relu(x)\n source y\n target y"), 1, 6, "the target of 'r' is its source" },
        { R(" source [Relu(x), Neg(x)]\n target x"), 1, 6, "the rule 'r' has 2 source and 1 target patterns" },
        { R(" source Relu(x)\n target Relu(Wildcard())"), 4, 14, "the wildcard in the target is not part of the source" },
        { R(" w = Variable()\n source Relu(x)\n target Add(x, w)"), 3, 6,
          "the variable in the target is not part of the source" },
        { R(" source Relu(x)\n target Add(x, _)"), 4, 16, "the wildcard in the target is not part of the source" },
        { R(" source Relu(x)\n target Add(x, Const())"), 4, 16, "a constant built by the target needs a value" },
        { R(" source Relu(x)\n target Add(x, Const(1, shape=()))"), 4, 25,
          "'shape' has no meaning for a constant built by the target" },
        { R(" source Relu(x)\n target Add(x, Const((1, _)))"), 4, 16, "'_' has no value: it can only be matched" },
        { R(" source Relu(x)\n target Gemm(x, x, Optional(x))"), 4, 20, "Optional in the target is not part of the source" },
        { R(" source Relu(x)\n target Transpose(x)"), 4, 9, "Transpose built by the target needs the attribute 'perm'" },
        { R(" source Relu(x)\n target Transpose(x, perm=(_, 1))"), 4, 22, "'_' has no value: it can only be matched" },
        { R(" source Relu(x)\n target Split(x, split=(1, 1))[_]"), 4, 9, "'_' has no value: it can only be matched" },
        { R(" y = Relu(x)\n w = Const(shape=y.shape)\n source Neg(x)\n target x"), 4, 20,
          "'y' is not part of the source: its attributes are not known" },
        { R(" source Relu(x)\n n = Neg(x)\n target Reshape(x, shape=n.shape)"), 5, 28,
          "'n' is not part of the source: its attributes are not known" },
        { R(" w = Const()\n source Conv(x, w, Optional(w))\n target x\n require w.ndim == 1 and Const().ndim == 1"), 6, 34,
          "'constant' is not part of the source: its attributes are not known" },
    };
    expect_bad(b, UNIT_COUNT(b));
}

static void bad_optionals(void)
{
    static const struct bad b[] = {
        { R(" source Conv(x, none)\n target x"), 3, 17, "this input cannot be absent here" },
        { R(" source Conv(x, Optional(x))\n target x"), 3, 17, "'optional' is Optional, but this input cannot be absent" },
        { R(" c = Const()\n source Conv(x, x, Optional(c))\n target Add(x, c)"), 5, 9,
          "'c' is inside an Optional: a match may leave it undefined" },
        { R(" c = Const()\n source Conv(x, x, Optional(c))\n target c"), 5, 9,
          "'c' is inside an Optional: a match may leave it undefined" },
        { R(" c = Const()\n source Conv(x, x, Optional(c))\n target x\n require c.ndim == 1"), 6, 12,
          "'c' is inside an Optional: a match may leave it undefined" },
        { R(" b = Optional(Const())\n source Conv(x, x, b)\n target Add(x, b)"), 5, 9,
          "'b' may be absent and has no default" },
        { R(" b = Optional(Const())\n source Conv(x, x, b)\n target b"), 5, 9, "'b' may be absent and has no default" },
        { R(" b = Optional(Const())\n source Conv(x, x, b)\n target Add(x, none)"), 5, 16,
          "this input cannot be absent here" },
    };
    expect_bad(b, UNIT_COUNT(b));
}

/* Sources built by repetition: n times head, then body, then n times tail. */
static char *nested(const char *head, const char *body, const char *tail, int n)
{
    char *s = calloc((size_t)n * (strlen(head) + strlen(tail)) + strlen(body) + 100, 1), *p = s;

    p += sprintf(p, "rule r {\n x = Wildcard()\n source Relu(x)\n require 0 == ");
    for (int k = 0; k < n; k++)
        p += sprintf(p, "%s", head);
    p += sprintf(p, "%s", body);
    for (int k = 0; k < n; k++)
        p += sprintf(p, "%s", tail);
    sprintf(p, "\n target x\n}\n");
    return s;
}

static void limits(void)
{
    static const char *const form[][3] = {
        { "(", "0", ")" }, { "-", "0", "" }, { "", "0", " + 0" }, { "len(", "()", ")" },
        { "(", "0", ",)" }, { "", "x.shape", "[0]" }, { "not ", "true", "" },
    };
    char text[4096], *p;

    for (int k = 0; k < UNIT_COUNT(form); k++)
        for (int n = 10; n <= 100000; n *= 10) {
            struct world w;
            char *src = nested(form[k][0], form[k][1], form[k][2], n);
            enum calque_status st;
            open_world(&w);
            st = parse(&w, src);
            if (n == 10 && k != 3 && k != 6)
                CU_ASSERT_EQUAL(st, CALQUE_OK);
            if (n >= 1000)
                CU_ASSERT_EQUAL(st, CALQUE_BAD);
            close_world(&w);
            free(src);
        }
    /* Macros that double: 2^30 nodes. */
    p = text + sprintf(text, "def f0(x) = x + x\n");
    for (int k = 1; k < 30; k++)
        p += sprintf(p, "def f%d(x) = f%d(f%d(x))\n", k, k - 1, k - 1);
    sprintf(p, "rule r {\n x = Wildcard()\n source f29(x)\n target x\n}\n");
    {
        struct world w;
        open_world(&w);
        CU_ASSERT_EQUAL(parse(&w, text), CALQUE_BAD);
        close_world(&w);
    }
}

static const char sample[] =
    "def two(a) = (a, a)\nrule r {\n x = Wildcard(ndim=4)\n b = Optional(Const(), 0.0)\n c = Conv(x, Variable(shape=(_, 2)), b, group=1)\n"
    " source Relu(c)\n require two(c.group)[1] == 1 and \"a\" != 'b'\n target Conv(x, x, b, **same_attr(c, [strides, pads, "
    "dilations, kernel_shape]))\n}\n";

static void memory_runs_out(void)
{
    enum calque_status st = CALQUE_NOMEM;
    int k;

    for (k = 0; k < 10000 && st != CALQUE_OK; k++) {
        struct world w;
        open_world(&w);
        w.mem.fail_after = k;
        st = parse(&w, sample);
        CU_ASSERT(st == CALQUE_OK || (st == CALQUE_NOMEM && rules_count(&w.rules) == 0));
        close_world(&w);
    }
    CU_ASSERT_EQUAL(st, CALQUE_OK);
    CU_ASSERT(k > 10);
}

/* Every prefix of a rule file, and every file with one byte changed, gives an answer. */
static void mutations(void)
{
    static const char byte[] = "()[]{}=,.*_x1'\n-";
    char text[sizeof sample];

    for (size_t n = 0; n < sizeof sample; n++) {
        struct world w;
        open_world(&w);
        rules_parse(&w.rules, "t.gsl", sample, n, &w.d);
        close_world(&w);
        for (size_t k = 0; k + 1 < sizeof byte; k++) {
            memcpy(text, sample, sizeof sample);
            text[n] = byte[k];
            open_world(&w);
            rules_parse(&w.rules, "t.gsl", text, sizeof sample - 1, &w.d);
            close_world(&w);
        }
    }
}

static const struct unit_case cases[] = {
    { "patterns", patterns },
    { "infix operators", infix },
    { "attribute expressions", attributes },
    { "optional and absent inputs", optional_and_none },
    { "tuples and projections", tuples },
    { "several outputs", several_outputs },
    { "macros", macros },
    { "several files", several_files },
    { "syntax errors", bad_syntax },
    { "name errors", bad_names },
    { "application errors", bad_calls },
    { "kind errors", bad_kinds },
    { "rule errors", bad_rules },
    { "errors with optional inputs", bad_optionals },
    { "limits", limits },
    { "memory runs out", memory_runs_out },
    { "mutations", mutations },
};

int main(void)
{
    return unit_main("pattern/gsl", cases, UNIT_COUNT(cases));
}
