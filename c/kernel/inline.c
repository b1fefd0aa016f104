/* Producer into consumer (ComputeInline; spec inline section 8). The definition of a temporary is substituted for its
   loads, its variables by the load's indices at once; its reduction variables become variables of the consumer, renamed
   where a name is taken. Only the path from the load to the root is copied; the old nodes stay in the arenas, unused. */
#include "kernel/inline_internal.h"
#include "kernel/parse.h"

#include <stdio.h>
#include <string.h>

struct inliner {
    struct kernel *k;
    int t;
    struct kernel_stmt from; /* the producer */
    int rank;                /* of t */
    int ix[KERNEL_RANK_MAX]; /* what its output variables become */
    int shift;               /* added to the numbers of its reduction variables */
    int same;                /* what the last load at mere variables became in this statement, or -1 */
    long same_ix[KERNEL_RANK_MAX]; /* those variables */
    struct ints red;         /* reductions of the producer and what they became for this load, in turn */
};

static int subst_ix(struct inliner *n, int id)
{
    struct ix x = n->k->ix.a[id];
    int a, b = x.b;

    switch (x.kind) {
    case IX_CONST:
        return id;
    case IX_VAR:
        if (x.k < n->rank)
            return n->ix[x.k];
        if (n->shift == 0)
            return id;
        x.k += n->shift;
        return kernel_ix(n->k, x);
    default:
        a = subst_ix(n, x.a);
        if (a < 0 || ((x.kind == IX_ADD || x.kind == IX_SUB) && (b = subst_ix(n, x.b)) < 0))
            return -1;
        if (a == x.a && b == x.b)
            return id;
        x.a = a;
        x.b = b;
        return kernel_ix(n->k, x);
    }
}

/* A copy of a load's indices, substituted, or of a reduction's variables, shifted; its place in the pool or -1. */
static int subst_pool(struct inliner *n, const struct ex *e)
{
    struct kernel *k = n->k;
    int first, x;

    if (!vec_room(k->mem, &k->pool, e->n))
        return -1;
    first = k->pool.n;
    k->pool.n += e->n;
    for (int i = 0; i < e->n; i++) {
        x = k->pool.a[e->first + i];
        x = e->kind == EX_LOAD ? subst_ix(n, x) : x + n->shift;
        if (x < 0)
            return -1;
        k->pool.a[first + i] = x;
    }
    return first;
}

static int subst_conds(struct inliner *n, const struct ex *e)
{
    struct kernel *k = n->k;
    int first;

    if (!vec_room(k->mem, &k->cond, e->n))
        return -1;
    first = k->cond.n;
    for (int i = 0; i < e->n; i++) {
        struct cond c = k->cond.a[e->first + i];
        if ((c.a = subst_ix(n, c.a)) < 0 || (c.b = subst_ix(n, c.b)) < 0)
            return -1;
        k->cond.a[k->cond.n++] = c;
    }
    return first;
}

static int new_reduction(struct inliner *n, int id, struct ex e)
{
    int to = kernel_ex(n->k, e);

    return to >= 0 && ints_push(n->k->mem, &n->red, id) && ints_push(n->k->mem, &n->red, to) ? to : -1;
}

/* The producer's expression, substituted. A reduction that occurs twice stays one. */
static int subst_ex(struct inliner *n, int id)
{
    struct ex e = n->k->ex.a[id];

    if (e.kind == EX_CONST)
        return id;
    for (int i = 0; e.kind == EX_REDUCE && i < n->red.n; i += 2)
        if (n->red.a[i] == id)
            return n->red.a[i + 1];
    if ((e.kind == EX_LOAD || e.kind == EX_REDUCE) && (e.first = subst_pool(n, &n->k->ex.a[id])) < 0)
        return -1;
    if (e.kind == EX_LOAD)
        return kernel_ex(n->k, e);
    if (e.kind == EX_SELECT && (e.first = subst_conds(n, &e)) < 0)
        return -1;
    if ((e.a = subst_ex(n, e.a)) < 0 || (e.kind != EX_REDUCE && e.b >= 0 && (e.b = subst_ex(n, e.b)) < 0))
        return -1;
    return e.kind == EX_REDUCE ? new_reduction(n, id, e) : kernel_ex(n->k, e);
}

