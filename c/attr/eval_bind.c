#include "attr/eval_bind.h"

#include "attr/eval_tuple.h"
#include "attr/funcs.h"

#ifdef __FRAMAC__
#include "attr/bind.acsl"
#endif

/* The value of the body of node i with its symbol bound to value x. */
/*@ requires kind:     t.node[i].kind == ATTR_VAR || t.node[i].kind == ATTR_MAP;
    requires symbol:   t.node[i].op < t.nsymbol;
    requires id:       0 <= x < vs.n;
    EVAL_REQUIRES
    terminates \true;
    decreases 8 * t_depth(EXPRS, i);
    exits    never:    \false;
    EVAL_ASSIGNS
    EVAL_KEEPS
    ensures  decided:  \result.code == STEP_DONE ==>
                       decided(\old(EXPRS), with(\old(ENV), t_op(\old(EXPRS), i), val(\old(VALS(vs)), x)),
                               t_b(\old(EXPRS), i), RESULT_VALUE);
    ensures  none:     \result.code == STEP_STUCK ==>
                       none(\old(EXPRS), with(\old(ENV), t_op(\old(EXPRS), i), val(\old(VALS(vs)), x)),
                            t_b(\old(EXPRS), i));
*/
static struct value_step eval_body(struct attr_view t, struct values vs, int sp, int i, int x)
{
    int s = t.node[i].op, b = t.node[i].b;
    unsigned long old;
    struct value_step r;

    /*@ assert wf: wf_node(t.node, t.kid, i); */
    /*@ assert root: t_op(EXPRS, i) == s && t_b(EXPRS, i) == b && 0 <= s < t.nsymbol; */
    /*@ assert deep: 0 <= t_depth(EXPRS, b) < t_depth(EXPRS, i); */
    old = t.symbol[s];
    t.symbol[s] = (unsigned long)x + 1;
    /*@ assert rest: same_rest{Pre,Here}(t); */
    /*@ assert others: \forall integer k; 0 <= k < t.nsymbol ==> k != s ==>
                       \at(t.symbol[k], Pre) == \at(t.symbol[k], Here); */
    /*@ assert agree: agreeing(t.answer, t.nanswer); */
    /*@ assert env: wf_env(t, vs.n); */
    /*@ assert exprs: EXPRS == \at(EXPRS, Pre); */
    /*@ assert with: ENV == with(\at(ENV, Pre), s, val(VALS(vs), x)); */
    /*@ assert ready: ready(t, vs, vs.n, vs.npool); */
    r = attr_eval_core(t, vs, sp, b);
    t.symbol[s] = old;
    /*@ assert answers: same_answers{Pre,Here}(t.answer, t.nanswer); */
    /*@ assert symbols: same_symbols{Pre,Here}(t.symbol, t.nsymbol); */
    /*@ assert same_env: same_env{Pre,Here}(t); */
    /*@ assert wfe: wf_env(t, vs.n); */
    return r;
}

/* The value of the body of node i for element k of tuple w, to stack[sp + k], after the first k stand at stack[sp ..]. */
/*@ requires kind:     t.node[i].kind == ATTR_VAR || t.node[i].kind == ATTR_MAP;
    requires symbol:   t.node[i].op < t.nsymbol;
    requires tuple:    0 <= w < vs.n && vs.v[w].kind == VALUE_TUPLE;
    requires element:  0 <= k < vs.v[w].len;
    requires source:   source(EXPRS, ENV, i, val(VALS(vs), w));
    requires room:     sp + k < vs.capstack;
    requires ids:      \forall integer j; sp <= j < sp + k ==> vs.stack[j] < vs.n;
    requires decided:  \forall integer j; 0 <= j < k ==>
                       body_decided(EXPRS, ENV, i, val(VALS(vs), w), j, val(VALS(vs), vs.stack[sp + j]));
    EVAL_REQUIRES
    terminates \true;
    decreases 8 * t_depth(EXPRS, i) + 1;
    exits    never:    \false;
    EVAL_ASSIGNS
    EVAL_KEEPS
    ensures  ids:      \result.code == STEP_DONE ==>
                       \forall integer j; sp <= j <= sp + k ==> vs.stack[j] < \result.n;
    ensures  decided:  \result.code == STEP_DONE ==> \forall integer j; 0 <= j <= k ==>
                       body_decided(\old(EXPRS), \old(ENV), i, val(\old(VALS(vs)), w), j,
                                    val(VALS_AT(\result.n, \result.npool), vs.stack[sp + j]));
    ensures  complete: \result.code == STEP_STUCK ==> none(\old(EXPRS), \old(ENV), i);
*/
static struct value_step eval_next(struct attr_view t, struct values vs, int sp, int i, int w, int k)
{
    int x;
    struct value_step r;

