/* The graph arenas: building, access, checking, compaction, names, copies, drawing. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "graph/text.h"
#include "graph/names.h"
#include "tensor/op.h"
#include "unit.h"
#include "world.h"

static int str(struct world *w, const char *s)
{
    return strs_addz(&w->strs, s);
}

static const struct shape two = {2, {2, 2}};

static int unary(struct world *w, struct graph *g, const char *name, int x)
{
    int id = graph_op(g, OP_Relu, name ? str(w, name) : -1, &x, 1, NULL, 0, 1);

    if (id >= 0 && op_infer(g, id, &w->d) != CALQUE_OK)
        return -1;
    return id;
}

static int binary(struct world *w, struct graph *g, const char *name, int a, int b)
{
    int in[2] = {a, b}, id = graph_op(g, OP_Add, name ? str(w, name) : -1, in, 2, NULL, 0, 1);

    if (id >= 0 && op_infer(g, id, &w->d) != CALQUE_OK)
        return -1;
    return id;
}

static void test_tensor(void)
{
    struct shape s = {3, {65536, 32768, 1}}, zero = {2, {1L << 31, 0}}, big = {2, {65536, 65536}};
    struct shape bad = {1, {-1}}, none = {-1, {0}}, scalar = {0, {0}}, huge = {2, {(1L << 31) + 1, 0}};
    struct mem m = MEM_INIT;
    struct tensor t, c;
    struct diag d;

    CU_ASSERT_EQUAL(shape_elems(&s), 1L << 31);
    CU_ASSERT_EQUAL(shape_elems(&zero), 0);
    CU_ASSERT_EQUAL(shape_elems(&big), -1);
    CU_ASSERT_EQUAL(shape_elems(&bad), -1);
    CU_ASSERT_EQUAL(shape_elems(&none), -1);
    CU_ASSERT_EQUAL(shape_elems(&huge), -1);
    CU_ASSERT_EQUAL(shape_elems(&scalar), 1);
    CU_ASSERT(shape_equal(&two, &two) && !shape_equal(&two, &scalar) && !shape_equal(&two, &big));
    CU_ASSERT_EQUAL(dtype_of_name("f32", 3), DTYPE_F32);
    CU_ASSERT_EQUAL(dtype_of_name("f3", 2), DTYPE_UNKNOWN);
    CU_ASSERT_STRING_EQUAL(dtype_name(99), "?");
    for (int i = 1; i <= 20; i++)
        CU_ASSERT_EQUAL(dtype_of_name(dtype_name(i), strlen(dtype_name(i))), i);
    CU_ASSERT_EQUAL(tensor_new(&m, DTYPE_F32, &big, &t, &d), CALQUE_LIMIT);
    CU_ASSERT_EQUAL(tensor_new(&m, 8, &two, &t, &d), CALQUE_BAD);
    CU_ASSERT_EQUAL(tensor_new(&m, DTYPE_I64, &two, &t, &d), CALQUE_OK);
    CU_ASSERT(t.bytes == 32 && tensor_i64(&t)[3] == 0);
    tensor_i64(&t)[3] = 5;
    CU_ASSERT_EQUAL(tensor_copy(&m, &t, &c, &d), CALQUE_OK);
    CU_ASSERT(c.data != t.data && tensor_i64(&c)[3] == 5 && shape_equal(&c.shape, &two));
    tensor_free(&c);
    m.fail_after = 0;
    CU_ASSERT_EQUAL(tensor_copy(&m, &t, &c, &d), CALQUE_NOMEM);
    CU_ASSERT_PTR_NULL(c.data);
    CU_ASSERT_EQUAL(tensor_new(&m, DTYPE_I64, &two, &c, &d), CALQUE_NOMEM);
    tensor_free(&t);
    zero.dim[0] = 3;
    CU_ASSERT_EQUAL(tensor_new(&m, DTYPE_F32, &zero, &t, &d), CALQUE_OK);
    CU_ASSERT(t.bytes == 0 && !t.data);
    tensor_free(&t);
}

static void test_attributes(void)
{
    struct world w;
    struct graph g;
    struct node_attr a[3];
    long out[2] = {0, 0}, three[3] = {4, 5, 6};
    int x, y;

    world_init(&w);
    world_graph(&w, &g);
    x = graph_input(&g, str(&w, "x"), DTYPE_F32, &two);
    a[0] = (struct node_attr){str(&w, "size"), value_int(&w.values, 3)};
    a[1] = (struct node_attr){str(&w, "alpha"), value_float(&w.values, 0.5)};
    a[2] = (struct node_attr){str(&w, "ints"), value_ints(&w.values, three, 3)};
    y = graph_op(&g, OP_Opaque, -1, &x, 1, a, 3, 1);
    /* sorted by text */
    CU_ASSERT_EQUAL(g.attr.a[g.node.a[y].attr].label, str(&w, "alpha"));
    CU_ASSERT_EQUAL(g.attr.a[g.node.a[y].attr + 2].label, str(&w, "size"));
    CU_ASSERT_EQUAL(graph_attr(&g, y, "size"), a[0].value);
    CU_ASSERT_EQUAL(graph_attr(&g, y, "sizes"), -1);
    CU_ASSERT_EQUAL(graph_attr(&g, x, "size"), -1);
    CU_ASSERT_EQUAL(graph_attr_int(&g, y, "size", 7), 3);
    CU_ASSERT_EQUAL(graph_attr_int(&g, y, "alpha", 7), 7);
    CU_ASSERT_EQUAL(graph_attr_int(&g, y, "nothing", 7), 7);
    CU_ASSERT_EQUAL(graph_attr_real(&g, y, "alpha", 7), 0.5);
    CU_ASSERT_EQUAL(graph_attr_real(&g, y, "size", 7), 7);
    CU_ASSERT_EQUAL(graph_attr_ints(&g, y, "ints", out, 2), 3);
    CU_ASSERT(out[0] == 4 && out[1] == 5);
    CU_ASSERT_EQUAL(graph_attr_ints(&g, y, "size", out, 2), -1);
    CU_ASSERT_EQUAL(graph_attr_ints(&g, y, "nothing", out, 2), -1);
    /* replaced, added at the arena's end, added behind another node's range */
    CU_ASSERT(graph_set_attr(&g, y, str(&w, "size"), value_int(&w.values, 9)));
    CU_ASSERT(graph_set_attr(&g, y, str(&w, "b"), value_int(&w.values, 1)));
    CU_ASSERT_EQUAL(g.attr.n, 4);
    CU_ASSERT_EQUAL(unary(&w, &g, "z", x), 2);
    CU_ASSERT(graph_set_attr(&g, 2, str(&w, "c"), value_int(&w.values, 1)));
    CU_ASSERT(graph_set_attr(&g, y, str(&w, "aa"), value_int(&w.values, 2)));
    CU_ASSERT(g.node.a[y].nattr == 5 && g.node.a[2].nattr == 1);
    CU_ASSERT_EQUAL(graph_attr_int(&g, y, "size", 0), 9);
    CU_ASSERT_EQUAL(graph_attr_int(&g, y, "aa", 0), 2);
    CU_ASSERT_EQUAL(graph_attr_int(&g, 2, "c", 0), 1);
    CU_ASSERT_EQUAL(g.attr.a[g.node.a[y].attr].label, str(&w, "aa"));
    /* a node's own ranges may be passed although they move */
    for (int i = 0; i < 100; i++) {
        const struct node *n = &g.node.a[y];
        int id = graph_op(&g, OP_Opaque, -1, g.in.a + n->in, 1, g.attr.a + n->attr, n->nattr, 1);
        CU_ASSERT_FATAL(id == 3 + i);
        CU_ASSERT_EQUAL(graph_in(&g, id, 0), x);
        CU_ASSERT_EQUAL(graph_attr_real(&g, id, "alpha", 0), 0.5);
    }
    CU_ASSERT(graph_in(&g, y, 1) == -1 && graph_in(&g, y, -1) == -1);
    graph_free(&g);
    world_free(&w);
}