static int subst_load(struct inliner *n, struct ex e)
{
    bool variables = e.n > 0, again = n->same >= 0, own = variables && n->shift == 0;

    n->red.n = 0;
    for (int i = 0; i < e.n; i++) {
        struct ix x = n->k->ix.a[n->k->pool.a[e.first + i]];
        n->ix[i] = n->k->pool.a[e.first + i];
        variables = variables && x.kind == IX_VAR;
        again = again && x.kind == IX_VAR && x.k == n->same_ix[i];
        n->same_ix[i] = x.k;
        own = own && x.kind == IX_VAR && x.k == i;
    }
    if (own) /* nothing changes: a chain of inlinings copies nothing */
        return n->same = n->from.body;
    if (variables)
        return n->same = again ? n->same : subst_ex(n, n->from.body);
    n->same = -1;
    if (e.n == 0 && (n->ix[0] = kernel_ix(n->k, (struct ix){IX_CONST, 0, 0, 0})) < 0)
        return -1;
    return subst_ex(n, n->from.body);
}

/* The consumer's expression with every load of t replaced; the same id when there is none. */
static int rebuild(struct inliner *n, int id)
{
    struct ex e = n->k->ex.a[id];
    int a, b = e.b;

    if (e.kind == EX_CONST)
        return id;
    if (e.kind == EX_LOAD)
        return e.op == n->t ? subst_load(n, e) : id;
    a = rebuild(n, e.a);
    if (a < 0 || (e.kind != EX_REDUCE && b >= 0 && (b = rebuild(n, b)) < 0))
        return -1;
    if (a == e.a && b == e.b)
        return id;
    e.a = a;
    e.b = b;
    return kernel_ex(n->k, e);
}

static bool is_var_name(const struct kernel *k, const struct kernel_stmt *s, int name)
{
    for (int i = 0; i < s->nvar; i++)
        if (k->var.a[s->var + i].name == name)
            return true;
    return false;
}

/* A name of neither statement's variables: the old one with a number. */
static int fresh_name(const struct kernel *k, const struct kernel_stmt *a, const struct kernel_stmt *b, int name)
{
    char text[256];
    int old = name;

    for (int i = 1; is_var_name(k, a, name) || is_var_name(k, b, name); i++) {
        int len = snprintf(text, sizeof text, "%.200s_%d", strs_text(k->strs, old), i);
        name = strs_add(k->strs, text, (size_t)len);
        if (name < 0)
            return -1;
    }
    return name;
}

/* Gives the consumer the reduction variables of the producer: a new range of variables. */
static bool join_vars(struct inliner *n, struct kernel_stmt *s)
{
    struct kernel *k = n->k;
    int more = n->from.nvar - n->rank, first = k->var.n;
    struct kernel_stmt joined = *s;

    if (more == 0)
        return true;
    if (!vec_room(k->mem, &k->var, s->nvar + more))
        return false;
    for (int i = 0; i < s->nvar; i++)
        k->var.a[k->var.n++] = k->var.a[s->var + i];
    joined.var = first;
    for (int i = n->rank; i < n->from.nvar; i++) {
        struct kernel_var v = k->var.a[n->from.var + i];
        struct kernel_stmt own = {.var = n->from.var + i, .nvar = n->from.nvar - i};
        if (is_var_name(k, s, v.name) && (v.name = fresh_name(k, &joined, &own, v.name)) < 0)
            return false;
        k->var.a[k->var.n++] = v;
        joined.nvar++;
    }
    n->shift = s->nvar - n->rank;
    *s = joined;
    return true;
}

/* Replaces the loads in the consumers x->at names; they are saved as they were. */
static enum calque_status replace_loads(struct inliner *n, struct inline_index *x, const struct inline_uses *u, struct diag *d)
{
    struct kernel *k = n->k;

    x->saved.n = 0;
    if (!vec_room(k->mem, &x->saved, x->at.n))
        return diag_nomem(d);
    for (int i = 0; i < x->at.n; i++)
        x->saved.a[x->saved.n++] = k->stmt.a[x->at.a[i]];
    for (int i = 0; i < x->at.n; i++) {
        struct kernel_stmt *s = &k->stmt.a[x->at.a[i]];
        enum calque_status st;
        if (x->at.a[i] <= u->store || inline_loads(k, s->body, n->t) == 0)
            continue;
        if (u->reduction && !join_vars(n, s))
            return diag_nomem(d);
        n->same = -1;
        if ((s->body = rebuild(n, s->body)) < 0)
            return diag_nomem(d);
        st = bounds_check(k, s, "", NULL, 0, d); /* I5 */
        if (st != CALQUE_OK)
            return st == CALQUE_BAD ? CALQUE_NO : st;
    }
    return CALQUE_OK;
}

