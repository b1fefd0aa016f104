/* Rewriting by rules with several and with any number of outputs: what is built, in which order it stands, what is
   refused; and that a long run of rewrites keeps the graph in order. */
#include "bench.h"
#include "rewrite/substitute.h"

#define R(body) "rule r {\n x = Wildcard()\n" body "}\n"
#define M(body) "graph {\n input x: f32[2, 2]\n input z: f32[2, 2]\n param a: f32[2, 2]\n param b: f32[2, 2]\n param c: f32[2, 2]\n" body "}\n"

static const char two_rule[] =
    R(" y = Wildcard(shape=(_, _))\n z = Wildcard(shape=(_, _))\n p = MatMul(x, y)\n q = MatMul(x, z)\n source [p, q]\n"
      " s = Split(MatMul(x, Concat(y, z, axis=1)), axis=1, split=(y.shape[1], z.shape[1]))\n target [s[0], s[1]]\n");
static const char any_rule[] =
    R(" v = Wildcard()\n w = Wildcard()\n p = MatMul(x, v)\n q = MatMul(x, w)\n"
      " m = Variadic(q, templates=[q, w], first=[p, v], min_len=2)\n source m\n i = Symbol()\n wi = m(w, i)\n"
      " c = Concat(Variadic(wi, templates=[wi], index=i, length=m.length), axis=1)\n"
      " s = Split(MatMul(x, c), axis=1, split=[m(w, k).shape[1] for k in range(m.length)])\n item = s[i]\n"
      " target Variadic(item, templates=[item], index=i)\n");

struct value_case {
    const char *graph, *rules;
    long applied, convex; /* rewrites; refused for a cycle */
    int ops;              /* left */
};

/* The rewritten graph is well formed and has the values of the original. */
static void check(const struct value_case *c, int n)
{
    for (int k = 0; k < n; k++, c++) {
        struct bench b;
        double e;

        bench_must(&b, bench_open(&b, c->graph, c->rules, -1));
        b.opt.no_fold = true;
        b.opt.fuel = 20;
        e = bench_rewrite(&b);
        CU_ASSERT(e <= 1e-5);
        CU_ASSERT_EQUAL(b.stats.applied, c->applied);
        CU_ASSERT_EQUAL(b.stats.rule[0].refused_convex > 0, c->convex > 0);
        CU_ASSERT_EQUAL(graph_count_ops(&b.g), c->ops);
        if (b.stats.applied != c->applied || graph_count_ops(&b.g) != c->ops ||
            (b.stats.rule[0].refused_convex > 0) != (c->convex > 0))
            fprintf(stderr, "%s%s %ld applied, %ld not convex, %d operators\n", c->graph, c->rules, b.stats.applied,
                    b.stats.rule[0].refused_convex, graph_count_ops(&b.g));
        bench_close(&b);
    }
}

static void several(void)
{
    static const struct value_case c[] = {
        { M("p = MatMul(x, a)\n q = MatMul(x, b)\n return p, q\n"), two_rule, 1, 0, 3 },
        /* the second weight is computed after a user of the first output */
        { M("p = MatMul(x, a)\n n = Neg(p)\n w = Exp(z)\n w2 = Abs(w)\n q = MatMul(x, w2)\n return n, q, w\n"), two_rule, 1, 0, 6 },
        /* both outputs by one node; the outputs swapped */
        { M("p = Relu(x)\n q = Relu(x)\n y = Sub(p, q)\n return y, q\n"), R(" source [Relu(x), Relu(x)]\n r = Relu(x)\n target [r, r]\n"), 1, 0, 2 },
        { M("p = Add(x, a)\n q = Mul(x, a)\n return p, q\n"),
          R(" k = Const()\n p = x + k\n q = x * k\n source [p, q]\n t = (k * x, k + x)\n target [t[1], t[0]]\n"), 1, 0, 2 },
        /* one output by another, or by something computed from it */
        { M("p = Relu(x)\n q = Relu(x)\n return p, q\n"), R(" p = Relu(x)\n q = Relu(x)\n source [p, q]\n target [q, q]\n"), 0, 1, 2 },
        { M("p = Relu(x)\n q = Abs(p)\n return q\n"), R(" p = Relu(x)\n q = Abs(p)\n source q\n target Sqrt(p * p)\n"), 1, 0, 3 },
        /* C1, J1 */
        { M("p = MatMul(x, a)\n r = MatMul(x, Relu(p))\n return r\n"), two_rule, 0, 1, 3 },
        { M("b1 = MatMul(z, a)\n a1 = MatMul(x, Relu(b1))\n a2 = MatMul(x, b)\n b2 = MatMul(z, Relu(a2))\n return a1, b2\n"), two_rule, 1,
          1, 7 },
    };
    check(c, UNIT_COUNT(c));
}

