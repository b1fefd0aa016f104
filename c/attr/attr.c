/* Attribute expressions: their arena, its cores that append where there is room, and the constructors. Invariant: children have
   smaller ids than their parents. */
#include "attr/attr_internal.h"

/*@ requires valid:    \valid(t) && \valid(mem) && \valid_read(values);
    requires apart:    \separated(t, mem, values);
    requires values:   0 <= values->n;
    terminates \true;
    exits    never:    \false;
    assigns  *t;
    ensures  ready:    ready_attrs(t) && t->mem == mem && t->values == values;
    ensures  empty:    t->node.n == 0 && t->kid.n == 0 && t->slot.n == 0 && t->nsymbol == 0;
*/
void attrs_init(struct attrs *t, struct values *values, struct mem *mem)
{
    t->mem = mem;
    t->values = values;
    t->node.a = NULL;
    t->node.n = t->node.cap = 0;
    t->kid.a = NULL;
    t->kid.n = t->kid.cap = 0;
    t->slot.a = NULL;
    t->slot.n = t->slot.cap = 0;
    t->nsymbol = 0;
    /*@ assert slots: distinct_slots(t->slot.a, t->slot.n); */
    /*@ assert arena: wf_arena(arena_of(t)); */
    /*@ assert places: valid_arena(arena_of(t)); */
    /*@ assert apart: apart_attrs(t); */
    /*@ assert held: held_attrs(t); */
}

/*@ requires valid:    \valid(t) && \valid(t->mem) && \valid_read(t->values);
    requires apart:    \separated(t, t->mem, t->values);
    requires values:   0 <= t->values->n;
    terminates \true;
    exits    never:    \false;
    assigns  *t;
    ensures  empty:    t->node.n == 0 && t->kid.n == 0 && t->slot.n == 0;
    ensures  same:     t->values == \old(t->values) && t->mem == \old(t->mem);
*/
void attrs_free(struct attrs *t)
{
    mem_free(t->node.a);
    ints_free(&t->kid);
    mem_free(t->slot.a);
    attrs_init(t, t->values, t->mem);
}

bool attr_has_kids(int kind)
{
    return kind == ATTR_TUPLE || kind == ATTR_COND || kind == ATTR_MATCH || kind == ATTR_FUNC;
}

int attr_kids(struct attr_put t, int i)
{
    /*@ assert ok: expr_ok(t, i); */
    switch (t.node[i].kind) {
    case ATTR_CONST:
    case ATTR_ANY:
    case ATTR_ACCESS:
    case ATTR_SYMBOL:
        return 0;
    case ATTR_UNARY:
    case ATTR_REDUCE:
    case ATTR_INST:
        return 1;
    case ATTR_BINARY:
    case ATTR_PROJ:
    case ATTR_VAR:
    case ATTR_MAP:
        return 2;
    default:
        return t.node[i].b;
    }
}

int attr_kid(struct attr_put t, int i, int k)
{
    int kind = t.node[i].kind;

    /*@ assert ok: expr_ok(t, i); */
    if (attr_has_kids(kind)) {
        /*@ assert at:  0 <= t.node[i].a + k < t.nkid; */
        /*@ assert kid: child_ok(t, i, t.kid[t.node[i].a + k]); */
        /*@ assert sub: expr_ok(t, t.kid[t.node[i].a + k]); */
        return t.kid[t.node[i].a + k];
    }
    if (kind == ATTR_INST || k > 0) {
        /*@ assert b: expr_ok(t, t.node[i].b); */
        return t.node[i].b;
    }
    /*@ assert a: expr_ok(t, t.node[i].a); */
    return t.node[i].a;
}

