/* The canonical text of values. */
#ifndef CALQUE_ATTR_VALUE_PRINT_H
#define CALQUE_ATTR_VALUE_PRINT_H

#include "attr/word_put.h"

/* Appends the text of value id. */
/*@ PRINT_REQUIRES
    requires values:   \valid_read(vs) && valid_values(*vs) && apart_text(t, t->mem, *vs);
    requires wf:       WF_VALUES(*vs) && string_ids(vs->v, vs->n);
    requires id:       0 <= id < vs->n;
    terminates \true;
    exits    never:    \false;
    assigns  t->a \from *t;
    assigns  t->n, t->cap, t->failed, *t->mem, { *p | char *p; \true };
    PRINT_KEEPS
    ensures  same:     same_values{Pre,Post}(\old(vs->v), \old(vs->pool), \old(vs->n), \old(vs->npool));
    ensures  wrote:    wrote{Pre,Post}(t, add_value(\old(printed(t)), \old(val(VALS(*vs), id))));
*/
void value_print(struct text *t, const struct values *vs, const struct strs *strs, int id);

#endif
