/* Kernel -> functional expressions (spec kernel section 4): L[[T[i1..im] = e]] = generatePar d1 (fun i1 -> .. E[[e]]).
   A reduction over several variables is nested folds with one running accumulator, so every cell's float order is the
   kernel's: one left fold from 0 (from the least value for amax). */
#include "dpia/lower_internal.h"

#include <limits.h>
#include <math.h>
#include <string.h>

enum {
    ROW_LEAST = 4,    /* shortest row worth an array accumulator */
    ROW_MOST = 128,   /* longest one; longer rows are split into equal parts */
    ROW_APART = 8,    /* longest one whose cells read from far apart: so many streams */
    ROW_SCORE = 4,    /* a row's accumulators go through memory */
    ROW_SCORE_GUARD = 3, /* and its loops have ends that depend on others */
    ROW_SCORE_APART = 1,
    SHARED_MOST = 16  /* reductions of a statement looked at for repetition */
};

/* v / k and v % k of a variable that is cut into parts which divide k: (number * part + inside) / k = number / (k / part), and
   the remainder is number % (k / part) * part + inside. -1: it is neither. */
static int lower_quotient(struct lower *w, const struct ix *x)
{
    const struct ix *v = &w->k->ix.a[x->a];
    long part = v->kind == IX_VAR && v->k < KERNEL_RANK_MAX ? w->cut[v->k].part : 0;
    int at;

    if (part == 0 || x->k % part != 0)
        return -1;
    at = prog_ix(w->p, (struct ix){x->kind, w->cut[v->k].number, -1, x->k / part});
    if (x->kind == IX_DIV)
        return at;
    at = prog_ix(w->p, (struct ix){IX_MUL, at, -1, part});
    return prog_ix(w->p, (struct ix){IX_ADD, at, w->cut[v->k].inside, 0});
}

static int lower_ix(struct lower *w, int id)
{
    struct ix x = w->k->ix.a[id];
    bool two = x.kind == IX_ADD || x.kind == IX_SUB;
    int block = x.kind == IX_DIV || x.kind == IX_MOD ? lower_quotient(w, &x) : -1;

    if (block >= 0)
        return block;

    if (x.kind == IX_VAR)
        return w->ix[x.k];
    if (x.kind == IX_CONST)
        return prog_ix_const(w->p, x.k);
    if (w->depth > LOWER_DEPTH_MAX) {
        w->deep = true;
        return -1;
    }
    w->depth++;
    x.a = lower_ix(w, x.a);
    if (two)
        x.b = lower_ix(w, x.b);
    w->depth--;
    return x.a < 0 || (two && x.b < 0) ? -1 : prog_ix(w->p, x);
}

static int lower_load(struct lower *w, const struct ex *e)
{
    const struct kernel_tensor *t = &w->k->tensor.a[e->op];
    int v = exp_var(w->p, w->p->param.a[w->param[e->op]].var);

    for (int i = 0; i < t->rank; i++)
        v = exp_idx(w->p, v, i < e->n ? lower_ix(w, w->k->pool.a[e->first + i]) : prog_ix_const(w->p, 0));
    return v;
}

static int lower_ite(struct lower *w, const struct ex *e, int a, int b)
{
    struct cond c[64];

    if (e->n > 64) {
        w->deep = true;
        return -1;
    }
    for (int i = 0; i < e->n; i++) {
        c[i] = w->k->cond.a[e->first + i];
        c[i].a = lower_ix(w, c[i].a);
        c[i].b = lower_ix(w, c[i].b);
    }
    return exp_ite(w->p, c, e->n, a, b);
}

/* The value an accumulator starts from: 0, or the least of the type. */
static int start(struct lower *w, int red)
{
    if (red == RED_SUM)
        return exp_lit(w->p, 0.0, 0);
    return exp_lit(w->p, -(double)INFINITY, w->k->type == KERNEL_I32 ? INT_MIN : LONG_MIN);
}

