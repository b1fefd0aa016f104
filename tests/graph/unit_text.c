/* The .graph text: what it means, its canonical form, and every error with its place. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tensor/op.h"
#include "unit.h"
#include "world.h"

static void check_print(const char *src, const char *want)
{
    struct world w;
    struct graph g;
    struct text t;

    world_init(&w);
    text_init(&t, &w.mem);
    if (world_read(&w, &g, src) != CALQUE_OK) {
        fprintf(stderr, "%d:%d: %s\nin: %s\n", w.d.line, w.d.col, w.d.text, src);
        CU_FAIL("not read");
    } else {
        CU_ASSERT_EQUAL(graph_check(&g, &w.d), CALQUE_OK);
        graph_text_write(&t, &g);
        CU_ASSERT_FALSE(t.failed);
        if (strcmp(t.a, want) != 0)
            fprintf(stderr, "got:\n%s\nwant:\n%s\n", t.a, want);
        CU_ASSERT_STRING_EQUAL(t.a, want);
    }
    graph_free(&g);
    text_free(&t);
    world_free(&w);
}

/* src prints as want, and want as itself. */
static void check_canonical(const char *src, const char *want)
{
    check_print(src, want);
    check_print(want, want);
}

static void test_forms(void)
{
    check_canonical("graph g { input x : f32[2]\n return x }",
                    "graph g {\n    input x : f32[2]\n    return x\n}\n");
    check_canonical("# a comment\ngraph {\n\n input x : f32[] # scalar\n y = Relu(x)\n return y, x\n}\n\n",
                    "graph {\n"
                    "    input x : f32[]\n"
                    "    y = Relu(x) : f32[]\n"
                    "    return y, x\n"
                    "}\n");
    check_canonical(
        "graph \"a b\" (model=\"\\x00\\xff\", opset=9) { input x : ?[?]\n y = Relu(x)\n return y }",
        "graph \"a b\"(opset=9, model=\"\\x00\\xff\") {\n"
        "    input x : ?[?]\n"
        "    y = Relu(x)\n"
        "    return y\n"
        "}\n");
    /* types complete what is unknown */
    check_canonical("graph g { input x : ?[2, 2]\n input z : f32[?]\n y = Relu(x) : f32[?]\n"
                    " u = Relu(z) : ?[7]\n return y, u }",
                    "graph g {\n"
                    "    input x : ?[2, 2]\n"
                    "    input z : f32[?]\n"
                    "    y = Relu(x) : f32[?]\n"
                    "    u = Relu(z) : ?[7]\n"
                    "    return y, u\n"
                    "}\n");
}

static void test_expressions(void)
{
    check_canonical("graph g { input x : f32[2]\n input y : f32[2]\n"
                    " z = -x + y * (x - y) / Relu(Add(x, y))\n return z }",
                    "graph g {\n"
                    "    input x : f32[2]\n"
                    "    input y : f32[2]\n"
                    "    t2 = Neg(x) : f32[2]\n"
                    "    t3 = Sub(x, y) : f32[2]\n"
                    "    t4 = Mul(y, t3) : f32[2]\n"
                    "    t5 = Add(x, y) : f32[2]\n"
                    "    t6 = Relu(t5) : f32[2]\n"
                    "    t7 = Div(t4, t6) : f32[2]\n"
                    "    z = Add(t2, t7) : f32[2]\n"
                    "    return z\n"
                    "}\n");
    check_canonical("graph g { input x : f32[1, 4]\n param t2 : f32[] = 1\n"
                    " s = Split(x, axis=1, split=(1, 3))\n t = (s[1], x)\n u = t[0]\n e = ()\n o = (x,)\n"
                    " return u, s[0], last = o[0] }",
                    "graph g {\n"
                    "    input x : f32[1, 4]\n"
                    "    const t2 : f32[] = 0x1p+0\n"
                    "    s = Split(x, axis=1, split=(1, 3))\n"
                    "    t3 = s[1] : f32[1, 3]\n"
                    "    t = (t3, x)\n"
                    "    u = t[0] : f32[1, 3]\n"
                    "    e = ()\n"
                    "    o = (x,)\n"
                    "    t8 = s[0] : f32[1, 1]\n"
                    "    last = o[0] : f32[1, 4]\n"
                    "    return u, t8, last\n"
                    "}\n");
    /* fresh names avoid those in use */
    check_canonical("graph g { input t1 : f32[1]\n input t1_ : f32[1]\n y = Relu(Relu(t1))\n t3 = Relu(t1_)\n"
                    " z = Relu(Relu(Relu(t1)))\n return y, z, t3 }",
                    "graph g {\n"
                    "    input t1 : f32[1]\n"
                    "    input t1_ : f32[1]\n"
                    "    t2 = Relu(t1) : f32[1]\n"
                    "    y = Relu(t2) : f32[1]\n"
                    "    t3 = Relu(t1_) : f32[1]\n"
                    "    t5 = Relu(t1) : f32[1]\n"
                    "    t6 = Relu(t5) : f32[1]\n"
                    "    z = Relu(t6) : f32[1]\n"
                    "    return y, z, t3\n"
                    "}\n");
    check_canonical("graph g { input a : f32[1]\n input t3 : f32[1]\n input t3_ : f32[1]\n"
                    " y = Relu(Relu(a))\n return y }",
                    "graph g {\n    input a : f32[1]\n    input t3 : f32[1]\n    input t3_ : f32[1]\n"
                    "    t3__ = Relu(a) : f32[1]\n    y = Relu(t3__) : f32[1]\n    return y\n}\n");
}

