#include "attr/both_put.h"

#include "attr/attr_new.h"

#ifdef __FRAMAC__
#include "attr/both_off.acsl"
#include "attr/both_stay.acsl"

// What appending a family assigns is apart from x.
#define FAMILY_OFF(x)                                                                          \
    \separated(x, t->node.a + t->node.n) && \separated(x, t->kid.a + (t->kid.n .. t->kid.cap - 1)) && \
    x != &t->node.n && x != &t->kid.n
#endif

/* attr_append; the values stay. */
/*@ ATTR_REQUIRES
    requires room:     t->node.n < t->node.cap;
    requires kind:     child_b(kind) || pair_kind(kind) || (leaf_kind(kind) || child_a(kind)) && b == 0;
    requires values:   vs == t->values && 0 <= vs->n && 0 <= vs->npool;
    requires off:      values_off_node(t, vs->v, vs->n) && ids_off_node(t, vs->pool, vs->npool) && counts_off_node(t, vs);
    terminates \true;
    exits    never:    \false;
    assigns  t->node.n, t->kid.n, t->node.a[t->node.n];
    ensures  ready:    ready_attrs(t);
    ensures  code:     \result == -1 || \result == \old(t->node.n);
    ensures  count:    \result < 0 ==> same_counts{Pre,Post}(t);
    ensures  next:     \result >= 0 ==> one_node{Pre,Post}(t, 0);
    ensures  arena:    moved_arena{Pre,Post}(\old(arena_of(t)), arena_of(t));
    ensures  names:    same_names{Pre,Post}(t);
    ensures  node:     \result >= 0 ==> is_expr(arena_of(t), \result, kind, op, a, b);
    ensures  arrays:   same_arrays{Pre,Post}(t);
    ensures  values:   values_stay{Pre,Post}(vs);
*/
static int append(struct attrs *t, int kind, int op, int a, int b) /*@ ghost (struct values *vs) */
{
    int id;

    /*@ assert offs:  \separated(t, t->node.a + t->node.n); */
    /*@ assert offt:  off_node(t, &t->node.cap) && off_node(t, &t->kid.cap) && off_node(t, &t->slot.cap); */
    id = attr_append(t, kind, op, a, b);
    /*@ assert caps:  t->node.cap == \at(t->node.cap, Pre) && t->kid.cap == \at(t->kid.cap, Pre) &&
                      t->slot.cap == \at(t->slot.cap, Pre); */
    /*@ assert place: same_arrays{Pre,Here}(t); */
    /*@ assert kind:  \forall integer id; 0 <= id < \at(vs->n, Pre) ==> \at(vs->v, Pre)[id].kind == \at(vs->v[id].kind, Pre); */
    /*@ assert len:   \forall integer id; 0 <= id < \at(vs->n, Pre) ==> \at(vs->v, Pre)[id].len == \at(vs->v[id].len, Pre); */
    /*@ assert first: \forall integer id; 0 <= id < \at(vs->n, Pre) ==> \at(vs->v, Pre)[id].first == \at(vs->v[id].first, Pre); */
    /*@ assert depth: \forall integer id; 0 <= id < \at(vs->n, Pre) ==> \at(vs->v, Pre)[id].depth == \at(vs->v[id].depth, Pre); */
    /*@ assert size:  \forall integer id; 0 <= id < \at(vs->n, Pre) ==> \at(vs->v, Pre)[id].size == \at(vs->v[id].size, Pre); */
    /*@ assert num:   \forall integer id; 0 <= id < \at(vs->n, Pre) ==> \at(vs->v, Pre)[id].num == \at(vs->v[id].num, Pre); */
    /*@ assert nodes: same_nodes{Pre,Here}(\at(vs->v, Pre), \at(vs->n, Pre)); */
    /*@ assert pool:  same_pool{Pre,Here}(\at(vs->pool, Pre), \at(vs->npool, Pre)); */
    /*@ assert field: same_fields{Pre,Here}(vs); */
    return id;
}

