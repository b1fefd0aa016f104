#include "graph/mark.h"

/* x is marked, and waits on the stack. */
/*@ requires own:      own_marks(map, stack, n);
    requires node:     0 <= x < n;
    requires room:     0 <= top && top + dead(map, n) <= n;
    requires dead:     map[x] == MARK_DEAD;
    terminates \true;
    exits    never:    \false;
    assigns  map[x], stack[top];
    ensures  top:      \result == top + 1 <= n;
    ensures  set:      map[x] == MARK_NEEDED && stack[top].node == x;
    ensures  less:     0 <= dead(map, n) == \old(dead(map, n)) - 1;
*/
static int push(int *map, struct frame *stack, int top, int x) /*@ ghost (int n) */
{
    /*@ ghost int at = 0; */
    /*@ ghost
        /@ loop invariant range: 0 <= at <= n;
           loop invariant some:  (x < at ? 1 : 0) <= dead(map, at);
           loop assigns at;
           loop variant n - at;
        @/
        while (at < n)
            at++;
    */
    /*@ assert room: top < n; */
    map[x] = MARK_NEEDED;
    stack[top].node = x;
    /*@ ghost at = 0; */
    /*@ ghost
        /@ loop invariant range: 0 <= at <= n;
           loop invariant less:  0 <= dead(map, at) == dead{Pre}(map, at) - (x < at ? 1 : 0);
           loop assigns at;
           loop variant n - at;
        @/
        while (at < n)
            at++;
    */
    return top + 1;
}

/* Inputs in[first .. first + nin - 1] of a node are marked. */
/*@ requires own:      own_marks(map, stack, n);
    requires valid:    0 <= first && 0 <= nin && first + nin <= INT32_MAX &&
                       \valid_read(in + (first .. first + nin - 1));
    requires apart:    n > 0 ==> \base_addr(map) != \base_addr(in) && \base_addr(stack) != \base_addr(in);
    requires inputs:   \forall integer k; first <= k < first + nin ==> -1 <= in[k] < n;
    requires room:     0 <= top && 0 <= dead(map, n) && top + dead(map, n) <= n;
    terminates \true;
    exits    never:    \false;
    assigns  map[0 .. n - 1], stack[0 .. n - 1];
    ensures  room:     top <= \result && 0 <= dead(map, n) && \result + dead(map, n) == top + \old(dead(map, n));
    ensures  kept:     kept_marks{Pre,Post}(map, n);
    ensures  below:    same_stack{Pre,Post}(stack, top);
    ensures  above:    on_stack(map, stack, n, top, \result);
    ensures  waits:    new_waits{Pre,Post}(map, stack, n, top, \result);
    ensures  new:      new_in{Pre,Post}(map, n, in, first, nin);
    ensures  inputs:   \forall integer k; first <= k < first + nin ==> 0 <= in[k] ==> map[in[k]] != MARK_DEAD;
    ensures  same:     \forall integer k; first <= k < first + nin ==> in[k] == \old(in[k]);
*/
static int expand(const int *in, int first, int nin, int *map, struct frame *stack, int top) /*@ ghost (int n) */
{
    /*@ loop invariant range:  first <= k <= first + nin && \at(top, Pre) <= top;
        loop invariant same:   \forall integer j; first <= j < first + nin ==> in[j] == \at(in[j], Pre);
        loop invariant room:   0 <= dead(map, n) && top + dead(map, n) == \at(top, Pre) + \at(dead(map, n), Pre);
        loop invariant kept:   kept_marks{Pre,Here}(map, n);
        loop invariant below:  same_stack{Pre,Here}(stack, \at(top, Pre));
        loop invariant above:  on_stack(map, stack, n, \at(top, Pre), top);
        loop invariant waits:  new_waits{Pre,Here}(map, stack, n, \at(top, Pre), top);
        loop invariant new:    new_in{Pre,Here}(map, n, in, first, nin);
        loop invariant inputs: \forall integer j; first <= j < k ==> 0 <= in[j] ==> map[in[j]] != MARK_DEAD;
        loop assigns k, top, map[0 .. n - 1], stack[0 .. n - 1];
        loop variant first + nin - k;
    */
    for (int k = first; k < first + nin; k++) {
        int x = in[k];
        if (x >= 0 && map[x] == MARK_DEAD)
            top = push(map, stack, top, x) /*@ ghost (n) */;
    }
    return top;
}

