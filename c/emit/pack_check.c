/* Does a kernel that was changed before it is lowered compute the original's cells? Nothing is taken from what changed it
   (pack.c, pack_panel.c) but the list of constants that are stored in another order. Each tensor that the original stores is
   read in both kernels at symbolic indices, as one expression:
   - a temporary that only the changed kernel has is its definition, at the indices that it is loaded at;
   - a load of a packed constant is a load of the original one, at the indices that the packing's map says, and the packed
     data are the original's through this map, cell by cell, with zeros beyond;
   - indices are normal forms, so equal ones have equal ids; conditions that the ranges decide are gone;
   - in a sum, which starts from +0 and so is never -0, (c ? x : 0) * w is (c ? x * w : 0) where all cells of w's tensor are
     finite: 0 * w is a zero, which changes no such sum (Coq: base/FloatSum.v).
   - a sum of products that are not rounded may be -0, and a zero that is added then may make it 0; where all that is done with it
     is that a constant without -0 is added, or one without 0 subtracted, both are the same, and exact(c ? x : 0, w) is (c ? exact(x, w) : -0);
   - so is exact(c ? x : 0, min(w, c ? inf : -1)) anywhere in such a sum: 0 times what is negative is -0, which changes nothing.
   The kernels are the same when the expressions are: the same operations, and sums over the same boxes in the same order.
   Coq: kernel/Repack.v, which is proved, and says the same (tests/emit/validate.sh).
   Invariant: a load of a tensor that is stored comes after its statement, so a name means one thing. Recursion is bounded by
   DEPTH_MOST. */
#include "emit/module.h"
#include "kernel/affine.h"
#include "kernel/index.h"

#include <math.h>
#include <string.h>

enum {
    DEPTH_MOST = 4 * KERNEL_DEPTH_MAX,
    STEPS_MOST = 1 << 22, /* nodes that are looked at for one tensor, at most */
    BLOCK = 16
};
enum { UNKNOWN, YES, NO };

struct cell_ex {
    int kind, op;   /* of ex_kind; LOAD: the original's tensor */
    int a, b;       /* b -1: none */
    int first, n;   /* LOAD: forms, REDUCE: extents, in list; SELECT: in cond */
    long num;       /* CONST: bits, one for all NaN */
};

struct same {
    struct mem *mem;
    const struct kernel *k, *q;  /* the original; the changed one */
    const struct pack_const *c;
    const struct pack *p;
    int *at[2];                  /* of k and q: tensor -> the statement that stores it, or -1 */
    unsigned char *finite;       /* are the original's tensors constants without infinities and NaN? */
    enum calque_status status;   /* NOMEM, or LIMIT */
    const char *why;             /* the first thing that is wrong; NULL: nothing */
    long steps;
    struct kernel vars;          /* its variables are loops, by their level (name) and extent */
    struct kernel_stmt loops;    /* of vars, for aff */
    struct aff aff;
    struct { struct cell_ex *a; int n, cap; } node;
    struct { struct cond *a; int n, cap; } cond; /* a: a form; GE, EQ, NE to 0; rising */
    struct ints list, env;       /* env: forms of variables, those of a statement side by side */
};

/* A statement that is read: its variables are env[base..]. */
struct frame {
    const struct kernel *k;
    int stmt, base;
    bool changed; /* k is the changed kernel */
};

/* ---- failures: -1 ---- */

static int wrong(struct same *s, const char *why)
{
    if (!s->why)
        s->why = why;
    return -1;
}

static int fail(struct same *s, enum calque_status st)
{
    if (s->status == CALQUE_OK)
        s->status = st == CALQUE_NOMEM ? st : CALQUE_LIMIT;
    return -1;
}

static bool step(struct same *s, int depth)
{
    if (depth > DEPTH_MOST || ++s->steps > STEPS_MOST)
        fail(s, CALQUE_LIMIT);
    return s->status == CALQUE_OK && !s->why;
}

static int checked(struct same *s, int form)
{
    return form >= 0 ? form : fail(s, s->aff.status);
}

static bool push(struct same *s, struct ints *v, int x)
{
    if (x < 0)
        return false;
    if (!ints_push(s->mem, v, x))
        fail(s, CALQUE_NOMEM);
    return s->status == CALQUE_OK;
}

