/* The check of a substitution: is anything that a replacement reads computed from what it replaces? Then it would make a cycle. */
#include "rewrite/hoist.h"

/* Node s is read, if it is one of the graph. */
/*@ requires ready:    ready(v);
    requires ok:       walk_ok(v.r, 0, done, -1) && stamps_ok(v.r) && met_needed(v);
    requires read:     0 <= s < v.r.g.n ==> reads(v, s);
    terminates \true;
    exits    never:    \false;
    assigns  v.r.seen[0 .. v.r.g.n - 1], v.r.work[0 .. v.r.g.n - 1];
    ensures  stamps:   stamps_ok(v.r);
    ensures  hit:      \result.hit >= 0 ==> target(v.r, \result.hit) && needed(v, \result.hit);
    ensures  ok:       \result.hit < 0 ==> walk_ok(v.r, 0, \result.done, -1) && met_needed(v);
    ensures  known:    \result.hit < 0 ==> known(v, s) && same_known{Pre,Post}(v);
*/
static struct reach_end read_node(struct early_view v, int s, int done)
{
    struct reach_end r = { -1, done };

    if (s < 0 || s >= v.r.g.n)
        return r;
    r = reach_from(v.r, done, s);
    return r;
}

/* What new node e reads. */
/*@ requires ready:    ready(v);
    requires node:     v.r.g.n <= e < v.total;
    requires ok:       walk_ok(v.r, 0, done, -1) && stamps_ok(v.r) && met_needed(v);
    terminates \true;
    exits    never:    \false;
    assigns  v.r.seen[0 .. v.r.g.n - 1], v.r.work[0 .. v.r.g.n - 1];
    ensures  stamps:   stamps_ok(v.r);
    ensures  hit:      \result.hit >= 0 ==> target(v.r, \result.hit) && needed(v, \result.hit);
    ensures  ok:       \result.hit < 0 ==> walk_ok(v.r, 0, \result.done, -1) && met_needed(v);
    ensures  known:    \result.hit < 0 ==> same_known{Pre,Post}(v) &&
                       \forall integer k; 0 <= k < v.r.g.node[e].nin ==> known(v, arg(v.r.g, e, k));
*/
static struct reach_end read_inputs(struct early_view v, int e, int done)
{
    int first = v.r.g.node[e].in, n = v.r.g.node[e].nin;
    struct reach_end r = { -1, done };

    /*@ assert args: new_ok(v, e); */
    /*@ loop invariant range:  0 <= k <= n;
        loop invariant stamps: stamps_ok(v.r);
        loop invariant hit:    r.hit >= 0 ==> target(v.r, r.hit) && needed(v, r.hit);
        loop invariant ok:     r.hit < 0 ==> walk_ok(v.r, 0, r.done, -1) && met_needed(v);
        loop invariant same:   r.hit < 0 ==> same_known{Pre,Here}(v);
        loop invariant known:  r.hit < 0 ==> \forall integer s; 0 <= s < k ==> known(v, arg(v.r.g, e, s));
        loop assigns k, r, v.r.seen[0 .. v.r.g.n - 1], v.r.work[0 .. v.r.g.n - 1];
        loop variant n - k;
    */
    for (int k = 0; k < n && r.hit < 0; k++) {
        int s = v.r.g.in[first + k];
        /*@ assert here: s == arg(v.r.g, e, k); */
        r = read_node(v, s, r.done);
    }
    return r;
}

/* What the new nodes read. */
/*@ requires ready:    ready(v);
    requires ok:       walk_ok(v.r, 0, done, -1) && stamps_ok(v.r) && met_needed(v);
    terminates \true;
    exits    never:    \false;
    assigns  v.r.seen[0 .. v.r.g.n - 1], v.r.work[0 .. v.r.g.n - 1];
    ensures  stamps:   stamps_ok(v.r);
    ensures  hit:      \result.hit >= 0 ==> target(v.r, \result.hit) && needed(v, \result.hit);
    ensures  ok:       \result.hit < 0 ==> walk_ok(v.r, 0, \result.done, -1) && met_needed(v);
    ensures  known:    \result.hit < 0 ==> known_new(v, v.total);
*/
static struct reach_end read_new(struct early_view v, int done)
{
    struct reach_end r = { -1, done };

