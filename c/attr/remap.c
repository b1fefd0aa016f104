#include "attr/remap.h"

#include <string.h>

#include "base/strs.h"

/* Appends the int z, to stand at pool[npool + k]. */
static struct value_step put_position(struct values vs, int k, long z)
{
    struct value_step r = { STEP_ROOM, 0, vs.n, vs.npool };

    if (k >= vs.cappool - vs.npool)
        return r;
    r = value_put(vs, VALUE_INT, z);
    if (r.code == STEP_DONE)
        vs.pool[vs.npool + k] = r.id;
    return r;
}

static struct value_step remap(struct values vs, int from, int to)
{
    struct value_step r = { STEP_STUCK, 0, vs.n, vs.npool };
    struct values us = vs;
    const char *s = strs_text(vs.strs, from), *t = strs_text(vs.strs, to), *at;
    int n = strs_len(vs.strs, from), m = strs_len(vs.strs, to);

    for (int k = 0; k < m; k++) {
        at = n ? memchr(s, t[k], (size_t)n) : NULL;
        if (!at) {
            r.code = STEP_STUCK;
            return r;
        }
        r = put_position(us, k, at - s);
        if (r.code != STEP_DONE)
            return r;
        us.n = r.n;
    }
    return value_put_tuple(us, m);
}

struct value_step attr_op_remap(struct values vs, int x)
{
    struct value_step r = { STEP_STUCK, 0, vs.n, vs.npool };
    const int *arg = vs.pool + vs.v[x].first;

    if (vs.v[x].len != 2 || vs.v[arg[0]].kind != VALUE_STR || vs.v[arg[1]].kind != VALUE_STR)
        return r;
    if (!vs.strs) {
        r.code = STEP_LIMIT;
        return r;
    }
    return remap(vs, (int)vs.v[arg[0]].num, (int)vs.v[arg[1]].num);
}
