/* Producer into consumer (ComputeInline; spec inline section 8). The definition of a temporary is substituted for its
   loads, its variables by the load's indices at once; its reduction variables become variables of the consumer, renamed
   where a name is taken. Only the path from the load to the root is copied; the old nodes stay in the arenas, unused. */
#include "kernel/inline.h"
#include "kernel/parse.h"

#include <stdio.h>
#include <string.h>

/* Recursion in this file is bounded by KERNEL_DEPTH_MAX. */
static int count_loads(const struct kernel *k, int id, int t)
{
    const struct ex *e = &k->ex.a[id];

    if (e->kind == EX_CONST)
        return 0;
    if (e->kind == EX_LOAD)
        return e->op == t;
    return count_loads(k, e->a, t) + (e->kind != EX_REDUCE && e->b >= 0 ? count_loads(k, e->b, t) : 0);
}

static bool has_reduction(const struct kernel *k, int id)
{
    const struct ex *e = &k->ex.a[id];

    if (e->kind == EX_CONST || e->kind == EX_LOAD)
        return false;
    return e->kind == EX_REDUCE || has_reduction(k, e->a) || (e->b >= 0 && has_reduction(k, e->b));
}

static bool has_select(const struct kernel *k, int id)
{
    const struct ex *e = &k->ex.a[id];

    if (e->kind == EX_CONST || e->kind == EX_LOAD)
        return false;
    return e->kind == EX_SELECT || has_select(k, e->a) || (e->kind != EX_REDUCE && e->b >= 0 && has_select(k, e->b));
}

/* Where t is stored and loaded. */
struct uses {
    int store, last; /* statements: the one that stores t, the last one that loads it */
    int loads;       /* in all statements */
    int consumers;   /* statements that load it */
    bool reduction;  /* t's definition has one */
    bool beside;     /* a consumer has a reduction or a condition */
    bool inside;     /* a load is inside a reduction */
    bool plain;      /* the one load, outside reductions, is at the consumer's variables in order */
    bool in_place;   /* all loads are, over the same extents */
    const char *moved; /* why the loads are not all at one permutation of the one consumer's variables; NULL: they are */
    int perm[KERNEL_RANK_MAX]; /* then: index i of t is output variable perm[i] */
};

/* Collects the permutation at which every load of t in the expression stands. perm[0] is -1 before the first load. */
static bool same_permutation(const struct kernel *k, int id, int t, bool inside, struct uses *u)
{
    const struct ex *e = &k->ex.a[id];

    if (e->kind == EX_CONST)
        return true;
    if (e->kind != EX_LOAD)
        return same_permutation(k, e->a, t, inside || e->kind == EX_REDUCE, u) &&
               (e->kind == EX_REDUCE || e->b < 0 || same_permutation(k, e->b, t, inside, u));
    if (e->op != t)
        return true;
    u->inside = u->inside || inside;
    for (int i = 0; i < e->n; i++) {
        struct ix x = k->ix.a[k->pool.a[e->first + i]];
        if (x.kind != IX_VAR || (u->perm[i] >= 0 && u->perm[i] != x.k))
            return false;
        u->perm[i] = (int)x.k;
    }
    return e->n == k->tensor.a[t].rank;
}

/* Is perm a bijection from t's dimensions to those of the consumer, with equal extents? */
static const char *check_permutation(const struct kernel *k, int t, int out, const int *perm)
{
    const struct kernel_tensor *a = &k->tensor.a[t], *b = &k->tensor.a[out];

    if (a->rank != b->rank)
        return "the consumer has another number of dimensions";
    for (int i = 0; i < a->rank; i++) {
        if (perm[i] >= b->rank)
            return "a load is not at output variables of the consumer";
        if (a->dim[i] != b->dim[perm[i]])
            return "the consumer does not cover the producer";
        for (int j = 0; j < i; j++)
            if (perm[i] == perm[j])
                return "a load has a variable twice";
    }
    return NULL;
}

static void find_place(const struct kernel *k, const struct kernel_stmt *s, int t, struct uses *u)
{
    const char *why = "a load is not at a permutation of the consumer's variables";
    int rank = k->tensor.a[t].rank;
    bool order = rank == k->tensor.a[s->out].rank;

    for (int i = 0; i < KERNEL_RANK_MAX; i++)
        u->perm[i] = -1;
    if (same_permutation(k, s->body, t, false, u))
        why = check_permutation(k, t, s->out, u->perm);
    else
        order = false;
    for (int i = 0; i < rank; i++)
        order = order && u->perm[i] == i;
    u->plain = order && !u->inside;
    u->in_place = u->in_place && u->plain && !why;
    u->moved = u->moved ? u->moved : why;
    u->beside = u->beside || has_reduction(k, s->body) || has_select(k, s->body);
}

