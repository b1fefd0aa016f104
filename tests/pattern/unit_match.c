/* The match judgement, rule by rule: each case is a graph, a rule, the node to match at and the judgement that fails
   ("" when there is a match), with the place in the rule. */
#include "world.h"

#define R(body) "rule r {\n x = Wildcard()\n" body " target x\n}\n"

static void pm_wildcard(void)
{
    static const struct match_case c[] = {
        { G("y = Relu(x)\n return y\n"), R(" source Relu(x)\n"), "y", "", 0, 0, NULL, NULL },
        { G("y = Relu(Neg(x))\n return y\n"), R(" source Relu(x)\n"), "y", "", 0, 0, NULL, NULL },
        { G("y = Relu(x)\n return y\n"),
          "rule r {\n x = Wildcard(shape=(2, _), dtype='f32', ndim=2)\n source Relu(x)\n target x\n}\n", "y", "", 0, 0, NULL, NULL },
        { G("y = Relu(x)\n return y\n"), "rule r {\n x = Wildcard(shape=(3, _))\n source Relu(x)\n target x\n}\n", "y",
          "PM-Wildcard", 2, 6, "shape = (tuple 3 _)", "shape = (tuple 2 3)" },
        { G("y = Relu(x)\n return y\n"), "rule r {\n x = Wildcard(ndim=1)\n source Relu(x)\n target x\n}\n", "y",
          "PM-Wildcard", 2, 6, "ndim = 1", "ndim = 2" },
        { G("y = Relu(x)\n return y\n"), "rule r {\n x = Wildcard(dtype=\"i64\")\n source Relu(x)\n target x\n}\n", "y",
          "PM-Wildcard", 2, 6, "dtype = \"i64\"", "dtype = \"f32\"" },
        { "graph {\n input x: f32[2]\n o = opaque \"Foo\"(x)\n y = Relu(o)\n return y\n}\n",
          "rule r {\n x = Wildcard(shape=_)\n source Relu(x)\n target x\n}\n", "y", "PM-Wildcard", 2, 6, "shape = _",
          "shape = no value" },
    };
    run(c, UNIT_COUNT(c));
}

static void pm_variable(void)
{
    static const char rule[] = "rule r {\n v = Variable(shape=(2, 3))\n source Relu(v)\n target v\n}\n";
    static const struct match_case c[] = {
        { G("y = Relu(x)\n return y\n"), rule, "y", "", 0, 0, NULL, NULL },
        { G("const k: f32[2, 3] = 1.0\n y = Relu(k)\n return y\n"), rule, "y", "", 0, 0, NULL, NULL },
        { G("y = Relu(Neg(x))\n return y\n"), rule, "y", "PM-Variable", 2, 6, "a graph input or a constant", "Neg" },
        { G("const k: f32[3] = 1.0\n y = Relu(k)\n return y\n"), rule, "y", "PM-Variable", 2, 6, "shape = (tuple 2 3)",
          "shape = (tuple 3)" },
    };
    run(c, UNIT_COUNT(c));
}

