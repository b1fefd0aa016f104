/* Parameter folding: what is folded, what is not, the size limit, and its counts. */
#include "bench.h"

static const struct tensor *output(struct bench *b, int k)
{
    const struct tensor *t = graph_tensor(&b->g, b->g.output.a[k].node);

    CU_ASSERT_PTR_NOT_NULL_FATAL(t);
    return t;
}

static void open_fold(struct bench *b, const char *graph, size_t limit, struct fold_stats *st)
{
    bench_must(b, bench_open(b, graph, "", -1));
    memset(st, 0, sizeof *st);
    bench_must(b, fold_graph(&b->g, limit, 1, st, &b->d));
    bench_must(b, graph_check(&b->g, &b->d));
}

static void operators(void)
{
    struct bench b;
    struct fold_stats st;

    open_fold(&b, "graph {\n const a: f32[2] = [1.0, -2.0]\n y = Relu(Add(a, Mul(a, a)))\n return y\n}\n", FOLD_LIMIT, &st);
    CU_ASSERT_EQUAL(graph_count_ops(&b.g), 0);
    CU_ASSERT_EQUAL(b.g.node.n, 1); /* the operands are gone */
    CU_ASSERT_EQUAL(tensor_f32(output(&b, 0))[0], 2.0f);
    CU_ASSERT_EQUAL(tensor_f32(output(&b, 0))[1], 2.0f);
    CU_ASSERT_EQUAL(st.count[OP_Relu], 1);
    CU_ASSERT_EQUAL(st.count[OP_Add], 1);
    CU_ASSERT_EQUAL(st.count[OP_Mul], 1);
    CU_ASSERT_STRING_EQUAL(graph_name(&b.g, b.g.output.a[0].node), "y");
    bench_close(&b);
    /* an input stays; an absent input does not matter */
    open_fold(&b, "graph {\n input x: f32[1, 1, 2, 2]\n param w: f32[1, 1, 1, 1]\n y = Conv(x, Neg(w))\n z = Conv(Reshape(w, shape=(1, 1, 1, 1)), w)\n return y, z\n}\n", FOLD_LIMIT, &st);
    CU_ASSERT_EQUAL(graph_count_ops(&b.g), 1);
    CU_ASSERT_EQUAL(st.count[OP_Conv], 1);
    CU_ASSERT_EQUAL(st.count[OP_Neg], 1);
    bench_close(&b);
}

static void shapes(void)
{
    struct bench b;
    struct fold_stats st;

    open_fold(&b, "graph {\n input x: f32[2, 3, 5]\n const ix: i64[1] = [2]\n const one: f32[] = 1.0\n y = Relu(x)\n s = Gather(Shape(y), ix, axis=0)\n"
                  " c = ConstantOfShape(shape=(2, 2), value=0.5, dtype=1)\n z = Cast(s, to=1) + one + c\n return z\n}\n",
              FOLD_LIMIT, &st);
    CU_ASSERT_EQUAL(graph_count_ops(&b.g), 0);
    CU_ASSERT_EQUAL(st.count[OP_Shape], 1);
    CU_ASSERT_EQUAL(st.count[OP_Gather], 1);
    CU_ASSERT_EQUAL(st.count[OP_ConstantOfShape], 1);
    CU_ASSERT_EQUAL(st.count[OP_Cast], 1);
    CU_ASSERT_EQUAL(tensor_f32(output(&b, 0))[3], 6.5f);
    bench_close(&b);
    /* an unknown shape */
    open_fold(&b, "graph {\n input x: f32[2]\n o = opaque \"Foo\"(x)\n s = Shape(o)\n return s\n}\n", FOLD_LIMIT, &st);
    CU_ASSERT_EQUAL(graph_count_ops(&b.g), 2);
    CU_ASSERT_EQUAL(st.count[OP_Shape], 0);
    bench_close(&b);
    /* a scalar has the empty shape */
    open_fold(&b, "graph {\n input x: f32[]\n s = Shape(x)\n return s\n}\n", FOLD_LIMIT, &st);
    CU_ASSERT_EQUAL(graph_count_ops(&b.g), 0);
    CU_ASSERT_EQUAL(output(&b, 0)->shape.dim[0], 0);
    bench_close(&b);
}

