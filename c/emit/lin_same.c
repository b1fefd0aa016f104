#include "emit/lin_room.h"

int lin_lone(struct lins_view v, int a, int kind)
{
    struct lin x = v.lin[a];

    /*@ assert ok: lin_ok(v, a); */
    if (x.n != 1 || x.k != 0 || v.term[x.first].c != 1)
        return -1;
    /*@ assert term: before(v, v.term[x.first].atom, a); */
    /*@ assert sum: upto(v.term, x.first + 1) == upto(v.term, x.first) + val(v.term[x.first].atom); */
    return v.atom[v.term[x.first].atom].kind == kind ? v.term[x.first].atom : -1;
}

bool lin_same(struct lins_view v, int a, int b)
{
    struct lin x = v.lin[a], y = v.lin[b];

    /*@ assert ok: lin_ok(v, a) && lin_ok(v, b); */
    if (a == b)
        return true;
    if (x.n != y.n || x.k != y.k)
        return false;
    /*@ loop invariant index: 0 <= i <= x.n;
        loop invariant same:  same_run(v, x.first, y.first, i);
        loop invariant sum:   upto(v.term, x.first + i) - upto(v.term, x.first) ==
                              upto(v.term, y.first + i) - upto(v.term, y.first);
        loop assigns i;
        loop variant x.n - i;
    */
    for (int i = 0; i < x.n; i++) {
        if (v.term[x.first + i].atom != v.term[y.first + i].atom || v.term[x.first + i].c != v.term[y.first + i].c) {
            /*@ assert differ: !same_term(v, x.first + i, y.first + i); */
            /*@ assert not: !same_run(v, x.first, y.first, x.n); */
            return false;
        }
        /*@ assert equal: same_term(v, x.first + i, y.first + i); */
        /*@ assert next: same_run(v, x.first, y.first, i + 1); */
    }
    /*@ assert sums: upto(v.term, x.first + x.n) - upto(v.term, x.first) ==
                     upto(v.term, y.first + y.n) - upto(v.term, y.first); */
    /*@ assert value: value_of(v, a) == value_of(v, b); */
    return true;
}
