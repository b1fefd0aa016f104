#include "attr/memo_try.h"

/* The evaluation, and what the memo is after it. */
/*@ requires room:     room_run(r);
    requires hand:     r.env == at_hand;
    requires state:    run_memo(r, p, of);
    requires expr:     0 <= i < p.n;
    terminates \true;
    exits    never:    \false;
    assigns  *r.vs, *r.mem, { *p | struct value *p; \true }, { *q | int *q; \true },
             { *u | unsigned *u; \true }, { *w | unsigned long *w; \true }, { *z | struct attr_answer *z; \true };
    ensures  room:     room_run(r);
    ensures  state:    run_memo(r, p, of);
    ensures  classes:  same_classes{Pre,Post}(of, p.n);
    ensures  kept:     same_kept{Pre,Post};
    ensures  more:     \old(r.vs->n) <= r.vs->n;
    ensures  old:      extends(\old(VALS(*r.vs)), VALS(*r.vs), \old(r.vs->n));
    ensures  ids:      \result.code != ATTR_FULL ==> ids_run(r);
    ensures  code:     \result.code == ATTR_VALUE || \result.code == ATTR_STUCK || \result.code == ATTR_FULL;
    ensures  found:    \result.code == ATTR_VALUE ==> 0 <= \result.id < r.vs->n &&
                       decided(TREES(p, VALS(*r.vs)), memo_env, i, val(VALS(*r.vs), \result.id));
    ensures  sound:    \result.code == ATTR_VALUE ==>
                       decided(memo_exprs, memo_env, i, val(VALS(*r.vs), \result.id));
    ensures  complete: \result.code == ATTR_STUCK ==> none(memo_exprs, memo_env, i);
*/
static struct run_said memo_value(struct run r, struct attr_put p, struct attr_memo_class *of, int i)
{
    struct run_said s = attr_run_value(r, i);

    (void)p;
    (void)of;
    /*@ ghost memo_laws(p.n); */
    /*@ assert kept:    same_kept{Pre,Here}; */
    /*@ assert firsts:  same_firsts{Pre,Here}(of, p.n); */
    /*@ assert nexts:   same_nexts{Pre,Here}(of, p.n); */
    /*@ assert frees:   same_frees{Pre,Here}(of, p.n); */
    /*@ assert classes: same_classes{Pre,Here}(of, p.n); */
    /*@ assert sizes:   same_sizes{Pre,Here}(p.node, p.n); */
    /*@ assert rest:    rest_ok(p); */
    /*@ assert all:     memo_classes(of, p.n); */
    /*@ assert place:   memo_place(r, p, of) && kept_places(p, of); */
    /*@ assert holds:   memo_holds(r, p, of); */
    /*@ assert ids:     s.code != ATTR_FULL ==> \at(ids_run(r), Pre) && ids_run(r); */
    /*@ assert there:   memo_there(r); */
    /*@ assert trees:   TREES(p, VALS(*r.vs)) == \at(RUN_EXPRS(r, VALS(*r.vs)), Pre); */
    return s;
}

/* The value v of expression i is remembered: the nodes, the values being those of vs. */
/*@ requires arena:    valid_arena(p) && wf_attrs(p.node, p.kid, p.n, p.nkid, p.nvalue);
    requires ids:      0 <= i < p.n && 0 <= v < p.nvalue;
    requires valid:    \valid(of + (0 .. p.n - 1)) && \separated(of + (0 .. p.n - 1), p.node + (0 .. p.cap - 1));
    requires lists:    firsts_ok(of, p.n) && lists_ok(of, p.n);
    requires kept:     kept_off(p.node, p.n);
    requires right:    memo_right(p, of, VALS(vs), memo_exprs, memo_env);
    requires value:    decided(TREES(p, VALS(vs)), memo_env, i, val(VALS(vs), v));
    requires closed:   closed(memo_exprs, i) || closed(memo_exprs, of[i].first);
    terminates \true;
    exits    never:    \false;
    assigns  p.node[0 .. p.n - 1];
    ensures  wf:       wf_attrs(p.node, p.kid, p.n, p.nkid, p.nvalue);
    ensures  turned:   turned{Pre,Post}(p.node, p.n, v);
    ensures  classes:  same_classes{Pre,Post}(of, p.n);
    ensures  kept:     same_kept{Pre,Post};
    ensures  right:    memo_right(p, of, \old(VALS(vs)), memo_exprs, memo_env);
*/
static void learn_kept(struct attr_put p, struct attr_memo_class *of, int i, int v) /*@ ghost (struct values vs) */
{
    memo_learn(p, of, i, v);
    /*@ assert turned: turned{Pre,Here}(p.node, p.n, v); */
    /*@ assert sizes:  same_sizes{Pre,Here}(p.node, p.n); */
    /*@ assert others: \forall int *q; \separated(q, p.node + (0 .. p.n - 1)) ==> *q == \at(*q, Pre); */
    /*@ assert places: \forall int *q; size_place(q, p.node, p.n) ==> *q == \at(*q, Pre); */
}

