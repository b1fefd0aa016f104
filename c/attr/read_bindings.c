/* What an environment that was read says to an evaluation. Not proved: its callbacks, memory. */
#include <string.h>

#include "attr/read.h"

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
