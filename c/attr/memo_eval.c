#include "attr/memo_eval.h"

/* The run and the arena. */
/*@ requires room:     room_run(r) && r.nout == 1;
    requires hand:     r.env == at_hand;
    requires state:    run_memo(r, p, of) && keeps_ok(of, p.n);
    requires expr:     0 <= a < p.n && p.nvalue == r.vs->n;
    terminates \true;
    exits    never:    \false;
    assigns  of[0 .. p.n - 1].tried, of[0 .. p.n - 1].marked,
             *r.vs, *r.mem, *r.out, { *p | struct value *p; \true }, { *q | int *q; \true },
             { *u | unsigned *u; \true }, { *w | unsigned long *w; \true }, { *z | struct attr_answer *z; \true };
    ensures  room:     room_run(r);
    ensures  state:    run_memo(r, p, of) && keeps_ok(of, p.n);
    ensures  kept:     same_kept{Pre,Post};
    ensures  more:     \old(r.vs->n) <= r.vs->n;
    ensures  old:      extends(\old(VALS(*r.vs)), VALS(*r.vs), \old(r.vs->n));
    ensures  code:     \result == ATTR_VALUE || \result == ATTR_STUCK || \result == ATTR_FULL;
    ensures  sound:    \result == ATTR_VALUE ==> 0 <= *r.out < r.vs->n &&
                       decided(memo_exprs, memo_env, a, val(VALS(*r.vs), *r.out));
    ensures  complete: \result == ATTR_STUCK ==> none(memo_exprs, memo_env, a);
*/
static enum attr_result run_with(struct run r, struct attr_put p, struct attr_memo_class *of, int a)
{
    struct run_said s = memo_eval(r, p, of, a);

    /*@ ghost Done: ; */
    if (s.code == ATTR_VALUE)
        memo_give(r, p, of, s.id);
    /*@ assert count:  r.vs->n == \at(r.vs->n, Done); */
    /*@ assert last:   extends(\at(VALS(*r.vs), Done), VALS(*r.vs), r.vs->n); */
    /*@ assert value:  s.code == ATTR_VALUE ==> val(VALS(*r.vs), s.id) == val(\at(VALS(*r.vs), Done), s.id); */
    return (enum attr_result)s.code;
}

/* With a memo of all expressions. */
/*@ requires hand:     env == at_hand;
    requires memo:     m->n == t->node.n && memo_can(t, m, env, out);
    requires about:    ENV_OF(t, env) == memo_env;
    requires expr:     0 <= a < m->n;
    terminates \true;
    exits    never:    \false;
    assigns  m->of[0 .. m->n - 1].tried, m->of[0 .. m->n - 1].marked,
             *t->values, *t->values->mem, *out, { *p | struct value *p; \true }, { *q | int *q; \true },
             { *u | unsigned *u; \true }, { *w | unsigned long *w; \true }, { *z | struct attr_answer *z; \true };
    ensures  memo:     m->n == t->node.n && memo_can(t, m, env, out);
    ensures  kept:     same_kept{Pre,Post};
    ensures  result:   \result == ATTR_VALUE || \result == ATTR_STUCK || \result == ATTR_FULL;
    ensures  old:      extends(\old(VALS(*t->values)), VALS(*t->values), \old(t->values->n));
    ensures  sound:    \result == ATTR_VALUE ==> 0 <= *out < t->values->n &&
                       decided(memo_exprs, memo_env, a, val(VALS(*t->values), *out));
    ensures  complete: \result == ATTR_STUCK ==> none(memo_exprs, memo_env, a);
*/
static enum attr_result eval_with(struct attrs *t, const struct attr_env *env, struct attr_memo *m, int a, int *out)
{
    struct run r = attr_run_of(t, m->node, env, out, 1);
    struct attr_put p = memo_arena(m, t, m->node);
    struct attr_memo_class *of = m->of;
    enum attr_result res;

