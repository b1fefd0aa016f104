/* Not proved: whole, divide and what builds on them are not tried as a whole yet. */
#include "emit/lin_room.h"

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
        r = lin_atom(d.v, (struct atom){ ATOM_DIV, -1, d.id, k, lo, hi });
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
    return lin_atom(d.v, (struct atom){ ATOM_MOD, -1, d.id, k, 0, k - 1 });
}
