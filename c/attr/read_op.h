/* The expressions of forms with operands. */
#ifndef CALQUE_ATTR_READ_OP_H
#define CALQUE_ATTR_READ_OP_H

#include "attr/read_both.h"

#ifdef __FRAMAC__
#include "attr/reads_form.acsl"

#define READ_TREE tree_at(t, \result.id)
/* It is the form that the word of `head` and the number z name. */
#define FORM_REQUIRES                                                                          \
    requires head:     readable(head) && 0 <= head.word <= head.at;                            \
    requires number:   0 <= z;
#define FORM_MADE                                                                              \
    ensures  form:     \result.status == CALQUE_OK ==> has_operands(x_kind(READ_TREE)) &&      \
                       arity(x_kind(READ_TREE), x_len(READ_TREE)) &&                           \
                       spelled(SRC(head), head.word, head.at, head_word(x_kind(READ_TREE), x_op(READ_TREE))); \
    ensures  number:   \result.status == CALQUE_OK ==>                                         \
                       (has_number(x_kind(READ_TREE)) == 1 ? numbered(SRC(head), head.word, head.at) && x_op(READ_TREE) == z \
                                                           : !numbered(SRC(head), head.word, head.at));
#endif

/* The expression of the ids from `first` on, whose text stands from `start` to `end`; the ids stay. */
/*@ EXPRS_READ_REQUIRES
    FORM_REQUIRES
    requires exist:    ids_exist(r.ids, first, r.nids, t->node.n);
    requires before:   kids_text(SRC(r), start, end, t, r.ids, first, r.nids);
    terminates \true;
    exits    never:    \false;
    assigns  *t, *t->mem, { *p | struct attr_node *p; \true }, { *q | int *q; \true }, { *s | struct attr_slot *s; \true };
    EXPRS_READ_KEEPS
    EXPR_IS_READ
    FORM_MADE
    ensures  same:     \result.at == r.at;
    ensures  text:     \result.status == CALQUE_OK ==> operands_text(SRC(\result), start, end, t, \result.id);
*/
struct reading read_op_made(struct reading r, struct attrs *t, struct reading head, int z, int first)
    /*@ ghost (long start, long end) */;

/* The number after the word read last, where one follows; else 0. */
/*@ READ_REQUIRES
    requires word:     0 <= r.word <= r.at;
    terminates \true;
    exits    never:    \false;
    assigns  \nothing;
    READ_KEEPS
    ensures  status:   \result.status == CALQUE_OK || \result.status == CALQUE_BAD && \result.id == -1;
    ensures  range:    \result.status == CALQUE_OK ==> 0 <= \result.number <= INT_MAX;
    ensures  number:   \result.status == CALQUE_OK ==> numbered(SRC(r), r.word, r.at) ==>
                       count_text(SRC(r), r.at, \result.at, \result.number);
    ensures  none:     \result.status == CALQUE_OK ==> !numbered(SRC(r), r.word, r.at) ==> \result.at == r.at;
*/
struct reading read_op_number(struct reading r);

#endif
