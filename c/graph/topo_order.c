/* Order maintenance (after Dietz and Sleator; Bender et al.): a list of the nodes with growing labels. Where there is no label left
   between two neighbours, the smallest aligned range of labels around them that is thin enough is spread. Invariant: labels grow along
   the list. */
#include "graph/topo_order.h"

/* Neighbours on the list, from the one at the left to that at the right. */
struct order_run {
    long left, right;
    unsigned long count;
};

/* A range of labels, base .. base + size - 1, where base = block * size. */
struct order_range {
    unsigned long block, base, size;
};

#ifdef __FRAMAC__
#include "graph/spread.acsl"
#endif

unsigned long order_allowed(int bits)
{
    static const unsigned long allowed[62] = {
        1, 1, 2, 3, 5, 7, 11, 17, 25, 38, 57, 86, 129, 194, 291, 437, 656, 985, 1477, 2216, 3325, 4987, 7481, 11222, 16834,
        25251, 37876, 56815, 85222, 127834, 191751, 287626, 431439, 647159, 970739, 1456109, 2184164, 3276246, 4914369,
        7371554, 11057332, 16585998, 24878997, 37318496, 55977744, 83966617, 125949925, 188924888, 283387333, 425081000,
        637621500, 956432250, 1434648375, 2151972563, 3227958844, 4841938267, 7262907400, 10894361101, 16341541651,
        24512312477, 36768468716, 55152703075
    };

    return allowed[bits];
}

/* How far apart n labels of `size` may be. */
/*@ requires labels:   1 <= n && 2 * n <= size <= ORDER_TOP;
    terminates \true;
    exits    never:    \false;
    assigns  \nothing;
    ensures  step:     2 <= \result;
    ensures  fit:      n * \result <= size;
*/
static unsigned long even_step(unsigned long size, unsigned long n)
{
    return size / n;
}

/* Label number k of n. */
/*@ requires label:    1 <= k <= n;
    requires fit:      2 <= step && (n + 1) * step <= size <= ORDER_TOP;
    terminates \true;
    exits    never:    \false;
    assigns  \nothing;
    ensures  label:    \result == k * step;
    ensures  next:     \result == (k - 1) * step + step;
    ensures  range:    step <= \result && \result + step <= size;
*/
static unsigned long even_label(unsigned long k, unsigned long n, unsigned long step, unsigned long size)
{
    /*@ assert first: 1 * step <= k * step; */
    /*@ assert last: k * step <= n * step; */
    /*@ assert sum: (n + 1) * step == n * step + step; */
    (void)n; /* only the contract speaks of it */
    (void)size;
    return k * step;
}

void order_spread_all(struct order_view v, int x)
{
    unsigned long n = (unsigned long)v.n, step = even_step(ORDER_TOP, x < 0 ? n + 2 : n + 1), k = 0, label = 0;

    /*@ assert fit: (n + 1) * step <= ORDER_TOP; */
    /*@ loop invariant here:   y == -1 || listed(v, x, y);
        loop invariant count:  0 <= k <= n && (y >= 0 ==> k == card(below{Pre}(v, x, y), v.n));
        loop invariant label:  label == k * step && label < ORDER_TOP;
        loop invariant small:  \forall integer a; listed(v, x, a) ==> done{Pre}(v, y, a) ==>
                               2 <= v.node[a].order <= label;
        loop invariant apart:  \forall integer a, b; listed(v, x, a) ==> listed(v, x, b) ==> done{Pre}(v, y, b) ==>
                               \at(v.node[a].order, Pre) < \at(v.node[b].order, Pre) ==>
                               v.node[a].order + 2 <= v.node[b].order;
        loop assigns y, k, label, v.node[0 .. v.n - 1].order;
        loop variant n - k;
    */
    for (long y = v.first; y >= 0; y = v.node[y].after) {
        /*@ assert out: !in_slots(below{Pre}(v, x, y), y); */
        /*@ assert room: k < n; */
        /*@ assert after: after_ok{Pre}(v, x, y); */
        /*@ assert next: v.node[y].after >= 0 ==> \forall integer a; listed(v, x, a) ==>
                         (done{Pre}(v, v.node[y].after, a) <==> a == y || done{Pre}(v, y, a)); */
        /*@ assert last: v.node[y].after < 0 ==> \forall integer a; listed(v, x, a) ==> a == y || done{Pre}(v, y, a); */
        /*@ assert set: v.node[y].after >= 0 ==> \forall integer a; a != y ==>
                        (in_slots(below{Pre}(v, x, v.node[y].after), a) <==> in_slots(below{Pre}(v, x, y), a)); */
        /*@ assert one: v.node[y].after >= 0 ==> in_slots(below{Pre}(v, x, v.node[y].after), y); */
        /*@ assert more: v.node[y].after >= 0 ==> card(below{Pre}(v, x, v.node[y].after), v.n) == k + 1; */
        /*@ assert below: \forall integer a; listed(v, x, a) ==> done{Pre}(v, y, a) ==> a != y && v.node[a].order <= label; */
        k++;
        /*@ assert number: k == \at(k, LoopCurrent) + 1; */
        label = even_label(k, n, step, ORDER_TOP);
        /*@ assert product: (k - 1) * step == \at(k, LoopCurrent) * step; */
        /*@ assert higher: \at(label, LoopCurrent) + 2 <= label; */
        v.node[y].order = label;
        /*@ assert put: v.node[y].order == label; */
        /*@ assert others: \forall integer a; 0 <= a < v.n ==> a != y ==>
                           v.node[a].order == \at(v.node[a].order, LoopCurrent); */
        /*@ assert new: \forall integer a; listed(v, x, a) ==> done{Pre}(v, y, a) ==> v.node[a].order + 2 <= v.node[y].order; */
    }
    /*@ assert links: same_links{Pre,Here}(v); */
    /*@ assert grown: grown{Pre,Here}(v, x); */
    /*@ assert sorted: sorted_but(v, x); */
    /*@ assert small: small_labels(v, x); */
}

