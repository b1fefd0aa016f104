/* The arrays of a plan and of the map, and what a rule asks of a map that is there. Trusted: the proofs of simple_match.c rest on
   the contracts. */
#include "pattern/match_internal.h"
#include "pattern/simple_match.h"

struct fixed_map fixed_room(struct matcher *m, struct fixed_view v)
{
    struct mem *mem = m->rules->mem;
    struct fixed_map a = { { .n = -1 }, NULL };

    if (!vec_room(mem, &m->entry, v.n) || !vec_room(mem, &m->outs, 1)) {
        match_nomem(m);
        return a;
    }
    a.entries = (struct inside_view){ .entry = m->entry.a, .place = m->place.a, .pattern = v.pattern, .n = m->entry.n,
                                      .nodes = m->place.n, .patterns = v.patterns };
    a.one = m->to.one;
    return a;
}

struct fixed_mark fixed_output(struct matcher *m, int node) /*@ ghost (struct fixed_map a, struct fixed_view v, const long *at) */
{
    const struct values *vs = m->g->values;
    struct fixed_mark first = { .n = vs->n, .npool = vs->npool };

    first.ok = match_out_push(m, node);
    return first;
}

bool fixed_claim(struct matcher *m, int k) /*@ ghost (struct fixed_map a, struct fixed_view v, const long *at, int node) */
{
    return match_claims(m, &m->entry.a[k], false);
}

bool fixed_conditions(struct matcher *m) /*@ ghost (struct fixed_map a, struct fixed_view v, const long *at, int node) */
{
    return match_conditions(m);
}

void fixed_back(struct matcher *m, struct fixed_mark at_first)
    /*@ ghost (struct fixed_map a, struct fixed_view v, const long *at, int node) */
{
    struct values *vs = m->g->values;

    match_undo(m, m->entry.n, 0);
    vs->n = at_first.n;
    vs->npool = at_first.npool;
}

bool fixed_plan_room(struct match_plan *plan, struct mem *mem) /*@ ghost (const struct rule *r, struct fixed_view v) */
{
    return vec_room(mem, &plan->pos, FIXED_MAX) && vec_room(mem, &plan->up, FIXED_MAX);
}
