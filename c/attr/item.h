/* Elements of tuples, read and written. */
#ifndef CALQUE_ATTR_ITEM_H
#define CALQUE_ATTR_ITEM_H

#include "attr/value_core.h"

/* Element k of tuple x. */
/*@ OP_REQUIRES
    requires tuple:    0 <= x < vs.n && vs.v[x].kind == VALUE_TUPLE;
    requires element:  0 <= k < vs.v[x].len;
    terminates \true;
    exits    never:    \false;
    assigns  \nothing;
    ensures  id:       0 <= \result < vs.n;
    ensures  nth:      val(VALS(vs), \result) == v_nth(val(VALS(vs), x), k);
*/
int value_item(struct values vs, int x, int k);

/* pool[npool + k] = id, after the first k. */
/*@ OP_REQUIRES
    requires room:     0 <= k < vs.cappool - vs.npool;
    terminates \true;
    exits    never:    \false;
    assigns  vs.pool[vs.npool + k];
    ensures  set:      vs.pool[vs.npool + k] == id;
    ensures  below:    \forall integer j; vs.npool <= j < vs.npool + k ==> vs.pool[j] == \old(vs.pool[j]);
    ensures  same:     same_values{Pre,Post}(vs.v, vs.pool, vs.n, vs.npool);
    ensures  wf:       WF_VALUES(vs);
    ensures  ext:      extends(\old(VALS(vs)), VALS(vs), vs.n);
*/
void value_put_item(struct values vs, int k, int id);

#endif
