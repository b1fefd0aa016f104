/* Where outputs of a source may be. The first: where operators and kinds of a node and its inputs are those of the pattern. The next one:
   upwards from what is matched already; the answer of the search is the one
   that trying every node would give: a node from which no bound child of the pattern can be reached is no match. The
   cost is that of the users of the bound node with the fewest, or nothing where the list was made before. */
#include "pattern/visited.h"
#include "pattern/match_internal.h"

#include <string.h>

/* Lists of candidates that stay from search to search of one rule, so that N outputs read from one node cost one list and not
   N. They stay while m->used is there: the graph does not change then, and what is used is never free again. In m->found each
   list ends with a node -1; those that stay come first. What they are of stands in m->level:
   LISTS_HEAD numbers, then LIST_SIZE for each list; the levels of a climb come after that. */

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

/* The first place of the same list that is not used or its end, if the list stayed; else -1. */
static int match_lists_find(struct matcher *m, const struct match_list *l)
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

/* The list, at the end of m->found, is whole. False: memory is out. */
static bool match_lists_end(struct matcher *m, const struct match_list *l)
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

/* ---- the first output ---- */

static void any(bool *of)
{
    for (int c = 0; c < MATCH_CLASSES; c++)
        of[c] = true;
}

static void join(bool *of, const bool *more)
{
    for (int c = 0; c < MATCH_CLASSES; c++)
        of[c] |= more[c];
}

/* The classes that pattern p may stand for; those of the patterns before it are known. */
static void classes(const struct rule *r, bool *all, int p)
{
    const struct pattern *q = &r->pattern.a[p], *o;
    bool *of = all + (size_t)p * MATCH_CLASSES;

    switch (q->kind) {
    case PATTERN_WILDCARD:
        any(of);
        of[MATCH_CLASS_ABSENT] = false;
        break;
    case PATTERN_VARIABLE:
        of[OP_COUNT + NODE_INPUT] = of[OP_COUNT + NODE_CONST] = true;
        break;
    case PATTERN_CONST:
        of[OP_COUNT + NODE_CONST] = true;
        break;
    case PATTERN_CALL:
        o = q->opat < 0 ? NULL : &r->pattern.a[q->opat];
        for (int k = 0; o && k < o->nkid; k++)
            of[r->kid.a[o->kid + k]] = true;
        if (!o)
            of[q->op] = true;
        break;
    case PATTERN_TUPLE:
    case PATTERN_VARIADIC:
        of[OP_COUNT + NODE_TUPLE] = true;
        break;
    case PATTERN_PROJ:
        of[OP_COUNT + NODE_PROJ] = true;
        break;
    case PATTERN_NONE:
        of[MATCH_CLASS_ABSENT] = true;
        break;
    case PATTERN_OPTIONAL:
    case PATTERN_ALT:
        for (int k = 0; k < q->nkid; k++)
            join(of, all + (size_t)r->kid.a[q->kid + k] * MATCH_CLASSES);
        of[MATCH_CLASS_ABSENT] |= q->kind == PATTERN_OPTIONAL;
        break;
    default:
        any(of);
    }
    if (q->template && q->first >= 0) /* PM-First */
        join(of, all + (size_t)q->first * MATCH_CLASSES);
}

static int first_output(const struct rule *r)
{
    int p = r->source.a[0];

    return r->pattern.a[p].kind == PATTERN_VARIADIC ? match_address_of(r, r->kid.a[r->pattern.a[p].kid], 0).pattern : p;
}

static bool has_kid(const struct rule *r, const struct pattern *q, int kid)
{
    for (int k = 0; k < q->nkid; k++)
        if (r->kid.a[q->kid + k] == kid)
            return true;
    return false;
}

/* Where outputs share an input, because a child of all of them is no template, it has as many uses as there are outputs. */
static int least_uses(const struct rule *r, int root)
{
    const struct pattern *q = &r->pattern.a[r->source.a[0]], *field;

    if (q->kind != PATTERN_VARIADIC)
        return 0;
    field = &r->pattern.a[r->kid.a[q->kid]];
    for (int k = 0; k < field->nkid && field->kind == PATTERN_CALL; k++) {
        int kid = r->kid.a[field->kid + k];
        const struct pattern *x = &r->pattern.a[kid];
        if (!x->template && x->kind <= PATTERN_PROJ && has_kid(r, &r->pattern.a[root], kid))
            return q->least;
    }
    return 0;
}

