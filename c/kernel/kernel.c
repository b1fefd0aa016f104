/* Kernels in flat arenas. Invariant: children have smaller ids than their parents, and ids stay. */
#include "kernel/kernel.h"

#include <string.h>

void kernel_init(struct kernel *k, struct mem *mem, struct strs *strs, enum kernel_type type)
{
    memset(k, 0, sizeof *k);
    k->mem = mem;
    k->strs = strs;
    k->type = type;
}

void kernel_like(struct kernel *k, const struct kernel *src)
{
    kernel_init(k, src->mem, src->strs, src->type);
    k->math = src->math;
}

void kernel_free(struct kernel *k)
{
    mem_free(k->tensor.a);
    mem_free(k->var.a);
    mem_free(k->ix.a);
    mem_free(k->cond.a);
    mem_free(k->ex.a);
    mem_free(k->stmt.a);
    ints_free(&k->pool);
    kernel_init(k, k->mem, k->strs, k->type);
}

size_t kernel_type_size(enum kernel_type type)
{
    return type == KERNEL_F32 || type == KERNEL_I32 ? 4 : 8;
}

long kernel_elems(const struct kernel *k, int t)
{
    const struct kernel_tensor *x = &k->tensor.a[t];
    long n = 1;

    for (int i = 0; i < x->rank; i++)
        n *= x->dim[i];
    return n;
}

int kernel_find_tensor(const struct kernel *k, int name)
{
    for (int i = 0; i < k->tensor.n; i++)
        if (k->tensor.a[i].name == name)
            return i;
    return -1;
}

int kernel_add_tensor(struct kernel *k, int name, int role, int rank, const long *dim)
{
    struct kernel_tensor t = {.name = name, .role = role, .rank = rank};

    for (int i = 0; i < rank; i++)
        t.dim[i] = dim[i];
    if (!vec_room(k->mem, &k->tensor, 1))
        return -1;
    k->tensor.a[k->tensor.n] = t;
    return k->tensor.n++;
}

int kernel_add_like(struct kernel *k, int name, int role, const struct kernel_tensor *x)
{
    int t = kernel_add_tensor(k, name, role, x->rank, x->dim);

    if (t >= 0)
        k->tensor.a[t].elem = x->elem;
    return t;
}

int kernel_ix(struct kernel *k, struct ix x)
{
    if (!vec_room(k->mem, &k->ix, 1))
        return -1;
    k->ix.a[k->ix.n] = x;
    return k->ix.n++;
}

int kernel_ex(struct kernel *k, struct ex x)
{
    if (!vec_room(k->mem, &k->ex, 1))
        return -1;
    k->ex.a[k->ex.n] = x;
    return k->ex.n++;
}

/* Recursion is bounded by KERNEL_DEPTH_MAX. */
static double cost(const struct kernel *k, const struct kernel_stmt *s, int id)
{
    const struct ex *e = &k->ex.a[id];
    double a, b;

    switch (e->kind) {
    case EX_CALL:
        return 1 + cost(k, s, e->a) + (e->b >= 0 ? cost(k, s, e->b) : 0);
    case EX_SELECT:
        a = cost(k, s, e->a);
        b = cost(k, s, e->b);
        return e->n + (a > b ? a : b);
    case EX_REDUCE:
        a = 1 + cost(k, s, e->a);
        for (int i = 0; i < e->n; i++)
            a *= (double)k->var.a[s->var + k->pool.a[e->first + i]].extent;
        return a;
    default:
        return 1;
    }
}

double kernel_cost(const struct kernel *k)
{
    double sum = 0;

    for (int i = 0; i < k->stmt.n; i++)
        sum += (double)kernel_elems(k, k->stmt.a[i].out) * cost(k, &k->stmt.a[i], k->stmt.a[i].body);
    return sum;
}

static enum calque_status append_tables(struct kernel *dst, const struct kernel *src, const int *map)
{
    int ix0 = dst->ix.n, cond0 = dst->cond.n, ex0 = dst->ex.n, pool0 = dst->pool.n, var0 = dst->var.n;

