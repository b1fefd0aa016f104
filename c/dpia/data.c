/* Types and sizes of a program. */
#include "base/arith.h"
#include "dpia/exp.h"

static int fail(struct prog *p, enum calque_status st)
{
    if (p->status == CALQUE_OK)
        p->status = st;
    return -1;
}

static long size_fail(struct prog *p, enum calque_status st)
{
    fail(p, st);
    return SIZE_NONE;
}

long size_poly(struct prog *p, int poly)
{
    long k;

    if (poly < 0)
        return size_fail(p, p->size.status != CALQUE_OK ? p->size.status : CALQUE_INTERNAL);
    if (!poly_is_const(&p->size, poly, &k))
        return -1 - (long)poly;
    return k >= 0 ? k : size_fail(p, CALQUE_BAD);
}

int poly_size(struct prog *p, long n)
{
    int r = n == SIZE_NONE ? -1 : n >= 0 ? poly_const(&p->size, n) : (int)(-1 - n);

    if (r < 0)
        size_fail(p, p->size.status != CALQUE_OK ? p->size.status : CALQUE_INTERNAL);
    return r;
}

long size_var(struct prog *p, int name)
{
    for (int i = 0; i < p->size_name.n; i++)
        if (p->size_name.a[i] == name)
            return size_poly(p, poly_var(&p->size, i));
    if (name < 0 || !prog_name(p, name) || !ints_push(p->mem, &p->size_name, name))
        return size_fail(p, CALQUE_NOMEM);
    return size_poly(p, poly_var(&p->size, p->size_name.n - 1));
}

long size_add(struct prog *p, long a, long b)
{
    struct exact r = exact_add(a, b);

    if (a >= 0 && b >= 0)
        return r.fits ? r.z : size_fail(p, CALQUE_LIMIT);
    return size_poly(p, poly_add(&p->size, poly_size(p, a), poly_size(p, b)));
}

long size_mul(struct prog *p, long a, long b)
{
    struct exact r = exact_mul(a, b);

    if (a >= 0 && b >= 0)
        return r.fits ? r.z : size_fail(p, CALQUE_LIMIT);
    return size_poly(p, poly_mul(&p->size, poly_size(p, a), poly_size(p, b)));
}

long size_quotient(struct prog *p, long a, long b)
{
    int q;

    if (a >= 0 && b >= 0)
        return b > 0 && a % b == 0 ? a / b : SIZE_NONE;
    q = poly_quotient(&p->size, poly_size(p, a), poly_size(p, b));
    return q < 0 ? SIZE_NONE : size_poly(p, q);
}

bool size_is_atom(const struct prog *p, long n)
{
    const struct poly *q = n < 0 ? &p->size.poly.a[-1 - n] : NULL;

    return !q || (q->n == 1 && p->size.mono.a[q->first].n == 1 && p->size.mono.a[q->first].c == 1);
}

void size_print(struct text *t, const struct prog *p, long n, size_namer *name)
{
    bool spaced = name != NULL;
    const char *times = spaced ? " * " : "*";
    const struct poly *q;

    if (n >= 0) {
        text_printf(t, "%ld", n);
        return;
    }
    q = &p->size.poly.a[-1 - n];
    for (int i = 0; i < q->n; i++) {
        const struct mono *m = &p->size.mono.a[q->first + i];
        long c = m->c < 0 && i > 0 ? -m->c : m->c;
        if (i > 0)
            text_puts(t, m->c < 0 ? (spaced ? " - " : "-") : (spaced ? " + " : "+"));
        if (c == -1 && m->n > 0)
            text_puts(t, "-");
        else if (c != 1 || m->n == 0)
            text_printf(t, "%ld%s", c, m->n ? times : "");
        for (int k = 0; k < m->n; k++) {
            int var = p->size.pool.a[m->first + k];
            text_puts(t, k ? times : "");
            if (name)
                name(t, p, var);
            else
                text_puts(t, strs_text(p->strs, p->size_name.a[var]));
        }
    }
}

bool prog_is_symbolic(const struct prog *p)
{
    for (int i = 0; i < p->data.n; i++)
        if (p->data.a[i].n < 0)
            return true;
    for (int i = 0; i < p->var.n; i++)
        if (p->var.a[i].extent < 0)
            return true;
    return false;
}

static int ill_typed(struct prog *p)
{
    return fail(p, CALQUE_INTERNAL);
}

static int data_add(struct prog *p, struct data x)
{
    for (int i = 0; i < p->data.n; i++) {
        const struct data *y = &p->data.a[i];
        if (x.kind == y->kind && x.a == y->a && x.b == y->b && x.n == y->n)
            return i;
    }
    x.cells = x.kind == DATA_NUM ? 1 : x.kind == DATA_ARY ? size_mul(p, x.n, p->data.a[x.a].cells) :
              size_add(p, p->data.a[x.a].cells, p->data.a[x.b].cells);
    if (x.cells == SIZE_NONE)
        return -1;
    if (!vec_room(p->mem, &p->data, 1))
        return fail(p, CALQUE_NOMEM);
    p->data.a[p->data.n] = x;
    return p->data.n++;
}

int data_num(struct prog *p)
{
    return data_add(p, (struct data){ DATA_NUM, -1, -1, 0, 1 });
}

int data_ary(struct prog *p, long n, int elem)
{
    if (elem < 0 || n == SIZE_NONE)
        return ill_typed(p);
    return data_add(p, (struct data){ DATA_ARY, elem, -1, n, 0 });
}

int data_pair(struct prog *p, int a, int b)
{
    if (a < 0 || b < 0)
        return ill_typed(p);
    return data_add(p, (struct data){ DATA_PAIR, a, b, 0, 0 });
}

long data_size(const struct prog *p, int type)
{
    return p->data.a[type].cells;
}
