/* The memory of substitutions and the text of where new nodes come from. Not proved: memory management, printed text. */
#ifndef CALQUE_REWRITE_SPLICE_ROOM_H
#define CALQUE_REWRITE_SPLICE_ROOM_H

#include "rewrite/splice.h"

/*@ requires valid:    \valid(s);
    terminates \true;
    exits    never:    \false;
    assigns  s->walk, s->list, s->early;
    ensures  empty:    s->early.n == 0 && s->early.cap == 0 && s->list.n == 0 && s->walk.seen.n == 0;
*/
void splice_free(struct splice *s);
/* The room that splice_check and splice_commit require, in arrays that are nothing else's: a stamp of each node that was
   there (new ones: 0), room for each of them in the walk and in s->early, for all nodes in s->list. */
/*@ requires valid:    \valid(s) && \valid_read(s->g) && 0 <= first <= s->g->node.n;
    terminates \true;
    exits    never:    \false;
    assigns  *s, *s->g->mem, *d, { *u | unsigned *u; \true };
    ensures  result:   \result == CALQUE_OK || \result == CALQUE_NOMEM;
    ensures  empty:    s->early.n == 0 && s->list.n == 0;
    ensures  room:     \result == CALQUE_OK ==> \valid(s->early.a + (0 .. first - 1)) &&
                       \valid(s->list.a + (0 .. s->g->node.n - 1));
    ensures  stamps:   \result == CALQUE_OK ==> held_stamps(s) && first <= s->walk.seen.n;
*/
enum calque_status splice_room(struct splice *s, int first, struct diag *d);
/* What the match's rule is called and what it replaces: a string id, or -1 when memory is out. */
/*@ requires match:    \valid_read(s) && \valid_read(s->g) && \valid_read(m) && \valid_read(m->rules) &&
                       0 <= m->rule < m->rules->rule.n;
    terminates \true;
    exits    never:    \false;
    assigns  *s->g->strs, *s->g->strs->mem, *s->g->mem, *m->rules->mem, { *e | struct str_entry *e; \true },
             { *q | int *q; \true }, { *p | char *p; \true };
    ensures  id:       -1 <= \result < s->g->strs->entry.n;
*/
int splice_origin(const struct splice *s, const struct matcher *m);

#endif
