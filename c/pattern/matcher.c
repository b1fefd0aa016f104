/* A matcher of the rules of a graph: memory, the maps of a match, which search a rule has (the proved one of
   simple_match.c, or that of match.c), conditions, printing. Invariant: between two calls M is a match or empty. */
#include "pattern/simple_match.h"
#include "pattern/match_internal.h"
#include "graph/use_list_internal.h"

#include <stdlib.h>
#include <string.h>
#include <limits.h>
#include <stdio.h>

/* ---- maps from addresses ---- */

bool addresses_init(struct addresses *a, struct mem *mem, int patterns)
{
    a->mem = mem;
    a->n = patterns;
    a->one = mem_zero(mem, (size_t)patterns + 1, sizeof *a->one);
    a->many = mem_zero(mem, (size_t)patterns + 1, sizeof *a->many);
    for (int p = 0; a->one && p < patterns; p++)
        a->one[p] = PATTERN_UNBOUND;
    return a->one && a->many;
}

void addresses_free(struct addresses *a)
{
    for (int p = 0; a->many && p < a->n; p++)
        ints_free(&a->many[p]);
    mem_free(a->one);
    mem_free(a->many);
    memset(a, 0, sizeof *a);
}

int addresses_get(const struct addresses *a, int pattern, int instance)
{
    if (instance < 0)
        return a->one[pattern];
    return instance < a->many[pattern].n ? a->many[pattern].a[instance] : PATTERN_UNBOUND;
}

bool addresses_put(struct addresses *a, int pattern, int instance, int node)
{
    struct ints *v = &a->many[pattern];

    if (instance < 0) {
        a->one[pattern] = node;
        return true;
    }
    while (v->n <= instance)
        if (!ints_push(a->mem, v, PATTERN_UNBOUND))
            return false;
    v->a[instance] = node;
    return true;
}

/* ---- the matcher ---- */

static bool intern(struct matcher *m)
{
    static const char *const word[] = { "shape", "dtype", "ndim", "value", "index", "length", "present" };

    for (int k = 0; k < LABELS; k++)
        if ((m->label[k] = strs_addz(m->rules->strs, word[k])) < 0)
            return false;
    return true;
}

enum calque_status matcher_init(struct matcher *m, const struct rules *rules, const struct graph *g,
                                const struct uses *uses, struct diag *d)
{
    struct mem *mem = rules->mem;
    int np = 1, ns = 1, symbols = 1;
    bool ok;

    memset(m, 0, sizeof *m);
    m->rules = rules;
    m->g = g;
    m->uses = uses;
    m->next = -1;
    m->plan = mem_zero(mem, (size_t)rules->rule.n + 1, sizeof *m->plan);
    ok = m->plan && intern(m);
    m->commutes = ok ? mem_zero(mem, OP_COUNT, sizeof *m->commutes) : NULL;
    ok = ok && m->commutes;
    for (int op = 0; op < OP_COUNT && ok; op++)
        m->commutes[op] = (op_info(op)->traits & OP_COMMUTATIVE) != 0;
    for (int k = 0; k < rules->rule.n && ok; k++) {
        const struct rule *r = &rules->rule.a[k];
        ok = match_plan_rule(&m->plan[k], r, mem) == CALQUE_OK &&
             match_plan_fixed(&m->plan[k], r, m->commutes, mem) == CALQUE_OK;
        np = r->pattern.n > np ? r->pattern.n : np;
        ns = r->attrs.slot.n > ns ? r->attrs.slot.n : ns;
        symbols = m->plan[k].symbols > symbols ? m->plan[k].symbols : symbols;
    }
    ok = ok && match_lists_open(m) && addresses_init(&m->to, mem, np);
    m->length = ok ? mem_zero(mem, (size_t)np, sizeof *m->length) : NULL;
    m->taken = ok ? mem_zero(mem, (size_t)np, sizeof *m->taken) : NULL;
    m->way = ok ? mem_zero(mem, 2 * (size_t)np, sizeof *m->way) : NULL;
    m->at = ok ? mem_zero(mem, (size_t)np, sizeof *m->at) : NULL;
    m->swap = ok ? mem_zero(mem, FIXED_MAX, sizeof *m->swap) : NULL;
    m->env.slot = ok ? mem_zero(mem, (size_t)ns, sizeof *m->env.slot) : NULL;
    m->env.symbol = ok ? mem_zero(mem, (size_t)symbols, sizeof *m->env.symbol) : NULL;
    if (!m->length || !m->taken || !m->way || !m->at || !m->swap || !m->env.slot || !m->env.symbol) {
        matcher_free(m);
        return diag_nomem(d);
    }
    for (int p = 0; p < np; p++)
        m->length[p] = m->taken[p] = -1;
    for (int s = 0; s < ns; s++)
        m->env.slot[s] = -1;
    return CALQUE_OK;
}

