/* The forms that are written as a word and operands. */
#ifndef CALQUE_ATTR_READ_FORM_H
#define CALQUE_ATTR_READ_FORM_H

#include "attr/read_word.h"

#ifdef __FRAMAC__
#include "attr/attr_put.h"

#include "attr/read_form.acsl"
#endif

struct read_form {
    int kind; /* -1: none */
    int op;   /* the symbol or pattern, where a number says it */
};

/* Does a number follow the word read last? */
/*@ WORD_REQUIRES
    terminates \true;
    exits    never:    \false;
    assigns  \nothing;
    ensures  result:   \result == 0 || \result == 1;
    ensures  number:   \result == 1 <==> numbered(SRC(r), r.word, r.at);
*/
bool read_has_number(struct reading r);

/* The form with n operands that the word read last names; z: the number that follows it, where one does. */
/*@ WORD_REQUIRES
    requires count:    0 <= n && (numbered(SRC(r), r.word, r.at) ==> 0 <= z);
    terminates \true;
    exits    never:    \false;
    assigns  \nothing;
    ensures  form:     \result.kind >= 0 ==> has_operands(\result.kind) && arity(\result.kind, n) &&
                       spelled(SRC(r), r.word, r.at, head_word(\result.kind, \result.op));
    ensures  number:   \result.kind >= 0 ==> (has_number(\result.kind) == 1 ? \result.op == z : 0 <= \result.op);
    ensures  word:     \result.kind >= 0 ==> (has_number(\result.kind) == 1 <==> numbered(SRC(r), r.word, r.at));
    ensures  none:     \result.kind < 0 ==> \result.kind == -1 && \forall integer kind, op;
                       has_operands(kind) ==> arity(kind, n) ==> is_op(kind, op) ==>
                       !spelled(SRC(r), r.word, r.at, head_word(kind, op));
*/
struct read_form read_form_of(struct reading r, int n, int z);

#endif