static void pm_const(void)
{
    static const char any[] = "rule r {\n v = Const()\n source Relu(v)\n target v\n}\n";
    static const char one[] = "rule r {\n v = Const(1.0)\n source Relu(v)\n target v\n}\n";
    static const char two[] = "rule r {\n v = Const((1.0, _))\n source Relu(v)\n target v\n}\n";
    static const struct match_case c[] = {
        { G("const k: f32[2, 3] = 1.0\n y = Relu(k)\n return y\n"), any, "y", "", 0, 0, NULL, NULL },
        { G("y = Relu(x)\n return y\n"), any, "y", "PM-Const", 2, 6, "a constant", "a graph input" },
        { G("const k: f32[] = 1.0\n y = Relu(k)\n return y\n"), one, "y", "", 0, 0, NULL, NULL },
        { G("const k: f32[1, 1] = 1.0\n y = Relu(k)\n return y\n"), one, "y", "", 0, 0, NULL, NULL },
        { G("const k: f32[] = 2.0\n y = Relu(k)\n return y\n"), one, "y", "PM-Const", 2, 6, "value = 0x1p+0",
          "value = 0x1p+1" },
        { G("const k: f32[2] = 1.0\n y = Relu(k)\n return y\n"), one, "y", "PM-Const", 2, 6, NULL,
          "value = (tuple 0x1p+0 0x1p+0)" },
        { G("const k: f32[2, 2] = 1.0\n y = Relu(k)\n return y\n"), one, "y", "PM-Const", 2, 6, NULL, "value = no value" },
        { G("const k: f32[] = -0.0\n y = Relu(k)\n return y\n"), "rule r {\n v = Const(0.0)\n source Relu(v)\n target v\n}\n",
          "y", "PM-Const", 2, 6, NULL, "value = -0x0p+0" },
        { G("const k: f32[2] = [1.0, 5.0]\n y = Relu(k)\n return y\n"), two, "y", "", 0, 0, NULL, NULL },
        { G("const k: f32[3] = [1.0, 5.0, 1.0]\n y = Relu(k)\n return y\n"), two, "y", "PM-Const", 2, 6, NULL, NULL },
        { G("const k: i64[2] = [3, 4]\n y = Cast(k, to=1)\n return y\n"),
          "rule r {\n v = Const((3, 4))\n source Cast(v)\n target v\n}\n", "y", "", 0, 0, NULL, NULL },
        /* An integer literal stands for a float, a computed integer does not. */
        { G("const k: f32[] = 3.0\n y = Sub(x, k)\n return y\n"), R(" source x - 3\n"), "y", "", 0, 0, NULL, NULL },
        { G("const k: f32[] = 3.0\n y = Sub(x, k)\n return y\n"), R(" source x - 4\n"), "y", "PM-Const", 3, 13, "value = 4",
          "value = 0x1.8p+1" },
        { G("const k: f32[] = -0.0\n y = Sub(x, k)\n return y\n"), R(" source x - 0\n"), "y", "PM-Const", 3, 13, NULL, NULL },
        { G("const k: f32[] = 3.0\n y = Sub(x, k)\n return y\n"), R(" source x - (1 + 2)\n"), "y", "PM-Const", 3, 16, NULL, NULL },
        { "graph {\n input x: i64[2]\n const k: i64[] = 3\n y = Sub(x, k)\n return y\n}\n", R(" source x - 3\n"), "y", "", 0, 0, NULL, NULL },
        /* The value of another constant. */
        { G("const k: f32[] = 3.0\n const l: f32[1] = 3.0\n y = Sub(k, l)\n return y\n"),
          "rule r {\n v = Const()\n w = Const(v.value)\n source Sub(w, v)\n target v\n}\n", "y", "", 0, 0, NULL, NULL },
        { G("const k: f32[] = 3.0\n const l: f32[1] = 4.0\n y = Sub(k, l)\n return y\n"),
          "rule r {\n v = Const()\n w = Const(v.value)\n source Sub(w, v)\n target v\n}\n", "y", "PM-Const", 3, 6,
          "value = (. 0 value)", "value = 0x1.8p+1" },
    };
    run(c, UNIT_COUNT(c));
}

