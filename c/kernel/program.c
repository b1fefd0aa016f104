/* A statement compiled for the lane interpreter (KE-Const, KE-Load, KE-Bin, KE-Fn, KE-Cmp, KE-And, KE-Sel, KE-Sum).
   Invariant: each cell has the operations of its expression in their order, so the bits do not depend on how cells
   are put on lanes. */
#include "kernel/program.h"

#include <string.h>

enum { DEPTH_BITS = 62 };

struct compiler {
    struct program *p;
    const struct kernel *k;
    const struct kernel_stmt *s;
    struct mem *mem;
    int rank;
    int *depth; /* by variable: of reduction variables in scope */
    int side;   /* of the term of a sum with exact products, what is compiled: 1 the left factor, 2 the right one; else 0 */
    int nest;
    enum calque_status status;
};

static int fail(struct compiler *c, enum calque_status st)
{
    if (c->status == CALQUE_OK)
        c->status = st;
    return -1;
}

/* What an atom varies with: the lanes, reduction variables (deps). */
struct kind {
    bool lane;
    unsigned long deps;
};

static struct kind form_kind(const struct compiler *c, int form);

static struct kind atom_kind(const struct compiler *c, int id)
{
    const struct aff_atom *x = &c->p->aff.atom.a[id];

    if (x->kind != IX_VAR)
        return form_kind(c, x->form);
    if (x->k >= c->rank)
        return (struct kind){false, 1ul << c->depth[x->k]};
    return (struct kind){x->k >= c->p->split, 0};
}

static struct kind form_kind(const struct compiler *c, int form)
{
    const struct aff_form *f = &c->p->aff.form.a[form];
    struct kind r = {false, 0};

    for (int i = 0; i < f->n; i++) {
        struct kind x = atom_kind(c, c->p->aff.term.a[f->first + i].atom);
        r.lane |= x.lane;
        r.deps |= x.deps;
    }
    return r;
}

static int level_of(unsigned long deps)
{
    int n = 0;

    for (; deps; deps >>= 1)
        n++;
    return n;
}

static int emit(struct compiler *c, struct ins x)
{
    if (!vec_room(c->mem, &c->p->ins, 1))
        return fail(c, CALQUE_NOMEM);
    x.mid = x.end = c->p->ins.n + 1;
    c->p->ins.a[c->p->ins.n] = x;
    return c->p->ins.n++;
}

/* The vector; one that changes inside reductions is computed by an instruction here. */
static int add_vec(struct compiler *c, struct vec v)
{
    struct program *p = c->p;
    struct ins x = {.op = INS_VEC, .fn = p->vec.n, .a = -1, .b = -1, .level = level_of(v.deps)};

    if (!vec_room(c->mem, &p->vec, 1))
        return fail(c, CALQUE_NOMEM);
    p->vec.a[p->vec.n++] = v;
    if (v.deps != 0 && emit(c, x) < 0)
        return -1;
    return p->vec.n - 1;
}

static bool same_vec(const struct program *p, const struct vec *a, const struct vec *b)
{
    if (a->deps != 0 || b->deps != 0 || a->kind != b->kind || a->k != b->k || a->n != b->n || a->value != b->value)
        return false;
    for (int i = 0; i < a->n; i++) {
        const struct vec_item *x = &p->item.a[a->first + i], *y = &p->item.a[b->first + i];
        if (x->vec != y->vec || x->c != y->c)
            return false;
    }
    return true;
}

/* The block-constant vector v, shared. */
static int share_vec(struct compiler *c, struct vec v)
{
    for (int i = 0; i < c->p->vec.n && v.deps == 0; i++)
        if (same_vec(c->p, &v, &c->p->vec.a[i]))
            return i;
    return add_vec(c, v);
}

static int compile_value(struct compiler *c, int form);

