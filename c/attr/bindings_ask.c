/* The callbacks of an environment that was read. Trusted: that ctx, of no type, is what the environment was made of. */
#include "attr/bindings_ask.h"

enum attr_result bindings_ask_inst(void *ctx, int pattern, long k, int label, int *out)
{
    return bindings_inst(ctx, pattern, k, label, out);
}

int bindings_ask_taken(void *ctx, int pattern)
{
    return bindings_taken(ctx, pattern);
}

struct attr_env attr_bindings_env(struct attr_bindings *b)
{
    struct attr_env e = bindings_env(b);

    e.ctx = b;
    return e;
}
