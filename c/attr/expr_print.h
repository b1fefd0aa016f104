/* The canonical text of expressions. */
#ifndef CALQUE_ATTR_EXPR_PRINT_H
#define CALQUE_ATTR_EXPR_PRINT_H

#include "attr/attr_put.h"
#include "attr/value_print.h"

#ifdef __FRAMAC__
#include "attr/print_expr.acsl"

/* Expressions es, constants of which are among the values vs, and their slots. */
#define SLOTS slots_of(slot, es.nslot)
#define EXPR_REQUIRES                                                                          \
    PRINT_REQUIRES                                                                             \
    requires source:   valid_source(es, vs, slot) && apart_source(t, t->mem, es, vs, slot);  \
    requires wf:       wf_source(es, vs);
#define EXPR_KEEPS                                                                             \
    PRINT_KEEPS                                                                                \
    ensures  same:     same_source{Pre,Post}(es, vs, slot);
#endif

/* The words of operations; WORD_UNKNOWN: op is none. */
/*@ terminates \true;
    exits    never:    \false;
    assigns  \nothing;
    ensures  word:     0 <= \result == unary_word(op) < WORDS;
*/
int attr_unary_word(int op);
/*@ terminates \true;
    exits    never:    \false;
    assigns  \nothing;
    ensures  word:     0 <= \result == binary_word(op) < WORDS;
*/
int attr_binary_word(int op);
/*@ terminates \true;
    exits    never:    \false;
    assigns  \nothing;
    ensures  word:     0 <= \result == reduction_word(op) < WORDS;
*/
int attr_reduction_word(int op);
/*@ terminates \true;
    exits    never:    \false;
    assigns  \nothing;
    ensures  word:     0 <= \result == func_word(op) < WORDS;
*/
int attr_func_word(int op);

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
