/* Evaluation with a memo. Not proved: its proof is not complete; that of what it calls is (run.c, memo_core.c, memo_learn.c). */
#include "attr/memo_arena.h"
#include "attr/memo_learn.h"
#include "attr/run.h"

/* Is i one of the marked expressions, and worth remembering? Each class is tried once. */
static bool memo_due(struct attr_memo_class *of, int i)
{
    struct attr_memo_class *c = &of[of[i].first];

    if (!of[i].marked || !c->keep || c->tried)
        return false;
    c->tried = true;
    return true;
}

/* The value of expression i; it is remembered when `keep`. */
static struct run_said memo_try(struct run r, struct attr_put p, struct attr_memo_class *of, int i, bool keep)
{
    struct run_said s = attr_run_value(r, i);

    p.nvalue = r.vs->n;
    if (s.code == ATTR_VALUE && keep)
        memo_learn(p, of, i, s.id);
    return s;
}

/* Smaller expressions come first, so that each is evaluated with what it consists of remembered. What is stuck, or too
   large, is left to the evaluation of the whole: perhaps it is not needed. */
static struct run_said memo_eval(struct run r, struct attr_put p, struct attr_memo_class *of, int a)
{
    memo_mark(p, of, a);
    for (int i = 0; i <= a; i++)
        if (memo_due(of, i))
            (void)memo_try(r, p, of, i, true);
    return memo_try(r, p, of, a, of[a].free == 0);
}

enum attr_result attr_eval_memo(struct attrs *t, const struct attr_env *env, struct attr_memo *m, int a, int *out)
{
    struct run_said s;
    struct run r;

    if (a < 0 || a >= m->n)
        return attr_eval(t, env, a, out);
    r = attr_run_of(t, m->node, env, out, 1);
    s = memo_eval(r, memo_arena(m, t, m->node), m->of, a);
    if (s.code == ATTR_VALUE)
        attr_run_put(r, s.id);
    return (enum attr_result)s.code;
}
