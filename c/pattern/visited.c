/* Which nodes a walk has visited: stamps, a queue; nodes sorted by their labels. Invariant: a stamp counts in the walk that wrote it only. */
#include "pattern/visited.h"

void walk_free(struct walker *w)
{
    mem_free(w->seen.a);
    mem_free(w->work.a);
    w->seen.a = NULL;
    w->work.a = NULL;
    w->seen.n = w->seen.cap = w->work.n = w->work.cap = 0;
    w->stamp = 0;
}

bool walk_grow(struct walker *w, struct mem *mem, int n)
{
    return vec_room(mem, &w->work, n) && vec_room(mem, &w->seen, n - w->seen.n);
}

void walk_clear(unsigned *seen, int from, int n)
{
    /*@ loop invariant range: from <= k && (k <= n || k == from);
        loop invariant zero:  \forall integer j; from <= j < k ==> seen[j] == 0;
        loop assigns k, seen[from .. n - 1];
        loop variant n - k;
    */
    for (int k = from; k < n; k++)
        seen[k] = 0;
}

/* The nodes up to n have stamps. */
/*@ requires valid:    held_walk(w) && n <= w->seen.cap;
    terminates \true;
    exits    never:    \false;
    assigns  w->seen.n;
    ensures  count:    w->seen.n == \max(\old(w->seen.n), n);
    ensures  held:     held_walk(w);
    ensures  same:     moved_stamps{Pre,Post}(w->seen.a, w->seen.a, w->seen.n);
*/
static void count(struct walker *w, int n)
{
    if (w->seen.n < n)
        w->seen.n = n;
    /*@ assert same: moved_stamps{Pre,Here}(w->seen.a, w->seen.a, w->seen.n); */
}

bool walk_room(struct walker *w, struct mem *mem, int n)
{
    if (!walk_grow(w, mem, n))
        return false;
    /*@ ghost Grown: ; */
    walk_clear(w->seen.a, w->seen.n, n);
    /*@ assert old: moved_stamps{Grown,Here}(w->seen.a, w->seen.a, w->seen.n); */
    /*@ assert held: held_walk(w); */
    count(w, n);
    return true;
}

/* Sorting by keys: the heap sort of base/heap_sort.h. */

#ifdef __FRAMAC__
#include "pattern/key_sort.acsl"
#else
#define HEAP_ITEM struct match_key
#endif
#define HEAP_BELOW(a, i, j) ((a)[i].order < (a)[j].order)
#include "base/heap_sort.h"

void key_sort(struct match_key *a, int n)
{
    heap_sort(a, n);
}