static int add_node(struct same *s, struct cell_ex x)
{
    if (!vec_room(s->mem, &s->node, 1))
        return fail(s, CALQUE_NOMEM);
    s->node.a[s->node.n] = x;
    return s->node.n++;
}

/* ---- indices and conditions ---- */

/* The form of a loop's variable: loops are the same when their level and extent are. */
static int level(struct same *s, int l, long extent)
{
    int v = 0;

    while (v < s->vars.var.n && (s->vars.var.a[v].name != l || s->vars.var.a[v].extent != extent))
        v++;
    if (v == s->vars.var.n) {
        if (!vec_room(s->mem, &s->vars.var, 1))
            return fail(s, CALQUE_NOMEM);
        s->vars.var.a[s->vars.var.n++] = (struct kernel_var){l, extent};
    }
    return checked(s, aff_var(&s->aff, v));
}

static int form_of(struct same *s, const struct frame *f, int id, int depth)
{
    struct ix x = f->k->ix.a[id];
    int a, b;

    if (!step(s, depth))
        return -1;
    if (x.kind == IX_VAR)
        return s->env.a[f->base + x.k];
    if (x.kind == IX_CONST)
        return checked(s, aff_const(&s->aff, x.k));
    a = form_of(s, f, x.a, depth + 1);
    if (a < 0)
        return -1;
    if (x.kind == IX_DIV || x.kind == IX_MOD)
        return checked(s, aff_divide(&s->aff, x.kind, a, x.k));
    if (x.kind == IX_MUL)
        return checked(s, aff_add(&s->aff, aff_const(&s->aff, 0), a, x.k));
    b = form_of(s, f, x.b, depth + 1);
    return b < 0 ? -1 : checked(s, aff_add(&s->aff, a, b, x.kind == IX_ADD ? 1 : -1));
}

/* The condition as form >= 0, == 0 or != 0; false: a failure. */
static bool compare_zero(struct same *s, const struct frame *f, struct cond c, struct cond *r)
{
    static const struct { int op, sign, more; } how[] = {
        [CMP_LT] = {CMP_GE, -1, -1}, [CMP_LE] = {CMP_GE, -1, 0}, [CMP_GT] = {CMP_GE, 1, -1},
        [CMP_GE] = {CMP_GE, 1, 0},   [CMP_EQ] = {CMP_EQ, 1, 0},  [CMP_NE] = {CMP_NE, 1, 0}};
    int a = form_of(s, f, c.a, 0), b = a < 0 ? -1 : form_of(s, f, c.b, 0), less, more;

    if (b < 0)
        return false;
    less = aff_add(&s->aff, a, b, -1);
    more = aff_add(&s->aff, aff_const(&s->aff, how[c.op].more), less, how[c.op].sign);
    if (c.op >= CMP_EQ) { /* a == b is b == a */
        int other = aff_add(&s->aff, aff_const(&s->aff, 0), less, -1);
        more = other < more ? other : more;
    }
    *r = (struct cond){how[c.op].op, checked(s, more), -1};
    return r->a >= 0;
}

/* Adds the condition to the ones from `first` on, where they are rising, unless it is there. */
static bool insert_cond(struct same *s, int first, struct cond c)
{
    int i = s->cond.n;

    while (i > first && (s->cond.a[i - 1].a > c.a || (s->cond.a[i - 1].a == c.a && s->cond.a[i - 1].op > c.op)))
        i--;
    if (i > first && s->cond.a[i - 1].a == c.a && s->cond.a[i - 1].op == c.op)
        return true;
    if (!vec_room(s->mem, &s->cond, 1)) {
        fail(s, CALQUE_NOMEM);
        return false;
    }
    s->steps += s->cond.n - i;
    memmove(s->cond.a + i + 1, s->cond.a + i, (size_t)(s->cond.n - i) * sizeof c);
    s->cond.a[i] = c;
    s->cond.n++;
    return true;
}

/* ---- expressions ---- */

static int read_ex(struct same *s, const struct frame *f, int id, int loops, int depth);

