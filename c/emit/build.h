/* Inside the emit room: a model that is made into a module, group by group. */
#ifndef CALQUE_EMIT_BUILD_H
#define CALQUE_EMIT_BUILD_H

#include "emit/module.h"

struct build {
    const struct graph *g;
    struct module *u;
    struct groups gs;
    int *slot;   /* value -> slot, or -1 */
    int *narrow; /* constant -> the slot of its bytes, or -1 */
    bool *whole; /* Concat whose inputs are stored in its memory */
    int *part;   /* node whose value is nowhere but in another one's -> that, or -1 */
};

/* The tensor of a value that is one at compile time, or NULL. */
const struct tensor *build_constant(const struct build *b, int value);
/* Slots, or -1: memory is out. Of bytes in the arena; of tensor t of the group's kernel. */
int build_arena(struct build *b, size_t bytes);
int build_tensor(struct build *b, const struct group *x, int t);

/* Gives the inputs of Concats of ranges their places in the results (place.c); before any group is called. */
enum calque_status place_concats(struct build *b, struct diag *d);
/* Instead of a call of the group: CALQUE_OK if its values are ranges of others, or its inputs are in its result's memory (but for what is
   copied now); CALQUE_NO: it is to be called. */
enum calque_status place_group(struct build *b, const struct group *x, struct diag *d);

#endif