/* 0 dead const, 1 x, 2 c, 3 dead op, 4 a = Relu(6), 5 unused input, 6 b = Add(x, c), 7 opaque of a,
   8 its field */
static void disorder(struct world *w, struct graph *g)
{
    struct tensor t;
    int a = 4;

    world_init(w);
    world_graph(w, g);
    for (int i = 0; i < 3; i++) {
        if (i == 1) {
            CU_ASSERT_EQUAL(graph_input(g, str(w, "x"), DTYPE_F32, &two), 1);
            continue;
        }
        CU_ASSERT_EQUAL(tensor_new(&w->mem, DTYPE_F32, &two, &t, &w->d), CALQUE_OK);
        tensor_f32(&t)[0] = (float)i;
        CU_ASSERT_EQUAL(graph_const(g, str(w, i ? "c" : "dead"), &t), i);
        CU_ASSERT(t.data == NULL && t.bytes == 0 && g->node.a[i].dtype == DTYPE_F32 && shape_equal(&g->node.a[i].shape, &two));
    }
    CU_ASSERT_EQUAL(unary(w, g, "gone", 1), 3);
    CU_ASSERT_EQUAL(unary(w, g, "a", 1), 4);
    CU_ASSERT_EQUAL(graph_input(g, str(w, "unused"), DTYPE_F32, &two), 5);
    CU_ASSERT_EQUAL(binary(w, g, "b", 1, 2), 6);
    g->in.a[g->node.a[4].in] = 6; /* a forward reference */
    CU_ASSERT_EQUAL(graph_op(g, OP_Opaque, -1, &a, 1, NULL, 0, 2), 7);
    CU_ASSERT_EQUAL(graph_raw(g, "dead", 4), 0);
    g->node.a[7].data = graph_raw(g, "kept", 4);
    CU_ASSERT_EQUAL(graph_proj(g, 7, 1, str(w, "f")), 8);
    CU_ASSERT(graph_output(g, 8, str(w, "out")));
}

