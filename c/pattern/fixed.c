#include "pattern/fixed.h"

enum { UNBOUND = -1 };

/* ---- one pattern ---- */

/*@ requires valid:    valid_fixed(v);
    requires pattern:  0 <= p < v.patterns;
    terminates \true;
    exits    never:    \false;
    assigns  \nothing;
    ensures  result:   \result == 0 || \result == 1;
    ensures  leaf:     \result == 1 <==> leaf(v, p);
*/
static int is_leaf(struct fixed_view v, int p)
{
    int kind = v.pattern[p].kind;

    return kind == PATTERN_WILDCARD || kind == PATTERN_VARIABLE || kind == PATTERN_CONST;
}

/* Inputs from number n on are absent. */
/*@ requires valid:    valid_fixed(v) && wf_graph(v);
    requires node:     0 <= e < v.nodes && 0 <= n;
    terminates \true;
    exits    never:    \false;
    assigns  \nothing;
    ensures  result:   \result == 0 || \result == 1;
    ensures  absent:   \result == 1 <==> ends(v, e, n);
*/
static int ends_at(struct fixed_view v, int e, int n)
{
    /*@ loop invariant range: n <= k;
        loop invariant none:  \forall integer i; n <= i < k ==> input(v, e, i) < 0;
        loop assigns k;
        loop variant v.node[e].nin - k;
    */
    for (int k = n; k < v.node[e].nin; k++) {
        int x = v.in[v.node[e].in + k];
        /*@ assert input: x == input(v, e, k); */
        if (x >= 0)
            return 0;
    }
    return 1;
}

/*@ requires valid:    valid_fixed(v) && wf_graph(v);
    requires pattern:  0 <= p < v.patterns && wf_pattern(v, p);
    requires node:     0 <= e < v.nodes;
    terminates \true;
    exits    never:    \false;
    assigns  \nothing;
    ensures  result:   \result == 0 || \result == 1;
    ensures  fits:     \result == 1 <==> fits(v, p, e);
*/
static int fits_node(struct fixed_view v, int p, int e)
{
    int kind = v.node[e].kind;

    switch (v.pattern[p].kind) {
    case PATTERN_VARIABLE: /* PM_Variable */
        return kind == NODE_INPUT || kind == NODE_CONST;
    case PATTERN_CONST: /* PM_Const */
        return kind == NODE_CONST;
    case PATTERN_CALL: /* PM_Call */
        return kind == NODE_OP && v.node[e].op == v.pattern[p].op && ends_at(v, e, v.pattern[p].nkid);
    case PATTERN_TUPLE: /* PM_Tuple */
        return kind == NODE_TUPLE && v.node[e].nin == v.pattern[p].nkid;
    case PATTERN_PROJ: /* PM_Proj */
        return kind == NODE_PROJ;
    default: /* PM_Wildcard */
        return 1;
    }
}

/* PM-Injective */
/*@ requires valid:    valid_fixed(v) && wf_plan(v);
    requires at:       \valid_read(at + (0 .. v.patterns - 1));
    requires place:    0 <= j < v.n;
    terminates \true;
    exits    never:    \false;
    assigns  \nothing;
    ensures  result:   \result == 0 || \result == 1;
    ensures  apart:    \result == 1 <==> \forall integer i; 0 <= i < j ==> at[v.pos[i]] == at[v.pos[j]] ==>
                       alias(v, v.pos[i], v.pos[j]);
*/
static int stands_apart(struct fixed_view v, const long *at, int j)
{
    int q = v.pos[j], shares = 0;

    /*@ assert place: wf_place(v, j); */
    if (is_leaf(v, q))
        shares = v.pattern[q].shared ? 2 : 1;
    /*@ loop invariant range: 0 <= i <= j;
        loop invariant apart: \forall integer k; 0 <= k < i ==> at[v.pos[k]] == at[q] ==> alias(v, v.pos[k], q);
        loop assigns i;
        loop variant j - i;
    */
    for (int i = 0; i < j; i++) {
        int p = v.pos[i];
        /*@ assert earlier: wf_place(v, i); */
        if (at[p] == at[q] && (shares == 0 || !is_leaf(v, p) || (shares == 1 && !v.pattern[p].shared))) {
            /*@ assert not: !alias(v, p, q); */
            return 0;
        }
    }
    return 1;
}

