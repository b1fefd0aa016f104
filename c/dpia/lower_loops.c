/* Loops that are not the statement's dimensions in their order: tiles, and other orders. Every cell's own order of
   additions is the kernel's; join, split and transpose put the cells where the dimensions are, which costs nothing:
   they are acceptors.

   Tiles: the reductions of a rectangle of output cells run together, so that what is read once serves many cells and
   the accumulators stay in registers. The loops go over the tiles.

   Blocks: where a load goes on by one cell along another loop than the store does, both go over a square of cells, so that
   a line of the cache that is loaded is used whole.

   Hoists: what costs much and is the same in all iterations of the last loop is bound before that loop: a root or a function
   of libm. It is the same operation on the same numbers, once. Under a select nothing is bound: its loads may have no place
   where the select does not choose them. */
#include "dpia/lower_internal.h"

#include <string.h>

enum {
    TILE_VECTOR = 64,    /* bytes of the vectors aimed at */
    TILE_V_LEAST = 8, TILE_V_MOST = 64,
    TILE_VECTORS = 2,    /* side by side that are all kept in registers */
    TILE_U_MOST = 14,
    TILE_REGISTERS = 28, /* for accumulators */
    TILE_LOADS = 8,
    TILE_TERM = 3,       /* what a term costs beside its operations, in operations: loads, the loop */
    TILE_PIECE = 2,      /* and a part of a vector in them, the first one twice: the compiler leaves its accumulators in memory */
    TILE_U_WIDE = 6,     /* of the other loop, at least, for several vectors that are stored as they are to be kept in registers */
    TILE_TERMS = 8,      /* least terms of a reduction */
    BLOCK_LEAST = 4,     /* cells of a block of exchanged loops */
    PAGE = 4096
};
#define TILE_SCORE 3.5  /* least cells for each vector operation */
#define STORE_APART 2.2 /* operations for a cell */
#define STORE_SAME_SET 10.0
#define TILE_NARROW 1.6 /* what operations of several vectors by fewer than TILE_U_WIDE cost more */

/* How the address of a load goes on with a loop of the space: not, by one cell, or otherwise. */
enum motion { MOVE_NONE, MOVE_UNIT, MOVE_OTHER };

static long gcd(long a, long b)
{
    while (b != 0) {
        long r = a % b;
        a = b;
        b = r;
    }
    return a;
}

/* Does the index go on with the variable inside of a block of *block cells? A quotient of the variable does not where the
   block divides its divisor, a remainder goes on by one there: *block becomes so small. */
static bool moves(const struct kernel *k, int id, int var, long *block)
{
    const struct ix *x = &k->ix.a[id];

    if (x->kind == IX_VAR)
        return x->k == var;
    if ((x->kind == IX_DIV || x->kind == IX_MOD) && k->ix.a[x->a].kind == IX_VAR && k->ix.a[x->a].k == var) {
        *block = gcd(*block, x->k);
        return x->kind == IX_MOD;
    }
    return x->kind != IX_CONST && (moves(k, x->a, var, block) ||
                                   ((x->kind == IX_ADD || x->kind == IX_SUB) && moves(k, x->b, var, block)));
}

/* The factor of a variable in an index; *linear false: it is divided. Quotients and remainders are as moves() has them. */
static long factor(const struct kernel *k, int id, int var, bool *linear)
{
    long block = 0;

    const struct ix *x = &k->ix.a[id];

    switch (x->kind) {
    case IX_VAR: return x->k == var;
    case IX_CONST: return 0;
    case IX_ADD: return factor(k, x->a, var, linear) + factor(k, x->b, var, linear);
    case IX_SUB: return factor(k, x->a, var, linear) - factor(k, x->b, var, linear);
    case IX_MUL: return x->k * factor(k, x->a, var, linear);
    case IX_MOD:
        if (k->ix.a[x->a].kind == IX_VAR)
            return k->ix.a[x->a].k == var;
        /* fall through */
    default:
        *linear = *linear && !moves(k, id, var, &block);
        return 0;
    }
}

/* Loop i of the space, inside of a block of it; the last one is the statement's variables from s->merged on, which every
   load uses side by side. */
static enum motion load_motion(const struct lower *w, const struct ex *e, const struct space *s, int rank, int i, long *block)
{
    const int *at = w->k->pool.a + e->first;
    int last = i == s->merged ? rank - 1 : i;
    bool linear = true;
    long f = e->n > 0 ? factor(w->k, at[e->n - 1], last, &linear) : 0;

