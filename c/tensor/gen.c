/* Kernel text from affine index expressions that simplify themselves. Invariant: an expression has the value it is
   made of wherever its variables are in their ranges. */
#include "tensor/gen.h"

#include "base/arith.h"

#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include "tensor/op.h"

static const char *const plain[RANK_MAX] = {"i", "j", "k", "l", "m", "n", "o", "p"};
const char *const gen_reduced[RANK_MAX] = {"a", "b", "c", "d", "e", "f", "g", "h"};

const char *const *gen_spatial(int n)
{
    static const char *const few[] = {"z", "y", "x"};
    static const char *const many[] = {"p0", "p1", "p2", "p3", "p4", "p5", "p6", "p7"};
    return n <= 3 ? few + 3 - n : many;
}

const char *const *gen_window(int n)
{
    static const char *const few[] = {"u", "v", "w"};
    static const char *const many[] = {"q0", "q1", "q2", "q3", "q4", "q5", "q6", "q7"};
    return n <= 3 ? few : many;
}

struct ixs ix_const(long k)
{
    return (struct ixs){.k = k};
}

static struct ixs ix_atom(const char *atom, bool compound, long lo, long hi)
{
    struct ixs a = {.n = 1};
    size_t n = strlen(atom);
    bool fits = n < IX_ATOM; /* it always does; if not, the kernel is not parsed rather than wrong */
    memcpy(a.term[0].atom, fits ? atom : "?", fits ? n + 1 : 2);
    a.term[0].compound = compound;
    a.term[0].coef = 1;
    a.term[0].lo = lo;
    a.term[0].hi = hi;
    return a;
}

struct ixs ix_var(const char *name, long extent)
{
    return ix_atom(name, false, 0, extent > 0 ? extent - 1 : 0);
}

struct ixs ix_bound(const char *name, long extent)
{
    return extent <= 1 ? ix_const(0) : ix_var(name, extent);
}

void ix_range(const struct ixs *a, long *lo, long *hi)
{
    *lo = *hi = a->k;
    for (int i = 0; i < a->n; i++) {
        const struct ix_term *t = &a->term[i];
        *lo += t->coef * (t->coef > 0 ? t->lo : t->hi);
        *hi += t->coef * (t->coef > 0 ? t->hi : t->lo);
    }
}

/* Drops terms of one value into the constant: `a` is part of a larger expression. */
static struct ixs settled(const struct ixs *a)
{
    struct ixs r = ix_const(a->k);

    for (int i = 0; i < a->n; i++)
        if (a->term[i].lo == a->term[i].hi)
            r.k += a->term[i].coef * a->term[i].lo;
        else
            r.term[r.n++] = a->term[i];
    return r;
}

struct ixs ix_plus(const struct ixs *a, long k)
{
    struct ixs r = k ? settled(a) : *a;
    r.k += k;
    return r;
}

struct ixs ix_add(const struct ixs *a, const struct ixs *b)
{
    struct ixs p = settled(a), q = settled(b);

    if (q.n == 0)
        return ix_plus(a, q.k);
    if (p.n == 0)
        return ix_plus(b, p.k);
    if (p.n + q.n > IX_TERMS)
        return ix_atom("?", true, 0, 1); /* at most the output's variables and one reduction's: not reached */
    for (int i = 0; i < q.n; i++)
        p.term[p.n++] = q.term[i];
    p.k += q.k;
    return p;
}

struct ixs ix_mul(const struct ixs *a, long m)
{
    struct ixs r;

    if (m == 1)
        return *a;
    r = m ? settled(a) : ix_const(0);
    r.k *= m;
    for (int i = 0; i < r.n; i++)
        r.term[i].coef *= m;
    return r;
}

struct ixs ix_row_major(const struct ixs *at, const long *dim, int n)
{
    struct ixs r = ix_const(0);

    for (int i = 0; i < n; i++) {
        r = ix_mul(&r, dim[i]);
        r = ix_add(&r, &at[i]);
    }
    return r;
}

