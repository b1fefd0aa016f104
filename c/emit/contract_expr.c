/* Expressions of cells as C and as terms of ACSL: one walk for both. */
#include "emit/contract_internal.h"
#include "emit/minic.h"

#include <limits.h>
#include <math.h>

const char *acsl_suffix(int elem)
{
    return elem_name(elem == ELEM_BOOL ? ELEM_U8 : elem);
}

const char *acsl_type(int elem)
{
    return elem == ELEM_I32 ? "int" : elem == ELEM_I64 ? "long" : print_elem(elem);
}

int acsl_result(const struct acsl_printer *q)
{
    return q->c->tensor.a[q->c->stmt.a[q->stmt].out].elem;
}

static int own(const struct acsl_printer *q)
{
    return kernel_own(q->c->type);
}

void acsl_comma(struct acsl_printer *q, bool *any)
{
    text_puts(q->t, *any ? ", " : "");
    *any = true;
}

void acsl_part(struct acsl_printer *q)
{
    text_puts(q->t, "$");
    if (q->c->stmt.n > 1)
        text_printf(q->t, "_s%d", q->stmt);
}

static bool is_output(const struct acsl_printer *q, long var)
{
    const struct acsl_stmt *s = &q->c->stmt.a[q->stmt];

    for (int i = 0; i < s->nvar; i++)
        if (s->var[i] == var)
            return true;
    return false;
}

static void put_var(struct acsl_printer *q, long var, int prec)
{
    if (q->step && var == q->c->ac.a[q->fold].var)
        text_puts(q->t, prec > 0 ? "(count - 1)" : "count - 1");
    else
        text_printf(q->t, "%c%ld", is_output(q, var) ? 'i' : 'r', var - q->c->stmt.a[q->stmt].var0);
}

static void put_infix(struct acsl_printer *q, const struct ax *x, int prec)
{
    static const struct {
        const char *op;
        int prec, right;
    } form[] = {
        [AX_ADD] = { " + ", 1, 1 }, [AX_SUB] = { " - ", 1, 2 }, [AX_MUL] = { " * ", 2, 3 }, [AX_DIV] = { " / ", 2, 3 },
        [AX_MOD] = { " % ", 2, 3 },
    };

    text_puts(q->t, form[x->kind].prec < prec ? "(" : "");
    acsl_ax(q, x->a, form[x->kind].prec);
    text_puts(q->t, form[x->kind].op);
    acsl_ax(q, x->b, form[x->kind].right);
    text_puts(q->t, form[x->kind].prec < prec ? ")" : "");
}

/* Not linear: a function of its own, whose contract has what follows. */
static void put_at(struct acsl_printer *q, const struct ax *x)
{
    const int arg[] = { x->a, x->b, x->n, x->m };

    text_puts(q->t, "calque_at(");
    for (int i = 0; i < 4; i++) {
        text_puts(q->t, i ? ", " : "");
        acsl_ax(q, arg[i], 0);
    }
    text_puts(q->t, ")");
}

/* Contracts are given for names only that need no change. */
static void put_size_name(struct text *t, const struct prog *p, int size)
{
    text_puts(t, strs_text(p->strs, p->size_name.a[size]));
}

void acsl_ax(struct acsl_printer *q, int id, int prec)
{
    struct ax x;

    if (id < 0) /* memory is out, as c->status says */
        return;
    x = q->c->ax.a[id];
    switch (x.kind) {
    case AX_NUM:
        text_printf(q->t, x.k < 0 && prec > 0 ? "(%ld)" : "%ld", x.k);
        break;
    case AX_SIZE: {
        bool bracket = prec > 1 && !size_is_atom(q->c->sizes, x.k);
        text_puts(q->t, bracket ? "(" : "");
        size_print(q->t, q->c->sizes, x.k, put_size_name);
        text_puts(q->t, bracket ? ")" : "");
        break;
    }
    case AX_VAR:
        put_var(q, x.k, prec);
        break;
    case AX_JOIN:
        if (q->mode == ACSL_CODE && !q->ghost && ax_symbolic(q->c, x.m)) {
            put_at(q, &x);
            break;
        }
        text_puts(q->t, prec > 1 ? "(" : "");
        acsl_ax(q, x.a, 2);
        text_puts(q->t, " * ");
        acsl_ax(q, x.m, 3);
        text_puts(q->t, " + ");
        acsl_ax(q, x.b, 1);
        text_puts(q->t, prec > 1 ? ")" : "");
        break;
    case AX_FDIV: case AX_FMOD:
        q->out->used.floor_index = true;
        text_printf(q->t, "%sfloor_%s(", q->mode == ACSL_CODE ? "calque_" : "", x.kind == AX_FDIV ? "div" : "mod");
        acsl_ax(q, x.a, 0);
        text_puts(q->t, ", ");
        acsl_ax(q, x.b, 0);
        text_puts(q->t, ")");
        break;
    default:
        put_infix(q, &x, prec);
    }
}

