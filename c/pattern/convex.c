#include "pattern/convex.h"

/*@ ghost
/@ requires valid:    valid_convex(v);
   requires range:    0 <= first && last <= v.i.n;
   requires before:   \forall integer k, e; first <= k < last ==> kept(v, k, e) ==> v.r.g.use[e].order <= high;
   terminates \true;
   exits    never:    \false;
   assigns  \nothing;
   ensures  apart:    \forall integer k, e, j; first <= k < last ==> kept(v, k, e) ==> high < v.r.g.use[j].order ==>
                      !ancestor(v.r.g, j, e);
@/
void hull_apart(struct convex_view v, int first, int last, unsigned long high)
{
    /@ loop invariant range: first <= k && (first <= last ==> k <= last);
       loop invariant apart: \forall integer s, e, j; first <= s < k ==> kept(v, s, e) ==> high < v.r.g.use[j].order ==>
                             !ancestor(v.r.g, j, e);
       loop assigns k;
       loop variant last - k;
    @/
    for (int k = first; k < last; k++)
        if (v.i.entry[k].kind == ENTRY_NODE && v.i.entry[k].node >= 0)
            ancestor_order(v.r.g, v.i.entry[k].node);
}
*/

/* Entry k stands for a node that is kept. */
/*@ requires valid:    valid_convex(v);
    requires entry:    0 <= k < v.i.n;
    terminates \true;
    exits    never:    \false;
    assigns  \nothing;
    ensures  kept:     \result != 0 <==> kept(v, k, v.i.entry[k].node);
    ensures  node:     \result != 0 ==> 0 <= v.i.entry[k].node < v.r.g.n;
    ensures  only:     \forall integer e; kept(v, k, e) ==> e == v.i.entry[k].node;
*/
static int keeps(struct convex_view v, int k)
{
    if (v.i.entry[k].kind != ENTRY_NODE || v.i.entry[k].node < 0)
        return 0;
    return !inside_inner(v.i, v.i.entry[k].node);
}

/* The last node kept of the entries from `from` on, or 0. */
/*@ requires valid:    valid_convex(v);
    requires from:     0 <= from <= v.i.n;
    terminates \true;
    exits    never:    \false;
    assigns  \nothing;
    ensures  last:     \forall integer k, e; from <= k ==> kept(v, k, e) ==> v.r.g.use[e].order <= \result;
*/
static unsigned long last_kept(struct convex_view v, int from)
{
    unsigned long high = 0;

    /*@ loop invariant range: from <= k <= v.i.n;
        loop invariant last:  \forall integer s, e; from <= s < k ==> kept(v, s, e) ==> v.r.g.use[e].order <= high;
        loop assigns k, high;
        loop variant v.i.n - k;
    */
    for (int k = from; k < v.i.n; k++)
        if (keeps(v, k) && v.r.g.use[v.i.entry[k].node].order > high)
            high = v.r.g.use[v.i.entry[k].node].order;
    return high;
}

/* The first of the outputs before `low` and from `out` on. */
/*@ requires valid:    valid_convex(v);
    requires out:      0 <= out <= v.nouts && first_ok(v, low, out);
    terminates \true;
    exits    never:    \false;
    assigns  \nothing;
    ensures  first:    first_ok(v, \result, v.nouts);
*/
static unsigned long first_out(struct convex_view v, unsigned long low, int out)
{
    /*@ loop invariant range: out <= k <= v.nouts;
        loop invariant first: first_ok(v, low, k);
        loop assigns k, low;
        loop variant v.nouts - k;
    */
    for (int k = out; k < v.nouts; k++)
        if (v.r.g.use[v.outs[k]].order < low)
            low = v.r.g.use[v.outs[k]].order;
    return low;
}

/* Are the nodes kept of the entries first .. last-1 computed from no target of the walk? */
/*@ requires valid:    valid_convex(v) && low_ok(v.r);
    requires stamps:   stamps_ok(v.r);
    requires range:    0 <= first <= last <= v.i.n;
    terminates \true;
    exits    never:    \false;
    assigns  v.r.seen[0 .. v.r.g.n - 1], v.r.work[0 .. v.r.g.n - 1];
    ensures  entry:    -1 <= \result.entry < last;
    ensures  hit:      \result.entry >= 0 ==> kept(v, \result.entry, v.i.entry[\result.entry].node) &&
                       target(v.r, \result.hit) && ancestor(v.r.g, \result.hit, v.i.entry[\result.entry].node);
    ensures  none:     \result.entry < 0 ==>
                       \forall integer k, e; first <= k < last ==> kept(v, k, e) ==> apart(v.r, e);
    ensures  stamps:   \forall integer x; 0 <= x < v.r.g.n ==> v.r.seen[x] <= \result.stamp;
*/
static struct convex_end walk(struct convex_view v, int first, int last)
{
    struct convex_end r = { -1, -1, { 0, 0 }, 0 };
    struct reach_end e = { -1, 0 };

