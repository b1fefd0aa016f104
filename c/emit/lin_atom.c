/* Not proved: atom_form, whole and what builds on them. */
#include "emit/lin_room.h"

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
    ensures  kind:     \result >= 0 ==> v.atom[\result].kind == x.kind;
    ensures  variable: \result >= 0 ==> x.kind == ATOM_VAR ==> v.atom[\result].var == x.var;
    ensures  divided:  \result >= 0 ==> x.kind != ATOM_VAR ==> v.atom[\result].k == x.k &&
                       value_of(v, v.atom[\result].lin) == value_of(v, x.lin);
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
            (x.kind == ATOM_VAR ? v.atom[i].var == x.var : v.atom[i].k == x.k && lin_same(v, v.atom[i].lin, x.lin)))
            return i;
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

    /*@ assert ok: atom_ok(v, a); */
    r = lin_push(v, r.x, a, 1) /*@ ghost (v.nlin) */;
    if (r.code != LIN_DONE)
        return (struct lin_step){ r.code, -1, -1, v };
    return lin_finish(v, r.x) /*@ ghost (v.nlin) */;
}

/* The form that is atom x, a new one if there is none like it. */
/*@ LIN_REQUIRES
    requires kind:     ATOM_VAR <= x.kind <= ATOM_MOD;
    requires divided:  x.kind != ATOM_VAR ==> 0 <= x.lin < v.nlin && 0 < x.k;
    requires quotient: x.kind == ATOM_DIV ==> fits(v) ==> x.lo <= floor_div(value_of(v, x.lin), x.k) <= x.hi;
    requires rest:     x.kind == ATOM_MOD ==> fits(v) ==> x.lo <= floor_mod(value_of(v, x.lin), x.k) <= x.hi;
    terminates \true;
    exits    never:    \false;
    LIN_KEEPS
    ensures  variable: x.kind == ATOM_VAR ==> \result.code == LIN_DONE ==> variable(\result.v, \result.atom, x.var);
    ensures  value:    LIN_VALUE(val(\result.atom));
    ensures  quotient: x.kind == ATOM_DIV ==> LIN_VALUE(floor_div(value_of{Pre}(v, x.lin), x.k));
    ensures  rest:     x.kind == ATOM_MOD ==> LIN_VALUE(floor_mod(value_of{Pre}(v, x.lin), x.k));
*/
static struct lin_step atom_form(struct lins_view v, struct atom x)
{
    struct lins_view w = v;
    struct lin_step r;
    int at = find_atom(v, x);

    if (at < 0) {
        if (v.natom >= v.catom)
            return (struct lin_step){ LIN_ATOMS, -1, -1, v };
        put_atom(v, x);
        at = v.natom;
        w.natom = v.natom + 1;
        /*@ assert old: wf(v); */
        /*@ assert forms: \forall integer f; 0 <= f < v.nlin ==> lin_ok(w, f); */
        /*@ assert wf: wf(w); */
        /*@ assert fits: fits(w) ==> fits(v) && fits{Pre}(v); */
        /*@ assert ranged: fits(w) ==> ranged(v); */
    }
    /*@ assert good: good(w); */
    /*@ assert atom: atom_ok(w, at) && (fits(w) ==> atom_fits(w, at)); */
    r = lone(w, at);
    r.atom = at;
    /*@ assert fits: fits(r.v) ==> fits{Pre}(v); */
    return r;
}

struct lin_step lin_variable(struct lins_view v, int var, long lo, long hi)
{
    return atom_form(v, (struct atom){ ATOM_VAR, var, -1, 0, lo, hi });
}

/* The part of form a that k divides, by k: some form over the atoms of a. What it is worth does not matter. */
/*@ LIN_REQUIRES
    requires form:     0 <= a < v.nlin;
    requires divisor:  0 < k;
    terminates \true;
    exits    never:    \false;
    LIN_KEEPS
    ensures  atoms:    \result.v.natom == v.natom;
    ensures  terms:    \result.code == LIN_DONE ==> terms_ok(\result.v, v.lin[\result.id].first,
                       v.lin[\result.id].first + v.lin[\result.id].n, a);
*/
static struct lin_step whole(struct lins_view v, int a, long k)
{
    struct lin x = v.lin[a];
    long q = floor_div(x.k, k);
    struct lin_open r = { LIN_DONE, { v.nterm, 0, q, q, q } };

    /*@ assert ok: lin_ok(v, a); */
    /*@ loop invariant index: 0 <= i <= x.n;
        loop invariant code:  LIN_DONE <= r.code <= LIN_FAR;
        loop invariant same:  same{Pre,Here}(v);
        loop invariant good:  good(v);
        loop invariant open:  r.code == LIN_DONE ==> open_ok(v, r.x, a) && open_ranged(v, r.x);
        loop assigns i, r, v.term[v.nterm .. v.cterm - 1];
        loop variant x.n - i;
    */
    for (int i = 0; i < x.n && r.code == LIN_DONE; i++) {
        struct term t = v.term[x.first + i];
        /*@ assert term: t.c != 0 && before(v, t.atom, a); */
        if (t.c % k == 0)
            r = lin_push(v, r.x, t.atom, t.c / k) /*@ ghost (a) */;
    }
    if (r.code != LIN_DONE)
        return (struct lin_step){ r.code, -1, -1, v };
    return lin_finish(v, r.x) /*@ ghost (a) */;
}

