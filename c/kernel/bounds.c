/* Structure, sizes and bounds of statements. Every index of a load must be shown inside its dimension by interval
   arithmetic on index expressions and on their normal forms (affine.h); the guards of a select narrow the intervals of
   equal forms in its first branch, the negation of a single comparison in its second one (spec kernel section 2: wf). */
#include "kernel/affine.h"
#include "kernel/kernel.h"
#include "kernel/parse.h"

#include <stdarg.h>
#include <stdio.h>

/* Bound of the nodes of one statement seen as a tree: expressions may share subtrees after inlining. */
#define NODES_MAX 4000000L

struct fact {
    int form; /* as aff_base gives it */
    struct span span;
};

struct bounds {
    const struct kernel *k;
    const struct kernel_stmt *s;
    const char *file;
    const struct kpos *at;
    int n_at;
    struct diag *d;
    struct aff aff;
    struct { struct fact *a; int n, cap; } fact;
    char *bound; /* by variable: is it an output's or a reduction's in scope? */
    int dead;    /* > 0: nothing is evaluated here */
    bool term;   /* is this the term of a sum, or a branch of a choice that is one? */
    int skip;    /* index of a load that is not checked, as it is read from data; -1: none */
    long nodes;
    enum calque_status status;
};

static bool refuse(struct bounds *b, enum calque_status st, int pool, const char *format, ...) CALQUE_PRINTF(4, 5);

/* pool: place of the offending index in the pool, or -1. */
static bool refuse(struct bounds *b, enum calque_status st, int pool, const char *format, ...)
{
    struct kpos p = {b->s->line, b->s->col};
    char text[DIAG_TEXT];
    va_list ap;

    if (b->status != CALQUE_OK)
        return false;
    if (b->at && pool >= 0 && pool < b->n_at)
        p = b->at[pool];
    va_start(ap, format);
    vsnprintf(text, sizeof text, format, ap);
    va_end(ap);
    b->status = diag_set(b->d, st, b->file, p.line, p.col, "%s", text);
    return false;
}

static bool too_large(struct bounds *b, int pool)
{
    if (b->aff.status == CALQUE_NOMEM)
        return refuse(b, CALQUE_NOMEM, -1, "out of memory");
    return refuse(b, CALQUE_LIMIT, pool, "the index takes values beyond %d", KERNEL_INDEX_MAX);
}

static bool broken(struct bounds *b, const char *what)
{
    return refuse(b, CALQUE_INTERNAL, -1, "malformed kernel: %s", what);
}

static bool fits(struct span s)
{
    return s.lo > s.hi || (s.lo >= -KERNEL_INDEX_MAX && s.hi <= KERNEL_INDEX_MAX);
}

/* Structure of an index expression and its values without guards. */
static bool check_ix(struct bounds *b, int id, int below, int depth, int pool, struct span *s)
{
    struct span t;
    struct ix x;

    if (id < 0 || id >= b->k->ix.n || id >= below || depth > KERNEL_DEPTH_MAX)
        return broken(b, "an index id");
    if (++b->nodes > NODES_MAX)
        return refuse(b, CALQUE_LIMIT, pool, "the statement has more than %ld nodes", NODES_MAX);
    x = b->k->ix.a[id];
    if (x.kind == IX_VAR) {
        if (x.k < 0 || x.k >= b->s->nvar || !b->bound[x.k])
            return broken(b, "a variable out of its scope");
        s->lo = 0;
        s->hi = b->k->var.a[b->s->var + x.k].extent - 1;
        s->hi = s->hi < 0 ? 0 : s->hi;
        return true;
    }
    if (x.k > KERNEL_INDEX_MAX || x.k < -KERNEL_INDEX_MAX || x.kind < IX_VAR || x.kind > IX_MOD)
        return broken(b, "an index");
    if (x.kind == IX_CONST) {
        s->lo = s->hi = x.k;
        return true;
    }
    if (!check_ix(b, x.a, id, depth + 1, pool, s))
        return false;
    if (x.kind == IX_ADD || x.kind == IX_SUB) {
        if (!check_ix(b, x.b, id, depth + 1, pool, &t))
            return false;
        *s = span_add(*s, x.kind == IX_ADD ? t : span_scale(t, -1));
    } else if (x.kind == IX_MUL) {
        *s = span_scale(*s, x.k);
    } else if (x.k <= 0) {
        return broken(b, "a divisor");
    } else {
        *s = x.kind == IX_DIV ? span_div(*s, x.k) : span_mod(*s, x.k);
    }
    return fits(*s) ? true : too_large(b, pool);
}

