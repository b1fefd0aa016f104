/* Environments: the same from the same arrays, with a symbol bound, from the callbacks. Guards: eval.acsl, run.acsl, memo.acsl. */
#include "attr/attr_internal.h"
#include "attr/eval_driver.h"
#include "attr/memo_internal.h"

/*@ requires view:   valid_view(t) && 0 < t.nsymbol && 0 < t.nslot && 1 <= nv;
    requires wf:     wf_env(t, nv) && t.symbol[0] == 0 && t.slot[0] == 0;
    requires answer: 0 < t.nanswer && t.answer[0].slot == 1 && t.answer[0].k == key(3) && t.answer[0].id == 1;
    requires apart:  \separated(t.symbol + (0 .. t.nsymbol + 1), t.answer + (0 .. t.nanswer - 1));
*/
void client_env(struct attr_view t, int nv)
{
    /*@ assert slot:  \forall vals s; lookup(env_of(t, s), 0) == val(s, 0); */
    /*@ assert free:  \forall vals s; !bound_symbol(env_of(t, s), 0); */
    /*@ assert inst:  \forall vals s; bound_inst(env_of(t, s), 0, 3) && inst_value(env_of(t, s), 0, 3) == val(s, 0); */
    t.symbol[0] = 1;
    /*@ assert rest:  same_rest{Pre,Here}(t); */
    /*@ assert agree: agreeing(t.answer, t.nanswer); */
    /*@ assert wf:    wf_env(t, nv); */
    /*@ assert with:  \forall vals s; env_of(t, s) == with(env_of{Pre}(t, s), 0, val(s, 0)); */
    /*@ assert bound: \forall vals s; symbol_value(env_of(t, s), 0) == val(s, 0); */
    t.symbol[0] = 0;
    /*@ assert same:  same_env{Pre,Here}(t); */
    /*@ assert back:  \forall vals s; env_of(t, s) == env_of{Pre}(t, s); */
    /*@ assert twice: \forall vals s; symbol_value(with(with(env_of(t, s), 0, val(s, 1)), 0, val(s, 0)), 0) == val(s, 0); */
    /*@ assert BOOM: \false; */
}

/* In another turn what was not asked may be another value; what was asked is what the answers say. */
/*@ requires view:   valid_view(t) && 1 <= nv;
    requires wf:     wf_env(t, nv) && 0 < t.nanswer && t.answer[0].slot == 0 && t.answer[0].id == 1;
    requires hand:   unasked(t.answer, t.nanswer, 5, 0) && untold(t.answer, t.nanswer, t.answer[0].k + 1);
*/
void client_env_turns(struct attr_view t, int nv)
{
    /*@ assert taken: \forall vals s; taken(env_of(t, s), t.answer[0].k) == 0; */
    /*@ assert said:  \forall vals s; bound_inst(env_of(t, s), 5, 0) <==> said(at_hand, 5, 0); */
    /*@ ghost attr_turn = 7; */
    /*@ assert still: \forall vals s; taken(env_of(t, s), t.answer[0].k) == 0; */
    /*@ assert now:   \forall vals s; bound_inst(env_of(t, s), 5, 0) <==> said(at_hand, 5, 0); */
    /*@ assert told:  \forall vals s; taken(env_of(t, s), t.answer[0].k + 1) == said_taken(at_hand, t.answer[0].k + 1); */
    /*@ assert BOOM: \false; */
}

/*@ requires valid: \valid_read(slot) && \valid_read(symbol) && slot[0] == 0 && symbol[0] == -1; */
void client_env_said(struct attr_env *e, int *slot, int *symbol)
{
    /*@ assert slot:   \forall vals s; lookup(env_said(e, slot, 1, symbol, 1, 1, s), 0) == val(s, 0); */
    /*@ assert symbol: \forall vals s; !bound_symbol(env_said(e, slot, 1, symbol, 1, 1, s), 0); */
    /*@ assert inst:   \forall vals s; bound_inst(env_said(e, slot, 1, symbol, 1, 1, s), 0, 0) <==> said(e, 0, 0); */
    /*@ assert taken:  \forall vals s; taken(env_said(e, slot, 1, symbol, 1, 1, s), 0) == said_taken(e, 0); */
    /*@ assert same:   \forall vals s, u; extends(s, u, 1) ==>
                       same_entries(env_said(e, slot, 1, symbol, 1, 1, s), env_said(e, slot, 1, symbol, 1, 1, u)); */
    /*@ assert equal:  \forall vals s, u; extends(s, u, 1) ==>
                       env_said(e, slot, 1, symbol, 1, 1, s) == env_said(e, slot, 1, symbol, 1, 1, u); */
    /*@ assert BOOM: \false; */
}
