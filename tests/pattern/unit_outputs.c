/* Sources of several and of any number of outputs, alternatives, operator patterns and instances: which matches are
   listed, and why others are not. The letters are those of the cases of shared/spec/gsl.md, section 4. */
#include "world.h"

struct list_case {
    const char *graph, *rule, *want; /* outputs of each match, "a b; c d" */
};

static enum calque_status note(void *ctx, const struct matcher *m, struct diag *d)
{
    char *out = ctx;

    (void)d;
    for (int k = 0; k < m->outs.n; k++)
        sprintf(out + strlen(out), "%s%s", k ? " " : out[0] ? "; " : "", graph_name(m->g, m->outs.a[k]));
    return CALQUE_OK;
}

static void list(const struct list_case *c, int n)
{
    for (int k = 0; k < n; k++, c++) {
        struct world w;
        char got[1024] = "";
        enum calque_status st = set_up(&w, c->graph, c->rule, -1);

        if (st != CALQUE_OK) {
            fprintf(stderr, "%s%s:%d:%d: %s\n", c->rule, w.d.file, w.d.line, w.d.col, w.d.text);
            CU_FAIL_FATAL("set-up");
        }
        CU_ASSERT_EQUAL(match_all(&w.rules, &w.g, 0, note, got, NULL, &w.d), CALQUE_OK);
        CU_ASSERT_STRING_EQUAL(got, c->want);
        if (strcmp(got, c->want) != 0)
            fprintf(stderr, "%s%s expected [%s]\n got      [%s]\n", c->graph, c->rule, c->want, got);
        tear_down(&w);
    }
}

#define R(body) "rule r {\n x = Wildcard()\n" body "}\n"
#define M(body) "graph {\n input x: f32[2, 2]\n param a: f32[2, 2]\n param b: f32[2, 2]\n" body "}\n"

static void several(void)
{
    /* M4: every user of a is a candidate for every output */
    static const char three[] = R(" a = Exp(x)\n source [Sqrt(a), Neg(a), Abs(a)]\n target [x, x, x]\n");
    /* 4B.10: the choice of output 2 is revised when output 3 fails */
    static const char revise[] = R(" m = Abs(x)\n source [Exp(x), Sqrt(m), Neg(m)]\n target [x, x, x]\n");
    static const char pair[] = R(" a = Exp(x)\n source [Sqrt(a), Neg(a)]\n target [x, x]\n");
    static const struct list_case c[] = {
        { G("a = Exp(x)\n s = Sqrt(a)\n b = Abs(a)\n n = Neg(a)\n y = Concat(s, b, n, axis=0)\n return y\n"), three, "s n b" },
        { G("a = Exp(x)\n n = Neg(a)\n b = Abs(a)\n s = Sqrt(a)\n y = Concat(n, b, s, axis=0)\n return y\n"), three, "s n b" },
        { G("e = Exp(x)\n m1 = Abs(x)\n m2 = Abs(x)\n s1 = Sqrt(m1)\n s2 = Sqrt(m2)\n n = Neg(m2)\n return e, s1, s2, n\n"), revise,
          "e s2 n" },
        /* M1, M2: the order in which the graph computes the outputs does not matter */
        { G("a = Exp(x)\n s = Sqrt(a)\n n = Neg(a)\n return s, n\n"), pair, "s n" },
        { G("a = Exp(x)\n n = Neg(a)\n s = Sqrt(a)\n return s, n\n"), pair, "s n" },
        { G("a = Exp(x)\n b = Exp(u)\n sb = Sqrt(b)\n sa = Sqrt(a)\n nb = Neg(b)\n na = Neg(a)\n return sa, sb, na, nb\n"), pair,
          "sb nb; sa na" },
        /* M3: the further outputs share a node that the first does not reach */
        { G("e = Exp(x)\n m = Abs(x)\n n = Neg(m)\n s = Sqrt(m)\n return e, n, s\n"), revise, "e s n" },
        /* M5: one consumer uses an inner node twice */
        { G("p = Exp(x)\n q = Mul(p, p)\n n = Neg(p)\n return q, n\n"), R(" p = Exp(x)\n source [p * p, Neg(p)]\n target [x, x]\n"), "q n" },
        /* K1: inputs may have other users, constants too */
        { G("const k: f32[] = 2.0\n a = Mul(Exp(x), k)\n b = Mul(Abs(x), k)\n c = Mul(u, k)\n return a, b, c\n"),
          R(" k = Const()\n source [Exp(x) * k, Abs(x) * k]\n target [x, x]\n"), "a b" },
        /* an output of one match is none of a later one */
        { G("a = Relu(x)\n b = Relu(x)\n c = Relu(x)\n d = Relu(x)\n return a, b, c, d\n"),
          R(" source [Relu(x), Relu(x)]\n target [x, x]\n"), "a b; c d" },
        { G("a = Relu(x)\n b = Relu(x)\n c = Relu(x)\n return a, b, c\n"), R(" source [Relu(x), Relu(x)]\n target [x, x]\n"), "a b" },
        /* C1: not convex; J1: each is, by itself */
        { "graph {\n input x: f32[2, 2]\n param a: f32[2, 2]\n p = MatMul(x, a)\n q = Relu(p)\n r = MatMul(x, q)\n return r\n}\n",
          R(" y = Wildcard()\n z = Wildcard()\n source [MatMul(x, y), MatMul(x, z)]\n target [x, x]\n"), "" },
        { "graph {\n input x: f32[2, 2]\n input z: f32[2, 2]\n param p: f32[2, 2]\n param q: f32[2, 2]\n b1 = MatMul(z, p)\n"
          " a1 = MatMul(x, Relu(b1))\n a2 = MatMul(x, q)\n b2 = MatMul(z, Relu(a2))\n return a1, b2\n}\n",
          R(" y = Wildcard()\n z = Wildcard()\n source [MatMul(x, y), MatMul(x, z)]\n target [x, x]\n"), "b1 b2; a1 a2" },
    };
    list(c, UNIT_COUNT(c));
}

