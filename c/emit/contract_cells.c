/* Cells: index expressions, tensors, where statements write, and under which conditions folds stand. */
#include "emit/contract.h"
#include "emit/minic.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

void cells_init(struct cells *c, struct mem *mem, enum kernel_type type)
{
    memset(c, 0, sizeof *c);
    c->mem = mem;
    c->type = type;
}

void cells_free(struct cells *c)
{
    mem_free(c->ax.a);
    mem_free(c->cond.a);
    mem_free(c->ac.a);
    mem_free(c->var.a);
    mem_free(c->tensor.a);
    mem_free(c->stmt.a);
    ints_free(&c->pool);
}

bool cells_fail(struct cells *c, enum calque_status st, const char *why)
{
    if (c->status == CALQUE_OK) {
        c->status = st;
        c->why = why;
    }
    return false;
}

enum calque_status cells_status(const struct cells *c, struct diag *d)
{
    if (c->status == CALQUE_OK)
        return CALQUE_OK;
    if (c->status == CALQUE_NOMEM)
        return diag_nomem(d);
    return diag_set(d, c->status, "", 0, 0, "emit --acsl: %s", c->why ? c->why : "an index or the nesting exceeds the limits");
}

static int ax(struct cells *c, struct ax x)
{
    if (c->status != CALQUE_OK)
        return -1;
    if (!vec_room(c->mem, &c->ax, 1)) {
        cells_fail(c, CALQUE_NOMEM, NULL);
        return -1;
    }
    c->ax.a[c->ax.n] = x;
    return c->ax.n++;
}

int ax_num(struct cells *c, long k)
{
    return ax(c, (struct ax){ AX_NUM, -1, -1, -1, -1, k });
}

int ax_size(struct cells *c, long n)
{
    return n >= 0 ? ax_num(c, n) : ax(c, (struct ax){ AX_SIZE, -1, -1, -1, -1, n });
}

int ax_var(struct cells *c, int var)
{
    return ax(c, (struct ax){ AX_VAR, -1, -1, -1, -1, var });
}

bool ax_is(const struct cells *c, int a, long k)
{
    return a >= 0 && c->ax.a[a].kind == AX_NUM && c->ax.a[a].k == k;
}

struct range {
    double lo, hi;
};

static double corner(double a, double b)
{
    return a == 0 || b == 0 ? 0 : a * b;
}

static struct range range_mul(struct range a, struct range b)
{
    double p = corner(a.lo, b.lo), q = corner(a.lo, b.hi), r = corner(a.hi, b.lo), s = corner(a.hi, b.hi);

    return (struct range){ fmin(fmin(p, q), fmin(r, s)), fmax(fmax(p, q), fmax(r, s)) };
}

/* Bounds of the values; sizes are anything from 0. Operands are older than results: the recursion is as deep as the tree,
   which its makers limit. */
static struct range range_of(const struct cells *c, int id)
{
    const struct ax *x = &c->ax.a[id];
    struct range a, b;

    if (x->kind == AX_NUM)
        return (struct range){ (double)x->k, (double)x->k };
    if (x->kind == AX_SIZE)
        return (struct range){ 0, INFINITY };
    if (x->kind == AX_VAR)
        return (struct range){ 0, fmax(0, range_of(c, c->var.a[x->k].extent).hi - 1) };
    a = range_of(c, x->a);
    b = range_of(c, x->b);
    switch (x->kind) {
    case AX_ADD: return (struct range){ a.lo + b.lo, a.hi + b.hi };
    case AX_SUB: return (struct range){ a.lo - b.hi, a.hi - b.lo };
    case AX_MUL: return range_mul(a, b);
    case AX_JOIN:
        a = range_mul(a, range_of(c, x->m));
        return (struct range){ a.lo + b.lo, a.hi + b.hi };
    case AX_DIV: return (struct range){ 0, a.hi };
    case AX_FDIV: return (struct range){ fmin(a.lo, -1), fmax(a.hi, 0) };
    default: return (struct range){ 0, b.hi };
    }
}

static long fold_number(int kind, long a, long b)
{
    long r = a % b + (a % b < 0 ? b : 0);

    return kind == AX_DIV || kind == AX_FDIV ? (a - r) / b : r;
}