static void test_compact(void)
{
    struct world w;
    struct graph g;
    int map[16];

    disorder(&w, &g);
    CU_ASSERT_EQUAL(graph_check(&g, &w.d), CALQUE_INTERNAL);
    CU_ASSERT_PTR_NOT_NULL(strstr(w.d.text, "node 4 'a': an input's id is not smaller"));
    CU_ASSERT_EQUAL(graph_compact(&g, map, &w.d), CALQUE_OK);
    CU_ASSERT_EQUAL(graph_check(&g, &w.d), CALQUE_OK);
    {
        static const int want[] = {-1, 0, 1, -1, 3, 4, 2, 5, 6};
        CU_ASSERT_EQUAL(memcmp(map, want, sizeof want), 0);
    }
    CU_ASSERT(g.node.n == 7 && g.tensor.n == 1 && g.raw.n == 1 && g.in.n == 5);
    CU_ASSERT(tensor_f32(graph_tensor(&g, 1))[0] == 2.0f && memcmp(g.raw.a[0].a, "kept", 4) == 0);
    CU_ASSERT(g.input.n == 2 && g.input.a[0] == 0 && g.input.a[1] == 4);
    CU_ASSERT(g.output.a[0].node == 6 && g.output.a[0].name == str(&w, "out"));
    CU_ASSERT_EQUAL(graph_count_ops(&g), 3);
    /* again: nothing changes */
    CU_ASSERT_EQUAL(graph_compact(&g, map, &w.d), CALQUE_OK);
    for (int i = 0; i < 7; i++)
        CU_ASSERT_EQUAL(map[i], i);
    /* a cycle b -> a -> b: refused, and the graph stays as it is */
    g.in.a[g.node.a[2].in] = 3;
    CU_ASSERT_EQUAL(graph_compact(&g, NULL, &w.d), CALQUE_BAD);
    CU_ASSERT_PTR_NOT_NULL(strstr(w.d.text, "cycle through"));
    CU_ASSERT(g.node.n == 7 && g.tensor.n == 1);
    g.in.a[g.node.a[2].in] = 2;
    CU_ASSERT_EQUAL(graph_compact(&g, NULL, &w.d), CALQUE_BAD);
    CU_ASSERT_STRING_EQUAL(w.d.text, "the graph has a cycle through 'b'");
    /* the first id that does not exist is named */
    g.in.a[g.node.a[3].in] = -2;
    CU_ASSERT_EQUAL(graph_compact(&g, NULL, &w.d), CALQUE_INTERNAL);
    CU_ASSERT_STRING_EQUAL(w.d.text, "graph: node 3 'a': input -2 does not exist");
    g.in.a[g.node.a[2].in + g.node.a[2].nin - 1] = 7;
    g.output.a[0].node = 7;
    CU_ASSERT_EQUAL(graph_compact(&g, NULL, &w.d), CALQUE_INTERNAL);
    CU_ASSERT_STRING_EQUAL(w.d.text, "graph: node 2 'b': input 7 does not exist");
    g.in.a[g.node.a[2].in + g.node.a[2].nin - 1] = g.in.a[g.node.a[3].in] = -1;
    CU_ASSERT_EQUAL(graph_compact(&g, NULL, &w.d), CALQUE_INTERNAL);
    CU_ASSERT_STRING_EQUAL(w.d.text, "graph: output 0 does not exist");
    graph_free(&g);
    world_free(&w);
}

