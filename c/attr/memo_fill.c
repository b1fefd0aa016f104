#include "attr/memo_fill.h"

/*@ requires valid:    0 <= i < n && \valid(of + (0 .. n - 1)) && untried(of, i);
    terminates \true;
    exits    never:    \false;
    assigns  of[i].tried, of[i].marked;
    ensures  untried:  untried(of, i + 1);
    ensures  same:     same_classes{Pre,Post}(of, n);
*/
static void clear_one(struct attr_memo_class *of, int n, int i)
{
    (void)n;
    of[i].tried = false;
    of[i].marked = false;
    /*@ assert keep:   \forall integer k; 0 <= k < n ==> of[k].keep == \at(of[k].keep, Pre); */
    /*@ assert others: \forall integer k; 0 <= k < n ==> k != i ==>
                       of[k].tried == \at(of[k].tried, Pre) && of[k].marked == \at(of[k].marked, Pre); */
}

/*@ requires valid:    0 <= n && \valid(of + (0 .. n - 1));
    terminates \true;
    exits    never:    \false;
    assigns  of[0 .. n - 1].tried, of[0 .. n - 1].marked;
    ensures  untried:  untried(of, n);
    ensures  same:     same_classes{Pre,Post}(of, n);
*/
static void clear(struct attr_memo_class *of, int n)
{
    /*@ loop invariant range:   0 <= i <= n;
        loop invariant untried: untried(of, i);
        loop invariant same:    same_classes{Pre,Here}(of, n);
        loop assigns i, of[0 .. n - 1].tried, of[0 .. n - 1].marked;
        loop variant n - i;
    */
    for (int i = 0; i < n; i++)
        clear_one(of, n, i);
}

/* The functions on the classes, and that they write nothing else. */
/*@ requires valid:    valid_memo(m, vs) && wf_trees(m.t);
    requires firsts:   firsts_ok(m.of, m.t.n);
    terminates \true;
    exits    never:    \false;
    assigns  m.of[0 .. m.t.n - 1];
    ensures  lists:    firsts_ok(m.of, m.t.n) && lists_ok(m.of, m.t.n) && same_firsts{Pre,Post}(m.of, m.t.n);
    ensures  same:     same_arena{Pre,Post}(m.t) && same_values{Pre,Post}(vs.v, vs.pool, vs.n, vs.npool);
    ensures  valid:    valid_memo(m, vs) && wf_trees(m.t);
*/
static void link(struct memo_view m, struct values vs)
{
    (void)vs;
    memo_link(m.of, m.t.n);
    /*@ assert roots: same_roots{Pre,Here}(m.t); */
    /*@ assert exprs: same_exprs{Pre,Here}(m.t.node, m.t.n); */
    /*@ assert kids:  same_kids{Pre,Here}(m.t) && same_ints{Pre,Here}(m.t.kid, m.t.nkid); */
    /*@ assert nodes: same_nodes{Pre,Here}(vs.v, vs.n); */
    /*@ assert pool:  same_pool{Pre,Here}(vs.pool, vs.npool); */
    /*@ assert values: WF_VALUES(vs); */
    /*@ assert arena: wf_arena(m.t); */
}

/*@ requires valid:    valid_memo(m, vs) && wf_trees(m.t);
    requires lists:    firsts_ok(m.of, m.t.n) && lists_ok(m.of, m.t.n);
    terminates \true;
    exits    never:    \false;
    assigns  m.of[0 .. m.t.n - 1];
    ensures  lists:    firsts_ok(m.of, m.t.n) && lists_ok(m.of, m.t.n) && same_firsts{Pre,Post}(m.of, m.t.n);
    ensures  closed:   \forall vals u; frees_ok(m.of, m.t.n, TREES(m.t, u));
    ensures  keeps:    keeps_ok(m.of, m.t.n);
    ensures  same:     same_arena{Pre,Post}(m.t) && same_values{Pre,Post}(vs.v, vs.pool, vs.n, vs.npool);
    ensures  valid:    valid_memo(m, vs) && wf_trees(m.t);
*/
static void survey(struct memo_view m, struct values vs)
{
    (void)vs;
    memo_survey(m.t, m.of);
    /*@ assert roots: same_roots{Pre,Here}(m.t); */
    /*@ assert exprs: same_exprs{Pre,Here}(m.t.node, m.t.n); */
    /*@ assert kids:  same_kids{Pre,Here}(m.t) && same_ints{Pre,Here}(m.t.kid, m.t.nkid); */
    /*@ assert nodes: same_nodes{Pre,Here}(vs.v, vs.n); */
    /*@ assert pool:  same_pool{Pre,Here}(vs.pool, vs.npool); */
    /*@ assert values: WF_VALUES(vs); */
    /*@ assert arena: wf_arena(m.t); */
}

