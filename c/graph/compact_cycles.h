/* Moving the elements of an array along a permutation. Who includes this says what an element is (MOVE_ITEM). */
#include "graph/compact_internal.h"

/*@ ghost
  /@ requires valid:    0 <= n && \valid_read(map + (0 .. n - 1));
     terminates \true;
     exits    never:    \false;
     assigns  \nothing;
     ensures  away:     0 <= \result == away(map, n);
  @/
  static int count_away(int *map, int n)
  {
      int at = 0, left = 0;
      /@ loop invariant range: 0 <= at <= n;
         loop invariant left:  0 <= left == away(map, at) <= at;
         loop assigns at, left;
         loop variant n - at;
      @/
      while (at < n) {
          left += map[at] != at ? 1 : 0;
          at++;
      }
      return left;
  }
*/

/* Place i and the one that what stands there belongs to change what they hold: the other one has its own now. */
/*@ requires valid:    0 <= i < n && \valid(map + (0 .. n - 1)) && places(map, n);
    requires away:     map[i] != i;
    terminates \true;
    exits    never:    \false;
    assigns  map[i], map[map[i]];
    ensures  to:       \result == \old(map[i]) && 0 <= \result < n;
    ensures  here:     map[i] == \old(map[map[i]]);
    ensures  there:    map[\result] == \result;
    ensures  rest:     \forall integer k; 0 <= k < n ==> k != i ==> k != \result ==> map[k] == \old(map[k]);
    ensures  places:   places(map, n);
    ensures  less:     0 <= away(map, n) < \old(away(map, n));
*/
static int step(int *map, int i) /*@ ghost (int n) */
{
    int to = map[i];
    /*@ ghost int at = 0; */

    /*@ assert other: map[to] != to; */
    map[i] = map[to];
    map[to] = to;
    /*@ ghost
        /@ loop invariant range: 0 <= at <= n;
           loop invariant less:  0 <= away(map, at) <= away{Pre}(map, at) - (to < at ? 1 : 0);
           loop assigns at;
           loop variant n - at;
        @/
        while (at < n)
            at++;
    */
    return to;
}

/* Two elements change places; the map is apart from them. */
/*@ requires valid:    0 <= i < n && 0 <= j < n && i != j && \valid(a + (0 .. n - 1)) && \valid(map + (0 .. n - 1));
    requires apart:    \base_addr(map) != \base_addr(a);
    terminates \true;
    exits    never:    \false;
    assigns  a[i], a[j];
    ensures  there:    a[j] == \old(a[i]);
    ensures  here:     a[i] == \old(a[j]);
    ensures  rest:     \forall integer k; 0 <= k < n ==> k != i ==> k != j ==> a[k] == \old(a[k]);
    ensures  map:      \forall integer k; 0 <= k < n ==> map[k] == \old(map[k]);
    ensures  away:     away(map, n) == \old(away(map, n));
*/
static void swap(MOVE_ITEM *a, int i, int j) /*@ ghost (int *map, int n) */
{
    MOVE_ITEM x = a[j];
    /*@ ghost int at = 0; */

    a[j] = a[i];
    a[i] = x;
    /*@ assert map: \forall integer k; 0 <= k < n ==> map[k] == \at(map[k], Pre); */
    /*@ ghost
        /@ loop invariant range: 0 <= at <= n;
           loop invariant away:  away(map, at) == away{Pre}(map, at);
           loop assigns at;
           loop variant n - at;
        @/
        while (at < n)
            at++;
    */
}

/* What stands at place i goes to its place. */
/*@ requires valid:    0 <= i < n && \valid(a + (0 .. n - 1)) && \valid(map + (0 .. n - 1)) && places(map, n);
    requires apart:    \base_addr(map) != \base_addr(a);
    requires away:     map[i] != i;
    terminates \true;
    exits    never:    \false;
    assigns  a[i], a[map[i]], map[i], map[map[i]];
    ensures  there:    a[\old(map[i])] == \old(a[i]) && map[\old(map[i])] == \old(map[i]);
    ensures  here:     a[i] == \old(a[map[i]]) && map[i] == \old(map[map[i]]);
    ensures  rest:     \forall integer p; 0 <= p < n ==> p != i ==> p != \old(map[i]) ==> a[p] == \old(a[p]);
    ensures  rest_map: \forall integer p; 0 <= p < n ==> p != i ==> p != \old(map[i]) ==> map[p] == \old(map[p]);
    ensures  places:   places(map, n);
    ensures  less:     0 <= away(map, n) < \old(away(map, n));
*/
static void advance(MOVE_ITEM *a, int *map, int i) /*@ ghost (int n) */
{
    /*@ assert other: 0 <= map[i] < n && map[i] != i; */
    swap(a, i, map[i]) /*@ ghost (map, n) */;
    /*@ ghost Swapped: ; */
    /*@ assert places: places(map, n); */
    step(map, i) /*@ ghost (n) */;
    /*@ assert still:  \forall integer k; 0 <= k < n ==> a[k] == \at(a[k], Swapped); */
}

/* Each element moves to its place, along the cycles of the permutation. */
/*@ MOVE_REQUIRES
    terminates \true;
    exits    never:    \false;
    assigns  a[0 .. n - 1], map[0 .. n - 1];
    ensures  moved:    MOVED;
*/
static void move(MOVE_ITEM *a, int *map, int n)
{
    /*@ ghost int left = count_away(map, n); */
    /*@ loop invariant range:  0 <= i <= n;
        loop invariant left:   0 <= left == away(map, n);
        loop invariant places: places(map, n);
        loop invariant done:   \forall integer p; 0 <= p < i ==> map[p] == p;
        loop invariant where:  \forall integer p, k; 0 <= p < n ==> 0 <= k < n ==> map[p] == \at(map[k], Pre) ==>
                               a[p] == \at(a[k], Pre);
        loop assigns i, left, a[0 .. n - 1], map[0 .. n - 1];
        loop variant n - i;
    */
    for (int i = 0; i < n; i++) {
        /*@ loop invariant left:   0 <= left == away(map, n);
            loop invariant places: places(map, n);
            loop invariant done:   \forall integer p; 0 <= p < i ==> map[p] == p;
            loop invariant where:  \forall integer p, k; 0 <= p < n ==> 0 <= k < n ==> map[p] == \at(map[k], Pre) ==>
                                   a[p] == \at(a[k], Pre);
            loop assigns left, a[0 .. n - 1], map[0 .. n - 1];
            loop variant left;
        */
        while (map[i] != i) {
            /*@ ghost int to = map[i]; */
            /*@ assert other:   0 <= to < n && to != i; */
            advance(a, map, i) /*@ ghost (n) */;
            /*@ ghost left = count_away(map, n); */
            /*@ assert where_t: \forall integer k; 0 <= k < n ==> map[to] == \at(map[k], Pre) ==> a[to] == \at(a[k], Pre); */
            /*@ assert where_i: \forall integer k; 0 <= k < n ==> map[i] == \at(map[k], Pre) ==> a[i] == \at(a[k], Pre); */
            /*@ assert where_p: \forall integer p, k; 0 <= p < n ==> p != i ==> p != to ==> 0 <= k < n ==>
                                map[p] == \at(map[k], Pre) ==> a[p] == \at(a[k], Pre); */
        }
    }
}
