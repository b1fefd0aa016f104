/* Arrays for an environment. Trusted: memory management, and that what is got from it stands apart. */
#ifndef CALQUE_ATTR_BOUND_ROOM_H
#define CALQUE_ATTR_BOUND_ROOM_H

#include "attr/read.h"

struct bound_room {
    int *slot, *symbol;
    struct attr_named *named;
    bool ok;
};

struct bound_room bound_room(struct attrs *t, int nslot, int nsymbol, int n);

#endif