/* The children of p, which stands for e, stand for the inputs in order s. */
/*@ requires valid:    valid_fixed(v) && wf_graph(v);
    requires at:       \valid(at + (0 .. v.patterns - 1)) && at_nodes(v, at);
    requires pattern:  0 <= p < v.patterns && wf_pattern(v, p) && wf_kids(v, p);
    requires node:     0 <= e < v.nodes;
    requires order:    s == 0 || s == 1 && v.pattern[p].nkid == 2;
    terminates \true;
    exits    never:    \false;
    assigns  at[0 .. v.patterns - 1];
    ensures  result:   \result == 0 || \result == 1;
    ensures  nodes:    at_nodes(v, at);
    ensures  kept:     at_kept{Pre,Post}(v, at);
    ensures  bound:    \result == 1 ==> \forall integer k; 0 <= k < v.pattern[p].nkid ==>
                       0 <= at[kid(v, p, k)] && at[kid(v, p, k)] == input(v, e, side(s, k));
    ensures  forced:   \forall pmap m; follows{Pre}(v, m, at) && joined(v, m, p, e, s) ==>
                       \result == 1 && follows(v, m, at);
*/
static int join(struct fixed_view v, int p, int e, int s, long *at)
{
    const int *kid = v.kid + v.pattern[p].kid;
    int n = v.pattern[p].nkid;

    /*@ loop invariant range:  0 <= k <= n;
        loop invariant nodes:  at_nodes(v, at);
        loop invariant kept:   at_kept{Pre,Here}(v, at);
        loop invariant bound:  \forall integer i; 0 <= i < k ==>
                               0 <= at[kid(v, p, i)] && at[kid(v, p, i)] == input(v, e, side(s, i));
        loop invariant forced: \forall pmap m; follows{Pre}(v, m, at) && joined(v, m, p, e, s) ==> follows(v, m, at);
        loop assigns k, at[0 .. v.patterns - 1];
        loop variant n - k;
    */
    for (int k = 0; k < n; k++) {
        int i = s ? 1 - k : k, q = kid[k], x = i < v.node[e].nin ? v.in[v.node[e].in + i] : -1;
        /*@ assert kid: q == kid(v, p, k) && 0 <= q < v.patterns; */
        /*@ assert input: x == input(v, e, side(s, k)) && x < v.nodes; */
        /*@ assert instance: \forall pmap m; joined(v, m, p, e, s) ==> 0 <= node_of(m, q) && node_of(m, q) == x; */
        if (x < 0)
            return 0;
        if (at[q] == UNBOUND)
            at[q] = x;
        else if (at[q] != x)
            return 0;
        /*@ assert now: at[q] == x; */
    }
    return 1;
}

enum { STEP_MISFIT, STEP_CLASH, STEP_DONE };