/* LOWER_GUARD: is the reduced value select(c, e, start)? Then a false guard leaves the accumulator as it is: a sum from
   +0 is never -0, so + 0 changes nothing, and max(a, least) is a. Fused sums may be -0, and + -0 changes no number. */
static bool guarded(const struct lower *w, const struct ex *red)
{
    const struct ex *s = &w->k->ex.a[red->a], *z;

    if (!(w->strategy & LOWER_GUARD) || s->kind != EX_SELECT)
        return false;
    z = &w->k->ex.a[s->b];
    if (z->kind != EX_CONST)
        return false;
    if (w->k->type == KERNEL_F32 || w->k->type == KERNEL_F64)
        return red->op == RED_SUM ? z->num == 0.0 && !signbit(z->num) == !w->fused : isinf(z->num) && z->num < 0.0;
    return red->op == RED_SUM && z->inum == 0;
}

static bool has_reduction(const struct lower *w, int id)
{
    const struct ex *e = &w->k->ex.a[id];

    if (e->kind == EX_CONST || e->kind == EX_LOAD)
        return false;
    return e->kind == EX_REDUCE || has_reduction(w, e->a) || (e->b >= 0 && has_reduction(w, e->b));
}

/* acc + e; with a guard, if c then acc + e else acc. */
static int step(struct lower *w, const struct ex *red, int acc)
{
    int fn = red->op == RED_SUM ? FN_ADD : FN_MAX;
    const struct ex *s = &w->k->ex.a[red->a];

    w->stuck = w->stuck || (s->kind == EX_SELECT && w->fused && kernel_is_fused(w->k, red->a) && has_reduction(w, red->a));
    if (guarded(w, red))
        return lower_ite(w, s, exp_call(w->p, fn, acc, lower_ex(w, s->a)), acc);
    return exp_call(w->p, fn, acc, lower_ex(w, red->a));
}

/* The step at every cell of the row: generate q (fun q -> acc[q] + e). */
static int row_step(struct lower *w, const struct ex *red, int acc)
{
    int e = exp_var(w->p, acc), x;

    for (int j = 0; j < w->ntile; j++)
        e = exp_idx(w->p, e, w->tile[j]);
    x = step(w, red, e);
    for (int j = w->ntile - 1; j >= 0 && w->tile[j] >= 0; j--)
        x = exp_gen(w->p, false, (int)w->p->ix.a[w->tile[j]].k, x);
    return x;
}

/* Folds over the reduction's variables i.., each starting from the accumulator outside it. */
static int fold(struct lower *w, const struct ex *red, int i, int init, bool row)
{
    int var = w->k->pool.a[red->first + i], x, acc, body;
    const struct kernel_var *v = &w->k->var.a[w->st->var + var];

    x = prog_ivar(w->p, v->name, v->extent);
    acc = prog_var(w->p, -1, row ? w->rowtype : data_num(w->p));
    if (x < 0 || acc < 0)
        return -1;
    w->ix[var] = prog_ix_var(w->p, x);
    if (i + 1 < red->n)
        body = fold(w, red, i + 1, exp_var(w->p, acc), row);
    else
        body = row ? row_step(w, red, acc) : step(w, red, exp_var(w->p, acc));
    return exp_fold(w->p, x, acc, body, init);
}

static int lower_reduce(struct lower *w, int id)
{
    const struct ex *e = &w->k->ex.a[id];
    int v;

    for (int i = 0; i < w->nred; i++)
        if (w->red[i] == id && w->rowvar[i] >= 0) {
            v = exp_var(w->p, w->rowvar[i]);
            for (int j = 0; j < w->ntile; j++)
                v = exp_idx(w->p, v, w->tile[j]);
            return v;
        }
    return fold(w, e, 0, start(w, e->op), false);
}

