#include "pattern/match_fixed.h"

/*@ requires rule:     one_source(r) && \valid_read(plan);
    terminates \true;
    exits    never:    \false;
    assigns  \nothing;
    ensures  view:     \result == fixed_rule(r, plan, (int *)commutes);
*/
static struct fixed_view rule_view(const struct rule *r, const struct match_plan *plan, const int *commutes)
{
    return (struct fixed_view){
        .pattern = r->pattern.a, .kid = r->kid.a, .pos = plan->pos.a, .up = plan->up.a, .commutes = commutes,
        .patterns = r->source.a[0] + 1, .kids = r->kid.n, .n = plan->pos.n, .ops = OP_COUNT,
    };
}

/*@ ghost
/@ terminates \true;
   exits    never:    \false;
   assigns  \nothing;
   ensures  kid:      \forall integer p, q; child(v.pattern, v.kid, p, q) ==> kid_of(v, p, q);
   ensures  child:    \forall integer p, q; kid_of(v, p, q) ==> child(v.pattern, v.kid, p, q);
@/
static void children(struct fixed_view v)
{
    /@ assert kid: \forall integer p, k; kid(v, p, k) == v.kid[v.pattern[p].kid + k]; @/
}
*/

/*@ requires plan:     \valid(plan) && v.pos == plan->pos.a && v.up == plan->up.a && 0 <= v.n <= FIXED_MAX;
    requires apart:    \separated(plan, v.pos + (0 .. FIXED_MAX - 1)) && \separated(plan, v.up + (0 .. FIXED_MAX - 1)) &&
                       \separated(plan, v.pattern + (0 .. v.patterns - 1)) && \separated(plan, v.kid + (0 .. v.kids - 1)) &&
                       \separated(plan, v.commutes + (0 .. v.ops - 1)) && v.nodes == 0 && v.ins == 0;
    requires found:    v.n > 0 ==> wf_plan(v) && v.pos[0] == root && 0 <= root < v.patterns;
    requires source:   v.n > 0 ==> \forall integer p; listed(v, p) <==> in_source(v, root, p);
    requires plain:    v.n > 0 ==> \forall integer j; 0 <= j < v.n ==> plain(v, v.pos[j]);
    terminates \true;
    exits    never:    \false;
    assigns  plan->pos.n, plan->up.n, plan->fixed;
    ensures  planned:  planned(plan, v, root);
*/
static void keep(struct match_plan *plan, struct fixed_view v) /*@ ghost (int root) */
{
    /*@ ghost children(v); */
    plan->pos.n = plan->up.n = v.n;
    plan->fixed = v.n > 0;
    /*@ ghost
    if (v.n > 0) {
        /@ assert patterns: same_patterns{Pre,Here}(v); @/
        /@ assert kids: same_number{Pre,Here}(v.kid, v.kids); @/
        /@ assert pos: same_number{Pre,Here}(v.pos, v.n); @/
        /@ assert up: same_number{Pre,Here}(v.up, v.n); @/
        /@ assert commutes: same_number{Pre,Here}(v.commutes, v.ops); @/
        /@ assert view: same_view{Pre,Here}(v); @/
        /@ assert back: same_view{Here,Pre}(v); @/
        /@ assert plan: wf_plan(v); @/
        /@ assert plain: \forall integer j; 0 <= j < v.n ==> plain(v, v.pos[j]); @/
        /@ assert places: \forall integer j; 0 <= j < v.n ==> v.pos[j] == \at(v.pos[j], Pre) && v.up[j] == \at(v.up[j], Pre); @/
        /@ assert listed: \forall integer p; listed(v, p) <==> listed{Pre}(v, p); @/
        /@ assert range: \forall integer p; listed{Pre}(v, p) ==> wf_pattern{Pre}(v, p) && 0 <= p < v.patterns; @/
        children(v);
        /@ assert same: \forall integer p, q; listed{Pre}(v, p) ==> (kid_of(v, p, q) <==> kid_of{Pre}(v, p, q)); @/
        /@ loop invariant range:  0 <= d <= v.patterns;
           loop invariant source: \forall integer p, e; 0 <= e < d ==>
             (descends(v.pattern, v.kid, root, p, e) <==> descends{Pre}(v.pattern, v.kid, root, p, e));
           loop assigns d;
           loop variant v.patterns - d;
        @/
        for (int d = 0; d < v.patterns; d++) {
            /@ assert down: \forall integer p; descends{Pre}(v.pattern, v.kid, root, p, d) ==>
                            descends(v.pattern, v.kid, root, p, d); @/
            /@ assert back: \forall integer p; descends(v.pattern, v.kid, root, p, d) ==>
                            descends{Pre}(v.pattern, v.kid, root, p, d); @/
        }
        /@ assert source: \forall integer p; in_source(v, root, p) <==> in_source{Pre}(v, root, p); @/
        /@ assert listed_source: \forall integer p; listed(v, p) <==> in_source(v, root, p); @/
    }
    */
}