/* Does the root exist? */
/*@ terminates \true;
    exits    never:    \false;
    assigns  \nothing;
    ensures  bool:     \result == 0 || \result == 1;
    ensures  ok:       \result == 1 <==> root_ok(t, kind, op, a);
*/
static int root_exists(struct attr_put t, int kind, int op, int a)
{
    switch (kind) {
    case ATTR_CONST:
        return a >= 0 && a < t.nvalue;
    case ATTR_ACCESS:
    case ATTR_INST:
        return a >= 0 && a < t.nslot;
    case ATTR_SYMBOL:
    case ATTR_VAR:
    case ATTR_MAP:
        return op >= 0 && op < t.nsymbol;
    case ATTR_UNARY:
        return op >= 0 && op < ATTR_UNARY_OPS;
    case ATTR_BINARY:
        return op >= 0 && op < ATTR_BINARY_OPS;
    case ATTR_REDUCE:
        return op >= 0 && op < ATTR_REDUCTIONS;
    case ATTR_FUNC:
        return op >= 0 && op < ATTR_FUNC_OPS;
    default:
        return 1;
    }
}

/* Node t.n becomes x, field by field. */
/*@ requires valid:    valid_arena(t) && t.n < t.cap;
    terminates \true;
    exits    never:    \false;
    assigns  t.node[t.n];
    ensures  set:      is_expr(t, t.n, x.kind, x.op, x.a, x.b);
    ensures  extent:   t.node[t.n].depth == x.depth && t.node[t.n].size == x.size;
    ensures  old:      same_arena{Pre,Post}(t);
*/
static void set(struct attr_put t, struct attr_node x)
{
    t.node[t.n].kind = x.kind;
    t.node[t.n].op = x.op;
    t.node[t.n].a = x.a;
    t.node[t.n].b = x.b;
    t.node[t.n].depth = x.depth;
    t.node[t.n].size = x.size;
    /*@ assert kids:  same_kids{Pre,Here}(t); */
    /*@ assert roots: same_roots{Pre,Here}(t); */
}

int attr_put_leaf(struct attr_put t, int kind, int op, int a)
{
    if (!root_exists(t, kind, op, a))
        return -1;
    set(t, (struct attr_node){ .kind = kind, .op = op, .a = a, .b = 0, .depth = 0, .size = 1 });
    /*@ assert wf:   wf_arena(t); */
    /*@ assert more: one_more(t, ONE_MORE) && expr_ok(ONE_MORE, t.n); */
    return t.n;
}

int attr_put_one(struct attr_put t, int kind, int op, int a, int b, int c)
{
    if (!root_exists(t, kind, op, a) || c < 0 || c >= t.n)
        return -1;
    /*@ assert child: expr_ok(t, c); */
    if (t.node[c].depth >= ATTR_DEPTH_MAX || t.node[c].size >= ATTR_SIZE_MAX)
        return -1;
    set(t, (struct attr_node){ .kind = kind, .op = op, .a = a, .b = b, .depth = 1 + t.node[c].depth,
                               .size = 1 + t.node[c].size });
    /*@ assert wf:   wf_arena(t); */
    /*@ assert same: same_extent{Pre,Here}(t, c); */
    /*@ assert more: one_more(t, ONE_MORE) && expr_ok(ONE_MORE, t.n); */
    return t.n;
}

int attr_put_pair(struct attr_put t, int kind, int op, int a, int b)
{
    int depth, size;

    if (!root_exists(t, kind, op, a) || a < 0 || a >= t.n || b < 0 || b >= t.n)
        return -1;
    /*@ assert child_a: expr_ok(t, a); */
    /*@ assert child_b: expr_ok(t, b); */
    depth = t.node[a].depth > t.node[b].depth ? t.node[a].depth : t.node[b].depth;
    size = t.node[a].size + t.node[b].size;
    if (depth >= ATTR_DEPTH_MAX || size >= ATTR_SIZE_MAX)
        return -1;
    set(t, (struct attr_node){ .kind = kind, .op = op, .a = a, .b = b, .depth = 1 + depth, .size = 1 + size });
    /*@ assert wf:   wf_arena(t); */
    /*@ assert same: same_extent{Pre,Here}(t, a) && same_extent{Pre,Here}(t, b); */
    /*@ assert more: one_more(t, ONE_MORE) && expr_ok(ONE_MORE, t.n); */
    return t.n;
}

/* Depth and size of a node of the children kids[0 .. n - 1], at most one above the limit, or depth -1: one of them is no
   node. */
struct extent {
    int depth, size;
};

