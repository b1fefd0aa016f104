#include "rewrite/splice_keys.h"

void splice_keys(const struct use_node *use, const long *work, int n, int done, struct match_key *key)
{
    /*@ loop invariant range:  0 <= k <= done;
        loop invariant labels: \forall integer j; 0 <= j < k ==> key[j].order == use[work[n - 1 - j]].order;
        loop invariant nodes:  \forall integer j; 0 <= j < k ==> key[j].node == work[n - 1 - j];
        loop assigns k, key[0 .. done - 1];
        loop variant done - k;
    */
    for (int k = 0; k < done; k++) {
        int node = (int)work[n - 1 - k];

        key[k].order = use[node].order;
        key[k].node = node;
    }
}
