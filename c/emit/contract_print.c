/* The function of a kernel: its statements one after the other, and what they have made together. */
#include "emit/contract_internal.h"
#include "emit/minic.h"

#include <string.h>

static bool written(const struct cells *c, int tensor, int stmts)
{
    for (int s = 0; s < stmts; s++)
        if (c->stmt.a[s].out == tensor)
            return true;
    return false;
}

static bool used(const struct cells *c, int tensor)
{
    bool r = written(c, tensor, c->stmt.n);

    for (int s = 0; s < c->stmt.n && !r; s++)
        r = acsl_loads(c, c->stmt.a[s].body, tensor);
    return r;
}

void acsl_prototype(struct text *t, struct cells *c, const char *name)
{
    struct acsl_printer q = { .t = t, .c = c, .mode = ACSL_CODE, .fold = -1 };
    bool any = false;

    text_printf(t, "void %s(", name);
    acsl_sizes(&q, &any, "long ");
    for (int i = 0; i < c->tensor.n; i++)
        if (used(c, i)) {
            acsl_comma(&q, &any);
            text_printf(t, "%s%s *restrict %s", written(c, i, c->stmt.n) ? "" : "const ", print_elem(c->tensor.a[i].elem),
                        c->tensor.a[i].name);
        }
    text_puts(t, ")");
}

/* name + (0 .. cells - 1) */
static void put_range(struct acsl_printer *q, int tensor)
{
    text_printf(q->t, "%s + (0 .. ", q->c->tensor.a[tensor].name);
    acsl_ax(q, ax_two(q->c, AX_SUB, q->c->tensor.a[tensor].cells, ax_num(q->c, 1)), 0);
    text_puts(q->t, ")");
}

static void memory(struct acsl_printer *q)
{
    struct cells *c = q->c;
    bool any = false;

    for (int i = 0; i < c->tensor.n; i++) {
        if (!used(c, i))
            continue;
        text_printf(q->t, "    requires valid: \\valid%s(", written(c, i, c->stmt.n) ? "" : "_read");
        put_range(q, i);
        text_puts(q->t, ");\n");
        for (int k = 0; k < i; k++)
            if (used(c, k) && (written(c, i, c->stmt.n) || written(c, k, c->stmt.n))) {
                text_puts(q->t, "    requires separated: \\separated(");
                put_range(q, k);
                text_puts(q->t, ", ");
                put_range(q, i);
                text_puts(q->t, ");\n");
            }
    }
    text_puts(q->t, "    terminates \\true; exits \\false;\n    assigns ");
    for (int i = 0; i < c->tensor.n; i++)
        if (written(c, i, c->stmt.n)) {
            acsl_comma(q, &any);
            text_printf(q->t, "%s[0 .. ", c->tensor.a[i].name);
            acsl_ax(q, ax_two(c, AX_SUB, c->tensor.a[i].cells, ax_num(c, 1)), 0);
            text_puts(q->t, "]");
        }
    text_puts(q->t, ";\n");
}

/* Statement s reads what earlier ones have made, and of the rest what was there before. */
static void put_value(struct acsl_printer *q, int s)
{
    for (int i = 0; i < q->c->tensor.n; i++)
        q->pre[i] = !written(q->c, i, s);
    q->stmt = s;
    acsl_nest_value(q);
    text_puts(q->t, ";");
}

/* After the call of statement s: nothing else has changed, so the equations of the earlier ones still hold. */
static void kept(struct acsl_printer *q, int s)
{
    struct cells *c = q->c;
    unsigned *pre = q->pre;

    for (int i = 0; i < c->tensor.n; i++) {
        bool made = written(c, i, s);
        if (!used(c, i) || written(c, i, s + 1) != made)
            continue;
        q->pre = NULL;
        text_puts(q->t, "    /*@ assert unchanged: ");
        acsl_vector(q, i, ACSL_HERE);
        if (made)
            text_puts(q->t, " == \\at(");
        else
            text_puts(q->t, " == ");
        acsl_vector(q, i, made ? ACSL_HERE : ACSL_PRE);
        if (made)
            text_printf(q->t, ", S%d)", s - 1);
        text_puts(q->t, "; */\n");
        q->pre = pre;
    }
    for (int i = 0; i <= s; i++) {
        text_puts(q->t, "    /*@ assert value: ");
        put_value(q, i);
        text_puts(q->t, " */\n");
    }
}