/* The classes, the list of each, and what is worth remembering. */
/*@ requires valid:    valid_memo(m, vs) && wf_trees(m.t);
    terminates \true;
    exits    never:    \false;
    assigns  m.of[0 .. m.t.n - 1], m.table[0 .. m.size - 1];
    ensures  lists:    firsts_ok(m.of, m.t.n) && lists_ok(m.of, m.t.n);
    ensures  closed:   \forall vals u; frees_ok(m.of, m.t.n, TREES(m.t, u));
    ensures  keeps:    keeps_ok(m.of, m.t.n);
    ensures  classes:  classes_same(m, vs);
    ensures  same:     same_arena{Pre,Post}(m.t) && same_values{Pre,Post}(vs.v, vs.pool, vs.n, vs.npool);
    ensures  valid:    valid_memo(m, vs) && wf_trees(m.t);
*/
static void classes(struct memo_view m, struct values vs)
{
    memo_classify(m, vs);
    /*@ ghost Classified: ; */
    /*@ assert arena:  wf_arena(m.t); */
    /*@ assert values: WF_VALUES(vs); */
    /*@ assert exprs:  same_exprs{Pre,Here}(m.t.node, m.t.n) && same_ints{Pre,Here}(m.t.kid, m.t.nkid); */
    /*@ assert trees:  wf_trees(m.t); */
    /*@ assert least:  \forall integer i; 0 <= i < m.t.n ==> class_ok(m, vs, i) && class_ok(m, vs, m.of[i].first); */
    /*@ assert firsts: firsts_ok(m.of, m.t.n); */
    link(m, vs);
    survey(m, vs);
    /*@ assert same:   same_arena{Classified,Here}(m.t) && same_values{Classified,Here}(vs.v, vs.pool, vs.n, vs.npool); */
    /*@ assert more:   extends(\at(VALS(vs), Classified), VALS(vs), m.t.nvalue); */
    /*@ assert exprs_same: \forall integer i; 0 <= i < m.t.n ==> EX(i) == \at(EX(i), Classified); */
    /*@ assert kept:   same_firsts{Classified,Here}(m.of, m.t.n); */
}

void memo_fill(struct memo_view m, struct values vs, struct attr_put c)
{
    memo_copy(m.t, c);
    /*@ assert nodes:  same_nodes{Pre,Here}(vs.v, vs.n); */
    /*@ assert pool:   same_pool{Pre,Here}(vs.pool, vs.npool); */
    /*@ assert values: WF_VALUES(vs); */
    /*@ assert arena:  wf_arena(m.t); */
    /*@ assert exprs:  same_exprs{Pre,Here}(m.t.node, m.t.n) && same_ints{Pre,Here}(m.t.kid, m.t.nkid); */
    /*@ assert trees:  wf_trees(m.t); */
    classes(m, vs);
    /*@ ghost Made: ; */
    /*@ assert still:  same_arena{Pre,Here}(m.t) && copied(m.t, c, m.t.n); */
    /*@ assert twin_wf: wf_arena(c) && wf_attrs(c.node, c.kid, c.n, c.nkid, c.nvalue); */
    /*@ assert all:    wf_attrs(m.t.node, m.t.kid, m.t.n, m.t.nkid, vs.n); */
    /*@ ghost memo_same(m.t, vs); */
    /*@ assert alike:  classes_alike(m.of, m.t.n, TREES(m.t, VALS(vs))); */
    /*@ assert closed: frees_ok(m.of, m.t.n, TREES(m.t, VALS(vs))); */
    /*@ assert order:  ordered(TREES(m.t, VALS(vs)), m.t.n); */
    /*@ assert as:     \forall integer j; 0 <= j < m.t.n ==> node_as{Here,Here}(m.t.node, c.node, j); */
    /*@ assert nothing: \forall env g; remembers(TREES(m.t, VALS(vs)), TREES(c, VALS(vs)), g, m.t.n); */
    clear(m.of, m.t.n);
    /*@ assert links:  same_firsts{Made,Here}(m.of, m.t.n) && same_nexts{Made,Here}(m.of, m.t.n); */
    /*@ assert kept:   \forall integer i; 0 <= i < m.t.n ==> keep_ok{Made}(m.of, i) && keep_ok(m.of, i); */
    /*@ assert firsts: firsts_ok(m.of, m.t.n); */
    /*@ assert lists:  lists_ok(m.of, m.t.n); */
    /*@ assert keeps:  keeps_ok(m.of, m.t.n); */
    /*@ assert frees:  frees_ok(m.of, m.t.n, TREES(m.t, VALS(vs))); */
    /*@ assert good:   classes_good(m.of, m.t.n, TREES(m.t, VALS(vs))); */
    /*@ assert right:  \forall env g; memo_right(c, m.of, VALS(vs), TREES(m.t, VALS(vs)), g); */
}
