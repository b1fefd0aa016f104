/* A(e)(a) and C(e)(k) of DPIA, first order. A emits commands that make acceptor a hold e. C emits the commands that
   come before k and returns the view k is given: every C rule has the form scopes; k(v), so the rest of the current
   block is the continuation. Labels a.N and c.N are the seed's; .gen .fold .ite .let are ours. Before it, the
   reductions that may work on their accumulator in place are found (Coq: in_place). */
#include "dpia/comm.h"

#include <string.h>

/* ---- which reductions work on their accumulator in place (Coq: in_place) ---- */

/* Pure expressions and elementwise bodies (Coq: pure, elementwise): only the accumulator's own cell is read where it is written. */
static bool pure(const struct prog *p, int e, int depth)
{
    const struct exp *n = &p->exp.a[e];

    if (depth > EXP_DEPTH_MAX)
        return false;
    switch (n->kind) {
    case EXP_VAR: case EXP_LIT:
        return true;
    case EXP_FST: case EXP_SND:
        return pure(p, n->a, depth + 1);
    case EXP_CALL:
        return pure(p, n->a, depth + 1) && (n->b < 0 || pure(p, n->b, depth + 1));
    case EXP_ZIP: case EXP_PAIR:
        return pure(p, n->a, depth + 1) && pure(p, n->b, depth + 1);
    default:
        return false;
    }
}

/* Nested maps over pure views with a pure scalar core; what is mapped over, the accumulator at first, is not used inside. */
static bool elementwise(const struct prog *p, int d, int f, int acc)
{
    for (; p->data.a[d].kind == DATA_ARY; d = p->data.a[d].a) {
        const struct exp *n = &p->exp.a[f];
        if (n->kind != EXP_MAP || !pure(p, n->b, 0) || exp_occurs(p, n->a, acc))
            return false;
        f = n->a;
        acc = n->x;
    }
    return p->data.a[d].kind == DATA_NUM && pure(p, f, 0);
}

/* Body of nested generates at exactly the accumulator's depth: the accumulator may be read only as acc[i1]..[ik] at the
   generates' own variables, from pure scalar code. */
static bool own_cell(const struct prog *p, int e, int acc, const int *ivar, int k, int depth)
{
    const struct exp *n = &p->exp.a[e];

    if (depth > EXP_DEPTH_MAX)
        return false;
    switch (n->kind) {
    case EXP_LIT:
        return true;
    case EXP_VAR:
        return n->x != acc;
    case EXP_CALL: case EXP_ITE:
        return own_cell(p, n->a, acc, ivar, k, depth + 1) &&
               (n->b < 0 || own_cell(p, n->b, acc, ivar, k, depth + 1));
    case EXP_IDX:
        for (int j = k - 1; j >= 0 && n->kind == EXP_IDX; j--) {
            const struct ix *x = &p->ix.a[n->b];
            if (x->kind != IX_VAR || x->k != ivar[j])
                return !exp_occurs(p, e, acc);
            n = &p->exp.a[n->a];
        }
        return (n->kind == EXP_VAR && n->x == acc) || !exp_occurs(p, e, acc);
    default:
        return !exp_occurs(p, e, acc);
    }
}

enum { INPLACE_RANK = 8 };

/* More bodies that may work in place: nested generates reading only their own cell, or a reduction that starts from the
   accumulator and is itself in place. */
static bool reusable(const struct prog *p, int d, int f, int acc, int depth)
{
    int ivar[INPLACE_RANK], k = 0, e = f, ty = d;

    if (p->data.a[d].kind == DATA_NUM || elementwise(p, d, f, acc))
        return true;
    if (depth > EXP_DEPTH_MAX)
        return false;
    if (p->exp.a[f].kind == EXP_FOLD) {
        const struct exp *n = &p->exp.a[f], *init = &p->exp.a[n->b];
        return init->kind == EXP_VAR && init->x == acc && !exp_occurs(p, n->a, acc) &&
               reusable(p, d, n->a, n->y, depth + 1);
    }
    while (p->data.a[ty].kind == DATA_ARY && p->exp.a[e].kind == EXP_GEN && k < INPLACE_RANK) {
        ivar[k++] = p->exp.a[e].x;
        ty = p->data.a[ty].a;
        e = p->exp.a[e].a;
    }
    return k > 0 && p->data.a[ty].kind == DATA_NUM && own_cell(p, e, acc, ivar, k, 0);
}

