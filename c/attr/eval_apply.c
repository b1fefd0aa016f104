#include "attr/eval_apply.h"

#include "attr/eval_ask.h"
#include "attr/eval_tuple.h"
#include "attr/funcs.h"
#include "attr/reduce.h"
#include "attr/remap.h"

/*@ requires ready:    ready(t, vs, vs.n, vs.npool);
    requires id:       0 <= x < vs.n;
    requires op:       0 <= op < ATTR_REDUCTIONS;
    terminates \true;
    exits    never:    \false;
    APPLY_ASSIGNS
    EVAL_KEEPS
    ensures  sound:    \result.code == STEP_DONE ==> v_kind(val(\old(VALS(vs)), x)) == VALUE_TUPLE &&
                       reduce(op, val(\old(VALS(vs)), x), RESULT_VALUE);
    ensures  det:      \result.code == STEP_DONE ==> \forall value w;
                       reduce(op, val(\old(VALS(vs)), x), w) ==> w == RESULT_VALUE;
    ensures  complete: \result.code == STEP_STUCK ==> \forall value w;
                       !(v_kind(val(\old(VALS(vs)), x)) == VALUE_TUPLE && reduce(op, val(\old(VALS(vs)), x), w));
*/
static struct value_step apply_reduce(struct attr_view t, struct values vs, int op, int x)
{
    struct value_step r = attr_op_reduce(vs, op, x);

    /*@ assert nodes: same_nodes{Pre,Here}(vs.v, vs.n); */
    /*@ assert pool: same_pool{Pre,Here}(vs.pool, vs.npool); */
    /*@ assert node: same_exprs{Pre,Here}(t.node, t.n); */
    /*@ assert kid:  same_ints{Pre,Here}(t.kid, t.nkid); */
    /*@ assert same_env: same_env{Pre,Here}(t); */
    /*@ assert attrs: wf_attrs(t.node, t.kid, t.n, t.nkid, vs.n); */
    /*@ assert env: wf_env(t, vs.n); */
    (void)t;
    return r;
}

struct value_step attr_eval_reduce(struct attr_view t, struct values vs, int sp, int i)
{
    int op = t.node[i].op, a = t.node[i].a;
    struct values us = vs;
    struct value_step x, r;

    /*@ assert wf: wf_node(t.node, t.kid, i); */
    /*@ assert root: t_kind(EXPRS, i) == ATTR_REDUCE && t_op(EXPRS, i) == op && t_a(EXPRS, i) == a; */
    /*@ assert deep: 0 <= t_depth(EXPRS, a) < t_depth(EXPRS, i); */
    x = attr_eval_core(t, vs, sp, a);
    /*@ assert none: x.code == STEP_STUCK ==> none(\at(EXPRS, Pre), \at(ENV, Pre), i); */
    if (x.code != STEP_DONE)
        return x;
    us.n = x.n;
    us.npool = x.npool;
    /*@ assert more: vs.n <= us.n && vs.npool <= us.npool; */
    /*@ assert x: decided(\at(EXPRS, Pre), \at(ENV, Pre), a, val(VALS(us), x.id)); */
    r = apply_reduce(t, us, op, x.id);
    /*@ assert stuck: r.code == STEP_STUCK ==> none(\at(EXPRS, Pre), \at(ENV, Pre), i); */
    return r;
}

/*@ requires ready:    ready(t, vs, vs.n, vs.npool);
    requires id:       0 <= x < vs.n && vs.v[x].kind == VALUE_TUPLE;
    requires op:       0 <= op < ATTR_REMAP;
    terminates \true;
    exits    never:    \false;
    APPLY_ASSIGNS
    EVAL_KEEPS
    ensures  sound:    \result.code == STEP_DONE ==> func_op(op, val(\old(VALS(vs)), x), RESULT_VALUE);
    ensures  det:      \result.code == STEP_DONE ==> \forall value w;
                       func_op(op, val(\old(VALS(vs)), x), w) ==> w == RESULT_VALUE;
    ensures  complete: \result.code == STEP_STUCK ==> \forall value w;
                       !func_op(op, val(\old(VALS(vs)), x), w);
*/
static struct value_step apply_func(struct attr_view t, struct values vs, int op, int x)
{
    struct value_step r = op == ATTR_REMAP ? attr_op_remap(vs, x) : attr_op_func(vs, op, x);

    /*@ assert nodes: same_nodes{Pre,Here}(vs.v, vs.n); */
    /*@ assert pool: same_pool{Pre,Here}(vs.pool, vs.npool); */
    /*@ assert node: same_exprs{Pre,Here}(t.node, t.n); */
    /*@ assert kid:  same_ints{Pre,Here}(t.kid, t.nkid); */
    /*@ assert same_env: same_env{Pre,Here}(t); */
    /*@ assert attrs: wf_attrs(t.node, t.kid, t.n, t.nkid, vs.n); */
    /*@ assert env: wf_env(t, vs.n); */
    (void)t;
    return r;
}

struct value_step attr_eval_func(struct attr_view t, struct values vs, int sp, int i)
{
    int op = t.node[i].op;
    struct values us = vs;
    struct value_step x, r;

