/* Labels read from the canonical text. */
#ifndef CALQUE_ATTR_READ_LABEL_H
#define CALQUE_ATTR_READ_LABEL_H

#include "attr/read_room.h"

#ifdef __FRAMAC__
/*@
// What stands from a to b, letter by letter.
logic letters taken(source t, integer a, integer b) = b <= a ? no_letters : snoc(taken(t, a, b - 1), chr(t, b - 1));
*/
#endif

/* Past blanks and the label of a pattern, a name; .id is the string. */
/*@ READ_REQUIRES
    terminates \true;
    exits    never:    \false;
    assigns  { *p | char *p; \true };
    ensures  forward:  further(r, \result);
    ensures  source:   SRC(\result) == \old(SRC(r));
    ensures  word:     r.at <= \result.word <= \result.at && next_word(SRC(\result), r.at, \result.word, \result.at);
    ensures  status:   \result.status == CALQUE_OK || \result.status == CALQUE_BAD || \result.status == CALQUE_NOMEM;
    ensures  bad:      \result.status == CALQUE_BAD <==> !name_word(SRC(\result), \result.word, \result.at);
    ensures  error:    \result.status != CALQUE_OK ==> \result.id == -1;
    ensures  label:    \result.status == CALQUE_OK ==> 0 <= \result.id &&
                       add_name(no_letters, \result.id) == taken(SRC(\result), \result.word, \result.at);
*/
struct reading read_label(struct reading r, struct strs *strs);

#endif
