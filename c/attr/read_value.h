/* Values read from the canonical text. */
#ifndef CALQUE_ATTR_READ_VALUE_H
#define CALQUE_ATTR_READ_VALUE_H

#include "attr/read_room.h"

#ifdef __FRAMAC__
#define VALUES_READ_REQUIRES                                                                   \
    READ_REQUIRES                                                                              \
    requires ids:      ids_held(r);                                                            \
    requires depth:    0 <= r.depth <= 2 * VALUE_DEPTH_MAX;                                    \
    requires ready:    ready_values(vs);
/* Whatever is read: values are added, the ids and the text stay, and there is a value if there is no error. */
#define VALUES_READ_KEEPS                                                                      \
    ensures  place:    onward(r, \result);                                                     \
    ensures  ids:      ids_held(\result) && ids_kept{Pre,Post}(r, \result, r.nids);            \
    ensures  source:   SRC(\result) == \old(SRC(r));                                           \
    ensures  ready:    ready_values(vs) && vs->mem == \old(vs->mem);                           \
    ensures  old:      \old(vs->n) <= vs->n && extends(\old(VALS(*vs)), VALS(*vs), \old(vs->n)); \
    ensures  id:       \result.status == CALQUE_OK ==> 0 <= \result.id < vs->n;                \
    ensures  error:    \result.status != CALQUE_OK ==> \result.id == -1 && CALQUE_BAD <= \result.status <= CALQUE_NOMEM;
#define READ_VALUE val(VALS(*vs), \result.id)
#endif

/* id is what a constructor made, or -1: memory is out or a limit exceeded. */
/*@ READ_REQUIRES
    requires id:       -1 <= id;
    terminates \true;
    exits    never:    \false;
    assigns  \nothing;
    ensures  place:    further(r, \result) && \result.at == r.at && \result.word == r.word;
    ensures  id:       \result.id == id;
    ensures  status:   \result.status == (id >= 0 ? CALQUE_OK : CALQUE_LIMIT);
*/
struct reading read_made(struct reading r, int id);

/* .id goes on top of the ids. */
/*@ READ_REQUIRES
    requires ids:      ids_held(r) && \valid(m);
    requires id:       0 <= r.id;
    terminates \true;
    exits    never:    \false;
    assigns  *m, { *u | unsigned *u; \true };
    ensures  place:    \result.text == r.text && \result.n == r.n && \result.at == r.at && \result.depth == r.depth;
    ensures  ids:      ids_held(\result) && ids_kept{Pre,Post}(r, \result, r.nids);
    ensures  status:   \result.status == CALQUE_OK && \result.nids == r.nids + 1 && \result.ids[r.nids] == r.id ||
                       \result.status == CALQUE_NOMEM && \result.nids == r.nids && \result.id == -1;
*/
struct reading read_push(struct reading r, struct mem *m);

/* own[k] = (int)ids[k]. */
/*@ requires ids:      0 <= n && \valid_read(ids + (0 .. n - 1)) && \valid(own + (0 .. n - 1));
    requires range:    \forall integer k; 0 <= k < n ==> ids[k] <= INT_MAX;
    terminates \true;
    exits    never:    \false;
    assigns  own[0 .. n - 1];
    ensures  same:     \forall integer k; 0 <= k < n ==> own[k] == ids[k];
*/
void read_copy_ids(int *own, const unsigned *ids, int n);

/* Past a string; the quote before it is passed already. */
/*@ VALUES_READ_REQUIRES
    terminates \true;
    exits    never:    \false;
    assigns  *vs, *vs->mem, { *p | struct value *p; \true }, { *q | int *q; \true }, { *c | char *c; \true };
    VALUES_READ_KEEPS
    ensures  string:   \result.status == CALQUE_OK ==> r.at < \result.at && string_rest(SRC(\result), r.at, \result.at, READ_VALUE);
*/
struct reading read_string(struct reading r, struct values *vs, struct strs *strs);

/* The value that is no tuple nor string and that the word read last says. */
/*@ VALUES_READ_REQUIRES
    requires word:     0 <= r.word < r.at && letters_at(SRC(r), r.word, r.at);
    terminates \true;
    exits    never:    \false;
    assigns  *vs, *vs->mem, { *p | struct value *p; \true }, { *q | int *q; \true };
    VALUES_READ_KEEPS
    ensures  same:     \result.at == r.at;
    ensures  scalar:   \result.status == CALQUE_OK ==> scalar_word(SRC(\result), r.word, r.at, READ_VALUE);
*/
struct reading read_scalar(struct reading r, struct values *vs);

/* Past blanks and a value. */
/*@ VALUES_READ_REQUIRES
    terminates \true;
    decreases 4 * (2 * VALUE_DEPTH_MAX - r.depth) + 3;
    exits    never:    \false;
    assigns  *vs, *vs->mem, { *p | struct value *p; \true }, { *q | int *q; \true }, { *u | unsigned *u; \true },
             { *c | char *c; \true };
    VALUES_READ_KEEPS
    ensures  value:    \result.status == CALQUE_OK ==> r.at < \result.at &&
                       value_text(SRC(\result), r.at, \result.at, READ_VALUE, -1);
*/
struct reading value_read(struct reading r, struct values *vs, struct strs *strs);

#endif
