/* Construction of functional expressions, types and sizes. Invariant: each is well typed when it is added (Coq: ty),
   children have smaller ids, equal types have equal ids. The first failure stays in the program: callers look once. */
#include "dpia/exp.h"

#include "base/arith.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

static const struct fn_info fns[] = {
#define FN(name, text, args, c, meaning) { text, args, c },
#include "kernel/fn.def"
#undef FN
};

const struct fn_info *fn_info(int fn)
{
    return fn >= 0 && fn < FN_COUNT ? &fns[fn] : NULL;
}

void prog_init(struct prog *p, struct mem *mem, struct strs *strs, enum kernel_type scalar)
{
    memset(p, 0, sizeof *p);
    p->mem = mem;
    p->strs = strs;
    p->scalar = scalar;
    polys_init(&p->size, mem);
}

void prog_free(struct prog *p)
{
    polys_free(&p->size);
    ints_free(&p->size_name);
    ints_free(&p->named);
    mem_free(p->data.a);
    mem_free(p->var.a);
    mem_free(p->ix.a);
    mem_free(p->cond.a);
    mem_free(p->exp.a);
    mem_free(p->param.a);
    mem_free(p->stmt.a);
    prog_init(p, p->mem, p->strs, p->scalar);
}

enum calque_status prog_status(const struct prog *p, struct diag *d)
{
    if (p->status == CALQUE_OK)
        return CALQUE_OK;
    if (p->status == CALQUE_NOMEM)
        return diag_nomem(d);
    if (p->status == CALQUE_LIMIT)
        return diag_set(d, CALQUE_LIMIT, "", 0, 0, "dpia: an array or index is too large");
    return diag_set(d, p->status, "", 0, 0, "dpia: ill-typed functional expression");
}

static int fail(struct prog *p, enum calque_status st)
{
    if (p->status == CALQUE_OK)
        p->status = st;
    return -1;
}

static int ill_typed(struct prog *p)
{
    return fail(p, CALQUE_INTERNAL);
}

static int var_add(struct prog *p, struct exp_var v)
{
    if (!vec_room(p->mem, &p->var, 1))
        return fail(p, CALQUE_NOMEM);
    p->var.a[p->var.n] = v;
    return p->var.n++;
}

int prog_var(struct prog *p, int hint, int type)
{
    return type < 0 ? ill_typed(p) : var_add(p, (struct exp_var){ hint, type, 0 });
}

int prog_ivar(struct prog *p, int hint, long extent)
{
    return extent == SIZE_NONE ? ill_typed(p) : var_add(p, (struct exp_var){ hint, -1, extent });
}

/* FNV-1a of the name as an identifier of C (emit/name.c): t before it when it begins with no letter, and all that is no letter
   or digit is one. */
static unsigned hash(const char *s)
{
    unsigned h = 2166136261u;

    if (!isalpha((unsigned char)*s))
        h = (h ^ 't') * 16777619u;
    for (; *s; s++)
        h = (h ^ (isalnum((unsigned char)*s) ? (unsigned char)*s : (unsigned)'_')) * 16777619u;
    return h;
}

/* The place of the hash in a table of n pairs, a hash and a count, or a free one: its count is 0. */
static int *place(int *table, int n, unsigned h)
{
    unsigned k = h & (unsigned)(n - 1);

    while (table[2 * k + 1] > 0 && (unsigned)table[2 * k] != h)
        k = (k + 1) & (unsigned)(n - 1);
    return table + 2 * k;
}

static void count_name(struct prog *p, int name)
{
    unsigned h = hash(strs_text(p->strs, name));
    int *at = place(p->named.a, p->named.n / 2, h);

    at[0] = (int)h;
    at[1]++;
}

int prog_named(const struct prog *p, const char *name)
{
    return p->named.n > 0 ? place(p->named.a, p->named.n / 2, hash(name))[1] : 0;
}

/* A table twice as large, with the names that are there; as it was where memory is out: its size is a power of two. */
static bool larger_table(struct prog *p)
{
    int was = p->named.n, n = was > 0 ? 2 * was : 32;

    while (p->named.n < n)
        if (!ints_push(p->mem, &p->named, 0)) {
            p->named.n = was;
            return false;
        }
    memset(p->named.a, 0, (size_t)n * sizeof *p->named.a);
    for (int k = 0; k < p->size_name.n; k++)
        count_name(p, p->size_name.a[k]);
    for (int k = 0; k < p->param.n; k++)
        count_name(p, p->param.a[k].name);
    return true;
}

