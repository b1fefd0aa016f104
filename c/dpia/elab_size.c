/* Typing of .dpia: sizes, types, index expressions and conditions. */
#include "dpia/parse_internal.h"

#include "dpia/exp.h"

#include <stdio.h>
#include <string.h>

const char *elab_show(struct parser *q, int type, char *buf, size_t n)
{
    struct text t;
    struct show s = { .t = &t, .p = q->p };

    text_init(&t, q->p->mem);
    show_type(&s, type);
    snprintf(buf, n, "%s", t.a && !t.failed ? t.a : "?");
    text_free(&t);
    return buf;
}

/* The size of a name: those of the innermost call, then the program's. SIZE_NONE: none. */
static long find_size(const struct parser *q, int name)
{
    for (int i = q->size_from; i < q->size.n; i++)
        if (q->size.a[i].name == name)
            return q->size.a[i].n;
    for (int i = 0; i < q->sizes; i++)
        if (q->size.a[i].name == name)
            return q->size.a[i].n;
    return SIZE_NONE;
}

static int size_poly_of(struct parser *q, int node, int depth)
{
    struct ast x = q->ast.a[node];
    struct polys *ps = &q->p->size;
    int a, b;

    if (depth > DPIA_DEPTH)
        return dpia_limit(q, "a size is nested deeper than 400");
    if (x.kind == AST_INT)
        return poly_const(ps, x.inum);
    if (x.kind == AST_NAME) {
        long n = find_size(q, x.name);
        if (n == SIZE_NONE)
            return dpia_error(q, node, "T_Size: '%s' is no size: sizes occur in the type of an `in` or after `size`",
                               strs_text(q->p->strs, x.name));
        return poly_size(q->p, n);
    }
    if (x.kind != AST_ADD && x.kind != AST_SUB && x.kind != AST_MUL)
        return dpia_error(q, node, "T_Size: sizes are built with + - *");
    a = size_poly_of(q, x.a, depth + 1);
    b = a < 0 ? -1 : size_poly_of(q, x.b, depth + 1);
    if (b < 0)
        return -1;
    return x.kind == AST_ADD ? poly_add(ps, a, b) : x.kind == AST_SUB ? poly_sub(ps, a, b) : poly_mul(ps, a, b);
}

long elab_size(struct parser *q, int node)
{
    int poly = node < 0 ? -1 : size_poly_of(q, node, 0);
    long k;

    if (poly < 0) {
        if (dpia_ok(q) && q->p->size.status == CALQUE_LIMIT)
            dpia_limit(q, "a size is too large");
        else if (dpia_ok(q))
            dpia_nomem(q);
        return SIZE_NONE;
    }
    if (poly_is_const(&q->p->size, poly, &k) && (k < 0 || k > DPIA_CELLS)) {
        dpia_error(q, node, k < 0 ? "T_Size: a size is negative" : "T_Size: a size is greater than 2147483647");
        return SIZE_NONE;
    }
    return size_poly(q->p, poly);
}

int elab_type(struct parser *q, int node)
{
    struct ast x = q->ast.a[node];
    int a, b;
    long n;

    if (x.kind == AST_NUM)
        return data_num(q->p);
    if (x.kind == AST_ARY) {
        n = elab_size(q, x.a);
        b = n == SIZE_NONE ? -1 : elab_type(q, x.b);
        if (b < 0)
            return -1;
        b = data_ary(q->p, n, b);
        if (q->p->status == CALQUE_LIMIT || (b >= 0 && q->p->data.a[b].cells > DPIA_CELLS))
            return dpia_error(q, node, "T_Size: an array has more than 2147483647 cells");
        return b;
    }
    a = elab_type(q, x.a);
    b = a < 0 ? -1 : elab_type(q, x.b);
    return b < 0 ? -1 : data_pair(q->p, a, b);
}

static bool bind_size(struct parser *q, int name, long n)
{
    if (!vec_room(q->p->mem, &q->size, 1))
        return dpia_nomem(q) == 0;
    q->size.a[q->size.n++] = (struct size_bound){ name, n };
    return true;
}

/* The one factor of a product that is a name without a size yet; the product of the others. */
static bool unknown_factor(struct parser *q, int node, int *name, long *others)
{
    struct ast x = q->ast.a[node];
    long n;

    if (x.kind == AST_NAME && find_size(q, x.name) == SIZE_NONE) {
        if (*name >= 0)
            return false;
        *name = x.name;
        return true;
    }
    if (x.kind == AST_MUL)
        return unknown_factor(q, x.a, name, others) && unknown_factor(q, x.b, name, others);
    n = elab_size(q, node);
    *others = n == SIZE_NONE ? n : size_mul(q->p, *others, n);
    return *others != SIZE_NONE;
}

static bool unify_size(struct parser *q, int node, long n)
{
    int name = -1;
    long others = 1;

    if (!unknown_factor(q, node, &name, &others))
        return false;
    if (name < 0)
        return others == n;
    n = others == 1 ? n : size_quotient(q->p, n, others);
    return n != SIZE_NONE && bind_size(q, name, n);
}

bool elab_unify(struct parser *q, int node, int type)
{
    struct ast x = q->ast.a[node];
    struct data d = q->p->data.a[type];

    if (x.kind == AST_NUM)
        return d.kind == DATA_NUM;
    if (x.kind == AST_ARY)
        return d.kind == DATA_ARY && unify_size(q, x.a, d.n) && elab_unify(q, x.b, d.a);
    return d.kind == DATA_PAIR && elab_unify(q, x.a, d.a) && elab_unify(q, x.b, d.b);
}

