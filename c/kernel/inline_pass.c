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
