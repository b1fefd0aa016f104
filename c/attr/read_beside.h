/* Constants read beside the expressions that are there. */
#ifndef CALQUE_ATTR_READ_BESIDE_H
#define CALQUE_ATTR_READ_BESIDE_H

#include "attr/read_both.h"

/* read_constant, and everything else is there: .id is a value. */
/*@ EXPRS_READ_REQUIRES
    terminates \true;
    exits    never:    \false;
    assigns  *t->values, *t->values->mem, { *p | struct value *p; \true }, { *q | int *q; \true },
             { *u | unsigned *u; \true }, { *c | char *c; \true };
    EXPRS_READ_KEEPS
    ensures  id:       \result.status == CALQUE_OK ==> 0 <= \result.id < t->values->n;
    ensures  value:    \result.status == CALQUE_OK ==> r.at < \result.at &&
                       value_text(SRC(\result), r.at, \result.at, val(VALS(*t->values), \result.id), -1);
*/
struct reading read_value_of(struct reading r, struct attrs *t, struct strs *strs);

#endif
