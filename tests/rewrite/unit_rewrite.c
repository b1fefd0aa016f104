/* Building targets, splicing them in, and the driver: order, fuel, names, provenance, refusals. */
#include "bench.h"
#include "graph/use_list_internal.h"

#include <stddef.h>

#define G(body) "graph {\n input x: f32[2, 3]\n input u: f32[2, 3]\n" body "}\n"
#define R(body) "rule r {\n x = Wildcard()\n" body "}\n"

/* The operators of the graph in order, "Op(in, in) Op(in)", consts by value. */
static void sketch(const struct graph *g, char *out)
{
    char *p = out;

    for (int k = 0; k < g->node.n; k++) {
        const struct node *nd = &g->node.a[k];
        const struct tensor *t = graph_tensor(g, k);
        if (nd->kind == NODE_INPUT)
            continue;
        p += sprintf(p, "%s%d=", p == out ? "" : " ", k);
        if (t)
            p += sprintf(p, "%s:%g", dtype_name(t->dtype),
                         t->bytes == 0 ? 0.0 : t->dtype == DTYPE_F32 ? (double)tensor_f32(t)[0] : (double)tensor_i64(t)[0]);
        else
            p += sprintf(p, "%s", nd->kind == NODE_OP ? op_info(nd->op)->name : nd->kind == NODE_PROJ ? "proj" : "tuple");
        for (int j = 0; j < nd->nin; j++)
            p += sprintf(p, ",%d", graph_in(g, k, j));
        if (nd->kind == NODE_PROJ)
            p += sprintf(p, "[%d]", nd->index);
    }
    *p = '\0';
}

struct sketch_case {
    const char *graph, *rules, *want;
};

static void expect_sketch(const struct sketch_case *c, int n)
{
    for (int k = 0; k < n; k++, c++) {
        struct bench b;
        char t[1024];

        bench_must(&b, bench_open(&b, c->graph, c->rules, -1));
        b.opt.no_fold = b.opt.once = true;
        bench_must(&b, rewrite_fix(&b.g, &b.rules, &b.opt, &b.stats, &b.d));
        bench_must(&b, graph_check(&b.g, &b.d));
        sketch(&b.g, t);
        CU_ASSERT_STRING_EQUAL(t, c->want);
        if (strcmp(t, c->want) != 0)
            fprintf(stderr, "%s%s\nexpected: %s\ngot:      %s\n", c->graph, c->rules, c->want, t);
        bench_close(&b);
    }
}

static void pe_match(void)
{
    static const struct sketch_case c[] = {
        { G("y = Relu(x)\n return y\n"), R(" source Relu(x)\n target Neg(x)\n"), "2=Neg,0" },
        { G("y = Relu(Neg(x))\n return y\n"), R(" n = Neg(x)\n source Relu(n)\n target Abs(n)\n"), "2=Neg,0 3=Abs,2" },
        { G("y = Neg(Relu(Relu(x)))\n return y\n"), R(" source Relu(Relu(x))\n target x\n"), "2=Neg,0" },
    };
    expect_sketch(c, UNIT_COUNT(c));
}

static void pe_const(void)
{
    static const struct sketch_case c[] = {
        { G("y = Neg(x)\n return y\n"), R(" source -x\n target 0.0 - x\n"), "2=f32:0 3=Sub,2,0" },
        /* a literal takes its neighbour's element type */
        { G("y = Neg(x)\n return y\n"), R(" source -x\n target x * -1\n"), "2=f32:-1 3=Mul,0,2" },
        { "graph {\n input x: i64[2]\n y = Add(x, x)\n return y\n}\n", R(" source x + x\n target x * 2\n"), "1=i64:2 2=Mul,0,1" },
        { G("y = Neg(x)\n return y\n"), R(" source -x\n target x * Const(-1, dtype=x.dtype)\n"), "2=f32:-1 3=Mul,0,2" },
        { G("y = Neg(x)\n return y\n"), R(" source -x\n target x * Const((-1.0, -1.0, -1.0))\n"), "2=f32:-1 3=Mul,0,2" },
        /* computed from the match */
        { G("y = Neg(x)\n return y\n"), R(" source -x\n target x * (x.ndim - 3)\n"), "2=f32:-1 3=Mul,0,2" },
        /* of the wrong type: refused */
        { G("y = Neg(x)\n return y\n"), R(" source -x\n target x * Const(-1)\n"), "2=Neg,0" },
        { "graph {\n input x: i64[2]\n y = Add(x, x)\n return y\n}\n", R(" source x + x\n target x * 2.0\n"), "1=Add,0,0" },
        { G("y = Neg(x)\n return y\n"), R(" source -x\n target x * Const('a')\n"), "2=Neg,0" },
    };
    expect_sketch(c, UNIT_COUNT(c));
}

