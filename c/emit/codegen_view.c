/* Views, acceptors and conditions to mini-C (seed rules cge, cga), and index arithmetic in its two modes: normal forms with ranges,
   and plain trees. */
#include "emit/codegen_internal.h"

bool gen_fail(struct gen *g, enum calque_status st)
{
    if (g->m->status == CALQUE_OK) /* a form that failed earlier is the cause */
        g->m->status = g->m->lins.status != CALQUE_OK ? g->m->lins.status : st;
    return false;
}

bool gen_ok(const struct gen *g)
{
    return g->m->status == CALQUE_OK && g->m->lins.status == CALQUE_OK;
}

static void push(struct gen *g, struct path *p, int step)
{
    if (p->n == MINIC_PATH_MAX)
        gen_fail(g, CALQUE_LIMIT);
    else
        p->step[p->n++] = step;
}

/* The next index; an ill-typed path (Coq: XErr) is our bug. */
static int pop_index(struct gen *g, struct path *p)
{
    int s = p->n > 0 ? p->step[--p->n] : STEP_NONE;

    if (s < 0)
        gen_fail(g, CALQUE_INTERNAL);
    return s;
}

static bool pop_left(struct gen *g, struct path *p)
{
    int s = p->n > 0 ? p->step[--p->n] : STEP_NONE;

    if (s != STEP_LEFT && s != STEP_RIGHT)
        gen_fail(g, CALQUE_INTERNAL);
    return s == STEP_LEFT;
}

static void measure(struct gen *g, struct mx *x)
{
    const struct mx *m = g->m->mx.a;
    bool function = x->kind == MX_CALL && fn_is_own(x->op);
    bool libm = function && g->m->code->prog->math == MATH_LIBM;

    x->work = function ? 20 : 1;
    x->plain = !g->m->plain && x->kind != MX_COND && !libm;
    if (x->kind != MX_CALL && x->kind != MX_COND)
        return;
    x->work += m[x->a].work;
    x->plain = x->plain && m[x->a].plain;
    if (x->b >= 0) {
        x->work += m[x->b].work;
        x->plain = x->plain && m[x->b].plain;
    }
}

static int mx_add(struct gen *g, struct mx x)
{
    if (!gen_ok(g))
        return -1;
    measure(g, &x);
    if (!vec_room(g->m->mem, &g->m->mx, 1)) {
        gen_fail(g, CALQUE_NOMEM);
        return -1;
    }
    g->m->mx.a[g->m->mx.n] = x;
    return g->m->mx.n++;
}

int gen_index(struct gen *g, int id)
{
    struct ix x = g->c->ix.a[id];
    int a = -1, b = -1;

    if (x.kind == IX_VAR)
        return g->loop[x.k];
    if (x.kind == IX_CONST)
        return index_number(g, x.k);
    if (x.kind == IX_SIZE)
        return index_size(g, x.k);
    if (g->depth > EXP_DEPTH_MAX) {
        gen_fail(g, CALQUE_LIMIT);
        return -1;
    }
    g->depth++;
    a = gen_index(g, x.a);
    if (x.kind == IX_ADD || x.kind == IX_SUB)
        b = gen_index(g, x.b);
    g->depth--;
    switch (x.kind) {
    case IX_ADD: return index_add(g, a, b);
    case IX_SUB: return index_sub(g, a, b);
    case IX_MUL: return index_times(g, a, x.k);
    case IX_DIV: return index_div(g, a, x.k, true);
    default: return index_mod(g, a, x.k, true);
    }
}

/* Row-major offset of the path in a root of the type; pairs are their components one after the other. In a listing the
   subscripts and fields themselves. */
static int offset(struct gen *g, int type, struct path *p)
{
    const struct prog *pr = g->c->prog;
    int off = index_start(g);

    while (pr->data.a[type].kind != DATA_NUM && gen_ok(g)) {
        struct data d = pr->data.a[type];
        if (d.kind == DATA_ARY) {
            off = index_cell(g, off, pop_index(g, p), pr->data.a[d.a].cells);
            type = d.a;
        } else {
            bool left = pop_left(g, p);
            off = index_field(g, off, left, pr->data.a[d.a].cells);
            type = left ? d.a : d.b;
        }
    }
    if (p->n != 0)
        gen_fail(g, CALQUE_INTERNAL);
    return off;
}

