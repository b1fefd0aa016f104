#include "emit/lin_room.h"

#ifdef __FRAMAC__
#include "emit/lin_atom.acsl"
#endif

/* Atom number v.natom. */
/*@ requires valid:    valid_lins(v);
    requires room:     v.natom < v.catom;
    terminates \true;
    exits    never:    \false;
    assigns  v.atom[v.natom];
    ensures  written:  v.atom[v.natom] == x;
    ensures  same:     same{Pre,Post}(v);
*/
static void put_atom(struct lins_view v, struct atom x)
{
    v.atom[v.natom] = x;
    /*@ assert rest: \forall integer i; 0 <= i < v.cterm ==> v.term[i].c == \at(v.term[i].c, Pre) &&
                     v.term[i].atom == \at(v.term[i].atom, Pre); */
    /*@ ghost
    /@ loop invariant index: 0 <= i <= v.nterm;
       loop invariant sums:  \forall integer j; 0 <= j <= i ==> upto{Pre}(v.term, j) == upto{Here}(v.term, j);
       loop assigns i;
       loop variant v.nterm - i;
    @/
    for (int i = 0; i < v.nterm; i++) {
        /@ assert step: upto{Pre}(v.term, i + 1) == upto{Here}(v.term, i + 1); @/
    }
    */
    /*@ assert lins: same_lins{Pre,Here}(v); */
    /*@ assert atoms: same_atoms{Pre,Here}(v); */
}

/* The atom that is the variable, or the quotient or remainder of a form that is x.lin; -1: none. */
/*@ requires valid:    valid_lins(v);
    requires wf:       wf(v);
    requires kind:     ATOM_VAR <= x.kind <= ATOM_MOD && (x.kind != ATOM_VAR ==> 0 <= x.lin < v.nlin);
    terminates \true;
    exits    never:    \false;
    assigns  \nothing;
    ensures  range:    -1 <= \result < v.natom;
    ensures  means:    \result >= 0 ==> means(v, \result, x);
*/
static int find_atom(struct lins_view v, struct atom x)
{
    /*@ loop invariant index: 0 <= i <= v.natom;
        loop assigns i;
        loop variant v.natom - i;
    */
    for (int i = 0; i < v.natom; i++) {
        /*@ assert ok: atom_ok(v, i); */
        if (v.atom[i].kind == x.kind &&
            (x.kind == ATOM_VAR ? v.atom[i].var == x.var : v.atom[i].k == x.k && lin_same(v, v.atom[i].lin, x.lin))) {
            /*@ assert divided: x.kind != ATOM_VAR ==> value_of(v, v.atom[i].lin) == value_of(v, x.lin); */
            /*@ assert fits: fits(v) ==> atom_fits(v, i); */
            return i;
        }
    }
    return -1;
}

/* The form that is one atom. */
/*@ LIN_REQUIRES
    requires atom:     0 <= a < v.natom;
    terminates \true;
    exits    never:    \false;
    assigns  v.term[v.nterm .. v.cterm - 1], v.lin[v.nlin .. v.clin - 1];
    ensures  code:     LIN_DONE <= \result.code <= LIN_FAR;
    ensures  grown:    grown(v, \result.v) && \result.v.natom == v.natom;
    ensures  same:     same{Pre,Post}(v);
    ensures  good:     \result.code == LIN_DONE ==> good(\result.v);
    ensures  id:       \result.code == LIN_DONE ==> 0 <= \result.id < \result.v.nlin;
    ensures  value:    \result.code == LIN_DONE ==> value_of(\result.v, \result.id) == val(a);
*/
static struct lin_step lone(struct lins_view v, int a)
{
    struct lin_open r = { LIN_DONE, { v.nterm, 0, 0, 0, 0 } };
    struct lin_step s;

