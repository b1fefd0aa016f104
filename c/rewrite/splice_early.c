#include "rewrite/splice_early.h"

void splice_early(struct early_view v, int done, struct match_key *key)
{
    /*@ assert all: \forall integer j; v.r.g.n - done <= j < v.r.g.n ==> taken(v.r, done, v.r.work[j]); */
    splice_keys(v.r.g.use, v.r.work, v.r.g.n, done, key);
    /*@ assert work: \forall integer j; v.r.g.n - done <= j < v.r.g.n ==> v.r.work[j] == \at(v.r.work[j], Pre); */
    /*@ assert orders: \forall integer x; 0 <= x < v.r.g.n ==> v.r.g.use[x].order == \at(v.r.g.use[x].order, Pre); */
    /*@ assert in: \forall integer x; 0 <= x < v.total ==> v.r.g.node[x].in == \at(v.r.g.node[x].in, Pre); */
    /*@ assert nin: \forall integer x; 0 <= x < v.total ==> v.r.g.node[x].nin == \at(v.r.g.node[x].nin, Pre); */
    /*@ assert inputs: \forall integer s; v.r.g.in[s] == \at(v.r.g.in[s], Pre); */
    /*@ assert args: \forall integer x, k; 0 <= x < v.total ==> arg(v.r.g, x, k) == arg{Pre}(v.r.g, x, k); */
    /*@ assert outs: \forall integer k; 0 <= k < v.nouts ==> v.outs[k] == \at(v.outs[k], Pre); */
    /*@ assert roots: \forall integer k; 0 <= k < v.nouts ==> v.root[k] == \at(v.root[k], Pre); */
    /*@ assert outputs: \forall integer x; is_output(v, x) <==> is_output{Pre}(v, x); */
    /*@ assert ranges: \forall integer x; is_output(v, x) ==> 0 <= x < v.r.g.n; */
    /*@ assert after: \forall integer x; 0 <= x < v.r.g.n ==> (after_out(v, x) <==> after_out{Pre}(v, x)); */
    /*@ assert to: \forall integer k; 0 <= k < done ==> taken{Pre}(v.r, done, key[k].node); */
    /*@ assert at: \forall integer j; v.r.g.n - done <= j < v.r.g.n ==> key[v.r.g.n - 1 - j].node == \at(v.r.work[j], Pre); */
    /*@ assert from: \forall integer j; v.r.g.n - done <= j < v.r.g.n ==> key_node(key, done, \at(v.r.work[j], Pre)); */
    /*@ assert keys: \forall integer x; taken{Pre}(v.r, done, x) <==> key_node(key, done, x); */
    /*@ assert nodes: keys_nodes(v, key, done); */
    /*@ assert distinct: keys_distinct(key, done); */
    /*@ assert reads: \forall integer x, k; v.r.g.n <= x < v.total ==> 0 <= k < v.r.g.node[x].nin ==>
                    0 <= arg(v.r.g, x, k) < v.r.g.n ==> reads{Pre}(v, arg(v.r.g, x, k)); */
    /*@ assert new: \forall integer x, k; v.r.g.n <= x < v.total ==> 0 <= k < v.r.g.node[x].nin ==>
                    0 <= arg(v.r.g, x, k) < v.r.g.n ==> after_out(v, arg(v.r.g, x, k)) ==> key_node(key, done, arg(v.r.g, x, k)); */
    /*@ assert old: \forall integer x, k; key_node(key, done, x) ==> 0 <= k < v.r.g.node[x].nin ==>
                    0 <= arg(v.r.g, x, k) < v.r.g.n ==> after_out(v, arg(v.r.g, x, k)) ==> key_node(key, done, arg(v.r.g, x, k)); */
    /*@ assert closed: keys_closed(v, key, done); */
    /*@ assert roots_read: \forall integer k; 0 <= k < v.nouts ==> 0 <= v.root[k] < v.r.g.n ==> reads{Pre}(v, v.root[k]); */
    /*@ assert roots_found: keys_roots(v, key, done); */
}
