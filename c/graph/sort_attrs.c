#include "graph/sort_attrs.h"

/* Byte order of two strings. */
/*@ requires strs:     \valid_read(s) && valid_strs(table_of(s)) && texts_ok(table_of(s));
    terminates \true;
    exits    never:    \false;
    assigns  \nothing;
    ensures  code:     -1 <= \result <= 1;
    ensures  less:     \result < 0 ==> label_less(table_of(s), a, b);
    ensures  same:     \result == 0 ==> label_same(table_of(s), a, b);
    ensures  more:     \result > 0 ==> label_less(table_of(s), b, a);
*/
static int label_order(const struct strs *s, int a, int b)
{
    int la = strs_len(s, a), lb = strs_len(s, b), n = la < lb ? la : lb, k = 0;
    const char *x = strs_text(s, a), *y = strs_text(s, b);

    /*@ assert x: \forall integer j; 0 <= j < la ==> (unsigned char)x[j] == label_at(table_of(s), a, j); */
    /*@ assert y: \forall integer j; 0 <= j < lb ==> (unsigned char)y[j] == label_at(table_of(s), b, j); */
    /*@ loop invariant range: 0 <= k <= n;
        loop invariant same:  same_start(table_of(s), a, b, k);
        loop assigns k;
        loop variant n - k;
    */
    while (k < n && (unsigned char)x[k] == (unsigned char)y[k])
        k++;
    /*@ assert less: less_at(table_of(s), a, b, k) || less_at(table_of(s), b, a, k) || label_same(table_of(s), a, b); */
    if (k < n)
        return (unsigned char)x[k] < (unsigned char)y[k] ? -1 : 1;
    return la < lb ? -1 : la > lb;
}

/* Attribute k changes places with the one before it. */
/*@ requires attrs:    0 < k < n && \valid(a + (0 .. n - 1));
    terminates \true;
    exits    never:    \false;
    assigns  a[k - 1 .. k];
    ensures  swapped:  swapped{Pre,Post}(a, k);
    ensures  same:     same_pairs{Pre,Post}(a, n);
*/
static void swap(struct node_attr *a, int k) /*@ ghost (int n) */
{
    struct node_attr x = a[k];
    /*@ ghost int j = 0; */

    a[k] = a[k - 1];
    a[k - 1] = x;
    /*@ ghost
    /@ loop invariant range: 0 <= j <= k - 1;
       loop invariant same:  same_pairs{Pre,Here}(a, j);
       loop assigns j;
       loop variant k - j;
    @/
    while (j < k - 1)
        j++;
    */
    /*@ assert swapped: swapped{Pre,Here}(a, k); */
    /*@ ghost j = k + 1; */
    /*@ ghost
    /@ loop invariant range: k + 1 <= j <= n;
       loop invariant same:  same_pairs{Pre,Here}(a, j);
       loop assigns j;
       loop variant n - j;
    @/
    while (j < n)
        j++;
    */
}

