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

/*@ requires valid:    \valid_read(b);
    terminates \true;
    exits    never:    \false;
    assigns  \nothing;
    ensures  ctx:      \result.ctx == (void *)b;
    ensures  slots:    \result.slot == b->slot.a && \result.n == b->slot.n;
    ensures  symbols:  \result.symbol == b->symbol.a && \result.nsymbol == b->symbol.n;
    ensures  inst:     \result.inst == &bindings_ask_inst;
    ensures  taken:    \result.taken == &bindings_ask_taken;
*/
struct attr_env attr_bindings_env(struct attr_bindings *b)
{
    struct attr_env e = bindings_env(b);

    e.ctx = b;
    return e;
}
