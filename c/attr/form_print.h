/* The parts of the canonical text of expressions. */
#ifndef CALQUE_ATTR_FORM_PRINT_H
#define CALQUE_ATTR_FORM_PRINT_H

#include "attr/value_print.h"

#ifdef __FRAMAC__
#include "attr/forms.acsl"
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

/*@ PRINT_REQUIRES
    terminates \true;
    exits    never:    \false;
    assigns  t->a \from *t;
    assigns  t->n, t->cap, t->failed, *t->mem, { *p | char *p; \true };
    PRINT_KEEPS
    ensures  wrote:    wrote{Pre,Post}(t, add_access(\old(printed(t)), pattern, label));
*/
void form_access(struct text *t, const struct strs *strs, int pattern, int label);

/*@ PRINT_REQUIRES
    terminates \true;
    exits    never:    \false;
    assigns  t->a \from *t;
    assigns  t->n, t->cap, t->failed, *t->mem, { *p | char *p; \true };
    PRINT_KEEPS
    ensures  wrote:    wrote{Pre,Post}(t, add_symbol(\old(printed(t)), symbol));
*/
void form_symbol(struct text *t, const struct strs *strs, int symbol);

/* What stands before the children; z is the number, if there is one. */
/*@ PRINT_REQUIRES
    terminates \true;
    exits    never:    \false;
    assigns  t->a \from *t;
    assigns  t->n, t->cap, t->failed, *t->mem, { *p | char *p; \true };
    PRINT_KEEPS
    ensures  wrote:    wrote{Pre,Post}(t, add_start(\old(printed(t)), kind, op, z));
*/
void form_start(struct text *t, const struct strs *strs, int kind, int op, int z);

/* What stands behind the children. */
/*@ PRINT_REQUIRES
    terminates \true;
    exits    never:    \false;
    assigns  t->a \from *t;
    assigns  t->n, t->cap, t->failed, *t->mem, { *p | char *p; \true };
    PRINT_KEEPS
    ensures  wrote:    wrote{Pre,Post}(t, add_finish(\old(printed(t)), kind, label));
*/
void form_finish(struct text *t, const struct strs *strs, int kind, int label);

/* The constant v. */
/*@ PRINT_REQUIRES
    VALUES_REQUIRES
    requires id:       0 <= v < vs.n;
    terminates \true;
    exits    never:    \false;
    assigns  t->a \from *t;
    assigns  t->n, t->cap, t->failed, *t->mem, { *p | char *p; \true };
    PRINT_KEEPS
    VALUES_KEPT
    ensures  wrote:    wrote{Pre,Post}(t, add_const(\old(printed(t)), \old(val(VALS(vs), v))));
*/
void form_const(struct text *t, struct values vs, const struct strs *strs, int v);

#endif
