/* Kernels brought into a form that tiles well, by what is known of constant operands:
   - padding: sum select(inside, X * W, 0) with finite constant W becomes sum T * W, where T is X with zeros around it: the
     added terms are 0 * w, which is +0 or -0, and a sum from +0 that is never -0 keeps its bits; a fused sum may be -0: where that
     can be told in what comes out, T * min(W, M), M being inf inside and -1 outside, so that the added terms are -0;
   - packing: W is stored with the dimension last that the vectors go along;
   - rounding: the statement is computed for some more cells than there are, so that tiles divide them, into a temporary
     that is then copied; X is padded, W packed, or padded where it is no constant, and other constants get zeros for what these
     cells read. Where it reads more than constants beside the sum, only the sum is.
   All only when the statement is lowered to tiles afterwards, with a better score than as it is. */
#include "emit/module.h"
#include "kernel/affine.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum {
    PAD_GROWTH = 4,   /* the padded tensor is at most so many times larger */
    PAD_DEPTH = 100,
    ROUND_MOST = 8,   /* cells more of the dimension beside the vectors */
    ROUND_LANES = 16
};
#define ROUND_GAIN 1.15 /* what the additional copies of the operand and of the result are worth at least */

struct packer {
    struct kernel *k;   /* changed */
    const struct pack_const *constant;
    struct pack *out;
    struct diag *d;
};

/* The only reduction of the expression, which may occur several times: a sum; -1: none, -2: several. */
static int find_sum(const struct kernel *k, int id, int depth)
{
    const struct ex *e = &k->ex.a[id];
    int a, b;

    if (depth > PAD_DEPTH)
        return -2;
    switch (e->kind) {
    case EX_REDUCE: return e->op == RED_SUM ? id : -2;
    case EX_CALL: case EX_SELECT:
        a = find_sum(k, e->a, depth + 1);
        b = e->b >= 0 ? find_sum(k, e->b, depth + 1) : -1;
        return a == -2 || b == -2 || (a >= 0 && b >= 0 && a != b) ? -2 : a >= 0 ? a : b;
    default: return -1;
    }
}

static bool is_load(const struct kernel *k, int id)
{
    return id >= 0 && k->ex.a[id].kind == EX_LOAD && k->tensor.a[k->ex.a[id].op].elem == ELEM_OWN;
}

/* Adds the loads of the tensor below an expression to *n, each node once: *one is the first one found. More than one
   counts as 2. */
static void loads_below(const struct kernel *k, int id, int tensor, int depth, int *one, int *n)
{
    const struct ex *e = &k->ex.a[id];

    if (depth > PAD_DEPTH)
        *n = 2;
    if (depth > PAD_DEPTH || e->kind == EX_CONST || *n > 1)
        return;
    if (e->kind == EX_LOAD) {
        if (e->op == tensor && *one != id) {
            ++*n;
            *one = id;
        }
        return;
    }
    loads_below(k, e->a, tensor, depth + 1, one, n);
    if (e->kind != EX_REDUCE && e->b >= 0)
        loads_below(k, e->b, tensor, depth + 1, one, n);
}

int pack_loads_of(const struct kernel *k, int tensor)
{
    int n = 0, one = -1;

    for (int s = 0; s < k->stmt.n; s++)
        loads_below(k, k->stmt.a[s].body, tensor, 0, &one, &n);
    return n;
}

/* A constant tensor that one load reads. */
static const struct tensor *constant(const struct packer *q, int load)
{
    int t = q->k->ex.a[load].op;

    return q->k->tensor.a[t].role == KERNEL_IN && pack_loads_of(q->k, t) == 1 ? q->constant->value[t] : NULL;
}

static bool is_finite(const struct tensor *t)
{
    const float *x = t->data;

    if (t->dtype != DTYPE_F32)
        return false;
    for (long i = 0; i < shape_elems(&t->shape); i++)
        if (!isfinite(x[i]))
            return false;
    return true;
}

/* What the load's indices reach, and that each condition is one of them being in its dimension. */
struct reach {
    struct span at[KERNEL_RANK_MAX];
    bool outside; /* some can be outside */
};

