/* What a rule asks of the nodes of a match: uses outside of it (PM-Use), convexity (PM-Convex), by walks to what nodes are computed
   from. Invariant: walks read the graph and write stamps. */
#include "pattern/convex.h"

unsigned reach_stamp(unsigned *seen, int n, unsigned stamp)
{
    if (stamp < UINT_MAX)
        return stamp + 1;
    /*@ loop invariant range: 0 <= k <= n;
        loop invariant zero:  \forall integer x; 0 <= x < k ==> seen[x] == 0;
        loop assigns k, seen[0 .. n - 1];
        loop variant n - k;
    */
    for (int k = 0; k < n; k++)
        seen[k] = 0;
    return 1;
}

/*@ ghost
void reach_start(struct reach_view v)
{
    /@ loop invariant range: 0 <= k <= v.g.n;
       loop invariant all:   unmet(v, k) == k;
       loop assigns k;
       loop variant v.g.n - k;
    @/
    for (int k = 0; k < v.g.n; k++)
        ;
    /@ assert room: walk_room(v, 0, 0); @/
    /@ assert none: \forall integer x; !met(v, x); @/
}

/@ requires valid:    valid_dag(g);
   requires nodes:    0 <= i < g.n;
   terminates \true;
   decreases g.use[i].order;
   exits    never:    \false;
   assigns  \nothing;
   ensures  through:  ancestor(g, k, i) ==> \forall integer j; ancestor(g, j, k) ==> ancestor(g, j, i);
@/
void ancestor_trans(struct dag_view g, int k, int i)
{
    int first = g.node[i].in, n = g.node[i].nin;

    /@ assert args: args_ok(g, i) && falls_at(g, i); @/
    /@ loop invariant range: 0 <= s <= n;
       loop invariant below: \forall integer t, j; 0 <= t < s ==> 0 <= arg(g, i, t) ==> ancestor(g, k, arg(g, i, t)) ==>
                             ancestor(g, j, k) ==> ancestor(g, j, i);
       loop assigns s;
       loop variant n - s;
    @/
    for (int s = 0; s < n; s++) {
        int x = g.in[first + s];
        /@ assert here: x == arg(g, i, s); @/
        if (x >= 0) {
            /@ assert edge: edge(g, i, x); @/
            ancestor_trans(g, k, x);
        }
    }
}

void ancestor_order(struct dag_view g, int i)
{
    int first = g.node[i].in, n = g.node[i].nin;

    /@ assert args: args_ok(g, i) && falls_at(g, i); @/
    /@ loop invariant range: 0 <= s <= n;
       loop invariant below: \forall integer t, j; 0 <= t < s ==> 0 <= arg(g, i, t) ==> ancestor(g, j, arg(g, i, t)) ==>
                             g.use[j].order < g.use[i].order;
       loop assigns s;
       loop variant n - s;
    @/
    for (int s = 0; s < n; s++) {
        int x = g.in[first + s];
        /@ assert here: x == arg(g, i, s); @/
        if (x >= 0)
            ancestor_order(g, x);
    }
    /@ assert step: \forall integer j, k; edge(g, i, k) ==> ancestor(g, j, k) ==> g.use[j].order < g.use[i].order; @/
}

/@ requires valid:    valid_reach(v);
   requires settled:  \forall integer x; met(v, x) ==> settled(v, x);
   requires node:     0 <= e < v.g.n;
   requires here:     met(v, e) || v.g.use[e].order < v.low;
   terminates \true;
   decreases v.g.use[e].order;
   exits    never:    \false;
   assigns  \nothing;
   ensures  all:      \forall integer j; ancestor(v.g, j, e) ==> met(v, j) || v.g.use[j].order < v.low;
@/
void reach_complete(struct reach_view v, int e)
{
    int first = v.g.node[e].in, n = v.g.node[e].nin;

    /@ assert args: args_ok(v.g, e) && falls_at(v.g, e); @/
    /@ loop invariant range: 0 <= s <= n;
       loop invariant below: \forall integer t, j; 0 <= t < s ==> 0 <= arg(v.g, e, t) ==> ancestor(v.g, j, arg(v.g, e, t)) ==>
                             met(v, j) || v.g.use[j].order < v.low;
       loop assigns s;
       loop variant n - s;
    @/
    for (int s = 0; s < n; s++) {
        int x = v.g.in[first + s];
        /@ assert here: x == arg(v.g, e, s); @/
        if (x >= 0)
            reach_complete(v, x);
    }
    /@ assert step: \forall integer j, k; edge(v.g, e, k) ==> ancestor(v.g, j, k) ==>
                    met(v, j) || v.g.use[j].order < v.low; @/
}
*/

