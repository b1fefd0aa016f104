#include "attr/run_try.h"

#include <limits.h>

#include "attr/run_core.h"
#include "attr/run_more.h"

/* The arrays the core works on. */
/*@ requires held:     held(r, x) && known(r, x);
    requires hand:     r.env == at_hand;
    terminates \true;
    exits    never:    \false;
    assigns  r.vs->symbol[0 .. r.view.nsymbol - 1];
    ensures  view:     is_view_of(\result, r, x);
    ensures  ready:    ready(\result, *r.vs, r.vs->n, r.vs->npool);
    ensures  env:      env_of(\result, VALS(*r.vs)) == SAID(r, VALS(*r.vs));
    ensures  held:     held(r, x) && known(r, x);
    ensures  same:     same_answers{Pre,Post}(x.a, x.n) && grown{Pre,Post}(r);
*/
static struct attr_view run_view(struct run r, struct run_answers x)
{
    struct attr_view w = r.view;

    w.symbol = r.vs->symbol;
    w.answer = x.a;
    w.nanswer = x.n;
    attr_put_symbols(w.symbol, w.nsymbol, r.symbol, r.nbound, r.vs->n);
    /*@ assert slots:   \forall integer j; 0 <= j < x.n ==> x.a[j].slot == \at(x.a[j].slot, Pre); */
    /*@ assert keys:    \forall integer j; 0 <= j < x.n ==> x.a[j].k == \at(x.a[j].k, Pre); */
    /*@ assert ids:     \forall integer j; 0 <= j < x.n ==> x.a[j].id == \at(x.a[j].id, Pre); */
    /*@ assert answers: same_answers{Pre,Here}(x.a, x.n); */
    /*@ assert kept:    same_kept{Pre,Here}; */
    /*@ assert grown:   grown{Pre,Here}(r); */
    /*@ assert known:   known(r, x); */
    /*@ assert put:     symbols_put(w.symbol, w.nsymbol, r.symbol, r.nbound); */
    /*@ assert agree:   agreeing(x.a, x.n); */
    /*@ assert wf:      wf_env(w, r.vs->n); */
    return w;
}

/* The core leaves what is kept. */
/*@ requires apart:    core_apart(t, vs);
    EVAL_REQUIRES
    terminates \true;
    exits    never:    \false;
    EVAL_ASSIGNS
    EVAL_KEEPS
    EVAL_DECIDES
    ensures  kept:     same_kept{Pre,Post};
*/
static struct value_step core_eval(struct attr_view t, struct values vs, int sp, int i)
{
    return attr_eval_core(t, vs, sp, i);
}

/* One try. */
/*@ requires held:     held(r, x) && known(r, x);
    requires hand:     r.env == at_hand;
    requires expr:     0 <= a < r.view.n;
    terminates \true;
    exits    never:    \false;
    assigns  r.vs->v[0 .. r.vs->cap - 1], r.vs->pool[0 .. r.vs->cappool - 1], r.vs->stack[0 .. r.vs->capstack - 1],
             r.vs->symbol[0 .. r.view.nsymbol + 1];
    ensures  held:     held(r, x) && known(r, x);
    ensures  same:     same_answers{Pre,Post}(x.a, x.n) && grown{Pre,Post}(r);
    ensures  code:     STEP_DONE <= \result.code <= STEP_ASK;
    ensures  frame:    \result.code == STEP_DONE ==> step_of(r, \result);
    ensures  sound:    \result.code == STEP_DONE ==>
                       decided(\old(RUN_EXPRS(r, VALS(*r.vs))), \old(SAID(r, VALS(*r.vs))), a,
                               val(vals_of(r.vs->v, r.vs->pool, \result.n, \result.npool), \result.id));
    ensures  complete: \result.code == STEP_STUCK ==>
                       none(\old(RUN_EXPRS(r, VALS(*r.vs))), \old(SAID(r, VALS(*r.vs))), a);
*/
static struct value_step run_eval_once(struct run r, struct run_answers x, int a)
{
    struct attr_view w = run_view(r, x);
    struct values s = *r.vs;
    struct value_step c;