static void pe_call(void)
{
    static const struct sketch_case c[] = {
        /* defaults of the operator */
        { G("y = Relu(x)\n return y\n"), R(" source Relu(x)\n target Dropout(x)\n"), "2=Dropout,0" },
        /* attributes computed */
        { G("y = Transpose(Transpose(x, perm=(1, 0)), perm=(1, 0))\n return y\n"),
          R(" a = Transpose(x)\n b = Transpose(a)\n source b\n target Transpose(x, perm=gather(a.perm, b.perm))\n"),
          "2=Transpose,0" },
        /* a shared target node is built once */
        { G("y = Relu(x)\n return y\n"), R(" source Relu(x)\n n = Neg(x)\n target n + n\n"), "2=Neg,0 3=Add,2,2" },
        /* what the target builds in vain is not kept */
        { G("y = Relu(x)\n return y\n"), R(" source Relu(x)\n target (Neg(x), Abs(x))[1]\n"), "2=Abs,0" },
        /* absent inputs */
        { "graph {\n input x: f32[1, 1, 4, 4]\n const w: f32[1, 1, 1, 1] = 0.5\n y = Relu(Conv(x, w))\n return y\n}\n",
          R(" w = Const()\n b = Optional(Const())\n c = Conv(x, w, b)\n source Relu(c)\n target Neg(Conv(x, w, b, **same_attr(c, [kernel_shape, strides, pads, dilations, group])))\n"),
          "1=f32:0.5 2=Conv,0,1 3=Neg,2" },
        { "graph {\n input x: f32[1, 1, 4, 4]\n param w: f32[1, 1, 1, 1]\n y = Relu(Conv(x, w))\n return y\n}\n",
          R(" w = Const()\n b = Optional(Const(), 0.5)\n source Relu(Conv(x, w, b))\n target x * b\n"),
          "1=f32:0.5 2=Mul,0,1" },
        { "graph {\n input x: f32[1, 1, 4, 4]\n param w: f32[1, 1, 1, 1]\n const b: f32[1] = 3.0\n y = Relu(Conv(x, w, b))\n return y\n}\n",
          R(" w = Const()\n b = Optional(Const(), 0.5)\n source Relu(Conv(x, w, b))\n target x * b\n"),
          "1=f32:3 2=Mul,0,1" },
    };
    expect_sketch(c, UNIT_COUNT(c));
}

static void pe_tuple_proj(void)
{
    static const struct sketch_case c[] = {
        { G("y = Slice(x, starts=(0, 1), steps=(1, 1), sizes=(2, 1))\n return y\n"),
          R(" source Slice(x, starts=(0, 1), steps=(1, 1), sizes=(2, 1))\n target Split(x, axis=1, split=(1, 1, x.shape[1] - 2))[1]\n"),
          "2=Split,0 3=proj,2[1]" },
        { G("y = Relu(x)\n return y\n"), R(" source Relu(x)\n target (x, Neg(x))[x.ndim - 1]\n"), "2=Neg,0" },
        { G("y = Relu(x)\n return y\n"), R(" source Relu(x)\n target (x, Neg(x))[x.ndim]\n"), "2=Relu,0" },
        { "graph {\n input x: f32[4]\n s = Split(x, axis=0, split=(1, 3))\n y = s[1]\n return y\n}\n",
          R(" s = Split(x)\n p = s[_]\n source p\n target Neg(s[p.index])\n"), "1=Split,0 2=proj,1[1] 3=Neg,2" },
        /* a field of what has no fields; a multi-output value as an input */
        { G("y = Relu(x)\n return y\n"), R(" source Relu(x)\n target x[0]\n"), "2=Relu,0" },
        { "graph {\n input x: f32[4]\n s = Split(x, axis=0, split=(1, 3))\n y = s[1]\n return y\n}\n",
          R(" source x[1]\n target Neg(x)\n"), "1=Split,0 2=proj,1[1]" },
        { "graph {\n input x: f32[4]\n s = Split(x, axis=0, split=(1, 3))\n y = s[1]\n return y\n}\n",
          R(" source x[1]\n target (x, x)[0]\n"), "1=Split,0 2=proj,1[1]" },
    };
    expect_sketch(c, UNIT_COUNT(c));
}