    if (!vec_room(dst->mem, &dst->ix, src->ix.n) || !vec_room(dst->mem, &dst->cond, src->cond.n) ||
        !vec_room(dst->mem, &dst->ex, src->ex.n) || !vec_room(dst->mem, &dst->pool, src->pool.n) ||
        !vec_room(dst->mem, &dst->var, src->var.n) || !vec_room(dst->mem, &dst->stmt, src->stmt.n))
        return CALQUE_NOMEM;
    for (int i = 0; i < src->ix.n; i++) {
        struct ix x = src->ix.a[i];
        x.a += ix0;
        x.b += ix0;
        dst->ix.a[dst->ix.n++] = x;
    }
    for (int i = 0; i < src->cond.n; i++) {
        struct cond c = src->cond.a[i];
        c.a += ix0;
        c.b += ix0;
        dst->cond.a[dst->cond.n++] = c;
    }
    /* The pool holds index ids (loads) and variable numbers (reductions): each user fixes its own range. */
    for (int i = 0; i < src->pool.n; i++)
        dst->pool.a[dst->pool.n++] = src->pool.a[i];
    for (int i = 0; i < src->ex.n; i++) {
        struct ex e = src->ex.a[i];
        if (e.kind == EX_CALL || e.kind == EX_SELECT || e.kind == EX_REDUCE)
            e.a += ex0;
        if ((e.kind == EX_CALL && e.b >= 0) || e.kind == EX_SELECT)
            e.b += ex0;
        if (e.kind == EX_LOAD) {
            e.op = map[e.op];
            for (int j = 0; j < e.n; j++)
                dst->pool.a[pool0 + e.first + j] = src->pool.a[e.first + j] + ix0;
        }
        if (e.kind == EX_LOAD || e.kind == EX_REDUCE)
            e.first += pool0;
        if (e.kind == EX_SELECT)
            e.first += cond0;
        dst->ex.a[dst->ex.n++] = e;
    }
    for (int i = 0; i < src->stmt.n; i++) {
        struct kernel_stmt s = src->stmt.a[i];
        s.out = map[s.out];
        s.var += var0;
        s.body += ex0;
        s.at += s.look > 0 ? ex0 : 0;
        dst->stmt.a[dst->stmt.n++] = s;
    }
    return CALQUE_OK;
}

/* Can the tensors that src stores and loads be those of dst that map says? */
static enum calque_status check_map(const struct kernel *dst, const struct kernel *src, const int *map, struct diag *d)
{
    bool *used = mem_zero(dst->mem, (size_t)src->tensor.n + 1, sizeof *used);
    enum calque_status st = used ? CALQUE_OK : diag_nomem(d);

    for (int i = 0; used && i < src->stmt.n; i++)
        used[src->stmt.a[i].out] = true;
    for (int i = 0; used && i < src->ex.n; i++)
        if (src->ex.a[i].kind == EX_LOAD)
            used[src->ex.a[i].op] = true;
    for (int t = 0; t < src->tensor.n && st == CALQUE_OK; t++) {
        const struct kernel_tensor *a = &src->tensor.a[t], *b;
        if (!used[t])
            continue;
        if (map[t] < 0 || map[t] >= dst->tensor.n) {
            st = diag_set(d, CALQUE_INTERNAL, "", 0, 0, "tensor %d of the kernel is mapped nowhere", t);
            break;
        }
        b = &dst->tensor.a[map[t]];
        if (a->rank != b->rank || memcmp(a->dim, b->dim, (size_t)a->rank * sizeof *a->dim) != 0)
            st = diag_set(d, CALQUE_BAD, "", 0, 0, "the shapes of %s and %s differ",
                          strs_text(src->strs, a->name), strs_text(dst->strs, b->name));
        else if (a->elem != b->elem)
            st = diag_set(d, CALQUE_BAD, "", 0, 0, "the stored types of %s and %s differ",
                          strs_text(src->strs, a->name), strs_text(dst->strs, b->name));
    }
    mem_free(used);
    return st;
}

enum calque_status kernel_append(struct kernel *dst, const struct kernel *src, const int *map, struct diag *d)
{
    enum calque_status st;
    int nvar = dst->var.n;

    if (dst->type != src->type)
        return diag_set(d, CALQUE_BAD, "", 0, 0, "kernels of different element types cannot be joined");
    st = check_map(dst, src, map, d);
    if (st != CALQUE_OK)
        return st;
    if (append_tables(dst, src, map) != CALQUE_OK)
        return diag_nomem(d);
    for (int i = 0; i < src->var.n; i++) {
        struct kernel_var v = src->var.a[i];
        if (src->strs != dst->strs)
            v.name = strs_add(dst->strs, strs_text(src->strs, v.name), (size_t)strs_len(src->strs, v.name));
        if (v.name < 0) {
            dst->var.n = nvar;
            dst->stmt.n -= src->stmt.n;
            return diag_nomem(d);
        }
        dst->var.a[dst->var.n++] = v;
    }
    return CALQUE_OK;
}
