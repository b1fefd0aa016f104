/* Proved by acsl/prove.py: inductions over the expressions, for use by ghost calls. */
#include "attr/attr_internal.h"
#include "attr/eval.h"
#include "attr/memo_internal.h"

#ifdef __FRAMAC__
#include "attr/memo_steps.acsl"

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

/*@ ghost
void memo_same(struct attr_put p, struct values vs)
{
    /@ assert both: wf_both(p, vs.n); @/
    /@ loop invariant range: 0 <= k <= p.n;
       loop invariant alike: alike_below(p, VALS(vs), k);
       loop assigns k;
       loop variant p.n - k;
    @/
    for (int k = 0; k < p.n; k++)
        ;
}
*/
#endif
