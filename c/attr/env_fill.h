/* The arrays of an environment are filled beside the arenas. */
#ifndef CALQUE_ATTR_ENV_FILL_H
#define CALQUE_ATTR_ENV_FILL_H

#include "attr/bind_env.h"
#include "attr/read_list.h"

#ifdef __FRAMAC__
#include "attr/env_text.acsl"

/* A place is apart from the arrays of e. */
#define ENV_OFF(e, n, x)                                                                       \
    (\separated(x, (e).slot + (0 .. (e).nslot - 1)) && \separated(x, (e).symbol + (0 .. (e).nsymbol - 1)) && \
     \separated(x, (e).named + (0 .. (n) - 1)))
#define ENV_APART(e, n)                                                                        \
    (ENV_OFF(e, n, t) && ENV_OFF(e, n, t->node.a + (0 .. t->node.cap - 1)) && ENV_OFF(e, n, t->kid.a + (0 .. t->kid.cap - 1)) && \
     ENV_OFF(e, n, t->slot.a + (0 .. t->slot.cap - 1)) && ENV_OFF(e, n, t->values) &&          \
     ENV_OFF(e, n, t->values->v + (0 .. t->values->cap - 1)) && ENV_OFF(e, n, t->values->pool + (0 .. t->values->cappool - 1)))
#endif

/* The n bindings of the list are texts from a to b; the arrays are filled, and what they bind is what is written there. The
   number of names. */
/*@ BOTH_REQUIRES
    requires list:     0 <= n && \valid_read(p + (0 .. BOUND_WORDS * n - 1)) && list_fits(t, p, n);
    requires names:    list_none(source_of(text, len), a, b, t, p, n);
    requires first:    list_first(source_of(text, len), a, b, t, p, n);
    requires room:     0 <= e.nslot && 0 <= e.nsymbol && \valid(e.slot + (0 .. e.nslot - 1)) &&
                       \valid(e.symbol + (0 .. e.nsymbol - 1)) && \valid(e.named + (0 .. n - 1));
    requires apart:    \separated(e.slot + (0 .. e.nslot - 1), e.symbol + (0 .. e.nsymbol - 1), e.named + (0 .. n - 1));
    requires off:      ENV_APART(e, n);
    requires below:    keys_below(e.nslot, p, n, BOUND_SLOT) && keys_below(e.nsymbol, p, n, BOUND_SYMBOL);
    terminates \true;
    exits    never:    \false;
    assigns  e.slot[0 .. e.nslot - 1], e.symbol[0 .. e.nsymbol - 1], e.named[0 .. n - 1];
    ensures  ready:    ready_both(t);
    ensures  old:      kept_both{Pre,Post}(t);
    ensures  count:    0 <= \result <= n;
    ensures  ids:      \forall integer i; 0 <= i < \result ==> 0 <= e.named[i].id;
    ensures  slots:    slots_read(source_of(text, len), a, b, t, e.slot, e.nslot);
    ensures  symbols:  symbols_read(source_of(text, len), a, b, t, e.symbol, e.nsymbol);
    ensures  named:    names_read(source_of(text, len), a, b, t, e.named, \result);
    ensures  fit:      names_fit(t, e.named, \result);
*/
int env_fill(struct attrs *t, struct bound_arrays e, const unsigned *p, int n)
    /*@ ghost (const char *text, long len, long a, long b) */;

#endif