/* Node, not met yet, is met. */
/*@ requires valid:    valid_reach(v);
    requires node:     0 <= node < v.g.n && !met(v, node);
    terminates \true;
    exits    never:    \false;
    assigns  v.seen[node];
    ensures  met:      v.seen[node] == v.stamp;
    ensures  count:    unmet(v, v.g.n) == \old(unmet(v, v.g.n)) - 1;
    ensures  some:     0 <= unmet(v, v.g.n);
*/
static void mark(struct reach_view v, int node)
{
    v.seen[node] = v.stamp;
    /*@ ghost
    /@ loop invariant range: 0 <= k <= v.g.n;
       loop invariant count: unmet(v, k) == unmet{Pre}(v, k) - (node < k ? 1 : 0);
       loop invariant some:  0 <= unmet(v, k);
       loop assigns k;
       loop variant v.g.n - k;
    @/
    for (int k = 0; k < v.g.n; k++)
        ;
    */
}

/* Puts node on the stack unless it was met or cannot be computed from a target. The new top. */
/*@ requires valid:    valid_reach(v);
    requires node:     -1 <= node < v.g.n;
    requires ok:       walk_ok(v, top, done, but) && stamps_ok(v);
    terminates \true;
    exits    never:    \false;
    assigns  v.seen[0 .. v.g.n - 1], v.work[0 .. v.g.n - 1];
    ensures  ok:       walk_ok(v, \result, done, but) && stamps_ok(v);
    ensures  met:      \forall integer x; met(v, x) <==> met{Pre}(v, x) ||
                       (x == node && 0 <= x && v.low <= v.g.use[x].order);
*/
static int meet(struct reach_view v, int node, int top) /*@ ghost (int done, int but) */
{
    if (node < 0 || v.seen[node] == v.stamp || v.g.use[node].order < v.low)
        return top;
    mark(v, node);
    /*@ assert room: top + done < v.g.n; */
    /*@ assert more: \forall integer x; met(v, x) <==> met{Pre}(v, x) || x == node; */
    v.work[top] = node;
    /*@ assert here: waits(v, top + 1, node); */
    /*@ assert waits: \forall integer x; waits{Pre}(v, top, x) ==> waits(v, top + 1, x); */
    /*@ assert taken: \forall integer x; taken{Pre}(v, done, x) ==> taken(v, done, x); */
    /*@ assert settled: \forall integer x; 0 <= x < v.g.n ==> settled{Pre}(v, x) ==> settled(v, x); */
    /*@ assert all: walk_all(v, top + 1, done, but); */
    /*@ assert work: walk_work(v, top + 1, done); */
    /*@ assert once: walk_once(v, top + 1, done); */
    return top + 1;
}

