/* Compaction: nodes that no output needs go, the others are numbered in topological order, depth first, by id. Invariants: the path
   is on the stack, a node gets its number when its inputs have theirs; what may fail comes first (ids, sums, numbers); then
   all is written at once, and a cycle leaves the graph unchanged. */
#include "graph/compact_internal.h"

/* The contract of graph_compact; graph.h says what it is for. */
/* OK: each node with a number has become the node of that number; the others are gone. The map, if there is none, is one of
   its own. Else the graph is as it was. */
/*@ requires graph:    compactable(g);
    requires map:      map != \null ==> \valid(map + (0 .. g->node.n - 1)) && off_graph(\base_addr(map), g);
    requires diag:     held_diag(d, g);
    terminates \true;
    exits    never:    \false;
    assigns  *g, *g->mem, *d, { *p | struct node *p; \true }, { *q | int *q; \true }, { *a | struct node_attr *a; \true },
             { *t | struct tensor *t; \true }, { *r | struct raw *r; \true }, { *o | struct graph_output *o; \true },
             { *f | struct frame *f; \true };
    ensures  status:   \result == CALQUE_OK || \result == CALQUE_INTERNAL || \result == CALQUE_NOMEM || \result == CALQUE_BAD;
    ensures  exist:    \result == CALQUE_INTERNAL <==> !\old(all_exist(g));
    ensures  cycle:    \result == CALQUE_BAD ==> cyclic{Pre}(\old(put_of(g)));
    ensures  graph:    \result != CALQUE_OK ==> unchanged{Pre,Post}(g);
    ensures  valid:    \result == CALQUE_OK ==> valid_graph(put_of(g));
    ensures  ok:       \result == CALQUE_OK ==> \exists int *m; (map != \null ==> m == map) && compacted{Pre,Post}(g, m);
*/
enum calque_status graph_compact(struct graph *g, int *map, struct diag *d);

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

/* Depth-first: the path is on the stack, a node gets its number when its inputs have theirs. */
/*@ ghost
  /@ requires valid:    0 <= n && \valid_read(map + (0 .. n - 1));
     terminates \true;
     exits    never:    \false;
     assigns  \nothing;
     ensures  todo:     0 <= \result == todo(map, n) <= n;
  @/
  static int rest(int *map, int n)
  {
      int at = 0, left = 0;
      /@ loop invariant range: 0 <= at <= n;
         loop invariant left:  0 <= left == todo(map, at) <= at;
         loop assigns at, left;
         loop variant n - at;
      @/
      while (at < n) {
          left += map[at] == MARK_NEEDED ? 1 : 0;
          at++;
      }
      return left;
  }
*/

/* The first input from number k on that has no number yet; nin: none. */
/*@ requires valid:    0 <= first && 0 <= k <= nin && first + nin <= INT32_MAX && \valid_read(in + (first .. first + nin - 1));
    requires inputs:   \forall integer j; first <= j < first + nin ==> -1 <= in[j] < n;
    requires map:      \valid_read(map + (0 .. n - 1));
    terminates \true;
    exits    never:    \false;
    assigns  \nothing;
    ensures  range:    k <= \result <= nin;
    ensures  numbered: \forall integer j; first + k <= j < first + \result ==> 0 <= in[j] ==> 0 <= map[in[j]];
    ensures  next:     \result < nin ==> 0 <= in[first + \result] && map[in[first + \result]] < 0;
*/
static int next_input(const int *in, int first, int nin, int k, const int *map) /*@ ghost (int n) */
{
    /*@ loop invariant range:    \at(k, Pre) <= k <= nin;
        loop invariant numbered: \forall integer j; first + \at(k, Pre) <= j < first + k ==> 0 <= in[j] ==> 0 <= map[in[j]];
        loop assigns k;
        loop variant nin - k;
    */
    while (k < nin && (in[first + k] < 0 || map[in[first + k]] >= 0))
        k++;
    return k;
}

/* x is open, on top of the stack. */
/*@ requires own:      0 <= x < n && \valid(map + (0 .. n - 1)) && \valid(stack + (0 .. n - 1)) &&
                       \base_addr(map) != \base_addr(stack);
    requires room:     0 <= top && top + todo(map, n) <= n;
    requires needed:   map[x] == MARK_NEEDED;
    terminates \true;
    exits    never:    \false;
    assigns  map[x], stack[top];
    ensures  set:      map[x] == MARK_OPEN && stack[top].node == x && stack[top].next == 0;
    ensures  room:     top < n && 0 <= todo(map, n) == \old(todo(map, n)) - 1;
*/
static void set_open(int *map, struct frame *stack, int top, int x) /*@ ghost (int n) */
{
    /*@ ghost int at = 0; */
    /*@ ghost
        /@ loop invariant range: 0 <= at <= n;
           loop invariant some:  (x < at ? 1 : 0) <= todo(map, at);
           loop assigns at;
           loop variant n - at;
        @/
        while (at < n)
            at++;
    */
    /*@ assert room: top < n; */
    map[x] = MARK_OPEN;
    stack[top].node = x;
    stack[top].next = 0;
    /*@ ghost at = 0; */
    /*@ ghost
        /@ loop invariant range: 0 <= at <= n;
           loop invariant less:  0 <= todo(map, at) == todo{Pre}(map, at) - (x < at ? 1 : 0);
           loop assigns at;
           loop variant n - at;
        @/
        while (at < n)
            at++;
    */
}

/* The same; the node below it goes on at its input number next. */
/*@ requires own:      0 <= x < n && \valid(map + (0 .. n - 1)) && \valid(stack + (0 .. n - 1)) &&
                       \base_addr(map) != \base_addr(stack);
    requires room:     0 < top && top + todo(map, n) <= n;
    requires needed:   map[x] == MARK_NEEDED;
    requires below:    top <= n;
    terminates \true;
    exits    never:    \false;
    assigns  map[x], stack[top - 1 .. top];
    ensures  set:      map[x] == MARK_OPEN && stack[top].node == x && stack[top].next == 0 && stack[top - 1].next == next;
    ensures  below:    stack[top - 1].node == \old(stack[top - 1].node);
    ensures  room:     top < n && 0 <= todo(map, n) == \old(todo(map, n)) - 1;
*/
static void set_next(int *map, struct frame *stack, int top, int next, int x) /*@ ghost (int n) */
{
    /*@ ghost int at = 0; */
    stack[top - 1].next = next;
    /*@ ghost
        /@ loop invariant range: 0 <= at <= n;
           loop invariant same:  todo(map, at) == todo{Pre}(map, at);
           loop assigns at;
           loop variant n - at;
        @/
        while (at < n)
            at++;
    */
    set_open(map, stack, top, x) /*@ ghost (n) */;
}

/* x, which is open, has number count. */
/*@ requires own:      0 <= x < n && \valid(map + (0 .. n - 1)) && \valid(order + (0 .. n - 1)) &&
                       \base_addr(map) != \base_addr(order);
    requires room:     0 <= count < n;
    requires open:     map[x] == MARK_OPEN;
    terminates \true;
    exits    never:    \false;
    assigns  map[x], order[count];
    ensures  set:      map[x] == count && order[count] == x;
    ensures  room:     todo(map, n) == \old(todo(map, n));
*/
static void set_number(int *map, int *order, int count, int x) /*@ ghost (int n) */
{
    /*@ ghost int at = 0; */
    map[x] = count;
    order[count] = x;
    /*@ ghost
        /@ loop invariant range: 0 <= at <= n;
           loop invariant same:  todo(map, at) == todo{Pre}(map, at);
           loop assigns at;
           loop variant n - at;
        @/
        while (at < n)
            at++;
    */
}

/* The node on top of the stack, all of whose inputs have numbers, gets the next one. */
/*@ requires valid:    valid_graph(g) && ranges_ok(g) && own_numbers(g, map, order, stack);
    requires state:    numbers(g, map, order, count) && live(g, map) && path(g, map, stack, top) && 0 < top;
    requires room:     number_room(g, map, count, top);
    requires done:     numbered_inputs(g, map, stack[top - 1].node, g.node[stack[top - 1].node].nin);
    terminates \true;
    exits    never:    \false;
    assigns  map[0 .. g.n - 1], order[0 .. g.n - 1];
    ensures  graph:    same_graph{Pre,Post}(g);
    ensures  numbers:  numbers(g, map, order, count + 1);
    ensures  path:     path(g, map, stack, top - 1);
    ensures  live:     live(g, map);
    ensures  room:     number_room(g, map, count + 1, top - 1) && todo(map, g.n) == \old(todo(map, g.n));
    ensures  dead:     same_dead{Pre,Post}(map, g.n);
    ensures  kept:     kept_numbers{Pre,Post}(map, g.n);
    ensures  stack:    same_stack{Pre,Post}(stack, top);
    ensures  number:   map[stack[top - 1].node] == count;
*/
static void finish(struct graph_put g, int *map, int *order, const struct frame *stack, int count, int top)
{
    int x = stack[top - 1].node;

    (void)g; /* only the contract speaks of it */
    /*@ assert node:   0 <= x < g.n && map[x] == MARK_OPEN && node_in(g, x); */
    set_number(map, order, count, x) /*@ ghost (g.n) */;
    /*@ assert stack:  \forall integer k; 0 <= k < top ==> stack[k].node == \at(stack[k].node, Pre); */
    /*@ assert next:   \forall integer k; 0 <= k < top ==> stack[k].next == \at(stack[k].next, Pre); */
    /*@ assert order:  \forall integer k; 0 <= k < count ==> order[k] == \at(order[k], Pre); */
    /*@ assert kinds:  \forall integer i; 0 <= i < g.n ==> g.node[i].kind == \at(g.node[i].kind, Pre); */
    /*@ assert starts: \forall integer i; 0 <= i < g.n ==> g.node[i].in == \at(g.node[i].in, Pre); */
    /*@ assert counts: \forall integer i; 0 <= i < g.n ==> g.node[i].nin == \at(g.node[i].nin, Pre); */
    /*@ assert atts:   \forall integer i; 0 <= i < g.n ==> g.node[i].attr == \at(g.node[i].attr, Pre); */
    /*@ assert natts:  \forall integer i; 0 <= i < g.n ==> g.node[i].nattr == \at(g.node[i].nattr, Pre); */
    /*@ assert nodes:  same_nodes{Pre,Here}(g); */
    /*@ assert ins:    same_inputs{Pre,Here}(g); */
    /*@ assert graph:  same_graph{Pre,Here}(g); */
    /*@ assert ranges: ranges_ok(g); */
    /*@ assert map:    \forall integer i; 0 <= i < g.n ==> i != x ==> map[i] == \at(map[i], Pre); */
    /*@ assert numbers: kept_numbers{Pre,Here}(map, g.n); */
    /*@ assert orders: same_order{Pre,Here}(order, count); */
    /*@ assert old_order: order_in(map, order, g.n, count); */
    /*@ assert map_kinds: map_kinds(map, g.n); */
    /*@ assert all:    \forall integer i; 0 <= i < g.n ==> map[i] <= count; */
    /*@ assert order_in: order_in(map, order, g.n, count + 1); */
    /*@ assert map_in: map_in(map, order, g.n, count + 1); */
    /*@ assert mine:   \forall integer k; g.node[x].in <= k < g.node[x].in + g.node[x].nin ==> 0 <= g.in[k] ==>
                       0 <= map[g.in[k]] < count; */
    /*@ assert less:   inputs_less(g, map, x); */
    /*@ assert one:    one_number{Pre,Here}(map, g.n, x); */
    /*@ assert children: children(g, map); */
    /*@ assert dead:   same_dead{Pre,Here}(map, g.n); */
    /*@ assert live:   live(g, map); */
    /*@ assert once:   \forall integer k; 0 <= k < top - 1 ==> stack[k].node != x; */
    /*@ assert olds:   \forall integer k; 0 <= k < top - 1 ==> 0 <= stack[k].node < g.n && map[stack[k].node] == MARK_OPEN; */
    /*@ assert nexts:  \forall integer k; 0 <= k < top - 1 ==> 0 <= stack[k].next <= g.node[stack[k].node].nin; */
    /*@ assert path_nodes: path_nodes(g, map, stack, top - 1); */
    /*@ assert waited: \forall integer i; waits{Pre}(stack, 0, top, i) ==> i == x || waits(stack, 0, top - 1, i); */
    /*@ assert path_all: path_all(map, stack, g.n, top - 1); */
    /*@ assert path_once: path_once(stack, top - 1); */
    /*@ assert nodes_still: same_stack{Pre,Here}(stack, top); */
    /*@ assert next_still: same_next{Pre,Here}(stack, top - 1); */
    /*@ assert links:  path_links(g, stack, top); */
    /*@ assert path_links: path_links(g, stack, top - 1); */
    /*@ assert below:  \forall integer k; 0 <= k < top - 1 ==> numbered_inputs{Pre}(g, map, stack[k].node, stack[k].next - 1); */
    /*@ assert still:  \forall integer k; 0 <= k < top - 1 ==> numbered_inputs(g, map, stack[k].node, stack[k].next - 1); */
    /*@ assert link:   1 < top ==> g.in[g.node[stack[top - 2].node].in + stack[top - 2].next - 1] == x; */
    /*@ assert path_last: 1 < top ==> numbered_inputs(g, map, stack[top - 2].node, stack[top - 2].next); */
    /*@ assert path_inputs: path_inputs(g, map, stack, top - 1); */
}

/* root, which is needed and was not met yet, is the path. */
/*@ requires valid:    valid_graph(g) && ranges_ok(g) && own_numbers(g, map, order, stack);
    requires state:    numbers(g, map, order, count) && live(g, map) && path(g, map, stack, 0);
    requires room:     number_room(g, map, count, 0);
    requires root:     0 <= root < g.n && map[root] == MARK_NEEDED;
    terminates \true;
    exits    never:    \false;
    assigns  map[0 .. g.n - 1], stack[0 .. g.n - 1];
    ensures  graph:    same_graph{Pre,Post}(g);
    ensures  numbers:  numbers(g, map, order, count);
    ensures  path:     path(g, map, stack, 1);
    ensures  live:     live(g, map);
    ensures  room:     number_room(g, map, count, 1) && todo(map, g.n) == \old(todo(map, g.n)) - 1;
    ensures  dead:     same_dead{Pre,Post}(map, g.n);
    ensures  kept:     kept_numbers{Pre,Post}(map, g.n);
    ensures  stack:    stack[0].node == root;
*/
static void start(struct graph_put g, int *map, const int *order, struct frame *stack, int count, int root)
{
    (void)g, (void)order, (void)count; /* only the contract speaks of these */
    set_open(map, stack, 0, root) /*@ ghost (g.n) */;
    /*@ assert kinds:  \forall integer i; 0 <= i < g.n ==> g.node[i].kind == \at(g.node[i].kind, Pre); */
    /*@ assert starts: \forall integer i; 0 <= i < g.n ==> g.node[i].in == \at(g.node[i].in, Pre); */
    /*@ assert counts: \forall integer i; 0 <= i < g.n ==> g.node[i].nin == \at(g.node[i].nin, Pre); */
    /*@ assert atts:   \forall integer i; 0 <= i < g.n ==> g.node[i].attr == \at(g.node[i].attr, Pre); */
    /*@ assert natts:  \forall integer i; 0 <= i < g.n ==> g.node[i].nattr == \at(g.node[i].nattr, Pre); */
    /*@ assert nodes:  same_nodes{Pre,Here}(g); */
    /*@ assert ins:    same_inputs{Pre,Here}(g); */
    /*@ assert graph:  same_graph{Pre,Here}(g); */
    /*@ assert ranges: ranges_ok(g); */
    /*@ assert map:    \forall integer i; 0 <= i < g.n ==> i != root ==> map[i] == \at(map[i], Pre); */
    /*@ assert order:  \forall integer l; 0 <= l < count ==> order[l] == \at(order[l], Pre); */
    /*@ assert order_in: order_in(map, order, g.n, count); */
    /*@ assert map_in: map_in(map, order, g.n, count); */
    /*@ assert numbers: same_numbers{Pre,Here}(map, g.n); */
    /*@ assert children: children(g, map); */
    /*@ assert dead:   same_dead{Pre,Here}(map, g.n); */
    /*@ assert live:   live(g, map); */
    /*@ assert node:   node_in(g, root); */
    /*@ assert path_nodes: path_nodes(g, map, stack, 1); */
    /*@ assert waited: waits(stack, 0, 1, root); */
    /*@ assert path_all: path_all(map, stack, g.n, 1); */
    /*@ assert path_inputs: path_inputs(g, map, stack, 1); */
}

