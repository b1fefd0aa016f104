/* Look-ups: checked as a whole, then copied row by row. Cells are moved as bytes, so both tensors are stored alike. */
#include "kernel/kernel.h"
#include "base/arith.h"

#include <stdio.h>
#include <string.h>

struct lookup lookup_of(const struct kernel *k, const struct kernel_stmt *s)
{
    const struct ex *from = &k->ex.a[s->body];

    return (struct lookup){from, &k->ex.a[s->at], s->look - 1, k->tensor.a[from->op].dim[s->look - 1]};
}

bool kernel_looks_up(const struct kernel *k)
{
    for (int i = 0; i < k->stmt.n; i++)
        if (k->stmt.a[i].look > 0)
            return true;
    return false;
}

/* Recursion on index expressions is bounded by KERNEL_DEPTH_MAX. */
bool lookup_ix_uses(const struct kernel *k, int ix, int var)
{
    const struct ix *x = &k->ix.a[ix];

    if (x->kind == IX_VAR)
        return x->k == var;
    return x->kind != IX_CONST && (lookup_ix_uses(k, x->a, var) ||
                                   ((x->kind == IX_ADD || x->kind == IX_SUB) && lookup_ix_uses(k, x->b, var)));
}

bool lookup_uses(const struct kernel *k, const struct ex *load, int skip, int var)
{
    for (int i = 0; i < load->n; i++)
        if (i != skip && lookup_ix_uses(k, k->pool.a[load->first + i], var))
            return true;
    return false;
}

static bool is_load(const struct kernel *k, int id)
{
    const struct ex *e;

    if (id < 0 || id >= k->ex.n)
        return false;
    e = &k->ex.a[id];
    return e->kind == EX_LOAD && e->op >= 0 && e->op < k->tensor.n && e->n >= 0 && e->first >= 0 &&
           e->first <= k->pool.n - e->n;
}

const char *lookup_check(const struct kernel *k, const struct kernel_stmt *s)
{
    const struct kernel_tensor *x;
    const struct ex *from;
    int own, at;

    if (!is_load(k, s->body) || !is_load(k, s->at))
        return "a look-up is of no load";
    from = &k->ex.a[s->body];
    x = &k->tensor.a[from->op];
    if (from->n != x->rank || s->look < 1 || s->look > x->rank)
        return "a look-up has no dimension";
    at = k->pool.a[from->first + s->look - 1];
    if (at < 0 || at >= k->ix.n || k->ix.a[at].kind != IX_CONST || k->ix.a[at].k != 0)
        return "a look-up has an index where its index is read";
    if (s->nvar != k->tensor.a[s->out].rank || s->loop[0] != 0)
        return "a look-up has variables of its own";
    own = kernel_stored(k, k->ex.a[s->at].op);
    if (own != ELEM_I32 && own != ELEM_I64)
        return "the indices of a look-up are no integers";
    return x->elem != k->tensor.a[s->out].elem ? "a look-up moves cells between stored types" : NULL;
}

static long value(const struct kernel *k, int ix, const long *var)
{
    const struct ix *x = &k->ix.a[ix];
    long a;

    switch (x->kind) {
    case IX_VAR: return var[x->k];
    case IX_CONST: return x->k;
    case IX_ADD: return value(k, x->a, var) + value(k, x->b, var);
    case IX_SUB: return value(k, x->a, var) - value(k, x->b, var);
    default: break;
    }
    a = value(k, x->a, var);
    return x->kind == IX_MUL ? a * x->k : x->kind == IX_DIV ? floor_div(a, x->k) : a - floor_div(a, x->k) * x->k;
}

/* The place of a load's cell; its index number axis is j. */
static long place(const struct kernel *k, const struct ex *load, const long *var, int axis, long j)
{
    const struct kernel_tensor *t = &k->tensor.a[load->op];
    long r = 0;

    for (int i = 0; i < load->n; i++)
        r = r * t->dim[i] + (i == axis ? j : value(k, k->pool.a[load->first + i], var));
    return r;
}

/* One run of a look-up. */
struct run {
    const struct kernel *k;
    const struct kernel_stmt *s;
    struct lookup l;
    const char *from;
    const void *at;
    bool wide; /* indices are i64 */
    size_t size; /* of a cell */
    bool rows; /* the cells of a row are side by side in both tensors, found by one index */
};

static long index_at(const struct run *r, const long *var)
{
    long p = place(r->k, r->l.at, var, -1, 0);

    return r->wide ? ((const int64_t *)r->at)[p] : ((const int32_t *)r->at)[p];
}

static enum calque_status outside(const struct run *r, const long *var, struct diag *d)
{
    const struct kernel *k = r->k;
    char cell[KERNEL_RANK_MAX * 24 + 4] = "";
    size_t n = 0;

