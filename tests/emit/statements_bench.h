/* Changes of merged statements for unit_statements.c, each at every place where it can be made, and what statements do, one after the
   other, as a number. */
#ifndef CALQUE_TESTS_STATEMENTS_BENCH_H
#define CALQUE_TESTS_STATEMENTS_BENCH_H

#include "../unit.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "emit/minic.h"

static struct mem mem = MEM_INIT;
static struct strs strs;

/* ---- changes ---- */

/* What was there before a change. */
struct saved {
    struct minic m;
    void *mx, *cond, *ms, *pool, *atom, *term, *lin;
};

static void *copy(const void *a, size_t n, size_t size)
{
    void *r = malloc(n * size + 1);

    CU_ASSERT_FATAL(r != NULL);
    return n > 0 ? memcpy(r, a, n * size) : r;
}


static void save(struct saved *s, const struct minic *m)
{
    s->m = *m;
    s->mx = copy(m->mx.a, (size_t)m->mx.n, sizeof *m->mx.a);
    s->cond = copy(m->cond.a, (size_t)m->cond.n, sizeof *m->cond.a);
    s->ms = copy(m->ms.a, (size_t)m->ms.n, sizeof *m->ms.a);
    s->pool = copy(m->pool.a, (size_t)m->pool.n, sizeof *m->pool.a);
    s->atom = copy(m->lins.atom.a, (size_t)m->lins.atom.n, sizeof *m->lins.atom.a);
    s->term = copy(m->lins.term.a, (size_t)m->lins.term.n, sizeof *m->lins.term.a);
    s->lin = copy(m->lins.lin.a, (size_t)m->lins.lin.n, sizeof *m->lins.lin.a);
}

static void put(void *to, const void *from, int n, size_t size)
{
    if (n > 0)
        memcpy(to, from, (size_t)n * size);
}

static void restore(const struct saved *s, struct minic *m)
{
    put(m->mx.a, s->mx, m->mx.n = s->m.mx.n, sizeof *m->mx.a);
    put(m->cond.a, s->cond, m->cond.n = s->m.cond.n, sizeof *m->cond.a);
    put(m->ms.a, s->ms, m->ms.n = s->m.ms.n, sizeof *m->ms.a);
    put(m->pool.a, s->pool, m->pool.n = s->m.pool.n, sizeof *m->pool.a);
    put(m->lins.atom.a, s->atom, m->lins.atom.n = s->m.lins.atom.n, sizeof *m->lins.atom.a);
    put(m->lins.term.a, s->term, m->lins.term.n = s->m.lins.term.n, sizeof *m->lins.term.a);
    put(m->lins.lin.a, s->lin, m->lins.lin.n = s->m.lins.lin.n, sizeof *m->lins.lin.a);
}

static void free_saved(struct saved *s)
{
    free(s->mx);
    free(s->cond);
    free(s->ms);
    free(s->pool);
    free(s->atom);
    free(s->term);
    free(s->lin);
}

/* Another form: a + k. */
static int moved(struct minic *m, int a, long k)
{
    return lin_add(&m->lins, a, lin_const(&m->lins, k));
}

static int new_ms(struct minic *m, struct ms x)
{
    CU_ASSERT_FATAL(vec_room(&mem, &m->ms, 1));
    m->ms.a[m->ms.n] = x;
    return m->ms.n++;
}

static int new_block(struct minic *m, const int *items, int n)
{
    struct ms x = { .kind = MS_BLOCK, .a = -1, .b = -1, .var = -1, .lin = -1, .first = m->pool.n, .len = n };

    for (int i = 0; i < n; i++)
        CU_ASSERT_FATAL(ints_push(&mem, &m->pool, items[i]));
    return new_ms(m, x);
}

static bool has_blocks(const struct minic *m, int id)
{
    return m->ms.a[id].kind == MS_BLOCK && m->ms.a[id].len > 1;
}

static bool is_loop(const struct minic *m, int id)
{
    return m->ms.a[id].kind == MS_FOR;
}

static bool is_if(const struct minic *m, int id)
{
    return m->ms.a[id].kind == MS_IF;
}

