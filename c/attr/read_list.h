/* The bindings of an environment read into a flat list, upon the ids of the reading. */
#ifndef CALQUE_ATTR_READ_LIST_H
#define CALQUE_ATTR_READ_LIST_H

#include "attr/read_bound.h"

#ifdef __FRAMAC__
#include "attr/listed.acsl"

/* Whatever is read: expressions, slots and values are added, the text stays, and the ids are those of bindings. */
#define LIST_READ_KEEPS                                                                        \
    ensures  place:    \result.text == r.text && \result.n == r.n && r.at <= \result.at <= r.n && \result.depth == r.depth; \
    ensures  held:     ids_held(\result);                                                      \
    ensures  source:   SRC(\result) == \old(SRC(r));                                           \
    ensures  ready:    ready_both(t);                                                          \
    ensures  old:      kept_both{Pre,Post}(t);                                                 \
    ensures  error:    \result.status == CALQUE_OK || \result.id == -1 && CALQUE_BAD <= \result.status <= CALQUE_NOMEM;
#endif

/* The binding goes on top of the ids. */
/*@ READ_REQUIRES
    requires ids:      ids_held(r) && \valid(m);
    requires range:    0 <= x.kind && 0 <= x.key && -1 <= x.label && 0 <= x.id;
    terminates \true;
    exits    never:    \false;
    assigns  *m, { *u | unsigned *u; \true };
    ensures  place:    \result.text == r.text && \result.n == r.n && \result.at == r.at && \result.depth == r.depth;
    ensures  held:     ids_held(\result);
    ensures  ids:      ids_kept{Pre,Post}(r, \result, r.nids);
    ensures  status:   \result.status == CALQUE_OK && \result.nids == r.nids + BOUND_WORDS ||
                       \result.status == CALQUE_NOMEM && \result.id == -1;
    ensures  name:     \result.status == CALQUE_OK ==> \result.ids[r.nids] == x.kind && \result.ids[r.nids + 1] == x.key &&
                       \result.ids[r.nids + 2] == x.label + 1 && \result.ids[r.nids + 5] == x.id;
    ensures  number:   \result.status == CALQUE_OK ==> wide(\result.ids[r.nids + 3], \result.ids[r.nids + 4]) == x.k;
*/
struct reading list_push(struct reading r, struct mem *m, struct bound x);

/* Past blanks and the bindings up to a closing parenthesis. */
/*@ EXPRS_READ_REQUIRES
    requires deep:     r.depth < 2 * ATTR_DEPTH_MAX;
    requires none:     r.nids == 0;
    terminates \true;
    exits    never:    \false;
    assigns  *t, *t->mem, *t->values, *t->values->mem, { *p | struct attr_node *p; \true }, { *q | int *q; \true },
             { *s | struct attr_slot *s; \true }, { *v | struct value *v; \true }, { *u | unsigned *u; \true },
             { *c | char *c; \true };
    LIST_READ_KEEPS
    ensures  whole:    \result.status == CALQUE_OK ==> \result.nids % BOUND_WORDS == 0;
    ensures  fits:     \result.status == CALQUE_OK ==> list_fits(t, \result.ids, \result.nids / BOUND_WORDS);
    ensures  names:    \result.status == CALQUE_OK ==>
                       list_none(SRC(\result), r.at, \result.at, t, \result.ids, \result.nids / BOUND_WORDS);
    ensures  bound:    \result.status == CALQUE_OK ==>
                       list_first(SRC(\result), r.at, \result.at, t, \result.ids, \result.nids / BOUND_WORDS);
*/
struct reading read_list(struct reading r, struct attrs *t, struct strs *strs);

#endif
