/* Some statements of a kernel as a kernel of its own. Expressions are copied as trees, but for reductions that occur several
   times as the same node; what inlining left unused stays behind. Recursion is bounded by KERNEL_DEPTH_MAX, the size of the trees by bounds_check. */
#include "kernel/kernel.h"

#include <string.h>

struct part {
    const struct kernel *src;
    struct kernel *dst;
    struct ints *from; /* tensor of dst -> that of src */
    int *to;           /* and back, or -1 */
    struct ints red;   /* reductions of this statement: ids of src and of dst in turn */
};

static int copy_tensor(struct part *p, int t)
{
    const struct kernel_tensor *x = &p->src->tensor.a[t];

    if (p->to[t] < 0 && ints_push(p->dst->mem, p->from, t))
        p->to[t] = kernel_add_like(p->dst, x->name, x->role, x);
    return p->to[t];
}

static int copy_ix(struct part *p, int id)
{
    struct ix x = p->src->ix.a[id];

    if (x.kind != IX_VAR && x.kind != IX_CONST) {
        x.a = copy_ix(p, x.a);
        if ((x.kind == IX_ADD || x.kind == IX_SUB) && x.a >= 0)
            x.b = copy_ix(p, x.b);
        if (x.a < 0 || ((x.kind == IX_ADD || x.kind == IX_SUB) && x.b < 0))
            return -1;
    }
    return kernel_ix(p->dst, x);
}

/* The range of a load's indices or of a reduction's variables. */
static bool copy_pool(struct part *p, struct ex *e)
{
    struct kernel *k = p->dst;
    const int *at = p->src->pool.a + e->first;
    int first;

    if (!vec_room(k->mem, &k->pool, e->n))
        return false;
    first = k->pool.n;
    k->pool.n += e->n;
    for (int i = 0; i < e->n; i++)
        if ((k->pool.a[first + i] = e->kind == EX_LOAD ? copy_ix(p, at[i]) : at[i]) < 0)
            return false;
    e->first = first;
    return true;
}

static bool copy_conds(struct part *p, struct ex *e)
{
    struct kernel *k = p->dst;
    int first = k->cond.n;

    if (!vec_room(k->mem, &k->cond, e->n))
        return false;
    for (int i = 0; i < e->n; i++) {
        struct cond c = p->src->cond.a[e->first + i];
        c.a = copy_ix(p, c.a);
        c.b = copy_ix(p, c.b);
        if (c.a < 0 || c.b < 0)
            return false;
        k->cond.a[k->cond.n++] = c;
    }
    e->first = first;
    return true;
}

static int copy_ex(struct part *p, int id)
{
    struct ex e = p->src->ex.a[id];
    bool two = e.kind != EX_CONST && e.kind != EX_LOAD && e.kind != EX_REDUCE && e.b >= 0;

    for (int i = 0; e.kind == EX_REDUCE && i < p->red.n; i += 2)
        if (p->red.a[i] == id)
            return p->red.a[i + 1];
    if ((e.kind == EX_LOAD || e.kind == EX_REDUCE) && !copy_pool(p, &e))
        return -1;
    if (e.kind == EX_SELECT && !copy_conds(p, &e))
        return -1;
    if (e.kind == EX_LOAD && (e.op = copy_tensor(p, e.op)) < 0)
        return -1;
    if (e.kind != EX_CONST && e.kind != EX_LOAD && (e.a = copy_ex(p, e.a)) < 0)
        return -1;
    if (two && (e.b = copy_ex(p, e.b)) < 0)
        return -1;
    if (e.kind != EX_REDUCE)
        return kernel_ex(p->dst, e);
    if (!ints_push(p->dst->mem, &p->red, id) || !ints_push(p->dst->mem, &p->red, kernel_ex(p->dst, e)))
        return -1;
    return p->red.a[p->red.n - 1];
}

static bool copy_stmt(struct part *p, const struct kernel_stmt *from)
{
    struct kernel *k = p->dst;
    struct kernel_stmt s = *from;

    if (!vec_room(k->mem, &k->var, s.nvar) || !vec_room(k->mem, &k->stmt, 1))
        return false;
    s.var = k->var.n;
    if (s.nvar > 0)
        memcpy(k->var.a + k->var.n, p->src->var.a + from->var, (size_t)s.nvar * sizeof *k->var.a);
    k->var.n += s.nvar;
    p->red.n = 0;
    s.body = copy_ex(p, s.body);
    if (s.body < 0 || (s.look > 0 && (s.at = copy_ex(p, s.at)) < 0) || (s.out = copy_tensor(p, s.out)) < 0)
        return false;
    k->stmt.a[k->stmt.n++] = s;
    return true;
}

enum calque_status kernel_part(const struct kernel *src, int first, int n, struct kernel *dst, struct ints *from,
                               struct diag *d)
{
    struct part p = {src, dst, from, mem_resize(src->mem, NULL, (size_t)src->tensor.n, sizeof *p.to), {0}};
    bool ok = p.to != NULL;

    kernel_like(dst, src);
    for (int t = 0; t < src->tensor.n && ok; t++)
        p.to[t] = -1;
    for (int i = first; i < first + n && ok; i++)
        ok = copy_stmt(&p, &src->stmt.a[i]);
    mem_free(p.to);
    ints_free(&p.red);
    return ok ? CALQUE_OK : diag_nomem(d);
}

enum calque_status kernel_copy(const struct kernel *src, struct kernel *dst, struct diag *d)
{
    int *map = mem_resize(src->mem, NULL, (size_t)src->tensor.n, sizeof *map);
    enum calque_status st = map ? CALQUE_OK : diag_nomem(d);

    kernel_like(dst, src);
    for (int t = 0; t < src->tensor.n && st == CALQUE_OK; t++) {
        const struct kernel_tensor *x = &src->tensor.a[t];
        map[t] = kernel_add_like(dst, x->name, x->role, x);
        st = map[t] < 0 ? diag_nomem(d) : CALQUE_OK;
    }
    if (st == CALQUE_OK)
        st = kernel_append(dst, src, map, d);
    mem_free(map);
    return st;
}
