#include "pattern/order_list.h"

#define ORDER_GAP 0x100000000UL /* between nodes that are numbered in a row */

/*@ requires valid:    valid_order(v);
    requires nodes:    -1 <= p < v.n;
    terminates \true;
    exits    never:    \false;
    assigns  v.node[0 .. v.n - 1].after;
    ensures  view:     \result.node == v.node && \result.n == v.n && \result.last == v.last;
    ensures  first:    \result.first == (p < 0 ? q : v.first);
    ensures  put:      p >= 0 ==> v.node[p].after == q;
    ensures  afters:   \forall integer y; 0 <= y < v.n && y != p ==> v.node[y].after == \old(v.node[y].after);
    ensures  befores:  \forall integer y; 0 <= y < v.n ==> v.node[y].before == \old(v.node[y].before);
*/
static struct order_view put_after(struct order_view v, long p, long q)
{
    struct order_view r = v;

    if (p >= 0)
        v.node[p].after = q;
    else
        r.first = q;
    return r;
}

/*@ requires valid:    valid_order(v);
    requires nodes:    -1 <= q < v.n;
    terminates \true;
    exits    never:    \false;
    assigns  v.node[0 .. v.n - 1].before;
    ensures  view:     \result.node == v.node && \result.n == v.n && \result.first == v.first;
    ensures  last:     \result.last == (q < 0 ? p : v.last);
    ensures  put:      q >= 0 ==> v.node[q].before == p;
    ensures  befores:  \forall integer y; 0 <= y < v.n && y != q ==> v.node[y].before == \old(v.node[y].before);
    ensures  afters:   \forall integer y; 0 <= y < v.n ==> v.node[y].after == \old(v.node[y].after);
*/
static struct order_view put_before(struct order_view v, long q, long p)
{
    struct order_view r = v;

    if (q >= 0)
        v.node[q].before = p;
    else
        r.last = p;
    return r;
}

struct order_view order_cut(struct order_view v, int x)
{
    long p = v.node[x].before, q = v.node[x].after;
    struct order_view r;

    /*@ assert here: after_ok(v, -1, x) && before_ok(v, -1, x); */
    /*@ assert apart: p != x && q != x && -1 <= p < v.n && -1 <= q < v.n; */
    /*@ assert twice: \forall integer y; listed(v, x, y) ==> (v.node[y].after == x ==> y == p) &&
                      (v.node[y].before == x ==> y == q); */
    r = put_after(v, p, q);
    r = put_before(r, q, p);
    /*@ assert after_same: \forall integer y; listed(v, x, y) ==> y != p ==> v.node[y].after == \at(v.node[y].after, Pre); */
    /*@ assert before_same: \forall integer y; listed(v, x, y) ==> y != q ==>
                            v.node[y].before == \at(v.node[y].before, Pre); */
    /*@ assert after_put: p >= 0 ==> v.node[p].after == q; */
    /*@ assert before_put: q >= 0 ==> v.node[q].before == p; */
    /*@ assert ends: ends_ok(r, x); */
    /*@ assert after_far: \forall integer y; listed(v, x, y) ==> y != p ==> after_ok{Pre}(v, -1, y) &&
                          v.node[y].after != x && (q >= 0 ==> v.node[y].after != q); */
    /*@ assert before_far: \forall integer y; listed(v, x, y) ==> y != q ==> before_ok{Pre}(v, -1, y) &&
                           v.node[y].before != x && (p >= 0 ==> v.node[y].before != p); */
    /*@ assert after_p: p >= 0 ==> after_ok(r, x, p); */
    /*@ assert before_q: q >= 0 ==> before_ok(r, x, q); */
    /*@ assert after_rest: \forall integer y; listed(v, x, y) ==> y != p ==> after_ok(r, x, y); */
    /*@ assert before_rest: \forall integer y; listed(v, x, y) ==> y != q ==> before_ok(r, x, y); */
    /*@ assert chained: chained_order(r, x); */
    /*@ assert next_rest: \forall integer z, y; listed(v, x, z) ==> listed(v, x, y) ==> z != p ==>
                          v.node[y].order <= v.node[z].order ||
                          (v.node[z].after >= 0 && v.node[v.node[z].after].order <= v.node[y].order); */
    /*@ assert next_x: \forall integer y; listed(v, x, y) ==> v.node[y].order < v.node[x].order ||
                       (q >= 0 && v.node[q].order <= v.node[y].order); */
    /*@ assert next_p: p >= 0 ==> \forall integer y; listed(v, x, y) ==> v.node[y].order <= v.node[p].order ||
                       v.node[x].order <= v.node[y].order; */
    /*@ assert next_at_p: p >= 0 ==> \forall integer y; listed(v, x, y) ==> v.node[y].order <= v.node[p].order ||
                          (v.node[p].after >= 0 && v.node[v.node[p].after].order <= v.node[y].order); */
    /*@ assert next_all: \forall integer z, y; listed(r, x, z) ==> listed(r, x, y) ==>
                         v.node[y].order <= v.node[z].order ||
                         (v.node[z].after >= 0 && v.node[v.node[z].after].order <= v.node[y].order); */
    /*@ assert next: next_label(r, x); */
    /*@ assert first: first_label(r, x); */
    /*@ assert own: own_labels(r, x); */
    return r;
}