static void ix_print(char *s, size_t size, const struct ixs *a)
{
    size_t at = 0;
    bool first = true;

    s[0] = '\0';
    if (a->n == 0 || a->term[0].coef < 0) { /* a text must not begin with a minus */
        at += (size_t)snprintf(s, size, "%ld", a->k);
        first = false;
    }
    for (int i = 0; i < a->n && at < size; i++, first = false) {
        const struct ix_term *t = &a->term[i];
        long c = t->coef < 0 ? -t->coef : t->coef;
        at += (size_t)snprintf(s + at, size - at, "%s", t->coef < 0 ? "-" : first ? "" : "+");
        if (at < size)
            at += (size_t)snprintf(s + at, size - at, "%s", t->atom);
        if (at < size && c != 1)
            at += (size_t)snprintf(s + at, size - at, "*%ld", c);
    }
    if (a->n > 0 && a->term[0].coef > 0 && a->k != 0 && at < size)
        at += (size_t)snprintf(s + at, size - at, "%+ld", a->k);
    if (at >= size)
        memcpy(s, "?", 2);
}

/* Quotient or remainder of what stays after the multiples of d are taken out. */
static struct ixs divided(const struct ixs *rest, const char *op, long d)
{
    char inner[IX_TEXT], atom[IX_TEXT + 40];
    long lo, hi;

    ix_range(rest, &lo, &hi);
    ix_print(inner, sizeof inner, rest);
    snprintf(atom, sizeof atom, rest->n == 1 && rest->k == 0 && rest->term[0].coef == 1 ? "%s%s%ld" : "(%s)%s%ld",
             inner, op, d);
    if (op[0] == '/')
        return ix_atom(atom, true, floor_div(lo, d), floor_div(hi, d));
    return ix_atom(atom, true, 0, d - 1);
}

/* a = d * whole + rest, rest.k in 0..d-1. */
static void split(const struct ixs *a, long d, struct ixs *whole, struct ixs *rest)
{
    struct ixs s = settled(a);

    *whole = ix_const(floor_div(s.k, d));
    *rest = ix_const(s.k - whole->k * d);
    for (int i = 0; i < s.n; i++)
        if (s.term[i].coef % d == 0) {
            whole->term[whole->n] = s.term[i];
            whole->term[whole->n++].coef /= d;
        } else {
            rest->term[rest->n++] = s.term[i];
        }
}

struct ixs ix_div(const struct ixs *a, long d)
{
    struct ixs whole, rest;
    long lo, hi;

    if (d == 1)
        return *a;
    split(a, d, &whole, &rest);
    ix_range(&rest, &lo, &hi);
    if (floor_div(lo, d) == floor_div(hi, d))
        return ix_plus(&whole, floor_div(lo, d));
    rest = divided(&rest, "//", d);
    return ix_add(&whole, &rest);
}

struct ixs ix_mod(const struct ixs *a, long d)
{
    struct ixs whole, rest;
    long lo, hi;

    ix_range(a, &lo, &hi);
    if (lo >= 0 && hi < d)
        return *a;
    split(a, d, &whole, &rest);
    ix_range(&rest, &lo, &hi);
    if (floor_div(lo, d) == floor_div(hi, d))
        return ix_plus(&rest, -floor_div(lo, d) * d);
    return divided(&rest, "%", d);
}

enum calque_status gen_bad(struct gen *x, const char *format, ...)
{
    va_list ap;

    va_start(ap, format);
    node_verror(x->g, x->node, x->d, CALQUE_BAD, format, ap);
    va_end(ap);
    return CALQUE_BAD;
}

bool gen_has(const struct gen *x, int k)
{
    return graph_in(x->g, x->node, k) >= 0;
}

const struct shape *gen_in(const struct gen *x, int k)
{
    return &x->g->node.a[graph_in(x->g, x->node, k)].shape;
}

/* The stored type of X2 or Y0 where it is not the type the kernel computes on. */
static void put_elem(struct gen *x, char tensor, int number)
{
    int own = dtype_elem(x->dtype), elem = own, dtype;
    struct shape shape;

    if (tensor == 'X')
        elem = dtype_elem(x->g->node.a[graph_in(x->g, x->node, number)].dtype);
    else if (tensor == 'Y' && node_output_type(x->g, x->node, number, &dtype, &shape) == CALQUE_OK)
        elem = dtype_elem(dtype);
    if (elem != own && elem != ELEM_OWN)
        text_printf(x->t, ":%s", elem_name(elem));
}

