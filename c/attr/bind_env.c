#include "attr/bind_env.h"

int bind_env(struct bound_arrays x, const unsigned *p, int n) /*@ ghost (int ns) */
{
    int m = bind_named(x.named, p, n) /*@ ghost (ns) */;

    /*@ ghost Named: ; */
    bind_keys(x.slot, x.nslot, p, n, BOUND_SLOT) /*@ ghost (ns) */;
    /*@ assert names1: \forall integer i; 0 <= i < n ==> x.named[i].pattern == \at(x.named[i].pattern, Named) &&
                       x.named[i].label == \at(x.named[i].label, Named) && x.named[i].id == \at(x.named[i].id, Named); */
    /*@ ghost Slots: ; */
    bind_keys(x.symbol, x.nsymbol, p, n, BOUND_SYMBOL) /*@ ghost (ns) */;
    /*@ assert slots:  \forall integer s; 0 <= s < x.nslot ==> x.slot[s] == \at(x.slot[s], Slots); */
    /*@ assert names2: \forall integer i; 0 <= i < n ==> x.named[i].pattern == \at(x.named[i].pattern, Named) &&
                       x.named[i].label == \at(x.named[i].label, Named) && x.named[i].id == \at(x.named[i].id, Named); */
    /*@ assert long:   \forall integer i; 0 <= i < n ==> x.named[i].k == \at(x.named[i].k, Named); */
    /*@ assert named:  \forall integer i, key, label, k; 0 <= i < m ==>
                       (is_named(x.named, i, key, label, k) <==> is_named{Named}(x.named, i, key, label, k)); */
    /*@ assert none:   \forall integer i, key, label, k; i <= m ==>
                       (unnamed(x.named, i, key, label, k) <==> unnamed{Named}(x.named, i, key, label, k)); */
    /*@ assert first:  \forall integer i, key, label, k; first_named(x.named, m, i, key, label, k) ==>
                       first_named{Named}(x.named, m, i, key, label, k) && x.named[i].id == \at(x.named[i].id, Named); */
    return m;
}
