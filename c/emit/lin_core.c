#include "emit/lin_room.h"

#ifdef __FRAMAC__
#include "emit/lin_join.acsl"
#endif

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
                       joins(v, v.lin[a].first + i, v.lin[a].first + \result,
                       v.atom[v.term[v.lin[a].first + i].atom].lin);
*/
static int partner(struct lins_view v, int a, int i)
{
    struct lin x = v.lin[a];
    struct term m;
    struct atom r;

    /*@ assert ok: lin_ok(v, a); */
    m = v.term[x.first + i];
    /*@ assert atom: before(v, m.atom, a) && atom_ok(v, m.atom); */
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
        /*@ assert multiple: multiple(q.c, r.k, m.c); */
        /*@ assert factor: q.c == m.c * r.k; */
        /*@ assert quotient: fits(v) ==> val(q.atom) == floor_div(value_of(v, r.lin), r.k); */
        /*@ assert parts: fits(v) ==> parts(value_of(v, r.lin), r.k, val(q.atom), val(m.atom)); */
        /*@ assert joined: fits(v) ==> worth(q.c, q.atom) + worth(m.c, m.atom) == scaled(m.c, value_of(v, r.lin)); */
        /*@ assert terms: term_value(v, x.first + i) == worth(m.c, m.atom) &&
                          term_value(v, x.first + j) == worth(q.c, q.atom); */
        /*@ assert factors: v.term[x.first + i].c == m.c; */
        /*@ assert sum: fits(v) ==> term_value(v, x.first + i) + term_value(v, x.first + j) ==
                        scaled(v.term[x.first + i].c, value_of(v, r.lin)); */
        /*@ assert joins: fits(v) ==> joins(v, x.first + i, x.first + j, r.lin); */
        return j;
    }
    return -1;
}

/* The terms of x but those at places i and j. */
/*@ requires valid:    valid_lins(v);
    requires good:     good(v);
    requires places:   0 <= i < x.n && 0 <= j < x.n && i != j;
    requires terms:    0 <= x.first && x.first + x.n <= v.nterm && terms_ok(v, x.first, x.first + x.n, v.nlin);
    terminates \true;
    exits    never:    \false;
    assigns  v.term[v.nterm .. v.cterm - 1];
    ensures  code:     LIN_DONE <= \result.code <= LIN_FAR;
    ensures  same:     same{Pre,Post}(v);
    ensures  good:     good(v);
    ensures  open:     \result.code == LIN_DONE ==> open_ok(v, \result.x, v.nlin);
    ensures  ranged:   \result.code == LIN_DONE ==> open_ranged(v, \result.x);
    ensures  value:    \result.code == LIN_DONE ==> sum_of(v, \result.x) == sum_of{Pre}(v, x) -
                       term_value{Pre}(v, x.first + i) - term_value{Pre}(v, x.first + j);
*/
static struct lin_open other_terms(struct lins_view v, struct lin x, int i, int j)
{
    struct lin_open r = { LIN_DONE, { v.nterm, 0, x.k, x.k, x.k } };

    /*@ assert empty: sum_of(v, r.x) == x.k; */
    /*@ loop invariant index: 0 <= t <= x.n;
        loop invariant code:  LIN_DONE <= r.code <= LIN_FAR;
        loop invariant same:  same{Pre,Here}(v);
        loop invariant good:  good(v);
        loop invariant open:  r.code == LIN_DONE ==> open_ok(v, r.x, v.nlin) && open_ranged(v, r.x);
        loop invariant value: r.code == LIN_DONE ==> sum_of(v, r.x) == part_without{Pre}(v, x, t, i, j);
        loop assigns t, r, v.term[v.nterm .. v.cterm - 1];
        loop variant x.n - t;
    */
    for (int t = 0; t < x.n && r.code == LIN_DONE; t++) {
        /*@ assert term: term_value(v, x.first + t) == term_value{Pre}(v, x.first + t); */
        /*@ assert next: part_without{Pre}(v, x, t + 1, i, j) == part_without{Pre}(v, x, t, i, j) +
                         (t == i || t == j ? 0 : term_value(v, x.first + t)); */
        if (t != i && t != j)
            r = lin_push(v, r.x, v.term[x.first + t].atom, v.term[x.first + t].c) /*@ ghost (v.nlin) */;
    }
    /*@ assert all: r.code == LIN_DONE ==> sum_of(v, r.x) == part_without{Pre}(v, x, x.n, i, j); */
    return r;
}

/* Form a without the terms at places i and j. */
/*@ LIN_REQUIRES
    requires places:   0 <= a < v.nlin && 0 <= i < v.lin[a].n && 0 <= j < v.lin[a].n && i != j;
    terminates \true;
    exits    never:    \false;
    LIN_KEEPS
    ensures  atoms:    \result.v.natom == v.natom;
    ensures  value:    \result.code == LIN_DONE ==> value_of(\result.v, \result.id) == value_of{Pre}(v, a) -
                       \old(term_value(v, v.lin[a].first + i)) - \old(term_value(v, v.lin[a].first + j));
*/
static struct lin_step without(struct lins_view v, int a, int i, int j)
{
    struct lin x = v.lin[a];
    struct lin_step far = { LIN_FAR, -1, -1, v }, s;
    struct lin_open r;