static void splits(void)
{
    struct bench b;
    struct fold_stats st;

    open_fold(&b, "graph {\n const a: f32[4] = [1.0, 2.0, 3.0, 4.0]\n s = Split(a, axis=0, split=(1, 3))\n y = Neg(s[0])\n z = s[1]\n return y, z\n}\n", FOLD_LIMIT, &st);
    CU_ASSERT_EQUAL(graph_count_ops(&b.g), 0);
    CU_ASSERT_EQUAL(st.count[OP_Split], 1);
    CU_ASSERT_EQUAL(tensor_f32(output(&b, 0))[0], -1.0f);
    CU_ASSERT_EQUAL(tensor_f32(output(&b, 1))[2], 4.0f);
    bench_close(&b);
    /* one output twice, one not at all */
    open_fold(&b, "graph {\n const a: f32[4] = [1.0, 2.0, 3.0, 4.0]\n s = Split(a, axis=0, split=(1, 3))\n y = s[1]\n z = s[1]\n return y, z\n}\n", FOLD_LIMIT, &st);
    CU_ASSERT_EQUAL(b.g.output.n, 2);
    bench_close(&b);
}

static void limit(void)
{
    static const char grow[] = "graph {\n const a: f32[] = 1.0\n c = ConstantOfShape(shape=(10, 10), value=0.5, dtype=1)\n y = Add(c, a)\n return y\n}\n";
    static const char same[] = "graph {\n param a: f32[100]\n y = Reshape(Neg(a), shape=(10, 10))\n return y\n}\n";
    struct bench b;
    struct fold_stats st;

    open_fold(&b, grow, 399, &st);
    CU_ASSERT_EQUAL(graph_count_ops(&b.g), 2);
    CU_ASSERT_EQUAL(st.skipped[OP_ConstantOfShape], 1);
    CU_ASSERT_EQUAL(st.skipped_bytes, 400);
    bench_close(&b);
    open_fold(&b, grow, 400, &st);
    CU_ASSERT_EQUAL(graph_count_ops(&b.g), 0);
    CU_ASSERT_EQUAL(st.skipped_bytes, 0);
    bench_close(&b);
    /* larger than the limit, but no larger than what it is made from */
    open_fold(&b, same, 10, &st);
    CU_ASSERT_EQUAL(graph_count_ops(&b.g), 0);
    CU_ASSERT_EQUAL(st.count[OP_Neg], 1);
    bench_close(&b);
}

/* Constants without kernels (double) are left alone and counted. */
static void no_kernel(void)
{
    struct bench b;
    struct fold_stats st;
    struct tensor t;
    struct shape shape = { .rank = 1, .dim = { 2 } };
    int in, y;

    bench_must(&b, bench_open(&b, "graph {\n input x: f32[2]\n return x\n}\n", "", -1));
    bench_must(&b, tensor_new(&b.mem, 11, &shape, &t, &b.d));
    in = graph_const(&b.g, strs_addz(&b.strs, "c"), &t);
    y = graph_op(&b.g, OP_Identity, strs_addz(&b.strs, "y"), &in, 1, NULL, 0, 1);
    CU_ASSERT_FATAL(in >= 0 && y >= 0 && graph_output(&b.g, y, strs_addz(&b.strs, "y")));
    op_infer(&b.g, y, &b.d);
    memset(&st, 0, sizeof st);
    bench_must(&b, fold_graph(&b.g, FOLD_LIMIT, 1, &st, &b.d));
    CU_ASSERT_EQUAL(st.count[OP_Identity] + st.failed[OP_Identity], 1);
    CU_ASSERT_EQUAL(graph_count_ops(&b.g), st.failed[OP_Identity]);
    bench_close(&b);
}