    /*@ ghost Before: ; */
    /*@ assert header: is_header(s, r.vs); */
    /*@ assert ready:  ready(w, s, s.n, s.npool); */
    /*@ assert away:   core_apart(w, s); */
    c = core_eval(w, s, 0, a);
    /*@ assert vs:      *r.vs == \at(*r.vs, Before); */
    /*@ assert arrays:  s.v == r.vs->v && s.pool == r.vs->pool && s.stack == r.vs->stack; */
    /*@ assert count:   s.n == r.vs->n; */
    /*@ assert elems:   s.npool == r.vs->npool; */
    /*@ assert here:    is_header(s, r.vs); */
    /*@ assert values:  same_values{Before,Here}(s.v, s.pool, s.n, s.npool) && WF_VALUES(s); */
    /*@ assert extends: extends(\at(VALS(s), Before), VALS(s), s.n); */
    /*@ assert answers: same_answers{Before,Here}(x.a, x.n); */
    /*@ assert exprs:   same_exprs{Before,Here}(r.view.node, r.view.n) && same_ints{Before,Here}(r.view.kid, r.view.nkid); */
    /*@ assert slots:   same_ints{Before,Here}(r.view.slot, r.view.nslot); */
    /*@ assert symbols: same_ints{Before,Here}(r.symbol, r.nbound); */
    /*@ assert kept:    same_kept{Before,Here}; */
    /*@ assert grown:   grown{Before,Here}(r); */
    /*@ assert known:   known(r, x); */
    /*@ assert slot:    ids_ok(r.view.slot, r.view.nslot, s.n); */
    /*@ assert symbol:  ids_ok(r.symbol, r.nbound, s.n); */
    /*@ assert ids:     ids_run(r); */
    /*@ assert attrs:   wf_attrs(r.view.node, r.view.kid, r.view.n, r.view.nkid, s.n); */
    /*@ assert values_apart: apart_nodes(r, r.vs->v, r.vs->cap); */
    /*@ assert ints_apart: apart_ints(r, r.vs->pool, r.vs->cappool); */
    /*@ assert arena:   r.view.n == r.t->node.n; */
    /*@ assert pool:    r.view.nkid == r.t->kid.n; */
    /*@ assert scope:   r.view.nsymbol == r.t->nsymbol; */
    /*@ assert slots_n: r.nslot == r.t->slot.n; */
    /*@ assert bound_n: r.view.nslot == r.env->n; */
    /*@ assert symb_n:  r.nbound == r.env->nsymbol; */
    /*@ assert run:     is_run(r); */
    /*@ assert safe:    apart_kept(r); */
    /*@ assert out:     \valid(r.out + (0 .. r.nout - 1)) && apart_ints(r, r.out, r.nout); */
    /*@ assert outside: apart_out(r) && apart_header(r); */
    /*@ assert apart:   valid_room(*r.vs) && WF_VALUES(*r.vs); */
    /*@ assert arrays_apart: apart_nodes(r, r.vs->v, r.vs->cap) && apart_ints(r, r.vs->pool, r.vs->cappool); */
    /*@ assert all_attrs: wf_attrs(r.view.node, r.view.kid, r.view.n, r.view.nkid, r.vs->n); */
    /*@ assert was:     \at(room_run(r), Before); */
    /*@ assert numbers: 0 <= r.vs->n <= r.vs->cap && 0 <= r.vs->npool <= r.vs->cappool; */
    /*@ assert limits:  0 <= r.view.n && 0 <= r.view.nkid && 0 <= r.nslot && 0 <= r.view.nsymbol <= ATTR_SYMBOL_MAX; */
    /*@ assert valid:   \valid(r.vs) && \valid(r.mem); */
    /*@ assert reads:   \valid_read(r.view.node + (0 .. r.view.n - 1)) && \valid_read(r.view.kid + (0 .. r.view.nkid - 1)) &&
                        \valid_read(r.view.slot + (0 .. r.view.nslot - 1)) && \valid_read(r.symbol + (0 .. r.nbound - 1)); */
    /*@ assert room:    room_run(r); */
    /*@ assert places:  symbol_room(r) && answers_room(r, x); */
    /*@ assert done:    c.code == STEP_DONE ==> stepped{Before,Here}(s, c); */
    /*@ assert still:   c.code == STEP_DONE ==> extends(VALS(s), vals_of(s.v, s.pool, c.n, c.npool), s.n); */
    /*@ assert frame:   c.code == STEP_DONE ==> step_of(r, c); */
    return c;
}

struct value_step run_eval(struct run r, int a)
{
    struct run_answers x = run_no_answers(r);
    struct value_step s;