/* Node, taken last, is settled. The new top. */
/*@ requires valid:    valid_reach(v);
    requires node:     0 <= node < v.g.n && !target(v, node);
    requires ok:       walk_ok(v, top, done, node) && stamps_ok(v);
    terminates \true;
    exits    never:    \false;
    assigns  v.seen[0 .. v.g.n - 1], v.work[0 .. v.g.n - 1];
    ensures  ok:       walk_ok(v, \result, done, -1) && stamps_ok(v);
    ensures  met:      \forall integer x; met(v, x) ==> met{Pre}(v, x) || edge(v.g, node, x);
    ensures  old:      \forall integer x; met{Pre}(v, x) ==> met(v, x);
*/
static int meet_inputs(struct reach_view v, int node, int top) /*@ ghost (int done) */
{
    int first = v.g.node[node].in, n = v.g.node[node].nin;

    /*@ assert args: args_ok(v.g, node); */
    /*@ loop invariant range: 0 <= k <= n;
        loop invariant ok:    walk_ok(v, top, done, node) && stamps_ok(v);
        loop invariant met:   \forall integer x; met(v, x) ==> met{Pre}(v, x) || edge(v.g, node, x);
        loop invariant old:   \forall integer x; met{Pre}(v, x) ==> met(v, x);
        loop invariant done:  \forall integer s; 0 <= s < k ==> 0 <= arg(v.g, node, s) ==>
                              v.low <= v.g.use[arg(v.g, node, s)].order ==> met(v, arg(v.g, node, s));
        loop assigns k, top, v.seen[0 .. v.g.n - 1], v.work[0 .. v.g.n - 1];
        loop variant n - k;
    */
    for (int k = 0; k < n; k++) {
        int x = v.g.in[first + k];
        /*@ assert here: x == arg(v.g, node, k); */
        /*@ assert edge: 0 <= x ==> edge(v.g, node, x); */
        top = meet(v, x, top) /*@ ghost (done, node) */;
    }
    /*@ assert settled: settled(v, node); */
    return top;
}

/*@ requires valid:    valid_reach(v);
    requires node:     0 <= node < v.g.n;
    terminates \true;
    exits    never:    \false;
    assigns  \nothing;
    ensures  target:   \result != 0 <==> target(v, node);
*/
static int is_target(struct reach_view v, int node)
{
    return v.out >= 0 ? node == v.out : v.place[node].outs > 0;
}

/* Takes the last node, no target, from the stack. */
/*@ requires valid:    valid_reach(v);
    requires ok:       walk_ok(v, top, done, -1) && 0 < top;
    requires node:     node == v.work[top - 1];
    terminates \true;
    exits    never:    \false;
    assigns  v.work[0 .. v.g.n - 1];
    ensures  ok:       walk_ok(v, top - 1, done + 1, node);
*/
static void take(struct reach_view v, int done, int node) /*@ ghost (int top) */
{
    v.work[v.g.n - 1 - done] = node;
    /*@ assert rest: \forall integer j; used(v, top - 1, done, j) ==> v.work[j] == \at(v.work[j], Pre); */
    /*@ assert top: \forall integer j; used(v, top - 1, done, j) ==> v.work[j] != node; */
    /*@ assert once: walk_once(v, top - 1, done + 1); */
    /*@ assert work: walk_work(v, top - 1, done + 1); */
    /*@ assert all: walk_all(v, top - 1, done + 1, node); */
}

struct reach_end reach_from(struct reach_view v, int done, int start)
{
    struct reach_end r = { -1, done };
    int top = meet(v, start, 0) /*@ ghost (done, -1) */;

    /*@ loop invariant ok:   walk_ok(v, top, r.done, -1) && stamps_ok(v) && r.hit == -1;
        loop invariant old:  \forall integer x; met{Pre}(v, x) ==> met(v, x);
        loop invariant here: met(v, start) || v.g.use[start].order < v.low;
        loop invariant from: \forall integer x; met(v, x) ==> met{Pre}(v, x) || ancestor(v.g, x, start);
        loop assigns top, r, v.seen[0 .. v.g.n - 1], v.work[0 .. v.g.n - 1];
        loop variant v.g.n - r.done;
    */
    while (top > 0) {
        int node = (int)v.work[top - 1];

        if (is_target(v, node)) {
            r.hit = node;
            return r;
        }
        take(v, r.done, node) /*@ ghost (top) */;
        r.done++;
        /*@ ghost ancestor_trans(v.g, node, start); */
        top = meet_inputs(v, node, top - 1) /*@ ghost (r.done) */;
    }
    /*@ assert settled: \forall integer x; met(v, x) ==> settled(v, x); */
    /*@ ghost reach_complete(v, start); */
    return r;
}

