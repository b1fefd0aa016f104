#include "graph/names_take.h"

void names_of_nodes(const struct node *node, int n, int *name, unsigned char *used) /*@ ghost (int nstrs) */
{
    /*@ loop invariant range: 0 <= i <= n;
        loop invariant same:  \forall integer j; 0 <= j < n ==> node[j].name == \at(node[j].name, Pre);
        loop invariant names: \forall integer j; 0 <= j < i ==> name[j] == \at(node[j].name, Pre);
        loop invariant bits:  \forall integer s; 0 <= s < nstrs ==> 0 <= used[s] <= 1;
        loop invariant used:  \forall integer s; 0 <= s < nstrs ==> (used[s] == 1 <==> node_named{Pre}(node, i, s));
        loop assigns i, name[0 .. n - 1], used[0 .. nstrs - 1];
        loop variant n - i;
    */
    for (int i = 0; i < n; i++) {
        int s = node[i].name;

        name[i] = s;
        if (s >= 0)
            used[s] = 1;
    }
}

void names_of_outputs(const struct graph_output *out, int nout, int *name, unsigned char *used) /*@ ghost (int n, int nstrs) */
{
    /*@ loop invariant range:  0 <= k <= nout;
        loop invariant nodes:  \forall integer j; 0 <= j < nout ==> out[j].node == \at(out[j].node, Pre);
        loop invariant same:   \forall integer j; 0 <= j < nout ==> out[j].name == \at(out[j].name, Pre);
        loop invariant bits:   \forall integer s; 0 <= s < nstrs ==> 0 <= used[s] <= 1;
        loop invariant used:   \forall integer s; 0 <= s < nstrs ==>
                               (used[s] == 1 <==> \at(used[s], Pre) == 1 || output_named{Pre}(out, k, s));
        loop invariant names:  \forall integer i; 0 <= i < n ==> gets_name{Pre,Here}(out, k, name, used, i) ||
                               keeps_name{Pre,Here}(out, k, name, used, i);
        loop invariant named:  \forall integer i; 0 <= i < n ==> gets_name{Pre,Here}(out, k, name, used, i) ==> 0 <= name[i];
        loop assigns k, name[0 .. n - 1], used[0 .. nstrs - 1];
        loop variant nout - k;
    */
    for (int k = 0; k < nout; k++) {
        int x = out[k].node, s = out[k].name;
        /*@ ghost Top: ; */

        if (name[x] < 0 && !used[s]) {
            /*@ assert free:   offers{Pre}(out, name, used, x, k); */
            name[x] = s;
            /*@ assert first:  first_offers{Pre}(out, k + 1, name, used, x, k); */
        }
        used[s] = 1;
        /*@ assert had:    gets_name{Pre,Top}(out, k, name, used, x) ==> name[x] == \at(name[x], Top); */
        /*@ assert got:    gets_name{Pre,Top}(out, k, name, used, x) ==> gets_name{Pre,Here}(out, k + 1, name, used, x); */
        /*@ assert when:   keeps_name{Pre,Top}(out, k, name, used, x) ==>
                           (offers{Pre}(out, name, used, x, k) <==> \at(name[x], Top) < 0 && \at(used[s], Top) == 0); */
        /*@ assert new:    keeps_name{Pre,Top}(out, k, name, used, x) ==> offers{Pre}(out, name, used, x, k) ==>
                           gets_name{Pre,Here}(out, k + 1, name, used, x); */
        /*@ assert kept:   keeps_name{Pre,Top}(out, k, name, used, x) ==> !offers{Pre}(out, name, used, x, k) ==>
                           name[x] == \at(name[\at(x, Here)], Pre); */
        /*@ assert none:   keeps_name{Pre,Top}(out, k, name, used, x) ==> !offers{Pre}(out, name, used, x, k) ==>
                           none_offers{Pre}(out, k + 1, name, used, x); */
        /*@ assert mine:   gets_name{Pre,Here}(out, k + 1, name, used, x) || keeps_name{Pre,Here}(out, k + 1, name, used, x); */
        /*@ assert others: \forall integer i; 0 <= i < n ==> i != x ==> name[i] == \at(name[i], Top); */
        /*@ assert rest:   \forall integer i; 0 <= i < n ==> i != x ==> gets_name{Pre,Here}(out, k + 1, name, used, i) ||
                           keeps_name{Pre,Here}(out, k + 1, name, used, i); */
    }
}
