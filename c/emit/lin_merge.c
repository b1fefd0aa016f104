#include "emit/lin_room.h"

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
