/* Random operator applications: what op_infer accepts has a kernel, and the right one. */
#include "unit.h"

#include "reference.h"

/* The description of an application being drawn. */
struct draw {
    unsigned seed;
    char in[256], attrs[256];
};

static long pick(struct draw *r, long lo, long hi)
{
    return lo + (long)(bench_random(&r->seed) % (unsigned)(hi - lo + 1));
}

static void add(char *s, const char *format, long x)
{
    snprintf(s + strlen(s), 256 - strlen(s), format, x);
}

/* " label=a,b," of n numbers in lo..hi. */
static void draw_ints(struct draw *r, const char *label, int n, long lo, long hi)
{
    add(r->attrs, *r->attrs ? " " : "", 0);
    snprintf(r->attrs + strlen(r->attrs), 256 - strlen(r->attrs), "%s=", label);
    for (int i = 0; i < n; i++)
        add(r->attrs, "%ld,", pick(r, lo, hi));
}

static void draw_dims(struct draw *r, char type, int n, long lo, long hi)
{
    add(r->in, *r->in ? " " : "", 0);
    snprintf(r->in + strlen(r->in), 256 - strlen(r->in), "%c:", type);
    for (int i = 0; i < n; i++)
        add(r->in, i ? "x%ld" : "%ld", pick(r, lo, hi));
}

static void draw_window(struct draw *r, int op)
{
    int n = (int)pick(r, 1, 3);
    long group = pick(r, 1, 3), c = pick(r, 1, 2), m = pick(r, 1, 2);

    if (op == OP_Conv) {
        snprintf(r->in, sizeof r->in, "f:%ldx%ld", pick(r, 1, 2), group * c);
        for (int i = 0; i < n; i++)
            add(r->in, "x%ld", pick(r, 1, 6));
        add(r->in, " f:%ld", group * m);
        add(r->in, "x%ld", c);
        for (int i = 0; i < n; i++)
            add(r->in, "x%ld", pick(r, 1, 3));
        if (pick(r, 0, 1))
            add(r->in, " f:%ld", group * m);
        add(r->attrs, "group=%ld", group);
        draw_ints(r, "dilations", n, 1, 2);
    } else {
        draw_dims(r, 'f', n + 2, 1, 6);
        draw_ints(r, "kernel_shape", n, 1, 3);
        add(r->attrs, " ceil_mode=%ld", pick(r, 0, 1));
        if (op == OP_MaxPool)
            draw_ints(r, "dilations", n, 1, 2);
        else
            add(r->attrs, " count_include_pad=%ld", pick(r, 0, 1));
    }
    draw_ints(r, "strides", n, 1, 3);
    draw_ints(r, "pads", 2 * n, 0, 2);
}

/* Both sides are products of the same factors, so that most are accepted. */
static void draw_reshape(struct draw *r)
{
    static const long factors[] = {2, 3, 2, 5, 1};
    long in[4] = {1, 1, 1, 1}, out[4] = {1, 1, 1, 1};
    int n = (int)pick(r, 1, 4), m = (int)pick(r, 1, 4);

    for (int i = 0; i < 5; i++) {
        in[i * n / 5] *= factors[i];
        out[pick(r, 0, 1) ? i * m / 5 : pick(r, 0, m - 1)] *= factors[i];
    }
    for (int i = 0; i < n; i++)
        add(r->in, i ? "x%ld" : "f:%ld", in[i]);
    for (int i = 0; i < m; i++)
        add(r->attrs, i ? "%ld," : "shape=%ld,", out[i]);
}

/* A shape in `big`, and one that broadcasts to it in `small`. */
static void draw_broadcast(struct draw *r, const char *sep, char *big, char *small)
{
    int n = (int)pick(r, 1, 4), drop = (int)pick(r, 0, n);

    for (int i = 0; i < n; i++) {
        long dim = pick(r, 1, 4);
        snprintf(big + strlen(big), 128 - strlen(big), i ? "x%ld" : "%ld", dim);
        if (i >= drop)
            snprintf(small + strlen(small), 128 - strlen(small), "%s%ld", i > drop ? sep : "",
                     pick(r, 0, 1) ? dim : 1);
    }
}

static void draw_like(struct draw *r, int op)
{
    static const char *const modes[] = {"constant", "edge", "reflect"};
    char big[128] = "", small[128] = "";
    int n = (int)pick(r, 1, 3);
    long group = pick(r, 1, 3), each = pick(r, 1, 3);

    if (op == OP_Pad) {
        draw_dims(r, 'f', n, 0, 4);
        draw_ints(r, "pads", 2 * n, -2, 3);
        snprintf(r->attrs + strlen(r->attrs), 64, " value=0.5 mode='%s'", modes[pick(r, 0, 2)]);
    } else if (op == OP_GroupNormalization) {
        snprintf(r->in, sizeof r->in, "f:%ldx%ld", pick(r, 1, 2), group * each);
        for (int i = 0; i < n - 1; i++)
            add(r->in, "x%ld", pick(r, 1, 4));
        add(r->in, " f:%ld", group * each);
        add(r->in, " f:%ld", group * each);
        add(r->attrs, "num_groups=%ld", group);
    } else if (op == OP_CollapseSum) {
        draw_broadcast(r, ",", big, small);
        snprintf(r->in, sizeof r->in, "i:%.80s", big);
        snprintf(r->attrs, sizeof r->attrs, *small ? "shape=%.80s," : "shape=()", small);
    } else {
        draw_broadcast(r, "x", big, small);
        if (op == OP_LayerNormalization)
            snprintf(r->in, sizeof r->in, "f:%.80s f:%.80s f:%.80s", big, small, pick(r, 0, 1) ? big : small);
        else
            snprintf(r->in, sizeof r->in, "f:%.80s", big);
        if (op == OP_LayerNormalization || op == OP_LpNormalization)
            add(r->attrs, "axis=%ld", -pick(r, 1, 2));
        if (op == OP_LpNormalization)
            add(r->attrs, " p=%ld", pick(r, 1, 2));
        if (op == OP_L2Normalize)
            draw_ints(r, "axes", n < 2 ? 1 : 2, -2, 1);
    }
}

