#include "attr/read_list.h"

#ifdef __FRAMAC__
#include "attr/both_same.acsl"
#include "attr/both_trans.acsl"
#endif

/* list_push; nothing else changes. */
/*@ EXPRS_READ_REQUIRES
    requires range:    0 <= x.kind && 0 <= x.key && -1 <= x.label && 0 <= x.id;
    terminates \true;
    exits    never:    \false;
    assigns  *t->mem, { *u | unsigned *u; \true };
    ensures  place:    \result.text == r.text && \result.n == r.n && \result.at == r.at && \result.depth == r.depth;
    ensures  held:     ids_held(\result);
    ensures  ids:      ids_kept{Pre,Post}(r, \result, r.nids);
    ensures  source:   SRC(\result) == \old(SRC(r));
    ensures  ready:    ready_both(t);
    ensures  old:      kept_both{Pre,Post}(t);
    ensures  status:   \result.status == CALQUE_OK && \result.nids == r.nids + BOUND_WORDS ||
                       \result.status == CALQUE_NOMEM && \result.id == -1;
    ensures  name:     \result.status == CALQUE_OK ==> BOUND_WORDS * n == r.nids ==>
                       bound_is(\result.ids, n, x.kind, x.key, x.label, x.k) && bo_id(\result.ids, n) == x.id;
*/
static struct reading add(struct reading r, struct attrs *t, struct bound x) /*@ ghost (int n) */
{
    /*@ ghost struct values *vs = t->values; */
    struct reading s;

    /*@ assert apart:  \forall integer id; 0 <= id < vs->n ==> \separated(&vs->v[id].num, t->mem); */
    s = list_push(r, t->mem, x);
    /*@ assert num:    \forall integer id; 0 <= id < \at(t->values->n, Pre) ==>
                       \at(t->values->v, Pre)[id].num == \at(t->values->v[id].num, Pre); */
    /*@ assert nodes:  same_nodes{Pre,Here}(\at(t->values->v, Pre), \at(t->values->n, Pre)); */
    /*@ assert pool:   same_pool{Pre,Here}(\at(t->values->pool, Pre), \at(t->values->npool, Pre)); */
    /*@ assert fields: same_fields{Pre,Here}(t->values); */
    /*@ assert stay:   values_stay{Pre,Here}(t->values); */
    /*@ assert vals:   kept_values{Pre,Here}(t); */
    /*@ assert wf:     WF_VALUES(*t->values); */
    /*@ assert exprs:  exprs_stay{Pre,Here}(t); */
    /*@ assert old:    kept_both{Pre,Here}(t); */
    /*@ assert place:  BOUND_WORDS * n == r.nids ==> 6 * n == r.nids; */
    /*@ assert kind:   s.status == CALQUE_OK ==> BOUND_WORDS * n == r.nids ==> bo_kind(s.ids, n) == x.kind; */
    /*@ assert key:    s.status == CALQUE_OK ==> BOUND_WORDS * n == r.nids ==> bo_key(s.ids, n) == x.key; */
    /*@ assert label:  s.status == CALQUE_OK ==> BOUND_WORDS * n == r.nids ==> bo_label(s.ids, n) == x.label; */
    /*@ assert k:      s.status == CALQUE_OK ==> BOUND_WORDS * n == r.nids ==> bo_k(s.ids, n) == x.k; */
    /*@ assert id:     s.status == CALQUE_OK ==> BOUND_WORDS * n == r.nids ==> bo_id(s.ids, n) == x.id; */
    return s;
}

