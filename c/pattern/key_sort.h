/* Nodes in the order of their labels. */
#ifndef CALQUE_PATTERN_KEY_SORT_H
#define CALQUE_PATTERN_KEY_SORT_H

#include "pattern/match.h"

#ifdef __FRAMAC__
#include "pattern/keys.acsl"
#endif

/* The same keys by growing labels. */
/*@ requires valid:    0 <= n && \valid(a + (0 .. n - 1));
    terminates \true;
    exits    never:    \false;
    assigns  a[0 .. n - 1];
    ensures  sorted:   keys_sorted(a, n);
    ensures  distinct: keys_distinct{Pre}(a, n) ==> keys_distinct(a, n);
    ensures  same:     keys_among{Pre,Post}(a, n) && keys_among{Post,Pre}(a, n);
*/
void key_sort(struct match_key *a, int n);

#endif