static bool same_tree(const struct minic *m, int a, int b)
{
    const struct mx *x = &m->mx.a[a], *y = &m->mx.a[b];

    if (x->kind != y->kind || x->op != y->op || x->var != y->var || memcmp(&x->num, &y->num, sizeof x->num) != 0)
        return false;
    if (x->kind == MX_LOAD)
        return lin_equal(&m->lins, x->lin, y->lin);
    return (x->kind != MX_CALL && x->kind != MX_COND) || (same_tree(m, x->a, y->a) && (x->b < 0 || same_tree(m, x->b, y->b)));
}

/* Changes of statement id; false: it has no place there. `at` counts the places in it. */
typedef bool change_fn(struct minic *m, int id, int at);

#define LOOP(name, ...)                                    \
    static bool name(struct minic *m, int id, int at)      \
    {                                                      \
        struct ms *x = &m->ms.a[id];                       \
        if (!is_loop(m, id) || at > 0)                     \
            return false;                                  \
        (void)x;                                           \
        __VA_ARGS__;                                       \
        return true;                                       \
    }
LOOP(starts_later, x->from++)
LOOP(starts_earlier, x->from--)
LOOP(ends_later, x->n++)
LOOP(ends_earlier, x->n--)
LOOP(is_moved, (x->from++, x->n++))
LOOP(does_nothing, { int b = new_block(m, NULL, 0); m->ms.a[id].a = b; })
LOOP(other_variable, if (x->var == m->code->level.n - 1) return false; x->var++)
LOOP(runs_twice, { int two[2] = { x->a, x->a }, b = new_block(m, two, 2); m->ms.a[id].a = b; })

static bool bound_gone(struct minic *m, int id, int at)
{
    struct ms *x = &m->ms.a[id];

    if (!is_loop(m, id) || at >= x->nlo + x->nhi)
        return false;
    if (at < x->nlo) {
        x->first++;
        x->nlo--;
    } else {
        x->nhi--;
    }
    return true;
}

static bool bound_moved(struct minic *m, int id, int at)
{
    const struct ms *x = &m->ms.a[id];
    int to;

    if (!is_loop(m, id) || at >= x->nlo + x->nhi)
        return false;
    to = moved(m, m->pool.a[x->first + at], at < x->nlo ? 1 : -1);
    m->pool.a[x->first + at] = to;
    return true;
}

/* for i for j -> for j for i */
static bool exchanged(struct minic *m, int id, int at)
{
    struct ms *x = &m->ms.a[id], *y, t;

    if (!is_loop(m, id) || at > 0 || m->ms.a[x->a].kind != MS_FOR)
        return false;
    y = &m->ms.a[x->a];
    t = *x;
    *x = *y;
    x->a = t.a;
    t.a = y->a;
    *y = t;
    return true;
}

static bool is_parallel(struct minic *m, int id, int at)
{
    struct ms *x = &m->ms.a[id];

    if (!is_loop(m, id) || at > 0 || x->par)
        return false;
    return x->par = true;
}

static bool is_vector(struct minic *m, int id, int at)
{
    struct ms *x = &m->ms.a[id];
    int level = x->var < m->code->level.n ? x->var : m->alias.n > 0 && is_loop(m, id) ? m->alias.a[x->var - m->code->level.n] : 0;

    if (!is_loop(m, id) || at > 0 || x->par || x->simd)
        return false;
    for (int i = 0; i < m->code->comm.n; i++)
        if ((m->code->comm.a[i].kind == COMM_FOR && m->code->comm.a[i].level == level && m->code->comm.a[i].free) ||
            (m->code->comm.a[i].kind == COMM_PAR && m->code->comm.a[i].level == level))
            return false;
    return x->simd = true;
}

static bool at_once(struct minic *m, int id, int at)
{
    if (!has_blocks(m, id) || at > 0 || m->ms.a[id].par)
        return false;
    return m->ms.a[id].par = true;
}

static bool dropped(struct minic *m, int id, int at)
{
    struct ms *x = &m->ms.a[id];

    if (!has_blocks(m, id) || at >= x->len)
        return false;
    for (int i = at; i + 1 < x->len; i++)
        m->pool.a[x->first + i] = m->pool.a[x->first + i + 1];
    x->len--;
    return true;
}

static bool doubled(struct minic *m, int id, int at)
{
    struct ms x = m->ms.a[id];
    int items[256], n = 0, to;

    if (!has_blocks(m, id) || at >= x.len || x.len > 255)
        return false;
    for (int i = 0; i < x.len; i++) {
        items[n++] = m->pool.a[x.first + i];
        if (i == at)
            items[n++] = m->pool.a[x.first + i];
    }
    to = new_block(m, items, n);
    m->ms.a[id].first = m->ms.a[to].first;
    m->ms.a[id].len = n;
    return true;
}

