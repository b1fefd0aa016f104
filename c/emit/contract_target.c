/* Where the statements of cells write, and under which conditions folds stand. */
#include "emit/contract.h"

#include <string.h>

bool cells_targets(struct cells_target *t, struct cells *c)
{
    int n = c->tensor.n;

    t->c = c;
    t->n = n;
    t->now = mem_resize(c->mem, NULL, (size_t)n, sizeof *t->now);
    t->left = mem_zero(c->mem, (size_t)n, sizeof *t->left);
    if (!t->now || !t->left)
        return cells_fail(c, CALQUE_NOMEM, NULL);
    for (int i = 0; i < n; i++)
        t->now[i] = i;
    return c->status == CALQUE_OK;
}

int cells_begin(struct cells *c, int tensor, struct acsl_stmt *s, int *index)
{
    int rank = c->tensor.a[tensor].rank;

    memset(s, 0, sizeof *s);
    s->var0 = c->var.n;
    for (int i = 0; i < rank; i++) {
        int dim = c->tensor.a[tensor].dim[i];
        if (ax_is(c, dim, 1)) {
            index[i] = ax_num(c, 0);
            continue;
        }
        s->var[s->nvar] = cells_var(c, dim);
        index[i] = ax_var(c, s->var[s->nvar++]);
    }
    return rank;
}

static bool loads(const struct cells *c, int id, int tensor)
{
    const struct ac *x;

    if (id < 0)
        return false;
    x = &c->ac.a[id];
    if (x->kind == AC_LOAD)
        return x->op == tensor;
    return loads(c, x->a, tensor) || loads(c, x->b, tensor);
}

static int temporary(struct cells *c, int tensor)
{
    struct acsl_tensor t = c->tensor.a[tensor];

    return cells_tensor(c, "", KERNEL_TEMP, t.rank, t.dim);
}

static void add_stmt(struct cells *c, struct acsl_stmt *s)
{
    s->var1 = c->var.n;
    if (c->status != CALQUE_OK)
        return;
    if (!vec_room(c->mem, &c->stmt, 1))
        cells_fail(c, CALQUE_NOMEM, NULL);
    else
        c->stmt.a[c->stmt.n++] = *s;
}

void cells_end(struct cells_target *t, struct acsl_stmt *s, int tensor)
{
    if (s->body < 0 || t->c->status != CALQUE_OK)
        return;
    t->left[tensor]--;
    s->out = t->left[tensor] > 0 || loads(t->c, s->body, tensor) ? temporary(t->c, tensor) : tensor;
    t->now[tensor] = s->out;
    add_stmt(t->c, s);
}

/* Notes in every fold the selects it stands under: its loads are in bounds there. */
static void guard(struct cells *c, int id, struct ints *stack, int depth)
{
    struct ac x;

    if (id < 0 || c->status != CALQUE_OK)
        return;
    x = c->ac.a[id];
    if (x.kind == AC_SELECT) {
        for (int side = 0; side < 2; side++) {
            if (!ints_push(c->mem, stack, 2 * id + side))
                cells_fail(c, CALQUE_NOMEM, NULL);
            guard(c, side ? x.b : x.a, stack, depth + 1);
            if (c->status == CALQUE_OK)
                stack->n--;
        }
        return;
    }
    if (x.kind == AC_FOLD) {
        c->ac.a[id].first = c->pool.n;
        c->ac.a[id].n = stack->n;
        for (int i = 0; i < stack->n; i++)
            if (!ints_push(c->mem, &c->pool, stack->a[i]))
                cells_fail(c, CALQUE_NOMEM, NULL);
    }
    guard(c, x.a, stack, depth + 1);
    guard(c, x.b, stack, depth + 1);
}

void cells_finish(struct cells_target *t)
{
    struct cells *c = t->c;
    struct ints stack = { 0 };

    if (!c) /* not even begun */
        return;
    for (int i = 0; i < t->n && c->status == CALQUE_OK; i++) {
        struct acsl_stmt s;
        int index[KERNEL_RANK_MAX], rank;
        if (c->tensor.a[i].role != KERNEL_OUT || !t->now || t->now[i] == i)
            continue;
        rank = cells_begin(c, i, &s, index);
        s.out = i;
        s.body = cells_load(c, t->now[i], index, rank);
        t->now[i] = i;
        add_stmt(c, &s);
    }
    for (int i = 0; i < c->stmt.n && c->status == CALQUE_OK; i++)
        guard(c, c->stmt.a[i].body, &stack, 0);
    ints_free(&stack);
    mem_free(t->now);
    mem_free(t->left);
    t->now = t->left = NULL;
}