/* Input k of the node on top, which is needed and was not met yet, comes on top. */
/*@ requires valid:    valid_graph(g) && ranges_ok(g) && own_numbers(g, map, order, stack);
    requires state:    numbers(g, map, order, count) && live(g, map) && path(g, map, stack, top) && 0 < top;
    requires room:     number_room(g, map, count, top);
    requires input:    0 <= k < g.node[stack[top - 1].node].nin && 0 <= x < g.n &&
                       x == g.in[g.node[stack[top - 1].node].in + k] && map[x] == MARK_NEEDED;
    requires done:     numbered_inputs(g, map, stack[top - 1].node, k);
    terminates \true;
    exits    never:    \false;
    assigns  map[0 .. g.n - 1], stack[0 .. g.n - 1];
    ensures  graph:    same_graph{Pre,Post}(g);
    ensures  numbers:  numbers(g, map, order, count);
    ensures  path:     path(g, map, stack, top + 1);
    ensures  live:     live(g, map);
    ensures  room:     number_room(g, map, count, top + 1) && todo(map, g.n) == \old(todo(map, g.n)) - 1;
    ensures  dead:     same_dead{Pre,Post}(map, g.n);
    ensures  kept:     kept_numbers{Pre,Post}(map, g.n);
    ensures  stack:    same_stack{Pre,Post}(stack, top) && stack[top].node == x;
*/
static void enter(struct graph_put g, int *map, const int *order, struct frame *stack, int count, int top, int k, int x)
{
    (void)g, (void)order, (void)count; /* only the contract speaks of these */
    /*@ ghost int y = stack[top - 1].node; */
    /*@ assert node:   0 <= y < g.n && map[y] == MARK_OPEN && node_in(g, y); */
    /*@ ghost int at = g.node[y].in + k; */
    /*@ assert here:   0 <= at < g.nin && g.in[at] == x; */
    /*@ assert were:   \forall integer l; 0 <= l < top ==> 0 <= stack[l].node < g.n && map[stack[l].node] == MARK_OPEN; */
    set_next(map, stack, top, k + 1, x) /*@ ghost (g.n) */;
    /*@ assert kinds:  \forall integer i; 0 <= i < g.n ==> g.node[i].kind == \at(g.node[i].kind, Pre); */
    /*@ assert starts: \forall integer i; 0 <= i < g.n ==> g.node[i].in == \at(g.node[i].in, Pre); */
    /*@ assert counts: \forall integer i; 0 <= i < g.n ==> g.node[i].nin == \at(g.node[i].nin, Pre); */
    /*@ assert atts:   \forall integer i; 0 <= i < g.n ==> g.node[i].attr == \at(g.node[i].attr, Pre); */
    /*@ assert natts:  \forall integer i; 0 <= i < g.n ==> g.node[i].nattr == \at(g.node[i].nattr, Pre); */
    /*@ assert nodes:  same_nodes{Pre,Here}(g); */
    /*@ assert ins:    same_inputs{Pre,Here}(g); */
    /*@ assert graph:  same_graph{Pre,Here}(g); */
    /*@ assert ranges: ranges_ok(g); */
    /*@ assert map:    \forall integer i; 0 <= i < g.n ==> i != x ==> map[i] == \at(map[i], Pre); */
    /*@ assert under:  \forall integer l; 0 <= l < top - 1 ==> stack[l].node == \at(stack[l].node, Pre); */
    /*@ assert stack:  \forall integer l; 0 <= l < top ==> stack[l].node == \at(stack[l].node, Pre); */
    /*@ assert next:   \forall integer l; 0 <= l < top - 1 ==> stack[l].next == \at(stack[l].next, Pre); */
    /*@ assert last:   stack[top - 1].next == k + 1; */
    /*@ assert order:  \forall integer l; 0 <= l < count ==> order[l] == \at(order[l], Pre); */
    /*@ assert kept:   kept_numbers{Pre,Here}(map, g.n); */
    /*@ assert orders: same_order{Pre,Here}(order, count); */
    /*@ assert map_kinds: map_kinds(map, g.n); */
    /*@ assert order_in: order_in(map, order, g.n, count); */
    /*@ assert map_in: map_in(map, order, g.n, count); */
    /*@ assert numbers: same_numbers{Pre,Here}(map, g.n); */
    /*@ assert children: children(g, map); */
    /*@ assert dead:   same_dead{Pre,Here}(map, g.n); */
    /*@ assert live:   live(g, map); */
    /*@ assert once:   \forall integer l; 0 <= l < top ==> stack[l].node != x; */
    /*@ assert node_x: node_in(g, x); */
    /*@ assert within: \forall integer l; 0 <= l < top ==> 0 <= stack[l].node < g.n; */
    /*@ assert opened: \forall integer l; 0 <= l < top ==> map[stack[l].node] == MARK_OPEN; */
    /*@ assert olds:   \forall integer l; 0 <= l < top ==> 0 <= stack[l].node < g.n && map[stack[l].node] == MARK_OPEN; */
    /*@ assert nexts:  \forall integer l; 0 <= l < top - 1 ==> 0 <= stack[l].next <= g.node[stack[l].node].nin; */
    /*@ assert next_y: 0 <= stack[top - 1].next <= g.node[stack[top - 1].node].nin; */
    /*@ assert all_next: \forall integer l; 0 <= l < top ==> 0 <= stack[l].next <= g.node[stack[l].node].nin; */
    /*@ assert old_nodes: path_nodes(g, map, stack, top); */
    /*@ assert new:    stack[top].node == x && stack[top].next == 0 && map[x] == MARK_OPEN && 0 <= g.node[x].nin; */
    /*@ assert path_nodes: path_nodes(g, map, stack, top + 1); */
    /*@ assert waited: \forall integer i; waits{Pre}(stack, 0, top, i) ==> waits(stack, 0, top + 1, i); */
    /*@ assert path_all: path_all(map, stack, g.n, top + 1); */
    /*@ assert old_once: path_once(stack, top); */
    /*@ assert path_once: path_once(stack, top + 1); */
    /*@ assert nodes_still: same_stack{Pre,Here}(stack, top); */
    /*@ assert next_still: same_next{Pre,Here}(stack, top - 1); */
    /*@ assert old_links: path_links(g, stack, top); */
    /*@ assert place:  stack[top - 1].node == y && g.node[y].in + k == at; */
    /*@ assert at:     g.in[at] == x; */
    /*@ assert input:  g.in[g.node[y].in + k] == x; */
    /*@ assert new_link: g.in[g.node[stack[top - 1].node].in + stack[top - 1].next - 1] == stack[top].node; */
    /*@ assert path_links: path_links(g, stack, top + 1); */
    /*@ assert below_old: \forall integer l; 0 <= l < top - 1 ==>
                       numbered_inputs{Pre}(g, map, \at(stack[l].node, Pre), \at(stack[l].next, Pre) - 1); */
    /*@ assert below:  \forall integer l; 0 <= l < top - 1 ==> numbered_inputs(g, map, stack[l].node, stack[l].next - 1); */
    /*@ assert done:   numbered_inputs(g, map, stack[top - 1].node, stack[top - 1].next - 1); */
    /*@ assert first:  numbered_inputs(g, map, stack[top].node, stack[top].next); */
    /*@ assert path_inputs: path_inputs(g, map, stack, top + 1); */
}

/* The needed nodes below root get numbers, and root. */
/*@ requires valid:    valid_graph(g) && ranges_ok(g) && own_numbers(g, map, order, stack);
    requires state:    numbers(g, map, order, count) && live(g, map) && path(g, map, stack, 0);
    requires room:     number_room(g, map, count, 0);
    requires root:     0 <= root < g.n && map[root] == MARK_NEEDED;
    terminates \true;
    exits    never:    \false;
    assigns  map[0 .. g.n - 1], order[0 .. g.n - 1], stack[0 .. g.n - 1];
    ensures  graph:    same_graph{Pre,Post}(g);
    ensures  cycle:    \result.cycle >= 0 ==> \exists integer k, l; cycle(g, stack, k, l) && \result.cycle == stack[k].node;
    ensures  none:     -1 <= \result.cycle;
    ensures  numbers:  \result.cycle < 0 ==> numbers(g, map, order, \result.n) && live(g, map) && path(g, map, stack, 0);
    ensures  room:     \result.cycle < 0 ==> number_room(g, map, \result.n, 0);
    ensures  root:     \result.cycle < 0 ==> 0 <= map[root];
    ensures  dead:     same_dead{Pre,Post}(map, g.n);
    ensures  kept:     kept_numbers{Pre,Post}(map, g.n);
*/
static struct graph_numbers visit(struct graph_put g, int *map, int *order, struct frame *stack, int count, int root)
{
    int top = 1, n = count; /*@ ghost int left; */

    start(g, map, order, stack, count, root);
    /*@ ghost left = rest(map, g.n); */
    /*@ loop invariant graph:   same_graph{Pre,Here}(g);
        loop invariant numbers: numbers(g, map, order, n);
        loop invariant live:    live(g, map);
        loop invariant path:    path(g, map, stack, top);
        loop invariant room:    number_room(g, map, n, top);
        loop invariant left:    left == todo(map, g.n);
        loop invariant root:    (0 < top && stack[0].node == root) || 0 <= map[root];
        loop invariant dead:    same_dead{Pre,Here}(map, g.n);
        loop invariant kept:    kept_numbers{Pre,Here}(map, g.n);
        loop assigns top, n, left, map[0 .. g.n - 1], order[0 .. g.n - 1], stack[0 .. g.n - 1];
        loop variant left + (left + top);
    */
    while (top > 0) {
        int j = stack[top - 1].node, first = g.node[j].in, nin = g.node[j].nin, k, x;

        /*@ assert ranges: ranges_ok(g); */
        /*@ assert node:   0 <= j < g.n && map[j] == MARK_OPEN && node_in(g, j); */
        /*@ assert range:  0 <= first && 0 <= nin && first + nin <= g.nin; */
        /*@ assert next:   0 <= stack[top - 1].next <= nin; */
        /*@ ghost Top: ; */
        /*@ assert given:  \forall integer i; first <= i < first + nin ==> -1 <= g.in[i] < g.n; */
        /*@ assert so_far: numbered_inputs(g, map, j, stack[top - 1].next); */
        /*@ assert only:   top == 1 ==> j == root || 0 <= map[root]; */
        k = next_input(g.in, first, nin, stack[top - 1].next, map) /*@ ghost (g.n) */;
        /*@ assert done:   numbered_inputs(g, map, j, k); */
        if (k == nin) {
            finish(g, map, order, stack, n, top);
            /*@ assert mine: 0 <= map[j]; */
            /*@ assert root: (1 < top && stack[0].node == root) || 0 <= map[root]; */
            /*@ assert dead: same_dead{Top,Here}(map, g.n) && same_dead{Pre,Here}(map, g.n); */
            /*@ assert kept: kept_numbers{Top,Here}(map, g.n) && kept_numbers{Pre,Here}(map, g.n); */
            n++;
            top--;
            /*@ assert state: numbers(g, map, order, n) && live(g, map) && path(g, map, stack, top); */
            continue;
        }
        x = g.in[first + k];
        /*@ assert among:  is_in(g.in, first, nin, x); */
        if (map[x] == MARK_OPEN) {
            /*@ assert met: waits(stack, 0, top, x); */
            /*@ assert last: is_in(g.in, g.node[stack[top - 1].node].in, g.node[stack[top - 1].node].nin, x); */
            /*@ assert full: top <= g.n; */
            /*@ assert cycle: \forall integer a; 0 <= a < top ==> stack[a].node == x ==> cycle(g, stack, a, top); */
            return (struct graph_numbers){ n, x };
        }
        /*@ assert mine:   is_in(g.in, g.node[j].in, g.node[j].nin, x) && map[j] != MARK_DEAD && 0 <= x; */
        /*@ assert alive:  map[x] != MARK_DEAD; */
        /*@ assert kind:   MARK_OPEN <= map[x] < 0; */
        /*@ assert needed: map[x] == MARK_NEEDED; */
        enter(g, map, order, stack, n, top, k, x);
        /*@ assert dead: same_dead{Top,Here}(map, g.n) && same_dead{Pre,Here}(map, g.n); */
        /*@ assert kept: kept_numbers{Top,Here}(map, g.n) && kept_numbers{Pre,Here}(map, g.n); */
        /*@ ghost left--; */
        top++;
        /*@ assert state: numbers(g, map, order, n) && live(g, map) && path(g, map, stack, top); */
    }
    return (struct graph_numbers){ n, -1 };
}

struct graph_numbers graph_number(struct graph_put g, int *map, int *order, struct frame *stack)
{
    struct graph_numbers r = { 0, -1 };

    /*@ ghost rest(map, g.n); */
    /*@ assert none: path(g, map, stack, 0) && numbers(g, map, order, 0); */
    /*@ loop invariant range:   0 <= i <= g.n && r.cycle == -1;
        loop invariant graph:   same_graph{Pre,Here}(g);
        loop invariant numbers: numbers(g, map, order, r.n) && live(g, map) && path(g, map, stack, 0);
        loop invariant room:    number_room(g, map, r.n, 0);
        loop invariant dead:    same_dead{Pre,Here}(map, g.n);
        loop invariant all:     \forall integer j; 0 <= j < i ==> \at(map[j], Pre) == MARK_NEEDED ==> 0 <= map[j];
        loop assigns i, r, map[0 .. g.n - 1], order[0 .. g.n - 1], stack[0 .. g.n - 1];
        loop variant g.n - i;
    */
    for (int i = 0; i < g.n; i++) {
        /*@ ghost Top: ; */
        /*@ assert ranges: ranges_ok(g); */
        if (map[i] == MARK_NEEDED) {
            r = visit(g, map, order, stack, r.n, i);
            if (r.cycle >= 0)
                return r;
        }
        /*@ assert kept: kept_numbers{Top,Here}(map, g.n); */
    }
    return r;
}

/* The first input of node i that does not exist, or -1. */
/*@ requires valid:    valid_graph(g) && 0 <= i < g.n && node_placed(g, i);
    terminates \true;
    exits    never:    \false;
    assigns  \nothing;
    ensures  none:     -1 <= \result && (\result < 0 ==> inputs_exist(g, i, g.node[i].nin));
    ensures  bad:      0 <= \result ==> \result < g.node[i].nin && !(-1 <= g.in[g.node[i].in + \result] < g.n) &&
                       inputs_exist(g, i, \result);
*/
static int bad_input(struct graph_put g, int i)
{
    int first = g.node[i].in, nin = g.node[i].nin;

    /*@ loop invariant range: 0 <= k <= nin;
        loop invariant good:  \forall integer j; first <= j < first + k ==> -1 <= g.in[j] < g.n;
        loop assigns k;
        loop variant nin - k;
    */
    for (int k = 0; k < nin; k++)
        if (g.in[first + k] < -1 || g.in[first + k] >= g.n)
            return k;
    return -1;
}

struct graph_bad graph_find_bad(struct graph_put g, const struct graph_output *out, int nout)
{
    /*@ loop invariant range: 0 <= i <= g.n;
        loop invariant good:  ids_exist(g, i);
        loop assigns i;
        loop variant g.n - i;
    */
    for (int i = 0; i < g.n; i++) {
        /*@ assert node: node_placed(g, i); */
        int k = bad_input(g, i);

        if (k >= 0)
            return (struct graph_bad){ i, k };
    }
    /*@ assert nodes:  \forall integer i; 0 <= i < g.n ==> node_placed(g, i) && inputs_exist(g, i, g.node[i].nin) && node_in(g, i); */
    /*@ assert ranges: ranges_ok(g); */
    /*@ loop invariant range: 0 <= k <= nout;
        loop invariant good:  outputs_exist(g, out, k);
        loop assigns k;
        loop variant nout - k;
    */
    for (int k = 0; k < nout; k++)
        if (out[k].node < 0 || out[k].node >= g.n)
            return (struct graph_bad){ -1, k };
    return (struct graph_bad){ -1, -1 };
}

/* Number k of the map becomes v; the nodes are apart from it. */
/*@ requires valid:    0 <= k < count && \valid(map + (0 .. count - 1)) && 0 <= n && \valid_read(node + (0 .. n - 1));
    requires apart:    n > 0 ==> \base_addr(map) != \base_addr(node);
    terminates \true;
    exits    never:    \false;
    assigns  map[k];
    ensures  set:      map[k] == v;
    ensures  rest:     \forall integer j; 0 <= j < count ==> j != k ==> map[j] == \old(map[j]);
    ensures  nodes:    \forall integer i; 0 <= i < n ==> node[i] == \old(node[i]);
*/
static void write_number(int *map, int k, int v) /*@ ghost (int count, const struct node *node, int n) */
{
    map[k] = v;
}

/* Which tensors (or bytes) n nodes use: 0, and -1 for the others. */
/*@ requires valid:    0 <= n && 0 <= count && \valid_read(node + (0 .. n - 1)) && \valid(map + (0 .. count - 1));
    requires apart:    n > 0 && count > 0 ==> \base_addr(map) != \base_addr(node);
    requires data:     \forall integer i; 0 <= i < n ==> has_data(node, i, tensor) ==> node[i].data < count;
    terminates \true;
    exits    never:    \false;
    assigns  map[0 .. count - 1];
    ensures  used:     \forall integer k; 0 <= k < count ==> -1 <= map[k] <= 0 && (0 <= map[k] <==> used_data{Pre}(node, n, tensor, k));
    ensures  nodes:    \forall integer i; 0 <= i < n ==> node[i] == \old(node[i]);
*/
static void mark_data(const struct node *node, int n, bool tensor, int *map, int count)
{
    /*@ loop invariant range: 0 <= k <= count;
        loop invariant none:  \forall integer j; 0 <= j < k ==> map[j] == -1;
        loop invariant nodes: \forall integer i; 0 <= i < n ==> node[i] == \at(node[i], Pre);
        loop assigns k, map[0 .. count - 1];
        loop variant count - k;
    */
    for (int k = 0; k < count; k++)
        write_number(map, k, -1) /*@ ghost (count, node, n) */;
    /*@ loop invariant range: 0 <= i <= n;
        loop invariant marks: \forall integer k; 0 <= k < count ==> -1 <= map[k] <= 0;
        loop invariant used:  \forall integer k; 0 <= k < count ==> 0 <= map[k] ==> used_data{Pre}(node, i, tensor, k);
        loop invariant all:   \forall integer j; 0 <= j < i ==> has_data{Pre}(node, j, tensor) ==> 0 <= map[\at(node[j].data, Pre)];
        loop invariant nodes: \forall integer j; 0 <= j < n ==> node[j] == \at(node[j], Pre);
        loop assigns i, map[0 .. count - 1];
        loop variant n - i;
    */
    for (int i = 0; i < n; i++) {
        int k = node[i].data;

        /*@ assert more: \forall integer l; used_data{Pre}(node, i, tensor, l) ==> used_data{Pre}(node, i + 1, tensor, l); */
        if (k >= 0 && (node[i].kind == NODE_CONST) == tensor) {
            /*@ assert uses: uses_data{Pre}(node, i, tensor, k) && used_data{Pre}(node, i + 1, tensor, k); */
            write_number(map, k, 0) /*@ ghost (count, node, n) */;
        }
    }
}