void matcher_free(struct matcher *m)
{
    for (int k = 0; m->plan && k < m->rules->rule.n; k++)
        match_plan_free(&m->plan[k]);
    mem_free(m->plan);
    addresses_free(&m->to);
    mem_free(m->length);
    mem_free(m->taken);
    mem_free(m->way);
    mem_free(m->commutes);
    mem_free(m->at);
    mem_free(m->swap);
    mem_free(m->env.slot);
    mem_free(m->env.symbol);
    ints_free(&m->outs);
    mem_free(m->entry.a);
    mem_free(m->goal.a);
    mem_free(m->choice.a);
    mem_free(m->place.a);
    mem_free(m->found.a);
    walk_free(&m->walk);
    ints_free(&m->level);
    memset(m, 0, sizeof *m);
}

bool match_candidate(const struct matcher *m, int rule, int node)
{
    const struct rule *r = &m->rules->rule.a[rule];
    int p = r->source.a[0];

    if (r->pattern.a[p].kind == PATTERN_VARIADIC)
        p = match_address_of(r, r->kid.a[r->pattern.a[p].kid], 0).pattern;
    return match_head(r, m->g, p, node);
}

bool match_begin(struct matcher *m, int rule, int node)
{
    const struct graph *g = m->g;

    m->status = CALQUE_OK;
    m->rule = rule;
    m->root = node;
    match_undo(m, 0, 0);
    if (!vec_room(m->rules->mem, &m->place, g->node.n - m->place.n) ||
        (m->walk.seen.n < g->node.n && !walk_room(&m->walk, m->rules->mem, g->node.n)))
        return match_nomem(m);
    while (m->place.n < g->node.n)
        m->place.a[m->place.n++] = (struct match_place){ -1, 0 };
    if (m->walk.seen.n > g->node.n) /* the graph became smaller: a node that comes later has no stamp yet */
        m->walk.seen.n = g->node.n;
    match_lists_start(m);
    m->goal.n = m->choice.n = 0;
    m->next = -1;
    m->progress = m->steps = 0;
    m->fail = (struct match_fail){ .pattern = -1, .node = -1 };
    return true;
}

bool match_conditions(struct matcher *m)
{
    struct match_hull hull = { ~0UL, 0 };
    int user;

    return match_attrs_hold(m, 0) && match_uses_hold(m, 0, USES_ALL, &user) && match_convex(m, &hull, 0, 0) &&
           match_requires_hold(m);
}

/* Goals for the first output at node and the others wherever they are. */
static bool general(struct matcher *m, int node)
{
    const struct rule *r = match_rule_of(m);
    bool ok = true;

    m->budget = m->steps + (long)MATCH_STEPS_MAX * r->source.n + (r->source.n > 1 ? 64L * m->g->node.n : 0);
    for (int k = r->source.n - 1; k > 0 && ok; k--)
        ok = match_goal_push(m, k, r->source.a[k], MATCH_ANY);
    ok = ok && match_out_push(m, node) && match_goal_push(m, -1, r->source.a[0], node) && match_run(m, 0);
    while (ok && !match_conditions(m))
        ok = m->status == CALQUE_OK && match_revise(m, 0) && match_run(m, 0);
    return ok;
}

bool match_engine(struct matcher *m, int node, struct fixed_mark first)
{
    const struct rule *r = match_rule_of(m);
    struct values *vs = m->g->values;
    bool yes;

    if (m->plan[m->rule].fixed && !match_begin(m, m->rule, node))
        return false;
    yes = r->source.n == 1 && r->pattern.a[r->source.a[0]].kind == PATTERN_VARIADIC ? match_variadic(m, node) : general(m, node);
    if (yes) {
        vs->n = first.n;
        vs->npool = first.npool;
    }
    return yes;
}