struct refusal_case {
    const char *graph, *rules;
    size_t counter; /* offset in struct rewrite_count */
};
#define COUNTER(field) offsetof(struct rewrite_count, refused_##field)

static void refusals(void)
{
    static const struct refusal_case c[] = {
        { G("y = Transpose(x, perm=(1, 0))\n return y\n"), R(" source Transpose(x)\n target x\n"), COUNTER(type) },
        { G("y = Relu(x)\n return y\n"), R(" source Relu(x)\n target Reshape(x, shape=(5,))\n"), COUNTER(type) },
        { G("y = Relu(x)\n return y\n"), R(" source Relu(x)\n target Neg(MatMul(x, x)) + 1.0\n"), COUNTER(type) },
        { G("y = Relu(x)\n return y\n"), R(" source Relu(x)\n target Shape(x, end=2)\n"), COUNTER(type) },
        { G("y = Relu(x)\n return y\n"), R(" source Relu(x)\n target Cast(x, to=7)\n"), COUNTER(type) },
        { G("y = Relu(x)\n return y\n"), R(" source Relu(x)\n target Reshape(x * 2.0, shape=(5,))\n"), COUNTER(type) },
        { "graph {\n input x: f32[2]\n o = opaque \"Foo\"(x): ?[2]\n y = Identity(o)\n return y\n}\n", R(" source Identity(x)\n target x\n"), COUNTER(type) },
        { G("y = Relu(x)\n return y\n"), R(" source Relu(x)\n target Reshape(x, shape=(x.shape[5], 3))\n"), COUNTER(stuck) },
        { G("const k: f32[] = 2.0\n y = Mul(x, k)\n return y\n"), R(" k = Const()\n source x * k\n target Reshape(x, shape=k.value)\n"), COUNTER(type) },
        { G("y = Relu(x)\n return y\n"), R(" source Relu(x)\n target Reshape(x, shape=(x.ndim, x.shape)[x.ndim - 2])\n"), COUNTER(type) },
        { G("y = Relu(x)\n return y\n"), R(" source Relu(x)\n target x * (1 // (x.ndim - 2))\n"), COUNTER(stuck) },
        { G("y = Relu(x)\n return y\n"), R(" source Relu(x)\n target Relu(x)\n"), COUNTER(identity) },
        { G("y = Transpose(x, perm=(1, 0))\n return y\n"), R(" t = Transpose(x)\n source t\n target Transpose(x, perm=t.perm)\n"), COUNTER(identity) },
        { G("y = Relu(x)\n z = Neg(y)\n return z, y\n"), R(" source Neg(Relu(x))\n target Neg(x)\n"), COUNTER(use) },
        { G("y = Relu(x)\n return y\n"), R(" source Relu(x)\n require x.ndim == 3\n target x\n"), COUNTER(require) },
        { G("y = Relu(x)\n return y\n"), R(" source Relu(x)\n require x.shape[3] == 3\n target x\n"), COUNTER(stuck) },
        { G("y = Sub(x, x)\n return y\n"), R(" z = Wildcard()\n source x - z\n target x\n"), COUNTER(injective) },
        /* a target around the source itself reads what it replaces */
        { G("y = Relu(x)\n return y\n"), R(" y = Relu(x)\n source y\n target Relu(y)\n"), COUNTER(convex) },
    };
    for (int k = 0; k < UNIT_COUNT(c); k++) {
        struct bench b;
        char *before, *after;

        bench_must(&b, bench_open(&b, c[k].graph, c[k].rules, -1));
        before = bench_text(&b.g);
        bench_must(&b, rewrite_fix(&b.g, &b.rules, &b.opt, &b.stats, &b.d));
        after = bench_text(&b.g);
        CU_ASSERT_STRING_EQUAL(before, after);
        CU_ASSERT_EQUAL(*(const long *)(const void *)((const char *)&b.stats.rule[0] + c[k].counter), 1);
        if (*(const long *)(const void *)((const char *)&b.stats.rule[0] + c[k].counter) != 1)
            fprintf(stderr, "%s not counted\n", c[k].rules);
        CU_ASSERT_EQUAL(b.stats.rule[0].candidates, 1);
        CU_ASSERT_EQUAL(b.stats.applied, 0);
        free(before);
        free(after);
        bench_close(&b);
    }
}

