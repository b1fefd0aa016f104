/* Inside packing: what constant operands (pack.c) and computed ones (pack_panel.c) share. */
#ifndef CALQUE_EMIT_PACK_INTERNAL_H
#define CALQUE_EMIT_PACK_INTERNAL_H

#include "emit/module.h"

/* The parts of a sum of products of two loads: sum (x * w), or sum select(.., x * w, 0). */
struct product {
    int sum, select, at, x, w; /* ex ids; select -1: none */
};

/* The only reduction of the statement's body, when it is such a sum over f32. */
bool pack_find_product(const struct kernel *k, int stmt, struct product *p);
/* How many loads there are of the tensor, at most 2. */
int pack_loads_of(const struct kernel *k, int tensor);
/* Does the load use the variable? */
bool pack_load_uses(const struct kernel *k, int load, int var);
/* A new temporary of the kernel, with no value of the graph; -1: memory is out. */
int pack_new_temp(struct kernel *k, int rank, const long *dim);

#endif