bool match_starts_init(struct match_starts *s, const struct rules *rules)
{
    struct mem *mem = rules->mem;
    bool ok;

    *s = (struct match_starts){ .mem = mem, .rules = rules->rule.n };
    s->rule = mem_zero(mem, (size_t)rules->rule.n + 1, sizeof *s->rule);
    ok = s->rule != NULL;
    for (int k = 0; k < rules->rule.n && ok; k++) {
        const struct rule *r = &rules->rule.a[k];
        struct match_start *t = &s->rule[k];
        t->of = mem_zero(mem, (size_t)r->pattern.n + 1, MATCH_CLASSES);
        t->root = first_output(r);
        t->least = least_uses(r, t->root);
        ok = t->of && ints_push(mem, &t->way, t->root);
        for (int p = 0; p < r->pattern.n && ok; p++)
            classes(r, t->of, p);
        for (int w = 0; ok && w < t->way.n;) {
            const struct pattern *q = &r->pattern.a[t->way.a[w]];
            w += q->kind != PATTERN_ALT;
            if (q->kind != PATTERN_ALT)
                continue;
            t->way.a[w] = t->way.a[--t->way.n]; /* their order is no matter */
            for (int j = 0; j < q->nkid && ok; j++)
                ok = ints_push(mem, &t->way, r->kid.a[q->kid + j]);
        }
    }
    if (!ok)
        match_starts_free(s);
    return ok;
}

void match_starts_free(struct match_starts *s)
{
    for (int k = 0; s->rule && k < s->rules; k++) {
        mem_free(s->rule[k].of);
        ints_free(&s->rule[k].way);
    }
    mem_free(s->rule);
    mem_free(s->class.a);
    *s = (struct match_starts){ .rules = 0 };
}

bool match_starts_classify(struct match_starts *s, const struct graph *g)
{
    if (s->class.n > 0)
        return true;
    if (!vec_room(s->mem, &s->class, g->node.n))
        return false;
    memset(s->present, 0, sizeof s->present);
    for (int k = 0; k < g->node.n; k++) {
        int c = match_class(g, k);
        s->class.a[k] = (unsigned short)c;
        s->present[c] = true;
    }
    s->class.n = g->node.n;
    return true;
}

bool match_starts_any(const struct match_starts *s, int rule)
{
    const bool *of = match_starts_classes(s, rule);

    for (int c = 0; c < MATCH_CLASSES; c++)
        if (of[c] && s->present[c])
            return true;
    return false;
}

static int class_of(const struct match_starts *s, const struct graph *g, int node)
{
    return node >= 0 && node < s->class.n ? s->class.a[node] : match_class(g, node);
}

/* Are the inputs of node, the two of them swapped or not, of the classes of the children of q? */
static bool inputs_fit(const struct match_starts *s, int rule, const struct rule *r, const struct graph *g, const struct pattern *q, int node,
                       bool swapped)
{
    const struct node *nd = &g->node.a[node];
    const bool *all = s->rule[rule].of;
    int n = q->nkid > nd->nin ? q->nkid : nd->nin;

    for (int k = 0; k < n; k++) {
        int j = swapped && k < 2 ? 1 - k : k, c = j < nd->nin ? class_of(s, g, g->in.a[nd->in + j]) : MATCH_CLASS_ABSENT;
        if (k < q->nkid ? !all[(size_t)r->kid.a[q->kid + k] * MATCH_CLASSES + (size_t)c] : c != MATCH_CLASS_ABSENT)
            return false;
    }
    return true;
}

/* Have as many users of x as there are to be outputs the operator of node, or one that the field has? Looks at LOOK of them. */
static bool used_alike(const struct matcher *m, const bool *of, int node, int x, int least)
{
    enum { LOOK = 16 };
    int like = 0, n = 0;

    for (int slot = m->uses->node.a[x].head; slot >= 0 && n < LOOK && like < least; slot = m->uses->slot.a[slot].next, n++)
        like += of ? of[match_class(m->g, m->uses->slot.a[slot].user)]
                   : match_class(m->g, m->uses->slot.a[slot].user) == match_class(m->g, node);
    return like >= least || n == LOOK;
}

/* Any number of outputs: is there an input that so many of them may share? */
static bool inputs_used(const struct match_start *t, const struct matcher *m, const struct rule *r, int node)
{
    int field = r->kid.a[r->pattern.a[r->source.a[0]].kid], op = r->pattern.a[field].opat;
    const bool *of = op >= 0 && op == r->pattern.a[t->root].opat ? NULL : t->of + (size_t)field * MATCH_CLASSES;

    for (int k = 0; k < m->g->node.a[node].nin; k++) {
        int x = graph_in(m->g, node, k);
        if (x >= 0 && m->uses->node.a[x].count >= t->least && used_alike(m, of, node, x, t->least))
            return true;
    }
    return false;
}