static bool swapped(struct minic *m, int id, int at)
{
    struct ms *x = &m->ms.a[id];
    int *a;

    if (!has_blocks(m, id) || at + 1 >= x->len)
        return false;
    a = m->pool.a + x->first + at;
    if (x->par) /* they are parts of a parallel loop: in any order */
        return false;
    at = a[0];
    a[0] = a[1];
    a[1] = at;
    return true;
}

static bool condition_gone(struct minic *m, int id, int at)
{
    struct ms *x = &m->ms.a[id];

    if (!is_if(m, id) || at >= x->len)
        return false;
    m->cond.a[x->first + at] = m->cond.a[x->first + x->len - 1];
    x->len--;
    return true;
}

static bool branches_swapped(struct minic *m, int id, int at)
{
    struct ms *x = &m->ms.a[id];
    int t = x->a;

    if (!is_if(m, id) || at > 0)
        return false;
    x->a = x->b >= 0 ? x->b : new_block(m, NULL, 0);
    x = &m->ms.a[id];
    x->b = t;
    return true;
}

static bool else_gone(struct minic *m, int id, int at)
{
    if (!is_if(m, id) || at > 0 || m->ms.a[id].b < 0)
        return false;
    m->ms.a[id].b = -1;
    return true;
}

#define SET(name, condition, ...)                          \
    static bool name(struct minic *m, int id, int at)      \
    {                                                      \
        struct ms *x = &m->ms.a[id];                       \
        if (x->kind != MS_SET || at > 0 || !(condition))   \
            return false;                                  \
        __VA_ARGS__;                                       \
        return true;                                       \
    }
SET(stored_elsewhere, x->lin >= 0, { int to = moved(m, x->lin, 1); m->ms.a[id].lin = to; })
SET(stored_in_another, x->lin >= 0 && x->var > 0, x->var--)
SET(set_by_another, x->lin < 0, x->var++)
SET(not_stored, x->lin >= 0, x->lin = -1)

static bool not_reset(struct minic *m, int id, int at)
{
    struct ms *x = &m->ms.a[id];

    if (x->kind != MS_DECL || at > 0 || x->a < 0)
        return false;
    x->a = -1;
    return true;
}

static bool array_shorter(struct minic *m, int id, int at)
{
    struct ms *x = &m->ms.a[id];

    if (x->kind != MS_ARRAY || at > 0)
        return false;
    x->n--;
    return true;
}

/* Changes of expression id. */
#define EXP(name, condition, ...)                          \
    static bool name(struct minic *m, int id, int at)      \
    {                                                      \
        struct mx *x = &m->mx.a[id];                       \
        if (at > 0 || !(condition))                        \
            return false;                                  \
        __VA_ARGS__;                                       \
        return true;                                       \
    }
EXP(loaded_elsewhere, x->kind == MX_LOAD, { int to = moved(m, x->lin, 1); m->mx.a[id].lin = to; })
EXP(loaded_before, x->kind == MX_LOAD, { int to = moved(m, x->lin, -1); m->mx.a[id].lin = to; })
EXP(other_array, x->kind == MX_LOAD, x->var = x->var > 0 ? 0 : 1)
EXP(other_scalar, x->kind == MX_VAR, x->var++)
EXP(operands_swapped, x->kind == MX_CALL && x->b >= 0 && !same_tree(m, x->a, x->b), { int t = x->a; x->a = x->b; x->b = t; })
EXP(other_operation, x->kind == MX_CALL && x->b >= 0, x->op = x->op == FN_ADD ? FN_SUB : FN_ADD)
EXP(other_number, x->kind == MX_LIT, x->num += 1)
EXP(negative_zero, x->kind == MX_LIT && x->num == 0 && !signbit(x->num), x->num = -0.0)
EXP(choice_swapped, x->kind == MX_COND, { int t = x->a; x->a = x->b; x->b = t; })
EXP(choice_gone, x->kind == MX_COND, { struct mx y = m->mx.a[x->a]; *x = y; })
EXP(operand_alone, x->kind == MX_CALL && x->b >= 0, { struct mx y = m->mx.a[x->b]; *x = y; })

