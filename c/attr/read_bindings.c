/* What an environment that was read says to an evaluation. */
#include "attr/bindings_ask.h"

enum attr_result bindings_inst(const struct attr_bindings *b, int pattern, long k, int label, int *out)
{
    int j = named_find(b->other.a, b->other.n, pattern, label, k);

    if (j < 0)
        return ATTR_STUCK;
    *out = b->other.a[j].id;
    return ATTR_VALUE;
}

int bindings_taken(const struct attr_bindings *b, int pattern)
{
    return named_id(b->other.a, b->other.n, pattern, -1, 0);
}

struct attr_env bindings_env(const struct attr_bindings *b)
{
    return (struct attr_env){ .slot = b->slot.a, .n = b->slot.n, .symbol = b->symbol.a, .nsymbol = b->symbol.n,
                              .inst = bindings_ask_inst, .taken = bindings_ask_taken };
}