/* And the values stay. */
/*@ requires arena:    valid_arena(p) && wf_attrs(p.node, p.kid, p.n, p.nkid, p.nvalue);
    requires ids:      0 <= i < p.n && 0 <= v < p.nvalue;
    requires valid:    \valid(of + (0 .. p.n - 1)) && \separated(of + (0 .. p.n - 1), p.node + (0 .. p.cap - 1));
    requires lists:    firsts_ok(of, p.n) && lists_ok(of, p.n);
    requires apart:    \separated(vs.v + (0 .. vs.cap - 1), p.node + (0 .. p.n - 1)) && vs.n <= vs.cap;
    requires beside:   \separated(vs.pool + (0 .. vs.cappool - 1), p.node + (0 .. p.n - 1)) && vs.npool <= vs.cappool;
    requires kept:     kept_off(p.node, p.n);
    requires right:    memo_right(p, of, VALS(vs), memo_exprs, memo_env);
    requires value:    decided(TREES(p, VALS(vs)), memo_env, i, val(VALS(vs), v));
    requires closed:   closed(memo_exprs, i) || closed(memo_exprs, of[i].first);
    terminates \true;
    exits    never:    \false;
    assigns  p.node[0 .. p.n - 1];
    ensures  wf:       wf_attrs(p.node, p.kid, p.n, p.nkid, p.nvalue);
    ensures  turned:   turned{Pre,Post}(p.node, p.n, v);
    ensures  values:   same_values{Pre,Post}(vs.v, vs.pool, vs.n, vs.npool);
    ensures  classes:  same_classes{Pre,Post}(of, p.n);
    ensures  kept:     same_kept{Pre,Post};
    ensures  right:    memo_right(p, of, \old(VALS(vs)), memo_exprs, memo_env);
*/
static void learn(struct attr_put p, struct attr_memo_class *of, int i, int v) /*@ ghost (struct values vs) */
{
    learn_kept(p, of, i, v) /*@ ghost (vs) */;
    /*@ assert kinds:  \forall integer id; 0 <= id < vs.n ==> vs.v[id].kind == \at(vs.v[id].kind, Pre); */
    /*@ assert lens:   \forall integer id; 0 <= id < vs.n ==> vs.v[id].len == \at(vs.v[id].len, Pre); */
    /*@ assert firsts: \forall integer id; 0 <= id < vs.n ==> vs.v[id].first == \at(vs.v[id].first, Pre); */
    /*@ assert depths: \forall integer id; 0 <= id < vs.n ==> vs.v[id].depth == \at(vs.v[id].depth, Pre); */
    /*@ assert sizes:  \forall integer id; 0 <= id < vs.n ==> vs.v[id].size == \at(vs.v[id].size, Pre); */
    /*@ assert nodes:  same_nodes{Pre,Here}(vs.v, vs.n); */
    /*@ assert pool:   same_pool{Pre,Here}(vs.pool, vs.npool); */
}

