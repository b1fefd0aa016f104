/* Counterexamples to the published matching, rewriting and checking, each named by its number in the collection of them. The
   rule and the graph are the case: how often one pass applies the rule, with the values unchanged; or that the check of the rule
   refuses it, and what it says. */
#include "bench.h"

struct regress {
    const char *id, *rule, *graph;
    int applied;        /* times */
    int ops;            /* operators left; -1: any number */
    const char *error;  /* part of what the check says; NULL: it says nothing */
};

#define RULE(body) "rule r {\n class real\n x = Wildcard()\n" body "}\n"
#define G(body) "graph {\n input x: f32[2, 4, 4]\n" body "}\n"
/* The operand seen through an Identity: the same value, another graph. */
#define SEEN " z = Identity(x)\n"

static const struct regress attributes[] = {
    { "ORD: value + pattern", RULE(" source Neg(x)\n target 0.0 - x\n"), G("y = Neg(x)\n return y\n"), 1, 1, NULL },
    { "ADDNONE: family + tuple", RULE(" r = Reshape(Reshape(x))\n source r\n target Reshape(x, shape=[d for d in r.shape] + ())\n"),
      G("y = Reshape(Reshape(x, shape=(8, 4)), shape=(2, 16))\n return y\n"), 1, 1, NULL },
    { "ADDNONE: family == tuple", RULE(" r = Reshape(x)\n source r\n require [d for d in r.shape] == (2, 16)\n target Flatten(x, axis=1)\n"),
      G("y = Reshape(x, shape=(2, 16))\n return y\n"), 1, 1, NULL },
    { "N1: axes equal", "rule r {\n x = Wildcard()\n y = Wildcard()\n t = Transpose(x)\n source t + Transpose(y, perm=t.perm)\n target Transpose(x + y, perm=t.perm)\n}\n",
      "graph {\n input x: f32[3, 3, 3]\n input y: f32[3, 3, 3]\n z = Transpose(x) + Transpose(y, perm=(2, 1, 0))\n return z\n}\n", 1, 2, NULL },
    { "N1: axes differ", "rule r {\n x = Wildcard()\n y = Wildcard()\n t = Transpose(x)\n source t + Transpose(y, perm=t.perm)\n target Transpose(x + y, perm=t.perm)\n}\n",
      "graph {\n input x: f32[3, 3, 3]\n input y: f32[3, 3, 3]\n z = Transpose(x) + Transpose(y, perm=(0, 1, 2))\n return z\n}\n", 0, 3, NULL },
    { "ME1: a value under one symbol is not another's",
      RULE(" n = Neg(x)\n src = Variadic(n, templates=[n], min_len=2)\n source src\n i = Symbol()\n"
           " p = reversed((i, 1 - i))\n t1 = Transpose(x, perm=p)\n t2 = Transpose(t1, perm=p)\n t = Neg(t2)\n"
           " target Variadic(t, templates=[t, t1, t2], index=i)\n"),
      "graph {\n input x: f32[3, 3]\n a = Neg(x)\n b = Neg(x)\n return a, b\n}\n", 1, 6, NULL },
    { "ENV: a symbol that nothing binds", RULE(" i = Symbol()\n source Neg(x)\n target Transpose(x, perm=(i, 0))\n"), NULL, 0, 0, "" },
    { "TT: the shape of a node that is built", RULE(" source Neg(x)\n t = Abs(x)\n target Reshape(t, shape=t.shape)\n"), NULL, 0, 0, "not part of the source" },
    { "OPATTR: an attribute that the operator lacks", RULE(" f = Op(\"ReduceMean\", \"Relu\")\n source f(x, keepdims=1)\n target Abs(x)\n"),
      G("y = Relu(x)\n return y\n"), 0, 1, NULL },
    { "DT: a constant of the operand's type", RULE(" source Neg(x)\n target x * Const(-1, dtype=x.dtype)\n"),
      "graph {\n input x: i64[3]\n y = Neg(x)\n return y\n}\n", 1, 1, NULL },
    { "F1: padding a constant keeps its value and mode", RULE(" source Neg(Neg(x))\n target x\n"),
      "graph {\n input x: f32[3, 4]\n param w: f32[1, 2]\n y = Neg(Neg(x)) + Pad(w, pads=(1, 1, 1, 1), value=2.0) * Pad(w, pads=(1, 1, 1, 1), mode=\"edge\")\n return y\n}\n", 1, 1, NULL },
};

