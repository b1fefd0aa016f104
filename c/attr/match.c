#include "attr/match.h"

/* AM_Tuple: children of tuple i against the elements of tuple x, as many. */
static int match_kids(struct attr_view t, struct values vs, int i, int x)
{
    for (int k = 0; k < vs.v[x].len; k++) {
        int c = attr_match_core(t, vs, t.kid[t.node[i].a + k], vs.pool[vs.v[x].first + k]);
        if (c != MATCH_YES)
            return c;
    }
    return MATCH_YES;
}

/* AM_Eval */
static int match_eval(struct attr_view t, struct values vs, int i, int x)
{
    struct value_step r = attr_eval_core(t, vs, 0, i);

    if (r.code == STEP_STUCK)
        return MATCH_NO;
    if (r.code == STEP_ROOM)
        return MATCH_ROOM;
    if (r.code == STEP_LIMIT)
        return MATCH_LIMIT;
    vs.n = r.n;
    vs.npool = r.npool;
    return value_same(vs, r.id, x) ? MATCH_YES : MATCH_NO;
}

int attr_match_core(struct attr_view t, struct values vs, int i, int x)
{
    if (t.node[i].kind == ATTR_ANY) /* AM_Any */
        return MATCH_YES;
    if (t.node[i].kind != ATTR_TUPLE)
        return match_eval(t, vs, i, x);
    if (vs.v[x].kind != VALUE_TUPLE || vs.v[x].len != t.node[i].b)
        return MATCH_NO;
    return match_kids(t, vs, i, x);
}
