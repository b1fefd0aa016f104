/* The reverse sweep over one statement: the weight of an expression goes to its arguments, each occurrence of the tensor
   becomes one term (spec autodiff section 6, step 1). */
#include "kernel/grad_internal.h"

#define TWO_OVER_ROOT_PI 0x1.20dd750429b6dp+0

struct sweeper {
    struct grad *g;
    struct kernel_stmt s;
    int tensor, rank;
    struct grad_copy c;
    struct grad_term t;
    int *sum;
};

static bool visit(struct sweeper *p, int id, int w);

static int copy(struct sweeper *p, int id)
{
    return grad_copy_ex(&p->c, id);
}

static bool refuse(struct sweeper *p, const char *text)
{
    return grad_refuse(p->g, CALQUE_NO, text) >= 0;
}

static bool is_real(const struct grad *g)
{
    return g->b.type == KERNEL_F32 || g->b.type == KERNEL_F64;
}

/* w * (1 - x) */
static int times_rest(struct grad *g, int w, int x)
{
    return grad_call(g, FN_MUL, w, grad_call(g, FN_SUB, grad_const(g, 1), x));
}

static bool visit_mul(struct sweeper *p, const struct ex *e, int w)
{
    struct grad *g = p->g;

    return (!grad_loads(&g->b, e->a, p->tensor) || visit(p, e->a, grad_call(g, FN_MUL, w, copy(p, e->b)))) &&
           (!grad_loads(&g->b, e->b, p->tensor) || visit(p, e->b, grad_call(g, FN_MUL, w, copy(p, e->a))));
}

static bool visit_div(struct sweeper *p, const struct ex *e, int w)
{
    struct grad *g = p->g;
    int x;

    if (!is_real(g))
        return refuse(p, "an integer quotient is not differentiable");
    if (grad_loads(&g->b, e->a, p->tensor) && !visit(p, e->a, grad_call(g, FN_DIV, w, copy(p, e->b))))
        return false;
    if (!grad_loads(&g->b, e->b, p->tensor))
        return true;
    x = grad_call(g, FN_MUL, copy(p, e->b), copy(p, e->b));
    x = grad_call(g, FN_DIV, grad_call(g, FN_MUL, w, copy(p, e->a)), x);
    return visit(p, e->b, grad_call(g, FN_NEG, x, -1));
}

/* w * b * a^(b-1) and w * a^b * log a */
static bool visit_pow(struct sweeper *p, const struct ex *e, int w)
{
    struct grad *g = p->g;
    struct ex b = g->b.ex.a[e->b];
    int x;

    if (grad_loads(&g->b, e->a, p->tensor)) {
        x = copy(p, e->a);
        if (b.kind == EX_CONST && b.num - 1 == 0)
            x = grad_const(g, 1);
        else if (b.kind == EX_CONST && b.num - 2 != 0)
            x = grad_call(g, FN_POW, x, grad_const(g, b.num - 1));
        else if (b.kind != EX_CONST)
            x = grad_call(g, FN_POW, x, grad_call(g, FN_SUB, copy(p, e->b), grad_const(g, 1)));
        x = grad_call(g, FN_MUL, copy(p, e->b), x);
        if (!visit(p, e->a, grad_call(g, FN_MUL, w, x)))
            return false;
    }
    if (!grad_loads(&g->b, e->b, p->tensor))
        return true;
    x = grad_call(g, FN_POW, copy(p, e->a), copy(p, e->b));
    x = grad_call(g, FN_MUL, x, grad_call(g, FN_LOG, copy(p, e->a), -1));
    return visit(p, e->b, grad_call(g, FN_MUL, w, x));
}

/* All to the argument that is the value: max(a, b) is b where a < b, min(a, b) is b where b < a. */
static bool visit_extreme(struct sweeper *p, const struct ex *e, int w)
{
    struct grad *g = p->g;

    for (int side = 0; side < 2; side++) {
        int a, b, less;
        if (!grad_loads(&g->b, side ? e->b : e->a, p->tensor))
            continue;
        a = copy(p, e->a);
        b = copy(p, e->b);
        less = e->op == FN_MAX ? grad_call(g, FN_LESS, a, b) : grad_call(g, FN_LESS, b, a);
        if (!visit(p, side ? e->b : e->a, side ? grad_call(g, FN_MUL, w, less) : times_rest(g, w, less)))
            return false;
    }
    return true;
}

