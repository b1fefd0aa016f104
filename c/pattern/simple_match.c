/* Matches of rules of one output and fixed patterns (PM-Wildcard, PM-Variable, PM-Const, PM-Call, PM-Tuple, PM-Proj): the plan of a
   source, the search for the node of each place, the conditions at it. Invariant: the places before this one are the only map
   that these nodes allow. */
#include "pattern/simple_match.h"

#include "pattern/match_internal.h"

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
        /@ assert kid: j > 0 ==> 0 <= v.up[j] < j && kid_of(v, v.pos[v.up[j]], v.pos[j]) && wf_pattern(v, v.pos[v.up[j]]); @/
        /@ assert up: \forall pmap m; pm(v, m, v.pos[0], node) ==> j > 0 ==>
                      pm(v, m, v.pos[v.up[j]], node_of(m, v.pos[v.up[j]])); @/
        /@ assert root: \forall pmap m; pm(v, m, v.pos[0], node) ==> node_of(m, v.pos[0]) == node; @/
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

/*@ requires valid:    valid_fixed(v);
    requires pattern:  0 <= p < v.patterns;
    terminates \true;
    exits    never:    \false;
    assigns  \nothing;
    ensures  result:   \result == 0 || \result == 1;
    ensures  pattern:  \result == 1 <==> wf_pattern(v, p);
*/
static int usable_pattern(struct fixed_view v, int p)
{
    const struct pattern *q = v.pattern + p;

    if (q->kind < PATTERN_WILDCARD || q->kind > PATTERN_PROJ || q->kid < 0 || q->nkid < 0 || q->nkid > v.kids ||
        q->kid > v.kids - q->nkid)
        return 0;
    if (q->kind == PATTERN_CALL)
        return 0 <= q->op && q->op < v.ops;
    if (q->kind == PATTERN_PROJ)
        return q->nkid == 1;
    return q->kind == PATTERN_TUPLE || q->nkid == 0;
}

/*@ requires valid:    valid_fixed(v);
    requires pattern:  0 <= p < v.patterns && wf_pattern(v, p);
    terminates \true;
    exits    never:    \false;
    assigns  \nothing;
    ensures  result:   \result == 0 || \result == 1;
    ensures  before:   \result == 1 <==> before_parent(v, p);
*/
static int usable_kids(struct fixed_view v, int p)
{
    /*@ loop invariant range: 0 <= k <= v.pattern[p].nkid;
        loop invariant kids:  \forall integer i; 0 <= i < k ==> 0 <= kid(v, p, i) < p;
        loop assigns k;
        loop variant v.pattern[p].nkid - k;
    */
    for (int k = 0; k < v.pattern[p].nkid; k++) {
        int q = v.kid[v.pattern[p].kid + k];
        /*@ assert kid: q == kid(v, p, k); */
        if (q < 0 || q >= p)
            return 0;
    }
    return 1;
}

/*@ requires valid:    valid_fixed(v);
    requires pattern:  0 <= p < v.patterns;
    terminates \true;
    exits    never:    \false;
    assigns  \nothing;
    ensures  result:   \result == 0 || \result == 1;
    ensures  fixed:    \result == 1 <==> fixed_pattern(v, p);
*/
static int usable(struct fixed_view v, int p)
{
    const struct pattern *q = v.pattern + p;

    return !q->template && (q->kind != PATTERN_CALL || q->opat < 0) && usable_pattern(v, p) && usable_kids(v, p);
}

/*@ requires valid:    valid_fixed(v);
    terminates \true;
    exits    never:    \false;
    assigns  \nothing;
    ensures  result:   \result == 0 || \result == 1;
    ensures  listed:   \result == 1 <==> listed(v, p);
*/
static int is_listed(struct fixed_view v, int p)
{
    /*@ loop invariant range: 0 <= j <= v.n;
        loop invariant none:  \forall integer i; 0 <= i < j ==> v.pos[i] != p;
        loop assigns j;
        loop variant v.n - j;
    */
    for (int j = 0; j < v.n; j++)
        if (v.pos[j] == p)
            return 1;
    return 0;
}

/* The first child of the pattern at place j that has no place, or -1. */
/*@ requires valid:    valid_fixed(v);
    requires pattern:  0 <= j < v.n && fixed_pattern(v, v.pos[j]);
    terminates \true;
    exits    never:    \false;
    assigns  \nothing;
    ensures  none:     \result < 0 ==> kids_listed(v, j);
    ensures  child:    \result >= 0 ==> \result < v.patterns && kid_of(v, v.pos[j], \result) && !listed(v, \result);
*/
static int missing(struct fixed_view v, int j)
{
    int p = v.pos[j];

    /*@ loop invariant range:  0 <= k <= v.pattern[p].nkid;
        loop invariant listed: \forall integer i; 0 <= i < k ==> listed(v, kid(v, p, i));
        loop assigns k;
        loop variant v.pattern[p].nkid - k;
    */
    for (int k = 0; k < v.pattern[p].nkid; k++) {
        int q = v.kid[v.pattern[p].kid + k];
        /*@ assert kid: q == kid(v, p, k) && 0 <= q < p; */
        if (!is_listed(v, q))
            return q;
    }
    return -1;
}

/*@ ghost
/@ requires pattern:  fixed_pattern(v, p);
   terminates \true;
   exits    never:    \false;
   assigns  \nothing;
   ensures  kids:     \forall integer q; kid_of(v, p, q) ==> 0 <= q < p;
   ensures  child:    \forall integer q; kid_of(v, p, q) ==> child(v.pattern, v.kid, p, q);
   ensures  within:   \forall integer q, root; within(v, root, p) ==> kid_of(v, p, q) ==> within(v, root, q);
@/
static void kids_before(struct fixed_view v, int p)
{
    /@ assert before: before_parent(v, p); @/
    /@ assert below: \forall integer q; kid_of(v, p, q) ==> 0 <= q < p; @/
    /@ assert child: \forall integer q; kid_of(v, p, q) ==> child(v.pattern, v.kid, p, q); @/
    /@ assert deeper: \forall integer q, root, d, e; kid_of(v, p, q) ==> 0 <= d ==> e == d + 1 ==>
                      descends(v.pattern, v.kid, root, p, d) ==> descends(v.pattern, v.kid, root, q, e); @/
}

/@ requires valid:    valid_fixed(v);
   requires root:     0 <= root < v.patterns;
   requires places:   fixed_places(v, root);
   terminates \true;
   exits    never:    \false;
   assigns  \nothing;
   ensures  source:   \forall integer j; 0 <= j < v.n ==> in_source(v, root, v.pos[j]);
   ensures  kids:     \forall integer j, q; 0 <= j < v.n ==> kid_of(v, v.pos[j], q) ==> in_source(v, root, q);
@/
static void places_descend(struct fixed_view v, int root)
{
    /@ assert first: v.pos[0] == root; @/
    /@ assert start: descends(v.pattern, v.kid, root, root, 0); @/
    /@ assert none: \exists integer d; 0 <= d <= root - root && descends(v.pattern, v.kid, root, root, d); @/
    /@ assert root: within(v, root, root); @/
    /@ loop invariant range:  0 <= j <= v.n;
       loop invariant within: \forall integer i; 0 <= i < j ==> within(v, root, v.pos[i]);
       loop assigns j;
       loop variant v.n - j;
    @/
    for (int j = 0; j < v.n; j++) {
        if (j > 0) {
            kids_before(v, v.pos[v.up[j]]);
            /@ assert up: within(v, root, v.pos[v.up[j]]); @/
        }
        /@ assert here: within(v, root, v.pos[j]); @/
    }
    /@ loop invariant range:  0 <= j <= v.n;
       loop invariant within: \forall integer i, q; 0 <= i < j ==> kid_of(v, v.pos[i], q) ==> 0 <= q && within(v, root, q);
       loop assigns j;
       loop variant v.n - j;
    @/
    for (int j = 0; j < v.n; j++) {
        kids_before(v, v.pos[j]);
        /@ assert here: \forall integer q; kid_of(v, v.pos[j], q) ==> 0 <= q && within(v, root, q); @/
    }
    /@ assert source: \forall integer p; 0 <= p ==> within(v, root, p) ==> in_source(v, root, p); @/
}

/@ requires places:   valid_fixed(v) && fixed_places(v, root);
   requires kids:     \forall integer j; 0 <= j < v.n ==> kids_listed(v, j);
   terminates \true;
   exits    never:    \false;
   assigns  \nothing;
   ensures  plan:     wf_plan(v);
@/
static void places_plan(struct fixed_view v, int root)
{
    /@ loop invariant range:  0 <= j <= v.n;
       loop invariant places: \forall integer i; 0 <= i < j ==> wf_place(v, i);
       loop assigns j;
       loop variant v.n - j;
    @/
    for (int j = 0; j < v.n; j++) {
        /@ assert fixed: fixed_pattern(v, v.pos[j]) && kids_listed(v, j); @/
        /@ assert before: before_parent(v, v.pos[j]); @/
        /@ assert kids: wf_kids(v, v.pos[j]); @/
        /@ assert up: wf_up(v, j); @/
        /@ assert here: wf_place(v, j); @/
    }
}

/@ requires same:     same_rule(v, w);
   terminates \true;
   exits    never:    \false;
   assigns  \nothing;
   ensures  source:   \forall integer p; in_source(w, root, p) <==> in_source(v, root, p);
   ensures  fixed:    \forall integer p; fixed_pattern(v, p) ==> fixed_pattern(w, p);
   ensures  too_much: \forall integer n, q; too_much(w, root, n, q) ==> too_much(v, root, n, q);
@/
static void same_source(struct fixed_view v, struct fixed_view w, int root)
{
    /@ assert kid: \forall integer p, k; kid(w, p, k) == kid(v, p, k); @/
    /@ assert source: \forall integer p; in_source(w, root, p) <==> in_source(v, root, p); @/
    /@ assert leaf: \forall integer p; leaf(w, p) <==> leaf(v, p); @/
    /@ assert pattern: \forall integer p; wf_pattern(v, p) ==> wf_pattern(w, p); @/
    /@ assert before: \forall integer p; before_parent(v, p) ==> before_parent(w, p); @/
    /@ assert plain: \forall integer p; plain(v, p) ==> plain(w, p); @/
    /@ assert fixed: \forall integer p; fixed_pattern(v, p) ==> fixed_pattern(w, p); @/
}

/@ requires valid:    valid_fixed(v);
   requires places:   fixed_places(v, root);
   requires kids:     \forall integer j; 0 <= j < v.n ==> kids_listed(v, j);
   terminates \true;
   exits    never:    \false;
   assigns  \nothing;
   ensures  source:   \forall integer p; in_source(v, root, p) ==> listed(v, p);
@/
static void descents_listed(struct fixed_view v, int root)
{
    /@ assert places: \forall integer j, q; 0 <= j < v.n ==> child(v.pattern, v.kid, v.pos[j], q) ==> kid_of(v, v.pos[j], q); @/
    /@ assert each: \forall integer j, q; 0 <= j < v.n ==> kid_of(v, v.pos[j], q) ==> listed(v, q); @/
    /@ assert kids: \forall integer p, q; listed(v, p) ==> child(v.pattern, v.kid, p, q) ==> listed(v, q); @/
    /@ loop invariant range:  0 <= d <= v.patterns;
       loop invariant listed: \forall integer p, e; 0 <= e < d ==> descends(v.pattern, v.kid, root, p, e) ==> listed(v, p);
       loop assigns d;
       loop variant v.patterns - d;
    @/
    for (int d = 0; d < v.patterns; d++) {
        /@ assert root: listed(v, root); @/
        /@ assert here: \forall integer p; descends(v.pattern, v.kid, root, p, d) ==> listed(v, p); @/
    }
}
*/