/* Links only: x comes between p, or the start, and next. */
/*@ requires valid:    valid_order(v);
    requires nodes:    0 <= x < v.n && 0 <= next < v.n && -1 <= p < v.n && x != next && p != x && p != next;
    terminates \true;
    exits    never:    \false;
    assigns  v.node[0 .. v.n - 1].before, v.node[0 .. v.n - 1].after;
    ensures  view:     \result.node == v.node && \result.n == v.n && \result.last == v.last;
    ensures  first:    \result.first == (p < 0 ? x : v.first);
    ensures  put:      v.node[x].after == next && v.node[next].before == x && v.node[x].before == p &&
                       (p >= 0 ==> v.node[p].after == x);
    ensures  afters:   \forall integer y; 0 <= y < v.n && y != x && y != p ==> v.node[y].after == \old(v.node[y].after);
    ensures  befores:  \forall integer y; 0 <= y < v.n && y != x && y != next ==>
                       v.node[y].before == \old(v.node[y].before);
*/
static struct order_view put_between(struct order_view v, int x, long p, int next)
{
    struct order_view r;

    v.node[x].before = p;
    v.node[x].after = next;
    /*@ assert afters: \forall integer y; 0 <= y < v.n && y != x ==> v.node[y].after == \at(v.node[y].after, Pre); */
    /*@ assert befores: \forall integer y; 0 <= y < v.n && y != x ==> v.node[y].before == \at(v.node[y].before, Pre); */
    r = put_after(v, p, x);
    return put_before(r, next, x);
}

struct order_view order_insert(struct order_view v, int x, int next)
{
    long p = v.node[next].before;
    unsigned long low = p < 0 ? 0 : v.node[p].order;
    struct order_view r;

