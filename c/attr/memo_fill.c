#include "attr/memo_fill.h"

/*@ requires valid:    0 <= n && \valid_read(from + (0 .. n - 1)) && \valid(to + (0 .. n - 1));
    requires apart:    \separated(from + (0 .. n - 1), to + (0 .. n - 1));
    terminates \true;
    exits    never:    \false;
    assigns  to[0 .. n - 1];
    ensures  copied:   copied(from, to, n);
*/
static void copy_nodes(struct attr_node *to, const struct attr_node *from, int n)
{
    /*@ loop invariant range:  0 <= i <= n;
        loop invariant copied: copied(from, to, i);
        loop assigns i, to[0 .. n - 1];
        loop variant n - i;
    */
    for (int i = 0; i < n; i++)
        to[i] = from[i];
}

/*@ requires valid:    0 <= n && \valid(of + (0 .. n - 1));
    terminates \true;
    exits    never:    \false;
    assigns  of[0 .. n - 1].tried;
    ensures  tried:    \forall integer i; 0 <= i < n ==> !of[i].tried;
*/
static void untry(struct attr_memo_class *of, int n)
{
    /*@ loop invariant range: 0 <= i <= n;
        loop invariant tried: \forall integer j; 0 <= j < i ==> !of[j].tried;
        loop assigns i, of[0 .. n - 1].tried;
        loop variant n - i;
    */
    for (int i = 0; i < n; i++)
        of[i].tried = false;
}

/* The classes with their lists. */
/*@ requires valid:    valid_memo(m, vs);
    terminates \true;
    exits    never:    \false;
    assigns  m.of[0 .. m.t.n - 1], m.table[0 .. m.size - 1];
    ensures  same:     same_arena{Pre,Post}(m.t) && same_values{Pre,Post}(vs.v, vs.pool, vs.n, vs.npool);
    ensures  valid:    valid_memo(m, vs);
    ensures  classes:  \forall integer i, j; 0 <= i < m.t.n ==> 0 <= j < m.t.n ==>
                       (m.of[i].first == m.of[j].first <==> EX(i) == EX(j));
    ensures  lists:    firsts_ok(m.of, m.t.n) && lists_ok(m.of, m.t.n);
*/
static void classes(struct memo_view m, struct values vs)
{
    memo_classify(m, vs);
    /*@ assert wf:     wf_arena(m.t) && WF_VALUES(vs); */
    /*@ assert least:  \forall integer i; 0 <= i < m.t.n ==> class_ok(m, vs, i) && first_ok(m.of, i); */
    /*@ ghost Classes: ; */
    memo_link(m.of, m.t.n);
    /*@ assert same:   same_firsts{Classes,Here}(m.of, m.t.n); */
    /*@ assert roots:  same_roots{Classes,Here}(m.t); */
    /*@ assert kids:   same_kids{Classes,Here}(m.t); */
    /*@ assert nodes:  same_nodes{Classes,Here}(vs.v, vs.n); */
    /*@ assert pool:   same_pool{Classes,Here}(vs.pool, vs.npool); */
    /*@ assert still:  wf_arena(m.t) && WF_VALUES(vs); */
    /*@ assert trees:  same_trees{Classes,Here}(m, vs); */
}

void memo_fill(struct memo_view m, struct values vs, struct attr_node *node)
{
    classes(m, vs);
    /*@ assert exprs:  same_exprs{Pre,Here}(m.t.node, m.t.n) && same_ints{Pre,Here}(m.t.kid, m.t.nkid); */
    /*@ assert attrs:  wf_attrs(m.t.node, m.t.kid, m.t.n, m.t.nkid, m.t.nvalue); */
    memo_survey(m.t, m.of);
    untry(m.of, m.t.n);
    /*@ ghost Filled: ; */
    copy_nodes(node, m.t.node, m.t.n);
    /*@ assert roots:  same_roots{Filled,Here}(m.t); */
    /*@ assert kids:   same_kids{Filled,Here}(m.t) && same_ints{Filled,Here}(m.t.kid, m.t.nkid); */
    /*@ assert nodes:  same_nodes{Filled,Here}(vs.v, vs.n); */
    /*@ assert pool:   same_pool{Filled,Here}(vs.pool, vs.npool); */
    /*@ assert still:  wf_arena(m.t) && WF_VALUES(vs); */
    /*@ assert same:   same_exprs{Filled,Here}(m.t.node, m.t.n); */
    /*@ assert again:  wf_attrs(m.t.node, m.t.kid, m.t.n, m.t.nkid, m.t.nvalue); */
    /*@ assert trees:  same_trees{Filled,Here}(m, vs); */
    /*@ ghost memo_same(m.t, vs); */
    /*@ assert wf:     wf_attrs(node, m.t.kid, m.t.n, m.t.nkid, m.t.nvalue); */
    /*@ assert class:  classes_alike(m.of, m.t.n, TREES(m.t, VALS(vs))); */
    /*@ assert order:  ordered(TREES(m.t, VALS(vs)), m.t.n); */
    /*@ assert copy:   \forall env g; remembers(TREES(m.t, VALS(vs)), attrs_of(node, m.t.kid, m.t.n, m.t.nkid, VALS(vs)), g, m.t.n); */
}
