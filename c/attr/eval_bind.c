#include "attr/eval_bind.h"

#include "attr/eval_tuple.h"
#include "attr/funcs.h"

/* The values of the body of node i with its symbol bound to each element of tuple w, to stack[sp ..]; the symbol is
   left bound. */
static struct value_step eval_bodies(struct attr_view t, struct values vs, int sp, int i, int w)
{
    struct value_step r = { STEP_DONE, 0, vs.n, vs.npool };
    struct values us = vs;
    int len = vs.v[w].len;

    for (int k = 0; k < len; k++) {
        t.symbol[t.node[i].op] = (unsigned long)us.pool[us.v[w].first + k] + 1;
        r = attr_eval_core(t, us, sp + k, t.node[i].b);
        if (r.code != STEP_DONE)
            return r;
        vs.stack[sp + k] = (unsigned)r.id;
        us.n = r.n;
        us.npool = r.npool;
    }
    return r;
}

/* The tuple of the values of the body of node i for the elements of tuple w. */
static struct value_step eval_family(struct attr_view t, struct values vs, int sp, int i, int w)
{
    struct value_step r = { STEP_LIMIT, 0, vs.n, vs.npool };
    struct values us = vs;
    int s = t.node[i].op;
    unsigned long old;

    if (s >= t.nsymbol)
        return r;
    r.code = STEP_ROOM;
    if (vs.v[w].len > vs.capstack - sp)
        return r;
    old = t.symbol[s];
    r = eval_bodies(t, vs, sp, i, w);
    t.symbol[s] = old;
    if (r.code != STEP_DONE)
        return r;
    us.n = r.n;
    us.npool = r.npool;
    return attr_stack_tuple(t, us, sp, vs.v[w].len);
}

struct value_step attr_eval_map(struct attr_view t, struct values vs, int sp, int i)
{
    struct values us = vs;
    struct value_step w = attr_eval_core(t, vs, sp, t.node[i].a);

    if (w.code != STEP_DONE)
        return w;
    us.n = w.n;
    us.npool = w.npool;
    if (us.v[w.id].kind != VALUE_TUPLE) {
        w.code = STEP_STUCK;
        return w;
    }
    return eval_family(t, us, sp, i, w.id);
}

struct value_step attr_eval_var(struct attr_view t, struct values vs, int sp, int i)
{
    struct values us = vs;
    struct value_step w = attr_eval_core(t, vs, sp, t.node[i].a);

    if (w.code != STEP_DONE)
        return w;
    us.n = w.n;
    us.npool = w.npool;
    if (us.v[w.id].kind != VALUE_INT || us.v[w.id].num < 0) {
        w.code = STEP_STUCK;
        return w;
    }
    w = attr_op_range(us, 0, us.v[w.id].num, 1);
    if (w.code != STEP_DONE)
        return w;
    us.n = w.n;
    us.npool = w.npool;
    return eval_family(t, us, sp, i, w.id);
}