/* May f update the accumulator variable acc of type d in place? Always at num, for arrays when f is elementwise. Otherwise a
   second buffer is used: the seed's a.9/c.7 would be wrong. reuse: also two forms that Coq has not. */
static bool in_place(const struct prog *p, bool reuse, int d, int f, int acc)
{
    if (reuse)
        return reusable(p, d, f, acc, 0);
    return p->data.a[d].kind == DATA_NUM || elementwise(p, d, f, acc);
}

/* ---- the translation ---- */

struct trans {
    bool reuse; /* with the shortcuts that Coq has not */
    const struct prog *p;
    struct code *c;
    int *env; /* data variable: view id; index variable: index id of c */
    int depth;
};

static bool trans_a(struct trans *t, int e, int acc);
static int trans_c(struct trans *t, int e);

static int acc_on(struct trans *t, int kind, int a, long n)
{
    return code_vacc(t->c, (struct vacc){ .kind = kind, .a = a, .n = n });
}

static int acc_idx(struct trans *t, int a, int ix)
{
    return code_vacc(t->c, (struct vacc){ .kind = VACC_IDX, .a = a, .b = ix });
}

static int view_on(struct trans *t, int kind, int a, long n)
{
    return code_vexp(t->c, (struct vexp){ .kind = kind, .a = a, .b = -1, .n = n });
}

static int view_two(struct trans *t, int kind, int a, int b)
{
    return b < 0 ? -1 : code_vexp(t->c, (struct vexp){ .kind = kind, .a = a, .b = b });
}

static int level_ix(struct trans *t, int level)
{
    return level < 0 ? -1 : code_ix(t->c, (struct ix){ IX_VAR, -1, -1, level });
}

static int new_root(struct trans *t, int hint, int type)
{
    int l = code_level(t->c, (struct level){ hint, type, 0 });

    if (l >= 0)
        block_emit(t->c, code_comm(t->c, (struct comm){ .kind = COMM_NEW, .a = -1, .b = -1, .level = l }));
    return l;
}

static int root_view(struct trans *t, int level)
{
    return level < 0 ? -1 : code_vexp(t->c, (struct vexp){ .kind = VEXP_ROOT, .a = level, .b = -1 });
}

static int root_acc(struct trans *t, int level)
{
    return level < 0 ? -1 : acc_on(t, VACC_ROOT, level, 0);
}

/* Are acceptor and view the same cell r[i]..[k], written alike? */
static bool same_cell(const struct code *c, int acc, int view)
{
    for (;;) {
        const struct vacc *a = &c->vacc.a[acc];
        const struct vexp *v = &c->vexp.a[view];
        if (a->kind == VACC_ROOT)
            return v->kind == VEXP_ROOT && a->a == v->a;
        if (a->kind != VACC_IDX || v->kind != VEXP_IDX)
            return false;
        const struct ix *i = &c->ix.a[a->b], *j = &c->ix.a[v->b];
        if (a->b != v->b && !(i->kind == IX_VAR && j->kind == IX_VAR && i->k == j->k))
            return false;
        acc = a->a;
        view = v->a;
    }
}

/* Reusing, x := x is skip. */
static void assign(struct trans *t, int acc, int view)
{
    if (acc < 0 || view < 0 || (t->reuse && same_cell(t->c, acc, view)))
        return;
    block_emit(t->c, code_comm(t->c, (struct comm){ .kind = COMM_ASSIGN, .a = acc, .b = view }));
}

enum loop { LOOP_REDUCE, LOOP_SEQ, LOOP_COPY, LOOP_PAR };

/* Emits `for i < n` with the block opened at mark as its body. */
static void loop_close(struct trans *t, enum loop loop, int level, int mark)
{
    int body = block_close(t->c, mark);

    if (body >= 0)
        block_emit(t->c, code_comm(t->c, (struct comm){ .kind = loop == LOOP_PAR ? COMM_PAR : COMM_FOR, .a = body,
                                                        .b = -1, .level = level, .free = loop != LOOP_REDUCE,
                                                        .copies = loop == LOOP_COPY }));
}

/* Assignment at type d (a.1 a.2 a.3 and the rule for arrays): outer dimension parallel when par. Types are as deep as the
   program's binders, which trans_c bounds. */
