/* Look-ups as C functions of their own: `int NAME(Y, X, I)`, 1 when an index is outside of its dimension, before anything is
   stored; else every cell is copied. */
#include "emit/minic.h"
#include "emit/module.h"
#include "kernel/kernel.h"

enum { PAR_WORK = 32768 /* cells below which starting threads does not pay */ };

struct look_printer {
    struct text *t;
    const struct kernel *k;
    const struct kernel_stmt *s;
    struct lookup l;
    int rank;
    unsigned long *used;
};

/* prec: 1 sums, 2 products. Recursion is bounded by KERNEL_DEPTH_MAX. */
static void put_ix(struct look_printer *q, int id, int prec)
{
    const struct ix *x = &q->k->ix.a[id];
    bool sum = x->kind == IX_ADD || x->kind == IX_SUB;

    switch (x->kind) {
    case IX_VAR: text_printf(q->t, "i%ld", x->k); return;
    case IX_CONST: text_printf(q->t, x->k < 0 ? "(%ld)" : "%ld", x->k); return;
    case IX_DIV: case IX_MOD:
        text_printf(q->t, "%s(", print_helper(x->kind == IX_DIV ? "div" : "mod", "index", q->used));
        put_ix(q, x->a, 0);
        text_printf(q->t, ", %ld)", x->k);
        return;
    default: break;
    }
    text_puts(q->t, sum && prec > 1 ? "(" : "");
    put_ix(q, x->a, sum ? 1 : 2);
    if (sum) {
        text_puts(q->t, x->kind == IX_ADD ? " + " : " - ");
        put_ix(q, x->b, 2);
    } else {
        text_printf(q->t, x->k < 0 ? " * (%ld)" : " * %ld", x->k);
    }
    text_puts(q->t, sum && prec > 1 ? ")" : "");
}

/* The place of a load's cell, i * 12 + j * 4 + k, where index number axis is `at`. */
static void put_place(struct look_printer *q, const struct ex *load, int axis)
{
    const struct kernel_tensor *t = &q->k->tensor.a[load->op];
    bool any = false;

    for (int i = 0; i < load->n; i++) {
        const struct ix *x = &q->k->ix.a[q->k->pool.a[load->first + i]];
        long stride = 1;
        for (int j = i + 1; j < t->rank; j++)
            stride *= t->dim[j];
        if (i != axis && x->kind == IX_CONST && x->k == 0)
            continue;
        text_puts(q->t, any ? " + " : "");
        any = true;
        if (i == axis)
            text_puts(q->t, "at");
        else
            put_ix(q, q->k->pool.a[load->first + i], stride > 1 ? 2 : 1);
        if (stride != 1)
            text_printf(q->t, " * %ld", stride);
    }
    text_puts(q->t, any ? "" : "0");
}

static void put_index(struct look_printer *q)
{
    text_puts(q->t, "I[");
    put_place(q, q->l.at, -1);
    text_puts(q->t, "]");
}

static int put_for(struct look_printer *q, int var, int depth)
{
    text_printf(q->t, "%*sfor (long i%d = 0; i%d < %ld; i%d++) {\n", 4 * depth, "", var, var,
                q->k->tensor.a[q->s->out].dim[var], var);
    return depth + 1;
}

/* The ends of blocks, from inside `depth` to inside `least` of them. */
static void put_ends(struct look_printer *q, int depth, int least)
{
    while (depth-- > least)
        text_printf(q->t, "%*s}\n", 4 * depth, "");
}

/* Loops over what the index depends on. */
static void put_check(struct look_printer *q)
{
    int depth = 1;

    for (int i = 0; i < q->rank; i++)
        if (lookup_uses(q->k, q->l.at, -1, i))
            depth = put_for(q, i, depth);
    text_printf(q->t, "%*sif (", 4 * depth, "");
    put_index(q);
    text_printf(q->t, " < -%ld || ", q->l.size);
    put_index(q);
    text_printf(q->t, " >= %ld) {\n%*sreturn 1;\n", q->l.size, 4 * depth + 4, "");
    put_ends(q, depth + 1, 1);
}

