#include "attr/eval_apply.h"

#include "attr/eval_ask.h"
#include "attr/eval_tuple.h"
#include "attr/funcs.h"
#include "attr/reduce.h"

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
    requires op:       0 <= op < ATTR_FUNC_OPS;
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
    struct value_step r = attr_op_func(vs, op, x);

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
    int k;

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
    k = us.v[c.id].num ? 1 : 2;
    /*@ assert k: k == chosen(val(VALS(us), c.id)); */
    r = eval_branch(t, us, sp, i, k);
    /*@ assert stuck: r.code == STEP_STUCK ==> none(\at(EXPRS, Pre), \at(ENV, Pre), i); */
    /*@ assert all: r.code == STEP_DONE ==>
                    decided(\at(EXPRS, Pre), \at(ENV, Pre), i, val(VALS_AT(r.n, r.npool), r.id)); */
    /*@ assert ext: r.code == STEP_DONE ==>
                    extends(\at(VALS(vs), Pre), VALS_AT(r.n, r.npool), vs.n); */
    return r;
}

/* The branch of node i that answer number `at` tells. */
/*@ requires kind:     t.node[i].kind == ATTR_MATCH;
    requires answer:   0 <= at < t.nanswer && t.answer[at].slot == 0 && t.answer[at].k == t.node[i].op;
    EVAL_REQUIRES
    terminates \true;
    decreases 8 * t_depth(EXPRS, i) + 1;
    exits    never:    \false;
    EVAL_ASSIGNS
    EVAL_KEEPS
    EVAL_DECIDES
*/
static struct value_step eval_taken(struct attr_view t, struct values vs, int sp, int i, int at)
{
    struct value_step r = { STEP_STUCK, 0, vs.n, vs.npool };
    int n = t.node[i].b, c;
    unsigned long k = t.answer[at].id;

    /*@ assert wf: wf_node(t.node, t.kid, i); */
    /*@ assert root: t_kind(EXPRS, i) == ATTR_MATCH && t_op(EXPRS, i) == t.node[i].op && t_b(EXPRS, i) == n; */
    /*@ assert answer: taken(ENV, t_op(EXPRS, i)) == k - 1; */
    if (k == 0 || k > (unsigned long)n) {
        /*@ assert out: none(EXPRS, ENV, i); */
        return r;
    }
    c = (int)(k - 1);
    /*@ assert child: 0 <= c < n && taken(ENV, t_op(EXPRS, i)) == c; */
    r = eval_branch(t, vs, sp, i, c);
    /*@ assert view: same_view{Pre,Here}(t); */
    /*@ assert taken: taken(\at(ENV, Pre), t_op(\at(EXPRS, Pre), i)) == c && t_kind(\at(EXPRS, Pre), i) == ATTR_MATCH &&
                      0 <= c < t_b(\at(EXPRS, Pre), i); */
    /*@ assert stuck: r.code == STEP_STUCK ==> none(\at(EXPRS, Pre), \at(ENV, Pre), i); */
    /*@ assert only: r.code == STEP_DONE ==> only(\at(EXPRS, Pre), \at(ENV, Pre), i, val(VALS_AT(r.n, r.npool), r.id)); */
    return r;
}

struct value_step attr_eval_match(struct attr_view t, struct values vs, int sp, int i)
{
    int op = t.node[i].op, at;

    /*@ assert wf: wf_node(t.node, t.kid, i); */
    /*@ assert root: t_kind(EXPRS, i) == ATTR_MATCH && t_op(EXPRS, i) == op; */
    at = attr_answer_find(t.answer, t.nanswer, 0, (unsigned long)op);
    if (at < 0)
        return attr_ask(t, vs, 0, (unsigned long)op);
    return eval_taken(t, vs, sp, i, at);
}
