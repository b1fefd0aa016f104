#include "attr/memo_due.h"

bool memo_due(struct attr_memo_class *of, int n, int i)
{
    struct attr_memo_class *c = &of[of[i].first];

    (void)n;
    /*@ assert first: first_ok(of, i); */
    if (!of[i].marked || !c->keep || c->tried)
        return false;
    c->tried = true;
    return true;
}

void memo_mark_only(struct attr_put t, struct attr_memo_class *of, int a)
{
    /*@ assert fields: \forall integer i, k; &of[k].marked != &of[i].keep; */
    memo_mark(t, of, a);
}