static void pm_call(void)
{
    static const char conv[] = "graph {\n input x: f32[1, 2, 4, 4]\n param w: f32[2, 2, 3, 3]\n param b: f32[2]\n"
                               " y = Conv(x, w, b, pads=(1, 1, 1, 1))\n z = Conv(x, w)\n return y, z\n}\n";
    static const struct match_case c[] = {
        { conv, R(" source Conv(x, Wildcard(), Wildcard(), pads=(_, _, 1, 1), group=1)\n"), "y", "", 0, 0, NULL, NULL },
        { conv, R(" source Conv(x, Wildcard())\n"), "z", "", 0, 0, NULL, NULL },
        { conv, R(" source Conv(x, Wildcard())\n"), "y", "PM-Call", 3, 9, "no further input",
          "an input more than the pattern has" },
        { conv, R(" w = Wildcard()\n source Conv(x, w, Wildcard())\n"), "z", "PM-Wildcard", 4, 20, "wildcard",
          "an absent input" },
        { conv, R(" source Conv(x, Wildcard(), Wildcard(), pads=(0, 0, 0, 0))\n"), "y", "PM-Call", 3, 9,
          "pads = (tuple 0 0 0 0)", "pads = (tuple 1 1 1 1)" },
        { conv, R(" w = Variable()\n source Conv(x, w, strides=(w.shape[2] - 2, 1))\n"), "z", "", 0, 0, NULL, NULL },
        { conv, R(" w = Variable()\n source Conv(x, w, strides=(w.shape[2], 1))\n"), "z", "PM-Call", 4, 9, NULL,
          "strides = (tuple 1 1)" },
        /* Stuck: the weights have no fifth dimension. */
        { conv, R(" w = Variable()\n source Conv(x, w, strides=(w.shape[4], 1))\n"), "z", "PM-Call", 4, 9, NULL, NULL },
        { G("y = Relu(Neg(x))\n return y\n"), R(" source Relu(Abs(x))\n"), "y", "PM-Call", 3, 14, "Abs", "Neg" },
        { G("y = Relu(Neg(x))\n return y\n"), R(" source Neg(x)\n"), "y", "PM-Call", 3, 9, "Neg", "Relu" },
        { G("y = Relu(x)\n return y\n"), R(" source Relu(Relu(x))\n"), "y", "PM-Call", 3, 14, "Relu", "a graph input" },
        { G("y = Sum(x, u, x)\n return y\n"), R(" source Sum(x, Wildcard())\n"), "y", "PM-Call", 3, 9, NULL, NULL },
    };
    run(c, UNIT_COUNT(c));
}

static void pm_tuple_proj(void)
{
    static const char g[] = "graph {\n input x: f32[4]\n s = Split(x, axis=0, split=(1, 1, 2))\n a = s[0]\n b = s[2]\n"
                            " t = (x, a, b)\n p = t[1]\n q = t[2]\n return p, q, b\n}\n";
    static const struct match_case c[] = {
        { g, R(" s = Split(x)\n source s[len(s.split) - 1]\n"), "b", "PM-Use", 3, 6, "no use outside the match",
          "a projection a uses it" },
        { g, R(" source Split(x)[1]\n"), "b", "PM-Proj", 3, 9, "index = 1", "index = 2" },
        { g, R(" source Relu(x)[0]\n"), "a", "PM-Call", 3, 9, "Relu", "Split" },
        { g, R(" source (x, Wildcard(), Wildcard())[1]\n"), "p", "PM-Use", 3, 9, NULL, "a projection q uses it" },
        { g, R(" source (x, Wildcard())[1]\n"), "p", "PM-Tuple", 3, 9, "a tuple of this length", "a tuple" },
        { g, R(" source (x, x)[_]\n"), "a", "PM-Tuple", 3, 9, "a tuple of this length", "Split" },
        { "graph {\n input x: f32[4]\n input y: f32[4]\n t = (x, y)\n p = t[1]\n return p\n}\n",
          R(" source (x, Wildcard())[1]\n"), "p", "", 0, 0, NULL, NULL },
        { "graph {\n input x: f32[4]\n y = Relu(x)\n return y\n}\n", R(" source x[1]\n"), "y", "PM-Proj", 3, 9,
          "a projection", "Relu" },
    };
    static const char alone[] = "graph {\n input x: f32[4]\n s = Split(x, axis=0, split=(1, 3))\n a = s[1]\n return a\n}\n";
    static const struct match_case d[] = {
        { alone, R(" source Split(x)[1]\n"), "a", "", 0, 0, NULL, NULL },
        { alone, R(" s = Split(x)\n source s[len(s.split) - 1]\n"), "a", "", 0, 0, NULL, NULL },
        { alone, R(" s = Split(x)\n source s[len(s.split) - 2]\n"), "a", "PM-Proj", 4, 9, NULL, "index = 1" },
        { alone, R(" p = x[_]\n source p\n require p.index == 1\n"), "a", "", 0, 0, NULL, NULL },
    };
    run(c, UNIT_COUNT(c));
    run(d, UNIT_COUNT(d));
}

