#include "graph/compact_data.h"

/* Number k of the map gets number v. */
/*@ requires valid:    0 <= k < count && \valid(map + (0 .. count - 1));
    requires none:     map[k] == MARK_DEAD && 0 <= v;
    terminates \true;
    exits    never:    \false;
    assigns  map[k];
    ensures  set:      map[k] == v;
    ensures  less:     0 <= dead(map, count) == \old(dead(map, count)) - 1;
*/
static void give(int *map, int k, int v) /*@ ghost (int count) */
{
    /*@ ghost int at = 0; */
    /*@ ghost
        /@ loop invariant range: 0 <= at <= count;
           loop invariant some:  (k < at ? 1 : 0) <= dead(map, at);
           loop assigns at;
           loop variant count - at;
        @/
        while (at < count)
            at++;
    */
    map[k] = v;
    /*@ ghost at = 0; */
    /*@ ghost
        /@ loop invariant range: 0 <= at <= count;
           loop invariant less:  0 <= dead(map, at) == dead{Pre}(map, at) - (k < at ? 1 : 0);
           loop assigns at;
           loop variant count - at;
        @/
        while (at < count)
            at++;
    */
}

/* No number has been given. */
/*@ requires valid:    0 <= count && \valid(map + (0 .. count - 1));
    terminates \true;
    exits    never:    \false;
    assigns  map[0 .. count - 1];
    ensures  none:     \forall integer k; 0 <= k < count ==> map[k] == MARK_DEAD;
    ensures  dead:     dead(map, count) == count;
*/
static void no_numbers(int *map, int count)
{
    /*@ ghost int at = 0; */
    /*@ loop invariant range: 0 <= k <= count;
        loop invariant none:  \forall integer j; 0 <= j < k ==> map[j] == MARK_DEAD;
        loop assigns k, map[0 .. count - 1];
        loop variant count - k;
    */
    for (int k = 0; k < count; k++)
        map[k] = MARK_DEAD;
    /*@ ghost
        /@ loop invariant range: 0 <= at <= count;
           loop invariant dead:  dead(map, at) == at;
           loop assigns at;
           loop variant count - at;
        @/
        while (at < count)
            at++;
    */
}

/*@ ghost
  /@ requires valid:    0 <= n && \valid_read(map + (0 .. n - 1));
     terminates \true;
     exits    never:    \false;
     assigns  \nothing;
     ensures  dead:     \forall integer k; 0 <= k <= n ==> 0 <= dead(map, k) <= dead(map, n) <= n;
  @/
  static void sums(int *map, int n)
  {
      int at = 0;
      /@ loop invariant range: 0 <= at <= n;
         loop invariant dead:  \forall integer k; 0 <= k <= at ==> 0 <= dead(map, k) <= dead(map, at) <= at;
         loop assigns at;
         loop variant n - at;
      @/
      while (at < n)
          at++;
  }
*/

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
    ensures  dead:     dead(map, count) == \old(dead(map, count));
*/
static void set_data(struct node *node, int i, int k) /*@ ghost (int n, int *map, int count) */
{
    /*@ ghost int at = 0; */
    node[i].data = k;
    /*@ assert map: \forall integer j; 0 <= j < count ==> map[j] == \at(map[j], Pre); */
    /*@ ghost
        /@ loop invariant range: 0 <= at <= count;
           loop invariant dead:  dead(map, at) == dead{Pre}(map, at);
           loop assigns at;
           loop variant count - at;
        @/
        while (at < count)
            at++;
    */
}