/* The n bindings that are listed are texts from `start` to r.at; x is what comes next, and then a parenthesis has been closed. */
/*@ EXPRS_READ_REQUIRES
    requires count:    0 <= n && r.nids == BOUND_WORDS * n;
    requires fits:     list_fits(t, r.ids, n);
    requires names:    list_none(SRC(r), start, at, t, r.ids, n);
    requires bound:    list_first(SRC(r), start, at, t, r.ids, n);
    requires x:        bound_fits(t, BOUND(x));
    requires text:     marks(SRC(r), at, open, '(') && bound_text(SRC(r), open, end, t, BOUND(x)) && marks(SRC(r), end, r.at, ')');
    terminates \true;
    exits    never:    \false;
    assigns  *t->mem, { *u | unsigned *u; \true };
    LIST_READ_KEEPS
    ensures  count:    \result.status == CALQUE_OK ==> \result.nids == r.nids + BOUND_WORDS;
    ensures  fits:     \result.status == CALQUE_OK ==> list_fits(t, \result.ids, n + 1);
    ensures  names:    \result.status == CALQUE_OK ==> list_none(SRC(\result), start, \result.at, t, \result.ids, n + 1);
    ensures  bound:    \result.status == CALQUE_OK ==> list_first(SRC(\result), start, \result.at, t, \result.ids, n + 1);
*/
static struct reading list_add(struct reading r, struct attrs *t, struct bound x)
    /*@ ghost (long start, long at, long open, long end, int n) */
{
    struct reading s = add(r, t, x) /*@ ghost (n) */;

    if (s.status != CALQUE_OK)
        return s;
    /*@ assert slots: kept_slots{Pre,Here}(t) && kept_values{Pre,Here}(t); */
    /*@ assert same:  same_bounds{Pre,Here}(r.ids, s.ids, n); */
    /*@ assert fits:  list_fits(t, s.ids, n); */
    /*@ assert none:  list_none(SRC(s), start, at, t, s.ids, n); */
    /*@ assert first: list_first(SRC(s), start, at, t, s.ids, n); */
    /*@ assert text:  bound_text(SRC(s), open, end, t, BOUND(x)); */
    /*@ assert this:  binding_at(SRC(s), at, s.at, t, s.ids, n); */
    /*@ assert fit:   bound_fits(t, BOUND(x)); */
    /*@ assert x:     fits_at(t, s.ids, n); */
    s = read_blanks(s);
    /*@ assert next:  binding_at(SRC(s), at, r.at, t, s.ids, n) && blanks_at(SRC(s), r.at, s.at); */
    return s;
}

/* One binding of an environment, and blanks. The n that are listed are texts from `start` to r.at. */
/*@ EXPRS_READ_REQUIRES
    requires deep:     r.depth < 2 * ATTR_DEPTH_MAX;
    requires count:    0 <= n && r.nids == BOUND_WORDS * n;
    requires fits:     list_fits(t, r.ids, n);
    requires names:    list_none(SRC(r), start, r.at, t, r.ids, n);
    requires bound:    list_first(SRC(r), start, r.at, t, r.ids, n);
    terminates \true;
    exits    never:    \false;
    assigns  *t, *t->mem, *t->values, *t->values->mem, { *p | struct attr_node *p; \true }, { *q | int *q; \true },
             { *s | struct attr_slot *s; \true }, { *v | struct value *v; \true }, { *u | unsigned *u; \true },
             { *c | char *c; \true };
    LIST_READ_KEEPS
    ensures  count:    \result.status == CALQUE_OK ==> \result.nids == r.nids + BOUND_WORDS;
    ensures  further:  \result.status == CALQUE_OK ==> r.at < \result.at;
    ensures  fits:     \result.status == CALQUE_OK ==> list_fits(t, \result.ids, n + 1);
    ensures  names:    \result.status == CALQUE_OK ==> list_none(SRC(\result), start, \result.at, t, \result.ids, n + 1);
    ensures  bound:    \result.status == CALQUE_OK ==> list_first(SRC(\result), start, \result.at, t, \result.ids, n + 1);
*/
static struct reading read_binding(struct reading r, struct attrs *t, struct strs *strs)
    /*@ ghost (long start, int n) */
{
    struct reading s = read_mark(r, '(');
    struct bound_read b;

    /*@ assert start: kept_both{Pre,Here}(t); */
    if (s.status != CALQUE_OK)
        return s;
    /*@ ghost long open = s.at; */
    /*@ assert open:  marks(SRC(s), r.at, open, '('); */
    s.depth++;
    b = read_bound(s, t, strs);
    s = b.r;
    s.depth--;
    /*@ assert bound: kept_both{Pre,Here}(t); */
    if (s.status != CALQUE_OK)
        return s;
    /*@ ghost Read: ; */
    /*@ ghost long end = s.at; */
    /*@ assert old:   kept_both{Pre,Here}(t) && kept_slots{Pre,Here}(t) && kept_values{Pre,Here}(t); */
    /*@ assert text:  bound_text(SRC(s), open, end, t, BOUND(b.x)); */
    /*@ assert same:  same_bounds{Pre,Here}(r.ids, s.ids, n); */
    /*@ assert fits:  list_fits(t, s.ids, n); */
    /*@ assert none:  list_none(SRC(s), start, r.at, t, s.ids, n); */
    /*@ assert first: list_first(SRC(s), start, r.at, t, s.ids, n); */
    s = read_mark(s, ')');
    if (s.status != CALQUE_OK)
        return s;
    /*@ assert close: marks(SRC(s), end, s.at, ')') && marks(SRC(s), r.at, open, '('); */
    s = list_add(s, t, b.x)
        /*@ ghost (start, r.at, open, end, n) */;
    /*@ assert kept:  kept_both{Read,Here}(t); */
    /*@ assert all:   kept_both{Pre,Here}(t); */
    return s;
}

