#include "attr/memo_learn.h"
#include "attr/run.h"

#ifdef __FRAMAC__
#include "attr/memo_eval.acsl"
#endif

/* Is i one of the marked expressions, and worth remembering? Each class is tried once. */
/*@ requires valid:    0 <= i < n && \valid(of + (0 .. n - 1)) && firsts_ok(of, n);
    terminates \true;
    exits    never:    \false;
    assigns  of[0 .. n - 1].tried;
    ensures  result:   \result == 0 || \result == 1;
    ensures  due:      \result == 1 <==> of[i].marked && of[of[i].first].keep && !\old(of[of[i].first].tried);
    ensures  tried:    \result == 1 ==> of[of[i].first].tried;
    ensures  classes:  same_classes{Pre,Post}(of, n);
*/
static bool memo_due(struct attr_memo_class *of, int n, int i)
{
    /*@ assert first: first_ok(of, i); */
    struct attr_memo_class *c = &of[of[i].first];

    (void)n;
    if (!of[i].marked || !c->keep || c->tried)
        return false;
    c->tried = true;
    return true;
}

/* Remembers that expression i is v, as memo_learn. */
/*@ requires memo:     memo_run(r, p, of);
    requires ids:      0 <= i < p.n && 0 <= v < p.nvalue;
    requires value:    \forall env g; memo_env(r, g) ==> decided(TREES(p, RUN_VALS(r)), g, i, val(RUN_VALS(r), v));
    requires closed:   of[i].free == 0 || of[of[i].first].free == 0;
    terminates \true;
    exits    never:    \false;
    assigns  p.node[0 .. p.n - 1];
    ensures  memo:     memo_run(r, p, of);
    ensures  on:       went_on{Pre,Post}(r, p, p, of);
*/
static void memo_enter(struct run r, struct attr_put p, struct attr_memo_class *of, int i, int v)
{
    (void)r;
    /*@ assert first:   first_ok(of, i); */
    memo_learn(p, of, i, v);
    /*@ assert count:   r.t->node.n == \at(r.t->node.n, Pre); */
    /*@ assert kid:     r.t->kid.n == \at(r.t->kid.n, Pre); */
    /*@ assert slot:    r.t->slot.n == \at(r.t->slot.n, Pre); */
    /*@ assert symbol:  r.t->nsymbol == \at(r.t->nsymbol, Pre); */
    /*@ assert size:    r.env->n == \at(r.env->n, Pre); */
    /*@ assert scope:   r.env->nsymbol == \at(r.env->nsymbol, Pre); */
    /*@ assert run:     is_run(r); */
    /*@ assert vs:      *r.vs == \at(*r.vs, Pre); */
    /*@ assert kinds:   same_kinds{Pre,Here}(r.vs->v, r.vs->n); */
    /*@ assert lens:    same_lens{Pre,Here}(r.vs->v, r.vs->n); */
    /*@ assert starts:  same_starts{Pre,Here}(r.vs->v, r.vs->n); */
    /*@ assert depths:  same_depths{Pre,Here}(r.vs->v, r.vs->n); */
    /*@ assert sizes:   same_size{Pre,Here}(r.vs->v, r.vs->n); */
    /*@ assert nodes:   same_nodes{Pre,Here}(r.vs->v, r.vs->n); */
    /*@ assert pool:    same_pool{Pre,Here}(r.vs->pool, r.vs->npool); */
    /*@ assert same:    same_values{Pre,Here}(r.vs->v, r.vs->pool, r.vs->n, r.vs->npool); */
    /*@ assert header:  valid_room(*r.vs) && WF_VALUES(*r.vs); */
    /*@ assert before:  wf_values{Pre}(r.vs->v, r.vs->pool, r.vs->n, r.vs->npool) &&
                        wf_values(r.vs->v, r.vs->pool, r.vs->n, r.vs->npool); */
    /*@ assert each:    \forall integer k; 0 <= k < r.vs->n ==> val(RUN_VALS(r), k) == val(\at(RUN_VALS(r), Pre), k); */
    /*@ assert values:  extends(\at(RUN_VALS(r), Pre), RUN_VALS(r), r.vs->n); */
    /*@ assert slots:   same_ints{Pre,Here}(r.view.slot, r.view.nslot); */
    /*@ assert symbols: same_ints{Pre,Here}(r.symbol, r.nbound); */
    /*@ assert env:     same_env_run{Pre,Here}(r); */
    /*@ assert kids:    same_ints{Pre,Here}(p.kid, p.nkid); */
    /*@ assert turned:  turned{Pre,Here}(p.node, p.n, v); */
    /*@ assert arena:   wf_arena(p) && wf_attrs(p.node, p.kid, p.n, p.nkid, p.nvalue); */
    /*@ assert keeps:   same_keeps{Pre,Here}(of, p.n) && same_frees{Pre,Here}(of, p.n); */
    /*@ assert classes: same_classes{Pre,Here}(of, p.n); */
    /*@ assert fits:    memo_fits(p, of); */
    /*@ assert attrs:   wf_attrs(r.view.node, r.view.kid, r.view.n, r.view.nkid, r.vs->n); */
    /*@ assert apart:   apart_nodes(r, r.vs->v, r.vs->cap) && apart_ints(r, r.vs->pool, r.vs->cappool); */
    /*@ assert header_apart: apart_header(r); */
    /*@ assert kept:    apart_kept(r); */
    /*@ assert out:     \valid(r.out + (0 .. r.nout - 1)) && apart_ints(r, r.out, r.nout); */
    /*@ assert outside: apart_out(r); */
    /*@ assert room:    room_run(r); */
    /*@ assert memo:    memo_run(r, p, of); */
    /*@ assert beside:  kept_beside{Pre,Here}(p.node, p.n); */
    /*@ assert frees:   \forall attrs o; frees_ok{Pre}(of, p.n, o) ==> frees_ok(of, p.n, o); */
    /*@ assert closed:  \forall attrs o; frees_ok{Pre}(of, p.n, o) ==> closed(o, i) || closed(o, \at(of[i].first, Pre)); */
    /*@ assert right:   \forall attrs o, env g; memo_env{Pre}(r, g) ==> memo_says{Pre}(p, of, \at(RUN_VALS(r), Pre), o, g) ==>
                        memo_right(p, of, \at(RUN_VALS(r), Pre), o, g); */
    /*@ assert says:    \forall attrs o, env g; memo_env{Pre}(r, g) ==> memo_says{Pre}(p, of, \at(RUN_VALS(r), Pre), o, g) ==>
                        memo_says(p, of, \at(RUN_VALS(r), Pre), o, g); */
    /*@ assert still:   still_says{Pre,Here}(r, p, p, of); */
}

