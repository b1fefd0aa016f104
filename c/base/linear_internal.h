/* The proved core of normal forms: it appends where there is room. */
#ifndef CALQUE_BASE_LINEAR_INTERNAL_H
#define CALQUE_BASE_LINEAR_INTERNAL_H

#include "base/arith.h"
#include "base/linear.h"

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
#include "base/linear.acsl"
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

/* Between the files of the proved normal forms. */
/* A form that is being made: its terms come behind those of all forms. */
struct lin_open {
    int code;
    struct lin x;
};

/* x + c * y */
/*@ terminates \true;
    exits    never:    \false;
    assigns  \nothing;
    ensures  value:    \result.fits != 0 ==> \result.z == x + c * y;
*/
struct exact lin_add_times(long x, long c, long y);

/* Adds c * atom. */
/*@ requires valid:    valid_lins(v);
    requires good:     good(v);
    requires open:     open_ok(v, x, f) && f <= v.nlin;
    requires ranged:   open_ranged(v, x);
    requires atom:     before(v, atom, f);
    terminates \true;
    exits    never:    \false;
    assigns  v.term[v.nterm .. v.cterm - 1];
    ensures  code:     LIN_DONE <= \result.code <= LIN_FAR;
    ensures  same:     same{Pre,Post}(v);
    ensures  good:     good(v);
    ensures  open:     \result.code == LIN_DONE ==> open_ok(v, \result.x, f);
    ensures  ranged:   \result.code == LIN_DONE ==> open_ranged(v, \result.x);
    ensures  value:    \result.code == LIN_DONE ==> sum_of(v, \result.x) == sum_of{Pre}(v, x) + worth(c, atom);
*/
struct lin_open lin_push(struct lins_view v, struct lin x, int atom, long c) /*@ ghost (int f) */;

/* The form x takes its place behind the others. */
/*@ LIN_REQUIRES
    requires open:     open_ok(v, x, f) && f <= v.nlin;
    requires ranged:   open_ranged(v, x);
    terminates \true;
    exits    never:    \false;
    assigns  v.lin[v.nlin .. v.clin - 1];
    ensures  code:     LIN_DONE <= \result.code <= LIN_FAR;
    ensures  grown:    grown(v, \result.v) && \result.v.natom == v.natom;
    ensures  same:     same{Pre,Post}(v);
    ensures  good:     \result.code == LIN_DONE ==> good(\result.v);
    ensures  id:       \result.code == LIN_DONE ==> \result.id == v.nlin && \result.v.nlin == v.nlin + 1;
    ensures  terms:    \result.code == LIN_DONE ==> terms_ok(\result.v, v.lin[\result.id].first,
                       v.lin[\result.id].first + v.lin[\result.id].n, f);
    ensures  value:    \result.code == LIN_DONE ==> value_of(\result.v, \result.id) == sum_of{Pre}(v, x);
*/
struct lin_step lin_finish(struct lins_view v, struct lin x) /*@ ghost (int f) */;

/* The sum a + k * b before terms rejoin. */
/*@ LIN_REQUIRES
    requires forms:    0 <= a < v.nlin && 0 <= b < v.nlin && f <= v.nlin;
    requires left:     terms_ok(v, v.lin[a].first, v.lin[a].first + v.lin[a].n, f);
    requires right:    terms_ok(v, v.lin[b].first, v.lin[b].first + v.lin[b].n, f);
    terminates \true;
    exits    never:    \false;
    LIN_KEEPS
    ensures  atoms:    \result.v.natom == v.natom;
    ensures  terms:    \result.code == LIN_DONE ==> terms_ok(\result.v, v.lin[\result.id].first,
                       v.lin[\result.id].first + v.lin[\result.id].n, f);
    ensures  value:    \result.code == LIN_DONE ==>
                       value_of(\result.v, \result.id) == value_of{Pre}(v, a) + scaled(k, value_of{Pre}(v, b));
*/
struct lin_step lin_merge(struct lins_view v, int a, int b, long k) /*@ ghost (int f) */;

/* What an atom has to be. */
#define LIN_ATOM_REQUIRES                                                                  \
    requires kind:     ATOM_VAR <= x.kind <= ATOM_MOD; \
    requires divided:  x.kind != ATOM_VAR ==> 0 <= x.lin < v.nlin && 0 < x.k; \
    requires quotient: x.kind == ATOM_DIV ==> fits(v) ==> x.lo <= floor_div(value_of(v, x.lin), x.k) <= x.hi; \
    requires rest:     x.kind == ATOM_MOD ==> fits(v) ==> x.lo <= floor_mod(value_of(v, x.lin), x.k) <= x.hi;

/* The form that is atom x, a new one if there is none like it. */
/*@ LIN_REQUIRES
    LIN_ATOM_REQUIRES
    terminates \true;
    exits    never:    \false;
    LIN_KEEPS
    ensures  variable: x.kind == ATOM_VAR ==> \result.code == LIN_DONE ==> variable(\result.v, \result.atom, x.var);
    ensures  value:    LIN_VALUE(val(\result.atom));
    ensures  quotient: x.kind == ATOM_DIV ==> LIN_VALUE(floor_div(value_of{Pre}(v, x.lin), x.k));
    ensures  rest:     x.kind == ATOM_MOD ==> LIN_VALUE(floor_mod(value_of{Pre}(v, x.lin), x.k));
*/
struct lin_step lin_atom(struct lins_view v, struct atom x);

#endif