static int dispatch(struct lower *w, int id)
{
    const struct ex *e = &w->k->ex.a[id];
    int a, b;

    switch (e->kind) {
    case EX_CONST:
        return exp_lit(w->p, w->k->type == KERNEL_F32 ? (double)(float)e->num : e->num, e->inum);
    case EX_LOAD:
        return lower_load(w, e);
    case EX_CALL:
        a = lower_ex(w, e->a);
        b = e->b >= 0 && a >= 0 ? lower_ex(w, e->b) : -1;
        return a < 0 || (e->b >= 0 && b < 0) ? -1 : exp_call(w->p, e->op, a, b);
    case EX_SELECT:
        a = lower_ex(w, e->a);
        b = a >= 0 ? lower_ex(w, e->b) : -1;
        return b < 0 ? -1 : lower_ite(w, e, a, b);
    default:
        return lower_reduce(w, id);
    }
}

int lower_ex(struct lower *w, int id)
{
    int r = lower_hoisted(w, id);

    if (r >= 0)
        return exp_var(w->p, r);
    if (w->depth > LOWER_DEPTH_MAX) {
        w->deep = true;
        return -1;
    }
    w->depth++;
    r = dispatch(w, id);
    w->depth--;
    return r;
}

/* Collects the reductions of the expression that are not under a select or another reduction; false if there are any
   others, or too many. */
static bool find_rows(struct lower *w, int id, bool inside, int depth)
{
    const struct ex *e = &w->k->ex.a[id];

    if (depth > LOWER_DEPTH_MAX)
        return false;
    switch (e->kind) {
    case EX_CALL:
        return find_rows(w, e->a, inside, depth + 1) && (e->b < 0 || find_rows(w, e->b, inside, depth + 1));
    case EX_SELECT:
        return find_rows(w, e->a, true, depth + 1) && find_rows(w, e->b, true, depth + 1);
    case EX_REDUCE:
        for (int i = 0; i < w->nred && !inside; i++)
            if (w->red[i] == id)
                return true;
        if (inside || w->nred == ROW_RED_MAX)
            return false;
        w->red[w->nred] = id;
        w->rowvar[w->nred++] = -1;
        return find_rows(w, e->a, true, depth + 1);
    default:
        return true;
    }
}

/* Collects the reductions that occur several times as one node, at least once outside selects and other reductions: their
   values are bound once. met, n: those met so far. */
static void find_shared(struct lower *w, int id, int *met, int *n, int depth)
{
    const struct ex *e = &w->k->ex.a[id];

    if (e->kind == EX_CALL && depth <= LOWER_DEPTH_MAX) {
        find_shared(w, e->a, met, n, depth + 1);
        if (e->b >= 0)
            find_shared(w, e->b, met, n, depth + 1);
    }
    if (e->kind != EX_REDUCE)
        return;
    for (int i = 0; i < w->nred; i++)
        if (w->red[i] == id)
            return;
    for (int i = 0; i < *n; i++)
        if (met[i] == id && w->nred < ROW_RED_MAX) {
            w->red[w->nred] = id;
            w->rowvar[w->nred++] = -1;
            return;
        }
    if (*n < SHARED_MOST)
        met[(*n)++] = id;
}

bool lower_ix_uses(const struct kernel *k, int id, int var)
{
    const struct ix *x = &k->ix.a[id];

    if (x->kind == IX_VAR)
        return x->k == var;
    return x->kind != IX_CONST && (lower_ix_uses(k, x->a, var) ||
                                   ((x->kind == IX_ADD || x->kind == IX_SUB) && lower_ix_uses(k, x->b, var)));
}

/* Does the expression read memory at a distance when var goes on by one: in another than the last dimension? */
static bool reads_apart(const struct kernel *k, int id, int var, int depth)
{
    const struct ex *e = &k->ex.a[id];

    if (e->kind == EX_CONST || depth > LOWER_DEPTH_MAX)
        return false;
    if (e->kind == EX_LOAD) {
        for (int i = 0; i + 1 < e->n; i++)
            if (lower_ix_uses(k, k->pool.a[e->first + i], var))
                return true;
        return false;
    }
    return reads_apart(k, e->a, var, depth + 1) ||
           (e->kind != EX_REDUCE && e->b >= 0 && reads_apart(k, e->b, var, depth + 1));
}