/*@ requires valid:    valid_arena(t);
    requires wf:       wf_arena(t);
    requires kids:     0 <= n && \valid_read(kids + (0 .. n - 1));
    terminates \true;
    exits    never:    \false;
    assigns  \nothing;
    ensures  exist:    \result.depth >= 0 <==> kids_exist(t, kids, n);
    ensures  range:    \result.depth >= 0 ==> 1 <= \result.depth <= ATTR_DEPTH_MAX + 1 &&
                       1 <= \result.size <= ATTR_SIZE_MAX + 1;
    ensures  depth:    \result.depth >= 0 ==> kids_depth(t, kids, n, \result.depth);
    ensures  size:     \result.depth >= 0 ==> \result.size == \min(1 + kids_size(t, kids, n), ATTR_SIZE_MAX + 1);
*/
static struct extent measure(struct attr_put t, const int *kids, int n)
{
    struct extent e = { 1, 1 };

    /*@ loop invariant range:  0 <= k <= n && 1 <= e.depth <= ATTR_DEPTH_MAX + 1 && 1 <= e.size <= ATTR_SIZE_MAX + 1;
        loop invariant exist:  kids_exist(t, kids, k);
        loop invariant depth:  kids_depth(t, kids, k, e.depth);
        loop invariant size:   e.size == \min(1 + kids_size(t, kids, k), ATTR_SIZE_MAX + 1);
        loop assigns k, e;
        loop variant n - k;
    */
    for (int k = 0; k < n; k++) {
        int c = kids[k];
        if (c < 0 || c >= t.n) {
            e.depth = -1;
            return e;
        }
        /*@ assert more: kids_exist(t, kids, k + 1); */
        /*@ assert child: expr_ok(t, c); */
        if (t.node[c].depth >= e.depth)
            e.depth = t.node[c].depth + 1;
        e.size += t.node[c].size;
        if (e.size > ATTR_SIZE_MAX)
            e.size = ATTR_SIZE_MAX + 1;
    }
    return e;
}

/* kid[first + k] = from[k]. */
/*@ requires valid:    0 <= first && 0 <= n && first + n <= INT32_MAX && \valid(kid + (first .. first + n - 1)) &&
                       \valid_read(from + (0 .. n - 1));
    requires apart:    \separated(from + (0 .. n - 1), kid + (first .. first + n - 1));
    terminates \true;
    exits    never:    \false;
    assigns  kid[first .. first + n - 1];
    ensures  copied:   \forall integer k; first <= k < first + n ==> kid[k] == \old(from[k - first]);
*/
static void put_kids(int *kid, int first, const int *from, int n)
{
    /*@ loop invariant range:  0 <= k <= n;
        loop invariant copied: \forall integer j; first <= j < first + k ==> kid[j] == \at(from[j - first], Pre);
        loop invariant from:   \forall integer j; 0 <= j < n ==> from[j] == \at(from[j], Pre);
        loop assigns k, kid[first .. first + n - 1];
        loop variant n - k;
    */
    for (int k = 0; k < n; k++)
        kid[first + k] = from[k];
}

