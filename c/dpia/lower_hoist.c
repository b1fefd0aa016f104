/* What costs much and is the same in all iterations of a statement's last loop is bound before that loop: a root or a function
   of libm. It is the same operation on the same numbers, once. Under a select nothing is bound: its loads may have no place
   where the select does not choose them. */
#include "dpia/lower_internal.h"

enum { HOIST_LEAST = 4 /* iterations of the loop */ };

/* Does the index depend on a variable of the loop? */
static bool varies(const struct lower *w, int id, int first, int rank)
{
    for (int v = first; v < rank; v++)
        if (lower_ix_uses(w->k, id, v))
            return true;
    return false;
}

/* Is the expression arithmetic that has one value in all iterations of the loop over variables first..rank-1? */
static bool invariant(const struct lower *w, int id, int first, int rank, int depth)
{
    const struct ex *e = &w->k->ex.a[id];

    if (depth > LOWER_DEPTH_MAX)
        return false;
    if (e->kind == EX_CONST)
        return true;
    if (e->kind == EX_LOAD) {
        for (int i = 0; i < e->n; i++)
            if (varies(w, w->k->pool.a[e->first + i], first, rank))
                return false;
        return true;
    }
    return e->kind == EX_CALL && invariant(w, e->a, first, rank, depth + 1) &&
           (e->b < 0 || invariant(w, e->b, first, rank, depth + 1));
}

/* The outermost such calls of a function that is worth a name. */
static void find(struct lower *w, int id, int first, int rank, int depth)
{
    const struct ex *e = &w->k->ex.a[id];

    if (e->kind != EX_CALL || depth > LOWER_DEPTH_MAX || w->nhoist == HOIST_MAX)
        return;
    for (int i = 0; i < w->nhoist; i++)
        if (w->hoist[i].ex == id)
            return;
    if (fn_is_float(e->op) && invariant(w, id, first, rank, depth)) {
        w->hoist[w->nhoist].ex = id;
        w->hoist[w->nhoist].var = w->hoist[w->nhoist].value = -1;
        w->nhoist++;
        return;
    }
    find(w, e->a, first, rank, depth + 1);
    if (e->b >= 0)
        find(w, e->b, first, rank, depth + 1);
}

void lower_find_hoists(struct lower *w, const struct space *s, int rank)
{
    if (w->strategy == LOWER_PLAIN || rank == 0 || s->dim[s->rank - 1] < HOIST_LEAST)
        return;
    find(w, w->st->body, s->merged, rank, 0);
    for (int i = 0; i < w->nhoist; i++)
        w->hoist[i].value = lower_ex(w, w->hoist[i].ex);
    for (int i = 0; i < w->nhoist; i++)
        w->hoist[i].var = prog_var(w->p, -1, data_num(w->p));
}

int lower_hoisted(const struct lower *w, int ex)
{
    for (int i = 0; i < w->nhoist; i++)
        if (w->hoist[i].ex == ex)
            return w->hoist[i].var;
    return -1;
}

int lower_bind_hoists(const struct lower *w, int e)
{
    for (int i = w->nhoist - 1; i >= 0; i--)
        e = exp_let(w->p, w->hoist[i].var, w->hoist[i].value, e);
    return e;
}
