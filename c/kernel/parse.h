/* Inside the kernel room: one statement as parsed, before elaboration. */
#ifndef CALQUE_KERNEL_PARSE_H
#define CALQUE_KERNEL_PARSE_H

#include "base/lex.h"
#include "kernel/kernel.h"

struct kpos {
    int line, col;
};

struct raw_var {
    int name;
    long extent; /* -1: to be inferred */
    bool implicit;
    int now;     /* its number in the elaborated statement */
    struct kpos at;
};

/* ix.k of a variable is a raw variable. */
struct raw_ix {
    struct ix ix;
    struct kpos at;
    int depth;
};

/* As struct ex; first and n of loads and reductions are ranges of parser.pool (raw index ids, raw variables), of selects
   ranges of parser.cond. */
struct raw_ex {
    struct ex ex;
    int depth;
};

struct parser {
    struct lex lx;
    struct kernel *k;
    struct { struct raw_var *a; int n, cap; } var; /* outputs first */
    struct { struct raw_ix *a; int n, cap; } ix;
    struct { struct raw_ex *a; int n, cap; } ex;
    struct { struct cond *a; int n, cap; } cond;
    struct ints pool, scope; /* scope: the binders around the current place */
    struct ints named;       /* by name: 1 + the first tensor of that name, or 0; of the first `names` tensors */
    int names;
    struct { struct kpos *a; int n, cap; } at; /* of k->pool: where each index of a load stands */
    int out, nout, body;
    int look, look_at; /* of a look-up, which is raw_ex body: 1 + the index that is read from data, and raw_ex of its load */
    struct kpos start, assign; /* of the statement; of its = */
    int nest;
    bool nomem;
};

/* parse_ix.c. An int result is -1 after an error, which the lexer holds. */
int parse_nomem(struct parser *p);
int parse_fail(struct parser *p, struct kpos at, const char *format, ...) CALQUE_PRINTF(3, 4);
struct kpos parse_here(const struct parser *p);
int parse_name(struct parser *p, const struct token *t);
const char *parse_text(const struct parser *p, int name);
/* Counts the nesting of constructs; with node depths this bounds all recursion over the result. */
bool parse_enter(struct parser *p);
int parse_leave(struct parser *p, int result);
int parse_var(struct parser *p, int name, long extent, bool implicit, struct kpos at);
/* The variable a name means here; -1 if none so far. */
int parse_find_var(const struct parser *p, int name);
/* An integer literal of at most KERNEL_INDEX_MAX; what says what for. */
bool parse_small(struct parser *p, const char *what, long *x);
int parse_ix(struct parser *p);
int parse_constant(struct parser *p, long k, struct kpos at); /* an index */
bool parse_cond(struct parser *p);
/* '<' INT,+ [':' NAME] '>': the shape and the stored type; its number of dimensions or -1. A '>' glued to a following '='
   counts. */
int parse_shape(struct parser *p, long *dim, int *elem);

/* Appends the parsed statement to p->k: implicit sums made explicit, ranges inferred. */
enum calque_status elaborate(struct parser *p);

/* Checks structure, sizes and bounds of the statement; at (n of them) tells the places of the indices, or is NULL. */
enum calque_status bounds_check(const struct kernel *k, const struct kernel_stmt *s, const char *file,
                                const struct kpos *at, int n, struct diag *d);

/* kernel_parse over tensors some of which may be named already with rank -1: the first use gives their shape. */
enum calque_status kernel_parse_named(struct kernel *k, const char *file, const char *src, size_t n, const int *outputs,
                                      int noutputs, struct diag *d);

#endif