/* Longest part of a row of n cells that divides it; 0 when there is no useful one. */
static long row_part(long n, long most)
{
    for (long k = most < n ? most : n; k >= ROW_LEAST; k--)
        if (n % k == 0)
            return k;
    return 0;
}

/* Are the cells of a row along loop i, with `inner` cells in the loops after it, read from memory apart? Merged variables are
   read side by side, so this is where the last one is. */
static bool is_apart(const struct lower *w, const struct space *s, int i, long inner)
{
    int last = i == s->merged ? w->k->tensor.a[w->st->out].rank - 1 : i;

    return inner == 1 && reads_apart(w->k, w->st->body, last, 0);
}

/* The cells of the loops before loop i. */
static long outer_cells(const struct space *s, int i)
{
    long n = 1;

    while (--i >= 0)
        n *= s->dim[i];
    return n;
}

/* Chooses the first loop of the row: the last one with at least ROW_LEAST cells; those after it belong to the row.
   -1: no row. *part: its cells per row. */
static int row_dim(const struct lower *w, const struct space *s, long *part)
{
    long inner = 1;

    if (!(w->strategy & LOWER_ROWS) || w->nred == 0)
        return -1;
    for (int i = s->rank - 1; i >= 0; inner *= s->dim[i], i--)
        if (s->dim[i] >= ROW_LEAST) {
            long most = (is_apart(w, s, i, inner) ? ROW_APART : ROW_MOST) / (inner > 0 ? inner : 1);
            long half = s->dim[i] / 2; /* two threads have a part each */
            *part = row_part(s->dim[i], outer_cells(s, i) == 1 && half >= ROW_LEAST && half < most ? half : most);
            return *part > 0 ? i : -1;
        }
    return -1;
}

/* Are output variables v and v + 1 used in this load only as neighbouring indices over a dimension of v + 1's extent? */
static bool load_merges(const struct lower *w, const struct ex *e, int v)
{
    const struct kernel_tensor *t = &w->k->tensor.a[e->op];
    const struct ix *ix = w->k->ix.a;
    const int *at = w->k->pool.a + e->first;

    for (int i = 0; i < e->n; i++) {
        if (i + 1 < e->n && ix[at[i]].kind == IX_VAR && ix[at[i]].k == v && ix[at[i + 1]].kind == IX_VAR &&
            ix[at[i + 1]].k == v + 1 && t->dim[i + 1] == w->k->var.a[w->st->var + v + 1].extent) {
            i++;
            continue;
        }
        if (lower_ix_uses(w->k, at[i], v) || lower_ix_uses(w->k, at[i], v + 1))
            return false;
    }
    return true;
}

static bool merges(const struct lower *w, int id, int v, int depth)
{
    const struct ex *e = &w->k->ex.a[id];

    if (depth > LOWER_DEPTH_MAX)
        return false;
    switch (e->kind) {
    case EX_CONST:
        return true;
    case EX_LOAD:
        return load_merges(w, e, v);
    case EX_SELECT:
        for (int i = 0; i < e->n; i++) {
            const struct cond *c = &w->k->cond.a[e->first + i];
            for (int k = v; k <= v + 1; k++)
                if (lower_ix_uses(w->k, c->a, k) || lower_ix_uses(w->k, c->b, k))
                    return false;
        }
        break;
    case EX_REDUCE:
        return merges(w, e->a, v, depth + 1);
    default:
        break;
    }
    return merges(w, e->a, v, depth + 1) && (e->b < 0 || merges(w, e->b, v, depth + 1));
}

/* Is dimension v + 1 of the loops stored behind dimension v? Where it is not, every store would divide. */
static bool stores_merge(const struct lower *w, int v)
{
    return !w->loop || w->loop[v + 1] == w->loop[v] + 1;
}

static struct space find_space(const struct lower *w, const long *dim, int rank)
{
    struct space s = { .rank = rank, .merged = rank - 1 };
    long last = rank > 0 ? dim[rank - 1] : 0;

