/* Programs as one S-expression, elaborated: what the oracle reads. Variables are named by their numbers.

       (program f32 (n m) (in NAME X (ary (+ (1 n m)) num)) .. (set K e) (copy K e) ..)
   size: N | NAME | (+ (C NAME ..) ..)    type: num | (ary SIZE T) | (pair T T)
   e:    (var X) | (lit L) | (call FN e ..) | (map par|seq SIZE T X body e) | (gen par|seq SIZE T X body)
         | (red SIZE T X ACC body init e) | (fold SIZE T X ACC body init) | (zip SIZE T T e e) | (split N M e) | (join N M e)
         | (idx e IX) | (pair e e) | (fst e) | (snd e) | (rev N e) | (tr N M e) | (if (COND ..) T e e) | (let T X e body)
   ix:   (var X) | K | (size SIZE) | (+ ix ix) | (- ix ix) | (* ix K) | (// ix K) | (% ix K)    cond: (< ix ix) .. */
#include "dpia/exp.h"

struct sexp {
    struct text *t;
    const struct prog *p;
};

static void put_size(const struct sexp *q, long n)
{
    const struct prog *p = q->p;
    const struct poly *x;

    if (n >= 0 || size_is_atom(p, n)) {
        size_print(q->t, p, n, NULL);
        return;
    }
    x = &p->size.poly.a[-1 - n];
    text_puts(q->t, "(+");
    for (int i = 0; i < x->n; i++) {
        const struct mono *m = &p->size.mono.a[x->first + i];
        text_printf(q->t, " (%ld", m->c);
        for (int k = 0; k < m->n; k++)
            text_printf(q->t, " %s", strs_text(p->strs, p->size_name.a[p->size.pool.a[m->first + k]]));
        text_puts(q->t, ")");
    }
    text_puts(q->t, ")");
}

static void put_type(const struct sexp *q, int type, int depth)
{
    const struct data *d = &q->p->data.a[type];

    if (depth > EXP_DEPTH_MAX) {
        q->t->failed = true;
        return;
    }
    if (d->kind == DATA_NUM) {
        text_puts(q->t, "num");
        return;
    }
    text_puts(q->t, d->kind == DATA_ARY ? "(ary " : "(pair ");
    if (d->kind == DATA_ARY)
        put_size(q, d->n);
    else
        put_type(q, d->a, depth + 1);
    text_puts(q->t, " ");
    put_type(q, d->kind == DATA_ARY ? d->a : d->b, depth + 1);
    text_puts(q->t, ")");
}

static void put_ix(const struct sexp *q, int id, int depth)
{
    static const char *const op[] = { "", "", "+", "-", "*", "//", "%" };
    struct ix x = q->p->ix.a[id];

    if (depth > EXP_DEPTH_MAX) {
        q->t->failed = true;
    } else if (x.kind == IX_VAR) {
        text_printf(q->t, "(var %ld)", x.k);
    } else if (x.kind == IX_CONST) {
        text_printf(q->t, "%ld", x.k);
    } else if (x.kind == IX_SIZE) {
        text_puts(q->t, "(size ");
        put_size(q, x.k);
        text_puts(q->t, ")");
    } else {
        text_printf(q->t, "(%s ", op[x.kind]);
        put_ix(q, x.a, depth + 1);
        text_puts(q->t, " ");
        if (x.kind == IX_ADD || x.kind == IX_SUB)
            put_ix(q, x.b, depth + 1);
        else
            text_printf(q->t, "%ld", x.k);
        text_puts(q->t, ")");
    }
}

static void put_conds(const struct sexp *q, int first, int len)
{
    static const char *const op[] = { "<", "<=", ">", ">=", "==", "!=" };

    text_puts(q->t, "(");
    for (int i = 0; i < len; i++) {
        const struct cond *k = &q->p->cond.a[first + i];
        text_printf(q->t, "%s(%s ", i ? " " : "", op[k->op]);
        put_ix(q, k->a, 0);
        text_puts(q->t, " ");
        put_ix(q, k->b, 0);
        text_puts(q->t, ")");
    }
    text_puts(q->t, ")");
}

static void put_lit(const struct sexp *q, const struct exp *e)
{
    struct show s = { .t = q->t, .p = q->p };

    text_puts(q->t, "(lit ");
    show_lit(&s, e->num, e->inum);
}

static int elem_of(const struct sexp *q, int e)
{
    return q->p->data.a[q->p->exp.a[e].type].a;
}

