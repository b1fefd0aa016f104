#include "attr/attr_add.h"

/* attrs_room, and the arena is well-formed wherever it stands. */
/*@ ATTR_REQUIRES
    requires counts:   0 <= kids <= VALUE_LEN_MAX && 0 <= n;
    requires own:      \valid_read(own + (0 .. n - 1)) && apart_kids(t, own, n);
    terminates \true;
    exits    never:    \false;
    assigns  *t, *t->mem, { *p | struct attr_node *p; \true }, { *q | int *q; \true }, { *s | struct attr_slot *s; \true };
    ensures  result:   \result == 0 || \result == 1;
    ensures  ready:    ready_attrs(t);
    ensures  mems:     same_mems{Pre,Post}(t);
    ensures  counts:   same_counts{Pre,Post}(t);
    ensures  old:      moved_arena{Pre,Post}(\old(arena_of(t)), arena_of(t));
    ensures  slots:    kept_slots{Pre,Post}(t);
    ensures  room:     \result == 1 ==> room_for_node(t, kids, 0);
    ensures  had:      \old(room_for_node(t, kids, 0)) ==> \result == 1;
    ensures  own:      apart_kids(t, own, n) && same_own{Pre,Post}(own, n);
    ensures  size:     kids_exist{Pre}(\old(arena_of(t)), own, n) ==>
                       kids_size{Pre}(\old(arena_of(t)), own, n) == kids_size(arena_of(t), own, n);
*/
static bool room(struct attrs *t, int kids) /*@ ghost (const int *own, int n) */
{
    /*@ ghost int k = 0; */
    bool r;

    if (t->node.n >= VALUE_ARENA_MAX || t->kid.n > VALUE_ARENA_MAX)
        return false;
    r = attrs_room(t, 1, kids, 0) /*@ ghost (own, n) */;
    /*@ assert old:   moved_arena{Pre,Here}(\at(arena_of(t), Pre), arena_of(t)); */
    /*@ assert wf:    wf_arena(arena_of(t)); */
    /*@ assert slots: distinct_slots(t->slot.a, t->slot.n); */
    /*@ ghost
    /@ loop invariant range: 0 <= k <= n;
       loop invariant size:  kids_exist{Pre}(\at(arena_of(t), Pre), own, n) ==>
                             kids_size{Pre}(\at(arena_of(t), Pre), own, k) == kids_size(arena_of(t), own, k);
       loop assigns k;
       loop variant n - k;
    @/
    while (k < n) {
        k++;
        /@ assert more: kids_exist{Pre}(\at(arena_of(t), Pre), own, n) ==>
                        kids_size{Pre}(\at(arena_of(t), Pre), own, k) == kids_size(arena_of(t), own, k); @/
    }
    */
    return r;
}

/* The arrays. */
/*@ requires valid:    \valid_read(t) && \valid_read(t->values);
    terminates \true;
    exits    never:    \false;
    assigns  \nothing;
    ensures  view:     \result == arena_of(t);
*/
static struct attr_put view(const struct attrs *t)
{
    return (struct attr_put){ .node = t->node.a, .kid = t->kid.a, .n = t->node.n, .cap = t->node.cap, .nkid = t->kid.n,
                              .capkid = t->kid.cap, .nvalue = t->values->n, .nslot = t->slot.n, .nsymbol = t->nsymbol };
}

/* The node (kind, op, a, b), where there is room. */
/*@ PUT_REQUIRES
    requires kind:     child_b(kind) || pair_kind(kind) || (leaf_kind(kind) || child_a(kind)) && b == 0;
    terminates \true;
    exits    never:    \false;
    assigns  t.node[t.n];
    PUT_KEEPS
    ensures  made:     \result == t.n <==> flat_node{Pre}(t, kind, op, a, b);
    ensures  node:     \result == t.n ==> is_expr(t, t.n, kind, op, a, b);
*/
static int put(struct attr_put t, int kind, int op, int a, int b)
{
    if (kind == ATTR_UNARY || kind == ATTR_REDUCE || kind == ATTR_INST)
        return attr_put_one(t, kind, op, a, b, kind == ATTR_INST ? b : a);
    if (kind == ATTR_BINARY || kind == ATTR_PROJ || kind == ATTR_VAR || kind == ATTR_MAP)
        return attr_put_pair(t, kind, op, a, b);
    return attr_put_leaf(t, kind, op, a);
}