/* A refused target leaves nothing behind in the arenas. */
static void undone(void)
{
    struct bench b;
    struct uses u;
    struct matcher m;
    int node, in, attr, tensor, values, root, root_node;
    enum refusal why;

    bench_must(&b, bench_open(&b, G("y = Relu(x)\n return y\n"),
                              R(" source Relu(x)\n target Reshape(Neg(x) * 2.0, shape=(1, 5))\n}\n"
                                "rule s {\n x = Wildcard(shape=(_, 7))\n source Relu(x)\n target x\n"), -1));
    uses_init(&u, &b.mem);
    bench_must(&b, uses_build(&u, &b.g, &b.d));
    bench_must(&b, matcher_init(&m, &b.rules, &b.g, &u, &b.d));
    root_node = b.g.output.a[0].node;
    values = b.values.n;
    CU_ASSERT_EQUAL(match_at(&m, 1, root_node, &b.d), CALQUE_NO);
    CU_ASSERT_EQUAL(b.values.n, values);
    bench_must(&b, match_at(&m, 0, root_node, &b.d));
    node = b.g.node.n;
    in = b.g.in.n;
    attr = b.g.attr.n;
    tensor = b.g.tensor.n;
    bench_must(&b, build_target(&m, &b.g, &root, &why, &b.d));
    CU_ASSERT_EQUAL(why, REFUSE_TYPE);
    CU_ASSERT(b.g.node.n == node && b.g.in.n == in && b.g.attr.n == attr && b.g.tensor.n == tensor);
    matcher_free(&m);
    uses_free(&u);
    bench_close(&b);
}

/* What a rewrite leaves unused does not count as a user for the next match of the same turn. */
static void dropped_users(void)
{
    struct bench b;

    bench_must(&b, bench_open(&b, G("q = Exp(x)\n a = Abs(Exp(q))\n b = Abs(q)\n return a, b\n"),
                              R(" source Abs(Exp(x))\n target ConstantOfShape(shape=x.shape)\n"), -1));
    b.opt.once = true;
    bench_must(&b, rewrite_fix(&b.g, &b.rules, &b.opt, &b.stats, &b.d));
    CU_ASSERT_EQUAL(b.stats.applied, 2);
    bench_close(&b);
}

static int named(const struct graph *g, const char *name)
{
    for (int k = 0; k < g->node.n; k++)
        if (strcmp(graph_name(g, k), name) == 0)
            return k;
    return -1;
}