/* Evaluates expression i, and remembers its value. */
/*@ requires memo:     memo_run(r, p, of) && 0 <= i < p.n;
    requires closed:   of[i].free == 0 || of[of[i].first].free == 0;
    terminates \true;
    exits    never:    \false;
    assigns  *r.vs, *r.mem, { *v | struct value *v; \true }, { *q | int *q; \true },
             { *u | unsigned *u; \true }, { *w | unsigned long *w; \true }, { *z | struct attr_answer *z; \true };
    ensures  memo:     memo_run(r, \result, of);
    ensures  on:       went_on{Pre,Post}(r, p, \result, of);
*/
static struct attr_put memo_try(struct run r, struct attr_put p, struct attr_memo_class *of, int i)
{
    struct run_said s = attr_run_value(r, i);

    p.nvalue = r.vs->n;
    /*@ assert keeps: same_keeps{Pre,Here}(of, p.n); */
    /*@ assert later: later(\at(p, Pre), p); */
    /*@ assert on:    went_on{Pre,Here}(r, \at(p, Pre), p, of); */
    /*@ assert fits:  memo_fits(p, of); */
    /*@ assert arena: is_arena(p, r); */
    /*@ assert room:  memo_room(p, of); */
    /*@ assert apart: memo_apart(r, p); */
    /*@ assert memo:  memo_run(r, p, of); */
    /*@ assert same:  s.code == ATTR_VALUE ==> RUN_EXPRS(r, RUN_VALS(r)) == \at(RUN_EXPRS(r, RUN_VALS(r)), Pre) &&
                      SAID(r, RUN_VALS(r)) == \at(SAID(r, RUN_VALS(r)), Pre) && ids_run(r); */
    /*@ assert value: s.code == ATTR_VALUE ==> \forall env g; memo_env(r, g) ==>
                      decided(TREES(p, RUN_VALS(r)), g, i, val(RUN_VALS(r), s.id)); */
    /*@ ghost Ran: ; */
    /*@ assert none_yet: went_on{Ran,Here}(r, p, p, of); */
    if (s.code == ATTR_VALUE) {
        memo_enter(r, p, of, i, s.id);
        /*@ assert entered: went_on{Ran,Here}(r, p, p, of); */
    }
    /*@ assert since: went_on{Ran,Here}(r, p, p, of); */
    return p;
}