/* Counts the node that stands behind the others, and its n children. */
/*@ requires held:     held_attrs(t) && distinct_slots(t->slot.a, t->slot.n) && 0 <= t->nsymbol <= ATTR_SYMBOL_MAX;
    requires room:     t->node.n < t->node.cap && 0 <= n <= t->kid.cap - t->kid.n;
    requires wf:       wf_arena({arena_of(t) \with .n = (int)(t->node.n + 1), .nkid = (int)(t->kid.n + n)});
    terminates \true;
    exits    never:    \false;
    assigns  t->node.n, t->kid.n;
    ensures  id:       \result == \old(t->node.n);
    ensures  ready:    ready_attrs(t);
    ensures  next:     one_node{Pre,Post}(t, n);
    ensures  mems:     same_mems{Pre,Post}(t);
    ensures  values:   t->values->n == \old(t->values->n);
    ensures  view:     arena_of(t) == {\old(arena_of(t)) \with .n = (int)(\result + 1), .nkid = t->kid.n};
    ensures  roots:    moved_roots{Pre,Post}(t->node.a, t->node.a, t->node.n);
    ensures  kids:     moved_kids{Pre,Post}(t->kid.a, t->kid.a, t->kid.n);
    ensures  names:    same_names{Pre,Post}(t);
*/
static int count(struct attrs *t, int n)
{
    /*@ assert off:   \separated(t, t->node.a + (0 .. t->node.cap - 1)); */
    /*@ assert offk:  \separated(t, t->kid.a + (0 .. t->kid.cap - 1)); */
    t->node.n++;
    t->kid.n += n;
    /*@ assert view:  arena_of(t) == {\at(arena_of(t), Pre) \with .n = t->node.n, .nkid = t->kid.n}; */
    /*@ assert roots: moved_roots{Pre,Here}(t->node.a, t->node.a, t->node.n); */
    /*@ assert kids:  moved_kids{Pre,Here}(t->kid.a, t->kid.a, t->kid.n); */
    /*@ assert slots: moved_slots{Pre,Here}(t->slot.a, t->slot.a, t->slot.n); */
    /*@ assert names: same_names{Pre,Here}(t); */
    /*@ assert held:  held_attrs(t); */
    /*@ assert apart: distinct_slots(t->slot.a, t->slot.n); */
    /*@ assert moved: moved_arena{Pre,Here}(arena_of(t), arena_of(t)); */
    /*@ assert was:   wf_arena{Pre}(arena_of(t)); */
    /*@ assert wf:    wf_arena(arena_of(t)); */
    return t->node.n - 1;
}

int attr_append(struct attrs *t, int kind, int op, int a, int b)
{
    struct attr_put v = view(t);
    int id;

    /*@ assert off:   \separated(t, v.node + v.n) && \separated(t, v.kid + (v.nkid .. v.capkid - 1)); */
    /*@ assert offk:  \separated(t->kid.a + (0 .. t->kid.cap - 1), v.node + v.n); */
    /*@ assert offv:  field_off(v, &t->values->n) && field_off(v, &t->nsymbol); */
    /*@ assert offn:  field_off(v, &t->node.n) && field_off(v, &t->kid.n) && field_off(v, &t->slot.n); */
    /*@ assert offc:  field_off(v, &t->node.cap) && field_off(v, &t->kid.cap) && field_off(v, &t->slot.cap); */
    /*@ assert offs:  slots_off(v, t->slot.a, t->slot.n); */
    id = put(v, kind, op, a, b);
    /*@ assert slota: moved_slots{Pre,Here}(t->slot.a, t->slot.a, \at(t->slot.n, Pre)); */
    /*@ assert mems:  same_mems{Pre,Here}(t) && t->slot.a == \at(t->slot.a, Pre); */
    /*@ assert num:   same_counts{Pre,Here}(t); */
    /*@ assert caps:  t->node.cap == \at(t->node.cap, Pre) && t->kid.cap == \at(t->kid.cap, Pre) &&
                      t->slot.cap == \at(t->slot.cap, Pre); */
    /*@ assert same:  same_arrays{Pre,Here}(t); */
    /*@ assert here:  v == arena_of(t); */
    /*@ assert apart: apart_attrs(t); */
    /*@ assert held:  held_attrs(t); */
    /*@ assert wf:    wf_arena(v); */
    /*@ assert old:   moved_arena{Pre,Here}(v, v); */
    /*@ assert slots: kept_slots{Pre,Here}(t); */
    /*@ assert dist:  distinct_slots(t->slot.a, t->slot.n); */
    /*@ assert names: same_names{Pre,Here}(t); */
    if (id < 0)
        return -1;
    return count(t, 0);
}

