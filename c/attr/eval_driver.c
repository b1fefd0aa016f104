/* One evaluation from the outside: it makes room when the core asks for it, asks the callbacks of the environment, and runs the core
   again. Invariant: answers are sorted by slot and instance, and each is asked for once. */
#include "attr/eval_driver.h"

#include <limits.h>

#include "attr/eval.h"

#ifdef __FRAMAC__
#include "attr/answer_sort.acsl"
#else
#define HEAP_ITEM struct attr_answer
#endif
#define HEAP_BELOW(a, i, j) (attr_answer_order((a) + (i), (a) + (j)) < 0)
#include "base/heap_sort.h"

void answer_sort(struct attr_answer *a, int n)
{
    heap_sort(a, n);
}

int attr_ids_ok(const int *id, int n, int nv)
{
    /*@ loop invariant range: 0 <= s && (0 <= n ==> s <= n);
        loop invariant ids:   \forall integer j; 0 <= j < s ==> -1 <= id[j] < nv;
        loop assigns s;
        loop variant n - s;
    */
    for (int s = 0; s < n; s++)
        if (id[s] < -1 || id[s] >= nv)
            return 0;
    return n >= 0;
}

void attr_put_symbols(unsigned long *symbol, int nsymbol, const int *id, int n, int nv)
{
    (void)nv;
    /*@ loop invariant range: 0 <= s && (0 <= nsymbol ==> s <= nsymbol);
        loop invariant bound: \forall integer j; 0 <= j < s ==> j < n ==> symbol[j] == id[j] + 1;
        loop invariant rest:  \forall integer j; n <= j < s ==> symbol[j] == 0;
        loop assigns s, symbol[0 .. nsymbol - 1];
        loop variant nsymbol - s;
    */
    for (int s = 0; s < nsymbol; s++)
        symbol[s] = s < n ? (unsigned long)(id[s] + 1L) : 0;
}

struct attr_answer attr_answer_of(int slot, long k, int id)
{
    struct attr_answer x = { .slot = (unsigned long)(slot + 1), .k = (unsigned long)k,
                             .id = id < 0 ? 0 : (unsigned long)id + 1 };
    return x;
}

int attr_answer_order(const struct attr_answer *x, const struct attr_answer *y)
{
    if (x->slot != y->slot)
        return x->slot < y->slot ? -1 : 1;
    return x->k < y->k ? -1 : x->k > y->k;
}

/* One answer more. */
/*@ requires held:     held(r, x) && known(r, x);
    requires slot:     -1 <= slot < INT_MAX;
    requires id:       id < (slot >= 0 ? r.vs->n : INT_MAX);
    requires fresh:    fresh(x.a, x.n, slot + 1, key(k));
    requires right:    right_answer(r.env, VALS(*r.vs), slot + 1, key(k), id < 0 ? 0 : id + 1);
    terminates \true;
    exits    never:    \false;
    assigns  *r.mem, { *p | struct attr_answer *p; \true };
    ensures  held:     held(r, \result) && known(r, \result);
    ensures  grown:    grown{Pre,Post}(r);
    ensures  old:      moved_answers{Pre,Post}(x.a, \result.a, x.n) && \result.batch == x.batch;
    ensures  ok:       \result.ok == 0 || \result.ok == 1;
    ensures  full:     \result.ok == 0 ==> \result.n == x.n;
    ensures  new:      \result.ok == 1 ==> \result.n == x.n + 1 && \result.a[x.n].slot == slot + 1 &&
                       \result.a[x.n].k == key(k);
*/
static struct run_answers put_answer(struct run r, struct run_answers x, int slot, long k, int id)
{
    x = run_answer_room(r, x);
    /*@ ghost Moved: ; */
    /*@ assert right: right(r.env, VALS(*r.vs), x.a, x.n); */
    /*@ assert known: known(r, x); */
    /*@ assert fresh: fresh(x.a, x.n, slot + 1, key(k)); */
    x.ok = x.n < x.cap;
    /*@ assert places: answers_room(r, x); */
    if (x.ok) {
        x.a[x.n] = attr_answer_of(slot, k, id);
        /*@ assert old:   same_answers{Moved,Here}(x.a, x.n); */
        /*@ assert still: right(r.env, VALS(*r.vs), x.a, x.n) && grown{Moved,Here}(r) && ready_run(r) && symbol_room(r); */
        /*@ assert last:  right_answer(r.env, VALS(*r.vs), x.a[x.n].slot, x.a[x.n].k, x.a[x.n].id); */
        x.n++;
        /*@ assert all:   right(r.env, VALS(*r.vs), x.a, x.n); */
        /*@ assert more:  answers_room(r, x); */
        /*@ assert distinct: distinct(x.a, x.n); */
        /*@ assert wf:    wf_answers(x.a, x.n, r.vs->n); */
    }
    /*@ assert room: answers_room(r, x); */
    return x;
}