static void pm_optional(void)
{
    static const char g[] = "graph {\n input x: f32[1, 2, 4, 4]\n param w: f32[2, 2, 3, 3]\n param b: f32[2]\n input i: f32[2]\n"
                            " y = Conv(x, w, b)\n z = Conv(x, w)\n v = Conv(x, w, i)\n return y, z, v\n}\n";
    static const char opt[] = R(" source Conv(x, Const(), Optional(Const()))\n");
    static const char none[] = R(" source Conv(x, Const(), none)\n");
    static const struct match_case c[] = {
        { g, opt, "y", "", 0, 0, NULL, NULL },
        { g, opt, "z", "", 0, 0, NULL, NULL },
        { g, opt, "v", "PM-Const", 3, 35, "a constant", "a graph input" },
        { g, none, "z", "", 0, 0, NULL, NULL },
        { g, none, "y", "PM-None", 3, 26, "an absent input", "a constant" },
        { g, R(" b = Optional(Const())\n source Conv(x, Const(), b)\n require b.present\n"), "y", "", 0, 0, NULL, NULL },
        { g, R(" b = Optional(Const())\n source Conv(x, Const(), b)\n require b.present\n"), "z", "PM-Require", 5, 12,
          "(. 2 present)", "false" },
        { g, R(" b = Optional(Const())\n source Conv(x, Const(), b)\n require b.shape == (2,)\n"), "y", "", 0, 0, NULL, NULL },
        { g, R(" b = Optional(Const())\n source Conv(x, Const(), b)\n require b.shape == (2,)\n"), "z", "PM-Stuck", 5, 18,
          NULL, "no value" },
        { g, R(" source Conv(x, Const(), Optional(Const(shape=(3,))))\n"), "y", "PM-Const", 3, 35, NULL, NULL },
        { g, R(" source Conv(x, Const(), Optional(Const(shape=(3,))))\n"), "z", "", 0, 0, NULL, NULL },
    };
    run(c, UNIT_COUNT(c));
}

/* M is a function: both mentions of x stand for one node. */
static void pm_function(void)
{
    static const struct match_case c[] = {
        { G("y = Sub(x, x)\n return y\n"), R(" source x - x\n"), "y", "", 0, 0, NULL, NULL },
        { G("y = Sub(x, u)\n return y\n"), R(" source x - x\n"), "y", "PM-Function", 2, 6, "a graph input x",
          "a graph input u" },
        { G("y = Sub(Relu(x), Relu(x))\n return y\n"), R(" source Relu(x) - Relu(x)\n"), "y", "", 0, 0, NULL, NULL },
        { G("y = Sub(Relu(x), Relu(u))\n return y\n"), R(" source Relu(x) - Relu(x)\n"), "y", "PM-Function", 2, 6, NULL,
          NULL },
    };
    run(c, UNIT_COUNT(c));
}

static void pm_injective(void)
{
    static const struct match_case c[] = {
        { G("y = Sub(x, u)\n return y\n"), R(" y = Wildcard()\n source x - y\n"), "y", "", 0, 0, NULL, NULL },
        { G("y = Sub(x, x)\n return y\n"), R(" y = Wildcard()\n source x - y\n"), "y", "PM-Injective", 3, 6,
          "a node no other pattern stands for", "a graph input x, which the wildcard of line 2 stands for" },
        { G("y = Sub(x, x)\n return y\n"), R(" y = Wildcard(shared=true)\n source x - y\n"), "y", "", 0, 0, NULL, NULL },
        { G("y = Sub(x, x)\n return y\n"), "rule r {\n x = Wildcard(shared=true)\n y = Wildcard()\n source x - y\n target x\n}\n",
          "y", "", 0, 0, NULL, NULL },
        /* Applications stay one-to-one, also against shared inputs. */
        { G("a = Relu(x)\n y = Sub(a, a)\n return y\n"), R(" source Relu(x) - Relu(x)\n"), "y", "PM-Injective", 3, 19,
          NULL, NULL },
        { G("a = Relu(x)\n y = Sub(a, a)\n return y\n"), R(" y = Wildcard(shared=true)\n source Relu(x) - y\n"), "y",
          "PM-Injective", 3, 6, NULL, "Relu a, which the Relu of line 4 stands for" },
    };
    run(c, UNIT_COUNT(c));
}

