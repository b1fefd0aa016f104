/* Sets of slots and of nodes, and how many they are; ranks. Guards: order.acsl (SlotSets, Card), spread.acsl, uses.acsl. */
#include "graph/topo_order.h"
#include "graph/use_list_internal.h"
#ifdef __FRAMAC__
#include "graph/spread.acsl"
#include "graph/uses.acsl"
#endif

void client_cards(void)
{
    /*@ assert none: \forall slots a; (\forall integer s; !in_slots(a, s)) ==> card(a, 5) == 0; */
    /*@ assert one:  \forall slots a, b; (\forall integer s; !in_slots(a, s)) ==>
                     (\forall integer s; in_slots(b, s) <==> s == 3) ==> card(b, 5) == card(a, 5) + 1; */
    /*@ assert wide: \forall slots b; (\forall integer s; in_slots(b, s) <==> s == 3) ==> card(b, 9) == card(b, 5); */
    /*@ assert zero: \forall slots a; card(a, 0) == 0; */
    /*@ assert BOOM: \false; */
}

void client_ranks(void)
{
    /*@ assert put:  \forall ranks r; rank(rank_put(r, 1, 7), 1) == 7 && top(rank_put(r, 1, 7)) >= 7; */
    /*@ assert over: \forall ranks r; rank(rank_put(rank_put(r, 1, 7), 2, 5), 1) == 7; */
    /*@ assert BOOM: \false; */
}

/*@ requires valid: valid_uses(v) && uses_ok(v) && 0 < v.n && 0 < v.m && linked(v, 0); */
void client_holders(struct uses_view v)
{
    /*@ assert held:  in_slots(holders(v, v.in[0]), 0) && v.node[v.in[0]].count > 0; */
    /*@ assert tail:  in_slots(tail(v, 0), 0); */
    /*@ assert ranks: v.slot[0].next >= 0 ==> rank(some_ranks(v), v.slot[0].next) < rank(some_ranks(v), 0); */
    v.node[0].dead = true;
    /*@ assert dead:  !in_slots(living(v), 0) && card(living(v), v.n) < v.n; */
    /*@ assert BOOM: \false; */
}

/*@ requires valid: valid_outputs(v) && outputs_ok(v) && 0 < v.n && 0 < v.m; */
void client_outputs(struct output_view v)
{
    /*@ assert one:  in_slots(outputs_of(v, -1, v.out[0].node), 0); */
    /*@ assert some: v.node[v.out[0].node].outputs > 0; */
    /*@ assert BOOM: \false; */
}

/*@ requires valid: valid_order(v) && 2 <= v.n && v.node[0].order < v.node[1].order; */
void client_spans(struct order_view v)
{
    /*@ assert in:    in_slots(span(v, -1, 0, 1), 0) && in_slots(below(v, -1, 1), 0) && !in_slots(below(v, -1, 0), 0); */
    /*@ assert count: card(span(v, -1, 0, 1), v.n) > 0 && card(below(v, -1, 0), v.n) < v.n; */
    /*@ assert BOOM: \false; */
}
