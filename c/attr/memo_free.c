#include "attr/memo_free.h"

/* The set of this symbol. */
/*@ requires symbol:   0 <= symbol;
    terminates \true;
    exits    never:    \false;
    assigns  \nothing;
    ensures  one:      is_single(\result, symbol);
*/
static unsigned long set_of(int symbol)
{
    return 1UL << (symbol < 63 ? symbol : 63);
}

/*@ terminates \true;
    exits    never:    \false;
    assigns  \nothing;
    ensures  joined:   joined(\result, x, y);
*/
static unsigned long set_join(unsigned long x, unsigned long y)
{
    return x | y;
}

/* The symbols of x that are not in y. */
/*@ terminates \true;
    exits    never:    \false;
    assigns  \nothing;
    ensures  less:     \forall integer k; 0 <= k < 64 ==> (has(\result, k) <==> has(x, k) && !has(y, k));
*/
static unsigned long set_less(unsigned long x, unsigned long y)
{
    return x & ~y;
}

/* The set x outside of what binds this symbol. */
/*@ requires symbol:   0 <= symbol;
    terminates \true;
    exits    never:    \false;
    assigns  \nothing;
    ensures  without:  without(\result, x, symbol);
*/
static unsigned long set_without(unsigned long x, int symbol)
{
    return symbol < 63 ? set_less(x, set_of(symbol)) : x;
}

/* The symbols that are free in a child of node i. */
/*@ requires arena:    valid_arena(t) && wf_trees(t) && 0 <= i < t.n;
    requires valid:    \valid_read(of + (0 .. t.n - 1));
    requires sets:     sets_ok(t, of, i);
    terminates \true;
    exits    never:    \false;
    assigns  \nothing;
    ensures  set:      kids_set(t, i, n_kids(t, i), \result);
*/
static unsigned long free_of_kids(struct attr_put t, const struct attr_memo_class *of, int i)
{
    int n = attr_kids(t, i);
    unsigned long all = 0;

    /*@ loop invariant range: 0 <= k <= n;
        loop invariant set:   kids_set(t, i, k, all);
        loop assigns k, all;
        loop variant n - k;
    */
    for (int k = 0; k < n; k++) {
        int x = attr_kid(t, i, k);

        /*@ assert kid: set_ok(t, kid_of(t, i, k), of[x].free); */
        all = set_join(all, of[x].free);
    }
    return all;
}

/* FV(var a s n) = FV(n) + (FV(a) - s). */
/*@ requires arena:    valid_arena(t) && wf_trees(t) && 0 <= i < t.n;
    requires valid:    \valid_read(of + (0 .. t.n - 1));
    requires sets:     sets_ok(t, of, i);
    terminates \true;
    exits    never:    \false;
    assigns  \nothing;
    ensures  set:      set_ok(t, i, \result);
*/
static unsigned long free_symbols(struct attr_put t, const struct attr_memo_class *of, int i)
{
    int kind = t.node[i].kind;

    /*@ assert ok: wf_node(t.node, t.kid, i) && expr_ok(t, i); */
    if (kind == ATTR_SYMBOL)
        return set_of(t.node[i].op);
    if (kind == ATTR_VAR || kind == ATTR_MAP)
        return set_join(of[t.node[i].a].free, set_without(of[t.node[i].b].free, t.node[i].op));
    return free_of_kids(t, of, i);
}

/*@ requires valid:    \valid(of + (0 .. n - 1)) && 0 <= f < n;
    requires keeps:    keeps_ok(of, n) && of[f].free == 0;
    terminates \true;
    exits    never:    \false;
    assigns  of[f].keep;
    ensures  keeps:    keeps_ok(of, n);
*/
static void put_keep(struct attr_memo_class *of, int n, int f)
{
    (void)n;
    /*@ assert was: \forall integer j; 0 <= j < n ==> keep_ok(of, j); */
    of[f].keep = true;
    /*@ assert mine: keep_ok(of, f); */
    /*@ assert same: \forall integer j; 0 <= j < n ==> j != f ==> (of[j].keep <==> \at(of[j].keep, Pre)); */
    /*@ assert rest: \forall integer j; 0 <= j < n ==> j != f ==> keep_ok{Pre}(of, j) && keep_ok(of, j); */
}

/*@ requires valid:    \valid(of + (0 .. n - 1)) && 0 <= f < n;
    requires keeps:    keeps_ok(of, n);
    terminates \true;
    exits    never:    \false;
    assigns  of[f].used;
    ensures  keeps:    keeps_ok(of, n);
*/
static void put_used(struct attr_memo_class *of, int n, int f)
{
    (void)n;
    /*@ assert was: \forall integer j; 0 <= j < n ==> keep_ok(of, j); */
    of[f].used = true;
    /*@ assert same: \forall integer j; 0 <= j < n ==> (of[j].keep <==> \at(of[j].keep, Pre)); */
    /*@ assert rest: \forall integer j; 0 <= j < n ==> keep_ok{Pre}(of, j) && keep_ok(of, j); */
}