int both_append(struct attrs *t, int kind, int op, int a, int b)
{
    /*@ ghost struct values *vs = t->values; */
    int id;

    /*@ assert count: 0 <= vs->n <= vs->cap && 0 <= vs->npool <= vs->cappool; */
    /*@ assert place: \valid(vs->v + (0 .. vs->cap - 1)) && \valid(vs->pool + (0 .. vs->cappool - 1)) &&
                      \separated(vs->v + (0 .. vs->cap - 1), vs->pool + (0 .. vs->cappool - 1)); */
    /*@ assert offv:  node_off_values(t, vs->v, vs->cap); */
    /*@ assert offp:  node_off_ids(t, vs->pool, vs->cappool); */
    /*@ assert vals:  values_off_node(t, vs->v, vs->n); */
    /*@ assert ids:   ids_off_node(t, vs->pool, vs->npool); */
    /*@ assert offs:  node_off_counts(t, vs); */
    /*@ assert offc:  counts_off_node(t, vs); */
    id = append(t, kind, op, a, b) /*@ ghost (vs) */;
    /*@ assert apart: apart_both(t) && apart_values(vs); */
    /*@ assert wf:    WF_VALUES(*vs); */
    /*@ assert still: \valid(vs->v + (0 .. vs->cap - 1)) && \valid(vs->pool + (0 .. vs->cappool - 1)) &&
                      \separated(vs->v + (0 .. vs->cap - 1), vs->pool + (0 .. vs->cappool - 1)); */
    /*@ assert nums:  0 <= vs->n <= vs->cap && 0 <= vs->npool <= vs->cappool; */
    /*@ assert valid: valid_values(*vs); */
    /*@ assert held:  held_values(vs); */
    return id;
}

/* attr_append_family; the values stay. */
/*@ ATTR_REQUIRES
    requires room:     0 <= n <= VALUE_LEN_MAX && has_room_for(t, 1, n, 0);
    requires kind:     family_kind(kind);
    requires own:      \valid_read(own + (0 .. n - 1)) && apart_kids(t, own, n);
    requires values:   vs == t->values && 0 <= vs->n && 0 <= vs->npool;
    requires off:      values_off_family(t, vs->v, vs->n) && ids_off_family(t, vs->pool, vs->npool) && counts_off_family(t, vs);
    terminates \true;
    exits    never:    \false;
    assigns  t->node.n, t->kid.n, t->node.a[t->node.n], t->kid.a[t->kid.n .. t->kid.cap - 1];
    ensures  ready:    ready_attrs(t);
    ensures  code:     \result == -1 || \result == \old(t->node.n);
    ensures  count:    \result < 0 ==> same_counts{Pre,Post}(t);
    ensures  next:     \result >= 0 ==> one_node{Pre,Post}(t, n);
    ensures  arena:    moved_arena{Pre,Post}(\old(arena_of(t)), arena_of(t));
    ensures  names:    same_names{Pre,Post}(t);
    ensures  node:     \result >= 0 ==> is_expr(arena_of(t), \result, kind, op, \old(t->kid.n), n);
    ensures  kids:     \result >= 0 ==> own_stand{Pre,Post}(t->kid.a, \old(t->kid.n), own, n);
    ensures  arrays:   same_arrays{Pre,Post}(t);
    ensures  values:   values_stay{Pre,Post}(vs);
*/
static int append_family(struct attrs *t, int kind, int op, const int *own, int n) /*@ ghost (struct values *vs) */
{
    int id;

    /*@ assert offs:  \separated(t, t->node.a + t->node.n) && \separated(t, t->kid.a + (t->kid.n .. t->kid.cap - 1)); */
    /*@ assert offt:  FAMILY_OFF(&t->node.cap) && FAMILY_OFF(&t->kid.cap) && FAMILY_OFF(&t->slot.cap); */
    /*@ assert offk:  \forall integer id; 0 <= id < vs->n ==> FAMILY_OFF(&vs->v[id].kind); */
    /*@ assert offl:  \forall integer id; 0 <= id < vs->n ==> FAMILY_OFF(&vs->v[id].len); */
    /*@ assert offf:  \forall integer id; 0 <= id < vs->n ==> FAMILY_OFF(&vs->v[id].first); */
    /*@ assert offd:  \forall integer id; 0 <= id < vs->n ==> FAMILY_OFF(&vs->v[id].depth); */
    /*@ assert offz:  \forall integer id; 0 <= id < vs->n ==> FAMILY_OFF(&vs->v[id].size); */
    /*@ assert offp:  \forall integer k; 0 <= k < vs->npool ==> FAMILY_OFF(&vs->pool[k]); */
    /*@ assert offc:  FAMILY_OFF(&vs->n) && FAMILY_OFF(&vs->cap) && FAMILY_OFF(&vs->npool) && FAMILY_OFF(&vs->cappool); */
    id = attr_append_family(t, kind, op, own, n);
    /*@ assert caps:  t->node.cap == \at(t->node.cap, Pre) && t->kid.cap == \at(t->kid.cap, Pre) &&
                      t->slot.cap == \at(t->slot.cap, Pre); */
    /*@ assert place: same_arrays{Pre,Here}(t); */
    /*@ assert kind:  \forall integer id; 0 <= id < \at(vs->n, Pre) ==> \at(vs->v, Pre)[id].kind == \at(vs->v[id].kind, Pre); */
    /*@ assert len:   \forall integer id; 0 <= id < \at(vs->n, Pre) ==> \at(vs->v, Pre)[id].len == \at(vs->v[id].len, Pre); */
    /*@ assert first: \forall integer id; 0 <= id < \at(vs->n, Pre) ==> \at(vs->v, Pre)[id].first == \at(vs->v[id].first, Pre); */
    /*@ assert depth: \forall integer id; 0 <= id < \at(vs->n, Pre) ==> \at(vs->v, Pre)[id].depth == \at(vs->v[id].depth, Pre); */
    /*@ assert size:  \forall integer id; 0 <= id < \at(vs->n, Pre) ==> \at(vs->v, Pre)[id].size == \at(vs->v[id].size, Pre); */
    /*@ assert num:   \forall integer id; 0 <= id < \at(vs->n, Pre) ==> \at(vs->v, Pre)[id].num == \at(vs->v[id].num, Pre); */
    /*@ assert nodes: same_nodes{Pre,Here}(\at(vs->v, Pre), \at(vs->n, Pre)); */
    /*@ assert pool:  same_pool{Pre,Here}(\at(vs->pool, Pre), \at(vs->npool, Pre)); */
    /*@ assert field: same_fields{Pre,Here}(vs); */
    return id;
}