/* A coefficient of the offset, or a divisor under it. */
static bool other_stride(struct minic *m, int id, int at)
{
    const struct mx *x = &m->mx.a[id];
    int to;

    if (x->kind != MX_LOAD || at >= m->lins.lin.a[x->lin].n)
        return false;
    to = lin_scale(&m->lins, x->lin, 1); /* of its own */
    m->lins.term.a[m->lins.lin.a[to].first + at].c++;
    m->mx.a[id].lin = to;
    return true;
}

static bool other_comparison(struct minic *m, int id, int at)
{
    const struct mx *x = &m->mx.a[id];

    if (x->kind != MX_COND || at >= x->len)
        return false;
    m->cond.a[x->first + at].op = m->cond.a[x->first + at].op == CMP_LT ? CMP_LE : CMP_LT;
    return true;
}

static bool comparison_moved(struct minic *m, int id, int at)
{
    const struct ms *x = &m->ms.a[id];
    int to;

    if (!is_if(m, id) || at >= x->len)
        return false;
    to = moved(m, m->cond.a[x->first + at].a, 1);
    m->cond.a[x->first + at].a = to;
    return true;
}

static const struct {
    const char *name;
    change_fn *make;
    bool exp;    /* of expressions */
    bool strict; /* statements one after the other do not show it */
} changes[] = {
    { "a loop starts later", starts_later, false, false },
    { "a loop starts earlier", starts_earlier, false, false },
    { "a loop ends later", ends_later, false, false },
    { "a loop ends earlier", ends_earlier, false, false },
    { "a loop is moved", is_moved, false, false },
    { "a loop does nothing", does_nothing, false, false },
    { "a loop has another variable", other_variable, false, false },
    { "a body runs twice", runs_twice, false, false },
    { "a bound is gone", bound_gone, false, false },
    { "a bound is moved", bound_moved, false, false },
    { "loops are exchanged", exchanged, false, false },
    { "a loop is parallel", is_parallel, false, true },
    { "a loop has vectors", is_vector, false, true },
    { "statements at once", at_once, false, true },
    { "a statement is dropped", dropped, false, false },
    { "a statement is doubled", doubled, false, true },
    { "statements are swapped", swapped, false, false },
    { "a condition is gone", condition_gone, false, false },
    { "a condition is moved", comparison_moved, false, false },
    { "branches are swapped", branches_swapped, false, false },
    { "an else is gone", else_gone, false, false },
    { "a store is elsewhere", stored_elsewhere, false, false },
    { "a store in another array", stored_in_another, false, false },
    { "another scalar is set", set_by_another, false, false },
    { "a store is a scalar's", not_stored, false, false },
    { "an accumulator is not reset", not_reset, false, false },
    { "an array is shorter", array_shorter, false, false },
    { "a load is elsewhere", loaded_elsewhere, true, false },
    { "a load is before", loaded_before, true, false },
    { "another array is read", other_array, true, false },
    { "another scalar is read", other_scalar, true, false },
    { "operands are swapped", operands_swapped, true, false },
    { "another operation", other_operation, true, false },
    { "another number", other_number, true, false },
    { "a zero is negative", negative_zero, true, false },
    { "a choice is swapped", choice_swapped, true, false },
    { "a choice is gone", choice_gone, true, false },
    { "an operand is alone", operand_alone, true, false },
    { "another stride", other_stride, true, false },
    { "another comparison", other_comparison, true, false },
};

/* ---- what statements do, one after the other: a number of a cell is a number of the expression that is in it ---- */

enum { CELLS = 1 << 15, ROOTS = 64 };
struct machine {
    const struct minic *m;
    long var[256];
    unsigned long *cell[ROOTS]; /* of each array or scalar; CELLS in all */
    long size[ROOTS];
    bool bad; /* a place that there is not */
    long steps;
};

static unsigned long mixed(unsigned long a, unsigned long b)
{
    a = (a ^ (b + 0x9e3779b97f4a7c15ul + (a << 6) + (a >> 2))) * 0xff51afd7ed558ccdul;
    return a ^ (a >> 29);
}

static long value(struct machine *s, int id)
{
    const struct lins *l = &s->m->lins;
    long r = l->lin.a[id].k;

    for (int i = 0; i < l->lin.a[id].n; i++) {
        struct term t = l->term.a[l->lin.a[id].first + i];
        const struct atom *a = &l->atom.a[t.atom];
        long x = a->kind == ATOM_VAR ? s->var[a->var] : value(s, a->lin), q;
        if (a->kind != ATOM_VAR) {
            q = x / a->k - (x % a->k < 0);
            x = a->kind == ATOM_DIV ? q : x - q * a->k;
        }
        r += t.c * x;
    }
    return r;
}

