#include "attr/eval.h"

#include "attr/eval_apply.h"
#include "attr/eval_ask.h"
#include "attr/eval_bind.h"
#include "attr/eval_tuple.h"
#include "attr/ops.h"

/* AE_Access */
/*@ requires kind:     t.node[i].kind == ATTR_ACCESS;
    EVAL_REQUIRES
    terminates \true;
    exits    never:    \false;
    EVAL_ASSIGNS
    EVAL_KEEPS
    EVAL_DECIDES
*/
static struct value_step eval_access(struct attr_view t, struct values vs, int sp, int i)
{
    struct value_step r = { STEP_STUCK, 0, vs.n, vs.npool };
    int s = t.node[i].a;

    (void)sp;
    /*@ assert wf: wf_node(t.node, t.kid, i); */
    /*@ assert slot: t_a(EXPRS, i) == s && t_kind(EXPRS, i) == ATTR_ACCESS; */
    if (s < t.nslot && t.slot[s] >= 0) {
        r.code = STEP_DONE;
        r.id = t.slot[s];
        /*@ assert bound: bound(ENV, s) && lookup(ENV, s) == val(VALS(vs), t.slot[s]); */
    }
    return r;
}

/*@ requires ready:    ready(t, vs, vs.n, vs.npool);
    requires id:       0 <= x < vs.n;
    requires op:       0 <= op < ATTR_UNARY_OPS;
    terminates \true;
    exits    never:    \false;
    APPLY_ASSIGNS
    EVAL_KEEPS
    ensures  sound:    \result.code == STEP_DONE ==>
                       unary_op(op, val(\old(VALS(vs)), x), RESULT_VALUE);
    ensures  det:      \result.code == STEP_DONE ==>
                       \forall value w; unary_op(op, val(\old(VALS(vs)), x), w) ==> w == RESULT_VALUE;
    ensures  complete: \result.code == STEP_STUCK ==>
                       \forall value w; !unary_op(op, val(\old(VALS(vs)), x), w);
*/
static struct value_step apply_unary(struct attr_view t, struct values vs, int op, int x)
{
    struct value_step r = attr_op_unary(vs, op, x);

    /*@ assert node_kind: same_kind{Pre,Here}(t.node, t.n); */
    /*@ assert node_op: same_op{Pre,Here}(t.node, t.n); */
    /*@ assert node_a: same_a{Pre,Here}(t.node, t.n); */
    /*@ assert node_b: same_b{Pre,Here}(t.node, t.n); */
    /*@ assert node_depth: same_depth{Pre,Here}(t.node, t.n); */
    /*@ assert kid:  same_ints{Pre,Here}(t.kid, t.nkid); */
    /*@ assert same_env: same_env{Pre,Here}(t); */
    /*@ assert attrs: wf_attrs(t.node, t.kid, t.n, t.nkid, vs.n); */
    /*@ assert env: wf_env(t, vs.n); */
    (void)t;
    return r;
}

/*@ requires ready:    ready(t, vs, vs.n, vs.npool);
    requires ids:      0 <= x < vs.n && 0 <= y < vs.n;
    requires op:       0 <= op < ATTR_BINARY_OPS;
    terminates \true;
    exits    never:    \false;
    APPLY_ASSIGNS
    EVAL_KEEPS
    ensures  sound:    \result.code == STEP_DONE ==>
                       binary_op(op, val(\old(VALS(vs)), x), val(\old(VALS(vs)), y), RESULT_VALUE);
    ensures  det:      \result.code == STEP_DONE ==> \forall value w;
                       binary_op(op, val(\old(VALS(vs)), x), val(\old(VALS(vs)), y), w) ==>
                       w == RESULT_VALUE;
    ensures  complete: \result.code == STEP_STUCK ==> \forall value w;
                       !binary_op(op, val(\old(VALS(vs)), x), val(\old(VALS(vs)), y), w);
*/
static struct value_step apply_binary(struct attr_view t, struct values vs, int op, int x, int y)
{
    struct value_step r = attr_op_binary(vs, op, x, y);

    /*@ assert node_kind: same_kind{Pre,Here}(t.node, t.n); */
    /*@ assert node_op: same_op{Pre,Here}(t.node, t.n); */
    /*@ assert node_a: same_a{Pre,Here}(t.node, t.n); */
    /*@ assert node_b: same_b{Pre,Here}(t.node, t.n); */
    /*@ assert node_depth: same_depth{Pre,Here}(t.node, t.n); */
    /*@ assert kid:  same_ints{Pre,Here}(t.kid, t.nkid); */
    /*@ assert same_env: same_env{Pre,Here}(t); */
    /*@ assert attrs: wf_attrs(t.node, t.kid, t.n, t.nkid, vs.n); */
    /*@ assert env: wf_env(t, vs.n); */
    (void)t;
    return r;
}

