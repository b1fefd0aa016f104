#include "kernel/inline.h"

#include <string.h>

/* Recursion in this file is bounded by KERNEL_DEPTH_MAX. */
static void mark_loads(const struct kernel *k, int id, char *live)
{
    const struct ex *e = &k->ex.a[id];

    if (e->kind == EX_LOAD)
        live[e->op] = 1;
    if (e->kind == EX_CONST || e->kind == EX_LOAD)
        return;
    mark_loads(k, e->a, live);
    if (e->kind != EX_REDUCE && e->b >= 0)
        mark_loads(k, e->b, live);
}

enum calque_status kernel_remove_dead(struct kernel *k, int *removed, struct diag *d)
{
    char *live = mem_zero(k->mem, (size_t)k->tensor.n, 1), *keep = mem_zero(k->mem, (size_t)k->stmt.n, 1);
    int n = 0;

    if (!live || !keep) {
        mem_free(live);
        mem_free(keep);
        return diag_nomem(d);
    }
    for (int t = 0; t < k->tensor.n; t++)
        live[t] = k->tensor.a[t].role == KERNEL_OUT;
    for (int i = k->stmt.n - 1; i >= 0; i--) {
        const struct kernel_stmt *s = &k->stmt.a[i];
        keep[i] = live[s->out];
        if (!keep[i])
            continue;
        live[s->out] = 0; /* every cell is written */
        mark_loads(k, s->body, live);
    }
    for (int i = 0; i < k->stmt.n; i++)
        if (keep[i])
            k->stmt.a[n++] = k->stmt.a[i];
    *removed = k->stmt.n - n;
    k->stmt.n = n;
    mem_free(live);
    mem_free(keep);
    return CALQUE_OK;
}

/* Is there another statement before i that stores the same tensor? */
static bool stored_before(const struct kernel *k, int i)
{
    for (int j = 0; j < i; j++)
        if (k->stmt.a[j].out == k->stmt.a[i].out)
            return true;
    return false;
}

static enum calque_status inline_pass(struct kernel *k, const struct inline_policy *o, int *inlined,
                                      void (*refused)(void *arg, const struct diag *why), void *arg, struct diag *d)
{
    int i = 0;

    while (i < k->stmt.n) {
        int t = k->stmt.a[i].out;
        enum calque_status st;
        struct diag why;
        diag_clear(&why);
        if (k->tensor.a[t].role != KERNEL_TEMP || stored_before(k, i)) {
            i++;
            continue;
        }
        st = kernel_inline_policy(k, t, o, &why);
        if (st == CALQUE_OK) {
            ++*inlined;
            continue;
        }
        if (st != CALQUE_NO && st != CALQUE_LIMIT) {
            if (d)
                *d = why;
            return st;
        }
        if (refused)
            refused(arg, &why);
        i++;
    }
    return CALQUE_OK;
}

enum calque_status kernel_inline_all(struct kernel *k, const struct inline_policy *o, int *inlined,
                                     void (*refused)(void *arg, const struct diag *why), void *arg, struct diag *d)
{
    enum calque_status st = CALQUE_OK;
    int before;

    *inlined = 0;
    do { /* inlining a consumer may make the loads in it plain */
        before = *inlined;
        st = inline_pass(k, o, inlined, NULL, NULL, d);
    } while (st == CALQUE_OK && *inlined > before);
    return st == CALQUE_OK && refused ? inline_pass(k, o, inlined, refused, arg, d) : st;
}

/* The permutation at which every load of t in the expression stands: perm[i] = the output variable at index i. perm[0] is
   -1 before the first load. */
