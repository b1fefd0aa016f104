/* Tuples of equal elements are equal. Guards: values.acsl. */
#include "attr/value_internal.h"

/*@ requires valid: valid_values(vs);
    requires wf:    WF_VALUES(vs);
    requires room:  0 < vs.n && vs.npool == 0 && 2 <= vs.cappool;
    requires elems: vs.pool[0] == 0 && vs.pool[1] == 0;
*/
void client_two_tuples(struct values vs)
{
    struct values ws = vs;
    struct value_step r = value_put_tuple(vs, 1), q;

    /*@ assert wf:   r.code == STEP_DONE ==> wf_values(vs.v, vs.pool, r.n, r.npool); */
    ws.n = r.code == STEP_DONE ? r.n : vs.n;
    ws.npool = r.code == STEP_DONE ? r.npool : 0;
    /*@ assert wf2:  WF_VALUES(ws); */
    q = value_put_tuple(ws, 1);
    if (r.code == STEP_DONE && q.code == STEP_DONE) {
        /*@ assert first:  v_len(val(VALS(ws), r.id)) == 1 && v_nth(val(VALS(ws), r.id), 0) == val(VALS(ws), 0); */
        /*@ assert second: v_len(val(vals_of(vs.v, vs.pool, q.n, q.npool), q.id)) == 1; */
        /*@ assert nums:   vs.v[r.id].num == 0 && vs.v[q.id].num == 0; */
    }
    /*@ assert BOOM: \false; */
}

/* Equality decides, either way round. */
/*@ requires valid: valid_values(vs);
    requires wf:    WF_VALUES(vs);
    requires ids:   0 <= a < vs.n && 0 <= b < vs.n;
*/
void client_two_comparisons(struct values vs, int a, int b)
{
    int x = value_same(vs, a, b), y = value_same(vs, b, a), z = value_same(vs, a, a);

    /*@ assert same: x == y && z == 1; */
    /*@ assert num:  x == 1 ==> vs.v[a].kind == vs.v[b].kind && vs.v[a].num == vs.v[b].num; */
    /*@ assert BOOM: \false; */
}