/* AE_Unary */
/*@ requires kind:     t.node[i].kind == ATTR_UNARY;
    EVAL_REQUIRES
    terminates \true;
    decreases 8 * t_depth(EXPRS, i);
    exits    never:    \false;
    EVAL_ASSIGNS
    EVAL_KEEPS
    EVAL_DECIDES
*/
static struct value_step eval_unary(struct attr_view t, struct values vs, int sp, int i)
{
    int op = t.node[i].op, a = t.node[i].a;
    struct values us = vs;
    struct value_step x, r;

    /*@ assert wf: wf_node(t.node, t.kid, i); */
    /*@ assert root: t_kind(EXPRS, i) == ATTR_UNARY && t_op(EXPRS, i) == op && t_a(EXPRS, i) == a; */
    /*@ assert deep: 0 <= t_depth(EXPRS, a) < t_depth(EXPRS, i); */
    x = attr_eval_core(t, vs, sp, a);
    /*@ assert none: x.code == STEP_STUCK ==> none(\at(EXPRS, Pre), \at(ENV, Pre), i); */
    if (x.code != STEP_DONE)
        return x;
    us.n = x.n;
    us.npool = x.npool;
    /*@ assert more: vs.n <= us.n && vs.npool <= us.npool; */
    /*@ assert x: decided(\at(EXPRS, Pre), \at(ENV, Pre), a, val(VALS(us), x.id)); */
    r = apply_unary(t, us, op, x.id);
    /*@ assert stuck: r.code == STEP_STUCK ==> none(\at(EXPRS, Pre), \at(ENV, Pre), i); */
    return r;
}

/* The operation of the node, binary or proj. */
/*@ requires ready:    ready(t, vs, vs.n, vs.npool);
    requires expr:     0 <= i < t.n;
    requires kind:     t.node[i].kind == ATTR_BINARY || t.node[i].kind == ATTR_PROJ;
    requires ids:      0 <= x < vs.n && 0 <= y < vs.n;
    terminates \true;
    exits    never:    \false;
    APPLY_ASSIGNS
    EVAL_KEEPS
    ensures  sound:    \result.code == STEP_DONE ==>
                       pair_op(\old(EXPRS), i, val(\old(VALS(vs)), x), val(\old(VALS(vs)), y), RESULT_VALUE);
    ensures  det:      \result.code == STEP_DONE ==> \forall value w;
                       pair_op(\old(EXPRS), i, val(\old(VALS(vs)), x), val(\old(VALS(vs)), y), w) ==>
                       w == RESULT_VALUE;
    ensures  complete: \result.code == STEP_STUCK ==> \forall value w;
                       !pair_op(\old(EXPRS), i, val(\old(VALS(vs)), x), val(\old(VALS(vs)), y), w);
*/
static struct value_step apply_pair(struct attr_view t, struct values vs, int i, int x, int y)
{
    int kind = t.node[i].kind, op = t.node[i].op;

    /*@ assert wf: wf_node(t.node, t.kid, i); */
    /*@ assert root: t_kind(EXPRS, i) == kind && t_op(EXPRS, i) == op; */
    if (kind == ATTR_PROJ)
        return attr_op_proj(vs, x, y);
    return apply_binary(t, vs, op, x, y);
}

/* The second operand of node i and the operation; x is the value of the first. */
/*@ requires kind:     t.node[i].kind == ATTR_BINARY || t.node[i].kind == ATTR_PROJ;
    requires first:    0 <= x < vs.n && decided(EXPRS, ENV, t_a(EXPRS, i), val(VALS(vs), x));
    EVAL_REQUIRES
    terminates \true;
    decreases 8 * t_depth(EXPRS, i);
    exits    never:    \false;
    EVAL_ASSIGNS
    EVAL_KEEPS
    EVAL_DECIDES
*/
static struct value_step eval_second(struct attr_view t, struct values vs, int sp, int i, int x)
{
    int b = t.node[i].b;
    struct values us = vs;
    struct value_step y, r;