/* An operation on numbers; false when it is not one, or does not fit. */
static bool number(const struct cells *c, int kind, int a, int b, long *r)
{
    long p = c->ax.a[a].k, q = c->ax.a[b].k;

    if (c->ax.a[a].kind != AX_NUM || c->ax.a[b].kind != AX_NUM)
        return false;
    switch (kind) {
    case AX_ADD: return !__builtin_add_overflow(p, q, r);
    case AX_SUB: return !__builtin_sub_overflow(p, q, r);
    case AX_MUL: return !__builtin_mul_overflow(p, q, r);
    default:
        if (q <= 0)
            return false;
        *r = fold_number(kind, p, q);
        return true;
    }
}

int ax_two(struct cells *c, int kind, int a, int b)
{
    bool divides = kind == AX_DIV || kind == AX_FDIV, remains = kind == AX_MOD || kind == AX_FMOD;
    long k;

    if (a < 0 || b < 0 || c->status != CALQUE_OK)
        return -1;
    if (number(c, kind, a, b, &k))
        return ax_num(c, k);
    if ((kind == AX_ADD || kind == AX_SUB) && ax_is(c, b, 0))
        return a;
    if ((kind == AX_ADD && ax_is(c, a, 0)) || (kind == AX_MUL && (ax_is(c, a, 1) || ax_is(c, b, 0))))
        return b;
    if ((divides || kind == AX_MUL) && ax_is(c, b, 1))
        return a;
    if (kind == AX_MUL && ax_is(c, a, 0))
        return a;
    if (remains && ax_is(c, b, 1))
        return ax_num(c, 0);
    if ((divides || remains) && c->ax.a[a].kind == AX_JOIN && ax_same(c, c->ax.a[a].m, b))
        return divides ? c->ax.a[a].a : c->ax.a[a].b;
    if (divides || remains)
        kind = range_of(c, a).lo >= 0 ? (divides ? AX_DIV : AX_MOD) : divides ? AX_FDIV : AX_FMOD;
    return ax(c, (struct ax){ kind, a, b, -1, -1, 0 });
}

int ax_join(struct cells *c, int a, int b, int n, int m)
{
    const struct ax *x;

    if (a < 0 || b < 0 || n < 0 || m < 0 || c->status != CALQUE_OK)
        return -1;
    if (ax_is(c, m, 1))
        return a;
    if (ax_is(c, a, 0))
        return b;
    x = &c->ax.a[a];
    if (x->kind == AX_DIV && ax_same(c, x->b, m) && c->ax.a[b].kind == AX_MOD && ax_same(c, c->ax.a[b].b, m) &&
        ax_same(c, x->a, c->ax.a[b].a))
        return x->a; /* x / m * m + x % m */
    if (c->ax.a[a].kind == AX_NUM && c->ax.a[m].kind == AX_NUM)
        return ax_two(c, AX_ADD, ax_two(c, AX_MUL, a, m), b);
    return ax(c, (struct ax){ AX_JOIN, a, b, n, m, 0 });
}

bool ax_same(const struct cells *c, int a, int b)
{
    const struct ax *x, *y;

    if (a == b || a < 0 || b < 0)
        return a == b;
    x = &c->ax.a[a];
    y = &c->ax.a[b];
    return x->kind == y->kind && x->k == y->k && ax_same(c, x->a, y->a) && ax_same(c, x->b, y->b) && ax_same(c, x->m, y->m);
}

bool ax_uses(const struct cells *c, int a, int var)
{
    const struct ax *x;

    if (a < 0)
        return false;
    x = &c->ax.a[a];
    return (x->kind == AX_VAR && x->k == var) || ax_uses(c, x->a, var) || ax_uses(c, x->b, var);
}

bool ax_symbolic(const struct cells *c, int a)
{
    const struct ax *x;

    if (a < 0)
        return false;
    x = &c->ax.a[a];
    return x->kind == AX_SIZE || ax_symbolic(c, x->a) || ax_symbolic(c, x->b) || ax_symbolic(c, x->m);
}

int cells_var(struct cells *c, int extent)
{
    if (c->status != CALQUE_OK)
        return -1;
    if (!vec_room(c->mem, &c->var, 1)) {
        cells_fail(c, CALQUE_NOMEM, NULL);
        return -1;
    }
    c->var.a[c->var.n] = (struct acsl_var){ extent };
    return c->var.n++;
}

int cells_ac(struct cells *c, struct ac x)
{
    if (c->status != CALQUE_OK)
        return -1;
    if (!vec_room(c->mem, &c->ac, 1)) {
        cells_fail(c, CALQUE_NOMEM, NULL);
        return -1;
    }
    c->ac.a[c->ac.n] = x;
    return c->ac.n++;
}

