/* The canonical text of expressions. */
#ifndef CALQUE_ATTR_EXPR_PRINT_H
#define CALQUE_ATTR_EXPR_PRINT_H

#include "attr/attr_kids.h"
#include "attr/form_print.h"

#ifdef __FRAMAC__
#include "attr/print_expr.acsl"

/* Expressions es, constants of which are among the values vs, and their slots. */
#define SLOTS slots_of(slot, es.nslot)
#define EXPR_REQUIRES                                                                          \
    PRINT_REQUIRES                                                                             \
    requires source:   valid_source(es, vs, slot) && apart_source(t, t->mem, es, vs, slot);    \
    requires wf:       wf_source(es, vs);
#define EXPR_KEEPS                                                                             \
    PRINT_KEEPS                                                                                \
    ensures  same:     same_source{Pre,Post}(es, vs, slot);
#endif

/* Appends the text of expression i. */
/*@ EXPR_REQUIRES
    requires id:       0 <= i < es.n;
    terminates \true;
    decreases 3 * es.node[i].depth + 2;
    exits    never:    \false;
    assigns  t->a \from *t;
    assigns  t->n, t->cap, t->failed, *t->mem, { *p | char *p; \true };
    EXPR_KEEPS
    ensures  wrote:    wrote{Pre,Post}(t, add_expr(\old(printed(t)), \old(SLOTS), \old(tree(es, vs, i))));
*/
void expr_write(struct text *t, struct attr_put es, struct values vs, const struct attr_slot *slot,
                const struct strs *strs, int i);

#endif
