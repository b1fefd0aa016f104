/* The proved match, and the texts of its failures. Guards: simple_match.h, match_internal.h, convex.h. */
#include "pattern/match_internal.h"

/*@ requires search: may_search(m) && 0 <= node < m->g->node.n; */
void client_match_fixed(struct matcher *m, int node)
{
    int a = match_fixed(m, node);

    /*@ assert result: FIXED_NO <= a <= FIXED_LIMIT; */
    /*@ assert BOOM: \false; */
}

/*@ requires held: \valid(m) && held_rule(m); */
void client_match_failed(struct matcher *m, int p, int node)
{
    bool a = match_failed_whole(m, MATCH_USE, p, node, -1), b = match_failed_whole(m, MATCH_CONVEX, p, node, 0);

    /*@ assert none: a == 0 && b == 0 && held_rule(m); */
    /*@ assert BOOM: \false; */
}

/* A turn of the matcher. */
/*@ requires turn: turn_ready(m, rule) && 0 <= node < m->g->node.n && 0 < turn_view.n; */
void client_match_begin(struct matcher *m, int rule, int node)
{
    bool yes = match_begin(m, rule, node);

    /*@ assert search: yes != 0 ==> may_search(m) && fixed_of(m) == turn_view; */
    /*@ assert same: around_of(turn_view, turn_uses) == around_of{Pre}(turn_view, turn_uses); */
    /*@ assert BOOM: \false; */
}

/*@ requires turn: turn_ready(m, m->rule) && 0 <= node < m->g->node.n && 0 < turn_view.n;
    requires lists: sources(m, turn_view, turn_uses);
*/
void client_match_engine(struct matcher *m, int node, struct fixed_mark first)
{
    bool yes = match_engine(m, node, first);

    /*@ assert match: yes != 0 ==> matched(turn_view, turn_uses, node); */
    /*@ assert none: yes == 0 ==> !gave_up(m) ==> !matched(turn_view, turn_uses, node); */
    /*@ assert BOOM: \false; */
}

/*@ requires turn: turn_ready(m, rule) && 0 <= node < turn_view.nodes && 0 < turn_view.n && \valid_read(s) && \valid(spent) && \separated(spent, m); */
void client_match_starts(const struct match_starts *s, struct matcher *m, int rule, int node, long *spent)
{
    bool yes = match_starts_at(s, m, rule, node), more;

    /*@ assert none: yes == 0 ==> !matched(turn_view, turn_uses, node); */
    more = match_spend(spent, m, CALQUE_OK);
    /*@ assert same: m->status == \at(m->status, Pre); */
    /*@ assert BOOM: \false; */
}

/*@ requires turn: turn_ready(m, rule) && outs_in(m) && 0 < turn_view.n && is_match(m, turn_view, turn_uses, node);
    requires message: d == \null;
*/
void client_match_show(match_see *see, void *ctx, struct matcher *m, struct diag *d, int rule, int node)
{
    enum calque_status status = match_show(see, ctx, m, d) /*@ ghost (rule, node) */;

    /*@ assert match: matched(turn_view, turn_uses, node); */
    /*@ assert BOOM: \false; */
}

/* At a node and at it again: the answers agree. */
/*@ requires turn: turn_ready(m, rule) && 0 <= node < m->g->node.n && 0 < turn_view.n;
    requires message: d == \null;
*/
void client_match_at(struct matcher *m, int rule, int node, struct diag *d)
{
    enum calque_status a = match_at(m, rule, node, d);

    /*@ assert match: a == CALQUE_OK ==> \exists pmap q; matches(turn_view, q, node) && says(m, turn_view, q); */
    /*@ assert none: a == CALQUE_NO ==> !gave_up(m) ==> !matched(turn_view, turn_uses, node); */
    /*@ assert ready: turn_ready(m, rule) && node < m->g->node.n; */
    a = match_at(m, rule, node, d);
    /*@ assert again: a == CALQUE_OK ==> matched(turn_view, turn_uses, node); */
    /*@ assert BOOM: \false; */
}
