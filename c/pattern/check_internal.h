/* The semantic check of a rule: what a match binds, and under which choices. Internal to the room.

   A guard is a choice that a match makes: an alternative of an Alt, an Optional that is present, a variadic
   pattern that has instances. A context is a set of guards known to hold. */
#ifndef CALQUE_PATTERN_CHECK_INTERNAL_H
#define CALQUE_PATTERN_CHECK_INTERNAL_H

#include "pattern/elab_internal.h"

typedef unsigned long check_word;

struct check {
    struct elab *e;
    struct rule *r;
    int n;             /* patterns */
    int words, gwords; /* of a set of patterns, of guards */
    int guards;
    int *guard;        /* of each pattern: its first guard (an Alt has one for each kid), or -1 */
    int *template;     /* of each variadic pattern: its first entry of e->template; the others follow */
    bool *built;       /* of each pattern: is it built by the target? */
    bool *root;        /* of each pattern: an output, or what an Alt, Cond, Match that is one chooses from */
    bool *lacks;       /* of each Cond and Match: may it be an absent input? */
    bool *reached;     /* of each pattern: is it in the source, or the target: then its context is known */
    check_word *owner; /* of each pattern: the variadic patterns it is a template of */
    check_word *ctx;   /* of each pattern: the context in which it is matched or built */
    check_word *cover; /* of each pattern: what is bound when it is, in context `at` */
    check_word *at;
    check_word *bound; /* what every match binds in context `at` */
    int *stamp;        /* of each expression: the last context it was checked in */
    int stamps, last_stamp;
    long steps;
};

/* false: memory is out. in_source is set: of the patterns that the source consists of. */
bool check_open(struct check *c, struct elab *e);
void check_close(struct check *c);

/* Guard number k of pattern p, a child or -1. */
int check_guard(const struct check *c, int p, int kid);
/* Fills bound and cover for the context. */
void check_context(struct check *c, const check_word *ctx);
bool check_is_bound(const struct check *c, int p);
/* Does every match that binds p bind q, in the context at hand? */
bool check_covers(const struct check *c, int p, int q);
/* Computes the contexts of the patterns below the outputs `from`: those of the source, or of the target. */
bool check_contexts(struct check *c, const struct ints *from, bool source);
check_word *check_ctx_of(const struct check *c, int p);

/* check_expr.c: every expression of pattern p, in p's context; of a requirement. */
bool check_pattern_exprs(struct check *c, int p);
bool check_require(struct check *c, const struct rule_require *q);
/* Is p, which pattern `user` uses in the context at hand, bound? Else the error, at the place given. */
bool check_use(struct check *c, int p, int line, int col);

/* check_source.c: templates are reached through templates only; instances exist. */
bool check_owners(struct check *c);
bool check_templates(struct check *c);
bool check_owned(const struct check *c, int t, int variadic);
bool check_is_template(const struct check *c, int p);
/* Are p's owners (of the source, if it is part of that, or of the target) owners of q too? */
bool check_same_owner(const struct check *c, int p, int q);
/* Is the instance of template t at hand where pattern p is matched or built? */
bool check_may_read(const struct check *c, int p, int t);
/* Instance `index` of template t of variadic pattern v exists and is bound, as far as can be known. */
bool check_instance(struct check *c, int v, int t, int index, int line, int col);
/* The number of instances that variadic pattern v surely has. */
int check_least(const struct check *c, int v);

/* check_source.c, check_target.c */
bool check_source(struct check *c);
bool check_target(struct check *c);

/* What both use. */
bool check_fail(struct elab *e, int line, int col, const char *text, const char *what);
const char *check_name(const struct elab *e, int p);
/* May the pattern be absent: matched, or built? */
bool check_may_lack(const struct check *c, int p, bool building);
/* May kid number j of p be absent? Else the error. */
bool check_kid(const struct check *c, int p, int j, bool building);
/* Has the pattern, an output, one value? */
bool check_root(struct elab *e, int p, const char *what);
/* Fills root for these outputs. */
void check_roots(struct check *c, const struct ints *outputs);

/* check_expr.c: drops instances that nothing uses, and numbers the patterns so that children and first patterns come
   before their users. */
bool check_tidy(struct elab *e);
/* check_expr.c: the final numbers of the symbols, once everything is checked. */
bool check_symbols(struct elab *e);

#endif
