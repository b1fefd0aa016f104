/* Expressions and their slots. Contracts: attr_new.h. */
#include "attr/attr_new.h"

#include "attr/attr_add.h"

int attr_slot_find(const struct attrs *t, int pattern, int label)
{
    /*@ loop invariant range: 0 <= s <= t->slot.n;
        loop invariant none:  no_slot(t->slot.a, s, pattern, label);
        loop assigns s;
        loop variant t->slot.n - s;
    */
    for (int s = 0; s < t->slot.n; s++)
        if (t->slot.a[s].pattern == pattern && t->slot.a[s].label == label)
            return s;
    return -1;
}

int attr_append_slot(struct attrs *t, int pattern, int label)
{
    struct attr_slot *s = &t->slot.a[t->slot.n];

    /*@ assert off:   \separated(t, s) && \separated(t->values, s); */
    /*@ assert offa:  \separated(t->node.a + (0 .. t->node.cap - 1), s) && \separated(t->kid.a + (0 .. t->kid.cap - 1), s); */
    s->pattern = pattern;
    s->label = label;
    /*@ assert mems:  same_arrays{Pre,Here}(t); */
    /*@ assert num:   same_counts{Pre,Here}(t); */
    /*@ assert slots: moved_slots{Pre,Here}(t->slot.a, t->slot.a, t->slot.n); */
    /*@ assert roots: moved_roots{Pre,Here}(t->node.a, t->node.a, t->node.n); */
    /*@ assert kids:  moved_kids{Pre,Here}(t->kid.a, t->kid.a, t->kid.n); */
    /*@ assert new:   slot_is(t->slot.a, t->slot.n, pattern, label); */
    /*@ assert none:  no_slot(t->slot.a, t->slot.n, pattern, label); */
    /*@ assert dist:  distinct_slots(t->slot.a, t->slot.n + 1); */
    /*@ ghost Set: ; */
    t->slot.n++;
    /*@ assert arrays: same_arrays{Pre,Here}(t); */
    /*@ assert slots2: moved_slots{Set,Here}(t->slot.a, t->slot.a, t->slot.n); */
    /*@ assert roots2: moved_roots{Pre,Here}(t->node.a, t->node.a, t->node.n); */
    /*@ assert kids2:  moved_kids{Pre,Here}(t->kid.a, t->kid.a, t->kid.n); */
    /*@ assert moved:  moved_arena{Pre,Here}(\at(arena_of(t), Pre), arena_of(t)); */
    /*@ assert apart:  apart_attrs(t); */
    /*@ assert wf:     wf_arena(arena_of(t)); */
    return t->slot.n - 1;
}

/* attrs_room for a slot, and the arena is well-formed wherever it stands. */
/*@ ATTR_REQUIRES
    terminates \true;
    exits    never:    \false;
    assigns  *t, *t->mem, { *p | struct attr_node *p; \true }, { *q | int *q; \true }, { *s | struct attr_slot *s; \true };
    ensures  result:   \result == 0 || \result == 1;
    ensures  ready:    ready_attrs(t);
    ensures  rest:     only_slots{Pre,Post}(t) && t->slot.n == \old(t->slot.n);
    ensures  arena:    moved_arena{Pre,Post}(\old(arena_of(t)), arena_of(t));
    ensures  slots:    kept_slots{Pre,Post}(t);
    ensures  room:     \result == 1 ==> has_room_for(t, 0, 0, 1);
    ensures  had:      \old(has_room_for(t, 0, 0, 1)) ==> \result == 1;
*/
static bool slot_room(struct attrs *t)
{
    bool r = attrs_room(t, 0, 0, 1) /*@ ghost (0, 0) */;

    /*@ assert arena: moved_arena{Pre,Here}(\at(arena_of(t), Pre), arena_of(t)); */
    /*@ assert wf:    wf_arena(arena_of(t)); */
    /*@ assert moved: moved_slots{Pre,Here}(\at(t->slot.a, Pre), t->slot.a, t->slot.n); */
    /*@ assert count: t->slot.n == \at(t->slot.n, Pre); */
    /*@ assert was:   distinct_slots{Pre}(\at(t->slot.a, Pre), \at(t->slot.n, Pre)); */
    /*@ assert slots: distinct_slots(t->slot.a, \at(t->slot.n, Pre)); */
    return r;
}