static void put_copy(struct look_printer *q, bool pragmas)
{
    const struct kernel_tensor *y = &q->k->tensor.a[q->s->out];
    int last = q->rank - 1, depth = 1, outer = lookup_uses(q->k, q->l.at, -1, last) ? q->rank : last;
    long stride = 1;

    if (pragmas && kernel_elems(q->k, q->s->out) >= PAR_WORK && outer > 0) {
        text_puts(q->t, "#pragma omp parallel for");
        if (outer > 1)
            text_printf(q->t, " collapse(%d)", outer);
        text_puts(q->t, "\n");
    }
    for (int i = 0; i < outer; i++)
        depth = put_for(q, i, depth);
    if (outer == 0)
        text_printf(q->t, "%*s{\n", 4 * depth++, "");
    text_printf(q->t, "%*sconst long from = (long)", 4 * depth, "");
    put_index(q);
    text_printf(q->t, ";\n%*sconst long at = from < 0 ? from + %ld : from;\n", 4 * depth, "", q->l.size);
    for (int i = outer; i < q->rank; i++)
        depth = put_for(q, i, depth);
    text_printf(q->t, "%*sY[", 4 * depth, "");
    for (int i = 0; i < q->rank; i++) {
        stride = 1;
        for (int j = i + 1; j < q->rank; j++)
            stride *= y->dim[j];
        text_printf(q->t, stride == 1 ? "%si%d" : "%si%d * %ld", i ? " + " : "", i, stride);
    }
    text_puts(q->t, "] = X[");
    put_place(q, q->l.from, q->l.axis);
    text_puts(q->t, "];\n");
    put_ends(q, depth, 1);
}

void lookup_params(struct text *t, const struct kernel *k, const struct kernel_stmt *s)
{
    const char *cell = print_elem(kernel_stored(k, s->out));

    text_printf(t, "(%s *restrict Y, const %s *restrict X, const %s *restrict I)", cell, cell,
                print_elem(kernel_stored(k, lookup_of(k, s).at->op)));
}

void lookup_print(struct text *t, const struct kernel *k, const struct kernel_stmt *s, bool pragmas, unsigned long *used)
{
    struct look_printer q = { t, k, s, lookup_of(k, s), k->tensor.a[s->out].rank, used };

    text_puts(t, "int ");
    lookup_params(t, k, s);
    text_puts(t, "\n{\n");
    if (kernel_elems(k, s->out) == 0) {
        text_puts(t, "    (void)Y;\n    (void)X;\n    (void)I;\n");
    } else if (q.l.size == 0) {
        text_puts(t, "    (void)Y;\n    (void)X;\n    (void)I;\n    return 1;\n}\n");
        return;
    } else {
        put_check(&q);
        put_copy(&q, pragmas);
    }
    text_puts(t, "    return 0;\n}\n");
}

struct emit_work lookup_work(const struct kernel *k, const struct kernel_stmt *s)
{
    struct look_printer q = { .k = k, .s = s, .l = lookup_of(k, s), .rank = k->tensor.a[s->out].rank };
    struct emit_work w = { 0 };
    double check = 1, copy = 1;

    if (kernel_elems(k, s->out) == 0 || q.l.size == 0)
        return w;
    for (int i = 0; i < q.rank; i++) {
        double n = (double)k->tensor.a[s->out].dim[i];
        copy *= n;
        w.iterations += copy;
        if (!lookup_uses(k, q.l.at, -1, i))
            continue;
        check *= n;
        w.iterations += check;
    }
    return w;
}

bool lookup_bounds(struct module *u, const struct kernel *k, const struct kernel_stmt *s)
{
    struct look_printer q = { .k = k, .s = s, .l = lookup_of(k, s), .rank = k->tensor.a[s->out].rank };
    const struct kernel_tensor *y = &k->tensor.a[s->out];
    int depth = 0;

    if (kernel_elems(k, s->out) == 0 || q.l.size == 0)
        return true;
    if (!vec_room(u->mem, &u->bounds, 2 * q.rank))
        return false;
    for (int i = 0; i < q.rank; i++)
        if (lookup_uses(k, q.l.at, -1, i))
            u->bounds.a[u->bounds.n++] = (struct bound){ depth++, (double)y->dim[i] };
    for (int i = 0; i < q.rank; i++)
        u->bounds.a[u->bounds.n++] = (struct bound){ i, (double)y->dim[i] };
    return true;
}

