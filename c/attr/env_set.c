/* A reader reads an environment into the caller's struct. */
#include "attr/env_read.h"
#include "attr/read_on.h"

#ifdef __FRAMAC__
#include "attr/both_moved.acsl"
#include "attr/both_same.acsl"
#include "attr/env_kept.acsl"

/*@
predicate off_entries(struct attr_bindings *b, struct attr_bindings e) =
  \separated(b, e.slot.a + (0 .. e.slot.n - 1)) && \separated(b, e.symbol.a + (0 .. e.symbol.n - 1)) &&
  \separated(b, e.other.a + (0 .. e.other.n - 1));
predicate off_reader(struct attr_reader *r, struct attr_bindings e) =
  \separated(r, e.slot.a + (0 .. e.slot.n - 1)) && \separated(r, e.symbol.a + (0 .. e.symbol.n - 1)) &&
  \separated(r, e.other.a + (0 .. e.other.n - 1));
*/
#define VALUES \at(t->values->v, Pre)
#define NVALUE \at(t->values->n, Pre)
#define POOL \at(t->values->pool, Pre)
#define NPOOL \at(t->values->npool, Pre)
#define NODE \at(t->node.a, Pre)
#define NNODE \at(t->node.n, Pre)
#define KID \at(t->kid.a, Pre)
#define NKID \at(t->kid.n, Pre)
#define SLOT \at(t->slot.a, Pre)
#define NSLOT \at(t->slot.n, Pre)
#define STAYS(a, n, field) (\forall integer i; 0 <= i < n ==> a[i].field == \at(a[i].field, Pre))
#define B_STAYS(a, n, field) (ready_both{Pre}(t) ==> bindings_apart{Pre}(b, t) ==> STAYS(a, n, field))
#define R_STAYS(a, n, field) (ready_both{Pre}(t) ==> reader_apart{Pre}(r, t) ==> STAYS(a, n, field))
#define E_STAYS(field) (off_entries(b, e) ==> STAYS(e.other.a, e.other.n, field))
#define APART (reader_apart(r, t) && bindings_apart(b, t))
/* The reader is x, field by field. */
#define READER_IS                                                                         \
    ensures  text:     r->in.text == x.in.text;                                           \
    ensures  len:      r->in.n == x.in.n;                                                 \
    ensures  place:    r->in.at == x.in.at;                                               \
    ensures  depth:    r->in.depth == x.in.depth;                                         \
    ensures  fine:     r->in.status == x.in.status;                                       \
    ensures  nids:     r->in.nids == x.in.nids;                                           \
    ensures  cap:      r->in.capids == x.in.capids;                                       \
    ensures  for:      r->attrs == x.attrs && r->strs == x.strs && r->status == x.status;
#endif

/* What was read, or what was bound before. */
/*@ terminates \true;
    exits    never:    \false;
    assigns  \nothing;
    ensures  none:     y.r.status != CALQUE_OK ==> \result == old;
    ensures  slots:    y.r.status == CALQUE_OK ==> \result.slot.a == y.e.slot && \result.slot.n == \result.slot.cap == y.e.nslot;
    ensures  symbols:  y.r.status == CALQUE_OK ==> \result.symbol.a == y.e.symbol &&
                       \result.symbol.n == \result.symbol.cap == y.e.nsymbol;
    ensures  names:    y.r.status == CALQUE_OK ==> \result.other.a == y.e.named && \result.other.n == y.n &&
                       \result.other.cap == y.room;
*/
static struct attr_bindings bindings_of(struct env_read y, struct attr_bindings old)
{
    if (y.r.status == CALQUE_OK) {
        old.slot = (struct ints){ y.e.slot, y.e.nslot, y.e.nslot };
        old.symbol = (struct ints){ y.e.symbol, y.e.nsymbol, y.e.nsymbol };
        old.other = (struct attr_nameds){ y.e.named, y.n, y.room };
    }
    return old;
}

/* e is bound from now on. */
/*@ requires valid:    \valid(b);
    terminates \true;
    exits    never:    \false;
    assigns  *b;
    ensures  set:      *b == e;
*/
static void bindings_set(struct attr_bindings *b, struct attr_bindings e)
{
    *b = e;
}

