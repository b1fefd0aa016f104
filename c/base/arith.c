#include "base/arith.h"

#ifdef __FRAMAC__
#include "base/factor.acsl"
#endif

long floor_div(long a, long k)
{
    return a / k - (a % k < 0);
}

long floor_mod(long a, long k)
{
    return a % k < 0 ? a % k + k : a % k;
}

struct exact exact_add(long a, long b)
{
    struct exact r = { b > 0 ? a <= LONG_MAX - b : a >= LONG_MIN - b, 0 };

    if (r.fits)
        r.z = a + b;
    return r;
}

bool exceeds(long a, long b, long max)
{
    return a > max / b;
}

/*@ terminates \true;
    exits    never:    \false;
    assigns  \nothing;
    ensures  fits:     \result != 0 ==> in_long(a * b);
    ensures  refused:  \result == 0 ==> !in_long(a * b);
*/
static bool mul_fits(long a, long b)
{
    if (a == 0 || b == 0)
        return true;
    if (a > 0 && b > 0)
        return !exceeds(a, b, LONG_MAX);
    if (b > 0) {
        /*@ assert down: a >= LONG_MIN / b <==> a * b >= LONG_MIN; */
        return a >= LONG_MIN / b;
    }
    if (a > 0) {
        /*@ assert down: b >= LONG_MIN / a <==> b * a >= LONG_MIN; */
        return b >= LONG_MIN / a;
    }
    return a != LONG_MIN && b != LONG_MIN && !exceeds(-a, -b, LONG_MAX);
}

struct exact exact_mul(long a, long b)
{
    struct exact r = { mul_fits(a, b), 0 };

    if (r.fits)
        r.z = a * b;
    return r;
}
