/* Contract of reading a value as a number (proved in value.c). */
#ifndef CALQUE_ATTR_VALUE_REAL_H
#define CALQUE_ATTR_VALUE_REAL_H

#include "attr/value_room.h"

/*@ requires valid:    \valid_read(vs) && valid_values(*vs);
    requires wf:       WF_VALUES(*vs);
    requires id:       0 <= id < vs->n && vs->v[id].kind == VALUE_FLOAT;
    terminates \true;
    exits    never:    \false;
    assigns  \nothing;
    ensures  real:     float_bits(\result, v_num(val(VALS(*vs), id)));
*/
double value_real(const struct values *vs, int id);

#endif