int both_append_family(struct attrs *t, int kind, int op, const int *own, int n)
{
    /*@ ghost struct values *vs = t->values; */
    int id;

    /*@ assert count: 0 <= vs->n <= vs->cap && 0 <= vs->npool <= vs->cappool; */
    /*@ assert place: \valid(vs->v + (0 .. vs->cap - 1)) && \valid(vs->pool + (0 .. vs->cappool - 1)) &&
                      \separated(vs->v + (0 .. vs->cap - 1), vs->pool + (0 .. vs->cappool - 1)); */
    /*@ assert offv:  node_off_values(t, vs->v, vs->cap); */
    /*@ assert offkv: kids_off_values(t, vs->v, vs->cap); */
    /*@ assert offp:  node_off_ids(t, vs->pool, vs->cappool); */
    /*@ assert offkp: kids_off_ids(t, vs->pool, vs->cappool); */
    /*@ assert offn:  values_off_node(t, vs->v, vs->n); */
    /*@ assert offk:  values_off_kids(t, vs->v, vs->n); */
    /*@ assert vals:  values_off_family(t, vs->v, vs->n); */
    /*@ assert ids:   ids_off_family(t, vs->pool, vs->npool); */
    /*@ assert offs:  node_off_counts(t, vs); */
    /*@ assert offks: kids_off_counts(t, vs); */
    /*@ assert offn2: counts_off_node(t, vs); */
    /*@ assert offc:  counts_off_family(t, vs); */
    id = append_family(t, kind, op, own, n) /*@ ghost (vs) */;
    /*@ assert apart: apart_both(t) && apart_values(vs); */
    /*@ assert wf:    WF_VALUES(*vs); */
    /*@ assert still: \valid(vs->v + (0 .. vs->cap - 1)) && \valid(vs->pool + (0 .. vs->cappool - 1)) &&
                      \separated(vs->v + (0 .. vs->cap - 1), vs->pool + (0 .. vs->cappool - 1)); */
    /*@ assert nums:  0 <= vs->n <= vs->cap && 0 <= vs->npool <= vs->cappool; */
    /*@ assert valid: valid_values(*vs); */
    /*@ assert held:  held_values(vs); */
    return id;
}

