/* What inlining asks before it begins: where a temporary is stored and loaded (I1 to I3), and what a policy says. The index
   keeps the statements by tensor, so that a question costs what the statements asked about are. Recursion in this file is
   bounded by KERNEL_DEPTH_MAX. */
#include "kernel/inline_internal.h"

#include <string.h>

#define HEAP_ITEM int
#define HEAP_BELOW(a, i, j) ((a)[i] < (a)[j])
#include "base/heap_sort.h"

int inline_loads(const struct kernel *k, int id, int t)
{
    const struct ex *e = &k->ex.a[id];

    if (e->kind == EX_CONST)
        return 0;
    if (e->kind == EX_LOAD)
        return e->op == t;
    return inline_loads(k, e->a, t) + (e->kind != EX_REDUCE && e->b >= 0 ? inline_loads(k, e->b, t) : 0);
}

static bool has_reduction(const struct kernel *k, int id)
{
    const struct ex *e = &k->ex.a[id];

    if (e->kind == EX_CONST || e->kind == EX_LOAD)
        return false;
    return e->kind == EX_REDUCE || has_reduction(k, e->a) || (e->b >= 0 && has_reduction(k, e->b));
}

static bool has_select(const struct kernel *k, int id)
{
    const struct ex *e = &k->ex.a[id];

    if (e->kind == EX_CONST || e->kind == EX_LOAD)
        return false;
    return e->kind == EX_SELECT || has_select(k, e->a) || (e->kind != EX_REDUCE && e->b >= 0 && has_select(k, e->b));
}

/* The cost of a function: libm's are worth WORK_LIBM operations. */
enum { WORK_DIVIDE = 4, WORK_LIBM = 16, WORK_MOST = 1 << 20 };

static int work_fn(int fn)
{
    switch (fn) {
    case FN_DIV: case FN_MOD: case FN_SQRT:
        return WORK_DIVIDE;
    case FN_POW: case FN_EXP: case FN_LOG: case FN_TANH: case FN_ERF:
        return WORK_LIBM;
    default:
        return 1;
    }
}

/* Divisions and products of indices, and what adds them. */
static int work_ix(const struct kernel *k, int id)
{
    struct ix x = k->ix.a[id];

    if (x.kind == IX_VAR || x.kind == IX_CONST)
        return 0;
    return 1 + work_ix(k, x.a) + (x.kind == IX_ADD || x.kind == IX_SUB ? work_ix(k, x.b) : 0);
}

/* Operations of the expression, loads included, each reduction one; at least its nodes but for constants. */
static int work(const struct kernel *k, int id)
{
    const struct ex *e = &k->ex.a[id];
    int n = 1;

    switch (e->kind) {
    case EX_CONST:
        return 0;
    case EX_LOAD:
        for (int i = 0; i < e->n && n < WORK_MOST; i++)
            n += work_ix(k, k->pool.a[e->first + i]);
        return n;
    case EX_CALL:
        n = work_fn(e->op) + work(k, e->a) + (e->b >= 0 ? work(k, e->b) : 0);
        break;
    case EX_SELECT:
        for (int i = 0; i < e->n && n < WORK_MOST; i++)
            n += 1 + work_ix(k, k->cond.a[e->first + i].a) + work_ix(k, k->cond.a[e->first + i].b);
        n += work(k, e->a) + work(k, e->b);
        break;
    default:
        break;
    }
    return n < WORK_MOST ? n : WORK_MOST;
}

/* Links statement `stmt` to every tensor the expression loads that this walk has not met. */
static bool link_loads(struct inline_index *x, int id, int stmt)
{
    const struct ex *e = &x->k->ex.a[id];

    if (e->kind == EX_CONST)
        return true;
    if (e->kind != EX_LOAD)
        return link_loads(x, e->a, stmt) && (e->kind == EX_REDUCE || e->b < 0 || link_loads(x, e->b, stmt));
    if (x->mark[e->op] == x->marks)
        return true;
    x->mark[e->op] = x->marks;
    if (!vec_room(x->k->mem, &x->link, 1))
        return false;
    x->link.a[x->link.n] = (struct inline_link){stmt, x->load[e->op]};
    x->load[e->op] = x->link.n++;
    return true;
}