static bool find_reach(struct aff *a, const struct kernel *k, const struct ex *select, const struct ex *load, struct reach *r)
{
    const struct kernel_tensor *t = &k->tensor.a[load->op];
    int form[KERNEL_RANK_MAX];

    r->outside = false;
    for (int d = 0; d < load->n; d++) {
        form[d] = aff_of(a, k->pool.a[load->first + d]);
        if (form[d] < 0)
            return false;
        r->at[d] = aff_span(a, form[d]);
        r->outside = r->outside || r->at[d].lo < 0 || r->at[d].hi >= t->dim[d];
    }
    for (int c = 0; c < select->n; c++) {
        const struct cond *x = &k->cond.a[select->first + c];
        int left = aff_of(a, x->a), right = aff_of(a, x->b);
        bool found = false;
        for (int d = 0; d < load->n && left >= 0 && right >= 0; d++)
            found = found || (left == form[d] && ((x->op == CMP_GE && right == aff_const(a, 0)) ||
                                                  (x->op == CMP_LT && right == aff_const(a, t->dim[d])))) ||
                    (right == form[d] && x->op == CMP_LE && left == aff_const(a, 0));
        if (!found)
            return false;
    }
    return r->outside;
}

/* The dimensions and first index of the padded tensor. */
static bool padded_dims(const struct kernel *k, const struct ex *load, const struct reach *r, long *dim, long *lo)
{
    const struct kernel_tensor *t = &k->tensor.a[load->op];
    double cells = 1;

    for (int d = 0; d < load->n; d++) {
        bool grows = r->at[d].lo < 0 || r->at[d].hi >= t->dim[d];
        lo[d] = grows && r->at[d].lo < 0 ? r->at[d].lo : 0;
        dim[d] = (grows && r->at[d].hi >= t->dim[d] ? r->at[d].hi + 1 : t->dim[d]) - lo[d];
        cells *= (double)dim[d];
    }
    return cells <= PAD_GROWTH * (double)kernel_elems(k, load->op);
}

/* index + k in the kernel; -1: out of memory. */
static int plus(struct kernel *k, int index, long by)
{
    int c = by == 0 ? 0 : kernel_ix(k, (struct ix){IX_CONST, -1, -1, by});

    return by == 0 || c < 0 ? (by == 0 ? index : -1) : kernel_ix(k, (struct ix){IX_ADD, index, c, 0});
}

/* T[t..] = select(t + lo inside X, X[t + lo], 0), as statement `at`; a mask: select(t + lo inside X, inf, -1). */
static bool add_padding(struct kernel *k, int at, int from, int to, const long *lo, bool mask)
{
    struct kernel_tensor x = k->tensor.a[from], t = k->tensor.a[to];
    struct kernel_stmt s = {.out = to, .var = k->var.n, .nvar = t.rank};
    struct ex load = {.kind = EX_LOAD, .op = from, .a = -1, .b = -1, .n = x.rank}, zero = {.kind = EX_CONST, .a = -1, .b = -1};
    struct ex select = {.kind = EX_SELECT, .first = k->cond.n};
    int ix[KERNEL_RANK_MAX];
    char name[16];

    if (!vec_room(k->mem, &k->var, t.rank) || !vec_room(k->mem, &k->cond, 2 * t.rank) || !vec_room(k->mem, &k->stmt, 1))
        return false;
    for (int d = 0; d < t.rank; d++) {
        int v = kernel_ix(k, (struct ix){IX_VAR, -1, -1, d});
        snprintf(name, sizeof name, "t%d", d);
        k->var.a[k->var.n].name = strs_addz(k->strs, name);
        k->var.a[k->var.n++].extent = t.dim[d];
        ix[d] = v < 0 ? -1 : plus(k, v, lo[d]);
        if (ix[d] < 0 || k->var.a[k->var.n - 1].name < 0)
            return false;
        for (int side = 0; side < 2; side++) {
            int bound = kernel_ix(k, (struct ix){IX_CONST, -1, -1, side ? x.dim[d] : 0});
            if (bound < 0)
                return false;
            if (side ? t.dim[d] + lo[d] > x.dim[d] : lo[d] < 0)
                k->cond.a[k->cond.n++] = (struct cond){side ? CMP_LT : CMP_GE, ix[d], bound};
        }
    }
    select.n = k->cond.n - select.first;
    load.first = k->pool.n;
    for (int d = 0; d < x.rank; d++)
        if (!ints_push(k->mem, &k->pool, ix[d]))
            return false;
    if (mask)
        load = (struct ex){.kind = EX_CONST, .a = -1, .b = -1, .num = (double)INFINITY};
    zero.num = mask ? -1 : 0;
    select.a = kernel_ex(k, load);
    select.b = kernel_ex(k, zero);
    s.body = select.a < 0 || select.b < 0 ? -1 : kernel_ex(k, select);
    if (s.body < 0)
        return false;
    memmove(k->stmt.a + at + 1, k->stmt.a + at, (size_t)(k->stmt.n - at) * sizeof s);
    k->stmt.a[at] = s;
    k->stmt.n++;
    return true;
}

