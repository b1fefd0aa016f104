#include "attr/item.h"

int value_item(struct values vs, int x, int k)
{
    /*@ assert wf: wf_value(vs.v, vs.pool, x) && vs.v[x].first + vs.v[x].len <= vs.npool; */
    return vs.pool[vs.v[x].first + k];
}

void value_put_item(struct values vs, int k, int id)
{
    vs.pool[vs.npool + k] = id;
    /*@ assert same: same_values{Pre,Here}(vs.v, vs.pool, vs.n, vs.npool); */
}
