/* Evaluation with a memo. A memo of fewer expressions than there are is not used. Not proved: that the memo is one of these
   expressions; the evaluation of its run is (memo_walk.c). */
#include "attr/memo_arena.h"
#include "attr/memo_walk.h"

enum attr_result attr_eval_memo(struct attrs *t, const struct attr_env *env, struct attr_memo *m, int a, int *out)
{
    struct run_said s;
    struct attr_put p;
    struct run r;

    if (m->n != t->node.n)
        return attr_eval(t, env, a, out);
    if (a < 0 || a >= m->n)
        return ATTR_FULL;
    r = attr_run_of(t, m->node, env, out, 1);
    p = memo_arena(m, t, m->node);
    s = memo_eval(r, p, m->of, a);
    if (s.code == ATTR_VALUE)
        memo_give(r, p, m->of, s.id);
    return (enum attr_result)s.code;
}