int attr_add(struct attrs *t, int kind, int op, int a, int b)
{
    /*@ ghost int n = t->node.n, i = 0; */
    int id = -1;

    if (room(t, 0) /*@ ghost (0, 0) */) {
        /*@ ghost Room: ; */
        /*@ assert flat:  flat_node{Pre}(\at(arena_of(t), Pre), kind, op, a, b) <==> flat_node(arena_of(t), kind, op, a, b); */
        id = attr_append(t, kind, op, a, b);
        /*@ assert arena: moved_arena{Pre,Here}(\at(arena_of(t), Pre), arena_of(t)); */
        /*@ assert names: same_names{Pre,Here}(t); */
    }
    /*@ assert old: moved_arena{Pre,Here}(\at(arena_of(t), Pre), arena_of(t)); */
    /*@ ghost
    /@ loop invariant range: 0 <= i <= n;
       loop invariant same:  kept_exprs{Pre,Here}(\at(arena_of(t), Pre), arena_of(t), i);
       loop assigns i;
       loop variant n - i;
    @/
    while (i < n)
        i++;
    */
    /*@ assert slots: kept_slots{Pre,Here}(t); */
    /*@ assert kept:  kept{Pre,Here}(t); */
    return id;
}

int attr_append_family(struct attrs *t, int kind, int op, const int *kids, int n)
{
    struct attr_put v = view(t);
    int id;

    /*@ assert off:   \separated(t, v.node + v.n) && \separated(t, v.kid + (v.nkid .. v.capkid - 1)); */
    /*@ assert offv:  field_off(v, &t->values->n) && field_off(v, &t->nsymbol); */
    /*@ assert offn:  field_off(v, &t->node.n) && field_off(v, &t->kid.n) && field_off(v, &t->slot.n); */
    /*@ assert offc:  field_off(v, &t->node.cap) && field_off(v, &t->kid.cap) && field_off(v, &t->slot.cap); */
    /*@ assert offs:  slots_off(v, t->slot.a, t->slot.n); */
    id = attr_put_family(v, kind, op, kids, n);
    /*@ assert made:  id >= 0 <==> flat_family{Pre}(v, kind, op, kids, n); */
    /*@ assert kids:  id >= 0 ==> own_stand{Pre,Here}(v.kid, v.nkid, kids, n); */
    /*@ assert slota: moved_slots{Pre,Here}(t->slot.a, t->slot.a, \at(t->slot.n, Pre)); */
    /*@ assert given: same_own{Pre,Here}(kids, n); */
    /*@ assert mems:  same_mems{Pre,Here}(t) && t->slot.a == \at(t->slot.a, Pre); */
    /*@ assert num:   same_counts{Pre,Here}(t); */
    /*@ assert caps:  t->node.cap == \at(t->node.cap, Pre) && t->kid.cap == \at(t->kid.cap, Pre) &&
                      t->slot.cap == \at(t->slot.cap, Pre); */
    /*@ assert same:  same_arrays{Pre,Here}(t); */
    /*@ assert own:   apart_kids(t, kids, n); */
    /*@ assert here:  v == arena_of(t); */
    /*@ assert apart: apart_attrs(t); */
    /*@ assert held:  held_attrs(t); */
    /*@ assert old:   moved_arena{Pre,Here}(v, v); */
    /*@ assert wf:    wf_arena(v); */
    /*@ assert slots: kept_slots{Pre,Here}(t); */
    /*@ assert dist:  distinct_slots(t->slot.a, t->slot.n); */
    /*@ assert names: same_names{Pre,Here}(t); */
    if (id < 0)
        return -1;
    /*@ assert offt:  \forall integer k; 0 <= k < n ==> \separated(kids + k, &t->node.n) && \separated(kids + k, &t->kid.n); */
    /*@ assert neq:   \forall integer k; 0 <= k < n ==> kids + k != &t->node.n && kids + k != &t->kid.n; */
    /*@ ghost Put: ; */
    id = count(t, n);
    /*@ assert kept:  same_own{Put,Here}(kids, n); */
    /*@ assert still: same_own{Pre,Here}(kids, n); */
    /*@ assert stand: own_stand{Pre,Here}(v.kid, v.nkid, kids, n); */
    return id;
}