int pack_new_temp(struct kernel *k, int rank, const long *dim)
{
    char name[24];
    int id;

    snprintf(name, sizeof name, "P%d", k->tensor.n);
    id = strs_addz(k->strs, name);
    return id < 0 ? -1 : kernel_add_tensor(k, id, KERNEL_TEMP, rank, dim);
}

bool pack_find_product(const struct kernel *k, int stmt, struct product *p)
{
    const struct ex *e;

    p->sum = find_sum(k, k->stmt.a[stmt].body, 0);
    if (p->sum < 0 || k->type != KERNEL_F32)
        return false;
    p->select = -1;
    p->at = k->ex.a[p->sum].a;
    e = &k->ex.a[p->at];
    if (e->kind == EX_SELECT) {
        if (k->ex.a[e->b].kind != EX_CONST || k->ex.a[e->b].num != 0.0)
            return false;
        p->select = p->at;
        p->at = e->a;
        e = &k->ex.a[p->at];
    }
    p->x = e->a;
    p->w = e->b;
    return e->kind == EX_CALL && (e->op == FN_MUL || e->op == FN_EXACT) && is_load(k, p->x) && is_load(k, p->w) && k->ex.a[p->x].n > 0;
}

/* Is the sum only the left operand of + with a constant without -0, or of - with one without 0? Then it may be -0 or 0: what
   comes out is the same. */
static bool added_to(const struct packer *q, int id, int sum, int depth)
{
    const struct kernel *k = q->k;
    const struct ex *e = &k->ex.a[id];
    const struct tensor *t;

    if (id == sum || depth > PAD_DEPTH)
        return false;
    if (e->kind != EX_CALL && e->kind != EX_SELECT)
        return true;
    if (e->kind != EX_CALL || (e->op != FN_ADD && e->op != FN_SUB) || e->a != sum)
        return added_to(q, e->a, sum, depth + 1) && (e->b < 0 || added_to(q, e->b, sum, depth + 1));
    t = is_load(k, e->b) && k->tensor.a[k->ex.a[e->b].op].role == KERNEL_IN ? q->constant->value[k->ex.a[e->b].op] : NULL;
    if (!t || t->dtype != DTYPE_F32)
        return false;
    for (long i = 0; i < shape_elems(&t->shape); i++)
        if (((const uint32_t *)t->data)[i] == (e->op == FN_ADD ? 0x80000000 : 0))
            return false;
    return true;
}

/* May the nodes of select(c, exact(x, w), -0) be used for exact(T, min(w, M))? */
static bool is_own_choice(const struct kernel *k, const struct product *p)
{
    int other = k->ex.a[p->select].b, uses = 0;

    for (int i = 0; i < k->ex.n; i++)
        if (k->ex.a[i].kind != EX_CONST && k->ex.a[i].kind != EX_LOAD)
            uses += (k->ex.a[i].a == other) + (k->ex.a[i].kind != EX_REDUCE && k->ex.a[i].b == other);
    return p->at < other && other < p->select && uses == 1;
}

/* Zeros around X would make a fused sum 0 that is -0. With M, inf where X is and -1 around it, exact(T, min(w, M)) is the product
   or, as w or -1 is less than 0, -0. T is read at indices pool[first..]. */
