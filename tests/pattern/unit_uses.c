/* The lists of users: after every change they are those of the graph. */
#include <string.h>

#include "graph/use_list_internal.h"
#include "tensor/op.h"
#include "unit.h"

struct world {
    struct mem mem;
    struct strs strs;
    struct values values;
    struct graph g;
    struct uses u;
    struct diag d;
};

static int count_slots(const struct world *w, int node)
{
    int n = 0;

    for (int k = 0; k < w->g.node.n; k++)
        for (int j = 0; j < w->g.node.a[k].nin && !w->u.node.a[k].dead; j++)
            n += graph_in(&w->g, k, j) == node;
    return n;
}

/* Each list holds exactly the slots of living users, linked both ways. */
static void check_lists(const struct world *w)
{
    bool ok = true;

    for (int v = 0; v < w->g.node.n; v++) {
        int n = 0, prev = -1;
        for (int s = w->u.node.a[v].head; s >= 0; s = w->u.slot.a[s].next) {
            const struct node *user = &w->g.node.a[w->u.slot.a[s].user];
            ok &= w->g.in.a[s] == v && w->u.slot.a[s].prev == prev && s >= user->in && s < user->in + user->nin;
            prev = s;
            n++;
        }
        ok &= n == count_slots(w, v) && n == w->u.node.a[v].count;
    }
    CU_ASSERT(ok);
}

/* The order: every node once, labels growing; as given, if it is. */
static void check_order(const struct world *w, const int *want)
{
    int n = 0, prev = -1;
    bool ok = true;

    for (int k = w->u.first; k >= 0; k = (int)w->u.node.a[k].after) {
        ok &= w->u.node.a[k].before == prev && (prev < 0 || uses_before(&w->u, prev, k)) && (!want || want[n] == k);
        prev = k;
        n++;
    }
    CU_ASSERT(ok && prev == w->u.last && n == w->g.node.n);
}

static void open_world(struct world *w)
{
    static const struct shape shape = { .rank = 1, .dim = { 2 } };
    struct tensor t;
    int in[2];

    memset(w, 0, sizeof *w);
    w->mem = (struct mem)MEM_INIT;
    strs_init(&w->strs, &w->mem);
    values_init(&w->values, &w->mem);
    graph_init(&w->g, &w->mem, &w->strs, &w->values);
    uses_init(&w->u, &w->mem);
    graph_input(&w->g, strs_addz(&w->strs, "x"), DTYPE_F32, &shape); /* 0 */
    CU_ASSERT_EQUAL_FATAL(tensor_new(&w->mem, DTYPE_F32, &shape, &t, &w->d), CALQUE_OK);
    graph_const(&w->g, strs_addz(&w->strs, "c"), &t); /* 1 */
    in[0] = 0;
    in[1] = 1;
    graph_op(&w->g, OP_Add, -1, in, 2, NULL, 0, 1); /* 2 = x + c */
    in[0] = in[1] = 2;
    graph_op(&w->g, OP_Mul, -1, in, 2, NULL, 0, 1); /* 3 = 2 * 2 */
    in[0] = 3;
    graph_op(&w->g, OP_Neg, -1, in, 1, NULL, 0, 1); /* 4 = -3 */
    in[1] = -1;
    graph_op(&w->g, OP_Opaque, -1, in, 2, NULL, 0, 1); /* 5 uses 3, and an absent input */
    graph_output(&w->g, 4, strs_addz(&w->strs, "y"));
    graph_output(&w->g, 3, strs_addz(&w->strs, "z"));
    CU_ASSERT_EQUAL_FATAL(uses_build(&w->u, &w->g, &w->d), CALQUE_OK);
}

static void close_world(struct world *w)
{
    uses_free(&w->u);
    graph_free(&w->g);
    values_free(&w->values);
    strs_free(&w->strs);
}

static void building(void)
{
    struct world w;

    open_world(&w);
    check_lists(&w);
    CU_ASSERT_EQUAL(count_slots(&w, 2), 2);
    CU_ASSERT_EQUAL(w.u.node.a[3].outputs, 1);
    CU_ASSERT_EQUAL(w.u.node.a[2].outputs, 0);
    close_world(&w);
}

/* Edges to `from` become edges to `to`. */
static void move(struct world *w, int from, int to)
{
    uses_redirect(uses_lists(&w->u, &w->g), from, to);
    outputs_move(uses_outputs(&w->u, &w->g), from, to);
}

/* New node 6 = exp 2 takes 3's users; 5 and 4 hang on it, and so does the output. */
static void moving(void)
{
    struct world w;
    int in = 2, first;

    open_world(&w);
    first = graph_op(&w.g, OP_Exp, -1, &in, 1, NULL, 0, 1);
    CU_ASSERT_EQUAL(uses_extend(&w.u, &w.g, &w.d), CALQUE_OK);
    check_lists(&w);
    uses_place(&w.u, first, 3);
    check_order(&w, (const int[]){ 0, 1, 2, 6, 3, 4, 5 });
    move(&w, 3, first);
    check_lists(&w);
    CU_ASSERT_EQUAL(graph_in(&w.g, 4, 0), first);
    CU_ASSERT_EQUAL(graph_in(&w.g, 5, 0), first);
    CU_ASSERT_EQUAL(graph_in(&w.g, first, 0), 2);
    CU_ASSERT_EQUAL(w.g.output.a[1].node, first);
    CU_ASSERT_EQUAL(w.u.node.a[3].outputs, 0);
    CU_ASSERT_EQUAL(w.u.node.a[first].outputs, 1);
    move(&w, 4, first);
    CU_ASSERT_EQUAL(w.g.output.a[0].node, first);
    CU_ASSERT_EQUAL(w.u.node.a[first].outputs, 2);
    move(&w, first, 0);
    CU_ASSERT(w.g.output.a[0].node == 0 && w.g.output.a[1].node == 0);
    CU_ASSERT_EQUAL(w.u.node.a[0].outputs, 2);
    close_world(&w);
}

