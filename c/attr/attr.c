#include "attr/attr.h"

#include <string.h>

void attrs_init(struct attrs *t, struct values *values, struct mem *mem)
{
    memset(t, 0, sizeof *t);
    t->mem = mem;
    t->values = values;
}

void attrs_free(struct attrs *t)
{
    mem_free(t->node.a);
    ints_free(&t->kid);
    mem_free(t->slot.a);
    attrs_init(t, t->values, t->mem);
}

static bool is_id(const struct attrs *t, int a)
{
    return a >= 0 && a < t->node.n;
}

bool attr_has_kids(int kind)
{
    return kind == ATTR_TUPLE || kind == ATTR_COND || kind == ATTR_MATCH || kind == ATTR_FUNC;
}

/* Makes nd the parent of node a: its depth and size cover a's. */
static void above(const struct attrs *t, struct attr_node *nd, int a)
{
    const struct attr_node *kid = &t->node.a[a];

    if (kid->depth >= nd->depth)
        nd->depth = kid->depth + 1;
    nd->size = nd->size + kid->size > ATTR_SIZE_MAX ? ATTR_SIZE_MAX + 1 : nd->size + kid->size;
}

static int push(struct attrs *t, struct attr_node nd)
{
    if (nd.depth > ATTR_DEPTH_MAX || nd.size > ATTR_SIZE_MAX || t->node.n >= VALUE_ARENA_MAX ||
        !vec_room(t->mem, &t->node, 1))
        return -1;
    t->node.a[t->node.n] = nd;
    return t->node.n++;
}

static struct attr_node leaf(int kind, int a)
{
    return (struct attr_node){ .kind = kind, .a = a, .depth = 0, .size = 1 };
}

int attr_const(struct attrs *t, int value)
{
    return value >= 0 && value < t->values->n ? push(t, leaf(ATTR_CONST, value)) : -1;
}

int attr_any(struct attrs *t)
{
    return push(t, leaf(ATTR_ANY, 0));
}

int attr_access(struct attrs *t, int pattern, int label)
{
    int s = attr_slot(t, pattern, label);

    return s >= 0 ? push(t, leaf(ATTR_ACCESS, s)) : -1;
}

int attr_unary(struct attrs *t, int op, int a)
{
    struct attr_node nd = leaf(ATTR_UNARY, a);

    if (op < 0 || op >= ATTR_UNARY_OPS || !is_id(t, a))
        return -1;
    nd.op = op;
    above(t, &nd, a);
    return push(t, nd);
}

static int pair(struct attrs *t, int kind, int op, int a, int b)
{
    struct attr_node nd = leaf(kind, a);

    if (!is_id(t, a) || !is_id(t, b))
        return -1;
    nd.op = op;
    nd.b = b;
    above(t, &nd, a);
    above(t, &nd, b);
    return push(t, nd);
}

int attr_binary(struct attrs *t, int op, int a, int b)
{
    return op >= 0 && op < ATTR_BINARY_OPS ? pair(t, ATTR_BINARY, op, a, b) : -1;
}

int attr_proj(struct attrs *t, int a, int b)
{
    return pair(t, ATTR_PROJ, 0, a, b);
}

/* A node with children kids[0 .. n-1]. */
static int family(struct attrs *t, int kind, int op, const int *kids, int n)
{
    struct attr_node nd = leaf(kind, t->kid.n);
    int id;

    if (n < 0 || n > VALUE_LEN_MAX || t->kid.n > VALUE_ARENA_MAX || !vec_room(t->mem, &t->kid, n))
        return -1;
    nd.op = op;
    nd.b = n;
    nd.depth = 1;
    for (int k = 0; k < n; k++) {
        if (!is_id(t, kids[k]))
            return -1;
        above(t, &nd, kids[k]);
        t->kid.a[t->kid.n + k] = kids[k];
    }
    id = push(t, nd);
    if (id >= 0)
        t->kid.n += n;
    return id;
}

int attr_tuple(struct attrs *t, const int *kids, int n)
{
    return family(t, ATTR_TUPLE, 0, kids, n);
}

static bool see_symbol(struct attrs *t, int symbol)
{
    if (symbol < 0 || symbol >= ATTR_SYMBOL_MAX)
        return false;
    if (symbol >= t->nsymbol)
        t->nsymbol = symbol + 1;
    return true;
}

int attr_symbol(struct attrs *t, int symbol)
{
    struct attr_node nd = leaf(ATTR_SYMBOL, 0);

    nd.op = symbol;
    return see_symbol(t, symbol) ? push(t, nd) : -1;
}

int attr_inst(struct attrs *t, int pattern, int a, int label)
{
    struct attr_node nd = leaf(ATTR_INST, 0);

    if (!is_id(t, a))
        return -1;
    nd.a = attr_slot(t, pattern, label);
    nd.b = a;
    above(t, &nd, a);
    return nd.a >= 0 ? push(t, nd) : -1;
}

int attr_var(struct attrs *t, int symbol, int n, int a)
{
    return see_symbol(t, symbol) ? pair(t, ATTR_VAR, symbol, n, a) : -1;
}

int attr_map(struct attrs *t, int symbol, int tuple, int a)
{
    return see_symbol(t, symbol) ? pair(t, ATTR_MAP, symbol, tuple, a) : -1;
}

int attr_reduce(struct attrs *t, int op, int a)
{
    struct attr_node nd = leaf(ATTR_REDUCE, a);

    if (op < 0 || op >= ATTR_REDUCTIONS || !is_id(t, a))
        return -1;
    nd.op = op;
    above(t, &nd, a);
    return push(t, nd);
}

int attr_cond(struct attrs *t, int c, int a, int b)
{
    const int kids[3] = { c, a, b };

    return family(t, ATTR_COND, 0, kids, 3);
}

int attr_choice(struct attrs *t, int pattern, const int *kids, int n)
{
    return pattern >= 0 ? family(t, ATTR_MATCH, pattern, kids, n) : -1;
}

int attr_func(struct attrs *t, int op, const int *kids, int n)
{
    return op >= 0 && op < ATTR_FUNC_OPS ? family(t, ATTR_FUNC, op, kids, n) : -1;
}

int attr_slot_find(const struct attrs *t, int pattern, int label)
{
    for (int s = 0; s < t->slot.n; s++)
        if (t->slot.a[s].pattern == pattern && t->slot.a[s].label == label)
            return s;
    return -1;
}

int attr_slot(struct attrs *t, int pattern, int label)
{
    int s = attr_slot_find(t, pattern, label);

    if (s >= 0 || !vec_room(t->mem, &t->slot, 1))
        return s;
    t->slot.a[t->slot.n] = (struct attr_slot){ pattern, label };
    return t->slot.n++;
}