    while ((w->strategy & LOWER_MERGE) && s.merged > 0 && stores_merge(w, s.merged - 1) &&
           merges(w, w->st->body, s.merged - 1, 0))
        last *= dim[--s.merged];
    if (rank == 0 || last < ROW_LEAST) {
        s.merged = rank - 1;
        last = rank > 0 ? dim[rank - 1] : 0;
    }
    for (int i = 0; i < s.merged; i++)
        s.dim[i] = dim[i];
    s.rank = s.merged + 1;
    if (rank > 0)
        s.dim[s.merged] = last;
    return s;
}

/* The statement's last variables from the merged loop's index: quotients and remainders by the row-major strides. */
void lower_unmerge(struct lower *w, const long *dim, int rank, int merged)
{
    int at = rank > 0 ? w->ix[merged] : -1;

    for (int i = rank - 1; i > merged && at >= 0; i--) {
        w->ix[i] = prog_ix(w->p, (struct ix){ IX_MOD, at, -1, dim[i] });
        at = prog_ix(w->p, (struct ix){ IX_DIV, at, -1, dim[i] });
        w->ix[merged] = at;
    }
}

/* The row: let r1 = folds of generate .. in generate q (fun q -> e[r1[q]]); no tile: let r1 = fold in e. The tile's variables are bound anew by each
   generate; their types are the same. */
int lower_row(struct lower *w, const int *tileivar)
{
    int e, init[ROW_RED_MAX];

    w->rowtype = data_num(w->p);
    for (int j = w->ntile - 1; j >= 0; j--)
        w->rowtype = data_ary(w->p, w->p->var.a[tileivar[j]].extent, w->rowtype);
    for (int i = 0; i < w->nred; i++) {
        const struct ex *red = &w->k->ex.a[w->red[i]];
        int z = start(w, red->op);
        for (int j = w->ntile - 1; j >= 0; j--)
            z = exp_gen(w->p, false, tileivar[j], z);
        init[i] = fold(w, red, 0, z, true);
    }
    for (int i = 0; i < w->nred; i++)
        w->rowvar[i] = prog_var(w->p, -1, w->rowtype);
    e = lower_ex(w, w->st->body);
    for (int j = w->ntile - 1; j >= 0; j--)
        e = exp_gen(w->p, false, tileivar[j], e);
    for (int i = w->nred - 1; i >= 0; i--)
        e = exp_let(w->p, w->rowvar[i], init[i], e);
    return e;
}

/* Binds output variable i to a new index variable of the extent; its number in p. */
int lower_bind(struct lower *w, int i, long extent, int name)
{
    int x = prog_ivar(w->p, name, extent);

    w->ix[i] = x < 0 ? -1 : prog_ix_var(w->p, x);
    return x;
}

/* ary (d1 * .. * dk) t -> ary d1 (.. (ary dk t)) for the merged dimensions. */
static int split_merged(struct lower *w, const long *dim, int rank, int merged, int e)
{
    for (int k = rank - 1; k > merged; k--)
        e = exp_split(w->p, dim[k], e);
    return e;
}