/* Evaluates what is worth remembering of the marked expressions up to a. Smaller expressions come first, so that each is
   evaluated with what it consists of remembered. What is stuck, or too large, is left to the evaluation of the whole: perhaps
   it is not needed. */
/*@ requires memo:     memo_run(r, p, of) && 0 <= a < p.n;
    terminates \true;
    exits    never:    \false;
    assigns  of[0 .. p.n - 1].tried, *r.vs, *r.mem, { *v | struct value *v; \true }, { *q | int *q; \true },
             { *u | unsigned *u; \true }, { *w | unsigned long *w; \true }, { *z | struct attr_answer *z; \true };
    ensures  memo:     memo_run(r, \result, of);
    ensures  on:       went_on{Pre,Post}(r, p, \result, of);
*/
static struct attr_put memo_prepare(struct run r, struct attr_put p, struct attr_memo_class *of, int a)
{
    /*@ loop invariant range: 0 <= i <= a + 1;
        loop invariant memo:  memo_run(r, p, of);
        loop invariant on:    went_on{Pre,Here}(r, \at(p, Pre), p, of);
        loop assigns i, p, of[0 .. p.n - 1].tried, *r.vs, *r.mem, { *v | struct value *v; \true }, { *q | int *q; \true },
                     { *u | unsigned *u; \true }, { *w | unsigned long *w; \true }, { *z | struct attr_answer *z; \true };
        loop variant a - i;
    */
    for (int i = 0; i <= a; i++) {
        /*@ ghost Head: ; */
        bool due = memo_due(of, p.n, i);

        /*@ ghost Due: ; */
        /*@ assert fits:  memo_fits(p, of) && firsts_ok(of, p.n); */
        /*@ assert there: memo_run(r, p, of); */
        /*@ assert none:  went_on{Head,Here}(r, p, p, of); */
        /*@ assert so:    went_on{Pre,Here}(r, \at(p, Pre), p, of); */
        if (due) {
            /*@ assert first: first_ok(of, i) && keep_ok(of, of[i].first); */
            p = memo_try(r, p, of, i);
            /*@ assert one:   went_on{Due,Here}(r, \at(p, Due), p, of); */
        }
    }
    return p;
}

/* The value of expression a of o, which p stands for; it is remembered when no symbol is free in a. */
/*@ requires memo:     memo_run(r, p, of) && 0 <= a < p.n;
    terminates \true;
    exits    never:    \false;
    assigns  *r.vs, *r.mem, { *v | struct value *v; \true }, { *q | int *q; \true },
             { *u | unsigned *u; \true }, { *w | unsigned long *w; \true }, { *z | struct attr_answer *z; \true };
    ensures  code:     \result.code == ATTR_VALUE || \result.code == ATTR_STUCK || \result.code == ATTR_FULL;
    ensures  id:       \result.code == ATTR_VALUE ==> 0 <= \result.id < r.vs->n;
    ensures  more:     \old(r.vs->n) <= r.vs->n;
    ensures  memo:     \forall struct attr_put q; later(p, q) ==> q.nvalue == r.vs->n ==>
                       memo_run(r, q, of) && went_on{Pre,Post}(r, p, q, of);
    ensures  sound:    \result.code == ATTR_VALUE ==> value_there{Pre}(r, p, of, a, val(RUN_VALS(r), \result.id));
    ensures  complete: \result.code == ATTR_STUCK ==> none_there{Pre}(r, p, of, a);
*/
static struct run_said memo_answer(struct run r, struct attr_put p, struct attr_memo_class *of, int a)
{
    struct run_said s = attr_run_value(r, a);

