/* What a call of an emitted function takes at most, counted on its mini-C: both branches of a choice cost what the greater
   one does, a loop's range is the widest it can have. Children stand before their parents, so one pass does. What a module takes,
   and its budget as JSON: each function with its loops, in the order and on the lines of the text that is emitted. */
#include <stdio.h>
#include <string.h>

#include "emit/minic.h"
#include "emit/module.h"

struct ops {
    double multiply_adds, all;
};

static struct ops larger(struct ops a, struct ops b)
{
    return (struct ops){ a.multiply_adds > b.multiply_adds ? a.multiply_adds : b.multiply_adds, a.all > b.all ? a.all : b.all };
}

static bool is_product(const struct minic *m, int id)
{
    return id >= 0 && ((m->mx.a[id].kind == MX_CALL && m->mx.a[id].op == FN_MUL) || minic_is_exact(m, id));
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

/* Numbers of a budget fit in 64 bits: the greatest double below 2^63 stands for all beyond it. */
static double capped(double x)
{
    const double most = 0x1.fffffffffffffp+62;

    return x < most ? x : most;
}

static struct emit_work capped_work(struct emit_work w)
{
    w.multiply_adds = capped(w.multiply_adds);
    w.operations = capped(w.operations);
    w.iterations = capped(w.iterations);
    return w;
}

static void add(struct emit_work *a, const struct emit_work *b)
{
    a->multiply_adds += b->multiply_adds;
    a->operations += b->operations;
    a->iterations += b->iterations;
    a->arrays += b->arrays;
    a->heap += b->heap;
}

static struct emit_work larger_work(struct emit_work a, const struct emit_work *b)
{
    a.multiply_adds = b->multiply_adds > a.multiply_adds ? b->multiply_adds : a.multiply_adds;
    a.operations = b->operations > a.operations ? b->operations : a.operations;
    a.iterations = b->iterations > a.iterations ? b->iterations : a.iterations;
    a.arrays = b->arrays > a.arrays ? b->arrays : a.arrays;
    a.heap = b->heap > a.heap ? b->heap : a.heap;
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
        *(s->heap ? &w.heap : &w.arrays) += (size_t)s->n * kernel_type_size(m->code->prog->scalar);
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
        *out = capped_work(w[m->main]);
    mem_free(x);
    mem_free(w);
    return ok;
}

/* ---- loops ---- */

/* The statement is what is looked at next. */
static bool push(struct mem *mem, struct ints *todo, int id, int depth)
{
    return id < 0 || (ints_push(mem, todo, depth) && ints_push(mem, todo, id));
}

bool minic_bounds(const struct minic *m, struct bounds *out)
{
    struct ints todo = {0};
    bool ok = push(m->mem, &todo, m->main, 0);

    while (ok && todo.n > 0) {
        const struct ms *s = &m->ms.a[todo.a[todo.n - 1]];
        int depth = todo.a[todo.n - 2];
        todo.n -= 2;
        switch (s->kind) {
        case MS_BLOCK:
            for (int i = s->len - 1; ok && i >= 0; i--)
                ok = push(m->mem, &todo, m->pool.a[s->first + i], depth);
            break;
        case MS_FOR:
            ok = vec_room(m->mem, out, 1) && push(m->mem, &todo, s->a, depth + 1);
            if (ok)
                out->a[out->n++] = (struct bound){ depth, s->n > s->from ? (double)(s->n - s->from) : 0.0 };
            break;
        case MS_ARRAY: ok = push(m->mem, &todo, s->a, depth); break;
        case MS_IF: ok = push(m->mem, &todo, s->b, depth) && push(m->mem, &todo, s->a, depth); break;
        default: break;
        }
    }
    ints_free(&todo);
    return ok;
}

void work_print_loops(struct text *t, const struct module *u, int i)
{
    const struct bound *b = u->bounds.a + u->fn.a[i].bound;
    int n = u->fn.a[i].nbound;

    text_puts(t, n == 0 ? "none" : "");
    for (int k = 0; k < n; k++) {
        int next = k + 1 < n ? b[k + 1].depth : 0;
        text_printf(t, "%.0f", b[k].trips);
        for (int depth = b[k].depth; depth > next; depth--)
            text_puts(t, ")");
        text_puts(t, k + 1 == n ? "" : next > b[k].depth ? "(" : ", ");
    }
}

/* ---- modules ---- */

struct emit_work work_total(const struct module *u)
{
    struct emit_work w = { 0 };

    for (int i = 0; i < u->step.n; i++) {
        const struct emit_work *x;
        if (u->step.a[i].fn < 0) {
            w.iterations += u->o->freestanding ? (double)u->slot.a[u->pool.a[u->step.a[i].first]].bytes : 0;
            continue;
        }
        x = &u->fn.a[u->step.a[i].fn].work;
        w.multiply_adds += x->multiply_adds;
        w.operations += x->operations;
        w.iterations += x->iterations;
        w.arrays = x->arrays > w.arrays ? x->arrays : w.arrays;
        w.heap = x->heap > w.heap ? x->heap : w.heap;
    }
    for (int i = 0; i < u->roll.n; i++)
        w.iterations += u->roll.a[i].count;
    return capped_work(w);
}

int work_calls(const struct module *u, int fn)
{
    int n = 0;

    for (int i = 0; i < u->step.n; i++)
        n += u->step.a[i].fn == fn;
    return n;
}

size_t work_rom(const struct module *u)
{
    size_t n = 0;

    for (int i = 0; i < u->piece.n; i++)
        if (free_uses(u, u->piece.a[i].slot))
            n += free_cells(u->piece.a[i].bytes, u->piece.a[i].elem) * elem_size(u->piece.a[i].elem);
    return u->o->weights_pointer || !u->o->freestanding ? u->weights : n;
}

/* ---- as JSON ---- */

/* The text of NAME.c, read from top to bottom. */
struct lines {
    const char *at;
    int line; /* of at, from 1 */
};

static bool starts(const char *s, const char *what)
{
    return strncmp(s, what, strlen(what)) == 0;
}

/* The line of the next loop, or of the function's definition, which is not passed over; 0: there is none. */
static int next_line(struct lines *l, const char *function)
{
    char name[128];

    snprintf(name, sizeof name, " %.100s(", function ? function : "");
    while (*l->at) {
        const char *end = l->at + strcspn(l->at, "\n"), *s = l->at + strspn(l->at, " "), *found = function ? strstr(l->at, name) : NULL;
        int line = l->line;
        bool is_it = function ? found && found < end && (starts(l->at, "static ") || starts(l->at, "CALQUE_STEP ")) : starts(s, "for (long ");
        l->at = *end ? end + 1 : end;
        l->line++;
        if (is_it)
            return line;
    }
    return 0;
}

static void put_work(struct text *t, const struct emit_work *w)
{
    text_printf(t, "\"multiply_adds\": %.0f, \"operations\": %.0f, \"iterations\": %.0f, \"arrays\": %zu, \"heap\": %zu", w->multiply_adds,
                w->operations, w->iterations, w->arrays, w->heap);
}

static bool put_function(struct text *t, const struct module *u, int i, const char *name, struct lines *l)
{
    const struct function *f = &u->fn.a[i];
    int line = next_line(l, name);

    text_printf(t, "%s\n  {\"name\": \"%s\", \"line\": %d, \"calls\": %d, ", i ? "," : "", name, line, work_calls(u, i));
    put_work(t, &f->work);
    text_puts(t, ", \"loops\": [");
    for (int k = 0; line > 0 && k < f->nbound; k++) {
        const struct bound *b = &u->bounds.a[f->bound + k];
        line = next_line(l, NULL);
        text_printf(t, "%s{\"line\": %d, \"depth\": %d, \"trips\": %.0f}", k ? ", " : "", line, b->depth, b->trips);
    }
    text_puts(t, "]}");
    return line > 0;
}

static bool put_functions(struct text *t, const struct module *u, const struct free_names *x, const struct emit_files *out)
{
    char file[72], own[16];
    struct lines l = { "", 1 };
    bool ok = true;

    snprintf(file, sizeof file, "%.68s.c", module_name(u));
    for (int i = 0; i < out->file.n; i++)
        if (strcmp(out->file.a[i].name, file) == 0)
            l.at = (const char *)out->file.a[i].data;
    for (int i = 0; i < u->fn.n && !u->o->acsl; i++) {
        snprintf(own, sizeof own, "k%d", i);
        ok = put_function(t, u, i, x ? x->text.a + x->fn[i] : own, &l) && ok;
    }
    return ok;
}

static size_t bytes_of(const struct port *p, int n)
{
    size_t all = 0;

    for (int i = 0; i < n; i++)
        all += p[i].bytes;
    return all;
}

enum calque_status work_budget(const struct module *u, const struct free_names *x, struct emit_files *out, struct diag *d)
{
    struct emit_work w = work_total(u);
    struct text t;
    enum calque_status st;
    bool ok;

    text_init(&t, u->mem);
    text_printf(&t, "{\"name\": \"%s\", \"file\": \"%s.c\", \"rom\": %zu, \"ram\": %zu, \"inputs\": %zu, \"outputs\": %zu", module_name(u),
                module_name(u), work_rom(u), u->arena, bytes_of(u->in.a, u->in.n), bytes_of(u->out.a, u->out.n));
    if (!u->o->acsl) {
        text_puts(&t, ",\n \"run\": {");
        put_work(&t, &w);
        text_puts(&t, ", \"loops\": [");
        for (int i = 0; i < u->roll.n; i++)
            text_printf(&t, "%s%d", i ? ", " : "", u->roll.a[i].count);
        text_puts(&t, "]}");
    }
    if (!u->o->acsl && x)
        text_printf(&t, ", \"frame\": %zu", w.arrays + FREE_FRAME);
    text_puts(&t, ",\n \"functions\": [");
    ok = put_functions(&t, u, x, out);
    text_puts(&t, "]}\n");
    st = text_status(&t, d);
    if (st == CALQUE_OK && !ok)
        st = diag_set(d, CALQUE_INTERNAL, "", 0, 0, "emit: a loop of the budget is not in the text");
    if (st == CALQUE_OK && !(out->budget = mem_text(u->mem, t.a, (size_t)t.n)))
        st = diag_nomem(d);
    if (st == CALQUE_OK && u->o->budget)
        return module_file(out, "budget", ".json", &t, d);
    text_free(&t);
    return st;
}