/* attr_add_family, but for what the expressions are. */
/*@ ATTR_REQUIRES
    requires len:      0 <= n <= VALUE_LEN_MAX;
    requires kind:     family_kind(kind);
    requires kids:     \valid_read(kids + (0 .. n - 1)) && apart_kids(t, kids, n);
    terminates \true;
    exits    never:    \false;
    assigns  *t, *t->mem, { *p | struct attr_node *p; \true }, { *q | int *q; \true }, { *s | struct attr_slot *s; \true };
    ensures  ready:    ready_attrs(t);
    ensures  code:     \result == -1 || \result == \old(t->node.n);
    ensures  made:     \result >= 0 ==> \old(flat_family(arena_of(t), kind, op, kids, n));
    ensures  room:     \old(room_for_node(t, n, 0)) ==> \old(flat_family(arena_of(t), kind, op, kids, n)) ==> \result >= 0;
    ensures  count:    \result < 0 ==> same_counts{Pre,Post}(t);
    ensures  next:     \result >= 0 ==> one_node{Pre,Post}(t, n);
    ensures  mems:     same_mems{Pre,Post}(t) && t->values->n == \old(t->values->n);
    ensures  old:      moved_arena{Pre,Post}(\old(arena_of(t)), arena_of(t));
    ensures  names:    same_names{Pre,Post}(t);
    ensures  node:     \result >= 0 ==> is_expr(arena_of(t), \result, kind, op, \old(t->kid.n), n);
    ensures  kids:     \result >= 0 ==> own_stand{Pre,Post}(t->kid.a, \old(t->kid.n), kids, n);
    ensures  own:      apart_kids(t, kids, n) && same_own{Pre,Post}(kids, n);
*/
static int make_family(struct attrs *t, int kind, int op, const int *kids, int n)
{
    bool r = room(t, n) /*@ ghost (kids, n) */;
    int id;

    /*@ assert flat:  flat_family{Pre}(\at(arena_of(t), Pre), kind, op, kids, n) <==>
                      flat_family(arena_of(t), kind, op, kids, n); */
    /*@ assert first: t->kid.n == \at(t->kid.n, Pre); */
    /*@ assert same:  same_names{Pre,Here}(t); */
    if (!r)
        return -1;
    /*@ ghost Room: ; */
    id = attr_append_family(t, kind, op, kids, n);
    /*@ assert arena: moved_arena{Room,Here}(\at(arena_of(t), Room), arena_of(t)); */
    /*@ assert names: same_names{Pre,Here}(t); */
    /*@ assert put:   id >= 0 ==> own_stand{Room,Here}(t->kid.a, \at(t->kid.n, Room), kids, n); */
    /*@ assert stand: id >= 0 ==> own_stand{Pre,Here}(t->kid.a, \at(t->kid.n, Room), kids, n); */
    /*@ assert node:  id >= 0 ==> is_expr(arena_of(t), id, kind, op, \at(t->kid.n, Room), n); */
    return id;
}

int attr_add_family(struct attrs *t, int kind, int op, const int *kids, int n)
{
    /*@ ghost int m = t->node.n, i = 0; */
    int id;

    if (n < 0 || n > VALUE_LEN_MAX)
        return -1;
    id = make_family(t, kind, op, kids, n);
    /*@ ghost
    /@ loop invariant range: 0 <= i <= m;
       loop invariant same:  kept_exprs{Pre,Here}(\at(arena_of(t), Pre), arena_of(t), i);
       loop assigns i;
       loop variant m - i;
    @/
    while (i < m)
        i++;
    */
    /*@ assert kept: kept{Pre,Here}(t); */
    /*@ assert root: id >= 0 ==> \forall vals s; is_root(expr_of(arena_of(t), s, id), kind, op, n); */
    /*@ assert kids: id >= 0 ==> \forall vals s; has_own{Pre}(expr_of(arena_of(t), s, id), \at(arena_of(t), Pre), s, kids, n); */
    return id;
}