/* The run is extended to the left as far as its labels are not below the range. */
/*@ requires valid:    valid_order(v);
    requires ok:       sorted_but(v, x) && run_ok(v, x, r.left, r.right, r.count);
    requires base:     base <= v.node[r.left].order;
    terminates \true;
    exits    never:    \false;
    assigns  \nothing;
    ensures  run:      run_ok(v, x, \result.left, \result.right, \result.count);
    ensures  right:    \result.right == r.right;
    ensures  base:     base <= v.node[\result.left].order <= v.node[r.left].order;
    ensures  all:      \forall integer y; listed(v, x, y) ==> base <= v.node[y].order ==>
                       v.node[\result.left].order <= v.node[y].order;
*/
static struct order_run grow_left(struct order_view v, int x, struct order_run r, unsigned long base)
{
    (void)x; /* only the contract speaks of it */
    /*@ loop invariant run:   run_ok(v, x, r.left, r.right, r.count);
        loop invariant right: r.right == \at(r.right, Pre);
        loop invariant base:  base <= v.node[r.left].order <= v.node[\at(r.left, Pre)].order;
        loop assigns r;
        loop variant v.node[r.left].order;
    */
    while (v.node[r.left].before >= 0 && v.node[v.node[r.left].before].order >= base) {
        /*@ assert before: before_ok(v, x, r.left) && after_ok(v, x, v.node[r.left].before); */
        /*@ assert next: \forall integer a; listed(v, x, a) ==>
                         (v.node[v.node[r.left].before].order <= v.node[a].order <==>
                          a == v.node[r.left].before || v.node[r.left].order <= v.node[a].order); */
        /*@ assert one: !in_slots(span(v, x, r.left, r.right), v.node[r.left].before) &&
                        in_slots(span(v, x, v.node[r.left].before, r.right), v.node[r.left].before); */
        /*@ assert more: card(span(v, x, v.node[r.left].before, r.right), v.n) == r.count + 1; */
        r.left = v.node[r.left].before;
        r.count++;
    }
    /*@ assert before: before_ok(v, x, r.left); */
    /*@ assert after: v.node[r.left].before >= 0 ==> after_ok(v, x, v.node[r.left].before); */
    return r;
}

/* The run is extended to the right as far as its labels are in the range. */
/*@ requires valid:    valid_order(v);
    requires ok:       sorted_but(v, x) && run_ok(v, x, r.left, r.right, r.count);
    requires range:    base <= v.node[r.right].order < base + size <= ORDER_TOP;
    terminates \true;
    exits    never:    \false;
    assigns  \nothing;
    ensures  run:      run_ok(v, x, \result.left, \result.right, \result.count);
    ensures  left:     \result.left == r.left;
    ensures  range:    v.node[r.right].order <= v.node[\result.right].order < base + size;
    ensures  all:      \forall integer y; listed(v, x, y) ==> v.node[y].order < base + size ==>
                       v.node[y].order <= v.node[\result.right].order;
*/
static struct order_run grow_right(struct order_view v, int x, struct order_run r, unsigned long base, unsigned long size)
{
    (void)x; /* only the contract speaks of it */
    /*@ loop invariant run:   run_ok(v, x, r.left, r.right, r.count);
        loop invariant left:  r.left == \at(r.left, Pre);
        loop invariant range: v.node[\at(r.right, Pre)].order <= v.node[r.right].order < base + size;
        loop assigns r;
        loop variant base + size - v.node[r.right].order;
    */
    while (v.node[r.right].after >= 0 && v.node[v.node[r.right].after].order - base < size) {
        /*@ assert after: after_ok(v, x, r.right); */
        /*@ assert next: \forall integer a; listed(v, x, a) ==>
                         (v.node[a].order <= v.node[v.node[r.right].after].order <==>
                          a == v.node[r.right].after || v.node[a].order <= v.node[r.right].order); */
        /*@ assert one: !in_slots(span(v, x, r.left, r.right), v.node[r.right].after) &&
                        in_slots(span(v, x, r.left, v.node[r.right].after), v.node[r.right].after); */
        /*@ assert more: card(span(v, x, r.left, v.node[r.right].after), v.n) == r.count + 1; */
        r.right = v.node[r.right].after;
        r.count++;
    }
    /*@ assert after: after_ok(v, x, r.right); */
    return r;
}