bool prog_name(struct prog *p, int name)
{
    if (name < 0)
        return false;
    if (p->named.n <= 4 * (p->size_name.n + p->param.n) && !larger_table(p))
        return false;
    count_name(p, name);
    return true;
}

int prog_param(struct prog *p, int name, int role, int type)
{
    int var = prog_var(p, name, type);

    if (var < 0)
        return -1;
    if (!vec_room(p->mem, &p->param, 1) || !prog_name(p, name))
        return fail(p, CALQUE_NOMEM);
    p->param.a[p->param.n] = (struct prog_param){ var, role, name, -1, ELEM_OWN };
    return p->param.n++;
}

bool prog_assign(struct prog *p, int param, int exp, bool buffered)
{
    if (exp < 0 || param < 0 || param >= p->param.n ||
        p->var.a[p->param.a[param].var].type != p->exp.a[exp].type) {
        ill_typed(p);
        return false;
    }
    if (!vec_room(p->mem, &p->stmt, 1)) {
        fail(p, CALQUE_NOMEM);
        return false;
    }
    p->stmt.a[p->stmt.n++] = (struct prog_stmt){ param, exp, buffered };
    return true;
}

int prog_ix(struct prog *p, struct ix x)
{
    bool one = x.kind != IX_VAR && x.kind != IX_CONST && x.kind != IX_SIZE, two = x.kind == IX_ADD || x.kind == IX_SUB;

    if ((one && (x.a < 0 || x.a >= p->ix.n)) || (two && (x.b < 0 || x.b >= p->ix.n)))
        return ill_typed(p);
    if (x.kind == IX_VAR && (x.k < 0 || x.k >= p->var.n || p->var.a[x.k].type >= 0))
        return ill_typed(p);
    if ((x.kind == IX_DIV || x.kind == IX_MOD) && x.k <= 0)
        return ill_typed(p);
    if (!vec_room(p->mem, &p->ix, 1))
        return fail(p, CALQUE_NOMEM);
    p->ix.a[p->ix.n] = x;
    return p->ix.n++;
}

int prog_ix_var(struct prog *p, int var)
{
    return prog_ix(p, (struct ix){ IX_VAR, -1, -1, var });
}

int prog_ix_const(struct prog *p, long k)
{
    return prog_ix(p, (struct ix){ IX_CONST, -1, -1, k });
}

/* C emits for what needs new memory; views pass their children's commands on. */
static bool emits(const struct prog *p, const struct exp *e)
{
    switch (e->kind) {
    case EXP_VAR: case EXP_LIT:
        return false;
    case EXP_MAP: case EXP_GEN: case EXP_RED: case EXP_FOLD: case EXP_LET:
        return true;
    case EXP_CALL: case EXP_ZIP: case EXP_PAIR: case EXP_ITE:
        return p->exp.a[e->a].emits || (e->b >= 0 && p->exp.a[e->b].emits);
    default:
        return p->exp.a[e->a].emits;
    }
}

static int exp_add(struct prog *p, struct exp e)
{
    if (e.type < 0)
        return -1;
    e.emits = emits(p, &e);
    if (!vec_room(p->mem, &p->exp, 1))
        return fail(p, CALQUE_NOMEM);
    p->exp.a[p->exp.n] = e;
    return p->exp.n++;
}

/* The type of an expression, or NULL after a failure. */
static const struct data *type_of(struct prog *p, int e)
{
    if (e < 0 || e >= p->exp.n) {
        ill_typed(p);
        return NULL;
    }
    return &p->data.a[p->exp.a[e].type];
}

static const struct data *type_ary(struct prog *p, int e)
{
    const struct data *t = type_of(p, e);

    if (t && t->kind != DATA_ARY) {
        ill_typed(p);
        return NULL;
    }
    return t;
}

static int type_id(const struct prog *p, int e)
{
    return e < 0 || e >= p->exp.n ? -1 : p->exp.a[e].type;
}

/* Is var a data variable of this type (type -1: an index variable)? */
static bool var_is(const struct prog *p, int var, int type)
{
    return var >= 0 && var < p->var.n && p->var.a[var].type == type;
}

int exp_var(struct prog *p, int var)
{
    if (var < 0 || var >= p->var.n || p->var.a[var].type < 0)
        return ill_typed(p);
    return exp_add(p, (struct exp){ .kind = EXP_VAR, .x = var, .type = p->var.a[var].type });
}

