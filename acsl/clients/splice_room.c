/* Memory of substitutions. Guards: substitute.c, substitute.acsl. */
#include "rewrite/substitute.c"

/*@ requires valid: \valid(s) && \valid_read(s->g) && 0 <= s->g->node.n && \separated(s, s->g, s->g->mem, d); */
void client_splice_room(struct splice *s, struct diag *d)
{
    enum calque_status a = splice_room(s, 0, d);

    /*@ assert room: a == CALQUE_OK ==> held_stamps(s); */
    splice_free(s);
    /*@ assert empty: s->list.n == 0 && s->early.cap == 0; */
    splice_free(s);
    /*@ assert BOOM: \false; */
}

/*@ requires match: \valid_read(s) && \valid_read(s->g) && \valid_read(m) && \valid_read(m->rules) &&
                    0 <= m->rule < m->rules->rule.n;
*/
void client_splice_origin(const struct splice *s, const struct matcher *m)
{
    int a = splice_origin(s, m);

    /*@ assert id: -1 <= a; */
    /*@ assert BOOM: \false; */
}