static void copy(struct trans *t, bool par, int d, int acc, int view)
{
    struct data ty;

    if (acc < 0 || view < 0 || t->c->status != CALQUE_OK)
        return;
    ty = t->p->data.a[d];
    if (ty.kind == DATA_NUM) { /* a.1 */
        assign(t, acc, view);
    } else if (ty.kind == DATA_ARY) { /* a.2 */
        int l = code_level(t->c, (struct level){ -1, -1, ty.n }), mark = block_open(t->c), i = level_ix(t, l);
        copy(t, false, ty.a, acc_idx(t, acc, i), view_two(t, VEXP_IDX, view, i));
        loop_close(t, par ? LOOP_PAR : LOOP_COPY, l, mark);
    } else { /* a.3 */
        copy(t, par, ty.a, acc_on(t, VACC_PAIR1, acc, 0), view_on(t, VEXP_FST, view, 0));
        copy(t, par, ty.b, acc_on(t, VACC_PAIR2, acc, 0), view_on(t, VEXP_SND, view, 0));
    }
}

/* Index expression of the program -> of the commands: variables replaced by what they stand for. */
static int trans_ix(struct trans *t, int id)
{
    struct ix x = t->p->ix.a[id];
    int r = -1;

    if (t->depth > EXP_DEPTH_MAX) {
        t->c->status = CALQUE_LIMIT;
        return -1;
    }
    t->depth++;
    if (x.kind == IX_VAR) {
        r = t->env[x.k];
    } else if (x.kind == IX_CONST || x.kind == IX_SIZE) {
        r = code_ix(t->c, x);
    } else {
        x.a = trans_ix(t, x.a);
        if (x.kind == IX_ADD || x.kind == IX_SUB)
            x.b = x.a < 0 ? -1 : trans_ix(t, x.b);
        else
            x.b = 0;
        r = x.a < 0 || x.b < 0 ? -1 : code_ix(t->c, x);
    }
    t->depth--;
    return r;
}

/* The translated conditions of an ITE as a range of c->cond; false after a failure. */
static bool trans_conds(struct trans *t, const struct exp *e, int *first)
{
    int at = t->c->cond.n;

    for (int i = 0; i < e->len; i++) {
        struct cond k = t->p->cond.a[e->first + i];
        k.a = trans_ix(t, k.a);
        k.b = k.a < 0 ? -1 : trans_ix(t, k.b);
        if (k.b < 0)
            return false;
        if (!vec_room(t->c->mem, &t->c->cond, 1)) {
            t->c->status = CALQUE_NOMEM;
            return false;
        }
        t->c->cond.a[t->c->cond.n++] = k;
    }
    *first = at;
    return true;
}

/* a.7 a.8 and generate: one loop, the body accepted by a{i}. x: the array mapped over, or -1 for generate. */
static bool loop_acc(struct trans *t, const struct exp *e, int x, int acc)
{
    int l = code_level(t->c, (struct level){ t->p->var.a[e->x].hint, -1, e->n }), i = level_ix(t, l);
    int mark = block_open(t->c);
    bool ok;

    t->env[e->x] = e->kind == EXP_GEN ? i : view_two(t, VEXP_IDX, x, i);
    ok = t->env[e->x] >= 0 && trans_a(t, e->a, acc_idx(t, acc, i));
    loop_close(t, e->op ? LOOP_PAR : LOOP_SEQ, l, mark);
    return ok;
}

/* A(e)(a) as a block of its own: what it declares ends with it. */
static bool accept(struct trans *t, int e, int acc)
{
    int mark = block_open(t->c);
    bool ok = trans_a(t, e, acc);
    int all = block_close(t->c, mark);

    if (ok)
        block_emit(t->c, all);
    return ok;
}

/* reduceSeqI: root r holds the initial value and is updated n times. x: the array reduced, or -1 for fold. */
static bool reduce_loop(struct trans *t, const struct exp *e, int x, int r)
{
    int l = code_level(t->c, (struct level){ t->p->var.a[e->x].hint, -1, e->n }), i = level_ix(t, l);
    int mark = block_open(t->c);
    bool ok;

    t->env[e->x] = e->kind == EXP_FOLD ? i : view_two(t, VEXP_IDX, x, i);
    t->env[e->y] = root_view(t, r);
    ok = t->env[e->x] >= 0 && t->env[e->y] >= 0;
    if (ok && in_place(t->p, t->reuse, e->type, e->a, e->y)) {
        ok = trans_a(t, e->a, root_acc(t, r));
    } else if (ok) {
        int s = new_root(t, -1, e->type);
        ok = s >= 0 && accept(t, e->a, root_acc(t, s));
        copy(t, false, e->type, root_acc(t, r), root_view(t, s));
    }
    loop_close(t, LOOP_REDUCE, l, mark);
    return ok;
}

