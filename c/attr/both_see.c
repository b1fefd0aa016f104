#include "attr/both_see.h"

#include "attr/attr_new.h"

#ifdef __FRAMAC__
#include "attr/both_stay.acsl"
#endif

bool both_see(struct attrs *t, int symbol)
{
    /*@ ghost struct values *vs = t->values; */
    bool r;

    /*@ assert offv:  values_off_field(&t->nsymbol, vs->v, vs->n); */
    r = attr_see_symbol(t, symbol);
    /*@ assert nodes: same_nodes{Pre,Here}(\at(t->values->v, Pre), \at(t->values->n, Pre)); */
    /*@ assert pool:  same_pool{Pre,Here}(\at(t->values->pool, Pre), \at(t->values->npool, Pre)); */
    /*@ assert field: same_fields{Pre,Here}(vs); */
    /*@ assert place: same_arrays{Pre,Here}(t); */
    /*@ assert stay:  values_stay{Pre,Here}(vs); */
    /*@ assert apart: apart_both(t) && apart_values(vs); */
    /*@ assert wf:    WF_VALUES(*vs); */
    /*@ assert held:  held_values(vs); */
    /*@ assert vals:  kept_values{Pre,Here}(t); */
    /*@ assert trees: trees_stay{Pre,Here}(t); */
    return r;
}