static bool add_mask(struct kernel *k, int at, const struct product *p, const struct ex *load, const long *dim, const long *lo, int first)
{
    const struct kernel_tensor *x = &k->tensor.a[load->op];
    struct ex mask = {.kind = EX_LOAD, .a = -1, .b = -1, .n = load->n}, least = {.kind = EX_CALL, .op = FN_MIN};
    struct ex exact = {.kind = EX_CALL, .op = FN_EXACT, .a = p->x};
    long size[KERNEL_RANK_MAX];
    int from = load->op, zero = kernel_ix(k, (struct ix){IX_CONST, -1, -1, 0});

    for (int d = 0; d < load->n; d++)
        size[d] = lo[d] < 0 || dim[d] > x->dim[d] ? dim[d] : 1;
    mask.op = pack_new_temp(k, load->n, size);
    mask.first = k->pool.n;
    for (int d = 0; d < load->n; d++)
        if (!ints_push(k->mem, &k->pool, size[d] == 1 ? zero : k->pool.a[first + d]))
            return false;
    if (zero < 0 || mask.op < 0 || !add_padding(k, at, from, mask.op, lo, true))
        return false;
    least.a = p->w;
    least.b = p->at;
    exact.b = k->ex.a[p->select].b;
    k->ex.a[p->at] = mask;
    k->ex.a[exact.b] = least;
    k->ex.a[p->select] = exact;
    k->ex.a[p->sum].a = p->select;
    return true;
}

/* X's load over a copy of X with zeros around it. CALQUE_NO: there is nothing to pad, or it is not to be. */
static enum calque_status pad(struct packer *q, int at, const struct product *p)
{
    struct kernel *k = q->k;
    struct ex load = k->ex.a[p->x], select = {.n = 0};
    long dim[KERNEL_RANK_MAX], lo[KERNEL_RANK_MAX];
    struct reach r;
    struct aff a;
    int first, t;
    bool good, masked = p->select >= 0 && k->ex.a[p->at].op == FN_EXACT && !added_to(q, k->stmt.a[at].body, p->sum, 0);

    if (p->select >= 0)
        select = k->ex.a[p->select];
    if (p->select >= 0 && (!constant(q, p->w) || !is_finite(constant(q, p->w))))
        return CALQUE_NO;
    if (masked && !is_own_choice(k, p))
        return CALQUE_NO;
    aff_init(&a, k->mem, k, &k->stmt.a[at]);
    good = find_reach(&a, k, &select, &load, &r) && padded_dims(k, &load, &r, dim, lo);
    t = a.status == CALQUE_NOMEM ? -1 : 0;
    aff_free(&a);
    if (t < 0)
        return diag_nomem(q->d);
    if (!good)
        return CALQUE_NO;
    t = pack_new_temp(q->k, load.n, dim);
    first = k->pool.n;
    for (int d = 0; d < load.n && t >= 0; d++) {
        int i = plus(k, k->pool.a[load.first + d], -lo[d]);
        if (i < 0 || !ints_push(k->mem, &k->pool, i))
            t = -1;
    }
    if (t < 0 || !add_padding(k, at, load.op, t, lo, false))
        return diag_nomem(q->d);
    k->ex.a[p->x].op = t;
    k->ex.a[p->x].first = first;
    if (masked)
        return add_mask(k, at, p, &load, dim, lo, first) ? CALQUE_OK : diag_nomem(q->d);
    k->ex.a[p->sum].a = p->at;
    return CALQUE_OK;
}

static void add_packed(struct packer *q, int tensor, int place)
{
    q->out->a[q->out->n++] = (struct packed){.tensor = tensor, .place = place, .n = q->k->tensor.a[tensor].dim[place]};
}

/* Moves dimension p of the constant's tensor behind the others, in the table and in its load. */
static void move_last(struct kernel *k, int load, int p)
{
    struct kernel_tensor *t = &k->tensor.a[k->ex.a[load].op];
    int *at = k->pool.a + k->ex.a[load].first, index = at[p];
    long dim = t->dim[p];

    for (int i = p; i + 1 < t->rank; i++) {
        t->dim[i] = t->dim[i + 1];
        at[i] = at[i + 1];
    }
    t->dim[t->rank - 1] = dim;
    at[t->rank - 1] = index;
}

/* And back. */
static void move_back(struct kernel *k, int load, int p)
{
    for (int i = p; i + 1 < k->tensor.a[k->ex.a[load].op].rank; i++)
        move_last(k, load, p);
}

