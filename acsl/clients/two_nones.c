/* Two values that are equal in the model are equal in every field that the theory reads. Guards: values.acsl. */
#include "attr/value_internal.h"

/*@ requires valid: valid_values(vs);
    requires wf:    WF_VALUES(vs);
    requires room:  vs.n + 2 <= vs.cap;
    assigns vs.v[vs.n .. vs.cap - 1];
*/
void client_two_nones(struct values vs)
{
    struct value_step r = value_put(vs, VALUE_NONE, 0);
    struct values ws = vs;

    ws.n = r.n;
    ws.npool = r.npool;
    /*@ assert wf: WF_VALUES(ws); */
    struct value_step q = value_put(ws, VALUE_NONE, 0);
    /*@ assert done: r.code == STEP_DONE && q.code == STEP_DONE; */
    /*@ assert none: v_kind(val(vals_of(vs.v, vs.pool, q.n, q.npool), q.id)) == VALUE_NONE; */
    /*@ assert same: val(vals_of(vs.v, vs.pool, q.n, q.npool), r.id) == val(vals_of(vs.v, vs.pool, q.n, q.npool), q.id); */
    /*@ assert num:  vs.v[r.id].num == vs.v[q.id].num; */
    /*@ assert BOOM: \false; */
}
