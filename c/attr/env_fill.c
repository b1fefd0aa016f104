#include "attr/env_fill.h"

#ifdef __FRAMAC__
#include "attr/both_moved.acsl"
#include "attr/both_same.acsl"

#define OFF(x) ENV_OFF(e, n, x)
#endif

/* bind_env; the arenas stay. */
/*@ BOTH_REQUIRES
    requires list:     0 <= n && \valid_read(p + (0 .. BOUND_WORDS * n - 1)) && bounds_ok(p, n, t->slot.n);
    requires room:     0 <= e.nslot && 0 <= e.nsymbol && \valid(e.slot + (0 .. e.nslot - 1)) &&
                       \valid(e.symbol + (0 .. e.nsymbol - 1)) && \valid(e.named + (0 .. n - 1));
    requires apart:    \separated(e.slot + (0 .. e.nslot - 1), e.symbol + (0 .. e.nsymbol - 1), e.named + (0 .. n - 1));
    requires off:      ENV_APART(e, n);
    requires below:    keys_below(e.nslot, p, n, BOUND_SLOT) && keys_below(e.nsymbol, p, n, BOUND_SYMBOL);
    requires values:   vs == t->values;
    terminates \true;
    exits    never:    \false;
    assigns  e.slot[0 .. e.nslot - 1], e.symbol[0 .. e.nsymbol - 1], e.named[0 .. n - 1];
    ensures  exprs:    exprs_stay{Pre,Post}(t);
    ensures  values:   values_stay{Pre,Post}(vs);
    ensures  slots:    keys_bound(e.slot, e.nslot, p, n, BOUND_SLOT);
    ensures  symbols:  keys_bound(e.symbol, e.nsymbol, p, n, BOUND_SYMBOL);
    ensures  count:    0 <= \result <= n;
    ensures  ids:      \forall integer i; 0 <= i < \result ==> 0 <= e.named[i].id;
    ensures  none:     none_named(e.named, \result, p, n);
    ensures  names:    all_named(e.named, \result, p, n);
*/
static int bind_beside(struct attrs *t, struct bound_arrays e, const unsigned *p, int n) /*@ ghost (struct values *vs) */
{
    int m;

    /*@ assert count: 0 <= vs->n <= vs->cap && 0 <= vs->npool <= vs->cappool && 0 <= t->node.n <= t->node.cap &&
                      0 <= t->kid.n <= t->kid.cap && 0 <= t->slot.n <= t->slot.cap; */
    /*@ assert offt:  OFF(&t->node.n) && OFF(&t->kid.n) && OFF(&t->slot.n) && OFF(&t->nsymbol) && OFF(&t->node.cap) &&
                      OFF(&t->kid.cap) && OFF(&t->slot.cap); */
    /*@ assert off_kind: \forall integer i; 0 <= i < t->node.n ==> OFF(&t->node.a[i].kind); */
    /*@ assert off_op: \forall integer i; 0 <= i < t->node.n ==> OFF(&t->node.a[i].op); */
    /*@ assert off_a: \forall integer i; 0 <= i < t->node.n ==> OFF(&t->node.a[i].a); */
    /*@ assert off_b: \forall integer i; 0 <= i < t->node.n ==> OFF(&t->node.a[i].b); */
    /*@ assert off_depth: \forall integer i; 0 <= i < t->node.n ==> OFF(&t->node.a[i].depth); */
    /*@ assert off_size: \forall integer i; 0 <= i < t->node.n ==> OFF(&t->node.a[i].size); */
    /*@ assert offk:  \forall integer k; 0 <= k < t->kid.n ==> OFF(&t->kid.a[k]); */
    /*@ assert offs:  \forall integer s; 0 <= s < t->slot.n ==> OFF(&t->slot.a[s].pattern) && OFF(&t->slot.a[s].label); */
    /*@ assert offv_kind: \forall integer id; 0 <= id < vs->n ==> OFF(&vs->v[id].kind); */
    /*@ assert offv_len: \forall integer id; 0 <= id < vs->n ==> OFF(&vs->v[id].len); */
    /*@ assert offv_first: \forall integer id; 0 <= id < vs->n ==> OFF(&vs->v[id].first); */
    /*@ assert offv_depth: \forall integer id; 0 <= id < vs->n ==> OFF(&vs->v[id].depth); */
    /*@ assert offv_size: \forall integer id; 0 <= id < vs->n ==> OFF(&vs->v[id].size); */
    /*@ assert offv_num: \forall integer id; 0 <= id < vs->n ==> OFF(&vs->v[id].num); */
    /*@ assert offp:  \forall integer k; 0 <= k < vs->npool ==> OFF(&vs->pool[k]); */
    /*@ assert offc:  OFF(&vs->n) && OFF(&vs->cap) && OFF(&vs->npool) && OFF(&vs->cappool); */
    (void)t;
    m = bind_env(e, p, n) /*@ ghost (t->slot.n) */;
    /*@ assert array: t->node.a == \at(t->node.a, Pre) && t->kid.a == \at(t->kid.a, Pre) && t->slot.a == \at(t->slot.a, Pre); */
    /*@ assert mems:  same_mems{Pre,Here}(t); */
    /*@ assert ncap:  t->node.cap == \at(t->node.cap, Pre) && t->node.n == \at(t->node.n, Pre); */
    /*@ assert kcap:  t->kid.cap == \at(t->kid.cap, Pre) && t->kid.n == \at(t->kid.n, Pre); */
    /*@ assert scap:  t->slot.cap == \at(t->slot.cap, Pre) && t->slot.n == \at(t->slot.n, Pre); */
    /*@ assert nsym:  t->nsymbol == \at(t->nsymbol, Pre); */
    /*@ assert place: same_arrays{Pre,Here}(t); */
    /*@ assert same_kind: \forall integer i; 0 <= i < \at(t->node.n, Pre) ==> t->node.a[i].kind == \at(t->node.a[i].kind, Pre); */
    /*@ assert same_op: \forall integer i; 0 <= i < \at(t->node.n, Pre) ==> t->node.a[i].op == \at(t->node.a[i].op, Pre); */
    /*@ assert same_a: \forall integer i; 0 <= i < \at(t->node.n, Pre) ==> t->node.a[i].a == \at(t->node.a[i].a, Pre); */
    /*@ assert same_b: \forall integer i; 0 <= i < \at(t->node.n, Pre) ==> t->node.a[i].b == \at(t->node.a[i].b, Pre); */
    /*@ assert same_depth: \forall integer i; 0 <= i < \at(t->node.n, Pre) ==> t->node.a[i].depth == \at(t->node.a[i].depth, Pre); */
    /*@ assert same_size: \forall integer i; 0 <= i < \at(t->node.n, Pre) ==> t->node.a[i].size == \at(t->node.a[i].size, Pre); */
    /*@ assert roots: moved_roots{Pre,Here}(t->node.a, t->node.a, t->node.n); */
    /*@ assert kids:  moved_kids{Pre,Here}(t->kid.a, t->kid.a, t->kid.n); */
    /*@ assert same_pattern: \forall integer s; 0 <= s < \at(t->slot.n, Pre) ==> t->slot.a[s].pattern == \at(t->slot.a[s].pattern, Pre); */
    /*@ assert same_label: \forall integer s; 0 <= s < \at(t->slot.n, Pre) ==> t->slot.a[s].label == \at(t->slot.a[s].label, Pre); */
    /*@ assert slots: moved_slots{Pre,Here}(t->slot.a, t->slot.a, t->slot.n); */
    /*@ assert exprs: exprs_stay{Pre,Here}(t); */
    /*@ assert vn:    vs->n == \at(vs->n, Pre) && vs->cap == \at(vs->cap, Pre); */
    /*@ assert vpool: vs->npool == \at(vs->npool, Pre) && vs->cappool == \at(vs->cappool, Pre); */
    /*@ assert field: same_fields{Pre,Here}(vs); */
    /*@ assert val_kind: \forall integer id; 0 <= id < \at(vs->n, Pre) ==> \at(vs->v, Pre)[id].kind == \at(vs->v[id].kind, Pre); */
    /*@ assert val_len: \forall integer id; 0 <= id < \at(vs->n, Pre) ==> \at(vs->v, Pre)[id].len == \at(vs->v[id].len, Pre); */
    /*@ assert val_first: \forall integer id; 0 <= id < \at(vs->n, Pre) ==> \at(vs->v, Pre)[id].first == \at(vs->v[id].first, Pre); */
    /*@ assert val_depth: \forall integer id; 0 <= id < \at(vs->n, Pre) ==> \at(vs->v, Pre)[id].depth == \at(vs->v[id].depth, Pre); */
    /*@ assert val_size: \forall integer id; 0 <= id < \at(vs->n, Pre) ==> \at(vs->v, Pre)[id].size == \at(vs->v[id].size, Pre); */
    /*@ assert val_num: \forall integer id; 0 <= id < \at(vs->n, Pre) ==> \at(vs->v, Pre)[id].num == \at(vs->v[id].num, Pre); */
    /*@ assert nodes: same_nodes{Pre,Here}(\at(vs->v, Pre), \at(vs->n, Pre)); */
    /*@ assert pool:  same_pool{Pre,Here}(\at(vs->pool, Pre), \at(vs->npool, Pre)); */
    return m;
}

int env_fill(struct attrs *t, struct bound_arrays e, const unsigned *p, int n)
    /*@ ghost (const char *text, long len, long a, long b) */
{
    /*@ ghost struct values *vs = t->values; */
    int m = bind_beside(t, e, p, n) /*@ ghost (vs) */;

    /*@ assert both:  kept_both{Pre,Here}(t); */
    /*@ assert arena: moved_arena{Pre,Here}(\at(arena_of(t), Pre), arena_of(t)); */
    /*@ assert wfa:   wf_arena(arena_of(t)); */
    /*@ assert wfv:   WF_VALUES(*vs); */
    /*@ assert held:  held_attrs(t) && held_values(vs); */
    /*@ assert apart: apart_both(t) && apart_values(vs); */
    /*@ assert kept:  kept_slots{Pre,Here}(t) && kept_values{Pre,Here}(t); */
    /*@ assert same:  same_bounds{Pre,Here}(p, p, n); */
    /*@ assert dist:  distinct_slots(t->slot.a, t->slot.n); */
    /*@ assert fits:  list_fits(t, p, n); */
    /*@ assert none:  list_none(source_of(text, len), a, b, t, p, n); */
    /*@ assert first: list_first(source_of(text, len), a, b, t, p, n); */
    return m;
}