/* Of the rule's patterns at the node, from an empty M on: fixed ones by the proved search (simple_match.c). */
/*@ requires turn:     turn_ready(m, m->rule) && 0 <= node < m->g->node.n;
    requires lists:    sources(m, turn_view, turn_uses);
    requires plan:     \valid_read(m->plan + m->rule) && (m->plan[m->rule].fixed != 0 <==> 0 < turn_view.n);
    requires search:   0 < turn_view.n ==> may_search(m) && fixed_of(m) == turn_view && uses_at(m) == turn_uses;
    terminates \true;
    exits    never:    \false;
    SEARCH_ASSIGNS
    ensures  match:    \result != 0 ==> 0 < turn_view.n ==> is_match(m, turn_view, turn_uses, node);
    ensures  none:     \result == 0 ==> 0 < turn_view.n ==> !gave_up(m) ==> !matched(turn_view, turn_uses, node);
    ensures  outputs:  \result != 0 ==> outs_in(m);
    ensures  kept:     m->rule == \old(m->rule) && m->g->values == \old(m->g->values) && turn_ready(m, m->rule) && turn_kept{Pre,Post}(m);
*/
static bool search_at(struct matcher *m, int node, struct fixed_mark first)
{
    int code = FIXED_LIMIT;
    bool yes;

    if (m->plan[m->rule].fixed) {
        code = match_fixed(m, node);
        /*@ assert kept: turn_kept{Pre,Here}(m); */
        /*@ assert plan: wf_plan(turn_view) && wf_graph(turn_view); */
        /*@ assert same: m->rule == \at(m->rule, Pre) && m->g->values == \at(m->g->values, Pre); */
        /*@ assert ready: turn_ready(m, m->rule); */
        /*@ assert none: code == FIXED_NO ==> !matched(turn_view, turn_uses, node); */
    }
    /*@ assert so_far: turn_kept{Pre,Here}(m); */
    /*@ assert still: m->rule == \at(m->rule, Pre) && m->g->values == \at(m->g->values, Pre) && turn_ready(m, m->rule); */
    if (code != FIXED_LIMIT)
        return code == FIXED_YES;
    if (m->status != CALQUE_OK)
        return false;
    yes = match_engine(m, node, first);
    /*@ assert view: same_view{Pre,Here}(turn_view); */
    /*@ assert uses: kept_uses{Pre,Here}(turn_uses); */
    /*@ assert around: 0 < turn_view.n ==> around_of(turn_view, turn_uses) == around_of{Pre}(turn_view, turn_uses); */
    /*@ assert all: turn_kept{Pre,Here}(m); */
    return yes;
}

/* The values made are gone. */
/*@ requires turn:     turn_ready(m, rule) && values_off(m->g->values, m, turn_view, turn_uses);
    terminates \true;
    exits    never:    \false;
    assigns  m->g->values->n, m->g->values->npool;
    ensures  turn:     turn_ready(m, rule) && same_view{Pre,Post}(turn_view) && kept_uses{Pre,Post}(turn_uses);
    ensures  fail:     m->status == \old(m->status) && m->fail.rule == \old(m->fail.rule) && m->g == \old(m->g);
*/
static void drop_values(struct matcher *m, struct fixed_mark first) /*@ ghost (int rule) */
{
    struct values *vs = m->g->values;

    vs->n = first.n;
    vs->npool = first.npool;
    /*@ assert graph: same_graph{Pre,Here}(turn_view); */
    /*@ assert patterns: same_patterns{Pre,Here}(turn_view); */
    /*@ assert kids: same_number{Pre,Here}(turn_view.kid, turn_view.kids); */
    /*@ assert in: same_number{Pre,Here}(turn_view.in, turn_view.ins); */
    /*@ assert pos: same_number{Pre,Here}(turn_view.pos, turn_view.n); */
    /*@ assert up: same_number{Pre,Here}(turn_view.up, turn_view.n); */
    /*@ assert orders: same_number{Pre,Here}(turn_view.commutes, turn_view.ops); */
    /*@ assert heads: same_heads{Pre,Here}(turn_uses, -1) && same_in{Pre,Here}(turn_uses) && same_labels_of{Pre,Here}(turn_uses); */
    /*@ assert users: same_users{Pre,Here}(turn_uses); */
    /*@ assert prevs: same_prevs{Pre,Here}(turn_uses, -1, -1); */
    /*@ assert nexts: same_nexts{Pre,Here}(turn_uses, -1, -1); */
}

/* Memory is out. */
/*@ requires turn:     turn_ready(m, rule);
    requires message:  d == \null || \valid(d) && diag_off(d, m, turn_view, turn_uses);
    terminates \true;
    exits    never:    \false;
    assigns  *d;
    ensures  result:   \result == CALQUE_NOMEM;
    ensures  turn:     turn_ready(m, rule) && same_view{Pre,Post}(turn_view) && kept_uses{Pre,Post}(turn_uses);
    ensures  fail:     m->status == \old(m->status) && m->fail.rule == \old(m->fail.rule) && m->g == \old(m->g);
*/
static enum calque_status out_of_memory(struct diag *d) /*@ ghost (struct matcher *m, int rule) */
{
    enum calque_status status = diag_nomem(d);

    /*@ assert graph: same_graph{Pre,Here}(turn_view); */
    /*@ assert patterns: same_patterns{Pre,Here}(turn_view); */
    /*@ assert kids: same_number{Pre,Here}(turn_view.kid, turn_view.kids); */
    /*@ assert in: same_number{Pre,Here}(turn_view.in, turn_view.ins); */
    /*@ assert pos: same_number{Pre,Here}(turn_view.pos, turn_view.n); */
    /*@ assert up: same_number{Pre,Here}(turn_view.up, turn_view.n); */
    /*@ assert orders: same_number{Pre,Here}(turn_view.commutes, turn_view.ops); */
    /*@ assert heads: same_heads{Pre,Here}(turn_uses, -1) && same_in{Pre,Here}(turn_uses) && same_labels_of{Pre,Here}(turn_uses); */
    /*@ assert slots: same_users{Pre,Here}(turn_uses) && same_prevs{Pre,Here}(turn_uses, -1, -1) && same_nexts{Pre,Here}(turn_uses, -1, -1); */
    return status;
}

