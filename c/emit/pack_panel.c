/* Panels: the operand of a product that the vectors go along is cut along them,

       P[q, .., a, r] = W[.., a, q * cells + r];    Y[i, j] = sum(a) (X[i, a] * P[j // cells, .., a, j % cells]);

   so that a tile reads it from one end to the other instead of one line of the cache in each of its rows. A constant is stored
   so; what is computed is copied first, by a statement of its own. The product's terms and their order are the same. It pays
   where many rows of the result read each panel, and rows of W are far apart or W is stored the other way round. */
#include "emit/module.h"

#include <stdio.h>
#include <string.h>

enum {
    PANEL_ROWS = 32,    /* cells of the result that read each cell of the operand, at least */
    PANEL_TERMS = 128,  /* terms of the sum */
    PANEL_STRIDE = 1024, /* bytes from one row to the next, of an operand that is copied */
    PANEL_STRIDE_CONSTANT = 128,
    ROWS_LEAST = 8,     /* rounds of the loop that comes outside */
    ROWS_OPERAND = 512 * 1024 /* bytes of the other operand, that stay in the cache */
};
#define PANEL_GAIN 1.15 /* better tiles pay by themselves */

/* A plan: dimension `place` of the load w, which is at the statement's variable v, in panels of so many cells. */
struct panel {
    int w, v, place;
    long cells;
    double score;
};

static long extent(const struct kernel *k, int stmt, int var)
{
    return k->var.a[k->stmt.a[stmt].var + var].extent;
}

/* The variable that dimension d of the load is at, or -1: it has one cell. */
static int var_of(const struct kernel *k, const struct ex *load, int d)
{
    const struct ix *x = &k->ix.a[k->pool.a[load->first + d]];

    return x->kind == IX_VAR ? (int)x->k : -1;
}

/* The dimension of the load that is at the variable; -1: there is none. */
static int place_of(const struct kernel *k, const struct ex *load, int var)
{
    for (int d = 0; d < load->n; d++)
        if (var_of(k, load, d) == var)
            return d;
    return -1;
}

/* Is every dimension of the load that has several cells at a variable of its own, of the dimension's extent? */
static bool is_whole(const struct kernel *k, int stmt, const struct ex *load)
{
    const struct kernel_tensor *t = &k->tensor.a[load->op];

    if (load->n != t->rank || t->rank < 2 || t->rank >= KERNEL_RANK_MAX || t->elem != ELEM_OWN)
        return false;
    for (int d = 0; d < load->n; d++) {
        const struct ix *x = &k->ix.a[k->pool.a[load->first + d]];
        if (x->kind == IX_CONST && x->k == 0 && t->dim[d] == 1)
            continue;
        if (x->kind != IX_VAR || extent(k, stmt, (int)x->k) != t->dim[d] || place_of(k, load, (int)x->k) != d)
            return false;
    }
    return true;
}

/* Bytes from a cell of the load to the one of the next term, when its last dimension is v's; 0: it is another. */
static long stride(const struct kernel *k, const struct ex *load, int v)
{
    const struct kernel_tensor *t = &k->tensor.a[load->op];

    return place_of(k, load, v) == t->rank - 1 ? t->dim[t->rank - 1] * (long)kernel_type_size(k->type) : 0;
}

static bool is_constant(const struct kernel *k, const struct pack_const *c, int n, int load)
{
    int t = k->ex.a[load].op;

    return t < n && k->tensor.a[t].role == KERNEL_IN && c->value[t];
}

/* Panels of the load w beside x, the best ones if they beat *best. apart: bytes between rows from which on panels pay by themselves. */
static void try_panels(const struct kernel *k, int stmt, const struct product *p, int w, int x, long apart, double now, struct panel *best)
{
    const struct ex *load = &k->ex.a[w], *sum = &k->ex.a[p->sum];
    int rank = k->tensor.a[k->stmt.a[stmt].out].rank;
    double terms = 1, rows = 1;

    if (!is_whole(k, stmt, load))
        return;
    for (int i = 0; i < sum->n; i++)
        terms *= (double)extent(k, stmt, k->pool.a[sum->first + i]);
    for (int i = 0; i < rank; i++)
        rows *= place_of(k, load, i) < 0 ? (double)extent(k, stmt, i) : 1;
    if (terms < PANEL_TERMS || rows < PANEL_ROWS)
        return;
    for (int v = 0; v < rank; v++)
        for (int j = 0; j < rank; j++) {
            struct panel y = {.w = w, .v = v, .place = place_of(k, load, v)};
            bool far = stride(k, load, v) >= apart;
            if (y.place < 0 || pack_load_uses(k, x, v) || place_of(k, load, j) >= 0 || !pack_load_uses(k, x, j))
                continue;
            y.score = lower_part_score(k->type, extent(k, stmt, v), extent(k, stmt, j), v == rank - 1, terms, &y.cells);
            if (y.score > best->score && y.score >= (far ? now : now * PANEL_GAIN))
                *best = y;
        }
}

