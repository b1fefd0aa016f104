/* Passes: all temporaries that should be inlined are, dead statements go. */
#include "kernel/inline_internal.h"

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
        if (s->look > 0)
            mark_loads(k, s->at, live);
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

static enum calque_status inline_pass(struct inline_index *x, const struct inline_policy *o, int *inlined,
                                      void (*refused)(void *arg, const struct diag *why), void *arg, struct diag *d)
{
    const struct kernel *k = x->k;

    for (int i = 0; i < k->stmt.n; i++) {
        int t = k->stmt.a[i].out;
        enum calque_status st;
        struct diag why;
        if (x->gone[i] || k->tensor.a[t].role != KERNEL_TEMP || !inline_first(x, i))
            continue;
        diag_clear(&why);
        st = inline_one(x, t, o, &why);
        if (st == CALQUE_OK) {
            ++*inlined;
        } else if (st != CALQUE_NO && st != CALQUE_LIMIT) {
            if (d)
                *d = why;
            return st;
        } else if (refused) {
            refused(arg, &why);
        }
    }
    return CALQUE_OK;
}

enum calque_status kernel_inline_all(struct kernel *k, const struct inline_policy *o, int *inlined,
                                     void (*refused)(void *arg, const struct diag *why), void *arg, struct diag *d)
{
    struct inline_index x;
    enum calque_status st = inline_open(&x, k) ? CALQUE_OK : diag_nomem(d);
    int before = -1;

    *inlined = 0;
    while (st == CALQUE_OK && *inlined > before) { /* inlining a consumer may make the loads in it plain */
        before = *inlined;
        st = inline_pass(&x, o, inlined, NULL, NULL, d);
    }
    if (st == CALQUE_OK && refused)
        st = inline_pass(&x, o, inlined, refused, arg, d);
    inline_close(&x);
    return st;
}

const char *kernel_inline_refusal(struct kernel *k, int t, const struct inline_policy *o)
{
    struct inline_index x;
    struct inline_uses u;
    bool nomem = !inline_open(&x, k);
    const char *why = nomem ? NULL : inline_find(&x, t, &u, &nomem);

    inline_close(&x);
    if (nomem)
        return "out of memory";
    return why ? why : inline_unwanted(k, &u, o);
}