    for (int v = i; v <= last; v++)
        for (int d = 0; d < e->n; d++) {
            bool own = d == e->n - 1 - (last - v); /* where v is when it is the address's end */
            if (moves(w->k, at[d], v, block) && !(own && linear))
                return MOVE_OTHER;
            if (v < last && own && f != 0 && !moves(w->k, at[d], v, block))
                return MOVE_OTHER;
        }
    return f == 0 ? MOVE_NONE : f == 1 ? MOVE_UNIT : MOVE_OTHER;
}

/* The loads of a reduction's body; false: too many, or more than arithmetic. */
static bool find_loads(const struct lower *w, int id, const struct ex **load, int *n, int depth)
{
    const struct ex *e = &w->k->ex.a[id];

    if (depth > LOWER_DEPTH_MAX || e->kind == EX_SELECT || e->kind == EX_REDUCE)
        return false;
    if (e->kind == EX_CONST)
        return true;
    if (e->kind == EX_LOAD) {
        if (*n == TILE_LOADS)
            return false;
        load[(*n)++] = e;
        return true;
    }
    return find_loads(w, e->a, load, n, depth + 1) && (e->b < 0 || find_loads(w, e->b, load, n, depth + 1));
}

/* What n cells cost in operations of whole vectors: those, and halves, quarters .. that are left. Half a vector alone is one. */
static double pieces(long n, long lanes)
{
    double count = (double)(n / lanes);

    if (n == lanes / 2)
        return 1;
    if (count > TILE_VECTORS)
        count += (count - TILE_VECTORS) / 2;
    n %= lanes;
    count += n > 0 ? TILE_PIECE : 0;
    for (; n > 0; n &= n - 1)
        count += TILE_PIECE;
    return count;
}

/* The best part sizes for loops v (of at least so many cells) and j. store: what storing a cell costs. Measured, with AVX-512 and gcc:
   tiles of two vectors by 7 to 14 do 80 to 90 % of what the processor can, one vector by 7 60 %, 49 cells by 2 30 %, 25 by 4 15 %. */
static double best_parts(enum kernel_type type, long least, long nv, long nj, double store, double terms, struct tiling *t)
{
    long lanes = TILE_VECTOR / (long)kernel_type_size(type);
    double best = 0;
    struct tiling x = *t;

    for (x.vp = least; x.vp <= TILE_V_MOST && x.vp <= nv; x.vp++)
        for (x.u = 2; x.u <= TILE_U_MOST && x.u <= nj; x.u++) {
            double vectors = pieces(x.vp, lanes), cells = (double)(x.vp * x.u), score;
            if (nv % x.vp || nj % x.u || vectors * (double)x.u > TILE_REGISTERS)
                continue;
            if (store == 0 && x.u < TILE_U_WIDE && x.vp >= TILE_VECTORS * lanes && x.vp % lanes == 0)
                vectors *= TILE_NARROW;
            score = cells / (vectors * (double)x.u + TILE_TERM + store * cells / terms);
            if (score > best) {
                best = score;
                *t = x;
            }
        }
    return best;
}

/* A cell of loop v that is not stored beside the one before. At distances of whole pages all cells fall into one set of the cache. */
static double store_cost(enum kernel_type type, const struct space *s, int v)
{
    long apart = (long)kernel_type_size(type);

    for (int i = v + 1; i < s->rank; i++)
        apart *= s->dim[i];
    return v == s->rank - 1 ? 0 : apart % PAGE == 0 ? STORE_SAME_SET : STORE_APART;
}

double lower_part_score(enum kernel_type type, long nv, long nj, bool last, double terms, long *cells)
{
    struct tiling t = {.v = 0};
    double score = best_parts(type, TILE_V_LEAST, nv, nj, last ? 0 : STORE_APART, terms, &t);

    if (cells)
        *cells = t.vp;
    return score >= TILE_SCORE && terms >= TILE_TERMS ? score : 0;
}

/* Is every load still or side by side along loop v, and one still along j that is not along v? Parts of v and j have to divide
   nv and nj. */
static bool loads_tile(const struct lower *w, const struct space *s, int rank, const struct ex *const *load, int n, int v, int j,
                       long *nv, long *nj)
{
    bool good = v != j, reused = false;

    *nv = s->dim[v];
    *nj = s->dim[j];
    for (int l = 0; l < n && good; l++) {
        enum motion m = load_motion(w, load[l], s, rank, v, nv), other = load_motion(w, load[l], s, rank, j, nj);
        good = m != MOVE_OTHER;
        reused = reused || (m == MOVE_UNIT && other == MOVE_NONE);
    }
    return good && reused;
}

