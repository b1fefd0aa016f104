/* From syntax trees to rules: names resolved, macros expanded, pattern and attribute kinds inferred. Internal
   to the room. Recursion is bounded by ELAB_DEPTH_MAX, total work by ELAB_STEPS_MAX. */
#ifndef CALQUE_PATTERN_ELAB_INTERNAL_H
#define CALQUE_PATTERN_ELAB_INTERNAL_H

#include "pattern/gsl.h"
#include "pattern/syntax.h"

enum { ELAB_DEPTH_MAX = 400, ELAB_STEPS_MAX = 50000, ELAB_PATTERNS_MAX = 1000, ELAB_TEMPLATES_MAX = 2000 };

enum term_kind {
    TERM_BAD,     /* an error was recorded */
    TERM_PATTERN, /* id: pattern number */
    TERM_ATTR,    /* id: attribute expression */
    TERM_ATTRS,   /* elab.keyword[id .. id+n-1], for ** */
    TERM_LIST,    /* elab.item[id .. id+n-1]: [e, ..] with a pattern in it */
    TERM_OPERATOR /* an operator without a meaning here; id: attribute expression, its name */
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

enum { ELAB_HAS_ANY = 1, ELAB_OPEN = 2, ELAB_ANY_CHOSEN = 4 };
enum { ELAB_NO_SYMBOL = -1, ELAB_SYMBOLS = -2 };
enum { ELAB_KIND_UNKNOWN = -1 };

/* What is known of an attribute expression. */
struct attr_note {
    int flags;     /* ELAB_HAS_ANY: `_` is part of it; ELAB_OPEN: it depends on the match; ELAB_ANY_CHOSEN: `_` is
                      part of what a Cond or Match chooses from */
    int kind;      /* enum value_kind of its values, or ELAB_KIND_UNKNOWN */
    int symbol;    /* the only Symbol() in it, ELAB_NO_SYMBOL, or ELAB_SYMBOLS: several */
    int variadic;  /* INST: of that pattern */
    int line, col;
};

/* A template of a variadic pattern, and what its instance 0 is instead (or -1). */
struct elab_template {
    int variadic, pattern, first;
    int line, col;
};

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
    struct { struct attr_note *a; int n, cap; } note; /* of each attribute expression */
    struct { struct elab_template *a; int n, cap; } template;
    struct { struct term *a; int n, cap; } target; /* the outputs, with their places */
    struct ints pack;  /* pairs: a variadic pattern, the tuple of its instances */
    struct ints bound; /* of each symbol: is it that of a comprehension? */
    int env;           /* newest visible entry, or -1 */
    int depth, steps;
};

void elab_init(struct elab *e, struct rules *rs, const struct syntax *syn, const char *file, struct diag *d);
void elab_free(struct elab *e);
/* Elaborates rule statement st of the file into e->r (empty, owned by the caller). */
enum calque_status elab_rule(struct elab *e, int st);
/* Makes a macro of the file visible; false after an error. */
bool elab_def(struct elab *e, int st);

/* Records the first error (located, CALQUE_BAD); returns a TERM_BAD. */
struct term elab_fail(struct elab *e, int line, int col, const char *format, ...) CALQUE_PRINTF(4, 5);
/* The error that this list stands where a pattern or a value must. */
struct term elab_stray(struct elab *e, struct term t);
struct term elab_nomem(struct elab *e);
struct term elab_bad(void);

/* elab_expr.c */
struct term elab_expr(struct elab *e, int expr);
/* The elements of the list that an expression must be: as many terms, appended to e->item. The TERM_LIST, or an error
   naming what. */
struct term elab_list(struct elab *e, int expr, const char *what);

/* elab.c: what is visible */
/* The macro or value called name, or NULL. */
const struct scope_entry *elab_find(const struct elab *e, int name);
bool elab_bind(struct elab *e, struct scope_entry entry);
/* Expands macro st with these argument values. */
struct term elab_expand(struct elab *e, const struct scope_entry *macro, const struct term *arg, int n,
                        int line, int col);

/* elab_call.c */
struct term elab_call(struct elab *e, const struct syntax_node *nd);
/* An application of op (-1: a tuple) to patterns or liftable attributes, as infix operators write it. */
struct term elab_apply(struct elab *e, int op, const struct term *arg, int n, int line, int col);
/* The patterns that these terms are (a value is a constant) become p's range of rule.kid. */
bool elab_kids(struct elab *e, struct pattern *p, const struct term *arg, int n);
/* Adds the pattern. */
struct term elab_done(struct elab *e, struct pattern p);
/* Names nothing can be bound to: operators, built-in functions. */
bool elab_reserved(const char *name);