    p.nvalue = r.vs->n;
    /*@ ghost memo_laws(p.n); */
    /*@ assert keeps: same_keeps{Pre,Here}(of, p.n); */
    /*@ assert later: later(\at(p, Pre), p); */
    /*@ assert on:    went_on{Pre,Here}(r, \at(p, Pre), p, of); */
    /*@ assert fits:  memo_fits(p, of); */
    /*@ assert arena: is_arena(p, r); */
    /*@ assert room:  memo_room(p, of); */
    /*@ assert apart: memo_apart(r, p); */
    /*@ assert memo:  memo_run(r, p, of); */
    /*@ assert same:  s.code == ATTR_VALUE ==> RUN_EXPRS(r, RUN_VALS(r)) == \at(RUN_EXPRS(r, RUN_VALS(r)), Pre) &&
                      SAID(r, RUN_VALS(r)) == \at(SAID(r, RUN_VALS(r)), Pre) && ids_run(r); */
    /*@ assert value: s.code == ATTR_VALUE ==> \forall env g; memo_env(r, g) ==>
                      decided(TREES(p, RUN_VALS(r)), g, a, val(RUN_VALS(r), s.id)); */
    /*@ assert there: s.code == ATTR_VALUE ==> value_there{Pre}(r, \at(p, Pre), of, a, val(RUN_VALS(r), s.id)); */
    /*@ assert none:  s.code == ATTR_STUCK ==> none_there{Pre}(r, \at(p, Pre), of, a); */
    /*@ ghost Ran: ; */
    /*@ assert none_yet: went_on{Ran,Here}(r, p, p, of); */
    if (s.code == ATTR_VALUE && of[a].free == 0) {
        memo_enter(r, p, of, a, s.id);
        /*@ assert entered: went_on{Ran,Here}(r, p, p, of); */
    }
    /*@ assert since: went_on{Ran,Here}(r, p, p, of); */
    /*@ assert all:   memo_run(r, p, of) && went_on{Pre,Here}(r, \at(p, Pre), p, of); */
    /*@ assert only:  \forall struct attr_put q; later(\at(p, Pre), q) ==> q.nvalue == r.vs->n ==> q == p; */
    /*@ assert kept:  val(RUN_VALS(r), s.id) == val(\at(RUN_VALS(r), Ran), s.id) || s.code != ATTR_VALUE; */
    return s;
}

/* What memo_answer says, all that is worth remembering of what a consists of being evaluated before. */
/*@ requires memo:     memo_run(r, p, of) && wf_arena(p) && 0 <= a < p.n;
    terminates \true;
    exits    never:    \false;
    assigns  of[0 .. p.n - 1].tried, of[0 .. a].marked, *r.vs, *r.mem, { *v | struct value *v; \true }, { *q | int *q; \true },
             { *u | unsigned *u; \true }, { *w | unsigned long *w; \true }, { *z | struct attr_answer *z; \true };
    ensures  code:     \result.code == ATTR_VALUE || \result.code == ATTR_STUCK || \result.code == ATTR_FULL;
    ensures  id:       \result.code == ATTR_VALUE ==> 0 <= \result.id < r.vs->n;
    ensures  more:     \old(r.vs->n) <= r.vs->n;
    ensures  memo:     \forall struct attr_put q; later(p, q) ==> q.nvalue == r.vs->n ==>
                       memo_run(r, q, of) && went_on{Pre,Post}(r, p, q, of);
    ensures  sound:    \result.code == ATTR_VALUE ==> value_there{Pre}(r, p, of, a, val(RUN_VALS(r), \result.id));
    ensures  complete: \result.code == ATTR_STUCK ==> none_there{Pre}(r, p, of, a);
*/
static struct run_said memo_eval(struct run r, struct attr_put p, struct attr_memo_class *of, int a)
{
    struct run_said s;

