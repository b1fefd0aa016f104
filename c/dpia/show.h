/* What functional expressions and commands print alike: sizes, types, index expressions, conditions, scalar functions. */
#ifndef CALQUE_DPIA_SHOW_H
#define CALQUE_DPIA_SHOW_H

#include "dpia/exp.h"

struct show {
    struct text *t;
    const struct prog *p;
    const struct ix *ix;     /* the arena the ids below refer to */
    const struct cond *cond;
    void (*var)(const struct show *s, int var); /* of IX_VAR */
    const void *arg;         /* for var */
};

void show_type(const struct show *s, int type); /* n.m.num, (a x b) */
void show_ix(const struct show *s, int id);
void show_conds(const struct show *s, int first, int len);
void show_lit(const struct show *s, double num, long inum);
/* Does the function print between its arguments? */
bool show_infix(int fn);

#endif
