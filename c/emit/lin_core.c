#include "emit/lin_room.h"

/* The next term of the sum of two forms, and which of the two it comes from. */
struct lin_pick {
    int atom, left, right;
    struct exact c;
};

/*@ requires valid:    valid_lins(v);
    requires room:     v.nterm <= at < v.cterm;
    terminates \true;
    exits    never:    \false;
    assigns  v.term[at];
    ensures  written:  v.term[at].atom == atom && v.term[at].c == c;
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
    /*@ assert last: upto(v.term, at + 1) == upto(v.term, at) + worth(v.term[at].c, v.term[at].atom); */
}

/* x + c * y */
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

/*@ terminates \true;
    exits    never:    \false;
    assigns  \nothing;
    ensures  value:    \result.fits != 0 ==> \result.z == x + c * y;
*/
static struct exact add_times(long x, long c, long y)
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
    lo = add_times(x.lo, c, c > 0 ? v.atom[atom].lo : v.atom[atom].hi);
    hi = add_times(x.hi, c, c > 0 ? v.atom[atom].hi : v.atom[atom].lo);
    if (!lo.fits || !hi.fits)
        return r;
    /*@ assert range: fits(v) ==> v.atom[atom].lo <= val(atom) <= v.atom[atom].hi; */
    /*@ assert up: fits(v) ==> 0 < c ==> c * v.atom[atom].lo <= c * val(atom) <= c * v.atom[atom].hi; */
    /*@ assert down: fits(v) ==> c < 0 ==> c * v.atom[atom].hi <= c * val(atom) <= c * v.atom[atom].lo; */
    /*@ assert worth: worth(c, atom) == c * val(atom); */
    /*@ assert bounds: fits(v) ==> lo.z <= sum_of(v, x) + worth(c, atom) <= hi.z; */
    put_term(v, x.first + x.n, atom, c);
    /*@ assert terms: same_terms{Pre,Here}(v); */
    /*@ assert lins: same_lins{Pre,Here}(v); */
    /*@ assert atoms: same_atoms{Pre,Here}(v); */
    /*@ assert wf: wf(v); */
    /*@ assert fits: fits(v) ==> fits{Pre}(v); */
    /*@ assert value: x.k + (upto(v.term, x.first + x.n + 1) - upto(v.term, x.first)) == sum_of{Pre}(v, x) + worth(c, atom); */
    r.x.n++;
    r.x.lo = lo.z;
    r.x.hi = hi.z;
    r.code = LIN_DONE;
    /*@ assert before: before(v, atom, f) && v.term[x.first + x.n].atom == atom && v.term[x.first + x.n].c == c; */
    /*@ assert old: terms_ok(v, x.first, x.first + x.n, f); */
    /*@ assert open: open_ok(v, r.x, f); */
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
    /*@ assert old: wf(v) && terms_ok(v, x.first, x.first + x.n, f); */
    /*@ assert forms: \forall integer g; 0 <= g < v.nlin ==> lin_ok(r.v, g); */
    /*@ assert wf: wf(r.v); */
    /*@ assert fits: fits(r.v) ==> fits(v) && fits{Pre}(v); */
    return r;
}

struct lin_step lin_number(struct lins_view v, long k)
{
    struct lin x = { v.nterm, 0, k, k, k };

    return lin_finish(v, x) /*@ ghost (0) */;
}

/* Term i of the arena if left, k times term j if right, both if it is one atom. */
/*@ requires valid:    valid_lins(v);
    requires some:     left != 0 || right != 0;
    requires left:     left != 0 ==> 0 <= i < v.nterm;
    requires right:    right != 0 ==> 0 <= j < v.nterm;
    terminates \true;
    exits    never:    \false;
    assigns  \nothing;
    ensures  some:     \result.left != 0 || \result.right != 0;
    ensures  left:     0 <= \result.left <= 1 && (\result.left != 0 ==> left != 0 && \result.atom == v.term[i].atom);
    ensures  right:    0 <= \result.right <= 1 && (\result.right != 0 ==> right != 0 && \result.atom == v.term[j].atom);
    ensures  first:    \result.c.fits != 0 ==> \result.right == 0 ==> \result.c.z == v.term[i].c;
    ensures  second:   \result.c.fits != 0 ==> \result.left == 0 ==> \result.c.z == k * v.term[j].c;
    ensures  both:     \result.c.fits != 0 ==> \result.left != 0 ==> \result.right != 0 ==>
                       \result.c.z == v.term[i].c + k * v.term[j].c;
*/
static struct lin_pick pick(struct lins_view v, int i, int left, int j, int right, long k)
{
    struct lin_pick r = { -1, left != 0, right != 0, { true, 0 } };

