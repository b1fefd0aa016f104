#include "attr/eval_ask.h"

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
