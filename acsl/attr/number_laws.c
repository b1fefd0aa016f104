/* Proved by acsl/prove.py: inductions over exponents, for use by ghost calls. */
#include "attr/ops.h"

#ifdef __FRAMAC__
#include "attr/power.acsl"

/*@ ghost
void power_laws(int n)
{
    /@ loop invariant range: 0 <= k <= n;
       loop invariant powers: powers(k);
       loop assigns k;
       loop variant n - k;
    @/
    for (int k = 0; k < n; k++) {
        /@ assert next: power(k + 1) == 2 * power(k); @/
    }
}
*/

/*@ ghost
void power_sum(int a, int b)
{
    /@ loop invariant range: 0 <= k <= b;
       loop invariant sum:   power(a + k) == power(a) * power(k);
       loop assigns k;
       loop variant b - k;
    @/
    for (int k = 0; k < b; k++) {
        /@ assert next: power(k + 1) == 2 * power(k); @/
        /@ assert both: power(a + k + 1) == 2 * power(a + k); @/
    }
}
*/

/*@ ghost
void power_rest(int n, long r, long p)
{
    power_laws(n);
    /@ assert some: 1 <= power(n); @/
    /@ assert most: r * power(n) <= (p - 1) * power(n); @/
}
*/

/*@ ghost
void power_values(void)
{
}
*/
#endif
