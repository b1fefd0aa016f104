/* Values read from the canonical text. */
#ifndef CALQUE_ATTR_READ_VALUE_H
#define CALQUE_ATTR_READ_VALUE_H

#include "attr/read_room.h"

/* id is what a constructor made, or -1: memory is out or a limit exceeded. */
struct reading read_made(struct reading r, int id);
/* .id goes on top of the ids. */
struct reading read_push(struct reading r, struct mem *m);
/* Past a string; the quote before it is passed already. */
struct reading read_string(struct reading r, struct values *vs, struct strs *strs);
/* The value that is no tuple nor string and that the word read last says. */
struct reading read_scalar(struct reading r, struct values *vs);
/* Past blanks and a value. */
struct reading read_value(struct reading r, struct values *vs, struct strs *strs);

#endif