    for (int i = 0; i < r->l.at->n; i++)
        n += (size_t)snprintf(cell + n, sizeof cell - n, "%s%ld", i == 0 ? "[" : ",",
                              value(k, k->pool.a[r->l.at->first + i], var));
    if (n > 0)
        snprintf(cell + n, sizeof cell - n, "]");
    if (r->l.size == 0)
        return diag_set(d, CALQUE_BAD, "", r->s->line, r->s->col, "index %s%s is %ld, but the dimension is empty",
                        strs_text(k->strs, k->tensor.a[r->l.at->op].name), cell, index_at(r, var));
    return diag_set(d, CALQUE_BAD, "", r->s->line, r->s->col, "index %s%s is %ld, not in %ld..%ld",
                    strs_text(k->strs, k->tensor.a[r->l.at->op].name), cell, index_at(r, var), -r->l.size, r->l.size - 1);
}

/* KL-Range: over the variables that the index depends on; the others, of which the first value stands for all, are 0. */
static enum calque_status check_range(const struct run *r, struct diag *d)
{
    const struct kernel_tensor *out = &r->k->tensor.a[r->s->out];
    long dim[KERNEL_RANK_MAX], var[KERNEL_RANK_MAX], n = 1;

    for (int i = 0; i < out->rank; i++) {
        dim[i] = lookup_uses(r->k, r->l.at, -1, i) ? out->dim[i] : 1;
        n *= dim[i];
    }
    for (long c = 0; c < n; c++) {
        long j;
        row_cell(dim, out->rank, c, var);
        j = index_at(r, var);
        if (j < -r->l.size || j >= r->l.size)
            return outside(r, var, d);
    }
    return CALQUE_OK;
}

/* KL-Lookup, KL-Negative: row number `row` of the output. */
static void copy_row(const struct run *r, long row, char *to)
{
    const struct kernel_tensor *out = &r->k->tensor.a[r->s->out];
    int last = out->rank - 1;
    long var[KERNEL_RANK_MAX] = {0}, n = out->dim[last];

    row_cell(out->dim, last, row, var);
    to += (size_t)row * (size_t)n * r->size;
    for (long i = 0; i < n; i += r->rows ? n : 1) {
        long j;
        var[last] = i;
        j = index_at(r, var);
        j = place(r->k, r->l.from, var, r->l.axis, j < 0 ? j + r->l.size : j);
        memcpy(to + (size_t)i * r->size, r->from + (size_t)j * r->size, (r->rows ? (size_t)n : 1) * r->size);
    }
}

/* Are the rows of the output parts of rows of the tensor that is looked up? */
static bool by_rows(const struct run *r)
{
    int last = r->k->tensor.a[r->s->out].rank - 1, n = r->l.from->n;
    const struct ix *x = &r->k->ix.a[r->k->pool.a[r->l.from->first + n - 1]];

    if (r->l.axis == n - 1 || x->kind != IX_VAR || x->k != last || lookup_uses(r->k, r->l.at, -1, last))
        return false;
    for (int i = 0; i < n - 1; i++)
        if (i != r->l.axis && lookup_ix_uses(r->k, r->k->pool.a[r->l.from->first + i], last))
            return false;
    return true;
}

enum calque_status lookup_run(const struct kernel *k, const struct kernel_stmt *s, void *const *data, int threads,
                              struct diag *d)
{
    struct run r = {.k = k, .s = s, .l = lookup_of(k, s)};
    long rows = 1;
    char *out = data[s->out], *copy = NULL;
    enum calque_status st;

    if (kernel_elems(k, s->out) == 0)
        return CALQUE_OK;
    r.from = data[r.l.from->op];
    r.at = data[r.l.at->op];
    r.wide = kernel_stored(k, r.l.at->op) == ELEM_I64;
    r.size = elem_size(kernel_stored(k, s->out));
    r.rows = by_rows(&r);
    st = check_range(&r, d);
    if (st == CALQUE_OK && kernel_loads(k, s, s->out)) { /* it sees the old tensor */
        out = copy = mem_zero(k->mem, kernel_bytes(k, s->out), 1);
        if (!copy)
            st = diag_nomem(d);
    }
    if (st != CALQUE_OK)
        return st;
    for (int i = 0; i < k->tensor.a[s->out].rank - 1; i++)
        rows *= k->tensor.a[s->out].dim[i];
#pragma omp parallel for num_threads(threads) if (threads > 1 && kernel_elems(k, s->out) > 10000)
    for (long i = 0; i < rows; i++)
        copy_row(&r, i, out);
    if (copy)
        memcpy(data[s->out], copy, kernel_bytes(k, s->out));
    mem_free(copy);
    return CALQUE_OK;
}
