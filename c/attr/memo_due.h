/* The proved part of evaluation with a memo: what is worth remembering and was not tried yet. */
#ifndef CALQUE_ATTR_MEMO_DUE_H
#define CALQUE_ATTR_MEMO_DUE_H

#include "attr/memo_core.h"

#ifdef __FRAMAC__
#include "attr/memo_due.acsl"
#endif

/* Is i one of the marked expressions, and worth remembering? Each class is tried once. */
/*@ requires valid:    0 <= i < n && \valid(of + (0 .. n - 1));
    requires firsts:   firsts_ok(of, n);
    terminates \true;
    exits    never:    \false;
    assigns  of[0 .. n - 1].tried;
    ensures  result:   \result == 1 <==> \old(of[i].marked && of[of[i].first].keep && !of[of[i].first].tried);
    ensures  tried:    \result == 1 ==> of[of[i].first].tried == 1;
    ensures  keeps:    same_keeps{Pre,Post}(of, n);
*/
bool memo_due(struct attr_memo_class *of, int n, int i);

/* memo_mark leaves what is worth remembering. */
/*@ requires arena:    valid_arena(t) && wf_arena(t) && 0 <= a < t.n;
    requires valid:    \valid(of + (0 .. t.n - 1));
    terminates \true;
    exits    never:    \false;
    assigns  of[0 .. a].marked;
    ensures  marks:    marks_ok(t, of, a);
    ensures  keeps:    same_keeps{Pre,Post}(of, t.n);
*/
void memo_mark_only(struct attr_put t, struct attr_memo_class *of, int a);

#endif