bool match_starts_at(const struct match_starts *s, const struct matcher *m, int rule, int node)
{
    const struct rule *r = &m->rules->rule.a[rule];
    const struct graph *g = m->g;
    const struct match_start *t = &s->rule[rule];
    int c = class_of(s, g, node), v;

    if (t->least > 0 && !inputs_used(t, m, r, node))
        return false;
    for (int w = 0; w < t->way.n; w++) {
        const struct pattern *q = &r->pattern.a[t->way.a[w]];
        if (!t->of[(size_t)t->way.a[w] * MATCH_CLASSES + (size_t)c])
            continue;
        if (q->kind != PATTERN_CALL || match_only_variadic(r, q, &v) >= 0 || inputs_fit(s, rule, r, g, q, node, false))
            return true;
        if (q->nkid == 2 && (op_info(g->node.a[node].op)->traits & OP_COMMUTATIVE) && inputs_fit(s, rule, r, g, q, node, true))
            return true;
    }
    return false;
}

/* ---- the search ---- */

bool match_head(const struct rule *r, const struct graph *g, int p, int node)
{
    const struct pattern *q = &r->pattern.a[p], *o;
    const struct node *nd = &g->node.a[node];

    switch (q->kind) {
    case PATTERN_CALL:
        if (nd->kind != NODE_OP || q->opat < 0)
            return nd->kind == NODE_OP && nd->op == q->op;
        o = &r->pattern.a[q->opat];
        for (int k = 0; k < o->nkid; k++)
            if (r->kid.a[o->kid + k] == nd->op)
                return true;
        return false;
    case PATTERN_TUPLE:
    case PATTERN_VARIADIC:
        return nd->kind == NODE_TUPLE;
    case PATTERN_PROJ:
        return nd->kind == NODE_PROJ;
    default:
        return true;
    }
}

/* The operator that p must have by now, or -1. Where all failures are told, another operator is one of them. */
static int bound_op(const struct matcher *m, int p)
{
    const struct pattern *q = match_pattern(m, p);

    return m->brief && q->kind == PATTERN_CALL && q->opat >= 0 ? match_op(m, q->opat) : -1;
}

static bool may_be(const struct matcher *m, int p, int op, int node)
{
    return match_head(match_rule_of(m), m->g, p, node) && (op < 0 || m->g->node.a[node].op == op);
}

/* Children that every match of q visits. */
static bool certain_kids(const struct rule *r, const struct pattern *q)
{
    int v;

    return (q->kind == PATTERN_CALL || q->kind == PATTERN_TUPLE || q->kind == PATTERN_PROJ) &&
           match_only_variadic(r, q, &v) < 0;
}

/* Breadth first from p in instance k through children that are always visited: the bound one with the fewest users
   becomes the anchor. up: where each was reached from. queue: room for all patterns. */
static int find_anchor(struct matcher *m, int p, int k, int *up, int *queue)
{
    const struct rule *r = match_rule_of(m);
    int n = 0, best = -1, fewest = 0;

    for (int j = 0; j < r->pattern.n; j++)
        up[j] = -1;
    p = match_address_of(r, p, k).pattern;
    up[p] = p;
    queue[n++] = p;
    for (int j = 0; j < n; j++) {
        const struct pattern *q = &r->pattern.a[queue[j]];
        int e = match_node(m, queue[j], k);

        if (e >= 0 && (best < 0 || m->uses->node.a[e].count < fewest)) {
            best = queue[j];
            fewest = m->uses->node.a[e].count;
        }
        for (int i = 0; certain_kids(r, q) && i < q->nkid; i++) {
            int kid = match_address_of(r, r->kid.a[q->kid + i], k).pattern;
            if (up[kid] >= 0 || (r->pattern.a[kid].template && !q->template))
                continue;
            up[kid] = queue[j];
            queue[n++] = kid;
        }
    }
    return best;
}

static bool push_found(struct matcher *m, int node)
{
    if ((m->used && m->used[node]) || m->uses->node.a[node].dead)
        return true;
    if (!vec_room(m->rules->mem, &m->found, 1))
        return match_nomem(m);
    m->found.a[m->found.n++] = (struct match_key){ m->uses->node.a[node].order, node };
    return true;
}