static void test_operators(void)
{
    check_canonical("graph g { input x : f32[1, 3, 8, 8]\n param w : f32[1, 3, 1, 1] = [1, -2, 0.5]\n"
                    " c = Conv(x, w, strides=(1, 1)) : f32[1, 1, 8, 8]\n d = Conv(x, w, none, group=1)\n"
                    " return c, d }",
                    "graph g {\n"
                    "    input x : f32[1, 3, 8, 8]\n"
                    "    const w : f32[1, 3, 1, 1] = [0x1p+0, -0x1p+1, 0x1p-1]\n"
                    "    c = Conv(x, w, dilations=(1, 1), group=1, kernel_shape=(1, 1), pads=(0, 0, 0, 0), "
                    "strides=(1, 1)) : f32[1, 1, 8, 8]\n"
                    "    d = Conv(x, w, none, dilations=(1, 1), group=1, kernel_shape=(1, 1), "
                    "pads=(0, 0, 0, 0), strides=(1, 1)) : f32[1, 1, 8, 8]\n"
                    "    return c, d\n"
                    "}\n");
    /* float attributes: integers accepted, rounded to binary32 */
    check_canonical("graph g { input x : f32[1, 4, 2, 2]\n"
                    " y = LRN(x, size=3, bias=2, alpha=0.1, beta=1e99)\n return y }",
                    "graph g {\n"
                    "    input x : f32[1, 4, 2, 2]\n"
                    "    y = LRN(x, alpha=0x1.99999ap-4, beta=inf, bias=0x1p+1, size=3) : f32[1, 4, 2, 2]\n"
                    "    return y\n"
                    "}\n");
    check_canonical("graph g { input x : f32[6]\n y = Reshape(x, shape=[2, 3])\n z = Reshape(x, shape=(6,))\n"
                    " return y, z }",
                    "graph g {\n"
                    "    input x : f32[6]\n"
                    "    y = Reshape(x, shape=(2, 3)) : f32[2, 3]\n"
                    "    z = Reshape(x, shape=(6,)) : f32[6]\n"
                    "    return y, z\n"
                    "}\n");
}

