/* From syntax trees to rules: names resolved, macros expanded, pattern and attribute kinds inferred. Internal
   to the room. Recursion is bounded by ELAB_DEPTH_MAX, total work by ELAB_STEPS_MAX. */
#ifndef CALQUE_PATTERN_ELAB_H
#define CALQUE_PATTERN_ELAB_H

#include "pattern/gsl.h"
#include "pattern/syntax.h"

enum { ELAB_DEPTH_MAX = 400, ELAB_STEPS_MAX = 50000, ELAB_PATTERNS_MAX = 1000 };

enum term_kind {
    TERM_BAD,     /* an error was recorded */
    TERM_PATTERN, /* id: pattern number */
    TERM_ATTR,    /* id: attribute expression */
    TERM_ATTRS,   /* elab.keyword[id .. id+n-1], for ** */
    TERM_LIST     /* elab.item[id .. id+n-1]: [e, ..] with a pattern in it */
};

struct term {
    int kind, id, n;
    int line, col;
};

/* What is visible: a chain of entries, newest first. */
struct scope_entry {
    int parent;
    int name;
    int def;          /* statement number of a macro, or -1: a value */
    struct term term;
    int line;
};

/* Where an attribute of a pattern is read. */
struct access_place {
    int pattern, label;
    int line, col;
};

enum { ELAB_HAS_ANY = 1, ELAB_HAS_ACCESS = 2 };

struct elab {
    struct rules *rs;
    struct rule *r;
    const struct syntax *syn;
    const char *file;
    struct diag *d;
    enum calque_status status;
    struct { struct scope_entry *a; int n, cap; } scope;
    struct { struct pattern_attr *a; int n, cap; } keyword;
    struct { struct term *a; int n, cap; } item;
    struct { struct access_place *a; int n, cap; } access;
    struct ints flags; /* of each attribute expression: ELAB_HAS_* of its subterms */
    int env;           /* newest visible entry, or -1 */
    int depth, steps;
};

void elab_init(struct elab *e, struct rules *rs, const struct syntax *syn, const char *file, struct diag *d);
void elab_free(struct elab *e);
/* Elaborates rule statement st of the file into e->r (empty, owned by the caller). */
enum calque_status elab_rule(struct elab *e, int st);
/* Makes a macro of the file visible; false after an error. */
bool elab_def(struct elab *e, int st);

struct term elab_expr(struct elab *e, int expr);
struct term elab_call(struct elab *e, const struct syntax_node *nd);
/* An application of op to patterns or liftable attributes, as infix operators write it. */
struct term elab_apply(struct elab *e, int op, const struct term *arg, int n, int line, int col);

/* Records the first error (located, CALQUE_BAD); returns a TERM_BAD. */
struct term elab_fail(struct elab *e, int line, int col, const char *format, ...) CALQUE_PRINTF(4, 5);
/* The error that this list stands where a pattern or a value must. */
struct term elab_stray(struct elab *e, struct term t);
struct term elab_nomem(struct elab *e);

/* New attribute expressions. Operands must be expressions without `_`. */
struct term elab_const(struct elab *e, int value, int line, int col);
struct term elab_unary(struct elab *e, int op, struct term a);
struct term elab_binary(struct elab *e, int op, struct term a, struct term b);
struct term elab_access(struct elab *e, int pattern, int label, int line, int col);
/* t must be an attribute expression, and one that has a value; else an error naming what. */
bool elab_is_value(struct elab *e, struct term t, const char *what);
bool elab_is_closed(const struct elab *e, int expr);

/* A new pattern; its number, or -1. */
int elab_pattern(struct elab *e, struct pattern p);
struct pattern elab_blank(int kind, int line, int col);
/* Is label an attribute of pattern p? */
bool elab_has_label(const struct elab *e, int p, const char *label);
/* Names nothing can be bound to: operators, built-in functions. */
bool elab_reserved(const char *name);
/* The macro or value called name, or NULL. */
const struct scope_entry *elab_find(const struct elab *e, int name);
/* Expands macro st with these argument values. */
struct term elab_expand(struct elab *e, const struct scope_entry *macro, const struct term *arg, int n,
                        int line, int col);

/* Everything that makes a rule well formed beyond its expressions; fills in_source and certain. */
enum calque_status elab_check(struct elab *e);

#endif