/* Normal form of a checked index. The interpreter relies on the reach of all forms. */
static int form_of(struct bounds *b, int id, int pool)
{
    int n = b->aff.atom.n, f = aff_of(&b->aff, id);

    if (f < 0 || aff_reach(&b->aff, f) > KERNEL_INDEX_MAX)
        return too_large(b, pool), -1;
    for (int i = n; i < b->aff.atom.n; i++)
        if (b->aff.atom.a[i].kind != IX_VAR && aff_reach(&b->aff, b->aff.atom.a[i].form) > KERNEL_INDEX_MAX)
            return too_large(b, pool), -1;
    return f;
}

static struct span known(struct bounds *b, int base, struct span s)
{
    for (int i = 0; i < b->fact.n; i++)
        if (b->fact.a[i].form == base)
            s = span_meet(s, b->fact.a[i].span);
    return s;
}

/* What the facts of the guards say about a form. */
static struct span form_span(struct bounds *b, int form)
{
    struct aff_form f = b->aff.form.a[form];
    struct span r = {f.k, f.k}, s;
    long scale, k;
    int base;

    if (b->fact.n == 0)
        return aff_span(&b->aff, form);
    for (int i = 0; i < f.n; i++) {
        struct aff_term x = b->aff.term.a[f.first + i];
        struct aff_atom a = b->aff.atom.a[x.atom];
        s = a.span;
        if (a.kind == IX_DIV)
            s = span_div(form_span(b, a.form), a.k);
        if (a.kind == IX_MOD)
            s = span_mod(form_span(b, a.form), a.k);
        base = aff_atom_form(&b->aff, x.atom);
        if (base >= 0)
            s = known(b, base, s);
        r = span_add(r, span_scale(s, x.c));
    }
    base = f.n > 0 ? aff_base(&b->aff, form, &scale, &k) : -1;
    if (base >= 0) {
        s = known(b, base, (struct span){-((long)1 << 50), (long)1 << 50});
        r = span_meet(r, span_add(span_scale(s, scale), (struct span){k, k}));
    }
    return r;
}

/* What is known of an index here: by its syntax and by its form. */
static struct span ix_span(struct bounds *b, int id)
{
    struct ix x = b->k->ix.a[id];
    int f = aff_of(&b->aff, id);
    struct span r = {x.k, x.k}, s;

    if (f < 0)
        return (struct span){-((long)1 << 50), (long)1 << 50};
    s = form_span(b, f);
    if (x.kind == IX_VAR || x.kind == IX_CONST)
        return s;
    r = ix_span(b, x.a);
    if (x.kind == IX_ADD)
        r = span_add(r, ix_span(b, x.b));
    else if (x.kind == IX_SUB)
        r = span_add(r, span_scale(ix_span(b, x.b), -1));
    else if (x.kind == IX_MUL)
        r = span_scale(r, x.k);
    else
        r = x.kind == IX_DIV ? span_div(r, x.k) : span_mod(r, x.k);
    return span_meet(r, s);
}

/* Records form in s; from a quotient follows its dividend. */
static void add_fact(struct bounds *b, int form, struct span s)
{
    struct aff_atom atom;
    struct span t;
    long scale, k;
    int base;

    if (form < 0)
        return;
    t = span_meet(s, form_span(b, form));
    if (t.lo > t.hi)
        b->dead++;
    if (b->aff.form.a[form].n == 0 || (base = aff_base(&b->aff, form, &scale, &k)) < 0)
        return;
    t = span_add(t, (struct span){-k, -k});
    if (scale < 0) {
        t = span_scale(t, -1);
        scale = -scale;
    }
    t = (struct span){-floor_div(-t.lo, scale), floor_div(t.hi, scale)};
    if (!vec_room(b->aff.mem, &b->fact, 1)) {
        refuse(b, CALQUE_NOMEM, -1, "out of memory");
        return;
    }
    b->fact.a[b->fact.n++] = (struct fact){base, t};
    if (b->aff.form.a[base].n > 1)
        return;
    atom = b->aff.atom.a[b->aff.term.a[b->aff.form.a[base].first].atom];
    if (atom.kind == IX_DIV) {
        t = span_scale(t, atom.k);
        add_fact(b, atom.form, span_add(t, (struct span){0, atom.k - 1}));
    }
}