static void test_names(void)
{
    check_canonical("graph \"return\" { input \"gpu_0/conv 1\" : f32[1]\n \"input\" = Relu('gpu_0/conv 1')\n"
                    " \"\\xc3\\xa9\\\"\\\\\\n\" = Relu(\"input\")\n return \"1\" = \"input\", "
                    "\"\\xc3\\xa9\\\"\\\\\\n\" }",
                    "graph \"return\" {\n"
                    "    input \"gpu_0/conv 1\" : f32[1]\n"
                    "    \"input\" = Relu(\"gpu_0/conv 1\") : f32[1]\n"
                    "    \"\\xc3\\xa9\\\"\\\\\\n\" = Relu(\"input\") : f32[1]\n"
                    "    return \"1\" = \"input\", \"\\xc3\\xa9\\\"\\\\\\n\"\n"
                    "}\n");
    check_canonical("graph g { input x : f32[1]\n y = Relu(x)\n return out = y, again = y, y, z = Relu(y) }",
                    "graph g {\n"
                    "    input x : f32[1]\n"
                    "    y = Relu(x) : f32[1]\n"
                    "    z = Relu(y) : f32[1]\n"
                    "    return out = y, again = y, y, z\n"
                    "}\n");
    /* a value may have an operator's name */
    check_canonical("graph g { input Relu : f32[1]\n Add = Relu(Relu)\n return Add }",
                    "graph g {\n"
                    "    input Relu : f32[1]\n"
                    "    Add = Relu(Relu) : f32[1]\n"
                    "    return Add\n"
                    "}\n");
}

static void test_opaque(void)
{
    check_canonical("graph g { input x : f32[1]\n y = opaque \"Foo\"(x, none, x) : f32[3]\n"
                    " z = Relu(y)\n return z }",
                    "graph g {\n"
                    "    input x : f32[1]\n"
                    "    y = opaque \"Foo\"(x, none, x) : f32[3]\n"
                    "    z = Relu(y) : f32[3]\n"
                    "    return z\n"
                    "}\n");
    check_canonical(
        "graph g { t = opaque \"F\"(a=(1, none, true, 'x', (2.5,), int_min), \"b c\"=nan;"
        " outputs=2, raw=\"\\x1a\\x02no\\\"\\x01F\")\n u = t[1] : i64[2]\n return u }",
        "graph g {\n"
        "    t = opaque \"F\"(a=(1, none, true, \"x\", (0x1.4p+1,), int_min), \"b c\"=nan; "
        "outputs=2, raw=\"\\x1a\\x02no\\\"\\x01F\")\n"
        "    u = t[1] : i64[2]\n"
        "    return u\n"
        "}\n");
    /* bytes that are no NodeProto stay as they are */
    check_canonical(
        "graph g { input x : f32[1]\n u = opaque \"\"(; outputs=0, raw=\"\\xff\\x00\\x80\")\n return x }",
        "graph g {\n"
        "    input x : f32[1]\n"
        "    u = opaque \"\"(; outputs=0, raw=\"\\xff\\x00\\x80\")\n"
        "    return x\n"
        "}\n");
}

static void test_data(void)
{
    check_canonical("graph g { const a : f32[2, 2] = [[1, 2], [3, -0.0]]\n const b : i64[2] = [-1, int_min]\n"
                    " const c : f32[2] = inf\n const d : i8[2] = [-128, 127]\n const e : bool[1] = [1]\n"
                    " const f : f64[] = 0.1\n const h : f16[1] = \"\\x00<\"\n const i : f32[0, 3] = []\n"
                    " const j : f32[1] = \"\\x01\\x00\\xc0\\x7f\"\n const k : u32[1] = [4294967295]\n"
                    " const l : f32[1] = [nan]\n const m : str[1] = \"ab\"\n const n : f32[2, 0] = [[], []]\n"
                    " const o : f32[1, 1, 2] = [[[1, 0x1.8p-149]]]\n const p : i32[1] = [-7]\n"
                    " const q : bool[1] = \"\\x07\"\n return a }",
                    "graph g {\n"
                    "    const a : f32[2, 2] = [0x1p+0, 0x1p+1, 0x1.8p+1, -0x0p+0]\n"
                    "    const b : i64[2] = [-1, int_min]\n"
                    "    const c : f32[2] = [inf, inf]\n"
                    "    const d : i8[2] = [-128, 127]\n"
                    "    const e : bool[1] = [1]\n"
                    "    const f : f64[] = 0x1.999999999999ap-4\n"
                    "    const h : f16[1] = \"\\x00<\"\n"
                    "    const i : f32[0, 3] = []\n"
                    "    const j : f32[1] = \"\\x01\\x00\\xc0\\x7f\"\n"
                    "    const k : u32[1] = [4294967295]\n"
                    "    const l : f32[1] = [nan]\n"
                    "    const m : str[1] = \"ab\"\n"
                    "    const n : f32[2, 0] = []\n"
                    "    const o : f32[1, 1, 2] = [0x1p+0, 0x1p-148]\n"
                    "    const p : i32[1] = [-7]\n"
                    "    const q : bool[1] = \"\\x07\"\n"
                    "    return a\n"
                    "}\n");
}

