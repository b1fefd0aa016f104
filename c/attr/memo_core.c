#include "attr/memo_core.h"

/*@ requires valid:    \valid(of + (0 .. n - 1)) && 0 <= i < n;
    terminates \true;
    exits    never:    \false;
    assigns  of[i].next;
    ensures  put:      of[i].next == x;
    ensures  firsts:   same_firsts{Pre,Post}(of, n);
    ensures  others:   same_nexts{Pre,Post}(of, i) &&
                       \forall integer j; i < j < n ==> of[j].next == \old(of[j].next);
*/
static void put_next(struct attr_memo_class *of, int n, int i, int x)
{
    (void)n;
    of[i].next = x;
}

/* Node j is the constant v. */
/*@ requires valid:    0 <= j < n && \valid(node + (0 .. n - 1)) && \valid_read(of + (0 .. n - 1));
    requires apart:    \separated(node + (0 .. n - 1), of + (0 .. n - 1));
    terminates \true;
    exits    never:    \false;
    assigns  node[j].kind, node[j].a;
    ensures  put:      is_const{Pre,Post}(node, j, v);
    ensures  others:   \forall integer i; 0 <= i < n ==> i != j ==> node_same{Pre,Post}(node, i);
    ensures  classes:  same_firsts{Pre,Post}(of, n) && same_nexts{Pre,Post}(of, n);
*/
static void put_const(struct attr_node *node, const struct attr_memo_class *of, int n, int j, int v)
{
    (void)of;
    (void)n;
    node[j].kind = ATTR_CONST;
    node[j].a = v;
}

void memo_link(struct attr_memo_class *of, int n)
{
    /*@ loop invariant range: 0 <= i <= n;
        loop invariant firsts: same_firsts{Pre,Here}(of, n);
        loop invariant lists: lists_ok(of, i);
        loop assigns i, of[0 .. n - 1].next;
        loop variant n - i;
    */
    for (int i = 0; i < n; i++) {
        /*@ ghost Head: ; */
        int first = of[i].first;

        /*@ assert firsts: firsts_ok(of, n); */
        /*@ assert each:   \forall integer j; 0 <= j < i ==> first_ok(of, j); */
        /*@ assert was:    \forall integer j; 0 <= j < i ==> j != first ==>
                           listed(of, j, i) && 0 <= of[j].first && of[i].first != j; */
        /*@ assert longer: \forall integer j; 0 <= j < i ==> j != first ==> listed(of, j, i + 1); */
        /*@ assert first: first_ok{Pre}(of, i) && first_ok(of, i) && (first < i ==> first_ok(of, first) && listed(of, first, i)); */
        put_next(of, n, i, first == i ? -1 : of[first].next);
        if (first != i)
            put_next(of, n, first, i);
        /*@ assert still:  same_firsts{Head,Here}(of, n); */
        /*@ assert same:   same_firsts{Pre,Here}(of, n); */
        /*@ assert nexts:  \forall integer j; 0 <= j < i ==> j != first ==> of[j].next == \at(of[j].next, Head); */
        /*@ assert new:    first == i ==> of[i].next == -1 && none_between(of, i, i, i + 1); */
        /*@ assert old:    first < i ==> greatest{Head}(of, first, of[i].next, i) && greatest(of, first, of[i].next, i); */
        /*@ assert mine:   listed(of, i, i + 1); */
        /*@ assert head:   listed(of, first, i + 1); */
        /*@ assert before: \forall integer j; 0 <= j < i ==> j != first ==> listed{Head}(of, j, i); */
        /*@ assert more:   \forall integer j; 0 <= j < i ==> j != first ==> listed{Head}(of, j, i + 1); */
        /*@ assert others: \forall integer j; 0 <= j < i ==> j != first ==> listed(of, j, i + 1); */
    }
}