/* The difference's interval under `difference op 0`. */
static struct span op_span(int op, struct span d)
{
    const long far = (long)1 << 50;

    switch (op) {
    case CMP_LT:
        return (struct span){-far, -1};
    case CMP_LE:
        return (struct span){-far, 0};
    case CMP_GT:
        return (struct span){1, far};
    case CMP_GE:
        return (struct span){0, far};
    case CMP_EQ:
        return (struct span){0, 0};
    default:
        return (struct span){d.lo == 0 ? 1 : -far, d.hi == 0 ? -1 : far};
    }
}

/* Assumes the comparison: facts about a - b, about a and b from each other's intervals, about the single atoms. */
static void assume(struct bounds *b, struct cond c)
{
    int fa = aff_of(&b->aff, c.a), fb = aff_of(&b->aff, c.b), d = aff_add(&b->aff, fa, fb, -1);
    struct span want, sa, sb;
    struct aff_form f;

    if (d < 0)
        return;
    want = op_span(c.op, form_span(b, d));
    add_fact(b, d, want);
    sa = ix_span(b, c.a);
    sb = ix_span(b, c.b);
    add_fact(b, fa, span_add(sb, want));
    add_fact(b, fb, span_add(sa, span_scale(want, -1)));
    f = b->aff.form.a[d];
    for (int i = 0; i < f.n && f.n > 1 && f.n <= 16; i++) {
        struct aff_term x = b->aff.term.a[f.first + i];
        int one = aff_atom_form(&b->aff, x.atom), rest = aff_add(&b->aff, d, one, -x.c), scaled;
        if (rest < 0 || (scaled = aff_add(&b->aff, d, rest, -1)) < 0)
            return;
        add_fact(b, scaled, span_add(want, span_scale(form_span(b, rest), -1)));
    }
}

static bool check_ex(struct bounds *b, int id, int below, int depth);

static bool check_load(struct bounds *b, const struct ex *e)
{
    const struct kernel_tensor *t;
    struct span s;
    bool scalar;

    if (e->op < 0 || e->op >= b->k->tensor.n)
        return broken(b, "a tensor id");
    t = &b->k->tensor.a[e->op];
    scalar = e->n == 0 && t->rank == 1 && t->dim[0] == 1;
    if ((e->n != t->rank && !scalar) || e->first < 0 || e->first > b->k->pool.n - e->n)
        return broken(b, "the indices of a load");
    for (int i = 0; i < e->n; i++) {
        int ix = b->k->pool.a[e->first + i];
        if (!check_ix(b, ix, b->k->ix.n, 0, e->first + i, &s) || form_of(b, ix, e->first + i) < 0)
            return false;
        s = ix_span(b, ix);
        if (b->aff.status != CALQUE_OK)
            return too_large(b, e->first + i);
        if (b->dead == 0 && i != b->skip && (s.lo < 0 || s.hi >= t->dim[i]))
            return refuse(b, CALQUE_BAD, e->first + i, "index %d of %s is in %ld..%ld, not in 0..%ld", i + 1,
                          strs_text(b->k->strs, t->name), s.lo, s.hi, t->dim[i] - 1);
    }
    return true;
}

