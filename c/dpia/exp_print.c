/* Functional expressions as ML-like text, for people and golden tests. */
#include "dpia/exp.h"

#include <ctype.h>
#include <string.h>

struct printer {
    struct text *t;
    const struct prog *p;
};

/* Variables print as hint and number, so that names are unique; parameters by their name alone. */
static void put_var(const struct printer *q, int var)
{
    const struct prog *p = q->p;
    int hint = p->var.a[var].hint;

    for (int i = 0; i < p->param.n; i++)
        if (p->param.a[i].var == var) {
            text_puts(q->t, strs_text(p->strs, p->param.a[i].name));
            return;
        }
    if (hint >= 0)
        text_printf(q->t, "%s%d", strs_text(p->strs, hint), var);
    else
        text_printf(q->t, "x%d", var);
}

static void put_ix(const struct printer *q, int id, int depth)
{
    struct ix x = q->p->ix.a[id];
    static const char *const op[] = { "", "", " + ", " - ", " * ", " // ", " % " };

    if (depth > EXP_DEPTH_MAX) {
        text_puts(q->t, "...");
    } else if (x.kind == IX_VAR) {
        put_var(q, (int)x.k);
    } else if (x.kind == IX_CONST) {
        text_printf(q->t, "%ld", x.k);
    } else {
        text_puts(q->t, "(");
        put_ix(q, x.a, depth + 1);
        text_puts(q->t, op[x.kind]);
        if (x.kind == IX_ADD || x.kind == IX_SUB)
            put_ix(q, x.b, depth + 1);
        else
            text_printf(q->t, "%ld", x.k);
        text_puts(q->t, ")");
    }
}

static void put_type(const struct printer *q, int type)
{
    const struct data *d = &q->p->data.a[type];

    if (d->kind == DATA_NUM) {
        text_puts(q->t, "num");
    } else if (d->kind == DATA_ARY) {
        text_printf(q->t, "%ld.", d->n);
        put_type(q, d->a);
    } else {
        text_puts(q->t, "(");
        put_type(q, d->a);
        text_puts(q->t, " x ");
        put_type(q, d->b);
        text_puts(q->t, ")");
    }
}

static void newline(const struct printer *q, int indent)
{
    text_printf(q->t, "\n%*s", 2 * indent, "");
}

static void put(const struct printer *q, int id, int indent, int depth);

/* An argument: in brackets when it is an application or binding itself. */
static void put_operand(const struct printer *q, int id, int indent, int depth)
{
    int kind = q->p->exp.a[id].kind;
    bool bracket = kind == EXP_MAP || kind == EXP_GEN || kind == EXP_RED || kind == EXP_FOLD || kind == EXP_LET ||
                   kind == EXP_ITE;

    text_puts(q->t, bracket ? "(" : "");
    put(q, id, indent, depth);
    text_puts(q->t, bracket ? ")" : "");
}

static void put_conds(const struct printer *q, const struct exp *e)
{
    static const char *const op[] = { "<", "<=", ">", ">=", "==", "!=" };

    for (int i = 0; i < e->len; i++) {
        const struct cond *k = &q->p->cond.a[e->first + i];
        text_puts(q->t, i ? " && " : "");
        put_ix(q, k->a, 0);
        text_printf(q->t, " %s ", op[k->op]);
        put_ix(q, k->b, 0);
    }
}

static void put_call(const struct printer *q, const struct exp *e, int indent, int depth)
{
    const struct fn_info *f = fn_info(e->op);
    bool infix = f->args == 2 && !isalpha((unsigned char)f->text[0]);

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
static void put_binder(const struct printer *q, const struct exp *e, int indent, int depth)
{
    switch (e->kind) {
    case EXP_MAP: case EXP_GEN:
        text_printf(q->t, "%s%s %ld (fun ", e->kind == EXP_MAP ? "map" : "generate", e->op ? "Par" : "Seq", e->n);
        put_var(q, e->x);
        break;
    default:
        text_printf(q->t, "reduceSeq %ld (fun ", e->n);
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
        text_printf(q->t, " (iota %ld)", e->n);
    }
}

static void put_applied(const struct printer *q, const struct exp *e, int indent, int depth)
{
    switch (e->kind) {
    case EXP_SPLIT: text_printf(q->t, "(split %ld ", e->n); break;
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

static void put(const struct printer *q, int id, int indent, int depth)
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
        if (q->p->scalar == KERNEL_F32 || q->p->scalar == KERNEL_F64)
            text_hex(q->t, e->num);
        else
            text_printf(q->t, "%ld", e->inum);
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
        put_ix(q, e->b, 0);
        text_puts(q->t, "]");
        break;
    case EXP_ITE:
        text_puts(q->t, "if ");
        put_conds(q, e);
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
    struct printer q = { t, p };

    for (int i = 0; i < p->param.n; i++) {
        text_printf(t, "%s ", role[p->param.a[i].role]);
        text_puts(t, strs_text(p->strs, p->param.a[i].name));
        text_puts(t, " : ");
        put_type(&q, p->var.a[p->param.a[i].var].type);
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
