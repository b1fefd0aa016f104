#include "attr/run.h"

#include "attr/run_core.h"
#include "attr/run_try.h"

/* Are the ids of the environment ids, and is there room for the symbols in scope? */
/*@ requires room:     room_run(r);
    terminates \true;
    exits    never:    \false;
    assigns  *r.vs, *r.mem, { *p | unsigned long *p; \true };
    ensures  result:   \result == 0 || \result == 1;
    ensures  room:     room_run(r);
    ensures  grown:    grown{Pre,Post}(r);
    ensures  ready:    \result == 1 ==> \old(ids_run(r)) && ready_run(r) && symbol_room(r);
    ensures  none:     !\old(ids_run(r)) ==> \result == 0 && !ids_run(r);
*/
static int run_start(struct run r)
{
    return attr_ids_ok(r.view.slot, r.view.nslot, r.vs->n) && attr_ids_ok(r.symbol, r.nbound, r.vs->n) &&
           run_symbol_room(r);
}

struct run attr_run_of(const struct attrs *t, const struct attr_node *node, const struct attr_env *env, int *out, int nout)
{
    struct run r = { .t = t, .env = env, .vs = t->values, .mem = t->values->mem, .symbol = env->symbol,
                     .nbound = env->nsymbol, .nslot = t->slot.n, .out = out, .nout = nout };

    r.view.node = node;
    r.view.kid = t->kid.a;
    r.view.slot = env->slot;
    r.view.n = t->node.n;
    r.view.nkid = t->kid.n;
    r.view.nslot = env->n;
    r.view.nsymbol = t->nsymbol;
    return r;
}

/* Takes over what the core appended. */
/*@ requires room:     room_run(r);
    requires step:     step_of(r, s);
    terminates \true;
    exits    never:    \false;
    assigns  r.vs->n, r.vs->npool;
    ensures  room:     room_run(r);
    ensures  grown:    grown{Pre,Post}(r);
    ensures  id:       0 <= s.id < r.vs->n;
    ensures  value:    val(VALS(*r.vs), s.id) == val(\old(vals_of(r.vs->v, r.vs->pool, s.n, s.npool)), s.id);
*/
static void run_take(struct run r, struct value_step s)
{
    r.vs->n = s.n;
    r.vs->npool = s.npool;
    /*@ assert run:     is_run(r); */
    /*@ assert nodes:   same_nodes{Pre,Here}(r.vs->v, s.n); */
    /*@ assert pool:    same_pool{Pre,Here}(r.vs->pool, s.npool); */
    /*@ assert same:    same_values{Pre,Here}(r.vs->v, r.vs->pool, s.n, s.npool); */
    /*@ assert wf:      wf_values(r.vs->v, r.vs->pool, s.n, s.npool); */
    /*@ assert values:  extends(\at(vals_of(r.vs->v, r.vs->pool, s.n, s.npool), Pre), VALS(*r.vs), s.n); */
    /*@ assert kind:    same_kind{Pre,Here}(r.view.node, r.view.n); */
    /*@ assert op:      same_op{Pre,Here}(r.view.node, r.view.n); */
    /*@ assert a:       same_a{Pre,Here}(r.view.node, r.view.n); */
    /*@ assert b:       same_b{Pre,Here}(r.view.node, r.view.n); */
    /*@ assert depth:   same_depth{Pre,Here}(r.view.node, r.view.n); */
    /*@ assert kids:    same_ints{Pre,Here}(r.view.kid, r.view.nkid); */
    /*@ assert slots:   same_ints{Pre,Here}(r.view.slot, r.view.nslot); */
    /*@ assert symbols: same_ints{Pre,Here}(r.symbol, r.nbound); */
    /*@ assert exprs:   same_exprs{Pre,Here}(r.view.node, r.view.n); */
    /*@ assert kept:    same_kept{Pre,Here}; */
    /*@ assert fewer:   wf_attrs(r.view.node, r.view.kid, r.view.n, r.view.nkid, \at(r.vs->n, Pre)); */
    /*@ assert more:    \at(r.vs->n, Pre) <= s.n && r.vs->n == s.n; */
    /*@ assert attrs:   wf_attrs(r.view.node, r.view.kid, r.view.n, r.view.nkid, s.n); */
    /*@ assert ready:   wf_attrs(r.view.node, r.view.kid, r.view.n, r.view.nkid, r.vs->n); */
    /*@ assert apart:   apart_out(r) && apart_header(r); */
    /*@ assert room:    valid_room(*r.vs) && WF_VALUES(*r.vs); */
}