    memo_mark(p, of, a);
    /*@ ghost Marked: ; */
    /*@ assert keeps: same_keeps{Pre,Here}(of, p.n); */
    /*@ assert fits: memo_fits(p, of); */
    /*@ assert marked: memo_run(r, p, of) && went_on{Pre,Here}(r, p, p, of); */
    p = memo_prepare(r, p, of, a);
    /*@ ghost Prepared: ; */
    /*@ assert prepared: went_on{Pre,Here}(r, \at(p, Pre), p, of); */
    s = memo_answer(r, p, of, a);
    /*@ assert later: \forall struct attr_put q; later(\at(p, Pre), q) ==> q.nvalue == r.vs->n ==> later(p, q); */
    /*@ assert all:   \forall struct attr_put q; later(\at(p, Pre), q) ==> q.nvalue == r.vs->n ==>
                      memo_run(r, q, of) && went_on{Prepared,Here}(r, p, q, of); */
    return s;
}

/* The arena of the memo. */
/*@ requires valid:    \valid_read(m) && \valid_read(t) && \valid_read(t->values);
    terminates \true;
    exits    never:    \false;
    assigns  \nothing;
    ensures  arena:    \result == memo_arena(m, t);
*/
static struct attr_put arena_of(const struct attr_memo *m, const struct attrs *t)
{
    return (struct attr_put){ .node = m->node, .kid = t->kid.a, .n = m->n, .cap = m->n, .nkid = t->kid.n,
                              .capkid = t->kid.cap, .nvalue = t->values->n, .nslot = t->slot.n, .nsymbol = t->nsymbol };
}

/* The value of an expression of the memo. */
/*@ requires in:       0 <= a < m->n;
    requires can:      can_run(t, m->node, env, out, 1);
    requires hand:     env == at_hand;
    requires memo:     memo_ready(m, t, ENV_OF(t, env)) && memo_kept(m, t) && memo_env_apart(m, env);
    terminates \true;
    exits    never:    \false;
    assigns  m->of[0 .. m->n - 1].tried, m->of[0 .. a].marked, *t->values, *t->values->mem, *out,
             { *v | struct value *v; \true }, { *q | int *q; \true },
             { *u | unsigned *u; \true }, { *w | unsigned long *w; \true }, { *z | struct attr_answer *z; \true };
    ensures  can:      can_run(t, \old(m->node), env, out, 1);
    ensures  result:   \result == ATTR_VALUE || \result == ATTR_STUCK || \result == ATTR_FULL;
    ensures  old:      extends(\old(VALS(*t->values)), VALS(*t->values), \old(t->values->n));
    ensures  exprs:    EXPRS_NOW(t) == \old(EXPRS_NOW(t));
    ensures  memo:     memo_ready(m, t, \old(ENV_OF(t, env)));
    ensures  kept:     kept_beside{Pre,Post}(\old(m->node), \old(m->n));
    ensures  sound:    \result == ATTR_VALUE ==> 0 <= *out < t->values->n &&
                       decided(\old(EXPRS_NOW(t)), \old(ENV_OF(t, env)), a, val(VALS(*t->values), *out));
    ensures  complete: \result == ATTR_STUCK ==> none(\old(EXPRS_NOW(t)), \old(ENV_OF(t, env)), a);
*/
static enum attr_result memo_value(struct attrs *t, const struct attr_env *env, struct attr_memo *m, int a, int *out)
{
    struct run r = attr_run_of(t, m->node, env, out, 1);
    struct attr_put p = arena_of(m, t);
    struct run_said s;

