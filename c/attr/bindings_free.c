#include <string.h>

#include "attr/read.h"

void attr_bindings_free(struct attr_bindings *b)
{
    ints_free(&b->slot);
    ints_free(&b->symbol);
    mem_free(b->other.a);
    memset(b, 0, sizeof *b);
}
