/* What a rule asks of a map, in one turn of the matcher and in two. Guards: simple_match.h, simple_match.acsl, accepts.acsl,
   claims.acsl. */
#include "attr/eval.h"
#include "pattern/simple_match.h"
#ifdef __FRAMAC__
#include "pattern/claims.acsl"
#endif

/*@ requires map:   \valid(m) && m->entry.n == v.n && is_map(a.entries, v, at, a.one) && sources(m, v, u) && in_step(v, u);
    requires match: solution(v, map_of(at, v.patterns), node) && 0 < v.n;
    requires ready: is_ready(m, a, v, u, at, node);
*/
void client_fixed_claim(struct matcher *m, struct fixed_map a, struct fixed_view v, const long *at, int node, struct uses_view u)
{
    bool x = fixed_claim(m, 0) /*@ ghost (a, v, at, node, u) */;

    /*@ assert map: is_map(a.entries, v, at, a.one); */
    /*@ assert yes: x != 0 ==> claims(map_of(at, v.patterns), v.pos[0]); */
    /*@ assert around: around_of(v, u) == around_of{Pre}(v, u); */
    /*@ assert BOOM: \false; */
}

/*@ requires map:   \valid(m) && m->entry.n == v.n && is_map(a.entries, v, at, a.one) && sources(m, v, u) && in_step(v, u);
    requires match: solution(v, map_of(at, v.patterns), node);
    requires ready: is_ready(m, a, v, u, at, node);
*/
void client_fixed_attrs(struct matcher *m, struct fixed_map a, struct fixed_view v, const long *at, int node, struct uses_view u)
{
    bool x = fixed_attrs(m) /*@ ghost (a, v, at, node, u) */;

    /*@ assert yes: x != 0 ==> open_claims(map_of(at, v.patterns)); */
    /*@ assert BOOM: \false; */
}

/*@ requires map:   \valid(m) && m->entry.n == v.n && is_map(a.entries, v, at, a.one) && sources(m, v, u) && in_step(v, u);
    requires match: solution(v, map_of(at, v.patterns), node);
    requires output: only_output(m, v, node);
*/
void client_fixed_requires(struct matcher *m, struct fixed_map a, struct fixed_view v, const long *at, int node, struct uses_view u,
                           struct fixed_mark first)
{
    bool x = fixed_requires(m, first) /*@ ghost (a, v, at, node, u) */;

    /*@ assert yes: x != 0 ==> conditions(map_of(at, v.patterns)); */
    /*@ assert BOOM: \false; */
}

/* What a map that is accepted satisfies, by the judgements. */
/*@ requires yes:   accepts(around_of(v, u), map_of(at, v.patterns)) && wf_plan(v) && 0 < v.n; */
void client_accepts(struct fixed_view v, struct uses_view u, long *at, int p, int label, int i, int e, int x)
{
    /*@ assert place: place(around_of(v, u), 0) == v.pos[0]; */
    /*@ assert claim: claimed(v.pos[0], label, i) ==> agrees(map_of(at, v.patterns), v.pos[0], label, i); */
    /*@ assert open:  claimed_open(p, label, i) ==> agrees(map_of(at, v.patterns), p, label, i); */
    /*@ assert rule:  required(i) ==> \exists value t; true_value(t) && ae(rule_exprs, map_env(map_of(at, v.patterns)), i, t); */
    /*@ assert use:   map_inner(around_of(v, u), map_of(at, v.patterns), e) ==> !map_output(around_of(v, u), map_of(at, v.patterns), e) ==>
                      has_user(around_of(v, u), e, x) ==> map_inner(around_of(v, u), map_of(at, v.patterns), x); */
    /*@ assert BOOM: \false; */
}

/* The same lists and the same graph: the same question. */
/*@ requires plan:  wf_plan(v) && wf_graph(v) && valid_fixed(v) && \valid(x) && \separated(x, v.pos + (0 .. v.n - 1)); */
void client_around(struct fixed_view v, struct uses_view u, unsigned char *x, long *at)
{
    *x = 1;
    /*@ assert same: same_map{Pre,Here}(at, v.patterns) && map_of(at, v.patterns) == map_of{Pre}(at, v.patterns); */
    /*@ assert BOOM: \false; */
}

/* Another turn, another question: a map that was accepted may be refused. */
/*@ requires yes: claims(map_of(at, 3), 1) && conditions(map_of(at, 3)); */
void client_match_turns(long *at)
{
    /*@ assert still: conditions{Here}(map_of(at, 3)); */
    /*@ ghost match_turn = 5 - match_turn / 2; */
    /*@ assert same:  map_of(at, 3) == map_of{Pre}(at, 3); */
    /*@ assert node:  node_of(map_of(at, 3), 1) == at[1]; */
    /*@ assert BOOM: \false; */
}

/*@ requires valid: \valid(m) && \valid(plan) && \valid(mem) && plan->pos.n == 0 && plan->up.n == 0 && \separated(m, plan, mem) && sources(m, v, u); */
void client_fixed_room(struct matcher *m, struct fixed_view v, struct match_plan *plan, struct mem *mem, struct rule *r, struct uses_view u)
{
    struct fixed_map a = fixed_room(m, v) /*@ ghost (u) */;
    bool b = fixed_plan_room(plan, mem) /*@ ghost (r, v) */;

    /*@ assert room: b == 1 ==> plan_room(plan); */
    /*@ assert BOOM: \false; */
}

/*@ requires map:   \valid(m) && m->entry.n == v.n && is_map(a.entries, v, at, a.one) && sources(m, v, u) && in_step(v, u);
    requires match: solution(v, map_of(at, v.patterns), node) && its_arrays(m, a, v) && \separated(m, at + (0 .. v.patterns - 1));
*/
void client_fixed_output(struct matcher *m, struct fixed_map a, struct fixed_view v, const long *at, int node, struct uses_view u)
{
    struct fixed_mark f = fixed_output(m, node) /*@ ghost (a, v, at, u) */;

    /*@ assert map: is_map(a.entries, v, at, a.one) && m->entry.n == v.n; */
    /*@ assert ready: f.ok != 0 ==> only_output(m, v, node); */
    /*@ assert out: f.ok != 0 ==> m->outs.n == 1; */
    /*@ assert BOOM: \false; */
}

/*@ requires map:   \valid(m) && m->entry.n == v.n && is_map(a.entries, v, at, a.one) && sources(m, v, u) && in_step(v, u);
    requires match: solution(v, map_of(at, v.patterns), node);
*/
void client_fixed_back(struct matcher *m, struct fixed_map a, struct fixed_view v, const long *at, int node, struct uses_view u)
{
    struct fixed_mark f = { true, 0, 0 };

    fixed_back(m, f) /*@ ghost (a, v, at, node, u) */;
    /*@ assert map: is_map(a.entries, v, at, a.one) && m->entry.n == v.n; */
    /*@ assert BOOM: \false; */
}