    v.r.stamp = r.stamp = reach_stamp(v.r.seen, v.r.g.n, v.r.stamp);
    /*@ ghost reach_start(v.r); */
    /*@ loop invariant range: first <= k <= last;
        loop invariant ok:    walk_ok(v.r, 0, e.done, -1) && stamps_ok(v.r);
        loop invariant none:  \forall integer s, x; first <= s < k ==> kept(v, s, x) ==> apart(v.r, x);
        loop assigns k, e, v.r.seen[0 .. v.r.g.n - 1], v.r.work[0 .. v.r.g.n - 1];
        loop variant last - k;
    */
    for (int k = first; k < last; k++) {
        if (!keeps(v, k))
            continue;
        e = reach_from(v.r, e.done, v.i.entry[k].node);
        if (e.hit >= 0) {
            r.entry = k;
            r.hit = e.hit;
            return r;
        }
    }
    return r;
}

/* The entries from `from` on and all outputs, of which `low` is the first. */
/*@ requires valid:    valid_convex(v) && first_ok(v, low, v.nouts);
    requires stamps:   stamps_ok(v.r);
    requires from:     0 <= from <= v.i.n;
    requires last:     \forall integer k, e; from <= k ==> kept(v, k, e) ==> v.r.g.use[e].order <= high;
    terminates \true;
    exits    never:    \false;
    assigns  v.r.seen[0 .. v.r.g.n - 1], v.r.work[0 .. v.r.g.n - 1];
    ensures  entry:    -1 <= \result.entry < v.i.n;
    ensures  hit:      \result.entry >= 0 ==> kept(v, \result.entry, v.i.entry[\result.entry].node) &&
                       is_out(v, \result.hit) && ancestor(v.r.g, \result.hit, v.i.entry[\result.entry].node);
    ensures  none:     \result.entry < 0 ==> \forall integer o, k, e; from <= k ==> kept(v, k, e) ==> is_out(v, o) ==>
                       !ancestor(v.r.g, o, e);
    ensures  stamps:   \forall integer x; 0 <= x < v.r.g.n ==> v.r.seen[x] <= \result.stamp;
*/
static struct convex_end check_new(struct convex_view v, unsigned long low, unsigned long high, int from)
{
    if (high < low) {
        struct convex_end r = { -1, -1, { 0, 0 }, v.r.stamp };
        /*@ ghost hull_apart(v, from, v.i.n, high); */
        return r;
    }
    v.r.low = low;
    v.r.out = -1;
    /*@ assert targets: \forall integer x; target(v.r, x) <==> is_out(v, x); */
    return walk(v, from, v.i.n);
}

/* The entries before `from`, the last of them at most `high`, and output number k. */
/*@ requires valid:    valid_convex(v) && last_ok(v, high, from);
    requires stamps:   stamps_ok(v.r);
    requires old:      0 <= from <= v.i.n && 0 <= k < v.nouts;
    terminates \true;
    exits    never:    \false;
    assigns  v.r.seen[0 .. v.r.g.n - 1], v.r.work[0 .. v.r.g.n - 1];
    ensures  entry:    -1 <= \result.entry < v.i.n;
    ensures  hit:      \result.entry >= 0 ==> kept(v, \result.entry, v.i.entry[\result.entry].node) &&
                       is_out(v, \result.hit) && ancestor(v.r.g, \result.hit, v.i.entry[\result.entry].node);
    ensures  none:     \result.entry < 0 ==> \forall integer j, e; j < from ==> kept(v, j, e) ==>
                       !ancestor(v.r.g, v.outs[k], e);
    ensures  stamps:   \forall integer x; 0 <= x < v.r.g.n ==> v.r.seen[x] <= \result.stamp;
*/
static struct convex_end check_old(struct convex_view v, unsigned long high, int from, int k)
{
    unsigned long low = v.r.g.use[v.outs[k]].order;

    if (high < low) {
        struct convex_end r = { -1, -1, { 0, 0 }, v.r.stamp };
        /*@ ghost hull_apart(v, 0, from, high); */
        return r;
    }
    v.r.low = low;
    v.r.out = v.outs[k];
    return walk(v, 0, from);
}

struct convex_end convex_check(struct convex_view v, struct match_hull old, int from, int out)
{
    struct match_hull h;
    struct convex_end r;
    unsigned long high = last_kept(v, from);

    h.low = first_out(v, old.low, out);
    h.high = high > old.high ? high : old.high;
    r = check_new(v, h.low, high, from);
    /*@ loop invariant range:  out <= k <= v.nouts;
        loop invariant entry:  -1 <= r.entry < v.i.n;
        loop invariant hit:    r.entry >= 0 ==> kept(v, r.entry, v.i.entry[r.entry].node) &&
                               is_out(v, r.hit) && ancestor(v.r.g, r.hit, v.i.entry[r.entry].node);
        loop invariant old:    r.entry < 0 ==> convex_part(v, from, k);
        loop invariant new:    r.entry < 0 ==> \forall integer o, k, e; from <= k ==> kept(v, k, e) ==> is_out(v, o) ==>
                               !ancestor(v.r.g, o, e);
        loop invariant stamps: \forall integer x; 0 <= x < v.r.g.n ==> v.r.seen[x] <= r.stamp;
        loop assigns k, r, v.r.seen[0 .. v.r.g.n - 1], v.r.work[0 .. v.r.g.n - 1], v.r.stamp;
        loop variant v.nouts - k;
    */
    for (int k = out; k < v.nouts && r.entry < 0; k++) {
        v.r.stamp = r.stamp;
        r = check_old(v, old.high, from, k);
    }
    r.hull = h;
    return r;
}
