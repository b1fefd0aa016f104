/* Kernels to cells, and the contract of a look-up that is a Gather. */
#include "emit/contract.h"
#include "emit/minic.h"
#include "emit/module.h"
#include "kernel/kernel.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

struct from_kernel {
    struct cells *c;
    const struct kernel *k;
    const struct kernel_stmt *s;
    struct cells_target to;
    int *var; /* variable of the statement -> ax */
};

static int index_of(struct from_kernel *f, int id, int depth)
{
    static const int kind[] = {
        [IX_ADD] = AX_ADD, [IX_SUB] = AX_SUB, [IX_MUL] = AX_MUL, [IX_DIV] = AX_FDIV, [IX_MOD] = AX_FMOD,
    };
    const struct ix *x = &f->k->ix.a[id];
    int a, b;

    if (depth > KERNEL_DEPTH_MAX) {
        cells_fail(f->c, CALQUE_LIMIT, NULL);
        return -1;
    }
    switch (x->kind) {
    case IX_VAR: return f->var[x->k];
    case IX_CONST: return ax_num(f->c, x->k);
    case IX_SIZE: return ax_size(f->c, x->k);
    default: break;
    }
    a = index_of(f, x->a, depth + 1);
    b = x->kind == IX_ADD || x->kind == IX_SUB ? index_of(f, x->b, depth + 1) : ax_num(f->c, x->k);
    return ax_two(f->c, kind[x->kind], a, b);
}

static int scalar(struct from_kernel *f, int id, int depth);

static int load(struct from_kernel *f, const struct ex *e)
{
    int at[KERNEL_RANK_MAX], n = 0;

    for (; n < e->n && n < KERNEL_RANK_MAX; n++)
        at[n] = index_of(f, f->k->pool.a[e->first + n], 0);
    for (; n < f->k->tensor.a[e->op].rank; n++) /* a scalar without index */
        at[n] = ax_num(f->c, 0);
    return cells_load(f->c, f->to.now[e->op], at, n);
}

static int select(struct from_kernel *f, const struct ex *e, int depth)
{
    struct ac x = { .kind = AC_SELECT, .n = e->n };

    x.a = scalar(f, e->a, depth + 1);
    x.b = scalar(f, e->b, depth + 1);
    x.first = f->c->cond.n;
    for (int i = 0; i < e->n; i++) {
        struct cond k = f->k->cond.a[e->first + i];
        k.a = index_of(f, k.a, 0);
        k.b = index_of(f, k.b, 0);
        if (!vec_room(f->c->mem, &f->c->cond, 1)) {
            cells_fail(f->c, CALQUE_NOMEM, NULL);
            return -1;
        }
        f->c->cond.a[f->c->cond.n++] = k;
    }
    return cells_ac(f->c, x);
}

static int start(struct from_kernel *f, int op)
{
    struct ac x = { .kind = AC_LIT, .a = -1, .b = -1 };

    if (op == RED_MAX) {
        x.num = -INFINITY;
        x.inum = f->k->type == KERNEL_I32 ? INT_MIN : LONG_MIN;
    }
    return cells_ac(f->c, x);
}

/* One accumulator through all loops: each but the first starts from that of the one around it. */
static int reduce(struct from_kernel *f, const struct ex *e, int depth)
{
    struct cells *c = f->c;
    int var[16], init[16], body;

    if (e->n > 16) {
        cells_fail(c, CALQUE_LIMIT, NULL);
        return -1;
    }
    for (int i = 0; i < e->n; i++) {
        int v = f->k->pool.a[e->first + i];
        var[i] = cells_var(c, ax_num(c, f->k->var.a[f->s->var + v].extent));
        f->var[v] = ax_var(c, var[i]);
        init[i] = i == 0 ? start(f, e->op)
                         : cells_ac(c, (struct ac){ .kind = AC_ACC, .a = -1, .b = -1, .var = var[i - 1] });
    }
    body = scalar(f, e->a, depth + 1);
    body = cells_ac(c, (struct ac){ .kind = AC_CALL, .op = e->op == RED_SUM ? FN_ADD : FN_MAX, .b = body,
                                    .a = cells_ac(c, (struct ac){ .kind = AC_ACC, .a = -1, .b = -1,
                                                                  .var = e->n > 0 ? var[e->n - 1] : -1 }) });
    for (int i = e->n - 1; i >= 0; i--)
        body = cells_ac(c, (struct ac){ .kind = AC_FOLD, .a = init[i], .b = body, .var = var[i] });
    return body;
}