static void sequence(struct acsl_printer *q)
{
    struct cells *c = q->c;

    q->mode = ACSL_HERE;
    q->stmt = 0;
    acsl_require_sizes(q);
    memory(q);
    for (int s = 0; s < c->stmt.n; s++) {
        text_puts(q->t, "    ensures value: ");
        put_value(q, s);
        text_puts(q->t, "\n");
    }
    text_puts(q->t, "*/\n");
    acsl_prototype(q->t, c, "$");
    text_puts(q->t, "\n{\n");
    for (int s = 0; s < c->stmt.n; s++) {
        q->stmt = s;
        text_puts(q->t, "    ");
        acsl_nest_call(q);
        kept(q, s);
        if (s + 1 < c->stmt.n)
            text_printf(q->t, "    /*@ ghost S%d: ; */\n", s);
    }
    text_puts(q->t, "}\n");
}

enum { SIZES_MAX = 256 };

/* Everything that is multiplied out: sizes and their products. */
static void add_size(struct cells *c, int *size, int *n, int x)
{
    for (int i = 0; i < *n; i++)
        if (ax_same(c, size[i], x))
            return;
    if (!ax_symbolic(c, x))
        return;
    if (*n == SIZES_MAX)
        cells_fail(c, CALQUE_LIMIT, NULL);
    else
        size[(*n)++] = x;
}

static void tensor_sizes(struct cells *c, const struct acsl_tensor *t, int *size, int *n)
{
    for (int from = 0; from < t->rank; from++) {
        int x = ax_num(c, 1);
        for (int i = from; i < t->rank; i++) {
            x = ax_two(c, AX_MUL, x, t->dim[i]);
            add_size(c, size, n, x);
        }
    }
}

static void put_sizes(struct acsl_printer *q)
{
    struct cells *c = q->c;
    const struct prog *p = c->sizes;
    int size[SIZES_MAX], n = 0;

    for (int i = 0; i < p->size_name.n; i++) {
        text_puts(q->t, i ? ", " : "    predicate $_sizes(");
        text_printf(q->t, "integer %s", strs_text(p->strs, p->size_name.a[i]));
    }
    text_puts(q->t, ") =\n        ");
    for (int i = 0; i < p->size_name.n; i++)
        text_printf(q->t, "%s0 <= %s <= 0x7fffffff", i ? " && " : "", strs_text(p->strs, p->size_name.a[i]));
    for (int i = 0; i < c->tensor.n; i++)
        tensor_sizes(c, &c->tensor.a[i], size, &n);
    for (int i = 0; i < c->var.n; i++)
        add_size(c, size, &n, c->var.a[i].extent);
    for (int i = 0; i < c->ax.n; i++)
        if (c->ax.a[i].kind == AX_JOIN) {
            add_size(c, size, &n, c->ax.a[i].n);
            add_size(c, size, &n, c->ax.a[i].m);
        }
    for (int i = 0; i < n; i++) {
        text_puts(q->t, " &&\n        0 <= ");
        acsl_ax(q, size[i], 1);
        text_puts(q->t, " <= 0x7fffffff");
    }
    text_puts(q->t, ";\n");
}

static void note_types(struct acsl_used *u, const struct cells *c)
{
    u->types |= 1u << kernel_own(c->type);
    for (int i = 0; i < c->tensor.n; i++)
        if (used(c, i)) {
            int elem = c->tensor.a[i].elem == ELEM_BOOL ? ELEM_U8 : c->tensor.a[i].elem;
            u->types |= 1u << elem;
            u->sequences |= 1u << elem;
        }
}

enum calque_status acsl_print(struct acsl_text *out, struct cells *c, bool pragmas, struct diag *d)
{
    struct acsl_printer q = { .t = &out->t, .out = out, .c = c, .fold = -1 };

    note_types(&out->used, c);
    text_puts(q.t, "/*@\n");
    if (acsl_is_symbolic(c))
        put_sizes(&q);
    for (q.stmt = 0; q.stmt < c->stmt.n; q.stmt++)
        acsl_nest_logic(&q);
    text_puts(q.t, "*/\n\n");
    for (q.stmt = 0; q.stmt < c->stmt.n; q.stmt++)
        acsl_nest_code(&q, c->stmt.n == 1, pragmas);
    if (c->stmt.n > 1) {
        q.pre = mem_zero(c->mem, (size_t)c->tensor.n, sizeof *q.pre);
        if (q.pre)
            sequence(&q);
        else
            cells_fail(c, CALQUE_NOMEM, NULL);
        mem_free(q.pre);
    }
    if (c->status != CALQUE_OK)
        return cells_status(c, d);
    return text_status(&out->t, d);
}

bool acsl_is_param(const struct cells *c, int tensor)
{
    return used(c, tensor);
}
