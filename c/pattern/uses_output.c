#include "pattern/uses_output.h"

/*@ ghost
/@ requires valid:    valid_outputs(v);
   requires some:     out_after(v, -1, k);
   terminates \true;
   exits    never:    \false;
   assigns  \nothing;
   ensures  found:    0 <= \result < v.m && v.next[\result] == k;
@/
int output_before(struct output_view v, int k)
{
    /@ loop invariant range: 0 <= p <= v.m;
       loop invariant none:  \forall integer q; 0 <= q < p ==> v.next[q] != k;
       loop assigns p;
       loop variant v.m - p;
    @/
    for (int p = 0; p < v.m; p++)
        if (v.next[p] == k)
            return p;
    /@ assert never: \false; @/
    return 0;
}

/@ requires valid:    valid_outputs(v);
   requires ok:       outputs_ok(v);
   requires output:   0 <= k < v.m;
   terminates \true;
   exits    never:    \false;
   assigns  \nothing;
   ensures  found:    on_outputs(v, v.node[v.out[k].node].output, k);
@/
void outputs_complete(struct output_view v, int k)
{
    int t = k;

    /@ assert ranked: out_ranked(v, -1, some_output_ranks(v, -1)); @/
    /@ loop invariant here:  put(v, -1, t) && v.out[t].node == v.out[k].node;
       loop invariant back:  \forall slots a; closed_outputs(v, a) ==> in_slots(a, t) ==> in_slots(a, k);
       loop assigns t;
       loop variant top(some_output_ranks(v, -1)) - rank(some_output_ranks(v, -1), t);
    @/
    while (v.node[v.out[t].node].output != t)
        t = output_before(v, t);
}

void outputs_all(struct output_view v)
{
    /@ loop invariant range: 0 <= k <= v.m;
       loop invariant found: \forall integer t; 0 <= t < k ==> on_outputs(v, v.node[v.out[t].node].output, t);
       loop assigns k;
       loop variant v.m - k;
    @/
    for (int k = 0; k < v.m; k++)
        outputs_complete(v, k);
}
*/

/* Output k comes first on the list of node x. */
/*@ requires valid:    valid_outputs(v);
    requires range:    0 <= k < v.m && 0 <= x < v.n && v.node[x].outputs < v.m;
    terminates \true;
    exits    never:    \false;
    assigns  v.next[0 .. v.m - 1], v.node[0 .. v.n - 1].output, v.node[0 .. v.n - 1].outputs;
    ensures  next:     v.next[k] == \old(v.node[x].output);
    ensures  head:     v.node[x].output == k && v.node[x].outputs == \old(v.node[x].outputs) + 1;
    ensures  nexts:    same_out_nexts{Pre,Post}(v, k);
    ensures  heads:    same_out_heads{Pre,Post}(v, x);
    ensures  outs:     same_outs{Pre,Post}(v, -1);
*/
static void write_output(struct output_view v, int k, int x)
{
    v.next[k] = v.node[x].output;
    v.node[x].output = k;
    v.node[x].outputs++;
}

