/* A reader moves on by one value or expression. */
#include "attr/read_beside.h"
#include "attr/read_expr.h"
#include "attr/read_on.h"

#ifdef __FRAMAC__
#include "attr/both_moved.acsl"
#include "attr/both_same.acsl"
#include "attr/reads_form.acsl"
#endif

/* x is the reader from now on, and the expressions stay. */
/*@ requires valid:    \valid(r);
    requires ready:    ready_both(x.attrs);
    terminates \true;
    exits    never:    \false;
    assigns  *r;
    ensures  set:      *r == x;
    ensures  old:      reader_apart(r, x.attrs) ==> ready_both(x.attrs) && kept_both{Pre,Post}(x.attrs);
*/
static void set_beside(struct attr_reader *r, struct attr_reader x)
{
    /*@ ghost struct attrs *t = x.attrs; struct value *v = t->values->v; int *pool = t->values->pool;
               int n = t->values->n, np = t->values->npool; */
    /*@ ghost struct attr_node *node = t->node.a; int *kid = t->kid.a; struct attr_slot *slot = t->slot.a; */
    /*@ ghost int nn = t->node.n, nk = t->kid.n, ns = t->slot.n; */

    reader_set(r, x);
    /*@ assert arrays: reader_apart(r, t) ==> same_arrays{Pre,Here}(t); */
    /*@ assert fields: reader_apart(r, t) ==> same_fields{Pre,Here}(t->values); */
    /*@ assert before: reader_apart(r, t) ==> reader_apart{Pre}(r, t); */
    /*@ assert nodes:  reader_apart{Pre}(r, t) ==> same_nodes{Pre,Here}(v, n); */
    /*@ assert pool:   reader_apart{Pre}(r, t) ==> same_pool{Pre,Here}(pool, np); */
    /*@ assert values: reader_apart(r, t) ==> values_stay{Pre,Here}(t->values); */
    /*@ assert roots:  reader_apart{Pre}(r, t) ==> moved_roots{Pre,Here}(node, node, nn); */
    /*@ assert kids:   reader_apart{Pre}(r, t) ==> moved_kids{Pre,Here}(kid, kid, nk); */
    /*@ assert slots:  reader_apart{Pre}(r, t) ==> moved_slots{Pre,Here}(slot, slot, ns); */
    /*@ assert exprs:  reader_apart(r, t) ==> exprs_stay{Pre,Here}(t); */
    /*@ assert old:    reader_apart(r, t) ==> kept_both{Pre,Here}(t); */
    /*@ assert wfv:    reader_apart(r, t) ==> ready_values(t->values); */
    /*@ assert arena:  reader_apart(r, t) ==> moved_arena{Pre,Here}(\at(arena_of(x.attrs), Pre), arena_of(t)); */
    /*@ assert wfa:    reader_apart(r, t) ==> wf_arena(arena_of(t)); */
    /*@ assert dist:   reader_apart(r, t) ==> distinct_slots(t->slot.a, t->slot.n); */
    /*@ assert held:   reader_apart(r, t) ==> held_attrs(t); */
    /*@ assert wf:     reader_apart(r, t) ==> ready_attrs(t); */
    /*@ assert apart:  reader_apart(r, t) ==> apart_both(t); */
}

int attr_read_value(struct attr_reader *r)
{
    struct attr_reader x = *r;
    struct reading in = read_value_of(x.in, x.attrs, x.strs);

    /*@ assert value: in.status == CALQUE_OK ==> reads_value(SRC(in), x.in.at, in.at, x.attrs, in.id); */
    /*@ ghost Read: ; */
    set_beside(r, reader_on(x, in));
    /*@ assert kept:  reader_apart(r, x.attrs) ==> kept_both{Read,Here}(x.attrs); */
    /*@ assert old:   reader_apart(r, x.attrs) ==> kept_both{Pre,Here}(x.attrs); */
    /*@ assert more:  reader_apart(r, x.attrs) ==> kept_values{Read,Here}(x.attrs); */
    /*@ assert here:  in.status == CALQUE_OK ==> reader_apart(r, x.attrs) ==> in.id < x.attrs->values->n; */
    /*@ assert still: in.status == CALQUE_OK ==> reader_apart(r, x.attrs) ==>
                      reads_value(SRC(in), x.in.at, in.at, x.attrs, in.id); */
    /*@ assert fine:  0 <= in.id ==> in.status == CALQUE_OK; */
    /*@ assert same:  r->in.text == in.text && r->in.n == in.n && r->in.at == in.at && SRC(r->in) == SRC(in); */
    /*@ assert now:   0 <= in.id ==> reader_apart(r, x.attrs) ==> reads_value(SRC(r->in), x.in.at, r->in.at, x.attrs, in.id); */
    return in.id;
}

int attr_read(struct attr_reader *r)
{
    struct attr_reader x = *r;
    struct reading in = expr_read(x.in, x.attrs, x.strs);

    /*@ assert text: in.status == CALQUE_OK ==> reads(SRC(in), x.in.at, in.at, x.attrs, in.id); */
    /*@ ghost Read: ; */
    set_beside(r, reader_on(x, in));
    /*@ assert kept: reader_apart(r, x.attrs) ==> kept_both{Read,Here}(x.attrs); */
    /*@ assert old:  reader_apart(r, x.attrs) ==> kept_both{Pre,Here}(x.attrs); */
    /*@ assert here: in.status == CALQUE_OK ==> reader_apart(r, x.attrs) ==> in.id < x.attrs->node.n; */
    /*@ assert still: in.status == CALQUE_OK ==> reader_apart(r, x.attrs) ==> reads(SRC(in), x.in.at, in.at, x.attrs, in.id); */
    return in.id;
}