static void any_number(void)
{
    static const struct value_case c[] = {
        { M("p = MatMul(x, a)\n q = MatMul(x, b)\n r = MatMul(x, c)\n return r, p, q\n"), any_rule, 1, 0, 3 },
        { M("p = MatMul(x, a)\n n = Neg(p)\n q = MatMul(x, Exp(z))\n r = MatMul(x, Abs(n))\n return r, q\n"), any_rule, 1, 1, 7 },
        { M("p = Relu(x)\n q = Relu(x)\n r = Relu(x)\n return p, q, r\n"),
          R(" e = Relu(x)\n m = Variadic(e, templates=[e], min_len=2)\n source m\n i = Symbol()\n u = Relu(x)\n"
            " t = (u, u)[i // (i + 1)]\n target Variadic(t, templates=[t], index=i)\n"), 1, 0, 1 },
    };
    check(c, UNIT_COUNT(c));
}

static void choices(void)
{
    static const char cond[] = R(" t = Transpose(x)\n source Relu(t)\n target Cond(t.perm == (0, 1), Relu(x), Transpose(Relu(x), perm=t.perm))\n");
    static const char match[] = R(" e = Exp(x)\n n = Neg(x)\n t = Alt(e, n)\n source Relu(t)\n target Match(t, [Exp(x), Relu(n)])\n");
    static const char like[] = R(" f = Op(\"Relu\", \"Abs\", \"Neg\")\n source f(Transpose(x, perm=(1, 0)))\n target Transpose(f(x), perm=(1, 0))\n");
    static const struct value_case c[] = {
        { M("y = Relu(Transpose(x, perm=(0, 1)))\n return y\n"), cond, 1, 0, 1 },
        { M("y = Relu(Transpose(x, perm=(1, 0)))\n return y\n"), cond, 1, 0, 2 },
        { M("y = Relu(Exp(x))\n return y\n"), match, 1, 0, 1 },
        { M("y = Relu(Neg(x))\n return y\n"), match, 0, 0, 2 },
        { M("y = Abs(Transpose(x, perm=(1, 0)))\n return y\n"), like, 1, 0, 2 },
        { M("y = Exp(Transpose(x, perm=(1, 0)))\n return y\n"), like, 0, 0, 2 },
    };
    check(c, UNIT_COUNT(c));
}

/* Random products of one another, which the rules above merge. */
static void random_graph(unsigned seed, char *p)
{
    uint64_t s = seed * 2654435761u + 1;

    p += sprintf(p, "graph {\n input v0: f32[2, 2]\n input v1: f32[2, 2]\n param v2: f32[2, 2]\n param v3: f32[2, 2]\n");
    for (int k = 4; k < 16; k++) {
        int i, j;
        s = s * 6364136223846793005u + 1442695040888963407u;
        i = (int)((s >> 33) % (unsigned)(k < 8 ? k : 8));
        j = (int)((s >> 43) % (unsigned)k);
        if ((s >> 55) % 4 == 0)
            p += sprintf(p, " v%d = Tanh(v%d)\n", k, j);
        else
            p += sprintf(p, " v%d = MatMul(v%d, v%d)\n", k, i, j);
    }
    sprintf(p, " y = Concat(v4, v5, v6, v7, v8, v9, v10, v11, v12, v13, v14, v15, axis=0)\n return y\n}\n");
}

/* Merged until nothing is left to merge: one turn makes many rewrites in a row. */
static void random_merges(void)
{
    long applied = 0, convex = 0;

    for (unsigned seed = 1; seed <= 200; seed++) {
        struct bench b;
        char src[4096];
        double e;

        random_graph(seed, src);
        bench_must(&b, bench_open(&b, src, seed % 2 ? two_rule : any_rule, -1));
        b.opt.no_fold = true;
        e = bench_rewrite(&b);
        CU_ASSERT(e <= 1e-4);
        if (e > 1e-4)
            fprintf(stderr, "seed %u: difference %g\n%s", seed, e, src);
        applied += b.stats.applied;
        convex += b.stats.rule[0].refused_convex;
        bench_close(&b);
    }
    CU_ASSERT(applied > 200);
    CU_ASSERT(convex > 50);
}

/* Of living nodes, inputs stand before their users. */
static bool ordered(const struct graph *g, const struct uses *u)
{
    for (int k = 0; k < g->node.n; k++)
        for (int j = 0; j < g->node.a[k].nin && !u->node.a[k].dead; j++)
            if (graph_in(g, k, j) >= 0 && !uses_before(u, graph_in(g, k, j), k))
                return false;
    return true;
}

