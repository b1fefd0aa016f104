/* Canonical text: one statement a line, no redundant parentheses, floats hexadecimal. */
#include "kernel/kernel.h"

#include <limits.h>
#include <math.h>

static const char *const fn_text[FN_COUNT] = {
#define FN(name, text, arguments, c, meaning) text,
#include "kernel/fn.def"
#undef FN
};

struct printer {
    struct text *t;
    const struct kernel *k;
    const struct kernel_stmt *s;
};

static const char *var_name(const struct printer *p, long v)
{
    return strs_text(p->k->strs, p->k->var.a[p->s->var + v].name);
}

static int ix_level(struct ix x)
{
    return x.kind == IX_ADD || x.kind == IX_SUB ? 1 : x.kind == IX_VAR || x.kind == IX_CONST ? 3 : 2;
}

/* level: 1 where a sum may stand, 2 a product, 3 an atom. */
static void print_ix(struct printer *p, int id, int level)
{
    struct ix x = p->k->ix.a[id];
    bool paren = ix_level(x) < level;

    if (paren)
        text_puts(p->t, "(");
    switch (x.kind) {
    case IX_VAR:
        text_puts(p->t, var_name(p, x.k));
        break;
    case IX_CONST:
        text_printf(p->t, "%ld", x.k);
        break;
    case IX_ADD:
    case IX_SUB:
        print_ix(p, x.a, 1);
        text_puts(p->t, x.kind == IX_ADD ? "+" : "-");
        print_ix(p, x.b, 2);
        break;
    default:
        print_ix(p, x.a, 2);
        text_printf(p->t, "%s%ld", x.kind == IX_MUL ? "*" : x.kind == IX_DIV ? "//" : "%", x.k);
        break;
    }
    if (paren)
        text_puts(p->t, ")");
}

static void print_tensor(struct printer *p, int id)
{
    const struct kernel_tensor *t = &p->k->tensor.a[id];

    text_puts(p->t, strs_text(p->k->strs, t->name));
    for (int i = 0; i < t->rank; i++)
        text_printf(p->t, "%s%ld", i == 0 ? "<" : ",", t->dim[i]);
    if (t->elem != ELEM_OWN)
        text_printf(p->t, ":%s", elem_name(t->elem));
    text_puts(p->t, ">");
}

static void print_const(struct printer *p, const struct ex *e)
{
    if (p->k->type == KERNEL_F32 || p->k->type == KERNEL_F64)
        text_hex(p->t, e->num);
    else if (e->inum == LONG_MIN)
        text_puts(p->t, "-inf"); /* its digits are no literal */
    else if (p->k->type == KERNEL_I32 && e->inum == INT32_MIN)
        text_puts(p->t, "-inf");
    else
        text_printf(p->t, "%ld", e->inum);
}

static bool is_minus(const struct printer *p, const struct ex *e)
{
    if (p->k->type == KERNEL_F32 || p->k->type == KERNEL_F64)
        return !isnan(e->num) && signbit(e->num);
    return e->inum < 0;
}

/* 1 sum, 2 product, 3 minus, 4 atom. */
static int ex_level(const struct printer *p, const struct ex *e)
{
    if (e->kind == EX_CONST)
        return is_minus(p, e) ? 3 : 4;
    if (e->kind != EX_CALL)
        return 4;
    if (e->op == FN_ADD || e->op == FN_SUB)
        return 1;
    return e->op == FN_NEG ? 3 : e->op == FN_MUL || e->op == FN_DIV || e->op == FN_MOD ? 2 : 4;
}

static void print_ex(struct printer *p, int id, int level);

static void print_call(struct printer *p, const struct ex *e)
{
    bool integer = p->k->type == KERNEL_I32 || p->k->type == KERNEL_I64;
    int own = ex_level(p, e);

    if (e->op == FN_NEG) {
        /* in parentheses a literal stays an operand, and -(-x) has no -- */
        int a = p->k->ex.a[e->a].kind == EX_CONST ? 5 : 4;
        text_puts(p->t, "-");
        print_ex(p, e->a, a);
    } else if (own < 4) {
        print_ex(p, e->a, own);
        text_printf(p->t, " %s ", integer && e->op == FN_DIV ? "//" : fn_text[e->op]);
        print_ex(p, e->b, own + 1);
    } else {
        text_printf(p->t, "%s(", fn_text[e->op]);
        print_ex(p, e->a, 1);
        if (e->b >= 0) {
            text_puts(p->t, ", ");
            print_ex(p, e->b, 1);
        }
        text_puts(p->t, ")");
    }
}

static void print_select(struct printer *p, const struct ex *e)
{
    static const char *const op[] = {"<", "<=", ">", ">=", "==", "!="};

    text_puts(p->t, "select(");
    for (int i = 0; i < e->n; i++) {
        struct cond c = p->k->cond.a[e->first + i];
        if (i > 0)
            text_puts(p->t, " && ");
        print_ix(p, c.a, 1);
        text_printf(p->t, " %s ", op[c.op]);
        print_ix(p, c.b, 1);
    }
    text_puts(p->t, ", ");
    print_ex(p, e->a, 1);
    text_puts(p->t, ", ");
    print_ex(p, e->b, 1);
    text_puts(p->t, ")");
}

/* A load whose index number axis is that of a look-up; -1: none is. */
static void print_load(struct printer *p, const struct ex *e, int axis)
{
    print_tensor(p, e->op);
    for (int i = 0; i < e->n; i++) {
        text_puts(p->t, i == 0 ? "[" : ",");
        if (i != axis) {
            print_ix(p, p->k->pool.a[e->first + i], 1);
            continue;
        }
        text_puts(p->t, "at(");
        print_load(p, &p->k->ex.a[p->s->at], -1);
        text_puts(p->t, ")");
    }
    if (e->n > 0)
        text_puts(p->t, "]");
}

/* Recursion is bounded by KERNEL_DEPTH_MAX (kernel_check). */
static void print_ex(struct printer *p, int id, int level)
{
    const struct ex *e = &p->k->ex.a[id];
    bool paren = ex_level(p, e) < level;

    if (paren)
        text_puts(p->t, "(");
    switch (e->kind) {
    case EX_CONST:
        print_const(p, e);
        break;
    case EX_LOAD:
        print_load(p, e, -1);
        break;
    case EX_CALL:
        print_call(p, e);
        break;
    case EX_SELECT:
        print_select(p, e);
        break;
    default:
        text_puts(p->t, e->op == RED_SUM ? "sum" : "amax");
        for (int i = 0; i < e->n; i++) {
            int v = p->k->pool.a[e->first + i];
            text_printf(p->t, "%s%s<%ld", i == 0 ? "(" : ",", var_name(p, v), p->k->var.a[p->s->var + v].extent);
        }
        text_puts(p->t, ") ");
        print_ex(p, e->a, 4);
        break;
    }
    if (paren)
        text_puts(p->t, ")");
}

void kernel_print(struct text *t, const struct kernel *k)
{
    for (int i = 0; i < k->stmt.n; i++) {
        const struct kernel_stmt *s = &k->stmt.a[i];
        struct printer p = {t, k, s};
        print_tensor(&p, s->out);
        for (int j = 0; j < k->tensor.a[s->out].rank && *var_name(&p, 0); j++)
            text_printf(t, "%s%s", j == 0 ? "[" : ",", var_name(&p, j));
        text_puts(t, *var_name(&p, 0) ? "] = " : " = ");
        if (s->look > 0)
            print_load(&p, &k->ex.a[s->body], s->look - 1);
        else
            print_ex(&p, s->body, 1);
        text_puts(t, ";\n");
    }
}