static int scalar(struct from_kernel *f, int id, int depth)
{
    const struct ex *e = &f->k->ex.a[id];
    struct ac x = { .a = -1, .b = -1 };

    if (depth > KERNEL_DEPTH_MAX || f->c->ac.n > ACSL_LIMIT)
        cells_fail(f->c, CALQUE_LIMIT, NULL);
    if (f->c->status != CALQUE_OK)
        return -1;
    switch (e->kind) {
    case EX_CONST:
        x.kind = AC_LIT;
        x.num = e->num;
        x.inum = e->inum;
        return cells_ac(f->c, x);
    case EX_LOAD: return load(f, e);
    case EX_SELECT: return select(f, e, depth);
    case EX_REDUCE: return reduce(f, e, depth);
    default:
        x.kind = AC_CALL;
        x.op = e->op;
        x.a = scalar(f, e->a, depth + 1);
        x.b = e->b >= 0 ? scalar(f, e->b, depth + 1) : -1;
        return cells_ac(f->c, x);
    }
}

static void statement(struct from_kernel *f, int i)
{
    struct acsl_stmt s;
    int index[KERNEL_RANK_MAX], rank;

    f->s = &f->k->stmt.a[i];
    f->var = mem_zero(f->c->mem, (size_t)f->s->nvar + 1, sizeof *f->var);
    if (!f->var) {
        cells_fail(f->c, CALQUE_NOMEM, NULL);
        return;
    }
    rank = cells_begin(f->c, f->s->out, &s, index);
    for (int k = 0; k < f->s->nvar; k++)
        f->var[k] = k < rank ? index[k] : ax_num(f->c, 0);
    s.body = scalar(f, f->s->body, 0);
    cells_end(&f->to, &s, f->s->out);
    mem_free(f->var);
}

enum calque_status cells_kernel(struct cells *c, const struct kernel *k, struct diag *d)
{
    struct from_kernel f = { .c = c, .k = k };
    enum calque_status st = kernel_check(k, d);

    cells_init(c, k->mem, k->type);
    if (st != CALQUE_OK)
        return st;
    for (int t = 0; t < k->tensor.n; t++) {
        const struct kernel_tensor *x = &k->tensor.a[t];
        int dim[KERNEL_RANK_MAX];
        for (int i = 0; i < x->rank; i++)
            dim[i] = ax_num(c, x->dim[i]);
        cells_tensor(c, strs_text(k->strs, x->name), x->role, x->elem, x->rank, dim);
    }
    if (cells_targets(&f.to, c))
        for (int i = 0; i < k->stmt.n; i++)
            f.to.left[k->stmt.a[i].out]++;
    for (int i = 0; i < k->stmt.n && c->status == CALQUE_OK; i++)
        statement(&f, i);
    cells_finish(&f.to);
    return cells_status(c, d);
}

/* The contract of a look-up that is a Gather: Y[outer][count][inner] is X[outer][size][inner] at the indices I[count]. */

/* Is the index the variable? */
static bool is_var(const struct kernel *k, const struct ex *load, int i, int var)
{
    const struct ix *x = &k->ix.a[k->pool.a[load->first + i]];

    return x->kind == IX_VAR && x->k == var;
}

struct sizes {
    long outer, count, size, inner;
};

static bool is_gather(const struct kernel *k, const struct kernel_stmt *s, struct sizes *z)
{
    struct lookup l = lookup_of(k, s);
    const struct kernel_tensor *y = &k->tensor.a[s->out], *x = &k->tensor.a[l.from->op], *at = &k->tensor.a[l.at->op];
    int r = l.at->n;

    *z = (struct sizes){ 1, 1, l.size, 1 };
    for (int i = 0; i < r; i++) {
        if (!is_var(k, l.at, i, l.axis + i) || at->dim[i] != y->dim[l.axis + i])
            return false;
        z->count *= at->dim[i];
    }
    for (int i = 0; i < x->rank; i++) {
        int v = i < l.axis ? i : i - 1 + r;
        if (i == l.axis)
            continue;
        if (!is_var(k, l.from, i, v) || x->dim[i] != y->dim[v])
            return false;
        *(i < l.axis ? &z->outer : &z->inner) *= x->dim[i];
    }
    return y->rank == x->rank - 1 + r || (y->rank == 1 && y->dim[0] == 1);
}