static int atom_vec(struct compiler *c, int id)
{
    struct aff_atom x = c->p->aff.atom.a[id];
    struct vec v = {.kind = VEC_COORD, .value = -1, .k = x.k, .unit = true};
    const struct value *w;

    if (x.kind == IX_VAR)
        return share_vec(c, v);
    v.kind = x.kind == IX_DIV ? VEC_DIV : VEC_MOD;
    v.value = compile_value(c, x.form);
    if (v.value < 0)
        return -1;
    w = &c->p->value.a[v.value];
    v.deps = w->deps;
    v.unit = w->n0 == 0 && w->n == 0 && (w->vec < 0 || c->p->vec.a[w->vec].unit);
    return share_vec(c, v);
}

/* Cells between neighbours along dimension d of the output. */
static long lane_stride(const struct compiler *c, int d)
{
    const struct kernel_tensor *t = &c->k->tensor.a[c->s->out];
    long n = 1;

    for (int i = d + 1; i < t->rank; i++)
        n *= t->dim[i];
    return n;
}

/* Are the n lane terms those of the cell's number in its unit? */
static bool is_flat(const struct compiler *c, const struct aff_term *x, int n)
{
    const struct kernel_tensor *t = &c->k->tensor.a[c->s->out];
    int found = 0;

    for (int i = 0; i < n; i++) {
        const struct aff_atom *a = &c->p->aff.atom.a[x[i].atom];
        if (a->kind != IX_VAR || x[i].c != lane_stride(c, (int)a->k))
            return false;
    }
    for (int d = c->p->split; d < t->rank; d++)
        found += t->dim[d] > 1;
    return found == n;
}

/* The vector of the lane terms x[0..n-1], n > 0. */
static int sum_vec(struct compiler *c, const struct aff_term *x, int n)
{
    struct program *p = c->p;
    struct vec v = {.kind = VEC_FLAT, .value = -1, .unit = true};
    int one;

    if (is_flat(c, x, n))
        return share_vec(c, v);
    if (n == 1 && x->c == 1)
        return atom_vec(c, x->atom);
    v.kind = VEC_SUM;
    v.n = n;
    if (!vec_room(c->mem, &p->item, n))
        return fail(c, CALQUE_NOMEM);
    v.first = p->item.n;
    p->item.n += n;
    for (int i = 0; i < n; i++) {
        if ((one = atom_vec(c, x[i].atom)) < 0)
            return -1;
        p->item.a[v.first + i] = (struct vec_item){one, x[i].c};
        v.deps |= p->vec.a[one].deps;
        v.unit = v.unit && p->vec.a[one].unit;
    }
    return share_vec(c, v);
}

static int push_term(struct compiler *c, struct aff_term x)
{
    if (!vec_room(c->mem, &c->p->term, 1))
        return fail(c, CALQUE_NOMEM);
    c->p->term.a[c->p->term.n++] = x;
    return 0;
}

static int compile_value(struct compiler *c, int form)
{
    struct program *p = c->p;
    struct aff_form f = p->aff.form.a[form];
    struct value v = {.vec = -1, .k = f.k};
    struct aff_term *lane;
    int n = 0;

    lane = mem_zero(c->mem, (size_t)f.n, sizeof *lane);
    if (!lane)
        return fail(c, CALQUE_NOMEM);
    for (int i = 0; i < f.n; i++)
        if (atom_kind(c, p->aff.term.a[f.first + i].atom).lane)
            lane[n++] = p->aff.term.a[f.first + i];
    v.vec = n > 0 ? sum_vec(c, lane, n) : -1;
    mem_free(lane);
    if (c->status != CALQUE_OK)
        return -1;
    v.first = p->term.n;
    for (int pass = 0; pass < 2; pass++)
        for (int i = 0; i < f.n; i++) {
            struct aff_term x = p->aff.term.a[f.first + i];
            struct kind kind = atom_kind(c, x.atom);
            if (kind.lane || (kind.deps != 0) != (pass == 1))
                continue;
            if (push_term(c, x) < 0)
                return -1;
            v.n0 += pass == 0;
            v.n += pass == 1;
            v.deps |= kind.deps;
        }
    v.deps |= v.vec >= 0 ? p->vec.a[v.vec].deps : 0;
    if (!vec_room(c->mem, &p->value, 1))
        return fail(c, CALQUE_NOMEM);
    p->value.a[p->value.n] = v;
    return p->value.n++;
}