enum calque_status match_plan_fixed(struct match_plan *plan, const struct rule *r, const int *commutes, struct mem *mem)
{
    struct fixed_view v;

    if (r->source.n != 1)
        return CALQUE_OK;
    v = rule_view(r, plan, commutes);
    if (!fixed_plan_room(plan, mem) /*@ ghost (r, v) */)
        return CALQUE_NOMEM;
    v = fixed_plan(rule_view(r, plan, commutes), r->source.a[0], plan->pos.a, plan->up.a);
    keep(plan, v) /*@ ghost (r->source.a[0]) */;
    /*@ assert array: r->source.a == \at(r->source.a, Pre); */
    /*@ assert one: r->source.n == 1; */
    /*@ assert root: r->source.a[0] == \at(r->source.a[0], Pre); */
    /*@ assert rule: one_source(r); */
    /*@ assert view: v == fixed_rule(r, plan, (int *)commutes); */
    return CALQUE_OK;
}

/*@ requires held:     held_plan(m);
    terminates \true;
    exits    never:    \false;
    assigns  \nothing;
    ensures  view:     \result == fixed_of(m);
*/
static struct fixed_view view(const struct matcher *m)
{
    struct fixed_view v = rule_view(match_rule_of(m), &m->plan[m->rule], m->commutes);

    v.node = m->g->node.a;
    v.in = m->g->in.a;
    v.nodes = m->g->node.n;
    v.ins = m->g->in.n;
    return v;
}

bool match_fixed(struct matcher *m, int node, bool *known)
{
    struct fixed_view v = view(m);
    /*@ ghost const long *at = m->at; */
    int code = fixed_match(m, v, node, m->swap, m->at);

    /*@ ghost Matched: ; */
    /*@ assert plan: wf_plan(v) && wf_graph(v); */
    /*@ ghost matches_local(v, node); */
    /*@ ghost local_matches(v, node); */
    *known = code == FIXED_NO;
    /*@ assert map: map_of(at, v.patterns) == map_of{Matched}(at, v.patterns); */
    /*@ assert graph: same_graph{Matched,Here}(v); */
    /*@ assert flags: \forall integer p; 0 <= p < v.patterns ==> v.pattern[p].shared == \at(v.pattern[p].shared, Matched); */
    /*@ assert patterns: same_patterns{Matched,Here}(v); */
    /*@ assert numbers: same_number{Matched,Here}(v.kid, v.kids) && same_number{Matched,Here}(v.in, v.ins) &&
                        same_number{Matched,Here}(v.pos, v.n) && same_number{Matched,Here}(v.up, v.n) &&
                        same_number{Matched,Here}(v.commutes, v.ops); */
    /*@ assert view: same_view{Matched,Here}(v); */
    /*@ assert solution: \forall pmap q; solution(v, q, node) <==> solution{Matched}(v, q, node); */
    /*@ ghost matches_local(v, node); */
    /*@ ghost local_matches(v, node); */
    /*@ assert same: \forall pmap q; matches(v, q, node) <==> matches{Matched}(v, q, node); */
    return code == FIXED_YES;
}
