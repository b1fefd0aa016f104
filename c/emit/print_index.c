/* Index expressions of emitted C. */
#include "emit/minic.h"

#include <limits.h>
#include <stdio.h>

void print_to_helper(struct printer *q, const char *stem, const char *sfx)
{
    text_puts(q->t, print_helper(stem, sfx, &q->used));
}

static const struct {
    const char *op;
    int prec, right; /* of the result; of the right operand */
} cix_form[] = {
    [CIX_ADD] = { " + ", 1, 1 }, [CIX_SUB] = { " - ", 1, 2 }, [CIX_MUL] = { " * ", 2, 2 }, [CIX_DIV] = { " / ", 2, 3 },
    [CIX_MOD] = { " % ", 2, 3 },
};

static void put_cix(struct printer *q, int id, int prec, int depth);

void print_size(struct text *t, const struct prog *p, long n)
{
    size_print(t, p, n, print_size_var);
}

static void put_size(struct printer *q, long n, int prec)
{
    const struct prog *p = q->m->code->prog;
    bool product = n < 0 && p->size.poly.a[-1 - n].n == 1;
    bool bracket = !size_is_atom(p, n) && prec > (product ? 2 : 1);

    text_puts(q->t, bracket ? "(" : "");
    print_size(q->t, p, n);
    text_puts(q->t, bracket ? ")" : "");
}

/* After a in a listing: [b] or a field. */
static void put_step(struct printer *q, const struct cix *x, int depth)
{
    put_cix(q, x->a, 0, depth);
    text_puts(q->t, x->kind == CIX_SUB1 ? "[" : x->kind == CIX_X1 ? ".x1" : ".x2");
    if (x->kind == CIX_SUB1) {
        put_cix(q, x->b, 0, depth);
        text_puts(q->t, "]");
    }
}

/* prec: 1 sums, 2 products, 3 a divisor. */
static void put_cix(struct printer *q, int id, int prec, int depth)
{
    const struct cix *x = &q->m->cix.a[id];

    if (depth > 2 * EXP_DEPTH_MAX) {
        q->t->failed = true;
        return;
    }
    depth++;
    switch (x->kind) {
    case CIX_PLACE:
        break;
    case CIX_LEVEL:
        print_var(q, (int)x->k);
        break;
    case CIX_SIZE:
        put_size(q, x->k, prec);
        break;
    case CIX_NUMBER:
        text_printf(q->t, prec > 1 ? "(%ld)" : "%ld", x->k);
        break;
    case CIX_FDIV: case CIX_FMOD:
        print_to_helper(q, x->kind == CIX_FDIV ? "div" : "mod", "index");
        text_puts(q->t, "(");
        put_cix(q, x->a, 0, depth);
        text_puts(q->t, ", ");
        put_cix(q, x->b, 0, depth);
        text_puts(q->t, ")");
        break;
    case CIX_SUB1: case CIX_X1: case CIX_X2:
        put_step(q, x, depth);
        break;
    default:
        text_puts(q->t, cix_form[x->kind].prec < prec ? "(" : "");
        put_cix(q, x->a, cix_form[x->kind].prec, depth);
        text_puts(q->t, cix_form[x->kind].op);
        put_cix(q, x->b, cix_form[x->kind].right, depth);
        text_puts(q->t, cix_form[x->kind].prec < prec ? ")" : "");
    }
}

void print_place(struct printer *q, int id)
{
    text_puts(q->t, q->m->listing ? "" : "[");
    print_lin(q, id);
    text_puts(q->t, q->m->listing ? "" : "]");
}

/* The dimensions of an array type; its element. */
static int put_dims(const struct printer *q, struct text *t, int type)
{
    const struct prog *p = q->m->code->prog;

    for (; p->data.a[type].kind == DATA_ARY; type = p->data.a[type].a) {
        text_puts(t, "[");
        print_size(t, p, p->data.a[type].n);
        text_puts(t, "]");
    }
    return type;
}