static int ix_failed(struct parser *q)
{
    if (!dpia_ok(q))
        return -1;
    if (q->p->status == CALQUE_LIMIT || q->p->size.status == CALQUE_LIMIT)
        return dpia_limit(q, "an index is too large");
    return dpia_nomem(q);
}

static int ix_name(struct parser *q, int node, int *form)
{
    int name = q->ast.a[node].name;
    long n;

    for (int i = q->env.n - 1; i >= q->env_from; i--)
        if (q->env.a[i].name == name) {
            if (q->env.a[i].ivar < 0)
                return dpia_error(q, node, "T_Idx: '%s' is a value, not an index", strs_text(q->p->strs, name));
            *form = range_var(&q->range, q->env.a[i].ivar);
            return prog_ix_var(q->p, q->env.a[i].ivar);
        }
    n = find_size(q, name);
    if (n == SIZE_NONE)
        return dpia_error(q, node, "T_Idx: '%s' is neither an index variable nor a size", strs_text(q->p->strs, name));
    *form = range_size(&q->range, n);
    return n >= 0 ? prog_ix_const(q->p, n) : prog_ix(q->p, (struct ix){ IX_SIZE, -1, -1, n });
}

static int elab_ix_at(struct parser *q, int node, int *form, int depth);

/* a * k, a // k, a % k, with a number k */
static int ix_by_number(struct parser *q, int node, int a, int fa, int *form, int depth)
{
    struct ast x = q->ast.a[node];
    int fb, b = elab_ix_at(q, x.b, &fb, depth + 1);
    long k;

    if (b < 0)
        return -1;
    if (x.kind == AST_MUL && !range_is_const(&q->range, fb, &k)) { /* k * a */
        int i = a, f = fa;
        a = b;
        b = i;
        fa = fb;
        fb = f;
    }
    if (!range_is_const(&q->range, fb, &k))
        return dpia_error(q, node, "T_Idx: an index is multiplied and divided by numbers only");
    if (x.kind != AST_MUL && k <= 0)
        return dpia_error(q, node, "T_Idx: the divisor is not positive");
    if (x.kind == AST_MUL)
        *form = range_add(&q->range, range_const(&q->range, 0), fa, k);
    else
        *form = x.kind == AST_DIV ? range_div(&q->range, fa, k) : range_mod(&q->range, fa, k);
    return prog_ix(q->p, (struct ix){ x.kind == AST_MUL ? IX_MUL : x.kind == AST_DIV ? IX_DIV : IX_MOD, a, -1, k });
}

static int elab_ix_at(struct parser *q, int node, int *form, int depth)
{
    struct ast x = q->ast.a[node];
    int a, b, fa, fb;

    if (depth > DPIA_DEPTH)
        return dpia_limit(q, "an index is nested deeper than 400");
    if (x.kind == AST_INT) {
        *form = range_const(&q->range, x.inum);
        return prog_ix_const(q->p, x.inum);
    }
    if (x.kind == AST_NAME)
        return ix_name(q, node, form);
    a = elab_ix_at(q, x.a, &fa, depth + 1);
    if (a < 0)
        return -1;
    if (x.kind != AST_ADD && x.kind != AST_SUB)
        return ix_by_number(q, node, a, fa, form, depth);
    b = elab_ix_at(q, x.b, &fb, depth + 1);
    if (b < 0)
        return -1;
    *form = range_add(&q->range, fa, fb, x.kind == AST_ADD ? 1 : -1);
    return prog_ix(q->p, (struct ix){ x.kind == AST_ADD ? IX_ADD : IX_SUB, a, b, 0 });
}

int elab_ix(struct parser *q, int node, int *form)
{
    int r = elab_ix_at(q, node, form, 0);

    return r < 0 || q->p->status != CALQUE_OK ? ix_failed(q) : r;
}

/* a op b as one or two forms that are then >= 0. */
static int facts_of(struct range *r, int op, int a, int b, int *out)
{
    int less = range_add(r, b, a, -1), more = range_add(r, a, b, -1), one = range_const(r, 1);

    switch (op) {
    case CMP_LT: out[0] = range_add(r, less, one, -1); return 1;
    case CMP_LE: out[0] = less; return 1;
    case CMP_GT: out[0] = range_add(r, more, one, -1); return 1;
    case CMP_GE: out[0] = more; return 1;
    case CMP_EQ:
        out[0] = less;
        out[1] = more;
        return 2;
    default: return 0;
    }
}

bool elab_conds(struct parser *q, int node, struct cond *out, struct elab_facts *facts)
{
    static const int negated[] = { CMP_GE, CMP_GT, CMP_LE, CMP_LT, CMP_NE, CMP_EQ };
    struct ast list = q->ast.a[node];

    facts->n = facts->nelse = 0;
    for (int i = 0; i < list.len; i++) {
        struct ast x = q->ast.a[q->pool.a[list.first + i]];
        int fa, fb;
        out[i].op = x.op;
        out[i].a = elab_ix(q, x.a, &fa);
        out[i].b = out[i].a < 0 ? -1 : elab_ix(q, x.b, &fb);
        if (out[i].b < 0)
            return false;
        facts->n += facts_of(&q->range, x.op, fa, fb, facts->then + facts->n);
        if (list.len == 1)
            facts->nelse = facts_of(&q->range, negated[x.op], fa, fb, facts->other);
    }
    return true;
}