    /*@ assert here: before_ok(v, x, next) && -1 <= p < v.n && p != x && p != next; */
    v.node[x].order = low + (v.node[next].order - low) / 2;
    /*@ assert label: (p >= 0 ==> v.node[p].order < v.node[x].order) && v.node[x].order < v.node[next].order; */
    /*@ assert others: \forall integer y; listed(v, x, y) ==> v.node[y].order == \at(v.node[y].order, Pre); */
    /*@ assert between: \forall integer y; listed(v, x, y) ==> v.node[next].order <= v.node[y].order ||
                        (p >= 0 && v.node[y].order <= v.node[p].order); */
    /*@ assert kept: kept{Pre,Here}(v, x); */
    /*@ assert own_x: \forall integer y; 0 <= y < v.n ==> y != x ==> v.node[y].order != v.node[x].order; */
    /*@ assert own_rest: \forall integer y, z; 0 <= y < v.n ==> 0 <= z < v.n ==> y != x ==> z != x ==>
                         v.node[y].order == v.node[z].order ==> y == z; */
    /*@ assert own_all: \forall integer y, z; 0 <= y < v.n ==> 0 <= z < v.n ==>
                        v.node[y].order == v.node[z].order ==> y == z; */
    /*@ assert next_x: \forall integer y; listed(v, -1, y) ==> v.node[y].order <= v.node[x].order ||
                       v.node[next].order <= v.node[y].order; */
    /*@ assert next_p: p >= 0 ==> \forall integer y; listed(v, -1, y) ==> v.node[y].order <= v.node[p].order ||
                       v.node[x].order <= v.node[y].order; */
    r = put_between(v, x, p, next);
    /*@ assert after_same: \forall integer y; listed(v, x, y) ==> y != p ==> v.node[y].after == \at(v.node[y].after, Pre); */
    /*@ assert before_same: \forall integer y; listed(v, x, y) ==> y != next ==>
                            v.node[y].before == \at(v.node[y].before, Pre); */
    /*@ assert ends: ends_ok(r, -1); */
    /*@ assert after_far: \forall integer y; listed(v, x, y) ==> y != p ==> after_ok{Pre}(v, x, y) && v.node[y].after != next; */
    /*@ assert before_far: \forall integer y; listed(v, x, y) ==> y != next ==> before_ok{Pre}(v, x, y) &&
                           (p >= 0 ==> v.node[y].before != p); */
    /*@ assert after_new: after_ok(r, -1, x) && (p >= 0 ==> after_ok(r, -1, p)); */
    /*@ assert before_new: before_ok(r, -1, x) && before_ok(r, -1, next); */
    /*@ assert after_rest: \forall integer y; listed(v, x, y) ==> y != p ==> after_ok(r, -1, y); */
    /*@ assert before_rest: \forall integer y; listed(v, x, y) ==> y != next ==> before_ok(r, -1, y); */
    /*@ assert after_all: \forall integer y; listed(r, -1, y) ==> after_ok(r, -1, y); */
    /*@ assert before_all: \forall integer y; listed(r, -1, y) ==> before_ok(r, -1, y); */
    /*@ assert chained: chained_order(r, -1); */
    /*@ assert next_old: \forall integer z, y; listed(v, x, z) ==> listed(v, x, y) ==> z != p ==>
                          v.node[y].order <= v.node[z].order ||
                          (v.node[z].after >= 0 && v.node[v.node[z].after].order <= v.node[y].order); */
    /*@ assert next_rest: \forall integer z; listed(v, x, z) ==> z != p ==>
                          v.node[x].order <= v.node[z].order ||
                          (v.node[z].after >= 0 && v.node[v.node[z].after].order <= v.node[x].order); */
    /*@ assert apart: \forall integer y; listed(r, -1, y) ==> y == x || listed(v, x, y); */
    /*@ assert next_far: \forall integer z, y; listed(v, x, z) ==> listed(r, -1, y) ==> z != p ==>
                         v.node[y].order <= v.node[z].order ||
                         (v.node[z].after >= 0 && v.node[v.node[z].after].order <= v.node[y].order); */
    /*@ assert next: next_label(r, -1); */
    /*@ assert first: first_label(r, -1); */
    /*@ assert own: own_labels(r, -1); */
    return r;
}

/* Links and a label, which may be too great: x, on no list, comes last. */
/*@ requires valid:    valid_order(v);
    requires node:     0 <= x && x == v.n - 1;
    requires ok:       order_but(v, x);
    terminates \true;
    exits    never:    \false;
    assigns  v.node[0 .. v.n - 1].after, v.node[x].before, v.node[x].order;
    ensures  view:     \result.node == v.node && \result.n == v.n;
    ensures  sorted:   sorted_but(\result, -1);
    ensures  last:     \forall integer y; 0 <= y < x ==> precedes(v, y, x);
    ensures  rest:     \forall integer y; 0 <= y < x ==> v.node[y].order == \old(v.node[y].order);
*/
static struct order_view put_last(struct order_view v, int x)
{
    long l = v.last;
    struct order_view r;

