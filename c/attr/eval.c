/* The evaluator G;a => v (AE-Value, AE-Access, AE-Unary, AE-Binary, AE-Tuple, AE-Proj, AE-Symbol, AE-Inst, AE-Var, AE-Map, AE-Sum,
   AE-Cond, AE-Match, AE-Func). Invariant: expressions and environment are unchanged but for the symbol a comprehension binds, which is
   as it was when its evaluation ends; recursion is bounded by the depth of expressions. */
#include "attr/eval.h"

#include "attr/funcs.h"
#include "attr/ops.h"

int attr_answer_find(const struct attr_answer *answer, int n, unsigned long slot, unsigned long k)
{
    int lo = 0, hi = n;

    /*@ loop invariant range: 0 <= lo <= hi <= n;
        loop invariant below: sorted(answer, n) ==>
                              \forall integer j; 0 <= j < lo ==> key_below(answer[j].slot, answer[j].k, slot, k);
        loop invariant above: sorted(answer, n) ==>
                              \forall integer j; hi <= j < n ==> key_below(slot, k, answer[j].slot, answer[j].k);
        loop assigns lo, hi;
        loop variant hi - lo;
    */
    while (lo < hi) {
        int mid = lo + (hi - lo) / 2;

        /*@ assert left: sorted(answer, n) ==> \forall integer j; 0 <= j < mid ==>
                         !key_below(answer[mid].slot, answer[mid].k, answer[j].slot, answer[j].k); */
        /*@ assert right: sorted(answer, n) ==> \forall integer j; mid < j < n ==>
                          !key_below(answer[j].slot, answer[j].k, answer[mid].slot, answer[mid].k); */
        if (answer[mid].slot == slot && answer[mid].k == k)
            return mid;
        if (answer[mid].slot < slot || (answer[mid].slot == slot && answer[mid].k < k))
            lo = mid + 1;
        else
            hi = mid;
        /*@ assert kept: sorted(answer, n) ==> \forall integer j; 0 <= j < lo ==>
                         key_below(answer[j].slot, answer[j].k, slot, k); */
    }
    return -1;
}

struct value_step attr_ask(struct attr_view t, struct values vs, unsigned long slot, unsigned long k)
{
    struct value_step r = { STEP_ASK, 0, vs.n, vs.npool };

    t.symbol[t.nsymbol] = slot;
    t.symbol[t.nsymbol + 1] = k;
    /*@ assert symbols: same_symbols{Pre,Here}(t.symbol, t.nsymbol); */
    /*@ assert answers: same_answers{Pre,Here}(t.answer, t.nanswer); */
    return r;
}

/* Instance number num of slot a. */
/*@ requires ready:    ready(t, vs, vs.n, vs.npool);
    requires slot:     0 <= a;
    terminates \true;
    exits    never:    \false;
    assigns  t.symbol[t.nsymbol .. t.nsymbol + 1];
    ensures  view:     same_view{Pre,Post}(t);
    ensures  code:     \result.code == STEP_DONE || \result.code == STEP_STUCK || \result.code == STEP_ASK;
    ensures  frame:    \result.n == vs.n && \result.npool == vs.npool;
    ensures  some:     \result.code == STEP_DONE ==> 0 <= \result.id < vs.n && bound_inst(\old(ENV), a, num) &&
                       inst_value(\old(ENV), a, num) == val(\old(VALS(vs)), \result.id);
    ensures  none:     \result.code == STEP_STUCK ==> !bound_inst(\old(ENV), a, num);
*/
static struct value_step find_inst(struct attr_view t, struct values vs, int a, long num)
{
    struct value_step r = { STEP_STUCK, 0, vs.n, vs.npool };
    unsigned long slot = (unsigned long)a + 1, k = (unsigned long)num, id;
    int at = attr_answer_find(t.answer, t.nanswer, slot, k);

    /*@ assert slot: slot == a + 1; */
    /*@ assert key: k == key(num); */
    if (at < 0)
        return attr_ask(t, vs, slot, k);
    /*@ assert wf: wf_env(t, vs.n) && wf_answers(t.answer, t.nanswer, vs.n); */
    id = t.answer[at].id;
    /*@ assert id: id <= vs.n; */
    /*@ assert inst: bound_inst(ENV, a, num) <==> id > 0; */
    if (id == 0)
        return r;
    r.code = STEP_DONE;
    r.id = (int)(id - 1);
    /*@ assert value: r.id == id - 1; */
    return r;
}

struct value_step attr_eval_inst(struct attr_view t, struct values vs, int sp, int i)
{
    int a = t.node[i].a, b = t.node[i].b;
    struct values us = vs;
    struct value_step k, r;

    /*@ assert wf: wf_node(t.node, t.kid, i); */
    /*@ assert root: t_kind(EXPRS, i) == ATTR_INST && t_a(EXPRS, i) == a && t_b(EXPRS, i) == b; */
    /*@ assert deep: 0 <= t_depth(EXPRS, b) < t_depth(EXPRS, i); */
    k = attr_eval_core(t, vs, sp, b);
    /*@ assert none: k.code == STEP_STUCK ==> none(\at(EXPRS, Pre), \at(ENV, Pre), i); */
    if (k.code != STEP_DONE)
        return k;
    us.n = k.n;
    us.npool = k.npool;
    /*@ assert more: vs.n <= us.n && vs.npool <= us.npool; */
    /*@ assert k: decided(\at(EXPRS, Pre), \at(ENV, Pre), b, val(VALS(us), k.id)); */
    /*@ assert value: v_kind(val(VALS(us), k.id)) == us.v[k.id].kind && v_num(val(VALS(us), k.id)) == us.v[k.id].num; */
    if (us.v[k.id].kind != VALUE_INT) {
        k.code = STEP_STUCK;
        /*@ assert kind: none(\at(EXPRS, Pre), \at(ENV, Pre), i); */
        return k;
    }
    r = find_inst(t, us, a, us.v[k.id].num);
    /*@ assert stuck: r.code == STEP_STUCK ==> none(\at(EXPRS, Pre), \at(ENV, Pre), i); */
    /*@ assert view: same_view{Pre,Here}(t); */
    return r;
}

struct value_step attr_eval_symbol(struct attr_view t, struct values vs, int sp, int i)
{
    struct value_step r = { STEP_STUCK, 0, vs.n, vs.npool };
    int s = t.node[i].op;

    (void)sp;
    /*@ assert root: t_kind(EXPRS, i) == ATTR_SYMBOL && t_op(EXPRS, i) == s; */
    /*@ assert wf: wf_node(t.node, t.kid, i); */
    if (s < t.nsymbol && t.symbol[s]) {
        r.code = STEP_DONE;
        r.id = (int)(t.symbol[s] - 1);
        /*@ assert bound: bound_symbol(ENV, s) && symbol_value(ENV, s) == val(VALS(vs), r.id); */
    }
    return r;
}

#ifdef __FRAMAC__
#include "attr/bind.acsl"
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
static struct value_step eval_next_bound(struct attr_view t, struct values vs, int sp, int i, int w, int k)
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
        r = eval_next_bound(t, us, sp, i, w, k);
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