/* No match: the values made are gone. */
/*@ requires turn:     turn_ready(m, rule) && values_off(m->g->values, m, turn_view, turn_uses);
    requires message:  d == \null || \valid(d) && diag_off(d, m, turn_view, turn_uses);
    terminates \true;
    exits    never:    \false;
    assigns  m->g->values->n, m->g->values->npool, *d;
    ensures  result:   \result == (\old(m->status) == CALQUE_NOMEM ? CALQUE_NOMEM : CALQUE_NO);
    ensures  same:     0 < turn_view.n ==> !matched{Pre}(turn_view, turn_uses, node) ==> !matched(turn_view, turn_uses, node);
    ensures  fail:     gave_up(m) <==> gave_up{Pre}(m);
    ensures  kept:     turn_ready(m, rule) && turn_kept{Pre,Post}(m);
*/
static enum calque_status no_match(struct matcher *m, struct fixed_mark first, struct diag *d) /*@ ghost (int rule, int node) */
{
    enum calque_status status = CALQUE_NO;

    /*@ ghost if (0 < turn_view.n) matches_local(turn_view, node); */
    /*@ ghost if (0 < turn_view.n) local_matches(turn_view, node); */
    drop_values(m, first) /*@ ghost (rule) */;
    if (m->status == CALQUE_NOMEM)
        status = out_of_memory(d) /*@ ghost (m, rule) */;
    /*@ assert view: same_view{Pre,Here}(turn_view); */
    /*@ assert uses: kept_uses{Pre,Here}(turn_uses); */
    /*@ assert plan: 0 < turn_view.n ==> wf_plan(turn_view) && wf_graph(turn_view); */
    /*@ assert relations: 0 < turn_view.n ==> same_relations{Pre,Here}(turn_view, turn_uses); */
    /*@ assert around: 0 < turn_view.n ==> around_of(turn_view, turn_uses) == around_of{Pre}(turn_view, turn_uses); */
    /*@ assert solution: \forall pmap q; 0 < turn_view.n ==> (solution(turn_view, q, node) <==> solution{Pre}(turn_view, q, node)); */
    /*@ ghost if (0 < turn_view.n) matches_local(turn_view, node); */
    /*@ ghost if (0 < turn_view.n) local_matches(turn_view, node); */
    /*@ assert same: \forall pmap q; 0 < turn_view.n ==> (matches(turn_view, q, node) <==> matches{Pre}(turn_view, q, node)); */
    return status;
}

enum calque_status match_at(struct matcher *m, int rule, int node, struct diag *d)
{
    const struct values *vs = m->g->values;
    struct fixed_mark first = { .n = vs->n, .npool = vs->npool };

    enum calque_status status;
    bool yes = match_begin(m, rule, node);

    /*@ assert started: turn_kept{Pre,Here}(m); */
    yes = yes && search_at(m, node, first);
    /*@ assert view: same_view{Pre,Here}(turn_view); */
    /*@ assert uses: kept_uses{Pre,Here}(turn_uses); */
    /*@ assert around: 0 < turn_view.n ==> around_of(turn_view, turn_uses) == around_of{Pre}(turn_view, turn_uses); */
    /*@ assert searched: turn_kept{Pre,Here}(m); */
    if (yes)
        return CALQUE_OK;
    /*@ ghost None: ; */
    status = no_match(m, first, d) /*@ ghost (rule, node) */;
    /*@ assert last_view: same_view{Pre,Here}(turn_view); */
    /*@ assert last_uses: kept_uses{Pre,Here}(turn_uses); */
    return status;
}

/* What the searches at all nodes came to, and how many were given up. */
struct nodes_end {
    enum calque_status status;
    long given_up;
};

/*@ requires arrays:   0 <= n && 0 <= outs && \valid(used + (0 .. n - 1)) && \valid_read(out + (0 .. outs - 1));
    requires outputs:  \forall integer k; 0 <= k < outs ==> 0 <= out[k] < n;
    terminates \true;
    exits    never:    \false;
    assigns  used[0 .. n - 1];
    ensures  used:     \forall integer e; 0 <= e < n ==> (used[e] != 0 <==> \old(used[e]) != 0 || among(out, outs, e));
*/
static void mark_outputs(bool *used, const int *out, int outs) /*@ ghost (int n) */
{
    /*@ loop invariant range: 0 <= k <= outs;
        loop invariant used:  \forall integer e; 0 <= e < n ==> (used[e] != 0 <==> \at(used[e], Pre) != 0 || among(out, k, e));
        loop assigns k, used[0 .. n - 1];
        loop variant outs - k;
    */
    for (int k = 0; k < outs; k++)
        used[out[k]] = true;
}