/* The new root takes the old root's name; graph inputs and outputs keep theirs; provenance names what was replaced. */
static void names(void)
{
    struct bench b;
    int y;

    bench_must(&b, bench_open(&b, G("a = Neg(x)\n y = Relu(a)\n z = Identity(u)\n o = opaque \"Foo\"(y)\n return y, z, o, w = y\n"),
                              R(" source Relu(Neg(x))\n target Abs(x)\n}\nrule s {\n x = Wildcard()\n source Identity(x)\n target x\n"), -1));
    bench_must(&b, rewrite_fix(&b.g, &b.rules, &b.opt, &b.stats, &b.d));
    bench_must(&b, graph_check(&b.g, &b.d));
    y = named(&b.g, "y");
    CU_ASSERT_FATAL(y >= 0);
    CU_ASSERT_EQUAL(b.g.node.a[y].op, OP_Abs);
    CU_ASSERT_EQUAL(named(&b.g, "a"), -1);
    CU_ASSERT_STRING_EQUAL(strs_text(&b.strs, b.g.node.a[y].origin), "r [real, not proved]: a, y");
    CU_ASSERT_EQUAL(graph_in(&b.g, named(&b.g, "o"), 0), y);
    CU_ASSERT_EQUAL_FATAL(b.g.output.n, 4);
    CU_ASSERT_STRING_EQUAL(strs_text(&b.strs, b.g.output.a[0].name), "y");
    CU_ASSERT_STRING_EQUAL(strs_text(&b.strs, b.g.output.a[1].name), "z");
    CU_ASSERT_STRING_EQUAL(strs_text(&b.strs, b.g.output.a[2].name), "o");
    CU_ASSERT_STRING_EQUAL(strs_text(&b.strs, b.g.output.a[3].name), "w");
    CU_ASSERT_EQUAL(b.g.output.a[1].node, named(&b.g, "u"));
    CU_ASSERT_EQUAL(b.g.output.a[3].node, y);
    bench_close(&b);
}

/* Provenance of what was itself rewritten says both. */
static void provenance(void)
{
    struct bench b;

    bench_must(&b, bench_open(&b, G("y = Neg(Relu(x))\n z = Abs(y)\n return z\n"),
                              R(" source Neg(Relu(x))\n target Tanh(x)\n}\nrule s {\n x = Wildcard()\n source Abs(Tanh(x))\n target Exp(x)\n"), -1));
    bench_must(&b, rewrite_fix(&b.g, &b.rules, &b.opt, &b.stats, &b.d));
    CU_ASSERT_STRING_EQUAL(strs_text(&b.strs, b.g.node.a[named(&b.g, "z")].origin), "s [real, not proved]: y (r [real, not proved]: Relu, y), z");
    bench_close(&b);
}

static void fuel(void)
{
    struct bench b;
    double e;
    struct tensor before[BENCH_OUTPUTS], after[BENCH_OUTPUTS];

    /* a + b => b + a never ends */
    bench_must(&b, bench_open(&b, G("y = Add(x, u)\n return y\n"), R(" y = Wildcard()\n source x + y\n target y + x\n"), -1));
    b.opt.fuel = 7;
    bench_run(&b, &b.g, before);
    CU_ASSERT_EQUAL(rewrite_fix(&b.g, &b.rules, &b.opt, &b.stats, &b.d), CALQUE_LIMIT);
    CU_ASSERT(b.stats.out_of_fuel);
    CU_ASSERT_EQUAL(b.stats.applied, 7);
    CU_ASSERT_STRING_EQUAL(b.d.text, "the rules may not be done: fuel for 7 rewrites is used up");
    bench_must(&b, graph_check(&b.g, &b.d));
    bench_run(&b, &b.g, after);
    e = bench_difference(&before[0], &after[0]);
    CU_ASSERT_EQUAL(e, 0);
    tensor_free(&before[0]);
    tensor_free(&after[0]);
    bench_close(&b);
    /* the default: 10000 and the number of nodes */
    bench_must(&b, bench_open(&b, G("y = Add(x, u)\n return y\n"), R(" y = Wildcard()\n source x + y\n target y + x\n"), -1));
    CU_ASSERT_EQUAL(rewrite_fix(&b.g, &b.rules, &b.opt, &b.stats, &b.d), CALQUE_LIMIT);
    CU_ASSERT_EQUAL(b.stats.applied, 10003);
    bench_close(&b);
}

static void once(void)
{
    struct bench b;

    bench_must(&b, bench_open(&b, G("y = Abs(Neg(Relu(x)))\n return y\n"),
                              "rule two {\n x = Wildcard()\n source Abs(Exp(x))\n target x\n}\n"
                              "rule one {\n x = Wildcard()\n source Neg(x)\n target Exp(x)\n}\n", -1));
    b.opt.once = true;
    bench_must(&b, rewrite_fix(&b.g, &b.rules, &b.opt, &b.stats, &b.d));
    CU_ASSERT_EQUAL(b.stats.passes, 1);
    CU_ASSERT_EQUAL(graph_count_ops(&b.g), 3);
    b.opt.once = false;
    bench_must(&b, rewrite_fix(&b.g, &b.rules, &b.opt, &b.stats, &b.d));
    CU_ASSERT_EQUAL(b.stats.passes, 3);
    CU_ASSERT_EQUAL(graph_count_ops(&b.g), 1);
    bench_close(&b);
}

