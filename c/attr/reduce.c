#include "attr/reduce.h"

/* What the reduction starts from; stuck: amin and amax of the empty tuple. */
static struct value_step reduce_start(struct values vs, int op, int x)
{
    struct value_step r = { STEP_STUCK, 0, vs.n, vs.npool };

    switch (op) {
    case ATTR_SUM:
        return value_put(vs, VALUE_INT, 0);
    case ATTR_PROD:
        return value_put(vs, VALUE_INT, 1);
    case ATTR_ALL:
        return value_put(vs, VALUE_BOOL, 1);
    case ATTR_EXISTS:
        return value_put(vs, VALUE_BOOL, 0);
    case ATTR_CONCAT:
        return value_put_tuple(vs, 0);
    default: /* ATTR_AMIN, ATTR_AMAX */
        if (vs.v[x].len > 0) {
            r.code = STEP_DONE;
            r.id = vs.pool[vs.v[x].first];
        }
        return r;
    }
}

/* The operation of each step. */
static int reduce_op(int op)
{
    switch (op) {
    case ATTR_SUM:
    case ATTR_CONCAT:
        return ATTR_ADD;
    case ATTR_PROD:
        return ATTR_MUL;
    case ATTR_AMIN:
        return ATTR_MIN;
    case ATTR_AMAX:
        return ATTR_MAX;
    case ATTR_ALL:
        return ATTR_AND;
    default:
        return ATTR_OR;
    }
}

/* From the first k elements to all. */
static struct value_step reduce_all(struct values vs, int op, int x, struct value_step start)
{
    struct value_step r = start;
    struct values us = vs;
    int len = vs.v[x].len;

    us.n = r.n;
    us.npool = r.npool;
    for (int k = 0; k < len; k++) {
        r = attr_op_binary(us, op, r.id, us.pool[us.v[x].first + k]);
        if (r.code != STEP_DONE)
            return r;
        us.n = r.n;
        us.npool = r.npool;
    }
    return r;
}

struct value_step attr_op_reduce(struct values vs, int op, int x)
{
    struct value_step r = { STEP_STUCK, 0, vs.n, vs.npool };

    if (vs.v[x].kind != VALUE_TUPLE)
        return r;
    r = reduce_start(vs, op, x);
    if (r.code != STEP_DONE)
        return r;
    return reduce_all(vs, reduce_op(op), x, r);
}
