/* Between the files of the proved normal forms. */
#ifndef CALQUE_EMIT_LIN_ROOM_H
#define CALQUE_EMIT_LIN_ROOM_H

#include "emit/lin_core.h"

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