int exp_lit(struct prog *p, double num, long inum)
{
    return exp_add(p, (struct exp){ .kind = EXP_LIT, .num = num, .inum = inum, .type = data_num(p) });
}

int exp_call(struct prog *p, int fn, int a, int b)
{
    const struct fn_info *f = fn_info(fn);
    int num = data_num(p);

    if (!f || type_id(p, a) != num || (f->args == 2 ? type_id(p, b) != num : b >= 0))
        return ill_typed(p);
    return exp_add(p, (struct exp){ .kind = EXP_CALL, .op = fn, .a = a, .b = b, .type = num });
}

int exp_map(struct prog *p, bool par, int x, int f, int e)
{
    const struct data *t = type_ary(p, e);
    long n;

    if (!t || !type_of(p, f) || !var_is(p, x, t->a))
        return ill_typed(p);
    n = t->n;
    return exp_add(p, (struct exp){ .kind = EXP_MAP, .op = par, .n = n, .x = x, .a = f, .b = e,
                                    .type = data_ary(p, n, type_id(p, f)) });
}

int exp_gen(struct prog *p, bool par, int x, int f)
{
    if (!type_of(p, f) || !var_is(p, x, -1))
        return ill_typed(p);
    return exp_add(p, (struct exp){ .kind = EXP_GEN, .op = par, .n = p->var.a[x].extent, .x = x, .a = f,
                                    .type = data_ary(p, p->var.a[x].extent, type_id(p, f)) });
}

int exp_red(struct prog *p, int x, int acc, int f, int init, int e)
{
    const struct data *t = type_ary(p, e);
    int d = type_id(p, f);

    if (!t || d < 0 || type_id(p, init) != d || !var_is(p, x, t->a) || !var_is(p, acc, d))
        return ill_typed(p);
    return exp_add(p, (struct exp){ .kind = EXP_RED, .n = t->n, .x = x, .y = acc, .a = f, .b = init,
                                    .c = e, .type = d });
}

int exp_fold(struct prog *p, int x, int acc, int f, int init)
{
    int d = type_id(p, f);

    if (d < 0 || type_id(p, init) != d || !var_is(p, x, -1) || !var_is(p, acc, d))
        return ill_typed(p);
    return exp_add(p, (struct exp){ .kind = EXP_FOLD, .n = p->var.a[x].extent, .x = x, .y = acc, .a = f,
                                    .b = init, .type = d });
}

int exp_zip(struct prog *p, int a, int b)
{
    const struct data *t = type_ary(p, a), *u = type_ary(p, b);
    int ta, tb;
    long n;

    if (!t || !u || t->n != u->n)
        return ill_typed(p);
    ta = t->a;
    tb = u->a;
    n = t->n;
    return exp_add(p, (struct exp){ .kind = EXP_ZIP, .n = n, .a = a, .b = b,
                                    .type = data_ary(p, n, data_pair(p, ta, tb)) });
}

int exp_split(struct prog *p, long n, int e)
{
    const struct data *t = type_ary(p, e);
    int elem;
    long m;

    if (!t || (m = size_quotient(p, t->n, n)) == SIZE_NONE)
        return ill_typed(p);
    elem = t->a;
    return exp_add(p, (struct exp){ .kind = EXP_SPLIT, .n = n, .m = m, .a = e,
                                    .type = data_ary(p, m, data_ary(p, n, elem)) });
}

int exp_join(struct prog *p, int e)
{
    const struct data *t = type_ary(p, e), *u = t ? &p->data.a[t->a] : NULL;
    long n, m;
    int elem;

    if (!u || u->kind != DATA_ARY)
        return ill_typed(p);
    m = t->n;
    n = u->n;
    elem = u->a;
    return exp_add(p, (struct exp){ .kind = EXP_JOIN, .n = n, .m = m, .a = e,
                                    .type = data_ary(p, size_mul(p, n, m), elem) });
}

int exp_idx(struct prog *p, int e, int ix)
{
    const struct data *t = type_ary(p, e);

    if (!t || ix < 0 || ix >= p->ix.n)
        return ill_typed(p);
    return exp_add(p, (struct exp){ .kind = EXP_IDX, .a = e, .b = ix, .type = t->a });
}

int exp_pair(struct prog *p, int a, int b)
{
    return exp_add(p, (struct exp){ .kind = EXP_PAIR, .a = a, .b = b,
                                    .type = data_pair(p, type_id(p, a), type_id(p, b)) });
}

