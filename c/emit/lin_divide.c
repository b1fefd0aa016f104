#include "emit/lin_room.h"

#ifdef __FRAMAC__
#include "base/parts.acsl"
#endif

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
                       parts(value_of{Pre}(v, a), k, value_of(\result.v, \result.atom), value_of(\result.v, \result.id));
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
    /*@ ghost Whole: ; */
    r = lin_merge(out.v, a, out.id, -k) /*@ ghost (a) */;
    r.atom = out.id;
    /*@ assert kept: same{Whole,Here}(out.v) && \at(wf(out.v), Whole); */
    /*@ assert still: value_of(out.v, out.id) == \at(value_of(out.v, out.id), Whole); */
    /*@ assert out: r.code == LIN_DONE ==> value_of(r.v, out.id) == \at(value_of(out.v, out.id), Whole); */
    /*@ assert less: scaled(-k, \at(value_of(out.v, out.id), Whole)) == -(k * \at(value_of(out.v, out.id), Whole)); */
    /*@ assert parts: r.code == LIN_DONE ==>
                      parts(value_of{Pre}(v, a), k, \at(value_of(out.v, out.id), Whole), value_of(r.v, r.id)); */
    /*@ assert same: same{Pre,Here}(v); */
    return r;
}

/* floor((x / j) / k) = floor(x / (j * k)), of atom d, which is x / j, x before form a. */
/*@ LIN_REQUIRES
    requires atom:     before(v, d, a) && v.atom[d].kind == ATOM_DIV && a <= v.nlin;
    requires divisor:  0 < k;
    terminates \true;
    decreases 3 * a;
    exits    never:    \false;
    LIN_KEEPS
    ensures  value:    LIN_VALUE(floor_div(val(d), k));
*/
static struct lin_step quotient_twice(struct lins_view v, int d, long k) /*@ ghost (int a) */
{
    struct exact jk;

    /*@ assert ok: atom_ok(v, d); */
    /*@ assert div: fits(v) ==> val(d) == floor_div(value_of(v, v.atom[d].lin), v.atom[d].k); */
    /*@ assert nested: fits(v) ==> floor_div(val(d), k) == floor_div(value_of(v, v.atom[d].lin), v.atom[d].k * k); */
    jk = exact_mul(v.atom[d].k, k);
    if (!jk.fits)
        return (struct lin_step){ LIN_FAR, -1, -1, v };
    /*@ assert positive: factors(jk.z, v.atom[d].k, k) && 0 < jk.z; */
    return lin_quotient(v, v.atom[d].lin, jk.z);
}

/* floor(f / k) of a form over quotients and remainders of forms before a. */
/*@ LIN_REQUIRES
    requires form:     0 <= f < v.nlin && a <= v.nlin;
    requires terms:    terms_ok(v, v.lin[f].first, v.lin[f].first + v.lin[f].n, a);
    requires divisor:  0 < k;
    terminates \true;
    decreases 3 * a + 1;
    exits    never:    \false;
    LIN_KEEPS
    ensures  value:    LIN_VALUE(floor_div(value_of{Pre}(v, f), k));
*/
static struct lin_step quotient_less(struct lins_view v, int f, long k) /*@ ghost (int a) */
{
    long lo = floor_div(v.lin[f].lo, k), hi = floor_div(v.lin[f].hi, k);
    int inner = lin_lone(v, f, ATOM_DIV);

    /*@ assert ranged: fits(v) ==> v.lin[f].lo <= value_of(v, f) <= v.lin[f].hi; */
    /*@ assert range: fits(v) ==> lo <= floor_div(value_of(v, f), k) <= hi; */
    if (lo == hi)
        return lin_number(v, lo);
    if (inner >= 0) {
        /*@ assert term: v.lin[f].first <= v.lin[f].first < v.lin[f].first + v.lin[f].n; */
        /*@ assert before: before(v, inner, a); */
        return quotient_twice(v, inner, k) /*@ ghost (a) */;
    }
    return lin_atom(v, (struct atom){ ATOM_DIV, -1, f, k, lo, hi });
}

struct lin_step lin_quotient(struct lins_view v, int a, long k)
{
    struct lin_step d, r;

    /*@ assert one: floor_div(value_of(v, a), 1) == value_of(v, a); */
    if (k == 1)
        return (struct lin_step){ LIN_DONE, a, -1, v };
    d = divide(v, a, k);
    if (d.code != LIN_DONE)
        return d;
    /*@ assert fits: fits(d.v) ==> fits{Pre}(v); */
    /*@ assert whole: floor_div(value_of{Pre}(v, a), k) ==
                      floor_div(value_of(d.v, d.id), k) + value_of(d.v, d.atom); */
    /*@ ghost Divided: ; */
    r = quotient_less(d.v, d.id, k) /*@ ghost (a) */;
    /*@ assert grown: grown(v, r.v); */
    /*@ assert same: same{Pre,Here}(v); */
    if (r.code != LIN_DONE)
        return r;
    /*@ assert fits: fits(r.v) ==> fits{Pre}(v); */
    /*@ assert out: value_of(r.v, d.atom) == \at(value_of(d.v, d.atom), Divided); */
    /*@ assert value: fits(r.v) ==> value_of(r.v, d.atom) + value_of(r.v, r.id) == floor_div(value_of{Pre}(v, a), k); */
    /*@ ghost Both: ; */
    r = lin_combine(r.v, d.atom, r.id, 1);
    /*@ assert grown: grown(v, r.v); */
    /*@ assert same: same{Pre,Here}(v); */
    return r;
}

