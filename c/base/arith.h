/* Arithmetic of indices: floor quotients and remainders by positive numbers, sums and products that fit or are refused. */
#ifndef CALQUE_BASE_ARITH_H
#define CALQUE_BASE_ARITH_H

#include <limits.h>
#include <stdbool.h>

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

#endif