    /*@ assert small: \forall integer j; 0 <= j < k ==> vs.stack[sp + j] < vs.n; */
    /*@ assert wf: WF_VALUES(vs) && wf_value(vs.v, vs.pool, w) && vs.v[w].first + vs.v[w].len <= vs.npool; */
    /*@ assert len: v_len(val(VALS(vs), w)) == vs.v[w].len; */
    x = vs.pool[vs.v[w].first + k];
    /*@ assert x: 0 <= x < vs.n && v_nth(val(VALS(vs), w), k) == val(VALS(vs), x); */
    r = eval_body(t, vs, sp + k, i, x);
    if (r.code == STEP_DONE)
        vs.stack[sp + k] = (unsigned)r.id;
    /*@ assert none: r.code == STEP_STUCK ==> none(\at(EXPRS, Pre), \at(ENV, Pre), i); */
    /*@ assert ext: r.code == STEP_DONE ==>
                    extends(\at(VALS(vs), Pre), VALS_AT(r.n, r.npool), vs.n); */
    /*@ assert keep: \forall integer j; sp <= j < sp + k ==>
                     vs.stack[j] == \at(vs.stack[j], Pre); */
    /*@ assert vals: r.code == STEP_DONE ==> \forall integer j; 0 <= j < k ==>
                     val(VALS_AT(r.n, r.npool), \at(vs.stack[sp + j], Pre)) ==
                     val(\at(VALS(vs), Pre), \at(vs.stack[sp + j], Pre)); */
    /*@ assert first: r.code == STEP_DONE ==> \forall integer j; 0 <= j < k ==>
                      body_decided(\at(EXPRS, Pre), \at(ENV, Pre), i, val(\at(VALS(vs), Pre), w), j,
                                   val(VALS_AT(r.n, r.npool), vs.stack[sp + j])); */
    /*@ assert last: r.code == STEP_DONE ==>
                     body_decided(\at(EXPRS, Pre), \at(ENV, Pre), i, val(\at(VALS(vs), Pre), w), k,
                                  val(VALS_AT(r.n, r.npool), vs.stack[sp + k])); */
    return r;
}

/* The values of the body of node i for each element of tuple w, to stack[sp ..]. */
/*@ requires kind:     t.node[i].kind == ATTR_VAR || t.node[i].kind == ATTR_MAP;
    requires symbol:   t.node[i].op < t.nsymbol;
    requires tuple:    0 <= w < vs.n && vs.v[w].kind == VALUE_TUPLE;
    requires source:   source(EXPRS, ENV, i, val(VALS(vs), w));
    requires room:     sp + vs.v[w].len <= vs.capstack;
    EVAL_REQUIRES
    terminates \true;
    decreases 8 * t_depth(EXPRS, i) + 2;
    exits    never:    \false;
    EVAL_ASSIGNS
    ensures  code:     STEP_DONE <= \result.code <= STEP_ASK;
    ensures  view:     same_view{Pre,Post}(t);
    ensures  values:   same_values{Pre,Post}(vs.v, vs.pool, vs.n, vs.npool);
    ensures  more:     \result.code == STEP_DONE ==> vs.n <= \result.n && vs.npool <= \result.npool;
    ensures  ext:      \result.code == STEP_DONE ==>
                       extends(\old(VALS(vs)), VALS_AT(\result.n, \result.npool), vs.n);
    ensures  ready:    \result.code == STEP_DONE ==>
                       ready{Post}(t, vs, \result.n, \result.npool);
    ensures  exprs:    \result.code == STEP_DONE ==> RESULT_EXPRS == \old(EXPRS);
    ensures  env:      \result.code == STEP_DONE ==> RESULT_ENV == \old(ENV);
    ensures  ids:      \result.code == STEP_DONE ==>
                       \forall integer k; sp <= k < sp + \old(vs.v[w].len) ==> vs.stack[k] < \result.n;
    ensures  decided:  \result.code == STEP_DONE ==>
                       \forall integer k; 0 <= k < \old(vs.v[w].len) ==>
                       body_decided(\old(EXPRS), \old(ENV), i, val(\old(VALS(vs)), w), k,
                                    val(VALS_AT(\result.n, \result.npool), vs.stack[sp + k]));
    ensures  complete: \result.code == STEP_STUCK ==> none(\old(EXPRS), \old(ENV), i);
*/
static struct value_step eval_bodies(struct attr_view t, struct values vs, int sp, int i, int w)
{
    struct value_step r = { STEP_DONE, 0, vs.n, vs.npool };
    struct values us = vs;
    int len = vs.v[w].len;

