/* Index arithmetic in normal form, k + sum c * atom, an atom a variable, a quotient or a remainder: adding, scaling, dividing, merging
   terms. Invariant: terms grow by atom and none has coefficient 0; a form says what it said, for all values of the variables. */
#include "base/linear_internal.h"

#ifdef __FRAMAC__
#include "base/linear.acsl"
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

/* The next term of the sum of two forms, and which of the two it comes from. */
struct lin_pick {
    int atom, left, right;
    struct exact c;
};

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
    ensures  worth:    \result.c.fits != 0 ==> worth(\result.c.z, \result.atom) ==
                       (\result.left != 0 ? term_value(v, i) : 0) + (\result.right != 0 ? scaled(k, term_value(v, j)) : 0);
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
    /*@ assert second: r.c.fits != 0 ==> r.left == 0 ==> worth(r.c.z, r.atom) == scaled(k, worth(v.term[j].c, r.atom)); */
    /*@ assert both: r.c.fits != 0 ==> r.left != 0 ==> r.right != 0 ==>
                     worth(r.c.z, r.atom) == worth(v.term[i].c, r.atom) + scaled(k, worth(v.term[j].c, r.atom)); */
    return r;
}

/* The terms of p and k times those of q, after the number c. */
/*@ requires valid:    valid_lins(v);
    requires good:     good(v);
    requires before:   f <= v.nlin;
    requires left:     0 <= p.first && 0 <= p.n && p.first + p.n <= v.nterm && terms_ok(v, p.first, p.first + p.n, f);
    requires right:    0 <= q.first && 0 <= q.n && q.first + q.n <= v.nterm && terms_ok(v, q.first, q.first + q.n, f);
    requires number:   c == p.k + k * q.k;
    terminates \true;
    exits    never:    \false;
    assigns  v.term[v.nterm .. v.cterm - 1];
    ensures  code:     LIN_DONE <= \result.code <= LIN_FAR;
    ensures  same:     same{Pre,Post}(v);
    ensures  good:     good(v);
    ensures  open:     \result.code == LIN_DONE ==> open_ok(v, \result.x, f);
    ensures  ranged:   \result.code == LIN_DONE ==> open_ranged(v, \result.x);
    ensures  value:    \result.code == LIN_DONE ==>
                       sum_of(v, \result.x) == sum_of{Pre}(v, p) + k * sum_of{Pre}(v, q);
*/
static struct lin_open merge_terms(struct lins_view v, struct lin p, struct lin q, long k, long c) /*@ ghost (int f) */
{
    struct lin_open r = { LIN_DONE, { v.nterm, 0, c, c, c } };
    int i = 0, j = 0;

    /*@ assert number: c == p.k + scaled(k, q.k); */
    /*@ assert none: part{Pre}(v, p, 0) == p.k && part{Pre}(v, q, 0) == q.k; */
    /*@ assert empty: sum_of(v, r.x) == c; */
    /*@ loop invariant index: 0 <= i <= p.n && 0 <= j <= q.n;
        loop invariant code:  LIN_DONE <= r.code <= LIN_FAR;
        loop invariant same:  same{Pre,Here}(v);
        loop invariant good:  good(v);
        loop invariant open:  r.code == LIN_DONE ==> open_ok(v, r.x, f) && open_ranged(v, r.x);
        loop invariant value: r.code == LIN_DONE ==> sum_of(v, r.x) == part{Pre}(v, p, i) + scaled(k, part{Pre}(v, q, j));
        loop assigns i, j, r, v.term[v.nterm .. v.cterm - 1];
        loop variant p.n - i + (q.n - j);
    */
    while (r.code == LIN_DONE && (i < p.n || j < q.n)) {
        struct lin_pick t = pick(v, p.first + i, i < p.n, q.first + j, j < q.n, k);
        if (!t.c.fits) {
            r.code = LIN_FAR;
            return r;
        }
        /*@ assert left: t.left != 0 ==> part{Pre}(v, p, i + 1) == part{Pre}(v, p, i) + term_value{Pre}(v, p.first + i); */
        /*@ assert right: t.right != 0 ==> part{Pre}(v, q, j + 1) == part{Pre}(v, q, j) + term_value{Pre}(v, q.first + j); */
        /*@ assert scaled: t.right != 0 ==>
            scaled(k, part{Pre}(v, q, j + 1)) == scaled(k, part{Pre}(v, q, j)) + scaled(k, term_value{Pre}(v, q.first + j)); */
        /*@ assert first: t.left != 0 ==> term_value(v, p.first + i) == term_value{Pre}(v, p.first + i); */
        /*@ assert second: t.right != 0 ==> term_value(v, q.first + j) == term_value{Pre}(v, q.first + j); */
        /*@ assert next: part{Pre}(v, p, i + t.left) + scaled(k, part{Pre}(v, q, j + t.right)) ==
            part{Pre}(v, p, i) + scaled(k, part{Pre}(v, q, j)) + worth(t.c.z, t.atom); */
        r = lin_push(v, r.x, t.atom, t.c.z) /*@ ghost (f) */;
        i += t.left;
        j += t.right;
    }
    /*@ assert all: r.code == LIN_DONE ==> sum_of(v, r.x) == part{Pre}(v, p, p.n) + scaled(k, part{Pre}(v, q, q.n)); */
    return r;
}

struct lin_step lin_merge(struct lins_view v, int a, int b, long k) /*@ ghost (int f) */
{
    struct lin p = v.lin[a], q = v.lin[b];
    struct exact c = lin_add_times(p.k, k, q.k);
    struct lin_step far = { LIN_FAR, -1, -1, v }, s;
    struct lin_open r;

    if (!c.fits)
        return far;
    /*@ assert ok: lin_ok(v, a) && lin_ok(v, b); */
    r = merge_terms(v, p, q, k, c.z) /*@ ghost (f) */;
    if (r.code != LIN_DONE) {
        far.code = r.code;
        return far;
    }
    s = lin_finish(v, r.x) /*@ ghost (f) */;
    /*@ assert same: same{Pre,Here}(v); */
    return s;
}

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
        loop invariant same:  same_run(v, x.first, y.first, i);
        loop invariant sum:   upto(v.term, x.first + i) - upto(v.term, x.first) ==
                              upto(v.term, y.first + i) - upto(v.term, y.first);
        loop assigns i;
        loop variant x.n - i;
    */
    for (int i = 0; i < x.n; i++) {
        if (v.term[x.first + i].atom != v.term[y.first + i].atom || v.term[x.first + i].c != v.term[y.first + i].c) {
            /*@ assert differ: !same_term(v, x.first + i, y.first + i); */
            /*@ assert not: !same_run(v, x.first, y.first, x.n); */
            return false;
        }
        /*@ assert equal: same_term(v, x.first + i, y.first + i); */
        /*@ assert next: same_run(v, x.first, y.first, i + 1); */
    }
    /*@ assert sums: upto(v.term, x.first + x.n) - upto(v.term, x.first) ==
                     upto(v.term, y.first + y.n) - upto(v.term, y.first); */
    /*@ assert value: value_of(v, a) == value_of(v, b); */
    return true;
}