/* The same; what stands apart from b stays. */
/*@ requires valid:    \valid(b);
    terminates \true;
    exits    never:    \false;
    assigns  *b;
    ensures  set:      *b == e;
    ensures  arrays:   bindings_apart(b, t) ==> same_arrays{Pre,Post}(t) && same_fields{Pre,Post}(t->values);
    ensures  counts:   bindings_apart(b, t) ==> t->slot.n == \old(t->slot.n);
    ensures  ready:    ready_both{Pre}(t) ==> bindings_apart(b, t) ==> ready_both(t) && kept_both{Pre,Post}(t);
    ensures  entries:  off_entries(b, e) ==> same_entries{Pre,Post}(e);
*/
static void put_bindings(struct attr_bindings *b, struct attr_bindings e) /*@ ghost (struct attrs *t) */
{
    /*@ assert label:  off_entries(b, e) ==> \forall integer i; 0 <= i < e.other.n ==> \separated(&e.other.a[i].label, b); */
    bindings_set(b, e);
    /*@ assert mem:     bindings_apart(b, t) ==> t->mem == \at(t->mem, Pre); */
    /*@ assert vals:    bindings_apart(b, t) ==> t->values == \at(t->values, Pre); */
    /*@ assert nodea:   bindings_apart(b, t) ==> t->node.a == \at(t->node.a, Pre); */
    /*@ assert noden:   bindings_apart(b, t) ==> t->node.n == \at(t->node.n, Pre); */
    /*@ assert nodecap: bindings_apart(b, t) ==> t->node.cap == \at(t->node.cap, Pre); */
    /*@ assert kida:    bindings_apart(b, t) ==> t->kid.a == \at(t->kid.a, Pre); */
    /*@ assert kidn:    bindings_apart(b, t) ==> t->kid.n == \at(t->kid.n, Pre); */
    /*@ assert kidcap:  bindings_apart(b, t) ==> t->kid.cap == \at(t->kid.cap, Pre); */
    /*@ assert slota:   bindings_apart(b, t) ==> t->slot.a == \at(t->slot.a, Pre); */
    /*@ assert slotn:   bindings_apart(b, t) ==> t->slot.n == \at(t->slot.n, Pre); */
    /*@ assert slotcap: bindings_apart(b, t) ==> t->slot.cap == \at(t->slot.cap, Pre); */
    /*@ assert nsymbol: bindings_apart(b, t) ==> t->nsymbol == \at(t->nsymbol, Pre); */
    /*@ assert arrays:  bindings_apart(b, t) ==> same_arrays{Pre,Here}(t); */
    /*@ assert f_mem:   bindings_apart(b, t) ==> t->values->mem == \at(t->values->mem, Pre); */
    /*@ assert f_v:     bindings_apart(b, t) ==> t->values->v == \at(t->values->v, Pre); */
    /*@ assert f_pool:  bindings_apart(b, t) ==> t->values->pool == \at(t->values->pool, Pre); */
    /*@ assert f_n:     bindings_apart(b, t) ==> t->values->n == \at(t->values->n, Pre); */
    /*@ assert f_cap:   bindings_apart(b, t) ==> t->values->cap == \at(t->values->cap, Pre); */
    /*@ assert f_npool: bindings_apart(b, t) ==> t->values->npool == \at(t->values->npool, Pre); */
    /*@ assert f_cappool: bindings_apart(b, t) ==> t->values->cappool == \at(t->values->cappool, Pre); */
    /*@ assert fields:  bindings_apart(b, t) ==> same_fields{Pre,Here}(t->values); */
    /*@ assert before:  bindings_apart(b, t) ==> bindings_apart{Pre}(b, t); */
    /*@ assert v_kind: B_STAYS(VALUES, NVALUE, kind); */ /*@ assert v_len: B_STAYS(VALUES, NVALUE, len); */
    /*@ assert v_first: B_STAYS(VALUES, NVALUE, first); */ /*@ assert v_depth: B_STAYS(VALUES, NVALUE, depth); */
    /*@ assert v_size: B_STAYS(VALUES, NVALUE, size); */ /*@ assert v_num: B_STAYS(VALUES, NVALUE, num); */
    /*@ assert nodes:   ready_both{Pre}(t) ==> bindings_apart{Pre}(b, t) ==> same_nodes{Pre,Here}(VALUES, NVALUE); */
    /*@ assert pool:    ready_both{Pre}(t) ==> bindings_apart{Pre}(b, t) ==> same_pool{Pre,Here}(POOL, NPOOL); */
    /*@ assert values:  ready_both{Pre}(t) ==> bindings_apart(b, t) ==> values_stay{Pre,Here}(t->values); */
    /*@ assert n_kind: B_STAYS(NODE, NNODE, kind); */ /*@ assert n_op: B_STAYS(NODE, NNODE, op); */
    /*@ assert n_a: B_STAYS(NODE, NNODE, a); */ /*@ assert n_b: B_STAYS(NODE, NNODE, b); */
    /*@ assert n_depth: B_STAYS(NODE, NNODE, depth); */ /*@ assert n_size: B_STAYS(NODE, NNODE, size); */
    /*@ assert roots:   ready_both{Pre}(t) ==> bindings_apart{Pre}(b, t) ==> moved_roots{Pre,Here}(NODE, NODE, NNODE); */
    /*@ assert kids:    ready_both{Pre}(t) ==> bindings_apart{Pre}(b, t) ==> moved_kids{Pre,Here}(KID, KID, NKID); */
    /*@ assert s_pattern: B_STAYS(SLOT, NSLOT, pattern); */ /*@ assert s_label: B_STAYS(SLOT, NSLOT, label); */
    /*@ assert slots:   ready_both{Pre}(t) ==> bindings_apart{Pre}(b, t) ==> moved_slots{Pre,Here}(SLOT, SLOT, NSLOT); */
    /*@ assert exprs:   ready_both{Pre}(t) ==> bindings_apart(b, t) ==> exprs_stay{Pre,Here}(t); */
    /*@ assert old:     ready_both{Pre}(t) ==> bindings_apart(b, t) ==> kept_both{Pre,Here}(t); */
    /*@ assert wfv:     ready_both{Pre}(t) ==> bindings_apart(b, t) ==> ready_values(t->values); */
    /*@ assert arena:   ready_both{Pre}(t) ==> bindings_apart(b, t) ==> moved_arena{Pre,Here}(\at(arena_of(t), Pre), arena_of(t)); */
    /*@ assert wfa:     ready_both{Pre}(t) ==> bindings_apart(b, t) ==> wf_arena(arena_of(t)); */
    /*@ assert dist:    ready_both{Pre}(t) ==> bindings_apart(b, t) ==> distinct_slots(t->slot.a, t->slot.n); */
    /*@ assert held:    ready_both{Pre}(t) ==> bindings_apart(b, t) ==> held_attrs(t); */
    /*@ assert wf:      ready_both{Pre}(t) ==> bindings_apart(b, t) ==> ready_attrs(t); */
    /*@ assert apart:   ready_both{Pre}(t) ==> bindings_apart(b, t) ==> apart_both(t); */
    /*@ assert keys:    off_entries(b, e) ==> same_keys{Pre,Here}(e.slot.a, e.slot.n); */
    /*@ assert syms:    off_entries(b, e) ==> same_keys{Pre,Here}(e.symbol.a, e.symbol.n); */
    /*@ assert e_pattern: E_STAYS(pattern); */ /*@ assert e_label: E_STAYS(label); */
    /*@ assert e_k: E_STAYS(k); */ /*@ assert e_id: E_STAYS(id); */
    /*@ assert names:   off_entries(b, e) ==> same_names_bound{Pre,Here}(e.other.a, e.other.n); */
}

