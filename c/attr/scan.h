/* The words of the canonical text: where they end, and what they say. */
#ifndef CALQUE_ATTR_SCAN_H
#define CALQUE_ATTR_SCAN_H

enum { SCAN_NUMBER_MAX = 63 }; /* characters of a number */

#ifdef __FRAMAC__
#include <limits.h>
#include "attr/scan.acsl"
#endif

/* How many blanks s[0 .. n - 1] begins with. */
/*@ requires text:     0 <= n && \valid_read(s + (0 .. n - 1));
    terminates \true;
    exits    never:    \false;
    assigns  \nothing;
    ensures  range:    0 <= \result <= n;
    ensures  blanks:   \forall integer i; 0 <= i < \result ==> blank(s[i]);
    ensures  longest:  \result < n ==> !blank(s[\result]);
*/
long scan_blanks(const char *s, long n);

/* The length of the word that s[0 .. n - 1] begins with. */
/*@ requires text:     0 <= n && \valid_read(s + (0 .. n - 1));
    terminates \true;
    exits    never:    \false;
    assigns  \nothing;
    ensures  range:    0 <= \result <= n;
    ensures  word:     \forall integer i; 0 <= i < \result ==> !ends_word(s[i]);
    ensures  longest:  \result < n ==> ends_word(s[\result]);
*/
long scan_word(const char *s, long n);

/* Is s[0 .. n - 1] the word? */
/*@ requires text:     0 <= n && \valid_read(s + (0 .. n - 1));
    requires word:     c_word(word);
    terminates \true;
    exits    never:    \false;
    assigns  \nothing;
    ensures  bool:     \result == 0 || \result == 1;
    ensures  same:     \result == 1 <==> same_word(s, n, word);
*/
int scan_is(const char *s, long n, const char *word);

/* Is s[0 .. n - 1] a name: letters, digits and _, no digit first? */
/*@ requires text:     0 <= n && \valid_read(s + (0 .. n - 1));
    terminates \true;
    exits    never:    \false;
    assigns  \nothing;
    ensures  bool:     \result == 0 || \result == 1;
    ensures  name:     \result == 1 <==> 0 < n && !digit(s[0]) && name_ahead(s, n);
*/
int scan_name(const char *s, long n);

/* Is s[0 .. n - 1] a decimal number of 64 bits, of at most SCAN_NUMBER_MAX characters? Then *z is it. */
/*@ requires text:     0 <= n && \valid_read(s + (0 .. n - 1));
    requires out:      \valid(z) && \separated(z, s + (0 .. n - 1));
    terminates \true;
    exits    never:    \false;
    assigns  *z;
    ensures  bool:     \result == 0 || \result == 1;
    ensures  number:   \result == 1 <==> n <= SCAN_NUMBER_MAX && number(s, n) && LONG_MIN <= number_of(s, n) <= LONG_MAX;
    ensures  value:    \result == 1 ==> *z == number_of(s, n);
*/
int scan_long(const char *s, long n, long *z);

/* The character meant by s[0 .. n - 1], which stands behind a backslash: escape_len of them say so; -1: none. */
/*@ requires text:     0 <= n && \valid_read(s + (0 .. n - 1));
    terminates \true;
    exits    never:    \false;
    assigns  \nothing;
    ensures  range:    -1 <= \result <= 255;
    ensures  escaped:  \result == escaped(s, n);
    ensures  inside:   0 <= \result ==> escape_len(s[0]) <= n;
*/
int scan_escape(const char *s, long n);

/* How many characters say so. */
/*@ terminates \true;
    exits    never:    \false;
    assigns  \nothing;
    ensures  length:   \result == escape_len(c);
*/
int scan_escape_len(char c);

#endif
