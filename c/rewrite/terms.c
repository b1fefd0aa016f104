/* Terms: the nodes of several graphs over the same inputs in one graph, each once, and classes of those that are known equal.
   Invariant: the inputs of a term have smaller numbers, so has the first one of its class; terms of a class have one type. An
   operator without a meaning is equal to none, not even to one of the same bytes. */
#include "rewrite/equiv_internal.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "dpia/exp.h"
#include "kernel/inline.h"
#include "tensor/op.h"

void terms_init(struct terms *t, struct mem *mem, struct strs *strs, struct values *values)
{
    memset(t, 0, sizeof *t);
    graph_init(&t->g, mem, strs, values);
}

void terms_free(struct terms *t)
{
    mem_free(t->parent.a);
    mem_free(t->content.a);
    mem_free(t->slot);
    graph_free(&t->g);
    memset(t, 0, sizeof *t);
}

int terms_class(const struct terms *t, int term)
{
    while (t->parent.a[term] != term)
        term = t->parent.a[term];
    return term;
}

static bool same_type(const struct graph *g, int a, int b)
{
    const struct node *x = &g->node.a[a], *y = &g->node.a[b];

    return x->dtype == y->dtype && x->shape.rank == y->shape.rank && (x->shape.rank < 0 || shape_equal(&x->shape, &y->shape));
}

bool terms_join(struct terms *t, int a, int b)
{
    int first = terms_class(t, a), second = terms_class(t, b);

    if (first == second)
        return true;
    if (!same_type(&t->g, first, second) || graph_multi(&t->g, first) != graph_multi(&t->g, second))
        return false;
    t->parent.a[first < second ? second : first] = first < second ? first : second;
    /* Short ways: what led here leads to the first one. */
    t->parent.a[a] = t->parent.a[b] = first < second ? first : second;
    return true;
}

/* ---- each term once ---- */

static unsigned long mix(unsigned long h, unsigned long x)
{
    h = (h ^ x) * 0x9e3779b97f4a7c15u;
    return h ^ (h >> 29);
}

static unsigned long hash_bytes(const void *data, size_t n)
{
    const unsigned char *p = data;
    unsigned long h = n, x;

    for (; n >= sizeof x; n -= sizeof x, p += sizeof x) {
        memcpy(&x, p, sizeof x);
        h = mix(h, x);
    }
    for (x = 0; n > 0; n--)
        x = x << 8 | *p++;
    return mix(h, x);
}

/* Of a value and the elements of a tuple, whose own elements are only counted. */
static unsigned long hash_value(const struct values *vs, int id, unsigned long h)
{
    const struct value *v = &vs->v[id];

    h = mix(mix(mix(h, (unsigned long)v->kind), (unsigned long)v->num), (unsigned long)v->len);
    for (int k = 0; v->kind == VALUE_TUPLE && k < v->len; k++) {
        const struct value *e = &vs->v[vs->pool[v->first + k]];
        h = mix(mix(mix(h, (unsigned long)e->kind), (unsigned long)e->num), (unsigned long)e->len);
    }
    return h;
}

static int input_class(const struct terms *t, int term, int k)
{
    int in = graph_in(&t->g, term, k);

    return in < 0 ? -1 : terms_class(t, in);
}

/* The class of operand k, those of a commutative operator in one order, as rules match them in either. */
static int operand(const struct terms *t, int term, int k)
{
    const struct node *n = &t->g.node.a[term];
    int a, b;

    if (n->kind != NODE_OP || n->nin != 2 || !(op_info(n->op)->traits & OP_COMMUTATIVE))
        return input_class(t, term, k);
    a = input_class(t, term, 0);
    b = input_class(t, term, 1);
    return (a < b) == (k == 0) ? a : b;
}