    /*@ assert header: r.vs == t->values && r.t == t && r.env == env && r.view.slot == env->slot && r.symbol == env->symbol; */
    /*@ assert fits:   p.node == r.view.node && p.kid == r.view.kid && p.n == r.view.n && p.nkid == r.view.nkid; */
    /*@ assert valid:  valid_arena(p) && \valid(of + (0 .. p.n - 1)); */
    /*@ assert apart:  \separated(of + (0 .. p.n - 1), p.node + (0 .. p.cap - 1)); */
    /*@ assert args:   \separated(p.node + (0 .. p.n - 1), r.t) && \separated(p.node + (0 .. p.n - 1), r.env); */
    /*@ assert slots:  \separated(p.node + (0 .. p.n - 1), r.view.slot + (0 .. r.view.nslot - 1)); */
    /*@ assert scope:  \separated(p.node + (0 .. p.n - 1), r.symbol + (0 .. r.nbound - 1)); */
    /*@ assert place:  memo_place(r, p, of); */
    /*@ assert kept:   kept_places(p, of); */
    /*@ assert rest:   rest_ok(p); */
    /*@ assert off:    \separated(m, r.vs); */
    /*@ assert state:  run_memo(r, p, of) && keeps_ok(of, p.n); */
    res = run_with(r, p, of, a);
    /*@ assert number: m->n == p.n; */
    /*@ assert cap:    t->kid.cap == p.capkid; */
    /*@ assert arrays: m->node == r.view.node && m->of == of; */
    /*@ assert same:   memo_of(m, t, m->node) == {p \with .nvalue = r.vs->n}; */
    /*@ ghost struct attr_put q = p; */
    /*@ ghost q.nvalue = r.vs->n; */
    /*@ assert now:    q == {p \with .nvalue = r.vs->n}; */
    /*@ assert is:     memo_of(m, t, m->node) == q; */
    /*@ assert lasts:  valid_arena(q); */
    /*@ assert fields: q.node == p.node && q.n == p.n && q.nslot == p.nslot && q.nsymbol == p.nsymbol; */
    /*@ assert rest_p: rest_ok(p); */
    /*@ assert rests:  \forall integer i; rest_at(p, i) ==> rest_at(q, i); */
    /*@ assert rest_q: rest_ok(q); */
    /*@ assert can:    can_run(t, m->node, env, out, 1); */
    /*@ assert views:  r.view.slot == env->slot && r.view.nslot == env->n && r.symbol == env->symbol && r.nbound == env->nsymbol; */
    /*@ assert classes: \valid(m->of + (0 .. m->n - 1)) && \separated(m->of + (0 .. m->n - 1), m->node + (0 .. m->n - 1)); */
    /*@ assert values: \separated(m, t->values); */
    /*@ assert own:    \separated(m->node + (0 .. m->n - 1), t) && \separated(m->node + (0 .. m->n - 1), env); */
    /*@ assert slots_own: \separated(m->node + (0 .. m->n - 1), env->slot + (0 .. env->n - 1)); */
    /*@ assert scope_own: \separated(m->node + (0 .. m->n - 1), env->symbol + (0 .. env->nsymbol - 1)); */
    /*@ assert beside: memo_apart(t, m, env); */
    /*@ assert places: memo_kept(t, m); */
    /*@ assert attrs:  wf_attrs(q.node, q.kid, q.n, q.nkid, q.nvalue); */
    /*@ assert sound_arena: wf_arena(q); */
    /*@ assert arena:  wf_arena(memo_of(m, t, m->node)); */
    /*@ assert right:  memo_right(memo_of(m, t, m->node), of, VALS(*t->values), memo_exprs, memo_env); */
    /*@ assert all:    memo_state(memo_of(m, t, m->node), of, VALS(*t->values), memo_exprs, memo_env); */
    return res;
}

enum attr_result attr_eval_memo(struct attrs *t, const struct attr_env *env, struct attr_memo *m, int a, int *out)
{
    if (m->n != t->node.n)
        return attr_eval(t, env, a, out);
    return a < 0 || a >= m->n ? ATTR_FULL : eval_with(t, env, m, a, out);
}