/* Nodes moved again and again to the same places: the labels grow along the list, whatever was spread. */
static void order(void)
{
    struct world w;
    uint64_t s = 12345;
    int in = 0;

    open_world(&w);
    while (w.g.node.n < 3000)
        graph_op(&w.g, OP_Neg, -1, &in, 1, NULL, 0, 1);
    CU_ASSERT_EQUAL(uses_extend(&w.u, &w.g, &w.d), CALQUE_OK);
    for (int k = 6; k < 3000; k++)
        uses_place(&w.u, k, k % 2 ? 3 : 5); /* always between the same two */
    check_order(&w, NULL);
    for (int k = 0; k < 20000; k++) {
        s = s * 6364136223846793005u + 1442695040888963407u;
        uses_place(&w.u, (int)((s >> 33) % 3000), (int)((s >> 50) % 7));
    }
    check_order(&w, NULL);
    /* no label is left behind the last node */
    w.u.node.a[w.u.last].order = (1UL << 62) - 1;
    graph_op(&w.g, OP_Neg, -1, &in, 1, NULL, 0, 1);
    CU_ASSERT_EQUAL(uses_extend(&w.u, &w.g, &w.d), CALQUE_OK);
    CU_ASSERT_EQUAL(w.u.last, 3000);
    check_order(&w, NULL);
    close_world(&w);
}

/* How many nodes a range of labels may have: powers of 1.5, rounded down. */
static void allowed(void)
{
    double most = 1;

    CU_ASSERT_EQUAL(order_allowed(0), 1);
    for (int bits = 1; bits < 62; bits++) {
        most *= 1.5;
        CU_ASSERT_EQUAL(order_allowed(bits), (unsigned long)most);
    }
}

/* 3's users move to the input: 3, 2 and the constant die, its data is freed; the input stays. */
static void dropping(void)
{
    struct world w;

    open_world(&w);
    uses_drop(&w.u, &w.g, 3); /* used: nothing happens */
    CU_ASSERT_FALSE(w.u.node.a[3].dead);
    move(&w, 3, 0);
    uses_drop(&w.u, &w.g, 3);
    check_lists(&w);
    CU_ASSERT(w.u.node.a[3].dead && w.u.node.a[2].dead && w.u.node.a[1].dead);
    CU_ASSERT_PTR_NULL(w.g.tensor.a[0].data);
    CU_ASSERT_FALSE(w.u.node.a[0].dead);
    CU_ASSERT_EQUAL(count_slots(&w, 0), 2);
    CU_ASSERT_EQUAL(w.u.node.a[0].outputs, 1);
    uses_drop(&w.u, &w.g, 0);
    CU_ASSERT_FALSE(w.u.node.a[0].dead);
    close_world(&w);
}

static void unlinking(void)
{
    struct world w;

    open_world(&w);
    uses_unlink(&w.u, &w.g, 3);
    w.g.node.a[3].nin = 0;
    check_lists(&w);
    uses_drop(&w.u, &w.g, 2);
    CU_ASSERT(w.u.node.a[2].dead && w.u.node.a[1].dead);
    check_lists(&w);
    close_world(&w);
}

/* Lists that grow and then find no memory are as they were; made again, they are the graph's. */
static void memory(void)
{
    struct world w;
    int in = 2, n;

    open_world(&w);
    while (w.g.node.n < 100)
        graph_op(&w.g, OP_Exp, -1, &in, 1, NULL, 0, 1);
    CU_ASSERT_EQUAL(uses_extend(&w.u, &w.g, &w.d), CALQUE_OK);
    check_lists(&w);
    n = w.u.node.n;
    while (w.g.node.n < 5000)
        graph_op(&w.g, OP_Exp, -1, &in, 1, NULL, 0, 1);
    for (int k = 0; k < 2; k++) {
        w.mem.fail_after = k;
        CU_ASSERT_EQUAL(uses_extend(&w.u, &w.g, &w.d), CALQUE_NOMEM);
        CU_ASSERT(w.u.node.n == n && w.u.node.a[2].count == n - 4 && w.u.last == n - 1);
    }
    w.mem.fail_after = -1;
    CU_ASSERT_EQUAL(uses_extend(&w.u, &w.g, &w.d), CALQUE_OK);
    check_lists(&w);
    check_order(&w, NULL);
    CU_ASSERT_EQUAL(uses_build(&w.u, &w.g, &w.d), CALQUE_OK);
    check_lists(&w);
    check_order(&w, NULL);
    CU_ASSERT(w.u.node.a[3].outputs == 1 && w.u.node.a[4].outputs == 1 && w.u.output.n == 2);
    close_world(&w);
}

static const struct unit_case cases[] = {
    { "building", building },
    { "moving", moving },
    { "the order of the nodes", order },
    { "how dense labels may be", allowed },
    { "dropping", dropping },
    { "unlinking", unlinking },
    { "memory", memory },
};

int main(void)
{
    return unit_main("pattern/uses", cases, UNIT_COUNT(cases));
}
