/* The bindings of an environment that is read: of two of one name the first counts. */
#ifndef CALQUE_ATTR_READ_ENV_H
#define CALQUE_ATTR_READ_ENV_H

#include "base/mem.h"

/* What is bound to label `label` of instance k of a pattern. */
struct attr_named {
    int pattern, label; /* label -1, k 0: alternative `id` of the pattern was taken */
    long k;
    int id;
};

struct attr_nameds {
    struct attr_named *a;
    int n, cap;
};

#ifdef __FRAMAC__
#include "attr/named.acsl"
#endif

/* The first binding of this name, or -1. */
/*@ requires valid:    0 <= n && \valid_read(a + (0 .. n - 1));
    terminates \true;
    exits    never:    \false;
    assigns  \nothing;
    ensures  range:    -1 <= \result < n;
    ensures  found:    0 <= \result ==> first_named(a, n, \result, pattern, label, k);
    ensures  only:     \forall integer j; first_named(a, n, j, pattern, label, k) ==> \result == j;
    ensures  none:     \result == -1 <==> unnamed(a, n, pattern, label, k);
*/
int named_find(const struct attr_named *a, int n, int pattern, int label, long k);

/* What a name is bound to, by the first binding, or -1. */
/*@ requires valid:    0 <= n && \valid_read(a + (0 .. n - 1));
    requires ids:      \forall integer j; 0 <= j < n ==> 0 <= a[j].id;
    terminates \true;
    exits    never:    \false;
    assigns  \nothing;
    ensures  bound:    \forall integer j; first_named(a, n, j, pattern, label, k) ==> \result == a[j].id;
    ensures  none:     \result == -1 <==> unnamed(a, n, pattern, label, k);
*/
int named_id(const struct attr_named *a, int n, int pattern, int label, long k);

/* Entries n .. to - 1 are unbound. */
/*@ requires valid:    0 <= n <= to && \valid(a + (0 .. to - 1));
    terminates \true;
    exits    never:    \false;
    assigns  a[n .. to - 1];
    ensures  unbound:  \forall integer k; n <= k < to ==> a[k] == -1;
*/
void unbound_fill(int *a, int n, int to);

/* Entry k becomes id, unless it is bound already. */
/*@ requires valid:    0 <= k && \valid(a + k);
    terminates \true;
    exits    never:    \false;
    assigns  a[k];
    ensures  first:    a[k] == (\old(a[k]) < 0 ? id : \old(a[k]));
*/
void bind_first(int *a, int k, int id);

#endif