void memo_put(struct attr_node *node, const struct attr_memo_class *of, int n, int f, int v)
{
    /*@ assert none: listed(of, f, n); */
    put_const(node, of, n, f, v);
    /*@ loop invariant range:   j == -1 || (f < j < n && of[j].first == f);
        loop invariant classes: same_firsts{Pre,Here}(of, n) && same_nexts{Pre,Here}(of, n);
        loop invariant become:  become{Pre,Here}(node, of, n, f, j < 0 ? f : j, v);
        loop assigns j, node[0 .. n - 1].kind, node[0 .. n - 1].a;
        loop variant j;
    */
    for (int j = of[f].next; j >= 0; j = of[j].next) {
        /*@ ghost Head: ; */
        /*@ assert first:  in_tail{Pre}(of, j, f, -1) && !in_tail{Pre}(of, j, f, j); */
        /*@ assert mine:   node_same{Pre,Here}(node, j); */
        put_const(node, of, n, j, v);
        /*@ assert firsts: same_firsts{Pre,Here}(of, n); */
        /*@ assert nexts:  same_nexts{Pre,Here}(of, n); */
        /*@ assert was:    listed{Pre}(of, j, n); */
        /*@ assert next:   greatest{Pre}(of, f, of[j].next, j); */
        /*@ assert now:    greatest(of, f, of[j].next, j); */
        /*@ assert next_tail: \forall integer i; in_tail{Pre}(of, i, f, j - 1) <==>
                           in_tail{Pre}(of, i, f, of[j].next < 0 ? f : of[j].next); */
        /*@ assert const:  is_const{Pre,Here}(node, j, v); */
        /*@ assert rest:   \forall integer i; 0 <= i < n ==> i != j ==> node_same{Head,Here}(node, i); */
        /*@ assert before: become{Pre,Head}(node, of, n, f, j, v); */
        /*@ assert tail:   \forall integer i; i != j ==> (in_tail{Pre}(of, i, f, j - 1) <==> in_tail{Pre}(of, i, f, j)); */
        /*@ assert was_in: \forall integer i; 0 <= i < n ==> i != j ==> in_tail{Pre}(of, i, f, j - 1) ==> is_const{Pre,Head}(node, i, v); */
        /*@ assert was_out: \forall integer i; 0 <= i < n ==> i != j ==> !in_tail{Pre}(of, i, f, j - 1) ==> node_same{Pre,Head}(node, i); */
        /*@ assert now_in: \forall integer i; 0 <= i < n ==> in_tail{Pre}(of, i, f, j - 1) ==> is_const{Pre,Here}(node, i, v); */
        /*@ assert now_out: \forall integer i; 0 <= i < n ==> !in_tail{Pre}(of, i, f, j - 1) ==> node_same{Pre,Here}(node, i); */
        /*@ assert done:   become{Pre,Here}(node, of, n, f, j - 1, v); */
    }
}

/* Marks the children of node i. */
/*@ requires arena:    valid_arena(t) && wf_arena(t) && 0 <= i <= a < t.n;
    requires valid:    \valid(of + (0 .. t.n - 1));
    requires marks:    \forall integer j; 0 <= j <= a ==> (of[j].marked <==> found(t, a, i, j));
    requires mine:     within(t, a, i);
    terminates \true;
    exits    never:    \false;
    assigns  of[0 .. a].marked;
    ensures  marks:    \forall integer j; 0 <= j <= a ==> (of[j].marked <==> found(t, a, i - 1, j));
*/
static void mark_kids(struct attr_put t, struct attr_memo_class *of, int a, int i)
{
    int n = attr_kids(t, i);

    (void)a;
    /*@ loop invariant range: 0 <= k <= n;
        loop invariant marks: \forall integer j; 0 <= j <= a ==>
                              (of[j].marked <==> found(t, a, i, j) || kid_among(t, i, k, j));
        loop assigns k, of[0 .. a].marked;
        loop variant n - k;
    */
    for (int k = 0; k < n; k++) {
        int x = attr_kid(t, i, k);
        of[x].marked = true;
        /*@ assert step: \forall integer j; kid_among(t, i, k + 1, j) <==> kid_among(t, i, k, j) || j == x; */
    }
}

void memo_mark(struct attr_put t, struct attr_memo_class *of, int a)
{
    /*@ loop invariant range: 0 <= i <= a + 1;
        loop invariant marks: \forall integer j; 0 <= j < i ==> (of[j].marked <==> j == a);
        loop assigns i, of[0 .. a].marked;
        loop variant a - i;
    */
    for (int i = 0; i <= a; i++)
        of[i].marked = i == a;
    /*@ assert start: \forall integer j; 0 <= j <= a ==> (of[j].marked <==> found(t, a, a, j)); */
    /*@ loop invariant range: -1 <= i <= a;
        loop invariant marks: \forall integer j; 0 <= j <= a ==> (of[j].marked <==> found(t, a, i, j));
        loop assigns i, of[0 .. a].marked;
        loop variant i;
    */
    for (int i = a; i >= 0; i--) {
        /*@ assert mine: found(t, a, i, i) <==> within(t, a, i); */
        if (of[i].marked)
            mark_kids(t, of, a, i);
    }
    /*@ assert all: \forall integer j; 0 <= j <= a ==> found(t, a, -1, j) ==> within(t, a, j); */
    /*@ assert each: \forall integer j; 0 <= j <= a ==> within(t, a, j) ==> found(t, a, -1, j); */
}