/* float name[n], struct { float x1; float x2; } name[n] */
static void put_typed(struct printer *q, int type, const char *name, int depth)
{
    const struct prog *p = q->m->code->prog;
    struct text dims;
    int elem;

    text_init(&dims, q->t->mem);
    elem = put_dims(q, &dims, type);
    if (p->data.a[elem].kind == DATA_NUM || depth > EXP_DEPTH_MAX) {
        text_puts(q->t, print_type(p->scalar));
    } else {
        text_puts(q->t, "struct { ");
        put_typed(q, p->data.a[elem].a, "x1", depth + 1);
        text_puts(q->t, "; ");
        put_typed(q, p->data.a[elem].b, "x2", depth + 1);
        text_puts(q->t, "; }");
    }
    text_printf(q->t, " %s%s", name, dims.a ? dims.a : "");
    q->t->failed = q->t->failed || dims.failed;
    text_free(&dims);
}

void print_declaration(struct printer *q, int level)
{
    char name[24];

    snprintf(name, sizeof name, "v%d", q->m->number ? q->m->number[level] : level);
    put_typed(q, q->m->code->level.a[level].type, name, 0);
}

static void put_atom(struct printer *q, const struct atom *a)
{
    bool plain;

    if (a->kind == ATOM_VAR) {
        print_var(q, a->var);
        return;
    }
    plain = q->m->lins.lin.a[a->lin].lo >= 0;
    if (plain) {
        text_puts(q->t, "((");
        print_lin(q, a->lin);
        text_printf(q->t, ") %s %ld)", a->kind == ATOM_DIV ? "/" : "%", a->k);
    } else {
        print_to_helper(q, a->kind == ATOM_DIV ? "div" : "mod", "index");
        text_puts(q->t, "(");
        print_lin(q, a->lin);
        text_printf(q->t, ", %ld)", a->k);
    }
}

/* The atoms with coefficient c, as c * (a + b). */
static void put_group(struct printer *q, const struct lin *x, long c)
{
    const struct term *t = q->m->lins.term.a + x->first;
    int n = 0, k = 0;
    long c_abs = c < 0 ? -c : c;

    for (int i = 0; i < x->n; i++)
        n += t[i].c == c;
    if (c_abs != 1)
        text_printf(q->t, "%ld * ", c_abs);
    if (n > 1 && c != 1)
        text_puts(q->t, "(");
    for (int i = 0; i < x->n; i++)
        if (t[i].c == c) {
            text_puts(q->t, k++ ? " + " : "");
            put_atom(q, &q->m->lins.atom.a[t[i].atom]);
        }
    if (n > 1 && c != 1)
        text_puts(q->t, ")");
}

/* Groups by decreasing coefficient, then the constant. */
void print_lin(struct printer *q, int id)
{
    struct lin x;
    bool first = true, leading;
    long last = LONG_MAX;

    if (q->m->plain) {
        put_cix(q, id, 0, 0);
        return;
    }
    x = q->m->lins.lin.a[id];
    leading = x.k > 0;
    for (int i = 0; i < x.n; i++)
        leading = leading && q->m->lins.term.a[x.first + i].c < 0;
    if (leading) { /* 1 - i rather than -i + 1 */
        text_printf(q->t, "%ld", x.k);
        first = false;
    }
    for (;;) {
        long c = LONG_MIN;
        for (int i = 0; i < x.n; i++) {
            long k = q->m->lins.term.a[x.first + i].c;
            if (k < last && k > c)
                c = k;
        }
        if (c == LONG_MIN)
            break;
        if (c < 0 || !first)
            text_puts(q->t, first ? "-" : c < 0 ? " - " : " + ");
        put_group(q, &x, c);
        first = false;
        last = c;
    }
    if (first)
        text_printf(q->t, "%ld", x.k);
    else if (x.k != 0 && !leading)
        text_printf(q->t, " %c %ld", x.k < 0 ? '-' : '+', x.k < 0 ? -x.k : x.k);
}