void gen_tensor(struct gen *x, char tensor, int number, const struct shape *s)
{
    text_printf(x->t, "%c%d<", tensor, number);
    for (int i = 0; i < s->rank; i++)
        text_printf(x->t, i ? ",%ld" : "%ld", s->dim[i]);
    text_puts(x->t, s->rank == 0 ? "1" : "");
    put_elem(x, tensor, number);
    text_puts(x->t, ">");
}

void gen_store(struct gen *x, char tensor, int number, const struct shape *s,
               const char *const *names)
{
    gen_tensor(x, tensor, number, s);
    for (int i = 0; i < s->rank; i++) {
        x->var[i] = ix_var((names ? names : plain)[i], s->dim[i]);
        text_printf(x->t, i ? ",%s" : "[%s", x->var[i].term[0].atom);
    }
    text_puts(x->t, s->rank ? "] = " : " = ");
}

void gen_end(struct gen *x)
{
    text_puts(x->t, ";\n");
}

void gen_ix(struct gen *x, const struct ixs *at)
{
    char s[IX_TEXT];
    ix_print(s, sizeof s, at);
    text_puts(x->t, s);
}

void gen_load(struct gen *x, char tensor, int number, const struct shape *s, const struct ixs *at)
{
    gen_tensor(x, tensor, number, s);
    for (int i = 0; i < s->rank; i++) {
        text_puts(x->t, i ? "," : "[");
        gen_ix(x, &at[i]);
    }
    if (s->rank)
        text_puts(x->t, "]");
}

void gen_spread(struct gen *x, int k)
{
    const struct shape *s = gen_in(x, k);
    struct ixs at[RANK_MAX];

    for (int i = 0; i < s->rank; i++) {
        int j = i + x->out.rank - s->rank;
        at[i] = s->dim[i] == x->out.dim[j] ? x->var[j] : ix_const(0);
    }
    gen_load(x, 'X', k, s, at);
}

void gen_int(struct gen *x, long v)
{
    if (v == LONG_MIN) /* its digits would not fit; -inf is the least integer */
        text_puts(x->t, "-inf");
    else
        text_printf(x->t, "%ld", v);
}

void gen_num(struct gen *x, double v)
{
    bool narrow = x->dtype == DTYPE_I32;
    double end = narrow ? 0x1p31 : 0x1p63;

    if (dtype_is_byte(x->stored)) { /* a number of the type that is stored */
        double lo = x->stored == DTYPE_I8 ? INT8_MIN : 0, hi = x->stored == DTYPE_I8 ? INT8_MAX : UINT8_MAX;
        v = isnan(v) ? 0 : v < lo ? lo : v > hi ? hi : v;
    }
    if (dtype_is_int(x->dtype))
        gen_int(x, v >= end ? narrow ? INT32_MAX : LONG_MAX : v <= -end ? LONG_MIN : isnan(v) ? 0 : (long)v);
    else
        text_hex(x->t, x->dtype == DTYPE_F32 ? (double)(float)v : v);
}

enum gen_reduction gen_reduce(struct gen *x, const char *op, const char *const *names,
                              const long *extent, int n)
{
    bool open = false;

    for (int i = 0; i < n; i++)
        if (extent[i] == 0)
            return REDUCE_NONE;
    for (int i = 0; i < n; i++)
        if (extent[i] > 1) {
            text_printf(x->t, "%s%s%s<%ld", open ? "" : op, open ? "," : "(", names[i],
                        extent[i]);
            open = true;
        }
    if (open)
        text_puts(x->t, ") ");
    return open ? REDUCE_MANY : REDUCE_ONE;
}

enum gen_guard gen_guard(struct gen *x, const struct ixs *at, const long *dim, int n)
{
    bool open = false;
    long lo, hi;

