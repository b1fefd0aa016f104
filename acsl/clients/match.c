/* The proved match, and the texts of its failures. Guards: simple_match.h, convex.h. */
#include "pattern/simple_match.h"

/*@ requires held:  \valid(m) && held_plan(m) && \valid(known) && \separated(known, m);
    requires plan:  valid_fixed(fixed_of(m)) && wf_plan(fixed_of(m)) && wf_graph(fixed_of(m));
    requires at:    \valid(m->at + (0 .. fixed_of(m).patterns - 1)) && \valid(m->swap + (0 .. fixed_of(m).n - 1));
    requires apart: \separated(m, m->at + (0 .. fixed_of(m).patterns - 1)) && \separated(m, m->swap + (0 .. fixed_of(m).n - 1));
    requires flag:  \separated(known, fixed_of(m).pattern + (0 .. fixed_of(m).patterns - 1)) &&
                    \separated(known, m->uses->node.a + (0 .. m->uses->node.n - 1));
    requires lists: sources(m, fixed_of(m), uses_at(m)) && in_step(fixed_of(m), uses_at(m)) && valid_uses(uses_at(m));
    requires node:  0 <= node < m->g->node.n;
*/
void client_match_fixed(struct matcher *m, int node, bool *known)
{
    bool a = match_fixed(m, node, known);

    /*@ assert result: a == 0 || a == 1; */
    /*@ assert BOOM: \false; */
}

/*@ requires held: \valid(m) && held_rule(m); */
void client_match_failed(struct matcher *m, int p, int node)
{
    bool a = match_failed_whole(m, MATCH_USE, p, node, -1), b = match_failed_whole(m, MATCH_CONVEX, p, node, 0);

    /*@ assert none: a == 0 && b == 0 && held_rule(m); */
    /*@ assert BOOM: \false; */
}