void attr_run_put(struct run r, int id)
{
    *r.out = id;
    /*@ assert run:     is_run(r); */
    /*@ assert nodes:   same_nodes{Pre,Here}(r.vs->v, r.vs->n); */
    /*@ assert pool:    same_pool{Pre,Here}(r.vs->pool, r.vs->npool); */
    /*@ assert same:    same_values{Pre,Here}(r.vs->v, r.vs->pool, r.vs->n, r.vs->npool); */
    /*@ assert values:  extends(\at(VALS(*r.vs), Pre), VALS(*r.vs), r.vs->n); */
    /*@ assert kind:    same_kind{Pre,Here}(r.view.node, r.view.n); */
    /*@ assert op:      same_op{Pre,Here}(r.view.node, r.view.n); */
    /*@ assert a:       same_a{Pre,Here}(r.view.node, r.view.n); */
    /*@ assert b:       same_b{Pre,Here}(r.view.node, r.view.n); */
    /*@ assert depth:   same_depth{Pre,Here}(r.view.node, r.view.n); */
    /*@ assert kids:    same_ints{Pre,Here}(r.view.kid, r.view.nkid); */
    /*@ assert slots:   same_ints{Pre,Here}(r.view.slot, r.view.nslot); */
    /*@ assert symbols: same_ints{Pre,Here}(r.symbol, r.nbound); */
    /*@ assert exprs:   same_exprs{Pre,Here}(r.view.node, r.view.n); */
    /*@ assert kept:    same_kept{Pre,Here}; */
    /*@ assert ready:   wf_attrs(r.view.node, r.view.kid, r.view.n, r.view.nkid, r.vs->n); */
    /*@ assert arena:   r.vs->v == \at(r.vs->v, Pre) && r.vs->pool == \at(r.vs->pool, Pre) &&
                        r.vs->cap == \at(r.vs->cap, Pre) && r.vs->cappool == \at(r.vs->cappool, Pre); */
    /*@ assert header:  apart_header(r); */
    /*@ assert keeps:   apart_kept(r); */
    /*@ assert apart:   apart_out(r) && apart_header(r); */
    /*@ assert room:    valid_room(*r.vs) && WF_VALUES(*r.vs); */
}

/*@ requires room:     room_run(r);
    requires hand:     r.env == at_hand;
    terminates \true;
    exits    never:    \false;
    assigns  *r.vs, *r.mem, { *p | struct value *p; \true }, { *q | int *q; \true },
             { *u | unsigned *u; \true }, { *w | unsigned long *w; \true }, { *z | struct attr_answer *z; \true };
    ensures  room:     room_run(r);
    ensures  grown:    grown{Pre,Post}(r);
    ensures  none:     !\old(ids_run(r)) ==> \result.code == STEP_LIMIT && !ids_run(r);
    ensures  code:     STEP_DONE <= \result.code <= STEP_ASK;
    ensures  frame:    \result.code == STEP_DONE ==> step_of(r, \result);
    ensures  sound:    \result.code == STEP_DONE ==>
                       decided(\old(RUN_EXPRS(r, VALS(*r.vs))), \old(SAID(r, VALS(*r.vs))), a,
                               val(vals_of(r.vs->v, r.vs->pool, \result.n, \result.npool), \result.id));
    ensures  complete: \result.code == STEP_STUCK ==>
                       none(\old(RUN_EXPRS(r, VALS(*r.vs))), \old(SAID(r, VALS(*r.vs))), a);
*/
static struct value_step run_try(struct run r, int a)
{
    struct value_step s = { .code = STEP_LIMIT };