static bool find_stores(struct inline_index *x)
{
    const struct kernel *k = x->k;
    int at = 0;

    if (!vec_room(k->mem, &x->stores, k->stmt.n))
        return false;
    x->stores.n = k->stmt.n;
    for (int i = 0; i < k->stmt.n; i++)
        x->nstore[k->stmt.a[i].out]++;
    for (int t = 0; t < k->tensor.n; t++) {
        x->store[t] = at;
        at += x->nstore[t];
        x->nstore[t] = 0;
    }
    for (int i = 0; i < k->stmt.n; i++) {
        int t = k->stmt.a[i].out;
        x->stores.a[x->store[t] + x->nstore[t]++] = i;
    }
    return true;
}

bool inline_open(struct inline_index *x, struct kernel *k)
{
    size_t tensors = (size_t)k->tensor.n;
    bool ok;

    memset(x, 0, sizeof *x);
    x->k = k;
    x->gone = mem_zero(k->mem, (size_t)k->stmt.n, sizeof *x->gone);
    x->store = mem_zero(k->mem, tensors, sizeof *x->store);
    x->nstore = mem_zero(k->mem, tensors, sizeof *x->nstore);
    x->load = mem_zero(k->mem, tensors, sizeof *x->load);
    x->mark = mem_zero(k->mem, tensors, sizeof *x->mark);
    ok = x->gone && x->store && x->nstore && x->load && x->mark && find_stores(x);
    for (int t = 0; t < k->tensor.n && ok; t++)
        x->load[t] = -1;
    for (int i = k->stmt.n - 1; i >= 0 && ok; i--) {
        x->marks++;
        ok = link_loads(x, k->stmt.a[i].body, i) && (k->stmt.a[i].look == 0 || link_loads(x, k->stmt.a[i].at, i));
    }
    return ok;
}

void inline_close(struct inline_index *x)
{
    struct kernel *k = x->k;
    int n = 0;

    for (int i = 0; i < k->stmt.n && x->gone; i++)
        if (!x->gone[i])
            k->stmt.a[n++] = k->stmt.a[i];
    k->stmt.n = x->gone ? n : k->stmt.n;
    mem_free(x->gone);
    mem_free(x->store);
    mem_free(x->nstore);
    mem_free(x->load);
    mem_free(x->mark);
    mem_free(x->link.a);
    mem_free(x->saved.a);
    ints_free(&x->stores);
    ints_free(&x->at);
}

bool inline_first(const struct inline_index *x, int i)
{
    return x->stores.a[x->store[x->k->stmt.a[i].out]] == i;
}

bool inline_note(struct inline_index *x, const struct inline_uses *u)
{
    bool ok = true;

    for (int i = 0; i < x->at.n && ok; i++)
        if (x->at.a[i] > u->store) {
            x->marks++;
            ok = link_loads(x, x->k->stmt.a[u->store].body, x->at.a[i]);
        }
    x->gone[u->store] = ok;
    return ok;
}

/* Collects the permutation at which every load of t in the expression stands. perm[0] is -1 before the first load. */
static bool same_permutation(const struct kernel *k, int id, int t, bool inside, struct inline_uses *u)
{
    const struct ex *e = &k->ex.a[id];

    if (e->kind == EX_CONST)
        return true;
    if (e->kind != EX_LOAD)
        return same_permutation(k, e->a, t, inside || e->kind == EX_REDUCE, u) &&
               (e->kind == EX_REDUCE || e->b < 0 || same_permutation(k, e->b, t, inside, u));
    if (e->op != t)
        return true;
    u->inside = u->inside || inside;
    for (int i = 0; i < e->n; i++) {
        struct ix x = k->ix.a[k->pool.a[e->first + i]];
        if (x.kind != IX_VAR || (u->perm[i] >= 0 && u->perm[i] != x.k))
            return false;
        u->perm[i] = (int)x.k;
    }
    return e->n == k->tensor.a[t].rank;
}

