/* A reader reads an environment into the caller's struct. Not proved: its contracts. */
#include "attr/env_read.h"
#include "attr/read_on.h"

#ifdef __FRAMAC__
#include "attr/both_moved.acsl"
#include "attr/both_same.acsl"
#include "attr/env_kept.acsl"

#define APART (reader_apart(r, t) && bindings_apart(b, t))
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

/* x is the reader and e the environment from now on. */
/*@ requires valid:    \valid(r) && \valid(b) && \separated(r, b);
    terminates \true;
    exits    never:    \false;
    assigns  *r, *b;
    ensures  reader:   *r == x;
    ensures  bindings: *b == e;
*/
static void set(struct attr_reader *r, struct attr_bindings *b, struct attr_reader x, struct attr_bindings e)
{
    *b = e;
    reader_set(r, x);
}

/* The same; what stands apart from both stays. */
/*@ requires valid:    \valid(r) && \valid(b) && \separated(r, b);
    requires ready:    ready_both(x.attrs);
    terminates \true;
    exits    never:    \false;
    assigns  *r, *b;
    ensures  reader:   *r == x;
    ensures  bindings: *b == e;
    ensures  ready:    reader_apart(r, x.attrs) && bindings_apart(b, x.attrs) ==> ready_both(x.attrs);
    ensures  old:      reader_apart(r, x.attrs) && bindings_apart(b, x.attrs) ==> kept_both{Pre,Post}(x.attrs);
    ensures  slots:    reader_apart(r, x.attrs) && bindings_apart(b, x.attrs) ==> x.attrs->slot.n == \old(x.attrs->slot.n);
    ensures  entries:  entries_apart(r, b, e) ==> same_entries{Pre,Post}(e);
*/
static void set_both(struct attr_reader *r, struct attr_bindings *b, struct attr_reader x, struct attr_bindings e)
{
    /*@ ghost struct attrs *t = x.attrs; struct values *vs = t->values; struct value *v = vs->v; int *pool = vs->pool;
               int n = vs->n, np = vs->npool; */
    /*@ ghost struct attr_node *node = t->node.a; int *kid = t->kid.a; struct attr_slot *slot = t->slot.a; */
    /*@ ghost int nn = t->node.n, nk = t->kid.n, ns = t->slot.n; */

    /*@ ghost Was: ; */
    set(r, b, x, e);
    /*@ assert mem:    APART ==> t->mem == \at(t->mem, Was); */
    /*@ assert vals:   APART ==> t->values == \at(t->values, Was); */
    /*@ assert nodea:  APART ==> t->node.a == \at(t->node.a, Was); */
    /*@ assert kida:   APART ==> t->kid.a == \at(t->kid.a, Was); */
    /*@ assert slota:  APART ==> t->slot.a == \at(t->slot.a, Was); */
    /*@ assert ncap:   APART ==> t->node.cap == \at(t->node.cap, Was) && t->node.n == \at(t->node.n, Was); */
    /*@ assert kcap:   APART ==> t->kid.cap == \at(t->kid.cap, Was) && t->kid.n == \at(t->kid.n, Was); */
    /*@ assert scap:   APART ==> t->slot.cap == \at(t->slot.cap, Was) && t->slot.n == \at(t->slot.n, Was); */
    /*@ assert nsym:   APART ==> t->nsymbol == \at(t->nsymbol, Was); */
    /*@ assert arrays: APART ==> same_arrays{Pre,Here}(t); */
    /*@ assert vmem:   APART ==> vs->mem == \at(vs->mem, Was); */
    /*@ assert vv:     APART ==> vs->v == v; */
    /*@ assert vpool:  APART ==> vs->pool == pool; */
    /*@ assert vn:     APART ==> vs->n == n && vs->cap == \at(vs->cap, Was); */
    /*@ assert vnp:    APART ==> vs->npool == np && vs->cappool == \at(vs->cappool, Was); */
    /*@ assert fields: APART ==> same_fields{Pre,Here}(vs); */
    /*@ assert before: APART ==> reader_apart{Pre}(r, t) && bindings_apart{Pre}(b, t); */
    /*@ assert v_kind: APART ==> \forall integer i; 0 <= i < n ==> v[i].kind == \at(v[i].kind, Was); */
    /*@ assert v_len: APART ==> \forall integer i; 0 <= i < n ==> v[i].len == \at(v[i].len, Was); */
    /*@ assert v_first: APART ==> \forall integer i; 0 <= i < n ==> v[i].first == \at(v[i].first, Was); */
    /*@ assert v_depth: APART ==> \forall integer i; 0 <= i < n ==> v[i].depth == \at(v[i].depth, Was); */
    /*@ assert v_size: APART ==> \forall integer i; 0 <= i < n ==> v[i].size == \at(v[i].size, Was); */
    /*@ assert v_num: APART ==> \forall integer i; 0 <= i < n ==> v[i].num == \at(v[i].num, Was); */
    /*@ assert nodes:  APART ==> same_nodes{Pre,Here}(v, n); */
    /*@ assert pool:   APART ==> same_pool{Pre,Here}(pool, np); */
    /*@ assert values: APART ==> values_stay{Pre,Here}(vs); */
    /*@ assert n_kind: APART ==> \forall integer i; 0 <= i < nn ==> node[i].kind == \at(node[i].kind, Was); */
    /*@ assert n_op: APART ==> \forall integer i; 0 <= i < nn ==> node[i].op == \at(node[i].op, Was); */
    /*@ assert n_a: APART ==> \forall integer i; 0 <= i < nn ==> node[i].a == \at(node[i].a, Was); */
    /*@ assert n_b: APART ==> \forall integer i; 0 <= i < nn ==> node[i].b == \at(node[i].b, Was); */
    /*@ assert n_depth: APART ==> \forall integer i; 0 <= i < nn ==> node[i].depth == \at(node[i].depth, Was); */
    /*@ assert n_size: APART ==> \forall integer i; 0 <= i < nn ==> node[i].size == \at(node[i].size, Was); */
    /*@ assert roots:  APART ==> moved_roots{Pre,Here}(node, node, nn); */
    /*@ assert kids:   APART ==> moved_kids{Pre,Here}(kid, kid, nk); */
    /*@ assert s_pattern: APART ==> \forall integer i; 0 <= i < ns ==> slot[i].pattern == \at(slot[i].pattern, Was); */
    /*@ assert s_label: APART ==> \forall integer i; 0 <= i < ns ==> slot[i].label == \at(slot[i].label, Was); */
    /*@ assert slots:  APART ==> moved_slots{Pre,Here}(slot, slot, ns); */
    /*@ assert exprs:  APART ==> exprs_stay{Pre,Here}(t); */
    /*@ assert old:    APART ==> kept_both{Pre,Here}(t); */
    /*@ assert wfv:    APART ==> ready_values(t->values); */
    /*@ assert arena:  APART ==> moved_arena{Pre,Here}(\at(arena_of(x.attrs), Pre), arena_of(t)); */
    /*@ assert wfa:    APART ==> wf_arena(arena_of(t)); */
    /*@ assert dist:   APART ==> distinct_slots(t->slot.a, t->slot.n); */
    /*@ assert held:   APART ==> held_attrs(t); */
    /*@ assert wf:     APART ==> ready_attrs(t); */
    /*@ assert both:   APART ==> apart_both(t); */
    /*@ assert keys:   entries_apart(r, b, e) ==> same_keys{Pre,Here}(e.slot.a, e.slot.n); */
    /*@ assert syms:   entries_apart(r, b, e) ==> same_keys{Pre,Here}(e.symbol.a, e.symbol.n); */
    /*@ assert names:  entries_apart(r, b, e) ==> same_names_bound{Pre,Here}(e.other.a, e.other.n); */
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