/* Tries each dimension of the constant operands as the last one; *score becomes the best tiling's. */
static void choose_packing(struct packer *q, int at, const struct product *x, double *score)
{
    struct kernel *k = q->k;
    int load = -1, place = -1;

    for (int side = 0; side < 2; side++) {
        int id = side ? x->x : x->w;
        if (!constant(q, id) || k->ex.a[id].n != k->tensor.a[k->ex.a[id].op].rank)
            continue;
        for (int p = 0; p + 1 < k->ex.a[id].n; p++) {
            double better;
            move_last(k, id, p);
            better = lower_tile_score(k, at);
            move_back(k, id, p);
            if (better > *score) {
                *score = better;
                load = id;
                place = p;
            }
        }
    }
    if (load < 0)
        return;
    add_packed(q, k->ex.a[load].op, place);
    move_last(k, load, place);
}

/* Sizes for the vectors' dimension v, which is W's dimension `place`, and for dimension j beside it. along: the vectors go along j,
   the last dimension, and W is left as it is. */
struct round {
    int v, j, place;
    long nv, nj;
    double score;
    bool along;
};

bool pack_load_uses(const struct kernel *k, int load, int var)
{
    const struct ex *e = &k->ex.a[load];

    for (int i = 0; i < e->n; i++)
        for (int at = k->pool.a[e->first + i], stack[PAD_DEPTH], n = 0;;) { /* the index's tree */
            const struct ix *x = &k->ix.a[at];
            if (x->kind == IX_VAR && x->k == var)
                return true;
            if ((x->kind == IX_ADD || x->kind == IX_SUB) && n < PAD_DEPTH)
                stack[n++] = x->b;
            if (x->kind != IX_VAR && x->kind != IX_CONST)
                at = x->a;
            else if (n > 0)
                at = stack[--n];
            else
                break;
        }
    return false;
}

static void try_sizes(const struct kernel *k, const struct kernel_stmt *s, double terms, struct round x, struct round *best)
{
    const struct kernel_var *var = k->var.a + s->var;
    long v = var[x.v].extent, j = var[x.j].extent;

    for (long whole = 0; whole <= 2 * ROUND_LANES; whole += ROUND_LANES)
        for (x.nj = j; x.nj <= j + ROUND_MOST && x.nj <= j + j / 4; x.nj++) {
            x.nv = whole ? (v + whole - 1) / whole * whole : v;
            if (x.nv > v + v / 4)
                continue;
            x.score = lower_part_score(k->type, x.nv, x.nj, false, terms, NULL) * (double)v / (double)x.nv * (double)j /
                      (double)x.nj;
            if (x.score > best->score)
                *best = x;
        }
}

/* The best sizes, when larger ones than there are pay. */
static bool find_round(const struct packer *q, int at, const struct product *p, double score, struct round *best)
{
    const struct kernel *k = q->k;
    const struct kernel_stmt *s = &k->stmt.a[at];
    const struct ex *w = &k->ex.a[p->w], *sum = &k->ex.a[p->sum];
    int rank = k->tensor.a[s->out].rank;
    bool given = !constant(q, p->w);
    double terms = 1;

    best->score = score * ROUND_GAIN;
    best->v = -1;
    if ((given && p->select >= 0) || w->n != k->tensor.a[w->op].rank)
        return false;
    for (int i = 0; i < sum->n; i++)
        terms *= (double)k->var.a[s->var + k->pool.a[sum->first + i]].extent;
    for (int place = given ? w->n - 1 : 0; place < w->n; place++) { /* what is given stays in its order */
        const struct ix *x = &k->ix.a[k->pool.a[w->first + place]];
        if (x->kind != IX_VAR || x->k >= rank || pack_load_uses(k, p->x, (int)x->k))
            continue;
        for (int j = 0; j < rank; j++)
            if (j != x->k && !pack_load_uses(k, p->w, j) && pack_load_uses(k, p->x, j))
                try_sizes(k, s, terms, (struct round){.v = (int)x->k, .j = j, .place = place}, best);
    }
    return best->v >= 0 && (best->nv > k->var.a[s->var + best->v].extent || best->nj > k->var.a[s->var + best->j].extent);
}

