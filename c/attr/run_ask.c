/* What an evaluation asks of its environment: instances, values of patterns, memory. AE and AM read patterns only
   here. Trusted: the callbacks are code of the caller (run_ask.h says what they must keep). */
#include "attr/run_ask.h"

/* One evaluation may make that many values or elements, or as many as there are: more is a limit. A tuple of ATTR_COUNT_MAX
   elements is within it, and so is what is made of it once. A larger arena is asked for when its room was too little, and its
   arrays grow together: the smaller room is what the evaluation has used. */
enum { RUN_VALUES_MAX = 16 * ATTR_COUNT_MAX };

struct run_said run_inst(struct run r, struct run_answers x, int slot, long k)
{
    const struct attr_slot *s = &r.t->slot.a[slot];
    struct run_said said = { ATTR_STUCK, -1 };

    (void)x;
    if (r.env->inst)
        said.code = (int)r.env->inst(r.env->ctx, s->pattern, k, s->label, &said.id);
    return said;
}

int run_taken(struct run r, struct run_answers x, int pattern)
{
    (void)x;
    return r.env->taken ? r.env->taken(r.env->ctx, pattern) : -1;
}

struct run_answers run_answer_room(struct run r, struct run_answers x)
{
    (void)vec_room(r.mem, &x, 1);
    return x;
}

bool run_enlarge(struct run r, struct run_answers x)
{
    (void)x;
    int values = r.vs->n > RUN_VALUES_MAX ? r.vs->n : RUN_VALUES_MAX;
    int elems = r.vs->npool > RUN_VALUES_MAX ? r.vs->npool : RUN_VALUES_MAX;

    return (r.vs->cap - r.vs->n < values || r.vs->cappool - r.vs->npool < elems) && values_enlarge(r.vs);
}

bool run_symbol_room(struct run r)
{
    struct values *vs = r.vs;
    int n = r.view.nsymbol + 2;

    return vs->capsymbol >= n || mem_grow(r.mem, (void **)(void *)&vs->symbol, &vs->capsymbol, n, sizeof *vs->symbol);
}

void run_free(struct run_answers x)
{
    mem_free(x.a);
}