/* A variable of the statement under construction, and its index; -1: memory is out. */
static int add_var(struct kernel *k, int i, long n)
{
    char name[16];

    snprintf(name, sizeof name, "t%d", i);
    if (!vec_room(k->mem, &k->var, 1))
        return -1;
    k->var.a[k->var.n] = (struct kernel_var){strs_addz(k->strs, name), n};
    return k->var.a[k->var.n++].name < 0 ? -1 : kernel_ix(k, (struct ix){IX_VAR, -1, -1, i});
}

static int two(struct kernel *k, int kind, int a, int b, long by)
{
    return a < 0 || (kind == IX_ADD && b < 0) ? -1 : kernel_ix(k, (struct ix){kind, a, b, by});
}

/* P's dimensions: panels, those of W in its order, cells. from[d]: the variable that dimension d of P is at, v for panels and
   cells; -1: it has one cell. */
static int panel_dims(const struct kernel *k, int stmt, const struct panel *y, int *from, long *dim)
{
    const struct ex *load = &k->ex.a[y->w];
    int n = 0;

    dim[n] = extent(k, stmt, y->v) / y->cells;
    from[n++] = y->v;
    for (int d = 0; d < load->n; d++)
        if (d != y->place) {
            from[n] = var_of(k, load, d);
            dim[n++] = k->tensor.a[load->op].dim[d];
        }
    dim[n] = y->cells;
    from[n++] = y->v;
    return n;
}

/* P[t..] = W[..], as statement `at`; false: memory is out. */
static bool add_copy(struct kernel *k, int at, const struct panel *y, int to, int n)
{
    struct kernel_stmt s = {.out = to, .var = k->var.n, .nvar = n};
    struct ex load = k->ex.a[y->w];
    int t[KERNEL_RANK_MAX];

    for (int d = 0; d < n; d++)
        t[d] = add_var(k, d, k->tensor.a[to].dim[d]);
    t[n - 1] = two(k, IX_ADD, t[n - 1], two(k, IX_MUL, t[0], -1, y->cells), 0);
    load.first = k->pool.n;
    for (int d = 0; d < load.n; d++) {
        int x = d == y->place ? t[n - 1] : t[d < y->place ? d + 1 : d];
        if (x < 0 || !ints_push(k->mem, &k->pool, x))
            return false;
    }
    s.body = kernel_ex(k, load);
    if (s.body < 0 || !vec_room(k->mem, &k->stmt, 1))
        return false;
    memmove(k->stmt.a + at + 1, k->stmt.a + at, (size_t)(k->stmt.n - at) * sizeof s);
    k->stmt.a[at] = s;
    k->stmt.n++;
    return true;
}

/* The load w over P; false: memory is out. */
static bool read_panels(struct kernel *k, const struct panel *y, int to, const int *from, int n)
{
    int first = k->pool.n;

    for (int d = 0; d < n; d++) {
        int x = kernel_ix(k, from[d] < 0 ? (struct ix){IX_CONST, -1, -1, 0} : (struct ix){IX_VAR, -1, -1, from[d]});
        if (d == 0 || d == n - 1)
            x = two(k, d == 0 ? IX_DIV : IX_MOD, x, -1, y->cells);
        if (x < 0 || !ints_push(k->mem, &k->pool, x))
            return false;
    }
    k->ex.a[y->w].op = to;
    k->ex.a[y->w].first = first;
    k->ex.a[y->w].n = n;
    return true;
}

/* The constant's entry in *p, a new one where there is none; NULL: it is in panels, or there is no room, or its last dimension
   is another. */
static struct packed *entry(const struct kernel *k, const struct pack_const *c, const struct panel *y, struct pack *p)
{
    int t = k->ex.a[y->w].op, last = k->tensor.a[t].rank - 1;