    /*@ loop invariant range:  v.r.g.n <= e <= v.total;
        loop invariant stamps: stamps_ok(v.r);
        loop invariant hit:    r.hit >= 0 ==> target(v.r, r.hit) && needed(v, r.hit);
        loop invariant ok:     r.hit < 0 ==> walk_ok(v.r, 0, r.done, -1) && met_needed(v);
        loop invariant known:  r.hit < 0 ==> known_new(v, e);
        loop assigns e, r, v.r.seen[0 .. v.r.g.n - 1], v.r.work[0 .. v.r.g.n - 1];
        loop variant v.total - e;
    */
    for (int e = v.r.g.n; e < v.total && r.hit < 0; e++)
        r = read_inputs(v, e, r.done);
    return r;
}

/* The roots. */
/*@ requires ready:    ready(v);
    requires ok:       walk_ok(v.r, 0, done, -1) && stamps_ok(v.r) && met_needed(v);
    terminates \true;
    exits    never:    \false;
    assigns  v.r.seen[0 .. v.r.g.n - 1], v.r.work[0 .. v.r.g.n - 1];
    ensures  stamps:   stamps_ok(v.r);
    ensures  hit:      \result.hit >= 0 ==> target(v.r, \result.hit) && needed(v, \result.hit);
    ensures  ok:       \result.hit < 0 ==> walk_ok(v.r, 0, \result.done, -1) && met_needed(v);
    ensures  known:    \result.hit < 0 ==> known_roots(v, v.nouts) && same_known{Pre,Post}(v);
*/
static struct reach_end read_roots(struct early_view v, int done)
{
    struct reach_end r = { -1, done };

    /*@ loop invariant range:  0 <= k <= v.nouts;
        loop invariant stamps: stamps_ok(v.r);
        loop invariant hit:    r.hit >= 0 ==> target(v.r, r.hit) && needed(v, r.hit);
        loop invariant ok:     r.hit < 0 ==> walk_ok(v.r, 0, r.done, -1) && met_needed(v);
        loop invariant known:  r.hit < 0 ==> known_roots(v, k) && same_known{Pre,Here}(v);
        loop assigns k, r, v.r.seen[0 .. v.r.g.n - 1], v.r.work[0 .. v.r.g.n - 1];
        loop variant v.nouts - k;
    */
    for (int k = 0; k < v.nouts && r.hit < 0; k++)
        r = read_node(v, v.root[k], r.done);
    return r;
}

/* The new nodes, then the roots. */
/*@ requires ready:    ready(v);
    requires stamps:   fresh(v.r);
    terminates \true;
    exits    never:    \false;
    assigns  v.r.seen[0 .. v.r.g.n - 1], v.r.work[0 .. v.r.g.n - 1];
    ensures  stamps:   stamps_ok(v.r);
    ensures  hit:      \result.hit >= 0 ==> target(v.r, \result.hit) && needed(v, \result.hit);
    ensures  range:    \result.hit < 0 ==> 0 <= \result.done <= v.r.g.n;
    ensures  once:     \result.hit < 0 ==> walk_once(v.r, 0, \result.done);
    ensures  apart:    \result.hit < 0 ==> \forall integer s; reads(v, s) ==> apart(v.r, s);
    ensures  early:    \result.hit < 0 ==> \forall integer x; taken(v.r, \result.done, x) <==>
                       0 <= x < v.r.g.n && needed(v, x) && v.r.low <= v.r.g.use[x].order;
    ensures  settled:  \result.hit < 0 ==> \forall integer x; taken(v.r, \result.done, x) ==> 0 <= x < v.r.g.n && !target(v.r, x) &&
                       \forall integer k; 0 <= k < v.r.g.node[x].nin ==> 0 <= arg(v.r.g, x, k) ==>
                         v.r.low <= v.r.g.use[arg(v.r.g, x, k)].order ==> taken(v.r, \result.done, arg(v.r.g, x, k));
*/
static struct reach_end read_all(struct early_view v)
{
    struct reach_end r;