/* c.7 and c.fold: a new accumulator. A generated or mapped initial value is accepted by it directly, not copied to it
   (Coq: initialised). */
static int reduce_c(struct trans *t, const struct exp *e)
{
    int x = -1, r, init = t->p->exp.a[e->b].kind;
    bool ok;

    if (e->kind == EXP_RED && (x = trans_c(t, e->c)) < 0)
        return -1;
    if (init == EXP_GEN || init == EXP_MAP) {
        r = new_root(t, t->p->var.a[e->y].hint, e->type);
        ok = r >= 0 && accept(t, e->b, root_acc(t, r));
    } else {
        int y = trans_c(t, e->b);
        r = new_root(t, t->p->var.a[e->y].hint, e->type);
        copy(t, false, e->type, root_acc(t, r), y);
        ok = y >= 0;
    }
    return ok && reduce_loop(t, e, x, r) ? root_view(t, r) : -1;
}

/* Reusing, a.9 in place: A(reduceSeq f y e)(a) where a is a whole root, y is that root's value and neither f nor e reads it
   otherwise: the inner accumulator is the outer one. */
static bool reduce_on_root(struct trans *t, const struct exp *e, int acc)
{
    const struct exp *init = &t->p->exp.a[e->b];
    const struct vacc *a = &t->c->vacc.a[acc];
    const struct vexp *v;

    if (!t->reuse || init->kind != EXP_VAR || a->kind != VACC_ROOT)
        return false;
    v = &t->c->vexp.a[t->env[init->x]];
    return v->kind == VEXP_ROOT && v->a == a->a && !exp_occurs(t->p, e->a, init->x) &&
           (e->kind == EXP_FOLD || !exp_occurs(t->p, e->c, init->x));
}

static bool ite_a(struct trans *t, const struct exp *e, int acc) /* a.ite */
{
    struct comm x = { .kind = COMM_IF, .level = -1, .len = e->len };
    int mark;

    if (!trans_conds(t, e, &x.first))
        return false;
    mark = block_open(t->c);
    if (!trans_a(t, e->a, acc))
        return false;
    x.a = block_close(t->c, mark);
    mark = block_open(t->c);
    if (!trans_a(t, e->b, acc))
        return false;
    x.b = block_close(t->c, mark);
    block_emit(t->c, code_comm(t->c, x));
    return true;
}

/* c.ite: branches without commands stay a conditional view; otherwise new tmp; if .. (lazy either way). */
static int ite_c(struct trans *t, const struct exp *e)
{
    struct vexp v = { .kind = VEXP_ITE, .len = e->len };
    struct comm x = { .kind = COMM_IF, .level = -1, .len = e->len };
    int mark, r;

    if (!trans_conds(t, e, &v.first))
        return -1;
    if (!t->p->exp.a[e->a].emits && !t->p->exp.a[e->b].emits) {
        v.a = trans_c(t, e->a);
        v.b = v.a < 0 ? -1 : trans_c(t, e->b);
        return v.b < 0 ? -1 : code_vexp(t->c, v);
    }
    r = new_root(t, -1, e->type);
    x.first = v.first;
    mark = block_open(t->c);
    if (r < 0 || !trans_a(t, e->a, root_acc(t, r)))
        return -1;
    x.a = block_close(t->c, mark);
    mark = block_open(t->c);
    if (!trans_a(t, e->b, root_acc(t, r)))
        return -1;
    x.b = block_close(t->c, mark);
    block_emit(t->c, code_comm(t->c, x));
    return root_view(t, r);
}

/* Is the view only a path into memory, so that using it twice costs nothing? */
static bool is_path(const struct code *c, int v)
{
    for (;;) {
        const struct vexp *x = &c->vexp.a[v];
        if (x->kind == VEXP_ROOT || x->kind == VEXP_LIT)
            return true;
        if (x->kind == VEXP_CALL || x->kind == VEXP_ITE || x->kind == VEXP_ZIP || x->kind == VEXP_PAIR)
            return false;
        v = x->a;
    }
}

