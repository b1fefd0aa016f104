#include "attr/env_read.h"

#include "attr/env_room.h"

#ifdef __FRAMAC__
#include "attr/both_same.acsl"
#include "attr/both_trans.acsl"
#endif

/* env_room; both arenas stay. */
/*@ BOTH_REQUIRES
    requires counts:   0 <= nslot && 0 <= nsymbol && 0 <= n;
    terminates \true;
    exits    never:    \false;
    assigns  *t->mem, \result \from indirect:n;
    ensures  sizes:    \result.nslot == nslot && \result.nsymbol == nsymbol;
    ensures  arrays:   \result.named == \null || \valid(\result.slot + (0 .. nslot - 1)) &&
                       \valid(\result.symbol + (0 .. nsymbol - 1)) && \valid(\result.named + (0 .. n - 1)) &&
                       \separated(\result.slot + (0 .. nslot - 1), \result.symbol + (0 .. nsymbol - 1), \result.named + (0 .. n - 1));
    ensures  apart:    \result.named == \null || ENV_APART(\result, n);
    ensures  ready:    ready_both(t);
    ensures  exprs:    exprs_stay{Pre,Post}(t);
    ensures  values:   values_stay{Pre,Post}(t->values);
*/
static struct bound_arrays room(struct attrs *t, int nslot, int nsymbol, int n)
{
    /*@ ghost struct values *vs = t->values; */
    struct bound_arrays e;

    /*@ assert apart: \forall integer id; 0 <= id < vs->n ==> \separated(&vs->v[id].num, t->mem); */
    e = env_room(t, nslot, nsymbol, n);
    /*@ assert num:   \forall integer id; 0 <= id < \at(t->values->n, Pre) ==>
                      \at(t->values->v, Pre)[id].num == \at(t->values->v[id].num, Pre); */
    /*@ assert nodes: same_nodes{Pre,Here}(\at(t->values->v, Pre), \at(t->values->n, Pre)); */
    /*@ assert stay:  values_stay{Pre,Here}(vs); */
    /*@ assert wf:    WF_VALUES(*vs); */
    return e;
}

/* The environment of the bindings read, which are texts from a to b. */
/*@ EXPRS_READ_REQUIRES
    requires whole:    r.nids == BOUND_WORDS * n && 0 <= n;
    requires fits:     list_fits(t, r.ids, n);
    requires names:    list_none(SRC(r), a, b, t, r.ids, n);
    requires first:    list_first(SRC(r), a, b, t, r.ids, n);
    terminates \true;
    exits    never:    \false;
    assigns  *t->mem, { *q | int *q; \true }, { *x | struct attr_named *x; \true };
    ensures  place:    \result.r.text == r.text && \result.r.n == r.n && \result.r.at == r.at && \result.r.depth == r.depth;
    ensures  source:   SRC(\result.r) == \old(SRC(r));
    ensures  ready:    ready_both(t);
    ensures  old:      kept_both{Pre,Post}(t);
    ensures  error:    \result.r.status == CALQUE_OK || \result.r.id == -1 && \result.r.status == CALQUE_NOMEM;
    ensures  count:    \result.r.status == CALQUE_OK ==> 0 <= \result.n <= \result.room &&
                       0 <= \result.e.nslot && 0 <= \result.e.nsymbol;
    ensures  ids:      \result.r.status == CALQUE_OK ==> \forall integer i; 0 <= i < \result.n ==> 0 <= \result.e.named[i].id;
    ensures  slots:    \result.r.status == CALQUE_OK ==> slots_read(SRC(\result.r), a, b, t, \result.e.slot, \result.e.nslot);
    ensures  symbols:  \result.r.status == CALQUE_OK ==> symbols_read(SRC(\result.r), a, b, t, \result.e.symbol, \result.e.nsymbol);
    ensures  named:    \result.r.status == CALQUE_OK ==> names_read(SRC(\result.r), a, b, t, \result.e.named, \result.n);
    ensures  fit:      \result.r.status == CALQUE_OK ==> names_fit(t, \result.e.named, \result.n);
*/
static struct env_read made(struct reading r, struct attrs *t, int n)
    /*@ ghost (long a, long b) */
{
    int nslot = bound_top(r.ids, n, BOUND_SLOT) /*@ ghost (t->slot.n) */;
    int nsymbol = bound_top(r.ids, n, BOUND_SYMBOL) /*@ ghost (t->slot.n) */;
    struct bound_arrays e = room(t, nslot, nsymbol, n);
    int m;

    /*@ assert kept:  kept_both{Pre,Here}(t) && kept_slots{Pre,Here}(t) && kept_values{Pre,Here}(t); */
    if (!e.named)
        return (struct env_read){ read_fail(r, CALQUE_NOMEM), e, 0, 0 };
    /*@ ghost Room: ; */
    /*@ assert same:  same_bounds{Pre,Here}(r.ids, r.ids, n); */
    /*@ assert fits:  list_fits(t, r.ids, n); */
    /*@ assert none:  list_none(SRC(r), a, b, t, r.ids, n); */
    /*@ assert first: list_first(SRC(r), a, b, t, r.ids, n); */
    m = env_fill(t, e, r.ids, n)
        /*@ ghost (r.text, r.n, a, b) */;
    /*@ assert still: kept_both{Room,Here}(t); */
    /*@ assert all:   kept_both{Pre,Here}(t); */
    return (struct env_read){ r, e, m, n };
}

struct env_read env_read(struct reading r, struct attrs *t, struct strs *strs)
{
    struct reading s = read_mark(r, '(');
    struct env_read y;

    if (s.status != CALQUE_OK)
        return (struct env_read){ .r = s };
    /*@ ghost long open = s.at; */
    /*@ assert open:  marks(SRC(s), r.at, open, '('); */
    s.depth++;
    s = read_list(s, t, strs);
    s.depth--;
    /*@ ghost long end = s.at; */
    if (s.status == CALQUE_OK)
        s = read_mark(s, ')');
    if (s.status != CALQUE_OK)
        return (struct env_read){ .r = s };
    /*@ ghost List: ; */
    /*@ assert close: marks(SRC(s), end, s.at, ')') && marks(SRC(s), r.at, open, '('); */
    /*@ assert kept:  kept_both{Pre,Here}(t); */
    y = made(s, t, s.nids / BOUND_WORDS)
        /*@ ghost (open, end) */;
    /*@ assert still: kept_both{List,Here}(t); */
    /*@ assert all:   kept_both{Pre,Here}(t); */
    /*@ assert marks: marks(SRC(y.r), end, y.r.at, ')') && marks(SRC(y.r), r.at, open, '('); */
    return y;
}