/* Everything of the form up to its subexpressions. */
static void put_head(const struct sexp *q, int id)
{
    static const char *const word[] = { "var", "lit", "call", "map", "gen", "red", "fold", "zip", "split", "join", "idx",
                                        "pair", "fst", "snd", "rev", "tr", "if", "let" };
    const struct exp *e = &q->p->exp.a[id];

    if (e->kind == EXP_LIT) {
        put_lit(q, e);
        return;
    }
    text_printf(q->t, "(%s", word[e->kind]);
    switch (e->kind) {
    case EXP_VAR: text_printf(q->t, " %d", e->x); break;
    case EXP_CALL: text_printf(q->t, " %s", fn_info(e->op)->text); break;
    case EXP_MAP: case EXP_GEN: case EXP_RED: case EXP_FOLD: case EXP_ZIP: case EXP_SPLIT: case EXP_JOIN: case EXP_REV:
    case EXP_TR:
        text_puts(q->t, e->kind != EXP_MAP && e->kind != EXP_GEN ? " " : e->op ? " par " : " seq ");
        put_size(q, e->n);
        break;
    default: break;
    }
    if (e->kind == EXP_SPLIT || e->kind == EXP_JOIN || e->kind == EXP_TR) {
        text_puts(q->t, " ");
        put_size(q, e->m);
    }
    if (e->kind == EXP_IDX || e->kind == EXP_ITE)
        return;
    if (e->kind == EXP_MAP || e->kind == EXP_GEN || e->kind == EXP_RED || e->kind == EXP_FOLD || e->kind == EXP_LET) {
        text_puts(q->t, " ");
        put_type(q, e->kind == EXP_LET ? q->p->exp.a[e->a].type : e->kind <= EXP_GEN ? elem_of(q, id) : e->type, 0);
        text_printf(q->t, " %d", e->x);
    }
    if (e->kind == EXP_RED || e->kind == EXP_FOLD)
        text_printf(q->t, " %d", e->y);
    if (e->kind == EXP_ZIP) {
        text_puts(q->t, " ");
        put_type(q, elem_of(q, e->a), 0);
        text_puts(q->t, " ");
        put_type(q, elem_of(q, e->b), 0);
    }
}

static void put(const struct sexp *q, int id, int depth)
{
    const struct exp *e = &q->p->exp.a[id];
    bool leaf = e->kind == EXP_VAR || e->kind == EXP_LIT;
    bool two = e->kind == EXP_MAP || e->kind == EXP_RED || e->kind == EXP_FOLD || e->kind == EXP_ZIP ||
               e->kind == EXP_PAIR || e->kind == EXP_ITE || e->kind == EXP_LET || (e->kind == EXP_CALL && e->b >= 0);

    if (depth > EXP_DEPTH_MAX) {
        q->t->failed = true;
        return;
    }
    put_head(q, id);
    if (e->kind == EXP_ITE) {
        text_puts(q->t, " ");
        put_conds(q, e->first, e->len);
        text_puts(q->t, " ");
        put_type(q, e->type, 0);
    }
    for (int i = 0; i < 3 && !leaf; i++) {
        if ((i == 1 && !two) || (i == 2 && e->kind != EXP_RED))
            continue;
        text_puts(q->t, " ");
        put(q, i == 0 ? e->a : i == 1 ? e->b : e->c, depth + 1);
    }
    if (e->kind == EXP_IDX) {
        text_puts(q->t, " ");
        put_ix(q, e->b, 0);
    }
    text_puts(q->t, ")");
}

void prog_sexp(struct text *t, const struct prog *p)
{
    static const char *const scalar[] = { "f32", "f64", "i32", "i64" };
    static const char *const role[] = { "in", "out", "temp" };
    struct sexp q = { t, p };

    text_printf(t, "(program %s (", scalar[p->scalar]);
    for (int i = 0; i < p->size_name.n; i++)
        text_printf(t, "%s%s", i ? " " : "", strs_text(p->strs, p->size_name.a[i]));
    text_puts(t, ")");
    for (int i = 0; i < p->param.n; i++) {
        text_printf(t, " (%s %s %d ", role[p->param.a[i].role], strs_text(p->strs, p->param.a[i].name), p->param.a[i].var);
        put_type(&q, p->var.a[p->param.a[i].var].type, 0);
        text_puts(t, ")");
    }
    for (int i = 0; i < p->stmt.n; i++) {
        text_printf(t, " (%s %d ", p->stmt.a[i].buffered ? "copy" : "set", p->stmt.a[i].param);
        put(&q, p->stmt.a[i].exp, 0);
        text_puts(t, ")");
    }
    text_puts(t, ")\n");
}
