/* The bindings of an environment read into a flat list, upon the ids of the reading. */
#ifndef CALQUE_ATTR_READ_LIST_H
#define CALQUE_ATTR_READ_LIST_H

#include "attr/read_bound.h"

struct reading list_push(struct reading r, struct mem *m, struct bound x);
struct reading read_list(struct reading r, struct attrs *t, struct strs *strs);

#endif