/*@ ghost
/@ requires first:    0 < v.n && v.pos[0] == root && v.up[0] == -1 && distinct(v.pos, v.n);
   requires fixed:    \forall integer j; 0 <= j < v.n ==> fixed_pattern(v, v.pos[j]);
   requires ups:      \forall integer j; 0 < j < v.n ==> 0 <= v.up[j] < j && kid_of(v, v.pos[v.up[j]], v.pos[j]);
   terminates \true;
   exits    never:    \false;
   assigns  \nothing;
   ensures  places:   fixed_places(v, root);
@/
static void are_places(struct fixed_view v, int root)
{
}
*/

/* v with q at one more place, after its parent at place j. */
/*@ requires valid:    valid_fixed(v) && 0 <= v.n < FIXED_MAX && v.pos == pos && v.up == up;
    requires arrays:   \valid(pos + (0 .. FIXED_MAX - 1)) && \valid(up + (0 .. FIXED_MAX - 1));
    requires apart:    \separated(pos + (0 .. FIXED_MAX - 1), up + (0 .. FIXED_MAX - 1), v.pattern + (0 .. v.patterns - 1),
                       v.kid + (0 .. v.kids - 1));
    requires places:   v.n > 0 ==> fixed_places(v, root);
    requires pattern:  fixed_pattern(v, q) && !listed(v, q);
    requires parent:   v.n == 0 && q == root && j == -1 || 0 <= j < v.n && kid_of(v, v.pos[j], q);
    terminates \true;
    exits    never:    \false;
    assigns  pos[v.n], up[v.n];
    ensures  valid:    valid_fixed(\result) && same_rule(v, \result) && \result.n == v.n + 1;
    ensures  places:   fixed_places(\result, root);
    ensures  last:     up[v.n] == j;
    ensures  kept:     \forall integer i; 0 <= i < v.n ==> pos[i] == \old(pos[i]) && up[i] == \old(up[i]);
    ensures  kids:     \forall integer i; 0 <= i < v.n ==> kids_listed{Pre}(v, i) ==> kids_listed(\result, i);
*/
static struct fixed_view put(struct fixed_view v, int q, int j, int *pos, int *up) /*@ ghost (int root) */
{
    struct fixed_view w = v;

    pos[w.n] = q;
    up[w.n] = j;
    w.n++;
    /*@ assert old: \forall integer i; 0 <= i < v.n ==> pos[i] == \at(pos[i], Pre) && up[i] == \at(up[i], Pre); */
    /*@ assert rule: \forall integer p; 0 <= p < v.patterns ==> v.pattern[p].kind == \at(v.pattern[p].kind, Pre) &&
                     v.pattern[p].kid == \at(v.pattern[p].kid, Pre) && v.pattern[p].nkid == \at(v.pattern[p].nkid, Pre) &&
                     v.pattern[p].op == \at(v.pattern[p].op, Pre) && v.pattern[p].opat == \at(v.pattern[p].opat, Pre) &&
                     v.pattern[p].template == \at(v.pattern[p].template, Pre); */
    /*@ assert numbers: \forall integer k; 0 <= k < v.kids ==> v.kid[k] == \at(v.kid[k], Pre); */
    /*@ assert patterns: \forall integer p; fixed_pattern{Pre}(v, p) ==> wf_pattern(w, p) && plain(w, p); */
    /*@ assert ranges: \forall integer p; fixed_pattern{Pre}(v, p) ==> 0 <= p < v.patterns && 0 <= w.pattern[p].kid &&
                       w.pattern[p].kid + w.pattern[p].nkid <= v.kids; */
    /*@ assert kept_kids: kids_kept{Pre,Here}(v); */
    /*@ assert same_rule: same_rule(v, w); */
    /*@ assert kids_were: \forall integer p, k; fixed_pattern{Pre}(v, p) ==> 0 <= k < \at(v.pattern[p].nkid, Pre) ==>
                     kid(w, p, k) == kid{Pre}(v, p, k); */
    /*@ assert kids: \forall integer p, k; fixed_pattern{Pre}(v, p) ==> 0 <= k < v.pattern[p].nkid ==>
                     kid(w, p, k) == kid{Pre}(v, p, k); */
    /*@ assert before: \forall integer p; fixed_pattern{Pre}(v, p) ==> before_parent(w, p); */
    /*@ assert fixed: \forall integer p; fixed_pattern{Pre}(v, p) ==> fixed_pattern(w, p); */
    /*@ assert others: \forall integer i; 0 <= i < v.n ==> fixed_pattern(w, w.pos[i]); */
    /*@ assert parents: \forall integer p, r; fixed_pattern{Pre}(v, p) ==> kid_of{Pre}(v, p, r) ==> kid_of(w, p, r); */
    /*@ assert distinct: distinct(pos, w.n); */
    /*@ assert ups: \forall integer i; 0 < i < v.n ==> 0 <= w.up[i] < i && kid_of(w, w.pos[w.up[i]], w.pos[i]); */
    /*@ assert last_fixed: fixed_pattern(w, w.pos[v.n]); */
    /*@ assert all: \forall integer i; 0 <= i < w.n ==> fixed_pattern(w, w.pos[i]); */
    /*@ assert root: w.pos[0] == root && w.up[0] == -1; */
    /*@ assert last: v.n > 0 ==> kid_of(w, w.pos[j], q); */
    /*@ assert all_ups: \forall integer i; 0 < i < w.n ==> 0 <= w.up[i] < i && kid_of(w, w.pos[w.up[i]], w.pos[i]); */
    /*@ assert listed: \forall integer p; listed{Pre}(v, p) ==> listed(w, p); */
    /*@ ghost are_places(w, root); */
    return w;
}

struct fixed_view fixed_plan(struct fixed_view v, int root, int *pos, int *up)
{
    struct fixed_view w = v;
    int j = 0, q;

    if (!usable(v, root)) {
        /*@ assert root: descends(v.pattern, v.kid, root, root, 0); */
        /*@ assert not: too_much(v, root, 0, root); */
        return w;
    }
    w = put(w, root, -1, pos, up) /*@ ghost (root) */;
    /*@ loop invariant valid:   valid_fixed(w) && same_rule(v, w) && 0 < w.n <= FIXED_MAX;
        loop invariant place:   -1 <= j < w.n;
        loop invariant places:  fixed_places(w, root);
        loop invariant done:    \forall integer i; j < i < w.n ==> kids_listed(w, i);
        loop invariant between: \forall integer i, k; 0 <= k < w.n ==> up[k] < i < k ==> kids_listed(w, i);
        loop assigns w, j, q, pos[0 .. FIXED_MAX - 1], up[0 .. FIXED_MAX - 1];
        loop variant (FIXED_MAX - w.n) * (FIXED_MAX + 1) + j;
    */
    while (j >= 0) {
        q = missing(w, j);
        if (q < 0) {
            j = up[j];
            continue;
        }
        if (w.n == FIXED_MAX || !usable(w, q)) {
            /*@ ghost places_descend(w, root); */
            /*@ assert too_much: too_much(w, root, w.n, q); */
            /*@ ghost same_source(v, w, root); */
            /*@ assert none: too_much(v, root, w.n, q); */
            w.n = 0;
            return w;
        }
        /*@ ghost Put: ; */
        w = put(w, q, j, pos, up) /*@ ghost (root) */;
        /*@ assert ups: \forall integer k; 0 <= k < \at(w.n, Put) ==> up[k] == \at(up[k], Put); */
        /*@ assert last: up[\at(w.n, Put)] == j && w.n == \at(w.n, Put) + 1; */
        /*@ assert behind: \forall integer i; j < i < \at(w.n, Put) ==> kids_listed(w, i); */
        /*@ assert inner: \forall integer i, k; 0 <= k < \at(w.n, Put) ==> up[k] < i < k ==> kids_listed(w, i); */
        /*@ assert newest: \forall integer i; up[w.n - 1] < i < w.n - 1 ==> kids_listed(w, i); */
        /*@ assert each: \forall integer i, k; 0 <= k < w.n ==> up[k] < i < k ==> kids_listed(w, i); */
        j = w.n - 1;
    }
    /*@ ghost places_descend(w, root); */
    /*@ ghost descents_listed(w, root); */
    /*@ ghost same_source(v, w, root); */
    /*@ ghost places_plan(w, root); */
    return w;
}

/*@ requires arrays:   \valid(one + (0 .. v.patterns - 1)) && \separated(one + (0 .. v.patterns - 1), v.pos + (0 .. v.n - 1));
    requires map:      places_in(nodes, v, at);
    terminates \true;
    exits    never:    \false;
    assigns  one[0 .. v.patterns - 1];
    ensures  nodes:    nodes_of(v, at, one, v.n);
    ensures  others:   others_kept{Pre,Post}(v, one);
*/
static void put_nodes(struct fixed_view v, const long *at, int *one) /*@ ghost (int nodes) */
{
    /*@ loop invariant range:  0 <= j <= v.n;
        loop invariant plan:   \forall integer i; 0 <= i < v.n ==> v.pos[i] == \at(v.pos[i], Pre);
        loop invariant nodes:  nodes_of(v, at, one, j);
        loop invariant others: others_kept{Pre,Here}(v, one);
        loop assigns j, one[0 .. v.patterns - 1];
        loop variant v.n - j;
    */
    for (int j = 0; j < v.n; j++)
        one[v.pos[j]] = (int)at[v.pos[j]];
}

/*@ requires arrays:   \valid(one + (0 .. v.patterns - 1)) && \separated(one + (0 .. v.patterns - 1), v.pos + (0 .. v.n - 1));
    requires places:   0 < v.n && \valid_read(v.pos + (0 .. v.n - 1)) && \forall integer j; 0 <= j < v.n ==> 0 <= v.pos[j] < v.patterns;
    terminates \true;
    exits    never:    \false;
    assigns  one[0 .. v.patterns - 1];
    ensures  nodes:    \forall integer j; 0 <= j < v.n ==> one[v.pos[j]] == PATTERN_UNBOUND;
    ensures  others:   others_kept{Pre,Post}(v, one);
*/
static void drop_nodes(struct fixed_view v, int *one)
{
    /*@ loop invariant range:  0 <= j <= v.n;
        loop invariant plan:   \forall integer i; 0 <= i < v.n ==> v.pos[i] == \at(v.pos[i], Pre);
        loop invariant nodes:  \forall integer i; 0 <= i < j ==> one[v.pos[i]] == PATTERN_UNBOUND;
        loop invariant others: others_kept{Pre,Here}(v, one);
        loop assigns j, one[0 .. v.patterns - 1];
        loop variant v.n - j;
    */
    for (int j = 0; j < v.n; j++)
        one[v.pos[j]] = PATTERN_UNBOUND;
}

/*@ requires valid:    valid_entries(w) && 0 <= w.n < v.n && \valid(w.entry + (0 .. v.n - 1)) && chained(w);
    requires apart:    \separated(w.entry + (0 .. v.n - 1), w.place + (0 .. w.nodes - 1), w.pattern + (0 .. w.patterns - 1),
                       v.pos + (0 .. v.n - 1));
    requires map:      places_in(w.nodes, v, at) && w.patterns == v.patterns && entries_of(w.entry, v, at, w.n);
    terminates \true;
    exits    never:    \false;
    assigns  w.entry[0 .. v.n - 1], w.place[0 .. w.nodes - 1].entry;
    ensures  arrays:   same_arrays(\result, w) && \result.n == w.n + 1;
    ensures  plan:     \forall integer i; 0 <= i < v.n ==> v.pos[i] == \old(v.pos[i]);
    ensures  entries:  entries_of(w.entry, v, at, \result.n);
    ensures  valid:    valid_entries(\result) && chained(\result);
*/
static struct inside_view put_entry(struct inside_view w, struct fixed_view v, const long *at)
{
    struct match_entry e = { ENTRY_NODE, v.pos[w.n], -1, (int)at[v.pos[w.n]], -1 };
    struct inside_view x = entries_put(w, e);

