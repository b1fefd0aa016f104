#include "attr/run_core.h"

int attr_ids_ok(const int *id, int n, int nv)
{
    /*@ loop invariant range: 0 <= s && (0 <= n ==> s <= n);
        loop invariant ids:   \forall integer j; 0 <= j < s ==> -1 <= id[j] < nv;
        loop assigns s;
        loop variant n - s;
    */
    for (int s = 0; s < n; s++)
        if (id[s] < -1 || id[s] >= nv)
            return 0;
    return n >= 0;
}

void attr_put_symbols(unsigned long *symbol, int nsymbol, const int *id, int n, int nv)
{
    (void)nv;
    /*@ loop invariant range: 0 <= s && (0 <= nsymbol ==> s <= nsymbol);
        loop invariant bound: \forall integer j; 0 <= j < s ==> j < n ==> symbol[j] == id[j] + 1;
        loop invariant rest:  \forall integer j; n <= j < s ==> symbol[j] == 0;
        loop assigns s, symbol[0 .. nsymbol - 1];
        loop variant nsymbol - s;
    */
    for (int s = 0; s < nsymbol; s++)
        symbol[s] = s < n ? (unsigned long)(id[s] + 1L) : 0;
}

struct attr_answer attr_answer_of(int slot, long k, int id)
{
    struct attr_answer x = { .slot = (unsigned long)(slot + 1), .k = (unsigned long)k,
                             .id = id < 0 ? 0 : (unsigned long)id + 1 };
    return x;
}

int attr_answer_order(const struct attr_answer *x, const struct attr_answer *y)
{
    if (x->slot != y->slot)
        return x->slot < y->slot ? -1 : 1;
    return x->k < y->k ? -1 : x->k > y->k;
}
