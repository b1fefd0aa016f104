#include "attr/eval_tuple.h"

#ifdef __FRAMAC__
#include "attr/kids.acsl"
#endif

/* The value of child k of tuple or function i, to stack[sp]. */
/*@ requires kind:     t.node[i].kind == ATTR_TUPLE || t.node[i].kind == ATTR_FUNC;
    requires child:    0 <= k < t.node[i].b;
    requires room:     sp < vs.capstack;
    EVAL_REQUIRES
    terminates \true;
    decreases 8 * t_depth(EXPRS, i);
    exits    never:    \false;
    EVAL_ASSIGNS
    EVAL_KEEPS
    ensures  stack:    \result.code == STEP_DONE ==> vs.stack[sp] == \result.id;
    ensures  decided:  \result.code == STEP_DONE ==>
                       kid_decided(\old(EXPRS), \old(ENV), i, k, RESULT_VALUE);
    ensures  complete: \result.code == STEP_STUCK ==> none(\old(EXPRS), \old(ENV), i);
*/
static struct value_step eval_kid(struct attr_view t, struct values vs, int sp, int i, int k)
{
    int kid;
    struct value_step r;

    /*@ assert all: wf_attrs(t.node, t.kid, t.n, t.nkid, vs.n); */
    /*@ assert wf: wf_node(t.node, t.kid, i) && t.node[i].a + t.node[i].b <= t.nkid; */
    /*@ assert room: \valid(vs.stack + sp); */
    /*@ assert root: t_kind(EXPRS, i) == t.node[i].kind && t_b(EXPRS, i) == t.node[i].b; */
    kid = t.kid[t.node[i].a + k];
    /*@ assert child: 0 <= kid < i && t.node[kid].depth < t.node[i].depth; */
    /*@ assert wfk: wf_node(t.node, t.kid, kid); */
    /*@ assert kid: kid == t_kid(EXPRS, i, k); */
    /*@ assert deep: 0 <= t_depth(EXPRS, kid) < t_depth(EXPRS, i); */
    r = attr_eval_core(t, vs, sp, kid);
    if (r.code == STEP_DONE)
        vs.stack[sp] = (unsigned)r.id;
    return r;
}

/* One more child, number k, after the values of the first k stand at stack[sp ..]. */
/*@ requires kind:     t.node[i].kind == ATTR_TUPLE || t.node[i].kind == ATTR_FUNC;
    requires child:    0 <= k < t.node[i].b;
    requires room:     sp + k < vs.capstack;
    requires ids:      \forall integer j; sp <= j < sp + k ==> vs.stack[j] < vs.n;
    requires decided:  kids_at(EXPRS, ENV, i, VALS(vs), vs.stack, sp, k);
    EVAL_REQUIRES
    terminates \true;
    decreases 8 * t_depth(EXPRS, i) + 1;
    exits    never:    \false;
    EVAL_ASSIGNS
    EVAL_KEEPS
    ensures  ids:      \result.code == STEP_DONE ==>
                       \forall integer j; sp <= j <= sp + k ==> vs.stack[j] < \result.n;
    ensures  decided:  \result.code == STEP_DONE ==>
                       kids_at(\old(EXPRS), \old(ENV), i, VALS_AT(\result.n, \result.npool), vs.stack, sp, k + 1);
    ensures  complete: \result.code == STEP_STUCK ==> none(\old(EXPRS), \old(ENV), i);
*/
static struct value_step eval_next(struct attr_view t, struct values vs, int sp, int i, int k)
{
    struct value_step r;

    r = eval_kid(t, vs, sp + k, i, k);
    /*@ assert ext: r.code == STEP_DONE ==>
                    extends(\at(VALS(vs), Pre), VALS_AT(r.n, r.npool), vs.n); */
    /*@ assert keep: \forall integer j; sp <= j < sp + k ==>
                     vs.stack[j] == \at(vs.stack[j], Pre); */
    /*@ assert vals: r.code == STEP_DONE ==> \forall integer j; sp <= j < sp + k ==>
                     val(VALS_AT(r.n, r.npool), \at(vs.stack[j], Pre)) ==
                     val(\at(VALS(vs), Pre), \at(vs.stack[j], Pre)); */
    /*@ assert first: r.code == STEP_DONE ==>
                      kids_at(\at(EXPRS, Pre), \at(ENV, Pre), i, VALS_AT(r.n, r.npool), vs.stack, sp, k); */
    /*@ assert last: r.code == STEP_DONE ==>
                     kid_decided(\at(EXPRS, Pre), \at(ENV, Pre), i, k,
                             val(VALS_AT(r.n, r.npool), vs.stack[sp + k])); */
    return r;
}