/* Output k, on no list, comes first on that of the node it is. */
/*@ requires valid:    valid_outputs(v);
    requires output:   0 <= k < v.m && 0 <= v.out[k].node < v.n;
    requires ok:       outputs_but(v, k);
    terminates \true;
    exits    never:    \false;
    assigns  v.next[0 .. v.m - 1], v.node[0 .. v.n - 1].output, v.node[0 .. v.n - 1].outputs;
    ensures  ok:       outputs_ok(v);
    ensures  heads:    same_out_heads{Pre,Post}(v, v.out[k].node);
    ensures  outs:     same_outs{Pre,Post}(v, -1);
*/
static void put_output(struct output_view v, int k)
{
    int x = v.out[k].node;

    /*@ ghost int h = v.node[x].output; */
    /*@ assert head: out_head_ok(v, k, x) && h != k; */
    /*@ assert off: \forall integer p; put(v, k, p) ==> out_next_ok(v, k, p) && v.next[p] != k; */
    /*@ assert far: \forall integer p; put(v, k, p) ==> v.next[p] >= 0 ==> v.next[p] != h; */
    /*@ assert tops: \forall integer y; 0 <= y < v.n ==> out_head_ok(v, k, y) && v.node[y].output != k; */
    /*@ assert count: v.node[x].outputs == card(outputs_of(v, k, x), v.m); */
    /*@ assert off_set: !in_slots(outputs_of(v, k, x), k); */
    /*@ assert room: card(outputs_of(v, k, x), v.m) < v.m; */
    write_output(v, k, x);
    /*@ assert nodes: \forall integer p; 0 <= p < v.m ==> v.out[p].node == \at(v.out[p].node, Pre); */
    /*@ assert same: \forall integer p; put(v, k, p) ==> v.next[p] == \at(v.next[p], Pre); */
    /*@ assert heads: \forall integer y; 0 <= y < v.n ==> y != x ==> v.node[y].output == \at(v.node[y].output, Pre); */
    /*@ assert next_old: \forall integer p; put(v, k, p) ==> out_next_ok(v, -1, p); */
    /*@ assert next_new: out_next_ok(v, -1, k); */
    /*@ assert head_old: \forall integer y; 0 <= y < v.n ==> y != x ==> out_head_ok(v, -1, y); */
    /*@ assert head_new: out_head_ok(v, -1, x); */
    /*@ assert once_k: \forall integer p; put(v, k, p) ==> v.next[k] >= 0 ==> v.next[p] != v.next[k]; */
    /*@ assert once: out_once(v, -1); */
    /*@ assert first_k: \forall integer y; 0 <= y < v.n ==> v.next[k] >= 0 ==> v.next[k] != v.node[y].output; */
    /*@ assert first_x: \forall integer p; put(v, k, p) ==> v.next[p] != v.node[x].output; */
    /*@ assert first: out_first(v, -1); */
    /*@ assert after_h: h >= 0 ==> out_after(v, -1, h); */
    /*@ assert after_old: \forall integer j; out_after{Pre}(v, k, j) ==> out_after(v, -1, j); */
    /*@ assert all_x: \forall integer j; put(v, k, j) ==> \at(v.node[v.out[j].node].output, Pre) == j ==>
                      v.node[v.out[j].node].output == j || out_after(v, -1, j); */
    /*@ assert all: out_all(v, -1); */
    /*@ assert some: out_ranked{Pre}(v, k, some_output_ranks{Pre}(v, k)); */
    /*@ assert new: \let r = some_output_ranks{Pre}(v, k); out_ranked(v, -1, rank_put(r, k, h < 0 ? 0 : rank(r, h) + 1)); */
    /*@ assert orderly: out_orderly(v, -1); */
    /*@ assert sets: \forall integer y, j; y != x ==>
                     (in_slots(outputs_of(v, -1, y), j) <==> in_slots(outputs_of{Pre}(v, k, y), j)); */
    /*@ assert others: \forall integer y; 0 <= y < v.n ==> y != x ==>
                       card(outputs_of(v, -1, y), v.m) == card(outputs_of{Pre}(v, k, y), v.m); */
    /*@ assert set: \forall integer j; j != k ==>
                    (in_slots(outputs_of(v, -1, x), j) <==> in_slots(outputs_of{Pre}(v, k, x), j)); */
    /*@ assert gets: in_slots(outputs_of(v, -1, x), k) && !in_slots(outputs_of{Pre}(v, k, x), k); */
    /*@ assert more: card(outputs_of(v, -1, x), v.m) == card(outputs_of{Pre}(v, k, x), v.m) + 1; */
    /*@ assert counted: out_counted(v, -1); */
}

/* The first output of node x leaves its list. */
/*@ requires valid:    valid_outputs(v);
    requires range:    0 <= x < v.n && 0 <= v.node[x].output < v.m && 0 < v.node[x].outputs;
    terminates \true;
    exits    never:    \false;
    assigns  v.node[0 .. v.n - 1].output, v.node[0 .. v.n - 1].outputs;
    ensures  result:   \result == \old(v.node[x].output);
    ensures  head:     v.node[x].output == \old(v.next[v.node[x].output]) && v.node[x].outputs == \old(v.node[x].outputs) - 1;
    ensures  nexts:    same_out_nexts{Pre,Post}(v, -1);
    ensures  heads:    same_out_heads{Pre,Post}(v, x);
    ensures  outs:     same_outs{Pre,Post}(v, -1);
*/
static int write_taken(struct output_view v, int x)
{
    int k = v.node[x].output;

    v.node[x].output = v.next[k];
    v.node[x].outputs--;
    return k;
}

