/* Memoised evaluation during one rewrite: a subexpression without free symbols that is shared, or stands in the body of a
   comprehension, is evaluated once. coq/attr/Memo.v has the theorem, and why the free symbols of [a for s in range(n)]
   are those of n and those of a without s: GSL thesis, chapter implementation, forgets those of n. */
#ifndef CALQUE_ATTR_MEMO_H
#define CALQUE_ATTR_MEMO_H

#include "attr/attr.h"

struct attr_memo {
    struct mem *mem;
    struct attr_node *node;  /* the expressions, what is remembered replaced by constants */
    struct attr_memo_class {
        int first, next;     /* the least node that is the same expression, and the next one, or -1 */
        unsigned long hash;  /* of the expression */
        unsigned long free;  /* its free symbols: bit s; bit 63 for all from 63 on, which nothing binds */
        bool used;           /* of a first: as a child of a first */
        bool keep;           /* of a first: it is worth remembering */
        bool tried, marked;
    } *of;
    int n, cap, capof;
};

void attr_memo_init(struct attr_memo *m, struct mem *mem);
void attr_memo_free(struct attr_memo *m);
/* Forgets everything and takes the expressions of t; false when memory is out. What is remembered afterwards holds for one
   environment, symbols aside: start again when a slot, an instance or an alternative changes. */
bool attr_memo_start(struct attr_memo *m, const struct attrs *t);
/* As attr_eval. */
enum attr_result attr_eval_memo(struct attrs *t, const struct attr_env *env, struct attr_memo *m, int a, int *out);

#endif
