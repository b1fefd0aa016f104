/* A callback that answers another thing in another turn. Guards: eval_driver.h, run.acsl (Callbacks). */
#include "attr/eval_driver.h"

/*@ requires held: held(r, x);
    requires hand: r.env == at_hand;
*/
void client_two_turns(struct run r, struct run_answers x, int p)
{
    int a = run_taken(r, x, p), b;

    /*@ assert first:  a >= 0 ==> said_taken(r.env, p) == a; */
    /*@ ghost attr_turn = 1 - attr_turn / 2; */
    b = run_taken(r, x, p);
    /*@ assert second: b >= 0 ==> said_taken(r.env, p) == b; */
    if (a >= 0 && b >= 0 && a != b) {
        /*@ assert BOOM: \false; */
    }
}