/* The run evenly in the range, in which no other node is. */
/*@ requires valid:    valid_order(v);
    requires ok:       order_but(v, x) && run_ok(v, x, r.left, r.right, r.count);
    requires range:    base <= v.node[r.left].order && v.node[r.right].order < base + size <= ORDER_TOP;
    requires all:      \forall integer y; listed(v, x, y) ==> base <= v.node[y].order < base + size ==>
                       within(v, r.left, r.right, y);
    requires room:     2 * (r.count + 1) <= size;
    terminates \true;
    exits    never:    \false;
    assigns  v.node[0 .. v.n - 1].order;
    ensures  ok:       order_but(v, x);
    ensures  kept:     kept{Pre,Post}(v, x);
    ensures  gaps:     \forall integer y; listed(v, x, y) ==> within{Pre}(v, r.left, r.right, y) ==> gap(v, y);
*/
static void relabel(struct order_view v, int x, struct order_run r, unsigned long base, unsigned long size)
{
    unsigned long n = r.count + 1, step = even_step(size, n), label = 0;
    long y = r.left;

    (void)x; /* only the contract speaks of it */
    /*@ assert n: n == r.count + 1; */
    /*@ assert fit: (r.count + 1) * step <= size; */
    /*@ loop invariant here:   y == -1 || (listed(v, x, y) && !done{Pre}(v, r.left, y));
        loop invariant count:  1 <= k <= r.count + 1 && k - 1 + card(span{Pre}(v, x, y, r.right), v.n) == r.count;
        loop invariant label:  label == (k - 1) * step && label < size;
        loop invariant small:  \forall integer a; listed(v, x, a) ==> within{Pre}(v, r.left, r.right, a) ==>
                               done{Pre}(v, y, a) ==> base + 2 <= v.node[a].order <= base + label;
        loop invariant apart:  \forall integer a, b; listed(v, x, a) ==> listed(v, x, b) ==>
                               within{Pre}(v, r.left, r.right, a) ==> within{Pre}(v, r.left, r.right, b) ==>
                               done{Pre}(v, y, b) ==> \at(v.node[a].order, Pre) < \at(v.node[b].order, Pre) ==>
                               v.node[a].order + 2 <= v.node[b].order;
        loop invariant rest:   \forall integer a; listed(v, x, a) ==> !within{Pre}(v, r.left, r.right, a) ==>
                               v.node[a].order == \at(v.node[a].order, Pre);
        loop assigns y, k, label, v.node[0 .. v.n - 1].order;
        loop variant r.count - k;
    */
    for (unsigned long k = 1; k <= r.count; k++) {
        /*@ assert some: \exists integer a; in_slots(span{Pre}(v, x, y, r.right), a); */
        /*@ assert in: y >= 0 && within{Pre}(v, r.left, r.right, y); */
        /*@ assert after: after_ok{Pre}(v, x, y); */
        /*@ assert next: v.node[y].after >= 0 ==> \forall integer a; listed(v, x, a) ==>
                         (done{Pre}(v, v.node[y].after, a) <==> a == y || done{Pre}(v, y, a)); */
        /*@ assert last: v.node[y].after < 0 ==> \forall integer a; listed(v, x, a) ==> a == y || done{Pre}(v, y, a); */
        /*@ assert set: \forall integer a; a != y ==>
                        (in_slots(span{Pre}(v, x, v.node[y].after, r.right), a) <==>
                         in_slots(span{Pre}(v, x, y, r.right), a)); */
        /*@ assert one: !in_slots(span{Pre}(v, x, v.node[y].after, r.right), y) &&
                        in_slots(span{Pre}(v, x, y, r.right), y); */
        /*@ assert less: k + card(span{Pre}(v, x, v.node[y].after, r.right), v.n) == r.count; */
        label = even_label(k, r.count, step, size);
        v.node[y].order = base + label;
        /*@ assert others: \forall integer a; 0 <= a < v.n ==> a != y ==>
                           v.node[a].order == \at(v.node[a].order, LoopCurrent); */
        /*@ assert new: \forall integer a; listed(v, x, a) ==> within{Pre}(v, r.left, r.right, a) ==> done{Pre}(v, y, a) ==>
                        v.node[a].order + 2 <= v.node[y].order; */
        y = v.node[y].after;
    }
    /*@ assert none: !in_slots(span{Pre}(v, x, y, r.right), r.right); */
    /*@ assert done: \forall integer a; listed(v, x, a) ==> within{Pre}(v, r.left, r.right, a) ==> done{Pre}(v, y, a); */
    /*@ assert inside: \forall integer a; listed(v, x, a) ==> within{Pre}(v, r.left, r.right, a) ==>
                       base + 2 <= v.node[a].order < base + size; */
    /*@ assert outside: \forall integer a; listed(v, x, a) ==> !within{Pre}(v, r.left, r.right, a) ==>
                        v.node[a].order == \at(v.node[a].order, Pre) &&
                        (v.node[a].order < base || base + size <= v.node[a].order); */
    /*@ assert links: same_links{Pre,Here}(v); */
    /*@ assert grown: grown{Pre,Here}(v, x); */
    /*@ assert sorted: sorted_but(v, x); */
    /*@ assert neighbour: \forall integer a; listed(v, x, a) ==> v.node[a].before >= 0 ==>
                          listed(v, x, v.node[a].before) &&
                          \at(v.node[v.node[a].before].order, Pre) < \at(v.node[a].order, Pre); */
}

