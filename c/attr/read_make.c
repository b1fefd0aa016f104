#include "attr/read_make.h"

#include "attr/attr_add.h"
#include "attr/attr_new.h"

/* exprs_room below the limits; both arenas are well-formed wherever the expressions stand. */
/*@ BOTH_REQUIRES
    requires counts:   0 <= nodes <= 1 && 0 <= kids <= VALUE_LEN_MAX && 0 <= slots <= 1;
    requires own:      \valid_read(own + (0 .. n - 1)) && apart_kids(t, own, n);
    terminates \true;
    exits    never:    \false;
    assigns  *t, *t->mem, { *p | struct attr_node *p; \true }, { *q | int *q; \true }, { *s | struct attr_slot *s; \true };
    ensures  result:   \result == 0 || \result == 1;
    ensures  ready:    ready_both(t);
    ensures  mems:     same_mems{Pre,Post}(t);
    ensures  counts:   same_counts{Pre,Post}(t);
    ensures  arena:    moved_arena{Pre,Post}(\old(arena_of(t)), arena_of(t));
    ensures  slots:    kept_slots{Pre,Post}(t);
    ensures  room:     \result == 1 ==> has_room_for(t, nodes, kids, slots);
    ensures  own:      apart_kids(t, own, n) && same_own{Pre,Post}(own, n);
    ensures  values:   values_stay{Pre,Post}(t->values);
*/
static bool make_room(struct attrs *t, int nodes, int kids, int slots) /*@ ghost (const int *own, int n) */
{
    bool r;

    if (nodes > 0 && (t->node.n >= VALUE_ARENA_MAX || t->kid.n > VALUE_ARENA_MAX))
        return false;
    r = exprs_room(t, nodes, kids, slots) /*@ ghost (own, n) */;
    /*@ assert arena: moved_arena{Pre,Here}(\at(arena_of(t), Pre), arena_of(t)); */
    /*@ assert wf:    wf_arena(arena_of(t)); */
    /*@ assert moved: moved_slots{Pre,Here}(\at(t->slot.a, Pre), t->slot.a, t->slot.n); */
    /*@ assert count: t->slot.n == \at(t->slot.n, Pre); */
    /*@ assert was:   distinct_slots{Pre}(\at(t->slot.a, Pre), \at(t->slot.n, Pre)); */
    /*@ assert slots: distinct_slots(t->slot.a, \at(t->slot.n, Pre)); */
    /*@ assert vals:  WF_VALUES(*t->values); */
    return r;
}

/* attr_append, and the values stay. */
/*@ BOTH_REQUIRES
    requires room:     t->node.n < t->node.cap;
    requires kind:     child_b(kind) || pair_kind(kind) || (leaf_kind(kind) || child_a(kind)) && b == 0;
    terminates \true;
    exits    never:    \false;
    assigns  t->node.n, t->kid.n, t->node.a[t->node.n];
    ensures  ready:    ready_both(t);
    ensures  code:     \result == -1 || \result == \old(t->node.n);
    ensures  made:     \result >= 0 ==> \old(flat_node(arena_of(t), kind, op, a, b));
    ensures  count:    \result < 0 ==> same_counts{Pre,Post}(t);
    ensures  next:     \result >= 0 ==> one_node{Pre,Post}(t, 0);
    ensures  mems:     same_mems{Pre,Post}(t);
    ensures  arena:    moved_arena{Pre,Post}(\old(arena_of(t)), arena_of(t));
    ensures  names:    same_names{Pre,Post}(t);
    ensures  node:     \result >= 0 ==> is_expr(arena_of(t), \result, kind, op, a, b);
    ensures  values:   values_stay{Pre,Post}(t->values);
*/
static int append(struct attrs *t, int kind, int op, int a, int b)
{
    /*@ ghost struct values *vs = t->values; */
    /*@ ghost struct attr_node *next = t->node.a + t->node.n; */
    int id;

    /*@ assert offn:   \separated(vs, next) && \separated(vs, t); */
    /*@ assert offv:   \separated(next, vs->v + (0 .. vs->cap - 1)) && \separated(t, vs->v + (0 .. vs->cap - 1)); */
    /*@ assert offp:   \separated(next, vs->pool + (0 .. vs->cappool - 1)) && \separated(t, vs->pool + (0 .. vs->cappool - 1)); */
    id = attr_append(t, kind, op, a, b);
    /*@ assert mems:   t->values == vs; */
    /*@ assert fields: same_fields{Pre,Here}(vs); */
    /*@ assert nodes:  same_nodes{Pre,Here}(vs->v, vs->n); */
    /*@ assert pool:   same_pool{Pre,Here}(vs->pool, vs->npool); */
    /*@ assert wf:     WF_VALUES(*vs); */
    /*@ assert held:   held_values(vs); */
    /*@ assert arrays: same_arrays{Pre,Here}(t); */
    /*@ assert apart:  apart_both(t); */
    return id;
}