    /*@ loop invariant held:   held(r, x) && known(r, x) && sorted(x.a, x.n);
        loop invariant grown:  grown{Pre,Here}(r);
        loop assigns x, s, *r.vs, *r.mem, { *p | struct value *p; \true }, { *q | int *q; \true },
                     { *u | unsigned *u; \true }, { *w | unsigned long *w; \true }, { *z | struct attr_answer *z; \true };
        loop variant INT_MAX - x.n + INT_MAX - r.vs->cap;
    */
    for (;;) {
        /*@ assert exprs: RUN_EXPRS(r, VALS(*r.vs)) == \at(RUN_EXPRS(r, VALS(*r.vs)), Pre); */
        /*@ assert said:  SAID(r, VALS(*r.vs)) == \at(SAID(r, VALS(*r.vs)), Pre); */
        s = run_eval_once(r, x, a);
        /*@ assert grown: grown{Pre,Here}(r); */
        if (s.code != STEP_ASK && s.code != STEP_ROOM)
            break;
        x = run_more(r, x, s.code == STEP_ASK);
        if (!x.ok)
            break;
    }
    run_free(x);
    return s;
}

/*@ requires apart:    core_apart(t, vs);
    MATCH_REQUIRES
    terminates \true;
    exits    never:    \false;
    MATCH_ASSIGNS
    MATCH_KEEPS
    ensures  sound:    \result == MATCH_YES ==> am(\old(EXPRS), \old(ENV), i, val(\old(VALS(vs)), x));
    ensures  complete: \result == MATCH_NO ==> !am(\old(EXPRS), \old(ENV), i, val(\old(VALS(vs)), x));
    ensures  kept:     same_kept{Pre,Post};
*/
static int core_match(struct attr_view t, struct values vs, int i, int x)
{
    return attr_match_core(t, vs, i, x);
}

