/* Inside the parser: syntax trees, and what the typing of them knows. */
#ifndef CALQUE_DPIA_PARSE_INTERNAL_H
#define CALQUE_DPIA_PARSE_INTERNAL_H

#include "base/lex.h"
#include "dpia/parse.h"
#include "dpia/exp.h"

/* Linear forms over index variables with polynomials of sizes as constants, to show that an index stays in its array
   (Coq: dpia/Range.v): intervals, and comparisons known to hold. */

enum { RANGE_TERMS = 16 };

/* An index variable, or the quotient or remainder of form `arg` by k. lo, hi: polynomials, -1 when not known. */
struct range_atom {
    int kind; /* enum ix_kind: VAR DIV MOD */
    int var, arg;
    long k;
    int lo, hi;
};

struct range_form {
    int c; /* polynomial */
    int n;
    int atom[RANGE_TERMS];
    long k[RANGE_TERMS];
};

struct range {
    struct prog *p;
    struct { struct range_atom *a; int n, cap; } atom;
    struct { struct range_form *a; int n, cap; } form;
    struct ints fact; /* forms that are >= 0 here */
};

void range_init(struct range *r, struct prog *p);
void range_free(struct range *r);

/* Forms, or -1 after a failure (p->status), or beyond RANGE_TERMS (no failure: nothing is known of it). */
int range_size(struct range *r, long n);
int range_const(struct range *r, long k);
int range_var(struct range *r, int var);
int range_add(struct range *r, int a, int b, long k); /* a + k * b */
int range_div(struct range *r, int a, long k);
int range_mod(struct range *r, int a, long k);
bool range_is_const(const struct range *r, int a, long *k);

/* Is the form >= 0 for all values of the variables for which the facts hold? */
bool range_nonnegative(struct range *r, int a);
/* Facts from now on; range_forget(r, mark) takes them back. */
int range_mark(const struct range *r);
void range_assume(struct range *r, int form);
void range_forget(struct range *r, int mark);

enum ast_kind {
    /* sizes and indices */
    AST_INT, AST_NAME, AST_ADD, AST_SUB, AST_MUL, AST_DIV, AST_MOD,
    /* types */
    AST_NUM, AST_ARY, AST_PROD,
    /* conditions: list of AST_CMP, op of enum cmp */
    AST_CMP,
    /* expressions; NAME is shared */
    AST_LIT, AST_CALL, AST_MAP, AST_GEN, AST_RED, AST_IOTA, AST_ZIP, AST_PAIR, AST_FST, AST_SND, AST_SPLIT, AST_JOIN,
    AST_TR, AST_REV, AST_COPY, AST_IDX, AST_ITE, AST_LET, AST_USE,
    /* functions: FUN binders first..len, body a; OP: op; USE: def op, arguments first..len */
    AST_FUN, AST_OP,
    /* binders: NAME (name -1: _), PAIR of binders */
    AST_BIND, AST_BIND_PAIR
};

struct ast {
    int kind, op;
    int a, b, c;
    int name;       /* string id */
    int first, len; /* of pool */
    int line, col;
    double num;
    long inum;
    bool real;      /* LIT: with a point or exponent */
};

struct def {
    int name;
    int first, len; /* of pool: binder nodes, whose a is a type or -1 */
    int body;
};

/* What a name stands for: an expression or an index variable. */
struct bound {
    int name, exp, ivar;
};

struct size_bound {
    int name;
    long n;
};

struct parser {
    struct lex lx;
    struct prog *p;
    struct { struct ast *a; int n, cap; } ast;
    struct { struct def *a; int n, cap; } def;
    struct ints pool;
    int depth;
    /* typing */
    struct { struct bound *a; int n, cap; } env;
    struct { struct size_bound *a; int n, cap; } size; /* of the program, then of the calls being written out */
    int env_from, size_from; /* of the innermost call */
    int sizes;               /* those of the program are size[0..sizes-1] */
    struct range range;
};

/* Records an error at the node or token; always -1. */
int dpia_error(struct parser *q, int node, const char *format, ...) CALQUE_PRINTF(3, 4);
int dpia_nomem(struct parser *q);
int dpia_limit(struct parser *q, const char *what);
bool dpia_ok(const struct parser *q);

/* syntax.c, syntax_exp.c: node ids, or -1. */
int syntax_name(struct parser *q);       /* the current token, a name: its string id */
int syntax_binder(struct parser *q);
int syntax_type(struct parser *q);
int syntax_size(struct parser *q);       /* an argument */
int syntax_argument(struct parser *q);
int syntax_function(struct parser *q);
int syntax_conditions(struct parser *q);
int syntax_call(struct parser *q, int def, int n); /* the current token names a def; up to n arguments */
int syntax_exp(struct parser *q);        /* syntax_exp.c */
int syntax_scalar(struct parser *q, int fn);
int syntax_expected(struct parser *q, const char *what);
bool syntax_enter(struct parser *q);     /* one level deeper: q->depth-- afterwards */
int syntax_fn(const struct parser *q);   /* the function (fn.def) the token names, or -1 */
int syntax_def(const struct parser *q);  /* the def the token names, or -1 */
int syntax_node(struct parser *q, struct ast a); /* at the current token unless it has a place */

/* elab_size.c */
long elab_size(struct parser *q, int node);       /* SIZE_NONE after an error */
int elab_type(struct parser *q, int node);
bool elab_unify(struct parser *q, int node, int type); /* finds the size variables of the call */
int elab_ix(struct parser *q, int node, int *form); /* index id and linear form */
/* Conditions, and the forms known to be >= 0 where they hold, or where a single one fails. */
enum { ELAB_CONDS = 16, ELAB_TEXT = 120 };
struct elab_facts {
    int then[2 * ELAB_CONDS], n;
    int other[2], nelse;
};
bool elab_conds(struct parser *q, int node, struct cond *out, struct elab_facts *facts);
const char *elab_show(struct parser *q, int type, char *buf, size_t n); /* a type as text */

/* elab.c */
int elab_exp(struct parser *q, int node);

#endif