/* I1, I2 and I3; otherwise says what fails. I4 holds by construction, I5 is checked on the result. */
static const char *find_uses(const struct kernel *k, int t, struct uses *u)
{
    const struct kernel_stmt *s;

    *u = (struct uses){.store = -1, .last = -1, .in_place = true};
    if (k->tensor.a[t].role != KERNEL_TEMP)
        return k->tensor.a[t].role == KERNEL_OUT ? "it is an output, no temporary" : "it is an input, no temporary";
    for (int i = 0; i < k->stmt.n; i++) {
        s = &k->stmt.a[i];
        int n = count_loads(k, s->body, t);
        if (n > 0 && s->out == t)
            return "its definition loads it: it is loaded before or where it is stored"; /* I2 */
        if (n > 0 && u->store < 0)
            return "it is loaded before or where it is stored"; /* I1 */
        if (s->out == t && u->store >= 0)
            return "it is stored twice";
        if (s->out == t)
            u->store = i;
        if (n > 0) {
            u->last = i;
            u->consumers++;
            find_place(k, s, t, u);
        }
        u->loads += n;
    }
    if (u->store < 0)
        return "it is not stored";
    if (u->loads == 0)
        return "it is not loaded";
    for (int i = u->store + 1; i < u->last; i++) /* I3 */
        if (count_loads(k, k->stmt.a[u->store].body, k->stmt.a[i].out) > 0)
            return "a tensor it is computed from is overwritten before its last load";
    u->reduction = has_reduction(k, k->stmt.a[u->store].body);
    u->plain = u->plain && u->loads == 1;
    u->moved = !u->moved && u->consumers > 1 ? "it has several consumers" : u->moved;
    return NULL;
}

/* Do the consumer's loops, perhaps in another order, compute what the definition's do? */
static bool takes_loops(const struct uses *u, const struct inline_policy *o)
{
    return u->in_place || (o->permuted && !u->moved && !u->inside);
}

/* What the policy says against it although it would be right. */
static const char *unwanted(const struct uses *u, const struct inline_policy *o)
{
    bool together = o->together && u->consumers == 1 && takes_loops(u, o);

    if (u->reduction && !u->plain && !together && !o->reductions)
        return "its definition has a reduction, which the load would repeat";
    if (o->loads > 0 && (together ? 1 : u->loads) > o->loads)
        return "it is loaded more often than the policy allows";
    if (o->in_place && !takes_loops(u, o))
        return o->permuted ? "a load is not at all the consumer's own variables"
                           : "a load is not at all the consumer's own variables in order";
    if (o->alone && u->reduction && u->beside)
        return "its reduction would stand beside another one or under a condition";
    return NULL;
}

const char *kernel_inline_refusal(const struct kernel *k, int t, const struct inline_policy *o)
{
    struct uses u;
    const char *why = find_uses(k, t, &u);

    return why ? why : unwanted(&u, o);
}

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
    bool variables = e.n > 0, again = n->same >= 0;

    n->red.n = 0;
    for (int i = 0; i < e.n; i++) {
        struct ix x = n->k->ix.a[n->k->pool.a[e.first + i]];
        n->ix[i] = n->k->pool.a[e.first + i];
        variables = variables && x.kind == IX_VAR;
        again = again && x.kind == IX_VAR && x.k == n->same_ix[i];
        n->same_ix[i] = x.k;
    }
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

static enum calque_status replace_loads(struct inliner *n, const struct uses *u, struct diag *d)
{
    struct kernel *k = n->k;

    for (int i = u->store + 1; i <= u->last; i++) {
        struct kernel_stmt *s = &k->stmt.a[i];
        enum calque_status st;
        if (count_loads(k, s->body, n->t) == 0)
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
static void set_loops(const struct kernel *k, const struct uses *u, const unsigned char *from, struct kernel_stmt *s)
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

enum calque_status kernel_inline(struct kernel *k, int t, struct diag *d)
{
    static const struct inline_policy policy = {0};

    return kernel_inline_policy(k, t, &policy, d);
}

enum calque_status kernel_inline_policy(struct kernel *k, int t, const struct inline_policy *o, struct diag *d)
{
    int ix = k->ix.n, cond = k->cond.n, ex = k->ex.n, pool = k->pool.n, var = k->var.n;
    struct inliner n = {.k = k, .t = t};
    enum calque_status st;
    const char *why;
    struct uses u;
    struct kernel_stmt *saved;
    size_t bytes = (size_t)k->stmt.n * sizeof *saved;

    if (t < 0 || t >= k->tensor.n)
        return diag_set(d, CALQUE_INTERNAL, "", 0, 0, "no tensor %d", t);
    why = find_uses(k, t, &u);
    why = why ? why : unwanted(&u, o);
    if (why)
        return diag_set(d, CALQUE_NO, "", 0, 0, "%s cannot be inlined: %s",
                        strs_text(k->strs, k->tensor.a[t].name), why);
    saved = mem_zero(k->mem, (size_t)k->stmt.n, sizeof *saved);
    if (!saved)
        return diag_nomem(d);
    memcpy(saved, k->stmt.a, bytes);
    n.from = k->stmt.a[u.store];
    n.rank = k->tensor.a[t].rank;
    st = replace_loads(&n, &u, d);
    if (st == CALQUE_OK) {
        if (o->permuted && u.reduction && u.consumers == 1 && takes_loops(&u, o))
            set_loops(k, &u, n.from.loop, &k->stmt.a[u.last]);
        k->stmt.n--;
        memmove(k->stmt.a + u.store, k->stmt.a + u.store + 1, (size_t)(k->stmt.n - u.store) * sizeof *saved);
    } else {
        memcpy(k->stmt.a, saved, bytes);
        k->ix.n = ix;
        k->cond.n = cond;
        k->ex.n = ex;
        k->pool.n = pool;
        k->var.n = var;
    }
    mem_free(saved);
    ints_free(&n.red);
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
    struct uses u;

    if (t < 0 || t >= k->tensor.n)
        return diag_set(d, CALQUE_INTERNAL, "", 0, 0, "no tensor %d", t);
    why = find_uses(k, t, &u);
    why = why ? why : u.moved;
    if (why)
        return diag_set(d, CALQUE_NO, "", 0, 0, "%s cannot be reverse inlined: %s",
                        strs_text(k->strs, k->tensor.a[t].name), why);
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
