#include "attr/reduce.h"

#ifdef __FRAMAC__
#include "attr/reduce.acsl"
#endif

/* What the reduction starts from; stuck: amin and amax of the empty tuple. */
/*@ OP_REQUIRES
    requires op:       0 <= op < ATTR_REDUCTIONS;
    requires id:       0 <= x < vs.n && vs.v[x].kind == VALUE_TUPLE;
    terminates \true;
    exits    never:    \false;
    assigns  vs.v[vs.n .. vs.cap - 1];
    OP_KEEPS
    ensures  sound:    \result.code == STEP_DONE ==>
                       reduction_start(op, val(\old(VALS(vs)), x), RESULT_VALUE);
    ensures  complete: \result.code == STEP_STUCK ==> \forall value w;
                       !reduction_start(op, val(\old(VALS(vs)), x), w);
*/
static struct value_step reduce_start(struct values vs, int op, int x)
{
    struct value_step r = { STEP_STUCK, 0, vs.n, vs.npool };

    /*@ assert wf: wf_value(vs.v, vs.pool, x) && vs.v[x].first + vs.v[x].len <= vs.npool; */
    /*@ assert len: v_len(val(VALS(vs), x)) == vs.v[x].len; */
    switch (op) {
    case ATTR_SUM:
        return value_put(vs, VALUE_INT, 0);
    case ATTR_PROD:
        return value_put(vs, VALUE_INT, 1);
    case ATTR_ALL:
        return value_put(vs, VALUE_BOOL, 1);
    case ATTR_EXISTS:
        return value_put(vs, VALUE_BOOL, 0);
    case ATTR_CONCAT:
        return value_put_tuple(vs, 0);
    default: /* ATTR_AMIN, ATTR_AMAX */
        if (vs.v[x].len > 0) {
            r.code = STEP_DONE;
            r.id = vs.pool[vs.v[x].first];
            /*@ assert first: v_nth(val(VALS(vs), x), 0) == val(VALS(vs), r.id); */
        }
        return r;
    }
}

/* The operation of each step. */
/*@ requires op:       0 <= op < ATTR_REDUCTIONS;
    terminates \true;
    exits    never:    \false;
    assigns  \nothing;
    ensures  step:     \result == reduction_step(op);
    ensures  binary:   0 <= \result < ATTR_BINARY_OPS;
*/
static int reduce_op(int op)
{
    switch (op) {
    case ATTR_SUM:
    case ATTR_CONCAT:
        return ATTR_ADD;
    case ATTR_PROD:
        return ATTR_MUL;
    case ATTR_AMIN:
        return ATTR_MIN;
    case ATTR_AMAX:
        return ATTR_MAX;
    case ATTR_ALL:
        return ATTR_AND;
    default:
        return ATTR_OR;
    }
}

/* One step: acc and element k of tuple x. */
/*@ OP_REQUIRES
    requires op:       0 <= op < ATTR_BINARY_OPS;
    requires ids:      0 <= x < vs.n && vs.v[x].kind == VALUE_TUPLE && 0 <= acc < vs.n;
    requires element:  0 <= k < vs.v[x].len;
    terminates \true;
    exits    never:    \false;
    assigns  vs.v[0 .. vs.cap - 1], vs.pool[0 .. vs.cappool - 1];
    OP_KEEPS
    ensures  same:     same_values{Pre,Post}(vs.v, vs.pool, vs.n, vs.npool);
    ensures  sound:    \result.code == STEP_DONE ==>
                       binary_op(op, val(\old(VALS(vs)), acc), v_nth(val(\old(VALS(vs)), x), k), RESULT_VALUE);
    ensures  complete: \result.code == STEP_STUCK ==> \forall value w;
                       !binary_op(op, val(\old(VALS(vs)), acc), v_nth(val(\old(VALS(vs)), x), k), w);
*/
static struct value_step reduce_next(struct values vs, int op, int x, int k, int acc)
{
    struct value_step r;
    int e;

    /*@ assert wf: wf_value(vs.v, vs.pool, x) && vs.v[x].first + vs.v[x].len <= vs.npool; */
    e = vs.pool[vs.v[x].first + k];
    /*@ assert e: 0 <= e < vs.n && v_nth(val(VALS(vs), x), k) == val(VALS(vs), e); */
    r = attr_op_binary(vs, op, acc, e);
    /*@ assert nodes: same_nodes{Pre,Here}(vs.v, vs.n); */
    /*@ assert pool: same_pool{Pre,Here}(vs.pool, vs.npool); */
    return r;
}

