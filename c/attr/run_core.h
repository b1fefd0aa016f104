/* What the driver hands to the core: ids that are ids, symbols, answers. */
#ifndef CALQUE_ATTR_RUN_CORE_H
#define CALQUE_ATTR_RUN_CORE_H

#include "attr/eval.h"

/* Are id[0 .. n-1] ids of the first nv values, or -1? */
/*@ requires valid:    \valid_read(id + (0 .. n - 1));
    terminates \true;
    exits    never:    \false;
    assigns  \nothing;
    ensures  bool:     \result == 0 || \result == 1;
    ensures  ids:      \result == 1 <==> 0 <= n && \forall integer s; 0 <= s < n ==> -1 <= id[s] < nv;
*/
int attr_ids_ok(const int *id, int n, int nv);

/* The symbols in scope as the core reads them: those of id[0 .. n-1], the others unbound. */
/*@ requires valid:    0 <= n && \valid_read(id + (0 .. n - 1)) && \valid(symbol + (0 .. nsymbol - 1));
    requires ids:      \forall integer s; 0 <= s < n ==> -1 <= id[s] < nv;
    requires apart:    \separated(id + (0 .. n - 1), symbol + (0 .. nsymbol - 1));
    terminates \true;
    exits    never:    \false;
    assigns  symbol[0 .. nsymbol - 1];
    ensures  bound:    \forall integer s; 0 <= s < nsymbol ==> s < n ==> symbol[s] == id[s] + 1;
    ensures  rest:     \forall integer s; n <= s < nsymbol ==> symbol[s] == 0;
    ensures  wf:       0 <= nv ==> \forall integer s; 0 <= s < nsymbol ==> symbol[s] <= nv;
*/
void attr_put_symbols(unsigned long *symbol, int nsymbol, const int *id, int n, int nv);

/* The answer that instance k of the slot has value id, or that pattern k (slot -1) matched by alternative id; id < 0: none. */
/*@ requires slot:     -1 <= slot < INT_MAX;
    terminates \true;
    exits    never:    \false;
    assigns  \nothing;
    ensures  slot:     \result.slot == slot + 1;
    ensures  key:      \result.k == key(k);
    ensures  id:       \result.id == (id < 0 ? 0 : id + 1);
*/
struct attr_answer attr_answer_of(int slot, long k, int id);

/* The order of the answers. */
/*@ requires valid:    \valid_read(x) && \valid_read(y);
    terminates \true;
    exits    never:    \false;
    assigns  \nothing;
    ensures  below:    \result < 0 <==> key_below(x->slot, x->k, y->slot, y->k);
    ensures  above:    \result > 0 <==> key_below(y->slot, y->k, x->slot, x->k);
*/
int attr_answer_order(const struct attr_answer *x, const struct attr_answer *y);

#endif