/* The form of the cell a load reads, row-major. */
static int flat_form(struct compiler *c, const struct ex *e)
{
    const struct kernel_tensor *t = &c->k->tensor.a[e->op];
    struct aff *aff = &c->p->aff;
    int f = aff_const(aff, 0);
    long stride = 1;

    for (int i = e->n - 1; i >= 0 && f >= 0; i--) {
        int g = aff_of(aff, c->k->pool.a[e->first + i]);
        f = aff_add(aff, f, g, stride);
        stride *= t->dim[i] > 0 ? t->dim[i] : 1;
    }
    return f < 0 ? fail(c, aff->status) : f;
}

static int compile_ex(struct compiler *c, int id, unsigned long *deps);

static int compile_load(struct compiler *c, const struct ex *e, unsigned long *deps)
{
    struct ins x = {.op = INS_LOAD, .fn = e->op, .a = -1, .b = -1};
    int form = flat_form(c, e);

    if (form < 0 || (x.value = compile_value(c, form)) < 0)
        return -1;
    *deps = c->p->value.a[x.value].deps;
    x.level = level_of(*deps);
    return emit(c, x);
}

static int compile_select(struct compiler *c, const struct ex *e, unsigned long *deps)
{
    struct ins x = {.op = INS_SELECT, .n = e->n, .a = -1, .b = -1, .value = c->p->selects++};
    struct program *p = c->p;
    unsigned long da = 0, db = 0;
    int id, a, b;

    if (!vec_room(c->mem, &p->test, e->n))
        return fail(c, CALQUE_NOMEM);
    x.first = p->test.n;
    for (int i = 0; i < e->n; i++) { /* KE-Cmp, KE-And */
        struct cond q = c->k->cond.a[e->first + i];
        int fa = aff_of(&p->aff, q.a), fb = aff_of(&p->aff, q.b), f = aff_add(&p->aff, fa, fb, -1), v;
        if (f < 0)
            return fail(c, p->aff.status);
        if ((v = compile_value(c, f)) < 0)
            return -1;
        p->test.a[p->test.n++] = (struct test){q.op, v};
        *deps |= p->value.a[v].deps;
    }
    if ((id = emit(c, x)) < 0 || (a = compile_ex(c, e->a, &da)) < 0)
        return -1;
    p->ins.a[id].mid = p->ins.n;
    if ((b = compile_ex(c, e->b, &db)) < 0)
        return -1;
    *deps |= da | db;
    p->ins.a[id].end = p->ins.n;
    p->ins.a[id].a = a;
    p->ins.a[id].b = b;
    p->ins.a[id].level = level_of(*deps);
    return id;
}

/* Has the term of a sum a product that is not rounded? */
static bool is_fused(const struct kernel *k, int id)
{
    const struct ex *e = &k->ex.a[id];

    return e->kind == EX_SELECT ? is_fused(k, e->a) || is_fused(k, e->b) : e->kind == EX_CALL && e->op == FN_EXACT;
}

/* One factor of the term: of exact(a, b), through choices; any other x is exact(x, 1). */
static int compile_factor(struct compiler *c, int id, unsigned long *deps)
{
    const struct ex *e = &c->k->ex.a[id];
    int side = c->side, r;

    if (e->kind == EX_SELECT)
        return compile_select(c, e, deps);
    c->side = 0;
    if (e->kind == EX_CALL && e->op == FN_EXACT)
        r = compile_ex(c, side == 1 ? e->a : e->b, deps);
    else if (side == 1)
        r = compile_ex(c, id, deps);
    else
        r = emit(c, (struct ins){.op = INS_CONST, .a = -1, .b = -1, .num = 1});
    c->side = side;
    return r;
}

/* The term of sum `id` as two factors that are not multiplied. */
static bool compile_fused(struct compiler *c, int id, int term, unsigned long *deps)
{
    unsigned long left = 0, right = 0;
    int a, b;

    c->side = 1;
    a = compile_ex(c, term, &left);
    c->side = 2;
    b = a < 0 ? -1 : compile_ex(c, term, &right);
    c->side = 0;
    if (b < 0)
        return false;
    *deps = left | right;
    c->p->ins.a[id].product = c->p->ins.a[id].fused = true;
    c->p->ins.a[id].mid = c->p->ins.a[id].end = c->p->ins.n;
    c->p->ins.a[id].a = a;
    c->p->ins.a[id].b = b;
    return true;
}