/* elab_attr.c: the functions of attribute values (len, sum, range, ..) */
bool elab_is_function(const char *name);
struct term elab_function(struct elab *e, const char *name, const struct term *t, int n, int line, int col);

/* elab_family.c: Alt, Match, Cond, Variadic and its instances, operator patterns */
struct term elab_alt(struct elab *e, const struct term *arg, int n, int line, int col);
struct term elab_match(struct elab *e, const struct syntax_node *nd);
struct term elab_cond(struct elab *e, const struct term *arg, int n, int line, int col);
struct term elab_variadic(struct elab *e, const struct syntax_node *nd);
struct term elab_instance(struct elab *e, int variadic, const struct term *arg, int n, int line, int col);
struct term elab_operators(struct elab *e, const struct syntax_node *nd);
/* The tuple of the instances of a variadic pattern; other patterns are themselves. */
struct term elab_packed(struct elab *e, struct term t);

/* unknown.c: operators without a meaning here */
/* Is the first argument of Op(..) the name of one? */
bool elab_is_unknown(const struct elab *e, const struct syntax_node *nd);
struct term elab_unknown(struct elab *e, const struct syntax_node *nd);
/* The attributes that an application gives; the one that is the name of operator f. */
bool elab_unknown_attrs(struct elab *e, struct pattern_attr *a, int n);
bool elab_unknown_name(struct elab *e, struct term f, struct pattern_attr *a);

/* elab_attr.c: new attribute expressions. Operands must be expressions without `_`, except in tuples and families. */
struct term elab_const(struct elab *e, int value, int line, int col);
struct term elab_any(struct elab *e, int line, int col);
struct term elab_unary(struct elab *e, int op, struct term a);
struct term elab_binary(struct elab *e, int op, struct term a, struct term b);
struct term elab_tuple(struct elab *e, const struct term *t, int n, int line, int col);
struct term elab_project(struct elab *e, struct term t, struct term ix);
struct term elab_func(struct elab *e, int op, const struct term *t, int n, int line, int col);
struct term elab_reduce(struct elab *e, int op, struct term t);
struct term elab_if(struct elab *e, struct term c, struct term a, struct term b, int line, int col);
struct term elab_choice(struct elab *e, int alt, const struct term *t, int n, int line, int col);
/* Attribute `label` of the pattern; of an instance, if it is one. */
struct term elab_access(struct elab *e, int pattern, int label, int line, int col);
/* The same of the pattern that is made next. */
struct term elab_self(struct elab *e, int pattern, int label, int line, int col);
/* A new symbol; bound: that of a comprehension, of values of this kind. */
struct term elab_symbol(struct elab *e, bool bound, int kind, int line, int col);
/* [a for symbol in range(n)], [a for symbol in t]; symbol: from elab_symbol. */
struct term elab_var(struct elab *e, struct term symbol, struct term n, struct term a);
struct term elab_map(struct elab *e, struct term symbol, struct term t, struct term a);
/* The expression that attribute `label` of `pattern` must match, with the attribute itself for each `_` where that is
   part of a Cond or Match, which are not matched but evaluated. */
struct term elab_own(struct elab *e, struct term t, int pattern, int label);
/* t has no `_` that is part of a Cond or Match; else an error. */
bool elab_is_plain(struct elab *e, struct term t);
/* t must be an attribute expression, and one that has a value; else an error naming what. */
bool elab_is_value(struct elab *e, struct term t, const char *what);
/* The same, and its values may be of this kind. */
bool elab_expect(struct elab *e, struct term t, int kind, const char *what);
bool elab_may_be(const struct elab *e, int expr, int kind);
bool elab_is_closed(const struct elab *e, int expr);
/* The constant an attribute expression is, or NULL. */
const struct value *elab_literal(const struct elab *e, int expr);

/* A new pattern; its number, or -1. */
int elab_pattern(struct elab *e, struct pattern p);
struct pattern elab_blank(int kind, int line, int col);

/* elab_attr.c: where a number of t[0], t[1] is a literal and compared with an attribute of the other, it becomes the literal
   rounded to the attribute's element type. */
bool elab_rounded(struct elab *e, struct term *t);

/* elab_source.c: in sources, literal axes counted from the end become sums with a rank. Before the rule is checked. */
bool elab_axes(struct elab *e);

/* check.c: everything that makes a rule well formed beyond its expressions; fills in_source, certain, template,
   first. */
enum calque_status elab_check(struct elab *e);
/* Is label an attribute of pattern p? Of which kind are its values? */
bool elab_has_label(const struct elab *e, int p, const char *label);
int elab_label_kind(const struct elab *e, int p, const char *label);

#endif
