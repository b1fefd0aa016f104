/* Memory of the arenas of values, expressions and memos, floats as bits and back, and the callbacks of an environment. Growth keeps
   what is there, a failure changes nothing.
   What grows or calls back is trusted (acsl/TRUSTED.md); what frees is proved. */
#include <string.h>

#include "attr/attr_internal.h"
#include "attr/eval_driver.h"
#include "attr/memo_internal.h"
#include "attr/value_internal.h"

bool values_room(struct values *vs, int values, int elems) /*@ ghost (const int *ids, int nids, const long *nums, int nnums) */
{
    if (vs->n > VALUE_ARENA_MAX - values || vs->npool > VALUE_ARENA_MAX - elems)
        return false;
    return (vs->cap - vs->n >= values ||
            mem_grow(vs->mem, (void **)(void *)&vs->v, &vs->cap, vs->n + values, sizeof *vs->v)) &&
           (vs->cappool - vs->npool >= elems ||
            mem_grow(vs->mem, (void **)(void *)&vs->pool, &vs->cappool, vs->npool + elems, sizeof *vs->pool));
}

int *values_scratch(struct values *vs, int n) /*@ ghost (int *ids, int nids) */
{
    return mem_resize(vs->mem, NULL, (size_t)n + 1, sizeof(int));
}

void values_scratch_free(int *scratch)
{
    mem_free(scratch);
}

bool values_enlarge(struct values *vs)
{
    if (vs->cap >= VALUE_ARENA_MAX || vs->cappool >= VALUE_ARENA_MAX ||
        vs->capstack >= VALUE_ARENA_MAX)
        return false;
    return mem_grow(vs->mem, (void **)(void *)&vs->v, &vs->cap, vs->cap + 8, sizeof *vs->v) &&
           mem_grow(vs->mem, (void **)(void *)&vs->pool, &vs->cappool, vs->cappool + 8,
                    sizeof *vs->pool) &&
           mem_grow(vs->mem, (void **)(void *)&vs->stack, &vs->capstack, vs->capstack + 8,
                    sizeof *vs->stack);
}

long value_bits(double x)
{
    long bits;

    memcpy(&bits, &x, sizeof bits);
    return bits;
}

double value_unbits(long bits)
{
    double x;

    memcpy(&x, &bits, sizeof x);
    return x;
}

/* Memory of the arena of expressions: growth keeps what is there, a failure changes nothing. */
bool attrs_room(struct attrs *t, int nodes, int kids, int slots) /*@ ghost (const int *own, int n) */
{
    return vec_room(t->mem, &t->kid, kids) && vec_room(t->mem, &t->node, nodes) && vec_room(t->mem, &t->slot, slots);
}

/* Memory of a memo: growth keeps what is there, a failure changes nothing. */
int *memo_room(struct attr_memo *m, int n, int size) /*@ ghost (const struct attrs *t) */
{
    int *table;

    m->n = 0;
    if ((m->cap < n && !mem_grow(m->mem, (void **)(void *)&m->node, &m->cap, n, sizeof *m->node)) ||
        (m->capof < n && !mem_grow(m->mem, (void **)(void *)&m->of, &m->capof, n, sizeof *m->of)))
        return NULL;
    table = mem_resize(m->mem, NULL, (size_t)size, sizeof *table);
    if (table)
        m->n = n;
    return table;
}

void memo_table_free(int *table)
{
    mem_free(table);
}

/* What an evaluation asks of its environment: instances, values of patterns, memory. AE and AM read patterns only
   here. Trusted: the callbacks are code of the caller (eval_driver.h says what they must keep). */
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