/* Instance k of the slot, and the ones behind it that were not asked for yet, as far as there are any, twice as many each
   time: restarts are rare then. */
/*@ requires held:     held(r, x) && known(r, x) && sorted(x.a, x.n);
    requires hand:     r.env == at_hand;
    requires slot:     0 <= slot < r.nslot;
    requires fresh:    fresh(x.a, x.n, slot + 1, key(k));
    terminates \true;
    exits    never:    \false;
    assigns  *r.vs, *r.mem, { *p | struct value *p; \true }, { *q | int *q; \true },
             { *u | unsigned *u; \true }, { *w | unsigned long *w; \true }, { *z | struct attr_answer *z; \true };
    ensures  held:     held(r, \result) && known(r, \result);
    ensures  grown:    grown{Pre,Post}(r);
    ensures  ok:       \result.ok == 0 || \result.ok == 1;
    ensures  more:     \result.ok == 1 ==> \result.n > x.n;
*/
static struct run_answers ask_instances(struct run r, struct run_answers x, int slot, long k)
{
    const int known = x.n, batch = x.batch;

    /*@ ghost long first = k; */
    if (batch <= 1 << 15)
        x.batch = 2 * batch;
    /*@ assert room: answers_room(r, x); */
    /*@ loop invariant range: 0 <= j <= batch && x.n >= known + j && (j > 0 ==> x.ok == 1) && k == first + (x.n - known);
        loop invariant held:  held(r, x) && known(r, x) && grown{Pre,Here}(r);
        loop invariant old:   sorted(x.a, known);
        loop invariant new:   \forall integer i; known <= i < x.n ==> x.a[i].k == key(first + (i - known));
        loop invariant fresh: fresh(x.a, known, slot + 1, key(k));
        loop assigns j, k, x, *r.vs, *r.mem, { *p | struct value *p; \true }, { *q | int *q; \true },
                     { *u | unsigned *u; \true }, { *w | unsigned long *w; \true }, { *z | struct attr_answer *z; \true };
        loop variant batch - j;
    */
    for (int j = 0; j < batch; j++) {
        /*@ ghost Head: ; */
        struct run_said s = run_inst(r, x, slot, k);
        int some = s.code == ATTR_VALUE;

        /*@ ghost Told: ; */
        /*@ assert ready:  ready_run(r) && symbol_room(r) && answers_room(r, x); */
        /*@ assert known:  known(r, x) && grown{Pre,Here}(r); */
        /*@ assert sorted: sorted(x.a, known) && fresh(x.a, known, slot + 1, key(k)); */
        /*@ assert run:    \forall integer i; known <= i < x.n ==> x.a[i].k == key(first + (i - known)); */
        if (s.code != ATTR_STUCK && (!some || s.id < 0 || s.id >= r.vs->n)) {
            x.ok = x.n > known;
            /*@ assert room: answers_room(r, x); */
            return x;
        }
        /*@ ghost struct run_answers y = x; */
        /*@ assert one:    \forall integer l; in_int64(l) ==> key(l) == key(k) ==> l == k; */
        /*@ assert right:  right_inst(r.env, VALS(*r.vs), slot, key(k), some ? s.id + 1 : 0); */
        /*@ assert behind: \forall integer i; known <= i < x.n ==> x.a[i].k != key(k); */
        x = put_answer(r, x, slot, k, some ? s.id : -1);
        /*@ assert moved: moved_answers{Told,Here}(y.a, x.a, known) && sorted(x.a, known); */
        /*@ assert all:   x.ok == 1 ==> \forall integer i; known <= i < x.n ==> x.a[i].k == key(first + (i - known)); */
        if (!x.ok || !some || k == INT64_MAX ||
            attr_answer_find(x.a, known, (unsigned long)slot + 1, (unsigned long)(k + 1)) >= 0)
            return x;
        k++;
    }
    return x;
}