    /*@ assert plan: \forall integer i; 0 <= i < v.n ==> v.pos[i] == \at(v.pos[i], Pre); */
    /*@ assert k_kind: \forall integer j; 0 <= j < w.n ==> w.entry[j].kind == \at(w.entry[j].kind, Pre); */
    /*@ assert k_pattern: \forall integer j; 0 <= j < w.n ==> w.entry[j].pattern == \at(w.entry[j].pattern, Pre); */
    /*@ assert k_instance: \forall integer j; 0 <= j < w.n ==> w.entry[j].instance == \at(w.entry[j].instance, Pre); */
    /*@ assert k_node: \forall integer j; 0 <= j < w.n ==> w.entry[j].node == \at(w.entry[j].node, Pre); */
    /*@ assert kept: entries_kept{Pre,Here}(w.entry, w.n); */
    /*@ assert map: map_kept{Pre,Here}(v, at, w.n); */
    /*@ assert before: entries_of(w.entry, v, at, w.n); */
    /*@ assert here: w.entry[w.n].kind == ENTRY_NODE && w.entry[w.n].pattern == v.pos[w.n] && w.entry[w.n].instance == -1; */
    /*@ assert node: w.entry[w.n].node == at[v.pos[w.n]]; */
    /*@ assert more: entries_of(w.entry, v, at, x.n); */
    return x;
}

struct inside_view fixed_put(struct inside_view w, struct fixed_view v, const long *at, int *one)
{
    struct inside_view x = w;

    put_nodes(v, at, one) /*@ ghost (w.nodes) */;
    /*@ assert unsaid: unsaid(w.place, w.nodes); */
    /*@ assert chained: chained(w); */
    /*@ ghost Nodes: ; */
    /*@ loop invariant arrays:  same_arrays(x, w) && 0 <= x.n <= v.n;
        loop invariant plan:    \forall integer i; 0 <= i < v.n ==> v.pos[i] == \at(v.pos[i], Pre);
        loop invariant one:     \forall integer p; 0 <= p < v.patterns ==> one[p] == \at(one[p], Nodes);
        loop invariant entries: entries_of(w.entry, v, at, x.n);
        loop invariant valid:   valid_entries(x);
        loop invariant chained: chained(x);
        loop assigns x, w.entry[0 .. v.n - 1], w.place[0 .. w.nodes - 1].entry;
        loop variant v.n - x.n;
    */
    while (x.n < v.n)
        x = put_entry(x, v, at);
    /*@ assert last: \forall integer e; 0 <= e < w.nodes ==> last_before(x, x.place[e].entry, x.n, e); */
    /*@ assert here: \forall integer e; 0 <= e < w.nodes ==> 0 <= x.place[e].entry ==> said(x, x.place[e].entry, e); */
    /*@ assert said: \forall integer e; 0 <= e < w.nodes ==> 0 <= x.place[e].entry ==> x.place[e].entry < v.n &&
                     at[v.pos[x.place[e].entry]] == e; */
    return x;
}

void fixed_drop(struct inside_view w, struct fixed_view v, const long *at, int *one)
{
    /*@ loop invariant range: 0 <= j <= v.n;
        loop invariant plan:  \forall integer i; 0 <= i < v.n ==> v.pos[i] == \at(v.pos[i], Pre);
        loop invariant heads: heads_of(w.place, w.nodes, v, at, j);
        loop assigns j, w.place[0 .. w.nodes - 1].entry;
        loop variant v.n - j;
    */
    for (int j = 0; j < v.n; j++)
        w.place[at[v.pos[j]]].entry = -1;
    /*@ assert unsaid: unsaid(w.place, w.nodes); */
    drop_nodes(v, one);
}

/* M's number of entries. */
/*@ requires valid:    \valid(m) && \valid_read(at + (0 .. v.patterns - 1));
    requires plan:     wf_plan(v) && wf_graph(v);
    requires own:      matcher_apart(m, a.entries, v, a.one) && matcher_off(m, u);
    requires lists:    sources(m, v, u) && in_step(v, u) && its_arrays(m, a, v) && valid_uses(u);
    requires map:      is_map(a.entries, v, at, a.one);
    requires match:    solution(v, map_of(at, v.patterns), node);
    terminates \true;
    exits    never:    \false;
    assigns  m->entry.n;
    ensures  count:    m->entry.n == n;
    ensures  view:     same_view{Pre,Post}(v);
    ensures  at:       same_map{Pre,Post}(at, v.patterns) && map_of(at, v.patterns) == \old(map_of(at, v.patterns));
    ensures  map:      is_map(a.entries, v, at, a.one);
    ensures  match:    solution(v, map_of(at, v.patterns), node);
    ensures  plan:     wf_plan(v) && wf_graph(v);
    ensures  lists:    sources(m, v, u) && in_step(v, u) && its_arrays(m, a, v) && kept_uses{Pre,Post}(u);
    ensures  matcher:  same_sources{Pre,Post}(m);
    ensures  around:   around_of(v, u) == \old(around_of(v, u));
*/
static void count(struct matcher *m, int n)
    /*@ ghost (struct fixed_map a, struct fixed_view v, const long *at, int node, struct uses_view u) */
{
    m->entry.n = n;
    /*@ assert heads_kept: same_heads{Pre,Here}(u, -1) && same_labels_of{Pre,Here}(u); */
    /*@ assert slots_kept: same_users{Pre,Here}(u) && same_prevs{Pre,Here}(u, -1, -1) && same_nexts{Pre,Here}(u, -1, -1); */
    /*@ assert uses: kept_uses{Pre,Here}(u); */
    /*@ assert sources: sources(m, v, u) && its_arrays(m, a, v); */
    /*@ assert patterns: same_patterns{Pre,Here}(v); */
    /*@ assert graph: same_graph{Pre,Here}(v); */
    /*@ assert kids: same_number{Pre,Here}(v.kid, v.kids) && same_number{Pre,Here}(v.in, v.ins); */
    /*@ assert places: same_number{Pre,Here}(v.pos, v.n) && same_number{Pre,Here}(v.up, v.n); */
    /*@ assert orders: same_number{Pre,Here}(v.commutes, v.ops); */
    /*@ assert view: same_view{Pre,Here}(v); */
    /*@ assert plan: wf_plan(v) && wf_graph(v); */
    /*@ assert relations: same_relations{Pre,Here}(v, u); */
    /*@ assert at: same_map{Pre,Here}(at, v.patterns) && map_of(at, v.patterns) == map_of{Pre}(at, v.patterns); */
    /*@ assert entries: entries_of(a.entries.entry, v, at, v.n); */
    /*@ assert nodes: nodes_of(v, at, a.one, v.n); */
    /*@ assert heads: heads_of(a.entries.place, a.entries.nodes, v, at, 0); */
    /*@ assert said: \forall integer k, e; said(a.entries, k, e) <==> said{Pre}(a.entries, k, e); */
    /*@ assert inside: valid_inside(a.entries); */
    /*@ assert first: \forall integer e; 0 <= e < a.entries.nodes ==>
                      a.entries.place[e].entry == \at(a.entries.place[e].entry, Pre); */
    /*@ assert old: \forall integer k; 0 <= k < a.entries.n ==> a.entries.entry[k].old == \at(a.entries.entry[k].old, Pre); */
    /*@ assert before: \forall integer j, k, e; last_before{Pre}(a.entries, j, k, e) ==> last_before(a.entries, j, k, e); */
    /*@ assert tops: \forall integer e; 0 <= e < a.entries.nodes ==>
                     last_before(a.entries, a.entries.place[e].entry, a.entries.n, e); */
    /*@ assert olds: \forall integer k, e; 0 <= e < a.entries.nodes ==> said(a.entries, k, e) ==>
                     last_before(a.entries, a.entries.entry[k].old, k, e); */
    /*@ assert chained: chained(a.entries); */
    /*@ assert valid: valid_entries(a.entries); */
}

/* The first place whose pattern asks what its node has not, or the number of places. */
/*@ FIXED_READY_REQUIRES
    requires nodes:    \valid_read(at + (0 .. v.patterns - 1));
    requires plan:     wf_plan(v) && wf_graph(v);
    terminates \true;
    exits    never:    \false;
    assigns  *m, { *p | int *p; \true }, { *q | unsigned *q; \true }, { *w | long *w; \true }, { *z | unsigned long *z; \true },
             { *c | char *c; \true }, { *s | struct values *s; \true }, { *t | struct strs *t; \true };
    ensures  place:    0 <= \result <= v.n;
    ensures  claims:   \forall integer k; 0 <= k < \result ==> claims(map_of(at, v.patterns), v.pos[k]);
    ensures  no:       \result < v.n ==> m->status == CALQUE_OK ==>
                       \forall pmap q; alike(v, q, map_of(at, v.patterns), \result + 1) ==> !accepts(around_of(v, u), q);
    FIXED_READY_ENSURES
    ensures  match:    solution(v, map_of(at, v.patterns), node);
    ensures  plan:     wf_plan(v) && wf_graph(v);
*/
static int unclaimed(struct matcher *m)
    /*@ ghost (struct fixed_map a, struct fixed_view v, const long *at, int node, struct uses_view u) */
{
    int k = 0;

    /*@ loop invariant place:  0 <= k <= v.n && m->entry.n == v.n;
        loop invariant claims: \forall integer j; 0 <= j < k ==> claims(map_of{Pre}(at, v.patterns), \at(v.pos[j], Pre));
        loop invariant view:   same_view{Pre,Here}(v) && wf_plan(v) && wf_graph(v);
        loop invariant at:     same_map{Pre,Here}(at, v.patterns) && map_of(at, v.patterns) == map_of{Pre}(at, v.patterns);
        loop invariant map:    is_map(a.entries, v, at, a.one);
        loop invariant match:  solution(v, map_of(at, v.patterns), node);
        loop invariant uses:   kept_uses{Pre,Here}(u) && in_step(v, u) && around_of(v, u) == around_of{Pre}(v, u);
        loop invariant ready:  is_ready(m, a, v, u, at, node) && same_sources{Pre,Here}(m);
        loop assigns k, *m, { *p | int *p; \true }, { *q | unsigned *q; \true }, { *w | long *w; \true },
             { *z | unsigned long *z; \true },
             { *c | char *c; \true }, { *s | struct values *s; \true }, { *t | struct strs *t; \true };
        loop variant v.n - k;
    */
    while (k < m->entry.n && fixed_claim(m, k) /*@ ghost (a, v, at, node, u) */)
        k++;
    /*@ assert view: same_view{Pre,Here}(v); */
    /*@ assert places: \forall integer j; 0 <= j < v.n ==> v.pos[j] == \at(v.pos[j], Pre); */
    /*@ assert here: k < v.n ==> place(around_of(v, u), k) == v.pos[k]; */
    /*@ assert no: k < v.n ==> m->status == CALQUE_OK ==> !claims(map_of(at, v.patterns), v.pos[k]); */
    /*@ assert own: \forall pmap q; k < v.n ==> alike(v, q, map_of(at, v.patterns), k + 1) ==>
                    node_of(q, v.pos[k]) == node_of(map_of(at, v.patterns), v.pos[k]); */
    /*@ assert none: \forall pmap q; k < v.n ==> m->status == CALQUE_OK ==> alike(v, q, map_of(at, v.patterns), k + 1) ==>
                     !claims(q, v.pos[k]); */
    return k;
}

