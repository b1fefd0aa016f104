/* What is freed is empty, and can be freed again. Guards: alloc.c, alloc.c, alloc.c, alloc.c, visited.c. */
#include "attr/alloc.c"
#include "graph/alloc.c"
#include "pattern/visited.c"

/*@ requires valid: \valid(vs) && \valid(t) && \valid(m) && \separated(vs, t, m); */
void client_attrs_freed(struct values *vs, struct attrs *t, struct attr_memo *m)
{
    values_free(vs);
    attrs_free(t);
    attr_memo_free(m);
    /*@ assert empty: vs->n == 0 && t->node.n == 0 && m->n == 0; */
    values_free(vs);
    attrs_free(t);
    attr_memo_free(m);
    /*@ assert again: vs->n == 0 && vs->mem == \at(vs->mem, Pre) && t->values == \at(t->values, Pre) && m->capof == 0; */
    /*@ assert BOOM: \false; */
}

/*@ requires valid: \valid(u) && \valid(w) && \separated(u, w); */
void client_lists_freed(struct uses *u, struct walker *w)
{
    uses_free(u);
    walk_free(w);
    /*@ assert empty: u->slot.n == 0 && w->seen.n == 0; */
    uses_free(u);
    walk_free(w);
    /*@ assert again: u->mem == \at(u->mem, Pre) && w->stamp == 0; */
    /*@ assert BOOM: \false; */
}

/*@ requires ready: ready_values(vs); */
void client_values_enlarged(struct values *vs)
{
    bool a = values_enlarge(vs), b = values_enlarge(vs);

    /*@ assert larger: a == 1 && b == 1 ==> vs->cap > \at(vs->cap, Pre) + 1; */
    /*@ assert same:   vs->n == \at(vs->n, Pre); */
    /*@ assert BOOM: \false; */
}
