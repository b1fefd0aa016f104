/* Memory of expressions: room made twice. Guards: attr_internal.h, arena.acsl. */
#include "attr/attr_internal.h"

/*@ requires ready: ready_attrs(t) && t->node.n > 0; */
void client_attrs_room(struct attrs *t)
{
    bool a, b;

    a = attrs_room(t, 1, 2, 1) /*@ ghost ((int *)0, 0) */;
    /*@ ghost Once: ; */
    /*@ assert once: t->node.n == \at(t->node.n, Pre) && t->node.a[0].kind == \at(t->node.a[0].kind, Pre); */
    b = attrs_room(t, 1, 2, 1) /*@ ghost ((int *)0, 0) */;
    /*@ assert had:  a == 1 ==> b == 1; */
    /*@ assert same: t->node.n == \at(t->node.n, Once) && t->node.a[0].kind == \at(t->node.a[0].kind, Once); */
    /*@ assert BOOM: \false; */
}

/* Two nodes with the same root and children are the same tree, and that of the same values. */
/*@ requires wf:   wf_arena(t) && 2 <= t.n && 0 < t.nvalue;
    requires leaf: t.node[0].kind == ATTR_CONST && t.node[1].kind == ATTR_CONST && t.node[0].a == t.node[1].a;
    requires op:   t.node[0].op == t.node[1].op;
*/
void client_two_leaves(struct attr_put t)
{
    /*@ assert same: \forall vals s; expr_of(t, s, 0) == expr_of(t, s, 1); */
    /*@ assert ext:  \forall vals s, u; extends(s, u, t.nvalue) ==> expr_of(t, s, 0) == expr_of(t, u, 1); */
    /*@ assert BOOM: \false; */
}
