/* Inside codegen: the state shared by its two halves, views (codegen_view.c) and commands (codegen.c). */
#ifndef CALQUE_EMIT_GEN_H
#define CALQUE_EMIT_GEN_H

#include "emit/minic.h"

enum { STEP_NONE = -1, STEP_LEFT = -2, STEP_RIGHT = -3 }; /* other steps are index forms */

/* What is still to be applied to a view: array indices and pair components, the next one on top. */
struct path {
    int n;
    int step[MINIC_PATH_MAX];
};

struct gen {
    struct minic *m;
    const struct code *c;
    int *loop; /* level of a loop variable -> its form */
    int depth;
};

/* Records the first failure; always false. */
bool gen_fail(struct gen *g, enum calque_status st);
bool gen_ok(const struct gen *g);
/* The view at the path as an expression. */
int gen_view(struct gen *g, int id, struct path *p);
/* The root an acceptor writes and, for an array root, the offset (-1 for a scalar one). */
int gen_acceptor(struct gen *g, int id, int *lin);
/* The conditions as mini-C, without the decided ones; false when one is always false. */
bool gen_conditions(struct gen *g, int first, int len, int *out, int *n);

#endif
