#include "emit/lin_room.h"

/* Is atom d the quotient x / k? Nested quotients are one: (y / j) / k is y / (j * k). */
/*@ requires valid:    valid_lins(v);
    requires wf:       wf(v);
    requires atom:     0 <= d < v.natom && 0 <= x < v.nlin && 0 < k;
    terminates \true;
    exits    never:    \false;
    assigns  \nothing;
    ensures  quotient: \result != 0 ==> fits(v) ==> val(d) == floor_div(value_of(v, x), k);
*/
static bool is_quotient(struct lins_view v, int d, int x, long k)
{
    int inner;
    struct exact jk;

    if (v.atom[d].kind != ATOM_DIV)
        return false;
    /*@ assert atom: atom_ok(v, d); */
    /*@ assert value: fits(v) ==> val(d) == floor_div(value_of(v, v.atom[d].lin), v.atom[d].k); */
    if (v.atom[d].k == k && lin_same(v, v.atom[d].lin, x))
        return true;
    inner = lin_lone(v, x, ATOM_DIV);
    if (inner < 0)
        return false;
    /*@ assert inner: atom_ok(v, inner); */
    /*@ assert nested: fits(v) ==> value_of(v, x) == floor_div(value_of(v, v.atom[inner].lin), v.atom[inner].k); */
    jk = exact_mul(v.atom[inner].k, k);
    if (!jk.fits || v.atom[d].k != jk.z)
        return false;
    /*@ assert floor: fits(v) ==> floor_div(value_of(v, x), k) ==
        floor_div(value_of(v, v.atom[inner].lin), v.atom[inner].k * k); */
    return lin_same(v, v.atom[d].lin, v.atom[inner].lin);
}

/* The place among the terms of form a of c * k * (x / k), when that of place i is c * (x % k); else -1. */
/*@ requires valid:    valid_lins(v);
    requires wf:       wf(v);
    requires place:    0 <= a < v.nlin && 0 <= i < v.lin[a].n;
    terminates \true;
    exits    never:    \false;
    assigns  \nothing;
    ensures  place:    -1 <= \result < v.lin[a].n && \result != i;
    ensures  rest:     \result >= 0 ==> v.atom[v.term[v.lin[a].first + i].atom].kind == ATOM_MOD;
    ensures  joined:   \result >= 0 ==> fits(v) ==>
                       term_value(v, v.lin[a].first + i) + term_value(v, v.lin[a].first + \result) ==
                       v.term[v.lin[a].first + i].c * value_of(v, v.atom[v.term[v.lin[a].first + i].atom].lin);
*/
static int partner(struct lins_view v, int a, int i)
{
    struct lin x = v.lin[a];
    struct term m = v.term[x.first + i];
    struct atom r;

    /*@ assert ok: lin_ok(v, a) && before(v, m.atom, a) && atom_ok(v, m.atom); */
    r = v.atom[m.atom];
    if (r.kind != ATOM_MOD)
        return -1;
    /*@ assert rest: fits(v) ==> val(m.atom) == floor_mod(value_of(v, r.lin), r.k); */
    /*@ loop invariant index: 0 <= j <= x.n;
        loop assigns j;
        loop variant x.n - j;
    */
    for (int j = 0; j < x.n; j++) {
        struct term q = v.term[x.first + j];
        /*@ assert before: before(v, q.atom, a); */
        if (j == i || q.c % r.k != 0 || q.c / r.k != m.c || !is_quotient(v, q.atom, r.lin, r.k))
            continue;
        /*@ assert factor: q.c == m.c * r.k; */
        /*@ assert joined: fits(v) ==> worth(q.c, q.atom) + worth(m.c, m.atom) == m.c * value_of(v, r.lin); */
        return j;
    }
    return -1;
}

/* Form a without the terms at places i and j. */
/*@ LIN_REQUIRES
    requires places:   0 <= a < v.nlin && 0 <= i < v.lin[a].n && 0 <= j < v.lin[a].n && i != j;
    terminates \true;
    exits    never:    \false;
    LIN_KEEPS
    ensures  atoms:    \result.v.natom == v.natom;
    ensures  value:    \result.code == LIN_DONE ==> value_of(\result.v, \result.id) == value_of{Pre}(v, a) -
                       term_value{Pre}(v, v.lin[a].first + i) - term_value{Pre}(v, v.lin[a].first + j);
*/
static struct lin_step without(struct lins_view v, int a, int i, int j)
{
    struct lin x = v.lin[a];
    struct lin_open r = { LIN_DONE, { v.nterm, 0, x.k, x.k, x.k } };

