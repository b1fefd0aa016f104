/* What reading expressions takes from memory management, and reading a value beside expressions. Trusted: that what grows
   one of the two arenas leaves the other as it is, and where it is. */
#ifndef CALQUE_ATTR_READ_BOTH_H
#define CALQUE_ATTR_READ_BOTH_H

#include "attr/attr_room.h"
#include "attr/read_label.h"
#include "attr/read_value.h"

#ifdef __FRAMAC__
#include "attr/read_expr.acsl"

#define EXPRS_READ_REQUIRES                                                                    \
    READ_REQUIRES                                                                              \
    requires ids:      ids_held(r);                                                            \
    requires depth:    0 <= r.depth <= 2 * ATTR_DEPTH_MAX;                                     \
    requires ready:    ready_both(t);
/* Whatever is read: expressions, slots and values are added, the ids and the text stay. */
#define EXPRS_READ_KEEPS                                                                       \
    ensures  place:    onward(r, \result);                                                     \
    ensures  held:     ids_held(\result);                                                      \
    ensures  ids:      ids_kept{Pre,Post}(r, \result, r.nids);                                 \
    ensures  source:   SRC(\result) == \old(SRC(r));                                           \
    ensures  ready:    ready_both(t);                                                          \
    ensures  old:      kept_both{Pre,Post}(t);                                                 \
    ensures  error:    \result.status != CALQUE_OK ==> \result.id == -1 && CALQUE_BAD <= \result.status <= CALQUE_NOMEM;
#define EXPR_IS_READ                                                                           \
    ensures  id:       \result.status == CALQUE_OK ==> 0 <= \result.id < t->node.n;
#endif

/* attrs_room, and the values stay; the caller's children own[0 .. n - 1] too. */
/*@ BOTH_REQUIRES
    requires counts:   0 <= nodes <= 1 && 0 <= kids <= VALUE_LEN_MAX && 0 <= slots <= 1;
    requires own:      \valid_read(own + (0 .. n - 1)) && apart_kids(t, own, n);
    terminates \true;
    exits    never:    \false;
    assigns  *t, *t->mem, { *p | struct attr_node *p; \true }, { *q | int *q; \true }, { *s | struct attr_slot *s; \true };
    ensures  result:   \result == 0 || \result == 1;
    ensures  held:     held_attrs(t);
    ensures  mems:     same_mems{Pre,Post}(t);
    ensures  counts:   same_counts{Pre,Post}(t);
    ensures  roots:    moved_roots{Pre,Post}(\old(t->node.a), t->node.a, t->node.n);
    ensures  kids:     moved_kids{Pre,Post}(\old(t->kid.a), t->kid.a, t->kid.n);
    ensures  slots:    moved_slots{Pre,Post}(\old(t->slot.a), t->slot.a, t->slot.n);
    ensures  room:     \result == 1 ==> has_room_for(t, nodes, kids, slots);
    ensures  own:      apart_kids(t, own, n) && same_own{Pre,Post}(own, n);
    ensures  values:   values_stay{Pre,Post}(t->values);
    ensures  heldv:    held_values(t->values) && apart_both(t);
*/
bool exprs_room(struct attrs *t, int nodes, int kids, int slots) /*@ ghost (const int *own, int n) */;

/* Room for the ids of n children, apart from both arenas; NULL when memory is out. */
/*@ BOTH_REQUIRES
    requires count:    0 <= n;
    terminates \true;
    exits    never:    \false;
    assigns  *t->mem, \result \from indirect:n;
    ensures  scratch:  \result == \null || \valid(\result + (0 .. n - 1)) && apart_kids(t, \result, n) &&
                       apart_ids(t->values, \result, n);
*/
int *exprs_scratch(struct attrs *t, int n);
/*@ terminates \true;
    exits    never:    \false;
    assigns  \nothing;
*/
void exprs_scratch_free(int *scratch);

/* value_read of the values that the expressions are over: its contract, and the expressions stay. */
/*@ EXPRS_READ_REQUIRES
    terminates \true;
    exits    never:    \false;
    assigns  *t->values, *t->values->mem, { *p | struct value *p; \true }, { *q | int *q; \true },
             { *u | unsigned *u; \true }, { *c | char *c; \true };
    ensures  place:    onward(r, \result);
    ensures  held:     ids_held(\result);
    ensures  ids:      ids_kept{Pre,Post}(r, \result, r.nids);
    ensures  source:   SRC(\result) == \old(SRC(r));
    ensures  error:    \result.status != CALQUE_OK ==> \result.id == -1 && CALQUE_BAD <= \result.status <= CALQUE_NOMEM;
    ensures  ready:    ready_values(t->values);
    ensures  old:      kept_values{Pre,Post}(t);
    ensures  id:       \result.status == CALQUE_OK ==> 0 <= \result.id < t->values->n;
    ensures  value:    \result.status == CALQUE_OK ==> r.at < \result.at &&
                       value_text(SRC(\result), r.at, \result.at, val(VALS(*t->values), \result.id), -1);
    ensures  exprs:    exprs_stay{Pre,Post}(t);
    ensures  heldx:    held_attrs(t) && apart_both(t);
*/
struct reading read_constant(struct reading r, struct attrs *t, struct strs *strs);

#endif