    if (left && right && v.term[i].atom != v.term[j].atom) {
        r.left = v.term[i].atom < v.term[j].atom;
        r.right = !r.left;
    }
    r.atom = r.left ? v.term[i].atom : v.term[j].atom;
    if (r.right)
        r.c = exact_mul(k, v.term[j].c);
    if (r.left && r.c.fits)
        r.c = exact_add(v.term[i].c, r.c.z);
    return r;
}

struct lin_step lin_merge(struct lins_view v, int a, int b, long k) /*@ ghost (int f) */
{
    struct lin p = v.lin[a], q = v.lin[b];
    struct exact c = add_times(p.k, k, q.k);
    struct lin_open r = { LIN_DONE, { v.nterm, 0, c.z, c.z, c.z } };
    int i = 0, j = 0;

    if (!c.fits)
        return (struct lin_step){ LIN_FAR, -1, -1, v };
    /*@ loop invariant index: 0 <= i <= p.n && 0 <= j <= q.n;
        loop invariant code:  LIN_DONE <= r.code <= LIN_FAR;
        loop invariant same:  same{Pre,Here}(v);
        loop invariant good:  good(v);
        loop invariant open:  r.code == LIN_DONE ==> open_ok(v, r.x, f) && open_ranged(v, r.x);
        loop invariant value: r.code == LIN_DONE ==> sum_of(v, r.x) == p.k + k * q.k +
                              (upto(v.term, p.first + i) - upto(v.term, p.first)) +
                              k * (upto(v.term, q.first + j) - upto(v.term, q.first));
        loop assigns i, j, r, v.term[v.nterm .. v.cterm - 1];
        loop variant p.n - i + (q.n - j);
    */
    while (r.code == LIN_DONE && (i < p.n || j < q.n)) {
        struct lin_pick t = pick(v, p.first + i, i < p.n, q.first + j, j < q.n, k);
        if (!t.c.fits) {
            r.code = LIN_FAR;
            break;
        }
        /*@ assert value: worth(t.c.z, t.atom) ==
            (t.left != 0 ? upto(v.term, p.first + i + 1) - upto(v.term, p.first + i) : 0) +
            k * (t.right != 0 ? upto(v.term, q.first + j + 1) - upto(v.term, q.first + j) : 0); */
        r = lin_push(v, r.x, t.atom, t.c.z) /*@ ghost (f) */;
        i += t.left;
        j += t.right;
    }
    if (r.code != LIN_DONE)
        return (struct lin_step){ r.code, -1, -1, v };
    return lin_finish(v, r.x) /*@ ghost (f) */;
}

int lin_lone(struct lins_view v, int a, int kind)
{
    struct lin x = v.lin[a];

    /*@ assert ok: lin_ok(v, a); */
    if (x.n != 1 || x.k != 0 || v.term[x.first].c != 1)
        return -1;
    /*@ assert term: before(v, v.term[x.first].atom, a); */
    /*@ assert sum: upto(v.term, x.first + 1) == upto(v.term, x.first) + val(v.term[x.first].atom); */
    return v.atom[v.term[x.first].atom].kind == kind ? v.term[x.first].atom : -1;
}

bool lin_same(struct lins_view v, int a, int b)
{
    struct lin x = v.lin[a], y = v.lin[b];

    /*@ assert ok: lin_ok(v, a) && lin_ok(v, b); */
    if (a == b)
        return true;
    if (x.n != y.n || x.k != y.k)
        return false;
    /*@ loop invariant index: 0 <= i <= x.n;
        loop invariant same:  \forall integer j; 0 <= j < i ==> same_term(v, x.first + j, y.first + j);
        loop invariant sum:   upto(v.term, x.first + i) - upto(v.term, x.first) ==
                              upto(v.term, y.first + i) - upto(v.term, y.first);
        loop assigns i;
        loop variant x.n - i;
    */
    for (int i = 0; i < x.n; i++)
        if (v.term[x.first + i].atom != v.term[y.first + i].atom || v.term[x.first + i].c != v.term[y.first + i].c)
            return false;
    return true;
}

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
