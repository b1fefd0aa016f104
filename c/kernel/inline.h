/* Passes around producer inlining (spec inline; kernel_inline is in kernel.h): what may be inlined is soundness, I1 to I5,
   and always checked; what should be is policy. Results of random programs stay equal bit for bit. */
#ifndef CALQUE_KERNEL_INLINE_H
#define CALQUE_KERNEL_INLINE_H

#include "kernel/kernel.h"

/* All zero: definitions without reduction go to any number of loads, those with one only where nothing is repeated. */
struct inline_policy {
    bool reductions; /* also repeat reductions */
    int loads;       /* at most that many loads; 0: any number */
    bool together;   /* loads of one statement, all at its own variables in order, count as one and may repeat a reduction:
                        in the result they are the same node, which lowering computes once */
    bool in_place;   /* only to loads outside reductions at all the consumer's own variables in order, over the same extents:
                        its loops compute what theirs did, cell by cell */
    bool permuted;   /* where in_place or together ask for variables in order: or in another one, the same at all loads. With
                        a reduction the consumer's loops then run in the order of the definition's (reverse inlining) */
    int repeat;      /* at most so many operations more a cell (a reduction is one, a function of libm 16, a quotient 4); 0: any
                        number. The work after inlining is then bounded by that of the statements: each adds at most this */
    bool alone;      /* no reduction beside another one or under a condition: those are not tiled (dpia/lower_loops.c) */
};

/* What speaks against inlining t: a side condition (I1 to I3) or the policy; NULL: nothing does, unless the result goes
   out of bounds (I5) or is too large. */
const char *kernel_inline_refusal(struct kernel *k, int t, const struct inline_policy *o);
/* kernel_inline under a policy. */
enum calque_status kernel_inline_policy(struct kernel *k, int t, const struct inline_policy *o, struct diag *d);

/* Inlines every temporary that may and should be, in the order of their statements, until no more
   can be; the number of those inlined. refused (NULL allowed) is told about the others: once for each that stays. CALQUE_NOMEM or CALQUE_LIMIT
   only for memory; a result that would be too large is a refusal. */
enum calque_status kernel_inline_all(struct kernel *k, const struct inline_policy *o, int *inlined,
                                     void (*refused)(void *arg, const struct diag *why), void *arg, struct diag *d);

/* Removes the statements that no output depends on; their number. */
enum calque_status kernel_remove_dead(struct kernel *k, int *removed, struct diag *d);

/* Consumer into producer. The one statement that loads t does so at a permutation of its output variables (equal extents),
   at all loads the same: then that statement, inlined, runs in the order of t's definition. The text differs from plain
   inlining only in the names of the variables, which are the producer's; *stmt is that statement, its `loop` the order.
   CALQUE_NO (k unchanged) when a condition fails. */
enum calque_status kernel_inline_reverse(struct kernel *k, int t, int *stmt, struct diag *d);

#endif