    /*@ loop invariant range: 0 <= k <= len;
        loop invariant arena: us.v == vs.v && us.pool == vs.pool && us.stack == vs.stack &&
                              us.cap == vs.cap && us.cappool == vs.cappool &&
                              us.capstack == vs.capstack;
        loop invariant done:  r.code == STEP_DONE && r.n == us.n && r.npool == us.npool;
        loop invariant view:  same_view{Pre,Here}(t);
        loop invariant values: same_values{Pre,Here}(vs.v, vs.pool, vs.n, vs.npool);
        loop invariant more:  vs.n <= us.n && vs.npool <= us.npool;
        loop invariant ext:   extends(\at(VALS(vs), Pre), VALS(us), vs.n);
        loop invariant ready: ready(t, vs, us.n, us.npool);
        loop invariant exprs: EXPRS_AT(us.n, us.npool) == \at(EXPRS, Pre);
        loop invariant env:   ENV_AT(us.n, us.npool) == \at(ENV, Pre);
        loop invariant below: same_stack{Pre,Here}(vs.stack, sp);
        loop invariant ids:   \forall integer j; sp <= j < sp + k ==> vs.stack[j] < us.n;
        loop invariant decided: \forall integer j; 0 <= j < k ==>
                              body_decided(\at(EXPRS, Pre), \at(ENV, Pre), i, val(\at(VALS(vs), Pre), w), j,
                                           val(VALS(us), vs.stack[sp + j]));
        loop assigns k, r, us, vs.v[0 .. vs.cap - 1], vs.pool[0 .. vs.cappool - 1],
                     vs.stack[0 .. vs.capstack - 1], t.symbol[0 .. t.nsymbol + 1];
        loop variant len - k;
    */
    for (int k = 0; k < len; k++) {
        /*@ assert node: (t.node[i].kind == ATTR_VAR || t.node[i].kind == ATTR_MAP) && t.node[i].op < t.nsymbol; */
        /*@ assert w: vs.v[w].kind == VALUE_TUPLE && vs.v[w].len == len &&
                      val(VALS(us), w) == val(\at(VALS(vs), Pre), w); */
        r = eval_next(t, us, sp, i, w, k);
        if (r.code != STEP_DONE)
            return r;
        us.n = r.n;
        us.npool = r.npool;
    }
    return r;
}

/* The tuple of the values of the body of node i for the elements of tuple w. */
/*@ requires kind:     t.node[i].kind == ATTR_VAR || t.node[i].kind == ATTR_MAP;
    requires tuple:    0 <= w < vs.n && vs.v[w].kind == VALUE_TUPLE;
    requires source:   source(EXPRS, ENV, i, val(VALS(vs), w));
    EVAL_REQUIRES
    terminates \true;
    decreases 8 * t_depth(EXPRS, i) + 3;
    exits    never:    \false;
    EVAL_ASSIGNS
    EVAL_KEEPS
    EVAL_DECIDES
*/
static struct value_step eval_family(struct attr_view t, struct values vs, int sp, int i, int w)
{
    struct value_step r = { STEP_LIMIT, 0, vs.n, vs.npool };
    struct values us = vs;
    int len = vs.v[w].len;

