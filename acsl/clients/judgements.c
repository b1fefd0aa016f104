/* The definitions of the operations of attributes, instances of them. Guards: arith.acsl, number.acsl, power.acsl, funcs.acsl,
   ops.acsl, eval.acsl (AttrsOf). */
#include "attr/attr.h"
#include "attr/eval.h"
#include "attr/funcs.h"
#include "attr/ops.h"
#ifdef __FRAMAC__
#include "attr/ops.acsl"
#include "attr/funcs.acsl"
#include "attr/power.acsl"
#endif

void client_ints(void)
{
    /*@ assert add:  int_op(ATTR_ADD, 1, 2, 3) && !int_op(ATTR_ADD, 1, 2, 4); */
    /*@ assert one:  number(int_value(1)) == power(1074); */
    /*@ assert more: number(int_value(2)) == 2 * number(int_value(1)); */
    /*@ assert pow:  power(1) == 2 && power(2) == 4; */
    /*@ assert BOOM: \false; */
}

void client_tuples(void)
{
    /*@ assert sum:  \forall value x, v; reduce(ATTR_SUM, x, v) ==> folds(ATTR_ADD, x, 0, int_value(0), v); */
    /*@ assert rev:  \forall value x, v; func_op(ATTR_REVERSED, x, v) ==> v_len(v) == v_len(v_nth(x, 0)); */
    /*@ assert fun:  \forall integer op, value x, u, w; func_op(op, x, u) ==> func_op(op, x, w) ==> u == w; */
    /*@ assert BOOM: \false; */
}

/*@ requires wf: wf_attrs(node, kid, 1, 1, 1) && node[0].kind == ATTR_CONST && \valid(node + 1) && \separated(node + 1, kid); */
void client_attrs_of(struct attr_node *node, int *kid)
{
    /*@ assert kind:  \forall vals s; t_kind(attrs_of(node, kid, 1, 1, s), 0) == ATTR_CONST; */
    /*@ assert const: \forall vals s; t_const(attrs_of(node, kid, 1, 1, s), 0) == val(s, 0); */
    node[1].kind = ATTR_ANY;
    /*@ assert pre:   same_exprs{Pre,Here}(node, 1) && same_ints{Pre,Here}(kid, 1); */
    /*@ assert ext:   \forall vals s, u; extends(s, u, 1) ==> attrs_of(node, kid, 1, 1, u) == attrs_of{Pre}(node, kid, 1, 1, s); */
    /*@ assert value: \forall vals s, env g; ae(attrs_of(node, kid, 1, 1, s), g, 0, val(s, 0)); */
    /*@ assert BOOM: \false; */
}