int expr_make(struct attrs *t, int kind, int op, int a, int b)
{
    /*@ ghost int n = t->node.n, i = 0; */
    int id = -1;

    if (make_room(t, 1, 0, 0) /*@ ghost (0, 0) */) {
        /*@ ghost Room: ; */
        /*@ assert flat:  flat_node{Pre}(\at(arena_of(t), Pre), kind, op, a, b) <==> flat_node(arena_of(t), kind, op, a, b); */
        id = append(t, kind, op, a, b);
        /*@ assert a:     id >= 0 ==> child_a(kind) || pair_kind(kind) ==> 0 <= a < n; */
        /*@ assert b:     id >= 0 ==> child_b(kind) || pair_kind(kind) ==> 0 <= b < n; */
        /*@ assert arena: moved_arena{Pre,Here}(\at(arena_of(t), Pre), arena_of(t)); */
        /*@ assert slots: kept_slots{Pre,Here}(t); */
        /*@ assert stay:  values_stay{Pre,Here}(t->values); */
    }
    /*@ assert old:  moved_arena{Pre,Here}(\at(arena_of(t), Pre), arena_of(t)); */
    /*@ assert vals: kept_values{Pre,Here}(t); */
    /*@ ghost
    /@ loop invariant range: 0 <= i <= n;
       loop invariant same:  kept_exprs{Pre,Here}(\at(arena_of(t), Pre), arena_of(t), i);
       loop assigns i;
       loop variant n - i;
    @/
    while (i < n)
        i++;
    */
    /*@ assert trees: trees_stay{Pre,Here}(t); */
    /*@ assert first: id >= 0 ==> child_a(kind) || pair_kind(kind) ==> tree_at(t, a) == \at(tree_at(t, a), Pre); */
    /*@ assert other: id >= 0 ==> child_b(kind) || pair_kind(kind) ==> tree_at(t, b) == \at(tree_at(t, b), Pre); */
    return id;
}

/* attr_append_family, and the values stay. */
/*@ BOTH_REQUIRES
    requires room:     0 <= n <= VALUE_LEN_MAX && has_room_for(t, 1, n, 0);
    requires kind:     family_kind(kind);
    requires own:      \valid_read(own + (0 .. n - 1)) && apart_kids(t, own, n);
    terminates \true;
    exits    never:    \false;
    assigns  t->node.n, t->kid.n, t->node.a[t->node.n], t->kid.a[t->kid.n .. t->kid.cap - 1];
    ensures  ready:    ready_both(t);
    ensures  code:     \result == -1 || \result == \old(t->node.n);
    ensures  made:     \result >= 0 ==> \old(flat_family(arena_of(t), kind, op, own, n));
    ensures  count:    \result < 0 ==> same_counts{Pre,Post}(t);
    ensures  next:     \result >= 0 ==> one_node{Pre,Post}(t, n);
    ensures  mems:     same_mems{Pre,Post}(t);
    ensures  arena:    moved_arena{Pre,Post}(\old(arena_of(t)), arena_of(t));
    ensures  names:    same_names{Pre,Post}(t);
    ensures  node:     \result >= 0 ==> is_expr(arena_of(t), \result, kind, op, \old(t->kid.n), n);
    ensures  kids:     \result >= 0 ==> own_stand{Pre,Post}(t->kid.a, \old(t->kid.n), own, n);
    ensures  values:   values_stay{Pre,Post}(t->values);
*/
static int append_family(struct attrs *t, int kind, int op, const int *own, int n)
{
    int id = attr_append_family(t, kind, op, own, n);

    /*@ assert fields: same_fields{Pre,Here}(t->values); */
    /*@ assert nodes:  same_nodes{Pre,Here}(t->values->v, t->values->n); */
    /*@ assert pool:   same_pool{Pre,Here}(t->values->pool, t->values->npool); */
    /*@ assert stay:   values_stay{Pre,Here}(t->values); */
    /*@ assert wf:     WF_VALUES(*t->values); */
    /*@ assert held:   held_values(t->values); */
    /*@ assert apart:  apart_both(t); */
    return id;
}