static int lower_body(struct lower *w, const long *dim, int rank)
{
    int var[KERNEL_RANK_MAX] = {0}, met[SHARED_MOST], meets = 0, outer = -1, e, row = -1;
    long part = 0, iterations = 1;
    bool par[KERNEL_RANK_MAX];
    struct space s = find_space(w, dim, rank);

    w->nred = w->ntile = w->nhoist = 0;
    memset(w->cut, 0, sizeof w->cut);
    if (find_rows(w, w->st->body, false, 0)) {
        struct tiling t;
        if (lower_find_tiling(w, &s, rank, &t) > 0 || lower_find_blocks(w, &s, rank, &t))
            return lower_tiled(w, &s, &t, dim, rank);
        row = row_dim(w, &s, &part);
    }
    if (row < 0) {
        w->nred = 0;
        if (w->strategy != LOWER_PLAIN)
            find_shared(w, w->st->body, met, &meets, 0);
    }
    for (int i = 0; i < s.rank; i++) {
        bool cut = i == row && part < s.dim[i];
        par[i] = w->strategy == LOWER_PLAIN || (iterations < PAR_ENOUGH && (row < 0 || i < row || cut));
        iterations *= cut ? s.dim[i] / part : s.dim[i];
        var[i] = lower_bind(w, i, i == row ? part : s.dim[i], w->k->var.a[w->st->var + i].name);
        if (var[i] < 0)
            return -1;
        if (row >= 0 && i >= row)
            w->tile[w->ntile++] = w->ix[i];
        if (cut) { /* the dimension is join of parts: index = part number * part + index in the part */
            outer = prog_ivar(w->p, w->k->var.a[w->st->var + i].name, s.dim[i] / part);
            int at = prog_ix(w->p, (struct ix){ IX_MUL, prog_ix_var(w->p, outer), -1, part });
            w->ix[i] = prog_ix(w->p, (struct ix){ IX_ADD, at, w->ix[i], 0 });
        }
    }
    lower_unmerge(w, dim, rank, s.merged);
    if (row < 0)
        lower_find_hoists(w, &s, rank);
    e = lower_row(w, row < 0 ? NULL : var + row);
    if (outer >= 0)
        e = exp_join(w->p, exp_gen(w->p, par[row], outer, e));
    if (row == s.merged)
        e = split_merged(w, dim, rank, row, e);
    for (int i = (row < 0 ? s.rank : row) - 1; i >= 0; i--) {
        e = exp_gen(w->p, par[i], var[i], e);
        if (i == s.merged)
            e = split_merged(w, dim, rank, i, e);
        if (i == s.rank - 1)
            e = lower_bind_hoists(w, e);
    }
    return e;
}

/* Is one of the sums over a select? */
static bool is_guarded(const struct lower *w)
{
    for (int i = 0; i < w->nred; i++)
        if (w->k->ex.a[w->k->ex.a[w->red[i]].a].kind == EX_SELECT)
            return true;
    return false;
}

static double score(struct lower *w)
{
    const struct kernel_tensor *t = &w->k->tensor.a[w->st->out];
    struct space s = find_space(w, t->dim, t->rank);
    struct tiling tile;
    double best;
    long part;
    int row;

    if (!find_rows(w, w->st->body, false, 0))
        return 0;
    if ((best = lower_find_tiling(w, &s, t->rank, &tile)) > 0)
        return best;
    row = row_dim(w, &s, &part);
    if (row < 0)
        return 0;
    if (is_apart(w, &s, row, outer_cells(&s, s.rank) / outer_cells(&s, row + 1)))
        return ROW_SCORE_APART;
    return is_guarded(w) ? ROW_SCORE_GUARD : ROW_SCORE;
}

double lower_tile_score(const struct kernel *k, int stmt)
{
    struct lower w = { .k = k, .strategy = LOWER_ALL, .st = &k->stmt.a[stmt] };
    struct ints from = {0};
    struct kernel q;
    double best = 0;

    if (!lower_ordered(k, stmt))
        return score(&w);
    if (lower_reorder(k, stmt, &q, &from)) {
        w.k = &q;
        w.st = q.stmt.a;
        w.loop = q.stmt.a[0].loop;
        best = score(&w);
    }
    kernel_free(&q);
    ints_free(&from);
    return best;
}

bool lower_loads(const struct kernel *k, int id, int tensor, int depth)
{
    const struct ex *e = &k->ex.a[id];

    if (depth > LOWER_DEPTH_MAX)
        return true;
    switch (e->kind) {
    case EX_LOAD:
        return e->op == tensor;
    case EX_CALL: case EX_SELECT:
        return lower_loads(k, e->a, tensor, depth + 1) || (e->b >= 0 && lower_loads(k, e->b, tensor, depth + 1));
    case EX_REDUCE:
        return lower_loads(k, e->a, tensor, depth + 1);
    default:
        return false;
    }
}

/* The statement's value, as a whole array. */
static int lower_value(struct lower *w, const struct kernel_stmt *st)
{
    const struct kernel_tensor *t = &w->k->tensor.a[st->out];

    w->st = st;
    w->fused = kernel_is_fused(w->k, st->body);
    for (int i = 0; i < st->nvar; i++)
        w->ix[i] = -1;
    return lower_body(w, t->dim, t->rank);
}

