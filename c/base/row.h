/* Row-major arrays of long dimensions: the place of a cell and the cell of a place, inverse to each other. */
#ifndef CALQUE_BASE_ROW_H
#define CALQUE_BASE_ROW_H

#include "base/arith.h"

#ifdef __FRAMAC__
#include "base/row.acsl"
#endif

/* The place of cell `at`. */
/*@ requires valid:    0 <= n && \valid_read(dim + (0 .. n - 1)) && \valid_read(at + (0 .. n - 1));
    requires box:      in_box(dim, at, n);
    requires sized:    sized(dim, n);
    terminates \true;
    exits    never:    \false;
    assigns  \nothing;
    ensures  place:    \result == place(dim, at, n);
    ensures  range:    0 <= \result < cells(dim, n);
*/
long row_place(const long *dim, const long *at, int n);

/* at: the cell whose place is `place`. */
/*@ requires valid:    0 <= n && \valid_read(dim + (0 .. n - 1)) && \valid(at + (0 .. n - 1));
    requires apart:    \separated(dim + (0 .. n - 1), at + (0 .. n - 1));
    requires dims:     dims(dim, n);
    requires range:    0 <= place < cells(dim, n);
    terminates \true;
    exits    never:    \false;
    assigns  at[0 .. n - 1];
    ensures  box:      in_box(dim, at, n);
    ensures  inverse:  place(dim, at, n) == place;
*/
void row_cell(const long *dim, int n, long place, long *at);

/* Two cells at one place are one. */
/*@ ghost
/@ requires valid:    0 <= n && \valid_read(dim + (0 .. n - 1)) && \valid_read(at + (0 .. n - 1)) &&
                      \valid_read(bt + (0 .. n - 1));
   requires box:      in_box(dim, at, n) && in_box(dim, bt, n);
   requires same:     place(dim, at, n) == place(dim, bt, n);
   terminates \true;
   exits    never:    \false;
   assigns  \nothing;
   ensures  one:      \forall integer i; 0 <= i < n ==> at[i] == bt[i];
@/
void row_one(const long *dim, const long *at, const long *bt, int n);
*/

#endif