/* What is marked gets the numbers from 0 on, in its order. How many. */
/*@ requires valid:    0 <= n && \valid(map + (0 .. n - 1));
    requires marks:    \forall integer k; 0 <= k < n ==> -1 <= map[k];
    terminates \true;
    exits    never:    \false;
    assigns  map[0 .. n - 1];
    ensures  count:    0 <= \result <= n;
    ensures  marked:   \forall integer k; 0 <= k < n ==> (0 <= map[k] <==> 0 <= \old(map[k]));
    ensures  below:    \forall integer k; 0 <= k < n ==> map[k] < \result;
    ensures  front:    to_front(map, n);
    ensures  onto:     \forall integer v; 0 <= v < \result ==> has_number(map, n, v);
*/
static int number_marked(int *map, int n)
{
    int next = 0;

    /*@ loop invariant range:  0 <= next <= k <= n;
        loop invariant later:  \forall integer j; k <= j < n ==> map[j] == \at(map[j], Pre);
        loop invariant marked: \forall integer j; 0 <= j < k ==> (0 <= map[j] <==> 0 <= \at(map[j], Pre));
        loop invariant below:  \forall integer j; 0 <= j < k ==> map[j] < next;
        loop invariant front:  to_front(map, k);
        loop invariant onto:   \forall integer v; 0 <= v < next ==> has_number(map, k, v);
        loop assigns k, next, map[0 .. n - 1];
        loop variant n - k;
    */
    for (int k = 0; k < n; k++) {
        /*@ ghost Before: ; */
        if (map[k] >= 0) {
            map[k] = next;
            next++;
        }
        /*@ assert same: \forall integer j; 0 <= j < k ==> map[j] == \at(map[j], Before); */
        /*@ assert had:  \forall integer v; 0 <= v < \at(next, Before) ==> has_number{Before}(map, k, v); */
        /*@ assert has:  \forall integer v; has_number{Before}(map, k, v) ==> has_number(map, k + 1, v); */
    }
    return next;
}

/* Node i has number k; the map is apart from the nodes. */
/*@ requires valid:    0 <= i < n && \valid(node + (0 .. n - 1)) && 0 <= count && \valid_read(map + (0 .. count - 1));
    requires apart:    count > 0 ==> \base_addr(map) != \base_addr(node);
    terminates \true;
    exits    never:    \false;
    assigns  node[i].data;
    ensures  set:      node[i].data == k;
    ensures  kinds:    \forall integer j; 0 <= j < n ==> node[j].kind == \old(node[j].kind);
    ensures  rest:     \forall integer j; 0 <= j < n ==> j != i ==> node[j].data == \old(node[j].data);
    ensures  fields:   \forall integer j; 0 <= j < n ==> node[j] == {\old(node[j]) \with .data = node[j].data};
    ensures  map:      \forall integer j; 0 <= j < count ==> map[j] == \old(map[j]);
*/
static void set_data(struct node *node, int i, int k) /*@ ghost (int n, const int *map, int count) */
{
    node[i].data = k;
}

/* The nodes get the new numbers of their tensors (or bytes). */
/*@ requires valid:    0 <= n && 0 <= count && \valid(node + (0 .. n - 1)) && \valid_read(map + (0 .. count - 1));
    requires apart:    n > 0 && count > 0 ==> \base_addr(map) != \base_addr(node);
    requires data:     \forall integer i; 0 <= i < n ==> has_data(node, i, tensor) ==> node[i].data < count;
    terminates \true;
    exits    never:    \false;
    assigns  node[0 .. n - 1].data;
    ensures  map:      \forall integer k; 0 <= k < count ==> map[k] == \old(map[k]);
    ensures  data:     \forall integer i; 0 <= i < n ==> has_data{Pre}(node, i, tensor) ==> node[i].data == \old(map[node[i].data]);
    ensures  others:   \forall integer i; 0 <= i < n ==> !has_data{Pre}(node, i, tensor) ==> node[i].data == \old(node[i].data);
    ensures  fields:   \forall integer i; 0 <= i < n ==> node[i] == {\old(node[i]) \with .data = node[i].data};
*/
static void number_data(struct node *node, int n, bool tensor, const int *map) /*@ ghost (int count) */
{
    /*@ loop invariant range:  0 <= i <= n;
        loop invariant map:    \forall integer k; 0 <= k < count ==> map[k] == \at(map[k], Pre);
        loop invariant kinds:  \forall integer j; 0 <= j < n ==> node[j].kind == \at(node[j].kind, Pre);
        loop invariant fields: \forall integer j; 0 <= j < n ==> node[j] == {\at(node[j], Pre) \with .data = node[j].data};
        loop invariant rest:   \forall integer j; i <= j < n ==> node[j].data == \at(node[j].data, Pre);
        loop invariant given:  \forall integer j; 0 <= j < i ==> has_data{Pre}(node, j, tensor) ==>
                               node[j].data == \at(map[node[j].data], Pre);
        loop invariant others: \forall integer j; 0 <= j < i ==> !has_data{Pre}(node, j, tensor) ==>
                               node[j].data == \at(node[j].data, Pre);
        loop assigns i, node[0 .. n - 1].data;
        loop variant n - i;
    */
    for (int i = 0; i < n; i++) {
        int k = node[i].data;
        /*@ ghost Before: ; */

        if (k < 0 || (node[i].kind == NODE_CONST) != tensor)
            continue;
        set_data(node, i, map[k]) /*@ ghost (n, map, count) */;
        /*@ assert fields: \forall integer j; 0 <= j < n ==> node[j] == {\at(node[j], Before) \with .data = node[j].data}; */
    }
}

#ifdef __FRAMAC__
#define MOVE_REQUIRES                                                                                                \
    requires valid:    0 <= n && \valid(a + (0 .. n - 1)) && \valid_read(map + (0 .. n - 1));                        \
    requires apart:    n > 0 ==> \base_addr(map) != \base_addr(a);                                                   \
    requires front:    to_front(map, n);
#define MOVED \forall integer k; 0 <= k < n ==> 0 <= map[k] ==> a[map[k]] == \old(a[k])
#define MOVE_LOOP                                                                                                    \
    loop invariant range: 0 <= k <= n;                                                                               \
    loop invariant map:   \forall integer j; 0 <= j < n ==> map[j] == \at(map[j], Pre);                              \
    loop invariant later: \forall integer j; k <= j < n ==> a[j] == \at(a[j], Pre);                                  \
    loop invariant moved: \forall integer j; 0 <= j < k ==> 0 <= map[j] ==> a[map[j]] == \at(a[j], Pre);             \
    loop assigns k, a[0 .. n - 1];                                                                                   \
    loop variant n - k;
#define MOVE_ONE                                                                                                     \
    requires valid:    0 <= k < n && 0 <= to < n && \valid(a + (0 .. n - 1)) && \valid_read(map + (0 .. n - 1));     \
    requires apart:    \base_addr(map) != \base_addr(a);
#define MOVED_ONE                                                                                                    \
    ensures  here:     a[to] == \old(a[k]);                                                                          \
    ensures  rest:     \forall integer j; 0 <= j < n ==> j != to ==> a[j] == \old(a[j]);                             \
    ensures  map:      \forall integer j; 0 <= j < n ==> map[j] == \old(map[j]);
#endif

/*@ MOVE_ONE
    terminates \true;
    exits    never:    \false;
    assigns  a[to];
    MOVED_ONE
*/
static void move_tensor(struct tensor *a, int k, int to) /*@ ghost (const int *map, int n) */
{
    a[to] = a[k];
}

/*@ MOVE_ONE
    terminates \true;
    exits    never:    \false;
    assigns  a[to];
    MOVED_ONE
*/
static void move_raw(struct raw *a, int k, int to) /*@ ghost (const int *map, int n) */
{
    a[to] = a[k];
}

/* Tensors with a number move to it, those without are freed. */
/*@ MOVE_REQUIRES
    terminates \true;
    exits    never:    \false;
    assigns  a[0 .. n - 1];
    ensures  map:      \forall integer k; 0 <= k < n ==> map[k] == \old(map[k]);
    ensures  moved:    MOVED;
*/
static void move_tensors(struct tensor *a, const int *map, int n)
{
    /*@ MOVE_LOOP
    */
    for (int k = 0; k < n; k++) {
        /*@ ghost Before: ; */
        if (map[k] < 0)
            graph_drop_tensor(&a[k]);
        else
            move_tensor(a, k, map[k]) /*@ ghost (map, n) */;
        /*@ assert rest:  \forall integer j; 0 <= j < n ==> j != k ==> j != map[k] ==> a[j] == \at(a[j], Before); */
        /*@ assert below: \forall integer j; 0 <= j < k ==> 0 <= map[j] ==> map[j] < k && map[j] != map[k]; */
        /*@ assert moved: \forall integer j; 0 <= j < k ==> 0 <= map[j] ==> a[map[j]] == \at(a[map[j]], Before); */
        /*@ assert here:  0 <= map[k] ==> a[map[k]] == \at(a[\at(k, Here)], Pre); */
    }
}

/*@ MOVE_REQUIRES
    terminates \true;
    exits    never:    \false;
    assigns  a[0 .. n - 1];
    ensures  map:      \forall integer k; 0 <= k < n ==> map[k] == \old(map[k]);
    ensures  moved:    MOVED;
*/
static void move_raws(struct raw *a, const int *map, int n)
{
    /*@ MOVE_LOOP
    */
    for (int k = 0; k < n; k++) {
        /*@ ghost Before: ; */
        if (map[k] < 0)
            graph_drop_raw(&a[k]);
        else
            move_raw(a, k, map[k]) /*@ ghost (map, n) */;
        /*@ assert rest:  \forall integer j; 0 <= j < n ==> j != k ==> j != map[k] ==> a[j] == \at(a[j], Before); */
        /*@ assert below: \forall integer j; 0 <= j < k ==> 0 <= map[j] ==> map[j] < k && map[j] != map[k]; */
        /*@ assert moved: \forall integer j; 0 <= j < k ==> 0 <= map[j] ==> a[map[j]] == \at(a[map[j]], Before); */
        /*@ assert here:  0 <= map[k] ==> a[map[k]] == \at(a[\at(k, Here)], Pre); */
    }
}

/* The data of nodes get new numbers, before they move there: how many stay. */
/*@ requires valid:    0 <= n && 0 <= count && \valid(node + (0 .. n - 1)) && \valid(map + (0 .. count - 1));
    requires apart:    n > 0 && count > 0 ==> \base_addr(map) != \base_addr(node);
    requires data:     \forall integer i; 0 <= i < n ==> has_data(node, i, tensor) ==> node[i].data < count;
    terminates \true;
    exits    never:    \false;
    assigns  map[0 .. count - 1], node[0 .. n - 1].data;
    ensures  count:    0 <= \result <= count;
    ensures  below:    \forall integer k; 0 <= k < count ==> map[k] < \result;
    ensures  front:    to_front(map, count);
    ensures  data:     \forall integer i; 0 <= i < n ==> has_data{Pre}(node, i, tensor) ==>
                       0 <= node[i].data && node[i].data == map[\old(node[i].data)];
    ensures  others:   DATA_OTHERS(tensor);
    ensures  used:     DATA_USED(tensor);
    ensures  fields:   DATA_FIELDS;
*/
static int renumber_data(struct node *node, int n, bool tensor, int *map, int count)
{
    int kept;

    mark_data(node, n, tensor, map, count);
    /*@ assert mine:   \forall integer i; 0 <= i < n ==> has_data{Pre}(node, i, tensor) ==>
                       uses_data{Pre}(node, i, tensor, \at(node[i].data, Pre)) && 0 <= map[\at(node[i].data, Pre)]; */
    kept = number_marked(map, count);
    /*@ ghost Numbered: ; */
    /*@ assert nodes:  \forall integer i; 0 <= i < n ==> node[i] == \at(node[i], Pre); */
    /*@ assert has:    \forall integer v; 0 <= v < kept ==> has_number(map, count, v); */
    number_data(node, n, tensor, map) /*@ ghost (count) */;
    /*@ assert hasl:   \forall integer v; 0 <= v < kept ==> has_number(map, count, v); */
    /*@ assert kinds:  \forall integer i; 0 <= i < n ==> node[i].kind == \at(node[i].kind, Pre); */
    /*@ assert given:  \forall integer i; 0 <= i < n ==> has_data{Pre}(node, i, tensor) ==>
                       0 <= map[\at(node[i].data, Pre)] && node[i].data == map[\at(node[i].data, Pre)]; */
    /*@ assert user:   \forall integer i, k; 0 <= i < n ==> 0 <= k < count ==> uses_data{Pre}(node, i, tensor, k) ==>
                       uses_data(node, i, tensor, map[k]); */
    /*@ assert was:    \forall integer k; 0 <= k < count ==> 0 <= map[k] ==> used_data{Pre}(node, n, tensor, k); */
    /*@ assert users:  \forall integer k, v; 0 <= k < count ==> 0 <= map[k] ==> v == map[k] ==> used_data(node, n, tensor, v); */
    /*@ assert one:    \forall integer v; has_number(map, count, v) ==> 0 <= v ==> used_data(node, n, tensor, v); */
    return kept;
}

int graph_compact_tensors(struct node *node, int n, struct tensor *a, int *map, int count)
{
    int kept = renumber_data(node, n, true, map, count);

    /*@ ghost Numbered: ; */
    /*@ assert kinds:  \forall integer i; 0 <= i < n ==> node[i].kind == \at(node[i].kind, Pre); */
    /*@ assert old:    \forall integer k; 0 <= k < count ==> a[k] == \at(a[k], Pre); */
    /*@ assert given:  \forall integer i; 0 <= i < n ==> has_data{Pre}(node, i, 1) ==>
                       0 <= \at(node[i].data, Pre) < count && node[i].data == map[\at(node[i].data, Pre)]; */
    move_tensors(a, map, count);
    /*@ assert still:  \forall integer i; 0 <= i < n ==> node[i].data == \at(node[i].data, Numbered); */
    /*@ assert kind:   \forall integer i; 0 <= i < n ==> node[i].kind == \at(node[i].kind, Pre); */
    /*@ assert all:    \forall integer i; 0 <= i < n ==> node[i] == \at(node[i], Numbered); */
    /*@ assert uses:   \forall integer i, v; 0 <= i < n ==> uses_data{Numbered}(node, i, 1, v) ==> uses_data(node, i, 1, v); */
    /*@ assert used:   \forall integer v; used_data{Numbered}(node, n, 1, v) ==> used_data(node, n, 1, v); */
    return kept;
}

int graph_compact_raws(struct node *node, int n, struct raw *a, int *map, int count)
{
    int kept = renumber_data(node, n, false, map, count);

    /*@ ghost Numbered: ; */
    /*@ assert kinds:  \forall integer i; 0 <= i < n ==> node[i].kind == \at(node[i].kind, Pre); */
    /*@ assert old:    \forall integer k; 0 <= k < count ==> a[k] == \at(a[k], Pre); */
    /*@ assert given:  \forall integer i; 0 <= i < n ==> has_data{Pre}(node, i, 0) ==>
                       0 <= \at(node[i].data, Pre) < count && node[i].data == map[\at(node[i].data, Pre)]; */
    move_raws(a, map, count);
    /*@ assert still:  \forall integer i; 0 <= i < n ==> node[i].data == \at(node[i].data, Numbered); */
    /*@ assert kind:   \forall integer i; 0 <= i < n ==> node[i].kind == \at(node[i].kind, Pre); */
    /*@ assert all:    \forall integer i; 0 <= i < n ==> node[i] == \at(node[i], Numbered); */
    /*@ assert uses:   \forall integer i, v; 0 <= i < n ==> uses_data{Numbered}(node, i, 0, v) ==> uses_data(node, i, 0, v); */
    /*@ assert used:   \forall integer v; used_data{Numbered}(node, n, 0, v) ==> used_data(node, n, 0, v); */
    return kept;
}

/*@ ghost
  /@ requires valid:    valid_graph(g) && ranges_ok(g) && 0 <= n && \valid_read(order + (0 .. n - 1));
     requires order:    \forall integer k; 0 <= k < n ==> 0 <= order[k] < g.n;
     terminates \true;
     exits    never:    \false;
     assigns  \nothing;
     ensures  sums:     sums_ok(g, order, n);
  @/
  static void sums_of_order(struct graph_put g, int *order, int n)
  {
      int at = 0;
      /@ loop invariant range: 0 <= at <= n;
         loop invariant ins:   \forall integer i; 0 <= i <= at ==> 0 <= ins(g, order, i) <= ins(g, order, at);
         loop invariant atts:  \forall integer i; 0 <= i <= at ==> 0 <= atts(g, order, i) <= atts(g, order, at);
         loop invariant more:  \forall integer i, j; 0 <= i < j <= at ==> ins(g, order, i) + g.node[order[i]].nin <= ins(g, order, j);
         loop invariant morea: \forall integer i, j; 0 <= i < j <= at ==> atts(g, order, i) + g.node[order[i]].nattr <= atts(g, order, j);
         loop assigns at;
         loop variant n - at;
      @/
      while (at < n) {
          /@ assert node: node_in(g, order[at]); @/
          at++;
      }
  }
*/

/* One node; the others, and what is read, are apart from it. */
/*@ requires valid:    0 <= i < n && \valid(node + (0 .. n - 1)) && 0 <= m && \valid_read(from + (0 .. m - 1)) &&
                       \valid_read(order + (0 .. n - 1));
    requires apart:    \base_addr(node) != \base_addr(from) && \base_addr(node) != \base_addr(order);
    terminates \true;
    exits    never:    \false;
    assigns  node[i];
    ensures  put:      node[i] == {x \with .in = in, .attr = attr};
    ensures  below:    \forall integer k; 0 <= k < i ==> node[k] == \old(node[k]);
    ensures  from:     \forall integer k; 0 <= k < m ==> from[k] == \old(from[k]);
    ensures  order:    \forall integer k; 0 <= k < n ==> order[k] == \old(order[k]);
*/
static void put(struct node *node, int i, struct node x, int in, int attr) /*@ ghost (int n, const struct node *from, int m, const int *order) */
{
    x.in = in;
    x.attr = attr;
    node[i] = x;
}