/* A cell as it is stored. */
static int load(struct cells *c, int tensor, const int *index, int n)
{
    const struct acsl_tensor *t = &c->tensor.a[tensor];
    int at = ax_num(c, 0), rows = ax_num(c, 1);

    for (int i = 0; i < n && i < t->rank; i++) {
        at = ax_join(c, at, index[i], rows, t->dim[i]);
        rows = ax_two(c, AX_MUL, rows, t->dim[i]);
    }
    return cells_ac(c, (struct ac){ .kind = AC_LOAD, .op = tensor, .a = -1, .b = -1, .var = at });
}

/* The expression, of the one element type, as the other. */
static int convert(struct cells *c, int a, int from, int to)
{
    return from == to || a < 0 ? a : cells_ac(c, (struct ac){ .kind = AC_CONV, .op = from, .a = a, .b = -1, .var = to });
}

int cells_load(struct cells *c, int tensor, const int *index, int n)
{
    return convert(c, load(c, tensor, index, n), c->tensor.a[tensor].elem, kernel_own(c->type));
}

/* Words of ACSL and of ours; those of C are the printer's. */
static const char *const reserved[] = {
    "acc", "init", "count", "none", "o", "main", "EOF",
    "allocates", "assert", "assigns", "assumes", "axiom", "axiomatic", "behavior", "behaviors", "boolean", "breaks", "check",
    "complete", "continues", "decreases", "disjoint", "ensures", "exits", "forall", "frees", "ghost", "global", "inductive",
    "integer", "invariant", "lemma", "logic", "loop", "model", "predicate", "reads", "real", "requires", "returns", "slice",
    "strong", "terminates", "type", "variant", "writes", "Pre", "Post", "Here", "Old", "Init", "LoopEntry", "LoopCurrent",
};

/* Is it a name that emitted C may use as it is? Ours are o, i1, r2, x3, s4 and helpers. */
static bool is_free_name(const char *s)
{
    static const char ours[] = "oirxs";

    for (size_t i = 0; s[i]; i++)
        if (!isalnum((unsigned char)s[i]))
            return false;
    if (!isalpha((unsigned char)s[0]) || strlen(s) >= ACSL_NAME || strncmp(s, "calque", 6) == 0 ||
        print_is_reserved(s) || (strchr(ours, s[0]) && s[1] && strspn(s + 1, "0123456789") == strlen(s + 1)))
        return false;
    for (size_t i = 0; i < sizeof reserved / sizeof *reserved; i++)
        if (strcmp(s, reserved[i]) == 0)
            return false;
    return true;
}

bool cells_name_free(const struct cells *c, const char *s)
{
    for (int i = 0; c->sizes && i < c->sizes->size_name.n; i++)
        if (strcmp(s, strs_text(c->sizes->strs, c->sizes->size_name.a[i])) == 0)
            return false;
    return is_free_name(s);
}

int cells_tensor(struct cells *c, const char *name, int role, int elem, int rank, const int *dim)
{
    struct acsl_tensor t = { .role = role, .elem = elem == ELEM_OWN ? kernel_own(c->type) : elem, .rank = rank };
    int n = 0;

    if (c->status != CALQUE_OK)
        return -1;
    t.cells = ax_num(c, 1);
    for (int i = 0; i < rank; i++) {
        t.dim[i] = dim[i];
        t.cells = ax_two(c, AX_MUL, t.cells, dim[i]);
    }
    if (cells_name_free(c, name)) {
        snprintf(t.name, sizeof t.name, "%s", name);
    } else {
        if (!isalpha((unsigned char)name[0]))
            t.name[n++] = 'T';
        for (int i = 0; name[i] && n < 20; i++)
            t.name[n++] = isalnum((unsigned char)name[i]) ? name[i] : '_';
        snprintf(t.name + n, sizeof t.name - (size_t)n, "_t%d", c->tensor.n);
    }
    if (!vec_room(c->mem, &c->tensor, 1)) {
        cells_fail(c, CALQUE_NOMEM, NULL);
        return -1;
    }
    c->tensor.a[c->tensor.n] = t;
    return c->tensor.n++;
}

/* Where the statements of cells write, and under which conditions folds stand. */