/*@ requires valid:    valid_outputs(v);
    requires node:     0 <= x < v.n && v.node[x].output >= 0;
    requires ok:       outputs_ok(v);
    terminates \true;
    exits    never:    \false;
    assigns  v.node[0 .. v.n - 1].output, v.node[0 .. v.n - 1].outputs;
    ensures  result:   0 <= \result < v.m && v.out[\result].node == x;
    ensures  ok:       outputs_but(v, \result);
    ensures  count:    v.node[x].outputs == \old(v.node[x].outputs) - 1 >= 0;
    ensures  outs:     same_outs{Pre,Post}(v, -1);
*/
static int take_output(struct output_view v, int x)
{
    int k;

    /*@ assert head: out_head_ok(v, -1, x); */
    /*@ assert mine: in_slots(outputs_of(v, -1, x), v.node[x].output); */
    /*@ assert count: v.node[x].outputs == card(outputs_of(v, -1, x), v.m); */
    /*@ assert some: 0 < card(outputs_of(v, -1, x), v.m); */
    /*@ assert far: \forall integer p; put(v, -1, p) ==> v.next[p] != v.node[x].output; */
    /*@ assert tops_old: \forall integer y; 0 <= y < v.n ==> out_head_ok(v, -1, y) && -1 <= v.node[y].output < v.m &&
                         (v.node[y].output >= 0 ==> v.out[v.node[y].output].node == y); */
    /*@ assert nexts_old: \forall integer p; put(v, -1, p) ==> out_next_ok(v, -1, p) && 0 <= v.out[p].node < v.n &&
                          -1 <= v.next[p] < v.m && (v.next[p] >= 0 ==> v.out[v.next[p]].node == v.out[p].node); */
    /*@ assert tops: \forall integer y; 0 <= y < v.n ==> y != x ==> v.node[y].output != v.node[x].output; */
    /*@ assert once_old: \forall integer p, q; 0 <= p < v.m ==> 0 <= q < v.m ==> v.next[p] >= 0 ==>
                         v.next[p] == v.next[q] ==> p == q; */
    k = write_taken(v, x);
    /*@ assert nodes: \forall integer p; 0 <= p < v.m ==> v.out[p].node == \at(v.out[p].node, Pre); */
    /*@ assert same: \forall integer p; 0 <= p < v.m ==> v.next[p] == \at(v.next[p], Pre) && v.next[p] != k; */
    /*@ assert heads: \forall integer y; 0 <= y < v.n ==> y != x ==> v.node[y].output == \at(v.node[y].output, Pre); */
    /*@ assert next_still: \forall integer p; put(v, k, p) ==> out_next_ok(v, k, p); */
    /*@ assert next: out_nexts(v, k); */
    /*@ assert head_x: out_head_ok(v, k, x); */
    /*@ assert head_y: \forall integer y; 0 <= y < v.n ==> y != x ==> out_head_ok(v, k, y); */
    /*@ assert tops_ok: out_heads(v, k); */
    /*@ assert once_now: \forall integer p, q; 0 <= p < v.m ==> 0 <= q < v.m ==> v.next[p] >= 0 ==>
                         v.next[p] == v.next[q] ==> p == q; */
    /*@ assert once: out_once(v, k); */
    /*@ assert first_x: \forall integer p; put(v, k, p) ==> v.next[p] >= 0 ==> v.next[p] != v.node[x].output; */
    /*@ assert first: out_first(v, k); */
    /*@ assert after: \forall integer j; put(v, k, j) ==> out_after{Pre}(v, -1, j) ==>
                      out_after(v, k, j) || v.node[x].output == j; */
    /*@ assert head_j: \forall integer j; put(v, k, j) ==> v.node[x].output == j ==> v.out[j].node == x; */
    /*@ assert all: out_all(v, k); */
    /*@ assert ranked: out_ranked{Pre}(v, -1, some_output_ranks{Pre}(v, -1)); */
    /*@ assert still: out_ranked(v, k, some_output_ranks{Pre}(v, -1)); */
    /*@ assert orderly: out_orderly(v, k); */
    /*@ assert sets: \forall integer y, j; y != x ==>
                     (in_slots(outputs_of(v, k, y), j) <==> in_slots(outputs_of{Pre}(v, -1, y), j)); */
    /*@ assert others: \forall integer y; 0 <= y < v.n ==> y != x ==>
                       card(outputs_of(v, k, y), v.m) == card(outputs_of{Pre}(v, -1, y), v.m); */
    /*@ assert set: \forall integer j; j != k ==>
                    (in_slots(outputs_of(v, k, x), j) <==> in_slots(outputs_of{Pre}(v, -1, x), j)); */
    /*@ assert loses: !in_slots(outputs_of(v, k, x), k) && in_slots(outputs_of{Pre}(v, -1, x), k); */
    /*@ assert less: card(outputs_of(v, k, x), v.m) == card(outputs_of{Pre}(v, -1, x), v.m) - 1; */
    /*@ assert counted: out_counted(v, k); */
    return k;
}

