/* What is bound in an environment that was read, from the flat list of its bindings. */
#ifndef CALQUE_ATTR_READ_BIND_H
#define CALQUE_ATTR_READ_BIND_H

#include "attr/attr.h"
#include "attr/read_env.h"

/* A slot, a symbol, a label of an instance or the alternative taken. */
enum bound_kind { BOUND_SLOT, BOUND_SYMBOL, BOUND_NAMED };

struct bound {
    int kind, key, label; /* BOUND_NAMED: as in struct attr_named; else key is the slot or symbol, label -1, k 0 */
    long k;
    int id;
};

enum { BOUND_WORDS = 6 }; /* of a binding in a flat list */

#ifdef __FRAMAC__
#include "attr/bound.acsl"

#define BOUNDS_REQUIRES                                                                        \
    requires list:     0 <= n && \valid_read(p + (0 .. BOUND_WORDS * n - 1)) && bounds_ok(p, n, ns);
#endif

/* Binding j. */
/*@ requires list:     0 <= j && \valid_read(p + (BOUND_WORDS * j .. BOUND_WORDS * j + 5)) && bound_ok(p, j, ns);
    terminates \true;
    exits    never:    \false;
    assigns  \nothing;
    ensures  name:     bound_is(p, j, \result.kind, \result.key, \result.label, \result.k);
    ensures  id:       \result.id == bo_id(p, j);
*/
struct bound bound_at(const unsigned *p, int j) /*@ ghost (int ns) */;

/* 1 + the greatest key of this kind, 0 when there is none. */
/*@ BOUNDS_REQUIRES
    requires kind:     kind == BOUND_SLOT || kind == BOUND_SYMBOL;
    requires slots:    0 <= ns <= INT_MAX;
    terminates \true;
    exits    never:    \false;
    assigns  \nothing;
    ensures  above:    0 <= \result && keys_below(\result, p, n, kind);
    ensures  least:    0 < \result ==> \exists integer j; 0 <= j < n && bo_kind(p, j) == kind && bo_key(p, j) == \result - 1;
*/
int bound_top(const unsigned *p, int n, int kind) /*@ ghost (int ns) */;

/* a[key] becomes what the first binding of this kind and key binds it to, -1 when there is none. */
/*@ BOUNDS_REQUIRES
    requires keys:     0 <= m && \valid(a + (0 .. m - 1)) && keys_below(m, p, n, kind);
    requires kind:     kind == BOUND_SLOT || kind == BOUND_SYMBOL;
    terminates \true;
    exits    never:    \false;
    assigns  a[0 .. m - 1];
    ensures  bound:    keys_bound(a, m, p, n, kind);
*/
void bind_keys(int *a, int m, const unsigned *p, int n, int kind) /*@ ghost (int ns) */;

/* The names bound, in their order; how many they are. */
/*@ BOUNDS_REQUIRES
    requires room:     \valid(a + (0 .. n - 1));
    terminates \true;
    exits    never:    \false;
    assigns  a[0 .. n - 1];
    ensures  count:    0 <= \result <= n;
    ensures  ids:      \forall integer i; 0 <= i < \result ==> 0 <= a[i].id;
    ensures  none:     none_named(a, \result, p, n);
    ensures  bound:    all_named(a, \result, p, n);
*/
int bind_named(struct attr_named *a, const unsigned *p, int n) /*@ ghost (int ns) */;

#endif