/* A template: T cells of Y, F of X, N indices of -D .. D - 1, R cells of Y for all indices, B for one, S equal cells, W and V the
   cell of X that cell o or p of Y is. Depth two. */
static void put(struct text *t, const struct sizes *z, const char *same, const char *s)
{
    for (; *s; s++)
        switch (*s) {
        case 'T': text_printf(t, "%ld", z->outer * z->count * z->inner); break;
        case 'F': text_printf(t, "%ld", z->outer * z->size * z->inner); break;
        case 'N': text_printf(t, "%ld", z->count); break;
        case 'D': text_printf(t, "%ld", z->size); break;
        case 'B': text_printf(t, "%ld", z->inner); break;
        case 'R': text_printf(t, "%ld", z->count * z->inner); break;
        case 'S': text_puts(t, same); break;
        case 'W':
        case 'V':
            put(t, z, same, *s == 'W' ? "X[(o / R * D + (I[o / B % N] < 0 ? I[o / B % N] + D : I[o / B % N])) * B + o % B]"
                                      : "X[(p / R * D + (I[p / B % N] < 0 ? I[p / B % N] + D : I[p / B % N])) * B + p % B]");
            break;
        default: text_put(t, s, 1); break;
        }
}

static const char contract_text[] =
    "/*@\n"
    "    requires valid: \\valid(Y + (0 .. T - 1));\n"
    "    requires valid: \\valid_read(X + (0 .. F - 1));\n"
    "    requires valid: \\valid_read(I + (0 .. N - 1));\n"
    "    requires separated: \\separated(Y + (0 .. T - 1), X + (0 .. F - 1));\n"
    "    requires separated: \\separated(Y + (0 .. T - 1), I + (0 .. N - 1));\n"
    "    terminates \\true; exits \\false;\n"
    "    assigns Y[0 .. T - 1];\n"
    "    ensures range: \\result == 0 <==> (\\forall integer n; 0 <= n < N ==> -D <= I[n] < D);\n"
    "    ensures result: \\result == 0 || \\result == 1;\n"
    "    ensures value: \\forall integer o; 0 <= o < T ==> \\result == 0 ==>\n"
    "        S(Y[o], W);\n"
    "    ensures unchanged: \\forall integer o; 0 <= o < T ==> \\result != 0 ==> S(Y[o], \\old(Y[o]));\n"
    "*/\n";

static const char code_text[] =
    "\n{\n"
    "    /*@ loop invariant bounds: 0 <= n <= N;\n"
    "        loop invariant range: \\forall integer m; 0 <= m < n ==> -D <= I[m] < D;\n"
    "        loop assigns n;\n"
    "        loop variant N - n; */\n"
    "    for (long n = 0; n < N; n++)\n"
    "        if (I[n] < -D || I[n] >= D)\n"
    "            return 1;\n"
    "    /*@ loop invariant bounds: 0 <= o <= T;\n"
    "        loop invariant value: \\forall integer p; 0 <= p < o ==> S(Y[p], V);\n"
    "        loop assigns o, Y[0 .. T - 1];\n"
    "        loop variant T - o; */\n"
    "    for (long o = 0; o < T; o++) {\n"
    "        const long from = (long)I[o / B % N], at = from < 0 ? from + D : from;\n"
    "        Y[o] = X[(o / R * D + at) * B + o % B];\n"
    "    }\n"
    "    return 0;\n"
    "}\n";

enum calque_status lookup_acsl(struct module *u, const struct kernel *k, const struct kernel_stmt *s, struct function *f,
                               struct diag *d)
{
    int elem = kernel_stored(k, s->out) == ELEM_BOOL ? ELEM_U8 : kernel_stored(k, s->out);
    struct sizes z;
    char same[16];

    if (kernel_elems(k, s->out) == 0 || !is_gather(k, s, &z))
        return diag_set(d, CALQUE_BAD, "", s->line, s->col,
                        "emit --acsl: no contract for a look-up of nothing, or that is no Gather along a dimension");
    snprintf(same, sizeof same, "same_%s", elem_name(elem));
    put(&u->text, &z, same, contract_text);
    text_puts(&u->text, "int $");
    lookup_params(&u->text, k, s);
    put(&u->text, &z, same, code_text);
    f->len = u->text.n - f->start;
    f->head = u->text.n;
    text_puts(&u->text, "int $");
    lookup_params(&u->text, k, s);
    f->nhead = u->text.n - f->head;
    u->acsl.types |= 1u << elem;
    return CALQUE_OK;
}