static int compile_reduce(struct compiler *c, const struct ex *e, unsigned long *deps)
{
    struct ins x = {.op = INS_REDUCE, .fn = e->op, .a = -1, .b = -1, .first = e->first, .n = e->n, .depth = c->nest};
    struct program *p = c->p;
    unsigned long inner = 0;
    int id, a;

    if (c->nest + e->n > DEPTH_BITS)
        return fail(c, CALQUE_LIMIT);
    for (int i = 0; i < e->n; i++)
        c->depth[c->k->pool.a[e->first + i]] = c->nest + i;
    c->nest += e->n;
    if ((id = emit(c, x)) < 0)
        return -1;
    if (e->op == RED_SUM && is_fused(c->k, e->a)) {
        if (!compile_fused(c, id, e->a, &inner))
            return -1;
    } else {
        if ((a = compile_ex(c, e->a, &inner)) < 0)
            return -1;
        p->ins.a[id].mid = p->ins.a[id].end = p->ins.n;
        p->ins.a[id].a = a;
    }
    c->nest -= e->n;
    *deps = inner & ((1ul << x.depth) - 1);
    a = p->ins.a[id].a;
    if (!p->ins.a[id].fused && e->op == RED_SUM && p->ins.a[a].op == INS_APPLY && p->ins.a[a].fn == FN_MUL) {
        p->ins.a[id].product = true;
        p->ins.a[id].mid = a;
        p->ins.a[id].b = p->ins.a[a].b;
        p->ins.a[id].a = p->ins.a[a].a;
    }
    p->ins.a[id].level = level_of(*deps);
    return id;
}

static int compile_ex(struct compiler *c, int id, unsigned long *deps)
{
    const struct ex *e = &c->k->ex.a[id];
    struct ins x = {.op = INS_APPLY, .fn = e->op, .a = -1, .b = -1};
    unsigned long da = 0, db = 0;

    if (c->side != 0)
        return compile_factor(c, id, deps);
    switch (e->kind) {
    case EX_LOAD: /* KE-Load */
        return compile_load(c, e, deps);
    case EX_SELECT: /* KE-Sel */
        return compile_select(c, e, deps);
    case EX_REDUCE: /* KE-Sum */
        return compile_reduce(c, e, deps);
    case EX_CONST: /* KE-Const */
        x.op = INS_CONST;
        x.num = e->num;
        x.inum = e->inum;
        return emit(c, x);
    default: /* KE-Bin, KE-Fn */
        if ((x.a = compile_ex(c, e->a, &da)) < 0 || (e->b >= 0 && (x.b = compile_ex(c, e->b, &db)) < 0))
            return -1;
        *deps = da | db;
        x.level = level_of(*deps);
        return emit(c, x);
    }
}

/* Costs by first dimension of the unit, in lane operations: per cell and per block. */
struct costs {
    double cell[KERNEL_RANK_MAX], block;
};

/* Bit d: the form varies with output variable d. */
static unsigned varies(const struct compiler *c, int form)
{
    const struct aff_form *f = &c->p->aff.form.a[form];
    unsigned r = 0;

    for (int i = 0; i < f->n; i++) {
        const struct aff_atom *x = &c->p->aff.atom.a[c->p->aff.term.a[f->first + i].atom];
        if (x->kind != IX_VAR)
            r |= varies(c, x->form);
        else if (x->k < c->rank)
            r |= 1u << x->k;
    }
    return r;
}

