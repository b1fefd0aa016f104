/* Types, sizes, index expressions and literals as text, for the printers of expressions (exp_print.c) and commands
   (comm_print.c). */
#include "dpia/show.h"

#include <ctype.h>

void show_type(const struct show *s, int type)
{
    const struct data *d = &s->p->data.a[type];

    if (d->kind == DATA_NUM) {
        text_puts(s->t, "num");
    } else if (d->kind == DATA_ARY) {
        bool atom = size_is_atom(s->p, d->n);
        text_puts(s->t, atom ? "" : "(");
        size_print(s->t, s->p, d->n, NULL);
        text_puts(s->t, atom ? "." : ").");
        show_type(s, d->a);
    } else {
        text_puts(s->t, "(");
        show_type(s, d->a);
        text_puts(s->t, " x ");
        show_type(s, d->b);
        text_puts(s->t, ")");
    }
}

static void put_ix(const struct show *s, int id, int depth)
{
    struct ix x = s->ix[id];
    static const char *const op[] = { "", "", " + ", " - ", " * ", " // ", " % " };

    if (depth > EXP_DEPTH_MAX) {
        text_puts(s->t, "...");
    } else if (x.kind == IX_VAR) {
        s->var(s, (int)x.k);
    } else if (x.kind == IX_CONST) {
        text_printf(s->t, "%ld", x.k);
    } else if (x.kind == IX_SIZE) {
        text_puts(s->t, size_is_atom(s->p, x.k) ? "" : "(");
        size_print(s->t, s->p, x.k, NULL);
        text_puts(s->t, size_is_atom(s->p, x.k) ? "" : ")");
    } else {
        text_puts(s->t, "(");
        put_ix(s, x.a, depth + 1);
        text_puts(s->t, op[x.kind]);
        if (x.kind == IX_ADD || x.kind == IX_SUB)
            put_ix(s, x.b, depth + 1);
        else
            text_printf(s->t, "%ld", x.k);
        text_puts(s->t, ")");
    }
}

void show_ix(const struct show *s, int id)
{
    put_ix(s, id, 0);
}

void show_conds(const struct show *s, int first, int len)
{
    static const char *const op[] = { "<", "<=", ">", ">=", "==", "!=" };

    for (int i = 0; i < len; i++) {
        const struct cond *k = &s->cond[first + i];
        text_puts(s->t, i ? " && " : "");
        put_ix(s, k->a, 0);
        text_printf(s->t, " %s ", op[k->op]);
        put_ix(s, k->b, 0);
    }
}

void show_lit(const struct show *s, double num, long inum)
{
    if (s->p->scalar == KERNEL_F32 || s->p->scalar == KERNEL_F64)
        text_hex(s->t, num);
    else
        text_printf(s->t, "%ld", inum);
}

bool show_infix(int fn)
{
    const struct fn_info *f = fn_info(fn);

    return f->args == 2 && !isalpha((unsigned char)f->text[0]);
}
