/* The proved part of the normal forms: each operation on forms appends to the arrays what it needs, and its result is worth
   what the operation makes of the operands' values, whatever values the variables have within their ranges. */
#ifndef CALQUE_EMIT_LIN_CORE_H
#define CALQUE_EMIT_LIN_CORE_H

#include "base/arith.h"
#include "emit/lin.h"

/* The arrays: how many there are, and for how many there is room. */
struct lins_view {
    struct atom *atom;
    struct term *term;
    struct lin *lin;
    int natom, catom, nterm, cterm, nlin, clin;
};

enum { REJOIN_MAX = 1 << 20 }; /* steps; each replaces two atoms by those of a form before them */

enum lin_code { LIN_DONE, LIN_ATOMS, LIN_TERMS, LIN_LINS, LIN_FAR }; /* done; no room for one more; a number is no long */

/* The arrays after an operation. What they held they hold, also when it is not done. */
struct lin_step {
    int code, id, atom;
    struct lins_view v;
};

#ifdef __FRAMAC__
#include "emit/lin.acsl"
#endif

/* The contract of the operations. */
#define LIN_REQUIRES                                                                       \
    requires valid:    valid_lins(v);                                                      \
    requires good:     good(v);
#define LIN_KEEPS                                                                          \
    assigns  v.atom[v.natom .. v.catom - 1], v.term[v.nterm .. v.cterm - 1], v.lin[v.nlin .. v.clin - 1]; \
    ensures  code:     LIN_DONE <= \result.code <= LIN_FAR;                                \
    ensures  grown:    grown(v, \result.v);                                                \
    ensures  same:     same{Pre,Post}(v);                                                  \
    ensures  good:     \result.code == LIN_DONE ==> good(\result.v);                       \
    ensures  id:       \result.code == LIN_DONE ==> 0 <= \result.id < \result.v.nlin;
#define LIN_VALUE(x) \result.code == LIN_DONE ==> fits(\result.v) ==> value_of(\result.v, \result.id) == (x)

/* The number k. */
/*@ LIN_REQUIRES
    terminates \true;
    exits    never:    \false;
    LIN_KEEPS
    ensures  value:    LIN_VALUE(k);
*/
struct lin_step lin_number(struct lins_view v, long k);

/* a + k * b */
/*@ LIN_REQUIRES
    requires forms:    0 <= a < v.nlin && 0 <= b < v.nlin;
    terminates \true;
    exits    never:    \false;
    LIN_KEEPS
    ensures  value:    LIN_VALUE(value_of{Pre}(v, a) + k * value_of{Pre}(v, b));
*/
struct lin_step lin_combine(struct lins_view v, int a, int b, long k);

/* The variable's atom; the first range counts. */
/*@ LIN_REQUIRES
    terminates \true;
    exits    never:    \false;
    LIN_KEEPS
    ensures  value:    LIN_VALUE(val(\result.atom));
    ensures  variable: \result.code == LIN_DONE ==> variable(\result.v, \result.atom, var);
*/
struct lin_step lin_variable(struct lins_view v, int var, long lo, long hi);

/* floor(a / k) */
/*@ LIN_REQUIRES
    requires form:     0 <= a < v.nlin;
    requires divisor:  0 < k;
    terminates \true;
    decreases 3 * a + 2;
    exits    never:    \false;
    LIN_KEEPS
    ensures  value:    LIN_VALUE(floor_div(value_of{Pre}(v, a), k));
*/
struct lin_step lin_quotient(struct lins_view v, int a, long k);

/* a - k * floor(a / k) */
/*@ LIN_REQUIRES
    requires form:     0 <= a < v.nlin;
    requires divisor:  0 < k;
    terminates \true;
    decreases 3 * a + 2;
    exits    never:    \false;
    LIN_KEEPS
    ensures  value:    LIN_VALUE(floor_mod(value_of{Pre}(v, a), k));
*/
struct lin_step lin_rest(struct lins_view v, int a, long k);

/* The single atom of that kind that form a consists of, or -1. */
/*@ requires valid:    valid_lins(v);
    requires wf:       wf(v);
    requires form:     0 <= a < v.nlin;
    terminates \true;
    exits    never:    \false;
    assigns  \nothing;
    ensures  atom:     -1 <= \result && (\result >= 0 ==> before(v, \result, a) && v.atom[\result].kind == kind);
    ensures  term:     \result >= 0 ==> v.lin[a].n == 1 && v.term[v.lin[a].first].atom == \result;
    ensures  value:    \result >= 0 ==> value_of(v, a) == val(\result);
*/
int lin_lone(struct lins_view v, int a, int kind);

/* Are they the same form? Then they have the same value. */
/*@ requires valid:    valid_lins(v);
    requires wf:       wf(v);
    requires forms:    0 <= a < v.nlin && 0 <= b < v.nlin;
    terminates \true;
    exits    never:    \false;
    assigns  \nothing;
    ensures  same:     \result != 0 <==> a == b || same_form(v, a, b);
    ensures  value:    \result != 0 ==> value_of(v, a) == value_of(v, b);
*/
bool lin_same(struct lins_view v, int a, int b);

#endif
