/* Static memory plan: places buffers with lifetimes in one arena, and the check of such a plan. */
#ifndef CALQUE_EMIT_PLAN_H
#define CALQUE_EMIT_PLAN_H

#include <stdbool.h>
#include <stddef.h>

enum { PLAN_ALIGN = 64 };

struct plan_item {
    size_t bytes;
    int def, last; /* steps, both inclusive */
    size_t offset; /* the answer: a multiple of PLAN_ALIGN */
};

/* Step `step` reads or writes item `item`. */
struct plan_use {
    int item, step;
};

/*@ predicate lives_meet{L}(struct plan_item *a, integer i, integer j) = a[i].def <= a[j].last && a[j].def <= a[i].last;
    predicate items_apart{L}(struct plan_item *a, integer i, integer j) =
      a[i].offset + a[i].bytes <= a[j].offset || a[j].offset + a[j].bytes <= a[i].offset;
    predicate plan_inside{L}(struct plan_item *a, integer n, integer total) =
      \forall integer i; 0 <= i < n ==> a[i].offset + a[i].bytes <= total;
    predicate item_apart{L}(struct plan_item *a, integer i, integer n) =
      \forall integer j; 0 <= j < n ==> lives_meet(a, i, j) ==> items_apart(a, i, j);
    predicate plan_disjoint{L}(struct plan_item *a, integer n) = \forall integer i; 0 <= i < n ==> item_apart(a, i, i);
    predicate plan_lives{L}(struct plan_item *a, integer n, struct plan_use *u, integer m) =
      \forall integer k; 0 <= k < m ==> 0 <= u[k].item < n && a[u[k].item].def <= u[k].step <= a[u[k].item].last;
*/

/* Is this a plan for an arena of so many bytes: does each item lie in it, is each use within its item's life, and do items whose
   lives meet lie apart? Then nothing that a step writes is what a later step reads of another item. Time: n * n. */
/*@ requires items:  0 <= n && \valid_read(a + (0 .. n - 1));
    requires uses:   0 <= m && \valid_read(u + (0 .. m - 1));
    terminates \true;
    exits    never:  \false;
    assigns  \nothing;
    ensures  holds:  \result == true <==> plan_inside(a, n, total) && plan_lives(a, n, u, m) && plan_disjoint(a, n);
*/
bool plan_holds(const struct plan_item *a, int n, size_t total, const struct plan_use *u, int m);

#endif