static bool root_is_scalar(const struct gen *g, int level)
{
    return level >= g->c->prog->param.n && g->c->prog->data.a[g->c->level.a[level].type].kind == DATA_NUM;
}

/* The views and acceptors that only rearrange: pops what the array kind consumes, pushes what its child gets. */
static void rearrange_split(struct gen *g, struct path *p, long n) /* split view, join acceptor: [i][j] -> [i*n+j] */
{
    int i = pop_index(g, p), j = pop_index(g, p);

    push(g, p, index_add(g, index_scale(g, i, n), j));
}

static void rearrange_join(struct gen *g, struct path *p, long n) /* join view, split acceptor: [i] -> [i/n][i%n] */
{
    int i = pop_index(g, p);

    push(g, p, index_mod(g, i, n, false));
    push(g, p, index_div(g, i, n, false));
}

static void rearrange_reverse(struct gen *g, struct path *p, long n)
{
    int i = pop_index(g, p);

    push(g, p, index_sub(g, index_sub(g, index_size(g, n), index_size(g, 1)), i));
}

static void rearrange_transpose(struct gen *g, struct path *p)
{
    int i = pop_index(g, p), j = pop_index(g, p);

    push(g, p, i);
    push(g, p, j);
}

int gen_sign(struct gen *g, int form)
{
    struct lins *l = &g->m->lins;
    int r = !gen_ok(g) ? -1 : l->lin.a[form].lo >= 0 ? 1 : l->lin.a[form].hi < 0 ? 0 : -1;

    for (int i = 0; i < g->fact.n && r < 0 && gen_ok(g); i++) {
        int more = lin_sub(l, form, g->fact.a[i]), less = lin_add(l, form, g->fact.a[i]);
        if (gen_ok(g))
            r = l->lin.a[more].lo >= 0 ? 1 : l->lin.a[less].hi < 0 ? 0 : -1;
    }
    return r;
}

int gen_decide(struct gen *g, const struct mcond *k)
{
    struct lins *l = &g->m->lins;
    int up, down, a, b;

    if (g->m->plain || !gen_ok(g))
        return -1;
    up = lin_sub(l, k->a, k->b);
    down = lin_sub(l, k->b, k->a);
    switch (k->op) {
    case CMP_LT: return gen_sign(g, lin_add(l, down, lin_const(l, -1)));
    case CMP_LE: return gen_sign(g, down);
    case CMP_GT: return gen_sign(g, lin_add(l, up, lin_const(l, -1)));
    case CMP_GE: return gen_sign(g, up);
    default:
        a = gen_sign(g, up);
        b = gen_sign(g, down);
        if (a == 0 || b == 0)
            return k->op == CMP_NE;
        return a == 1 && b == 1 ? k->op == CMP_EQ : -1;
    }
}

bool gen_conditions(struct gen *g, int first, int len, int *out, int *n)
{
    int count = 0;

    *out = g->m->cond.n;
    for (int i = 0; i < len && gen_ok(g); i++) {
        struct cond k = g->c->cond.a[first + i];
        struct mcond x = { k.op, gen_index(g, k.a), gen_index(g, k.b) };
        int known = gen_decide(g, &x);
        if (known == 0)
            return false;
        if (known == 1)
            continue;
        if (!vec_room(g->m->mem, &g->m->cond, 1))
            return gen_fail(g, CALQUE_NOMEM);
        g->m->cond.a[g->m->cond.n++] = x;
        count++;
    }
    *n = count;
    return true;
}

static int view_call(struct gen *g, const struct vexp *v, struct path *p)
{
    struct path none;
    struct mx x = { .kind = MX_CALL, .op = v->op, .b = -1, .var = -1, .lin = -1 };

    none.n = 0;
    if (p->n != 0)
        gen_fail(g, CALQUE_INTERNAL);
    x.a = gen_view(g, v->a, &none);
    none.n = 0;
    if (v->b >= 0)
        x.b = gen_view(g, v->b, &none);
    return mx_add(g, x);
}