/* Add and Mul in both orders, written order first; every choice is undone when something later fails. */
static void commutative(void)
{
    static const struct match_case c[] = {
        { G("y = Add(Relu(x), u)\n return y\n"), R(" source Relu(x) + Variable()\n"), "y", "", 0, 0, NULL, NULL },
        { G("y = Add(u, Relu(x))\n return y\n"), R(" source Relu(x) + Variable()\n"), "y", "", 0, 0, NULL, NULL },
        { G("y = Sub(u, Relu(x))\n return y\n"), R(" source Relu(x) - Variable()\n"), "y", "PM-Call", 3, 9, "Relu",
          "a graph input" },
        /* The first order binds x, fails, and must give x back. */
        { G("y = Sub(Add(x, Relu(u)), u)\n return y\n"), R(" source (x + Relu(Wildcard(shared=true))) - x\n"), "y",
          "PM-Function", 2, 6, NULL, NULL },
        { G("y = Sub(Add(u, x), u)\n return y\n"), R(" y = Wildcard()\n source (x + y) - y\n"), "y", "", 0, 0, NULL, NULL },
        { G("y = Sub(Add(x, u), u)\n return y\n"), R(" y = Wildcard()\n source (x + y) - y\n"), "y", "", 0, 0, NULL, NULL },
        /* Two choices, only one of the four combinations fits. */
        { G("y = Sub(Mul(Add(x, Relu(u)), u), u)\n return y\n"), R(" y = Wildcard()\n source (y * (Relu(y) + x)) - y\n"), "y", "",
          0, 0, NULL, NULL },
        { G("y = Sub(Mul(u, Add(Relu(u), x)), x)\n return y\n"), R(" y = Wildcard()\n source ((Relu(y) + x) * y) - x\n"), "y", "",
          0, 0, NULL, NULL },
        /* The order is also revised for attributes, and for conditions. */
        { G("const k: f32[] = 3.0\n const l: f32[] = 4.0\n y = Relu(Add(k, l))\n return y\n"),
          "rule r {\n v = Const(4)\n w = Const(3)\n source Relu(v + w)\n target v\n}\n", "y", "", 0, 0, NULL, NULL },
        { G("const k: f32[3] = 1.0\n y = Add(k, x)\n return y\n"), R(" source x + Variable(ndim=1)\n"), "y", "", 0, 0, NULL,
          NULL },
        { G("const k: f32[3] = 1.0\n y = Add(k, x)\n return y\n"),
          R(" y = Wildcard()\n source x + y\n require y.ndim == 1\n"), "y", "", 0, 0, NULL, NULL },
        { G("const k: f32[3] = 1.0\n y = Add(k, x)\n return y\n"),
          R(" y = Wildcard()\n source x + y\n require y.ndim == 3\n"), "y", "PM-Require", 5, 17, NULL, "false" },
    };
    run(c, UNIT_COUNT(c));
}

/* Which node does each pattern stand for after the swap? */
static void swapped_binding(void)
{
    struct world w;

    CU_ASSERT_EQUAL_FATAL(set_up(&w, G("y = Add(u, x)\n return y\n"),
                                 "rule r {\n a = Wildcard()\n b = Wildcard()\n source a + b\n target a\n}\n", -1),
                          CALQUE_OK);
    CU_ASSERT_EQUAL(match_at(&w.m, 0, node_named(&w.g, "y"), &w.d), CALQUE_OK);
    CU_ASSERT_EQUAL(match_node(&w.m, 0, -1), node_named(&w.g, "u")); /* as written comes first */
    CU_ASSERT_EQUAL(match_node(&w.m, 1, -1), node_named(&w.g, "x"));
    tear_down(&w);
    CU_ASSERT_EQUAL_FATAL(set_up(&w, G("const k: f32[] = 2.0\n y = Add(Mul(k, x), u)\n return y\n"),
                                 "rule r {\n a = Wildcard()\n k = Const()\n b = Wildcard()\n source b + a * k\n target a\n}\n", -1),
                          CALQUE_OK);
    CU_ASSERT_EQUAL(match_at(&w.m, 0, node_named(&w.g, "y"), &w.d), CALQUE_OK);
    CU_ASSERT_EQUAL(match_node(&w.m, 0, -1), node_named(&w.g, "x"));
    CU_ASSERT_EQUAL(match_node(&w.m, 1, -1), node_named(&w.g, "k"));
    CU_ASSERT_EQUAL(match_node(&w.m, 2, -1), node_named(&w.g, "u"));
    tear_down(&w);
}

