/* Memory for what is being read, ids of strings, and floats. Trusted: memory management, the table of strings (c/base/strs.h)
   and strtod. What the table does to its own memory is not named in these contracts: what is proved from them does not see it. */
#ifndef CALQUE_ATTR_READ_ROOM_H
#define CALQUE_ATTR_READ_ROOM_H

#include "attr/read_word.h"
#include "base/mem.h"

#ifdef __FRAMAC__
#include "attr/value_room.h"
#include "base/text.h"

#include "attr/read.acsl"
#endif

struct strs;

/* Room for one id more; CALQUE_NOMEM when memory is out. */
/*@ READ_REQUIRES
    requires ids:      ids_held(r) && \valid(m);
    terminates \true;
    exits    never:    \false;
    assigns  *m, { *u | unsigned *u; \true };
    ensures  place:    onward(r, \result) && \result.at == r.at;
    ensures  ids:      ids_held(\result) && ids_kept{Pre,Post}(r, \result, r.nids);
    ensures  status:   \result.status == CALQUE_OK && \result.nids < \result.capids ||
                       \result.status == CALQUE_NOMEM && \result.id == -1;
*/
struct reading read_room(struct reading r, struct mem *m);
/*@ terminates \true;
    exits    never:    \false;
    assigns  \nothing;
*/
void read_room_free(struct reading r);

/* A buffer of n characters apart from the text; NULL when memory is out. */
/*@ requires count:    0 <= n && \valid(m);
    requires text:     0 <= len && \valid_read(text + (0 .. len - 1));
    terminates \true;
    exits    never:    \false;
    assigns  *m, \result \from indirect:n;
    ensures  buffer:   \result == \null || \valid(\result + (0 .. n - 1)) &&
                       \separated(\result + (0 .. n - 1), text + (0 .. len - 1));
*/
char *read_buffer(struct mem *m, long n) /*@ ghost (const char *text, long len) */;
/*@ terminates \true;
    exits    never:    \false;
    assigns  \nothing;
*/
void read_buffer_free(char *buffer);

/* The id of the string s[0 .. n - 1]; -1 when memory is out. */
/*@ requires chars:    0 <= n && \valid_read(s + (0 .. n - 1));
    requires text:     0 <= len && \valid_read(text + (0 .. len - 1));
    terminates \true;
    exits    never:    \false;
    assigns  { *p | char *p; \true };
    ensures  code:     -1 <= \result;
    ensures  name:     0 <= \result ==> add_name(no_letters, \result) == \old(letters_of(s, n));
    ensures  text:     source_of(text, len) == \old(source_of(text, len));
*/
int read_intern(struct strs *strs, const char *s, long n) /*@ ghost (const char *text, long len) */;

#define STRTOD_REQUIRES                                                                        \
    requires text:     0 <= from <= to <= n && \valid_read(text + (0 .. n - 1));               \
    requires word:     to - from <= SCAN_NUMBER_MAX && letters_at(source_of(text, n), from, to);
/* Does strtod take all of text[from .. to - 1], a word? */
/*@ STRTOD_REQUIRES
    terminates \true;
    exits    never:    \false;
    assigns  \nothing;
    ensures  result:   \result == 0 || \result == 1;
    ensures  takes:    \result == 1 <==> \exists integer bits; strtod_takes(source_of(text, n), from, to, bits);
*/
bool read_is_double(const char *text, long n, long from, long to);
/* The bits of the number it takes that for. */
/*@ STRTOD_REQUIRES
    requires takes:    \exists integer bits; strtod_takes(source_of(text, n), from, to, bits);
    terminates \true;
    exits    never:    \false;
    assigns  \nothing;
    ensures  takes:    strtod_takes(source_of(text, n), from, to, \result);
*/
long read_double(const char *text, long n, long from, long to);

#endif