/* Node t.n, of the extent e, gets these children. */
/*@ requires valid:    valid_arena(t) && t.n < t.cap;
    requires wf:       wf_arena(t);
    requires kind:     family_kind(kind) && root_ok(t, kind, op, t.nkid);
    requires kids:     0 <= n <= t.capkid - t.nkid && n <= VALUE_LEN_MAX && \valid_read(kids + (0 .. n - 1));
    requires apart:    \separated(kids + (0 .. n - 1), t.kid + (t.nkid .. t.capkid - 1)) &&
                       \separated(kids + (0 .. n - 1), t.node + (0 .. t.cap - 1));
    requires exist:    kids_exist(t, kids, n);
    requires extent:   0 <= e.depth <= ATTR_DEPTH_MAX && 1 <= e.size <= ATTR_SIZE_MAX;
    requires deep:     \forall integer k; 0 <= k < n ==> t.node[kids[k]].depth < e.depth;
    terminates \true;
    exits    never:    \false;
    assigns  t.node[t.n], t.kid[t.nkid .. t.capkid - 1];
    ensures  old:      same_arena{Pre,Post}(t);
    ensures  wf:       wf_arena(WITH_KIDS);
    ensures  node:     is_expr(t, t.n, kind, op, t.nkid, n);
    ensures  kids:     \forall integer k; t.nkid <= k < t.nkid + n ==> t.kid[k] == \old(kids[k - t.nkid]);
    ensures  extent:   t.node[t.n].depth == e.depth && t.node[t.n].size == e.size;
*/
static void set_family(struct attr_put t, int kind, int op, const int *kids, int n, struct extent e)
{
    put_kids(t.kid, t.nkid, kids, n);
    /*@ assert kids1:  same_kids{Pre,Here}(t); */
    /*@ assert roots1: same_roots{Pre,Here}(t); */
    /*@ assert own1:   \forall integer k; t.nkid <= k < t.nkid + n ==> t.kid[k] == \at(kids[k - t.nkid], Pre); */
    /*@ assert deep1:  \forall integer k; t.nkid <= k < t.nkid + n ==>
                       0 <= t.kid[k] < t.n && t.node[t.kid[k]].depth < e.depth; */
    /*@ ghost Filled: ; */
    set(t, (struct attr_node){ .kind = kind, .op = op, .a = t.nkid, .b = n, .depth = e.depth, .size = e.size });
    /*@ assert same: same_arena{Pre,Here}(t); */
    /*@ assert wf:   wf_arena(t); */
    /*@ assert kept: \forall integer k; t.nkid <= k < t.nkid + n ==> t.kid[k] == \at(t.kid[k], Filled); */
    /*@ assert deep: \forall integer k; t.nkid <= k < t.nkid + n ==>
                     0 <= t.kid[k] < t.n && t.node[t.kid[k]].depth < e.depth; */
    /*@ assert new:  kids_ok(WITH_KIDS, t.n); */
    /*@ assert more: one_more(t, WITH_KIDS) && expr_ok(WITH_KIDS, t.n); */
}

int attr_put_family(struct attr_put t, int kind, int op, const int *kids, int n)
{
    struct extent e;

    if (n > VALUE_LEN_MAX || !root_exists(t, kind, op, t.nkid))
        return -1;
    e = measure(t, kids, n);
    if (e.depth < 0 || e.depth > ATTR_DEPTH_MAX || e.size > ATTR_SIZE_MAX)
        return -1;
    set_family(t, kind, op, kids, n, e);
    /*@ assert kids: \forall integer k; 0 <= k < n ==> t.kid[t.nkid + k] == \at(kids[k], Pre); */
    return t.n;
}

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
    /*@ assert offv:  field_off(v, &t->values->n); */
    /*@ assert offy:  field_off(v, &t->nsymbol); */
    /*@ assert offt:  \forall integer k; 0 <= k < n ==> \separated(kids + k, &t->node.n) && \separated(kids + k, &t->kid.n); */
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
    /*@ assert neq:   \forall integer k; 0 <= k < n ==> kids + k != &t->node.n && kids + k != &t->kid.n; */
    /*@ ghost Put: ; */
    id = count(t, n);
    /*@ assert kept:  same_own{Put,Here}(kids, n); */
    /*@ assert still: same_own{Pre,Here}(kids, n); */
    /*@ assert stand: own_stand{Pre,Here}(v.kid, v.nkid, kids, n); */
    /*@ assert view:  arena_of(t) == {v \with .n = (int)(id + 1), .nkid = t->kid.n} && t->kid.n == v.nkid + n; */
    /*@ assert roots: moved_roots{Put,Here}(v.node, v.node, v.n); */
    /*@ assert lists: moved_kids{Put,Here}(v.kid, v.kid, v.nkid); */
    /*@ assert count: moved_arena{Put,Here}(v, arena_of(t)); */
    /*@ assert arena: moved_arena{Pre,Here}(v, arena_of(t)); */
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