/* The values of the children of tuple or function i, in order, to stack[sp ..]. */
/*@ requires kind:     t.node[i].kind == ATTR_TUPLE || t.node[i].kind == ATTR_FUNC;
    requires room:     sp + t.node[i].b <= vs.capstack;
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
                       \forall integer k; sp <= k < sp + \old(t.node[i].b) ==> vs.stack[k] < \result.n;
    ensures  decided:  \result.code == STEP_DONE ==>
                       kids_at(\old(EXPRS), \old(ENV), i, VALS_AT(\result.n, \result.npool), vs.stack, sp,
                               t_b(\old(EXPRS), i));
    ensures  complete: \result.code == STEP_STUCK ==> none(\old(EXPRS), \old(ENV), i);
*/
static struct value_step eval_kids(struct attr_view t, struct values vs, int sp, int i)
{
    struct value_step r = { STEP_DONE, 0, vs.n, vs.npool };
    struct values us = vs;
    int len = t.node[i].b;

    /*@ assert wf: wf_node(t.node, t.kid, i); */
    /*@ assert root: t_kind(EXPRS, i) == t.node[i].kind && t_b(EXPRS, i) == len; */
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
        loop invariant decided: kids_at(\at(EXPRS, Pre), \at(ENV, Pre), i, VALS(us), vs.stack, sp, k);
        loop assigns k, r, us, vs.v[0 .. vs.cap - 1], vs.pool[0 .. vs.cappool - 1],
                     vs.stack[0 .. vs.capstack - 1], t.symbol[0 .. t.nsymbol + 1];
        loop variant len - k;
    */
    for (int k = 0; k < len; k++) {
        /*@ assert node: (t.node[i].kind == ATTR_TUPLE || t.node[i].kind == ATTR_FUNC) && t.node[i].b == len; */
        r = eval_next(t, us, sp, i, k);
        if (r.code != STEP_DONE)
            return r;
        us.n = r.n;
        us.npool = r.npool;
    }
    return r;
}

/* pool[npool + k] = stack[sp + k] for k < len. */
/*@ requires valid:    valid_room(vs);
    requires range:    0 <= sp && 0 <= len && sp + len <= vs.capstack;
    requires room:     0 <= vs.npool && vs.npool + len <= vs.cappool;
    requires ids:      0 <= vs.n && \forall integer k; sp <= k < sp + len ==> vs.stack[k] < vs.n;
    terminates \true;
    exits    never:    \false;
    assigns  vs.pool[vs.npool .. vs.npool + len - 1];
    ensures  ids:      \forall integer k; vs.npool <= k < vs.npool + len ==> 0 <= vs.pool[k] < vs.n;
    ensures  copied:   \forall integer k; vs.npool <= k < vs.npool + len ==>
                       vs.pool[k] == vs.stack[k - vs.npool + sp];
*/
static void pool_fill(struct values vs, int sp, int len)
{
    /*@ loop invariant range:  0 <= k <= len;
        loop invariant ids:    \forall integer j; vs.npool <= j < vs.npool + k ==>
                               0 <= vs.pool[j] < vs.n;
        loop invariant copied: \forall integer j; vs.npool <= j < vs.npool + k ==>
                               vs.pool[j] == vs.stack[j - vs.npool + sp];
        loop assigns k, vs.pool[vs.npool .. vs.npool + len - 1];
        loop variant len - k;
    */
    for (int k = 0; k < len; k++) {
        unsigned u = vs.stack[sp + k];
        /*@ assert small: u < vs.n; */
        int id = (int)u;
        /*@ assert id: id == u; */
        vs.pool[vs.npool + k] = id;
    }
}