static unsigned long *place(struct machine *s, int root, int lin)
{
    static unsigned long none;
    long at = lin < 0 ? 0 : value(s, lin);

    if (root < 0 || root >= ROOTS || !s->cell[root] || at < 0 || at >= s->size[root]) {
        s->bad = true;
        return &none;
    }
    return s->cell[root] + at;
}

static bool holds(struct machine *s, int first, int len)
{
    for (int i = 0; i < len; i++) {
        const struct mcond *k = &s->m->cond.a[first + i];
        long a = value(s, k->a), b = value(s, k->b);
        bool r = k->op == CMP_LT ? a < b : k->op == CMP_LE ? a <= b : k->op == CMP_GT ? a > b : k->op == CMP_GE ? a >= b
               : k->op == CMP_EQ ? a == b : a != b;
        if (!r)
            return false;
    }
    return true;
}

static unsigned long number_of(struct machine *s, int id)
{
    const struct mx *x = &s->m->mx.a[id];
    unsigned long bits;

    switch (x->kind) {
    case MX_LIT: memcpy(&bits, &x->num, sizeof bits); return mixed(1, bits);
    case MX_VAR: return *place(s, x->var, -1);
    case MX_LOAD: return *place(s, x->var, x->lin);
    case MX_COND: return number_of(s, holds(s, x->first, x->len) ? x->a : x->b);
    default: return mixed(mixed((unsigned long)x->op + 2, number_of(s, x->a)), x->b < 0 ? 0 : number_of(s, x->b));
    }
}

static void fill(struct machine *s, int root, long n, unsigned long with)
{
    for (long i = 0; i < n; i++)
        s->cell[root][i] = mixed(with, (unsigned long)i);
    s->size[root] = n;
}

static void run_statement(struct machine *s, int id)
{
    const struct ms *x = &s->m->ms.a[id];
    long lo = x->from, hi = x->n;

    if (++s->steps > 10000000)
        s->bad = true;
    if (s->bad)
        return;
    switch (x->kind) {
    case MS_BLOCK:
        for (int i = 0; i < x->len; i++)
            run_statement(s, s->m->pool.a[x->first + i]);
        break;
    case MS_DECL:
        if (x->var >= ROOTS)
            s->bad = true;
        else
            fill(s, x->var, 1, 99);
        if (x->a >= 0)
            *place(s, x->var, -1) = number_of(s, x->a);
        break;
    case MS_ARRAY:
        fill(s, x->var, x->n, 99);
        run_statement(s, x->a);
        break;
    case MS_SET: {
        unsigned long y = number_of(s, x->a);
        *place(s, x->var, x->lin) = y;
        break;
    }
    case MS_IF:
        if (holds(s, x->first, x->len))
            run_statement(s, x->a);
        else if (x->b >= 0)
            run_statement(s, x->b);
        break;
    default:
        for (int i = 0; i < x->nlo + x->nhi; i++) {
            long k = value(s, s->m->pool.a[x->first + i]);
            if (i < x->nlo)
                lo = k > lo ? k : lo;
            else
                hi = k < hi ? k : hi;
        }
        for (long v = lo; v < hi && !s->bad; v++) {
            s->var[x->var] = v;
            run_statement(s, x->a);
        }
    }
}

/* A number of all that is in the parameters when it has run; 0: it reads or writes a place that there is not. */
static unsigned long run(const struct minic *m)
{
    static unsigned long cells[ROOTS][CELLS / 8];
    static struct machine s;
    const struct prog *p = m->code->prog;
    unsigned long r = 1;

    memset(&s, 0, sizeof s);
    s.m = m;
    for (int i = 0; i < ROOTS; i++)
        s.cell[i] = cells[i];
    for (int i = 0; i < p->param.n; i++) {
        long n = data_size(p, m->code->level.a[i].type);
        CU_ASSERT_FATAL(n <= CELLS / 8);
        fill(&s, i, n, 1000 + (unsigned long)i);
    }
    run_statement(&s, m->main);
    for (int i = 0; i < p->param.n; i++)
        for (long j = 0; j < s.size[i]; j++)
            r = mixed(r, s.cell[i][j]);
    return s.bad ? 0 : r;
}

#endif