static void any_number(void)
{
    static const char mul[] = R(" w = Variable()\n b = x * w\n s = Variadic(b, templates=[b, w], min_len=2)\n source s\n i = Symbol()\n"
                                " wi = s(w, i)\n t = Neg(wi)\n target Variadic(t, templates=[t, wi], index=i)\n");
    static const char inner[] = R(" c = Exp(x)\n r = Relu(c)\n s = Variadic(r, templates=[c, r], min_len=2)\n source s\n i = Symbol()\n"
                                  " t = Abs(x)\n target Variadic(t, templates=[t], index=i)\n");
    static const char mine[] = R(" w = Wildcard()\n b = MatMul(x, w)\n s = Variadic(b, templates=[b, w], min_len=2)\n source s\n"
                                 " t = Neg(x)\n i = Symbol()\n target Variadic(t, templates=[t], index=i)\n");
    static const struct list_case c[] = {
        { G("param a: f32[2, 3]\n param b: f32[2, 3]\n p = Mul(x, a)\n q = Mul(x, b)\n r = Mul(x, u)\n return r, q, p\n"), mul, "p q r" },
        { G("param a: f32[2, 3]\n p = Mul(x, a)\n return p\n"), mul, "" },
        /* V4: a branch whose inner node is used outside does not veto the others */
        { G("c1 = Exp(x)\n r1 = Relu(c1)\n c2 = Exp(x)\n r2 = Relu(c2)\n c3 = Exp(x)\n r3 = Relu(c3)\n return r1, r2, r3, c2\n"), inner,
          "r1 r3" },
        /* V2b: again in the same graph */
        { G("c1 = Exp(x)\n r1 = Relu(c1)\n c2 = Exp(u)\n r2 = Relu(c2)\n c3 = Exp(x)\n r3 = Relu(c3)\n c4 = Exp(u)\n r4 = Relu(c4)\n"
            " return r1, r2, r3, r4\n"), inner, "r1 r3; r2 r4" },
        /* PM-First: the operand of instance 0 is of other operators than those of the others */
        { M("param d: f32[2, 2]\n n = Neg(d)\n p = Gemm(x, a, n)\n q = Gemm(x, a, b)\n return p, q\n"),
          R(" y = Wildcard()\n k = Variable()\n v = Neg(y)\n o = Optional(v)\n w = Optional(Variable())\n c = Gemm(x, k, w)\n"
            " s = Variadic(c, templates=[c, w], first=[_, o], min_len=2)\n source s\n i = Symbol()\n ci = s(c, i)\n t = Neg(ci)\n"
            " target Variadic(t, templates=[t, ci], index=i)\n"), "p q" },
        /* a branch that reads another's output is left out */
        { "graph {\n input x: f32[2, 2]\n param a: f32[2, 2]\n p = MatMul(x, a)\n q = MatMul(x, Relu(p))\n r = MatMul(x, x)\n"
          " param b: f32[2, 2]\n t = MatMul(x, b)\n return q, t, r\n}\n", mine, "p t" },
    };
    list(c, UNIT_COUNT(c));
}