/* M, which is refused at the place, has no output any more. */
/*@ FIXED_RULE_REQUIRES
    requires nodes:    \valid_read(at + (0 .. v.patterns - 1));
    requires place:    0 <= place < v.n;
    requires refused:  \forall pmap q; alike(v, q, map_of(at, v.patterns), place + 1) ==> !accepts(around_of(v, u), q);
    terminates \true;
    exits    never:    \false;
    assigns  *m, { *p | int *p; \true }, { *q | unsigned *q; \true }, { *w | long *w; \true }, { *z | unsigned long *z; \true };
    ensures  place:    \result == place;
    ensures  no:       \forall pmap q; alike(v, q, map_of(at, v.patterns), place + 1) ==> !accepts(around_of(v, u), q);
    FIXED_RULE_ENSURES
*/
static int refuse(struct matcher *m, struct fixed_mark first, int place)
    /*@ ghost (struct fixed_map a, struct fixed_view v, const long *at, int node, struct uses_view u) */
{
    fixed_back(m, first) /*@ ghost (a, v, at, node, u) */;
    /*@ assert alike: \forall pmap q; alike(v, q, map_of(at, v.patterns), place + 1) ==>
                      alike{Pre}(v, q, map_of{Pre}(at, v.patterns), place + 1); */
    return place;
}

/*@ ghost
/@ requires valid:    valid_fixed(v) && valid_uses(u) && in_step(v, u);
   requires node:     0 <= i < v.nodes;
   terminates \true;
   decreases u.node[i].order;
   exits    never:    \false;
   assigns  \nothing;
   ensures  above:    \forall integer j; ancestor(dag_by(v, u), j, i) <==> above(around_of(v, u), j, i);
@/
void above_at(struct fixed_view v, struct uses_view u, int i)
{
    int first = v.node[i].in, n = v.node[i].nin;

    /@ assert first: \forall integer t; arg(dag_by(v, u), i, t) == v.in[first + t]; @/
    /@ loop invariant range: 0 <= s <= n;
       loop invariant to:   \forall integer t, j; 0 <= t < s ==> 0 <= arg(dag_by(v, u), i, t) ==>
                            ancestor(dag_by(v, u), j, arg(dag_by(v, u), i, t)) ==> above(around_of(v, u), j, arg(dag_by(v, u), i, t));
       loop invariant back: \forall integer t, j; 0 <= t < s ==> 0 <= arg(dag_by(v, u), i, t) ==>
                            above(around_of(v, u), j, arg(dag_by(v, u), i, t)) ==> ancestor(dag_by(v, u), j, arg(dag_by(v, u), i, t));
       loop assigns s;
       loop variant n - s;
    @/
    for (int s = 0; s < n; s++) {
        int x = v.in[first + s];
        /@ assert here: x == arg(dag_by(v, u), i, s); @/
        /@ assert lower: 0 <= x ==> x < v.nodes && u.node[x].order < u.node[i].order; @/
        if (x >= 0)
            above_at(v, u, x);
    }
    /@ assert up: \forall integer j, k; edge(dag_by(v, u), i, k) ==> ancestor(dag_by(v, u), j, k) ==> above(around_of(v, u), j, k); @/
    /@ assert down: \forall integer j, k; edge(dag_by(v, u), i, k) ==> above(around_of(v, u), j, k) ==> ancestor(dag_by(v, u), j, k); @/
    /@ assert to: \forall integer j, k; edge(dag_by(v, u), i, k) ==> ancestor(dag_by(v, u), j, k) ==> above(around_of(v, u), j, i); @/
    /@ assert back: \forall integer j, k; has_input(around_of(v, u), i, k) ==> above(around_of(v, u), j, k) ==>
                    ancestor(dag_by(v, u), j, i); @/
}
*/

/* What M says is what the map says. */
/*@ ghost
/@ requires plan:     valid_fixed(v) && wf_plan(v);
   requires map:      map_entries(w, v, at) && nodes_in(v, at);
   terminates \true;
   exits    never:    \false;
   assigns  \nothing;
   ensures  inner:    \forall integer e; inner(w, e) <==> map_inner(around_of(v, u), map_of(at, v.patterns), e);
@/
void map_inners(struct inside_view w, struct fixed_view v, struct uses_view u, const long *at)
{
    /@ assert places: places(around_of(v, u)) == v.n; @/
    /@ assert range: \forall integer j; 0 <= j < v.n ==> 0 <= v.pos[j] < v.patterns; @/
    /@ assert place: \forall integer j; 0 <= j < v.n ==> place(around_of(v, u), j) == v.pos[j]; @/
    /@ assert applied: \forall integer j; 0 <= j < v.n ==> (applied(around_of(v, u), j) <==> application(v.pattern, v.pos[j])); @/
    /@ assert node: \forall integer j; 0 <= j < v.n ==> node_of(map_of(at, v.patterns), place(around_of(v, u), j)) == at[v.pos[j]]; @/
    /@ assert said: \forall integer k, e; said(w, k, e) <==> 0 <= k < v.n && at[v.pos[k]] == e; @/
    /@ assert replaced: \forall integer k, e; replaced(w, k, e) <==>
                        0 <= k < v.n && applied(around_of(v, u), k) && node_of(map_of(at, v.patterns), place(around_of(v, u), k)) == e; @/
    /@ assert to: \forall integer e; inner(w, e) ==> map_inner(around_of(v, u), map_of(at, v.patterns), e); @/
    /@ assert replaced_at: \forall integer k, e; 0 <= k < v.n ==> applied(around_of(v, u), k) ==>
                           node_of(map_of(at, v.patterns), place(around_of(v, u), k)) == e ==> replaced(w, k, e); @/
    /@ assert from_at: \forall integer k, e; 0 <= k < v.n ==> applied(around_of(v, u), k) ==>
                       node_of(map_of(at, v.patterns), place(around_of(v, u), k)) == e ==> inner(w, e); @/
    /@ assert from: \forall integer e; map_inner(around_of(v, u), map_of(at, v.patterns), e) ==> inner(w, e); @/
}

/@ requires plan:     valid_fixed(v) && wf_plan(v) && u.n == v.nodes;
   requires map:      map_entries(w, v, at) && nodes_in(v, at) && at[v.pos[0]] == node;
   requires output:   output_place(w, v, node);
   terminates \true;
   exits    never:    \false;
   assigns  \nothing;
   ensures  output:   \forall integer e; map_output(around_of(v, u), map_of(at, v.patterns), e) <==> e == node;
   ensures  uses:     use_holds(w, u, USES_ALL, 0) <==> map_used_inside(around_of(v, u), map_of(at, v.patterns));
@/
void map_used(struct inside_view w, struct fixed_view v, struct uses_view u, const long *at, int node)
{
    map_inners(w, v, u, at);
    /@ assert range: 0 <= v.pos[0] < v.patterns; @/
    /@ assert root: node_of(map_of(at, v.patterns), place(around_of(v, u), 0)) == node; @/
    /@ assert outputs: \forall integer e; map_output(around_of(v, u), map_of(at, v.patterns), e) <==> e == node; @/
    /@ assert needs: \forall integer e; 0 <= e < v.nodes ==> (used_inside(w, u, e) <==> map_needs(v, u, at, e)); @/
    /@ assert nodes: \forall integer k; 0 <= k < w.n ==> w.entry[k].kind == ENTRY_NODE && 0 <= w.entry[k].node < v.nodes; @/
    /@ assert asked: \forall integer k; asked(w, USES_ALL, k) <==>
                     0 <= k < w.n && replaced(w, k, w.entry[k].node) && w.entry[k].node != node; @/
    /@ assert to: use_holds(w, u, USES_ALL, 0) ==> map_uses(v, u, at, node); @/
    /@ assert from: map_uses(v, u, at, node) ==> use_holds(w, u, USES_ALL, 0); @/
}

/@ requires plan:     valid_fixed(v) && wf_plan(v);
   terminates \true;
   exits    never:    \false;
   assigns  \nothing;
   ensures  used:     \forall pmap q; alike(v, q, map_of(at, v.patterns), v.n) ==> map_used_inside(around_of(v, u), q) ==>
                      map_used_inside(around_of(v, u), map_of(at, v.patterns));
   ensures  convex:   \forall pmap q; alike(v, q, map_of(at, v.patterns), v.n) ==> map_convex(around_of(v, u), q) ==>
                      map_convex(around_of(v, u), map_of(at, v.patterns));
@/
void alike_maps(struct fixed_view v, struct uses_view u, const long *at)
{
    /@ assert place: \forall integer j; 0 <= j < v.n ==> place(around_of(v, u), j) == v.pos[j]; @/
    /@ assert places: places(around_of(v, u)) == v.n; @/
    /@ assert node: \forall pmap q, integer j; alike(v, q, map_of(at, v.patterns), v.n) ==> 0 <= j < v.n ==>
                    node_of(q, place(around_of(v, u), j)) == node_of(map_of(at, v.patterns), place(around_of(v, u), j)); @/
    /@ assert to: \forall pmap q, integer e; alike(v, q, map_of(at, v.patterns), v.n) ==>
                  map_inner(around_of(v, u), q, e) ==> map_inner(around_of(v, u), map_of(at, v.patterns), e); @/
    /@ assert from: \forall pmap q, integer e; alike(v, q, map_of(at, v.patterns), v.n) ==>
                    map_inner(around_of(v, u), map_of(at, v.patterns), e) ==> map_inner(around_of(v, u), q, e); @/
    /@ assert output: \forall pmap q, integer e; alike(v, q, map_of(at, v.patterns), v.n) ==>
                      (map_output(around_of(v, u), map_of(at, v.patterns), e) <==> map_output(around_of(v, u), q, e)); @/
}
*/