enum calque_status match_show(match_see *see, void *ctx, const struct matcher *m, struct diag *d) /*@ ghost (int rule, int node) */
{
    return see(ctx, m, d);
}

/*@ ghost
/@ requires plan:     wf_plan(v) && 0 <= v.patterns;
   terminates \true;
   exits    never:    \false;
   assigns  \nothing;
   ensures  local:    \forall integer x, pmap q; 0 <= x < v.nodes ==> (matches(v, q, x) <==> solution(v, q, x));
@/
void all_local(struct fixed_view v)
{
    /@ loop invariant local: \forall integer x, pmap q; 0 <= x < e ==> (matches(v, q, x) <==> solution(v, q, x));
       loop invariant range: 0 <= e;
       loop assigns e;
       loop variant v.nodes - e;
    @/
    for (int e = 0; e < v.nodes; e++) {
        matches_local(v, e);
        local_matches(v, e);
    }
}
*/

/* Searches at each node that is no output of a match before; used: the outputs. All of them, unless some were given up. */
/*@ requires turn:     turn_ready(m, rule) && \valid_read(starts);
    requires message:  d == \null || \valid(d) && diag_off(d, m, turn_view, turn_uses);
    requires used:     \valid(used + (0 .. turn_view.nodes - 1)) && \forall integer e; 0 <= e < turn_view.nodes ==> used[e] == 0;
    requires apart:    \separated(used + (0 .. turn_view.nodes - 1), turn_view.pattern + (0 .. turn_view.patterns - 1)) &&
                       \separated(used + (0 .. turn_view.nodes - 1), m);
    terminates \true;
    exits    never:    \false;
    SEARCH_ASSIGNS
    assigns  *d, used[0 .. turn_view.nodes - 1];
    ensures  matches:  0 < turn_view.n ==> \forall integer e; 0 <= e < turn_view.nodes ==> used[e] != 0 ==> matched(turn_view, turn_uses, e);
    ensures  all:      0 < turn_view.n ==> \result.status == CALQUE_OK ==> \result.given_up == 0 ==> \forall integer e;
                       0 <= e < turn_view.nodes ==> matched(turn_view, turn_uses, e) ==> used[e] != 0;
    ensures  kept:     turn_ready(m, rule) && turn_kept{Pre,Post}(m);
*/
static struct nodes_end match_nodes(struct matcher *m, const struct match_starts *starts, int rule, bool *used, match_see *see,
                                    void *ctx, struct diag *d)
{
    struct nodes_end end = { CALQUE_OK, 0 };
    int n = m->g->node.n;
    bool more = true;
    long spent = 0;

    /*@ ghost if (0 < turn_view.n) all_local(turn_view); */
    /*@ loop invariant range:   0 <= v <= n && n == turn_view.nodes && 0 <= end.given_up <= v && (!more ==> 0 < end.given_up);
        loop invariant ready:   turn_ready(m, rule) && m->g == \at(m->g, Pre);
        loop invariant kept:    turn_kept{Pre,Here}(m);
        loop invariant used:    \forall integer e; v <= e < n ==> 0 < turn_view.n ==> used[e] == 0;
        loop invariant matches: 0 < turn_view.n ==> \forall integer e; 0 <= e < v ==> used[e] != 0 ==> matched{Pre}(turn_view, turn_uses, e);
        loop invariant all:     0 < turn_view.n ==> end.status == CALQUE_OK ==> end.given_up == 0 ==> \forall integer e; 0 <= e < v ==>
                                matched{Pre}(turn_view, turn_uses, e) ==> used[e] != 0;
        loop assigns v, end, more, spent, *m, { *p | int *p }, { *q | unsigned *q }, { *w | long *w }, { *z | unsigned long *z },
                     { *c | char *c }, { *b | unsigned char *b }, { *s | struct values *s }, { *t | struct strs *t },
                     { *e | struct match_entry *e }, *d, used[0 .. turn_view.nodes - 1];
        loop variant n - v;
    */
    for (int v = 0; v < n && more && end.status == CALQUE_OK; v++) {
        bool lost;

        if (used[v] || !match_starts_at(starts, m, rule, v)) {
            /*@ ghost if (0 < turn_view.n) matches_local(turn_view, v); */
            /*@ ghost if (0 < turn_view.n) local_matches(turn_view, v); */
            /*@ assert none: \forall pmap q; 0 < turn_view.n ==> (solution(turn_view, q, v) <==> solution{Pre}(turn_view, q, v)); */
            /*@ assert not: 0 < turn_view.n ==> !matched{Pre}(turn_view, turn_uses, v); */
            continue;
        }
        end.status = match_at(m, rule, v, d);
        /*@ ghost if (0 < turn_view.n) matches_local(turn_view, v); */
        /*@ ghost if (0 < turn_view.n) local_matches(turn_view, v); */
        /*@ assert view: same_view{Pre,Here}(turn_view) && kept_uses{Pre,Here}(turn_uses); */
        /*@ assert around: 0 < turn_view.n ==> around_of(turn_view, turn_uses) == around_of{Pre}(turn_view, turn_uses); */
        /*@ assert solution: \forall pmap q; 0 < turn_view.n ==> (solution(turn_view, q, v) <==> solution{Pre}(turn_view, q, v)); */
        /*@ assert same: 0 < turn_view.n ==> (matched(turn_view, turn_uses, v) <==> matched{Pre}(turn_view, turn_uses, v)); */
        /*@ assert found: 0 < turn_view.n ==> end.status == CALQUE_OK ==> matched{Pre}(turn_view, turn_uses, v); */
        more = match_spend(&spent, m, end.status);
        lost = end.status == CALQUE_NO && match_gave_up(m);
        end.given_up += lost || !more;
        /*@ assert decided: 0 < turn_view.n ==> end.status == CALQUE_NO ==> end.given_up == 0 ==> !matched{Pre}(turn_view, turn_uses, v); */
        if (end.status == CALQUE_OK) {
            end.status = match_show(see, ctx, m, d) /*@ ghost (rule, v) */;
            /*@ ghost Shown: ; */
            /*@ assert shown: same_view{Pre,Here}(turn_view) && kept_uses{Pre,Here}(turn_uses); */
            /*@ assert unused: \forall integer e; 0 <= e < n ==> used[e] == \at(used[e], LoopCurrent); */
            /*@ assert output: 0 < turn_view.n ==> m->outs.n == 1 && m->outs.a[0] == v; */
            mark_outputs(used, m->outs.a, m->outs.n) /*@ ghost (n) */;
            /*@ assert only: \forall integer e; 0 < turn_view.n ==> 0 <= e < n ==> (used[e] != 0 <==> \at(used[e], Shown) != 0 || e == v); */
            /*@ assert each: 0 < turn_view.n ==> \forall integer e; 0 <= e < v + 1 ==> used[e] != 0 ==> matched{Pre}(turn_view, turn_uses, e); */
            /*@ assert flags: flags_kept{Pre,Here}(turn_view); */
            /*@ assert marked: same_view{Pre,Here}(turn_view) && kept_uses{Pre,Here}(turn_uses); */
        } else if (end.status == CALQUE_NO)
            end.status = CALQUE_OK;
        /*@ assert relations: 0 < turn_view.n ==> same_relations{Pre,Here}(turn_view, turn_uses); */
        /*@ assert so_far: turn_kept{Pre,Here}(m); */
        /*@ assert here: 0 < turn_view.n ==> end.status == CALQUE_OK ==> end.given_up == 0 ==> matched{Pre}(turn_view, turn_uses, v) ==>
                         used[v] != 0; */
        /*@ assert before: 0 < turn_view.n ==> \forall integer e; 0 <= e < v ==> \at(used[e], LoopCurrent) != 0 ==> used[e] != 0; */
    }
    /*@ ghost if (0 < turn_view.n) all_local(turn_view); */
    /*@ assert solutions: \forall integer e, pmap q; 0 < turn_view.n ==> 0 <= e < n ==>
                          (solution(turn_view, q, e) <==> solution{Pre}(turn_view, q, e)); */
    /*@ assert end: \forall integer e; 0 < turn_view.n ==> 0 <= e < n ==>
                    (matched(turn_view, turn_uses, e) <==> matched{Pre}(turn_view, turn_uses, e)); */
    return end;
}