/* Expressions and their slots. Contracts: attr_internal.h. */
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
    int id;

    {
        const int kids[3] = { c, a, b };

        /*@ assert moved: moved_arena{Pre,Here}(\at(arena_of(t), Pre), arena_of(t)); */
        /*@ assert flat:  flat_cond{Pre}(\at(arena_of(t), Pre), c, a, b) <==> flat_cond(arena_of(t), c, a, b); */
        /*@ assert all:   flat_family(arena_of(t), ATTR_COND, 0, &kids[0], 3) <==> flat_cond(arena_of(t), c, a, b); */
        id = attr_add_family(t, ATTR_COND, 0, kids, 3);
        /*@ assert own:   id >= 0 ==> \forall vals s; x_kid(expr_of(arena_of(t), s, id), 0) == \at(expr_of(arena_of(t), s, c), Pre) &&
                          x_kid(expr_of(arena_of(t), s, id), 1) == \at(expr_of(arena_of(t), s, a), Pre) &&
                          x_kid(expr_of(arena_of(t), s, id), 2) == \at(expr_of(arena_of(t), s, b), Pre); */
        /*@ assert held:  \valid(t) && \valid(t->mem) && \valid_read(t->values); */
        /*@ assert heldn: \valid(t->node.a + (0 .. t->node.cap - 1)); */
        /*@ assert heldk: \valid(t->kid.a + (0 .. t->kid.cap - 1)); */
        /*@ assert helds: \valid(t->slot.a + (0 .. t->slot.cap - 1)); */
        /*@ assert arena: held_attrs(t) && valid_arena(arena_of(t)); */
        /*@ assert offt:  \base_addr(t) != \base_addr(&kids[0]) && \base_addr(t->mem) != \base_addr(&kids[0]) &&
                          \base_addr(t->values) != \base_addr(&kids[0]); */
        /*@ assert offn:  t->node.cap > 0 ==> \base_addr(t->node.a) != \base_addr(&kids[0]); */
        /*@ assert offk:  t->kid.cap > 0 ==> \base_addr(t->kid.a) != \base_addr(&kids[0]); */
        /*@ assert offs:  t->slot.cap > 0 ==> \base_addr(t->slot.a) != \base_addr(&kids[0]); */
    }
    /*@ assert valid: \valid(t) && \valid(t->mem) && \valid_read(t->values); */
    /*@ assert nodes: \valid(t->node.a + (0 .. t->node.cap - 1)); */
    /*@ assert kids:  \valid(t->kid.a + (0 .. t->kid.cap - 1)); */
    /*@ assert slots: \valid(t->slot.a + (0 .. t->slot.cap - 1)); */
    /*@ assert arena: valid_arena(arena_of(t)); */
    /*@ assert apart: apart_attrs(t); */
    return id;
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
    /*@ assert arrays: same_arrays{Pre,Here}(t) && \valid(t) && \valid(t->mem) && \valid_read(t->values); */
    /*@ assert places: 0 <= t->slot.n <= t->slot.cap && \valid(t->slot.a + (0 .. t->slot.cap - 1)); */
    /*@ assert arena: valid_arena(arena_of(t)); */
    /*@ assert held:  held_attrs(t); */
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
    int id = add_reader(t, ATTR_ACCESS, pattern, label, 0);

    /*@ assert node: id >= 0 ==> \exists integer a; is_expr(arena_of(t), id, ATTR_ACCESS, 0, a, 0) && 0 <= a < t->slot.n &&
                     slot_is(t->slot.a, a, pattern, label); */
    /*@ assert wf:   wf_arena(arena_of(t)); */
    /*@ assert made: id >= 0 ==> 0 <= id < arena_of(t).n; */
    /*@ assert leaf: id >= 0 ==> \forall vals s; is_root(expr_of(arena_of(t), s, id), ATTR_ACCESS, 0, 0); */
    /*@ assert slot: id >= 0 ==> \exists integer a; 0 <= a < t->slot.n && slot_is(t->slot.a, a, pattern, label) &&
                     \forall vals s; x_slot(expr_of(arena_of(t), s, id)) == a; */
    /*@ assert read: id >= 0 ==> \forall vals s; reads_slot(expr_of(arena_of(t), s, id), t, pattern, label); */
    return id;
}

int attr_inst(struct attrs *t, int pattern, int a, int label)
{
    return a >= 0 && a < t->node.n ? add_reader(t, ATTR_INST, pattern, label, a) : -1;
}