int expr_make_family(struct attrs *t, int kind, int op, const int *own, int n)
{
    /*@ ghost int m = t->node.n, i = 0; */
    int id = -1;

    if (n > VALUE_LEN_MAX)
        return -1;
    if (make_room(t, 1, n, 0) /*@ ghost (own, n) */) {
        /*@ ghost Room: ; */
        /*@ assert first: t->kid.n == \at(t->kid.n, Pre); */
        id = append_family(t, kind, op, own, n);
        /*@ assert arena: moved_arena{Pre,Here}(\at(arena_of(t), Pre), arena_of(t)); */
        /*@ assert slots: kept_slots{Pre,Here}(t); */
        /*@ assert stay:  values_stay{Pre,Here}(t->values); */
        /*@ assert exist: id >= 0 ==> kids_exist{Pre}(\at(arena_of(t), Pre), own, n); */
        /*@ assert stand: id >= 0 ==> own_stand{Pre,Here}(t->kid.a, \at(t->kid.n, Pre), own, n); */
    }
    /*@ assert old:  moved_arena{Pre,Here}(\at(arena_of(t), Pre), arena_of(t)); */
    /*@ assert vals: kept_values{Pre,Here}(t); */
    /*@ ghost
    /@ loop invariant range: 0 <= i <= m;
       loop invariant same:  kept_exprs{Pre,Here}(\at(arena_of(t), Pre), arena_of(t), i);
       loop assigns i;
       loop variant m - i;
    @/
    while (i < m)
        i++;
    */
    /*@ assert trees: trees_stay{Pre,Here}(t); */
    /*@ assert kids:  id >= 0 ==> \forall integer k; 0 <= k < n ==>
                      x_kid(tree_at(t, id), k) == tree_at(t, \at(own[k], Pre)); */
    return id;
}

/* attr_see_symbol, and the values stay. */
/*@ BOTH_REQUIRES
    terminates \true;
    exits    never:    \false;
    assigns  t->nsymbol;
    BOTH_KEEPS
    ensures  result:   \result == 0 || \result == 1;
    ensures  count:    t->node.n == \old(t->node.n);
*/
static bool see(struct attrs *t, int symbol)
{
    bool r = attr_see_symbol(t, symbol);

    /*@ assert fields: same_fields{Pre,Here}(t->values); */
    /*@ assert nodes:  same_nodes{Pre,Here}(t->values->v, t->values->n); */
    /*@ assert pool:   same_pool{Pre,Here}(t->values->pool, t->values->npool); */
    /*@ assert stay:   values_stay{Pre,Here}(t->values); */
    /*@ assert wf:     WF_VALUES(*t->values); */
    /*@ assert held:   held_values(t->values); */
    /*@ assert apart:  apart_both(t); */
    /*@ assert vals:   kept_values{Pre,Here}(t); */
    /*@ assert trees:  trees_stay{Pre,Here}(t); */
    return r;
}

int expr_make_symbol(struct attrs *t, int kind, int symbol, int a, int b)
{
    int id;

    if (!see(t, symbol))
        return -1;
    /*@ ghost Seen: ; */
    id = expr_make(t, kind, symbol, a, b);
    /*@ assert later: kept_both{Seen,Here}(t); */
    return id;
}

int expr_make_form(struct attrs *t, int kind, int op, const int *own, int n)
{
    if (kind == ATTR_UNARY || kind == ATTR_REDUCE)
        return expr_make(t, kind, op, own[0], 0);
    if (kind == ATTR_BINARY || kind == ATTR_PROJ)
        return expr_make(t, kind, op, own[0], own[1]);
    if (kind == ATTR_VAR || kind == ATTR_MAP)
        return expr_make_symbol(t, kind, op, own[0], own[1]);
    return expr_make_family(t, kind, op, own, n);
}