static int view_ite(struct gen *g, const struct vexp *v, struct path *p)
{
    struct mx x = { .kind = MX_COND, .var = -1, .lin = -1 };
    struct path other = *p;

    if (!gen_conditions(g, v->first, v->len, &x.first, &x.len))
        return gen_view(g, v->b, p);
    if (x.len == 0)
        return gen_view(g, v->a, p);
    x.a = gen_view(g, v->a, p);
    x.b = gen_view(g, v->b, &other);
    return mx_add(g, x);
}

static int view_root(struct gen *g, const struct vexp *v, struct path *p) /* cge.1 */
{
    if (root_is_scalar(g, v->a))
        return mx_add(g, (struct mx){ .kind = MX_VAR, .var = v->a, .lin = -1 });
    return mx_add(g, (struct mx){ .kind = MX_LOAD, .var = v->a,
                                  .lin = offset(g, g->c->level.a[v->a].type, p) });
}

static int view_step(struct gen *g, const struct vexp *v, struct path *p)
{
    switch (v->kind) {
    case VEXP_ROOT:
        return view_root(g, v, p);
    case VEXP_LIT:
        return mx_add(g, (struct mx){ .kind = MX_LIT, .num = v->num, .inum = v->inum, .var = -1, .lin = -1 });
    case VEXP_CALL: /* cge.2 cge.3 cge.4 */
        return view_call(g, v, p);
    case VEXP_ITE:
        return view_ite(g, v, p);
    case VEXP_ZIP: { /* cge.5 cge.6 */
        int i = pop_index(g, p), left = pop_left(g, p);
        push(g, p, i);
        return gen_view(g, left ? v->a : v->b, p);
    }
    case VEXP_PAIR: /* cge.10 cge.11 */
        return gen_view(g, pop_left(g, p) ? v->a : v->b, p);
    case VEXP_IDX: push(g, p, gen_index(g, v->b)); break;     /* cge.7 */
    case VEXP_SPLIT: rearrange_split(g, p, v->n); break;       /* cge.8 */
    case VEXP_JOIN: rearrange_join(g, p, v->n); break;         /* cge.9 */
    case VEXP_FST: push(g, p, STEP_LEFT); break;               /* cge.12 */
    case VEXP_SND: push(g, p, STEP_RIGHT); break;              /* cge.13 */
    case VEXP_REV: rearrange_reverse(g, p, v->n); break;
    default: rearrange_transpose(g, p); break;
    }
    return gen_view(g, v->a, p);
}

int gen_view(struct gen *g, int id, struct path *p)
{
    int r;

    if (g->depth > EXP_DEPTH_MAX)
        gen_fail(g, CALQUE_LIMIT);
    if (!gen_ok(g))
        return -1;
    g->depth++;
    r = view_step(g, &g->c->vexp.a[id], p);
    g->depth--;
    return r;
}

int gen_acceptor(struct gen *g, int id, int *lin)
{
    struct path p;
    const struct vacc *a = &g->c->vacc.a[id];

    p.n = 0;
    for (; a->kind != VACC_ROOT && gen_ok(g); a = &g->c->vacc.a[a->a]) {
        int i;
        switch (a->kind) {
        case VACC_ZIP1: case VACC_ZIP2: /* cga.2 cga.3 */
            i = pop_index(g, &p);
            push(g, &p, a->kind == VACC_ZIP1 ? STEP_LEFT : STEP_RIGHT);
            push(g, &p, i);
            break;
        case VACC_SPLIT: rearrange_join(g, &p, a->n); break;     /* cga.4 */
        case VACC_JOIN: rearrange_split(g, &p, a->n); break;     /* cga.5 */
        case VACC_IDX: push(g, &p, gen_index(g, a->b)); break;  /* cga.6 */
        case VACC_PAIR1: push(g, &p, STEP_LEFT); break;          /* cga.7 */
        case VACC_PAIR2: push(g, &p, STEP_RIGHT); break;         /* cga.8 */
        case VACC_REV: rearrange_reverse(g, &p, a->n); break;
        default: rearrange_transpose(g, &p); break;
        }
    }
    *lin = -1; /* cga.1 */
    if (gen_ok(g) && !root_is_scalar(g, a->a))
        *lin = offset(g, g->c->level.a[a->a].type, &p);
    return a->a;
}