/* Does a load read panels along loop v, at its remainder? Then a tile has a whole one: the check of programs sees no parts of them. */
static bool in_panels(const struct lower *w, const struct space *s, int rank, const struct ex *const *load, int n, int v)
{
    int last = v == s->merged ? rank - 1 : v;

    for (int l = 0; l < n; l++) {
        const struct ix *x = load[l]->n > 0 ? &w->k->ix.a[w->k->pool.a[load[l]->first + load[l]->n - 1]] : NULL;
        if (x && x->kind == IX_MOD && w->k->ix.a[x->a].kind == IX_VAR && w->k->ix.a[x->a].k == last)
            return true;
    }
    return false;
}

double lower_find_tiling(const struct lower *w, const struct space *s, int rank, struct tiling *t)
{
    const struct ex *load[TILE_LOADS];
    double best = 0, terms = 1;
    int n = 0;

    if (!(w->strategy & LOWER_TILE) || w->nred == 0 || rank == 0)
        return 0;
    for (int i = 0; i < w->nred; i++)
        if (!find_loads(w, w->k->ex.a[w->red[i]].a, load, &n, 0))
            return 0;
    for (int i = 0; i < w->k->ex.a[w->red[0]].n; i++)
        terms *= (double)w->k->var.a[w->st->var + w->k->pool.a[w->k->ex.a[w->red[0]].first + i]].extent;
    if (terms < TILE_TERMS)
        return 0;
    for (int v = 0; v < s->rank; v++)
        for (int j = 0; j < s->rank; j++) { /* of equals the later one, whose cells are nearer */
            struct tiling x = {.v = v, .j = j};
            double score;
            long nv, nj, least;
            if (!loads_tile(w, s, rank, load, n, v, j, &nv, &nj))
                continue;
            least = in_panels(w, s, rank, load, n, v) ? nv : TILE_V_LEAST;
            score = best_parts(w->k->type, least, nv, nj, store_cost(w->k->type, s, v), terms, &x);
            if (score >= best && score > 0) {
                best = score;
                *t = x;
            }
        }
    return best >= TILE_SCORE ? best : 0;
}

/* The longest part of a loop that is at most so long. */
static long block_part(long n)
{
    for (long k = LOWER_BLOCK; k >= BLOCK_LEAST; k--)
        if (n % k == 0)
            return k;
    return 0;
}

bool lower_find_blocks(const struct lower *w, const struct space *s, int rank, struct tiling *t)
{
    const struct ex *load[TILE_LOADS];
    int n = 0, v = s->rank - 1;

    if (!(w->strategy & LOWER_TILE) || w->nred > 0 || rank < 2 || !find_loads(w, w->st->body, load, &n, 0))
        return false;
    for (int j = 0; j < v; j++)
        for (int l = 0; l < n; l++) {
            long nv = s->dim[v], nj = s->dim[j];
            bool apart = load_motion(w, load[l], s, rank, v, &nv) == MOVE_OTHER;
            if (!apart || load_motion(w, load[l], s, rank, j, &nj) != MOVE_UNIT)
                continue;
            *t = (struct tiling){.v = v, .j = j, .vp = block_part(nv), .u = block_part(nj)};
            return t->vp > 0 && t->u > 0;
        }
    return false;
}

/* An expression under construction: an array whose outermost levels are the tile's loops that are still open, u cells of j
   and vp of v, in this order; then come the complete dimensions. */
struct open {
    struct prog *p;
    int e;
    bool j, v;
    long u, vp;
};

/* Loop x around it, over whole dimensions of n cells: [x][open..] -> [open..][x]. */
static void over_whole(struct open *o, bool par, int x)
{
    if (o->j && o->v)
        o->e = exp_join(o->p, o->e);
    o->e = exp_gen(o->p, par, x, o->e);
    if (o->j || o->v)
        o->e = exp_tr(o->p, o->e);
    if (o->j && o->v)
        o->e = exp_split(o->p, o->vp, o->e);
}