    /*@ assert wf: WF_VALUES(vs) && wf_value(vs.v, vs.pool, w); */
    /*@ assert len: v_len(val(VALS(vs), w)) == len; */
    /*@ assert start: same_view{Pre,Here}(t) &&
                      same_values{Pre,Here}(vs.v, vs.pool, vs.n, vs.npool); */
    if (t.node[i].op >= t.nsymbol)
        return r;
    r.code = STEP_ROOM;
    if (len > vs.capstack - sp)
        return r;
    r = eval_bodies(t, vs, sp, i, w);
    /*@ assert bodies: same_view{Pre,Here}(t) &&
                       same_values{Pre,Here}(vs.v, vs.pool, vs.n, vs.npool); */
    if (r.code != STEP_DONE)
        return r;
    us.n = r.n;
    us.npool = r.npool;
    /*@ assert more: vs.n <= us.n && vs.npool <= us.npool; */
    /*@ assert old: extends(\at(VALS(vs), Pre), VALS(us), vs.n); */
    r = attr_stack_tuple(t, us, sp, len);
    /*@ assert view: same_view{Pre,Here}(t) &&
                     same_values{Pre,Here}(vs.v, vs.pool, vs.n, vs.npool); */
    /*@ assert ext: r.code == STEP_DONE ==>
                    extends(\at(VALS(vs), Pre), VALS_AT(r.n, r.npool), vs.n); */
    /*@ assert decided: r.code == STEP_DONE ==> \forall integer k; 0 <= k < len ==>
                        body_decided(\at(EXPRS, Pre), \at(ENV, Pre), i, val(\at(VALS(vs), Pre), w), k,
                                     v_nth(val(VALS_AT(r.n, r.npool), r.id), k)); */
    /*@ assert all: r.code == STEP_DONE ==>
                    decided(\at(EXPRS, Pre), \at(ENV, Pre), i, val(VALS_AT(r.n, r.npool), r.id)); */
    return r;
}

struct value_step attr_eval_map(struct attr_view t, struct values vs, int sp, int i)
{
    int a = t.node[i].a;
    struct values us = vs;
    struct value_step w, r;

    /*@ assert wf: wf_node(t.node, t.kid, i); */
    /*@ assert root: t_kind(EXPRS, i) == ATTR_MAP && t_a(EXPRS, i) == a; */
    /*@ assert deep: 0 <= t_depth(EXPRS, a) < t_depth(EXPRS, i); */
    w = attr_eval_core(t, vs, sp, a);
    /*@ assert none: w.code == STEP_STUCK ==> none(\at(EXPRS, Pre), \at(ENV, Pre), i); */
    if (w.code != STEP_DONE)
        return w;
    us.n = w.n;
    us.npool = w.npool;
    /*@ assert more: vs.n <= us.n && vs.npool <= us.npool; */
    /*@ assert w: decided(\at(EXPRS, Pre), \at(ENV, Pre), a, val(VALS(us), w.id)); */
    /*@ assert value: v_kind(val(VALS(us), w.id)) == us.v[w.id].kind; */
    if (us.v[w.id].kind != VALUE_TUPLE) {
        w.code = STEP_STUCK;
        /*@ assert kind: none(\at(EXPRS, Pre), \at(ENV, Pre), i); */
        return w;
    }
    /*@ assert source: source(\at(EXPRS, Pre), \at(ENV, Pre), i, val(VALS(us), w.id)); */
    /*@ assert node: t.node[i].kind == ATTR_MAP; */
    r = eval_family(t, us, sp, i, w.id);
    /*@ assert ext: r.code == STEP_DONE ==>
                    extends(\at(VALS(vs), Pre), VALS_AT(r.n, r.npool), vs.n); */
    return r;
}

/* The tuple 0 .. z-1. */
/*@ requires ready:    ready(t, vs, vs.n, vs.npool);
    requires number:   0 <= z;
    terminates \true;
    exits    never:    \false;
    APPLY_ASSIGNS
    EVAL_KEEPS
    ensures  tuple:    \result.code == STEP_DONE ==> counted(RESULT_VALUE, z) && z <= ATTR_COUNT_MAX &&
                       vs.v[\result.id].kind == VALUE_TUPLE;
    ensures  many:     \result.code == STEP_STUCK ==> z > ATTR_COUNT_MAX;
*/
static struct value_step count_to(struct attr_view t, struct values vs, long z)
{
    struct value_step r = attr_op_range(vs, 0, z, 1);