/* Pattern number j of the plan. */
/*@ requires valid:    valid_fixed(v) && wf_plan(v) && wf_graph(v);
    requires at:       \valid(at + (0 .. v.patterns - 1)) && at_nodes(v, at);
    requires place:    0 <= j < v.n && bound(v, at, j + 1);
    requires order:    s == 0 || s == 1 && commutes(v, v.pos[j]);
    terminates \true;
    exits    never:    \false;
    assigns  at[0 .. v.patterns - 1];
    ensures  result:   STEP_MISFIT <= \result <= STEP_DONE;
    ensures  nodes:    at_nodes(v, at);
    ensures  kept:     at_kept{Pre,Post}(v, at);
    ensures  kids:     \result == STEP_DONE ==> \forall integer k; 0 <= k < v.pattern[v.pos[j]].nkid ==>
                       0 <= at[kid(v, v.pos[j], k)];
    ensures  local:    \result == STEP_DONE ==> \forall pmap m; follows(v, m, at) ==> local(v, m, v.pos[j]);
    ensures  apart:    \result == STEP_DONE ==> \forall pmap m; follows(v, m, at) ==> apart(v, m, j);
    ensures  joined:   \result == STEP_DONE ==> \forall pmap m; follows(v, m, at) ==>
                       joined(v, m, v.pos[j], node_of(m, v.pos[j]), s);
    ensures  forced:   \forall pmap m; follows{Pre}(v, m, at) && local(v, m, v.pos[j]) && apart(v, m, j) &&
                       (s == 0 <==> straight(v, m, v.pos[j])) ==> \result == STEP_DONE && follows(v, m, at);
*/
static int step(struct fixed_view v, int j, int s, long *at)
{
    int p = v.pos[j], e;

    /*@ assert place: wf_place(v, j); */
    /*@ assert bound: 0 <= at[p] < v.nodes; */
    e = (int)at[p];
    /*@ assert node: \forall pmap m; follows(v, m, at) ==> node_of(m, p) == e; */
    if (!fits_node(v, p, e))
        return STEP_MISFIT;
    /*@ assert nodes: \forall pmap m, integer i; follows(v, m, at) ==> 0 <= i <= j ==>
                      node_of(m, v.pos[i]) == at[v.pos[i]]; */
    if (!stands_apart(v, at, j)) {
        /*@ assert clash: \forall pmap m; follows(v, m, at) ==> !apart(v, m, j); */
        return STEP_CLASH;
    }
    /*@ assert apart: \forall pmap m; follows(v, m, at) ==> apart(v, m, j); */
    /*@ ghost Joining: ; */
    if (!join(v, p, e, s, at))
        return STEP_CLASH;
    /*@ assert weaker: \forall pmap m; follows(v, m, at) ==> follows{Joining}(v, m, at); */
    /*@ assert joined: \forall pmap m; follows(v, m, at) ==> joined(v, m, p, e, s); */
    return STEP_DONE;
}

/* ---- all patterns ---- */

struct pass_end {
    int place, step;
};

/*@ requires at:       \valid(at + (0 .. n - 1));
    terminates \true;
    exits    never:    \false;
    assigns  at[0 .. n - 1];
    ensures  none:     \forall integer p; 0 <= p < n ==> at[p] == UNBOUND;
*/
static void unbind(long *at, int n)
{
    /*@ loop invariant range: 0 <= p && (p <= n || n < 0);
        loop invariant none:  \forall integer q; 0 <= q < p ==> at[q] == UNBOUND;
        loop assigns p, at[0 .. n - 1];
        loop variant n - p;
    */
    for (int p = 0; p < n; p++)
        at[p] = UNBOUND;
}

/* The only map of these orders: found if the place it ends at is n. */
/*@ requires valid:    valid_fixed(v) && wf_plan(v) && wf_graph(v);
    requires arrays:   \valid(at + (0 .. v.patterns - 1)) && \valid_read(swap + (0 .. v.n - 1));
    requires node:     0 <= node < v.nodes;
    requires orders:   wf_swap(v, swap);
    terminates \true;
    exits    never:    \false;
    assigns  at[0 .. v.patterns - 1];
    ensures  place:    0 <= \result.place <= v.n;
    ensures  nodes:    at_nodes(v, at) && (\result.place == v.n ==> bound(v, at, v.n));
    ensures  sound:    \result.place == v.n ==> \forall pmap m; follows(v, m, at) ==> solution(v, m, node);
    ensures  in_order: \result.place == v.n ==> \forall pmap m; follows(v, m, at) ==> in_order(v, m, swap, v.n);
    ensures  forced:   \result.place < v.n ==> \forall pmap m; solution(v, m, node) ==>
                       !agree(v, m, swap, \result.place + 1);
*/
static struct pass_end pass(struct fixed_view v, int node, const unsigned char *swap, long *at)
{
    struct pass_end r = { 0, STEP_DONE };