/* Loop x over the parts of the tile's dimension j or v, of n cells, which is complete then. */
static void over_parts(struct open *o, bool par, int x, bool is_j, long n)
{
    bool both = o->j && o->v;

    if (both && is_j)
        o->e = exp_tr(o->p, o->e); /* [u][vp] -> [vp][u] */
    o->e = exp_gen(o->p, par, x, o->e);
    if (both)
        o->e = exp_split(o->p, n, exp_join(o->p, exp_join(o->p, exp_tr(o->p, o->e)))); /* [x][a][b] -> [a][x * b] */
    else
        o->e = exp_join(o->p, o->e);
    if (is_j)
        o->j = false;
    else
        o->v = false;
}

/* The only complete dimension as the statement's dimensions merged..rank-1. */
static void unmerged(struct open *o, const long *dim, int rank, int merged)
{
    for (int i = 0; i < (int)o->j + (int)o->v; i++)
        o->e = exp_join(o->p, o->e);
    for (int i = rank - 1; i > merged || (i == merged && (o->j || o->v)); i--)
        o->e = exp_split(o->p, dim[i], o->e);
    if (o->j && o->v)
        o->e = exp_split(o->p, o->vp, o->e);
}

int lower_tiled(struct lower *w, const struct space *s, const struct tiling *t, const long *dim, int rank)
{
    struct open o = {w->p, -1, true, true, t->u, t->vp};
    int outer[KERNEL_RANK_MAX], inner[2] = {-1, -1};
    bool par[KERNEL_RANK_MAX];
    long iterations = 1;

    w->ntile = 2;
    for (int i = 0; i < s->rank; i++) {
        bool cut = i == t->v || i == t->j;
        long part = i == t->v ? t->vp : i == t->j ? t->u : 1;
        int name = w->k->var.a[w->st->var + i].name;
        par[i] = iterations < PAR_ENOUGH;
        iterations *= s->dim[i] / part;
        outer[i] = lower_bind(w, i, s->dim[i] / part, name);
        if (cut) { /* index = part number * part + index in the part */
            int number = w->ix[i], at = prog_ix(w->p, (struct ix){IX_MUL, number, -1, part}), k = i == t->v;
            inner[k] = lower_bind(w, i, part, name);
            w->tile[k] = w->ix[i];
            if (i < s->merged || s->merged == rank - 1) {
                w->cut[i].number = number;
                w->cut[i].inside = w->tile[k];
                w->cut[i].part = part;
            }
            w->ix[i] = prog_ix(w->p, (struct ix){IX_ADD, at, w->ix[i], 0});
        }
        if (outer[i] < 0 || w->ix[i] < 0)
            return -1;
    }
    lower_unmerge(w, dim, rank, s->merged);
    o.e = lower_row(w, inner);
    for (int i = s->rank - 1; i >= 0; i--) {
        if (i == t->v || i == t->j)
            over_parts(&o, par[i], outer[i], i == t->j, s->dim[i]);
        else
            over_whole(&o, par[i], outer[i]);
        if (i == s->merged && s->merged < rank - 1)
            unmerged(&o, dim, rank, s->merged);
    }
    return o.e;
}

/* Loops in another order than the output's dimensions: the statement is lowered as one over its loops' variables in their
   order, to an array with the dimensions in this order, and that is transposed to where the output has them. Transposing
   costs nothing: join, split and transpose are acceptors (Coq: reverse_inline_correct says the cells are the same). */

bool lower_ordered(const struct kernel *k, int stmt)
{
    const struct kernel_stmt *s = &k->stmt.a[stmt];

    return s->loop[0] > 0 && !lower_loads(k, s->body, s->out, 0);
}

bool lower_reorder(const struct kernel *k, int stmt, struct kernel *q, struct ints *from)
{
    const struct kernel_stmt *s = &k->stmt.a[stmt];
    int rank = k->tensor.a[s->out].rank, inverse[KERNEL_RANK_MAX];
    struct kernel_tensor *t;

    if (kernel_part(k, stmt, 1, q, from, NULL) != CALQUE_OK)
        return false;
    t = &q->tensor.a[q->stmt.a[0].out];
    for (int i = 0; i < rank; i++) {
        int v = s->loop[i] - 1;
        inverse[v] = i;
        t->dim[i] = k->var.a[s->var + v].extent;
        q->var.a[q->stmt.a[0].var + i] = k->var.a[s->var + v];
    }
    for (int i = 0; i < q->ix.n; i++)
        if (q->ix.a[i].kind == IX_VAR && q->ix.a[i].k < rank)
            q->ix.a[i].k = inverse[q->ix.a[i].k];
    return true;
}

