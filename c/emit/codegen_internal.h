/* Inside codegen: views and index arithmetic (codegen_view.c), and commands: the walk and the merging rules (codegen.c), the
   seed's own rules (codegen_direct.c), loops in parts (codegen_split.c). And inside the check of what they make, which
   asks nothing of them. */
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

/* ---- the check of merged statements: rows and ranges (codegen_check.c), facts (codegen_facts.c) ---- */

enum {
    CHECK_STEPS = 1 << 22,
    CHECK_DEPTH = 4 * EXP_DEPTH_MAX, /* statements and expressions in one another */
    CHECK_BOUNDS = 8,                /* bounds of a range that are no numbers */
    CHECK_EACH = 64,                 /* iterations that are looked at one by one */
    CHECK_DIVIDED = 2                /* divisions of a condition that are multiplied out */
};

/* Statements of merged code in a row, without blocks. cut: what is before may run at the same time, by that parallel block. */
struct entry {
    int id, cut;
};
struct extent {
    int from, end;
};
/* A plain loop that is being found in a row. */
struct found {
    const struct ms *loop;
    int from, at, end; /* first entry; where an iteration starts; entries up to there must belong to it */
    struct found *outer;
};
/* Where the body of one of several loops starts; its loop's cut. */
struct body {
    int from, cut;
};
struct row {
    int q, end;
    struct found *found; /* innermost */
};

/* Iterations lo to hi - 1, from the greatest of low to before the least of high. */
struct range {
    long lo, hi;
    int nlow, nhigh, low[CHECK_BOUNDS], high[CHECK_BOUNDS];
};

struct check {
    struct mem *mem;
    const struct minic *p, *m; /* plain, merged */
    enum calque_status status;
    const char *why;
    struct lins l;
    int *plain, *merged;  /* loop variable -> form, or -1 */
    bool *free;           /* levels of loops whose iterations are independent */
    bool *empty;          /* plain statements that may do nothing, by conditions */
    const struct ms *something; /* a plain loop that is known not to do nothing */
    struct ints fact;     /* forms that are not negative */
    struct { struct entry *a; int n, cap; } entry;
    struct { struct extent *a; int n, cap; } par; /* parallel blocks; 0: none */
    struct { struct body *a; int n, cap; } body;
    int cut;              /* of the next entry */
    int init, of;         /* expression that a variable was declared with, and has still to be set to; or -1 */
    int fresh, depth;
    long steps;
};

/* A negative answer, with its reason; the limits of the check, or CALQUE_NOMEM. Always false. */
bool facts_refuse(struct check *c, const char *why);
bool facts_fail(struct check *c, enum calque_status st);
bool facts_ok(struct check *c);
/* Counts a step, and one statement or expression more around what follows. */
bool facts_enter(struct check *c);

/* Forms and facts that are made between the two are forgotten. */
struct mark {
    int atom, term, lin, fact;
};
struct mark facts_mark(const struct check *c);
void facts_release(struct check *c, struct mark m);
int facts_plus(struct check *c, int form, long k);
/* Is the form at least 0 by the facts: 1 always, 0 never, -1 that is not seen. depth: 0. */
int facts_sign(struct check *c, int form, int depth);
void facts_learn(struct check *c, int form, int depth);
/* The form of a merged index, over the checked ranges. */
int facts_index(struct check *c, int id);

/* Do all the conditions, of the plain or the merged code, hold: 1 yes, 0 no, -1 that is not seen. */
int facts_known(struct check *c, bool plain, int first, int len);
/* What is asked in each case of a branch: whether its conditions hold, and an argument. */
typedef bool in_case(struct check *c, bool holds, void *arg);
/* Is it so in each case? Cases that cannot be are left out. */
bool facts_cases(struct check *c, bool plain, int first, int len, in_case *ask, void *arg);

struct two {
    int plain, merged;
};
/* Is it the same scalar, or the same place in an array; the same operations on the same operands? */
bool facts_place(struct check *c, int plain, int merged);
bool facts_exp(struct check *c, int plain, int merged);
/* The range of a merged loop; the same with one bound more; a variable of numbers in it. */
bool facts_range_of(struct check *c, const struct ms *f, struct range *r);
struct range facts_range_with(struct check *c, struct range r, bool low, int form);
int facts_range_var(struct check *c, int var, const struct range *r);
/* Is the form one of these bounds; has a all bounds of b that are no numbers? */
bool facts_range_bound(struct check *c, const int *bound, int n, int form);
bool facts_range_has(struct check *c, const struct range *a, const struct range *b);
/* The variable is in the range; false: that cannot be. */
bool facts_range_learn(struct check *c, int var, const struct range *r);

#endif
