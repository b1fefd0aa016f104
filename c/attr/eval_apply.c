#include "attr/eval_apply.h"

#include "attr/eval_tuple.h"
#include "attr/funcs.h"
#include "attr/reduce.h"
#include "attr/remap.h"

struct value_step attr_eval_cond(struct attr_view t, struct values vs, int sp, int i)
{
    int first = t.node[i].a;
    struct values us = vs;
    struct value_step c = attr_eval_core(t, vs, sp, t.kid[first]);

    if (c.code != STEP_DONE)
        return c;
    us.n = c.n;
    us.npool = c.npool;
    if (us.v[c.id].kind != VALUE_BOOL) {
        c.code = STEP_STUCK;
        return c;
    }
    return attr_eval_core(t, us, sp, t.kid[us.v[c.id].num ? first + 1 : first + 2]);
}

struct value_step attr_eval_reduce(struct attr_view t, struct values vs, int sp, int i)
{
    struct values us = vs;
    struct value_step x = attr_eval_core(t, vs, sp, t.node[i].a);

    if (x.code != STEP_DONE)
        return x;
    us.n = x.n;
    us.npool = x.npool;
    return attr_op_reduce(us, t.node[i].op, x.id);
}

struct value_step attr_eval_func(struct attr_view t, struct values vs, int sp, int i)
{
    struct values us = vs;
    struct value_step x = attr_eval_tuple(t, vs, sp, i);

    if (x.code != STEP_DONE)
        return x;
    us.n = x.n;
    us.npool = x.npool;
    return t.node[i].op == ATTR_REMAP ? attr_op_remap(us, x.id) : attr_op_func(us, t.node[i].op, x.id);
}