static void pm_use(void)
{
    static const char rule[] = R(" source Neg(Relu(x))\n");
    static const struct match_case c[] = {
        { G("a = Relu(x)\n y = Neg(a)\n return y\n"), rule, "y", "", 0, 0, NULL, NULL },
        { G("a = Relu(x)\n y = Neg(a)\n b = Abs(a)\n return y, b\n"), rule, "y", "PM-Use", 3, 13,
          "no use outside the match", "Abs b uses it" },
        { G("a = Relu(x)\n y = Neg(a)\n return y, a\n"), rule, "y", "PM-Use", 3, 13, "no use outside the match",
          "a graph output uses it" },
        /* The root and the inputs may have other users, constants too. */
        { G("a = Relu(x)\n y = Neg(a)\n b = Abs(y)\n c = Abs(x)\n return y, b, c\n"), rule, "y", "", 0, 0, NULL, NULL },
        { G("const k: f32[] = 1.0\n a = Relu(x)\n y = Sub(a, k)\n b = Sub(x, k)\n return y, b\n"),
          R(" source Relu(x) - Const()\n"), "y", "", 0, 0, NULL, NULL },
        /* Both uses inside. */
        { G("a = Relu(x)\n y = Sub(a, Neg(a))\n return y\n"), R(" a = Relu(x)\n source a - Neg(a)\n"), "y", "", 0, 0, NULL, NULL },
        /* The user stands for an input of the match only: it stays, and so would the inner node. */
        { G("a = Relu(x)\n b = Neg(a)\n y = Sub(a, b)\n return y\n"), R(" source Relu(x) - Wildcard()\n"), "y", "PM-Use", 3,
          9, NULL, "Neg b uses it" },
        /* An application without inputs is an input of the pattern. */
        { "graph {\n input x: f32[2]\n c = ConstantOfShape(shape=(2,), value=1.0, dtype=1)\n y = Add(x, c)\n z = Neg(c)\n return y, z\n}\n",
          R(" source x + ConstantOfShape()\n"), "y", "", 0, 0, NULL, NULL },
    };
    run(c, UNIT_COUNT(c));
}

static void pm_require(void)
{
    static const struct match_case c[] = {
        { G("y = Relu(x)\n return y\n"), R(" y = Relu(x)\n source y\n require y.shape == x.shape and x.dtype == 'f32'\n"), "y",
          "", 0, 0, NULL, NULL },
        { G("y = Relu(x)\n return y\n"), R(" source Relu(x)\n require x.ndim == 2\n require x.ndim < 2\n"), "y",
          "PM-Require", 5, 17, "(lt (. 0 ndim) 2)", "false" },
        { G("y = Relu(x)\n return y\n"), R(" source Relu(x)\n require x.shape[7] == 2\n"), "y", "PM-Stuck", 4, 21, NULL,
          "no value" },
        { G("y = Relu(x)\n return y\n"), R(" source Relu(x)\n require x.shape[0]\n"), "y", "PM-Stuck", 4, 12, "(proj (. 0 shape) 0)", "2" },
        { G("t = Transpose(x, perm=(1, 0))\n return t\n"), R(" t = Transpose(x)\n source t\n require gather(t.perm, t.perm) == (0, 1)\n"),
          "t", "", 0, 0, NULL, NULL },
    };
    run(c, UNIT_COUNT(c));
}

struct sites {
    int rule[16], node[16], n;
};

static enum calque_status note_site(void *ctx, const struct matcher *m, struct diag *d)
{
    struct sites *s = ctx;

    (void)d;
    s->rule[s->n] = m->rule;
    s->node[s->n++] = m->outs.a[0];
    return CALQUE_OK;
}