/* From acc through all elements of tuple x. */
/*@ OP_REQUIRES
    requires op:       0 <= op < ATTR_BINARY_OPS;
    requires ids:      0 <= x < vs.n && vs.v[x].kind == VALUE_TUPLE && 0 <= acc < vs.n;
    terminates \true;
    exits    never:    \false;
    assigns  vs.v[0 .. vs.cap - 1], vs.pool[0 .. vs.cappool - 1];
    ensures  same:     same_values{Pre,Post}(vs.v, vs.pool, vs.n, vs.npool);
    OP_KEEPS
    ensures  sound:    \result.code == STEP_DONE ==>
                       folds(op, val(\old(VALS(vs)), x), 0, val(\old(VALS(vs)), acc), RESULT_VALUE);
    ensures  det:      \result.code == STEP_DONE ==> \forall value w;
                       folds(op, val(\old(VALS(vs)), x), 0, val(\old(VALS(vs)), acc), w) ==> w == RESULT_VALUE;
    ensures  complete: \result.code == STEP_STUCK ==> \forall value w;
                       !folds(op, val(\old(VALS(vs)), x), 0, val(\old(VALS(vs)), acc), w);
*/
static struct value_step reduce_all(struct values vs, int op, int x, int acc)
{
    struct value_step r = { STEP_DONE, acc, vs.n, vs.npool };
    struct values us = vs;
    int len = vs.v[x].len;

    /*@ assert wf: wf_value(vs.v, vs.pool, x); */
    /*@ assert len: v_len(val(VALS(vs), x)) == len; */
    /*@ loop invariant range:  0 <= k <= len;
        loop invariant arena:  us.v == vs.v && us.pool == vs.pool && us.cap == vs.cap && us.cappool == vs.cappool;
        loop invariant done:   r.code == STEP_DONE && r.n == us.n && r.npool == us.npool && 0 <= r.id < us.n;
        loop invariant more:   vs.n <= us.n <= vs.cap && vs.npool <= us.npool <= vs.cappool;
        loop invariant wf:     WF_VALUES(us);
        loop invariant same:   same_values{Pre,Here}(vs.v, vs.pool, vs.n, vs.npool);
        loop invariant ext:    extends(\at(VALS(vs), Pre), VALS(us), vs.n);
        loop invariant to:     \forall value w;
                               folds(op, val(\at(VALS(vs), Pre), x), k, val(VALS(us), r.id), w) ==>
                               folds(op, val(\at(VALS(vs), Pre), x), 0, val(\at(VALS(vs), Pre), acc), w);
        loop invariant from:   \forall value w;
                               folds(op, val(\at(VALS(vs), Pre), x), 0, val(\at(VALS(vs), Pre), acc), w) ==>
                               folds(op, val(\at(VALS(vs), Pre), x), k, val(VALS(us), r.id), w);
        loop assigns k, r, us, vs.v[0 .. vs.cap - 1], vs.pool[0 .. vs.cappool - 1];
        loop variant len - k;
    */
    for (int k = 0; k < len; k++) {
        /*@ assert x: val(VALS(us), x) == val(\at(VALS(vs), Pre), x); */
        r = reduce_next(us, op, x, k, r.id);
        if (r.code != STEP_DONE)
            return r;
        us.n = r.n;
        us.npool = r.npool;
    }
    return r;
}

struct value_step attr_op_reduce(struct values vs, int op, int x)
{
    struct value_step r = { STEP_STUCK, 0, vs.n, vs.npool };
    struct values us = vs;

    if (vs.v[x].kind != VALUE_TUPLE)
        return r;
    r = reduce_start(vs, op, x);
    /*@ assert nodes: same_nodes{Pre,Here}(vs.v, vs.n); */
    /*@ assert pool: same_pool{Pre,Here}(vs.pool, vs.npool); */
    if (r.code != STEP_DONE)
        return r;
    us.n = r.n;
    us.npool = r.npool;
    /*@ assert start: reduction_start(op, val(\at(VALS(vs), Pre), x), val(VALS(us), r.id)); */
    /*@ assert x: val(VALS(us), x) == val(\at(VALS(vs), Pre), x) && us.v[x].kind == VALUE_TUPLE; */
    r = reduce_all(us, reduce_op(op), x, r.id);
    /*@ assert nodes2: same_nodes{Pre,Here}(vs.v, vs.n); */
    /*@ assert pool2: same_pool{Pre,Here}(vs.pool, vs.npool); */
    return r;
}
