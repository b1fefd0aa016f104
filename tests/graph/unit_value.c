/* What is read of a node as a number: constants that are attribute values, attributes that are floats. */
#include <math.h>

#include "tensor/op.h"
#include "unit.h"
#include "world.h"

enum { LONGEST = GRAPH_ATTR_ELEMS };

/* A constant of this type and shape whose element k is k + 1; its shape is changed to `as` afterwards. */
static int constant(struct world *w, struct graph *g, int dtype, struct shape shape, struct shape as)
{
    struct tensor t;

    if (tensor_new(&w->mem, dtype, &shape, &t, &w->d) != CALQUE_OK)
        return -1;
    for (long k = 0; k < shape_elems(&shape); k++) {
        if (dtype == DTYPE_F32)
            tensor_f32(&t)[k] = (float)(k + 1);
        else if (dtype == DTYPE_I64)
            tensor_i64(&t)[k] = k + 1;
    }
    t.shape = as;
    return graph_const(g, -1, &t);
}

/* The value of such a constant: -1 when it has none. */
static int value_of(struct world *w, int dtype, struct shape shape, struct shape as)
{
    struct graph g;
    int id = -2, c;

    world_graph(w, &g);
    c = constant(w, &g, dtype, shape, as);
    CU_ASSERT_FATAL(c == 0 && graph_const_attr(&g, c, &id));
    graph_free(&g);
    return id;
}

static bool is_number(const struct world *w, int id, int kind)
{
    return id >= 0 && w->values.v[id].kind == kind &&
           (kind == VALUE_INT ? w->values.v[id].num == 1 : value_real(&w->values, id) == 1.0);
}

static bool is_vector(const struct world *w, int id, int kind, int n)
{
    const struct value *v = &w->values.v[id];

    if (id < 0 || v->kind != VALUE_TUPLE || v->len != n)
        return false;
    for (int k = 0; k < n; k++) {
        int e = w->values.pool[v->first + k];
        if (w->values.v[e].kind != kind ||
            (kind == VALUE_INT ? w->values.v[e].num != k + 1 : value_real(&w->values, e) != (double)(k + 1)))
            return false;
    }
    return true;
}

static void test_constants(void)
{
    static const struct shape scalar = { 0, { 0 } }, one = { 2, { 1, 1 } }, three = { 1, { 3 } }, none = { 1, { 0 } };
    static const struct shape longest = { 1, { LONGEST } }, longer = { 1, { LONGEST + 1 } }, square = { 2, { 2, 2 } };
    static const struct shape negative = { 1, { -1 } }, unknown = { -1, { 0 } }, huge = { 1, { TENSOR_ELEMS_MAX + 1 } };
    struct world w;

    world_init(&w);
    CU_ASSERT(is_number(&w, value_of(&w, DTYPE_F32, scalar, scalar), VALUE_FLOAT));
    CU_ASSERT(is_number(&w, value_of(&w, DTYPE_I64, scalar, scalar), VALUE_INT));
    CU_ASSERT(is_number(&w, value_of(&w, DTYPE_I64, one, one), VALUE_INT));
    CU_ASSERT(is_vector(&w, value_of(&w, DTYPE_I64, three, three), VALUE_INT, 3));
    CU_ASSERT(is_vector(&w, value_of(&w, DTYPE_F32, three, three), VALUE_FLOAT, 3));
    CU_ASSERT(is_vector(&w, value_of(&w, DTYPE_I64, none, none), VALUE_INT, 0));
    CU_ASSERT(is_vector(&w, value_of(&w, DTYPE_I64, longest, longest), VALUE_INT, LONGEST));
    CU_ASSERT_EQUAL(value_of(&w, DTYPE_I64, longer, longer), -1);
    CU_ASSERT_EQUAL(value_of(&w, DTYPE_F32, square, square), -1);
    CU_ASSERT_EQUAL(value_of(&w, DTYPE_I32, scalar, scalar), -1);
    /* A shape that no tensor has is no vector, and not an empty one. */
    CU_ASSERT_EQUAL(value_of(&w, DTYPE_I64, none, negative), -1);
    CU_ASSERT_EQUAL(value_of(&w, DTYPE_I64, none, huge), -1);
    CU_ASSERT_EQUAL(value_of(&w, DTYPE_I64, none, unknown), -1);
    world_free(&w);
}

static void test_no_constant(void)
{
    static const struct shape one = { 1, { 1 } };
    struct world w;
    struct graph g;
    int id = -2;

    world_init(&w);
    world_graph(&w, &g);
    CU_ASSERT_FATAL(graph_input(&g, strs_addz(&w.strs, "x"), DTYPE_F32, &one) == 0);
    CU_ASSERT(graph_const_attr(&g, 0, &id) && id == -1);
    graph_free(&g);
    world_free(&w);
}

/* Without memory at any one place: false and no value, never a part of one. */
static void test_memory(void)
{
    static const struct shape many = { 1, { 40 } };
    bool ok = false;
    long k = 0;

    for (; !ok && k < 100; k++) {
        struct world w;
        struct graph g;
        int id = -2, c;

        world_init(&w);
        world_graph(&w, &g);
        c = constant(&w, &g, DTYPE_I64, many, many);
        CU_ASSERT_FATAL(c == 0);
        w.mem.fail_after = k;
        ok = graph_const_attr(&g, c, &id);
        CU_ASSERT(ok ? is_vector(&w, id, VALUE_INT, 40) : id == -1);
        w.mem.fail_after = -1;
        graph_free(&g);
        world_free(&w);
    }
    CU_ASSERT(ok && k > 3);
}

static void test_real(void)
{
    struct world w;
    struct graph g;

    world_init(&w);
    CU_ASSERT_EQUAL_FATAL(world_read(&w, &g, "graph g { input x : f32[1, 2]\n y = LeakyRelu(x, alpha=0.25)\n"
                                             " z = Softmax(y, axis=1)\n return y = y, z = z }"), CALQUE_OK);
    CU_ASSERT_EQUAL(graph_attr_real(&g, 1, "alpha", 7.0), 0.25);
    CU_ASSERT_EQUAL(graph_attr_real(&g, 1, "beta", 7.0), 7.0);
    CU_ASSERT_EQUAL(graph_attr_real(&g, 2, "axis", -(double)INFINITY), -(double)INFINITY); /* an int is none */
    CU_ASSERT(isnan(graph_attr_real(&g, 1, "", (double)NAN)));
    graph_free(&g);
    world_free(&w);
}

int main(void)
{
    static const struct unit_case cases[] = {
        {"constants", test_constants},
        {"no constant", test_no_constant},
        {"memory", test_memory},
        {"real", test_real},
    };
    return unit_main("graph/value", cases, UNIT_COUNT(cases));
}
