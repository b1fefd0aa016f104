/* Folds: a recursive logic function and a C function of one loop for each. */
#include "emit/contract_internal.h"
#include "emit/minic.h"

#include <stdio.h>

bool acsl_is_symbolic(const struct cells *c)
{
    return c->sizes && c->sizes->size_name.n > 0;
}

static void name(struct acsl_printer *q, int fold)
{
    acsl_part(q);
    text_printf(q->t, "_f%d", q->c->ac.a[fold].var - q->c->stmt.a[q->stmt].var0);
}

static void logic(struct acsl_printer *q, int id)
{
    struct acsl_printer own = *q;
    const char *type = acsl_type(kernel_own(q->c->type));
    bool any = false;
    char number[16];

    own.fold = id;
    own.mode = ACSL_LOGIC;
    text_printf(q->t, "    logic %s ", type);
    name(&own, id);
    text_puts(q->t, "(");
    acsl_sizes(&own, &any, "integer ");
    acsl_vectors(&own, &any, q->c->ac.a[id].b, ACSL_SEQUENCE);
    snprintf(number, sizeof number, "%s ", type);
    acsl_scope(&own, &any, id, "integer ", number);
    text_printf(q->t, "%s%s init, integer count) =\n        count <= 0 ? init : ", any ? ", " : "", type);
    own.step = true;
    acsl_ac(&own, q->c->ac.a[id].b, 0);
    text_puts(q->t, ";\n");
}

void acsl_fold_logic(struct acsl_printer *q, int id)
{
    struct ac x;

    if (id < 0)
        return;
    x = q->c->ac.a[id];
    acsl_fold_logic(q, x.a);
    acsl_fold_logic(q, x.b);
    if (x.kind == AC_FOLD)
        logic(q, id);
}

void acsl_valid(struct acsl_printer *q, int root)
{
    bool any = false;

    for (int t = 0; t < q->c->tensor.n; t++)
        if (acsl_loads(q->c, root, t)) {
            text_printf(q->t, "%s\\valid_read(%s + (0 .. ", any ? " && " : "    requires valid: ", q->c->tensor.a[t].name);
            acsl_ax(q, ax_two(q->c, AX_SUB, q->c->tensor.a[t].cells, ax_num(q->c, 1)), 0);
            text_puts(q->t, "))");
            any = true;
        }
    text_puts(q->t, any ? ";\n" : "");
}

/* The condition of guards[k] of the fold. */
static void put_guard(struct acsl_printer *q, int guard)
{
    const struct ac *x = &q->c->ac.a[guard / 2];

    text_puts(q->t, guard % 2 ? "!(" : "");
    acsl_conds(q, x->first, x->n);
    text_puts(q->t, guard % 2 ? ")" : "");
}

static void contract(struct acsl_printer *q, int id)
{
    const struct acsl_stmt *s = &q->c->stmt.a[q->stmt];
    struct ac x = q->c->ac.a[id];

    acsl_require_sizes(q);
    for (int v = s->var0; v < s->var1; v++)
        if (acsl_needs_var(q->c, id, v))
            acsl_require_var(q, v);
    for (int i = 0; i < x.n; i++) {
        text_puts(q->t, "    requires guard: ");
        put_guard(q, q->c->pool.a[x.first + i]);
        text_puts(q->t, ";\n");
    }
    acsl_valid(q, x.b);
    text_printf(q->t, "    terminates \\true; exits \\false;\n    assigns \\nothing;\n    ensures value: same_%s(\\result, ",
                acsl_suffix(kernel_own(q->c->type)));
    acsl_fold_term(q, id);
    acsl_ax(q, q->c->var.a[x.var].extent, 0);
    text_puts(q->t, "));\n*/\n");
}

void acsl_void(struct acsl_printer *q, int var)
{
    text_puts(q->t, "    (void)");
    acsl_ax(q, ax_var(q->c, var), 0);
    text_puts(q->t, ";\n");
}

/* Sizes may be in contracts only. */
void acsl_unused(struct acsl_printer *q)
{
    const struct prog *p = q->c->sizes;

    for (int i = 0; p && i < p->size_name.n; i++)
        text_printf(q->t, "    (void)%s;\n", strs_text(p->strs, p->size_name.a[i]));
}

static void head(struct acsl_printer *q, int id)
{
    const struct acsl_stmt *s = &q->c->stmt.a[q->stmt];
    const char *type = print_type(q->c->type);
    bool any = false;
    char number[16];

    snprintf(number, sizeof number, "%s ", type);
    text_printf(q->t, "static inline %s ", type);
    name(q, id);
    text_puts(q->t, "(");
    acsl_sizes(q, &any, "long ");
    acsl_vectors(q, &any, q->c->ac.a[id].b, ACSL_ARRAY);
    acsl_scope(q, &any, id, "long ", number);
    text_printf(q->t, "%s%s init)\n{\n", any ? ", " : "", type);
    acsl_unused(q);
    for (int v = s->var0; v < s->var1; v++) /* it may be in guards only */
        if (acsl_needs_var(q->c, id, v) && !acsl_uses_var(q->c, q->c->ac.a[id].b, v))
            acsl_void(q, v);
    text_printf(q->t, "    %s acc = init;\n\n", type);
}