    /*@ assert wf: wf_node(t.node, t.kid, i); */
    /*@ assert root: t_kind(EXPRS, i) == t.node[i].kind && t_b(EXPRS, i) == b; */
    /*@ assert deep: 0 <= t_depth(EXPRS, b) < t_depth(EXPRS, i); */
    y = attr_eval_core(t, vs, sp, b);
    /*@ assert none: y.code == STEP_STUCK ==> none(\at(EXPRS, Pre), \at(ENV, Pre), i); */
    if (y.code != STEP_DONE)
        return y;
    us.n = y.n;
    us.npool = y.npool;
    /*@ assert more: vs.n <= us.n && vs.npool <= us.npool; */
    /*@ assert x: decided(\at(EXPRS, Pre), \at(ENV, Pre), t_a(\at(EXPRS, Pre), i),
                          val(VALS(us), x)); */
    /*@ assert y: decided(\at(EXPRS, Pre), \at(ENV, Pre), b, val(VALS(us), y.id)); */
    /*@ assert operation: \forall value w; ae(\at(EXPRS, Pre), \at(ENV, Pre), i, w) ==>
                          pair_op(\at(EXPRS, Pre), i, val(VALS(us), x), val(VALS(us), y.id), w); */
    r = apply_pair(t, us, i, x, y.id);
    /*@ assert stuck: r.code == STEP_STUCK ==> none(\at(EXPRS, Pre), \at(ENV, Pre), i); */
    /*@ assert only: r.code == STEP_DONE ==>
                     only(\at(EXPRS, Pre), \at(ENV, Pre), i, val(VALS_AT(r.n, r.npool), r.id)); */
    /*@ assert ext: r.code == STEP_DONE ==>
                    extends(\at(VALS(vs), Pre), VALS_AT(r.n, r.npool), vs.n); */
    return r;
}

/* AE_Binary, AE_Proj */
/*@ requires kind:     t.node[i].kind == ATTR_BINARY || t.node[i].kind == ATTR_PROJ;
    EVAL_REQUIRES
    terminates \true;
    decreases 8 * t_depth(EXPRS, i) + 1;
    exits    never:    \false;
    EVAL_ASSIGNS
    EVAL_KEEPS
    EVAL_DECIDES
*/
static struct value_step eval_pair(struct attr_view t, struct values vs, int sp, int i)
{
    int a = t.node[i].a;
    struct values us = vs;
    struct value_step x, r;

    /*@ assert wf: wf_node(t.node, t.kid, i); */
    /*@ assert root: t_kind(EXPRS, i) == t.node[i].kind && t_a(EXPRS, i) == a; */
    /*@ assert deep: 0 <= t_depth(EXPRS, a) < t_depth(EXPRS, i); */
    x = attr_eval_core(t, vs, sp, a);
    /*@ assert none: x.code == STEP_STUCK ==> none(\at(EXPRS, Pre), \at(ENV, Pre), i); */
    if (x.code != STEP_DONE)
        return x;
    us.n = x.n;
    us.npool = x.npool;
    /*@ assert more: vs.n <= us.n && vs.npool <= us.npool; */
    /*@ assert x: decided(\at(EXPRS, Pre), \at(ENV, Pre), a, val(VALS(us), x.id)); */
    /*@ assert node: t_kind(EXPRS_AT(us.n, us.npool), i) == t.node[i].kind; */
    r = eval_second(t, us, sp, i, x.id);
    /*@ assert ext: r.code == STEP_DONE ==>
                    extends(\at(VALS(vs), Pre), VALS_AT(r.n, r.npool), vs.n); */
    return r;
}

struct value_step attr_eval_core(struct attr_view t, struct values vs, int sp, int i)
{
    struct value_step r = { STEP_STUCK, 0, vs.n, vs.npool };
    int kind = t.node[i].kind;

    /*@ assert wf: wf_node(t.node, t.kid, i); */
    /*@ assert root: t_kind(EXPRS, i) == kind && t_a(EXPRS, i) == t.node[i].a; */
    /*@ assert deep: 0 <= t_depth(EXPRS, i); */
    switch (kind) {
    case ATTR_CONST: /* AE_Value */
        r.code = STEP_DONE;
        r.id = t.node[i].a;
        /*@ assert const: t_const(EXPRS, i) == val(VALS(vs), r.id); */
        return r;
    case ATTR_ANY: /* no rule: `_` has no value */
        return r;
    case ATTR_ACCESS:
        r = eval_access(t, vs, sp, i);
        return r;
    case ATTR_UNARY:
        r = eval_unary(t, vs, sp, i);
        return r;
    case ATTR_TUPLE:
        r = attr_eval_tuple(t, vs, sp, i);
        return r;
    case ATTR_BINARY:
    case ATTR_PROJ:
        r = eval_pair(t, vs, sp, i);
        return r;
    case ATTR_SYMBOL:
        r = attr_eval_symbol(t, vs, sp, i);
        return r;
    case ATTR_INST:
        r = attr_eval_inst(t, vs, sp, i);
        return r;
    case ATTR_VAR:
        r = attr_eval_var(t, vs, sp, i);
        return r;
    case ATTR_MAP:
        r = attr_eval_map(t, vs, sp, i);
        return r;
    case ATTR_REDUCE:
        r = attr_eval_reduce(t, vs, sp, i);
        return r;
    case ATTR_COND:
        r = attr_eval_cond(t, vs, sp, i);
        return r;
    case ATTR_MATCH:
        r = attr_eval_match(t, vs, sp, i);
        return r;
    default:
        r = attr_eval_func(t, vs, sp, i);
        return r;
    }
}