/* What a rule builds from constants is folded before the next rule's turn, and what follows from it. */
static void after_rules(void)
{
    struct bench b;

    bench_must(&b, bench_open(&b, "graph {\n param k: f32[2] = 3.0\n input x: f32[2]\n y = Add(x, Exp(Neg(Dropout(k))))\n z = Neg(Dropout(x))\n return y, z\n}\n",
                              "rule r {\n x = Wildcard()\n source Dropout(x)\n target x\n}\n"
                              "rule s {\n c = Const()\n x = Wildcard()\n source x + c\n target x - (0.0 - c)\n}\n", -1));
    b.opt.no_fold = true;
    bench_must(&b, rewrite_fix(&b.g, &b.rules, &b.opt, &b.stats, &b.d));
    CU_ASSERT_EQUAL(b.stats.rule[1].applied, 0); /* Exp(..) is no constant yet */
    b.opt.no_fold = false;
    bench_must(&b, rewrite_fix(&b.g, &b.rules, &b.opt, &b.stats, &b.d));
    CU_ASSERT_EQUAL(b.stats.rule[1].applied, 1);
    CU_ASSERT_EQUAL(b.stats.fold.count[OP_Exp], 1);
    CU_ASSERT_EQUAL(b.stats.fold.count[OP_Sub], 1);
    CU_ASSERT_EQUAL(graph_count_ops(&b.g), 2);
    bench_close(&b);
}

/* The rule turns an operator into a constant that older nodes use. */
static void older_users(void)
{
    struct bench b;

    bench_must(&b, bench_open(&b, "graph {\n input x: f32[2]\n a = Sub(x, x)\n y = Exp(Abs(a))\n return y\n}\n",
                              "rule r {\n x = Wildcard()\n s = x - x\n source s\n target ConstantOfShape(shape=s.shape)\n}\n", -1));
    bench_must(&b, rewrite_fix(&b.g, &b.rules, &b.opt, &b.stats, &b.d));
    bench_must(&b, graph_check(&b.g, &b.d));
    CU_ASSERT_EQUAL(graph_count_ops(&b.g), 0);
    CU_ASSERT_EQUAL(b.stats.fold.count[OP_Exp], 1);
    CU_ASSERT_EQUAL(tensor_f32(output(&b, 0))[1], 1.0f);
    bench_close(&b);
}

static void memory_runs_out(void)
{
    enum calque_status st = CALQUE_NOMEM;
    long k;

    for (k = 0; k < 100000 && st == CALQUE_NOMEM; k++) {
        struct bench b;
        struct fold_stats stats;
        st = bench_open(&b, "graph {\n input x: f32[2, 3]\n const a: f32[4] = [1.0, 2.0, 3.0, 4.0]\n s = Split(a, axis=0, split=(1, 3))\n"
                            " y = Neg(s[0]) + Cast(Shape(x), to=1)\n z = s[1]\n return y, z\n}\n", "", -1);
        memset(&stats, 0, sizeof stats);
        b.mem.fail_after = k;
        if (st == CALQUE_OK)
            st = fold_graph(&b.g, FOLD_LIMIT, 1, &stats, &b.d);
        CU_ASSERT(st == CALQUE_NOMEM || (st == CALQUE_OK && graph_count_ops(&b.g) == 0));
        bench_close(&b);
    }
    CU_ASSERT_EQUAL(st, CALQUE_OK);
    CU_ASSERT(k > 20);
}

static const struct unit_case cases[] = {
    { "operators", operators },
    { "shapes", shapes },
    { "splits", splits },
    { "limit", limit },
    { "no kernel", no_kernel },
    { "after rules", after_rules },
    { "older users", older_users },
    { "memory runs out", memory_runs_out },
};

int main(void)
{
    return unit_main("rewrite/fold", cases, UNIT_COUNT(cases));
}
