/* Operators without a meaning in rules: what is built, its type, what is refused, memory that runs out. */
#include "rewrite/bench.h"

#include "onnx/onnx.h"

#define FANCY "raw=\"\\\"\\x05Fancy*\\x0f\\n\\x05alpha\\x15\\xcd\\xcc\\xcc=\\xa0\\x01\\x01:\\x08com.acme\""
#define RULE(text) "rule u {\n x = Wildcard()\n f = Op(\"com.acme::Fancy\")\n y = f(x)\n" text "}\n"
#define TYPED "graph {\n input x : f32[2, 3]\n r = Relu(x)\n y = opaque \"Fancy\"(r; " FANCY ") : f32[2, 3]\n return y\n}\n"
#define UNTYPED "graph {\n input x : f32[2, 3]\n y = opaque \"Fancy\"(x; " FANCY ")\n z = Relu(y)\n return z\n}\n"

static void applied(const char *graph, const char *rule, long times, const char *type)
{
    struct bench b;
    const struct node *nd;
    char got[SHAPE_TEXT];

    bench_must(&b, bench_open(&b, graph, rule, -1));
    b.opt.once = true;
    bench_must(&b, rewrite_fix(&b.g, &b.rules, &b.opt, &b.stats, &b.d));
    CU_ASSERT_EQUAL(b.stats.applied, times);
    bench_must(&b, graph_check(&b.g, &b.d));
    nd = &b.g.node.a[b.g.output.a[0].node];
    CU_ASSERT_STRING_EQUAL(shape_text(&nd->shape, got), type);
    bench_close(&b);
}

static void types(void)
{
    applied(TYPED, RULE(" source y\n target f(Neg(x), alpha=y.alpha)\n"), 1, "2x3");
    applied(TYPED, RULE(" source y\n target Neg(f(x, b=1))\n"), 1, "2x3");
    applied(TYPED, RULE(" source y\n target Neg(x)\n"), 1, "2x3");
    applied(TYPED, RULE(" source y\n target Transpose(x, perm=(1, 0))\n"), 0, "2x3");
    applied(UNTYPED, RULE(" source y\n target Neg(x)\n"), 1, "unknown");
    applied(UNTYPED, RULE(" source y\n target f(Neg(x))\n"), 1, "unknown");
}

static void refused(const char *rule, long type, long stuck, long identity)
{
    struct bench b;

    bench_must(&b, bench_open(&b, TYPED, rule, -1));
    b.opt.once = true;
    bench_must(&b, rewrite_fix(&b.g, &b.rules, &b.opt, &b.stats, &b.d));
    CU_ASSERT_EQUAL(b.stats.applied, 0);
    CU_ASSERT_EQUAL(b.stats.rule[0].refused_type, type);
    CU_ASSERT_EQUAL(b.stats.rule[0].refused_stuck, stuck);
    CU_ASSERT_EQUAL(b.stats.rule[0].refused_identity, identity);
    CU_ASSERT_EQUAL(b.g.raw.n, 1);
    bench_close(&b);
}

static void refusals(void)
{
    refused(RULE(" source y\n target f(x, a=(1, \"a\"))\n"), 1, 0, 0);
    refused(RULE(" source y\n target f(x, a=((1, 2), (3,)))\n"), 1, 0, 0);
    refused(RULE(" source y\n target f(x, a=y.beta)\n"), 0, 1, 0);
    refused(RULE(" source y\n target f(x, alpha=y.alpha)\n"), 0, 0, 1);
    refused(RULE(" source y\n target f(x, alpha=0.1)\n"), 0, 0, 1);
}

/* Every attribute comes back as it was given. */
static void round_trip(void)
{
    static const char *const label[] = { "i", "f", "s", "is", "fs", "ss", "e" };
    static const char want[] = "(tuple -3 0x1p-1 \"a\\\"b\" (tuple 1 2) (tuple 0x1p+0 0x1.99999ap-4) (tuple \"\" \"b\") (tuple))";
    struct bench b;
    struct text t;
    int id[7];

    bench_must(&b, bench_open(&b, TYPED, RULE(" source y\n target f(x, i=-3, f=0.5, s=\"a\\\"b\", is=(1, 2), fs=(1.0, 0.1), "
                                              "ss=(\"\", \"b\"), e=())\n"), -1));
    b.opt.once = true;
    bench_must(&b, rewrite_fix(&b.g, &b.rules, &b.opt, &b.stats, &b.d));
    for (int k = 0; k < 7; k++) {
        CU_ASSERT_FATAL(opaque_attr(&b.g, b.g.output.a[0].node, label[k], &id[k]));
        CU_ASSERT_FATAL(id[k] >= 0);
    }
    text_init(&t, &b.mem);
    value_print(&t, &b.values, &b.strs, value_tuple(&b.values, id, 7));
    CU_ASSERT_STRING_EQUAL(t.a, want);
    text_free(&t);
    CU_ASSERT(opaque_attr(&b.g, b.g.output.a[0].node, "none", &id[0]) && id[0] == -1);
    CU_ASSERT_EQUAL(opaque_count(&b.g, b.g.output.a[0].node), 7);
    bench_close(&b);
}

static void memory_runs_out(void)
{
    static const char rule[] = RULE(" source y\n target Neg(f(Neg(x), alpha=y.alpha, i=(1, 2), s=\"a\"))\n"
                                    " require y.alpha < 0.5 and y.op_type == \"com.acme::Fancy\"\n");
    enum calque_status st = CALQUE_NOMEM;
    long k;

    for (k = 0; k < 100000 && st == CALQUE_NOMEM; k++) {
        struct bench b;
        unsigned char *bytes = NULL;
        size_t n;

        st = bench_open(&b, TYPED, rule, k);
        if (st == CALQUE_OK) {
            b.opt.once = true;
            st = rewrite_fix(&b.g, &b.rules, &b.opt, &b.stats, &b.d);
        }
        CU_ASSERT(st == CALQUE_NOMEM || (st == CALQUE_OK && b.stats.applied == 1));
        if (st == CALQUE_OK)
            st = onnx_write(&b.g, &bytes, &n, &b.d);
        mem_free(bytes);
        bench_close(&b);
    }
    CU_ASSERT_EQUAL(st, CALQUE_OK);
    CU_ASSERT(k > 100);
}

static const struct unit_case cases[] = {
    { "types", types },
    { "refusals", refusals },
    { "attributes there and back", round_trip },
    { "memory runs out", memory_runs_out },
};

int main(void)
{
    return unit_main("rewrite/unknown", cases, UNIT_COUNT(cases));
}