    /*@ assert ok: lin_ok(v, a); */
    /*@ loop invariant index: 0 <= t <= x.n;
        loop invariant code:  LIN_DONE <= r.code <= LIN_FAR;
        loop invariant same:  same{Pre,Here}(v);
        loop invariant good:  good(v);
        loop invariant open:  r.code == LIN_DONE ==> open_ok(v, r.x, v.nlin) && open_ranged(v, r.x);
        loop invariant value: r.code == LIN_DONE ==> sum_of(v, r.x) ==
                              x.k + (upto(v.term, x.first + t) - upto(v.term, x.first)) -
                              (t > i ? term_value{Pre}(v, x.first + i) : 0) -
                              (t > j ? term_value{Pre}(v, x.first + j) : 0);
        loop assigns t, r, v.term[v.nterm .. v.cterm - 1];
        loop variant x.n - t;
    */
    for (int t = 0; t < x.n && r.code == LIN_DONE; t++) {
        /*@ assert next: upto(v.term, x.first + t + 1) == upto(v.term, x.first + t) + term_value{Pre}(v, x.first + t); */
        if (t != i && t != j)
            r = lin_push(v, r.x, v.term[x.first + t].atom, v.term[x.first + t].c) /*@ ghost (v.nlin) */;
    }
    if (r.code != LIN_DONE)
        return (struct lin_step){ r.code, -1, -1, v };
    return lin_finish(v, r.x) /*@ ghost (v.nlin) */;
}

/* c * k * (x / k) + c * (x % k) is c * x: what splitting an index into quotient and remainder and addressing row-major
   with them comes to. The first such pair of terms of the form is joined; none: the form itself. */
/*@ LIN_REQUIRES
    requires form:     0 <= a < v.nlin;
    terminates \true;
    exits    never:    \false;
    LIN_KEEPS
    ensures  atoms:    \result.v.natom == v.natom;
    ensures  value:    LIN_VALUE(value_of{Pre}(v, a));
*/
static struct lin_step rejoin(struct lins_view v, int a)
{
    struct lin x = v.lin[a];

    /*@ assert ok: lin_ok(v, a); */
    /*@ loop invariant index: 0 <= i <= x.n;
        loop assigns i;
        loop variant x.n - i;
    */
    for (int i = 0; i < x.n; i++) {
        int j = partner(v, a, i);
        struct term m = v.term[x.first + i];
        struct lin_step r;
        if (j < 0)
            continue;
        /*@ assert atom: before(v, m.atom, a) && atom_ok(v, m.atom); */
        r = without(v, a, i, j);
        if (r.code != LIN_DONE)
            return r;
        /*@ assert inner: value_of(r.v, v.atom[m.atom].lin) == value_of{Pre}(v, v.atom[m.atom].lin); */
        /*@ assert fits: fits(r.v) ==> fits{Pre}(v); */
        return lin_merge(r.v, r.id, v.atom[m.atom].lin, m.c) /*@ ghost (r.v.nlin) */;
    }
    return (struct lin_step){ LIN_DONE, a, -1, v };
}

struct lin_step lin_combine(struct lins_view v, int a, int b, long k)
{
    struct lin_step r = lin_merge(v, a, b, k) /*@ ghost (v.nlin) */;
    int last = -1;

    /*@ loop invariant range: 0 <= steps <= REJOIN_MAX;
        loop invariant code:  LIN_DONE <= r.code <= LIN_FAR;
        loop invariant grown: grown(v, r.v) && valid_lins(r.v);
        loop invariant same:  same{Pre,Here}(v);
        loop invariant good:  r.code == LIN_DONE ==> good(r.v) && 0 <= r.id < r.v.nlin;
        loop invariant value: r.code == LIN_DONE ==> fits(r.v) ==>
                              value_of(r.v, r.id) == value_of{Pre}(v, a) + k * value_of{Pre}(v, b);
        loop assigns steps, last, r, v.term[v.nterm .. v.cterm - 1], v.lin[v.nlin .. v.clin - 1];
        loop variant REJOIN_MAX - steps;
    */
    for (int steps = 0; steps < REJOIN_MAX && r.code == LIN_DONE && r.id != last; steps++) {
        last = r.id;
        r = rejoin(r.v, last);
    }
    return r;
}