/* The derivative of a function of one argument, times w. */
static int unary(struct sweeper *p, const struct ex *e, int w)
{
    struct grad *g = p->g;
    int a = copy(p, e->a), x;

    switch (e->op) {
    case FN_NEG:
        return grad_call(g, FN_NEG, w, -1);
    case FN_EXP:
        return grad_call(g, FN_MUL, w, grad_call(g, FN_EXP, a, -1));
    case FN_LOG:
        return grad_call(g, FN_DIV, w, a);
    case FN_SQRT:
        x = grad_call(g, FN_MUL, grad_const(g, 2), grad_call(g, FN_SQRT, a, -1));
        return grad_call(g, FN_DIV, w, x);
    case FN_TANH:
        x = grad_call(g, FN_TANH, a, -1);
        return times_rest(g, w, grad_call(g, FN_MUL, x, x));
    case FN_ABS:
        x = grad_call(g, FN_LESS, grad_const(g, 0), a);
        x = grad_call(g, FN_SUB, x, grad_call(g, FN_LESS, a, grad_const(g, 0)));
        return grad_call(g, FN_MUL, w, x);
    default: /* erf */
        x = grad_call(g, FN_EXP, grad_call(g, FN_NEG, grad_call(g, FN_MUL, a, a), -1), -1);
        return grad_call(g, FN_MUL, w, grad_call(g, FN_MUL, grad_const(g, TWO_OVER_ROOT_PI), x));
    }
}

static bool visit_call(struct sweeper *p, const struct ex *e, int w)
{
    switch (e->op) {
    case FN_ADD: /* KG-Add */
        return visit(p, e->a, w) && visit(p, e->b, w);
    case FN_SUB: /* KG-Sub */
        return visit(p, e->a, w) && (!grad_loads(&p->g->b, e->b, p->tensor) ||
                                     visit(p, e->b, grad_call(p->g, FN_NEG, w, -1)));
    case FN_MUL: /* KG-Mul */
        return visit_mul(p, e, w);
    case FN_DIV: /* KG-Div */
        return visit_div(p, e, w);
    case FN_MOD:
        return refuse(p, "an integer remainder is not differentiable");
    case FN_MAX:
    case FN_MIN:
        return visit_extreme(p, e, w);
    case FN_POW:
        return visit_pow(p, e, w);
    case FN_ROUND: case FN_LESS: case FN_EQUAL: /* 0 wherever they have a derivative */
        return true;
    case FN_EXACT:
        return refuse(p, "a product that is not rounded is not differentiated: the gradient of the product is");
    case FN_WHEN: case FN_ORELSE:
        return refuse(p, "a choice by data is not differentiable");
    default: /* KG-Fn */
        return visit(p, e->a, unary(p, e, w));
    }
}

static bool visit_select(struct sweeper *p, const struct ex *e, int w)
{
    struct grad *g = p->g;
    struct cond *c = mem_zero(g->mem, (size_t)e->n, sizeof *c);
    int n = p->t.guard.n;
    bool ok = false;

    if (!c || !vec_room(g->mem, &p->t.guard, e->n))
        grad_nomem(g);
    else
        ok = grad_copy_conds(&p->c, e, c) >= 0;
    for (int branch = 0; branch < 2 && ok; branch++) {
        for (int i = 0; i < e->n; i++)
            p->t.guard.a[n + i] = (struct grad_guard){c[i], e->n - 1 - i, branch == 1};
        p->t.guard.n = n + e->n;
        ok = visit(p, branch ? e->b : e->a, w);
        p->t.guard.n = n;
    }
    mem_free(c);
    return ok;
}