/* The generator of params is part of the format: its values are fixed. */
static void test_params(void)
{
    struct world w;
    struct graph g;

    world_init(&w);
    CU_ASSERT_EQUAL(world_read(&w, &g,
                               "graph g { param w : f32[1000]\n param v : f32[1000]\n"
                               "param k : i64[1000]\n return w, v, k }"),
                    CALQUE_OK);
    if (g.node.n == 3) {
        const float *a = tensor_f32(graph_tensor(&g, 0)), *b = tensor_f32(graph_tensor(&g, 1));
        const long *k = tensor_i64(graph_tensor(&g, 2));
        double sum = 0;
        int same = 0, seen = 0;
        for (int i = 0; i < 1000; i++) {
            CU_ASSERT_FATAL(a[i] >= -1 && a[i] < 1 && k[i] >= -8 && k[i] < 8);
            sum += (double)a[i];
            same += a[i] == b[i];
            seen |= 1 << (k[i] + 8);
        }
        CU_ASSERT(sum > -60 && sum < 60 && same < 3 && seen == 0xffff);
        /* splitmix64 from FNV-1a("w") = 0xaf63ea4c86020456, computed apart */
        CU_ASSERT_EQUAL(a[0], 0x1.969568p-1f);
        CU_ASSERT_EQUAL(a[1], 0x1.1de9fcp-1f);
    }
    graph_free(&g);
    world_free(&w);
}

struct wrong {
    int line, col;
    const char *text; /* part of the message */
    const char *src;
};

#define X "graph g {\ninput x : f32[2, 2]\n" /* the statement under test is line 3 */
#define END "\nreturn x\n}\n"