static unsigned long hash_term(const struct terms *t, int term)
{
    const struct node *n = &t->g.node.a[term];
    unsigned long h = mix((unsigned long)n->kind, (unsigned long)n->index);

    h = mix(mix(h, (unsigned long)n->dtype), (unsigned long)n->shape.rank);
    for (int k = 0; k < n->shape.rank; k++)
        h = mix(h, (unsigned long)n->shape.dim[k]);
    if (n->kind == NODE_CONST)
        return mix(h, t->content.a[term]);
    if (n->kind == NODE_OP)
        h = mix(h, (unsigned long)n->op);
    for (int k = 0; k < n->nin; k++)
        h = mix(h, (unsigned long)operand(t, term, k));
    for (int k = 0; k < n->nattr; k++) {
        const struct node_attr *a = &t->g.attr.a[n->attr + k];
        h = hash_value(t->g.values, a->value, mix(h, (unsigned long)a->label));
    }
    return h;
}

static bool same_tensor(const struct tensor *a, const struct tensor *b)
{
    return a->dtype == b->dtype && shape_equal(&a->shape, &b->shape) && a->bytes == b->bytes &&
           (a->bytes == 0 || memcmp(a->data, b->data, a->bytes) == 0);
}

/* Are they the same operator, with the same attributes, of the same classes; or the same constant? */
static bool same_term(const struct terms *t, int a, int b)
{
    const struct node *x = &t->g.node.a[a], *y = &t->g.node.a[b];

    if (x->kind != y->kind || x->index != y->index || x->nin != y->nin || x->nattr != y->nattr || !same_type(&t->g, a, b))
        return false;
    if (x->kind == NODE_INPUT || (x->kind == NODE_OP && (x->op != y->op || x->op == OP_Opaque)))
        return a == b;
    if (x->kind == NODE_CONST)
        return t->content.a[a] == t->content.a[b] && same_tensor(graph_tensor(&t->g, a), graph_tensor(&t->g, b));
    for (int k = 0; k < x->nin; k++)
        if (operand(t, a, k) != operand(t, b, k))
            return false;
    for (int k = 0; k < x->nattr; k++) {
        const struct node_attr *p = &t->g.attr.a[x->attr + k], *q = &t->g.attr.a[y->attr + k];
        if (p->label != q->label || !value_equal(t->g.values, p->value, q->value))
            return false;
    }
    return true;
}

/* The term in the table that is the same as this one, which is put there if there is none. */
static int find_or_put(struct terms *t, int term)
{
    unsigned at = (unsigned)hash_term(t, term) & (unsigned)(t->slots - 1);

    for (; t->slot[at]; at = (at + 1) & (unsigned)(t->slots - 1))
        if (same_term(t, t->slot[at] - 1, term))
            return t->slot[at] - 1;
    t->slot[at] = term + 1;
    t->used++;
    return term;
}

/* An empty table for at least n terms. */
static bool new_table(struct terms *t, int n)
{
    int slots = 64;
    int *slot;

    while (slots < n * 2 && slots < 1 << 28)
        slots *= 2;
    slot = slots > n ? mem_zero(t->g.mem, (size_t)slots, sizeof *slot) : NULL;
    if (!slot)
        return false;
    mem_free(t->slot);
    t->slot = slot;
    t->slots = slots;
    t->used = 0;
    return true;
}

enum calque_status terms_close(struct terms *t, struct diag *d)
{
    for (bool more = true; more;) {
        more = false;
        if (!new_table(t, t->g.node.n + 1))
            return diag_nomem(d);
        for (int i = 0; i < t->g.node.n; i++) {
            int same = find_or_put(t, i);
            if (same != i && terms_class(t, same) != terms_class(t, i) && terms_join(t, same, i))
                more = true;
        }
    }
    return CALQUE_OK;
}

/* ---- adding a graph ---- */