void acsl_conds(struct acsl_printer *q, int first, int n)
{
    static const char *const op[] = { "<", "<=", ">", ">=", "==", "!=" };

    for (int i = 0; i < n; i++) {
        struct cond k = q->c->cond.a[first + i];
        text_puts(q->t, i ? " && " : "");
        acsl_ax(q, k.a, 1);
        text_printf(q->t, " %s ", op[k.op]);
        acsl_ax(q, k.b, 1);
    }
}

bool acsl_loads(const struct cells *c, int id, int tensor)
{
    const struct ac *x;

    if (id < 0)
        return false;
    x = &c->ac.a[id];
    if (x->kind == AC_LOAD)
        return x->op == tensor;
    return acsl_loads(c, x->a, tensor) || acsl_loads(c, x->b, tensor);
}

static bool conds_use(const struct cells *c, const struct ac *x, int var)
{
    for (int i = 0; i < x->n; i++)
        if (ax_uses(c, c->cond.a[x->first + i].a, var) || ax_uses(c, c->cond.a[x->first + i].b, var))
            return true;
    return false;
}

bool acsl_uses_var(const struct cells *c, int id, int var)
{
    const struct ac *x;

    if (id < 0)
        return false;
    x = &c->ac.a[id];
    if (x->kind == AC_LOAD)
        return ax_uses(c, x->var, var);
    if (x->kind == AC_SELECT && conds_use(c, x, var))
        return true;
    return acsl_uses_var(c, x->a, var) || acsl_uses_var(c, x->b, var);
}

static bool uses_acc(const struct cells *c, int id, int var)
{
    const struct ac *x;

    if (id < 0)
        return false;
    x = &c->ac.a[id];
    if (x->kind == AC_ACC)
        return x->var == var;
    return uses_acc(c, x->a, var) || uses_acc(c, x->b, var);
}

/* Is var bound by a fold inside the body? */
static bool binds(const struct cells *c, int id, int var)
{
    const struct ac *x;

    if (id < 0)
        return false;
    x = &c->ac.a[id];
    return (x->kind == AC_FOLD && x->var == var) || binds(c, x->a, var) || binds(c, x->b, var);
}

/* Variables of the body and of the conditions it stands under. */
bool acsl_needs_var(const struct cells *c, int fold, int var)
{
    const struct ac *x = &c->ac.a[fold];

    if (var == x->var || binds(c, x->b, var))
        return false;
    for (int i = 0; i < x->n; i++)
        if (conds_use(c, &c->ac.a[c->pool.a[x->first + i] / 2], var))
            return true;
    return acsl_uses_var(c, x->b, var);
}

static bool needs_acc(const struct cells *c, int fold, int var)
{
    int body = c->ac.a[fold].b;

    return var != c->ac.a[fold].var && !binds(c, body, var) && uses_acc(c, body, var);
}

void acsl_scope(struct acsl_printer *q, bool *any, int fold, const char *index, const char *number)
{
    const struct acsl_stmt *s = &q->c->stmt.a[q->stmt];

    for (int v = s->var0; v < s->var1; v++)
        if (acsl_needs_var(q->c, fold, v)) {
            acsl_comma(q, any);
            text_puts(q->t, index ? index : "");
            put_var(q, v, 0);
        }
    for (int v = s->var0; v < s->var1; v++)
        if (needs_acc(q->c, fold, v)) {
            acsl_comma(q, any);
            if (number)
                text_printf(q->t, "%sx%d", number, v - s->var0);
            else
                acsl_ac(q, cells_ac(q->c, (struct ac){ .kind = AC_ACC, .a = -1, .b = -1, .var = v }), 0);
        }
}

