/* Memory for walks. Trusted: memory management; this contract is what walk.c is proved from. */
#ifndef CALQUE_PATTERN_WALK_ROOM_H
#define CALQUE_PATTERN_WALK_ROOM_H

#include "pattern/walk.h"

/* Room for n nodes; what is there stays as it is, wherever it stands then. False when memory is out. */
/*@ requires held:     held_walk(w) && \valid(mem) && \separated(w, mem) && 0 <= n;
    terminates \true;
    exits    never:    \false;
    assigns  *w, *mem, { *p | unsigned *p; \true }, { *q | long *q; \true };
    ensures  result:   \result == 0 || \result == 1;
    ensures  held:     held_walk(w);
    ensures  same:     w->seen.n == \old(w->seen.n) && w->stamp == \old(w->stamp);
    ensures  old:      moved_stamps{Pre,Post}(\old(w->seen.a), w->seen.a, \old(w->seen.n));
    ensures  room:     \result == 1 ==> n <= w->seen.cap && n <= w->work.cap;
*/
bool walk_grow(struct walker *w, struct mem *mem, int n);

#endif
