/* The order of the answers that an evaluation has got. */
#ifndef CALQUE_ATTR_ANSWER_SORT_H
#define CALQUE_ATTR_ANSWER_SORT_H

#include "attr/run_core.h"

#ifdef __FRAMAC__
#include "attr/answers.acsl"
#endif

/* The same answers in the order of attr_answer_order. */
/*@ requires valid:    0 <= n && \valid(a + (0 .. n - 1));
    terminates \true;
    exits    never:    \false;
    assigns  a[0 .. n - 1];
    ensures  sorted:   sorted(a, n);
    ensures  distinct: distinct{Pre}(a, n) ==> distinct(a, n);
    ensures  same:     among{Pre,Post}(a, n) && among{Post,Pre}(a, n);
*/
void answer_sort(struct attr_answer *a, int n);

#endif