/* One of the loops that are the fold's: before its select begins to hold, while it holds, after that; or the only one. */
enum { BEFORE, WHILE, AFTER, ONLY };

/* Is the body the accumulator as it is, by the branch chosen? */
static bool is_acc(const struct acsl_printer *q, int id, int body, int select)
{
    const struct ac *x = &q->c->ac.a[body];

    if (q->chosen == 0 || body != select)
        return false;
    x = &q->c->ac.a[q->chosen % 2 ? x->a : x->b];
    return x->kind == AC_ACC && x->var == q->c->ac.a[id].var;
}

static void one_loop(struct acsl_printer *q, int id, int select, int which, bool high, bool first)
{
    struct ac x = q->c->ac.a[id];
    int extent = q->c->var.a[x.var].extent, v = x.var - q->c->stmt.a[q->stmt].var0;
    bool outside = which != ONLY || acsl_is_symbolic(q->c);

    text_printf(q->t, "    /*@ loop invariant bounds: 0 <= r%d <= ", v);
    acsl_ax(q, extent, 1);
    if (!first) {
        text_printf(q->t, ";\n        loop invariant range: r%d < ", v);
        acsl_ax(q, extent, 1);
        text_puts(q->t, which == WHILE ? " ==> (" : " ==> !(");
        acsl_fold_conds(q, id, select, which == WHILE);
        text_puts(q->t, ")");
    }
    text_printf(q->t, ";\n        loop invariant value: same_%s(acc, ", acsl_suffix(kernel_own(q->c->type)));
    acsl_fold_term(q, id);
    text_printf(q->t, "r%d));\n        loop assigns r%d, acc;\n        loop variant ", v, v);
    acsl_ax(q, extent, 1);
    text_printf(q->t, " - r%d; */\n    for (", v);
    if (first)
        text_printf(q->t, "%sr%d = 0", outside ? "" : "long ", v);
    text_printf(q->t, "; r%d < ", v);
    acsl_ax(q, extent, 1);
    q->mode = ACSL_CODE;
    if (which == BEFORE || (which == WHILE && high)) {
        text_puts(q->t, which == BEFORE ? " && !(" : " && ");
        acsl_fold_conds(q, id, select, which == BEFORE);
        text_puts(q->t, which == BEFORE ? ")" : "");
    }
    text_printf(q->t, "; r%d++) {\n", v);
    q->chosen = which == ONLY ? 0 : 2 * select + (which == WHILE ? 1 : 2);
    if (!is_acc(q, id, x.b, select)) {
        text_puts(q->t, "        acc = ");
        acsl_ac(q, x.b, 0);
        text_puts(q->t, ";\n");
    }
    q->chosen = 0;
    q->mode = ACSL_HERE;
    text_puts(q->t, "    }\n");
}

static void loop(struct acsl_printer *q, int id)
{
    struct ac x = q->c->ac.a[id];
    int v = x.var - q->c->stmt.a[q->stmt].var0;
    bool low, high;
    int select = acsl_fold_select(q->c, id, &low, &high);

    if (select >= 0 || acsl_is_symbolic(q->c))
        text_printf(q->t, "    long r%d;\n", v);
    if (select < 0) {
        one_loop(q, id, -1, ONLY, false, true);
    } else {
        if (low)
            one_loop(q, id, select, BEFORE, high, true);
        one_loop(q, id, select, WHILE, high, !low);
        if (high)
            one_loop(q, id, select, AFTER, high, false);
    }
    if (acsl_is_symbolic(q->c)) {
        text_printf(q->t, "    /*@ assert end: r%d == ", v);
        acsl_ax(q, q->c->var.a[x.var].extent, 1);
        text_puts(q->t, "; */\n");
    }
}

void acsl_fold_code(struct acsl_printer *q, int id)
{
    struct acsl_printer own = *q;
    struct ac x;

    if (id < 0)
        return;
    x = q->c->ac.a[id];
    acsl_fold_code(q, x.a);
    acsl_fold_code(q, x.b);
    if (x.kind != AC_FOLD)
        return;
    own.fold = id;
    own.mode = ACSL_HERE;
    contract(&own, id);
    own.mode = ACSL_CODE;
    head(&own, id);
    own.mode = ACSL_HERE;
    loop(&own, id);
    text_puts(q->t, "    return acc;\n}\n\n");
}
