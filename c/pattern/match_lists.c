/* Lists of candidates that stay from search to search of one rule, so that N outputs read from one node cost one list and not
   N. They stay while m->used is there: the graph does not change then, and what is used is never free again. In m->found each
   list ends with a node -1; those that stay come first. What they are of stands in m->level:
   LISTS_HEAD numbers, then LIST_SIZE for each list; the levels of a climb come after that. */
#include "pattern/match_budget.h"
#include "pattern/match_internal.h"

#include <string.h>

/* LISTED: nodes looked at in this search. KEPT: the entries of m->found that stay. LISTS_MOST lists stay, each of LIST_LEAST
   candidates or more (a short one is soon made again). */
enum { LISTED, RULE, KEPT, LISTS_HEAD };
enum { LIST_ROOT, LIST_OP, LIST_AT, LIST_NODE, LIST_FIRST, LIST_SIZE };
enum { LISTS_MOST = 64, LIST_LEAST = 64 };

/* All the lists that stay have no more entries than this in all. */
static long most_kept(const struct matcher *m)
{
    return 4L * m->g->node.n + LISTS_MOST * LIST_LEAST;
}

static int lists(const struct matcher *m)
{
    return (m->level.n - LISTS_HEAD) / LIST_SIZE;
}

static bool full(const struct matcher *m)
{
    return lists(m) >= LISTS_MOST || m->level.a[KEPT] > most_kept(m);
}

bool match_lists_open(struct matcher *m)
{
    while (m->level.n < LISTS_HEAD)
        if (!ints_push(m->rules->mem, &m->level, 0))
            return false;
    return true;
}

void match_lists_start(struct matcher *m)
{
    if (!m->used || m->level.a[RULE] != m->rule || full(m)) {
        m->level.n = LISTS_HEAD;
        m->level.a[KEPT] = 0;
    }
    m->level.a[RULE] = m->rule;
    m->level.a[LISTED] = 0;
    m->found.n = m->level.a[KEPT];
}

bool match_lists_look(struct matcher *m)
{
    return ++m->level.a[LISTED] <= MATCH_STEPS_CALL * MATCH_STEP_FOUND ||
           match_limit(m, CALQUE_LIMIT, match_rule_of(m)->source.a[0], m->root);
}

long match_listed(const struct matcher *m)
{
    return m->level.a[LISTED];
}

int match_lists_free(const struct matcher *m, int way)
{
    while (m->found.a[way].node >= 0 && m->used && m->used[m->found.a[way].node])
        way++;
    return way;
}

int match_lists_find(struct matcher *m, const struct match_list *l)
{
    for (int *k = m->level.a + LISTS_HEAD; k < m->level.a + m->level.n; k += LIST_SIZE)
        if (k[LIST_ROOT] == l->root && k[LIST_OP] == l->op && k[LIST_AT] == l->at && k[LIST_NODE] == l->node)
            return k[LIST_FIRST] = match_lists_free(m, k[LIST_FIRST]);
    return -1;
}

static bool keep(struct matcher *m, const struct match_list *l)
{
    const int row[LIST_SIZE] = { l->root, l->op, l->at, l->node, l->first };

    if (!vec_room(m->rules->mem, &m->level, LIST_SIZE))
        return match_nomem(m);
    memcpy(m->level.a + m->level.n, row, sizeof row);
    m->level.n += LIST_SIZE;
    m->level.a[KEPT] = m->found.n;
    return true;
}

bool match_lists_end(struct matcher *m, const struct match_list *l)
{
    int n = m->found.n - l->first;

    if (!vec_room(m->rules->mem, &m->found, 1))
        return match_nomem(m);
    m->found.a[m->found.n++] = (struct match_key){ 0, -1 };
    return n < LIST_LEAST || !m->used || full(m) || keep(m, l);
}

void match_lists_back(struct matcher *m, int found)
{
    m->found.n = found > m->level.a[KEPT] ? found : m->level.a[KEPT];
}