int inside_application(const struct pattern *q)
{
    if (q->kind == PATTERN_CALL || q->kind == PATTERN_TUPLE)
        return q->nkid > 0;
    return q->kind == PATTERN_PROJ || q->kind == PATTERN_VARIADIC;
}

int inside_chain(const struct match_entry *entry, const struct pattern *pattern, int k)
    /*@ ghost (struct inside_view v, int node) */
{
    /*@ loop invariant range: -1 <= k < v.n;
        loop invariant said:  k >= 0 ==> said(v, k, node);
        loop invariant none:  \forall integer i; k < i ==> !replaced(v, i, node);
        loop assigns k;
        loop variant k;
    */
    while (k >= 0) {
        if (inside_application(pattern + entry[k].pattern))
            return 1;
        /*@ assert not: !application(v.pattern, v.entry[k].pattern); */
        /*@ assert next: last_before(v, v.entry[k].old, k, node); */
        k = entry[k].old;
    }
    return 0;
}

int inside_inner(struct inside_view v, int node)
{
    return inside_chain(v.entry, v.pattern, v.place[node].entry) /*@ ghost (v, node) */;
}

/* A slot by which a node that is no application uses `node`, or -1. */
/*@ requires valid:    valid_inside(v) && valid_uses(u);
    requires chained:  chained(v);
    requires uses:     uses_ok(u) && u.n <= v.nodes;
    requires users:    \forall integer s; linked(u, s) ==> u.slot[s].user < v.nodes;
    requires node:     0 <= node < u.n;
    terminates \true;
    exits    never:    \false;
    assigns  \nothing;
    ensures  outside:  \result >= 0 ==> holds(u, \result, node) && !inner(v, u.slot[\result].user);
    ensures  inside:   \result < 0 ==> \forall integer s; holds(u, s, node) ==> inner(v, u.slot[s].user);
*/
static int leak(struct inside_view v, struct uses_view u, int node)
{
    int s = u.node[node].head;

    /*@ ghost uses_all(u); */
    /*@ assert head: head_ok(u, node) && lists(u); */
    /*@ loop invariant here: s >= 0 ==> holds(u, s, node);
        loop invariant range: -1 <= s < u.m;
        loop invariant done: \forall integer t; on_list(u, u.node[node].head, t) ==>
                             on_list(u, s, t) || inner(v, u.slot[t].user);
        loop assigns s;
        loop variant s < 0 ? 0 : rank(some_ranks(u), s) + 1;
    */
    while (s >= 0) {
        int user = u.slot[s].user;

        if (!inside_chain(v.entry, v.pattern, v.place[user].entry) /*@ ghost (v, user) */)
            return s;
        /*@ assert step: \forall integer t; on_list(u, s, t) ==> t == s || on_list(u, u.slot[s].next, t); */
        /*@ assert next: next_ok(u, s); */
        s = u.slot[s].next;
    }
    return -1;
}

/*@ requires valid:    valid_inside(v) && 0 <= k < v.n;
    requires entry:    v.entry[k].kind == ENTRY_NODE ==> v.entry[k].node < v.nodes;
    terminates \true;
    exits    never:    \false;
    assigns  \nothing;
    ensures  asked:    \result != 0 <==> asked(v, which, k);
*/
static int asks(struct inside_view v, enum match_uses which, int k)
{
    if (v.entry[k].kind != ENTRY_NODE || v.entry[k].node < 0 || v.place[v.entry[k].node].outs > 0)
        return 0;
    if (which != USES_ALL && (v.entry[k].instance >= 0) != (which == USES_INSTANCES))
        return 0;
    return inside_application(v.pattern + v.entry[k].pattern);
}

struct inside_end inside_uses(const struct inside_view *p, const struct uses_view *q, enum match_uses which, int from)
{
    struct inside_view v = *p;
    struct uses_view u = *q;
    struct inside_end r = { -1, -1 };