/* The whole map: first patterns stand for instance 0, a length for the output. */
static void addresses(void)
{
    static const char rule[] =
        "rule r {\n x = Wildcard()\n v = Variable()\n w = Variable()\n a = x - v\n b = x - w\n"
        " s = Variadic(b, templates=[b, w], first=[a, v], min_len=2)\n source s\n i = Symbol()\n wi = s(w, i)\n t = Neg(wi)\n"
        " target Variadic(t, templates=[t, wi], index=i)\n}\n";
    struct world w;
    struct text t;

    CU_ASSERT_EQUAL_FATAL(set_up(&w, G("param k: f32[2, 3]\n p = Sub(x, k)\n q = Sub(x, u)\n return p, q\n"), rule, -1), CALQUE_OK);
    CU_ASSERT_EQUAL_FATAL(match_at(&w.m, 0, node_named(&w.g, "p"), &w.d), CALQUE_OK);
    text_init(&t, &w.mem);
    match_print(&t, &w.m);
    CU_ASSERT_STRING_EQUAL(t.a, "(match r (3 4) (0 0) (1 2) (2@1 1) (3 3) (4@1 4) (length 5 2))");
    if (strcmp(t.a, "(match r (3 4) (0 0) (1 2) (2@1 1) (3 3) (4@1 4) (length 5 2))") != 0)
        fprintf(stderr, "%s\n", t.a);
    text_free(&t);
    CU_ASSERT_EQUAL(match_node(&w.m, 2, 0), 2); /* w@0 is v */
    CU_ASSERT_EQUAL(match_node(&w.m, 2, 1), 1);
    CU_ASSERT_EQUAL(match_node(&w.m, 2, 2), PATTERN_UNBOUND);
    tear_down(&w);
}

static void alternatives(void)
{
    static const struct list_case c[] = {
        /* AL1: the second alternative, when the first matches but something later fails */
        { G("e = Exp(x)\n k = Reshape(u, shape=(2, 3))\n y = Add(e, k)\n return y\n"),
          R(" v = Wildcard()\n w = Wildcard()\n e = Exp(v)\n a = Alt(x, e)\n r = Reshape(w, shape=Match(a, [(6,), (2, 3)]))\n"
            " source a + r\n target r\n"), "y" },
        /* G1: an instance as a further input */
        { G("a = Relu(x)\n b = Relu(u)\n s = Sum(a, b)\n y = Sub(s, x)\n return y\n"),
          R(" r = Relu(x)\n v = Variadic(r, templates=[r, x])\n s = Sum(v)\n source s - v(x, 0)\n target Neg(s)\n"), "y" },
        { G("a = Relu(x)\n b = Relu(u)\n s = Sum(a, b)\n y = Sub(s, u)\n return y\n"),
          R(" r = Relu(x)\n v = Variadic(r, templates=[r, x])\n s = Sum(v)\n source s - v(x, 0)\n target Neg(s)\n"), "" },
        { G("a = Relu(x)\n b = Abs(x)\n y = Neg(b)\n z = Neg(a)\n return y, z\n"),
          R(" source Neg(Alt(Relu(x), Abs(x)))\n target x\n"), "y; z" },
        /* one operator for both calls */
        { G("a = Relu(x)\n b = Abs(x)\n c = Relu(x)\n return a, b, c\n"),
          R(" f = Op(\"Relu\", \"Abs\", \"Exp\")\n source [f(x), f(x)]\n target [x, x]\n"), "a c" },
        /* all inputs of a call are instances, in either order */
        { G("a = Relu(x)\n b = Relu(u)\n c = Abs(u)\n z = Concat(a, b, axis=0)\n d = Relu(x)\n y = Concat(d, c, axis=0)\n return z, y\n"),
          R(" r = Relu(x)\n v = Variadic(r, templates=[r, x])\n source Concat(v, axis=0)\n require v.length == 2\n i = Symbol()\n"
            " xi = v(x, i)\n target Relu(Concat(Variadic(xi, templates=[xi], index=i, length=v.length), axis=0))\n"), "z" },
    };
    list(c, UNIT_COUNT(c));
}

