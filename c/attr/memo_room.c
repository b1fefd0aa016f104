/* Memory of a memo: growth keeps what is there, a failure changes nothing. Trusted by the proofs of memo*.c. */
#include "attr/memo_room.h"

/*@ requires valid:    \valid(m);
    terminates \true;
    exits    never:    \false;
    assigns  *m;
    ensures  empty:    m->n == 0 && m->cap == 0 && m->capof == 0;
    ensures  mem:      m->mem == \old(m->mem);
*/
void attr_memo_free(struct attr_memo *m)
{
    mem_free(m->node);
    mem_free(m->of);
    attr_memo_init(m, m->mem);
}

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
