#include "attr/value.h"

#include <string.h>

#include "attr/value_make.h"
#include "base/strs.h"
#include "base/text.h"

void values_init(struct values *vs, struct mem *mem)
{
    memset(vs, 0, sizeof *vs);
    vs->mem = mem;
}

void values_free(struct values *vs)
{
    mem_free(vs->v);
    mem_free(vs->pool);
    mem_free(vs->stack);
    mem_free(vs->symbol);
    values_init(vs, vs->mem);
}

/* Room for `values` more values and `elems` more elements. */
static bool room(struct values *vs, int values, int elems)
{
    if (vs->n > VALUE_ARENA_MAX - values || vs->npool > VALUE_ARENA_MAX - elems)
        return false;
    return (vs->cap - vs->n >= values ||
            mem_grow(vs->mem, (void **)(void *)&vs->v, &vs->cap, vs->n + values,
                     sizeof *vs->v)) &&
           (vs->cappool - vs->npool >= elems ||
            mem_grow(vs->mem, (void **)(void *)&vs->pool, &vs->cappool, vs->npool + elems,
                     sizeof *vs->pool));
}

bool values_enlarge(struct values *vs)
{
    if (vs->cap >= VALUE_ARENA_MAX || vs->cappool >= VALUE_ARENA_MAX ||
        vs->capstack >= VALUE_ARENA_MAX)
        return false;
    return mem_grow(vs->mem, (void **)(void *)&vs->v, &vs->cap, vs->cap + 8, sizeof *vs->v) &&
           mem_grow(vs->mem, (void **)(void *)&vs->pool, &vs->cappool, vs->cappool + 8,
                    sizeof *vs->pool) &&
           mem_grow(vs->mem, (void **)(void *)&vs->stack, &vs->capstack, vs->capstack + 8,
                    sizeof *vs->stack);
}

/* Takes over what the core appended: the id, or -1. */
static int done(struct values *vs, struct value_step r)
{
    if (r.code != STEP_DONE)
        return -1;
    vs->n = r.n;
    vs->npool = r.npool;
    return r.id;
}

static int scalar(struct values *vs, int kind, long num)
{
    return room(vs, 1, 0) ? done(vs, value_put(*vs, kind, num)) : -1;
}

int value_none(struct values *vs)
{
    return scalar(vs, VALUE_NONE, 0);
}

int value_bool(struct values *vs, bool b)
{
    return scalar(vs, VALUE_BOOL, b);
}

int value_int(struct values *vs, long z)
{
    return scalar(vs, VALUE_INT, z);
}

int value_float(struct values *vs, double x)
{
    long bits;

    memcpy(&bits, &x, sizeof bits);
    return scalar(vs, VALUE_FLOAT, bits);
}

int value_str(struct values *vs, int str_id)
{
    return str_id < 0 ? -1 : scalar(vs, VALUE_STR, str_id);
}

int value_tuple(struct values *vs, const int *elems, int n)
{
    if (n < 0 || n > VALUE_LEN_MAX || !room(vs, 1, n))
        return -1;
    return done(vs, value_put_elems(*vs, elems, n));
}

int value_ints(struct values *vs, const long *x, int n)
{
    int first = vs->n, id;

    if (n < 0 || n > VALUE_LEN_MAX || !room(vs, n + 1, n))
        return -1;
    for (int k = 0; k < n; k++) {
        vs->pool[vs->npool + k] = vs->n;
        done(vs, value_put(*vs, VALUE_INT, x[k]));
    }
    id = done(vs, value_put_tuple(*vs, n));
    if (id < 0)
        vs->n = first;
    return id;
}

bool value_equal(const struct values *vs, int a, int b)
{
    return value_same(*vs, a, b) != 0;
}

double value_real(const struct values *vs, int id)
{
    double x;

    memcpy(&x, &vs->v[id].num, sizeof x);
    return x;
}

/* Recursion is bounded by VALUE_DEPTH_MAX. */
void value_print(struct text *t, const struct values *vs, const struct strs *strs, int id)
{
    const struct value *v = &vs->v[id];

    switch (v->kind) {
    case VALUE_NONE:
        text_puts(t, "none");
        break;
    case VALUE_BOOL:
        text_puts(t, v->num ? "true" : "false");
        break;
    case VALUE_INT:
        text_printf(t, "%ld", v->num);
        break;
    case VALUE_FLOAT:
        text_hex(t, value_real(vs, id));
        break;
    case VALUE_STR:
        text_quote(t, strs_text(strs, (int)v->num), (size_t)strs_len(strs, (int)v->num));
        break;
    default:
        text_puts(t, "(tuple");
        for (int k = 0; k < v->len; k++) {
            text_puts(t, " ");
            value_print(t, vs, strs, vs->pool[v->first + k]);
        }
        text_puts(t, ")");
    }
}