/* Rules have their turns in order: the first takes what both match; within a turn, topological order. */
static void order(void)
{
    struct bench b;
    static const char first[] = "rule a {\n x = Wildcard()\n source Relu(Relu(x))\n target Abs(x)\n}\n";
    static const char second[] = "rule b {\n x = Wildcard()\n source Relu(x)\n target Neg(x)\n}\n";
    char rules[512], t[512];

    snprintf(rules, sizeof rules, "%s%s", first, second);
    bench_must(&b, bench_open(&b, G("y = Relu(Relu(Relu(x)))\n return y\n"), rules, -1));
    bench_must(&b, rewrite_fix(&b.g, &b.rules, &b.opt, &b.stats, &b.d));
    sketch(&b.g, t);
    CU_ASSERT_STRING_EQUAL(t, "2=Abs,0 3=Neg,2");
    bench_close(&b);
    snprintf(rules, sizeof rules, "%s%s", second, first);
    bench_must(&b, bench_open(&b, G("y = Relu(Relu(Relu(x)))\n return y\n"), rules, -1));
    bench_must(&b, rewrite_fix(&b.g, &b.rules, &b.opt, &b.stats, &b.d));
    sketch(&b.g, t);
    CU_ASSERT_STRING_EQUAL(t, "2=Neg,0 3=Neg,2 4=Neg,3");
    bench_close(&b);
}

struct hook {
    int calls, last;
};

static enum calque_status check_after(void *ctx, const struct graph *g, int rule, struct diag *d)
{
    struct hook *h = ctx;

    h->calls++;
    h->last = rule;
    return graph_check(g, d);
}

static void after_each_turn(void)
{
    struct bench b;
    struct hook h = { 0, -1 };

    bench_must(&b, bench_open(&b, G("y = Transpose(Transpose(Identity(x), perm=(1, 0)), perm=(1, 0))\n return y\n"), NULL, -1));
    b.opt.after = check_after;
    b.opt.ctx = &h;
    bench_must(&b, rewrite_fix(&b.g, &b.rules, &b.opt, &b.stats, &b.d));
    CU_ASSERT_EQUAL(h.calls, 3);
    CU_ASSERT_EQUAL(h.last, rules_find(&b.rules, "transpose_identity"));
    CU_ASSERT_EQUAL(graph_count_ops(&b.g), 0);
    bench_close(&b);
}

/* A random graph over 2 x 6 matrices and what the built-in rules like. */
static void random_graph(unsigned seed, char *out)
{
    static const char *const form[] = {
        "Identity(%s)", "Relu(%s)", "Transpose(Transpose(%s, perm=(1, 0)), perm=(1, 0))", "Dropout(%s)", "Neg(%s)",
        "Reshape(Reshape(%s, shape=(3, 4)), shape=(2, 6))", "Transpose(%s, perm=(0, 1))", "Flatten(%s, axis=1)",
        "Squeeze(Unsqueeze(%s, axes=(1,)), axes=(1,))", "Reshape(Flatten(%s, axis=2), shape=(2, 6))",
        "Add(MatMul(%s, w), k)", "Mul(%s, k)", "Add(c, %s)", "BatchNormalization(%s, k, c, k, v)",
        "Add(Mul(BatchNormalization(%s, k, c, c, v), k), c)",
    };
    uint64_t s = seed * 2654435761u + 1;
    char *p = out;

    p += sprintf(p, "graph {\n input x0: f32[2, 6]\n param w: f32[6, 6]\n param k: f32[6]\n param c: f32[6]\n const v: f32[6] = 1.25\n");
    for (int k = 1; k <= 12; k++) {
        char arg[16], call[160];
        s = s * 6364136223846793005u + 1442695040888963407u;
        snprintf(arg, sizeof arg, "x%d", k - 1 - ((s >> 60) < 4 && k > 1));
        if ((s >> 33) % 8 == 0)
            snprintf(call, sizeof call, "Add(x%d, x%d)", k - 1, (int)((s >> 40) % (unsigned)k));
        else
            snprintf(call, sizeof call, form[(s >> 33) % (sizeof form / sizeof *form)], arg);
        p += sprintf(p, " x%d = %s\n", k, call);
    }
    sprintf(p, " return x12, x7\n}\n");
}

