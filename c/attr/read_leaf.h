/* Expressions without children read from the canonical text. */
#ifndef CALQUE_ATTR_READ_LEAF_H
#define CALQUE_ATTR_READ_LEAF_H

#include "attr/read_both.h"

#ifdef __FRAMAC__
/* What stands from `from` on: a parenthesis and the word w, or any word; to what comes now a text of the expression read. */
#define OPENED(w) opens(SRC(r), from, r.word, r.at, w)
#define OPENED_BY_WORD                                                                         \
    requires open:     mark(SRC(r), from, '(') && next_word(SRC(r), from + 1, r.word, r.at) && 0 <= from < r.word <= r.at;
#define READS                                                                                  \
    ensures  text:     \result.status == CALQUE_OK ==> from < \result.at &&                    \
                       reads(SRC(\result), from, \result.at, t, \result.id);
#endif

/* Past the number and the label of a pattern; .id is the slot. */
/*@ EXPRS_READ_REQUIRES
    terminates \true;
    exits    never:    \false;
    assigns  *t, *t->mem, *t->values, *t->values->mem, { *p | struct attr_node *p; \true }, { *q | int *q; \true },
             { *s | struct attr_slot *s; \true }, { *v | struct value *v; \true }, { *u | unsigned *u; \true },
             { *c | char *c; \true };
    EXPRS_READ_KEEPS
    ensures  count:    t->node.n == \old(t->node.n);
    ensures  slot:     \result.status == CALQUE_OK ==> 0 <= \result.id < t->slot.n;
    ensures  text:     \result.status == CALQUE_OK ==> slot_text(SRC(\result), r.at, \result.at,
                       t->slot.a[\result.id].pattern, t->slot.a[\result.id].label);
*/
struct reading read_slot(struct reading r, struct attrs *t, struct strs *strs);

/* After "(.". */
/*@ EXPRS_READ_REQUIRES
    requires open:     OPENED(WORD_ACCESS);
    terminates \true;
    exits    never:    \false;
    assigns  *t, *t->mem, *t->values, *t->values->mem, { *p | struct attr_node *p; \true }, { *q | int *q; \true },
             { *s | struct attr_slot *s; \true }, { *v | struct value *v; \true }, { *u | unsigned *u; \true },
             { *c | char *c; \true };
    EXPRS_READ_KEEPS
    EXPR_IS_READ
    READS
*/
struct reading read_access(struct reading r, struct attrs *t, struct strs *strs)
    /*@ ghost (long from) */;

/* After "(sym". */
/*@ EXPRS_READ_REQUIRES
    requires open:     OPENED(WORD_SYMBOL);
    terminates \true;
    exits    never:    \false;
    assigns  *t, *t->mem, { *p | struct attr_node *p; \true }, { *q | int *q; \true }, { *s | struct attr_slot *s; \true };
    EXPRS_READ_KEEPS
    EXPR_IS_READ
    READS
*/
struct reading read_symbol(struct reading r, struct attrs *t)
    /*@ ghost (long from) */;

/* After "(const". Only tuples are written so. */
/*@ EXPRS_READ_REQUIRES
    requires open:     OPENED(WORD_CONST);
    terminates \true;
    exits    never:    \false;
    assigns  *t, *t->mem, *t->values, *t->values->mem, { *p | struct attr_node *p; \true }, { *q | int *q; \true },
             { *s | struct attr_slot *s; \true }, { *v | struct value *v; \true }, { *u | unsigned *u; \true },
             { *c | char *c; \true };
    EXPRS_READ_KEEPS
    EXPR_IS_READ
    READS
*/
struct reading read_const(struct reading r, struct attrs *t, struct strs *strs)
    /*@ ghost (long from) */;

/* After blanks, what does not begin with a parenthesis: `_` or a constant. */
/*@ EXPRS_READ_REQUIRES
    requires plain:    !mark(SRC(r), r.at, '(') && (r.at < r.n ==> !blank(chr(SRC(r), r.at)));
    terminates \true;
    exits    never:    \false;
    assigns  *t, *t->mem, *t->values, *t->values->mem, { *p | struct attr_node *p; \true }, { *q | int *q; \true },
             { *s | struct attr_slot *s; \true }, { *v | struct value *v; \true }, { *u | unsigned *u; \true },
             { *c | char *c; \true };
    EXPRS_READ_KEEPS
    EXPR_IS_READ
    ensures  text:     \result.status == CALQUE_OK ==> r.at < \result.at && reads(SRC(\result), r.at, \result.at, t, \result.id);
*/
struct reading read_leaf(struct reading r, struct attrs *t, struct strs *strs);

#endif