/* Whole vectors along the last dimension, when that is X's alone. */
static bool find_along(const struct packer *q, int at, const struct product *p, struct round *r)
{
    const struct kernel *k = q->k;
    int j = k->tensor.a[k->stmt.a[at].out].rank - 1;
    long n = j < 1 ? 0 : k->var.a[k->stmt.a[at].var + j].extent, more = (n + ROUND_LANES - 1) / ROUND_LANES * ROUND_LANES;

    if (n == 0 || n == more || more > n + n / 4 || p->select >= 0 || !constant(q, p->w) || !pack_load_uses(k, p->x, j) ||
        pack_load_uses(k, p->w, j))
        return false;
    *r = (struct round){.v = 0, .nv = k->var.a[k->stmt.a[at].var].extent, .j = j, .nj = more, .along = true};
    return true;
}

/* Can the load be made at the cells beyond variable var's old extent too? Where it is at var itself, over a dimension of
   this extent, of a constant: that gets as many more. *place: that dimension; -1: the load is not at var at all. */
static bool extends(const struct packer *q, int load, int var, long extent, int *place)
{
    const struct kernel *k = q->k;
    const struct ex *e = &k->ex.a[load];

    *place = -1;
    if (k->tensor.a[e->op].elem != ELEM_OWN)
        return false;
    if (!pack_load_uses(k, load, var))
        return true;
    if (!constant(q, load) || constant(q, load)->dtype != DTYPE_F32)
        return false;
    for (int i = 0; i < e->n; i++) {
        const struct ix *x = &k->ix.a[k->pool.a[e->first + i]];
        if (x->kind == IX_VAR && x->k == var && *place < 0 && k->tensor.a[e->op].dim[i] == extent)
            *place = i;
        else if (x->kind != IX_CONST && (x->kind != IX_VAR || x->k == var))
            return false;
    }
    return *place >= 0;
}

/* Makes the loads outside of the sum fit for the larger sizes, or (try) asks whether they can be. */
static bool extend_loads(struct packer *q, int at, int id, const struct round *r, bool try, int *n, int depth)
{
    struct kernel *k = q->k;
    const struct ex *e = &k->ex.a[id];
    const int var[] = {r->v, r->j};
    const long size[] = {r->nv, r->nj};
    int more = 0, place;

    for (int i = 0; e->kind == EX_LOAD && i < q->out->n; i++)
        if (q->out->a[i].tensor == e->op)
            return true; /* it has been seen */
    if (e->kind == EX_CONST || e->kind == EX_REDUCE)
        return true;
    if (depth > PAD_DEPTH || e->kind == EX_SELECT)
        return false;
    if (e->kind != EX_LOAD)
        return extend_loads(q, at, e->a, r, try, n, depth + 1) &&
               (e->b < 0 || extend_loads(q, at, e->b, r, try, n, depth + 1));
    for (int i = 0; i < 2; i++) {
        long extent = k->var.a[k->stmt.a[at].var + var[i]].extent;
        if (size[i] == extent)
            continue;
        if (!extends(q, id, var[i], extent, &place))
            return false;
        if (place < 0)
            continue;
        if (++more > 1 || ++*n >= PACK_MAX)
            return false;
        if (!try) {
            add_packed(q, e->op, place);
            k->tensor.a[e->op].dim[place] = size[i];
            if (place + 1 < k->ex.a[id].n)
                move_last(k, id, place);
        }
    }
    return true;
}

/* S[..] = the sum, for the larger sizes, before statement `at`, which then reads S; S[..] = all of the statement, where its
   other loads can be made for these sizes too: then it only copies. */
static enum calque_status round_up(struct packer *q, int at, struct product *p, const struct round *r)
{
    struct kernel *k = q->k;
    struct kernel_stmt s = k->stmt.a[at], sums = s;
    struct kernel_tensor t = k->tensor.a[s.out];
    struct ex load = {.kind = EX_LOAD, .a = -1, .b = -1, .first = k->pool.n, .n = t.rank}, sum = k->ex.a[p->sum];
    bool all = extend_loads(q, at, s.body, r, true, &(int){0}, 0);