/* Is perm a bijection from t's dimensions to those of the consumer, with equal extents? */
static const char *check_permutation(const struct kernel *k, int t, int out, const int *perm)
{
    const struct kernel_tensor *a = &k->tensor.a[t], *b = &k->tensor.a[out];

    if (a->rank != b->rank)
        return "the consumer has another number of dimensions";
    for (int i = 0; i < a->rank; i++) {
        if (perm[i] >= b->rank)
            return "a load is not at output variables of the consumer";
        if (a->dim[i] != b->dim[perm[i]])
            return "the consumer does not cover the producer";
        for (int j = 0; j < i; j++)
            if (perm[i] == perm[j])
                return "a load has a variable twice";
    }
    return NULL;
}

static void find_place(const struct kernel *k, const struct kernel_stmt *s, int t, struct inline_uses *u)
{
    const char *why = "a load is not at a permutation of the consumer's variables";
    int rank = k->tensor.a[t].rank;
    bool order = rank == k->tensor.a[s->out].rank;

    for (int i = 0; i < KERNEL_RANK_MAX; i++)
        u->perm[i] = -1;
    if (same_permutation(k, s->body, t, false, u))
        why = check_permutation(k, t, s->out, u->perm);
    else
        order = false;
    for (int i = 0; i < rank; i++)
        order = order && u->perm[i] == i;
    u->plain = order && !u->inside;
    u->in_place = u->in_place && u->plain && !why;
    u->moved = u->moved ? u->moved : why;
    u->beside = u->beside || has_reduction(k, s->body) || has_select(k, s->body);
}

/* x->at becomes the statements that store or load t, ascending. */
static bool find_at(struct inline_index *x, int t)
{
    int n = 0;

    x->at.n = 0;
    for (int i = 0; i < x->nstore[t]; i++)
        if (!ints_push(x->k->mem, &x->at, x->stores.a[x->store[t] + i]))
            return false;
    for (int l = x->load[t]; l >= 0; l = x->link.a[l].next)
        if (!x->gone[x->link.a[l].stmt] && !ints_push(x->k->mem, &x->at, x->link.a[l].stmt))
            return false;
    heap_sort(x->at.a, x->at.n);
    for (int i = 0; i < x->at.n; i++)
        if (n == 0 || x->at.a[i] != x->at.a[n - 1])
            x->at.a[n++] = x->at.a[i];
    x->at.n = n;
    return true;
}

/* Is t stored between the statements? */
static bool stored_between(const struct inline_index *x, int t, int after, int before)
{
    const int *a = x->stores.a + x->store[t];
    int lo = 0, hi = x->nstore[t];

    while (lo < hi) {
        int mid = lo + (hi - lo) / 2;
        if (a[mid] > after)
            hi = mid;
        else
            lo = mid + 1;
    }
    return lo < x->nstore[t] && a[lo] < before;
}

/* I3: is a tensor that the expression loads stored between the statements? */
static bool overwritten(const struct inline_index *x, int id, int after, int before)
{
    const struct ex *e = &x->k->ex.a[id];

    if (e->kind == EX_CONST)
        return false;
    if (e->kind == EX_LOAD)
        return stored_between(x, e->op, after, before);
    return overwritten(x, e->a, after, before) ||
           (e->kind != EX_REDUCE && e->b >= 0 && overwritten(x, e->b, after, before));
}

static long expressions(const struct kernel *k, int id)
{
    const struct ex *e = &k->ex.a[id];

    if (e->kind == EX_CONST || e->kind == EX_LOAD)
        return 1;
    return 1 + expressions(k, e->a) + (e->b >= 0 ? expressions(k, e->b) : 0);
}