/* A long chain in reverse order, each link used twice: linear time and no recursion, or it would not end. */
static void test_compact_deep(void)
{
    enum { N = 300000 };
    struct world w;
    struct graph g;

    world_init(&w);
    world_graph(&w, &g);
    CU_ASSERT_EQUAL(graph_input(&g, str(&w, "x"), DTYPE_F32, &two), 0);
    for (int i = 1; i <= N; i++) {
        int in[2] = {0, 0};
        CU_ASSERT_FATAL(graph_op(&g, OP_Add, -1, in, 2, NULL, 0, 1) == i);
        g.in.a[g.node.a[i].in] = g.in.a[g.node.a[i].in + 1] = i < N ? i + 1 : 0;
    }
    CU_ASSERT(graph_output(&g, 1, str(&w, "y")));
    CU_ASSERT_EQUAL(graph_compact(&g, NULL, &w.d), CALQUE_OK);
    CU_ASSERT_EQUAL(graph_check(&g, &w.d), CALQUE_OK);
    CU_ASSERT(g.node.n == N + 1 && g.output.a[0].node == N);
    graph_free(&g);
    world_free(&w);
}

/* Nodes find their data again, which are numbered from 0 on: each has that of the next, and every second node goes. */
static void test_compact_moves(void)
{
    enum { N = 5 };
    struct world w;
    struct graph g;

    world_init(&w);
    graph_init(&g, &w.mem, &w.strs, &w.values);
    for (int i = 0; i < N; i++) {
        struct tensor t;
        CU_ASSERT_FATAL(tensor_new(&w.mem, DTYPE_F32, &two, &t, &w.d) == CALQUE_OK);
        tensor_f32(&t)[0] = (float)i;
        CU_ASSERT_FATAL(graph_const(&g, -1, &t) == i && (i % 2 || graph_output(&g, i, str(&w, "y"))));
    }
    for (int i = 0; i < N; i++)
        g.node.a[i].data = (i + 1) % N;
    CU_ASSERT_EQUAL_FATAL(graph_compact(&g, NULL, &w.d), CALQUE_OK);
    CU_ASSERT_FATAL(g.node.n == N / 2 + 1 && g.tensor.n == N / 2 + 1);
    for (int i = 0, seen = 0; i < g.node.n; i++) {
        int data = g.node.a[i].data;

        CU_ASSERT_FATAL(0 <= data && data < g.tensor.n);
        CU_ASSERT(!(seen & 1 << data) && tensor_f32(&g.tensor.a[data])[0] == (float)((2 * i + 1) % N));
        seen |= 1 << data;
    }
    graph_free(&g);
    world_free(&w);
}

