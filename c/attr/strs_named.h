/* Reading the string that an id names. Trusted: that s is the table that gave the ids, so that what strs.c is proved to read of a
   table (base/strs_get.h) is the string. */
#ifndef CALQUE_ATTR_STRS_NAMED_H
#define CALQUE_ATTR_STRS_NAMED_H

#include "base/strs.h"

#ifdef __FRAMAC__
#include "attr/value_core.h"
#include "base/text.h"
#include "attr/texts.acsl"

/*@ terminates \true;
    exits    never:    \false;
    assigns  \result \from s, id;
    ensures  valid:    \valid_read(\result + (0 .. text_len(id) - 1));
    ensures  own:      \forall struct text *t; apart_strs(t, s) ==>
                       \separated(\result + (0 .. text_len(id) - 1), t->a + (0 .. t->cap - 1));
    ensures  text:     \forall integer k; 0 <= k < text_len(id) ==> \result[k] == text_char(id, k);
*/
const char *strs_text(const struct strs *s, int id);
/*@ terminates \true;
    exits    never:    \false;
    assigns  \nothing;
    ensures  len:      0 <= \result == text_len(id);
*/
int strs_len(const struct strs *s, int id);
#endif

#endif
