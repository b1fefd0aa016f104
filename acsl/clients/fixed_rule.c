/* What a rule asks of a map, in one turn of the matcher and in two. Guards: simple_match.h, simple_match.acsl. */
#include "pattern/simple_match.h"

/*@ requires map:   \valid(m) && m->entry.n == v.n && is_map(a.entries, v, at, a.one);
    requires match: solution(v, map_of(at, v.patterns), node) && 0 < v.n;
*/
void client_fixed_claim(struct matcher *m, struct fixed_map a, struct fixed_view v, const long *at, int node)
{
    bool x = fixed_claim(m, 0) /*@ ghost (a, v, at, node) */;

    /*@ assert map: is_map(a.entries, v, at, a.one); */
    /*@ assert yes: x != 0 ==> claims(map_of(at, v.patterns), 0); */
    /*@ assert BOOM: \false; */
}

/* The values and their array may be others afterwards. */
/*@ requires map:   \valid(m) && m->entry.n == v.n && is_map(a.entries, v, at, a.one) && \valid_read(vs);
    requires match: solution(v, map_of(at, v.patterns), node);
    requires all:   \forall integer k; 0 <= k < v.n ==> claims(map_of(at, v.patterns), k);
*/
void client_fixed_conditions(struct matcher *m, struct fixed_map a, struct fixed_view v, const long *at, int node, struct values *vs)
{
    bool x = fixed_conditions(m) /*@ ghost (a, v, at, node) */;

    /*@ assert yes:  x != 0 ==> accepts(map_of(at, v.patterns)); */
    /*@ assert BOOM: \false; */
}

/* Another turn, another question: a map that was accepted may be refused. */
/*@ requires yes: accepts(map_of(at, 3)); */
void client_match_turns(long *at)
{
    /*@ assert still: accepts{Here}(map_of(at, 3)); */
    /*@ ghost match_turn = 5 - match_turn / 2; */
    /*@ assert same:  map_of(at, 3) == map_of{Pre}(at, 3); */
    /*@ assert node:  node_of(map_of(at, 3), 1) == at[1]; */
    /*@ assert BOOM: \false; */
}

/*@ requires valid: \valid(m) && \valid(plan) && \valid(mem) && plan->pos.n == 0 && plan->up.n == 0 && \separated(m, plan, mem); */
void client_fixed_room(struct matcher *m, struct fixed_view v, struct match_plan *plan, struct mem *mem, struct rule *r)
{
    struct fixed_map a = fixed_room(m, v);
    bool b = fixed_plan_room(plan, mem) /*@ ghost (r, v) */;

    /*@ assert room: b == 1 ==> plan_room(plan); */
    /*@ assert BOOM: \false; */
}

/*@ requires map:   \valid(m) && m->entry.n == v.n && is_map(a.entries, v, at, a.one);
    requires match: solution(v, map_of(at, v.patterns), node);
*/
void client_fixed_output(struct matcher *m, struct fixed_map a, struct fixed_view v, const long *at, int node)
{
    struct fixed_mark f = fixed_output(m, node) /*@ ghost (a, v, at) */;

    /*@ assert map: is_map(a.entries, v, at, a.one) && m->entry.n == v.n; */
    /*@ assert BOOM: \false; */
}

/*@ requires map:   \valid(m) && m->entry.n == v.n && is_map(a.entries, v, at, a.one);
    requires match: solution(v, map_of(at, v.patterns), node);
*/
void client_fixed_back(struct matcher *m, struct fixed_map a, struct fixed_view v, const long *at, int node)
{
    struct fixed_mark f = { true, 0, 0 };

    fixed_back(m, f) /*@ ghost (a, v, at, node) */;
    /*@ assert map: is_map(a.entries, v, at, a.one) && m->entry.n == v.n; */
    /*@ assert BOOM: \false; */
}
