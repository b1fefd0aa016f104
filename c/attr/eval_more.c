#include "attr/eval_more.h"

#include "attr/eval_apply.h"
#include "attr/eval_ask.h"
#include "attr/eval_bind.h"

struct value_step attr_eval_more(struct attr_view t, struct values vs, int sp, int i)
{
    struct value_step r = { STEP_STUCK, 0, vs.n, vs.npool };
    unsigned long x;

    switch (t.node[i].kind) {
    case ATTR_SYMBOL: /* AE_Symbol */
        x = t.node[i].op < t.nsymbol ? t.symbol[t.node[i].op] : 0;
        r.code = x ? STEP_DONE : STEP_STUCK;
        r.id = x ? (int)(x - 1) : 0;
        return r;
    case ATTR_INST:
        return attr_eval_inst(t, vs, sp, i);
    case ATTR_VAR:
        return attr_eval_var(t, vs, sp, i);
    case ATTR_MAP:
        return attr_eval_map(t, vs, sp, i);
    case ATTR_REDUCE:
        return attr_eval_reduce(t, vs, sp, i);
    case ATTR_COND:
        return attr_eval_cond(t, vs, sp, i);
    case ATTR_MATCH:
        return attr_eval_match(t, vs, sp, i);
    default:
        return attr_eval_func(t, vs, sp, i);
    }
}
