/* Memory of a memo, twice. Guards: memo_internal.h. */
#include "attr/memo_internal.h"

/*@ requires held: held_memo(m) && held_source(t) && off_memo(t, m) && t->node.n > 0; */
void client_memo_room(struct attr_memo *m, struct attrs *t)
{
    int *a = memo_room(m, 2, 8) /*@ ghost (t) */, *b;

    memo_table_free(a);
    /*@ assert first: a != \null ==> m->n == 2; */
    b = memo_room(m, 3, 8) /*@ ghost (t) */;
    /*@ assert count: b != \null ==> m->n == 3; */
    /*@ assert held:  held_memo(m) && held_source(t) && m->mem == \at(m->mem, Pre); */
    /*@ assert BOOM: \false; */
}