/* What is asked of M as the matcher has it. */
/*@ ghost
/@ FIXED_READY_REQUIRES
   requires nodes:    valid_fixed(v) && wf_plan(v) && \valid_read(at + (0 .. v.patterns - 1)) && valid_uses(u);
   requires own:      matcher_apart(m, a.entries, v, a.one) && matcher_off(m, u) && \separated(m, at + (0 .. v.patterns - 1));
   terminates \true;
   exits    never:    \false;
   assigns  \nothing;
   ensures  inside:   valid_inside(inside_of(m)) && chained(inside_of(m)) && uses_at(m) == u;
   ensures  entries:  \forall integer k; 0 <= k < m->entry.n ==> m->entry.a[k].kind == ENTRY_NODE && 0 <= m->entry.a[k].node < v.nodes;
   ensures  same:     same_inside(inside_of(m), a.entries);
   ensures  said:     map_entries(a.entries, v, at) && nodes_in(v, at) && at[v.pos[0]] == node && output_place(a.entries, v, node);
@/
void ready_inside(struct matcher *m, struct fixed_map a, struct fixed_view v, const long *at, int node, struct uses_view u)
{
    /@ assert same: same_inside(inside_of(m), a.entries); @/
    /@ assert range: v.patterns <= inside_of(m).patterns && \valid_read(inside_of(m).pattern + (0 .. inside_of(m).patterns - 1)); @/
    /@ assert pos: \forall integer j; 0 <= j < v.n ==> 0 <= v.pos[j] < v.patterns; @/
    /@ assert patterns: \forall integer k; 0 <= k < m->entry.n ==> 0 <= m->entry.a[k].pattern < v.patterns; @/
    /@ assert inside: valid_inside(inside_of(m)); @/
    /@ assert node: \forall integer j; 0 <= j < v.n ==> node_of(map_of(at, v.patterns), v.pos[j]) == at[v.pos[j]]; @/
    /@ assert local: \forall integer j; 0 <= j < v.n ==> local(v, map_of(at, v.patterns), v.pos[j]); @/
    /@ assert nodes: nodes_in(v, at); @/
}

/@ FIXED_READY_REQUIRES
   requires nodes:    valid_fixed(v) && wf_plan(v) && \valid_read(at + (0 .. v.patterns - 1)) && valid_uses(u);
   requires own:      matcher_apart(m, a.entries, v, a.one) && matcher_off(m, u) && \separated(m, at + (0 .. v.patterns - 1));
   terminates \true;
   exits    never:    \false;
   assigns  \nothing;
   ensures  uses:     use_holds(inside_of(m), uses_at(m), USES_ALL, 0) <==>
                      map_used_inside(around_of(v, u), map_of(at, v.patterns));
@/
void ready_uses(struct matcher *m, struct fixed_map a, struct fixed_view v, const long *at, int node, struct uses_view u)
{
    ready_inside(m, a, v, at, node, u);
    map_used(a.entries, v, u, at, node);
    /@ assert said: \forall integer k, e; said(inside_of(m), k, e) <==> said(a.entries, k, e); @/
    /@ assert replaced: \forall integer k, e; replaced(inside_of(m), k, e) <==> replaced(a.entries, k, e); @/
    /@ assert inner: \forall integer e; inner(inside_of(m), e) <==> inner(a.entries, e); @/
    /@ assert asked: \forall integer k; asked(inside_of(m), USES_ALL, k) <==> asked(a.entries, USES_ALL, k); @/
}

/@ requires valid:    valid_fixed(v) && valid_uses(u) && in_step(v, u);
   terminates \true;
   exits    never:    \false;
   assigns  \nothing;
   ensures  dag:      valid_dag(dag_by(v, u));
@/
void ready_dag(struct fixed_view v, struct uses_view u)
{
    /@ assert arg: \forall integer e, k; arg(dag_by(v, u), e, k) == v.in[v.node[e].in + k]; @/
    /@ assert slots: \forall integer e, k; 0 <= e < v.nodes ==> 0 <= k < v.node[e].nin ==> 0 <= v.node[e].in + k < v.ins; @/
    /@ assert nodes: \forall integer e, k; 0 <= e < v.nodes ==> 0 <= k < v.node[e].nin ==> -1 <= v.in[v.node[e].in + k] < v.nodes; @/
    /@ assert read: \forall integer e; 0 <= e < v.nodes ==>
                    \valid_read(v.in + (v.node[e].in .. v.node[e].in + v.node[e].nin - 1)); @/
    /@ assert args: \forall integer e; 0 <= e < v.nodes ==> args_ok(dag_by(v, u), e); @/
    /@ assert falls: \forall integer e; 0 <= e < v.nodes ==> falls_at(dag_by(v, u), e); @/
}

/@ FIXED_READY_REQUIRES
   requires nodes:    valid_fixed(v) && wf_plan(v) && \valid_read(at + (0 .. v.patterns - 1)) && valid_uses(u);
   requires own:      matcher_apart(m, a.entries, v, a.one) && matcher_off(m, u) && \separated(m, at + (0 .. v.patterns - 1));
   terminates \true;
   exits    never:    \false;
   assigns  \nothing;
   ensures  valid:    valid_convex(convex_of(m, 0));
   ensures  convex:   convex(convex_of(m, 0)) <==> map_convex(around_of(v, u), map_of(at, v.patterns));
@/
void ready_convex(struct matcher *m, struct fixed_map a, struct fixed_view v, const long *at, int node, struct uses_view u)
{
    ready_inside(m, a, v, at, node, u);
    map_inners(a.entries, v, u, at);
    map_used(a.entries, v, u, at, node);
    ready_dag(v, u);
    /@ loop invariant range: 0 <= k <= v.n;
       loop invariant above: \forall integer i, j; 0 <= i < k ==> (ancestor(dag_by(v, u), j, at[v.pos[i]]) <==>
                             above(around_of(v, u), j, at[v.pos[i]]));
       loop assigns k;
       loop variant v.n - k;
    @/
    for (int k = 0; k < v.n; k++)
        above_at(v, u, (int)at[v.pos[k]]);
    /@ assert dag: dag_of(m) == dag_by(v, u); @/
    /@ assert out: \forall integer e; is_out(convex_of(m, 0), e) <==> e == node; @/
    /@ assert said: \forall integer k, e; said(inside_of(m), k, e) <==> 0 <= k < v.n && at[v.pos[k]] == e; @/
    /@ assert replaced: \forall integer k, e; replaced(inside_of(m), k, e) <==> replaced(a.entries, k, e); @/
    /@ assert inner: \forall integer e; inner(inside_of(m), e) <==> map_inner(around_of(v, u), map_of(at, v.patterns), e); @/
    /@ assert place: \forall integer j; 0 <= j < v.n ==> place(around_of(v, u), j) == v.pos[j] &&
                     node_of(map_of(at, v.patterns), v.pos[j]) == at[v.pos[j]]; @/
    /@ assert places: places(around_of(v, u)) == v.n; @/
    /@ assert walk: valid_walk(convex_of(m, 0).r); @/
    /@ assert outs: outs_ok(convex_of(m, 0).r, m->outs.a, m->outs.n); @/
    /@ assert valid: valid_convex(convex_of(m, 0)); @/
    /@ assert kept: \forall integer k; 0 <= k < v.n ==> !map_inner(around_of(v, u), map_of(at, v.patterns), at[v.pos[k]]) ==>
                    kept(convex_of(m, 0), k, at[v.pos[k]]); @/
    /@ assert to: convex(convex_of(m, 0)) ==> \forall integer k; 0 <= k < v.n ==>
                  !map_inner(around_of(v, u), map_of(at, v.patterns), at[v.pos[k]]) ==> !ancestor(dag_by(v, u), node, at[v.pos[k]]); @/
    /@ assert map_to: convex(convex_of(m, 0)) ==> map_convex(around_of(v, u), map_of(at, v.patterns)); @/
    /@ assert back: map_convex(around_of(v, u), map_of(at, v.patterns)) ==> \forall integer k; 0 <= k < v.n ==>
                    !map_inner(around_of(v, u), map_of(at, v.patterns), at[v.pos[k]]) ==>
                    !above(around_of(v, u), node, node_of(map_of(at, v.patterns), place(around_of(v, u), k))) &&
                    !ancestor(dag_by(v, u), node, at[v.pos[k]]); @/
    /@ assert map_back: map_convex(around_of(v, u), map_of(at, v.patterns)) ==> convex(convex_of(m, 0)); @/
}
*/

/* PM-Use, of M. */
/*@ FIXED_READY_REQUIRES
    requires nodes:    valid_fixed(v) && wf_plan(v) && \valid_read(at + (0 .. v.patterns - 1)) && valid_uses(u);
    requires own:      matcher_apart(m, a.entries, v, a.one) && matcher_off(m, u) && \separated(m, at + (0 .. v.patterns - 1));
    requires inside:   valid_inside(inside_of(m)) && chained(inside_of(m)) && uses_at(m) == u;
    requires entries:  \forall integer k; 0 <= k < m->entry.n ==> m->entry.a[k].kind == ENTRY_NODE && 0 <= m->entry.a[k].node < v.nodes;
    terminates \true;
    exits    never:    \false;
    assigns  m->fail, m->progress;
    ensures  result:   \result != 0 <==> \old(use_holds(inside_of(m), uses_at(m), USES_ALL, 0));
    FIXED_READY_ENSURES
*/
static bool uses_hold(struct matcher *m)
    /*@ ghost (struct fixed_map a, struct fixed_view v, const long *at, int node, struct uses_view u) */
{
    int user;
    /*@ assert patterns: \forall integer k; 0 <= k < a.entries.n ==> 0 <= a.entries.entry[k].pattern < a.entries.patterns; */
    bool yes = match_uses_hold(m, 0, USES_ALL, &user);

    /*@ assert ints: ints_off{Pre,Here}(m); */
    /*@ assert flags: flags_kept{Pre,Here}(v); */
    /*@ assert entries: kept_entries{Pre,Here}(a.entries); */
    /*@ assert view: same_view{Pre,Here}(v); */
    /*@ assert labels: same_labels_of{Pre,Here}(u); */
    /*@ assert lists: kept_uses{Pre,Here}(u); */
    /*@ assert one: same_number{Pre,Here}(a.one, v.patterns); */
    /*@ assert relations: same_relations{Pre,Here}(v, u); */
    /*@ assert map: same_map{Pre,Here}(at, v.patterns); */
    /*@ assert same_map: map_of(at, v.patterns) == map_of{Pre}(at, v.patterns); */
    /*@ assert chained: chained(a.entries); */
    /*@ assert same_patterns: \forall integer k; 0 <= k < a.entries.n ==>
                              a.entries.entry[k].pattern == \at(a.entries.entry[k].pattern, Pre); */
    /*@ assert still_patterns: \forall integer k; 0 <= k < a.entries.n ==> 0 <= a.entries.entry[k].pattern < a.entries.patterns; */
    /*@ assert still_inside: valid_inside(a.entries); */
    /*@ assert still_nodes: \forall integer k; 0 <= k < a.entries.n ==> a.entries.entry[k].kind == ENTRY_NODE ==>
                            a.entries.entry[k].node < a.entries.nodes; */
    /*@ assert valid_entries: valid_entries(a.entries); */
    /*@ assert still: entries_kept{Pre,Here}(a.entries.entry, v.n); */
    /*@ assert pos: \forall integer j; 0 <= j < v.n ==> v.pos[j] == \at(v.pos[j], Pre) && 0 <= v.pos[j] < v.patterns; */
    /*@ assert still_map: map_kept{Pre,Here}(v, at, v.n); */
    /*@ assert said: entries_of(a.entries.entry, v, at, v.n); */
    /*@ assert nodes: nodes_of(v, at, a.one, v.n); */
    /*@ assert heads: heads_of(a.entries.place, a.entries.nodes, v, at, 0); */
    /*@ assert counts: m->uses->node.n == u.n && m->uses->slot.n == u.m && m->g->node.n == v.nodes; */
    /*@ assert rule: rule_of(m) == \at(rule_of(m), Pre) && rule_of(m)->pattern.n == \at(rule_of(m)->pattern.n, Pre); */
    /*@ assert matcher: same_sources{Pre,Here}(m); */
    /*@ assert sources: sources(m, v, u); */
    /*@ assert arrays: its_arrays(m, a, v); */
    /*@ assert place: \forall integer x; 0 <= x < v.nodes ==> m->place.a[x].outs == \at(m->place.a[x].outs, Pre); */
    /*@ assert outs: m->outs.n == 1 && m->outs.a == \at(m->outs.a, Pre) && m->outs.a[0] == \at(m->outs.a[0], Pre); */
    /*@ assert output: only_output(m, v, node); */
    /*@ assert held: held_walks(m); */
    /*@ assert walks: walks_of(m, v, u, at); */
    return yes;
}