static bool same_permutation(const struct kernel *k, int id, int t, int *perm)
{
    const struct ex *e = &k->ex.a[id];

    if (e->kind == EX_CONST)
        return true;
    if (e->kind != EX_LOAD)
        return same_permutation(k, e->a, t, perm) &&
               (e->kind == EX_REDUCE || e->b < 0 || same_permutation(k, e->b, t, perm));
    if (e->op != t)
        return true;
    for (int i = 0; i < e->n; i++) {
        struct ix x = k->ix.a[k->pool.a[e->first + i]];
        if (x.kind != IX_VAR || (perm[i] >= 0 && perm[i] != x.k))
            return false;
        perm[i] = (int)x.k;
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
        if (perm[i] < 0 || perm[i] >= b->rank)
            return "a load is not at output variables of the consumer";
        if (a->dim[i] != b->dim[perm[i]])
            return "the consumer does not cover the producer";
        for (int j = 0; j < i; j++)
            if (perm[i] == perm[j])
                return "a load has a variable twice";
    }
    return NULL;
}

/* The one statement that loads t and the permutation; otherwise why not. */
static const char *find_consumer(const struct kernel *k, int t, int *consumer, int *producer, int *perm)
{
    const char *why = NULL;

    *consumer = *producer = -1;
    for (int i = 0; i < KERNEL_RANK_MAX; i++)
        perm[i] = -1;
    for (int i = 0; i < k->stmt.n && !why; i++) {
        int before = perm[0];
        const struct kernel_stmt *s = &k->stmt.a[i];
        if (s->out == t)
            *producer = i;
        if (!same_permutation(k, s->body, t, perm))
            return "a load is not at a permutation of the consumer's variables";
        if (perm[0] < 0)
            continue;
        if (before < 0)
            why = check_permutation(k, t, s->out, perm);
        *consumer = *consumer < 0 ? i : *consumer;
    }
    if (!why && *consumer < 0)
        why = "it is not loaded";
    return why;
}

/* Does only the consumer load t? */
static bool alone(const struct kernel *k, int t, int consumer, char *seen)
{
    for (int i = 0; i < k->stmt.n; i++) {
        memset(seen, 0, (size_t)k->tensor.n);
        mark_loads(k, k->stmt.a[i].body, seen);
        if (i != consumer && seen[t])
            return false;
    }
    return true;
}

static bool name_used(const struct kernel *k, const struct kernel_stmt *s, int name)
{
    for (int i = k->tensor.a[s->out].rank; i < s->nvar; i++)
        if (k->var.a[s->var + i].name == name)
            return true;
    return false;
}

enum calque_status kernel_inline_reverse(struct kernel *k, int t, int *stmt, int order[KERNEL_RANK_MAX], struct diag *d)
{
    int consumer, producer, perm[KERNEL_RANK_MAX], name[KERNEL_RANK_MAX], rank = k->tensor.a[t].rank, after;
    const char *why = find_consumer(k, t, &consumer, &producer, perm);
    char *seen = mem_zero(k->mem, (size_t)k->tensor.n, 1);
    enum calque_status st;
    struct kernel_stmt *s;

    if (!seen)
        return diag_nomem(d);
    if (!why && !alone(k, t, consumer, seen))
        why = "it has several consumers";
    mem_free(seen);
    if (why)
        return diag_set(d, CALQUE_NO, "", 0, 0, "%s cannot be reverse inlined: %s",
                        strs_text(k->strs, k->tensor.a[t].name), why);
    for (int i = 0; i < rank && producer >= 0; i++)
        name[i] = k->var.a[k->stmt.a[producer].var + i].name;
    st = kernel_inline_policy(k, t, &(struct inline_policy){.reductions = true}, d);
    if (st != CALQUE_OK)
        return st;
    after = consumer - (producer < consumer);
    s = &k->stmt.a[after];
    *stmt = after;
    for (int i = 0; i < rank; i++)
        order[i] = perm[i];
    for (int i = 0; i < rank; i++)
        if (name_used(k, s, name[i])) /* a reduction has it: the consumer's names stay */
            return CALQUE_OK;
    for (int i = 0; i < rank; i++)
        k->var.a[s->var + perm[i]].name = name[i];
    return CALQUE_OK;
}