    /*@ ghost struct attr_memo_class *of = m->of; */
    /*@ assert start: is_arena(p, r); */
    /*@ assert fits:  memo_fits(p, of); */
    /*@ assert valid: valid_arena(p); */
    /*@ assert room:  memo_room(p, of); */
    /*@ assert apart: memo_apart(r, p); */
    /*@ assert memo:  memo_run(r, p, of); */
    s = memo_eval(r, p, m->of, a);
    /*@ ghost struct attr_put q = p; */
    /*@ ghost q.nvalue = r.vs->n; */
    /*@ ghost Found: ; */
    /*@ assert later: later(p, q); */
    /*@ assert found: memo_run(r, q, of) && went_on{Pre,Here}(r, p, q, of); */
    if (s.code == ATTR_VALUE) {
        attr_run_put(r, s.id);
        /*@ assert put:  memo_run(r, q, of) && went_on{Found,Here}(r, q, q, of); */
    }
    /*@ assert on:    memo_run(r, q, of) && went_on{Pre,Here}(r, p, q, of); */
    /*@ assert ptrs:  m->node == \at(m->node, Pre) && m->of == \at(m->of, Pre); */
    /*@ assert head:  m->n == \at(m->n, Pre); */
    /*@ assert links: t->node.a == \at(t->node.a, Pre) && t->kid.a == \at(t->kid.a, Pre) && t->values == \at(t->values, Pre); */
    /*@ assert cap:   t->kid.cap == \at(t->kid.cap, Pre); */
    /*@ assert tree:  t->node.n == \at(t->node.n, Pre) && t->kid.n == \at(t->kid.n, Pre) &&
                      t->slot.n == \at(t->slot.n, Pre) && t->nsymbol == \at(t->nsymbol, Pre); */
    /*@ assert arena: q == memo_arena(m, t); */
    /*@ assert mine:  same_exprs{Pre,Here}(t->node.a, t->node.n); */
    /*@ assert own:   same_exprs{Pre,Here}(t->node.a, t->node.n) && same_ints{Pre,Here}(t->kid.a, t->kid.n); */
    /*@ assert more:  wf_attrs(t->node.a, t->kid.a, t->node.n, t->kid.n, \at(t->values->n, Pre)); */
    /*@ assert wf:    wf_attrs(t->node.a, t->kid.a, t->node.n, t->kid.n, t->values->n); */
    /*@ assert exprs: EXPRS_NOW(t) == \at(EXPRS_NOW(t), Pre); */
    /*@ assert env:   memo_env{Pre}(r, \at(ENV_OF(t, env), Pre)); */
    /*@ assert says:  memo_says(q, of, VALS(*t->values), EXPRS_NOW(t), \at(ENV_OF(t, env), Pre)); */
    /*@ assert there: memo_there(m, t); */
    return (enum attr_result)s.code;
}

/* The contract of attr_eval (run.c), and: the memo stays one of t. Where a is none of its expressions, nothing but the values
   and what attr_eval changes is changed. */
/*@ requires can:      can_run(t, 0 <= a < m->n ? m->node : t->node.a, env, out, 1) && \valid_read(m);
    requires hand:     env == at_hand;
    requires memo:     0 <= a < m->n ==> memo_ready(m, t, ENV_OF(t, env)) && memo_kept(m, t) && memo_env_apart(m, env);
    terminates \true;
    exits    never:    \false;
    assigns  m->of[0 .. m->n - 1].tried, m->of[0 .. a].marked, *t->values, *t->values->mem, *out,
             { *v | struct value *v; \true }, { *q | int *q; \true },
             { *u | unsigned *u; \true }, { *w | unsigned long *w; \true }, { *z | struct attr_answer *z; \true };
    ensures  can:      can_run(t, \old(0 <= a < m->n ? m->node : t->node.a), env, out, 1);
    ensures  result:   \result == ATTR_VALUE || \result == ATTR_STUCK || \result == ATTR_FULL;
    ensures  old:      extends(\old(VALS(*t->values)), VALS(*t->values), \old(t->values->n));
    ensures  exprs:    attrs_of(\old(t->node.a), t->kid.a, t->node.n, t->kid.n, VALS(*t->values)) == \old(EXPRS_NOW(t));
    ensures  memo:     \old(0 <= a < m->n) ==> memo_ready(m, t, \old(ENV_OF(t, env)));
    ensures  kept:     kept_beside{Pre,Post}(\old(m->node), \old(0 <= a < m->n ? m->n : 0));
    ensures  sound:    \result == ATTR_VALUE ==> 0 <= *out < t->values->n &&
                       decided(\old(EXPRS_NOW(t)), \old(ENV_OF(t, env)), a, val(VALS(*t->values), *out));
    ensures  complete: \result == ATTR_STUCK ==> none(\old(EXPRS_NOW(t)), \old(ENV_OF(t, env)), a);
*/
enum attr_result attr_eval_memo(struct attrs *t, const struct attr_env *env, struct attr_memo *m, int a, int *out)
{
    if (a < 0 || a >= m->n)
        return attr_eval(t, env, a, out);
    return memo_value(t, env, m, a, out);
}
