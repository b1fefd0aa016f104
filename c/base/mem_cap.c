/* How much to reserve: a capacity that doubles and does not overflow. */
#include "base/mem_cap.h"

int mem_cap(int cap, int need)
{
    int c = cap < 8 ? 8 : cap;

    /*@ loop invariant below: \max(cap, 8) <= c && (c == \max(cap, 8) || c <= need + need / 2 + 8);
        loop invariant half:  c == \max(cap, 8) || (8 <= cap ==> cap + cap / 2 < c);
        loop invariant same:  need <= \max(cap, 8) ==> c == \max(cap, 8);
        loop assigns c;
        loop variant need - c;
    */
    while (c < need)
        c += c / 2 + 8;
    return c;
}
