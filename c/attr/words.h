/* The words of the canonical text. */
#ifndef CALQUE_ATTR_WORDS_H
#define CALQUE_ATTR_WORDS_H

#include "attr/attr.h"

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
#include "attr/words.acsl"
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

#endif