/* The graph's inputs are marked, nothing else is. */
/*@ requires valid:    0 <= g.n && \valid_read(g.node + (0 .. g.n - 1)) && \valid(map + (0 .. g.n - 1));
    requires apart:    g.n > 0 ==> \base_addr(map) != \base_addr(g.node);
    terminates \true;
    exits    never:    \false;
    assigns  map[0 .. g.n - 1];
    ensures  map:      \forall integer i; 0 <= i < g.n ==>
                       map[i] == (\old(g.node[i].kind) == NODE_INPUT ? MARK_NEEDED : MARK_DEAD);
    ensures  dead:     0 <= dead(map, g.n) <= g.n;
*/
static void leaves(struct graph_put g, int *map)
{
    /*@ loop invariant range: 0 <= i <= g.n;
        loop invariant same:  \forall integer j; 0 <= j < g.n ==> g.node[j].kind == \at(g.node[j].kind, Pre);
        loop invariant map:   \forall integer j; 0 <= j < i ==>
                              map[j] == (\at(g.node[j].kind, Pre) == NODE_INPUT ? MARK_NEEDED : MARK_DEAD);
        loop assigns i, map[0 .. g.n - 1];
        loop variant g.n - i;
    */
    for (int i = 0; i < g.n; i++)
        map[i] = g.node[i].kind == NODE_INPUT ? MARK_NEEDED : MARK_DEAD;
    /*@ ghost int at = 0; */
    /*@ ghost
        /@ loop invariant range: 0 <= at <= g.n;
           loop invariant dead:  0 <= dead(map, at) <= at;
           loop assigns at;
           loop variant g.n - at;
        @/
        while (at < g.n)
            at++;
    */
}

/* The outputs are marked. */
/*@ requires own:      own_marks(map, stack, n);
    requires valid:    0 <= nout && \valid_read(out + (0 .. nout - 1));
    requires apart:    n > 0 ==> \base_addr(map) != \base_addr(out) && \base_addr(stack) != \base_addr(out);
    requires outs:     \forall integer k; 0 <= k < nout ==> 0 <= out[k].node < n;
    requires room:     0 <= dead(map, n) <= n;
    terminates \true;
    exits    never:    \false;
    assigns  map[0 .. n - 1], stack[0 .. n - 1];
    ensures  room:     0 <= \result && 0 <= dead(map, n) && \result + dead(map, n) <= n;
    ensures  kept:     kept_marks{Pre,Post}(map, n);
    ensures  above:    on_stack(map, stack, n, 0, \result);
    ensures  waits:    new_waits{Pre,Post}(map, stack, n, 0, \result);
    ensures  new:      \forall integer i; 0 <= i < n ==> \old(map[i]) == MARK_DEAD ==> map[i] != MARK_DEAD ==>
                       is_out{Pre}(out, nout, i);
    ensures  outs:     \forall integer k; 0 <= k < nout ==> map[out[k].node] != MARK_DEAD;
    ensures  same:     \forall integer k; 0 <= k < nout ==> out[k].node == \old(out[k].node);
*/
static int roots(const struct graph_output *out, int nout, int *map, struct frame *stack) /*@ ghost (int n) */
{
    int top = 0;

    /*@ loop invariant range:  0 <= k <= nout && 0 <= top;
        loop invariant same:   \forall integer j; 0 <= j < nout ==> out[j].node == \at(out[j].node, Pre);
        loop invariant room:   0 <= dead(map, n) && top + dead(map, n) <= n;
        loop invariant kept:   kept_marks{Pre,Here}(map, n);
        loop invariant above:  on_stack(map, stack, n, 0, top);
        loop invariant waits:  new_waits{Pre,Here}(map, stack, n, 0, top);
        loop invariant new:    \forall integer i; 0 <= i < n ==> \at(map[i], Pre) == MARK_DEAD ==> map[i] != MARK_DEAD ==>
                               is_out{Pre}(out, nout, i);
        loop invariant outs:   \forall integer j; 0 <= j < k ==> map[out[j].node] != MARK_DEAD;
        loop assigns k, top, map[0 .. n - 1], stack[0 .. n - 1];
        loop variant nout - k;
    */
    for (int k = 0; k < nout; k++) {
        int x = out[k].node;
        if (map[x] == MARK_DEAD)
            top = push(map, stack, top, x) /*@ ghost (n) */;
    }
    return top;
}