/* A load costs little when its lanes read one cell or consecutive cells. */
static double load_cost(const struct compiler *c, int form, int split)
{
    const struct aff_form *f = &c->p->aff.form.a[form];
    struct aff_term lane[KERNEL_RANK_MAX];
    int n = 0;

    for (int i = 0; i < f->n; i++) {
        struct aff_term x = c->p->aff.term.a[f->first + i];
        const struct aff_atom *a = &c->p->aff.atom.a[x.atom];
        if (a->kind == IX_VAR ? a->k >= split && a->k < c->rank : varies(c, a->form) >> split != 0) {
            if (a->kind != IX_VAR || n == KERNEL_RANK_MAX)
                return 1.5;
            lane[n++] = x;
        }
    }
    if (n == 0)
        return 0;
    c->p->split = split;
    return is_flat(c, lane, n) ? 0.1 : 1.2;
}

static bool add_costs(struct compiler *c, int id, double weight, struct costs *w)
{
    const struct ex *e = &c->k->ex.a[id];
    int form;

    if (e->kind != EX_CONST)
        w->block += 30 * weight;
    if (e->kind == EX_LOAD) {
        if ((form = flat_form(c, e)) < 0)
            return false;
        for (int r = 0; r < c->rank; r++)
            w->cell[r] += weight * load_cost(c, form, r);
        return true;
    }
    for (int r = 0; r < c->rank; r++)
        w->cell[r] += 0.3 * weight * (e->kind == EX_SELECT ? 1 + e->n : 1);
    if (e->kind == EX_REDUCE)
        for (int i = 0; i < e->n; i++)
            weight *= (double)c->k->var.a[c->s->var + c->k->pool.a[e->first + i]].extent;
    if (e->kind != EX_CONST && !add_costs(c, e->a, weight, w))
        return false;
    return e->kind == EX_CONST || e->kind == EX_REDUCE || e->b < 0 || add_costs(c, e->b, weight, w);
}

/* Chooses the trailing dimensions that are lanes, by estimated cost of a cell. */
static void choose_unit(struct compiler *c)
{
    const struct kernel_tensor *t = &c->k->tensor.a[c->s->out];
    struct costs w = {{0}, 100};
    double best = -1;
    long unit = 1;
    int choice = 0;

    if (!add_costs(c, c->s->body, 1, &w))
        return;
    for (int r = c->rank - 1; r >= 0; r--) {
        double cost, blocks, lanes;
        unit *= t->dim[r] > 0 ? t->dim[r] : 1;
        lanes = unit < LANES ? (double)unit : LANES;
        blocks = (double)((unit + LANES - 1) / LANES);
        lanes = (double)(((long)lanes + LANE_STEP - 1) / LANE_STEP * LANE_STEP);
        cost = blocks * (w.block + lanes * (w.cell[r] + 1)) / (double)unit;
        if (best < 0 || cost <= best) {
            best = cost;
            choice = r;
            c->p->unit = unit;
        }
    }
    c->p->split = choice;
    c->p->work = w.cell[choice];
}

enum calque_status program_init(struct program *p, const struct kernel *k, int i, struct diag *d)
{
    const struct kernel_stmt *s = &k->stmt.a[i];
    struct compiler c = {.p = p, .k = k, .s = s, .mem = k->mem, .rank = k->tensor.a[s->out].rank};
    unsigned long deps = 0;

    memset(p, 0, sizeof *p);
    p->k = k;
    p->s = s;
    p->lanes = LANES;
    aff_init(&p->aff, k->mem, k, s);
    c.depth = mem_zero(k->mem, (size_t)s->nvar, sizeof *c.depth);
    if (c.depth) {
        choose_unit(&c);
        p->root = c.status == CALQUE_OK ? compile_ex(&c, s->body, &deps) : -1;
    } else {
        c.status = CALQUE_NOMEM;
    }
    mem_free(c.depth);
    if (c.status == CALQUE_NOMEM)
        return diag_nomem(d);
    if (c.status != CALQUE_OK)
        return diag_set(d, c.status, "", s->line, s->col, "the statement's indices are too large to run");
    return CALQUE_OK;
}

void program_free(struct program *p)
{
    aff_free(&p->aff);
    mem_free(p->vec.a);
    mem_free(p->item.a);
    mem_free(p->value.a);
    mem_free(p->term.a);
    mem_free(p->ins.a);
    mem_free(p->test.a);
}