    /*@ assert ok: lin_ok(v, a); */
    /*@ assert terms: terms_ok(v, x.first, x.first + x.n, v.nlin); */
    r = other_terms(v, x, i, j);
    if (r.code != LIN_DONE) {
        far.code = r.code;
        return far;
    }
    /*@ assert whole: sum_of(v, r.x) == value_of{Pre}(v, a) - term_value{Pre}(v, x.first + i) -
                      term_value{Pre}(v, x.first + j); */
    s = lin_finish(v, r.x) /*@ ghost (v.nlin) */;
    /*@ assert same: same{Pre,Here}(v); */
    return s;
}

/* Two places among the terms of a form, which are c times another form together; or none. */
struct lin_pair {
    int i, j, form;
    long c;
};

/* The first remainder of form a with a partner. */
/*@ requires valid:    valid_lins(v);
    requires wf:       wf(v);
    requires form:     0 <= a < v.nlin;
    terminates \true;
    exits    never:    \false;
    assigns  \nothing;
    ensures  places:   \result.i >= 0 ==> \result.i < v.lin[a].n && 0 <= \result.j < v.lin[a].n && \result.i != \result.j;
    ensures  form:     \result.i >= 0 ==> 0 <= \result.form < v.nlin;
    ensures  joined:   \result.i >= 0 ==> fits(v) ==> term_value(v, v.lin[a].first + \result.i) +
                       term_value(v, v.lin[a].first + \result.j) == scaled(\result.c, value_of(v, \result.form));
*/
static struct lin_pair pair(struct lins_view v, int a)
{
    struct lin_pair r = { -1, -1, -1, 0 };
    struct lin x = v.lin[a];

    /*@ assert ok: lin_ok(v, a); */
    /*@ loop invariant index: 0 <= i <= x.n;
        loop assigns i, r.j;
        loop variant x.n - i;
    */
    for (int i = 0; i < x.n; i++) {
        r.j = partner(v, a, i);
        if (r.j >= 0) {
            /*@ assert before: before(v, v.term[x.first + i].atom, a); */
            /*@ assert atom: atom_ok(v, v.term[x.first + i].atom); */
            r.i = i;
            r.c = v.term[x.first + i].c;
            r.form = v.atom[v.term[x.first + i].atom].lin;
            /*@ assert joins: fits(v) ==> joins(v, x.first + i, x.first + r.j, r.form); */
            /*@ assert sum: fits(v) ==> term_value(v, x.first + i) + term_value(v, x.first + r.j) ==
                            scaled(r.c, value_of(v, r.form)); */
            return r;
        }
    }
    return r;
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
    struct lin_pair p = pair(v, a);
    struct lin_step r = { LIN_DONE, a, -1, v }, s;

    if (p.i < 0)
        return r;
    r = without(v, a, p.i, p.j);
    if (r.code != LIN_DONE)
        return r;
    /*@ assert inner: value_of(r.v, p.form) == value_of{Pre}(v, p.form); */
    /*@ assert first: fits(r.v) ==> fits{Pre}(v); */
    /*@ assert scaled: scaled(p.c, value_of(r.v, p.form)) == scaled(p.c, value_of{Pre}(v, p.form)); */
    /*@ assert whole: fits(r.v) ==> value_of(r.v, r.id) + scaled(p.c, value_of(r.v, p.form)) == value_of{Pre}(v, a); */
    /*@ assert forms: lin_ok(r.v, r.id) && lin_ok(r.v, p.form); */
    s = lin_merge(r.v, r.id, p.form, p.c) /*@ ghost (r.v.nlin) */;
    /*@ assert grown: grown(v, s.v); */
    /*@ assert same: same{Pre,Here}(v); */
    /*@ assert fits: fits(s.v) ==> fits{Pre}(v); */
    return s;
}

struct lin_step lin_combine(struct lins_view v, int a, int b, long k)
{
    struct lin_step r;
    int last = -1;

    /*@ assert forms: lin_ok(v, a) && lin_ok(v, b); */
    r = lin_merge(v, a, b, k) /*@ ghost (v.nlin) */;
    /*@ loop invariant range: 0 <= steps <= REJOIN_MAX;
        loop invariant code:  LIN_DONE <= r.code <= LIN_FAR;
        loop invariant grown: grown(v, r.v) && valid_lins(r.v);
        loop invariant same:  same{Pre,Here}(v);
        loop invariant good:  r.code == LIN_DONE ==> good(r.v) && 0 <= r.id < r.v.nlin;
        loop invariant value: r.code == LIN_DONE ==> fits(r.v) ==>
                              value_of(r.v, r.id) == value_of{Pre}(v, a) + k * value_of{Pre}(v, b);
        loop assigns steps, last, r, v.atom[v.natom .. v.catom - 1], v.term[v.nterm .. v.cterm - 1], v.lin[v.nlin .. v.clin - 1];
        loop variant REJOIN_MAX - steps;
    */
    for (int steps = 0; steps < REJOIN_MAX && r.code == LIN_DONE && r.id != last; steps++) {
        last = r.id;
        r = rejoin(r.v, last);
    }
    return r;
}
