/* Contracts of the functions that read the table of strings (proved in strs.c). */
#ifndef CALQUE_BASE_STRS_GET_H
#define CALQUE_BASE_STRS_GET_H

#include "base/strs_room.h"

#ifdef __FRAMAC__
#include <string.h>
#endif

/*@ requires ready:    \valid_read(s) && valid_strs(table_of(s)) && wf_strs(table_of(s));
    requires text:     \valid_read(text + (0 .. len - 1));
    terminates \true;
    exits    never:    \false;
    assigns  \nothing;
    ensures  found:    \result >= 0 ==> indexed(table_of(s), \result) && is_text(table_of(s), \result, text, len);
    ensures  only:     \forall integer i; indexed(table_of(s), i) ==> is_text(table_of(s), i, text, len) ==> i == \result;
    ensures  absent:   \result < 0 <==> absent(table_of(s), text, len);
*/
int strs_find(const struct strs *s, const char *text, size_t len);

/*@ requires ready:    \valid_read(s) && valid_strs(table_of(s)) && wf_strs(table_of(s));
    requires text:     valid_read_string(text) && strlen(text) < SIZE_MAX;
    terminates \true;
    exits    never:    \false;
    assigns  \nothing;
    ensures  found:    \result >= 0 ==> indexed(table_of(s), \result) && is_text(table_of(s), \result, text, strlen(text));
    ensures  only:     \forall integer i; indexed(table_of(s), i) ==> is_text(table_of(s), i, text, strlen(text)) ==>
                       i == \result;
    ensures  absent:   \result < 0 <==> absent(table_of(s), text, strlen(text));
*/
int strs_findz(const struct strs *s, const char *text);

/*@ requires ready:    \valid_read(s) && valid_strs(table_of(s)) && texts_ok(table_of(s));
    terminates \true;
    exits    never:    \false;
    assigns  \result \from s, id;
    ensures  none:     !(0 <= id < s->entry.n) ==> \result[0] == 0;
    ensures  text:     0 <= id < s->entry.n ==> \result == s->text.a + s->entry.a[id].start &&
                       \result[s->entry.a[id].len] == 0;
    ensures  valid:    \valid_read(\result + (0 .. (0 <= id < s->entry.n ? s->entry.a[id].len : 0)));
*/
const char *strs_text(const struct strs *s, int id);

/*@ requires ready:    \valid_read(s) && valid_strs(table_of(s)) && texts_ok(table_of(s));
    terminates \true;
    exits    never:    \false;
    assigns  \nothing;
    ensures  len:      0 <= \result == (0 <= id < s->entry.n ? s->entry.a[id].len : 0);
*/
int strs_len(const struct strs *s, int id);

#endif