void graph_mark(struct graph_put g, const struct graph_output *out, int nout, int *map, struct frame *stack)
{
    int top; /*@ ghost int left = 0, at = 0; */

    leaves(g, map);
    /*@ assert same0: same_graph{Pre,Here}(g); */
    top = roots(out, nout, map, stack) /*@ ghost (g.n) */;
    /*@ assert nodes1: same_nodes{Pre,Here}(g); */ /*@ assert ins1: same_inputs{Pre,Here}(g); */
    /*@ assert same1:  same_graph{Pre,Here}(g); */
    /*@ ghost
        /@ loop invariant range: 0 <= at <= g.n;    loop invariant left:  0 <= left == dead(map, at) <= at;
           loop assigns at, left;                   loop variant g.n - at; @/
        while (at < g.n) {
            left += map[at] == MARK_DEAD ? 1 : 0;
            at++;
        }
    */
    /*@ loop invariant range:  0 <= top && 0 <= dead(map, g.n) && top + dead(map, g.n) <= g.n;
        loop invariant left:   left == dead(map, g.n); loop invariant same: same_graph{Pre,Here}(g);
        loop invariant outids: \forall integer k; 0 <= k < nout ==> out[k].node == \at(out[k].node, Pre);
        loop invariant marks:  marks(map, g.n);        loop invariant stack: on_stack(map, stack, g.n, 0, top);
        loop invariant leaves: \forall integer i; 0 <= i < g.n ==> g.node[i].kind == NODE_INPUT ==> map[i] == MARK_NEEDED;
        loop invariant outs:   \forall integer k; 0 <= k < nout ==> map[out[k].node] == MARK_NEEDED;
        loop invariant closed: \forall integer i; 0 <= i < g.n ==> map[i] == MARK_NEEDED ==>
                               waits(stack, 0, top, i) || inputs_marked(g, map, i);
        loop invariant needed: \forall integer i; 0 <= i < g.n ==> map[i] == MARK_NEEDED ==>
                               \at(g.node[i].kind, Pre) == NODE_INPUT || needed{Pre}(g, out, nout, i);
        loop assigns top, left, map[0 .. g.n - 1], stack[0 .. g.n - 1];
        loop variant left + (left + top);
    */
    while (top > 0) {
        int j = stack[--top].node, first = g.node[j].in, nin = g.node[j].nin;
        /*@ ghost int was = top; */ /*@ ghost Top: ; */
        /*@ assert node:   0 <= j < g.n && map[j] == MARK_NEEDED && node_in{Pre}(g, j) && node_in(g, j); */
        /*@ assert range:  0 <= first && 0 <= nin && first + nin <= g.nin; */
        /*@ assert given:  \forall integer k; first <= k < first + nin ==> -1 <= g.in[k] < g.n; */
        /*@ assert reach:  nin == 0 || needed{Pre}(g, out, nout, j); */
        /*@ assert others: \forall integer i; 0 <= i < g.n ==> map[i] == MARK_NEEDED ==>
                           i == j || waits(stack, 0, top, i) || inputs_marked(g, map, i); */
        top = expand(g.in, first, nin, map, stack, top) /*@ ghost (g.n) */;
        /*@ ghost left -= top - was; */ /*@ assert left: left == dead(map, g.n); */
        /*@ assert marks:  marks(map, g.n); */
        /*@ assert outids: \forall integer k; 0 <= k < nout ==> out[k].node == \at(out[k].node, Pre); */
        /*@ assert kinds:  \forall integer i; 0 <= i < g.n ==> g.node[i].kind == \at(g.node[i].kind, Top); */
        /*@ assert starts: \forall integer i; 0 <= i < g.n ==> g.node[i].in == \at(g.node[i].in, Top); */
        /*@ assert counts: \forall integer i; 0 <= i < g.n ==> g.node[i].nin == \at(g.node[i].nin, Top); */
        /*@ assert atts:   \forall integer i; 0 <= i < g.n ==> g.node[i].attr == \at(g.node[i].attr, Top); */
        /*@ assert natts:  \forall integer i; 0 <= i < g.n ==> g.node[i].nattr == \at(g.node[i].nattr, Top); */
        /*@ assert nodes:  same_nodes{Top,Here}(g); */ /*@ assert ins: same_inputs{Top,Here}(g); */
        /*@ assert same:   same_graph{Pre,Here}(g); */
        /*@ assert inside: \forall integer k; first <= k < first + nin ==> g.in[k] == \at(g.in[k], Top); */
        /*@ assert each:   \forall integer k; first <= k < first + nin ==> 0 <= g.in[k] ==> map[g.in[k]] == MARK_NEEDED; */
        /*@ assert place:  g.node[j].in == first && g.node[j].nin == nin; */ /*@ assert mine: inputs_marked(g, map, j); */
        /*@ assert stay:   \forall integer i; waits{Top}(stack, 0, \at(top, Top), i) ==> waits(stack, 0, top, i); */
        /*@ assert keep:   \forall integer i; 0 <= i < g.n ==> inputs_marked{Top}(g, map, i) ==> inputs_marked(g, map, i); */
        /*@ assert wait:   \forall integer i; 0 <= i < g.n ==> \at(map[i], Top) == MARK_DEAD ==> map[i] != MARK_DEAD ==>
                           waits(stack, 0, top, i); */
        /*@ assert next:   \forall integer i; 0 <= i < g.n ==> \at(map[i], Top) == MARK_DEAD ==> map[i] != MARK_DEAD ==>
                           needed{Pre}(g, out, nout, i); */
    }
}