static void test_names(void)
{
    struct world w;
    struct graph g;

    world_init(&w);
    CU_ASSERT_EQUAL(world_read(&w, &g,
                               "graph g { input x : f32[1, 2]\n s = Split(Relu(x), axis=1, split=(1, 1))\n"
                               " t1 = Relu(x)\n z = Relu(s[0])\n return y = z }"),
                    CALQUE_OK);
    g.node.a[5].name = g.node.a[2].name = -1; /* z and s */
    CU_ASSERT_EQUAL(graph_fill_names(&g, &w.d), CALQUE_OK);
    CU_ASSERT_STRING_EQUAL(graph_name(&g, 1), "t1_"); /* t1 is in use */
    CU_ASSERT_STRING_EQUAL(graph_name(&g, 2), "");    /* no single output */
    CU_ASSERT_STRING_EQUAL(graph_name(&g, 3), "t1");
    CU_ASSERT_STRING_EQUAL(graph_name(&g, 4), "t4");
    CU_ASSERT_STRING_EQUAL(graph_name(&g, 5), "y"); /* a graph output's name */
    CU_ASSERT_EQUAL(graph_check(&g, &w.d), CALQUE_OK);
    graph_free(&g);
    world_free(&w);
}

/* The string with the least id is a name like others; a new node has no attributes, name or shape; a
   result of a tuple has its number. */
static void test_least(void)
{
    struct names ns;
    struct world w;
    struct graph g;
    int x, t, p;

    world_init(&w);
    graph_init(&g, &w.mem, &w.strs, &w.values);
    CU_ASSERT_EQUAL_FATAL(str(&w, "x"), 0);
    x = graph_input(&g, 0, DTYPE_F32, &two);
    t = graph_tuple(&g, &x, 1);
    CU_ASSERT_FATAL(x == 0 && t == 1 && graph_output(&g, x, str(&w, "y")) && names_init(&ns, &g));
    CU_ASSERT(ns.name[x] == 0 && ns.used[0] && ns.used[g.output.a[0].name]);
    CU_ASSERT(g.node.a[t].index == 0 && g.node.a[t].nattr == 0 && g.node.a[t].name == -1 && g.node.a[t].shape.rank == -1);
    for (int d = 0; d < RANK_MAX; d++)
        CU_ASSERT_EQUAL(g.node.a[t].shape.dim[d], 0);
    names_free(&ns);
    p = graph_proj(&g, t, 3, 1);
    CU_ASSERT_FATAL(p == 2 && g.in.n == 2 && g.in.a[g.node.a[p].in] == t);
    CU_ASSERT(g.node.a[p].kind == NODE_PROJ && g.node.a[p].op == 0 && g.node.a[p].index == 3 && g.node.a[p].name == 1);
    graph_free(&g);
    world_free(&w);
}

/* A sound graph of every kind of node: 0 x, 1 c, 2 Relu, 3 Split, 4 proj, 5 tuple, 6 proj, 7 opaque, 8
 * Softmax. */
static void sound(struct world *w, struct graph *g)
{
    world_init(w);
    CU_ASSERT_EQUAL_FATAL(
        world_read(w, g,
                   "graph g { input x : f32[2, 2]\n const c : f32[2] = 1\n r = Relu(x)\n"
                   " s = Split(r, axis=1, split=(1, 1))\n p = s[0]\n t = (p, c)\n q = t[1]\n"
                   " o = opaque 'F'(q, none, a=1, b=2)\n m = Softmax(r, axis=1)\n"
                   " return m, o, qq = q, p }"),
        CALQUE_OK);
    CU_ASSERT_EQUAL_FATAL(g->node.n, 9);
}

enum { BROKEN = 66, BROKEN_NODE = 33 };