/* The use lists kept along the way are those of the graph: rewriting one step at a time, everything rebuilt in
   between, ends in the same number of operators and the same values; twice the same gives the same text. */
static void random_graphs(void)
{
    long applied = 0;

    for (unsigned seed = 1; seed <= 300; seed++) {
        struct bench b, c;
        char src[4096], *t, *u;
        struct hook h = { 0, -1 };
        double e;
        enum calque_status st;

        random_graph(seed, src);
        bench_must(&b, bench_open(&b, src, NULL, -1));
        b.opt.after = check_after;
        b.opt.ctx = &h;
        e = bench_rewrite(&b);
        CU_ASSERT(e <= 1e-4);
        if (e > 1e-4)
            fprintf(stderr, "seed %u: difference %g\n%s\n", seed, e, src);
        applied += b.stats.applied;
        t = bench_text(&b.g);

        bench_must(&c, bench_open(&c, src, NULL, -1));
        bench_must(&c, rewrite_fix(&c.g, &c.rules, &c.opt, &c.stats, &c.d));
        u = bench_text(&c.g);
        CU_ASSERT_STRING_EQUAL(t, u);
        free(u);
        bench_close(&c);

        bench_must(&c, bench_open(&c, src, NULL, -1));
        c.opt.fuel = 1;
        do {
            st = rewrite_fix(&c.g, &c.rules, &c.opt, &c.stats, &c.d);
        } while (st == CALQUE_LIMIT);
        bench_must(&c, st);
        CU_ASSERT_EQUAL(graph_count_ops(&b.g), graph_count_ops(&c.g));
        bench_close(&c);
        free(t);
        bench_close(&b);
    }
    CU_ASSERT(applied > 1000);
}

static void memory_runs_out(void)
{
    static const char graph[] = "graph {\n input x: f32[1, 2, 5, 5]\n param w: f32[2, 2, 3, 3]\n param g: f32[2]\n const v: f32[2] = 1.5\n"
                                " param k: f32[2, 1, 1]\n t = BatchNormalization(Conv(x, w), g, g, g, v) * k + k\n"
                                " y = Flatten(Reshape(Transpose(Transpose(t, perm=(0, 1, 3, 2)), perm=(0, 1, 3, 2)), shape=(2, 9)), axis=1)\n"
                                " z = MatMul(y, Identity(Transpose(y, perm=(1, 0)))) + g\n return z\n}\n";
    enum calque_status st = CALQUE_NOMEM;
    long k;

    for (k = 0; k < 100000 && st == CALQUE_NOMEM; k++) {
        struct bench b;
        st = bench_open(&b, graph, NULL, -1);
        b.mem.fail_after = k;
        if (st == CALQUE_OK)
            st = rewrite_fix(&b.g, &b.rules, &b.opt, &b.stats, &b.d);
        CU_ASSERT(st == CALQUE_NOMEM || (st == CALQUE_OK && graph_count_ops(&b.g) == 4));
        bench_close(&b);
    }
    CU_ASSERT_EQUAL(st, CALQUE_OK);
    CU_ASSERT(k > 100);
}

static const struct unit_case cases[] = {
    { "PE-Match", pe_match },
    { "PE-Const", pe_const },
    { "PE-Call PE-Default PE-Shared PE-Make", pe_call },
    { "PE-Tuple PE-Proj", pe_tuple_proj },
    { "refusals", refusals },
    { "undone", undone },
    { "dropped users", dropped_users },
    { "names", names },
    { "provenance", provenance },
    { "fuel", fuel },
    { "once", once },
    { "order", order },
    { "after each turn", after_each_turn },
    { "random graphs", random_graphs },
    { "memory runs out", memory_runs_out },
};

int main(void)
{
    return unit_main("rewrite/rewrite", cases, UNIT_COUNT(cases));
}