/* The consumer's loops in the order of the definition's, which ran as `from` says. */
static void set_loops(const struct kernel *k, const struct inline_uses *u, const unsigned char *from, struct kernel_stmt *s)
{
    int rank = k->tensor.a[s->out].rank;
    bool order = true;

    for (int i = 0; i < rank; i++) {
        s->loop[i] = (unsigned char)(u->perm[from[0] ? from[i] - 1 : i] + 1);
        order = order && s->loop[i] == i + 1;
    }
    if (order)
        memset(s->loop, 0, sizeof s->loop);
}

static enum calque_status cannot(const struct kernel *k, int t, const char *how, const char *why, struct diag *d)
{
    return diag_set(d, CALQUE_NO, "", 0, 0, "%s cannot be %s: %s", strs_text(k->strs, k->tensor.a[t].name), how, why);
}

/* kernel_inline_policy with the index at hand; statements keep their numbers. */
static enum calque_status inline_one(struct inline_index *x, int t, const struct inline_policy *o, struct diag *d)
{
    struct kernel *k = x->k;
    int ix = k->ix.n, cond = k->cond.n, ex = k->ex.n, pool = k->pool.n, var = k->var.n;
    struct inliner n = {.k = k, .t = t};
    enum calque_status st;
    struct inline_uses u;
    bool nomem;
    const char *why = inline_find(x, t, &u, &nomem);

    if (nomem)
        return diag_nomem(d);
    why = why ? why : inline_unwanted(k, &u, o);
    if (why)
        return cannot(k, t, "inlined", why, d);
    n.from = k->stmt.a[u.store];
    n.rank = k->tensor.a[t].rank;
    st = replace_loads(&n, x, &u, d);
    if (st == CALQUE_OK && !inline_note(x, &u))
        st = diag_nomem(d);
    if (st == CALQUE_OK) {
        if (o->permuted && u.reduction && u.consumers == 1 && inline_takes_loops(&u, o))
            set_loops(k, &u, n.from.loop, &k->stmt.a[u.last]);
    } else {
        for (int i = 0; i < x->saved.n; i++)
            k->stmt.a[x->at.a[i]] = x->saved.a[i];
        k->ix.n = ix;
        k->cond.n = cond;
        k->ex.n = ex;
        k->pool.n = pool;
        k->var.n = var;
    }
    ints_free(&n.red);
    return st;
}

enum calque_status kernel_inline(struct kernel *k, int t, struct diag *d)
{
    static const struct inline_policy policy = {0};

    return kernel_inline_policy(k, t, &policy, d);
}

enum calque_status kernel_inline_policy(struct kernel *k, int t, const struct inline_policy *o, struct diag *d)
{
    struct inline_index x;
    enum calque_status st;

    if (t < 0 || t >= k->tensor.n)
        return diag_set(d, CALQUE_INTERNAL, "", 0, 0, "no tensor %d", t);
    st = inline_open(&x, k) ? inline_one(&x, t, o, d) : diag_nomem(d);
    inline_close(&x);
    return st;
}

static bool name_used(const struct kernel *k, const struct kernel_stmt *s, int name)
{
    for (int i = k->tensor.a[s->out].rank; i < s->nvar; i++)
        if (k->var.a[s->var + i].name == name)
            return true;
    return false;
}

enum calque_status kernel_inline_reverse(struct kernel *k, int t, int *stmt, struct diag *d)
{
    unsigned char from[KERNEL_RANK_MAX];
    int name[KERNEL_RANK_MAX], rank;
    const char *why;
    enum calque_status st;
    struct kernel_stmt *s;
    struct inline_index x;
    struct inline_uses u;
    bool nomem;

    if (t < 0 || t >= k->tensor.n)
        return diag_set(d, CALQUE_INTERNAL, "", 0, 0, "no tensor %d", t);
    nomem = !inline_open(&x, k);
    why = nomem ? NULL : inline_find(&x, t, &u, &nomem);
    inline_close(&x);
    if (nomem)
        return diag_nomem(d);
    why = why ? why : u.moved;
    if (why)
        return cannot(k, t, "reverse inlined", why, d);
    rank = k->tensor.a[t].rank;
    for (int i = 0; i < rank; i++)
        name[i] = k->var.a[k->stmt.a[u.store].var + i].name;
    memcpy(from, k->stmt.a[u.store].loop, sizeof from);
    st = kernel_inline_policy(k, t, &(struct inline_policy){.reductions = true}, d);
    if (st != CALQUE_OK)
        return st;
    *stmt = u.last - 1;
    s = &k->stmt.a[*stmt];
    set_loops(k, &u, from, s);
    for (int i = 0; i < rank; i++) /* a reduction has it, or a scalar's variable has none: the consumer's names stay */
        if (name_used(k, s, name[i]) || strs_len(k->strs, name[i]) == 0)
            return CALQUE_OK;
    for (int i = 0; i < rank; i++)
        k->var.a[s->var + u.perm[i]].name = name[i];
    return CALQUE_OK;
}