static int projection(struct prog *p, int e, int kind)
{
    const struct data *t = type_of(p, e);

    if (!t || t->kind != DATA_PAIR)
        return ill_typed(p);
    return exp_add(p, (struct exp){ .kind = kind, .a = e, .type = kind == EXP_FST ? t->a : t->b });
}

int exp_fst(struct prog *p, int e)
{
    return projection(p, e, EXP_FST);
}

int exp_snd(struct prog *p, int e)
{
    return projection(p, e, EXP_SND);
}

int exp_rev(struct prog *p, int e)
{
    const struct data *t = type_ary(p, e);

    return t ? exp_add(p, (struct exp){ .kind = EXP_REV, .n = t->n, .a = e, .type = type_id(p, e) }) : -1;
}

int exp_tr(struct prog *p, int e)
{
    const struct data *t = type_ary(p, e), *u = t ? &p->data.a[t->a] : NULL;
    long n, m;
    int elem;

    if (!u || u->kind != DATA_ARY)
        return ill_typed(p);
    n = t->n;
    m = u->n;
    elem = u->a;
    return exp_add(p, (struct exp){ .kind = EXP_TR, .n = n, .m = m, .a = e,
                                    .type = data_ary(p, m, data_ary(p, n, elem)) });
}

int exp_ite(struct prog *p, const struct cond *conds, int len, int a, int b)
{
    int first = p->cond.n;

    if (type_id(p, a) < 0 || type_id(p, a) != type_id(p, b))
        return ill_typed(p);
    if (!vec_room(p->mem, &p->cond, len))
        return fail(p, CALQUE_NOMEM);
    for (int i = 0; i < len; i++) {
        if (conds[i].a < 0 || conds[i].a >= p->ix.n || conds[i].b < 0 || conds[i].b >= p->ix.n)
            return ill_typed(p);
        p->cond.a[p->cond.n++] = conds[i];
    }
    return exp_add(p, (struct exp){ .kind = EXP_ITE, .first = first, .len = len, .a = a, .b = b,
                                    .type = type_id(p, a) });
}

int exp_let(struct prog *p, int x, int e, int body)
{
    if (!type_of(p, e) || !type_of(p, body) || !var_is(p, x, type_id(p, e)))
        return ill_typed(p);
    return exp_add(p, (struct exp){ .kind = EXP_LET, .x = x, .a = e, .b = body, .type = type_id(p, body) });
}

static bool occurs(const struct prog *p, int e, int x, int depth)
{
    const struct exp *n = &p->exp.a[e];

    if (depth > EXP_DEPTH_MAX)
        return true;
    switch (n->kind) {
    case EXP_VAR:
        return n->x == x;
    case EXP_LIT:
        return false;
    case EXP_RED:
        return occurs(p, n->a, x, depth + 1) || occurs(p, n->b, x, depth + 1) ||
               occurs(p, n->c, x, depth + 1);
    case EXP_CALL: case EXP_MAP: case EXP_FOLD: case EXP_ZIP: case EXP_PAIR: case EXP_ITE: case EXP_LET:
        return occurs(p, n->a, x, depth + 1) || (n->b >= 0 && occurs(p, n->b, x, depth + 1));
    default:
        return occurs(p, n->a, x, depth + 1);
    }
}

bool exp_occurs(const struct prog *p, int e, int x)
{
    return occurs(p, e, x, 0);
}

/* Types and sizes of a program. */

static long size_fail(struct prog *p, enum calque_status st)
{
    fail(p, st);
    return SIZE_NONE;
}

long size_poly(struct prog *p, int poly)
{
    long k;

    if (poly < 0)
        return size_fail(p, p->size.status != CALQUE_OK ? p->size.status : CALQUE_INTERNAL);
    if (!poly_is_const(&p->size, poly, &k))
        return -1 - (long)poly;
    return k >= 0 ? k : size_fail(p, CALQUE_BAD);
}

int poly_size(struct prog *p, long n)
{
    int r = n == SIZE_NONE ? -1 : n >= 0 ? poly_const(&p->size, n) : (int)(-1 - n);

    if (r < 0)
        size_fail(p, p->size.status != CALQUE_OK ? p->size.status : CALQUE_INTERNAL);
    return r;
}