static bool check_select(struct bounds *b, const struct ex *e, int id, int depth)
{
    static const int negation[] = {CMP_GE, CMP_GT, CMP_LE, CMP_LT, CMP_NE, CMP_EQ};
    int facts = b->fact.n, dead = b->dead;
    bool term = b->term;
    struct span s;
    struct cond c;

    if (e->n < 1 || e->first < 0 || e->first > b->k->cond.n - e->n)
        return broken(b, "the conditions of a select");
    for (int i = 0; i < e->n; i++) {
        int d;
        c = b->k->cond.a[e->first + i];
        if (c.op < CMP_LT || c.op > CMP_NE)
            return broken(b, "a comparison");
        if (!check_ix(b, c.a, b->k->ix.n, 0, -1, &s) || !check_ix(b, c.b, b->k->ix.n, 0, -1, &s) ||
            form_of(b, c.a, -1) < 0 || form_of(b, c.b, -1) < 0)
            return false;
        d = aff_add(&b->aff, aff_of(&b->aff, c.a), aff_of(&b->aff, c.b), -1);
        if (d < 0 || aff_reach(&b->aff, d) > KERNEL_INDEX_MAX)
            return too_large(b, -1);
        assume(b, c);
    }
    if (b->status != CALQUE_OK || !check_ex(b, e->a, id, depth + 1))
        return false;
    b->fact.n = facts;
    b->dead = dead;
    if (e->n == 1) {
        c = b->k->cond.a[e->first];
        c.op = negation[c.op];
        assume(b, c);
    }
    b->term = term;
    if (b->status != CALQUE_OK || !check_ex(b, e->b, id, depth + 1))
        return false;
    b->fact.n = facts;
    b->dead = dead;
    return true;
}

static bool check_reduce(struct bounds *b, const struct ex *e, int id, int depth)
{
    int dead = b->dead, rank = b->k->tensor.a[b->s->out].rank;

    if (e->n < 1 || e->first < 0 || e->first > b->k->pool.n - e->n || (e->op != RED_SUM && e->op != RED_MAX))
        return broken(b, "a reduction");
    for (int i = 0; i < e->n; i++) {
        int v = b->k->pool.a[e->first + i];
        if (v < rank || v >= b->s->nvar || b->bound[v])
            return broken(b, "the variable of a reduction");
        b->bound[v] = 1;
        if (b->k->var.a[b->s->var + v].extent == 0)
            b->dead++;
    }
    b->term = e->op == RED_SUM;
    if (!check_ex(b, e->a, id, depth + 1))
        return false;
    for (int i = 0; i < e->n; i++)
        b->bound[b->k->pool.a[e->first + i]] = 0;
    b->dead = dead;
    return true;
}

static bool check_call(struct bounds *b, const struct ex *e, int id, int depth)
{
    static const char arguments[] = {
#define FN(name, text, n, c, meaning) n,
#include "kernel/fn.def"
#undef FN
    };
    bool real = b->k->type == KERNEL_F32 || b->k->type == KERNEL_F64, term = b->term;

    b->term = false;
    if (e->op < 0 || e->op >= FN_COUNT)
        return broken(b, "a function");
    if (e->op == FN_EXACT && !term)
        return refuse(b, CALQUE_BAD, -1, "exact(a, b) is the term of a sum, or a branch of a select that is one");
    if (real ? e->op == FN_MOD : fn_is_float(e->op))
        return broken(b, "a function of another element type");
    if (!check_ex(b, e->a, id, depth + 1))
        return false;
    b->term = false;
    return arguments[e->op] == 1 ? e->b < 0 || broken(b, "a second argument") : check_ex(b, e->b, id, depth + 1);
}

static bool check_ex(struct bounds *b, int id, int below, int depth)
{
    const struct ex *e;

    if (id < 0 || id >= b->k->ex.n || id >= below)
        return broken(b, "an expression id");
    if (depth >= KERNEL_DEPTH_MAX)
        return refuse(b, CALQUE_LIMIT, -1, "the expression is nested deeper than %d", KERNEL_DEPTH_MAX);
    if (++b->nodes > NODES_MAX)
        return refuse(b, CALQUE_LIMIT, -1, "the statement has more than %ld nodes", NODES_MAX);
    e = &b->k->ex.a[id];
    switch (e->kind) {
    case EX_CONST:
        return true;
    case EX_LOAD:
        return check_load(b, e);
    case EX_CALL:
        return check_call(b, e, id, depth);
    case EX_SELECT:
        return check_select(b, e, id, depth);
    case EX_REDUCE:
        return check_reduce(b, e, id, depth);
    default:
        return broken(b, "an expression");
    }
}