/* PM-Convex, of M. */
/*@ FIXED_READY_REQUIRES
    requires nodes:    valid_fixed(v) && wf_plan(v) && \valid_read(at + (0 .. v.patterns - 1)) && valid_uses(u);
    requires own:      matcher_apart(m, a.entries, v, a.one) && matcher_off(m, u) && \separated(m, at + (0 .. v.patterns - 1));
    requires convex:   valid_convex(convex_of(m, 0));
    terminates \true;
    exits    never:    \false;
    assigns  m->walk.seen.a[0 .. m->g->node.n - 1], m->walk.work.a[0 .. m->g->node.n - 1], m->walk.stamp, m->fail, m->progress;
    ensures  result:   \result != 0 <==> \old(convex(convex_of(m, 0)));
    ensures  output:   only_output(m, v, node);
    FIXED_RULE_ENSURES
*/
static bool is_convex(struct matcher *m)
    /*@ ghost (struct fixed_map a, struct fixed_view v, const long *at, int node, struct uses_view u) */
{
    struct match_hull hull = { ~0UL, 0 };
    bool yes = match_convex(m, &hull, 0, 0);

    /*@ assert ints: ints_off{Pre,Here}(m); */
    /*@ assert flags: flags_kept{Pre,Here}(v); */
    /*@ assert entries: kept_entries{Pre,Here}(a.entries); */
    /*@ assert view: same_view{Pre,Here}(v); */
    /*@ assert labels: same_labels_of{Pre,Here}(u); */
    /*@ assert lists: kept_uses{Pre,Here}(u); */
    /*@ assert one: same_number{Pre,Here}(a.one, v.patterns); */
    /*@ assert relations: same_relations{Pre,Here}(v, u); */
    /*@ assert map: same_map{Pre,Here}(at, v.patterns); */
    /*@ assert same_map: map_of(at, v.patterns) == map_of{Pre}(at, v.patterns); */
    /*@ assert chained: chained(a.entries); */
    /*@ assert same_patterns: \forall integer k; 0 <= k < a.entries.n ==>
                              a.entries.entry[k].pattern == \at(a.entries.entry[k].pattern, Pre); */
    /*@ assert still_patterns: \forall integer k; 0 <= k < a.entries.n ==> 0 <= a.entries.entry[k].pattern < a.entries.patterns; */
    /*@ assert still_inside: valid_inside(a.entries); */
    /*@ assert still_nodes: \forall integer k; 0 <= k < a.entries.n ==> a.entries.entry[k].kind == ENTRY_NODE ==>
                            a.entries.entry[k].node < a.entries.nodes; */
    /*@ assert valid_entries: valid_entries(a.entries); */
    /*@ assert still: entries_kept{Pre,Here}(a.entries.entry, v.n); */
    /*@ assert pos: \forall integer j; 0 <= j < v.n ==> v.pos[j] == \at(v.pos[j], Pre) && 0 <= v.pos[j] < v.patterns; */
    /*@ assert still_map: map_kept{Pre,Here}(v, at, v.n); */
    /*@ assert said: entries_of(a.entries.entry, v, at, v.n); */
    /*@ assert nodes: nodes_of(v, at, a.one, v.n); */
    /*@ assert heads: heads_of(a.entries.place, a.entries.nodes, v, at, 0); */
    /*@ assert counts: m->uses->node.n == u.n && m->uses->slot.n == u.m && m->g->node.n == v.nodes; */
    /*@ assert rule: rule_of(m) == \at(rule_of(m), Pre) && rule_of(m)->pattern.n == \at(rule_of(m)->pattern.n, Pre); */
    /*@ assert matcher: same_sources{Pre,Here}(m); */
    /*@ assert place: \forall integer x; 0 <= x < v.nodes ==> m->place.a[x].outs == \at(m->place.a[x].outs, Pre); */
    /*@ assert outs: m->outs.n == 1 && m->outs.a == \at(m->outs.a, Pre) && m->outs.a[0] == \at(m->outs.a[0], Pre); */
    /*@ assert sources: sources(m, v, u); */
    return yes;
}

/* PM-Use and PM-Convex. */
/*@ FIXED_READY_REQUIRES
    requires nodes:    valid_fixed(v) && wf_plan(v) && \valid_read(at + (0 .. v.patterns - 1)) && valid_uses(u);
    requires own:      matcher_apart(m, a.entries, v, a.one) && matcher_off(m, u) && \separated(m, at + (0 .. v.patterns - 1));
    terminates \true;
    exits    never:    \false;
    assigns  *m, { *p | int *p; \true }, { *q | unsigned *q; \true }, { *w | long *w; \true }, { *z | unsigned long *z; \true };
    ensures  result:   \result != 0 <==> map_used_inside(around_of(v, u), map_of(at, v.patterns)) &&
                       map_convex(around_of(v, u), map_of(at, v.patterns));
    ensures  output:   only_output(m, v, node);
    FIXED_RULE_ENSURES
*/
static bool apart(struct matcher *m)
    /*@ ghost (struct fixed_map a, struct fixed_view v, const long *at, int node, struct uses_view u) */
{
    bool yes;

    /*@ ghost ready_inside(m, a, v, at, node, u); */
    /*@ ghost ready_uses(m, a, v, at, node, u); */
    yes = uses_hold(m) /*@ ghost (a, v, at, node, u) */;
    /*@ assert plan: wf_plan(v); */
    if (!yes)
        return false;
    /*@ ghost ready_convex(m, a, v, at, node, u); */
    yes = is_convex(m) /*@ ghost (a, v, at, node, u) */;
    /*@ assert view: same_view{Pre,Here}(v); */
    /*@ assert uses: kept_uses{Pre,Here}(u); */
    /*@ assert map: map_of(at, v.patterns) == map_of{Pre}(at, v.patterns); */
    return yes;
}

bool fixed_conditions(struct matcher *m, struct fixed_mark first)
    /*@ ghost (struct fixed_map a, struct fixed_view v, const long *at, int node, struct uses_view u) */
{
    bool yes = fixed_attrs(m) /*@ ghost (a, v, at, node, u) */;

    /*@ ghost Attrs: ; */
    /*@ assert plan: wf_plan(v); */
    /*@ assert view: same_view{Pre,Here}(v) && kept_uses{Pre,Here}(u); */
    /*@ assert none: \forall pmap q; !yes ==> m->status == CALQUE_OK ==> alike(v, q, map_of(at, v.patterns), v.n) ==>
                     !accepts(around_of(v, u), q); */
    if (!yes)
        return false;
    yes = apart(m) /*@ ghost (a, v, at, node, u) */;
    /*@ assert view_apart: same_view{Pre,Here}(v); */
    /*@ assert uses_apart: kept_uses{Pre,Here}(u); */
    /*@ assert map: map_of(at, v.patterns) == map_of{Pre}(at, v.patterns); */
    /*@ assert around: around_of(v, u) == around_of{Pre}(v, u); */
    /*@ assert plan_apart: wf_plan(v); */
    /*@ ghost alike_maps(v, u, at); */
    /*@ assert no: \forall pmap q; !yes ==> alike(v, q, map_of(at, v.patterns), v.n) ==> !map_used_inside(around_of(v, u), q) ||
                   !map_convex(around_of(v, u), q); */
    /*@ assert none_apart: \forall pmap q; !yes ==> alike(v, q, map_of(at, v.patterns), v.n) ==> !accepts(around_of(v, u), q); */
    if (!yes)
        return false;
    yes = fixed_requires(m, first) /*@ ghost (a, v, at, node, u) */;
    /*@ assert view_requires: same_view{Pre,Here}(v); */
    /*@ assert uses_requires: kept_uses{Pre,Here}(u); */
    /*@ assert map_requires: map_of(at, v.patterns) == map_of{Pre}(at, v.patterns); */
    /*@ assert none_requires: \forall pmap q; !yes ==> m->status == CALQUE_OK ==> alike(v, q, map_of(at, v.patterns), v.n) ==>
                              !accepts(around_of(v, u), q); */
    return yes;
}

int fixed_hold(struct matcher *m, struct fixed_map a, struct fixed_view v, const long *at, int node) /*@ ghost (struct uses_view u) */
{
    struct fixed_mark first;
    int place;
    bool yes;

    (void)at; /* M is the map */
    count(m, a.entries.n) /*@ ghost (a, v, at, node, u) */;
    first = fixed_output(m, node) /*@ ghost (a, v, at, u) */;
    /*@ assert uses_around_out: kept_uses{Pre,Here}(u); */
    /*@ assert out: same_map{Pre,Here}(at, v.patterns); */
    /*@ assert same_out: map_of(at, v.patterns) == map_of{Pre}(at, v.patterns); */
    if (!first.ok)
        return -1;
    place = unclaimed(m) /*@ ghost (a, v, at, node, u) */;
    /*@ assert uses_around: kept_uses{Pre,Here}(u); */
    /*@ assert claimed: same_view{Pre,Here}(v); */
    /*@ assert map: same_map{Pre,Here}(at, v.patterns); */
    /*@ assert same: map_of(at, v.patterns) == map_of{Pre}(at, v.patterns); */
    if (m->status != CALQUE_OK)
        return -1;
    if (place < v.n) {
        place = refuse(m, first, place) /*@ ghost (a, v, at, node, u) */;
        /*@ assert uses_around_no: kept_uses{Pre,Here}(u); */
        /*@ assert map_no: same_map{Pre,Here}(at, v.patterns); */
        /*@ assert same_no: map_of(at, v.patterns) == map_of{Pre}(at, v.patterns); */
        return place;
    }
    yes = fixed_conditions(m, first) /*@ ghost (a, v, at, node, u) */;
    /*@ assert uses_around_asked: kept_uses{Pre,Here}(u); */
    /*@ assert asked: same_view{Pre,Here}(v); */
    /*@ assert map_asked: same_map{Pre,Here}(at, v.patterns); */
    /*@ assert same_asked: map_of(at, v.patterns) == map_of{Pre}(at, v.patterns); */
    if (yes)
        return v.n;
    if (m->status != CALQUE_OK)
        return -1;
    place = refuse(m, first, v.n - 1) /*@ ghost (a, v, at, node, u) */;
    /*@ assert uses_around_back: kept_uses{Pre,Here}(u); */
    /*@ assert map_back: same_map{Pre,Here}(at, v.patterns); */
    /*@ assert same_back: map_of(at, v.patterns) == map_of{Pre}(at, v.patterns); */
    return place;
}

void fixed_empty(struct matcher *m) /*@ ghost (struct fixed_map a, struct fixed_view v, struct uses_view u) */
{
    m->entry.n = 0;
    /*@ assert heads_kept: same_heads{Pre,Here}(u, -1) && same_labels_of{Pre,Here}(u); */
    /*@ assert slots_kept: same_users{Pre,Here}(u) && same_prevs{Pre,Here}(u, -1, -1) && same_nexts{Pre,Here}(u, -1, -1); */
    /*@ assert uses: kept_uses{Pre,Here}(u); */
    /*@ assert patterns: same_patterns{Pre,Here}(v); */
    /*@ assert graph: same_graph{Pre,Here}(v); */
    /*@ assert kids: same_number{Pre,Here}(v.kid, v.kids) && same_number{Pre,Here}(v.in, v.ins); */
    /*@ assert places: same_number{Pre,Here}(v.pos, v.n) && same_number{Pre,Here}(v.up, v.n); */
    /*@ assert orders: same_number{Pre,Here}(v.commutes, v.ops); */
    /*@ assert view: same_view{Pre,Here}(v); */
    /*@ assert relations: same_relations{Pre,Here}(v, u); */
}

/* M becomes the map. */
/*@ requires room:     room_of(a.entries, v, a.one) && rule_apart(a.entries, v, a.one);
    requires nodes:    places_in(v.nodes, v, at);
    terminates \true;
    exits    never:    \false;
    assigns  a.entries.entry[0 .. v.n - 1], a.entries.place[0 .. a.entries.nodes - 1].entry, a.one[0 .. v.patterns - 1];
    ensures  arrays:   same_arrays(\result.entries, a.entries) && \result.one == a.one;
    ensures  map:      is_map(\result.entries, v, at, \result.one);
    ensures  view:     same_view{Pre,Post}(v);
    ensures  rest:     rest_kept{Pre,Post}(a.entries, v, a.one);
*/
static struct fixed_map put_answer(struct fixed_map a, struct fixed_view v, const long *at)
{
    struct fixed_map b = { fixed_put(a.entries, v, at, a.one), a.one };

    /*@ assert flags: flags_kept{Pre,Here}(v); */
    /*@ assert kept: rest_kept{Pre,Here}(a.entries, v, a.one); */
    return b;
}

