/* The proved part of the interpreter's index arithmetic: the value of an index expression for given loop variables, the
   coordinates of consecutive cells, comparisons over a range. */
#ifndef CALQUE_KERNEL_INDEX_H
#define CALQUE_KERNEL_INDEX_H

#include "base/arith.h"
#include "kernel/affine.h"

/* The arrays of a statement's forms, and the values of its variables. */
struct index_view {
    const struct aff_atom *atom;
    const struct aff_form *form;
    const struct aff_term *term;
    const long *var;
    int natom, nform, nterm, nvar;
};

#ifdef __FRAMAC__
#include "kernel/index.acsl"
#endif

/* The value of an atom. Quotients are of forms over atoms before them. */
/*@ requires ready:    ready(v);
    requires atom:     0 <= id < v.natom;
    terminates \true;
    decreases id;
    exits    never:    \false;
    assigns  \nothing;
    ensures  value:    \result == val(id);
*/
long index_atom(struct index_view v, int id);

/* k + the sum of n terms. */
/*@ requires ready:    ready(v);
    requires terms:    0 <= n && \valid_read(t + (0 .. n - 1)) && terms_before(t, 0, n, v.natom);
    requires mild:     mild(t, 0, n, k);
    terminates \true;
    exits    never:    \false;
    assigns  \nothing;
    ensures  value:    \result == k + upto(t, 0, n);
*/
long index_sum(struct index_view v, const struct aff_term *t, int n, long k);

/* at[l]: the coordinate of cell first + l in the dimension of `extent` whose steps are `stride` cells apart. */
/*@ requires valid:    0 <= n && \valid(at + (0 .. n - 1));
    requires cells:    0 <= first && 0 < stride && first + n <= LONG_MAX;
    requires extent:   0 < extent <= INT_MAX;
    terminates \true;
    exits    never:    \false;
    assigns  at[0 .. n - 1];
    ensures  coord:    \forall integer l; 0 <= l < n ==>
                       at[l] == floor_mod(floor_div(first + l, stride), extent);
*/
void index_coords(int32_t *at, int n, long first, long stride, long extent);

enum outcome { NEVER, ALWAYS, MIXED };

/* x op 0 for all x from lo to hi? */
/*@ requires range:    lo <= hi;
    requires op:       CMP_LT <= op <= CMP_NE;
    terminates \true;
    exits    never:    \false;
    assigns  \nothing;
    ensures  outcome:  \result == NEVER || \result == ALWAYS || \result == MIXED;
    ensures  always:   \result == ALWAYS ==> \forall integer x; lo <= x <= hi ==> holds(op, x);
    ensures  never:    \result == NEVER ==> \forall integer x; lo <= x <= hi ==> !holds(op, x);
    ensures  some:     \result == MIXED ==> holds(op, lo) || holds(op, hi) || (lo <= 0 <= hi && holds(op, 0));
    ensures  others:   \result == MIXED ==> !holds(op, lo) || !holds(op, hi) || (lo <= 0 <= hi && !holds(op, 0));
*/
enum outcome index_decide(int op, long lo, long hi);

#endif
