/* Evaluation with a memo: closed expressions are evaluated once, then replaced by the constant. Invariant: expression and memo have
   the same values. */
#include "attr/memo_eval.h"

struct attr_put memo_source(const struct attrs *t)
{
    return (struct attr_put){ .node = t->node.a, .kid = t->kid.a, .n = t->node.n, .cap = t->node.cap, .nkid = t->kid.n,
                              .capkid = t->kid.cap, .nvalue = t->values->n, .nslot = t->slot.n, .nsymbol = t->nsymbol };
}

struct attr_put memo_arena(const struct attr_memo *m, const struct attrs *t, struct attr_node *node)
{
    return (struct attr_put){ .node = node, .kid = t->kid.a, .n = m->n, .cap = m->n, .nkid = t->kid.n,
                              .capkid = t->kid.cap, .nvalue = t->values->n, .nslot = t->slot.n, .nsymbol = t->nsymbol };
}

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
    ensures  classes:  same_class_links{Pre,Post}(of, p.n);
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
    /*@ assert classes: same_class_links{Pre,Here}(of, p.n); */
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
    ensures  classes:  same_class_links{Pre,Post}(of, p.n);
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
    ensures  classes:  same_class_links{Pre,Post}(of, p.n);
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
    ensures  classes:  same_class_links{Pre,Post}(of, p.n);
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
    /*@ assert classes: same_class_links{Pre,Here}(of, p.n) && memo_classes(of, p.n); */
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

/* Marks what expression a consists of. */
/*@ requires room:     room_run(r);
    requires state:    run_memo(r, p, of) && keeps_ok(of, p.n);
    requires expr:     0 <= a < p.n && p.nvalue == r.vs->n;
    terminates \true;
    exits    never:    \false;
    assigns  of[0 .. p.n - 1].marked;
    ensures  room:     room_run(r);
    ensures  state:    run_memo(r, p, of) && keeps_ok(of, p.n);
    ensures  kept:     same_kept{Pre,Post};
    ensures  marks:    marks_ok(p, of, a);
    ensures  values:   r.vs->n == \old(r.vs->n) && extends(\old(VALS(*r.vs)), VALS(*r.vs), r.vs->n);
*/
static void mark(struct run r, struct attr_put p, struct attr_memo_class *of, int a)
{
    (void)r;
    /*@ assert attrs:  wf_attrs(p.node, p.kid, p.n, p.nkid, p.nvalue); */
    /*@ assert arena:  wf_arena(p) && valid_arena(p); */
    memo_mark_only(p, of, a);
    /*@ assert keeps:  same_keeps{Pre,Here}(of, p.n); */
    /*@ assert frees:  same_frees{Pre,Here}(of, p.n); */
}

/* What expression i is, is remembered if it is worth it. */
/*@ requires room:     room_run(r);
    requires hand:     r.env == at_hand;
    requires state:    run_memo(r, p, of) && keeps_ok(of, p.n);
    requires expr:     0 <= i < p.n;
    terminates \true;
    exits    never:    \false;
    assigns  of[0 .. p.n - 1].tried,
             *r.vs, *r.mem, { *p | struct value *p; \true }, { *q | int *q; \true },
             { *u | unsigned *u; \true }, { *w | unsigned long *w; \true }, { *z | struct attr_answer *z; \true };
    ensures  room:     room_run(r);
    ensures  state:    run_memo(r, p, of) && keeps_ok(of, p.n);
    ensures  kept:     same_kept{Pre,Post};
    ensures  more:     \old(r.vs->n) <= r.vs->n;
    ensures  old:      extends(\old(VALS(*r.vs)), VALS(*r.vs), \old(r.vs->n));
*/
static void memo_step(struct run r, struct attr_put p, struct attr_memo_class *of, int i)
{
    bool due = memo_due(of, p.n, i);
    /*@ ghost Due: ; */

    /*@ assert firsts: first_ok(of, i); */
    /*@ assert keeps:  keeps_ok(of, p.n); */
    /*@ assert first:  0 <= of[i].first < p.n; */
    /*@ assert class:  due == 1 ==> of[of[i].first].keep == 1; */
    /*@ assert right:  memo_classes(of, p.n); */
    /*@ assert closed: due == 1 ==> closed(memo_exprs, of[i].first); */
    /*@ assert state:  run_memo(r, p, of) && room_run(r); */
    if (due)
        (void)memo_try(r, p, of, i, true);
    /*@ assert same:   same_keeps{Due,Here}(of, p.n) && same_class_links{Due,Here}(of, p.n); */
}

/* What is stuck, or too large, is left to the evaluation of the whole: perhaps it is not needed. */
struct run_said memo_eval(struct run r, struct attr_put p, struct attr_memo_class *of, int a)
{
    struct run_said s;

    mark(r, p, of, a);
    /*@ loop invariant range:  0 <= i <= a + 1;
        loop invariant room:   room_run(r);
        loop invariant state:  run_memo(r, p, of);
        loop invariant keeps:  keeps_ok(of, p.n);
        loop invariant kept:   same_kept{Pre,Here};
        loop invariant more:   \at(r.vs->n, Pre) <= r.vs->n;
        loop invariant values: extends(\at(VALS(*r.vs), Pre), VALS(*r.vs), \at(r.vs->n, Pre));
        loop assigns i, of[0 .. p.n - 1].tried,
                     *r.vs, *r.mem, { *p | struct value *p; \true }, { *q | int *q; \true },
                     { *u | unsigned *u; \true }, { *w | unsigned long *w; \true }, { *z | struct attr_answer *z; \true };
        loop variant a - i;
    */
    for (int i = 0; i <= a; i++)
        memo_step(r, p, of, i);
    /*@ ghost Last: ; */
    /*@ assert place:  memo_place(r, p, of); */
    /*@ assert right:  memo_classes(of, p.n); */
    /*@ assert valid:  \valid(of + a); */
    /*@ assert closed: of[a].free == 0 ==> closed(memo_exprs, a); */
    s = memo_try(r, p, of, a, of[a].free == 0);
    /*@ assert same:   same_keeps{Last,Here}(of, p.n) && same_class_links{Last,Here}(of, p.n); */
    return s;
}

void memo_give(struct run r, struct attr_put p, struct attr_memo_class *of, int id)
{
    (void)p;
    (void)of;
    attr_run_put(r, id);
    /*@ assert kept:    same_kept{Pre,Here}; */
    /*@ assert firsts:  same_firsts{Pre,Here}(of, p.n); */
    /*@ assert nexts:   same_nexts{Pre,Here}(of, p.n); */
    /*@ assert frees:   same_frees{Pre,Here}(of, p.n); */
    /*@ assert classes: same_class_links{Pre,Here}(of, p.n); */
    /*@ assert sizes:   same_sizes{Pre,Here}(p.node, p.n); */
    /*@ assert rest:    rest_ok(p); */
    /*@ assert all:     memo_classes(of, p.n); */
    /*@ assert place:   memo_place(r, p, of) && kept_places(p, of); */
    /*@ assert holds:   memo_holds(r, p, of); */
    /*@ assert ids:     ids_run(r) ==> \at(ids_run(r), Pre); */
    /*@ assert there:   memo_there(r); */
    /*@ assert keeps:   keeps_ok(of, p.n); */
}

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