static void why(void)
{
    static const char two[] = R(" y = Variable()\n z = Variable()\n source [MatMul(x, y), MatMul(x, z)]\n target [x, x]\n");
    static const char any[] = R(" w = Variable(shape=(2, _))\n b = MatMul(x, w)\n s = Variadic(b, templates=[b, w], min_len=2)\n source s\n"
                                " t = Neg(x)\n i = Symbol()\n target Variadic(t, templates=[t], index=i)\n");
    static const char wild[] = R(" y = Wildcard()\n z = Wildcard()\n source [MatMul(x, y), MatMul(x, z)]\n target [x, x]\n");
    static const struct match_case c[] = {
        { M("p = MatMul(x, a)\n q = MatMul(x, b)\n return p, q\n"), two, "p", "", 0, 0, NULL, NULL },
        { M("p = MatMul(x, a)\n q = MatMul(x, Relu(p))\n return q\n"), two, "p", "PM-Variable", 4, 6, "a graph input or a constant",
          "Relu" },
        { M("p = MatMul(x, a)\n q = MatMul(x, Relu(p))\n return q\n"), wild, "p", "PM-Convex", 4, 6,
          "a node that is computed from no output", "one computed from output MatMul p" },
        { M("p = MatMul(x, a)\n q = MatMul(x, b)\n return p, q\n"), any, "p", "", 0, 0, NULL, NULL },
        { M("p = MatMul(x, a)\n input c: f32[2]\n q = MatMul(x, c)\n return p, q\n"), any, "p", "PM-Variable", 3, 6,
          "shape = (tuple 2 _)", "shape = (tuple 2)" },
        { M("p = MatMul(x, a)\n q = Relu(x)\n return p, q\n"), any, "p", "PM-Variadic", 5, 6, "at least 2 outputs", "1" },
    };
    run(c, UNIT_COUNT(c));
}

static enum calque_status ignore(void *ctx, const struct matcher *m, struct diag *d)
{
    (void)m;
    (void)d;
    ++*(int *)ctx;
    return CALQUE_OK;
}

static void memory_runs_out(void)
{
    static const char rules[] =
        "rule any {\n x = Wildcard()\n v = Variable()\n w = Variable(shape=(_, _))\n a = MatMul(x, v)\n b = MatMul(x, w)\n"
        " s = Variadic(b, templates=[b, w], first=[a, v], min_len=2)\n source s\n i = Symbol()\n wi = s(w, i)\n"
        " require sum(s(w, k).shape[1] for k in range(s.length)) == 4\n"
        " t = Neg(wi)\n target Variadic(t, templates=[t, wi], index=i)\n}\n"
        "rule two {\n x = Wildcard()\n a = MatMul(x, Variable())\n f = Op(\"Abs\", \"Relu\")\n source [f(a), Exp(a)]\n target [x, x]\n}\n"
        "rule alt {\n x = Wildcard()\n source Alt(Exp(Neg(x)), Exp(x))\n target x\n}\n";
    static const char graph[] = M("p = MatMul(x, a)\n q = MatMul(x, b)\n r = MatMul(x, b)\n s = Abs(p)\n e = Exp(p)\n return q, r, s, e\n");
    enum calque_status st = CALQUE_NOMEM;
    int k;

    for (k = 0; k < 10000 && st == CALQUE_NOMEM; k++) {
        struct world w;
        int n = 0;
        st = set_up(&w, graph, rules, k);
        if (st == CALQUE_OK)
            st = match_all(&w.rules, &w.g, -1, ignore, &n, NULL, &w.d);
        CU_ASSERT(st == CALQUE_NOMEM || (st == CALQUE_OK && n == 3));
        tear_down(&w);
    }
    CU_ASSERT_EQUAL(st, CALQUE_OK);
    CU_ASSERT(k > 100);
}

static const struct unit_case cases[] = {
    { "several outputs", several },
    { "PM-Variadic any number of outputs", any_number },
    { "PM-First addresses", addresses },
    { "PM-Alt, operators, PM-Variadic inputs, PM-Inst", alternatives },
    { "why not", why },
    { "memory runs out", memory_runs_out },
};

int main(void)
{
    return unit_main("pattern/outputs", cases, UNIT_COUNT(cases));
}
