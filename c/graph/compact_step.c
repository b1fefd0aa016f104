#include "graph/compact_step.h"

#include "graph/compact_free.h"
#include "graph/compact_move.h"

#ifdef __FRAMAC__
#define DROP_REQUIRES                                                                                                \
    requires valid:    0 <= n && \valid(a + (0 .. n - 1)) && \valid_read(map + (0 .. n - 1));                        \
    requires apart:    n > 0 ==> \base_addr(map) != \base_addr(a);
#define KEPT \forall integer k; 0 <= k < n ==> 0 <= map[k] ==> a[k] == \old(a[k])
#define DROP_LOOP                                                                                                \
    loop invariant range: 0 <= k <= n;                                                                           \
    loop invariant map:   \forall integer j; 0 <= j < n ==> map[j] == \at(map[j], Pre);                          \
    loop invariant kept:  \forall integer j; 0 <= j < n ==> 0 <= map[j] ==> a[j] == \at(a[j], Pre);              \
    loop assigns k, a[0 .. n - 1];                                                                               \
    loop variant n - k;
#endif

/* Those without a number are freed. */
/*@ DROP_REQUIRES
    terminates \true;
    exits    never:    \false;
    assigns  a[0 .. n - 1];
    ensures  kept:     KEPT;
    ensures  map:      \forall integer k; 0 <= k < n ==> map[k] == \old(map[k]);
    ensures  dead:     dead(map, n) == \old(dead(map, n));
*/
static void drop_tensors(struct tensor *a, const int *map, int n)
{
    /*@ ghost int at = 0; */
    /*@ DROP_LOOP
    */
    for (int k = 0; k < n; k++)
        if (map[k] < 0)
            graph_drop_tensor(&a[k]);
    /*@ ghost
        /@ loop invariant range: 0 <= at <= n;
           loop invariant dead:  dead(map, at) == dead{Pre}(map, at);
           loop assigns at;
           loop variant n - at;
        @/
        while (at < n)
            at++;
    */
}

/*@ DROP_REQUIRES
    terminates \true;
    exits    never:    \false;
    assigns  a[0 .. n - 1];
    ensures  kept:     KEPT;
    ensures  map:      \forall integer k; 0 <= k < n ==> map[k] == \old(map[k]);
    ensures  dead:     dead(map, n) == \old(dead(map, n));
*/
static void drop_raws(struct raw *a, const int *map, int n)
{
    /*@ ghost int at = 0; */
    /*@ DROP_LOOP
    */
    for (int k = 0; k < n; k++)
        if (map[k] < 0)
            graph_drop_raw(&a[k]);
    /*@ ghost
        /@ loop invariant range: 0 <= at <= n;
           loop invariant dead:  dead(map, at) == dead{Pre}(map, at);
           loop assigns at;
           loop variant n - at;
        @/
        while (at < n)
            at++;
    */
}

#ifdef __FRAMAC__
#define NUMBERED                                                                                                     \
    requires valid:    0 <= n && \valid(a + (0 .. n - 1)) && \valid(map + (0 .. n - 1));                             \
    requires apart:    n > 0 ==> \base_addr(map) != \base_addr(a);                                                   \
    requires range:    \forall integer k; 0 <= k < n ==> -1 <= map[k] < kept;                                        \
    requires once:     numbered_once(map, n);                                                                        \
    requires kept:     0 <= kept && kept + dead(map, n) == n;
#define KEPT_MOVED \forall integer k; 0 <= k < n ==> 0 <= \old(map[k]) ==> a[\old(map[k])] == \old(a[k])
#define PLACED \forall integer k; 0 <= k < n ==> 0 <= \at(map[k], Pre) ==>                                       \
    \at(map[k], Placed) == \at(map[k], Pre) && \at(a[k], Placed) == \at(a[k], Pre)
#endif

/* These get the places behind the others; all move. */
/*@ NUMBERED
    terminates \true;
    exits    never:    \false;
    assigns  a[0 .. n - 1], map[0 .. n - 1];
    ensures  moved:    KEPT_MOVED;
*/
static void move_tensors(struct tensor *a, int *map, int n, int kept)
{
    drop_tensors(a, map, n);
    graph_places(map, n, kept);
    /*@ ghost Placed: ; */
    /*@ assert placed: PLACED; */
    graph_move_tensors(a, map, n);
}

/*@ NUMBERED
    terminates \true;
    exits    never:    \false;
    assigns  a[0 .. n - 1], map[0 .. n - 1];
    ensures  moved:    KEPT_MOVED;
*/
static void move_raws(struct raw *a, int *map, int n, int kept)
{
    drop_raws(a, map, n);
    graph_places(map, n, kept);
    /*@ ghost Placed: ; */
    /*@ assert placed: PLACED; */
    graph_move_raws(a, map, n);
}