/* x is the reader from now on; what stands apart from it stays. */
/*@ requires valid:    \valid(r);
    terminates \true;
    exits    never:    \false;
    assigns  *r;
    ensures  set:      *r == x;
    READER_IS
    ensures  arrays:   reader_apart(r, t) ==> same_arrays{Pre,Post}(t) && same_fields{Pre,Post}(t->values);
    ensures  counts:   reader_apart(r, t) ==> t->slot.n == \old(t->slot.n);
    ensures  ready:    ready_both{Pre}(t) ==> reader_apart(r, t) ==> ready_both(t) && kept_both{Pre,Post}(t);
    ensures  entries:  off_reader(r, e) ==> same_entries{Pre,Post}(e);
*/
static void put_reader(struct attr_reader *r, struct attr_reader x) /*@ ghost (struct attrs *t, struct attr_bindings e) */
{
    reader_set(r, x);
    /*@ assert mem:     reader_apart(r, t) ==> t->mem == \at(t->mem, Pre); */
    /*@ assert vals:    reader_apart(r, t) ==> t->values == \at(t->values, Pre); */
    /*@ assert nodea:   reader_apart(r, t) ==> t->node.a == \at(t->node.a, Pre); */
    /*@ assert noden:   reader_apart(r, t) ==> t->node.n == \at(t->node.n, Pre); */
    /*@ assert nodecap: reader_apart(r, t) ==> t->node.cap == \at(t->node.cap, Pre); */
    /*@ assert kida:    reader_apart(r, t) ==> t->kid.a == \at(t->kid.a, Pre); */
    /*@ assert kidn:    reader_apart(r, t) ==> t->kid.n == \at(t->kid.n, Pre); */
    /*@ assert kidcap:  reader_apart(r, t) ==> t->kid.cap == \at(t->kid.cap, Pre); */
    /*@ assert slota:   reader_apart(r, t) ==> t->slot.a == \at(t->slot.a, Pre); */
    /*@ assert slotn:   reader_apart(r, t) ==> t->slot.n == \at(t->slot.n, Pre); */
    /*@ assert slotcap: reader_apart(r, t) ==> t->slot.cap == \at(t->slot.cap, Pre); */
    /*@ assert nsymbol: reader_apart(r, t) ==> t->nsymbol == \at(t->nsymbol, Pre); */
    /*@ assert arrays:  reader_apart(r, t) ==> same_arrays{Pre,Here}(t); */
    /*@ assert fields:  reader_apart(r, t) ==> same_fields{Pre,Here}(t->values); */
    /*@ assert before:  reader_apart(r, t) ==> reader_apart{Pre}(r, t); */
    /*@ assert nodes:   ready_both{Pre}(t) ==> reader_apart{Pre}(r, t) ==> same_nodes{Pre,Here}(VALUES, NVALUE); */
    /*@ assert pool:    ready_both{Pre}(t) ==> reader_apart{Pre}(r, t) ==> same_pool{Pre,Here}(POOL, NPOOL); */
    /*@ assert values:  ready_both{Pre}(t) ==> reader_apart(r, t) ==> values_stay{Pre,Here}(t->values); */
    /*@ assert roots:   ready_both{Pre}(t) ==> reader_apart{Pre}(r, t) ==> moved_roots{Pre,Here}(NODE, NODE, NNODE); */
    /*@ assert kids:    ready_both{Pre}(t) ==> reader_apart{Pre}(r, t) ==> moved_kids{Pre,Here}(KID, KID, NKID); */
    /*@ assert s_pattern: R_STAYS(SLOT, NSLOT, pattern); */ /*@ assert s_label: R_STAYS(SLOT, NSLOT, label); */
    /*@ assert slots:   ready_both{Pre}(t) ==> reader_apart{Pre}(r, t) ==> moved_slots{Pre,Here}(SLOT, SLOT, NSLOT); */
    /*@ assert exprs:   ready_both{Pre}(t) ==> reader_apart(r, t) ==> exprs_stay{Pre,Here}(t); */
    /*@ assert old:     ready_both{Pre}(t) ==> reader_apart(r, t) ==> kept_both{Pre,Here}(t); */
    /*@ assert wfv:     ready_both{Pre}(t) ==> reader_apart(r, t) ==> ready_values(t->values); */
    /*@ assert arena:   ready_both{Pre}(t) ==> reader_apart(r, t) ==> moved_arena{Pre,Here}(\at(arena_of(t), Pre), arena_of(t)); */
    /*@ assert wfa:     ready_both{Pre}(t) ==> reader_apart(r, t) ==> wf_arena(arena_of(t)); */
    /*@ assert dist:    ready_both{Pre}(t) ==> reader_apart(r, t) ==> distinct_slots(t->slot.a, t->slot.n); */
    /*@ assert held:    ready_both{Pre}(t) ==> reader_apart(r, t) ==> held_attrs(t); */
    /*@ assert wf:      ready_both{Pre}(t) ==> reader_apart(r, t) ==> ready_attrs(t); */
    /*@ assert apart:   ready_both{Pre}(t) ==> reader_apart(r, t) ==> apart_both(t); */
    /*@ assert keys:    off_reader(r, e) ==> same_keys{Pre,Here}(e.slot.a, e.slot.n); */
    /*@ assert syms:    off_reader(r, e) ==> same_keys{Pre,Here}(e.symbol.a, e.symbol.n); */
    /*@ assert names:   off_reader(r, e) ==> same_names_bound{Pre,Here}(e.other.a, e.other.n); */
}

