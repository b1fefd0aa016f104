#include "attr/eval.h"
#include "attr/match.h"

/* Is a an expression that the core evaluates? The other kinds are constructed and printed only, so far. */
static bool is_id(const struct attrs *t, int a)
{
    for (int i = 0; i < t->node.n; i++)
        if (t->node.a[i].kind > ATTR_PROJ)
            return false;
    return a >= 0 && a < t->node.n;
}

/* The arrays the core works on. */
static struct attr_view view(const struct attrs *t, const struct attr_env *env)
{
    return (struct attr_view){ t->node.a, t->kid.a,  env->slot,
                               t->node.n, t->kid.n, env->n };
}

/* What the core requires of its caller. */
static bool env_ok(const struct attrs *t, const struct attr_env *env)
{
    for (int s = 0; s < env->n; s++)
        if (env->slot[s] < -1 || env->slot[s] >= t->values->n)
            return false;
    return env->n >= 0;
}

enum attr_result attr_eval(struct attrs *t, const struct attr_env *env, int a, int *out)
{
    struct values *vs = t->values;
    struct value_step r;

    if (!is_id(t, a) || !env_ok(t, env))
        return ATTR_FULL;
    for (;;) {
        r = attr_eval_core(view(t, env), *vs, 0, a);
        if (r.code == STEP_STUCK)
            return ATTR_STUCK;
        if (r.code == STEP_DONE) {
            vs->n = r.n;
            vs->npool = r.npool;
            *out = r.id;
            return ATTR_VALUE;
        }
        if (r.code != STEP_ROOM || !values_enlarge(vs))
            return ATTR_FULL;
    }
}

enum attr_result attr_match(struct attrs *t, const struct attr_env *env, int a, int value,
                            bool *yes)
{
    int c;

    if (!is_id(t, a) || !env_ok(t, env) || value < 0 || value >= t->values->n)
        return ATTR_FULL;
    for (;;) {
        c = attr_match_core(view(t, env), *t->values, a, value);
        if (c == MATCH_YES || c == MATCH_NO) {
            *yes = c == MATCH_YES;
            return ATTR_VALUE;
        }
        if (c != MATCH_ROOM || !values_enlarge(t->values))
            return ATTR_FULL;
    }
}
