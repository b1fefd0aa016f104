/* Environments read by a reader. Not proved: that what was read (env_read.c) is put where it belongs, and what the callbacks are. */
#include <string.h>

#include "attr/env_read.h"
#include "attr/read_on.h"

/* b is empty before. */
bool attr_read_env(struct attr_reader *r, struct attr_bindings *b)
{
    struct env_read x = env_read(r->in, r->attrs, r->strs);

    if (x.r.status == CALQUE_OK) {
        b->slot = (struct ints){ x.e.slot, x.e.nslot, x.e.nslot };
        b->symbol = (struct ints){ x.e.symbol, x.e.nsymbol, x.e.nsymbol };
        b->other = (struct attr_nameds){ x.e.named, x.n, x.room };
    }
    *r = reader_on(*r, x.r);
    return x.r.status == CALQUE_OK;
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
