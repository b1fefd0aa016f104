/* op_infer: the type of every operator and each of its errors; what it makes explicit. */
#include "unit.h"

#include "build.h"

struct rule {
    int op;
    const char *in, *attrs;
    int nout;
    const char *want; /* type of the result (of the last output); "!text": an error with this text */
    const char *then; /* an attribute afterwards, "label=value" */
};

static const struct rule rules[] = {
#define TYPE(op, in, attrs, outputs, want, then) {OP_##op, in, attrs, outputs, want, then},
#include "operators.def"
};

static int infer_rule(struct bench *b, const struct rule *r, int *node, enum calque_status *s)
{
    int in[BENCH_INPUTS], n = inputs_parse(b, r->in, in), last;

    *s = CALQUE_NOMEM;
    if (n < 0 || (*node = bench_op(b, r->op, r->attrs, r->nout, in, n)) < 0)
        return -1;
    last = *node;
    *s = op_infer(&b->g, *node, &b->d);
    if (!*s && (op_info(r->op)->traits & OP_MULTI)) {
        *s = CALQUE_NOMEM;
        if ((last = graph_proj(&b->g, *node, r->nout - 1, -1)) >= 0)
            *s = op_infer(&b->g, last, &b->d);
    }
    return last;
}

static void test_rules(void)
{
    bool used[OP_COUNT] = {false};

    for (int i = 0; i < UNIT_COUNT(rules); i++) {
        const struct rule *r = &rules[i];
        struct bench b;
        enum calque_status s;
        char got[128] = "", why[1024];
        int node = -1, last;

        bench_init(&b);
        last = infer_rule(&b, r, &node, &s);
        used[r->op] = true;
        snprintf(why, sizeof why, "%s(%s) %s: wanted %s", op_info(r->op)->name, r->in, r->attrs, r->want);
        if (*r->want == '!') {
            if (!((s == CALQUE_BAD || s == CALQUE_LIMIT) && strstr(b.d.text, r->want + 1) && strstr(b.d.text, "node it (")))
                fprintf(stderr, "%s, got %d %s\n", why, (int)s, b.d.text);
            CU_ASSERT(s == CALQUE_BAD || s == CALQUE_LIMIT);
            CU_ASSERT(strstr(b.d.text, r->want + 1) != NULL);
            CU_ASSERT(strstr(b.d.text, "node it (") != NULL);
        } else {
            if (!s)
                type_print(b.g.node.a[last].dtype, &b.g.node.a[last].shape, got);
            if (s || strcmp(got, r->want))
                fprintf(stderr, "%s, got %d %s %s\n", why, (int)s, got, b.d.text);
            CU_ASSERT(s == CALQUE_OK);
            CU_ASSERT_STRING_EQUAL(got, r->want);
        }
        if (r->then && !s) {
            size_t n = strcspn(r->then, "=");
            char label[32];
            snprintf(label, sizeof label, "%.*s", (int)n, r->then);
            int want = attr_value(&b, r->then + n + 1, strlen(r->then + n + 1));
            int is = graph_attr(&b.g, node, label);
            if (is < 0 || !value_equal(&b.values, is, want))
                fprintf(stderr, "%s, attribute not %s\n", why, r->then);
            CU_ASSERT(is >= 0 && value_equal(&b.values, is, want));
        }
        if (!s) { /* a second inference changes nothing */
            int attrs = b.g.attr.n, values = b.values.n;
            CU_ASSERT(op_infer(&b.g, node, &b.d) == CALQUE_OK);
            CU_ASSERT(b.g.attr.n == attrs && b.values.n == values);
        }
        bench_free(&b);
    }
    for (int op = OP_Opaque + 1; op < OP_COUNT; op++) {
        if (!used[op])
            fprintf(stderr, "no rule for %s\n", op_info(op)->name);
        CU_ASSERT(used[op]);
    }
}

static void test_tables(void)
{
    for (int op = 0; op < OP_COUNT; op++) {
        int n;
        const struct op_attr_info *a = op_attrs(op, &n);
        CU_ASSERT(op_find(op_info(op)->name, strlen(op_info(op)->name)) == (op == OP_Opaque ? -1 : op));
        for (int i = 0; i < n; i++)
            CU_ASSERT(a[i].op == op);
        CU_ASSERT(n == 0 || !(op_info(op)->traits & OP_ELEMENTWISE)); /* rules count on it */
        CU_ASSERT(n > 0 || !(op_info(op)->traits & OP_POINTWISE));
    }
    CU_ASSERT(op_find("Con", 3) == -1);
    CU_ASSERT(op_find("Convo", 5) == -1);
    CU_ASSERT(op_find("Conv", 4) == OP_Conv);
    CU_ASSERT_PTR_NULL(op_info(-1));
    CU_ASSERT_PTR_NULL(op_info(OP_COUNT));
}