void acsl_sizes(struct acsl_printer *q, bool *any, const char *type)
{
    const struct prog *p = q->c->sizes;

    for (int i = 0; p && i < p->size_name.n; i++) {
        acsl_comma(q, any);
        text_printf(q->t, "%s%s", type, strs_text(p->strs, p->size_name.a[i]));
    }
}

void acsl_vector(struct acsl_printer *q, int t, int mode)
{
    const struct acsl_tensor *x = &q->c->tensor.a[t];
    bool pre = mode == ACSL_PRE || (q->pre && q->pre[t]);

    if (mode == ACSL_CODE || mode == ACSL_LOGIC) {
        text_puts(q->t, x->name);
        return;
    }
    text_printf(q->t, "vec_%s%s((%s *)%s, ", acsl_suffix(x->elem), pre ? "{Pre}" : "", acsl_type(x->elem), x->name);
    acsl_ax(q, x->cells, 0);
    text_puts(q->t, ")");
}

void acsl_vectors(struct acsl_printer *q, bool *any, int root, int form)
{
    for (int t = 0; t < q->c->tensor.n; t++)
        if (acsl_loads(q->c, root, t)) {
            int elem = q->c->tensor.a[t].elem;
            acsl_comma(q, any);
            if (form == ACSL_SEQUENCE)
                text_printf(q->t, "seq_%s ", acsl_suffix(elem));
            else if (form == ACSL_ARRAY)
                text_printf(q->t, "const %s *", print_elem(elem));
            acsl_vector(q, t, q->mode);
        }
}

/* The fold's function up to its last arguments: the start value, and in logic the number of steps. */
static void put_fold(struct acsl_printer *q, int fold)
{
    bool any = false;

    acsl_part(q);
    text_printf(q->t, "_f%d(", q->c->ac.a[fold].var - q->c->stmt.a[q->stmt].var0);
    acsl_sizes(q, &any, "");
    acsl_vectors(q, &any, q->c->ac.a[fold].b, ACSL_ARGUMENT);
    acsl_scope(q, &any, fold, NULL, NULL);
    acsl_comma(q, &any);
}

void acsl_fold_term(struct acsl_printer *q, int fold)
{
    put_fold(q, fold);
    text_puts(q->t, "init, ");
}

static void put_acc(struct acsl_printer *q, int var)
{
    bool own = q->fold >= 0 && q->c->ac.a[q->fold].var == var;

    if (own && q->mode == ACSL_CODE) {
        text_puts(q->t, "acc");
    } else if (own && q->step) {
        q->step = false; /* its own arguments have no count */
        acsl_fold_term(q, q->fold);
        q->step = true;
        text_puts(q->t, "count - 1)");
    } else {
        text_printf(q->t, "x%d", var - q->c->stmt.a[q->stmt].var0);
    }
}

static void put_real(struct acsl_printer *q, double x)
{
    bool f32 = q->c->type == KERNEL_F32, code = q->mode == ACSL_CODE;
    const char *sfx = acsl_suffix(own(q));

    x = f32 ? (double)(float)x : x;
    if (!isfinite(x) || (x == 0 && signbit(x))) {
        const char *name = isnan(x) ? "nan" : isinf(x) ? (x < 0 ? "minus_inf" : "inf") : "minus_zero";
        q->out->used.special |= 1u << q->c->type;
        text_printf(q->t, code ? "calque_%s_%s()" : "%s_%s", name, sfx);
        return;
    }
    text_puts(q->t, code ? "" : f32 ? "(float)(" : "(double)(");
    if (x == floor(x) && fabs(x) < 1e6)
        text_printf(q->t, "%.1f", x);
    else
        text_printf(q->t, "%a", x);
    text_puts(q->t, code ? (f32 ? "f" : "") : ")");
}

static void put_integer(struct acsl_printer *q, long x)
{
    bool i32 = q->c->type == KERNEL_I32;

    if (q->mode != ACSL_CODE)
        text_printf(q->t, "(%s)(%ld)", i32 ? "int" : "long", x);
    else if (x == (i32 ? (long)INT_MIN : LONG_MIN))
        text_puts(q->t, i32 ? "INT32_MIN" : "INT64_MIN");
    else
        text_printf(q->t, i32 ? "%ld" : "INT64_C(%ld)", x);
}

