/* Loops in another order than the output's dimensions: the statement is lowered as one over its loops' variables in their
   order, to an array with the dimensions in this order, and that is transposed to where the output has them. Transposing
   costs nothing: join, split and transpose are acceptors (Coq: reverse_inline_correct says the cells are the same). */
#include "dpia/lower_internal.h"

#include <string.h>

bool lower_ordered(const struct kernel *k, int stmt)
{
    const struct kernel_stmt *s = &k->stmt.a[stmt];

    return s->loop[0] > 0 && !lower_loads(k, s->body, s->out, 0);
}

bool lower_reorder(const struct kernel *k, int stmt, struct kernel *q, struct ints *from)
{
    const struct kernel_stmt *s = &k->stmt.a[stmt];
    int rank = k->tensor.a[s->out].rank, inverse[KERNEL_RANK_MAX];
    struct kernel_tensor *t;

    if (kernel_part(k, stmt, 1, q, from, NULL) != CALQUE_OK)
        return false;
    t = &q->tensor.a[q->stmt.a[0].out];
    for (int i = 0; i < rank; i++) {
        int v = s->loop[i] - 1;
        inverse[v] = i;
        t->dim[i] = k->var.a[s->var + v].extent;
        q->var.a[q->stmt.a[0].var + i] = k->var.a[s->var + v];
    }
    for (int i = 0; i < q->ix.n; i++)
        if (q->ix.a[i].kind == IX_VAR && q->ix.a[i].k < rank)
            q->ix.a[i].k = inverse[q->ix.a[i].k];
    return true;
}

/* [c0]..[c(p-1)][cp].. -> [cp][c0]..[c(p-1)]..; dim and at (what they are) follow. */
static int to_front(struct prog *p, int e, int place, long *dim, unsigned char *at)
{
    long d = dim[place];
    unsigned char a = at[place];

    for (int i = 1; i < place; i++)
        e = exp_join(p, e);
    e = exp_tr(p, e);
    if (place > 1)
        e = exp_join(p, e);
    for (int i = place - 1; i >= 0 && place > 1; i--)
        e = exp_split(p, dim[i], e);
    memmove(dim + 1, dim, (size_t)place * sizeof *dim);
    memmove(at + 1, at, (size_t)place * sizeof *at);
    dim[0] = d;
    at[0] = a;
    return e;
}

int lower_transpose(struct prog *p, int e, const struct kernel_tensor *t, const unsigned char *loop)
{
    long dim[KERNEL_RANK_MAX];
    unsigned char at[KERNEL_RANK_MAX];
    int rest = t->rank, last = t->rank;

    for (int i = 0; i < t->rank; i++) {
        at[i] = (unsigned char)(loop[i] - 1);
        dim[i] = t->dim[at[i]];
    }
    for (int i = t->rank - 1; i >= 0; i--) /* dimensions rest.. stand in order, others between them */
        if (at[i] == rest - 1 && i < last) {
            rest--;
            last = i;
        }
    for (int want = rest - 1; want >= 0; want--)
        for (int i = 1; i < t->rank; i++)
            if (at[i] == want) {
                e = to_front(p, e, i, dim, at);
                break;
            }
    return e;
}