/* M is empty again. */
/*@ requires map:      places_in(v.nodes, v, at) && heads_of(a.entries.place, a.entries.nodes, v, at, 0);
    requires arrays:   \valid(a.entries.place + (0 .. a.entries.nodes - 1)) && \valid(a.one + (0 .. v.patterns - 1)) &&
                       v.nodes <= a.entries.nodes && arrays_apart(a.entries, v, a.one);
    requires apart:    rule_apart(a.entries, v, a.one);
    terminates \true;
    exits    never:    \false;
    assigns  a.entries.place[0 .. a.entries.nodes - 1].entry, a.one[0 .. v.patterns - 1];
    ensures  empty:    unsaid(a.entries.place, a.entries.nodes);
    ensures  nodes:    \forall integer j; 0 <= j < v.n ==> a.one[v.pos[j]] == PATTERN_UNBOUND;
    ensures  view:     same_view{Pre,Post}(v);
    ensures  rest:     rest_kept{Pre,Post}(a.entries, v, a.one);
*/
static void drop(struct fixed_map a, struct fixed_view v, const long *at)
{
    fixed_drop(a.entries, v, at, a.one);
    /*@ assert flags: flags_kept{Pre,Here}(v); */
    /*@ assert kept: rest_kept{Pre,Here}(a.entries, v, a.one); */
}

int fixed_ask(struct matcher *m, struct fixed_view v, const long *at, int node) /*@ ghost (struct uses_view u) */
{
    struct fixed_map a = fixed_room(m, v) /*@ ghost (u) */, b = a;
    int place;

    if (a.entries.n < 0)
        return -1;
    /*@ ghost Room: ; */
    /*@ assert room: same_view{Pre,Room}(v); */
    b = put_answer(a, v, at);
    /*@ assert rest: rest_kept{Room,Here}(a.entries, v, a.one); */
    /*@ assert labels: same_labels_of{Room,Here}(u); */
    /*@ assert uses: kept_uses{Room,Here}(u); */
    /*@ assert same_put: same_sources{Room,Here}(m); */
    /*@ assert lists: sources(m, v, u) && its_arrays(m, b, v); */
    /*@ assert view: same_view{Room,Here}(v); */
    /*@ assert graph: wf_graph{Room}(v) && wf_plan{Room}(v); */
    /*@ assert match: solution{Room}(v, map_of{Room}(at, v.patterns), node); */
    /*@ assert same: map_of(at, v.patterns) == map_of{Room}(at, v.patterns); */
    /*@ assert still: solution(v, map_of(at, v.patterns), node); */
    /*@ assert step: in_step{Room}(v, u) && in_step(v, u); */
    /*@ assert relations: same_relations{Room,Here}(v, u); */
    /*@ assert around_put: around_of(v, u) == around_of{Room}(v, u); */
    place = fixed_hold(m, b, v, at, node) /*@ ghost (u) */;
    /*@ assert same_hold: same_sources{Pre,Here}(m); */
    /*@ assert uses_hold: kept_uses{Pre,Here}(u); */
    /*@ assert hold: same_view{Room,Here}(v); */
    /*@ assert so_far: same_view{Pre,Here}(v); */
    /*@ assert nodes: places_in(v.nodes, v, at); */
    /*@ assert one: m->to.one == b.one && nodes_of(v, at, b.one, v.n) && wf_plan(v); */
    /*@ assert said: \forall integer j; 0 <= j < v.n ==> 0 <= v.pos[j] < v.patterns && m->to.one[v.pos[j]] == at[v.pos[j]]; */
    if (0 <= place && place < v.n) {
        /*@ ghost Drop: ; */
        /*@ assert matcher: same_sources{Room,Drop}(m); */
        /*@ assert off: lists_apart(m, a.entries, v, u, a.one); */
        /*@ assert heads: heads_of(a.entries.place, a.entries.nodes, v, at, 0); */
        drop(a, v, at);
        /*@ assert rest_drop: rest_kept{Drop,Here}(a.entries, v, a.one); */
        /*@ assert labels_drop: same_labels_of{Drop,Here}(u); */
        /*@ assert uses_drop: kept_uses{Drop,Here}(u); */
        /*@ assert same_drop: same_sources{Pre,Here}(m); */
        /*@ assert lists_drop: sources(m, v, u); */
        /*@ assert plan_drop: wf_plan(v) && wf_graph(v); */
        /*@ assert relations_drop: same_relations{Drop,Here}(v, u); */
        /*@ assert around_drop: around_of(v, u) == around_of{Drop}(v, u); */
        /*@ assert drop: same_view{Drop,Here}(v); */
        /*@ assert since: same_view{Pre,Here}(v); */
        fixed_empty(m) /*@ ghost (a, v, u) */;
        /*@ assert same_empty: same_sources{Pre,Here}(m); */
        /*@ assert kept: kept_uses{Pre,Here}(u) && in_step(v, u); */
        /*@ assert empty: same_view{Drop,Here}(v); */
        /*@ assert map: map_of(at, v.patterns) == map_of{Drop}(at, v.patterns); */
        /*@ assert no: \forall pmap q; alike(v, q, map_of(at, v.patterns), place + 1) ==> !accepts(around_of(v, u), q); */
    }
    return place;
}

/*@ ghost
/@ requires plan:     valid_fixed(v) && wf_plan(v) && wf_graph(v);
   requires place:    0 <= j < v.n;
   requires map:      solution(v, map_of(at, v.patterns), node) && in_order(v, map_of(at, v.patterns), swap, v.n);
   terminates \true;
   exits    never:    \false;
   assigns  \nothing;
   ensures  alike:    \forall pmap q; solution(v, q, node) ==> agree(v, q, swap, j + 1) ==> alike(v, q, map_of(at, v.patterns), j + 1);
@/
void orders_fix(struct fixed_view v, long *at, unsigned char *swap, int node, int j)
{
    /@ loop invariant range: 0 <= k <= j + 1;
       loop invariant alike: \forall pmap q; solution(v, q, node) ==> agree(v, q, swap, j + 1) ==> alike(v, q, map_of(at, v.patterns), k);
       loop assigns k;
       loop variant j + 1 - k;
    @/
    for (int k = 0; k <= j; k++) {
        /@ assert place: wf_place(v, k) && (k > 0 ==> 0 <= v.up[k] < k && wf_place(v, v.up[k])); @/
        /@ assert local: \forall pmap q, integer i; solution(v, q, node) ==> 0 <= i < k ==> local(v, q, v.pos[i]); @/
        /@ assert straight: \forall pmap q, integer i; solution(v, q, node) ==> agree(v, q, swap, j + 1) ==> 0 <= i < k ==>
                         (swap[i] == 0 <==> straight(v, q, v.pos[i])); @/
        /@ assert swapped: \forall pmap q, integer i; solution(v, q, node) ==> agree(v, q, swap, j + 1) ==> 0 <= i < k ==>
                         swap[i] != 0 ==> joined(v, q, v.pos[i], node_of(q, v.pos[i]), 1); @/
        /@ assert order: \forall pmap q, integer i; solution(v, q, node) ==> agree(v, q, swap, j + 1) ==> 0 <= i < k ==>
                         joined(v, q, v.pos[i], node_of(q, v.pos[i]), swap[i]); @/
        /@ assert parent: k > 0 ==> joined(v, map_of(at, v.patterns), v.pos[v.up[k]], node_of(map_of(at, v.patterns), v.pos[v.up[k]]), swap[v.up[k]]); @/
        /@ assert here: \forall pmap q; solution(v, q, node) ==> agree(v, q, swap, j + 1) ==>
                        node_of(q, v.pos[k]) == node_of(map_of(at, v.patterns), v.pos[k]); @/
    }
}
*/

struct fixed_answer fixed_search(struct matcher *m, struct fixed_view v, int node, unsigned char *swap, long *at)
    /*@ ghost (struct uses_view u) */
{
    struct fixed_answer a = fixed_first(v, node, swap, at);
    int place;

    /*@ ghost matches_local(v, node); */
    /*@ ghost local_matches(v, node); */
    /*@ assert view: same_view{Pre,Here}(v); */
    /*@ assert uses: kept_uses{Pre,Here}(u); */
    /*@ assert lists: sources(m, v, u) && in_step(v, u); */
    /*@ assert relations: same_relations{Pre,Here}(v, u); */
    /*@ loop invariant code:   FIXED_NO <= a.code <= FIXED_LIMIT;
        loop invariant view:   same_view{Pre,Here}(v) && wf_plan(v) && wf_graph(v);
        loop invariant lists:  sources(m, v, u) && in_step(v, u) && kept_uses{Pre,Here}(u) && around_of(v, u) == around_of{Pre}(v, u);
        loop invariant source: same_sources{Pre,Here}(m);
        loop invariant yes:    a.code == FIXED_YES ==> solution(v, map_of(at, v.patterns), node) && wf_swap(v, swap) &&
                               in_order(v, map_of(at, v.patterns), swap, v.n);
        loop invariant passes: a.code == FIXED_YES ==> 0 <= a.passes;
        loop invariant nodes:  a.code == FIXED_YES ==> \forall integer i; 0 <= i < v.n ==> 0 <= at[v.pos[i]] < v.nodes;
        loop invariant rest:   a.code == FIXED_YES ==> \forall pmap q; solution(v, q, node) ==> accepts(around_of(v, u), q) ==>
                               reached(v, q, swap);
        loop invariant none:   a.code == FIXED_NO ==> \forall pmap q; solution(v, q, node) ==> !accepts(around_of(v, u), q);
        loop assigns a, place, at[0 .. v.patterns - 1], swap[0 .. v.n - 1], *m,
             { *p | int *p; \true }, { *q | unsigned *q; \true }, { *w | long *w; \true }, { *z | unsigned long *z; \true },
             { *c | char *c; \true }, { *s | struct values *s; \true }, { *t | struct strs *t; \true },
             { *e | struct match_entry *e; \true };
        loop variant a.code == FIXED_YES ? a.passes + 1 : 0;
    */
    while (a.code == FIXED_YES) {
        /*@ ghost local_matches(v, node); */
        /*@ ghost Ask: ; */
        place = fixed_ask(m, v, at, node) /*@ ghost (u) */;
        /*@ assert kept_lists: kept_uses{Pre,Here}(u) && in_step(v, u); */
        /*@ ghost matches_local(v, node); */
        /*@ ghost local_matches(v, node); */
        /*@ assert swaps: \forall integer i; 0 <= i < v.n ==> swap[i] == \at(swap[i], Ask); */
        /*@ assert same: \forall pmap q; solution(v, q, node) <==> solution{Ask}(v, q, node); */
        /*@ assert reach: \forall pmap q; solution(v, q, node) ==> accepts(around_of(v, u), q) ==> reached(v, q, swap); */
        /*@ assert map: solution(v, map_of(at, v.patterns), node); */
        /*@ assert kept: map_of(at, v.patterns) == map_of{Ask}(at, v.patterns); */
        /*@ assert was: in_order{Ask}(v, map_of(at, v.patterns), \at(swap, Ask), v.n); */
        /*@ assert since: same_view{Ask,Here}(v); */
        /*@ assert plan: wf_plan{Ask}(v); */
        /*@ assert pos: \forall integer i; 0 <= i < v.n ==> v.pos[i] == \at(v.pos[i], Ask); */
        /*@ assert place: \forall integer i; 0 <= i < v.n ==> wf_place{Ask}(v, i); */
        /*@ assert node: \forall integer i; 0 <= i < v.n ==> 0 <= node_of(map_of(at, v.patterns), v.pos[i]) < v.nodes; */
        /*@ assert joined: \forall integer i; 0 <= i < v.n ==>
                           joined(v, map_of(at, v.patterns), v.pos[i], node_of(map_of(at, v.patterns), v.pos[i]), swap[i]); */
        /*@ assert orders: in_order(v, map_of(at, v.patterns), swap, v.n); */
        if (place == v.n)
            return a;
        if (place < 0) {
            a.code = FIXED_LIMIT;
            return a;
        }
        /*@ ghost orders_fix(v, at, swap, node, place); */
        /*@ assert refused: \forall pmap q; solution(v, q, node) ==> agree(v, q, swap, place + 1) ==>
                              !accepts(around_of(v, u), q); */
        /*@ ghost Next: ; */
        a = fixed_next(v, node, swap, at, place, a);
        /*@ assert next: kept_uses{Next,Here}(u) && same_view{Next,Here}(v); */
        /*@ assert relations_next: same_relations{Next,Here}(v, u); */
        /*@ ghost matches_local(v, node); */
    }
    /*@ ghost matches_local(v, node); */
    return a;
}