static void put_lit(struct acsl_printer *q, const struct ac *x, int prec)
{
    bool real = q->c->type == KERNEL_F32 || q->c->type == KERNEL_F64;
    bool bracket = q->mode == ACSL_CODE && prec > 1 && (real ? x->num < 0 : x->inum < 0);

    text_puts(q->t, bracket ? "(" : "");
    if (real)
        put_real(q, x->num);
    else
        put_integer(q, x->inum);
    text_puts(q->t, bracket ? ")" : "");
}

static void put_call(struct acsl_printer *q, const struct ac *x, int prec)
{
    static const char *const name[] = {
#define FN(id, text, arguments, c, meaning) [FN_##id] = #id,
#include "kernel/fn.def"
#undef FN
    };
    bool real = q->c->type == KERNEL_F32 || q->c->type == KERNEL_F64;
    int level = x->op == FN_ADD || x->op == FN_SUB ? 1 : x->op == FN_NEG ? 3 : 2;

    q->out->used.ops[q->c->type] |= 1u << x->op;
    if (q->mode == ACSL_CODE && real && (x->op <= FN_DIV || x->op == FN_NEG)) {
        text_puts(q->t, level < prec ? "(" : "");
        if (x->op == FN_NEG) {
            text_puts(q->t, "-");
            acsl_ac(q, x->a, 4);
        } else {
            acsl_ac(q, x->a, level);
            text_printf(q->t, " %s ", fn_info(x->op)->text);
            acsl_ac(q, x->b, level + 1);
        }
        text_puts(q->t, level < prec ? ")" : "");
        return;
    }
    text_puts(q->t, q->mode == ACSL_CODE ? "calque_" : "");
    for (const char *s = name[x->op]; *s; s++)
        text_printf(q->t, "%c", *s - 'A' + 'a');
    text_printf(q->t, "_%s(", acsl_suffix(own(q)));
    acsl_ac(q, x->a, 0);
    if (x->b >= 0) {
        text_puts(q->t, ", ");
        acsl_ac(q, x->b, 0);
    }
    text_puts(q->t, ")");
}

void acsl_ac(struct acsl_printer *q, int id, int prec)
{
    struct ac x;
    const struct acsl_tensor *t;

    if (id < 0)
        return;
    x = q->c->ac.a[id];
    switch (x.kind) {
    case AC_LIT:
        put_lit(q, &x, prec);
        break;
    case AC_LOAD:
        t = &q->c->tensor.a[x.op];
        if (q->mode == ACSL_CODE)
            text_printf(q->t, "%s[", t->name);
        else
            text_printf(q->t, "at_%s(%s, ", acsl_suffix(t->elem), t->name);
        acsl_ax(q, x.var, 0);
        text_puts(q->t, q->mode == ACSL_CODE ? "]" : ")");
        break;
    case AC_CONV:
        q->out->used.conversions[x.op] |= 1u << x.var;
        text_printf(q->t, "%sfrom_%s_%s(", q->mode == ACSL_CODE ? "calque_" : "", elem_name(x.op), elem_name(x.var));
        acsl_ac(q, x.a, 0);
        text_puts(q->t, ")");
        break;
    case AC_ACC:
        put_acc(q, x.var);
        break;
    case AC_FOLD:
        put_fold(q, id);
        acsl_ac(q, x.a, 0);
        if (q->mode != ACSL_CODE) {
            text_puts(q->t, ", ");
            acsl_ax(q, q->c->var.a[x.var].extent, 0);
        }
        text_puts(q->t, ")");
        break;
    case AC_SELECT:
        if (q->mode == ACSL_CODE && q->chosen > 0 && (q->chosen - 1) / 2 == id) {
            acsl_ac(q, q->chosen % 2 ? x.a : x.b, prec);
            break;
        }
        if (q->mode == ACSL_CODE && q->fold < 0 && acsl_known(q, &x) >= 0) {
            acsl_ac(q, acsl_known(q, &x) == 1 ? x.a : x.b, prec);
            break;
        }
        q->out->used.guards = q->out->used.guards || q->mode == ACSL_CODE;
        text_puts(q->t, "(");
        acsl_conds(q, x.first, x.n);
        text_puts(q->t, " ? ");
        acsl_ac(q, x.a, 0);
        text_puts(q->t, " : ");
        acsl_ac(q, x.b, 0);
        text_puts(q->t, ")");
        break;
    default:
        put_call(q, &x, prec);
    }
}