long size_var(struct prog *p, int name)
{
    for (int i = 0; i < p->size_name.n; i++)
        if (p->size_name.a[i] == name)
            return size_poly(p, poly_var(&p->size, i));
    if (name < 0 || !prog_name(p, name) || !ints_push(p->mem, &p->size_name, name))
        return size_fail(p, CALQUE_NOMEM);
    return size_poly(p, poly_var(&p->size, p->size_name.n - 1));
}

long size_add(struct prog *p, long a, long b)
{
    struct exact r = exact_add(a, b);

    if (a >= 0 && b >= 0)
        return r.fits ? r.z : size_fail(p, CALQUE_LIMIT);
    return size_poly(p, poly_add(&p->size, poly_size(p, a), poly_size(p, b)));
}

long size_mul(struct prog *p, long a, long b)
{
    struct exact r = exact_mul(a, b);

    if (a >= 0 && b >= 0)
        return r.fits ? r.z : size_fail(p, CALQUE_LIMIT);
    return size_poly(p, poly_mul(&p->size, poly_size(p, a), poly_size(p, b)));
}

long size_quotient(struct prog *p, long a, long b)
{
    int q;

    if (a >= 0 && b >= 0)
        return b > 0 && a % b == 0 ? a / b : SIZE_NONE;
    q = poly_quotient(&p->size, poly_size(p, a), poly_size(p, b));
    return q < 0 ? SIZE_NONE : size_poly(p, q);
}

bool size_is_atom(const struct prog *p, long n)
{
    const struct poly *q = n < 0 ? &p->size.poly.a[-1 - n] : NULL;

    return !q || (q->n == 1 && p->size.mono.a[q->first].n == 1 && p->size.mono.a[q->first].c == 1);
}

void size_print(struct text *t, const struct prog *p, long n, size_namer *name)
{
    bool spaced = name != NULL;
    const char *times = spaced ? " * " : "*";
    const struct poly *q;

    if (n >= 0) {
        text_printf(t, "%ld", n);
        return;
    }
    q = &p->size.poly.a[-1 - n];
    for (int i = 0; i < q->n; i++) {
        const struct mono *m = &p->size.mono.a[q->first + i];
        long c = m->c < 0 && i > 0 ? -m->c : m->c;
        if (i > 0)
            text_puts(t, m->c < 0 ? (spaced ? " - " : "-") : (spaced ? " + " : "+"));
        if (c == -1 && m->n > 0)
            text_puts(t, "-");
        else if (c != 1 || m->n == 0)
            text_printf(t, "%ld%s", c, m->n ? times : "");
        for (int k = 0; k < m->n; k++) {
            int var = p->size.pool.a[m->first + k];
            text_puts(t, k ? times : "");
            if (name)
                name(t, p, var);
            else
                text_puts(t, strs_text(p->strs, p->size_name.a[var]));
        }
    }
}

bool prog_is_symbolic(const struct prog *p)
{
    for (int i = 0; i < p->data.n; i++)
        if (p->data.a[i].n < 0)
            return true;
    for (int i = 0; i < p->var.n; i++)
        if (p->var.a[i].extent < 0)
            return true;
    return false;
}

static int data_add(struct prog *p, struct data x)
{
    for (int i = 0; i < p->data.n; i++) {
        const struct data *y = &p->data.a[i];
        if (x.kind == y->kind && x.a == y->a && x.b == y->b && x.n == y->n)
            return i;
    }
    x.cells = x.kind == DATA_NUM ? 1 : x.kind == DATA_ARY ? size_mul(p, x.n, p->data.a[x.a].cells) :
              size_add(p, p->data.a[x.a].cells, p->data.a[x.b].cells);
    if (x.cells == SIZE_NONE)
        return -1;
    if (!vec_room(p->mem, &p->data, 1))
        return fail(p, CALQUE_NOMEM);
    p->data.a[p->data.n] = x;
    return p->data.n++;
}

int data_num(struct prog *p)
{
    return data_add(p, (struct data){ DATA_NUM, -1, -1, 0, 1 });
}

int data_ary(struct prog *p, long n, int elem)
{
    if (elem < 0 || n == SIZE_NONE)
        return ill_typed(p);
    return data_add(p, (struct data){ DATA_ARY, elem, -1, n, 0 });
}

int data_pair(struct prog *p, int a, int b)
{
    if (a < 0 || b < 0)
        return ill_typed(p);
    return data_add(p, (struct data){ DATA_PAIR, a, b, 0, 0 });
}

long data_size(const struct prog *p, int type)
{
    return p->data.a[type].cells;
}
