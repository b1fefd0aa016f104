/* The proved part of remembering: the lists of the classes, constants in place of the nodes of a class, what an expression
   consists of. */
#ifndef CALQUE_ATTR_MEMO_CORE_H
#define CALQUE_ATTR_MEMO_CORE_H

#include "attr/memo_find.h"

#ifdef __FRAMAC__
#include "attr/memo_core.acsl"
#endif

/* The list of each class, from the first nodes of the classes. */
/*@ requires valid:    0 <= n && \valid(of + (0 .. n - 1));
    requires firsts:   firsts_ok(of, n);
    terminates \true;
    exits    never:    \false;
    assigns  of[0 .. n - 1].next;
    ensures  firsts:   same_firsts{Pre,Post}(of, n) && firsts_ok(of, n);
    ensures  lists:    lists_ok(of, n);
*/
void memo_link(struct attr_memo_class *of, int n);

/* The nodes of class f, and no others, are the constant v from now on. */
/*@ requires valid:    0 <= n && \valid(node + (0 .. n - 1)) && \valid_read(of + (0 .. n - 1));
    requires apart:    \separated(node + (0 .. n - 1), of + (0 .. n - 1));
    requires lists:    firsts_ok(of, n) && lists_ok(of, n);
    requires first:    0 <= f < n && of[f].first == f;
    terminates \true;
    exits    never:    \false;
    assigns  node[0 .. n - 1].kind, node[0 .. n - 1].a;
    ensures  become:   become{Pre,Post}(node, of, n, f, f, v);
    ensures  classes:  same_firsts{Pre,Post}(of, n) && same_nexts{Pre,Post}(of, n);
*/
void memo_put(struct attr_node *node, const struct attr_memo_class *of, int n, int f, int v);

/* Marks, of the nodes up to a, exactly those that expression a consists of. */
/*@ requires arena:    valid_arena(t) && wf_arena(t) && 0 <= a < t.n;
    requires valid:    \valid(of + (0 .. t.n - 1));
    terminates \true;
    exits    never:    \false;
    assigns  of[0 .. a].marked;
    ensures  marks:    marks_ok(t, of, a);
*/
void memo_mark(struct attr_put t, struct attr_memo_class *of, int a);

#endif