    if (y->place != last || c->value[t]->dtype != DTYPE_F32 || pack_loads_of(k, t) != 1)
        return NULL;
    for (int i = 0; i < p->n; i++)
        if (p->a[i].tensor == t)
            return p->a[i].cells > 0 ? NULL : &p->a[i];
    if (p->n == PACK_MAX)
        return NULL;
    p->a[p->n] = (struct packed){.tensor = t, .place = last, .n = k->tensor.a[t].dim[last]};
    return &p->a[p->n++];
}

/* The constant is stored in panels. */
static enum calque_status store_panels(struct kernel *k, const struct panel *y, struct packed *e, const int *from,
                                       const long *dim, int rank, struct diag *d)
{
    int t = k->ex.a[y->w].op;

    e->cells = y->cells;
    k->tensor.a[t].rank = rank;
    memcpy(k->tensor.a[t].dim, dim, (size_t)rank * sizeof *dim);
    return read_panels(k, y, t, from, rank) ? CALQUE_OK : diag_nomem(d);
}

static enum calque_status panels_at(struct kernel *k, int at, const struct product *x, const struct pack_const *c, int n,
                                    struct pack *p, struct diag *d)
{
    int from[KERNEL_RANK_MAX], rank, to;
    struct panel best = {.score = 0};
    long dim[KERNEL_RANK_MAX];
    double now = lower_tile_score(k, at);

    for (int side = 0; side < 2; side++) {
        int w = side ? x->x : x->w;
        try_panels(k, at, x, w, side ? x->w : x->x, is_constant(k, c, n, w) ? PANEL_STRIDE_CONSTANT : PANEL_STRIDE, now, &best);
    }
    if (best.score == 0)
        return CALQUE_NO;
    rank = panel_dims(k, at, &best, from, dim);
    if (is_constant(k, c, n, best.w)) {
        struct packed *e = entry(k, c, &best, p);
        return e ? store_panels(k, &best, e, from, dim, rank, d) : CALQUE_NO;
    }
    to = pack_new_temp(k, rank, dim);
    if (to < 0 || !add_copy(k, at, &best, to, rank) || !read_panels(k, &best, to, from, rank))
        return diag_nomem(d);
    return CALQUE_OK;
}

enum calque_status pack_panels(struct kernel *k, const struct pack_const *c, int n, struct pack *p, struct diag *d)
{
    struct product x;

    for (int at = k->stmt.n - 1; at >= 0; at--)
        if (k->stmt.a[at].loop[0] == 0 && pack_find_product(k, at, &x) && x.select < 0)
            return panels_at(k, at, &x, c, n, p, d);
    return CALQUE_NO;
}

/* Does X go with loop o + 1 and W with o, each with this one alone, and is there a loop in it? */
static bool exchanges(const struct kernel *k, int at, const struct product *p, int o)
{
    return !pack_load_uses(k, p->x, o) && pack_load_uses(k, p->w, o) && pack_load_uses(k, p->x, o + 1) &&
           !pack_load_uses(k, p->w, o + 1) && extent(k, at, o) > 1 && extent(k, at, o + 1) >= ROWS_LEAST;
}

/* Y[.., o, r, ..] = sum X[.., r, ..] * W[o, ..] with a W that stays in the cache: loop o outside of r would read all of X once for
   each of its rounds. */
void pack_rows_first(struct kernel *k)
{
    int at = k->stmt.n - 1, rank, o = 0;
    struct kernel_stmt *s = &k->stmt.a[at];
    struct product p;
    double score;

    while (at > 0 && k->ex.a[s->body].kind == EX_LOAD) /* a copy of what was rounded up */
        s = &k->stmt.a[--at];
    if (s->loop[0] != 0 || !pack_find_product(k, at, &p) || p.select >= 0 || kernel_bytes(k, k->ex.a[p.w].op) > ROWS_OPERAND ||
        kernel_bytes(k, k->ex.a[p.x].op) < kernel_bytes(k, k->ex.a[p.w].op))
        return;
    rank = k->tensor.a[s->out].rank;
    while (o + 2 < rank && !exchanges(k, at, &p, o))
        o++;
    if (o + 2 >= rank)
        return;
    score = lower_tile_score(k, at);
    for (int i = 0; i < rank; i++)
        s->loop[i] = (unsigned char)(i == o ? o + 2 : i == o + 1 ? o + 1 : i + 1);
    if (lower_tile_score(k, at) < score)
        memset(s->loop, 0, sizeof s->loop);
}
