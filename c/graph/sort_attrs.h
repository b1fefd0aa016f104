/* The order of a node's attributes. */
#ifndef CALQUE_GRAPH_SORT_ATTRS_H
#define CALQUE_GRAPH_SORT_ATTRS_H

#include "graph/graph.h"

#ifdef __FRAMAC__
#include "base/strs_get.h"

#include "graph/sort.acsl"
#endif

/* Sorts attributes by the bytes of their labels; those of one label keep their order. */
/*@ requires strs:     \valid_read(s) && valid_strs(table_of(s)) && texts_ok(table_of(s));
    requires attrs:    0 <= n && \valid(a + (0 .. n - 1));
    requires apart:    \separated(a + (0 .. n - 1), s) && \separated(a + (0 .. n - 1), s->entry.a + (0 .. s->entry.n - 1));
    terminates \true;
    exits    never:    \false;
    assigns  a[0 .. n - 1];
    ensures  sorted:   sorted_attrs(table_of(s), a, n);
    ensures  same:     same_pairs{Pre,Post}(a, n);
*/
void sort_attrs(const struct strs *s, struct node_attr *a, int n);

#endif