int graph_number_data(struct node *node, int n, bool tensor, int *map, int count)
{
    int next = 0;

    no_numbers(map, count);
    /*@ assert start: \forall integer i; 0 <= i < n ==> node[i].data == \at(node[i].data, Pre); */
    /*@ assert kind:  \forall integer i; 0 <= i < n ==> node[i].kind == \at(node[i].kind, Pre); */
    /*@ assert all:   \forall integer i; 0 <= i < n ==> node[i] == \at(node[i], Pre); */
    /*@ loop invariant range:  0 <= i <= n && 0 <= next <= i;
        loop invariant count:  0 <= dead(map, count) && next + dead(map, count) == count;
        loop invariant kinds:  \forall integer j; 0 <= j < n ==> node[j].kind == \at(node[j].kind, Pre);
        loop invariant fields: \forall integer j; 0 <= j < n ==>
                               node[j] == {\at(node[j], Pre) \with .data = node[j].data};
        loop invariant rest:   \forall integer j; i <= j < n ==> node[j].data == \at(node[j].data, Pre);
        loop invariant map:    \forall integer k; 0 <= k < count ==> -1 <= map[k] < next;
        loop invariant used:   \forall integer k; 0 <= k < count ==> 0 <= map[k] ==> used_data{Pre}(node, i, tensor, k);
        loop invariant given:  \forall integer j; 0 <= j < i ==> has_data{Pre}(node, j, tensor) ==>
                               0 <= map[\at(node[j].data, Pre)] && node[j].data == map[\at(node[j].data, Pre)];
        loop invariant others: \forall integer j; 0 <= j < i ==> !has_data{Pre}(node, j, tensor) ==>
                               node[j].data == \at(node[j].data, Pre);
        loop invariant once:   numbered_once(map, count);
        loop invariant onto:   \forall integer v; 0 <= v < next ==> has_number(map, count, v);
        loop invariant order:  \forall integer j, k; 0 <= j < count ==> 0 <= k < count ==> 0 <= map[j] < map[k] ==>
                               used_before{Pre}(node, n, tensor, j, k);
        loop invariant later:  \forall integer j, k; 0 <= j < count ==> 0 <= k < count ==> 0 <= map[j] ==> map[k] < 0 ==>
                               used_data{Pre}(node, i, tensor, j) && !used_data{Pre}(node, i, tensor, k);
        loop assigns i, next, map[0 .. count - 1], node[0 .. n - 1].data;
        loop variant n - i;
    */
    for (int i = 0; i < n; i++) {
        int k = node[i].data;
        /*@ ghost Before: ; */

        if (k < 0 || (node[i].kind == NODE_CONST) != tensor)
            continue;
        /*@ assert uses: uses_data{Pre}(node, i, tensor, k); */
        /*@ assert more: used_data{Pre}(node, i + 1, tensor, k) && \forall integer l; used_data{Pre}(node, i, tensor, l) ==>
                         used_data{Pre}(node, i + 1, tensor, l); */
        if (map[k] < 0) {
            give(map, k, next) /*@ ghost (count) */;
            next++;
            /*@ assert had: \forall integer v; 0 <= v < next - 1 ==> has_number{Before}(map, count, v) && has_number(map, count, v); */
            /*@ assert has: map[k] == next - 1 && has_number(map, count, next - 1); */
        }
        /*@ assert kinds:  \forall integer j; 0 <= j < n ==> node[j].kind == \at(node[j].kind, Before); */
        /*@ assert datas:  \forall integer j; 0 <= j < n ==> node[j].data == \at(node[j].data, Before); */
        /*@ assert all:    \forall integer j; 0 <= j < n ==> node[j] == \at(node[j], Before); */
        /*@ assert onto:   \forall integer v; 0 <= v < next ==> has_number(map, count, v); */
        /*@ ghost Given: ; */
        set_data(node, i, map[k]) /*@ ghost (n, map, count) */;
        /*@ assert fields: \forall integer j; 0 <= j < n ==> node[j] == {\at(node[j], Given) \with .data = node[j].data}; */
        /*@ assert onto_l: \forall integer v; 0 <= v < next ==> has_number{Given}(map, count, v) && has_number(map, count, v); */
        /*@ assert used:   \forall integer l; 0 <= l < count ==> 0 <= map[l] ==> used_data{Pre}(node, i + 1, tensor, l); */
    }
    return next;
}

void graph_places(int *map, int n, int kept)
{
    int last = kept;

    /*@ ghost sums(map, n); */
    /*@ loop invariant range:  0 <= i <= n && last == kept + dead{Pre}(map, i);
        loop invariant rest:   \forall integer k; i <= k < n ==> map[k] == \at(map[k], Pre);
        loop invariant same:   \forall integer k; 0 <= k < i ==> 0 <= \at(map[k], Pre) ==> map[k] == \at(map[k], Pre);
        loop invariant others: \forall integer k; 0 <= k < i ==> \at(map[k], Pre) < 0 ==> kept <= map[k] < last;
        loop invariant once:   \forall integer j, k; 0 <= j < i ==> 0 <= k < i ==> map[j] == map[k] ==> j == k;
        loop assigns i, last, map[0 .. n - 1];
        loop variant n - i;
    */
    for (int i = 0; i < n; i++)
        if (map[i] < 0) {
            /*@ assert one: dead{Pre}(map, i + 1) == dead{Pre}(map, i) + 1; */
            map[i] = last;
            last++;
        }
}
