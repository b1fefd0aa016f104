#include "attr/eval_ask.h"

int attr_answer_find(const struct attr_answer *answer, int n, int slot, long k)
{
    int lo = 0, hi = n;

    while (lo < hi) {
        int mid = lo + (hi - lo) / 2;

        if (answer[mid].slot == slot && answer[mid].k == k)
            return mid;
        if (answer[mid].slot < slot || (answer[mid].slot == slot && answer[mid].k < k))
            lo = mid + 1;
        else
            hi = mid;
    }
    return -1;
}

/* Asks for (slot, k). */
static struct value_step ask(struct attr_view t, struct values vs, int slot, long k)
{
    struct value_step r = { STEP_ASK, 0, vs.n, vs.npool };

    t.symbol[t.nsymbol] = (unsigned long)slot + 1;
    t.symbol[t.nsymbol + 1] = (unsigned long)k;
    return r;
}

struct value_step attr_eval_inst(struct attr_view t, struct values vs, int sp, int i)
{
    struct values us = vs;
    struct value_step r = attr_eval_core(t, vs, sp, t.node[i].b);
    int at;

    if (r.code != STEP_DONE)
        return r;
    us.n = r.n;
    us.npool = r.npool;
    r.code = STEP_STUCK;
    if (us.v[r.id].kind != VALUE_INT)
        return r;
    at = attr_answer_find(t.answer, t.nanswer, t.node[i].a, us.v[r.id].num);
    if (at < 0)
        return ask(t, vs, t.node[i].a, us.v[r.id].num);
    if (t.answer[at].id < 0)
        return r;
    r.code = STEP_DONE;
    r.id = t.answer[at].id;
    return r;
}

struct value_step attr_eval_match(struct attr_view t, struct values vs, int sp, int i)
{
    struct value_step r = { STEP_STUCK, 0, vs.n, vs.npool };
    int at = attr_answer_find(t.answer, t.nanswer, -1, t.node[i].op), k;

    if (at < 0)
        return ask(t, vs, -1, t.node[i].op);
    k = t.answer[at].id;
    if (k < 0 || k >= t.node[i].b)
        return r;
    return attr_eval_core(t, vs, sp, t.kid[t.node[i].a + k]);
}