/* The nodes, not their inputs and attributes. */
/*@ requires valid:    valid_graph(g) && 0 <= n && sums_ok(g, order, n) && \valid_read(order + (0 .. n - 1));
    requires order:    \forall integer k; 0 <= k < n ==> 0 <= order[k] < g.n;
    requires room:     ins(g, order, n) <= INT32_MAX && atts(g, order, n) <= INT32_MAX;
    requires to:       \valid(h.node + (0 .. n - 1));
    requires apart:    own_nodes(h.node, g, order);
    terminates \true;
    exits    never:    \false;
    assigns  h.node[0 .. n - 1];
    ensures  counts:   \result == {h \with .n = n, .nin = (int)ins{Pre}(g, order, n), .nattr = (int)atts{Pre}(g, order, n)};
    ensures  nodes:    \forall integer i; 0 <= i < n ==> emitted{Pre,Post}(g, order, h, i);
*/
static struct graph_put emit_nodes(struct graph_put g, const int *order, int n, struct graph_put h)
{
    struct graph_put r = h;
    int nin = 0, nattr = 0;

    /*@ loop invariant range:  0 <= i <= n && nin == ins{Pre}(g, order, i) && nattr == atts{Pre}(g, order, i);
        loop invariant order:  \forall integer k; 0 <= k < n ==> order[k] == \at(order[k], Pre);
        loop invariant same:   \forall integer k; 0 <= k < g.n ==> g.node[k] == \at(g.node[k], Pre);
        loop invariant nodes:  \forall integer k; 0 <= k < i ==> emitted{Pre,Here}(g, order, h, k);
        loop assigns i, nin, nattr, h.node[0 .. n - 1];
        loop variant n - i;
    */
    for (int i = 0; i < n; i++) {
        struct node x = g.node[order[i]];
        /*@ ghost Before: ; */
        int more = x.nin, moreattr = x.nattr;

        /*@ assert x:    x == \at(g.node[order[\at(i, Here)]], Pre); */
        /*@ assert more: more == \at(g.node[order[\at(i, Here)]].nin, Pre) && moreattr == \at(g.node[order[\at(i, Here)]].nattr, Pre); */
        /*@ assert next: ins{Pre}(g, order, i + 1) == nin + more && atts{Pre}(g, order, i + 1) == nattr + moreattr; */
        /*@ assert conv: (int)ins{Pre}(g, order, i) == nin && (int)atts{Pre}(g, order, i) == nattr; */
        put(h.node, i, x, nin, nattr) /*@ ghost (n, g.node, g.n, order) */;
        /*@ assert olds: \forall integer k; 0 <= k < i ==> h.node[k] == \at(h.node[k], Before); */
        /*@ assert oldn: \forall integer k; 0 <= k < i ==> emitted{Pre,Here}(g, order, h, k); */
        /*@ assert set:  h.node[i] == {x \with .in = nin, .attr = nattr}; */
        /*@ assert sets: h.node[i] == {\at(g.node[order[\at(i, Here)]], Pre) \with .in = nin, .attr = nattr}; */
        /*@ assert mine: emitted{Pre,Here}(g, order, h, i); */
        /*@ assert same: \forall integer k; 0 <= k < g.n ==> g.node[k] == \at(g.node[k], Pre); */
        nin += more;
        nattr += moreattr;
    }
    r.n = n;
    r.nin = nin;
    r.nattr = nattr;
    return r;
}

void graph_renumber(const int *in, int nin, const int *map, int n, int *out, int id)
{
    (void)n;
    (void)id;
    /*@ loop invariant range:   0 <= k <= nin;
        loop invariant renamed: \forall integer j; 0 <= j < k ==> out[j] == (in[j] < 0 ? -1 : map[in[j]]);
        loop invariant same:    \forall integer j; 0 <= j < nin ==> in[j] == \at(in[j], Pre);
        loop invariant map:     \forall integer j; 0 <= j < n ==> map[j] == \at(map[j], Pre);
        loop assigns k, out[0 .. nin - 1];
        loop variant nin - k;
    */
    for (int k = 0; k < nin; k++)
        out[k] = in[k] < 0 ? -1 : map[in[k]];
}

/* Those of one node, from place `first` to place `to`; what stands before that place stays. */
/*@ requires valid:    0 <= nin && 0 <= n && 0 <= first && first + nin <= INT32_MAX && 0 <= to && to + nin <= INT32_MAX &&
                       \valid_read(in + (first .. first + nin - 1)) && \valid_read(map + (0 .. n - 1)) &&
                       \valid(out + (0 .. to + nin - 1));
    requires apart:    \base_addr(out) != \base_addr(in) && \base_addr(out) != \base_addr(map);
    requires inputs:   \forall integer k; first <= k < first + nin ==> -1 <= in[k] < n;
    requires order:    0 <= id && \forall integer k; first <= k < first + nin ==> 0 <= in[k] ==> 0 <= map[in[k]] < id;
    terminates \true;
    exits    never:    \false;
    assigns  out[to .. to + nin - 1];
    ensures  renamed:  \forall integer k; 0 <= k < nin ==> out[to + k] == renamed{Pre}(map, \old(in[first + k]));
    ensures  children: \forall integer k; 0 <= k < nin ==> -1 <= out[to + k] < id;
    ensures  below:    \forall integer k; 0 <= k < to ==> out[k] == \old(out[k]);
*/
static void rename(const int *in, int first, int nin, const int *map, int n, int *out, int to, int id)
{
    /*@ assert ids:   \forall integer k; 0 <= k < nin ==> -1 <= (in + first)[k] < n; */
    /*@ assert order: \forall integer k; 0 <= k < nin ==> 0 <= (in + first)[k] ==> 0 <= map[(in + first)[k]] < id; */
    graph_renumber(in + first, nin, map, n, out + to, id);
    /*@ assert in:    \forall integer k; first <= k < first + nin ==> in[k] == \at(in[k], Pre); */
    /*@ assert map:   \forall integer k; 0 <= k < n ==> map[k] == \at(map[k], Pre); */
    /*@ assert each:  \forall integer k; 0 <= k < nin ==> (out + to)[k] == (in[first + k] < 0 ? -1 : map[in[first + k]]); */
    /*@ assert child: \forall integer k; 0 <= k < nin ==> -1 <= (out + to)[k] < id; */
}

/* The inputs of all nodes, renamed. */
/*@ requires valid:    valid_graph(g) && ranges_ok(g) && numbers(g, map, order, n) && n <= g.n && sums_ok(g, order, n);
    requires read:     \valid_read(map + (0 .. g.n - 1)) && \valid_read(order + (0 .. n - 1));
    requires room:     ins(g, order, n) <= cap <= INT32_MAX && \valid(in + (0 .. cap - 1));
    requires apart:    own_ids(in, g, order) && \base_addr(in) != \base_addr(map);
    terminates \true;
    exits    never:    \false;
    assigns  in[0 .. cap - 1];
    ensures  inputs:   \forall integer i; 0 <= i < n ==> renamed_inputs{Pre,Post}(g, map, order, in, i);
*/
static void emit_inputs(struct graph_put g, const int *map, const int *order, int n, int *in) /*@ ghost (int cap) */
{
    int to = 0;

    /*@ loop invariant range:  0 <= i <= n && to == ins{Pre}(g, order, i);
        loop invariant order:  \forall integer k; 0 <= k < n ==> order[k] == \at(order[k], Pre);
        loop invariant map:    \forall integer k; 0 <= k < g.n ==> map[k] == \at(map[k], Pre);
        loop invariant starts: \forall integer k; 0 <= k < g.n ==> g.node[k].in == \at(g.node[k].in, Pre);
        loop invariant counts: \forall integer k; 0 <= k < g.n ==> g.node[k].nin == \at(g.node[k].nin, Pre);
        loop invariant ins:    same_inputs{Pre,Here}(g);
        loop invariant done:   \forall integer k; 0 <= k < i ==> renamed_inputs{Pre,Here}(g, map, order, in, k);
        loop assigns i, to, in[0 .. cap - 1];
        loop variant n - i;
    */
    for (int i = 0; i < n; i++) {
        int x = order[i], first = g.node[x].in, nin = g.node[x].nin;
        /*@ ghost Before: ; */

        /*@ assert x:      x == \at(order[\at(i, Here)], Pre) && 0 <= x < g.n && \at(map[\at(x, Here)], Pre) == i; */
        /*@ assert node:   node_in{Pre}(g, x); */
        /*@ assert range:  first == \at(g.node[\at(x, Here)].in, Pre) && nin == \at(g.node[\at(x, Here)].nin, Pre) &&
                           0 <= first && 0 <= nin && first + nin <= g.nin; */
        /*@ assert fits:   to + nin <= cap; */
        /*@ assert ids:    \forall integer k; first <= k < first + nin ==> -1 <= g.in[k] < g.n; */
        /*@ assert less:   \forall integer k; first <= k < first + nin ==> 0 <= g.in[k] ==> 0 <= map[g.in[k]] < i; */
        /*@ assert low:    \forall integer k; 0 <= k < i ==> ins{Pre}(g, order, k) + \at(g.node[order[k]].nin, Pre) <= to; */
        if (nin > 0)
            rename(g.in, first, nin, map, g.n, in, to, i);
        /*@ assert orders: \forall integer k; 0 <= k < n ==> order[k] == \at(order[k], Before); */
        /*@ assert below:  same_ids{Before,Here}(in, to); */
        /*@ assert new:    \forall integer k; 0 <= k < nin ==> in[to + k] == renamed{Pre}(map, \at(g.in[\at(first, Here) + k], Pre)); */
        /*@ assert at_x:   to == ins{Pre}(g, order, i) && first == \at(g.node[order[\at(i, Here)]].in, Pre) &&
                           nin == \at(g.node[order[\at(i, Here)]].nin, Pre); */
        /*@ assert each:   \forall integer k; 0 <= k < \at(g.node[order[\at(i, Here)]].nin, Pre) ==>
                           in[ins{Pre}(g, order, i) + k] ==
                           renamed{Pre}(map, \at(g.in[g.node[order[\at(i, Here)]].in + \at(k, Here)], Pre)); */
        /*@ assert mine:   renamed_inputs{Pre,Here}(g, map, order, in, i); */
        /*@ assert olds:   \forall integer k; 0 <= k < i ==> renamed_inputs{Pre,Before}(g, map, order, in, k) &&
                           renamed_inputs{Pre,Here}(g, map, order, in, k); */
        to += nin;
    }
}

/* The n attributes from place `first` are copied to place `to`; what stands before that place stays. */
/*@ requires valid:    0 <= n && 0 <= first && first + n <= INT32_MAX && 0 <= to && to + n <= INT32_MAX &&
                       \valid_read(from + (first .. first + n - 1)) && \valid(out + (0 .. to + n - 1));
    requires apart:    \base_addr(from) != \base_addr(out);
    terminates \true;
    exits    never:    \false;
    assigns  out[to .. to + n - 1];
    ensures  copied:   \forall integer k; 0 <= k < n ==> out[to + k] == \old(from[first + k]);
    ensures  below:    \forall integer k; 0 <= k < to ==> out[k] == \old(out[k]);
*/
static void copy_attrs(const struct node_attr *from, int first, int n, struct node_attr *out, int to)
{
    /*@ loop invariant range:  0 <= k <= n;
        loop invariant from:   \forall integer j; first <= j < first + n ==> from[j] == \at(from[j], Pre);
        loop invariant below:  \forall integer j; 0 <= j < to ==> out[j] == \at(out[j], Pre);
        loop invariant copied: \forall integer j; 0 <= j < k ==> out[to + j] == \at(from[first + j], Pre);
        loop assigns k, out[to .. to + n - 1];
        loop variant n - k;
    */
    for (int k = 0; k < n; k++) {
        out[to + k] = from[first + k];
        /*@ assert label: out[to + k].label == \at(from[first + \at(k, Here)].label, Pre); */
        /*@ assert value: out[to + k].value == \at(from[first + \at(k, Here)].value, Pre); */
        /*@ assert olds: \forall integer j; 0 <= j < k ==> out[to + j] == \at(from[first + j], Pre); */
    }
}

/* The attributes of all nodes. */
/*@ requires valid:    valid_graph(g) && ranges_ok(g) && 0 <= n && sums_ok(g, order, n) && \valid_read(order + (0 .. n - 1));
    requires order:    \forall integer k; 0 <= k < n ==> 0 <= order[k] < g.n;
    requires room:     atts(g, order, n) <= cap <= INT32_MAX && \valid(attr + (0 .. cap - 1));
    requires apart:    own_attrs(attr, g, order);
    terminates \true;
    exits    never:    \false;
    assigns  attr[0 .. cap - 1];
    ensures  attrs:    \forall integer i; 0 <= i < n ==> same_attrs{Pre,Post}(g, order, attr, i);
*/
static void emit_attrs(struct graph_put g, const int *order, int n, struct node_attr *attr) /*@ ghost (int cap) */
{
    int to = 0;

    /*@ loop invariant range:  0 <= i <= n && to == atts{Pre}(g, order, i);
        loop invariant order:  \forall integer k; 0 <= k < n ==> order[k] == \at(order[k], Pre);
        loop invariant starts: \forall integer k; 0 <= k < g.n ==> g.node[k].attr == \at(g.node[k].attr, Pre);
        loop invariant counts: \forall integer k; 0 <= k < g.n ==> g.node[k].nattr == \at(g.node[k].nattr, Pre);
        loop invariant attrs:  \forall integer k; 0 <= k < g.nattr ==> g.attr[k] == \at(g.attr[k], Pre);
        loop invariant done:   \forall integer k; 0 <= k < i ==> same_attrs{Pre,Here}(g, order, attr, k);
        loop assigns i, to, attr[0 .. cap - 1];
        loop variant n - i;
    */
    for (int i = 0; i < n; i++) {
        int x = order[i], first = g.node[x].attr, nattr = g.node[x].nattr;
        /*@ ghost Before: ; */

        /*@ assert x:      x == \at(order[\at(i, Here)], Pre) && 0 <= x < g.n; */
        /*@ assert node:   node_in{Pre}(g, x); */
        /*@ assert range:  first == \at(g.node[\at(x, Here)].attr, Pre) && nattr == \at(g.node[\at(x, Here)].nattr, Pre) &&
                           0 <= first && 0 <= nattr && first + nattr <= g.nattr; */
        /*@ assert fits:   to + nattr <= cap; */
        if (nattr > 0)
            copy_attrs(g.attr, first, nattr, attr, to);
        /*@ assert low:    \forall integer k; 0 <= k < i ==> atts{Pre}(g, order, k) + \at(g.node[order[k]].nattr, Pre) <= to; */
        /*@ assert below:  same_attrs_below{Before,Here}(attr, to); */
        /*@ assert new:    \forall integer k; 0 <= k < nattr ==> attr[to + k] == \at(g.attr[\at(first, Here) + k], Pre); */
        /*@ assert mine:   same_attrs{Pre,Here}(g, order, attr, i); */
        /*@ assert olds:   \forall integer k; 0 <= k < i ==> same_attrs{Pre,Before}(g, order, attr, k) &&
                           same_attrs{Pre,Here}(g, order, attr, k); */
        to += nattr;
    }
}

/* The same; what is read is as it was. */
/*@ requires valid:    valid_graph(g) && ranges_ok(g) && 0 <= n && sums_ok(g, order, n) && \valid_read(order + (0 .. n - 1));
    requires order:    \forall integer k; 0 <= k < n ==> 0 <= order[k] < g.n;
    requires numbers:  numbers(g, map, order, n) && n <= g.n && \valid_read(map + (0 .. g.n - 1));
    requires room:     ins(g, order, n) <= cap <= INT32_MAX && \valid(in + (0 .. cap - 1));
    requires apart:    own_ids(in, g, order) && \base_addr(in) != \base_addr(map);
    terminates \true;
    exits    never:    \false;
    assigns  in[0 .. cap - 1];
    ensures  inputs:   \forall integer i; 0 <= i < n ==> renamed_inputs{Pre,Post}(g, map, order, in, i);
    ensures  attrs:    \forall integer k; g.attr[k] == \old(g.attr[k]);
    ensures  graph:    same_graph{Pre,Post}(g);
    ensures  nodes:    \forall integer k; 0 <= k < g.n ==> g.node[k] == \old(g.node[k]);
    ensures  still:    \forall integer k; 0 <= k < n ==> order[k] == \old(order[k]);
    ensures  ins:      \forall integer k; 0 <= k <= n ==> ins(g, order, k) == ins{Pre}(g, order, k);
    ensures  atts:     \forall integer k; 0 <= k <= n ==> atts(g, order, k) == atts{Pre}(g, order, k);
    ensures  sums:     sums_ok(g, order, n);
*/
static void put_inputs(struct graph_put g, const int *map, const int *order, int n, int *in) /*@ ghost (int cap) */
{
    /*@ ghost int at = 0; */

    emit_inputs(g, map, order, n, in) /*@ ghost (cap) */;
    /*@ assert nodes:  \forall integer k; 0 <= k < g.n ==> g.node[k] == \at(g.node[k], Pre); */
    /*@ assert starts: \forall integer k; 0 <= k < g.n ==> g.node[k].in == \at(g.node[k].in, Pre); */
    /*@ assert counts: \forall integer k; 0 <= k < g.n ==> g.node[k].nin == \at(g.node[k].nin, Pre); */
    /*@ assert atts:   \forall integer k; 0 <= k < g.n ==> g.node[k].attr == \at(g.node[k].attr, Pre); */
    /*@ assert natts:  \forall integer k; 0 <= k < g.n ==> g.node[k].nattr == \at(g.node[k].nattr, Pre); */
    /*@ assert kinds:  \forall integer k; 0 <= k < g.n ==> g.node[k].kind == \at(g.node[k].kind, Pre); */
    /*@ assert nodes5: same_nodes{Pre,Here}(g); */
    /*@ assert inputs: same_inputs{Pre,Here}(g); */
    /*@ assert still:  \forall integer k; 0 <= k < n ==> order[k] == \at(order[k], Pre); */
    /*@ ghost
        /@ loop invariant range: 0 <= at <= n;
           loop invariant ins:   \forall integer k; 0 <= k <= at ==> ins(g, order, k) == ins{Pre}(g, order, k);
           loop invariant atts:  \forall integer k; 0 <= k <= at ==> atts(g, order, k) == atts{Pre}(g, order, k);
           loop assigns at;
           loop variant n - at;
        @/
        while (at < n)
            at++;
    */
    /*@ assert same:   same_graph{Pre,Here}(g); */
    /*@ assert ranges: ranges_ok(g); */
    /*@ ghost sums_of_order(g, (int *)order, n); */
}