/* attr_append_slot; the values stay. */
/*@ ATTR_REQUIRES
    requires room:     t->slot.n < t->slot.cap;
    requires new:      no_slot(t->slot.a, t->slot.n, pattern, label);
    requires values:   vs == t->values && 0 <= vs->n && 0 <= vs->npool;
    requires off:      values_off_slot(t, vs->v, vs->n) && ids_off_slot(t, vs->pool, vs->npool) && counts_off_slot(t, vs);
    terminates \true;
    exits    never:    \false;
    assigns  t->slot.n, t->slot.a[t->slot.n];
    ensures  ready:    ready_attrs(t);
    ensures  count:    t->node.n == \old(t->node.n);
    ensures  arena:    moved_arena{Pre,Post}(\old(arena_of(t)), arena_of(t));
    ensures  slots:    kept_slots{Pre,Post}(t);
    ensures  new:      \result == \old(t->slot.n) && t->slot.n == \result + 1;
    ensures  slot:     slot_is(t->slot.a, \result, pattern, label);
    ensures  arrays:   same_arrays{Pre,Post}(t);
    ensures  values:   values_stay{Pre,Post}(vs);
*/
static int append_slot(struct attrs *t, int pattern, int label) /*@ ghost (struct values *vs) */
{
    int s;

    /*@ assert offs:  \separated(t, t->slot.a + t->slot.n); */
    /*@ assert offt:  off_slot(t, &t->node.cap) && off_slot(t, &t->kid.cap) && off_slot(t, &t->slot.cap); */
    s = attr_append_slot(t, pattern, label);
    /*@ assert caps:  t->node.cap == \at(t->node.cap, Pre) && t->kid.cap == \at(t->kid.cap, Pre) &&
                      t->slot.cap == \at(t->slot.cap, Pre); */
    /*@ assert place: same_arrays{Pre,Here}(t); */
    /*@ assert kind:  \forall integer id; 0 <= id < \at(vs->n, Pre) ==> \at(vs->v, Pre)[id].kind == \at(vs->v[id].kind, Pre); */
    /*@ assert len:   \forall integer id; 0 <= id < \at(vs->n, Pre) ==> \at(vs->v, Pre)[id].len == \at(vs->v[id].len, Pre); */
    /*@ assert first: \forall integer id; 0 <= id < \at(vs->n, Pre) ==> \at(vs->v, Pre)[id].first == \at(vs->v[id].first, Pre); */
    /*@ assert depth: \forall integer id; 0 <= id < \at(vs->n, Pre) ==> \at(vs->v, Pre)[id].depth == \at(vs->v[id].depth, Pre); */
    /*@ assert size:  \forall integer id; 0 <= id < \at(vs->n, Pre) ==> \at(vs->v, Pre)[id].size == \at(vs->v[id].size, Pre); */
    /*@ assert num:   \forall integer id; 0 <= id < \at(vs->n, Pre) ==> \at(vs->v, Pre)[id].num == \at(vs->v[id].num, Pre); */
    /*@ assert nodes: same_nodes{Pre,Here}(\at(vs->v, Pre), \at(vs->n, Pre)); */
    /*@ assert pool:  same_pool{Pre,Here}(\at(vs->pool, Pre), \at(vs->npool, Pre)); */
    /*@ assert field: same_fields{Pre,Here}(vs); */
    return s;
}

int both_append_slot(struct attrs *t, int pattern, int label)
{
    /*@ ghost struct values *vs = t->values; */
    int s;

    /*@ assert count: 0 <= vs->n <= vs->cap && 0 <= vs->npool <= vs->cappool; */
    /*@ assert place: \valid(vs->v + (0 .. vs->cap - 1)) && \valid(vs->pool + (0 .. vs->cappool - 1)) &&
                      \separated(vs->v + (0 .. vs->cap - 1), vs->pool + (0 .. vs->cappool - 1)); */
    /*@ assert offv:  slot_off_values(t, vs->v, vs->cap); */
    /*@ assert offp:  slot_off_ids(t, vs->pool, vs->cappool); */
    /*@ assert vals:  values_off_slot(t, vs->v, vs->n); */
    /*@ assert ids:   ids_off_slot(t, vs->pool, vs->npool); */
    /*@ assert offs:  slot_off_counts(t, vs); */
    /*@ assert offc:  counts_off_slot(t, vs); */
    s = append_slot(t, pattern, label) /*@ ghost (vs) */;
    /*@ assert apart: apart_both(t) && apart_values(vs); */
    /*@ assert wf:    WF_VALUES(*vs); */
    /*@ assert still: \valid(vs->v + (0 .. vs->cap - 1)) && \valid(vs->pool + (0 .. vs->cappool - 1)) &&
                      \separated(vs->v + (0 .. vs->cap - 1), vs->pool + (0 .. vs->cappool - 1)); */
    /*@ assert nums:  0 <= vs->n <= vs->cap && 0 <= vs->npool <= vs->cappool; */
    /*@ assert valid: valid_values(*vs); */
    /*@ assert held:  held_values(vs); */
    return s;
}
