/* Memory of values: room made twice, scratch, a larger arena. Guards: value_internal.h, values.acsl. */
/* No client: value_bits value_unbits text_hex: the provers stop with an error on floats. No axiom speaks of float_bits. */
#include "attr/value_internal.h"

/*@ requires ready: ready_values(vs) && vs->n > 0; */
void client_values_room(struct values *vs)
{
    bool a = values_room(vs, 2, 1) /*@ ghost ((int *)0, 0, (long *)0, 0) */;
    /*@ ghost Once: ; */
    bool b = values_room(vs, 2, 1) /*@ ghost ((int *)0, 0, (long *)0, 0) */;

    /*@ assert had:  a == 1 ==> b == 1; */
    /*@ assert wf:   WF_VALUES(*vs); */
    /*@ assert same: vs->n == \at(vs->n, Pre) && vs->v[0].num == \at(vs->v[0].num, Pre); */
    /*@ assert BOOM: \false; */
}

/*@ requires ready: ready_values(vs); */
void client_values_scratch(struct values *vs)
{
    int *a = values_scratch(vs, 2) /*@ ghost ((int *)0, 0) */, *b;
    b = a ? values_scratch(vs, 2) /*@ ghost (a, 2) */ : a;
    if (a && b) {
        a[0] = 1;
        b[0] = 2;
        /*@ assert apart: a[0] == 1; */
    }
    values_scratch_free(b);
    values_scratch_free(a);
    /*@ assert header: vs->n == \at(vs->n, Pre); */
    /*@ assert BOOM: \false; */
}

/*@ requires ready: ready_values(vs); */
void client_values_made(struct values *vs)
{
    int a = value_none(vs), b = value_none(vs), c = value_int(vs, 7), d = value_int(vs, 7);

    /*@ assert nones: a >= 0 && b >= 0 ==> val(VALS(*vs), a) == val(VALS(*vs), b) && a != b; */
    /*@ assert ints:  c >= 0 && d >= 0 ==> val(VALS(*vs), c) == val(VALS(*vs), d) == int_value(7); */
    /*@ assert BOOM: \false; */
}