static const struct regress outputs[] = {
    { "W1: a lone variable", "rule r {\n v = Variable()\n source v\n target Neg(v)\n}\n", NULL, 0, 0, "source" },
    { "M1: one order of the outputs", RULE(" a = Exp(x)\n source [Sqrt(a), Neg(a)]\n" SEEN " e = Exp(z)\n target [Sqrt(e), Neg(e)]\n"),
      G("a = Exp(x)\n y = Concat(Sqrt(a), Neg(a), axis=0)\n return y\n"), 1, 5, NULL },
    { "M1: the other", RULE(" a = Exp(x)\n source [Sqrt(a), Neg(a)]\n" SEEN " e = Exp(z)\n target [Sqrt(e), Neg(e)]\n"),
      G("a = Exp(x)\n y = Concat(Neg(a), Sqrt(a), axis=0)\n return y\n"), 1, 5, NULL },
#define PYRAMID RULE(" a = Exp(x)\n b = Abs(x)\n source [Sqrt(a), a + b, Neg(b)]\n" SEEN " c = Exp(z)\n d = Abs(z)\n target [Sqrt(c), c + d, Neg(d)]\n")
#define PEAK(p, q, r) G("a = Exp(x)\n b = Abs(x)\n y = Concat(" p ", " q ", " r ", axis=0)\n return y\n")
    { "M2: pyramid, order 123", PYRAMID, PEAK("Sqrt(a)", "a + b", "Neg(b)"), 1, 7, NULL },
    { "M2: pyramid, order 132", PYRAMID, PEAK("Sqrt(a)", "Neg(b)", "a + b"), 1, 7, NULL },
    { "M2: pyramid, order 213", PYRAMID, PEAK("a + b", "Sqrt(a)", "Neg(b)"), 1, 7, NULL },
    { "M2: pyramid, order 231", PYRAMID, PEAK("a + b", "Neg(b)", "Sqrt(a)"), 1, 7, NULL },
    { "M2: pyramid, order 312", PYRAMID, PEAK("Neg(b)", "Sqrt(a)", "a + b"), 1, 7, NULL },
    { "M2: pyramid, order 321", PYRAMID, PEAK("Neg(b)", "a + b", "Sqrt(a)"), 1, 7, NULL },
    { "M3: outputs 2 and 3 share what output 1 does not reach",
      RULE(" m = Abs(x)\n source [Exp(x), Sqrt(m), Neg(m)]\n" SEEN " n = Abs(z)\n target [Exp(z), Sqrt(n), Neg(n)]\n"),
      G("m = Abs(x)\n y = Concat(Neg(m), Exp(x), Sqrt(m), axis=0)\n return y\n"), 1, 6, NULL },
    { "M4: successors in another order",
      RULE(" a = Exp(x)\n source [Sqrt(a), Neg(a), Abs(a)]\n" SEEN " e = Exp(z)\n target [Sqrt(e), Neg(e), Abs(e)]\n"),
      G("a = Exp(x)\n y = Concat(Sqrt(a), Abs(a), Neg(a), axis=0)\n return y\n"), 1, 6, NULL },
    { "M4: an output below another's successor",
      "rule r {\n x = Wildcard()\n y = Wildcard()\n c = Exp(x)\n source [Neg(c), Abs(c) + y]\n e = Exp(Identity(x))\n target [Neg(e), Abs(e) + y]\n}\n",
      G("c = Exp(x)\n y = Abs(c) + Relu(Neg(c))\n return y\n"), 0, 5, NULL },
    { "4B10: a choice for output 2 is revised for output 3",
      RULE(" m = Abs(x)\n source [Exp(x), Sqrt(m), Neg(m)]\n" SEEN " n = Abs(z)\n target [Exp(z), Sqrt(n), Neg(n)]\n"),
      G("m1 = Abs(x)\n m2 = Abs(x)\n y = Concat(Exp(x), Sqrt(m1), Sqrt(m2), Neg(m2), axis=0)\n return y\n"), 1, 8, NULL },
    { "M5: one operand twice", RULE(" e = Exp(x)\n source e * e\n f = Exp(Identity(x))\n target f * f\n"), G("e = Exp(x)\n y = e * e\n return y\n"), 1, 3, NULL },
    { "K1: a constant has a user outside", RULE(" k = Const(2)\n source [Exp(x) * k, Abs(x) * k]\n" SEEN " target [Exp(z) * k, Abs(z) * k]\n"),
      G("const k: f32[] = 2.0\n p = Exp(x) * k\n q = Abs(x) * k\n r = Neg(x) * k\n return p, q, r\n"), 1, 7, NULL },
    { "I1: two inputs are one-to-one", "rule r {\n x = Wildcard()\n y = Wildcard()\n source Exp(x) * Exp(y)\n target Exp(x + y)\n}\n",
      G("y = Exp(x) * Exp(x)\n return y\n"), 0, 3, NULL },
    { "ALIAS: unless they are shared", "rule r {\n x = Wildcard(shared=true)\n y = Wildcard(shared=true)\n source Exp(x) * Exp(y)\n target Exp(x + y)\n}\n",
      G("y = Exp(x) * Exp(x)\n return y\n"), 1, 2, NULL },
    { "ALIAS: one constant for both", "rule r {\n x = Wildcard()\n k = Const(shared=true)\n c = Const(shared=true)\n source x * k + c\n target (Identity(x) * k) + c\n}\n",
      G("param k: f32[4]\n y = x * k + k\n return y\n"), 1, 3, NULL },
    { "O1: an output below an output", RULE(" a = Exp(x)\n source [a, Neg(a)]\n e = Exp(Identity(x))\n target [e, Neg(e)]\n"), NULL, 0, 0, "is used by another part of the source" },
    { "O2: in the other order", RULE(" a = Exp(x)\n source [Neg(a), a]\n e = Exp(Identity(x))\n target [Neg(e), e]\n"), NULL, 0, 0, "is used by another part of the source" },
    { "O3: outputs that have only an operator in common", "rule r {\n x = Wildcard()\n y = Wildcard()\n f = Op(trait=elementwise)\n source [f(x), f(y)]\n target [f(x), f(y)]\n}\n", NULL, 0, 0, "" },
    { "O4: the target mentions an output", RULE(" a = Exp(x)\n source [a, Neg(a)]\n target [a, Neg(Identity(a))]\n"), NULL, 0, 0, "is used by another part of the source" },
    { "EW: two operator patterns, one operator", RULE(" f = Op(trait=elementwise)\n g = Op(trait=elementwise)\n source f(g(x))\n target f(g(Identity(x)))\n"),
      G("y = Relu(Relu(x))\n return y\n"), 1, 3, NULL },
    { "AL1: an alternative is revised",
      "rule r {\n v = Wildcard()\n c = Wildcard()\n a = Alt(Wildcard(), Exp(v))\n r = Reshape(c, shape=Match(a, [(4,), (2, 2)]))\n source a + r\n target r + a\n}\n",
      "graph {\n input a: f32[2, 2]\n input c: f32[4]\n y = Exp(a) + Reshape(c, shape=(2, 2))\n return y\n}\n", 1, 3, NULL },
    { "AL2: an alternative that is not taken", "rule r {\n u = Wildcard()\n v = Wildcard()\n source Alt(Exp(u), Abs(v))\n target Neg(v)\n}\n", NULL, 0, 0, "" },
};

