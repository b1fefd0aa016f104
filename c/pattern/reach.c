#include "pattern/reach.h"

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
static int meet(struct reach_view v, int node, int top, int done, int but)
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
    (void)done;
    (void)but;
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
static int meet_inputs(struct reach_view v, int node, int top, int done)
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
        top = meet(v, x, top, done, node);
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
static void take(struct reach_view v, int top, int done, int node)
{
    (void)top;
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
    int top = meet(v, start, 0, done, -1);

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
        take(v, top, r.done, node);
        r.done++;
        /*@ ghost ancestor_trans(v.g, node, start); */
        top = meet_inputs(v, node, top - 1, r.done);
    }
    /*@ assert settled: \forall integer x; met(v, x) ==> settled(v, x); */
    /*@ ghost reach_complete(v, start); */
    return r;
}