    /*@ assert here: l < 0 || (listed(v, x, l) && v.node[l].after == -1); */
    /*@ assert none: l < 0 ==> \forall integer y; !listed(v, x, y); */
    /*@ assert top: l >= 0 ==> \forall integer y; listed(v, x, y) ==> v.node[y].order <= v.node[l].order < ORDER_TOP; */
    /*@ assert more: \forall integer y; listed(v, x, y) ==> y != l ==> v.node[y].after >= 0; */
    v.node[x].order = (l < 0 ? 0 : v.node[l].order) + ORDER_GAP;
    /*@ assert others: \forall integer y; listed(v, x, y) ==> v.node[y].order == \at(v.node[y].order, Pre); */
    /*@ assert above: \forall integer y; listed(v, x, y) ==> v.node[y].order < v.node[x].order; */
    v.node[x].before = l;
    v.node[x].after = -1;
    /*@ assert afters: \forall integer y; listed(v, x, y) ==> v.node[y].after == \at(v.node[y].after, Pre); */
    r = put_after(v, l, x);
    r.last = x;
    /*@ assert before_same: \forall integer y; listed(v, x, y) ==> v.node[y].before == \at(v.node[y].before, Pre); */
    /*@ assert after_same: \forall integer y; listed(v, x, y) ==> y != l ==> v.node[y].after == \at(v.node[y].after, Pre); */
    /*@ assert x: v.node[x].after == -1 && v.node[x].before == l; */
    /*@ assert ends: ends_ok(r, -1); */
    /*@ assert all: \forall integer y; listed(r, -1, y) ==> y == x || listed(v, x, y); */
    /*@ assert after_l: l >= 0 ==> after_ok(r, -1, l); */
    /*@ assert after_x: after_ok(r, -1, x) && before_ok(r, -1, x); */
    /*@ assert after_rest: \forall integer y; listed(v, x, y) ==> y != l ==> after_ok(r, -1, y); */
    /*@ assert before_rest: \forall integer y; listed(v, x, y) ==> before_ok(r, -1, y); */
    /*@ assert chained: chained_order(r, -1); */
    /*@ assert next_rest: \forall integer z, y; listed(v, x, z) ==> listed(v, x, y) ==> z != l ==>
                          v.node[y].order <= v.node[z].order || v.node[v.node[z].after].order <= v.node[y].order; */
    /*@ assert next_x: \forall integer z; listed(v, x, z) ==> z != l ==> v.node[v.node[z].after].order <= v.node[x].order; */
    /*@ assert next: next_label(r, -1); */
    /*@ assert first: first_label(r, -1); */
    /*@ assert own: own_labels(r, -1); */
    return r;
}

struct order_view order_append(struct order_view v, int x)
{
    struct order_view r = put_last(v, x);

    /*@ assert kept: kept{Pre,Here}(v, x); */
    if (v.node[x].order >= ORDER_TOP)
        order_spread_all(r, -1);
    /*@ assert small: small_labels(r, -1); */
    return r;
}

/* There is a label between that of `next` and the one before it; x is out of the list. */
/*@ requires valid:    valid_order(v);
    requires nodes:    0 <= x < v.n && 0 <= next < v.n && x != next;
    requires ok:       order_but(v, x);
    terminates \true;
    exits    never:    \false;
    assigns  v.node[0 .. v.n - 1].order;
    ensures  ok:       order_but(v, x);
    ensures  kept:     kept{Pre,Post}(v, x);
    ensures  gap:      gap(v, next);
*/
static void make_gap(struct order_view v, int x, int next)
{
    long p = v.node[next].before;
    unsigned long low = p < 0 ? 0 : v.node[p].order;

    /*@ assert before: before_ok(v, x, next); */
    /*@ assert low: p >= 0 ==> low < v.node[next].order; */
    if (v.node[next].order - low < 2)
        order_spread(v, x, next);
}

/* Node x leaves its place for the one just before `next`. */
/*@ requires valid:    valid_order(v);
    requires ok:       order_ok(v);
    requires nodes:    0 <= x < v.n && 0 <= next < v.n && x != next;
    terminates \true;
    exits    never:    \false;
    assigns  v.node[0 .. v.n - 1].before, v.node[0 .. v.n - 1].after, v.node[0 .. v.n - 1].order;
    ensures  view:     \result.node == v.node && \result.n == v.n;
    ensures  ok:       order_ok(\result);
    ensures  kept:     kept{Pre,Post}(v, x);
    ensures  here:     just_before(v, x, next);
*/
static struct order_view move(struct order_view v, int x, int next)
{
    struct order_view r = order_cut(v, x);

    make_gap(r, x, next);
    /*@ assert spread: kept{Pre,Here}(v, x); */
    r = order_insert(r, x, next);
    /*@ assert kept: kept{Pre,Here}(v, x); */
    return r;
}

struct order_view order_place(struct order_view v, int x, int next)
{
    if (x == next)
        return v;
    if (v.node[x].after == next) {
        /*@ assert chain: after_ok(v, -1, x) && v.node[x].order < v.node[next].order; */
        /*@ assert between: \forall integer y; listed(v, -1, y) ==> v.node[y].order <= v.node[x].order ||
                            v.node[next].order <= v.node[y].order; */
        /*@ assert apart: \forall integer y; listed(v, -1, y) ==> y != x ==> v.node[y].order != v.node[x].order; */
        /*@ assert all: \forall integer y; 0 <= y < v.n ==> listed(v, -1, y); */
        /*@ assert here: just_before(v, x, next); */
        return v;
    }
    return move(v, x, next);
}