/* The same of attributes. */
/*@ requires valid:    valid_graph(g) && ranges_ok(g) && 0 <= n && sums_ok(g, order, n) && \valid_read(order + (0 .. n - 1));
    requires order:    \forall integer k; 0 <= k < n ==> 0 <= order[k] < g.n;
    requires room:     atts(g, order, n) <= cap <= INT32_MAX && \valid(attr + (0 .. cap - 1));
    requires apart:    own_attrs(attr, g, order);
    terminates \true;
    exits    never:    \false;
    assigns  attr[0 .. cap - 1];
    ensures  attrs:    \forall integer i; 0 <= i < n ==> same_attrs{Pre,Post}(g, order, attr, i);
    ensures  graph:    same_graph{Pre,Post}(g);
    ensures  nodes:    \forall integer k; 0 <= k < g.n ==> g.node[k] == \old(g.node[k]);
    ensures  still:    \forall integer k; 0 <= k < n ==> order[k] == \old(order[k]);
    ensures  ins:      \forall integer k; 0 <= k <= n ==> ins(g, order, k) == ins{Pre}(g, order, k);
    ensures  atts:     \forall integer k; 0 <= k <= n ==> atts(g, order, k) == atts{Pre}(g, order, k);
    ensures  sums:     sums_ok(g, order, n);
*/
static void put_attrs(struct graph_put g, const int *order, int n, struct node_attr *attr) /*@ ghost (int cap) */
{
    /*@ ghost int at = 0; */

    emit_attrs(g, order, n, attr) /*@ ghost (cap) */;
    /*@ assert nodes:  \forall integer k; 0 <= k < g.n ==> g.node[k] == \at(g.node[k], Pre); */
    /*@ assert starts: \forall integer k; 0 <= k < g.n ==> g.node[k].in == \at(g.node[k].in, Pre); */
    /*@ assert counts: \forall integer k; 0 <= k < g.n ==> g.node[k].nin == \at(g.node[k].nin, Pre); */
    /*@ assert atts:   \forall integer k; 0 <= k < g.n ==> g.node[k].attr == \at(g.node[k].attr, Pre); */
    /*@ assert natts:  \forall integer k; 0 <= k < g.n ==> g.node[k].nattr == \at(g.node[k].nattr, Pre); */
    /*@ assert kinds:  \forall integer k; 0 <= k < g.n ==> g.node[k].kind == \at(g.node[k].kind, Pre); */
    /*@ assert nodes5: same_nodes{Pre,Here}(g); */
    /*@ assert inputs: same_inputs{Pre,Here}(g); */
    /*@ assert still:  \forall integer k; 0 <= k < n ==> order[k] == \at(order[k], Pre); */
    /*@ ghost
        /@ loop invariant range: 0 <= at <= n;
           loop invariant ins:   \forall integer k; 0 <= k <= at ==> ins(g, order, k) == ins{Pre}(g, order, k);
           loop invariant atts:  \forall integer k; 0 <= k <= at ==> atts(g, order, k) == atts{Pre}(g, order, k);
           loop assigns at;
           loop variant n - at;
        @/
        while (at < n)
            at++;
    */
    /*@ assert same:   same_graph{Pre,Here}(g); */
    /*@ assert ranges: ranges_ok(g); */
    /*@ ghost sums_of_order(g, (int *)order, n); */
}

struct graph_put graph_emit(struct graph_put g, const int *map, const int *order, int n, struct graph_put h)
{
    struct graph_put r;

    /*@ ghost sums_of_order(g, (int *)order, n); */
    /*@ assert sums:     sums_ok{Pre}(g, order, n); */
    put_inputs(g, map, order, n, h.in) /*@ ghost (h.capin) */;
    /*@ ghost Inputs: ; */
    /*@ assert ranges:   ranges_ok(g); */
    put_attrs(g, order, n, h.attr) /*@ ghost (h.capattr) */;
    /*@ ghost Attrs: ; */
    /*@ assert inputs:   same_ids{Inputs,Here}(h.in, h.capin); */
    /*@ assert nodes_i:  \forall integer k; 0 <= k < g.n ==> \at(g.node[k], Inputs) == \at(g.node[k], Pre); */
    /*@ assert order_i:  \forall integer i; 0 <= i < n ==> 0 <= \at(order[i], Pre) < g.n &&
                         \at(order[i], Inputs) == \at(order[i], Pre); */
    /*@ assert starts_i: \forall integer i; 0 <= i < n ==>
                         \at(g.node[order[i]].attr, Inputs) == \at(g.node[order[i]].attr, Pre); */
    /*@ assert counts_i: \forall integer i; 0 <= i < n ==>
                         \at(g.node[order[i]].nattr, Inputs) == \at(g.node[order[i]].nattr, Pre); */
    /*@ assert attrs_i:  \forall integer k; \at(g.attr[k], Inputs) == \at(g.attr[k], Pre); */
    /*@ assert attrs_p:  \forall integer i; 0 <= i < n ==> same_attrs{Inputs,Here}(g, order, h.attr, i) &&
                         same_attrs{Pre,Here}(g, order, h.attr, i); */
    /*@ assert nodes_p:  \forall integer k; 0 <= k < g.n ==> g.node[k] == \at(g.node[k], Pre); */
    /*@ assert order_p:  \forall integer k; 0 <= k < n ==> order[k] == \at(order[k], Pre); */
    /*@ assert ins_p:    \forall integer k; 0 <= k <= n ==> ins(g, order, k) == ins{Pre}(g, order, k); */
    /*@ assert atts_p:   \forall integer k; 0 <= k <= n ==> atts(g, order, k) == atts{Pre}(g, order, k); */
    r = emit_nodes(g, order, n, h);
    /*@ assert inputs_n: same_ids{Inputs,Here}(h.in, h.capin); */
    /*@ assert attrs_n:  same_attrs_below{Attrs,Here}(h.attr, h.capattr); */
    /*@ assert fits_a:   \forall integer i; 0 <= i < n ==> 0 <= atts{Pre}(g, order, i) &&
                         atts{Pre}(g, order, i) + \at(g.node[order[i]].nattr, Pre) <= h.capattr; */
    /*@ assert attrs:    \forall integer i; 0 <= i < n ==> same_attrs{Pre,Attrs}(g, order, h.attr, i) &&
                         same_attrs{Pre,Here}(g, order, h.attr, i); */
    /*@ assert fits:     \forall integer i; 0 <= i < n ==> 0 <= ins{Pre}(g, order, i) &&
                         ins{Pre}(g, order, i) + \at(g.node[order[i]].nin, Pre) <= h.capin; */
    /*@ assert renamed:  \forall integer i; 0 <= i < n ==> renamed_inputs{Pre,Inputs}(g, map, order, h.in, i) &&
                         renamed_inputs{Pre,Here}(g, map, order, h.in, i); */
    /*@ assert nodes_a:  \forall integer i; 0 <= i < n ==> emitted{Attrs,Here}(g, order, h, i); */
    /*@ assert nodes:    \forall integer i; 0 <= i < n ==> emitted{Pre,Here}(g, order, h, i); */
    return r;
}

void graph_rename(int *id, int n, const int *map) /*@ ghost (int count) */
{
    /*@ loop invariant range:   0 <= k <= n;
        loop invariant map:     \forall integer j; 0 <= j < count ==> map[j] == \at(map[j], Pre);
        loop invariant rest:    \forall integer j; k <= j < n ==> id[j] == \at(id[j], Pre);
        loop invariant renamed: \forall integer j; 0 <= j < k ==> id[j] == map[\at(id[j], Pre)];
        loop assigns k, id[0 .. n - 1];
        loop variant n - k;
    */
    for (int k = 0; k < n; k++)
        id[k] = map[id[k]];
}

void graph_rename_outputs(struct graph_output *out, int n, const int *map) /*@ ghost (int count) */
{
    /*@ loop invariant range:   0 <= k <= n;
        loop invariant map:     \forall integer j; 0 <= j < count ==> map[j] == \at(map[j], Pre);
        loop invariant rest:    \forall integer j; k <= j < n ==> out[j].node == \at(out[j].node, Pre);
        loop invariant renamed: \forall integer j; 0 <= j < k ==> out[j].node == map[\at(out[j].node, Pre)];
        loop assigns k, out[0 .. n - 1].node;
        loop variant n - k;
    */
    for (int k = 0; k < n; k++)
        out[k].node = map[out[k].node];
}

struct graph_sums graph_sums(struct graph_put g)
{
    size_t in = 0, attr = 0;

    /*@ loop invariant range: 0 <= i <= g.n;
        loop invariant in:    0 <= in <= i * INT32_MAX && in == all_ins(g, i);
        loop invariant attr:  0 <= attr <= i * INT32_MAX && attr == all_atts(g, i);
        loop assigns i, in, attr;
        loop variant g.n - i;
    */
    for (int i = 0; i < g.n; i++) {
        /*@ assert node: node_in(g, i); */
        in += (size_t)g.node[i].nin;
        attr += (size_t)g.node[i].nattr;
    }
    if (in > GRAPH_ROOM_MAX || attr > GRAPH_ROOM_MAX)
        return (struct graph_sums){ false, 0, 0 };
    return (struct graph_sums){ true, (int)in, (int)attr };
}

/* The node with number c counts as one more. */
/*@ ghost
  /@ requires valid:    valid_graph(g) && ranges_ok(g) && numbers(g, map, order, n) && 0 <= c < n;
     requires read:     \valid_read(map + (0 .. g.n - 1)) && \valid_read(order + (0 .. n - 1));
     terminates \true;
     exits    never:    \false;
     assigns  \nothing;
     ensures  ins:      some_ins(g, map, c + 1, g.n) == some_ins(g, map, c, g.n) + g.node[order[c]].nin;
     ensures  atts:     some_atts(g, map, c + 1, g.n) == some_atts(g, map, c, g.n) + g.node[order[c]].nattr;
  @/
  static void one_more(struct graph_put g, int *map, int *order, int n, int c)
  {
      int at = 0, x = order[c], d = c + 1;
      /@ loop invariant range: 0 <= at <= g.n;
         loop invariant ins:   some_ins(g, map, d, at) == some_ins(g, map, c, at) + (x < at ? g.node[x].nin : 0);
         loop invariant atts:  some_atts(g, map, d, at) == some_atts(g, map, c, at) + (x < at ? g.node[x].nattr : 0);
         loop assigns at;
         loop variant g.n - at;
      @/
      while (at < g.n) {
          /@ assert mine: at == x <==> map[at] == c; @/
          /@ assert both: 0 <= map[at] < d <==> 0 <= map[at] < c || at == x; @/
          at++;
      }
  }
*/

/* What is counted is at most all. */
/*@ ghost
  /@ requires valid:    valid_graph(g) && ranges_ok(g) && \valid_read(map + (0 .. g.n - 1));
     terminates \true;
     exits    never:    \false;
     assigns  \nothing;
     ensures  ins:      0 <= some_ins(g, map, c, g.n) <= all_ins(g, g.n);
     ensures  atts:     0 <= some_atts(g, map, c, g.n) <= all_atts(g, g.n);
     ensures  none:     c == 0 ==> some_ins(g, map, c, g.n) == 0 && some_atts(g, map, c, g.n) == 0;
  @/
  static void at_most(struct graph_put g, int *map, int c)
  {
      int at = 0;
      /@ loop invariant range: 0 <= at <= g.n;
         loop invariant ins:   0 <= some_ins(g, map, c, at) <= all_ins(g, at);
         loop invariant atts:  0 <= some_atts(g, map, c, at) <= all_atts(g, at);
         loop invariant none:  c == 0 ==> some_ins(g, map, c, at) == 0 && some_atts(g, map, c, at) == 0;
         loop assigns at;
         loop variant g.n - at;
      @/
      while (at < g.n) {
          /@ assert node: node_in(g, at); @/
          at++;
      }
  }
*/

/*@ ghost
  void graph_sums_enough(struct graph_put g, int *map, int *order, int n)
  {
      int c = 0;
      at_most(g, map, 0);
      /@ loop invariant range: 0 <= c <= n;
         loop invariant ins:   ins(g, order, c) == some_ins(g, map, c, g.n);
         loop invariant atts:  atts(g, order, c) == some_atts(g, map, c, g.n);
         loop assigns c;
         loop variant n - c;
      @/
      while (c < n) {
          one_more(g, map, order, n, c);
          c++;
      }
      at_most(g, map, n);
  }
*/

struct graph_numbers graph_order(struct graph_put g, const struct graph_output *out, int nout, int *map, int *order,
                                 struct frame *stack)
{
    struct graph_numbers r;

    graph_mark(g, out, nout, map, stack);
    /*@ ghost Marked: ; */
    /*@ assert nodes:  same_nodes{Pre,Here}(g); */
    /*@ assert inputs: same_inputs{Pre,Here}(g); */
    /*@ assert same:   same_graph{Pre,Here}(g); */
    /*@ assert ranges: ranges_ok(g); */
    /*@ assert live:   live(g, map); */
    r = graph_number(g, map, order, stack);
    /*@ assert out:    \forall integer k; 0 <= k < nout ==> out[k].node == \at(out[k].node, Pre) && 0 <= out[k].node < g.n; */
    /*@ assert graph:  same_graph{Pre,Here}(g); */
    /*@ assert marked: \forall integer i; 0 <= i < g.n ==> 0 <= map[i] ==> \at(map[i], Marked) == MARK_NEEDED; */
    return r;
}

#ifdef __FRAMAC__
#define OFF(p, count) \base_addr(p) != \base_addr(node) &&                                                            \
    (count > 0 ==> \base_addr(p) != \base_addr(a) && \base_addr(p) != \base_addr(map))
#define KEEPS                                                                                                          \
    requires ids:      \valid_read(in + (0 .. nin - 1)) && OFF(in, count);                                             \
    requires attrs:    \valid_read(attr + (0 .. nattr - 1)) && OFF(attr, count);                                       \
    requires rest:     \valid_read(b + (0 .. m - 1)) && (m > 0 ==> OFF(b, count));
#endif

/* graph_compact_tensors: inputs, attributes and bytes are apart from what it writes. */
/*@ DATA_REQUIRES(1)
    KEEPS
    terminates \true;
    exits    never:    \false;
    assigns  map[0 .. count - 1], node[0 .. n - 1].data, a[0 .. count - 1];
    ensures  count:    0 <= \result <= count;
    ensures  data:     DATA_OF(1);
    ensures  others:   DATA_OTHERS(1);
    ensures  fields:   DATA_FIELDS;
    ensures  ids:      same_ids{Pre,Post}(in, nin);
    ensures  attrs:    same_attrs_below{Pre,Post}(attr, nattr);
    ensures  rest:     \forall integer k; 0 <= k < m ==> b[k] == \old(b[k]);
    ensures  ints:     \forall int *p; OFF(p, count) ==> *p == \old(*p);
*/
static int renew_tensors(struct node *node, int n, struct tensor *a, int *map, int count)
/*@ ghost (int *in, int nin, struct node_attr *attr, int nattr, struct raw *b, int m) */
{
    return graph_compact_tensors(node, n, a, map, count);
}

/* graph_compact_raws: inputs, attributes and tensors are apart from what it writes. */
/*@ DATA_REQUIRES(0)
    KEEPS
    terminates \true;
    exits    never:    \false;
    assigns  map[0 .. count - 1], node[0 .. n - 1].data, a[0 .. count - 1];
    ensures  count:    0 <= \result <= count;
    ensures  data:     DATA_OF(0);
    ensures  others:   DATA_OTHERS(0);
    ensures  fields:   DATA_FIELDS;
    ensures  ids:      same_ids{Pre,Post}(in, nin);
    ensures  attrs:    same_attrs_below{Pre,Post}(attr, nattr);
    ensures  rest:     \forall integer k; 0 <= k < m ==> b[k] == \old(b[k]);
    ensures  ints:     \forall int *p; OFF(p, count) ==> *p == \old(*p);
*/
static int renew_raws(struct node *node, int n, struct raw *a, int *map, int count)
/*@ ghost (int *in, int nin, struct node_attr *attr, int nattr, struct tensor *b, int m) */
{
    return graph_compact_raws(node, n, a, map, count);
}

