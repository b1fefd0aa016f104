/* The proved part of remembering a value. */
#ifndef CALQUE_ATTR_MEMO_LEARN_H
#define CALQUE_ATTR_MEMO_LEARN_H

#include "attr/eval.h"
#include "attr/memo_core.h"

#ifdef __FRAMAC__
#include "attr/memo_learn.acsl"
#endif

/* What is the same expression as i is the constant v from now on. When the memo was right and v is the value of i in it, and
   i or the first that is the same is closed, it is right after this: it has the values that the expressions have. */
/*@ requires arena:    valid_arena(t) && wf_attrs(t.node, t.kid, t.n, t.nkid, t.nvalue);
    requires ids:      0 <= i < t.n && 0 <= v < t.nvalue;
    requires valid:    \valid(of + (0 .. t.n - 1)) && \separated(of + (0 .. t.n - 1), t.node + (0 .. t.cap - 1));
    requires lists:    firsts_ok(of, t.n) && lists_ok(of, t.n);
    terminates \true;
    exits    never:    \false;
    assigns  t.node[0 .. t.n - 1];
    ensures  wf:       wf_attrs(t.node, t.kid, t.n, t.nkid, t.nvalue);
    ensures  become:   become{Pre,Post}(t.node, of, t.n, \old(of[i].first), \old(of[i].first), v);
    ensures  classes:  same_firsts{Pre,Post}(of, t.n) && same_nexts{Pre,Post}(of, t.n);
    ensures  right:    \forall vals s, attrs o, env g; memo_right{Pre}(t, of, s, o, g) ==>
                       decided(\old(TREES(t, s)), g, i, val(s, v)) ==> closed(o, i) || closed(o, \old(of[i].first)) ==>
                       memo_right(t, of, s, o, g);
*/
void memo_learn(struct attr_put t, struct attr_memo_class *of, int i, int v);

#endif