/* And the run. */
/*@ requires room:     room_run(r);
    requires state:    run_memo(r, p, of);
    requires ids:      0 <= i < p.n && 0 <= v < r.vs->n;
    requires value:    decided(TREES(p, VALS(*r.vs)), memo_env, i, val(VALS(*r.vs), v));
    requires closed:   closed(memo_exprs, i) || closed(memo_exprs, of[i].first);
    terminates \true;
    exits    never:    \false;
    assigns  p.node[0 .. p.n - 1];
    ensures  room:     room_run(r);
    ensures  state:    run_memo(r, p, of);
    ensures  classes:  same_classes{Pre,Post}(of, p.n);
    ensures  kept:     same_kept{Pre,Post};
    ensures  values:   r.vs->n == \old(r.vs->n) && extends(\old(VALS(*r.vs)), VALS(*r.vs), r.vs->n);
*/
static void memo_keep(struct run r, struct attr_put p, struct attr_memo_class *of, int i, int v)
{
    struct attr_put q = p;

    q.nvalue = r.vs->n;
    /*@ assert off:     \separated(r.vs->v + (0 .. r.vs->cap - 1), p.node + (0 .. p.n - 1)); */
    /*@ assert beside:  \separated(r.vs->pool + (0 .. r.vs->cappool - 1), p.node + (0 .. p.n - 1)); */
    /*@ assert header:  \separated(r.vs, p.node + (0 .. p.n - 1)); */
    learn(q, of, i, v) /*@ ghost (*r.vs) */;
    /*@ assert vs:      *r.vs == \at(*r.vs, Pre); */
    /*@ assert arrays:  r.vs->v == \at(r.vs->v, Pre) && r.vs->pool == \at(r.vs->pool, Pre); */
    /*@ assert numbers: r.vs->n == \at(r.vs->n, Pre) && r.vs->npool == \at(r.vs->npool, Pre) &&
                        r.vs->cap == \at(r.vs->cap, Pre) && r.vs->cappool == \at(r.vs->cappool, Pre); */
    /*@ assert arena:   *r.t == \at(*r.t, Pre); */
    /*@ assert env:     *r.env == \at(*r.env, Pre); */
    /*@ assert same:    same_values{Pre,Here}(r.vs->v, r.vs->pool, r.vs->n, r.vs->npool); */
    /*@ assert wf:      wf_values(r.vs->v, r.vs->pool, r.vs->n, r.vs->npool); */
    /*@ assert values:  extends(\at(VALS(*r.vs), Pre), VALS(*r.vs), r.vs->n); */
    /*@ assert run:     is_run(r); */
    /*@ assert slots:   same_ints{Pre,Here}(r.view.slot, r.view.nslot); */
    /*@ assert symbols: same_ints{Pre,Here}(r.symbol, r.nbound); */
    /*@ assert attrs:   wf_attrs(r.view.node, r.view.kid, r.view.n, r.view.nkid, r.vs->n); */
    /*@ assert safe:    apart_kept(r); */
    /*@ assert apart:   apart_out(r) && apart_header(r); */
    /*@ assert places:  apart_nodes(r, r.vs->v, r.vs->cap) && apart_ints(r, r.vs->pool, r.vs->cappool); */
    /*@ assert room:    valid_room(*r.vs) && WF_VALUES(*r.vs); */
    /*@ assert all:     room_run(r); */
    /*@ assert classes: same_classes{Pre,Here}(of, p.n) && memo_classes(of, p.n); */
    /*@ assert rest:    rest_ok(p); */
    /*@ assert wf_p:    wf_attrs(p.node, p.kid, p.n, p.nkid, r.vs->n); */
    /*@ assert more:    extends(\at(VALS(*r.vs), Pre), VALS(*r.vs), r.vs->n); */
    /*@ assert trees:   TREES(p, VALS(*r.vs)) == TREES(p, \at(VALS(*r.vs), Pre)); */
    /*@ assert holds:   memo_holds(r, p, of); */
    /*@ assert ids:     ids_run(r) ==> \at(ids_run(r), Pre); */
    /*@ assert said:    \at(ids_run(r), Pre) ==> SAID(r, VALS(*r.vs)) == \at(SAID(r, VALS(*r.vs)), Pre); */
    /*@ assert there:   memo_there(r); */
    /*@ assert place:   memo_place(r, p, of); */
    /*@ assert kept:    kept_places(p, of); */
}

struct run_said memo_try(struct run r, struct attr_put p, struct attr_memo_class *of, int i, bool keep)
{
    struct run_said s = memo_value(r, p, of, i);

    if (s.code == ATTR_VALUE && keep)
        memo_keep(r, p, of, i, s.id);
    return s;
}
