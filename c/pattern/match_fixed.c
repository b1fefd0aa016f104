/* The fast path of match_at: sources of fixed patterns, by the proved fixed_match.c. What it is given here: the plan of the
   rule, the arrays, memory; and the conditions of each map it finds, which is M then, are checked as the engine does.
   Not proved: memory, and that the conditions are a function of the map. */
#include "pattern/fixed_hold.h"
#include "pattern/fixed_match.h"
#include "pattern/fixed_plan.h"
#include "pattern/match_room.h"

static struct fixed_view rule_view(const struct rule *r, const struct match_plan *plan, const int *commutes)
{
    return (struct fixed_view){
        .pattern = r->pattern.a, .kid = r->kid.a, .pos = plan->pos.a, .up = plan->up.a, .commutes = commutes,
        .patterns = r->source.a[0] + 1, .kids = r->kid.n, .n = plan->pos.n, .ops = OP_COUNT,
    };
}

enum calque_status match_plan_fixed(struct match_plan *plan, const struct rule *r, const int *commutes, struct mem *mem)
{
    struct fixed_view v;

    if (r->source.n != 1)
        return CALQUE_OK;
    if (!vec_room(mem, &plan->pos, FIXED_MAX) || !vec_room(mem, &plan->up, FIXED_MAX))
        return CALQUE_NOMEM;
    v = fixed_plan(rule_view(r, plan, commutes), r->source.a[0], plan->pos.a, plan->up.a);
    plan->pos.n = plan->up.n = v.n;
    plan->fixed = v.n > 0;
    return CALQUE_OK;
}

/* The place of the first entry whose own constraints fail, or the number of entries. */
static int unclaimed(struct matcher *m)
{
    int k = 0;

    while (k < m->entry.n && match_claims(m, &m->entry.a[k], false))
        k++;
    return k;
}

static struct fixed_view view(const struct matcher *m)
{
    struct fixed_view v = rule_view(match_rule_of(m), &m->plan[m->rule], m->commutes);

    v.node = m->g->node.a;
    v.in = m->g->in.a;
    v.nodes = m->g->node.n;
    v.ins = m->g->in.n;
    return v;
}

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

int fixed_hold(struct matcher *m, struct fixed_map a, struct fixed_view v, const long *at, int node)
{
    struct values *vs = m->g->values;
    int n = vs->n, npool = vs->npool, place;

    (void)at; /* M is the map */
    m->entry.n = a.entries.n;
    if (!match_out_push(m, node))
        return -1;
    place = unclaimed(m);
    if (m->status == CALQUE_OK && place == v.n && match_conditions(m))
        return v.n;
    if (m->status != CALQUE_OK)
        return -1;
    match_undo(m, m->entry.n, 0); /* the output */
    vs->n = n;
    vs->npool = npool;
    return place < v.n ? place : v.n - 1;
}

void fixed_empty(struct matcher *m)
{
    m->entry.n = 0;
}

bool match_fixed(struct matcher *m, int node, bool *known)
{
    int code = fixed_match(m, view(m), node, m->swap, m->at);

    *known = code == FIXED_NO;
    return code == FIXED_YES;
}