/* Form a as k * out + rest: with as much as possible in out, which atom is. */
/*@ LIN_REQUIRES
    requires form:     0 <= a < v.nlin;
    requires divisor:  0 < k;
    terminates \true;
    exits    never:    \false;
    LIN_KEEPS
    ensures  atoms:    \result.v.natom == v.natom;
    ensures  terms:    \result.code == LIN_DONE ==> terms_ok(\result.v, v.lin[\result.id].first,
                       v.lin[\result.id].first + v.lin[\result.id].n, a);
    ensures  out:      \result.code == LIN_DONE ==> 0 <= \result.atom < \result.v.nlin;
    ensures  value:    \result.code == LIN_DONE ==>
                       value_of{Pre}(v, a) == value_of(\result.v, \result.id) + k * value_of(\result.v, \result.atom);
*/
static struct lin_step divide(struct lins_view v, int a, long k)
{
    struct lin_step out, r;

    /*@ assert ok: lin_ok(v, a); */
    out = whole(v, a, k);
    if (out.code != LIN_DONE)
        return out;
    /*@ assert ok: lin_ok(out.v, a); */
    /*@ assert value: value_of(out.v, a) == value_of{Pre}(v, a); */
    r = lin_merge(out.v, a, out.id, -k) /*@ ghost (a) */;
    r.atom = out.id;
    /*@ assert same: same{Pre,Here}(v); */
    return r;
}

struct lin_step lin_quotient(struct lins_view v, int a, long k)
{
    struct lin_step d, r;
    long lo, hi;
    int inner;

    if (k == 1)
        return (struct lin_step){ LIN_DONE, a, -1, v };
    d = divide(v, a, k);
    if (d.code != LIN_DONE)
        return d;
    lo = floor_div(d.v.lin[d.id].lo, k);
    hi = floor_div(d.v.lin[d.id].hi, k);
    /*@ assert fits: fits(d.v) ==> fits{Pre}(v); */
    /*@ assert range: fits(d.v) ==> lo <= floor_div(value_of(d.v, d.id), k) <= hi; */
    /*@ assert whole: floor_div(value_of(d.v, d.id) + k * value_of(d.v, d.atom), k) ==
                      floor_div(value_of(d.v, d.id), k) + value_of(d.v, d.atom); */
    inner = lin_lone(d.v, d.id, ATOM_DIV);
    if (lo == hi) {
        r = lin_number(d.v, lo);
    } else if (inner >= 0) { /* (x / j) / k = x / (j * k) */
        struct exact jk = exact_mul(d.v.atom[inner].k, k);
        /*@ assert inner: atom_ok(d.v, inner) && d.v.atom[inner].lin < a; */
        /*@ assert nested: fits(d.v) ==> floor_div(value_of(d.v, d.id), k) ==
            floor_div(value_of(d.v, d.v.atom[inner].lin), d.v.atom[inner].k * k); */
        if (!jk.fits)
            return (struct lin_step){ LIN_FAR, -1, -1, d.v };
        /*@ assert positive: 0 < jk.z; */
        r = lin_quotient(d.v, d.v.atom[inner].lin, jk.z);
    } else {
        r = atom_form(d.v, (struct atom){ ATOM_DIV, -1, d.id, k, lo, hi });
    }
    if (r.code != LIN_DONE)
        return r;
    /*@ assert fits: fits(r.v) ==> fits{Pre}(v); */
    /*@ assert out: value_of(r.v, d.atom) == value_of(d.v, d.atom); */
    return lin_combine(r.v, d.atom, r.id, 1);
}

struct lin_step lin_rest(struct lins_view v, int a, long k)
{
    struct lin_step d, r;
    long q;
    int inner;

    if (k == 1)
        return lin_number(v, 0);
    d = divide(v, a, k);
    if (d.code != LIN_DONE)
        return d;
    q = floor_div(d.v.lin[d.id].lo, k);
    /*@ assert fits: fits(d.v) ==> fits{Pre}(v); */
    /*@ assert rest: floor_mod(value_of(d.v, d.id) + k * value_of(d.v, d.atom), k) == floor_mod(value_of(d.v, d.id), k); */
    if (q == floor_div(d.v.lin[d.id].hi, k)) {
        struct exact qk = exact_mul(-q, k);
        /*@ assert one: fits(d.v) ==> floor_div(value_of(d.v, d.id), k) == q; */
        if (!qk.fits)
            return (struct lin_step){ LIN_FAR, -1, -1, d.v };
        r = lin_number(d.v, qk.z);
        if (r.code != LIN_DONE)
            return r;
        /*@ assert fits: fits(r.v) ==> fits{Pre}(v); */
        return lin_combine(r.v, d.id, r.id, 1);
    }
    inner = lin_lone(d.v, d.id, ATOM_MOD);
    if (inner >= 0 && d.v.atom[inner].k % k == 0) { /* (x % (j * k)) % k = x % k */
        /*@ assert inner: atom_ok(d.v, inner) && d.v.atom[inner].lin < a; */
        /*@ ghost long j = d.v.atom[inner].k / k; */
        /*@ assert factor: d.v.atom[inner].k == k * j; */
        /*@ assert parts: fits(d.v) ==> value_of(d.v, d.v.atom[inner].lin) == value_of(d.v, d.id) +
            k * (j * floor_div(value_of(d.v, d.v.atom[inner].lin), d.v.atom[inner].k)); */
        /*@ assert nested: fits(d.v) ==> floor_mod(value_of(d.v, d.v.atom[inner].lin), k) ==
            floor_mod(value_of(d.v, d.id), k); */
        return lin_rest(d.v, d.v.atom[inner].lin, k);
    }
    return atom_form(d.v, (struct atom){ ATOM_MOD, -1, d.id, k, 0, k - 1 });
}