/* One try. */
/*@ requires held:     held(r, x) && known(r, x);
    requires hand:     r.env == at_hand;
    requires expr:     0 <= a < r.view.n && 0 <= value < r.vs->n;
    terminates \true;
    exits    never:    \false;
    assigns  r.vs->v[0 .. r.vs->cap - 1], r.vs->pool[0 .. r.vs->cappool - 1], r.vs->stack[0 .. r.vs->capstack - 1],
             r.vs->symbol[0 .. r.view.nsymbol + 1];
    ensures  held:     held(r, x) && known(r, x);
    ensures  same:     same_answers{Pre,Post}(x.a, x.n) && grown{Pre,Post}(r);
    ensures  code:     MATCH_NO <= \result <= MATCH_ASK;
    ensures  sound:    \result == MATCH_YES ==>
                       am(\old(RUN_EXPRS(r, VALS(*r.vs))), \old(SAID(r, VALS(*r.vs))), a, val(\old(VALS(*r.vs)), value));
    ensures  complete: \result == MATCH_NO ==>
                       !am(\old(RUN_EXPRS(r, VALS(*r.vs))), \old(SAID(r, VALS(*r.vs))), a, val(\old(VALS(*r.vs)), value));
*/
static int run_match_once(struct run r, struct run_answers x, int a, int value)
{
    struct attr_view w = run_view(r, x);
    struct values s = *r.vs;
    int c;

    /*@ ghost Before: ; */
    /*@ assert header: is_header(s, r.vs); */
    /*@ assert ready:  ready(w, s, s.n, s.npool); */
    /*@ assert away:   core_apart(w, s); */
    c = core_match(w, s, a, value);
    /*@ assert vs:      *r.vs == \at(*r.vs, Before); */
    /*@ assert arrays:  s.v == r.vs->v && s.pool == r.vs->pool && s.stack == r.vs->stack; */
    /*@ assert count:   s.n == r.vs->n; */
    /*@ assert elems:   s.npool == r.vs->npool; */
    /*@ assert here:    is_header(s, r.vs); */
    /*@ assert values:  same_values{Before,Here}(s.v, s.pool, s.n, s.npool) && WF_VALUES(s); */
    /*@ assert extends: extends(\at(VALS(s), Before), VALS(s), s.n); */
    /*@ assert answers: same_answers{Before,Here}(x.a, x.n); */
    /*@ assert exprs:   same_exprs{Before,Here}(r.view.node, r.view.n) && same_ints{Before,Here}(r.view.kid, r.view.nkid); */
    /*@ assert slots:   same_ints{Before,Here}(r.view.slot, r.view.nslot); */
    /*@ assert symbols: same_ints{Before,Here}(r.symbol, r.nbound); */
    /*@ assert kept:    same_kept{Before,Here}; */
    /*@ assert grown:   grown{Before,Here}(r); */
    /*@ assert known:   known(r, x); */
    /*@ assert slot:    ids_ok(r.view.slot, r.view.nslot, s.n); */
    /*@ assert symbol:  ids_ok(r.symbol, r.nbound, s.n); */
    /*@ assert ids:     ids_run(r); */
    /*@ assert attrs:   wf_attrs(r.view.node, r.view.kid, r.view.n, r.view.nkid, s.n); */
    /*@ assert values_apart: apart_nodes(r, r.vs->v, r.vs->cap); */
    /*@ assert ints_apart: apart_ints(r, r.vs->pool, r.vs->cappool); */
    /*@ assert arena:   r.view.n == r.t->node.n; */
    /*@ assert pool:    r.view.nkid == r.t->kid.n; */
    /*@ assert scope:   r.view.nsymbol == r.t->nsymbol; */
    /*@ assert slots_n: r.nslot == r.t->slot.n; */
    /*@ assert bound_n: r.view.nslot == r.env->n; */
    /*@ assert was_n:   \at(r.env->nsymbol, Before) == r.nbound; */
    /*@ assert still_n: r.env->nsymbol == \at(r.env->nsymbol, Before); */
    /*@ assert symb_n:  r.nbound == r.env->nsymbol; */
    /*@ assert run:     is_run(r); */
    /*@ assert safe:    apart_kept(r); */
    /*@ assert out:     \valid(r.out + (0 .. r.nout - 1)) && apart_ints(r, r.out, r.nout); */
    /*@ assert outside: apart_out(r) && apart_header(r); */
    /*@ assert apart:   valid_room(*r.vs) && WF_VALUES(*r.vs); */
    /*@ assert arrays_apart: apart_nodes(r, r.vs->v, r.vs->cap) && apart_ints(r, r.vs->pool, r.vs->cappool); */
    /*@ assert all_attrs: wf_attrs(r.view.node, r.view.kid, r.view.n, r.view.nkid, r.vs->n); */
    /*@ assert was:     \at(room_run(r), Before); */
    /*@ assert numbers: 0 <= r.vs->n <= r.vs->cap && 0 <= r.vs->npool <= r.vs->cappool; */
    /*@ assert limits:  0 <= r.view.n && 0 <= r.view.nkid && 0 <= r.nslot && 0 <= r.view.nsymbol <= ATTR_SYMBOL_MAX; */
    /*@ assert valid:   \valid(r.vs) && \valid(r.mem); */
    /*@ assert reads:   \valid_read(r.view.node + (0 .. r.view.n - 1)) && \valid_read(r.view.kid + (0 .. r.view.nkid - 1)) &&
                        \valid_read(r.view.slot + (0 .. r.view.nslot - 1)) && \valid_read(r.symbol + (0 .. r.nbound - 1)); */
    /*@ assert room:    room_run(r); */
    /*@ assert places:  symbol_room(r) && answers_room(r, x); */
    return c;
}

int run_match(struct run r, int a, int value)
{
    struct run_answers x = run_no_answers(r);
    int c;

    /*@ loop invariant held:   held(r, x) && known(r, x) && sorted(x.a, x.n);
        loop invariant grown:  grown{Pre,Here}(r);
        loop assigns x, c, *r.vs, *r.mem, { *p | struct value *p; \true }, { *q | int *q; \true },
                     { *u | unsigned *u; \true }, { *w | unsigned long *w; \true }, { *z | struct attr_answer *z; \true };
        loop variant INT_MAX - x.n + INT_MAX - r.vs->cap;
    */
    for (;;) {
        /*@ assert exprs: RUN_EXPRS(r, VALS(*r.vs)) == \at(RUN_EXPRS(r, VALS(*r.vs)), Pre); */
        /*@ assert said:  SAID(r, VALS(*r.vs)) == \at(SAID(r, VALS(*r.vs)), Pre); */
        /*@ assert value: val(VALS(*r.vs), value) == val(\at(VALS(*r.vs), Pre), value); */
        c = run_match_once(r, x, a, value);
        /*@ assert grown: grown{Pre,Here}(r); */
        if (c != MATCH_ASK && c != MATCH_ROOM)
            break;
        x = run_more(r, x, c == MATCH_ASK);
        if (!x.ok)
            break;
    }
    run_free(x);
    return c;
}
