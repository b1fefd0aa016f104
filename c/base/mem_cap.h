/* The proved part of growing arrays: the new capacity. mem_grow itself is nothing but this and the allocator. */
#ifndef CALQUE_BASE_MEM_CAP_H
#define CALQUE_BASE_MEM_CAP_H

#include <stdint.h>

/* At least `need` and, when it grows, half more than it was. */
/*@ requires range:    0 <= cap && need <= INT32_MAX / 2;
    terminates \true;
    exits    never:    \false;
    assigns  \nothing;
    ensures  enough:   need <= \result && cap <= \result && 8 <= \result;
    ensures  same:     need <= cap ==> 8 <= cap ==> \result == cap;
    ensures  half:     8 <= cap < need ==> cap + cap / 2 < \result;
    ensures  bound:    \result <= \max(\max(cap, 8), need + need / 2 + 8);
*/
int mem_cap(int cap, int need);

#endif