/* A slot more; -1 when memory is out. */
/*@ ATTR_REQUIRES
    requires new:      no_slot(t->slot.a, t->slot.n, pattern, label);
    terminates \true;
    exits    never:    \false;
    assigns  *t, *t->mem, { *p | struct attr_node *p; \true }, { *q | int *q; \true }, { *s | struct attr_slot *s; \true };
    ensures  ready:    ready_attrs(t);
    ensures  rest:     only_slots{Pre,Post}(t);
    ensures  arena:    moved_arena{Pre,Post}(\old(arena_of(t)), arena_of(t));
    ensures  slots:    kept_slots{Pre,Post}(t);
    ensures  code:     \result == -1 || \result == \old(t->slot.n);
    ensures  new:      \result >= 0 ==> t->slot.n == \result + 1 && slot_is(t->slot.a, \result, pattern, label);
    ensures  none:     \result < 0 ==> t->slot.n == \old(t->slot.n) && no_slot(t->slot.a, t->slot.n, pattern, label);
    ensures  room:     \old(has_room_for(t, 0, 0, 1)) ==> \result >= 0;
*/
static int new_slot(struct attrs *t, int pattern, int label)
{
    bool r = slot_room(t);
    int s;

    /*@ assert none:  no_slot(t->slot.a, t->slot.n, pattern, label); */
    if (!r)
        return -1;
    /*@ ghost Room: ; */
    s = attr_append_slot(t, pattern, label);
    /*@ assert arena: moved_arena{Room,Here}(\at(arena_of(t), Room), arena_of(t)); */
    /*@ assert slots: kept_slots{Room,Here}(t); */
    return s;
}

int attr_slot(struct attrs *t, int pattern, int label)
{
    /*@ ghost int n = t->node.n, i = 0; */
    int s = attr_slot_find(t, pattern, label);

    if (s < 0)
        s = new_slot(t, pattern, label);
    /*@ assert moved: moved_arena{Pre,Here}(\at(arena_of(t), Pre), arena_of(t)); */
    /*@ assert slots: kept_slots{Pre,Here}(t); */
    /*@ assert wf:    wf_arena(arena_of(t)); */
    /*@ ghost
    /@ loop invariant range: 0 <= i <= n;
       loop invariant same:  kept_exprs{Pre,Here}(\at(arena_of(t), Pre), arena_of(t), i);
       loop assigns i;
       loop variant n - i;
    @/
    while (i < n)
        i++;
    */
    return s;
}

int attr_const(struct attrs *t, int value)
{
    return attr_add(t, ATTR_CONST, 0, value, 0);
}

int attr_any(struct attrs *t)
{
    return attr_add(t, ATTR_ANY, 0, 0, 0);
}

int attr_unary(struct attrs *t, int op, int a)
{
    return attr_add(t, ATTR_UNARY, op, a, 0);
}

int attr_reduce(struct attrs *t, int op, int a)
{
    return attr_add(t, ATTR_REDUCE, op, a, 0);
}

int attr_binary(struct attrs *t, int op, int a, int b)
{
    return attr_add(t, ATTR_BINARY, op, a, b);
}

int attr_proj(struct attrs *t, int a, int b)
{
    return attr_add(t, ATTR_PROJ, 0, a, b);
}

int attr_tuple(struct attrs *t, const int *kids, int n)
{
    return attr_add_family(t, ATTR_TUPLE, 0, kids, n);
}

int attr_func(struct attrs *t, int op, const int *kids, int n)
{
    return attr_add_family(t, ATTR_FUNC, op, kids, n);
}

int attr_choice(struct attrs *t, int pattern, const int *kids, int n)
{
    return pattern >= 0 ? attr_add_family(t, ATTR_MATCH, pattern, kids, n) : -1;
}

int attr_cond(struct attrs *t, int c, int a, int b)
{
    const int kids[3] = { c, a, b };

    /*@ assert moved: moved_arena{Pre,Here}(\at(arena_of(t), Pre), arena_of(t)); */
    /*@ assert flat:  flat_cond{Pre}(\at(arena_of(t), Pre), c, a, b) <==> flat_cond(arena_of(t), c, a, b); */
    /*@ assert all:   flat_family(arena_of(t), ATTR_COND, 0, &kids[0], 3) <==> flat_cond(arena_of(t), c, a, b); */
    return attr_add_family(t, ATTR_COND, 0, kids, 3);
}