static bool let_bind(struct trans *t, const struct exp *e) /* .let */
{
    int d = t->p->exp.a[e->a].type, v = trans_c(t, e->a);

    if (v >= 0 && t->p->data.a[d].kind == DATA_NUM && !is_path(t->c, v)) {
        int r = new_root(t, t->p->var.a[e->x].hint, d);
        assign(t, root_acc(t, r), v);
        v = root_view(t, r);
    }
    t->env[e->x] = v;
    return v >= 0;
}

/* C for map and generate: new tmp; A(e)(tmp); k(tmp). */
static int via_a(struct trans *t, int e)
{
    int r = new_root(t, -1, t->p->exp.a[e].type);

    return r >= 0 && accept(t, e, root_acc(t, r)) ? root_view(t, r) : -1;
}

static int call_c(struct trans *t, const struct exp *e)
{
    int a = trans_c(t, e->a), b = -1;

    if (a < 0)
        return -1;
    if (e->b >= 0 && (b = trans_c(t, e->b)) < 0)
        return -1;
    return code_vexp(t->c, (struct vexp){ .kind = VEXP_CALL, .op = e->op, .a = a, .b = b });
}

static int two_c(struct trans *t, const struct exp *e, int kind)
{
    int a = trans_c(t, e->a), b = a < 0 ? -1 : trans_c(t, e->b);

    return b < 0 ? -1 : view_two(t, kind, a, b);
}

static int one_c(struct trans *t, const struct exp *e, int kind)
{
    int a = trans_c(t, e->a);

    return a < 0 ? -1 : view_on(t, kind, a, e->n);
}

static int idx_c(struct trans *t, const struct exp *e)
{
    int a = trans_c(t, e->a), i = a < 0 ? -1 : trans_ix(t, e->b);

    return i < 0 ? -1 : view_two(t, VEXP_IDX, a, i);
}

static int dispatch_c(struct trans *t, int id)
{
    struct exp e = t->p->exp.a[id];

    switch (e.kind) {
    case EXP_VAR: /* c.1 */
        return t->env[e.x];
    case EXP_LIT: /* c.1 */
        return code_vexp(t->c, (struct vexp){ .kind = VEXP_LIT, .a = -1, .b = -1, .num = e.num, .inum = e.inum });
    case EXP_CALL: return call_c(t, &e);                /* c.2 c.3 c.4 */
    case EXP_MAP: return via_a(t, id);                  /* c.5 c.6 */
    case EXP_GEN: return via_a(t, id);                  /* c.gen */
    case EXP_RED: return reduce_c(t, &e);               /* c.7 */
    case EXP_FOLD: return reduce_c(t, &e);              /* c.fold */
    case EXP_ZIP: return two_c(t, &e, VEXP_ZIP);        /* c.8 */
    case EXP_SPLIT: return one_c(t, &e, VEXP_SPLIT);    /* c.9 */
    case EXP_JOIN: return one_c(t, &e, VEXP_JOIN);      /* c.10 */
    case EXP_PAIR: return two_c(t, &e, VEXP_PAIR);      /* c.11 */
    case EXP_FST: return one_c(t, &e, VEXP_FST);        /* c.12 */
    case EXP_SND: return one_c(t, &e, VEXP_SND);        /* c.13 */
    case EXP_IDX: return idx_c(t, &e);                  /* c.idx */
    case EXP_REV: return one_c(t, &e, VEXP_REV);        /* c.rev */
    case EXP_TR: return one_c(t, &e, VEXP_TR);          /* c.tr */
    case EXP_ITE: return ite_c(t, &e);                  /* c.ite */
    case EXP_LET: return let_bind(t, &e) ? trans_c(t, e.b) : -1; /* c.let */
    default: return -1;
    }
}

static bool enter(struct trans *t)
{
    if (t->c->status == CALQUE_OK && t->depth > EXP_DEPTH_MAX)
        t->c->status = CALQUE_LIMIT;
    t->depth++;
    return t->c->status == CALQUE_OK;
}

static int trans_c(struct trans *t, int e)
{
    int v = enter(t) ? dispatch_c(t, e) : -1;

    t->depth--;
    return t->c->status == CALQUE_OK ? v : -1;
}

/* A for what has no structural rule: C(e)(v. a := v). */
static bool via_c(struct trans *t, int id, int acc)
{
    int v = trans_c(t, id);

    copy(t, true, t->p->exp.a[id].type, acc, v);
    return v >= 0;
}