/* Attribute i finds its place among the i before it, which are sorted. */
/*@ requires strs:     \valid_read(s) && valid_strs(table_of(s)) && texts_ok(table_of(s));
    requires attrs:    0 <= i < INT32_MAX && \valid(a + (0 .. i));
    requires apart:    \separated(a + (0 .. i), s) && \separated(a + (0 .. i), s->entry.a + (0 .. s->entry.n - 1));
    requires sorted:   sorted_attrs(table_of(s), a, i);
    terminates \true;
    exits    never:    \false;
    assigns  a[0 .. i];
    ensures  sorted:   sorted_attrs(table_of(s), a, i + 1);
    ensures  same:     same_pairs{Pre,Post}(a, i + 1);
*/
static void insert(const struct strs *s, struct node_attr *a, int i)
{
    int k = i;

    /*@ loop invariant range:  0 <= k <= i;
        loop invariant sorted: sorted_but{Pre,Here}(table_of(s), a, i + 1, k);
        loop invariant same:   same_pairs{Pre,Here}(a, i + 1);
        loop invariant table:  table_of(s) == \at(table_of(s), Pre) && same_labels{Pre,Here}(table_of(s));
        loop assigns k, a[0 .. i];
        loop variant k;
    */
    while (k > 0 && label_order(s, a[k - 1].label, a[k].label) > 0) {
        /*@ ghost Before: ; */
        /*@ assert back: same_labels{Here,Pre}(table_of(s)); */
        /*@ assert less: label_leq{Pre}(table_of(s), a[k].label, a[k - 1].label); */
        swap(a, k) /*@ ghost (i + 1) */;
        /*@ assert table: table_of(s) == \at(table_of(s), Pre); */
        /*@ assert len:   \forall integer id; 0 <= id < s->entry.n ==> s->entry.a[id].len == \at(s->entry.a[id].len, Before); */
        /*@ assert lens:  same_lens{Before,Here}(table_of(s)); */
        /*@ assert chars: same_chars{Before,Here}(table_of(s)); */
        /*@ assert ends:  same_ends{Before,Here}(table_of(s)); */
        /*@ assert text:  same_labels{Before,Here}(table_of(s)); */
        /*@ assert rest:  \forall integer j; 0 <= j <= i ==> j != k ==> j != k - 1 ==>
                          a[j].label == \at(a[j].label, Before); */
        /*@ assert upper: \forall integer p, q; k <= q <= i ==> 0 <= p <= q ==> p != k - 1 ==>
                          label_leq{Pre}(table_of(s), a[p].label, a[q].label); */
        /*@ assert mid:   \forall integer q; k <= q <= i ==>
                          label_leq{Pre}(table_of(s), a[k - 1].label, a[q].label); */
        /*@ assert lower: \forall integer p, q; 0 <= p <= q < k - 1 ==>
                          label_leq{Pre}(table_of(s), a[p].label, a[q].label); */
        k--;
    }
    /*@ assert back: same_labels{Here,Pre}(table_of(s)); */
    /*@ assert last: k > 0 ==> label_leq{Pre}(table_of(s), a[k - 1].label, a[k].label); */
    /*@ assert all:  \forall integer p; 0 <= p <= k ==> label_leq{Pre}(table_of(s), a[p].label, a[k].label); */
    /*@ assert done: \forall integer p, q; 0 <= p <= q < i + 1 ==> label_leq{Pre}(table_of(s), a[p].label, a[q].label); */
}

void sort_attrs(const struct strs *s, struct node_attr *a, int n)
{
    /*@ loop invariant range:  0 <= i <= n;
        loop invariant sorted: sorted_attrs(table_of(s), a, i);
        loop invariant same:   same_pairs{Pre,Here}(a, i);
        loop invariant rest:   \forall integer k; i <= k < n ==> same_attr{Pre,Here}(a, k);
        loop invariant table:  table_of(s) == \at(table_of(s), Pre) && same_labels{Pre,Here}(table_of(s));
        loop assigns i, a[0 .. n - 1];
        loop variant n - i;
    */
    for (int i = 0; i < n; i++) {
        /*@ ghost Before: ; */
        insert(s, a, i);
        /*@ assert table: table_of(s) == \at(table_of(s), Pre); */
        /*@ assert len:   \forall integer id; 0 <= id < s->entry.n ==> s->entry.a[id].len == \at(s->entry.a[id].len, Before); */
        /*@ assert lens:  same_lens{Before,Here}(table_of(s)); */
        /*@ assert chars: same_chars{Before,Here}(table_of(s)); */
        /*@ assert ends:  same_ends{Before,Here}(table_of(s)); */
        /*@ assert text:  same_labels{Before,Here}(table_of(s)); */
        /*@ assert pairs: same_pairs{Pre,Here}(a, i + 1); */
    }
}
