/* Look-ups: statements that read a tensor at an index which is data (kernel.h, struct kernel_stmt). */
#ifndef CALQUE_KERNEL_LOOKUP_H
#define CALQUE_KERNEL_LOOKUP_H

#include "kernel/kernel.h"

/* A look-up as its parts. */
struct lookup {
    const struct ex *from, *at; /* the load that is looked up, without its index `axis`, and that of this index */
    int axis;
    long size;                  /* of the dimension: indices are to be in -size .. size - 1 */
};
struct lookup lookup_of(const struct kernel *k, const struct kernel_stmt *s);

/* Does the index expression use variable var? Do the indices of the load, but for number skip (-1: none)? */
bool lookup_ix_uses(const struct kernel *k, int ix, int var);
bool lookup_uses(const struct kernel *k, const struct ex *load, int skip, int var);

/* Is the statement a look-up in order, but for the bounds of its indices? What is not, or NULL. */
const char *lookup_check(const struct kernel *k, const struct kernel_stmt *s);

/* KL-Lookup, KL-Negative, KL-Range: runs it. All indices are looked at before anything is stored; the first one outside, in
   the order of the cells, is the error's. */
enum calque_status lookup_run(const struct kernel *k, const struct kernel_stmt *s, void *const *data, int threads,
                              struct diag *d);

#endif