/* A node of t->g that is as node i of x, its inputs in `in`; -1: memory is out. */
static int append(struct terms *t, const struct graph *x, int i, const int *in, struct diag *d)
{
    const struct node *n = &x->node.a[i];
    struct tensor copy = {0};
    int id = -1;

    switch (n->kind) {
    case NODE_CONST:
        if (tensor_copy(t->g.mem, graph_tensor(x, i), &copy, d) == CALQUE_OK)
            id = graph_const(&t->g, -1, &copy);
        tensor_free(&copy);
        break;
    case NODE_OP: id = graph_op(&t->g, n->op, -1, in, n->nin, x->attr.a + n->attr, n->nattr, n->index); break;
    case NODE_PROJ: id = graph_proj(&t->g, in[0], n->index, -1); break;
    case NODE_TUPLE: id = graph_tuple(&t->g, in, n->nin); break;
    default: id = graph_input(&t->g, n->name, n->dtype, &n->shape);
    }
    if (id < 0 || !vec_room(t->g.mem, &t->parent, 1) || !vec_room(t->g.mem, &t->content, 1))
        return -1;
    t->g.node.a[id].dtype = n->dtype;
    t->g.node.a[id].shape = n->shape;
    t->parent.a[t->parent.n++] = id;
    t->content.a[t->content.n++] = n->kind == NODE_CONST ? hash_bytes(graph_tensor(x, i)->data, graph_tensor(x, i)->bytes) : 0;
    return id;
}

/* The node appended last goes again. */
static void drop_last(struct terms *t)
{
    struct graph *g = &t->g;
    const struct node *n = &g->node.a[g->node.n - 1];

    if (n->kind == NODE_CONST)
        tensor_free(&g->tensor.a[--g->tensor.n]);
    if (n->nin > 0)
        g->in.n = n->in;
    if (n->nattr > 0)
        g->attr.n = n->attr;
    g->node.n--;
    t->parent.n--;
    t->content.n--;
}

static int add_node(struct terms *t, const struct graph *x, int i, const int *in, struct diag *d)
{
    const struct node *n = &x->node.a[i];
    int id, same;

    if (n->kind == NODE_PROJ && t->g.node.a[in[0]].kind == NODE_TUPLE)
        return graph_in(&t->g, in[0], n->index);
    id = append(t, x, i, in, d);
    if (id < 0)
        return -1;
    if (t->used * 2 >= t->slots) { /* what is in the table are first ones of their kind: all go into the new one */
        if (!new_table(t, t->g.node.n * 2))
            return -1;
        for (int k = 0; k < id; k++)
            find_or_put(t, k);
    }
    same = find_or_put(t, id);
    if (same != id)
        drop_last(t);
    return same;
}

enum calque_status terms_add(struct terms *t, const struct graph *x, const int *input, int *map, struct diag *d)
{
    struct ints in = {NULL, 0, 0};
    bool ok = true;

    for (int i = 0; i < x->node.n && ok; i++) {
        const struct node *n = &x->node.a[i];
        in.n = 0;
        for (int k = 0; k < n->nin && ok; k++) {
            int from = graph_in(x, i, k);
            ok = ints_push(t->g.mem, &in, from < 0 ? -1 : map[from]);
        }
        map[i] = -1;
        if (n->kind == NODE_INPUT) {
            int k = 0;
            while (k < x->input.n && x->input.a[k] != i)
                k++;
            if (k == x->input.n)
                continue; /* it was left aside: nothing reads it */
            map[i] = input ? input[k] : -1;
        }
        if (map[i] < 0 && ok)
            map[i] = add_node(t, x, i, in.a, d);
        ok = ok && map[i] >= 0;
    }
    ints_free(&in);
    return ok ? CALQUE_OK : diag_nomem(d);
}

/* ---- cells ---- */

enum { CONE_MOST = 48, GATHER_CONST = 4096 };

/* The terms that a term is made of down to what both are computed from, as a graph. */
struct cone {
    struct terms *t;
    struct graph g;
    char *above;  /* by term: 1: a is computed from it, 2: b is */
    char *need;
    int *map;     /* by term: node of g, or -1 */
    int operators;
    struct diag *d;
};

/* Marks the classes that a term is computed from, and its own. */
static void mark_above(struct cone *c, int term, char bit)
{
    const struct terms *t = c->t;

    c->above[term] |= bit;
    for (int i = term; i >= 0; i--)
        for (int k = 0; k < t->g.node.a[i].nin && (c->above[i] & bit); k++)
            if (graph_in(&t->g, i, k) >= 0)
                c->above[input_class(t, i, k)] |= bit;
}