static const struct wrong wrongs[] = {
    {1, 1, "expected 'graph'", ""},
    {1, 1, "expected 'graph', got 'grph'", "grph g {}"},
    {1, 9, "expected '{'", "graph g input"},
    {1, 10, "no return", "graph g {}"},
    {3, 1, "no return", X "}"},
    {2, 20, "expected '}' before the end of the input", "graph g {\ninput x : f32[2, 2]"},
    {4, 1, "expected '}' before the end of the input", X "return x\n"},
    {3, 10, "expected the end of the line, got 'y'", X "return x y }"},
    {4, 1, "nothing follows the return", X "return x\ny = Relu(x)\n}"},
    {5, 1, "expected nothing after the graph", X "return x\n}\ngraph"},
    {1, 9, "expected 'opset' or 'model'", "graph g(ops=1) {}"},
    {1, 15, "expected an opset number", "graph g(opset=0) {}"},
    {1, 18, "given twice", "graph g(opset=9, opset=9) {}"},
    {1, 15, "expected a string of bytes", "graph g(model=9) {}"},
    /* names */
    {3, 10, "'nope' is not defined", X "y = Relu(nope)" END},
    {3, 10, "'y' is used before its definition", X "y = Relu(y)" END},
    {3, 10, "'z' is used before its definition", X "y = Relu(z)\nz = Relu(y)" END},
    {3, 12, "'late' is used before its definition", X "y = Add(x, \"late\")\ninput late : f32[1]" END},
    {3, 1, "'x' is defined twice", X "x = Relu(x)" END},
    {3, 7, "'x' is defined twice", X "input x : f32[2]" END},
    {3, 5, "a second name for 'x'", X "y = x" END},
    {3, 6, "a second name for 'x'", X "y = (x)" END},
    {3, 1, "a name is not empty", X "\"\" = Relu(x)" END},
    {3, 1, "a name is not empty and has no NUL", X "\"a\\x00b\" = Relu(x)" END},
    {3, 1, "expected a name, got 'none'", X "none = Relu(x)" END},
    {3, 1, "expected a statement, got '('", X "(x)" END},
    {3, 2, "expected '='", X "y" END},
    {3, 4, "expected a value before the end of the line", X "y =\n Relu(x)" END},
    {3, 15, "two outputs have the name 'x'", X "return x = x, x = x }"},
    {3, 11, "two outputs have the name 'x'", X "return x, x }"},
    {3, 8, "'x' is defined twice", X "return x = Relu(x) }"},
    {4, 8, "'x' is the name of another node", X "y = Relu(x)\nreturn x = y }"},
    {3, 8, "an output is a single value", X "return (x, x) }"},
    {3, 8, "an output is a single value", X "return none }"},
    /* expressions and calls */
    {3, 5, "unknown operator 'Frob'", X "y = Frob(x)" END},
    {3, 5, "unknown operator 'Opaque'", X "y = Opaque(x)" END},
    {3, 5, "Relu takes 1 input, got 2", X "y = Relu(x, x)" END},
    {3, 5, "Relu takes 1 input, got 0", X "y = Relu()" END},
    {3, 5, "Conv takes 2 to 3 inputs, got 1", X "y = Conv(x)" END},
    {3, 5, "Sum takes at least 1 inputs, got 0", X "y = Sum()" END},
    {3, 5, "input 0 of Relu is not optional", X "y = Relu(none)" END},
    {3, 5, "input 1 of Sum is not optional", X "y = Sum(x, none)" END},
    {3, 5, "'none' stands only for an absent optional input", X "y = none" END},
    {3, 5, "'none' stands only for an absent optional input", X "y = none + x" END},
    {3, 12, "a number is no value", X "y = Add(x, 1.0)" END},
    {3, 12, "expected a value, got 'true'", X "y = Add(x, true)" END},
    {3, 12, "expected a value, got ')'", X "y = Add(x, )" END},
    {3, 22, "expected an attribute value, got ','", X "y = Softmax(x, axis=(,))" END},
    {3, 12, "expected a value, got ';'", X "y = Relu(x,;)" END},
    {3, 11, "expected ',', got 'x'", X "y = Add(x x)" END},
    {4, 1, "expected ',', got 'return'", X "y = Add(x" END},
    {3, 10, "a single value is needed", X "y = Relu((x, x))" END},
    {3, 9, "a single value is needed", X "y = x + Split(x, axis=0, split=(1, 1))" END},
    {3, 6, "a single value is needed", X "y = ((x, x), x)" END},
    {3, 6, "only a tuple or a multi-output operator has fields", X "y = x[0]" END},
    {3, 12, "there are 2 outputs: no number 2", X "y = (x, x)[2]" END},
    {3, 12, "expected an output's number, got '-'", X "y = (x, x)[-1]" END},
    {3, 13, "expected ']', got ','", X "y = (x, x)[0, 1]" END},
    {3, 9, "expected a value, got '*'", X "y = x * * x" END},
    {3, 7, "expected the end of the line, got '%'", X "y = x % x" END},
    /* attributes */
    {3, 13, "Relu has no attribute 'alpha'", X "y = Relu(x, alpha=1)" END},
    {3, 24, "attribute 'axis' is given twice", X "y = Softmax(x, axis=1, axis=1)" END},
    {3, 24, "an input after an attribute", X "y = Softmax(x, axis=1, x)" END},
    {3, 21, "attribute 'axis' of Softmax is an integer", X "y = Softmax(x, axis=1.0)" END},
    {3, 23, "attribute 'perm' of Transpose is a tuple of integers", X "y = Transpose(x, perm=1)" END},
    {3, 23, "attribute 'perm' of Transpose is a tuple of integers", X "y = Transpose(x, perm=(0, 1.0))" END},
    {3, 22, "attribute 'alpha' of Gemm is a float", X "y = Gemm(x, x, alpha='1')" END},
    {3, 21, "expected an attribute value, got 'x'", X "y = Softmax(x, axis=x)" END},
    {3, 22, "expected a number, got ')'", X "y = Softmax(x, axis=-)" END},
    {3, 21, "does not fit in 64 bits", X "y = Softmax(x, axis=9223372036854775808)" END},
    {3, 26, "expected ')', got '1'", X "y = Transpose(x, perm=(1 1))" END},
    {3, 13, "expected 'outputs', got 'raw'", X "y = Relu(x; raw='')" END},
    {3, 5, "Relu has one output", X "y = Relu(x; outputs=2)" END},
    {3, 21, "expected a number of outputs", X "y = Relu(x; outputs=x)" END},
    {3, 24, "'outputs' is given twice", X "y = Relu(x; outputs=1, outputs=1)" END},
    {3, 5, "the number of outputs of Split is unknown", X "y = Split(x, axis=0)" END},
    /* types */
    {3, 14, "the type is f32[2, 2]", X "y = Relu(x): f32[2, 3]" END},
    {3, 15, "the type is f32[2, 2]", X "y = Relu(x) : i64[2, 2]" END},
    {3, 14, "a tuple or multi-output operator has no type", X "y = (x, x) : f32[2, 2]" END},
    {3, 11, "unknown element type 'float'", X "input y : float[2]" END},
    {3, 11, "unknown element type 'f33'", X "input y : f33[2]" END},
    {3, 14, "expected '['", X "input y : f32" END},
    {3, 15, "expected a dimension, got '-'", X "input y : f32[-1]" END},
    {3, 15, "expected a dimension, got 'n'", X "input y : f32[n]" END},
    {3, 18, "expected a dimension, got ']'", X "input y : f32[1, ]" END},
    {3, 11, "more than 2147483648 elements", X "input y : f32[65536, 65536]" END},
    {3, 11, "more than 2147483648 elements", X "input y : f32[9223372036854775807, 0]" END},
    {3, 39, "more than 8 dimensions", X "input y : f32[1, 1, 1, 1, 1, 1, 1, 1, 1]" END},
    {4, 5, "(Add): shapes 2x2 and 3", X "param w : f32[3]\ny = Add(x, w)" END},
    {3, 15, "(Transpose): perm is not a permutation", X "y = MatMul(x, Transpose(x, perm=(0, 0)))" END},
    {3, 5, "too many elements",
     "graph g {\ninput x : f32[65536, 1]\ny = MatMul(x, Transpose(x, perm=(1, 0)))" END},
    /* constants */
    {3, 16, "expected '='", X "const c : f32[]" END},
    {3, 11, "a param of this type needs data", X "param c : f64[]" END},
    {3, 11, "the type of a constant is known", X "const c : f32[?] = 1" END},
    {3, 11, "the type of a constant is known", X "const c : ?[1] = 1" END},
    {3, 11, "a param without data has at most", X "param c : f32[65536, 32768]" END},
    {3, 20, "2 elements, expected 3", X "const c : f32[3] = [1, 2]" END},
    {3, 24, "more than 1 elements", X "const c : f32[1] = [1, 2]" END},
    {3, 24, "1 items, expected 2", X "const c : f32[2, 2] = [[1], [2, 3]]" END},
    {3, 23, "1 items, expected 2", X "const c : f32[2, 2] = [[1, 2]]" END},
    {3, 21, "lists are nested deeper than the shape", X "const c : f32[1] = [[1]]" END},
    {3, 27, "lists are nested less deep than the shape", X "const c : f32[1, 2, 1] = [[1, 2]]" END},
    {3, 32, "numbers and lists are mixed", X "const c : f32[1, 2] = [[1, 2], 1]" END},
    {3, 21, "a float in data of type i64", X "const c : i64[1] = [1.0]" END},
    {3, 20, "128 does not fit in i8", X "const c : i8[1] = [128]" END},
    {3, 21, "too large for f32", X "const c : f32[1] = [0x1p128]" END},
    {3, 21, "data of type f16 is written as a string of bytes", X "const c : f16[1] = [1]" END},
    {3, 20, "3 bytes, expected 4", X "const c : f32[1] = \"abc\"" END},
    {3, 20, "expected a string of bytes, got '['", X "const c : str[1] = [1]" END},
    {3, 24, "expected a number, got ']'", X "const c : f32[2] = [1, ]" END},
    {3, 20, "expected a number, got 'one'", X "const c : f32[1] = one" END},
    /* opaque */
    {3, 12, "expected the operator's name as a string", X "y = opaque Foo(x)" END},
    {3, 12, "'raw' is a node of operator 'F'", X "y = opaque \"G\"(x; raw=\"\\x22\\x01F\")" END},
    {3, 12, "'raw' is a node of operator ''", X "y = opaque \"G\"(x; raw=\"\\x22\\x02F\")" END},
    {3, 19, "expected 'outputs' or 'raw'", X "y = opaque \"G\"(x; rav=1)" END},
    {3, 23, "expected a string of bytes", X "y = opaque \"G\"(x; raw=1)" END},
    /* the lexer */
    {3, 5, "the string is not closed on its line", X "y = \"x" END},
    {3, 5, "unexpected character '$'", X "y = $" END},
    {3, 20, "malformed number", X "const c : f32[1] = 1x" END},
};

