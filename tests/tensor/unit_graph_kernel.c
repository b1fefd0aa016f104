/* graph_kernel: a whole graph as one kernel gives what the interpreter gives node by node, bit for bit. */
#include "unit.h"

#include "build.h"
#include "graph/text.h"

static const char *const models[] = {
    "graph a {\n    input x : f32[2, 3]\n    param w : f32[3, 4]\n    param b : f32[4]\n"
    "    h = Gemm(x, w, b)\n    r = Relu(h)\n    p = Softmax(r, axis=1)\n    t = Transpose(p, perm=(1, 0))\n"
    "    u = Reshape(t, shape=(2, 2, 2))\n    v = Reshape(u, shape=(8,))\n    s = ReduceSum(v, axes=(0,), keepdims=0)\n"
    "    y = s * v\n    return y, s\n}\n",
    "graph b {\n    input x : f32[1, 4, 6, 6]\n    param w : f32[4, 4, 3, 3]\n"
    "    c = Conv(x, w, kernel_shape=(3, 3), strides=(1, 1), pads=(1, 1, 1, 1), dilations=(1, 1))\n    r = Relu(c + x)\n"
    "    m = MaxPool(r, kernel_shape=(2, 2), strides=(2, 2), pads=(0, 0, 0, 0), dilations=(1, 1))\n"
    "    g = GlobalAveragePool(m)\n    f = Flatten(g, axis=1)\n    k = Concat(f, f, axis=0)\n    return k, m\n}\n",
};

static bool load(struct bench *b, const char *text)
{
    bench_init(b);
    if (graph_text_read(&b->g, "model.graph", text, strlen(text), &b->d) == CALQUE_OK)
        return true;
    fprintf(stderr, "%d:%d %s\n", b->d.line, b->d.col, b->d.text);
    return false;
}

static void fill(float *x, size_t n, unsigned seed)
{
    for (size_t i = 0; i < n; i++) {
        seed = seed * 1103515245u + 12345u;
        x[i] = (float)(seed >> 16 & 1023) / 256 - 2;
    }
}

static const void *value_data(const struct bench *b, const struct tensor *inputs, int node)
{
    for (int i = 0; i < b->g.input.n; i++)
        if (b->g.input.a[i] == node)
            return inputs[i].data;
    return graph_tensor(&b->g, node) ? graph_tensor(&b->g, node)->data : NULL;
}

static void agrees(const char *text)
{
    struct bench b;
    struct kernel k;
    struct tensor in[2], out[4];
    void *data[64] = {0};
    int value[64];

    CU_ASSERT_FATAL(load(&b, text) && b.g.node.n <= 64);
    for (int i = 0; i < b.g.input.n; i++) {
        const struct node *x = &b.g.node.a[b.g.input.a[i]];
        CU_ASSERT_FATAL(tensor_new(&b.mem, x->dtype, &x->shape, &in[i], &b.d) == CALQUE_OK);
        fill(in[i].data, in[i].bytes / 4, (unsigned)i + 3);
    }
    CU_ASSERT_FATAL(graph_run(&b.g, in, out, 1, NULL, &b.d) == CALQUE_OK);
    CU_ASSERT_FATAL(graph_kernel(&b.g, KERNEL_F32, &k, value, &b.d) == CALQUE_OK && k.tensor.n <= 64);
    for (int t = 0; t < k.tensor.n; t++)
        data[t] = calloc((size_t)kernel_elems(&k, t) + 1, 4);
    for (int i = 0; i < b.g.node.n; i++)
        if (value[i] >= 0 && k.tensor.a[value[i]].role == KERNEL_IN)
            memcpy(data[value[i]], value_data(&b, in, i), (size_t)kernel_elems(&k, value[i]) * 4);
    CU_ASSERT(kernel_run(&k, data, 1, &b.d) == CALQUE_OK);
    for (int i = 0; i < b.g.output.n; i++) {
        int t = value[b.g.output.a[i].node];
        CU_ASSERT(t >= 0 && k.tensor.a[t].role == KERNEL_OUT && out[i].bytes == (size_t)kernel_elems(&k, t) * 4);
        CU_ASSERT(memcmp(data[t], out[i].data, out[i].bytes) == 0);
        tensor_free(&out[i]);
    }
    for (int i = 0; i < b.g.input.n; i++)
        tensor_free(&in[i]);
    for (int t = 0; t < k.tensor.n; t++)
        free(data[t]);
    kernel_free(&k);
    bench_free(&b);
}

static void agreement(void)
{
    for (size_t i = 0; i < sizeof models / sizeof *models; i++)
        agrees(models[i]);
}

static void refusals(void)
{
    struct bench b;
    struct kernel k;
    int value[64];

    CU_ASSERT_FATAL(load(&b, "graph c {\n    input x : f32[2]\n    input i : i64[2]\n    y = Relu(x)\n    z = i + i\n    return y, z\n}\n"));
    CU_ASSERT(graph_kernel(&b.g, KERNEL_F32, &k, value, &b.d) == CALQUE_BAD && strstr(b.d.text, "element type"));
    kernel_free(&k);
    bench_free(&b);
    CU_ASSERT_FATAL(load(&b, "graph d {\n    input x : f32[2]\n    return x\n}\n"));
    CU_ASSERT(graph_kernel(&b.g, KERNEL_F32, &k, value, &b.d) == CALQUE_BAD && strstr(b.d.text, "output"));
    kernel_free(&k);
    bench_free(&b);
}

static void out_of_memory(void)
{
    for (size_t i = 0; i < sizeof models / sizeof *models; i++)
        for (long fails = 0;; fails++) {
            struct bench b;
            struct kernel k;
            int value[64];
            enum calque_status st;
            CU_ASSERT_FATAL(load(&b, models[i]));
            b.mem.fail_after = fails;
            st = graph_kernel(&b.g, KERNEL_F32, &k, value, &b.d);
            b.mem.fail_after = -1;
            CU_ASSERT(st == CALQUE_OK || st == CALQUE_NOMEM);
            kernel_free(&k);
            bench_free(&b);
            if (st != CALQUE_NOMEM || fails > 5000) {
                CU_ASSERT(fails > 20 && st == CALQUE_OK);
                break;
            }
        }
}

int main(void)
{
    static const struct unit_case cases[] = {
        {"agreement", agreement}, {"refusals", refusals}, {"out of memory", out_of_memory},
    };
    return unit_main("tensor/graph_kernel", cases, UNIT_COUNT(cases));
}