/* Tensors, then bytes; what else there is stays. */
/*@ requires valid:    0 <= n && \valid(h.node + (0 .. n - 1)) && \valid(h.in + (0 .. h.capin - 1)) &&
                       \valid(h.attr + (0 .. h.capattr - 1)) && own_put(h);
    requires store:    valid_store(s) && own_store(s, h);
    requires data:     data_below(h.node, n, 1, s.ntensor) && data_below(h.node, n, 0, s.nraw);
    requires ends:     valid_ends(e) && own_ends(e, h, s);
    requires map:      0 <= m && \valid_read(map + (0 .. m - 1)) && off_put(\base_addr(map), h) && off_store(\base_addr(map), s);
    terminates \true;
    exits    never:    \false;
    assigns  h.node[0 .. n - 1].data, s.tensor_map[0 .. s.ntensor - 1], s.tensor[0 .. s.ntensor - 1],
             s.raw_map[0 .. s.nraw - 1], s.raw[0 .. s.nraw - 1];
    ensures  stay:     0 <= \result.ntensor <= s.ntensor && 0 <= \result.nraw <= s.nraw;
    ensures  fields:   but_data{Pre,Post}(h.node, n);
    ensures  tensors:  \forall integer i; 0 <= i < n ==> has_data{Pre}(h.node, i, 1) ==> 0 <= h.node[i].data < \result.ntensor &&
                       s.tensor[h.node[i].data] == \old(s.tensor[\old(h.node[i].data)]);
    ensures  raws:     \forall integer i; 0 <= i < n ==> has_data{Pre}(h.node, i, 0) ==> 0 <= h.node[i].data < \result.nraw &&
                       s.raw[h.node[i].data] == \old(s.raw[\old(h.node[i].data)]);
    ensures  none:     \forall integer i; 0 <= i < n ==> \old(h.node[i].data) < 0 ==> h.node[i].data == \old(h.node[i].data);
    ensures  ids:      same_ids{Pre,Post}(h.in, h.capin);
    ensures  attrs:    same_attrs_below{Pre,Post}(h.attr, h.capattr);
    ensures  input:    \forall integer k; 0 <= k < e.ninput ==> e.input[k] == \old(e.input[k]);
    ensures  output:   \forall integer k; 0 <= k < e.noutput ==> e.output[k].node == \old(e.output[k].node);
    ensures  map:      \forall integer k; 0 <= k < m ==> map[k] == \old(map[k]);
*/
static struct graph_renewed renew_data(struct graph_put h, int n, struct graph_store s)
/*@ ghost (struct graph_ends e, const int *map, int m) */
{
    struct graph_renewed r = { .to = h };

    r.ntensor = renew_tensors(h.node, n, s.tensor, s.tensor_map, s.ntensor)
    /*@ ghost (h.in, h.capin, h.attr, h.capattr, s.raw, s.nraw) */;
    /*@ ghost Tensors: ; */
    /*@ assert input_t:   \forall integer k; 0 <= k < e.ninput ==> e.input[k] == \at(e.input[k], Pre); */
    /*@ assert output_t:  \forall integer k; 0 <= k < e.noutput ==> e.output[k].node == \at(e.output[k].node, Pre); */
    /*@ assert map_t:     \forall integer k; 0 <= k < m ==> map[k] == \at(map[k], Pre); */
    /*@ assert kind_t:    \forall integer i; 0 <= i < n ==> h.node[i].kind == \at(h.node[i].kind, Pre); */
    /*@ assert has_t:     \forall integer i; 0 <= i < n ==> has_data(h.node, i, 0) ==> !has_data{Pre}(h.node, i, 1) &&
                          has_data{Pre}(h.node, i, 0) && h.node[i].data == \at(h.node[i].data, Pre); */
    /*@ assert below_t:   \forall integer i; 0 <= i < n ==> has_data(h.node, i, 0) ==> h.node[i].data < s.nraw; */
    /*@ assert not_t:     \forall integer i; 0 <= i < n ==> has_data{Pre}(h.node, i, 1) ==> !has_data(h.node, i, 0) &&
                          0 <= h.node[i].data < r.ntensor; */
    /*@ assert none_t:    \forall integer i; 0 <= i < n ==> \at(h.node[i].data, Pre) < 0 ==> !has_data(h.node, i, 0) &&
                          h.node[i].data == \at(h.node[i].data, Pre); */
    /*@ assert was_t:     \forall integer i; 0 <= i < n ==> has_data{Pre}(h.node, i, 0) ==> has_data(h.node, i, 0) &&
                          h.node[i].data == \at(h.node[i].data, Pre); */
    r.nraw = renew_raws(h.node, n, s.raw, s.raw_map, s.nraw)
    /*@ ghost (h.in, h.capin, h.attr, h.capattr, s.tensor, s.ntensor) */;
    /*@ assert input_r:   \forall integer k; 0 <= k < e.ninput ==> e.input[k] == \at(e.input[k], Tensors); */
    /*@ assert output_r:  \forall integer k; 0 <= k < e.noutput ==> e.output[k].node == \at(e.output[k].node, Tensors); */
    /*@ assert map_r:     \forall integer k; 0 <= k < m ==> map[k] == \at(map[k], Tensors); */
    /*@ assert data_r:    \forall integer i; 0 <= i < n ==> has_data{Pre}(h.node, i, 1) ==>
                          h.node[i].data == \at(h.node[i].data, Tensors); */
    /*@ assert tensor_r:  \forall integer k; 0 <= k < s.ntensor ==> s.tensor[k] == \at(s.tensor[k], Tensors); */
    return r;
}

/* The nodes, their inputs and attributes, with their tensors and bytes. */
/*@ RENEW_REQUIRES
    requires ends:     valid_ends(e);
    requires others:   own_ends(e, h, s) && off_put(\base_addr(map), h) && off_store(\base_addr(map), s);
    terminates \true;
    exits    never:    \false;
    assigns  h.node[0 .. n - 1], h.in[0 .. h.capin - 1], h.attr[0 .. h.capattr - 1],
             s.tensor_map[0 .. s.ntensor - 1], s.tensor[0 .. s.ntensor - 1], s.raw_map[0 .. s.nraw - 1], s.raw[0 .. s.nraw - 1];
    RENEW_ENSURES
    ensures  input:    \forall integer k; 0 <= k < e.ninput ==> e.input[k] == \old(e.input[k]);
    ensures  output:   \forall integer k; 0 <= k < e.noutput ==> e.output[k].node == \old(e.output[k].node);
    ensures  map:      \forall integer k; 0 <= k < g.n ==> map[k] == \old(map[k]);
*/
static struct graph_renewed renew_nodes(struct graph_put g, const int *map, const int *order, int n, struct graph_put h,
                                        struct graph_store s) /*@ ghost (struct graph_ends e) */
{
    struct graph_put to = graph_emit(g, map, order, n, h);
    struct graph_renewed r;

    /*@ ghost Emitted: ; */
    /*@ assert input_e:   \forall integer k; 0 <= k < e.ninput ==> e.input[k] == \at(e.input[k], Pre); */
    /*@ assert output_e:  \forall integer k; 0 <= k < e.noutput ==> e.output[k].node == \at(e.output[k].node, Pre); */
    /*@ assert map_e:     \forall integer k; 0 <= k < g.n ==> map[k] == \at(map[k], Pre); */
    /*@ assert tensor_e:  \forall integer k; 0 <= k < s.ntensor ==> s.tensor[k] == \at(s.tensor[k], Pre); */
    /*@ assert raw_e:     \forall integer k; 0 <= k < s.nraw ==> s.raw[k] == \at(s.raw[k], Pre); */
    /*@ assert order:     \forall integer i; 0 <= i < n ==> 0 <= \at(order[i], Pre) < g.n; */
    /*@ assert kind:      \forall integer i; 0 <= i < n ==> emitted{Pre,Here}(g, order, h, i) &&
                          h.node[i].kind == \at(g.node[order[i]].kind, Pre); */
    /*@ assert data:      \forall integer i; 0 <= i < n ==> emitted{Pre,Here}(g, order, h, i) &&
                          h.node[i].data == \at(g.node[order[i]].data, Pre); */
    /*@ assert has_1:     \forall integer i; 0 <= i < n ==>
                          (has_data(h.node, i, 1) <==> has_data{Pre}(g.node, \at(order[i], Pre), 1)); */
    /*@ assert has_0:     \forall integer i; 0 <= i < n ==>
                          (has_data(h.node, i, 0) <==> has_data{Pre}(g.node, \at(order[i], Pre), 0)); */
    /*@ assert below_1:   \forall integer i; 0 <= i < n ==> has_data(h.node, i, 1) ==> h.node[i].data < s.ntensor; */
    /*@ assert below_0:   \forall integer i; 0 <= i < n ==> has_data(h.node, i, 0) ==> h.node[i].data < s.nraw; */
    /*@ assert attrs_e:   all_attrs{Pre,Here}(g, order, h.attr, n); */
    r = renew_data(h, n, s) /*@ ghost (e, map, g.n) */;
    r.to = to;
    /*@ assert fields:    but_data{Emitted,Here}(h.node, n); */
    /*@ assert attrs:     all_attrs{Pre,Here}(g, order, h.attr, n); */
    /*@ assert nodes:     \forall integer i; 0 <= i < n ==> emitted{Pre,Emitted}(g, order, h, i) &&
                          data_moved{Emitted,Here}(h.node, i) && renewed{Pre,Here}(g, order, h, i); */
    /*@ assert fits:      \forall integer i; 0 <= i < n ==> 0 <= ins{Pre}(g, order, i) &&
                          ins{Pre}(g, order, i) + \at(g.node[order[i]].nin, Pre) <= h.capin; */
    /*@ assert inputs:    \forall integer i; 0 <= i < n ==> renamed_inputs{Pre,Emitted}(g, map, order, h.in, i) &&
                          renamed_inputs{Pre,Here}(g, map, order, h.in, i); */
    /*@ assert tensors:   \forall integer i; 0 <= i < n ==> has_data{Pre}(g.node, \at(order[i], Pre), 1) ==>
                          0 <= h.node[i].data < r.ntensor &&
                          s.tensor[h.node[i].data] == \at(s.tensor[\at(g.node[order[i]].data, Pre)], Pre); */
    /*@ assert raws:      \forall integer i; 0 <= i < n ==> has_data{Pre}(g.node, \at(order[i], Pre), 0) ==>
                          0 <= h.node[i].data < r.nraw &&
                          s.raw[h.node[i].data] == \at(s.raw[\at(g.node[order[i]].data, Pre)], Pre); */
    return r;
}

/* The ends get their new numbers; nothing else changes. */
/*@ requires ends:     valid_ends(e) && ends_in(e, n) && 0 <= n && \valid_read(map + (0 .. n - 1));
    requires apart:    own_ends(e, h, s) && off_ends(\base_addr(map), e);
    requires read:     0 <= m && \valid_read(h.node + (0 .. m - 1)) && \valid_read(s.tensor + (0 .. s.ntensor - 1));
    terminates \true;
    exits    never:    \false;
    assigns  e.input[0 .. e.ninput - 1], e.output[0 .. e.noutput - 1].node;
    ensures  input:    \forall integer k; 0 <= k < e.ninput ==> e.input[k] == \old(map[e.input[k]]);
    ensures  output:   \forall integer k; 0 <= k < e.noutput ==> e.output[k].node == \old(map[e.output[k].node]);
    ensures  nodes:    \forall integer k; 0 <= k < m ==> h.node[k] == \old(h.node[k]);
    ensures  ids:      same_ids{Pre,Post}(h.in, h.capin);
    ensures  attrs:    same_attrs_below{Pre,Post}(h.attr, h.capattr);
    ensures  tensors:  \forall integer k; 0 <= k < s.ntensor ==> s.tensor[k] == \old(s.tensor[k]);
*/
static void rename_ends(struct graph_ends e, const int *map)
/*@ ghost (int n, struct graph_put h, int m, struct graph_store s) */
{
    graph_rename(e.input, e.ninput, map) /*@ ghost (n) */;
    /*@ assert output: \forall integer k; 0 <= k < e.noutput ==> e.output[k].node == \at(e.output[k].node, Pre); */
    /*@ assert map:    \forall integer k; 0 <= k < n ==> map[k] == \at(map[k], Pre); */
    graph_rename_outputs(e.output, e.noutput, map) /*@ ghost (n) */;
}

struct graph_renewed graph_renew(struct graph_put g, const int *map, const int *order, int n, struct graph_put h,
                                 struct graph_store s, struct graph_ends e)
{
    struct graph_renewed r;

    /*@ assert less:      \forall integer i; 0 <= i < n ==> renamed_less(g, map, order, i); */
    r = renew_nodes(g, map, order, n, h, s) /*@ ghost (e) */;
    /*@ ghost Nodes: ; */
    /*@ assert fits:      \forall integer i; 0 <= i < n ==> 0 <= ins{Pre}(g, order, i) &&
                          ins{Pre}(g, order, i) + \at(g.node[order[i]].nin, Pre) <= h.capin; */
    /*@ assert attrs_n:   all_attrs{Pre,Here}(g, order, h.attr, n); */
    rename_ends(e, map) /*@ ghost (g.n, h, n, s) */;
    /*@ assert nodes:     \forall integer i; 0 <= i < n ==> renewed{Pre,Nodes}(g, order, h, i) && renewed{Pre,Here}(g, order, h, i); */
    /*@ assert inputs:    \forall integer i; 0 <= i < n ==> renamed_inputs{Pre,Nodes}(g, map, order, h.in, i) &&
                          renamed_inputs{Pre,Here}(g, map, order, h.in, i); */
    /*@ assert attrs:     all_attrs{Pre,Here}(g, order, h.attr, n); */
    /*@ assert data:      \forall integer i; 0 <= i < n ==> h.node[i].data == \at(h.node[i].data, Nodes); */
    return r;
}

/* Compaction: what compact.c, compact.c, compact.c and compact.c do, one after the other. */
/*@ requires graph:    held_arrays(g) && placed(put_of(g));
    terminates \true;
    exits    never:    \false;
    assigns  \nothing;
    ensures  exist:    \result.k < 0 <==> all_exist(g);
    ensures  ranges:   \result.k < 0 ==> ranges_ok(put_of(g));
    ensures  input:    0 <= \result.k ==> 0 <= \result.node ==> \result.node < g->node.n &&
                       \result.k < g->node.a[\result.node].nin;
    ensures  bad:      0 <= \result.k ==> 0 <= \result.node ==>
                       !(-1 <= g->in.a[g->node.a[\result.node].in + \result.k] < g->node.n);
    ensures  output:   0 <= \result.k ==> \result.node < 0 ==> \result.k < g->output.n &&
                       !(0 <= g->output.a[\result.k].node < g->node.n);
*/
static struct graph_bad check_ids(const struct graph *g)
{
    return graph_find_bad(graph_view(g), g->output.a, g->output.n);
}

/* The message; the graph stays. */
/*@ requires graph:    held_arrays(g) && placed(put_of(g)) && held_names(g) && held_diag(d, g);
    requires id:       0 <= bad.k && (0 <= bad.node ==> bad.node < g->node.n && bad.k < g->node.a[bad.node].nin);
    terminates \true;
    exits    never:    \false;
    assigns  *d;
    UNCHANGED
    ensures  status:   \result == CALQUE_INTERNAL;
*/
static enum calque_status refuse(const struct graph *g, struct graph_bad bad, struct diag *d)
{
    enum calque_status st;

    /*@ assert apart: 0 < g->node.n ==> \base_addr(d) != \base_addr(g->node.a); */
    st = compact_no_node(g, bad, d);
    /*@ assert same:  fields_stay{Pre,Here}(g); */
    /*@ assert ints:  \forall int *p; \base_addr(p) != \base_addr(d) ==> *p == \at(*p, Pre); */
    return st;
}

/* graph_order; a node of a cycle needs itself; there is room for the inputs and attributes of what is kept. */
/*@ requires graph:    valid_graph(v) && ranges_ok(v) && leaves(v) && own_numbers(v, c.map, c.order, c.stack);
    requires outs:     0 <= nout && \valid_read(out + (0 .. nout - 1)) && outputs_exist(v, out, nout);
    requires apart:    \base_addr(c.map) != \base_addr(out) && \base_addr(c.order) != \base_addr(out) &&
                       \base_addr(c.stack) != \base_addr(out);
    terminates \true;
    exits    never:    \false;
    assigns  c.map[0 .. v.n - 1], c.order[0 .. v.n - 1], c.stack[0 .. v.n - 1];
    ensures  graph:    same_graph{Pre,Post}(v);
    ensures  none:     -1 <= \result.cycle < v.n;
    ensures  cycle:    \result.cycle >= 0 ==> depends{Pre}(v, \result.cycle, \result.cycle);
    ensures  numbers:  \result.cycle < 0 ==> numbers(v, c.map, c.order, \result.n) && \result.n <= v.n;
    ensures  leaves:   \result.cycle < 0 ==> \forall integer i; 0 <= i < v.n ==> v.node[i].kind == NODE_INPUT ==> 0 <= c.map[i];
    ensures  outs:     \result.cycle < 0 ==> \forall integer k; 0 <= k < nout ==> 0 <= c.map[out[k].node];
    ensures  needed:   \forall integer i; 0 <= i < v.n ==> 0 <= c.map[i] ==>
                       \old(v.node[i].kind) == NODE_INPUT || needed{Pre}(v, out, nout, i);
    ensures  enough:   \result.cycle < 0 ==> ins(v, c.order, \result.n) <= all_ins{Pre}(v, v.n) &&
                       atts(v, c.order, \result.n) <= all_atts{Pre}(v, v.n);
    ensures  ints:     \forall int *p; \base_addr(p) != \base_addr(c.map) ==> \base_addr(p) != \base_addr(c.order) ==>
                       \base_addr(p) != \base_addr(c.stack) ==> *p == \old(*p);
*/
static struct graph_numbers order(struct graph_put v, const struct graph_output *out, int nout, struct compactor c)
{
    struct graph_numbers r = graph_order(v, out, nout, c.map, c.order, c.stack);