static const struct regress variadics[] = {
    { "G1: an instance in the source", "rule r {\n x = Wildcard()\n r = Relu(x)\n v = Variadic(r, templates=[r, x])\n c = Concat(v, axis=0)\n source c + v(x, 0)\n target v(x, 0) + c\n}\n",
      "graph {\n input a: f32[1, 4]\n input b: f32[1, 4]\n y = Concat(Relu(a), Relu(b), axis=0) + a\n return y\n}\n", 1, 4, NULL },
    { "G1: another instance", "rule r {\n x = Wildcard()\n r = Relu(x)\n v = Variadic(r, templates=[r, x])\n c = Concat(v, axis=0)\n source c + v(x, 0)\n target v(x, 0) + c\n}\n",
      "graph {\n input a: f32[1, 4]\n input b: f32[1, 4]\n y = Concat(Relu(a), Relu(b), axis=0) + b\n return y\n}\n", 0, 4, NULL },
    { "V1: the index of an output sequence",
      RULE(" s = Split(x)\n i = Symbol()\n p = s[i]\n r = Relu(p)\n src = Variadic(r, templates=[r, p], index=i, min_len=2)\n source src\n"
           " t = Split(Relu(x), axis=s.axis, split=s.split)\n q = t[i]\n target Variadic(q, templates=[q], index=i)\n"),
      G("s = Split(x, axis=1, split=(1, 3))\n a = Relu(s[0])\n b = Relu(s[1])\n return b, a\n"), 1, 2, NULL },
    { "V2b: a second occurrence",
      RULE(" s = Split(x)\n i = Symbol()\n p = s[i]\n y = Concat(Variadic(p, templates=[p], index=i), axis=s.axis)\n source y\n require y.shape == x.shape\n target x\n"),
      G("s = Split(x, axis=1, split=(1, 3))\n a = Relu(Concat(s[0], s[1], axis=1))\n t = Split(a, axis=0, split=(1, 1))\n y = Concat(t[0], t[1], axis=0)\n return y\n"), 2, 1, NULL },
    { "V3: an index outside of templates", RULE(" n = Neg(x)\n src = Variadic(n, templates=[n], min_len=2)\n source src\n i = Symbol()\n u = Unsqueeze(x, axes=(i,))\n"
                                                " t = Neg(u)\n target Variadic(t, templates=[t], index=i)\n"), NULL, 0, 0, "" },
    { "V5: a template's attributes are its instance's",
      "rule r {\n x = Wildcard()\n w = Variable()\n c = Conv(x, w, pads=(w.shape[2] // 2, w.shape[3] // 2, w.shape[2] // 2, w.shape[3] // 2))\n src = Variadic(c, templates=[c, w], min_len=2)\n"
      " source src\n i = Symbol()\n v = src(w, i)\n p = (v.shape[2] // 2, v.shape[3] // 2)\n t = Conv(Identity(x), v, kernel_shape=v.shape[2:], strides=(1, 1), pads=p + p, dilations=(1, 1))\n"
      " target Variadic(t, templates=[t, v], index=i)\n}\n",
      "graph {\n input x: f32[1, 2, 6, 6]\n param v: f32[2, 2, 3, 3]\n param w: f32[2, 2, 5, 1]\n a = Conv(x, v, pads=(1, 1, 1, 1))\n b = Conv(x, w, pads=(2, 0, 2, 0))\n return a, b\n}\n", 1, 3, NULL },
    { "V6: a template below what is none", RULE(" w = Variable()\n c = MatMul(x, w)\n r = Relu(c)\n src = Variadic(r, templates=[r, w], min_len=2)\n source src\n target Variadic(Relu(c))\n"), NULL, 0, 0, "" },
    { "V7: first of another kind", RULE(" w = Variable()\n c = MatMul(x, w)\n a = Neg(x)\n src = Variadic(c, templates=[c, w], first=[a, w], min_len=2)\n source src\n target Variadic(Relu(x))\n"), NULL, 0, 0, "" },
    { "V8: too few first", RULE(" w = Variable()\n c = MatMul(x, w)\n v = Variable()\n d = MatMul(x, v)\n src = Variadic(c, templates=[c, w], first=[d], min_len=2)\n source src\n target Variadic(Relu(x))\n"), NULL, 0, 0, "" },
#define DENSE(templates, first)                                                                                                    \
    RULE(" v = Variable()\n w = Variable(shape=(v.shape[0], _))\n d = MatMul(x, w)\n src = Variadic(d, templates=" templates ", first=" first ", min_len=2)\n source src\n" \
         " i = Symbol()\n wi = src(w, i)\n t = MatMul(Identity(x), wi)\n target Variadic(t, templates=[t, wi], index=i)\n")
    { "PD: the order of the templates", DENSE("[d, w]", "[_, v]"), G("param v: f32[4, 3]\n param w: f32[4, 2]\n a = MatMul(x, v)\n b = MatMul(x, w)\n return a, b\n"), 1, 3, NULL },
    { "PD2: the other order", DENSE("[w, d]", "[v, _]"), G("param v: f32[4, 3]\n param w: f32[4, 2]\n a = MatMul(x, v)\n b = MatMul(x, w)\n return a, b\n"), 1, 3, NULL },
    { "V4: every branch escapes but one", RULE(" w = Variable()\n m = MatMul(x, w)\n r = Relu(m)\n src = Variadic(r, templates=[r, m, w], min_len=2)\n source src\n i = Symbol()\n"
                                               " wi = src(w, i)\n p = MatMul(Identity(x), wi)\n t = Relu(p)\n target Variadic(t, templates=[t, p, wi], index=i)\n"),
      G("param v: f32[4, 3]\n param w: f32[4, 2]\n m = MatMul(x, v)\n a = Relu(m)\n b = Relu(MatMul(x, w))\n return a, b, m\n"), 0, 4, NULL },
};