static void test_errors(void)
{
    for (size_t i = 0; i < sizeof wrongs / sizeof *wrongs; i++) {
        const struct wrong *e = &wrongs[i];
        struct world w;
        struct graph g;
        enum calque_status st;

        world_init(&w);
        st = world_read(&w, &g, e->src);
        if (st == CALQUE_OK || w.d.line != e->line || w.d.col != e->col || !strstr(w.d.text, e->text)) {
            fprintf(stderr, "in:\n%s\nwant %d:%d: %s\ngot (%d) %d:%d: %s\n", e->src, e->line, e->col,
                    e->text, st, w.d.line, w.d.col, w.d.text);
            CU_FAIL("wrong diagnosis");
        } else {
            CU_ASSERT(st == CALQUE_BAD || st == CALQUE_LIMIT);
            CU_ASSERT_EQUAL(w.d.status, st);
            CU_ASSERT_STRING_EQUAL(w.d.file, "t.graph");
        }
        CU_ASSERT(g.node.n == 0 && g.name == -1); /* an error leaves the graph empty */
        graph_free(&g);
        world_free(&w);
    }
}

/* depth times open, middle, depth times close: accepted to the limit, located beyond. */
static void check_depth(const char *before, const char *open, const char *middle, const char *close,
                        const char *after, int depth, int limit)
{
    struct world w;
    struct graph g;
    struct text t;
    enum calque_status st;

    world_init(&w);
    text_init(&t, &w.mem);
    text_puts(&t, before);
    for (int i = 0; i < depth; i++)
        text_puts(&t, open);
    text_puts(&t, middle);
    for (int i = 0; i < depth; i++)
        text_puts(&t, close);
    text_puts(&t, after);
    st = world_read(&w, &g, t.a);
    if (depth <= limit) {
        if (st)
            fprintf(stderr, "%s\n", w.d.text);
        CU_ASSERT_EQUAL(st, CALQUE_OK);
    } else {
        CU_ASSERT_EQUAL(st, CALQUE_LIMIT);
        CU_ASSERT_EQUAL(w.d.line, 3);
        CU_ASSERT_PTR_NOT_NULL(strstr(w.d.text, "nested deeper than 200"));
    }
    graph_free(&g);
    text_free(&t);
    world_free(&w);
}