    /*@ ghost int at = 0, k = 0, x = 0, y = 0; */
    /*@ assert ranges: ranges_ok(v); */
    /*@ ghost
        /@ loop invariant range: 0 <= at <= v.n;
           loop invariant ins:   all_ins(v, at) == all_ins{Pre}(v, at);
           loop invariant atts:  all_atts(v, at) == all_atts{Pre}(v, at);
           loop assigns at;
           loop variant v.n - at;
        @/
        while (at < v.n)
            at++;
        if (r.cycle < 0)
            graph_sums_enough(v, c.map, c.order, r.n);
        /@ loop invariant range: 0 <= k <= v.n;
           loop invariant some:  \forall integer a, b; 0 <= a < k ==> cycle(v, c.stack, a, b) ==>
                                 depends{Pre}(v, c.stack[a].node, c.stack[a].node);
           loop assigns k, at, x, y;
           loop variant v.n - k;
        @/
        while (k < v.n) {
            at = k + 1;
            /@ loop invariant range: k < at <= v.n;
               loop invariant uses:  \forall integer b; k + 1 < b <= at ==> chain(v, c.stack, k, b) ==>
                                     depends{Pre}(v, c.stack[k].node, c.stack[b - 1].node);
               loop assigns at, x, y;
               loop variant v.n - at;
            @/
            while (at < v.n) {
                x = at + 1;
                y = at - 1;
                /@ assert shorter: chain(v, c.stack, k, x) ==> chain(v, c.stack, k, at); @/
                /@ assert link:    chain(v, c.stack, k, x) ==> 0 <= c.stack[y].node < v.n &&
                                   uses_node(v, c.stack[y].node, c.stack[at].node); @/
                /@ assert before:  chain(v, c.stack, k, x) ==> uses_node{Pre}(v, c.stack[y].node, c.stack[at].node); @/
                /@ assert next:    chain(v, c.stack, k, x) ==> depends{Pre}(v, c.stack[k].node, c.stack[at].node); @/
                at++;
            }
            /@ assert whole:   \forall integer b; cycle(v, c.stack, k, b) ==> chain(v, c.stack, k, b) && 0 <= c.stack[b - 1].node < v.n &&
                               uses_node(v, c.stack[b - 1].node, c.stack[k].node); @/
            /@ assert before:  \forall integer b; cycle(v, c.stack, k, b) ==> uses_node{Pre}(v, c.stack[b - 1].node, c.stack[k].node); @/
            /@ assert alone:   \forall integer b; cycle(v, c.stack, k, b) ==> b == k + 1 ==>
                               depends{Pre}(v, c.stack[k].node, c.stack[k].node); @/
            /@ assert others:  \forall integer b; cycle(v, c.stack, k, b) ==> k + 1 < b ==>
                               depends{Pre}(v, c.stack[k].node, c.stack[b - 1].node) &&
                               depends{Pre}(v, c.stack[k].node, c.stack[k].node); @/
            /@ assert itself:  \forall integer b; cycle(v, c.stack, k, b) ==> depends{Pre}(v, c.stack[k].node, c.stack[k].node); @/
            k++;
        }
    */
    return r;
}

#ifdef __FRAMAC__
#define APART(p) (\base_addr(p) != \base_addr(c.map) && \base_addr(p) != \base_addr(c.order) && \
                  \base_addr(p) != \base_addr(c.stack))
#endif

/* On the arrays of g, which stay. */
/*@ requires graph:    held_arrays(g) && ranges_ok(put_of(g)) && leaves(put_of(g)) && held_names(g);
    requires outs:     outputs_exist(put_of(g), g->output.a, g->output.n);
    requires room:     held_compactor(c, g);
    requires sums:     c.to.capin == all_ins(put_of(g), g->node.n) && c.to.capattr == all_atts(put_of(g), g->node.n);
    terminates \true;
    exits    never:    \false;
    assigns  c.map[0 .. g->node.n - 1], c.order[0 .. g->node.n - 1], c.stack[0 .. g->node.n - 1];
    UNCHANGED
    ensures  held:     held_arrays(g);
    ensures  names:    held_names(g);
    ensures  ranges:   ranges_ok(put_of(g));
    ensures  none:     -1 <= \result.cycle < g->node.n;
    ensures  cycle:    \result.cycle >= 0 ==> depends{Pre}(\old(put_of(g)), \result.cycle, \result.cycle);
    ensures  numbers:  \result.cycle < 0 ==> numbers(put_of(g), c.map, c.order, \result.n) && \result.n <= g->node.n;
    ensures  leaves:   \result.cycle < 0 ==> inputs_kept{Pre,Post}(g, c.map);
    ensures  outs:     \result.cycle < 0 ==> outputs_kept{Pre,Post}(g, c.map);
    ensures  used:     \result.cycle < 0 ==> used_kept{Pre,Post}(\old(put_of(g)), c.map);
    ensures  needed:   \result.cycle < 0 ==> only_needed{Pre,Post}(g, c.map);
    ensures  enough:   \result.cycle < 0 ==> ins(put_of(g), c.order, \result.n) <= c.to.capin &&
                       atts(put_of(g), c.order, \result.n) <= c.to.capattr;
*/
static struct graph_numbers number(const struct graph *g, struct compactor c)
{
    struct graph_put v = graph_view(g);
    struct graph_numbers r;

    /*@ assert off_g:    APART(g); */ /*@ assert off_node: APART(g->node.a); */ /*@ assert off_in: APART(g->in.a); */
    /*@ assert off_attr: APART(g->attr.a); */ /*@ assert off_t: APART(g->tensor.a); */ /*@ assert off_i: APART(g->input.a); */
    /*@ assert off_o:    APART(g->output.a); */ /*@ assert off_strs: APART(g->strs) && APART(g->strs->entry.a); */
    r = order(v, g->output.a, g->output.n, c);
    /*@ assert view:     put_of(g) == \at(put_of(g), Pre); */
    /*@ assert lists:    g->input == \at(g->input, Pre) && g->output == \at(g->output, Pre) && g->tensor == \at(g->tensor, Pre); */
    /*@ assert fields:   same_fields{Pre,Here}(g); */
    /*@ assert node:     nodes_stay{Pre,Here}(g); */
    /*@ assert table:    g->strs == \at(g->strs, Pre) && table_of(g->strs) == \at(table_of(g->strs), Pre); */
    /*@ assert entries:  same_entries{Pre,Here}(table_of(g->strs)); */
    /*@ assert bytes:    same_bytes{Pre,Here}(g->strs->text.a, g->strs->text.n); */
    /*@ assert texts:    texts_ok(table_of(g->strs)); */
    /*@ assert valid:    \valid_read(g->strs) && valid_strs(table_of(g->strs)); */
    /*@ assert stay:     fields_stay{Pre,Here}(g); */
    /*@ assert lists_v:  valid_arrays(g); */ /*@ assert own: own_arrays(g); */ /*@ assert own_n: own_nodes_of(g); */
    return r;
}

/* The message of a cycle; the graph stays. */
/*@ requires graph:    held_arrays(g) && ranges_ok(put_of(g)) && held_names(g);
    requires node:     0 <= node < g->node.n;
    requires diag:     held_diag(d, g);
    terminates \true;
    exits    never:    \false;
    assigns  *d;
    UNCHANGED
    ensures  held:     held_arrays(g);
*/
static void cyclic(const struct graph *g, int node, struct diag *d)
{
    compact_cyclic(g, node, d);
    /*@ assert fields: same_fields{Pre,Here}(g); */
}

/* Visiting in id order keeps the order of a graph that is already sorted. How many nodes stay; -1: there is a cycle. */
/*@ requires graph:    held_arrays(g) && ranges_ok(put_of(g)) && leaves(put_of(g)) && held_names(g);
    requires outs:     outputs_exist(put_of(g), g->output.a, g->output.n);
    requires room:     held_compactor(c, g);
    requires sums:     c.to.capin == all_ins(put_of(g), g->node.n) && c.to.capattr == all_atts(put_of(g), g->node.n);
    requires diag:     held_diag(d, g);
    terminates \true;
    exits    never:    \false;
    assigns  c.map[0 .. g->node.n - 1], c.order[0 .. g->node.n - 1], c.stack[0 .. g->node.n - 1], *d;
    UNCHANGED
    ensures  held:     held_arrays(g);
    ensures  range:    -1 <= \result <= g->node.n;
    ensures  cycle:    \result < 0 ==> cyclic{Pre}(\old(put_of(g)));
    ensures  ranges:   0 <= \result ==> ranges_ok(put_of(g));
    ensures  numbers:  0 <= \result ==> numbers(put_of(g), c.map, c.order, \result);
    ensures  kept:     0 <= \result ==> kept_are{Pre,Post}(g, c.map);
    ensures  enough:   0 <= \result ==> ins(put_of(g), c.order, \result) <= c.to.capin &&
                       atts(put_of(g), c.order, \result) <= c.to.capattr;
*/
static int sort(const struct graph *g, struct compactor c, struct diag *d)
{
    struct graph_numbers r = number(g, c);

    if (r.cycle < 0)
        return r.n;
    cyclic(g, r.cycle, d);
    return -1;
}

#ifdef __FRAMAC__
#define WRITTEN_REQUIRES                                                                                               \
    requires ends:     valid_ends(e) && ends_in(e, g.n);                                                               \
    requires others:   own_ends(e, h, s) && off_all(\base_addr(map), h, s, e);                                          \
    requires outside:  \valid(o) && off_all(\base_addr(o), h, s, e);
#define WRITTEN                                                                                                        \
    assigns  h.node[0 .. n - 1], h.in[0 .. h.capin - 1], h.attr[0 .. h.capattr - 1],                                   \
             s.tensor_map[0 .. s.ntensor - 1], s.tensor[0 .. s.ntensor - 1], s.raw_map[0 .. s.nraw - 1],               \
             s.raw[0 .. s.nraw - 1], e.input[0 .. e.ninput - 1], e.output[0 .. e.noutput - 1];                         \
    ensures  graph:    *o == \old(*o);                                                                                 \
    ensures  map:      same_map{Pre,Post}(map, g.n);                                                                   \
    ensures  names:    same_names{Pre,Post}(e.output, e.noutput);
#endif

/* graph_renew; the map stays, and the graph o, which stands apart from all that is written. */
/*@ RENEW_REQUIRES
    WRITTEN_REQUIRES
    terminates \true;
    exits    never:    \false;
    WRITTEN
    RENEW_ENSURES
    ensures  input:    \forall integer k; 0 <= k < e.ninput ==> e.input[k] == \old(map[e.input[k]]);
    ensures  output:   \forall integer k; 0 <= k < e.noutput ==> e.output[k].node == \old(map[e.output[k].node]);
    ensures  order:    \forall integer i; 0 <= i < n ==> renamed_less{Pre}(g, map, order, i);
*/
static struct graph_renewed renew_apart(struct graph_put g, const int *map, const int *order, int n, struct graph_put h,
                                        struct graph_store s, struct graph_ends e) /*@ ghost (const struct graph *o) */
{
    struct graph_renewed r = graph_renew(g, map, order, n, h, s, e);

    /*@ assert nodes:  \forall int *p; off_all(\base_addr(p), h, s, e) ==> \forall integer k; p != &e.output[k].node; */
    /*@ assert bases:  \forall int *p; off_all(\base_addr(p), h, s, e) ==> \separated(p, h.node + (0 .. n - 1)) &&
                       \separated(p, h.in + (0 .. h.capin - 1)) && \separated(p, h.attr + (0 .. h.capattr - 1)) &&
                       \separated(p, s.tensor + (0 .. s.ntensor - 1)) && \separated(p, s.raw + (0 .. s.nraw - 1)) &&
                       \separated(p, s.tensor_map + (0 .. s.ntensor - 1)) && \separated(p, s.raw_map + (0 .. s.nraw - 1)) &&
                       \separated(p, e.input + (0 .. e.ninput - 1)); */
    /*@ assert ints:   \forall int *p; off_all(\base_addr(p), h, s, e) ==> *p == \at(*p, Pre); */
    /*@ assert ptrs:   \forall char **p; off_all(\base_addr(p), h, s, e) ==> *p == \at(*p, Pre); */
    /*@ assert sizes:  \forall unsigned long *p; off_all(\base_addr(p), h, s, e) ==> *p == \at(*p, Pre); */
    /*@ assert other:  \forall integer k, i; &e.output[k].name != &e.output[i].node; */
    /*@ assert names:  \forall int *p; \separated(p, h.node + (0 .. n - 1)) ==>
                       \separated(p, h.in + (0 .. h.capin - 1)) ==> \separated(p, h.attr + (0 .. h.capattr - 1)) ==>
                       \separated(p, s.tensor + (0 .. s.ntensor - 1)) ==> \separated(p, s.raw + (0 .. s.nraw - 1)) ==>
                       \separated(p, s.tensor_map + (0 .. s.ntensor - 1)) ==>
                       \separated(p, s.raw_map + (0 .. s.nraw - 1)) ==> \separated(p, e.input + (0 .. e.ninput - 1)) ==>
                       (\forall integer k; p != (int *)&e.output[k].node) ==> *p == \at(*p, Pre); */
    /*@ assert named:  \forall integer k; 0 <= k < e.noutput ==> \separated(&e.output[k].name, h.node + (0 .. n - 1)) &&
                       \separated(&e.output[k].name, h.in + (0 .. h.capin - 1)) &&
                       \separated(&e.output[k].name, h.attr + (0 .. h.capattr - 1)) &&
                       \separated(&e.output[k].name, s.tensor + (0 .. s.ntensor - 1)) &&
                       \separated(&e.output[k].name, s.raw + (0 .. s.nraw - 1)) &&
                       \separated(&e.output[k].name, s.tensor_map + (0 .. s.ntensor - 1)) &&
                       \separated(&e.output[k].name, s.raw_map + (0 .. s.nraw - 1)) &&
                       \separated(&e.output[k].name, e.input + (0 .. e.ninput - 1)); */
    /*@ ghost
        /@ loop invariant range: 0 <= k && (0 <= e.noutput ==> k <= e.noutput);
           loop invariant names: \forall integer i; 0 <= i < k ==> e.output[i].name == \at(e.output[i].name, Pre);
           loop assigns k;
           loop variant e.noutput - k;
        @/
        for (int k = 0; k < e.noutput; k++) {
            /@ assert far:  \forall integer i; (int *)&e.output[k].name != (int *)&e.output[i].node; @/
            /@ assert name: e.output[k].name == \at(e.output[\at(k, Here)].name, Pre); @/
        }
    */
    /*@ assert called: same_names{Pre,Here}(e.output, e.noutput); */
    /*@ assert view:   o->node == \at(o->node, Pre) && o->in == \at(o->in, Pre) && o->attr == \at(o->attr, Pre); */
    /*@ assert data:   o->tensor == \at(o->tensor, Pre) && o->raw == \at(o->raw, Pre); */
    /*@ assert lists:  o->input == \at(o->input, Pre) && o->output == \at(o->output, Pre); */
    /*@ assert rest:   o->mem == \at(o->mem, Pre) && o->strs == \at(o->strs, Pre) && o->values == \at(o->values, Pre) &&
                       o->model == \at(o->model, Pre); */
    /*@ assert ids:    o->name == \at(o->name, Pre) && o->rules == \at(o->rules, Pre) && o->class == \at(o->class, Pre) &&
                       o->opset == \at(o->opset, Pre); */
    return r;
}

/* The same, as the map says it. */
/*@ RENEW_REQUIRES
    WRITTEN_REQUIRES
    terminates \true;
    exits    never:    \false;
    WRITTEN
    ensures  to:       \result.to == {h \with .n = n, .cap = g.n, .nin = \result.to.nin, .capin = \result.to.nin,
                       .nattr = \result.to.nattr, .capattr = \result.to.nattr};
    ensures  sizes:    0 <= \result.to.nin <= h.capin && 0 <= \result.to.nattr <= h.capattr;
    ensures  stay:     0 <= \result.ntensor <= s.ntensor && 0 <= \result.nraw <= s.nraw;
    ensures  nodes:    nodes_moved{Pre,Post}(g, \result.to, map);
    ensures  ids:      all_ids_moved{Pre,Post}(g, \result.to, map);
    ensures  attrs:    all_attributes_moved{Pre,Post}(g, \result.to, map);
    ensures  tensors:  tensors_moved{Pre,Post}(g, \result.to, map, s.tensor, \result.ntensor);
    ensures  raws:     raws_moved{Pre,Post}(g, \result.to, map, s.raw, \result.nraw);
    ensures  all:      all_numbers(map, g.n, n);
    ensures  input:    inputs_renamed{Pre,Post}(map, e.input, e.ninput);
    ensures  output:   outputs_renamed{Pre,Post}(map, e.output, e.noutput);
*/
static struct graph_renewed renew(struct graph_put g, const int *map, const int *order, int n, struct graph_put h,
                                  struct graph_store s, struct graph_ends e) /*@ ghost (const struct graph *o) */
{
    struct graph_renewed r;

    /*@ assert kept:    order_at{Here,Here}(map, order, g.n, n); */
    /*@ assert numbers: all_numbers(map, g.n, n); */
    r = renew_apart(g, map, order, n, h, s, e) /*@ ghost (o) */;
    r.to.cap = g.n;
    r.to.capin = r.to.nin;
    r.to.capattr = r.to.nattr;
    /*@ assert still:   order_at{Pre,Here}(map, order, g.n, n); */
    /*@ assert sizes:   r.to.nin == ins{Pre}(g, order, n) && r.to.nattr == atts{Pre}(g, order, n); */
    /*@ assert onto:    onto(h, r.to, n); */
    /*@ assert nodes:   all_renewed{Pre,Here}(g, order, h, n); */
    /*@ assert sums:    sums_ok{Pre}(g, order, n) && r.to.nin <= INT32_MAX && r.to.nattr <= INT32_MAX; */
    /*@ assert first:   ids_first{Pre,Here}(g, order, r.to, n); */
    /*@ assert first_a: attributes_first{Pre,Here}(g, order, r.to, n); */
    /*@ assert ids:     all_renamed{Pre,Here}(g, map, order, r.to.in, n); */
    /*@ assert attrs:   all_attrs{Pre,Here}(g, order, r.to.attr, n); */
    /*@ assert tensors: all_same_tensors{Pre,Here}(g, order, h, s, n, r.ntensor); */
    /*@ assert raws:    all_same_raws{Pre,Here}(g, order, h, s, n, r.nraw); */
    return r;
}

