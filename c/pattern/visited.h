/* The memory of walks over the nodes of a graph, and nodes sorted by their labels. */
#ifndef CALQUE_PATTERN_VISITED_H
#define CALQUE_PATTERN_VISITED_H

#include "base/mem.h"

struct walker {
    struct { unsigned *a; int n, cap; } seen; /* of each node: the stamp of the last walk that met it */
    struct { long *a; int n, cap; } work;     /* room for each node */
    unsigned stamp;                           /* of the last walk */
};

#ifdef __FRAMAC__
#include "pattern/walk.acsl"
#endif

/*@ requires valid:    \valid(w);
    terminates \true;
    exits    never:    \false;
    assigns  *w;
    ensures  empty:    w->seen.n == 0 && w->work.n == 0 && w->stamp == 0;
*/
void walk_free(struct walker *w);

/* Room for nodes 0 .. n-1; no walk has met the new ones. False when memory is out. */
/*@ requires held:     held_walk(w) && \valid(mem) && \separated(w, mem) && 0 <= n;
    terminates \true;
    exits    never:    \false;
    assigns  *w, *mem, { *p | unsigned *p; \true }, { *q | long *q; \true };
    ensures  result:   \result == 0 || \result == 1;
    ensures  held:     held_walk(w);
    ensures  stamp:    w->stamp == \old(w->stamp);
    ensures  none:     \result == 0 ==> w->seen.n == \old(w->seen.n);
    ensures  room:     \result == 1 ==> w->seen.n == \max(\old(w->seen.n), n) && n <= w->work.cap;
    ensures  old:      moved_stamps{Pre,Post}(\old(w->seen.a), w->seen.a, \old(w->seen.n));
    ensures  new:      \result == 1 ==> \forall integer k; \old(w->seen.n) <= k < n ==> w->seen.a[k] == 0;
*/
bool walk_room(struct walker *w, struct mem *mem, int n);

/* No walk has met the nodes from .. n-1. */
/*@ requires valid:    0 <= from && \valid(seen + (from .. n - 1));
    terminates \true;
    exits    never:    \false;
    assigns  seen[from .. n - 1];
    ensures  zero:     \forall integer k; from <= k < n ==> seen[k] == 0;
*/
void walk_clear(unsigned *seen, int from, int n);

/* Memory for walks. Trusted: memory management; this contract is what visited.c is proved from. */
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

/* Nodes in the order of their labels. */
struct match_key {
    unsigned long order;
    int node;
};

#ifdef __FRAMAC__
#include "pattern/keys.acsl"
#endif

/* The same keys by growing labels. */
/*@ requires valid:    0 <= n && \valid(a + (0 .. n - 1));
    terminates \true;
    exits    never:    \false;
    assigns  a[0 .. n - 1];
    ensures  sorted:   keys_sorted(a, n);
    ensures  distinct: keys_distinct{Pre}(a, n) ==> keys_distinct(a, n);
    ensures  same:     keys_among{Pre,Post}(a, n) && keys_among{Post,Pre}(a, n);
*/
void key_sort(struct match_key *a, int n);

#endif
