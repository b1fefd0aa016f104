/* Environments read from the canonical text. Not proved: that the arrays of what is bound (bind_env.c) stand apart
   from the arenas while they are filled from what was read (read_list.c). */
#include <string.h>

#include "attr/bind_env.h"
#include "attr/read_list.h"
#include "attr/read_on.h"

/* Its arrays, for n bindings. */
static bool bound_room(struct mem *m, struct bound_arrays *x, int n)
{
    x->slot = mem_resize(m, NULL, (size_t)x->nslot + 1, sizeof *x->slot);
    x->symbol = mem_resize(m, NULL, (size_t)x->nsymbol + 1, sizeof *x->symbol);
    x->named = mem_resize(m, NULL, (size_t)n + 1, sizeof *x->named);
    if (x->slot && x->symbol && x->named)
        return true;
    mem_free(x->slot);
    mem_free(x->symbol);
    mem_free(x->named);
    return false;
}

/* The environment of the n bindings in the list p; false when memory is out. */
static bool bind_list(struct attrs *t, const unsigned *p, int n, struct attr_bindings *b)
{
    struct bound_arrays x = { .nslot = bound_top(p, n, BOUND_SLOT), .nsymbol = bound_top(p, n, BOUND_SYMBOL) };

    if (!bound_room(t->mem, &x, n))
        return false;
    b->slot = (struct ints){ x.slot, x.nslot, x.nslot };
    b->symbol = (struct ints){ x.symbol, x.nsymbol, x.nsymbol };
    b->other = (struct attr_nameds){ x.named, bind_env(x, p, n), n };
    return true;
}

bool attr_read_env(struct attr_reader *r, struct attr_bindings *b)
{
    struct reading in = read_mark(r->in, '(');

    in.depth++;
    if (in.status == CALQUE_OK)
        in = read_list(in, r->attrs, r->strs);
    if (in.status == CALQUE_OK)
        in = read_mark(in, ')');
    in.depth--;
    if (in.status == CALQUE_OK && !bind_list(r->attrs, in.ids, in.nids / BOUND_WORDS, b))
        in = read_fail(in, CALQUE_NOMEM);
    *r = reader_on(*r, in);
    return in.status == CALQUE_OK;
}

void attr_bindings_free(struct attr_bindings *b)
{
    ints_free(&b->slot);
    ints_free(&b->symbol);
    mem_free(b->other.a);
    memset(b, 0, sizeof *b);
}

static enum attr_result named_inst(void *ctx, int pattern, long k, int label, int *out)
{
    const struct attr_bindings *b = ctx;
    int id = named_id(b->other.a, b->other.n, pattern, label, k);

    if (id >= 0)
        *out = id;
    return id >= 0 ? ATTR_VALUE : ATTR_STUCK;
}

static int named_taken(void *ctx, int pattern)
{
    const struct attr_bindings *b = ctx;

    return named_id(b->other.a, b->other.n, pattern, -1, 0);
}

struct attr_env attr_bindings_env(struct attr_bindings *b)
{
    return (struct attr_env){ .slot = b->slot.a, .n = b->slot.n, .symbol = b->symbol.a, .nsymbol = b->symbol.n,
                              .inst = named_inst, .taken = named_taken, .ctx = b };
}