/* Do the loops run over each of the output's variables once? */
static bool check_loops(const struct kernel_stmt *s, int rank)
{
    bool seen[KERNEL_RANK_MAX] = {false};

    for (int i = 0; i < rank && s->loop[0] > 0; i++) {
        if (s->loop[i] == 0 || s->loop[i] > rank || seen[s->loop[i] - 1])
            return false;
        seen[s->loop[i] - 1] = true;
    }
    return true;
}

static bool check_stmt(struct bounds *b)
{
    const struct kernel *k = b->k;
    const struct kernel_stmt *s = b->s;
    const struct kernel_tensor *t;

    if (s->out < 0 || s->out >= k->tensor.n || s->var < 0 || s->nvar < 0 || s->var > k->var.n - s->nvar)
        return broken(b, "a statement");
    t = &k->tensor.a[s->out];
    if (s->nvar < t->rank || !check_loops(s, t->rank))
        return broken(b, "the variables of a statement");
    for (int i = 0; i < s->nvar; i++) {
        long extent = k->var.a[s->var + i].extent;
        if (extent < 0 || extent > KERNEL_INDEX_MAX || (i < t->rank && extent != t->dim[i]))
            return broken(b, "the extent of a variable");
        if (i < t->rank)
            b->bound[i] = 1;
        if (i < t->rank && extent == 0)
            b->dead++;
    }
    if (s->look == 0)
        return check_ex(b, s->body, k->ex.n, 0);
    if (lookup_check(k, s))
        return refuse(b, CALQUE_BAD, -1, "%s", lookup_check(k, s));
    if (!check_load(b, &k->ex.a[s->at]))
        return false;
    b->skip = s->look - 1;
    return check_load(b, &k->ex.a[s->body]);
}

enum calque_status bounds_check(const struct kernel *k, const struct kernel_stmt *s, const char *file,
                                const struct kpos *at, int n, struct diag *d)
{
    struct bounds b = {.k = k, .s = s, .file = file, .at = at, .n_at = n, .d = d, .skip = -1};

    b.bound = mem_zero(k->mem, (size_t)(s->nvar > 0 ? s->nvar : 0), 1);
    if (!b.bound)
        return diag_nomem(d);
    aff_init(&b.aff, k->mem, k, s);
    check_stmt(&b);
    if (b.status == CALQUE_OK && b.aff.status != CALQUE_OK)
        too_large(&b, -1);
    aff_free(&b.aff);
    mem_free(b.fact.a);
    mem_free(b.bound);
    return b.status == CALQUE_NOMEM ? diag_nomem(d) : b.status;
}

static enum calque_status check_tensors(const struct kernel *k, struct diag *d)
{
    for (int i = 0; i < k->tensor.n; i++) {
        const struct kernel_tensor *t = &k->tensor.a[i];
        long n = 1;
        if (t->rank < 1 || t->rank > KERNEL_RANK_MAX || t->role < KERNEL_IN || t->role > KERNEL_TEMP ||
            t->elem < ELEM_OWN || t->elem > ELEM_BOOL || t->elem == kernel_own(k->type))
            return diag_set(d, CALQUE_INTERNAL, "", 0, 0, "malformed kernel: tensor %d", i);
        for (int j = 0; j < t->rank; j++) {
            if (t->dim[j] < 0 || t->dim[j] > KERNEL_INDEX_MAX || (n > 0 && t->dim[j] > KERNEL_INDEX_MAX / n))
                return diag_set(d, CALQUE_LIMIT, "", 0, 0, "the tensor %s is too large",
                                strs_text(k->strs, t->name));
            n *= t->dim[j];
        }
    }
    return CALQUE_OK;
}

enum calque_status kernel_check(const struct kernel *k, struct diag *d)
{
    enum calque_status st = check_tensors(k, d);

    for (int i = 0; i < k->stmt.n && st == CALQUE_OK; i++)
        st = bounds_check(k, &k->stmt.a[i], "", NULL, 0, d);
    return st;
}
