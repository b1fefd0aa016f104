/* The memory of substitutions and the text of where new nodes come from. Not proved: memory management, printed text. */
#ifndef CALQUE_REWRITE_SPLICE_ROOM_H
#define CALQUE_REWRITE_SPLICE_ROOM_H

#include "rewrite/splice.h"

void splice_free(struct splice *s);
/* The room that splice_check and splice_commit require, in arrays that are nothing else's: a stamp of each node that was
   there (new ones: 0), room for each of them in the walk and in s->early, for all nodes in s->list. */
enum calque_status splice_room(struct splice *s, int first, struct diag *d);
/* What the match's rule is called and what it replaces: a string id, or -1 when memory is out. */
int splice_origin(const struct splice *s, const struct matcher *m);

#endif
