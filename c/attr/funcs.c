#include "attr/funcs.h"

/* Argument k of the arguments in tuple x. */
static int argument(struct values vs, int x, int k)
{
    return vs.pool[vs.v[x].first + k];
}

static struct value_step stuck(struct values vs)
{
    struct value_step r = { STEP_STUCK, 0, vs.n, vs.npool };
    return r;
}

/* Is value a one of the elements of tuple t? */
static struct value_step op_in(struct values vs, int a, int t)
{
    int len = vs.v[t].len, first = vs.v[t].first, found = 0;

    for (int k = 0; k < len && !found; k++)
        found = value_same(vs, a, vs.pool[first + k]);
    return value_put(vs, VALUE_BOOL, found);
}

static struct value_step op_reversed(struct values vs, int t)
{
    struct value_step r = { STEP_ROOM, 0, vs.n, vs.npool };
    int len = vs.v[t].len, first = vs.v[t].first;

    if (len > vs.cappool - vs.npool)
        return r;
    for (int k = 0; k < len; k++)
        vs.pool[vs.npool + k] = vs.pool[first + len - 1 - k];
    return value_put_tuple(vs, len);
}

/* A bound of a slice of n elements: `otherwise` when left out, counted from the end when negative, brought into
   lo .. hi. It must be an int or none. */
static long slice_bound(struct values vs, int a, long n, long lo, long hi, long otherwise)
{
    long z = vs.v[a].num;

    if (vs.v[a].kind == VALUE_NONE)
        return otherwise;
    if (z < 0)
        z += n;
    if (z > hi)
        z = hi;
    return z < lo ? lo : z;
}

/* The elements of t at p, p + step, .. before q. */
static struct value_step slice_from(struct values vs, int t, long p, long q, long step)
{
    struct value_step r = { STEP_ROOM, 0, vs.n, vs.npool };
    int first = vs.v[t].first, k = 0;

    while (step > 0 ? p < q : p > q) {
        if (k >= vs.cappool - vs.npool)
            return r;
        vs.pool[vs.npool + k] = vs.pool[first + (int)p];
        k++;
        if (step > 0 ? step >= q - p : step <= q - p)
            break;
        p += step;
    }
    return value_put_tuple(vs, k);
}

static int is_bound(struct values vs, int a)
{
    return vs.v[a].kind == VALUE_NONE || vs.v[a].kind == VALUE_INT;
}

static struct value_step op_slice(struct values vs, int t, int a, int b, int c)
{
    long n = vs.v[t].len, step = vs.v[c].kind == VALUE_NONE ? 1 : vs.v[c].num;

    if (!is_bound(vs, a) || !is_bound(vs, b) || !is_bound(vs, c) || step == 0)
        return stuck(vs);
    if (step > 0)
        return slice_from(vs, t, slice_bound(vs, a, n, 0, n, 0), slice_bound(vs, b, n, 0, n, n), step);
    return slice_from(vs, t, slice_bound(vs, a, n, -1, n - 1, n - 1), slice_bound(vs, b, n, -1, n - 1, -1), step);
}

/* The length of the shortest of the tuples in x, 0 when there are none; -1 when one is no tuple. */
static int zip_length(struct values vs, int x)
{
    int n = vs.v[x].len, m = n ? VALUE_LEN_MAX : 0;

    for (int k = 0; k < n; k++) {
        int a = argument(vs, x, k);

        if (vs.v[a].kind != VALUE_TUPLE)
            return -1;
        if (vs.v[a].len < m)
            m = vs.v[a].len;
    }
    return m;
}

/* The tuple of the elements number j of the tuples in x. */
static struct value_step zip_one(struct values vs, int x, int j)
{
    struct value_step r = { STEP_ROOM, 0, vs.n, vs.npool };
    int n = vs.v[x].len;

    if (n > vs.cappool - vs.npool)
        return r;
    for (int k = 0; k < n; k++)
        vs.pool[vs.npool + k] = argument(vs, argument(vs, x, k), j);
    return value_put_tuple(vs, n);
}

static struct value_step op_zip(struct values vs, int x)
{
    struct value_step r = { STEP_ROOM, 0, vs.n, vs.npool };
    struct values us = vs;
    int m = zip_length(vs, x);

    if (m < 0)
        return stuck(vs);
    for (int j = 0; j < m; j++) {
        r = zip_one(us, x, j);
        if (r.code != STEP_DONE)
            return r;
        us.n = r.n;
        us.npool = r.npool;
    }
    r.code = STEP_ROOM;
    if (m > us.cappool - us.npool)
        return r;
    for (int j = 0; j < m; j++) /* each took one id */
        us.pool[us.npool + j] = vs.n + j;
    return value_put_tuple(us, m);
}

/* The functions of two or four arguments. */
static struct value_step op_several(struct values vs, int op, int x)
{
    int a = argument(vs, x, 0), b = argument(vs, x, 1), c = argument(vs, x, 2);

    if (op == ATTR_SLICE && vs.v[x].len == 4 && vs.v[a].kind == VALUE_TUPLE)
        return op_slice(vs, a, b, c, argument(vs, x, 3));
    if (op == ATTR_RANGE && vs.v[x].len == 3 && vs.v[a].kind == VALUE_INT && vs.v[b].kind == VALUE_INT &&
        vs.v[c].kind == VALUE_INT)
        return attr_op_range(vs, vs.v[a].num, vs.v[b].num, vs.v[c].num);
    return stuck(vs);
}

struct value_step attr_op_func(struct values vs, int op, int x)
{
    int n = vs.v[x].len;

    if (op == ATTR_ZIP)
        return op_zip(vs, x);
    if (op == ATTR_REVERSED && n == 1 && vs.v[argument(vs, x, 0)].kind == VALUE_TUPLE)
        return op_reversed(vs, argument(vs, x, 0));
    if (op == ATTR_IN && n == 2 && vs.v[argument(vs, x, 1)].kind == VALUE_TUPLE)
        return op_in(vs, argument(vs, x, 0), argument(vs, x, 1));
    return n >= 3 ? op_several(vs, op, x) : stuck(vs);
}