/* [c0]..[c(p-1)][cp].. -> [cp][c0]..[c(p-1)]..; dim and at (what they are) follow. */
static int to_front(struct prog *p, int e, int place, long *dim, unsigned char *at)
{
    long d = dim[place];
    unsigned char a = at[place];

    for (int i = 1; i < place; i++)
        e = exp_join(p, e);
    e = exp_tr(p, e);
    if (place > 1)
        e = exp_join(p, e);
    for (int i = place - 1; i >= 0 && place > 1; i--)
        e = exp_split(p, dim[i], e);
    memmove(dim + 1, dim, (size_t)place * sizeof *dim);
    memmove(at + 1, at, (size_t)place * sizeof *at);
    dim[0] = d;
    at[0] = a;
    return e;
}

int lower_transpose(struct prog *p, int e, const struct kernel_tensor *t, const unsigned char *loop)
{
    long dim[KERNEL_RANK_MAX];
    unsigned char at[KERNEL_RANK_MAX];
    int rest = t->rank, last = t->rank;

    for (int i = 0; i < t->rank; i++) {
        at[i] = (unsigned char)(loop[i] - 1);
        dim[i] = t->dim[at[i]];
    }
    for (int i = t->rank - 1; i >= 0; i--) /* dimensions rest.. stand in order, others between them */
        if (at[i] == rest - 1 && i < last) {
            rest--;
            last = i;
        }
    for (int want = rest - 1; want >= 0; want--)
        for (int i = 1; i < t->rank; i++)
            if (at[i] == want) {
                e = to_front(p, e, i, dim, at);
                break;
            }
    return e;
}

/* ---- hoists ---- */

enum { HOIST_LEAST = 4 /* iterations of the loop */ };

/* Does the index depend on a variable of the loop? */
static bool varies(const struct lower *w, int id, int first, int rank)
{
    for (int v = first; v < rank; v++)
        if (lower_ix_uses(w->k, id, v))
            return true;
    return false;
}

/* Is the expression arithmetic that has one value in all iterations of the loop over variables first..rank-1? */
static bool invariant(const struct lower *w, int id, int first, int rank, int depth)
{
    const struct ex *e = &w->k->ex.a[id];

    if (depth > LOWER_DEPTH_MAX)
        return false;
    if (e->kind == EX_CONST)
        return true;
    if (e->kind == EX_LOAD) {
        for (int i = 0; i < e->n; i++)
            if (varies(w, w->k->pool.a[e->first + i], first, rank))
                return false;
        return true;
    }
    return e->kind == EX_CALL && invariant(w, e->a, first, rank, depth + 1) &&
           (e->b < 0 || invariant(w, e->b, first, rank, depth + 1));
}

/* The outermost such calls of a function that is worth a name. */
static void find_hoists(struct lower *w, int id, int first, int rank, int depth)
{
    const struct ex *e = &w->k->ex.a[id];

    if (e->kind != EX_CALL || depth > LOWER_DEPTH_MAX || w->nhoist == HOIST_MAX)
        return;
    for (int i = 0; i < w->nhoist; i++)
        if (w->hoist[i].ex == id)
            return;
    if (fn_is_float(e->op) && invariant(w, id, first, rank, depth)) {
        w->hoist[w->nhoist].ex = id;
        w->hoist[w->nhoist].var = w->hoist[w->nhoist].value = -1;
        w->nhoist++;
        return;
    }
    find_hoists(w, e->a, first, rank, depth + 1);
    if (e->b >= 0)
        find_hoists(w, e->b, first, rank, depth + 1);
}

void lower_find_hoists(struct lower *w, const struct space *s, int rank)
{
    if (w->strategy == LOWER_PLAIN || rank == 0 || s->dim[s->rank - 1] < HOIST_LEAST)
        return;
    find_hoists(w, w->st->body, s->merged, rank, 0);
    for (int i = 0; i < w->nhoist; i++)
        w->hoist[i].value = lower_ex(w, w->hoist[i].ex);
    for (int i = 0; i < w->nhoist; i++)
        w->hoist[i].var = prog_var(w->p, -1, data_num(w->p));
}

int lower_hoisted(const struct lower *w, int ex)
{
    for (int i = 0; i < w->nhoist; i++)
        if (w->hoist[i].ex == ex)
            return w->hoist[i].var;
    return -1;
}

int lower_bind_hoists(const struct lower *w, int e)
{
    for (int i = w->nhoist - 1; i >= 0; i--)
        e = exp_let(w->p, w->hoist[i].var, w->hoist[i].value, e);
    return e;
}