static void test_depth(void)
{
    static const int depths[] = {1, 199, 200, 201, 20000};

    for (int i = 0; i < 5; i++) {
        check_depth(X "y = ", "Relu(", "x", ")", END, depths[i], 200);
        check_depth(X "y = -", "(", "x", ")", END, depths[i], 199);
        check_depth(X "y = ", "-", "x", "", END, depths[i], 200);
        check_depth(X "y = opaque 'F'(x, a=", "(", "1", ",)", ")" END, depths[i], 199);
        check_depth(X "y = opaque 'F'(x, a=", "[", "1", "]", ")" END, depths[i], 199);
    }
}

static const char everything[] =
    "graph g(opset=13, model=\"m\") {\n"
    " input x : f32[1, 2, 4, 4]\n input \"k k\" : i64[2]\n param w : f32[2, 2, 1, 1]\n"
    " const c : f32[1, 2] = [[1, 2]]\n const m : str[1] = \"s\"\n const h : f16[1] = \"ab\"\n"
    " y = Conv(Relu(x), w, none, strides=(1, 1)) : f32[1, 2, 4, 4]\n"
    " s = Split(y, axis=1, split=(1, 1))\n t = (s[0], s[1])\n"
    " o = opaque \"Foo\"(y, a=(1, (\"x\", none)), b=true; outputs=2, raw=\"\\x22\\x03Foo\\x1a\\x01n\")\n"
    " p = opaque \"Bar\"(o[1]) : f32[1]\n"
    " z = -(t[1] * t[0] + x / y)\n return out = z, p, Relu(p)\n}\n";