    /*@ assert root: wf_place(v, 0); */
    unbind(at, v.patterns);
    at[v.pos[0]] = node;
    /*@ loop invariant range:  0 <= r.place <= v.n;
        loop invariant nodes:  at_nodes(v, at);
        loop invariant root:   at[v.pos[0]] == node;
        loop invariant bound:  bound(v, at, r.place);
        loop invariant kids:   kids_bound(v, at, r.place);
        loop invariant local:  \forall pmap m, integer i; follows(v, m, at) ==> 0 <= i < r.place ==> local(v, m, v.pos[i]);
        loop invariant apart:  \forall pmap m, integer i; follows(v, m, at) ==> 0 <= i < r.place ==> apart(v, m, i);
        loop invariant orders: \forall pmap m; follows(v, m, at) ==> in_order(v, m, swap, r.place);
        loop invariant forced: \forall pmap m; solution(v, m, node) && agree(v, m, swap, r.place) ==> follows(v, m, at);
        loop assigns r, at[0 .. v.patterns - 1];
        loop variant v.n - r.place;
    */
    while (r.place < v.n) {
        /*@ assert place: wf_place(v, r.place); */
        /*@ assert up: r.place > 0 ==> 0 <= at[v.pos[r.place]]; */
        /*@ assert here: bound(v, at, r.place + 1); */
        /*@ ghost Step: ; */
        r.step = step(v, r.place, swap[r.place], at);
        /*@ assert must: \forall pmap m; solution(v, m, node) && agree(v, m, swap, r.place + 1) ==>
                         r.step == STEP_DONE && follows(v, m, at); */
        if (r.step != STEP_DONE)
            return r;
        /*@ assert weaker: \forall pmap m; follows(v, m, at) ==> follows{Step}(v, m, at); */
        r.place++;
    }
    return r;
}

/* ---- all orders ---- */

/*@ requires swap:     \valid(swap + (j .. n - 1)) && 0 <= j;
    terminates \true;
    exits    never:    \false;
    assigns  swap[j .. n - 1];
    ensures  straight: \forall integer i; j <= i < n ==> swap[i] == 0;
*/
static void straighten(unsigned char *swap, int j, int n)
{
    /*@ loop invariant range:    j <= i && (i <= n || n < j);
        loop invariant straight: \forall integer k; j <= k < i ==> swap[k] == 0;
        loop assigns i, swap[j .. n - 1];
        loop variant n - i;
    */
    for (int i = j; i < n; i++)
        swap[i] = 0;
}

/* The last place up to j whose order can be swapped still, or -1. */
/*@ requires valid:    valid_fixed(v) && wf_plan(v);
    requires swap:     \valid_read(swap + (0 .. v.n - 1)) && wf_swap(v, swap);
    requires place:    0 <= j < v.n;
    terminates \true;
    exits    never:    \false;
    assigns  \nothing;
    ensures  place:    -1 <= \result <= j;
    ensures  free:     \result >= 0 ==> swap[\result] == 0 && commutes(v, v.pos[\result]);
    ensures  last:     \forall pmap m, integer node; solution(v, m, node) && reached(v, m, swap) &&
                       !agree(v, m, swap, j + 1) ==> \result >= 0 && !agree(v, m, swap, \result + 1);
*/
static int last_choice(struct fixed_view v, const unsigned char *swap, int j)
{
    int t = j;

    /*@ loop invariant range: -1 <= t <= j;
        loop invariant last:  \forall pmap m, integer node; solution(v, m, node) && reached(v, m, swap) &&
                              !agree(v, m, swap, j + 1) ==> !agree(v, m, swap, t + 1);
        loop assigns t;
        loop variant t;
    */
    for (; t >= 0; t--) {
        int p = v.pos[t];
        /*@ assert place: wf_place(v, t); */
        if (!swap[t] && v.pattern[p].kind == PATTERN_CALL && v.pattern[p].nkid == 2 && v.commutes[v.pattern[p].op])
            break;
        /*@ assert only: \forall pmap m, integer node; solution(v, m, node) && reached(v, m, swap) ==>
                         agree(v, m, swap, t) ==> (swap[t] == 0 <==> straight(v, m, p)); */
        /*@ assert more: \forall pmap m, integer node; solution(v, m, node) && reached(v, m, swap) ==>
                         agree(v, m, swap, t) ==> agree(v, m, swap, t + 1); */
    }
    return t;
}

