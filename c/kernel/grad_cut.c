/* Long statements in parts, before they are differentiated. The weight of an occurrence repeats what stands beside it on the
   way from the root, so that the gradient of one statement can be cubic in its size; what is computed in statements of
   bounded size has a gradient linear in their number. Recursion is bounded by KERNEL_DEPTH_MAX. */
#include "kernel/grad_internal.h"

#include <stdio.h>
#include <string.h>

/* Nodes of a statement that is left as it is, and of a part. */
enum { CUT_FROM = 64, CUT_PART = 12 };

struct cut {
    struct kernel *k;
    struct kernel_stmt s; /* being cut */
    int names;            /* numbers tried for names */
};

static int nodes_of(const struct kernel *k, int id, int most)
{
    const struct ex *e = &k->ex.a[id];
    int n = 1;

    if (e->kind != EX_CONST && e->kind != EX_LOAD && n < most)
        n += nodes_of(k, e->a, most - n);
    if ((e->kind == EX_CALL || e->kind == EX_SELECT) && e->b >= 0 && n < most)
        n += nodes_of(k, e->b, most - n);
    return n;
}

/* A temporary of the statement's shape. */
static int new_tensor(struct cut *c)
{
    struct kernel_tensor x = c->k->tensor.a[c->s.out];
    char text[32];
    int name;

    do {
        snprintf(text, sizeof text, "part%d", c->names++);
        name = strs_addz(c->k->strs, text);
    } while (name >= 0 && kernel_find_tensor(c->k, name) >= 0);
    return name < 0 ? -1 : kernel_add_tensor(c->k, name, KERNEL_TEMP, x.rank, x.dim);
}

/* The expression becomes a statement of its own; a load of it, at the statement's own variables. */
static int cut_off(struct cut *c, int id)
{
    struct kernel *k = c->k;
    struct kernel_stmt s = c->s;
    int t = new_tensor(c), rank;
    struct ex e = { .kind = EX_LOAD, .op = t, .a = -1, .b = -1 };

    if (t < 0 || !vec_room(k->mem, &k->stmt, 1) || !vec_room(k->mem, &k->pool, KERNEL_RANK_MAX))
        return -1;
    rank = k->tensor.a[t].rank;
    s.out = t;
    s.nvar = rank;
    s.body = id;
    k->stmt.a[k->stmt.n++] = s;
    e.first = k->pool.n;
    e.n = rank == 1 && k->tensor.a[t].dim[0] == 1 ? 0 : rank;
    for (int i = 0; i < e.n; i++) {
        int x = kernel_ix(k, (struct ix){ .kind = IX_VAR, .k = i });
        if (x < 0)
            return -1;
        k->pool.a[k->pool.n++] = x;
    }
    return kernel_ex(k, e);
}

/* Does the expression have a reduction? Then its statement needs that variable, and it stays. */
static bool reduces(const struct kernel *k, int id)
{
    const struct ex *e = &k->ex.a[id];

    if (e->kind == EX_CONST || e->kind == EX_LOAD)
        return false;
    return e->kind == EX_REDUCE || reduces(k, e->a) || (e->b >= 0 && reduces(k, e->b));
}

/* The expression with its parts cut off, *size nodes then; -1: no memory. Reductions and selects stay whole: their variables
   and guards are those of the place. */
static int cut_ex(struct cut *c, int id, bool root, int *size)
{
    struct ex e = c->k->ex.a[id];
    int a, b = e.b, na = 0, nb = 0;

    if (e.kind != EX_CALL) {
        *size = nodes_of(c->k, id, CUT_FROM);
        return id;
    }
    a = cut_ex(c, e.a, false, &na);
    if (a < 0 || (e.b >= 0 && (b = cut_ex(c, e.b, false, &nb)) < 0))
        return -1;
    *size = 1 + na + nb;
    if (a != e.a || b != e.b) {
        e.a = a;
        e.b = b;
        id = kernel_ex(c->k, e);
    }
    if (id < 0 || root || *size < CUT_PART || reduces(c->k, id))
        return id;
    *size = 1;
    return cut_off(c, id);
}

/* Statement i of the source, whose parts come before it. */
static bool cut_stmt(struct cut *c, const struct kernel *src, int i)
{
    struct kernel *k = c->k;
    int size;

    c->s = src->stmt.a[i];
    if (nodes_of(src, c->s.body, CUT_FROM) >= CUT_FROM && (c->s.body = cut_ex(c, c->s.body, true, &size)) < 0)
        return false;
    if (!vec_room(k->mem, &k->stmt, 1))
        return false;
    k->stmt.a[k->stmt.n++] = c->s;
    return true;
}

enum calque_status grad_cut(const struct kernel *src, struct kernel *k, struct diag *d)
{
    struct cut c = { .k = k };
    enum calque_status st = kernel_copy(src, k, d);
    struct kernel whole = *k; /* its statements; expressions go on in k */
    bool ok = st == CALQUE_OK;

    memset(&k->stmt, 0, sizeof k->stmt);
    for (int i = 0; i < src->stmt.n && ok; i++)
        ok = cut_stmt(&c, &whole, i);
    mem_free(whole.stmt.a);
    return st != CALQUE_OK ? st : ok ? CALQUE_OK : diag_nomem(d);
}
