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
    struct exact c = lin_add_times(p.k, k, q.k);
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
