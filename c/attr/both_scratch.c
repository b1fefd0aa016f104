#include "attr/both_array.h"
#include "attr/read_value.h"

#ifdef __FRAMAC__
#include "attr/both_moved.acsl"
#include "attr/both_off.acsl"

// The array is apart from x.
#define OWN_OFF(x) \separated(x, own + (0 .. n - 1))
#endif

/* exprs_array; both arenas stay. */
/*@ BOTH_REQUIRES
    requires count:    0 <= n;
    terminates \true;
    exits    never:    \false;
    assigns  *t->mem, \result \from indirect:n;
    ensures  array:    \result == \null || \valid(\result + (0 .. n - 1)) && apart_kids(t, \result, n) &&
                       apart_ids(t->values, \result, n);
    ensures  ready:    ready_both(t);
    ensures  values:   values_stay{Pre,Post}(t->values);
*/
static int *array(struct attrs *t, int n)
{
    /*@ ghost struct values *vs = t->values; */
    int *own;

    /*@ assert apart: \forall integer id; 0 <= id < vs->n ==> \separated(&vs->v[id].num, t->mem); */
    own = exprs_array(t, n);
    /*@ assert num:   \forall integer id; 0 <= id < \at(t->values->n, Pre) ==>
                      \at(t->values->v, Pre)[id].num == \at(t->values->v[id].num, Pre); */
    /*@ assert nodes: same_nodes{Pre,Here}(\at(t->values->v, Pre), \at(t->values->n, Pre)); */
    /*@ assert stay:  values_stay{Pre,Here}(vs); */
    /*@ assert wf:    WF_VALUES(*vs); */
    return own;
}

/* own[k] = ids[k]; both arenas stay. */
/*@ ATTR_REQUIRES
    requires own:      0 <= n && \valid(own + (0 .. n - 1)) && apart_kids(t, own, n);
    requires ids:      \valid_read(ids + (0 .. n - 1)) && \forall integer k; 0 <= k < n ==> ids[k] <= INT_MAX;
    requires values:   vs == t->values && 0 <= vs->n && 0 <= vs->npool;
    requires offv:     \forall integer id; 0 <= id < vs->n ==> OWN_OFF(&vs->v[id].kind) && OWN_OFF(&vs->v[id].len) &&
                       OWN_OFF(&vs->v[id].first) && OWN_OFF(&vs->v[id].depth) && OWN_OFF(&vs->v[id].size);
    requires offp:     \forall integer k; 0 <= k < vs->npool ==> OWN_OFF(&vs->pool[k]);
    requires offc:     OWN_OFF(&vs->n) && OWN_OFF(&vs->cap) && OWN_OFF(&vs->npool) && OWN_OFF(&vs->cappool);
    terminates \true;
    exits    never:    \false;
    assigns  own[0 .. n - 1];
    ensures  same:     \forall integer k; 0 <= k < n ==> own[k] == ids[k];
    ensures  ready:    ready_attrs(t);
    ensures  exprs:    exprs_stay{Pre,Post}(t);
    ensures  values:   values_stay{Pre,Post}(vs);
*/
static void copy(struct attrs *t, int *own, const unsigned *ids, int n) /*@ ghost (struct values *vs) */
{
    /*@ assert offt:  OWN_OFF(&t->node.n) && OWN_OFF(&t->kid.n) && OWN_OFF(&t->slot.n) && OWN_OFF(&t->nsymbol) &&
                      OWN_OFF(&t->node.cap) && OWN_OFF(&t->kid.cap) && OWN_OFF(&t->slot.cap); */
    /*@ assert offn:  \forall integer i; 0 <= i < t->node.n ==> OWN_OFF(&t->node.a[i].kind) && OWN_OFF(&t->node.a[i].op) &&
                      OWN_OFF(&t->node.a[i].a) && OWN_OFF(&t->node.a[i].b) && OWN_OFF(&t->node.a[i].depth) &&
                      OWN_OFF(&t->node.a[i].size); */
    /*@ assert offk:  \forall integer k; 0 <= k < t->kid.n ==> OWN_OFF(&t->kid.a[k]); */
    /*@ assert offs:  \forall integer s; 0 <= s < t->slot.n ==> OWN_OFF(&t->slot.a[s].pattern) && OWN_OFF(&t->slot.a[s].label); */
    (void)t;
    read_copy_ids(own, ids, n);
    /*@ assert place: same_arrays{Pre,Here}(t); */
    /*@ assert count: same_counts{Pre,Here}(t); */
    /*@ assert roots: moved_roots{Pre,Here}(t->node.a, t->node.a, t->node.n); */
    /*@ assert kids:  moved_kids{Pre,Here}(t->kid.a, t->kid.a, t->kid.n); */
    /*@ assert slots: moved_slots{Pre,Here}(t->slot.a, t->slot.a, t->slot.n); */
    /*@ assert exprs: exprs_stay{Pre,Here}(t); */
    /*@ assert arena: moved_arena{Pre,Here}(\at(arena_of(t), Pre), arena_of(t)); */
    /*@ assert wf:    wf_arena(arena_of(t)); */
    /*@ assert apart: apart_attrs(t); */
    /*@ assert held:  held_attrs(t); */
    /*@ assert dist:  distinct_slots(t->slot.a, t->slot.n); */
    /*@ assert nodes: same_nodes{Pre,Here}(\at(vs->v, Pre), \at(vs->n, Pre)); */
    /*@ assert pool:  same_pool{Pre,Here}(\at(vs->pool, Pre), \at(vs->npool, Pre)); */
    /*@ assert field: same_fields{Pre,Here}(vs); */
}

int *exprs_scratch(struct attrs *t, const unsigned *ids, int n)
{
    /*@ ghost struct values *vs = t->values; */
    int *own = array(t, n);

    if (!own)
        return own;
    /*@ ghost Got: ; */
    /*@ assert count: 0 <= vs->n <= vs->cap && 0 <= vs->npool <= vs->cappool; */
    /*@ assert offv:  \separated(own + (0 .. n - 1), vs->v + (0 .. vs->cap - 1)); */
    copy(t, own, ids, n) /*@ ghost (vs) */;
    /*@ assert kept:  values_stay{Got,Here}(vs); */
    /*@ assert stay:  values_stay{Pre,Here}(vs); */
    /*@ assert apart: apart_both(t) && apart_values(vs); */
    /*@ assert wf:    WF_VALUES(*vs); */
    /*@ assert held:  held_values(vs); */
    return own;
}
