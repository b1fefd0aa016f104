/* Commands as text: acceptors a{i}, views v[i], one command per line. */
#include "dpia/comm.h"

#include <ctype.h>

struct printer {
    struct text *t;
    const struct code *c;
};

static void put_level(const struct printer *q, int l)
{
    const struct level *v = &q->c->level.a[l];
    const struct prog *p = q->c->prog;

    if (l < p->param.n)
        text_puts(q->t, strs_text(p->strs, p->param.a[l].name));
    else
        text_printf(q->t, "%s%d", v->type < 0 ? "i" : "v", l);
}

static void put_ix(const struct printer *q, int id, int depth)
{
    struct ix x = q->c->ix.a[id];
    static const char *const op[] = { "", "", " + ", " - ", " * ", " // ", " % " };

    if (depth > EXP_DEPTH_MAX) {
        text_puts(q->t, "...");
    } else if (x.kind == IX_VAR) {
        put_level(q, (int)x.k);
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

static void put_conds(const struct printer *q, int first, int len)
{
    static const char *const op[] = { "<", "<=", ">", ">=", "==", "!=" };

    for (int i = 0; i < len; i++) {
        const struct cond *k = &q->c->cond.a[first + i];
        text_puts(q->t, i ? " && " : "");
        put_ix(q, k->a, 0);
        text_printf(q->t, " %s ", op[k->op]);
        put_ix(q, k->b, 0);
    }
}

static void put_vexp(const struct printer *q, int id, int depth);

static void put_scalar(const struct printer *q, const struct vexp *v, int depth)
{
    if (v->kind == VEXP_LIT) {
        if (q->c->prog->scalar == KERNEL_F32 || q->c->prog->scalar == KERNEL_F64)
            text_hex(q->t, v->num);
        else
            text_printf(q->t, "%ld", v->inum);
        return;
    }
    const struct fn_info *f = fn_info(v->op);
    bool infix = f->args == 2 && !isalpha((unsigned char)f->text[0]);
    if (!infix)
        text_puts(q->t, f->text);
    text_puts(q->t, "(");
    put_vexp(q, v->a, depth);
    if (f->args == 2) {
        text_printf(q->t, infix ? " %s " : ", ", f->text);
        put_vexp(q, v->b, depth);
    }
    text_puts(q->t, ")");
}

static void put_vexp(const struct printer *q, int id, int depth)
{
    static const char *const name[] = { "", "", "", "zip", "split", "join", "", "pair", "fst", "snd", "reverse",
                                        "transpose", "" };
    const struct vexp *v = &q->c->vexp.a[id];

    if (depth > EXP_DEPTH_MAX) {
        text_puts(q->t, "...");
        return;
    }
    depth++;
    switch (v->kind) {
    case VEXP_ROOT:
        put_level(q, v->a);
        break;
    case VEXP_LIT: case VEXP_CALL:
        put_scalar(q, v, depth);
        break;
    case VEXP_IDX:
        put_vexp(q, v->a, depth);
        text_puts(q->t, "[");
        put_ix(q, v->b, 0);
        text_puts(q->t, "]");
        break;
    case VEXP_ITE:
        text_puts(q->t, "(if ");
        put_conds(q, v->first, v->len);
        text_puts(q->t, " then ");
        put_vexp(q, v->a, depth);
        text_puts(q->t, " else ");
        put_vexp(q, v->b, depth);
        text_puts(q->t, ")");
        break;
    default:
        text_printf(q->t, "(%s ", name[v->kind]);
        if (v->kind == VEXP_SPLIT || v->kind == VEXP_JOIN)
            text_printf(q->t, "%ld ", v->n);
        put_vexp(q, v->a, depth);
        if (v->kind == VEXP_ZIP || v->kind == VEXP_PAIR) {
            text_puts(q->t, " ");
            put_vexp(q, v->b, depth);
        }
        text_puts(q->t, ")");
    }
}

static void put_vacc(const struct printer *q, int id, int depth)
{
    static const char *const name[] = { "", "zipAcc1", "zipAcc2", "splitAcc", "joinAcc", "", "pairAcc1",
                                        "pairAcc2", "reverseAcc", "transposeAcc" };
    const struct vacc *a = &q->c->vacc.a[id];

    if (depth > EXP_DEPTH_MAX) {
        text_puts(q->t, "...");
    } else if (a->kind == VACC_ROOT) {
        put_level(q, a->a);
    } else if (a->kind == VACC_IDX) {
        put_vacc(q, a->a, depth + 1);
        text_puts(q->t, "{");
        put_ix(q, a->b, 0);
        text_puts(q->t, "}");
    } else {
        text_printf(q->t, "(%s ", name[a->kind]);
        put_vacc(q, a->a, depth + 1);
        text_puts(q->t, ")");
    }
}

static void put_type(const struct printer *q, int type)
{
    const struct data *d = &q->c->prog->data.a[type];

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

static void put_comm(const struct printer *q, int id, int indent)
{
    const struct comm *x = &q->c->comm.a[id];

    if (indent > EXP_DEPTH_MAX) {
        text_puts(q->t, "...\n");
        return;
    }
    if (x->kind == COMM_SEQ) {
        for (int i = 0; i < x->len; i++)
            put_comm(q, q->c->pool.a[x->first + i], indent);
        return;
    }
    text_printf(q->t, "%*s", 2 * indent, "");
    switch (x->kind) {
    case COMM_SKIP:
        text_puts(q->t, "skip\n");
        break;
    case COMM_ASSIGN:
        put_vacc(q, x->a, 0);
        text_puts(q->t, " := ");
        put_vexp(q, x->b, 0);
        text_puts(q->t, "\n");
        break;
    case COMM_NEW:
        text_puts(q->t, "new ");
        put_level(q, x->level);
        text_puts(q->t, " : ");
        put_type(q, q->c->level.a[x->level].type);
        text_puts(q->t, "\n");
        put_comm(q, x->a, indent);
        break;
    case COMM_FOR: case COMM_PAR:
        text_puts(q->t, x->kind == COMM_PAR ? "parfor " : "for ");
        put_level(q, x->level);
        text_printf(q->t, " < %ld\n", q->c->level.a[x->level].extent);
        put_comm(q, x->a, indent + 1);
        break;
    default:
        text_puts(q->t, "if ");
        put_conds(q, x->first, x->len);
        text_puts(q->t, "\n");
        put_comm(q, x->a, indent + 1);
        if (q->c->comm.a[x->b].kind != COMM_SKIP) {
            text_printf(q->t, "%*selse\n", 2 * indent, "");
            put_comm(q, x->b, indent + 1);
        }
    }
}

void code_print(struct text *t, const struct code *c)
{
    struct printer q = { t, c };

    put_comm(&q, c->main, 0);
}