int graph_compact_tensors(struct node *node, int n, struct tensor *a, int *map, int count)
{
    int kept = graph_number_data(node, n, true, map, count);

    /*@ ghost Numbered: ; */
    /*@ assert kinds:  \forall integer i; 0 <= i < n ==> node[i].kind == \at(node[i].kind, Pre); */
    /*@ assert old:    \forall integer k; 0 <= k < count ==> a[k] == \at(a[k], Pre); */
    /*@ assert mine:   \forall integer i; 0 <= i < n ==> has_data{Pre}(node, i, 1) ==>
                       uses_data{Pre}(node, i, 1, \at(node[i].data, Pre)) && 0 <= \at(node[i].data, Pre) < count; */
    /*@ assert given:  \forall integer i; 0 <= i < n ==> has_data{Pre}(node, i, 1) ==>
                       0 <= map[\at(node[i].data, Pre)] && node[i].data == map[\at(node[i].data, Pre)]; */
    /*@ assert user:   \forall integer i, k; 0 <= i < n ==> 0 <= k < count ==> uses_data{Pre}(node, i, 1, k) ==>
                       uses_data(node, i, 1, map[k]); */
    /*@ assert was:    \forall integer k; 0 <= k < count ==> 0 <= map[k] ==> used_data{Pre}(node, n, 1, k); */
    /*@ assert users:  \forall integer k, v; 0 <= k < count ==> 0 <= map[k] ==> v == map[k] ==> used_data(node, n, 1, v); */
    /*@ assert has:    \forall integer v; 0 <= v < kept ==> has_number(map, count, v); */
    /*@ assert one:    \forall integer v; has_number(map, count, v) ==> 0 <= v ==> used_data(node, n, 1, v); */
    /*@ assert used:   \forall integer v; 0 <= v < kept ==> used_data(node, n, 1, v); */
    move_tensors(a, map, count, kept);
    /*@ assert still:  \forall integer i; 0 <= i < n ==> node[i].data == \at(node[i].data, Numbered); */
    /*@ assert kind:   \forall integer i; 0 <= i < n ==> node[i].kind == \at(node[i].kind, Pre); */
    /*@ assert all:    \forall integer i; 0 <= i < n ==> node[i] == \at(node[i], Numbered); */
    /*@ assert uses:   \forall integer i, v; 0 <= i < n ==> uses_data{Numbered}(node, i, 1, v) ==> uses_data(node, i, 1, v); */
    return kept;
}

int graph_compact_raws(struct node *node, int n, struct raw *a, int *map, int count)
{
    int kept = graph_number_data(node, n, false, map, count);

    /*@ ghost Numbered: ; */
    /*@ assert kinds:  \forall integer i; 0 <= i < n ==> node[i].kind == \at(node[i].kind, Pre); */
    /*@ assert old:    \forall integer k; 0 <= k < count ==> a[k] == \at(a[k], Pre); */
    /*@ assert mine:   \forall integer i; 0 <= i < n ==> has_data{Pre}(node, i, 0) ==>
                       uses_data{Pre}(node, i, 0, \at(node[i].data, Pre)) && 0 <= \at(node[i].data, Pre) < count; */
    /*@ assert given:  \forall integer i; 0 <= i < n ==> has_data{Pre}(node, i, 0) ==>
                       0 <= map[\at(node[i].data, Pre)] && node[i].data == map[\at(node[i].data, Pre)]; */
    /*@ assert user:   \forall integer i, k; 0 <= i < n ==> 0 <= k < count ==> uses_data{Pre}(node, i, 0, k) ==>
                       uses_data(node, i, 0, map[k]); */
    /*@ assert was:    \forall integer k; 0 <= k < count ==> 0 <= map[k] ==> used_data{Pre}(node, n, 0, k); */
    /*@ assert users:  \forall integer k, v; 0 <= k < count ==> 0 <= map[k] ==> v == map[k] ==> used_data(node, n, 0, v); */
    /*@ assert has:    \forall integer v; 0 <= v < kept ==> has_number(map, count, v); */
    /*@ assert one:    \forall integer v; has_number(map, count, v) ==> 0 <= v ==> used_data(node, n, 0, v); */
    /*@ assert used:   \forall integer v; 0 <= v < kept ==> used_data(node, n, 0, v); */
    move_raws(a, map, count, kept);
    /*@ assert still:  \forall integer i; 0 <= i < n ==> node[i].data == \at(node[i].data, Numbered); */
    /*@ assert kind:   \forall integer i; 0 <= i < n ==> node[i].kind == \at(node[i].kind, Pre); */
    /*@ assert all:    \forall integer i; 0 <= i < n ==> node[i] == \at(node[i], Numbered); */
    /*@ assert uses:   \forall integer i, v; 0 <= i < n ==> uses_data{Numbered}(node, i, 0, v) ==> uses_data(node, i, 0, v); */
    return kept;
}