/* Ways 0 .. BROKEN_NODE-1: ranges, inputs, types, data of a node. */
static void broken_node(int which, struct world *w, struct graph *g)
{
    static struct shape wide = {9, {1}}, negative = {1, {-1}};
    struct node *n = g->node.a;

    switch (which) {
    case 0: n[2].kind = 17; break;
    case 1: n[2].op = OP_COUNT; break;
    case 2: n[2].op = -1; break;
    case 3: n[2].name = w->strs.entry.n; break;
    case 4: n[2].name = -2; break;
    case 5: n[2].label = 1 << 20; break;
    case 6: n[2].origin = -5; break;
    case 7: n[2].in = -1; break;
    case 8: n[2].nin = 1 << 30; break;
    case 9: n[2].in = g->in.n; break;
    case 10: n[8].nattr = -1; break;
    case 11: n[8].attr = g->attr.n; break;
    case 12: g->in.a[n[2].in] = 2; break;
    case 13: g->in.a[n[2].in] = -2; break;
    case 14: g->in.a[n[2].in] = -1; break;
    case 15: g->in.a[n[8].in] = 3; break; /* a multi-output operator as input */
    case 16: g->in.a[n[8].in] = 5; break; /* a tuple as input */
    case 17: n[2].shape = wide; break;
    case 18: n[2].shape = negative; break;
    case 19: n[2].shape.rank = -2; break;
    case 20: n[2].dtype = -1; break;
    case 21: n[3].dtype = DTYPE_F32; break;
    case 22: n[5].shape.rank = 0; break;
    case 23: n[1].data = g->tensor.n; break;
    case 24: n[1].dtype = DTYPE_I64; break;
    case 25: n[1].shape.dim[0] = 3; break;
    case 26: g->tensor.a[0].bytes--; break;
    case 27: mem_free(g->tensor.a[0].data); g->tensor.a[0].data = NULL; break;
    case 28: n[2].data = 0; break;
    case 29: n[0].data = 0; break;
    case 30: n[7].data = g->raw.n; break;
    case 31: n[7].data = -1; break;
    default: n[7].index = -1; break;
    }
}

/* The other ways: numbers of outputs, projections, tuples, lists, names, attributes. */
static void broken_rest(int which, struct world *w, struct graph *g)
{
    struct node *n = g->node.a;

    switch (which) {
    case 33: n[2].index = 2; break;
    case 34: n[3].index = 0; break;
    case 35: n[4].index = 2; break;
    case 36: n[6].index = -1; break;
    case 37: g->in.a[n[4].in] = 2; break; /* a projection of a single value */
    case 38: n[4].nin = 0; break;
    case 39: g->in.a[n[5].in] = -1; break;
    case 40: g->in.a[n[5].in] = 3; break;
    case 41: n[0].name = -1; break;
    case 42: n[0].nin = 1; break;
    case 43: n[1].nattr = 1; break;
    case 44: g->input.n = 0; break;
    case 45: g->input.a[0] = 9; break;
    case 46: g->input.a[0] = 1; break;
    case 47: n[2].name = n[8].name; break;
    case 48: g->output.a[0].node = 9; break;
    case 49: g->output.a[0].node = 3; break;
    case 50: g->output.a[0].name = -1; break;
    case 51: g->output.a[0].name = g->output.a[1].name; break;
    case 52: g->output.a[2].name = n[2].name; break;
    case 53: n[2].name = strs_add(&w->strs, "", 0); break;
    case 54: g->attr.a[n[8].attr].label = -1; break;
    case 55: g->attr.a[n[8].attr].value = w->values.n; break;
    case 56: g->attr.a[n[7].attr].label = g->attr.a[n[7].attr + 1].label; break;
    case 57: g->attr.a[n[8].attr].label = str(w, "bxis"); break; /* Softmax has no such attribute */
    case 58: g->attr.a[n[8].attr].value = value_bool(&w->values, true); break;
    case 59: n[2].nin = 0; break;
    case 60: n[2].op = OP_Add; break;
    case 61: g->node.cap = g->node.n - 1; break;
    case 62: g->name = -7; break;
    case 64: g->output.a[3] = g->output.a[2]; break;
    case 63: g->output.a[1].name = strs_add(&w->strs, "", 0); break;
    default: n[8].nin = -1; break;
    }
}

static void test_check(void)
{
    for (int i = 0; i < BROKEN; i++) {
        struct world w;
        struct graph g;
        int cap;

        sound(&w, &g);
        cap = g.node.cap;
        CU_ASSERT_EQUAL(graph_check(&g, &w.d), CALQUE_OK);
        (i < BROKEN_NODE ? broken_node : broken_rest)(i, &w, &g);
        if (graph_check(&g, &w.d) != CALQUE_INTERNAL || strncmp(w.d.text, "graph: ", 7) != 0) {
            fprintf(stderr, "case %d: %s\n", i, w.d.text);
            CU_FAIL("the violation is not seen");
        }
        g.node.cap = cap;
        graph_free(&g);
        world_free(&w);
    }
}