struct reading read_list(struct reading r, struct attrs *t, struct strs *strs)
{
    /*@ ghost long start = r.at; int n = 0; struct values *vs = t->values; */

    r = read_blanks(r);
    /*@ loop invariant place:  r.text == \at(r.text, Pre) && r.n == \at(r.n, Pre) && start <= r.at <= r.n &&
                               r.depth == \at(r.depth, Pre);
        loop invariant held:   ids_held(r);
        loop invariant source: SRC(r) == \at(SRC(r), Pre);
        loop invariant ready:  ready_both(t);
        loop invariant mems:   same_mems{Pre,Here}(t) && t->values == vs;
        loop invariant old:    kept_both{Pre,Here}(t);
        loop invariant error:  r.status == CALQUE_OK || r.id == -1 && CALQUE_BAD <= r.status <= CALQUE_NOMEM;
        loop invariant count:  r.status == CALQUE_OK ==> 0 <= n && r.nids == BOUND_WORDS * n;
        loop invariant fits:   r.status == CALQUE_OK ==> list_fits(t, r.ids, n);
        loop invariant names:  r.status == CALQUE_OK ==> list_none(SRC(r), start, r.at, t, r.ids, n);
        loop invariant bound:  r.status == CALQUE_OK ==> list_first(SRC(r), start, r.at, t, r.ids, n);
        loop assigns r, n, *t, *t->mem, *vs, *vs->mem, { *p | struct attr_node *p; \true }, { *q | int *q; \true },
                     { *s | struct attr_slot *s; \true }, { *v | struct value *v; \true }, { *u | unsigned *u; \true },
                     { *c | char *c; \true };
        loop variant r.n - r.at + (r.status == CALQUE_OK ? 1 : 0);
    */
    while (r.status == CALQUE_OK && !read_sees(r, ')')) {
        /*@ ghost Turn: ; */
        r = read_binding(r, t, strs)
            /*@ ghost (start, n) */;
        /*@ assert kept: kept_both{Turn,Here}(t); */
        /*@ assert old:  kept_both{Pre,Here}(t); */
        /*@ ghost if (r.status == CALQUE_OK) n++; */
    }
    /*@ assert count: r.status == CALQUE_OK ==> r.nids / BOUND_WORDS == n && r.nids % BOUND_WORDS == 0; */
    return r;
}