static bool is_leaf(const struct cone *c, int term, int root)
{
    const struct node *n = &c->t->g.node.a[term];

    if (n->kind == NODE_INPUT || n->kind == NODE_CONST)
        return true;
    return term != root && c->above[term] == 3 && n->kind != NODE_TUPLE && !graph_multi(&c->t->g, term);
}

/* Indices that are constant are in the text of a kernel. */
static bool is_indices(const struct cone *c, int term)
{
    const struct tensor *x = graph_tensor(&c->t->g, term);
    const struct graph *g = &c->t->g;

    if (!x || shape_elems(&x->shape) > GATHER_CONST)
        return false;
    for (int i = term + 1; i < g->node.n; i++)
        if (c->need[i] && g->node.a[i].kind == NODE_OP && g->node.a[i].op == OP_Gather && input_class(c->t, i, 1) == term)
            return true;
    return false;
}

/* Is it a constant of equal numbers, the same bits? */
static bool is_splat(const struct tensor *x)
{
    if (!x || x->dtype != DTYPE_F32 || shape_elems(&x->shape) < 1 || isnan(tensor_f32(x)[0]))
        return false;
    for (long k = 1; k < shape_elems(&x->shape); k++)
        if (memcmp(&tensor_f32(x)[k], &tensor_f32(x)[0], sizeof(float)) != 0)
            return false;
    return true;
}

/* Its number stands in the text of the kernel. */
static int splat(struct cone *c, int term)
{
    const struct tensor *x = graph_tensor(&c->t->g, term);
    struct graph *g = &c->g;
    struct node_attr a[] = {{strs_addz(g->strs, "dtype"), value_int(g->values, DTYPE_F32)},
                            {strs_addz(g->strs, "shape"), value_ints(g->values, x->shape.dim, x->shape.rank)},
                            {strs_addz(g->strs, "value"), value_float(g->values, (double)tensor_f32(x)[0])}};
    int id;

    for (int k = 0; k < 3; k++)
        if (a[k].label < 0 || a[k].value < 0)
            return -1;
    id = graph_op(g, OP_ConstantOfShape, -1, NULL, 0, a, 3, 1);
    if (id >= 0) {
        g->node.a[id].dtype = DTYPE_F32;
        g->node.a[id].shape = x->shape;
    }
    return id;
}

static int leaf(struct cone *c, int term)
{
    const struct node *n = &c->t->g.node.a[term];
    struct tensor copy = {0};
    char name[24];
    int id = -1, called;

    if (is_splat(graph_tensor(&c->t->g, term)))
        return splat(c, term);
    snprintf(name, sizeof name, "v%d", term);
    called = strs_addz(c->g.strs, name);
    if (called < 0)
        return -1;
    if (!is_indices(c, term))
        return graph_input(&c->g, called, n->dtype, &n->shape);
    if (tensor_copy(c->g.mem, graph_tensor(&c->t->g, term), &copy, c->d) == CALQUE_OK)
        id = graph_const(&c->g, called, &copy);
    tensor_free(&copy);
    return id;
}

static int inner(struct cone *c, int term)
{
    const struct graph *x = &c->t->g;
    const struct node *n = &x->node.a[term];
    struct ints in = {NULL, 0, 0};
    int id = -1;
    bool ok = true;

    for (int k = 0; k < n->nin && ok; k++)
        ok = ints_push(c->g.mem, &in, graph_in(x, term, k) < 0 ? -1 : c->map[input_class(c->t, term, k)]);
    if (ok && n->kind == NODE_OP)
        id = graph_op(&c->g, n->op, -1, in.a, n->nin, x->attr.a + n->attr, n->nattr, n->index);
    else if (ok && n->kind == NODE_PROJ)
        id = graph_proj(&c->g, in.a[0], n->index, -1);
    else if (ok)
        id = graph_tuple(&c->g, in.a, n->nin);
    ints_free(&in);
    if (id >= 0) {
        c->g.node.a[id].dtype = n->dtype;
        c->g.node.a[id].shape = n->shape;
    }
    return id;
}

/* c->g: the term over leaves. CALQUE_NO: it is too large, or has no meaning. */
static enum calque_status build_cone(struct cone *c, int root)
{
    const struct terms *t = c->t;
    int name = strs_addz(c->g.strs, "y");