    /*@ ghost reach_start(v.r); */
    r = read_new(v, 0);
    if (r.hit < 0)
        r = read_roots(v, r.done);
    /*@ assert known: r.hit < 0 ==> \forall integer s; reads(v, s) ==> known(v, s); */
    /*@ assert met: r.hit < 0 ==> \forall integer x; met(v.r, x) <==>
                    0 <= x < v.r.g.n && needed(v, x) && v.r.low <= v.r.g.use[x].order; */
    /*@ assert taken: r.hit < 0 ==> \forall integer x; met(v.r, x) <==> taken(v.r, r.done, x); */
    /*@ assert settled: r.hit < 0 ==> \forall integer x; met(v.r, x) ==> settled(v.r, x); */
    return r;
}

struct early_end early_check(struct early_view v)
{
    int first = order_first(v.r.g.use, v.outs, v.nouts);
    struct early_view w = v;
    struct reach_end e;
    struct early_end r;

    w.r.low = v.r.g.use[first].order;
    w.r.out = -1;
    w.r.stamp = reach_stamp(v.r.seen, v.r.g.n, v.r.stamp);
    /*@ assert same: w.r.g == v.r.g && w.r.work == v.r.work && w.r.seen == v.r.seen && w.total == v.total &&
                     w.outs == v.outs && w.root == v.root && w.nouts == v.nouts; */
    /*@ assert targets: \forall integer x; target(w.r, x) <==> is_output(v, x); */
    /*@ assert reads: \forall integer s; reads(w, s) <==> reads(v, s); */
    /*@ assert needs: \forall integer x; needed(w, x) <==> needed(v, x); */
    /*@ assert low: \forall integer x; w.r.low <= v.r.g.use[x].order <==>
                    \exists integer o; is_output(v, o) && v.r.g.use[o].order <= v.r.g.use[x].order; */
    e = read_all(w);
    /*@ assert apart: e.hit < 0 ==> \forall integer s, o; reads(v, s) ==> is_output(v, o) ==> !ancestor(v.r.g, o, s); */
    /*@ assert taken: \forall integer x; taken(w.r, e.done, x) <==> taken(v.r, e.done, x); */
    /*@ assert self: \forall integer s; reads(v, s) ==> needed(v, s); */
    /*@ assert after: \forall integer x; after_out(v, x) <==> w.r.low <= v.r.g.use[x].order; */
    /*@ assert closed: e.hit < 0 ==> \forall integer x; taken(v.r, e.done, x) ==> inputs_taken(v, e.done, x); */
    /*@ assert taken_range: e.hit < 0 ==> \forall integer x; taken(v.r, e.done, x) ==> 0 <= x < v.r.g.n && after_out(v, x); */
    /*@ assert taken_no_out: e.hit < 0 ==> \forall integer x; taken(v.r, e.done, x) ==> !is_output(v, x); */
    /*@ assert read: e.hit < 0 ==> \forall integer s; reads(v, s) ==> after_out(v, s) ==> taken(v.r, e.done, s); */
    /*@ assert selves: \forall integer s; ancestor(v.r.g, s, s); */
    /*@ assert no_out: e.hit < 0 ==> \forall integer s; reads(v, s) ==> !is_output(v, s); */
    /*@ assert once_w: e.hit < 0 ==> walk_once(w.r, 0, e.done); */
    /*@ assert used: \forall integer j; used(w.r, 0, e.done, j) <==> used(v.r, 0, e.done, j); */
    /*@ assert once: e.hit < 0 ==> walk_once(v.r, 0, e.done); */
    /*@ assert passed: e.hit < 0 ==> check_passed(v, e.done); */
    r.hit = e.hit;
    r.done = e.done;
    r.stamp = w.r.stamp;
    return r;
}
