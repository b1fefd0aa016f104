/* Random graphs: text and back, copies and compaction of shuffled arenas. A failure prints its seed;
   `unit_random SEED` runs that graph alone and prints it. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tensor/op.h"
#include "unit.h"
#include "world.h"

enum { GRAPHS = 4000, NODES_MAX = 40 };

struct maker {
    struct world w;
    struct graph g;
    uint64_t state;
    int multi[NODES_MAX * 4]; /* tuples and multi-output operators to project from */
    int nmulti;
    long kinds[OP_COUNT];
};

static uint64_t next(struct maker *k)
{
    uint64_t z = k->state += 0x9e3779b97f4a7c15u;

    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

static int below(struct maker *k, int n)
{
    return (int)(next(k) % (uint64_t)n);
}

/* A name not used before, plain or of odd bytes, or -1. */
static int fresh(struct maker *k, bool may_lack)
{
    static const char *const odd[] = {"a/b", "return", "x y", "\xc3\xa9", "\"q\"", "t3", "t7", "t12",
                                      "none", "1", "\\n", "\n", "Relu", "it's", "#", "t5_"};
    char buf[48];
    int id;

    if (may_lack && below(k, 3) == 0)
        return -1;
    for (;;) {
        if (below(k, 2))
            snprintf(buf, sizeof buf, "%s%.*s", odd[below(k, 16)], below(k, 3), "__");
        else
            snprintf(buf, sizeof buf, "%c%d", "tvw"[below(k, 3)], below(k, 200));
        id = strs_addz(&k->w.strs, buf);
        for (int i = 0; id >= 0 && i < k->g.node.n; i++)
            if (k->g.node.a[i].name == id)
                id = -1;
        for (int i = 0; id >= 0 && i < k->g.output.n; i++)
            if (k->g.output.a[i].name == id)
                id = -1;
        if (id >= 0)
            return id;
    }
}

/* A random single-valued node, or -1. */
static int pick(struct maker *k)
{
    for (int tries = 0; tries < 100; tries++) {
        int id = below(k, k->g.node.n);
        if (!graph_multi(&k->g, id))
            return id;
    }
    return 0; /* a graph input */
}

static int random_value(struct maker *k, int depth)
{
    struct values *vs = &k->w.values;
    uint64_t bits = next(k);
    int elems[4], n;
    double x;

    switch (below(k, depth > 3 ? 6 : 8)) {
    case 0: return value_none(vs);
    case 1: return value_bool(vs, below(k, 2));
    case 2: return value_int(vs, (long)(below(k, 3) ? bits >> 60 : bits));
    case 3: return value_int(vs, below(k, 2) ? INT64_MIN : INT64_MAX);
    case 4:
        memcpy(&x, &bits, sizeof x);
        return value_float(vs, isnan(x) ? (double)NAN : x);
    case 5: return value_str(vs, fresh(k, false));
    default:
        n = below(k, 4);
        for (int i = 0; i < n; i++)
            elems[i] = random_value(k, depth + 1);
        return value_tuple(vs, elems, n);
    }
}

/* Any bits, of any element type with elements. */
static void add_const(struct maker *k)
{
    static const int types[] = {1, 1, 1, 7, 7, 2, 3, 4, 5, 6, 9, 10, 11, 12, 13, 14, 15, 16, 17};
    struct shape s = {below(k, 4), {below(k, 4), below(k, 4), below(k, 3)}};
    struct tensor t;

    if (tensor_new(&k->w.mem, types[below(k, 19)], &s, &t, &k->w.d) != CALQUE_OK)
        abort();
    for (size_t i = 0; i < t.bytes; i++)
        ((unsigned char *)t.data)[i] = (unsigned char)(below(k, 4) ? next(k) : 255);
    graph_const(&k->g, fresh(k, true), &t);
}

static void add_opaque(struct maker *k)
{
    static const struct { const char *a; size_t n;
    } raws[] = {{"\x22\x03"
                 "Foo",
                 5},
                {"\x22\x03"
                 "Foo\x1a\x01n",
                 8},
                {"\xff\x00\"\\", 4},
                {"", 0},
                {"\x22\x02\xc3\xa9", 4}};
    int in[4], n = below(k, 4), na = below(k, 3), r = below(k, 5), id, outs = below(k, 4);
    struct node_attr attr[2];

    for (int i = 0; i < n; i++)
        in[i] = below(k, 4) ? pick(k) : -1;
    for (int i = 0; i < na; i++)
        attr[i] = (struct node_attr){fresh(k, false), random_value(k, 0)};
    if (na == 2 && attr[0].label == attr[1].label)
        na = 1;
    id = graph_op(&k->g, OP_Opaque, fresh(k, true), in, n, attr, na, outs);
    k->g.node.a[id].data = graph_raw(&k->g, raws[r].a, raws[r].n);
    if (outs == 1 && below(k, 2)) {
        k->g.node.a[id].dtype = DTYPE_F32;
        k->g.node.a[id].shape = (struct shape){2, {2, below(k, 3)}};
    }
    if (outs != 1)
        k->multi[k->nmulti++] = id;
}

static int random_ints(struct maker *k)
{
    long x[8];
    int n = below(k, 9);

    for (int i = 0; i < n; i++)
        x[i] = below(k, 8) ? below(k, 3) : -1 - below(k, 2);
    return value_ints(&k->w.values, x, n);
}

/* An application of any operator to random inputs with a few random attributes: kept if its type rule accepts
 * it. */
static void add_op(struct maker *k)
{
    int op = 1 + below(k, OP_COUNT - 1), in[6], n, most = op_info(op)->most, nattr, used = 0, id;
    const struct op_attr_info *info = op_attrs(op, &nattr);
    int nin = k->g.in.n, at = k->g.attr.n;
    struct node_attr attr[8];

    n = op_info(op)->least + (most < 0 ? below(k, 3) : below(k, most - op_info(op)->least + 1));
    for (int i = 0; i < n; i++)
        in[i] = i >= op_info(op)->least && most > 0 && below(k, 4) == 0 ? -1 : pick(k);
    for (int i = 0; i < nattr; i++) {
        int v = info[i].kind == OP_ATTR_I   ? value_int(&k->w.values, below(k, 3))
                : info[i].kind == OP_ATTR_F ? value_float(&k->w.values, below(k, 5) / 4.0)
                : info[i].kind == OP_ATTR_S ? value_str(&k->w.values, 0)
                                            : random_ints(k);
        if (below(k, 2))
            attr[used++] = (struct node_attr){strs_addz(&k->w.strs, info[i].label), v};
    }
    id = graph_op(&k->g, op, fresh(k, true), in, n, attr, used,
                  op_info(op)->traits & OP_MULTI ? 1 + below(k, 2) : 1);
    if (op_info(op)->traits & OP_MULTI && graph_attr(&k->g, id, "split") < 0)
        k->g.node.a[id].index = 1;
    /* An empty Reshape is left out: its `shape` then has a 0, which means "as the input" when inferred again.
     */
    if (op_infer(&k->g, id, &k->w.d) != CALQUE_OK ||
        (op == OP_Reshape && shape_elems(&k->g.node.a[id].shape) == 0)) {
        k->g.node.n--; /* take it back */
        k->g.in.n = nin;
        k->g.attr.n = at;
        return;
    }
    k->kinds[op]++;
    if (graph_multi(&k->g, id))
        k->multi[k->nmulti++] = id;
}

static void add_other(struct maker *k)
{
    int in[3], n = below(k, 4), of, outs, id;

    if (k->nmulti > 0 && below(k, 2)) {
        of = k->multi[below(k, k->nmulti)];
        outs = k->g.node.a[of].kind == NODE_TUPLE ? k->g.node.a[of].nin : k->g.node.a[of].index;
        if (outs == 0)
            return;
        id = graph_proj(&k->g, of, below(k, outs), fresh(k, true));
        if (op_infer(&k->g, id, &k->w.d) != CALQUE_OK) {
            k->g.node.n--;
            k->g.in.n--;
        }
        return;
    }
    for (int i = 0; i < n; i++)
        in[i] = pick(k);
    id = graph_tuple(&k->g, in, n);
    k->g.node.a[id].name = fresh(k, true);
    k->multi[k->nmulti++] = id;
}

static void make(struct maker *k, uint64_t seed)
{
    int nodes = 3 + (int)(seed % (NODES_MAX - 3));

    memset(k, 0, sizeof *k);
    world_init(&k->w);
    world_graph(&k->w, &k->g);
    k->state = seed;
    if (below(k, 3))
        k->g.name = fresh(k, false);
    k->g.opset = below(k, 2) ? 17 : 7 + below(k, 11);
    for (int i = 0; i < nodes; i++) {
        int what = i == 0 ? 0 : below(k, 20);
        if (what < 2) {
            struct shape s = {below(k, 5), {1 + below(k, 2), 2, 1 + below(k, 3), 2}};
            graph_input(&k->g, fresh(k, false), below(k, 8) ? DTYPE_F32 : DTYPE_I64, &s);
        } else if (what < 4) {
            add_const(k);
        } else if (what < 6) {
            add_opaque(k);
        } else if (what < 16) {
            for (int tries = 0, n = k->g.node.n; tries < 20 && n == k->g.node.n; tries++)
                add_op(k);
        } else {
            add_other(k);
        }
    }
    for (int i = 1 + below(k, 3); i > 0; i--) {
        int id = pick(k), name = k->g.node.a[id].name;
        if (name < 0 || below(k, 2))
            name = fresh(k, false);
        for (int j = 0; j < k->g.output.n; j++)
            if (k->g.output.a[j].name == name)
                name = fresh(k, false);
        graph_output(&k->g, id, name);
    }
}

/* In a function that returns `good`: says what failed and for which seed, and goes to its end. */
#define WANT(x)                                                                                  \
    do {                                                                                         \
        good = (x);                                                                              \
        if (!good) {                                                                             \
            fprintf(stderr, "seed %llu: %s: %s\n", (unsigned long long)seed, #x, k.w.d.text);    \
            goto out;                                                                            \
        }                                                                                        \
    } while (0)

static bool same_node(const struct graph *a, const struct graph *b, int i, int j)
{
    const struct node *x = &a->node.a[i], *y = &b->node.a[j];
    const struct tensor *t = graph_tensor(a, i), *u = graph_tensor(b, j);

    if (x->kind != y->kind || x->op != y->op || x->nin != y->nin || x->nattr != y->nattr ||
        x->index != y->index || x->dtype != y->dtype || !shape_equal(&x->shape, &y->shape))
        return false;
    for (int n = 0; n < x->nattr; n++)
        if (a->attr.a[x->attr + n].label != b->attr.a[y->attr + n].label ||
            !value_equal(a->values, a->attr.a[x->attr + n].value, b->attr.a[y->attr + n].value))
            return false;
    if (x->kind == NODE_OP && x->op == OP_Opaque)
        return a->raw.a[x->data].n == b->raw.a[y->data].n &&
               memcmp(a->raw.a[x->data].a ? (const void *)a->raw.a[x->data].a : "",
                      b->raw.a[y->data].a ? (const void *)b->raw.a[y->data].a : "", a->raw.a[x->data].n) == 0;
    return !t || (t->bytes == u->bytes && (t->bytes == 0 || memcmp(t->data, u->data, t->bytes) == 0));
}

/* Every node of a and its image under map in b are the same up to ids. */
static bool same_graph(const struct graph *a, const struct graph *b, const int *map)
{
    for (int i = 0; i < a->node.n; i++) {
        if (map[i] < 0)
            continue;
        if (!same_node(a, b, i, map[i]))
            return false;
        for (int n = 0; n < a->node.a[i].nin; n++) {
            int x = graph_in(a, i, n), y = graph_in(b, map[i], n);
            if (x < 0 ? y >= 0 : y != map[x])
                return false;
        }
    }
    if (a->output.n != b->output.n || a->input.n != b->input.n || a->opset != b->opset || a->name != b->name)
        return false;
    for (int i = 0; i < a->output.n; i++)
        if (map[a->output.a[i].node] != b->output.a[i].node || a->output.a[i].name != b->output.a[i].name)
            return false;
    for (int i = 0; i < a->input.n; i++)
        if (map[a->input.a[i]] != b->input.a[i])
            return false;
    return true;
}

static bool run_text(uint64_t seed, bool show, long kinds[OP_COUNT])
{
    struct maker k;
    struct graph g2;
    struct text a, b;
    int map[NODES_MAX * 4], next_id = 0;
    bool good;

    make(&k, seed);
    world_graph(&k.w, &g2);
    text_init(&a, &k.w.mem);
    text_init(&b, &k.w.mem);
    WANT(graph_check(&k.g, &k.w.d) == CALQUE_OK);
    graph_text_write(&a, &k.g);
    if (show)
        fputs(a.a, stdout);
    WANT(graph_text_read(&g2, "t", a.a, (size_t)a.n, &k.w.d) == CALQUE_OK);
    WANT(graph_check(&g2, &k.w.d) == CALQUE_OK);
    graph_text_write(&b, &g2);
    WANT(a.n == b.n && memcmp(a.a, b.a, (size_t)a.n) == 0);
    /* statements: inputs first, then the other nodes in order */
    WANT(g2.node.n == k.g.node.n);
    for (int i = 0; i < k.g.input.n; i++)
        map[k.g.input.a[i]] = next_id++;
    for (int i = 0; i < k.g.node.n; i++)
        if (k.g.node.a[i].kind != NODE_INPUT)
            map[i] = next_id++;
    WANT(same_graph(&k.g, &g2, map));
    for (int i = 0; i < OP_COUNT; i++)
        kinds[i] += k.kinds[i];
out:
    text_free(&a);
    text_free(&b);
    graph_free(&g2);
    graph_free(&k.g);
    world_free(&k.w);
    return good;
}

static void test_text(void)
{
    long kinds[OP_COUNT] = {0};

    for (uint64_t seed = 1; seed <= GRAPHS; seed++)
        CU_ASSERT(run_text(seed, false, kinds));
    for (int op = 1; op < OP_COUNT; op++) {
        if (kinds[op] == 0)
            fprintf(stderr, "no %s was made\n", op_info(op)->name);
        CU_ASSERT(kinds[op] > 0);
    }
}

/* Renumbers the nodes by a random permutation: the order graph_compact must repair. */
static void shuffle(struct maker *k, const struct graph *from, int *perm)
{
    struct graph *g = &k->g;
    int n = g->node.n;

    for (int i = 0; i < n; i++)
        perm[i] = i;
    for (int i = n - 1; i > 0; i--) {
        int j = below(k, i + 1), x = perm[i];
        perm[i] = perm[j];
        perm[j] = x;
    }
    for (int i = 0; i < n; i++)
        g->node.a[perm[i]] = from->node.a[i];
    for (int i = 0; i < g->in.n; i++)
        g->in.a[i] = from->in.a[i] < 0 ? -1 : perm[from->in.a[i]];
    for (int i = 0; i < g->input.n; i++)
        g->input.a[i] = perm[from->input.a[i]];
    for (int i = 0; i < g->output.n; i++)
        g->output.a[i].node = perm[from->output.a[i].node];
}

static bool run_compact(uint64_t seed)
{
    struct maker k;
    struct graph old;
    int perm[NODES_MAX * 4], map[NODES_MAX * 4], total[NODES_MAX * 4], kept;
    bool good;

    make(&k, seed);
    world_graph(&k.w, &old);
    WANT(graph_copy(&k.g, &old, &k.w.d) == CALQUE_OK);
    WANT(graph_compact(&old, NULL, &k.w.d) == CALQUE_OK);
    WANT(graph_check(&old, &k.w.d) == CALQUE_OK);
    WANT(graph_compact(&old, map, &k.w.d) == CALQUE_OK);
    for (int i = 0; i < old.node.n; i++)
        WANT(map[i] == i); /* compacting twice changes nothing */
    kept = old.node.n;
    graph_free(&old);
    WANT(graph_copy(&k.g, &old, &k.w.d) == CALQUE_OK);
    shuffle(&k, &old, perm);
    WANT(graph_compact(&k.g, map, &k.w.d) == CALQUE_OK);
    WANT(graph_check(&k.g, &k.w.d) == CALQUE_OK);
    WANT(k.g.node.n == kept); /* the same nodes are needed in any order */
    for (int i = 0; i < old.node.n; i++)
        total[i] = map[perm[i]];
    WANT(same_graph(&old, &k.g, total));
out:
    graph_free(&old);
    graph_free(&k.g);
    world_free(&k.w);
    return good;
}

static void test_compact(void)
{
    for (uint64_t seed = 1; seed <= GRAPHS; seed++)
        CU_ASSERT(run_compact(seed));
}

int main(int argc, char **argv)
{
    static const struct unit_case cases[] = {{"text", test_text}, {"compact", test_compact}};
    long kinds[OP_COUNT] = {0};

    if (argc > 1)
        return run_text(strtoull(argv[1], NULL, 10), true, kinds) ? 0 : 1;
    return unit_main("graph/random", cases, UNIT_COUNT(cases));
}