/* Reading, printing and copying with the k-th allocation failing, for every k. */
static void test_memory(void)
{
    long k = 0;
    bool done = false;

    for (; !done && k < 5000; k++) {
        struct world w;
        struct graph g, copy;
        struct text t;
        enum calque_status st;

        world_init(&w);
        w.mem.fail_after = k;
        text_init(&t, &w.mem);
        world_graph(&w, &copy);
        st = world_read(&w, &g, everything);
        if (st == CALQUE_OK)
            st = graph_copy(&g, &copy, &w.d);
        if (st == CALQUE_OK) {
            graph_text_write(&t, &copy);
            st = text_status(&t, &w.d);
        }
        if (st != CALQUE_OK && st != CALQUE_NOMEM)
            fprintf(stderr, "k %ld: %d:%d: %s\n", k, w.d.line, w.d.col, w.d.text);
        CU_ASSERT_FATAL(st == CALQUE_OK || st == CALQUE_NOMEM);
        done = st == CALQUE_OK;
        graph_free(&g);
        graph_free(&copy);
        text_free(&t);
        world_free(&w);
    }
    CU_ASSERT(done && k > 50);
}

/* Every prefix, and every single byte changed or lost: an error or a graph that prints canonically, never a
 * crash. */
static void try_text(const char *src, size_t n)
{
    struct world w;
    struct graph g, again;
    struct text a, b;

    world_init(&w);
    world_graph(&w, &g);
    world_graph(&w, &again);
    text_init(&a, &w.mem);
    text_init(&b, &w.mem);
    if (graph_text_read(&g, "t.graph", src, n, &w.d) == CALQUE_OK) {
        CU_ASSERT_EQUAL(graph_check(&g, &w.d), CALQUE_OK);
        graph_text_write(&a, &g);
        if (graph_text_read(&again, "t.graph", a.a, (size_t)a.n, &w.d) != CALQUE_OK) {
            fprintf(stderr, "%d:%d: %s\n%s\n", w.d.line, w.d.col, w.d.text, a.a);
            CU_FAIL("the printed text is not read");
        } else {
            graph_text_write(&b, &again);
            CU_ASSERT_STRING_EQUAL(a.a, b.a);
        }
    } else {
        CU_ASSERT(w.d.line > 0 && w.d.col > 0);
    }
    graph_free(&g);
    graph_free(&again);
    text_free(&a);
    text_free(&b);
    world_free(&w);
}

static void test_damage(void)
{
    static const char bytes[] = "(){}[],:=\"\n0x9a-? \\\xff";
    size_t n = sizeof everything - 1;
    char *s = malloc(n); /* exact size: reading past the end is seen */

    CU_ASSERT_PTR_NOT_NULL_FATAL(s);
    for (size_t i = 0; i <= n; i++) {
        char *p = malloc(i ? i : 1);
        CU_ASSERT_PTR_NOT_NULL_FATAL(p);
        memcpy(p, everything, i);
        try_text(p, i);
        free(p);
    }
    for (size_t i = 0; i < n; i++) {
        for (size_t k = 0; k < sizeof bytes; k++) {
            memcpy(s, everything, n);
            s[i] = bytes[k];
            try_text(s, n);
        }
        memcpy(s, everything, i);
        memcpy(s + i, everything + i + 1, n - i - 1);
        try_text(s, n - 1);
    }
    free(s);
}

int main(void)
{
    static const struct unit_case cases[] = {
        {"forms", test_forms},   {"expressions", test_expressions}, {"operators", test_operators},
        {"names", test_names},   {"opaque", test_opaque},           {"data", test_data},
        {"params", test_params}, {"errors", test_errors},           {"depth", test_depth},
        {"memory", test_memory}, {"damage", test_damage},
    };
    return unit_main("graph/text", cases, UNIT_COUNT(cases));
}