    if (all)
        extend_loads(q, at, s.body, r, false, &(int){0}, 0);
    sums.var = k->var.n;
    if (!vec_room(k->mem, &k->var, s.nvar) || !vec_room(k->mem, &k->stmt, 1))
        return diag_nomem(q->d);
    memcpy(k->var.a + k->var.n, k->var.a + s.var, (size_t)s.nvar * sizeof *k->var.a);
    k->var.n += s.nvar;
    k->var.a[sums.var + r->v].extent = t.dim[r->v] = r->nv;
    k->var.a[sums.var + r->j].extent = t.dim[r->j] = r->nj;
    load.op = sums.out = pack_new_temp(q->k, t.rank, t.dim);
    for (int d = 0; d < t.rank; d++) {
        int v = kernel_ix(k, (struct ix){IX_VAR, -1, -1, d});
        if (v < 0 || !ints_push(k->mem, &k->pool, v))
            return diag_nomem(q->d);
    }
    if (all)
        k->stmt.a[at].body = kernel_ex(k, load);
    else
        sums.body = kernel_ex(k, sum);
    if (sums.out < 0 || sums.body < 0 || k->stmt.a[at].body < 0)
        return diag_nomem(q->d);
    if (!all) {
        k->ex.a[p->sum] = load;
        p->sum = sums.body;
    }
    k->stmt.a[at].nvar = t.rank;
    memmove(k->stmt.a + at + 1, k->stmt.a + at, (size_t)(k->stmt.n - at) * sizeof s);
    k->stmt.a[at] = sums;
    k->stmt.n++;
    if (!constant(q, p->w) || r->along)
        return CALQUE_OK;
    add_packed(q, k->ex.a[p->w].op, r->place);
    k->tensor.a[k->ex.a[p->w].op].dim[r->place] = r->nv;
    if (r->place + 1 < k->ex.a[p->w].n)
        move_last(k, p->w, r->place);
    return CALQUE_OK;
}

enum calque_status pack_kernel(struct kernel *k, const struct pack_const *c, const double *beat, struct pack *out,
                               struct diag *d)
{
    struct packer q = {k, c, out, d};
    int at = k->stmt.n - 1;
    int n;
    double before;
    struct product p;
    struct round r = {.v = -1};
    enum calque_status st = CALQUE_OK;

    *out = (struct pack){.n = 0};
    if (at < 0 || !pack_find_product(k, at, &p))
        return CALQUE_NO;
    before = lower_tile_score(k, at);
    if (beat)
        st = find_round(&q, at, &p, *beat, &r) || find_along(&q, at, &p, &r) ? round_up(&q, at, &p, &r) : CALQUE_NO;
    n = k->stmt.n;
    if (st == CALQUE_OK)
        st = pad(&q, at, &p);
    else
        return st;
    if (st != CALQUE_NOMEM && beat && !constant(&q, p.w))
        st = pad(&q, at + k->stmt.n - n, &(struct product){.sum = p.sum, .at = p.at, .select = -1, .x = p.w, .w = p.x});
    if (st == CALQUE_NOMEM)
        return st;
    at += k->stmt.n - n; /* the padding comes before it */
    out->score = lower_tile_score(k, at);
    if (r.along)
        out->score *= (double)k->var.a[k->stmt.a[k->stmt.n - 1].var + r.j].extent / (double)r.nj / ROUND_GAIN;
    if (beat)
        return out->score > *beat ? CALQUE_OK : CALQUE_NO;
    choose_packing(&q, at, &p, &out->score);
    return out->score > before ? CALQUE_OK : CALQUE_NO;
}

enum calque_status pack_data(struct mem *mem, const struct kernel_tensor *t, const struct packed *p, const void *data,
                             void **out, struct diag *d)
{
    const int panels = p->cells > 0 ? 1 : 0;
    const long *dim = t->dim + panels; /* without the number of panels */
    int others = t->rank - 1 - panels;
    long n = t->dim[t->rank - 1] * (panels ? t->dim[0] : 1), cells = panels ? p->cells : n;
    long rows = 1, inner = 1; /* [rows][p->n][inner] of the old order */
    const float *from = data;
    float *to;

    for (int i = 0; i < others; i++)
        if (i < p->place)
            rows *= dim[i];
        else
            inner *= dim[i];
    to = mem_zero(mem, (size_t)(rows * n * inner), sizeof *to);
    if (!to)
        return diag_nomem(d);
    for (long r = 0; r < rows; r++)
        for (long i = 0; i < p->n; i++)
            for (long j = 0; j < inner; j++)
                to[(i / cells * rows * inner + r * inner + j) * cells + i % cells] = from[(r * p->n + i) * inner + j];
    *out = to;
    return CALQUE_OK;
}
