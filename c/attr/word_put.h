/* Words, names and strings written into a text. */
#ifndef CALQUE_ATTR_WORD_PUT_H
#define CALQUE_ATTR_WORD_PUT_H

#include "attr/words.h"
#include "base/strs.h"
#include "base/text.h"

#ifdef __FRAMAC__
#include "attr/value_core.h"
#include "attr/print.acsl"

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

#endif
