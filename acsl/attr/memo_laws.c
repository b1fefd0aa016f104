/* Proved by acsl/prove.sh: induction over the expressions. */
#include "attr/attr.h"

#ifdef __FRAMAC__
#include "attr/memo_const.acsl"

/*@ ghost
void memo_laws(int n)
{
    /@ loop invariant range: 0 <= k <= n;
       loop invariant scope: scope_below(k);
       loop invariant memo:  memo_below(k);
       loop assigns k;
       loop variant n - k;
    @/
    for (int k = 0; k < n; k++)
        ;
}
*/
#endif