/* ---- indices ---- */

static int cix(struct gen *g, int kind, int a, int b, long k)
{
    if (!gen_ok(g))
        return -1;
    if (!vec_room(g->m->mem, &g->m->cix, 1)) {
        gen_fail(g, CALQUE_NOMEM);
        return -1;
    }
    g->m->cix.a[g->m->cix.n] = (struct cix){ kind, a, b, k };
    return g->m->cix.n++;
}

/* Is it the number k? */
static bool is(const struct gen *g, int a, long k)
{
    return g->m->cix.a[a].kind == CIX_SIZE && g->m->cix.a[a].k == k;
}

/* a op b, with 0 and 1 left out. */
static int two(struct gen *g, int kind, int a, int b)
{
    bool unit = kind == CIX_MUL || kind == CIX_DIV || kind == CIX_FDIV;

    if (!gen_ok(g) || a < 0 || b < 0)
        return -1;
    if ((kind == CIX_ADD || kind == CIX_SUB) && is(g, b, 0))
        return a;
    if (kind == CIX_ADD && is(g, a, 0))
        return b;
    if (unit && is(g, b, 1))
        return a;
    if (kind == CIX_MUL && is(g, a, 1))
        return b;
    if (kind != CIX_ADD && kind != CIX_SUB && is(g, a, 0))
        return a;
    if ((kind == CIX_MOD || kind == CIX_FMOD) && is(g, b, 1))
        return cix(g, CIX_SIZE, -1, -1, 0);
    return cix(g, kind, a, b, 0);
}

int index_size(struct gen *g, long n)
{
    return g->m->plain ? cix(g, CIX_SIZE, -1, -1, n) : lin_const(&g->m->lins, n);
}

int index_number(struct gen *g, long k)
{
    if (g->m->plain && k < 0)
        return cix(g, CIX_NUMBER, -1, -1, k);
    return index_size(g, k);
}

int index_loop(struct gen *g, int level, long extent)
{
    return g->m->plain ? cix(g, CIX_LEVEL, -1, -1, level) : lin_var(&g->m->lins, level, 0, extent - 1);
}

int index_add(struct gen *g, int a, int b)
{
    return g->m->plain ? two(g, CIX_ADD, a, b) : lin_add(&g->m->lins, a, b);
}

int index_sub(struct gen *g, int a, int b)
{
    return g->m->plain ? two(g, CIX_SUB, a, b) : lin_sub(&g->m->lins, a, b);
}

int index_scale(struct gen *g, int a, long n)
{
    return g->m->plain ? two(g, CIX_MUL, a, index_size(g, n)) : lin_scale(&g->m->lins, a, n);
}

int index_times(struct gen *g, int a, long k)
{
    return g->m->plain ? two(g, CIX_MUL, a, index_number(g, k)) : lin_scale(&g->m->lins, a, k);
}

int index_div(struct gen *g, int a, long n, bool user)
{
    return g->m->plain ? two(g, user ? CIX_FDIV : CIX_DIV, a, index_size(g, n)) : lin_div(&g->m->lins, a, n);
}

int index_mod(struct gen *g, int a, long n, bool user)
{
    return g->m->plain ? two(g, user ? CIX_FMOD : CIX_MOD, a, index_size(g, n)) : lin_mod(&g->m->lins, a, n);
}

int index_start(struct gen *g)
{
    return g->m->listing ? cix(g, CIX_PLACE, -1, -1, 0) : index_size(g, 0);
}

int index_cell(struct gen *g, int place, int i, long cells)
{
    if (g->m->listing)
        return cix(g, CIX_SUB1, place, i, 0);
    return index_add(g, place, index_scale(g, i, cells));
}

int index_field(struct gen *g, int place, bool left, long cells)
{
    if (g->m->listing)
        return cix(g, left ? CIX_X1 : CIX_X2, place, -1, 0);
    return left ? place : index_add(g, place, index_size(g, cells));
}
