/* The canonical text of values. */
#ifndef CALQUE_ATTR_VALUE_PRINT_H
#define CALQUE_ATTR_VALUE_PRINT_H

#include "attr/word_put.h"

/* Appends the text of value id. */
/*@ PRINT_REQUIRES
    requires values:   readable_values(vs) && apart_values_text(t, vs);
    requires id:       0 <= id < vs->n;
    terminates \true;
    decreases 2 * vs->v[id].depth + 1;
    exits    never:    \false;
    assigns  t->a \from *t;
    assigns  t->n, t->cap, t->failed, *t->mem, { *p | char *p; \true };
    PRINT_KEEPS
    ensures  values:   readable_values(vs) && apart_values_text(t, vs) && kept_values{Pre,Post}(vs);
    ensures  wrote:    wrote{Pre,Post}(t, add_value(\old(printed(t)), \old(val(VALS(*vs), id))));
*/
void value_print(struct text *t, const struct values *vs, const struct strs *strs, int id);

#endif