    /*@ assert range: r.code == STEP_DONE ==> range(0, z, 1, val(VALS_AT(r.n, r.npool), r.id)); */
    /*@ assert counted: r.code == STEP_DONE ==> counted(val(VALS_AT(r.n, r.npool), r.id), z); */
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

/* The rest of attr_eval_var: n is the value of the length. */
/*@ requires kind:     t.node[i].kind == ATTR_VAR;
    requires number:   0 <= n < vs.n && vs.v[n].kind == VALUE_INT && vs.v[n].num >= 0;
    requires length:   decided(EXPRS, ENV, t_a(EXPRS, i), val(VALS(vs), n));
    EVAL_REQUIRES
    terminates \true;
    decreases 8 * t_depth(EXPRS, i) + 4;
    exits    never:    \false;
    EVAL_ASSIGNS
    EVAL_KEEPS
    EVAL_DECIDES
*/
static struct value_step eval_counted(struct attr_view t, struct values vs, int sp, int i, int n)
{
    struct values us = vs;
    struct value_step w, r;

    /*@ assert root: t_kind(EXPRS, i) == ATTR_VAR; */
    /*@ assert value: v_kind(val(VALS(vs), n)) == VALUE_INT && v_num(val(VALS(vs), n)) == vs.v[n].num; */
    w = count_to(t, vs, vs.v[n].num);
    /*@ assert none: w.code == STEP_STUCK ==> none(\at(EXPRS, Pre), \at(ENV, Pre), i); */
    if (w.code != STEP_DONE)
        return w;
    us.n = w.n;
    us.npool = w.npool;
    /*@ assert more: vs.n <= us.n && vs.npool <= us.npool; */
    /*@ assert source: source(\at(EXPRS, Pre), \at(ENV, Pre), i, val(VALS(us), w.id)); */
    /*@ assert node: t.node[i].kind == ATTR_VAR; */
    r = eval_family(t, us, sp, i, w.id);
    /*@ assert ext: r.code == STEP_DONE ==>
                    extends(\at(VALS(vs), Pre), VALS_AT(r.n, r.npool), vs.n); */
    return r;
}

struct value_step attr_eval_var(struct attr_view t, struct values vs, int sp, int i)
{
    int a = t.node[i].a;
    struct values us = vs;
    struct value_step n, r;

    /*@ assert wf: wf_node(t.node, t.kid, i); */
    /*@ assert root: t_kind(EXPRS, i) == ATTR_VAR && t_a(EXPRS, i) == a; */
    /*@ assert deep: 0 <= t_depth(EXPRS, a) < t_depth(EXPRS, i); */
    n = attr_eval_core(t, vs, sp, a);
    /*@ assert none: n.code == STEP_STUCK ==> none(\at(EXPRS, Pre), \at(ENV, Pre), i); */
    if (n.code != STEP_DONE)
        return n;
    us.n = n.n;
    us.npool = n.npool;
    /*@ assert more: vs.n <= us.n && vs.npool <= us.npool; */
    /*@ assert n: decided(\at(EXPRS, Pre), \at(ENV, Pre), a, val(VALS(us), n.id)); */
    /*@ assert value: v_kind(val(VALS(us), n.id)) == us.v[n.id].kind && v_num(val(VALS(us), n.id)) == us.v[n.id].num; */
    if (us.v[n.id].kind != VALUE_INT || us.v[n.id].num < 0) {
        n.code = STEP_STUCK;
        /*@ assert kind: none(\at(EXPRS, Pre), \at(ENV, Pre), i); */
        return n;
    }
    /*@ assert node: t.node[i].kind == ATTR_VAR; */
    r = eval_counted(t, us, sp, i, n.id);
    /*@ assert ext: r.code == STEP_DONE ==>
                    extends(\at(VALS(vs), Pre), VALS_AT(r.n, r.npool), vs.n); */
    return r;
}