/* A literal's bits; floats are no integers here. */
static long number(enum kernel_type type, double num)
{
    double x = type == KERNEL_F32 ? (double)(float)num : num;
    long bits;

    x = isnan(x) ? (double)NAN : x;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

static const struct packed *entry_of(const struct same *s, int tensor)
{
    for (int i = 0; i < s->p->n; i++)
        if (s->p->a[i].tensor == tensor)
            return &s->p->a[i];
    return NULL;
}

/* Forms at[] of a load of the packed constant become those of the original's: P[q, .., r] = W[.., q * cells + r, ..]. */
static bool original_place(struct same *s, const struct packed *e, int *at)
{
    const struct kernel_tensor *t = &s->k->tensor.a[e->tensor], *u = &s->q->tensor.a[e->tensor];
    int panels = e->cells > 0, last = at[u->rank - 1], old[KERNEL_RANK_MAX];
    long n = panels ? u->dim[0] * e->cells : u->dim[u->rank - 1];
    struct span span;

    if (panels)
        last = checked(s, aff_add(&s->aff, last, at[0], e->cells));
    if (last < 0)
        return false;
    span = aff_span(&s->aff, last);
    if (n > e->n && (span.lo < 0 || span.hi >= e->n)) {
        wrong(s, "it may read the zeros behind a packed constant");
        return false;
    }
    for (int d = 0; d < t->rank; d++)
        old[d] = d == e->place ? last : at[panels + (d < e->place ? d : d - 1)];
    memcpy(at, old, (size_t)t->rank * sizeof *at);
    return true;
}

/* A temporary that the original has not: its definition at these forms. */
static int read_temp(struct same *s, int tensor, const int *at, int loops, int depth)
{
    const struct kernel_tensor *t = &s->q->tensor.a[tensor];
    struct frame g = {s->q, s->at[1][tensor], s->env.n, true};
    int r, n;

    if (g.stmt < 0 || t->role != KERNEL_TEMP || t->elem != ELEM_OWN)
        return wrong(s, "a tensor that was added is no temporary");
    n = s->q->stmt.a[g.stmt].nvar;
    for (int i = 0; i < n; i++)
        if (!push(s, &s->env, i < t->rank ? at[i] : 0))
            return -1;
    r = read_ex(s, &g, s->q->stmt.a[g.stmt].body, loops, depth + 1);
    s->env.n = g.base;
    return r;
}

static int read_load(struct same *s, const struct frame *f, const struct ex *e, int loops, int depth)
{
    const struct kernel_tensor *t = &f->k->tensor.a[e->op];
    const struct packed *packed = f->changed ? entry_of(s, e->op) : NULL;
    struct cell_ex x = {.kind = EX_LOAD, .op = e->op, .a = -1, .b = -1};
    int at[KERNEL_RANK_MAX];

    if (s->at[f->changed][e->op] >= f->stmt)
        return wrong(s, "a tensor is read before it is stored");
    for (int d = 0; d < t->rank; d++) { /* an index that is not written is 0 */
        at[d] = d < e->n ? form_of(s, f, f->k->pool.a[e->first + d], 0) : checked(s, aff_const(&s->aff, 0));
        if (at[d] < 0)
            return -1;
    }
    if (e->op >= s->k->tensor.n)
        return read_temp(s, e->op, at, loops, depth);
    if (packed && !original_place(s, packed, at))
        return -1;
    x.first = s->list.n;
    x.n = s->k->tensor.a[e->op].rank;
    for (int d = 0; d < x.n; d++)
        if (!push(s, &s->list, at[d]))
            return -1;
    return add_node(s, x);
}

/* Conditions that are open; with none the one branch or the other. */
static int read_select(struct same *s, const struct frame *f, const struct ex *e, int loops, int depth)
{
    struct cell_ex x = {.kind = EX_SELECT, .first = s->cond.n};
    struct cond c;

    for (int i = 0; i < e->n; i++) {
        struct span span;
        enum outcome o;
        if (!compare_zero(s, f, f->k->cond.a[e->first + i], &c))
            return -1;
        span = aff_span(&s->aff, c.a);
        o = index_decide(c.op, span.lo, span.hi);
        if (o == NEVER) {
            s->cond.n = x.first;
            return read_ex(s, f, e->b, loops, depth + 1);
        }
        if (o == MIXED && !insert_cond(s, x.first, c))
            return -1;
    }
    x.n = s->cond.n - x.first;
    if (x.n == 0)
        return read_ex(s, f, e->a, loops, depth + 1);
    x.a = read_ex(s, f, e->a, loops, depth + 1);
    x.b = x.a < 0 ? -1 : read_ex(s, f, e->b, loops, depth + 1);
    return x.b < 0 ? -1 : add_node(s, x);
}

/* Are the cells of the tensor, a constant of the kernel's type, all numbers? */
static bool find_finite(const struct same *s, int t)
{
    const struct tensor *v = s->c->value[t];
    bool single = s->k->type == KERNEL_F32, all = true;
    long n = kernel_elems(s->k, t);

    if (!v || s->at[0][t] >= 0 || s->k->tensor.a[t].role != KERNEL_IN || s->k->tensor.a[t].elem != ELEM_OWN ||
        v->dtype != (single ? DTYPE_F32 : DTYPE_F64) || v->bytes != kernel_bytes(s->k, t))
        return false;
    for (long i = 0; i < n && single; i++) /* that is quick: the exponent is not all ones */
        all &= (((const uint32_t *)v->data)[i] & 0x7f800000) != 0x7f800000;
    for (long i = 0; i < n && !single; i++)
        all &= isfinite(((const double *)v->data)[i]) != 0;
    return all;
}

static bool is_plus_zero(const struct same *s, int id)
{
    return s->node.a[id].kind == EX_CONST && s->node.a[id].num == number(s->k->type, 0.0);
}

static bool is_finite_load(const struct same *s, int id)
{
    unsigned char *known = &s->finite[s->node.a[id].kind == EX_LOAD ? s->node.a[id].op : 0];

    if (s->node.a[id].kind == EX_LOAD && *known == UNKNOWN)
        *known = find_finite(s, s->node.a[id].op) ? YES : NO;
    return s->node.a[id].kind == EX_LOAD && *known == YES;
}

/* The term (c ? x : 0) * w, or w * (c ? x : 0), of a sum as c ? x * w : 0; times: FN_MUL, or FN_EXACT, whose zero is -0. */
static int guard_outside(struct same *s, int times, int term)
{
    struct cell_ex m = s->node.a[term], guard;
    int left;

    if (m.kind != EX_CALL || m.op != times)
        return term;
    left = s->node.a[m.a].kind == EX_SELECT;
    guard = s->node.a[left ? m.a : m.b];
    if (guard.kind != EX_SELECT || !is_plus_zero(s, guard.b) || !is_finite_load(s, left ? m.b : m.a))
        return term;
    *(left ? &m.a : &m.b) = guard.a;
    guard.a = add_node(s, m);
    if (times == FN_EXACT)
        guard.b = add_node(s, (struct cell_ex){.kind = EX_CONST, .a = -1, .b = -1, .num = number(s->k->type, -0.0)});
    return guard.a < 0 || guard.b < 0 ? -1 : add_node(s, guard);
}

static bool is_const(const struct same *s, int id, double x)
{
    return s->node.a[id].kind == EX_CONST && s->node.a[id].num == number(s->k->type, x);
}

static bool same_conds(const struct same *s, const struct cell_ex *x, const struct cell_ex *y)
{
    bool same = x->n == y->n;

    for (int i = 0; i < x->n && same; i++)
        same = s->cond.a[x->first + i].op == s->cond.a[y->first + i].op && s->cond.a[x->first + i].a == s->cond.a[y->first + i].a;
    return same;
}

/* The term exact(c ? x : 0, min(w, c ? inf : -1)) as c ? exact(x, w) : -0: the lesser of w and -1 is negative, so 0 times that is
   -0. */
static int unmasked(struct same *s, int term)
{
    struct cell_ex m = s->node.a[term], x, least, mask;

    if (m.kind != EX_CALL || m.op != FN_EXACT)
        return term;
    x = s->node.a[m.a];
    least = s->node.a[m.b];
    if (x.kind != EX_SELECT || !is_plus_zero(s, x.b) || least.kind != EX_CALL || least.op != FN_MIN)
        return term;
    mask = s->node.a[least.b];
    if (mask.kind != EX_SELECT || !is_const(s, mask.a, (double)INFINITY) || !is_const(s, mask.b, -1) || !same_conds(s, &x, &mask) ||
        !is_finite_load(s, least.a))
        return term;
    m.a = x.a;
    m.b = least.a;
    x.a = add_node(s, m);
    x.b = add_node(s, (struct cell_ex){.kind = EX_CONST, .a = -1, .b = -1, .num = number(s->k->type, -0.0)});
    return x.a < 0 || x.b < 0 ? -1 : add_node(s, x);
}

/* Is the expression a load of a constant of the kernel's type, no cell of which has these bits? */
static bool is_never(const struct same *s, int id, uint32_t bits)
{
    int t = s->node.a[id].kind == EX_LOAD ? s->node.a[id].op : -1;
    const struct tensor *v = t < 0 ? NULL : s->c->value[t];

    if (!v || s->at[0][t] >= 0 || s->k->tensor.a[t].role != KERNEL_IN || s->k->tensor.a[t].elem != ELEM_OWN ||
        s->k->type != KERNEL_F32 || v->dtype != DTYPE_F32 || v->bytes != kernel_bytes(s->k, t))
        return false;
    for (long i = 0; i < kernel_elems(s->k, t); i++)
        if (((const uint32_t *)v->data)[i] == bits)
            return false;
    return true;
}

/* The sum, where op is its sum with a constant that is never -0, or its difference to one that is never 0: products that are not
   rounded have their guards outside. */
static int loosened(struct same *s, int op, int sum, int constant)
{
    struct cell_ex x = s->node.a[sum];
    int term;

    if (x.kind != EX_REDUCE || x.op != RED_SUM || !is_never(s, constant, op == FN_ADD ? 0x80000000 : 0))
        return sum;
    term = guard_outside(s, FN_EXACT, x.a);
    if (term < 0 || term == x.a)
        return term < 0 ? -1 : sum;
    x.a = term;
    return add_node(s, x);
}

static int read_reduce(struct same *s, const struct frame *f, const struct ex *e, int loops, int depth)
{
    struct cell_ex x = {.kind = EX_REDUCE, .op = e->op, .b = -1, .first = s->list.n, .n = e->n};
    const int *var = f->k->pool.a + e->first;

    for (int i = 0; i < e->n; i++) {
        long extent = f->k->var.a[f->k->stmt.a[f->stmt].var + var[i]].extent;
        int at = level(s, loops + i, extent);
        if (at < 0 || !push(s, &s->list, (int)extent))
            return -1;
        s->env.a[f->base + var[i]] = at;
    }
    x.a = read_ex(s, f, e->a, loops + e->n, depth + 1);
    if (x.a >= 0 && e->op == RED_SUM)
        x.a = guard_outside(s, FN_MUL, x.a);
    if (x.a >= 0 && e->op == RED_SUM)
        x.a = unmasked(s, x.a);
    return x.a < 0 ? -1 : add_node(s, x);
}

/* The expression under so many loops. */
static int read_ex(struct same *s, const struct frame *f, int id, int loops, int depth)
{
    const struct ex *e = &f->k->ex.a[id];
    struct cell_ex x = {.kind = e->kind, .op = e->op, .a = -1, .b = -1};

    if (!step(s, depth))
        return -1;
    switch (e->kind) {
    case EX_LOAD: return read_load(s, f, e, loops, depth);
    case EX_SELECT: return read_select(s, f, e, loops, depth);
    case EX_REDUCE: return read_reduce(s, f, e, loops, depth);
    case EX_CONST:
        x.op = 0;
        x.num = number(s->k->type, e->num);
        return add_node(s, x);
    default:
        x.a = read_ex(s, f, e->a, loops, depth + 1);
        if (x.a >= 0 && e->b >= 0)
            x.b = read_ex(s, f, e->b, loops, depth + 1);
        if (x.a >= 0 && x.b >= 0 && (e->op == FN_ADD || e->op == FN_SUB))
            x.a = loosened(s, e->op, x.a, x.b);
        return x.a < 0 || (e->b >= 0 && x.b < 0) ? -1 : add_node(s, x);
    }
}

static bool is_same(struct same *s, int i, int j, int depth)
{
    const struct cell_ex *x = &s->node.a[i], *y = &s->node.a[j];

    if (!step(s, depth) || x->kind != y->kind || x->op != y->op || x->n != y->n || x->num != y->num || (x->b < 0) != (y->b < 0))
        return false;
    for (int d = 0; d < x->n; d++) {
        const struct cond *c = s->cond.a + x->first + d, *e = s->cond.a + y->first + d;
        if (x->kind == EX_SELECT ? c->op != e->op || c->a != e->a : s->list.a[x->first + d] != s->list.a[y->first + d])
            return false;
    }
    return (x->a < 0 || is_same(s, x->a, y->a, depth + 1)) && (x->b < 0 || is_same(s, x->b, y->b, depth + 1));
}

/* ---- statements ---- */

/* What a kernel stores in tensor t at the indices of its loops. */
static int read_stored(struct same *s, bool changed, int t)
{
    const struct kernel *k = changed ? s->q : s->k;
    struct frame f = {k, s->at[changed][t], 0, changed};
    const struct kernel_stmt *x = &k->stmt.a[f.stmt];
    int rank = k->tensor.a[t].rank;

    s->env.n = 0;
    for (int i = 0; i < x->nvar; i++)
        if (!push(s, &s->env, i < rank ? level(s, i, k->tensor.a[t].dim[i]) : 0))
            return -1;
    return read_ex(s, &f, x->body, rank, 0);
}

static void compare(struct same *s, int t)
{
    int a, b;

    aff_free(&s->aff);
    aff_init(&s->aff, s->mem, &s->vars, &s->loops);
    s->vars.var.n = s->node.n = s->cond.n = s->list.n = 0;
    s->steps = 0;
    a = read_stored(s, false, t);
    b = a < 0 ? -1 : read_stored(s, true, t);
    if (b >= 0 && !is_same(s, a, b, 0))
        wrong(s, "it computes another cell");
}

/* Where the tensors of a kernel are stored: once each. */
static void find_stores(struct same *s, bool changed)
{
    const struct kernel *k = changed ? s->q : s->k;

    for (int t = 0; t < k->tensor.n; t++)
        s->at[changed][t] = -1;
    for (int i = 0; i < k->stmt.n; i++) {
        int *at = &s->at[changed][k->stmt.a[i].out];
        if (*at >= 0)
            wrong(s, "a tensor is stored twice");
        *at = i;
    }
}

/* ---- packed constants ---- */

/* Are the packed tensor's dimensions those of the original one without `place`, then that one, or its panels? */
static bool has_order(const struct kernel_tensor *t, const struct kernel_tensor *u, const struct packed *e)
{
    int panels = e->cells > 0;

    if (e->cells < 0 || e->place < 0 || e->place >= t->rank || e->n != t->dim[e->place] || u->rank != t->rank + panels)
        return false;
    for (int d = 0; d + 1 < t->rank; d++)
        if (u->dim[panels + d] != t->dim[d < e->place ? d : d + 1])
            return false;
    return panels ? u->dim[u->rank - 1] == e->cells && u->dim[0] * e->cells >= e->n : u->dim[u->rank - 1] >= e->n;
}

/* x[j][i] = from[i][j] for i < n, with rows of `cells` and of `rows` cells, and zero for the other i < cells? In blocks, as
   either is read along its lines. */
static bool is_turned(const uint32_t *x, long cells, const uint32_t *from, long rows, long n)
{
    for (long i0 = 0; i0 < n; i0 += BLOCK)
        for (long j0 = 0; j0 < rows; j0 += BLOCK) {
            uint32_t other = 0;
            for (long i = i0; i < i0 + BLOCK && i < n; i++)
                for (long j = j0; j < j0 + BLOCK && j < rows; j++)
                    other |= x[j * cells + i] ^ from[i * rows + j];
            if (other)
                return false;
        }
    for (long j = 0; j < rows; j++)
        for (long i = n; i < cells; i++)
            if (x[j * cells + i] != 0)
                return false;
    return true;
}

/* Is each cell of the packed data the original's at its place, and zero where there is none? */
static bool has_data(const struct kernel_tensor *t, const struct kernel_tensor *u, const struct packed *e, const uint32_t *from)
{
    const uint32_t *x = e->data;
    long cells = u->dim[u->rank - 1], panels = e->cells > 0 ? u->dim[0] : 1, before = 1, behind = 1;

    for (int d = 0; d < t->rank; d++)
        *(d < e->place ? &before : &behind) *= d == e->place ? 1 : t->dim[d];
    for (long q = 0; q < panels; q++)
        for (long r = 0; r < before; r++, x += behind * cells) {
            long first = q * cells < e->n ? q * cells : e->n, n = e->n - first < cells ? e->n - first : cells;
            if (!is_turned(x, cells, from + (r * e->n + first) * behind, behind, n))
                return false;
        }
    return true;
}

static void check_packed(struct same *s, const struct packed *e)
{
    const bool known = e->tensor >= 0 && e->tensor < s->k->tensor.n;
    const struct kernel_tensor *t = s->k->tensor.a + (known ? e->tensor : 0), *u = s->q->tensor.a + (known ? e->tensor : 0);
    const struct tensor *v = known ? s->c->value[e->tensor] : NULL;

    if (!v || s->k->type != KERNEL_F32 || v->dtype != DTYPE_F32 || t->elem != ELEM_OWN || t->role != KERNEL_IN ||
        s->at[0][e->tensor] >= 0 || v->bytes != kernel_bytes(s->k, e->tensor) || entry_of(s, e->tensor) != e)
        wrong(s, "what is packed is no constant");
    else if (!has_order(t, u, e))
        wrong(s, "a packed constant has another shape");
    else if (kernel_elems(s->q, e->tensor) > 0 && (!e->data || !has_data(t, u, e, v->data)))
        wrong(s, "the data of a packed constant are others");
}

/* ---- both kernels ---- */

/* Have they the same tensors, but for packed ones and those that were added, and does each store the same ones? */
static void check_tensors(struct same *s)
{
    if (s->q->tensor.n < s->k->tensor.n)
        wrong(s, "a tensor is missing");
    for (int t = 0; t < s->k->tensor.n && !s->why; t++) {
        const struct kernel_tensor *x = &s->k->tensor.a[t], *y = &s->q->tensor.a[t];
        bool shape = x->rank == y->rank && memcmp(x->dim, y->dim, (size_t)x->rank * sizeof *x->dim) == 0;
        if (x->role != y->role || x->elem != y->elem || (!shape && !entry_of(s, t)))
            wrong(s, "a tensor has another shape");
        if ((s->at[0][t] < 0) != (s->at[1][t] < 0))
            wrong(s, "another tensor is stored");
    }
}

static void check_all(struct same *s)
{
    if (s->q->type != s->k->type || (s->k->type != KERNEL_F32 && s->k->type != KERNEL_F64))
        wrong(s, "it computes on other numbers");
    if (kernel_looks_up(s->k) || kernel_looks_up(s->q))
        wrong(s, "it looks up by data");
    find_stores(s, false);
    find_stores(s, true);
    if (!s->why)
        check_tensors(s);
    for (int i = 0; i < s->p->n && !s->why; i++)
        check_packed(s, &s->p->a[i]);
    for (int t = 0; t < s->k->tensor.n && !s->why && s->status == CALQUE_OK; t++)
        if (s->at[0][t] >= 0)
            compare(s, t);
}

static const char too_large[] = "a cell is too large to be compared";

static enum calque_status refuse(struct diag *d, const char *why)
{
    return diag_set(d, CALQUE_NO, "", 0, 0, "packed: %s", why);
}

enum calque_status pack_check(const struct kernel *k, const struct kernel *q, const struct pack_const *c, const struct pack *p,
                              struct diag *d)
{
    struct same s = {.mem = k->mem, .k = k, .q = q, .c = c, .p = p};
    struct diag bounds;
    enum calque_status st = kernel_check(k, &bounds);

    if (st == CALQUE_OK)
        st = kernel_check(q, &bounds);
    if (st != CALQUE_OK)
        return st == CALQUE_NOMEM ? diag_nomem(d) : refuse(d, st == CALQUE_LIMIT ? too_large : "it may read outside of a tensor");
    kernel_init(&s.vars, k->mem, k->strs, k->type);
    aff_init(&s.aff, k->mem, &s.vars, &s.loops);
    s.at[0] = mem_zero(k->mem, (size_t)k->tensor.n + 1, sizeof *s.at[0]);
    s.at[1] = mem_zero(k->mem, (size_t)q->tensor.n + 1, sizeof *s.at[1]);
    s.finite = mem_zero(k->mem, (size_t)k->tensor.n + 1, sizeof *s.finite);
    if (s.at[0] && s.at[1] && s.finite)
        check_all(&s);
    else
        s.status = CALQUE_NOMEM;
    st = s.status == CALQUE_NOMEM ? diag_nomem(d)
         : s.why                  ? refuse(d, s.why)
         : s.status != CALQUE_OK  ? refuse(d, too_large)
                                  : CALQUE_OK;
    aff_free(&s.aff);
    kernel_free(&s.vars);
    mem_free(s.at[0]);
    mem_free(s.at[1]);
    mem_free(s.finite);
    mem_free(s.node.a);
    mem_free(s.cond.a);
    ints_free(&s.list);
    ints_free(&s.env);
    return st;
}