/* The driver's steps one by one: the order of the nodes is right after every one, so convexity is of the graph as it is. */
static void order_kept(void)
{
    long moved = 0, applied = 0;

    for (unsigned seed = 1; seed <= 200; seed++) {
        struct bench b;
        struct uses u;
        struct matcher m;
        struct splice s;
        char src[4096];

        random_graph(seed, src);
        bench_must(&b, bench_open(&b, src, seed % 2 ? two_rule : any_rule, -1));
        uses_init(&u, &b.mem);
        bench_must(&b, uses_build(&u, &b.g, &b.d));
        bench_must(&b, matcher_init(&m, &b.rules, &b.g, &u, &b.d));
        s = (struct splice){ .g = &b.g, .uses = &u };
        for (int k = 0; k < b.g.node.n && b.g.node.n < 200; k++) {
            int root[16], first = b.g.node.n;
            enum refusal why;
            if (u.node.a[k].dead || !match_candidate(&m, 0, k) || match_at(&m, 0, k, &b.d) != CALQUE_OK)
                continue;
            CU_ASSERT_FATAL(m.outs.n <= 16);
            bench_must(&b, build_target(&m, &b.g, root, &why, &b.d));
            if (why != REFUSE_NO)
                continue;
            bench_must(&b, splice_room(&s, first, &b.d));
            if (splice_check(&s, &m, root, first) != CALQUE_OK)
                break; /* what was built is not taken back here */
            moved += s.early.n;
            bench_must(&b, splice_commit(&s, &m, root, first, splice_origin(&s, &m), &b.d));
            CU_ASSERT(ordered(&b.g, &u));
            for (int j = 0; j < m.outs.n; j++)
                CU_ASSERT(u.node.a[m.outs.a[j]].dead); /* so it is no output of the graph either */
            applied++;
        }
        splice_free(&s);
        matcher_free(&m);
        uses_free(&u);
        bench_close(&b);
    }
    CU_ASSERT(applied > 200);
    CU_ASSERT(moved > 50);
}

/* What a target builds and does not need dies at once: it would count as a user of what later matches take. */
static void unneeded_dies(void)
{
    static const char rule[] = R(" source Neg(x)\n t = (Exp(x), Neg(Abs(x)), Abs(x) * 2.0)\n target t[1]\n");
    struct bench b;
    struct uses u;
    struct matcher m;
    struct splice s;
    enum refusal why;
    int root[1], first, living = 0;

    bench_must(&b, bench_open(&b, M("p = Neg(x)\n return p\n"), rule, -1));
    uses_init(&u, &b.mem);
    bench_must(&b, uses_build(&u, &b.g, &b.d));
    bench_must(&b, matcher_init(&m, &b.rules, &b.g, &u, &b.d));
    s = (struct splice){ .g = &b.g, .uses = &u };
    first = b.g.node.n;
    bench_must(&b, match_at(&m, 0, first - 1, &b.d));
    bench_must(&b, build_target(&m, &b.g, root, &why, &b.d));
    CU_ASSERT_EQUAL(why, REFUSE_NO);
    bench_must(&b, splice_room(&s, first, &b.d));
    bench_must(&b, splice_check(&s, &m, root, first));
    bench_must(&b, splice_commit(&s, &m, root, first, splice_origin(&s, &m), &b.d));
    for (int k = first; k < b.g.node.n; k++) {
        living += !u.node.a[k].dead;
        CU_ASSERT(u.node.a[k].dead || u.node.a[k].count > 0 || u.node.a[k].outputs > 0);
    }
    CU_ASSERT(b.g.node.n - first > 2);
    CU_ASSERT_EQUAL(living, 2);
    splice_free(&s);
    matcher_free(&m);
    uses_free(&u);
    bench_close(&b);
}

static void memory_runs_out(void)
{
    char rules[2048];
    enum calque_status st = CALQUE_NOMEM;
    long k;

    snprintf(rules, sizeof rules, "%s%s", any_rule,
             "rule t {\n x = Wildcard()\n a = Relu(x)\n b = Relu(x)\n source [a, b]\n t = (x, Abs(x))[1]\n target [Cond(a.ndim == 2, t, a), Relu(x) * 1.0]\n}\n");
    for (k = 0; k < 100000 && st == CALQUE_NOMEM; k++) {
        struct bench b;
        st = bench_open(&b, M("p = MatMul(x, a)\n n = Neg(p)\n q = MatMul(x, Exp(z))\n r = MatMul(x, c)\n u = Relu(n)\n v = Relu(n)\n return r, q, u, v\n"),
                        rules, -1);
        b.mem.fail_after = k;
        b.opt.once = true;
        if (st == CALQUE_OK)
            st = rewrite_fix(&b.g, &b.rules, &b.opt, &b.stats, &b.d);
        CU_ASSERT(st == CALQUE_NOMEM || (st == CALQUE_OK && b.stats.applied == 2));
        bench_close(&b);
    }
    CU_ASSERT_EQUAL(st, CALQUE_OK);
    CU_ASSERT(k > 40);
}

static const struct unit_case cases[] = {
    { "several outputs", several },
    { "any number of outputs", any_number },
    { "PE-Cond PE-Choice, operators", choices },
    { "random merges", random_merges },
    { "the order is kept", order_kept },
    { "what is not needed dies", unneeded_dies },
    { "memory runs out", memory_runs_out },
};

int main(void)
{
    return unit_main("rewrite/several", cases, UNIT_COUNT(cases));
}
