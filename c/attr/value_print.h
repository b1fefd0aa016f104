/* The canonical text of values. */
#ifndef CALQUE_ATTR_VALUE_PRINT_H
#define CALQUE_ATTR_VALUE_PRINT_H

#include "attr/word_put.h"

#ifdef __FRAMAC__
#define VALUES_REQUIRES                                                                        \
    requires values:   valid_values(vs) && apart_text(t, t->mem, vs);                          \
    requires wf:       WF_VALUES(vs) && string_ids(vs.v, vs.n);
#define VALUES_KEPT                                                                            \
    ensures  same:     same_values{Pre,Post}(vs.v, vs.pool, vs.n, vs.npool);
#endif

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

/* The same, for proofs: the arena as it is. */
/*@ PRINT_REQUIRES
    VALUES_REQUIRES
    requires id:       0 <= id < vs.n;
    terminates \true;
    decreases 2 * vs.v[id].depth + 1;
    exits    never:    \false;
    assigns  t->a \from *t;
    assigns  t->n, t->cap, t->failed, *t->mem, { *p | char *p; \true };
    PRINT_KEEPS
    VALUES_KEPT
    ensures  wrote:    wrote{Pre,Post}(t, add_value(\old(printed(t)), \old(val(VALS(vs), id))));
*/
void value_write(struct text *t, struct values vs, const struct strs *strs, int id);

#endif