    /*@ assert ok: atom_ok(v, a); */
    /*@ assert empty: sum_of(v, r.x) == 0; */
    /*@ assert before: before(v, a, v.nlin); */
    /*@ assert worth: worth(1, a) == val(a); */
    r = lin_push(v, r.x, a, 1) /*@ ghost (v.nlin) */;
    if (r.code != LIN_DONE)
        return (struct lin_step){ r.code, -1, -1, v };
    s = lin_finish(v, r.x) /*@ ghost (v.nlin) */;
    /*@ assert same: same{Pre,Here}(v); */
    return s;
}

/* One atom more: x. */
/*@ LIN_REQUIRES
    requires room:     v.natom < v.catom;
    LIN_ATOM_REQUIRES
    terminates \true;
    exits    never:    \false;
    assigns  v.atom[v.natom];
    ensures  grown:    grown(v, \result) && \result.natom == v.natom + 1 && \result.nlin == v.nlin;
    ensures  same:     same{Pre,Post}(v);
    ensures  good:     good(\result);
    ensures  means:    means(\result, v.natom, x);
*/
static struct lins_view add_atom(struct lins_view v, struct atom x)
{
    struct lins_view w = v;

    put_atom(v, x);
    w.natom = v.natom + 1;
    /*@ assert grown: grown(v, w); */
    /*@ assert old: wf(v); */
    /*@ assert new: atom_ok(w, v.natom); */
    /*@ assert wf: wf(w); */
    /*@ assert fits: fits(w) ==> fits{Pre}(v) && ranged(v); */
    /*@ assert atom: fits(w) ==> atom_fits(w, v.natom); */
    /*@ assert value: x.kind != ATOM_VAR ==> value_of(w, x.lin) == value_of{Pre}(v, x.lin); */
    /*@ assert means: means(w, v.natom, x); */
    /*@ assert range: fits(w) ==> x.lo <= val(v.natom) <= x.hi; */
    /*@ assert ranged: fits(w) ==> ranged(w); */
    return w;
}

struct lin_step lin_atom(struct lins_view v, struct atom x)
{
    struct lins_view w = v;
    struct lin_step r;
    int at = find_atom(v, x);

    if (at < 0) {
        if (v.natom >= v.catom)
            return (struct lin_step){ LIN_ATOMS, -1, -1, v };
        w = add_atom(v, x);
        at = v.natom;
    }
    /*@ assert good: good(w) && grown(v, w) && same{Pre,Here}(v); */
    /*@ assert means: means(w, at, x); */
    /*@ assert value: x.kind != ATOM_VAR ==> value_of(w, x.lin) == value_of{Pre}(v, x.lin); */
    /*@ assert quotient: x.kind == ATOM_DIV ==> fits(w) ==> val(at) == floor_div(value_of{Pre}(v, x.lin), x.k); */
    /*@ assert rest: x.kind == ATOM_MOD ==> fits(w) ==> val(at) == floor_mod(value_of{Pre}(v, x.lin), x.k); */
    /*@ ghost Before: ; */
    r = lone(w, at);
    r.atom = at;
    /*@ assert fits: fits(r.v) ==> fits{Before}(w); */
    /*@ assert one: r.code == LIN_DONE ==> value_of(r.v, r.id) == val(at); */
    /*@ assert div: x.kind == ATOM_DIV ==> fits(r.v) ==> val(at) == floor_div(value_of{Pre}(v, x.lin), x.k); */
    /*@ assert mod: x.kind == ATOM_MOD ==> fits(r.v) ==> val(at) == floor_mod(value_of{Pre}(v, x.lin), x.k); */
    /*@ assert variable: x.kind == ATOM_VAR ==> variable(r.v, at, x.var); */
    /*@ assert grown: grown(v, r.v); */
    /*@ assert same: same{Pre,Here}(v); */
    return r;
}

struct lin_step lin_variable(struct lins_view v, int var, long lo, long hi)
{
    return lin_atom(v, (struct atom){ ATOM_VAR, var, -1, 0, lo, hi });
}