/* A turn of the rule. Its calls of match_nodes are not proved: memory. */
static enum calque_status match_rule_all(struct matcher *m, const struct match_starts *starts, int rule, match_see *see, void *ctx,
                                         long *given_up, struct diag *d)
{
    bool *used = mem_zero(m->rules->mem, (size_t)m->g->node.n + 1, sizeof *used);
    struct nodes_end end = { CALQUE_NOMEM, 0 };

    m->used = used;
    if (used)
        end = match_nodes(m, starts, rule, used, see, ctx, d);
    else
        diag_nomem(d);
    m->used = NULL;
    mem_free(used);
    *given_up += end.given_up;
    return end.status;
}

enum calque_status match_all_limits(const struct rules *rules, const struct graph *g, int rule, match_see *see, void *ctx,
                                    long *limits, struct diag *d)
{
    struct uses uses;
    struct matcher m;
    struct match_starts starts = { .rules = 0 };
    enum calque_status status;

    uses_init(&uses, rules->mem);
    status = match_starts_init(&starts, rules) ? uses_build(&uses, g, d) : diag_nomem(d);
    if (status == CALQUE_OK)
        status = matcher_init(&m, rules, g, &uses, d);
    if (status == CALQUE_OK) {
        m.brief = true;
        for (int k = rule < 0 ? 0 : rule; k < (rule < 0 ? rules->rule.n : rule + 1) && status == CALQUE_OK; k++)
            status = match_rule_all(&m, &starts, k, see, ctx, &limits[k], d);
        matcher_free(&m);
    }
    uses_free(&uses);
    match_starts_free(&starts);
    return status;
}