/* Projections, tuples, operators in the wrong place, opaque nodes. */
static void test_structure(void)
{
    struct bench b;
    struct shape s23 = {.rank = 2, .dim = {2, 3}};
    int in, tuple, split, op, proj, opaque;

    bench_init(&b);
    in = graph_input(&b.g, -1, DTYPE_F32, &s23);
    tuple = graph_tuple(&b.g, &in, 1);
    proj = graph_proj(&b.g, tuple, 0, -1);
    CU_ASSERT(op_infer(&b.g, tuple, &b.d) == CALQUE_OK && op_infer(&b.g, proj, &b.d) == CALQUE_OK);
    CU_ASSERT(b.g.node.a[proj].dtype == DTYPE_F32 && shape_equal(&b.g.node.a[proj].shape, &s23));
    proj = graph_proj(&b.g, tuple, 1, -1);
    CU_ASSERT(op_infer(&b.g, proj, &b.d) == CALQUE_BAD && strstr(b.d.text, "field 1 of a tuple of 1"));
    proj = graph_proj(&b.g, in, 0, -1);
    CU_ASSERT(op_infer(&b.g, proj, &b.d) == CALQUE_BAD);
    op = bench_op(&b, OP_Relu, "", 1, &tuple, 1);
    CU_ASSERT(op_infer(&b.g, op, &b.d) == CALQUE_BAD && strstr(b.d.text, "input 0 is a tuple"));
    split = bench_op(&b, OP_Split, "", 2, &in, 1);
    CU_ASSERT(op_infer(&b.g, split, &b.d) == CALQUE_OK);
    CU_ASSERT(b.g.node.a[split].dtype == DTYPE_UNKNOWN);
    op = bench_op(&b, OP_Relu, "", 1, &split, 1);
    CU_ASSERT(op_infer(&b.g, op, &b.d) == CALQUE_BAD && strstr(b.d.text, "multi-output"));
    proj = graph_proj(&b.g, split, 2, -1);
    CU_ASSERT(op_infer(&b.g, proj, &b.d) == CALQUE_BAD && strstr(b.d.text, "output 2 of a node of 2"));
    opaque = bench_op(&b, OP_Opaque, "", 1, &in, 1);
    CU_ASSERT(op_infer(&b.g, opaque, &b.d) == CALQUE_OK);
    op = bench_op(&b, OP_Relu, "", 1, &opaque, 1);
    CU_ASSERT(op_infer(&b.g, op, &b.d) == CALQUE_OK && b.g.node.a[op].shape.rank == -1);
    b.g.node.a[opaque].dtype = DTYPE_F32; /* an importer may know it */
    b.g.node.a[opaque].shape = s23;
    CU_ASSERT(op_infer(&b.g, opaque, &b.d) == CALQUE_OK && op_infer(&b.g, op, &b.d) == CALQUE_OK);
    CU_ASSERT(shape_equal(&b.g.node.a[op].shape, &s23));
    CU_ASSERT(graph_infer(&b.g, &b.d) == CALQUE_BAD);
    bench_free(&b);
}

/* What an opaque node's error calls it: the op_type inside its bytes. */
static void test_opaque_name(void)
{
    static unsigned char proto[] = {10, 1, 'x', 18, 1, 'y', 26, 3, 'n', 'n', 'n', 34, 5, 'M', 'a', 'g', 'i', 'c'};
    struct bench b;
    struct text t;
    int op;

    for (size_t cut = 0; cut <= sizeof proto; cut++) { /* also truncated bytes */
        bench_init(&b);
        op = bench_op(&b, OP_Opaque, "", 1, NULL, 0);
        CU_ASSERT_FATAL(vec_room(&b.mem, &b.g.raw, 1));
        b.g.raw.n = 1;
        b.g.raw.a[0].a = mem_resize(&b.mem, NULL, cut, 1);
        memcpy(b.g.raw.a[0].a, proto, cut);
        b.g.raw.a[0].n = cut;
        b.g.node.a[op].data = 0;
        text_init(&t, &b.mem);
        CU_ASSERT(op_kernel_text(&b.g, op, &t, &b.d) == CALQUE_BAD);
        CU_ASSERT_STRING_EQUAL(b.d.text, cut == sizeof proto ? "node it (Opaque Magic): no kernel"
                                                             : "node it (Opaque ?): no kernel");
        text_free(&t);
        bench_free(&b);
    }
}

static enum calque_status build_all(struct bench *b)
{
    enum calque_status s = CALQUE_OK;
    int node;

    for (int i = 0; i < UNIT_COUNT(rules) && !s; i++)
        if (*rules[i].want != '!')
            infer_rule(b, &rules[i], &node, &s);
    return s;
}

static void test_memory(void)
{
    enum calque_status s = CALQUE_NOMEM;

    for (long k = 0; s == CALQUE_NOMEM && k < 100000; k++) {
        struct bench b;
        bench_init(&b);
        b.mem.fail_after = k;
        s = build_all(&b);
        CU_ASSERT(s == CALQUE_OK || s == CALQUE_NOMEM);
        bench_free(&b);
    }
    CU_ASSERT(s == CALQUE_OK);
}

int main(void)
{
    static const struct unit_case cases[] = {{"tables", test_tables},
                                             {"rules", test_rules},
                                             {"structure", test_structure},
                                             {"opaque_name", test_opaque_name},
                                             {"memory", test_memory}};
    return unit_main("tensor/infer", cases, UNIT_COUNT(cases));
}