/* The users of the nodes level.a[from ..] that can be q, with this operator: the next level. */
static bool climb(struct matcher *m, int q, int op, int from)
{
    int n = m->level.n;

    match_stamp(m);
    for (int k = from; k < n; k++)
        for (int s = m->uses->node.a[m->level.a[k]].head; s >= 0; s = m->uses->slot.a[s].next) {
            int user = m->uses->slot.a[s].user;
            if (!match_lists_look(m))
                return false;
            if (m->walk.seen.a[user] == m->walk.stamp || !may_be(m, q, op, user))
                continue;
            m->walk.seen.a[user] = m->walk.stamp;
            if (!ints_push(m->rules->mem, &m->level, user))
                return match_nomem(m);
        }
    for (int k = n; k < m->level.n; k++)
        m->level.a[k - n + from] = m->level.a[k];
    m->level.n -= n - from;
    return true;
}

static void reverse(struct match_key *a, int n)
{
    for (int k = 0; k < n / 2; k++) {
        struct match_key x = a[k];
        a[k] = a[n - 1 - k];
        a[n - 1 - k] = x;
    }
}

/* The ascending a[0 .. i-1] and a[i .. n-1] become one; b: room for i. */
static void merge(struct match_key *a, int i, int n, struct match_key *b)
{
    int j = 0, left = i;

    memcpy(b, a, (size_t)i * sizeof *b);
    for (int k = 0; j < left; k++)
        a[k] = i < n && a[i].order < b[j].order ? a[i++] : b[j++];
}

/* Ascending. The users of a node are listed from the last to the first, and those that a rewrite gave it, which are often in
   order too, before them: a few runs that go down are turned and merged. b: room for n. */
static void ascend(struct match_key *a, int n, struct match_key *b)
{
    enum { RUNS = 8 };
    int run[RUNS + 1] = { 0 }, runs = 0, k;

    for (k = 1; k <= n && runs < RUNS; k++)
        if (k == n || a[k - 1].order < a[k].order)
            run[++runs] = k;
    if (run[runs] < n) {
        key_sort(a, n);
        return;
    }
    for (k = 0; k < runs; k++)
        reverse(a + run[k], run[k + 1] - run[k]);
    for (k = 1; k < runs; k++)
        merge(a, run[k], run[k + 1], b);
}

static bool everywhere(struct matcher *m, int p, int op)
{
    for (int node = m->uses->first; node >= 0; node = (int)m->uses->node.a[node].after) {
        if (!match_lists_look(m) || (may_be(m, p, op, node) && !push_found(m, node)))
            return false;
    }
    return true;
}

/* The candidates from the bound pattern up to the root. */
static bool upwards(struct matcher *m, const struct match_list *l, const int *up)
{
    int from = m->level.n, first = m->found.n;
    bool ok = ints_push(m->rules->mem, &m->level, l->node) || match_nomem(m);

    for (int at = l->at; ok && at != l->root; at = up[at])
        ok = climb(m, up[at], up[at] == l->root ? l->op : -1, from);
    for (int j = from; ok && j < m->level.n; j++)
        ok = push_found(m, m->level.a[j]);
    m->level.n = from;
    if (ok && !vec_room(m->rules->mem, &m->found, m->found.n - first))
        return match_nomem(m);
    if (ok && m->found.n > first)
        ascend(m->found.a + first, m->found.n - first, m->found.a + m->found.n);
    return ok;
}

int match_candidates(struct matcher *m, int p, int k)
{
    int *up = m->way, root = match_address_of(match_rule_of(m), p, k).pattern;
    int at = find_anchor(m, p, k, up, up + m->to.n);
    struct match_list list = { root, bound_op(m, root), at, at < 0 ? -1 : match_node(m, at, k), m->found.n };
    int first = match_lists_find(m, &list);

    if (first >= 0)
        return first;
    if (!(at < 0 ? everywhere(m, root, list.op) : upwards(m, &list, up)) || !match_lists_end(m, &list))
        return -1;
    return list.first;
}

/* Any number of outputs: branch after branch, each the first node in the order of the graph that can be one more, with
   structure, attributes, uses of the instance and convexity checked as it is accepted, until no node can (coq grow).
   What several branches share may be used by one that is still to come: its uses are checked at the end.

   A node that failed is not tried again while nothing it failed by can have changed: a constraint that reads no
   instance number fails for good once the patterns outside the field are bound; a use outside the match may become
   one inside when another branch binds the user. */

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