/* Form f, whose quotient by k is q, less k * q. */
/*@ LIN_REQUIRES
    requires form:     0 <= f < v.nlin;
    requires divisor:  1 < k;
    requires quotient: fits(v) ==> floor_div(value_of(v, f), k) == q;
    requires range:    LONG_MIN < q;
    terminates \true;
    exits    never:    \false;
    LIN_KEEPS
    ensures  value:    LIN_VALUE(floor_mod(value_of{Pre}(v, f), k));
*/
static struct lin_step rest_number(struct lins_view v, int f, long k, long q)
{
    struct exact qk = exact_mul(-q, k);
    struct lin_step r;

    /*@ assert rest: fits(v) ==> floor_mod(value_of(v, f), k) == value_of(v, f) - k * q; */
    if (!qk.fits)
        return (struct lin_step){ LIN_FAR, -1, -1, v };
    /*@ assert less: qk.z == -(k * q); */
    r = lin_number(v, qk.z);
    /*@ assert grown: grown(v, r.v); */
    if (r.code != LIN_DONE)
        return r;
    /*@ assert fits: fits(r.v) ==> fits{Pre}(v); */
    /*@ assert form: value_of(r.v, f) == value_of{Pre}(v, f); */
    r = lin_combine(r.v, f, r.id, 1);
    /*@ assert grown: grown(v, r.v); */
    /*@ assert same: same{Pre,Here}(v); */
    return r;
}

/* (x % (j * k)) % k = x % k, of atom d, which is x % (j * k), x before form a. */
/*@ LIN_REQUIRES
    requires atom:     before(v, d, a) && v.atom[d].kind == ATOM_MOD && a <= v.nlin;
    requires divisor:  0 < k && v.atom[d].k % k == 0;
    terminates \true;
    decreases 3 * a;
    exits    never:    \false;
    LIN_KEEPS
    ensures  value:    LIN_VALUE(floor_mod(val(d), k));
*/
static struct lin_step rest_twice(struct lins_view v, int d, long k) /*@ ghost (int a) */
{
    /*@ assert ok: atom_ok(v, d); */
    /*@ assert factor: factors(v.atom[d].k, v.atom[d].k / k, k); */
    /*@ assert mod: fits(v) ==> val(d) == floor_mod(value_of(v, v.atom[d].lin), v.atom[d].k); */
    /*@ assert nested: fits(v) ==> floor_mod(value_of(v, v.atom[d].lin), k) == floor_mod(val(d), k); */
    return lin_rest(v, v.atom[d].lin, k);
}

/* f - k * floor(f / k) of a form over quotients and remainders of forms before a. */
/*@ LIN_REQUIRES
    requires form:     0 <= f < v.nlin && a <= v.nlin;
    requires terms:    terms_ok(v, v.lin[f].first, v.lin[f].first + v.lin[f].n, a);
    requires divisor:  1 < k;
    terminates \true;
    decreases 3 * a + 1;
    exits    never:    \false;
    LIN_KEEPS
    ensures  value:    LIN_VALUE(floor_mod(value_of{Pre}(v, f), k));
*/
static struct lin_step rest_less(struct lins_view v, int f, long k) /*@ ghost (int a) */
{
    long q = floor_div(v.lin[f].lo, k);
    int inner = lin_lone(v, f, ATOM_MOD);

    /*@ assert ranged: fits(v) ==> v.lin[f].lo <= value_of(v, f) <= v.lin[f].hi; */
    /*@ assert least: quotient(v.lin[f].lo, k, q); */
    if (q == floor_div(v.lin[f].hi, k))
        return rest_number(v, f, k, q);
    if (inner >= 0 && v.atom[inner].k % k == 0) {
        /*@ assert term: v.lin[f].first <= v.lin[f].first < v.lin[f].first + v.lin[f].n; */
        /*@ assert before: before(v, inner, a); */
        return rest_twice(v, inner, k) /*@ ghost (a) */;
    }
    /*@ assert range: 0 <= floor_mod(value_of(v, f), k) <= k - 1; */
    return lin_atom(v, (struct atom){ ATOM_MOD, -1, f, k, 0, k - 1 });
}

struct lin_step lin_rest(struct lins_view v, int a, long k)
{
    struct lin_step d, r;

    /*@ assert one: floor_mod(value_of(v, a), 1) == 0; */
    if (k == 1)
        return lin_number(v, 0);
    d = divide(v, a, k);
    if (d.code != LIN_DONE)
        return d;
    /*@ assert fits: fits(d.v) ==> fits{Pre}(v); */
    /*@ assert rest: floor_mod(value_of{Pre}(v, a), k) == floor_mod(value_of(d.v, d.id), k); */
    r = rest_less(d.v, d.id, k) /*@ ghost (a) */;
    /*@ assert grown: grown(v, r.v); */
    /*@ assert same: same{Pre,Here}(v); */
    return r;
}
