/* Memory of the arena of values, and floats as bits and back. Growth keeps what is there, a failure changes nothing.
   Trusted. */
#include "attr/value_room.h"

#include <string.h>

/*@ requires valid:    \valid(vs);
    terminates \true;
    exits    never:    \false;
    assigns  *vs;
    ensures  empty:    vs->n == 0 && vs->npool == 0 && vs->capstack == 0 && vs->capsymbol == 0;
    ensures  mem:      vs->mem == \old(vs->mem);
*/
void values_free(struct values *vs)
{
    mem_free(vs->v);
    mem_free(vs->pool);
    mem_free(vs->stack);
    mem_free(vs->symbol);
    values_init(vs, vs->mem);
}

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

/*@ requires ready:    ready_values(vs);
    terminates \true;
    exits    never:    \false;
    assigns  *vs, *vs->mem, { *p | struct value *p; \true }, { *q | int *q; \true }, { *u | unsigned *u; \true };
    ensures  result:   \result == 0 || \result == 1;
    ensures  ready:    ready_values(vs);
    ensures  mem:      vs->mem == \old(vs->mem);
    ensures  counts:   vs->n == \old(vs->n) && vs->npool == \old(vs->npool);
    ensures  old:      extends(\old(VALS(*vs)), VALS(*vs), vs->n);
    ensures  larger:   \result == 1 ==> vs->cap > \old(vs->cap);
*/
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