/* Passes: all temporaries that should be inlined are, dead statements go. */

/* Recursion in this file is bounded by KERNEL_DEPTH_MAX. */
static void mark_loads(const struct kernel *k, int id, char *live)
{
    const struct ex *e = &k->ex.a[id];

    if (e->kind == EX_LOAD)
        live[e->op] = 1;
    if (e->kind == EX_CONST || e->kind == EX_LOAD)
        return;
    mark_loads(k, e->a, live);
    if (e->kind != EX_REDUCE && e->b >= 0)
        mark_loads(k, e->b, live);
}

enum calque_status kernel_remove_dead(struct kernel *k, int *removed, struct diag *d)
{
    char *live = mem_zero(k->mem, (size_t)k->tensor.n, 1), *keep = mem_zero(k->mem, (size_t)k->stmt.n, 1);
    int n = 0;

    if (!live || !keep) {
        mem_free(live);
        mem_free(keep);
        return diag_nomem(d);
    }
    for (int t = 0; t < k->tensor.n; t++)
        live[t] = k->tensor.a[t].role == KERNEL_OUT;
    for (int i = k->stmt.n - 1; i >= 0; i--) {
        const struct kernel_stmt *s = &k->stmt.a[i];
        keep[i] = live[s->out];
        if (!keep[i])
            continue;
        live[s->out] = 0; /* every cell is written */
        mark_loads(k, s->body, live);
        if (s->look > 0)
            mark_loads(k, s->at, live);
    }
    for (int i = 0; i < k->stmt.n; i++)
        if (keep[i])
            k->stmt.a[n++] = k->stmt.a[i];
    *removed = k->stmt.n - n;
    k->stmt.n = n;
    mem_free(live);
    mem_free(keep);
    return CALQUE_OK;
}

static enum calque_status inline_pass(struct inline_index *x, const struct inline_policy *o, int *inlined,
                                      void (*refused)(void *arg, const struct diag *why), void *arg, struct diag *d)
{
    const struct kernel *k = x->k;

    for (int i = 0; i < k->stmt.n; i++) {
        int t = k->stmt.a[i].out;
        enum calque_status st;
        struct diag why;
        if (x->gone[i] || k->tensor.a[t].role != KERNEL_TEMP || !inline_first(x, i))
            continue;
        diag_clear(&why);
        st = inline_one(x, t, o, &why);
        if (st == CALQUE_OK) {
            ++*inlined;
        } else if (st != CALQUE_NO && st != CALQUE_LIMIT) {
            if (d)
                *d = why;
            return st;
        } else if (refused) {
            refused(arg, &why);
        }
    }
    return CALQUE_OK;
}

enum calque_status kernel_inline_all(struct kernel *k, const struct inline_policy *o, int *inlined,
                                     void (*refused)(void *arg, const struct diag *why), void *arg, struct diag *d)
{
    struct inline_index x;
    enum calque_status st = inline_open(&x, k) ? CALQUE_OK : diag_nomem(d);
    int before = -1;

    *inlined = 0;
    while (st == CALQUE_OK && *inlined > before) { /* inlining a consumer may make the loads in it plain */
        before = *inlined;
        st = inline_pass(&x, o, inlined, NULL, NULL, d);
    }
    if (st == CALQUE_OK && refused)
        st = inline_pass(&x, o, inlined, refused, arg, d);
    inline_close(&x);
    return st;
}

const char *kernel_inline_refusal(struct kernel *k, int t, const struct inline_policy *o)
{
    struct inline_index x;
    struct inline_uses u;
    bool nomem = !inline_open(&x, k);
    const char *why = nomem ? NULL : inline_find(&x, t, &u, &nomem);

    inline_close(&x);
    if (nomem)
        return "out of memory";
    return why ? why : inline_unwanted(k, &u, o);
}