/* The children of node i are used. */
/*@ requires arena:    valid_arena(t) && wf_arena(t) && 0 <= i < t.n;
    requires valid:    \valid(of + (0 .. t.n - 1));
    requires firsts:   firsts_ok(of, t.n);
    requires keeps:    keeps_ok(of, t.n);
    terminates \true;
    exits    never:    \false;
    assigns  of[0 .. t.n - 1].keep, of[0 .. t.n - 1].used;
    ensures  keeps:    keeps_ok(of, t.n);
    ensures  classes:  same_firsts{Pre,Post}(of, t.n) && same_nexts{Pre,Post}(of, t.n);
*/
static void use_kids(struct attr_put t, struct attr_memo_class *of, int i)
{
    int n = attr_kids(t, i);

    /*@ loop invariant range:   0 <= k <= n;
        loop invariant keeps:   keeps_ok(of, t.n);
        loop invariant classes: same_firsts{Pre,Here}(of, t.n) && same_nexts{Pre,Here}(of, t.n);
        loop assigns k, of[0 .. t.n - 1].keep, of[0 .. t.n - 1].used;
        loop variant n - k;
    */
    for (int k = 0; k < n; k++) {
        int x = attr_kid(t, i, k), f = of[x].first;
        bool own = of[i].first == i, again = own && of[f].used;

        /*@ assert first: first_ok{Pre}(of, x) && 0 <= f < t.n && of[f].first == f; */
        if (of[f].free == 0 && t.node[x].depth > 0 && (again || of[i].free))
            put_keep(of, t.n, f);
        if (own)
            put_used(of, t.n, f);
    }
}

/* What is known of node i before the nodes after it are seen. */
/*@ requires valid:    \valid(of + (0 .. n - 1)) && 0 <= i < n;
    requires keeps:    keeps_ok(of, i) && (keep != 0 ==> all == 0);
    terminates \true;
    exits    never:    \false;
    assigns  of[i].free, of[i].keep, of[i].used;
    ensures  put:      of[i].free == all;
    ensures  others:   \forall integer j; 0 <= j < n ==> j != i ==> of[j].free == \old(of[j].free);
    ensures  keeps:    keeps_ok(of, i + 1);
*/
static void put_free(struct attr_memo_class *of, int n, int i, unsigned long all, int keep)
{
    (void)n;
    /*@ assert was: \forall integer j; 0 <= j < i ==> keep_ok(of, j); */
    of[i].free = all;
    of[i].keep = keep != 0;
    of[i].used = false;
    /*@ assert mine: keep_ok(of, i); */
    /*@ assert same: \forall integer j; 0 <= j < i ==> (of[j].keep <==> \at(of[j].keep, Pre)); */
    /*@ assert rest: \forall integer j; 0 <= j < i ==> keep_ok{Pre}(of, j) && keep_ok(of, j); */
}

/*@ requires arena:    valid_arena(t) && wf_trees(t);
    requires valid:    \valid(of + (0 .. t.n - 1));
    terminates \true;
    exits    never:    \false;
    assigns  of[0 .. t.n - 1].free, of[0 .. t.n - 1].keep, of[0 .. t.n - 1].used;
    ensures  sets:     sets_ok(t, of, t.n);
    ensures  keeps:    keeps_ok(of, t.n);
    ensures  classes:  same_firsts{Pre,Post}(of, t.n) && same_nexts{Pre,Post}(of, t.n);
*/
static void survey_free(struct attr_put t, struct attr_memo_class *of)
{
    /*@ loop invariant range:   0 <= i <= t.n;
        loop invariant sets:    sets_ok(t, of, i);
        loop invariant keeps:   keeps_ok(of, i);
        loop invariant classes: same_firsts{Pre,Here}(of, t.n) && same_nexts{Pre,Here}(of, t.n);
        loop assigns i, of[0 .. t.n - 1].free, of[0 .. t.n - 1].keep, of[0 .. t.n - 1].used;
        loop variant t.n - i;
    */
    for (int i = 0; i < t.n; i++) {
        unsigned long all = free_symbols(t, of, i);

        put_free(of, t.n, i, all, of[i].next >= 0 && all == 0 && t.node[i].depth > 0);
    }
}

void memo_survey(struct attr_put t, struct attr_memo_class *of)
{
    survey_free(t, of);
    /*@ loop invariant range:   0 <= i <= t.n;
        loop invariant sets:    sets_ok(t, of, t.n);
        loop invariant keeps:   keeps_ok(of, t.n);
        loop invariant classes: same_firsts{Pre,Here}(of, t.n) && same_nexts{Pre,Here}(of, t.n);
        loop assigns i, of[0 .. t.n - 1].keep, of[0 .. t.n - 1].used;
        loop variant t.n - i;
    */
    for (int i = 0; i < t.n; i++)
        use_kids(t, of, i);
}