    /*@ assert wf: wf_node(t.node, t.kid, i); */
    /*@ assert root: t_kind(EXPRS, i) == ATTR_FUNC && t_op(EXPRS, i) == op; */
    x = attr_eval_elements(t, vs, sp, i);
    if (x.code != STEP_DONE)
        return x;
    us.n = x.n;
    us.npool = x.npool;
    /*@ assert more: vs.n <= us.n && vs.npool <= us.npool; */
    /*@ assert x: arguments(\at(EXPRS, Pre), \at(ENV, Pre), i, val(VALS(us), x.id)); */
    /*@ assert tuple: us.v[x.id].kind == VALUE_TUPLE; */
    r = apply_func(t, us, op, x.id);
    /*@ assert stuck: r.code == STEP_STUCK ==> none(\at(EXPRS, Pre), \at(ENV, Pre), i); */
    /*@ assert sound: r.code == STEP_DONE ==>
                      ae(\at(EXPRS, Pre), \at(ENV, Pre), i, val(VALS_AT(r.n, r.npool), r.id)); */
    return r;
}

/* Child k of node i, one of its branches. */
/*@ requires kind:     t.node[i].kind == ATTR_COND || t.node[i].kind == ATTR_MATCH;
    requires child:    0 <= k < t.node[i].b;
    EVAL_REQUIRES
    terminates \true;
    decreases 8 * t_depth(EXPRS, i);
    exits    never:    \false;
    EVAL_ASSIGNS
    EVAL_KEEPS
    ensures  decided:  \result.code == STEP_DONE ==>
                       decided(\old(EXPRS), \old(ENV), t_kid(\old(EXPRS), i, k), RESULT_VALUE);
    ensures  none:     \result.code == STEP_STUCK ==>
                       none(\old(EXPRS), \old(ENV), t_kid(\old(EXPRS), i, k));
*/
static struct value_step eval_branch(struct attr_view t, struct values vs, int sp, int i, int k)
{
    int kid;
    struct value_step r;

    /*@ assert all: wf_attrs(t.node, t.kid, t.n, t.nkid, vs.n); */
    /*@ assert wf: wf_node(t.node, t.kid, i) && t.node[i].a + t.node[i].b <= t.nkid; */
    kid = t.kid[t.node[i].a + k];
    /*@ assert child: 0 <= kid < i && t.node[kid].depth < t.node[i].depth; */
    /*@ assert wfk: wf_node(t.node, t.kid, kid); */
    /*@ assert kid: kid == t_kid(EXPRS, i, k); */
    /*@ assert deep: 0 <= t_depth(EXPRS, kid) < t_depth(EXPRS, i); */
    r = attr_eval_core(t, vs, sp, kid);
    return r;
}

struct value_step attr_eval_cond(struct attr_view t, struct values vs, int sp, int i)
{
    struct values us = vs;
    struct value_step c, r;

    /*@ assert wf: wf_node(t.node, t.kid, i); */
    /*@ assert root: t_kind(EXPRS, i) == ATTR_COND && t.node[i].b == 3; */
    c = eval_branch(t, vs, sp, i, 0);
    /*@ assert none: c.code == STEP_STUCK ==> none(\at(EXPRS, Pre), \at(ENV, Pre), i); */
    if (c.code != STEP_DONE)
        return c;
    us.n = c.n;
    us.npool = c.npool;
    /*@ assert more: vs.n <= us.n && vs.npool <= us.npool; */
    /*@ assert c: decided(\at(EXPRS, Pre), \at(ENV, Pre), t_kid(\at(EXPRS, Pre), i, 0), val(VALS(us), c.id)); */
    /*@ assert value: v_kind(val(VALS(us), c.id)) == us.v[c.id].kind && v_num(val(VALS(us), c.id)) == us.v[c.id].num; */
    if (us.v[c.id].kind != VALUE_BOOL) {
        c.code = STEP_STUCK;
        /*@ assert kind: none(\at(EXPRS, Pre), \at(ENV, Pre), i); */
        return c;
    }
    /*@ assert same: t.node[i].kind == ATTR_COND && t.node[i].b == 3; */
    r = eval_branch(t, us, sp, i, us.v[c.id].num ? 1 : 2);
    /*@ assert stuck: r.code == STEP_STUCK ==> none(\at(EXPRS, Pre), \at(ENV, Pre), i); */
    /*@ assert ext: r.code == STEP_DONE ==>
                    extends(\at(VALS(vs), Pre), VALS_AT(r.n, r.npool), vs.n); */
    return r;
}

struct value_step attr_eval_match(struct attr_view t, struct values vs, int sp, int i)
{
    struct value_step r = { STEP_STUCK, 0, vs.n, vs.npool };
    int op = t.node[i].op, n = t.node[i].b, at;
    unsigned long k;

    /*@ assert wf: wf_node(t.node, t.kid, i); */
    /*@ assert root: t_kind(EXPRS, i) == ATTR_MATCH && t_op(EXPRS, i) == op && t_b(EXPRS, i) == n; */
    at = attr_answer_find(t.answer, t.nanswer, 0, (unsigned long)op);
    if (at < 0)
        return attr_ask(t, vs, 0, (unsigned long)op);
    k = t.answer[at].id;
    /*@ assert taken: taken(ENV, op) == k - 1; */
    if (k == 0 || k > (unsigned long)n)
        return r;
    /*@ assert child: 0 <= k - 1 < n; */
    r = eval_branch(t, vs, sp, i, (int)(k - 1));
    /*@ assert stuck: r.code == STEP_STUCK ==> none(\at(EXPRS, Pre), \at(ENV, Pre), i); */
    return r;
}