/* Output k, on no list, now is x. */
/*@ requires valid:    valid_outputs(v);
    requires output:   0 <= k < v.m && 0 <= x < v.n;
    requires ok:       outputs_but(v, k);
    terminates \true;
    exits    never:    \false;
    assigns  v.out[0 .. v.m - 1].node;
    ensures  ok:       outputs_but(v, k);
    ensures  node:     v.out[k].node == x;
    ensures  outs:     same_outs{Pre,Post}(v, k);
    ensures  heads:    same_out_heads{Pre,Post}(v, -1);
*/
static void set_output(struct output_view v, int k, int x)
{
    /*@ assert tops_old: \forall integer y; 0 <= y < v.n ==> out_head_ok(v, k, y) && -1 <= v.node[y].output < v.m &&
                         v.node[y].output != k && (v.node[y].output >= 0 ==> v.out[v.node[y].output].node == y); */
    v.out[k].node = x;
    /*@ assert nodes: \forall integer p; put(v, k, p) ==> v.out[p].node == \at(v.out[p].node, Pre); */
    /*@ assert same: same_out_nexts{Pre,Here}(v, -1) && same_out_heads{Pre,Here}(v, -1); */
    /*@ assert next: out_nexts(v, k); */
    /*@ assert tops: \forall integer y; 0 <= y < v.n ==> v.node[y].output >= 0 ==> v.out[v.node[y].output].node == y; */
    /*@ assert heads: out_heads(v, k); */
    /*@ assert once: out_once(v, k); */
    /*@ assert first: out_first(v, k); */
    /*@ assert after: \forall integer j; out_after{Pre}(v, k, j) ==> out_after(v, k, j); */
    /*@ assert all: out_all(v, k); */
    /*@ assert ranked: out_ranked{Pre}(v, k, some_output_ranks{Pre}(v, k)); */
    /*@ assert still: out_ranked(v, k, some_output_ranks{Pre}(v, k)); */
    /*@ assert orderly: out_orderly(v, k); */
    /*@ assert sets: \forall integer y, j; (in_slots(outputs_of(v, k, y), j) <==> in_slots(outputs_of{Pre}(v, k, y), j)); */
    /*@ assert cards: \forall integer y; card(outputs_of(v, k, y), v.m) == card(outputs_of{Pre}(v, k, y), v.m); */
    /*@ assert counted: out_counted(v, k); */
}

void outputs_build(struct output_view v)
{
    struct output_view r = v;

    r.m = 0;
    /*@ assert empty: \forall integer x; card(outputs_of(r, -1, x), 0) == 0; */
    /*@ assert ranks: out_ranked(r, -1, some_output_ranks(r, -1)); */
    /*@ assert none: outputs_ok(r); */
    /*@ loop invariant range: 0 <= r.m <= v.m && r.node == v.node && r.next == v.next && r.out == v.out && r.n == v.n;
        loop invariant ok:    outputs_ok(r);
        loop invariant same:  same_outs{Pre,Here}(v, -1);
        loop assigns r, v.next[0 .. v.m - 1], v.node[0 .. v.n - 1].output, v.node[0 .. v.n - 1].outputs;
        loop variant v.m - r.m;
    */
    while (r.m < v.m) {
        r.m++;
        /*@ assert but: outputs_but(r, r.m - 1); */
        put_output(r, r.m - 1);
        /*@ assert rest_node: \forall integer k; 0 <= k < v.m ==> v.out[k].node == \at(v.out[k].node, LoopCurrent); */
        /*@ assert rest_name: \forall integer k; 0 <= k < v.m ==> v.out[k].name == \at(v.out[k].name, LoopCurrent); */
        /*@ assert rest: same_outs{LoopCurrent,Here}(v, -1); */
    }
}

/* The first output that is `from` is `to`. */
/*@ requires valid:    valid_outputs(v);
    requires ok:       outputs_ok(v);
    requires nodes:    0 <= from < v.n && 0 <= to < v.n && from != to && v.node[from].output >= 0;
    terminates \true;
    exits    never:    \false;
    assigns  v.next[0 .. v.m - 1], v.out[0 .. v.m - 1].node, v.node[0 .. v.n - 1].output, v.node[0 .. v.n - 1].outputs;
    ensures  ok:       outputs_ok(v);
    ensures  moved:    \forall integer k; 0 <= k < v.m ==> v.out[k].node == \old(v.out[k].node) ||
                       (\old(v.out[k].node) == from && v.out[k].node == to);
    ensures  less:     0 <= v.node[from].outputs < \old(v.node[from].outputs);
*/
static void move_output(struct output_view v, int from, int to)
{
    int k = take_output(v, from);

    set_output(v, k, to);
    put_output(v, k);
}

void outputs_move(struct output_view v, int from, int to)
{
    /*@ loop invariant ok:      outputs_ok(v);
        loop invariant moved:   \forall integer k; 0 <= k < v.m ==> v.out[k].node == \at(v.out[k].node, Pre) ||
                                (\at(v.out[k].node, Pre) == from && v.out[k].node == to);
        loop assigns v.next[0 .. v.m - 1], v.out[0 .. v.m - 1].node, v.node[0 .. v.n - 1].output, v.node[0 .. v.n - 1].outputs;
        loop variant v.node[from].outputs;
    */
    while (v.node[from].output >= 0)
        move_output(v, from, to);
    /*@ ghost outputs_all(v); */
    /*@ assert none: \forall integer k; 0 <= k < v.m ==> v.out[k].node != from; */
    /*@ assert count: card(outputs_of(v, -1, from), v.m) == 0; */
}
