#include "attr/funcs.h"

#include <limits.h>

/* Is there an element at z? */
static int before(long z, long hi, long step)
{
    return step > 0 ? z < hi : z > hi;
}

/* Would z + step leave int64? Then there is no element behind z. */
static int at_end(long z, long step)
{
    return step > 0 ? z > LONG_MAX - step : z < LONG_MIN - step;
}

/* Appends int z and writes it to pool[npool + k]. */
static struct value_step range_put(struct values vs, long z, int k)
{
    struct value_step r = { STEP_ROOM, 0, vs.n, vs.npool };

    if (k >= vs.cappool - vs.npool)
        return r;
    r = value_put(vs, VALUE_INT, z);
    if (r.code == STEP_DONE)
        vs.pool[vs.npool + k] = r.id;
    return r;
}

struct value_step attr_op_range(struct values vs, long lo, long hi, long step)
{
    struct value_step r = { STEP_STUCK, 0, vs.n, vs.npool };
    struct values us = vs;
    int k = 0, more = before(lo, hi, step);
    long z = lo;

    if (step == 0)
        return r;
    while (more) {
        if (k >= ATTR_COUNT_MAX) {
            r.code = STEP_STUCK;
            return r;
        }
        r = range_put(us, z, k);
        if (r.code != STEP_DONE)
            return r;
        us.n = r.n;
        k++;
        more = !at_end(z, step);
        if (more) {
            z += step;
            more = before(z, hi, step);
        }
    }
    return value_put_tuple(us, k);
}