enum calque_status match_all(const struct rules *rules, const struct graph *g, int rule, match_see *see, void *ctx,
                             long *given_up, struct diag *d)
{
    long *limits = mem_zero(rules->mem, (size_t)rules->rule.n + 1, sizeof *limits);
    enum calque_status status = limits ? match_all_limits(rules, g, rule, see, ctx, limits, d) : diag_nomem(d);

    if (given_up)
        *given_up = 0;
    for (int k = 0; k < rules->rule.n && limits && given_up; k++)
        *given_up += limits[k];
    mem_free(limits);
    return status;
}

/* ---- text ---- */

/* Addresses ascending by pattern, then instance; lengths; alternatives. */
static int compare(const void *a, const void *b)
{
    const struct match_entry *x = a, *y = b;

    if (x->kind != y->kind)
        return x->kind < y->kind ? -1 : 1;
    if (x->pattern != y->pattern)
        return x->pattern < y->pattern ? -1 : 1;
    if (x->instance != y->instance)
        return x->instance < y->instance ? -1 : 1;
    return (x->node > y->node) - (x->node < y->node);
}

struct match_entry *match_sorted(const struct matcher *m)
{
    struct match_entry *e = mem_zero(m->rules->mem, (size_t)m->entry.n + 1, sizeof *e);

    if (!e)
        return NULL;
    if (m->entry.n > 0)
        memcpy(e, m->entry.a, (size_t)m->entry.n * sizeof *e);
    qsort(e, (size_t)m->entry.n, sizeof *e, compare);
    return e;
}

void match_print(struct text *t, const struct matcher *m)
{
    struct match_entry *sorted = match_sorted(m);

    t->failed |= !sorted;
    text_printf(t, "(match %s (", rules_name(m->rules, m->rule));
    for (int k = 0; k < m->outs.n; k++)
        text_printf(t, "%s%d", k ? " " : "", m->outs.a[k]);
    text_puts(t, ")");
    for (int k = 0; sorted && k < m->entry.n; k++) {
        const struct match_entry *e = &sorted[k];
        if (e->kind == ENTRY_LENGTH || e->kind == ENTRY_TAKEN)
            text_printf(t, " (%s %d %d)", e->kind == ENTRY_LENGTH ? "length" : "alt", e->pattern, e->node);
        else if (e->instance < 0)
            text_printf(t, " (%d ", e->pattern);
        else
            text_printf(t, " (%d@%d ", e->pattern, e->instance);
        if (e->kind == ENTRY_NODE)
            text_puts(t, e->node < 0 ? "-)" : "");
        if (e->kind == ENTRY_NODE && e->node >= 0)
            text_printf(t, "%d)", e->node);
    }
    text_puts(t, ")");
    mem_free(sorted);
}

/* Why there is no match: the failure furthest on, and its texts where they are asked for. */

const char *match_word(const struct matcher *m, int node)
{
    static const char *const word[] = { "a graph input", "a constant", "", "a projection", "a tuple" };
    const struct node *nd;

    if (node < 0)
        return "an absent input";
    nd = &m->g->node.a[node];
    return nd->kind == NODE_OP ? op_info(nd->op)->name : word[nd->kind];
}

int match_judgement(const struct pattern *q)
{
    static const int of[] = { MATCH_WILDCARD, MATCH_VARIABLE, MATCH_CONST, MATCH_CALL,     MATCH_TUPLE,
                              MATCH_PROJ,     MATCH_OPTIONAL, MATCH_ABSENT, MATCH_ALT,     MATCH_OPERATOR,
                              MATCH_VARIADIC, MATCH_INST,     MATCH_NONE,   MATCH_NONE };
    return of[q->kind];
}

/* The judgement failed for p at node; true if this is the furthest failure so far. The others: always
   false; texts only if m->explain. */
static bool match_record(struct matcher *m, int judgement, int phase, int p, int node)
{
    const struct rule *r = match_rule_of(m);
    long progress = judgement == MATCH_LIMIT ? LONG_MAX : (long)phase * MATCH_FAR + m->entry.n + 1;

    if (progress <= m->progress)
        return false;
    m->progress = progress;
    m->fail = (struct match_fail){ .rule = judgement, .pattern = p, .node = node < 0 ? -1 : node };
    if (p >= 0) {
        m->fail.line = r->pattern.a[p].line;
        m->fail.col = r->pattern.a[p].col;
    }
    return true;
}

