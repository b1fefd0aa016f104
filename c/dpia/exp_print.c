/* Functional expressions as ML-like text, for people and golden tests. */
#include "dpia/exp.h"
#include <ctype.h>

/* Variables print as hint and number, so that names are unique; parameters by their name alone. */
static void put_var(const struct show *q, int var)
{
    const struct prog *p = q->p;
    int hint = p->var.a[var].hint;

    for (int i = 0; i < p->param.n; i++)
        if (p->param.a[i].var == var) {
            text_puts(q->t, strs_text(p->strs, p->param.a[i].name));
            return;
        }
    if (hint >= 0 && strs_text(p->strs, hint)[0])
        text_printf(q->t, "%s%d", strs_text(p->strs, hint), var);
    else
        text_printf(q->t, "x%d", var);
}

static void newline(const struct show *q, int indent)
{
    text_printf(q->t, "\n%*s", 2 * indent, "");
}

/* A size as an argument. */
static void put_size(const struct show *q, long n)
{
    bool atom = size_is_atom(q->p, n);

    text_puts(q->t, atom ? "" : "(");
    size_print(q->t, q->p, n, NULL);
    text_puts(q->t, atom ? "" : ")");
}

static void put(const struct show *q, int id, int indent, int depth);

/* An argument: in brackets when it is an application or binding itself. */
static void put_operand(const struct show *q, int id, int indent, int depth)
{
    int kind = q->p->exp.a[id].kind;
    bool bracket = kind == EXP_MAP || kind == EXP_GEN || kind == EXP_RED || kind == EXP_FOLD || kind == EXP_LET ||
                   kind == EXP_ITE;

    text_puts(q->t, bracket ? "(" : "");
    put(q, id, indent, depth);
    text_puts(q->t, bracket ? ")" : "");
}

static void put_call(const struct show *q, const struct exp *e, int indent, int depth)
{
    const struct fn_info *f = fn_info(e->op);
    bool infix = show_infix(e->op);

    if (!infix)
        text_puts(q->t, f->text);
    text_puts(q->t, "(");
    put_operand(q, e->a, indent, depth);
    if (f->args == 2) {
        text_printf(q->t, infix ? " %s " : ", ", f->text);
        put_operand(q, e->b, indent, depth);
    }
    text_puts(q->t, ")");
}

/* Binding forms go on with their body on a new line. */
static void put_binder(const struct show *q, const struct exp *e, int indent, int depth)
{
    switch (e->kind) {
    case EXP_MAP: case EXP_GEN:
        text_printf(q->t, "%s%s ", e->kind == EXP_MAP ? "map" : "generate", e->op ? "Par" : "Seq");
        put_size(q, e->n);
        text_puts(q->t, " (fun ");
        put_var(q, e->x);
        break;
    default:
        text_puts(q->t, "reduceSeq ");
        put_size(q, e->n);
        text_puts(q->t, " (fun ");
        put_var(q, e->x);
        text_puts(q->t, " ");
        put_var(q, e->y);
    }
    text_puts(q->t, " ->");
    newline(q, indent + 1);
    put(q, e->a, indent + 1, depth);
    text_puts(q->t, ")");
    if (e->kind == EXP_GEN)
        return;
    text_puts(q->t, " ");
    put_operand(q, e->b, indent, depth);
    if (e->kind == EXP_RED) {
        text_puts(q->t, " ");
        put_operand(q, e->c, indent, depth);
    } else if (e->kind == EXP_FOLD) {
        text_puts(q->t, " (iota ");
        put_size(q, e->n);
        text_puts(q->t, ")");
    }
}

static void put_applied(const struct show *q, const struct exp *e, int indent, int depth)
{
    switch (e->kind) {
    case EXP_SPLIT:
        text_puts(q->t, "(split ");
        put_size(q, e->n);
        text_puts(q->t, " ");
        break;
    case EXP_JOIN: text_puts(q->t, "(join "); break;
    case EXP_FST: text_puts(q->t, "(fst "); break;
    case EXP_SND: text_puts(q->t, "(snd "); break;
    case EXP_REV: text_puts(q->t, "(reverse "); break;
    case EXP_TR: text_puts(q->t, "(transpose "); break;
    case EXP_ZIP: text_puts(q->t, "(zip "); break;
    default: text_puts(q->t, "(pair "); break;
    }
    put_operand(q, e->a, indent, depth);
    if (e->kind == EXP_ZIP || e->kind == EXP_PAIR) {
        text_puts(q->t, " ");
        put_operand(q, e->b, indent, depth);
    }
    text_puts(q->t, ")");
}

static void put(const struct show *q, int id, int indent, int depth)
{
    const struct exp *e = &q->p->exp.a[id];

    if (depth > EXP_DEPTH_MAX) {
        text_puts(q->t, "...");
        return;
    }
    depth++;
    switch (e->kind) {
    case EXP_VAR:
        put_var(q, e->x);
        break;
    case EXP_LIT:
        show_lit(q, e->num, e->inum);
        break;
    case EXP_CALL:
        put_call(q, e, indent, depth);
        break;
    case EXP_MAP: case EXP_GEN: case EXP_RED: case EXP_FOLD:
        put_binder(q, e, indent, depth);
        break;
    case EXP_IDX:
        put_operand(q, e->a, indent, depth);
        text_puts(q->t, "[");
        show_ix(q, e->b);
        text_puts(q->t, "]");
        break;
    case EXP_ITE:
        text_puts(q->t, "if ");
        show_conds(q, e->first, e->len);
        newline(q, indent);
        text_puts(q->t, "then ");
        put(q, e->a, indent + 1, depth);
        newline(q, indent);
        text_puts(q->t, "else ");
        put(q, e->b, indent + 1, depth);
        break;
    case EXP_LET:
        text_puts(q->t, "let ");
        put_var(q, e->x);
        text_puts(q->t, " = ");
        put(q, e->a, indent + 1, depth);
        text_puts(q->t, " in");
        newline(q, indent);
        put(q, e->b, indent, depth);
        break;
    default:
        put_applied(q, e, indent, depth);
    }
}

void prog_print(struct text *t, const struct prog *p)
{
    static const char *const role[] = { "in", "out", "temp" };
    struct show q = { t, p, p->ix.a, p->cond.a, put_var, NULL };
    static const char *const scalar[] = { "f32", "f64", "i32", "i64" };

    if (p->scalar != KERNEL_F32)
        text_printf(t, "scalar %s\n", scalar[p->scalar]);
    for (int i = 0; i < p->size_name.n; i++)
        text_printf(t, "%s%s%s", i ? ", " : "size ", strs_text(p->strs, p->size_name.a[i]),
                    i + 1 == p->size_name.n ? "\n" : "");
    for (int i = 0; i < p->param.n; i++) {
        text_printf(t, "%s ", role[p->param.a[i].role]);
        text_puts(t, strs_text(p->strs, p->param.a[i].name));
        text_puts(t, " : ");
        show_type(&q, p->var.a[p->param.a[i].var].type);
        text_puts(t, "\n");
    }
    for (int i = 0; i < p->stmt.n; i++) {
        text_puts(t, strs_text(p->strs, p->param.a[p->stmt.a[i].param].name));
        text_puts(t, p->stmt.a[i].buffered ? " := copy of" : " :=");
        newline(&q, 1);
        put(&q, p->stmt.a[i].exp, 1, 0);
        text_puts(t, "\n");
    }
}

/* Types, sizes, index expressions and literals as text, for the printers of expressions (exp_print.c) and commands
   (comm.c). */

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
