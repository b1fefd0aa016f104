/* What a call of an emitted function takes at most, counted on its mini-C: both branches of a choice cost what the greater
   one does, a loop's range is the widest it can have. Children stand before their parents, so one pass does. */
#include "emit/minic.h"

struct ops {
    double multiply_adds, all;
};

static struct ops larger(struct ops a, struct ops b)
{
    return (struct ops){ a.multiply_adds > b.multiply_adds ? a.multiply_adds : b.multiply_adds, a.all > b.all ? a.all : b.all };
}

static bool is_product(const struct minic *m, int id)
{
    return id >= 0 && m->mx.a[id].kind == MX_CALL && m->mx.a[id].op == FN_MUL;
}

static struct ops of_expression(const struct minic *m, const struct ops *done, int id)
{
    static const struct ops none;
    const struct mx *x = &m->mx.a[id];
    struct ops a = none, b = none;

    if (x->kind != MX_CALL && x->kind != MX_COND)
        return none;
    if (x->a >= 0)
        a = done[x->a];
    if (x->b >= 0)
        b = done[x->b];
    if (x->kind == MX_COND)
        return larger(a, b);
    a.all += b.all + 1;
    a.multiply_adds += b.multiply_adds;
    if ((x->op == FN_ADD || x->op == FN_SUB) && (is_product(m, x->a) || is_product(m, x->b)))
        a.multiply_adds++;
    return a;
}

static void add(struct emit_work *a, const struct emit_work *b)
{
    a->multiply_adds += b->multiply_adds;
    a->operations += b->operations;
    a->iterations += b->iterations;
    a->arrays += b->arrays;
}

static struct emit_work larger_work(struct emit_work a, const struct emit_work *b)
{
    a.multiply_adds = b->multiply_adds > a.multiply_adds ? b->multiply_adds : a.multiply_adds;
    a.operations = b->operations > a.operations ? b->operations : a.operations;
    a.iterations = b->iterations > a.iterations ? b->iterations : a.iterations;
    a.arrays = b->arrays > a.arrays ? b->arrays : a.arrays;
    return a;
}

static struct emit_work of_statement(const struct minic *m, const struct ops *x, const struct emit_work *done, int id)
{
    const struct ms *s = &m->ms.a[id];
    struct emit_work w = { 0 };
    double trips = s->n > s->from ? (double)(s->n - s->from) : 0.0;

    switch (s->kind) {
    case MS_BLOCK:
        for (int i = 0; i < s->len; i++)
            add(&w, &done[m->pool.a[s->first + i]]);
        break;
    case MS_DECL: case MS_SET:
        if (s->a >= 0) {
            w.multiply_adds = x[s->a].multiply_adds;
            w.operations = x[s->a].all;
        }
        break;
    case MS_ARRAY:
        w = done[s->a];
        w.arrays += s->heap ? 0 : (size_t)s->n * kernel_type_size(m->code->prog->scalar);
        break;
    case MS_FOR:
        w = done[s->a];
        w.multiply_adds *= trips;
        w.operations *= trips;
        w.iterations = trips * (1 + w.iterations);
        break;
    default:
        w = s->b >= 0 ? larger_work(done[s->a], &done[s->b]) : done[s->a];
    }
    return w;
}

bool minic_work(const struct minic *m, struct emit_work *out)
{
    struct ops *x = mem_zero(m->mem, (size_t)m->mx.n + 1, sizeof *x);
    struct emit_work *w = mem_zero(m->mem, (size_t)m->ms.n + 1, sizeof *w);
    bool ok = x && w;

    for (int i = 0; ok && i < m->mx.n; i++)
        x[i] = of_expression(m, x, i);
    for (int i = 0; ok && i < m->ms.n; i++)
        w[i] = of_statement(m, x, w, i);
    if (ok)
        *out = w[m->main];
    mem_free(x);
    mem_free(w);
    return ok;
}
