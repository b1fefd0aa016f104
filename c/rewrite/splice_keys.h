/* What a substitution's check has found, with its labels. */
#ifndef CALQUE_REWRITE_SPLICE_KEYS_H
#define CALQUE_REWRITE_SPLICE_KEYS_H

#include <limits.h>

#include "pattern/match.h"

/* The nodes that a walk has taken, work[n - done .. n - 1], the first one first. */
/*@ requires valid:    0 <= done <= n && \valid_read(work + (0 .. n - 1)) && \valid(key + (0 .. done - 1));
    requires nodes:    \forall integer j; n - done <= j < n ==> 0 <= work[j] <= INT_MAX && \valid_read(use + work[j]);
    requires apart:    \base_addr(key) != \base_addr(use);
    terminates \true;
    exits    never:    \false;
    assigns  key[0 .. done - 1];
    ensures  nodes:    \forall integer k; 0 <= k < done ==> key[k].node == work[n - 1 - k];
    ensures  labels:   \forall integer k; 0 <= k < done ==> key[k].order == use[work[n - 1 - k]].order;
*/
void splice_keys(const struct use_node *use, const long *work, int n, int done, struct match_key *key);

#endif
