/* The proved part of the constructors of expressions: appending a node where there is room. */
/* not proved: 3 of 274 goals are open: copying the children (roots, copied), wf of attr_put_family. */
#ifndef CALQUE_ATTR_ATTR_PUT_H
#define CALQUE_ATTR_ATTR_PUT_H

#include "attr/attr.h"

/* The arrays of a struct attrs; values, slots, symbols and patterns are numbers below these. */
struct attr_put {
    struct attr_node *node;
    int *kid;
    int n, cap, nkid, capkid;
    int nvalue, nslot, nsymbol;
};

#ifdef __FRAMAC__
#include "attr/arena.acsl"

/* In a contract: the arena with one node more, and with n children more. */
#define ONE_MORE {t \with .n = (int)(t.n + 1)}
#define WITH_KIDS {t \with .n = (int)(t.n + 1), .nkid = (int)(t.nkid + n)}
#define PUT_REQUIRES                                                                          \
    requires valid:    valid_arena(t);                                                        \
    requires room:     t.n < t.cap;                                                           \
    requires wf:       wf_arena(t);
#define PUT_KEEPS                                                                             \
    ensures  old:      same_arena{Pre,Post}(t);                                               \
    ensures  id:       \result == t.n || \result == -1;                                       \
    ensures  wf:       \result == t.n ==> wf_arena(ONE_MORE);
#endif

/* Each returns the new node's id, t.n, or -1: an argument is none, or a limit is exceeded. */

/*@ PUT_REQUIRES
    requires kind:     leaf_kind(kind);
    terminates \true;
    exits    never:    \false;
    assigns  t.node[t.n];
    PUT_KEEPS
    ensures  made:     \result == t.n <==> root_ok(t, kind, op, a);
    ensures  node:     \result == t.n ==> is_expr(t, t.n, kind, op, a, 0);
    ensures  extent:   \result == t.n ==> t.node[t.n].depth == 0 && t.node[t.n].size == 1;
*/
int attr_put_leaf(struct attr_put t, int kind, int op, int a);

/* Child c is a or, of an instance (slot a), b. */
/*@ PUT_REQUIRES
    requires kind:     child_a(kind) || child_b(kind);
    requires child:    (child_b(kind) ==> c == b) && (child_a(kind) ==> c == a && b == 0);
    terminates \true;
    exits    never:    \false;
    assigns  t.node[t.n];
    PUT_KEEPS
    ensures  made:     \result == t.n <==> root_ok(t, kind, op, a) && 0 <= c < t.n &&
                       t.node[c].depth < ATTR_DEPTH_MAX && t.node[c].size < ATTR_SIZE_MAX;
    ensures  node:     \result == t.n ==> is_expr(t, t.n, kind, op, a, b);
    ensures  extent:   \result == t.n ==> t.node[t.n].depth == 1 + t.node[c].depth &&
                       t.node[t.n].size == 1 + t.node[c].size;
*/
int attr_put_one(struct attr_put t, int kind, int op, int a, int b, int c);

/*@ PUT_REQUIRES
    requires kind:     pair_kind(kind);
    terminates \true;
    exits    never:    \false;
    assigns  t.node[t.n];
    PUT_KEEPS
    ensures  made:     \result == t.n <==> root_ok(t, kind, op, a) && 0 <= a < t.n && 0 <= b < t.n &&
                       t.node[a].depth < ATTR_DEPTH_MAX && t.node[b].depth < ATTR_DEPTH_MAX &&
                       t.node[a].size + t.node[b].size < ATTR_SIZE_MAX;
    ensures  node:     \result == t.n ==> is_expr(t, t.n, kind, op, a, b);
    ensures  extent:   \result == t.n ==>
                       t.node[t.n].depth == 1 + \max(t.node[a].depth, t.node[b].depth) &&
                       t.node[t.n].size == 1 + t.node[a].size + t.node[b].size;
*/
int attr_put_pair(struct attr_put t, int kind, int op, int a, int b);

/* A node with children kids[0 .. n - 1], which are written behind the others. */
/*@ PUT_REQUIRES
    requires kind:     family_kind(kind);
    requires kids:     0 <= n <= t.capkid - t.nkid && \valid_read(kids + (0 .. n - 1));
    requires apart:    \separated(kids + (0 .. n - 1), t.kid + (t.nkid .. t.capkid - 1)) &&
                       \separated(kids + (0 .. n - 1), t.node + (0 .. t.cap - 1));
    terminates \true;
    exits    never:    \false;
    assigns  t.node[t.n], t.kid[t.nkid .. t.capkid - 1];
    ensures  old:      same_arena{Pre,Post}(t);
    ensures  id:       \result == t.n || \result == -1;
    ensures  wf:       \result == t.n ==> wf_arena(WITH_KIDS);
    ensures  made:     \result == t.n <==> n <= VALUE_LEN_MAX && root_ok(t, kind, op, t.nkid) &&
                       kids_exist{Pre}(t, kids, n) && kids_flat{Pre}(t, kids, n) &&
                       kids_size{Pre}(t, kids, n) < ATTR_SIZE_MAX;
    ensures  node:     \result == t.n ==> is_expr(t, t.n, kind, op, t.nkid, n) &&
                       \forall integer k; 0 <= k < n ==> t.kid[t.nkid + k] == \old(kids[k]);
    ensures  extent:   \result == t.n ==> kids_depth{Pre}(t, kids, n, t.node[t.n].depth) &&
                       t.node[t.n].size == 1 + kids_size{Pre}(t, kids, n);
*/
int attr_put_family(struct attr_put t, int kind, int op, const int *kids, int n);

#endif