static void listing(void)
{
    struct world w;
    struct sites s = { .n = 0 };

    CU_ASSERT_EQUAL_FATAL(set_up(&w, G("a = Relu(x)\n b = Neg(a)\n c = Relu(b)\n d = Neg(c)\n return d\n"),
                                 R(" source Neg(Relu(x))\n") "rule s {\n x = Wildcard()\n source Relu(x)\n target x\n}\n", -1),
                          CALQUE_OK);
    CU_ASSERT_EQUAL(match_all(&w.rules, &w.g, -1, note_site, &s, NULL, &w.d), CALQUE_OK);
    CU_ASSERT_EQUAL_FATAL(s.n, 4);
    CU_ASSERT(s.rule[0] == 0 && s.node[0] == node_named(&w.g, "b"));
    CU_ASSERT(s.rule[1] == 0 && s.node[1] == node_named(&w.g, "d"));
    CU_ASSERT(s.rule[2] == 1 && s.node[2] == node_named(&w.g, "a"));
    CU_ASSERT(s.rule[3] == 1 && s.node[3] == node_named(&w.g, "c"));
    s.n = 0;
    CU_ASSERT_EQUAL(match_all(&w.rules, &w.g, 1, note_site, &s, NULL, &w.d), CALQUE_OK);
    CU_ASSERT_EQUAL(s.n, 2);
    tear_down(&w);
}

/* A tree of 31 sums whose 2^31 orders all fit until the last condition: the search gives up with an answer. */
static void search_limit(void)
{
    struct world w;
    char graph[8192], rule[8192], *p = graph, *q = rule;

    p += sprintf(p, "graph {\n input x: f32[2]\n");
    q += sprintf(q, "rule r {\n");
    for (int k = 32; k < 64; k++)
        q += sprintf(q, " a%d = Wildcard(shared=true)\n", k);
    for (int k = 31; k >= 1; k--) {
        if (k >= 16)
            p += sprintf(p, " a%d = Add(x, x)\n", k);
        else
            p += sprintf(p, " a%d = Add(a%d, a%d)\n", k, 2 * k, 2 * k + 1);
        q += sprintf(q, " a%d = a%d + a%d\n", k, 2 * k, 2 * k + 1);
    }
    sprintf(p, " return a1\n}\n");
    sprintf(q, " source a1\n require a32.ndim == 2\n target a32\n}\n");
    CU_ASSERT_EQUAL_FATAL(set_up(&w, graph, rule, -1), CALQUE_OK);
    CU_ASSERT_EQUAL(match_at(&w.m, 0, node_named(&w.g, "a1"), &w.d), CALQUE_NO);
    CU_ASSERT_EQUAL(w.m.fail.rule, MATCH_LIMIT);
    CU_ASSERT_EQUAL(w.m.steps, MATCH_STEPS_MAX + 1);
    tear_down(&w);
}

/* The plan of a source of fixed patterns: each once, in the order in which the engine comes to them. */
static void fixed_plan_order(void)
{
    static const char rule[] = "rule r {\n x = Wildcard()\n y = Wildcard()\n n = Neg(y)\n source Mul(x, n) - (n + x)\n target x\n}\n"
                               "rule o {\n x = Wildcard()\n source Conv(x, Const(), Optional(Const()))\n target x\n}\n";
    static const char *const word[] = { "Sub", "Mul", "wildcard", "Neg", "wildcard", "Add" };
    static const int up[] = { -1, 0, 1, 1, 3, 0 };
    const struct match_plan *plan;
    struct world w;

    CU_ASSERT_EQUAL_FATAL(set_up(&w, G("y = Relu(x)\n return y\n"), rule, -1), CALQUE_OK);
    plan = w.m.plan;
    CU_ASSERT_FATAL(plan[0].fixed && plan[0].pos.n == UNIT_COUNT(word) && plan[0].up.n == UNIT_COUNT(word));
    for (int j = 0; j < plan[0].pos.n; j++) {
        CU_ASSERT_STRING_EQUAL(pattern_word(&w.rules.rule.a[0], plan[0].pos.a[j]), word[j]);
        CU_ASSERT_EQUAL(plan[0].up.a[j], up[j]);
    }
    CU_ASSERT(!plan[1].fixed && plan[1].pos.n == 0);
    tear_down(&w);
}