/* The range of twice as many labels around it. */
/*@ requires range:    range_ok(g.block, g.base, g.size, bits) && bits < 62;
    terminates \true;
    exits    never:    \false;
    assigns  \nothing;
    ensures  range:    range_ok(\result.block, \result.base, \result.size, bits + 1);
    ensures  wider:    \result.base <= g.base && g.base + g.size <= \result.base + \result.size;
*/
static struct order_range widen(struct order_range g, int bits)
{
    (void)bits; /* only the contract speaks of it */
    /*@ assert half: pow2(62 - bits) == 2 * pow2(61 - bits); */
    g.block /= 2;
    g.size *= 2;
    g.base = g.block * g.size;
    return g;
}

void order_spread(struct order_view v, int x, int next)
{
    struct order_run r = { .left = next, .right = next, .count = 1 };
    struct order_range g = { .block = v.node[next].order, .base = v.node[next].order, .size = 1 };

    /*@ assert none: \forall integer y; !in_slots(span(v, x, -1, next), y); */
    /*@ assert one: \forall integer y; in_slots(span(v, x, next, next), y) <==> y == next; */
    /*@ assert single: card(span(v, x, next, next), v.n) == card(span(v, x, -1, next), v.n) + 1 == 1; */
    /*@ assert p10: pow2(10) == 0x400; */
    /*@ assert p20: pow2(20) == 0x100000; */
    /*@ assert p30: pow2(30) == 0x40000000; */
    /*@ assert p40: pow2(40) == 0x10000000000; */
    /*@ assert p50: pow2(50) == 0x4000000000000; */
    /*@ assert p62: pow2(62) == ORDER_TOP; */
    /*@ loop invariant bits:   1 <= bits <= 62;
        loop invariant range:  range_ok(g.block, g.base, g.size, bits - 1);
        loop invariant run:    run_ok(v, x, r.left, r.right, r.count);
        loop invariant next:   within(v, r.left, r.right, next);
        loop invariant inside: g.base <= v.node[r.left].order && v.node[r.right].order < g.base + g.size;
        loop assigns bits, r, g;
        loop variant 62 - bits;
    */
    for (int bits = 1; bits < 62; bits++) {
        g = widen(g, bits - 1);
        r = grow_right(v, x, grow_left(v, x, r, g.base), g.base, g.size);
        if (r.count <= order_allowed(bits) && 4 * (r.count + 1) <= g.size) {
            relabel(v, x, r, g.base, g.size);
            return;
        }
    }
    order_spread_all(v, x);
}

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
    /*@ assert labels: \forall integer y; 0 <= y < v.n ==> v.node[y].order == \at(v.node[y].order, Pre); */
    /*@ assert owned: own_labels{Pre}(v, -1); */
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

int order_first(const struct use_node *use, const int *a, int n)
{
    int first = a[0];

    /*@ loop invariant range: 1 <= k <= n;
        loop invariant among: among(a, k, first);
        loop invariant first: \forall integer x; among(a, k, x) ==> use[first].order <= use[x].order;
        loop assigns k, first;
        loop variant n - k;
    */
    for (int k = 1; k < n; k++)
        if (use[a[k]].order < use[first].order)
            first = a[k];
    return first;
}
