#include "attr/memo_learn.h"

void memo_learn(struct attr_put t, struct attr_memo_class *of, int i, int v)
{
    int f = of[i].first;

    /*@ ghost memo_laws(t.n); */
    /*@ assert first:  first_ok(of, i) && 0 <= f < t.n; */
    /*@ assert mine:   of[f].first == f && of[i].first == f; */
    /*@ assert to:     \forall attrs o; classes_alike(of, t.n, o) ==> alike(o, i, f); */
    /*@ assert from:   \forall attrs o, integer j; classes_alike(of, t.n, o) ==> 0 <= j < t.n ==> of[j].first == f ==>
                       alike(o, f, j); */
    /*@ assert self:   \forall attrs o, integer j; classes_alike(of, t.n, o) ==> 0 <= j < t.n ==> of[j].first == f ==>
                       alike(o, i, j) && alike(o, i, i); */
    /*@ assert own:    \forall vals s, attrs o, env g, integer j; memo_right(t, of, s, o, g) ==>
                       decided(TREES(t, s), g, i, val(s, v)) ==> closed(o, i) ==> 0 <= j < t.n ==> of[j].first == f ==>
                       constant(o, g, j, val(s, v)); */
    /*@ assert each:   \forall vals s, attrs o, env g, integer j; memo_right(t, of, s, o, g) ==>
                       decided(TREES(t, s), g, i, val(s, v)) ==> closed(o, i) || closed(o, f) ==> 0 <= j < t.n ==> of[j].first == f ==>
                       constant(o, g, j, val(s, v)); */
    /*@ assert equals: \forall vals s, attrs o, env g; memo_right(t, of, s, o, g) ==>
                       decided(TREES(t, s), g, i, val(s, v)) ==> closed(o, i) || closed(o, f) ==> class_is(o, g, of, t.n, f, val(s, v)); */
    memo_put(t.node, of, t.n, f, v);
    /*@ assert turned: turned{Pre,Here}(t.node, t.n, v); */
    /*@ assert kids:   same_ints{Pre,Here}(t.kid, t.nkid); */
    /*@ assert wf:     wf_attrs(t.node, t.kid, t.n, t.nkid, t.nvalue); */
    /*@ assert more:   \forall vals s, attrs o, env g; memo_right{Pre}(t, of, s, o, g) ==>
                       class_is{Pre}(o, g, of, t.n, f, val(s, v)) ==> remembers(o, TREES(t, s), g, t.n); */
    /*@ assert alike:  \forall attrs o; classes_alike{Pre}(of, t.n, o) ==> classes_alike(of, t.n, o); */
}
