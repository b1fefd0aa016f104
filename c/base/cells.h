/* How many cells an array has. */
#ifndef CALQUE_BASE_CELLS_H
#define CALQUE_BASE_CELLS_H

#include "base/arith.h"

#ifdef __FRAMAC__
#include "base/cells.acsl"
#endif

/* The number of cells, or -1 when they are more than max. */
/*@ requires valid:    0 <= n && \valid_read(dim + (0 .. n - 1));
    requires dims:     dims(dim, n);
    requires max:      1 <= max < LONG_MAX;
    terminates \true;
    exits    never:    \false;
    assigns  \nothing;
    ensures  cells:    \result >= 0 ==> \result == cells(dim, n) && \result <= max;
    ensures  refused:  \result < 0 ==> cells(dim, n) > max;
    ensures  code:     \result >= -1;
*/
long row_cells(const long *dim, int n, long max);

#endif
