/* Canonical text of values and expressions. */
#ifndef CALQUE_ATTR_PRINT_H
#define CALQUE_ATTR_PRINT_H

#include "attr/attr.h"
#include "attr/attr_internal.h"
#include "attr/value_internal.h"
#include "base/strs.h"
#include "base/text.h"

enum { WORD_LETTERS = 8 }; /* letters of a word */

/* The names of operations stand in the order of the operations: first WORD_OF_UNARY + op, and so on. */
enum attr_word {
#define WORD(name, text) WORD_##name,
#include "attr/words.def"
#define ATTR_UNARY_OP(name, text, meaning) WORD_##name,
#define ATTR_BINARY_OP(name, text, meaning) WORD_##name,
#define ATTR_REDUCTION(name, text, meaning) WORD_##name,
#define ATTR_FUNC_OP(name, text, meaning) WORD_##name,
#include "attr/attr_ops.def"
    WORDS,
    WORD_OF_UNARY = WORD_NEG,
    WORD_OF_BINARY = WORD_ADD,
    WORD_OF_REDUCTION = WORD_SUM,
    WORD_OF_FUNC = WORD_IN
};

#ifdef __FRAMAC__
#include "attr/print.acsl"
#endif

/* The word: its letters, and NULs up to WORD_LETTERS. */
/*@ requires word:     0 <= w < WORDS;
    terminates \true;
    exits    never:    \false;
    assigns  \result \from w;
    ensures  valid:    \valid_read(\result + (0 .. WORD_LETTERS));
    ensures  letters:  spells(\result, w);
*/
const char *word_text(int w);

/* Letter k of the word; NUL: there are fewer. */
/*@ requires word:     0 <= w < WORDS;
    requires place:    0 <= k < WORD_LETTERS;
    terminates \true;
    exits    never:    \false;
    assigns  \nothing;
    ensures  letter:   \result == word_char(w, k);
*/
char word_letter(int w, int k);

/* Words, names and strings written into a text. */
#ifdef __FRAMAC__
#define PRINT_REQUIRES                                                                         \
    requires text:     held_text(t);                                                           \
    requires strings:  apart_strs(t, strs);
#define PRINT_KEEPS                                                                            \
    ensures  text:     held_text(t) && t->mem == \old(t->mem);                                 \
    ensures  strings:  apart_strs(t, strs);
#endif

/* A word. */
/*@ TEXT_REQUIRES
    requires word:     0 <= w < WORDS;
    terminates \true;
    exits    never:    \false;
    assigns  t->a \from *t;
    assigns  t->n, t->cap, t->failed, *t->mem, { *p | char *p; \true };
    TEXT_KEEPS
    ensures  wrote:    wrote{Pre,Post}(t, add_word(\old(printed(t)), w));
*/
void word_put(struct text *t, int w);

/* A string as it is. */
/*@ PRINT_REQUIRES
    terminates \true;
    exits    never:    \false;
    assigns  t->a \from *t;
    assigns  t->n, t->cap, t->failed, *t->mem, { *p | char *p; \true };
    PRINT_KEEPS
    ensures  wrote:    wrote{Pre,Post}(t, add_name(\old(printed(t)), id));
*/
void name_put(struct text *t, const struct strs *strs, int id);

/* A string in quotes. */
/*@ PRINT_REQUIRES
    terminates \true;
    exits    never:    \false;
    assigns  t->a \from *t;
    assigns  t->n, t->cap, t->failed, *t->mem, { *p | char *p; \true };
    PRINT_KEEPS
    ensures  wrote:    wrote{Pre,Post}(t, add_string(\old(printed(t)), id));
*/
void string_put(struct text *t, const struct strs *strs, int id);

/* The canonical text of values. */
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

/* The parts of the canonical text of expressions. */
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

/* The canonical text of expressions. */
#ifdef __FRAMAC__
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