/* The instance number that is written so in an answer. (C leaves open what (long)k is above LONG_MAX.) */
/*@ terminates \true;
    exits    never:    \false;
    assigns  \nothing;
    ensures  number:   \result == (k <= LONG_MAX ? k : k - ULONG_MAX - 1);
*/
static long number_of(unsigned long k)
{
    return k <= LONG_MAX ? (long)k : -(long)(ULONG_MAX - k) - 1;
}

/* Asks what the core wants to know. */
/*@ requires held:     held(r, x) && known(r, x) && sorted(x.a, x.n);
    requires hand:     r.env == at_hand;
    terminates \true;
    exits    never:    \false;
    assigns  *r.vs, *r.mem, { *p | struct value *p; \true }, { *q | int *q; \true },
             { *u | unsigned *u; \true }, { *w | unsigned long *w; \true }, { *z | struct attr_answer *z; \true };
    ensures  held:     held(r, \result) && known(r, \result);
    ensures  sorted:   \result.ok == 1 ==> sorted(\result.a, \result.n);
    ensures  grown:    grown{Pre,Post}(r);
    ensures  ok:       \result.ok == 0 || \result.ok == 1;
    ensures  more:     \result.ok == 1 ==> \result.n > x.n;
*/
static struct run_answers run_ask(struct run r, struct run_answers x)
{
    unsigned long slot = r.vs->symbol[r.view.nsymbol], k = r.vs->symbol[r.view.nsymbol + 1];
    int id;

    x.ok = 0;
    /*@ assert room: answers_room(r, x); */
    /*@ assert held: held(r, x) && known(r, x); */
    /*@ assert same: grown{Pre,Here}(r); */
    if (attr_answer_find(x.a, x.n, slot, k) >= 0)
        return x;
    /*@ assert none: fresh(x.a, x.n, slot, k); */
    if (slot > 0) {
        long number = number_of(k);

        if (slot > (unsigned long)r.nslot || (unsigned long)number != k)
            return x;
        /*@ assert key:  key(number) == k; */
        /*@ assert slot: 0 < slot <= r.nslot && (int)(slot - 1) == slot - 1; */
        x = ask_instances(r, x, (int)(slot - 1), number);
    } else {
        if (k > INT_MAX)
            return x;
        id = run_taken(r, x, (int)k);
        if (id == INT_MAX)
            return x;
        x = put_answer(r, x, -1, (long)k, id);
    }
    /*@ assert grown: grown{Pre,Here}(r); */
    if (x.ok) {
        /*@ ghost Asked: ; */
        /*@ assert away:   \forall unsigned long *p; kept_long(p) ==> \separated(p, x.a + (0 .. x.cap - 1)); */
        answer_sort(x.a, x.n);
        /*@ assert longs:  \forall unsigned long *p; kept_long(p) ==> *p == \at(*p, Asked); */
        /*@ assert kept:   same_kept{Asked,Here}; */
        /*@ assert since:  grown{Asked,Here}(r); */
        /*@ assert places: answers_room(r, x) && symbol_room(r) && ready_run(r); */
        /*@ assert right:  known(r, x); */
        /*@ assert still:  grown{Pre,Here}(r); */
    }
    return x;
}

struct run_answers run_more(struct run r, struct run_answers x, int ask)
{
    if (ask)
        return run_ask(r, x);
    x.ok = run_enlarge(r, x);
    /*@ assert sorted: sorted(x.a, x.n); */
    /*@ assert room:   answers_room(r, x); */
    return x;
}

struct run_answers run_no_answers(struct run r)
{
    struct run_answers x = { .a = NULL, .n = 0, .cap = 0, .batch = 1, .ok = 1 };

    (void)r;
    /*@ assert room: answers_room(r, x); */
    return x;
}

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
        /*@ ghost int answers = x.n, cap = r.vs->cap; */
        c = run_match_once(r, x, a, value);
        /*@ assert grown: grown{Pre,Here}(r); */
        /*@ assert no_less: cap <= r.vs->cap; */
        if (c != MATCH_ASK && c != MATCH_ROOM)
            break;
        x = run_more(r, x, c == MATCH_ASK);
        if (!x.ok)
            break;
        /*@ assert more: answers <= x.n && cap <= r.vs->cap && (answers < x.n || cap < r.vs->cap); */
    }
    run_free(x);
    return c;
}

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