static void lower_in_order(struct lower *w, int stmt)
{
    const struct kernel *k = w->k;
    const struct kernel_stmt *st = &k->stmt.a[stmt];
    int *param = w->param, *own = mem_resize(k->mem, NULL, (size_t)k->tensor.n, sizeof *own), e;
    struct ints from = {0};
    struct kernel q;

    if (lower_reorder(k, stmt, &q, &from) && own) {
        for (int t = 0; t < q.tensor.n; t++)
            own[t] = param[from.a[t]];
        w->k = &q;
        w->param = own;
        w->loop = st->loop;
        e = lower_value(w, q.stmt.a);
        prog_assign(w->p, param[st->out], lower_transpose(w->p, e, &k->tensor.a[st->out], st->loop), false);
    } else {
        w->nomem = true;
    }
    w->k = k;
    w->param = param;
    w->loop = NULL;
    kernel_free(&q);
    ints_free(&from);
    mem_free(own);
}

static void lower_stmt(struct lower *w, int stmt)
{
    const struct kernel_stmt *st = &w->k->stmt.a[stmt];

    if (lower_ordered(w->k, stmt))
        lower_in_order(w, stmt);
    else
        prog_assign(w->p, w->param[st->out], lower_value(w, st), lower_loads(w->k, st->body, st->out, 0));
}

static void add_params(struct lower *w)
{
    for (int i = 0; i < w->k->tensor.n; i++) {
        const struct kernel_tensor *t = &w->k->tensor.a[i];
        bool used = t->role != KERNEL_TEMP;
        int type = data_num(w->p);
        w->param[i] = -1;
        for (int s = 0; s < w->k->stmt.n && !used; s++)
            used = w->k->stmt.a[s].out == i || kernel_loads(w->k, &w->k->stmt.a[s], i);
        if (!used)
            continue;
        for (int j = t->rank - 1; j >= 0; j--)
            type = data_ary(w->p, t->dim[j], type);
        w->param[i] = prog_param(w->p, t->name, t->role, type);
        if (w->param[i] >= 0)
            w->p->param.a[w->param[i]] = (struct prog_param){ w->p->param.a[w->param[i]].var, t->role, t->name, i, t->elem };
    }
}

static enum calque_status run(struct lower *w, struct diag *d)
{
    add_params(w);
    for (int s = 0; s < w->k->stmt.n && w->p->status == CALQUE_OK && !w->deep && !w->nomem; s++)
        lower_stmt(w, s);
    if (w->nomem)
        return diag_nomem(d);
    if (w->deep)
        return diag_set(d, CALQUE_LIMIT, "", 0, 0, "dpia: a kernel expression is nested too deep");
    if (w->stuck)
        return diag_set(d, CALQUE_BAD, "", 0, 0, "dpia: under a select, the operands of exact(a, b) may have no sums of their own");
    return prog_status(w->p, d);
}

enum calque_status lower_kernel(const struct kernel *k, unsigned strategy, struct prog *p, struct diag *d)
{
    struct lower w = { .k = k, .p = p, .strategy = strategy };
    enum calque_status st;
    int nvar = 0;

    prog_init(p, k->mem, k->strs, k->type);
    p->math = k->math;
    if (kernel_looks_up(k))
        return diag_set(d, CALQUE_BAD, "", 0, 0, "dpia: a look-up by data is no functional program");
    for (int s = 0; s < k->stmt.n; s++)
        nvar = k->stmt.a[s].nvar > nvar ? k->stmt.a[s].nvar : nvar;
    w.param = mem_resize(k->mem, NULL, (size_t)k->tensor.n + 1, sizeof *w.param);
    w.ix = mem_resize(k->mem, NULL, (size_t)nvar + 1, sizeof *w.ix);
    st = w.param && w.ix ? run(&w, d) : diag_nomem(d);
    mem_free(w.param);
    mem_free(w.ix);
    return st;
}
