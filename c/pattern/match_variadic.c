/* Any number of outputs: branch after branch, each the first node in the order of the graph that can be one more, with
   structure, attributes, uses of the instance and convexity checked as it is accepted, until no node can (coq grow).
   What several branches share may be used by one that is still to come: its uses are checked at the end.

   A node that failed is not tried again while nothing it failed by can have changed: a constraint that reads no
   instance number fails for good once the patterns outside the field are bound; a use outside the match may become
   one inside when another branch binds the user. */
#include "pattern/match_internal.h"

struct grower {
    struct matcher *m;
    int field, first, next; /* the candidates in m->found; next: the first one not tried yet */
    struct match_hull hull;
    struct { struct late *a; int n, cap; } late; /* failed by a use, ascending */
};

struct late {
    int candidate;
    int user; /* it may pass when this node is inside; -1: no single one */
};

enum branch_answer { BRANCH_YES, BRANCH_NO, BRANCH_USED };

/* Looks at what match_convex will: of the nodes of the entries from `from` on, all entries up to an application. */
static bool look_ahead(struct matcher *m, int from)
{
    for (int k = from; k < m->entry.n; k++) {
        const struct match_entry *e = &m->entry.a[k];
        int at = e->kind == ENTRY_NODE && e->node >= 0 ? m->place.a[e->node].entry : -1;
        for (; at >= 0 && !match_application(match_rule_of(m), m->entry.a[at].pattern); at = m->entry.a[at].old)
            if (!match_lists_look(m))
                return false;
    }
    return true;
}

/* Everything a branch must satisfy by itself. */
static enum branch_answer accept(struct grower *w, int entries, int outs, int *user)
{
    struct matcher *m = w->m;
    struct match_hull hull = w->hull;

    if (!match_attrs_hold(m, m->plan[m->rule].chooses ? 0 : entries))
        return BRANCH_NO;
    if (!match_uses_hold(m, entries, USES_INSTANCES, user))
        return *user >= 0 ? BRANCH_USED : BRANCH_NO;
    if (!look_ahead(m, entries) || !match_convex(m, &hull, entries, outs))
        return BRANCH_NO;
    w->hull = hull;
    return BRANCH_YES;
}

/* Branch number k at node. BRANCH_USED: but for a use by *user (-1: by several). */
static enum branch_answer branch(struct grower *w, int k, int node, int *user)
{
    struct matcher *m = w->m;
    struct values *vs = m->g->values;
    int entries = m->entry.n, outs = m->outs.n, values = vs->n, pool = vs->npool, used = 0, by = -1;
    enum branch_answer answer = BRANCH_NO;
    bool ok;

    if (m->place.a[node].outs > 0)
        return BRANCH_NO;
    m->goal.n = 0;
    m->next = -1;
    ok = match_out_push(m, node) && match_goal_push(m, k, w->field, node) && match_run(m, 0);
    while (ok) {
        answer = accept(w, entries, outs, &by);
        if (answer == BRANCH_USED && ++used)
            *user = used == 1 ? by : -1;
        ok = answer != BRANCH_YES && m->status == CALQUE_OK && match_revise(m, 0) && match_run(m, 0);
    }
    m->choice.n = 0;
    vs->n = values;
    vs->npool = pool;
    if (answer == BRANCH_YES)
        return answer;
    match_undo(m, entries, outs);
    return used > 0 ? BRANCH_USED : BRANCH_NO;
}

static bool push_late(struct grower *w, int candidate, int user)
{
    if (!vec_room(w->m->rules->mem, &w->late, 1))
        return match_nomem(w->m);
    w->late.a[w->late.n++] = (struct late){ candidate, user };
    return true;
}

/* A node that failed by a use, the first that passes now. */
static bool retry_late(struct grower *w, int k)
{
    for (int j = 0; j < w->late.n && w->m->status == CALQUE_OK; j++) {
        struct late *l = &w->late.a[j];
        if (!match_lists_look(w->m))
            return false;
        if (l->user >= 0 && !match_inner(w->m, l->user))
            continue;
        if (branch(w, k, w->m->found.a[l->candidate].node, &l->user) != BRANCH_YES)
            continue;
        for (; j + 1 < w->late.n; j++)
            w->late.a[j] = w->late.a[j + 1];
        w->late.n--;
        return true;
    }
    return false;
}

static bool try_next(struct grower *w, int k)
{
    while (w->m->status == CALQUE_OK) {
        int user = -1, candidate = match_lists_free(w->m, w->next), node = w->m->found.a[candidate].node;
        enum branch_answer answer;
        if (node < 0)
            return false;
        w->next = candidate + 1;
        answer = branch(w, k, node, &user);
        if (answer == BRANCH_YES)
            return true;
        if (answer == BRANCH_USED && !push_late(w, candidate, user))
            return false;
    }
    return false;
}

/* Did an entry from `from` on bind a pattern outside the templates? */
static bool bound_outside(const struct matcher *m, int from)
{
    for (int k = from; k < m->entry.n; k++)
        if (m->entry.a[k].kind != ENTRY_NODE || m->entry.a[k].instance < 0)
            return true;
    return false;
}

static void grow(struct grower *w)
{
    struct matcher *m = w->m;

    for (int k = 1; m->status == CALQUE_OK; k++) {
        int entries = m->entry.n;
        if (!retry_late(w, k) && !try_next(w, k))
            return;
        if (m->plan[m->rule].indexed || bound_outside(m, entries)) {
            w->next = w->first;
            w->late.n = 0;
        }
    }
}

bool match_variadic(struct matcher *m, int node)
{
    const struct rule *r = match_rule_of(m);
    int p = r->source.a[0], user = -1;
    const struct pattern *q = &r->pattern.a[p];
    struct grower w = { .m = m, .field = r->kid.a[q->kid], .hull = { ~0UL, 0 } };
    char want[32], got[32];

    m->budget = MATCH_STEPS_MAX + 64L * m->g->node.n;
    if (branch(&w, 0, node, &user) != BRANCH_YES)
        return false;
    w.first = w.next = match_candidates(m, w.field, 1);
    if (w.first < 0)
        return false;
    grow(&w);
    mem_free(w.late.a);
    if (m->status != CALQUE_OK)
        return false;
    if (m->outs.n < q->least) {
        match_count(want, sizeof want, "at least %d outputs", q->least);
        match_count(got, sizeof got, "%d", m->outs.n);
        return match_failed(m, MATCH_VARIADIC, p, node, want, got);
    }
    return match_put(m, (struct match_entry){ ENTRY_LENGTH, p, -1, m->outs.n, -1 }) &&
           match_attrs_hold(m, m->plan[m->rule].chooses ? 0 : m->entry.n - 1) &&
           match_uses_hold(m, 0, USES_OTHERS, &user) && match_requires_hold(m);
}