bool attr_see_symbol(struct attrs *t, int symbol)
{
    /*@ ghost int n = t->node.n, i = 0; */

    if (symbol < 0 || symbol >= ATTR_SYMBOL_MAX)
        return false;
    if (symbol >= t->nsymbol)
        t->nsymbol = symbol + 1;
    /*@ assert roots: moved_roots{Pre,Here}(t->node.a, t->node.a, t->node.n); */
    /*@ assert kids:  moved_kids{Pre,Here}(t->kid.a, t->kid.a, t->kid.n); */
    /*@ assert slots: moved_slots{Pre,Here}(t->slot.a, t->slot.a, t->slot.n); */
    /*@ assert moved: moved_arena{Pre,Here}(\at(arena_of(t), Pre), arena_of(t)); */
    /*@ assert apart: apart_attrs(t); */
    /*@ assert wf:    wf_arena(arena_of(t)); */
    /*@ ghost
    /@ loop invariant range: 0 <= i <= n;
       loop invariant same:  kept_exprs{Pre,Here}(\at(arena_of(t), Pre), arena_of(t), i);
       loop assigns i;
       loop variant n - i;
    @/
    while (i < n)
        i++;
    */
    return true;
}

/* The node (kind, symbol, a, b). */
/*@ ATTR_REQUIRES
    requires kind:     symbol_kind(kind) && (leaf_kind(kind) ==> b == 0);
    terminates \true;
    exits    never:    \false;
    assigns  *t, *t->mem, { *p | struct attr_node *p; \true }, { *q | int *q; \true }, { *s | struct attr_slot *s; \true };
    ATTR_KEEPS
    ATTR_IS_NEXT(0 <= symbol < ATTR_SYMBOL_MAX && (pair_kind(kind) ==> flat_pair(arena_of(t), a, b)), 0, 0)
    ATTR_SEES
    ensures  node:     \result >= 0 ==> is_expr(arena_of(t), \result, kind, symbol, a, b);
*/
static int add_symbol(struct attrs *t, int kind, int symbol, int a, int b)
{
    int id;

    if (!attr_see_symbol(t, symbol))
        return -1;
    /*@ assert flat: pair_kind(kind) ==>
                     (flat_pair{Pre}(\at(arena_of(t), Pre), a, b) <==> flat_pair(arena_of(t), a, b)); */
    /*@ ghost Seen: ; */
    id = attr_add(t, kind, symbol, a, b);
    /*@ assert later: kept{Seen,Here}(t); */
    return id;
}

int attr_symbol(struct attrs *t, int symbol)
{
    return add_symbol(t, ATTR_SYMBOL, symbol, 0, 0);
}

int attr_var(struct attrs *t, int symbol, int n, int a)
{
    return add_symbol(t, ATTR_VAR, symbol, n, a);
}

int attr_map(struct attrs *t, int symbol, int tuple, int a)
{
    return add_symbol(t, ATTR_MAP, symbol, tuple, a);
}

/* The node (kind, 0, slot of the label of the pattern, b). */
/*@ ATTR_REQUIRES
    requires kind:     slot_kind(kind) && (leaf_kind(kind) ==> b == 0);
    terminates \true;
    exits    never:    \false;
    assigns  *t, *t->mem, { *p | struct attr_node *p; \true }, { *q | int *q; \true }, { *s | struct attr_slot *s; \true };
    ATTR_KEEPS
    ATTR_IS_NEXT(kind == ATTR_INST ==> flat_child(arena_of(t), b), 0, 1)
    ensures  symbols:  t->nsymbol == \old(t->nsymbol);
    ensures  node:     \result >= 0 ==> \exists integer a; is_expr(arena_of(t), \result, kind, 0, a, b) &&
                       0 <= a < t->slot.n && slot_is(t->slot.a, a, pattern, label);
*/
static int add_reader(struct attrs *t, int kind, int pattern, int label, int b)
{
    int s = attr_slot(t, pattern, label), id;

    if (s < 0)
        return -1;
    /*@ assert flat: kind == ATTR_INST ==> (flat_child{Pre}(\at(arena_of(t), Pre), b) <==> flat_child(arena_of(t), b)); */
    /*@ ghost Slot: ; */
    /*@ assert read:  slot_is(t->slot.a, s, pattern, label); */
    id = attr_add(t, kind, 0, s, b);
    /*@ assert later: kept{Slot,Here}(t); */
    /*@ assert slots: moved_slots{Slot,Here}(\at(t->slot.a, Slot), t->slot.a, \at(t->slot.n, Slot)); */
    /*@ assert count: s < \at(t->slot.n, Slot) == t->slot.n; */
    /*@ assert slot:  slot_is(t->slot.a, s, pattern, label); */
    return id;
}

int attr_access(struct attrs *t, int pattern, int label)
{
    return add_reader(t, ATTR_ACCESS, pattern, label, 0);
}

int attr_inst(struct attrs *t, int pattern, int a, int label)
{
    return a >= 0 && a < t->node.n ? add_reader(t, ATTR_INST, pattern, label, a) : -1;
}