/* What is new goes into the graph; else nothing changes. */
/*@ requires valid:    \valid(g) && 0 <= g->input.n && 0 <= g->output.n && 0 <= n;
    requires to:       off_put(\base_addr(g), r.to) && \base_addr(g) != \base_addr(map);
    requires lists:    \base_addr(g) != \base_addr(g->tensor.a) && \base_addr(g) != \base_addr(g->raw.a) &&
                       \base_addr(g) != \base_addr(g->input.a) && \base_addr(g) != \base_addr(g->output.a);
    terminates \true;
    exits    never:    \false;
    assigns  g->tensor.n, g->raw.n, g->node, g->in, g->attr;
    ensures  view:     put_of(g) == r.to;
    ensures  data:     g->tensor.n == r.ntensor && g->raw.n == r.nraw;
    ensures  fields:   same_fields{Pre,Post}(g);
    ensures  map:      same_map{Pre,Post}(map, n);
    ensures  new:      same_view{Pre,Post}(r.to);
    ensures  tensors:  \forall integer k; 0 <= k < r.ntensor ==> g->tensor.a[k] == \old(g->tensor.a[k]);
    ensures  raws:     \forall integer k; 0 <= k < r.nraw ==> g->raw.a[k] == \old(g->raw.a[k]);
    ensures  inputs:   inputs_stay{Pre,Post}(g);
    ensures  outputs:  outputs_stay{Pre,Post}(g);
*/
static void put_compacted(struct graph *g, struct graph_renewed r) /*@ ghost (int *map, int n) */
{
    g->tensor.n = r.ntensor;
    g->raw.n = r.nraw;
    g->node.a = r.to.node;
    g->node.n = r.to.n;
    g->node.cap = r.to.cap;
    g->in.a = r.to.in;
    g->in.n = r.to.nin;
    g->in.cap = r.to.capin;
    g->attr.a = r.to.attr;
    g->attr.n = r.to.nattr;
    g->attr.cap = r.to.capattr;
    /*@ assert ints:   \forall int *p; \base_addr(p) != \base_addr(g) ==> *p == \at(*p, Pre); */
    /*@ assert ptrs:   \forall char **p; \base_addr(p) != \base_addr(g) ==> *p == \at(*p, Pre); */
    /*@ assert nodes:  same_records{Pre,Here}(r.to.node, r.to.n); */
    /*@ assert ids:    same_ids{Pre,Here}(r.to.in, r.to.nin); */
    /*@ assert attrs:  same_attrs_below{Pre,Here}(r.to.attr, r.to.nattr); */
    /*@ assert shared: g->mem == \at(g->mem, Pre) && g->strs == \at(g->strs, Pre) && g->values == \at(g->values, Pre) &&
                       g->model == \at(g->model, Pre); */
    /*@ assert ends:   g->input == \at(g->input, Pre) && g->output == \at(g->output, Pre); */
    /*@ assert arrays: g->tensor.a == \at(g->tensor.a, Pre) && g->tensor.cap == \at(g->tensor.cap, Pre) &&
                       g->raw.a == \at(g->raw.a, Pre) && g->raw.cap == \at(g->raw.cap, Pre); */
}

/* Nothing fails from here on: the graph changes as a whole or not at all. The arrays it had. */
/*@ requires graph:    held_arrays(g) && ranges_ok(put_of(g)) && data_exist(g) && ends_exist(g);
    requires outs:     outputs_exist(put_of(g), g->output.a, g->output.n);
    requires room:     held_compactor(c, g);
    requires numbers:  numbers(put_of(g), c.map, c.order, n) && n <= g->node.n;
    requires enough:   ins(put_of(g), c.order, n) <= c.to.capin && atts(put_of(g), c.order, n) <= c.to.capattr;
    terminates \true;
    exits    never:    \false;
    assigns  c.to.node[0 .. n - 1], c.to.in[0 .. c.to.capin - 1], c.to.attr[0 .. c.to.capattr - 1],
             c.tensor[0 .. g->tensor.n - 1], g->tensor.a[0 .. g->tensor.n - 1], c.raw[0 .. g->raw.n - 1],
             g->raw.a[0 .. g->raw.n - 1], g->input.a[0 .. g->input.n - 1], g->output.a[0 .. g->output.n - 1],
             g->tensor.n, g->raw.n, g->node, g->in, g->attr;
    ensures  old:      \result == \old(put_of(g));
    ensures  new:      g->node.a == c.to.node && g->in.a == c.to.in && g->attr.a == c.to.attr && g->node.n == n;
    ensures  valid:    valid_graph(put_of(g));
    ensures  data:     0 <= g->tensor.n <= \old(g->tensor.n) && 0 <= g->raw.n <= \old(g->raw.n);
    ensures  fields:   same_fields{Pre,Post}(g);
    ensures  map:      same_map{Pre,Post}(c.map, \old(g->node.n));
    ensures  all:      all_numbers(c.map, \old(g->node.n), n);
    ensures  nodes:    nodes_moved{Pre,Post}(\old(put_of(g)), put_of(g), c.map);
    ensures  ids:      all_ids_moved{Pre,Post}(\old(put_of(g)), put_of(g), c.map);
    ensures  attrs:    all_attributes_moved{Pre,Post}(\old(put_of(g)), put_of(g), c.map);
    ensures  tensors:  tensors_moved{Pre,Post}(\old(put_of(g)), put_of(g), c.map, g->tensor.a, g->tensor.n);
    ensures  raws:     raws_moved{Pre,Post}(\old(put_of(g)), put_of(g), c.map, g->raw.a, g->raw.n);
    ensures  input:    inputs_renamed{Pre,Post}(c.map, g->input.a, g->input.n);
    ensures  output:   outputs_renamed{Pre,Post}(c.map, g->output.a, g->output.n);
    ensures  names:    same_names{Pre,Post}(g->output.a, g->output.n);
*/
static struct graph_put commit(struct graph *g, struct compactor c, int n)
{
    struct graph_put old = graph_view(g);
    struct graph_store store = { .tensor = g->tensor.a, .raw = g->raw.a, .ntensor = g->tensor.n, .nraw = g->raw.n,
                                 .tensor_map = c.tensor, .raw_map = c.raw };
    struct graph_ends ends = { .input = g->input.a, .output = g->output.a, .ninput = g->input.n, .noutput = g->output.n };
    struct graph_renewed new;

    /*@ assert apart:    own_nodes(c.to.node, old, c.order) && own_ids(c.to.in, old, c.order) &&
                         own_attrs(c.to.attr, old, c.order) && \base_addr(c.to.in) != \base_addr(c.map) && own_put(c.to); */
    /*@ assert store:    own_store(store, c.to); */ /*@ assert ends: own_ends(ends, c.to, store); */
    /*@ assert map:      off_all(\base_addr(c.map), c.to, store, ends); */
    /*@ assert outside:  off_all(\base_addr(g), c.to, store, ends); */
    /*@ assert room:     \valid(c.to.node + (0 .. old.n - 1)); */
    new = renew(old, c.map, c.order, n, c.to, store, ends) /*@ ghost (g) */;
    /*@ ghost Renewed: ; */
    put_compacted(g, new) /*@ ghost (c.map, old.n) */;
    /*@ assert ids:      same_ids{Renewed,Here}(ends.input, ends.ninput); */
    /*@ assert stay:     outputs_stay{Renewed,Here}(g) && ends.output == g->output.a && ends.noutput == g->output.n; */
    /*@ assert outs:     same_outputs{Renewed,Here}(ends.output, ends.noutput); */
    /*@ assert nodes:    new.to.node == c.to.node && new.to.cap == old.n; */
    /*@ assert inputs:   \valid(new.to.in + (0 .. new.to.capin - 1)); */
    /*@ assert attrs:    \valid(new.to.attr + (0 .. new.to.capattr - 1)); */
    /*@ assert two:      \separated(new.to.node + (0 .. new.to.cap - 1), new.to.in + (0 .. new.to.capin - 1),
                         new.to.attr + (0 .. new.to.capattr - 1)); */
    return old;
}

/* compact_room; the graph stays. */
/*@ requires graph:    compactable(g) && ranges_ok(put_of(g));
    requires map:      map != \null ==> \valid(map + (0 .. g->node.n - 1)) && off_graph(\base_addr(map), g);
    requires sum:      sum.ok != 0 && 0 <= sum.in && 0 <= sum.attr;
    terminates \true;
    exits    never:    \false;
    assigns  *g->mem;
    UNCHANGED
    ensures  result:   \result.ok == 0 || \result.ok == 1;
    ensures  held:     \result.ok == 1 ==> held_compactor(\result, g);
    ensures  sums:     \result.ok == 1 ==> \result.to.capin == sum.in && \result.to.capattr == sum.attr;
    ensures  map:      \result.ok == 1 ==> map != \null ==> \result.map == map && \result.own == \null;
    ensures  own:      \result.ok == 1 ==> map == \null ==> \result.own == \result.map;
*/
static struct compactor room(const struct graph *g, int *map, struct graph_sums sum)
{
    return compact_room(g, map, sum);
}

/* There is no memory; the graph stays. */
/*@ requires graph:    held_arrays(g) && held_diag(d, g);
    terminates \true;
    exits    never:    \false;
    assigns  *d;
    UNCHANGED
    ensures  status:   \result == CALQUE_NOMEM;
*/
static enum calque_status nomem(struct diag *d) /*@ ghost (const struct graph *g) */
{
    return compact_nomem(d);
}

/* With room for it: not ok, and the graph as it was, when there is a cycle; what is to be given back. */
/*@ requires graph:    compactable(g) && ranges_ok(put_of(g)) && held_diag(d, g);
    requires outs:     outputs_exist(put_of(g), g->output.a, g->output.n);
    requires room:     held_compactor(c, g) && c.ok == 1;
    requires sums:     c.to.capin == all_ins(put_of(g), g->node.n) && c.to.capattr == all_atts(put_of(g), g->node.n);
    terminates \true;
    exits    never:    \false;
    assigns  c.map[0 .. g->node.n - 1], c.order[0 .. g->node.n - 1], c.stack[0 .. g->node.n - 1], *d,
             c.to.node[0 .. g->node.n - 1], c.to.in[0 .. c.to.capin - 1], c.to.attr[0 .. c.to.capattr - 1],
             c.tensor[0 .. g->tensor.n - 1], g->tensor.a[0 .. g->tensor.n - 1], c.raw[0 .. g->raw.n - 1],
             g->raw.a[0 .. g->raw.n - 1], g->input.a[0 .. g->input.n - 1], g->output.a[0 .. g->output.n - 1],
             g->tensor.n, g->raw.n, g->node, g->in, g->attr;
    ensures  result:   \result == {c \with .to = \result.to, .ok = \result.ok} && (\result.ok == 0 || \result.ok == 1);
    ensures  cycle:    \result.ok == 0 ==> cyclic{Pre}(\old(put_of(g)));
    ensures  graph:    \result.ok == 0 ==> unchanged{Pre,Post}(g) && \result.to == c.to;
    ensures  valid:    \result.ok == 1 ==> valid_graph(put_of(g));
    ensures  arrays:   \result.ok == 1 ==> arrays_moved{Pre,Post}(\old(put_of(g)), put_of(g), g, c.map);
    ensures  all:      \result.ok == 1 ==> all_numbers(c.map, \old(g->node.n), g->node.n);
    ensures  ends:     \result.ok == 1 ==> inputs_renamed{Pre,Post}(c.map, g->input.a, g->input.n) &&
                       outputs_renamed{Pre,Post}(c.map, g->output.a, g->output.n) &&
                       same_names{Pre,Post}(g->output.a, g->output.n);
    ensures  fields:   \result.ok == 1 ==> same_fields{Pre,Post}(g);
    ensures  kept:     \result.ok == 1 ==> kept_are{Pre,Post}(g, c.map);
    ensures  others:   off_arrays(\base_addr(c.order), g) && off_arrays(\base_addr(c.stack), g) &&
                       off_arrays(\base_addr(c.tensor), g) && off_arrays(\base_addr(c.raw), g) &&
                       off_arrays(\base_addr(c.map), g);
    ensures  back:     (\result.to.node != \null ==> off_arrays(\base_addr(\result.to.node), g)) &&
                       (\result.to.in != \null ==> off_arrays(\base_addr(\result.to.in), g)) &&
                       (\result.to.attr != \null ==> off_arrays(\base_addr(\result.to.attr), g));
*/
static struct compactor renumber(struct graph *g, struct compactor c, struct diag *d)
{
    int n = sort(g, c, d);

    /*@ ghost Sorted: ; */
    /*@ assert same:     unchanged{Pre,Here}(g); */
    if (n < 0) {
        c.ok = false;
        return c;
    }
    /*@ assert view:     put_of(g) == \at(put_of(g), Pre); */
    /*@ assert records:  same_view{Pre,Here}(\at(put_of(g), Pre)); */
    /*@ assert strs:     g->strs->entry.a == \at(g->strs->entry.a, Pre); */
    /*@ assert t_stay:   \forall integer k; 0 <= k < g->tensor.n ==> g->tensor.a[k] == \at(g->tensor.a[k], Pre); */
    /*@ assert t_below:  data_below{Pre}(g->node.a, g->node.n, 1, g->tensor.n); */
    /*@ assert i_stay:   same_ids{Pre,Here}(g->input.a, g->input.n); */
    /*@ assert o_stay:   same_outputs{Pre,Here}(g->output.a, g->output.n); */
    /*@ assert names:    same_names{Pre,Here}(g->output.a, g->output.n); */
    /*@ assert valid:    valid_numbers(c, g->node.n) && valid_new(c, g->node.n) && \valid(c.tensor + (0 .. g->tensor.n - 1)) &&
                         \valid(c.raw + (0 .. g->raw.n - 1)); */
    /*@ assert blocks:   new_blocks(c, g); */
    c.to = commit(g, c, n);
    /*@ assert off_o:    off_arrays(\base_addr(c.order), g); */ /*@ assert off_s: off_arrays(\base_addr(c.stack), g); */
    /*@ assert off_t:    off_arrays(\base_addr(c.tensor), g); */ /*@ assert off_r: off_arrays(\base_addr(c.raw), g); */
    /*@ assert off_m:    off_arrays(\base_addr(c.map), g); */
    /*@ assert input:    inputs_renamed{Pre,Here}(c.map, g->input.a, g->input.n); */
    /*@ assert output:   outputs_renamed{Pre,Here}(c.map, g->output.a, g->output.n); */
    /*@ assert arrays:   g->node.a == \at(c, Pre).to.node && g->in.a == \at(c, Pre).to.in && g->attr.a == \at(c, Pre).to.attr; */
    /*@ assert fields:   same_fields{Pre,Here}(g); */
    /*@ assert nodes:    nodes_moved{Pre,Here}(\at(put_of(g), Pre), put_of(g), c.map); */
    /*@ assert ids:      all_ids_moved{Pre,Here}(\at(put_of(g), Pre), put_of(g), c.map); */
    /*@ assert attrs:    all_attributes_moved{Pre,Here}(\at(put_of(g), Pre), put_of(g), c.map); */
    /*@ assert tensors:  tensors_moved{Pre,Here}(\at(put_of(g), Pre), put_of(g), c.map, g->tensor.a, g->tensor.n); */
    /*@ assert raws:     raws_moved{Pre,Here}(\at(put_of(g), Pre), put_of(g), c.map, g->raw.a, g->raw.n); */
    return c;
}

enum calque_status graph_compact(struct graph *g, int *map, struct diag *d)
{
    struct graph_bad bad = check_ids(g);
    struct graph_sums sum;
    struct compactor c;

    if (bad.k >= 0)
        return refuse(g, bad, d);
    sum = graph_sums(graph_view(g));
    if (!sum.ok)
        return nomem(d) /*@ ghost (g) */;
    c = room(g, map, sum);
    /*@ ghost Room: ; */
    /*@ assert same:     unchanged{Pre,Here}(g); */
    if (!c.ok)
        return nomem(d) /*@ ghost (g) */;
    /*@ assert records:  same_view{Pre,Here}(\at(put_of(g), Pre)); */
    /*@ assert t_stay:   \forall integer k; 0 <= k < g->tensor.n ==> g->tensor.a[k] == \at(g->tensor.a[k], Pre); */
    /*@ assert t_below:  data_below{Pre}(g->node.a, g->node.n, 1, g->tensor.n); */
    c = renumber(g, c, d);
    /*@ assert nodes:    c.ok == 1 ==> nodes_moved{Pre,Here}(\at(put_of(g), Pre), put_of(g), c.map); */
    /*@ assert ids:      c.ok == 1 ==> all_ids_moved{Pre,Here}(\at(put_of(g), Pre), put_of(g), c.map); */
    /*@ assert attrs:    c.ok == 1 ==> all_attributes_moved{Pre,Here}(\at(put_of(g), Pre), put_of(g), c.map); */
    /*@ assert tensors:  c.ok == 1 ==> tensors_moved{Pre,Here}(\at(put_of(g), Pre), put_of(g), c.map, g->tensor.a, g->tensor.n); */
    /*@ assert raws:     c.ok == 1 ==> raws_moved{Pre,Here}(\at(put_of(g), Pre), put_of(g), c.map, g->raw.a, g->raw.n); */
    /*@ assert kept:     c.ok == 1 ==> kept_are{Pre,Here}(g, c.map); */
    /*@ assert fields:   c.ok == 1 ==> same_fields{Pre,Here}(g); */
    /*@ assert all:      c.ok == 1 ==> compacted{Pre,Here}(g, c.map); */
    compact_give_back(c) /*@ ghost (g, map) */;
    return c.ok ? CALQUE_OK : CALQUE_BAD;
}
