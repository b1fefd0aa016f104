/* Models as .graph text for the tests of emission, and reading them. */
#ifndef CALQUE_TESTS_MODELS_H
#define CALQUE_TESTS_MODELS_H

#include "batch.h"
#include "emit/emit.h"
#include "graph/text.h"
#include "tensor/op.h"

struct world {
    struct mem mem;
    struct strs strs;
    struct values values;
    struct graph g;
    char dir[UNIT_DIR];
};

static const char residual[] =
    "graph residual {\n"
    "input x : f32[1,8,14,14]\n"
    "param w1 : f32[8,8,3,3]\nparam b1 : f32[8]\nparam w2 : f32[8,8,3,3]\nparam b2 : f32[8]\n"
    "param s : f32[8]\nparam o : f32[8]\nparam m : f32[8]\nconst v : f32[8] = 1.5\n"
    "c1 = Conv(x, w1, b1, kernel_shape=(3,3), strides=(1,1), pads=(1,1,1,1), dilations=(1,1), group=1)\n"
    "r1 = Relu(c1)\n"
    "c2 = Conv(r1, w2, b2, kernel_shape=(3,3), strides=(1,1), pads=(1,1,1,1), dilations=(1,1), group=1)\n"
    "n2 = BatchNormalization(c2, s, o, m, v)\n"
    "a = Add(n2, x)\n"
    "y = Relu(a)\n"
    "p = MaxPool(y, kernel_shape=(3,3), strides=(2,2), pads=(0,0,1,1))\n"
    "return y, p, z = x\n"
    "}\n";

static const char fire[] =
    "graph fire {\n"
    "input x : f32[1,16,13,13]\n"
    "param ws : f32[4,16,1,1]\nparam bs : f32[4]\nparam w1 : f32[8,4,1,1]\nparam b1 : f32[8]\n"
    "param w3 : f32[8,4,3,3]\nparam b3 : f32[8]\nparam wf : f32[10,16]\n"
    "s = Relu(Conv(x, ws, bs, kernel_shape=(1,1)))\n"
    "e1 = Relu(Conv(s, w1, b1, kernel_shape=(1,1)))\n"
    "e3 = Relu(Conv(s, w3, b3, kernel_shape=(3,3), pads=(1,1,1,1)))\n"
    "c = Concat(e1, e3, axis=1)\n"
    "d = Dropout(c)\n"
    "l = LRN(d, size=5)\n"
    "g = GlobalAveragePool(l)\n"
    "f = Reshape(g, shape=(1,16))\n"
    "t = Softmax(Gemm(f, wf, transB=1), axis=1)\n"
    "return t, f\n"
    "}\n";

static const char transformer[] =
    "graph transformer {\n"
    "input x : f32[2,6,16]\n"
    "param wq : f32[16,16]\nparam wk : f32[16,16]\nparam wv : f32[16,16]\nparam wo : f32[16,16]\n"
    "param w1 : f32[16,32]\nparam w2 : f32[32,16]\nconst c : f32[] = 0.5\nconst e : f32[] = 0.001\n"
    "q = Transpose(Reshape(MatMul(x, wq), shape=(2,6,4,4)), perm=(0,2,1,3))\n"
    "k = Transpose(Reshape(MatMul(x, wk), shape=(2,6,4,4)), perm=(0,2,3,1))\n"
    "v = Transpose(Reshape(MatMul(x, wv), shape=(2,6,4,4)), perm=(0,2,1,3))\n"
    "a = Softmax(Mul(MatMul(q, k), c), axis=3)\n"
    "h = Reshape(Transpose(MatMul(a, v), perm=(0,2,1,3)), shape=(2,6,16))\n"
    "r = Add(MatMul(h, wo), x)\n"
    "m = ReduceMean(r, axes=(2,))\n"
    "d = Sub(r, m)\n"
    "s = ReduceMean(Mul(d, d), axes=(2,))\n"
    "n = Div(d, Sqrt(Add(s, e)))\n"
    "g = Mul(Mul(MatMul(n, w1), Add(Erf(MatMul(n, w1)), c)), c)\n"
    "y = Add(MatMul(g, w2), n)\n"
    "return y, h\n"
    "}\n";

static const char shuffle[] =
    "graph shuffle {\n"
    "input x : f32[1,12,10,10]\ninput i : i64[4]\n"
    "param w : f32[12,3,1,1]\nparam d : f32[12,1,3,3]\n"
    "c = Conv(x, w, kernel_shape=(1,1), group=4)\n"
    "t = Reshape(Transpose(Reshape(c, shape=(1,4,3,10,10)), perm=(0,2,1,3,4)), shape=(1,12,10,10))\n"
    "u = Conv(t, d, kernel_shape=(3,3), strides=(2,2), pads=(1,1,1,1), group=12)\n"
    "p = AveragePool(x, kernel_shape=(3,3), strides=(2,2), pads=(1,1,1,1))\n"
    "s = Split(Concat(u, p, axis=1), axis=1, split=(10,6,8))\n"
    "j = Add(i, i)\n"
    "y = Sum(s[2], s[2], s[2])\n"
    "return s[0], y, j, f = Flatten(s[0], axis=1), k = Reshape(j, shape=(2,2)), n = Shape(x)\n"
    "}\n";

static inline void open_world(struct world *w, const char *text)
{
    struct diag d;

    memset(w, 0, sizeof *w);
    w->mem.fail_after = -1;
    diag_clear(&d);
    strs_init(&w->strs, &w->mem);
    values_init(&w->values, &w->mem);
    graph_init(&w->g, &w->mem, &w->strs, &w->values);
    if (graph_text_read(&w->g, "test", text, strlen(text), &d) != CALQUE_OK) {
        fprintf(stderr, "%s:%d:%d: %s\n", d.file, d.line, d.col, d.text);
        CU_FAIL_FATAL("graph text");
    }
    unit_dir(w->dir);
}

static inline void close_world(struct world *w)
{
    char cmd[128];

    snprintf(cmd, sizeof cmd, "rm -r %s", w->dir);
    CU_ASSERT(system(cmd) == 0);
    graph_free(&w->g);
    values_free(&w->values);
    strs_free(&w->strs);
}

#endif
