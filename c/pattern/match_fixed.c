/* The fast path of match_at: sources of fixed patterns, by the proved search of fixed_search.c. What it is given here: the
   plan of the rule, the arrays; and each map it finds is put into M, where the conditions are checked as the engine does. */
#include "pattern/fixed_plan.h"
#include "pattern/fixed_search.h"
#include "pattern/match_room.h"

#include <string.h>

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

/* M is the map. */
static bool put(struct matcher *m, const struct match_plan *plan)
{
    for (int j = 0; j < plan->pos.n; j++) {
        int p = plan->pos.a[j];
        if (!match_put(m, (struct match_entry){ ENTRY_NODE, p, -1, (int)m->at[p], -1 }))
            return false;
    }
    return match_out_push(m, m->root);
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

int fixed_ask(struct matcher *m, struct fixed_view v, const long *at, int node)
{
    struct values *vs = m->g->values;
    int n = vs->n, npool = vs->npool, place;

    (void)at; /* m->at */
    (void)node;
    if (!put(m, &m->plan[m->rule]))
        return -1;
    place = unclaimed(m);
    if (m->status == CALQUE_OK && place == v.n && match_conditions(m))
        return v.n;
    if (m->status != CALQUE_OK)
        return -1;
    match_undo(m, 0, 0);
    vs->n = n;
    vs->npool = npool;
    return place < v.n ? place : v.n - 1;
}

bool match_fixed(struct matcher *m, int node, bool *known)
{
    struct fixed_answer a = fixed_search(m, view(m), node, m->swap, m->at);

    /* A condition failed; or each pass did at the kind of a node, so that no node was met twice. */
    *known = a.code == FIXED_NO && m->brief && (a.plain || m->progress > MATCH_FAR);
    return a.code == FIXED_YES;
}
