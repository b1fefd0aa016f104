/* Arithmetic of indices: floor quotients and remainders, sums and products that fit or are refused, cells of boxes, rows. */
#ifndef CALQUE_BASE_ARITH_H
#define CALQUE_BASE_ARITH_H

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>

#ifdef __FRAMAC__
#include "base/arith.acsl"
#endif

/* The greatest q with q * k <= a. */
/*@ requires divisor:  0 < k;
    terminates \true;
    exits    never:    \false;
    assigns  \nothing;
    ensures  quotient: \result == floor_div(a, k);
    ensures  floor:    k * \result <= a < k * \result + k;
*/
long floor_div(long a, long k);

/* a - k * floor_div(a, k) */
/*@ requires divisor:  0 < k;
    terminates \true;
    exits    never:    \false;
    assigns  \nothing;
    ensures  rest:     \result == floor_mod(a, k);
    ensures  range:    0 <= \result < k;
*/
long floor_mod(long a, long k);

/* Is a * b more than max? */
/*@ requires signs:    0 < a && 0 < b && 0 <= max;
    terminates \true;
    exits    never:    \false;
    assigns  \nothing;
    ensures  result:   \result != 0 <==> a * b > max;
*/
bool exceeds(long a, long b, long max);

/* A number, or none: it is no long. */
struct exact {
    bool fits;
    long z;
};

/* a + b */
/*@ terminates \true;
    exits    never:    \false;
    assigns  \nothing;
    ensures  fits:     \result.fits != 0 <==> in_long(a + b);
    ensures  value:    \result.fits != 0 ==> \result.z == a + b;
*/
struct exact exact_add(long a, long b);

/* a * b */
/*@ terminates \true;
    exits    never:    \false;
    assigns  \nothing;
    ensures  fits:     \result.fits != 0 ==> in_long(a * b);
    ensures  refused:  \result.fits == 0 ==> !in_long(a * b);
    ensures  value:    \result.fits != 0 ==> \result.z == a * b;
*/
struct exact exact_mul(long a, long b);

/* How many cells an array has. */
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

/* Row-major arrays of long dimensions: the place of a cell and the cell of a place, inverse to each other. */
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

/* The proved part of growing arrays: the new capacity. mem_grow itself is nothing but this and the allocator. */

/* At least `need` and, when it grows, half more than it was. */
/*@ requires range:    0 <= cap && need <= INT32_MAX / 2;
    terminates \true;
    exits    never:    \false;
    assigns  \nothing;
    ensures  enough:   need <= \result && cap <= \result && 8 <= \result;
    ensures  same:     need <= cap ==> 8 <= cap ==> \result == cap;
    ensures  half:     8 <= cap < need ==> cap + cap / 2 < \result;
    ensures  bound:    \result <= \max(\max(cap, 8), need + need / 2 + 8);
*/
int mem_cap(int cap, int need);

#endif