    if (a < 0 || a >= r.view.n || !run_start(r))
        return s;
    /*@ ghost Started: ; */
    /*@ assert started: grown{Pre,Here}(r); */
    /*@ assert exprs: RUN_EXPRS(r, VALS(*r.vs)) == \at(RUN_EXPRS(r, VALS(*r.vs)), Pre); */
    /*@ assert said:  SAID(r, VALS(*r.vs)) == \at(SAID(r, VALS(*r.vs)), Pre); */
    s = run_eval(r, a);
    /*@ assert grown: grown{Started,Here}(r); */
    /*@ assert all:   grown{Pre,Here}(r); */
    return s;
}

struct run_said attr_run_value(struct run r, int a)
{
    struct run_said said = { ATTR_FULL, -1 };
    struct value_step s = run_try(r, a);

    if (s.code == STEP_STUCK)
        said.code = ATTR_STUCK;
    if (s.code == STEP_DONE) {
        run_take(r, s);
        said.code = ATTR_VALUE;
        said.id = s.id;
    }
    return said;
}

enum attr_result attr_eval(struct attrs *t, const struct attr_env *env, int a, int *out)
{
    struct run r = attr_run_of(t, t->node.a, env, out, 1);
    /*@ assert exprs: RUN_EXPRS(r, VALS(*r.vs)) == \at(EXPRS_OF(t, t->node.a), Pre); */
    /*@ assert said:  SAID(r, VALS(*r.vs)) == \at(ENV_OF(t, env), Pre); */
    struct run_said said = attr_run_value(r, a);

    /*@ assert still: room_run(r) && grown{Pre,Here}(r); */
    if (said.code == ATTR_VALUE)
        attr_run_put(r, said.id);
    return (enum attr_result)said.code;
}

/*@ requires can:      can_run(t, t->node.a, env, \null, 0) && \valid(yes);
    requires hand:     env == at_hand;
    terminates \true;
    exits    never:    \false;
    assigns  *t->values, *t->values->mem, *yes, { *p | struct value *p; \true }, { *q | int *q; \true },
             { *u | unsigned *u; \true }, { *w | unsigned long *w; \true }, { *z | struct attr_answer *z; \true };
    ensures  can:      can_run(t, \old(t->node.a), env, \null, 0);
    ensures  result:   \result == ATTR_VALUE || \result == ATTR_FULL;
    ensures  old:      extends(\old(VALS(*t->values)), VALS(*t->values), \old(t->values->n));
    ensures  exprs:    EXPRS_OF(t, \old(t->node.a)) == \old(EXPRS_OF(t, t->node.a));
    ensures  decides:  \result == ATTR_VALUE ==> 0 <= value < \old(t->values->n) && (*yes == 1 <==>
                       am(\old(EXPRS_OF(t, t->node.a)), \old(ENV_OF(t, env)), a, val(\old(VALS(*t->values)), value)));
*/
enum attr_result attr_match(struct attrs *t, const struct attr_env *env, int a, int value, bool *yes)
{
    struct run r = attr_run_of(t, t->node.a, env, NULL, 0);
    /*@ assert exprs: RUN_EXPRS(r, VALS(*r.vs)) == \at(EXPRS_OF(t, t->node.a), Pre); */
    /*@ assert said:  SAID(r, VALS(*r.vs)) == \at(ENV_OF(t, env), Pre); */
    int c = MATCH_LIMIT;

    if (a >= 0 && a < r.view.n && value >= 0 && value < r.vs->n && run_start(r)) {
        /*@ ghost Started: ; */
        /*@ assert started: grown{Pre,Here}(r); */
        /*@ assert still: RUN_EXPRS(r, VALS(*r.vs)) == \at(EXPRS_OF(t, t->node.a), Pre); */
        /*@ assert there: SAID(r, VALS(*r.vs)) == \at(ENV_OF(t, env), Pre); */
        /*@ assert value: val(VALS(*r.vs), value) == val(\at(VALS(*t->values), Pre), value); */
        c = run_match(r, a, value);
        /*@ assert grown: grown{Started,Here}(r); */
    }
    /*@ assert room: room_run(r) && grown{Pre,Here}(r); */
    if (c != MATCH_YES && c != MATCH_NO)
        return ATTR_FULL;
    *yes = c == MATCH_YES;
    /*@ assert still: room_run(r) && grown{Pre,Here}(r); */
    return ATTR_VALUE;
}