void match_count(char *buf, size_t n, const char *format, int k)
{
    snprintf(buf, n, format, k);
}

bool match_failed(struct matcher *m, int judgement, int p, int node, const char *want, const char *got)
{
    if (match_record(m, judgement, PHASE_STRUCTURE, p, node) && m->explain) {
        snprintf(m->fail.want, sizeof m->fail.want, "%s", want);
        snprintf(m->fail.got, sizeof m->fail.got, "%s", got);
    }
    return false;
}

bool match_limit(struct matcher *m, enum calque_status status, int p, int node)
{
    m->status = status;
    return match_failed(m, MATCH_LIMIT, p, node, "evaluation within its limits", "a limit exceeded");
}

static const char *describe(const struct matcher *m, int node, char *buf, size_t n)
{
    if (node < 0)
        snprintf(buf, n, "an absent input");
    else if (graph_name(m->g, node)[0])
        snprintf(buf, n, "%s %s", match_word(m, node), graph_name(m->g, node));
    else
        snprintf(buf, n, "%s (node %d)", match_word(m, node), node);
    return buf;
}

static void put_value(const struct matcher *m, int value, char *buf, size_t n)
{
    struct text t;

    snprintf(buf, n, "no value");
    if (value < 0)
        return;
    text_init(&t, m->rules->mem);
    value_print(&t, m->g->values, m->g->strs, value);
    if (!t.failed)
        snprintf(buf, n, "%s", t.a);
    text_free(&t);
}

static void put_expr(const struct matcher *m, int expr, char *buf, size_t n)
{
    struct text t;

    text_init(&t, m->rules->mem);
    attr_print(&t, &match_rule_of(m)->attrs, m->g->strs, expr);
    snprintf(buf, n, "%s", t.failed ? "?" : t.a);
    text_free(&t);
}

bool match_failed_function(struct matcher *m, int p, int node, int to)
{
    if (match_record(m, MATCH_FUNCTION, PHASE_STRUCTURE, p, node) && m->explain) {
        describe(m, to, m->fail.want, sizeof m->fail.want);
        describe(m, node, m->fail.got, sizeof m->fail.got);
    }
    return false;
}

bool match_failed_attr(struct matcher *m, int judgement, const struct match_entry *e, int label, int expr, int value)
{
    const char *name = strs_text(m->g->strs, label);
    char text[sizeof m->fail.want];

    if (!match_record(m, judgement, PHASE_STRUCTURE, e->pattern, e->kind == ENTRY_NODE ? e->node : m->root) ||
        !m->explain)
        return false;
    put_expr(m, expr, text, sizeof text);
    snprintf(m->fail.want, sizeof m->fail.want, "%.30s = %.120s", name, text);
    put_value(m, value, text, sizeof text);
    snprintf(m->fail.got, sizeof m->fail.got, "%.30s = %.120s", name, text);
    return false;
}

bool match_failed_injective(struct matcher *m, int p, int node, int other)
{
    const struct rule *r = match_rule_of(m);
    char text[sizeof m->fail.want];

    if (match_record(m, MATCH_INJECTIVE, PHASE_STRUCTURE, p, node) && m->explain) {
        snprintf(m->fail.want, sizeof m->fail.want, "a node no other pattern stands for");
        snprintf(m->fail.got, sizeof m->fail.got, "%.60s, which the %s of line %d stands for",
                 describe(m, node, text, sizeof text), pattern_word(r, other), r->pattern.a[other].line);
    }
    return false;
}

bool match_failed_whole(struct matcher *m, int judgement, int p, int node, int other)
{
    bool use = judgement == MATCH_USE, itself = !use && node == other;
    char text[sizeof m->fail.want];

    if (match_record(m, judgement, use ? PHASE_USE : PHASE_CONVEX, p, node) && m->explain) {
        snprintf(m->fail.want, sizeof m->fail.want,
                 use ? "no use outside the match" : "a node that is computed from no output");
        snprintf(m->fail.got, sizeof m->fail.got, "%s%.100s%s", use || itself ? "" : "one computed from output ",
                 use && other < 0 ? "a graph output" : describe(m, other, text, sizeof text),
                 use ? " uses it" : itself ? ", the output itself" : "");
    }
    return false;
}

bool match_failed_require(struct matcher *m, int k, int value)
{
    const struct rule_require *c = &match_rule_of(m)->require.a[k];
    bool is_bool = value >= 0 && m->g->values->v[value].kind == VALUE_BOOL;

    if (match_record(m, is_bool ? MATCH_REQUIRE : MATCH_STUCK, PHASE_REQUIRE, -1, m->root)) {
        m->fail.line = c->line;
        m->fail.col = c->col;
        if (m->explain) {
            put_expr(m, c->expr, m->fail.want, sizeof m->fail.want);
            put_value(m, value, m->fail.got, sizeof m->fail.got);
        }
    }
    return false;
}
