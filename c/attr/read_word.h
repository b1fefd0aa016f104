/* Words of the canonical text, one after the other. */
#ifndef CALQUE_ATTR_READ_WORD_H
#define CALQUE_ATTR_READ_WORD_H

#include "attr/scan.h"
#include "attr/words.h"
#include "base/status.h"

struct reading {
    const char *text;
    long n, at;                /* text[at .. n - 1] is left */
    long word;                 /* the word read last is text[word .. at - 1] */
    long number;               /* the number read last */
    int depth;                 /* open parentheses */
    int id;                    /* the value or expression read last; -1: an error */
    unsigned *ids;             /* those of tuples and operations that are not read to the end */
    int nids, capids;
    enum calque_status status; /* the first error: CALQUE_BAD malformed, CALQUE_LIMIT, CALQUE_NOMEM */
};

#ifdef __FRAMAC__
#include "attr/reading.acsl"

/* What it reads. */
#define SRC(r) source_of((r).text, (r).n)
#define READ_REQUIRES                                                                          \
    requires text:     readable(r);                                                            \
    requires fine:     r.status == CALQUE_OK;
#define READ_KEEPS                                                                             \
    ensures  forward:  further(r, \result);
#endif

/* The first error is the one that is reported. */
/*@ requires text:     readable(r);
    terminates \true;
    exits    never:    \false;
    assigns  \nothing;
    ensures  forward:  further(r, \result) && \result.at == r.at && \result.word == r.word;
    ensures  status:   \result.status == (r.status == CALQUE_OK ? status : r.status);
    ensures  none:     \result.id == -1;
*/
struct reading read_fail(struct reading r, enum calque_status status);

/* Past blanks. */
/*@ requires text:     readable(r);
    terminates \true;
    exits    never:    \false;
    assigns  \nothing;
    ensures  rest:     \result == {r \with .at = \result.at};
    READ_KEEPS
    ensures  blanks:   skips(SRC(r), r.at, \result.at);
*/
struct reading read_blanks(struct reading r);

/* Does c come next? */
/*@ requires text:     readable(r);
    terminates \true;
    exits    never:    \false;
    assigns  \nothing;
    ensures  result:   \result == 0 || \result == 1;
    ensures  mark:     \result == 1 <==> mark(SRC(r), r.at, c);
*/
bool read_sees(struct reading r, char c);

/* Past blanks and c, which must be there. */
/*@ READ_REQUIRES
    requires mark:     !blank(c);
    terminates \true;
    exits    never:    \false;
    assigns  \nothing;
    READ_KEEPS
    ensures  status:   \result.status == CALQUE_OK || \result.status == CALQUE_BAD;
    ensures  mark:     \result.status == CALQUE_OK ==> marks(SRC(r), r.at, \result.at, c);
    ensures  none:     \result.status == CALQUE_BAD ==> \result.id == -1 && \forall integer b; !marks(SRC(r), r.at, b, c);
*/
struct reading read_mark(struct reading r, char c);

/* Past blanks and a word. */
/*@ requires text:     readable(r);
    terminates \true;
    exits    never:    \false;
    assigns  \nothing;
    ensures  rest:     \result == {{r \with .at = \result.at} \with .word = \result.word};
    READ_KEEPS
    ensures  word:     r.at <= \result.word <= \result.at && next_word(SRC(r), r.at, \result.word, \result.at);
*/
struct reading read_word(struct reading r);

#define WORD_REQUIRES                                                                          \
    requires text:     readable(r) && 0 <= r.word <= r.at;

/* Is the word read last this one? */
/*@ WORD_REQUIRES
    requires known:    0 <= w < WORDS;
    terminates \true;
    exits    never:    \false;
    assigns  \nothing;
    ensures  result:   \result == 0 || \result == 1;
    ensures  word:     \result == 1 <==> spelled(SRC(r), r.word, r.at, w);
*/
bool read_is(struct reading r, int w);

/* Is it one of the n words from `first` on? Its number among them, or -1. */
/*@ WORD_REQUIRES
    requires known:    0 <= first && 0 <= n && first + n <= WORDS;
    terminates \true;
    exits    never:    \false;
    assigns  \nothing;
    ensures  found:    \result >= 0 ==> \result < n && spelled(SRC(r), r.word, r.at, first + \result);
    ensures  none:     \result < 0 ==> \result == -1 &&
                       \forall integer k; 0 <= k < n ==> !spelled(SRC(r), r.word, r.at, first + k);
*/
int read_among(struct reading r, int first, int n);

/* Is it a number of 64 bits? Then that is in .number. */
struct read_long {
    bool ok;
    long z;
};
/*@ WORD_REQUIRES
    terminates \true;
    exits    never:    \false;
    assigns  \nothing;
    ensures  result:   \result.ok == 0 || \result.ok == 1;
    ensures  number:   \result.ok == 1 ==> int_word(SRC(r), r.word, r.at, \result.z);
    ensures  natural:  \result.ok == 1 ==> chr(SRC(r), r.word) != '-' ==> 0 <= \result.z;
    ensures  none:     \result.ok == 0 ==> \forall integer z; !int_word(SRC(r), r.word, r.at, z);
*/
struct read_long read_long(struct reading r);

/* Is it a name? */
/*@ WORD_REQUIRES
    terminates \true;
    exits    never:    \false;
    assigns  \nothing;
    ensures  result:   \result == 0 || \result == 1;
    ensures  name:     \result == 1 <==> name_word(SRC(r), r.word, r.at);
*/
bool read_is_name(struct reading r);

/* Past blanks and the number of a pattern or symbol, which must be there. */
/*@ READ_REQUIRES
    terminates \true;
    exits    never:    \false;
    assigns  \nothing;
    READ_KEEPS
    ensures  status:   \result.status == CALQUE_OK || \result.status == CALQUE_BAD && \result.id == -1;
    ensures  word:     r.at <= \result.word <= \result.at && next_word(SRC(r), r.at, \result.word, \result.at);
    ensures  number:   \result.status == CALQUE_OK ==> 0 <= \result.number <= INT_MAX &&
                       count_word(SRC(r), \result.word, \result.at, \result.number);
    ensures  none:     \result.status == CALQUE_BAD ==>
                       \forall integer z; !count_word(SRC(r), \result.word, \result.at, z);
*/
struct reading read_count(struct reading r);

/* Past a name, and blanks before it. */
/*@ READ_REQUIRES
    terminates \true;
    exits    never:    \false;
    assigns  \nothing;
    READ_KEEPS
    ensures  status:   \result.status == CALQUE_OK || \result.status == CALQUE_BAD && \result.id == -1;
    ensures  word:     r.at <= \result.word <= \result.at && next_word(SRC(r), r.at, \result.word, \result.at);
    ensures  name:     \result.status == CALQUE_OK <==> name_word(SRC(r), \result.word, \result.at);
*/
struct reading read_name(struct reading r);

/* Past the end of a character that a backslash begins, which is passed already; the character, or -1: malformed. */
struct read_char {
    long at;
    int c;
};
/*@ requires text:     readable(r);
    terminates \true;
    exits    never:    \false;
    assigns  \nothing;
    ensures  escaped:  -1 <= \result.c == escaped_at(SRC(r), r.at) <= 255;
    ensures  length:   0 <= \result.c ==> \result.at == r.at + escape_len(chr(SRC(r), r.at)) <= r.n;
    ensures  none:     \result.c < 0 ==> \result.at == r.at;
*/
struct read_char read_escape(struct reading r);

#endif