static void test_copy(void)
{
    struct world w;
    struct graph g, c;
    struct text a, b;

    sound(&w, &g);
    world_graph(&w, &c);
    text_init(&a, &w.mem);
    text_init(&b, &w.mem);
    g.opset = 9;
    g.node.a[2].origin = str(&w, "rule: a");
    CU_ASSERT_EQUAL(graph_copy(&g, &c, &w.d), CALQUE_OK);
    CU_ASSERT_EQUAL(graph_check(&c, &w.d), CALQUE_OK);
    graph_text_write(&a, &g);
    graph_text_write(&b, &c);
    CU_ASSERT_STRING_EQUAL(a.a, b.a);
    CU_ASSERT_EQUAL(c.node.a[2].origin, g.node.a[2].origin);
    CU_ASSERT_PTR_NOT_EQUAL(c.tensor.a[0].data, g.tensor.a[0].data);
    graph_free(&g); /* the copy owns its data */
    b.n = 0;
    graph_text_write(&b, &c);
    CU_ASSERT_STRING_EQUAL(a.a, b.a);
    graph_free(&c);
    text_free(&a);
    text_free(&b);
    world_free(&w);
}

static void test_opaque_type(void)
{
    static const struct { const char *raw; size_t n; const char *want; } cases[] = {
        {"\x22\x03" "Foo", 5, "Foo"},
        {"\x0a\x01x\x12\x01y\x1a\x01n\x22\x02Op\x3a\x03" "dom", 18, "Op"},
        {"\x08\x96\x01\x22\x01Z", 6, "Z"},         /* varint field */
        {"\x09" "12345678" "\x22\x01Z", 12, "Z"},  /* fixed64 */
        {"\x0d" "1234" "\x22\x01Z", 8, "Z"},       /* fixed32 */
        {"", 0, ""},
        {"\x22", 1, ""},
        {"\x22\x05" "Foo", 5, ""},                 /* longer than the bytes */
        {"\x22\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01", 11, ""},
        {"\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff", 11, ""},
        {"\x0b\x22\x01Z", 4, ""},                  /* a group */
        {"\x09" "123", 4, ""},
    };

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct world w;
        struct graph g;
        size_t n;
        const char *s;

        world_init(&w);
        world_graph(&w, &g);
        CU_ASSERT_EQUAL(graph_op(&g, OP_Opaque, -1, NULL, 0, NULL, 0, 1), 0);
        g.node.a[0].data = graph_raw(&g, cases[i].raw, cases[i].n);
        s = graph_opaque_type(&g, 0, &n);
        CU_ASSERT(n == strlen(cases[i].want) && memcmp(s, cases[i].want, n) == 0);
        graph_free(&g);
        world_free(&w);
    }
}

