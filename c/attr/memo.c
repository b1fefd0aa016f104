/* The start of a memo: room, and its nodes and classes. */
#include "attr/memo.h"

#include "attr/memo_arena.h"
#include "attr/memo_fill.h"
#include "attr/memo_take.h"

#ifdef __FRAMAC__
#include "attr/memo_start.acsl"
#endif

/*@ requires valid:    \valid(m) && \valid(mem) && \separated(m, mem);
    terminates \true;
    exits    never:    \false;
    assigns  *m;
    ensures  held:     held_memo(m) && m->mem == mem;
    ensures  none:     m->n == 0 && m->cap == 0 && m->capof == 0;
*/
void attr_memo_init(struct attr_memo *m, struct mem *mem)
{
    *m = (struct attr_memo){ .mem = mem };
}

/* A size for the table of n expressions. */
/*@ requires count:    0 <= n <= VALUE_ARENA_MAX;
    terminates \true;
    exits    never:    \false;
    assigns  \nothing;
    ensures  size:     n < \result;
*/
static int table_size(int n)
{
    int size = 16;

    /*@ loop invariant range: 16 <= size <= 4 * VALUE_ARENA_MAX;
        loop assigns size;
        loop variant 2 * n - size;
    */
    while (size < 2 * n)
        size *= 2;
    return size;
}

/* memo_fill, and that the headers of t and m are kept. */
/*@ requires valid:    valid_memo(v, vs);
    requires trees:    wf_trees(v.t);
    requires twin:     is_twin(v.t, c) && valid_arena(c) && apart_twin(v, vs, c);
    requires off:      off_view(t, m, v, c);
    terminates \true;
    exits    never:    \false;
    assigns  c.node[0 .. c.n - 1], v.of[0 .. v.t.n - 1], v.table[0 .. v.size - 1];
    ensures  header:   same_header{Pre,Post}(t) && same_vheader{Pre,Post}(t);
    ensures  fields:   same_fields{Pre,Post}(m);
    ensures  same:     same_arena{Pre,Post}(v.t) && same_values{Pre,Post}(vs.v, vs.pool, vs.n, vs.npool);
    ensures  copied:   copied(v.t, c, v.t.n);
    ensures  classes:  classes_same(v, vs);
    ensures  untried:  untried(v.of, v.t.n);
    ensures  started:  \forall env g; memo_state(c, v.of, VALS(vs), TREES(v.t, VALS(vs)), g);
*/
static void fill_view(struct memo_view v, struct values vs, struct attr_put c)
    /*@ ghost (const struct attrs *t, const struct attr_memo *m) */
{
    memo_fill(v, vs, c);
    /*@ assert source1: t->node.n == \at(t->node.n, Pre); */
    /*@ assert source2: t->node.cap == \at(t->node.cap, Pre); */
    /*@ assert source3: t->kid.n == \at(t->kid.n, Pre); */
    /*@ assert source4: t->kid.cap == \at(t->kid.cap, Pre); */
    /*@ assert source5: t->slot.n == \at(t->slot.n, Pre); */
    /*@ assert source6: t->nsymbol == \at(t->nsymbol, Pre); */
    /*@ assert pointers: t->values == \at(t->values, Pre) && t->node.a == \at(t->node.a, Pre) &&
                         t->kid.a == \at(t->kid.a, Pre); */
    /*@ assert values1: t->values->n == \at(t->values->n, Pre); */
    /*@ assert values2: t->values->cap == \at(t->values->cap, Pre); */
    /*@ assert values3: t->values->npool == \at(t->values->npool, Pre); */
    /*@ assert values4: t->values->cappool == \at(t->values->cappool, Pre); */
    /*@ assert arrays: t->values->v == \at(t->values->v, Pre) && t->values->pool == \at(t->values->pool, Pre); */
    /*@ assert header: same_header{Pre,Here}(t); */
    /*@ assert vheader: same_vheader{Pre,Here}(t); */
    /*@ assert memo1: m->n == \at(m->n, Pre); */
    /*@ assert memo2: m->cap == \at(m->cap, Pre); */
    /*@ assert memo3: m->capof == \at(m->capof, Pre); */
    /*@ assert places: m->mem == \at(m->mem, Pre) && m->node == \at(m->node, Pre) && m->of == \at(m->of, Pre); */
}