static void run(const struct regress *c, int n)
{
    for (int k = 0; k < n; k++, c++) {
        struct bench b;
        enum calque_status st = bench_open(&b, c->graph ? c->graph : "graph {\n input x: f32[1]\n return x\n}\n", c->rule, -1);
        double e = 0;
        bool ok;

        if (c->error || st != CALQUE_OK) {
            ok = c->error && st == CALQUE_BAD && strcmp(b.d.file, "t.gsl") == 0 && strstr(b.d.text, c->error);
        } else {
            b.opt.once = true;
            e = bench_rewrite(&b);
            ok = b.stats.rule[0].applied == c->applied && e <= 1e-5 && (c->ops < 0 || graph_count_ops(&b.g) == c->ops);
        }
        if (!ok) {
            char *t = bench_text(&b.g);
            CU_FAIL("another result than expected");
            fprintf(stderr, "%s\n%s  status %d, %s:%d:%d: %s\n  applied %ld (expected %d), difference %g, %d operators (expected %d)\n%s\n",
                    c->id, c->rule, st, b.d.file, b.d.line, b.d.col, b.d.text, b.stats.rule ? b.stats.rule[0].applied : 0,
                    c->applied, e, graph_count_ops(&b.g), c->ops, t);
            free(t);
        }
        bench_close(&b);
    }
}

static void on_attributes(void) { run(attributes, UNIT_COUNT(attributes)); }
static void on_outputs(void) { run(outputs, UNIT_COUNT(outputs)); }
static void on_variadics(void) { run(variadics, UNIT_COUNT(variadics)); }

static const struct unit_case cases[] = {
    { "attributes", on_attributes },
    { "outputs", on_outputs },
    { "variadics", on_variadics },
};

int main(void)
{
    return unit_main("rewrite/regress", cases, UNIT_COUNT(cases));
}