/* Both; what stands apart from both stays. */
/*@ requires valid:    \valid(r) && \valid(b) && \separated(r, b);
    requires ready:    ready_both(x.attrs);
    terminates \true;
    exits    never:    \false;
    assigns  *r, *b;
    ensures  reader:   *r == x;
    READER_IS
    ensures  bindings: *b == e;
    ensures  ready:    reader_apart(r, x.attrs) && bindings_apart(b, x.attrs) ==> ready_both(x.attrs);
    ensures  old:      reader_apart(r, x.attrs) && bindings_apart(b, x.attrs) ==> kept_both{Pre,Post}(x.attrs);
    ensures  slots:    reader_apart(r, x.attrs) && bindings_apart(b, x.attrs) ==> x.attrs->slot.n == \old(x.attrs->slot.n);
    ensures  entries:  entries_apart(r, b, e) ==> same_entries{Pre,Post}(e);
*/
static void set_both(struct attr_reader *r, struct attr_bindings *b, struct attr_reader x, struct attr_bindings e)
{
    /*@ ghost struct attrs *t = x.attrs; */

    put_bindings(b, e) /*@ ghost (t) */;
    /*@ ghost Mid: ; */
    put_reader(r, x) /*@ ghost (t, e) */;
    /*@ assert arrays: APART ==> same_arrays{Mid,Here}(t) && same_fields{Mid,Here}(t->values); */
    /*@ assert mid:    APART ==> bindings_apart{Mid}(b, t); */
    /*@ assert ready:  APART ==> ready_both{Mid}(t) && kept_both{Pre,Mid}(t); */
    /*@ assert now:    APART ==> ready_both(t) && kept_both{Mid,Here}(t); */
    /*@ assert old:    APART ==> kept_both{Pre,Here}(t); */
    /*@ assert slots:  APART ==> t->slot.n == \at(t->slot.n, Mid); */
    /*@ assert apart:  entries_apart(r, b, e) ==> off_entries(b, e) && off_reader(r, e); */
    /*@ assert first:  entries_apart(r, b, e) ==> same_entries{Pre,Mid}(e); */
    /*@ assert second: entries_apart(r, b, e) ==> same_entries{Mid,Here}(e); */
    /*@ assert keys:   entries_apart(r, b, e) ==> same_keys{Pre,Here}(e.slot.a, e.slot.n); */
    /*@ assert syms:   entries_apart(r, b, e) ==> same_keys{Pre,Here}(e.symbol.a, e.symbol.n); */
    /*@ assert names:  entries_apart(r, b, e) ==> same_names_bound{Pre,Here}(e.other.a, e.other.n); */
    /*@ assert bound:  *b == \at(*b, Mid); */
}