/*@ requires ready:    ready_source(t);
    requires held:     held_memo(m) && off_memo(t, m) && m->n == t->node.n;
    requires table:    held_table(t, m, table, size) && m->n < size;
    terminates \true;
    exits    never:    \false;
    assigns  m->node[0 .. m->n - 1], m->of[0 .. m->n - 1], table[0 .. size - 1];
    ensures  fields:   same_fields{Pre,Post}(m) && same_source{Pre,Post}(t);
    ensures  started:  fresh_memo(m, t);
    ensures  classes:  expr_classes(m, t);
*/
static void fill(struct attr_memo *m, const struct attrs *t, int *table, int size)
{
    struct values vs = *t->values;
    struct attr_put c = memo_arena(m, t, m->node);
    struct memo_view v = { .t = memo_source(t), .of = m->of, .table = table, .size = size };

    /*@ assert arena:   valid_arena(v.t) && wf_arena(v.t); */
    /*@ assert held:    valid_values(vs) && WF_VALUES(vs) && v.t.nvalue <= vs.n; */
    /*@ assert room:    \valid(v.of + (0 .. v.t.n - 1)) && \valid(v.table + (0 .. v.size - 1)) && v.t.n < v.size; */
    /*@ assert off_table: \separated(v.of + (0 .. v.t.n - 1), v.table + (0 .. v.size - 1)); */
    /*@ assert off_node: \separated(v.of + (0 .. v.t.n - 1), v.t.node + (0 .. v.t.cap - 1)); */
    /*@ assert off_kid: \separated(v.of + (0 .. v.t.n - 1), v.t.kid + (0 .. v.t.capkid - 1)); */
    /*@ assert off_v:   \separated(v.of + (0 .. v.t.n - 1), vs.v + (0 .. vs.cap - 1)); */
    /*@ assert off_pool: \separated(v.of + (0 .. v.t.n - 1), vs.pool + (0 .. vs.cappool - 1)); */
    /*@ assert off_tnode: \separated(v.table + (0 .. v.size - 1), v.t.node + (0 .. v.t.cap - 1)); */
    /*@ assert off_tkid: \separated(v.table + (0 .. v.size - 1), v.t.kid + (0 .. v.t.capkid - 1)); */
    /*@ assert off_tv:  \separated(v.table + (0 .. v.size - 1), vs.v + (0 .. vs.cap - 1)); */
    /*@ assert off_tpool: \separated(v.table + (0 .. v.size - 1), vs.pool + (0 .. vs.cappool - 1)); */
    /*@ assert off_in:  \separated(v.t.node + (0 .. v.t.cap - 1), v.t.kid + (0 .. v.t.capkid - 1),
                                   vs.v + (0 .. vs.cap - 1), vs.pool + (0 .. vs.cappool - 1)); */
    /*@ assert valid:   valid_memo(v, vs); */
    /*@ assert trees:   wf_trees(v.t); */
    /*@ assert twin:    is_twin(v.t, c) && valid_arena(c); */
    /*@ assert apart:   apart_twin(v, vs, c); */
    /*@ assert same_view: c.node == m->node && c.n == m->n && v.of == m->of && v.t.n == m->n; */
    /*@ assert field1:  off_at(&t->node.n, v, c); */
    /*@ assert field2:  off_at(&t->node.cap, v, c); */
    /*@ assert field3:  off_at(&t->kid.n, v, c); */
    /*@ assert field4:  off_at(&t->kid.cap, v, c); */
    /*@ assert field5:  off_at(&t->slot.n, v, c); */
    /*@ assert field6:  off_at(&t->nsymbol, v, c); */
    /*@ assert field7:  off_at(&t->values->n, v, c); */
    /*@ assert field8:  off_at(&t->values->cap, v, c); */
    /*@ assert field9:  off_at(&t->values->npool, v, c); */
    /*@ assert field10:  off_at(&t->values->cappool, v, c); */
    /*@ assert field11:  off_at(&m->n, v, c); */
    /*@ assert field12:  off_at(&m->cap, v, c); */
    /*@ assert field13:  off_at(&m->capof, v, c); */
    /*@ assert off:     off_view(t, m, v, c); */
    fill_view(v, vs, c) /*@ ghost (t, m) */;
    /*@ assert view:    v.t == arena_of(t); */
    /*@ assert copy:    c == memo_of(m, t, m->node); */
    /*@ assert values:  VALS(vs) == VALS(*t->values); */
    /*@ assert count:   m->n == t->node.n && v.t.n == m->n && v.of == m->of; */
    /*@ assert untried: untried(m->of, m->n); */
    /*@ assert copied:  copied(arena_of(t), memo_of(m, t, m->node), m->n); */
    /*@ assert same:    TREES(v.t, VALS(vs)) == TREES(arena_of(t), VALS(*t->values)); */
    /*@ assert state:   \forall env g; memo_state(c, m->of, VALS(*t->values), TREES(arena_of(t), VALS(*t->values)), g); */
    /*@ assert started: \forall env g; memo_state(memo_of(m, t, m->node), m->of, VALS(*t->values),
                                                  TREES(arena_of(t), VALS(*t->values)), g); */
}

/*@ requires ready:    ready_source(t) && t->node.n <= VALUE_ARENA_MAX;
    requires held:     held_memo(m) && off_memo(t, m);
    terminates \true;
    exits    never:    \false;
    assigns  *m, *m->mem, { *p | struct attr_node *p; \true }, { *c | struct attr_memo_class *c; \true },
             { *x | int *x; \true };
    ensures  same:     same_source{Pre,Post}(t);
    ensures  held:     held_memo(m) && off_memo(t, m) && m->mem == \old(m->mem);
    ensures  none:     \result == 0 ==> m->n == 0;
    ensures  started:  \result == 1 ==> fresh_memo(m, t);
    ensures  classes:  \result == 1 ==> expr_classes(m, t);
*/
bool attr_memo_start(struct attr_memo *m, const struct attrs *t)
{
    int size = table_size(t->node.n), *table = memo_take(m, t, size);

    if (!table)
        return false;
    /*@ ghost Taken: ; */
    fill(m, t, table, size);
    /*@ assert header:  same_header{Pre,Here}(t); */
    /*@ assert vheader: same_vheader{Pre,Here}(t); */
    /*@ assert view:    arena_of(t) == \at(arena_of(t), Taken) && arena_of(t) == \at(arena_of(t), Pre); */
    /*@ assert arena:   same_arena{Pre,Here}(\at(arena_of(t), Pre)); */
    /*@ assert values:  same_values{Pre,Here}(t->values->v, t->values->pool, t->values->n, t->values->npool); */
    /*@ assert fields:  same_fields{Taken,Here}(m); */
    /*@ assert held:    held_memo(m); */
    /*@ assert places:  same_places{Taken,Here}(t, m); */
    /*@ assert off:     off_memo(t, m); */
    memo_table_free(table);
    return true;
}
