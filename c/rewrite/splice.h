/* Putting a built target in the place of a match's outputs, in a cost of the order of the match: edges move, nodes that
   nothing needs any more die, and the topological order is repaired between the first output and what the target reads.
   Not proved: memory, the text of origins, and that what the matcher and the builder hand over is as splice_find.h and
   splice_put.h require it. */
#ifndef CALQUE_REWRITE_SPLICE_H
#define CALQUE_REWRITE_SPLICE_H

#include "pattern/match.h"
#include "pattern/uses_build.h"

struct splice {
    struct graph *g;
    struct uses *uses;
    struct walker walk;
    struct { struct match_key *a; int n, cap; } early; /* to be moved before the first output */
    struct ints list; /* the nodes of early and then the new ones */
};

void splice_free(struct splice *s);
/* What the new nodes (from `first` on) and the roots are computed from and stands after the first output goes to
   s->early. CALQUE_NO: one of them is computed from an output, so the result would have a cycle. */
enum calque_status splice_check(struct splice *s, const struct matcher *m, const int *root, int first, struct diag *d);
/* root[k] takes the place of m->outs.a[k]: its users, and if it is new its name; after splice_check. */
enum calque_status splice_commit(struct splice *s, const struct matcher *m, const int *root, int first, struct diag *d);

#endif