bool cells_targets(struct cells_target *t, struct cells *c)
{
    int n = c->tensor.n;

    t->c = c;
    t->n = n;
    t->now = mem_resize(c->mem, NULL, (size_t)n, sizeof *t->now);
    t->left = mem_zero(c->mem, (size_t)n, sizeof *t->left);
    if (!t->now || !t->left)
        return cells_fail(c, CALQUE_NOMEM, NULL);
    for (int i = 0; i < n; i++)
        t->now[i] = i;
    return c->status == CALQUE_OK;
}

int cells_begin(struct cells *c, int tensor, struct acsl_stmt *s, int *index)
{
    int rank = c->tensor.a[tensor].rank;

    memset(s, 0, sizeof *s);
    s->var0 = c->var.n;
    for (int i = 0; i < rank; i++) {
        int dim = c->tensor.a[tensor].dim[i];
        if (ax_is(c, dim, 1)) {
            index[i] = ax_num(c, 0);
            continue;
        }
        s->var[s->nvar] = cells_var(c, dim);
        index[i] = ax_var(c, s->var[s->nvar++]);
    }
    return rank;
}

static bool loads(const struct cells *c, int id, int tensor)
{
    const struct ac *x;

    if (id < 0)
        return false;
    x = &c->ac.a[id];
    if (x->kind == AC_LOAD)
        return x->op == tensor;
    return loads(c, x->a, tensor) || loads(c, x->b, tensor);
}

static int temporary(struct cells *c, int tensor)
{
    struct acsl_tensor t = c->tensor.a[tensor];

    return cells_tensor(c, "", KERNEL_TEMP, t.elem, t.rank, t.dim);
}

static void add_stmt(struct cells *c, struct acsl_stmt *s)
{
    s->var1 = c->var.n;
    if (c->status != CALQUE_OK)
        return;
    if (!vec_room(c->mem, &c->stmt, 1))
        cells_fail(c, CALQUE_NOMEM, NULL);
    else
        c->stmt.a[c->stmt.n++] = *s;
}

void cells_end(struct cells_target *t, struct acsl_stmt *s, int tensor)
{
    if (s->body < 0 || t->c->status != CALQUE_OK)
        return;
    t->left[tensor]--;
    s->out = t->left[tensor] > 0 || loads(t->c, s->body, tensor) ? temporary(t->c, tensor) : tensor;
    t->now[tensor] = s->out;
    s->body = convert(t->c, s->body, kernel_own(t->c->type), t->c->tensor.a[tensor].elem);
    add_stmt(t->c, s);
}

/* Notes in every fold the selects it stands under: its loads are in bounds there. */
static void guard(struct cells *c, int id, struct ints *stack, int depth)
{
    struct ac x;

    if (id < 0 || c->status != CALQUE_OK)
        return;
    x = c->ac.a[id];
    if (x.kind == AC_SELECT) {
        for (int side = 0; side < 2; side++) {
            if (!ints_push(c->mem, stack, 2 * id + side))
                cells_fail(c, CALQUE_NOMEM, NULL);
            guard(c, side ? x.b : x.a, stack, depth + 1);
            if (c->status == CALQUE_OK)
                stack->n--;
        }
        return;
    }
    if (x.kind == AC_FOLD) {
        c->ac.a[id].first = c->pool.n;
        c->ac.a[id].n = stack->n;
        for (int i = 0; i < stack->n; i++)
            if (!ints_push(c->mem, &c->pool, stack->a[i]))
                cells_fail(c, CALQUE_NOMEM, NULL);
    }
    guard(c, x.a, stack, depth + 1);
    guard(c, x.b, stack, depth + 1);
}

void cells_finish(struct cells_target *t)
{
    struct cells *c = t->c;
    struct ints stack = { 0 };

    if (!c) /* not even begun */
        return;
    for (int i = 0; i < t->n && c->status == CALQUE_OK; i++) {
        struct acsl_stmt s;
        int index[KERNEL_RANK_MAX], rank;
        if (c->tensor.a[i].role != KERNEL_OUT || !t->now || t->now[i] == i)
            continue;
        rank = cells_begin(c, i, &s, index);
        s.out = i;
        s.body = load(c, t->now[i], index, rank);
        t->now[i] = i;
        add_stmt(c, &s);
    }
    for (int i = 0; i < c->stmt.n && c->status == CALQUE_OK; i++)
        guard(c, c->stmt.a[i].body, &stack, 0);
    ints_free(&stack);
    mem_free(t->now);
    mem_free(t->left);
    t->now = t->left = NULL;
}
