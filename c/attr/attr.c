#include "attr/attr.h"

#include <string.h>

#include "attr/attr_put.h"

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

bool attr_has_kids(int kind)
{
    return kind == ATTR_TUPLE || kind == ATTR_COND || kind == ATTR_MATCH || kind == ATTR_FUNC;
}

/* The arrays, with room for one more node; none when memory is out or the arena full. */
static struct attr_put ready(struct attrs *t)
{
    struct attr_put none = { .node = NULL };

    if (t->node.n >= VALUE_ARENA_MAX || !vec_room(t->mem, &t->node, 1))
        return none;
    return (struct attr_put){ .node = t->node.a, .kid = t->kid.a, .n = t->node.n, .cap = t->node.cap, .nkid = t->kid.n,
                              .capkid = t->kid.cap, .nvalue = t->values->n, .nslot = t->slot.n, .nsymbol = t->nsymbol };
}

/* Takes over what was appended. */
static int done(struct attrs *t, int id)
{
    if (id >= 0)
        t->node.n++;
    return id;
}

static int leaf(struct attrs *t, int kind, int op, int a)
{
    struct attr_put v = ready(t);

    return v.node ? done(t, attr_put_leaf(v, kind, op, a)) : -1;
}

static int one(struct attrs *t, int kind, int op, int a, int b)
{
    struct attr_put v = ready(t);

    return v.node ? done(t, attr_put_one(v, kind, op, a, b, kind == ATTR_INST ? b : a)) : -1;
}

static int pair(struct attrs *t, int kind, int op, int a, int b)
{
    struct attr_put v = ready(t);

    return v.node ? done(t, attr_put_pair(v, kind, op, a, b)) : -1;
}

static int family(struct attrs *t, int kind, int op, const int *kids, int n)
{
    struct attr_put v;
    int id;

    if (n < 0 || n > VALUE_LEN_MAX || t->kid.n > VALUE_ARENA_MAX || !vec_room(t->mem, &t->kid, n))
        return -1;
    v = ready(t);
    id = v.node ? done(t, attr_put_family(v, kind, op, kids, n)) : -1;
    if (id >= 0)
        t->kid.n += n;
    return id;
}

int attr_const(struct attrs *t, int value)
{
    return leaf(t, ATTR_CONST, 0, value);
}

int attr_any(struct attrs *t)
{
    return leaf(t, ATTR_ANY, 0, 0);
}

int attr_access(struct attrs *t, int pattern, int label)
{
    int s = attr_slot(t, pattern, label);

    return s >= 0 ? leaf(t, ATTR_ACCESS, 0, s) : -1;
}

int attr_unary(struct attrs *t, int op, int a)
{
    return one(t, ATTR_UNARY, op, a, 0);
}

int attr_binary(struct attrs *t, int op, int a, int b)
{
    return pair(t, ATTR_BINARY, op, a, b);
}

int attr_proj(struct attrs *t, int a, int b)
{
    return pair(t, ATTR_PROJ, 0, a, b);
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
    return see_symbol(t, symbol) ? leaf(t, ATTR_SYMBOL, symbol, 0) : -1;
}

int attr_inst(struct attrs *t, int pattern, int a, int label)
{
    int s;

    if (a < 0 || a >= t->node.n)
        return -1;
    s = attr_slot(t, pattern, label);
    return s >= 0 ? one(t, ATTR_INST, 0, s, a) : -1;
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
    return one(t, ATTR_REDUCE, op, a, 0);
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
    return family(t, ATTR_FUNC, op, kids, n);
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
