#include "attr/match_var.h"

/* Expression i against the int z. */
static int match_int(struct attr_view t, struct values vs, int i, long z)
{
    struct values us = vs;
    struct value_step r = value_put(vs, VALUE_INT, z);

    if (r.code != STEP_DONE)
        return MATCH_ROOM;
    us.n = r.n;
    return attr_match_core(t, us, i, r.id);
}

/* The body of var i, where its symbol is k, against value x; the symbol is left bound. */
static int match_body(struct attr_view t, struct values vs, int i, int k, int x)
{
    struct values us = vs;
    struct value_step r = value_put(vs, VALUE_INT, k);

    if (r.code != STEP_DONE)
        return MATCH_ROOM;
    us.n = r.n;
    t.symbol[t.node[i].op] = (unsigned long)r.id + 1;
    return attr_match_core(t, us, t.node[i].b, x);
}

static int match_bodies(struct attr_view t, struct values vs, int i, int x)
{
    int len = vs.v[x].len, first = vs.v[x].first, c;

    for (int k = 0; k < len; k++) {
        c = match_body(t, vs, i, k, vs.pool[first + k]);
        if (c != MATCH_YES)
            return c;
    }
    return MATCH_YES;
}

int attr_match_var(struct attr_view t, struct values vs, int i, int x)
{
    int s = t.node[i].op, c;
    unsigned long old;

    if (vs.v[x].kind != VALUE_TUPLE || vs.v[x].len > ATTR_COUNT_MAX)
        return MATCH_NO;
    if (s >= t.nsymbol)
        return MATCH_LIMIT;
    c = match_int(t, vs, t.node[i].a, vs.v[x].len);
    if (c != MATCH_YES)
        return c;
    old = t.symbol[s];
    c = match_bodies(t, vs, i, x);
    t.symbol[s] = old;
    return c;
}