static bool dispatch_a(struct trans *t, int id, int acc)
{
    struct exp e = t->p->exp.a[id];
    int x;

    switch (e.kind) {
    case EXP_MAP: /* a.7 a.8 */
        x = trans_c(t, e.b);
        return x >= 0 && loop_acc(t, &e, x, acc);
    case EXP_GEN: /* a.gen */
        return loop_acc(t, &e, -1, acc);
    case EXP_RED: case EXP_FOLD: /* a.9 a.fold */
        if (!reduce_on_root(t, &e, acc))
            return via_c(t, id, acc);
        x = e.kind == EXP_RED ? trans_c(t, e.c) : 0;
        return x >= 0 && reduce_loop(t, &e, x, t->c->vacc.a[acc].a);
    case EXP_ZIP: /* a.10 */
        return accept(t, e.a, acc_on(t, VACC_ZIP1, acc, 0)) && accept(t, e.b, acc_on(t, VACC_ZIP2, acc, 0));
    case EXP_SPLIT: return trans_a(t, e.a, acc_on(t, VACC_SPLIT, acc, e.n)); /* a.11 */
    case EXP_JOIN: return trans_a(t, e.a, acc_on(t, VACC_JOIN, acc, e.n));   /* a.12 */
    case EXP_PAIR: /* a.13 */
        return accept(t, e.a, acc_on(t, VACC_PAIR1, acc, 0)) && accept(t, e.b, acc_on(t, VACC_PAIR2, acc, 0));
    case EXP_REV: return trans_a(t, e.a, acc_on(t, VACC_REV, acc, e.n)); /* a.rev */
    case EXP_TR: return trans_a(t, e.a, acc_on(t, VACC_TR, acc, 0));     /* a.tr */
    case EXP_ITE: return ite_a(t, &e, acc);
    case EXP_LET: return let_bind(t, &e) && trans_a(t, e.b, acc); /* a.let */
    default: /* a.1 a.4 a.5 a.6 a.14 a.15 a.idx */
        return via_c(t, id, acc);
    }
}

static bool trans_a(struct trans *t, int e, int acc)
{
    bool ok = enter(t) && acc >= 0 && dispatch_a(t, e, acc);

    t->depth--;
    return ok && t->c->status == CALQUE_OK;
}

static bool stmt(struct trans *t, const struct prog_stmt *s)
{
    int type = t->p->exp.a[s->exp].type, r;

    if (!s->buffered)
        return trans_a(t, s->exp, root_acc(t, s->param));
    r = new_root(t, -1, type);
    if (r < 0 || !accept(t, s->exp, root_acc(t, r)))
        return false;
    copy(t, true, type, root_acc(t, s->param), root_view(t, r));
    return t->c->status == CALQUE_OK;
}

static bool whole(struct trans *t)
{
    int mark = block_open(t->c);
    bool ok = true;

    for (int i = 0; i < t->p->param.n && ok; i++) {
        int var = t->p->param.a[i].var;
        int l = code_level(t->c, (struct level){ t->p->param.a[i].name, t->p->var.a[var].type, 0 });
        t->env[var] = root_view(t, l);
        ok = t->env[var] >= 0;
    }
    for (int i = 0; i < t->p->stmt.n && ok; i++) {
        int own = block_open(t->c);
        ok = stmt(t, &t->p->stmt.a[i]);
        if (ok)
            block_emit(t->c, block_close(t->c, own));
    }
    t->c->main = block_close(t->c, mark);
    return ok && t->c->main >= 0;
}

enum calque_status trans_prog(const struct prog *p, bool reuse, struct code *c, struct diag *d)
{
    struct trans t = { reuse, p, c, NULL, 0 };
    enum calque_status st = prog_status(p, d);
    bool ok;

    code_init(c, p);
    if (st != CALQUE_OK)
        return st;
    t.env = mem_resize(p->mem, NULL, (size_t)p->var.n, sizeof *t.env);
    if (!t.env)
        return diag_nomem(d);
    for (int i = 0; i < p->var.n; i++)
        t.env[i] = -1;
    ok = whole(&t);
    mem_free(t.env);
    if (ok)
        return CALQUE_OK;
    if (c->status == CALQUE_NOMEM)
        return diag_nomem(d);
    if (c->status == CALQUE_LIMIT)
        return diag_set(d, CALQUE_LIMIT, "", 0, 0, "dpia: an expression is nested deeper than %d", EXP_DEPTH_MAX);
    return diag_set(d, CALQUE_INTERNAL, "", 0, 0, "dpia: no translation rule applies");
}
