/* Which nodes are needed, and their numbers in topological order, depth first. Invariant: the path is on the stack, a node gets its
   number when its inputs have theirs. */
#include "graph/toposort.h"

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
