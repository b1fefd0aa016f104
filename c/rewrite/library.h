/* The built-in rules: sets of them, each a file c/rewrite/library_*.gsl kept in the binary (rewrite/library.def). */
#ifndef CALQUE_REWRITE_LIBRARY_H
#define CALQUE_REWRITE_LIBRARY_H

#include "pattern/gsl.h"

struct library_set {
    const char *name, *file, *words;
    bool standard; /* applied when nothing else is asked for */
    bool early;    /* its rules read what folding computes away: they have a turn before it */
};

int library_sets(void);
const struct library_set *library_set(int set);
/* Set number of that name, or -1. */
int library_find(const char *name, size_t len);
/* *n bytes, not NUL-terminated. */
const char *library_text(int set, size_t *n);
/* Parses the sets named in `sets`, separated by commas (`standard`: the standard ones; `all`), each once, in the
   order of the table, and appends their rules. CALQUE_BAD when there is no set of a name. */
enum calque_status library_parse(struct rules *rs, const char *sets, struct diag *d);
/* Number of the rule of that name, or of that name in the published library; -1. */
int library_rule(const struct rules *rs, const char *name, size_t len);
/* The set that rule of rs comes from, or -1. */
int library_set_of(const struct rules *rs, int rule);
/* The names that the published library has for the rule of that name: the k-th, or NULL. */
const char *library_published(const char *rule, int k);
/* The theorem in Coq by which that rule is sound, or NULL: it is not proved (a rule of a file never is). */
const char *library_theorem(const struct rules *rs, int rule);
/* wanted[k] is set for each class k named in `list`, separated by commas. CALQUE_BAD when there is none of a name. */
enum calque_status library_classes(const char *list, bool wanted[RULE_CLASSES], struct diag *d);
/* Keeps the rules of the classes wanted. */
enum calque_status library_keep_classes(struct rules *rs, const bool wanted[RULE_CLASSES], struct diag *d);
/* Keeps the rules named in `names`, separated by commas (by their own or their published names). CALQUE_BAD when
   there is none of a name. */
enum calque_status library_keep(struct rules *rs, const char *names, struct diag *d);

#endif