/* The next orders that differ up to place j; false: there are none. */
/*@ requires valid:    valid_fixed(v) && wf_plan(v);
    requires swap:     \valid(swap + (0 .. v.n - 1)) && wf_swap(v, swap);
    requires place:    0 <= j < v.n;
    terminates \true;
    exits    never:    \false;
    assigns  swap[0 .. v.n - 1];
    ensures  orders:   wf_swap(v, swap);
    ensures  later:    \result != 0 ==> later{Pre,Post}(swap, j);
    ensures  none:     \result == 0 ==> \forall pmap m, integer node; solution(v, m, node) &&
                       reached{Pre}(v, m, swap) ==> agree{Pre}(v, m, swap, j + 1);
    ensures  next:     \result != 0 ==> \forall pmap m, integer node; solution(v, m, node) &&
                       reached{Pre}(v, m, swap) && !agree{Pre}(v, m, swap, j + 1) ==> reached(v, m, swap);
*/
static int advance(struct fixed_view v, unsigned char *swap, int j)
{
    int t = last_choice(v, swap, j);

    if (t < 0)
        return 0;
    straighten(swap, t, v.n);
    swap[t] = 1;
    /*@ assert before: \forall integer i; 0 <= i < t ==> swap[i] == \at(swap[i], Pre); */
    /*@ assert after: \forall integer i; t < i < v.n ==> swap[i] == 0; */
    /*@ assert same: \forall pmap m, integer i; 0 <= i <= t ==> agree(v, m, swap, i) ==> agree{Pre}(v, m, swap, i); */
    return 1;
}

/* The first map whose orders are these or later. */
/*@ requires valid:    valid_fixed(v) && wf_plan(v) && wf_graph(v);
    requires arrays:   \valid(at + (0 .. v.patterns - 1)) && \valid(swap + (0 .. v.n - 1));
    requires node:     0 <= node < v.nodes;
    requires orders:   wf_swap(v, swap);
    terminates \true;
    exits    never:    \false;
    assigns  at[0 .. v.patterns - 1], swap[0 .. v.n - 1];
    ensures  code:     FIXED_NO <= \result.code <= FIXED_LIMIT;
    ensures  sound:    \result.code == FIXED_YES ==> \forall pmap m; follows(v, m, at) ==> solution(v, m, node);
    ensures  nodes:    \result.code == FIXED_YES ==> at_nodes(v, at) && bound(v, at, v.n);
    ensures  orders:   wf_swap(v, swap);
    ensures  in_order: \result.code == FIXED_YES ==> \forall pmap m; follows(v, m, at) ==> in_order(v, m, swap, v.n);
    ensures  passes:   \result.code == FIXED_YES ==> 0 <= \result.passes < last.passes;
    ensures  none:     \result.code == FIXED_NO ==> \forall pmap m; solution(v, m, node) ==> !reached{Pre}(v, m, swap);
    ensures  first:    \result.code == FIXED_YES ==> \forall pmap m; solution(v, m, node) &&
                       reached{Pre}(v, m, swap) ==> reached(v, m, swap);
*/
static struct fixed_answer search(struct fixed_view v, int node, unsigned char *swap, long *at, struct fixed_answer last)
{
    struct fixed_answer r = { FIXED_LIMIT, last.passes, last.plain };
    struct pass_end end;