/* The step of look-up s into the slot y. */
static enum calque_status call(struct module *u, const struct kernel *k, const struct kernel_stmt *s, const int *arg, int y,
                               const char *note, struct diag *d)
{
    struct lookup l = lookup_of(k, s);
    int slots[3] = { y, arg[l.from->op], arg[l.at->op] };
    bool writes[3] = { true, false, false };
    const struct slot *at = &u->slot.a[arg[l.at->op]];
    struct function f = { .comment = u->text.n, .can_fail = true, .look = true, .bound = u->bounds.n };
    struct kernel one;
    struct ints from = {0};
    enum calque_status st = kernel_part(k, (int)(s - k->stmt.a), 1, &one, &from, d);

    if (st == CALQUE_OK)
        kernel_print(&u->text, &one);
    kernel_free(&one);
    ints_free(&from);
    f.work = lookup_work(k, s);
    f.ncomment = u->text.n - f.comment;
    f.start = u->text.n;
    if (st == CALQUE_OK && u->o->acsl)
        st = lookup_acsl(u, k, s, &f, d);
    else if (st == CALQUE_OK)
        lookup_print(&u->text, k, s, module_pragmas(u), &u->helpers);
    if (f.len == 0)
        f.len = u->text.n - f.start;
    if (st == CALQUE_OK)
        st = text_status(&u->text, d);
    if (st != CALQUE_OK)
        return st;
    if (!u->o->acsl && !lookup_bounds(u, k, s))
        return diag_nomem(d);
    f.nbound = u->bounds.n - f.bound;
    if (!vec_room(u->mem, &u->look, 1) || !module_step(u, f, slots, writes, 3, note))
        return diag_nomem(d);
    u->step.a[u->step.n - 1].look = u->look.n;
    u->look.a[u->look.n++] = (struct module_look){ at->kind == SLOT_INPUT ? at->index : -1, l.size };
    return CALQUE_OK;
}

/* A look-up that reads the tensor it stores, stores a copy first. */
static enum calque_status statement(struct module *u, const struct kernel *k, const struct kernel_stmt *s, const int *arg,
                                    const char *note, struct diag *d)
{
    bool own = kernel_loads(k, s, s->out);
    int y = own ? module_slot(u, (struct slot){ .kind = SLOT_ARENA, .bytes = kernel_bytes(k, s->out) }) : arg[s->out];
    enum calque_status st = y < 0 ? diag_nomem(d) : call(u, k, s, arg, y, note, d);

    if (st == CALQUE_OK && own && !module_copy(u, arg[s->out], y, note))
        return diag_nomem(d);
    return st;
}

/* Statements first..first+n-1, which are no look-ups, as a kernel whose tensors are all in memory. */
static enum calque_status part(struct module *u, const struct kernel *k, int first, int n, const int *arg, const char *note,
                               struct diag *d)
{
    struct kernel p;
    struct ints from = {0};
    enum calque_status st = kernel_part(k, first, n, &p, &from, d);
    int *own = mem_zero(u->mem, (size_t)p.tensor.n, sizeof *own);

    if (st == CALQUE_OK && !own)
        st = diag_nomem(d);
    for (int t = 0; t < p.tensor.n && st == CALQUE_OK; t++) {
        p.tensor.a[t].role = KERNEL_IN;
        for (int i = 0; i < p.stmt.n; i++)
            if (p.stmt.a[i].out == t)
                p.tensor.a[t].role = KERNEL_OUT;
        own[t] = arg[from.a[t]];
    }
    if (st == CALQUE_OK)
        st = module_call(u, &p, own, note, d);
    mem_free(own);
    ints_free(&from);
    kernel_free(&p);
    return st;
}

enum calque_status module_call_lookups(struct module *u, const struct kernel *k, const int *arg, const char *note, struct diag *d)
{
    enum calque_status st = kernel_check(k, d);
    int at = 0;

    while (at < k->stmt.n && st == CALQUE_OK) {
        int n = 0;
        while (at + n < k->stmt.n && k->stmt.a[at + n].look == 0)
            n++;
        st = n > 0 ? part(u, k, at, n, arg, note, d) : statement(u, k, &k->stmt.a[at], arg, note, d);
        if (st == CALQUE_OK && n == 0) {
            if (!vec_room(u->mem, &u->loop, 1))
                return diag_nomem(d);
            u->loop.a[u->loop.n++] = (struct emit_loop){ EMIT_COPY, u->step.a[u->step.n - 1].note, false };
        }
        at += n > 0 ? n : 1;
    }
    return st;
}