/* The tuple of the ids at stack[sp ..], what it does to the arena of values. */
/*@ requires valid:    valid_room(vs) && valid_values(vs);
    requires wf:       WF_VALUES(vs);
    requires range:    0 <= sp && 0 <= len && sp + len <= vs.capstack;
    requires ids:      \forall integer k; sp <= k < sp + len ==> vs.stack[k] < vs.n;
    terminates \true;
    exits    never:    \false;
    assigns  vs.v[0 .. vs.cap - 1], vs.pool[0 .. vs.cappool - 1];
    ensures  same:     same_values{Pre,Post}(vs.v, vs.pool, vs.n, vs.npool);
    OP_KEEPS
    ensures  made:     \result.code != STEP_STUCK;
    ensures  tuple:    \result.code == STEP_DONE ==>
                       v_kind(RESULT_VALUE) == VALUE_TUPLE && v_len(RESULT_VALUE) == len;
    ensures  elements: \result.code == STEP_DONE ==> \forall integer k; 0 <= k < len ==>
                       v_nth(RESULT_VALUE, k) == val(\old(VALS(vs)), \old(vs.stack[sp + k]));
*/
static struct value_step pooled_tuple(struct values vs, int sp, int len)
{
    struct value_step r = { STEP_ROOM, 0, vs.n, vs.npool };

    if (len > vs.cappool - vs.npool)
        return r;
    pool_fill(vs, sp, len);
    /*@ assert same: same_values{Pre,Here}(vs.v, vs.pool, vs.n, vs.npool); */
    /*@ assert wf:   WF_VALUES(vs); */
    /*@ assert mid:  extends(\at(VALS(vs), Pre), VALS(vs), vs.n); */
    /*@ assert ids:  \forall integer k; 0 <= k < len ==>
                     vs.pool[vs.npool + k] == \at(vs.stack[sp + k], Pre); */
    /*@ assert vals: \forall integer k; 0 <= k < len ==>
                     val(VALS(vs), vs.pool[vs.npool + k]) ==
                     val(\at(VALS(vs), Pre), \at(vs.stack[sp + k], Pre)); */
    r = value_put_tuple(vs, len);
    /*@ assert ext:  r.code == STEP_DONE ==>
                     extends(\at(VALS(vs), Pre), VALS_AT(r.n, r.npool), vs.n); */
    /*@ assert nodes: same_nodes{Pre,Here}(vs.v, vs.n); */
    /*@ assert pool: same_pool{Pre,Here}(vs.pool, vs.npool); */
    return r;
}

struct value_step attr_stack_tuple(struct attr_view t, struct values vs, int sp, int len)
{
    struct value_step r = pooled_tuple(vs, sp, len);

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

struct value_step attr_eval_elements(struct attr_view t, struct values vs, int sp, int i)
{
    struct values us = vs;
    struct value_step r = { STEP_ROOM, 0, vs.n, vs.npool };
    int len = t.node[i].b;

    /*@ assert wf: wf_node(t.node, t.kid, i); */
    /*@ assert root: t_kind(EXPRS, i) == t.node[i].kind && t_b(EXPRS, i) == len; */
    /*@ assert start: same_view{Pre,Here}(t) &&
                      same_values{Pre,Here}(vs.v, vs.pool, vs.n, vs.npool); */
    if (len > vs.capstack - sp)
        return r;
    r = eval_kids(t, vs, sp, i);
    /*@ assert kids: same_view{Pre,Here}(t) &&
                     same_values{Pre,Here}(vs.v, vs.pool, vs.n, vs.npool); */
    if (r.code != STEP_DONE)
        return r;
    us.n = r.n;
    us.npool = r.npool;
    /*@ assert more: vs.n <= us.n && vs.npool <= us.npool; */
    /*@ assert old: extends(\at(VALS(vs), Pre), VALS(us), vs.n); */
    /*@ assert each: \forall integer k; 0 <= k < len ==>
                     kid_decided(\at(EXPRS, Pre), \at(ENV, Pre), i, k, val(VALS(us), vs.stack[sp + k])); */
    r = attr_stack_tuple(t, us, sp, len);
    /*@ assert view: same_view{Pre,Here}(t) &&
                     same_values{Pre,Here}(vs.v, vs.pool, vs.n, vs.npool); */
    /*@ assert ext: r.code == STEP_DONE ==>
                    extends(\at(VALS(vs), Pre), VALS_AT(r.n, r.npool), vs.n); */
    /*@ assert kids: r.code == STEP_DONE ==> \forall integer k; 0 <= k < len ==>
                     kid_decided(\at(EXPRS, Pre), \at(ENV, Pre), i, k,
                             v_nth(val(VALS_AT(r.n, r.npool), r.id), k)); */
    return r;
}

/* AE_Tuple */
struct value_step attr_eval_tuple(struct attr_view t, struct values vs, int sp, int i)
{
    struct value_step r;

    /*@ assert root: t_kind(EXPRS, i) == ATTR_TUPLE; */
    r = attr_eval_elements(t, vs, sp, i);
    return r;
}
