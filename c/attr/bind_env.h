/* The arrays of an environment, from the flat list of its bindings. */
#ifndef CALQUE_ATTR_BIND_ENV_H
#define CALQUE_ATTR_BIND_ENV_H

#include "attr/read_bind.h"

struct bound_arrays {
    int *slot, nslot, *symbol, nsymbol;
    struct attr_named *named;
};

/* All are filled; the number of names. */
/*@ BOUNDS_REQUIRES
    requires room:     0 <= x.nslot && 0 <= x.nsymbol && \valid(x.slot + (0 .. x.nslot - 1)) &&
                       \valid(x.symbol + (0 .. x.nsymbol - 1)) && \valid(x.named + (0 .. n - 1));
    requires apart:    \separated(x.slot + (0 .. x.nslot - 1), x.symbol + (0 .. x.nsymbol - 1), x.named + (0 .. n - 1));
    requires below:    keys_below(x.nslot, p, n, BOUND_SLOT) && keys_below(x.nsymbol, p, n, BOUND_SYMBOL);
    terminates \true;
    exits    never:    \false;
    assigns  x.slot[0 .. x.nslot - 1], x.symbol[0 .. x.nsymbol - 1], x.named[0 .. n - 1];
    ensures  slots:    keys_bound(x.slot, x.nslot, p, n, BOUND_SLOT);
    ensures  symbols:  keys_bound(x.symbol, x.nsymbol, p, n, BOUND_SYMBOL);
    ensures  count:    0 <= \result <= n;
    ensures  ids:      \forall integer i; 0 <= i < \result ==> 0 <= x.named[i].id;
    ensures  none:     none_named(x.named, \result, p, n);
    ensures  names:    all_named(x.named, \result, p, n);
*/
int bind_env(struct bound_arrays x, const unsigned *p, int n) /*@ ghost (int ns) */;

#endif