static void test_dot(void)
{
    struct world w;
    struct graph g;
    struct text t;

    sound(&w, &g);
    text_init(&t, &w.mem);
    g.node.a[8].origin = str(&w, "make_softmax: a\"b, c\\d");
    graph_dot(&t, &g);
    CU_ASSERT_STRING_EQUAL(
        t.a,
        "digraph \"g\" {\n"
        "    node [fontsize=10];\n"
        "    edge [fontsize=8];\n"
        "    n0 [shape=ellipse, label=\"x\\nf32[2, 2]\"];\n"
        "    n1 [shape=ellipse, color=grey, fontcolor=grey, fontsize=8, height=0.2, label=\"c\\nf32[2]\"];\n"
        "    n2 [shape=box, label=\"Relu\\nr\\nf32[2, 2]\"];\n"
        "    n3 [shape=box, label=\"Split\\ns\"];\n"
        "    n5 [shape=box, label=\"tuple\\nt\"];\n"
        "    n7 [shape=box, label=\"F\\no\"];\n"
        "    n8 [shape=box, label=\"Softmax\\nm\\nf32[2, 2]\", style=filled, fillcolor=\"#fb9a99\", "
        "tooltip=\"make_softmax: a\\\"b, c\\\\d\"];\n"
        "    o0 [shape=ellipse, style=bold, label=\"m\"];\n"
        "    o1 [shape=ellipse, style=bold, label=\"o\"];\n"
        "    o2 [shape=ellipse, style=bold, label=\"qq\"];\n"
        "    o3 [shape=ellipse, style=bold, label=\"p\"];\n"
        "    n0 -> n2 [label=\"f32[2, 2]\"];\n"
        "    n2 -> n3 [label=\"f32[2, 2]\"];\n"
        "    n3 -> n5 [label=\"[0] f32[2, 1]\"];\n"
        "    n1 -> n5 [label=\"f32[2]\", color=grey, fontcolor=grey];\n"
        "    n5 -> n7 [label=\"[1] f32[2]\"];\n"
        "    n2 -> n8 [label=\"f32[2, 2]\"];\n"
        "    n8 -> o0 [label=\"f32[2, 2]\"];\n"
        "    n7 -> o1 [label=\"\"];\n"
        "    n5 -> o2 [label=\"[1] f32[2]\"];\n"
        "    n3 -> o3 [label=\"[0] f32[2, 1]\"];\n"
        "}\n");
    graph_free(&g);
    text_free(&t);
    world_free(&w);
}

/* Everything here with the k-th allocation failing, for every k. */
static enum calque_status all_of_it(struct world *w, struct graph *g, struct graph *c, struct text *t)
{
    struct tensor x;
    enum calque_status st = tensor_new(&w->mem, DTYPE_F32, &two, &x, &w->d);
    int a, b, s;

    if (st != CALQUE_OK)
        return st;
    s = str(w, "c");
    a = s < 0 ? -1 : graph_const(g, s, &x);
    tensor_free(&x);
    s = str(w, "x");
    if (a < 0 || s < 0 || (b = graph_input(g, s, DTYPE_F32, &two)) < 0)
        return diag_nomem(&w->d);
    if ((a = binary(w, g, NULL, a, b)) < 0 || (b = graph_tuple(g, &a, 1)) < 0 ||
        (b = graph_proj(g, b, 0, -1)) < 0 || graph_raw(g, "r", 1) < 0 || (s = str(w, "y")) < 0 ||
        !graph_output(g, b, s))
        return diag_nomem(&w->d);
    if ((st = graph_check(g, &w->d)) || (st = graph_copy(g, c, &w->d)))
        return st;
    if ((st = graph_compact(c, NULL, &w->d)) || (st = graph_fill_names(c, &w->d)))
        return st;
    graph_dot(t, c);
    return text_status(t, &w->d);
}

static void test_memory(void)
{
    enum calque_status st = CALQUE_NOMEM;
    long k = 0;

    for (; st != CALQUE_OK && k < 1000; k++) {
        struct world w;
        struct graph g, c;
        struct text t;

        world_init(&w);
        w.mem.fail_after = k;
        world_graph(&w, &g);
        world_graph(&w, &c);
        text_init(&t, &w.mem);
        st = all_of_it(&w, &g, &c, &t);
        CU_ASSERT_FATAL(st == CALQUE_OK || st == CALQUE_NOMEM);
        graph_free(&g);
        graph_free(&c);
        text_free(&t);
        world_free(&w);
    }
    CU_ASSERT(st == CALQUE_OK && k > 30);
}

int main(void)
{
    static const struct unit_case cases[] = {
        {"tensor", test_tensor},
        {"attributes", test_attributes},
        {"compact", test_compact},
        {"compact deep", test_compact_deep},
        {"compact moves", test_compact_moves},
        {"names", test_names},
        {"least", test_least},
        {"check", test_check},
        {"copy", test_copy},
        {"opaque type", test_opaque_type},
        {"dot", test_dot},
        {"memory", test_memory},
    };
    return unit_main("graph/graph", cases, UNIT_COUNT(cases));
}