/* The weight of each place of an amax: w divided among those that attain it, the value being the statement's own. */
static int share(struct sweeper *p, const struct ex *e, int w)
{
    struct grad *g = p->g;
    const struct kernel_tensor *x = &g->b.tensor.a[p->s.out];
    int n = x->rank == 1 && x->dim[0] == 1 ? 0 : x->rank, ties = g->t.a[p->s.out].ties, root = p->s.body, value, less;

    while (g->b.ex.a[root].kind == EX_SELECT) /* guards: the other branch is 0 */
        root = g->b.ex.a[g->b.ex.a[root].a].kind == EX_CONST ? g->b.ex.a[root].b : g->b.ex.a[root].a;

    if (!is_real(g))
        return grad_refuse(g, CALQUE_NO, "an amax of integers is not differentiable");
    if (ties < 0 || g->b.ex.a[root].kind != EX_REDUCE || g->b.ex.a[root].first != e->first)
        return grad_refuse(g, CALQUE_LIMIT, "an amax depends on too many variables to be differentiated");
    value = grad_load(g, p->s.out, p->c.ix, n);
    less = grad_call(g, FN_LESS, copy(p, e->a), value);
    w = grad_call(g, FN_DIV, w, grad_load(g, ties, p->c.ix, n));
    return times_rest(g, w, less);
}

static bool visit_reduce(struct sweeper *p, const struct ex *e, int w)
{
    struct grad *g = p->g;
    int box = p->t.box.n;
    bool ok = true;

    for (int i = 0; i < e->n && ok; i++) {
        int v = g->b.pool.a[e->first + i];
        struct kernel_var x = g->b.var.a[p->s.var + v];
        int now = grad_var(g, x.name, x.extent);
        ok = now >= 0 && (p->c.ix[v] = grad_ix_var(g, now)) >= 0;
        if (ok && !ints_push(g->mem, &p->t.box, now))
            ok = grad_nomem(g) >= 0;
    }
    if (ok && e->op == RED_MAX)
        w = share(p, e, w);
    ok = ok && visit(p, e->a, w);
    p->t.box.n = box;
    return ok;
}

static bool visit_load(struct sweeper *p, const struct ex *e, int w)
{
    struct grad *g = p->g;
    int x;

    p->t.weight = w;
    p->t.n = e->n;
    for (int i = 0; i < e->n; i++)
        if ((p->t.ix[i] = grad_copy_ix(&p->c, g->b.pool.a[e->first + i])) < 0)
            return false;
    x = grad_gather(g, &p->t, p->rank, p->tensor);
    if (x < 0)
        return false;
    *p->sum = *p->sum < 0 ? x : grad_call(g, FN_ADD, *p->sum, x);
    return *p->sum >= 0;
}

/* Recursion: KERNEL_DEPTH_MAX. */
static bool visit(struct sweeper *p, int id, int w)
{
    struct ex e;

    if (w < 0)
        return false;
    if (grad_is_const(p->g, w, 0) || !grad_loads(&p->g->b, id, p->tensor))
        return true;
    e = p->g->b.ex.a[id];
    switch (e.kind) {
    case EX_LOAD: /* KG-Load */
        return visit_load(p, &e, w);
    case EX_SELECT: /* KG-Sel */
        return visit_select(p, &e, w);
    case EX_REDUCE: /* KG-Sum */
        return visit_reduce(p, &e, w);
    default:
        return visit_call(p, &e, w);
    }
}

/* The statement's adjoint at its own variables. */
static int start(struct sweeper *p)
{
    struct grad *g = p->g;
    struct kernel_tensor x = g->b.tensor.a[p->s.out];
    bool scalar = x.rank == 1 && x.dim[0] == 1;

    for (int i = 0; i < x.rank; i++) {
        struct kernel_var v = g->b.var.a[p->s.var + i];
        int now = grad_var(g, v.name, v.extent);
        if ((p->c.ix[i] = grad_ix_var(g, now)) < 0)
            return -1;
        if (!ints_push(g->mem, &p->t.box, now))
            return grad_nomem(g);
    }
    return grad_load(g, g->t.a[p->s.out].adjoint, p->c.ix, scalar ? 0 : x.rank);
}

bool grad_sweep(struct grad *g, int s, int tensor, int rank, int *sum)
{
    struct sweeper p = {.g = g, .s = g->b.stmt.a[s], .tensor = tensor, .rank = rank, .sum = sum};
    bool ok = false;

    g->line = p.s.line;
    g->col = p.s.col;
    p.c = (struct grad_copy){.g = g, .src = &g->b, .s = &p.s};
    p.c.ix = mem_zero(g->mem, (size_t)p.s.nvar, sizeof *p.c.ix);
    if (!p.c.ix)
        grad_nomem(g);
    else
        ok = visit(&p, p.s.body, start(&p));
    mem_free(p.c.ix);
    mem_free(p.t.guard.a);
    ints_free(&p.t.box);
    return ok;
}