int fixed_match(struct matcher *m, struct fixed_view v, int node, unsigned char *swap, long *at) /*@ ghost (struct uses_view u) */
{
    struct fixed_answer a = fixed_search(m, v, node, swap, at) /*@ ghost (u) */;

    /* Why there is none is known if a condition failed; or if each pass did at the kind of a node, so that no node was
       met twice. */
    if (a.code == FIXED_NO && !(m->brief && (a.plain || m->progress > MATCH_FAR)))
        return FIXED_LIMIT;
    return a.code;
}

/*@ requires rule:     one_source(r) && \valid_read(plan);
    terminates \true;
    exits    never:    \false;
    assigns  \nothing;
    ensures  view:     \result == fixed_rule(r, plan, (int *)commutes);
*/
static struct fixed_view rule_view(const struct rule *r, const struct match_plan *plan, const int *commutes)
{
    return (struct fixed_view){
        .pattern = r->pattern.a, .kid = r->kid.a, .pos = plan->pos.a, .up = plan->up.a, .commutes = commutes,
        .patterns = r->source.a[0] + 1, .kids = r->kid.n, .n = plan->pos.n, .ops = OP_COUNT,
    };
}

/*@ ghost
/@ terminates \true;
   exits    never:    \false;
   assigns  \nothing;
   ensures  kid:      \forall integer p, q; child(v.pattern, v.kid, p, q) ==> kid_of(v, p, q);
   ensures  child:    \forall integer p, q; kid_of(v, p, q) ==> child(v.pattern, v.kid, p, q);
@/
static void children(struct fixed_view v)
{
    /@ assert kid: \forall integer p, k; kid(v, p, k) == v.kid[v.pattern[p].kid + k]; @/
}
*/

/*@ requires plan:     \valid(plan) && v.pos == plan->pos.a && v.up == plan->up.a && 0 <= v.n <= FIXED_MAX;
    requires apart:    \separated(plan, v.pos + (0 .. FIXED_MAX - 1)) && \separated(plan, v.up + (0 .. FIXED_MAX - 1)) &&
                       \separated(plan, v.pattern + (0 .. v.patterns - 1)) && \separated(plan, v.kid + (0 .. v.kids - 1)) &&
                       \separated(plan, v.commutes + (0 .. v.ops - 1)) && v.nodes == 0 && v.ins == 0;
    requires found:    v.n > 0 ==> wf_plan(v) && v.pos[0] == root && 0 <= root < v.patterns;
    requires source:   v.n > 0 ==> \forall integer p; listed(v, p) <==> in_source(v, root, p);
    requires plain:    v.n > 0 ==> \forall integer j; 0 <= j < v.n ==> plain(v, v.pos[j]);
    terminates \true;
    exits    never:    \false;
    assigns  plan->pos.n, plan->up.n, plan->fixed;
    ensures  planned:  planned(plan, v, root);
*/
static void keep(struct match_plan *plan, struct fixed_view v) /*@ ghost (int root) */
{
    /*@ ghost children(v); */
    plan->pos.n = plan->up.n = v.n;
    plan->fixed = v.n > 0;
    /*@ ghost
    if (v.n > 0) {
        /@ assert patterns: same_patterns{Pre,Here}(v); @/
        /@ assert kids: same_number{Pre,Here}(v.kid, v.kids); @/
        /@ assert pos: same_number{Pre,Here}(v.pos, v.n); @/
        /@ assert up: same_number{Pre,Here}(v.up, v.n); @/
        /@ assert commutes: same_number{Pre,Here}(v.commutes, v.ops); @/
        /@ assert view: same_view{Pre,Here}(v); @/
        /@ assert back: same_view{Here,Pre}(v); @/
        /@ assert plan: wf_plan(v); @/
        /@ assert plain: \forall integer j; 0 <= j < v.n ==> plain(v, v.pos[j]); @/
        /@ assert places: \forall integer j; 0 <= j < v.n ==> v.pos[j] == \at(v.pos[j], Pre) && v.up[j] == \at(v.up[j], Pre); @/
        /@ assert listed: \forall integer p; listed(v, p) <==> listed{Pre}(v, p); @/
        /@ assert range: \forall integer p; listed{Pre}(v, p) ==> wf_pattern{Pre}(v, p) && 0 <= p < v.patterns; @/
        children(v);
        /@ assert same: \forall integer p, q; listed{Pre}(v, p) ==> (kid_of(v, p, q) <==> kid_of{Pre}(v, p, q)); @/
        /@ assert kin: \forall integer p, q; listed{Pre}(v, p) ==>
                       (child(v.pattern, v.kid, p, q) <==> child{Pre}(v.pattern, v.kid, p, q)); @/
        /@ loop invariant range:  0 <= d <= v.patterns;
           loop invariant source: \forall integer p, e; 0 <= e < d ==>
             (descends(v.pattern, v.kid, root, p, e) <==> descends{Pre}(v.pattern, v.kid, root, p, e));
           loop assigns d;
           loop variant v.patterns - d;
        @/
        for (int d = 0; d < v.patterns; d++) {
            /@ assert near: \forall integer p; d > 0 ==> descends{Pre}(v.pattern, v.kid, root, p, d - 1) ==> listed{Pre}(v, p); @/
            /@ assert from: \forall integer p; descends{Pre}(v.pattern, v.kid, root, p, d) ==> d == 0 && p == root ||
                            \exists integer q; d > 0 && descends{Pre}(v.pattern, v.kid, root, q, d - 1) &&
                            child{Pre}(v.pattern, v.kid, q, p); @/
            /@ assert from_here: \forall integer p; descends(v.pattern, v.kid, root, p, d) ==> d == 0 && p == root ||
                            \exists integer q; d > 0 && descends(v.pattern, v.kid, root, q, d - 1) && child(v.pattern, v.kid, q, p); @/
            /@ assert down: \forall integer p; descends{Pre}(v.pattern, v.kid, root, p, d) ==>
                            descends(v.pattern, v.kid, root, p, d); @/
            /@ assert back: \forall integer p; descends(v.pattern, v.kid, root, p, d) ==>
                            descends{Pre}(v.pattern, v.kid, root, p, d); @/
        }
        /@ assert source_to: \forall integer p; in_source{Pre}(v, root, p) ==> in_source(v, root, p); @/
        /@ assert source_from: \forall integer p; in_source(v, root, p) ==> in_source{Pre}(v, root, p); @/
        /@ assert source: \forall integer p; in_source(v, root, p) <==> in_source{Pre}(v, root, p); @/
        /@ assert listed_source: \forall integer p; listed(v, p) <==> in_source(v, root, p); @/
    }
    */
}

enum calque_status match_plan_fixed(struct match_plan *plan, const struct rule *r, const int *commutes, struct mem *mem)
{
    struct fixed_view v;

    if (r->source.n != 1)
        return CALQUE_OK;
    v = rule_view(r, plan, commutes);
    if (!fixed_plan_room(plan, mem) /*@ ghost (r, v) */)
        return CALQUE_NOMEM;
    v = fixed_plan(rule_view(r, plan, commutes), r->source.a[0], plan->pos.a, plan->up.a);
    keep(plan, v) /*@ ghost (r->source.a[0]) */;
    /*@ assert array: r->source.a == \at(r->source.a, Pre); */
    /*@ assert one: r->source.n == 1; */
    /*@ assert root: r->source.a[0] == \at(r->source.a[0], Pre); */
    /*@ assert rule: one_source(r); */
    /*@ assert view: v == fixed_rule(r, plan, (int *)commutes); */
    return CALQUE_OK;
}

/*@ requires held:     held_plan(m);
    terminates \true;
    exits    never:    \false;
    assigns  \nothing;
    ensures  view:     \result == fixed_of(m);
*/
static struct fixed_view view(const struct matcher *m)
{
    struct fixed_view v = rule_view(match_rule_of(m), &m->plan[m->rule], m->commutes);

    v.node = m->g->node.a;
    v.in = m->g->in.a;
    v.nodes = m->g->node.n;
    v.ins = m->g->in.n;
    return v;
}

int match_fixed(struct matcher *m, int node)
{
    struct fixed_view v = view(m);
    /*@ ghost struct uses_view u = { m->uses->node.a, m->uses->slot.a, m->g->in.a, m->uses->node.n, m->uses->slot.n }; */
    /*@ assert uses: u == uses_at(m); */

    return fixed_match(m, v, node, m->swap, m->at) /*@ ghost (u) */;
}

/* The arrays of a plan and of the map, and what a rule asks of a map that is there. Trusted: the proofs of simple_match.c rest on
   the contracts. */

struct fixed_map fixed_room(struct matcher *m, struct fixed_view v) /*@ ghost (struct uses_view u) */
{
    struct mem *mem = m->rules->mem;
    struct fixed_map a = { { .n = -1 }, NULL };

    if (!vec_room(mem, &m->entry, v.n) || !vec_room(mem, &m->outs, 1)) {
        match_nomem(m);
        return a;
    }
    a.entries = (struct inside_view){ .entry = m->entry.a, .place = m->place.a, .pattern = v.pattern, .n = m->entry.n,
                                      .nodes = m->place.n, .patterns = v.patterns };
    a.one = m->to.one;
    return a;
}

struct fixed_mark fixed_output(struct matcher *m, int node)
    /*@ ghost (struct fixed_map a, struct fixed_view v, const long *at, struct uses_view u) */
{
    const struct values *vs = m->g->values;
    struct fixed_mark first = { .n = vs->n, .npool = vs->npool };

    first.ok = match_out_push(m, node);
    return first;
}

/* The values made since are gone. */
static void values_back(struct matcher *m, struct fixed_mark first)
{
    struct values *vs = m->g->values;

    vs->n = first.n;
    vs->npool = first.npool;
}

bool fixed_claim(struct matcher *m, int k)
    /*@ ghost (struct fixed_map a, struct fixed_view v, const long *at, int node, struct uses_view u) */
{
    return match_claims(m, &m->entry.a[k], false);
}

bool fixed_attrs(struct matcher *m)
    /*@ ghost (struct fixed_map a, struct fixed_view v, const long *at, int node, struct uses_view u) */
{
    return match_attrs_hold(m, 0);
}

bool fixed_requires(struct matcher *m, struct fixed_mark first)
    /*@ ghost (struct fixed_map a, struct fixed_view v, const long *at, int node, struct uses_view u) */
{
    bool yes = match_requires_hold(m);

    if (yes)
        values_back(m, first);
    return yes;
}

void fixed_back(struct matcher *m, struct fixed_mark at_first)
    /*@ ghost (struct fixed_map a, struct fixed_view v, const long *at, int node, struct uses_view u) */
{
    match_undo(m, m->entry.n, 0);
    values_back(m, at_first);
}

bool fixed_plan_room(struct match_plan *plan, struct mem *mem) /*@ ghost (const struct rule *r, struct fixed_view v) */
{
    return vec_room(mem, &plan->pos, FIXED_MAX) && vec_room(mem, &plan->up, FIXED_MAX);
}
