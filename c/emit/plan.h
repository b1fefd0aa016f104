/* Static memory plan: places buffers with lifetimes in one arena. */
#ifndef CALQUE_EMIT_PLAN_H
#define CALQUE_EMIT_PLAN_H

#include "base/mem.h"
#include "base/status.h"

enum { PLAN_ALIGN = 64 };

struct plan_item {
    size_t bytes;
    int def, last; /* steps, both inclusive */
    size_t offset; /* the answer: a multiple of PLAN_ALIGN */
};

/* Gives every item an offset so that items whose lifetimes meet do not overlap; largest first, each at the lowest free
   place. *total is the arena's size. CALQUE_NOMEM, or CALQUE_LIMIT beyond SIZE_MAX / 4. */
enum calque_status plan_memory(struct mem *mem, struct plan_item *items, int n, size_t *total, struct diag *d);

#endif
