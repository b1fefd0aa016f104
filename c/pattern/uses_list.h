/* The proved part of the lists of users: for each node the slots of g->in that hold it, linked both ways. */
#ifndef CALQUE_PATTERN_USES_LIST_H
#define CALQUE_PATTERN_USES_LIST_H

#include "pattern/uses.h"

/* The arrays: n nodes, m slots; in is the graph's. */
struct uses_view {
    struct use_node *node;
    struct use_slot *slot;
    int *in;
    int n, m;
};

#ifdef __FRAMAC__
#include "pattern/uses.acsl"
#endif

/* Nothing is missing: what holds a node is met when its list is walked. With the lemma on_list_holds, the lists are exactly
   the inverse of g->in. */
/*@ ghost
/@ requires valid:    valid_uses(v);
   requires ok:       uses_ok(v);
   terminates \true;
   exits    never:    \false;
   assigns  \nothing;
   ensures  all:      \forall integer s; linked(v, s) ==> on_list(v, v.node[v.in[s]].head, s);
@/
void uses_all(struct uses_view v);
*/

/* Slot s, on no list, comes first on the list of the node it holds. */
/*@ requires valid:    valid_uses(v);
    requires ok:       uses_ok(v);
    requires slot:     0 <= s < v.m && v.slot[s].user < 0 && 0 <= v.in[s] < v.n;
    requires user:     0 <= user;
    terminates \true;
    exits    never:    \false;
    assigns  v.slot[0 .. v.m - 1], v.node[v.in[s]].head, v.node[v.in[s]].count;
    ensures  ok:       uses_ok(v);
    ensures  user:     v.slot[s].user == user;
    ensures  users:    same_users_but{Pre,Post}(v, s);
    ensures  count:    v.node[v.in[s]].count == \old(v.node[v.in[s]].count) + 1;
    ensures  others:   same_heads{Pre,Post}(v, v.in[s]);
    ensures  in:       same_in{Pre,Post}(v);
*/
void uses_link(struct uses_view v, int s, int user);

/* Slot s leaves its list. */
/*@ requires valid:    valid_uses(v);
    requires ok:       uses_ok(v);
    requires slot:     linked(v, s);
    terminates \true;
    exits    never:    \false;
    assigns  v.slot[0 .. v.m - 1], v.node[v.in[s]].head, v.node[v.in[s]].count;
    ensures  ok:       uses_ok(v);
    ensures  user:     v.slot[s].user == -1;
    ensures  users:    same_users_but{Pre,Post}(v, s);
    ensures  count:    v.node[v.in[s]].count == \old(v.node[v.in[s]].count) - 1;
    ensures  others:   same_heads{Pre,Post}(v, v.in[s]);
    ensures  in:       same_in{Pre,Post}(v);
*/
void uses_cut(struct uses_view v, int s);

/* Every slot on a list that holds `from` now holds `to`. */
/*@ requires valid:    valid_uses(v);
    requires ok:       uses_ok(v);
    requires nodes:    0 <= from < v.n && 0 <= to < v.n && from != to;
    terminates \true;
    exits    never:    \false;
    assigns  v.slot[0 .. v.m - 1], v.in[0 .. v.m - 1], v.node[from].head, v.node[from].count,
             v.node[to].head, v.node[to].count;
    ensures  ok:       uses_ok(v);
    ensures  users:    same_users{Pre,Post}(v);
    ensures  moved:    \forall integer s; 0 <= s < v.m ==>
                       v.in[s] == (\old(v.slot[s].user >= 0 && v.in[s] == from) ? to : \old(v.in[s]));
    ensures  none:     v.node[from].head == -1;
*/
void uses_redirect(struct uses_view v, int from, int to);

/* The inputs of node k, slots first .. first+n-1 on no list yet, come on the lists of the nodes they hold. */
/*@ requires valid:    valid_uses(v);
    requires ok:       uses_ok(v);
    requires range:    0 <= first && 0 <= n && first + n <= v.m && 0 <= k < v.n;
    requires fresh:    \forall integer s; first <= s < first + n ==> v.slot[s].user < 0 && v.in[s] < v.n;
    terminates \true;
    exits    never:    \false;
    assigns  v.slot[0 .. v.m - 1], v.node[0 .. v.n - 1].head, v.node[0 .. v.n - 1].count;
    ensures  ok:       uses_ok(v);
    ensures  new:      \forall integer s; first <= s < first + n ==>
                       v.slot[s].user == (v.in[s] >= 0 ? k : \old(v.slot[s].user));
    ensures  old:      \forall integer s; 0 <= s < v.m ==> s < first || s >= first + n ==>
                       v.slot[s].user == \old(v.slot[s].user);
*/
void uses_enter(struct uses_view v, int first, int n, int k);

/* The slots first .. first+n-1 leave their lists, so far as node k uses them. */
/*@ requires valid:    valid_uses(v);
    requires ok:       uses_ok(v);
    requires range:    0 <= first && 0 <= n && first + n <= v.m && 0 <= k;
    terminates \true;
    exits    never:    \false;
    assigns  v.slot[0 .. v.m - 1], v.node[0 .. v.n - 1].head, v.node[0 .. v.n - 1].count;
    ensures  ok:       uses_ok(v);
    ensures  gone:     \forall integer s; first <= s < first + n ==>
                       v.slot[s].user == (\old(v.slot[s].user) == k ? -1 : \old(v.slot[s].user));
    ensures  old:      \forall integer s; 0 <= s < v.m ==> s < first || s >= first + n ==>
                       v.slot[s].user == \old(v.slot[s].user);
    ensures  others:   \forall integer x; 0 <= x < v.n ==> (\forall integer s; first <= s < first + n ==> v.in[s] != x) ==>
                       v.node[x].head == \old(v.node[x].head) && v.node[x].count == \old(v.node[x].count);
    ensures  in:       same_in{Pre,Post}(v);
*/
void uses_leave(struct uses_view v, int first, int n, int k);

#endif