    memset(c->need, 0, (size_t)t->g.node.n);
    c->need[root] = 1;
    c->operators = 0;
    for (int i = root; i >= 0; i--) {
        if (!c->need[i] || is_leaf(c, i, root))
            continue;
        if (++c->operators > CONE_MOST || (t->g.node.a[i].kind == NODE_OP && t->g.node.a[i].op == OP_Opaque))
            return CALQUE_NO;
        for (int k = 0; k < t->g.node.a[i].nin; k++)
            if (graph_in(&t->g, i, k) >= 0)
                c->need[input_class(t, i, k)] = 1;
    }
    for (int i = 0; i <= root; i++)
        if (c->need[i] && (c->map[i] = is_leaf(c, i, root) ? leaf(c, i) : inner(c, i)) < 0)
            return diag_nomem(c->d);
    return name >= 0 && graph_output(&c->g, c->map[root], name) ? CALQUE_OK : diag_nomem(c->d);
}

/* The cone as one statement, in the one element type that it computes in. CALQUE_NO: it is none. */
static enum calque_status cone_kernel(struct cone *c, struct kernel *k)
{
    static const struct inline_policy all = {.reductions = true};
    int *value = mem_zero(c->g.mem, (size_t)c->g.node.n + 1, sizeof *value), n;
    struct diag why;
    enum calque_status st = value ? CALQUE_NO : diag_nomem(c->d);

    kernel_init(k, c->g.mem, c->g.strs, KERNEL_F32);
    for (int type = KERNEL_F32; value && type <= KERNEL_I64 && st != CALQUE_OK && st != CALQUE_NOMEM; type++) {
        kernel_free(k);
        st = graph_kernel(&c->g, (enum kernel_type)type, k, value, &why);
    }
    mem_free(value);
    if (st == CALQUE_OK)
        st = kernel_inline_all(k, &all, &n, NULL, NULL, &why);
    if (st == CALQUE_OK)
        st = kernel_remove_dead(k, &n, &why);
    if (st == CALQUE_NOMEM)
        return diag_nomem(c->d);
    return st == CALQUE_OK && k->stmt.n == 1 ? CALQUE_OK : CALQUE_NO;
}

static enum calque_status side_kernel(struct cone *c, int root, struct kernel *k)
{
    enum calque_status st;

    graph_init(&c->g, c->t->g.mem, c->t->g.strs, c->t->g.values);
    st = build_cone(c, root);
    if (st == CALQUE_OK)
        st = cone_kernel(c, k);
    else
        kernel_init(k, c->g.mem, c->g.strs, KERNEL_F32);
    graph_free(&c->g);
    return st;
}

enum calque_status terms_same_cells(struct terms *t, int a, int b, bool *same, struct diag *d)
{
    struct cone c = {.t = t, .d = d};
    struct kernel p, q;
    struct diag why;
    enum calque_status st;

    *same = false;
    c.above = mem_zero(t->g.mem, (size_t)t->g.node.n, 1);
    c.need = mem_zero(t->g.mem, (size_t)t->g.node.n, 1);
    c.map = mem_zero(t->g.mem, (size_t)t->g.node.n, sizeof *c.map);
    st = c.above && c.need && c.map ? CALQUE_OK : diag_nomem(d);
    if (st == CALQUE_OK) {
        mark_above(&c, a, 1);
        mark_above(&c, b, 2);
        c.above[a] = c.above[b] = 0;
        c.above[terms_class(t, a)] = c.above[terms_class(t, b)] = 0;
        st = side_kernel(&c, a, &p);
        if (st == CALQUE_OK) {
            st = side_kernel(&c, b, &q);
            if (st == CALQUE_OK)
                st = validate_kernels(&p, &q, &why);
            kernel_free(&q);
        }
        kernel_free(&p);
    }
    mem_free(c.above);
    mem_free(c.need);
    mem_free(c.map);
    *same = st == CALQUE_OK;
    return st == CALQUE_NOMEM ? diag_nomem(d) : CALQUE_OK;
}