    /*@ loop invariant range: from <= k <= v.n;
        loop invariant hold:  \forall integer j; from <= j < k ==> asked(v, which, j) ==>
                              used_inside(v, u, v.entry[j].node);
        loop assigns k;
        loop variant v.n - k;
    */
    for (int k = from; k < v.n; k++) {
        int s, node = v.entry[k].node;

        if (!asks(v, which, k))
            continue;
        s = leak(v, u, node);
        if (s < 0 && u.node[node].outputs == 0)
            continue;
        r.entry = k;
        r.user = s < 0 ? -1 : u.slot[s].user;
        /*@ assert not: !used_inside(v, u, node); */
        return r;
    }
    return r;
}

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
    return !inside_chain(v.i.entry, v.i.pattern, v.i.place[v.i.entry[k].node].entry)
        /*@ ghost (v.i, v.i.entry[k].node) */;
}

/* Does entry k keep a node that comes after `high`? */
/*@ requires valid:    valid_convex(v);
    requires entry:    0 <= k < v.i.n;
    terminates \true;
    exits    never:    \false;
    assigns  \nothing;
    ensures  node:     \result != 0 ==> 0 <= v.i.entry[k].node < v.r.g.n;
    ensures  later:    \result != 0 ==> high < v.r.g.use[v.i.entry[k].node].order;
    ensures  not:      \result == 0 ==> \forall integer e; kept(v, k, e) ==> v.r.g.use[e].order <= high;
*/
static int later(struct convex_view v, int k, unsigned long high)
{
    if (v.i.entry[k].kind != ENTRY_NODE || v.i.entry[k].node < 0 || v.r.g.use[v.i.entry[k].node].order <= high)
        return 0;
    return keeps(v, k);
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
        if (later(v, k, high))
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

struct convex_end convex_check(const struct convex_view *p, struct match_hull old, int from, int out)
{
    struct convex_view v = *p;
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

/*@ requires held:     held_rule(m);
    terminates \true;
    exits    never:    \false;
    assigns  \nothing;
    ensures  view:     \result == inside_of(m);
*/
static struct inside_view view(const struct matcher *m)
{
    const struct rule *r = match_rule_of(m);

    return (struct inside_view){ .entry = m->entry.a, .place = m->place.a, .pattern = r->pattern.a, .n = m->entry.n,
                                 .nodes = m->place.n, .patterns = r->pattern.n };
}

/*@ requires held:     held_views(m);
    terminates \true;
    exits    never:    \false;
    assigns  \nothing;
    ensures  view:     \result == uses_at(m);
*/
static struct uses_view uses_of(const struct matcher *m)
{
    return (struct uses_view){ .node = m->uses->node.a, .slot = m->uses->slot.a, .in = m->g->in.a, .n = m->uses->node.n,
                               .m = m->uses->slot.n };
}

bool match_inner(const struct matcher *m, int node)
{
    return inside_inner(view(m), node);
}

bool match_uses_hold(struct matcher *m, int from, enum match_uses which, int *user)
{
    struct inside_view v = view(m);
    struct uses_view u = uses_of(m);
    struct inside_end e = inside_uses(&v, &u, which, from);

    if (e.entry < 0)
        return true;
    *user = e.user;
    return match_failed_whole(m, MATCH_USE, m->entry.a[e.entry].pattern, m->entry.a[e.entry].node, e.user);
}

void match_stamp(struct matcher *m)
{
    m->walk.stamp = reach_stamp(m->walk.seen.a, m->walk.seen.n, m->walk.stamp);
}

bool match_convex(struct matcher *m, struct match_hull *h, int from, int out)
{
    struct convex_view v = {
        .r = { .g = { .node = m->g->node.a, .in = m->g->in.a, .use = m->uses->node.a, .n = m->g->node.n },
               .place = m->place.a, .seen = m->walk.seen.a, .work = m->walk.work.a, .stamp = m->walk.stamp, .out = -1 },
        .i = view(m), .outs = m->outs.a, .nouts = m->outs.n,
    };
    struct convex_end e = convex_check(&v, *h, from, out);

    m->walk.stamp = e.stamp;
    *h = e.hull;
    if (e.entry < 0)
        return true;
    return match_failed_whole(m, MATCH_CONVEX, m->entry.a[e.entry].pattern, m->entry.a[e.entry].node, e.hit);
}
