/* Inside codegen: views (codegen_view.c), and commands: the walk and the merging rules (codegen.c), the seed's own rules
   (codegen_direct.c), loops in parts (codegen_split.c), index arithmetic (codegen_index.c). */
#ifndef CALQUE_EMIT_CODEGEN_INTERNAL_H
#define CALQUE_EMIT_CODEGEN_INTERNAL_H

#include "emit/minic.h"

enum { STEP_NONE = -1, STEP_LEFT = -2, STEP_RIGHT = -3 }; /* other steps are index forms */

/* What is still to be applied to a view: array indices and pair components, the next one on top. */
struct path {
    int n;
    int step[MINIC_PATH_MAX];
};

struct gen;

/* What becomes of each form of command; the statement's number, or -1 after a failure. */
struct gen_rules {
    int (*block)(struct gen *g, const int *items, int n); /* statements one after the other */
    int (*assign)(struct gen *g, const struct comm *c);
    int (*memory)(struct gen *g, const struct comm *c);
    int (*branch)(struct gen *g, const struct comm *c);
    int (*loop)(struct gen *g, const struct comm *c);
};

struct gen {
    const struct gen_rules *rule;
    struct minic *m;
    const struct code *c;
    int *loop; /* level of a loop variable -> its form */
    int depth;
    /* Of codegen.c: */
    struct ints fact;   /* forms that are not negative here */
    int vars;           /* the next loop variable, of a part */
    long most, longest; /* parts of a loop; statements and expressions (0: any number) */
    bool is_long;       /* it has failed by that */
    int *seen, stamp;   /* expressions that a scan has visited */
};

/* Index arithmetic: forms (base/linear.h), or trees in plain mode. Sizes as in dpia/exp.h; user: the divided may be negative. */
int index_size(struct gen *g, long n);
int index_number(struct gen *g, long k); /* any sign */
int index_loop(struct gen *g, int level, long extent);
int index_add(struct gen *g, int a, int b);
int index_sub(struct gen *g, int a, int b);
int index_scale(struct gen *g, int a, long n);
int index_times(struct gen *g, int a, long k); /* by a number of any sign */
int index_div(struct gen *g, int a, long n, bool user);
int index_mod(struct gen *g, int a, long n, bool user);
/* Places: where a variable starts, its element i, its first or second component. */
int index_start(struct gen *g);
int index_cell(struct gen *g, int place, int i, long cells);
int index_field(struct gen *g, int place, bool left, long cells);

/* A part of a loop: from lo to hi - 1, in there from the greatest of low to before the least of high. */
struct part {
    int var;
    long lo, hi;
    struct ints low, high; /* forms */
};
bool part_is_cell(const struct part *r); /* one iteration, always */
struct split_rules {
    int (*loop)(struct gen *g, const struct comm *c, const struct part *r); /* its variable is bound */
    int (*parts)(struct gen *g, const struct comm *c, const int *items, int n);
};
/* The loop as parts in each of which the guards under it are decided, wherever guards are ranges of its variable. */
int split_loop(struct gen *g, const struct comm *c, const struct split_rules *rule);
enum {
    SPLIT_SIZE = 4096, /* statements and expressions a function may have anyhow */
    SPLIT_GROWTH = 8   /* and so many for each of its commands and views */
};

/* Where a condition of a loop over var belongs. */
enum place { PLACE_OUTSIDE, PLACE_LOW, PLACE_HIGH, PLACE_INSIDE };
/* For a bound, *bound is the first v allowed (LOW) or the first not allowed (HIGH). */
enum place split_cond(struct gen *g, const struct mcond *k, int var, int *bound);

/* Is the form at least 0: 1 yes, 0 never, -1 it depends. */
int gen_sign(struct gen *g, int form);
/* a op b by ranges and facts: 1 always true, 0 always false, -1 depends. */
int gen_decide(struct gen *g, const struct mcond *k);
/* The form of an index expression. */
int gen_index(struct gen *g, int id);

/* The command's statement. */
int gen_stmt(struct gen *g, int id);
/* Adds a statement; its number. */
int gen_add(struct gen *g, struct ms x);
bool gen_is_empty(const struct minic *m, int id);
/* g->m->main from the code's main command; g->m is initialised. */
enum calque_status gen_main(struct gen *g, struct diag *d);

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