/* I1 and I2, over the statements in x->at. */
static const char *find_loads(struct inline_index *x, int t, struct inline_uses *u)
{
    const struct kernel *k = x->k;

    for (int j = 0; j < x->at.n; j++) {
        int i = x->at.a[j];
        const struct kernel_stmt *s = &k->stmt.a[i];
        int n;
        if (x->walked > INLINE_WALK_MAX)
            return "looking for its loads takes too long: the expressions are too large for so many temporaries";
        x->walked += expressions(k, s->body);
        n = inline_loads(k, s->body, t) + (s->look > 0 ? inline_loads(k, s->at, t) : 0);
        if (s->look > 0 && (n > 0 || s->out == t))
            return n > 0 ? "a look-up reads it" : "its definition is a look-up";
        if (n > 0 && s->out == t)
            return "its definition loads it: it is loaded before or where it is stored"; /* I2 */
        if (n > 0 && u->store < 0)
            return "it is loaded before or where it is stored"; /* I1 */
        if (s->out == t && u->store >= 0)
            return "it is stored twice";
        if (s->out == t)
            u->store = i;
        if (n > 0) {
            u->last = i;
            u->consumers++;
            find_place(k, s, t, u);
        }
        u->loads += n;
    }
    if (u->store < 0)
        return "it is not stored";
    return u->loads == 0 ? "it is not loaded" : NULL;
}

const char *inline_find(struct inline_index *x, int t, struct inline_uses *u, bool *nomem)
{
    const struct kernel *k = x->k;
    const char *why;

    *nomem = false;
    *u = (struct inline_uses){.store = -1, .last = -1, .in_place = true};
    if (k->tensor.a[t].role != KERNEL_TEMP)
        return k->tensor.a[t].role == KERNEL_OUT ? "it is an output, no temporary" : "it is an input, no temporary";
    if (k->tensor.a[t].elem != ELEM_OWN && k->tensor.a[t].elem != ELEM_BOOL)
        return "it is stored in another type, which converts its cells";
    if (!find_at(x, t)) {
        *nomem = true;
        return "out of memory";
    }
    why = find_loads(x, t, u);
    if (why)
        return why;
    if (k->tensor.a[t].elem == ELEM_BOOL && !kernel_is_truth(k, k->stmt.a[u->store].body))
        return "it is stored in another type, which converts its cells";
    if (overwritten(x, k->stmt.a[u->store].body, u->store, u->last))
        return "a tensor it is computed from is overwritten before its last load";
    u->reduction = has_reduction(k, k->stmt.a[u->store].body);
    u->plain = u->plain && u->loads == 1;
    u->moved = !u->moved && u->consumers > 1 ? "it has several consumers" : u->moved;
    return NULL;
}

bool inline_takes_loops(const struct inline_uses *u, const struct inline_policy *o)
{
    return u->in_place || (o->permuted && !u->moved && !u->inside);
}

const char *inline_unwanted(const struct kernel *k, const struct inline_uses *u, const struct inline_policy *o)
{
    bool together = o->together && u->consumers == 1 && inline_takes_loops(u, o);

    if (u->reduction && !u->plain && !together && !o->reductions)
        return "its definition has a reduction, which the load would repeat";
    if (o->loads > 0 && (together ? 1 : u->loads) > o->loads)
        return "it is loaded more often than the policy allows";
    if (o->in_place && !inline_takes_loops(u, o))
        return o->permuted ? "a load is not at all the consumer's own variables"
                           : "a load is not at all the consumer's own variables in order";
    if (o->alone && u->reduction && u->beside)
        return "its reduction would stand beside another one or under a condition";
    if (o->repeat > 0 && u->loads > 1 && (long)(u->loads - 1) * work(k, k->stmt.a[u->store].body) > o->repeat)
        return "its loads would repeat more work than the policy allows";
    return NULL;
}