    for (int i = 0; i < n; i++) {
        ix_range(&at[i], &lo, &hi);
        if (hi < 0 || lo >= dim[i])
            return GUARD_NEVER;
    }
    for (int i = 0; i < n; i++) {
        ix_range(&at[i], &lo, &hi);
        for (int side = 0; side < 2; side++) {
            if (side ? hi < dim[i] : lo >= 0)
                continue;
            text_puts(x->t, open ? " && " : "select(");
            gen_ix(x, &at[i]);
            text_printf(x->t, side ? " < %ld" : " >= %ld", side ? dim[i] : 0L);
            open = true;
        }
    }
    if (open)
        text_puts(x->t, ", ");
    return open ? GUARD_SOME : GUARD_NONE;
}

/* Random tensors: they depend on the seed only. Inputs that index are below the dimension they index. */

static unsigned long mix(unsigned long *s)
{
    unsigned long z = (*s += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

/* Integers are 0 .. below - 1, of the top bits; below is at most RANDOM_BELOW. */
static enum calque_status fill(struct tensor *t, unsigned long below, unsigned long *seed, struct diag *d)
{
    long n = shape_elems(&t->shape);

    for (long k = 0; k < n; k++)
        switch (t->dtype) {
        case DTYPE_F32: tensor_f32(t)[k] = (float)(mix(seed) >> 40) * 0x1p-23f - 1.0f; break;
        case DTYPE_F64: ((double *)t->data)[k] = (double)(mix(seed) >> 11) * 0x1p-52 - 1.0; break;
        case DTYPE_I32: ((int32_t *)t->data)[k] = (int32_t)((mix(seed) >> 62) % below); break;
        case DTYPE_I8: case DTYPE_U8: /* all of them, but what indexes */
            ((unsigned char *)t->data)[k] = (unsigned char)(below < RANDOM_BELOW ? (mix(seed) >> 62) % below : mix(seed) >> 56);
            break;
        case DTYPE_BOOL: ((unsigned char *)t->data)[k] = (unsigned char)(mix(seed) >> 63); break;
        case DTYPE_I64: tensor_i64(t)[k] = (long)((mix(seed) >> 62) % below); break;
        default:
            return diag_set(d, CALQUE_BAD, "", 0, 0, "element type %s cannot be generated", dtype_name(t->dtype));
        }
    return CALQUE_OK;
}

enum calque_status tensor_random(struct tensor *t, unsigned long *seed, struct diag *d)
{
    return fill(t, RANDOM_BELOW, seed, d);
}

/* The least dimension that the elements of an input index, as they are or after a move; RANDOM_BELOW if there is none less. `moved`
   has a mark for each node. */
static long indexed(const struct graph *g, int input, char *moved)
{
    long least = RANDOM_BELOW;

    moved[input] = 1;
    for (int i = 0; i < g->node.n; i++) {
        const struct node *x = &g->node.a[i];
        bool first = x->nin > 0 && graph_in(g, i, 0) >= 0 && moved[graph_in(g, i, 0)];
        if (x->kind != NODE_OP)
            continue;
        if (x->op == OP_Gather && x->nin == 2 && graph_in(g, i, 1) >= 0 && moved[graph_in(g, i, 1)]) {
            const struct shape *s = &g->node.a[graph_in(g, i, 0)].shape;
            long axis = graph_attr_int(g, i, "axis", 0);
            if (axis >= 0 && axis < s->rank && s->dim[axis] > 0 && s->dim[axis] < least)
                least = s->dim[axis];
        }
        if (first && (x->op == OP_Identity || x->op == OP_Reshape || x->op == OP_Flatten || x->op == OP_Unsqueeze ||
                      x->op == OP_Squeeze || x->op == OP_Transpose || x->op == OP_Slice || x->op == OP_Expand || x->op == OP_Cast))
            moved[i] = 1;
    }
    return least;
}

enum calque_status graph_random(const struct graph *g, int k, struct tensor *t, unsigned long *seed, struct diag *d)
{
    char *moved = mem_zero(g->mem, (size_t)g->node.n, 1);
    enum calque_status st;

    if (!moved)
        return diag_nomem(d);
    st = fill(t, (unsigned long)indexed(g, g->input.a[k], moved), seed, d);
    mem_free(moved);
    return st;
}