/* attr_append_slot, and the values stay. */
/*@ BOTH_REQUIRES
    requires room:     t->slot.n < t->slot.cap;
    requires new:      no_slot(t->slot.a, t->slot.n, pattern, label);
    terminates \true;
    exits    never:    \false;
    assigns  t->slot.n, t->slot.a[t->slot.n];
    ensures  ready:    ready_both(t);
    ensures  mems:     same_mems{Pre,Post}(t);
    ensures  count:    t->node.n == \old(t->node.n);
    ensures  arena:    moved_arena{Pre,Post}(\old(arena_of(t)), arena_of(t));
    ensures  slots:    kept_slots{Pre,Post}(t);
    ensures  new:      \result == \old(t->slot.n) && t->slot.n == \result + 1;
    ensures  slot:     slot_is(t->slot.a, \result, pattern, label);
    ensures  values:   values_stay{Pre,Post}(t->values);
*/
static int append_slot(struct attrs *t, int pattern, int label)
{
    int s = attr_append_slot(t, pattern, label);

    /*@ assert fields: same_fields{Pre,Here}(t->values); */
    /*@ assert nodes:  same_nodes{Pre,Here}(t->values->v, t->values->n); */
    /*@ assert pool:   same_pool{Pre,Here}(t->values->pool, t->values->npool); */
    /*@ assert stay:   values_stay{Pre,Here}(t->values); */
    /*@ assert wf:     WF_VALUES(*t->values); */
    /*@ assert held:   held_values(t->values); */
    /*@ assert apart:  apart_both(t); */
    return s;
}

/* A slot more; -1 when memory is out. */
/*@ BOTH_REQUIRES
    requires new:      no_slot(t->slot.a, t->slot.n, pattern, label);
    terminates \true;
    exits    never:    \false;
    assigns  *t, *t->mem, { *p | struct attr_node *p; \true }, { *q | int *q; \true }, { *s | struct attr_slot *s; \true };
    BOTH_KEEPS
    ensures  code:     -1 <= \result < t->slot.n;
    ensures  slot:     \result >= 0 ==> slot_is(t->slot.a, \result, pattern, label);
    ensures  count:    t->node.n == \old(t->node.n);
*/
static int new_slot(struct attrs *t, int pattern, int label)
{
    /*@ ghost int n = t->node.n, i = 0; */
    int s = -1;

    if (make_room(t, 0, 0, 1) /*@ ghost (0, 0) */) {
        /*@ ghost Room: ; */
        /*@ assert none:  no_slot(t->slot.a, t->slot.n, pattern, label); */
        s = append_slot(t, pattern, label);
        /*@ assert arena: moved_arena{Pre,Here}(\at(arena_of(t), Pre), arena_of(t)); */
        /*@ assert slots: kept_slots{Pre,Here}(t); */
        /*@ assert stay:  values_stay{Pre,Here}(t->values); */
    }
    /*@ assert old:  moved_arena{Pre,Here}(\at(arena_of(t), Pre), arena_of(t)); */
    /*@ assert vals: kept_values{Pre,Here}(t); */
    /*@ ghost
    /@ loop invariant range: 0 <= i <= n;
       loop invariant same:  kept_exprs{Pre,Here}(\at(arena_of(t), Pre), arena_of(t), i);
       loop assigns i;
       loop variant n - i;
    @/
    while (i < n)
        i++;
    */
    /*@ assert trees: trees_stay{Pre,Here}(t); */
    return s;
}

int expr_slot(struct attrs *t, int pattern, int label)
{
    int s = attr_slot_find(t, pattern, label);

    return s < 0 ? new_slot(t, pattern, label) : s;
}

struct reading read_value_of(struct reading r, struct attrs *t, struct strs *strs)
{
    /*@ ghost int n = t->node.n, i = 0; */

    r = read_constant(r, t, strs);
    /*@ assert arena: moved_arena{Pre,Here}(\at(arena_of(t), Pre), arena_of(t)); */
    /*@ assert slots: kept_slots{Pre,Here}(t); */
    /*@ assert wf:    wf_arena(arena_of(t)); */
    /*@ assert dist:  distinct_slots(t->slot.a, t->slot.n); */
    /*@ ghost
    /@ loop invariant range: 0 <= i <= n;
       loop invariant same:  kept_exprs{Pre,Here}(\at(arena_of(t), Pre), arena_of(t), i);
       loop assigns i;
       loop variant n - i;
    @/
    while (i < n)
        i++;
    */
    /*@ assert trees: trees_stay{Pre,Here}(t); */
    return r;
}