/* A map that a condition refuses leaves nothing behind. */
static void refused(void)
{
    struct world w;

    CU_ASSERT_EQUAL_FATAL(set_up(&w, G("a = Neg(x)\n b = Add(a, x)\n y = Relu(b)\n return y\n"),
                                 "rule r {\n x = Wildcard()\n z = Wildcard()\n source Relu(x + z)\n require x.ndim == 7\n target x\n}\n", -1),
                          CALQUE_OK);
    w.m.brief = true;
    CU_ASSERT_EQUAL(match_at(&w.m, 0, node_named(&w.g, "y"), &w.d), CALQUE_NO);
    CU_ASSERT_EQUAL(w.m.fail.rule, MATCH_REQUIRE);
    CU_ASSERT(w.m.entry.n == 0 && w.m.outs.n == 0);
    for (int k = 0; k < w.m.place.n; k++)
        CU_ASSERT(w.m.place.a[k].entry == -1 && w.m.place.a[k].outs == 0);
    for (int p = 0; p < w.m.to.n; p++)
        CU_ASSERT_EQUAL(w.m.to.one[p], PATTERN_UNBOUND);
    tear_down(&w);
}

/* The stamps of walks are those of the graph's nodes, whose number falls where the graph is tidied between two searches. */
static void smaller_graph(void)
{
    struct world w;
    int n;

    CU_ASSERT_EQUAL_FATAL(set_up(&w, G("a = Neg(x)\n b = Relu(a)\n y = Neg(a)\n return y\n"),
                                 "rule r {\n x = Wildcard()\n source Neg(Neg(x))\n target x\n}\n", -1),
                          CALQUE_OK);
    CU_ASSERT_EQUAL(match_at(&w.m, 0, node_named(&w.g, "y"), &w.d), CALQUE_NO); /* b uses a, too */
    n = w.g.node.n;
    CU_ASSERT_EQUAL(w.m.walk.seen.n, n);
    CU_ASSERT_EQUAL_FATAL(graph_compact(&w.g, NULL, &w.d), CALQUE_OK);
    CU_ASSERT_EQUAL_FATAL(uses_build(&w.uses, &w.g, &w.d), CALQUE_OK);
    CU_ASSERT_EQUAL(w.g.node.n, n - 1);
    CU_ASSERT_EQUAL(match_at(&w.m, 0, node_named(&w.g, "y"), &w.d), CALQUE_OK);
    CU_ASSERT_EQUAL(w.m.walk.seen.n, w.g.node.n);
    tear_down(&w);
}

static void memory_runs_out(void)
{
    static const char graph[] = "graph {\n input x: f32[1, 2, 4, 4]\n param w: f32[2, 2, 3, 3]\n const k: f32[2, 1, 1] = [1.0, 2.0]\n"
                                " y = Mul(k, Conv(x, w))\n return y\n}\n";
    static const char rule[] = "rule r {\n x = Wildcard()\n k = Const(shape=(_, 1, 1))\n c = Conv(x, Const(), Optional(Const()))\n"
                               " source c * k\n require c.shape[1] == k.shape[0] and c.dtype == k.dtype\n target x\n}\n";
    enum calque_status st = CALQUE_NOMEM;
    struct sites sites;
    int k;

    for (k = 0; k < 10000 && st == CALQUE_NOMEM; k++) {
        struct world w;
        sites.n = 0;
        st = set_up(&w, graph, rule, k);
        if (st == CALQUE_OK)
            st = match_all(&w.rules, &w.g, -1, note_site, &sites, NULL, &w.d);
        CU_ASSERT(st == CALQUE_NOMEM || (st == CALQUE_OK && sites.n == 1));
        tear_down(&w);
    }
    CU_ASSERT_EQUAL(st, CALQUE_OK);
    CU_ASSERT(k > 40);
}

static const struct unit_case cases[] = {
    { "PM-Wildcard", pm_wildcard },
    { "PM-Variable", pm_variable },
    { "PM-Const", pm_const },
    { "PM-Call", pm_call },
    { "PM-Tuple PM-Proj", pm_tuple_proj },
    { "PM-Optional PM-Absent PM-None", pm_optional },
    { "PM-Function", pm_function },
    { "PM-Injective", pm_injective },
    { "PM-Call commutative", commutative },
    { "PM-Node, PM-Call order of inputs", swapped_binding },
    { "PM-Use", pm_use },
    { "PM-Require PM-Stuck", pm_require },
    { "list of matches", listing },
    { "PM-Limit", search_limit },
    { "plan of fixed patterns", fixed_plan_order },
    { "PM-Require, M is restored", refused },
    { "a graph that became smaller", smaller_graph },
    { "memory runs out", memory_runs_out },
};

int main(void)
{
    return unit_main("pattern/match", cases, UNIT_COUNT(cases));
}