static void draw_other(struct draw *r, int op)
{
    int n = (int)pick(r, 1, 5);

    switch (op) {
    case OP_Softmax:
        draw_dims(r, 'f', n, 1, 4);
        add(r->attrs, "axis=%ld", pick(r, 0, n - 1));
        add(r->attrs, " flatten=%ld", pick(r, 0, 1));
        break;
    case OP_Transpose:
        draw_dims(r, 'f', 3, 1, 4);
        draw_ints(r, "perm", 3, 0, 2);
        break;
    case OP_Slice:
        draw_dims(r, 'i', 2, 1, 6);
        draw_ints(r, "starts", 2, 0, 4);
        draw_ints(r, "sizes", 2, 0, 3);
        draw_ints(r, "steps", 2, -2, 2);
        break;
    case OP_ReduceMean:
        draw_dims(r, 'f', n, 1, 4);
        draw_ints(r, "axes", (int)pick(r, 1, 2), -n, n - 1);
        add(r->attrs, " keepdims=%ld", pick(r, 0, 1));
        break;
    case OP_Concat:
        draw_dims(r, 'f', 2, 1, 2);
        draw_dims(r, 'f', 2, 0, 2);
        draw_dims(r, 'f', 2, 1, 2);
        add(r->attrs, "axis=%ld", pick(r, 0, 1));
        break;
    case OP_LRN:
        draw_dims(r, 'f', (int)pick(r, 2, 4), 1, 5);
        add(r->attrs, "alpha=0.5 size=%ld", pick(r, 1, 7));
        break;
    case OP_MatMul:
        draw_dims(r, 'f', (int)pick(r, 1, 4), 1, 2);
        draw_dims(r, 'f', (int)pick(r, 1, 4), 1, 2);
        break;
    default:
        draw_dims(r, 'f', n, 1, 2);
        draw_dims(r, 'f', (int)pick(r, 1, 5), 1, 2);
        draw_dims(r, 'f', (int)pick(r, 0, 5), 1, 2);
    }
}

static void test_random(void)
{
    static const struct {
        int op;
        int least; /* of 200 draws that op_infer accepts */
    } kinds[] = {{OP_Conv, 100},    {OP_MaxPool, 40},   {OP_AveragePool, 40}, {OP_Reshape, 200},
                 {OP_Softmax, 200}, {OP_Transpose, 20}, {OP_Slice, 20},       {OP_ReduceMean, 60},
                 {OP_Concat, 20},   {OP_LRN, 200},      {OP_MatMul, 20},      {OP_Sum, 60},
                 {OP_Pad, 60},      {OP_CollapseSum, 200}, {OP_GroupNormalization, 200},
                 {OP_LayerNormalization, 100}, {OP_LpNormalization, 100}, {OP_L2Normalize, 60}};

    for (int k = 0; k < UNIT_COUNT(kinds); k++) {
        struct draw r = {.seed = (unsigned)k};
        int accepted = 0;
        for (int round = 0; round < 200; round++) {
            struct test t = {kinds[k].op, r.in, r.attrs, 1};
            struct bench b;
            enum calque_status s;
            bool equal;
            *r.in = *r.attrs = '\0';
            if (t.op == OP_Reshape)
                draw_reshape(&r);
            else if (t.op == OP_Conv || t.op == OP_MaxPool || t.op == OP_AveragePool)
                draw_window(&r, t.op);
            else if (t.op >= OP_Pad)
                draw_like(&r, t.op);
            else
                draw_other(&r, t.op);
            bench_init(&b);
            s = run_test(&b, &t, r.seed, 1, &equal);
            if (s != CALQUE_BAD && (s || !equal))
                fprintf(stderr, "%s(%s) %s: %s\n", op_info(t.op)->name, r.in, r.attrs, s ? b.d.text : "differs");
            CU_ASSERT(s == CALQUE_BAD || (s == CALQUE_OK && equal));
            accepted += s == CALQUE_OK;
            bench_free(&b);
        }
        if (accepted < kinds[k].least)
            fprintf(stderr, "%s: only %d draws accepted\n", op_info(kinds[k].op)->name, accepted);
        CU_ASSERT(accepted >= kinds[k].least);
    }
}

int main(void)
{
    static const struct unit_case cases[] = {{"random", test_random}};
    return unit_main("tensor/random", cases, UNIT_COUNT(cases));
}
