#include "emit/lin_room.h"

/* Term number `at`. */
/*@ requires valid:    valid_lins(v);
    requires room:     v.nterm <= at < v.cterm;
    terminates \true;
    exits    never:    \false;
    assigns  v.term[at];
    ensures  written:  v.term[at].atom == atom && v.term[at].c == c;
    ensures  same:     same{Pre,Post}(v);
    ensures  rest:     \forall integer i; 0 <= i < at ==> v.term[i] == \old(v.term[i]);
    ensures  sums:     \forall integer i; 0 <= i <= at ==> upto{Pre}(v.term, i) == upto{Post}(v.term, i);
    ensures  next:     upto(v.term, at + 1) == \old(upto(v.term, at)) + worth(c, atom);
*/
static void put_term(struct lins_view v, int at, int atom, long c)
{
    v.term[at] = (struct term){ atom, c };
    /*@ assert rest: \forall integer i; 0 <= i < at ==> v.term[i].c == \at(v.term[i].c, Pre) &&
                     v.term[i].atom == \at(v.term[i].atom, Pre); */
    /*@ ghost
    /@ loop invariant index: 0 <= i <= at;
       loop invariant sums:  \forall integer j; 0 <= j <= i ==> upto{Pre}(v.term, j) == upto{Here}(v.term, j);
       loop assigns i;
       loop variant at - i;
    @/
    for (int i = 0; i < at; i++) {
        /@ assert step: upto{Pre}(v.term, i + 1) == upto{Here}(v.term, i + 1); @/
    }
    */
    /*@ assert terms: same_terms{Pre,Here}(v); */
    /*@ assert lins: same_lins{Pre,Here}(v); */
    /*@ assert atoms: same_atoms{Pre,Here}(v); */
    /*@ assert last: upto(v.term, at + 1) == upto(v.term, at) + worth(v.term[at].c, v.term[at].atom); */
}

/* Form x takes its place behind the others. */
/*@ requires valid:    valid_lins(v);
    requires room:     v.nlin < v.clin;
    terminates \true;
    exits    never:    \false;
    assigns  v.lin[v.nlin];
    ensures  written:  v.lin[v.nlin] == x;
    ensures  same:     same{Pre,Post}(v);
    ensures  terms:    \forall integer i; 0 <= i < v.cterm ==> v.term[i] == \old(v.term[i]);
    ensures  sums:     \forall integer i; 0 <= i <= v.cterm ==> upto{Pre}(v.term, i) == upto{Post}(v.term, i);
*/
static void put_lin(struct lins_view v, struct lin x)
{
    v.lin[v.nlin] = x;
    /*@ assert rest: \forall integer i; 0 <= i < v.cterm ==> v.term[i].c == \at(v.term[i].c, Pre) &&
                     v.term[i].atom == \at(v.term[i].atom, Pre); */
    /*@ ghost
    /@ loop invariant index: 0 <= i <= v.cterm;
       loop invariant sums:  \forall integer j; 0 <= j <= i ==> upto{Pre}(v.term, j) == upto{Here}(v.term, j);
       loop assigns i;
       loop variant v.cterm - i;
    @/
    for (int i = 0; i < v.cterm; i++) {
        /@ assert step: upto{Pre}(v.term, i + 1) == upto{Here}(v.term, i + 1); @/
    }
    */
    /*@ assert lins: same_lins{Pre,Here}(v); */
    /*@ assert atoms: same_atoms{Pre,Here}(v); */
}

struct exact lin_add_times(long x, long c, long y)
{
    struct exact r = exact_mul(c, y);

    return r.fits ? exact_add(x, r.z) : r;
}

struct lin_open lin_push(struct lins_view v, struct lin x, int atom, long c) /*@ ghost (int f) */
{
    struct lin_open r = { LIN_FAR, x };
    struct exact lo, hi;

    if (c == 0) {
        /*@ assert none: worth(c, atom) == 0; */
        r.code = LIN_DONE;
        return r;
    }
    if (x.first + x.n >= v.cterm) {
        r.code = LIN_TERMS;
        return r;
    }
    lo = lin_add_times(x.lo, c, c > 0 ? v.atom[atom].lo : v.atom[atom].hi);
    hi = lin_add_times(x.hi, c, c > 0 ? v.atom[atom].hi : v.atom[atom].lo);
    if (!lo.fits || !hi.fits)
        return r;
    /*@ assert range: fits(v) ==> v.atom[atom].lo <= val(atom) <= v.atom[atom].hi; */
    /*@ assert up: fits(v) ==> 0 < c ==> c * v.atom[atom].lo <= c * val(atom) <= c * v.atom[atom].hi; */
    /*@ assert down: fits(v) ==> c < 0 ==> c * v.atom[atom].hi <= c * val(atom) <= c * v.atom[atom].lo; */
    /*@ assert worth: worth(c, atom) == c * val(atom); */
    /*@ assert bounds: fits(v) ==> lo.z <= sum_of(v, x) + worth(c, atom) <= hi.z; */
    put_term(v, x.first + x.n, atom, c);
    /*@ assert good: good(v); */
    /*@ assert fits: fits(v) ==> fits{Pre}(v); */
    /*@ assert value: x.k + (upto(v.term, x.first + x.n + 1) - upto(v.term, x.first)) == sum_of{Pre}(v, x) + worth(c, atom); */
    r.x.n++;
    r.x.lo = lo.z;
    r.x.hi = hi.z;
    r.code = LIN_DONE;
    /*@ assert before: before(v, atom, f) && v.term[x.first + x.n].atom == atom && v.term[x.first + x.n].c == c; */
    /*@ assert old: terms_ok(v, x.first, x.first + x.n, f); */
    /*@ assert open: open_ok(v, r.x, f); */
    /*@ assert unfold: sum_of(v, r.x) == r.x.k + (upto(v.term, r.x.first + r.x.n) - upto(v.term, r.x.first)); */
    /*@ assert longer: upto(v.term, r.x.first + r.x.n) == upto(v.term, x.first + x.n + 1); */
    /*@ assert sum: sum_of(v, r.x) == sum_of{Pre}(v, x) + worth(c, atom); */
    /*@ assert ranged: open_ranged(v, r.x); */
    return r;
}

struct lin_step lin_finish(struct lins_view v, struct lin x) /*@ ghost (int f) */
{
    struct lin_step r = { LIN_LINS, -1, -1, v };

    if (v.nlin >= v.clin)
        return r;
    put_lin(v, x);
    r.v.nterm = x.first + x.n;
    r.v.nlin = v.nlin + 1;
    r.id = v.nlin;
    r.code = LIN_DONE;
    /*@ assert form: v.lin[r.id] == x; */
    /*@ assert value: value_of(r.v, r.id) == sum_of{Pre}(v, x); */
    /*@ assert grown: grown(v, r.v); */
    /*@ assert old: wf(v) && terms_ok(v, x.first, x.first + x.n, f); */
    /*@ assert before: terms_ok(r.v, x.first, x.first + x.n, f); */
    /*@ assert terms: terms_ok(r.v, x.first, x.first + x.n, v.nlin); */
    /*@ assert new: lin_ok(r.v, v.nlin); */
    /*@ assert wf: wf(r.v); */
    /*@ assert fits: fits(r.v) ==> fits(v) && fits{Pre}(v); */
    /*@ assert ranged: fits(r.v) ==> ranged(r.v); */
    return r;
}

struct lin_step lin_number(struct lins_view v, long k)
{
    struct lin x = { v.nterm, 0, k, k, k };

    return lin_finish(v, x) /*@ ghost (0) */;
}