/* b is empty before. What is said of the environment holds where r, b and the arrays stand apart. */
/*@ READER_REQUIRES
    requires bindings: \valid(b) && \separated(r, b);
    requires depth:    0 <= r->in.depth && r->in.depth + 1 < 2 * ATTR_DEPTH_MAX;
    requires ready:    ready_both(r->attrs);
    terminates \true;
    exits    never:    \false;
    assigns  *r, *b, *r->attrs, *r->attrs->mem, *r->attrs->values, *r->attrs->values->mem, { *p | struct attr_node *p; \true },
             { *q | int *q; \true }, { *s | struct attr_slot *s; \true }, { *v | struct value *v; \true },
             { *u | unsigned *u; \true }, { *c | char *c; \true }, { *x | struct attr_named *x; \true };
    READER_KEEPS
    ensures  result:   \result == 0 || \result == 1;
    ensures  depth:    r->in.depth == \old(r->in.depth);
    ensures  status:   \result == 1 ? r->status == \old(r->status) : r->status != CALQUE_OK;
    ensures  none:     \result == 0 ==> *b == \old(*b);
    ensures  counts:   \result == 1 ==> 0 <= b->slot.n == b->slot.cap && 0 <= b->symbol.n == b->symbol.cap &&
                       0 <= b->other.n <= b->other.cap;
    ensures  ids:      \result == 1 ==> entries_apart(r, b, *b) ==> \forall integer i; 0 <= i < b->other.n ==> 0 <= b->other.a[i].id;
    ensures  old:      reader_apart(r, READER_OF) && bindings_apart(b, READER_OF) ==>
                       ready_both(READER_OF) && kept_both{Pre,Post}(READER_OF);
    ensures  text:     \result == 1 ==> reader_apart(r, READER_OF) && bindings_apart(b, READER_OF) && entries_apart(r, b, *b) ==>
                       bindings_text(SRC(r->in), \old(r->in.at), r->in.at, READER_OF, *b);
*/
bool attr_read_env(struct attr_reader *r, struct attr_bindings *b)
{
    struct attr_reader x = *r;
    struct attr_bindings old = *b;
    struct env_read y = env_read(x.in, x.attrs, x.strs);
    struct attr_bindings e = bindings_of(y, old);
    /*@ ghost struct attrs *t = x.attrs; */

    /*@ assert text:   y.r.status == CALQUE_OK ==> bindings_text(SRC(y.r), \at(r->in.at, Pre), y.r.at, t, e); */
    x = reader_on(x, y.r);
    /*@ assert state:  x.status == (\at(r->status, Pre) == CALQUE_OK ? y.r.status : \at(r->status, Pre)); */
    /*@ assert fresh:  fresh(x); */
    /*@ assert at:     x.in.text == y.r.text && x.in.n == y.r.n && x.in.at == y.r.at; */
    /*@ ghost Read: ; */
    set_both(r, b, x, e);
    /*@ assert status: r->status == x.status && r->attrs == t; */
    /*@ assert in:     r->in == x.in; */
    /*@ assert txt:    r->in.text == x.in.text; */
    /*@ assert len:    r->in.n == x.in.n; */
    /*@ assert place:  r->in.at == x.in.at; */
    /*@ assert fine:   r->in.status == x.in.status; */
    /*@ assert nids:   r->in.nids == x.in.nids; */
    /*@ assert cap:    r->in.capids == x.in.capids; */
    /*@ assert here:   fresh(*r); */
    /*@ assert bound:  *b == e; */
    /*@ assert source: SRC(r->in) == SRC(y.r); */
    /*@ assert kept:   APART ==> kept_both{Read,Here}(t); */
    /*@ assert old:    APART ==> kept_both{Pre,Here}(t); */
    /*@ assert more:   APART ==> kept_slots{Read,Here}(t) && kept_values{Read,Here}(t); */
    /*@ assert still:  y.r.status == CALQUE_OK ==> APART ==> entries_apart(r, b, e) ==>
                       bindings_text(SRC(y.r), \at(r->in.at, Pre), y.r.at, t, e); */
    /*@ assert now:    y.r.status == CALQUE_OK ==> APART ==> entries_apart(r, b, e) ==>
                       bindings_text(SRC(r->in), \at(r->in.at, Pre), r->in.at, t, e); */
    /*@ assert same:   entries_apart(r, b, *b) ==> entries_apart(r, b, e); */
    return y.r.status == CALQUE_OK;
}
