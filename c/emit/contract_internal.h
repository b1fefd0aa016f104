/* Inside the printer of cells. */
#ifndef CALQUE_EMIT_CONTRACT_INTERNAL_H
#define CALQUE_EMIT_CONTRACT_INTERNAL_H

#include "emit/contract.h"

enum acsl_mode {
    ACSL_CODE,  /* C */
    ACSL_LOGIC, /* in the definition of a logic function: tensors are its parameters */
    ACSL_HERE,  /* in a contract or invariant: what memory holds */
    ACSL_PRE    /* what memory held when the function was entered */
};

enum {
    ACSL_CUTS = 64,       /* places where the loop of one variable is cut */
    ACSL_PARTS = 256,     /* parts of a statement */
    ACSL_EXTENT = 1 << 20 /* of a variable that is cut */
};
struct acsl_cuts {
    int n;
    long at[ACSL_CUTS];
};
/* Output variable d from lo to hi - 1 (a size that is no number: hi is -1); cut: no condition of it alone changes there. */
struct acsl_part {
    int id; /* 0: all */
    long lo[KERNEL_RANK_MAX], hi[KERNEL_RANK_MAX];
    bool cut[KERNEL_RANK_MAX];
};

struct acsl_printer {
    struct text *t;
    struct acsl_text *out;
    struct cells *c;
    int mode;
    int stmt;
    int fold;        /* the fold whose function is printed, or -1 */
    bool ghost;      /* CODE, of ghosts: products as they are */
    bool step;       /* LOGIC: its variable is count - 1, its accumulator the function at count - 1 */
    struct acsl_part part; /* CODE of cells and of the loops around them: what they are for */
    int parts;       /* of the statement so far */
    int chosen;      /* CODE of folds: 2 * a select + 1 where its first branch is taken, + 2 where its second; or 0 */
    bool placed;     /* its ghost functions are printed */
    unsigned *pre;   /* tensors of which PRE is meant in HERE (bit sets by tensor), or NULL */
};

/* contract_expr.c */
void acsl_ax(struct acsl_printer *q, int id, int prec); /* 1 sums, 2 products, 3 divisors */
void acsl_ac(struct acsl_printer *q, int id, int prec);
void acsl_conds(struct acsl_printer *q, int first, int n);
void acsl_part(struct acsl_printer *q); /* the name of the statement's function */
/* Of an element type: its suffix, its type in C as in ACSL, where int32_t is int and int64_t long where Frama-C looks. */
const char *acsl_suffix(int elem);
const char *acsl_type(int elem);
int acsl_result(const struct acsl_printer *q); /* what the statement's tensor is stored as */
/* Each with ", " before it, but not before the first of a list. */
void acsl_comma(struct acsl_printer *q, bool *any);
void acsl_sizes(struct acsl_printer *q, bool *any, const char *type);
enum acsl_form { ACSL_ARGUMENT, ACSL_SEQUENCE /* with its type in logic */, ACSL_ARRAY /* in C */ };
void acsl_vectors(struct acsl_printer *q, bool *any, int root, int form);
void acsl_vector(struct acsl_printer *q, int tensor, int mode);
/* The fold's parameters that are no tensors: variables, accumulators; as arguments or with types. */
void acsl_scope(struct acsl_printer *q, bool *any, int fold, const char *index, const char *number);
bool acsl_loads(const struct cells *c, int id, int tensor);
bool acsl_uses_var(const struct cells *c, int id, int var);
void acsl_unused(struct acsl_printer *q);
void acsl_void(struct acsl_printer *q, int var); /* (void)var; */
bool acsl_needs_var(const struct cells *c, int fold, int var);
/* A reference to a fold's logic function up to the number of steps. */
void acsl_fold_term(struct acsl_printer *q, int fold);

/* contract_fold.c: the functions of the folds under a body, logic ones and C ones. */
void acsl_fold_logic(struct acsl_printer *q, int id);
void acsl_fold_code(struct acsl_printer *q, int id);
void acsl_valid(struct acsl_printer *q, int root);

/* contract_part.c: parts of a statement's cells. */
void acsl_whole(struct acsl_printer *q);                                      /* the part that is all */
void acsl_find_cuts(struct acsl_printer *q, int d, struct acsl_cuts *x);      /* of the part's range of output variable d */
int acsl_known(const struct acsl_printer *q, const struct ac *select);        /* 1: its conditions hold in the part, 0: one does not, -1 */
bool acsl_part_loads(const struct acsl_printer *q, int id, int tensor);       /* in the part */
bool acsl_part_uses(const struct acsl_printer *q, int id, int var);
/* A select in the fold's body whose conditions, as its variable grows, each become true once (low) or false once (high); or -1.
   Conditions of other variables are low. */
int acsl_fold_select(const struct cells *c, int fold, bool *has_low, bool *has_high);
void acsl_fold_conds(struct acsl_printer *q, int fold, int select, bool low);

/* contract_nest.c: the loops around a statement's cell. */
void acsl_nest_logic(struct acsl_printer *q);
void acsl_nest_code(struct acsl_printer *q, bool top, bool pragmas);
/* Clauses of a contract that has begun with "/" "*@ ". */
void acsl_require_sizes(struct acsl_printer *q);
void acsl_require_var(struct acsl_printer *q, int var);
void acsl_nest_call(struct acsl_printer *q);
/* Every cell of its tensor is the statement's, of the tensors as q->pre says. */
void acsl_nest_value(struct acsl_printer *q);
bool acsl_is_symbolic(const struct cells *c);

#endif