    /*@ loop invariant code:   r.code == FIXED_LIMIT;
        loop invariant orders: wf_swap(v, swap);
        loop invariant passes: r.passes <= last.passes;
        loop invariant first:  \forall pmap m; solution(v, m, node) && reached{Pre}(v, m, swap) ==> reached(v, m, swap);
        loop assigns r, end, at[0 .. v.patterns - 1], swap[0 .. v.n - 1];
        loop variant r.passes;
    */
    while (r.passes > 0) {
        r.passes--;
        end = pass(v, node, swap, at);
        if (end.place == v.n) {
            r.code = FIXED_YES;
            return r;
        }
        r.plain = r.plain && end.step == STEP_MISFIT;
        if (!advance(v, swap, end.place)) {
            r.code = FIXED_NO;
            return r;
        }
    }
    return r;
}

/*@ ghost
void matches_local(struct fixed_view v, int node)
{
    /@ loop invariant range: 0 <= j <= v.n;
       loop invariant pm:    \forall pmap m, integer i; pm(v, m, v.pos[0], node) ==> 0 <= i < j ==>
                             pm(v, m, v.pos[i], node_of(m, v.pos[i]));
       loop assigns j;
       loop variant v.n - j;
    @/
    for (int j = 0; j < v.n; j++) {
        /@ assert place: wf_place(v, j) && (j > 0 ==> wf_place(v, v.up[j])); @/
        /@ assert here: \forall pmap m; pm(v, m, v.pos[0], node) ==> pm(v, m, v.pos[j], node_of(m, v.pos[j])); @/
    }
    /@ assert places: \forall integer j; 0 <= j < v.n ==> wf_pattern(v, v.pos[j]); @/
    /@ assert local: \forall pmap m, integer j; pm(v, m, v.pos[0], node) ==> 0 <= j < v.n ==> local(v, m, v.pos[j]); @/
}
*/

/*@ ghost
void local_matches(struct fixed_view v, int node)
{
    /@ loop invariant range: 0 <= p <= v.patterns;
       loop invariant pm:    \forall pmap m, integer q; solution(v, m, node) ==> 0 <= q < p ==> listed(v, q) ==>
                             pm(v, m, q, node_of(m, q));
       loop assigns p;
       loop variant v.patterns - p;
    @/
    for (int p = 0; p < v.patterns; p++) {
        /@ assert place: listed(v, p) ==> wf_pattern(v, p) && wf_kids(v, p); @/
        /@ assert local: \forall pmap m; solution(v, m, node) ==> listed(v, p) ==> local(v, m, p); @/
        /@ assert kids: \forall pmap m; solution(v, m, node) ==> listed(v, p) ==> kids_pm(v, m, p); @/
        /@ assert here: \forall pmap m; solution(v, m, node) ==> listed(v, p) ==> pm(v, m, p, node_of(m, p)); @/
    }
    /@ assert root: wf_place(v, 0) && listed(v, v.pos[0]); @/
}
*/

struct fixed_answer fixed_first(struct fixed_view v, int node, unsigned char *swap, long *at)
{
    struct fixed_answer r = { FIXED_NO, FIXED_PASSES, 1 };

    straighten(swap, 0, v.n);
    r = search(v, node, swap, at, r);
    /*@ ghost matches_local(v, node); */
    /*@ ghost local_matches(v, node); */
    /*@ assert map: follows(v, map_of(at, v.patterns), at); */
    return r;
}

struct fixed_answer fixed_next(struct fixed_view v, int node, unsigned char *swap, long *at, int j, struct fixed_answer last)
{
    struct fixed_answer r = { FIXED_NO, last.passes, last.plain };

    /*@ ghost matches_local(v, node); */
    /*@ ghost local_matches(v, node); */
    if (!advance(v, swap, j))
        return r;
    r = search(v, node, swap, at, r);
    /*@ assert map: follows(v, map_of(at, v.patterns), at); */
    return r;
}
